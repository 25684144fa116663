"""Measure docs/search.md: what each part of ``search:appraiser`` is worth.

    python -m pages.search                              # every part
    python -m pages.search --players 4 --games 200      # a look

Each variant is a copy of the checkout in the work folder in which a line is another; there ``evaluate.py`` plays the
search among planners, on the same villages and dice in every variant. Takes some 2 hours on one core. What is finished
stays in the work folder, so that after an interrupt the same command goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.tournament.versions import agents_hash
from bohemian_env.compiled import source_hash
from pages import DOCS, ROOT, TABLE_SIZES
from pages.ceiling import RATES
from pages.generate import equals, interval_text
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.search"
AGENT: Final = "search:appraiser"
AMONG: Final = "planner"
SEED: Final = 21_000_000
SOURCES: Final = ("agents", "bohemian_env", "evaluate.py", "pyproject.toml")
"""What a copy of the checkout needs in order to play."""
_SEARCH, _HALVING, _PLAYER = (
    Path("bohemian_env/opponents/lookahead.py"),
    Path("bohemian_env/opponents/halving.py"),
    Path("agents/players/appraiser.py"),
)


class Variant(NamedTuple):
    """A search in which a line is another, and its playouts for each number of players."""

    file: Path
    line: str
    other: str
    playouts: Mapping[int, int]


AS_IT_IS: Final = {players: round(20 * rate) for players, rate in RATES[AGENT].items()}
"""The playouts that docs/ceiling.md has at 20 ms."""
_ROUND: Final = '            scratch[_PLAYOUT] = begun[candidates[i]["action"]]'
_TURNS: Final = "        turns = 2 * players - 1  # to where its turn after the next begins"
VARIANTS: Final = {
    "as it is": Variant(_PLAYER, _TURNS, _TURNS, AS_IT_IS),
    "other dice after every move": Variant(
        _SEARCH, _ROUND, f"            dice = mix(dice ^ np.uint64(i + 1))\n{_ROUND}", AS_IT_IS
    ),
    "no halving: as many playouts of every move": Variant(
        _HALVING, "    return (moves + 1) // 2", "    return moves", AS_IT_IS
    ),
    "no first opinion": Variant(_SEARCH, "PRIOR: Final = 8.0", "PRIOR: Final = 1e-9", AS_IT_IS),
    "3 moves looked into, not 6": Variant(_SEARCH, "MOVES: Final = 6", "MOVES: Final = 3", AS_IT_IS),
    "12 moves looked into": Variant(_SEARCH, "MOVES: Final = 6", "MOVES: Final = 12", AS_IT_IS),
    "a turn in another order looked into again": Variant(
        _SEARCH,
        '        if different == 0 or candidates[i]["prior"] != candidates[different - 1]["prior"]:',
        "        if True:",
        AS_IT_IS,
    ),
    "its next turn: the planner's, not the best of 4": Variant(
        _SEARCH, "TRIED: Final = 4", "TRIED: Final = 1", AS_IT_IS
    ),
    "its next turn: the best of 8": Variant(_SEARCH, "TRIED: Final = 4", "TRIED: Final = 8", AS_IT_IS),
    "asks the network after its next turn": Variant(
        _PLAYER, _TURNS, "        turns = players", {2: 700, 3: 420, 4: 350, 5: 200}
    ),
    "asks before its next turn": Variant(
        _PLAYER, _TURNS, "        turns = players - 1", {2: 1700, 3: 760, 4: 500, 5: 300}
    ),
}
"""What is changed. Where the network is asked elsewhere, playouts are as many as take as long."""


def make_copy(variant: Variant, folder: Path) -> None:
    """Copy what plays into a new folder, with the variant's line in place of the one that there is.

    Raises:
        ValueError: the line is not there, or more than once.
    """
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    for name in SOURCES:
        source, copy = ROOT / name, part / name
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    file = part / variant.file
    lines = file.read_text(encoding="utf-8").splitlines()
    if (times := lines.count(variant.line)) != 1:
        raise ValueError(f"{variant.file} has the line {variant.line.strip()!r} {times} times, not once")
    lines[lines.index(variant.line)] = variant.other
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    part.rename(folder)


def played(variant: Variant, players: int, o: argparse.Namespace) -> dict[str, Any]:
    """Return what evaluate.py tells of a variant's games, which are played unless they were with the same sources."""
    sources = f"{source_hash()} {agents_hash()} {variant.file} {variant.line} {variant.other}"
    folder = o.work / hashlib.sha256(sources.encode()).hexdigest()[:16]
    agent = f"{AGENT}:{variant.playouts[players]}"
    told = folder / f"{players}-{variant.playouts[players]}-{o.games}.json"
    if not told.exists():
        if not folder.exists():
            make_copy(variant, folder)
        command = [sys.executable, "evaluate.py", agent, AMONG, "--tables", "single", "--players", str(players)]
        command += ["--games", str(o.games), "--seed", str(SEED), "--luck", "--jobs", str(o.jobs)]
        subprocess.run([*command, "--json", told.name], check=True, cwd=folder, stdout=sys.stderr)
    found: dict[str, Any] = json.loads(told.read_bytes())
    return found


def rows(o: argparse.Namespace) -> str:
    """Return the table: a row for each variant; for each number of players what it won and what a move took."""
    lines = []
    for name, variant in VARIANTS.items():
        line = [name]
        for players in o.players:
            found = played(variant, players, o)
            line += [
                f"{variant.playouts[players]:,}",
                f"{found['agents'][0]['milliseconds_per_move']:.0f}",
                interval_text(found["tables"][0]["results"][0]["win_share"]),
            ]
        lines.append(line)
    heads = [head for players in o.players for head in ("playouts", "ms", equals(players))]
    return table([f"variant, {o.games:,} games each", *heads], lines, range(1, len(heads) + 1))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=400, help="of each variant and size (default: 400)")
    options.add_argument(
        "--players", type=int, nargs="+", choices=TABLE_SIZES, default=[2, 4], help="sizes of tables (default: 2 4)"
    )
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    options.add_argument("--out", type=Path, default=DOCS / "search.md", help="the page (default: docs/search.md)")
    options.add_argument("--work", type=Path, default=Path("runs/search"), help="folder of the copies")
    o = read(options, argv)
    if o.games < 1:
        options.error(f"--games {o.games}: at least 1")
    o.work = o.work.absolute()
    return make_files(o, [o.out], lambda: [measured_page(o, {"search": rows(o)}, SEED)], "what is finished is kept")


if __name__ == "__main__":
    sys.exit(main())
