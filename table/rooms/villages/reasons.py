"""What speaks for a move, or against it: the coins by source that it brings on the whole, against another move.

Both are played on from many times with the same dice, by ``planner`` in all seats and to the end of the game, at most
500 turns.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from bohemian_env.engine.compiled import njit
from bohemian_env.engine.words import Words
from bohemian_env.villages.game import Game
from bohemian_env.villages.opponents.montecarlo import search_room
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS
from table.rooms import sure_means

from .coin_sources import COIN_SOURCES, add_final, follow

GAMES: Final = 200
"""Games played on after each of the two moves."""
_LEAST: Final = 0.5  # coins of a difference that is worth a word
_MOST: Final = 3  # differences that are told at most

OTHERS: Final = "others"


class Reason(NamedTuple):
    """How many coins more one move brings than another."""

    source: str
    """One of COIN_SOURCES; or OTHERS, for the mean of what the other seats have in the end."""
    coins: float


@njit
def _play_on(
    states: np.ndarray,
    seeds: np.ndarray,
    actions: np.ndarray,
    accounts: np.ndarray,
    weights: np.ndarray,
    scratch: np.ndarray,
) -> None:
    """Carry out an action in each position, and let the planner play on to the end of the game."""
    one = np.zeros(1, np.int64)
    for i in range(states.shape[0]):
        one[0] = i
        follow(one, states, seeds, actions, accounts)
        while states[i]["end"] == 0:
            actions[i] = planner_action(states[i], weights, scratch)
            follow(one, states, seeds, actions, accounts)


def reasons(game: Game, move: str, other: str, better: bool, seed: int = 0) -> list[Reason]:
    """Return what a legal move brings more than another one to the seat that is to move, or less where it is not the
    ``better`` one, the largest difference first: only what is sure and at least half a coin. Nothing if these games say
    on the whole, by the seat's lead over the mean of the others, that the other move is the better one.

    seed: of the dice, 0 to 2**62.
    """
    pair = [game.text_to_action(text) for text in (move, other)]
    states = np.repeat(game.states, 2 * GAMES)
    states["max_turns"] = game.turn + DEFAULT_MAX_TURNS  # on a board that pays nothing no game ends otherwise
    seeds = np.tile(np.arange(seed, seed + GAMES, dtype=np.uint64), 2)
    actions = np.repeat(np.array(pair, np.int64), GAMES)
    accounts = np.zeros((len(states), game.players, len(COIN_SOURCES)), np.int64)
    _play_on(states, seeds, actions, accounts, WEIGHTS[0, game.players], search_room().scratch)
    add_final(states, accounts)
    seat = int(game.states[0]["to_move"])
    others = np.delete(accounts.sum(axis=2), seat, axis=1).mean(axis=1)
    columns = np.column_stack([accounts[:, seat], others])
    more = columns[:GAMES] - columns[GAMES:]
    names = (*COIN_SOURCES, OTHERS)
    speaks = np.array([1.0] * len(COIN_SOURCES) + [-1.0]) * (1 if better else -1)
    if more.mean(axis=0) @ speaks <= 0:
        return []
    sure = zip(names, sure_means(more, _LEAST), speaks, strict=True)
    found = [Reason(name, float(mean)) for name, mean, sign in sure if sign * mean > 0]
    return sorted(found, key=lambda reason: -abs(reason.coins))


def told(found: Sequence[Reason], players: int, words: Words) -> str:
    """Return reasons in few words, "+4.1 churches, opponent: 2.0 fewer coins"; nothing if there are none.

    players: at the table.
    """
    clauses = []
    for source, coins in found[:_MOST]:
        if source == OTHERS:
            one = ("source.opponent_less", "source.opponent_more")
            several = ("source.opponents_less", "source.opponents_more")
            key = (one if players == 2 else several)[coins > 0]
            clauses.append(words(key, coins=words.number(abs(coins), ".1f")))
        else:
            clauses.append(words("source.more", coins=words.number(coins, "+.1f"), source=words(f"source.{source}")))
    return ", ".join(clauses)
