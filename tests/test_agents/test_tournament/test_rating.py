"""Ratings: known cases by hand, and what was put into simulated games comes out again."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from agents.common.statistics import Estimate
from agents.tournament import LineUp, compare, enter, line_ups
from agents.tournament.rating import fit_ratings, rate
from agents.tournament.statistics import Table

pytestmark = pytest.mark.slow


def table(order: tuple[int, ...], wins: np.ndarray) -> Table:
    """A table of which only the wins matter: (blocks, entrants)."""
    return Table(LineUp(order), len(wins), (), Estimate(1, 1, 1), {}, (), (), np.asarray(wins, float), False, None)


def chances(order: tuple[int, ...], ratings: np.ndarray) -> np.ndarray:
    """Chance of each seat to win, by ratings in Elo points."""
    strength = 10 ** (ratings[list(order)] / 400)
    return strength / strength.sum()


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (60, 40), (100, 0), (0, 7), (12.5, 0.5)])
def test_two_agents_in_closed_form(won: float, lost: float) -> None:
    """One game more, shared: half a win each."""
    first, second = fit_ratings(np.array([[1, 1]]), np.array([[won, lost]]))
    assert first - second == pytest.approx(400 * math.log10((won + 0.5) / (lost + 0.5)), abs=1e-6)
    assert first + second == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("strength", [0, 5000, 30_000])
def test_the_fit_is_the_top_however_far_it_is(strength: float) -> None:
    """Expected wins are those observed: the condition for the most likely ratings, the shared games included."""
    seats = np.array([[1, 1, 0], [1, 0, 2], [1, 1, 1]])
    wins = np.array([[strength, 1, 0], [40, 0, 20 + strength], [strength, 30, 0.5]])
    ratings = fit_ratings(seats, wins)
    shared = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    all_seats, all_wins = np.concatenate([seats, shared]), np.concatenate([wins, shared / 2])
    chance = all_seats * 10 ** (ratings / 400)
    chance /= chance.sum(axis=1, keepdims=True)
    assert_allclose((all_wins.sum(axis=1, keepdims=True) * chance).sum(axis=0), all_wins.sum(axis=0), rtol=1e-8)


def test_agents_without_a_win_or_a_game_have_a_finite_rating() -> None:
    ratings = fit_ratings(np.array([[1, 1, 0]]), np.array([[1000, 0, 0]]))
    assert np.isfinite(ratings).all()
    assert ratings[0] > ratings[2] > ratings[1]


def test_greedy_is_the_anchor_or_the_mean_of_all() -> None:
    wins = np.random.default_rng(1).dirichlet([5, 3], 50) * 2
    anchored = rate([table((0, 1), wins)], 1)
    assert anchored[1] == Estimate(1000, 1000, 1000)
    free = rate([table((0, 1), wins)], None)
    assert sum(rating.value for rating in free) == pytest.approx(2000)
    assert free[0].value - free[1].value == pytest.approx(anchored[0].value - 1000)
    assert compare(enter(["random", "greedy"], seed=0), games=20).ratings[1].value == 1000
    assert compare(enter(["random", "random"], seed=0), games=20).anchor is None


TRUTH = np.array([80.0, 0.0, -150.0])


def simulated(rng: np.random.Generator, players: int, seeds: tuple[int, ...], luck: float) -> list[Table]:
    """Tables of all kinds for agents with the ratings TRUTH, with these numbers of seeds by turns.

    luck: part of the games of a seed, 0 to 1, that all tables decide by the same number of that seed: with it the seat
    that wins hangs together, while the chance of each seat stays what its rating says.
    """
    found = []
    common = rng.random((max(seeds), players))
    for place, line_up in enumerate(line_ups("all", len(TRUTH), players)):
        blocks = seeds[place % len(seeds)]
        wins = np.zeros((blocks, len(TRUTH)))
        for rotation, line in enumerate(line_up.seating(np.zeros(1, np.int64))[0]):
            number = np.where(rng.random(blocks) < luck, common[:blocks, rotation], rng.random(blocks))
            seat = (number[:, None] > chances(tuple(line), TRUTH).cumsum()).sum(axis=1).clip(max=players - 1)
            wins[np.arange(blocks), line[seat]] += 1
        found.append(table(line_up.order, wins))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_ratings_are_found_again(players: int) -> None:
    found = rate(simulated(np.random.default_rng(players), players, (40_000,), 0.0), 1)
    assert [rating.value for rating in found] == pytest.approx(TRUTH + 1000, abs=6)
    assert found[2].high - found[2].low < 8


@pytest.mark.parametrize(("players", "seeds", "luck"), [(2, (100,), 0.0), (2, (100,), 0.8), (3, (150, 40), 0.5)])
def test_rating_interval_covers_the_truth(players: int, seeds: tuple[int, ...], luck: float) -> None:
    """Meant are 95 in 100. 3.5 standard errors of a share of 0.95 of 200 trials are 0.054; that there are two
    intervals a trial makes it less. A percentile interval of few seeds may be a little short, by less than 0.01."""
    rng = np.random.default_rng(7)
    covered = []
    for _ in range(200):
        found = rate(simulated(rng, players, seeds, luck), 1)
        covered += [found[number].low <= TRUTH[number] + 1000 <= found[number].high for number in (0, 2)]
    assert 0.95 - 0.054 - 0.01 <= np.mean(covered) <= 0.95 + 0.054


def test_seeds_that_only_some_tables_have_count_for_these() -> None:
    """A table of a few seeds beside one of many: each has the width of its own number of games."""
    rng = np.random.default_rng(4)
    many, few = rng.integers(0, 3, 3200), rng.integers(0, 3, 50)
    zero = np.zeros_like
    tables = [
        table((0, 1), np.stack([many, 2 - many, zero(many)], axis=1)),
        table((1, 2), np.stack([zero(few), 2 - few, few], axis=1)),
    ]
    found = rate(tables, 1)
    assert (found[2].high - found[2].low) / (found[0].high - found[0].low) == pytest.approx(8, rel=0.2)


def test_one_seed_says_nothing_and_few_say_little() -> None:
    """A bootstrap of one seed would have no spread; of few, too little: Student's quantile widens it."""
    wins = np.stack([np.tile([2.0, 1.0, 0.0], 100), np.tile([0.0, 1.0, 2.0], 100)], axis=1)
    widths = {}
    for blocks in (1, 3, 300):
        first = rate([table((0, 1), wins[:blocks])], None)[0]
        widths[blocks] = first.high - first.low
    assert widths[1] == math.inf
    assert math.inf > widths[3] > 20 * widths[300] > 0


def among_three(first: int, second: int) -> list[Table]:
    """Return a table of the entrants 0 and 1, and one of 1 and 2, of so many seeds; all are equal."""
    rng = np.random.default_rng(first + second)
    found = []
    for pair, blocks in (((0, 1), first), ((1, 2), second)):
        wins = np.zeros((blocks, 3))
        wins[:, pair[0]] = rng.integers(0, 3, blocks)
        wins[:, pair[1]] = 2 - wins[:, pair[0]]
        found.append(table(pair, wins))
    return found


@pytest.mark.parametrize("few", [1, 2, 5])
def test_few_seeds_say_little_beside_a_table_of_many(few: int) -> None:
    """Of 100 trials at least 95 in 100 are meant to cover the truth, less 3.5 standard errors."""
    covered = []
    for trial in range(100):
        tables = among_three(few, 300 + trial)
        many, through = rate(tables, 1)[2], rate(tables, 0)[2]
        covered.append(through.low <= 1000 <= through.high)
        assert math.isfinite(many.high)
        assert math.isinf(through.high) == (few == 1)  # the table of many seeds is of no use without the other
    assert np.mean(covered) >= 0.95 - 0.076


def test_seeds_of_their_own_vary_in_each_table() -> None:
    """Each table has one seed more than the one before: drawn by themselves, such would never vary."""
    won = np.array([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    found = rate([table((0, 1), won[:seeds]) for seeds in (1, 2, 3)], 1)
    assert found[0].high - found[0].low > 100


def test_an_entrant_at_no_table_has_no_rating() -> None:
    found = rate([table((0, 1), np.array([[1.0, 1.0, 0.0], [2.0, 0.0, 0.0]] * 40))], None)
    assert (found[2].low, found[2].high) == (-math.inf, math.inf)
    assert not math.isinf(found[0].high)
