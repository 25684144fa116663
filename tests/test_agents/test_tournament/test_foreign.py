"""Agents of other people in tournaments: as objects, and as files that evaluate.py runs."""

import json
from pathlib import Path
from typing import Any

import pytest

import agents
import evaluate
from agents.tournament import BadTournament, compare, enter
from examples.measure import First
from tests.helpers import Ends

pytestmark = pytest.mark.slow
LAST = "class Last:\n    def move(self, game):\n        return game.legal_moves[-1]\n\nagent = Last()\n"
FIRST = LAST.replace("-1", "0")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file mine.py in an empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    path = Path("mine.py")
    path.write_text(FIRST)
    return path


def run(*argv: str) -> tuple[int, Any]:
    """Run evaluate.py: its status, and the numbers that it wrote."""
    Path("out.json").unlink(missing_ok=True)
    status = evaluate.main([*argv, "--games", "60", "--json", "out.json"])
    return status, json.loads(Path("out.json").read_text()) if status == 0 else None


def test_an_object_plays_as_its_file_does(mine: Path) -> None:
    found = [
        compare(enter([agent, "greedy"], seed=4), games=60, seed=7).results[0]
        for agent in (First(), f"python:{mine}", "greedy")
    ]
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert [entrant.name for entrant in enter([First(), First()], seed=0)] == ["First", "First (2)"]
    ours = [agents.make("planner", seed=seed) for seed in (1, 2)]  # which have names
    assert [entrant.name for entrant in enter(ours, seed=0)] == ["planner", "planner (2)"]


def test_an_object_plays_in_this_process_alone(tmp_path: Path) -> None:
    entrants = enter([First(), "greedy"], seed=0)
    for elsewhere in ({"jobs": 2}, {"work": tmp_path}):
        with pytest.raises(BadTournament, match="First is an object: only python:FILE plays in other processes"):
            compare(entrants, games=2, **elsewhere)
    with pytest.raises(BadTournament, match="int has neither move"):
        enter([3, "greedy"], seed=0)


def test_kept_games_are_those_of_the_same_file(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left by an interrupted run with another content of the file, or of one that it names, is not taken."""
    command = [f"python:{mine}", "greedy"]
    contents = (FIRST, LAST, f"{LAST}agent.files = ['weights']\n", f"{LAST}agent.files = ['weights']\n")
    with monkeypatch.context() as patched:
        patched.setattr("agents.tournament.kept.Kept.remove", lambda self: None)
        for number, content in enumerate(contents):
            Path("weights").write_text(str(number))
            mine.write_text(content)
            assert run(*command)[0] == 0
            assert len(list(Path("runs/tournaments").iterdir())) == number + 1
    mine.write_text(FIRST)
    monkeypatch.setattr("agents.tournament.workers.play_chunk", None)  # all is kept: nobody may play
    assert run(*command)[0] == 0


def test_a_file_that_changes_meanwhile_is_told(mine: Path) -> None:
    entrants = enter([f"python:{mine}", "greedy"], seed=0)
    mine.write_text(LAST)
    with pytest.raises(BadTournament, match=r"python:mine\.py: its files are others"):
        compare(entrants, games=30, games_at_once=6, jobs=2)


def test_other_processes_run_the_file_again(mine: Path) -> None:
    found = [compare(enter([f"python:{mine}", "greedy"], 0), games=30, games_at_once=6, jobs=jobs) for jobs in (1, 2)]
    assert found[0].results == found[1].results


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "the file has no object that is called 'agent'"),
        (FIRST.replace("game.legal_moves[0]", "1 / 0"), "move() failed: line 3: ZeroDivisionError: "),
    ],
)
def test_a_bad_file_gives_a_sentence_and_a_status(content: str, said: str, mine: Path, ends: Ends) -> None:
    mine.write_text(content)
    _, told = ends(2, evaluate.main, f"python:{mine}", "greedy", "--games", 60, "--json", "out.json").err.splitlines()
    assert told.startswith(f"evaluate.py: python:mine.py: {said}")
