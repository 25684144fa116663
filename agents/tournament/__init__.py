"""Comparing agents of any game: at every table with the same chance, from every seat, with intervals that hold.

>>> from agents.tournament import compare, enter
>>> comparison = compare(enter(["greedy", "random"], seed=0), games=200)
>>> comparison.results[0].share.low > 0.5
True

Begin with comparison.py. schedule.py says who sits where; play.py plays, workers.py in several processes, and kept.py
keeps what is finished; luck.py says how lucky everyone was; statistics.py and rating.py count, sure.py says when it is
enough; report.py and plot.py tell; bar.py shows progress.

A result is a share of the win where seats are rivals, else a total.
"""

from .bar import GamesBar
from .comparison import Comparison, compare
from .kept import CannotKeep
from .play import GAMES_AT_ONCE, Entrant, enter, expanded
from .plot import check_picture, picture
from .report import (
    CSV_COLUMNS,
    GROUP_COLUMNS,
    TEAM_COLUMNS,
    as_csv,
    as_json,
    markdown,
    markdown_parts,
    played_on,
    print_report,
)
from .schedule import SEATINGS, BadTournament, LineUp, line_ups
from .statistics import Score
from .sure import LOOK, MARGIN, TEAM_MARGIN, Sure, Verdict

__all__ = [
    "CSV_COLUMNS", "GAMES_AT_ONCE", "GROUP_COLUMNS", "LOOK", "MARGIN", "SEATINGS", "TEAM_COLUMNS", "TEAM_MARGIN",
    "BadTournament", "CannotKeep", "Comparison", "Entrant", "GamesBar", "LineUp", "Score", "Sure", "Verdict", "as_csv",
    "as_json", "check_picture", "compare", "enter", "expanded", "line_ups", "markdown", "markdown_parts", "picture",
    "played_on", "print_report",
]  # fmt: skip
