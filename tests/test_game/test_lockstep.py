"""The compiled rules against the plain second implementation (tests/reference.py), move for move.

Legal moves, positions, payments, records and scorings must be the same at every decision of random games: on the
frozen board with ordinary parameters, and on odd little boards with small banks, few or no special action tiles and
early cut-offs, where turns pass and banks run dry.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from bohemian_env import Board
from bohemian_env.game.dice import DICE, HANDFUL
from bohemian_env.game.facts import KINDS
from bohemian_env.game.moves import legal_actions, move_of
from bohemian_env.game.notation import format_move
from bohemian_env.game.position import write_position
from bohemian_env.game.record import Transcript, final_scoring
from bohemian_env.game.setup import Setup, Start
from tests.helpers import FROZEN
from tests.reference import ReferenceGame


def ordinary_start(rng: random.Random, players: int) -> Start:
    """Drawn villages of the frozen board, the usual parameters."""
    return Setup.of(players, board=FROZEN).start(rng.randrange(2**62))


def odd_start(rng: random.Random, players: int) -> Start:
    """One to four villages of a few buildings each, and parameters that make rare rulings common."""
    villages: list[dict[str, Any]] = []
    for number in range(rng.randint(1, 4)):
        kinds = sorted(rng.sample(KINDS, rng.randint(1, 7)), key=KINDS.index)
        printed = {k: rng.randint(0, 9) for k in ("town_hall", "manor") if k in kinds}
        villages.append({"name": f"Village {number}", "buildings": kinds} | printed)
    board = Board.of_villages(villages, rng.randint(1, 5), 1, 0)
    setup = Setup.of(
        players,
        [v["name"] for v in villages],
        board=board,
        coin_supply=rng.choice([1, 3, 10, 30, 300]),
        special_action_tiles=rng.choice([0, 1, 2, 7]),
        max_turns=rng.choice([1, 2, 7, 60, 60, 60]),
    )
    return setup.start()


def play(start: Start, rng: random.Random) -> int:
    """Play one random game on both sides, comparing everything; the number of moves made."""
    ours, setup = Transcript(start), start.setup
    theirs = ReferenceGame(
        [v.to_json() for v in start.villages],
        players=setup.players,
        figures=setup.board.setups[setup.players].figures,
        special_action_tiles=setup.special_action_tiles,
        coin_supply=setup.coin_supply,
        max_turns=setup.max_turns,
        names=list(start.names),
        seed=start.seed,
    )
    moves = 0
    while not ours.s["end"]:
        assert theirs.needs == ours.s["pending"]
        if theirs.needs:
            dice = [rng.randint(1, 6) for _ in range(theirs.needs)]
            theirs.roll(dice)
            ours.deal(HANDFUL[tuple(sorted(dice))])
            continue
        position = write_position(ours.s, start.villages)
        assert position == theirs.position()
        actions = legal_actions(ours.s)
        dice_left = DICE[ours.s["dice"]]
        texts = [format_move(move_of(a, dice_left, ours.villages)) for a in actions]
        assert sorted(texts) == sorted(theirs.legal_moves()), position
        choice = rng.randrange(len(actions))
        theirs.push(texts[choice])
        ours.push(actions[choice])
        moves += 1
    assert theirs.over
    assert write_position(ours.s, start.villages) == theirs.position()
    assert final_scoring(ours.s) == theirs.scoring()
    assert ours.record() == theirs.record()
    return moves


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("make", [ordinary_start, odd_start])
def test_same_as_the_second_implementation(make: Callable[..., Any], players: int) -> None:
    rng = random.Random(f"{make.__name__} {players}")
    moves = 0
    while moves < 12_000:
        moves += play(make(rng, players), rng)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_same_for_a_quarter_of_a_million_moves_each(players: int) -> None:
    rng = random.Random(f"a million {players}")
    moves = 0
    while moves < 250_000:
        make = odd_start if rng.random() < 0.3 else ordinary_start
        moves += play(make(rng, players), rng)
