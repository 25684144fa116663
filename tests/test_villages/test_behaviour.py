"""One hash per number of players, over games of fixed seeds: all that the engine does, in one word.

Into it go the records of random games on the frozen board (villages, dice, rules, payments, scoring), the numbers of
the actions taken, and what the seats observe. A change that is meant to make something clearer or faster leaves the
hashes alone. A change of the rules, the dice, the action numbers or the observation changes them on purpose:

    python -m tests.test_villages.test_behaviour --write

The commit that does so says why, and CHANGELOG.md tells the users (CONTRIBUTING.md, "The behaviour hash").
"""

import hashlib
import json
import random
import sys
import tomllib
from typing import Any

import numpy as np
import pytest

from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.dice import DICE, rolled_handful
from bohemian_env.villages.game import Game
from bohemian_env.villages.observation import OBSERVATION_SIZE, write_observation
from bohemian_env.villages.setup import Setup, Start
from tests.helpers import DATA_FOLDER, FROZEN

BEHAVIOUR = DATA_FOLDER / "behaviour.toml"
GAMES = 100


def start_of(players: int, number: int) -> Start:
    """Drawn villages; every fourth game has a bank that runs out, every other fourth is cut off."""
    supply, most = 30 if number % 4 == 1 else None, 15 if number % 4 == 3 else 500
    return Setup.of(players, board=FROZEN, coin_supply=supply, max_turns=most).start(number)


def played(players: int, number: int) -> list[Any]:
    """A random game with the dice of its seed: action and observation at every decision, and at last the record."""
    rng = random.Random(number)
    game = Game.begin(start_of(players, number))
    seen = np.zeros(OBSERVATION_SIZE, np.int8)
    happened: list[Any] = []
    while not game.over:
        s = game.states[0]
        if s["pending"]:
            game = game.roll(DICE[rolled_handful(np.uint64(number), s["turn"], s["spent"], s["pending"])])
        else:
            action = rng.choice(legal_actions(s))
            write_observation(s, len(happened) % players, seen)
            happened.append([action, *seen.tolist()])
            game = game.push(action)
    return [*happened, game.record()]


def behaviour(players: int, games: int = GAMES) -> str:
    """SHA-256 over the JSON of all that happens in the games."""
    digest = hashlib.sha256()
    for number in range(games):
        digest.update(json.dumps(played(players, number), sort_keys=True).encode())
    return digest.hexdigest()


def write() -> None:
    """Write the hashes of the engine as it is."""
    lines = [
        "# What the engine does, as one hash per number of players. Change it only on purpose: see\n",
        "# tests/test_villages/test_behaviour.py, which writes this file.\n",
        "\n",
        *(f'{players} = "{behaviour(players)}"\n' for players in (2, 3, 4, 5)),
    ]
    BEHAVIOUR.write_text("".join(lines), encoding="utf-8")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_behaviour(players: int) -> None:
    kept = tomllib.loads(BEHAVIOUR.read_text(encoding="utf-8"))
    assert behaviour(players) == kept[str(players)], (
        f"games of {players} players go otherwise than they did. If that was the purpose: "
        "python -m tests.test_villages.test_behaviour --write, and say why"
    )


def test_the_games_end_in_every_way() -> None:
    """So that the hash covers all of R24."""
    ends = {played(2, number)[-1]["end"] for number in range(GAMES)}
    assert ends == {"no figures", "bank empty", "truncated"}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.test_villages.test_behaviour --write")
    write()
