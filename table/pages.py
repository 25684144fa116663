"""The two pages: where a game is set up, and the table itself, which ``static/table.js`` fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bohemian_env import Board
from bohemian_env.game.facts import (
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
from bohemian_env.game.record import Outcome
from bohemian_env.render import SEAT_LETTERS
from bohemian_env.render.shapes import mini
from bohemian_env.words import LANGUAGES, Words

from .html import Markup, document, tag
from .seating import GUESTS, LONGEST_NAME, STRONGEST, Guest, strength
from .store import Saved

__all__ = ["front_page", "game_page", "guests_with", "no_script", "seat_choice"]

_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
_FIRST_GUEST: Final = "appraiser"
"""The agent at every other seat unless another is chosen."""


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
    guests = guests_with(extra_agents)
    body = [
        tag("h1", words("front.title")),
        tag("p", words("front.about", least=_SIZES[0], most=_SIZES[-1]), class_="note"),
        no_script(words),
        _languages(words),
        _setup_form(words, guests),
        _load(words),
        _kept(words, "under_way", under_way, words("front.continue"), {}),
        _kept(words, "over", over, words("front.view"), outcomes),
        "" if whole else tag("p", tag("a", words("front.all_games"), href="/?all=yes")),
        _rules(words, shown=not (under_way or over)),
    ]
    main = tag("main", body, class_="front")
    scripts = ["setup.js", "load.js"]
    return document(words("front.title"), [main], scripts=scripts, language=words.language, token=token)


def no_script(words: Words) -> Markup:
    """Return what is said where no script runs."""
    return tag("noscript", words("front.no_script"))


def _languages(words: Words) -> Markup:
    """Return the choice of the language, each in its own name."""
    names = [
        tag("option", name, value=language, lang=language, selected=language == words.language)
        for language, name in LANGUAGES.items()
    ]
    return tag("label", words("front.language"), " ", tag("select", names, id="language"), class_="language")


def guests_with(extra_agents: Sequence[str]) -> list[Guest]:
    """Return the agents that may sit at the table, those of one's own at the end."""
    return [*GUESTS, *(Guest(name, 0) for name in extra_agents)]


def _setup_form(words: Words, guests: Sequence[Guest]) -> str:
    sizes = [_radio("players", str(size), str(size), size == MIN_PLAYERS) for size in _SIZES]
    seats = [seat_choice(words, number, guests, _FIRST_GUEST if number else None) for number in range(MAX_PLAYERS)]
    box = tag("input", type="checkbox", id="shuffled")
    shuffled = tag("label", box, words("front.shuffled"), class_="choice")
    chosen = [
        _radio("villages", "random", words("front.at_random"), True),
        _radio("villages", "chosen", words("front.chosen"), False),
    ]
    return tag(
        "form",
        tag("fieldset", tag("legend", words("front.players")), tag("div", sizes, class_="row")),
        tag("fieldset", tag("legend", words("front.who")), tag("ol", seats, class_="seats"), shuffled),
        tag(
            "details",
            tag("summary", words("front.more")),
            tag(
                "fieldset",
                tag("legend", words("front.sides")),
                tag("div", chosen, class_="row"),
                tag("div", _tiles(words), id="tiles", hidden=True),
            ),
            tag(
                "label",
                words("front.seed"),
                tag(
                    "input",
                    id="seed",
                    inputmode="numeric",
                    pattern="[0-9]*",
                    maxlength=19,
                    placeholder=words("front.any"),
                ),
                class_="seed",
            ),
        ),
        tag(
            "div",
            # Disabled until the script listens: a press before would be lost.
            tag("button", words("front.play"), type="submit", class_="main", disabled=True),
            tag("button", words("front.learn"), type="button", id="learn", disabled=True),
            class_="row",
        ),
        tag("p", "", id="problem", role="alert"),
        id="setup",
    )


def _radio(name: str, value: str, label: str, checked: bool) -> str:
    return tag("label", tag("input", type="radio", name=name, value=value, checked=checked), label, class_="choice")


def seat_choice(words: Words, number: int, guests: Sequence[Guest], first: str | None, name: str = "") -> Markup:
    """Return the choice of who sits at a seat: a person with a name, or an agent.

    first: the agent that is proposed; None for a person.
    name: that of the person.
    """
    options = [tag("option", words("seat.person"), value="", selected=first is None)]
    for guest in guests:
        agent = guest.agent
        dots = f" {'●' * guest.level}{'○' * (STRONGEST - guest.level)}" if guest.level else ""
        measured = {f"data-strength-{size}": strength(agent, size, words) or None for size in _SIZES}
        called, line = guest.name(words), guest.line(words)
        if called != agent:
            line = f"{agent}: {line}"
        options.append(tag("option", called + dots, value=agent, selected=first == agent, data_line=line, **measured))
    letter, colour = SEAT_LETTERS[number], words(f"seat.colour_{number}")
    return tag(
        "li",
        tag("span", letter, class_=f"figure seat{number}", title=colour, aria_hidden="true"),
        tag("select", options, aria_label=words("seat.who_sits", letter=letter, colour=colour), class_="who"),
        tag(
            "input",
            class_="name",
            maxlength=LONGEST_NAME,
            value=name or None,
            data_alone=words("seat.you"),
            autocomplete="off",
            aria_label=words("seat.name_of", letter=letter),
        ),
        tag("small", "", class_="line"),
    )


def _tiles(words: Words) -> Sequence[str]:
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
        choices.append(
            tag("label", words("front.tile", tile=tile), tag("select", sides), data_players=kept, class_="tile")
        )
    return choices


def _load(words: Words) -> Markup:
    """Return the choice of a record, to look at the game again."""
    which = tag(
        "div",
        tag("label", tag("span", "", id="how-many"), tag("input", type="number", id="number", min=1, value=1)),
        tag("button", words("front.open"), type="button", id="open"),
        id="which",
        class_="row",
        hidden=True,
    )
    return tag(
        "section",
        tag("h2", words("front.load")),
        tag(
            "label",
            words("front.file"),
            tag("input", type="file", id="file", accept=".json,.jsonl,application/json"),
            class_="file",
        ),
        which,
        tag("p", "", id="load-problem", role="alert"),
        id="load",
    )


def _kept(words: Words, name: str, games: Sequence[Saved], verb: str, outcomes: Mapping[str, Outcome | None]) -> str:
    if not games:
        return tag("span", hidden=True)
    rows = []
    for game in games:
        who = _who(words, game)
        called = partial(words, "front.about_game", who=who)
        again, delete = words("front.review"), words("front.delete")
        review = (
            tag("a", again, href=f"/games/{game.id}/review", aria_label=called(verb=again))
            if game.over and not game.damaged
            else ""
        )
        row = (
            "" if game.damaged else tag("a", verb, href=f"/games/{game.id}", aria_label=called(verb=verb)),
            tag("span", _told(words, game, who, outcomes.get(game.id))),
            _date(game),
            review,
            tag("button", delete, type="button", data_delete=game.id, aria_label=called(verb=delete)),
        )
        rows.append(tag("li", *row))
    return tag("section", tag("h2", words(f"front.{name}")), tag("ul", rows, class_="kept"), id=name.replace("_", "-"))


def _told(words: Words, game: Saved, who: str, outcome: Outcome | None) -> str:
    """Return who plays, and how far the game has gone; of one that is over everybody's total, and a star who won."""
    if game.damaged:
        return who
    if outcome is None:
        return words("front.moves", who=who, number=game.moves)
    seats = zip(game.seating["seats"], outcome.scoring, strict=True)
    return ", ".join(
        f"{'★ ' if number in outcome.winners else ''}{seat['name']} {scored['total']}"
        for number, (seat, scored) in enumerate(seats)
    )


def _date(game: Saved) -> Markup:
    """Return when a game was played last, which the script writes in the reader's way."""
    if not game.touched:
        return tag("span", hidden=True)
    when = datetime.fromtimestamp(game.touched, UTC)
    return tag("time", when.date().isoformat(), datetime=when.isoformat(timespec="seconds"))


def _who(words: Words, game: Saved) -> str:
    if game.damaged:
        return words("front.damaged", id=game.id[:6])
    return ", ".join(seat["name"] for seat in game.seating["seats"])


def _drawn(kind: str) -> Markup:
    """Return a building as the board shows it, small."""
    shape = Markup(mini(kind, lit=True))
    return tag("svg", shape, viewBox="-12 -12 24 24", width=24, height=24, class_="mini", aria_hidden="true")


def _cited(rulings: str) -> Markup:
    return tag("small", f" {rulings}", class_="ruling")


def _rules(words: Words, shown: bool = False) -> str:
    """Return the game on half a page, for somebody who has never seen it; folded away unless ``shown``."""
    rows = []
    for kind in KINDS:
        kick = "shop" if kind in SHOPS else "always" if kind in KICK_ALWAYS else "never"
        name = tag("td", _drawn(kind), words(f"kind.{kind}"))
        may = tag("td", words(f"rules.kick_{kick}"), _cited("R10"))
        paid = tag("td", words(f"pays.{kind}"), _cited(_PAID[kind]))
        rows.append(tag("tr", tag("th", str(TOTALS[kind]), scope="row"), name, may, paid))
    head = tag(
        "tr", [tag("th", words(f"rules.{name}"), scope="col") for name in ("total", "building", "kicked", "pays")]
    )
    return tag(
        "details",
        tag("summary", words("rules.heading")),
        tag("ul", [tag("li", words(f"rules.{name}"), _cited(rulings)) for name, rulings in _POINTS.items()]),
        tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll"),
        class_="rules",
        open=shown,
    )


def game_page(words: Words, token: str, game: str, names: Sequence[str]) -> str:
    """Return the page of the table itself, at which a game is played. The script fills in all that changes."""
    speeds = [tag("option", words(f"table.{value}"), value=value) for value in _SPEEDS]
    skips = {"aria_keyshortcuts": "s", "title": words("table.skips")}
    header = tag(
        "header",
        tag("h1", tag("a", words("front.title"), href="/")),
        tag("a", words("table.review"), href=f"/games/{game}/review"),
        tag("a", words("table.new_game"), href="/"),
        tag("label", words("table.opponents"), tag("select", speeds, id="speed")),
        tag("button", words("table.skip"), tag("kbd", "S"), type="button", id="skip", disabled=True, **skips),
        tag("button", words("table.rules"), type="button", id="open-rules"),
    )
    guide = tag("section", id="guide", hidden=True, aria_live="polite", aria_label=words("table.guide"))
    board = tag("section", tag("div", id="board"), id="board-box", aria_label=words("table.board"))
    events = tag("div", tag("ol", id="told"), role="log", aria_live="polite")
    told = tag("section", tag("h2", words("table.happened")), events, class_="told")
    coach = tag(
        "section",
        tag("h2", words("table.coach")),
        [
            tag("label", _box(name, name == "keys"), words(f"table.{name}"), class_="choice")
            for name in ("warn", "keys")
        ],
        class_="coach",
    )
    drawer = tag(
        "dialog",
        _rules(words, shown=True),
        tag("form", tag("button", words("table.close"), class_="main"), method="dialog"),
        id="rules",
        aria_label=words("rules.heading"),
    )
    log = tag(
        "details",
        tag("summary", words("table.notation")),
        tag("label", tag("input", type="checkbox", id="in-words"), words("table.in_words"), class_="choice"),
        tag("ol", id="log", tabindex=0, aria_label=words("table.notation")),
        id="log-box",
        open=True,
    )
    beside = tag("div", _turn(words), tag("div", told, coach, id="side"), id="beside")
    below = tag("div", _score(words), log, id="below")
    return document(
        f"{', '.join(names)} – {words('front.title')}",
        [header, guide, tag("main", board, beside, below, class_="table"), drawer, no_script(words)],
        scripts=["table.js"],
        language=words.language,
        token=token,
    )


def _box(name: str, ticked: bool) -> Markup:
    return tag("input", type="checkbox", id=name, checked=ticked)


def _turn(words: Words) -> str:
    """Return the section with the dice and the moves that they allow."""
    dice = [tag("button", type="button", data_die=place, hidden=True) for place in range(TURN_DICE)]
    actions = [
        tag(
            "button",
            words(f"table.{act}"),
            tag("kbd", key.upper()),
            type="button",
            data_act=act,
            data_key=key,
            aria_keyshortcuts=key,
        )
        for act, key in _ACTIONS.items()
    ]
    ask = words("table.ask")
    hint = tag(
        "button", words("table.hint"), tag("kbd", "H"), type="button", id="hint", aria_keyshortcuts="h", title=ask
    )
    back = tag("button", words("table.back"), tag("kbd", "Z"), type="button", id="back", aria_keyshortcuts="z")
    options = tag("div", id="options", role="group", aria_label=words("table.ways"))
    advice = tag("div", id="advice", aria_live="polite")
    choices = tag("div", options, advice, id="choices", role="group", aria_label=words("table.coach"))
    room = tag("div", choices, tag("p", "", id="inspected", class_="note", role="status"), id="room")
    return tag(
        "section",
        tag("ul", id="strip", aria_label=words("table.strip")),
        tag("h2", "…", id="status", aria_live="polite"),
        tag("div", dice, id="dice", role="group", aria_label=words("table.dice")),
        tag("p", "", id="preview", role="status"),
        tag(
            "div",
            tag("div", actions, back, hint, id="acts", role="group", aria_label=words("table.other_moves")),
            room,
            tag("div", id="warning", role="alert"),
            id="moves",
        ),
        tag("p", "", id="latest", class_="note", aria_hidden="true"),  # for phones, where the list is out of sight
        tag("p", "", id="problem", role="alert"),
        tag("div", id="finished", hidden=True),
        id="turn",
        aria_label=words("table.turn"),
    )


def _score(words: Words) -> str:
    """Return the section with the scoring: a column for each source of coins; the script adds a row for each seat."""
    heads = [
        tag("th", words(f"scoring.{source}"), scope="col", title=words(f"scoring_means.{source}")) for source in SCORING
    ]
    table = tag("table", tag("caption"), tag("thead", tag("tr", tag("td"), heads)), tag("tbody"), id="score")
    return tag(
        "section",
        tag("div", table, class_="scroll", tabindex=0, role="group", aria_label=words("table.scoring")),
        tag("p", "", id="middle", class_="note"),
        class_="score",
    )


_SPEEDS: Final = ("slow", "quick", "once")
_POINTS: Final = {"turn": "R6, R7, R9", "kick": "R10, R16", "instead": "R6, R8", "must": "R7", "end": "R4, R21, R26"}
"""The rules in a few sentences, with the rulings that each carries out (docs/rules.md)."""
_PAID: Final = {
    **dict.fromkeys(SHOPS, "R25.2"),
    **dict.fromkeys(TILE_PAYS, "R20"),
    **dict(farm="R19", inn="R5, R18", town_hall="R25.1", church="R25.3, R5", manor="R19"),
}
"""The rulings of what each kind pays."""
_ACTIONS: Final = {"bishop": "b", "special": "s", "reroll": "r", "end": "e"}
"""The moves that have a button: what a move does in the notation, and the button's key."""
