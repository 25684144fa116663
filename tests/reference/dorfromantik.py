"""The rules of Dorfromantik a second time, to play in lock-step against the compiled ones.

Written from the rulings (D1, D2, ...) alone, in the plainest Python: a landscape is a dictionary, a territory is found
by a flood fill each time that it is asked for, and nothing is carried along that could be worked out again, the list of
legal moves apart. It shares no code with the package and imports nothing from it. Chance (D27) is told to it.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TILES = Path(__file__).resolve().parents[2] / "bohemian_env" / "dorfromantik" / "tiles.toml"
DIRECTIONS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
TORUS = 24

Cell = tuple[int, int]
Move = tuple[int, int, int]


class Tile(NamedTuple):
    """One tile: six letters clockwise, and the type of its task and of its flag, empty without one (D1)."""

    edges: str
    task: str
    flag: str


@cache
def read(path: Path) -> tuple[dict[str, Tile], dict[str, list[int]]]:
    """Read the file of the tiles: the tiles by id, in its order, and the marker numbers by type."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = data["landscape"] + data["task"]
    return {row["id"]: Tile(row["edges"], row.get("type", ""), row.get("flag", "")) for row in rows}, data["markers"]


def turned(edges: str, rotation: int) -> str:
    """The letters by direction after so many clockwise turns: edge i shows in direction i + rotation (D29)."""
    return edges[6 - rotation :] + edges[: 6 - rotation]


@cache
def rotations(edges: str) -> list[int]:
    """The rotations that look different, the lowest of equal ones (D25)."""
    return [k for k in range(6) if turned(edges, k) not in [turned(edges, lower) for lower in range(k)]]


@cache
def neighbours(cell: Cell) -> list[Cell]:
    """The six cells around a cell, by direction (D29)."""
    return [(cell[0] + q, cell[1] + r) for q, r in DIRECTIONS]


def by_tile(name: str, numbers: Mapping[str, int | None]) -> list[dict[str, Any]]:
    """The tiles with their numbers as a position lists them (D32)."""
    return [{"tile": tile, name: numbers[tile]} for tile in sorted(numbers)]


class PlainGame:
    """One game, changed in place: `reveal` and `mark` are for chance, `place` is for the player to move.

    Tile ids and marker numbers may be given, for games smaller than the whole one; the file `tiles` says what is on a
    tile, and what is left out is all that it has. Wrong calls raise ValueError.
    """

    def __init__(
        self,
        players: int = 1,
        landscape: Iterable[str] | None = None,
        tasks: Iterable[str] | None = None,
        markers: Mapping[str, Sequence[int]] | None = None,
        open_tasks: int = 3,
        window: int = 23,
        left_in_box: int = 3,
        tiles: Path = TILES,
    ) -> None:
        """Set the game up (D2, D3)."""
        self.tiles, all_markers = read(tiles)
        landscape = [tile for tile in self.tiles if not self.tiles[tile].task] if landscape is None else landscape
        tasks = [tile for tile in self.tiles if self.tiles[tile].task] if tasks is None else tasks
        markers = all_markers if markers is None else markers
        self.players, self.open_tasks, self.window, self.left_in_box = players, open_tasks, window, left_in_box
        self.hidden = {"landscape": list(landscape), "task": list(tasks)}  # not seen yet, the box included
        self.hidden_markers = {kind: list(numbers) for kind, numbers in markers.items()}
        asked = Counter(self.tiles[tile].task for tile in self.hidden["task"])
        if not 1 <= players <= 6:
            raise ValueError(f"D3: 1 to 6 players, not {players}")
        if len(self.hidden["landscape"]) < left_in_box:
            raise ValueError(f"D2: {left_in_box} landscape tiles go into the box, of {len(self.hidden['landscape'])}")
        if any(len(self.hidden_markers.get(kind, ())) < number for kind, number in asked.items()):
            raise ValueError(f"D4: a marker for each task tile: tiles {dict(asked)}, markers {self.hidden_markers}")

        self.cells: dict[Cell, tuple[str, int]] = {}  # tile and rotation
        self.letters: dict[Cell, str] = {}  # by direction, of the tile that lies there
        self.where: dict[str, Cell] = {}
        self.border: set[Cell] = {(0, 0)}  # the empty cells where a tile may be placed (D7, D8)
        self.open: dict[str, int] = {}  # number of the marker by task tile, in this line and the next two
        self.fulfilled: dict[str, int] = {}
        self.aborted: dict[str, int] = {}
        self.flags: dict[str, int] = {}  # points by tile, of the flags that have counted
        self.left: dict[str, int | None] = {}  # gone by D13, with the marker's number
        self.tile = ""  # revealed and not placed
        self.number: int | None = None  # of the marker on it
        self.turns: list[dict[str, Any]] = []  # as recorded (D32)
        self.moves: list[Move] = []
        self.due = self._next()

    # Chance

    def stacks(self) -> dict[str, int]:
        """How many tiles the two stacks still have; the box is no part of them (D2)."""
        landscape = len(self.hidden["landscape"]) - self.left_in_box
        return {"landscape": landscape, "task": len(self.hidden["task"])}

    def _next(self) -> str:
        """Which stack is revealed from now, or that the game is over (D4, D21)."""
        if len(self.open) < self.open_tasks and self.stacks()["task"]:
            return "task"
        return "landscape" if self.stacks()["landscape"] else "over"

    def _candidates(self) -> Sequence[Any]:
        if self.due == "marker":
            return self.hidden_markers[self.tiles[self.tile].task]
        return self.hidden.get(self.due, [])

    def unseen(self) -> dict[Any, Fraction]:
        """What chance can bring now, a tile or a marker's number, with its probability (D27); nothing at a move."""
        candidates = self._candidates()
        return {outcome: Fraction(count, len(candidates)) for outcome, count in Counter(candidates).items()}

    def reveal(self, tile: str) -> None:
        """The next tile is this one; if it is no task tile and cannot be placed, it is gone (D4, D13)."""
        if self.due not in self.hidden or tile not in self.hidden[self.due]:
            raise ValueError(f"due: {self.due}, one of {self._candidates()}, not the tile {tile!r}")
        self.hidden[self.due].remove(tile)
        self.tile, self.number = tile, None
        self.turns.append({"tile": tile})
        if self.due == "task":
            self.due = "marker"
        else:
            self._decide()

    def mark(self, number: int) -> None:
        """The marker of the revealed task tile is this one; if the tile cannot be placed, both are gone (D5, D13)."""
        if self.due != "marker" or number not in self._candidates():
            raise ValueError(f"due: {self.due}, one of {self._candidates()}, not the marker {number!r}")
        self.hidden_markers[self.tiles[self.tile].task].remove(number)
        self.number = number
        self.turns[-1] = {**self.turns[-1], "marker": number}
        self._decide()

    def _decide(self) -> None:
        """It is the player's turn to move, unless there is no move (D13)."""
        self.due = "move"
        self.moves = [move for move in self._placements() if self._allowed(*move)]
        if not self.moves:
            self.left[self.tile] = self.number
            self._end_turn(None, {})

    def _end_turn(self, move: str | None, effects: dict[str, list[str]]) -> None:
        """Write the turn down; the next seat's turn begins (D20)."""
        self.turns[-1] = {**self.turns[-1], "move": move, **{name: ids for name, ids in effects.items() if ids}}
        self.tile, self.number, self.moves = "", None, []
        self.due = self._next()

    # Placing

    def territory(self, cell: Cell, kind: str) -> tuple[set[Cell], bool]:
        """The territory of that type that the tile in the cell belongs to, and whether it is closed (D14, D15)."""
        found, todo, closed = {cell}, [cell], True
        while todo:
            here = todo.pop()
            for direction, there in enumerate(neighbours(here)):
                if self.letters[here][direction] != kind:
                    continue
                if there not in self.letters:
                    closed = False
                elif self.letters[there][(direction + 3) % 6] == kind and there not in found:
                    found.add(there)
                    todo.append(there)
        return found, closed

    def _placements(self) -> list[Move]:
        """Every cell next to the landscape and in the window with every rotation that looks different, ascending (D7,
        D8, D25, D26)."""
        if not self.cells:
            return [(0, 0, 0)]
        cells, turns = sorted(filter(self._inside, self.border)), rotations(self.tiles[self.tile].edges)
        return [(*cell, k) for cell in cells for k in turns]

    def _allowed(self, q: int, r: int, rotation: int) -> bool:
        """Whether tracks and streams go on (D9; other edges are free: D10), and a task tile's own marker allows it."""
        cell = (q, r)
        tile = self.tiles[self.tile]
        letters = turned(tile.edges, rotation)
        for direction, there in enumerate(neighbours(cell)):
            if there in self.letters:
                mine, other = letters[direction], self.letters[there][(direction + 3) % 6]
                if mine != other and (mine in "TS" or other in "TS"):
                    return False
        if self.number is None:
            return True
        self.letters[cell] = letters
        found, closed = self.territory(cell, tile.task)
        del self.letters[cell]
        too_many = len(found) > self.number  # D11
        too_few = closed and len(found) < self.number  # D12
        return not too_many and not too_few

    def _inside(self, cell: Cell) -> bool:
        """Whether the landscape with this cell is no wider than the window, in q and in r (D26)."""
        qs, rs = zip(cell, *self.cells, strict=True)
        return max(qs) - min(qs) < self.window and max(rs) - min(rs) < self.window

    def legal(self) -> list[Move]:
        """The moves of the player to move: q, r, rotation; ascending (D6). None at any other time."""
        return list(self.moves)

    def place(self, q: int, r: int, rotation: int) -> dict[str, list[str]]:
        """Place the revealed tile; tell the tiles whose markers are fulfilled or aborted, and whose flags count."""
        if (q, r, rotation) not in self.moves:
            raise ValueError(f"D6: due: {self.due}, one of {self.moves}, not {(q, r, rotation)}")
        tile = self.tile
        self.cells[q, r] = tile, rotation
        self.letters[q, r] = turned(self.tiles[tile].edges, rotation)
        self.where[tile] = (q, r)
        self.border = (self.border | set(neighbours((q, r)))) - self.cells.keys()
        if self.number is not None:
            self.open[tile] = self.number
        effects = self._settle()
        self._end_turn(self.text(q, r, rotation), effects)
        return effects

    def _settle(self) -> dict[str, list[str]]:
        """Look at every marker that lies out, then at every flag that has not counted (D16, D19)."""
        effects: dict[str, list[str]] = {"fulfilled": [], "aborted": [], "flags": []}
        for tile, number in list(self.open.items()):
            found, closed = self.territory(self.where[tile], self.tiles[tile].task)
            if len(found) == number:
                self.fulfilled[tile] = self.open.pop(tile)
                effects["fulfilled"].append(tile)
            elif len(found) > number or closed:
                self.aborted[tile] = self.open.pop(tile)
                effects["aborted"].append(tile)
        for tile, cell in self.where.items():
            flag = self.tiles[tile].flag
            if flag and tile not in self.flags:
                found, closed = self.territory(cell, flag)
                if closed:
                    self.flags[tile] = len(found)
                    effects["flags"].append(tile)
        return {name: sorted(ids) for name, ids in effects.items()}

    # What can be seen

    def _longest(self, kind: str) -> int:
        """The tiles of the largest territory of that type; 0 without any (D22)."""
        most, seen = 0, set[Cell]()
        for cell, letters in self.letters.items():
            if kind in letters and cell not in seen:
                found, _ = self.territory(cell, kind)
                seen |= found
                most = max(most, len(found))
        return most

    def score(self) -> dict[str, int]:
        """The score so far (D22, D24)."""
        parts = {"markers": sum(self.fulfilled.values()), "flags": sum(self.flags.values())}
        parts |= {"track": self._longest("T"), "stream": self._longest("S")}
        return {**parts, "total": sum(parts.values())}

    def position(self) -> dict[str, Any]:
        """All that is public, where a player decides and at the end (D32)."""
        if self.due not in ("move", "over"):
            raise ValueError(f"D32: a position stands at a move or at the end, not before a {self.due}")
        over = self.due == "over"
        return {
            "players": self.players,
            "turn": len(self.turns),
            "to_move": None if over else (len(self.turns) - 1) % self.players,
            "over": over,
            "tile": None if over else {"tile": self.tile, "number": self.number},
            "cells": [{"q": q, "r": r, "tile": t, "rotation": k} for (q, r), (t, k) in sorted(self.cells.items())],
            "open": by_tile("number", self.open),
            "fulfilled": by_tile("number", self.fulfilled),
            "aborted": by_tile("number", self.aborted),
            "flags": by_tile("points", self.flags),
            "left": by_tile("number", self.left),
            "stacks": self.stacks(),
            "score": self.score(),
        }

    def record(self) -> dict[str, Any]:
        """What was drawn and what was done (D32)."""
        names = [f"player_{seat}" for seat in range(self.players)]
        record = {"format": "dorfromantik/1", "players": names, "turns": [dict(turn) for turn in self.turns]}
        return {**record, "score": self.score()} if self.due == "over" else record

    # Moves

    @staticmethod
    def index(q: int, r: int, rotation: int) -> int:
        """The number of the move among all actions (D26)."""
        return ((q % TORUS) * TORUS + r % TORUS) * 6 + rotation

    @staticmethod
    def text(q: int, r: int, rotation: int) -> str:
        """The move as text: `+3-1 r2` (D31)."""
        return f"{q:+d}{r:+d} r{rotation}"

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move's text, in its one spelling (D31)."""
        found = re.fullmatch(r"(\+0|[+-][1-9][0-9]*)(\+0|[+-][1-9][0-9]*) r([0-5])", text)
        if found is None:
            raise ValueError(f"D31: a move looks like +3-1 r2, not {text!r}")
        return int(found[1]), int(found[2]), int(found[3])
