"""Comparing agents: at every table over the same villages and dice, from every seat, with intervals that hold.

>>> from agents.tournament import compare, enter
>>> comparison = compare(enter(["greedy", "random"], seed=0), games=200)
>>> comparison.results[0].share.low > 0.5
True

Begin with comparison.py. schedule.py says who sits where; play.py plays, workers.py in several processes, and kept.py
keeps what is finished; coin_sources.py says where coins come from; statistics.py and rating.py count; report.py and
plot.py tell; bar.py shows progress; versions.py names what the games depend on.
"""

from .bar import GamesBar
from .coin_sources import COIN_SOURCES
from .comparison import Comparison, compare
from .play import Entrant, enter
from .plot import check_picture, picture
from .report import CSV_COLUMNS, as_csv, as_json, markdown, markdown_parts, played_on, print_report
from .schedule import SEATINGS, BadTournament, LineUp, line_ups

__all__ = [
    "COIN_SOURCES",
    "CSV_COLUMNS",
    "SEATINGS",
    "BadTournament",
    "Comparison",
    "Entrant",
    "GamesBar",
    "LineUp",
    "as_csv",
    "as_json",
    "check_picture",
    "compare",
    "enter",
    "line_ups",
    "markdown",
    "markdown_parts",
    "picture",
    "played_on",
    "print_report",
]
