"""The tables of handfuls against plain enumeration; the dice of a seed: what they depend on, and that they are fair.

The statistics are of fixed seeds and come out the same in every run: a test passes for good or fails for good.
"""

from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, chi2_contingency, chisquare

from bohemian_env import BadDice, Game
from bohemian_env.engine.chance import mix
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.engine.dealing import next_seed
from bohemian_env.villages import dice as d
from bohemian_env.villages import rules
from bohemian_env.villages.faces import deal_seeded
from bohemian_env.villages.setup import Setup
from tests.helpers import FROZEN, position

Dice = tuple[int, ...]

ALL = sorted({tuple(sorted(rolled)) for n in range(5) for rolled in product(range(1, 7), repeat=n)})
"""Every handful of up to four dice."""
ROLLS = [dice for dice in ALL if len(dice) == 4]
TOTALS = range(2, 13)
PLACES = [places for n in (1, 2, 3, 4) for places in combinations(range(4), n)]
"""Choices among four sorted dice, in the order that docs/villages.md gives to the rerolls."""


def without(dice: Dice, places: Dice) -> Dice:
    """The dice at other places than these."""
    return tuple(die for place, die in enumerate(dice) if place not in places)


def uses(dice: Dice, sizes: Dice) -> dict[Dice, Dice]:
    """Every different way (R15) to take so many of the dice: the numbers taken, and the dice left."""
    return {
        tuple(dice[p] for p in places): without(dice, places)
        for size in sizes
        for places in combinations(range(len(dice)), size)
    }


def ways_of(dice: Dice, total: int) -> list[Dice]:
    """The ways to reach a total: fewer dice first, then lower numbers."""
    return sorted((way for way in uses(dice, (2, 3, 4)) if sum(way) == total), key=lambda way: (len(way), way))


# --- handfuls ---------------------------------------------------------------------------------------------------


def test_handfuls_are_numbered_by_size_then_by_their_numbers() -> None:
    assert len(ROLLS) == 126
    assert list(d.DICE) == sorted(ALL, key=lambda dice: (len(dice), dice))
    assert d.SIZE.tolist() == [len(dice) for dice in d.DICE]
    assert all(d.DICE[number] == dice for dice, number in d.HANDFUL.items())
    assert len(d.HANDFUL) == len(ALL) == 210


def test_a_handful_is_found_in_any_order() -> None:
    for n in range(5):
        for dice in product(range(1, 7), repeat=n):
            assert d.DICE[d.handful(dice)] == tuple(sorted(dice))


@pytest.mark.parametrize(
    "dice", [(0, 1), (7,), (1, 1, 1, 1, 1), (1, None), (-1, 2, 3, 4), (1, "x"), None, 3, (2.5, 1), "12"]
)
def test_what_is_no_handful_is_refused(dice: Any) -> None:
    with pytest.raises(BadDice, match="up to four numbers from 1 to 6"):
        d.handful(dice)


# --- ways -------------------------------------------------------------------------------------------------------


def test_ways_are_as_enumerated() -> None:
    for dice in ALL:
        for total in range(26):
            assert list(d.ways(dice, total)) == ways_of(dice, total)


def test_at_most_two_ways_reach_a_total() -> None:
    """The fact that the action numbers lean on, over all 126 rolls. Two do occur for every total but the lowest."""
    most = {total: max(len(ways_of(roll, total)) for roll in ROLLS) for total in TOTALS}
    assert most == {total: 1 if total == 2 else 2 for total in TOTALS}


def test_kept_and_rolled_dice_joined() -> None:
    for kept, dice in enumerate(d.DICE):
        for more, rolled in enumerate(d.DICE):
            if len(dice) < 4 and len(dice) + len(rolled) <= 4:
                assert d.DICE[d.JOINED[kept, more]] == tuple(sorted(dice + rolled))


# --- the dice of a seed: what they depend on --------------------------------------------------------------------

SEEDS = [0, 1, 7, 2**32 - 1, 2**32, 123_456_789_012_345, MAX_SEED]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reroll_takes_the_first_dice_of_the_roll(seed: int) -> None:
    for turn in (1, 2, 499, 2**31 - 2):
        for number in (0, 1):
            dice = d.seeded_dice(seed, turn, number)
            assert dice == d.seeded_dice(seed, turn, number)
            for count in range(5):
                first = tuple(sorted(dice[:count]))
                assert d.DICE[d.rolled_handful(np.uint64(seed), turn, number, count)] == first


def test_every_roll_in_order_has_its_handful() -> None:
    """The compiled look-up of the first dice of a roll, for every roll there is."""
    seen = set()
    for turn in range(1, 20_000):
        rolled = d.seeded_dice(3, turn, 0)
        if rolled not in seen:
            seen.add(rolled)
            for count in range(5):
                handful = d.rolled_handful(np.uint64(3), turn, 0, count)
                assert d.DICE[handful] == tuple(sorted(rolled[:count]))
    assert len(seen) == 6**4


@pytest.mark.parametrize("count", range(5))
def test_places_among_all_rolls_give_each_handful_as_often_as_it_falls(count: int) -> None:
    found = Counter(int(d.handful_of(count, (place + 0.5) / 6**count)) for place in range(6**count))
    chances = {one: float(d.CHANCE[one]) for one in range(d.FIRST[count], d.FIRST[count + 1])}
    assert {one: times / 6**count for one, times in found.items()} == pytest.approx(chances)
    assert d.DICE[d.handful_of(count, 0.0)] == (1,) * count
    assert d.DICE[d.handful_of(count, float(np.nextafter(1, 0)))] == (6,) * count


def test_the_same_dice_whatever_was_rerolled_before() -> None:
    """Every reroll is of the same four dice, of which it takes the first; the next turn's roll is the same for all."""
    seed, turn = 11, 5
    held = position(players=2, villages=("Grundow", "Nenbrad"), dice=(1, 2, 3, 4), turn=turn, special=(0,))
    game = Game.from_position(held, seed=seed)
    rerolled = d.seeded_dice(seed, turn, 1)
    following = set()
    for text in game.legal_moves:
        after = game.push(text)
        if text.startswith("reroll"):
            again = [int(n) for n in text.removeprefix("reroll ").split(",")]
            kept = [n for n in (1, 2, 3, 4) if n not in again]
            assert after.dice_to_roll == len(again)
            after = after.roll()
            assert after.dice == tuple(sorted([*kept, *rerolled[: len(again)]]))
        while after.turn == turn:
            after = after.push("end" if "end" in after.legal_moves else after.legal_moves[0])
        assert (after.turn, after.dice_to_roll) == (turn + 1, 4)
        following.add(after.roll().dice)
    assert following == {tuple(sorted(d.seeded_dice(seed, turn + 1, 0)))}


def test_a_compiled_game_rolls_the_dice_of_the_seed() -> None:
    start = Setup.of(3, board=FROZEN).start(4)
    for seed in SEEDS:
        states = start.new_state()
        deal_seeded(states[0], np.uint64(seed))
        assert d.DICE[states[0]["dice"]] == tuple(sorted(d.seeded_dice(seed, 1, 0)))


# --- pinned: a change of these changes every seeded game, and is a new version of the environment ---------------


@pytest.mark.parametrize(
    ("steps", "output"),
    [(1, 0xE220A8397B1DCDAF), (2, 0x6E789E6AA1B965F4), (3, 0x06C45D188009454F), (4, 0xF88BB8A8724C81EC)],
)
def test_mix_is_the_finaliser_of_splitmix64(steps: int, output: int) -> None:
    """The published outputs of SplitMix64 from the seed 0: the finaliser of multiples of its step."""
    assert int(mix(np.uint64(steps * 0x9E3779B97F4A7C15 % 2**64))) == output


PINNED = {
    (0, 1, 0): (4, 6, 4, 5), (0, 1, 1): (5, 5, 3, 2), (0, 2, 0): (2, 4, 4, 2), (1, 1, 0): (5, 4, 6, 6),
    (7, 499, 1): (3, 4, 5, 2), (MAX_SEED, 2**31 - 2, 0): (1, 2, 1, 1),
}  # fmt: skip
"""Dice by seed, turn and number of the roll."""


@pytest.mark.parametrize(("rolled", "dice"), PINNED.items())
def test_pinned_dice(rolled: tuple[int, int, int], dice: tuple[int, ...]) -> None:
    assert d.seeded_dice(*rolled) == dice


def test_pinned_sides_and_following_seeds() -> None:
    assert [int(rules.draw_sides(np.uint64(seed))) & 0x1FF for seed in range(6)] == [240, 494, 214, 426, 75, 351]
    following = [212261511213151743, 8106035672735825674, 7847315387679982245]
    assert [int(next_seed(seed)) for seed in (0, 1, MAX_SEED)] == following


# --- fair -------------------------------------------------------------------------------------------------------

MANY = 100_000
LIKELY = 1e-4
"""The p-value below which a test of fairness fails: fair dice fail one in ten thousand, these dice none of them."""


def codes(seeds: np.ndarray, turns: np.ndarray, number: int = 0) -> np.ndarray:
    """Rolls as numbers below 1,296, the dice in order as digits in base 6."""
    pairs = zip(np.broadcast_to(seeds, MANY), np.broadcast_to(turns, MANY), strict=True)
    return np.array([d.roll_code(np.uint64(seed), int(turn), number) for seed, turn in pairs])


def die(code: np.ndarray, place: int) -> np.ndarray:
    """One die of each roll, 0 to 5."""
    return code // 6 ** (3 - place) % 6


def table(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """How often each two values occur together."""
    counts = np.zeros((rows.max() + 1, columns.max() + 1), int)
    np.add.at(counts, (rows, columns), 1)
    return counts


NEAR_SEEDS, NEAR_TURNS = np.arange(MANY), np.arange(1, MANY + 1)
SAMPLES = {
    "of one turn under many seeds": (NEAR_SEEDS, np.array(1), 0),
    "of a later turn": (NEAR_SEEDS, np.array(60), 0),
    "of rerolls": (NEAR_SEEDS, np.array(2), 1),
    "of many turns under one seed": (np.array(0), NEAR_TURNS, 0),
    "under seeds with few bits": (np.left_shift(NEAR_SEEDS, 40), np.array(3), 0),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_dice_are_fair(sample: str) -> None:
    """Every number equally often on every die, every roll in order equally often, no die bound to another."""
    code = codes(*SAMPLES[sample])
    assert chisquare(np.bincount(code, minlength=6**4)).pvalue > LIKELY
    for place in range(4):
        assert chisquare(np.bincount(die(code, place), minlength=6)).pvalue > LIKELY
    for one, other in combinations(range(4), 2):
        assert chi2_contingency(table(die(code, one), die(code, other))).pvalue > LIKELY


NEIGHBOURS = {
    "seed + 1": (NEAR_SEEDS + 1, 1, 0), "seed + 2": (NEAR_SEEDS + 2, 1, 0), "reroll": (NEAR_SEEDS, 1, 1),
    "next turn": (NEAR_SEEDS, 2, 0), "next turn of seed + 1": (NEAR_SEEDS + 1, 2, 0),
    "highest bit of the seed": (NEAR_SEEDS ^ 1 << 62, 1, 0),
}  # fmt: skip


@pytest.mark.parametrize(("seeds", "turn", "number"), NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_neighbouring_dice_know_nothing_of_each_other(seeds: np.ndarray, turn: int, number: int) -> None:
    """Every die of the first turn against every die of a neighbour."""
    here, there = codes(NEAR_SEEDS, np.array(1)), codes(seeds, np.array(turn), number)
    for one, other in product(range(4), repeat=2):
        assert chi2_contingency(table(die(here, one), die(there, other))).pvalue > LIKELY
    assert binomtest(int(np.sum(here == there)), MANY, 6**-4).pvalue > LIKELY


def test_no_seed_plays_the_dice_of_another_some_turns_later() -> None:
    """Each turn is a step in a sequence of numbers; no seed may begin further on in the sequence of another."""
    step = 4 * 0x9E3779B97F4A7C15  # of a turn
    for seed in range(20):
        for turns in range(1, 40):
            further = (seed + turns * step) % 2**64
            here = [d.seeded_dice(seed, turns + turn, 0) for turn in range(1, 5)]
            assert [d.seeded_dice(further, turn, 0) for turn in range(1, 5)] != here


def test_sides_of_the_tiles_are_fair() -> None:
    """R1: each side of each of nine tiles equally often, each two tiles and the first dice bound by nothing."""
    sides = np.array([int(rules.draw_sides(np.uint64(seed))) for seed in range(MANY)], object)
    shown = np.array([[side >> tile & 1 for tile in range(9)] for side in sides], int)
    code = codes(NEAR_SEEDS, np.array(1))
    for tile in range(9):
        assert chisquare(np.bincount(shown[:, tile], minlength=2)).pvalue > LIKELY
        assert chi2_contingency(table(shown[:-1, tile], shown[1:, tile])).pvalue > LIKELY
        for place in range(4):
            assert chi2_contingency(table(shown[:, tile], die(code, place))).pvalue > LIKELY
    for one, other in combinations(range(9), 2):
        assert chi2_contingency(table(shown[:, one], shown[:, other])).pvalue > LIKELY


@pytest.mark.parametrize(("players", "tiles"), [(2, 6), (3, 8), (4, 8), (5, 9)])
def test_every_choice_of_sides_is_drawn_equally_often(players: int, tiles: int) -> None:
    """R1, by the names of the villages in play."""
    board = FROZEN
    drawn = Counter(Setup.of(players, board=board).start(seed).villages for seed in range(20 * 2**tiles))
    assert len(drawn) == 2**tiles
    assert chisquare(list(drawn.values())).pvalue > LIKELY


def test_seeds_that_follow_each_other_do_not_run_in_a_circle() -> None:
    seed, seen = 0, set()
    for _ in range(10_000):
        seen.add(seed)
        seed = int(next_seed(np.uint64(seed)))
        assert 0 <= seed <= MAX_SEED
    assert len(seen) == 10_000
