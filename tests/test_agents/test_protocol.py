"""Our agents behind the protocol: they decide as they do without it, and a line that will not do gets a sentence."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

import agents
from agents import protocol
from agents.players.program import LONGEST_LINE, decision
from agents.pretrained import SELF_TAUGHT_FOLDER
from bohemian_env import Batch, Game
from tests.helpers import ROOT, Ends, run_python

GAME = Game.new(3, seed=4).roll()


@pytest.mark.parametrize("name", ["appraiser", pytest.param("ppo", marks=pytest.mark.slow)])
def test_an_agent_behind_the_protocol_decides_as_it_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    served: Any = agents.make(f"program:{sys.executable} -m agents.protocol {name}")
    batch = Batch(3, 3)
    for _ in range(8):
        actions = agents.make(name).act_batch(batch)
        assert_array_equal(served.act_batch(batch), actions)
        batch.step(actions)
    assert served.said == name
    served.end()


def said(lines: str | bytes, name: str = "planner", game: str | None = None) -> list[str]:
    """What is answered to some lines."""
    answers = io.BytesIO()
    protocol.serve(name, 1, io.BytesIO(lines if isinstance(lines, bytes) else lines.encode()), answers, game)
    return answers.getvalue().decode().splitlines()


def test_it_answers_line_by_line() -> None:
    best = f"bestmove {agents.make('planner', 1).move(GAME)}"
    asked = decision(GAME, 100)
    assert said(f"hello 1\nisready\nnewgame\n{asked}fnord 3\n\n{asked}quit\n{asked}") == [
        "hello 1 planner", "readyok", best, best,
    ]  # fmt: skip
    assert said(asked.replace("\n", "\r\n")) == [best]
    assert said(f"hello 1\n{asked}".encode("utf-8-sig")) == ["hello 1 planner", best]  # with a byte order mark
    assert said("") == said("quit") == said("newgame\n") == []


def test_networks_for_some_tables_are_ready_for_these(tmp_path: Path) -> None:
    """As those of one run of ``agents.training.td`` are."""
    shutil.copy(SELF_TAUGHT_FOLDER / "3-players.npz", tmp_path)
    name = f"appraiser:{tmp_path}"
    best = f"bestmove {agents.make('selftaught').move(GAME)}"
    assert said(f"hello 1\nisready\n{decision(GAME, 100)}", name) == [f"hello 1 {name}", "readyok", best]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("hello 3\n", r"asks for another version than 'hello 1' and 'hello 2'"),
        ("go 5\n", "'go' without a position"),
        (f"{decision(GAME, 5).replace('go 5', 'go ')}", "'go ' says no whole number"),
        ("position {\n", "not a position: Expecting"),
        (f"position {'[' * 60_000}\n", "not a position: "),
        (f"position {json.dumps(GAME.position() | {'bank': -5})}\n", "not a position: "),
        (b"position \xff\n", "a line is not UTF-8"),
        (f"position {' ' * LONGEST_LINE}\n", "not a position: "),
    ],
)
def test_a_line_that_will_not_do_gets_a_sentence(
    lines: str | bytes, reason: str, monkeypatch: pytest.MonkeyPatch, ends: Ends
) -> None:
    text = lines if isinstance(lines, bytes) else lines.encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    told = ends(2, protocol.main, "planner").err
    assert told.startswith("agents.protocol: ")
    assert reason in told
    assert told.count("\n") == 1
    assert len(told) < 500


def test_an_unknown_agent_gets_a_sentence_and_a_closed_pipe_none(tmp_path: Path) -> None:
    done = run_python("-m", "agents.protocol", "nobody")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    command = [sys.executable, "-m", "agents.protocol", "greedy"]
    with subprocess.Popen(command, cwd=ROOT, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdout.close()
        _, told = process.communicate(b"hello 1\n" * 10_000)
    assert (process.returncode, told) == (1, b"")
