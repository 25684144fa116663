"""Whether a measurement was disturbed, from faked clocks, and which are taken again."""

from pathlib import Path

import pytest

from benchmarks.speed import quiet
from benchmarks.speed.quiet import LIMIT, SLACK, Measurement, Reading, Repeats, others_share

START = Reading(100.0, 10.0, (50.0, 70.0), (1.0, 2.0))


def later(wall: float, own: float, busy: tuple[float, float] = (0, 0), stolen: tuple[float, float] = (0, 0)) -> Reading:
    """START, so many seconds later."""
    assert START.busy is not None
    return Reading(
        START.wall + wall,
        START.own + own,
        (START.busy[0] + busy[0], START.busy[1] + busy[1]),
        (START.stolen[0] + stolen[0], START.stolen[1] + stolen[1]),
    )


def test_what_a_thread_misses_of_the_time_on_the_clock_others_had() -> None:
    assert others_share(START, later(2.0, 1.5, (2.0, 0.0))) == pytest.approx(0.25)
    assert others_share(Reading(100.0, 10.0), Reading(102.0, 11.5)) == pytest.approx(0.25)


def test_of_what_waits_only_the_count_of_its_cores_tells() -> None:
    """Two threads on two cores for 2 s, 3 s of processor time: they waited for each other, or others took a second."""
    waited, robbed = later(2.0, 3.0, (1.6, 1.4)), later(2.0, 3.0, (2.0, 2.0))
    assert others_share(START, waited, 2, waits=True) == 0
    assert others_share(START, robbed, 2, waits=True) == pytest.approx((1 - 2 * SLACK) / 4)


def test_what_the_hypervisor_stole_others_had_even_where_it_counts_as_our_own_time() -> None:
    stolen = later(2.0, 2.0, (1.5, 0.0), (0.5, 0.0))
    assert others_share(START, stolen) == pytest.approx((0.5 - 2 * SLACK) / 2)


STAT = """cpu  100 0 0 0 0 0 0 0 0 0
cpu0 100 20 30 4000 500 6 7 80 9 0
cpu1 200 0 0 4000 0 0 0 0 0 0
intr 1 2 3
"""


def test_the_counts_of_cores_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 100, raising=False)
    (file := tmp_path / "stat").write_text(STAT)
    busy, stolen = quiet._core_times([1, 0], file)
    assert busy == pytest.approx((2.0, 1.63))
    assert stolen == pytest.approx((0.0, 0.8))
    assert quiet._core_times([0, 7], file) == (None, ())
    assert quiet._core_times([0], tmp_path / "none") == (None, ())


def repeat(repeats: Repeats, shares: dict[str, list[float]]) -> tuple[dict[str, float], str]:
    """The shares that were kept when a round of tasks meets these disturbances in turn, and the order of measuring."""
    left, order = {task: list(found) for task, found in shares.items()}, list[str]()

    def take(task: str, attempt: int) -> Measurement[str] | None:
        assert attempt == order.count(task)
        order.append(task)
        return Measurement(task, left[task].pop(0)) if left[task] else None

    return {task: found.others for task, found in repeats.round(list(shares), take).items()}, "".join(order)


def test_disturbed_measurements_are_taken_again_after_the_others() -> None:
    shares = {"a": [0.5, 0.0], "b": [LIMIT], "c": [0.5, 0.2, 0.01]}
    assert repeat(Repeats(), shares) == ({"a": 0.0, "b": LIMIT, "c": 0.01}, "abc" + "ac" + "c")


def test_there_are_no_more_repetitions_than_measurements() -> None:
    repeats, busy = Repeats(tries=5), {"a": [0.5] * 9, "b": [0.5] * 9}
    assert repeat(repeats, busy)[1] == "abab"
    assert repeat(repeats, {"a": [0.0], "b": [0.0]})[1] == "ab"
    assert repeat(repeats, busy)[1] == "ababab"  # two were left over


def test_what_cannot_be_measured_is_left_out_and_not_tried_again() -> None:
    assert repeat(Repeats(), {"a": [], "b": [0.5, 0.0]}) == ({"b": 0.0}, "abb")
