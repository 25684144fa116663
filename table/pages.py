"""The two pages: where a game is set up, and the table itself, which ``static/table.js`` fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bohemian_env import Board
from bohemian_env.game.facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, TOTALS, TURN_DICE
from bohemian_env.game.words import HOW_TO_PLAY, KICK_WORDS, KIND_WORDS, PAY_SENTENCES, SCORING_WORDS
from bohemian_env.render import SEAT_LETTERS

from .html import Markup, document, tag
from .seating import COLOURS, GUESTS, LONGEST_NAME, STRONGEST, YOU, Guest, strength
from .session import ADVISER
from .store import Saved

__all__ = ["NO_SCRIPT", "front_page", "game_page", "guests_with", "seat_choice"]

NO_SCRIPT: Final = tag("noscript", "This page needs JavaScript.")
_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
_FIRST_GUEST: Final = "appraiser"
"""The agent at every other seat unless another is chosen."""


def front_page(token: str, extra_agents: Sequence[str], under_way: Sequence[Saved], over: Sequence[Saved]) -> str:
    """Return the page on which a game is set up, with the games that are kept."""
    guests = guests_with(extra_agents)
    body = [
        tag("h1", "Bohemian Villages"),
        tag(
            "p",
            f"A dice game for {_SIZES[0]} to {_SIZES[-1]} players. Take a seat, or watch agents play.",
            class_="note",
        ),
        NO_SCRIPT,
        _setup_form(guests),
        _load(),
        _kept("Games in progress", "under-way", under_way, "Continue"),
        _kept("Finished games", "over", over, "View"),
        _rules(shown=not (under_way or over)),
    ]
    scripts = ["setup.js", "load.js"]
    return document("Bohemian Villages", [tag("main", body, class_="front")], scripts=scripts, token=token)


def guests_with(extra_agents: Sequence[str]) -> list[Guest]:
    """Return the agents that may sit at the table, those of one's own at the end."""
    return [*GUESTS, *(Guest(name, 0, "Your own agent.") for name in extra_agents)]


def _setup_form(guests: Sequence[Guest]) -> str:
    sizes = [_radio("players", str(size), str(size), size == MIN_PLAYERS) for size in _SIZES]
    seats = [seat_choice(number, guests, _FIRST_GUEST if number else None) for number in range(MAX_PLAYERS)]
    chosen = [_radio("villages", "random", "at random", True), _radio("villages", "chosen", "chosen", False)]
    return tag(
        "form",
        tag("fieldset", tag("legend", "Players"), tag("div", sizes, class_="row")),
        tag("fieldset", tag("legend", "Who sits where"), tag("ol", seats, class_="seats")),
        tag(
            "details",
            tag("summary", "Villages and dice"),
            tag(
                "fieldset",
                tag("legend", "Sides of the village tiles, with the totals of their buildings"),
                tag("div", chosen, class_="row"),
                tag("div", _tiles(), id="tiles", hidden=True),
            ),
            tag(
                "label",
                "Seed, to play with the same villages and dice again ",
                tag("input", id="seed", inputmode="numeric", pattern="[0-9]*", maxlength=19, placeholder="any"),
                class_="seed",
            ),
        ),
        tag("div", tag("button", "Play", type="submit", class_="main"), class_="row"),
        tag("p", "", id="problem", role="alert"),
        id="setup",
    )


def _radio(name: str, value: str, label: str, checked: bool) -> str:
    return tag("label", tag("input", type="radio", name=name, value=value, checked=checked), label, class_="choice")


def seat_choice(number: int, guests: Sequence[Guest], first: str | None) -> Markup:
    """Return the choice of who sits at a seat: a person with a name, or an agent.

    first: the agent that is proposed; None for a person.
    """
    options = [tag("option", "a person", value="", selected=first is None)]
    for guest in guests:
        name = guest.agent
        dots = f" {'●' * guest.level}{'○' * (STRONGEST - guest.level)}" if guest.level else ""
        measured = {f"data-strength-{size}": strength(name, size) or None for size in _SIZES}
        options.append(tag("option", name + dots, value=name, selected=first == name, data_line=guest.line, **measured))
    letter = SEAT_LETTERS[number]
    return tag(
        "li",
        tag("span", letter, class_=f"figure seat{number}", title=COLOURS[number], aria_hidden="true"),
        tag("select", options, aria_label=f"Who sits at seat {letter}, {COLOURS[number]}", class_="who"),
        tag(
            "input",
            class_="name",
            maxlength=LONGEST_NAME,
            placeholder=YOU if first is None else "name",
            autocomplete="off",
            aria_label=f"Name of the person at seat {letter}",
        ),
        tag("small", "", class_="line"),
    )


def _tiles() -> Sequence[str]:
    """Return a choice between the sides of every tile, each with the sizes of table at which it is in play (R1)."""
    board = Board.standard()
    choices = []
    for tile in board.tiles:
        kept = " ".join(str(size) for size in _SIZES if tile in board.kept_tiles(size))
        sides = [
            tag("option", f"{v.name}: {' '.join(str(TOTALS[kind]) for kind in v.buildings)}", value=v.name)
            for v in board.villages
            if v.tile == tile
        ]
        choices.append(tag("label", f"Tile {tile} ", tag("select", sides), data_players=kept, class_="tile"))
    return choices


def _load() -> Markup:
    """Return the choice of a record, to look at the game again."""
    which = tag(
        "div",
        tag("label", tag("span", "", id="how-many"), tag("input", type="number", id="number", min=1, value=1)),
        tag("button", "Open", type="button", id="open"),
        id="which",
        class_="row",
        hidden=True,
    )
    return tag(
        "section",
        tag("h2", "Look at a recorded game"),
        tag(
            "label",
            "A record, downloaded here or written by evaluate.py; you can also drag it into the page ",
            tag("input", type="file", id="file", accept=".json,.jsonl,application/json"),
            class_="file",
        ),
        which,
        tag("p", "", id="load-problem", role="alert"),
        id="load",
    )


def _kept(title: str, name: str, games: Sequence[Saved], verb: str) -> str:
    if not games:
        return tag("span", hidden=True)
    rows = [
        tag(
            "li",
            "" if game.damaged else tag("a", verb, href=f"/games/{game.id}", aria_label=f"{verb}: {_who(game)}"),
            tag("span", _who(game) if game.damaged else f"{_who(game)} – {game.moves} moves"),
            tag("a", "Review", href=f"/games/{game.id}/review", aria_label=f"Review: {_who(game)}")
            if game.over
            else "",
            tag("button", "Delete", type="button", data_delete=game.id, aria_label=f"Delete: {_who(game)}"),
        )
        for game in games
    ]
    return tag("section", tag("h2", title), tag("ul", rows, class_="kept"), id=name)


def _who(game: Saved) -> str:
    if game.damaged:
        return f"A game that cannot be read ({game.id[:6]})"
    return ", ".join(seat["name"] for seat in game.seating["seats"])


def _rules(shown: bool = False) -> str:
    """Return the game on half a page, for somebody who has never seen it; folded away unless ``shown``."""
    rows = [
        tag(
            "tr",
            tag("th", str(TOTALS[kind]), scope="row"),
            [tag("td", words[kind]) for words in (KIND_WORDS, KICK_WORDS, PAY_SENTENCES)],
        )
        for kind in KINDS
    ]
    head = tag("tr", [tag("th", text, scope="col") for text in ("total", "building", "kick out?", "pays")])
    return tag(
        "details",
        tag("summary", "How to play"),
        tag("ul", [tag("li", point) for point in HOW_TO_PLAY]),
        tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll"),
        class_="rules",
        open=shown,
    )


def game_page(token: str, game: str, names: Sequence[str]) -> str:
    """Return the page of the table itself, at which a game is played. The script fills in all that changes."""
    speeds = [tag("option", text, value=value) for value, text in _SPEEDS.items()]
    header = tag(
        "header",
        tag("h1", tag("a", "Bohemian Villages", href="/")),
        tag("label", "Opponents move ", tag("select", speeds, id="speed")),
        tag("a", "Review", href=f"/games/{game}/review"),
        tag("a", "New game", href="/"),
    )
    board = tag("section", tag("div", id="board"), id="board-box", aria_label="Board")
    told = tag(
        "section", tag("h2", "What happened"), tag("ol", id="told", role="log", aria_live="polite"), class_="told"
    )
    hint = tag(
        "section",
        tag("button", f"What would {ADVISER} do?", tag("kbd", "H"), type="button", id="hint", aria_keyshortcuts="h"),
        tag("div", id="advice", aria_live="polite"),
        class_="advice",
    )
    log = tag(
        "details",
        tag("summary", "The game so far, in notation"),
        tag("label", tag("input", type="checkbox", id="in-words"), "in words", class_="choice"),
        tag("ol", id="log"),
        id="log-box",
        open=True,
    )
    beside = tag("div", _turn(), tag("div", told, hint, id="side"), id="beside")
    below = tag("div", _score(), log, _rules(), id="below")
    return document(
        f"{', '.join(names)} – Bohemian Villages",
        [header, tag("main", board, beside, below, class_="table"), NO_SCRIPT],
        scripts=["table.js"],
        token=token,
    )


def _turn() -> str:
    """Return the section with the dice and the moves that they allow."""
    dice = [tag("button", type="button", data_die=place, hidden=True) for place in range(TURN_DICE)]
    actions = [
        tag("button", text, tag("kbd", key.upper()), type="button", data_act=act, data_key=key, aria_keyshortcuts=key)
        for act, text, key in _ACTIONS
    ]
    back = tag("button", "Take back", tag("kbd", "Z"), type="button", id="back", aria_keyshortcuts="z")
    return tag(
        "section",
        tag("h2", "…", id="status"),
        tag("div", dice, id="dice", role="group", aria_label=f"Dice: pick with a click or the keys 1 to {TURN_DICE}"),
        tag("p", "", id="preview", role="status"),
        tag("div", actions, back, id="acts", role="group", aria_label="Other moves"),
        tag("div", id="options", role="group", aria_label="What the picked dice can do"),
        tag("p", "", id="inspected", class_="note", role="status"),
        tag("p", "", id="latest", class_="note", aria_hidden="true"),  # for phones, where the list is out of sight
        tag("p", "", id="problem", role="alert"),
        tag("div", id="finished", hidden=True),
        id="turn",
        aria_label="Turn",
    )


def _score() -> str:
    """Return the section with the scoring: a column for each source of coins; the script adds a row for each seat."""
    heads = [
        tag("th", source.replace("_", " "), scope="col", title=meaning)
        for source, (_, meaning) in SCORING_WORDS.items()
    ]
    table = tag("table", tag("caption"), tag("thead", tag("tr", tag("td"), heads)), tag("tbody"), id="score")
    return tag(
        "section",
        tag("div", table, class_="scroll", tabindex=0, role="group", aria_label="Scoring"),
        tag("p", "", id="middle", class_="note"),
        class_="score",
    )


_SPEEDS: Final = {"slow": "slowly", "quick": "quickly", "once": "at once"}
_ACTIONS: Final = (
    ("bishop", "Take the bishop", "b"),
    ("special", "Take a special tile", "s"),
    ("reroll", "Reroll picked dice", "r"),
    ("end", "Stop", "e"),
)
"""The moves that have a button: what a move does in the notation, the button's text, and its key."""
