"""evaluate.py --game NAME: the totals of players, and duels of rivals."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import evaluate


def test_all_players_meet_the_same_stacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "totals.csv"
    command = ["--game", "dorfromantik", "greedy", "random", "--games", "300", "--csv", str(file)]
    assert evaluate.main(command) == 0
    told = capsys.readouterr().out
    assert told.startswith("dorfromantik, 1 seat(s), 300 games from seed 0; intervals of 95 %")
    with file.open(newline="", encoding="utf-8") as opened:
        head, *rows = csv.reader(opened)
    totals = np.array(rows, int)
    assert (head, totals.shape, totals[-1, 0]) == (["seed", "greedy", "random"], (300, 3), 299)
    greedy, random = totals[:, 1], totals[:, 2]
    assert greedy.mean() > 4 * random.mean()
    assert f"mean {greedy.mean():.1f} (" in told
    assert f"less than the first by {(greedy - random).mean():.1f} (" in told
    assert evaluate.main([*command[:3], "--games", "20", "--seed", "280", "--csv", str(file)]) == 0
    with file.open(newline="", encoding="utf-8") as opened:
        again = np.array([*csv.reader(opened)][1:], int)
    assert again[:, 1].tolist() == greedy[280:].tolist()


def test_rivals_meet_in_every_seat(capsys: pytest.CaptureFixture[str]) -> None:
    """The seeds are fixed, so that all numbers are always the same."""
    command = ["--game", "agricola", "greedy", "random", "--games", "60", "--players", "3"]
    assert evaluate.main(command) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("greedy among random: wins 0.9")
    assert "(equals 0.333), margin " in last
    assert evaluate.main(["--game", "agricola", "random", "random", "--games", "30", "--players", "2"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("random among random: wins 0.")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["nobody"], "expected one of random, greedy, or the folder of a run"),
        (["greedy", "--games", "1"], "expected at least 2 games"),
        (["greedy", "--players", "7"], "players 7 is not"),
        (["agents"], "no trained agent"),
    ],
)
def test_what_cannot_be_played_is_told(options: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["--game", "dorfromantik", *options]) == 2
    assert told in capsys.readouterr().err


def test_villages_are_the_game_unless_another_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        evaluate.main(["--game", "villages", "--help"])
    assert "--until-sure" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        evaluate.main(["--game", "chess", "greedy"])
