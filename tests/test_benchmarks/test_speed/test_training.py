"""How fast training is, for correctness and not for time."""

from dataclasses import asdict, replace

import pytest

from benchmarks.speed import training
from benchmarks.speed.harness import Rounds
from benchmarks.speed.machine import describe
from benchmarks.speed.training import page


def test_every_ratio_is_between_contenders_that_exist() -> None:
    assert {name for one in training.RATIOS for name in (one.ours, one.to)} <= set(training.MAKERS)


def test_the_page_marks_what_stayed_disturbed() -> None:
    quiet, busy = (Rounds(values=(2000.0, 1000.0), others=others) for others in ((0.0, 0.01), (0.0, 0.5)))
    rows = [{"name": name, **one.figures("samples_per_second")} for name, one in (("a", quiet), ("b", busy))]
    text = page({"machine": asdict(replace(describe([1]), date="today")), "rows": rows, "ratios": []}, "the command")
    assert "| a | 1.50 k | 1.00–2.00 k |" in text
    assert "| b | 1.50 k † | 1.00–2.00 k |" in text


@pytest.mark.slow
def test_contenders_train() -> None:
    found = training.run(1, 1, describe([]), only="ours, ")
    assert [row["name"] for row in found["rows"]] == [name for name in training.MAKERS if name.startswith("ours, ")]
    assert all(row["low"] > 0 for row in found["rows"])
