"""Drawings of the positions of one game: for the page that has their style sheet already, and many in little room."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bohemian_env import Game
from bohemian_env.villages.render import board_css, board_svg

_PIECES: Final = re.compile(r'(?=<g class="(?:village|building|seat|die|special|bishop|scoring)")')
_TAGS: Final = re.compile(r"<[^>]*>[^<]*")


def draw(game: Game, names: list[str], before: Game | None, language: str = "en") -> str:
    """Return a position as SVG, without the style sheet in it: the page has that once (``/board.css``).

    Args:
        before: a position before moves that may have changed the owners of buildings; these are marked.
        language: one of ``bohemian_env.villages.words.LANGUAGES``.
    """
    position = game.position()
    changed = [] if before is None else _changed(before.position(), position)
    drawn = board_svg(position, names=names, last=changed, outcome=game.outcome(), language=language)
    return drawn.replace(f"<style>{board_css()}</style>", "", 1).strip()


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the buildings that have other owners now."""
    return [
        (new["kind"], village)
        for village, (was, now) in enumerate(zip(before["villages"], after["villages"], strict=True))
        for old, new in zip(was["buildings"], now["buildings"], strict=True)
        if old["owner"] != new["owner"]
    ]


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
