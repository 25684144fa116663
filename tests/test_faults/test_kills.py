"""Kills: what is planted is found. That the programs as they are hold, a campaign tries (``.ci/run``)."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bohemian_env.games import GAMES
from tests.faults.campaign import Tried
from tests.faults.kills import Player, kill_table, kill_tournament, kill_training

Kill = Callable[..., Iterator[Tried]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kill", "planted", "told"),
    [
        (kill_table, "acknowledges_before_commit", "a game "),
        (kill_tournament, "forgets_finished_chunks", "finished chunks were played again"),
        (kill_training, "keeps_checkpoints_in_memory", "a checkpoint of "),
    ],
)
def test_what_is_lost_by_a_kill_is_found(kill: Kill, planted: str, told: str, tmp_path: Path) -> None:
    (found,) = kill(GAMES[0], 3, tmp_path, f"tests.test_faults.planted:{planted}", kills=8)
    assert any(told in what for what in found.broken)


def test_whatever_ends_a_player_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(GAMES[0], random.Random(0))
    player.connect(0, "")
    monkeypatch.setattr(player, "ask", lambda *_: (201, {}))
    player.play()
    assert [what[-14:] for what in player.wrong] == ["KeyError('id')"]
