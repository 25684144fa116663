"""What moves are worth: the chance of winning after each, for advice, for warnings, and for games looked at again.

The network of ``appraiser`` states a chance after every move at once (``opponents.chances``). The best of many such
statements is too high more often than too low, and so is what another move seems to cost; and what looks best may not
be. The moves that the network likes best, and the one that is asked about, are therefore rolled out: with the same dice
after each, ``appraiser`` plays two rounds more in all seats, and the network judges then.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from agents.players.names import APPRAISER
from bohemian_env.engine.contract import Action
from bohemian_env.villages.opponents.chances import action_chances
from bohemian_env.villages.state import STATE

from .rollout import roll_out

ADVISER: Final = APPRAISER
"""The agent whose network judges, and which plays on."""
COSTLY: Final = (0.05, 0.10, 0.15)
"""What a move costs at least that is marked: dubious, a mistake, a blunder."""
_CONTENDERS: Final = 4
"""Turns that are rolled out, the best by what the network states."""
_ROLLOUTS: Final = 32
_REMEMBERED: Final = 10_000


@functools.lru_cache(_REMEMBERED)
def stated(state: bytes) -> dict[Action, float]:
    """Return what the network states after each legal action: the chance of winning of the seat that decides.

    state: a position in which somebody decides, the bytes of one STATE.
    """
    return action_chances(np.frombuffer(state, STATE)[0])


@functools.lru_cache(_REMEMBERED)
def worth(state: bytes, asked: Action | None = None) -> dict[Action, float]:
    """Return the chance of winning after each legal action, by rollouts of the best few and of the one ``asked`` about.

    All others stay as far behind the best by what the network states as they are. state: as for :func:`stated`.
    Threads may do this at the same time.
    """
    values = stated(state)
    turns = _turns(values)
    looked = turns[:_CONTENDERS]
    if asked is not None and all(values[asked] != values[action] for action in looked):
        looked.append(asked)
    means = roll_out(np.frombuffer(state, STATE), looked, seed=0, count=_ROLLOUTS).mean(axis=0).tolist()
    known = dict(zip((values[action] for action in looked), means, strict=True))
    change = means[0] - values[looked[0]]
    return {action: known.get(value, max(value + change, 0.0)) for action, value in values.items()}


def best_turns(state: bytes, count: int) -> dict[Action, float]:
    """Return the first actions of the ``count`` best turns, the best first, and the chance of winning after each turn.

    Of actions with the same chance as stated, mostly one turn in another order, there is one. state: as for
    :func:`stated`.
    """
    found = worth(state)
    order = sorted(_turns(stated(state))[:_CONTENDERS], key=lambda action: -found[action])
    return {action: found[action] for action in order[:count]}


def _turns(values: dict[Action, float]) -> list[Action]:
    """Return one action of each turn, the best first by what is stated; turns that end alike have the same value."""
    first: dict[float, Action] = {}
    for action in sorted(values, key=lambda action: -values[action]):
        first.setdefault(values[action], action)
    return [*first.values()]
