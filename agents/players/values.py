"""A player that takes the action after which a sum of inputs, and what it gains at once, is highest.

It knows no game: what the inputs of a position are, the game says (``write_inputs``). Its file is of
``agents/training/values.py``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors.numpy import load, save

from agents.common.files import write_atomically
from agents.network.files import BadAgent
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import MAX_PLAYERS, MOST_INPUTS, Action, Rules, Seat, push, write_inputs
from bohemian_env.engine.legal import legal_actions, next_legal
from bohemian_env.engine.reward import new_scoring, write_totals
from bohemian_env.games import rules_of

from .agent import POINTS_TO_COME, Player, Thoughts
from .names import VALUES

_FORMAT: Final = f"{VALUES}1"
_LARGEST: Final = 1e6
"""The most that a weight may be away from 0: sums of such are finite."""


@loop
def worth(s: Any, seat: Seat, weights: np.ndarray, inputs: np.ndarray) -> float:
    """Return what a seat has still to gain before chance speaks, 0 where the game is over. inputs: overwritten."""
    value = 0.0
    if s["end"] == 0:
        for k in range(write_inputs(s, seat, inputs)):
            value += weights[inputs[k]]
    return value


@loop
def best_action(
    states: np.ndarray, weights: np.ndarray, inputs: np.ndarray, totals: np.ndarray, scoring: np.ndarray
) -> tuple[Action, float]:
    """Return the action of ``states[0]`` by which the total of its seat gains most, at once and later, and how much;
    of equal ones the lowest.

    states: (2 or more,), the second is overwritten. inputs: int32, (MOST_INPUTS,), totals and scoring: overwritten.
    """
    write_totals(states[0], totals, scoring)
    now, best, most = totals[int(states[0]["to_move"])], -1, -np.inf
    action = next_legal(states[0], 0)
    while action >= 0:
        value = _gain(states, action, weights, inputs, totals, scoring) - now
        if value > most:
            best, most = action, value
        action = next_legal(states[0], action + 1)
    return best, most


@loop
def _gain(
    states: np.ndarray,
    action: Action,
    weights: np.ndarray,
    inputs: np.ndarray,
    totals: np.ndarray,
    scoring: np.ndarray,
) -> float:
    """Return the total of the seat to move after a legal action of ``states[0]``, and what it has still to gain."""
    seat = int(states[0]["to_move"])
    states[1] = states[0]
    push(states[1], action)
    write_totals(states[1], totals, scoring)
    return totals[seat] + worth(states[1], seat, weights, inputs)


@loop
def _gains(states: np.ndarray, weights: np.ndarray, trials: np.ndarray, values: np.ndarray) -> None:
    """Write what each legal action of a position, (1,), gains. values: float64, (NUM_ACTIONS,)."""
    inputs, totals, scoring = np.empty(MOST_INPUTS, np.int32), np.empty(MAX_PLAYERS, np.int32), new_scoring()
    trials[0] = states[0]
    write_totals(states[0], totals, scoring)
    now = totals[int(states[0]["to_move"])]
    action = next_legal(states[0], 0)
    while action >= 0:
        values[action] = _gain(trials, action, weights, inputs, totals, scoring) - now
        action = next_legal(states[0], action + 1)


@loop
def _act(states: np.ndarray, games: np.ndarray, weights: np.ndarray, trials: np.ndarray, actions: np.ndarray) -> None:
    inputs, totals, scoring = np.empty(MOST_INPUTS, np.int32), np.empty(MAX_PLAYERS, np.int32), new_scoring()
    for place in range(games.shape[0]):
        trials[0] = states[games[place]]
        actions[place] = 0
        if trials[0]["end"] == 0:
            actions[place], _ = best_action(trials, weights, inputs, totals, scoring)


class ValueAgent(Player):
    """The player of some weights. Many games are answered at once.

    Args:
        rules: the game.
        weights: float32, (inputs of the game,).
        name: what it is called.
    """

    def __init__(self, rules: Rules, weights: np.ndarray, name: str) -> None:
        self.rules = rules
        self.sizes = rules.players
        self.weights = weights
        self.name = name
        self._trials = np.zeros(2, rules.state)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        """See :meth:`Player.decide`."""
        actions = np.empty(len(games), np.int64)
        self.rules.compiled(_act)(states, games, self.weights, self._trials, actions)
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return what its seat expects to gain by each action, at once and later; see :meth:`Player.think`."""
        values = np.empty(self.rules.verbs.NUM_ACTIONS)
        self.rules.compiled(_gains)(states, self.weights, self._trials, values)
        return Thoughts(POINTS_TO_COME, {action: float(values[action]) for action in legal_actions(states[0])})


def save_values(folder: Path, rules: Rules, weights: np.ndarray, about: dict[str, Any]) -> None:
    """Write ``agent.safetensors`` and ``agent.json`` into a folder. about: what else the latter tells."""
    content = save({"weights": weights})
    told = {
        "format": _FORMAT,
        "game": rules.name,
        "environment": rules.env_name,
        "inputs": len(weights),
        "weights_sha256": hashlib.sha256(content).hexdigest(),
        "about": about,
    }
    write_atomically(folder / "agent.safetensors", content)
    write_atomically(folder / "agent.json", (json.dumps(told, indent=1) + "\n").encode())


def load_values(path: Path) -> ValueAgent:
    """Return the player of a run's folder. Raises BadAgent if there is none, or it is not what its file says."""
    weights_file = path / "agent.safetensors"
    try:
        told = json.loads((path / "agent.json").read_text(encoding="utf-8"))
        if not isinstance(told, dict) or told.get("format") != _FORMAT:
            raise BadAgent(f"{path / 'agent.json'}: format: expected {_FORMAT!r}, got {told!r:.80}")
        content = weights_file.read_bytes()
        if told.get("weights_sha256") != hashlib.sha256(content).hexdigest():
            raise BadAgent(f"{weights_file} is not the file that agent.json tells of")
        rules = rules_of(told.get("game", ""))
        weights = load(content)["weights"]
    except (OSError, KeyError, UnicodeDecodeError, ValueError) as error:
        raise error if isinstance(error, BadAgent) else BadAgent(f"{path} holds no agent: {error}") from None
    wanted = (rules.env_name, rules.verbs.INPUTS)
    if (told.get("environment"), len(weights)) != wanted:
        raise BadAgent(
            f"{path}: environment and inputs: expected {wanted}, got {told.get('environment')}, {len(weights)}"
        )
    if weights.dtype != np.float32 or weights.ndim != 1 or not (np.abs(weights) <= _LARGEST).all():
        raise BadAgent(f"{weights_file}: expected a row of numbers of 32 bits, at most {_LARGEST:g} away from 0")
    agent = ValueAgent(rules, weights, str(path))
    agent.files = (weights_file,)
    return agent
