"""Who may sit at the table, and the *seating* of a game: who sits where, on which villages and dice they play.

A seating is kept with its game (``store.py``), so its form is fixed: ``engine`` (what the kept action numbers mean),
``seats`` (each with a ``name``, and an agent's with ``agent`` and ``seed``), ``villages`` (a list of names, or None if
the seed draws them) and ``seed``. One that goes on from a position of another game has, in ``record``, the record
of what was played until then.
"""

from __future__ import annotations

import itertools
import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from agents.players.names import PROGRAM, AgentName, UnknownAgent
from agents.pretrained import duel
from bohemian_env import BadSetup, Board, Game
from bohemian_env.envs.aec import NAME
from bohemian_env.game.board import is_whole
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.game.setup import MAX_SEED, Setup

from .history import positions_of

__all__ = [
    "COLOURS",
    "GUESTS",
    "LONGEST_NAME",
    "STRONGEST",
    "YOU",
    "BadSeating",
    "Guest",
    "engine",
    "read_seating",
    "record_names",
    "seating_from",
    "seating_of",
    "strength",
]

LONGEST_NAME: Final = 20
STRONGEST: Final = 6
YOU: Final = "You"
"""The name of a person who gives none and is the only one."""
COLOURS: Final = ("Orange", "Blue", "Yellow", "Green", "White")
"""What people call the colours of the figures of each seat (``render/palette.py``)."""


class BadSeating(ValueError):
    """A game that was asked for cannot be played here; the message says why."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An agent that may sit at the table, as the page presents it."""

    agent: str
    """Its name for ``agents.make``."""
    level: int
    """How strong it is among the guests, 1 to STRONGEST; 0 if nobody knows."""
    line: str
    """What it is like, in a sentence."""


GUESTS: Final = (
    Guest("random", 1, "Makes any legal move. Good company while you learn the rules."),
    Guest("greedy", 2, "Takes what looks best right now and thinks no further."),
    Guest("rusher", 3, "Plans its whole turn and tries to end the game early."),
    Guest("hoarder", 4, "Plans its whole turn and collects income and the bishop."),
    Guest("planner", 4, "Plans its whole turn with well-tuned judgement."),
    Guest("ppo", 5, "Learnt by playing against itself, separately for each number of players."),
    Guest("montecarlo:2000", 5, "Tries out its best moves by playing on from each of them many times."),
    Guest("appraiser", 5, "Learnt how likely each seat is to win, and tries every turn."),
    Guest("search:appraiser:1000", 6, "Plays on from the turns that appraiser likes best."),
)
"""Agents whose moves follow from their seeds alone, so that a restart does not change how they play on."""


def strength(opponent: str, players: int) -> str:
    """Return how an agent did when it was measured at a table of this size; empty for those that were not."""
    measured = duel(opponent, "planner", players)
    if measured is None:
        return ""
    among = "planner" if players == 2 else f"{players - 1} planners"
    return f"Won {measured['win_share']['value']:.0%} of its games against {among} (equals: {1 / players:.0%})."


def engine() -> str:
    """Return what the action numbers of a kept game refer to: the version of the environment, and the board."""
    return f"{NAME} {Board.standard().digest[:16]}"


def read_seating(asked: Any, known: Sequence[str]) -> dict[str, Any]:
    """Return the seating for what a page asks for.

    Every name in it is different and none is empty. The game and each of its agents get their seeds now.

    Args:
        asked: ``seats`` (``{"name": …}`` or ``{"agent": …}`` each), ``villages`` (a list of names, or None) and
            ``seed`` (a number, its digits, or None).
        known: the agents that may be asked for.

    Raises:
        BadSeating: what is asked for has another form, or cannot be played.
    """
    if not isinstance(asked, Mapping) or set(asked) - {"seats", "villages", "seed"}:
        raise BadSeating("a new game is described by seats, villages and seed, and nothing else")
    seats = asked.get("seats")
    if not isinstance(seats, list) or not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        raise BadSeating(f"{MIN_PLAYERS} to {MAX_PLAYERS} can sit at the table")
    seed = asked.get("seed")
    if isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) < 20:
        seed = int(seed)  # a browser's own numbers would lose digits
    if seed is None:
        seed = secrets.randbits(63)
    elif not is_whole(seed, 0, MAX_SEED):
        raise BadSeating(f"the seed is a whole number from 0 to {MAX_SEED}, or left out")
    villages = asked.get("villages")
    if villages is not None:
        if not isinstance(villages, list) or not all(isinstance(v, str) for v in villages):
            raise BadSeating("villages are given as a list of names")
        try:
            Setup.of(len(seats), villages)
        except BadSetup as error:
            raise BadSeating(str(error)) from None
    return {"engine": engine(), "seats": _named([_seat(s, known) for s in seats]), "villages": villages, "seed": seed}


def seating_from(asked: Any, known: Sequence[str], game: Game, moves: int) -> dict[str, Any]:
    """Return the seating of a game that goes on from another one after so many of its moves, with dice of its own.

    asked: the seats, as for :func:`read_seating`.

    Raises:
        BadSeating: the seats are not as there, or not as many as the game's; or nobody decides after so many moves.
    """
    history = positions_of(game)
    if moves >= len(history) or history[moves].game.over:
        raise BadSeating("nobody can go on from there: the game is over, or has not got that far")
    seating = read_seating({"seats": asked}, known)
    if len(seating["seats"]) != game.players:
        raise BadSeating(f"this is a game of {game.players}, so that {len(seating['seats'])} cannot go on with it")
    record = history[moves].game.continued(record_names(seating), seating["seed"]).record()
    if not game.over:  # whose dice to come nobody may know
        record["continues"]["seed"] = None
    return seating | {"record": record}


def seating_of(game: Game, known: Sequence[str]) -> dict[str, Any]:
    """Return the seating of a game that came as a record: agents that are ``known``, and people by the names of its
    other players. If it is not over yet, it goes on with dice of its own.
    """
    seats: list[dict[str, Any]] = []
    for player in game.record()["players"]:
        agent = {"agent": player, "seed": secrets.randbits(63)} if player in known else {}
        name = _short(player) if agent else player[: LONGEST_NAME - 2]
        seats.append(agent | {"name": _free(name, seats)})
    seating: dict[str, Any] = {"engine": engine(), "seats": seats, "villages": None, "seed": secrets.randbits(63)}
    if not game.over:
        game = game.continued(record_names(seating), seating["seed"])
        while game.needs_roll:
            game = game.roll()
    return seating | {"record": game.record()}


def record_names(seating: Mapping[str, Any]) -> list[str]:
    """Return what the record of a game calls its players: agents by their own names."""
    return [seat.get("agent", seat["name"]) for seat in seating["seats"]]


def _seat(asked: Any, known: Sequence[str]) -> dict[str, Any]:
    if isinstance(asked, Mapping) and set(asked) == {"agent"} and isinstance(asked["agent"], str):
        if asked["agent"] not in known:
            raise BadSeating(f"there is no agent {asked['agent'][:50]!r} here; there are {', '.join(known)}")
        return {"agent": asked["agent"], "seed": secrets.randbits(63)}
    if isinstance(asked, Mapping) and set(asked) == {"name"} and isinstance(asked["name"], str):
        name = " ".join(asked["name"].split())
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise BadSeating(f"a name has at most {LONGEST_NAME} printable characters")
        return {"name": name}
    raise BadSeating("a seat is for a person with a name or for an agent")


def _named(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Name everybody who has no name yet: the only person "You", other people by colour, agents by their own name."""
    people = [seat for seat in seats if "agent" not in seat]
    for number, seat in enumerate(seats):
        if "agent" in seat:
            seat["name"] = _free(_short(seat["agent"]), [s for s in seats[:number] if "agent" in s])
        elif not seat["name"]:
            seat["name"] = YOU if len(people) == 1 else COLOURS[number]
    names = [seat["name"].casefold() for seat in seats]
    for name in names:
        if names.count(name) > 1:
            raise BadSeating(f"two at the table are called {name!r}; give one of them another name")
    return seats


def _free(name: str, seats: Sequence[Mapping[str, Any]]) -> str:
    """Return a name that none of the seats has: this one, or with the first number from 2 that is free."""
    taken = {seat["name"].casefold() for seat in seats}
    names = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    return next(one for one in names if one.casefold() not in taken)


def _short(agent: str) -> str:
    """Return what an agent is called at the table: its name without a budget, or the folder or file that it is from."""
    try:
        named = AgentName.parse(agent)
    except UnknownAgent as error:
        raise BadSeating(str(error)) from None
    folder = Path(agent).parent if Path(agent).is_file() else Path(agent)
    words = shlex.split(named.source) if named.kind == PROGRAM else [""]
    program = next((word for word in reversed(words) if isfile(word)), words[0])
    return {"scripted": agent, "trained": folder.resolve().name, PROGRAM: Path(program).name}.get(
        named.kind, named.kind
    )[:LONGEST_NAME]
