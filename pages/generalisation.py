"""Measure docs/generalisation.md: how agents play among villages that they have not seen in training.

    python -m pages.generalisation

Every tile has two sides. Agents are trained with the first sides alone, with the second sides alone, and with both, and
each plays among the first sides alone and among the second ones alone. Takes about 10 minutes on two cores. Finished
runs are kept in the work folder, so that after an interrupt the same command goes on.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agents.common.files import write_atomically
from agents.common.markdown import table
from agents.network.files import load_net, save_net
from bohemian_env import Board

from .trainings import arguments, interval, make_page, samples, train_all, win_shares

PROGRAM: Final = "pages.generalisation"
SEED: Final = 6_000_000
"""The first seed of the games that compare."""
OPPONENTS: Final = ("planner", "greedy")
SIDES: Final = {"first sides": 0, "second sides": 1}
AGAIN: Final = " (again)"
"""Ends the name of a side that stands on both sides of its tile."""


def one_sided(side: int) -> Board:
    """Return the shipped board with one side of every tile, 0 the first, on both of its sides."""
    board = Board.standard()
    entries = []
    for village in board.one_side(side):
        entry = village.to_json() | {"tile": village.tile}
        entries += [entry, entry | {"name": village.name + AGAIN}]
    return Board.from_data(
        {
            "format": 1,
            "coin_supply": board.coin_supply,
            "special_action_tiles": board.special_action_tiles,
            "setup": {str(n): {"figures": s.figures, "remove": list(s.remove)} for n, s in board.setups.items()},
            "village": entries,
        }
    )


def board_file(board: Board) -> str:
    """Return a board as TOML."""
    lines = ["format = 1", f"coin_supply = {board.coin_supply}", f"special_action_tiles = {board.special_action_tiles}"]
    lines.append("[setup]")
    lines += [f"{n} = {{ figures = {s.figures}, remove = {list(s.remove)} }}" for n, s in board.setups.items()]
    for village in board.villages:
        lines += ["[[village]]", f'tile = "{village.tile}"']
        lines += [f"{key} = {value!r}" for key, value in village.to_json().items()]
    return "\n".join(lines).replace("'", '"') + "\n"


def played(folders: Sequence[Path], known: Board, board: Board, o: argparse.Namespace) -> list[list[float]]:
    """Return the win shares of agents that were trained on one board and play on another, by seed and opponent."""
    found = []
    for folder in folders:
        with tempfile.TemporaryDirectory() as there:  # the same network, said to be for the other board
            path = Path(there) / "agent.safetensors"
            save_net(load_net(folder, known)[0], path, board, {})
            found.append(win_shares(path, OPPONENTS, SEED, o, board))
    return found


def blocks(o: argparse.Namespace) -> dict[str, str]:
    """Return what stands in the places of the page."""
    boards = {name: one_sided(side) for name, side in SIDES.items()}
    options = {"both": ""}
    for name, board in boards.items():
        path = o.work / f"{name.replace(' ', '-')}.toml"
        write_atomically(path, board_file(board).encode())
        assert Board.load(path) == board
        options[name] = f"--board {shlex.quote(str(path))}"
    kinds = (*SIDES, "both")
    runs = train_all([options[kind] for kind in kinds], o)
    found, rows = {}, []
    for kind in kinds:
        known, folders = boards.get(kind, Board.standard()), runs[options[kind]]
        for name, board in boards.items():
            found[kind, name] = played(folders, known, board, o)
            cells = [interval(column) for column in zip(*found[kind, name], strict=True)]
            rows.append([kind, samples(folders, known), name, *cells])
    gaps = []
    for name, other in (tuple(SIDES), tuple(SIDES)[::-1]):
        pairs = list(zip(found[name, name], found[other, name], strict=True))
        gaps.append([name, *(interval([a[k] - b[k] for a, b in pairs]) for k in range(len(OPPONENTS)))])
    against = [f"v `{name}`" for name in OPPONENTS]
    return {
        "win shares": table(["trained with", "decisions, thousands", "plays among", *against], rows, (1, 3, 4)),
        "gaps": table(["plays among", *against], gaps, (1, 2)),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    o = arguments(PROGRAM, __doc__, {"minutes": 1.5, "seeds": 3, "players": 3}, argv)
    return make_page(o, SEED, lambda: blocks(o))


if __name__ == "__main__":
    sys.exit(main())
