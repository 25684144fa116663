"""Ours beside the peers, by hand."""

import fnmatch

from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.comparisons import ASKED, Asked, Compared, compare
from benchmarks.speed.harness import Case, Loop, Row
from benchmarks.speed.quiet import LIMIT


def row(name: str, *values: float, others: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Row:
    return Row(values=values, others=others, case=Case(name, "library", lambda: Loop(int), ""))


def compared(rows: list[Row], *asked: Asked) -> list[Compared]:
    return compare({row.case.name: row for row in rows}, asked)


ROWS = [row("a", 10.0, 20.0, 30.0), row("b", 5.0, 5.0, 10.0), row("c", 1.0, 4.0, 100.0)]


def test_every_comparison_is_between_what_is_measured() -> None:
    known = {case.id for case in all_cases()}
    for one in ASKED:
        assert one.ours in known
        assert not one.to or fnmatch.filter(known, one.to)


def test_a_ratio_is_taken_in_each_round() -> None:
    (one,) = compared(ROWS, Asked("a to b", "a", "b"))
    assert one.values == (2.0, 4.0, 3.0)
    assert (one.median, one.low, one.high) == (3.0, 2.0, 4.0)
    assert (one.label, one.kind, one.ours, one.against) == ("a to b", "ratio", "a", "b")


def test_of_several_peers_the_best_median_counts_and_any_disturbance() -> None:
    """Medians: b 5, c 4. Undisturbed, c might have been the best."""
    slowed = row("c", 1.0, 4.0, 4.0, others=(0.0, 0.0, 10 * LIMIT))
    (one,) = compared([*ROWS[:2], slowed], Asked("", "a", "[bcz]"))
    assert one.against == "b"
    assert one.others == (0.0, 0.0, 10 * LIMIT)
    assert one.disturbed


def test_comparisons_without_both_sides_are_left_out() -> None:
    assert compared(ROWS, Asked("", "a", "z"), Asked("", "z", "a"), Asked("", "z")) == []
