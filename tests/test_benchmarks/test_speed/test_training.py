"""How fast training is, for correctness and not for time."""

import pytest

from benchmarks.speed import training
from benchmarks.speed.machine import describe


def test_every_ratio_is_between_contenders_that_exist() -> None:
    assert {name for one in training.RATIOS for name in (one.ours, one.to)} <= set(training.MAKERS)


@pytest.mark.slow
def test_contenders_train() -> None:
    found = training.run(1, 1, describe([]), only="ours, ")
    assert [row["name"] for row in found["rows"]] == [name for name in training.MAKERS if name.startswith("ours, ")]
    assert all(row["low"] > 0 for row in found["rows"])
