"""Runs: what they follow from, what they leave behind, and what is refused."""

import itertools
import json
import pickle
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save

from agents.positions.book import costs
from benchmarks.learning import cells, score, workers
from benchmarks.learning.__main__ import main
from benchmarks.learning.cells import BadCell, Cell, Plan, load_agent, module_of, run_cell
from benchmarks.learning.reference import REFERENCE, core_seconds, planner_games
from benchmarks.learning.rows import finished, gather, read_row, rows_of, write_cell
from benchmarks.learning.workers import run_cells
from bohemian_env.villages.tasks import TASKS
from examples.measure import First
from tests.helpers import Ends

pytestmark = pytest.mark.slow
PLAN = Plan(points=3, curve_games=20, games=40)
CELL = Cell("evolution", "2p-planner-fixed", 3, budget=900, settings={"population": 4, "games": 4})


@pytest.fixture(scope="module")
def ran() -> tuple[dict[str, Any], bytes]:
    """A run that took a moment."""
    return run_cell(CELL, PLAN)


def told(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is measured in seconds."""
    kept = json.loads(json.dumps(row))
    for scored in (kept, *kept["curve"], kept["score"], *kept["transfer"].values()):
        for name in ("seconds", "milliseconds", "planner_games_per_second"):
            scored.pop(name, None)
    return dict(kept)


def test_a_run_follows_from_its_cell(ran: tuple[dict[str, Any], bytes]) -> None:
    row, content = run_cell(CELL, PLAN)
    assert (told(row), content) == (told(ran[0]), ran[1])
    other, _ = run_cell(replace(CELL, seed=4), PLAN)
    assert other["score"]["seed"] != row["score"]["seed"]
    assert other["curve"] != row["curve"]


def _written(folder: Path, content: bytes) -> Path:
    path = folder / "agent.safetensors"
    path.write_bytes(content)
    return path


def test_a_row_says_what_was_reached_and_how(ran: tuple[dict[str, Any], bytes], tmp_path: Path) -> None:
    row, content = ran
    assert row["decisions"] >= 900
    assert 1 <= len(row["curve"]) <= 3
    assert row["curve"][-1]["decisions"] <= row["decisions"]
    found = row["score"]
    assert found["games"] == 40
    assert 0 <= found["low"] <= found["share"] <= found["high"] <= 1
    assert list(row["transfer"]) == ["first sides", "second sides"]
    assert row["transfer"]["first sides"]["share"] == found["share"]  # the same games: it has learnt among these
    assert row["command"].startswith(
        "python -m benchmarks.learning run --algorithms evolution --tasks 2p-planner-fixed"
    )
    assert row["versions"]["environment"] == "bohemian_villages_v0"
    book, player = cells.book(), load_agent(CELL.algorithm, _written(tmp_path, content))
    lost = costs(book, player)["2"]
    assert row["positions"] == {"book": book.digest, **{key: round(value, 3) for key, value in asdict(lost).items()}}
    assert 0 < row["positions"]["value"] < 200


def test_decisions_of_agents_that_see_observations_are_judged_too() -> None:
    book = cells.book()
    lost = [position.losses[min(position.losses)][0] for position in book.positions(4)]
    assert cells.judged(First(), TASKS["4p-planner"])["value"] == pytest.approx(1000 * np.mean(lost), abs=1e-3)


def test_a_setting_without_a_plain_default_is_told_before_anything_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    for learn in (lambda task, left, seed, rate: None, lambda task, left, seed, rate=np.sqrt: None):
        monkeypatch.setattr(cells.module_of("evolution"), "learn", learn)
        with pytest.raises(BadCell, match="evolution: a setting of learn has no default that JSON knows"):
            Cell("evolution", "2p-planner", 0)
    monkeypatch.setattr(cells.module_of("evolution"), "learn", lambda task, left, seed, layers=(1, 2): None)
    assert Cell("evolution", "2p-planner", 0).defaults == {"layers": [1, 2]}


def test_positions_that_cannot_be_read_are_told_before_anything_is_learned(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ends: Ends
) -> None:
    monkeypatch.setattr(cells, "_POSITIONS", tmp_path / "moved.json")
    monkeypatch.setattr(cells, "planner_games", None)  # with which a run begins
    cells.book.cache_clear()
    said = ends(2, main, "run", *CELL.command.split()[4:8], "--seeds", 1, "--jobs", 1, "--out", tmp_path).err
    assert said.startswith(f"benchmarks.learning: {tmp_path / 'moved.json'} is missing")
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_learning_and_scores_have_seeds_of_their_own() -> None:
    """The games of no two runs are the same, and none of those that count is one that anybody learns in."""
    most = cells.MOST_SEEDS
    assert most * cells.SEEDS < 2**32 < cells.FINAL < cells._CURVE
    assert PLAN.games < cells.GAMES
    assert cells.FINAL + most * cells.GAMES < cells._CURVE
    assert cells._CURVE + most * cells.GAMES < 2**63


def test_a_finished_run_is_found_again_unless_its_settings_changed(
    ran: tuple[dict[str, Any], bytes], tmp_path: Path
) -> None:
    row, content = ran
    out, work = tmp_path / "out", tmp_path / "work"
    assert finished(CELL, PLAN, out) is None
    write_cell(CELL, row, content, out, work)
    assert finished(CELL, PLAN, out) == json.loads(json.dumps(row))
    assert finished(replace(CELL, settings={"population": 4, "games": 6}), PLAN, out) is None
    assert finished(replace(CELL, seed=4), PLAN, out) is None
    for other in ({"points": 0}, {"games": 41}, {"transfer": False}):
        assert finished(CELL, replace(PLAN, **other), out) is None, other
    path = out / f"{CELL.name}.json"
    for old, kept in (("defaults", False), ("plan", False), ("files", True)):  # rows of before these were told
        path.write_text(json.dumps({key: value for key, value in row.items() if key != old}), encoding="utf-8")
        assert bool(finished(CELL, PLAN, out)) == kept
    others: list[dict[str, Any]] = [{"benchmark": 0}, {"defaults": row["defaults"] | {"elite": 0.5}}]
    others += [{"source": "another"}, {"plan": asdict(replace(PLAN, curve_games=21))}]
    for change in (*others, {"positions": row["positions"] | {"book": "another"}}):
        path.write_text(json.dumps(row | change), encoding="utf-8")
        assert finished(CELL, PLAN, out) is None, change
    player = load_agent("evolution", work / f"{CELL.name}.safetensors")
    again = score.score(player, TASKS["2p-planner-fixed"], 40, row["score"]["seed"])
    assert again.told()["share"] == row["score"]["share"]


@pytest.mark.parametrize(
    ("algorithm", "tensors"),
    [
        ("pqn", {"weights": torch.zeros(22)}),  # of another algorithm
        ("evolution", {"weights": torch.full((22,), float("nan"))}),
        ("pqn", module_of("pqn").Agent(torch.nn.Sequential(torch.nn.Linear(10, 241))).tensors()),  # of another size
        ("evolution", {}),
    ],
)
def test_a_file_without_an_agent_of_the_algorithm_is_told(
    algorithm: str, tensors: dict[str, torch.Tensor], tmp_path: Path
) -> None:
    with pytest.raises(BadCell, match=f"holds no agent of {algorithm}"):
        load_agent(algorithm, _written(tmp_path, save(tensors)))


def test_a_row_in_the_place_of_another_is_told(ran: tuple[dict[str, Any], bytes], tmp_path: Path) -> None:
    write_cell(CELL, ran[0], ran[1], tmp_path, tmp_path)
    path = tmp_path / f"{CELL.name}.json"
    other = path.rename(path.with_name("evolution-4.json"))
    with pytest.raises(BadCell, match="holds the row of decisions-900/2p-planner-fixed/evolution-3"):
        finished(replace(CELL, seed=4), PLAN, tmp_path)
    changes: list[dict[str, Any]] = [{"score": {"share": 2}}, {"curve": {}}, {"seconds": "1"}, {"seed": -1}]
    changes += [{"task": "3p"}, {"algorithm": None}, {"positions": {}}, {"defaults": []}, {"reference": "4800"}]
    lost = ran[0]["positions"]
    changes += [{"positions": lost | {"value": value}} for value in (float("inf"), 10**400, 1001, "1", -1)]
    for change in changes:
        other.write_text(json.dumps(ran[0] | change), encoding="utf-8")
        with pytest.raises(BadCell, match=r"is not (a row of the benchmark|the row of a run): "):
            read_row(other)


def test_gathered_rows_are_found_where_their_files_were(ran: tuple[dict[str, Any], bytes], tmp_path: Path) -> None:
    """A file goes before the line of its name, and both may be there; agents of the same folder stay."""
    row, content = json.loads(json.dumps(ran[0])), ran[1]
    these = [replace(CELL, seed=seed) for seed in (5, 3)]
    for cell in these:
        write_cell(cell, row | {"seed": cell.seed}, content, tmp_path, tmp_path)
    assert gather(tmp_path) == {"decisions-900.jsonl": 2}
    assert not [*tmp_path.rglob("*.json")]
    assert len([*tmp_path.rglob("*.safetensors")]) == 2
    lines = (tmp_path / "decisions-900.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["seed"] for line in lines] == [3, 5]
    assert read_row(tmp_path / f"{these[0].name}.json") == row | {"seed": 5}
    assert finished(CELL, PLAN, tmp_path) == row
    assert finished(replace(CELL, seed=4), PLAN, tmp_path) is None
    write_cell(CELL, row | {"seconds": 77.0}, content, tmp_path, tmp_path)
    assert [one["seconds"] for one in rows_of(tmp_path, "decisions", 900)] == [77.0, row["seconds"]]
    assert gather(tmp_path) == {"decisions-900.jsonl": 2}
    assert finished(CELL, PLAN, tmp_path) == row | {"seconds": 77.0}
    with pytest.raises(BadCell, match=r"has 2 rows: name one of them as .*decisions-900/TASK/ALGORITHM-SEED\.json"):
        read_row(tmp_path / "decisions-900.jsonl")
    (tmp_path / "decisions-900.jsonl").write_text(lines[0] + "\n{\n", encoding="utf-8")
    with pytest.raises(BadCell, match=r"decisions-900\.jsonl, line 2, is not JSON"):
        rows_of(tmp_path, "decisions", 900)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithm": "dqn"}, "unknown algorithm 'dqn'; known are maskable_ppo, "),
        ({"task": "3p"}, "unknown task '3p'; known are 2p-greedy, "),
        ({"settings": {"games": 10**5000}}, "a whole number of 16,610 bits"),
        ({"seed": -1}, "seed -1 is not a whole number from 0 to "),
        ({"budget": 0}, "decisions 0 is not above 0 and below 1,000,000,000,000"),
        ({"settings": {"games": 0}}, "evolution: games 0 is not a whole number of at least 1"),
        ({"settings": {"elite": "x"}}, "evolution: elite 'x' is not a number of at least 0"),
        ({"algorithm": "a2c", "settings": {"normalize": 1}}, "a2c: normalize 1 is not true or false"),
        ({"algorithm": "a2c", "settings": {"reward": 1}}, "a2c: reward 1 is not like its default, 'margin'"),
        ({"settings": {"rat": 1}}, "evolution: unknown setting 'rat'; known are population, "),
    ],
)
def test_a_cell_that_there_is_not_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadCell, match=message):
        replace(CELL, **change)


@pytest.mark.parametrize(
    "change", [{"points": -1}, {"points": float("nan")}, {"games": 0}, {"curve_games": "x"}, {"transfer": 5}]
)
def test_a_plan_that_cannot_be_played_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadCell, match=f"{next(iter(change))} .* is (not a whole number|neither true nor false)"):
        Plan(**change)


def test_time_is_counted_in_what_the_reference_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    assert core_seconds(10, REFERENCE) == 600
    assert core_seconds(10, 2 * REFERENCE) == 300
    assert planner_games(0.05) > 0
    clock = itertools.count(0, 0.5)  # every look takes half a second
    monkeypatch.setattr("benchmarks.learning.cells.time.process_time", lambda: next(clock))
    monkeypatch.setattr("benchmarks.learning.cells.planner_games", lambda _: REFERENCE / 2)
    row, _ = run_cell(replace(CELL, unit="minutes", budget=0.1), Plan(points=2, curve_games=4, games=4))
    assert 12 <= row["seconds"] < 14  # 0.1 minutes of a machine half as fast
    assert len(row["curve"]) == 2
    assert row["reference"] == REFERENCE


def test_transfer_is_to_what_was_not_learnt() -> None:
    learnt = score.transfers(TASKS["2p-planner-fixed"])
    assert {getattr(task, "villages", "") for task in learnt.values()} == {"first", "second"}
    for name in ("2p-greedy", "4p-mixed", "5p-planner"):
        assert score.transfers(TASKS[name]) == {}


def test_runs_are_shared_out_and_finished_ones_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in a process of its own, in folders of wherever one is; a second call runs nothing."""
    these = [replace(CELL, seed=seed) for seed in (0, 1)]
    monkeypatch.chdir(tmp_path)
    places = Path("out"), Path("work")
    rows = [*run_cells(these, PLAN, *places, jobs=2, ray=None, tell=print)]
    assert sorted(row["seed"] for row in rows) == [0, 1]
    here, _ = run_cell(these[1], PLAN)
    assert told(next(row for row in rows if row["seed"] == 1)) == told(here)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    assert [*run_cells(these, PLAN, *places, jobs=2, ray=None, tell=print)] == sorted(rows, key=lambda row: row["seed"])
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == before
    assert len(before) == 4


def test_a_run_that_fails_is_told_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho something >&2\necho the reason >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    said = r"^python -m benchmarks\.learning run .* --first-seed 3 .*: status 3: the reason$"
    with pytest.raises(BadCell, match=said):
        [*run_cells([CELL, replace(CELL, seed=4)], PLAN, tmp_path, tmp_path, jobs=1, ray=None, tell=print)]


def test_machines_of_a_cluster_run_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of each of them is pickled, and one with another benchmark refuses."""
    these = [replace(CELL, seed=seed) for seed in (0, 1)]
    asked = []

    def on_cluster(pieces: dict[int, Cell], address: str, make: Any, tell: Any) -> Iterator[tuple[int, Any]]:
        asked.append((address, [*pieces.values()]))
        work = pickle.loads(pickle.dumps(make))()
        yield from ((number, pickle.loads(pickle.dumps(work(piece)))) for number, piece in reversed(pieces.items()))

    monkeypatch.setattr(workers, "on_cluster", on_cluster)
    places = tmp_path / "out", tmp_path / "work"
    for _ in range(2):
        rows = [*run_cells(these, PLAN, *places, jobs=1, ray="10.0.0.1:6379", tell=print)]
    assert asked == [("10.0.0.1:6379", these), ("10.0.0.1:6379", [])]
    assert [row["seed"] for row in rows] == [0, 1]
    assert told(rows[1]) == told(run_cell(these[1], PLAN)[0])
    assert (places[1] / f"{these[0].name}.safetensors").exists()
    monkeypatch.setattr(workers, "sources_digest", lambda: "another")
    make = partial(workers._learner, PLAN, "this one")
    with pytest.raises(BadCell, match="that machine has other files in benchmarks/ or other rolled-out positions"):
        make()
