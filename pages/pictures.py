"""Draw a board of each game: docs/board.svg, docs/dorfromantik.svg and the dark ones, games stopped on the way.

    python -m pages.pictures

Takes seconds. A test compares the pictures with what this makes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from agents.common.files import write_atomically
from bohemian_env import bohemian_villages_v0
from bohemian_env.games import rules_of
from bohemian_env.villages.render import board_svg
from pages import DOCS

NAMES: Final = ("planner", "greedy", "hoarder")
SEED: Final = 11
DECISIONS: Final = 46
TILES: Final = 34
"""The tiles of the landscape, laid by ``greedy``."""


def position() -> dict[str, Any]:
    """Return the position of villages after so many decisions of the agents."""
    env = bohemian_villages_v0.raw_env(len(NAMES))
    env.reset(seed=SEED)
    players = [agents.make(name, seed=seat) for seat, name in enumerate(NAMES)]
    for _ in range(DECISIONS):
        env.step(players[env.possible_agents.index(env.agent_selection)].act(env))
    return env.state_dict()


def landscape() -> dict[str, Any]:
    """Return the position of Dorfromantik after so many tiles."""
    rules = rules_of("dorfromantik")
    game, scratch = rules.game.new(2, seed=SEED).dealt(), rules.scratch()
    for _ in range(TILES):
        action = rules.verbs.choose(rules.scripted("greedy").number, np.array(game.states)[0], np.uint64(1), scratch)
        game = game.push(int(action)).dealt()
    found: dict[str, Any] = game.position()
    return found


def pictures() -> dict[Path, str]:
    """Return the pictures, by path."""
    found, tiles = {}, rules_of("dorfromantik")
    for ending, dark in (("", False), ("-dark", True)):
        found[DOCS / f"board{ending}.svg"] = board_svg(position(), names=NAMES, dark=dark, ids=False)
        drawn = tiles.draw_svg(landscape(), names=("Ada", "Bo"), dark=dark, ids=False)
        found[DOCS / f"dorfromantik{ending}.svg"] = drawn
    return found


if __name__ == "__main__":
    for path, text in pictures().items():
        write_atomically(path, text.encode())
        print(f"docs/{path.name}")
