"""One seat learns: its decisions, and nothing but its own rewards, each with its own last decision.

:class:`Table` says what one game of SelfPlay should do. It plays through the PettingZoo environment, which
test_aec.py compares with the rules.
"""

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bohemian_env import IllegalMove, observation_parts
from bohemian_env.engine.dealing import next_seed
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.opponents import Scripted
from tests.helpers import FROZEN
from tests.test_engine.environments import ACTIONS, OBSERVATION
from tests.test_engine.learner_table import Picky, Recorded, Table, chooser, mixture, play_beside, steps, waits_like


def everything(games: SelfPlay) -> dict[str, Any]:
    """All that the games show, in a form that can be compared and that nobody changes later."""
    names = ("states", "observations", "masks", "rewards", "dones", "cut_off", "learners", "seeds")
    return {name: getattr(games, name).tobytes() for name in names}


# --- against the PettingZoo environment ---


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
    assert all(waits_like(games, i, table) for i, table in enumerate(tables))
    ends: set[tuple[int, bool]] = set()
    for _ in play_beside(games, tables, 60):
        ends |= {(table.learner, table.cut_off) for table in tables if table.done}
    assert ends == {(seat, cut_off) for seat in range(players) for cut_off in (False, True)}


def test_games_in_which_the_learner_never_acts_are_dealt_again() -> None:
    """With one turn a game, only seat 0 ever acts: the others' games are gone through without a word."""
    opponent = Recorded(Picky())
    games = SelfPlay(6, [opponent], num_players=3, board=FROZEN, max_turns=1, reward="win", seed=40)
    seeds = [[40 + i] for i in range(6)]
    for row in seeds:
        for _ in range(20):
            row.append(int(next_seed(np.uint64(row[-1]))))
    skipped = [-i % 3 for i in range(6)]  # until the learner's seat is 0
    assert games.learners.tolist() == [0] * 6
    assert games.seeds.tolist() == [seeds[i][skipped[i]] for i in range(6)]
    assert len(opponent.calls) > 0
    tables = [Table(40 + i, i % 3, Picky(), 3, board=FROZEN, max_turns=1) for i in range(6)]
    ends = 0
    for _ in play_beside(games, tables, 12):
        ends += int(games.dones.sum())
        assert (games.dones == games.cut_off).all()
        assert set(games.rewards[~games.dones].tolist()) <= {0}
        assert games.learners.tolist() == [0] * 6
    assert ends > 20


# --- policies ---


@pytest.mark.parametrize("players", [2, 4])
def test_a_policy_gets_one_call_a_round_for_all_games_that_wait_for_it(players: int) -> None:
    """In a step, the first call has a row for every game in which it acts, the second for those in which it acts
    again, and so on. It sees what the seat that is to move sees."""
    opponent, n = Recorded(Picky()), 8
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 5 * players}
    games = SelfPlay(n, [opponent], num_players=players, seed=3, **parameters)
    tables = [Table(3 + i, i % players, Picky(), players, **parameters) for i in range(n)]
    most, after = 0, play_beside(games, tables, 40)
    for _ in range(40):
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
        next(after)
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
    for step, _ in enumerate(play_beside(games, tables, 30)):
        if step == 4:
            games.opponents[0] = Picky(1)
            for table in tables:
                table.opponent = Picky(1)
    other = [Table(70 + i, i % 2, Picky(0), 2, **parameters) for i in range(3)]
    assert not any(waits_like(games, i, table) for i, table in enumerate(other))


@pytest.mark.parametrize("bad", [-1, ACTIONS, 10_000, None])
def test_an_illegal_action_of_a_policy_is_named(bad: int | None) -> None:
    """None stands for an action that exists, but is not legal. The policy is number 1."""

    class Cheat(Picky):
        """A policy that takes an illegal action in the last of its games."""

        cheats = False

        def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
            actions = super().act(observations, masks)
            if self.cheats:
                actions[-1] = masks[-1].argmin() if bad is None else bad
            return actions

    cheat = Cheat()
    games = SelfPlay(3, [Scripted("random"), cheat], [0, 1], num_players=2, seed=1)
    cheat.cheats = True
    with pytest.raises(IllegalMove, match=r"game \d: opponent 1 \(Cheat\) may not take it"):
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
    careless = SimpleNamespace(act=lambda *shown: answer(Picky().act(*shown)))
    with pytest.raises(ValueError, match=r"opponent 0.*whole numbers"):
        steps(SelfPlay(8, [careless]), 9)


# --- nothing but the games ---


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
