"""Random games by the compiled rules and by the plain ones (rules.py), move for move.

Legal moves, positions, payments, records and scorings must be the same at every decision: on the shipped board with
ordinary parameters, and on boards made at random, where turns pass, banks run dry and rare rulings are common.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from bohemian_env import Board
from bohemian_env.engine.legal import legal_actions
from bohemian_env.engine.transcript import Transcript
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.dice import DICE, HANDFUL
from bohemian_env.villages.facts import KINDS
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from bohemian_env.villages.position import write_position
from bohemian_env.villages.setup import Setup, Start
from bohemian_env.villages.state import MAX_VILLAGES

from .rules import ReferenceGame

__all__ = ["STARTS", "Differs", "generated_start", "odd_start", "ordinary_start", "play"]


class Differs(AssertionError):
    """The two implementations differ; the message says in what."""


def ordinary_start(rng: random.Random, players: int) -> Start:
    """Return a beginning with drawn villages of the shipped board and the usual parameters."""
    return Setup.of(players).start(rng.randrange(2**62))


def odd_start(rng: random.Random, players: int) -> Start:
    """Return a beginning with one to four villages of a few buildings, and parameters that make rare rulings common."""
    return _start(
        rng,
        players,
        villages=rng.randint(1, 4),
        figures=rng.randint(1, 5),
        coin_supply=rng.choice([1, 3, 10, 30, 300]),
        max_turns=rng.choice([1, 2, 7, 60, 60, 60]),
    )


def generated_start(rng: random.Random, players: int) -> Start:
    """Return a beginning with up to nine villages of any buildings and, mostly, a bank that soon runs dry."""
    return _start(
        rng,
        players,
        villages=rng.randint(1, MAX_VILLAGES),
        figures=rng.randint(1, 16),
        coin_supply=rng.choice([1, 2, 3, 5, 8, 13, 21, 34, 55, 9_999]),
        max_turns=rng.choice([40, 80, 160]),
    )


def _start(rng: random.Random, players: int, *, villages: int, figures: int, coin_supply: int, max_turns: int) -> Start:
    entries: list[dict[str, Any]] = []
    for number in range(villages):
        kinds = sorted(rng.sample(KINDS, rng.randint(1, 7 if villages < 5 else len(KINDS))), key=KINDS.index)
        printed = {k: rng.randint(0, 9) for k in ("town_hall", "manor") if k in kinds}
        entries.append({"name": f"Village {number}", "buildings": kinds} | printed)
    setup = Setup.of(
        players,
        [entry["name"] for entry in entries],
        board=Board.of_villages(entries, figures, 1, 0),
        coin_supply=coin_supply,
        special_action_tiles=rng.choice([0, 1, 2, 7]),
        max_turns=max_turns,
    )
    return setup.start()


def _same(what: str, compiled: object, plain: object) -> None:
    if compiled != plain:
        raise Differs(f"{what}: compiled {compiled!r}, plain {plain!r}")


def play(start: Start, rng: random.Random) -> int:
    """Play one random game on both sides and compare everything; return the number of moves made. Raises Differs."""
    ours, setup = Transcript(RULES, start), start.setup
    villages = start.villages
    theirs = ReferenceGame(
        [village.to_json() for village in villages],
        players=setup.players,
        figures=setup.board.setups[setup.players].figures,
        special_action_tiles=setup.special_action_tiles,
        coin_supply=setup.coin_supply,
        max_turns=setup.max_turns,
        names=list(start.names),
        seed=start.seed,
    )
    names, moves = [village.name for village in villages], 0
    while not ours.s["end"]:
        _same("dice to roll", int(ours.s["pending"]), theirs.needs)
        if theirs.needs:
            dice = [rng.randint(1, 6) for _ in range(theirs.needs)]
            theirs.roll(dice)
            ours.deal(HANDFUL[tuple(sorted(dice))])
            continue
        _same("position", write_position(ours.s, villages), theirs.position())
        actions = legal_actions(ours.s)
        dice_left = DICE[ours.s["dice"]]
        texts = [format_move(move_of(action, dice_left, names)) for action in actions]
        _same("legal moves", sorted(texts), theirs.legal_moves())
        choice = rng.randrange(len(actions))
        theirs.push(texts[choice])
        ours.push(actions[choice])
        moves += 1
    _same("over", True, theirs.over)
    _same("last position", write_position(ours.s, villages), theirs.position())
    _same("scoring", RULES.scoring_of(ours.s), theirs.scoring())
    _same("record", ours.record(), theirs.record())
    return moves


STARTS: Final[dict[str, Callable[[random.Random, int], Start]]] = {
    "ordinary": ordinary_start,
    "little boards": odd_start,
    "generated boards and tiny banks": generated_start,
}
"""Ways to begin a game, by name."""
