"""A position as JSON and back (D32): all that is public, checked on the way in.

What only JSON can have wrong is refused here; what contradicts the rules, in ``check.py``, as for any other form. Last,
the position is written again: what was told of turn, flags, stacks and score has to be what follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..engine.checks import is_whole
from ..engine.errors import BadPosition, brief
from ..engine.game import difference
from .check import checked_states
from .rules import NO_STACK, root_of, stack_due
from .setup import MOST_NUMBER, Setup
from .state import GONE, LYING, NO_TILE, SCORING, State, new_states
from .tiles import FLAG_KIND, FLAGGED, IDS, LANDSCAPE, MOST_MARKERS, NUMBER, TASK_KIND, TASKS, TILES, TORUS

__all__ = ["read_position", "score_of", "write_position"]

_FIELDS: Final = (
    *("players", "turn", "to_move", "over", "tile", "cells", "open", "fulfilled", "aborted", "flags", "left"),
    *("stacks", "score"),
)


def score_of(s: State) -> dict[str, int]:
    """Return the score so far by its parts (D22)."""
    return dict(zip(SCORING, map(int, s["score"]), strict=True))


def write_position(s: State) -> dict[str, Any]:
    """Return the position JSON of ``s``, in which a player decides or the game is over, in plain Python types."""
    over = bool(s["end"])
    tiles, marked = s["tiles"].tolist(), s["marked"].tolist()
    cells = [(q, r, tile, turn) for tile, (there, q, r, turn) in enumerate(tiles) if there == LYING]

    def marker(tile: int) -> dict[str, Any]:
        return {"tile": IDS[tile], "number": marked[tile - LANDSCAPE] if tile >= LANDSCAPE else None}

    def markers(bits: int) -> list[dict[str, Any]]:
        return _by_tile([marker(LANDSCAPE + task) for task in range(TASKS) if bits >> task & 1])

    left = [marker(tile) for tile in range(TILES) if tiles[tile][0] == GONE]
    counted = [tile for tile in FLAGGED if tiles[tile][0] == LYING and not int(s["flags"]) >> tile & 1]
    return {
        "players": int(s["players"]),
        "turn": int(s["turn"]),
        "to_move": None if over else int(s["to_move"]),
        "over": over,
        "tile": None if s["hand"] == NO_TILE else {"tile": IDS[s["hand"]], "number": int(s["number"]) or None},
        "cells": [{"q": q, "r": r, "tile": IDS[tile], "rotation": turn} for q, r, tile, turn in sorted(cells)],
        "open": markers(int(s["open"])),
        "fulfilled": markers(int(s["fulfilled"])),
        "aborted": markers(int(s["aborted"])),
        "flags": [{"tile": IDS[tile], "points": _flag_points(s, tile)} for tile in counted],
        "left": _by_tile(left),
        "stacks": {
            "landscape": max(0, int(s["landscape"]).bit_count() - int(s["left_in_box"])),
            "task": int(s["tasks"]).bit_count(),
        },
        "score": score_of(s),
    }


def _by_tile(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(entries, key=lambda entry: str(entry["tile"]))


def _flag_points(s: State, tile: int) -> int:
    """Return what a flag that has counted gave: its territory is closed and has stayed as it was (D19)."""
    kind = int(FLAG_KIND[tile])
    return int(s["size"][kind, root_of(s["root"][kind], tile)])


class _Reader:
    """The fields of a position JSON, written into a blank record one by one; what does not fit is refused."""

    def __init__(self, data: Any, setup: Setup) -> None:
        if not isinstance(data, Mapping):
            raise BadPosition(f"a position is the JSON object that Game.position() gives, not {brief(data)}")
        for key in _FIELDS:
            if key not in data:
                raise BadPosition(f"{key}: missing")
        for key in data:
            if key not in _FIELDS:
                raise BadPosition(f"unknown field {brief(key)}; known are {', '.join(_FIELDS)}")
        self.data = data
        self.states = new_states(1)
        self.s = s = self.states[0]
        common = setup.common()[0]
        for name in ("open_tasks", "left_in_box", "window", "numbers", "landscape", "tasks", "markers"):
            s[name] = common[name]
        s["hidden"] = s["numbers"]
        s["players"] = _whole(data["players"], "players", 1, 6)
        s["hand"] = NO_TILE
        self.seen = set[int]()

    def tile(self, entry: Any, where: str, *keys: str) -> int:
        """Return the tile of an entry with exactly these other keys, which is in play and comes here only."""
        if not isinstance(entry, Mapping) or {*entry} != {"tile", *keys}:
            raise BadPosition(f"{where}: {brief(entry)} is not an object with exactly tile, {', '.join(keys)}")
        name = entry["tile"]
        if not isinstance(name, str) or name not in NUMBER:
            raise BadPosition(f"{where}.tile: {brief(name)} is no tile")
        return NUMBER[name]

    def see(self, tile: int, where: str) -> None:
        """Take a tile out of its stack."""
        name, bit = ("landscape", tile) if tile < LANDSCAPE else ("tasks", tile - LANDSCAPE)
        if not int(self.s[name]) >> bit & 1:
            told = "comes twice" if tile in self.seen else "is not in play in this set-up"
            raise BadPosition(f"{where}.tile: {IDS[tile]} {told}")
        self.seen.add(tile)
        self.s[name] = int(self.s[name]) & ~(1 << bit)

    def number(self, entry: Mapping[str, Any], tile: int, where: str) -> int:
        """Return the number of a tile's marker, of which the lowest not seen yet is taken; 0 for null."""
        number = entry["number"]
        if tile < LANDSCAPE:
            if number is not None:
                raise BadPosition(f"{where}.number: {brief(number)} is not null, and {IDS[tile]} has no marker")
            return 0
        number = _whole(number, f"{where}.number", 1, MOST_NUMBER)
        first = MOST_MARKERS * int(TASK_KIND[tile])
        for k in range(first, first + MOST_MARKERS):
            if self.s["hidden"][k] == number:
                self.s["hidden"][k] = 0
                self.s["markers"] = int(self.s["markers"]) & ~(1 << k)
                return number
        raise BadPosition(f"{where}.number: no such marker of type {IDS[tile][0]} is left for {number}")

    def rows(self, key: str) -> list[tuple[Any, str]]:
        value = self.data[key]
        if not isinstance(value, list | tuple):
            raise BadPosition(f"{key}: {brief(value)} is not a list")
        return [(entry, f"{key}[{i}]") for i, entry in enumerate(value)]

    def read(self) -> None:
        s, data = self.s, self.data
        for entry, where in self.rows("cells"):
            tile = self.tile(entry, where, "q", "r", "rotation")
            self.see(tile, where)
            q, r = (_whole(entry[name], f"{where}.{name}", 1 - TORUS, TORUS - 1) for name in ("q", "r"))
            s["tiles"][tile] = LYING, q, r, _whole(entry["rotation"], f"{where}.rotation", 0, 5)
        marked = set[int]()
        for key in ("open", "fulfilled", "aborted"):
            for entry, where in self.rows(key):
                tile = self.tile(entry, where, "number")
                if tile < LANDSCAPE or s["tiles"][tile, 0] != LYING or tile in marked:
                    raise BadPosition(f"{where}.tile: {IDS[tile]} is not a task tile that lies and has one marker")
                marked.add(tile)
                s["marked"][tile - LANDSCAPE] = self.number(entry, tile, where)
                s[key] |= np.uint32(1 << (tile - LANDSCAPE))
        for tile in range(LANDSCAPE, TILES):
            if s["tiles"][tile, 0] == LYING and tile not in marked:
                raise BadPosition(
                    f"open: task tile {IDS[tile]} lies, and its marker is in none of open, fulfilled, aborted"
                )
        for entry, where in self.rows("left"):
            tile = self.tile(entry, where, "number")
            self.see(tile, where)
            s["tiles"][tile, 0] = GONE
            number = self.number(entry, tile, where)
            if number:
                s["marked"][tile - LANDSCAPE] = number
        if not isinstance(data["over"], bool):
            raise BadPosition(f"over: {brief(data['over'])} is not true or false")
        if data["tile"] is None:
            due = int(stack_due(s))
            if due != NO_STACK or not data["over"]:
                raise BadPosition("tile: null, where a tile is to be placed or revealed")
        else:
            tile = self.tile(data["tile"], "tile", "number")
            self.see(tile, "tile")
            s["hand"], s["number"] = tile, self.number(data["tile"], tile, "tile")


def read_position(data: Mapping[str, Any], options: Mapping[str, Any]) -> np.ndarray:
    """Return the record of a position JSON, shape (1,), dtype STATE.

    options: the parameters of its set-up, as ``Setup.of`` takes them, without the players.

    Raises:
        BadPosition: the position contradicts itself or the rules; the message names the field.
        BadSetup: a parameter is not as ``Setup.of`` has it.
    """
    read = _Reader(data, Setup.of(1, **options))
    read.read()
    states = checked_states(read.states, rebuild=True)
    if found := difference(data, write_position(states[0]), ""):
        raise BadPosition(found.replace("the replay gives", "from the rest follows"))
    return states


def _whole(value: Any, where: str, low: int, high: int) -> int:
    if not is_whole(value, low, high):
        raise BadPosition(f"{where}: {brief(value)} is not a whole number from {low} to {high}")
    return int(value)
