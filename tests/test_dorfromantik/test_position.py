"""Positions as JSON, there and back (D32); what cannot be is refused with the field that is wrong."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.engine.errors import BadPosition, BadSetup, ChanceNeeded
from tests.helpers import altered
from tests.test_dorfromantik.laid import laid
from tests.test_dorfromantik.positions import VARIANTS, decisions, games


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_there_and_back(variant: int) -> None:
    """Positions where there are some, and records at every moment: they tell what was drawn, and no seed."""
    for game in games(variant, 5)[::7]:
        told = [(Game.from_record(json.loads(json.dumps(game.record()))), "record")]
        if not game.needs_chance:
            told += [(Game.from_position(json.loads(json.dumps(game.position())), **VARIANTS[variant]), "position")]
            numbers = {key: {row["tile"]: row["number"] for row in rows} for key, rows in lists(game).items()}
            assert game.open == numbers["open"]
            assert ({*game.fulfilled}, {*game.aborted}) == ({*numbers["fulfilled"]}, {*numbers["aborted"]})
        for back, name in told:
            assert (back, hash(back), back.seed) == (game, hash(game), None)
            assert getattr(back, name)() == getattr(game, name)()
            assert back.legal_actions == game.legal_actions
        assert told[0][0].setup == game.setup
        assert not game.over or game.outcome().winners == ()


def lists(game: Game) -> dict[str, list[dict[str, Any]]]:
    """The task tiles whose markers lie out, are fulfilled and are aborted, as the position has them."""
    return {name: game.position()[name] for name in ("open", "fulfilled", "aborted")}


def test_positions_that_came_about_in_other_ways_are_equal() -> None:
    first = Game.new(left_in_box=0, tasks=[])
    second = first
    tiles = [("L33", "+0+0 r0"), ("L18", "+1+0 r0"), ("L42", "-1+0 r0")]
    for tile, move in tiles:
        first = first.deal(tile).push(move)
    for tile, move in (tiles[0], tiles[2], tiles[1]):
        second = second.deal(tile).push(move)
    assert first.states.tobytes() != second.states.tobytes(), "the frontier is in another order"
    assert first == second
    assert hash(first) == hash(second)
    assert first != second.deal("L01")


def test_equal_markers_make_equal_positions() -> None:
    numbers = [5, 5]  # of the two fives of a type, each was seen in one game
    begun = [Game.new(seed=seed) for seed in range(200)]
    seen: dict[int, set[bytes]] = {}
    for game in begun:
        game = game.deal("W1").deal()
        if game.number == numbers[0]:
            seen.setdefault(hash(game), set()).add(game.states["markers"].tobytes())
            assert game == Game.new().deal("W1").deal(5)
    assert [len(ways) for ways in seen.values()] == [2]


def test_there_is_no_position_where_chance_is_due() -> None:
    game = Game.new()
    with pytest.raises(ChanceNeeded, match="a tile of the task stack has to be revealed"):
        game.position()
    with pytest.raises(ChanceNeeded, match="a marker of type W has to be revealed, for task tile W1"):
        game.deal("W1").position()
    assert game.state_dict()["tile"] is None
    assert game.deal("W1").state_dict()["tile"] == {"tile": "W1", "number": None}


def late() -> dict[str, Any]:
    """A position late in a game, with something in every list but `left`."""
    for seed in range(40):
        for game in decisions(0, seed)[-12:-2]:
            data = game.position()
            if all(data[key] for key in ("open", "fulfilled", "aborted", "flags")) and data["tile"]["number"] is None:
                return data
    raise AssertionError("none of these games has such a position")


FAR = r"cells: L29 at \+22\+5 r5 is farther from others than the window is wide"
TWICE = r"open\[3\]: not by D16: it asks 4 tiles; 5 lie, with 0 open edges"
BAD: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("a field is missing", lambda d: d.pop("left"), "left: missing"),
    ("turn", lambda d: d.update(turn=3), "turn: 3; the rest gives"),
    ("a cell far away", lambda d: d["cells"][0].update(q=22), FAR),
    (
        "out of the torus",
        lambda d: d["cells"][0].update(q=23),
        r"cells\[0\].q: 23 is not a whole number from -22 to 22",
    ),
    ("a cell twice", lambda d: d["cells"].append(d["cells"][0]), r"cells\[\d+\].tile: .* comes twice"),
    ("cells in another order", lambda d: d["cells"].reverse(), r"cells\[0\].q: 5; the rest gives -5"),
    ("open instead of fulfilled", lambda d: d["open"].append(d["fulfilled"].pop()), r"open\[\d\]: not by D16"),
    ("aborted instead of open", lambda d: d["aborted"].append(d["open"].pop()), r"aborted\[\d+\]: not by D16"),
    ("a marker forgotten", lambda d: d["open"].pop(), "open: it says nothing of"),
    ("a marker twice", lambda d: d["open"].append(d["fulfilled"][0]), TWICE),
    ("a number of no marker", lambda d: d["fulfilled"][0].update(number=3), r"fulfilled\[0\].number: no marker 3"),
    ("flag points", lambda d: d["flags"][0].update(points=9), r"flags\[0\].points: 9; the rest gives"),
    ("left", lambda d: d.update(left=[{"tile": "L01", "number": None}]), "turn: 44; the rest gives 45"),
]


@pytest.mark.parametrize(("change", "told"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], Any], told: str) -> None:
    data = copy.deepcopy(late())
    Game.from_position(data)
    change(data)
    with pytest.raises(BadPosition, match=told):
        Game.from_position(data)


def at(tiles: str, tile: str, number: int | None = None) -> dict[str, Any]:
    """The position with some tiles laid and one revealed."""
    game = Game.new(tasks=only(tiles, *[tile] * (number is not None)))
    for name, its_number, q, r, rotation in laid(tiles):
        game = game.deal(name) if its_number is None else game.deal(name).deal(its_number)
        game = game.push(f"{q:+d}{r:+d} r{rotation}")
    game = game.deal(tile)
    return (game if number is None else game.deal(number)).position()


def only(tiles: str, *more: str) -> list[str]:
    """The task tiles among those laid, and more."""
    return [name for name, number, *_ in laid(tiles) if number] + list(more)


STREAM, LOW = ("STREAM_OF_FOUR", "S2", 6), ("L18 0 0 0", "L30")
RULINGS: dict[str, tuple[Any, list[tuple[tuple[str | int, ...], Any]], dict[str, Any], str]] = {
    "D9 edges do not fit": (("TWO_FLAGS", "L30"), [(("cells", 0, "tile"), "L46")], {}, "does not fit its neighbours"),
    "D25 a rotation that looks like a lower one": (
        ("L18 0 0 0, L17 1 0 1", "L30"), [(("cells", 1, "rotation"), 3)], {}, r"L17 at .1.0 r3 .*D25",
    ),
    "D4 the stack of the tile": (
        STREAM, [(("tile",), {"tile": "L01", "number": None})], {}, "tile: L01 is not of the stack that D4 names",
    ),
    "D4 a task needs its marker": (STREAM, [(("tile", "number"), None)], {}, "with its number if it is a task tile"),
    "D4 and one of its type": (
        STREAM, [(("tile", "number"), 3)], {}, r"tile.number: no marker 3 of the type of S2 is left",
    ),
    "D4 more open markers than may lie out": (STREAM, [], {"open_tasks": 1}, "open: 2 markers lie out, more than 1"),
    "D7 the first tile": (LOW, [(("cells", 0, "q"), 1)], {}, r"cells: L18: the first lies at \+0\+0 r0"),
    "D7 the first tile does not leave": (
        LOW, [(("cells",), []), (("left",), [{"tile": "L18", "number": None}])], {}, "left: the first tile has a move",
    ),
    "D13 a tile without a move is not in hand": (LOW, [], {"window": 1}, "tile: L30 has no legal move"),
    "D2 tiles in the box were not seen": (LOW, [], {"left_in_box": 4}, "stacks.landscape: 43; the rest gives 42"),
    "D2 nor the one in hand": (
        LOW, [], {"landscape": ["L18", "L30"], "left_in_box": 1}, "tile: L30 is not of the stack that D4 names",
    ),
    "D2 nor those that lie": (
        LOW, [], {"landscape": ["L30"], "left_in_box": 0}, r"cells\[0\].tile: L18 comes twice, or is not in play",
    ),
    "D2 more tiles than the stack has": (
        ("L18 0 0 0, L28 1 0 0", "L30"), [(("tile",), None)],
        {"landscape": ["L18", "L28", "L01"], "left_in_box": 2},
        "cells: more landscape tiles were seen than D2 allows; 2 stay in the box",
    ),
}  # fmt: skip
"""A position: tiles laid and one revealed; what is changed in it, the game that it is read as, and what is told."""


@pytest.mark.parametrize(("there", "changes", "variant", "told"), RULINGS.values(), ids=RULINGS)
def test_what_a_ruling_forbids_is_refused(there: Any, changes: Any, variant: dict[str, Any], told: str) -> None:
    data, tasks = at(*there), only(there[0], *there[1:2] * (len(there) > 2))
    assert Game.from_position(data, tasks=tasks).position() == data
    with pytest.raises(BadPosition, match=told):
        Game.from_position(altered(data, *changes), tasks=tasks, **variant)


def test_parameters_are_those_of_a_set_up() -> None:
    data, unknown = games(0, 3)[4].state_dict(), dict[str, Any](widow=3)
    with pytest.raises(BadSetup, match="window 0"):
        Game.from_position(data, window=0)
    with pytest.raises(BadSetup, match="unknown parameter 'widow'"):
        Game.from_position(data, **unknown)
