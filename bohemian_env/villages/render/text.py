"""A position as plain text for a terminal: a table of the villages and a table of the seats.

Seats are letters on the board (A is seat 0), so that they cannot be taken for dice or printed values. Everything
but names is ASCII, and colour repeats only what the letters say.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from ...engine.checks import check_truth, is_whole, printable
from ...engine.contract import Outcome
from ...engine.drawing import join, names_of, shortened
from ...engine.errors import BadSetup, brief
from ..facts import KINDS, TOTALS
from ..position import players_of
from .seats import SEAT_LETTERS, holdings, known_outcome

_COLOURS: Final = ("1;31", "1;36", "1;33", "1;32", "1;35")  # of the seats, as ANSI codes
_CELL: Final = re.compile(rf"\[([{SEAT_LETTERS}])\]\*?(?: \d+)?")  # a building with a figure
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
    names = [shortened(name, _LONGEST_NAME) for name in names_of(names, players_of(position))]
    letters = [_paint(SEAT_LETTERS[seat], seat, colour) for seat in range(len(names))]
    blocks = [
        _heading(position, names, width),
        _villages(position, colour, width),
        _wrapped(_LEGEND, "   ", width),
        _seats(position, names, letters, width),
    ]
    if ended := known_outcome(position, outcome):
        blocks.append(_scoring(ended, names, letters, width))
    return join(blocks)


def _paint(text: str, seat: int, colour: bool) -> str:
    return f"\x1b[{_COLOURS[seat]}m{text}\x1b[0m" if colour else text


def _wrapped(entries: Sequence[str], between: str, width: int) -> list[str]:
    lines = [entries[0]]
    for entry in entries[1:]:
        joined = lines[-1] + between + entry
        lines[-1:] = [joined] if len(joined) <= width else [lines[-1], entry]
    return lines


def _heading(position: Mapping[str, Any], names: Sequence[str], width: int) -> list[str]:
    first = [f"Turn {position['turn']}: game over"]
    if not position["over"]:
        seat = position["to_move"]
        first = [
            f"Turn {position['turn']}: {SEAT_LETTERS[seat]} ({names[seat]}) to move",
            f"unused dice {' '.join(map(str, position['dice']))}",
            "first move made" if position["moves_made"] else "no move made yet",
            *(["special spent"] if position["spent_special_this_turn"] else []),
        ]
    second = [f"Bank {position['bank']}", f"special action tiles left {position['special_supply']}"]
    return [*_wrapped(first, " | ", width), *_wrapped(second, " | ", width)]


def _table(
    heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], width: int, side: str
) -> tuple[list[str], int]:
    """A table under the first heads with which it fits into a width, and the width that is left: less than 0 if it fits
    under none. side: "<" or ">", where in its column an entry stands.
    """
    for head, gap in product(heads, (2, 1)):
        columns = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        left = width - sum(columns) - gap * len(columns)
        if left >= 0:
            break
    lines = (zip(entries, columns, strict=True) for entries in (head, *rows))
    return ["".join(" " * gap + f"{entry:{side}{column}}" for entry, column in line) for line in lines], left


def _cell(building: Mapping[str, Any] | None) -> str:
    """``[A]``, ``[A]*`` for an active inn, ``[ ] 8`` with a printed value."""
    if building is None:
        return ""
    letter = " " if building["owner"] is None else SEAT_LETTERS[building["owner"]]
    value = f" {building['value']}" if "value" in building else ""
    return f"[{letter}]{'*' if building.get('active') else ''}{value}"


def _villages(position: Mapping[str, Any], colour: bool, width: int) -> list[str]:
    """One row a village, one column a kind of building: blank where the village has none."""
    starts, rows = [("", ""), ("", "")], []
    for village in position["villages"]:
        buildings = {b["kind"]: b for b in village["buildings"]}
        occupied = sum(b["owner"] is not None for b in village["buildings"])
        starts.append((shortened(printable(village["name"]), _LONGEST_NAME), f"{occupied}/{len(buildings)}"))
        rows.append([_cell(buildings.get(kind)) for kind in KINDS])
    name_width, count_width = (max(map(len, column)) for column in zip(*starts, strict=True))
    totals = [str(TOTALS[kind]) for kind in KINDS]
    least = ["[A]*" if kind == "inn" else "[A]" for kind in KINDS]  # columns stay where they are as an inn gets active
    room = width - name_width - 1 - count_width
    (labels, _, *lines), left = _table((KINDS, _KINDS_SHORT), [least, totals, *rows], room, "<")
    if left < 0:
        raise BadSetup(f"width {width} is too small: this board needs {width - left} columns")
    lines.insert(1, labels)
    painted = (_CELL.sub(lambda cell: _paint(cell[0], SEAT_LETTERS.index(cell[1]), colour), line) for line in lines)
    return [
        f"{name:<{name_width}} {count:>{count_width}}{line}"
        for (name, count), line in zip(starts, painted, strict=True)
    ]


def _seat_table(
    heads: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    starts: Sequence[str],
    width: int,
) -> list[str]:
    """A row for each seat: what it begins with, and its name, cut if need be; then right-aligned columns."""
    name_width = max(map(len, names))
    lines, left = _table(heads, rows, width - len("> A  ") - name_width, ">")
    name_width += min(left, 0)
    if name_width < 0:
        raise BadSetup(f"width {width} is too small: the table of the seats needs {width - name_width} columns")
    told = zip(["   ", *starts], ["", *names], lines, strict=True)
    return [f"{start}  {name[:name_width]:<{name_width}}{line}" for start, name, line in told]


def _seats(position: Mapping[str, Any], names: Sequence[str], letters: Sequence[str], width: int) -> list[str]:
    """What every seat has, and its income (R5) at the start of its next turn as things stand."""
    rows = []
    for has in holdings(position):
        bishop, special = ("yes" if held else "-" for held in (has.bishop, has.special))
        counts = (has.coins, has.figures, has.active_inns, has.kinds["church"], bishop, has.income, special)
        rows.append([*map(str, (*counts, has.flour, has.glass))])
    starts = [f"{'>' if seat == position['to_move'] else ' '} {letter}" for seat, letter in enumerate(letters)]
    return _seat_table((_SEATS, _SEATS_SHORT), rows, names, starts, width)


def _scoring(outcome: Outcome, names: Sequence[str], letters: Sequence[str], width: int) -> list[str]:
    scoring = enumerate(outcome.scoring)
    rows = [[*map(str, entry.values()), "winner" if seat in outcome.winners else ""] for seat, entry in scoring]
    heads = ([*outcome.scoring[0], ""],)
    return ["Final scoring", *_seat_table(heads, rows, names, [f"  {letter}" for letter in letters], width)]
