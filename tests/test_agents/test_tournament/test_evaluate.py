"""evaluate.py: what it prints, writes and refuses."""

import csv
import errno
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import evaluate
from agents.pretrained import shipped_path
from agents.tournament import compare, enter, picture
from agents.tournament.play import play_chunk
from bohemian_env import Board, Game, Setup
from tests.helpers import ROOT, fails_at, run_python, status_of

SIX = "Chlumhof,Ebersgrun,Grundow,Itschkau,Kunzendorf,Nenbrad"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs the command in an empty folder: exit status, output, errors."""
    monkeypatch.chdir(tmp_path)

    def run(*argv: str) -> tuple[int, str, str]:
        return status_of(evaluate.main, *argv), *capsys.readouterr()

    return run


def test_table_names_everything_that_one_needs_to_repeat_it(run: Any) -> None:
    status, out, err = run("greedy", "random", "--games", "200", "--seed", "40")
    assert (status, err) == (0, "")
    row = next(line.split() for line in out.splitlines() if line.split()[:2] == ["greedy", "random"])
    assert 0.9 < float(row[3]) < 1
    assert "200 games a table" in out
    assert "python evaluate.py greedy random --games 200 --seed 40" in out
    assert "Seeds 40 to 139" in out
    assert "bohemian_villages_v0" in out
    assert Board.standard().digest[:12] in out


def test_json_holds_all_numbers(run: Any, tmp_path: Path) -> None:
    argv = f"greedy random greedy --games 50 --json table.json --villages {SIX} --max-turns 99".split()
    assert run(*argv)[0] == 0
    data = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert data["command"] == f"python evaluate.py {' '.join(argv)}"
    assert (data["arguments"]["villages"], data["arguments"]["max_turns"]) == (SIX, 99)
    assert data["board"] == Board.standard().digest
    assert data["versions"]["environment"] == "bohemian_villages_v0"
    assert [agent["name"] for agent in data["agents"]] == ["greedy", "random", "greedy (2)"]
    assert all(agent["decisions"] > 0 and agent["milliseconds_per_move"] > 0 for agent in data["agents"])
    assert data["rating"] == {"anchor": "greedy", "at": 1000}
    assert data["agents"][0]["rating"] == {"value": 1000, "low": 1000, "high": 1000}
    assert (data["players"], data["fair_share"], data["first_seed"], data["games"]) == (2, 0.5, 0, 150)
    pairs = [["greedy", "random"], ["greedy", "greedy (2)"], ["random", "greedy (2)"]]
    assert [table["seats"] for table in data["tables"]] == pairs
    for table in data["tables"]:
        assert (table["games"], table["games_asked"], table["seeds"]) == (50, 50, 25)
        assert sum(table["ends"].values()) == 50
        assert [result["agent"] for result in table["results"]] == table["seats"]
        for result in table["results"]:
            share = result["win_share"]
            assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
            assert np.mean([seat["value"] for seat in result["win_share_by_seat"]]) == pytest.approx(share["value"])
            assert result["margin"]["low"] < result["margin"]["value"] < result["margin"]["high"]
        assert sum(result["win_share"]["value"] for result in table["results"]) == pytest.approx(1)


def test_one_seed_has_null_where_nothing_can_be_said(run: Any, tmp_path: Path) -> None:
    status, out, _ = run("greedy", "random", "--games", "1", "--json", "table.json")
    assert status == 0
    assert "unknown" in out
    (table,) = json.loads((tmp_path / "table.json").read_text())["tables"]
    result = table["results"][0]
    assert result["margin"]["low"] is result["margin"]["high"] is None
    assert result["win_share"]["low"] == 0


def test_markdown_is_a_table_under_its_command(run: Any, tmp_path: Path) -> None:
    assert run("greedy", "random", "--games", "20", "--players", "5", "--markdown", "table.md")[0] == 0
    lines = (tmp_path / "table.md").read_text(encoding="utf-8").splitlines()
    command = "python evaluate.py greedy random --games 20 --players 5 --markdown table.md"
    assert lines[:4] == ["```", command, "```", ""]
    *tables, _ = "\n".join(lines[4:]).split("\n\n")
    for table in tables:
        assert len({line.count("|") for line in table.strip().splitlines()}) == 1


def rows_of(out: str, title: str) -> list[list[str]]:
    """Cells of the printed table under a title, its head first; cells are two spaces apart."""
    lines = takewhile(str.strip, out.split(title, 1)[1].strip().splitlines())
    return [re.split(r"  +", line.strip()) for line in lines if "─" not in line]


def test_every_part_of_the_report_is_printed(run: Any, tmp_path: Path) -> None:
    argv = ("greedy", "random", "greedy", "--players", "3", "--games", "60", "--json", "table.json")
    status, out, _ = run(*argv)
    assert status == 0
    data = json.loads((tmp_path / "table.json").read_text())
    shares = {tuple(table["seats"]): table["results"] for table in data["tables"]}
    cross = rows_of(out, "Win share alone among copies of")
    assert cross[0] == ["agent", "greedy", "random", "greedy (2)"]
    alone = [f"{shares['random', one, one][0]['win_share']['value']:.3f}" for one in ("greedy", "greedy (2)")]
    assert cross[2] == ["random", alone[0], "–", alone[1]]
    ratings = rows_of(out, "Ratings")
    assert ratings[0] == ["agent", "rating", "95 %", "total", "ms a move"]
    told = {agent["name"]: round(agent["rating"]["value"]) for agent in data["agents"]}
    assert {row[0]: float(row[1]) for row in ratings[1:]} == told
    totals = {row[0]: float(row[3]) for row in ratings[1:]}
    assert totals == pytest.approx({agent["name"]: agent["total"] for agent in data["agents"]}, abs=0.006)
    assert rows_of(out, "Length of a game, and how it ended")[-1][1:3] == ["420", f"{data['turns']['value']:.1f}"]
    assert "nan" not in out


def test_csv_has_a_row_for_each_table_and_agent(run: Any, tmp_path: Path) -> None:
    options = ("--players", "4", "--games", "8", "--csv", "table.csv", "--json", "table.json")
    assert run("greedy", "random", *options)[0] == 0
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = json.loads((tmp_path / "table.json").read_text())["tables"]
    results = [(table, result) for table in tables for result in table["results"]]
    assert [row["table"] for row in rows[::2]] == ["greedy, 3 × random", "random, 3 × greedy", "2 × greedy, 2 × random"]
    for row, (table, result) in zip(rows, results, strict=True):
        assert (row["agent"], int(row["copies"])) == (result["agent"], result["copies"])
        assert (row["players"], row["games"], row["seeds"], row["fair_share"]) == ("4", "8", "2", "0.25")
        for name in ("win_share", "margin"):
            for column, key in (("", "value"), ("_low", "low"), ("_high", "high")):
                assert float(row[name + column]) == result[name][key]
        for seat, share in enumerate(result["win_share_by_seat"]):
            assert float(row[f"win_share_seat_{seat}"]) == share["value"]
        assert float(row["turns"]) == table["turns"]["value"]
        assert [int(row[end]) for end in ("no_figures", "bank_empty", "truncated")] == list(table["ends"].values())
    assert run("greedy", "random", "--games", "1", "--csv", "table.csv")[0] == 0
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        assert [row["margin_low"] for row in csv.DictReader(file)] == ["", ""]  # one seed says nothing of it


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.PNG", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_plot_is_the_same_for_the_same_games(run: Any, tmp_path: Path, name: str, begins: bytes) -> None:
    content = []
    for _ in range(2):
        assert run("greedy", "random", "greedy", "--games", "20", "--plot", name)[0] == 0
        content.append((tmp_path / name).read_bytes())
    assert content[0] == content[1]
    assert content[0].startswith(begins)
    assert run("greedy", "random", "greedy", "--games", "22", "--plot", name)[0] == 0
    assert (tmp_path / name).read_bytes() != content[0]


def test_plot_without_duels_and_with_odd_names() -> None:
    """Without duels the ratings are all; a name is drawn as it is, also where matplotlib would read formulas."""
    entrants = [replace(one, name=name) for one, name in zip(enter(["random"] * 3, 0), ("$a$", "b_", "$"), strict=True)]
    comparison = compare(entrants, Setup.of(players=3), games=6, tables="mixed")
    assert picture(comparison, "svg").startswith(b"<?xml")


def test_records_replay_with_the_names_of_the_agents(run: Any, tmp_path: Path) -> None:
    assert run("greedy", "random", "--games", "4", "--seed", "9", "--records", "games.jsonl")[0] == 0
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    seats = [(seed, *pair) for seed in (9, 10) for pair in (("greedy", "random"), ("random", "greedy"))]
    assert [(record["seed"], *record["players"]) for record in records] == seats
    assert all(Game.from_record(record).over for record in records)


def test_board_and_coin_supply_reach_the_games(run: Any, tmp_path: Path) -> None:
    shipped = ROOT / "bohemian_env" / "villages" / "villages.toml"
    text = shipped.read_text(encoding="utf-8").replace("special_action_tiles = 7", "special_action_tiles = 5")
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    options = ("--board", "board.toml", "--coin-supply", "60", "--records", "games.jsonl")
    status, out, _ = run("random", "greedy", "--games", "2", *options)
    assert status == 0
    assert Board.load(tmp_path / "board.toml").digest[:12] in out
    record = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    assert (record["special_action_tiles"], record["coin_supply"]) == (5, 60)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["greedy", "gredy"], "unknown agent 'gredy': known are random, greedy"),
        (["greedy", "random", "--games", str(10**12)], "1,000,000,000,000 games at all tables together"),
        (["greedy", "random", "--json", "nowhere/x.json"], "cannot write nowhere/x.json: nowhere is not a folder"),
        (["greedy", "random", "--markdown", "empty"], "cannot write empty: it is not a file"),
        (["greedy", "random", "--json", "x", "--markdown", "x"], "x is named for two outputs"),
        (["greedy", "random", "--board", "file.txt"], "file.txt: format None is not 1"),
        (["greedy", "random", "--tables", "one", "--players", "3"], "2 agents at a table for 3 players"),
        (["greedy", "random", "--plot", "table.gif"], "cannot draw table.gif: a plot is a file whose name ends in"),
        (["greedy", "random", "--games", "2", "--work", "file.txt"], "file.txt"),
    ],
)
def test_bad_input_is_told_in_a_sentence(run: Any, tmp_path: Path, argv: list[str], said: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").touch()
    if "--json" not in argv:
        argv = [*argv, "--json", "table.json"]
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert said in err.splitlines()[-1]
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file.txt"]


def test_games_are_played_without_keeping_them_where_there_is_no_room(run: Any, tmp_path: Path) -> None:
    (tmp_path / "runs").touch()  # no folder
    status, out, err = run("greedy", "random", "--games", "2", "--jobs", "1")
    assert status == 0
    assert "2 games a table" in out
    assert err.startswith("evaluate.py: cannot keep games in runs/tournaments: ")
    assert "--work FOLDER" in err
    assert err.count("\n") == 1


def test_a_full_disk_is_told_in_a_sentence(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path.name))

    (tmp_path / "table.csv").write_text("old")
    monkeypatch.setattr("agents.tournament.kept.write_atomically", fill)
    status, out, err = run("greedy", "random", "--games", "2", "--jobs", "1", "--csv", "table.csv")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == "evaluate.py: 0.npz: No space left on device"
    assert "Traceback" not in err
    assert (tmp_path / "table.csv").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"runs", "table.csv"}


def test_an_interrupt_leaves_no_half_written_file(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = fails_at(2, play_chunk)  # the first table is played
    monkeypatch.setattr("agents.tournament.workers.play_chunk", pressed)
    (tmp_path / "table.json").write_text("old")
    outputs = ("--json", "table.json", "--markdown", "table.md", "--records", "games.jsonl")
    status, out, err = run("random", "greedy", "random", "--games", "4", "--jobs", "1", *outputs)
    assert (status, out) == (130, "")
    assert "interrupted" in err
    assert (tmp_path / "table.json").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs", "table.json"]
    (kept,) = (tmp_path / "runs" / "tournaments").iterdir()
    assert sorted(path.name for path in kept.iterdir()) == [".lock", "0.npz"]


def test_results_that_cannot_be_shown_are_not_lost(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk that they are sent to is full, the games are kept for the same command."""
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, "No space left on device")
        patch.setattr("agents.tournament.print_report", Mock(side_effect=full))
        status, out, err = run("random", "greedy", "--games", "4")
    assert (status, out) == (2, "")
    assert "No space left on device" in err
    assert list((tmp_path / "runs" / "tournaments").rglob("*.npz"))
    assert run("random", "greedy", "--games", "4")[0] == 0
    assert not list((tmp_path / "runs").rglob("*.npz"))


def test_names_that_no_text_can_hold_are_written_as_escapes(run: Any, tmp_path: Path) -> None:
    """Paths may hold any bytes, a JSON file no half characters."""
    shutil.copy(shipped_path(2), "x\udcff.safetensors")
    shutil.copy(shipped_path(2).with_suffix(".json"), "x\udcff.json")
    assert run("./x\udcff.safetensors", "greedy", "--games", "2", "--json", "out.json")[0] == 0
    assert "x\udcff" in json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["command"]


@pytest.mark.slow
def test_as_a_command_it_loads_no_torch_unless_an_agent_needs_it(tmp_path: Path) -> None:
    code = "import evaluate, sys; status = evaluate.main(); assert 'torch' not in sys.modules; sys.exit(status)"
    result = run_python("-W", "error", "-c", code, "greedy", "random", "--games", "2", folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")  # no progress bar where nobody looks
    assert "greedy" in result.stdout
    result = run_python(ROOT / "evaluate.py", "greedy", "nobody", folder=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("evaluate.py: unknown agent 'nobody'")
