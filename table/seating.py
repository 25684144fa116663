"""Who may sit at the table, and the *seating* of a game: who sits where, on which villages and dice they play.

A seating is kept with its game (``store.py``), so its form is fixed: ``engine`` (what the kept action numbers mean),
``seats`` (each with a ``name``, and an agent's with ``agent`` and ``seed``), ``villages`` (a list of names, or None if
the seed draws them) and ``seed``. One that goes on from a position of another game has, in ``record``, the record
of what was played until then.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from agents.players.names import APPRAISER, PROGRAM, AgentName, UnknownAgent
from agents.pretrained import duel
from bohemian_env import BadSetup, Board, Game
from bohemian_env.engine.checks import MAX_SEED, any_seed, is_printable, is_whole, printable
from bohemian_env.villages.faces import NAME
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS, Setup
from bohemian_env.villages.words import ENGLISH, LANGUAGES, Words, words_in

from .history import positions_of
from .refusal import Refusal

LONGEST_NAME: Final = 20
STRONGEST: Final = 6
YOU: Final = frozenset(words_in(language)("seat.you") for language in LANGUAGES)
"""The names of a person who gives none and is the only one."""
GIVEN: Final = YOU | {
    words_in(language)(f"seat.colour_{seat}") for language in LANGUAGES for seat in range(MAX_PLAYERS)
}
"""All names of people who give none: these, and what people call the colours of the figures (``render/palette.py``)."""


class BadSeating(Refusal, ValueError):
    """A game that was asked for cannot be played here."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An agent that may sit at the table, as the page presents it."""

    agent: str
    """Its name for ``agents.make``."""
    level: int
    """How strong it is among the guests, 1 to STRONGEST; 0 if nobody knows."""

    def name(self, words: Words) -> str:
        """Return what people call it."""
        return words(f"guest_name.{self.agent.partition(':')[0]}") if self.level else self.agent

    def line(self, words: Words) -> str:
        """Return what it is like, in a sentence."""
        return words(f"guest.{self.agent.partition(':')[0]}") if self.level else words("seat.own_agent")


GUESTS: Final = (
    Guest("random", 1),
    Guest("greedy", 2),
    Guest("rusher", 3),
    Guest("hoarder", 3),
    Guest("planner", 4),
    Guest("ppo", 5),
    Guest("montecarlo:2000", 5),
    Guest("appraiser", 5),
    Guest("search:appraiser:1000", 6),
)
"""Agents whose moves follow from their seeds alone, so that a restart does not change how they play on."""


def strength(opponent: str, players: int, words: Words = ENGLISH) -> str:
    """Return how an agent did when it was measured at a table of this size; empty for those that were not."""
    measured = duel(opponent, "planner", players)
    if measured is None:
        return ""
    share, equal = (words.number(part, ".0%") for part in (measured["win_share"]["value"], 1 / players))
    key = "seat.measured_two" if players == 2 else "seat.measured_more"
    return words(key, share=share, equal=equal, number=players - 1)


def engine() -> str:
    """Return what the action numbers of a kept game refer to: the version of the environment, and the board."""
    return f"{NAME} {Board.standard().digest[:16]}"


def read_seating(asked: Any, known: Sequence[str], words: Words = ENGLISH) -> dict[str, Any]:
    """Return the seating for what a page asks for.

    Every name in it is different and none is empty. The game and each of its agents get their seeds now.

    Args:
        asked: ``seats`` (``{"name": …}`` or ``{"agent": …}`` each), ``villages`` (a list of names, or None) and
            ``seed`` (a number, its digits, or None).
        known: the agents that may be asked for.
        words: those of the language in which seats without a name get one.

    Raises:
        BadSeating: what is asked for has another form, or cannot be played.
    """
    if not isinstance(asked, Mapping) or set(asked) - {"seats", "villages", "seed"}:
        raise BadSeating("setup")
    seats = asked.get("seats")
    if not isinstance(seats, list) or not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        raise BadSeating("number_of_seats", least=MIN_PLAYERS, most=MAX_PLAYERS)
    seed = asked.get("seed")
    if isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) < 20:
        seed = int(seed)  # a browser's own numbers would lose digits
    if seed is None:
        seed = any_seed()
    elif not is_whole(seed, 0, MAX_SEED):
        raise BadSeating("seed", most=MAX_SEED)
    villages = asked.get("villages")
    if villages is not None:
        if not isinstance(villages, list) or not all(isinstance(v, str) for v in villages):
            raise BadSeating("villages")
        try:
            Setup.of(len(seats), villages)
        except BadSetup as error:
            raise BadSeating("because", why=error) from None
    return _seating(_named([_seat(s, known) for s in seats], words), villages, seed)


def _seating(seats: list[dict[str, Any]], villages: list[str] | None, seed: int) -> dict[str, Any]:
    return {"engine": engine(), "seats": seats, "villages": villages, "seed": seed}


def seating_from(asked: Any, known: Sequence[str], game: Game, moves: int, words: Words = ENGLISH) -> dict[str, Any]:
    """Return the seating of a game that goes on from another one after so many of its moves, with dice of its own.

    asked, known, words: the seats, and what else :func:`read_seating` takes.

    Raises:
        BadSeating: the seats are not as there, or not as many as the game's; or nobody decides after so many moves.
    """
    history = positions_of(game)
    if moves >= len(history) or history[moves].game.over:
        raise BadSeating("nobody_goes_on")
    seating = read_seating({"seats": asked}, known, words)
    if len(seating["seats"]) != game.players:
        raise BadSeating("other_number", players=game.players, seats=len(seating["seats"]))
    record = _gone_on(history[moves].game, seating)
    if not game.over:  # whose dice to come nobody may know
        record["continues"]["seed"] = None
    return seating | {"record": record}


def seating_of(game: Game, known: Sequence[str]) -> dict[str, Any]:
    """Return the seating of a game that came as a record: agents that are ``known``, and people by the names of its
    other players. If it is not over yet, it goes on with dice of its own.
    """
    seats: list[dict[str, Any]] = []
    for seat, player in enumerate(game.record()["players"]):
        agent = {"agent": player, "seed": any_seed()} if player in known else {}
        name = _short(player) if agent else player.strip()[: LONGEST_NAME - 2] or ENGLISH(f"seat.colour_{seat}")
        seats.append(agent | {"name": _free(name, seats)})
    seating = _seating(seats, None, any_seed())
    return seating | {"record": game.record() if game.over else _gone_on(game, seating)}


def _gone_on(game: Game, seating: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a game that goes on from here as a seating has it, to the next decision. It comes to an end
    whatever its board pays: after no more turns than is usual (R24).
    """
    game = game.continued(record_names(seating), seating["seed"])
    while game.needs_roll:
        game = game.roll()
    record = game.record()
    most = max(DEFAULT_MAX_TURNS, game.turn)
    return record | {"max_turns": min(record["max_turns"] or most, most)}


def record_names(seating: Mapping[str, Any]) -> list[str]:
    """Return what the record of a game calls its players: agents by their own names."""
    return [seat.get("agent", seat["name"]) for seat in seating["seats"]]


def _seat(asked: Any, known: Sequence[str]) -> dict[str, Any]:
    if isinstance(asked, Mapping) and set(asked) == {"agent"} and isinstance(asked["agent"], str):
        if asked["agent"] not in known:
            raise BadSeating("agent", name=asked["agent"][:50], known=", ".join(known))
        return {"agent": asked["agent"], "seed": any_seed()}
    if isinstance(asked, Mapping) and set(asked) == {"name"} and isinstance(asked["name"], str):
        name = " ".join(asked["name"].split())
        name = printable(name) if is_printable(name) else name
        if name in known:  # a record would say that the agent had played
            raise BadSeating("agent_name", name=name)
        if len(name) > LONGEST_NAME or not is_printable(name):
            raise BadSeating("name", most=LONGEST_NAME)
        return {"name": name}
    raise BadSeating("seat")


def _named(seats: list[dict[str, Any]], words: Words) -> list[dict[str, Any]]:
    """Name everybody who has no name yet: the only person "You", other people by colour, agents by their own name."""
    people = [seat for seat in seats if "agent" not in seat]
    for number, seat in enumerate(seats):
        if "agent" in seat:
            called = next(
                (guest.name(words) for guest in GUESTS if guest.agent == seat["agent"]), _short(seat["agent"])
            )
            seat["name"] = _free(called, [s for s in seats[:number] if "agent" in s])
        elif not seat["name"]:
            seat["name"] = words("seat.you" if len(people) == 1 else f"seat.colour_{number}")
    names = [seat["name"].casefold() for seat in seats]
    for seat, name in zip(seats, names, strict=True):
        if names.count(name) > 1:
            raise BadSeating("same_name", name=seat["name"])
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
        raise BadSeating("because", why=error) from None
    folder = Path(agent).parent if Path(agent).is_file() else Path(agent)
    words = shlex.split(named.source) if named.kind == PROGRAM else [""]
    program = next((word for word in reversed(words) if isfile(word)), words[0])
    names = {"scripted": agent, "trained": folder.resolve().name, PROGRAM: Path(program).name}
    names[APPRAISER] = Path(named.source).resolve().name
    return names.get(named.kind, named.kind)[:LONGEST_NAME]
