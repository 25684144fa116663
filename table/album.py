"""Drawings of the positions of one game, many in little room."""

import re
from typing import Any, Final

_PIECES: Final = re.compile(r"(?=<g[ >])")
_TAGS: Final = re.compile(r"<[^>]*>[^<]*")


class Album:
    """Drawings of one game, in which what several have in common is told once.

    A drawing is a row of pieces, a piece a row of tags with the text after each; both are told by their numbers.
    """

    def __init__(self) -> None:
        self._tags: dict[str, int] = {}
        self._pieces: dict[tuple[int, ...], int] = {}
        self._drawings: list[list[int]] = []

    def add(self, svg: str) -> None:
        """Put in one more drawing."""
        self._drawings.append([self._piece(piece) for piece in _PIECES.split(svg)])

    def _piece(self, text: str) -> int:
        tags = tuple(self._tags.setdefault(tag, len(self._tags)) for tag in _TAGS.findall(text))
        return self._pieces.setdefault(tags, len(self._pieces))

    def to_json(self) -> dict[str, Any]:
        """Return ``tags``, the ``pieces`` made of them, and the ``drawings`` made of these."""
        return {"tags": [*self._tags], "pieces": [[*tags] for tags in self._pieces], "drawings": self._drawings}
