"""Worked cases of Agricola's rulings, as data: fields, fences, majors, animals, harvests and scores.

Nothing here is played: test_rulings.py does that, with every implementation of the rules.
"""

from __future__ import annotations

from typing import Any

from tests.test_agricola.laid import Case, at

FEED: dict[str, Any] = {"round": 4, "phase": "feeding", "kind": "feed", "may_stop": True}
"""For a position where a seat feeds its family."""
OVENS = "fireplace-2 clay-oven stone-oven hearth-5"
COOK = ("cook sheep", "cook boar", "cook cattle")

FIELDS = [
    Case(
        "A38 the first field",
        at("stables b1 pastures e3", kind="plow"),
        legal=", ".join(f"plow {cell}" for cell in ["a1", "c1", "d1", "e1", "b2", "c2", "d2", "e2", "b3", "c3", "d3"]),
    ),
    Case("A38 beside an own field", at("fields b1 stables c1 pastures b3", kind="plow"), legal="plow a1, plow b2"),
    Case(
        "A39 on the first empty field in cell order",
        at("grain 1 vegetable 2 fields b1:grain3 c1 d1", kind="sow-bake"),
        "sow vegetable, sow grain",
        then="to_move 1",
        farms=("grain 0 vegetable 1 fields b1:grain3 c1:vegetable2 d1:grain3",),
    ),
    Case(
        "A39 a field harvested empty is sown again",
        at("vegetable 1 fields b1:grain1", players=1, phase="reveal", round=3),
        "reveal fences, to grain, to clay, done, reveal stone-a, to sow-bake, sow vegetable",
        farms=("fields b1:vegetable2 grain 2",),
    ),
    Case(
        "A39 A60 grain and vegetable in two harvests",
        at("grain 1 vegetable 1 food 30 fields b1 c1", players=1, phase="reveal", round=3),
        "reveal fences, to sow-bake, sow vegetable, sow grain, to clay, reveal stone-a, to clay, to reed, "
        "reveal renovate-major, to clay, to reed, reveal growth, to clay, to reed",
        farms=("grain 2 vegetable 2 fields b1 c1:grain1",),
    ),
    Case(
        "A40 plow at most once",
        at("fields b1 c1 grain 2", kind="plow-sow", round=12),
        "plow b2",
        legal="sow grain, done",
    ),
    Case("A40 and first", at("fields b1 c1 grain 2", kind="plow-sow", round=12), "sow grain", legal="sow grain, done"),
    Case("A40 A21 nothing to sow", at(round=12), "to plow-sow, plow c3", then="to_move 1"),
    Case(
        "A41 sow and bake, mixed",
        at("fields b1 c1 grain 4", majors="hearth-4"),
        "to sow-bake, bake, sow grain, bake",
        legal="sow grain, bake, done",
        farms=("food 8 grain 1",),
    ),
    Case(
        "A41 one baking", at("grain 9 fields b1 c1", majors="clay-oven"), "to sow-bake, bake", legal="sow grain, done"
    ),
    Case(
        "A41 one stable for 1 wood, and baking",
        at("grain 2 wood 4", majors="fireplace-3"),
        "to stable-bake, bake, stable e1",
        legal="bake, done",
        farms=("wood 3 food 4",),
    ),
]

FENCES = [
    Case(
        "A42 where stables stand",
        at("wood 9 stables b3 fields b1 pastures d2", kind="build"),
        legal=", ".join(
            f"stable {cell}" for cell in ["a1", "c1", "d1", "e1", "b2", "c2", "d2", "e2", "c3", "d3", "e3"]
        ),
    ),
    Case("A3 A42 four stables", at("wood 9 stables c1 d1 e1 e2"), refused="to rooms-stables, to stable-bake"),
    Case(
        "A42 A69 a stable in a pasture",
        at("wood 2 pastures d2", kind="build"),
        "stable d2",
        score="fenced_stables 1 unused -12",
    ),
    Case(
        "A43 three pastures in a square take 11 fences",
        at("wood 11"),
        "to fences, fence d1, fence e1, fence d2 e2",
        farms=("wood 0 pastures d1 e1 d2+e2",),
    ),
    Case("A3 A43 fifteen fences", at("wood 9 pastures d1+e1+d2 b2+c2+b3+c3"), refused="to fences"),
    Case(
        "A43 the board's edge, rooms, fields and stables are no fence",
        at("wood 4 fields b1 stables c1 rooms a1 a2 a3", kind="fences"),
        offered="fence b2, fence c1, fence e1, fence e3",
        refused="fence d1 e1, fence a1, fence b1, done",
    ),
    Case(
        "A44 connected cells, named in cell order",
        at("wood 15", kind="fences"),
        offered="fence d1 e1 d2 e2",
        refused="fence b1 d1, fence e1 d1",
    ),
    Case(
        "A44 at most 15 sides: a ring round a cell has 16",
        at("wood 15", kind="fences"),
        offered="fence c1 d1 e1 c2 e2",
        refused="fence c1 d1 e1 c2 e2 c3 d3 e3",
    ),
    Case(
        "A45 a set outside touches a pasture",
        at("wood 15 pastures e1", kind="fences"),
        offered="fence d1, fence e2",
        refused="fence d2, fence c1, fence e3",
    ),
    Case(
        "A46 a division is told without the first cell",
        at("wood 15 pastures d1+e1", kind="fences"),
        offered="fence e1, fence d2",
        refused="fence d1, fence d1 e1, fence e1 e2",
    ),
    Case(
        "A46 but a set that leaves several parts is the only one that puts up these fences",
        at("wood 2 pastures b1+c1+d1+c2", kind="fences"),
        "fence b1 c1",
        then="to_move 1",
        farms=("wood 0 pastures b1+c1 d1 c2",),
    ),
    Case(
        "A47 any number of closings, at least one",
        at("wood 8", kind="fences"),
        "fence e1",
        offered="fence d1, fence e2, done",
    ),
    Case(
        "A48 between closings animals need not fit: two cells with a stable hold 8, divided 2 and 4",
        at("wood 2 sheep 9 stables e1 pastures d1+e1"),
        "to fences",
        then="to_move 1",
        farms=("sheep 7 pastures d1 e1 wood 1",),
    ),
    Case(
        "A48 they are looked at when the fencing ends",
        at("wood 9 sheep 9 stables e1 pastures d1+e1"),
        "to fences, fence e1",
        offered="fence d2, done",
        refused="give sheep",
        then="kind fences",
        farms=("sheep 9",),
    ),
    Case(
        "A48 more pastures in the same fencing give them room",
        at("wood 6 sheep 9 stables e1 pastures d1+e1"),
        "to fences, fence e1, fence e2, done",
        then="to_move 1",
        farms=("sheep 9 wood 2",),
    ),
    Case(
        "A48 A57 let go",
        at("wood 2 sheep 8 boar 1 stables e1 pastures d1+e1"),
        "to fences",
        legal="give sheep, give boar",
        then="kind keep",
    ),
    Case(
        "A48 a stable enclosed",
        at("wood 4 sheep 1 boar 1 cattle 1 stables d1 e1"),
        "to fences, fence e1",
        farms=("sheep 1 boar 1 cattle 1",),
    ),
    Case(
        "A48 two stables enclosed",
        at("wood 6 sheep 1 boar 1 cattle 1 stables d1 e1"),
        "to fences, fence d1 e1",
        legal="give sheep, give boar, give cattle",
    ),
    Case(
        "A49 what a pasture forbids",
        at("wood 9 reed 2 pastures b3", kind="build"),
        refused="room b3",
        offered="stable b3",
    ),
]

MAJORS = [
    Case(
        "A50 for its price",
        at("wood 5 clay 5 reed 5 stone 5", kind="major"),
        "buy stone-oven",
        farms=("clay 4 stone 2 wood 5 reed 5",),
    ),
    Case(
        "A50 that nobody has",
        at("wood 5 clay 5 reed 5 stone 5", kind="major", majors="well:1 hearth-4:1 pottery"),
        refused="buy well, buy hearth-4, buy pottery",
        offered="buy hearth-5, buy joinery",
    ),
    Case(
        "A50 a hearth for a fireplace alone",
        at("clay 2", "clay 2", kind="major", majors="fireplace-3 hearth-4:1"),
        legal="buy fireplace-2, buy hearth-5 for fireplace-3",
    ),
    Case(
        "A50 which lies open again at once",
        at("clay 3", "clay 3", kind="major", majors="fireplace-3"),
        "buy hearth-5 for fireplace-3",
        owned="hearth-5",
        farms=("clay 3",),
    ),
    Case(
        "A50 several of a kind",
        at("clay 5", kind="major", majors="hearth-4"),
        "buy hearth-5",
        owned="hearth-4 hearth-5",
        score="majors 2",
    ),
    Case(
        "A51 only with a major that bakes",
        at("grain 3", majors="pottery fireplace-2:1"),
        refused="to sow-bake, to stable-bake",
    ),
    Case(
        "A52 the best rate first: 5, 4, 4, 3, 3", at("grain 6 food 0", majors=OVENS), "to sow-bake", farms=("food 5",)
    ),
    Case(
        "A52 and the next one after it",
        at("grain 6 food 0", majors=OVENS),
        "to sow-bake, bake, bake",
        farms=("food 13",),
    ),
    Case(
        "A52 and the hearth for all others",
        at("grain 6 food 0", majors=OVENS),
        "to sow-bake, bake, bake, bake, bake, bake",
        farms=("food 22 grain 0",),
    ),
    Case(
        "A52 the limits hold",
        at("grain 6", majors="stone-oven"),
        "to sow-bake, bake",
        then="to_move 1",
        farms=("grain 4 food 10",),
    ),
    Case(
        "A53 a baking after buying an oven, with all majors",
        at("grain 3 food 0 clay 3 stone 1", kind="major", majors="hearth-4"),
        "buy clay-oven, bake, bake",
        legal="bake, done",
        farms=("food 8",),
    ),
    Case("A53 optional", at("grain 3 clay 1 stone 3"), "to major", legal="bake, done"),
    Case(
        "A53 a fireplace does not bake when bought",
        at("grain 3 clay 2"),
        "to major",
        then="to_move 1",
        farms=("grain 3 clay 0",),
    ),
    *(
        Case(
            f"A54 a well of round {number}",
            at("wood 1 stone 3", round=number),
            "to major",
            farms=(f"well {left} food 2",),
        )
        for number, left in ((2, 5), (9, 5), (10, 4), (13, 1), (14, 0))
    ),
]

ANIMALS = [
    Case(
        "A55 two cells with a stable hold 8",
        at("sheep 8 stables e1 pastures d1+e1", lies="sheep 3"),
        "to sheep",
        farms=("sheep 9",),
    ),
    Case(
        "A55 with two stables 16",
        at("sheep 16 stables d1 e1 pastures d1+e1", lies="sheep 3"),
        "to sheep",
        farms=("sheep 17",),
    ),
    Case(
        "A55 without one 4, of one kind",
        at("sheep 1 boar 1 pastures d1+e1", lies="sheep 9"),
        "to sheep",
        legal="give sheep, give boar",
        farms=("sheep 10",),
    ),
    Case(
        "A55 an unfenced stable 1, the house 1, of any kind",
        at("boar 1 stables e1", lies="sheep 1"),
        "to sheep",
        farms=("sheep 1 boar 1",),
    ),
    Case(
        "A56 kinds are given to the pastures so that fewest are left over",
        at("boar 4 cattle 2 pastures c1 d1+e1", lies="sheep 1"),
        "to sheep",
        farms=("sheep 1 boar 4 cattle 2",),
    ),
    Case(
        "A57 of any kind, one at a time",
        at("boar 1 cattle 1 stables e1", lies="sheep 2"),
        "to sheep, give boar",
        legal="give sheep, give cattle",
    ),
    Case(
        "A57 A59 cooked, not given back, with a cooking major",
        at("boar 1", lies="sheep 1", majors="fireplace-2"),
        "to sheep",
        legal="cook sheep, cook boar",
    ),
    Case(
        "A59 the best cooking major counts",
        at("boar 1", lies="sheep 1", majors="fireplace-2 hearth-5"),
        "to sheep, cook boar",
        farms=("food 5 boar 0 sheep 1",),
    ),
    *(
        Case(
            f"A7 A59 {text} with {major or 'no cooking major'}",
            at(f"food 0 wood 1 {text.split()[1]} 1", majors=f"joinery {major}", **FEED),
            text,
            farms=(f"food {food}",),
        )
        for major, foods in (("", (1, 1)), ("fireplace-3", (1, 2, 2, 2, 3)), ("hearth-4", (1, 3, 2, 3, 4)))
        for text, food in zip(("eat grain", "eat vegetable", *COOK), foods, strict=False)
    ),
]

HARVEST = [
    Case(
        "A61 2 food a person, 1 for a newborn",
        at("food 9 people 4 newborns 1 wood 1", "food 4", majors="joinery", **FEED),
        "done",
        farms=("food 2 begging 0", "food 0"),
    ),
    Case(
        "A61 solo 3, and 1 for a newborn",
        at("food 9 people 3 newborns 1 wood 1", players=1, majors="joinery", **FEED),
        "done",
        farms=("food 2",),
    ),
    Case(
        "A62 eat while food is missing, cook and craft always",
        at("food 3 grain 1 vegetable 1 sheep 1 clay 1 reed 1", majors="pottery basketmaker fireplace-2", **FEED),
        legal="cook sheep, eat grain, eat vegetable, craft clay, craft reed, done",
    ),
    Case(
        "A62 crops keep",
        at("food 3 grain 2 vegetable 1 sheep 1 clay 2", majors="pottery fireplace-2", **FEED),
        "eat grain",
        legal="cook sheep, craft clay, done",
    ),
    Case(
        "A62 each craft once",
        at("wood 5 clay 5 reed 5", majors="joinery pottery basketmaker", **FEED),
        "craft reed, craft wood",
        legal="craft clay, done",
        farms=("food 7 wood 4 reed 4",),
    ),
    Case(
        "A62 a craft takes its major",
        at("wood 5 clay 5 food 4", majors="joinery:1 pottery", **FEED),
        legal="craft clay, done",
    ),
    Case(
        "A63 begging rather than eating",
        at("food 1 grain 5", "food 4", **FEED),
        "done",
        score="begging -9",
        then="phase reveal",
        farms=("food 0 grain 5 begging 3",),
    ),
    Case(
        "A63 food in hand is paid",
        at("food 6 wood 1", "food 4", majors="joinery", **FEED),
        "done",
        farms=("food 2 begging 0",),
    ),
    Case(
        "A64 feeding goes round from the marker",
        at("food 1 grain 1", "", "food 1 grain 1", players=3, to_move=2, start_player=2, **FEED),
        "done",
        then="phase feeding to_move 0",
        farms=("food 1",),
    ),
    Case(
        "A64 then breeding, from the marker too",
        at(
            "food 9 sheep 2 boar 1 pastures e1",
            "food 4 wood 1",
            "food 4 sheep 2 boar 1 pastures e1",
            players=3,
            to_move=1,
            start_player=2,
            majors="joinery:1",
            **FEED,
        ),
        "done",
        then="phase breeding to_move 2 kind breed",
        farms=("sheep 2", "", "sheep 3"),
    ),
    Case(
        "A64 a seat finishes before the next",
        at(
            "food 9 sheep 2 boar 1 pastures e1",
            "food 4 wood 1",
            "food 4 sheep 2 boar 1 pastures e1",
            players=3,
            to_move=1,
            start_player=2,
            majors="joinery:1",
            **FEED,
        ),
        "done, give boar",
        then="phase breeding to_move 0",
        farms=("sheep 3", "", "sheep 3 boar 0"),
    ),
    Case(
        "A65 one young of each kind with two or more",
        at(
            "food 9 wood 1 sheep 2 boar 1 cattle 4 stables b1 b2 b3 pastures c1+d1+e1",
            players=1,
            majors="joinery",
            **FEED,
        ),
        "done",
        farms=("sheep 3 boar 1 cattle 5",),
    ),
    Case(
        "A66 no cooking now, and any kind goes",
        at("food 9 wood 1 sheep 2 boar 1 pastures e1", players=1, majors="joinery hearth-4", **FEED),
        "done",
        legal="give sheep, give boar",
        then="phase breeding",
    ),
    Case(
        "A66 only one kind: it is given back unasked",
        at("food 9 wood 1 sheep 3 pastures e1", players=1, majors="joinery", **FEED),
        "done",
        then="phase reveal",
        farms=("sheep 3",),
    ),
    Case(
        "A68 the end",
        at("food 9 wood 1", players=1, majors="joinery", **(FEED | {"round": 14})),
        "done",
        then="phase over to_move None round 14",
    ),
    Case(
        "A69 Ilka",
        at(
            "grain 4 vegetable 2 sheep 1 boar 6 cattle 3 people 3 material clay "
            "rooms a1 a2 b2 a3 fields b1 c1 d1 stables e3 pastures c2 d2+e2 d3+e3"
        ),
        score="fields 2 pastures 3 grain 2 vegetables 2 sheep 1 boar 3 cattle 2 "
        "unused -3 fenced_stables 1 rooms 4 people 9 majors 0 bonus 0 begging 0 total 26",
    ),
    Case(
        "A69 crops on fields count, majors and their bonus, begging",
        at(
            "wood 7 clay 4 reed 1 grain 1 fields b1:grain3 c1:vegetable2 begging 2",
            majors="joinery pottery basketmaker well:1",
        ),
        score="grain 2 vegetables 2 majors 6 bonus 4 begging -6",
    ),
    Case("A69 the bonus of the basketmaker", at("reed 4", majors="basketmaker"), score="bonus 2 majors 2"),
    Case("A69 a stone house", at("material stone people 5"), score="rooms 4 people 15"),
]

CASES = [*FIELDS, *FENCES, *MAJORS, *ANIMALS, *HARVEST]
