"""How an agent plays, counted from games with itself: what docs/analysis.py makes its page of.

log.py lets the agent play and keeps a line for every decision, which moves.py writes; openings.py looks at the first
turn, counts.py asks the other questions, estimates.py puts intervals to the answers, pictures.py draws them.
"""

from agents.analysis import counts
from pages import analysis_pictures as pictures

from .log import Log, play
from .openings import ROLLS, Turn, first_offers, first_turns, play_book

__all__ = ["ROLLS", "Log", "Turn", "counts", "first_offers", "first_turns", "pictures", "play", "play_book"]
