"""Take It Easy a second time, plainly: tiles are texts of three digits, cells are coordinates, lines are walked."""

import itertools
from dataclasses import dataclass, field

TILES = ["".join(digits) for digits in itertools.product("159", "267", "348")]
CELLS = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if -2 <= q + r <= 2]
ALONG = ((0, 1), (1, 0), (1, -1))
"""The steps along a line of the first digits, of the second, and of the third."""


def lines() -> list[tuple[int, list[tuple[int, int]]]]:
    """Every line of the board once: which digit counts in it, and its cells from one edge to the other."""
    found = []
    for digit, (dq, dr) in enumerate(ALONG):
        for q, r in CELLS:
            if (q - dq, r - dr) not in CELLS:  # its first cell
                steps = ((q + k * dq, r + k * dr) for k in range(5))
                found.append((digit, list(itertools.takewhile(CELLS.__contains__, steps))))
    return found


@dataclass
class TakeItEasy:
    """A board as it lies on the table."""

    board: dict[tuple[int, int], str] = field(default_factory=dict)

    def place(self, cell: int, tile: str) -> None:
        """Put a tile into an empty cell, by its number."""
        assert CELLS[cell] not in self.board
        assert tile not in self.board.values()
        self.board[CELLS[cell]] = tile

    def points(self) -> int:
        """What the lines bring that are full of one number."""
        total = 0
        for digit, cells in lines():
            digits = [self.board[cell][digit] for cell in cells if cell in self.board]
            if len(digits) == len(cells) and len({*digits}) == 1:
                total += int(digits[0]) * len(cells)
        return total
