"""What Take It Easy hands over to the floor besides its verbs."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from bohemian_env.engine.contract import State
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.parts import Part
from bohemian_env.engine.plain import PlainRules

from . import verbs


class TakeItEasy(PlainRules):
    """Take It Easy, for one player."""

    name = "take_it_easy"
    verbs = verbs  # type: ignore[misc]
    state = verbs.STATE
    players = range(1, 2)
    scoring = ("total",)
    ends = (None, "the board is full")
    drawn = "tiles"
    outcome_name = "a tile"
    most_outcomes = verbs.TILES
    moves = tuple("abcdefghijklmnopqrs")  # the cells, column by column from the left, each from above
    parts = (
        Part("cells", (verbs.CELLS, 3), 0, 9, "the numbers of the tile in each cell; 0 without", scale=9.0),
        Part("tile", (3,), 0, 9, "those of the tile to place; 0 without", scale=9.0),
        Part("hidden", (verbs.TILES,), 0, 1, "1: this tile was not drawn yet"),
    )

    def settle(self, s: State) -> None:
        again = np.zeros(1, self.state)
        self.verbs.set_up(again[0], np.uint64(0), self.setup().common()[0])
        for cell, tile in [*enumerate(map(int, s["cells"])), (-1, int(s["tile"]))]:
            if tile == -1:
                continue
            if not again[0]["pending"] or not 0 <= tile < verbs.TILES or not verbs.likelihood(again[0], tile):
                raise BadPosition(f"cells, tile: {tile} is not a tile, or comes twice, or too late")
            verbs.deal(again[0], tile)
            if cell >= 0:
                verbs.push(again[0], cell)
        s["legal"] = again[0]["legal"]
        for name in self.state.names or ():
            if (s[name] != again[0][name]).any():
                raise BadPosition(f"{name}: not what follows from cells and tile")

    def outcome_of(self, s: State | None, k: int) -> str:
        """Return the numbers of a tile: down, down to the right, down to the left."""
        return "".join(str(row[n]) for row, n in zip(verbs.NUMBERS, verbs.NUMBER_OF[k], strict=True))

    def draw_text(self, position: Mapping[str, Any], **options: Any) -> str:
        """Return who plays, the total, the tile to place, and the board, on which a letter is an empty cell."""
        head, tile = super().draw_text(position, **options).splitlines()[:2], position["tile"]
        rows = [["   "] * 5 for _ in range(9)]
        for (q, r), there, letter in zip(verbs.AT, position["cells"], self.moves, strict=True):
            rows[q + 2 * r + 4][q + 2] = f" {letter} " if there < 0 else self.outcome_of(None, there)
        told = [] if tile < 0 else [f"tile: {self.outcome_of(None, tile)}"]
        return "\n".join([*head, *told, "", *("  ".join(row).rstrip() for row in rows)])


RULES: Final = TakeItEasy()
