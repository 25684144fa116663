"""Measure docs/ceiling.md: what more time is worth to agents that search.

    python -m pages.ceiling --measure
    python -m pages.ceiling

The first finds how many playouts take 5, 20, 80, 320 and 1,280 ms a move on a core, which should have nothing else to
do, and keeps that in the work folder. The second plays with these numbers, so that what comes of it does not depend on
the machine or on what else it does. Takes about 16 hours on one core. After an interrupt the same command goes on.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from agents.common.cores import usable_cores
from agents.common.files import make_folder, write_atomically
from agents.common.markdown import table
from agents.common.statistics import Estimate
from agents.positions.draw import draw
from agents.tournament import BadTournament, GamesBar, LineUp, compare, enter
from bohemian_env import Batch, Setup
from pages import DOCS, TABLE_SIZES
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.ceiling"
SEARCHING: Final = ("search:appraiser", "montecarlo")
TIMES: Final = (5, 20, 80, 320, 1280)
"""Milliseconds a move."""
SEED: Final = 10_000_000
_LONG: Final = 1280
"""Milliseconds from which on there are fewer games."""
_PLAYOUTS: Final = "playouts.json"

Playouts = Mapping[str, Mapping[str, Mapping[str, int]]]
"""By number of players, agent and milliseconds, as texts."""


def measure(work: Path) -> None:
    """Find how many playouts a millisecond has, and keep how many each of the times has."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for players in TABLE_SIZES:
        states = _decisions(players, 60)
        for name in SEARCHING:
            agent, some = agents.make(f"{name}:400", SEED), 400
            agent.act_batch(states, np.arange(2))
            began = time.perf_counter()
            agent.act_batch(states, np.arange(states.n))
            each = (time.perf_counter() - began) * 1e3 / states.n / some
            of_time = {str(ms): max(8, round(ms / each, -1 if ms < 80 else -2)) for ms in TIMES}
            found.setdefault(str(players), {})[name] = {ms: int(count) for ms, count in of_time.items()}
            print(f"{players} players, {name}: {1e3 * each:.1f} µs a playout", flush=True)
    make_folder(work)
    write_atomically(work / _PLAYOUTS, (json.dumps(found, indent=1) + "\n").encode())


def _decisions(players: int, count: int) -> Batch:
    """Return games in which somebody has a choice, at moments all through a game."""
    drawn = draw(players, count, SEED)
    batch = Batch(count, Setup.of(players), autoreset=False)
    batch.replay([seed for seed, _ in drawn], [moves for _, moves in drawn])
    return batch


def points(o: Any, playouts: Playouts) -> dict[tuple[int, str, int], Estimate]:
    """Play and return win shares by players, pairing and milliseconds."""
    found = {}
    first, second = SEARCHING
    for ms in o.times:
        for players in TABLE_SIZES:
            named = {name: f"{name}:{playouts[str(players)][name][str(ms)]}" for name in SEARCHING}
            pairs = {name: (named[name], "planner") for name in SEARCHING} | {
                "head to head": (named[first], named[second])
            }
            for pairing, pair in pairs.items():
                games = o.few if ms >= _LONG else o.games
                with GamesBar(o.program, f"{players} players, {ms} ms, {pairing}") as bar:
                    comparison = compare(
                        enter(pair, SEED),
                        Setup.of(players),
                        schedule=[(LineUp((0, *[1] * (players - 1))), games)],
                        seed=SEED,
                        jobs=o.jobs,
                        work=o.work,
                        luck=True,
                        begin=bar.begin,
                        progress=bar.progress,
                    )
                share = comparison.tables[0].results[0].share
                found[players, pairing, ms] = share
                print(f"{players} players, {ms} ms, {' among '.join(pair)}: {_text(share)}", flush=True)
    return found


def _text(share: Estimate) -> str:
    return f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f})"


def shares_table(found: Mapping[tuple[int, str, int], Estimate], playouts: Playouts) -> str:
    """Return a row for each number of players and time."""
    first, second = SEARCHING
    rows = [
        [
            str(players),
            f"{ms:,}",
            *(f"{playouts[str(players)][name][str(ms)]:,}" for name in SEARCHING),
            *(_text(found[players, pairing, ms]) for pairing in (*SEARCHING, "head to head")),
        ]
        for players in TABLE_SIZES
        for ms in sorted({ms for size, _, ms in found if size == players})
    ]
    head = ("players", "ms a move", f"playouts of {first}", f"of {second}")
    among = (f"{first} among planners", f"{second} among planners", f"{first} among {second}")
    return table((*head, *among), rows, range(7))


def picture(found: Mapping[tuple[int, str, int], Estimate]) -> str:
    """Return an SVG file: win share over time a move, a panel for each number of players."""
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {"svg.hashsalt": "bohemian-villages", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(11, 3.4), layout="constrained")
        for axes, players in zip(figure.subplots(1, len(TABLE_SIZES)), TABLE_SIZES, strict=True):
            for pairing, line in zip((*SEARCHING, "head to head"), ("-", "--", ":"), strict=True):
                times = sorted(ms for size, kind, ms in found if (size, kind) == (players, pairing))
                shares = [found[players, pairing, ms] for ms in times]
                values = np.array([share.value for share in shares])
                reach = [values - [share.low for share in shares], [share.high for share in shares] - values]
                label = (
                    f"{SEARCHING[0]} among {SEARCHING[1]}" if pairing == "head to head" else f"{pairing} among planner"
                )
                axes.errorbar(times, values, reach, linestyle=line, marker=".", capsize=2, label=label)
            axes.axhline(1 / players, color="0.6", linewidth=0.8)
            axes.set(xscale="log", xticks=TIMES, xticklabels=TIMES, xlabel="ms a move", title=f"{players} players")
            axes.minorticks_off()
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize="small")
        figure.axes[0].set_ylabel("win share")
        content = io.StringIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--measure", action="store_true", help="find the numbers of playouts, and nothing else")
    options.add_argument("--times", type=int, nargs="+", choices=TIMES, default=TIMES, help="ms a move (default: all)")
    options.add_argument("--games", type=int, default=200, help="of each point (default: 200)")
    options.add_argument("--few", type=int, default=60, help=f"of each point from {_LONG} ms on (default: 60)")
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    options.add_argument("--work", type=Path, default=Path("runs/ceiling"), help="folder for what is finished")
    o = read(options, argv)
    if o.measure:
        measure(o.work)
        return 0

    def texts() -> list[str]:
        path = o.work / _PLAYOUTS
        if not path.exists():
            raise BadTournament(f"{path} is missing: python -m {PROGRAM} --measure makes it")
        playouts = json.loads(path.read_text(encoding="utf-8"))
        found = points(o, playouts)
        return [measured_page(o, {"shares": shares_table(found, playouts)}), picture(found)]

    kept = "finished games are kept, and the same command goes on"
    return make_files(o, [DOCS / "ceiling.md", DOCS / "ceiling.svg"], texts, kept)


if __name__ == "__main__":
    sys.exit(main())
