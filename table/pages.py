"""The two pages: where a game is set up, and the table itself, which ``static/table.js`` fills."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

from bohemian_env import Board
from bohemian_env.game.facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, TOTALS

from .html import document, tag
from .seating import COLOURS, LONGEST_NAME, OPPONENTS, STRONGEST, Opponent, strength
from .store import Saved
from .words import KIND_WORDS

__all__ = ["front_page", "game_page"]

_NO_SCRIPT: Final = tag("noscript", "This page needs JavaScript.")
_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
_FIRST_OPPONENT: Final = "ppo" if find_spec("torch") else "planner"
"""Who sits opposite unless another is chosen."""

_PAYS: Final = {
    "bakery": ("only if you have no bakery", "shop sets at the end: 1, 5, 12, 20 coins for 1, 2, 3, 4 different shops"),
    "butchery": ("only if you have no butchery", "shop sets"),
    "dairy": ("only if you have no dairy", "shop sets"),
    "tailor": ("only if you have no tailor shop", "shop sets"),
    "mill": ("never", "when all mills are taken: 2 coins a mill, and the figures go home"),
    "glass": ("never", "when all factories are taken: 3 coins each, and the figures go home"),
    "farm": ("yes", "at once: 1 coin for each farm you have now"),
    "inn": ("yes", "1 coin at the start of each turn, once three other buildings of the village are taken"),
    "town_hall": ("yes", "printed value at the end if all its village is taken; −5 for a player without one"),
    "church": ("yes", "most churches 10 coins, second most 6; with the bishop 1 coin a church each turn"),
    "manor": ("never", "printed value at once"),
}
"""For the help on the page: may another's figure be kicked out, and what is earned (docs/rules.md has it all)."""


def front_page(token: str, extra_agents: Sequence[str], going_on: Sequence[Saved], over: Sequence[Saved]) -> str:
    """The page on which a game is set up, with the games that are kept."""
    opponents = [*OPPONENTS, *(Opponent(name, 0, "An agent of your own.") for name in extra_agents)]
    body = [
        tag("h1", "Bohemian Villages"),
        tag("p", "A game of dice and villages for two to five. Sit down, or let others play.", class_="note"),
        _NO_SCRIPT,
        _setup_form(opponents),
        _kept("Games going on", "going-on", going_on, "Go on"),
        _kept("Games played", "over", over, "Look"),
        _rules(shown=not (going_on or over)),
    ]
    scripts = ["setup.js"]
    return document("Bohemian Villages", [tag("main", body, class_="front")], scripts=scripts, token=token)


def _setup_form(opponents: Sequence[Opponent]) -> str:
    sizes = [
        tag(
            "label",
            tag("input", type="radio", name="players", value=size, checked=size == MIN_PLAYERS),
            str(size),
            class_="choice",
        )
        for size in _SIZES
    ]
    tiles = tag("div", _tiles(), id="tiles", hidden=True)
    return tag(
        "form",
        tag("fieldset", tag("legend", "Players"), tag("div", sizes, class_="row")),
        tag(
            "fieldset",
            tag("legend", "Who sits where"),
            tag("ol", [_seat(number, opponents) for number in range(MAX_PLAYERS)], class_="seats"),
        ),
        tag(
            "details",
            tag("summary", "Villages and dice"),
            tag(
                "fieldset",
                tag("legend", "Sides of the village tiles, with the totals of their buildings"),
                tag(
                    "div",
                    _radio("villages", "random", "at random", True),
                    _radio("villages", "chosen", "chosen", False),
                    class_="row",
                ),
                tiles,
            ),
            tag(
                "label",
                "Seed of villages and dice, if you want to play the same game again ",
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


def _seat(number: int, opponents: Sequence[Opponent]) -> str:
    """One seat: a person with a name, or an agent."""
    first = None if number == 0 else _FIRST_OPPONENT
    options = [tag("option", "a person", value="", selected=first is None)]
    for one in opponents:
        dots = f" {'●' * one.level}{'○' * (STRONGEST - one.level)}" if one.level else ""
        measured = {f"data-strength-{size}": strength(one.agent, size) or None for size in _SIZES}
        options.append(
            tag(
                "option", one.agent + dots, value=one.agent, selected=first == one.agent, data_line=one.line, **measured
            )
        )
    letter = "ABCDE"[number]
    return tag(
        "li",
        tag("span", letter, class_=f"figure seat{number}", title=COLOURS[number], aria_hidden="true"),
        tag("select", options, aria_label=f"Who sits at seat {letter}, {COLOURS[number]}", class_="who"),
        tag(
            "input",
            class_="name",
            maxlength=LONGEST_NAME,
            placeholder="You" if number == 0 else "name",
            autocomplete="off",
            aria_label=f"Name of the person at seat {letter}",
        ),
        tag("small", "", class_="line"),
    )


def _tiles() -> Sequence[str]:
    """For every tile a choice between its sides; which tiles are in play depends on the number of players (R1)."""
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


def _kept(title: str, name: str, games: Sequence[Saved], verb: str) -> str:
    if not games:
        return tag("span", hidden=True)
    rows = [
        tag(
            "li",
            tag("a", verb, href=f"/games/{game.id}", aria_label=f"{verb}: {_who(game)}"),
            tag("span", f"{_who(game)} – {len(game.actions)} moves"),
            tag("button", "Forget", type="button", data_forget=game.id, aria_label=f"Forget: {_who(game)}"),
        )
        for game in games
    ]
    return tag("section", tag("h2", title), tag("ul", rows, class_="kept"), id=name)


def _who(game: Saved) -> str:
    return ", ".join(seat["name"] for seat in game.setup["seats"])


def _rules(shown: bool = False) -> str:
    """The game on half a page, for somebody who has never seen it; folded away unless ``shown``."""
    rows = [
        tag(
            "tr",
            tag("th", str(TOTALS[kind]), scope="row"),
            tag("td", KIND_WORDS[kind]),
            *(tag("td", text) for text in _PAYS[kind]),
        )
        for kind in KINDS
    ]
    head = tag("tr", [tag("th", text, scope="col") for text in ("total", "building", "kick out?", "pays")])
    points = (
        "You roll four dice. Two, three or four of them make a total; put a figure on a free building with that "
        "number. If you used exactly two dice, you may use the other two for a second move.",
        "If every building of a kind is taken, you may kick out another player's figure where the table says so; "
        "it goes back to its owner.",
        "Instead of placing, two equal dice take the bishop, and any two dice a special action tile (one each). The "
        "tile can be spent at any time to roll some of your unused dice again.",
        "A first move must be made if one is possible; after it you may stop.",
        "The game ends when somebody who is to move has no figure left, or when the bank is empty. Most coins win.",
    )
    return tag(
        "details",
        tag("summary", "How to play"),
        tag("ul", [tag("li", point) for point in points]),
        tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll"),
        class_="rules",
        open=shown,
    )


def game_page(token: str, names: Sequence[str]) -> str:
    """The table. All that changes is filled in by the script."""
    speeds = [tag("option", text, value=value) for value, text in _SPEEDS.items()]
    actions = [
        tag("button", text, tag("kbd", key.upper()), type="button", data_act=act, data_key=key, aria_keyshortcuts=key)
        for act, text, key in _ACTIONS
    ]
    dice = [tag("button", type="button", data_die=place, hidden=True) for place in range(4)]
    turn = tag(
        "section",
        tag("h2", "…", id="status"),
        tag("div", dice, id="dice", role="group", aria_label="Dice: pick with a click or the keys 1 to 4"),
        tag("p", "", id="latest", class_="note", aria_hidden="true"),  # for phones, where the list is out of sight
        tag("p", "", id="preview", role="status"),
        tag("div", id="options", role="group", aria_label="What the picked dice can do"),
        tag("div", actions, id="acts", role="group", aria_label="Other moves"),
        tag("p", "", id="problem", role="alert"),
        tag("div", id="finished", hidden=True),
        id="turn",
        aria_label="Turn",
    )
    told = tag(
        "section", tag("h2", "What happened"), tag("ol", id="told", role="log", aria_live="polite"), class_="told"
    )
    score = tag(
        "section",
        tag("div", tag("table", id="score"), class_="scroll", tabindex=0, role="group", aria_label="Scoring"),
        tag("p", "", id="middle", class_="note"),
        class_="score",
    )
    log = tag(
        "details",
        tag("summary", "The game so far, in the notation"),
        tag("label", tag("input", type="checkbox", id="in-words"), "in words", class_="choice"),
        tag("ol", id="log"),
        id="log-box",
        open=True,
    )
    hint = tag(
        "section",
        tag("button", "What would ppo do?", tag("kbd", "H"), type="button", id="hint", aria_keyshortcuts="h"),
        tag("div", id="advice", aria_live="polite"),
        class_="advice",
    )
    header = tag(
        "header",
        tag("h1", tag("a", "Bohemian Villages", href="/")),
        tag("label", "Opponents move ", tag("select", speeds, id="speed")),
        tag("a", "New game", href="/"),
    )
    board = tag("section", tag("div", id="board"), id="board-box", aria_label="Board")
    aside = tag("div", told, hint, id="side")
    below = tag("div", score, log, _rules(), id="below")
    return document(
        f"{', '.join(names)} – Bohemian Villages",
        [
            header,
            tag("main", board, tag("div", turn, aside, id="beside"), below, class_="table"),
            _NO_SCRIPT,
        ],
        scripts=["table.js"],
        token=token,
    )


_SPEEDS: Final[dict[str, Any]] = {"slow": "slowly", "quick": "quickly", "once": "at once"}
_ACTIONS: Final = (
    ("bishop", "Take the bishop", "b"),
    ("special", "Take a special tile", "s"),
    ("reroll", "Roll picked dice again", "r"),
    ("end", "Stop", "e"),
)
