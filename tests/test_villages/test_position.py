"""Positions as JSON: the form, what is read back, and what is refused."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bohemian_env import BadDice, BadPosition, Board, Game, GameOver, NoRollNeeded, RollNeeded
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


def begun() -> Game:
    return Game.new(players=2, villages=SIX, board=BOARD)


def again() -> Game:
    """A game in which two dice are to be rolled again."""
    return game_at(special=(0,)).push("reroll 1,2")


@pytest.mark.parametrize("begin", [begun, again, lambda: game_at(dice=(1, 2)).push("end")])
def test_no_position_before_a_roll(begin: Callable[[], Game]) -> None:
    game = begin()
    assert game.needs_roll
    with pytest.raises(RollNeeded):
        game.position()


WRONG_ROLLS: list[tuple[Callable[[], Game], tuple[Any, ...], type[Exception]]] = [
    *((begun, dice, BadDice) for dice in [(), (1, 2, 3), (1, 2, 3, 4, 5), (0, 1, 2, 3), (1, 2, 3, 7), (1, 2, 3, -4)]),
    *((again, dice, BadDice) for dice in [(1,), (1, 2, 3), (1, 2, 3, 4)]),
    (game_at, (1, 2, 3, 4), NoRollNeeded),
    (lambda: game_at(dice=(1, 2), max_turns=1).push("end"), (1, 2, 3, 4), GameOver),
]


@pytest.mark.parametrize(("begin", "dice", "error"), WRONG_ROLLS)
def test_rolls_that_cannot_be_are_refused(
    begin: Callable[[], Game], dice: tuple[Any, ...], error: type[Exception]
) -> None:
    with pytest.raises(error):
        begin().roll(dice)


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
    players=3, turn=17, villages=("Grundow", "Itschkau", "Nenbrad"), dice=(1, 2, 3, 6), coins=(12, 9, 15), bank=264,
    bishop=2, special=(0,), special_supply=3, active=("Nenbrad",),
    owners={("mill", "Grundow"): 1, ("glass", "Grundow"): 0, ("glass", "Itschkau"): 1, ("inn", "Nenbrad"): 2,
            ("manor", "Itschkau"): 1},
)  # fmt: skip
GRUNDOW, ITSCHKAU, NENBRAD = (("villages", index, "buildings") for index in range(3))
INN, TOWN_HALL, MANOR = (*NENBRAD, 4), (*NENBRAD, 5), (*GRUNDOW, 6)


def test_the_position_that_is_altered_below_is_a_good_one() -> None:
    assert Game.from_position(position(**BASE)).position() == position(**BASE)


WRONG = {
    "players: too many": [(("players",), 6)],
    "to_move: not by the turn": [(("to_move",), 0)],
    "dice: not ascending": [(("dice",), [2, 1, 3, 6])],
    "dice: a 7": [(("dice",), [1, 2, 3, 7])],
    "glass: the tile of another": [(("glass",), [1, 0, 1])],
    "villages: one twice": [(("villages", 1, "name"), "Grundow")],
    "village: no buildings": [(("villages",), [*position(**BASE)["villages"], {"name": "Obethal", "buildings": []}])],
    "kind: unknown": [((*GRUNDOW, 0, "kind"), "brewery")],
    "buildings: not by their totals": [((*GRUNDOW, 0, "kind"), "tailor"), ((*GRUNDOW, 1, "kind"), "bakery")],
    "inn: active and free": [((*INN, "owner"), None), (("figures", 2), 13)],
    "inn: without `active`": [((*INN, "active"), MISSING)],
    "`active` on a farm": [((*NENBRAD, 3, "active"), True)],
    "town hall: without a value": [((*TOWN_HALL, "value"), MISSING)],
    "an unknown key": [(("weather",), "fine")],
}  # fmt: skip


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG.keys())
def test_a_position_that_contradicts_itself_or_the_page_is_refused(changes: list[Any]) -> None:
    with pytest.raises(BadPosition):
        Game.from_position(altered(position(**BASE), *changes))


IMPOSSIBLE = {
    "no move and no reroll, so the turn has passed (R13)": dict(
        villages=("Chlumhof",), owners={("manor", "Chlumhof"): 1}, dice=(6, 6, 6, 6), bishop=0, special_supply=0
    ),
    "one die and no tile (R14)": dict(dice=(5,)),
    "no figure in hand at the start of the turn (R4)": dict(each=1, owners={("farm", "Nenbrad"): 0}),
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


@pytest.mark.parametrize(
    ("parts", "changes", "said"),
    [
        ({}, [(("bank",), -3)], "bank: -3 is not 1 or more while the game goes on (R21)"),
        ({}, [(("figures", 0), -1)], "figures[0]: -1 is not a whole number from 0 to 99"),
        ({}, [(("special_supply",), 99)], "special_supply: 99 is not at most 99 with those held"),
        ({}, [(("moves_made",), 1)], "moves_made: 1 is not 0, as the dice [1, 2, 3, 6] say"),
        ({}, [(("over",), True), (("dice",), [])], "to_move: 1 is not None, whose turn number 17 of 3 players is"),
        (dict(owners={("glass", "Nenbrad"): 1}), [],
         "villages: occupied: ['glass@Nenbrad'] is not possible: every glass is occupied; R20 empties them"),
        (dict(active=("Nenbrad",)), [],
         "villages: active: {'Nenbrad': True} is not within the villages whose inn is occupied"),
        (dict(dice=(1, 3), special_supply=0), [],
         "dice: [1, 3] is not a handful with which there is anything to decide (R13, R14)"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)  # fmt: skip
def test_the_refusal_of_what_contradicts_a_rule_says_it_in_the_words_of_json(
    parts: dict[str, Any], changes: list[Any], said: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        Game.from_position(altered(position(**(parts or BASE)), *changes))
    assert str(refused.value) == said


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
