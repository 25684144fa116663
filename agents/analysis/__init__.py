"""How an agent plays, counted from games with itself. Begin with log.py.

log.py lets the agent play and keeps a line for every decision, which moves.py writes; openings.py looks at the first
turn; counts.py asks the other questions, trust.py whether stated chances are right, and estimates.py puts intervals to
the answers. ``pages/analysis.py`` and ``pages/trust.py`` make tables and pictures of them.
"""

from . import counts
from .log import Log, play
from .openings import ROLLS, Turn, first_offers, first_turns, play_book

__all__ = ["ROLLS", "Log", "Turn", "counts", "first_offers", "first_turns", "play", "play_book"]
