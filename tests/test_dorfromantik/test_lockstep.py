"""The compiled game beside the plain rules: all kinds of play, and what each move is worth; test_engine has more."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.players import Scratch, new_scratch, write_growths
from tests.reference.dorfromantik import PlainGame
from tests.test_dorfromantik.compiled import CompiledGame
from tests.test_dorfromantik.laid import small
from tests.test_dorfromantik.play import carry_out, play

#: The whole game; small windows, where tiles leave (D13); few tiles; task tiles only; many tasks and little markers.
VARIANTS: dict[str, dict[str, Any]] = {
    "whole": {},
    "narrow": {"window": 5},
    "narrower": {"window": 3, "left_in_box": 0},
    "one cell": {"window": 1},
    "small": small("L30 L34 L45 L33 L38 L42 L17 L12", "T5 S2 S3 W3 G2", markers={kind: [2, 3, 4] for kind in "WGVTS"}),
    "tasks": {"landscape": [], "left_in_box": 0},
    "many tasks": {"open_tasks": 25, "markers": {kind: [2, 2, 3, 3, 4] for kind in "WGVTS"}},
    "little markers": {"open_tasks": 6, "markers": {kind: [1, 1, 2, 2, 73] for kind in "WGVTS"}},
    "no tasks": {"tasks": []},
}


def play_both(seed: int, player: str, players: int = 1, **variant: Any) -> PlainGame:
    """Play a game with both and compare all that both say, after every event."""
    plain, compiled, scratch = PlainGame(players, **variant), CompiledGame(players, **variant), new_scratch()
    total = 0
    for event in play(plain, random.Random(f"{seed} {player}"), player):
        growths = growths_of(compiled.game, scratch) if event[0] == "place" else {}
        carry_out(compiled, event)
        assert compiled.due == plain.due
        assert compiled.unseen() == pytest.approx(
            {outcome: float(chance) for outcome, chance in plain.unseen().items()}
        )
        legal = plain.legal()
        assert compiled.legal() == legal
        assert compiled.game.legal_actions == tuple(sorted(plain.index(*move) for move in legal))
        assert compiled.score() == plain.score()
        if event[0] == "place":
            assert growths[plain.index(*event[1])] == plain.score()["total"] - total
        total = plain.score()["total"]
        if plain.due in ("move", "over"):
            assert compiled.position() == plain.position()
        game = compiled.game
        assert (game.open, set(game.fulfilled), set(game.aborted)) == (plain.open, {*plain.fulfilled}, {*plain.aborted})
    assert compiled.record() == plain.record()
    assert compiled.game.over
    assert compiled.game.outcome().winners == ()
    return plain


def growths_of(game: Game, scratch: Scratch) -> dict[int, int]:
    """By how much each legal action makes the score grow, found without carrying it out."""
    count = write_growths(game.states.copy()[0], scratch)
    assert sorted(scratch.actions[:count].tolist()) == list(game.legal_actions)
    return dict(zip(scratch.actions[:count].tolist(), scratch.growths[:count].tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("player", ["anywhere", "into holes", "straight on"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_every_variant(variant: str, player: str) -> None:
    for seed in range(2):
        play_both(seed, player, players=1 + seed, **VARIANTS[variant])


@pytest.mark.parametrize("variant", ["small", "narrow"])
def test_games_of_the_plain_greedy_player(variant: str) -> None:
    play_both(1, "greedily", **VARIANTS[variant])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_of_the_plain_greedy_player(seed: int) -> None:
    assert play_both(seed, "greedily").score()["total"] > 20


def test_d26_binds_in_straight_lines() -> None:
    line = play_both(0, "straight on")
    assert max(max(axis) - min(axis) for axis in zip(*line.cells, strict=True)) == 22
