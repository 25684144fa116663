"""How it is timed: processes, rounds, what is skipped, what was disturbed and is taken again."""

import gc
import itertools
import operator
import os
from functools import partial
from pathlib import Path

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed import harness
from benchmarks.speed.harness import (
    LIMIT,
    SLACK,
    Case,
    Measurement,
    Reading,
    WorkerError,
    in_rounds,
    measure,
    others_share,
    run_rounds,
)

THREE = partial(partial, len, "abc")  # a case that counts 3, in any process
FAILS = partial(operator.truediv, 1, 0)


def test_measuring_stops_the_collector_and_gives_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a hundredth of a second: of 0.2 s, a tenth is warm-up."""
    collecting, clock = list[bool](), itertools.count()

    def play() -> int:
        collecting.append(gc.isenabled())
        return 2

    monkeypatch.setattr("benchmarks.speed.harness.time.perf_counter", lambda: next(clock) / 100)
    rate, _ = measure(play, 0.2)
    assert gc.isenabled()
    assert not any(collecting)
    assert 20 < len(collecting) < 25  # the warm-up is not counted
    assert rate == pytest.approx(2 * 20 / 0.2)


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


# --- what others had ---

START = Reading(100.0, 10.0, 120.0, 3.0)


@pytest.mark.parametrize(
    ("after", "threads", "share"),
    [
        (Reading(102.0, 11.5, 122.0, 3.0), 1, 0.25),  # a thread misses half a second of the time on the clock
        (Reading(102.0, 13.0, 123.0, 3.0), 2, 0.0),  # two threads that waited for each other
        (Reading(102.0, 13.0, 124.0, 3.0), 2, (1 - 2 * SLACK) / 4),  # two that others took a second
        (Reading(102.0, 12.0, 121.5, 3.5), 1, (0.5 - SLACK) / 2),  # stolen, though it counts as our own time
    ],
)
def test_what_others_had_is_told_by_two_clocks(after: Reading, threads: int, share: float) -> None:
    assert others_share(START, after, threads) == pytest.approx(share)


STAT = """cpu  100 0 0 0 0 0 0 0 0 0
cpu0 100 20 30 4000 500 6 7 80 9 0
cpu1 200 0 0 4000 0 0 0 0 0 0
intr 1 2 3
"""


def test_the_counts_of_cores_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 100, raising=False)
    (file := tmp_path / "stat").write_text(STAT)
    assert harness._core_times([1, 0], file) == pytest.approx((3.63, 0.8))
    assert harness._core_times([0, 7], file) == (None, 0)
    assert harness._core_times([0], tmp_path / "none") == (None, 0)


def test_every_second_round_goes_backwards_and_disturbed_measurements_are_taken_again_after_the_others() -> None:
    """The least disturbed counts; what cannot be measured is left out and not tried again."""
    shares = {"a": [0.5, 0.0, 0.0], "b": [LIMIT, 0.0], "c": [0.5, 0.2, 0.3, 0.1, 0.5, 0.4], "d": []}
    order, rounds = list[str](), list[int]()

    def take(task: str) -> Measurement | None:
        order.append(task)
        return Measurement(len(order), shares[task].pop(0)) if shares[task] else None

    found = in_rounds("abcd", 2, take, lambda: rounds.append(len(order)))
    assert "".join(order) == "abcdacc" + "dcbacc"
    assert rounds == [7, 13]
    assert {task: [one.others for one in taken] for task, taken in found.items()} == {
        "a": [0.0, 0.0],
        "b": [LIMIT, 0.0],
        "c": [0.2, 0.1],
        "d": [],
    }
