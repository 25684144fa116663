"""The pages: where a game is set up, the table, and where a game is looked at again, which can also be taken along.

Their templates are in ``templates/``; what changes at the table and in a review is filled in by the scripts in
``static/``.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from bohemian_env.engine.contract import Outcome
from bohemian_env.games import known_games

from .html import filled
from .room import FOLDER, LETTERS, Room, title_of, total_of
from .seating import GIVEN, LONGEST_NAME, guests_of
from .store import Saved
from .words import LANGUAGES, Words

_MARKS: Final = ("dubious", "mistake", "blunder")


class Front(NamedTuple):
    """What the first page shows of the games that are kept."""

    under_way: Sequence[Saved]
    over: Sequence[Saved]
    outcomes: Mapping[str, Outcome | None]
    """Of those that are over, by their ids; None for one that cannot be scored."""
    whole: bool
    """Whether there are no more games than these."""
    latest: Saved | None
    """The game that is set up here as it was played last, if one is under way."""
    new: bool
    """Whether nobody has played this game here."""
    opponent: str
    """The agent that is proposed."""
    to_find: int
    """The number of one's own costly moves that are to be met again."""
    days: Sequence[str]
    """The dates whose games are over."""


def front_page(room: Room, language: str, token: str, extra_agents: Sequence[str], front: Front) -> str:
    """Return the page on which a game is set up, with those that are kept, of all games.

    room: of the game that is set up.
    """
    words, sizes = room.words(language), room.rules.players
    beside = [room.learns_with or ""] * (max(sizes[0], min(2, sizes[-1])) - 1)
    games = [(name, title_of(name, language)) for name in known_games()]
    return filled(
        "front.html", language, words, **_seats(room, words, extra_agents), **_room(room, words), token=token,
        scripts=["setup.js", "load.js"], languages=LANGUAGES, first_guest=front.opponent, games=games,
        learns_with=" ".join(beside), whole=front.whole, new=front.new, to_find=front.to_find,
        days=front.days,
        latest=front.latest and _kept(words, front.latest, None),
        under_way=[_kept(words, game, None) for game in front.under_way],
        over=[_kept(words, game, front.outcomes.get(game.id)) for game in front.over],
    )  # fmt: skip


def game_page(room: Room, language: str, token: str, game: str, names: Sequence[str]) -> str:
    """Return the page of the table itself, at which a game is played."""
    words = room.words(language)
    return filled(
        "table.html", language, words, **_room(room, words), token=token, scripts=["table.js"], game=game,
        names=", ".join(names), scoring=room.rules.scoring, acts=room.acts(words), steps=room.steps,
    )  # fmt: skip


def review_page(
    room: Room,
    language: str,
    token: str,
    game: str,
    seats: Sequence[Mapping[str, Any]],
    extra_agents: Sequence[str],
    watched: bool,
) -> str:
    """Return the page of a game at the server, at which it is looked at again.

    Args:
        room: that of the game.
        language: that of the page.
        token: for the requests of its scripts.
        game: the game's id.
        seats: who sits at the table.
        extra_agents: agents that may sit at it besides the guests.
        watched: whether no person plays, so that the game goes on while it is looked at.
    """
    words, known = room.words(language), {guest.agent for guest in guests_of(room, extra_agents)}
    people = any("agent" not in seat for seat in seats)
    proposed = []  # with whom somebody goes on from a position
    for number, seat in enumerate(seats):
        agent = seat.get("agent", seat["name"])
        taken = agent in known and (people or number > 0)
        said = "" if "agent" in seat or agent in {*GIVEN, *known} else agent
        proposed.append((agent if taken else None, said))
    return filled(
        "review.html", language, words, **_seats(room, words, extra_agents), **_player(room, words), token=token,
        scripts=["review.js"], game=game, names=", ".join(seat["name"] for seat in seats), seats=proposed,
        watched=watched,
    )  # fmt: skip


def review_alone(room: Room, words: Words, **values: str) -> str:
    """Return the page of a game that needs no server: ``names``, ``policy``, ``style``, the last ``drawing``, ``data``
    and ``script``, as ``export.html`` has them.
    """
    return filled("export.html", words.language, words, **_player(room, words), **values)


def _room(room: Room, words: Words) -> dict[str, Any]:
    """Return what a page takes of its game."""
    own = {kind: (FOLDER / "static" / "rooms" / f"{room.name}.{kind}").exists() for kind in ("js", "css")}
    parts = {part: (room.folder / f"{part}.html").exists() for part in ("rules", "setup")}
    texts = words.part("page") | {f"guide_{key}": text for key, text in words.part("guide").items()}
    told = {
        "room": room.name,
        "unit": room.unit,
        "texts": texts,
        "own": own,
        "parts": parts,
        "sizes": room.rules.players,
    }
    return told | room.pages(words)


def _player(room: Room, words: Words) -> dict[str, Any]:
    """Return what the template of a review takes."""
    scale = 100 if room.unit == "chance" else 1
    costs = {mark: words.number(scale * cost, "g") for mark, cost in zip(_MARKS, room.costly, strict=True)}
    return {**_room(room, words), "adviser": words(f"guest_name.{room.adviser}"), "costs": costs}


def _seats(room: Room, words: Words, extra_agents: Sequence[str]) -> dict[str, Any]:
    """Return what the choice of who sits at a seat takes."""
    guests, strongest = [], max(guest.level for guest in room.guests)
    for guest in guests_of(room, extra_agents):
        agent, called, line = guest.agent, guest.name(words), guest.line(words)
        if not guest.level:
            line = room.rules.opponents.get(agent, line)
        dots = f" {'●' * guest.level}{'○' * (strongest - guest.level)}" if guest.level else ""
        told = line if called == agent else f"{agent}: {line}"
        strengths = {size: room.strength(agent, size, words) for size in room.rules.players}
        guests.append({"agent": agent, "called": called + dots, "line": told, "strengths": strengths})
    return {"guests": guests, "letters": LETTERS[: room.rules.players[-1]], "longest_name": LONGEST_NAME}


def _kept(words: Words, game: Saved, outcome: Outcome | None) -> dict[str, Any]:
    """Return a kept game as its line tells it: who plays, and how far it has gone; of one that is over everybody's
    total, and a star who won.
    """
    seats = [] if game.damaged else game.seating["seats"]
    who = ", ".join(seat["name"] for seat in seats) if seats else words("front.damaged", id=game.id[:6])
    if game.damaged:
        told = who
    elif outcome is None:
        told = words("front.moves", who=who, number=game.moves)
    else:
        totals = [words.number(total_of(scored), "") for scored in outcome.scoring]
        told = f"{who}: {totals[0]}"
        if len(totals) == len(seats) and outcome.winners:
            told = ", ".join(
                f"{'★ ' if number in outcome.winners else ''}{seat['name']} {total}"
                for number, (seat, total) in enumerate(zip(seats, totals, strict=True))
            )
    when = datetime.fromtimestamp(game.touched, UTC) if game.touched else None
    room = game.seating.get("game", "villages")
    called = title_of(room, words.language) if room in known_games() and not game.damaged else ""
    kept = {name: getattr(game, name) for name in ("id", "damaged", "over")}
    return kept | {"game": called, "who": who, "told": told, "when": when}
