"""Measure docs/ceiling.md: what more time for a move is worth to the agents that search.

    python -m pages.ceiling                            # every budget
    python -m pages.ceiling --budgets 5 20 --jobs 1    # these milliseconds a move
    python -m pages.ceiling --budgets                  # nothing is played: page and picture of what there is
    python -m pages.ceiling --rates                    # how many playouts a millisecond has, on a quiet machine

Takes some 17 hours on one core, two of them for 5 and 20 milliseconds. Each cell is written to docs/ceiling.json when
its games are finished, and the same command goes on with those that are not there. Budgets are numbers of playouts, so
that results do not depend on the machine.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypedDict

from agents.common.cores import usable_cores
from agents.common.files import write_atomically
from agents.common.markdown import table
from agents.common.versions import ENVIRONMENT
from agents.pretrained import Interval
from agents.tournament import Comparison
from benchmarks.learning.reference import REFERENCE, planner_games
from bohemian_env.opponents import planner
from pages import DOCS, TABLE_SIZES
from pages.generate import equals, interval_text, laid_out
from pages.program import make_files, measured_page, parser, read
from pages.tournaments import alone_among, interval

PROGRAM: Final = "pages.ceiling"
FORMAT: Final = "bohemian-ceiling/1"
SEED: Final = 20_000_000
GAMES: Final = {5: 200, 20: 200, 80: 200, 320: 200, 1280: 60}
"""Games of each cell by milliseconds a move."""
RATES: Final = {
    "search:appraiser": {2: 30.0, 3: 16.0, 4: 12.0, 5: 7.0},
    "montecarlo": {2: 25.0, 3: 16.0, 4: 14.0, 5: 10.0},
}
"""Playouts a millisecond by number of players, as ``--rates`` measured them to within a fifth when the first cells were
played. Both agents are quicker now; a budget is as many playouts as before, so that cells compare."""
SEARCH, PLAYOUTS = RATES
PAIRS: Final = ((SEARCH, "planner"), (PLAYOUTS, "planner"), (SEARCH, PLAYOUTS))
"""Who plays alone among whose copies."""

_SETTINGS: Final[dict[Any, Any]] = {
    "svg.hashsalt": "bohemian-villages",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def _drawn(panels: Mapping[Any, Any], size: tuple[float, float], draw: Any, **layout: Any) -> str:
    """Return a picture of a panel for each number of players, or for each name, side by side unless ``layout`` says
    otherwise. draw: draws what there is for a panel on its axes.
    """
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(**{"nrows": 1, "ncols": len(panels), "squeeze": False, **layout})
        for panel, (players, numbers) in zip(axes.flat, panels.items(), strict=True):
            panel.set_title(players if isinstance(players, str) else f"{players} players")
            draw(panel, players, numbers)
        content = io.StringIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    # Lines of SVG end in blanks, which editors and git complain of.
    return "\n".join(line.rstrip() for line in content.getvalue().splitlines()) + "\n"


class Cell(TypedDict):
    """What the games of one agent alone among copies of another say, less the luck of the dice."""

    players: int
    agent: str
    among: str
    budget: int
    """Milliseconds a move."""
    games: int
    win_share: Interval


Key = tuple[int, str, str, int]
"""Number of players, the agent, those among whom it plays alone, milliseconds a move: what a cell is asked for by."""


def searchers(key: Key) -> set[str]:
    """Return the agents that search in a cell, as its conditions call them."""
    return {f"{agent} of {key[0]} players" for agent in key[1:3] if agent in RATES}


def named(agent: str, players: int, budget: int) -> str:
    """Return the name of an agent that takes so many milliseconds for a move, or any time if it does not search."""
    return f"{agent}:{round(RATES[agent][players] * budget)}" if agent in RATES else agent


def keys(budgets: Iterable[int]) -> list[Key]:
    """Return what is played: both among planners, and the search among the playouts of the same time."""
    return [(players, *pair, budget) for budget in budgets for players in TABLE_SIZES for pair in PAIRS]


def played(key: Key, games: int, jobs: int, work: str) -> tuple[Cell, Comparison]:
    """Play, and return what that says."""
    players, one, other, budget = key
    agent, among = (named(name, players, budget) for name in (one, other))
    found = alone_among(players, agent, among, games, SEED, jobs=jobs, work=work, luck=True)
    share = interval(found.tables[0].results[0].share)
    cell: Cell = {
        "players": players,
        "agent": one,
        "among": other,
        "budget": budget,
        "games": found.games,
        "win_share": share,
    }
    return cell, found


def rate(players: int, agent: str, rounds: int = 5) -> float:
    """Return the playouts of an agent in a millisecond of one core of the reference: the median over some rounds, each
    of the mean over all decisions of some games among planners, × the reference's speed ÷ this machine's meanwhile.
    """
    name, found = named(agent, players, min(GAMES)), []
    for _ in range(rounds):
        before = planner_games(0.5)
        took = alone_among(players, name, "planner", 2 * players, SEED, luck=False).milliseconds_per_move(0)
        found.append(took * (before + planner_games(0.5)) / 2 / REFERENCE)
    return RATES[agent][players] * min(GAMES) / statistics.median(found)


def rates() -> str:
    """Return a table of all rates, as they are measured now and as they are taken to be."""
    asked = [(players, agent) for players in TABLE_SIZES for agent in RATES]
    lines = [(players, agent, f"{rate(players, agent):.1f}", RATES[agent][players]) for players, agent in asked]
    return table(("players", "agent", "playouts a millisecond", "taken to be"), lines, (0, 2, 3))


@functools.cache
def behaviour(players: int, agent: str) -> str:
    """Return a hash of a few games of an agent that searches, which is another one if it plays in another way."""
    found = alone_among(players, f"{agent}:40", "planner", 4 * players, SEED, luck=False)
    told = [found.totals.round(6).tolist(), found.turns.value]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def conditions() -> dict[str, Any]:
    """Return what the cells of a file were played with: what ``agents`` tells of an agent counts for its cells alone,
    the rest for all.
    """
    return {
        "format": FORMAT,
        "seed": SEED,
        "environment": ENVIRONMENT,
        "planner": planner.VERSION,
        "agents": {
            f"{agent} of {players} players": {"playouts a millisecond": rate, "behaviour": behaviour(players, agent)}
            for agent, own in RATES.items()
            for players, rate in own.items()
        },
    }


def load(file: Path) -> tuple[dict[Key, Cell], list[str]]:
    """Return the cells in a file that were played with what there is now, and the names of what was another.

    Raises:
        ValueError: it holds no cells.
    """
    if not file.exists():
        return {}, []
    try:
        content = json.loads(file.read_bytes())
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']!r}, not {FORMAT!r}")
        cells: list[Cell] = content.pop("cells")
        found = {(cell["players"], cell["agent"], cell["among"], cell["budget"]): cell for cell in cells}
        if wrong := set(found) - set(keys({cell["budget"] for cell in cells})):
            raise ValueError(f"{wrong.pop()} is none")
        if not all(
            isinstance(number, int) and number > 0 for cell in cells for number in (cell["budget"], cell["games"])
        ):
            raise ValueError("not all times and games are whole numbers above 0")
        rows(found)  # which needs the rest
        before = dict(content.get("agents", {}))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} holds no cells: {type(error).__name__}: {error}") from error
    now = conditions()
    agents = now.pop("agents")
    if others := [name for name, value in now.items() if content.get(name) != value]:
        return {}, others
    others = [name for name, value in agents.items() if before.get(name) != value]
    return {key: cell for key, cell in found.items() if not searchers(key) & set(others)}, others


def add(file: Path, key: Key, cell: Cell) -> None:
    """Write a cell beside those that are in a file of the same conditions by now."""
    about = conditions()  # which may take long, and another may write meanwhile
    found = {**load(file)[0], key: cell}
    content = {**about, "cells": [found[one] for one in sorted(found)]}
    write_atomically(file, f"{laid_out(content)}\n".encode())


def rows(found: Mapping[Key, Cell]) -> str:
    """Return the table: a row for each agent and time, a column for each number of players."""
    lines = []
    for one, other in PAIRS:
        for budget in sorted({key[3] for key in found}):
            cells = [found.get((players, one, other, budget)) for players in TABLE_SIZES]
            if known := [cell for cell in cells if cell]:
                playouts = " / ".join(f"{RATES[one][players] * budget:,.0f}" for players in TABLE_SIZES)
                shares = [interval_text(cell["win_share"]) if cell else "–" for cell in cells]
                lines.append([one, other, budget, playouts, min(cell["games"] for cell in known), *shares])
    heads = ["agent", "alone among", "ms", "playouts", "games", *map(equals, TABLE_SIZES)]
    return table(heads, lines, range(2, len(heads)))


def picture(found: Mapping[Key, Cell]) -> str:
    """Return the picture: a panel for each number of players, win share by time."""
    budgets = sorted({key[3] for key in found})
    panels = {players: {key[1:]: cell for key, cell in found.items() if key[0] == players} for players in TABLE_SIZES}

    def draw(axes: Any, players: int, cells: Mapping[tuple[str, str, int], Cell]) -> None:
        for one, other in PAIRS:
            times = [budget for budget in budgets if (one, other, budget) in cells]
            shares = [cells[one, other, budget]["win_share"] for budget in times]
            values = [share["value"] for share in shares]
            reach = [[s["value"] - s["low"] for s in shares], [s["high"] - s["value"] for s in shares]]
            look = "--" if other == PLAYOUTS else "-"
            axes.errorbar(times, values, reach, fmt=f"o{look}", capsize=3, label=f"{one} among {other}")
        axes.axhline(1 / players, color="grey", linewidth=1)
        axes.set(xscale="log", xticks=budgets, ylim=(0, 1), xlabel="milliseconds a move", ylabel="win share")
        axes.set_xticklabels([str(budget) for budget in budgets])
        axes.minorticks_off()
        if budgets:
            axes.set_xlim(budgets[0] / 2, budgets[-1] * 2)
        if players == max(TABLE_SIZES):
            axes.legend(fontsize="small")

    return _drawn(panels, (9.6, 7.2), draw, nrows=2, ncols=2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    listed = ", ".join(f"{games} with {budget} ms" for budget, games in GAMES.items())
    options.add_argument("--games", type=int, help=f"of each cell (default: {listed})")
    options.add_argument("--budgets", type=int, nargs="*", default=list(GAMES), metavar="MS", help="a move")
    options.add_argument("--rates", action="store_true", help="measure the playouts of a millisecond, and nothing else")
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="processes (default: the usable cores)")
    options.add_argument("--out", type=Path, default=DOCS, help="where to (default: docs)")
    options.add_argument("--work", default="runs/tournaments", help="folder for games of what is not finished")
    o = read(options, argv)
    if wrong := [budget for budget in o.budgets if budget < 1]:
        options.error(f"--budgets {wrong[0]}: at least 1 millisecond")
    if o.games is not None and o.games < 1:
        options.error(f"--games {o.games}: at least 1")

    def tell(sentence: str) -> None:
        print(f"{PROGRAM}: {sentence}", file=sys.stderr, flush=True)

    def measure() -> list[str]:
        print(rates())
        return []

    def texts() -> list[str]:
        file = o.out / "ceiling.json"
        if others := load(file)[1]:
            sentence = f"{file} has cells of another {', '.join(others)}"
            if not o.budgets:
                raise ValueError(f"{sentence}; name --budgets to play them anew")
            tell(f"{sentence}, which are left out")
        for key in keys(o.budgets):
            games = GAMES.get(key[3], max(GAMES.values())) if o.games is None else o.games
            if (known := load(file)[0].get(key)) and known["games"] >= games:
                continue
            cell, comparison = played(key, games, o.jobs, o.work)
            add(file, key, cell)
            tell(json.dumps(cell))
            if comparison.kept:
                comparison.kept.remove()
        found = load(file)[0]
        command = ["python", "-m", PROGRAM, "--budgets", *map(str, sorted({key[3] for key in found}))]
        o.command = " ".join(command if o.games is None else [*command, "--games", str(o.games)])
        return [measured_page(o, {"ceiling": rows(found)}, SEED), picture(found)]

    if o.rates:
        return make_files(o, [], measure)
    return make_files(o, [o.out / "ceiling.md", o.out / "ceiling.svg"], texts, "finished games are kept")


if __name__ == "__main__":
    sys.exit(main())
