"""A game looked at again: what every roll was worth, what every move cost, and each seat's chance of winning.

A chance of winning is what becomes of the game if all go on as ``appraiser`` would (``opponents.chances``).
What a move *costs* is the chance after the best move less that after this one, both for the seat that moves, found by
rollouts (``worth``). The *luck* of a roll is the chance after it less the mean over all rolls that could have come. All
are parts of 1.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, zip_longest
from typing import Any, Final

import numpy as np

from agents.common.cores import usable_cores
from agents.positions.worth import COSTLY, stated, worth
from bohemian_env import Game
from bohemian_env.engine.contract import Action
from bohemian_env.villages.opponents.chances import chances_of, expected_chances
from bohemian_env.villages.render import SEAT_LETTERS
from bohemian_env.villages.state import STATE, Seat
from bohemian_env.villages.words import ENGLISH, Words

from .drawing import Album, draw
from .history import Position, positions_of
from .teller import Teller, lines_of

NEARLY: Final = 0.02
"""A move that costs no more is as good as the best where somebody looks for a better one."""
_TOLD: Final = 3
"""The best moves that are told of every position; where a costly move was made, all are."""
_REMEMBERED: Final = 10_000
_DIGITS: Final = 4


@functools.lru_cache(_REMEMBERED)
def _chances(state: bytes) -> tuple[float, ...]:
    """Return the chances of all seats in a position."""
    return tuple(chances_of(np.frombuffer(state, STATE), np.zeros(1, np.int64))[0].tolist())


@functools.lru_cache(_REMEMBERED)
def _expected(state: bytes) -> tuple[float, ...]:
    """Return the mean chances of all seats over the rolls that can follow a position."""
    return tuple(expected_chances(np.frombuffer(state, STATE)[0]).tolist())


def _luck(before: Game, dice: Sequence[int]) -> list[float]:
    """Return how lucky each seat was when these dice were rolled."""
    chances = _chances(before.roll(dice).states.tobytes())
    expected = _expected(before.states.tobytes())
    return [round(chance - mean, _DIGITS) for chance, mean in zip(chances, expected, strict=True)]


def review(
    game: Game,
    names: Sequence[str] | None = None,
    you: int | None = None,
    after: int = 0,
    quick: bool = False,
    words: Words = ENGLISH,
) -> dict[str, Any]:
    """Return all there is to tell of a game so far, in plain Python types.

    Args:
        game: the game, from its beginning.
        names: of the seats; those of its record by default.
        you: the seat that is called "you".
        after: the number of positions that the reader has already, which are left out.
        quick: whether to leave out what takes most of the time: the luck of rolls and the cost of moves among which
            there was a choice are None then, and the network states how good these are.
        words: those of the language in which it is told.

    Raises:
        NoRecord: the game was loaded from a position.
    """
    names = list(game.record()["players"] if names is None else names)
    teller, album = Teller(names, you, words), Album()
    positions: list[dict[str, Any]] = []
    before = None
    history = positions_of(game)
    if not quick:
        _roll_out(history)
    for number, (here, following) in enumerate(zip_longest(history, history[1:])):
        played = None if following is None else following.game.actions[-1]
        positions.append(_position(here, played, teller if number >= after else None, quick))
        if number >= after:
            entries = map(teller.entry, lines_of(here.happened, here.game.outcome()))
            positions[-1]["lines"] = [entry | {"position": number - (entry["kind"] == "move")} for entry in entries]
            album.add(draw(here.game, names, before, words.language))
        before = here.game
    return {
        "names": names,
        "letters": SEAT_LETTERS[: len(names)],
        "you": you,
        "over": game.over,
        "costly": COSTLY,
        "nearly": NEARLY,
        "seats": [_summary(seat, positions, quick) for seat in range(len(names))],
        "after": after,
        "positions": positions[after:],
        **album.to_json(),
    }


def _roll_out(history: Sequence[Position]) -> None:
    """Find what moves are worth, on all cores, so that it is known when they are told of."""
    with ThreadPoolExecutor(len(usable_cores())) as pool:
        decided = [(here.game, after.game.actions[-1]) for here, after in pairwise(history)]
        for one in [pool.submit(worth, game.states.tobytes(), action) for game, action in decided if _open(game)]:
            one.result()


def _open(game: Game) -> bool:
    """Return whether somebody has a choice."""
    return game.to_move is not None and not game.needs_roll and len(game.legal_actions) > 1


def _position(here: Position, played: Action | None, teller: Teller | None, quick: bool) -> dict[str, Any]:
    """Return what there is to tell of a position in which an action was ``played``.

    teller: tells of the moves; None leaves them out.
    """
    game, state = here.game, here.game.states.tobytes()
    values = {}
    if game.to_move is not None and not game.needs_roll:
        values = worth(state, played) if _open(game) and not quick else stated(state)
    best = max(values.values(), default=0.0)
    unknown = quick and played is not None and len(values) > 1
    cost = None if unknown else 0.0 if played is None else round(best - values[played], _DIGITS)
    told = sorted(values, key=lambda action: -values[action])
    if cost is not None and cost < COSTLY[0]:
        told = [action for place, action in enumerate(told) if place < _TOLD or action == played]
    return {
        "seat": game.to_move,
        "turn": game.turn,
        "dice": game.dice,
        "chances": [round(chance, _DIGITS) for chance in _chances(state)],
        "rolls": [
            {"seat": due.to_move, "dice": dice, "luck": None if quick else _luck(due, dice)} for due, dice in here.rolls
        ],
        "choices": len(values),
        "played": None if played is None else game.action_to_text(played),
        "cost": cost,
        "moves": [
            teller.option(game, game.action_to_text(action)) | {"chance": round(values[action], _DIGITS)}
            for action in told
        ]
        if teller
        else [],
    }


def _summary(seat: Seat, positions: Sequence[Mapping[str, Any]], quick: bool) -> dict[str, Any]:
    """Return how lucky a seat was with its own rolls and with those of others, and what its decisions cost: of those
    that left a choice their number, the sum, and how many were costly. quick: only their number is told.
    """
    decided = [p for p in positions if p["seat"] == seat and p["played"] is not None and p["choices"] > 1]
    found: dict[str, Any] = {"decisions": len(decided)}
    if quick:
        return found | dict.fromkeys(("own", "others", "lost", "costly"))
    rolls = [roll for position in positions for roll in position["rolls"]]
    costs = [p["cost"] for p in decided]
    return found | {
        "own": round(sum(roll["luck"][seat] for roll in rolls if roll["seat"] == seat), _DIGITS),
        "others": round(sum(roll["luck"][seat] for roll in rolls if roll["seat"] != seat), _DIGITS),
        "lost": round(sum(costs), _DIGITS),
        "costly": [sum(cost >= least for cost in costs) for least in COSTLY],
    }
