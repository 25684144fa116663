"""What a learner of values sees of a farm: some sixty inputs, each a row of one of a few tables.

The value of a position to a seat is thought of as a sum: over its goods, its house and family, its fields, pastures and
animals, its majors, the food for the next harvest, and the decision that is pending, each by the round.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engine.bits import popcount
from ..engine.compiled import njit
from ..engine.contract import Seat
from . import legal
from .decisions import DECISIONS
from .farm import capacity
from .pieces import (
    ANIMALS,
    CLAY,
    COOKED,
    COOKING,
    CRAFT_MAJORS,
    FOOD,
    GOODS,
    GRAIN,
    HARVESTS,
    HEARTHS,
    MAJORS,
    MATERIALS,
    REED,
    ROUNDS,
    SHEEP,
    STAGE_IN,
    STONE,
    VEGETABLE,
    WOOD,
)  # fmt: skip
from .state import FEEDING, MOST_PASTURES, PHASES, State, whole

_TIMES: Final = ROUNDS + 1
_STAGES: Final = int(STAGE_IN.max()) + 2
_MANY: Final = 16
_STAGE: Final = np.append(STAGE_IN, _STAGES - 1)
_TO_HARVEST: Final = np.array(
    [next((later - now for later in range(now, ROUNDS + 1) if HARVESTS[later]), 0) for now in range(ROUNDS + 1)]
)
_FOOD_ROWS, _WAIT, _HOME = 26, 4, 6
_PAIRS: Final = (
    (WOOD, REED), (CLAY, REED), (STONE, REED), (CLAY, STONE), (WOOD, STONE), (GRAIN, VEGETABLE),
    (SHEEP, SHEEP + 1), (SHEEP + 1, SHEEP + 2), (SHEEP, SHEEP + 2),
)  # fmt: skip
_PAIR: Final = 9
# The first row of each table.
_GOODS: Final = 0
_FAMILY: Final = _GOODS + len(GOODS) * _MANY * _TIMES
_HOUSE: Final = _FAMILY + 6 * 10 * _TIMES
_FIELDS: Final = _HOUSE + len(MATERIALS) * 10 * _STAGES
_GROWING: Final = _FIELDS + 8 * 8 * _TIMES
_PASTURES: Final = _GROWING + 10 * 8 * _STAGES
_STABLES: Final = _PASTURES + 6 * 13 * _TIMES
_PLACES: Final = _STABLES + 5 * 5 * _STAGES
_MAJORS: Final = _PLACES + _MANY * _MANY * _STAGES
_EACH_MAJOR: Final = _MAJORS + (1 << len(MAJORS))
_FED: Final = _EACH_MAJOR + len(MAJORS) * _TIMES
_PAIR_ROWS: Final = _FED + _FOOD_ROWS * (_WAIT + 1) * _HOME * len(PHASES)
_UNUSED: Final = _PAIR_ROWS + len(_PAIRS) * _PAIR * _PAIR * _STAGES
_ASKED: Final = _UNUSED + _MANY * _TIMES
_ASKED_WITH: Final = _ASKED + len(DECISIONS) * 2 * _TIMES
_MARKER: Final = _ASKED_WITH + len(DECISIONS) * len(GOODS) * _MANY
_COOKING: Final = _MARKER + 2 * _TIMES
INPUTS: Final = _COOKING + 4 * len(ANIMALS) * _PAIR * _STAGES
"""The number of different inputs."""
MOST_INPUTS: Final = 80
"""A number that no position has more inputs than."""


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write which inputs are on for a seat, and return how many these are. out: int32, (MOST_INPUTS,)."""
    goods, own, turn = s["goods"][seat], whole(s["majors"][seat]), whole(s["turn"])
    stage, n = _STAGE[turn], 0
    for good in range(len(GOODS)):
        out[n] = _GOODS + (good * _MANY + min(whole(goods[good]), _MANY - 1)) * _TIMES + turn
        n += 1
    people, rooms = whole(s["people"][seat]), min(popcount(np.uint64(s["rooms"][seat])), 9)
    out[n] = _FAMILY + (people * 10 + rooms) * _TIMES + turn
    out[n + 1] = _HOUSE + (whole(s["material"][seat]) * 10 + rooms) * _STAGES + stage
    fields, empty = popcount(np.uint64(s["fields"][seat])), popcount(np.uint64(legal.empty_fields(s, seat)))
    out[n + 2] = _FIELDS + (min(fields, 7) * 8 + min(empty, 7)) * _TIMES + turn
    grain, vegetables = s["grain"][seat], s["vegetables"][seat]
    on_grain = popcount(np.uint64(grain[0])) + 2 * popcount(np.uint64(grain[1])) + 3 * popcount(np.uint64(grain[2]))
    on_vegetables = popcount(np.uint64(vegetables[0])) + 2 * popcount(np.uint64(vegetables[1]))
    out[n + 3] = _GROWING + (min(on_grain, 9) * 8 + min(on_vegetables, 7)) * _STAGES + stage
    stables, enclosed = whole(s["stables"][seat]), whole(s["enclosed"][seat])
    places, count = 0, 0
    while count < MOST_PASTURES and s["pastures"][seat, count] != 0:
        places += capacity(whole(s["pastures"][seat, count]), stables)
        count += 1
    out[n + 4] = _PASTURES + (count * 13 + popcount(np.uint64(enclosed))) * _TIMES + turn
    loose = popcount(np.uint64(stables & ~enclosed))
    out[n + 5] = _STABLES + (popcount(np.uint64(stables & enclosed)) * 5 + loose) * _STAGES + stage
    animals = whole(goods[SHEEP]) + whole(goods[SHEEP + 1]) + whole(goods[SHEEP + 2])
    places = min(places + loose + 1, _MANY - 1)
    out[n + 6] = _PLACES + (places * _MANY + min(animals, _MANY - 1)) * _STAGES + stage
    out[n + 7] = _MAJORS + own
    n += 8
    for major in range(len(MAJORS)):
        if (own >> major) & 1:
            out[n] = _EACH_MAJOR + major * _TIMES + turn
            n += 1
    cooking = whole(own & COOKING & ~HEARTHS != 0) + 2 * whole(own & HEARTHS != 0)
    edible = whole(goods[FOOD]) + whole(goods[GRAIN]) + whole(goods[VEGETABLE]) * COOKED[cooking, VEGETABLE]
    for kind in range(len(ANIMALS)):
        edible += whole(goods[SHEEP + kind]) * COOKED[cooking, SHEEP + kind]
        some = min(whole(goods[SHEEP + kind]), _PAIR - 1)
        out[n] = _COOKING + ((cooking * len(ANIMALS) + kind) * _PAIR + some) * _STAGES + stage
        n += 1
    for craft in range(CRAFT_MAJORS.shape[0]):
        edible += 2 * ((own >> CRAFT_MAJORS[craft]) & 1)
    phase = whole(s["phase"])
    fed = phase > FEEDING or (phase == FEEDING and s["to_move"] != seat)
    missing = min(max(edible - (0 if fed else legal.need(s, seat)) + 13, 0), _FOOD_ROWS - 1)
    home = 0 if phase != 1 else people - whole(s["placed"][seat])
    out[n] = _FED + ((missing * (_WAIT + 1) + _TO_HARVEST[turn]) * _HOME + home) * len(PHASES) + phase
    n += 1
    for pair in range(len(_PAIRS)):
        one, other = _PAIRS[pair]
        many = min(whole(goods[one]), _PAIR - 1) * _PAIR + min(whole(goods[other]), _PAIR - 1)
        out[n] = _PAIR_ROWS + (pair * _PAIR * _PAIR + many) * _STAGES + stage
        n += 1
    used = whole(s["rooms"][seat]) | whole(s["fields"][seat]) | stables | enclosed
    out[n] = _UNUSED + (15 - popcount(np.uint64(used))) * _TIMES + turn
    out[n + 1] = _MARKER + whole(s["start_player"] == seat) * _TIMES + turn
    n += 2
    if s["to_move"] == seat and s["kind"] > 1:  # a decision goes on
        kind = whole(s["kind"])
        out[n] = _ASKED + (kind * 2 + whole(s["may_stop"])) * _TIMES + turn
        n += 1
        for good in range(len(GOODS)):
            out[n] = _ASKED_WITH + (kind * len(GOODS) + good) * _MANY + min(whole(goods[good]), _MANY - 1)
            n += 1
    return n
