"""Search on top of a trained network: its policy names a few moves, and its value judges where they lead.

From each of the likeliest moves the planner plays on in all seats until the searching seat decides in its next turn;
there the network's value counts, or the reward itself if the game is over. The playouts are spent in phases, after each
of which the worse half of the moves is dropped (sequential halving), and all moves of a round meet the same dice. Where
the game is sure to end before that, all rolls are counted instead.

The dice of playouts follow from the agent's seed and the position, not from the seed of the game.
"""

from __future__ import annotations

import time
from typing import Final, NamedTuple

import numpy as np
import torch

from agents.network.net import PolicyNet
from bohemian_env.engine.bits import Word
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Action
from bohemian_env.villages.advice import ADVICE_SIZE, AdviceRoom, advice_room, write_advice
from bohemian_env.villages.dice import CHANCE, FIRST
from bohemian_env.villages.faces import deal_seeded, reward_number, write_rewards
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.villages.opponents.halving import phases, playout_seed, rounds_of
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action
from bohemian_env.villages.rules import deal, push
from bohemian_env.villages.state import STATE, Seat, State

from .names import Budget

MOVES: Final = 8
"""The most moves that are looked into."""
LEAST: Final = 0.002
"""The least probability by the policy of a move that is looked into; the likeliest move always is."""
PRIOR: Final = 0.05
"""The head start, as the reward of one playout, of a move over another that the policy holds e times less likely."""
_ROUND_AT_ONCE: Final = 8  # rounds before the clock is read again
_ROOM: Final = 4096  # leaves that are judged at once
_HERE, _ROLLED, _AGAIN = 2, 3, 4  # positions in the scratch; the planner uses the first two
_FEW_DICE: Final = 2  # the most dice of a reroll whose results are counted


@njit
def _until_a_roll(here: State, w: np.ndarray, scratch: np.ndarray) -> None:
    """Let the planner decide until dice must be rolled or the game is over."""
    while here["end"] == 0 and here["pending"] == 0:
        push(here, planner_action(here, w, scratch))


@njit
def _reward_of(s: State, seat: Seat, reward: int) -> float:
    rewards, totals = np.empty(MAX_PLAYERS, np.float32), np.empty(MAX_PLAYERS, np.int32)
    write_rewards(s, reward, rewards, totals)
    return float(rewards[seat])


@njit
def count_rolls(s: State, action: Action, w: np.ndarray, reward: int, scratch: np.ndarray) -> float:
    """Return the expected reward of ``action`` if the game is sure to end after the next roll; else nan.

    All rolls are counted with their chances, and so are those of a reroll of one or two dice after them.

    Args:
        s: a position in which a player decides.
        w: the weights of the planner, who plays on.
        reward: the number of the reward.
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
    for dice in range(FIRST[count], FIRST[count + 1]):
        scratch[_ROLLED] = here
        deal(rolled, dice)
        _until_a_roll(rolled, w, scratch)
        if rolled["end"] != 0:
            expected += CHANCE[dice] * _reward_of(rolled, seat, reward)
            continue
        more = rolled["pending"]
        if more > _FEW_DICE:
            return np.nan
        for other in range(FIRST[more], FIRST[more + 1]):
            scratch[_AGAIN] = rolled
            deal(again, other)
            _until_a_roll(again, w, scratch)
            if again["end"] == 0:
                return np.nan
            expected += CHANCE[dice] * CHANCE[other] * _reward_of(again, seat, reward)
    return expected


class Leaves(NamedTuple):
    """Room for the positions where playouts stop and the network judges, one row for each."""

    observations: np.ndarray
    """What the searching seat sees there: int8, (m, OBSERVATION_SIZE)."""
    advice: np.ndarray
    """What its adviser tells it: float32, (m, ADVICE_SIZE); no rows for a network without advice."""
    owners: np.ndarray
    """The index of the action that each of them followed: int64, (m,)."""


class Found(NamedTuple):
    """What a search has found out about k actions: arrays of shape (k,)."""

    actions: np.ndarray
    """The actions, int64."""
    sums: np.ndarray
    """The sum of the rewards of each one's playouts, float64."""
    counts: np.ndarray
    """The number of each one's playouts, float64."""


@njit
def play_to_leaves(
    s: State,
    w: np.ndarray,
    reward: int,
    seed: Word,
    first: int,
    rounds: int,
    found: Found,
    leaves: Leaves,
    scratch: np.ndarray,
    adviser: AdviceRoom,
) -> int:
    """Play on, once a round, from each action until the seat decides in a later turn or the game is over.

    Args:
        s, w, reward, scratch: those of :func:`count_rolls`.
        seed: the seed of this decision's playouts.
        first: the number of the first round; round r has the same dice for every action.
        rounds: how many rounds.
        found: what is known of the actions; games that are over are added.
        leaves: room for ``rounds * k`` leaves, overwritten with the other games.
        adviser: that of ``advice_room``.

    Returns:
        The number of leaves.
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
                    write_advice(here, seat, adviser, leaves.advice[n])
                leaves.owners[n] = i
                n += 1
    return n


class Search:
    """A search that looks ahead with a network.

    Args:
        net: the network.
        reward: the name of the reward that its value predicts.
        budget: what a move may cost. If that is a time, moves depend on the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
        bfloat16: whether to run the matrix products in bfloat16.
    """

    def __init__(self, net: PolicyNet, reward: str, budget: Budget, seed: int = 0, *, bfloat16: bool = False) -> None:
        self.net = net
        self.budget = budget
        self.bfloat16 = bfloat16
        self._reward = reward_number(reward)
        self._seed = np.uint64(seed)
        self._scratch = np.zeros(5, STATE)
        self._adviser = advice_room(net.shape.adviser or "planner")
        self._leaves = Leaves(
            np.zeros((_ROOM, OBSERVATION_SIZE), np.int8),
            np.zeros((_ROOM if net.shape.adviser else 0, ADVICE_SIZE), np.float32),
            np.zeros(_ROOM, np.int64),
        )

    def look(self, state: State, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Look ahead from a position in which a player decides.

        Args:
            state: the position.
            probabilities: those of the policy for every action, (NUM_ACTIONS,), 0 for illegal ones.

        Returns:
            The actions that were looked into, the best first, int64 (k,), and the expected reward of each, float64
            (k,). The reward of an action that was the only one is nan: there was nothing to find out.
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
            rounds = int(rounds_of(rest, left, moves)) if self.budget.playouts else 0
            done = self._phase(state, w, seed, done, rounds, end, Found(*(array[:moves] for array in found)))
            rest -= rounds * moves
            left -= 1
            best = np.argsort(-(found.sums + favour)[:moves] / found.counts[:moves], kind="stable")
            for array in (*found, favour):
                array[:moves] = array[:moves][best]
            moves = (moves + 1) // 2
        return found.actions, found.sums / found.counts

    def _phase(self, state: State, w: np.ndarray, seed: Word, done: int, rounds: int, end: float, found: Found) -> int:
        """Play so many rounds; if 0, at least one and until about ``end``. Return how many have been played by now."""
        most = max(1, _ROOM // len(found.actions))
        stop = done + rounds
        while True:
            began = time.perf_counter()
            now = min(stop - done, most) if rounds else min(_ROUND_AT_ONCE, most)
            room = (self._leaves, self._scratch, self._adviser)
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
        told = torch.from_numpy(self._leaves.advice[:n]) if self.net.shape.adviser else None
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            return self.net.values(seen, told).float().numpy()
