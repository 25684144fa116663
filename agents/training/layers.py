"""How values with layers are learnt (``agents/players/values.py``): games are played and kept, and then learnt from.

What a seat has still to gain after a decision is told as for sums. Here it also errs on purpose, so that it sees what
it would not do: where it did, what came of it says nothing of the decisions before, which learn from the best action's
worth instead. Some games are played by a scripted player, whose worths are the first to be learnt, or among such.
"""

from typing import Final, NamedTuple

import numpy as np

from agents.players.values import SECOND, Room, best_actions, new_room, value_of
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.chance import STEP, mix, unit
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import (
    HIDDEN,
    INPUTS,
    MAX_PLAYERS,
    MOST_INPUTS,
    NUM_ACTIONS,
    QUICK,
    SCALE,
    TEAM,
    Rules,
    choose,
    push,
    write_inputs,
)
from bohemian_env.engine.dealing import deal_game, deal_seeded, next_seed
from bohemian_env.engine.legal import pick_random
from bohemian_env.engine.reward import new_scoring, write_totals

OWN, TAUGHT, OTHER = range(3)
"""Who plays a seat: the learner, a scripted player from whom it learns, and one from whom it does not."""
MOST_GAMES: Final = 100  # the games of a turn, at most
TAUGHT_PART, TAUGHT_STRAY, STRAY, WARMTH = 0.1, 0.1, 0.02, 0.03
"""The part of the learning in which a scripted player plays, and how often it strays; and how the learner errs at
first (:func:`pick`), its warmth as a part of the game's SCALE."""
RATE, RATE_LEFT, TIMES, TOGETHER = 1e-3, 0.1, 2, 64
"""The size of steps at first, what is left of it in the end, how often each position is learnt from, and how many in
one step."""
_STRAY: Final = np.uint64(0x5354524159)  # keeps the draws made with one seed apart; the value means nothing
_MOST_DECISIONS: Final = 512
_NEARLY: Final = 0.005  # of the game's SCALE: an action that is worth so little less is as good as the best
_KEEP, _KEEP_SQUARE = np.float32(0.9), np.float32(0.999)  # of the means that the steps are made of (Adam)
_TINY: Final = np.float32(1e-12)


class Rows(NamedTuple):
    """Positions to learn from."""

    inputs: np.ndarray  # the inputs that are on, one position after the other: int32
    first: np.ndarray  # where those of each position begin: int64, one more than there are positions
    gains: np.ndarray  # what the seat had still to gain: float64


def new_rows(games: int) -> Rows:
    """Return room for so many games, on average, and for one of any length."""
    games = max(games, 5)
    return Rows(np.zeros(games * 80_000, np.int32), np.zeros(games * 400, np.int64), np.zeros(games * 400))


@njit
def pick(worths: np.ndarray, stray: float, warmth: float, word: Word) -> int:
    """Return the place of an action, of those whose worths are given, the best first: any of them with a chance of
    ``stray``, else those that are worth so many points less, as ``warmth`` says, e times less likely."""
    chance, spread, count = unit(word), unit(mix(word)), worths.shape[0]
    if chance < stray:
        return int(spread * count)
    if warmth <= 0:
        return 0
    whole = 0.0
    for k in range(count):
        whole += np.exp((worths[k] - worths[0]) / warmth)
    left = spread * whole
    for k in range(count):
        left -= np.exp((worths[k] - worths[0]) / warmth)
        if left <= 0:
            return k
    return 0


@loop
def play_games(
    seed: Word,
    games: int,
    common: np.ndarray,
    states: np.ndarray,
    weights: np.ndarray,
    by: np.ndarray,
    teacher: int,
    scratch: np.ndarray,
    stray: float,
    warmth: float,
    trace: float,
    rows: Rows,
    told: np.ndarray,
) -> tuple[Word, int]:
    """Play some games; return the seed of the next one, and how many positions are written to ``rows``.

    Args:
        seed: of the first game.
        games: how many; fewer if there is no room for more.
        common: the set-up.
        states: (3,), overwritten.
        weights: float32, as many as ``count_weights`` says.
        by: who plays each seat, int64, (MAX_PLAYERS,).
        teacher: the number of the scripted player.
        scratch: its own.
        stray, warmth: of :func:`pick`; a scripted player that it learns from strays with the first.
        trace: λ, 0 to 1.
        rows: overwritten.
        told: float64, (2,): the mean totals of the learner and the number of games are added.
    """
    seats, after, values = np.zeros(_MOST_DECISIONS, np.int64), np.zeros(_MOST_DECISIONS), np.zeros(_MOST_DECISIONS)
    best, totals, s = np.zeros(_MOST_DECISIONS), np.zeros(MAX_PLAYERS, np.int32), states[0]
    room, scoring = new_room(), new_scoring()
    then, later, worth_then = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    count, at = 0, 0
    for _ in range(games):
        if count + _MOST_DECISIONS >= rows.gains.shape[0] or at + _MOST_DECISIONS * MOST_INPUTS > rows.inputs.shape[0]:
            break
        deal_game(s, seed, common[0])
        n, word = 0, mix(seed ^ _STRAY)
        while s["end"] == 0 and n < _MOST_DECISIONS:
            seat, expected, word = int(s["to_move"]), np.nan, mix(word + STEP)
            whose = by[seat]
            if whose == OWN:
                found = best_actions(states, weights, NUM_ACTIONS, room)
                which = pick(room.worths[:found], stray, warmth, word)
                action = room.actions[which]
                if room.worths[which] < room.worths[0] - _NEARLY * SCALE:
                    expected = room.worths[0]
                    write_totals(s, totals, scoring)
                    expected += totals[seat]
            elif whose == TAUGHT and unit(word) < stray:
                action = pick_random(s, mix(word))
            else:
                action = choose(teacher, s, word, scratch)
            push(s, action)
            if whose != OTHER:
                row, k = count + n, 0
                seats[n], best[n], rows.first[row] = 0 if TEAM else seat, expected, at
                write_totals(s, totals, scoring)
                after[n], values[n] = totals[seats[n]], 0.0
                if s["end"] == 0:
                    k = write_inputs(s, seats[n], rows.inputs[at : at + MOST_INPUTS])
                    values[n] = value_of(weights, rows.inputs[at : at + k], room)
                n, at = n + 1, at + k
            deal_seeded(s, seed)
        write_totals(s, totals, scoring)
        own, seen = 0.0, 0
        for seat in range(s["players"]):
            then[seat], later[seat], worth_then[seat] = totals[seat], 0.0, 0.0
            own, seen = own + totals[seat] * (by[seat] != OTHER), seen + int(by[seat] != OTHER)
        told[0] += own / seen
        told[1] += 1
        for back in range(n):  # as for sums, but for the decisions before one in which it strayed
            row = n - 1 - back
            seat = seats[row]
            later[seat] = then[seat] - after[row] + (1.0 - trace) * worth_then[seat] + trace * later[seat]
            rows.gains[count + row] = later[seat]
            then[seat], worth_then[seat] = after[row], values[row]
            if not np.isnan(best[row]):
                then[seat], worth_then[seat], later[seat] = best[row], 0.0, 0.0
        count += n
        seed = next_seed(seed)
    rows.first[count] = at
    return seed, count


@njit
def step_by(
    weights: np.ndarray, gradient: np.ndarray, mean: np.ndarray, square: np.ndarray, rate: np.float32, part: np.float32
) -> None:
    """Take a step against the gradient, which is cleared (Adam, Kingma and Ba 2015). All are float32, (n,).

    What is next to nothing becomes nothing: numbers of 32 bits that are still smaller take a hundred times as long.
    """
    for j in range(weights.shape[0]):
        slope = gradient[j] * part
        mean[j] = _KEEP * mean[j] + (np.float32(1) - _KEEP) * slope
        mean[j] = mean[j] if abs(mean[j]) > _TINY else np.float32(0)
        square[j] = _KEEP_SQUARE * square[j] + (np.float32(1) - _KEEP_SQUARE) * slope * slope + _TINY * _TINY
        weights[j] -= rate * mean[j] / np.sqrt(square[j])
        gradient[j] = 0


@loop
def learn_rows(
    order: np.ndarray,
    rows: Rows,
    weights: np.ndarray,
    gradient: np.ndarray,
    mean: np.ndarray,
    square: np.ndarray,
    steps: int,
    rate: float,
    together: int,
    room: Room,
) -> int:
    """Learn from positions in an order, ``together`` in one step; return how many steps were taken in all.

    weights, gradient, mean, square: float32, as many as ``count_weights`` says; the gradient is 0 before and after.
    """
    first, second, rows_at, n = room.first, room.second, INPUTS + QUICK, order.shape[0]
    behind = rows_at + INPUTS * HIDDEN
    second_at = behind + HIDDEN
    last_at = second_at + (HIDDEN + 1) * SECOND
    below, touched = np.zeros(HIDDEN, np.float32), np.zeros(INPUTS, np.bool_)
    for i in range(n):
        inputs = rows.inputs[rows.first[order[i]] : rows.first[order[i] + 1]]
        if inputs.shape[0] > 0:
            error = (value_of(weights, inputs, room) - rows.gains[order[i]]) / SCALE
            slope = np.float32(max(min(error, 2.0), -2.0))
            gradient[last_at + SECOND] += slope
            for k in range(SECOND):
                gradient[last_at + k] += slope * max(second[k], np.float32(0))
                second[k] = slope * weights[last_at + k] if second[k] > 0 else np.float32(0)
                gradient[last_at - SECOND + k] += second[k]
            for j in range(HIDDEN):
                below[j] = 0
                if first[j] > 0:
                    for k in range(SECOND):
                        gradient[second_at + j * SECOND + k] += first[j] * second[k]
                        below[j] += second[k] * weights[second_at + j * SECOND + k]
                gradient[behind + j] += below[j]
            for k in range(inputs.shape[0]):
                touched[inputs[k]] = True
                gradient[inputs[k]] += slope
                row = gradient[rows_at + inputs[k] * HIDDEN : rows_at + (inputs[k] + 1) * HIDDEN]
                for j in range(HIDDEN):
                    row[j] += below[j]
        if (i + 1) % together == 0 or i + 1 == n:
            steps += 1
            warm = np.sqrt(1.0 - 0.999**steps) / (1.0 - 0.9**steps)
            size, part = np.float32(rate * warm), np.float32(1.0 / together)
            for which in range(INPUTS):
                if touched[which]:
                    touched[which] = False
                    at = rows_at + which * HIDDEN
                    to = at + HIDDEN
                    step_by(weights[at:to], gradient[at:to], mean[at:to], square[at:to], size, part)
            step_by(weights[:INPUTS], gradient[:INPUTS], mean[:INPUTS], square[:INPUTS], size, part)
            step_by(weights[behind:], gradient[behind:], mean[behind:], square[behind:], size, part)
    return steps


def first_weights(inputs: int, quick: int, hidden: int, seed: int) -> np.ndarray:
    """Return weights to begin with, at random by a seed, float32."""
    draw = np.random.default_rng(seed).normal
    second, last = draw(size=(hidden, SECOND)) * np.sqrt(2 / hidden), draw(size=SECOND) * 0.1
    rows = (draw(size=(inputs, hidden)) * 0.08).ravel()
    parts = (np.zeros(inputs + quick), rows, np.zeros(hidden), second.ravel(), np.zeros(SECOND), last, np.zeros(1))
    return np.concatenate(parts).astype(np.float32)


class LayerLearner:
    """Plays and learns by turns, and keeps nothing from one to the next but the weights, and how fast each moves.

    Args:
        rules, common: the game and its set-up, as ``Setup.common`` gives it.
        weights, mean, square: float32, as many as ``count_weights`` says, changed.
        taught: whether a scripted player plays at first.
        among: the part of the turns after that in which the learner plays alone among such players, 0 to 1.
    """

    def __init__(
        self,
        rules: Rules,
        common: np.ndarray,
        weights: np.ndarray,
        mean: np.ndarray,
        square: np.ndarray,
        taught: bool,
        among: float,
    ) -> None:
        self._taught_part, self._among = TAUGHT_PART if taught else 0.0, among
        self._rules, self._common, self._arrays = rules, common, (weights, np.zeros_like(weights), mean, square)
        self._states, self._scratch, self._rows = np.zeros(3, rules.state), rules.scratch(), new_rows(MOST_GAMES)
        self._room, self.steps = rules.compiled(new_room)(), 0
        self._teacher = len(rules.opponents) - 1
        self._warmth = WARMTH * float(getattr(rules.verbs, "SCALE", SCALE))
        self.turn(0, 0, 0.0, 0.0, 0.0, np.zeros(2))  # so that all is compiled now

    def turn(self, seed: int, games: int, part: float, trace: float, rate: float, told: np.ndarray) -> int:
        """Play some games and learn from them; return the seed of the next one.

        Args:
            seed: of the first game.
            games: how many.
            part: of the learning that is done, 0 to 1: at first the last of the scripted players plays, and then the
                learner, which errs less and learns more slowly from turn to turn.
            trace: λ.
            rate: a factor of the steps.
            told: of :func:`play_games`.
        """
        draw, players = np.random.default_rng(seed), int(self._common[0]["players"])
        taught, left = part < self._taught_part, 1.0 - part
        by = np.full(self._rules.verbs.MAX_PLAYERS, TAUGHT if taught else OWN)
        if not taught and players > 1 and draw.random() < self._among:
            by[:] = OTHER
            by[draw.integers(players)] = OWN
        stray, warmth = (TAUGHT_STRAY, 0.0) if taught else (STRAY * left, self._warmth * left)
        compiled, weights, word = self._rules.compiled, self._arrays[0], np.uint64(seed)
        after, count = compiled(play_games)(
            word, games, self._common, self._states, weights, by, self._teacher, self._scratch,
            stray, warmth, 1.0 if taught else trace, self._rows, told,
        )  # fmt: skip
        size = rate * RATE * (RATE_LEFT**part)
        for _ in range(TIMES):
            order = draw.permutation(count)
            self.steps = compiled(learn_rows)(order, self._rows, *self._arrays, self.steps, size, TOGETHER, self._room)
        return int(after)
