"""A position as JSON and back (D32): all that is public, checked on the way in.

A position is read by laying its tiles anew, in any order that works. What was told besides, such as turn, flags and
score, then has to be what follows.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..engine.errors import BadPosition, brief
from ..engine.states import check_agrees, check_form
from . import rules, tiles
from .moves import cell_of
from .setup import MOST_NUMBER, Setup
from .state import GONE, LYING, NO_TILE, SCORING, State
from .tiles import IDS, LANDSCAPE, MOST_MARKERS, NUMBER, TASK_KIND, TASKS, TILES

_MARKER_FIELDS: Final = ("open", "fulfilled", "aborted")
_TOLD: Final = ("players", "tile", "cells", *_MARKER_FIELDS, "left")
_TILE: Final = frozenset(IDS)
_SHOWN: Final = range(10**4 + 1)  # what follows from the rest
_AWAY: Final = range(1 - tiles.WINDOW, tiles.WINDOW)
_MARKED: Final = {"tile": _TILE, "number": range(1, MOST_NUMBER + 1)}
_REVEALED: Final = {"tile": _TILE, "number": (_MARKED["number"],)}
FORM: Final = {
    "players": range(1, tiles.MOST_PLAYERS + 1),
    "turn": _SHOWN,
    "to_move": (range(tiles.MOST_PLAYERS),),
    "over": bool,
    "tile": (_REVEALED,),
    "cells": [{"q": _AWAY, "r": _AWAY, "tile": _TILE, "rotation": range(6)}],
    "open": [_MARKED],
    "fulfilled": [_MARKED],
    "aborted": [_MARKED],
    "flags": [{"tile": _TILE, "points": range(1, MOST_NUMBER + 1)}],
    "left": [_REVEALED],
    "stacks": {"landscape": range(LANDSCAPE + 1), "task": range(TASKS + 1)},
    "score": dict.fromkeys(SCORING, _SHOWN),
}
"""The form of a position JSON (``check_form``)."""


def score_of(s: State) -> dict[str, int]:
    """Return the score so far by its parts (D22)."""
    return dict(zip(SCORING, map(int, s["score"]), strict=True))


def task_ids(bits: int) -> list[str]:
    """Return the ids of a set of task tiles, ascending."""
    return sorted(IDS[LANDSCAPE + task] for task in range(TASKS) if int(bits) >> task & 1)


def told_of(s: State) -> dict[str, Any]:
    """Return what a position tells that does not follow from the rest, whatever is in the record."""
    where = s["tiles"].tolist()
    lying = sorted((*where[tile][1:3], tile) for tile in range(TILES) if where[tile][0] == LYING)

    def entry(name: str) -> dict[str, Any]:
        number = int(s["marked"][NUMBER[name] - LANDSCAPE]) if NUMBER[name] >= LANDSCAPE else None
        return {"tile": name, "number": number}

    told: dict[str, Any] = {name: [*map(entry, task_ids(s[name]))] for name in _MARKER_FIELDS}
    told["players"] = int(s["players"])
    told["tile"] = {"tile": IDS[s["hand"]], "number": int(s["number"]) or None} if 0 <= s["hand"] < TILES else None
    told["cells"] = [{"q": q, "r": r, "tile": IDS[tile], "rotation": where[tile][3]} for q, r, tile in lying]
    told["left"] = [entry(name) for name in sorted(IDS) if where[NUMBER[name]][0] == GONE]
    return told


def write_position(s: State, pieces: Any = ()) -> dict[str, Any]:
    """Return the position JSON of ``s`` in plain Python types; where chance is due, as far as all is revealed."""
    over, kinds = bool(s["end"]), tiles.FLAG_KIND
    counted = [tile for tile in tiles.FLAGGED if s["tiles"][tile, 0] == LYING and not int(s["flags"]) >> tile & 1]
    points = [s["size"][kinds[tile], s["territory"][kinds[tile], tile]] for tile in counted]  # of then, being closed
    told = told_of(s) | {
        "turn": int(s["turn"]),
        "to_move": None if over else int(s["to_move"]),
        "over": over,
        "flags": [{"tile": IDS[tile], "points": int(flag)} for tile, flag in zip(counted, points, strict=True)],
        "stacks": {
            "landscape": max(int(s["landscape"]).bit_count() - int(s["left_in_box"]), 0),
            "task": int(s["tasks"]).bit_count(),
        },
        "score": score_of(s),
    }
    return {name: told[name] for name in FORM}


def read_position(data: Any, **options: Any) -> tuple[np.ndarray, Any]:
    """Return the record of a position JSON, shape (1,), dtype STATE, and its pieces: none.

    options: the parameters of its set-up, as ``Setup.of`` takes them, without the players. Raises BadPosition: the
    position contradicts itself or the rules; the message names the field. BadSetup: a parameter is not as ``Setup.of``
    has it.
    """
    check_form(data, FORM)
    states = build(data, Setup.of(data["players"], **options))
    if states[0]["pending"]:
        raise BadPosition(f"tile: {brief(data['tile'])} is not the revealed tile, with its number if it is a task tile")
    check_agrees(data, write_position(states[0]))
    return states, ()


def build(told: Mapping[str, Any], setup: Setup) -> np.ndarray:
    """Return the record, shape (1,), of what :func:`told_of` tells. Raises BadPosition if the rules have none."""
    check_form(told, {name: FORM[name] for name in _TOLD})
    states = setup.start().new_state()
    s = states[0]
    cells = {}
    for where, entry, tile in _entries(told, "cells"):
        cells[tile] = entry["q"], entry["r"], entry["rotation"]
        _take(s, tile, where)
    _lay_all(s, cells)
    for where, entry, tile in _entries(told, "left"):
        _take(s, tile, where)
        s["tiles"][tile, 0] = GONE
        if tile >= LANDSCAPE:
            _mark(s, entry, tile, where)
        elif entry["number"] is not None:
            raise BadPosition(f"{where}.number: {brief(entry['number'])} is not null")
    _read_markers(s, told)
    if int(s["landscape"]).bit_count() < setup.left_in_box:
        raise BadPosition(f"cells: more landscape tiles were seen than D2 allows; {setup.left_in_box} stay in the box")
    if told["left"] and not cells:
        raise BadPosition("left: the first tile has a move (D7), so that it does not leave")
    s["turn"] = len(cells) + len(told["left"])
    rules.go_on(s)
    if told["tile"] is not None:
        _reveal(s, told["tile"])
    return states


def _entries(told: Mapping[str, Any], key: str) -> list[tuple[str, Mapping[str, Any], int]]:
    """Return the place, the entry and the tile of all entries of a list."""
    return [(f"{key}[{i}]", entry, NUMBER[entry["tile"]]) for i, entry in enumerate(told[key])]


def _take(s: State, tile: int, where: str) -> None:
    name, place = ("landscape", tile) if tile < LANDSCAPE else ("tasks", tile - LANDSCAPE)
    if not int(s[name]) >> place & 1:
        raise BadPosition(f"{where}.tile: {IDS[tile]} comes twice, or is not in play")
    s[name] = int(s[name]) & ~(1 << place)


def _marker(s: State, entry: Mapping[str, Any], tile: int, where: str) -> int:
    """Return the marker of a task tile: one with its number that was not seen yet."""
    number = entry["number"]
    for k in range(MOST_MARKERS * TASK_KIND[tile], MOST_MARKERS * (TASK_KIND[tile] + 1)):
        if s["numbers"][k] == number and int(s["markers"]) >> k & 1:
            return k
    raise BadPosition(f"{where}.number: no marker {number} of the type of {IDS[tile]} is left for it")


def _mark(s: State, entry: Mapping[str, Any], tile: int, where: str) -> int:
    """Take a marker out of its stack for a task tile, and return its number."""
    k = _marker(s, entry, tile, where)
    s["markers"] = int(s["markers"]) & ~(1 << k)
    rules.hide(s, k)
    s["marked"][tile - LANDSCAPE] = s["numbers"][k]
    return int(s["numbers"][k])


def _lay_all(s: State, cells: dict[int, tuple[int, int, int]]) -> None:
    """Lay tiles in any order in which each touches those before it: the territories are the same (D14)."""
    left = dict(cells)
    while left:
        before = len(left)
        for tile, (q, r, turn) in [*left.items()]:
            place = int(s["cells"][cell_of(q, r)]) - rules.FRONTIER
            if place < 0 or (len(left) == len(cells)) != (q == r == turn == 0):
                continue
            name = f"cells: {IDS[tile]} at {q:+d}{r:+d} r{turn}"
            fits = tiles.FITS[tiles.FITS_AS[tile], s["frontier"][place] & tiles.PATTERN]
            if not fits >> turn & 1:
                raise BadPosition(f"{name} does not fit its neighbours (D9), or looks like a lower rotation (D25)")
            rules.lay(s, tile, cell_of(q, r), turn)
            if tuple(s["tiles"][tile, 1:3]) != (q, r) or max(s["span"][1::2] - s["span"][::2]) >= s["window"]:
                raise BadPosition(f"{name} is farther from others than the window is wide (D26)")
            del left[tile]
        if len(left) == before:
            told = "the first lies at +0+0 r0 (D7), and each other one beside one that lies, in a cell of its own (D8)"
            raise BadPosition(f"cells: {', '.join(IDS[tile] for tile in left)}: {told}")


def _read_markers(s: State, told: Mapping[str, Any]) -> None:
    """Read what became of the markers on task tiles that lie, and see that D16 lets it be so."""
    lying = {tile for tile in range(LANDSCAPE, TILES) if s["tiles"][tile, 0] == LYING}
    for key in _MARKER_FIELDS:
        for where, entry, tile in _entries(told, key):
            if tile not in lying:
                raise BadPosition(f"{where}.tile: {IDS[tile]} is not a task tile that lies and comes once")
            lying.remove(tile)
            number, there = _mark(s, entry, tile, where), s["territory"][TASK_KIND[tile], tile]
            size, edges = (int(s[name][TASK_KIND[tile], there]) for name in ("size", "edges"))
            lies_out = size < number and edges > 0
            fits = {"open": lies_out, "fulfilled": size >= number, "aborted": not lies_out and size != number}
            if not fits[key]:
                raise BadPosition(f"{where}: not by D16: it asks {number} tiles; {size} lie, with {edges} open edges")
            s[key] |= np.uint32(1 << (tile - LANDSCAPE))
            s["score"][0] += number if key == "fulfilled" else 0
    if lying:
        raise BadPosition(f"open: it says nothing of {', '.join(IDS[tile] for tile in sorted(lying))}, nor do others")
    if int(s["open"]).bit_count() > s["open_tasks"]:
        raise BadPosition(f"open: {int(s['open']).bit_count()} markers lie out, more than {s['open_tasks']} (D4)")
    rules.judge(s)


def _reveal(s: State, told: Any) -> None:
    """Reveal the tile in hand, and its marker unless that is due."""
    tile = NUMBER[told["tile"]]
    stack = rules.TASK_STACK if tile >= LANDSCAPE else rules.LANDSCAPE_STACK
    if rules.stack_due(s) != stack:
        raise BadPosition(f"tile: {IDS[tile]} is not of the stack that D4 names")
    _take(s, tile, "tile")
    rules.deal(s, tile)
    if tile < LANDSCAPE and told["number"] is not None:
        raise BadPosition(f"tile.number: {brief(told['number'])} is not null")
    if tile >= LANDSCAPE and told["number"] is not None:
        rules.deal(s, _marker(s, told, tile, "tile"))
    if s["hand"] == NO_TILE:
        raise BadPosition(f"tile: {IDS[tile]} has no legal move, so that it leaves the game (D13)")
