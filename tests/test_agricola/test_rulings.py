"""The worked cases of the rulings (cases.py), played with each implementation of the rules."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from tests.reference.agricola import PlainGame
from tests.test_agricola import cases, cases_farm
from tests.test_agricola.compiled import CompiledGame
from tests.test_agricola.laid import CARDS, Case, at, farm, numbers, owners

CASES = [*cases.CASES, *cases_farm.CASES]
Rules: TypeAlias = type[PlainGame] | type[CompiledGame]
AnyGame: TypeAlias = PlainGame | CompiledGame


@pytest.fixture(params=[PlainGame, CompiledGame], ids=["plain", "compiled"])
def rules(request: pytest.FixtureRequest) -> Rules:
    return request.param


def parted(texts: str) -> list[str]:
    return texts.split(", ") if texts else []


def carry_out(game: AnyGame, texts: str) -> None:
    """Reveal and play, each of which has to be possible."""
    for text in parted(texts):
        verb, _, what = text.partition(" ")
        if verb == "reveal":
            assert what in game.possible_cards(), text
            game.reveal(what)
        else:
            assert text in game.legal_texts(), text
            game.play(text)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_worked_case(case: Case, rules: Rules) -> None:
    game = rules.from_position(case.at, storehouse_solo=case.storehouse)
    carry_out(game, case.play)
    legal, there = game.legal_texts(), game.position()
    if case.legal is not None:
        assert legal == parted(case.legal)
    assert {*parted(case.offered)} <= {*legal}
    for text in parted(case.refused):
        with pytest.raises(ValueError, match="A"):
            game.play(text)
    assert game.position() == there, "a refused action changes nothing"
    told = there | {"kind": (there["decision"] or {}).get("kind")}
    assert {name: told[name] for name in numbers(case.then)} == numbers(case.then)
    for there_is, wanted in zip(there["farms"], map(farm, case.farms), strict=False):
        assert {name: there_is[name] for name in wanted} == wanted
    goods = {row["space"]: row["goods"] for row in there["spaces"]}
    assert {space: goods[space] for space in numbers(case.lies)} == numbers(case.lies)
    assert {column: game.scores()[0][column] for column in numbers(case.score)} == numbers(case.score)
    if case.owned is not None:
        assert {row["major"]: row["owner"] for row in there["majors"] if row["owner"] is not None} == owners(case.owned)


def test_the_names_of_the_cases_differ_and_each_asks_something() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    for case in CASES:
        assert case.legal or case.offered or case.refused or case.then or case.farms or case.lies or case.score


PRINTED = [
    "rooms-stables",
    "start-player",
    "grain",
    "plow",
    "stable-bake",
    "day-labourer",
    "wood",
    "clay",
    "reed",
    "fishing",
]
ON_CARDS = {
    1: "", 2: "", 3: "wood-2 clay-1 one-resource two-resources",
    4: "wood-1 wood-2 clay-2 two-resources travelling reed-stone-food",
    5: "wood-4 clay-3 reed-stone-wood animals room-or-travelling resources-or-growth",
}  # fmt: skip
FIRST = {
    "people": 2, "newborns": 0, "placed": 0, "begging": 0, "well": 0, "material": "wood", "rooms": ["a2", "a3"],
    "fields": [], "stables": [], "pastures": [],
} | dict.fromkeys(["wood", "clay", "reed", "stone", "grain", "vegetable", "sheep", "boar", "cattle"], 0)  # fmt: skip


@pytest.mark.parametrize("players", ON_CARDS)
def test_a1_a2_a3_a4_a5_a72_the_beginning(players: int, rules: Rules) -> None:
    begun = rules(players).position()
    assert (begun["players"], begun["round"], begun["phase"], begun["start_player"]) == (players, 0, "reveal", 0)
    assert [row["space"] for row in begun["spaces"]] == [*PRINTED, *ON_CARDS[players].split()]
    foods = [0] if players == 1 else [2, 3, 3, 3, 3][:players]
    assert begun["farms"] == [FIRST | {"food": food} for food in foods]
    assert all(row["goods"] == 0 and row["person"] is None for row in begun["spaces"])
    assert all(row["owner"] is None for row in begun["majors"])
    assert [score["total"] for score in begun["scores"]] == [-14] * players


def test_a6_a75_the_cards_of_each_stage(rules: Rules) -> None:
    stages = [4, 3, 2, 2, 2, 1]
    for came in range(14):
        end = next(sum(stages[:k]) for k in range(7) if sum(stages[:k]) > came)
        assert rules.from_position(at(phase="reveal", round=came)).possible_cards() == CARDS[came:end]
    assert rules.from_position(at()).possible_cards() == []


COSTS: list[tuple[str, str, int]] = [
    ("fireplace-2", "clay 2", 1), ("fireplace-3", "clay 3", 1), ("hearth-4", "clay 4", 1), ("hearth-5", "clay 5", 1),
    ("clay-oven", "clay 3 stone 1", 2), ("stone-oven", "clay 1 stone 3", 3), ("joinery", "wood 2 stone 2", 2),
    ("pottery", "clay 2 stone 2", 2), ("basketmaker", "reed 2 stone 2", 2), ("well", "wood 1 stone 3", 4),
]  # fmt: skip


@pytest.mark.parametrize(("major", "price", "points"), COSTS, ids=[row[0] for row in COSTS])
def test_a7_costs_and_points(major: str, price: str, points: int, rules: Rules) -> None:
    others = " ".join(f"{row[0]}:1" for row in COSTS if row[0] != major)
    game = rules.from_position(at(price, majors=others))
    carry_out(game, "to major")  # and it is bought, as there is no choice (A20)
    cost = numbers(price)
    assert [game.position()["farms"][0][good] for good in cost] == [0] * len(cost)
    assert game.scores()[0]["majors"] == points
    for good in cost:
        poorer = rules.from_position(at(f"{price} {good} {cost[good] - 1}", majors=others))
        assert "to major" not in poorer.legal_texts()


STEPS = {
    "grain": [-1, 1, 1, 1, 2, 2, 3, 3, 4, 4], "vegetables": [-1, 1, 2, 3, 4, 4],
    "sheep": [-1, 1, 1, 1, 2, 2, 3, 3, 4, 4], "boar": [-1, 1, 1, 2, 2, 3, 3, 4, 4], "cattle": [-1, 1, 2, 2, 3, 3, 4, 4],
    "fields": [-1, -1, 1, 2, 3, 4, 4], "pastures": [-1, 1, 2, 3, 4, 4],
}  # fmt: skip
CELLS = {"fields": "b1 c1 d1 e1 d2 e2", "pastures": "c2 d2 c3 d3 e3"}


@pytest.mark.parametrize("column", STEPS)
def test_a69_steps(column: str, rules: Rules) -> None:
    for number, points in enumerate(STEPS[column]):
        some = " ".join(CELLS.get(column, "").split()[:number])
        told = (
            f"{column} {some}"
            if column in CELLS
            else f"{column.rstrip('s') if column == 'vegetables' else column} {number}"
        )
        wide = "" if column in CELLS else "pastures c1+d1+e1+c2+d2+e2"
        assert rules.from_position(at(f"{told} {wide}")).scores()[0][column] == points, number


def test_a70_the_highest_total_wins_and_equal_ones_share(rules: Rules) -> None:
    rich = "fields b1:grain3 c1:grain3 people 3"
    end: dict[str, Any] = {"phase": "over", "round": 14}
    for farms, winners in ((["", rich, ""], [1]), ([rich, "", rich], [0, 2]), (["", ""], [0, 1]), ([rich], [0])):
        assert rules.from_position(at(*farms, players=len(farms), **end)).winners() == winners
    assert rules.from_position(at(rich, phase="reveal")).winners() == []
