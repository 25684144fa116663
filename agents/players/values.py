"""A player that takes the action after which a sum of inputs, and what it gains at once, is highest.

It knows no game: what the inputs of a position are, the game says (``write_inputs``). Where it has quick inputs, a sum
of these alone, with weights of its own, says which few actions are looked at (``write_worths``). Where it has hidden
units (``HIDDEN``), two layers of such are added to the sum. A game may also say which actions are worth a look
(``write_tried``), and what goes on after an action, which is valued by its end (``goes_on``). Its file is of
``agents/training/values.py``.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.common.files import BadAgent, write_atomically
from bohemian_env.engine.bound import loop, replaceable
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import (
    HIDDEN,
    INPUTS,
    MAX_PLAYERS,
    MOST_INPUTS,
    NUM_ACTIONS,
    QUICK,
    SCALE,
    Action,
    Rules,
    Seat,
    push,
    write_inputs,
)
from bohemian_env.engine.legal import legal_actions, next_legal
from bohemian_env.engine.reward import new_scoring, write_totals
from bohemian_env.games import rules_of

from .agent import POINTS_TO_COME, Player, Thoughts
from .names import VALUES

_FORMAT: Final = f"{VALUES}1"
LOOKED_AT: Final = 8  # the most actions of a decision whose inputs are all looked at, where a game has quick ones
SECOND: Final = 16  # the units of the second layer, where a game's values have layers
_LARGEST: Final = 1e6  # the most that a weight may be away from 0: sums of such are finite


class Room(NamedTuple):
    """What the search for an action writes to; each thread needs its own."""

    actions: np.ndarray  # int64, (NUM_ACTIONS,)
    worths: np.ndarray  # float64, (NUM_ACTIONS,): what the seat that decides gains by each of them, at once and later
    inputs: np.ndarray  # int32, (MOST_INPUTS,)
    totals: np.ndarray  # int32, (MAX_PLAYERS,)
    scoring: np.ndarray  # as ``new_scoring`` makes it
    first: np.ndarray  # float32, (HIDDEN,): what goes into the units of the first layer
    second: np.ndarray  # float32, (SECOND,): what goes into those of the second
    tried: np.ndarray  # int64, (NUM_ACTIONS,): actions that are worth a look


@loop
def new_room() -> Room:
    """Return room for :func:`best_actions`."""
    actions, worths = np.zeros(NUM_ACTIONS, np.int64), np.zeros(NUM_ACTIONS, np.float64)
    first, second, tried = np.zeros(HIDDEN, np.float32), np.zeros(SECOND, np.float32), np.zeros(NUM_ACTIONS, np.int64)
    inputs, totals = np.zeros(MOST_INPUTS, np.int32), np.zeros(MAX_PLAYERS, np.int32)
    return Room(actions, worths, inputs, totals, new_scoring(), first, second, tried)


@loop
def through_layers(weights: np.ndarray, inputs: np.ndarray, room: Room) -> float:
    """Return what the layers make of the inputs that are on; ``room.first`` and ``room.second`` are overwritten.

    Behind the weights of the sums stand a row of HIDDEN for each input, their bias, a row of SECOND for each unit of
    the first layer, their bias, one for each unit of the second, and the bias of the result. Units below 0 count as 0.
    """
    first, second, rows = room.first, room.second, INPUTS + QUICK
    at = rows + INPUTS * HIDDEN
    first[:] = weights[at : at + HIDDEN]
    for k in range(inputs.shape[0]):
        row = weights[rows + inputs[k] * HIDDEN : rows + (inputs[k] + 1) * HIDDEN]
        for j in range(HIDDEN):
            first[j] += row[j]
    at += HIDDEN
    second[:] = weights[at + HIDDEN * SECOND : at + (HIDDEN + 1) * SECOND]
    for j in range(HIDDEN):
        if first[j] > 0:
            row = weights[at + j * SECOND : at + (j + 1) * SECOND]
            for k in range(SECOND):
                second[k] += first[j] * row[k]
    last = weights[at + (HIDDEN + 1) * SECOND :]
    value = float(last[SECOND])
    for k in range(SECOND):
        value += max(second[k], 0.0) * last[k]
    return value


@loop
def value_of(weights: np.ndarray, inputs: np.ndarray, room: Room) -> float:
    """Return the value of the inputs that are on: their sum, and what the layers make of them."""
    value = 0.0
    for k in range(inputs.shape[0]):
        value += weights[inputs[k]]
    return (value + through_layers(weights, inputs, room)) * SCALE if HIDDEN else value


@loop
def worth(s: Any, seat: Seat, weights: np.ndarray, room: Room) -> float:
    """Return what a seat's total is, and what it has still to gain before chance speaks, if the game is not over."""
    write_totals(s, room.totals, room.scoring)
    total = float(room.totals[seat])
    if s["end"] == 0:
        total += value_of(weights, room.inputs[: write_inputs(s, seat, room.inputs)], room)
    return total


@replaceable
def goes_on(s: Any, seat: Seat) -> bool:
    """Return whether what is asked next is a part of what a seat has begun: it is valued by its end."""
    return False


@replaceable
def write_tried(s: Any, actions: np.ndarray) -> int:
    """Write the legal actions that are worth a look, and return how many. actions: int64, (NUM_ACTIONS,)."""
    count, action = 0, next_legal(s, 0)
    while action >= 0:
        actions[count] = action
        count, action = count + 1, next_legal(s, action + 1)
    return count


@loop
def worth_of(states: np.ndarray, action: Action, weights: np.ndarray, room: Room) -> float:
    """Carry out an action of ``states[0]`` in ``states[1]``, and, if something is begun by it, the best of each
    decision by which that goes on; return what its seat gains, at once and later. states: (3 or more,), the third is
    overwritten."""
    seat = int(states[0]["to_move"])
    write_totals(states[0], room.totals, room.scoring)
    before, here, after = room.totals[seat], states[1], states[2]
    states[1] = states[0]
    push(here, action)
    while goes_on(here, seat) and not goes_on(states[0], seat):
        best, most = -1, -np.inf
        for k in range(write_tried(here, room.tried)):
            states[2] = states[1]
            push(after, room.tried[k])
            value = worth(after, seat, weights, room)
            if value > most:
                best, most = room.tried[k], value
        push(here, best)
    return float(worth(here, seat, weights, room) - before)


@replaceable
def write_worths(states: np.ndarray, weights: np.ndarray, actions: np.ndarray, worths: np.ndarray) -> int:
    """Write the actions of ``states[0]`` that are worth a look and what each is worth; return how many there are.

    states: (3 or more,), all but the first are overwritten. weights: float32, as many as ``count_weights`` says, or,
    where there are quick inputs, (QUICK or more,). actions: int64, and worths: float64, (NUM_ACTIONS,), overwritten.
    """
    room, count = new_room(), write_tried(states[0], actions)
    for k in range(count):
        worths[k] = worth_of(states, actions[k], weights, room)
    return count


@loop
def best_actions(states: np.ndarray, weights: np.ndarray, most: int, room: Room) -> int:
    """Write the best actions of ``states[0]`` and their worths to ``room``, the best first, of equal ones the lowest;
    return how many these are, at most ``most``.

    states: (3 or more,), all but the first are overwritten. weights: float32, as many as ``count_weights`` says.
    """
    actions, worths = room.actions, room.worths
    count = keep_best(write_worths(states, weights[INPUTS if QUICK else 0 :], actions, worths), most, actions, worths)
    if QUICK:
        for i in range(count):
            worths[i] = worth_of(states, actions[i], weights, room)
        keep_best(count, most, actions, worths)
    return count


@njit
def keep_best(count: int, most: int, actions: np.ndarray, worths: np.ndarray) -> int:
    """Sort the best of some actions to the front, of equal ones the lowest, and return how many are kept."""
    kept = 0
    for i in range(count):
        action, value = actions[i], worths[i]
        at = kept if kept < most else most - 1
        if at == kept or value > worths[at] or (value == worths[at] and action < actions[at]):
            while at > 0 and (worths[at - 1] < value or (worths[at - 1] == value and actions[at - 1] > action)):
                actions[at], worths[at] = actions[at - 1], worths[at - 1]
                at -= 1
            actions[at], worths[at] = action, value
            kept = min(kept + 1, most)
    return kept


@loop
def _act(states: np.ndarray, games: np.ndarray, weights: np.ndarray, trials: np.ndarray, actions: np.ndarray) -> None:
    room = new_room()
    for place in range(games.shape[0]):
        trials[0] = states[games[place]]
        actions[place] = 0
        if trials[0]["end"] == 0:
            best_actions(trials, weights, LOOKED_AT, room)
            actions[place] = room.actions[0]


@loop
def _write_close_worths(states: np.ndarray, weights: np.ndarray, trials: np.ndarray, worths: np.ndarray) -> None:
    """Write what each legal action of a position, (1,), is worth by all inputs. worths: float64, (NUM_ACTIONS,)."""
    room, trials[0] = new_room(), states[0]
    action = next_legal(states[0], 0)
    while action >= 0:
        worths[action] = worth_of(trials, action, weights, room)
        action = next_legal(states[0], action + 1)


class ValueAgent(Player):
    """The player of some weights. Many games are answered at once.

    rules: the game. weights: float32, as many as :func:`count_weights` says, or a row of such for each number of
    players. name: what it is called.
    """

    def __init__(self, rules: Rules, weights: np.ndarray, name: str) -> None:
        self.rules = rules
        self.sizes = rules.players
        self.weights = weights
        self.name = name
        self._trials = np.zeros(3, rules.state)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        actions = np.empty(len(games), np.int64)
        self.rules.compiled(_act)(states, games, self.weights_for(int(states[0]["players"])), self._trials, actions)
        return actions

    def weights_for(self, players: int) -> np.ndarray:
        """Return the weights for a number of players."""
        row: np.ndarray = self.weights
        return row if row.ndim == 1 else row[players - self.rules.players[0]]

    def think(self, states: np.ndarray) -> Thoughts:
        """Return what its seat expects to gain by each action, at once and later; see :meth:`Player.think`.

        None is put above the action that it takes, which is the best of those that are looked at closely.
        """
        worths, legal = np.empty(self.rules.verbs.NUM_ACTIONS), legal_actions(states[0])
        self.rules.compiled(_write_close_worths)(
            states, self.weights_for(int(states[0]["players"])), self._trials, worths
        )
        taken = self.decide(states, np.zeros(1, np.uint64), np.zeros(1, np.int64))[0]
        return Thoughts(POINTS_TO_COME, {action: float(min(worths[action], worths[taken])) for action in legal})


def count_weights(rules: Rules) -> int:
    """Return how many weights a game's values have: one for each input, for each quick one another behind these, and
    then those of the layers."""
    inputs, quick, hidden = (int(getattr(rules.verbs, name, 0)) for name in ("INPUTS", "QUICK", "HIDDEN"))
    layers = (inputs + 1) * hidden + (hidden + 1) * SECOND + SECOND + 1 if hidden else 0
    return inputs + quick + layers


def join_values(folders: Sequence[Path], folder: Path) -> None:
    """Make one agent of those of some runs, one for each number of players that the game has, in their order."""
    told = [json.loads((one / "agent.json").read_text(encoding="utf-8"))["about"] for one in folders]
    agents = [load_values(one) for one in folders]
    rules = agents[0].rules
    if [about["players"] for about in told] != [*rules.players]:
        raise BadAgent(f"{[*map(str, folders)]}: expected a run for each of {[*rules.players]} players")
    folder.mkdir(parents=True, exist_ok=True)
    save_values(folder, rules, np.stack([agent.weights for agent in agents]), {"runs": told})


def save_values(folder: Path, rules: Rules, weights: np.ndarray, about: dict[str, Any]) -> None:
    """Write ``agent.safetensors`` and ``agent.json`` into a folder. about: what else the latter tells."""
    content = save({"weights": weights})
    told = {
        "format": _FORMAT,
        "game": rules.name,
        "environment": rules.env_name,
        "inputs": weights.shape[-1],
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
    except (OSError, KeyError, RecursionError, SafetensorError, ValueError) as error:
        raise error if isinstance(error, BadAgent) else BadAgent(f"{path} holds no agent: {error}") from None
    wanted, count = (rules.env_name, count_weights(rules)), weights.shape[-1] if weights.ndim else 0
    if (told.get("environment"), count) != wanted:
        raise BadAgent(f"{path}: environment and inputs: expected {wanted}, got {told.get('environment')}, {count}")
    rows = weights.ndim == 1 or weights.shape == (len(rules.players), count)
    if weights.dtype != np.float32 or not rows or not (np.abs(weights) <= _LARGEST).all():
        told_rows = "expected numbers of 32 bits, one row, or one for each number of players"
        raise BadAgent(f"{weights_file}: {told_rows}, at most {_LARGEST:g} away from 0")
    agent = ValueAgent(rules, weights, str(path))
    agent.files = (weights_file,)
    return agent
