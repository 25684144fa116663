"""One seat learns: its decisions, and nothing but its own rewards, each with its own last decision.

:class:`Table` says what one game of SelfPlay should do. It plays through the PettingZoo environment, which
test_pettingzoo.py compares with the rules.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import chi2_contingency, chisquare

from agents.players import registry as base
from bohemian_env import BadSetup, Board, Game, IllegalMove, observation_parts
from bohemian_env.bohemian_villages_v0 import raw_env
from bohemian_env.envs.self_play import Opponent, SelfPlay
from bohemian_env.game import rules
from bohemian_env.game.setup import MAX_SEED
from bohemian_env.opponents import Scripted
from tests.helpers import BOARD

FROZEN = Board.load(BOARD)
ACTIONS, OBSERVATION = 241, 686


class Picky:
    """A policy: which legal action it takes follows from the bytes of the observation and from its name."""

    def __init__(self, name: int = 0) -> None:
        self.name = name

    def pick(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The action for one observation."""
        legal = np.flatnonzero(mask)
        return int(legal[zlib.crc32(observation.tobytes(), self.name) % len(legal)])

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As PolicyOpponent.act."""
        return np.array([self.pick(*row) for row in zip(observations, masks, strict=True)])


class Recorded:
    """A policy that notes the rows of each call, and answers for another one."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.calls: list[tuple[np.ndarray, np.ndarray]] = []

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As PolicyOpponent.act."""
        self.calls.append((observations.copy(), masks.copy()))
        return self.policy.act(observations, masks)


class Table:
    """One game after the other: the learner's seat moves on, ``play`` takes the other seats' actions."""

    def __init__(self, seed: int, seat: int, opponent: Opponent, players: int, **parameters: Any) -> None:
        self.env = raw_env(players, **parameters)
        self.seed, self.seat, self.opponent = seed, seat, opponent
        self._begin()
        self._go_on()

    def _begin(self) -> None:
        self.env.reset(seed=self.seed)
        self.acted = False

    def _over(self) -> bool:
        return any(self.env.terminations.values()) or any(self.env.truncations.values())

    def _play(self) -> int:
        """The opponent's action: a scripted one's as it plays in the environment, a policy's from what is seen."""
        if isinstance(self.opponent, Scripted):
            return base.make(self.opponent.name, self.opponent.seed).act(self.env)
        seen = self.env.observe(self.env.agent_selection)
        return int(self.opponent.act(seen["observation"][None], seen["action_mask"][None])[0])

    def _go_on(self) -> None:
        """Go on to the learner's next decision."""
        self.reward, self.done, self.cut_off, self.asked = 0.0, False, False, 0
        while True:
            name = f"player_{self.seat}"
            if self._over():
                if self.acted:
                    assert not self.done, "two games of the learner have ended in one step"
                    self.done, self.reward, self.cut_off = True, self.env.rewards[name], self.env.truncations[name]
                    self.final = self.env.observe(name)["observation"]
                    self.totals = [row["total"] for row in self.env.outcome().scoring]
                    self.learner = self.seat
                self.seed = int(rules.next_seed(np.uint64(self.seed)))
                self.seat = (self.seat + 1) % self.env.num_players
                self._begin()
            elif self.env.agent_selection == name:
                break
            else:
                self.asked += 1
                self.env.step(self._play())
        seen = self.env.observe(name)
        self.observation, self.mask = seen["observation"], seen["action_mask"]

    def step(self, action: int) -> None:
        """The learner acts."""
        self.acted = True
        self.env.step(action)
        self._go_on()


def waits_like(games: SelfPlay, i: int, table: Table) -> bool:
    """Whether game i waits for the learner as the table does."""
    return (
        games.observations[i].tobytes() == table.observation.tobytes()
        and games.masks[i].tobytes() == table.mask.tobytes()
        and games.learners[i] == table.seat
        and int(games.seeds[i]) == table.seed
    )


def check(games: SelfPlay, i: int, table: Table) -> None:
    """Game i is the table's, in all that SelfPlay shows of it."""
    assert waits_like(games, i, table)
    check_step(games, i, table)


def check_step(games: SelfPlay, i: int, table: Table) -> None:
    """What the last step of game i brought is what it brought at the table."""
    assert (games.dones[i], games.cut_off[i]) == (table.done, table.cut_off)
    assert games.rewards[i] == np.float32(table.reward)
    if table.done:
        assert games.final_observations[i].tobytes() == table.final.tobytes()
        own, best = table.totals[table.learner], max(table.totals)
        others = (sum(table.totals) - own) / (len(table.totals) - 1)
        assert games.ended.margin[i] == pytest.approx(own - others, abs=1e-4)
        assert games.ended.win[i] == pytest.approx((own == best) / table.totals.count(best))


def chooser(seed: int = 0) -> Callable[[np.ndarray], np.ndarray]:
    """A random legal action for each row of masks; each row has chances of its own."""
    games: dict[int, random.Random] = {}

    def choose(masks: np.ndarray) -> np.ndarray:
        rows = ((games.setdefault(i, random.Random(1_000 * seed + i)), mask) for i, mask in enumerate(masks))
        return np.array([rng.choice(np.flatnonzero(mask).tolist()) for rng, mask in rows])

    return choose


def steps(games: SelfPlay, count: int) -> None:
    """So many steps in which the learner takes its first legal action."""
    for _ in range(count):
        games.step(games.masks.argmax(axis=1))


def everything(games: SelfPlay) -> dict[str, Any]:
    """All that the games show, in a form that can be compared and that nobody changes later."""
    names = ("states", "observations", "masks", "rewards", "dones", "cut_off", "learners", "seeds")
    return {name: getattr(games, name).tobytes() for name in names}


# --- two games written out --------------------------------------------------------------------------------------

HAND = Board.of_villages(
    [
        {"name": "Hand", "buildings": ["tailor", "farm", "inn", "manor"], "manor": 6},
        {"name": "Side", "buildings": ["mill", "farm", "church"]},
    ],
    figures=2,
    coin_supply=300,
    special_action_tiles=0,
)
TALES: dict[int, tuple[int, list[tuple[int, tuple[int, ...], str]], list[int], list[float]]] = {
    2: (
        235,
        [
            (0, (1, 5, 5, 5), "1+5:mill@Side"),  # the only mill: pays 2, and the figure comes back
            (0, (5, 5), "5+5:bishop"),
            (1, (1, 2, 5, 6), "2+6:farm@Side"),  # pays 1
            (1, (1, 5), "1+5:mill@Side"),  # pays 2, and comes back
            # turn 3: 5 5 5 5. Seat 0 has the bishop, so its turn passes
            (1, (1, 2, 2, 4), "1+4:tailor@Hand"),  # the last figure of seat 1
            (1, (2, 2), "2+2:bishop"),  # the last decision of seat 1
            (0, (1, 3, 6, 6), "6+6:manor@Hand"),  # pays 6; with 1 3 nothing is left but to stop
            # seat 1 has no figure in hand: the end (R4)
        ],
        [8 - 5, 3 - 5 + 1],  # coins, no town hall; a shop
        [0.08, -0.08],
    ),
    3: (
        3,
        [
            (0, (3, 4, 5, 5), "3+5:farm@Hand"),  # pays 1
            (0, (4, 5), "end"),
            (1, (1, 2, 3, 6), "3+6:inn@Hand"),
            (2, (2, 4, 4, 5), "4+4:farm@Side"),  # pays 1
            (0, (1, 3, 4, 5), "3+5:farm@Side"),  # kicks seat 2 out, pays 2; the last decision of seat 0
            (1, (1, 3, 5, 6), "5+6:church@Side"),  # the last decision of seat 1
            (2, (3, 5, 6, 6), "6+6:manor@Hand"),  # pays 6
            (2, (3, 5), "end"),
            # seat 0 has no figure in hand: the end (R4)
        ],
        [3 - 5, 0 - 5 + 10, 7 - 5],  # coins, no town hall; the most churches
        [-0.11, 0.1, 0.01],  # -2 - 3.5, 5 - 0, 2 - 1.5, in fifties
    ),
}
"""Players to: the seed, the decisions with the dice at hand, the totals, and the margin rewards."""


@pytest.mark.parametrize("players", TALES)
def test_each_learner_receives_its_own_reward_with_its_own_last_decision(players: int) -> None:
    """The same game three times (or twice), with the learner in each seat; whoever moves last, and whoever is next."""
    seed, story, totals, rewards = TALES[players]
    parameters: dict[str, Any] = {"villages": ["Hand", "Side"], "board": HAND}
    env = raw_env(players, reward="margin", **parameters)
    env.reset(seed=seed)
    game = Game.new(players, seed=seed, **parameters).roll()
    book: dict[bytes, int] = {}
    decisions: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in range(players)]
    for seat, dice, text in story:
        assert (game.to_move, game.dice) == (seat, dice)
        game = game.push(text)
        while game.needs_roll:
            game = game.roll()
        seen, action = env.observe(f"player_{seat}"), env.text_to_action(text)
        decisions[seat].append((seen["observation"], seen["action_mask"], action))
        book[seen["observation"].tobytes()] = action
        env.step(action)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "no figures"
    assert [row["total"] for row in outcome.scoring] == totals

    class Teller:
        """Plays the story, and after it the first legal action."""

        def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            rows = zip(observations, masks, strict=True)
            return np.array([book.get(row.tobytes(), mask.argmax()) for row, mask in rows])

    games = SelfPlay(players, [Teller()], num_players=players, reward="margin", **parameters)
    games.reset([seed] * players)
    assert games.learners.tolist() == list(range(players))
    for step in range(max(map(len, decisions))):
        actions = games.masks.argmax(axis=1)
        for seat in range(players):
            if step < len(decisions[seat]):
                observation, mask, actions[seat] = decisions[seat][step]
                assert games.observations[seat].tobytes() == observation.tobytes()
                assert games.masks[seat].tobytes() == mask.tobytes()
        games.step(actions)
        for seat in range(players):
            if step < len(decisions[seat]):
                last = step == len(decisions[seat]) - 1
                assert games.dones[seat] == last
                assert games.rewards[seat] == pytest.approx(rewards[seat] if last else 0, abs=1e-7)
                if last:
                    final = env.observe(f"player_{seat}")["observation"]
                    assert games.final_observations[seat].tobytes() == final.tobytes()
                    assert games.ended.win[seat] == (totals[seat] == max(totals))
                    assert games.ended.margin[seat] == pytest.approx(50 * rewards[seat], abs=1e-5)
                    assert not games.cut_off[seat]
                    assert games.learners[seat] == (seat + 1) % players


# --- against the PettingZoo environment -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponent", [Scripted("random", 3), Scripted("greedy", 4), Picky()], ids=["random", "greedy", "policy"]
)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_games_are_those_of_the_environment(players: int, opponent: Any) -> None:
    """With scripted opponents that play as the agents of that name, or a policy; through several games in a row."""
    parameters: dict[str, Any] = {
        "board": FROZEN,
        "coin_supply": 7 * players - 5,
        "max_turns": 4 * players,
        "reward": "mixed",
    }
    n = 3 * players
    games = SelfPlay(n, [opponent], num_players=players, seed=500, **parameters)
    tables = [Table(500 + i, i % players, opponent, players, **parameters) for i in range(n)]
    choose, ends = chooser(players), Counter[tuple[int, bool]]()
    for i, table in enumerate(tables):
        assert waits_like(games, i, table)
    for _ in range(60):
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
            if table.done:
                ends[table.learner, table.cut_off] += 1
    assert set(ends) == {(seat, cut_off) for seat in range(players) for cut_off in (False, True)}


def test_games_in_which_the_learner_never_acts_are_dealt_again() -> None:
    """With one turn a game, only seat 0 ever acts: the others' games are gone through without a word."""
    opponent = Recorded(Picky())
    games = SelfPlay(6, [opponent], num_players=3, board=FROZEN, max_turns=1, reward="win", seed=40)
    seeds = [[40 + i] for i in range(6)]
    for row in seeds:
        for _ in range(20):
            row.append(int(rules.next_seed(np.uint64(row[-1]))))
    skipped = [-i % 3 for i in range(6)]  # until the learner's seat is 0
    assert games.learners.tolist() == [0] * 6
    assert games.seeds.tolist() == [seeds[i][skipped[i]] for i in range(6)]
    assert len(opponent.calls) > 0
    tables = [Table(40 + i, i % 3, Picky(), 3, board=FROZEN, max_turns=1) for i in range(6)]
    choose, ends = chooser(), 0
    for _ in range(12):
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
        ends += int(games.dones.sum())
        assert (games.dones == games.cut_off).all()
        assert set(games.rewards[~games.dones].tolist()) <= {0}
        assert games.learners.tolist() == [0] * 6
    assert ends > 20


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_learners_seat_moves_on_with_every_game(players: int) -> None:
    n = 7
    games = SelfPlay(n, [Scripted("random")], num_players=players, max_turns=3 * players)
    seats = [i % players for i in range(n)]
    assert games.learners.tolist() == seats
    ends = 0
    for _ in range(60):
        games.step(games.masks.argmax(axis=1))
        seats = [(seat + done) % players for seat, done in zip(seats, games.dones.tolist(), strict=True)]
        assert games.learners.tolist() == seats
        parts = observation_parts(games.observations)
        assert parts["to_move"].tolist() == [[1, 0, 0, 0, 0]] * n  # the learner sees itself first
        ends += int(games.dones.sum())
    assert ends > 4 * n


# --- which opponent ---------------------------------------------------------------------------------------------


def mixture() -> list[Opponent]:
    """Scripted opponents and policies."""
    return [Scripted("random", 3), Picky(1), Scripted("greedy"), Picky(2), Scripted("random", 4)]


@pytest.mark.parametrize("players", [2, 3])
def test_one_opponent_plays_all_the_other_seats_of_a_game(players: int) -> None:
    """Drawn anew for each game. Which it was is told at the end: the game went as it goes with this opponent alone."""
    opponents = mixture()
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 6 * players, "reward": "margin"}

    def tables_of(seed: int, seat: int) -> dict[int, Table]:
        return {k: Table(seed, seat, opponent, players, **parameters) for k, opponent in enumerate(opponents)}

    games = SelfPlay(6, opponents, num_players=players, seed=9, **parameters)
    tables = [tables_of(9 + i, i % players) for i in range(6)]
    choose, told, alone = chooser(1), Counter[int](), 0
    for _ in range(70):
        for i in range(6):
            tables[i] = {k: table for k, table in tables[i].items() if waits_like(games, i, table)}
            assert tables[i], "no opponent plays like this"
        actions, seeds, seats = choose(games.masks), games.seeds.tolist(), games.learners.tolist()
        games.step(actions)
        for i in range(6):
            for table in tables[i].values():
                table.step(int(actions[i]))
            if games.dones[i]:
                told[int(games.ended.opponent[i])] += 1
                alone += len(tables[i]) == 1
                check_step(games, i, tables[i][int(games.ended.opponent[i])])
                tables[i] = tables_of(int(rules.next_seed(np.uint64(seeds[i]))), (seats[i] + 1) % players)
    assert set(told) == set(range(len(opponents)))
    assert alone > sum(told.values()) / 2


def test_in_mixed_games_every_seat_draws_its_own_opponent() -> None:
    """By the shares, one game in two; the actions of each opponent tell its seats apart."""
    n = 2000
    games = SelfPlay(n, [Scripted("random", k) for k in range(3)], [1, 2, 1], num_players=4, max_turns=8, mixed=0.5)
    tables = games._tables
    mixed, opponents, seats = tables["mixed"], tables["opponents"][:, :4], games.learners
    assert abs(mixed.mean() - 0.5) < 0.05
    assert (opponents[~mixed] == opponents[~mixed][:, :1]).all()
    own = opponents[mixed]
    expected = np.array([0.25, 0.5, 0.25])
    for seat in range(4):
        assert np.abs(np.bincount(own[:, seat], minlength=3) / len(own) - expected).max() < 0.06
        for other in range(seat):  # independent of each other
            assert abs((own[:, seat] == own[:, other]).mean() - (expected**2).sum()) < 0.06
    before, opponent_before = mixed.copy(), opponents[:, 0].copy()
    while not games.dones.any():
        before, opponent_before = mixed.copy(), opponents[:, 0].copy()
        games.step(games.masks.argmax(axis=1))
    done = games.dones
    told = games.ended.opponent[done]
    assert (told == np.where(before[done], -1, opponent_before[done])).all()
    assert set(told.tolist()) == {-1, 0, 1, 2}
    assert seats.max() == 3


def test_the_opponent_of_a_seat_is_the_one_that_plays_it() -> None:
    """A policy is asked in the games in which the seat to move is its own."""
    asked: list[np.ndarray] = []

    class Watching(Picky):
        def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            waiting = games._tables["waiting"] == 0
            seats = games.states["to_move"][waiting]
            assert (games._tables["opponents"][waiting, seats] == 0).all()
            asked.append(games._tables["mixed"][waiting].copy())
            return super().act(observations, masks)

    games = SelfPlay(50, [Scripted("random")], num_players=3, mixed=1.0)
    games.opponents = [Watching(1), Scripted("greedy")]
    games.set_shares([1, 1])
    games.reset(7)
    for _ in range(20):
        games.step(games.masks.argmax(axis=1))
    assert sum(map(len, asked)) > 200
    assert all(mixed.all() for mixed in asked)


def test_two_players_have_no_mixed_games() -> None:
    """And the games are those that they would be without."""
    plain, mixed = (SelfPlay(40, mixture(), seed=3, mixed=part) for part in (0.0, 1.0))
    for _ in range(40):
        assert_array_equal(plain.observations, mixed.observations)
        actions = plain.masks.argmax(axis=1)
        plain.step(actions)
        mixed.step(actions)
    assert not mixed._tables["mixed"].any()
    with pytest.raises(BadSetup, match=r"mixed 1\.5 is not from 0 to 1"):
        SelfPlay(1, mixture(), mixed=1.5)


def drawn(shares: list[float] | None, count: int, n: int = 500) -> tuple[np.ndarray, np.ndarray]:
    """Opponents and learner's seats of the first ``count`` games to end, out of short ones."""
    opponents = [Scripted("random", k) for k in range(3)]
    games = SelfPlay(n, opponents, shares, num_players=3, max_turns=3, seed=12_345)
    found: list[tuple[int, int]] = []
    while len(found) < count:
        seats = games.learners.copy()
        games.step(games.masks.argmax(axis=1))
        found += zip(games.ended.opponent[games.dones].tolist(), seats[games.dones].tolist(), strict=True)
    opponent, seat = np.array(found[:count]).T
    return opponent, seat


@pytest.mark.parametrize(
    ("shares", "expected"),
    [(None, [1, 1, 1]), ([1, 2, 5], [1, 2, 5]), ([0.01, 0.01, 0.03], [1, 1, 3]), ([7e5, 2e5, 1e5], [7, 2, 1])],
)
def test_opponents_are_drawn_by_their_shares(shares: list[float] | None, expected: list[int]) -> None:
    """And bound to nothing, such as the learner's seat."""
    opponent, seat = drawn(shares, 6_000)
    likely = np.array(expected) / sum(expected) * len(opponent)
    assert chisquare(np.bincount(opponent, minlength=3), likely).pvalue > 1e-3
    assert chi2_contingency(np.histogram2d(opponent, seat, 3)[0]).pvalue > 1e-3
    assert len(set(seat.tolist())) == 3


@pytest.mark.parametrize("shares", [[0, 1, 0], [0, 0, 2], [3, 0, 0], [1, 0, 1]])
def test_an_opponent_without_a_share_never_plays(shares: list[float]) -> None:
    assert set(drawn(shares, 2_000)[0].tolist()) == {k for k in range(3) if shares[k]}


def test_new_shares_are_for_games_that_begin_from_now_on() -> None:
    games = SelfPlay(40, [Picky(0), Picky(1)], [1, 0], max_turns=8)
    games.step(games.masks.argmax(axis=1))
    games.set_shares([0, 1])
    rounds = np.zeros(40, int)
    for _ in range(40):
        games.step(games.masks.argmax(axis=1))
        assert (games.ended.opponent[games.dones] == (rounds[games.dones] > 0)).all()
        rounds += games.dones
    assert rounds.min() > 1


def test_opponents_are_bound_to_the_seed_of_the_game() -> None:
    """The same game has the same opponent, in any batch."""
    first, again = drawn([1, 2, 3], 100, n=500)[0], drawn([1, 2, 3], 100, n=500)[0]
    assert first.tolist() == again.tolist()


@pytest.mark.parametrize("shares", [[1], [1, 1, 1], [1, -1], [0, 0], [1, np.nan], [1, np.inf], [[1, 1]], 1])
def test_bad_shares_are_refused(shares: Any) -> None:
    with pytest.raises(BadSetup, match="are not 2 numbers of at least 0"):
        SelfPlay(1, [Scripted("random"), Picky()], shares)
    games = SelfPlay(1, [Scripted("random"), Picky()])
    with pytest.raises(BadSetup, match="are not 2 numbers of at least 0"):
        games.set_shares(shares)


# --- policies ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_a_policy_gets_one_call_a_round_for_all_games_that_wait_for_it(players: int) -> None:
    """In a step, the first call has a row for every game in which it acts, the second for those in which it acts
    again, and so on. It sees what the seat that is to move sees."""
    opponent, n = Recorded(Picky()), 8
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 5 * players}
    games = SelfPlay(n, [opponent], num_players=players, seed=3, **parameters)
    tables = [Table(3 + i, i % players, Picky(), players, **parameters) for i in range(n)]
    choose, most = chooser(), 0
    for step in range(40):
        rounds = range(1, max(table.asked for table in tables) + 1)
        sizes = [sum(table.asked >= k for table in tables) for k in rounds]
        assert [len(masks) for _, masks in opponent.calls] == sizes
        for observations, masks in opponent.calls:
            assert (observations.shape, observations.dtype) == ((len(masks), OBSERVATION), np.int8)
            assert (masks.shape, masks.dtype) == ((len(masks), ACTIONS), np.int8)
            assert masks.any(axis=1).all()
            assert (observation_parts(observations)["to_move"] == [1, 0, 0, 0, 0]).all()
        most = max(most, len(sizes))
        opponent.calls.clear()
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
        assert step or opponent.calls
    assert most > players


def test_policies_are_called_for_their_own_games_only() -> None:
    """Beside scripted opponents, and never with nothing to answer."""
    one, two = Recorded(Picky(1)), Recorded(Picky(2))
    games = SelfPlay(12, [one, Scripted("random"), two], [1, 2, 1], max_turns=20, seed=2)
    choose, told = chooser(), Counter[int]()
    for _ in range(60):
        games.step(choose(games.masks))
        told.update(games.ended.opponent[games.dones].tolist())
    asked = {k: sum(len(masks) for _, masks in policy.calls) for k, policy in ((0, one), (2, two))}
    for k, policy in ((0, one), (2, two)):
        assert all(len(masks) for _, masks in policy.calls)
        assert 4 < asked[k] / told[k] < 30
    assert set(told) == {0, 1, 2}


def test_a_policy_can_be_replaced_while_games_go_on() -> None:
    """From the next decision on; here by one that plays otherwise."""
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 30}
    games = SelfPlay(3, [Picky(0)], seed=70, **parameters)
    tables = [Table(70 + i, i % 2, Picky(0), 2, **parameters) for i in range(3)]
    choose, differed = chooser(), 0
    for step in range(30):
        if step == 5:
            games.opponents[0] = Picky(1)
            for table in tables:
                table.opponent = Picky(1)
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
    other = [Table(70 + i, i % 2, Picky(0), 2, **parameters) for i in range(3)]
    differed = sum(not waits_like(games, i, table) for i, table in enumerate(other))
    assert differed == 3


@pytest.mark.parametrize("bad", [-1, ACTIONS, 10_000, None])
def test_an_illegal_action_of_a_policy_is_named(bad: int | None) -> None:
    """None stands for an action that exists, but is not legal. The policy is number 1."""

    class Cheat(Picky):
        """A policy that takes an illegal action in the last of its games."""

        cheats = False

        def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            actions = super().act(observations, masks)
            if self.cheats:
                actions[-1] = masks[-1].argmin() if bad is None else bad
            return actions

    cheat = Cheat()
    games = SelfPlay(3, [Scripted("random"), cheat], [0, 1], num_players=2, seed=1)
    cheat.cheats = True
    with pytest.raises(IllegalMove, match=r"game \d: opponent 1 may not take it"):
        steps(games, 9)
    cheat.cheats = False
    games.reset(1)
    assert games.masks.any(axis=1).all()


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: np.append(actions, 0),
        lambda actions: actions[:-1],
        lambda actions: actions[:, None],
        lambda actions: actions + 0.9,
        lambda actions: actions[0],
        lambda actions: None,
    ],
    ids=["longer", "shorter", "a column", "fractions", "one number", "nothing"],
)
def test_a_policy_answers_with_as_many_whole_numbers(answer: Callable[[np.ndarray], Any]) -> None:
    class Careless(Picky):
        """A policy whose answer has another shape or type."""

        def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return answer(super().act(observations, masks))

    with pytest.raises(ValueError, match=r"opponent 0.*whole numbers"):
        steps(SelfPlay(8, [Careless()]), 9)


# --- nothing but the games --------------------------------------------------------------------------------------


def test_a_game_is_the_same_among_any_number() -> None:
    """And begins anew by reset as it began."""
    opponents = mixture()
    parameters: dict[str, Any] = {"num_players": 3, "board": FROZEN, "max_turns": 15, "reward": "margin"}
    many, few = SelfPlay(8, opponents, seed=60, **parameters), SelfPlay(3, opponents, seed=60, **parameters)
    alone = SelfPlay(1, opponents, **parameters)
    names = ("observations", "masks", "rewards", "dones", "cut_off", "learners", "seeds", "states")
    for _ in range(2):
        choose = chooser()
        alone.reset(60)
        ends = 0
        for _ in range(40):
            for name in names:
                rows = getattr(many, name)
                assert rows[:3].tobytes() == getattr(few, name).tobytes()
                assert rows[:1].tobytes() == getattr(alone, name).tobytes()
            for name in ("opponent", "win", "margin"):
                rows = getattr(many.ended, name)
                assert rows[:3][few.dones].tobytes() == getattr(few.ended, name)[few.dones].tobytes()
            done = many.dones
            assert many.final_observations[:3][few.dones].tobytes() == few.final_observations[few.dones].tobytes()
            ends += int(done.sum())
            actions = choose(many.masks)
            for games in (many, few, alone):
                games.step(actions[: games.n])
        assert ends > 20
        for games in (many, few):
            games.reset(60)


def test_seeds_one_by_one() -> None:
    games = SelfPlay(3, [Picky()], num_players=2)
    assert games.seeds.tolist() == [0, 1, 2]
    games.reset([5, MAX_SEED, 5])
    assert games.seeds.tolist() == [5, MAX_SEED, 5]
    assert games.observations[0].tobytes() == games.observations[2].tobytes()
    assert SelfPlay(1, [Picky()], seed=44).seeds.tolist() == [44]


@pytest.mark.parametrize("seed", [-1, MAX_SEED, 2**64, 1.5, "7", True, [1], [1, 2, 3]])
def test_bad_seeds_are_refused(seed: Any) -> None:
    games = SelfPlay(2, [Picky()])
    games.step(games.masks.argmax(axis=1))
    before = everything(games)
    with pytest.raises(BadSetup, match="seed"):
        games.reset(seed)
    assert everything(games) == before


@pytest.mark.parametrize("reward", ["win", "margin", "mixed"])
def test_the_reward_is_the_one_asked_for(reward: str) -> None:
    games = SelfPlay(6, [Scripted("random")], num_players=3, max_turns=9, reward=reward)
    ends = 0
    for _ in range(40):
        games.step(games.masks.argmax(axis=1))
        for i in np.flatnonzero(games.dones):
            margin = max(-1, min(1, games.ended.margin[i] / 50))
            share = games.ended.win[i]
            if share in (0, 1):  # nobody shares the win with the learner; the losers may be one or two
                win = {1: [1], 0: [-1, -0.5]}[int(share)]
                likely = {"win": win, "margin": [margin], "mixed": [(w + margin) / 2 for w in win]}[reward]
                assert any(games.rewards[i] == pytest.approx(value, abs=1e-6) for value in likely)
                ends += 1
    assert ends > 10


@pytest.mark.parametrize("bad", [-1, ACTIONS, 2**62, None])
def test_an_illegal_action_of_the_learner_changes_nothing(bad: int | None) -> None:
    """None stands for an action that exists, but is not legal in game 2."""
    games = SelfPlay(4, mixture(), num_players=3)
    choose = chooser()
    for _ in range(7):
        games.step(choose(games.masks))
    before = everything(games)
    actions = choose(games.masks)
    actions[2] = games.masks[2].argmin() if bad is None else bad
    actions[3] = -1
    with pytest.raises(IllegalMove, match=f"action {actions[2]}.*game 2: the learner may not take it"):
        games.step(actions)
    assert everything(games) == before
    games.step(choose(games.masks))


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], 0, [[0, 0]], [0.0, 0.0], [True, False], ["0", "0"], []])
def test_actions_are_as_many_whole_numbers(actions: Any) -> None:
    games = SelfPlay(2, [Picky()])
    before = everything(games)
    with pytest.raises(ValueError, match="are not 2 whole numbers"):
        games.step(actions)
    assert everything(games) == before


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"n": 0}, "n 0 is not"),
        ({"n": 1.5}, "n 1.5 is not"),
        ({"n": True}, "n True is not"),
        ({"opponents": []}, "no opponents"),
        ({"num_players": 6}, "6 players"),
        ({"villages": ["Atlantis"]}, "Atlantis"),
        ({"coin_supply": 0}, "coin_supply 0"),
        ({"max_turns": 0}, "max_turns 0"),
        ({"reward": "points"}, "unknown reward"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        SelfPlay(**({"n": 2, "opponents": [Picky()]} | parameters))


def test_an_unknown_scripted_opponent_is_refused() -> None:
    with pytest.raises(ValueError, match="known are random, greedy"):
        Scripted("clever")
