"""Draw the board, docs/board.svg and docs/board-dark.svg: a game of three scripted agents, stopped half-way.

    python -m pages.pictures

Takes seconds. A test compares the pictures with what this makes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import agents
from agents.common.files import write_atomically
from bohemian_env import bohemian_villages_v0
from bohemian_env.villages.render import board_svg
from pages import DOCS

NAMES: Final = ("planner", "greedy", "hoarder")
SEED: Final = 11
DECISIONS: Final = 46


def position() -> dict[str, Any]:
    """Return the position after so many decisions of the agents."""
    env = bohemian_villages_v0.raw_env(len(NAMES))
    env.reset(seed=SEED)
    players = [agents.make(name, seed=seat) for seat, name in enumerate(NAMES)]
    for _ in range(DECISIONS):
        env.step(players[env.possible_agents.index(env.agent_selection)].act(env))
    return env.state_dict()


def pictures() -> dict[Path, str]:
    """Return the pictures, by path."""
    at = position()
    files = {"board.svg": False, "board-dark.svg": True}
    return {DOCS / name: board_svg(at, names=NAMES, dark=dark, ids=False) for name, dark in files.items()}


if __name__ == "__main__":
    for path, text in pictures().items():
        write_atomically(path, text.encode())
        print(f"docs/{path.name}")
