"""What a learner of values sees of a position: some 1,400 inputs, each on or off, of which up to 400 are on at once.

A count is told by as many inputs as it is high, so that what one more of it is worth is learnt for each number apart.
Seen are the own farm with all goods, what the next feeding misses, what lies on each space and who has been there, the
decision that is pending, and of the others what they could do next.
"""

from itertools import accumulate
from typing import Final

import numpy as np

from ..engine.bits import popcount
from ..engine.compiled import njit
from ..engine.contract import Seat
from . import legal
from . import pieces as p
from .decisions import DECISIONS
from .farm import beside, capacity
from .state import FEEDING, MOST_PASTURES, PHASES, WORK, State, whole

_TO_HARVEST: Final = np.array(
    [next((later - now for later in range(now, p.ROUNDS + 1) if p.HARVESTS[later]), 0) for now in range(p.ROUNDS + 1)]
)
_OWN_MOST: Final = np.array([20, 15, 10, 8, 10, 10, 6, 12, 9, 8])  # of each good: more are told as so many
_THEIR_MOST: Final = np.array([6, 8, 6, 4, 4, 4, 3, 4, 4, 4])
_GOODS, _LAID, _MISSING, _ROOMS = int(_OWN_MOST.max()), 10, 16, 7
_THEIRS: Final = (0, *accumulate((p.MOST_PEOPLE, p.MOST_PEOPLE - 2, int(_THEIR_MOST.sum()), 10, 3, 5, 3, 1, 4, 2)))
"""Where the inputs of another farm begin, those of each thing, and how many these are in all."""
_THEIR_SIZE: Final = _THEIRS[-1]
_TABLES: Final = {
    "round": p.ROUNDS, "round_is": p.ROUNDS + 1, "phase": len(PHASES), "to_harvest": int(_TO_HARVEST.max()) + 1,
    "home": p.MOST_PEOPLE, "people": p.MOST_PEOPLE, "newborns": p.MOST_PEOPLE, "goods": _GOODS * len(p.GOODS),
    "missing": 2 * _MISSING, "food_missing": 2 * _MISSING, "edible": 24, "rooms": _ROOMS, "spare": 4,
    "material": len(p.MATERIALS), "house": len(p.MATERIALS) * _ROOMS, "fields": 7, "empty": 5, "on_grain": 12,
    "on_vegetables": 8, "grain_fields": 5, "vegetable_fields": 4, "pastures": MOST_PASTURES, "enclosed": 13,
    "places": 20, "largest": 12, "fences": p.MOST_FENCES, "free_places": 10, "stables": p.MOST_STABLES,
    "fenced_stables": p.MOST_STABLES, "unused": 13, "majors": len(p.MAJORS), "taken": len(p.MAJORS), "cooking": 3,
    "well": p.WELL_ROUNDS, "pairs": len(p.ANIMALS), "decision": len(DECISIONS), "may_stop": 1, "crafted": 3,
    "shown": len(p.SPACES) - p.CARDS, "laid": len(p.SPACES) * _LAID, "occupied": len(p.SPACES), "marker": 1,
    "storehouse": 1, "room_cells": 3, "players": p.MOST_PLAYERS + 1, "from_marker": p.MOST_PLAYERS,
    "until_turn": p.MOST_PLAYERS, "left": 13, "theirs": (p.MOST_PLAYERS - 1) * _THEIR_SIZE,
}  # fmt: skip
"""How many inputs tell each thing."""
(
    _ROUND, _ROUND_IS, _PHASE, _HARVEST, _HOME, _PEOPLE, _NEWBORNS, _GOODS_AT, _SHORT, _FOOD_SHORT, _EDIBLE, _ROOM,
    _SPARE, _MATERIAL, _HOUSE, _FIELDS, _EMPTY, _ON_GRAIN, _ON_VEGETABLES, _GRAIN_FIELDS, _VEGETABLE_FIELDS,
    _PASTURES, _ENCLOSED, _PLACES, _LARGEST, _FENCES, _FREE_PLACES, _STABLES, _FENCED_STABLES, _UNUSED, _MAJORS,
    _TAKEN, _COOKING, _WELL, _PAIRS, _DECISION, _MAY_STOP, _CRAFTED, _SHOWN, _LAID_AT, _OCCUPIED, _MARKER, _STOREHOUSE,
    _ROOM_CELLS, _PLAYERS, _FROM_MARKER, _UNTIL_TURN, _LEFT, _OTHERS, INPUTS,
) = accumulate(_TABLES.values(), initial=0)  # fmt: skip
MOST_INPUTS: Final = 640
"""A number that no position has more inputs than."""
HIDDEN: Final = 64
"""The units of the first layer of a network over them."""


@njit
def _up_to(out: np.ndarray, n: int, first: int, count: int, most: int) -> int:
    """Write as many inputs as a count is high, at most ``most``; return how many are written in all."""
    for k in range(min(count, most)):
        out[n] = first + k
        n += 1
    return n


@njit
def _write_if(out: np.ndarray, n: int, which: int, on: bool) -> int:
    """Write one input if it is on; return how many are written in all."""
    out[n] = which
    return n + whole(on)


@njit
def _ways_to_eat(s: State, seat: Seat) -> int:
    """Return the food that a seat can make of what it has (A59, A62)."""
    goods, own = s["goods"][seat], whole(s["majors"][seat])
    cooks = p.COOKED[whole(own & p.COOKING & ~p.HEARTHS != 0) + 2 * whole(own & p.HEARTHS != 0)]
    food = whole(goods[p.GRAIN]) + whole(goods[p.VEGETABLE]) * cooks[p.VEGETABLE]
    for kind in range(p.SHEEP, p.SHEEP + len(p.ANIMALS)):
        food += whole(goods[kind]) * cooks[kind]
    for craft in range(p.CRAFT_MAJORS.shape[0]):
        left = (own >> p.CRAFT_MAJORS[craft]) & 1 & ~(whole(s["crafted"]) >> craft)
        food += left * p.CRAFT_FOOD[craft] * min(1, whole(goods[p.CRAFT_GOOD[craft]]))
    return food


@njit
def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write which inputs are on for a seat, and return how many these are. out: int32, (MOST_INPUTS,)."""
    goods, own, turn = s["goods"][seat], whole(s["majors"][seat]), whole(s["turn"])
    phase, players = whole(s["phase"]), whole(s["players"])
    people, newborns = whole(s["people"][seat]), whole(s["newborns"][seat])
    n = _up_to(out, 0, _ROUND, turn, p.ROUNDS)
    out[n], out[n + 1], out[n + 2] = _ROUND_IS + turn, _PHASE + phase, _HARVEST + _TO_HARVEST[turn]
    n = _up_to(out, n + 3, _HOME, people - newborns - whole(s["placed"][seat]) if phase == WORK else 0, p.MOST_PEOPLE)
    n = _up_to(out, n, _PEOPLE, people, p.MOST_PEOPLE)
    n = _up_to(out, n, _NEWBORNS, newborns, p.MOST_PEOPLE)
    for good in range(len(p.GOODS)):
        n = _up_to(out, n, _GOODS_AT + _GOODS * good, whole(goods[good]), _OWN_MOST[good])
    edible, food = _ways_to_eat(s, seat), whole(goods[p.FOOD]) + _MISSING
    if phase < FEEDING or (phase == FEEDING and s["to_move"] == seat):
        food -= legal.need(s, seat) + newborns * whole(_TO_HARVEST[turn] > 0)  # who eat for two then
    n = _up_to(out, n, _SHORT, food + edible, 2 * _MISSING)
    n = _up_to(out, n, _FOOD_SHORT, food, 2 * _MISSING)
    n = _up_to(out, n, _EDIBLE, edible, 24)
    rooms, material = popcount(np.uint64(s["rooms"][seat])), whole(s["material"][seat])
    n = _up_to(out, n, _ROOM, rooms, _ROOMS)
    n = _up_to(out, n, _SPARE, rooms - people + 2, 4)
    n = _up_to(out, n, _HOUSE + _ROOMS * material, rooms, _ROOMS)
    out[n], n = _MATERIAL + material, n + 1
    n = _write_farm(s, seat, out, n)
    taken = ~legal.free_majors(s) & ~own
    for major in range(len(p.MAJORS)):
        n = _write_if(out, n, _MAJORS + major, (own >> major) & 1 != 0)
        n = _write_if(out, n, _TAKEN + major, (taken >> major) & 1 != 0)
    out[n], n = _COOKING + whole(own & p.COOKING != 0) + whole(own & p.HEARTHS != 0), n + 1
    n = _up_to(out, n, _WELL, whole(s["well"][seat]), p.WELL_ROUNDS)
    if s["to_move"] == seat:
        out[n], n = _DECISION + whole(s["kind"]), n + 1
        n = _write_if(out, n, _MAY_STOP, s["may_stop"] != 0)
        for craft in range(p.CRAFT_MAJORS.shape[0]):
            n = _write_if(out, n, _CRAFTED + craft, (s["crafted"] >> craft) & 1 != 0)
    for card in range(len(p.SPACES) - p.CARDS):
        n = _write_if(out, n, _SHOWN + card, (s["shown"] >> card) & 1 != 0)
    for space in range(len(p.SPACES)):
        n = _up_to(out, n, _LAID_AT + _LAID * space, whole(s["laid"][space]), _LAID)
        n = _write_if(out, n, _OCCUPIED + space, s["person"][space] >= 0)
    n = _write_if(out, n, _MARKER, s["start_player"] == seat)
    n = _write_if(out, n, _STOREHOUSE, s["storehouse"] != 0)
    if players > 1:
        out[n], out[n + 1] = _PLAYERS + players, _FROM_MARKER + (s["start_player"] - seat + players) % players
        n, left = n + 2, 0
        if phase == WORK:
            out[n], n = _UNTIL_TURN + (s["to_move"] - seat + players) % players, n + 1
        for away in range(1, players):
            other = (seat + away) % players
            n = _write_other(s, other, _OTHERS + (away - 1) * _THEIR_SIZE, out, n)
            left += whole(s["people"][other]) - whole(s["newborns"][other]) - whole(s["placed"][other])
        n = _up_to(out, n, _LEFT, left if phase == WORK else 0, 13)
    return n


@njit
def _write_farm(s: State, seat: Seat, out: np.ndarray, n: int) -> int:
    """Write the inputs of fields, stables, pastures and animals; return how many are written in all."""
    goods, grain, vegetables = s["goods"][seat], s["grain"][seat], s["vegetables"][seat]
    n = _up_to(out, n, _FIELDS, popcount(np.uint64(s["fields"][seat])), 7)
    n = _up_to(out, n, _EMPTY, popcount(np.uint64(legal.empty_fields(s, seat))), 5)
    one, two, three = popcount(np.uint64(grain[0])), popcount(np.uint64(grain[1])), popcount(np.uint64(grain[2]))
    n = _up_to(out, n, _ON_GRAIN, one + 2 * two + 3 * three, 12)
    n = _up_to(out, n, _GRAIN_FIELDS, one + two + three, 5)
    one, two = popcount(np.uint64(vegetables[0])), popcount(np.uint64(vegetables[1]))
    n = _up_to(out, n, _ON_VEGETABLES, one + 2 * two, 8)
    n = _up_to(out, n, _VEGETABLE_FIELDS, one + two, 4)
    stables, enclosed, rooms = whole(s["stables"][seat]), whole(s["enclosed"][seat]), whole(s["rooms"][seat])
    places, largest, count = popcount(np.uint64(stables & ~enclosed)), 0, 0
    while count < MOST_PASTURES and s["pastures"][seat, count] != 0:
        held = capacity(whole(s["pastures"][seat, count]), stables)
        places, largest, count = places + held, max(largest, held), count + 1
    n = _up_to(out, n, _PASTURES, count, MOST_PASTURES)
    n = _up_to(out, n, _ENCLOSED, popcount(np.uint64(enclosed)), 13)
    n = _up_to(out, n, _PLACES, places, 20)
    n = _up_to(out, n, _LARGEST, largest, 12)
    n = _up_to(out, n, _FENCES, popcount(s["sides"][seat]), p.MOST_FENCES)
    for kind in range(len(p.ANIMALS)):
        places -= whole(goods[p.SHEEP + kind])
        n = _write_if(out, n, _PAIRS + kind, goods[p.SHEEP + kind] >= 2)
    n = _up_to(out, n, _FREE_PLACES, places + 1, 10)
    n = _up_to(out, n, _STABLES, popcount(np.uint64(stables)), p.MOST_STABLES)
    n = _up_to(out, n, _FENCED_STABLES, popcount(np.uint64(stables & enclosed)), p.MOST_STABLES)
    used = rooms | whole(s["fields"][seat]) | stables | enclosed
    n = _up_to(out, n, _UNUSED, len(p.CELLS) - popcount(np.uint64(used)), 13)
    return _up_to(out, n, _ROOM_CELLS, popcount(np.uint64(beside(rooms) & ~used)), 3)


@njit
def _write_other(s: State, seat: Seat, at: int, out: np.ndarray, n: int) -> int:
    """Write the inputs of another farm, the first of which is ``at``; return how many are written in all."""
    goods, people = s["goods"][seat], whole(s["people"][seat])
    home = people - whole(s["newborns"][seat]) - whole(s["placed"][seat])
    n = _up_to(out, n, at, home if s["phase"] == WORK else 0, p.MOST_PEOPLE)
    n = _up_to(out, n, at + _THEIRS[1], people - 2, p.MOST_PEOPLE - 2)
    good_at = at + _THEIRS[2]
    for good in range(len(p.GOODS)):
        n = _up_to(out, n, good_at, whole(goods[good]), _THEIR_MOST[good])
        good_at += _THEIR_MOST[good]
    n = _up_to(out, n, at + _THEIRS[3], whole(goods[p.FOOD]) - legal.need(s, seat) + 8, 10)
    n = _up_to(out, n, at + _THEIRS[4], popcount(np.uint64(s["rooms"][seat])) - people + 1, 3)
    n = _up_to(out, n, at + _THEIRS[5], popcount(np.uint64(s["fields"][seat])), 5)
    n = _up_to(out, n, at + _THEIRS[6], popcount(np.uint64(legal.empty_fields(s, seat))), 3)
    n = _write_if(out, n, at + _THEIRS[7], whole(s["majors"][seat]) & p.COOKING != 0)
    n = _up_to(out, n, at + _THEIRS[8], popcount(np.uint64(s["enclosed"][seat])), 4)
    return _up_to(out, n, at + _THEIRS[9], whole(s["material"][seat]), 2)
