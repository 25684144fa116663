"""What a search does on top of a trained network: its policy names a few moves, and its value judges where they lead.

From each of the likeliest moves the planner plays on in all seats until the searching seat decides in its next turn;
there the network's value counts, or the reward itself if the game is over. The playouts are spent in phases, after each
of which the worse half of the moves is dropped (sequential halving), and all moves of a round meet the same dice. Where
the game is sure to end before that, all rolls are counted instead.

The dice of playouts follow from the agent's seed and the position, not from the seed of the game.
"""

from typing import Final, NamedTuple

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Action
from bohemian_env.villages.advice import AdviceRoom, write_advice
from bohemian_env.villages.dice import CHANCE, FIRST
from bohemian_env.villages.faces import deal_seeded, write_rewards
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.observation import write_observation
from bohemian_env.villages.opponents.planner import planner_action
from bohemian_env.villages.rules import deal, push
from bohemian_env.villages.state import Seat, State

MOVES: Final = 8  # the most moves that are looked into
LEAST: Final = 0.002  # the least probability by the policy of a move that is looked into; the likeliest move always is
PRIOR: Final = 0.05
"""The head start, as the reward of one playout, of a move over another that the policy holds e times less likely."""
ROOM: Final = 4096  # leaves that are judged at once
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

    s: a position in which a player decides. w: the weights of the planner, who plays on. reward: the number of the
    reward. scratch: STATE, (5,), overwritten.
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

    observations: np.ndarray  # what the searching seat sees there: int8, (m, OBSERVATION_SIZE)
    advice: np.ndarray  # what its adviser tells it: float32, (m, ADVICE_SIZE); no rows for a network without advice
    owners: np.ndarray  # the index of the action that each of them followed: int64, (m,)


@njit
def play_to_leaves(
    s: State,
    w: np.ndarray,
    reward: int,
    seed: Word,
    first: int,
    rounds: int,
    candidates: np.ndarray,
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
        candidates: the k actions, dtype CANDIDATE; games that are over are added.
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
        for i in range(candidates.shape[0]):
            scratch[_HERE] = s
            push(here, candidates[i]["action"])
            deal_seeded(here, dice)
            while here["end"] == 0 and (here["to_move"] != seat or here["turn"] == s["turn"]):
                push(here, planner_action(here, w, scratch))
                deal_seeded(here, dice)
            if here["end"] != 0:
                candidates[i]["sum"] += _reward_of(here, seat, reward)
                candidates[i]["count"] += 1
            else:
                write_observation(here, seat, leaves.observations[n])
                if leaves.advice.shape[0] != 0:
                    write_advice(here, seat, adviser, leaves.advice[n])
                leaves.owners[n] = i
                n += 1
    return n
