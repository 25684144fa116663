"""Random steps: what must hold does in every game, and what breaks it is found."""

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from bohemian_env.check import Kit
from bohemian_env.engine import contract
from bohemian_env.engine.bound import Bound
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import VERBS
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.states import copy_states
from bohemian_env.games import GAMES, rules_of
from tests.faults import steps
from tests.faults.steps import INVARIANTS, STEPS
from tests.reference.beside import every_way


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts are short."""
    for name, value in (("DECISIONS", 400), ("GAMES_AT_ONCE", 8), ("SAMPLED", 4), ("MOVES", 1)):
        monkeypatch.setattr(steps, name, value)


def step_of(game: str) -> tuple[Any, Any, Any]:
    """Positions, (1,), before and after a step, and the action; somebody decides in both."""
    batch = Kit(game).batch(1, rules_of(game).players[-1], autoreset=False)
    for _ in range(6):
        before, action = copy_states(batch.states), batch.random_actions(1)
        batch.step(action)
    return before, copy_states(batch.states), action


def put(**fields: int) -> Callable[[Any], None]:
    """What writes numbers into a position."""

    def write(s: Any) -> None:
        for name, value in fields.items():
            s[name] = value

    return write


@pytest.mark.parametrize("game", GAMES)
def test_every_invariant_finds_what_breaks_it(game: str) -> None:
    before, after, _ = step_of(game)
    rules, broken = rules_of(game), rules_of(game).compiled(steps._broken)
    ends, players, turn = len(rules.ends), int(after[0]["players"]), int(before[0]["turn"])

    def beyond(s: Any) -> None:
        s["legal"][-1] |= np.uint64(1 << 63)

    planted = {
        1: put(players=players - 1, to_move=0), 2: put(to_move=players), 3: put(turn=turn - 1), 4: put(end=ends),
        5: put(pending=1), 6: put(legal=0), 7: beyond,
        8: lambda s: after.__setitem__(0, before[0]),
    }  # fmt: skip
    assert {*planted} == {*range(1, len(INVARIANTS) - 1)}
    if rules.verbs.NUM_ACTIONS % 64 == 0:
        del planted[7]  # every bit is an action
    for number, plant in planted.items():
        assert broken(before[0], after[0], ends) == 0
        kept = copy_states(after)
        plant(after[0])
        assert broken(before[0], after[0], ends) == number
        after[:] = kept


@njit
def never(s: Any, k: int) -> float:
    """Nothing is likely."""
    return 0.0


def test_chance_that_breaks_its_promises_is_found() -> None:
    rules = rules_of("villages")
    verbs: Any = SimpleNamespace(**{**vars(rules.verbs), "likelihood": never})
    looked = Bound("unlikely", {name: getattr(contract, name) for name in VERBS}, verbs)(steps._first_broken)
    batch = Kit("villages").batch(1, 2)
    found = []
    for _ in range(20):
        before, again, action = copy_states(batch.states), copy_states(batch.states), batch.random_actions(1)
        batch.step(action)
        found.append(looked(before, copy_states(batch.states), again, action, batch.arrays[1], len(rules.ends)))
    number = INVARIANTS.index("what chance brings is likely, and all that it can bring has the likelihood 1")
    assert (0, number) in found


@pytest.mark.parametrize("game", GAMES)
def test_an_attempt_counts_steps_and_finds_nothing(game: str, tmp_path: Path) -> None:
    for seed in range(3):
        rows = list(steps.steps(game, seed, tmp_path))
        assert {one.row for one in rows} == {STEPS}
        assert [one.broken for one in rows if one.broken] == []
        assert sum(one.tries for one in rows) >= 400
        assert list(steps.steps(game, seed, tmp_path)) == rows


LEFT_OUT = "the same action and chance lead elsewhere: Setup"
PLANTED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a turn is left out": (lambda batch: put(turn=batch.arrays[0]["turn"][3] + 1)(batch.arrays[0][3]), LEFT_OUT),
    "nobody is to move": (lambda batch: put(to_move=7)(batch.arrays[0][3]), "not so: a player is to move: action"),
    "too much is given": (lambda batch: batch.rewards[:, 0].__iadd__(2), "the rewards of"),
    "other masks": (lambda batch: batch.masks.__ixor__(1), "a mask is not the set of the legal actions"),
    "beyond its bounds": (lambda batch: batch.observations[5].fill(-128), "an observation is outside its space"),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("plant", "told"), PLANTED.values(), ids=PLANTED)
def test_an_attempt_tells_what_it_finds(
    game: str, plant: Callable[[Any], None], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = Kit(game).batch
    step = kind.step

    def wrong(batch: Any, actions: Any) -> None:
        step(batch, actions)
        plant(batch)

    monkeypatch.setattr(kind, "step", wrong)
    monkeypatch.setattr(steps, "SAMPLED", 1)
    found = [what for seed in range(4) for one in steps.steps(game, seed, tmp_path) for what in one.broken]
    assert any(what.startswith(told) for what in found), found[:3]


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_shown_to_the_check_of_the_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = steps._Played(game, random.Random(3))
    assert played.look(random.Random(1)) == []
    monkeypatch.setattr(played.rules, "checked_states", Mock(side_effect=BadPosition("as it should")))
    assert ["as it should: one of" in what for what in played.look(random.Random(1))] == [True]


@pytest.mark.parametrize(("game", "way"), every_way())
def test_games_by_both_rules_are_counted_and_what_differs_is_told(
    game: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "every_way", lambda: [(game, way)])
    rows = list(steps.beside(game, 1, tmp_path))
    assert [(one.tries, one.broken) for one in rows] == [(1, ())] * len(rows) != []
    monkeypatch.setattr(rules_of(game), "write_position", lambda s, pieces: {})
    told = next(steps.beside(game, 1, tmp_path)).broken
    assert [what.partition(": Differs: position")[0] for what in told] == [
        f"play({game!r}, {way!r}, {rules_of(game).players[0]}, random.Random('1 {way} 0'))"
    ]
