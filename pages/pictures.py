"""Write the pictures of the board: docs/board.svg and docs/board-dark.svg.

    python -m pages.pictures

A game of three scripted agents, stopped half-way. A test compares the pictures with what this makes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import agents
from bohemian_env import bohemian_villages_v0
from bohemian_env.render import board_svg
from pages import ROOT

NAMES: Final = ("planner", "greedy", "hoarder")
SEED: Final = 11
DECISIONS: Final = 46


def position() -> dict[str, Any]:
    """The position after so many decisions of the agents."""
    env = bohemian_villages_v0.raw_env(len(NAMES))
    env.reset(seed=SEED)
    players = [agents.make(name, seed=seat) for seat, name in enumerate(NAMES)]
    for _ in range(DECISIONS):
        env.step(players[env.possible_agents.index(env.agent_selection)].act(env))
    return env.state_dict()


def pictures() -> dict[Path, str]:
    """The pictures, by path."""
    at = position()
    files = {"board.svg": False, "board-dark.svg": True}
    return {ROOT / "docs" / name: board_svg(at, names=NAMES, dark=dark, ids=False) for name, dark in files.items()}


if __name__ == "__main__":
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT))
