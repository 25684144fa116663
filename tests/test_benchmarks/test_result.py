"""Results: written, played again, and what is refused of a forged or a broken file."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.common.statistics import share_estimate
from agents.positions.book import Book, Position
from agents.positions.draw import draw
from agents.tournament.play import dismiss
from benchmarks import submit, verify
from benchmarks.learning.cells import Cell, Plan
from benchmarks.learning.settings import chosen
from benchmarks.learning.workers import run_here
from benchmarks.result import FEWEST, LARGEST, TASKS, BadResult, Figure, files_of, maker, read
from bohemian_env import Batch
from faults.odd import ODD
from tests.helpers import ROOT

COUNTER = ROOT / "examples" / "programs" / "counter.py"
FARMER = ROOT / "examples" / "programs" / "farmer.pl"


FIGURES = ("value", "low", "high")


@pytest.fixture(scope="module", autouse=True)
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A place for finished games in which there are none of others."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (submit, verify):
            patched.setattr(module, "WORK", tmp_path_factory.mktemp("work"))
        yield


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of `hoarder` in two tasks."""
    path = tmp_path_factory.mktemp("results") / "hoarder.json"
    options = ["--tasks", "2p-planner", "5p-planner", "--games", "400", "--seed", "3", "--jobs", "1"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(submit, "planner_games", lambda: 2500.0)
        assert submit.main(["hoarder", "--out", str(path), *options]) == 0
    return dict(json.loads(path.read_text()))


@pytest.fixture
def result(written: dict[str, Any]) -> dict[str, Any]:
    """A copy that may be changed."""
    return dict(json.loads(json.dumps(written)))


def verified(path: Path, data: object, *options: str) -> int:
    """What verify returns for a file of these data."""
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    seed = [] if "--same-seeds" in options else ["--seed", "99"]
    return verify.main([str(path), *seed, "--jobs", "1", *options])


def test_a_result_says_what_it_takes_to_find_it_again(result: dict[str, Any]) -> None:
    assert set(result["figures"]) == {"2p-planner", "5p-planner", "positions"}
    assert [figure["games"] for figure in result["figures"].values()] == [400, 400, 800]
    assert (result["agent"], result["seed"], result["files"], result["training"]) == ("hoarder", 3, {}, None)
    assert result["machine"]["planner_games_per_second"] == 2500.0
    assert result["hours"] >= 0
    assert {"environment", "numpy", "sources"} <= set(result["versions"])
    assert result["figures"]["2p-planner"]["value"] == pytest.approx(0.5, abs=0.1)


def test_an_honest_result_is_verified(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "result.json"
    assert verified(path, result) == 0
    said = capsys.readouterr().out
    assert "verified: hoarder, 2p-planner, 5p-planner, positions; seeds from 99\n" in said
    assert len(re.findall(r"difference [+-]0\.\d{3} \(-0\.\d{3} to \+0\.\d{3}\)", said)) == 2
    assert verified(path, result, "--same-seeds") == 0
    said = capsys.readouterr().out
    assert said.count("bit for bit") == 3
    assert "seeds from 3\n" in said


def better(result: dict[str, Any], task: str, by: float) -> None:
    """Claim more in a task."""
    for part in ("value", "low", "high"):
        result["figures"][task][part] += by


FORGED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "better": (lambda r: better(r, "2p-planner", 0.2), "2p-planner: 0.7.. is claimed, 0.5.. was found: -0."),
    "worse": (lambda r: better(r, "2p-planner", -0.2), "2p-planner: 0.3.. is claimed, 0.5.. was found: +0."),
    "another agent": (lambda r: r.update(agent="random"), "2p-planner: 0.5.. is claimed, 0.0.. was found: -0."),
    "narrow": (lambda r: r["figures"]["5p-planner"].update(low=r["figures"]["5p-planner"]["value"] - 1e-3), "5p-"),
    "wide": (lambda r: r["figures"]["5p-planner"].update(low=0.0, high=1.0), "5p-planner: an interval of 1.000 is not"),
    "many games": (lambda r: r["figures"]["5p-planner"].update(games=900_000), "5p-planner: an interval of 0."),
    "files": (lambda r: r.update(files={"x.safetensors": "0" * 64}), "the agent is another one: x.safetensors is not"),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_result_is_told(
    how: str, result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, said = FORGED[how]
    change(result)
    if how == "narrow":
        result["figures"]["5p-planner"]["high"] = result["figures"]["5p-planner"]["value"] + 1e-3
    options = ("--games", "400")
    assert verified(tmp_path / "result.json", result, *options) == 1
    told = capsys.readouterr().out
    assert re.search(f"^differs: {re.escape(said).replace(re.escape('..'), r'..')}", told, re.MULTILINE), told
    assert "verified" not in told
    if how != "many games":  # all of which would be played
        assert verified(tmp_path / "result.json", result, "--same-seeds") == 1


def test_a_forged_figure_is_seen_on_its_own_seeds_even_if_it_is_small(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is then not called bit for bit the same, and a scripted agent's could be no other."""
    better(result, "2p-planner", 0.001)
    assert verified(tmp_path / "result.json", result, "--same-seeds") == 1
    said = capsys.readouterr().out
    assert said.count("bit for bit") == 2
    assert re.search(
        r"^differs: 2p-planner: 0\.\d{6} is claimed, and the same games give 0\.\d{6}$", said, re.MULTILINE
    )
    assert not verify.follows_from_seeds("montecarlo:20ms")
    assert not verify.follows_from_seeds("ppo")


def test_positions_are_those_that_there_are(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fewer would be believed within wider limits."""
    honest = result["figures"]["positions"]
    half = (honest["high"] - honest["low"]) / 2 * honest["games"] ** 0.5
    forged = {"value": -60.0, "low": -60 - half, "high": -60 + half, "games": 1}
    assert verified(tmp_path / "r.json", result | {"figures": result["figures"] | {"positions": honest | forged}}) == 1
    assert f"positions: 1 positions are claimed, and there are {honest['games']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("off", "parts"), [(-7.0, FIGURES), (0.01, FIGURES), (2.5, ("low", "high")), (0.01, ("high",))]
)
def test_a_scripted_agent_loses_in_the_positions_what_is_claimed(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], off: float, parts: tuple[str, ...]
) -> None:
    """On other seeds, too: the positions are the same. So is the interval, if it is one."""
    honest = result["figures"]["positions"]
    assert verified(tmp_path / "r.json", result) == 0
    forged = honest | {name: honest[name] + off for name in parts}
    assert verified(tmp_path / "r.json", result | {"figures": result["figures"] | {"positions": honest | forged}}) == 1
    said = capsys.readouterr().out
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


def test_an_agent_of_ours_is_the_one_that_is_played(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(tmp_path / "r.json", result, "--agent", "planner") == 2
    assert "--agent planner: the result is of hoarder, which comes with the project" in capsys.readouterr().err


def test_equal_agents_differ_in_one_of_a_hundred_verifications_at_most() -> None:
    """Figures of 2,000 games each, drawn as often as there are sixty."""
    assert verify.difference(Figure(0.5, 0.48, 0.52, 2000), Figure(0.5, 0.48, 0.52, 2000), 1)[2] == pytest.approx(
        0.02 * 2**0.5 * 2.5758 / 1.96, rel=1e-3
    )
    one = verify.difference(Figure(0.5, 0.48, 0.52, 2000), Figure(0.6, 0.58, 0.62, 2000), 1)
    five = verify.difference(Figure(0.5, 0.48, 0.52, 2000), Figure(0.6, 0.58, 0.62, 2000), 5)
    assert one[0] == five[0] == pytest.approx(0.1)
    assert five[1] < one[1] < one[0] < one[2] < five[2]


def test_the_cost_of_decisions_in_the_positions_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the same on all seeds for whoever follows from the position."""
    book, path = tmp_path / "book.json", tmp_path / "result.json"
    drawn = draw(2, 6, 70)
    batch = Batch(len(drawn), autoreset=False)
    batch.replay([seed for seed, _ in drawn], [moves for _, moves in drawn])
    losses = [{a: (k / 1000, 0.0) for k, a in enumerate(np.flatnonzero(mask).tolist())} for mask in batch.masks]
    positions = [Position(*one, costs) for one, costs in zip(drawn, losses, strict=True)]
    book.write_text(json.dumps(Book({"rolled out by": "nobody"}, {2: positions}).to_json()))
    monkeypatch.setattr("benchmarks.result.book", lambda: Book.load(book))
    assert submit.main(["appraiser", "--tasks", "2p-planner", "--games", "100", "--out", str(path)]) == 0
    data = json.loads(path.read_text())
    assert data["figures"]["positions"]["games"] == 6
    assert verified(path, data) == 0
    said = capsys.readouterr().out
    assert re.search(r"^positions .* in 6 positions: bit for bit$", said, re.MULTILINE)
    data["figures"]["positions"]["value"] = data["figures"]["positions"]["low"] = -40.0
    assert verified(path, data) == 1
    book.write_text("[]")
    assert submit.main(["appraiser", "--games", "100", "--tasks", "2p-planner", "--out", str(path)]) == 2


def test_an_agent_that_never_wins_is_compared_as_well() -> None:
    never, rarely, half = Figure(0.0, 0.0, 0.0, 1000), Figure(0.002, 0.0, 0.006, 1000), Figure(0.5, 0.5, 0.5, 1000)
    assert verify.differs("task", never, never, 1) is None
    assert verify.differs("task", rarely, never, 1) is None
    assert "an interval of 0.000 is not that" in verify.differs("task", half, Figure(0.5, 0.48, 0.52, 1000), 1)
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


# --- what is refused --------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "version": (lambda r: r | {"benchmark": 2}, "benchmark 2 is not the 1 of this checkout"),
    "environment": (lambda r: r | {"environment": "v9"}, "environment 'v9' is not the"),
    "board": (lambda r: r | {"board": "0" * 64}, "board '000"),
    "format": (lambda r: r | {"format": "bohemian-result/0"}, "is no result: its format is not 'bohemian-result/1'"),
    "record": (lambda r: {"format": "bohemian-villages/1"}, "is no result"),
    "list": (lambda r: [r], "is no result"),
    "cut": (lambda r: json.dumps(r)[:-50], "is not JSON"),
    "empty": (lambda r: "", "is not JSON"),
    "deep": (lambda r: "[" * 60_000, "is not JSON"),
    "long number": (lambda r: json.dumps(r).replace("400", "4" * 10_000), "is not JSON"),
    "large": (lambda r: json.dumps(r) + " " * 10_000_000, f"has more than {LARGEST:,} bytes"),
    "missing": (lambda r: {k: v for k, v in r.items() if k != "seed"}, "'seed' is missing"),
    "more": (lambda r: r | {"run": "rm -rf /"}, "'run' is not known"),
    "no figures": (lambda r: r | {"figures": {}}, "figures are of 2p-planner"),
    "another task": (lambda r: r | {"figures": {"9p": 1}}, "figures are of 2p-planner"),
    "few games": (lambda r: altered(r, games=FEWEST - 1), f"{FEWEST - 1} games, 0 failed"),
    "failed": (lambda r: altered(r, failed=401), "400 games, 401 failed"),
    "outside": (lambda r: altered(r, low=0.9), "is no win share"),
    "above": (lambda r: altered(r, value=1.2, high=1.3), "is no win share"),
    "nan": (lambda r: altered(r, value=float("nan")), "value: nan is not what stands there"),
    "unprintable": (lambda r: r | {"agent": "\x1b[2J"}, "agent: '\\x1b[2J' is not what stands there"),
    "training": (lambda r: r | {"training": {"command": "x"}}, "training: 'cell' is missing"),
}  # fmt: skip


def altered(result: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A result with another figure in one task."""
    figure = result["figures"]["2p-planner"] | parts
    return result | {"figures": result["figures"] | {"2p-planner": figure}}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence(
    how: str, result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, said = BROKEN[how]
    assert verified(tmp_path / "result.json", change(result)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
    assert len(told.err) < 400


def test_no_value_in_it_is_too_odd_for_a_sentence(result: dict[str, Any], tmp_path: Path) -> None:
    path, tried, taken = tmp_path / "result.json", 0, 0

    def everywhere(value: Any, odd: Any) -> list[Any]:
        found = [odd]
        if isinstance(value, dict):
            found += [value | {key: one} for key in value for one in everywhere(value[key], odd)]
        return found

    for odd in ODD.values():
        for changed in everywhere(result, odd):
            try:
                path.write_text(json.dumps(changed))
            except TypeError:
                continue  # what JSON cannot say
            tried += 1
            with contextlib.suppress(BadResult):
                read(path)
                taken += 1
    assert 0 < taken < tried / 5


def test_missing_files_and_absurd_options_get_a_sentence(
    result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify.main([str(tmp_path / "nowhere.json")]) == 2
    assert verify.main([str(tmp_path)]) == 2
    assert verified(tmp_path / "r.json", result, "--games", "5") == 2
    assert verified(tmp_path / "r.json", result, "--agent", "nobody") == 2
    assert verified(tmp_path / "r.json", result, "--agent", "greedy", "--program", "sh") == 2
    out = ["--out", str(tmp_path / "o.json")]
    assert submit.main(["nobody", *out]) == 2
    assert submit.main(["greedy", *out, "--games", "5"]) == 2
    assert submit.main(["greedy", *out, "--seed", "-1"]) == 2
    assert verified(tmp_path / "r.json", result, "--seed", str(2**63)) == 2
    assert submit.main(["greedy", *out, "--training", "python train.py"]) == 2
    assert submit.main(["greedy", "--out", str(tmp_path / "no" / "folder.json")]) == 2
    assert submit.main(out) == 2
    assert submit.main(["greedy", "--run", str(tmp_path / "r.json"), *out]) == 2
    assert submit.main(["--run", str(tmp_path / "r.json"), *out]) == 2
    for hours in ("nan", "inf", "-1", "1e10"):
        assert submit.main(["greedy", *out, "--training", "python train.py", f"--hours={hours}"]) == 2
    for training in ("", "x" * 301, "a\nb"):
        assert submit.main(["greedy", *out, "--training", training, "--hours", "1"]) == 2
    assert submit.main(["x" * 301, *out]) == 2
    assert capsys.readouterr().err.count("\n") == 22
    assert not (tmp_path / "o.json").exists()


# --- programs ---------------------------------------------------------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a trace when it is started, and the trace."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path / 'trace'}\n")
    path.chmod(0o755)
    return path, tmp_path / "trace"


@pytest.mark.parametrize("kind", ["program:{}", "program:50ms:{}", "python:{}", "search:{}", "{}"])
def test_nothing_that_a_file_names_is_run(
    kind: str, trap: tuple[Path, Path], result: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, trace = trap
    assert verified(tmp_path / "result.json", result | {"agent": kind.format(path)}) == 2
    assert "which does not come with the project: name it with --" in capsys.readouterr().err
    for training in ({"command": str(path), "hours": 1, "cell": None}, None):
        assert verified(tmp_path / "result.json", altered(result, value=0.99, high=0.99) | {"training": training}) == 1
    assert not trace.exists()


@pytest.mark.parametrize("name", ["program:ppo", "program:appraiser", "program:1ms:ppo", "python:ppo", "./ppo"])
def test_nothing_is_run_that_is_called_like_an_agent_of_ours(
    name: str, trap: tuple[Path, Path], result: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, trace = trap
    for called in ("ppo", "appraiser"):
        (tmp_path / called).symlink_to(path)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.chdir(tmp_path)
    assert verified(tmp_path / "result.json", result | {"agent": name}) == 2
    assert not trace.exists()


@pytest.mark.slow
def test_a_program_is_verified_where_the_command_line_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "planner_games", lambda: 2500.0)
    path, command = tmp_path / "counter.json", f"{sys.executable} -S {COUNTER}"
    options = ["--tasks", "2p-planner", "--games", "100", "--jobs", "1"]
    assert submit.main([f"program:900ms:{command}", "--out", str(path), *options]) == 0
    data = json.loads(path.read_text())
    assert data["said"] == "counter"
    assert COUNTER.name in data["files"]
    assert verify.agent_of(read(path), _named(program="./mine --fast")) == "program:900ms:./mine --fast"
    assert verify.main([str(path), "--program", command, "--jobs", "1"]) == 0
    assert "verified: program:900ms:" in capsys.readouterr().out
    other = tmp_path / "other.py"
    other.write_text(COUNTER.read_text())
    assert verify.main([str(path), "--program", f"{sys.executable} -S {other}", "--jobs", "1"]) == 1
    assert "differs: the agent is another one: counter.py, other.py is not the file" in capsys.readouterr().out


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
        (entrant, _) = maker(f"program:{command}")(0)
        found = files_of(entrant)
        dismiss([entrant])
        assert [name for name in found if "python" not in name] == names
        assert len({*found.values()}) == len(found)


def _named(agent: str | None = None, program: str | None = None) -> Any:
    return argparse.Namespace(agent=agent, program=program)


# --- runs of the benchmark --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The result of a short run of the benchmark, and the folder with the agent."""
    folder = tmp_path_factory.mktemp("runs")
    cell = Cell("pqn", "2p-planner", 1, "decisions", 2000.0, chosen("pqn"))
    run_here(cell, Plan(points=0, games=100, transfer=False), folder, folder)
    options = ["--runs", str(folder), "--tasks", "2p-planner", "--games", "200", "--out", str(folder / "pqn.json")]
    assert submit.main(["--run", str(folder / f"{cell.name}.json"), *options]) == 0
    return folder / "pqn.json", folder / f"{cell.name}.safetensors"


@pytest.mark.slow
def test_a_run_is_verified_from_its_file_and_trained_again(
    trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, agent = trained
    assert json.loads(path.read_text())["files"].keys() == {"pqn-1.safetensors"}
    assert verify.main([str(path), "--agent", str(agent), "--same-seeds"]) == 0
    assert verify.main([str(path), "--retrain", "--runs", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.count("verified: decisions-2000/2p-planner/pqn-1, 2p-planner, positions; seeds from") == 2
    assert "trains again: python -m benchmarks.learning run --algorithms pqn --tasks 2p-planner --first-seed 1" in said
    assert "Its weights came out the same, bit for bit." in said
    assert verify.main([str(path)]) == 2
    assert "name it with --agent AGENT, or train it with --retrain" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"algorithm": "os"}, "unknown algorithm 'os'"),
        ({"task": "9p"}, "unknown task '9p'"),
        ({"unit": "years"}, "unknown unit 'years'"),
        ({"seed": 10**7}, "seed 10000000 is not a whole number from 0"),
        ({"settings": {"games": 10**9}}, "its settings or its budget are none of the benchmark's"),
        ({"settings": {"os": 1}}, "unknown setting 'os'"),
        ({"settings": {"horizon": 32.0}}, "pqn: horizon 32.0 is not a whole number of at least 1"),
        ({"budget": 5e8}, "its settings or its budget are none of the benchmark's"),
        ({"budget": 0}, "not above 0"),
    ],
)
def test_only_runs_of_the_benchmark_are_trained_again(
    fields: dict[str, Any], said: str, trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(trained[0].read_text())
    data["training"]["cell"] |= fields
    assert verified(tmp_path / "r.json", data, "--retrain", "--runs", str(tmp_path)) == 2
    assert said in capsys.readouterr().err
    data["training"]["cell"] = None
    assert verified(tmp_path / "r.json", data, "--retrain", "--runs", str(tmp_path)) == 2
    assert "the result is not of a run of the benchmark" in capsys.readouterr().err


def test_a_run_with_settings_of_its_own_is_played_again_but_not_trained(
    trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(trained[0].read_text())
    data["training"]["cell"]["settings"] = {"horizon": 16}
    assert verified(tmp_path / "r.json", data, "--agent", str(trained[1]), "--same-seeds") == 0
    assert 'settings of its own, not the benchmark\'s: {"horizon": 16}' in capsys.readouterr().out
    assert verified(tmp_path / "r.json", data, "--retrain", "--runs", str(tmp_path)) == 2
    assert "its settings or its budget are none of the benchmark's" in capsys.readouterr().err


def test_weights_that_come_out_differently_are_told(
    trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(trained[0].read_text())
    data["training"]["cell"]["seed"] = 2
    status = verified(tmp_path / "r.json", data, "--retrain", "--runs", str(tmp_path))
    said = capsys.readouterr().out
    assert status == (0 if "verified: " in said else 1)
    assert "differs: the agent is another one: pqn-1.safetensors, pqn-2.safetensors is not the file" in said
    assert "so its games are compared all the same" in said


ROWS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "version": (lambda r: r | {"benchmark": 0}, "is a row of version 0 of the benchmark; this is version 1"),
    "environment": (
        lambda r: r | {"versions": r["versions"] | {"environment": "bohemian_villages_v9"}},
        "is of 'bohemian_villages_v9', and not of bohemian_villages_v0",
    ),
    "algorithm": (lambda r: r | {"algorithm": "os"}, "holds no row of a run"),
    "list": (lambda r: r | {"algorithm": []}, "holds no row of a run"),
    "settings": (lambda r: r | {"settings": {"games": 0}}, "pqn: games 0 is not a whole number of at least 1"),
    "defaults": (
        lambda r: r | {"defaults": {"games": 9}},
        "its algorithm had other defaults than the one here: {'games'",
    ),
    "transfer": (lambda r: r | {"transfer": {"9 players": r["score"]}}, "'2p-planner on 9 players' is nothing"),
    "no transfer": (lambda r: r | {"transfer": None}, "holds no row of a run"),
    "seed": (lambda r: r | {"score": r["score"] | {"seed": -1}}, "is not that of a row"),
    "share": (lambda r: r | {"score": r["score"] | {"low": 0.9}}, "2p-planner is no win share of 100 games or more"),
    "text": (lambda r: r | {"score": r["score"] | {"high": "x"}}, "2p-planner is no win share of 100 games or more"),
    "games": (lambda r: r | {"score": r["score"] | {"games": 9}}, "2p-planner is no win share of 100 games or more"),
    "seconds": (lambda r: r | {"seconds": "1"}, "its numbers are none"),
    "lost": (lambda r: r | {"positions": r["positions"] | {"low": 999}}, "are no loss of a decision with its interval"),
    "nothing lost": (lambda r: r | {"positions": r["positions"] | {"high": None}}, "are no loss of a decision"),
}


@pytest.mark.parametrize("how", ROWS)
def test_a_row_of_another_kind_is_refused(
    how: str, trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, said = ROWS[how]
    row = json.loads(trained[1].with_suffix(".json").read_text())
    path = tmp_path / "pqn-1.json"
    assert verified(path, change(row), "--agent", str(trained[1])) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_row_of_the_benchmark_is_verified_and_a_forged_one_is_not(
    trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row, path = json.loads(trained[1].with_suffix(".json").read_text()), tmp_path / "pqn-1.json"
    for options in (["--agent", str(trained[1])], ["--retrain", "--runs", str(tmp_path)]):
        assert verified(path, row, *options) == 0
        assert verified(path, row, *options, "--same-seeds") == 0
        said = capsys.readouterr().out
        assert said.count("verified: decisions-2000/2p-planner/pqn-1, 2p-planner, positions; seeds from") == 2
        assert said.count("positions: bit for bit") == 2  # these are always the same
        assert said.count("games: bit for bit") == 1
    forged = row | {"score": row["score"] | {"share": 0.9, "high": 0.95}}
    assert verified(path, forged, "--agent", str(trained[1])) == 1
    assert "differs: 2p-planner: 0.900 is claimed, 0.0" in capsys.readouterr().out
    lost = row["positions"]
    assert verified(path, row | {"positions": lost | {"value": 0, "low": 0}}, "--agent", str(trained[1])) == 1
    assert "differs: positions: 0.000 is claimed, " in capsys.readouterr().out
    assert verified(path, row | {"positions": lost | {"book": "another"}}, "--agent", str(trained[1])) == 0
    assert "positions" not in capsys.readouterr().out  # which are not here
    timed = row | {"unit": "minutes", "budget": 10.0, "reference": 4800.0}
    assert verified(path, timed, "--agent", str(trained[1])) == 0
    assert "Of the run: its minutes were counted by a reference of 4,800, " in capsys.readouterr().out
    assert verified(path, row) == 2
    assert "name it with --agent AGENT, or train it with --retrain" in capsys.readouterr().err


def test_a_row_whose_agent_is_missing_is_told_with_what_makes_it(
    trained: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = trained[1].with_suffix(".json")
    assert submit.main(["--run", str(row), "--runs", str(tmp_path), "--out", str(tmp_path / "r.json")]) == 2
    said = capsys.readouterr().err
    assert f"pqn-1.safetensors is not there: {json.loads(row.read_text())['command']} --out {tmp_path}/again " in said
    assert f" --work {tmp_path} makes it" in said


def test_every_number_of_players_has_a_task() -> None:
    assert list(TASKS.values()) == [2, 3, 4, 5]
