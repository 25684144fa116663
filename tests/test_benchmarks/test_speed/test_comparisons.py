"""Ours beside the peers and the targets, by hand."""

import pytest

from benchmarks.speed import comparisons
from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.comparisons import Rate, Ratio, Seconds, compare_rates, compare_ratios, compare_seconds
from benchmarks.speed.harness import Case, Key, Loop, Row
from benchmarks.speed.quiet import LIMIT
from benchmarks.speed.startup import NAMES, Timing


def test_every_comparison_is_between_cases_that_exist() -> None:
    known = {case.key for case in all_cases()}
    asked = {rate.key for rate in comparisons.RATES}
    asked |= {key for ratio in comparisons.RATIOS for key in (ratio.key, *ratio.others)}
    assert asked <= known
    assert {limit.name for limit in comparisons.SECONDS} <= set(NAMES)


def row(name: str, *values: float, others: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Row:
    return Row(values=values, others=others, case=Case(name, "library", lambda: Loop(int), ""))


def key(name: str) -> Key:
    return name, 2, 1, 1


ROWS = [row("a", 10.0, 20.0, 30.0), row("b", 5.0, 5.0, 10.0), row("c", 1.0, 4.0, 100.0)]


def test_ratios_by_hand() -> None:
    # a/b round by round: 2, 4, 3
    (one,) = compare_ratios(ROWS, [Ratio("a to b", key("a"), (key("b"),), 2.5, 3.5)])
    assert one.values == (2.0, 4.0, 3.0)
    assert (one.median, one.low, one.high) == (3.0, 2.0, 4.0)
    assert (one.ours, one.against) == ("a/2/1/1", "b/2/1/1")
    assert one.reached == "must"


def test_of_several_peers_the_best_median_counts() -> None:
    # medians: b 5, c 4
    (one,) = compare_ratios(ROWS, [Ratio("", key("a"), (key("c"), key("b"), key("not measured")))])
    assert one.against == "b/2/1/1"


def test_comparisons_without_both_sides_are_left_out() -> None:
    asked = [Ratio("", key("a"), (key("z"),)), Ratio("", key("z"), (key("a"),))]
    assert compare_ratios(ROWS, asked) == []
    assert compare_rates(ROWS, [Rate("", key("z"), 1.0)]) == []
    assert compare_seconds([], [Seconds("", "import", 1.0)]) == []


@pytest.mark.parametrize(
    ("must", "aim", "reached"),
    [
        (20.0, None, "must"),
        (20.1, None, "none"),
        (10.0, 20.0, "aim"),
        (10.0, 21.0, "must"),
        (None, 21.0, "none"),
        (None, 20.0, "aim"),
        (None, None, ""),
    ],
)
def test_targets(must: float | None, aim: float | None, reached: str) -> None:
    assert compare_rates(ROWS, [Rate("", key("a"), must, aim)])[0].reached == reached


@pytest.mark.parametrize(("limit", "reached"), [(0.4, "must"), (0.39, "none")])
def test_of_seconds_less_is_better(limit: float, reached: str) -> None:
    timing = Timing(name="import", values=(0.3, 0.4, 0.9), others=(0.0, 0.0, 0.0))
    assert compare_seconds([timing], [Seconds("", "import", limit)])[0].reached == reached


def test_of_what_stayed_disturbed_no_target_is_reached() -> None:
    busy = row("a", 10.0, 20.0, 30.0, others=(0.0, LIMIT * 1.01, 0.0))
    quiet = row("a", 10.0, 20.0, 30.0, others=(0.0, LIMIT, LIMIT))
    for one, reached in ((busy, "disturbed"), (quiet, "aim")):
        assert compare_rates([one], [Rate("", key("a"), 1.0, 2.0)])[0].reached == reached
        assert compare_ratios([one, *ROWS[1:]], [Ratio("", key("b"), (key("a"),), 0.1, 0.2)])[0].reached == reached
    assert compare_rates([busy], [Rate("", key("a"))])[0].reached == ""


def test_a_ratio_is_disturbed_with_any_peer_that_might_have_been_the_best() -> None:
    slowed = row("c", 1.0, 4.0, 4.0, others=(0.0, 0.0, 0.5))
    (one,) = compare_ratios([*ROWS[:2], slowed], [Ratio("", key("a"), (key("b"), key("c")))])
    assert one.against == "b/2/1/1"
    assert one.others == (0.0, 0.0, 0.5)
    assert one.disturbed
