"""Which opponent plays which seat of a game in which one seat learns."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import chi2_contingency, chisquare

import agents
from agents.players.foreign import ForeignAgent
from bohemian_env import BadSetup, Game, IllegalMove, afterstates
from bohemian_env.engine import self_play
from bohemian_env.engine.dealing import next_seed
from bohemian_env.engine.parts import JOIN
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.observation import OFFSETS
from bohemian_env.villages.opponents import Scripted
from tests.helpers import FROZEN
from tests.test_engine.learner_table import Picky, Table, check_step, chooser, mixture, steps, waits_like

COINS = slice(OFFSETS["coins"], OFFSETS["coins"] + 2)
"""Where an observation has the coins of the seat that sees it."""


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
                tables[i] = tables_of(int(next_seed(np.uint64(seeds[i]))), (seats[i] + 1) % players)
    assert set(told) == set(range(len(opponents)))
    assert alone > sum(told.values()) / 2


def test_in_mixed_games_every_seat_draws_its_own_opponent() -> None:
    """By the shares, one game in two; the actions of each opponent tell its seats apart."""
    n = 2000
    games = SelfPlay(n, [Scripted("random", k) for k in range(3)], [1, 2, 1], num_players=4, max_turns=8, mixed=0.5)
    tables = games._games.tables
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
        def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
            waiting = games._games.tables["waiting"] == 0
            seats = games.states["to_move"][waiting]
            assert (games._games.tables["opponents"][waiting, seats] == 0).all()
            asked.append(games._games.tables["mixed"][waiting].copy())
            return super().act(observations, masks)

    games = SelfPlay(50, [Scripted("random")], num_players=3, mixed=1.0)
    games.opponents = [Watching(1), Scripted("greedy")]
    games.set_shares([1, 1])
    games.reset(7)
    steps(games, 20)
    assert sum(map(len, asked)) > 200
    assert all(mixed.all() for mixed in asked)


def test_opponents_are_never_fewer_than_those_that_sit_in_games() -> None:
    """Compiled code has their numbers."""
    games = SelfPlay(8, ["random", "greedy"], seed=1)
    states = games.states.copy()
    actions = games.masks.argmax(axis=1)
    for taken_away in ([games.opponents[0]], [*games.opponents, Scripted("planner")]):
        kept, games.opponents = games.opponents, taken_away
        for act in (lambda: games.step(actions), lambda: games.reset(2)):
            with pytest.raises(BadSetup, match=rf"{len(taken_away)} opponents: there are shares of 2"):
                act()
        games.opponents = kept
    games.opponents = games.opponents[:1]
    with pytest.raises(BadSetup, match="1 opponents: some of the 2 that there were may sit in games"):
        games.set_shares([1])
    games.opponents = "random"  # type: ignore[assignment]
    with pytest.raises(BadSetup, match="'random' is not a list"):
        games.set_shares([1] * 6)
    games.opponents = [Scripted("random"), 5]  # type: ignore[list-item]
    with pytest.raises(BadSetup, match="opponent 5 is neither"):
        games.step(actions)
    assert_array_equal(games.states, states)
    games.opponents = ["planner", "random", "greedy"]  # type: ignore[list-item]
    games.set_shares([1, 1, 1])
    steps(games, 200)
    assert {*games.ended.opponent} == {0, 1, 2}


def test_two_players_have_no_mixed_games() -> None:
    """And the games are those that they would be without."""
    plain, mixed = (SelfPlay(40, mixture(), seed=3, mixed=part) for part in (0.0, 1.0))
    for _ in range(40):
        assert_array_equal(plain.observations, mixed.observations)
        actions = plain.masks.argmax(axis=1)
        plain.step(actions)
        mixed.step(actions)
    assert not mixed._games.tables["mixed"].any()


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


# --- agents as opponents ----------------------------------------------------------------------------------------


class ByHand:
    """An agent that is asked for one move at a time, and takes the last legal one."""

    def move(self, game: Game) -> str:
        """The text of its move."""
        return game.legal_moves[-1]


class Eager:
    """An agent that looks at where its actions lead, and takes the last of those after which it has most coins."""

    name = "Eager"

    def act_batch(self, batch: Any, games: np.ndarray) -> np.ndarray:
        """As AgentOpponent.act_batch."""
        after = batch.afterstates(games)
        order = np.lexsort((after.observations[:, COINS] @ [JOIN, 1], after.games))
        return after.actions[order[np.flatnonzero(np.diff(after.games[order], append=-1))]]

    def move(self, game: Game) -> int:
        """The number of its move."""
        after = afterstates(game)
        return int(after.actions[np.lexsort((after.observations[:, COINS] @ [JOIN, 1],))[-1]])


@pytest.mark.parametrize(
    "agent",
    [agents.make("greedy", 3), agents.make("montecarlo:4", 3), agents.make("ppo"), ForeignAgent(ByHand()), Eager()],
    ids=lambda agent: agent.name,
)
def test_an_agent_plays_as_it_plays_in_a_game(agent: Any) -> None:
    """The learner takes the first legal action."""
    games = SelfPlay(4, [agent], num_players=3, seed=5, autoreset=False)
    learners = games.learners.tolist()
    while not games.over.all():
        games.step(games.masks.argmax(axis=1))
    for i, learner in enumerate(learners):
        game = Game.new(players=3, seed=5 + i).dealt()
        while not game.over:
            game = game.push(game.legal_actions[0] if game.to_move == learner else agent.move(game)).dealt()
        assert game.states[0] == games.states[i]


@pytest.mark.parametrize("answers", [[240], [0, 0], ["a"]])
def test_what_an_agent_may_not_answer_is_named(answers: list[Any]) -> None:
    odd = SimpleNamespace(act_batch=lambda batch, games: answers)
    with pytest.raises((IllegalMove, ValueError), match=r"opponent 0 \(SimpleNamespace\)"):
        SelfPlay(2, [odd], seed=1)  # in the second game it begins


@pytest.mark.parametrize("place", ["act_batch", "_act", "_advance_all", "_begin"])
def test_after_a_failure_or_an_interrupt_only_a_reset_helps(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the learner's next action would be carried out in an opponent's seat, or its mask be an old one."""
    eager: Any = Eager()
    opponent, holder = (eager, eager) if place == "act_batch" else ("greedy", self_play)
    games, usual = SelfPlay(40, [opponent], seed=1), RULES.compiled(getattr(holder, place))
    error = RuntimeError if opponent is eager else KeyboardInterrupt

    def failing(*given: Any) -> None:
        if place != "_begin":
            usual(*given)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(holder, place, failing)
        with pytest.raises(error):
            games.reset(5, first_seat=1) if place == "_begin" else steps(games, 5)
    told = r"the step before was interrupted, or an opponent failed in it: reset\(\) all games"
    with pytest.raises(IllegalMove, match=rf"a step.*{told}"):
        games.step(games.masks.argmax(axis=1))
    with pytest.raises(IllegalMove, match=rf"a reset of some games.*{told}"):
        games.reset(None, [3])
    games.reset(1)
    again = SelfPlay(40, [opponent], seed=1)
    for each in (games, again):
        steps(each, 2)
        each.reset(None, [3])
    assert games.states.tobytes() == again.states.tobytes()
    assert_array_equal(games.masks, again.masks)
