"""How fast training is, for correctness and not for time."""

import pytest

from benchmarks.speed import training
from benchmarks.speed.machine import describe


def test_every_ratio_is_between_contenders_that_exist() -> None:
    assert {name for one in training.RATIOS for name in (one.ours, one.to)} <= set(training.MAKERS)


@pytest.mark.slow
def test_contenders_train() -> None:
    found = training.run(1, 1, describe([]))
    assert [row["name"] for row in found["rows"]] == list(training.MAKERS)
    assert all(row["low"] > 0 for row in found["rows"])
