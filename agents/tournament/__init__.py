"""Comparing agents: every pairing over the same villages and dice, from every seat, with intervals that hold.

>>> from agents.tournament import compare, enter
>>> comparison = compare(enter(["greedy", "random"], seed=0), games=200)
>>> comparison.results[0].share.low > 0.5
True

schedule.py says who sits where, play.py plays, statistics.py counts, report.py tells.
"""

from .comparison import Comparison, compare
from .outputs import whole_files
from .play import Entrant, Played, Setup, enter, play_chunk, play_line_up
from .report import as_json, markdown, print_report
from .schedule import BadTournament, LineUp, pairings
from .statistics import Estimate, Result, mean_estimate, share_estimate, summarise

__all__ = [
    "BadTournament",
    "Comparison",
    "Entrant",
    "Estimate",
    "LineUp",
    "Played",
    "Result",
    "Setup",
    "as_json",
    "compare",
    "enter",
    "markdown",
    "mean_estimate",
    "pairings",
    "play_chunk",
    "play_line_up",
    "print_report",
    "share_estimate",
    "summarise",
    "whole_files",
]
