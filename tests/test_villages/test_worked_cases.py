"""The examples that the rulebooks work out (German, English, Italian), and those of the rules page."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest

from bohemian_env import Game
from tests.helpers import BOARD, SIX, TOTALS, VILLAGES, building, game_at, play, scored, spread

ROLL = (2, 3, 4, 6)
WITH_MANOR = ("Chlumhof", "Nenbrad")


def test_2_3_4_6_as_7_and_8() -> None:
    """All three books: a glass factory with 3+4 and a farm with 2+6, one after the other."""
    game = play(game_at(villages=WITH_MANOR, dice=ROLL), "3+4:glass@Nenbrad", "2+6:farm@Nenbrad")
    assert (game.turn, game.figures) == (2, (12, 13))  # the only glass factory in play is scored at once


def test_2_3_4_6_as_5_and_10() -> None:
    """All three books: a tailor shop with 2+3 and a town hall with 4+6."""
    game = play(game_at(villages=WITH_MANOR, dice=ROLL), "2+3:tailor@Nenbrad", "4+6:town_hall@Chlumhof")
    assert (game.turn, game.figures) == (2, (11, 13))


def test_2_3_4_6_as_12_alone_and_the_3_is_lost() -> None:
    """All three books: a manor with 2+4+6."""
    game = play(game_at(villages=WITH_MANOR, dice=ROLL), "2+4+6:manor@Chlumhof")
    assert (game.turn, game.dice_to_roll, game.figures) == (2, 4, (12, 13))


def test_2_3_4_6_no_building_for_one_die() -> None:
    """All three books: single dice are of no use."""
    assert all("+" in move.split(":")[0] for move in game_at(villages=WITH_MANOR, dice=ROLL).legal_moves)


def test_a_third_farm_pays_3() -> None:
    """All three books: Andrea has two farms and takes another."""
    villages = ("Chlumhof", "Ebersgrun", "Nenbrad")
    game = game_at(villages=villages, owners=spread(villages, farm=(2,)), dice=(1, 1, 3, 5))
    assert game.push("3+5:farm@Nenbrad").coins == (3, 0)


def test_two_bakeries_and_a_butchery_pay_6() -> None:
    """All three books; the same kinds of shop in whatever villages."""
    villages = ("Fiskowitz", "Grundow", "Itschkau")
    owners = spread(villages, bakery=(2,), butchery=(1,))
    assert scored(villages=villages, owners=owners).scoring[0]["shops"] == 6


def test_three_kinds_of_shop_pay_12() -> None:
    """The text of all three books; the overview card of the English text, which reads 10, gives way."""
    villages = ("Fiskowitz", "Kunzendorf")
    owners = spread(villages, bakery=(1,), butchery=(1,), dairy=(1,))
    assert scored(villages=villages, owners=owners).scoring[0]["shops"] == 12


def test_one_flour_and_one_glass_tile_left_over_pay_2() -> None:
    """All three books: Stefan's 2 + 3 = 5, halved and rounded down."""
    villages = ("Grundow", "Itschkau")
    owners = {("mill", "Grundow"): 0, ("glass", "Itschkau"): 0}
    assert scored(villages=villages, owners=owners).scoring[0]["tiles"] == 2


@pytest.mark.parametrize(
    ("owners", "bakeries"),
    [
        ((1, 1), []),  # Klemens has one of the two bakeries and none is free
        ((1, 0), ["Itschkau"]),
        ((0, 2), ["Grundow", "Itschkau"]),
    ],
)
def test_klemens_and_the_bakeries(owners: tuple[int, int], bakeries: list[Any]) -> None:
    """All three books: 1+1 cannot kick out of a bakery where one has a bakery oneself and none is free."""
    villages = ("Grundow", "Itschkau")
    game = game_at(villages=villages, owners=spread(villages, bakery=owners), dice=(1, 1, 3, 4))
    assert sorted(m for m in game.legal_moves if "bakery" in m) == [f"1+1:bakery@{name}" for name in bakeries]


@pytest.mark.parametrize("villages", [("Nenbrad",), ("Kunzendorf", "Nenbrad")], ids=["scored", "not scored"])
def test_nenbrad(villages: tuple[str, ...]) -> None:
    """All three books: red has the inn, yellow the town hall, green the farm; red takes the glass factory.

    The inn is active from then on, also where the glass scoring takes red's figure back at once; red has a coin
    for it on each turn that follows.
    """
    red, yellow, green = 0, 1, 2
    owners = {("inn", "Nenbrad"): red, ("town_hall", "Nenbrad"): yellow, ("farm", "Nenbrad"): green}
    game = game_at(players=3, villages=villages, owners=owners, dice=(1, 1, 3, 4))
    assert building(game, "inn", "Nenbrad")["active"] is False
    game = game.push("3+4:glass@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": red, "active": True}
    glass = game.coins[red]
    assert (glass, game.glass[red]) == ((3, 0) if len(villages) == 1 else (0, 1))
    game = game.push("end")
    for round_ in (1, 2):
        game = play(game, (1, 2, 2, 6), "2+2:bishop", "end", (1, 2, 2, 6), "2+2:bishop", "end")
        assert game.coins == (glass + round_, 0, 0)
        game = play(game, (1, 2, 2, 6), "2+2:bishop", "end")


def test_four_sixes_pass() -> None:
    """All three books: the manors taken, the bishop one's own, no special action tile held or left."""
    owners = {("manor", "Chlumhof"): 1}
    game = game_at(villages=("Chlumhof",), owners=owners, bishop=1, special_supply=0, dice=(5, 6))
    game = play(game, "end", (6, 6, 6, 6))
    assert (game.turn, game.to_move, game.needs_roll, game.over) == (3, 0, True, False)
    assert (game.figures, game.bishop, game.coins) == ((13, 12), 1, (0, 0))


@pytest.mark.parametrize(("taken_away", "income"), [(False, 2), (True, 0)])
def test_the_bishop_may_be_lost_before_ones_next_turn(taken_away: bool, income: int) -> None:
    """All three books: who has lost the bishop again before their turn has no coins for their churches."""
    owners = spread(SIX, church=(2, 1))
    game = play(game_at(villages=SIX, owners=owners, dice=(1, 1, 2, 3)), "1+1:bishop", "end", (1, 1, 2, 3))
    game = play(game, "1+1:bishop" if taken_away else "1+1:special", "end")
    assert (game.to_move, game.coins) == (0, (income, 0))


def test_taking_the_bishop_is_a_move_and_the_other_dice_may_be_left() -> None:
    """All three books: it is the one move that is due."""
    game = game_at(dice=(1, 1, 3, 5)).push("1+1:bishop")
    assert (game.bishop, game.moves_made, "end" in game.legal_moves) == (0, 1, True)


def test_a_single_owner_of_churches_has_10_and_the_others_nothing() -> None:
    """All three books."""
    outcome = scored(players=3, villages=SIX, owners=spread(SIX, church=(0, 1, 0)))
    assert [row["churches"] for row in outcome.scoring] == [0, 10, 0]


def test_one_building_missing_and_the_town_hall_is_worth_nothing() -> None:
    """All three books: but it is a town hall, and nothing is lost."""
    owners = {(kind, "Chlumhof"): 0 for kind in VILLAGES["Chlumhof"]["buildings"] if kind != "manor"}
    outcome = scored(villages=("Chlumhof",), owners=owners, active=("Chlumhof",))
    assert [row["town_halls"] for row in outcome.scoring] == [0, -5]


def test_no_figures_after_ones_turn_but_back_by_an_intermediate_scoring() -> None:
    """All three books: the game goes on, for a figure may come back before the next turn."""
    owners = {("mill", "Grundow"): 0}
    game = game_at(villages=("Grundow", "Itschkau"), each=2, owners=owners, dice=(5, 6)).push("5+6:church@Grundow")
    assert game.figures == (0, 2)
    game = play(game, (1, 1, 2, 4), "2+4:mill@Itschkau", "end")
    assert (game.turn, game.figures, game.coins) == (3, (1, 2), (2, 2))


def test_the_player_without_figures_has_no_income_from_inns_and_churches() -> None:
    """All three books."""
    owners = {("inn", "Nenbrad"): 1, ("church", "Nenbrad"): 1}
    game = game_at(each=2, owners=owners, active=("Nenbrad",), bishop=1, dice=(1, 2), coins=(4, 4)).push("end")
    assert (game.over, game.coins) == (True, (4, 4))


def test_the_last_income_is_paid_though_the_coins_have_run_out() -> None:
    """All three books: written down, or paid with something else."""
    owners = spread(SIX, church=(0, 4))
    game = game_at(villages=SIX, owners=owners, bishop=1, dice=(1, 2), bank=1).push("end")
    assert (game.over, game.coins, game.bank) == (True, (0, 4), -3)


def test_coins_missing_for_the_final_scoring_are_made_up_for() -> None:
    """The German book says so of the final scoring too."""
    outcome = scored(bank=1, owners={("church", "Nenbrad"): 0})
    assert [row["total"] for row in outcome.scoring] == [5, -5]


def test_at_most_two_ways_to_a_total() -> None:
    """The rules page: among four dice, two different ways at most reach a total of 2 to 12 (all 126 rolls)."""
    new = Game.new(players=2, villages=SIX, board=BOARD)
    most = 0
    for dice in combinations_with_replacement(range(1, 7), 4):
        ways = [move.split(":")[0] for move in new.roll(dice).legal_moves if "@" in move]
        places = {kind: {way for way in ways if sum(map(int, way.split("+"))) == TOTALS[kind]} for kind in TOTALS}
        most = max(most, *map(len, places.values()))
    assert most == 2
