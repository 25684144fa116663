"""Dorfromantik: Das Brettspiel (Michael Palm, Lukas Zach; Pegasus Spiele, 2022): tiles laid together, 1 to 6 players.

What a game hands over to the floor stands in contract.py and verbs.py; the rules themselves, D1 to D32, in rules.py, on
positions of state.py with the pieces of tiles.py. players.py plays, draw/ draws. faces.py is what comes of it.
"""

from .game import Game
from .setup import Setup

__all__ = ["Game", "Setup"]
