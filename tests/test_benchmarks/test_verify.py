"""Rows: written, played again, and what is refused of a forged or a broken one."""

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.common.statistics import share_estimate
from benchmarks import algorithms, submit, verify
from benchmarks.learning import cells
from benchmarks.learning.cells import BadCell, Cell, Plan, add_algorithm
from benchmarks.learning.rows import read_row
from benchmarks.learning.settings import chosen
from benchmarks.learning.workers import run_here
from benchmarks.submit import Figure, files_of, maker
from tests.faults.odd import ODD
from tests.helpers import ROOT, Ends

pytestmark = pytest.mark.slow
COUNTER = ROOT / "examples" / "programs" / "counter.py"
PARTS = ("value", "low", "high")
Row = dict[str, Any]
Verified = Callable[..., str]


@pytest.fixture(scope="module", autouse=True)
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty place for finished games; nobody asks how fast this machine is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(submit, "WORK", tmp_path_factory.mktemp("work"))
        patched.setattr(submit, "planner_games", lambda: 2500.0)
        yield


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Row:
    """The row of `hoarder` in two tasks."""
    path = tmp_path_factory.mktemp("rows") / "hoarder.json"
    options = ["--tasks", "2p-planner", "5p-planner", "--games", "400", "--seed", "3", "--jobs", "1"]
    assert submit.main(["hoarder", "--out", str(path), *options]) == 0
    return dict(json.loads(path.read_text()))


@pytest.fixture
def row(written: Row) -> Row:
    """A copy that may be changed."""
    return dict(json.loads(json.dumps(written)))


@pytest.fixture
def verified(tmp_path: Path, ends: Ends) -> Verified:
    """Verifies a file of some data, row.json, with the status that is given first; gives all that is said."""

    def call(status: int, data: object, *options: str) -> str:
        path = tmp_path / "row.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        seed = [] if "--same-seeds" in options else ["--seed", "99"]
        return "".join(ends(status, verify.main, path, *seed, "--jobs", 1, *options))

    return call


def test_a_row_says_what_it_takes_to_find_it_again(row: Row) -> None:
    assert list(row["scores"]) == ["2p-planner", "5p-planner"]
    assert [(score["games"], score["seed"]) for score in row["scores"].values()] == [(400, 3), (400, 3)]
    assert (row["agent"], row["files"], row["command"], row["seconds"]) == ("hoarder", {}, None, None)
    assert row["planner_games_per_second"] == 2500.0
    assert {"environment", "numpy", "sources"} <= set(row["versions"])
    assert row["scores"]["2p-planner"]["share"] == pytest.approx(0.5, abs=0.1)


def test_seeds_that_are_drawn_survive_programs_that_hold_floating_point_numbers(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The highest of them, and so those of the games after the first."""
    monkeypatch.setattr("secrets.randbelow", lambda below: below - 10_000)
    (tmp_path / "r.json").write_text(json.dumps(row))
    options = ["--games", "100", "--jobs", "1"]
    assert submit.main(["greedy", "--out", str(tmp_path / "o.json"), "--tasks", "2p-planner", *options]) == 0
    verify.main([str(tmp_path / "r.json"), *options])
    seeds = [int(seed) for seed in re.findall(r"--seed (\d+)", capsys.readouterr().err)]
    assert [int(float(seed + 101)) - 101 for seed in seeds] == seeds
    assert len(seeds) == 2


def test_a_byte_order_mark_is_skipped(row: Row, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(row), encoding="utf-8-sig")
    assert read_row(tmp_path / "r.json") == row


def test_an_honest_row_is_verified(row: Row, verified: Verified) -> None:
    said = verified(0, row)
    assert "verified: hoarder, 2p-planner, 5p-planner, positions; seeds from 99\n" in said
    assert len(re.findall(r"difference [+-]0\.\d{3} \(-0\.\d{3} to \+0\.\d{3}\)", said)) == 2
    said = verified(0, row, "--same-seeds")
    assert said.count("bit for bit") == 3
    assert "seeds from 3\n" in said


def better(row: Row, task: str, by: float) -> None:
    """Claim more in a task."""
    for part in ("share", "low", "high"):
        row["scores"][task][part] += by


def around(row: Row, half: float) -> None:
    """Claim an interval of another width."""
    score = row["scores"]["5p-planner"]
    score.update(low=score["share"] - half, high=score["share"] + half)


FORGED: dict[str, tuple[Callable[[Row], object], str]] = {
    "better": (lambda r: better(r, "2p-planner", 0.2), "2p-planner: 0.7.. is claimed, 0.5.. was found: -0."),
    "worse": (lambda r: better(r, "2p-planner", -0.2), "2p-planner: 0.3.. is claimed, 0.5.. was found: +0."),
    "another agent": (lambda r: r.update(agent="random"), "2p-planner: 0.5.. is claimed, 0.0.. was found: -0."),
    "narrow": (lambda r: around(r, 1e-3), "5p-planner: an interval of 0.002 does not"),
    "wide": (lambda r: r["scores"]["5p-planner"].update(low=0.0, high=1.0), "5p-planner: an interval of 1.000 "),
    "many games": (lambda r: r["scores"]["5p-planner"].update(games=900_000), "5p-planner: an interval of 0."),
    "files": (lambda r: r.update(files={"x.safetensors": "0" * 64}), "the agent is another one: x.safetensors is not"),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_row_is_told(how: str, row: Row, verified: Verified) -> None:
    change, said = FORGED[how]
    change(row)
    told = verified(1, row, "--games", "400")
    assert re.search(f"^differs: {re.escape(said).replace(re.escape('..'), r'..')}", told, re.MULTILINE), told
    assert "verified" not in told
    if how != "many games":  # all of which would be played
        verified(1, row, "--same-seeds")


def test_a_forged_figure_is_seen_on_its_own_seeds_even_if_it_is_small(row: Row, verified: Verified) -> None:
    """It is then not called bit for bit the same, and a scripted agent's could be no other."""
    better(row, "2p-planner", 0.001)
    said = verified(1, row, "--same-seeds")
    assert said.count("bit for bit") == 2
    told = r"^differs: 2p-planner: 0\.\d{6} is claimed, and the same games give 0\.\d{6}$"
    assert re.search(told, said, re.MULTILINE)


@pytest.mark.parametrize(("off", "parts"), [(-7.0, PARTS), (0.01, PARTS), (2.5, ("low", "high")), (0.01, ("high",))])
def test_a_scripted_agent_loses_in_the_positions_what_is_claimed(
    row: Row, verified: Verified, off: float, parts: tuple[str, ...]
) -> None:
    """On other seeds, too: the positions are the same. So is the interval, if it is one."""
    honest = row["positions"]
    verified(0, row)
    forged = honest | {name: honest[name] + off for name in parts}
    said = verified(1, row | {"positions": forged})
    assert f"differs: positions: {forged['value']:.3f} (" in said
    assert "at most 0.000 off" in said


def test_an_agent_may_lose_as_much_more_in_the_positions_as_its_chance_makes() -> None:
    """Of agents that draw their moves anew each time one in a hundred is refused, and all that claim much less."""
    rng, honest, refused = np.random.default_rng(5), [], 0

    def drawn() -> np.ndarray:
        return rng.choice([0.0, 40.0, 80.0], size=800)

    def figure(losses: np.ndarray) -> Figure:
        half = 1.96 * losses.std() / 800**0.5
        return Figure(losses.mean(), losses.mean() - half, losses.mean() + half, 800)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verify, "lost", lambda make, seed: drawn())
        for _ in range(300):
            claimed, found = figure(drawn()), figure(drawn())
            honest.append(verify.lost_otherwise(maker("ppo", None), 1, claimed, found, 1, exact=False))
            less = Figure(claimed.value - 12, claimed.low - 12, claimed.high - 12, 800)
            refused += verify.lost_otherwise(maker("ppo", None), 1, less, found, 1, exact=False) is not None
    assert sum(why is not None for why in honest) <= 8  # of 300
    assert refused == 300


def test_an_agent_that_never_wins_is_compared_as_well() -> None:
    never, rarely, half = Figure(0.0, 0.0, 0.0, 1000), Figure(0.002, 0.0, 0.006, 1000), Figure(0.5, 0.5, 0.5, 1000)
    assert verify.differs("task", never, never, 1) is None
    assert verify.differs("task", rarely, never, 1) is None
    assert "an interval of 0.000 does not fit" in verify.differs("task", half, Figure(0.5, 0.48, 0.52, 1000), 1)
    assert "0.500 is claimed" in verify.differs("task", half, never, 1)


@pytest.mark.parametrize("chance", [0.5, 0.99, 0.999])
@pytest.mark.parametrize(("then", "now"), [(2000, 100), (100, 2000), (100_000, 1000), (500, 500)])
def test_an_honest_figure_holds_whatever_the_number_of_games(chance: float, then: int, now: int) -> None:
    rng = np.random.default_rng(3)

    def figure(games: int) -> Figure:
        won = rng.random(games) < chance
        found = share_estimate(won.reshape(-1, 2).mean(axis=1))
        return Figure(found.value, found.low, found.high, games)

    failed = sum(verify.differs("task", figure(then), figure(now), 1) is not None for _ in range(400))
    assert failed <= 12  # of 400; one in a hundred is meant, and 13 would come once in a thousand times


BROKEN: dict[str, tuple[Callable[[Row], object], str]] = {
    "version": (lambda r: r | {"benchmark": 2}, "benchmark 2 is not the 1 of this checkout"),
    "environment": (lambda r: r | {"versions": {"environment": "v9"}}, "environment 'v9' is not the"),
    "cut": (lambda r: json.dumps(r)[:-50], "is not JSON"),
    "deep": (lambda r: "[" * 60_000, "is not JSON"),
    "large": (lambda r: json.dumps(r) + " " * 10_000_000, "has more than 1,000,000 bytes"),
    "missing": (lambda r: {k: v for k, v in r.items() if k != "files"}, "files is missing, SHA-256 digests"),
    "another task": (lambda r: r | {"scores": {"9p": r["scores"]["2p-planner"]}}, "'9p' is unknown; known are 2p-pl"),
    "few games": (lambda r: altered(r, games=99, failed=0), "99 games, expected from 100 to 1,000,000"),
    "outside": (lambda r: altered(r, low=0.9), "expected win shares by task"),
    "unprintable": (lambda r: r | {"agent": "\x1b[2J"}, "agent is '\\x1b[2J', expected printable text"),
    "lost": (lambda r: r | {"positions": r["positions"] | {"low": 999}}, "expected what a decision loses in the"),
}  # fmt: skip


def altered(row: Row, **parts: Any) -> Row:
    """A row with another score in one task."""
    score = row["scores"]["2p-planner"] | parts
    return row | {"scores": row["scores"] | {"2p-planner": score}}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence(how: str, row: Row, verified: Verified) -> None:
    change, said = BROKEN[how]
    told = verified(2, change(row))
    assert said in told
    assert told.count("\n") == 1
    assert len(told) < 400


def everywhere(value: Any, odd: Any) -> list[Any]:
    """A value with an odd one in each of its places."""
    found = [odd]
    if isinstance(value, dict):
        found += [value | {key: one} for key in value for one in everywhere(value[key], odd)]
    return found


def test_no_value_in_it_is_too_odd_for_a_sentence(row: Row, tmp_path: Path) -> None:
    path, refused = tmp_path / "row.json", 0
    for odd in ODD.values():
        for changed in everywhere(row, odd):
            try:
                path.write_text(json.dumps(changed))
            except (TypeError, ValueError):
                continue  # what JSON cannot say
            try:
                verify.read_claim(path)
            except BadCell:
                refused += 1
    assert refused > 200


def test_missing_files_and_absurd_options_get_a_sentence(
    row: Row, verified: Verified, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = [["--games", "5"], ["--agent", "nobody"], ["--agent", "greedy", "--program", "sh"], ["--seed", str(2**63)]]
    for options in (*wrong, ["--agent", "planner"]):  # the row is of hoarder, which is here
        assert verified(2, row, *options).count("\n") == 1
    for path in ("nowhere.json", "."):
        assert verify.main([str(tmp_path / path)]) == 2
    out, path, training = ["--out", str(tmp_path / "o.json")], str(tmp_path / "row.json"), "--training=python train.py"
    for words in (
        ["nobody", *out],
        ["x" * 301, *out],
        out,
        ["greedy", "--out", str(tmp_path / "no" / "folder.json")],
        ["--run", path, *out],
        *(["greedy", *out, *more] for more in (["--games", "5"], ["--seed", "-1"], [training], ["--run", path])),
        *(["greedy", *out, training, f"--hours={hours}"] for hours in ("nan", "inf", "-1", "1e10")),
        *(["greedy", *out, "--training", odd, "--hours", "1"] for odd in ("", "x" * 301, "a\nb")),
    ):
        assert submit.main(words) == 2
    assert capsys.readouterr().err.count("\n") == 18
    assert not (tmp_path / "o.json").exists()


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a trace when it is started, and the trace."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path / 'trace'}\n")
    path.chmod(0o755)
    return path, tmp_path / "trace"


@pytest.mark.parametrize("kind", ["program:{}", "program:50ms:{}", "python:{}", "search:{}", "{}"])
def test_nothing_that_a_file_names_is_run(kind: str, trap: tuple[Path, Path], row: Row, verified: Verified) -> None:
    path, trace = trap
    said = verified(2, row | {"agent": kind.format(path)})
    assert "which does not come with the project: name it with --" in said
    verified(1, altered(row, share=0.99, high=0.99) | {"command": str(path)})
    assert not trace.exists()


@pytest.mark.parametrize("name", ["program:ppo", "program:appraiser", "program:1ms:ppo", "python:ppo", "./ppo"])
def test_nothing_is_run_that_is_called_like_an_agent_of_ours(
    name: str, trap: tuple[Path, Path], row: Row, verified: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, trace = trap
    for called in ("ppo", "appraiser"):
        (path.parent / called).symlink_to(path)
    monkeypatch.setenv("PATH", str(path.parent), prepend=":")
    monkeypatch.chdir(path.parent)
    verified(2, row | {"agent": name})
    assert not trace.exists()


def test_a_program_is_verified_where_the_command_line_names_it(tmp_path: Path, ends: Ends) -> None:
    path, command = tmp_path / "counter.json", f"{sys.executable} -S {COUNTER}"
    options = ["--tasks", "2p-planner", "--games", "100", "--seed", "3", "--jobs", "1"]
    assert submit.main([f"program:9000ms:{command}", "--out", str(path), *options]) == 0
    data = json.loads(path.read_text())
    assert data["said"] == "counter"
    assert COUNTER.name in data["files"]
    named = argparse.Namespace(agent=None, program="./mine --fast")
    assert verify.agent_of(verify.read_claim(path), named) == "program:9000ms:./mine --fast"
    said = ends(0, verify.main, path, "--program", command, "--seed", 99, "--jobs", 1).out
    assert "verified: program:9000ms:" in said
    other = tmp_path / "other.py"
    other.write_text(COUNTER.read_text())
    said = ends(1, verify.main, path, "--program", f"{sys.executable} -S {other}", "--jobs", 1).out
    assert "differs: the agent is another one: counter.py, other.py is not the file" in said


def test_the_files_of_a_program_are_those_that_its_command_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.py").write_text(COUNTER.read_text() + f"# {folder}\n")
    mine = tmp_path / "mine"
    mine.write_text(f"#!{sys.executable}\n{COUNTER.read_text()}")
    mine.chmod(0o755)
    for command, names in (("./mine", ["mine"]), (f"{sys.executable} a/x.py b/x.py", ["x.py", "x.py (2)"])):
        found = files_of(f"program:{command}")
        assert [name for name in found if "python" not in name] == names
        assert len({*found.values()}) == len(found)


CELL = Cell("pqn", "2p-planner", 1, "decisions", 2000.0, chosen("pqn"))
PQN = "benchmarks/algorithms/pqn.py"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The row of a short run of the benchmark, and its agent."""
    folder = tmp_path_factory.mktemp("runs")
    run_here(CELL, Plan(points=0, games=200, transfer=False), folder, folder)
    return folder / f"{CELL.name}.json", folder / f"{CELL.name}.safetensors"


@pytest.fixture
def run(trained: tuple[Path, Path]) -> Row:
    """The row, which may be changed."""
    return dict(json.loads(trained[0].read_text()))


def test_a_run_is_verified_from_its_agent_and_trained_again(
    trained: tuple[Path, Path], run: Row, verified: Verified, tmp_path: Path
) -> None:
    for options, alike in (["--agent", str(trained[1])], 2), (["--retrain", "--work", str(tmp_path)], 3):
        said = verified(0, run, *options, "--same-seeds")
        assert "verified: decisions-2000/2p-planner/pqn-1, 2p-planner, positions; seeds from" in said
        assert said.count("bit for bit") == alike
    assert "trains again: python -m benchmarks.learning run --algorithms pqn --tasks 2p-planner --first-seed 1" in said
    assert "Its weights came out the same, bit for bit." in said
    assert "name it with --agent AGENT, or train it with --retrain" in verified(2, run)


def test_a_run_is_measured_as_any_agent(trained: tuple[Path, Path], tmp_path: Path, ends: Ends) -> None:
    out, kept = tmp_path / "any.json", trained[0].parents[2]
    options = ["--work", str(kept), "--tasks", "2p-planner", "--games", "200", "--out", str(out)]
    assert submit.main(["--run", str(trained[0]), *options]) == 0
    row = json.loads(out.read_text())
    assert row["files"].keys() == {PQN, "pqn-1.safetensors"}
    assert "score" not in row
    said = ends(0, verify.main, out, "--agent", trained[1], "--same-seeds").out
    assert "verified: decisions-2000/2p-planner/pqn-1, 2p-planner, positions; seeds from" in said
    said = ends(2, submit.main, "--run", trained[0], "--work", tmp_path, "--out", out).err
    assert f"pqn-1.safetensors is not there: {CELL.command} --out {tmp_path}/again --work {tmp_path} makes it" in said


def test_a_forged_row_of_a_run_is_told(trained: tuple[Path, Path], run: Row, verified: Verified) -> None:
    lost, agent = run["positions"], ["--agent", str(trained[1])]
    timed = {"unit": "minutes", "budget": 10.0, "reference": 4800.0}
    for status, change, said in (
        (1, {"score": run["score"] | {"share": 0.9, "high": 0.95}}, "differs: 2p-planner: 0.900 is claimed, 0.0"),
        (1, {"positions": lost | {"value": 0, "low": 0}}, "differs: positions: 0.000 is claimed, "),
        (1, {"files": run["files"] | {"pqn-1.safetensors": "0" * 64}}, "pqn-1.safetensors is not the file that"),
        (0, timed, "Of the run: its minutes were counted by a reference of 4,800, "),
    ):
        assert said in verified(status, run | change, *agent)
    assert "positions" not in verified(0, run | {"positions": lost | {"book": "another"}}, *agent)  # not here
    said = verified(0, run | {"settings": {"horizon": 16}}, *agent, "--same-seeds")
    assert 'settings of its own, not the benchmark\'s: {"horizon": 16}' in said


@pytest.mark.parametrize("form", ["files", "source"])
def test_a_run_of_another_file_of_its_algorithm_is_never_verified(
    form: str, run: Row, verified: Verified, tmp_path: Path
) -> None:
    """Rows of 0.2.0 tell its digest as `source`."""
    digest = run["files"].pop(PQN)
    assert digest == hashlib.sha256((ROOT / PQN).read_bytes()).hexdigest()
    told = run | ({"source": "0" * 64} if form == "source" else {"files": {PQN: "0" * 64}})
    for options in (["--retrain", "--work", str(tmp_path)], ["--agent", "any"]):
        said = verified(1, told, *options)
        assert f"differs: {PQN} is another file: its SHA-256 is {digest[:12]}" in said
        assert "verified" not in said
        assert "trains again" not in said


def test_weights_that_come_out_otherwise_are_told_and_a_row_without_digests_is_compared(
    trained: tuple[Path, Path], run: Row, verified: Verified, tmp_path: Path
) -> None:
    other = run | {"files": run["files"] | {"pqn-1.safetensors": "0" * 64}}
    said = verified(0, other, "--retrain", "--work", str(tmp_path), "--same-seeds")
    assert "Its weights came out otherwise, as they may on another processor" in said
    del run["files"]
    said = verified(0, run, "--agent", str(trained[1]), "--same-seeds")
    assert f"The row does not tell which {PQN} it was made with." in said
    assert "verified: " in said


@pytest.fixture
def abroad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path, Path]]:
    """An algorithm that this checkout lacks, made of one that it has; the row of a run of it, and its agent."""
    file = tmp_path / "abroad.py"
    shutil.copy(ROOT / "benchmarks" / "algorithms" / "evolution.py", file)
    known = dict(algorithms.ALGORITHMS)
    for module in (cells, verify):
        monkeypatch.setattr(module, "ALGORITHMS", known)
    assert add_algorithm(file) == "abroad"
    cell = Cell("abroad", "2p-planner", 0, budget=300)
    run_here(cell, Plan(points=0, games=200, transfer=False), tmp_path, tmp_path)
    del known["abroad"], sys.modules["benchmarks.algorithms.abroad"]
    yield file, tmp_path / f"{cell.name}.json", tmp_path / f"{cell.name}.safetensors"
    sys.modules.pop("benchmarks.algorithms.abroad", None)


def test_a_run_of_an_algorithm_that_is_not_here_is_verified_with_its_file(
    abroad: tuple[Path, Path, Path], tmp_path: Path, ends: Ends
) -> None:
    file, row, agent = abroad
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    said = ends(2, verify.main, row, "--agent", agent).err
    assert f"name its file with --algorithm FILE.py, whose SHA-256 is {digest}" in said
    ends(0, verify.main, row, "--agent", agent, "--algorithm", file, "--same-seeds")
    again = ["--retrain", "--work", tmp_path / "again", "--same-seeds"]
    said = ends(0, verify.main, row, "--algorithm", file, *again).out
    assert "Its weights came out the same, bit for bit." in said
    file.write_text(file.read_text() + "# changed\n")
    said = ends(1, verify.main, row, "--agent", agent, "--algorithm", file).out
    assert "differs: benchmarks/algorithms/abroad.py is another file" in said
    for text, why in (("raise ValueError('x')", "ValueError: x"), ("", "ImportError: it has no learn")):
        file.write_text(text)
        assert f"abroad.py is not an algorithm: {why}" in ends(2, verify.main, row, "--algorithm", file).err


NINE = {"9 players": {"share": 0, "low": 0, "high": 0, "games": 100, "seed": 0}}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"algorithm": "os"}, "name its file with --algorithm FILE.py"),
        ({"algorithm": []}, "is not the row of a run: unknown algorithm []"),
        ({"settings": {"games": 10**9}}, "its settings or its budget are not the benchmark's"),
        ({"budget": 5e8}, "its settings or its budget are not the benchmark's"),
        ({"benchmark": 0}, "benchmark 0 is not the 1 of this checkout"),
        ({"files": {}, "defaults": {"games": 9}}, "its algorithm had other defaults than the one here"),
        ({"transfer": NINE}, "'2p-planner on 9 players' is unknown"),
    ],
)
def test_only_rows_of_the_benchmark_are_trained_again(
    fields: dict[str, Any], said: str, run: Row, verified: Verified, tmp_path: Path
) -> None:
    told = verified(2, run | fields, "--retrain", "--work", str(tmp_path))
    assert said in told
    assert "trains again" not in told
