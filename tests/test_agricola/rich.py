"""Random positions that are rich in everything: goods, animals, majors, pastures, families, decisions of every kind."""

import random
from typing import Any

from tests.reference.agricola import MAJORS, SPACES, STAGE_OF_ROUND, PlainGame
from tests.reference.agricola_farm import (
    ANIMALS,
    FREE,
    GOODS,
    MATERIALS,
    Cells,
    Farm,
    closed,
    closings,
    fences_of,
    touching,
)
from tests.test_agricola.laid import ASKED_ON, position

KINDS = [
    "place", "resource", "two-resources", "resources-or-growth", "animal", "pay", "build", "room-or-food", "plow",
    "plow-sow", "sow-bake", "stable-bake", "bake", "major", "fences", "keep",
]  # fmt: skip
"""The kinds of decisions in work."""
ALSO_ON = {"resource": "one-resource", "bake": "renovate-major", "major": "renovate-major", "fences": "renovate-fences"}
"""A second space that asks for some of them."""
GOING_ON = ["build", "plow-sow", "sow-bake", "stable-bake", "fences"]
"""Those that go on after a part, besides that after renovating."""
HARVESTS = [4, 7, 9, 11, 13, 14]


def rich(rng: random.Random, players: int, kind: str | None = None, storehouse: bool = False) -> dict[str, Any]:
    """A random position, of this kind of decision (``reveal`` without one) if one is told. storehouse: as in A10."""
    kinds = [*KINDS, "feed", "feed", "breed", "reveal"]
    while True:
        found = _attempt(rng, PlainGame(players, storehouse), kind or rng.choice(kinds))
        if found:
            return found


def _attempt(rng: random.Random, game: PlainGame, kind: str) -> dict[str, Any] | None:
    """A position like those of a game at its beginning, unless the numbers drawn make none."""
    players = game.players
    phase = {"feed": "feeding", "breed": "breeding", "reveal": "reveal"}.get(kind, "work")
    rounds = {"work": range(1, 15), "reveal": range(14)}.get(phase, HARVESTS)
    cards = revealed(rng, rng.choice(rounds))
    seat, spaces = rng.randrange(players), [*game.goods, *cards]
    asks = rng.choice([ASKED_ON.get(kind, kind), ALSO_ON.get(kind, "")]) if kind != "keep" else rng.choice(spaces)
    if phase == "work" and kind != "place" and asks not in spaces:
        return None
    farms = [farm(rng) for _ in range(players)]
    majors = {major: rng.randrange(players) for major in MAJORS if rng.random() < 0.5}
    if "well" in majors:
        farms[majors["well"]].well = rng.randint(0, min(5, 14 - len(cards)))
    decision = {"kind": kind, "may_stop": False, "baked": 0, "stable_built": False, "crafted": []}
    people: dict[str, int] = {}
    if phase == "work":
        if kind != "place":
            people[asks] = seat
            renovated = kind in ("major", "fences") and asks.startswith("renovate")
            decision["may_stop"] = kind == "bake" or renovated or (kind in GOING_ON and rng.random() < 0.5)
        place_people(people, farms, spaces, seat if kind == "place" else -1, rng)
    if kind == "feed":
        decision["may_stop"] = True
        owned = [MAJORS[major] for major, owner in majors.items() if owner == seat]
        crafts = [row["craft"]["good"] for row in owned if "craft" in row]
        decision["crafted"] = [good for good in crafts if rng.random() < 0.3]
    if decision["may_stop"] and kind in ("sow-bake", "stable-bake", "bake"):
        decision["baked"] = rng.randrange(4)
    if decision["may_stop"] and kind in ("build", "stable-bake") and farms[seat].stables:
        decision["stable_built"] = rng.random() < 0.5
    if kind == "pay":
        farms[seat].goods["food"] = 0
    if kind in ("keep", "breed") or (kind == "fences" and decision["may_stop"] and rng.random() < 0.5):
        crowd(farms[seat], rng)
    own = [farm.to_json() | {"placed": [*people.values()].count(owner)} for owner, farm in enumerate(farms)]
    lies, more = goods_on(game, spaces, people, phase, rng), {"players": players, "phase": phase, "to_move": seat}
    more |= {"start_player": rng.randrange(players), "decision": None if kind == "reveal" else decision}
    told = position(cards, own, people, lies, majors, **more)
    return told if kind == "reveal" or len(PlainGame.from_position(told).legal_texts()) > 1 else None


def revealed(rng: random.Random, number: int) -> list[str]:
    """So many round cards in an order in which they can come (A6)."""
    numbers = range(1, max(STAGE_OF_ROUND) + 1)
    stages = [[card for card, row in SPACES.items() if row.get("stage") == stage] for stage in numbers]
    return [card for cards in stages for card in rng.sample(cards, len(cards))][:number]


def place_people(people: dict[str, int], farms: list[Farm], spaces: list[str], home: int, rng: random.Random) -> None:
    """Place people of all seats on any spaces; one of the seat ``home`` stays there, of none by -1."""
    for seat, own in enumerate(farms):
        most = own.people - own.newborns - (seat == home) - [*people.values()].count(seat)
        free = [space for space in spaces if space not in people]
        for space in rng.sample(free, min(len(free), rng.randint(0, most))):
            people[space] = seat


def goods_on(
    game: PlainGame, spaces: list[str], people: dict[str, int], phase: str, rng: random.Random
) -> dict[str, int]:
    """What lies on the spaces (A10, A22)."""
    lies = {}
    for space in spaces:
        adds = game._laid(space)
        least = adds if phase == "work" and space not in people else 0
        empty = space in people and space != "room-or-travelling"
        lies[space] = 0 if empty or not adds else least + adds * rng.choice([0, 0, 1, 2, 4])
    return lies


def farm(rng: random.Random) -> Farm:
    """A farm, built in any order, with animals that fit, often as many as do."""
    own = Farm(material=rng.choice(MATERIALS), people=rng.randint(2, 5), begging=rng.choice([0, 0, 2]))
    own.newborns = rng.choice([0, 0, rng.randint(0, own.people - 2)])
    own.goods = {good: rng.choice([0, 0, 1, 2, 3, 5, 9, 15]) for good in GOODS} | dict.fromkeys(ANIMALS, 0)
    for build in rng.sample([add_rooms, add_fields, add_pastures, add_pastures], 4):
        build(own, rng)
    stands = [cell for cell in FREE if cell not in own.rooms | own.plowed]
    inside = [cell for cell in stands if cell in own.fenced]
    where = inside if len(inside) > 1 and rng.random() < 0.7 else stands
    own.stables = frozenset(rng.sample(where, min(len(where), rng.choice([0, 1, 2, 3, 4]))))
    kinds = rng.sample(ANIMALS, rng.randint(1, 3))
    for _ in range(rng.choice([0, 3, 60])):
        kind = rng.choice(kinds)
        own.goods[kind] += 1
        own.goods[kind] -= not own.animals_fit()
    return own


def add_rooms(own: Farm, rng: random.Random) -> None:
    for _ in range(rng.randrange(4)):
        own.rooms |= one_of([cell for cell in FREE if cell not in own.used and touching(cell) & own.rooms], rng)


def add_fields(own: Farm, rng: random.Random) -> None:
    for _ in range(rng.randrange(6)):
        cells = [cell for cell in FREE if cell not in own.used and (not own.fields or touching(cell) & own.plowed)]
        for cell in one_of(cells, rng):
            own.fields[cell] = rng.choice([(None, 0), ("grain", rng.randint(1, 3)), ("vegetable", rng.randint(1, 2))])


def add_pastures(own: Farm, rng: random.Random) -> None:
    for _ in range(rng.randrange(5)):
        left = 15 - len(fences_of(own.pastures))
        taken = own.used - own.fenced
        sets = [cells for cells, price in closings(own.pastures).items() if price <= left and not cells & taken]
        sets = [cells for cells in sets if len(cells) <= rng.choice([1, 2, 4, 12])] or sets
        if sets:
            own.pastures = closed(own.pastures, rng.choice(sets))


def crowd(own: Farm, rng: random.Random) -> None:
    """Let some more animals come than fit."""
    kinds = rng.sample(ANIMALS, 2)
    while own.animals_fit() or rng.random() < 0.5:
        own.goods[rng.choice(kinds)] += 1


def one_of(cells: list[str], rng: random.Random) -> Cells:
    return frozenset(rng.sample(cells, min(1, len(cells))))
