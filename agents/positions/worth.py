"""What positions and moves are worth: each seat's chance of winning, for advice, for warnings, and for games looked at
again.

The network of ``appraiser`` states chances at once (``opponents.chances``). The best of many such statements is too
high more often than too low, and so is what another move seems to cost; and what looks best may not be. Ends of turns
are therefore rolled out (``roll_on``), and all else follows from these:

- where a roll is due: the mean of the rollouts, and what the next seat gains by the choice among several moves;
- where somebody decides: the chances after the best of the moves that the network likes best;
- after a move: those of the position that it leads to.

So what a move costs, less the luck of the rolls after it, is by how much the chance of its seat falls, exactly.
"""

import functools
from typing import Final

import numpy as np

from agents.players.names import APPRAISER
from bohemian_env.engine.contract import Action
from bohemian_env.villages.opponents.chances import action_chances, chances_of
from bohemian_env.villages.rules import push
from bohemian_env.villages.state import STATE, copy_states

from .rollout import roll_on

ADVISER: Final = APPRAISER  # the agent whose network judges, and which plays on
COSTLY: Final = (0.05, 0.10, 0.15)  # what a move costs at least that is marked: dubious, a mistake, a blunder
_CONTENDERS: Final = 4  # turns that are rolled out at most, the best by what the network states
_BEHIND: Final = 0.1  # turns that are stated to be so much worse than the best are not rolled out
_ROLLOUTS: Final = 32
_FORESIGHT: Final = 0.05
"""What a seat gains whose roll is due by taking the best of the moves that are rolled out, not what ``appraiser`` takes
in rollouts: so many times p(1 - p), p being its chance. Measured in games of 2 to 5 players; the luck of rolls has the
mean 0 for it."""
_REMEMBERED: Final = 10_000


@functools.lru_cache(_REMEMBERED)
def stated(state: bytes) -> dict[Action, float]:
    """Return what the network states after each legal action: the chance of winning of the seat that decides.

    state: a position in which somebody decides, the bytes of one STATE.
    """
    return action_chances(np.frombuffer(state, STATE)[0])


def stated_standing(state: bytes) -> tuple[float, ...]:
    """Return every seat's chance of winning as the network states it, in any position: the bytes of one STATE."""
    return tuple(chances_of(np.frombuffer(state, STATE), np.zeros(1, np.int64))[0].tolist())


@functools.lru_cache(_REMEMBERED)
def standing(state: bytes) -> tuple[float, ...]:
    """Return every seat's chance of winning by rollouts, in any position: its share of the win where the game is over.

    state: the bytes of one STATE. Threads may do this at the same time.
    """
    s = np.frombuffer(state, STATE)[0]
    if s["end"]:
        return stated_standing(state)
    if not s["pending"]:
        return max(_looked(state).values(), key=lambda chances: chances[s["to_move"]])
    players, seat = int(s["players"]), int(s["to_move"])
    # The turn in which it rolls again, where it does, and one round, so that all ways to go on end with the same turn.
    found = roll_on(np.frombuffer(state, STATE), players + 1 + int(s["spent"]), _ROLLOUTS).mean(axis=0)
    gain = _FORESIGHT * found[seat]
    found *= 1 - gain
    found[seat] += gain
    return tuple(found.tolist())


def worth(state: bytes, asked: Action | None = None) -> dict[Action, float]:
    """Return the chance of winning after each legal action, by rollouts of the best few and of the one ``asked`` about.

    All others stay as far behind the best by what the network states as they are. The best is what :func:`standing`
    says, unless a move that is asked about is found better. state: as for :func:`stated`. Threads may do this at the
    same time.
    """
    values, looked = stated(state), _looked(state)
    seat = int(np.frombuffer(state, STATE)[0]["to_move"])
    known = {values[action]: chances[seat] for action, chances in looked.items()}
    change = known[max(values.values())] - max(values.values())
    found = {action: known.get(value, max(value + change, 0.0)) for action, value in values.items()}
    return found if asked is None else found | {asked: standing(_after(state, asked))[seat]}


def best_turns(state: bytes, count: int) -> dict[Action, float]:
    """Return the first actions of the ``count`` best turns, the best first, and the chance of winning after each turn.

    Of actions with the same chance as stated, mostly one turn in another order, there is one. state: as for
    :func:`stated`.
    """
    found = worth(state)
    order = sorted(_ends(state), key=lambda action: -found[action])
    return {action: found[action] for action in order[:count]}


@functools.lru_cache(_REMEMBERED)
def _looked(state: bytes) -> dict[Action, tuple[float, ...]]:
    """Return every seat's chance of winning after the actions that are looked at: the first one of each turn."""
    if len(stated(state)) == 1:
        return {action: standing(_after(state, action)) for action in stated(state)}
    return {action: standing(end) for action, end in _ends(state).items()}


@functools.lru_cache(_REMEMBERED)
def _ends(state: bytes) -> dict[Action, bytes]:
    """Return how the best turns end, as the network states, by their first actions, the best first. Turns that end
    alike have the same value."""
    values = stated(state)
    first: dict[float, Action] = {}
    for action in sorted(values, key=lambda action: -values[action]):
        first.setdefault(values[action], action)
    best = max(first)
    return {
        action: _end(_after(state, action))
        for value, action in [*first.items()][:_CONTENDERS]
        if value > best - _BEHIND
    }


def _end(state: bytes) -> bytes:
    """Return how a turn ends that goes on as the network likes best."""
    while not ((s := np.frombuffer(state, STATE)[0])["end"] or s["pending"]):
        values = stated(state)
        state = _after(state, max(values, key=lambda action: values[action]))
    return state


def _after(state: bytes, action: Action) -> bytes:
    states = copy_states(np.frombuffer(state, STATE))
    push(states[0], action)
    return states.tobytes()
