"""Comparing agents: at every table over the same villages and dice, from every seat, with intervals that hold.

>>> from agents.tournament import compare, enter
>>> comparison = compare(enter(["greedy", "random"], seed=0), games=200)
>>> comparison.results[0].share.low > 0.5
True

schedule.py says who sits where, play.py plays, workers.py in several processes, kept.py keeps what is finished,
sources.py says where coins come from, statistics.py and rating.py count, report.py and plot.py
tell, bar.py shows progress.
"""

from .bar import GamesBar
from .comparison import Comparison, compare
from .play import GAMES_AT_ONCE, Entrant, Played, enter, play_chunk, play_line_up
from .plot import check_picture, picture
from .rating import fit_ratings, rate
from .report import CSV_COLUMNS, as_csv, as_json, markdown, print_report
from .schedule import TABLES, BadTournament, Chunk, LineUp, line_ups
from .sources import SOURCES
from .statistics import LEVEL, Estimate, Result, Table, mean_estimate, share_estimate, summarise

__all__ = [
    "CSV_COLUMNS",
    "GAMES_AT_ONCE",
    "LEVEL",
    "SOURCES",
    "TABLES",
    "BadTournament",
    "Chunk",
    "Comparison",
    "Entrant",
    "Estimate",
    "GamesBar",
    "LineUp",
    "Played",
    "Result",
    "Table",
    "as_csv",
    "as_json",
    "check_picture",
    "compare",
    "enter",
    "fit_ratings",
    "line_ups",
    "markdown",
    "mean_estimate",
    "picture",
    "play_chunk",
    "play_line_up",
    "print_report",
    "rate",
    "share_estimate",
    "summarise",
]
