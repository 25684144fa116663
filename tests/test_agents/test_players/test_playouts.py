"""Agents that decide by playouts: their budget, their dice, their chances of winning against exact counting, and their
strength.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import agents
from agents.tournament import compare, enter
from bohemian_env import Batch, Board, Game, Setup
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.legal import is_legal, legal_count
from bohemian_env.villages.actions import BISHOPS, NUM_ACTIONS
from bohemian_env.villages.dice import handful, rolled_handful
from bohemian_env.villages.opponents import lookahead, montecarlo
from bohemian_env.villages.opponents.appraiser import (
    Weights,
    appraise,
    appraiser_values,
    load_weights,
    new_room,
    of_size,
    shares,
)
from bohemian_env.villages.opponents.halving import playout_seed, value_of
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action, planner_values
from bohemian_env.villages.rules import deal, push, score
from bohemian_env.villages.state import STATE, copy_states
from tests.helpers import SIX, game_at, openings
from tests.test_agents.test_players.endings import counted, last_turns

NAMES = ["montecarlo", "search:appraiser"]


def searcher(name: str, seed: int = 1) -> Any:
    return agents.make(name, seed)


def looked_into(name: str, state: Any) -> tuple[int, np.ndarray]:
    """The action that a search chooses, and its candidates."""
    agent = searcher(name)
    return agent._search(state), agent._candidates[: legal_count(state)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("playouts", [8, 240, 1000])
def test_playouts_are_spent_in_phases_on_ever_fewer_moves(name: str, playouts: int) -> None:
    """Each phase has an equal part of the playouts, which those moves share that are left."""
    state = next(state for state in openings(50).states if legal_count(state) > 16)
    chosen, candidates = looked_into(f"{name}:{playouts}", state)
    counts = sorted((int(n) for n in candidates["count"] if n), reverse=True)
    one, two, three = {"montecarlo": (8, 4, 2), "search:appraiser": (6, 3, 2)}[name]
    first = max(1, playouts // (3 * one))
    second = max(1, (playouts - one * first) // (2 * two))
    third = max(1, (playouts - one * first - two * second) // three)
    assert counts == [first + second + third] * three + [first + second] * (two - three) + [first] * (one - two)
    assert chosen == candidates[0]["action"]
    assert candidates[0]["count"] == counts[0]


def test_the_compiled_search_is_that_of_the_player() -> None:
    weights, room = load_weights(), lookahead.search_room()
    for state in openings(10).states:
        chosen, candidates = looked_into("search:appraiser:100", state)
        network, seed = of_size(weights, int(state["players"])), np.uint64(playout_seed(state, np.uint64(1)))
        value = lookahead.search(state, seed, 100, 2 * int(state["players"]) - 1, network, room)
        assert room.candidates[0]["action"] == chosen
        assert value == value_of(candidates[0])


def played_on(state: Any, action: int, dice: Any, turns: int, network: Weights, met: set[str]) -> float:
    """The chance of winning where one playout of ``search:appraiser`` leads, step by step and without its arrays.

    met: gets what happened on the way.
    """
    room, seat, w = new_room(), int(state["to_move"]), WEIGHTS[0, int(state["players"])]
    scratch, values, chances = np.zeros(2, STATE), np.empty(NUM_ACTIONS), np.empty(5)

    def turn(begun: np.ndarray, decide: Callable[[Any], int]) -> np.ndarray:
        """A copy in which the seat to move has decided until dice are due or the game is over."""
        after = copy_states(begun)
        while not after[0]["end"] and not after[0]["pending"]:
            push(after[0], decide(after[0]))
        return after

    def as_appraiser(one: Any) -> int:
        return int(appraiser_values(one, network, room, values))

    def as_planner(one: Any) -> int:
        return int(planner_action(one, w, scratch))

    def judged(after: np.ndarray) -> float:
        appraise(after[0], network, room, chances)
        return float(chances[seat])

    here = copy_states(np.array([state]))
    end = int(state["turn"]) + turns + 1
    push(here[0], action)
    here = turn(here, as_appraiser)
    while not here[0]["end"] and here[0]["turn"] < end:
        s = here[0]
        own, later = s["to_move"] == seat, s["turn"] > state["turn"]
        deal(s, rolled_handful(dice, s["turn"], s["spent"], s["pending"]))
        if s["pending"] and s["turn"] == end:
            met.add("a reroll leaves nothing to do, where the playout ends")
        if not own or s["end"] or s["pending"]:
            here = turn(here, as_planner)
        elif not later:
            here = turn(here, as_appraiser)
        else:
            planner_values(s, w, scratch, values)
            liked = {values[one]: one for one in range(NUM_ACTIONS - 1, -1, -1) if is_legal(s, one)}
            ends = []
            for value in sorted(liked, reverse=True)[: lookahead.TRIED]:
                after = copy_states(here)
                push(after[0], liked[value])
                ends.append(turn(after, as_planner))
            here = max(ends, key=judged)
    met.add("the game ends" if here[0]["end"] else "the network judges")
    return judged(here)


def test_a_playout_ends_so_many_turns_later() -> None:
    """The sums of all candidates are those of playouts that are made step by step, with the same dice."""
    room, rounds, met, seed = lookahead.search_room(), 3, set[str](), 7
    dice = [np.uint64(mix(np.uint64((seed + r * int(STEP)) % 2**64))) for r in range(rounds)]
    for players, moves, turns in ((2, 10, 1), (2, 40, 5), (3, 60, 5), (4, 10, 4), (5, 60, 5)):
        network = of_size(load_weights(), players)
        for state in openings(12, players, moves).states:
            if state["end"]:
                continue
            count = min(lookahead.name_moves(state, network, room), lookahead.MOVES)
            lookahead.play_rounds(state, np.uint64(seed), 0, rounds, count, turns, network, room)
            for candidate in room.candidates[:count]:
                values = [played_on(state, int(candidate["action"]), one, turns, network, met) for one in dice]
                assert candidate["sum"] == pytest.approx(sum(values), rel=1e-12)
    assert met == {"the game ends", "the network judges", "a reroll leaves nothing to do, where the playout ends"}


@pytest.mark.parametrize(("name", "most"), [("montecarlo", montecarlo.MOVES), ("search:appraiser", lookahead)])
def test_the_favourites_are_looked_into_each_turn_once(name: str, most: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if most is lookahead:
        monkeypatch.setattr(lookahead, "MOVES", NUM_ACTIONS)
    else:
        monkeypatch.setattr(montecarlo, "MOVES", np.full(6, NUM_ACTIONS))
    repeated = 0
    for state in openings(20, 3).states:
        agent = searcher(name)
        different = agent._name_moves(state)
        legal = legal_count(state)
        found = agent._candidates[:legal]
        assert all(is_legal(state, int(action)) for action in found["action"])
        assert len(set(found["action"])) == legal
        priors = found["prior"][:different]
        assert (np.diff(priors) <= 0).all()
        assert set(found["prior"][different:]) <= set(priors)  # they begin the same turn as one of those before
        repeated += legal - different
    assert repeated > 20


def test_chances_add_up_and_go_by_the_differences() -> None:
    out = np.empty(3)
    shares(np.array([5.0, 5 + 4 * math.log(2), 5 + 4 * math.log(3)]), 3, 4.0, out)
    assert out == pytest.approx([1 / 6, 2 / 6, 3 / 6])


@pytest.mark.parametrize("name", NAMES)
def test_with_one_legal_move_nothing_is_played(name: str) -> None:
    """1, 3, 4 and 6 make 8 in one way; there is nothing but a farm, no double, and no special action tile."""
    one = Board.of_villages([{"name": "Alone", "buildings": ["farm"]}], 3, 300, 0)
    state = Game.new(2, board=one).roll((1, 3, 4, 6)).states[0]
    (legal,) = (action for action in range(NUM_ACTIONS) if is_legal(state, action))
    chosen, candidates = looked_into(f"{name}:100", state)
    assert chosen == legal
    assert candidates["count"].sum() == 0


@pytest.mark.parametrize("name", ["montecarlo:32", "search:appraiser:32", "search:ppo:32"])
def test_the_choice_follows_from_the_position_and_its_own_seed_and_not_from_the_game(name: str) -> None:
    """The same position in games with other seeds, whose dice to come differ."""
    batch = Batch(40, 2, SIX)
    batch.reset(7)
    batch.arrays[0][:] = game_at(villages=SIX, dice=(2, 3, 5, 5)).states
    chosen = agents.make(name, 5).act_batch(batch)
    assert len(set(batch.seeds)) == 40
    assert len(set(chosen)) == 1
    thoughts = {str(searcher(name, seed).think(batch.states[:1])) for seed in (5, 5, 6, 7)}
    assert len(thoughts) == 3


def test_playouts_meet_fair_dice_and_each_position_others() -> None:
    states = openings(400).states
    seeds = np.array([playout_seed(state, np.uint64(1)) for state in states], np.uint64)
    assert len(set(seeds)) == 400
    with np.errstate(over="ignore"):
        rolls = Counter(
            int(rolled_handful(np.uint64(mix(seed + np.uint64(r) * STEP)), 9, 0, 4))
            for seed in seeds
            for r in range(60)
        )
    ways = Counter(handful(dice) for dice in itertools.product(range(1, 7), repeat=4))
    seen = [rolls[number] for number in ways]
    assert sum(seen) == 24_000
    assert stats.chisquare(seen, [24_000 * n / 6**4 for n in ways.values()]).pvalue > 0.001


def share(state: Any) -> np.ndarray:
    """Seat 0's part of the win."""
    out = np.empty((5, 6), np.int64)
    score(state, out)
    return np.array(0.5 if out[0, 5] == out[1, 5] else out[0, 5] > out[1, 5], float)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("coins", [(0, 8), (3, 14), (0, 14)])
def test_playouts_agree_with_counting_all_rolls(name: str, coins: tuple[int, int]) -> None:
    """All 1,296 rolls of the last turn, which seat 1 plays as in a playout; that has no chances of its own."""
    states = last_turns(coins)
    agent, scratch = searcher(name), np.zeros(4, STATE)
    w, rounds = WEIGHTS[0, 2], 4000
    agent._name_moves(states[0])
    legal = legal_count(states[0])
    agent._play_rounds(states[0], np.uint64(3), 0, rounds, legal)
    placing = [candidate for candidate in agent._candidates[:legal] if candidate["action"] < BISHOPS]
    assert len(placing) == 2
    for candidate in placing:
        after = copy_states(states)
        push(after[0], int(candidate["action"]))
        assert after[0]["to_move"] == 1
        assert after[0]["pending"] == 4
        exact = float(counted(after, share, w, scratch))
        assert 0.05 < exact < 0.95
        error = math.sqrt(exact * (1 - exact) / rounds)
        assert candidate["count"] == rounds
        assert candidate["sum"] / rounds == pytest.approx(exact, abs=4.5 * error)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "least"), [("montecarlo:128", 2, 0.5), ("search:appraiser:128", 2, 0.65)])
def test_strength_against_planners(name: str, players: int, least: float) -> None:
    """60 games, whose share has a standard error of some .06; docs/villages.md has it exactly."""
    entrants = enter([name, "planner"], 5)
    assert compare(entrants, Setup.of(players), games=60, seed=31_000, tables="single").results[0].share.value > least


@pytest.mark.parametrize("name", [*NAMES, "search:ppo"])
def test_a_time_budget_plays_legal_moves_to_the_end(name: str) -> None:
    batch = Batch(2, 3, autoreset=False)
    agent = agents.make(f"{name}:1ms", 1)
    while not batch.over.all():
        actions = agent.act_batch(batch)
        assert (batch.masks[np.arange(2), actions] | batch.over).all()
        batch.step(actions)
