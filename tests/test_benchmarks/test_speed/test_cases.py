"""What is timed: the cases, and that each of ours plays and counts as it says."""

from typing import Any

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed import aec, ours
from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.aec import aec_loop
from benchmarks.speed.harness import Case, run_rounds
from bohemian_env import bohemian_villages_v0

ALL = all_cases()


def ids(cases: list[Case]) -> list[str]:
    return [case.id for case in cases]


def test_quick_measures_ours_alone_under_the_names_that_checkouts_share() -> None:
    """`benchmarks.speed.versus` pairs the rows of two checkouts by these."""
    cases = ours.quick_cases()
    layers = {"step+mask", "step+mask+int8"}
    assert {case.name for case in cases} == layers | {"aec_raw", "aec_wrapped", "null_aec_raw", "null_aec_wrapped"}
    assert all(case.ours and case.library == "ours" for case in cases)
    for layer in layers:
        mine = [case for case in cases if case.name == layer]
        assert {case.batch for case in mine if case.threads == 1} == {1, 64, 1024, 8192, 65536}
        assert {case.players for case in mine} == {2, 5}
        assert {case.threads for case in mine} == {1, 2}
    assert set(ids(cases)) <= set(ids(ALL))
    assert len(set(ids(ALL))) == len(ALL)


SMALL = [case for case in ALL if case.library == "ours" and case.batch <= 64]


@pytest.mark.parametrize("case", SMALL, ids=ids(SMALL))
def test_every_small_case_of_ours_plays(case: Case) -> None:
    play = case.make()
    assert play() > 0


def test_the_aec_loop_counts_living_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert aec_loop(aec.env)() == aec.STEPS
    env, actions = bohemian_villages_v0.raw_env(3), list[Any]()
    step = env.step

    def kept(action: int | None) -> None:
        actions.append(action)
        step(action)

    monkeypatch.setattr(env, "step", kept)
    play = aec_loop(lambda: env)
    actions.clear()
    assert play() == sum(action is not None for action in actions) > 10
    assert actions[-3:] == [None] * 3
    assert env.outcome() is not None


@pytest.mark.slow
def test_every_installed_peer_plays() -> None:
    """Peers that are not installed are skipped by name."""
    cases = [case for case in ALL if not case.ours and case.batch <= 128]
    assert all(case.needs for case in cases)
    rows, skipped = run_rounds(cases, 1, 0.01, usable_cores())
    assert all(row["low"] > 0 for row in rows)
    assert all(reason.startswith("not installed: ") for reason in skipped.values()), skipped
