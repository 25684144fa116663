"""Who may sit at the table, and the *seating* of a game: which game, who sits where, and how it is set up.

A seating is kept with its game (``store.py``), so its form is fixed: ``game``, ``engine`` (what the kept action numbers
mean), ``seats`` (each with a ``name``, and an agent's with ``agent`` and ``seed``), ``options`` (those of the room) and
``seed``. One that goes on from a position of another game has, in ``record``, the record of what was played until then.
Those of 0.2.0 have no ``game``, since there was one, and ``villages`` in place of ``options``.
"""

import itertools
import re
import shlex
from collections.abc import Mapping, Sequence
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from agents.players.names import APPRAISER, PROGRAM, AgentName, UnknownAgent, game_told_by
from bohemian_env.engine.checks import MAX_SEED, any_seed, is_printable, is_whole, printable
from bohemian_env.engine.errors import BadSetup, BohemianError, brief
from bohemian_env.engine.game import Game
from bohemian_env.games import known_games

from .history import positions_of
from .refusal import Refusal
from .room import LETTERS, Guest, Room, room_of
from .words import LANGUAGES, Words, page_words

LONGEST_NAME: Final = 20
YOU: Final = frozenset(page_words(language)("seat.you") for language in LANGUAGES)
"""The names of a person who gives none and is the only one."""
GIVEN: Final = YOU | {
    page_words(language)(f"seat.colour_{seat}") for language in LANGUAGES for seat in range(len(LETTERS))
}
"""All names of people who give none: these, and what people call the colours of the seats."""


class BadSeating(Refusal, ValueError):
    """A game that was asked for cannot be played here."""


def known_agents(room: Room, extra_agents: Sequence[str]) -> list[str]:
    """Return the names of :func:`guests_of`."""
    return [guest.agent for guest in guests_of(room, extra_agents)]


def guests_of(room: Room, extra_agents: Sequence[str]) -> list[Guest]:
    """Return the agents that may sit at the table of a game: its guests, and those of one's own that do not say that
    they play another one.
    """
    return [*room.guests, *(Guest(name, 0) for name in extra_agents if game_told_by(name) in (None, room.name))]


def room_in(seating: Mapping[str, Any]) -> Room:
    """Return the room of a seating. Raises BadSeating for a game that is not known here."""
    name = seating.get("game", "villages")
    if name not in known_games():
        raise BadSeating("game", name=str(name)[:50], known=", ".join(known_games()))
    try:
        return room_of(name)
    except BadSetup as error:
        raise BadSeating("broken", why=error) from None


def setup_in(seating: Mapping[str, Any]) -> Any:
    """Return the set-up of a seating. Raises BadSetup."""
    options = seating["options"] if "options" in seating else {"villages": seating.get("villages")}
    try:
        return room_in(seating).setup(len(seating["seats"]), options)
    except TypeError as error:  # of names that are none
        raise BadSetup(f"options {brief(options)}: {error}") from None


def read_seating(asked: Any, extra_agents: Sequence[str], words: Words | None = None) -> dict[str, Any]:
    """Return the seating for what a page asks for.

    Every name in it is different and none is empty. The game and each of its agents get their seeds now.

    Args:
        asked: ``game``, ``seats`` (``{"name": …}`` or ``{"agent": …}`` each), ``options`` (those of the room) and
            ``seed`` (a number, its digits, or None).
        extra_agents: the agents that may be asked for besides the room's guests.
        words: those of the language in which seats without a name get one; English by default.

    Raises:
        BadSeating: what is asked for has another form, or cannot be played.
    """
    if not isinstance(asked, Mapping) or set(asked) - {"game", "seats", "options", "seed"}:
        raise BadSeating("setup")
    if not isinstance(asked.get("game", ""), str):
        raise BadSeating("setup")
    room = room_in(asked)
    words = words or room.words("en")
    seats, sizes = asked.get("seats"), room.rules.players
    if not isinstance(seats, list) or len(seats) not in sizes:
        raise BadSeating("number_of_seats", least=sizes[0], most=sizes[-1])
    seed = asked.get("seed")
    if isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) < 20:
        seed = int(seed)  # a browser's own numbers would lose digits
    if seed is None:
        seed = any_seed()
    elif not is_whole(seed, 0, MAX_SEED):
        raise BadSeating("seed", most=MAX_SEED)
    options = {} if asked.get("options") is None else asked["options"]
    known = known_agents(room, extra_agents)
    seating = _seating(room, _named([_seat(s, known) for s in seats], room, words), options, seed)
    try:
        if not isinstance(options, Mapping):
            raise BohemianError(f"{brief(options)} is no object")
        setup_in(seating)
    except BohemianError as error:
        raise BadSeating("options", why=error) from None
    return seating


def _seating(room: Room, seats: list[dict[str, Any]], options: Any, seed: int) -> dict[str, Any]:
    return {"game": room.name, "engine": room.engine(), "seats": seats, "options": options, "seed": seed}


def seating_from(
    asked: Any, extra_agents: Sequence[str], moments: Sequence[Game], moves: int, words: Words
) -> dict[str, Any]:
    """Return the seating of a game that goes on from another one after so many of its moves, with chance of its own.

    Args:
        asked: the seats, as :func:`read_seating` takes them.
        extra_agents, words: see there.
        moments: all moments of the other game.
        moves: after how many of its moves.

    Raises:
        BadSeating: the seats are not as there, or not as many as the game's; or nobody decides after so many moves.
    """
    history, game = positions_of(moments), moments[-1]
    if moves >= len(history) or history[moves].game.over:
        raise BadSeating("nobody_goes_on")
    seating = read_seating({"game": game.rules.name, "seats": asked}, extra_agents, words)
    if len(seating["seats"]) != game.players:
        raise BadSeating("other_number", players=game.players, seats=len(seating["seats"]))
    record = _gone_on(history[moves].game, seating)
    if not game.over:  # whose chance to come nobody may know
        record["continues"]["seed"] = None
    return seating | {"record": record}


def seating_of(game: Game, extra_agents: Sequence[str]) -> dict[str, Any]:
    """Return the seating of a game that came as a record: agents that are known, and people by the names of its
    other players. If it is not over yet, it goes on with chance of its own.
    """
    room = room_of(game.rules.name)
    known = known_agents(room, extra_agents)
    seats: list[dict[str, Any]] = []
    for seat, player in enumerate(game.record()["players"]):
        agent = {"agent": player, "seed": any_seed()} if player in known else {}
        called = player.strip()[: LONGEST_NAME - 2]
        name = _short(player) if agent else called or page_words("en")(f"seat.colour_{seat}")
        seats.append(agent | {"name": free_name(name, seats)})
    seating = _seating(room, seats, {}, any_seed())
    return seating | {"record": game.record() if game.over else _gone_on(game, seating)}


def _gone_on(game: Game, seating: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a game that goes on from here as a seating has it, to the next decision."""
    game = game.continued(record_names(seating), seating["seed"]).dealt()
    return room_in(seating).end_record(game.record(), game.turn)


def record_names(seating: Mapping[str, Any]) -> list[str]:
    """Return what the record of a game calls its players: agents by their own names."""
    return [seat.get("agent", seat["name"]) for seat in seating["seats"]]


def names_in(seating: Mapping[str, Any], words: Words) -> list[str]:
    """Return what the seats are called in a language: names that nobody chose are told in that of the reader."""
    room, found = room_in(seating), []
    for number, seat in enumerate(seating["seats"]):
        name = str(seat["name"])
        key = next((key for key in _usual(room, number, seat) if name in _in_all(room, key)), None)
        counted = re.fullmatch(r"(.+) (\d+)", name)
        if key is None and counted:
            key = next((key for key in _usual(room, number, seat) if counted[1] in _in_all(room, key)), None)
            found.append(f"{words(key)} {counted[2]}" if key else name)
        else:
            found.append(words(key) if key else name)
    return found


def _usual(room: Room, number: int, seat: Mapping[str, Any]) -> list[str]:
    """Return the keys of the names that a seat may have got without anybody's choice."""
    if "agent" in seat:
        key = f"guest_name.{seat['agent'].partition(':')[0]}"
        return [key] if key in room.words("en") else []
    return ["seat.you", f"seat.colour_{number}"]


def _in_all(room: Room, key: str) -> set[str]:
    return {room.words(language)(key) for language in LANGUAGES}


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


def _named(seats: list[dict[str, Any]], room: Room, words: Words) -> list[dict[str, Any]]:
    """Name everybody who has no name yet: the only person "You", other people by colour, agents by their own name."""
    people = [seat for seat in seats if "agent" not in seat]
    for number, seat in enumerate(seats):
        if "agent" in seat:
            guest = next((guest for guest in room.guests if guest.agent == seat["agent"]), None)
            called = guest.name(words) if guest else _short(seat["agent"])
            seat["name"] = free_name(called, [s for s in seats[:number] if "agent" in s])
        elif not seat["name"]:
            seat["name"] = words("seat.you" if len(people) == 1 else f"seat.colour_{number}")
    names = [seat["name"].casefold() for seat in seats]
    for seat, name in zip(seats, names, strict=True):
        if names.count(name) > 1:
            raise BadSeating("same_name", name=seat["name"])
    return seats


def free_name(name: str, seats: Sequence[Mapping[str, Any]]) -> str:
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
