"""What moves and positions are worth in points, for advice and for games looked at again: in any game with values.

The agent ``values`` states at once what a seat gains by an action, now and later. The best of many such statements is
too high more often than too low, so the actions that look best, and the one that is asked about, are rolled out: with
the same chance after each it plays on for a few decisions, and states there what is to come. Nothing here is random,
and no position is told what its game's seed has in store. Threads may ask at the same time.
"""

import functools
from collections.abc import Iterator
from typing import Final

import numpy as np

import agents
from agents.players.names import SHIPPED_VALUES
from agents.players.value_search import follow, word_of
from agents.players.values import LOOKED_AT as LOOKED_AT_FIRST
from agents.players.values import Room, ValueAgent, best_actions, new_room, worth_of
from agents.players.values import worth as total_of
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import Action, Rules, Seat, State
from bohemian_env.engine.dealing import redraw_seed
from bohemian_env.engine.game import Game
from bohemian_env.games import rules_of

_CONTENDERS: Final = 8  # actions that are rolled out, the best by what is stated
_MOVES: Final = 300  # simulated moves after each
DEPTH: Final = 3  # decisions of the seat that are followed in each; see ``agents/players/value_search.py``
LOOKED_AT: Final = 6  # actions that are looked at closely in each of these
_REMEMBERED: Final = 2_000


@loop
def write_standing(states: np.ndarray, weights: np.ndarray, looked: int, room: Room, out: np.ndarray) -> None:
    """Write what each seat is expected to have in the end, the best action taken where one decides in ``states[0]``.

    states: (3 or more,), the others are overwritten. out: float64, (players or more,).
    """
    states[1] = states[0]
    if states[0]["end"] == 0:
        best_actions(states, weights, looked, room)
        worth_of(states, room.actions[0], weights, room)
    for seat in range(states[0]["players"]):
        out[seat] = total_of(states[1], seat, weights, room)


def stated(game: Game) -> dict[Action, float]:
    """Return what the total of the seat to move will be in the end after each legal action, as is stated at once."""
    return dict(_stated(game.rules.name, game.states.tobytes()))


def worth(game: Game, asked: Action | None = None, depth: int = DEPTH) -> dict[Action, float]:
    """Return what the total of the seat to move will be in the end after each legal action, by rollouts of the best few
    and of the one ``asked`` about. All others stay as far behind the best one stated as they are stated.

    depth: decisions of the seat that are followed.
    """
    name, state = game.rules.name, game.states.tobytes()
    values = _stated(name, state)
    looked = sorted(values, key=lambda action: -values[action])[:_CONTENDERS]
    known = {
        action: _rolled_out(name, state, action, depth) for action in (*looked, *([] if asked is None else [asked]))
    }
    change = known[looked[0]] - values[looked[0]]
    return {action: known.get(action, value + change) for action, value in values.items()}


def standing(game: Game) -> list[float]:
    """Return what the total of each seat will be in the end, as is stated at once: one number where all play for one.

    Where chance is due it is the mean over all that can come.
    """
    return list(_standing(game.rules.name, game.states.tobytes()))


def rollouts(game: Game, action: Action) -> Iterator[tuple[State, float]]:
    """Return where the rollouts of an action of :func:`worth` lead, and what the seat that acts is expected to gain
    from there on. A position is overwritten by the next one."""
    rules, s = game.rules, game.states[0]
    for after, gain in _followed(rules, s, action, DEPTH):
        now, then = (_total(rules, one, s["to_move"]) for one in (s, after))
        yield after, gain - (then - now)


def _followed(rules: Rules, s: State, action: Action, depth: int) -> Iterator[tuple[State, float]]:
    """Yield where each rollout of an action leads, which the next one overwrites, and what the seat that decides gains
    by it: as many rollouts as come to :data:`_MOVES`."""
    compiled, weights, states = (
        rules.compiled,
        adviser(rules.name).weights_for(int(s["players"])),
        np.zeros(4, rules.state),
    )
    states[0], room = s, compiled(new_room)()
    word, moves, number = np.uint64(compiled(word_of)(states[0], np.uint64(0))), _MOVES, 0
    while moves > 0:
        seed = np.uint64(redraw_seed(word, number))
        gain, simulated = compiled(follow)(states, action, weights, seed, depth, LOOKED_AT, room)
        yield states[1], gain
        moves, number = moves - simulated, number + 1


def _total(rules: Rules, s: State, seat: Seat) -> int:
    return int(rules.scoring_of(s)[seat][rules.scoring[-1]])


@functools.cache
def adviser(name: str) -> ValueAgent:
    """Return the agent of a game that states what moves are worth."""
    found = agents.make(SHIPPED_VALUES, seed=0, game=name)
    assert isinstance(found, ValueAgent)
    return found


@functools.lru_cache(_REMEMBERED)
def _stated(name: str, state: bytes) -> dict[Action, float]:
    rules = rules_of(name)
    states = np.frombuffer(state, rules.state)
    total = _total(rules, states[0], states[0]["to_move"])
    return {action: total + gain for action, gain in adviser(name).think(states).values.items()}


@functools.lru_cache(_REMEMBERED * _CONTENDERS)
def _rolled_out(name: str, state: bytes, action: Action, depth: int) -> float:
    rules = rules_of(name)
    s = np.frombuffer(state, rules.state)[0]
    gain = np.mean([gain for _, gain in _followed(rules, s, action, depth)])
    return float(_total(rules, s, s["to_move"]) + gain)


@functools.lru_cache(_REMEMBERED)
def _standing(name: str, state: bytes) -> tuple[float, ...]:
    rules = rules_of(name)
    return tuple(_mean_standing(rules, np.frombuffer(state, rules.state), rules.compiled(new_room)()).tolist())


def _mean_standing(rules: Rules, state: np.ndarray, room: Room) -> np.ndarray:
    """Return the standing at a position, (1,): float64, a number for each seat, or one."""
    s, verbs = state[0], rules.verbs
    out = np.zeros(1 if verbs.TEAM else int(s["players"]))
    if s["pending"] == 0:
        states, found = np.repeat(state, 3), np.zeros(int(s["players"]))
        weights = adviser(rules.name).weights_for(int(s["players"]))
        rules.compiled(write_standing)(states, weights, LOOKED_AT_FIRST, room, found)
        return found[: len(out)]
    for k in range(verbs.outcomes(s)):
        if (likely := verbs.likelihood(s, k)) > 0:
            after = state.copy()
            verbs.deal(after[0], k)
            out += likely * _mean_standing(rules, after, room)
    return out
