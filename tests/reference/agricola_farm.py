"""A farm of Agricola in the plainest Python, for the second implementation of the rules (agricola.py).

Cells are their names, pastures are sets of cells, fences are the sides of those sets, animals are housed by trying
every way. What depends on sets alone is kept once it was worked out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

NUMBERS = Path(__file__).resolve().parents[2] / "bohemian_env" / "agricola" / "agricola.toml"

DATA: dict[str, Any] = tomllib.loads(NUMBERS.read_text(encoding="utf-8"))
COST: dict[str, int] = DATA["cost"]
RESOURCES = ["wood", "clay", "reed", "stone"]
CROPS = ["grain", "vegetable"]
ANIMALS = ["sheep", "boar", "cattle"]
GOODS = ["food", *RESOURCES, *CROPS, *ANIMALS]
MATERIALS = ["wood", "clay", "stone"]
COLUMNS, ROWS = DATA["farm"]["columns"], DATA["farm"]["rows"]
CELLS = [column + row for row in ROWS for column in COLUMNS]
FIRST_ROOMS = DATA["farm"]["first_rooms"]
FREE = [cell for cell in CELLS if cell not in FIRST_ROOMS]

Cells = frozenset[str]
Pastures = frozenset[Cells]
Side = tuple[str, int, int]


# The farm as sets


@cache
def sides_of_cell(cell: str) -> frozenset[Side]:
    """The four sides of a cell: above and to the left of it, of the cell below and of the cell to the right (A43)."""
    x, y = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    return frozenset({("above", x, y), ("above", x, y + 1), ("left", x, y), ("left", x + 1, y)})


@cache
def touching(cell: str) -> Cells:
    """The cells that share a side with this one (A2)."""
    return frozenset(other for other in CELLS if len(sides_of_cell(cell) & sides_of_cell(other)) == 1)


def in_order(cells: Iterable[str]) -> list[str]:
    """The cells in cell order (A2)."""
    return sorted(cells, key=CELLS.index)


def sides(cells: Iterable[str]) -> frozenset[Side]:
    """The sides around a set: those of exactly one of its cells (A44)."""
    around: frozenset[Side] = frozenset()
    for cell in cells:
        around ^= sides_of_cell(cell)
    return around


def parts(cells: Cells) -> list[Cells]:
    """The connected parts of a set."""
    left, found = set(cells), []
    while left:
        part, todo = set[str](), [left.pop()]
        while todo:
            here = todo.pop()
            part.add(here)
            todo += touching(here) & left
            left -= touching(here)
        found.append(frozenset(part))
    return found


#: The sets that `fence` can name, by number of cells, then by cells (A44, A76).
SETS: list[Cells] = [
    frozenset(cells)
    for size in range(1, len(FREE) + 1)
    for cells in combinations(FREE, size)
    if len(sides(cells)) <= DATA["farm"]["fences"] and len(parts(frozenset(cells))) == 1
]


def fence_text(cells: Cells) -> str:
    """The action that closes this set (A76)."""
    return " ".join(["fence", *in_order(cells)])


@cache
def fences_of(pastures: Pastures) -> frozenset[Side]:
    """Where fences stand: on the sides of the pastures, once between two (A43)."""
    return frozenset().union(*map(sides, pastures))


@cache
def closings(pastures: Pastures) -> dict[Cells, int]:
    """The sets that can be closed beside or inside these pastures, with the number of new fences (A44-A46).

    Rooms, fields and the price are not looked at.
    """
    fenced = frozenset[str]().union(*pastures)
    found = {}
    for cells in SETS:
        if cells.isdisjoint(fenced):
            legal = not pastures or any(touching(cell) & fenced for cell in cells)  # A45
        else:
            legal = any(cells < pasture and _names_division(cells, pasture) for pasture in pastures)  # A46
        if legal:
            found[cells] = len(sides(cells) - fences_of(pastures))
    return found


def _names_division(cells: Cells, pasture: Cells) -> bool:
    """Whether no other set, without the pasture's first cell, would put up the same fences (A46)."""
    return in_order(pasture)[0] not in cells or len(parts(pasture - cells)) > 1


def closed(pastures: Pastures, cells: Cells) -> Pastures:
    """The pastures after closing this set: a new one, or one divided (A44-A46)."""
    for pasture in pastures:
        if cells < pasture:
            return pastures - {pasture} | {cells, *parts(pasture - cells)}
    return pastures | {cells}


@cache
def affordable(pastures: Pastures, blocked: Cells, fences: int) -> list[str]:
    """The closings without a blocked cell that take no more than so many fences (A44)."""
    legal = [cells for cells, price in closings(pastures).items() if price <= fences and cells.isdisjoint(blocked)]
    return [fence_text(cells) for cells in legal]


@cache
def fit(pastures: tuple[int, ...], animals: tuple[int, ...], elsewhere: int) -> bool:
    """Whether the pastures, of which each holds so many of one kind, leave no more than find room elsewhere (A56)."""
    for kinds in product(range(len(animals)), repeat=len(pastures)):
        left = list(animals)
        for kind, capacity in zip(kinds, pastures, strict=True):
            left[kind] = max(0, left[kind] - capacity)
        if sum(left) <= elsewhere:
            return True
    return False


@dataclass
class Farm:
    """What one player has."""

    goods: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    begging: int = 0
    people: int = DATA["farm"]["first_people"]
    newborns: int = 0
    placed: int = 0
    well: int = 0
    material: str = DATA["farm"]["first_material"]
    rooms: Cells = frozenset(FIRST_ROOMS)
    fields: dict[str, tuple[str | None, int]] = field(default_factory=dict)  # crop and number by cell
    stables: Cells = frozenset()
    pastures: Pastures = frozenset()

    @property
    def fenced(self) -> Cells:
        """The cells in pastures."""
        return frozenset[str]().union(*self.pastures)

    @property
    def plowed(self) -> Cells:
        """The cells with a field."""
        return frozenset(self.fields)

    @property
    def used(self) -> Cells:
        """The cells with a room, a field or a stable, and those in pastures (A31, A38, A69)."""
        return self.rooms | self.plowed | self.stables | self.fenced

    @property
    def at_home(self) -> int:
        """How many people can still be placed in this round (A17)."""
        return self.people - self.newborns - self.placed

    def room_texts(self) -> list[str]:
        """Where a room can be built and paid (A31)."""
        if self.goods[self.material] < COST["room_material"] or self.goods["reed"] < COST["room_reed"]:
            return []
        used = self.used
        return [f"room {cell}" for cell in FREE if cell not in used and touching(cell) & self.rooms]

    def stable_texts(self, wood: int) -> list[str]:
        """Where a stable can be built for so much wood (A3, A42)."""
        if self.goods["wood"] < wood or len(self.stables) == DATA["farm"]["stables"]:
            return []
        built = self.rooms | self.plowed | self.stables
        return [f"stable {cell}" for cell in FREE if cell not in built]

    def plow_texts(self) -> list[str]:
        """Where a field can be plowed (A38)."""
        used, plowed = self.used, self.plowed
        cells = [cell for cell in FREE if cell not in used]
        return [f"plow {cell}" for cell in cells if not plowed or touching(cell) & plowed]

    def sow_texts(self) -> list[str]:
        """What can be sown (A39)."""
        empty = any(crop is None for crop, _ in self.fields.values())
        return [f"sow {crop}" for crop in CROPS if empty and self.goods[crop]]

    def fence_texts(self) -> list[str]:
        """What can be closed and paid (A43, A44)."""
        left = DATA["farm"]["fences"] - len(fences_of(self.pastures))
        wood = self.goods["wood"] // COST["fence_wood"]
        return affordable(self.pastures, self.rooms | self.plowed, min(left, wood))

    def renovation(self) -> dict[str, int]:
        """The price of renovating (A33); empty for a stone house."""
        if self.material == MATERIALS[-1]:
            return {}
        new = MATERIALS[MATERIALS.index(self.material) + 1]
        return {new: COST["renovation_per_room"] * len(self.rooms), "reed": COST["renovation_reed"]}

    def can_pay(self, price: Mapping[str, int]) -> bool:
        """Whether all of the price is there."""
        return all(self.goods[good] >= number for good, number in price.items())

    def pay(self, price: Mapping[str, int]) -> None:
        """Give the price away."""
        for good, number in price.items():
            self.goods[good] -= number

    def can_grow(self, with_room: bool) -> bool:
        """Whether the family can grow (A35, A36)."""
        return self.people < DATA["farm"]["most_people"] and (not with_room or len(self.rooms) > self.people)

    def capacity(self, pasture: Cells) -> int:
        """How many animals of one kind the pasture holds (A55)."""
        rules = DATA["animals"]
        return rules["per_cell"] * len(pasture) * rules["stable_factor"] ** len(pasture & self.stables)

    def animals_fit(self) -> bool:
        """Whether there is room for all animals (A55, A56)."""
        unfenced = DATA["animals"]["unfenced_stable"] * len(self.stables - self.fenced)
        capacities = tuple(sorted(map(self.capacity, self.pastures)))
        return fit(capacities, tuple(self.goods[kind] for kind in ANIMALS), DATA["animals"]["in_house"] + unfenced)

    def crops(self, crop: str) -> int:
        """How many of the crop are in the supply and on the fields (A69)."""
        return self.goods[crop] + sum(number for kind, number in self.fields.values() if kind == crop)

    def to_json(self) -> dict[str, Any]:
        """The farm as a position lists it (A78)."""
        fields = {cell: self.fields[cell] for cell in in_order(self.fields)}
        return {
            **self.goods,
            **{name: getattr(self, name) for name in ("begging", "people", "newborns", "placed", "well", "material")},
            "rooms": in_order(self.rooms),
            "fields": [{"cell": cell, "crop": crop, "number": number} for cell, (crop, number) in fields.items()],
            "stables": in_order(self.stables),
            "pastures": sorted(map(in_order, self.pastures), key=lambda cells: CELLS.index(cells[0])),
        }

    @classmethod
    def from_json(cls, farm: Mapping[str, Any]) -> Farm:
        """The farm that a position lists."""
        return cls(
            goods={good: farm[good] for good in GOODS},
            **{name: farm[name] for name in ("begging", "people", "newborns", "placed", "well", "material")},
            rooms=frozenset(farm["rooms"]),
            fields={row["cell"]: (row["crop"], row["number"]) for row in farm["fields"]},
            stables=frozenset(farm["stables"]),
            pastures=frozenset(map(frozenset, farm["pastures"])),
        )
