"""Scores by source: small cases by hand, and the books balance to the coin over whole games."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bohemian_env import Batch
from bohemian_env.villages.dice import DICE
from bohemian_env.villages.moves import action_of
from bohemian_env.villages.notation import parse_move
from bohemian_env.villages.position import read_position
from bohemian_env.villages.state import copy_states
from table.rooms.villages.coin_sources import COIN_SOURCES, add_final, follow
from tests.helpers import position, spread

NAMES = list(COIN_SOURCES)


def brought(move: str, seed: int = 0, **parts: Any) -> list[dict[str, int]]:
    """What a move of the position brings to each seat, by source; sources of nothing are left out."""
    states, villages = read_position(position(**parts), 500)
    dice = DICE[states[0]["dice"]]
    action = action_of(parse_move(move), dice, [village.name for village in villages])
    before = states[0]["coins"].copy()
    accounts = np.zeros((1, states[0]["players"], len(COIN_SOURCES)), np.int64)
    follow(np.array([0]), states, np.array([seed], np.uint64), np.array([action]), accounts)
    players = int(states[0]["players"])
    assert_array_equal(accounts[0].sum(axis=1), (states[0]["coins"] - before)[:players])
    return [{name: int(coins) for name, coins in zip(NAMES, row, strict=True) if coins} for row in accounts[0]]


# --- by hand ---


def test_a_manor_brings_its_printed_value() -> None:
    assert brought("6+6:manor@Grundow", villages=("Grundow", "Nenbrad"), dice=(1, 2, 6, 6)) == [{"manors": 5}, {}]


def test_a_farm_brings_a_coin_for_each_own_farm() -> None:
    parts: dict[str, Any] = dict(villages=("Grundow", "Nenbrad", "Kunzendorf"), dice=(1, 2, 2, 6))
    owners = {("farm", "Grundow"): 0, ("farm", "Kunzendorf"): 0}
    assert brought("2+6:farm@Nenbrad", owners=owners, **parts) == [{"farms": 3}, {}]


def test_the_last_mill_and_the_last_glass_factory_pay_everybody() -> None:
    names = ("Grundow", "Itschkau", "Jarosin", "Nenbrad")
    owners = spread(names, mill=(0, 1, 1), glass=(0, 1, 2))
    parts: dict[str, Any] = dict(players=3, villages=names, dice=(1, 2, 3, 4), owners=owners)
    assert brought("2+4:mill@Jarosin", **parts) == [{"flour": 2}, {"flour": 2}, {"flour": 2}]
    assert brought("3+4:glass@Nenbrad", **parts) == [{"glass": 3}, {"glass": 3}, {"glass": 6}]


def test_income_is_split_in_inns_and_churches() -> None:
    """Seat 0 stops; seat 1 begins its turn with an active inn, an inactive one, and two churches under the bishop."""
    names = ("Ebersgrun", "Nenbrad", "Kunzendorf")
    owners = {("inn", "Nenbrad"): 1, ("inn", "Ebersgrun"): 1, ("church", "Nenbrad"): 1, ("church", "Ebersgrun"): 1}
    owners |= {("inn", "Kunzendorf"): 0, ("church", "Kunzendorf"): 0}
    parts: dict[str, Any] = dict(villages=names, owners=owners, active=("Nenbrad", "Kunzendorf"), dice=(2, 6))
    assert brought("end", bishop=1, **parts) == [{}, {"inns": 1, "bishop": 2}]
    assert brought("end", bishop=0, **parts) == [{}, {"inns": 1}]
    assert brought("end", bishop=None, **parts) == [{}, {"inns": 1}]


def test_a_figure_that_stands_on_something_else_brings_nothing() -> None:
    parts: dict[str, Any] = dict(villages=("Grundow", "Nenbrad"), dice=(1, 2, 4, 6))
    assert brought("4+6:town_hall@Nenbrad", **parts) == [{}, {}]
    assert brought("1+2:butchery@Nenbrad", **parts) == [{}, {}]


def test_the_final_scoring_is_entered_by_its_columns() -> None:
    names = ("Grundow", "Itschkau", "Kunzendorf", "Nenbrad")
    owners = {("bakery", "Grundow"): 0, ("butchery", "Itschkau"): 0, ("tailor", "Grundow"): 0}
    owners |= {("church", "Grundow"): 0, ("church", "Nenbrad"): 0, ("church", "Kunzendorf"): 1}
    owners |= {("glass", "Nenbrad"): 1, ("mill", "Itschkau"): 1, ("town_hall", "Nenbrad"): 1}
    states, _ = read_position(position(villages=names, owners=owners, coins=(7, 11)), 500)
    accounts = np.zeros((1, 2, len(COIN_SOURCES)), np.int64)
    totals = add_final(states, accounts)
    first, second = (dict(zip(NAMES, row.tolist(), strict=True)) for row in accounts[0])
    final = ("town_halls", "shops", "churches", "tiles")
    # no town hall; three kinds of shop; most churches
    assert [first[name] for name in final] == [-5, 12, 10, 0]
    # a town hall in a village that is not full; second most churches; half of 2 + 3, rounded down
    assert [second[name] for name in final] == [0, 0, 6, 2]
    assert totals.tolist() == [[7 - 5 + 12 + 10, 11 + 6 + 2]]
    assert not accounts[0, :, :6].any()


# --- over whole games ---


@pytest.mark.parametrize(("players", "coin_supply"), [(2, None), (3, 60), (4, None), (5, 40)])
def test_books_balance_at_every_step_of_random_games(players: int, coin_supply: int | None) -> None:
    """The copy that is followed stays equal to the batch byte by byte, and coins are what was entered."""
    batch = Batch(60, players, coin_supply=coin_supply, max_turns=60, autoreset=False)
    batch.reset(300)
    accounts = np.zeros((batch.n, players, len(COIN_SOURCES)), np.int64)
    states = copy_states(batch.states)
    while not batch.over.all():
        games = np.flatnonzero(~batch.over)
        actions = batch.random_actions(1)
        batch.step(actions)
        follow(games, states, batch.seeds, actions, accounts)
        assert states.tobytes() == batch.states.tobytes()
        assert_array_equal(accounts.sum(axis=2), batch.states["coins"][:, :players])
    assert set(batch.states["end"].tolist()) >= ({1} if coin_supply is None else {2})
    assert_array_equal(add_final(states, accounts), batch.totals)
    assert_array_equal(accounts.sum(axis=2), batch.totals)
    paid = accounts.sum(axis=(0, 1))
    assert (paid[:6] > 0).all(), dict(zip(NAMES, paid, strict=True))  # each way of being paid was met
    assert accounts[..., 6:].any(axis=(0, 1)).all()
