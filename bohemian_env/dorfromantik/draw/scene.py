"""What drawings show: the position's JSON, checked as far as they read it, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from ...engine.contract import Outcome
from ...engine.drawing import check_outcome, element, escape, names_of, shortened
from ...engine.errors import BadPosition, brief
from ...engine.states import check_form
from ...engine.words import Words, texts_in
from .. import tiles
from ..position import FORM
from ..state import SCORING
from ..tiles import DIRECTIONS, IDS, KINDS, LANDSCAPE, NUMBER

Cell: TypeAlias = tuple[int, int]
"""q and r (D29)."""
WORDS: Final = Path(__file__).parents[1] / "words"
"""The folder of the texts that drawings take."""
ENGLISH: Final = Words("en", texts_in(WORDS, "en"))


def letters_of(tile: str, rotation: int) -> str:
    """Return the edges of a tile by direction: edge i shows in direction i + rotation (D29)."""
    return tiles.TURNED[6 * NUMBER[tile] + rotation]


def is_task(tile: str) -> bool:
    """Return whether a tile is a task tile."""
    return NUMBER[tile] >= LANDSCAPE


def kind_of(tile: str) -> str:
    """Return the letter of the type of a task tile, or of a tile's flag; "" for all others."""
    kind = max(tiles.TASK_KIND[NUMBER[tile]], tiles.FLAG_KIND[NUMBER[tile]])
    return "" if kind == tiles.ANY else KINDS[kind]


@dataclass(frozen=True, slots=True)
class Stake:
    """A marker that lies out, or a flag on a tile that lies."""

    tile: str
    territory: tuple[Cell, ...]
    """The cells of its territory now (D14), its own first."""
    number: int | None
    """What the marker asks; of a flag what it counted, None if it has not counted yet."""

    @property
    def size(self) -> int:
        """The tiles of its territory now."""
        return len(self.territory)

    def told(self, words: Words = ENGLISH) -> str:
        """Return it in words."""
        key = "task" if is_task(self.tile) else "flag" if self.number is None else "flag_counted"
        kind = words(f"kind.{kind_of(self.tile)}")
        return words(f"drawing.{key}", tile=self.tile, kind=kind, size=self.size, number=self.number)


@dataclass(frozen=True, slots=True)
class Scene:
    """One position, for a drawing."""

    position: Mapping[str, Any]
    names: Sequence[str]
    """The names of the seats, printable."""
    cells: Mapping[Cell, tuple[str, int]]
    """The tiles that lie and their rotations, by cell."""
    ids: bool
    """Whether parts have ids."""

    @classmethod
    def of(cls, position: Any, names: Sequence[str] | None, outcome: Outcome | None, ids: bool = False) -> Scene:
        """Check a position, the names of its seats (``seat 0`` and so on by default) and its outcome. Raises
        BadPosition: it is no position's JSON; the message names the field. Whether the rules allow it is not asked.
        BadSetup: there is not a text for each seat, or ``outcome`` is none that ``Game.outcome()`` gives.
        """
        check_form(position, FORM)
        shown, to_move = names_of(names, position["players"]), position["to_move"]
        check_outcome(outcome)
        if position["over"] != (to_move is None) or (to_move or 0) >= len(shown):
            raise BadPosition(f"to_move: {brief(to_move)} is not the seat to move, or null at the end")
        entries = position["cells"]
        cells = {(int(one["q"]), int(one["r"])): (one["tile"], int(one["rotation"])) for one in entries}
        lying = {tile for tile, _ in cells.values()}
        if len(lying) < len(entries):
            raise BadPosition("cells: a cell or a tile comes twice")
        for name, what in (("open", "task tile"), ("flags", "tile with a flag")):
            left = {tile for tile in lying if kind_of(tile) and is_task(tile) == (name == "open")}
            for i, entry in enumerate(position[name]):
                if entry["tile"] not in left:
                    raise BadPosition(f"{name}[{i}].tile: {entry['tile']} is not a {what} that lies, or comes twice")
                left.remove(entry["tile"])
        return cls(position, shown, cells, bool(ids))

    @property
    def stakes(self) -> dict[Cell, Stake]:
        """The open markers and then the flags, each in the order of D1, by their cells."""
        numbers = {entry["tile"]: entry["number"] for entry in self.position["open"]}
        numbers |= {entry["tile"]: entry["points"] for entry in self.position["flags"]}
        where = {tile: cell for cell, (tile, _) in self.cells.items()}
        found = [tile for tile in IDS[LANDSCAPE:] if tile in numbers]
        found += [tile for tile in IDS[:LANDSCAPE] if tile in where and kind_of(tile)]
        return {
            where[tile]: Stake(tile, self.territory(where[tile], kind_of(tile)), numbers.get(tile)) for tile in found
        }

    def around(self) -> set[Cell]:
        """Return the empty cells beside tiles that lie; the middle before the first tile (D7)."""
        beside = {(q + dq, r + dr) for (q, r), (dq, dr) in product(self.cells, DIRECTIONS)}
        return beside - {*self.cells} or {(0, 0)}

    def territory(self, cell: Cell, kind: str) -> tuple[Cell, ...]:
        """Return the cells of the territory of a kind that a tile belongs to (D14), its own first."""
        letters, found = {cell: letters_of(*placed) for cell, placed in self.cells.items()}, [cell]
        for q, r in found:
            for direction, (dq, dr) in enumerate(DIRECTIONS):
                there = q + dq, r + dr
                facing = letters.get(there, "------")[(direction + 3) % 6]
                if there not in found and letters[q, r][direction] == facing == kind:
                    found.append(there)
        return tuple(found)

    def group(self, name: str, inside: str, title: str = "", **data: object) -> str:
        """Return shapes that mean one thing, with a title for pointers and readers."""
        meaning: dict[str, object] = {"id": name, **{f"data-{key}": value for key, value in data.items()}}
        told = element("title", escape(title)) if title else ""
        return element("g", told + inside, **(meaning if self.ids else {}))


def caption(entry: Mapping[str, Any]) -> str:
    """Return a revealed tile in words: its name, and its task or its flag."""
    tile, number, kind = entry["tile"], entry["number"], kind_of(entry["tile"])
    if is_task(tile):
        return f"{tile}, {ENGLISH(f'kind.{kind}')} task" + ("" if number is None else f" {number}")
    return tile + (f", flag for {ENGLISH(f'kind.{kind}')}" if kind else "")


def state(scene: Scene, longest: int = 100) -> str:
    """Return who is to move, the name cut to so many letters, or that the game is over."""
    if scene.position["over"]:
        return "game over"
    return f"{shortened(scene.names[scene.position['to_move']], longest)} to move"


def title(scene: Scene) -> str:
    """Return what a drawing shows, in a few words."""
    return f"Dorfromantik, turn {scene.position['turn']}: {state(scene)}, score {scene.position['score']['total']}"


def description(scene: Scene) -> str:
    """Return all that a drawing shows in words, but for where the tiles lie."""
    at, left = scene.position, scene.position["stacks"]
    told = [f"{len(scene.cells)} tiles lie", f"{left['landscape']} landscape tiles and {left['task']} task tiles left"]
    told += [f"To place: {caption(at['tile'])}"] if at["tile"] else []
    told.append("Score: " + ", ".join(f"{name} {at['score'][name]}" for name in SCORING))
    return ". ".join([*told, *(stake.told() for stake in scene.stakes.values())]) + "."
