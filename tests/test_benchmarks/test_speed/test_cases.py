"""What is timed: the cases, and that each of ours plays and counts as it says."""

from typing import Any

import numpy as np
import pytest

from agents.common.cores import usable_cores
from benchmarks.speed import null_aec, ours
from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.aec import CHOOSERS, aec_loop, compiled_choices
from benchmarks.speed.harness import Case, run_rounds
from bohemian_env import bohemian_villages_v0
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.state import STATE

ALL = all_cases()


def ids(cases: list[Case]) -> list[str]:
    return [case.id for case in cases]


@pytest.mark.parametrize("cases", [ALL, ours.quick_cases()], ids=["all", "quick"])
def test_no_two_cases_have_the_same_id(cases: list[Case]) -> None:
    assert len(set(ids(cases))) == len(cases)


def test_quick_measures_ours_alone_under_the_agreed_names() -> None:
    cases = ours.quick_cases()
    layers = {"step", "step+mask", "step+mask+int8"}
    assert {case.name for case in cases} == layers | {"aec_raw", "aec_wrapped", "null_aec_raw", "null_aec_wrapped"}
    assert all(case.ours and case.library == "ours" for case in cases)
    for layer in layers:
        mine = [case for case in cases if case.name == layer]
        assert {case.batch for case in mine if case.threads == 1} == {1, 64, 1024, 8192, 65536}
        assert {case.players for case in mine} == {2, 5}
        assert {case.threads for case in mine} == {1, 2}
    assert set(ids(cases)) <= set(ids(ALL))


def test_every_case_says_what_a_step_includes_and_peers_what_they_need() -> None:
    assert all(case.includes for case in ALL)
    assert all(case.needs for case in ALL if not case.ours)


SMALL = [case for case in ALL if case.library == "ours" and case.batch <= 64]


@pytest.mark.parametrize("case", SMALL, ids=ids(SMALL))
def test_every_small_case_of_ours_plays(case: Case) -> None:
    loop = case.make()
    assert loop.count([loop.play(), loop.play()]) > 0


@pytest.mark.parametrize("layer", list(ours.LAYERS))
def test_a_batch_counts_steps_of_single_games(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = ours.batch_loop(layer, 3, 5, 1)
    batch, calls = ours._batch(3, 5, 1), list[int]()
    step = batch.step

    def counted(actions: np.ndarray) -> None:
        calls.append(len(actions))
        step(actions)

    monkeypatch.setattr(batch, "step", counted)
    assert loop.play() == sum(calls) > 0
    assert set(calls) == {5}


def test_whole_games_are_counted_as_they_end() -> None:
    loop = ours.games_loop(2, 16)
    batch = ours._batch(2, 16, 1)
    ended = 0
    for _ in range(200):
        before = batch.seeds.copy()
        ended += (counted := loop.play())
        assert counted == (batch.seeds != before).sum()
    assert ended > 16


def test_afterstates_are_counted_by_legal_actions() -> None:
    loop = ours.afterstates_loop(3, 16)
    assert loop.play() == ours._batch(3, 16, 1).masks.sum() > 16


def test_chances_are_asked_for_where_dice_must_be_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[np.ndarray]()
    monkeypatch.setattr(ours, "chances_of", lambda states, games: asked.append(states[games]))
    loop = ours.chances_loop(3, 16)
    assert loop.play() == len(asked[0]) > 0
    assert (asked[0]["pending"] > 0).all()
    assert not ours._batch(3, 16, 1).states["pending"].any()


def test_the_aec_loop_counts_living_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert aec_loop(null_aec.env, "compiled").play() == null_aec.STEPS
    env, actions = bohemian_villages_v0.raw_env(3), list[Any]()
    step = env.step

    def kept(action: int | None) -> None:
        actions.append(action)
        step(action)

    monkeypatch.setattr(env, "step", kept)
    loop = aec_loop(lambda: env, "numpy")
    actions.clear()
    assert loop.play() == sum(action is not None for action in actions) > 10
    assert actions[-3:] == [None] * 3
    assert env.outcome() is not None


@pytest.mark.parametrize("name", list(CHOOSERS))
def test_choosers_take_every_legal_action_and_no_other(name: str) -> None:
    choose = CHOOSERS[name]()
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[[3, 99, 240]] = 1
    drawn = [int(choose(mask)) for _ in range(300)]
    assert {action: drawn.count(action) > 60 for action in set(drawn)} == {3: True, 99: True, 240: True}


def test_choices_for_many_masks() -> None:
    masks = np.eye(7, dtype=np.int8)
    assert compiled_choices()(masks).tolist() == list(range(7))


def test_bytes_per_game() -> None:
    found = ours.bytes_per_game()
    assert found["position"] == STATE.itemsize
    assert found["mask and observation"] == NUM_ACTIONS + OBSERVATION_SIZE
    assert found["all"] > found["position"] + found["mask and observation"]


@pytest.mark.slow
def test_every_installed_peer_plays() -> None:
    """Where none is installed, all are skipped by name."""
    cases = [case for case in ALL if not case.ours and case.batch <= 128]
    rows, skipped = run_rounds(cases, 1, 0.01, usable_cores())
    assert all(row.low > 0 for row in rows)
    assert all(reason.startswith("not installed: ") for reason in skipped.values()), skipped
