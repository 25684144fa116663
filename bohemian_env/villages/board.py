"""The board: villages from a file in the format of villages.toml, checked and made into tables for the rules.

The shipped board says in its own comments which of its entries the rulebooks print and which are a
reconstruction. Anybody who owns the game can load a file with the printed values.
"""

from __future__ import annotations

import functools
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ..engine.checks import is_whole, printable, texts_of
from ..engine.errors import BadSetup, brief
from .errors import BadBoard
from .facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, PRINTED
from .state import MAX_VILLAGES, State, cell_of

FORMAT: Final = 1
MAX_COIN_SUPPLY: Final = 9_999
MOST_COINS: Final = 2**14 - 1
"""The most coins of a seat that an observation has room for; no bank is overdrawn so far that a seat has more."""
MAX_TILES: Final = 99
"""The most figures of a seat and the most special action tiles: what an int8 of the observation holds, rounded down."""
MAX_PRINTED: Final = 99
"""The highest printed value."""
MAX_SIDES: Final = 2 * MAX_VILLAGES

BOARD: Final = np.dtype(
    [
        ("cells", np.uint64, (MAX_SIDES, 2)),  # buildings of each village, as if it were village 0
        ("town_hall", np.uint8, (MAX_SIDES,)),
        ("manor", np.uint8, (MAX_SIDES,)),
        ("tile", np.uint8, (MAX_SIDES,)),  # tile on which the village is printed
        ("side", np.uint8, (MAX_SIDES,)),  # 0 or 1
        ("two_sided", np.uint16),  # tiles with two sides, as bits; the others show their only one
        ("kept", np.uint16, (MAX_PLAYERS + 1,)),  # tiles in play, as bits, by number of players
        ("figures", np.int8, (MAX_PLAYERS + 1,)),  # figures of each seat, by number of players
        ("villages", np.uint8),  # villages printed, both sides counted
    ]
)
"""The dtype of a board as the rules read it."""


@dataclass(frozen=True, slots=True)
class Village:
    """One side of a village tile."""

    name: str
    buildings: tuple[str, ...]
    """Its kinds of building, in ascending order of their totals."""
    printed: Mapping[str, int] = field(default_factory=dict)
    """The printed values of its town hall and its manor, by kind."""
    tile: str = ""

    def __post_init__(self) -> None:
        """Keep the values where nobody changes them: boards are shared."""
        if isinstance(self.printed, Mapping):  # else the board that it comes to says so
            object.__setattr__(self, "printed", MappingProxyType(dict(self.printed)))

    def __reduce__(self) -> tuple[Any, ...]:
        printed = dict(self.printed) if isinstance(self.printed, Mapping) else self.printed
        return type(self), (self.name, self.buildings, printed, self.tile)

    def to_json(self) -> dict[str, Any]:
        """Return the village as a game record writes it."""
        return {"name": self.name, "buildings": list(self.buildings), **self.printed}

    def __hash__(self) -> int:
        return hash((self.name, self.buildings))

    def cells(self, village: int = 0) -> tuple[np.uint64, np.uint64]:
        """Return its cells as two words (``state.py``) when it is number ``village`` of those in play."""
        words = [0, 0]
        for kind in self.buildings:
            word, place = cell_of(kind, village)
            words[word] |= 1 << place
        return np.uint64(words[0]), np.uint64(words[1])


def write_villages(s: State, villages: Sequence[Village]) -> None:
    """Write the villages in play, at most MAX_VILLAGES, into a blank record of ``state.STATE``."""
    s["villages"] = len(villages)
    for number, village in enumerate(villages):
        s["have"] |= np.array(village.cells(number))
        for kind in PRINTED:
            s[kind][number] = village.printed.get(kind, 0)


@dataclass(frozen=True, slots=True)
class TableSize:
    """What R1 prescribes for one number of players."""

    figures: int
    remove: tuple[str, ...]


def _check_village(entry: Any, where: str, known: Iterable[str]) -> Village:
    """Return the village that an entry of a board file or a game record describes; it may have the fields ``known``."""
    if not isinstance(entry, Mapping):
        raise BadBoard(f"{where}: {brief(entry)} is not a table with name, buildings and printed values")
    name = entry.get("name")
    if not isinstance(name, str) or not name or name != printable(name):
        raise BadBoard(f"{where}: name {brief(name)} is not a printable text without spaces at its ends")
    where = f"village {name}"
    for key in entry:
        if key not in known:
            raise BadBoard(f"{where}: unknown field {brief(key)}; known are {', '.join(known)}")
    buildings = entry.get("buildings")
    if not isinstance(buildings, list | tuple) or not buildings:
        raise BadBoard(f"{where}: buildings {brief(buildings)} is not a list of one or more kinds")
    for kind in buildings:
        if not isinstance(kind, str) or kind not in KINDS:
            raise BadBoard(f"{where}: buildings: unknown kind {brief(kind)}; known are {', '.join(KINDS)}")
    for kind in buildings:
        if buildings.count(kind) > 1:
            raise BadBoard(
                f"{where}: buildings: {brief(kind)} stands there twice; a village has one building of a kind"
            )
    printed = {}
    for kind in PRINTED:
        if (kind in buildings) != (kind in entry):
            what = "missing: the village has one" if kind in buildings else "superfluous: the village has none"
            raise BadBoard(f"{where}: {kind}: the printed value is {what}")
        if kind in entry:
            if not is_whole(entry[kind], 0, MAX_PRINTED):
                raise BadBoard(f"{where}: {kind}: {brief(entry[kind])} is not a whole number from 0 to {MAX_PRINTED}")
            printed[kind] = int(entry[kind])
    tile = entry.get("tile", None if "tile" in known else name)
    if not isinstance(tile, str) or not tile:
        raise BadBoard(f"{where}: tile {brief(tile)} is not a text that names the tile, such as 'A/B'")
    return Village(name, tuple(sorted(buildings, key=KINDS.index)), printed, tile)


def _check_size(size: object, where: str, tiles: Iterable[str]) -> TableSize:
    """Return what a board prescribes for a number of players, with plain numbers; it may remove some of the tiles."""
    if not isinstance(size, TableSize):
        raise BadBoard(f"{where}: {brief(size)} is not a TableSize")
    if not is_whole(size.figures, 1, MAX_TILES):
        raise BadBoard(f"{where}: figures {brief(size.figures)} is not a whole number from 1 to {MAX_TILES}")
    if type(size.remove) is not tuple or texts_of(size.remove) is None or len({*size.remove}) < len(size.remove):
        raise BadBoard(f"{where}: remove {brief(size.remove)} are not different tiles")
    for tile in size.remove:
        if tile not in tiles:
            raise BadBoard(f"{where}: remove: unknown tile {brief(tile)}; known are {', '.join(tiles)}")
    if {*size.remove} == {*tiles}:
        raise BadBoard(f"{where}: remove: too few tiles: none of {len(size.remove)} would stay in play")
    return TableSize(int(size.figures), size.remove)


def _check_villages(entries: Sequence[Any], known: Sequence[str]) -> tuple[Village, ...]:
    """Return the villages of a board file or a game record, whose names must differ."""
    villages = [_check_village(entry, f"village number {number}", known) for number, entry in enumerate(entries, 1)]
    for name, count in Counter(village.name for village in villages).items():
        if count > 1:
            raise BadBoard(f"village {name}: name: stands there twice")
    return tuple(villages)


@dataclass(frozen=True)
class Board:
    """The villages that a game can be played with, and the set-up for each number of players.

    Make one with :meth:`standard`, :meth:`load` or :meth:`of_villages`. Boards with equal content are equal.
    """

    villages: tuple[Village, ...]
    """All sides, in the order of the file; positions list the villages in play in this order."""
    setups: Mapping[int, TableSize]
    """What R1 prescribes, by number of players."""
    coin_supply: int
    special_action_tiles: int

    def __hash__(self) -> int:
        return hash(self.villages)

    def __post_init__(self) -> None:
        """Check what the compiled rules rely on, however the board came about: made, replaced or unpickled."""
        if type(self.villages) is not tuple or not all(isinstance(v, Village) for v in self.villages):
            raise BadBoard(f"villages: {brief(self.villages)} is not a tuple of villages")
        try:
            entries = [v.to_json() | {"tile": v.tile} for v in self.villages]
        except (AttributeError, TypeError) as error:
            raise BadBoard(f"villages: buildings or printed values: {error}") from None
        checked = _check_villages(entries, ("name", "tile", "buildings", *PRINTED))
        if checked != self.villages:
            raise BadBoard("villages: buildings: not in ascending order of their totals")
        object.__setattr__(self, "villages", checked)
        sides = Counter(v.tile for v in self.villages)
        if len(sides) > MAX_VILLAGES:
            told = f"{len(sides)} tiles; at most {MAX_VILLAGES} can be in play"
            raise BadBoard(f"village {self.villages[-1].name}: tile: {told}")
        if not sides or max(sides.values()) > 2:
            raise BadBoard(f"villages: tile: not one or more tiles with one or two sides: {dict(sides)}")
        if not isinstance(self.setups, Mapping) or {*self.setups} != {*range(MIN_PLAYERS, MAX_PLAYERS + 1)}:
            raise BadBoard(f"setups: {brief(self.setups)} has not one entry for each number of players")
        sizes = {int(n): _check_size(size, f"setup {n}", sides) for n, size in self.setups.items()}
        object.__setattr__(self, "setups", MappingProxyType(sizes))
        for key, low, high in (("coin_supply", 1, MAX_COIN_SUPPLY), ("special_action_tiles", 0, MAX_TILES)):
            if not is_whole(getattr(self, key), low, high):
                raise BadBoard(f"{key} {brief(getattr(self, key))} is not a whole number from {low} to {high:,}")
            object.__setattr__(self, key, int(getattr(self, key)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the content alone, so that what is unpickled is checked and its tables are made anew."""
        return type(self), (self.villages, dict(self.setups), self.coin_supply, self.special_action_tiles)

    @staticmethod
    @functools.cache
    def standard() -> Board:
        """Return the shipped board: names and figures are from the rulebooks, the rest is a reconstruction."""
        return Board.load(Path(__file__).with_name("villages.toml"))

    @classmethod
    def load(cls, path: str | Path) -> Board:
        """Read a board file in the format of villages.toml.

        Raises:
            BadBoard: the file is not such a board; the message names the village and the field.
            OSError: the file cannot be read.
        """
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
        except TypeError:
            raise BadBoard(f"{brief(path)} is neither a board nor the path of a board file") from None
        except (RecursionError, ValueError) as error:  # ValueError: also for a number of thousands of digits
            raise BadBoard(f"{path}: not a TOML file: {error}") from None
        try:
            return cls.from_data(data)
        except ValueError as error:
            raise BadBoard(f"{path}: {error}") from None

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Board:
        """Make a board from the content of a board file; raises BadBoard as :meth:`load` does."""
        if not isinstance(data, Mapping):
            raise BadBoard(f"{brief(data)} is not the content of a board file")
        if not is_whole(data.get("format"), FORMAT, FORMAT):
            raise BadBoard(f"format {brief(data.get('format'))} is not {FORMAT}")
        known = ("format", "coin_supply", "special_action_tiles", "setup", "village")
        for key in data:
            if key not in known:
                raise BadBoard(f"unknown field {brief(key)}; known are {', '.join(known)}")
        entries = data.get("village")
        if not isinstance(entries, list) or not entries:
            raise BadBoard("village: no [[village]] table")
        villages = _check_villages(entries, ("name", "tile", "buildings", *PRINTED))
        for tile in dict.fromkeys(v.tile for v in villages):
            sides = [v.name for v in villages if v.tile == tile]
            if len(sides) != 2:
                count = f"{len(sides)} side(s) ({', '.join(sides)})"
                raise BadBoard(f"village {sides[0]}: tile {brief(tile)} has {count}, not two")
        setup, numbers = data.get("setup"), [str(n) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
        if not isinstance(setup, Mapping) or {*setup} != {*numbers}:
            raise BadBoard(f"setup: not a table with exactly the lines {', '.join(numbers)}")
        for n, entry in setup.items():
            whole = isinstance(entry, Mapping) and {*entry} == {"figures", "remove"}
            if not whole or not isinstance(entry["remove"], list):
                raise BadBoard(f"setup {n}: {brief(entry)} is not a table with exactly figures and remove, a list")
        sizes = {int(n): TableSize(setup[n]["figures"], tuple(setup[n]["remove"])) for n in numbers}
        supplies: tuple[Any, Any] = data.get("coin_supply"), data.get("special_action_tiles")
        return cls(villages, sizes, *supplies)

    @classmethod
    def of_villages(
        cls, villages: Sequence[Mapping[str, Any]], figures: int, coin_supply: int, special_action_tiles: int
    ) -> Board:
        """Make the board of one game from the villages as a game record writes them: all in play, one side each. Raises
        BadBoard: as :meth:`load`.
        """
        if not isinstance(villages, list | tuple):
            raise BadBoard(f"villages: not a list of 1 to {MAX_VILLAGES} villages")
        sizes = {n: TableSize(figures, ()) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
        return cls(_check_villages(villages, ("name", "buildings", *PRINTED)), sizes, coin_supply, special_action_tiles)

    @functools.cached_property
    def tiles(self) -> tuple[str, ...]:
        """The tiles, in the order in which the file first names them."""
        return tuple(dict.fromkeys(v.tile for v in self.villages))

    @functools.cached_property
    def tables(self) -> np.ndarray:
        """The board as the rules read it: shape (1,), dtype :data:`BOARD`, read-only."""
        tables = np.zeros(1, BOARD)
        t = tables[0]
        t["villages"] = len(self.villages)
        for number, village in enumerate(self.villages):
            t["cells"][number] = village.cells()
            for kind in PRINTED:
                t[kind][number] = village.printed.get(kind, 0)
            t["tile"][number] = self.tiles.index(village.tile)
            t["side"][number] = village.tile in (v.tile for v in self.villages[:number])
            t["two_sided"] |= int(t["side"][number]) << self.tiles.index(village.tile)
        for players, setup in self.setups.items():
            t["figures"][players] = setup.figures
            t["kept"][players] = sum(1 << k for k, tile in enumerate(self.tiles) if tile not in setup.remove)
        tables.flags.writeable = False
        return tables

    @functools.cached_property
    def digest(self) -> str:
        """The SHA-256 of the content, in hexadecimal, by which a trained agent knows the board that it learned on."""
        content = {
            "villages": [v.to_json() | {"tile": v.tile} for v in self.villages],
            "setups": {n: [s.figures, sorted(s.remove)] for n, s in self.setups.items()},
            "coin_supply": self.coin_supply,
            "special_action_tiles": self.special_action_tiles,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def kept_tiles(self, players: int) -> tuple[str, ...]:
        """Return the tiles in play with this number of players (R1). Raises BadSetup for another than 2 to 5."""
        check_players(players)
        return tuple(t for t in self.tiles if t not in self.setups[players].remove)

    def sides_of(self, names: Sequence[str], players: int) -> int:
        """Return the sides that bring the villages ``names`` into play, in the form of ``rules.draw_sides``. Raises
        BadSetup: a village is unknown, a tile that R1 keeps is not named by exactly one side, or there are not 2 to 5
        players.
        """
        kept = self.kept_tiles(players)
        if (given := texts_of(names)) is None:
            raise BadSetup(f"villages {brief(names)} is neither 'random' nor a list of village names")
        by_name = {v.name: number for number, v in enumerate(self.villages)}
        for name in given:
            if name not in by_name:
                raise BadSetup(f"unknown village {brief(name)}; known are {', '.join(by_name)}")
            if (tile := self.villages[by_name[name]].tile) not in kept:
                where = f"on tile {brief(tile)}, which stays in the box with {players} players (R1)"
                raise BadSetup(f"village {brief(name)} is {where}")
        chosen = [self.villages[by_name[name]].tile for name in given]
        for tile in kept:
            if chosen.count(tile) != 1:
                sides = ", ".join(v.name for v in self.villages if v.tile == tile)
                told = f"villages: {chosen.count(tile)} sides of tile {brief(tile)}"
                raise BadSetup(f"{told}; with {players} players name one of {sides} (R1)")
        shown = (int(self.tables[0]["side"][by_name[name]]) for name in given)
        return sum(side << self.tiles.index(tile) for side, tile in zip(shown, chosen, strict=True))

    def one_side(self, side: int) -> tuple[Village, ...]:
        """Return the villages on the first side (0) or the second (1) of their tiles. Raises BadSetup for others."""
        if not is_whole(side, 0, 1):
            raise BadSetup(f"side {brief(side)} is neither 0, the first of a tile, nor 1, the second")
        return tuple(v for v, on in zip(self.villages, self.tables[0]["side"], strict=False) if on == side)

    def shown(self, players: int, sides: int) -> tuple[Village, ...]:
        """Return the villages in play when the tiles show ``sides``, in the order of positions.

        Raises BadSetup unless there are 2 to 5 players and sides are bits.
        """
        check_players(players)
        if not is_whole(sides, 0):
            raise BadSetup(f"sides {brief(sides)} are not a whole number of at least 0, a bit for each tile")
        t = self.tables[0]
        sides &= int(t["two_sided"])
        return tuple(
            v
            for number, v in enumerate(self.villages)
            if t["kept"][players] >> t["tile"][number] & 1 and sides >> int(t["tile"][number]) & 1 == t["side"][number]
        )


def check_players(players: object) -> None:
    """Raise BadSetup unless ``players`` is a whole number from 2 to 5."""
    if not is_whole(players, MIN_PLAYERS, MAX_PLAYERS):
        raise BadSetup(f"{brief(players)} players; the game is for {MIN_PLAYERS} to {MAX_PLAYERS} (R1)")
