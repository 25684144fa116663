"""The rules as plain Python: with NUMBA_DISABLE_JIT=1 they run in a debugger and must do the same.

A second interpreter runs the tests of the rulings uncompiled, and this file as a program:

    NUMBA_DISABLE_JIT=1 python -m tests.test_villages.test_uncompiled
"""

import inspect
import json
import random
import warnings
from typing import Any

import numpy as np
import pytest

from bohemian_env import Game
from bohemian_env.engine.compiled import JIT_DISABLED
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.opponents import SCRIPTED, new_scratch, values_of
from tests.helpers import run_python
from tests.reference.beside import play
from tests.test_villages.test_behaviour import behaviour
from tests.test_villages.test_compiled import compiled_functions

MOVES = 300
"""Moves in lock-step per number of players."""
BEFORE, DECISIONS = 30, 5
"""Moves before those that `planner` judges, and how many these are."""

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="everything runs uncompiled already")


def uncompiled(*arguments: str) -> str:
    """What a Python with these arguments prints that does not compile."""
    done = run_python(*arguments, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rulings_hold_uncompiled() -> None:
    file = "tests/test_villages/test_rulings.py"
    assert " passed" in uncompiled("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", file)


def judged(players: int) -> list[float]:
    """What `planner` thinks of the moves late in a game: the sums of its values, by decision."""
    rng, game = random.Random(players), Game.new(players, seed=players).dealt()
    found: list[float] = []
    scratch, values = new_scratch(), np.empty(NUM_ACTIONS)
    while len(found) < DECISIONS:
        if len(game.actions) >= BEFORE:
            states = game.states.copy()
            values_of(list(SCRIPTED).index("planner"), states[0], scratch, values)
            found.append(round(float(values[list(game.legal_actions)].sum()), 6))
        game = game.push(rng.choice(game.legal_actions)).dealt()
    return found


@pytest.mark.slow
def test_uncompiled_games_are_the_same() -> None:
    """In lock-step with the second implementation, by the hash of behaviour, and what `planner` thinks. Warnings are
    errors there.
    """
    found = json.loads(uncompiled("-m", "tests.test_villages.test_uncompiled"))
    assert found["plain"] == list(compiled_functions())
    assert found["moves"] >= 4 * MOVES
    assert found["behaviour"] == {str(players): behaviour(players, games=4) for players in (2, 3, 4, 5)}
    assert found["judged"] == {str(players): judged(players) for players in (2, 3, 4, 5)}


def main() -> None:
    """Play, and print what test_uncompiled_games_are_the_same asks for."""
    warnings.simplefilter("error")
    moves = 0
    for players in (2, 3, 4, 5):
        rng = random.Random(players)
        until = moves + MOVES
        while moves < until:
            moves += play("villages", rng.choice(("ordinary", "little boards")), players, rng, scripted=False)
    found: dict[str, Any] = {"moves": moves}
    found["plain"] = [name for name, function in compiled_functions().items() if inspect.isfunction(function)]
    found["behaviour"] = {players: behaviour(players, games=4) for players in (2, 3, 4, 5)}
    found["judged"] = {players: judged(players) for players in (2, 3, 4, 5)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
