"""Rolling out the moves of a position: ``appraiser`` plays on in all seats, with the same dice after every move.

It plays for some rounds of the table; the network says then how likely the seat is to win, the game itself where it is
over. Moves that are clearly worse than the best so far are given up.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Action
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import deal_seeded
from bohemian_env.villages.opponents import appraiser
from bohemian_env.villages.rules import deal, push
from bohemian_env.villages.state import STATE, State, copy_states
from bohemian_env.villages.verbs import draw

JUDGE_VERSION: Final = 2  # counted up when :func:`judge` comes to other results
ROUNDS: Final = 2  # rounds of the table that are played on, after which the network judges
CERTAINTY: Final = 0.01  # the standard error of the difference between two moves at which it is known well enough
_FIRST: Final = 32  # rollouts of every move before any is given up
_MOST: Final = 8192  # rollouts of a move at most
_WORSE: Final = 3.0  # standard errors by which a move that is given up is worse than the best


class Judged(NamedTuple):
    """What rollouts say of the legal actions of a position."""

    actions: tuple[int, ...]  # in ascending order
    losses: np.ndarray  # the chance of winning lost by each, against the best: float64
    errors: np.ndarray  # the standard error of each loss, over the rollouts that both had: float64
    rollouts: int  # the number of rollouts of all moves together


@njit
def _roll_out(
    s: State,
    actions: np.ndarray,
    seed: Word,
    first: int,
    weights: appraiser.Weights,
    room: appraiser.Room,
    here: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the chance of winning at the end of rollouts: float64, (rollouts, actions), overwritten.

    here: STATE, (1,), overwritten. first: the number of the first rollout; each has the same dice for every action.
    """
    values, chances = np.empty(NUM_ACTIONS), np.empty(s["players"])
    seat, last = s["to_move"], s["turn"] + ROUNDS * s["players"]
    at = here[0]
    for r in range(out.shape[0]):
        dice = mix(seed + np.uint64(first + r) * STEP)
        for i in range(actions.shape[0]):
            here[0] = s
            push(at, actions[i])
            while at["end"] == 0 and at["turn"] <= last:
                if at["pending"] == 0:
                    push(at, appraiser.appraiser_values(at, weights, room, values))
                else:
                    deal_seeded(at, dice)
            appraiser.appraise(at, weights, room, chances)
            out[r, i] = chances[seat]


@njit
def _roll_on(
    s: State,
    last: int,
    weights: appraiser.Weights,
    room: appraiser.Room,
    here: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write every seat's chance of winning at the end of rollouts of a position: float64, (rollouts, players),
    overwritten. last: the last turn that is played. here: STATE, (1,), overwritten.

    Who has just had a turn is judged too well: the network judges after the last turn of each seat, for the mean.
    """
    values, chances, players = np.empty(NUM_ACTIONS), np.empty(s["players"]), s["players"]
    at = here[0]
    for r in range(out.shape[0]):
        here[0] = s
        dice, left = mix(np.uint64(r) * STEP), players
        out[r] = 0.0
        while left > 0:
            if at["end"] != 0 or (at["pending"] != 0 and at["spent"] == 0 and at["turn"] > last + 1 - left):
                appraiser.appraise(at, weights, room, chances)
                times = left if at["end"] != 0 else 1
                for seat in range(players):
                    out[r, seat] += times * chances[seat] / players
                left -= times
            if at["pending"] == 0 and at["end"] == 0:
                push(at, appraiser.appraiser_values(at, weights, room, values))
            elif at["end"] == 0:
                deal(at, draw(at, dice))


def roll_out(states: np.ndarray, actions: Sequence[Action], seed: int, count: int, first: int = 0) -> np.ndarray:
    """Return the chance of winning at the end of rollouts of some legal actions of a position in which somebody
    decides: float64, (count, actions).

    states: (1,) of dtype STATE. seed: of the dice, 0 to 2**63 - 1. first: the number of the first rollout; those with
    the same number have the same dice. Threads may do this at the same time.
    """
    s, out = copy_states(states)[0], np.empty((count, len(actions)))
    weights = appraiser.of_size(appraiser.load_weights(), int(s["players"]))
    asked = np.array(actions, np.int64)
    _roll_out(s, asked, np.uint64(seed), first, weights, appraiser.new_room(), np.zeros(1, STATE), out)
    return out


def roll_on(states: np.ndarray, turns: int, count: int) -> np.ndarray:
    """Return every seat's chance of winning at the end of rollouts of a position: float64, (count, players).

    states: (1,) of dtype STATE. turns: that are played to their end, that of the position being the first. Those with
    the same place have the same dice for every position. Threads may do this at the same time.
    """
    s = states[0]
    players = int(s["players"])
    out, weights = np.empty((count, players)), appraiser.of_size(appraiser.load_weights(), players)
    _roll_on(s, int(s["turn"]) + turns - 1, weights, appraiser.new_room(), np.zeros(1, STATE), out)
    return out


def judge(states: np.ndarray, seed: int) -> Judged:
    """Roll out the legal actions of a position, (1,) of dtype STATE, in which somebody decides.

    seed: of the dice, 0 to 2**63 - 1. Threads may do this at the same time.
    """
    actions = legal_actions(states[0])
    found = [np.zeros((0,)) for _ in actions]
    alive, wanted = [*range(len(actions))], _FIRST
    while True:
        for done in sorted({len(found[action]) for action in alive} - {wanted}):
            behind = [action for action in alive if len(found[action]) == done]
            out = roll_out(states, [actions[action] for action in behind], seed, wanted - done, done)
            for column, action in enumerate(behind):
                found[action] = np.concatenate([found[action], out[:, column]])
        best = max(alive, key=lambda action: found[action].mean())
        pairs = [_loss(found, best, action) for action in range(len(actions))]
        # Also one that was given up, if it is not clearly worse than what is best now.
        alive = [action for action, (loss, error) in enumerate(pairs) if loss <= _WORSE * error]
        if any(len(found[action]) < wanted for action in alive):
            continue
        if wanted >= _MOST or all(pairs[action][1] <= CERTAINTY for action in alive):
            break
        wanted = min(2 * wanted, _MOST)
    losses, errors = (np.array(column) for column in zip(*pairs, strict=True))
    return Judged(tuple(actions), np.maximum(losses, 0.0), errors, sum(map(len, found)))


def judge_of() -> Callable[[tuple[np.ndarray, int]], Judged]:
    """Return what judges a pair of position and seed, for a process of a cluster."""
    appraiser.load_weights()
    return lambda piece: judge(*piece)


def _loss(found: list[np.ndarray], best: int, action: int) -> tuple[float, float]:
    """Return by how much an action is worse than another, and the standard error, from the rollouts of both."""
    n = min(len(found[best]), len(found[action]))
    lost = found[best][:n] - found[action][:n]
    return float(lost.mean()), float(lost.std(ddof=1) / np.sqrt(n))
