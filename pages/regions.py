"""Pages of Markdown with marked places, which programs fill and people leave alone.

A page marks a place with two lines, `<!-- KIND: NAME -->` and `<!-- end -->`. The kind is `generated` for what the code
knows, and `measured` for what a long run has found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

_START: Final = re.compile(r"<!-- (generated|measured): (.*) -->")
END: Final = "<!-- end -->"
"""The line that ends a place."""


class BadPage(ValueError):
    """A page marks a place that cannot be filled."""


def mark(kind: str, name: str) -> str:
    """Return the line that begins a place."""
    return f"<!-- {kind}: {name} -->"


def fill(text: str, kind: str, blocks: Mapping[str, Callable[[], str | None]], where: str = "page") -> str:
    """Return a page with its places of one kind filled; all else stays as it is. ``where`` names it in messages.

    blocks: what makes the text of each place, by its name; None leaves the place as it is.

    Raises:
        BadPage: a name that is not in ``blocks``, a place that does not end, or an end without a place.
    """
    lines: list[str] = []
    place: tuple[str, str] | None = None  # that is open: kind and name
    old: list[str] = []  # the lines of it
    for number, line in enumerate(text.splitlines(), 1):
        start = _START.fullmatch(line)
        if line == END and place is None:
            raise BadPage(f"{where}:{number}: {END} without a beginning")
        if start and place:
            raise BadPage(f"{where}:{number}: the place {place[1]!r} does not end before the next one")
        if start and start[1] == kind and start[2] not in blocks:
            raise BadPage(f"{where}:{number}: unknown name {start[2]!r}; known are {', '.join(blocks)}")
        if line == END and place and place[0] == kind:
            new = blocks[place[1]]()
            lines += old if new is None else ["", new, ""]
        if line == END:
            place = None
        if place is None or place[0] != kind:
            lines.append(line)
        else:
            old.append(line)
        if start:
            place, old = (start[1], start[2]), []
    if place:
        raise BadPage(f"{where}: the place {place[1]!r} does not end")
    return "\n".join(lines) + "\n"
