"""A player that looks ahead with a sum of inputs, in any game that has such values (``values.py``).

The best actions by the value are followed: what is hidden is dealt anew, the value plays on in all seats, and after a
few decisions of the seat that searches, what it gained and the best worth there count. All actions of a round meet the
same chance, and after each phase the worse half is dropped (sequential halving). Chance and depth know no game.

Short roll-outs are meant: with 200 moves a decision Dorfromantik's totals rise with the depth up to three decisions and
fall from there on; played to the end they are worse than without a search.
"""

import time
from typing import Final

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.checks import check_seed
from bohemian_env.engine.contract import TEAM, Action, State, moment, push
from bohemian_env.engine.dealing import deal_seeded, redraw_seed
from bohemian_env.engine.legal import legal_actions
from bohemian_env.engine.reward import write_totals

from .agent import PROBABILITY, Player, Thoughts
from .names import Budget
from .values import Room, ValueAgent, best_actions, keep_best, new_room

_MOVES_A_MILLISECOND: Final = 40.0  # about what a core does, to choose a depth for a time
_DEPTHS: Final = ((100, 1, 8), (1000, 3, 8), (np.inf, 4, 16))
"""For budgets of up to so many simulated moves: the decisions that are followed, and the actions that are."""
_LOOKED_AT: Final = 6  # the actions that are looked at closely in a simulated decision


@loop
def word_of(s: State, seed: Word) -> Word:
    """Return a random number for a decision: by a position and a seed, nothing of how it came about."""
    word = mix(seed * STEP + moment(s))
    for i in range(s["legal"].shape[0]):
        word = mix(word ^ s["legal"][i])
    return word


@loop
def follow(
    states: np.ndarray, action: Action, weights: np.ndarray, seed: Word, depth: int, looked: int, room: Room
) -> tuple[float, int]:
    """Return what the seat that decides in ``states[0]`` gains by an action and what follows, chance as a seed has it;
    and the moves that were simulated. states: (4 or more,), the others are overwritten."""
    seat, totals = int(states[0]["to_move"]), room.totals
    write_totals(states[0], totals, room.scoring)
    before, later, moves = totals[seat], 0.0, 1
    states[1] = states[0]
    push(states[1], action)
    deal_seeded(states[1], seed)
    while states[1]["end"] == 0:
        best_actions(states[1:], weights, looked, room)
        moves += 1
        if TEAM or states[1]["to_move"] == seat:
            depth -= 1
            if depth <= 0:
                later = room.worths[0]
                break
        push(states[1], room.actions[0])
        deal_seeded(states[1], seed)
    write_totals(states[1], totals, room.scoring)
    return totals[seat] - before + later, moves


@loop
def play_rounds(
    states: np.ndarray,
    weights: np.ndarray,
    word: Word,
    first: int,
    moves: int,
    depth: int,
    looked: int,
    actions: np.ndarray,
    sums: np.ndarray,
    room: Room,
) -> tuple[int, int]:
    """Follow actions in rounds, from number ``first`` on, until so many moves are simulated; return the number of the
    next round, and the moves. sums: what each action gained is added, float64, (actions,)."""
    done = 0
    while done < moves:
        seed = redraw_seed(word, first)
        for i in range(actions.shape[0]):
            gain, simulated = follow(states, actions[i], weights, seed, depth, looked, room)
            sums[i] += gain
            done += simulated
        first += 1
    return first, done


class ValueSearch(Player):
    """The player that looks ahead with the weights of another.

    Args:
        name: what it is called.
        agent: whose values it takes.
        budget: for a decision: milliseconds, by which what it does depends on the machine, or ``playouts``, which are
            simulated moves here.
        seed: of the chance that it imagines, 0 to 2**63 - 1.
        depth, most: how many decisions are followed, and how many actions are; by default as the budget allows.
    """

    def __init__(
        self,
        name: str,
        agent: ValueAgent,
        budget: Budget,
        seed: int = 0,
        depth: int | None = None,
        most: int | None = None,
    ) -> None:
        self.name, self.rules, self.agent, self.budget = name, agent.rules, agent, budget
        self.sizes, self.files = agent.sizes, agent.files
        moves = budget.playouts or budget.milliseconds * _MOVES_A_MILLISECOND
        _, usual_depth, usual_most = next(row for row in _DEPTHS if moves <= row[0])
        self.depth, self.most, self.looked = depth or usual_depth, most or usual_most, _LOOKED_AT
        self.games_at_once = 16
        self._seed = np.uint64(check_seed(seed))
        self._states, self._room = np.zeros(4, self.rules.state), self.rules.compiled(new_room)()
        self._actions, self._sums = np.zeros(self.most, np.int64), np.zeros(self.most)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        return np.array([0 if states[game]["end"] else self.search(states[game]) for game in games], np.int64)

    def think(self, states: np.ndarray) -> Thoughts:
        """Return probability 1 for its action; see :meth:`Player.think`."""
        taken = self.search(states[0])
        return Thoughts(PROBABILITY, {action: float(action == taken) for action in legal_actions(states[0])})

    def search(self, state: State) -> int:
        """Return its action in a position in which a seat decides."""
        begun, compiled = time.perf_counter(), self.rules.compiled
        self._states[0], weights = state, self.agent.weights_for(int(state["players"]))
        actions, sums = self._actions, self._sums
        alive = compiled(best_actions)(self._states, weights, self.most, self._room)
        actions[:alive] = self._room.actions[:alive]
        word = np.uint64(compiled(word_of)(self._states[0], self._seed))
        phases, used, first = (alive - 1).bit_length(), 0, 0
        sums[:] = 0.0
        for phase in range(phases):
            part = (phase + 1) / phases
            while True:
                moves = 1 if self.budget.milliseconds else round(self.budget.playouts * part) - used
                given = actions[:alive], sums[:alive], self._room
                first, done = compiled(play_rounds)(
                    self._states, weights, word, first, max(moves, 1), self.depth, self.looked, *given
                )
                used += done
                spent = 1000 * (time.perf_counter() - begun)
                if self.budget.playouts or spent >= self.budget.milliseconds * part:
                    break
            alive = keep_best(alive, -(-alive // 2), actions, sums)
        return int(actions[0])
