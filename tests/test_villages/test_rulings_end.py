"""The rulings on the bank and the end of the game, clause by clause: R21 to R26."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bohemian_env import BadSetup, Game
from bohemian_env.engine.reward import write_win_shares
from bohemian_env.villages.position import read_position
from bohemian_env.villages.rules import write_result
from tests.helpers import BOARD, SIX, VILLAGES, building, game_at, play, position, scored, spread


def full(village: str, seat: int) -> dict[tuple[str, str], int]:
    """Every building of a village in the hands of one seat."""
    return {(kind, village): seat for kind in VILLAGES[village]["buildings"]}


# --- the bank ---


@pytest.mark.parametrize(
    ("bank", "parts", "move", "coins"),
    [
        pytest.param(1, dict(dice=(1, 1, 3, 5)), "3+5:farm@Nenbrad", (1, 0), id="farm, to exactly 0"),
        pytest.param(3, dict(villages=("Chlumhof",), dice=(1, 1, 6, 6)), "6+6:manor@Chlumhof", (5, 0), id="manor"),
        pytest.param(
            1,
            dict(villages=("Grundow", "Itschkau"), owners={("mill", "Grundow"): 1}, dice=(1, 1, 2, 4)),
            "2+4:mill@Itschkau",
            (2, 2),
            id="flour, every owner",
        ),
        pytest.param(
            1,
            dict(villages=("Grundow", "Itschkau"), owners={("glass", "Grundow"): 1}, dice=(1, 1, 3, 4)),
            "3+4:glass@Itschkau",
            (3, 3),
            id="glass, every owner",
        ),
    ],
)
def test_r21_a_move_that_empties_the_bank_is_paid_in_full_and_ends_the_game(
    bank: int, parts: dict[str, Any], move: str, coins: tuple[int, int]
) -> None:
    game = game_at(bank=bank, **parts).push(move)
    assert (game.over, game.outcome().reason, game.legal_moves) == (True, "bank empty", ())
    assert (game.coins, game.bank, game.turn) == (coins, bank - sum(coins), 1)
    assert game.flour == game.glass == (0, 0)


def test_r21_a_bank_above_0_does_not_end_the_game() -> None:
    game = game_at(bank=2, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert (game.over, game.bank, game.moves_made) == (False, 1, 1)


def test_r21_the_move_is_carried_out_in_full_before_the_end() -> None:
    """The inn is active, the figures are back, and every tile is paid."""
    owners = {(kind, "Nenbrad"): 1 for kind in ("inn", "farm", "church")}
    game = game_at(bank=2, owners=owners, dice=(1, 1, 3, 4)).push("3+4:glass@Nenbrad")
    assert game.over
    assert building(game, "inn", "Nenbrad")["active"] is True
    assert building(game, "glass", "Nenbrad")["owner"] is None
    assert (game.coins, game.bank, game.figures) == ((3, 0), -1, (13, 10))


@pytest.mark.parametrize(("bank", "over"), [(1, True), (2, True), (3, False)])
def test_r21_an_income_that_empties_the_bank_is_paid_in_full_and_ends_the_game(bank: int, over: bool) -> None:
    owners = {("inn", "Chlumhof"): 1, ("inn", "Nenbrad"): 1}
    parts: dict[str, Any] = dict(villages=("Chlumhof", "Nenbrad"), owners=owners, active=("Chlumhof", "Nenbrad"))
    game = game_at(bank=bank, dice=(1, 2), **parts).push("end")
    assert (game.over, game.needs_roll, game.turn) == (over, not over, 2)
    assert (game.coins, game.bank) == ((0, 2), bank - 2)
    assert (game.outcome().reason if over else game.outcome()) == ("bank empty" if over else None)


def test_r21_no_income_of_0_ends_the_game() -> None:
    assert not game_at(bank=1, dice=(1, 2)).push("end").over


def test_r22_the_final_scoring_is_not_limited_by_the_bank() -> None:
    parts: dict[str, Any] = dict(villages=("Chlumhof",), owners=full("Chlumhof", 0), active=("Chlumhof",), bank=1)
    game = game_at(dice=(1, 2), max_turns=1, **parts).push("end")
    assert (game.coins, game.bank) == ((0, 0), 1)
    assert [row["total"] for row in game.outcome().scoring] == [8 + 5 + 10, -5]


def test_r23_the_coin_supply_is_a_parameter() -> None:
    assert Game.new(players=2, villages=SIX, board=BOARD).bank == 300
    assert Game.new(players=2, villages=SIX, board=BOARD, coin_supply=42).bank == 42


@pytest.mark.parametrize("supply", [0, -1])
def test_r23_a_coin_supply_of_0_or_less_is_refused(supply: int) -> None:
    with pytest.raises(BadSetup):
        Game.new(players=2, villages=SIX, board=BOARD, coin_supply=supply)


# --- the end ---


def test_r24_cut_off_between_two_turns_before_the_next_income() -> None:
    parts = dict(owners={("inn", "Nenbrad"): 1}, active=("Nenbrad",), dice=(1, 2))
    game = game_at(max_turns=1, **parts).push("end")
    assert (game.over, game.outcome().reason, game.turn) == (True, "truncated", 1)
    assert (game.coins, game.bank) == ((0, 0), 300)
    assert not game.needs_roll


def test_r24_counts_the_turns_of_all_seats() -> None:
    game = Game.new(players=3, villages="random", seed=1, board=BOARD, max_turns=4)
    for turn in range(1, 5):
        assert (game.turn, game.over) == (turn, False)
        game = play(game, (1, 1, 2, 3), "1+1:bishop", "end")
    assert (game.over, game.turn, game.outcome().reason) == (True, 4, "truncated")


def test_r24_no_cut_off_within_a_turn() -> None:
    game = game_at(max_turns=1, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert not game.over
    assert game.push("1+1:special").over


def test_r24_r4_comes_before_the_cut_off() -> None:
    game = game_at(max_turns=1, each=1, owners={("farm", "Nenbrad"): 1}, dice=(1, 2)).push("end")
    assert game.outcome().reason == "no figures"


def test_r24_r21_comes_before_the_cut_off() -> None:
    assert game_at(max_turns=1, bank=1, dice=(3, 5)).push("3+5:farm@Nenbrad").outcome().reason == "bank empty"


@pytest.mark.parametrize(("max_turns", "over"), [(600, True), (601, False), (None, False)])
def test_r24_the_limit_is_a_parameter_and_may_be_none(max_turns: int | None, over: bool) -> None:
    assert game_at(max_turns=max_turns, turn=600, dice=(1, 2)).push("end").over is over


def test_r24_a_truncated_game_is_scored_as_it_stands() -> None:
    outcome = scored(owners={("church", "Nenbrad"): 1}, coins=(3, 4))
    assert [row["total"] for row in outcome.scoring] == [3 - 5, 4 - 5 + 10]
    assert outcome.winners == (1,)


BOTH = ("Chlumhof", "Ebersgrun")


@pytest.mark.parametrize(
    ("owners", "points"),
    [
        pytest.param({}, [-5, -5], id="none"),
        pytest.param({("town_hall", "Chlumhof"): 0}, [0, -5], id="village not full"),
        pytest.param(spread(BOTH, town_hall=(1, 1)), [0, 0], id="one each, not full"),
        pytest.param(full("Chlumhof", 0), [8, -5], id="village full"),
        pytest.param(full("Chlumhof", 0) | {("town_hall", "Chlumhof"): 1}, [-5, 8], id="full with the other's figures"),
        pytest.param(
            {place: seat for place, seat in full("Chlumhof", 0).items() if place[0] != "dairy"},
            [0, -5],
            id="one building not occupied",
        ),
        pytest.param(full("Chlumhof", 0) | full("Ebersgrun", 0), [15, -5], id="two villages full"),
        pytest.param(full("Chlumhof", 0) | {("town_hall", "Ebersgrun"): 0}, [8, -5], id="only one of the two full"),
        pytest.param(full("Chlumhof", 0) | full("Ebersgrun", 1), [8, 7], id="one each, full"),
    ],
)
def test_r25_1_town_halls(owners: dict[tuple[str, str], int], points: list[int]) -> None:
    active = [village for kind, village in owners if kind == "inn"]
    outcome = scored(villages=BOTH, owners=owners, active=active)
    assert [row["town_halls"] for row in outcome.scoring] == points


def test_r25_1_town_halls_of_as_much_as_a_board_may_print() -> None:
    """Their sum is beyond what a printed value has room for."""
    hall = {"kind": "town_hall", "owner": 0, "value": 99}
    rich = [{"name": name, "buildings": [hall]} for name in ("One", "Two", "Three")]
    at = position(dice=(1, 1)) | {"villages": rich, "figures": [10, 13]}
    outcome = Game.from_position(at, max_turns=1).push("end").outcome()
    assert [row["town_halls"] for row in outcome.scoring] == [297, -5]


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ((0, 0, 0, 0), 0),
        ((1, 0, 0, 0), 1),
        ((0, 1, 0, 1), 5),
        ((1, 1, 1, 0), 12),
        ((1, 1, 1, 1), 20),
        ((2, 1, 0, 0), 6),
        ((3, 0, 0, 0), 3),
        ((1, 0, 4, 0), 8),
        ((2, 2, 1, 0), 17),
        ((2, 1, 1, 1), 21),
        ((3, 2, 1, 1), 26),
        ((2, 2, 2, 1), 32),
        ((2, 2, 2, 2), 40),
    ],
)
def test_r25_2_shops_in_sets(numbers: tuple[int, ...], points: int) -> None:
    """Bakeries, butcheries, dairies, tailor shops: each set holds one of every kind there are enough of."""
    villages = ("Anschow", "Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Kunzendorf", "Mirschau")
    shops = dict(zip(("bakery", "butchery", "dairy", "tailor"), numbers, strict=True))
    owners = spread(villages, **{kind: (0, number) for kind, number in shops.items()})
    assert [row["shops"] for row in scored(villages=villages, owners=owners).scoring] == [0, points]


def test_r25_2_as_many_sets_as_there_can_be_villages() -> None:
    bakery, free = {"kind": "bakery", "owner": 1}, {"kind": "church", "owner": None}
    villages = [{"name": f"Village {number}", "buildings": [bakery, free]} for number in range(9)]
    at = position() | {"dice": [], "villages": villages, "figures": [13, 4], "over": True, "to_move": None}
    outcome = Game.from_position(at).outcome()
    assert [row["shops"] for row in outcome.scoring] == [0, 9]


@pytest.mark.parametrize(
    ("churches", "points"),
    [
        ((0, 0), [0, 0]),
        ((1, 0), [10, 0]),
        ((0, 2), [0, 10]),
        ((2, 1), [10, 6]),
        ((1, 1), [6, 6]),
        ((3, 3), [6, 6]),
        ((3, 2, 1), [10, 6, 0]),
        ((1, 2, 1), [6, 10, 6]),
        ((2, 2, 1), [6, 6, 0]),
        ((2, 0, 0), [10, 0, 0]),
        ((1, 0, 1), [6, 0, 6]),
        ((2, 2, 2), [6, 6, 6]),
        ((0, 0, 0), [0, 0, 0]),
        ((2, 1, 1, 1), [10, 6, 6, 6]),
        ((1, 1, 1, 0), [6, 6, 6, 0]),
        ((1, 1, 1, 1, 1), [6, 6, 6, 6, 6]),
        ((0, 3, 2, 1, 0), [0, 10, 6, 0, 0]),
        ((2, 1, 0, 1, 0), [10, 6, 0, 6, 0]),
    ],
)
def test_r25_3_churches(churches: tuple[int, ...], points: list[int]) -> None:
    """Most 10 and second most 6 each, if any; 6 each for a shared lead and nothing for second; nobody: nothing."""
    villages = ("Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Kunzendorf", "Mirschau")
    owners = spread(villages, church=churches)
    outcome = scored(players=len(churches), villages=villages, owners=owners)
    assert [row["churches"] for row in outcome.scoring] == points


@pytest.mark.parametrize(
    ("flour", "glass", "points"),
    [
        ((0, 0), (0, 0), [0, 0]),
        ((1, 0), (0, 1), [1, 1]),
        ((1, 0), (1, 0), [2, 0]),
        ((2, 1), (0, 2), [2, 4]),
        ((2, 1), (1, 1), [3, 2]),
        ((3, 0), (3, 0), [7, 0]),
        ((0, 0), (1, 2), [1, 3]),
    ],
)
def test_r25_4_left_over_tiles_halved_and_rounded_down_per_player(
    flour: tuple[int, int], glass: tuple[int, int], points: list[int]
) -> None:
    villages = ("Anschow", "Grundow", "Itschkau", "Sonnhofen")
    outcome = scored(villages=villages, owners=spread(villages, mill=flour, glass=glass))
    assert [row["tiles"] for row in outcome.scoring] == points


def test_r25_added_to_the_coins() -> None:
    villages = ("Chlumhof", "Grundow", "Itschkau")
    owners = full("Chlumhof", 0) | spread(("Grundow", "Itschkau"), mill=(1, 0), glass=(1, 0), church=(0, 1))
    outcome = scored(villages=villages, owners=owners, active=("Chlumhof",), coins=(21, 25))
    assert list(outcome.scoring) == [
        {"coins": 21, "town_halls": 8, "shops": 5, "churches": 6, "tiles": 2, "total": 42},
        {"coins": 25, "town_halls": -5, "shops": 0, "churches": 6, "tiles": 0, "total": 26},
    ]
    assert outcome.winners == (0,)


@pytest.mark.parametrize(
    ("coins", "totals", "winners"),
    [
        ((4, 3), [-1, -2], (0,)),
        ((0, 9), [-5, 4], (1,)),
        ((0, 0), [-5, -5], (0, 1)),
        ((1, 6, 6), [-4, 1, 1], (1, 2)),
        ((7, 2, 7, 0, 7), [2, -3, 2, -5, 2], (0, 2, 4)),
    ],
)
def test_r26_highest_total_wins_negative_or_not_and_may_be_shared(
    coins: tuple[int, ...], totals: list[int], winners: tuple[int, ...]
) -> None:
    outcome = scored(players=len(coins), coins=coins)
    assert [row["total"] for row in outcome.scoring] == totals
    assert outcome.winners == winners
    shares = np.full(5, 9.0)
    write_win_shares(np.array([*totals, 99, 99, 99][:5]), len(coins), shares)
    expected = [1 / len(winners) if seat in winners else 0 for seat in range(len(coins))]
    assert shares.tolist() == [*expected, 9, 9, 9][:5]
    of_position = np.full(len(coins), 9.0)
    states, _ = read_position(position(dice=(1, 2), players=len(coins), coins=coins), max_turns=500)
    write_result(states[0], of_position)
    assert of_position.tolist() == expected
