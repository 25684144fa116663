"""The page at which a game is looked at again, filled by ``static/player.js``; it is also what is taken along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .html import Markup, document, tag
from .pages import NO_SCRIPT, guests_with, seat_choice
from .review import COSTLY
from .session import ADVISER

__all__ = ["player_parts", "review_page"]

_PACES: Final = {"2600": "slowly", "1100": "quickly", "350": "very quickly"}
"""How long the player stays at a position, in milliseconds."""
_STEPS: Final = (
    ("first", "|◀", "To the beginning"),
    ("back", "◀", "One step back"),
    ("next", "▶", "One step on"),
    ("last", "▶|", "To the end"),
    ("previous-costly", "◀ ?", "Back to a costly move"),
    ("next-costly", "? ▶", "On to a costly move"),
)
_FROM: Final = [round(100 * cost) for cost in COSTLY]
_MEANING: Final = (
    f"A chance of winning is what becomes of the game if all go on as {ADVISER} would; a point is a hundredth of it. "
    "The luck of a roll is the chance after it, less the mean over all rolls that could have come. A move "
    "costs what the chance is less than after the best move: "
    f"from {_FROM[0]} points on it is marked ?!, from {_FROM[1]} ?, from {_FROM[2]} ??."
)
_COLUMNS: Final = (
    ("luck, own dice", "How lucky the player's own rolls were, in points"),
    ("luck, others' dice", "How lucky the other players' rolls were for this player, in points"),
    ("decisions", "Moves that were not the only one"),
    ("cost each", "What a decision cost, in points, on average"),
    ("?!", f"Moves that cost {_FROM[0]} to {_FROM[1]} points"),
    ("?", f"Moves that cost {_FROM[1]} to {_FROM[2]} points"),
    ("??", f"Moves that cost {_FROM[2]} points or more"),
)


def player_parts(drawing: Markup | None = None, more: Sequence[Markup] = ()) -> list[Markup]:
    """Return what shows a game, for the ``main`` part of a page.

    Args:
        drawing: what is shown where no script runs.
        more: what else stands beside the board.
    """
    board = tag("section", tag("div", drawing or "", id="board"), id="board-box", aria_label="Board")
    beside = [_here(), _trial(), *more, _log()]
    return [board, _course(), tag("div", beside, id="beside"), tag("div", _skill(), id="below")]


def _course() -> Markup:
    """Return the chart, and what leads to another position."""
    steps = [tag("button", sign, type="button", id=name, aria_label=words, title=words) for name, sign, words in _STEPS]
    paces = [tag("option", text, value=value, selected=text == "quickly") for value, text in _PACES.items()]
    run = tag("button", "Play", type="button", id="run", class_="main")
    pace = tag("label", tag("span", "Speed "), tag("select", paces, id="pace", aria_label="Speed"))
    return tag(
        "section",
        tag("div", id="chart"),
        tag("input", type="range", id="slider", min=0, max=0, value=0, aria_label="Position"),
        tag("div", steps[:2], run, steps[2:], pace, id="steps", role="group", aria_label="Go through the game"),
        id="course",
        aria_label="Course of the game",
    )


def _here() -> Markup:
    """Return what is said of one position."""
    frames = tag("p", "On the board: the best move green, the move played dashed.", class_="note")
    return tag(
        "section",
        tag("div", tag("h2", "…", id="where"), tag("div", id="said"), id="told-here", aria_live="polite"),
        tag("div", tag("h3", f"Best moves, by {ADVISER}"), tag("ol", id="best"), frames, id="best-box", hidden=True),
        tag("h3", "Chance of winning"),
        tag("ul", id="chances"),
        id="here",
        aria_label="Position",
        role="region",
        tabindex=0,  # on a low screen it scrolls
    )


def _trial() -> Markup:
    """Return the search for better moves."""
    begin = tag(
        "div",
        tag("label", "Costly moves of ", tag("select", id="whose")),
        tag("button", "Find better ones", type="button", id="begin-trial"),
        id="begin",
        class_="row",
    )
    buttons = [
        tag("button", text, type="button", id=name)
        for name, text in (
            ("answer", "Try"), ("solution", "Show me"), ("another", "Next"), ("stop-trial", "Stop"),
        )
    ]  # fmt: skip
    trial = tag(
        "div",
        tag("p", "", id="question", aria_live="polite"),
        tag("div", id="ways", role="group", aria_label="Ways to take the building"),
        tag("label", "Move ", tag("select", id="all-moves")),
        tag("div", buttons, class_="row"),
        id="trial",
        hidden=True,
    )
    return tag(
        "section", begin, trial, tag("p", "", id="verdict", role="status"), id="better", aria_label="Better moves"
    )


def _skill() -> Markup:
    heads = [tag("th", text, scope="col", title=meaning) for text, meaning in _COLUMNS]
    table = tag(
        "table",
        tag("caption", "Luck and skill"),
        tag("thead", tag("tr", tag("td"), heads)),
        tag("tbody", id="skill-rows"),
    )
    scroll = tag("div", table, class_="scroll", tabindex=0, role="group", aria_label="Luck and skill")
    return tag("section", scroll, tag("p", _MEANING, class_="note"), id="skill")


def _log() -> Markup:
    return tag(
        "section",
        tag("h2", "The game"),
        tag("label", tag("input", type="checkbox", id="in-words"), "in words", class_="choice"),
        tag("ol", id="log"),
        id="log-box",
        aria_label="Moves",
    )


def review_page(
    token: str, game: str, seats: Sequence[Mapping[str, Any]], extra_agents: Sequence[str], watched: bool
) -> str:
    """Return the page of a game at the server.

    Args:
        token: for the requests of its scripts.
        game: the game's id.
        seats: who sits at the table.
        extra_agents: agents that may sit at it besides the guests.
        watched: whether no person plays, so that the game goes on while it is looked at.
    """
    names = ", ".join(seat["name"] for seat in seats)
    home = f"/games/{game}"
    links = [
        tag("a", "Record", href=f"{home}/record", download=""),
        tag("a", "Page to take along", href=f"{home}/export", download=""),
    ]
    header = tag(
        "header",
        tag("h1", tag("a", "Bohemian Villages", href="/")),
        *([] if watched else [tag("a", "To the table", href=home)]),
        tag("span", links, id="files", hidden=True),
        tag("a", "New game", href="/"),
    )
    problem = tag("p", "", id="problem", role="alert")
    waiting = tag("p", "Looking at the game …", id="waiting", class_="note", role="status")
    main = tag("main", player_parts(more=[problem, waiting, _play_on(seats, extra_agents)]), class_="review")
    return document(
        f"{names} – Bohemian Villages",
        [header, main, NO_SCRIPT],
        scripts=["review.js"],
        sheets=["review.css"],
        token=token,
        data_watched="yes" if watched else "no",
    )


def _play_on(seats: Sequence[Mapping[str, Any]], extra_agents: Sequence[str]) -> Markup:
    """Return the choice with whom somebody goes on from a position."""
    guests = guests_with(extra_agents)
    known = {guest.agent for guest in guests}
    people = any("agent" not in seat for seat in seats)
    choices = []
    for number, seat in enumerate(seats):
        agent = seat.get("agent", seat["name"])
        taken = agent in known and (people or number > 0)
        choices.append(seat_choice(number, guests, agent if taken else None))
    return tag(
        "details",
        tag("summary", "Play on from here"),
        tag("p", "A new game begins at this position, with new dice from the next roll on.", class_="note"),
        tag(
            "form",
            tag("ol", choices, id="seats", class_="seats"),
            tag("button", "Play on", type="submit", id="play-on"),
            id="go-on",
        ),
        id="go-on-box",
    )
