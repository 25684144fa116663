"""Comparing agents: at every table over the same villages and dice, from every seat, with intervals that hold.

>>> from agents.tournament import compare, enter
>>> comparison = compare(enter(["greedy", "random"], seed=0), games=200)
>>> comparison.results[0].share.low > 0.5
True

Begin with comparison.py. schedule.py says who sits where; play.py plays, workers.py in several processes, and kept.py
keeps what is finished; luck.py says how lucky everyone was; statistics.py and rating.py count, sure.py says when it is
enough; report.py and plot.py tell; bar.py shows progress.
"""

from .bar import GamesBar
from .comparison import Comparison, compare
from .kept import CannotKeep
from .play import GAMES_AT_ONCE, Entrant, enter
from .plot import check_picture, picture
from .report import CSV_COLUMNS, as_csv, as_json, markdown, markdown_parts, played_on, print_report
from .schedule import SEATINGS, BadTournament, LineUp, line_ups
from .sure import LOOK, MARGIN, Sure, Verdict

__all__ = [
    "CSV_COLUMNS", "GAMES_AT_ONCE", "LOOK", "MARGIN", "SEATINGS", "BadTournament", "CannotKeep", "Comparison",
    "Entrant", "GamesBar", "LineUp", "Sure", "Verdict", "as_csv", "as_json", "check_picture", "compare", "enter",
    "line_ups", "markdown", "markdown_parts", "picture", "played_on", "print_report",
]  # fmt: skip
