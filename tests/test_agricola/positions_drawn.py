"""Positions to draw, in the form of A78: one for each number of players, and the first and the last of a game."""

from typing import Any, Final

from tests.test_agricola.laid import farm, numbers, owners, position

REVEALED: Final = (
    "sheep sow-bake major fences growth stone-a renovate-major vegetable boar cattle stone-b plow-sow growth-no-room "
    "renovate-fences"
)
"""The round cards as they come in all games here."""
GOODS: Final = "wood clay reed stone food grain vegetable sheep boar cattle"
TOLD: Final = [
    "food 3 clay 2 reed 1 grain 1 sheep 2 people 3 newborns 1 placed 2 rooms a1 a2 a3 fields b1:grain3 b2 stables e1 "
    "pastures d1+e1",
    "food 12 wood 14 stone 3 vegetable 2 grain 4 sheep 1 boar 6 cattle 3 people 5 placed 2 material stone begging 2 "
    "well 4 rooms a1 b1 a2 b2 a3 fields b3:vegetable2 c3:grain1 stables c1 d3 pastures d1+d2 e1 e2+d3+e3",
    "food 2 wood 5 clay 4 material clay rooms a1 a2 a3 placed 1 stables e3 cattle 1",
    "food 3 reed 2 vegetable 1 placed 1 fields c2:vegetable2",
    "food 1 pastures c1+d1+e1+c2+e2+c3+d3+e3 d2 sheep 11 boar 2 people 4",
]


def drawn(
    players: int, rounds: int, lies: str, people: str, majors: str = "", kind: str = "", **more: Any
) -> dict[str, Any]:
    """A position after some reveals, with a decision of this kind. more: parts of the decision, or of the position."""
    decision = {"kind": kind, "may_stop": False, "baked": 0, "stable_built": False, "crafted": []} if kind else None
    asked = {name: more.pop(name) for name in [*more] if decision and name in decision}
    told = {"phase": "work", "start_player": 0, "to_move": None, "decision": decision and decision | asked}
    farms = [farm(text) for text in TOLD[:players]] if rounds else [{}] * players
    people_of, cards = owners(people), REVEALED.split()[:rounds]
    return position(cards, farms, people_of, numbers(lies), owners(majors), **told | {"players": players} | more)


POSITIONS: Final = {
    "begin": drawn(2, 0, "", "", phase="reveal", start_player=1),
    "solo": drawn(
        1, 6, "wood 6 clay 3 reed 1 fishing 4 sheep 2 stone-a 1", "plow growth", "fireplace-2", "place", to_move=0,
    ),
    "two": drawn(
        2, 4, "wood 6 clay 1 fishing 1 sheep 3", "sow-bake grain:1 plow:1", "clay-oven well:1", "sow-bake", to_move=0,
        may_stop=True, baked=1,
    ),
    "three": drawn(
        3, 9, "wood 3 wood-2 4 clay-1 2 boar 3 stone-a 5", "", "joinery:2 pottery:2 hearth-4:1", "feed", to_move=2,
        may_stop=True, crafted=["wood", "clay"], phase="feeding", start_player=1,
    ),
    "four": drawn(
        4, 11, "wood 3 clay-2 4 travelling 3 cattle 1",
        "wood-1:3 reed-stone-food:1 two-resources:2 renovate-major:1 stable-bake major",
        "fireplace-3 stone-oven:1 well:1 basketmaker:3", "stable-bake", to_move=3, stable_built=True, may_stop=True,
        start_player=2,
    ),
    "five": drawn(
        5, 14, "wood-4 12 clay-3 9 reed-stone-wood 3 room-or-travelling 2 stone-b 4 fishing 11",
        "resources-or-growth:4 animals:1 rooms-stables renovate-fences:3 growth-no-room:2", "well:1 hearth-5 joinery:4",
        "resources-or-growth", to_move=4, start_player=4,
    ),
    "over": drawn(3, 14, "wood 6", "", "well:1 fireplace-2", phase="over"),
}  # fmt: skip
FARMS: Final[list[dict[str, Any]]] = POSITIONS["five"]["farms"]
