"""What one game of SelfPlay should do, played through the PettingZoo environment, and policies to play it."""

import random
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from agents.players import registry as base
from bohemian_env.bohemian_villages_v0 import raw_env
from bohemian_env.engine.dealing import next_seed
from bohemian_env.villages.faces import PolicyOpponent, SelfPlay
from bohemian_env.villages.opponents import Scripted
from tests.test_engine.environments import over


class Picky:
    """A policy: which legal action it takes follows from the bytes of the observation and from its name."""

    def __init__(self, name: int = 0) -> None:
        self.name = name

    def pick(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The action for one observation."""
        legal = np.flatnonzero(mask)
        return int(legal[zlib.crc32(observation.tobytes(), self.name) % len(legal)])

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
        """As PolicyOpponent.act."""
        return np.array([self.pick(*row) for row in zip(observations, masks, strict=True)])


class Recorded:
    """A policy that notes the rows of each call, and answers for another one."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.calls: list[tuple[np.ndarray, np.ndarray]] = []

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
        """As PolicyOpponent.act."""
        self.calls.append((observations.copy(), masks.copy()))
        return self.policy.act(observations, masks)


class Table:
    """One game after the other: the learner's seat moves on, ``play`` takes the other seats' actions."""

    def __init__(
        self, seed: int, seat: int, opponent: Scripted | PolicyOpponent, players: int, **parameters: Any
    ) -> None:
        self.env = raw_env(players, **parameters)
        self.seed, self.seat, self.opponent = seed, seat, opponent
        self._begin()
        self._go_on()

    def _begin(self) -> None:
        self.env.reset(seed=self.seed)
        self.acted = False

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
            if over(self.env):
                if self.acted:
                    assert not self.done, "two games of the learner have ended in one step"
                    self.done, self.reward, self.cut_off = True, self.env.rewards[name], self.env.truncations[name]
                    self.final = self.env.observe(name)["observation"]
                    self.totals = [row["total"] for row in self.env.outcome().scoring]
                    self.learner = self.seat
                self.seed = int(next_seed(np.uint64(self.seed)))
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


def play_beside(games: SelfPlay, tables: list[Table], count: int) -> Iterator[None]:
    """So many steps of any legal actions, in the games and at their tables, which stay alike."""
    choose = chooser()
    for _ in range(count):
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            assert waits_like(games, i, table)
            check_step(games, i, table)
        yield


def chooser(seed: int = 0) -> Callable[[np.ndarray], np.ndarray]:
    """A random legal action for each row of masks, 0 where nothing is legal; each row has chances of its own."""
    games: dict[int, random.Random] = {}

    def choose(masks: np.ndarray) -> np.ndarray:
        rows = ((games.setdefault(i, random.Random(1_000 * seed + i)), mask) for i, mask in enumerate(masks))
        return np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for rng, mask in rows])

    return choose


def steps(games: SelfPlay, count: int) -> None:
    """So many steps in which the learner takes its first legal action."""
    for _ in range(count):
        games.step(games.masks.argmax(axis=1))


def mixture() -> list[Scripted | PolicyOpponent]:
    """Scripted opponents and policies."""
    return [Scripted("random", 3), Picky(1), Scripted("greedy"), Picky(2), Scripted("random", 4)]
