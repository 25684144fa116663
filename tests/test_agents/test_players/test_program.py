"""Programs as players: docs/protocol.md, and what becomes of those that do not keep to it."""

import contextlib
import gc
import os
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agents
from agents.players import program
from agents.players.foreign import BadForeign
from agents.players.names import AgentName
from agents.players.process import Broken, Process
from agents.players.program import LONGEST_LINE, ProgramAgent, decision
from bohemian_env import Batch, Game, bohemian_villages_v0
from tests.helpers import ROOT
from tests.waiting import running, there, until

MISBEHAVING = Path(__file__).with_name("misbehaving.py")
GAME = Game.new(2, seed=1).roll()


def misbehaving(how: str, when: int = 1, *more: object, limit: int = 800) -> Any:
    """A program that does this at its decision number ``when``."""
    command = shlex.join(map(str, (sys.executable, "-S", MISBEHAVING, how, when, *more)))
    return agents.make(f"program:{limit}ms:{command}")


def gone(pid: int) -> bool:
    """That a process ends within some time."""
    return bool(until(lambda: not running(pid), f"end of {pid}"))


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No program and no watch over one is there after a test, not even as a zombie, and no descriptor."""
    started: list[int] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append(self.pid)

    monkeypatch.setattr("agents.players.process.subprocess.Popen", Noted)
    gc.collect()
    before = len(os.listdir("/dev/fd"))
    yield
    gc.collect()
    assert len(os.listdir("/dev/fd")) == before
    assert not any(map(there, started))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment for the way, since it is short here."""
    monkeypatch.setattr(program, "GRACE", 0.2)


def test_a_decision_is_a_position_its_legal_moves_and_a_time() -> None:
    first, *legal, last = decision(GAME, 20.4).splitlines()
    assert first.startswith('position {"players":2,"turn":1,')
    assert legal == [f"legal {move}" for move in GAME.legal_moves]
    assert last == "go 20"
    assert decision(GAME, 0.1).endswith("\ngo 1\n")


def test_no_line_is_longer_than_a_program_must_take() -> None:
    """The page says so, and a board whose names are too long for it is refused."""
    batch, longest = Batch(200, 5), 0
    for _ in range(60):
        batch.step(batch.random_actions())
        longest = max(longest, len(decision(Game.from_position(batch.state_dict(0)), 1).split("\n")[0]))
    assert longest < LONGEST_LINE / 8
    position = GAME.position()
    position["villages"][0]["name"] = "é" * 40_000
    with pytest.raises(BadForeign, match=r"a line of more than 65,536 bytes"):
        decision(Game.from_position(position), 1)


def test_a_program_sees_no_seed_and_no_dice_to_come() -> None:
    """Games that differ in their seed alone are told alike."""
    other = Game.from_position(GAME.position(), seed=99)
    assert decision(GAME, 5) == decision(other, 5)
    assert "seed" not in decision(GAME, 5)


ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello 1 ec\\x07ho \\xe9", flush=True)
    if word == "isready":
        print("readyok\\r", flush=True)
    if word == "legal":
        last = rest
    if word == "go":
        print(f"  bestmove {last}  \\r", flush=True)
"""


def echo(tmp_path: Path, log: Path) -> Any:
    """A program that takes the last legal move and writes down all that it is told."""
    path = tmp_path / "echo.py"
    path.write_text(ECHO.replace("file=sys.stderr", f"file=open({str(log)!r}, 'a')"))
    return agents.make(f"program:{sys.executable} {path}")


def test_it_plays_batches_games_and_environments_alike(tmp_path: Path) -> None:
    agent, batch = echo(tmp_path, tmp_path / "log"), Batch(5, 3)
    for _ in range(4):
        expected = 240 - batch.masks[:, ::-1].argmax(1)
        assert agent.act_batch(batch).tolist() == expected.tolist()
        assert agent.act_batch(batch, np.array([3, 1])).tolist() == expected[[3, 1]].tolist()
        assert agent.attempt(batch, np.array([3, 1]))[0].tolist() == expected[[3, 1]].tolist()
        batch.step(expected)
    assert agent.move(GAME) == GAME.legal_moves[-1]
    assert agent.explain(GAME).values[GAME.legal_moves[-1]] == 1
    env = bohemian_villages_v0.env(num_players=2)
    env.reset(seed=1)
    assert agent.act(env) == GAME.legal_actions[-1]
    assert agent.said == "ec?ho é"
    agent.end()


def test_it_is_told_when_the_game_is_another_one(tmp_path: Path) -> None:
    log = tmp_path / "log"
    agent, batch = echo(tmp_path, log), Batch(2)
    for number in (0, 0, 1, 0):
        agent.act_batch(batch, np.array([number]))
    for game in (GAME, GAME, Game.new(2, seed=2).roll(), Game.new(2, GAME.villages, seed=3).roll()):
        agent.move(game)
    agent.end()
    words = [line.partition(" ")[0] for line in log.read_text().splitlines()]
    order = "".join({"newgame": "n", "position": "p", "go": "g", "quit": "q"}.get(word, "") for word in words)
    assert order == "npgpg" + "npg" * 2 + "npgpg" + "npg" * 2 + "q"
    assert words[:3] == ["hello", "isready", "newgame"]


FAILURES = dict.fromkeys(("hang", "stop", "deaf", "leave"), "it did not answer .* within 1 s") | {
    "die": "it ended with status 3",
    "crash": "it ended with status 1; its last words: .*ZeroDivisionError: division by zero",
    "kill": "it was ended by signal 9",
    "flood": r"it answered a line of more than 1,000 bytes: 'x{60}'…",
    "flood of errors": "it did not answer .* within 1 s; its last words: .*oh oh oh",
    "bytes": r"it answered 'bestmove .*', which is not UTF-8",
    "nonsense": "it answered 'fnord', not 'bestmove MOVE'",
    "no notation": "it answered 'bestmove e2e4': 'e2e4' is not a move; ",
    "illegal": r"it answered 'bestmove end': ",
    "half a line and out": "it ended in the middle of 'bestmove '",
    "two answers": "it answered more than one line: ",
    "close all": "it closed its (output|input)",
    "unasked": "it said 'bestmove end' without being asked",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_is_told_in_a_sentence_and_the_next_decision_starts_anew(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "GRACE", 60.0)  # for answers that come, however busy the machine is
    agent = misbehaving(how, 2)
    assert agent.move(GAME) == GAME.legal_moves[0]
    if "did not answer" in FAILURES[how]:
        monkeypatch.setattr(program, "GRACE", 0.2)
    if how == "unasked":
        os.kill(agent._program._process.pid, signal.SIGUSR1)
        select.select([agent._program._process._out], [], [], 60)
    with pytest.raises(BadForeign, match=rf"^program:800ms:\S+ -S \S+ '?{how}'? 2: {FAILURES[how]}[^\n]*$") as refused:
        agent.move(GAME)
    assert len(str(refused.value)) < 1200
    monkeypatch.setattr(program, "GRACE", 60.0)
    assert agent.move(GAME) == GAME.legal_moves[0]
    agent.end()


BEGINNINGS = {
    ("hang", -1): "it did not answer .* within 0.6 s",
    ("flood", -1): "it (answered a line|said 'x)",
    ("flood of errors", -1): "it did not answer .* within 0.6 s",
    ("nonsense", -1): "it .* 'fnord'",
    ("other version", 9): "it answered 'hello 2' to 'hello 1'",
    ("not ready", 9): "it answered 'no' to 'isready'",
}


@pytest.mark.slow
@pytest.mark.parametrize(("how", "when"), BEGINNINGS)
def test_a_program_that_does_not_begin_is_tried_three_times(
    how: str, when: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = BEGINNINGS[how, when]
    monkeypatch.setattr(program, "PATIENCE", 0.6 if "within 0.6 s" in told else 60.0)
    agent = misbehaving(how, when)
    for _ in range(3):
        with pytest.raises(BadForeign, match=told):
            agent.begin()
    with pytest.raises(BadForeign, match="it did not start 3 times in a row, and is not tried again"):
        agent.move(GAME)


def test_what_comes_after_an_interrupt_is_not_taken_for_the_next_move() -> None:
    agent = misbehaving("interrupt", 1, limit=60_000)
    with pytest.raises(KeyboardInterrupt):
        agent.move(GAME)
    assert agent._program._process is None


def test_its_last_words_are_the_error_and_not_the_stack() -> None:
    said = r"x.js:3\n    throw new Error()\n    ^\n\nError: boom\n    at f (x.js:3:7)\n\nNode.js v20\n"
    with pytest.raises(BadForeign, match=r"its last words: x\.js:3 throw new Error\(\) Error: boom Node\.js v20$"):
        agents.make("program:" + shlex.join(["sh", "-c", f"printf '{said}' >&2; exit 1"])).move(GAME)


def test_its_last_words_do_nothing_to_a_terminal() -> None:
    with pytest.raises(BadForeign, match=r"^[^\x1b]*its last words: \?\[2J"):
        misbehaving("paint").move(GAME)


def test_one_that_does_not_read_is_not_waited_for(impatient: None) -> None:
    """Not even where the pipe to it is full."""
    process = Process([sys.executable, "-S", str(MISBEHAVING), "no reader", "9"])
    with pytest.raises(Broken, match=r"did not answer .* within 0\.3 s"):
        process.ask("x" * 10_000_000, 0.3)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_whatever_it_says_a_legal_move_comes_of_it_or_a_named_error(seed: int, impatient: None) -> None:
    agent = misbehaving("anything", 1, "always", seed, limit=100)
    for _ in range(3):
        with contextlib.suppress(BadForeign):
            assert agent.move(GAME) in GAME.legal_moves
    agent.end()


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["failure", "end", "garbage"])
def test_its_children_end_with_it(ends: str, impatient: None) -> None:
    """Also those that ignore SIGTERM."""
    agent = misbehaving("child")
    with pytest.raises(BadForeign, match=r"its last words: child \d+") as refused:
        agent.move(GAME)
    assert gone(int(re.findall(r"child (\d+)", str(refused.value))[-1]))
    if ends != "failure":
        agent = misbehaving("deaf", 2)
        agent.move(GAME)
        pid = agent._program._process.pid
        assert running(pid)
        if ends == "end":
            agent.end()
            agent.end()
        del agent
        gc.collect()
        assert gone(pid)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["hang", "deaf"])
def test_it_ends_with_a_host_that_is_killed(how: str) -> None:
    code = f"""
import agents, os, signal
from bohemian_env import Game
agent = agents.make("program:" + {shlex.join([sys.executable, "-S", str(MISBEHAVING), how, "2"])!r})
agent.move(Game.new(2, seed=1).roll())
print(agent._program._process.pid, flush=True)
agent.move(Game.new(2, seed=1).roll())
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT) as host:
        pid = int(host.stdout.readline())
        assert running(pid)
        host.kill()
    assert gone(pid)


def test_its_files_are_those_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("")
    path.chmod(0o755)
    assert ProgramAgent(AgentName.parse(f"program:{path} --depth 3")).files == (path,)
    found = ProgramAgent(AgentName.parse(f"program:sh {path}")).files
    assert (found[0].name, found[1]) == ("sh", path)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    agent = agents.make(f"program:sh -c 'exit 7' ; touch {tmp_path / 'ran'} $(touch {tmp_path / 'ran'})")
    with pytest.raises(BadForeign, match="it ended with status 7"):
        agent.move(GAME)
    assert not (tmp_path / "ran").exists()
