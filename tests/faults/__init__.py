"""Attempts to break the project: kills, hostile requests, fuzzed inputs, random steps, and games by two rule books.

`python -m tests.faults` (`make campaign`) makes attempts, each by a seed, in processes that may die of them:
`campaign.py`.

- `kills.py` kills train.py, evaluate.py and play.py, which `programs.py` starts from a process that
  `warm.py` has warmed.
- `web.py` attacks the table's server, which `server.py` starts and watches.
- `fuzz.py` tries inputs at every door that takes foreign data: `doors_game.py`, `doors_envs.py`, `doors_files.py`,
  `doors_agents.py` and `doors_table.py`. `odd.py` has odd values, and makes inputs of valid examples.
- `steps.py` checks after every random step what must always hold, and plays games beside the plain rules of
  tests/reference.
"""

import os

__all__ = ["load"]


def load() -> float:
    """Return by how much a loaded machine is slower than one that has time: 1 at least, for limits in seconds."""
    return max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)
