"""How it is timed: processes, rounds, what is skipped, what is taken again."""

import gc
import itertools
import operator
import os
import re
from functools import partial

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed.harness import Case, Loop, WorkerError, measure, run_rounds

THREE = partial(Loop, partial(len, "abc"))  # a case that counts 3, in any process
FAILS = partial(operator.truediv, 1, 0)


def test_measuring_stops_the_collector_counts_late_and_gives_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a hundredth of a second: of 0.2 s, a tenth is warm-up."""
    collecting, kept, clock = list[bool](), list[str](), itertools.count()

    def play() -> str:
        collecting.append(gc.isenabled())
        return "two steps"

    def count(results: list[str]) -> float:
        kept.extend(results)
        return 2 * len(results)

    monkeypatch.setattr("benchmarks.speed.harness.time.perf_counter", lambda: next(clock) / 100)
    rate, _ = measure(Loop(play, count), 0.2)
    assert gc.isenabled()
    assert not any(collecting)
    assert len(kept) == 20 < len(collecting)  # the warm-up is not counted
    assert rate == pytest.approx(2 * 20 / 0.2)


def test_a_round_has_every_case_once_and_every_second_round_goes_backwards() -> None:
    cases = [Case(name, name, THREE, "", ours=True) for name in "ab"]
    told, ends = list[str](), list[int]()
    rows, skipped = run_rounds(
        cases,
        3,
        0.001,
        [],
        tries=1,
        after_round=lambda: ends.append(len(told)),
        progress=lambda text, planned: told.append(re.sub(" of 3|/.*", "", text)),
    )
    assert told == [
        *("preparing a", "preparing b"),
        *("round 1: a", "round 1: b"),
        *("round 2: b", "round 2: a"),
        *("round 3: a", "round 3: b"),
    ]
    assert ends == [4, 6, 8]
    assert skipped == {}
    for row, name in zip(rows, "ab", strict=True):
        assert row.case.name == name
        assert len(row.values) == 3
        assert 0 < row.low <= row.median <= row.high


def test_what_cannot_be_measured_is_skipped_by_name() -> None:
    cases = [
        Case("absent", "x", THREE, "", needs=("json", "no_such_module")),
        Case("broken", "y", FAILS, ""),
        Case("wide", "y", THREE, "", threads=9),
        Case("fine", "y", THREE, ""),
    ]
    rows, skipped = run_rounds(cases, 1, 0.001, usable_cores()[:2])
    assert [row.case.name for row in rows] == ["fine"]
    assert skipped == {
        "absent/2/1/1": "not installed: no_such_module",
        "broken/2/1/1": "failed: ZeroDivisionError: division by zero",
        "wide/2/1/9": "needs 9 cores",
    }


def test_a_failure_of_ours_ends_the_run_and_a_dead_process_is_reported() -> None:
    with pytest.raises(WorkerError, match="step/2/1/1: ZeroDivisionError"):
        run_rounds([Case("step", "ours", FAILS, "", ours=True)], 1, 0.001, [])
    rows, skipped = run_rounds([Case("fatal", "x", partial(os._exit, 3), "")], 1, 0.001, [])
    assert (rows, skipped) == ([], {"fatal/2/1/1": "failed: its process ended with status 3"})
