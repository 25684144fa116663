"""The decisions (A19) and the actions (A76, A77): their numbers and texts."""

from typing import Final

from .farm import FENCED
from .pieces import ANIMALS, CELLS, CRAFTS, FREE_CELLS, GOODS, MAJORS, PAIRS, RESOURCES, SPACES, SWAPS

DECISIONS: Final = (
    *(None, "place", "resource", "two-resources", "resources-or-growth", "animal", "pay", "build", "room-or-food"),
    *("plow", "plow-sow", "sow-bake", "stable-bake", "bake", "major", "fences", "keep", "feed", "breed"),
)
"""The kinds of decisions, by number; 0 where nobody decides."""
PLACE, RESOURCE, TWO_RESOURCES, RESOURCES_OR_GROWTH, ANIMAL, PAY, BUILD, ROOM_OR_FOOD = range(1, 9)
PLOW, PLOW_SOW, SOW_BAKE, STABLE_BAKE, BAKE, MAJOR, FENCING, KEEP, FEED, BREED = range(9, 19)


def _set_text(cells: int) -> str:
    return " ".join(name for number, name in enumerate(CELLS) if cells >> number & 1)


_FREE: Final = [CELLS[cell] for cell in FREE_CELLS]
_GROUPS: Final = {
    "TO": [f"to {space}" for space in SPACES],
    "TAKE": [f"take {good}" for good in RESOURCES],
    "TAKE_TWO": [f"take {GOODS[one]} {GOODS[other]}" for one, other in PAIRS],
    "TAKE_ANIMAL": [f"take {good}" for good in ANIMALS],
    "ROOM": [f"room {cell}" for cell in _FREE],
    "STABLE": [f"stable {cell}" for cell in _FREE],
    "PLOW_CELL": [f"plow {cell}" for cell in _FREE],
    "SOW": ["sow grain", "sow vegetable"],
    "BAKE_ONE": ["bake"],
    "BUY": [f"buy {major}" for major in MAJORS],
    "SWAP": [f"buy {MAJORS[hearth]} for {MAJORS[fireplace]}" for hearth, fireplace in SWAPS],
    "COOK": [f"cook {good}" for good in ANIMALS],
    "GIVE": [f"give {good}" for good in ANIMALS],
    "EAT": ["eat grain", "eat vegetable"],
    "CRAFT": [f"craft {good}" for good in CRAFTS],
    "TAKE_FOOD": ["take food"],
    "GROW": ["grow"],
    "DONE": ["done"],
    "FENCE": [f"fence {_set_text(int(cells))}" for cells in FENCED],
}
"""The texts of the actions, by what they do, in the order of their numbers."""
TEXTS: Final = tuple(text for texts in _GROUPS.values() for text in texts)
"""The text of each action, by its number."""
NUMBER: Final = {text: number for number, text in enumerate(TEXTS)}
"""The number of each action, by its text."""
NUM_ACTIONS: Final = len(TEXTS)


def _first(group: str) -> int:
    return NUMBER[_GROUPS[group][0]]


# The number of the first action of each group.
TO, TAKE, TAKE_TWO, TAKE_ANIMAL = _first("TO"), _first("TAKE"), _first("TAKE_TWO"), _first("TAKE_ANIMAL")
ROOM, STABLE, PLOW_CELL, SOW = _first("ROOM"), _first("STABLE"), _first("PLOW_CELL"), _first("SOW")
BAKE_ONE, BUY, SWAP, COOK, GIVE = _first("BAKE_ONE"), _first("BUY"), _first("SWAP"), _first("COOK"), _first("GIVE")
EAT, CRAFT, TAKE_FOOD, GROW = _first("EAT"), _first("CRAFT"), _first("TAKE_FOOD"), _first("GROW")
DONE, FENCE = _first("DONE"), _first("FENCE")
