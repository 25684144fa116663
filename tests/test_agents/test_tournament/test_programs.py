"""Programs in tournaments: one that fails loses that game, by docs/protocol.md, and nothing else breaks."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import evaluate
from agents.tournament import Comparison, compare, enter
from agents.tournament.play import Played, dismiss, play_chunk
from agents.tournament.schedule import Chunk, LineUp
from bohemian_env import Game, Setup
from tests.helpers import ROOT, Ends
from tests.waiting import there, until

EXAMPLES = ROOT / "examples" / "programs"
NEEDS_PERL = pytest.mark.skipif(shutil.which("perl") is None, reason="needs Perl, in which the example is written")
FIRST = """
import json, os, sys
open(sys.argv[0] + ".started", "a").write(f"{os.getpid()}\\n")
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello 1", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        position, legal = json.loads(rest), []
    elif word == "legal":
        legal.append(rest)
    elif word == "go":
        if FAILS:
            sys.exit("the roof fell in")
        print("bestmove", legal[0], flush=True)
"""
NEVER, ALWAYS, AT_TIMES = "False", "True", "sum(position['coins']) == 9"


@pytest.fixture(autouse=True)
def no_program_is_left(tmp_path: Path) -> Iterator[None]:
    """All programs end after a test, and not even a zombie stays; they have written down their numbers.

    Those of a worker process that was killed end by themselves as soon as they get to it, so they are waited for.
    """
    yield
    left = {int(pid) for path in tmp_path.glob("*.started") for pid in path.read_text().split()}
    until(lambda: not any(map(there, left)), f"end of {left}")


def first(folder: Path, fails: str) -> str:
    """The name of a program that takes the first legal move, and fails where an expression is true."""
    path = folder / "first.py"
    path.write_text(FIRST.replace("FAILS", fails))
    return f"program:{sys.executable} -S {path}"


def played(name: str, players: int = 2, records: bool = False) -> Played:
    """Four seeds of a program, alone among copies of `random`."""
    entrants = enter([name, "random"], 0)
    chunk = Chunk(LineUp((0, *[1] * (players - 1))), 5, 0, 4)
    done = play_chunk(chunk, entrants, Setup.of(players), records=records)
    dismiss(entrants)
    return done


def compared(name: str, **options: Any) -> Comparison:
    """It against `random`."""
    return compare(enter([name, "random"], 0), games=24, games_at_once=8, luck=False, **options)


@pytest.mark.parametrize("players", [2, 4])
def test_a_failure_loses_that_game_and_touches_no_other(players: int, tmp_path: Path) -> None:
    good, bad = (played(first(tmp_path, fails), players) for fails in (NEVER, AT_TIMES))
    out = bad.failed.any(axis=2)
    assert 0 < out.sum() < out.size
    assert not good.failed.any()
    assert_array_equal(bad.seating[bad.failed], 0)
    for name in ("totals", "turns", "ends"):
        assert_array_equal(getattr(good, name)[~out], getattr(bad, name)[~out])


def test_the_others_share_the_win_whatever_the_stand_in_reaches(tmp_path: Path) -> None:
    """`greedy`, which plays on, would have won most games among `random`."""
    done = played(first(tmp_path, ALWAYS), 4, records=True)
    won = done.totals.argmax(axis=2) == done.failed.argmax(axis=2)
    assert done.failed.sum() == won.size
    assert won.mean() > 0.5
    for game in done.records:
        assert [name.endswith(" (failed; greedy played on)") for name in game["players"]].count(True) == 1
        assert Game.from_record(game).over
    found = compared(first(tmp_path, ALWAYS))
    mine, other = found.results
    assert (mine.share.value, other.share.value) == (0, 1)
    assert found.tables[0].failed == (24, 0)
    assert found.tables[0].reasons[0].endswith(": it ended with status 1; its last words: the roof fell in")


def test_where_all_fail_they_share_the_win(tmp_path: Path) -> None:
    entrants = enter([first(tmp_path, ALWAYS)] * 2, 0)
    assert [one.share.value for one in compare(entrants, games=4, luck=False).results] == [0.5, 0.5]


def test_a_copy_plays_on_where_another_has_failed(tmp_path: Path) -> None:
    entrants = enter(["random", first(tmp_path, "position['to_move'] == 1")], 0)
    done = play_chunk(Chunk(LineUp((0, 1, 1)), 5, 0, 2), entrants, Setup.of(3))
    dismiss(entrants)
    seats = np.broadcast_to(np.arange(3), done.failed.shape)
    assert_array_equal(done.failed, (seats == 1) & (done.seating == 1))


@pytest.mark.slow
def test_processes_and_kept_games_change_nothing(tmp_path: Path) -> None:
    name, begun = first(tmp_path, AT_TIMES), []
    here, there = (compared(name, jobs=jobs, work=tmp_path / "work" / str(jobs)) for jobs in (1, 2))
    again = compared(name, work=tmp_path / "work" / "1", begin=lambda *games: begun.append(games))
    assert len((tmp_path / "first.py.started").read_text().split()) >= 3
    assert here.results == there.results == again.results
    assert here.tables[0].failed == again.tables[0].failed
    assert here.tables[0].reasons == again.tables[0].reasons
    assert sum(here.tables[0].failed) > 0
    assert begun == [(24, 24)]
    first(tmp_path, NEVER)
    assert compared(name, work=tmp_path / "work" / "1").tables[0].failed == (0, 0)


@pytest.mark.slow
def test_a_program_that_does_not_begin_is_refused_before_the_first_game(tmp_path: Path, ends: Ends) -> None:
    path = tmp_path / "never.py"
    path.write_text("raise SystemExit('no licence')")
    for jobs in (1, 2):
        name = f"program:{sys.executable} {path}"
        said = ends(2, evaluate.main, name, "random", "--games", 5000, "--jobs", jobs, "--work", tmp_path).err
        assert said == f"evaluate.py: {name}: it ended with status 1; its last words: no licence\n"


def test_evaluate_tells_of_failures(tmp_path: Path, ends: Ends) -> None:
    out = tmp_path / "out.json"
    options = ["--games", 4, "--json", out, "--jobs", 1, "--no-luck", "--work", tmp_path / "work"]
    told = " ".join(ends(0, evaluate.main, first(tmp_path, ALWAYS), "random", *options).out.split())
    assert "lost 4 of its games by a failure: greedy played on for it" in told
    assert "its last words: the roof fell in." in told
    data = json.loads(out.read_text())
    assert [agent["failed"] for agent in data["agents"]] == [4, 0]
    assert len(data["tables"][0]["failures"]) == 3


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize(
    ("command", "margin"),
    [
        pytest.param(f"{sys.executable} -S counter.py", 0.1, id="Python"),
        pytest.param("perl farmer.pl", 0.5, id="Perl", marks=NEEDS_PERL),
    ],
)
def test_the_examples_play_whole_games(
    command: str, margin: float, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    entrants = enter([f"program:{command}", "random"], 0)
    found = compare(entrants, Setup.of(players), games=40, tables="single", luck=False)
    assert found.tables[0].failed == (0, 0)
    assert found.results[0].share.value > margin / players
