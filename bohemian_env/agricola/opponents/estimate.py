"""What a farm is worth: an estimate of its final score, a sum of weights times what :func:`write_features` counts."""

import tomllib
from pathlib import Path
from typing import Final

import numpy as np

from ...engine.bits import popcount
from ...engine.compiled import njit
from ...engine.contract import Seat
from .. import legal
from .. import pieces as p
from ..farm import capacity
from ..state import COLUMNS, MOST_PASTURES, State, whole

TUNED: Final = tomllib.loads((Path(__file__).parent / "planner.toml").read_text(encoding="utf-8"))
"""The weights of ``planner`` by number of players and by name, as the file has them; without that of the score."""
NAMES: Final = ("score", *TUNED["players-1"])
"""What is counted of a farm, each with a weight at the beginning, in the middle and at the end of the game."""
(
    _SCORE, _WOOD, _MORE_WOOD, _CLAY, _MORE_CLAY, _REED, _MORE_REED, _STONE, _MORE_STONE, _GRAIN, _MORE_GRAIN,
    _VEGETABLE, _MORE_VEGETABLES, _GROWING_GRAIN, _GROWING_VEGETABLES, _EMPTY_FIELDS, _FIELDS, _FOOD, _MISSING,
    _MISSING_SOON, _MORE_FOOD, _ROOM, _MORE_ROOMS, _PEOPLE, _COOKING, _HEARTH, _OVEN, _CRAFTS, _PASTURE_CELLS,
    _PASTURES, _LOOSE_STABLES, _FREE_PLACES, _STABLES_LEFT, _SHEEP_PAIR, _BOAR_PAIR, _CATTLE_PAIR, _ANIMALS,
    _EDIBLE, _MARKER, _RENOVATED, _OPEN_CELLS,
) = range(len(NAMES))  # fmt: skip
KNOTS: Final = 3
"""Weights are given for the first round, the middle and the last round; between them they change evenly."""
_NEXT_HARVEST: Final = np.array(
    [next((later for later in range(now, p.ROUNDS + 1) if p.HARVESTS[later]), p.ROUNDS) for now in range(p.ROUNDS + 1)]
)


@njit
def write_features(s: State, seat: Seat, row: np.ndarray, out: np.ndarray) -> None:
    """Write what is counted of a farm. row: int64, (COLUMNS,), its score. out: float64, (len(NAMES),), overwritten."""
    goods, own = s["goods"][seat], whole(s["majors"][seat])
    stables, enclosed = whole(s["stables"][seat]), whole(s["enclosed"][seat])
    people, rooms = whole(s["people"][seat]), popcount(np.uint64(s["rooms"][seat]))
    out[_SCORE] = row[COLUMNS - 1]
    split(whole(goods[p.WOOD]), 5, out, _WOOD)
    split(whole(goods[p.CLAY]), 3, out, _CLAY)
    split(whole(goods[p.REED]), 2, out, _REED)
    split(whole(goods[p.STONE]), 2, out, _STONE)
    split(whole(goods[p.GRAIN]), 1, out, _GRAIN)
    split(whole(goods[p.VEGETABLE]), 1, out, _VEGETABLE)
    grain, vegetables = s["grain"][seat], s["vegetables"][seat]
    on_grain = popcount(np.uint64(grain[0])) + 2 * popcount(np.uint64(grain[1])) + 3 * popcount(np.uint64(grain[2]))
    on_vegetables = popcount(np.uint64(vegetables[0])) + 2 * popcount(np.uint64(vegetables[1]))
    out[_GROWING_GRAIN], out[_GROWING_VEGETABLES] = min(on_grain, 9), min(on_vegetables, 6)
    out[_EMPTY_FIELDS] = min(popcount(np.uint64(legal.empty_fields(s, seat))), 3)
    out[_FIELDS] = min(popcount(np.uint64(s["fields"][seat])), 6)

    cooks = p.COOKED[whole(own & p.COOKING & ~p.HEARTHS != 0) + 2 * whole(own & p.HEARTHS != 0)]
    edible = whole(goods[p.GRAIN]) + whole(goods[p.VEGETABLE]) * cooks[p.VEGETABLE]
    animals = 0
    for kind in range(p.SHEEP, p.SHEEP + 3):
        edible += whole(goods[kind]) * cooks[kind]
        animals += whole(goods[kind])
    for craft in range(p.CRAFT_MAJORS.shape[0]):
        edible += 2 * ((own >> p.CRAFT_MAJORS[craft]) & 1)
    needed, food, turn = legal.need(s, seat), whole(goods[p.FOOD]) + whole(s["well"][seat]), whole(s["turn"])
    if turn == p.ROUNDS and s["phase"] > 2:
        needed = 0
    until = max(_NEXT_HARVEST[turn] - turn, 0)
    missing = max(needed - food - edible, 0)
    out[_FOOD] = min(food, needed)
    out[_MISSING] = missing
    out[_MISSING_SOON] = missing / (1.0 + until * (people - 1) + max(people - whole(s["placed"][seat]), 0) * 0.5)
    out[_MORE_FOOD] = min(max(food - needed, 0), 12)
    out[_EDIBLE] = min(edible, 12)
    spare = rooms - people
    out[_ROOM], out[_MORE_ROOMS], out[_PEOPLE] = min(max(spare, -1), 1), min(max(spare - 1, 0), 2), people
    out[_COOKING], out[_HEARTH] = own & p.COOKING != 0, own & p.HEARTHS != 0
    out[_OVEN] = own & p.BAKE_AT_ONCE != 0
    out[_CRAFTS] = 0.0
    for craft in range(p.CRAFT_MAJORS.shape[0]):
        out[_CRAFTS] += (own >> p.CRAFT_MAJORS[craft]) & 1

    places, count = 0, 0
    while count < MOST_PASTURES and s["pastures"][seat, count] != 0:
        places += capacity(whole(s["pastures"][seat, count]), stables)
        count += 1
    out[_PASTURE_CELLS], out[_PASTURES] = popcount(np.uint64(enclosed)), count
    out[_LOOSE_STABLES] = popcount(np.uint64(stables & ~enclosed))
    out[_FREE_PLACES] = min(max(places + out[_LOOSE_STABLES] + 1 - animals, 0), 8)
    out[_STABLES_LEFT] = p.MOST_STABLES - popcount(np.uint64(stables))
    for kind in range(3):
        out[_SHEEP_PAIR + kind] = goods[p.SHEEP + kind] >= 2
    out[_ANIMALS] = min(animals, 12)
    out[_MARKER] = s["start_player"] == seat
    out[_RENOVATED] = s["material"][seat]
    out[_OPEN_CELLS] = -min(row[7], 0)


@njit
def split(number: int, first: int, out: np.ndarray, at: int) -> None:
    """Write the part of a number up to ``first``, and then the rest of it, up to 8."""
    out[at], out[at + 1] = min(number, first), min(max(number - first, 0), 8)


@njit
def estimate(row: np.ndarray, features: np.ndarray, weights: np.ndarray, turn: int) -> float:
    """Return the estimated final score. weights: (KNOTS, len(NAMES)), at the beginning, in the middle, at the end."""
    at = min(max(turn - 1, 0), p.ROUNDS - 1) * (KNOTS - 1) / (p.ROUNDS - 1)
    knot = min(int(at), KNOTS - 2)
    part, value = at - knot, 0.0
    for k in range(features.shape[0]):
        value += features[k] * ((1.0 - part) * weights[knot, k] + part * weights[knot + 1, k])
    return value
