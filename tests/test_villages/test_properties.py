"""What holds at every moment of every game: properties of random games, drawn by Hypothesis.

A :class:`Plan` is a drawn game: how it begins, and numbers that choose among the legal moves. Plans are games on the
frozen board, and on odd little and large ones with small banks, few special action tiles and early cut-offs; a few with
what is rare are always among them. ``test_the_plans_reach_every_kind_of_moment`` sees to it that the other tests have
something to test.
"""

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bohemian_env import Board, Game, IllegalMove
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.engine.legal import is_legal, legal_actions, legal_count, pick_legal
from bohemian_env.villages import rules
from bohemian_env.villages.actions import NUM_ACTIONS, REROLLS
from bohemian_env.villages.dice import rolled_handful, seeded_dice
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from bohemian_env.villages.state import new_states
from tests.helpers import FROZEN
from tests.reference.beside import ways_of

STEPS = 250
"""Rolls and moves after which a walk stops, if the game has not ended."""


# --- drawing games ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A game to be played: what to begin with, and how to choose."""

    parameters: dict[str, Any]
    """Arguments of Game.new; board and seed are always among them."""
    choices: tuple[int, ...]
    """Which of the legal moves is made, modulo their number; used over and over."""

    def new(self, **other: Any) -> Game:
        """The game at its beginning; ``other`` parameters replace those of the plan."""
        return Game.new(**(self.parameters | other))

    def __repr__(self) -> str:
        shown = {k: v for k, v in self.parameters.items() if k != "board"}
        if self.parameters["board"] is not FROZEN:
            shown["board"] = [v.to_json() for v in self.parameters["board"].villages]
        return f"Plan({shown}, choices={self.choices})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # otherwise Hypothesis would print the whole board


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Games for two to five players, set up in any way in which the plain rules are played beside these."""
    players, ways = draw(st.integers(2, 5)), ways_of("villages")
    way = ways[draw(st.sampled_from([*ways]))]
    parameters = {"board": FROZEN, "max_turns": 500} | way(random.Random(draw(st.integers(0, MAX_SEED))), players)
    parameters |= {
        "players": players,
        "seed": draw(st.integers(0, MAX_SEED)),
        "names": draw(st.none() | st.lists(st.text(max_size=5), min_size=players, max_size=players)),
    }
    # Negative numbers choose from the end, where the rerolls are, that of all four dice last.
    some = st.sampled_from([-1, -2]) | st.integers(-20, NUM_ACTIONS)
    choices = draw(st.lists(some, min_size=1, max_size=40))
    return Plan(parameters, tuple(choices))


ONE_BAKERY: Final = Board.of_villages(
    [{"name": "Ždár @ 1:2 – “ב”", "buildings": ["bakery"]}], 2, coin_supply=300, special_action_tiles=7
)
USUAL: Final = {"coin_supply": 300, "special_action_tiles": 7, "max_turns": 60, "names": None}
RARE: Final = (
    Plan(USUAL | {"board": ONE_BAKERY, "players": 2, "seed": 0}, (-1, -2)),
    Plan(USUAL | {"board": FROZEN, "players": 4, "seed": 18, "max_turns": 500}, (-1, -1, 19, -1)),
    Plan(USUAL | {"board": FROZEN, "players": 3, "seed": 2, "coin_supply": 25}, (0,)),
)
"""Games with what is seldom drawn: passed turns, rerolls of all dice and nothing else to do; a turn that goes on with
no figure; a bank that runs dry."""


def every_plan(test: Callable[[Plan], None]) -> Callable[[], None]:
    """A test of plans that are drawn, and of those with what is seldom drawn."""
    for plan in RARE:
        test = example(plan)(test)
    return given(plans())(test)


def moments(game: Game, plan: Plan, steps: int = STEPS) -> Iterator[Game]:
    """The game and all that follow: before every roll, at every decision, and at the end. Dice are the seed's."""
    yield game
    for choice in islice(cycle(plan.choices), steps):
        if game.over:
            return
        if game.needs_roll:
            game = game.roll()
        else:
            moves = game.legal_moves
            game = game.push(moves[choice % len(moves)])
        yield game


def walk(plan: Plan, steps: int = STEPS) -> Iterator[Game]:
    """The moments of the game that the plan describes."""
    return moments(plan.new(), plan, steps)


def state(game: Game) -> np.void:
    """The record that the rules work on; read only."""
    return game._states[0]


def as_json(value: Any) -> Any:
    """Written as JSON and read back: nothing but plain Python types survives it unchanged."""
    return json.loads(json.dumps(value))


def labels(game: Game) -> Iterator[str]:
    """What is worth having met, about one moment."""
    s = state(game)
    held = bool(s["special"] >> s["to_move"] & 1)
    if game.over:
        yield game.outcome().reason
    elif game.needs_roll:
        yield "first roll" if game.dice_to_roll == 4 and not s["spent"] else f"reroll of {game.dice_to_roll}"
    else:
        yield f"{len(game.dice)} dice, tile {'held' if held else 'spent' if s['spent'] else 'not held'}"
        if s["figures"][s["to_move"]] == 0:
            yield "no figure in hand"
        if legal_actions(s)[0] >= REROLLS and len(game.dice) == 4:
            yield "nothing but rerolls"
    if game.bishop is not None:
        yield "bishop"
    if s["active"]:
        yield "active inn"


def test_the_plans_reach_every_kind_of_moment() -> None:
    """Otherwise the other tests here would pass without having looked."""
    met: set[str] = set()

    @every_plan
    def play(plan: Plan) -> None:
        game, turn = plan.new(), 1
        for following in walk(plan):
            met.update(labels(following))
            if game.needs_roll and following.turn > turn and not state(game)["spent"]:
                met.add("passed turn")
            game, turn = following, following.turn

    play()
    wanted = {"no figures", "bank empty", "truncated", "passed turn", "bishop", "active inn", "no figure in hand"}
    wanted |= {"first roll", *(f"reroll of {n}" for n in (1, 2, 3, 4)), "nothing but rerolls"}
    wanted |= {f"{n} dice, tile {what}" for n in (2, 4) for what in ("held", "not held", "spent")}
    wanted |= {"1 dice, tile held"}
    assert not wanted - met
    assert "1 dice, tile not held" not in met  # nothing to decide there


# --- a moment is a roll, a decision or the end -------------------------------------------------------------------


@every_plan
def test_a_decision_always_has_a_choice(plan: Plan) -> None:
    """R13, R14: whoever is asked can do something, and is not asked merely to stop."""
    for game in walk(plan):
        moves = game.legal_moves
        assert game.over + game.needs_roll + bool(moves) == 1
        assert len(set(moves)) == len(moves)
        assert moves != ("end",)
        if moves:
            assert len(game.dice) in (1, 2, 4)
            assert ("end" in moves) == (len(game.dice) < 4)  # R7
        else:
            assert game.over == (game.dice_to_roll == 0)
            assert len(game.dice) + game.dice_to_roll in ((0,) if game.over else (1, 2, 4))


@every_plan
def test_a_move_takes_the_dice_it_names(plan: Plan) -> None:
    """R6, R8: what is left is what was there less the dice of the text."""
    for before, after in pairwise(walk(plan)):
        if not before.needs_roll and after.turn == before.turn and not after.over:
            taken = move_of(after._actions[-1], before.dice, before.villages).dice
            assert sorted([*after.dice, *taken]) == list(before.dice)


@every_plan
def test_the_legal_actions_are_counted_and_picked_as_they_are_listed(plan: Plan) -> None:
    for game in walk(plan):
        s = state(game)
        actions = legal_actions(s)
        assert legal_count(s) == len(actions)
        assert [pick_legal(s, index) for index in range(len(actions))] == actions
        assert [a for a in range(NUM_ACTIONS) if is_legal(s, a)] == actions


# --- what is not legal ----------------------------------------------------------------------------------------


@settings(max_examples=12)
@every_plan
def test_every_other_action_is_refused(plan: Plan) -> None:
    """It names nothing here, or a move whose text is not legal either."""
    for game in walk(plan, 60):
        if game.over or game.needs_roll:
            continue
        moves = set(game.legal_moves)
        for action in set(range(-2, NUM_ACTIONS + 2)) - set(legal_actions(state(game))):
            try:
                text = format_move(move_of(action, game.dice, game.villages))
            except IllegalMove:
                continue
            assert text not in moves, f"{action} is not legal, but its text is"
            with pytest.raises(IllegalMove):
                game.push(text)


# --- records ----------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(plans(), st.integers(0, STEPS))
def test_a_record_replays_to_the_same_game_and_record(plan: Plan, steps: int) -> None:
    """Of whole games and of games under way; while a roll or a reroll is due, too."""
    so_far = list(walk(plan, steps))
    for number, game in enumerate(so_far):
        reroll_is_due = game.needs_roll and bool(state(game)["spent"])
        if number < 8 or reroll_is_due or game is so_far[-1]:
            record = as_json(game.record())
            again = Game.from_record(record)
            assert again == game
            assert again.record() == record == game.record()
            assert again.outcome() == game.outcome()
            assert (again.needs_roll, again.legal_moves) == (game.needs_roll, game.legal_moves)


@every_plan
def test_a_seeded_record_needs_only_the_actions(plan: Plan) -> None:
    *_, game = walk(plan)
    played = Game.seeded(game._start, game._actions)
    assert played is not None
    assert played.record() == game.dealt().record()


# --- positions --------------------------------------------------------------------------------------------------


@given(plans(), st.integers(0, 100))
def test_a_position_is_all_that_the_rest_of_the_game_needs(plan: Plan, steps: int) -> None:
    decisions = [game for game in walk(plan, steps) if not game.needs_roll]
    if not decisions:
        return
    game = decisions[-1]
    limit, seed = plan.parameters["max_turns"], plan.parameters["seed"]
    again = Game.from_position(as_json(game.position()), max_turns=limit, seed=seed)
    for one, other in zip(moments(game, plan), moments(again, plan), strict=True):
        assert one == other
        assert one.legal_moves == other.legal_moves
        assert one.outcome() == other.outcome()


@every_plan
def test_games_at_different_positions_differ(plan: Plan) -> None:
    """Whatever a position tells apart, == tells apart; a game never comes back to where it was."""
    seen = list(walk(plan))
    assert len(set(seen)) == len(seen)
    assert all(one != other for one, other in pairwise(seen))


@given(plans(), st.integers(0, MAX_SEED))
def test_a_position_holds_no_random_state(plan: Plan, seed: int) -> None:
    """The same villages, dice and moves make the same positions, byte for byte, whatever the seed."""
    games = list(walk(plan))
    other = plan.new(seed=seed, villages=games[0].villages)
    for game, following in pairwise(games):
        assert state(other).tobytes() == state(game).tobytes()
        if game.needs_roll:
            dice = seeded_dice(game.seed, game.turn, int(state(game)["spent"]))
            other = other.roll(dice[: game.dice_to_roll])
        else:
            made = following._actions[-1]
            other = other.push(format_move(move_of(made, game.dice, game.villages)))
    assert state(other).tobytes() == state(games[-1]).tobytes()
    assert other.record() | {"seed": None} == games[-1].record() | {"seed": None}


# --- copies -----------------------------------------------------------------------------------------------------


@every_plan
def test_playing_on_leaves_earlier_games_as_they_were(plan: Plan) -> None:
    before = [(game, state(game).tobytes(), repr(game)) for game in walk(plan)]
    for game, content, shown in before:
        assert state(game).tobytes() == content
        assert repr(game) == shown
        with pytest.raises(ValueError, match="read-only"):
            game._states["turn"] = 0


@every_plan
def test_playing_on_with_a_copied_record_changes_nothing_else(plan: Plan) -> None:
    """The record copied, and its neighbours in an array, stay as they are byte for byte."""
    seed = np.uint64(plan.parameters["seed"])
    for game in islice(walk(plan), 0, None, 7):
        original = state(game).tobytes()
        states = np.concatenate([game._states] * 3)
        s = states[1]
        for choice in plan.choices:
            if s["end"]:
                break
            if s["pending"]:
                rules.deal(s, rolled_handful(seed, s["turn"], s["spent"], s["pending"]))
            else:
                actions = legal_actions(s)
                rules.push(s, actions[choice % len(actions)])
        assert game.over or s.tobytes() != original
        assert [states[0].tobytes(), states[2].tobytes(), state(game).tobytes()] == [original] * 3


@given(plans(), plans())
def test_a_used_record_is_set_up_like_a_blank_one(plan: Plan, other: Plan) -> None:
    """Nothing of the game before is left in the record that the next one begins in."""
    *_, game = walk(plan)
    states = game._states.copy()
    start = other.new()._start
    common, blank = start.setup.common(), new_states(1)
    common["sides"], common["named"] = start.sides, True
    for s in (states[0], blank[0]):
        rules.set_up(s, np.uint64(0), common[0])
    assert states.tobytes() == blank.tobytes() == state(other.new()).tobytes()


@settings(max_examples=25)
@given(plans(), st.sampled_from([pickle.HIGHEST_PROTOCOL, 2, "copy", "deepcopy"]))
def test_a_pickled_game_goes_on_as_before(plan: Plan, how: int | str) -> None:
    games = list(walk(plan))
    for game in games[:: max(1, len(games) // 4)]:
        if isinstance(how, int):
            again = pickle.loads(pickle.dumps(game, how))
        else:
            again = getattr(copy, how)(game)
        assert again == game
        assert hash(again) == hash(game)
        assert (again.seed, again.record()) == (game.seed, game.record())
        assert not again._states.flags.writeable
        assert np.shares_memory(again._states, game._states) == (again is game) == (not isinstance(how, int))
        assert list(moments(again, plan, 20)) == list(moments(game, plan, 20))
