"""Bohemian Villages at the table. telling.py says what is done, for the log and before it is done; reasons.py, what
speaks for a move: the coins that it brings, which coin_sources.py counts.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents.positions import worth as worths
from agents.pretrained import duel
from bohemian_env.engine.contract import Action
from bohemian_env.engine.errors import BadSetup
from bohemian_env.engine.words import Words
from bohemian_env.villages.board import Board
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.dice import totals
from bohemian_env.villages.events import Moved, Rolled, TurnBegan
from bohemian_env.villages.facts import KICK_ALWAYS, KINDS, MAX_PLAYERS, MIN_PLAYERS, SHOPS, TILE_PAYS, TOTALS
from bohemian_env.villages.game import Game
from bohemian_env.villages.render import SEAT_LETTERS, board_css, board_svg
from bohemian_env.villages.render.seats import holdings
from bohemian_env.villages.render.shapes import mini
from bohemian_env.villages.setup import DEFAULT_MAX_TURNS, Setup
from bohemian_env.villages.words import FACTS
from bohemian_env.villages.words import words_in as drawing_words
from table.room import Act, Chip, Entry, Guest, Line, Option, Room, Teller

from . import telling
from .reasons import reasons, told

_PAID: Final = {
    **dict.fromkeys(SHOPS, "R25.2"),
    **dict.fromkeys(TILE_PAYS, "R20"),
    **dict(farm="R19", inn="R5, R18", town_hall="R25.1", church="R25.3, R5", manor="R19"),
}
"""The rulings of what each kind pays."""
_POINTS: Final = {
    "turn": "R6, R7, R9",
    "kick": "R10, R16",
    "instead": "R6, R8",
    "must": "R7",
    "end": "R4, R21, R25, R26",
}
"""The rules in a few sentences, with the rulings that each carries out (docs/villages.md)."""
_NAMED: Final = re.compile(r'data-kind="(\w+)" data-village="(\d+)"')


class Villages(Room):
    """See :class:`table.room.Room`. Parts of the drawing are buildings, ``KIND-VILLAGE``; chips are dice."""

    unit = "chance"
    costly = worths.COSTLY
    nearly, level = 0.02, 0.005
    adviser = worths.ADVISER
    first_guest = "greedy"
    master = "appraiser"
    daily_guests = ("appraiser",)
    sample = (3, 40, "greedy")
    guests = (
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
    steps = (
        ("dice", "pick chips"), ("place", "move"), ("second", "turn done"), ("others", "person"),
        ("pays", "next farm-* manor-* inn-*"), ("tiles", "next mill-* glass-*"),
        ("shops", "next bakery-* butchery-* dairy-* tailor-*"), ("halls", "next town_hall-* church-*"),
        ("bishop", "next"), ("kick", "next"), ("hint", "next hint"), ("end", "over"), ("review", "next"),
    )  # fmt: skip

    @property
    def facts(self) -> Mapping[str, object]:
        return FACTS

    def drawn(self, language: str) -> Mapping[str, str]:
        return drawing_words(language).texts

    @functools.cache  # noqa: B019
    def engine(self) -> str:
        """See :class:`Room`; the board counts, too."""
        return f"{RULES.env_name} {Board.standard().digest[:16]}"

    # --- setting up ---

    def setup(self, players: int, options: Mapping[str, Any]) -> Setup:
        """See :class:`Room`. options: ``villages``, a list of names, or None to draw them."""
        villages = options.get("villages")
        if {*options} - {"villages"} or not isinstance(villages, list | None):
            raise BadSetup("villages are given as a list of names, and nothing else")
        return Setup.of(players, villages or "random")

    def pages(self, words: Words) -> dict[str, Any]:
        board = Board.standard()
        sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)
        return {
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
            "tiles": {  # with the sizes of table at which each is in play (R1), and the totals of the villages on it
                tile: (
                    [size for size in sizes if tile in board.kept_tiles(size)],
                    {v.name: [TOTALS[kind] for kind in v.buildings] for v in board.villages if v.tile == tile},
                )
                for tile in board.tiles
            },
        }

    # --- a position ---

    def draw(self, game: Game, names: Sequence[str], before: Game | None, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`. Buildings that have other owners since are marked."""
        position = game.state_dict()
        changed = [] if before is None else _changed(before.state_dict(), position)
        drawn = board_svg(position, names=names, last=changed, outcome=game.outcome(), language=words.language)
        drawn = drawn.replace(f"<style>{board_css()}</style>", "", 1).strip()
        return _NAMED.sub(r'data-at="\1-\2" \g<0>', drawn)

    def style(self) -> str:
        return board_css()

    def options(self, game: Game, teller: Teller) -> list[Option]:  # type: ignore[override]
        """See :class:`Room`. To kick somebody out is asked about."""
        found: list[Option] = []
        for text in game.legal_moves:
            (moved,) = (event for event in game.push(text).happened if isinstance(event, Moved))
            move = moved.move
            option: Option = {"move": text, "words": telling.order(moved, teller), "at": [], "with": [*move.dice]}
            if move.act == "place":
                option["at"] = [f"{move.kind}-{game.villages.index(move.village)}"]
                option["asks"] = moved.kicked is not None
            else:
                option["act"] = move.act
            found.append(option)
        return found

    def chips(self, game: Game, words: Words) -> list[Chip]:  # type: ignore[override]
        return [
            {
                "value": number,
                "words": words("page.die", place=place, number=number),
                "look": f"cube n{number}",
                "html": "<i></i>" * number,
            }
            for place, number in enumerate(game.dice, 1)
        ]

    def acts(self, words: Words) -> list[Act]:
        keys = {"bishop": "b", "special": "s", "reroll": "r", "end": "e"}
        return [{"act": act, "words": words(f"table.{act}"), "key": key} for act, key in keys.items()]

    def sums(self, game: Game) -> dict[str, int]:  # type: ignore[override]
        """See :class:`Room`: the totals of dice."""
        return {"+".join(map(str, dice)): total for dice, total in totals(game.dice).items()}

    def strip(self, game: Game, teller: Teller) -> list[str]:  # type: ignore[override]
        return [
            teller.words("page.strip", letter=letter, coins=one.coins, income=one.income, figures=one.figures)
            for letter, one in zip(SEAT_LETTERS, holdings(game.state_dict()), strict=False)
        ]

    def middle(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: the bank, and who has the bishop."""
        holder = teller.words("page.nobody") if game.bishop is None else teller.name(game.bishop)
        bank = teller.words.number(game.bank, "d")
        return teller.words("page.middle", turn=game.turn, bank=bank, special=game.special_supply, holder=holder)

    def about(self, game: Game, words: Words) -> Mapping[str, str]:  # type: ignore[override]
        """See :class:`Room`: what a building pays."""
        return {
            f"{building['kind']}-{number}": words(f"pays.{building['kind']}")
            for number, village in enumerate(game.state_dict()["villages"])
            for building in village["buildings"]
        }

    def seen(self, game: Game, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: its dice."""
        return " ".join(map(str, game.dice))

    def status(self, game: Game, whose: str, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: in the second move of a turn also that it may end."""
        return words("happens.or_stop", turn=whose) if game.moves_made else whose

    def prompt(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        only = all(move.startswith("reroll") for move in game.legal_moves)
        return teller.words("page.only_reroll" if only else "page.pick")

    # --- what happened ---

    def lines(self, moments: Sequence[Game]) -> list[Line]:  # type: ignore[override]
        """See :class:`Room`. A turn begins in the log with its roll."""
        happened = [(number, event) for number, game in enumerate(moments) for event in game.happened]
        tellings = telling.told_of([event for _, event in happened], moments[-1].outcome())
        found = []
        for place, ((number, event), telling_of) in enumerate(zip(happened, tellings, strict=True)):
            if telling_of is None:
                continue
            following = happened[place + 1][1] if place + 1 < len(happened) else None
            if isinstance(event, TurnBegan) and following is None and moments[-1].needs_roll:
                continue  # until the dice are rolled
            later = isinstance(event, TurnBegan) and isinstance(following, Rolled)
            found.append(Line(number + later, telling.seat_of(event), telling_of))
        return found

    def entry(self, line: Line, teller: Teller) -> Entry:
        return telling.entry(line.event, teller)

    def chance(self, due: Game, after: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: who rolled what."""
        (dice,) = (event.dice for event in after.happened if isinstance(event, Rolled))
        return teller.words("happens.rolled", name=teller.names[due.to_move or 0], dice=" ".join(map(str, dice)))

    # --- what moves are worth ---

    def stated(self, game: Game) -> dict[Action, float]:  # type: ignore[override]
        return worths.stated(game.states.tobytes())

    def worth(self, game: Game, asked: Action | None = None) -> dict[Action, float]:  # type: ignore[override]
        return worths.worth(game.states.tobytes(), asked)

    def best(self, game: Game, count: int) -> dict[Action, float]:  # type: ignore[override]
        """See :class:`Room`: each of another turn."""
        return worths.best_turns(game.states.tobytes(), count)

    def strength(self, agent: str, players: int, words: Words) -> str:
        """See :class:`Room`: among planners."""
        measured = duel(agent, "planner", players)
        if measured is None:
            return ""
        share, equal = (words.number(part, ".0%") for part in (measured["win_share"]["value"], 1 / players))
        key = "seat.measured_two" if players == 2 else "seat.measured_more"
        return words(key, share=share, equal=equal, number=players - 1)

    def stated_standing(self, game: Game) -> list[float]:  # type: ignore[override]
        return [*worths.stated_standing(game.states.tobytes())]

    def standing(self, game: Game) -> list[float]:  # type: ignore[override]
        return [*worths.standing(game.states.tobytes())]

    def expected(self, game: Game) -> list[float]:  # type: ignore[override]
        """See :class:`Room`: what is rolled out before a roll is the mean over all of them."""
        return self.standing(game)

    def end_record(self, record: dict[str, Any], turn: int) -> dict[str, Any]:
        """See :class:`Room`: after no more turns than is usual (R24), whatever its board pays."""
        most = max(DEFAULT_MAX_TURNS, turn)
        return record | {"max_turns": min(record["max_turns"] or most, most)}

    def reasons(self, game: Game, move: str, other: str, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: coins by source."""
        first, second = (game.text_to_action(text) for text in (move, other))
        values = self.worth(game, first)
        return told(reasons(game, move, other, better=values[first] > values[second]), game.players, words)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [
        (new["kind"], village)
        for village, (was, now) in enumerate(zip(before["villages"], after["villages"], strict=True))
        for old, new in zip(was["buildings"], now["buildings"], strict=True)
        if old["owner"] != new["owner"]
    ]


ROOM: Final = Villages("villages")
