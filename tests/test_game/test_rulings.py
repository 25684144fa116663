"""The rulings R1 to R26 of the rules page, clause by clause."""

from itertools import combinations, combinations_with_replacement

import pytest

from bohemian_env import BadNotation, BadSetup, Game, IllegalMove
from tests.helpers import BOARD, SIX, TOTALS, VILLAGES, building, game_at, play, position, scored, spread


def moves_to(game: Game, way: str, kind: str) -> list[str]:
    """The villages in which this way of using the dice can be placed on this kind."""
    return sorted(move.split("@")[1] for move in game.legal_moves if move.startswith(f"{way}:{kind}@"))


def rerolls(game: Game) -> set[str]:
    return {move for move in game.legal_moves if move.startswith("reroll")}


def full(village: str, seat: int) -> dict[tuple[str, str], int]:
    """Every building of a village in the hands of one seat."""
    return {(kind, village): seat for kind in VILLAGES[village]["buildings"]}


# --- setup ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "removed", "figures"),
    [(2, "A/B O/P S/T", 13), (3, "S/T", 13), (4, "S/T", 10), (5, "", 10)],
)
def test_r1_tiles_in_play_sides_and_figures(players, removed, figures):
    """Which tiles stay in the box, one random side of each of the others, figures each."""
    kept = [name for name in VILLAGES if VILLAGES[name]["tile"] not in removed.split()]
    shown = set()
    for seed in range(20):
        game = Game.new(players=players, villages="random", seed=seed, board=BOARD).roll((1, 2, 3, 4))
        names = [village["name"] for village in game.position()["villages"]]
        assert sorted({VILLAGES[name]["tile"] for name in kept}) == [VILLAGES[name]["tile"] for name in names]
        assert game.figures == (figures,) * players
        shown.update(names)
    assert shown == set(kept)


def test_r2_start_of_the_game():
    game = Game.new(players=3, villages="random", seed=1, board=BOARD)
    assert (game.bishop, game.special, game.special_supply) == (None, (False,) * 3, 7)
    assert (game.coins, game.bank) == ((0, 0, 0), 300)
    assert (game.flour, game.glass) == ((0, 0, 0), (0, 0, 0))
    owners = {row["owner"] for v in game.roll((1, 2, 3, 4)).position()["villages"] for row in v["buildings"]}
    assert owners == {None}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r3_seat_0_starts_then_by_seat_number(players):
    game = Game.new(players=players, villages="random", seed=1, board=BOARD)
    seats = []
    for _ in range(players):
        seats.append((game.turn, game.to_move))
        game = play(game, (1, 2, 3, 4), "1+2:special", "end")
    seats.append((game.turn, game.to_move))
    assert seats == [(seat + 1, seat) for seat in range(players)] + [(players + 1, 0)]


def test_r3_coins_are_open():
    assert game_at(players=3, coins=(5, 0, 17)).position()["coins"] == [5, 0, 17]


# --- a turn ---------------------------------------------------------------------------------------


def test_r4_no_figure_at_the_start_of_the_turn_ends_the_game_without_income_or_roll():
    owners = {("inn", "Nenbrad"): 1, ("church", "Nenbrad"): 1}
    game = game_at(each=2, owners=owners, active=("Nenbrad",), bishop=1, dice=(1, 2)).push("end")
    assert game.over
    assert game.outcome().reason == "no figures"
    assert not game.needs_roll
    assert (game.coins, game.bank, game.turn, game.legal_moves) == ((0, 0), 300, 1, ())


def test_r4_no_figure_at_the_end_of_a_turn_is_not_the_end():
    game = game_at(each=2, owners={("farm", "Nenbrad"): 0}, dice=(5, 6)).push("5+6:church@Nenbrad")
    assert (game.figures, game.over, game.turn, game.needs_roll) == ((0, 2), False, 2, True)


@pytest.mark.parametrize(("move", "over"), [("3+5:farm@Nenbrad", False), ("1+1:bishop", True)])
def test_r4_a_figure_kicked_out_in_time_keeps_the_game_going(move, over):
    owners = {("farm", "Nenbrad"): 0, ("church", "Nenbrad"): 0}
    game = play(game_at(each=2, owners=owners, turn=2, dice=(1, 1, 3, 5)), move, "end")
    assert (game.over, game.turn) == (over, 2 if over else 3)


@pytest.mark.parametrize(
    ("owners", "active", "bishop", "income"),
    [
        ({("inn", "Nenbrad"): 1}, (), None, 0),
        ({("inn", "Nenbrad"): 1}, ("Nenbrad",), None, 1),
        ({("inn", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Nenbrad", "Chlumhof"), None, 2),
        ({("inn", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Chlumhof",), None, 1),
        ({("inn", "Nenbrad"): 0}, ("Nenbrad",), None, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), None, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), 0, 0),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 1}, (), 1, 2),
        ({("church", "Nenbrad"): 1, ("church", "Chlumhof"): 0}, (), 1, 1),
        ({("church", "Nenbrad"): 1, ("inn", "Chlumhof"): 1}, ("Chlumhof",), 1, 2),
    ],
)
def test_r5_income_of_inns_and_churches_before_the_roll(owners, active, bishop, income):
    """1 coin per own active inn tile and, with the bishop, per own church; for the player to move alone."""
    parts = dict(villages=("Chlumhof", "Nenbrad"), owners=owners, active=active, bishop=bishop)
    game = game_at(dice=(1, 2), coins=(7, 4), **parts).push("end")
    assert (game.needs_roll, game.to_move) == (True, 1)
    assert (game.coins, game.bank) == ((7, 4 + income), 300 - income)


def test_r5_income_every_turn():
    game = game_at(owners={("inn", "Nenbrad"): 0}, active=("Nenbrad",), dice=(1, 2), turn=2)
    game = play(game, "end", (1, 2, 3, 4), "1+2:special", "end", (1, 2, 3, 4), "1+2:special", "end")
    assert (game.turn, game.coins) == (5, (2, 0))


def test_r6_place_with_two_three_or_four_dice():
    game = game_at(dice=(1, 1, 2, 4))
    assert {move for move in game.legal_moves if "@" in move} == {
        "1+2:butchery@Nenbrad",
        "1+4:tailor@Nenbrad",
        "1+2+4:glass@Nenbrad",
        "1+1+2+4:farm@Nenbrad",
    }


def test_r6_placing_moves_uses_up_the_dice():
    game = game_at(dice=(1, 1, 2, 4)).push("1+2:butchery@Nenbrad")
    assert (game.dice, game.moves_made, building(game, "butchery", "Nenbrad")["owner"]) == ((1, 4), 1, 0)


@pytest.mark.parametrize(
    ("dice", "bishop", "offered"),
    [
        ((2, 3, 4, 6), None, set()),
        ((2, 2, 4, 6), None, {"2+2:bishop"}),
        ((2, 2, 5, 5), 1, {"2+2:bishop", "5+5:bishop"}),
        ((5, 5, 5, 5), 1, {"5+5:bishop"}),
        ((2, 2, 5, 5), 0, set()),
        ((5, 5), 1, {"5+5:bishop"}),
    ],
)
def test_r6_bishop_for_two_equal_dice_unless_already_own(dice, bishop, offered):
    game = game_at(dice=dice, bishop=bishop)
    assert {move for move in game.legal_moves if move.endswith(":bishop")} == offered


def test_r6_taking_the_bishop():
    game = game_at(dice=(2, 2, 3, 6), bishop=1).push("2+2:bishop")
    assert (game.bishop, game.dice, game.figures, game.moves_made) == (0, (3, 6), (13, 13), 1)


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        ({}, True),
        (dict(special=(1,)), True),
        (dict(special_supply=1), True),
        (dict(special_supply=0), False),
        (dict(special=(0,)), False),
        (dict(spent=True), False),
    ],
)
def test_r6_special_for_any_two_dice_if_left_none_held_none_spent_this_turn(parts, offered):
    game = game_at(dice=(2, 3, 4, 4), **parts)
    expected = {"2+3:special", "2+4:special", "3+4:special", "4+4:special"} if offered else set()
    assert {move for move in game.legal_moves if move.endswith(":special")} == expected


def test_r6_taking_a_special_action_tile():
    game = game_at(dice=(2, 3, 4, 6), special=(1,), special_supply=3).push("2+6:special")
    assert (game.special, game.special_supply, game.dice, game.figures) == ((True, True), 2, (3, 4), (13, 13))


def test_r6_first_moves_of_every_roll():
    """All 126 rolls on an empty board: every way of 2, 3 or 4 dice on every building of the kind with that total."""
    new = Game.new(players=2, villages=SIX, board=BOARD)
    kinds = {total: kind for kind, total in TOTALS.items()}
    for dice in combinations_with_replacement(range(1, 7), 4):
        expected = set()
        for way in {way for size in (2, 3, 4) for way in combinations(dice, size)}:
            text, kind = "+".join(map(str, way)), kinds.get(sum(way))
            expected |= {f"{text}:{kind}@{name}" for name in SIX if kind in VILLAGES[name]["buildings"]}
            expected |= {f"{text}:special"} if len(way) == 2 else set()
            expected |= {f"{text}:bishop"} if len(way) == 2 and way[0] == way[1] else set()
        assert sorted(new.roll(dice).legal_moves) == sorted(expected), dice


def test_r7_the_first_move_is_compulsory():
    assert "end" not in game_at(dice=(1, 2, 3, 4)).legal_moves


def test_r7_the_second_move_is_optional_and_uses_the_other_two_dice():
    game = game_at(dice=(2, 3, 4, 6)).push("3+4:glass@Nenbrad")
    assert sorted(game.legal_moves) == ["2+6:farm@Nenbrad", "2+6:special", "end"]
    assert play(game, "2+6:farm@Nenbrad").turn == play(game, "end").turn == 2


@pytest.mark.parametrize("move", ["1+2+5:farm@Nenbrad", "1+2+2+5:town_hall@Nenbrad"])
def test_r7_no_second_move_after_three_or_four_dice(move):
    game = game_at(dice=(1, 2, 2, 5)).push(move)
    assert (game.turn, game.needs_roll) == (2, True)


def test_r8_any_non_empty_subset_of_the_unused_dice():
    assert rerolls(game_at(dice=(2, 2, 3, 6), special=(0,))) == {
        "reroll 2", "reroll 3", "reroll 6",
        "reroll 2,2", "reroll 2,3", "reroll 2,6", "reroll 3,6",
        "reroll 2,2,3", "reroll 2,2,6", "reroll 2,3,6",
        "reroll 2,2,3,6",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        (dict(dice=(4, 4, 4, 4), special=(0,)), {"reroll 4", "reroll 4,4", "reroll 4,4,4", "reroll 4,4,4,4"}),
        (dict(dice=(3, 6), special=(0,)), {"reroll 3", "reroll 6", "reroll 3,6"}),
        (dict(dice=(5,), special=(0,)), {"reroll 5"}),
        (dict(dice=(3, 6), special=()), set()),
        (dict(dice=(3, 6), special=(1,)), set()),
    ],
)
def test_r8_at_any_time_while_a_die_is_unused_with_a_tile_of_ones_own(parts, offered):
    assert rerolls(game_at(**parts)) == offered


def test_r8_rolls_the_chosen_dice_and_keeps_the_others():
    game = game_at(dice=(2, 3, 4, 6), special=(0,)).push("reroll 2,6")
    assert (game.needs_roll, game.dice_to_roll, game.legal_moves) == (True, 2, ())
    assert game.roll((5, 1)).dice == (1, 3, 4, 5)


def test_r8_a_reroll_is_not_a_move():
    game = play(game_at(dice=(2, 3, 4, 6), special=(0,)), "reroll 2,6", (1, 2))
    assert game.moves_made == 0
    assert "end" not in game.legal_moves
    game = game.push("3+4:glass@Nenbrad")
    assert (game.moves_made, game.dice, game.turn) == (1, (1, 2), 1)


def test_r8_a_spent_tile_leaves_the_game():
    game = play(game_at(dice=(2, 3, 4, 6), special=(0, 1), special_supply=4), "reroll 6", (6,))
    assert (game.special, game.special_supply) == ((False, True), 4)
    assert rerolls(game) == set()


def test_r8_a_tile_may_be_spent_in_the_turn_it_was_taken():
    game = play(game_at(dice=(2, 3, 4, 6)), "2+6:special", "reroll 3,4", (5, 6))
    assert sorted(game.legal_moves) == ["5+6:church@Nenbrad", "end"]


def test_r8_no_other_tile_in_the_turn_one_was_spent_but_in_the_next():
    spent = play(game_at(dice=(2, 3, 4, 6), special=(0,)), "reroll 6", (6,))
    assert spent.position()["spent_special_this_turn"]
    assert not [move for move in spent.legal_moves if move.endswith(":special")]
    game = spent.push("3+4:glass@Nenbrad")
    assert sorted(game.legal_moves) == ["2+6:farm@Nenbrad", "end"]
    game = play(game, "end", (1, 2, 3, 4))
    assert not game.position()["spent_special_this_turn"]
    assert "1+2:special" in game.legal_moves
    assert "1+2:special" in play(game, "1+3:special", "end", (1, 2, 3, 4)).legal_moves


def test_r8_one_unused_die_only_gets_rid_of_the_tile():
    game = game_at(dice=(1, 2, 4, 5), special=(0,)).push("1+2+5:farm@Nenbrad")
    assert sorted(game.legal_moves) == ["end", "reroll 4"]
    game = game.push("reroll 4")
    assert (game.dice_to_roll, game.turn) == (1, 1)
    game = game.roll((6,))
    assert (game.turn, game.to_move, game.special, game.special_supply) == (2, 1, (False, False), 6)
    assert "1+2:special" in play(game, (1, 2, 3, 4), "1+2:special", "end", (1, 2, 3, 4)).legal_moves


# --- placing and kicking out ----------------------------------------------------------------------

THREE = ("Ebersgrun", "Lobotitz", "Nenbrad")  # each with a farm, an inn, a town hall and a church
ALWAYS = [("farm", "3+5", (1, 1, 3, 5)), ("inn", "4+5", (1, 1, 4, 5))]
ALWAYS += [("town_hall", "4+6", (1, 1, 4, 6)), ("church", "5+6", (1, 1, 5, 6))]
SHOPPING = ("Fiskowitz", "Kunzendorf", "Mirschau")  # two or three shops of every kind
SHOPS = [("bakery", "1+1", (1, 1, 6, 6)), ("butchery", "1+2", (1, 2, 6, 6))]
SHOPS += [("dairy", "1+3", (1, 3, 6, 6)), ("tailor", "1+4", (1, 4, 6, 6))]
NEVER = [("mill", "2+4", (2, 4, 6, 6)), ("glass", "3+4", (3, 4, 6, 6)), ("manor", "6+6", (1, 2, 6, 6))]


@pytest.mark.parametrize(("kind", "way", "dice"), [*ALWAYS, *SHOPS, *NEVER])
def test_r9_free_choice_among_the_unoccupied(kind, way, dice):
    """Unoccupied buildings of the kind, in any village; an occupied one is no choice beside them."""
    villages = ("Anschow", "Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Lobotitz", "Nenbrad")
    having = [name for name in villages if kind in VILLAGES[name]["buildings"]]
    assert len(having) > 2
    assert moves_to(game_at(villages=villages, dice=dice), way, kind) == having
    game = game_at(villages=villages, dice=dice, owners={(kind, having[0]): 1})
    assert moves_to(game, way, kind) == having[1:]


@pytest.mark.parametrize(("kind", "way", "dice"), ALWAYS)
def test_r10_farm_inn_town_hall_and_church_kick_always_but_never_own(kind, way, dice):
    """Free choice among the others' figures, though the player has such a building."""
    game = game_at(players=3, villages=THREE, owners=spread(THREE, **{kind: (1, 1, 1)}), dice=dice)
    assert moves_to(game, way, kind) == ["Lobotitz", "Nenbrad"]


@pytest.mark.parametrize(("kind", "way", "dice"), ALWAYS)
def test_r10_no_kick_while_one_of_the_kind_is_free(kind, way, dice):
    game = game_at(players=3, villages=THREE, owners=spread(THREE, **{kind: (0, 1, 1)}), dice=dice)
    assert moves_to(game, way, kind) == ["Nenbrad"]


@pytest.mark.parametrize(("kind", "way", "dice"), SHOPS)
def test_r10_shop_kick_only_without_own(kind, way, dice):
    """A shop of the same kind of one's own, in whatever village, forbids it; without one all are a choice."""
    having = [name for name in SHOPPING if kind in VILLAGES[name]["buildings"]]
    parts = dict(players=3, villages=SHOPPING, dice=dice)
    without = spread(SHOPPING, **{kind: (0, 1, len(having) - 1)})
    assert moves_to(game_at(owners=without, **parts), way, kind) == having
    for own in having:
        assert moves_to(game_at(owners=without | {(kind, own): 0}, **parts), way, kind) == []


def test_r10_shops_of_other_kinds_do_not_forbid_a_shop_kick():
    owners = {("butchery", "Nenbrad"): 1, ("tailor", "Nenbrad"): 0}
    assert moves_to(game_at(owners=owners, dice=(1, 2, 6, 6)), "1+2", "butchery") == ["Nenbrad"]


def test_r10_no_kick_from_a_manor():
    owners = spread(("Chlumhof", "Grundow"), manor=(0, 2))
    assert moves_to(game_at(villages=("Chlumhof", "Grundow"), owners=owners, dice=(1, 2, 6, 6)), "6+6", "manor") == []


@pytest.mark.parametrize(("kind", "way", "dice"), NEVER[:2])
def test_r10_no_kick_from_mill_or_glass_factory(kind, way, dice):
    villages = ("Grundow", "Itschkau", "Sonnhofen")
    game = game_at(villages=villages, owners=spread(villages, **{kind: (0, 2)}), dice=dice)
    assert moves_to(game, way, kind) == ["Sonnhofen"]


def test_r10_the_kicked_figure_returns_to_its_owners_hand():
    game = game_at(owners={("farm", "Nenbrad"): 1, ("inn", "Nenbrad"): 1}, dice=(1, 1, 3, 5))
    assert game.figures == (13, 11)
    game = game.push("3+5:farm@Nenbrad")
    assert (game.figures, building(game, "farm", "Nenbrad")["owner"]) == ((12, 12), 0)


def test_r11_placing_needs_a_figure_in_hand_bishop_and_special_do_not():
    owners = {("church", "Nenbrad"): 0, ("inn", "Nenbrad"): 1}
    assert sorted(game_at(each=1, owners=owners, dice=(4, 4)).legal_moves) == ["4+4:bishop", "4+4:special", "end"]


def test_r11_a_hand_emptied_by_the_first_move_leaves_none_for_the_second():
    game = game_at(each=1, dice=(1, 2, 3, 5)).push("3+5:farm@Nenbrad")
    assert sorted(game.legal_moves) == ["1+2:special", "end"]


def test_r12_a_kind_that_is_not_in_play_cannot_be_used():
    game = game_at(dice=(2, 2, 4, 4))  # Nenbrad has no bakery, dairy, mill or manor
    placed = [move for move in game.legal_moves if "@" in move]
    assert sorted(placed) == ["2+2+4:farm@Nenbrad", "2+4+4:town_hall@Nenbrad", "4+4:farm@Nenbrad"]


FOUR_SIXES = dict(villages=("Chlumhof", "Nenbrad"), owners={("manor", "Chlumhof"): 0}, bishop=1, special_supply=0)


@pytest.mark.parametrize("owner", [0, 1])
def test_r13_the_turn_passes_when_no_move_is_possible(owner):
    """The books' four sixes."""
    game = game_at(dice=(5, 6), **FOUR_SIXES | dict(owners={("manor", "Chlumhof"): owner}))
    game = play(game, "end", (6, 6, 6, 6))
    assert (game.turn, game.to_move, game.dice_to_roll, game.over) == (3, 0, 4, False)


@pytest.mark.parametrize(
    ("change", "legal"),
    [
        (dict(owners={}), ["6+6:manor@Chlumhof"]),
        (dict(bishop=0), ["6+6:bishop"]),
        (dict(bishop=None), ["6+6:bishop"]),
        (dict(special_supply=1), ["6+6:special"]),
        (dict(special=(1,)), ["reroll 6", "reroll 6,6", "reroll 6,6,6", "reroll 6,6,6,6"]),
        (dict(special=(1,), special_supply=3), ["reroll 6", "reroll 6,6", "reroll 6,6,6", "reroll 6,6,6,6"]),
    ],
)
def test_r13_any_one_thing_to_do_must_be_done(change, legal):
    """Four sixes again, with one obstacle less: no passing; a reroll is forced when it alone is left."""
    game = play(game_at(dice=(5, 6), **FOUR_SIXES | change), "end", (6, 6, 6, 6))
    assert (game.turn, sorted(game.legal_moves)) == (2, legal)


def test_r13_after_the_forced_reroll_a_move_or_a_pass():
    game = game_at(dice=(6, 6, 6, 6), turn=2, special=(1,), **FOUR_SIXES).push("reroll 6,6")
    assert game.roll((6, 6)).turn == 3
    assert sorted(game.roll((1, 2)).legal_moves) == [
        "1+2+6:inn@Chlumhof",
        "1+2+6:inn@Nenbrad",
        "1+2:butchery@Chlumhof",
        "1+2:butchery@Nenbrad",
        "1+6:glass@Nenbrad",
        "2+6:farm@Chlumhof",
        "2+6:farm@Nenbrad",
    ]


def test_r13_only_the_first_move_forces_a_reroll():
    game = game_at(villages=("Chlumhof",), dice=(1, 4), special=(0,))
    assert sorted(game.legal_moves) == ["end", "reroll 1", "reroll 1,4", "reroll 4"]


# --- the end of a turn ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "steps"),
    [
        pytest.param(dict(dice=(2, 3, 4, 6)), ["3+4:special", "2+6:farm@Nenbrad"], id="two moves made"),
        pytest.param(dict(dice=(1, 1, 2, 4)), ["1+1+2+4:farm@Nenbrad"], id="no die unused"),
        pytest.param(dict(dice=(2, 3, 4, 6)), ["3+4:special", "end"], id="stopped"),
        pytest.param(dict(dice=(1, 2, 4, 5)), ["1+2+5:farm@Nenbrad"], id="one die left and no tile"),
        pytest.param(dict(dice=(1, 3, 5, 6), special_supply=0), ["5+6:church@Nenbrad"], id="no use for two dice"),
        pytest.param(
            dict(dice=(1, 2), special=(0,), special_supply=0), ["reroll 1", (4,)], id="no use for dice rerolled"
        ),
    ],
)
def test_r14_the_four_endings_of_a_turn(parts, steps):
    before = play(game_at(**parts), *steps[:-1])
    assert before.turn == 1
    after = play(before, steps[-1])
    assert (after.turn, after.to_move, after.dice_to_roll) == (2, 1, 4)


@pytest.mark.parametrize(
    ("parts", "offered"),
    [
        (dict(dice=(2, 3, 4, 6)), False),
        (dict(dice=(2, 3, 4, 6), special=(0,)), False),
        (dict(dice=(2, 6)), True),
        (dict(dice=(6,), special=(0,)), True),
    ],
)
def test_r14_end_is_offered_only_after_the_first_move(parts, offered):
    assert ("end" in game_at(**parts).legal_moves) is offered


def test_r15_ways_that_show_the_same_numbers_are_one_move():
    game = game_at(dice=(3, 3, 4, 4), special=(0,))
    assert len(set(game.legal_moves)) == len(game.legal_moves)
    assert game.legal_moves.count("3+4:glass@Nenbrad") == 1
    assert game.push("3+4:glass@Nenbrad").dice == (3, 4)


def test_r15_ways_that_show_other_numbers_are_different_moves():
    first, second = (game_at(dice=(1, 2, 3, 4)).push(f"{way}:tailor@Nenbrad") for way in ("1+4", "2+3"))
    assert (first.dice, second.dice) == ((2, 3), (1, 4))


# --- what a placed figure does --------------------------------------------------------------------


def test_r16_the_figure_leaves_the_hand():
    game = game_at(players=4, turn=3, dice=(1, 1, 5, 6)).push("5+6:church@Nenbrad")
    assert (game.figures, building(game, "church", "Nenbrad")["owner"]) == ((10, 10, 9, 10), 2)


@pytest.mark.parametrize("active", [True, False])
def test_r16_a_kicked_inns_tile_passes_as_it_is(active):
    parts = dict(owners={("inn", "Nenbrad"): 1, ("farm", "Nenbrad"): 1, ("church", "Nenbrad"): 0}, dice=(1, 1, 4, 5))
    game = game_at(active=("Nenbrad",) if active else (), **parts).push("4+5:inn@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": 0, "active": active}
    assert game.figures == (11, 12)
    assert play(game, "end", (1, 2, 3, 4), "1+2:special", "end").coins == (int(active), 0)


@pytest.mark.parametrize(
    ("kind", "dice", "move"),
    [("flour", (1, 1, 2, 4), "2+4:mill@Itschkau"), ("glass", (1, 1, 3, 4), "3+4:glass@Itschkau")],
)
def test_r17_a_mill_gives_a_flour_tile_a_glass_factory_a_glass_tile(kind, dice, move):
    game = game_at(villages=("Grundow", "Itschkau"), dice=dice).push(move)
    tiles = {"flour": game.flour, "glass": game.glass}
    assert tiles.pop(kind) == (1, 0)
    assert tiles.popitem()[1] == (0, 0)


def test_r17_a_free_inn_gives_an_inactive_tile():
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
def test_r18_the_third_other_building_activates_the_inn(owners, active, turn):
    """Whoever owns the others and whoever places; `None`: an inn with three others is active before it already."""
    parts = dict(players=3, dice=(1, 1, 5, 6), turn=turn, active=("Nenbrad",) if active is None else ())
    owners = {("inn", "Nenbrad"): 0} | {(kind, "Nenbrad"): seat for kind, seat in owners.items()}
    game = game_at(owners=owners, **parts).push("5+6:church@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": 0, "active": active is not False}


@pytest.mark.parametrize(("others", "active"), [(2, False), (3, True), (4, True)])
def test_r18_an_inn_taken_among_three_others_is_active_at_once(others, active):
    kinds = ("butchery", "tailor", "farm", "church")[:others]
    owners = {(kind, "Nenbrad"): seat % 2 for seat, kind in enumerate(kinds)}
    game = game_at(owners=owners, dice=(1, 1, 4, 5)).push("4+5:inn@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is active


def test_r18_only_the_village_of_the_placed_figure_counts():
    owners = {("inn", "Nenbrad"): 0, ("farm", "Nenbrad"): 0, ("tailor", "Nenbrad"): 0}
    owners |= {("farm", "Chlumhof"): 0, ("dairy", "Chlumhof"): 0}
    game = game_at(villages=("Chlumhof", "Nenbrad"), owners=owners, dice=(1, 1, 5, 6)).push("5+6:church@Chlumhof")
    assert building(game, "inn", "Nenbrad")["active"] is False


def test_r18_a_free_inn_is_not_activated():
    owners = {("farm", "Nenbrad"): 0, ("tailor", "Nenbrad"): 1}
    game = game_at(owners=owners, dice=(1, 1, 5, 6)).push("5+6:church@Nenbrad")
    assert building(game, "inn", "Nenbrad") == {"kind": "inn", "owner": None, "active": False}


def test_r18_a_kick_adds_no_building():
    owners = {("inn", "Nenbrad"): 1, ("farm", "Nenbrad"): 1, ("tailor", "Nenbrad"): 0}
    game = game_at(owners=owners, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is False


def test_r18_an_active_inn_stays_active_below_three_others():
    owners = {(kind, "Nenbrad"): 1 for kind in ("inn", "glass", "farm", "church")}
    game = game_at(villages=("Kunzendorf", "Nenbrad"), owners=owners, active=("Nenbrad",), dice=(1, 3, 4, 6))
    game = game.push("3+4:glass@Kunzendorf")
    assert building(game, "glass", "Nenbrad")["owner"] is None
    assert building(game, "inn", "Nenbrad")["active"] is True
    assert game.push("end").coins == (3, 4)  # glass 3 each, and the inn


@pytest.mark.parametrize("villages", [("Nenbrad",), ("Kunzendorf", "Nenbrad")], ids=["scored", "not scored"])
def test_r18_before_r20_a_figure_that_is_taken_away_at_once_still_counts(villages):
    """Nenbrad: the glass factory is the third other building, whether or not the glass is scored with it."""
    owners = {("inn", "Nenbrad"): 0, ("town_hall", "Nenbrad"): 1, ("farm", "Nenbrad"): 2}
    game = game_at(players=3, villages=villages, owners=owners, dice=(1, 1, 3, 4)).push("3+4:glass@Nenbrad")
    assert building(game, "inn", "Nenbrad")["active"] is True
    scored_now = len(villages) == 1
    assert building(game, "glass", "Nenbrad")["owner"] == (None if scored_now else 0)
    assert (game.coins, game.glass[0]) == (((3, 0, 0), 0) if scored_now else ((0, 0, 0), 1))


@pytest.mark.parametrize("own", [0, 1, 2])
def test_r19_a_farm_pays_as_many_coins_as_the_player_now_has_farms(own):
    villages = ("Chlumhof", "Ebersgrun", "Lobotitz", "Nenbrad")
    owners = spread(villages, farm=(own, 1))
    game = game_at(villages=villages, owners=owners, dice=(1, 1, 3, 5), coins=(4, 4)).push("3+5:farm@Nenbrad")
    assert (game.coins, game.bank) == ((4 + own + 1, 4), 300 - own - 1)


def test_r19_a_farm_won_by_a_kick_pays_and_costs_its_owner_nothing():
    owners = spread(THREE, farm=(1, 2))
    game = game_at(villages=THREE, owners=owners, dice=(1, 1, 3, 5), coins=(5, 5)).push("3+5:farm@Lobotitz")
    assert game.coins == (7, 5)


@pytest.mark.parametrize("village", ["Anschow", "Chlumhof", "Itschkau", "Palewnitz"])
def test_r19_a_manor_pays_its_printed_value(village):
    game = game_at(villages=("Anschow", "Chlumhof", "Itschkau", "Palewnitz"), dice=(1, 1, 6, 6))
    game = game.push(f"6+6:manor@{village}")
    assert (game.coins, game.bank) == ((VILLAGES[village]["manor"], 0), 300 - VILLAGES[village]["manor"])


@pytest.mark.parametrize(
    ("kind", "move", "dice", "worth"),
    [("mill", "2+4:mill@Sonnhofen", (1, 1, 2, 4), 2), ("glass", "3+4:glass@Sonnhofen", (1, 1, 3, 4), 3)],
)
@pytest.mark.parametrize("shares", [(0, 0, 2), (0, 1, 1), (1, 0, 1), (2, 0, 0)])
def test_r20_scoring_when_all_mills_or_glass_factories_are_occupied(kind, move, dice, worth, shares):
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
def test_r20_no_scoring_before_and_only_of_the_kind_that_is_full(kind, move, dice):
    villages = ("Grundow", "Itschkau", "Sonnhofen")
    game = game_at(villages=villages, owners=spread(villages, **{kind: (0, 1)}), dice=dice).push(move)
    assert (game.coins, building(game, kind, "Sonnhofen")["owner"]) == ((0, 0), 0)
    other = {"mill": "glass", "glass": "mill"}[kind]
    owners = spread(villages, **{kind: (0, 2), other: (0, 2)})
    game = game_at(villages=villages, owners=owners, dice=dice).push(move)
    assert [building(game, other, name)["owner"] for name in villages] == [1, 1, None]
    assert (game.flour if other == "mill" else game.glass) == (0, 2)


def test_r20_the_returned_figures_can_be_used_again_at_once():
    game = play(game_at(villages=("Grundow",), each=1, dice=(2, 4, 2, 4)), "2+4:mill@Grundow", "2+4:mill@Grundow")
    assert (game.coins, game.figures) == ((4, 0), (1, 1))


# --- the bank -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "parts", "move", "coins"),
    [
        pytest.param(1, dict(dice=(1, 1, 3, 5)), "3+5:farm@Nenbrad", (1, 0), id="farm, to exactly 0"),
        pytest.param(3, dict(villages=("Chlumhof",), dice=(1, 1, 6, 6)), "6+6:manor@Chlumhof", (5, 0), id="manor"),
        pytest.param(
            1,
            dict(villages=("Grundow", "Itschkau"), owners={("mill", "Grundow"): 1}, dice=(1, 1, 2, 4)),
            "2+4:mill@Itschkau",
            (2, 2),
            id="flour, every owner",
        ),
        pytest.param(
            1,
            dict(villages=("Grundow", "Itschkau"), owners={("glass", "Grundow"): 1}, dice=(1, 1, 3, 4)),
            "3+4:glass@Itschkau",
            (3, 3),
            id="glass, every owner",
        ),
    ],
)
def test_r21_a_move_that_empties_the_bank_is_paid_in_full_and_ends_the_game(bank, parts, move, coins):
    game = game_at(bank=bank, **parts).push(move)
    assert (game.over, game.outcome().reason, game.legal_moves) == (True, "bank empty", ())
    assert (game.coins, game.bank, game.turn) == (coins, bank - sum(coins), 1)
    assert game.flour == game.glass == (0, 0)


def test_r21_a_bank_above_0_does_not_end_the_game():
    game = game_at(bank=2, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert (game.over, game.bank, game.moves_made) == (False, 1, 1)


def test_r21_the_move_is_carried_out_in_full_before_the_end():
    """The inn is active, the figures are back, and every tile is paid."""
    owners = {(kind, "Nenbrad"): 1 for kind in ("inn", "farm", "church")}
    game = game_at(bank=2, owners=owners, dice=(1, 1, 3, 4)).push("3+4:glass@Nenbrad")
    assert game.over
    assert building(game, "inn", "Nenbrad")["active"] is True
    assert building(game, "glass", "Nenbrad")["owner"] is None
    assert (game.coins, game.bank, game.figures) == ((3, 0), -1, (13, 10))


@pytest.mark.parametrize(("bank", "over"), [(1, True), (2, True), (3, False)])
def test_r21_an_income_that_empties_the_bank_is_paid_in_full_and_ends_the_game(bank, over):
    owners = {("inn", "Chlumhof"): 1, ("inn", "Nenbrad"): 1}
    parts = dict(villages=("Chlumhof", "Nenbrad"), owners=owners, active=("Chlumhof", "Nenbrad"))
    game = game_at(bank=bank, dice=(1, 2), **parts).push("end")
    assert (game.over, game.needs_roll, game.turn) == (over, not over, 2)
    assert (game.coins, game.bank) == ((0, 2), bank - 2)
    assert (game.outcome().reason if over else game.outcome()) == ("bank empty" if over else None)


def test_r21_no_income_of_0_ends_the_game():
    assert not game_at(bank=1, dice=(1, 2)).push("end").over


def test_r22_the_final_scoring_is_not_limited_by_the_bank():
    parts = dict(villages=("Chlumhof",), owners=full("Chlumhof", 0), active=("Chlumhof",), bank=1)
    game = game_at(dice=(1, 2), max_turns=1, **parts).push("end")
    assert (game.coins, game.bank) == ((0, 0), 1)
    assert [row["total"] for row in game.outcome().scoring] == [8 + 5 + 10, -5]


def test_r23_the_coin_supply_is_a_parameter():
    assert Game.new(players=2, villages=SIX, board=BOARD).bank == 300
    assert Game.new(players=2, villages=SIX, board=BOARD, coin_supply=42).bank == 42


@pytest.mark.parametrize("supply", [0, -1])
def test_r23_a_coin_supply_of_0_or_less_is_refused(supply):
    with pytest.raises(BadSetup):
        Game.new(players=2, villages=SIX, board=BOARD, coin_supply=supply)


# --- the end --------------------------------------------------------------------------------------


def test_r24_cut_off_between_two_turns_before_the_next_income():
    parts = dict(owners={("inn", "Nenbrad"): 1}, active=("Nenbrad",), dice=(1, 2))
    game = game_at(max_turns=1, **parts).push("end")
    assert (game.over, game.outcome().reason, game.turn) == (True, "truncated", 1)
    assert (game.coins, game.bank) == ((0, 0), 300)
    assert not game.needs_roll


def test_r24_counts_the_turns_of_all_seats():
    game = Game.new(players=3, villages="random", seed=1, board=BOARD, max_turns=4)
    for turn in range(1, 5):
        assert (game.turn, game.over) == (turn, False)
        game = play(game, (1, 1, 2, 3), "1+1:bishop", "end")
    assert (game.over, game.turn, game.outcome().reason) == (True, 4, "truncated")


def test_r24_no_cut_off_within_a_turn():
    game = game_at(max_turns=1, dice=(1, 1, 3, 5)).push("3+5:farm@Nenbrad")
    assert not game.over
    assert game.push("1+1:special").over


def test_r24_r4_comes_before_the_cut_off():
    game = game_at(max_turns=1, each=1, owners={("farm", "Nenbrad"): 1}, dice=(1, 2)).push("end")
    assert game.outcome().reason == "no figures"


def test_r24_r21_comes_before_the_cut_off():
    assert game_at(max_turns=1, bank=1, dice=(3, 5)).push("3+5:farm@Nenbrad").outcome().reason == "bank empty"


@pytest.mark.parametrize(("max_turns", "over"), [(600, True), (601, False), (None, False)])
def test_r24_the_limit_is_a_parameter_and_may_be_none(max_turns, over):
    assert game_at(max_turns=max_turns, turn=600, dice=(1, 2)).push("end").over is over


def test_r24_a_truncated_game_is_scored_as_it_stands():
    outcome = scored(owners={("church", "Nenbrad"): 1}, coins=(3, 4))
    assert [row["total"] for row in outcome.scoring] == [3 - 5, 4 - 5 + 10]
    assert outcome.winners == (1,)


BOTH = ("Chlumhof", "Ebersgrun")


@pytest.mark.parametrize(
    ("owners", "points"),
    [
        pytest.param({}, [-5, -5], id="none"),
        pytest.param({("town_hall", "Chlumhof"): 0}, [0, -5], id="village not full"),
        pytest.param(spread(BOTH, town_hall=(1, 1)), [0, 0], id="one each, not full"),
        pytest.param(full("Chlumhof", 0), [8, -5], id="village full"),
        pytest.param(full("Chlumhof", 0) | {("town_hall", "Chlumhof"): 1}, [-5, 8], id="full with the other's figures"),
        pytest.param(
            {place: seat for place, seat in full("Chlumhof", 0).items() if place[0] != "dairy"},
            [0, -5],
            id="one building not occupied",
        ),
        pytest.param(full("Chlumhof", 0) | full("Ebersgrun", 0), [15, -5], id="two villages full"),
        pytest.param(full("Chlumhof", 0) | {("town_hall", "Ebersgrun"): 0}, [8, -5], id="only one of the two full"),
        pytest.param(full("Chlumhof", 0) | full("Ebersgrun", 1), [8, 7], id="one each, full"),
    ],
)
def test_r25_1_town_halls(owners, points):
    active = [village for kind, village in owners if kind == "inn"]
    outcome = scored(villages=BOTH, owners=owners, active=active)
    assert [row["town_halls"] for row in outcome.scoring] == points


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ((0, 0, 0, 0), 0),
        ((1, 0, 0, 0), 1),
        ((0, 1, 0, 1), 5),
        ((1, 1, 1, 0), 12),
        ((1, 1, 1, 1), 20),
        ((2, 1, 0, 0), 6),
        ((3, 0, 0, 0), 3),
        ((1, 0, 4, 0), 8),
        ((2, 2, 1, 0), 17),
        ((2, 1, 1, 1), 21),
        ((3, 2, 1, 1), 26),
        ((2, 2, 2, 1), 32),
        ((2, 2, 2, 2), 40),
    ],
)
def test_r25_2_shops_in_sets(numbers, points):
    """Bakeries, butcheries, dairies, tailor shops: each set holds one of every kind there are enough of."""
    villages = ("Anschow", "Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Kunzendorf", "Mirschau")
    shops = dict(zip(("bakery", "butchery", "dairy", "tailor"), numbers, strict=True))
    owners = spread(villages, **{kind: (0, number) for kind, number in shops.items()})
    assert [row["shops"] for row in scored(villages=villages, owners=owners).scoring] == [0, points]


@pytest.mark.parametrize(
    ("churches", "points"),
    [
        ((0, 0), [0, 0]),
        ((1, 0), [10, 0]),
        ((0, 2), [0, 10]),
        ((2, 1), [10, 6]),
        ((1, 1), [6, 6]),
        ((3, 3), [6, 6]),
        ((3, 2, 1), [10, 6, 0]),
        ((1, 2, 1), [6, 10, 6]),
        ((2, 2, 1), [6, 6, 0]),
        ((2, 0, 0), [10, 0, 0]),
        ((1, 0, 1), [6, 0, 6]),
        ((2, 2, 2), [6, 6, 6]),
        ((0, 0, 0), [0, 0, 0]),
        ((2, 1, 1, 1), [10, 6, 6, 6]),
        ((1, 1, 1, 0), [6, 6, 6, 0]),
        ((1, 1, 1, 1, 1), [6, 6, 6, 6, 6]),
        ((0, 3, 2, 1, 0), [0, 10, 6, 0, 0]),
        ((2, 1, 0, 1, 0), [10, 6, 0, 6, 0]),
    ],
)
def test_r25_3_churches(churches, points):
    """Most 10 and second most 6 each, if any; 6 each for a shared lead and nothing for second; nobody: nothing."""
    villages = ("Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Kunzendorf", "Mirschau")
    owners = spread(villages, church=churches)
    outcome = scored(players=len(churches), villages=villages, owners=owners)
    assert [row["churches"] for row in outcome.scoring] == points


@pytest.mark.parametrize(
    ("flour", "glass", "points"),
    [
        ((0, 0), (0, 0), [0, 0]),
        ((1, 0), (0, 1), [1, 1]),
        ((1, 0), (1, 0), [2, 0]),
        ((2, 1), (0, 2), [2, 4]),
        ((2, 1), (1, 1), [3, 2]),
        ((3, 0), (3, 0), [7, 0]),
        ((0, 0), (1, 2), [1, 3]),
    ],
)
def test_r25_4_left_over_tiles_halved_and_rounded_down_per_player(flour, glass, points):
    villages = ("Anschow", "Grundow", "Itschkau", "Sonnhofen")
    outcome = scored(villages=villages, owners=spread(villages, mill=flour, glass=glass))
    assert [row["tiles"] for row in outcome.scoring] == points


def test_r25_added_to_the_coins():
    villages = ("Chlumhof", "Grundow", "Itschkau")
    owners = full("Chlumhof", 0) | spread(("Grundow", "Itschkau"), mill=(1, 0), glass=(1, 0), church=(0, 1))
    outcome = scored(villages=villages, owners=owners, active=("Chlumhof",), coins=(21, 25))
    assert list(outcome.scoring) == [
        {"coins": 21, "town_halls": 8, "shops": 5, "churches": 6, "tiles": 2, "total": 42},
        {"coins": 25, "town_halls": -5, "shops": 0, "churches": 6, "tiles": 0, "total": 26},
    ]
    assert outcome.winners == (0,)


@pytest.mark.parametrize(
    ("coins", "totals", "winners"),
    [
        ((4, 3), [-1, -2], (0,)),
        ((0, 9), [-5, 4], (1,)),
        ((0, 0), [-5, -5], (0, 1)),
        ((1, 6, 6), [-4, 1, 1], (1, 2)),
        ((7, 2, 7, 0, 7), [2, -3, 2, -5, 2], (0, 2, 4)),
    ],
)
def test_r26_highest_total_wins_negative_or_not_and_may_be_shared(coins, totals, winners):
    outcome = scored(players=len(coins), coins=coins)
    assert [row["total"] for row in outcome.scoring] == totals
    assert outcome.winners == winners


def test_moves_are_refused_where_a_ruling_forbids_them():
    """`legal_moves` and `push` agree: what is not offered is refused, from any position."""
    for parts in (dict(dice=(2, 3, 4, 6)), dict(dice=(2, 6)), dict(dice=(5, 6), owners={("church", "Nenbrad"): 0})):
        game = game_at(**parts)
        every = {f"{way}:{kind}@Nenbrad" for way in ("2+3", "2+6", "3+4", "5+6") for kind in TOTALS}
        refused = [move for move in sorted(every | {"end", "reroll 6"}) if move not in game.legal_moves]
        for move in refused:
            with pytest.raises((IllegalMove, BadNotation)):
                game.push(move)
        assert refused
        assert game.position() == position(**parts)
