"""Search on top of a trained network: its policy names a few moves, and its value judges where they lead.

From each of the likeliest moves the game is played on, by the planner in all seats, until the searching seat decides
again in its next turn; there the network's value is taken, or the reward itself if the game is over. The playouts are
spent in phases, after each of which the worse half of the moves is dropped (sequential halving), and all moves of a
round meet the same dice. Where the game is sure to be over first, all rolls are counted instead.

The dice of playouts follow from the agent's seed and the position: the seed of the game is not asked for.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
import torch

from agents.network.net import PolicyNet
from bohemian_env.chance import STEP, mix
from bohemian_env.compiled import njit
from bohemian_env.envs.advice import ADVICE_SIZE, write_advice
from bohemian_env.envs.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.envs.reward import reward_number, write_rewards
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.dice import DICE
from bohemian_env.game.facts import MAX_PLAYERS
from bohemian_env.game.rules import deal, deal_seeded, push
from bohemian_env.game.state import STATE
from bohemian_env.opponents.montecarlo import phases, playout_seed
from bohemian_env.opponents.planner import WEIGHTS, planner_action

from .names import Budget

__all__ = ["Found", "Leaves", "Search", "count_rolls", "play_to_leaves"]

MOVES: Final = 8
"""Moves that are looked into, at most."""
LEAST: Final = 0.002
"""A move that the policy gives less than this is not looked into, unless it is the likeliest."""
PRIOR: Final = 0.05
"""Reward of one playout that a move has ahead of another for being e times as likely to the policy."""
_ROUND_AT_ONCE: Final = 8  # rounds between two looks at the clock
_ROOM: Final = 4096  # leaves that are judged at a time
_HERE, _ROLLED, _AGAIN = 2, 3, 4  # positions in the scratch; the planner uses the first two, advice the last as well
_FEW_DICE: Final = 2  # of a reroll whose results are counted
_FROM: Final = np.array([sum(len(d) < size for d in DICE) for size in range(6)], np.int64)
"""First handful of so many dice."""


def _chances() -> np.ndarray:
    """Chance of each handful among those of its size: float64, (handfuls,)."""
    found = np.zeros(len(DICE))
    for size in range(5):
        counts = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=size))
        for dice, count in counts.items():
            found[DICE.index(dice)] = count / 6**size
    return found


_CHANCE: Final = _chances()


@njit
def _until_a_roll(here: Any, w: Any, scratch: Any) -> None:
    """Let the planner decide until dice must be rolled or the game is over."""
    while here["end"] == 0 and here["pending"] == 0:
        push(here, planner_action(here, w, scratch))


@njit
def _reward_of(s: Any, seat: Any, reward: Any) -> Any:
    rewards, totals = np.empty(MAX_PLAYERS, np.float32), np.empty(MAX_PLAYERS, np.int32)
    write_rewards(s, reward, rewards, totals)
    return float(rewards[seat])


@njit
def count_rolls(s: Any, action: Any, w: Any, reward: Any, scratch: Any) -> Any:
    """What ``action`` is worth in ``s`` if the game is over after the next roll whatever it is; nan if it may not be.

    All rolls are counted with their chances, and those of a reroll of one or two dice after them.

    Args:
        s: a position in which a player decides, record of STATE.
        w: the planner's weights, by which all that follows is played.
        reward: its number.
        scratch: STATE, (5,), overwritten.
    """
    seat = s["to_move"]
    here, rolled, again = scratch[_HERE], scratch[_ROLLED], scratch[_AGAIN]
    scratch[_HERE] = s
    push(here, action)
    _until_a_roll(here, w, scratch)
    if here["end"] != 0:
        return _reward_of(here, seat, reward)
    expected = 0.0
    count = here["pending"]
    for dice in range(_FROM[count], _FROM[count + 1]):
        scratch[_ROLLED] = here
        deal(rolled, dice)
        _until_a_roll(rolled, w, scratch)
        if rolled["end"] != 0:
            expected += _CHANCE[dice] * _reward_of(rolled, seat, reward)
            continue
        more = rolled["pending"]
        if more > _FEW_DICE:
            return np.nan
        for other in range(_FROM[more], _FROM[more + 1]):
            scratch[_AGAIN] = rolled
            deal(again, other)
            _until_a_roll(again, w, scratch)
            if again["end"] == 0:
                return np.nan
            expected += _CHANCE[dice] * _CHANCE[other] * _reward_of(again, seat, reward)
    return expected


class Leaves(NamedTuple):
    """Room for what a network is asked about where playouts stop; one row for each."""

    observations: np.ndarray
    """int8, (m, OBSERVATION_SIZE): what the searching seat sees there."""
    advice: np.ndarray
    """float32, (m, ADVICE_SIZE): what the planner tells it; no rows for a network that is not told."""
    owners: np.ndarray
    """int64, (m,): which action each of them followed."""


class Found(NamedTuple):
    """What a search has found out about some actions, (k,) each."""

    actions: np.ndarray
    """int64."""
    sums: np.ndarray
    """float64: rewards of their playouts, added up."""
    counts: np.ndarray
    """float64: numbers of their playouts."""


@njit
def play_to_leaves(
    s: Any, w: Any, reward: Any, seed: Any, first: Any, rounds: Any, found: Any, leaves: Any, scratch: Any, values: Any
) -> Any:
    """Play on once a round from each action until the seat decides again in a later turn, or the game is over.

    Args:
        s, w, reward, scratch: as of :func:`count_rolls`.
        seed: uint64, of this decision's playouts.
        first, rounds: number of the first round, and how many; round r has the same dice for every action.
        found: :class:`Found`; the rewards of the games that are over, and their numbers, are added.
        leaves: :class:`Leaves` with room for ``rounds * k``, overwritten: the others.
        values: as ``advice_room`` gives it.

    Returns:
        How many leaves there are.
    """
    seat = s["to_move"]
    here = scratch[_HERE]
    n = 0
    for r in range(first, first + rounds):
        dice = mix(seed + np.uint64(r) * STEP)
        for i in range(found.actions.shape[0]):
            scratch[_HERE] = s
            push(here, found.actions[i])
            deal_seeded(here, dice)
            while here["end"] == 0 and (here["to_move"] != seat or here["turn"] == s["turn"]):
                push(here, planner_action(here, w, scratch))
                deal_seeded(here, dice)
            if here["end"] != 0:
                found.sums[i] += _reward_of(here, seat, reward)
                found.counts[i] += 1
            else:
                write_observation(here, seat, leaves.observations[n])
                if leaves.advice.shape[0] != 0:
                    write_advice(here, seat, scratch, values, leaves.advice[n])
                leaves.owners[n] = i
                n += 1
    return n


class Search:
    """Looks ahead with a network.

    Args:
        net: the network.
        reward: name of the reward that its value predicts.
        budget: for a move. With a time, moves depend on the machine.
        seed: of its dice, 0 to 2**63 - 1.
        bfloat16: run the matrix products in bfloat16.
    """

    def __init__(self, net: PolicyNet, reward: str, budget: Budget, seed: int = 0, *, bfloat16: bool = False) -> None:
        self.net = net
        self.budget = budget
        self.bfloat16 = bfloat16
        self._reward = reward_number(reward)
        self._seed = np.uint64(seed)
        self._scratch = np.zeros(5, STATE)
        self._values = np.empty(NUM_ACTIONS, np.float64)
        self._leaves = Leaves(
            np.zeros((_ROOM, OBSERVATION_SIZE), np.int8),
            np.zeros((_ROOM if net.shape.advice else 0, ADVICE_SIZE), np.float32),
            np.zeros(_ROOM, np.int64),
        )

    def look(self, state: np.void, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Look ahead from a position in which a player decides.

        Args:
            state: record of STATE.
            probabilities: the policy's for every action, (NUM_ACTIONS,), 0 for illegal ones.

        Returns:
            The actions that were looked into, the best first, int64 (k,), and the reward to be expected after each,
            float64 (k,). With one action alone there is nothing to find out: its reward is nan.
        """
        start = time.perf_counter()
        order = np.argsort(-probabilities, kind="stable")[:MOVES]
        actions = order[(probabilities[order] >= LEAST) | (np.arange(len(order)) == 0)].astype(np.int64)
        if len(actions) == 1:
            return actions, np.full(1, np.nan)
        w = WEIGHTS[0, int(state["players"])]
        exact = np.array([count_rolls(state, action, w, self._reward, self._scratch) for action in actions])
        if not np.isnan(exact).any():
            best = np.argsort(-exact, kind="stable")
            return actions[best], exact[best]
        found = Found(actions, np.zeros(len(actions)), np.zeros(len(actions)))
        seed = np.uint64(playout_seed(state, self._seed))
        favour = PRIOR * np.log(probabilities[actions])
        moves, done, left = len(actions), 0, int(phases(len(actions)))
        total, rest = left, self.budget.playouts
        while moves > 1:
            end = start + self.budget.milliseconds / 1000 * (total - left + 1) / total
            rounds = max(1, rest // (left * moves)) if self.budget.playouts else 0
            done = self._phase(state, w, seed, done, rounds, end, Found(*(array[:moves] for array in found)))
            rest -= rounds * moves
            left -= 1
            best = np.argsort(-(found.sums + favour)[:moves] / found.counts[:moves], kind="stable")
            for array in (*found, favour):
                array[:moves] = array[:moves][best]
            moves = (moves + 1) // 2
        return found.actions, found.sums / found.counts

    def _phase(
        self, state: np.void, w: np.ndarray, seed: np.uint64, done: int, rounds: int, end: float, found: Found
    ) -> int:
        """Play so many rounds, or if that is 0 until about ``end``; at least one. Return the rounds played so far."""
        most = max(1, _ROOM // len(found.actions))
        stop = done + rounds
        while True:
            began = time.perf_counter()
            now = min(stop - done, most) if rounds else min(_ROUND_AT_ONCE, most)
            room = (self._leaves, self._scratch, self._values)
            n = play_to_leaves(state, w, self._reward, seed, done, now, found, *room)
            if n:
                owners = self._leaves.owners[:n]
                np.add.at(found.sums, owners, self._judge(n))
                np.add.at(found.counts, owners, 1.0)
            done += now
            finished = time.perf_counter()
            if done == stop if rounds else 2 * finished - began > end:
                return done

    @torch.inference_mode()
    def _judge(self, n: int) -> np.ndarray:
        """Return the network's values of the first ``n`` leaves."""
        seen = torch.from_numpy(self._leaves.observations[:n])
        told = torch.from_numpy(self._leaves.advice[:n]) if self.net.shape.advice else None
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            return self.net.values(seen, told).float().numpy()
