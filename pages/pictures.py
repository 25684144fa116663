"""Draw a board of each game, stopped on the way: docs/board.svg, dorfromantik.svg, agricola.svg and the dark ones.

    python -m pages.pictures

Takes seconds. A test compares the pictures with what this makes.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from agents.common.files import write_atomically
from bohemian_env import bohemian_villages_v0
from bohemian_env.games import rules_of
from pages import DOCS

NAMES: Final = ("planner", "greedy", "hoarder")
SEED: Final = 11
DECISIONS: Final = 46
OTHERS: Final = {
    "dorfromantik": (11, ("Ada", "Bo"), "greedy", 34),
    "agricola": (36, ("Ada", "Bo", "Cleo"), "planner", 110),
}
"""The other games: seed, names of the seats, the opponent that plays all of them, and its decisions."""


def position() -> dict[str, Any]:
    """Return the position of villages after so many decisions of the agents."""
    env = bohemian_villages_v0.raw_env(len(NAMES))
    env.reset(seed=SEED)
    players = [agents.make(name, seed=seat) for seat, name in enumerate(NAMES)]
    for _ in range(DECISIONS):
        env.step(players[env.possible_agents.index(env.agent_selection)].act(env))
    return env.state_dict()


def position_of(name: str) -> dict[str, Any]:
    """Return the position of one of the other games after so many decisions of its opponent."""
    rules, (seed, seats, opponent, decisions) = rules_of(name), OTHERS[name]
    game, scratch = rules.game.new(len(seats), seed=seed).dealt(), rules.scratch()
    number = rules.scripted(opponent).number
    for word in np.random.default_rng(seed).integers(2**64, size=decisions, dtype=np.uint64):
        game = game.push(int(rules.verbs.choose(number, np.array(game.states)[0], word, scratch))).dealt()
    return game.position()


def pictures() -> dict[Path, str]:
    """Return the pictures, by path."""
    shown: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {"board": ("villages", position(), NAMES)}
    shown |= {name: (name, position_of(name), seats) for name, (_, seats, *_) in OTHERS.items()}
    return {
        DOCS / f"{file}{ending}.svg": rules_of(game).draw_svg(at, names=names, dark=dark, ids=False)
        for file, (game, at, names) in shown.items()
        for ending, dark in (("", False), ("-dark", True))
    }


if __name__ == "__main__":
    for path, text in pictures().items():
        write_atomically(path, text.encode())
        print(f"docs/{path.name}")
