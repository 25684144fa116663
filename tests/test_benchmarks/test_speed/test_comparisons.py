"""Ours beside the peers and the targets, by hand."""

import fnmatch

import pytest

from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.comparisons import ASKED, Asked, Compared, compare
from benchmarks.speed.harness import Case, Loop, Rounds, Row
from benchmarks.speed.quiet import LIMIT
from benchmarks.speed.startup import NAMES


def test_every_comparison_is_between_what_is_measured() -> None:
    known = {case.id for case in all_cases()}
    for one in ASKED:
        assert one.ours in (NAMES if one.kind == "seconds" else known)
        assert not one.to or fnmatch.filter(known, one.to)


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("openspiel_yacht_[br]*/2/1/1", {"openspiel_yacht_bots/2/1/1", "openspiel_yacht_rollouts/2/1/1"}),
        ("pgx_2048/1/*/1", {"pgx_2048/1/128/1", "pgx_2048/1/1024/1", "pgx_2048/1/8192/1"}),
    ],
)
def test_a_pattern_means_all_that_a_peer_offers(pattern: str, ids: set[str]) -> None:
    assert pattern in {one.to for one in ASKED}
    assert set(fnmatch.filter((case.id for case in all_cases()), pattern)) == ids


def row(name: str, *values: float, others: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Row:
    return Row(values=values, others=others, case=Case(name, "library", lambda: Loop(int), ""))


def compared(rows: list[Row], *asked: Asked) -> list[Compared]:
    return compare({row.case.name: row for row in rows}, asked)


ROWS = [row("a", 10.0, 20.0, 30.0), row("b", 5.0, 5.0, 10.0), row("c", 1.0, 4.0, 100.0)]


def test_ratios_by_hand() -> None:
    # a/b round by round: 2, 4, 3
    (one,) = compared(ROWS, Asked("a to b", "a", "b", 2.5, 3.5))
    assert one.values == (2.0, 4.0, 3.0)
    assert (one.median, one.low, one.high) == (3.0, 2.0, 4.0)
    assert (one.label, one.kind, one.ours, one.against) == ("a to b", "ratio", "a", "b")
    assert one.reached == "must"


def test_of_several_peers_the_best_median_counts() -> None:
    # medians: b 5, c 4
    (one,) = compared(ROWS, Asked("", "a", "[bcz]"))
    assert one.against == "b"


def test_comparisons_without_both_sides_are_left_out() -> None:
    asked = [Asked("", "a", "z"), Asked("", "z", "a"), Asked("", "z", must=1.0), Asked("", "import", kind="seconds")]
    assert compared(ROWS, *asked) == []


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
    assert compared(ROWS, Asked("", "a", must=must, aim=aim))[0].reached == reached


@pytest.mark.parametrize(("limit", "reached"), [(0.4, "must"), (0.39, "none")])
def test_of_seconds_less_is_better(limit: float, reached: str) -> None:
    timing = Rounds(values=(0.3, 0.4, 0.9), others=(0.0, 0.0, 0.0))
    (one,) = compare({"import": timing}, [Asked("", "import", must=limit, kind="seconds")])
    assert one.reached == reached


def test_of_what_stayed_disturbed_no_target_is_reached() -> None:
    busy = row("a", 10.0, 20.0, 30.0, others=(0.0, LIMIT * 1.01, 0.0))
    quiet = row("a", 10.0, 20.0, 30.0, others=(0.0, LIMIT, LIMIT))
    asked = Asked("", "a", must=1.0, aim=2.0), Asked("", "b", "a", 0.1, 0.2)
    for one, reached in ((busy, "disturbed"), (quiet, "aim")):
        assert [found.reached for found in compared([one, *ROWS[1:]], *asked)] == [reached, reached]
    assert compared([busy], Asked("", "a"))[0].reached == ""


def test_a_ratio_is_disturbed_with_any_peer_that_might_have_been_the_best() -> None:
    slowed = row("c", 1.0, 4.0, 4.0, others=(0.0, 0.0, 0.5))
    (one,) = compared([*ROWS[:2], slowed], Asked("", "a", "[bc]"))
    assert one.against == "b"
    assert one.others == (0.0, 0.0, 0.5)
    assert one.disturbed
