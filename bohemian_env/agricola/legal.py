"""What is legal (A12-A15, A19): the one place that says so, for each kind of decision.

Every function looks at one seat of a position ``s``, and writes to nothing but ``legal``. The farm's sets of cells are
those of farm.py.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Action, Seat
from . import decisions as d
from . import pieces as p
from .farm import CELL_SIDES, FENCED, animals_fit, beside, can_close, new_fences
from .state import FIRST_CARD, State, whole

_U0, _U1 = np.uint64(0), np.uint64(1)
ROOM_COST: Final[int] = p.DATA["cost"]["room_material"]
ROOM_REED: Final[int] = p.DATA["cost"]["room_reed"]
RENOVATION: Final[int] = p.DATA["cost"]["renovation_per_room"]
RENOVATION_REED: Final[int] = p.DATA["cost"]["renovation_reed"]
STABLE_WOOD: Final[int] = p.DATA["cost"]["stable_wood"]
STABLE_WOOD_CHEAP: Final[int] = p.DATA["cost"]["stable_wood_cheap"]
FENCE_WOOD: Final[int] = p.DATA["cost"]["fence_wood"]
CATTLE_FOOD: Final[int] = p.DATA["cost"]["cattle_food"]
GROWTH_FROM: Final[int] = p.DATA["growth"]["card_from_round"]
ADULT: Final = (p.DATA["feeding"]["adult_solo"], p.DATA["feeding"]["adult"])
NEWBORN: Final[int] = p.DATA["feeding"]["newborn"]


# --- what a seat can do ---


@njit
def room_cells(s: State, seat: Seat) -> int:
    """Return the cells where a room can be built (A31); none if the price is not there."""
    goods = s["goods"][seat]
    if goods[p.HOUSE_OF[s["material"][seat]]] < ROOM_COST or goods[p.REED] < ROOM_REED:
        return 0
    rooms = whole(s["rooms"][seat])
    taken = rooms | whole(s["fields"][seat]) | whole(s["stables"][seat]) | whole(s["enclosed"][seat])
    return beside(rooms) & ~taken


@njit
def stable_cells(s: State, seat: Seat, wood: int) -> int:
    """Return the cells where a stable can be built (A42); none if the price is not there."""
    stables = whole(s["stables"][seat])
    if s["goods"][seat, p.WOOD] < wood or popcount(np.uint64(stables)) >= p.MOST_STABLES:
        return 0
    return p.FREE & ~(whole(s["rooms"][seat]) | whole(s["fields"][seat]) | stables)


@njit
def plow_cells(s: State, seat: Seat) -> int:
    """Return the cells that can be plowed (A38)."""
    fields = whole(s["fields"][seat])
    taken = whole(s["rooms"][seat]) | fields | whole(s["stables"][seat]) | whole(s["enclosed"][seat])
    return (beside(fields) if fields else p.FARM) & ~taken


@njit
def empty_fields(s: State, seat: Seat) -> int:
    """Return the fields that can be sown (A39)."""
    grain, vegetables = s["grain"][seat], s["vegetables"][seat]
    planted = whole(grain[0]) | whole(grain[1]) | whole(grain[2]) | whole(vegetables[0]) | whole(vegetables[1])
    return whole(s["fields"][seat]) & ~planted


@njit
def can_sow(s: State, seat: Seat) -> bool:
    """Return whether a seat has something to sow and a field for it."""
    goods = s["goods"][seat]
    return goods[p.GRAIN] + goods[p.VEGETABLE] > 0 and empty_fields(s, seat) != 0


@njit
def baking_major(s: State, seat: Seat, baked: int) -> int:
    """Return the major that bakes the next grain of a baking (A52); -1 if none does."""
    own = whole(s["majors"][seat])
    for place in range(p.BY_RATE.shape[0]):
        major = p.BY_RATE[place]
        if (own >> major) & 1:
            baked -= p.BAKE_MOST[major]
            if baked < 0:
                return major
    return -1


@njit
def can_bake(s: State, seat: Seat, baked: int) -> bool:
    """Return whether a seat can bake one more grain (A51)."""
    if s["goods"][seat, p.GRAIN] == 0 or not whole(s["majors"][seat]) & p.BAKING:
        return False
    return baking_major(s, seat, baked) >= 0


@njit
def free_majors(s: State) -> int:
    """Return the majors that nobody has."""
    taken = 0
    for seat in range(s["players"]):
        taken |= whole(s["majors"][seat])
    return ~taken & ((1 << len(p.MAJORS)) - 1)


@njit
def payable_majors(s: State, seat: Seat) -> int:
    """Return the majors that a seat can buy for goods (A50)."""
    goods, free, found = s["goods"][seat], free_majors(s), 0
    for major in range(len(p.MAJORS)):
        if (free >> major) & 1:
            pays = True
            for k in range(len(p.RESOURCES)):
                pays = pays and goods[p.WOOD + k] >= p.COST[major, k]
            found |= whole(pays) << major
    return found


@njit
def can_swap(s: State, seat: Seat) -> bool:
    """Return whether a seat can give back a fireplace for a hearth (A50)."""
    return (whole(s["majors"][seat]) & p.FIREPLACES) != 0 and (free_majors(s) & p.HEARTHS) != 0


@njit
def can_buy(s: State, seat: Seat) -> bool:
    """Return whether a seat can buy any major (A50)."""
    return can_swap(s, seat) or payable_majors(s, seat) != 0


@njit
def can_renovate(s: State, seat: Seat) -> bool:
    """Return whether a seat can renovate its house (A33)."""
    goods, material = s["goods"][seat], s["material"][seat]
    if material + 1 >= len(p.MATERIALS) or goods[p.REED] < RENOVATION_REED:
        return False
    return goods[p.HOUSE_OF[material + 1]] >= RENOVATION * popcount(np.uint64(s["rooms"][seat]))


@njit
def can_grow(s: State, seat: Seat, with_room: bool) -> bool:
    """Return whether a seat's family can grow (A35); without need of room, by A36."""
    people = s["people"][seat]
    return people < p.MOST_PEOPLE and (not with_room or popcount(np.uint64(s["rooms"][seat])) > people)


@njit
def most_fences(s: State, seat: Seat) -> int:
    """Return how many fences a seat can put up (A43)."""
    return min(s["goods"][seat, p.WOOD] // FENCE_WOOD, p.MOST_FENCES - popcount(s["sides"][seat]))


@njit
def can_fence(s: State, seat: Seat) -> bool:
    """Return whether a seat can close any set of cells (A44-A46)."""
    most = most_fences(s, seat)
    if most <= 0:
        return False
    sides, enclosed = s["sides"][seat], whole(s["enclosed"][seat])
    blocked = whole(s["rooms"][seat]) | whole(s["fields"][seat])
    outside = p.FREE & ~blocked & ~enclosed
    if enclosed != 0:
        outside &= beside(enclosed)
    for cell in range(CELL_SIDES.shape[0]):  # most often a single cell will do
        if (outside >> cell) & 1 and popcount(CELL_SIDES[cell] & ~sides) <= most:
            return True
    if enclosed == 0:  # a first pasture costs no less than a single cell
        return False
    pastures = s["pastures"][seat]
    for number in range(FENCED.shape[0]):
        if new_fences(number, sides) <= most and can_close(number, pastures, enclosed, blocked):
            return True
    return False


@njit
def has_cooking(s: State, seat: Seat) -> bool:
    """Return whether a seat has a fireplace or a hearth."""
    return whole(s["majors"][seat]) & p.COOKING != 0


@njit
def can_convert(s: State, seat: Seat) -> bool:
    """Return whether a seat has anything to turn into food (A26)."""
    goods = s["goods"][seat]
    if goods[p.GRAIN] + goods[p.VEGETABLE] > 0:
        return True
    return has_cooking(s, seat) and goods[p.SHEEP] + goods[p.SHEEP + 1] + goods[p.SHEEP + 2] > 0


@njit
def fits(s: State, seat: Seat) -> bool:
    """Return whether a seat's animals fit on its farm (A56)."""
    goods = s["goods"][seat]
    enclosed, stables = whole(s["enclosed"][seat]), whole(s["stables"][seat])
    sheep, boar, cattle = whole(goods[p.SHEEP]), whole(goods[p.SHEEP + 1]), whole(goods[p.SHEEP + 2])
    return animals_fit(s["pastures"][seat], enclosed, stables, sheep, boar, cattle)


@njit
def need(s: State, seat: Seat) -> int:
    """Return the food that a seat's people eat in a harvest (A61)."""
    newborns = whole(s["newborns"][seat])
    return ADULT[min(s["players"], 2) - 1] * (whole(s["people"][seat]) - newborns) + NEWBORN * newborns


@njit
def at_home(s: State, seat: Seat) -> bool:
    """Return whether a seat has a person left to place."""
    return s["placed"][seat] < s["people"][seat] - s["newborns"][seat]


# --- which spaces are legal ---

_ROOMS_STABLES, _PLOW, _STABLE_BAKE = p.SPACE["rooms-stables"], p.SPACE["plow"], p.SPACE["stable-bake"]
_SOW_BAKE, _MAJOR, _FENCES = p.SPACE["sow-bake"], p.SPACE["major"], p.SPACE["fences"]
_RENOVATE_MAJOR, _GROWTH, _PLOW_SOW = p.SPACE["renovate-major"], p.SPACE["growth"], p.SPACE["plow-sow"]
_GROWTH_NO_ROOM, _RENOVATE_FENCES = p.SPACE["growth-no-room"], p.SPACE["renovate-fences"]
_ASKED: Final = (
    *(_ROOMS_STABLES, _PLOW, _STABLE_BAKE, _SOW_BAKE, _MAJOR, _FENCES, _RENOVATE_MAJOR, _GROWTH, _PLOW_SOW),
    *(_GROWTH_NO_ROOM, _RENOVATE_FENCES),
)
ALWAYS: Final = ~np.uint64(sum(1 << space for space in _ASKED))
"""The spaces that are legal wherever they are free, as bits (A14)."""


@njit
def can_use(s: State, seat: Seat, space: int) -> bool:
    """Return whether a seat can carry out at least one action of a space (A14)."""
    if space == _ROOMS_STABLES:
        return stable_cells(s, seat, STABLE_WOOD) != 0 or room_cells(s, seat) != 0
    if space == _PLOW:
        return plow_cells(s, seat) != 0
    if space == _STABLE_BAKE:
        return stable_cells(s, seat, STABLE_WOOD_CHEAP) != 0 or can_bake(s, seat, 0)
    if space == _SOW_BAKE:
        return can_sow(s, seat) or can_bake(s, seat, 0)
    if space == _MAJOR:
        return can_buy(s, seat)
    if space == _FENCES:
        return can_fence(s, seat)
    if space in (_RENOVATE_MAJOR, _RENOVATE_FENCES):
        return can_renovate(s, seat)
    if space == _GROWTH:
        return can_grow(s, seat, True)
    if space == _PLOW_SOW:
        return plow_cells(s, seat) != 0 or can_sow(s, seat)
    if space == _GROWTH_NO_ROOM:
        return can_grow(s, seat, False)
    return True


@njit
def open_spaces(s: State) -> Word:
    """Return the spaces in play (A5, A8), as bits."""
    return p.IN_PLAY[s["players"]] | np.uint64(s["shown"]) << FIRST_CARD


@njit
def legal_spaces(s: State, seat: Seat) -> Word:
    """Return the spaces that are legal for a seat that has a person at home (A13, A14), as bits."""
    free = open_spaces(s) & ~s["occupied"]
    found = free & ALWAYS
    left = free & ~ALWAYS
    while left != _U0:
        lowest = left & (~left + _U1)
        left ^= lowest
        if can_use(s, seat, popcount(lowest - _U1)):
            found |= lowest
    return found


# --- the legal actions of a decision ---


@njit
def _add(s: State, action: Action) -> None:
    s["legal"][action >> 6] |= _U1 << np.uint64(action & 63)


@njit
def _add_cells(s: State, first: Action, cells: int) -> None:
    """Add the actions of some free cells, of which that of the first free cell has the number ``first``."""
    at = 0
    for cell in range(CELL_SIDES.shape[0]):
        if (p.FREE >> cell) & 1:
            if (cells >> cell) & 1:
                _add(s, first + at)
            at += 1


@njit
def _add_animals(s: State, seat: Seat, first: Action) -> None:
    for k in range(len(p.ANIMALS)):
        if s["goods"][seat, p.SHEEP + k] > 0:
            _add(s, first + k)


@njit
def _add_meals(s: State, seat: Seat) -> None:
    """Add eating of crops (A59)."""
    if s["goods"][seat, p.GRAIN] > 0:
        _add(s, d.EAT)
    if s["goods"][seat, p.VEGETABLE] > 0:
        _add(s, d.EAT + 1)


@njit
def _add_sowing(s: State, seat: Seat) -> None:
    if empty_fields(s, seat) != 0:
        if s["goods"][seat, p.GRAIN] > 0:
            _add(s, d.SOW)
        if s["goods"][seat, p.VEGETABLE] > 0:
            _add(s, d.SOW + 1)


@njit
def _add_majors(s: State, seat: Seat) -> None:
    payable = payable_majors(s, seat)
    for major in range(len(p.MAJORS)):
        if (payable >> major) & 1:
            _add(s, d.BUY + major)
    if can_swap(s, seat):
        own, free = whole(s["majors"][seat]), free_majors(s)
        for k in range(len(p.SWAPS)):
            hearth, fireplace = p.SWAPS[k]
            if (free >> hearth) & 1 and (own >> fireplace) & 1:
                _add(s, d.SWAP + k)


@njit
def _add_fences(s: State, seat: Seat) -> None:
    most, sides, enclosed = most_fences(s, seat), s["sides"][seat], whole(s["enclosed"][seat])
    blocked, pastures = whole(s["rooms"][seat]) | whole(s["fields"][seat]), s["pastures"][seat]
    if most > 0:
        for number in range(FENCED.shape[0]):
            if new_fences(number, sides) <= most and can_close(number, pastures, enclosed, blocked):
                _add(s, d.FENCE + number)


@njit
def write_legal(s: State) -> None:
    """Write what the seat that decides may do (A19). ``legal`` has no bits yet."""
    seat, kind, may_stop = s["to_move"], s["kind"], s["may_stop"] != 0
    goods = s["goods"][seat]
    if may_stop:
        _add(s, d.DONE)
    if kind == d.PLACE:
        s["legal"][0] |= legal_spaces(s, seat)
    elif kind == d.RESOURCE:
        for k in range(len(p.RESOURCES)):
            _add(s, d.TAKE + k)
    elif kind == d.TWO_RESOURCES or kind == d.RESOURCES_OR_GROWTH:
        for k in range(len(p.PAIRS)):
            _add(s, d.TAKE_TWO + k)
        if kind == d.RESOURCES_OR_GROWTH and s["turn"] >= GROWTH_FROM and can_grow(s, seat, True):
            _add(s, d.GROW)
    elif kind == d.ANIMAL:
        _add(s, d.TAKE_ANIMAL)
        _add(s, d.TAKE_ANIMAL + 1)
        if goods[p.FOOD] >= CATTLE_FOOD or can_convert(s, seat):
            _add(s, d.TAKE_ANIMAL + 2)
    elif kind == d.PAY:
        _add_meals(s, seat)
        if has_cooking(s, seat):
            _add_animals(s, seat, d.COOK)
    elif kind == d.BUILD:  # A32
        _add_cells(s, d.ROOM, room_cells(s, seat))
        _add_cells(s, d.STABLE, stable_cells(s, seat, STABLE_WOOD))
    elif kind == d.ROOM_OR_FOOD:
        _add_cells(s, d.ROOM, room_cells(s, seat))
        _add(s, d.TAKE_FOOD)
    elif kind == d.PLOW:
        _add_cells(s, d.PLOW_CELL, plow_cells(s, seat))
    elif kind == d.PLOW_SOW:
        if not may_stop:  # the field comes first (A40)
            _add_cells(s, d.PLOW_CELL, plow_cells(s, seat))
        _add_sowing(s, seat)
    elif kind == d.SOW_BAKE:  # A41, as the next one
        _add_sowing(s, seat)
        if can_bake(s, seat, s["baked"]):
            _add(s, d.BAKE_ONE)
    elif kind == d.STABLE_BAKE:
        if s["stable_built"] == 0:
            _add_cells(s, d.STABLE, stable_cells(s, seat, STABLE_WOOD_CHEAP))
        if can_bake(s, seat, s["baked"]):
            _add(s, d.BAKE_ONE)
    elif kind == d.BAKE:
        if can_bake(s, seat, s["baked"]):
            _add(s, d.BAKE_ONE)
    elif kind == d.MAJOR:
        _add_majors(s, seat)
    elif kind == d.FENCING:
        _add_fences(s, seat)
    elif kind == d.KEEP:
        _add_animals(s, seat, d.COOK if has_cooking(s, seat) else d.GIVE)
    elif kind == d.FEED:
        if goods[p.FOOD] < need(s, seat):
            _add_meals(s, seat)
        if has_cooking(s, seat):
            _add_animals(s, seat, d.COOK)
        for k in range(p.CRAFT_GOOD.shape[0]):
            if (s["crafted"] >> k) & 1 == 0 and (whole(s["majors"][seat]) >> p.CRAFT_MAJORS[k]) & 1:
                if goods[p.CRAFT_GOOD[k]] > 0:
                    _add(s, d.CRAFT + k)
    elif kind == d.BREED:
        _add_animals(s, seat, d.GIVE)


@njit
def only_legal(s: State) -> int:
    """Return the legal action if there is exactly one (A20), else -1."""
    found = -1
    for word in range(s["legal"].shape[0] if s["kind"] == d.FENCING else 2):  # others have low numbers
        bits = s["legal"][word]
        if bits != _U0:
            if found >= 0 or bits & (bits - _U1) != _U0:
                return -1
            found = 64 * word + popcount(bits - _U1)
    return found
