"""The rules, A8 to A70: what happens, compiled. What is legal stands in legal.py, the decisions in decisions.py.

Every function works in place on one position ``s``. Nothing here is random: a round card comes in by its number. A
game begins with :func:`set_up` and goes on, until it is over (``end > 0``), with :func:`deal` where a card is to be
revealed (``pending > 0``) and :func:`push` where a seat decides (``legal`` has two bits or more).

It is a machine of pending decisions (A19): :func:`carry_out` carries out one action of the decision ``kind`` of the
seat ``to_move``, and ends with another :func:`ask`, or with :func:`finish`, after which the next seat places.
"""

from typing import Final

import numpy as np

from ..engine.bits import Word, popcount
from ..engine.compiled import njit
from ..engine.contract import Action, Seat
from . import decisions as d
from . import legal
from . import pieces as p
from .farm import FENCED, FENCES, part_of
from .legal import empty_fields
from .state import BREEDING, COLUMNS, FEEDING, MOST_PASTURES, NOBODY, OVER, REVEAL, WORK, State, whole

_U0, _U1 = np.uint64(0), np.uint64(1)
_START: Final[dict[str, int]] = p.DATA["start"]
_FOOD_FIRST, _FOOD_OTHERS, _FOOD_SOLO = _START["food_start_player"], _START["food_others"], _START["food_solo"]
SOWN: Final = (p.DATA["fields"]["sown_grain"], p.DATA["fields"]["sown_vegetable"])
PARENTS: Final[int] = p.DATA["animals"]["parents"]


# --- set-up and rounds ---


@njit
def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up a game (A1-A7), whose first card is to be revealed then; the seed draws nothing before.

    s: blank or of another game. common: of ``setup.COMMON``.
    """
    players = common["players"]
    s["players"], s["storehouse"] = players, common["storehouse"]
    s["turn"], s["end"], s["start_player"] = 0, 0, 0
    s["cards"][:] = 0
    s["shown"] = 0
    s["laid"][:] = 0
    s["goods"][:] = 0
    s["begging"][:] = 0
    s["people"][:] = 0
    s["newborns"][:] = 0
    s["well"][:] = 0
    s["material"][:] = 0
    s["rooms"][:] = 0
    s["fields"][:] = 0
    s["stables"][:] = 0
    s["enclosed"][:] = 0
    s["pastures"][:] = 0
    s["grain"][:] = 0
    s["vegetables"][:] = 0
    s["sides"][:] = _U0
    s["majors"][:] = 0
    for seat in range(players):
        s["people"][seat] = p.FIRST_PEOPLE
        s["rooms"][seat] = p.FIRST_ROOMS
        s["goods"][seat, p.FOOD] = _FOOD_OTHERS if seat > 0 else _FOOD_SOLO if players == 1 else _FOOD_FIRST  # A4
    s["legal"][:] = _U0
    go_home(s)
    await_card(s)


@njit
def ask(s: State, kind: int, may_stop: bool) -> None:
    """Ask the seat to move for a decision (A19); what is noted of its parts begins anew."""
    note_kind(s, kind, may_stop)
    legal.write_legal(s)


@njit
def note_kind(s: State, kind: int, may_stop: bool) -> None:
    """Note the kind of the decision that is pending, 0 for none, of which no part was done yet."""
    s["kind"], s["may_stop"] = kind, may_stop
    s["baked"], s["stable_built"], s["crafted"] = 0, 0, 0


@njit
def ask_on(s: State) -> None:
    """Go on with the decision, after a part of it was done: it may end now (A19, A21)."""
    s["may_stop"] = True
    legal.write_legal(s)


@njit
def await_card(s: State) -> None:
    """Wait for the next round card (A8), or end the game after the last round (A68)."""
    over = s["turn"] == p.ROUNDS
    s["end"], s["pending"], s["phase"] = over, not over, OVER if over else REVEAL
    s["to_move"] = s["start_player"]
    note_kind(s, 0, False)


@njit
def deal(s: State, k: int) -> None:
    """Reveal a round card, and carry out all that follows without a choice (A20)."""
    reveal(s, k)
    settle(s)


@njit
def reveal(s: State, k: int) -> None:
    """Reveal round card ``k``, counted from the first card; the round begins (A8-A11)."""
    s["cards"][s["turn"]] = k
    s["shown"] |= 1 << k
    s["turn"] += 1
    s["pending"], s["phase"] = 0, WORK
    solo = s["players"] == 1
    for seat in range(s["players"]):
        s["newborns"][seat] = 0
        if s["well"][seat] > 0:  # A9
            s["well"][seat] -= 1
            s["goods"][seat, p.FOOD] += 1
    left = legal.open_spaces(s)
    for space in range(len(p.SPACES)):
        if (left >> np.uint64(space)) & _U1 != _U0:
            s["laid"][space] += p.ADDS[0 if solo else 1, space]
    if solo and s["storehouse"]:
        s["laid"][p.STOREHOUSE] += p.ADDS[1, p.STOREHOUSE]
    s["to_move"] = (s["start_player"] + s["players"] - 1) % s["players"]
    next_person(s)


@njit
def next_person(s: State) -> None:
    """Let the next seat place, the first after the last one that can (A12), or end the work."""
    for step in range(1, s["players"] + 1):
        seat = (s["to_move"] + step) % s["players"]
        if legal.at_home(s, seat):
            spaces = legal.legal_spaces(s, seat)
            if spaces != _U0:
                s["to_move"] = seat
                note_kind(s, d.PLACE, False)
                s["legal"][0] = spaces
                return
    go_home(s)
    if p.HARVESTS[s["turn"]]:
        harvest_fields(s)
        s["phase"], s["to_move"] = FEEDING, s["start_player"]
        ask(s, d.FEED, True)
    else:
        await_card(s)


@njit
def go_home(s: State) -> None:
    """Take all people home (A17)."""
    s["placed"][:] = 0
    s["person"][:] = NOBODY
    s["occupied"] = _U0


@njit
def push(s: State, action: Action) -> None:
    """Carry out a legal action, and all that follows without a choice (A20)."""
    carry_out(s, action)
    settle(s)


@njit
def settle(s: State) -> None:
    """Carry out actions as long as each is the only legal one (A20)."""
    action = legal.only_legal(s)
    while action >= 0:
        carry_out(s, action)
        action = legal.only_legal(s)


# --- decisions ---


@njit
def carry_out(s: State, action: Action) -> None:
    """Carry out one legal action of the decision that is pending, and go on to the next one, a card or the end."""
    kind, seat = s["kind"], whole(s["to_move"])
    if kind == d.FENCING:
        s["legal"][:] = _U0
    else:
        s["legal"][0] = s["legal"][1] = _U0
    if kind == d.PLACE:
        place_person(s, seat, action)
    elif action == d.DONE:  # A21
        if s["phase"] == FEEDING:
            pay_food(s, seat)
        else:
            finish(s, seat)
    elif action >= d.FENCE:
        close(s, seat, action - d.FENCE)
        ask_on(s)
    elif action >= d.EAT and action < d.TAKE_FOOD:
        convert(s, seat, action)
    elif action >= d.COOK and action < d.EAT:
        part_with(s, seat, action)
    elif action >= d.BUY and action < d.COOK:
        buy(s, seat, action)
    elif action == d.BAKE_ONE:
        s["goods"][seat, p.FOOD] += p.RATE[legal.baking_major(s, seat, s["baked"])]
        s["goods"][seat, p.GRAIN] -= 1
        s["baked"] += 1
        ask_on(s)
    elif action >= d.SOW and action < d.BAKE_ONE:
        sow(s, seat, action - d.SOW)
        ask_on(s)
    elif action >= d.ROOM and action < d.SOW:
        build_or_plow(s, seat, action)
    else:
        choose_goods(s, seat, action)


@njit
def finish(s: State, seat: Seat) -> None:
    """End what a person does: animals that do not fit have to go first (A57), also after a fencing (A48), and then the
    next one is placed.
    """
    if legal.fits(s, seat):
        next_person(s)
    else:
        ask(s, d.KEEP, False)


# --- spaces (A22-A37) ---

_OPENED: Final = {
    "rooms-stables": d.BUILD, "plow": d.PLOW, "stable-bake": d.STABLE_BAKE, "day-labourer": d.RESOURCE,
    "one-resource": d.RESOURCE, "two-resources": d.TWO_RESOURCES, "animals": d.ANIMAL,
    "room-or-travelling": d.ROOM_OR_FOOD, "resources-or-growth": d.RESOURCES_OR_GROWTH, "sow-bake": d.SOW_BAKE,
    "major": d.MAJOR, "fences": d.FENCING, "renovate-major": d.MAJOR, "plow-sow": d.PLOW_SOW,
    "renovate-fences": d.FENCING,
}  # fmt: skip
OPENS: Final = np.array([_OPENED.get(space, 0) for space in p.SPACES])
"""The kind of decision that each space asks for, 0 for none."""
_GIVEN: Final = {
    "grain": {p.GRAIN: 1}, "vegetable": {p.VEGETABLE: 1}, "day-labourer": {p.FOOD: 1},
    "reed-stone-food": {p.REED: 1, p.STONE: 1, p.FOOD: 1}, "reed-stone-wood": {p.STONE: 1, p.WOOD: 1},
}  # fmt: skip
GIVES: Final = np.array([[_GIVEN.get(space, {}).get(good, 0) for good in range(len(p.GOODS))] for space in p.SPACES])
"""What each space gives besides what lies there (A23, A25, A29)."""
_RENOVATE_MAJOR, _RENOVATE_FENCES = p.SPACE["renovate-major"], p.SPACE["renovate-fences"]
_GROWTH, _GROWTH_NO_ROOM, _TRAVELLING = p.SPACE["growth"], p.SPACE["growth-no-room"], p.SPACE["room-or-travelling"]


@njit
def place_person(s: State, seat: Seat, space: int) -> None:
    """Place a person on a space (A13), which then gives, or asks, what it is for."""
    s["person"][space] = seat
    s["occupied"] |= _U1 << np.uint64(space)
    s["placed"][seat] += 1
    if space != _TRAVELLING:  # whose food may stay (A27)
        take_laid(s, seat, space)
    for good in range(len(p.GOODS)):
        s["goods"][seat, good] += GIVES[space, good]
    if space == p.STOREHOUSE:  # A16, A30
        s["start_player"] = seat
    renovating = space in (_RENOVATE_MAJOR, _RENOVATE_FENCES)
    if renovating:
        renovate(s, seat)
    elif space in (_GROWTH, _GROWTH_NO_ROOM):
        grow(s, seat)
    if OPENS[space]:
        ask(s, OPENS[space], renovating)  # after a renovation all else may be left (A34)
    else:
        finish(s, seat)


@njit
def take_laid(s: State, seat: Seat, space: int) -> None:
    """Take all that lies on a space (A22)."""
    s["goods"][seat, p.GOOD_ON[space]] += s["laid"][space]
    s["laid"][space] = 0


@njit
def renovate(s: State, seat: Seat) -> None:
    """Renovate the whole house by one step (A33)."""
    s["material"][seat] += 1
    s["goods"][seat, p.HOUSE_OF[s["material"][seat]]] -= legal.RENOVATION * popcount(np.uint64(s["rooms"][seat]))
    s["goods"][seat, p.REED] -= legal.RENOVATION_REED


@njit
def grow(s: State, seat: Seat) -> None:
    """Let the family grow (A35-A37)."""
    s["people"][seat] += 1
    s["newborns"][seat] += 1


@njit
def choose_goods(s: State, seat: Seat, action: Action) -> None:
    """Carry out what takes goods or lets the family grow (A23, A24, A26-A28)."""
    if action == d.TAKE_FOOD:
        take_laid(s, seat, _TRAVELLING)
    elif action == d.GROW:
        grow(s, seat)
    elif action < d.TAKE_TWO:
        s["goods"][seat, p.WOOD + action - d.TAKE] += 1
    elif action < d.TAKE_ANIMAL:
        one, other = p.PAIRS[action - d.TAKE_TWO]
        s["goods"][seat, one] += 1
        s["goods"][seat, other] += 1
    elif action == d.TAKE_ANIMAL + 2 and s["goods"][seat, p.FOOD] < legal.CATTLE_FOOD:
        ask(s, d.PAY, False)
        return
    elif action == d.TAKE_ANIMAL + 2:
        buy_cattle(s, seat)
    else:
        s["goods"][seat, p.SHEEP + action - d.TAKE_ANIMAL] += 1
        s["goods"][seat, p.FOOD] += whole(action == d.TAKE_ANIMAL)
    finish(s, seat)


@njit
def buy_cattle(s: State, seat: Seat) -> None:
    """Pay for the cattle of ``animals`` and take it (A26)."""
    s["goods"][seat, p.FOOD] -= legal.CATTLE_FOOD
    s["goods"][seat, p.SHEEP + 2] += 1


@njit
def build_or_plow(s: State, seat: Seat, action: Action) -> None:
    """Build a room (A31) or a stable (A42), or plow a field (A38)."""
    kind = s["kind"]
    if action < d.STABLE:
        s["rooms"][seat] |= 1 << p.FREE_CELLS[action - d.ROOM]
        s["goods"][seat, p.HOUSE_OF[s["material"][seat]]] -= legal.ROOM_COST
        s["goods"][seat, p.REED] -= legal.ROOM_REED
    elif action < d.PLOW_CELL:
        s["stables"][seat] |= 1 << p.FREE_CELLS[action - d.STABLE]
        s["goods"][seat, p.WOOD] -= legal.STABLE_WOOD if kind == d.BUILD else legal.STABLE_WOOD_CHEAP
        s["stable_built"] = 1
    else:
        s["fields"][seat] |= 1 << p.FREE_CELLS[action - d.PLOW_CELL]
    if kind == d.PLOW or kind == d.ROOM_OR_FOOD:
        finish(s, seat)
    else:
        ask_on(s)


@njit
def sow(s: State, seat: Seat, crop: int) -> None:
    """Sow grain, or vegetables (1), on the first empty field (A39)."""
    cells = empty_fields(s, seat)
    cell = cells & -cells
    s["goods"][seat, p.GRAIN + crop] -= 1
    if crop == 0:
        s["grain"][seat, SOWN[0] - 1] |= cell
    else:
        s["vegetables"][seat, SOWN[1] - 1] |= cell


# --- fences (A43-A49) ---


@njit
def close(s: State, seat: Seat, number: int) -> None:
    """Close set ``number`` of farm.py (A44): a new pasture (A45), or a part of one, which falls into pieces (A46)."""
    cells, sides = FENCED[number], s["sides"][seat]
    s["goods"][seat, p.WOOD] -= legal.FENCE_WOOD * popcount(FENCES[number] & ~sides)
    s["sides"][seat] = sides | FENCES[number]
    s["enclosed"][seat] |= cells
    pastures = s["pastures"][seat]
    rest = 0
    for place in range(MOST_PASTURES):
        if whole(pastures[place]) & cells:
            rest = whole(pastures[place]) & ~cells
            pastures[place : MOST_PASTURES - 1] = pastures[place + 1 :]
            pastures[MOST_PASTURES - 1] = 0
            break
    add_pasture(pastures, cells)
    while rest != 0:
        part = part_of(rest)
        rest &= ~part
        add_pasture(pastures, part)


@njit
def add_pasture(pastures: np.ndarray, cells: int) -> None:
    """Put a pasture among others, by its first cell."""
    for place in range(MOST_PASTURES):
        other = whole(pastures[place])
        if other == 0 or (cells & -cells) < (other & -other):
            pastures[place] = cells
            cells = other
            if other == 0:
                break


# --- majors (A50-A54) ---


@njit
def buy(s: State, seat: Seat, action: Action) -> None:
    """Buy a major (A50); an oven is baked in at once (A53)."""
    if action < d.SWAP:
        major = action - d.BUY
        for k in range(len(p.RESOURCES)):
            s["goods"][seat, p.WOOD + k] -= p.COST[major, k]
    else:
        major, fireplace = p.SWAPS[action - d.SWAP]
        s["majors"][seat] ^= 1 << fireplace  # which is there: a mask of all other bits is no uint16 uncompiled
    s["majors"][seat] |= 1 << major
    if major == p.WELL:
        s["well"][seat] = min(p.WELL_ROUNDS, p.ROUNDS - s["turn"])
    if (p.BAKE_AT_ONCE >> major) & 1:
        ask(s, d.BAKE, True)
    else:
        finish(s, seat)


# --- animals and food (A55-A66) ---


@njit
def food_of(s: State, seat: Seat, good: int) -> int:
    """Return the food for one grain, vegetable or animal (A59): the best cooking major counts."""
    own = whole(s["majors"][seat]) & p.COOKING
    return p.COOKED[whole(own & ~p.HEARTHS != 0) + 2 * whole(own & p.HEARTHS != 0), good]


@njit
def part_with(s: State, seat: Seat, action: Action) -> None:
    """Cook an animal, or give it back (A57, A58, A66)."""
    if action < d.GIVE:
        turn_to_food(s, seat, p.SHEEP + action - d.COOK)
    else:
        s["goods"][seat, p.SHEEP + action - d.GIVE] -= 1
        go_on(s, seat)


@njit
def convert(s: State, seat: Seat, action: Action) -> None:
    """Eat crops, or use a craft (A59, A62)."""
    if action < d.CRAFT:
        turn_to_food(s, seat, p.GRAIN + action - d.EAT)
    else:
        craft = action - d.CRAFT
        s["goods"][seat, p.CRAFT_GOOD[craft]] -= 1
        s["goods"][seat, p.FOOD] += p.CRAFT_FOOD[craft]
        s["crafted"] |= 1 << craft
        ask_on(s)


@njit
def turn_to_food(s: State, seat: Seat, good: int) -> None:
    """Turn one of a good into food, and go on with the decision that this is for."""
    s["goods"][seat, p.FOOD] += food_of(s, seat, good)
    s["goods"][seat, good] -= 1
    go_on(s, seat)


@njit
def go_on(s: State, seat: Seat) -> None:
    """Go on with the decision for which goods were given up: ``pay``, ``keep``, ``feed`` or ``breed``."""
    kind = s["kind"]
    if kind == d.FEED:
        ask_on(s)
    elif kind == d.BREED:
        breed(s, seat, True)
    else:
        if kind == d.PAY:
            buy_cattle(s, seat)
        finish(s, seat)


@njit
def harvest_fields(s: State) -> None:
    """Take 1 from each planted field (A60)."""
    for seat in range(s["players"]):
        grain, vegetables = s["grain"][seat], s["vegetables"][seat]
        s["goods"][seat, p.GRAIN] += popcount(np.uint64(grain[0] | grain[1] | grain[2]))
        s["goods"][seat, p.VEGETABLE] += popcount(np.uint64(vegetables[0] | vegetables[1]))
        grain[0], grain[1], grain[2] = grain[1], grain[2], 0
        vegetables[0], vegetables[1] = vegetables[1], 0


@njit
def pay_food(s: State, seat: Seat) -> None:
    """Pay the food of a harvest (A63), and go on to the next seat, or to breeding (A64)."""
    short = legal.need(s, seat) - whole(s["goods"][seat, p.FOOD])
    s["goods"][seat, p.FOOD] = max(-short, 0)
    s["begging"][seat] += max(short, 0)
    following = (seat + 1) % s["players"]
    s["to_move"] = following
    if following != s["start_player"]:
        ask(s, d.FEED, True)
    else:
        s["phase"] = BREEDING
        breed(s, following, False)


@njit
def breed(s: State, seat: Seat, born: bool) -> None:
    """Let the animals of a seat have young (A65), and those of the seats after it, until one has to decide (A66); after
    all of them the round is over (A67). born: whether the first seat's young are there already.
    """
    going_on = True
    while going_on:
        s["to_move"] = seat
        for kind in range(0 if born else len(p.ANIMALS)):
            s["goods"][seat, p.SHEEP + kind] += whole(s["goods"][seat, p.SHEEP + kind] >= PARENTS)
        if not legal.fits(s, seat):
            ask(s, d.BREED, False)
            return
        seat, born = (seat + 1) % s["players"], False
        going_on = seat != s["start_player"]
    await_card(s)


# --- score (A69) ---

(
    _FIELDS, _PASTURES, _GRAIN, _VEGETABLES, _SHEEP, _BOAR, _CATTLE, _UNUSED, _FENCED_STABLES, _ROOMS, _PEOPLE,
    _MAJORS, _BONUS, _BEGGING, _TOTAL,
) = range(COLUMNS)  # fmt: skip
_ROOM_POINTS: Final = (p.EACH["wood_room"], p.EACH["clay_room"], p.EACH["stone_room"])
_EACH_UNUSED, _EACH_STABLE, _EACH_PERSON = p.EACH["unused_cell"], p.EACH["fenced_stable"], p.EACH["person"]
_EACH_BEGGING: Final = p.EACH["begging_card"]


@njit
def steps(column: int, count: int) -> int:
    """Return the points for so many of what one of the first seven columns counts."""
    return p.STEPS[column, min(count, p.STEPS.shape[1] - 1)]


@njit
def score(s: State, out: np.ndarray) -> None:
    """Score a position as it stands (A69, A72); in the end the totals are the result (A70, A71).

    out: int64, (players or more, COLUMNS), overwritten.
    """
    for seat in range(s["players"]):
        goods, grain, vegetables = s["goods"][seat], s["grain"][seat], s["vegetables"][seat]
        rooms, fields, stables = whole(s["rooms"][seat]), whole(s["fields"][seat]), whole(s["stables"][seat])
        enclosed, own = whole(s["enclosed"][seat]), whole(s["majors"][seat])
        pastures = 0
        while pastures < MOST_PASTURES and s["pastures"][seat, pastures] != 0:
            pastures += 1
        on_fields = 0
        for k in range(grain.shape[0]):
            on_fields += (k + 1) * popcount(np.uint64(grain[k]))
        grown = popcount(np.uint64(vegetables[0])) + 2 * popcount(np.uint64(vegetables[1]))
        row = out[seat]
        row[_FIELDS] = steps(_FIELDS, popcount(np.uint64(fields)))
        row[_PASTURES] = steps(_PASTURES, pastures)
        row[_GRAIN] = steps(_GRAIN, whole(goods[p.GRAIN]) + on_fields)
        row[_VEGETABLES] = steps(_VEGETABLES, whole(goods[p.VEGETABLE]) + grown)
        for kind in range(len(p.ANIMALS)):
            row[_SHEEP + kind] = steps(_SHEEP + kind, whole(goods[p.SHEEP + kind]))
        row[_UNUSED] = _EACH_UNUSED * popcount(np.uint64(p.FARM & ~(rooms | fields | stables | enclosed)))
        row[_FENCED_STABLES] = _EACH_STABLE * popcount(np.uint64(stables & enclosed))
        row[_ROOMS] = _ROOM_POINTS[s["material"][seat]] * popcount(np.uint64(rooms))
        row[_PEOPLE] = _EACH_PERSON * whole(s["people"][seat])
        row[_MAJORS] = row[_BONUS] = 0
        for major in range(len(p.MAJORS)):
            if (own >> major) & 1:
                row[_MAJORS] += p.POINTS[major]
        for k in range(p.CRAFT_MAJORS.shape[0]):
            if (own >> p.CRAFT_MAJORS[k]) & 1:
                for step in range(p.CRAFT_BONUS.shape[1]):
                    row[_BONUS] += whole(goods[p.CRAFT_GOOD[k]] >= p.CRAFT_BONUS[k, step])
        row[_BEGGING] = _EACH_BEGGING * whole(s["begging"][seat])
        row[_TOTAL] = row[:_TOTAL].sum()
