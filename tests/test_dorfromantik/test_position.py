"""Positions as JSON, there and back (D32); what cannot be is refused with the field that is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.engine.errors import BadPosition, BadSetup, ChanceNeeded
from tests.test_dorfromantik.laid import laid
from tests.test_dorfromantik.positions import VARIANTS, decisions, games


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_there_and_back(variant: int) -> None:
    for game in decisions(variant, 5)[::4]:
        data = json.loads(json.dumps(game.position()))
        back = Game.from_position(data, **VARIANTS[variant])
        assert back.position() == data
        assert back == game
        assert hash(back) == hash(game)
        assert back.legal_actions == game.legal_actions
        assert back.seed is None
        numbers = {key: {row["tile"]: row["number"] for row in data[key]} for key in ("open", "fulfilled", "aborted")}
        assert (game.open, {*game.fulfilled}, {*game.aborted}) == (numbers.pop("open"), *map(set, numbers.values()))
        assert not game.over or game.outcome().winners == ()


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


def set_field(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.__setitem__(key, value)


def set_entry(key: str, field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data[key][0].__setitem__(field, value)


def move_entry(key: str, to: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data[to].append(data[key].pop())


BAD: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("a field is missing", lambda data: data.pop("left"), "left: missing"),
    ("turn", set_field("turn", 3), "turn: 3; the rest gives"),
    (
        "a cell far away",
        set_entry("cells", "q", 22),
        r"cells: L29 at \+22\+5 r5 is farther from others than the window is wide",
    ),
    ("a cell out of the torus", set_entry("cells", "q", 23), r"cells\[0\].q: 23 is not a whole number from -22 to 22"),
    ("a cell twice", lambda data: data["cells"].append(data["cells"][0]), r"cells\[\d+\].tile: .* comes twice"),
    ("cells in another order", lambda data: data["cells"].reverse(), r"cells\[0\].q: 5; the rest gives -5"),
    ("a marker open instead of fulfilled", move_entry("fulfilled", "open"), r"open\[\d\]: not by D16"),
    ("a marker aborted instead of open", move_entry("open", "aborted"), r"aborted\[\d+\]: not by D16"),
    ("a marker forgotten", lambda data: data["open"].pop(), "open: it says nothing of"),
    (
        "a marker twice",
        lambda data: data["open"].append(data["fulfilled"][0]),
        r"open\[3\]: not by D16: it asks 4 tiles; 5 lie, with 0 open edges",
    ),
    ("a number of no marker", set_entry("fulfilled", "number", 3), r"fulfilled\[0\].number: no marker 3"),
    ("flag points", set_entry("flags", "points", 9), r"flags\[0\].points: 9; the rest gives"),
    ("left", set_field("left", [{"tile": "L01", "number": None}]), "turn: 44; the rest gives 45"),
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


def test_d9_edges_that_do_not_fit() -> None:
    data = at("TWO_FLAGS", "L30")
    data["cells"][0]["tile"] = "L46"
    with pytest.raises(BadPosition, match="does not fit its neighbours"):
        Game.from_position(data, tasks=[])


def test_d25_a_rotation_that_looks_like_a_lower_one() -> None:
    data = at("L18 0 0 0, L17 1 0 1", "L30")
    data["cells"][1]["rotation"] = 3
    with pytest.raises(BadPosition, match=r"L17 at .1.0 r3 .*D25"):
        Game.from_position(data, tasks=[])


def test_d4_the_stack_of_the_tile() -> None:
    data = at("STREAM_OF_FOUR", "S2", 6)
    data["tile"] = {"tile": "L01", "number": None}
    with pytest.raises(BadPosition, match="tile: L01 is not of the stack that D4 names"):
        Game.from_position(data, tasks=only("STREAM_OF_FOUR", "S2"))


def test_d4_a_task_tile_needs_its_marker() -> None:
    data = at("STREAM_OF_FOUR", "S2", 6)
    data["tile"]["number"] = None
    with pytest.raises(BadPosition, match="with its number if it is a task tile"):
        Game.from_position(data, tasks=only("STREAM_OF_FOUR", "S2"))
    data["tile"]["number"] = 3
    with pytest.raises(BadPosition, match=r"tile.number: no marker 3 of the type of S2 is left"):
        Game.from_position(data, tasks=only("STREAM_OF_FOUR", "S2"))


def test_d7_the_first_tile() -> None:
    data = at("L18 0 0 0", "L30")
    data["cells"][0]["q"] = 1
    with pytest.raises(BadPosition, match=r"cells: L18: the first lies at \+0\+0 r0"):
        Game.from_position(data, tasks=[])


def test_d13_a_tile_without_a_move_is_not_in_hand() -> None:
    data = at("L18 0 0 0", "L30")
    with pytest.raises(BadPosition, match="tile: L30 has no legal move"):
        Game.from_position(data, tasks=[], window=1)


def test_d2_tiles_in_the_box_were_not_seen() -> None:
    data = at("L18 0 0 0", "L30")
    with pytest.raises(BadPosition, match=r"stacks.landscape: 43; the rest gives 42"):
        Game.from_position(data, tasks=[], left_in_box=4)
    with pytest.raises(BadPosition, match="tile: L30 is not of the stack that D4 names"):
        Game.from_position(data, tasks=[], landscape=["L18", "L30"], left_in_box=1)
    with pytest.raises(BadPosition, match=r"cells\[0\].tile: L18 comes twice, or is not in play"):
        Game.from_position(data, tasks=[], landscape=["L30"], left_in_box=0)


def test_d2_more_tiles_than_the_stack_has() -> None:
    data = at("L18 0 0 0, L28 1 0 0", "L30")
    data["tile"] = None
    with pytest.raises(BadPosition, match="cells: more landscape tiles were seen than D2 allows; 2 stay in the box"):
        Game.from_position(data, tasks=[], landscape=["L18", "L28", "L01"], left_in_box=2)


def test_d7_the_first_tile_does_not_leave() -> None:
    data = at("L18 0 0 0", "L30")
    data["cells"], data["left"] = [], [{"tile": "L18", "number": None}]
    with pytest.raises(BadPosition, match="left: the first tile has a move"):
        Game.from_position(data, tasks=[])


def test_d4_more_open_markers_than_may_lie_out() -> None:
    data = at("STREAM_OF_FOUR", "S2", 6)
    assert len(data["open"]) == 2
    with pytest.raises(BadPosition, match="open: 2 markers lie out, more than 1"):
        Game.from_position(data, tasks=only("STREAM_OF_FOUR", "S2"), open_tasks=1)


def test_parameters_are_those_of_a_set_up() -> None:
    data, unknown = games(0, 3)[4].state_dict(), dict[str, Any](widow=3)
    with pytest.raises(BadSetup, match="window 0"):
        Game.from_position(data, window=0)
    with pytest.raises(BadSetup, match="unknown parameter 'widow'"):
        Game.from_position(data, **unknown)
