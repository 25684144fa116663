"""What Take It Easy hands over to the floor besides its verbs."""

from typing import Any, Final

import numpy as np

from bohemian_env.engine.contract import State
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.parts import Part
from bohemian_env.engine.plain import PlainRules

from . import verbs


class TakeItEasy(PlainRules):
    """Take It Easy, for one player."""

    name, verbs, state, players, scoring = "take_it_easy", verbs, verbs.STATE, range(1, 2), ("total",)
    moves, ends, drawn, outcome_name, most_outcomes = (
        tuple("abcdefghijklmnopqrs"),
        (None, "full"),
        "tiles",
        "a tile",
        27,
    )
    parts = (
        Part(
            "cells", (verbs.CELLS, 3), 0, 9, "the numbers of the tile in each cell, by direction; 0 without", scale=9.0
        ),
        Part("tile", (3,), 0, 9, "those of the tile to place; 0 without", scale=9.0),
        Part("hidden", (verbs.TILES,), 0, 1, "1: this tile was not drawn yet"),
    )

    def settle(self, s: State) -> None:
        again = np.zeros(1, self.state)
        self.verbs.set_up(again[0], np.uint64(0), self.setup().common()[0])
        tiles = [*enumerate(map(int, s["cells"])), (-1, int(s["tile"]))]
        for cell, tile in tiles:
            if tile == -1:
                continue
            if not 0 <= tile < verbs.TILES or not again[0]["pending"] or not self.verbs.likelihood(again[0], tile):
                raise BadPosition(f"cells: tile {tile} is none, or comes twice, or too late")
            self.verbs.deal(again[0], tile)
            if cell >= 0:
                self.verbs.push(again[0], cell)
        s["legal"] = again[0]["legal"]
        for name in self.state.names or ():
            if (s[name] != again[0][name]).any():
                raise BadPosition(f"{name}: not what follows from cells and tile")

    def outcome_of(self, s: State, k: int) -> Any:
        return "".join(str(row[n]) for row, n in zip(verbs.NUMBERS, verbs.NUMBER_OF[k], strict=True))


RULES: Final = TakeItEasy()
