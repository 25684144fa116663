"""Comparing agents: who sits where, what is played, and whether the intervals hold what they promise."""

import doctest
import math
from dataclasses import replace
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

import agents.tournament
from agents.common.statistics import Estimate, margins, mean_estimate, ratio_estimate, share_estimate, win_shares
from agents.tournament import BadTournament, Entrant, LineUp, compare, enter, line_ups
from agents.tournament.schedule import check_line_up, check_seed, chunks, whole_blocks
from agents.tournament.statistics import summarise
from bohemian_env import Batch, Board, Setup
from bohemian_env.engine.checks import MAX_SEED
from tests.test_agents.test_tournament.tables import games_of_two, play_line_up

PLAYERS = (2, 3, 4, 5)


class Watcher:
    """Takes the first legal action and remembers which seat it had in the games of which seed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: set[tuple[int, int]] = set()
        self.decisions = 0

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        assert not batch.over[games].any()
        assert (batch.masks[games].sum(axis=1) > 1).all()  # nobody is asked where there is no choice
        self.seen |= set(zip(batch.seeds[games].tolist(), batch.seats[games].tolist(), strict=True))
        self.decisions += len(games)
        return batch.masks[games].argmax(axis=1).astype(np.int64)


def entrants_of(*players: Any) -> list[Entrant]:
    return [Entrant(f"agent {n}", f"agent {n}", 0, player) for n, player in enumerate(players)]


def named(found: list[LineUp]) -> list[str]:
    return ["".join("ABCDE"[number] for number in line_up.order) for line_up in found]


def test_tables_by_hand() -> None:
    assert named(line_ups("all", 3, 3)) == ["ABB", "BAA", "ACC", "CAA", "BCC", "CBB", "ABC"]
    assert named(line_ups("all", 2, 4)) == ["ABBB", "BAAA", "AABB"]
    assert named(line_ups("all", 3, 2)) == named(line_ups("duels", 3, 2)) == ["AB", "AC", "BC"]
    assert named(line_ups("mixed", 4, 3)) == ["ABC", "ABD", "ACD", "BCD"]
    assert named(line_ups("single", 3, 4)) == ["ABBB", "ACCC"]
    assert named(line_ups("one", 3, 3)) == ["ABC"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("entrants", [2, 3, 5])
def test_all_tables_are_every_multiset_of_at_least_two_agents(entrants: int, players: int) -> None:
    found = line_ups("all", entrants, players)
    multisets = {order for order in combinations_with_replacement(range(entrants), players) if len(set(order)) > 1}
    assert sorted(tuple(sorted(line_up.order)) for line_up in found) == sorted(multisets)
    for line_up in found:
        assert line_up.order.count(line_up.order[0]) == min(map(line_up.order.count, line_up.order))
    duels = [line_up for line_up in found if line_up.is_duel]
    assert duels == line_ups("duels", entrants, players)
    assert len(duels) == math.comb(entrants, 2) * (1 if players == 2 else 2)


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 1, 1), (0, 0, 1, 1), (2, 0, 0, 1), (0, 1, 2, 3, 4), (0, 1, 1, 2, 2)])
def test_every_order_round_the_table_is_an_arrangement_once(order: tuple[int, ...]) -> None:
    def turned(line: tuple[int, ...]) -> tuple[int, ...]:
        return min(line[r:] + line[:r] for r in range(len(line)))

    arrangements = LineUp(order).arrangements
    assert {turned(line) for line in permutations(order)} == {turned(line) for line in arrangements}
    assert len({turned(line) for line in arrangements}) == len(arrangements)
    assert {line[0] for line in arrangements} == {order[0]}


def test_arrangements_take_turns_over_the_seeds_and_every_seat_is_had() -> None:
    line_up = LineUp((0, 0, 1, 1))
    seating = line_up.seating(np.arange(3, 8))
    assert_array_equal(seating[:, 0], [[0, 1, 0, 1], [0, 0, 1, 1]] * 2 + [[0, 1, 0, 1]])
    assert_array_equal(seating[1], [[0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0]])
    for number in (0, 1):
        assert_array_equal((seating == number).sum(axis=1), 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_rotations_bring_everyone_of_a_line_up_to_every_seat(players: int) -> None:
    line_up = LineUp(tuple(range(players)))
    everyone = list(range(players))
    seating = line_up.seating(np.arange(len(line_up.arrangements)))
    for arrangement, rotations in zip(line_up.arrangements, seating, strict=True):
        assert [sorted(line) for line in rotations.tolist()] == [everyone] * players
        assert [sorted(column) for column in rotations.T.tolist()] == [everyone] * players
        assert_array_equal(np.diagonal(rotations), 0)
        for line in rotations.tolist():  # the order round the table stays
            start = line.index(0)
            assert tuple(line[start:] + line[:start]) == arrangement


def test_games_are_rounded_up_to_whole_blocks() -> None:
    assert [whole_blocks(games, 3) for games in (1, 3, 4, 2000)] == [1, 1, 2, 667]


def test_chunks_hold_whole_blocks_and_lose_none() -> None:
    line_up = LineUp((0, 1, 2))
    pieces = chunks(line_up, 10, 50, games_at_once=10)
    assert [piece.blocks for piece in pieces] == [3, 3, 3, 1]
    assert [piece.games for piece in pieces] == [9, 9, 9, 3]
    assert_array_equal(np.concatenate([piece.seeds for piece in pieces]), np.arange(50, 60))
    assert_array_equal(np.concatenate([piece.seating for piece in pieces]), line_up.seating(np.arange(10)))
    assert [piece.blocks for piece in chunks(LineUp((0, 1, 1, 1, 1)), 3, 0, games_at_once=1)] == [1, 1, 1]


def test_schedule_refuses_what_cannot_be_played() -> None:
    for refused, said in {
        ("all", 1, 2): "1 agent: a comparison needs at least 2",
        ("some", 2, 2): "tables 'some': known are all, duels, mixed, single, one",
        ("mixed", 3, 4): "3 agents: a mixed table for 4 players needs 4 different ones",
        ("one", 3, 2): "3 agents at a table for 2 players: more agents than seats",
        ("one", 2, 3): "2 agents at a table for 3 players: name as many agents as there are seats",
    }.items():
        with pytest.raises(BadTournament, match=said):
            line_ups(*refused)
    for entrant, told in {"greedy": "'greedy'", 10**5000: "a whole number of 16,610 bits"}.items():
        with pytest.raises(BadTournament, match=rf"{told} is no Entrant: enter\(\) makes them"):
            compare([entrant, "random"], games=4)  # type: ignore[list-item]
    for order, said in {(1, 1): "at least two different", (1, 3): "numbered 0 to 2"}.items():
        with pytest.raises(BadTournament, match=said):
            check_line_up(LineUp(order), 3, 2)
    with pytest.raises(BadTournament, match="-3 games"):
        whole_blocks(-3, 2)
    with pytest.raises(BadTournament, match="seed -1"):
        chunks(LineUp((0, 1)), 1, -1, 100)
    with pytest.raises(BadTournament, match=f"seed {MAX_SEED}.* and the 1 after it"):
        check_seed(MAX_SEED, 2)
    assert chunks(LineUp((0, 1)), 1, MAX_SEED, 100)[0].seeds.tolist() == [MAX_SEED]


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        ([], "without a table"),
        ([(LineUp((0, 1, 1)), 10)], "3 agents at a table for 2 players"),
        ([(LineUp((0, 1)), 10), (LineUp((1, 0)), 20)], "the schedule has it twice"),
        ([(LineUp((0, 1)), 0)], "0 games"),
        ([(LineUp((0, 1)), 10**8 + 1)], "100,000,002 games at all tables together: at most 100,000,000 can be"),
        ([(LineUp((0, 1)), 10**18)], "at most 100,000,000 can be compared"),
    ],
)
def test_a_schedule_that_cannot_be_played_is_refused(schedule: list[tuple[LineUp, int]], said: str) -> None:
    with pytest.raises(BadTournament, match=said):
        compare(enter(["greedy", "random"], seed=0), schedule=schedule)


def test_a_schedule_may_ask_for_fewer_games_of_some_tables() -> None:
    entrants = enter(["greedy", "random", "greedy"], seed=2)
    both = compare(entrants, schedule=[(LineUp((0, 1)), 60), (LineUp((2, 1)), 7)], seed=4)
    assert [table.games for table in both.tables] == [60, 8]
    assert both.games_asked == (60, 7)
    long, short = both.tables
    assert both.turns.value == pytest.approx((60 * long.turns.value + 8 * short.turns.value) / 68)
    assert both.turns.low < both.turns.value < both.turns.high
    assert sum(both.ends.values()) == both.games == 68
    alone = compare(entrants, schedule=[(LineUp((2, 1)), 8)], seed=4)
    assert alone.tables[0].results == both.tables[1].results


@pytest.mark.parametrize("players", PLAYERS)
def test_every_agent_has_every_seat_over_the_same_seeds(players: int) -> None:
    one, other = Watcher("one"), Watcher("other")
    setup = Setup.of(players=players)
    play_line_up(LineUp((0, *[1] * (players - 1))), 4, 50, entrants_of(one, other), setup)
    every = {(seed, seat) for seed in range(50, 54) for seat in range(players)}
    assert one.seen == other.seen == every


@pytest.mark.parametrize("players", [2, 3, pytest.param(5, marks=pytest.mark.slow)])
def test_results_do_not_depend_on_the_size_of_batches(players: int) -> None:
    entrants = enter(["greedy", "random", "greedy"], seed=3)
    setup = Setup.of(players=players)
    first, *others = (compare(entrants, setup, games=60, seed=7, games_at_once=n) for n in (2048, 60, 7, players))
    for other in others:
        assert other.results == first.results
        assert other.ratings == first.ratings
        assert_array_equal(other.totals, first.totals)
        assert_array_equal(other.decisions, first.decisions)


def test_decisions_are_counted_and_progress_is_told() -> None:
    one, other = Watcher("one"), Watcher("other")
    told: list[int] = []
    line_up, entrants = LineUp((1, 0)), entrants_of(one, other)
    played = play_line_up(line_up, 20, 0, entrants, Setup.of(), games_at_once=16, progress=told.append)
    assert played.decisions.tolist() == [one.decisions, other.decisions]
    assert (played.seconds > 0).all()
    assert sum(told) == 40
    assert min(told) > 0


@pytest.mark.parametrize("players", [2, 4])
def test_the_mean_total_of_an_agent_is_over_all_its_seats_and_games(players: int) -> None:
    entrants = enter(["greedy", "random", "random"], seed=0)
    line_up = LineUp((0, 1) if players == 2 else (0, 1, 1, 2))
    played = play_line_up(line_up, 20, 0, entrants, Setup.of(players=players))
    comparison = compare(entrants, Setup.of(players=players), schedule=[(line_up, 20 * players)])
    for number in line_up.agents:
        assert comparison.totals[number] == pytest.approx(played.totals[played.seating == number].mean())
    assert np.isnan(comparison.totals[2]) == (players == 2)  # it sat nowhere


def test_games_that_nobody_decides_and_moves_without_a_choice() -> None:
    """A manor is all there is, and no tiles: most turns pass, and where one can be taken it must be."""
    village = {"name": "Grundow", "buildings": ["manor"], "manor": 5}
    board = Board.of_villages([village], figures=2, coin_supply=30, special_action_tiles=0)
    agent: Any = Watcher("first")
    entrants = [Entrant(str(number), "", 0, agent) for number in range(2)]
    setup = Setup.of(villages=("Grundow",), board=board, max_turns=1)
    told: list[int] = []
    played = play_line_up(LineUp((0, 1)), 200, 0, entrants, setup, progress=told.append)
    batch = Batch(200, setup, autoreset=False)
    batch.reset(np.arange(200))
    assert batch.over.any()  # before anybody decided
    assert sum(told) == 400
    assert agent.decisions == played.decisions.sum() > 0
    assert played.totals.min() == -5  # no town hall


@pytest.mark.parametrize("players", PLAYERS)
def test_an_agent_is_exactly_even_with_itself(players: int) -> None:
    """The same choices in every seat make every rotation the same game, of which each seat is taken once."""
    greedy = enter(["greedy"], seed=0)[0]
    comparison = compare([greedy, greedy], Setup.of(players=players), games=200)
    for result in comparison.results:
        assert result.share.value == pytest.approx(1 / players, abs=1e-12)
        assert result.margin.value == pytest.approx(0, abs=1e-12)


def test_named_twice_an_agent_has_other_chances_and_is_about_even() -> None:
    entrants = enter(["greedy", "greedy", "random", "greedy"], seed=0)
    assert [e.name for e in entrants] == ["greedy", "greedy (2)", "random", "greedy (3)"]
    assert len({e.seed for e in entrants}) == 4
    result = compare(entrants[:2], games=4000).results[0]
    assert 0.46 < result.share.value < 0.54
    assert result.share.value != 0.5


def test_agents_have_the_seeds_of_their_places() -> None:
    again = enter(["random", "random", "random"], seed=1)
    assert [e.seed for e in enter(["greedy", "random"], seed=1)] == [e.seed for e in again][:2]
    assert {e.seed for e in enter(["random", "random"], seed=2)}.isdisjoint(e.seed for e in again)
    with pytest.raises(BadTournament, match="seed -1"):
        enter(["random"], seed=-1)


def test_games_cut_off_are_counted() -> None:
    comparison = compare(enter(["random", "random"], seed=0), Setup.of(max_turns=4), games=20)
    assert comparison.ends == comparison.tables[0].ends == {"no figures": 0, "bank empty": 0, "truncated": 20}
    assert comparison.turns == comparison.tables[0].turns == Estimate(4, 4, 4)


def test_winners_share_the_win() -> None:
    totals = np.array([[3, 9, 9, 2], [-5, -5, -5, -5], [1, 0, -1, 0]])
    assert_array_equal(win_shares(totals), [[0, 0.5, 0.5, 0], [0.25] * 4, [1, 0, 0, 0]])


def test_margin_is_the_lead_over_the_mean_of_the_others() -> None:
    assert_array_equal(margins(np.array([[10, 4, 1], [7, 7, -2]])), [[7.5, -1.5, -6], [4.5, 4.5, -9]])
    assert_array_equal(margins(np.array([40, 43])), [-3, 3])


def test_summary_by_hand() -> None:
    """Two seeds, the first agent in seat 0 and then in seat 1."""
    totals, turns = [[[10, 4], [3, 9]], [[5, 5], [8, 2]]], [[20, 30], [40, 50]]
    played = games_of_two([[[0, 1], [1, 0]]] * 2, totals, turns, ends=[[1, 3], [2, 1]])
    table = summarise(LineUp((0, 1)), played)
    result, other = table.results
    assert table.games == 4
    assert (result.agent, result.copies, other.agent, other.copies) == (0, 1, 1, 1)
    assert result.share.value == (1 + 1 + 0.5 + 0) / 4
    assert [seat.value for seat in result.by_seat] == [0.75, 0.5]
    assert [seat.value for seat in other.by_seat] == [0.5, 0.25]
    assert result.margin.value == -other.margin.value == (6 + 6 + 0 - 6) / 4
    # blocks: 6 and -3, standard deviation 9 / √2, over √2 blocks 4.5; Student's quantile for 1 is 12.706
    assert result.margin.high == pytest.approx(1.5 + 12.7062 * 4.5, abs=1e-3)
    # blocks: 25 and 45, standard deviation 20 / √2, over √2 blocks 10
    assert (table.turns.value, table.turns.high) == pytest.approx((35, 35 + 12.7062 * 10), abs=1e-3)
    assert table.ends == {"no figures": 2, "bank empty": 1, "truncated": 1}
    assert_array_equal(table.wins, [[2, 0], [0.5, 1.5]])


def test_summary_of_copies_is_that_of_one_copy() -> None:
    """One seed, AABB: an agent of two copies that win all has half of the wins a copy; fair is a quarter."""
    seating = LineUp((0, 0, 1, 1)).seating(np.arange(1))
    totals = np.where(seating == 0, 9, 1)
    totals[0, 0] = [9, 5, 1, 1]  # seat 0 alone wins the first rotation
    played = games_of_two(seating, totals, [[8] * 4], [[1] * 4])
    winner, loser = summarise(LineUp((0, 0, 1, 1)), played).results
    assert (winner.copies, loser.copies) == (2, 2)
    assert (winner.share.value, loser.share.value) == (0.5, 0)
    # Copies sit in seat 0 in rotations 0 and 3, in seat 1 in 0 and 1, in seat 2 in 1 and 2, in seat 3 in 2 and 3.
    assert [seat.value for seat in winner.by_seat] == [0.75, 0.25, 0.5, 0.5]
    # 9 against 9, 1, 1 is 16/3 ahead, three times; in the first rotation 9 against 5, 1, 1 and 5 against 9, 1, 1
    assert winner.margin.value == pytest.approx((6 * 16 / 3 + 20 / 3 + 4 / 3) / 8)


def test_means_of_blocks_of_unequal_size_by_hand() -> None:
    # mean 30 / 5; sums less 6 for each value: 4 - 6 = -2 and 26 - 24 = 2; √(2 · 8) / 5 times Student's 12.7062
    estimate = ratio_estimate(np.array([4, 26]), np.array([1, 4]))
    assert (estimate.value, estimate.high) == pytest.approx((6, 6 + 12.7062 * 0.8), abs=1e-3)
    values = np.random.default_rng(4).normal(3, 10, 40)
    same, other = ratio_estimate(7 * values, np.full(40, 7)), mean_estimate(values)
    assert (same.value, same.low, same.high) == pytest.approx((other.value, other.low, other.high))
    assert ratio_estimate(np.array([6]), np.array([2])) == Estimate(3, -math.inf, math.inf)


def test_margin_interval_is_students() -> None:
    values = np.random.default_rng(0).normal(3, 10, 40)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    estimate = mean_estimate(values)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high))


def test_share_interval_by_hand() -> None:
    # p = 3/4; squares about it 1/4; design effect (1/4 + 1/2) / (3 · 3/16 + 1/2) = 12/17; 4 blocks count for 17/3;
    # with q = 3.18245, q² = 10.1280: centre (3/4 + 10.1280 · 3/34) / (1 + 10.1280 · 3/17) = 1.643647 / 2.787294,
    # half 3.18245 · √(3/16 · 3/17 + (3.18245 · 3/34)²) / 2.787292 = 3.18245 · 0.334573 / 2.787294
    estimate = share_estimate(np.array([1, 0.5, 1, 0.5]))
    assert estimate.value == 0.75
    assert estimate.low == pytest.approx(0.589692 - 0.382007, abs=2e-5)
    assert estimate.high == pytest.approx(0.589692 + 0.382007, abs=2e-5)


@pytest.mark.parametrize("won", [5000, 9000, 9990, 10_000, 0])
def test_share_interval_of_blocks_won_or_lost_as_a_whole_is_wilsons(won: int) -> None:
    expected = stats.binomtest(won, 10_000).proportion_ci(0.95, method="wilson")
    estimate = share_estimate(np.repeat([1.0, 0.0], [won, 10_000 - won]))
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=3e-6, rel=1e-4)


@pytest.mark.parametrize("blocks", [2, 10, 1000])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_equal_blocks_do_not_promise_certainty(share: float, blocks: int) -> None:
    estimate = share_estimate(np.full(blocks, share))
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.high - estimate.low > 1 / blocks


def test_one_block_says_nothing_of_the_spread() -> None:
    assert share_estimate(np.array([0.5])) == Estimate(0.5, 0, 1)
    assert mean_estimate(np.array([7.0])) == Estimate(7, -math.inf, math.inf)


def simulated(share: float, players: int, luck: float, shape: tuple[int, int], seed: int) -> np.ndarray:
    """Shares of blocks, of the given shape, whose true mean is ``share``.

    luck: how much the games of a block have in common, 0 to 1; negative if luck in one seat is bad luck in the next.
    """
    rng = np.random.default_rng(seed)
    common = rng.standard_normal((*shape, 1))
    if luck < 0:
        common = common * np.where(np.arange(players) % 2, 1, -1)
    latent = math.sqrt(abs(luck)) * common + math.sqrt(1 - abs(luck)) * rng.standard_normal((*shape, players))
    return (latent < stats.norm.ppf(share)).mean(axis=2)


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [20, 200])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
@pytest.mark.parametrize(("players", "luck"), [(2, -0.6), (2, 0.0), (2, 0.6), (4, 0.3), (5, 0.9)])
def test_share_interval_covers_the_truth(share: float, players: int, luck: float, blocks: int) -> None:
    """Meant are 95 in 100; few blocks may have more. 0.93 is four standard errors off with 2,000 trials."""
    samples = simulated(share, players, luck, (2000, blocks), seed=blocks)
    estimates = [share_estimate(sample) for sample in samples]
    covered = np.mean([e.low <= share <= e.high for e in estimates])
    assert covered >= 0.93
    if blocks == 200:
        assert covered <= 0.98
        assert np.mean([e.high < share for e in estimates]) < 0.045  # neither end alone is too far in
        assert np.mean([e.low > share for e in estimates]) < 0.045


PER_BLOCK = ("seating", "totals", "turns", "ends", "luck", "failed")


@pytest.mark.slow
@pytest.mark.parametrize("order", [(0, 0, 1, 1), (0, 0, 1, 2), (1, 0, 0)])
def test_share_interval_covers_the_truth_of_agents_with_copies(order: tuple[int, ...]) -> None:
    """As above, for the agent with two seats, whose share cannot be more than a half."""
    entrants = enter(["greedy", "random", "greedy"], seed=0)
    played = play_line_up(LineUp(order), 2000, 0, entrants, Setup.of(players=len(order)))
    truth = summarise(LineUp(order), played).results[LineUp(order).agents.index(0)].share.value
    drawn = np.random.default_rng(5).integers(0, 2000, (1000, 60))
    samples = (replace(played, **{name: getattr(played, name)[rows] for name in PER_BLOCK}) for rows in drawn)
    found = [summarise(LineUp(order), sample).results[LineUp(order).agents.index(0)] for sample in samples]
    assert {result.copies for result in found} == {2}
    assert 0.93 <= np.mean([result.share.low <= truth <= result.share.high for result in found]) <= 0.98


def test_the_example_in_the_docstring() -> None:
    assert doctest.testmod(agents.tournament).failed == 0
