"""What drawings show: the position's JSON, checked as far as they read it, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

from ...engine.checks import is_truth, is_whole, printable, texts_of
from ...engine.contract import Outcome
from ...engine.errors import BadPosition, BadSetup, brief
from ..setup import MOST_NUMBER
from ..state import SCORING
from ..tiles import (
    DIRECTIONS,
    EDGES,
    FLAG_KIND,
    FLAGGED,
    IDS,
    KINDS,
    LANDSCAPE,
    MOST_PLAYERS,
    NUMBER,
    TASK_KIND,
    WINDOW,
)

__all__ = ["Cell", "Scene", "Stake", "caption", "description", "flag_of", "letters_of", "state", "task_of", "title"]

Cell: TypeAlias = tuple[int, int]
"""q and r (D29)."""
_WORDS: Final = dict(zip(KINDS, ("forest", "grain", "village", "track", "stream"), strict=True))


def letters_of(tile: str, rotation: int) -> str:
    """Return the edges of a tile by direction: edge i shows in direction i + rotation (D29)."""
    edges = EDGES[NUMBER[tile]]
    return "".join(edges[(direction - rotation) % 6] for direction in range(6))


def task_of(tile: str) -> str:
    """Return the letter of a task tile's type, "" for a landscape tile."""
    return KINDS[TASK_KIND[NUMBER[tile]]] if NUMBER[tile] >= LANDSCAPE else ""


def flag_of(tile: str) -> str:
    """Return the letter of the type of a tile's flag, "" without one."""
    return KINDS[FLAG_KIND[NUMBER[tile]]] if NUMBER[tile] in FLAGGED else ""


@dataclass(frozen=True, slots=True)
class Stake:
    """A marker that lies out, or a flag on a tile that lies."""

    tile: str
    kind: str
    """The letter of its type."""
    size: int
    """The tiles of its territory now (D14)."""
    number: int | None
    """What the marker asks; of a flag what it counted, None if it has not counted yet."""

    @property
    def is_flag(self) -> bool:
        """Whether it is a flag."""
        return not task_of(self.tile)

    @property
    def told(self) -> str:
        """It in words."""
        if not self.is_flag:
            return f"Task {self.tile}: {_WORDS[self.kind]}, {self.size} of {self.number} tiles"
        counted = f"not counted, {self.size} so far" if self.number is None else f"counted {self.number}"
        return f"Flag {self.tile}: {_WORDS[self.kind]}, {counted}"


@dataclass(frozen=True, slots=True)
class Scene:
    """One position, for a drawing."""

    position: Mapping[str, Any]
    names: tuple[str, ...]
    """The names of the seats, printable."""
    cells: Mapping[Cell, tuple[str, int]]
    """The tiles that lie and their rotations, by cell."""

    @classmethod
    def of(cls, position: Any, names: Sequence[str] | None, outcome: Outcome | None) -> Scene:
        """Check a position, the names of its seats (``seat 0`` and so on by default) and its outcome.

        Raises:
            BadPosition: it is no position's JSON; the message names the field. Whether the rules allow it is not asked.
            BadSetup: there is not a text for each seat, or ``outcome`` is none that ``Game.outcome()`` gives.
        """
        _check(position, _FORM, "")
        players, to_move = position["players"], position["to_move"]
        told = texts_of([f"seat {seat}" for seat in range(players)] if names is None else names)
        if told is None or len(told) != players:
            raise BadSetup(f"names {brief(names)} are not {players} texts, one for each seat")
        if not isinstance(outcome, Outcome | None):
            raise BadSetup(f"outcome {brief(outcome)} is not one that Game.outcome() gives")
        if position["over"] != (to_move is None) or (to_move or 0) >= players:
            raise BadPosition(f"to_move: {brief(to_move)} is not the seat to move, or null at the end")
        cells = {
            (int(entry["q"]), int(entry["r"])): (entry["tile"], int(entry["rotation"])) for entry in position["cells"]
        }
        lying = {tile for tile, _ in cells.values()}
        if len(lying) < len(position["cells"]):
            raise BadPosition("cells: a cell or a tile comes twice")
        for name, letter_of in (("open", task_of), ("flags", flag_of)):
            told_of = [entry["tile"] for entry in position[name]]
            for i, tile in enumerate(told_of):
                if tile not in lying or not letter_of(tile) or tile in told_of[:i]:
                    what = "task tile" if name == "open" else "tile with a flag"
                    raise BadPosition(f"{name}[{i}].tile: {tile} is not a {what} that lies, or comes twice")
        return cls(position, tuple(map(printable, told)), cells)

    @property
    def stakes(self) -> dict[Cell, Stake]:
        """The open markers and then the flags, each in the order of D1, by their cells."""
        numbers = {entry["tile"]: int(entry["number"]) for entry in self.position["open"]}
        points = {entry["tile"]: int(entry["points"]) for entry in self.position["flags"]}
        where = {tile: cell for cell, (tile, _) in self.cells.items()}
        found: list[tuple[str, str, int | None]]
        found = [(tile, task_of(tile), numbers[tile]) for tile in IDS if tile in numbers]
        found += [(tile, flag_of(tile), points.get(tile)) for tile in IDS if tile in where and flag_of(tile)]
        return {where[tile]: Stake(tile, kind, self._size(where[tile], kind), number) for tile, kind, number in found}

    def around(self) -> set[Cell]:
        """Return the empty cells beside tiles that lie; the middle before the first tile (D7)."""
        beside = {(q + dq, r + dr) for (q, r), (dq, dr) in product(self.cells, DIRECTIONS)}
        return beside - {*self.cells} or {(0, 0)}

    def _size(self, cell: Cell, kind: str) -> int:
        """The tiles of the territory of a kind that a tile belongs to (D14)."""
        letters = {cell: letters_of(*placed) for cell, placed in self.cells.items()}
        found = [cell]
        for q, r in found:
            for direction, (dq, dr) in enumerate(DIRECTIONS):
                there, facing = (q + dq, r + dr), (direction + 3) % 6
                if (
                    there in letters
                    and there not in found
                    and letters[q, r][direction] == letters[there][facing] == kind
                ):
                    found.append(there)
        return len(found)


# --- in words -----------------------------------------------------------------------------------------------------


def caption(entry: Mapping[str, Any]) -> str:
    """Return a revealed tile in words: its name, and its task or its flag."""
    tile, number = entry["tile"], entry["number"]
    if kind := task_of(tile):
        return f"{tile}, {_WORDS[kind]} task" + ("" if number is None else f" {number}")
    return tile + (f", flag for {_WORDS[flag_of(tile)]}" if flag_of(tile) else "")


def state(scene: Scene, longest: int = 100) -> str:
    """Return who is to move, the name cut to so many letters, or that the game is over."""
    if scene.position["over"]:
        return "game over"
    name = scene.names[scene.position["to_move"]]
    return f"{name if len(name) <= longest else name[: longest - 1] + '~'} to move"


def title(scene: Scene) -> str:
    """Return what a drawing shows, in a few words."""
    return f"Dorfromantik, turn {scene.position['turn']}: {state(scene)}, score {scene.position['score']['total']}"


def description(scene: Scene) -> str:
    """Return all that a drawing shows in words, but for where the tiles lie."""
    at, left = scene.position, scene.position["stacks"]
    told = [f"{len(scene.cells)} tiles lie", f"{left['landscape']} landscape tiles and {left['task']} task tiles left"]
    told += [f"To place: {caption(at['tile'])}"] if at["tile"] else []
    told.append("Score: " + ", ".join(f"{name} {at['score'][name]}" for name in SCORING))
    return ". ".join([*told, *(stake.told for stake in scene.stakes.values())]) + "."


# --- the form of a position ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _OrNull:
    """The form of what may be null."""

    form: Any


_TILE, _TRUTH = "a tile", "true or false"
_MOST: Final = 10**4  # of what only is shown
_MARKED: Final = {"tile": _TILE, "number": (1, MOST_NUMBER)}
_REVEALED: Final = {"tile": _TILE, "number": _OrNull((1, MOST_NUMBER))}
_AWAY: Final = (1 - WINDOW, WINDOW - 1)
_FORM: Final = {
    "players": (1, MOST_PLAYERS),
    "turn": (0, _MOST),
    "to_move": _OrNull((0, MOST_PLAYERS - 1)),
    "over": _TRUTH,
    "tile": _OrNull(_REVEALED),
    "cells": [{"q": _AWAY, "r": _AWAY, "tile": _TILE, "rotation": (0, 5)}],
    "open": [_MARKED],
    "fulfilled": [_MARKED],
    "aborted": [_MARKED],
    "flags": [{"tile": _TILE, "points": (1, MOST_NUMBER)}],
    "left": [_REVEALED],
    "stacks": {"landscape": (0, LANDSCAPE), "task": (0, len(IDS) - LANDSCAPE)},
    "score": dict.fromkeys(SCORING, (0, _MOST)),
}


def _check(value: Any, form: Any, where: str) -> None:
    """Raise BadPosition unless a value has a form.

    form: an object's forms by key; the form of a list's entries, in a list; the lowest and the highest whole number; a
    form or null; or what any other value is.
    """
    if isinstance(form, Mapping):
        if not isinstance(value, Mapping):
            raise BadPosition(f"{where or 'position'}: {brief(value)} is not an object with {', '.join(form)}")
        for key in form:
            name = f"{where}.{key}" if where else key
            if key not in value:
                raise BadPosition(f"{name}: missing")
            _check(value[key], form[key], name)
    elif isinstance(form, list):
        if not isinstance(value, list | tuple):
            raise BadPosition(f"{where}: {brief(value)} is not a list")
        for i, entry in enumerate(value):
            _check(entry, form[0], f"{where}[{i}]")
    elif isinstance(form, _OrNull):
        if value is not None:
            _check(value, form.form, where)
    elif isinstance(form, str):
        if not (is_truth(value) if form == _TRUTH else isinstance(value, str) and value in NUMBER):
            raise BadPosition(f"{where}: {brief(value)} is not {form}")
    elif not is_whole(value, *form):
        raise BadPosition(f"{where}: {brief(value)} is not a whole number from {form[0]} to {form[1]}")
