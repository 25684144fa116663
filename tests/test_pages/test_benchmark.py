"""docs/benchmark.md: its tables are those of the rows that are kept, and every row can be made again."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import agents
from agents.positions.report import costs
from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import VERSION
from benchmarks.learning.cells import BUDGETS, Cell, Plan, book, finished, read_row
from benchmarks.learning.reference import REFERENCE
from benchmarks.learning.settings import chosen
from pages import DOCS, benchmark
from pages.lessons import lessons
from pages.regions import fill
from tests.test_pages.test_measured import places, rows

SHARES = {"pqn": (0.1, 0.2, 0.3), "a2c": (0.2, 0.2, 0.2), "cloning": (0.4, 0.4, 0.4)}
TASKS = ("2p-planner", "4p-planner", "5p-planner")


def kept(folder: Path, algorithm: str, task: str, seed: int, share: float, **changes: Any) -> Path:
    """Write the row of a run that never was."""
    cell = Cell(algorithm, task, seed)
    score = {"share": share, "low": share, "high": share, "games": 2000, "milliseconds": 0.01}
    row = {
        **{name: getattr(cell, name) for name in ("algorithm", "task", "seed", "unit", "budget")},
        "settings": {}, "defaults": cell.defaults, "benchmark": VERSION,
        "command": cell.command, "seconds": 60.0, "score": score,
        "curve": [{"decisions": 500_000, "share": share / 2}, {"decisions": 1_000_000, "share": share}],
        "transfer": {name: {"share": share / 2} for name in ("first sides", "second sides", "5 players")},
        "positions": {"book": book().digest, "value": 100 * share},
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
    """All of it but what games and decisions are made for, which the next two look at."""
    runs, timed = (benchmark.rows_of(benchmark.RESULTS, unit, budget) for unit, budget in BUDGETS.items())
    blocks = {
        "conditions": benchmark.conditions(runs),
        "learn": benchmark.learn(runs),
        "lessons": lessons(runs, benchmark.ranked(runs)),
        "better": benchmark.better(runs),
        "clock": benchmark.clock(timed),
        "longer": benchmark.longer(runs, benchmark.rows_of(benchmark.RESULTS, "decisions", benchmark.LONG)),
        "transfer": benchmark.transfer(runs),
        "play": benchmark.play(benchmark.kept(benchmark.RESULTS, "play")),
        "exploit": benchmark.exploit(benchmark.kept(benchmark.RESULTS, "exploit")),
        "cost": benchmark.cost(runs),
        "settings": benchmark.settings(),
    }
    text = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    made = fill(text, "measured", {name: partial(blocks.get, name) for name in {*blocks, *places(text)}})
    assert made == text


def test_the_positions_of_the_docs_are_those_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them but what networks decide there, which may round otherwise on another processor."""
    monkeypatch.setattr(benchmark, "JUDGED", benchmark.NAMED)
    made = benchmark.positions(benchmark.rows_of(benchmark.RESULTS, "decisions", BUDGETS["decisions"]))
    text = (DOCS / "benchmark.md").read_text(encoding="utf-8").partition("<!-- measured: positions -->\n\n")[2]
    assert made.count("\n") == 1 + len(ALGORITHMS) + len(benchmark.NAMED)
    assert text.startswith(f"{made}\n| `appraiser`, as it comes |")


@pytest.mark.slow
def test_agents_that_learn_nothing_win_what_the_docs_say() -> None:
    runs = benchmark.rows_of(benchmark.RESULTS, "decisions", BUDGETS["decisions"])
    text = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    assert f"<!-- measured: named -->\n\n{benchmark.named(runs)}\n\n<!-- end -->" in text


@pytest.mark.parametrize(
    ("name", "content"),
    [("play.json", "{}"), ("exploit.json", "[]"), ("decisions-1000000/2p-planner-fixed/pqn-0.json", None)],
)
def test_results_of_another_form_are_told(
    made: tuple[Path, Path], capsys: pytest.CaptureFixture[str], name: str, content: str | None
) -> None:
    results, out = made
    kept(results, "pqn", "2p-planner-fixed", 0, 0.1, transfer={"first sides": {}, "second sides": {}})
    if content is not None:
        (results / name).write_text(content, encoding="utf-8")
    assert benchmark.main(["--results", str(results), "--out", str(out)]) == 2
    assert "holds rows of another form: " in capsys.readouterr().err
    assert not any(out.iterdir())


@pytest.mark.slow
def test_the_page_is_made_of_rows(made: tuple[Path, Path]) -> None:
    results, out = made
    assert benchmark.main(["--results", str(results), "--out", str(out)]) == 0
    text = (out / "benchmark.md").read_text(encoding="utf-8")
    assert places(text) == places((DOCS / "benchmark.md").read_text(encoding="utf-8"))
    learnt = rows(text, "learn")
    assert [row[0] for row in learnt] == ["`cloning`", "`a2c`", "`pqn`"]  # the best first
    assert learnt[0][1:3] == ["1.200 (1.200 to 1.200)", "0.400 (0.400 to 0.400)"]  # of 0.8 and 1.6
    assert learnt[2][2] == "0.200 (0.100 to 0.300)"
    (drawn, greedy, planner) = rows(text, "named")
    assert [drawn[0], greedy[0], planner[0]] == ["`random`", "`greedy`", "`planner`"]
    assert float(drawn[1].split()[0]) < float(greedy[1].split()[0]) < 0.45 < float(planner[1].split()[0]) < 0.55
    better = rows(text, "better")
    assert better[0] == ["`cloning`", "1.000 (1.000 to 1.000)", "1.000 (1.000 to 1.000)"]
    assert better[1][2].startswith("0.500 (")
    transfer = {(row[0], row[1]): row[2:] for row in rows(text, "transfer")}
    assert transfer["plays with 5 players; learnt with 5, with 4", "`cloning`"] == [
        "0.400 (0.400 to 0.400)", "0.200 (0.200 to 0.200)", "0.200 (0.200 to 0.200)",
    ]  # fmt: skip
    assert not any(what.startswith("first sides learnt") for what, _ in transfer)  # nobody ran that
    assert [row[0] for row in rows(text, "cost")] == ["`cloning`", "`a2c`", "`pqn`"]
    lost = {row[0]: row[1:] for row in rows(text, "positions")}
    assert lost["`pqn`"] == ["20.0 (10.0 to 30.0)"] * len(TASKS)
    judged = costs(book(), agents.make("planner"))
    assert [cell.split()[0] for cell in lost["`planner`, as it comes"]] == [f"{judged[n].value:.1f}" for n in "245"]
    assert benchmark.NONE in text.partition("<!-- measured: clock -->")[2].partition("<!-- end -->")[0]
    assert "<dc:date>" not in (out / "benchmark.svg").read_text(encoding="utf-8")


def test_who_has_not_run_all_tasks_is_not_compared_over_all(made: tuple[Path, Path]) -> None:
    results, _ = made
    kept(results, "evolution", "2p-planner", 0, 0.9)
    runs = benchmark.rows_of(results, "decisions", 1_000_000)
    assert benchmark.ranked(runs)[-1] == "evolution"
    assert "`evolution` | – | 0.900 (0.900 to 0.900) | – | – |" in benchmark.learn(runs)
    assert "evolution" not in benchmark.better(runs)


def test_the_gap_is_taken_in_pairs_where_both_are_of_the_same_runs(made: tuple[Path, Path]) -> None:
    """Learnt with five and with four are others; each has half as much at what it has not learnt."""
    results, _ = made
    text = benchmark.transfer(benchmark.rows_of(results, "decisions", 1_000_000))
    cells = [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]
    found = {(what, name): told for what, name, *told in cells}
    assert found["both sides learnt; plays first, second", "`pqn`"][2] == "0.000 (0.000 to 0.000)"
    seen, unseen, gap = found["plays with 5 players; learnt with 5, with 4", "`pqn`"]
    assert (seen, unseen) == ("0.200 (0.100 to 0.300)", "0.100 (0.050 to 0.150)")
    value, low, high = (float(number) for number in re.findall(r"-?\d\.\d+", gap))
    assert low < 0.04 < value == 0.1 < 0.16 < high  # 0.05 to 0.15 in pairs


def test_runs_by_the_clock_say_what_their_minutes_are() -> None:
    now: dict[str, Any] = {"score": {"share": 0.5}, "reference": REFERENCE}
    told = benchmark.clock({("2p-planner", "pqn"): [now]}).splitlines()[-1]
    assert told == "Minutes of a reference on which `planner` plays 6,400 games a second."
    runs = {("2p-planner", "pqn"): [now, now | {"reference": 4800.0}, {"score": {"share": 0.5}}]}
    told = benchmark.clock(runs).splitlines()[-1]
    assert "plays an untold number of or 4,800 or 6,400 games a second, as it was when these were run; the same" in told


def test_longer_runs_stand_beside_those_that_were_not_so_long(made: tuple[Path, Path]) -> None:
    results, _ = made
    runs = benchmark.rows_of(results, "decisions", 1_000_000)
    assert benchmark.longer(runs, {}) == benchmark.NONE
    row = {"score": {"share": 0.5}, "seconds": 600.0}
    long = {("2p-planner", "pqn"): [row], ("2p-planner", "cloning"): [row | {"score": {"share": 0.6}}]}
    *_, first, second = benchmark.longer(runs, long | {("2p-planner", "evolution"): [row]}).splitlines()
    assert first == "| `cloning` | 2p-planner | 0.400 (0.400 to 0.400) | 0.600 (0.600 to 0.600) | 1 → 10 |"
    assert second == "| `pqn` | 2p-planner | 0.200 (0.100 to 0.300) | 0.500 (0.500 to 0.500) | 1 → 10 |"


def test_decisions_in_other_positions_are_not_counted(made: tuple[Path, Path]) -> None:
    results, _ = made
    kept(results, "a2c", "2p-planner", 3, 0.2, positions={"book": "another", "value": 1000})
    kept(results, "evolution", "2p-planner", 0, 0.2, positions={"book": "another", "value": 1000})
    text = benchmark.positions(benchmark.rows_of(results, "decisions", 1_000_000))
    assert "| `a2c` | 20.0 (20.0 to 20.0) |" in text
    assert "| `evolution` | – |" in text


def test_what_holds_no_row_or_one_of_another_version_gets_a_sentence(
    made: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    results, out = made
    path = kept(results, "pqn", "2p-planner", 7, 0.5, benchmark=VERSION + 1)
    for said in (f"is of version {VERSION + 1} of the benchmark", "pqn-7.json holds no row of a run"):
        assert benchmark.main(["--results", str(results), "--out", str(out)]) == 2
        assert said in capsys.readouterr().err
        path.write_text("{", encoding="utf-8")
    assert benchmark.main(["--results", str(tmp_path / "none"), "--out", str(out)]) == 2
    assert "has no rows of 1,000,000 decisions" in capsys.readouterr().err
    assert list(out.iterdir()) == []


UNTOLD = {"evolution", "masked_dqn", "pqn"}
"""Algorithms whose files have changed since their rows were made, though not what they learn."""


def test_rows_that_are_kept_have_the_settings_that_are_kept() -> None:
    """And the defaults, plan, positions and file of the algorithm: else python -m benchmarks.learning run would make
    them anew.
    """
    found = [read_row(path) for path in sorted(benchmark.RESULTS.glob("*/*/*.json"))]
    assert found
    for row in found:
        cell = Cell(**{name: row[name] for name in Cell.__dataclass_fields__})
        assert row["settings"] == chosen(row["algorithm"]), row["command"]
        assert finished(cell, Plan(), benchmark.RESULTS) == row, row["command"]
        assert ("source" in row) == (row["algorithm"] not in UNTOLD), row["command"]


def test_what_the_runs_teach_is_told_with_their_numbers() -> None:
    def run(share: float, **away: float) -> dict[str, Any]:
        return {"score": {"share": share}, "seconds": 9.4, "transfer": {k: {"share": v} for k, v in away.items()}}

    runs = {("2p-planner", "maskable_ppo"): [run(0.2), run(0.3)], ("2p-planner", "ppo_unmasked"): [run(0.1)]}
    text = lessons(runs, ["maskable_ppo", "ppo_unmasked"])
    assert text.startswith(
        "1. **The mask**: among `planner` PPO wins 0.25 (0.20 to 0.30) with it, 0.10 (0.10 to 0.10) if"
    )
    assert "Imitation" not in text
    assert lessons({}, []) == "No runs yet."
    every = ("2p-planner", "2p-planner-fixed", "4p-planner", "4p-mixed", "5p-planner")
    away = run(0.4, **{"first sides": 0.4, "second sides": 0.1, "5 players": 0.3})
    runs = {(task, name): [away] for task in every for name in ALGORITHMS}
    text = lessons(runs, list(ALGORITHMS))
    assert [line.partition(".")[0] for line in text.splitlines()] == [str(number) for number in range(1, 11)]
    assert "evolution reaches 0.40 (0.40 to 0.40) with two players in 9 seconds" in text
    assert "after the former it wins 0.30 (0.30 to 0.30) less" in text
    assert "expert iteration reaches 0.40 (0.40 to 0.40) and 0.40 (0.40 to 0.40); the former in 9 seconds" in text
    assert "0.80 (0.80 to 0.80) fair shares are won with two players, 1.60 (1.60 to 1.60) with four" in text
    assert "2.00 (2.00 to 2.00) fair shares are won after learning with five, 1.50 (1.50 to 1.50) after" in text
