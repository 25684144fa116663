"""The pages: where a game is set up, the table, and where a game is looked at again, which can also be taken along.

Their templates are in ``templates/``; what changes at the table and in a review is filled in by the scripts in
``static/``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from agents.positions.worth import ADVISER, COSTLY
from bohemian_env import Board
from bohemian_env.engine.contract import Outcome
from bohemian_env.villages.facts import (
    KICK_ALWAYS,
    KINDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    SCORING,
    SHOPS,
    TILE_PAYS,
    TOTALS,
    TURN_DICE,
)
from bohemian_env.villages.render import SEAT_LETTERS
from bohemian_env.villages.render.shapes import mini
from bohemian_env.villages.words import LANGUAGES, Words

from .html import filled
from .seating import GIVEN, GUESTS, LONGEST_NAME, STRONGEST, Guest, strength
from .store import Saved

_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
_FIRST_GUEST: Final = "appraiser"
"""The agent at every other seat unless another is chosen."""
_COSTS: Final = dict(zip(("dubious", "mistake", "blunder"), (round(100 * cost) for cost in COSTLY), strict=True))
_POINTS: Final = {"turn": "R6, R7, R9", "kick": "R10, R16", "instead": "R6, R8", "must": "R7", "end": "R4, R21, R26"}
"""The rules in a few sentences, with the rulings that each carries out (docs/rules.md)."""
_PAID: Final = {
    **dict.fromkeys(SHOPS, "R25.2"),
    **dict.fromkeys(TILE_PAYS, "R20"),
    **dict(farm="R19", inn="R5, R18", town_hall="R25.1", church="R25.3, R5", manor="R19"),
}
"""The rulings of what each kind pays."""
_RULES: Final[dict[str, Any]] = {
    "points": _POINTS,
    "kinds": [
        {
            "name": kind,
            "total": TOTALS[kind],
            "kicked": "shop" if kind in SHOPS else "always" if kind in KICK_ALWAYS else "never",
            "ruling": _PAID[kind],
            "drawing": mini(kind, lit=True),
        }
        for kind in KINDS
    ],
}
"""The rules as half a page tells them."""


def front_page(
    words: Words,
    token: str,
    extra_agents: Sequence[str],
    under_way: Sequence[Saved],
    over: Sequence[Saved],
    outcomes: Mapping[str, Outcome | None],
    whole: bool = True,
) -> str:
    """Return the page on which a game is set up, with the games that are kept.

    outcomes: of those that are over, by their ids; None for one that cannot be scored. whole: whether there are no more
    games than these.
    """
    return filled(
        "front.html", words.language, words, **_seats(words, extra_agents), **_RULES, token=token,
        scripts=["setup.js", "load.js"], sizes=_SIZES, languages=LANGUAGES, first_guest=_FIRST_GUEST, tiles=_tiles(),
        whole=whole, under_way=[_kept(words, game, None) for game in under_way],
        over=[_kept(words, game, outcomes.get(game.id)) for game in over],
    )  # fmt: skip


def game_page(words: Words, token: str, game: str, names: Sequence[str]) -> str:
    """Return the page of the table itself, at which a game is played."""
    return filled(
        "table.html", words.language, words, **_RULES, token=token, scripts=["table.js"], game=game,
        names=", ".join(names), turn_dice=TURN_DICE, scoring=SCORING,
    )  # fmt: skip


def review_page(
    words: Words, token: str, game: str, seats: Sequence[Mapping[str, Any]], extra_agents: Sequence[str], watched: bool
) -> str:
    """Return the page of a game at the server, at which it is looked at again.

    Args:
        words: those of the page.
        token: for the requests of its scripts.
        game: the game's id.
        seats: who sits at the table.
        extra_agents: agents that may sit at it besides the guests.
        watched: whether no person plays, so that the game goes on while it is looked at.
    """
    known = {guest.agent for guest in _guests(extra_agents)}
    people = any("agent" not in seat for seat in seats)
    proposed = []  # with whom somebody goes on from a position
    for number, seat in enumerate(seats):
        agent = seat.get("agent", seat["name"])
        taken = agent in known and (people or number > 0)
        said = "" if "agent" in seat or agent in {*GIVEN, *known} else agent
        proposed.append((agent if taken else None, said))
    return filled(
        "review.html", words.language, words, **_seats(words, extra_agents), **_player(words), token=token,
        scripts=["review.js"], game=game, names=", ".join(seat["name"] for seat in seats), seats=proposed,
        watched=watched,
    )  # fmt: skip


def review_alone(words: Words, **values: str) -> str:
    """Return the page of a game that needs no server: ``names``, ``policy``, ``style``, the last ``drawing``, ``data``
    and ``script``, as ``export.html`` has them.
    """
    return filled("export.html", words.language, words, **_player(words), **values)


def _player(words: Words) -> dict[str, Any]:
    """Return what the template of a review takes."""
    return {"adviser": words(f"guest_name.{ADVISER}"), "costs": _COSTS}


def _guests(extra_agents: Sequence[str]) -> list[Guest]:
    """Return the agents that may sit at the table, those of one's own at the end."""
    return [*GUESTS, *(Guest(name, 0) for name in extra_agents)]


def _seats(words: Words, extra_agents: Sequence[str]) -> dict[str, Any]:
    """Return what the choice of who sits at a seat takes."""
    guests = []
    for guest in _guests(extra_agents):
        agent, called, line = guest.agent, guest.name(words), guest.line(words)
        dots = f" {'●' * guest.level}{'○' * (STRONGEST - guest.level)}" if guest.level else ""
        told = line if called == agent else f"{agent}: {line}"
        strengths = {size: strength(agent, size, words) for size in _SIZES}
        guests.append({"agent": agent, "called": called + dots, "line": told, "strengths": strengths})
    return {"guests": guests, "letters": SEAT_LETTERS, "longest_name": LONGEST_NAME}


def _tiles() -> dict[str, tuple[list[int], dict[str, list[int]]]]:
    """Return every tile with the sizes of table at which it is in play (R1), and the totals of the villages on it."""
    board = Board.standard()
    return {
        tile: (
            [size for size in _SIZES if tile in board.kept_tiles(size)],
            {v.name: [TOTALS[kind] for kind in v.buildings] for v in board.villages if v.tile == tile},
        )
        for tile in board.tiles
    }


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
        totals = enumerate(zip(seats, outcome.scoring, strict=True))
        told = ", ".join(
            f"{'★ ' if number in outcome.winners else ''}{seat['name']} {scored['total']}"
            for number, (seat, scored) in totals
        )
    when = datetime.fromtimestamp(game.touched, UTC) if game.touched else None
    return {"id": game.id, "damaged": game.damaged, "over": game.over, "who": who, "told": told, "when": when}
