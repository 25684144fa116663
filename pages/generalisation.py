"""Make docs/generalisation.md: how agents play among villages that they have not seen in training.

    python -m pages.generalisation

Every tile has two sides. Agents are trained with the first sides alone, with the second sides alone, and with both, and
each plays among the first sides alone and among the second ones alone. Takes about 10 minutes on two cores. Finished
runs are kept in the work folder, so that after an interrupt the same command goes on.
"""

from __future__ import annotations

import shlex
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from agents.network.files import load_net, save_net
from bohemian_env import Board

from .trainings import arguments, conditions, interval, make_page, samples, train_all, win_shares

SCRIPT: Final = "pages.generalisation"
SEED: Final = 6_000_000
"""Of the games that compare."""
OPPONENTS: Final = ("planner", "greedy")
SIDES: Final = {"first sides": 0, "second sides": 1}
AGAIN: Final = " (again)"
"""Ends the name of a side that stands on both sides of its tile."""

HEAD: Final = """\
# Among villages never seen

Every tile has two sides. Agents were trained with the first sides of the tiles alone, with the second sides alone, and
with both; each then played among the first sides alone and among the second ones alone: {minutes:g} minutes of training
on one core, {seeds} seeds, {players} players. The numbers are the win shares of the agent's likeliest moves alone among
copies of an opponent (equals: {fair:.3f}), {games:,} games for each seed; the mean over the seeds, and its {level}
interval by Student's t.

| trained with | decisions, thousands | plays among | {opponents} |
|---|--:|---|{rules}|
"""


def one_sided(side: int) -> Board:
    """The shipped board with one side of every tile, 0 the first, on both of its sides."""
    board = Board.standard()
    sides = board.tables[0]["side"]
    entries = []
    for number, village in enumerate(board.villages):
        if sides[number] == side:
            entry = village.to_json() | {"tile": village.tile}
            entries += [entry, entry | {"name": village.name + AGAIN}]
    setups = {str(n): {"figures": s.figures, "remove": list(s.remove)} for n, s in board.setups.items()}
    return Board.from_data(
        {
            "format": 1,
            "coin_supply": board.coin_supply,
            "special_action_tiles": board.special_action_tiles,
            "setup": setups,
            "village": entries,
        }
    )


def board_file(board: Board) -> str:
    """A board as TOML."""
    lines = ["format = 1", f"coin_supply = {board.coin_supply}", f"special_action_tiles = {board.special_action_tiles}"]
    lines.append("[setup]")
    lines += [f"{n} = {{ figures = {s.figures}, remove = {list(s.remove)} }}" for n, s in board.setups.items()]
    for village in board.villages:
        lines += ["[[village]]", f'tile = "{village.tile}"']
        lines += [f"{key} = {value!r}" for key, value in village.to_json().items()]
    return "\n".join(lines).replace("'", '"') + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    o = arguments(SCRIPT, __doc__, "generalisation.md", {"minutes": 1.5, "seeds": 3, "players": 3}, argv)
    boards = {name: one_sided(side) for name, side in SIDES.items()}

    def write(file: TextIO) -> None:
        files = {name: o.work / f"{name.replace(' ', '-')}.toml" for name in boards}
        for name, path in files.items():
            path.write_text(board_file(boards[name]), encoding="utf-8")
            assert Board.load(path) == boards[name]
        options = {name: f"--board {shlex.quote(str(path))}" for name, path in files.items()} | {"both": ""}
        runs = train_all(list(options.values()), o)
        file.write(HEAD.format(**conditions(OPPONENTS, o)))
        found: dict[tuple[str, str], list[list[float]]] = {}
        for trained, folders in ((name, runs[told]) for name, told in options.items()):
            known = boards.get(trained, Board.standard())
            for name, board in boards.items():
                of_seeds = found[trained, name] = []
                for folder in folders:
                    with tempfile.TemporaryDirectory() as there:  # the same network, said to be for the other board
                        path = Path(there) / "agent.safetensors"
                        save_net(load_net(folder, known)[0], path, board, {})
                        of_seeds.append(win_shares(path, OPPONENTS, SEED, o, board))
                cells = [interval(column) for column in zip(*of_seeds, strict=True)]
                file.write(f"| {' | '.join([trained, samples(folders, known), name, *cells])} |\n")
        file.write("\n")
        first, second = SIDES
        for name, other in ((first, second), (second, first)):
            gaps = [
                interval([a[k] - b[k] for a, b in zip(found[name, name], found[other, name], strict=True)])
                for k in range(len(OPPONENTS))
            ]
            text = " and ".join(f"{gap} v `{opponent}`" for gap, opponent in zip(gaps, OPPONENTS, strict=True))
            file.write(f"- Among the {name}, those who know them win more often than those who do not by {text}.\n")
        file.write(f"\nMade by `{shlex.join(['python', SCRIPT, *argv])}`.\n")

    return make_page(SCRIPT, o, write)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
