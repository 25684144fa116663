"""The rulings, clause by clause: the worked cases (cases.py), and what is so for many buildings and numbers at once."""

import re
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadNotation, BadSetup, Game, IllegalMove, observe
from bohemian_env.engine.reward import write_win_shares
from bohemian_env.villages.observation import observation_parts
from bohemian_env.villages.position import read_position
from bohemian_env.villages.rules import write_result
from tests.helpers import BOARD, SIX, TOTALS, VILLAGES, building, game_at, play, position, scored, spread
from tests.test_villages.cases import CASES, SHORT

SORTS = {"legal": "", "placings": "@", "bishops": ":bishop", "specials": ":special", "rerolls": "reroll"}
"""What all legal moves of a sort have in their text."""


def owners_of(text: str) -> dict[tuple[str, str], int | None]:
    """Buildings with their owners: seat 0 unless told, None where one is free."""
    found = re.findall(r"(\w+)@(\w+)(?::(\w+))?", text)
    return {(kind, name): None if seat == "None" else int(seat or 0) for kind, name, seat in found}


def begun(case: str) -> Game:
    """The game of a case at its position."""
    parts: dict[str, Any] = {}
    shares: dict[str, list[int]] = {}
    owners: dict[tuple[str, str], int | None] = {}
    for part in filter(None, map(str.strip, case.split("|")[1].split(";"))):
        name, _, value = part.partition(" ")
        words = value.split()
        if "@" in name:
            owners |= owners_of(part)
        elif name == "full":
            for village, _, seat in (word.partition(":") for word in words):
                owners |= {(kind, village): int(seat or 0) for kind in VILLAGES[village]["buildings"]}
        elif name in TOTALS:
            shares[name] = [*map(int, words)]
        elif name in ("villages", "active"):
            parts[name] = words
        elif name in ("dice", "coins", "special"):
            parts[name] = [*map(int, words)]
        else:
            parts[name] = True if name == "spent" else None if value == "None" else int(value)
    owners |= spread(parts.get("villages", ()), **shares)
    return game_at(owners={place: seat for place, seat in owners.items() if seat is not None}, **parts)


def parted(texts: str) -> list[str]:
    return texts.split(", ") if texts else []


def check(game: Game, text: str) -> None:
    """Check what is so now."""
    there, outcome = game.state_dict(), game.outcome()
    for part in map(str.strip, text.split(";")):
        name, _, value = part.partition(" ")
        if name in SORTS:
            assert sorted(move for move in game.legal_moves if SORTS[name] in move) == sorted(parted(value))
        elif name == "offered":
            assert {*parted(value)} <= {*game.legal_moves}
        elif re.fullmatch(r"R\d+", name):
            for move in parted(value):
                with pytest.raises(IllegalMove, match=rf"\b{name}\b") as refused:
                    game.push(move)
                assert move in str(refused.value)
            assert game.state_dict() == there, "a refused move changes nothing"
        elif name == "on":
            for (kind, village), seat in owners_of(value).items():
                row = building(game, kind, village)
                assert row["owner"] == seat
                assert row.get("active", False) == (f"{kind}@{village}:{seat}*" in value)
        elif name == "end":
            assert value == (outcome.reason if outcome else "None")
        elif name == "score":
            column, *points = value.split()
            assert [row[column] for row in outcome.scoring] == [*map(int, points)]
        elif name == "winners":
            assert outcome.winners == tuple(map(int, value.split()))
        else:
            found = getattr(game, name) if hasattr(game, name) else there[name]
            told = [None if word == "None" else int(word) for word in value.split()]
            assert (list(found) if isinstance(found, tuple) else [found]) == told, name


@pytest.mark.parametrize("case", CASES, ids=[case.partition(" |")[0] for case in CASES])
def test_worked_case(case: str) -> None:
    case = re.sub(r"\b[A-Z]{3,}\b", lambda word: SHORT[word[0]], case)
    steps, told = (part.strip() for part in case.split("|")[2:])
    assert told, "a case asks something"
    rolled = [tuple(map(int, step[5:].split())) if step.startswith("roll ") else step for step in parted(steps)]
    check(play(begun(case), *rolled), told)


def test_the_names_of_the_cases_differ() -> None:
    assert len({case.partition(" |")[0] for case in CASES}) == len(CASES)


# --- of many buildings, dice and numbers at once ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "removed", "figures"), [(2, "A/B O/P S/T", 13), (3, "S/T", 13), (4, "S/T", 10), (5, "", 10)]
)
def test_r1_tiles_in_play_sides_and_figures(players: int, removed: str, figures: int) -> None:
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


def test_r2_start_of_the_game() -> None:
    game = Game.new(players=3, villages="random", seed=1, board=BOARD)
    assert (game.bishop, game.special, game.special_supply) == (None, (False,) * 3, 7)
    assert (game.coins, game.bank) == ((0, 0, 0), 300)
    assert (game.flour, game.glass) == ((0, 0, 0), (0, 0, 0))
    owners = {row["owner"] for v in game.roll((1, 2, 3, 4)).position()["villages"] for row in v["buildings"]}
    assert owners == {None}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r3_seat_0_starts_then_by_seat_number(players: int) -> None:
    game = Game.new(players=players, villages="random", seed=1, board=BOARD)
    seats = []
    for _ in range(players):
        seats.append((game.turn, game.to_move))
        game = play(game, (1, 2, 3, 4), "1+2:special", "end")
    seats.append((game.turn, game.to_move))
    assert seats == [(seat + 1, seat) for seat in range(players)] + [(players + 1, 0)]


def test_r3_coins_are_open() -> None:
    """Every player sees those of all, their own first."""
    game = game_at(players=3, coins=(5, 0, 17))
    for seat, seen in enumerate(((5, 0, 17), (0, 17, 5), (17, 5, 0))):
        shown = observation_parts(observe(game, seat)["observation"])["coins"]
        assert tuple(shown[:3]) == seen


def test_r6_first_moves_of_every_roll() -> None:
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


def test_moves_are_refused_where_a_ruling_forbids_them() -> None:
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


ALWAYS = {"farm": "3+5", "inn": "4+5", "town_hall": "4+6", "church": "5+6"}
SHOPS = {"bakery": "1+1", "butchery": "1+2", "dairy": "1+3", "tailor": "1+4"}
NEVER = {"mill": "2+4", "glass": "3+4", "manor": "6+6"}
THREE = ("Ebersgrun", "Lobotitz", "Nenbrad")  # each with a farm, an inn, a town hall and a church
SHOPPING = ("Fiskowitz", "Kunzendorf", "Mirschau")  # two or three shops of every kind
MILLS = ("Grundow", "Itschkau", "Sonnhofen")  # each with a mill and a glass factory


def targets(kind: str, villages: tuple[str, ...], **parts: Any) -> list[str]:
    """The villages in which two dice can be placed on this kind; the other two dice are of no use for it."""
    way = (ALWAYS | SHOPS | NEVER)[kind]
    others = (1, 1) if kind in ALWAYS else (1, 2) if kind == "manor" else (6, 6)
    game = game_at(villages=villages, dice=(*map(int, way.split("+")), *others), **parts)
    return sorted(move.split("@")[1] for move in game.legal_moves if move.startswith(f"{way}:{kind}@"))


@pytest.mark.parametrize("kind", TOTALS)
def test_r9_free_choice_among_the_unoccupied(kind: str) -> None:
    """Unoccupied buildings of the kind, in any village; an occupied one is no choice beside them."""
    villages = ("Anschow", "Chlumhof", "Fiskowitz", "Grundow", "Itschkau", "Lobotitz", "Nenbrad")
    having = [name for name in villages if kind in VILLAGES[name]["buildings"]]
    assert len(having) > 2
    assert targets(kind, villages) == having
    assert targets(kind, villages, owners={(kind, having[0]): 1}) == having[1:]


@pytest.mark.parametrize("kind", ALWAYS)
def test_r10_farm_inn_town_hall_and_church_kick_always_but_never_own_nor_while_one_is_free(kind: str) -> None:
    """Free choice among the others' figures, though the player has such a building."""
    for owners, choice in (((1, 1, 1), ["Lobotitz", "Nenbrad"]), ((0, 1, 1), ["Nenbrad"])):
        assert targets(kind, THREE, players=3, owners=spread(THREE, **{kind: owners})) == choice


@pytest.mark.parametrize("kind", SHOPS)
def test_r10_shop_kick_only_without_own(kind: str) -> None:
    """A shop of the same kind of one's own, in whatever village, forbids it; without one all are a choice."""
    having = [name for name in SHOPPING if kind in VILLAGES[name]["buildings"]]
    without = spread(SHOPPING, **{kind: (0, 1, len(having) - 1)})
    assert targets(kind, SHOPPING, players=3, owners=without) == having
    for own in having:
        assert targets(kind, SHOPPING, players=3, owners=without | {(kind, own): 0}) == []


@pytest.mark.parametrize("kind", ["mill", "glass"])
def test_r10_no_kick_from_mill_or_glass_factory(kind: str) -> None:
    assert targets(kind, MILLS, owners=spread(MILLS, **{kind: (0, 2)})) == ["Sonnhofen"]


@pytest.mark.parametrize("village", ["Anschow", "Chlumhof", "Itschkau", "Palewnitz"])
def test_r19_a_manor_pays_its_printed_value(village: str) -> None:
    game = game_at(villages=("Anschow", "Chlumhof", "Itschkau", "Palewnitz"), dice=(1, 1, 6, 6))
    game = game.push(f"6+6:manor@{village}")
    assert (game.coins, game.bank) == ((VILLAGES[village]["manor"], 0), 300 - VILLAGES[village]["manor"])


@pytest.mark.parametrize("shares", [(0, 0, 2), (0, 1, 1), (1, 0, 1), (2, 0, 0)])
@pytest.mark.parametrize(("kind", "worth"), [("mill", 2), ("glass", 3)])
def test_r20_scoring_when_all_mills_or_glass_factories_are_occupied(
    kind: str, worth: int, shares: tuple[int, ...]
) -> None:
    """Every tile pays its owner, the one just taken too; tiles and figures go back, the buildings are free."""
    owners = spread(MILLS, **{kind: shares}) | {("church", "Grundow"): 1}
    game = placed(kind, players=3, owners=owners, coins=(1, 2, 3))
    gains = [worth * (share + (seat == 0)) for seat, share in enumerate(shares)]
    assert game.coins == tuple(coins + gain for coins, gain in zip((1, 2, 3), gains, strict=True))
    assert (game.bank, game.figures) == (300 - 3 * worth, (13, 12, 13))
    assert (game.flour, game.glass) == ((0, 0, 0), (0, 0, 0))
    assert [building(game, kind, name)["owner"] for name in MILLS] == [None] * 3
    assert building(game, "church", "Grundow")["owner"] == 1


def placed(kind: str, **parts: Any) -> Game:
    """The game after seat 0 has taken the mill or the glass factory in Sonnhofen."""
    way = NEVER[kind]
    return game_at(villages=MILLS, dice=(1, 1, *map(int, way.split("+"))), **parts).push(f"{way}:{kind}@Sonnhofen")


@pytest.mark.parametrize(("kind", "other"), [("mill", "glass"), ("glass", "mill")])
def test_r20_no_scoring_before_and_only_of_the_kind_that_is_full(kind: str, other: str) -> None:
    game = placed(kind, owners=spread(MILLS, **{kind: (0, 1)}))
    assert (game.coins, building(game, kind, "Sonnhofen")["owner"]) == ((0, 0), 0)
    game = placed(kind, owners=spread(MILLS, **{kind: (0, 2), other: (0, 2)}))
    assert [building(game, other, name)["owner"] for name in MILLS] == [1, 1, None]
    assert (game.flour if other == "mill" else game.glass) == (0, 2)


def test_r23_the_coin_supply_is_a_parameter_above_0() -> None:
    new: dict[str, Any] = dict(players=2, villages=SIX, board=BOARD)
    assert (Game.new(**new).bank, Game.new(**new, coin_supply=42).bank) == (300, 42)
    for supply in (0, -1):
        with pytest.raises(BadSetup):
            Game.new(**new, coin_supply=supply)


def test_r25_1_town_halls_of_as_much_as_a_board_may_print() -> None:
    """Their sum is beyond what a printed value has room for."""
    hall = {"kind": "town_hall", "owner": 0, "value": 99}
    rich = [{"name": name, "buildings": [hall]} for name in ("One", "Two", "Three")]
    at = position(dice=(1, 1)) | {"villages": rich, "figures": [10, 13]}
    outcome = Game.from_position(at, max_turns=1).push("end").outcome()
    assert [row["town_halls"] for row in outcome.scoring] == [297, -5]


def test_r25_2_as_many_sets_as_there_can_be_villages() -> None:
    bakery, free = {"kind": "bakery", "owner": 1}, {"kind": "church", "owner": None}
    villages = [{"name": f"Village {number}", "buildings": [bakery, free]} for number in range(9)]
    at = position() | {"dice": [], "villages": villages, "figures": [13, 4], "over": True, "to_move": None}
    outcome = Game.from_position(at).outcome()
    assert [row["shops"] for row in outcome.scoring] == [0, 9]


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
def test_r26_highest_total_wins_negative_or_not_and_may_be_shared(
    coins: tuple[int, ...], totals: list[int], winners: tuple[int, ...]
) -> None:
    outcome = scored(players=len(coins), coins=coins)
    assert [row["total"] for row in outcome.scoring] == totals
    assert outcome.winners == winners
    shares = np.full(5, 9.0)
    write_win_shares(np.array([*totals, 99, 99, 99][:5]), len(coins), shares)
    expected = [1 / len(winners) if seat in winners else 0 for seat in range(len(coins))]
    assert shares.tolist() == [*expected, 9, 9, 9][:5]
    of_position = np.full(len(coins), 9.0)
    states, _ = read_position(position(dice=(1, 2), players=len(coins), coins=coins), max_turns=500)
    write_result(states[0], of_position)
    assert of_position.tolist() == expected
