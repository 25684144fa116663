"""docs/benchmark.md: its tables are those of the rows that are kept, and every row can be made again."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.learning.cells import BUDGETS, Cell, Plan, book, version_of
from benchmarks.learning.rows import cell_of, finished, rows_of, source_of
from benchmarks.learning.settings import chosen
from pages import DOCS, benchmark
from tests.helpers import Ends

SHARES = {"pqn": (0.1, 0.2, 0.3), "a2c": (0.2, 0.2, 0.2), "cloning": (0.4, 0.4, 0.4)}
TASKS = ("2p-planner", "4p-planner", "5p-planner")


def kept(folder: Path, algorithm: str, task: str, seed: int, share: float, **changes: Any) -> Path:
    """Write the row of a run that never was."""
    cell = Cell(algorithm, task, seed)
    score = {"share": share, "low": share, "high": share, "games": 2000, "seed": 1, "milliseconds": 0.01}
    away = score | {"share": share / 2, "low": share / 2}
    row = {
        **{name: getattr(cell, name) for name in ("algorithm", "task", "seed", "unit", "budget")},
        "settings": {}, "defaults": cell.defaults, "benchmark": version_of(task),
        "command": cell.command, "seconds": 60.0, "score": score,
        "curve": [{"decisions": 500_000, "share": share / 2}, {"decisions": 1_000_000, "share": share}],
        "transfer": dict.fromkeys(("first sides", "second sides", "5 players"), away),
        "positions": {"book": book().digest, "value": 100 * share, "low": 0, "high": 1000},
        "versions": {"environment": "bohemian_villages_v0", "torch": "2"},
    }  # fmt: skip
    path = folder / f"{cell.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row | changes), encoding="utf-8")
    return path


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, Path]:
    """Folders: rows of some runs, and an empty one."""
    results, out = tmp_path / "results", tmp_path / "out"
    out.mkdir()
    for algorithm, shares in SHARES.items():
        for task in TASKS:
            for seed, share in enumerate(shares):
                kept(results, algorithm, task, seed, share)
    return results, out


def test_the_page_of_the_docs_is_that_of_the_rows() -> None:
    """All of it but what games are played for, which the next test looks at."""
    every, timed = (benchmark.runs_of(benchmark.RESULTS, unit, budget) for unit, budget in BUDGETS.items())
    runs, others = benchmark.parted(every)
    blocks = {
        "games": benchmark.games(others),
        "conditions": benchmark.conditions(runs),
        "learn": benchmark.learn(runs),
        "longer": benchmark.longer(runs, benchmark.runs_of(benchmark.RESULTS, "decisions", benchmark.LONG)),
        "besides": benchmark.besides(runs, timed),
        "play": benchmark.play(benchmark.kept(benchmark.RESULTS, "play")),
        "exploit": benchmark.exploit(benchmark.kept(benchmark.RESULTS, "exploit")),
    }
    text = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    for name, block in blocks.items():
        assert f"<!-- measured: {name} -->\n\n{block}\n\n<!-- end -->" in text, name


@pytest.mark.slow
def test_agents_that_learn_nothing_win_what_the_docs_say() -> None:
    runs, _ = benchmark.parted(benchmark.runs_of(benchmark.RESULTS, "decisions", BUDGETS["decisions"]))
    text = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    assert f"<!-- measured: named -->\n\n{benchmark.named(runs)}\n\n<!-- end -->" in text


def test_what_holds_no_row_or_one_of_another_version_gets_a_sentence(
    made: tuple[Path, Path], ends: Ends, tmp_path: Path
) -> None:
    results, out = made
    path = kept(results, "pqn", "2p-planner", 7, 0.5, benchmark=2)
    for said in ("is of version 2 of the benchmark, not 1", "pqn-7.json is not JSON"):
        assert said in ends(2, benchmark.main, "--results", results, "--out", out).err
        path.write_text("{", encoding="utf-8")
    said = ends(2, benchmark.main, "--results", tmp_path / "none", "--out", out).err
    assert "has no rows of 1,000,000 decisions" in said
    assert list(out.iterdir()) == []


UNTOLD = {"evolution", "masked_dqn", "pqn"}
"""Algorithms whose files have changed since their rows of version 1 were made, though not what they learn."""


def test_rows_that_are_kept_have_the_settings_that_are_kept() -> None:
    """And the defaults, plan, positions and file of the algorithm: else python -m benchmarks.learning run would make
    them anew.
    """
    budgets = [*BUDGETS.items(), ("decisions", benchmark.LONG)]
    found = [row for budget in budgets for row in rows_of(benchmark.RESULTS, *budget)]
    assert len(found) == 353
    for row in found:
        cell = cell_of(row)
        assert row["settings"] == chosen(row["algorithm"]), row["command"]
        assert finished(cell, Plan(), benchmark.RESULTS) == row, row["command"]
        untold = row["benchmark"] == 1 and row["algorithm"] in UNTOLD
        assert (source_of(row) is None) == untold, row["command"]
