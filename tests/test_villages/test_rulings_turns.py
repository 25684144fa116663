"""The rulings on the setup and on turns, clause by clause: R1 to R8 and R13 to R15."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest

from bohemian_env import BadNotation, Game, IllegalMove, observe
from bohemian_env.villages.observation import observation_parts
from tests.helpers import BOARD, SIX, TOTALS, VILLAGES, building, game_at, play, position


def rerolls(game: Game) -> set[str]:
    return {move for move in game.legal_moves if move.startswith("reroll")}


# --- setup ---


@pytest.mark.parametrize(
    ("players", "removed", "figures"),
    [(2, "A/B O/P S/T", 13), (3, "S/T", 13), (4, "S/T", 10), (5, "", 10)],
)
def test_r1_tiles_in_play_sides_and_figures(players: int, removed: str, figures: int) -> None:
    """Which tiles stay in the box, one random side of each of the others, figures each."""
    kept = [name for name in VILLAGES if VILLAGES[name]["tile"] not in removed.split()]
    shown = set()
    for seed in range(20):
        game = Game.new(players=players, villages="random", seed=seed, board=BOARD).roll((1, 2, 3, 4))
        names = [village["name"] for village in game.position()["villages"]]
        assert sorted({VILLAGES[name]["tile"] for name in kept}) == [VILLAGES[name]["tile"] for name in names]
        assert game.figures == (figures,) * players
        shown.update(names)
    assert shown == set(kept)


def test_r2_start_of_the_game() -> None:
    game = Game.new(players=3, villages="random", seed=1, board=BOARD)
    assert (game.bishop, game.special, game.special_supply) == (None, (False,) * 3, 7)
    assert (game.coins, game.bank) == ((0, 0, 0), 300)
    assert (game.flour, game.glass) == ((0, 0, 0), (0, 0, 0))
    owners = {row["owner"] for v in game.roll((1, 2, 3, 4)).position()["villages"] for row in v["buildings"]}
    assert owners == {None}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r3_seat_0_starts_then_by_seat_number(players: int) -> None:
    game = Game.new(players=players, villages="random", seed=1, board=BOARD)
    seats = []
    for _ in range(players):
        seats.append((game.turn, game.to_move))
        game = play(game, (1, 2, 3, 4), "1+2:special", "end")
    seats.append((game.turn, game.to_move))
    assert seats == [(seat + 1, seat) for seat in range(players)] + [(players + 1, 0)]


def test_r3_coins_are_open() -> None:
    """Every player sees those of all, their own first."""
    game = game_at(players=3, coins=(5, 0, 17))
    for seat, seen in enumerate(((5, 0, 17), (0, 17, 5), (17, 5, 0))):
        shown = observation_parts(observe(game, seat)["observation"])["coins"]
        assert tuple(shown[:3]) == seen


# --- a turn ---


def test_r4_no_figure_at_the_start_of_the_turn_ends_the_game_without_income_or_roll() -> None:
    owners = {("inn", "Nenbrad"): 1, ("church", "Nenbrad"): 1}
    game = game_at(each=2, owners=owners, active=("Nenbrad",), bishop=1, dice=(1, 2)).push("end")
    assert game.over
    assert game.outcome().reason == "no figures"
    assert not game.needs_roll
    assert (game.coins, game.bank, game.turn, game.legal_moves) == ((0, 0), 300, 1, ())


def test_r4_no_figure_at_the_end_of_a_turn_is_not_the_end() -> None:
    game = game_at(each=2, owners={("farm", "Nenbrad"): 0}, dice=(5, 6)).push("5+6:church@Nenbrad")
    assert (game.figures, game.over, game.turn, game.needs_roll) == ((0, 2), False, 2, True)


@pytest.mark.parametrize(("move", "over"), [("3+5:farm@Nenbrad", False), ("1+1:bishop", True)])
def test_r4_a_figure_kicked_out_in_time_keeps_the_game_going(move: str, over: bool) -> None:
    owners = {("farm", "Nenbrad"): 0, ("church", "Nenbrad"): 0}
    game = play(game_at(each=2, owners=owners, turn=2, dice=(1, 1, 3, 5)), move, "end")
    assert (game.over, game.turn) == (over, 2 if over else 3)


@pytest.mark.parametrize(
    ("owners", "active", "bishop", "income"),
    [
        ({("inn", "Nenbrad"): 1}, (), None, 0),
        ({("inn", "Nenbrad"): 1}, ("Nenbrad",), None, 1),
        ({("inn", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Nenbrad", "Chlumhof"), None, 2),
        ({("inn", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Chlumhof",), None, 1),
        ({("inn", "Nenbrad"): 0}, ("Nenbrad",), None, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), None, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), 0, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), 1, 2),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 0}, (), 1, 1),
        ({("church", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Chlumhof",), 1, 2),
    ],
)
def test_r5_income_of_inns_and_churches_before_the_roll(
    owners: dict[tuple[str, str], int], active: tuple[Any, ...], bishop: int | None, income: int
) -> None:
    """1 coin per own active inn tile and, with the bishop, per own church; for the player to move alone."""
    parts: dict[str, Any] = dict(villages=("Chlumhof", "Nenbrad"), owners=owners, active=active, bishop=bishop)
    game = game_at(dice=(1, 2), coins=(7, 4), **parts).push("end")
    assert (game.needs_roll, game.to_move) == (True, 1)
    assert (game.coins, game.bank) == ((7, 4 + income), 300 - income)


def test_r5_income_every_turn() -> None:
    game = game_at(owners={("inn", "Nenbrad"): 0}, active=("Nenbrad",), dice=(1, 2), turn=2)
    game = play(game, "end", (1, 2, 3, 4), "1+2:special", "end", (1, 2, 3, 4), "1+2:special", "end")
    assert (game.turn, game.coins) == (5, (2, 0))


def test_r6_place_with_two_three_or_four_dice() -> None:
    game = game_at(dice=(1, 1, 2, 4))
    assert {move for move in game.legal_moves if "@" in move} == {
        "1+2:butchery@Nenbrad",
        "1+4:tailor@Nenbrad",
        "1+2+4:glass@Nenbrad",
        "1+1+2+4:farm@Nenbrad",
    }


def test_r6_the_bishop_takes_two_dice_of_the_same_number() -> None:
    """Also where such dice lie beside the two that were named; and nobody takes what is his."""
    game = game_at(dice=(3, 3, 5, 6))
    with pytest.raises(IllegalMove, match="exactly two dice that show the same number"):
        game.push("3+5:bishop")
    assert game.push("3+3:bishop").bishop == 0
    with pytest.raises(IllegalMove, match="seat 0 has the bishop already"):
        game_at(dice=(3, 3, 5, 6), bishop=0).push("3+3:bishop")


def test_r6_placing_moves_uses_up_the_dice() -> None:
    game = game_at(dice=(1, 1, 2, 4)).push("1+2:butchery@Nenbrad")
    assert (game.dice, game.moves_made, building(game, "butchery", "Nenbrad")["owner"]) == ((1, 4), 1, 0)


@pytest.mark.parametrize(
    ("dice", "bishop", "offered"),
    [
        ((2, 3, 4, 6), None, set()),
        ((2, 2, 4, 6), None, {"2+2:bishop"}),
        ((2, 2, 5, 5), 1, {"2+2:bishop", "5+5:bishop"}),
        ((5, 5, 5, 5), 1, {"5+5:bishop"}),
        ((2, 2, 5, 5), 0, set()),
        ((5, 5), 1, {"5+5:bishop"}),
    ],
)
def test_r6_bishop_for_two_equal_dice_unless_already_own(
    dice: tuple[int, ...], bishop: int | None, offered: set[Any] | set[str]
) -> None:
    game = game_at(dice=dice, bishop=bishop)
    assert {move for move in game.legal_moves if move.endswith(":bishop")} == offered


def test_r6_taking_the_bishop() -> None:
    game = game_at(dice=(2, 2, 3, 6), bishop=1).push("2+2:bishop")
    assert (game.bishop, game.dice, game.figures, game.moves_made) == (0, (3, 6), (13, 13), 1)


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        ({}, True),
        (dict(special=(1,)), True),
        (dict(special_supply=1), True),
        (dict(special_supply=0), False),
        (dict(special=(0,)), False),
        (dict(spent=True), False),
    ],
)
def test_r6_special_for_any_two_dice_if_left_none_held_none_spent_this_turn(
    parts: dict[str, Any], offered: bool
) -> None:
    game = game_at(dice=(2, 3, 4, 4), **parts)
    expected = {"2+3:special", "2+4:special", "3+4:special", "4+4:special"} if offered else set()
    assert {move for move in game.legal_moves if move.endswith(":special")} == expected


def test_r6_taking_a_special_action_tile() -> None:
    game = game_at(dice=(2, 3, 4, 6), special=(1,), special_supply=3).push("2+6:special")
    assert (game.special, game.special_supply, game.dice, game.figures) == ((True, True), 2, (3, 4), (13, 13))


def test_r6_first_moves_of_every_roll() -> None:
    """All 126 rolls on an empty board: every way of 2, 3 or 4 dice on every building of the kind with that total."""
    new = Game.new(players=2, villages=SIX, board=BOARD)
    kinds = {total: kind for kind, total in TOTALS.items()}
    for dice in combinations_with_replacement(range(1, 7), 4):
        expected = set()
        for way in {way for size in (2, 3, 4) for way in combinations(dice, size)}:
            text, kind = "+".join(map(str, way)), kinds.get(sum(way))
            expected |= {f"{text}:{kind}@{name}" for name in SIX if kind in VILLAGES[name]["buildings"]}
            expected |= {f"{text}:special"} if len(way) == 2 else set()
            expected |= {f"{text}:bishop"} if len(way) == 2 and way[0] == way[1] else set()
        assert sorted(new.roll(dice).legal_moves) == sorted(expected), dice


def test_r7_the_first_move_is_compulsory() -> None:
    assert "end" not in game_at(dice=(1, 2, 3, 4)).legal_moves


def test_r7_the_second_move_is_optional_and_uses_the_other_two_dice() -> None:
    game = game_at(dice=(2, 3, 4, 6)).push("3+4:glass@Nenbrad")
    assert sorted(game.legal_moves) == ["2+6:farm@Nenbrad", "2+6:special", "end"]
    assert play(game, "2+6:farm@Nenbrad").turn == play(game, "end").turn == 2


@pytest.mark.parametrize("move", ["1+2+5:farm@Nenbrad", "1+2+2+5:town_hall@Nenbrad"])
def test_r7_no_second_move_after_three_or_four_dice(move: str) -> None:
    game = game_at(dice=(1, 2, 2, 5)).push(move)
    assert (game.turn, game.needs_roll) == (2, True)


def test_r8_any_non_empty_subset_of_the_unused_dice() -> None:
    assert rerolls(game_at(dice=(2, 2, 3, 6), special=(0,))) == {
        "reroll 2", "reroll 3", "reroll 6",
        "reroll 2,2", "reroll 2,3", "reroll 2,6", "reroll 3,6",
        "reroll 2,2,3", "reroll 2,2,6", "reroll 2,3,6",
        "reroll 2,2,3,6",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        (dict(dice=(4, 4, 4, 4), special=(0,)), {"reroll 4", "reroll 4,4", "reroll 4,4,4", "reroll 4,4,4,4"}),
        (dict(dice=(3, 6), special=(0,)), {"reroll 3", "reroll 6", "reroll 3,6"}),
        (dict(dice=(5,), special=(0,)), {"reroll 5"}),
        (dict(dice=(3, 6), special=()), set()),
        (dict(dice=(3, 6), special=(1,)), set()),
    ],
)
def test_r8_at_any_time_while_a_die_is_unused_with_a_tile_of_ones_own(
    parts: dict[str, Any], offered: set[Any] | set[str]
) -> None:
    assert rerolls(game_at(**parts)) == offered


def test_r8_rolls_the_chosen_dice_and_keeps_the_others() -> None:
    game = game_at(dice=(2, 3, 4, 6), special=(0,)).push("reroll 2,6")
    assert (game.needs_roll, game.dice_to_roll, game.legal_moves) == (True, 2, ())
    assert game.roll((5, 1)).dice == (1, 3, 4, 5)


def test_r8_a_reroll_is_not_a_move() -> None:
    game = play(game_at(dice=(2, 3, 4, 6), special=(0,)), "reroll 2,6", (1, 2))
    assert game.moves_made == 0
    assert "end" not in game.legal_moves
    game = game.push("3+4:glass@Nenbrad")
    assert (game.moves_made, game.dice, game.turn) == (1, (1, 2), 1)


def test_r8_a_spent_tile_leaves_the_game() -> None:
    game = play(game_at(dice=(2, 3, 4, 6), special=(0, 1), special_supply=4), "reroll 6", (6,))
    assert (game.special, game.special_supply) == ((False, True), 4)
    assert rerolls(game) == set()


def test_r8_a_tile_may_be_spent_in_the_turn_it_was_taken() -> None:
    game = play(game_at(dice=(2, 3, 4, 6)), "2+6:special", "reroll 3,4", (5, 6))
    assert sorted(game.legal_moves) == ["5+6:church@Nenbrad", "end"]


def test_r8_no_other_tile_in_the_turn_one_was_spent_but_in_the_next() -> None:
    spent = play(game_at(dice=(2, 3, 4, 6), special=(0,)), "reroll 6", (6,))
    assert spent.position()["spent_special_this_turn"]
    assert not [move for move in spent.legal_moves if move.endswith(":special")]
    game = spent.push("3+4:glass@Nenbrad")
    assert sorted(game.legal_moves) == ["2+6:farm@Nenbrad", "end"]
    game = play(game, "end", (1, 2, 3, 4))
    assert not game.position()["spent_special_this_turn"]
    assert "1+2:special" in game.legal_moves
    assert "1+2:special" in play(game, "1+3:special", "end", (1, 2, 3, 4)).legal_moves


def test_r8_one_unused_die_only_gets_rid_of_the_tile() -> None:
    game = game_at(dice=(1, 2, 4, 5), special=(0,)).push("1+2+5:farm@Nenbrad")
    assert sorted(game.legal_moves) == ["end", "reroll 4"]
    game = game.push("reroll 4")
    assert (game.dice_to_roll, game.turn) == (1, 1)
    game = game.roll((6,))
    assert (game.turn, game.to_move, game.special, game.special_supply) == (2, 1, (False, False), 6)
    assert "1+2:special" in play(game, (1, 2, 3, 4), "1+2:special", "end", (1, 2, 3, 4)).legal_moves


FOUR_SIXES: dict[str, Any] = dict(
    villages=("Chlumhof", "Nenbrad"), owners={("manor", "Chlumhof"): 0}, bishop=1, special_supply=0
)


@pytest.mark.parametrize("owner", [0, 1])
def test_r13_the_turn_passes_when_no_move_is_possible(owner: int) -> None:
    """The books' four sixes."""
    game = game_at(dice=(5, 6), **FOUR_SIXES | dict(owners={("manor", "Chlumhof"): owner}))
    game = play(game, "end", (6, 6, 6, 6))
    assert (game.turn, game.to_move, game.dice_to_roll, game.over) == (3, 0, 4, False)


@pytest.mark.parametrize(
    ("change", "legal"),
    [
        (dict(owners={}), ["6+6:manor@Chlumhof"]),
        (dict(bishop=0), ["6+6:bishop"]),
        (dict(bishop=None), ["6+6:bishop"]),
        (dict(special_supply=1), ["6+6:special"]),
        (dict(special=(1,)), ["reroll 6", "reroll 6,6", "reroll 6,6,6", "reroll 6,6,6,6"]),
        (dict(special=(1,), special_supply=3), ["reroll 6", "reroll 6,6", "reroll 6,6,6", "reroll 6,6,6,6"]),
    ],
)
def test_r13_any_one_thing_to_do_must_be_done(change: dict[str, Any], legal: list[str]) -> None:
    """Four sixes again, with one obstacle less: no passing; a reroll is forced when it alone is left."""
    game = play(game_at(dice=(5, 6), **FOUR_SIXES | change), "end", (6, 6, 6, 6))
    assert (game.turn, sorted(game.legal_moves)) == (2, legal)


def test_r13_after_the_forced_reroll_a_move_or_a_pass() -> None:
    game = game_at(dice=(6, 6, 6, 6), turn=2, special=(1,), **FOUR_SIXES).push("reroll 6,6")
    assert game.roll((6, 6)).turn == 3
    assert sorted(game.roll((1, 2)).legal_moves) == [
        "1+2+6:inn@Chlumhof",
        "1+2+6:inn@Nenbrad",
        "1+2:butchery@Chlumhof",
        "1+2:butchery@Nenbrad",
        "1+6:glass@Nenbrad",
        "2+6:farm@Chlumhof",
        "2+6:farm@Nenbrad",
    ]


def test_r13_only_the_first_move_forces_a_reroll() -> None:
    game = game_at(villages=("Chlumhof",), dice=(1, 4), special=(0,))
    assert sorted(game.legal_moves) == ["end", "reroll 1", "reroll 1,4", "reroll 4"]


# --- the end of a turn ---


@pytest.mark.parametrize(
    ("parts", "steps"),
    [
        pytest.param(dict(dice=(2, 3, 4, 6)), ["3+4:special", "2+6:farm@Nenbrad"], id="two moves made"),
        pytest.param(dict(dice=(1, 1, 2, 4)), ["1+1+2+4:farm@Nenbrad"], id="no die unused"),
        pytest.param(dict(dice=(2, 3, 4, 6)), ["3+4:special", "end"], id="stopped"),
        pytest.param(dict(dice=(1, 2, 4, 5)), ["1+2+5:farm@Nenbrad"], id="one die left and no tile"),
        pytest.param(dict(dice=(1, 3, 5, 6), special_supply=0), ["5+6:church@Nenbrad"], id="no use for two dice"),
        pytest.param(
            dict(dice=(1, 2), special=(0,), special_supply=0), ["reroll 1", (4,)], id="no use for dice rerolled"
        ),
    ],
)
def test_r14_the_four_endings_of_a_turn(parts: dict[str, Any], steps: list[Any]) -> None:
    before = play(game_at(**parts), *steps[:-1])
    assert before.turn == 1
    after = play(before, steps[-1])
    assert (after.turn, after.to_move, after.dice_to_roll) == (2, 1, 4)


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        (dict(dice=(2, 3, 4, 6)), False),
        (dict(dice=(2, 3, 4, 6), special=(0,)), False),
        (dict(dice=(2, 6)), True),
        (dict(dice=(6,), special=(0,)), True),
    ],
)
def test_r14_end_is_offered_only_after_the_first_move(parts: dict[str, Any], offered: bool) -> None:
    assert ("end" in game_at(**parts).legal_moves) is offered


def test_r15_ways_that_show_the_same_numbers_are_one_move() -> None:
    game = game_at(dice=(3, 3, 4, 4), special=(0,))
    assert len(set(game.legal_moves)) == len(game.legal_moves)
    assert game.legal_moves.count("3+4:glass@Nenbrad") == 1
    assert game.push("3+4:glass@Nenbrad").dice == (3, 4)


def test_r15_ways_that_show_other_numbers_are_different_moves() -> None:
    first, second = (game_at(dice=(1, 2, 3, 4)).push(f"{way}:tailor@Nenbrad") for way in ("1+4", "2+3"))
    assert (first.dice, second.dice) == ((2, 3), (1, 4))


def test_moves_are_refused_where_a_ruling_forbids_them() -> None:
    """`legal_moves` and `push` agree: what is not offered is refused, from any position."""
    for parts in (dict(dice=(2, 3, 4, 6)), dict(dice=(2, 6)), dict(dice=(5, 6), owners={("church", "Nenbrad"): 0})):
        game = game_at(**parts)
        every = {f"{way}:{kind}@Nenbrad" for way in ("2+3", "2+6", "3+4", "5+6") for kind in TOTALS}
        refused = [move for move in sorted(every | {"end", "reroll 6"}) if move not in game.legal_moves]
        for move in refused:
            with pytest.raises((IllegalMove, BadNotation)):
                game.push(move)
        assert refused
        assert game.position() == position(**parts)
