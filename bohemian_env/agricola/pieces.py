"""The pieces (A2-A7), read once from agricola.toml, and the tables that compiled code makes of their numbers.

Cells have the numbers 0 to 14 in cell order (A2), and a set of cells is 15 bits. Goods, spaces and majors have their
numbers in the order of the action numbers (A76).
"""

import tomllib
from pathlib import Path
from typing import Any, Final

import numpy as np

DATA: Final = tomllib.loads((Path(__file__).parent / "agricola.toml").read_text(encoding="utf-8"))
"""All that the file says."""

MOST_PLAYERS: Final[int] = DATA["game"]["most_players"]
STAGES: Final[list[int]] = DATA["game"]["stages"]
ROUNDS: Final = sum(STAGES)

# --- goods ---
GOODS: Final = ("food", "wood", "clay", "reed", "stone", "grain", "vegetable", "sheep", "boar", "cattle")
"""What a player has of, each in any number (A3)."""
FOOD, WOOD, CLAY, REED, STONE, GRAIN, VEGETABLE, SHEEP, BOAR, CATTLE = range(len(GOODS))
RESOURCES, ANIMALS = GOODS[WOOD:GRAIN], GOODS[SHEEP:]
PAIRS: Final = ((WOOD, CLAY), (WOOD, REED), (WOOD, STONE), (CLAY, REED), (CLAY, STONE), (REED, STONE))
"""The pairs of different resources in the order of their actions (A76)."""

# --- the farm ---
CELLS: Final = tuple(column + row for row in DATA["farm"]["rows"] for column in DATA["farm"]["columns"])
COLUMNS_OF_FARM: Final = len(DATA["farm"]["columns"])
CELL: Final = {name: number for number, name in enumerate(CELLS)}
"""The number of each cell, by its name."""
FARM: Final = (1 << len(CELLS)) - 1
"""All cells."""
FIRST_ROOMS: Final = sum(1 << CELL[name] for name in DATA["farm"]["first_rooms"])
FREE: Final = FARM & ~FIRST_ROOMS
FREE_CELLS: Final = tuple(cell for cell in range(len(CELLS)) if FREE >> cell & 1)
MATERIALS: Final = ("wood", "clay", "stone")
HOUSE_OF: Final = (WOOD, CLAY, STONE)
"""The good that each material is."""
MOST_PEOPLE: Final[int] = DATA["farm"]["most_people"]
FIRST_PEOPLE: Final[int] = DATA["farm"]["first_people"]
MOST_STABLES: Final[int] = DATA["farm"]["stables"]
MOST_FENCES: Final[int] = DATA["farm"]["fences"]

# --- action spaces ---
_SPACES: Final[list[dict[str, Any]]] = DATA["space"]
SPACES: Final[tuple[str, ...]] = tuple(space["id"] for space in _SPACES)
SPACE: Final = {name: number for number, name in enumerate(SPACES)}
"""The number of each space, by its name."""
CARDS: Final[int] = next(number for number, space in enumerate(_SPACES) if "stage" in space)
"""The number of the first space that is a round card."""
STAGE_OF: Final = tuple(space["stage"] - 1 for space in _SPACES[CARDS:])
"""The stage of each round card, from 0."""
STAGE_CARDS: Final = np.array(
    [sum(1 << k for k, of in enumerate(STAGE_OF) if of == stage) for stage in range(len(STAGES))]
)
"""The round cards of each stage, as bits."""
STAGE_IN: Final = np.array([stage for stage, rounds in enumerate(STAGES) for _ in range(rounds)])
"""The stage of each round, from 0."""
HARVESTS: Final = np.array([round_ in DATA["game"]["harvest_after"] for round_ in range(ROUNDS + 1)])
"""Whether a harvest follows a round (A18)."""
IN_PLAY: Final = np.array(
    [sum(1 << k for k in range(CARDS) if players in _SPACES[k]["players"]) for players in range(MOST_PLAYERS + 1)],
    np.uint64,
)
"""The spaces that are no round cards, as bits, by the number of players (A5)."""
GOOD_ON: Final = np.array([GOODS.index(space.get("good", "food")) for space in _SPACES])
"""What is laid on each space, where anything is."""
ADDS: Final = np.array([(space.get("adds_solo", space.get("adds", 0)), space.get("adds", 0)) for space in _SPACES]).T
"""How much of it each round (A10): with one player, and with more."""
STOREHOUSE: Final = SPACE["start-player"]

# --- major improvements ---
_MAJORS: Final[list[dict[str, Any]]] = DATA["major"]
MAJORS: Final[tuple[str, ...]] = tuple(major["id"] for major in _MAJORS)
MAJOR: Final = {name: number for number, name in enumerate(MAJORS)}
"""The number of each major, by its name."""
COST: Final = np.array([[major["cost"].get(name, 0) for name in RESOURCES] for major in _MAJORS])
"""What each costs, of wood, clay, reed and stone."""
POINTS: Final = np.array([major["points"] for major in _MAJORS])


def _those(fits: Any) -> int:
    return sum(1 << number for number, major in enumerate(_MAJORS) if fits(major))


BAKING: Final = _those(lambda major: "bake" in major)
"""Those that bake, as bits."""
BAKE_MOST: Final = np.array([major.get("bake_most", 10**4) if "bake" in major else 0 for major in _MAJORS])
BAKE_AT_ONCE: Final = _those(lambda major: major.get("bake_at_once", False))
COOKING: Final = _those(lambda major: "cook" in major)
HEARTHS: Final = _those(lambda major: major.get("for_fireplace", False))
FIREPLACES: Final = COOKING & ~HEARTHS
SWAPS: Final = tuple(
    (hearth, fireplace)
    for hearth in range(len(MAJORS))
    if HEARTHS >> hearth & 1
    for fireplace in range(len(MAJORS))
    if FIREPLACES >> fireplace & 1
)
"""The hearths, each for each fireplace that pays for it, in the order of their actions (A76)."""
BY_RATE: Final = np.array(sorted((k for k in range(len(MAJORS)) if BAKING >> k & 1), key=lambda k: -_MAJORS[k]["bake"]))
"""Those that bake, the best first (A52)."""
RATE: Final = np.array([major.get("bake", 0) for major in _MAJORS])
_RAW: Final = (DATA["feeding"]["raw_grain"], DATA["feeding"]["raw_vegetable"])


def _cooked(bits: int) -> list[int]:
    found = [0] * len(GOODS)
    found[GRAIN], found[VEGETABLE] = _RAW
    for major in _MAJORS:
        if "cook" in major and bits >> bool(major.get("for_fireplace")) & 1:
            found = [max(was, major["cook"].get(name, 0)) for was, name in zip(found, GOODS, strict=True)]
    return found


COOKED: Final = np.array([_cooked(bits) for bits in range(4)])
"""The food for one of each good (A59): without a cooking major, with a fireplace, with a hearth, with both."""
_CRAFTS: Final = [major for major in _MAJORS if "craft" in major]
CRAFT_MAJORS: Final = np.array([MAJOR[major["id"]] for major in _CRAFTS])
"""The majors that craft, in the order of ``crafted`` (A78)."""
CRAFT_GOOD: Final = np.array([GOODS.index(major["craft"]["good"]) for major in _CRAFTS])
CRAFT_FOOD: Final = np.array([major["craft"]["food"] for major in _CRAFTS])
CRAFT_BONUS: Final = np.array([major["bonus"] for major in _CRAFTS])
CRAFTS: Final = tuple(GOODS[good] for good in CRAFT_GOOD)
WELL: Final = MAJOR["well"]
WELL_ROUNDS: Final[int] = next(major["well_rounds"] for major in _MAJORS if "well_rounds" in major)

# --- score ---
SCORING: Final = (
    *DATA["score"]["steps"],
    *("unused", "fenced_stables", "rooms", "people", "majors", "bonus", "begging", "total"),
)
"""The columns of the score (A69)."""
_MOST_STEP: Final = max(max(steps) for steps in DATA["score"]["steps"].values())
STEPS: Final = np.array(
    [
        [sum(have >= step for step in steps) or -1 for have in range(_MOST_STEP + 1)]
        for steps in DATA["score"]["steps"].values()
    ]
)
"""The points of the first seven columns, for 0, 1, … of what they count; more than the last count like it."""
EACH: Final[dict[str, int]] = DATA["score"]["each"]
