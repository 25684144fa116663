"""The worked cases of the rulings (cases.py), played with each implementation of the rules."""

from typing import Any, TypeAlias

import pytest

from tests.reference.agricola import PlainGame
from tests.test_agricola.cases import CASES
from tests.test_agricola.compiled import CompiledGame
from tests.test_agricola.laid import CARDS, at, crowded, farm, numbers, owners

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


def setup_of(text: str) -> tuple[dict[str, Any], bool]:
    """The position of a case, and whether the storehouse fills in solo."""
    farms, told = list[str](), dict[str, Any]()
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = part.partition(" ")
        if name == "harvest":
            told |= {"round": int(value or 4), "phase": "feeding", "kind": "feed", "may_stop": True}
        elif name == "last":
            told["people"] = "clay:0 reed:1 fishing:1"
        elif name in ("players", "round", "to_move", "start_player"):
            told[name] = int(value)
        elif name in ("kind", "phase", "lies", "majors", "on", "free", "home", "storehouse"):
            told["people" if name == "on" else name] = value
        else:
            farms = part.split("/")
    storehouse = told.pop("storehouse", None) is not None
    if "free" in told:
        told["people"] = crowded(told.pop("free"), told.get("round", 6), (*map(int, told.pop("home").split()),))
    return at(*farms, **told), storehouse


def check(game: AnyGame, text: str) -> None:
    """Check what is so now."""
    legal, there = game.legal_texts(), game.position()
    told = there | {"kind": (there["decision"] or {}).get("kind")}
    for part in map(str.strip, text.split(";")):
        name, _, value = part.partition(" ")
        if name == "legal":
            assert legal == parted(value)
        elif name == "offered":
            assert {*parted(value)} <= {*legal}
        elif name == "refused":
            for refused in parted(value):
                with pytest.raises(ValueError, match="A"):
                    game.play(refused)
            assert game.position() == there, "a refused action changes nothing"
        elif name == "then":
            assert {key: told[key] for key in numbers(value)} == numbers(value)
        elif name == "lies":
            goods = {row["space"]: row["goods"] for row in there["spaces"]}
            assert {space: goods[space] for space in numbers(value)} == numbers(value)
        elif name == "score":
            assert {column: game.scores()[0][column] for column in numbers(value)} == numbers(value)
        elif name == "owned":
            assert {row["major"]: row["owner"] for row in there["majors"] if row["owner"] is not None} == owners(value)
        else:
            for own, wanted in zip(there["farms"], map(farm, part.split("/")), strict=False):
                assert {key: own[key] for key in wanted} == wanted


@pytest.mark.parametrize("case", CASES, ids=[case.partition(" |")[0] for case in CASES])
def test_worked_case(case: str, rules: Rules) -> None:
    _, setup, actions, told = map(str.strip, case.split("|"))
    assert told, "a case asks something"
    there, storehouse = setup_of(setup)
    game = rules.from_position(there, storehouse_solo=storehouse)
    carry_out(game, actions)
    check(game, told)


def test_the_names_of_the_cases_differ() -> None:
    assert len({case.partition(" |")[0] for case in CASES}) == len(CASES)


PRINTED = "rooms-stables start-player grain plow stable-bake day-labourer wood clay reed fishing"
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
    assert [row["space"] for row in begun["spaces"]] == f"{PRINTED} {ON_CARDS[players]}".split()
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
        good, wide = column.replace("vegetables", "vegetable"), "pastures c1+d1+e1+c2+d2+e2"
        told, wide = (f"{column} {some}", "") if column in CELLS else (f"{good} {number}", wide)
        assert rules.from_position(at(f"{told} {wide}")).scores()[0][column] == points, number


def test_a70_the_highest_total_wins_and_equal_ones_share(rules: Rules) -> None:
    rich = "fields b1:grain3 c1:grain3 people 3"
    end: dict[str, Any] = {"phase": "over", "round": 14}
    for farms, winners in ((["", rich, ""], [1]), ([rich, "", rich], [0, 2]), (["", ""], [0, 1]), ([rich], [0])):
        assert rules.from_position(at(*farms, players=len(farms), **end)).winners() == winners
    assert rules.from_position(at(rich, phase="reveal")).winners() == []
