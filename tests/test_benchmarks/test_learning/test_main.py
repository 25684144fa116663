"""The command `python -m benchmarks.learning`, and the settings that it chooses."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import settings, tune
from benchmarks.learning.__main__ import main
from benchmarks.learning.cells import module_of
from tests.helpers import Ends

pytestmark = pytest.mark.slow
QUICK = ["--plan", '{"points": 1, "curve_games": 4, "games": 8, "transfer": false}', "--jobs", "1"]


def test_a_run_by_command_is_the_one_that_its_row_names(tmp_path: Path, ends: Ends) -> None:
    places = ["--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    small = ["--settings", '{"population": 4, "games": 4}', "--decisions", "300"]
    options = ["run", "--tasks", "2p-greedy", "--algorithms", "evolution", "--first-seed", "2", "--seeds", "1", *small]
    said, again = (ends(0, main, *options, *QUICK, *places).out for _ in range(2))
    assert re.match(r"1 of 1: 2p-greedy, evolution, seed 2: \d+ s, win share 0\.\d{3}\n$", said)
    assert f"evolution, seed 2: kept, not run: its row in {tmp_path / 'out'} has win share 0." in again
    (path,) = (tmp_path / "out").rglob("*.json")
    row = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    assert main([*shlex.split(row["command"])[3:], *QUICK, *places]) == 0
    again = json.loads(path.read_text(encoding="utf-8"))
    assert (again["score"]["share"], again["decisions"]) == (row["score"]["share"], row["decisions"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tasks", "3p"], "unknown task '3p'; known are"),
        (["--seeds", "0"], "--seeds 0: at least 1"),
        (["--settings", "5"], "settings 5: expected an object"),
        (["--out", __file__], "test_main.py"),
        (["--plan", '{"x": 1}'], '--plan {"x": 1}: an object with some of points'),
        (["--ray", "nowhere"], "is no address of a Ray cluster"),
    ],
)
def test_what_cannot_be_run_gets_a_sentence(
    options: list[str], message: str, tmp_path: Path, ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("benchmarks.learning.workers._in_processes")  # else a mistake would cost hours
    said = ends(2, main, "run", "--out", tmp_path, "--work", tmp_path, *options).err
    assert message in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["tune", "--algorithms", "x"], "unknown algorithm 'x'; known are"),
        (["tune", "--out", "{no.toml}"], "no.toml is not TOML: "),
        (["tune", "--out", "{flat.toml}"], "flat.toml: cloning is not a table of settings"),
        (["play", "--agents", "program:false"], "program:false"),
        (["play", "--out", "{flat.toml}"], "flat.toml"),
        (["exploit", "--decisions", "0"], "decisions 0 is not above 0"),
        (["exploit", "--by", "cloning"], "--by cloning: it learns no response to an agent"),
    ],
)
def test_other_commands_that_cannot_be_done_get_a_sentence(
    options: list[str], message: str, tmp_path: Path, ends: Ends
) -> None:
    (tmp_path / "no.toml").write_text("= 1", encoding="utf-8")
    (tmp_path / "flat.toml").write_text("cloning = 5", encoding="utf-8")
    (tmp_path / "work").mkdir()
    told = [str(tmp_path / one[1:-1]) if one.startswith("{") else one for one in options]
    places = ["--work", str(tmp_path / "work"), "--jobs", "1"][: 2 if options[0] == "exploit" else 4]
    said = ends(2, main, *told, *places).err
    assert message in said.splitlines()[-1]
    assert "Traceback" not in said


def test_settings_are_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    tables = {"tuning": {"task": "2p-planner", "draws": 8}, "pqn": {"rate": 0.0005, "reward": "win", "normalize": True}}
    settings.write(tables, file)
    assert settings.read(file) == tomllib.loads(file.read_text(encoding="utf-8")) == tables
    assert settings.chosen("pqn", file) == tables["pqn"]
    assert settings.chosen("a2c", file) == {}
    assert settings.chosen("a2c", tmp_path / "none.toml") == {}


def test_the_settings_that_are_kept_are_among_those_that_were_drawn() -> None:
    """And were chosen with the same budget for all."""
    tables = settings.read()
    assert len(tables) > 1
    for name in set(tables) - {settings.TUNING}:
        assert tables[name] in tune.draws(name, tables[settings.TUNING]["draws"])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_draws_are_different_and_begin_with_the_defaults(name: str) -> None:
    found, space = tune.draws(name, 8), module_of(name).SPACE
    assert found[0] == {}
    assert len(found) == 8
    assert all(found.count(one) == 1 for one in found)
    assert all(drawn.keys() == space.keys() for drawn in found[1:])
    assert all(drawn[key] in values for drawn in found[1:] for key, values in space.items())
    assert tune.draws(name, 4) == found[:4]


def test_the_best_draw_has_the_highest_mean_reward() -> None:
    def rows(*rewards: float) -> list[dict[str, Any]]:
        return [{"score": {"mixed": reward}} for reward in rewards]

    tried = [rows(0.1, 0.1), rows(-0.5, 0.8), rows(0.9, -0.8)]
    assert tune.best(tried) == tried[1]


def test_settings_of_other_algorithms_stay() -> None:
    first = tune.tables({"pqn": [{"settings": {"rate": 1.0}}]}, {})
    both = tune.tables({"a2c": [{"settings": {}}]}, first)
    assert both == {settings.TUNING: first[settings.TUNING], "a2c": {}, "pqn": {"rate": 1.0}}


def test_settings_are_chosen_by_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "DRAWS", 2)
    monkeypatch.setattr(tune, "DECISIONS", 300)
    file = tmp_path / "settings.toml"
    options = ["tune", "--algorithms", "evolution", "--out", str(file), "--work", str(tmp_path / "work")]
    assert main([*options, "--jobs", "1"]) == 0
    tables = settings.read(file)
    assert tables[settings.TUNING] == {
        "task": "2p-planner", "draws": 2, "decisions": 300, "first_seed": 1000, "seeds": 2, "games": 1000,
    }  # fmt: skip
    assert tables["evolution"] in tune.draws("evolution", 2)
