"""Positions in the form of A78, written by hand, that no rule has been asked about: one for each number of players."""

from __future__ import annotations

from typing import Any, Final

PRINTED: Final = "rooms-stables start-player grain plow stable-bake day-labourer wood clay reed fishing"
ACTIONS: Final = {
    3: "wood-2 clay-1 one-resource two-resources",
    4: "wood-1 wood-2 clay-2 two-resources travelling reed-stone-food",
    5: "wood-4 clay-3 reed-stone-wood animals room-or-travelling resources-or-growth",
}
CARDS: Final = (
    "sow-bake major sheep fences stone-a renovate-major growth vegetable boar stone-b cattle plow-sow growth-no-room "
    "renovate-fences"
)
"""The round cards in the order of A5."""
REVEALED: Final = (
    "sheep sow-bake major fences growth stone-a renovate-major vegetable boar cattle stone-b plow-sow growth-no-room "
    "renovate-fences"
)
"""The round cards as they come in all games here."""
MAJORS: Final = "fireplace-2 fireplace-3 hearth-4 hearth-5 clay-oven stone-oven joinery pottery basketmaker well"
PARTS: Final = "fields pastures grain vegetables sheep boar cattle unused stables rooms people majors bonus begging"
GOODS: Final = "wood clay reed stone food grain vegetable sheep boar cattle"


def farm(**more: Any) -> dict[str, Any]:
    """A farm as at first, but for what is named."""
    first = {"people": 2, "material": "wood", "rooms": ["a2", "a3"], "fields": [], "stables": [], "pastures": []}
    return dict.fromkeys(f"{GOODS} begging newborns placed well".split(), 0) | first | more


def scores(*parts: int) -> dict[str, int]:
    """A score by its parts."""
    told = dict(zip(PARTS.split(), parts, strict=True))
    return told | {"total": sum(parts)}


FIRST: Final = scores(-1, -1, -1, -1, -1, -1, -1, -13, 0, 0, 6, 0, 0, 0)
FARMS: Final = [
    farm(
        food=3, clay=2, reed=1, grain=1, sheep=2, people=3, newborns=1, placed=2, rooms=["a1", "a2", "a3"],
        fields=[{"cell": "b1", "crop": "grain", "number": 3}, {"cell": "b2", "crop": None, "number": 0}],
        stables=["e1"], pastures=[["d1", "e1"]],
    ),
    farm(
        food=12, wood=14, stone=3, vegetable=2, grain=4, sheep=1, boar=6, cattle=3, people=5, placed=2,
        material="stone", rooms=["a1", "b1", "a2", "b2", "a3"], begging=2, well=4,
        fields=[{"cell": "b3", "crop": "vegetable", "number": 2}, {"cell": "c3", "crop": "grain", "number": 1}],
        stables=["c1", "d3"], pastures=[["d1", "d2"], ["e1"], ["e2", "d3", "e3"]],
    ),
    farm(food=2, wood=5, clay=4, material="clay", rooms=["a1", "a2", "a3"], placed=1, stables=["e3"], cattle=1),
    farm(food=3, reed=2, vegetable=1, placed=1, fields=[{"cell": "c2", "crop": "vegetable", "number": 2}]),
    farm(food=1, pastures=[["c1", "d1", "e1", "c2", "e2", "c3", "d3", "e3"], ["d2"]], sheep=11, boar=2, people=4),
]  # fmt: skip
SCORES: Final = [
    scores(1, 1, 1, -1, 1, -1, -1, -8, 1, 0, 9, 1, 0, 0), scores(1, 3, 2, 3, 1, 3, 3, -2, 1, 10, 15, 6, 2, -6),
    scores(-1, -1, -1, -1, -1, -1, 1, -11, 0, 3, 6, 0, 0, 0), FIRST,
    scores(-1, 2, -1, -1, 4, 1, -1, -4, 0, 0, 12, 0, 0, 0),
]  # fmt: skip


def decision(kind: str, **more: Any) -> dict[str, Any]:
    """A pending decision, as it begins but for what is named."""
    return {"kind": kind, "may_stop": False, "baked": 0, "stable_built": False, "crafted": []} | more


def position(players: int, rounds: int, goods: dict[str, int], people: dict[str, int], **more: Any) -> dict[str, Any]:
    """A position after some reveals.

    goods, people: what lies and who is on spaces, by their names. more: other fields of the position.
    """
    cards = REVEALED.split()[:rounds]
    names = f"{PRINTED} {ACTIONS.get(players, '')}".split() + [card for card in CARDS.split() if card in cards]
    found = {
        "players": players, "round": rounds, "phase": "work", "start_player": 0, "to_move": None, "decision": None,
        "cards": cards,
        "spaces": [{"space": name, "goods": goods.get(name, 0), "person": people.get(name)} for name in names],
        "majors": [{"major": name, "owner": None} for name in MAJORS.split()],
        "farms": FARMS[:players], "scores": SCORES[:players],
    }  # fmt: skip
    return found | more


def owned(**owners: int) -> list[dict[str, Any]]:
    """The majors and their owners, by names with underscores."""
    return [{"major": name, "owner": owners.get(name.replace("-", "_"))} for name in MAJORS.split()]


POSITIONS: Final = {
    "begin": position(
        2, 0, {}, {}, phase="reveal", start_player=1, farms=[farm(food=3), farm(food=2)], scores=[FIRST] * 2,
    ),
    "solo": position(
        1, 6, {"wood": 6, "clay": 3, "reed": 1, "fishing": 4, "sheep": 2, "stone-a": 1}, {"plow": 0, "growth": 0},
        to_move=0, decision=decision("place"), majors=owned(fireplace_2=0), farms=FARMS[:1], scores=SCORES[:1],
    ),
    "two": position(
        2, 4, {"wood": 6, "clay": 1, "fishing": 1, "sheep": 3}, {"sow-bake": 0, "grain": 1, "plow": 1},
        to_move=0, decision=decision("sow-bake", may_stop=True, baked=1), majors=owned(clay_oven=0, well=1),
    ),
    "three": position(
        3, 9, {"wood": 3, "wood-2": 4, "clay-1": 2, "boar": 3, "stone-a": 5}, {}, phase="feeding",
        to_move=2, decision=decision("feed", may_stop=True, crafted=["wood", "clay"]), start_player=1,
        majors=owned(joinery=2, pottery=2, hearth_4=1),
    ),
    "four": position(
        4, 11, {"wood": 3, "clay-2": 4, "travelling": 3, "cattle": 1},
        {"wood-1": 3, "reed-stone-food": 1, "two-resources": 2, "renovate-major": 1, "stable-bake": 0, "major": 0},
        to_move=3, decision=decision("stable-bake", stable_built=True, may_stop=True), start_player=2,
        majors=owned(fireplace_3=0, stone_oven=1, well=1, basketmaker=3),
    ),
    "five": position(
        5, 14, {"wood-4": 12, "clay-3": 9, "reed-stone-wood": 3, "room-or-travelling": 2, "stone-b": 4, "fishing": 11},
        {"resources-or-growth": 4, "animals": 1, "rooms-stables": 0, "renovate-fences": 3, "growth-no-room": 2},
        to_move=4, decision=decision("resources-or-growth"), start_player=4,
        majors=owned(well=1, hearth_5=0, joinery=4),
    ),
    "over": position(3, 14, {"wood": 6}, {}, phase="over", majors=owned(well=1, fireplace_2=0)),
}  # fmt: skip
