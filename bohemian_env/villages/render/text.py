"""A position as plain text for a terminal: a table of the villages and a table of the seats.

Seats are letters on the board (A is seat 0), so that they cannot be taken for dice or printed values. Everything
but names is ASCII, and colour repeats only what the letters say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...engine.checks import check_truth, is_whole, printable
from ...engine.contract import Outcome
from ...engine.errors import BadSetup, brief
from ..facts import KINDS, TOTALS
from .seats import SEAT_LETTERS, holdings, known_outcome, seat_names

__all__ = ["board_text"]

_COLOURS: Final = ("1;31", "1;36", "1;33", "1;32", "1;35")  # of the seats, as ANSI codes
_PLAIN: Final = "\x1b[0m"
_LONGEST_NAME: Final = 16

# Headings of the columns, and what they shrink to where the width is small.
_KINDS_SHORT: Final = ("bak", "but", "dai", "tai", "mil", "gla", "farm", "inn", "hall", "chu", "man")
_SEATS: Final = ("coins", "in hand", "active inns", "churches", "bishop", "income", "special", "flour", "glass")
_SEATS_SHORT: Final = ("coins", "hand", "inns", "chu", "bishop", "income", "special", "flour", "glass")
_LEGEND: Final = ("[ ] free", "[A] figure of A", "[A]* active inn", "[ ] 8 printed value", "3/7 buildings occupied")


def board_text(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    colour: bool = False,
    width: int = 100,
    outcome: Outcome | None = None,
) -> str:
    """Return a position as lines without spaces at their ends, and without a line break after the last one.

    Args:
        position, names, outcome: those of ``board_svg``.
        colour: whether to colour the letters of the seats with ANSI codes.
        width: columns that may be used; 80 are enough for every set-up of the shipped board.

    Raises:
        BadSetup: the drawing does not fit into the width, colour or width is not as above, or as for ``board_svg``.
        BadPosition: as for ``board_svg``.
    """
    if not is_whole(width, 1):
        raise BadSetup(f"width {brief(width)} is not a whole number of columns from 1 on")
    check_truth("colour", colour)
    names = [_cut(name) for name in seat_names(position, names)]
    blocks = [
        _heading(position, names, width),
        _villages(position, colour, width),
        _wrapped(_LEGEND, "   ", width),
        _seats(position, names, colour, width),
    ]
    if ended := known_outcome(position, outcome):
        blocks.append(_scoring(ended, names, colour, width))
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)


def _cut(name: str) -> str:
    """A name that keeps to its place: printable, not long."""
    name = printable(name)
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "~"


def _paint(text: str, seat: int | None, colour: bool) -> str:
    return f"\x1b[{_COLOURS[seat]}m{text}{_PLAIN}" if colour and seat is not None else text


def _wrapped(entries: Sequence[str], between: str, width: int) -> list[str]:
    """The entries in as few lines as the width allows."""
    lines = [entries[0]]
    for entry in entries[1:]:
        joined = lines[-1] + between + entry
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(entry)
    return lines


def _heading(position: Mapping[str, Any], names: Sequence[str], width: int) -> list[str]:
    if position["over"]:
        first = [f"Turn {position['turn']}: game over"]
    else:
        seat = position["to_move"]
        first = [
            f"Turn {position['turn']}: {SEAT_LETTERS[seat]} ({names[seat]}) to move",
            f"unused dice {' '.join(map(str, position['dice']))}",
            "first move made" if position["moves_made"] else "no move made yet",
        ]
        if position["spent_special_this_turn"]:
            first.append("special spent")
    second = [f"Bank {position['bank']}", f"special action tiles left {position['special_supply']}"]
    return [*_wrapped(first, " | ", width), *_wrapped(second, " | ", width)]


def _cell(building: Mapping[str, Any]) -> str:
    """``[A]``, ``[A]*`` for an active inn, ``[ ] 8`` with a printed value."""
    owner = building["owner"]
    text = f"[{' ' if owner is None else SEAT_LETTERS[owner]}]"
    if building.get("active"):
        text += "*"
    if "value" in building:
        text += f" {building['value']}"
    return text


def _villages(position: Mapping[str, Any], colour: bool, width: int) -> list[str]:
    """One row a village, one column a kind of building: blank where the village has none."""
    rows = []
    for village in position["villages"]:
        buildings = {b["kind"]: b for b in village["buildings"]}
        occupied = sum(b["owner"] is not None for b in village["buildings"])
        rows.append((_cut(village["name"]), f"{occupied}/{len(buildings)}", buildings))
    name_width = max(len(name) for name, _, _ in rows)
    count_width = max(len(count) for _, count, _ in rows)
    widest = {kind: max([len("[A]"), *(len(_cell(b[kind])) for _, _, b in rows if kind in b)]) for kind in KINDS}
    widest["inn"] = len("[A]*")  # the columns stay where they are when an inn becomes active
    for labels, gap in ((KINDS, 2), (KINDS, 1), (_KINDS_SHORT, 2), (_KINDS_SHORT, 1)):
        columns = [max(len(label), widest[kind]) for kind, label in zip(KINDS, labels, strict=True)]
        needed = name_width + 1 + count_width + sum(gap + column for column in columns)
        if needed <= width:
            break
    else:
        raise BadSetup(f"width {width} is too small: this board needs {needed} columns")

    def row(name: str, count: str, cells: Sequence[tuple[str, int | None]]) -> str:
        line = f"{name:<{name_width}} {count:>{count_width}}"
        for column, (text, seat) in zip(columns, cells, strict=True):
            line += " " * gap + _paint(text, seat, colour) + " " * (column - len(text))
        return line

    lines = [
        row("", "", [(str(TOTALS[kind]), None) for kind in KINDS]),
        row("", "", [(label, None) for label in labels]),
    ]
    for name, count, buildings in rows:
        cells = [(_cell(buildings[k]), buildings[k]["owner"]) if k in buildings else ("", None) for k in KINDS]
        lines.append(row(name, count, cells))
    return lines


def _table(
    heads: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    marked: int | None,
    colour: bool,
    width: int,
) -> list[str]:
    """A row for each seat, its letter and name first, then right-aligned columns under the widest heads that fit."""
    name_width = max(map(len, names))
    for head, gap in [(head, gap) for head in heads for gap in (2, 1)]:
        columns = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        room = width - len("> A  ") - sum(columns) - gap * len(columns)
        if room >= name_width:
            break
    if room < 0:
        raise BadSetup(f"width {width} is too small: the table of the seats needs {width - room} columns")
    name_width = min(name_width, room)

    def line(start: str, name: str, entries: Sequence[str]) -> str:
        cells = "".join(" " * gap + f"{entry:>{column}}" for entry, column in zip(entries, columns, strict=True))
        return f"{start}  {name[:name_width]:<{name_width}}{cells}"

    lines = [line("   ", "", head)]
    for seat, (name, entries) in enumerate(zip(names, rows, strict=True)):
        start = f"{'>' if seat == marked else ' '} {_paint(SEAT_LETTERS[seat], seat, colour)}"
        lines.append(line(start, name, entries))
    return lines


def _seats(position: Mapping[str, Any], names: Sequence[str], colour: bool, width: int) -> list[str]:
    """What every seat has, and its income (R5) at the start of its next turn as things stand."""
    rows = []
    for has in holdings(position):
        bishop, special = ("yes" if held else "-" for held in (has.bishop, has.special))
        counts = (has.coins, has.figures, has.active_inns, has.churches, bishop, has.income, special)
        rows.append([str(entry) for entry in (*counts, has.flour, has.glass)])
    return _table((_SEATS, _SEATS_SHORT), rows, names, position["to_move"], colour, width)


def _scoring(outcome: Outcome, names: Sequence[str], colour: bool, width: int) -> list[str]:
    """The final scoring (R25, R26)."""
    rows = [
        [*map(str, entry.values()), "winner" if seat in outcome.winners else ""]
        for seat, entry in enumerate(outcome.scoring)
    ]
    return ["Final scoring", *_table([[*outcome.scoring[0], ""]], rows, names, None, colour, width)]
