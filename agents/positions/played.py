"""What moves and positions are worth in a game that has no values: by games that a scripted opponent plays to the end.

It plays on in all seats after each action. Of rivals the share of the win counts, of a team and where one may be alone
the total. All actions and positions meet the same chance, which follows from nothing but the number of the playout.
"""

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.chance import own_word
from bohemian_env.engine.contract import Action, Rules, Seat, choose, moment, push
from bohemian_env.engine.dealing import deal_seeded, redraw_seed
from bohemian_env.engine.game import Game
from bohemian_env.engine.legal import legal_actions
from bohemian_env.engine.reward import new_scoring, write_totals, write_win_shares
from bohemian_env.games import rules_of

ADVISER: Final = "greedy"  # the opponent that plays on, which every game has
_CONTENDERS: Final = 8  # actions that are played on from more often, the best by fewer playouts
_STATED, _WORTH = 20_000, 400_000  # simulated moves after all actions of a position
_GUESSED, _STANDING = 10_000, 100_000  # and of what seats can expect, after all that chance can bring
_LONGEST: Final = 10_000  # moves of a playout
_COUNTED: Final = 36  # outcomes of chance that are gone through one by one, at most
_REMEMBERED: Final = 2_000
_WORD: Final = np.uint64(2)


@loop
def play_on(
    states: np.ndarray, actions: np.ndarray, number: int, word: Word, moves: int, shared: bool, scratch: Any,
    results: np.ndarray,
) -> None:  # fmt: skip
    """Write what each seat has in the end, in the mean over games that go on from ``states[0]``.

    states: (2,), the second is overwritten. actions: int64, (n,), those with which they go on, -1 for none. number: of
    the opponent. moves: how many are simulated, or few more. shared: whether the share of the win
    counts. scratch: what ``Rules.scratch`` made. results: float64, (n, players), overwritten.
    """
    players, scoring = results.shape[1], new_scoring()
    totals, shares = np.empty(players, np.int32), np.empty(players)
    results[:] = 0.0
    games, made = 0, 0
    while made < moves:
        seed = redraw_seed(word, games)
        for i in range(actions.shape[0]):
            states[1] = states[0]
            if actions[i] >= 0:
                push(states[1], actions[i])
            deal_seeded(states[1], seed)
            made += 1
            last = made + _LONGEST
            while states[1]["end"] == 0 and made < last:
                push(states[1], choose(number, states[1], own_word(seed, word, moment(states[1])), scratch))
                deal_seeded(states[1], seed)
                made += 1
            write_totals(states[1], totals, scoring)
            shares[:] = totals
            if shared:
                write_win_shares(totals, players, shares)
            results[i] += shares
        games += 1
    results /= games


def shares_wins(rules: Rules) -> bool:
    """Return whether the share of the win is what counts in a game."""
    return not rules.verbs.TEAM and rules.players[0] > 1


def stated(game: Game) -> dict[Action, float]:
    """Return what each legal action is worth to the seat to move, by few playouts."""
    return _worth(game, legal_actions(game.states[0]), _STATED)


def worth(game: Game, asked: Action | None = None) -> dict[Action, float]:
    """Return what each legal action is worth to the seat to move, the best few and the one ``asked`` about by many
    playouts. All others stay as far behind the best one stated as they are stated.
    """
    few = stated(game)
    best = sorted(few, key=lambda action: -few[action])[:_CONTENDERS]
    known = _worth(game, sorted({*best, *([] if asked is None else [asked])}), _WORTH)
    change = known[best[0]] - few[best[0]]
    least = 0.0 if shares_wins(game.rules) else -np.inf
    return {action: known.get(action, max(value + change, least)) for action, value in few.items()}


def stated_standing(game: Game) -> list[float]:
    """Return what :func:`standing` does, by few playouts."""
    return list(_standing(game.rules.name, game.states.tobytes(), _GUESSED))


def standing(game: Game) -> list[float]:
    """Return what each seat is expected to have in the end, or all of a team; before chance speaks, on the mean."""
    return list(_standing(game.rules.name, game.states.tobytes(), _STANDING))


def _worth(game: Game, actions: Sequence[Action], moves: int) -> dict[Action, float]:
    seat = int(game.states[0]["to_move"])
    return dict(zip(actions, _worths(game.rules.name, game.states.tobytes(), tuple(actions), seat, moves), strict=True))


@functools.lru_cache(_REMEMBERED)
def _worths(name: str, state: bytes, actions: tuple[Action, ...], seat: Seat, moves: int) -> list[float]:
    found: list[float] = _played(rules_of(name), state, actions, moves)[:, seat].tolist()
    return found


@functools.lru_cache(_REMEMBERED)
def _standing(name: str, state: bytes, moves: int) -> list[float]:
    rules = rules_of(name)
    s, verbs = np.frombuffer(state, rules.state)[0], rules.verbs
    ways = verbs.outcomes(s) if s["pending"] else 0
    if 0 < ways <= _COUNTED:
        mean = np.zeros(int(s["players"]))
        for k in range(ways):
            if (likely := verbs.likelihood(s, k)) > 0:
                after = np.frombuffer(state, rules.state).copy()
                verbs.deal(after[0], k)
                mean += likely * _played(rules, after.tobytes(), (-1,), moves // ways)[0]
    else:
        mean = _played(rules, state, (-1,), moves)[0]
    found: list[float] = mean.tolist()
    return found[:1] if verbs.TEAM else found


def _played(rules: Rules, state: bytes, actions: Sequence[Action], moves: int) -> np.ndarray:
    states = np.repeat(np.frombuffer(state, rules.state), 2)
    results = np.empty((len(actions), int(states[0]["players"])))
    number = list(rules.opponents).index(ADVISER)
    rules.compiled(play_on)(
        states, np.array(actions, np.int64), number, _WORD, moves, shares_wins(rules), rules.scratch(), results
    )
    return results
