"""Who sits where: what may be asked for before a game, and how it is kept."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agents.pretrained import duel
from bohemian_env import BadSetup, Board
from bohemian_env.envs.aec import NAME
from bohemian_env.game.facts import MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.game.setup import MAX_SEED, Setup

__all__ = [
    "COLOURS",
    "LONGEST_NAME",
    "OPPONENTS",
    "STRONGEST",
    "BadSeating",
    "Opponent",
    "engine",
    "read_seating",
    "strength",
]

LONGEST_NAME: Final = 20
STRONGEST: Final = 6
COLOURS: Final = ("Orange", "Blue", "Yellow", "Green", "White")
"""What people call the colours of the figures of each seat (``render/palette.py``)."""


class BadSeating(ValueError):
    """What was asked for is no game that can be played here; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An agent that may sit down, as the page presents it."""

    agent: str
    """Its name for ``agents.make``."""
    level: int
    """How strong it is among those here, 1 to STRONGEST; 0 if nobody knows."""
    line: str
    """What it is like, in a sentence."""


OPPONENTS: Final = (
    Opponent("random", 1, "Makes any legal move. Good company for learning the rules."),
    Opponent("greedy", 2, "Takes what looks best at once, and thinks no further."),
    Opponent("rusher", 3, "Plans its whole turn, and wants the game to end soon."),
    Opponent("hoarder", 4, "Plans its whole turn, and gathers income and the bishop."),
    Opponent("planner", 4, "Plans its whole turn, with well-tuned judgement."),
    Opponent("montecarlo:2000", 5, "Plays the game on 2,000 times in its head before each move."),
    Opponent("ppo", 5, "Learnt by playing against itself; one agent for each size of table."),
    Opponent("search:ppo:1000", 6, "Looks ahead with what ppo learnt. The strongest."),
)
"""Agents whose moves follow from their seeds alone, so that a game goes on after a restart as it would have."""


def strength(opponent: str, players: int) -> str:
    """Return how an agent did when it was measured at a table of this size; empty for those that were not."""
    measured = duel(opponent, "planner", players)
    if measured is None:
        return ""
    among = "planner" if players == 2 else f"{players - 1} planners"
    return f"Won {measured['win_share']['value']:.0%} of its games against {among} (equals: {1 / players:.0%})."


def engine() -> str:
    """What the actions of a kept game mean: the version of the environment, and the board."""
    return f"{NAME} {Board.standard().digest[:16]}"


def read_seating(asked: Any, known: Sequence[str]) -> dict[str, Any]:
    """The setup to be kept for what a page asks for: ``seats`` (``{"name": …}`` or ``{"agent": …}``), ``villages``
    (a list of names, or null) and ``seed`` (a number, its digits, or null).

    The names in it are different from each other and never empty. Every chance that is left to the game, its own and
    those of its agents, gets its seed now.

    Raises:
        BadSeating: it is not such a thing, or the agent is none of ``known``.
    """
    if not isinstance(asked, Mapping) or set(asked) - {"seats", "villages", "seed"}:
        raise BadSeating("a game is asked for by its seats, villages and seed")
    seats = asked.get("seats")
    if not isinstance(seats, list) or not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        raise BadSeating(f"{MIN_PLAYERS} to {MAX_PLAYERS} can sit at the table")
    seed = asked.get("seed")
    if isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) < 20:
        seed = int(seed)  # a browser's numbers have not so many digits
    if seed is None:
        seed = secrets.randbits(63)
    elif not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= MAX_SEED:
        raise BadSeating(f"the seed is a whole number from 0 to {MAX_SEED}, or nothing")
    villages = asked.get("villages")
    if villages is not None:
        if not isinstance(villages, list) or not all(isinstance(v, str) for v in villages):
            raise BadSeating("villages are named in a list")
        try:
            Setup.of(len(seats), villages)
        except BadSetup as error:
            raise BadSeating(str(error)) from None
    return {"engine": engine(), "seats": _named([_seat(s, known) for s in seats]), "villages": villages, "seed": seed}


def _seat(asked: Any, known: Sequence[str]) -> dict[str, Any]:
    if isinstance(asked, Mapping) and set(asked) == {"agent"} and isinstance(asked["agent"], str):
        if asked["agent"] not in known:
            raise BadSeating(f"there is no agent {asked['agent'][:50]!r} here; there are {', '.join(known)}")
        return {"agent": asked["agent"], "seed": secrets.randbits(63)}
    if isinstance(asked, Mapping) and set(asked) == {"name"} and isinstance(asked["name"], str):
        name = " ".join(asked["name"].split())
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise BadSeating(f"a name has at most {LONGEST_NAME} letters")
        return {"name": name}
    raise BadSeating("a seat is for a person with a name, or for an agent")


def _named(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give a name to everybody who has none: to the only person "You", to others their colour, to agents their own."""
    people = [seat for seat in seats if "agent" not in seat]
    for number, seat in enumerate(seats):
        if "agent" in seat:
            short = _short(seat["agent"])
            same = [s for s in seats[:number] if "agent" in s and _short(s["agent"]).casefold() == short.casefold()]
            seat["name"] = short + (f" {len(same) + 1}" if same else "")
        elif not seat["name"]:
            seat["name"] = "You" if len(people) == 1 else COLOURS[number]
    names = [seat["name"].casefold() for seat in seats]
    for name in names:
        if names.count(name) > 1:
            raise BadSeating(f"two at the table are called {name!r}; give one of them another name")
    return seats


def _short(agent: str) -> str:
    """The name of an agent at the table: without its budget, and of a path only the end."""
    if Path(agent).exists():
        return (Path(agent).parent if Path(agent).is_file() else Path(agent)).resolve().name[:LONGEST_NAME]
    return {"montecarlo": "montecarlo", "search": "search"}.get(agent.partition(":")[0], agent)[:LONGEST_NAME]
