"""A campaign of faults: kills, full disks, damaged files, fuzzed inputs, hostile requests, and games by two rule books.

`python -m faults --hours 8` runs it and goes on where it stopped; `make campaign MINUTES=30` does, too. `campaign.py`
hands out attempts, each made by a seed, to processes that may die of them; `ledger.py` keeps what they found;
`page.py` writes docs/reliability.md from that. The faults themselves are listed in `kinds.py`:

- `kills.py` kills the programs, which `programs.py` starts from a process that `warm.py` has warmed; `preload.py`
  compiles `unsynced.c`, with which unsynced writes can be dropped and calls fail, as `disk.py` has them.
- `fuzz.py` tries inputs at doors, which are in `doors_game.py`, `doors_envs.py`, `doors_files.py`, `doors_agents.py`
  and `doors_table.py`; `odd.py` has odd values and makes inputs of valid examples, and `guided.py` lets coverage choose
  them. `damage.py` damages files.
- `web.py` attacks the table's server, which `server.py` starts.
- `beside.py` plays games by the compiled rules and by the plain ones of `plain.py`; `steps.py` checks after every
  random step what must always hold.

Two other commands measure the tests: `python -m faults.branches` (`branches.py`) finds the branches that they do not
take, and `python -m faults.mutants` (`mutants.py`) plants mistakes, which they must find.
"""

import os

__all__ = ["load"]


def load() -> float:
    """Return by how much a loaded machine is slower than one that has time: 1 at least, for limits in seconds."""
    return max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)
