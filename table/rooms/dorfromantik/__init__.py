"""Dorfromantik at the table. telling.py says what is done, for the log and before it is done; reasons.py, what speaks
for a move.
"""

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

import agents
from bohemian_env.dorfromantik import tiles
from bohemian_env.dorfromantik.draw import draw_landscape
from bohemian_env.dorfromantik.draw.palette import PALETTE
from bohemian_env.dorfromantik.draw.scene import WORDS, Cell, Scene, Stake, is_task, kind_of, letters_of
from bohemian_env.dorfromantik.draw.shapes import RADIUS, badge, flag, icon, land
from bohemian_env.dorfromantik.game import Game
from bohemian_env.dorfromantik.moves import parse_move
from bohemian_env.dorfromantik.state import SCORING
from bohemian_env.dorfromantik.tiles import DIRECTIONS, IDS, KINDS, LANDSCAPE, NUMBER
from bohemian_env.engine.contract import Action, Outcome
from bohemian_env.engine.drawing import element, moved
from bohemian_env.engine.words import Words, texts_in
from table.html import filled
from table.room import Entry, Line, Option, Parting, Teller, WeighedRoom, capital, ranked

from .measure import measured
from .reasons import reasons
from .telling import Laid, called, laid, lands, lying, matches, notation, parted, told

_MEDALS: Final = ("greedy", "planner", "values")  # the agents whose mean results are worth a medal each
_POINTS: Final = {
    "aim": "D3, D23", "turn": "D4, D5, D6", "place": "D8, D9, D10", "land": "D14, D15", "task": "D16, D17, D18",
    "abort": "D11, D12, D16", "flag": "D19", "end": "D21, D22, D30", "chance": "D2, D3, D27", "stuck": "D13",
}  # fmt: skip
"""The rules in a few sentences, with the rulings that each carries out (docs/dorfromantik.md)."""


class Dorfromantik(WeighedRoom):
    """See :class:`table.room.Room`. Parts of the drawing are cells, ``empty-Q-R`` and ``cell-Q-R``."""

    first_guest = "values"
    learns_with = None
    master = "search:values:250"
    sample = (1, 40, "values")
    guests = ranked({"random": 1, "greedy": 2, "planner": 4, "values": 5, "search:values:250": 6})
    steps = (
        ("tile", "next panel-hand"), ("place", "move"), ("turn", "turn done"), ("match", "next board"),
        ("task", "next panel-tasks"), ("abort", "next panel-tasks"), ("counts", "next panel-counts"),
        ("stacks", "next panel-stacks"), ("hint", "next hint"), ("end", "over"), ("review", "next"),
    )  # fmt: skip

    @property
    def facts(self) -> Mapping[str, object]:
        names = ("LANDSCAPE", "LEFT_IN_BOX", "MOST_PLAYERS", "OPEN_TASKS")
        return {name: getattr(tiles, name) for name in names}

    def drawn(self, language: str) -> Mapping[str, str]:
        return texts_in(WORDS, language)

    def pages(self, words: Words) -> dict[str, Any]:
        return {"points": _POINTS}

    # --- a position ---

    def draw(self, game: Game, names: Sequence[str], before: Game | None, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: the landscape alone."""
        ways = Counter(parse_move(move)[:2] for move in game.legal_moves)
        old = None if before is None else before.state_dict()
        return draw_landscape(game.state_dict(), before=old, ways=ways, words=words)

    @functools.cache  # noqa: B019 - there is one
    def picture(self, language: str) -> str:
        """See :class:`Room`: the landscape alone, without the cells that can be chosen."""
        _, decisions, agent = self.sample
        game, player = Game.new(seed=1).dealt(), agents.make(agent, seed=1, game=self.name)
        while len(game.actions) < decisions:
            game = game.push(player.move(game)).dealt()
        drawn = draw_landscape(game.position(), words=self.words(language))
        return drawn.replace("<defs>", f"<style>{self.style()}</style><defs>", 1)

    def style(self) -> str:
        return PALETTE.css(None)

    def options(self, game: Game, teller: Teller) -> list[Option]:  # type: ignore[override]
        """See :class:`Room`. Of the rotations in a cell the one comes first of which most edges match."""
        cells, found = lying(game), list[tuple[tuple[int, ...], Option]]()
        for action, move in zip(game.legal_actions, game.legal_moves, strict=True):
            q, r, turn = parse_move(move)
            fits, all_fits = matches(game.tile or "", move, cells)
            words = told(laid(game, game.push(action)), game.to_move or 0, teller, order=True, fits=fits)
            option: Option = {"move": move, "words": words, "at": [f"empty-{q}-{r}"], "with": [], "way": turn}
            found.append(((q, r, -fits, -all_fits, turn), option))
        return [option for _, option in sorted(found, key=lambda one: one[0])]

    def panels(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: the tile to lay, tasks, what counts, and what is still to come."""
        words, s = teller.words, game.states[0]
        scene = _scene(game)
        tasks = [stake for stake in scene.stakes.values() if is_task(stake.tile)]
        return filled(
            "rooms/dorfromantik/panels.html",
            words.language,
            words,
            hand=game.tile and _picture(_hand(game.tile, game.number), 130),
            caption=game.tile and f"{capital(called(game.tile, game.number, words))}: {lands(game.tile, words)}",
            over=game.over,
            score=game.score,
            stacks=game.state_dict()["stacks"],
            in_box=int(s["left_in_box"]) if s["landscape"] else 0,
            tasks=[_chip(stake, words) for stake in tasks],
            counts=[
                *(_chip(stake, words) for stake in scene.stakes.values() if not is_task(stake.tile)),
                *(_longest(s, column, words) for column in ("track", "stream")),
            ],
            landscape=[_small(tile) for tile in _to_come(s, "landscape")],
            coming=[_small(tile) for tile in _to_come(s, "tasks", LANDSCAPE)],
            markers={
                words(f"kind.{kind}"): ", ".join(str(n) for n in s["hidden"].reshape(len(KINDS), -1)[k] if n)
                for k, kind in enumerate(KINDS)
            },
        )

    def strip(self, game: Game, teller: Teller) -> list[str]:  # type: ignore[override]
        """See :class:`Room`: what all have together; the panels, which stay in sight, tell of tasks."""
        words, stacks = teller.words, game.state_dict()["stacks"]
        return [" · ".join([words("strip.score", total=game.score["total"]), words("strip.stacks", **stacks)])]

    def middle(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: the stacks."""
        return teller.words("page.middle", turn=game.turn, **game.state_dict()["stacks"])

    def about(self, game: Game, words: Words) -> Mapping[str, str]:  # type: ignore[override]
        """See :class:`Room`: the territories of a tile, and what an empty cell borders."""
        scene, cells = _scene(game), lying(game)
        stakes, s, found = scene.stakes, game.states[0], dict[str, str]()
        for cell, (tile, _) in scene.cells.items():
            lands = [_land(s, kind, tile, words) for kind in KINDS if kind in letters_of(tile, 0)]
            lands += [stakes[cell].told(words)] if cell in stakes else []
            found["cell-{}-{}".format(*cell)] = "; ".join(lands) or words("about.meadow")
        unseen = [*_to_come(s, "landscape"), *_to_come(s, "tasks", LANDSCAPE)]
        face = {
            (letter, d): words("about.face", kind=words(f"kind.{letter}"), direction=words(f"about.direction_{d}"))
            for letter in (*KINDS, "M")
            for d in range(len(DIRECTIONS))
        }
        for q, r in scene.around() if scene.cells else ():
            facing = [cells.get((q + dq, r + dr), "------")[d - 3] for d, (dq, dr) in enumerate(DIRECTIONS)]
            faces = [face[letter, d] for d, letter in enumerate(facing) if letter != "-"]
            pattern = sum({"-": 0, "T": 2, "S": 3}.get(letter, 1) << 2 * d for d, letter in enumerate(facing))
            fit = np.count_nonzero(tiles.FITS[tiles.FITS_AS[unseen], pattern]) if unseen else 0
            found[f"empty-{q}-{r}"] = words("about.empty", faces=", ".join(faces), fit=fit, left=len(unseen))
        if game.happened and (move := game.happened[0].get("move")):  # it may be turned yet, under its cell's old name
            q, r, _ = parse_move(move)
            found[f"empty-{q}-{r}"] = found[f"cell-{q}-{r}"]
        return found if scene.cells else {"empty-0-0": words("about.first")}

    def seen(self, game: Game, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: its tile."""
        return called(game.tile, game.number, words) if game.tile else ""

    def prompt(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        return teller.words("happens.prompt", tile=called(game.tile or "", game.number, teller.words))

    # --- what happened ---

    def lines(self, moments: Sequence[Game]) -> list[Line]:  # type: ignore[override]
        """See :class:`Room`: a line for each tile that was laid."""
        found = []
        for number, (before, after) in enumerate(pairwise(moments), 1):
            if not before.needs_chance:
                found.append(Line(number, before.to_move, laid(before, after), number + 1 < len(moments)))
            elif {"move": None} in after.happened:
                tile = before.tile or after.happened[0]["tile"]
                event = Laid(tile, after.happened[0].get("marker"), None)
                found.append(Line(number, before.to_move, event, number + 1 < len(moments)))
        if moments[-1].over:
            found.append(Line(len(moments) - 1, None, None, moments[-1].outcome()))
        return found

    def entry(self, line: Line, teller: Teller) -> Entry:
        if line.seat is None:
            return super().entry(line, teller)
        text, words = notation(line.event), told(line.event, line.seat, teller)
        entry: Entry = {"kind": "pass", "seat": line.seat, "text": text, "words": words, "chance": line.more}
        if line.event.move is None:
            return entry
        q, r, _ = parse_move(line.event.move)
        return {**entry, "kind": "move", "part": f"cell-{q}-{r}"}

    def ended(self, outcome: Outcome, teller: Teller) -> str:
        """See :class:`Room`: the score by its parts."""
        return teller.words("happens.reached", **outcome.scoring[0])

    def parted(self, theirs: Sequence[Game], mine: Sequence[Game], teller: Teller) -> list[Parting]:  # type: ignore[override]
        """See :class:`Room`: tasks and flags that came out otherwise, the longest track and stream."""
        return parted(theirs, mine, teller.words)

    def verdict(self, game: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: a medal for each mean of an agent that is reached, and the place among many results."""
        words, total, known = teller.words, game.score["total"], measured()
        reached = sum(total >= known[agent]["mean"] for agent in _MEDALS)
        among = known[self.adviser]
        better = sum(among["counts"][max(total + 1 - among["lowest"], 0) :])
        told = words("happens.verdict", medal=words(f"happens.medal_{reached}"), rank=better + 1,
                     games=words.number(among["games"], "d"))  # fmt: skip
        return f"{told} {self.averages({agent: found['mean'] for agent, found in known.items()}, words)}"

    def chance(self, due: Game, after: Game, teller: Teller) -> str:  # type: ignore[override]
        """See :class:`Room`: the tile, or the marker, that was revealed."""
        words = teller.words
        if due.tile:
            return words("happens.revealed_marker", number=after.happened[0]["marker"])
        tile = after.happened[0]["tile"]
        if is_task(tile):
            return words("happens.revealed_task", kind=words(f"kind.{kind_of(tile)}"))
        return words("happens.revealed", tile=called(tile, None, words), lands=lands(tile, words))

    # --- what moves are worth ---

    def best(self, game: Game, count: int) -> dict[Action, float]:  # type: ignore[override]
        """See :class:`Room`: each in another cell."""
        cells: dict[int, Action] = {}
        for action in super().best(game, len(game.legal_actions)):
            cells.setdefault(action // 6, action)
        found = self.worth(game)
        return {action: found[action] for action in [*cells.values()][:count]}

    def strength(self, agent: str, players: int, words: Words) -> str:
        """See :class:`Room`: the mean result, which is the same at tables of all sizes (D28)."""
        found = measured().get(agent)
        return words("seat.measured", mean=words.number(found["mean"], ".0f")) if found else ""

    def reasons(self, game: Game, move: str, other: str, words: Words) -> str:  # type: ignore[override]
        """See :class:`Room`: the parts of the score that one move brings more of, and room for later."""
        return reasons(game, move, other, words)


@functools.lru_cache(8)
def _scene(game: Game) -> Scene:
    return Scene.of(game.state_dict(), None, None)


def _picture(drawn: str, width: int, box: tuple[float, float, float, float] = (-62, -56, 124, 112)) -> str:
    """Return shapes around the origin as a picture of their own."""
    size = {"width": width, "height": round(width * box[3] / box[2]), "aria_hidden": "true"}
    return element("svg", drawn, class_=PALETTE.root(None), viewBox=" ".join(f"{one:g}" for one in box), **size)


def _hand(tile: str, number: int | None) -> str:
    kind = kind_of(tile)
    sign = badge(kind, number or "?") if is_task(tile) else flag(kind) if kind else ""
    return element("g", land(letters_of(tile, 0)), id="hand") + (moved(sign, 34, -38, 0.8) if sign else "")


def _to_come(s: Any, stack: str, first: int = 0) -> Iterator[int]:
    """The tiles of a stack that were not seen yet, those in the box among them. first: the number of its first tile."""
    bits = int(s[stack])
    return (first + place for place in range(bits.bit_length()) if bits >> place & 1)


@functools.cache
def _small(tile: int) -> tuple[str, str]:
    """The name of a tile, and a small picture of it."""
    half = RADIUS * 0.87
    drawn = land(letters_of(IDS[tile], 0), signs=False)
    return IDS[tile], _picture(drawn, 30, (-half - 2, -RADIUS - 2, 2 * half + 4, 2 * RADIUS + 4))


def _sign(kind: str) -> str:
    return _picture(element("circle", r=14, class_="f-badge") + icon(kind), 24, (-14, -14, 28, 28))


def _cells(*cells: Cell) -> str:
    return " ".join("cell-{}-{}".format(*cell) for cell in cells)


def _chip(stake: Stake, words: Words) -> dict[str, object]:
    kind = words(f"kind.{kind_of(stake.tile)}")
    task, size = is_task(stake.tile), stake.size if stake.number is None or is_task(stake.tile) else stake.number
    key = "task" if task else "flag_open" if stake.number is None else "flag_counted"
    return {
        "told": words("panel.task" if task else "panel.flag", kind=kind, size=size, number=stake.number),
        "means": stake.told(words) if task else words(f"panel.{key}", kind=kind, size=size),
        "lights": _cells(*stake.territory),
        "sign": _sign(kind_of(stake.tile)),
        "size": size,
        "number": stake.number,
        "sort": "task" if task else "flag" if stake.number is None else "flag counted",
    }


def _longest(s: Any, column: str, words: Words) -> dict[str, object]:
    kind = column[0].upper()
    k, size = KINDS.index(kind), int(s["score"][SCORING.index(column)])
    first = int(s["size"][k].argmax())
    cells = [tuple(s["tiles"][tile, 1:3].tolist()) for tile in range(len(IDS)) if size and _in(s, k, tile, first)]
    return {
        "told": words("panel.flag", kind=words(f"kind.{kind}"), size=size),
        "means": words(f"panel.{column}"),
        "lights": _cells(*cells),
        "sign": _sign(kind),
        "sort": column,
    }


def _in(s: Any, kind: int, tile: int, territory: int) -> bool:
    return s["tiles"][tile, 0] == 1 and KINDS[kind] in tiles.EDGES[tile] and s["territory"][kind, tile] == territory


def _land(s: Any, kind: str, tile: str, words: Words) -> str:
    k = KINDS.index(kind)
    there = s["territory"][k, NUMBER[tile]]
    size, edges = int(s["size"][k, there]), int(s["edges"][k, there])
    return words("about.land" if edges else "about.land_closed", kind=words(f"kind.{kind}"), size=size, edges=edges)


ROOM: Final = Dorfromantik("dorfromantik")
