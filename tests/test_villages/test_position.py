"""Positions as JSON: the form, what is read back, and what is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bohemian_env import BadDice, BadPosition, Board, Game, GameOver, NoRollNeeded, RollNeeded
from bohemian_env.villages.position import players_of
from bohemian_env.villages.render import board_svg
from tests.helpers import BOARD, MISSING, SIX, altered, game_at, play, position, spread

TEXT = """{"players": 3, "turn": 17, "to_move": 1, "moves_made": 1, "spent_special_this_turn": false, \
"dice": [2, 6], "figures": [10, 9, 12], "coins": [12, 9, 15], "bank": 264, \
"bishop": 2, "special": [false, true, false], "special_supply": 3, \
"flour": [0, 1, 0], "glass": [1, 1, 0], "over": false, \
"villages": [{"name": "Grundow", "buildings": [\
{"kind": "bakery", "owner": null}, {"kind": "tailor", "owner": null}, {"kind": "mill", "owner": 1}, \
{"kind": "glass", "owner": 0}, {"kind": "farm", "owner": null}, {"kind": "church", "owner": null}, \
{"kind": "manor", "owner": null, "value": 5}]}, {"name": "Itschkau", "buildings": [\
{"kind": "bakery", "owner": null}, {"kind": "butchery", "owner": null}, {"kind": "mill", "owner": null}, \
{"kind": "glass", "owner": 1}, {"kind": "church", "owner": 1}, \
{"kind": "manor", "owner": 1, "value": 6}]}, {"name": "Nenbrad", "buildings": [\
{"kind": "butchery", "owner": null}, {"kind": "tailor", "owner": null}, {"kind": "glass", "owner": null}, \
{"kind": "farm", "owner": 2}, {"kind": "inn", "owner": 0, "active": true}, \
{"kind": "town_hall", "owner": 0, "value": 8}, {"kind": "church", "owner": null}]}]}"""


def test_the_form_of_the_rules_page() -> None:
    """Keys, their order, the order of villages and buildings, `active` on inns, `value` on town halls and manors."""
    assert json.dumps(Game.from_position(json.loads(TEXT)).position()) == TEXT


def test_a_position_that_play_has_led_to() -> None:
    game = Game.new(players=2, villages=("Nenbrad", *SIX[:-1]), board=BOARD, coin_supply=100)
    game = play(game, (6, 4, 3, 2), "3+4:glass@Nenbrad", "2+6:farm@Grundow", (1, 5, 6, 5), "5+5:bishop")
    owners = {("glass", "Nenbrad"): 0, ("farm", "Grundow"): 0}
    expected = position(villages=SIX, owners=owners, turn=2, dice=(1, 6), coins=(1, 0), bank=99, bishop=1)
    assert json.dumps(game.position()) == json.dumps(expected)


@pytest.mark.parametrize(
    "other",
    [
        dict(dice=(1, 2, 3, 5)), dict(turn=3), dict(coins=(1, 0)), dict(bank=299), dict(bishop=0), dict(special=(0,)),
        dict(special_supply=6), dict(spent=True), dict(owners={("farm", "Nenbrad"): 0}), dict(villages=("Obethal",)),
    ],
)  # fmt: skip
def test_games_at_different_positions_are_not_equal(other: dict[str, Any]) -> None:
    assert game_at() != game_at(**other)


def test_the_given_position_is_neither_kept_nor_changed() -> None:
    at = position()
    given = copy.deepcopy(at)
    game = Game.from_position(given)
    game.push("1+2:special")
    assert given == at
    given["coins"][0] = 50
    game.position()["coins"][1] = 50
    assert game.position() == at


def test_names_of_the_parts() -> None:
    game = Game.from_position(json.loads(TEXT))
    assert (game.players, game.turn, game.to_move, game.dice, game.moves_made) == (3, 17, 1, (2, 6), 1)
    assert (game.coins, game.figures, game.bank, game.bishop) == ((12, 9, 15), (10, 9, 12), 264, 2)
    assert (game.special, game.special_supply) == ((False, True, False), 3)
    assert (game.flour, game.glass, game.over, game.outcome()) == ((0, 1, 0), (1, 1, 0), False, None)
    assert (game.needs_roll, game.dice_to_roll) == (False, 0)


# --- where there is no position -------------------------------------------------------------------


@pytest.mark.parametrize(
    "begun",
    [
        lambda: Game.new(players=2, villages=SIX, board=BOARD),
        lambda: game_at(dice=(1, 2)).push("end"),
        lambda: game_at(dice=(1, 2, 3, 4), special=(0,)).push("reroll 1"),
    ],
    ids=["before the first roll", "between two turns", "within a reroll"],
)
def test_no_position_before_a_roll(begun: Callable[[], Game]) -> None:
    game = begun()
    assert game.needs_roll
    with pytest.raises(RollNeeded):
        game.position()


@pytest.mark.parametrize("dice", [(), (1, 2, 3), (1, 2, 3, 4, 5), (0, 1, 2, 3), (1, 2, 3, 7), (1, 2, 3, -4)])
def test_dice_that_cannot_be_rolled_are_refused(dice: tuple[Any, ...]) -> None:
    with pytest.raises(BadDice):
        Game.new(players=2, villages=SIX, board=BOARD).roll(dice)


def test_only_as_many_dice_as_are_rerolled() -> None:
    game = game_at(dice=(1, 2, 3, 4), special=(0,)).push("reroll 1,2")
    for dice in ((1,), (1, 2, 3), (1, 2, 3, 4)):
        with pytest.raises(BadDice):
            game.roll(dice)


def test_no_roll_where_a_player_decides() -> None:
    with pytest.raises(NoRollNeeded):
        game_at().roll((1, 2, 3, 4))


def test_no_roll_after_the_end() -> None:
    with pytest.raises(GameOver, match="nothing to bring"):
        game_at(dice=(1, 2), max_turns=1).push("end").roll((1, 2, 3, 4))


# --- the end --------------------------------------------------------------------------------------

ENDS = {
    "no figures": dict(dice=(1, 2), each=1, owners={("farm", "Nenbrad"): 1}, bishop=0),
    "bank empty": dict(dice=(1, 2), bank=1, villages=SIX, owners=spread(SIX, church=(0, 3)), bishop=1),
    "truncated": dict(dice=(1, 2), max_turns=7, turn=7, spent=True, owners={("butchery", "Nenbrad"): 1}),
}


@pytest.mark.parametrize(("reason", "parts"), ENDS.items())
def test_the_position_at_the_end_is_that_of_an_end_and_read_back(reason: str, parts: dict[str, Any]) -> None:
    game = game_at(**parts).push("end" if reason != "truncated" else "1+2:butchery@Nenbrad")
    at = game.position()
    turn = {"no figures": 1, "bank empty": 2, "truncated": 7}[reason]
    assert (at["over"], at["turn"], at["to_move"], at["dice"], at["moves_made"]) == (True, turn, None, [], 0)
    assert at["spent_special_this_turn"] is False
    assert (at["coins"], at["bank"]) == (([0, 3], -2) if reason == "bank empty" else ([0, 0], 300))
    assert list(at) == list(position())
    assert (game.legal_moves, game.needs_roll, game.to_move) == ((), False, None)
    again = Game.from_position(json.loads(json.dumps(at)), max_turns=parts.get("max_turns", 500))
    assert (again.over, again.position()) == (True, at)
    assert again.outcome() == game.outcome()
    assert again.outcome().reason == reason


# --- what is refused ------------------------------------------------------------------------------

BASE: dict[str, Any] = dict(
    players=3,
    turn=17,
    villages=("Grundow", "Itschkau", "Nenbrad"),
    dice=(1, 2, 3, 6),
    coins=(12, 9, 15),
    bank=264,
    bishop=2,
    special=(0,),
    special_supply=3,
    owners={
        ("mill", "Grundow"): 1,
        ("glass", "Grundow"): 0,
        ("glass", "Itschkau"): 1,
        ("inn", "Nenbrad"): 2,
        ("manor", "Itschkau"): 1,
    },
    active=("Nenbrad",),
)
GRUNDOW, ITSCHKAU, NENBRAD = (("villages", index, "buildings") for index in range(3))
INN, TOWN_HALL, MANOR = (*NENBRAD, 4), (*NENBRAD, 5), (*GRUNDOW, 6)


def test_the_position_that_is_altered_below_is_a_good_one() -> None:
    assert Game.from_position(position(**BASE)).position() == position(**BASE)


WRONG = {
    "players: too few": [(("players",), 1)],
    "players: too many": [(("players",), 6)],
    "players: not the length of the lists": [(("players",), 4)],
    "turn: 0": [(("turn",), 0), (("to_move",), 2)],
    "turn: a fraction": [(("turn",), 16.5)],
    "to_move: not by the turn": [(("to_move",), 0)],
    "to_move: nobody": [(("to_move",), None)],
    "moves_made: four dice after a move": [(("moves_made",), 1)],
    "moves_made: two dice before one": [(("dice",), [1, 2])],
    "moves_made: two": [(("moves_made",), 2), (("dice",), [1, 2])],
    "spent: and still a tile in hand": [(("spent_special_this_turn",), True), (("special", 1), True)],
    "spent: a number": [(("spent_special_this_turn",), 0)],
    "dice: not ascending": [(("dice",), [2, 1, 3, 6])],
    "dice: a 7": [(("dice",), [1, 2, 3, 7])],
    "dice: a 0": [(("dice",), [0, 2, 3, 6])],
    "dice: three": [(("dice",), [1, 2, 3])],
    "dice: five": [(("dice",), [1, 2, 3, 3, 6])],
    "dice: none": [(("dice",), [])],
    "dice: a truth value": [(("dice", 0), True)],
    "dice: a fraction": [(("dice", 0), 1.0)],
    "dice: text": [(("dice",), "1236")],
    "figures: one seat has one more": [(("figures", 0), 13)],
    "figures: one seat has one fewer": [(("figures", 2), 11)],
    "figures: negative": [(("figures",), [0, -2, 0])],
    "figures: negative, and as many on buildings": [(("figures",), [1, -1, 1])],
    "figures: a seat missing": [(("figures",), [12, 10])],
    "coins: negative": [(("coins", 1), -1)],
    "coins: more than there can be": [(("coins", 1), 10**12)],
    "coins: text": [(("coins", 1), "9")],
    "coins: a truth value": [(("coins", 1), True)],
    "coins: a seat too many": [(("coins",), [12, 9, 15, 0])],
    "bank: 0 and not over": [(("bank",), 0)],
    "bank: below 0 and not over": [(("bank",), -3)],
    "bank: more than a supply": [(("bank",), 9_964)],
    "bank: never had a coin": [
        (("over",), True), (("to_move",), None), (("dice",), []), (("coins",), [0, 0, 0]), (("bank",), 0)
    ],
    "bishop: no such seat": [(("bishop",), 3)],
    "bishop: negative": [(("bishop",), -1)],
    "special: a seat missing": [(("special",), [True, False])],
    "special: a number": [(("special", 0), 2)],
    "special_supply: negative": [(("special_supply",), -1)],
    "special_supply: too many with those held": [(("special_supply",), 99)],
    "flour: a tile too many": [(("flour", 0), 1)],
    "flour: the tile of another": [(("flour",), [1, 0, 0])],
    "flour: a tile too few": [(("flour",), [0, 0, 0])],
    "glass: a tile too many": [(("glass", 1), 2)],
    "glass: the tile of another": [(("glass",), [1, 0, 1])],
    "over: but somebody is to move": [(("over",), True), (("dice",), [])],
    "over: text": [(("over",), "no")],
    "villages: none": [(("villages",), []), (("figures",), [9] * 3), (("flour",), [0] * 3), (("glass",), [0] * 3)],
    "villages: a text": [(("villages",), "Grundow")],
    "villages: one twice": [(("villages", 1, "name"), "Grundow")],
    "villages: no name": [(("villages", 0, "name"), MISSING)],
    "village: no buildings": [(("villages",), [*position(**BASE)["villages"], {"name": "Obethal", "buildings": []}])],
    "kind: unknown": [((*GRUNDOW, 0, "kind"), "brewery")],
    "kind: twice in a village": [((*GRUNDOW, 1, "kind"), "bakery")],
    "kind: missing": [((*GRUNDOW, 0, "kind"), MISSING)],
    "buildings: not by their totals": [((*GRUNDOW, 0, "kind"), "tailor"), ((*GRUNDOW, 1, "kind"), "bakery")],
    "owner: no such seat": [((*GRUNDOW, 0, "owner"), 3)],
    "owner: negative": [((*GRUNDOW, 0, "owner"), -1)],
    "owner: missing": [((*GRUNDOW, 0, "owner"), MISSING)],
    "inn: active and free": [((*INN, "owner"), None), (("figures", 2), 13)],
    "inn: without `active`": [((*INN, "active"), MISSING)],
    "inn: `active` a number": [((*INN, "active"), 1)],
    "`active` on a farm": [((*NENBRAD, 3, "active"), True)],
    "town hall: without a value": [((*TOWN_HALL, "value"), MISSING)],
    "town hall: the value a text": [((*TOWN_HALL, "value"), "8")],
    "manor: without a value": [((*MANOR, "value"), MISSING)],
    "manor: a negative value": [((*MANOR, "value"), -5)],
    "a value on a bakery": [((*GRUNDOW, 0, "value"), 5)],
    "over: and a tile spent": [
        (("over",), True), (("to_move",), None), (("dice",), []), (("spent_special_this_turn",), True)
    ],
    "an unknown key": [(("weather",), "fine")],
    **{f"{key}: missing": [((key,), MISSING)] for key in position()},
}  # fmt: skip


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG.keys())
def test_a_position_that_contradicts_itself_or_the_page_is_refused(changes: list[Any]) -> None:
    with pytest.raises(BadPosition):
        Game.from_position(altered(position(**BASE), *changes))


IMPOSSIBLE = {
    "no move and no reroll, so the turn has passed (R13)": dict(
        villages=("Chlumhof",), owners={("manor", "Chlumhof"): 1}, dice=(6, 6, 6, 6), bishop=0, special_supply=0
    ),
    "nothing left but to stop, so the turn is over (R14)": dict(dice=(1, 3), special_supply=0),
    "one die and no tile (R14)": dict(dice=(5,)),
    "no figure in hand at the start of the turn (R4)": dict(each=1, owners={("farm", "Nenbrad"): 0}),
    "all glass factories occupied (R20)": dict(owners={("glass", "Nenbrad"): 1}),
    "all mills occupied (R20)": dict(villages=("Grundow",), owners={("mill", "Grundow"): 0}),
    "an inactive inn among three others (R18)": dict(
        owners={(kind, "Nenbrad"): 0 for kind in ("inn", "farm", "church", "tailor")}
    ),
}


@pytest.mark.parametrize("parts", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_position_that_no_game_can_stop_at_is_refused(parts: dict[str, Any]) -> None:
    """A position stands only where a player decides, and the rulings leave none of these standing."""
    with pytest.raises(BadPosition):
        game_at(**parts)


def test_villages_in_play_on_the_shipped_board_stand_in_its_order_with_the_figures_of_r1() -> None:
    at = Game.new(players=2, villages=SIX).roll((1, 2, 3, 6)).position()
    assert Game.from_position(at).position() == at
    order = [*at["villages"][1:], at["villages"][0]]
    with pytest.raises(BadPosition, match=f"villages: not in the order of the board: {', '.join(SIX)}$"):
        Game.from_position(altered(at, (("villages",), order)))
    with pytest.raises(BadPosition, match="figures: 12 each, in hand and on buildings; R1 gives 13 with 2 players"):
        Game.from_position(altered(at, (("figures",), [12, 12])))
    some = altered(at, (("villages",), order[1:]), (("figures",), [12, 12]))  # of another board, for all that is known
    assert Game.from_position(some).figures == (12, 12)


def test_a_position_of_another_board_with_villages_of_the_shipped_one_is_read_with_it() -> None:
    shipped = Board.standard()
    sizes = {players: replace(size, figures=size.figures - 1) for players, size in shipped.setups.items()}
    board = replace(shipped, villages=shipped.villages[::-1], setups=sizes)
    at = Game.new(players=2, villages=SIX, board=board).roll((1, 2, 3, 6)).position()
    assert (at["figures"], at["villages"][0]["name"]) == ([12, 12], SIX[-1])
    assert Game.from_position(at, board=board).position() == at
    for other in (None, replace(board, villages=shipped.villages), replace(board, setups=shipped.setups)):
        with pytest.raises(BadPosition, match=r"villages: not in the order|figures: 12 each"):
            Game.from_position(at, board=other)
    assert board_svg(at | {"over": True, "to_move": None, "dice": [], "moves_made": 0, "bank": 0, "coins": [1, 299]})


@pytest.mark.parametrize("document", [None, [], "position", 7, {}])
def test_what_is_no_position_at_all_is_refused(document: Any) -> None:
    with pytest.raises(BadPosition):
        Game.from_position(document)


@pytest.mark.parametrize(
    ("parts", "changes", "said"),
    [
        ({}, [(("bank",), -3)], "bank: -3 is not 1 or more while the game goes on (R21)"),
        ({}, [(("bank",), 9999)], "bank: 9999 is not what is left of a supply of 1 to 9999 coins (R23)"),
        (
            {},
            [(("figures", 0), 13)],
            "figures: [13, 10, 12] is not the same number of 1 to 99 for each seat, with those on buildings",
        ),
        ({}, [(("figures", 0), -1)], "figures: -1 is not a whole number from 0 to 99"),
        ({}, [(("bishop",), 3)], "bishop: 3 is not a whole number from 0 to 2"),
        ({}, [(("special_supply",), 99)], "special_supply: 99 is not at most 99 with those held"),
        (
            {},
            [(("spent_special_this_turn",), True), (("special", 1), True)],
            "spent_special_this_turn: True is not possible: the seat has a tile (R8)",
        ),
        (
            {},
            [(("over",), True), (("to_move",), None)],
            "dice: [1, 2, 3, 6] is not as many as there can be: with those to be rolled 4, 2 or 1, and none once "
            "the game is over",
        ),
        (
            {},
            [(("over",), True), (("to_move",), None), (("dice",), []), (("spent_special_this_turn",), True)],
            "spent_special_this_turn: True is not possible once the game is over",
        ),
        ({}, [(("moves_made",), 1)], "moves_made: 1 is not 0, as the dice [1, 2, 3, 6] say"),
        (
            dict(owners={("glass", "Nenbrad"): 1}),
            [],
            "villages: occupied: ['glass@Nenbrad'] is not possible: every glass is occupied; R20 empties them",
        ),
        (
            dict(owners={(kind, "Nenbrad"): 0 for kind in ("inn", "farm", "church", "tailor")}),
            [],
            "villages: active: {'Nenbrad': False} is not the villages that R18 names: 3 others are occupied there",
        ),
        (
            dict(active=("Nenbrad",)),
            [],
            "villages: active: {'Nenbrad': True} is not within the villages whose inn is occupied",
        ),
        (
            dict(each=1, owners={("farm", "Nenbrad"): 0}),
            [],
            "figures: [0, 1] is not possible where a turn starts: its seat has none in hand (R4)",
        ),
        (
            dict(dice=(1, 3), special_supply=0),
            [],
            "dice: [1, 3] is not a handful with which there is anything to decide (R13, R14)",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_the_refusal_of_what_contradicts_a_rule_says_it_in_the_words_of_json(
    parts: dict[str, Any], changes: list[Any], said: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        Game.from_position(altered(position(**(parts or BASE)), *changes))
    assert str(refused.value) == said


def test_somebody_to_move_in_a_game_that_is_over_is_named() -> None:
    over = altered(position(**BASE), (("over",), True), (("dice",), []))
    with pytest.raises(BadPosition, match=rf"^to_move: {over['to_move']} is not None"):
        Game.from_position(over)


def test_games_are_equal_by_their_positions() -> None:
    """A limit of turns is a parameter, and no part of them."""
    one, other = game_at(max_turns=9), game_at(max_turns=None)
    assert one == other
    assert hash(one) == hash(other)
    assert one != game_at(coins=(1, 0))
    assert one != "another thing"


def test_the_rolls_that_can_come_are_those_that_are_due() -> None:
    assert game_at().chance_outcomes() == ()
    due = Game.new(2, seed=1)
    for game, dice in ((due, 4), *((reroll_of(count), count) for count in (1, 2))):
        outcomes = game.chance_outcomes()
        assert len({roll for roll, _ in outcomes}) == len(outcomes) == {1: 6, 2: 21, 4: 126}[dice]
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        assert all(len(roll) == dice and list(roll) == sorted(roll) for roll, _ in outcomes)


def reroll_of(count: int) -> Game:
    """A game in which so many dice are to be rolled again (R8)."""
    game = game_at(special=(True, False))
    return game.push(f"reroll {','.join(map(str, game.dice[:count]))}")


@pytest.mark.parametrize(
    ("villages", "said"),
    [
        (None, "villages: None is not a list of 1 to 9 villages"),
        ([], r"villages: \[\] is not a list"),
        ([3], "village number 1: 3 is not an object with name and buildings"),
        (
            [{"name": 3, "buildings": [{"kind": "farm", "owner": None}]}],
            "village number 1: .* is not an object with name",
        ),
        ([{"name": "X", "buildings": []}], "village number 1: .* is not an object"),
        ([{"name": "X", "buildings": [{"kind": "castle", "owner": None}]}], "village X: .* is not an object with kind"),
        ([{"name": "X", "buildings": [{"kind": "farm", "owner": 7}]}], "village X: farm: owner: 7 is not"),
        ([{"name": "X", "buildings": [{"kind": "inn", "owner": 0, "active": 1}]}], "village X: inn: active: 1 is not"),
        (
            [{"name": "X", "buildings": [{"kind": "manor", "owner": 0, "value": -1}]}],
            "village X: manor: value: -1 is not",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(villages: object, said: str) -> None:
    """Where a roll is due, and on villages of no board, a position can be drawn, but not read."""
    at = position(players=2) | {"dice": []}
    drawn = [{"name": "X", "buildings": [{"kind": "farm", "owner": 1}, {"kind": "inn", "owner": None}]}]
    assert players_of(at) == players_of(at | {"villages": drawn}) == 2
    with pytest.raises(BadPosition, match=said):
        players_of(at | {"villages": villages})
