"""Planner, rusher and hoarder: what they see in a position, that they look through the whole turn, and their styles."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agents
from agents.tournament import compare, enter
from bohemian_env import Batch, Setup
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.actions import END, NUM_ACTIONS, REROLLS
from bohemian_env.villages.dice import SIZE
from bohemian_env.villages.opponents import SCRIPTED, new_scratch, values_of
from bohemian_env.villages.opponents.planner import (
    NAMES,
    STYLES,
    WEIGHTS,
    estimates,
    judge,
    planner_action,
    planner_values,
    turn_key,
)
from bohemian_env.villages.rules import find_legal, move
from bohemian_env.villages.state import STATE, copy_states
from tests.helpers import SIX, VILLAGES, game_at, spread

WIN = 10.0  # what winning is worth beside the margin where the game ends


def only(name: str) -> np.ndarray:
    """Weights of which one is 1 and all others 0."""
    weights = np.zeros(len(NAMES))
    weights[NAMES.index(name)] = 1
    return weights


def seen(name: str, **parts: Any) -> list[float]:
    """What each seat has at `position(**parts)`, on SIX unless told, beside its coins, by this weight alone."""
    state = game_at(**{"villages": SIX} | parts)._states[0]
    values = np.empty(5)
    estimates(state, only(name), values)
    players = state["players"]
    return [float(v) for v in values[:players] - state["coins"][:players]]


# --- what is seen -----------------------------------------------------------------------------------------------
# Two players have 13 figures each.

MILLS = ("Drahowitz", "Horschitz", "Jarosin", "Mirschau")  # all of which have one
GLASS = ("Horschitz", "Itschkau", "Kunzendorf", "Nenbrad")  # which have a glass factory

INNS = {("inn", "Chlumhof"): 0, ("inn", "Ebersgrun"): 0, ("inn", "Nenbrad"): 1}
AWAKE = {(kind, "Chlumhof"): 1 for kind in ("dairy", "farm", "butchery")}
CHURCHES = spread(SIX, church=(2, 1))
SHOPS = {("bakery", "Grundow"): 0, ("butchery", "Chlumhof"): 0, ("dairy", "Chlumhof"): 1, ("dairy", "Ebersgrun"): 1}


@pytest.mark.parametrize(
    ("name", "parts", "values"),
    [
        ("income", dict(owners=INNS | AWAKE, active=["Chlumhof"]), [1, 0]),
        ("income", dict(owners=CHURCHES, bishop=0), [2, 0]),
        ("income", dict(owners=CHURCHES, bishop=1), [0, 1]),
        ("income_time", dict(owners=INNS | AWAKE, active=["Chlumhof"]), [9, 0]),  # the other has 13 - 4 figures
        ("sleeping_inn", dict(owners=INNS | AWAKE, active=["Chlumhof"]), [1, 1]),
        ("sleeping_inn_time", dict(owners=INNS), [22, 11]),
        ("shops", dict(owners=SHOPS), [5, 2]),
        ("shop_kinds", dict(owners=SHOPS), [2, 1]),
        ("church_race", dict(owners=CHURCHES), [10, 6]),
        ("church_race", dict(owners=spread(SIX, church=(2, 2))), [6, 6]),
        ("church_race", dict(owners=spread(SIX, church=(0, 1))), [0, 10]),
        ("church_race", dict(players=3, owners=spread(SIX, church=(2, 2, 1))), [6, 6, 0]),
        ("church_race", dict(players=3, owners=spread(SIX, church=(3, 1, 1))), [10, 6, 6]),
        ("churches", dict(owners=CHURCHES), [2, 1]),
        ("bishop", dict(bishop=1), [0, 1]),
        ("special", dict(special=[1]), [0, 1]),
        ("figures", dict(owners=CHURCHES), [11, 12]),
        ("farms", dict(owners=spread(SIX, farm=(1, 2))), [1, 2]),
        ("no_hall", dict(owners={("town_hall", "Ebersgrun"): 1}), [-5, 0]),
        # Chlumhof has seven buildings, four and two of which are occupied; its town hall is worth 8.
        ("hall", dict(owners=AWAKE | {("town_hall", "Chlumhof"): 1}), [0, 8 * 4 / 7]),
        ("hall_full", dict(owners={("town_hall", "Chlumhof"): 1, ("farm", "Chlumhof"): 0}), [0, 8 * (2 / 7) ** 2]),
        ("flour", dict(villages=MILLS, owners=spread(MILLS, mill=(2, 1))), [2 * 2 * 3 / 4, 2 * 3 / 4]),
        ("flour_held", dict(villages=MILLS, owners=spread(MILLS, mill=(2, 1))), [2, 1]),
        ("glass", dict(villages=GLASS, owners=spread(GLASS, glass=(1, 1))), [3 * 2 / 4, 3 * 2 / 4]),
        ("glass_held", dict(villages=GLASS, owners=spread(GLASS, glass=(2, 1))), [2, 1]),
        ("reroll_2", dict(owners=CHURCHES, special=[0, 1]), [0, 0]),
    ],
)  # fmt: skip
def test_what_a_weight_weighs(name: str, parts: dict[str, Any], values: list[float]) -> None:
    assert seen(name, **parts) == pytest.approx(values)
    assert seen(name, coins=(3, 40, 7)[: len(values)], **parts) == pytest.approx(values)


def test_estimates_return_the_figures_in_the_smallest_hand() -> None:
    state = game_at(villages=SIX, owners=spread(SIX, church=(2, 1)))._states[0]
    assert estimates(state, only("farms"), np.empty(5)) == 11


@pytest.mark.parametrize(
    ("share", "lead"), [(1.0, 10 - 7), (0.0, 10 - (7 + 2 + 3) / 3), (0.25, 10 - 0.25 * 7 - 0.75 * 4)]
)
def test_the_lead_is_over_the_strongest_by_its_share_and_over_the_mean_by_the_rest(share: float, lead: float) -> None:
    state = game_at(players=4, villages=SIX, coins=(10, 7, 2, 3))._states[0]
    assert judge(state, 0, share * only("strongest")) == pytest.approx(lead)


@pytest.mark.parametrize(("coins", "value"), [((20, 3), 17 + WIN), ((3, 20), -17 - WIN), ((9, 9), 0)])
def test_where_the_game_ends_after_the_turn_the_final_scoring_counts(coins: tuple[int, int], value: float) -> None:
    """R4: the next seat has no figure in hand. No weight matters but that of the margin."""
    two = ("Mirschau", "Nenbrad")
    owners = spread(two, church=(1, 1), town_hall=(1, 1))
    state = game_at(villages=two, owners=owners, dice=(1, 2), coins=coins, each=2)._states[0]
    assert state["figures"][1] == 0
    assert judge(state, 0, 100 * only("farms") + 100 * only("figures")) == pytest.approx(value)


def test_where_the_game_is_cut_off_after_the_turn_the_final_scoring_counts() -> None:
    """R24: no turn can begin after this one."""
    parts = dict(villages=SIX, owners=spread(SIX, farm=(3, 0)), coins=(10, 30), turn=7)
    weights = 100 * only("farms")
    assert judge(game_at(max_turns=7, **parts)._states[0], 0, weights) == pytest.approx(-20 - WIN)
    assert judge(game_at(max_turns=8, **parts)._states[0], 0, weights) == pytest.approx(300 - 20)


# --- the whole turn ---------------------------------------------------------------------------------------------


def led_to(state: np.void, most: int = REROLLS - 1) -> Iterator[tuple[int, np.ndarray]]:
    """The legal actions up to a number, but rerolls and stopping unless told, and the positions, (1,), after them."""
    for action in legal_actions(state):
        if action <= most:
            after = np.array([state], STATE)
            move(after[0], action)
            yield action, after


def best_turn(state: np.ndarray, w: np.ndarray, seat: int, first: bool) -> float:
    """The best value of all ways to go on with a turn, found by recursion; stopping needs a first move."""
    best = -np.inf if first else judge(state[0], seat, w)
    if state[0]["end"] or state[0]["dice"] == 0 or not find_legal(state[0]):
        return best
    for _, after in led_to(state[0]):
        best = max(best, best_turn(after, w, seat, False))
    if not first and (state[0]["special"] >> seat) & 1 and SIZE[state[0]["dice"]] == 2:
        here = judge(state[0], seat, w)
        best = max(best, here - w[NAMES.index("special")] + w[NAMES.index("reroll_2")])
    return best


def positions(players: int, n: int = 40) -> np.ndarray:
    """Positions that random play reaches, one every few moves."""
    batch = Batch(n, players)
    batch.reset(500)
    for step in range(n):
        batch.step(np.where(np.arange(n) > step, batch.random_actions(3), batch.random_actions(4)))
    return copy_states(batch.states)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_value_of_a_move_is_that_of_the_best_turn_that_begins_with_it(players: int) -> None:
    w, scratch, values = WEIGHTS[0, players], np.zeros(2, STATE), np.empty(NUM_ACTIONS)
    firsts = seconds = 0
    for state in positions(players):
        before = np.array(state)
        chosen = planner_values(state, w, scratch, values)
        assert np.array(state) == before
        seat, size = int(state["to_move"]), SIZE[state["dice"]]
        firsts, seconds = firsts + (size == 4), seconds + (size < 4)
        for action, after in led_to(state, most=NUM_ACTIONS):
            if action < REROLLS:
                wanted = best_turn(after, w, seat, False)
            elif action == END:
                wanted = judge(state, seat, w)
            else:
                again = {4: "reroll_4", 2: "reroll_2"}.get(int(size))
                value = w[NAMES.index(again)] if again and after[0]["dice"] == 0 else 0
                wanted = judge(state, seat, w) - w[NAMES.index("special")] + value
            assert values[action] == pytest.approx(wanted)
        assert values[chosen] == max(values[legal_actions(state)])
        assert planner_action(state, w, scratch) == chosen
    assert firsts > 5
    assert seconds > 5


def best_ends(state: np.ndarray, w: np.ndarray, seat: int) -> tuple[float, set[bytes]]:
    """The best value of a turn that has begun, and what all positions look like in which it can end so."""
    ends = {b"": -np.inf}
    ways = [state]
    if not state[0]["end"] and state[0]["dice"] != 0 and find_legal(state[0]):
        ways += [after for _, after in led_to(state[0])]
    for after in ways:
        s = after[0]
        ends[s["own"].tobytes() + s["coins"].tobytes() + bytes([s["special"], s["bishop"] + 1])] = judge(s, seat, w)
    best = max(ends.values())
    return best, {end for end, value in ends.items() if value == best}


def test_moves_that_begin_the_same_turn_have_the_same_key_and_others_have_not() -> None:
    w, scratch = WEIGHTS[0, 2], np.zeros(2, STATE)
    same = different = 0
    for state in positions(2):
        found = []
        for action, after in led_to(state):
            ends = best_ends(after, w, int(state["to_move"]))[1]
            found.append((int(turn_key(state, action, w, scratch)), ends))
        for (key, ends), (other_key, other_ends) in itertools.combinations(found, 2):
            if key == other_key:
                assert ends & other_ends
            else:
                assert ends != other_ends
            same += key == other_key
            different += key != other_key
    assert same > 50
    assert different > 50


@pytest.mark.parametrize("name", ["greedy", "planner", "rusher", "hoarder", "montecarlo:4"])
def test_what_must_be_rolled_again_is_rolled_again(name: str) -> None:
    """R13: the other seat has all buildings, and this one the bishop: nothing but its tile is left."""
    one = ("Obethal",)
    owners = {(kind, "Obethal"): 1 for kind in VILLAGES["Obethal"]["buildings"]}
    position: dict[str, Any] = dict(villages=one, owners=owners, active=one, dice=(6, 6, 6, 6), bishop=0, special=(0,))
    position["each"] = 9
    state = game_at(**position)._states[0]
    batch = Batch(1)
    batch.arrays[0][0] = state
    legal = np.flatnonzero(batch.masks[0])
    assert ((legal >= REROLLS) & (legal < END)).all()
    assert agents.make(name, 0).act_batch(batch)[0] in legal
    if not name.startswith("montecarlo"):  # which may find another choice as good
        assert agents.make(name, 0).act_batch(batch)[0] == legal[-1] == REROLLS + 14  # all four dice


# --- styles -----------------------------------------------------------------------------------------------------


def test_opponents_by_name_use_the_weights_of_their_style_and_number_of_players() -> None:
    scratch, values, wanted = new_scratch(), np.zeros(NUM_ACTIONS), np.zeros(NUM_ACTIONS)
    for players in (2, 3, 4, 5):
        for state in positions(players, 6):
            for number, style in enumerate(STYLES):
                values_of(list(SCRIPTED).index(style), state, scratch, values)
                best = planner_values(state, WEIGHTS[number, players], scratch.room.trials, wanted)
                np.testing.assert_array_equal(values, wanted)
                batch = Batch(1, players)
                batch.arrays[0][0] = state
                assert agents.make(style, 0).act_batch(batch)[0] == best


@pytest.mark.parametrize("players", [2, 4])
def test_rushers_end_games_sooner_and_hoarders_later_than_planners(players: int) -> None:
    turns = {}
    for name in STYLES:
        batch = Batch(200, players, autoreset=False)
        batch.reset(900)
        agent = agents.make(name, 0)
        while not batch.over.all():
            batch.step(agent.act_batch(batch))
        turns[name] = float(batch.states["turn"].mean())
    assert turns["rusher"] * 1.1 < turns["planner"] < turns["hoarder"] / 1.1


# --- strength ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "least"),
    [
        ("planner", 2, 0.90), ("rusher", 2, 0.78), ("hoarder", 2, 0.80),
        ("planner", 3, 0.75), ("planner", 4, 0.65), ("planner", 5, 0.55), ("rusher", 4, 0.55), ("hoarder", 4, 0.55),
    ],
)  # fmt: skip
def test_strength_against_greedy(name: str, players: int, least: float) -> None:
    """Some 400 games, whose share has a standard error of some .02; docs/villages.md has it exactly."""
    entrants = enter([name, "greedy"], 5)
    assert compare(entrants, Setup.of(players), games=400, seed=31_000, tables="single").results[0].share.value > least
