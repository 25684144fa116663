"""How fast training is, for correctness and not for time."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks.speed import training
from benchmarks.speed.harness import Rounds
from benchmarks.speed.machine import describe
from benchmarks.speed.quiet import Measurement
from benchmarks.speed.training import Report, Round, as_json, clocked, page, rates


def test_clocked_functions_are_timed_by_part_and_put_back() -> None:
    def double(number: int) -> int:
        return 2 * number

    owner = SimpleNamespace(one=double, other=double, left_alone=double)
    with clocked([(owner, "one", "a"), (owner, "other", "a")]) as spent:
        assert (owner.one(1), owner.other(number=2), owner.left_alone(3)) == (2, 4, 6)
    assert list(spent) == ["a"]
    assert spent["a"] > 0
    assert owner.one is owner.other is double


def test_rates_by_hand() -> None:
    first, second = Round(100, 5.0, {"update": 4.0, "policy": 0.5}), Round(100, 4.0, {"update": 2.0})
    found = rates([Measurement(first, 0.0), Measurement(second, 0.5)])
    assert {name: one.values for name, one in found.items()} == {
        "whole": (20.0, 25.0),
        "rollout": (100.0, 50.0),
        "update": (25.0, 50.0),
    }
    assert all(one.disturbed for one in found.values())


def test_every_ratio_is_between_contenders_that_exist() -> None:
    assert {name for one in training.RATIOS for name in (one.ours, one.to)} <= set(training.MAKERS)


def test_the_page_and_json_mark_what_stayed_disturbed() -> None:
    quiet, busy = (Rounds(values=(2000.0, 1000.0), others=others) for others in ((0.0, 0.01), (0.0, 0.5)))
    about = replace(describe([1]), date="today")
    phases = ("whole", "rollout", "update")
    report = Report(about, {"a": dict.fromkeys(phases, quiet), "b": dict.fromkeys(phases, busy)}, [], {}, {"c": "no"})
    text = page(report, "the command")
    assert "| a | 1.50 k | 1.00 – 2.00 k | 1.50 k | 1.50 k |" in text
    assert "| b | 1.50 k † | 1.00 – 2.00 k | 1.50 k † | 1.50 k † |" in text
    assert "- c: skipped, no" in text
    rows = json.loads(json.dumps(as_json(report)))["rows"]
    assert [row["whole_samples_per_second"]["disturbed"] for row in rows] == [False, True]


@pytest.mark.slow
def test_a_contender_trains_and_its_parts_are_timed() -> None:
    report = training.run(1, 1, describe([]), only="ours, scripted opponents, our update")
    assert list(report.rates) == ["ours, scripted opponents, our update"]
    parts = training.split(training.mixture_env, 1, 1)
    assert {"all", "update", "policy", "opponents' networks", "rules and scripted opponents"} <= set(parts)
    assert all(spent > 0 for spent in parts.values())
