"""How many turns the rules allow in given positions, kept as data and counted again by both implementations.

A *turn* here is a sequence of moves until the turn ends; a reroll counts as one turn, whatever dice it brings. In
every position of ``data/positions.json`` the unused dice are replaced by each handful of as many dice: 126 rolls
before the first move, 21 pairs or 6 single dice after it. ``data/counts.toml`` keeps the sums, by how many of the
dice are alike; ``passes`` are the handfuls with which there is nothing to decide (R13, R14).

To find the positions and count anew, after a change of the rules:

    python -m tests.test_villages.test_counts --write
"""

from __future__ import annotations

import json
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from bohemian_env import Board, Game
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages import rules
from bohemian_env.villages.actions import END, REROLLS
from bohemian_env.villages.dice import HANDFUL
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from bohemian_env.villages.position import read_position
from tests.helpers import DATA_FOLDER, FROZEN
from tests.reference.rules import ReferenceGame

POSITIONS = DATA_FOLDER / "positions.json"
COUNTS = DATA_FOLDER / "counts.toml"

Position = dict[str, Any]
Dice = tuple[int, ...]
Counts = dict[str, int]

ALIKE = {
    (1, 1, 1, 1): "four different",
    (2, 1, 1): "one pair",
    (2, 2): "two pairs",
    (3, 1): "three alike",
    (4,): "four alike",
    (1, 1): "two different",
    (2,): "two alike",
    (1,): "one die",
}
"""Handfuls by how often their numbers occur."""


def category(dice: Dice) -> str:
    """The entry of ALIKE that a handful belongs to."""
    return ALIKE[tuple(sorted(Counter(dice).values(), reverse=True))]


def handfuls(position: Position) -> Iterator[Dice]:
    """All handfuls of as many dice as are unused in the position."""
    return combinations_with_replacement(range(1, 7), len(position["dice"]))


# --- counting ---------------------------------------------------------------------------------------------------


def turns_by_engine(position: Position, dice: Dice) -> Counts:
    """First move to the number of turns that begin with it; empty where nothing can be decided."""
    states, villages = read_position(position)
    names = [v.name for v in villages]
    states[0]["dice"] = HANDFUL[dice]
    if not rules.find_legal(states[0]):
        return {}
    return {format_move(move_of(a, dice, names)): count_after(states, a) for a in legal_actions(states[0])}


def count_after(states: np.ndarray, action: int) -> int:
    """The number of turns that go on with this action."""
    if REROLLS <= action < END:
        return 1
    after = states.copy()
    rules.push(after[0], action)
    if after[0]["pending"] or after[0]["end"]:
        return 1
    return sum(count_after(after, a) for a in legal_actions(after[0]))


def turns_by_reference(position: Position, dice: Dice) -> Counts:
    """The same by the second implementation."""
    game = ReferenceGame.from_position(position | {"dice": list(dice)})
    moves = game.legal_moves()
    return {} if moves in ([], ["end"]) else {move: reference_count_after(game, move) for move in moves}


def reference_count_after(game: ReferenceGame, move: str) -> int:
    """The number of turns that go on with this move."""
    if move.startswith("reroll"):
        return 1
    after = game.copy()
    after.push(move)
    if after.needs or after.over:
        return 1
    return sum(reference_count_after(after, m) for m in after.legal_moves())


def counts(position: Position, turns: Callable[[Position, Dice], Counts]) -> Counts:
    """The entry of counts.toml for a position."""
    size = len(position["dice"])
    found = dict.fromkeys(["turns", "passes", *(name for alike, name in ALIKE.items() if sum(alike) == size)], 0)
    for dice in handfuls(position):
        number = sum(turns(position, dice).values())
        found["turns"] += number
        found["passes"] += number == 0
        found[category(dice)] += number
    return found


def report(position: Position, kept: Counts, found: Counts) -> str:
    """What differs, the position, and for the handfuls concerned the count per first move by both implementations."""
    differ = [key for key in kept if found[key] != kept[key]]
    lines = [f"{key}: {found[key]}, kept as {kept[key]}" for key in differ] + ["in the position", json.dumps(position)]
    for dice in handfuls(position):
        if category(dice) in differ:
            engine, reference = turns_by_engine(position, dice), turns_by_reference(position, dice)
            lines.append(f"dice {dice}: {sum(engine.values())} turns")
            for move in {**engine, **reference}:
                here, there = engine.get(move, 0), reference.get(move, 0)
                lines.append(f"    {move}: {here}" + (f", but by the reference {there}" if here != there else ""))
    return "\n".join(lines)


# --- positions --------------------------------------------------------------------------------------------------


def tiny_board() -> Board:
    """Two villages in which everything is soon occupied, and some totals lead nowhere."""
    return Board.of_villages(
        [
            {"name": "Oben", "buildings": ["bakery", "tailor", "glass", "farm", "inn", "town_hall"], "town_hall": 6},
            {"name": "Unten", "buildings": ["bakery", "mill", "farm", "church", "manor"], "manor": 4},
        ],
        figures=6,
        coin_supply=60,
        special_action_tiles=2,
    )


def mover_has_tile(p: Position) -> bool:
    """Whether the player to move holds a special action tile."""
    return p["special"][p["to_move"]]


TINY = tiny_board()
WANTED: dict[str, tuple[int, Board, Callable[[Position], bool]]] = {
    "first turn of two players": (2, FROZEN, lambda p: p["turn"] == 1),
    "three players, middle, with a special action tile": (
        3,
        FROZEN,
        lambda p: p["turn"] > 12 and p["moves_made"] == 0 and mover_has_tile(p) and p["bishop"] != p["to_move"],
    ),
    "four players, late, with the bishop": (
        4,
        FROZEN,
        lambda p: p["turn"] > 24 and p["moves_made"] == 0 and p["bishop"] == p["to_move"] and not mover_has_tile(p),
    ),
    "five players, last figure in hand": (
        5,
        FROZEN,
        lambda p: p["moves_made"] == 0 and p["figures"][p["to_move"]] == 1 and not mover_has_tile(p),
    ),
    "two players, tile spent before the first move": (
        2,
        FROZEN,
        lambda p: p["turn"] > 10 and p["moves_made"] == 0 and p["spent_special_this_turn"],
    ),
    "tiny board, bank nearly empty": (
        3,
        TINY,
        lambda p: p["bank"] <= 4 and p["moves_made"] == 0 and not mover_has_tile(p),
    ),
    "tiny board, no tile left and the bishop taken": (
        2,
        TINY,
        lambda p: (
            p["special_supply"] == 0 and p["moves_made"] == 0 and p["bishop"] == p["to_move"] and not mover_has_tile(p)
        ),
    ),
    "second move with a tile": (4, FROZEN, lambda p: p["turn"] > 8 and len(p["dice"]) == 2 and mover_has_tile(p)),
    "second move without a tile": (
        3,
        FROZEN,
        lambda p: p["turn"] > 14 and len(p["dice"]) == 2 and not mover_has_tile(p) and p["bishop"] is not None,
    ),
    "second move, no figure in hand": (5, FROZEN, lambda p: len(p["dice"]) == 2 and p["figures"][p["to_move"]] == 0),
    "one unused die and a tile": (2, FROZEN, lambda p: p["turn"] > 6 and len(p["dice"]) == 1),
}
"""Name of a position to players, board and what is looked for."""


def find_positions() -> dict[str, Position]:
    """For each name of WANTED the first position that fits, in random games with the seeds 0, 1, 2 and so on.

    Dice and moves (among their texts in alphabetical order) are drawn here: the positions depend on the rules alone.
    """
    return {name: find_position(*wanted) for name, wanted in WANTED.items()}


def find_position(players: int, board: Board, fits: Callable[[Position], bool]) -> Position:
    """The first position that fits, as find_positions says."""
    for seed in range(100_000):
        rng = random.Random(seed)
        sides = [[v.name for v in board.villages if v.tile == tile] for tile in board.kept_tiles(players)]
        game = Game.new(players, [rng.choice(names) for names in sides], board=board)
        while not game.over:
            if game.needs_roll:
                game = game.roll([rng.randint(1, 6) for _ in range(game.dice_to_roll)])
            else:
                if fits(position := game.position()):
                    return position
                game = game.push(rng.choice(sorted(game.legal_moves)))
    raise LookupError("no such position in 100,000 games")


def write() -> None:
    """Write both files of data."""
    positions = find_positions()
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(position)}" for name, position in positions.items())
    POSITIONS.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    lines = ["# Turns that the rules allow: see tests/test_villages/test_counts.py, which writes this file.\n"]
    for name, position in positions.items():
        found = counts(position, turns_by_reference)
        lines += [f'\n["{name}"]\n', *(f'"{key}" = {number}\n' for key, number in found.items())]
    COUNTS.write_text("".join(lines), encoding="utf-8")


# --- tests ------------------------------------------------------------------------------------------------------

STORED: dict[str, Position] = json.loads(POSITIONS.read_text(encoding="utf-8")) if POSITIONS.exists() else {}
KEPT: dict[str, Counts] = tomllib.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}


@pytest.mark.parametrize("name", WANTED)
def test_counts(name: str) -> None:
    found = counts(STORED[name], turns_by_engine)
    assert found == KEPT[name], report(STORED[name], KEPT[name], found)


@pytest.mark.parametrize("name", WANTED)
def test_counts_per_first_move_by_the_second_implementation(name: str) -> None:
    for dice in handfuls(STORED[name]):
        engine, reference = turns_by_engine(STORED[name], dice), turns_by_reference(STORED[name], dice)
        assert engine == reference, f"dice {dice} in the position {json.dumps(STORED[name])}"


def test_the_positions_are_what_their_names_say() -> None:
    assert list(STORED) == list(KEPT) == list(WANTED)
    for name, (players, _, fits) in WANTED.items():
        assert STORED[name]["players"] == players
        assert fits(STORED[name])
    assert any(kept["passes"] for kept in KEPT.values())


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.test_villages.test_counts --write")
    write()
