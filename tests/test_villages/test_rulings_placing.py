"""The rulings on placing figures, clause by clause: R9 to R12 and R16 to R20."""

from __future__ import annotations

from typing import Any

import pytest

from bohemian_env import Game
from tests.helpers import VILLAGES, building, game_at, play, spread


def moves_to(game: Game, way: str, kind: str) -> list[str]:
    """The villages in which this way of using the dice can be placed on this kind."""
    return sorted(move.split("@")[1] for move in game.legal_moves if move.startswith(f"{way}:{kind}@"))


THREE = ("Ebersgrun", "Lobotitz", "Nenbrad")  # each with a farm, an inn, a town hall and a church

ALWAYS = [("farm", "3+5", (1, 1, 3, 5)), ("inn", "4+5", (1, 1, 4, 5))]
ALWAYS += [("town_hall", "4+6", (1, 1, 4, 6)), ("church", "5+6", (1, 1, 5, 6))]

SHOPPING = ("Fiskowitz", "Kunzendorf", "Mirschau")  # two or three shops of every kind

SHOPS = [("bakery", "1+1", (1, 1, 6, 6)), ("butchery", "1+2", (1, 2, 6, 6))]
SHOPS += [("dairy", "1+3", (1, 3, 6, 6)), ("tailor", "1+4", (1, 4, 6, 6))]

NEVER = [("mill", "2+4", (2, 4, 6, 6)), ("glass", "3+4", (3, 4, 6, 6)), ("manor", "6+6", (1, 2, 6, 6))]


# --- placing and kicking out ---


@pytest.mark.parametrize(("kind", "way", "dice"), [*ALWAYS, *SHOPS, *NEVER])
def test_r9_free_choice_among_the_unoccupied(kind: str, way: str, dice: tuple[int, ...]) -> None:
    """Unoccupied buildings of the kind, in any village; an occupied one is no choice beside them."""
    villages = ("Anschow", "Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Lobotitz", "Nenbrad")
    having = [name for name in villages if kind in VILLAGES[name]["buildings"]]
    assert len(having) > 2
    assert moves_to(game_at(villages=villages, dice=dice), way, kind) == having
    game = game_at(villages=villages, dice=dice, owners={(kind, having[0]): 1})
    assert moves_to(game, way, kind) == having[1:]


@pytest.mark.parametrize(("kind", "way", "dice"), ALWAYS)
def test_r10_farm_inn_town_hall_and_church_kick_always_but_never_own(
    kind: str, way: str, dice: tuple[int, ...]
) -> None:
    """Free choice among the others' figures, though the player has such a building."""
    game = game_at(players=3, villages=THREE, owners=spread(THREE, **{kind: (1, 1, 1)}), dice=dice)
    assert moves_to(game, way, kind) == ["Lobotitz", "Nenbrad"]


@pytest.mark.parametrize(("kind", "way", "dice"), ALWAYS)
def test_r10_no_kick_while_one_of_the_kind_is_free(kind: str, way: str, dice: tuple[int, ...]) -> None:
    game = game_at(players=3, villages=THREE, owners=spread(THREE, **{kind: (0, 1, 1)}), dice=dice)
    assert moves_to(game, way, kind) == ["Nenbrad"]


@pytest.mark.parametrize(("kind", "way", "dice"), SHOPS)
def test_r10_shop_kick_only_without_own(kind: str, way: str, dice: tuple[int, ...]) -> None:
    """A shop of the same kind of one's own, in whatever village, forbids it; without one all are a choice."""
    having = [name for name in SHOPPING if kind in VILLAGES[name]["buildings"]]
    parts: dict[str, Any] = dict(players=3, villages=SHOPPING, dice=dice)
    without = spread(SHOPPING, **{kind: (0, 1, len(having) - 1)})
    assert moves_to(game_at(owners=without, **parts), way, kind) == having
    for own in having:
        assert moves_to(game_at(owners=without | {(kind, own): 0}, **parts), way, kind) == []


def test_r10_shops_of_other_kinds_do_not_forbid_a_shop_kick() -> None:
    owners = {("butchery", "Nenbrad"): 1, ("tailor", "Nenbrad"): 0}
    assert moves_to(game_at(owners=owners, dice=(1, 2, 6, 6)), "1+2", "butchery") == ["Nenbrad"]


def test_r10_no_kick_from_a_manor() -> None:
    owners = spread(("Chlumhof", "Grundow"), manor=(0, 2))
    assert moves_to(game_at(villages=("Chlumhof", "Grundow"), owners=owners, dice=(1, 2, 6, 6)), "6+6", "manor") == []


@pytest.mark.parametrize(("kind", "way", "dice"), NEVER[:2])
def test_r10_no_kick_from_mill_or_glass_factory(kind: str, way: str, dice: tuple[int, ...]) -> None:
    villages = ("Grundow", "Itschkau", "Sonnhofen")
    game = game_at(villages=villages, owners=spread(villages, **{kind: (0, 2)}), dice=dice)
    assert moves_to(game, way, kind) == ["Sonnhofen"]


def test_r10_the_kicked_figure_returns_to_its_owners_hand() -> None:
    game = game_at(owners={("farm", "Nenbrad"): 1, ("inn", "Nenbrad"): 1}, dice=(1, 1, 3, 5))
    assert game.figures == (13, 11)
    game = game.push("3+5:farm@Nenbrad")
    assert (game.figures, building(game, "farm", "Nenbrad")["owner"]) == ((12, 12), 0)


def test_r11_placing_needs_a_figure_in_hand_bishop_and_special_do_not() -> None:
    owners = {("church", "Nenbrad"): 0, ("inn", "Nenbrad"): 1}
    assert sorted(game_at(each=1, owners=owners, dice=(4, 4)).legal_moves) == ["4+4:bishop", "4+4:special", "end"]


def test_r11_a_hand_emptied_by_the_first_move_leaves_none_for_the_second() -> None:
    game = game_at(each=1, dice=(1, 2, 3, 5)).push("3+5:farm@Nenbrad")
    assert sorted(game.legal_moves) == ["1+2:special", "end"]


def test_r12_a_kind_that_is_not_in_play_cannot_be_used() -> None:
    game = game_at(dice=(2, 2, 4, 4))  # Nenbrad has no bakery, dairy, mill or manor
    placed = [move for move in game.legal_moves if "@" in move]
    assert sorted(placed) == ["2+2+4:farm@Nenbrad", "2+4+4:town_hall@Nenbrad", "4+4:farm@Nenbrad"]


# --- what a placed figure does ---


def test_r16_the_figure_leaves_the_hand() -> None:
    game = game_at(players=4, turn=3, dice=(1, 1, 5, 6)).push("5+6:church@Nenbrad")
    assert (game.figures, building(game, "church", "Nenbrad")["owner"]) == ((10, 10, 9, 10), 2)


@pytest.mark.parametrize("active", [True, False])
def test_r16_a_kicked_inns_tile_passes_as_it_is(active: bool) -> None:
    parts: dict[str, Any] = dict(
        owners={("inn", "Nenbrad"): 1, ("farm", "Nenbrad"): 1, ("church", "Nenbrad"): 0}, dice=(1, 1, 4, 5)
    )
    game = game_at(active=("Nenbrad",) if active else (), **parts).push("4+5:inn@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": 0, "active": active}
    assert game.figures == (11, 12)
    assert play(game, "end", (1, 2, 3, 4), "1+2:special", "end").coins == (int(active), 0)


@pytest.mark.parametrize(
    ("kind", "dice", "move"),
    [("flour", (1, 1, 2, 4), "2+4:mill@Itschkau"), ("glass", (1, 1, 3, 4), "3+4:glass@Itschkau")],
)
def test_r17_a_mill_gives_a_flour_tile_a_glass_factory_a_glass_tile(
    kind: str, dice: tuple[int, ...], move: str
) -> None:
    game = game_at(villages=("Grundow", "Itschkau"), dice=dice).push(move)
    tiles = {"flour": game.flour, "glass": game.glass}
    assert tiles.pop(kind) == (1, 0)
    assert tiles.popitem()[1] == (0, 0)


def test_r17_a_free_inn_gives_an_inactive_tile() -> None:
    game = game_at(dice=(1, 1, 4, 5)).push("4+5:inn@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": 0, "active": False}


@pytest.mark.parametrize(
    ("owners", "active"),
    [
        ({"butchery": 0, "tailor": 1}, True),
        ({"butchery": 1, "tailor": 1}, True),
        ({"butchery": 1, "tailor": 1, "farm": 2}, None),
        ({"butchery": 1}, False),
        ({}, False),
    ],
)
@pytest.mark.parametrize("turn", [1, 2])
def test_r18_the_third_other_building_activates_the_inn(owners: dict[str, int], active: bool | None, turn: int) -> None:
    """Whoever owns the others and whoever places; `None`: an inn with three others is active before it already."""
    parts: dict[str, Any] = dict(players=3, dice=(1, 1, 5, 6), turn=turn, active=("Nenbrad",) if active is None else ())
    occupied = {("inn", "Nenbrad"): 0} | {(kind, "Nenbrad"): seat for kind, seat in owners.items()}
    game = game_at(owners=occupied, **parts).push("5+6:church@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": 0, "active": active is not False}


@pytest.mark.parametrize(("others", "active"), [(2, False), (3, True), (4, True)])
def test_r18_an_inn_taken_among_three_others_is_active_at_once(others: int, active: bool) -> None:
    kinds = ("butchery", "tailor", "farm", "church")[:others]
    owners = {(kind, "Nenbrad"): seat % 2 for seat, kind in enumerate(kinds)}
    game = game_at(owners=owners, dice=(1, 1, 4, 5)).push("4+5:inn@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is active


def test_r18_only_the_village_of_the_placed_figure_counts() -> None:
    owners = {("inn", "Nenbrad"): 0, ("farm", "Nenbrad"): 0, ("tailor", "Nenbrad"): 0}
    owners |= {("farm", "Chlumhof"): 0, ("dairy", "Chlumhof"): 0}
    game = game_at(villages=("Chlumhof", "Nenbrad"), owners=owners, dice=(1, 1, 5, 6)).push("5+6:church@Chlumhof")
    assert building(game, "inn", "Nenbrad")["active"] is False


def test_r18_a_free_inn_is_not_activated() -> None:
    owners = {("farm", "Nenbrad"): 0, ("tailor", "Nenbrad"): 1}
    game = game_at(owners=owners, dice=(1, 1, 5, 6)).push("5+6:church@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": None, "active": False}


def test_r18_a_kick_adds_no_building() -> None:
    owners = {("inn", "Nenbrad"): 1, ("farm", "Nenbrad"): 1, ("tailor", "Nenbrad"): 0}
    game = game_at(owners=owners, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is False


def test_r18_an_active_inn_stays_active_below_three_others() -> None:
    owners = {(kind, "Nenbrad"): 1 for kind in ("inn", "glass", "farm", "church")}
    game = game_at(villages=("Kunzendorf", "Nenbrad"), owners=owners, active=("Nenbrad",), dice=(1, 3, 4, 6))
    game = game.push("3+4:glass@Kunzendorf")
    assert building(game, "glass", "Nenbrad")["owner"] is None
    assert building(game, "inn", "Nenbrad")["active"] is True
    assert game.push("end").coins == (3, 4)  # glass 3 each, and the inn


@pytest.mark.parametrize("villages", [("Nenbrad",), ("Kunzendorf", "Nenbrad")], ids=["scored", "not scored"])
def test_r18_before_r20_a_figure_that_is_taken_away_at_once_still_counts(villages: tuple[str, ...]) -> None:
    """Nenbrad: the glass factory is the third other building, whether or not the glass is scored with it."""
    owners = {("inn", "Nenbrad"): 0, ("town_hall", "Nenbrad"): 1, ("farm", "Nenbrad"): 2}
    game = game_at(players=3, villages=villages, owners=owners, dice=(1, 1, 3, 4)).push("3+4:glass@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is True
    scored_now = len(villages) == 1
    assert building(game, "glass", "Nenbrad")["owner"] == (None if scored_now else 0)
    assert (game.coins, game.glass[0]) == (((3, 0, 0), 0) if scored_now else ((0, 0, 0), 1))


@pytest.mark.parametrize("own", [0, 1, 2])
def test_r19_a_farm_pays_as_many_coins_as_the_player_now_has_farms(own: int) -> None:
    villages = ("Chlumhof", "Ebersgrun", "Lobotitz", "Nenbrad")
    owners = spread(villages, farm=(own, 1))
    game = game_at(villages=villages, owners=owners, dice=(1, 1, 3, 5), coins=(4, 4)).push("3+5:farm@Nenbrad")
    assert (game.coins, game.bank) == ((4 + own + 1, 4), 300 - own - 1)


def test_r19_a_farm_won_by_a_kick_pays_and_costs_its_owner_nothing() -> None:
    owners = spread(THREE, farm=(1, 2))
    game = game_at(villages=THREE, owners=owners, dice=(1, 1, 3, 5), coins=(5, 5)).push("3+5:farm@Lobotitz")
    assert game.coins == (7, 5)


@pytest.mark.parametrize("village", ["Anschow", "Chlumhof", "Itschkau", "Palewnitz"])
def test_r19_a_manor_pays_its_printed_value(village: str) -> None:
    game = game_at(villages=("Anschow", "Chlumhof", "Itschkau", "Palewnitz"), dice=(1, 1, 6, 6))
    game = game.push(f"6+6:manor@{village}")
    assert (game.coins, game.bank) == ((VILLAGES[village]["manor"], 0), 300 - VILLAGES[village]["manor"])


@pytest.mark.parametrize(
    ("kind", "move", "dice", "worth"),
    [("mill", "2+4:mill@Sonnhofen", (1, 1, 2, 4), 2), ("glass", "3+4:glass@Sonnhofen", (1, 1, 3, 4), 3)],
)
@pytest.mark.parametrize("shares", [(0, 0, 2), (0, 1, 1), (1, 0, 1), (2, 0, 0)])
def test_r20_scoring_when_all_mills_or_glass_factories_are_occupied(
    kind: str, move: str, dice: tuple[int, ...], worth: int, shares: tuple[int, ...]
) -> None:
    """Every tile pays its owner, the one just taken too; tiles and figures go back, the buildings are free."""
    villages = ("Grundow", "Itschkau", "Sonnhofen")
    owners = spread(villages, **{kind: shares}) | {("church", "Grundow"): 1}
    game = game_at(players=3, villages=villages, owners=owners, dice=dice, coins=(1, 2, 3)).push(move)
    gains = [worth * (share + (seat == 0)) for seat, share in enumerate(shares)]
    assert game.coins == tuple(coins + gain for coins, gain in zip((1, 2, 3), gains, strict=True))
    assert (game.bank, game.figures) == (300 - 3 * worth, (13, 12, 13))
    assert (game.flour, game.glass) == ((0, 0, 0), (0, 0, 0))
    assert [building(game, kind, name)["owner"] for name in villages] == [None] * 3
    assert building(game, "church", "Grundow")["owner"] == 1


@pytest.mark.parametrize(
    ("kind", "move", "dice"),
    [("mill", "2+4:mill@Sonnhofen", (1, 1, 2, 4)), ("glass", "3+4:glass@Sonnhofen", (1, 1, 3, 4))],
)
def test_r20_no_scoring_before_and_only_of_the_kind_that_is_full(kind: str, move: str, dice: tuple[int, ...]) -> None:
    villages = ("Grundow", "Itschkau", "Sonnhofen")
    game = game_at(villages=villages, owners=spread(villages, **{kind: (0, 1)}), dice=dice).push(move)
    assert (game.coins, building(game, kind, "Sonnhofen")["owner"]) == ((0, 0), 0)
    other = {"mill": "glass", "glass": "mill"}[kind]
    owners = spread(villages, **{kind: (0, 2), other: (0, 2)})
    game = game_at(villages=villages, owners=owners, dice=dice).push(move)
    assert [building(game, other, name)["owner"] for name in villages] == [1, 1, None]
    assert (game.flour if other == "mill" else game.glass) == (0, 2)


def test_r20_the_returned_figures_can_be_used_again_at_once() -> None:
    game = play(game_at(villages=("Grundow",), each=1, dice=(2, 4, 2, 4)), "2+4:mill@Grundow", "2+4:mill@Grundow")
    assert (game.coins, game.figures) == ((4, 0), (1, 1))
