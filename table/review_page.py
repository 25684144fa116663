"""The page at which a game is looked at again, filled by ``static/player.js``; it is also what is taken along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents.positions.worth import ADVISER, COSTLY
from bohemian_env.words import Words

from .html import Markup, document, tag
from .pages import guests_with, no_script, seat_choice
from .seating import GIVEN

__all__ = ["player_parts", "review_page"]

_PACES: Final = {"2600": "slow", "1100": "quick", "350": "very_quick"}
"""How long the player stays at a position, in milliseconds."""
_STEPS: Final = {
    "first": "|◀", "back": "◀", "next": "▶", "last": "▶|", "previous_costly": "◀ ?", "next_costly": "? ▶",
}  # fmt: skip
_FROM: Final = dict(zip(("dubious", "mistake", "blunder"), (round(100 * cost) for cost in COSTLY), strict=True))
_MARKS: Final = {"dubious": "?!", "mistake": "?", "blunder": "??"}


def player_parts(words: Words, drawing: Markup | None = None, more: Sequence[Markup] = ()) -> list[Markup]:
    """Return what shows a game, for the ``main`` part of a page.

    Args:
        drawing: what is shown where no script runs.
        more: what else stands beside the board.
    """
    board = tag("section", tag("div", drawing or "", id="board"), id="board-box", aria_label=words("table.board"))
    beside = [_here(words), _trial(words), *more, _log(words)]
    return [board, _course(words), tag("div", beside, id="beside"), tag("div", _skill(words), id="below")]


def _course(words: Words) -> Markup:
    """Return the chart, and what leads to another position."""
    steps = []
    for name, sign in _STEPS.items():
        called = words(f"review.{name}")
        steps.append(tag("button", sign, type="button", id=name.replace("_", "-"), aria_label=called, title=called))
    paces = [
        tag("option", words(f"review.{pace}"), value=value, selected=pace == "quick") for value, pace in _PACES.items()
    ]
    run = tag("button", words("page.play"), type="button", id="run", class_="main")
    speed = words("review.speed")
    pace = tag("label", tag("span", f"{speed} "), tag("select", paces, id="pace", aria_label=speed))
    return tag(
        "section",
        tag("div", id="chart"),
        tag("input", type="range", id="slider", min=0, max=0, value=0, aria_label=words("review.position")),
        tag("div", steps[:2], run, steps[2:], pace, id="steps", role="group", aria_label=words("review.through")),
        id="course",
        aria_label=words("review.course"),
    )


def _here(words: Words) -> Markup:
    """Return what is said of one position."""
    frames = tag("p", words("review.frames", adviser=words(f"guest_name.{ADVISER}")), class_="note")
    best = tag("h3", words("review.best"))
    return tag(
        "section",
        tag("div", tag("h2", "…", id="where"), tag("div", id="said"), id="told-here", aria_live="polite"),
        tag("div", best, tag("ol", id="best"), frames, id="best-box", hidden=True),
        tag("h3", words("review.chance")),
        tag("ul", id="chances"),
        id="here",
        aria_label=words("review.position"),
        role="region",
        tabindex=0,  # on a low screen it scrolls
    )


def _trial(words: Words) -> Markup:
    """Return the search for better moves."""
    begin = tag(
        "div",
        tag("label", words("review.costly_of"), tag("select", id="whose")),
        tag("button", words("review.find"), type="button", id="begin-trial", disabled=True),
        id="begin",
        class_="row",
    )
    buttons = [
        tag("button", words(f"review.{key}"), type="button", id=name)
        for name, key in (("answer", "try"), ("solution", "show"), ("another", "another"), ("stop-trial", "stop"))
    ]
    trial = tag(
        "div",
        tag("p", "", id="question", aria_live="polite"),
        tag("div", id="ways", role="group", aria_label=words("review.ways")),
        tag("label", words("review.move"), tag("select", id="all-moves")),
        tag("div", buttons, class_="row"),
        id="trial",
        hidden=True,
    )
    verdict = tag("p", "", id="verdict", role="status")
    return tag("section", begin, trial, verdict, id="better", aria_label=words("review.better"))


def _skill(words: Words) -> Markup:
    heads = [
        tag("th", words(f"review.{name}"), scope="col", title=words(f"review.{name}_means"))
        for name in ("own_luck", "others_luck", "decisions", "cost")
    ]
    heads += [
        tag("th", mark, scope="col", title=words(f"review.{name}_means", **_FROM)) for name, mark in _MARKS.items()
    ]
    title, means = words("review.skill"), words("review.means", adviser=words(f"guest_name.{ADVISER}"), **_FROM)
    table = tag(
        "table",
        tag("caption", title),
        tag("thead", tag("tr", tag("td"), heads)),
        tag("tbody", id="skill-rows"),
    )
    scroll = tag("div", table, class_="scroll", tabindex=0, role="group", aria_label=title)
    return tag("section", scroll, tag("p", means, class_="note"), id="skill")


def _log(words: Words) -> Markup:
    return tag(
        "section",
        tag("h2", words("review.game")),
        tag("label", tag("input", type="checkbox", id="in-words"), words("table.in_words"), class_="choice"),
        tag("ol", id="log"),
        id="log-box",
        aria_label=words("review.moves"),
    )


def review_page(
    words: Words, token: str, game: str, seats: Sequence[Mapping[str, Any]], extra_agents: Sequence[str], watched: bool
) -> str:
    """Return the page of a game at the server.

    Args:
        words: those of the page.
        token: for the requests of its scripts.
        game: the game's id.
        seats: who sits at the table.
        extra_agents: agents that may sit at it besides the guests.
        watched: whether no person plays, so that the game goes on while it is looked at.
    """
    names = ", ".join(seat["name"] for seat in seats)
    home = f"/games/{game}"
    links = [
        tag("a", words("review.record"), href=f"{home}/record", download=""),
        tag("a", words("review.export"), href=f"{home}/export", download=""),
    ]
    header = tag(
        "header",
        tag("h1", tag("a", words("front.title"), href="/")),
        *([] if watched else [tag("a", words("review.to_table"), href=home)]),
        tag("span", links, id="files", hidden=True),
        tag("a", words("table.new_game"), href="/"),
    )
    problem = tag("p", "", id="problem", role="alert")
    waiting = tag("p", words("review.looking"), id="waiting", class_="note", role="status")
    parts = player_parts(words, more=[problem, waiting, _play_on(words, seats, extra_agents)])
    main = tag("main", parts, class_="review")
    return document(
        f"{names} – {words('front.title')}",
        [header, main, no_script(words)],
        language=words.language,
        scripts=["review.js"],
        sheets=["review.css"],
        token=token,
        data_watched="yes" if watched else "no",
    )


def _play_on(words: Words, seats: Sequence[Mapping[str, Any]], extra_agents: Sequence[str]) -> Markup:
    """Return the choice with whom somebody goes on from a position."""
    guests = guests_with(extra_agents)
    known = {guest.agent for guest in guests}
    people = any("agent" not in seat for seat in seats)
    choices = []
    for number, seat in enumerate(seats):
        agent = seat.get("agent", seat["name"])
        taken = agent in known and (people or number > 0)
        said = "" if "agent" in seat or agent in {*GIVEN, *known} else agent
        choices.append(seat_choice(words, number, guests, agent if taken else None, said))
    return tag(
        "details",
        tag("summary", words("review.go_on")),
        tag("p", words("review.go_on_means"), class_="note"),
        tag(
            "form",
            tag("ol", choices, id="seats", class_="seats"),
            tag("button", words("review.play_on"), type="submit", id="play-on"),
            id="go-on",
        ),
        id="go-on-box",
    )
