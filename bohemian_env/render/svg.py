"""A position as an SVG drawing: villages with their buildings, whose turn it is, and what every seat has.

One text without script, ids or references to anything outside: it can stand in a page, several times, or alone in a
file. What a page may want to react to carries its meaning: ``<g class="building" data-kind="inn" data-village="3">``,
``die`` with ``data-die`` (its place in the position's list) and ``data-number``, ``bishop``, ``special`` and ``seat``
with ``data-seat``; each has a label in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from ..game.position import read_position
from ..game.record import final_scoring, winning_seats
from ..game.rules import SCORING
from ..game.state import TOTALS
from .palette import board_css, root_class
from .seats import SEAT_LETTERS, SHOPS, Holding, holdings, printable, seat_names
from .shapes import CELL, coin, die, house, moved, pawn, text

__all__ = ["HEIGHT", "WIDTH", "board_svg"]

WIDTH: Final = 1200
HEIGHT: Final = 800
_GAP: Final = 10
_SIDE: Final = 300
"""Width of the column with the turn and the seats."""
_FIELD: Final = (WIDTH - _SIDE - 3 * _GAP, HEIGHT - 2 * _GAP)
"""Width and height of the place of the villages."""
_NAME: Final = 32
"""Height of the line with a village's name."""
_FONTS: Final = "'DejaVu Sans',Verdana,sans-serif"


def board_svg(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    dark: bool | None = None,
    last: Iterable[tuple[str, int]] | None = None,
    ids: bool = True,
) -> str:
    """Draw a position.

    Args:
        position: the JSON that ``Game.position()`` gives. At the end of the game the final scoring is drawn as well.
            Without dice in a game that goes on, a roll is due.
        names: of the players, one per seat; ``seat 0`` and so on by default. Long ones are cut.
        dark: True and False fix the theme; None follows the reader's (``prefers-color-scheme``).
        last: buildings to mark as just changed: kind, and number of the village in the position's list.
        ids: give every shape its meaning in attributes, and a label; without, the drawing is one picture.

    Returns:
        The text of an SVG drawing of WIDTH by HEIGHT units.

    Raises:
        BadSetup: not a name for each seat.
        BadPosition: the game is over and the position contradicts itself, so that it cannot be scored.
    """
    drawn = _Drawing(position, seat_names(position, names), frozenset(last or ()), ids)
    role = 'role="group"' if ids else 'role="img"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'class="{root_class(dark)}" {role} aria-label={quoteattr(drawn.summary())} font-family="{_FONTS}">'
        f"<style>{board_css(dark)}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="f-table"/>'
        f"{drawn.villages()}{drawn.side()}</svg>\n"
    )


class _Drawing:
    """The parts of one drawing."""

    def __init__(
        self, position: Mapping[str, Any], names: Sequence[str], last: frozenset[tuple[str, int]], ids: bool
    ) -> None:
        self.position = position
        self.names = names
        self.last = last
        self.ids = ids
        self.scoring = final_scoring(read_position(position)[0][0]) if position["over"] else []
        self.winners = winning_seats(self.scoring) if self.scoring else []

    def group(
        self,
        name: str,
        inside: str,
        label: str,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        role: str = "img",
        **data: object,
    ) -> str:
        """Shapes that mean one thing, moved to x, y."""
        shape = "" if (x, y, scale) == (0, 0, 1) else f' transform="translate({x:g} {y:g})'
        if shape:
            shape += '"' if scale == 1 else f' scale({scale:g})"'
        if not self.ids:
            return f"<g{shape}>{inside}</g>"
        meaning = "".join(f" data-{key}={quoteattr(str(value))}" for key, value in data.items())
        return f'<g class="{name}"{meaning} role="{role}" aria-label={quoteattr(label)}{shape}>{inside}</g>'

    def who(self, seat: int) -> str:
        return f"{SEAT_LETTERS[seat]} ({self.names[seat]})"

    def summary(self) -> str:
        """The state of the game in words."""
        at = self.position
        if at["over"]:
            won = " and ".join(self.who(seat) for seat in self.winners)
            return f"Turn {at['turn']}: game over, won by {won}"
        dice = "dice " + " ".join(map(str, at["dice"])) if at["dice"] else "dice to be rolled"
        return f"Turn {at['turn']}: {self.who(at['to_move'])} to move, {dice}"

    # --- villages ---

    def villages(self) -> str:
        """All villages in a grid, as large as the place allows."""
        villages = self.position["villages"]
        most = max(len(village["buildings"]) for village in villages)
        scale, columns, row = _best_grid(len(villages), most)
        rows = ceil(len(villages) / columns)
        width = (_FIELD[0] - _GAP * (columns - 1)) / columns
        height = (_FIELD[1] - _GAP * (rows - 1)) / rows
        return "".join(
            self.village(
                number,
                village,
                _GAP + number % columns * (width + _GAP),
                _GAP + number // columns * (height + _GAP),
                (width, height),
                (scale, row),
            )
            for number, village in enumerate(villages)
        )

    def village(
        self,
        number: int,
        village: Mapping[str, Any],
        x: float,
        y: float,
        size: tuple[float, float],
        fit: tuple[float, int],
    ) -> str:
        """One village as a card: its name, how many of its buildings are occupied, and these in rows."""
        (width, height), (scale, most) = size, fit
        buildings = village["buildings"]
        occupied = sum(b["owner"] is not None for b in buildings)
        full = occupied == len(buildings)
        count = f"{occupied}/{len(buildings)}"
        name = printable(village["name"])
        inside = [
            f'<rect width="{width:g}" height="{height:g}" rx="10" class="f-{"full" if full else "card"} s-edge"/>',
            text(14, 24, _cut(name, width - 80, 17), 17, bold=True),
            text(width - 14, 24, count, 14, "muted", at="end"),
        ]
        rows = ceil(len(buildings) / most)
        row = ceil(len(buildings) / rows)
        cell = CELL[0] * scale, CELL[1] * scale
        top = _NAME + (height - _NAME - rows * cell[1]) / 2
        for place, building in enumerate(buildings):
            line, column = divmod(place, row)
            left = (width - cell[0] * min(row, len(buildings) - line * row)) / 2
            inside.append(self.building(number, name, building, left + column * cell[0], top + line * cell[1], scale))
        label = f"{name}, {occupied} of {len(buildings)} buildings occupied"
        return self.group("village", "".join(inside), label, x, y, role="group", village=number)

    def building(self, number: int, village: str, building: Mapping[str, Any], x: float, y: float, scale: float) -> str:
        kind, owner = building["kind"], building["owner"]
        active = building.get("active", False)
        width, height = CELL
        label = [f"{kind.replace('_', ' ')} in {village}", f"total {TOTALS[kind]}"]
        changed = (kind, number) in self.last
        parts = [
            f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="8" fill="none" pointer-events="all" '
            f'class="plot{" s-accent" if changed else ""}" stroke-width="2.5"/>',
            house(kind, active),
            text(28, 71, TOTALS[kind], 13, bold=True, at="middle"),
        ]
        if "value" in building:
            label.append(f"printed value {building['value']}")
            parts.append(moved(coin(building["value"]), 12, 14))
        if kind == "inn":
            label.append("active" if active else "inactive")
            if active:
                parts.append(moved(coin("+1"), 12, 14))
        if owner is None:
            label.append("free")
            parts.append(
                '<ellipse cx="50" cy="57" rx="11" ry="4.5" fill="none" class="s-muted" stroke-dasharray="3 2.5"/>'
            )
        else:
            label.append(f"figure of {SEAT_LETTERS[owner]}")
            parts.append(moved(pawn(owner), 50, 60))
        return self.group("building", "".join(parts), ", ".join(label), x, y, scale, kind=kind, village=number)

    # --- turn and seats ---

    def side(self) -> str:
        """The column at the right."""
        x = WIDTH - _SIDE - _GAP
        panels = holdings(self.position)
        top = _GAP + 170 + _GAP
        height = min(126, (HEIGHT - top) / len(panels) - _GAP)
        return self.turn(x, _GAP) + "".join(
            self.seat(seat, has, x, top + seat * (height + _GAP), height) for seat, has in enumerate(panels)
        )

    def turn(self, x: float, y: float) -> str:
        """Whose turn it is, the dice, and what lies in the middle of the table."""
        at = self.position
        parts = [f'<rect width="{_SIDE}" height="170" rx="10" class="f-card s-edge"/>']
        if at["over"]:
            parts.append(text(14, 26, f"Turn {at['turn']}: game over", 17, bold=True))
            for row, entry in enumerate(self.scoring):
                parts.append(text(14, 50 + 20 * row, " ".join(map(str, entry.values())), 14))
        else:
            seat = at["to_move"]
            parts.append(text(14, 26, f"Turn {at['turn']}: {self.who(seat)}", 17, bold=True))
            parts.append(text(14, 46, "first move made" if at["moves_made"] else "no move made yet", 13, "muted"))
            for place in range(4):
                number = at["dice"][place] if place < len(at["dice"]) else 0
                where = 14 + 52 * place, 60
                if number:
                    parts.append(
                        self.group("die", die(number), f"die showing {number}", *where, die=place, number=number)
                    )
                else:
                    parts.append(moved(die(0), *where))
        parts.append(text(14, 160, f"Bank {at['bank']}", 14))
        supply = at["special_supply"]
        parts.append(
            self.group(
                "special",
                text(110, 160, f"special {supply}", 14),
                f"{supply} special action tiles in the supply",
                supply=supply,
            )
        )
        if at["bishop"] is None:
            parts.append(self.group("bishop", text(220, 160, "bishop", 14), "bishop, with nobody"))
        return moved("".join(parts), x, y)

    def seat(self, seat: int, has: Holding, x: float, y: float, height: float) -> str:
        parts = [
            f'<rect width="{_SIDE}" height="{height:g}" rx="10" class="f-card s-edge"/>',
            moved(pawn(seat), 24, 40),
            text(44, 28, _cut(self.names[seat], 150, 16), 16, bold=True),
            text(_SIDE - 14, 28, f"{has.coins} +{has.income}", 16, bold=True, at="end"),
            text(
                14,
                66,
                f"hand {has.figures} inns {has.active_inns} churches {has.churches} flour {has.flour} glass {has.glass}",
                12,
            ),
            text(14, 86, " ".join(map(str, has.shops)), 12),
        ]
        if has.bishop:
            parts.append(
                self.group("bishop", text(200, 86, "bishop", 12), f"bishop of {SEAT_LETTERS[seat]}", seat=seat)
            )
        if has.special:
            parts.append(
                self.group(
                    "special", text(120, 86, "special", 12), f"special action tile of {SEAT_LETTERS[seat]}", seat=seat
                )
            )
        return self.group("seat", "".join(parts), self.who(seat), x, y, role="group", seat=seat)


def _best_grid(villages: int, most: int) -> tuple[float, int, int]:
    """Scale of the buildings, columns of villages and buildings in a row that fill the place best.

    most: the largest number of buildings in one of the villages.
    """
    fits = []
    for columns in range(1, villages + 1):
        rows = ceil(villages / columns)
        width = (_FIELD[0] - _GAP * (columns - 1)) / columns - _GAP
        height = (_FIELD[1] - _GAP * (rows - 1)) / rows - _NAME
        for row in range(1, most + 1):
            scale = min(width / (row * CELL[0]), height / (ceil(most / row) * CELL[1]))
            fits.append((scale, columns, row))
    return max(fits)


def _cut(name: str, width: float, size: int) -> str:
    """As much of a name as surely fits into the width."""
    return name if len(name) * size * 0.65 <= width else name[: int(width / size / 0.65)] + "…"
