"""A game of another package in the programs of a checkout: it is learnt, compared and played by the protocol."""

import json
from pathlib import Path

import pytest

import agents
from agents.players.names import game_told_by
from bohemian_env.engine.errors import BadSetup
from bohemian_env.games import rules_of
from tests.packages import install, install_skeleton, python

SMALL = ["--games=8", "--horizon=8", "--minibatch=64", "--trunk=8", "--head=8", "--panel-games=4", "--steps=128"]


@pytest.mark.slow
def test_it_is_learnt_compared_and_played(packages: Path, tmp_path: Path) -> None:
    install_skeleton(packages)
    run = str(tmp_path / "run")
    python(packages, "train.py", "--game", "mygame", "--out", run, *SMALL)
    settings = json.loads((tmp_path / "run" / "settings.json").read_text(encoding="utf-8"))
    assert {name: settings[name] for name in ("game", "players", "reward", "scripted")} == {
        "game": "mygame", "players": 2, "reward": "win", "scripted": "random,greedy",
    }  # fmt: skip
    assert game_told_by(run) == "mygame"
    python(packages, "evaluate.py", run, "random", "--games", "20", "--json", str(tmp_path / "found.json"))
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["game"] == "mygame"
    position = json.dumps(rules_of("mygame").game.new(2, seed=1).position())
    asked = f"hello 2\nnewgame mygame\nposition {position}\ngo 100\nquit\n"
    assert python(packages, "-m", "agents.protocol", "greedy", given=asked) == "hello 2 greedy\nbestmove roll\n"


def test_one_that_is_broken_is_told_by_whoever_is_to_play_it(packages: Path) -> None:
    install(packages, "broken", "broken = broken", contract="import nothing")
    with pytest.raises(BadSetup, match="the game broken of broken 1 cannot be played: ModuleNotFoundError"):
        agents.make("random", game="broken")
    assert agents.make("random", 1).name == "random"
