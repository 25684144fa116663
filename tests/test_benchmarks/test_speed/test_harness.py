"""How it is timed: processes, rounds, what is skipped."""

import gc
import itertools
import operator
import os
from functools import partial

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed.harness import Case, WorkerError, in_rounds, measure, run_rounds

THREE = partial(partial, len, "abc")  # a case that counts 3, in any process
FAILS = partial(operator.truediv, 1, 0)


def test_measuring_stops_the_collector_and_gives_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a hundredth of a second: of 0.2 s, a tenth is warm-up."""
    collecting, clock = list[bool](), itertools.count()

    def play() -> int:
        collecting.append(gc.isenabled())
        return 2

    monkeypatch.setattr("benchmarks.speed.harness.time.perf_counter", lambda: next(clock) / 100)
    rate = measure(play, 0.2)
    assert gc.isenabled()
    assert not any(collecting)
    assert 20 < len(collecting) < 25  # the warm-up is not counted
    assert rate == pytest.approx(2 * 20 / 0.2)
    collecting.clear()
    assert measure(play, 0) == pytest.approx(2 / 0.01)
    assert len(collecting) == 1


def test_what_cannot_be_measured_is_skipped_by_name() -> None:
    cases = [
        Case("absent", "x", THREE, "", needs=("json", "no_such_module")),
        Case("broken", "y", FAILS, ""),
        Case("wide", "y", THREE, "", threads=9),
        Case("fine", "y", THREE, ""),
        Case("fatal", "z", partial(os._exit, 3), ""),
    ]
    ((row,), skipped) = run_rounds(cases, 2, 0.001, usable_cores()[:2])
    assert row["name"] == "fine"
    assert len(row["values"]) == 2
    assert 0 < row["low"] <= row["steps_per_second"] <= row["high"]
    assert skipped.pop("fatal/2/1/1").startswith("failed: ")
    assert skipped == {
        "absent/2/1/1": "not installed: no_such_module",
        "broken/2/1/1": "failed: ZeroDivisionError: division by zero",
        "wide/2/1/9": "needs 9 cores",
    }
    with pytest.raises(WorkerError, match="step/2/1/1: ZeroDivisionError"):
        run_rounds([Case("step", "ours", FAILS, "", ours=True)], 1, 0.001, [])


def test_every_second_round_goes_backwards_and_what_cannot_be_measured_is_left_out() -> None:
    order = list[str]()

    def take(task: str) -> int | None:
        order.append(task)
        return None if task == "b" else len(order)

    assert in_rounds("abc", 3, take) == {"a": [1, 6, 7], "b": [], "c": [3, 4, 9]}
    assert "".join(order) == "abc" + "cba" + "abc"
