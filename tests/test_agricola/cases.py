"""Worked cases of Agricola's rulings, as data: rounds, spaces, goods and families.

Nothing here is played: test_rulings.py does that, with every implementation of the rules.
"""

from __future__ import annotations

from tests.test_agricola.laid import Case, at, crowded

LAST = "clay:0 reed:1 fishing:1"
"""People of two players, so that seat 0 places the last one."""
QUEUE = crowded("rooms-stables stable-bake", 1, (2, 2, 2, 2, 2))
"""Five players with two people each left, and three spaces."""
CROWD = crowded("rooms-stables major renovate-major", 6, (3, 1, 1, 1, 0))

FULL = "stables c1 d1 e1 e2"
NEEDS = [
    ("rooms-stables", "wood for a stable", 6, "wood 2", "wood 1", ""),
    ("rooms-stables", "wood for a room", 6, f"wood 5 reed 2 {FULL}", f"wood 4 reed 2 {FULL}", ""),
    ("rooms-stables", "reed for a room", 6, f"wood 5 reed 2 {FULL}", f"wood 5 reed 1 {FULL}", ""),
    ("stable-bake", "wood for a stable", 6, "wood 1", "", ""),
    ("stable-bake", "grain to bake", 6, "grain 1", "", "fireplace-2"),
    ("plow", "a cell beside a field", 6, "fields b1", "fields e1 pastures d1+d2+e2", ""),
    ("sow-bake", "an empty field", 6, "grain 1 fields b1 c1", "grain 1 fields b1:grain3", ""),
    ("sow-bake", "something to sow", 6, "vegetable 1 fields b1 c1", "fields b1 c1", ""),
    ("sow-bake", "grain to bake", 6, "grain 1", "vegetable 1", "hearth-4"),
    ("plow-sow", "something to sow", 12, "fields e1 pastures d1+d2+e2 vegetable 1", "fields e1 pastures d1+d2+e2", ""),
    ("major", "a price", 6, "clay 2", "clay 1", ""),
    ("fences", "wood for a pasture", 6, "wood 4", "wood 3", ""),
    ("fences", "a pasture to divide", 6, "wood 1 pastures d1+e1", "wood 1 pastures e1", ""),
    ("renovate-major", "reed", 6, "clay 2 reed 1", "clay 2", ""),
    ("renovate-major", "clay for each room", 6, "clay 3 reed 1 rooms a1 a2 a3", "clay 2 reed 1 rooms a1 a2 a3", ""),
    ("renovate-fences", "the next material", 14, "stone 2 reed 1 material clay", "stone 1 reed 1 material clay", ""),
    ("renovate-fences", "a house of clay", 14, "stone 2 reed 1 material clay", "stone 5 reed 5 material stone", ""),
    ("growth", "a room", 7, "rooms a1 a2 a3", "", ""),
    ("growth", "a room for those just born, too", 7, "rooms a1 a2 a3", "rooms a1 a2 a3 people 3 newborns 1", ""),
    ("growth-no-room", "fewer than five people", 13, "people 4", "people 5", ""),
]  # fmt: skip
"""What spaces need: which, for how many cards, a farm with it, one without, and majors."""
SPACES = [
    case
    for space, what, cards, rich, poor, majors in NEEDS
    for case in (
        Case(f"A14 {space} with {what}", at(rich, round=cards, majors=majors), offered=f"to {space}"),
        Case(f"A14 {space} without {what}", at(poor, round=cards, majors=majors), refused=f"to {space}"),
    )
]

ROUNDS = [
    Case(
        "A8 a revealed card is open at once",
        at(round=2, phase="reveal"),
        "reveal sheep",
        offered="to sheep, to day-labourer",
        refused="to fences, to sow-bake",
        then="round 3 phase work to_move 0",
    ),
    Case(
        "A9 A54 food of the well",
        at("well 2 food 0", "food 0", phase="reveal", majors="well"),
        "reveal growth",
        farms=("food 1 well 1", "food 0"),
    ),
    Case(
        "A10 goods are laid on top, on the new space too",
        at(phase="reveal", lies="wood 9 reed 2", round=8),
        "reveal boar",
        lies="wood 12 reed 3 clay 1 fishing 1 start-player 1 boar 1 grain 0",
    ),
    Case(
        "A10 solo",
        at(players=1, phase="reveal", lies="wood 2", round=8),
        "reveal boar",
        lies="wood 4 clay 1 start-player 0 boar 1",
    ),
    Case(
        "A10 A30 storehouse_solo",
        at(players=1, phase="reveal", lies="start-player 4", round=8),
        "reveal boar, to start-player",
        lies="start-player 0 wood 2",
        storehouse=True,
        farms=("food 5",),
    ),
    *(
        Case(
            f"A10 five players: {card} +{number}",
            at(players=5, phase="reveal"),
            "reveal growth",
            lies=f"{card} {number}",
        )
        for card, number in (("wood-4", 4), ("clay-3", 3), ("reed-stone-wood", 1), ("room-or-travelling", 1))
    ),
    *(
        Case(
            f"A10 four players: {card} +{number}",
            at(players=4, phase="reveal"),
            "reveal growth",
            lies=f"{card} {number}",
        )
        for card, number in (("wood-1", 1), ("wood-2", 2), ("clay-2", 2), ("travelling", 1))
    ),
    Case(
        "A11 work begins at the marker",
        at(players=3, phase="reveal", start_player=1),
        "reveal growth",
        then="to_move 1",
    ),
    Case(
        "A11 and goes on clockwise",
        at(players=3, phase="reveal", start_player=1),
        "reveal growth, to grain, to clay",
        then="to_move 0",
    ),
    Case(
        "A12 a seat without a legal space is passed over, and people stay at home",
        at("wood 2 people 5", "people 5", "people 5", "people 5", "people 5", players=5, round=1, people=QUEUE),
        "to stable-bake, stable b1",
        then="phase reveal round 1",
        farms=("wood 1 stables b1 placed 0",),
    ),
    Case(
        "A12 the last one itself comes last",
        at(
            "wood 2 clay 2 reed 1 people 5",
            "clay 2 people 5",
            "people 5",
            "people 5",
            "people 5",
            players=5,
            people=CROWD,
            majors="fireplace-2",
        ),
        "to rooms-stables, stable b1",
        legal="to major, to renovate-major",
        then="to_move 0",
    ),
    Case(
        "A12 A20 A50 a seat passed over is looked at again: a fireplace comes back, and it buys it unasked",
        at(
            "wood 2 clay 2 reed 1 people 5",
            "clay 2 people 5",
            "people 5",
            "people 5",
            "people 5",
            players=5,
            people=CROWD,
            majors="fireplace-2",
        ),
        "to rooms-stables, stable b1, to renovate-major, buy hearth-5 for fireplace-2",
        then="phase reveal",
        farms=("clay 0 reed 0 material clay", "clay 0"),
    ),
    Case("A13 one person on a space", at(people="grain:1"), refused="to grain", offered="to clay"),
    Case(
        "A14 A15 what is always legal, and nothing else without goods: no passing",
        at(players=5, round=4),
        legal="to start-player, to grain, to plow, to day-labourer, to wood, to clay, to reed, to fishing, to wood-4, "
        "to clay-3, to reed-stone-wood, to animals, to room-or-travelling, to resources-or-growth, to sheep",
    ),
    Case(
        "A14 the marker is kept, in solo too",
        at(players=1),
        "to start-player",
        then="start_player 0",
        farms=("placed 1 food 0",),
    ),
    Case(
        "A15 A57 animals are taken without a place for them",
        at(lies="sheep 3"),
        "to sheep",
        lies="sheep 0",
        farms=("sheep 1",),
    ),
    Case(
        "A16 the marker changes hands at once, and the order goes on",
        at(players=3, lies="start-player 4"),
        "to grain, to start-player",
        then="start_player 1 to_move 2",
        farms=("", "food 7"),
    ),
    Case(
        "A16 it tells who begins the next round",
        at(people=LAST),
        "to start-player, reveal growth",
        then="start_player 0 to_move 0",
    ),
    Case(
        "A17 all go home",
        at(people=LAST, start_player=1),
        "to grain",
        then="phase reveal to_move None",
        farms=("placed 0", "placed 0"),
    ),
    Case(
        "A17 A37 newborns stay at home in their round",
        at("people 3 newborns 1 rooms a1 a2 a3", round=7, people="growth:0 reed:1 fishing:1"),
        "to grain",
        legal="eat grain, done",
        then="phase feeding to_move 0",
    ),
    Case(
        "A17 A37 and act in the next",
        at("people 3 newborns 1 rooms a1 a2 a3", players=1, round=7, phase="reveal"),
        "reveal vegetable, to grain, to clay",
        then="to_move 0 phase work",
        farms=("newborns 0 people 3 placed 2",),
    ),
    *(
        Case(
            f"A18 A60 {'a' if harvest else 'no'} harvest after round {number}",
            at("fields b1:vegetable2", round=number, people=LAST),
            "to grain",
            farms=(f"grain 1 vegetable {harvest:d}",),
            then=f"phase {'feeding' if harvest else 'reveal'}",
        )
        for number in range(1, 15)
        for harvest in [number in (4, 7, 9, 11, 13, 14)]
    ),
    Case(
        "A20 A21 what leaves no choice is carried out: the only grain is baked",
        at("grain 1 food 0", majors="fireplace-2"),
        "to sow-bake",
        then="to_move 1",
        farms=("grain 0 food 2",),
    ),
    Case("A21 the wood runs out", at("wood 4"), "to fences, fence e1", then="to_move 1", farms=("wood 0 pastures e1",)),
    Case(
        "A21 no major can be paid after renovating",
        at("clay 2 reed 1"),
        "to renovate-major",
        then="to_move 1",
        farms=("material clay clay 0",),
    ),
]

GOODS = [
    Case("A22 all that lies there", at(lies="clay 5"), "to clay", lies="clay 0", farms=("clay 5",)),
    Case(
        "A23 day labourer",
        at(),
        "to day-labourer",
        legal="take wood, take clay, take reed, take stone",
        farms=("food 3",),
    ),
    Case("A23 one resource", at(players=3), "to one-resource, take reed", then="to_move 1", farms=("food 2 reed 1",)),
    Case(
        "A24 two different resources",
        at(players=3),
        "to two-resources",
        legal="take wood clay, take wood reed, take wood stone, take clay reed, take clay stone, take reed stone",
    ),
    Case(
        "A24 in one action",
        at(players=3),
        "to two-resources, take wood stone",
        then="to_move 1",
        farms=("wood 1 stone 1",),
    ),
    Case("A25 reed-stone-food", at(players=4), "to reed-stone-food", farms=("reed 1 stone 1 food 3",)),
    Case(
        "A25 all the reed, 1 stone, 1 wood",
        at(players=5, lies="reed-stone-wood 3"),
        "to reed-stone-wood",
        farms=("reed 3 stone 1 wood 1",),
    ),
    Case("A26 a sheep and 1 food", at(players=5), "to animals, take sheep", farms=("sheep 1 food 3",)),
    Case("A26 a boar", at(players=5), "to animals, take boar", farms=("boar 1 food 2",)),
    Case("A26 cattle for 1 food", at(players=5), "to animals, take cattle", farms=("cattle 1 food 1",)),
    Case(
        "A26 no food and nothing to convert",
        at("food 0 sheep 1", players=5),
        "to animals",
        legal="take sheep, take boar",
    ),
    Case(
        "A26 A58 A59 one conversion pays",
        at("food 0 grain 1 vegetable 1 sheep 1", players=5, majors="hearth-5"),
        "to animals, take cattle",
        legal="cook sheep, eat grain, eat vegetable",
        then="kind pay",
    ),
    Case(
        "A26 and what is over is kept",
        at("food 0 grain 1 vegetable 1", players=5, majors="hearth-5"),
        "to animals, take cattle, eat vegetable",
        then="to_move 1",
        farms=("food 2 vegetable 0 cattle 1",),
    ),
    Case(
        "A26 A57 then the animals have to fit",
        at("food 0 grain 1 vegetable 1 boar 1", players=5),
        "to animals, take cattle, eat grain",
        legal="give boar, give cattle",
        then="kind keep",
    ),
    Case(
        "A27 no room can be built: all the food",
        at(players=5, lies="room-or-travelling 4"),
        "to room-or-travelling",
        farms=("food 6",),
    ),
    Case(
        "A27 a room or the food",
        at("wood 5 reed 2", players=5),
        "to room-or-travelling",
        legal="room a1, room b2, room b3, take food",
    ),
    Case(
        "A27 one room, and the food stays",
        at("wood 10 reed 4", players=5, lies="room-or-travelling 4"),
        "to room-or-travelling, room b3",
        lies="room-or-travelling 4",
        then="to_move 1",
        farms=("food 2 wood 5 reed 2 rooms a2 a3 b3",),
    ),
    Case(
        "A28 A35 growth from round 5 on, with room",
        at("rooms a1 a2 a3", players=5, round=5),
        "to resources-or-growth, grow",
        farms=("people 3 newborns 1",),
    ),
    Case(
        "A28 not before round 5",
        at("rooms a1 a2 a3", players=5, round=4),
        "to resources-or-growth",
        refused="grow",
        offered="take wood clay",
    ),
    Case(
        "A28 not without room",
        at(players=5, round=5),
        "to resources-or-growth",
        refused="grow",
        offered="take reed stone",
    ),
    Case(
        "A29 a vegetable, and no sowing",
        at("fields b1 c1", round=8),
        "to vegetable",
        farms=("vegetable 1 fields b1 c1",),
    ),
    Case("A29 a grain, and no sowing", at("fields b1 c1"), "to grain", farms=("grain 1 fields b1 c1",)),
]

FAMILY = [
    Case(
        "A31 where rooms stand",
        at("wood 20 reed 4 stables b3 fields b1 pastures d2", kind="build"),
        offered="room a1, room b2",
        refused="room b1, room b3, room c2, room d2, done",
    ),
    Case(
        "A31 not in a pasture",
        at("wood 9 reed 2 pastures b2", kind="build"),
        offered="room a1, room b3",
        refused="room b2",
    ),
    Case(
        "A31 the price of the house's material",
        at("clay 5 reed 2 wood 2 material clay", kind="build"),
        "room a1",
        offered="stable b1, done",
        farms=("clay 0 reed 0 wood 2",),
    ),
    Case(
        "A32 any number of rooms and stables in any order",
        at("wood 14 reed 4"),
        "to rooms-stables, stable c1, room a1, stable c2, room b1",
        then="to_move 1",
        farms=("wood 0 reed 0 rooms a1 b1 a2 a3 stables c1 c2",),
    ),
    Case(
        "A33 three wood rooms to clay",
        at("rooms a1 a2 a3 clay 3 reed 1"),
        "to renovate-major",
        farms=("clay 0 reed 0 material clay",),
    ),
    Case(
        "A33 four clay rooms to stone",
        at("rooms a1 b1 a2 a3 stone 4 reed 1 material clay"),
        "to renovate-major",
        score="rooms 8",
        farms=("stone 0 reed 0 material stone",),
    ),
    Case("A34 renovate, then buy or not", at("clay 4 reed 1"), "to renovate-major", legal="buy fireplace-2, done"),
    Case(
        "A34 renovate, then fence or not",
        at("clay 2 reed 1 wood 4", round=14),
        "to renovate-fences",
        offered="fence e1, done",
        then="kind fences",
    ),
    Case(
        "A34 A48 no fence is built",
        at("clay 2 reed 1 wood 4", round=14),
        "to renovate-fences, done",
        then="to_move 1",
        farms=("wood 4 pastures",),
    ),
    Case(
        "A35 A37 a newborn counts at once",
        at("rooms a1 a2 a3", round=7),
        "to growth",
        score="people 9",
        farms=("people 3 newborns 1",),
    ),
    Case(
        "A37 several in one round",
        at("rooms a1 a2 a3", players=1, round=13),
        "to growth, to growth-no-room",
        farms=("people 4 newborns 2 placed 0",),
    ),
    Case(
        "A37 growth without room, then a room: it belongs to whoever has none",
        at("people 3 wood 5 reed 2", round=7),
        "to rooms-stables, room a1, to grain",
        refused="to growth",
        offered="to fishing",
        then="to_move 0",
    ),
]

CASES = [*SPACES, *ROUNDS, *GOODS, *FAMILY]
