"""Positions as JSON (A78): what contradicts itself or the rules is refused, and the message names the field."""

import re
from typing import Any

import pytest

from bohemian_env.agricola import Game
from bohemian_env.agricola.position import MOST
from bohemian_env.engine.errors import BadPosition, BadSetup
from tests.helpers import MISSING, altered
from tests.reference.agricola import PlainGame
from tests.test_agricola.laid import at

OWN = "rooms a1 a2 a3 fields b1:grain3 c1 stables e1 pastures d1+e1 e2 wood 3 sheep 8 people 3 newborns 1 well 2"
GOOD = at(OWN, "grain 2", round=7, people="growth:0 reed:1", majors="well hearth-4:1 pottery:1")
FEEDING = at("grain 1", "grain 2", round=7, phase="feeding", kind="feed", may_stop=True, to_move=1, majors="pottery:1")
SPACE = {row["space"]: number for number, row in enumerate(GOOD["spaces"])}
FIELD = {"cell": "b1", "crop": None, "number": 0}
#: Fifteen fences, and one more between d1 and d2.
WIDE = [["d1", "e1"], ["b2", "c2", "b3", "c3"], ["d2"]]


def farm(*path: str | int) -> tuple[str | int, ...]:
    """The place of a part of the first farm."""
    return ("farms", 0, *path)


def space(name: str, part: str) -> tuple[str | int, ...]:
    """The place of a part of a space."""
    return ("spaces", SPACE[name], part)


#: Where a position that was good is changed, to what, and what the message begins with.
TABLE: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("players",), 6, "players: 6 is not a whole number from 1 to 5"),
    (("players",), 3, "spaces: "),
    (("round",), 8, "cards: "),
    (("phase",), "over", "phase: over cannot be with round 7 (A18)"),
    (("phase",), "reveal", "spaces[8].person: seat 1, but all people are at home (A17)"),
    (("cards", 0), "growth", "cards[0]: growth does not come in round 1"),
    (space("grain", "goods"), 1, "spaces[2].goods: 1, but nothing is ever laid on grain"),
    (space("wood", "goods"), 2, "spaces[6].goods: 2, fewer than the 3 of this round"),
    (space("fishing", "person"), 1, "spaces[9].goods: 1, but seat 1 took all"),
    (("majors", 9, "owner"), None, "farms[0].well: 2 is not a whole number from 0 to 0"),
    (farm("newborns"), 2, "farms[0]: 3 people, 2 newborns and 1 placed cannot be"),
    (farm("rooms"), ["a1", "a2"], "farms[0].rooms: a1, a2 cannot be so"),
    (farm("rooms"), ["a2", "a3", "f1"], "farms[0].rooms[2]: 'f1' is none of a1"),
    (farm("fields", 1, "cell"), "b1", "farms[0].fields[1].cell: b1 comes twice"),
    (farm("stables"), ["a2"], "farms[0].stables: a2 cannot be so"),
    (farm("pastures"), [["d1", "e1"], ["e1", "e2"]], "farms[0].pastures: they overlap"),
    (
        farm("pastures"),
        [["c1", "d1"], ["e1"]],
        "farms[0].pastures: they overlap, or have cells that no fence can close",
    ),
    (farm("pastures"), [["d1", "e1"], ["c3"]], "farms[0].pastures: they do not touch (A45)"),
    (farm("pastures"), WIDE, "farms[0].pastures: they take 16 fences, more than 15 (A43)"),
    (farm("pastures"), [["e2"], ["d1", "e1"]], "farms[0].pastures[0]"),
    (farm("sheep"), 12, "farms[0]: its animals do not fit (A56)"),
    (("decision", "kind"), "feed", "decision.kind: feed is not asked in phase work"),
    (("decision", "kind"), "plow", "decision.kind: no person of seat 0 is on a space that asks for plow"),
    (("decision", "may_stop"), True, "decision.may_stop: True cannot be in place"),
    (("decision", "stable_built"), True, "decision.stable_built: true cannot be"),
    (("decision", "crafted"), ["clay"], "decision.crafted: seat 0 cannot have crafted clay in place"),
    (("scores", 0, "total"), 0, "scores[0].total: 0; the rest gives"),
]
FED: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("phase",), "work", "spaces[1].goods: 0, fewer than the 1 of this round"),
    (("phase",), "over", "phase: over cannot be with round 7"),
    (("decision", "may_stop"), False, "decision.may_stop: False cannot be in feed"),
    (("decision", "crafted"), ["wood"], "decision.crafted: seat 1 cannot have crafted wood"),
    (("farms", 1, "grain"), 0, "decision: seat 1 has fewer than two legal actions, so that it is not asked (A20)"),
]


def names(table: list[tuple[tuple[str | int, ...], Any, str]]) -> list[str]:
    return [f"{'.'.join(map(str, path))} {'missing' if value is MISSING else value}"[:60] for path, value, _ in table]


WRONG = [*((GOOD, *row) for row in TABLE), *((FEEDING, *row) for row in FED)]


@pytest.mark.parametrize(("good", "path", "value", "told"), WRONG, ids=[*names(TABLE), *names(FED)])
def test_a78_what_is_wrong_is_named(good: dict[str, Any], path: tuple[str | int, ...], value: Any, told: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(told)):
        Game.from_position(altered(good, (path, value)))


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (at("clay 2", kind="major"), "decision: seat 0 has fewer than two legal actions"),
        (at("fields b1 c1", kind="sow-bake"), "decision: seat 0 has fewer than two legal actions"),
        (at("grain 1 vegetable 1", players=5, kind="pay"), "decision.kind: pay is not asked of a seat with food (A26)"),
        (at("sheep 1 boar 1 stables e1", kind="keep"), "decision.kind: keep is not asked where the animals fit"),
        (at("", people="clay:0 reed:0"), "to_move: seat 0 has no person at home (A11)"),
        (at("wood 9 sheep 3", kind="build"), "farms[0]: its animals do not fit"),
        (at("wood 9 clay 2 sheep 3", "boar 3", round=14, kind="fences"), "farms[1]: its animals do not fit"),
        (at("sheep 2", phase="reveal"), "farms[0]: its animals do not fit"),
        (at("", phase="reveal", round=14), "phase: reveal cannot be with round 14"),
        (at("", phase="over", round=13), "phase: over cannot be with round 13"),
        (at("grain 1", phase="feeding", kind="feed", may_stop=True, round=6), "phase: feeding cannot be with round 6"),
        (at("", round=0), "phase: work cannot be with round 0"),
        (at("wood 2", kind="build", stable_built=True, may_stop=True), "decision.stable_built: true cannot be"),
        (at("", players=1, lies="start-player 1"), "spaces[1].goods: 1, but nothing is ever laid on start-player"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a78_what_cannot_be_asked_is_refused(told: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(wrong)):
        Game.from_position(told)


@pytest.mark.parametrize("told", [GOOD, FEEDING, at(phase="reveal", round=0), at(phase="over", round=14)])
def test_a78_positions_of_every_phase_are_read(told: dict[str, Any]) -> None:
    game = Game.from_position(told)
    assert game.position() == told
    assert (game.needs_chance, game.over) == (told["phase"] == "reveal", told["phase"] == "over")
    assert bool(game.legal_moves) == (told["phase"] in ("work", "feeding"))


def test_a48_animals_need_not_fit_while_fences_are_built() -> None:
    game = Game.from_position(at("wood 9 sheep 3", kind="fences", may_stop=True))
    assert game.push("fence e1").push("done").position()["farms"][0]["sheep"] == 3


def test_a10_storehouse_solo_is_told_beside_the_position() -> None:
    told = at(players=1, phase="reveal", lies="start-player 4", round=8)
    with pytest.raises(BadPosition, match=re.escape("spaces[1].goods: 4")):
        Game.from_position(told)
    game = Game.from_position(told, storehouse_solo=True)
    assert game.position() == told
    assert game.deal("boar").position()["spaces"][1]["goods"] == 5
    with pytest.raises(BadSetup, match="storehouse_solo True: expected 1 player, got 2"):
        Game.from_position(GOOD, storehouse_solo=True)


OTHERS = "clay:1 reed:2 fishing:3 grain:1 plow:2 travelling:3"
PILES = at(f"wood {MOST} people 3", players=4, people=OTHERS, lies=f"wood {MOST} wood-1 {MOST} wood-2 {MOST}")
SACKS = at(f"grain {MOST} food {MOST}", kind="bake", may_stop=True, majors="fireplace-2 clay-oven")


MANY = {"wood": (PILES, ["to wood", "to wood-1", "to wood-2"]), "grain": (SACKS, ["bake"] * MOST)}


@pytest.mark.parametrize(("told", "actions"), MANY.values(), ids=MANY)
def test_the_most_that_a_position_may_tell_is_counted_on_rightly(told: dict[str, Any], actions: list[str]) -> None:
    plain, compiled = PlainGame.from_position(told), Game.from_position(told)
    for text in actions:
        plain.play(text)
        compiled = compiled.push(text)
    assert compiled.position() == plain.position()
    with pytest.raises(BadPosition, match=re.escape("farms[0].wood: 1000 is not")):
        Game.from_position(altered(GOOD, (farm("wood"), 1000)))
