"""A position as JSON and back (A78), checked on the way in: all that it tells has to be what the rules allow."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..engine.errors import BadPosition, brief
from ..engine.states import check_agrees, check_form, whole_in
from . import decisions as d
from . import legal, rules
from . import pieces as p
from .farm import NUMBER_OF_SET, part_of, sides_of
from .setup import Setup
from .state import BREEDING, COLUMNS, FEEDING, NOBODY, OVER, PHASES, REVEAL, WORK, State

MOST: Final = 999
"""The most of one good, on a space or of a player, and the most begging cards that a position may tell of.

All of it turned into food, twenty times as much, is still a number of int16.
"""
PLAYERS: Final = {"players": range(1, p.MOST_PLAYERS + 1)}
"""The form of what says how many players a position has, for :func:`form_of`."""
CARDS: Final = frozenset(p.SPACES[p.CARDS :])
"""The round cards."""
_NUMBERS: Final = ("begging", "people", "newborns", "placed", "well")
_CROPS: Final = ("grain", "vegetables")
_CROP_NAMES: Final = ("grain", "vegetable")
_MAY_STOP: Final = {
    **dict.fromkeys((d.BAKE, d.FEED), (True,)),
    **dict.fromkeys((d.BUILD, d.PLOW_SOW, d.SOW_BAKE, d.STABLE_BAKE, d.MAJOR, d.FENCING), (False, True)),
}
"""What ``may_stop`` can be in each kind of decision (A19); only False in others."""
_BAKES: Final = (d.SOW_BAKE, d.STABLE_BAKE, d.BAKE)
_ASKED_AFTER: Final = {d.PAY: (d.ANIMAL,), d.BAKE: (d.MAJOR,)}  # the kinds of decisions that lead to some others


def form_of(players: int, most: int = MOST) -> dict[str, Any]:
    """Return the form of a position JSON (``check_form``). most: of goods, begging cards and grains baked."""
    seat, cell, count, people = range(players), frozenset(p.CELLS), range(most + 1), range(p.MOST_PEOPLE + 1)
    decision = {
        "kind": frozenset(filter(None, d.DECISIONS)),
        "may_stop": bool,
        "baked": count,
        "stable_built": bool,
        "crafted": [frozenset(p.CRAFTS)],
    }
    farm = {
        **dict.fromkeys((*p.GOODS, "begging", "well"), count),
        **dict.fromkeys(("people", "newborns", "placed"), people),
        "material": frozenset(p.MATERIALS),
        "rooms": [cell],
        "fields": [{"cell": cell, "crop": (frozenset(_CROP_NAMES),), "number": range(10)}],
        "stables": [cell],
        "pastures": [[cell]],
    }
    return {
        "round": range(p.ROUNDS + 1),
        "phase": frozenset(PHASES),
        "start_player": seat,
        "to_move": (seat,),
        "decision": (decision,),
        "cards": [CARDS],
        "spaces": [{"space": frozenset(p.SPACES), "goods": count, "person": (seat,)}],
        "majors": [{"major": frozenset(p.MAJORS), "owner": (seat,)}],
        "farms": [farm],
        "scores": [{"total": range(-(10**4), 10**4 + 1)}],
    }


def score_of(s: State) -> list[dict[str, int]]:
    """Return the score so far of each seat by its columns (A69)."""
    out = np.zeros((p.MOST_PLAYERS, COLUMNS), np.int64)
    rules.score(s, out)
    return [dict(zip(p.SCORING, map(int, row), strict=True)) for row in out[: s["players"]]]


def names_of(cells: int) -> list[str]:
    """Return the names of a set of cells, in cell order."""
    return [*_names_of(int(cells))]


@functools.cache
def _names_of(cells: int) -> tuple[str, ...]:
    return tuple(name for number, name in enumerate(p.CELLS) if cells >> number & 1)


def spaces_of(s: State) -> list[int]:
    """Return the numbers of the spaces in play."""
    bits = int(legal.open_spaces(s))
    return [space for space in range(len(p.SPACES)) if bits >> space & 1]


def _farm(s: State, seat: int) -> dict[str, Any]:
    grown: dict[str, Any] = {}
    for crop, name in zip(_CROPS, _CROP_NAMES, strict=True):
        for number, cells in enumerate(s[crop][seat].tolist(), 1):
            grown |= {cell: {"cell": cell, "crop": name, "number": number} for cell in names_of(cells)}
    return {
        **dict(zip(p.GOODS, s["goods"][seat].tolist(), strict=True)),
        **{name: int(s[name][seat]) for name in _NUMBERS},
        "material": p.MATERIALS[s["material"][seat]],
        "rooms": names_of(s["rooms"][seat]),
        "fields": [grown.get(cell, {"cell": cell, "crop": None, "number": 0}) for cell in names_of(s["fields"][seat])],
        "stables": names_of(s["stables"][seat]),
        "pastures": [names_of(cells) for cells in s["pastures"][seat].tolist() if cells],
    }


def write_position(s: State, pieces: Any = ()) -> dict[str, Any]:
    """Return the position JSON of ``s`` in plain Python types."""
    kind, seats = int(s["kind"]), range(int(s["players"]))
    decision = {
        "kind": d.DECISIONS[kind],
        "may_stop": bool(s["may_stop"]),
        "baked": int(s["baked"]),
        "stable_built": bool(s["stable_built"]),
        "crafted": [craft for k, craft in enumerate(p.CRAFTS) if int(s["crafted"]) >> k & 1],
    }
    majors, laid = s["majors"].tolist(), s["laid"].tolist()
    owners = [next((seat for seat in seats if majors[seat] >> k & 1), None) for k in range(len(p.MAJORS))]
    people = [person if person != NOBODY else None for person in s["person"].tolist()]
    return {
        "players": int(s["players"]),
        "round": int(s["turn"]),
        "phase": PHASES[s["phase"]],
        "start_player": int(s["start_player"]),
        "to_move": int(s["to_move"]) if kind else None,
        "decision": decision if kind else None,
        "cards": [p.SPACES[p.CARDS + card] for card in s["cards"][: s["turn"]]],
        "spaces": [{"space": p.SPACES[k], "goods": laid[k], "person": people[k]} for k in spaces_of(s)],
        "majors": [{"major": name, "owner": owner} for name, owner in zip(p.MAJORS, owners, strict=True)],
        "farms": [_farm(s, seat) for seat in seats],
        "scores": score_of(s),
    }


def read_position(data: Any, **options: Any) -> tuple[np.ndarray, Any]:
    """Return the record of a position JSON, shape (1,), dtype STATE, and its pieces: none.

    options: the parameters of its set-up, as ``Setup.of`` takes them, without the players. Raises BadPosition: the
    position contradicts itself or the rules; the message names the field. BadSetup: a parameter is not as ``Setup.of``
    has it.
    """
    check_form(data, PLAYERS)
    setup = Setup.of(data["players"], **options)
    check_form(data, form_of(setup.players))
    states = setup.start().new_state()
    s = states[0]
    _read_table(s, data)
    check_form(data["farms"], [object, range(setup.players, setup.players + 1)], "farms")
    for seat, farm in enumerate(data["farms"]):
        _read_farm(s, seat, farm, f"farms[{seat}]")
    _read_decision(s, data["decision"], data["to_move"])
    _check_people(s)
    _check_animals(s)
    check_agrees(data, write_position(s))
    return states, ()


def _read_table(s: State, data: Mapping[str, Any]) -> None:
    """Read what is not on a farm: round and phase (A18), cards (A6), spaces (A10, A13) and majors."""
    played, phase = int(data["round"]), PHASES.index(data["phase"])
    fits = {REVEAL: played < p.ROUNDS, WORK: played > 0, OVER: played == p.ROUNDS}
    if not fits.get(phase, bool(p.HARVESTS[played])):
        raise BadPosition(f"phase: {PHASES[phase]} cannot be with round {played} (A18)")
    s["turn"], s["phase"] = played, phase
    s["pending"], s["end"] = phase == REVEAL, phase == OVER
    s["start_player"] = s["to_move"] = data["start_player"]
    check_form(data["cards"], [object, range(played, played + 1)], "cards")
    for k, name in enumerate(data["cards"]):
        card = p.SPACE[name] - p.CARDS
        if p.STAGE_OF[card] != p.STAGE_IN[k] or int(s["shown"]) >> card & 1:
            raise BadPosition(f"cards[{k}]: {name} does not come in round {k + 1}, or came already (A6)")
        s["cards"][k] = card
        s["shown"] |= np.uint16(1 << card)
    own = spaces_of(s)
    check_form(data["spaces"], [object, range(len(own), len(own) + 1)], "spaces")
    for k, (space, told) in enumerate(zip(own, data["spaces"], strict=True)):
        _read_space(s, space, told, f"spaces[{k}]")
    for k, told in enumerate(data["majors"][: len(p.MAJORS)]):
        if told["owner"] is not None:
            s["majors"][told["owner"]] |= np.uint16(1 << k)


def _read_space(s: State, space: int, told: Mapping[str, Any], where: str) -> None:
    goods, person = told["goods"], NOBODY if told["person"] is None else told["person"]
    solo = s["players"] == 1 and not (space == p.STOREHOUSE and s["storehouse"])
    adds, takes = int(p.ADDS[0 if solo else 1, space]), space != p.SPACE["room-or-travelling"]
    if goods and not adds:
        raise BadPosition(f"{where}.goods: {goods}, but nothing is ever laid on {p.SPACES[space]} (A5)")
    if person != NOBODY and s["phase"] != WORK:
        raise BadPosition(f"{where}.person: seat {person}, but all people are at home (A17)")
    if goods and takes and person != NOBODY:
        raise BadPosition(f"{where}.goods: {goods}, but seat {person} took all (A22)")
    if goods < adds and person == NOBODY and s["phase"] == WORK:
        raise BadPosition(f"{where}.goods: {goods}, fewer than the {adds} of this round (A10)")
    s["laid"][space], s["person"][space] = goods, person
    if person != NOBODY:
        s["occupied"] |= np.uint64(1 << space)


def _read_cells(names: Sequence[str], where: str) -> int:
    if len({*names}) < len(names):
        raise BadPosition(f"{where}: of {', '.join(names)} one comes twice")
    return sum(1 << p.CELL[name] for name in names)


def _read_farm(s: State, seat: int, farm: Any, where: str) -> None:
    """Read a farm, and check that its pieces can stand so (A31, A38, A42-A49)."""
    s["goods"][seat] = [farm[name] for name in p.GOODS]
    own_well, left = int(s["majors"][seat]) >> p.WELL & 1, max(p.ROUNDS - int(s["turn"]), 0)
    whole_in(farm["well"], f"{where}.well", 0, min(p.WELL_ROUNDS, left) * own_well)
    for name in _NUMBERS:
        s[name][seat] = farm[name]
    s["material"][seat] = p.MATERIALS.index(farm["material"])
    rooms, stables = (_read_cells(farm[name], f"{where}.{name}") for name in ("rooms", "stables"))
    fields = 0
    for k, told in enumerate(farm["fields"]):
        cell = 1 << p.CELL[told["cell"]]
        if fields & cell:
            raise BadPosition(f"{where}.fields[{k}].cell: {told['cell']} comes twice")
        fields |= cell
        if told["crop"] is not None:
            crop = _CROP_NAMES.index(told["crop"])
            number = whole_in(told["number"], f"{where}.fields[{k}].number", 1, rules.SOWN[crop])
            s[_CROPS[crop]][seat, number - 1] |= np.uint16(cell)
    pastures = [_read_cells(told, f"{where}.pastures[{k}]") for k, told in enumerate(farm["pastures"])]
    enclosed = sum({*pastures})
    for name, cells, fits in (
        ("rooms", rooms, rooms & p.FIRST_ROOMS == p.FIRST_ROOMS and part_of(rooms) == rooms),
        ("fields", fields, fields & ~p.FREE == 0 and (not fields or part_of(fields) == fields)),
        ("stables", stables, stables & ~p.FREE == 0 and stables.bit_count() <= p.MOST_STABLES),
        ("rooms", rooms, not rooms & (fields | stables)),
        ("fields", fields, not fields & stables),
    ):
        if not fits:
            raise BadPosition(f"{where}.{name}: {', '.join(names_of(cells))} cannot be so (A31, A38, A42)")
    apart = sum(cells.bit_count() for cells in pastures) == enclosed.bit_count()
    if not apart or not {*pastures} <= {*NUMBER_OF_SET} or enclosed & (rooms | fields):
        raise BadPosition(f"{where}.pastures: they overlap, or have cells that no fence can close (A44, A49)")
    if enclosed and part_of(enclosed) != enclosed:
        raise BadPosition(f"{where}.pastures: they do not touch (A45)")
    sides = sides_of(pastures)
    if sides.bit_count() > p.MOST_FENCES:
        raise BadPosition(f"{where}.pastures: they take {sides.bit_count()} fences, more than {p.MOST_FENCES} (A43)")
    s["rooms"][seat], s["fields"][seat], s["stables"][seat] = rooms, fields, stables
    s["enclosed"][seat], s["sides"][seat] = enclosed, sides
    ordered = sorted(pastures, key=lambda cells: cells & -cells)
    s["pastures"][seat, : len(ordered)] = ordered


def _read_decision(s: State, told: Any, to_move: Any) -> None:
    """Read the decision that is pending, and check that somebody can be asked for it here (A19, A20)."""
    phase = int(s["phase"])
    if phase in (REVEAL, OVER):
        if told is not None or to_move is not None:
            raise BadPosition(f"decision: {brief(told)} is not null, nor is to_move, in phase {PHASES[phase]}")
        return
    if told is None or to_move is None:
        raise BadPosition(f"{'decision' if told is None else 'to_move'}: None in phase {PHASES[phase]}")
    seat, kind = int(to_move), d.DECISIONS.index(told["kind"])
    s["to_move"] = seat
    if phase != {d.FEED: FEEDING, d.BREED: BREEDING}.get(kind, WORK):
        raise BadPosition(f"decision.kind: {told['kind']} is not asked in phase {PHASES[phase]} (A19)")
    may_stop, built = bool(told["may_stop"]), bool(told["stable_built"])
    if may_stop not in _MAY_STOP.get(kind, (False,)):
        raise BadPosition(f"decision.may_stop: {may_stop} cannot be in {told['kind']} (A19)")
    baked = whole_in(told["baked"], "decision.baked", 0, MOST if kind in _BAKES and may_stop else 0)
    if built and not (kind in (d.BUILD, d.STABLE_BAKE) and may_stop and s["stables"][seat]):
        raise BadPosition(f"decision.stable_built: true cannot be in this {told['kind']}")
    crafted = 0
    for name in told["crafted"]:
        craft = p.CRAFTS.index(name)
        if kind != d.FEED or not int(s["majors"][seat]) >> int(p.CRAFT_MAJORS[craft]) & 1:
            raise BadPosition(f"decision.crafted: seat {seat} cannot have crafted {name} in {told['kind']} (A62)")
        crafted |= 1 << craft
    s["kind"], s["may_stop"], s["baked"], s["stable_built"] = kind, may_stop, baked, built
    s["crafted"] = crafted
    if phase == WORK and kind != d.PLACE:
        own = {int(rules.OPENS[space]) for space in range(len(p.SPACES)) if s["person"][space] == seat}
        fits = not own.isdisjoint(_ASKED_AFTER.get(kind, (kind,))) if kind != d.KEEP else seat in s["person"]
        if not fits:
            raise BadPosition(f"decision.kind: no person of seat {seat} is on a space that asks for {told['kind']}")
    legal.write_legal(s)
    if legal.only_legal(s) >= 0 or not s["legal"].any():
        raise BadPosition(f"decision: seat {seat} has fewer than two legal actions, so that it is not asked (A20)")


def _check_people(s: State) -> None:
    """Raise BadPosition unless as many people are on spaces as farms tell (A11, A37)."""
    for seat in range(s["players"]):
        people, newborns, placed = (int(s[name][seat]) for name in ("people", "newborns", "placed"))
        if people - newborns < p.FIRST_PEOPLE or placed > people - newborns:
            raise BadPosition(f"farms[{seat}]: {people} people, {newborns} newborns and {placed} placed cannot be")
        if placed != int((s["person"] == seat).sum()):
            raise BadPosition(f"farms[{seat}].placed: {placed}, but that is not the number of its people on spaces")
    if s["kind"] == d.PLACE and not legal.at_home(s, s["to_move"]):
        raise BadPosition(f"to_move: seat {s['to_move']} has no person at home (A11)")


def _check_animals(s: State) -> None:
    """Raise BadPosition unless animals fit wherever they have to (A57, A66)."""
    kind = int(s["kind"])
    for seat in range(s["players"]):
        asked, fits = seat == s["to_move"], bool(legal.fits(s, seat))
        if asked and kind in (d.KEEP, d.BREED) and fits:
            raise BadPosition(f"decision.kind: {d.DECISIONS[kind]} is not asked where the animals fit (A57, A66)")
        if not fits and not (asked and kind in (d.KEEP, d.BREED, d.FENCING)):
            raise BadPosition(f"farms[{seat}]: its animals do not fit (A56)")
    if kind == d.PAY and s["goods"][s["to_move"], 0] >= legal.CATTLE_FOOD:
        raise BadPosition("decision.kind: pay is not asked of a seat with food (A26)")
