"""The example games: each is a package of its own, small, and keeps every promise in every program."""

import datetime
import json
import re
from html import unescape
from pathlib import Path

import pytest

from agents.training.values import ValueRun
from bohemian_env import check
from bohemian_env.engine.plain import title_of
from bohemian_env.games import rules_of
from tests.helpers import run_python
from tests.packages import python
from tests.test_examples.test_games.installed import FOLDER, GAMES, install_example, project
from tests.test_table.asking import Client, play_out

MOST_LINES = {"pig": 150, "take_it_easy": 300}
MAKE = """
import sys, gymnasium, bohemian_env
one = gymnasium.make(sys.argv[1], illegal="random")
one.reset(seed=1)
over = False
while not over:
    over = one.step(0)[2]
print(one.unwrapped.record()["format"], bohemian_env.games.offered())
"""


@pytest.mark.parametrize("game", GAMES)
def test_it_is_small(game: str) -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (FOLDER / game).rglob("*.py"))
    assert 50 < lines <= MOST_LINES[game]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_pip_installs_it_without_a_network(game: str, tmp_path: Path) -> None:
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--no-compile", "--target", str(tmp_path / "there")]
    done = run_python("-m", "pip", "install", "--quiet", *options, FOLDER / game, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = python(tmp_path / "there", "-c", MAKE, f"bohemian_env/{title_of(game)}-v0")
    assert found == f"{game}/1 ('{game}',)\n"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_it_keeps_every_promise(game: str, packages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install_example(packages, game)
    assert check.main([game]) == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_values_of_it_are_learnt_and_compared(game: str, packages: Path, tmp_path: Path) -> None:
    players = install_example(packages, game).players[0]
    run = ValueRun(tmp_path / "run", {"game": game, "players": None, "seed": 1, "trace": 0.5, "rate": 1.0})
    run.learn(50, 0.5)
    run.save()
    report = tmp_path / "found.json"
    words = (str(tmp_path / "run"), "greedy", "--games", "40", "--json", str(report))
    python(packages, "evaluate.py", *words, *(("--players", "2") if players > 1 else ()))
    assert json.loads(report.read_text(encoding="utf-8"))["game"] == game


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_at_the_table(game: str, packages: Path, tmp_path: Path) -> None:
    from table.store import Store

    players = install_example(packages, game).players[0]
    seats = [{"name": "Ann"}, {"agent": "greedy"}][:players]
    with Client(Store(tmp_path / "data")) as client:
        front = unescape(client.get(f"/?game={game}").text)
        assert title_of(game)[:3] in front
        assert all(does in front for does in rules_of(game).opponents.values())
        begun = client.begin(game=game, seats=seats)
        assert play_out(client, begun)["over"]
        assert client.get(f"{begun}/record").json()["format"] == f"{game}/1"
        assert client.tell(f"{begun}/duplicate", {}).status_code == 200  # greedy plays the same game
        assert client.get(f"/find?game={game}", follow_redirects=False).status_code == 303
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        assert client.tell("/daily", {"game": game, "date": today}).status_code == 201
        beside = re.search('id="learn" disabled data-with="(.*?)"', front)[1].split()  # of the guided first game
        client.begin(game=game, seats=[{"name": ""}, *({"agent": agent} for agent in beside)])
        positions = client.get(f"{begun}/analysis").json()["positions"]
        assert all(one["standing"] and (one["played"] is None or one["moves"]) for one in positions)


@pytest.mark.parametrize("game", GAMES)
def test_what_its_readme_tells_to_type_names_it(game: str) -> None:
    text = (FOLDER / game / "README.md").read_text(encoding="utf-8")
    assert f"pip install -e examples/games/{game}" in text
    assert f"python -m bohemian_env.check {game}" in text
    assert f"python train.py --game {game} " in text
    assert project(game)["dependencies"] == ["bohemian-villages>=0.3"]
