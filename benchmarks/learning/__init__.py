"""What algorithms learn, measured: the runs behind docs/benchmark.md, and the settings that they run with.

``python -m benchmarks.learning`` is the command. cells.py says what a run is, and does it; rows.py reads and keeps what
it found; games.py has the files of algorithms learn any game; score.py plays to find out how strong an agent is;
play.py rates agents at a price of a move, exploit.py says what best responses win; reference.py says how fast this
machine is; settings.py and tune.py choose settings; workers.py shares out runs among cores and machines; statistics.py
sums them up, and show.py prints chosen ones.
"""

from typing import Final

RANKED: Final = ("2p-planner", "2p-planner-fixed", "4p-planner", "4p-mixed")
"""The tasks by which algorithms are ranked, and which they learn by default."""

VERSION: Final = 2
"""The version of the benchmark: of its tasks, budgets and scores. A task keeps the version in which it became what
it is (``cells.version_of``), and results of two versions are not compared."""
