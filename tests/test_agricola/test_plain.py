"""The plain rules of Agricola by themselves: numbers to check against, worked cases, rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.reference.agricola import ACTIONS, NUMBER, SPACES, PlainGame
from tests.reference.agricola_farm import DATA, SETS, Farm, closed, closings, fences_of

CHECK = DATA["check"]
CARDS = [space for space, row in SPACES.items() if "stage" in row]
HARMLESS = ["to start-player", "to clay", "to reed", "to fishing", "to wood", "done"]


def laid(
    *farms: Mapping[str, Any],
    kind: str = "place",
    cards: Sequence[str] = CARDS[:1],
    taken: Sequence[str] = (),
    majors: Mapping[str, int] | None = None,
    phase: str = "work",
    **decision: Any,
) -> PlainGame:
    """A game in which seat 0 decides: what is told of the farms, else as at the beginning; two wood lie on `wood`."""
    position = PlainGame(len(farms)).position()
    position |= {"round": len(cards), "phase": phase, "cards": list(cards)}
    if phase != "reveal":
        pending = {"kind": kind, "may_stop": False, "baked": 0, "stable_built": False, "crafted": []}
        position |= {"to_move": 0, "decision": pending | decision}
    position["spaces"] += [{"space": card, "goods": 0, "person": None} for card in CARDS if card in cards]
    for row in position["spaces"]:
        row["person"] = 0 if row["space"] in taken else None
        row["goods"] = 2 if row["space"] == "wood" else row["goods"]
    for row in position["majors"]:
        row["owner"] = (majors or {}).get(row["major"])
    for seat, farm in enumerate(farms):
        position["farms"][seat] |= farm
    return PlainGame.from_position(position)


def choices(game: PlainGame, verb: str) -> list[str]:
    """What follows the verb in the legal actions."""
    return [text.removeprefix(verb).strip() for text in game.legal_texts() if text.split()[0] == verb]


def farm_of(game: PlainGame, seat: int = 0) -> dict[str, Any]:
    """The farm of a seat as its position lists it."""
    return game.position()["farms"][seat]


def fields(*crops: str | None) -> list[dict[str, Any]]:
    """Fields from b1 on; a crop is newly sown."""
    number = {"grain": 3, "vegetable": 2, None: 0}
    return [{"cell": f"{c}1", "crop": crop, "number": number[crop]} for c, crop in zip("bcde", crops, strict=False)]


def play_rounds(game: PlainGame, last: int) -> None:
    """Play harmless actions until so many rounds are over."""
    while len(game.cards) < last or game.phase not in ("reveal", "over"):
        if game.phase == "reveal":
            game.reveal(game.possible_cards()[0])
        else:
            game.play(next(text for text in HARMLESS if text in game.legal_texts()))


# Numbers


def test_a76_numbers_of_the_actions() -> None:
    begins = {0: "to rooms-stables", 9: "to fishing", 10: "to wood-1", 23: "to resources-or-growth", 24: "to sow-bake"}
    begins |= {37: "to renovate-fences", 38: "take wood", 41: "take stone", 48: "take sheep", 51: "room a1"}
    begins |= {64: "stable a1", 77: "plow a1", 89: "plow e3", 90: "sow grain", 92: "bake", 93: "buy fireplace-2"}
    begins |= {102: "buy well", 107: "cook sheep", 110: "give sheep", 113: "eat grain", 115: "craft wood"}
    begins |= {118: "take food", 119: "grow", 120: "done", 121: "fence a1", 133: "fence e3", 134: "fence a1 b1"}
    assert {number: ACTIONS[number] for number in begins} == begins
    assert ACTIONS[42:48] == [f"take {pair}" for pair in (
        "wood clay", "wood reed", "wood stone", "clay reed", "clay stone", "reed stone")]  # fmt: skip
    assert ACTIONS[103:107] == [f"buy hearth-{h} for fireplace-{f}" for h in (4, 5) for f in (2, 3)]
    assert len(ACTIONS) == len(NUMBER) == CHECK["actions"]


def test_a44_sets() -> None:
    assert len(SETS) == CHECK["pasture_sets"]
    by_size = Counter(map(len, SETS))
    assert [by_size[size] for size in range(1, 13)] == CHECK["pasture_sets_by_size"]


def test_a47_layouts() -> None:
    seen, todo = {frozenset[Any]()}, [frozenset[Any]()]
    while todo:
        pastures = todo.pop()
        left = DATA["farm"]["fences"] - len(fences_of(pastures))
        for cells, price in closings(pastures).items():
            after = closed(pastures, cells)
            if price <= left and after not in seen:
                assert len(fences_of(after)) == len(fences_of(pastures)) + price
                seen.add(after)
                todo.append(after)
    by_number = Counter(map(len, seen))
    assert [by_number[number] for number in range(1, max(by_number) + 1)] == CHECK["layouts_by_pastures"]


def test_a6_orders_of_the_cards() -> None:
    orders = 1
    game = PlainGame()
    while game.phase != "over":
        orders *= len(game.possible_cards())
        game.reveal(game.possible_cards()[-1])
        play_rounds(game, len(game.cards))
    assert orders == 1152


# Worked cases


def test_a69_ilka() -> None:
    farm = {"grain": 4, "vegetable": 2, "sheep": 1, "boar": 6, "cattle": 3, "people": 3, "material": "clay"}
    farm |= {"rooms": ["a1", "a2", "b2", "a3"], "fields": fields(None, None, None), "stables": ["e3"]}
    farm |= {"pastures": [["e2"], ["c3", "d3"], ["e3", "d2"]]}
    score = laid(farm, {}).scores()[0]
    assert score == {
        "fields": 2, "pastures": 3, "grain": 2, "vegetables": 2, "sheep": 1, "boar": 3, "cattle": 2, "unused": -3,
        "fenced_stables": 1, "rooms": 4, "people": 9, "majors": 0, "bonus": 0, "begging": 0, "total": 26,
    }  # fmt: skip


def test_a72_score_at_the_start() -> None:
    assert [score["total"] for score in PlainGame(3).scores()] == [-14, -14, -14]


def test_a69_crops_on_fields_majors_and_their_bonus() -> None:
    farm = {"wood": 7, "clay": 4, "reed": 1, "fields": fields("grain", "grain"), "begging": 2}
    score = laid(farm, {}, majors={"joinery": 0, "pottery": 0, "basketmaker": 0, "well": 1}).scores()[0]
    assert (score["grain"], score["majors"], score["bonus"], score["begging"]) == (3, 6, 3 + 1, -6)


def test_a55_two_cells_with_a_stable() -> None:
    farm = Farm(stables=frozenset({"e1"}), pastures=frozenset({frozenset({"d1", "e1"})}))
    assert [farm.capacity(pasture) for pasture in farm.pastures] == [8]
    farm.pastures = closed(farm.pastures, frozenset({"e1"}))
    assert sorted(farm.capacity(pasture) for pasture in farm.pastures) == [2, 4]
    farm = Farm(stables=frozenset({"d1", "e1"}), pastures=frozenset({frozenset({"d1", "e1"})}))
    assert [farm.capacity(pasture) for pasture in farm.pastures] == [16]


def test_a43_three_pastures_in_a_square() -> None:
    square = frozenset({frozenset({"d1"}), frozenset({"e1"}), frozenset({"d2", "e2"})})
    assert len(fences_of(square)) == 11


@pytest.mark.parametrize(
    ("farm", "price"),
    [
        ({"rooms": ["b2", "a2", "a3"], "clay": 3, "reed": 1}, {"clay": 3, "reed": 1}),
        ({"rooms": ["a1", "b2", "a2", "a3"], "material": "clay", "stone": 4, "reed": 1}, {"stone": 4, "reed": 1}),
    ],
)
def test_a33_price_of_renovating(farm: dict[str, Any], price: dict[str, int]) -> None:
    for good in price:
        poorer = laid({**farm, good: farm[good] - 1}, {}, cards=CARDS[:7])
        assert "to renovate-major" not in poorer.legal_texts()
    game = laid(farm, {}, cards=CARDS[:7])
    game.play("to renovate-major")  # nothing is affordable then: `done` by A20
    assert farm_of(game)["material"] != farm.get("material", "wood")
    assert all(farm_of(game)[good] == 0 for good in price)
    assert (game.to_move, game.decision["kind"]) == (1, "place")


def test_a39_a60_grain_and_vegetable_in_two_harvests() -> None:
    game = laid({"grain": 1, "vegetable": 1, "fields": fields(None, None), "food": 20}, cards=CARDS[:3], phase="reveal")
    game.reveal("fences")
    game.play("to sow-bake")
    game.play("sow vegetable")  # `sow grain` is optional; `done` is legal
    game.play("sow grain")
    assert [(row["crop"], row["number"]) for row in farm_of(game)["fields"]] == [("vegetable", 2), ("grain", 3)]
    play_rounds(game, 4)
    assert (farm_of(game)["grain"], farm_of(game)["vegetable"]) == (1, 1)
    play_rounds(game, 7)
    assert (farm_of(game)["grain"], farm_of(game)["vegetable"]) == (2, 2)
    assert [(row["crop"], row["number"]) for row in farm_of(game)["fields"]] == [(None, 0), ("grain", 1)]


def test_a37_growth_without_room_then_a_room() -> None:
    farm = {"people": 3, "wood": 5, "reed": 2}
    game = laid(farm, {}, cards=CARDS[:7])
    assert "to growth" not in game.legal_texts()
    game.play("to rooms-stables")
    game.play("room a1")
    assert "growth" not in game.legal_spaces(0)
    assert "growth" in laid({"rooms": ["a1", "a2", "a3"]}, {}, cards=CARDS[:7]).legal_spaces(0)


# Rulings


def test_a4_a10_setup() -> None:
    assert [farm["food"] for farm in PlainGame(3).position()["farms"]] == [2, 3, 3]
    for storehouse, food in ((False, 0), (True, 1)):
        game = PlainGame(1, storehouse_solo=storehouse)
        game.reveal("sheep")
        goods = {row["space"]: row["goods"] for row in game.position()["spaces"]}
        assert (goods["start-player"], goods["wood"], goods["sheep"], goods["grain"]) == (food, 2, 1, 0)
        assert game.record().get("storehouse_solo") == (True if storehouse else None)
    with pytest.raises(ValueError, match="A10"):
        PlainGame(2, storehouse_solo=True)
    with pytest.raises(ValueError, match="A1"):
        PlainGame(6)


def test_a5_spaces_by_number_of_players() -> None:
    for players, cards in ((1, 0), (2, 0), (3, 4), (4, 6), (5, 6)):
        assert len(PlainGame(players).position()["spaces"]) == 10 + cards


def test_a12_a_seat_without_a_legal_space_is_passed_over() -> None:
    always = ["start-player", "grain", "day-labourer", "clay", "reed", "fishing", "plow"]
    game = laid({"wood": 2}, {}, taken=[*always, "wood"])
    assert game.legal_texts() == ["to rooms-stables", "to stable-bake"]
    game.play("to stable-bake")
    assert (game.phase, game.to_move) == ("work", 0)  # which builds: neither seat has a space after that
    game.play("stable b1")
    assert game.phase == "reveal"
    assert game.position()["round"] == 1


def test_a12_a_seat_passed_over_is_looked_at_again() -> None:
    farm = {"wood": 2, "clay": 2, "reed": 1}
    game = laid(farm, {"clay": 2}, {}, cards=CARDS[:7], majors={"fireplace-2": 0})
    game.person = {space: 0 for space in game.goods if space not in ("major", "rooms-stables", "renovate-major")}
    game.farms[0].people = 3
    game.play("to rooms-stables")
    game.play("stable b1")  # no wood is left, so `done`; the seats 1 and 2 have no space
    assert (game.to_move, game.legal_texts()) == (0, ["to major", "to renovate-major"])
    game.play("to renovate-major")
    game.play("buy hearth-5 for fireplace-2")  # which seat 1 now buys: A20
    assert game.owner == {"hearth-5": 0, "fireplace-2": 1}
    assert game.phase == "reveal"  # in the harvest nobody had a choice either
    assert [farm["begging"] for farm in game.position()["farms"]] == [4, 1, 1]


def test_a16_the_marker_changes_hands_at_once_and_the_order_goes_on() -> None:
    game = PlainGame(3)
    game.reveal("sheep")
    game.play("to grain")
    game.play("to start-player")
    assert (game.start_player, game.to_move) == (1, 2)
    for _ in range(4):
        game.play(next(text for text in [*HARMLESS, "to sheep"] if text in game.legal_texts()))
    game.reveal("fences")
    assert game.to_move == 1


def test_a14_fences_need_wood_for_a_closing() -> None:
    fences = CARDS[:4]
    assert "to fences" not in laid({"wood": 3}, {}, cards=fences).legal_texts()
    assert "to fences" in laid({"wood": 4}, {}, cards=fences).legal_texts()
    pastures = [["d1", "e1"]]
    assert "to fences" in laid({"wood": 1, "pastures": pastures}, {}, cards=fences).legal_texts()  # a division
    assert "to fences" not in laid({"wood": 1, "pastures": [["e1"]]}, {}, cards=fences).legal_texts()


def test_a45_a46_what_can_be_closed() -> None:
    game = laid({"wood": 15, "pastures": [["d1", "e1"]]}, {}, kind="fences")
    fenced = choices(game, "fence")
    assert {"e1", "e2", "d2", "c1", "d2 e2"} <= set(fenced)
    assert not {"d1", "d1 e1", "e1 e2", "b1", "e3"} & set(fenced)
    # What is left of a divided pasture is in two parts: no other set puts up these fences, first cell or not.
    game = laid({"wood": 15, "pastures": [["b1", "c1", "d1", "c2"]]}, {}, kind="fences")
    fenced = choices(game, "fence")
    assert {"c1", "b1 c1", "d1", "c2", "c1 d1", "c1 c2", "c1 d1 c2"} <= set(fenced)
    assert not {"b1", "b1 c1 d1", "b1 c1 c2"} & set(fenced)
    game.play("fence b1 c1")
    assert farm_of(game)["pastures"] == [["b1", "c1"], ["d1"], ["c2"]]
    assert farm_of(game)["wood"] == 13


def test_a44_rooms_and_fields_are_never_enclosed() -> None:
    game = laid({"wood": 15, "fields": fields(None), "rooms": ["a1", "a2", "a3"], "stables": ["c1"]}, {}, kind="fences")
    cells = {cell for text in choices(game, "fence") for cell in text.split()}
    assert not {"a1", "b1"} & cells
    assert "c1" in cells


def test_a43_fifteen_fences() -> None:
    pastures = [["b2", "c2", "b3", "c3"], ["d1", "e1", "d2"]]  # 15 fences
    assert len(fences_of(frozenset(map(frozenset, pastures)))) == 15
    assert "to fences" not in laid({"wood": 9, "pastures": pastures}, {}, cards=CARDS[:4]).legal_texts()


def test_a48_animals_are_looked_at_when_the_fencing_ends() -> None:
    farm = {"wood": 2, "sheep": 9, "stables": ["e1"], "pastures": [["d1", "e1"]]}
    game = laid(farm, {}, kind="fences")
    game.play("fence e1")  # one wood is left, and nothing to close for it: room for 4, 2 and 1
    assert game.decision["kind"] == "place"
    assert farm_of(game)["sheep"] == 7
    boar = {**farm, "boar": 1, "sheep": 8}
    game = laid(boar, {}, kind="fences")
    game.play("fence e1")
    assert (game.decision["kind"], game.legal_texts()) == ("keep", ["give sheep", "give boar"])
    game.play("give boar")
    assert (farm_of(game)["sheep"], farm_of(game)["boar"]) == (7, 0)
    cooking = laid(boar, {}, kind="fences", majors={"fireplace-3": 0})
    cooking.play("fence e1")
    assert cooking.legal_texts() == ["cook sheep", "cook boar"]  # A57


def test_a26_cattle_without_food() -> None:
    farm = {"food": 0, "grain": 1, "vegetable": 1}
    four: list[dict[str, Any]] = [{}] * 4
    game = laid(farm, *four, kind="animal")
    game.play("take cattle")
    assert (game.decision["kind"], game.legal_texts()) == ("pay", ["eat grain", "eat vegetable"])
    game.play("eat vegetable")
    assert (farm_of(game)["food"], farm_of(game)["cattle"], game.to_move) == (0, 1, 1)
    assert laid({"food": 0, "sheep": 1}, *four, kind="animal").legal_texts() == ["take sheep", "take boar"]
    game = laid({"food": 0, "sheep": 1}, *four, kind="animal", majors={"hearth-4": 0})
    game.play("take cattle")  # one sheep can be cooked, nothing else: A20
    assert [farm_of(game)[good] for good in ("food", "sheep", "cattle")] == [1, 0, 1]


def test_a27_a_room_without_its_price() -> None:
    game = laid({}, *[{}] * 4)
    game.goods["room-or-travelling"] = 3
    game.play("to room-or-travelling")
    assert (farm_of(game)["food"], game.to_move) == (5, 1)
    game = laid({"wood": 5, "reed": 2}, *[{}] * 4)
    game.goods["room-or-travelling"] = 3
    game.play("to room-or-travelling")
    assert game.legal_texts() == ["room a1", "room b2", "room b3", "take food"]
    game.play("room b3")
    assert game.goods["room-or-travelling"] == 3


def test_a28_growth_on_the_card_needs_round_five_and_room() -> None:
    for cards, rooms, grows in ((4, 3, False), (5, 2, False), (5, 3, True)):
        farm = {"rooms": ["a1", "a2", "a3"][3 - rooms :]}
        game = laid(farm, *[{}] * 4, kind="resources-or-growth", cards=CARDS[:cards])
        assert ("grow" in game.legal_texts()) == grows
        assert len(game.legal_texts()) == 6 + grows


def test_a31_a38_a42_where_to_build_and_plow() -> None:
    farm = {"wood": 20, "reed": 4, "stables": ["b3"], "fields": fields(None), "pastures": [["d2"]]}
    assert choices(laid(farm, {}, kind="build"), "room") == ["a1", "b2"]
    assert choices(laid(farm, {}, kind="build"), "stable") == [
        "a1", "c1", "d1", "e1", "b2", "c2", "d2", "e2", "c3", "d3", "e3",
    ]  # fmt: skip
    assert choices(laid(farm, {}, kind="plow"), "plow") == ["a1", "c1", "b2"]
    assert choices(laid({}, {}, kind="plow"), "plow") == [text.split()[1] for text in ACTIONS[77:90]]
    four = {**farm, "stables": ["b3", "c3", "d3", "e3"]}
    assert choices(laid(four, {}, kind="build"), "stable") == []


def test_a40_plow_first() -> None:
    game = laid({"grain": 2, "fields": fields(None, None)}, {}, kind="plow-sow")
    game.play("sow grain")
    assert game.legal_texts() == ["sow grain", "done"]


def test_a50_a_hearth_for_a_fireplace() -> None:
    game = laid({"clay": 2}, {"clay": 2}, kind="major", majors={"fireplace-3": 0, "hearth-4": 1})
    assert game.legal_texts() == ["buy fireplace-2", "buy hearth-5 for fireplace-3"]
    game.play("buy hearth-5 for fireplace-3")
    assert (game.owner, farm_of(game)["clay"]) == ({"hearth-4": 1, "hearth-5": 0}, 2)


def test_a52_the_best_rates_first() -> None:
    majors = {"fireplace-2": 0, "clay-oven": 0, "stone-oven": 0, "hearth-5": 0}
    game = laid({"grain": 6, "food": 0}, {}, kind="bake", may_stop=True, majors=majors)
    food: list[int] = []
    for _ in range(6):
        game.play("bake")
        food.append(farm_of(game)["food"] - sum(food))
    assert food == [5, 4, 4, 3, 3, 3]
    ovens = laid({"grain": 6}, {}, kind="bake", may_stop=True, majors={"clay-oven": 0})
    ovens.play("bake")
    assert (farm_of(ovens)["grain"], ovens.to_move) == (5, 1)


def test_a53_bake_after_buying_an_oven() -> None:
    for major, bakes in (("clay-oven", True), ("stone-oven", True), ("fireplace-2", False), ("pottery", False)):
        game = laid({"clay": 9, "stone": 9, "grain": 1}, {}, kind="major")
        game.play(f"buy {major}")
        assert (game.decision["kind"] == "bake") == bakes
    game = PlainGame()
    game.reveal("major")
    game.farms[0].goods |= {"clay": 3, "stone": 1}
    game.play("to major")
    game.play("buy clay-oven")
    assert game.record()["rounds"][0]["work"] == ["0 to major", "0 buy clay-oven", "0 done"]


def test_a54_the_well() -> None:
    for cards, rounds in ((2, 5), (9, 5), (11, 3), (14, 0)):
        game = laid({"wood": 1, "stone": 3}, {}, kind="major", cards=CARDS[:cards])
        game.play("buy well")
        assert farm_of(game)["well"] == rounds
    game = laid({"well": 2}, {}, phase="reveal")
    game.reveal("major")
    assert (farm_of(game)["well"], farm_of(game)["food"]) == (1, 3)


def test_a61_a63_feeding_and_begging() -> None:
    farm = {"food": 3, "people": 4, "newborns": 1, "vegetable": 1, "sheep": 1, "wood": 2}
    majors = {"fireplace-2": 0, "joinery": 0}
    game = laid(farm, {}, kind="feed", phase="feeding", may_stop=True, cards=CARDS[:4], majors=majors)
    assert game.legal_texts() == ["cook sheep", "eat vegetable", "craft wood", "done"]
    game.play("craft wood")
    assert game.decision["crafted"] == ["wood"]
    assert game.legal_texts() == ["cook sheep", "eat vegetable", "done"]
    game.play("eat vegetable")  # 7 are needed and there: no more crops, the sheep may be cooked
    assert game.legal_texts() == ["cook sheep", "done"]
    begging = laid(farm, {"food": 9}, kind="feed", phase="feeding", may_stop=True, cards=CARDS[:4], majors=majors)
    begging.play("done")
    assert (farm_of(begging)["food"], farm_of(begging)["begging"]) == (0, 4)
    assert (begging.phase, farm_of(begging, 1)["food"]) == ("reveal", 5)
    solo = laid({"food": 9, "people": 3, "newborns": 1, "grain": 1}, kind="feed", phase="feeding", may_stop=True)
    solo.play("done")
    assert farm_of(solo)["food"] == 2


def test_a65_a66_breeding() -> None:
    pastures = [["e1"], ["e2"]]
    farm = {"food": 9, "sheep": 2, "boar": 2, "grain": 1, "pastures": pastures}
    majors = {"fireplace-2": 0, "pottery": 0}
    last: dict[str, Any] = {"kind": "feed", "phase": "feeding", "may_stop": True, "cards": CARDS[:4], "majors": majors}
    game = laid(farm, {"food": 9, "cattle": 1}, **last)
    game.play("done")
    assert (game.phase, game.to_move, game.legal_texts()) == ("breeding", 0, ["give sheep", "give boar"])
    assert (farm_of(game)["sheep"], farm_of(game)["boar"]) == (3, 3)
    game.play("give boar")
    assert (game.phase, farm_of(game, 1)["cattle"]) == ("reveal", 1)


def test_a64_feeding_and_breeding_begin_at_the_marker() -> None:
    hungry = {"food": 1, "grain": 2, "sheep": 2}
    game = laid(hungry, hungry, {**hungry, "sheep": 1}, cards=CARDS[:4])
    for farm in game.farms:
        farm.people, farm.placed = 1, 1
    game.farms[0].placed = 0
    game.start_player = 1
    game.farms[0].goods["boar"] = game.farms[1].goods["boar"] = 2
    game.farms[0].pastures = game.farms[1].pastures = frozenset({frozenset({"e1", "d1"})})
    seats = []
    game.play("to grain")
    while game.phase != "reveal":
        seats.append((game.phase, game.to_move))
        game.play("done" if game.phase == "feeding" else "give sheep")
    assert seats == [
        ("feeding", 1), ("feeding", 2), ("feeding", 0), *[("breeding", 1)] * 2, *[("breeding", 0)] * 2,
    ]  # fmt: skip


def test_a69_newborns_are_people_until_the_next_round() -> None:
    game = laid({"rooms": ["a1", "a2", "a3"]}, {}, cards=CARDS[:7])
    game.play("to growth")
    assert (farm_of(game)["people"], farm_of(game)["newborns"], game.scores()[0]["people"]) == (3, 1, 9)
    play_rounds(game, 7)
    assert (farm_of(game)["newborns"], farm_of(game)["placed"]) == (1, 0)
    game.reveal("vegetable")
    assert (farm_of(game)["people"], farm_of(game)["newborns"]) == (3, 0)
    assert game.farms[0].at_home == 3


def test_wrong_calls() -> None:
    game = PlainGame()
    before = game.position()
    for wrong in ("to grain", "done"):
        with pytest.raises(ValueError, match="A77"):
            game.play(wrong)
    with pytest.raises(ValueError, match="A75"):
        game.reveal("growth")
    assert game.position() == before
    game.reveal("sheep")
    with pytest.raises(ValueError, match="A75"):
        game.reveal("fences")
    with pytest.raises(ValueError, match="A77"):
        game.play("to growth")
    with pytest.raises(ValueError, match="A79"):
        PlainGame.from_position(before).record()
