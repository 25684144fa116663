"""Agricola (Uwe Rosenberg; Lookout Games, 2007), family game and solo: farms in 14 rounds, 1 to 5 players.

What a game hands over to the floor stands in contract.py and verbs.py. The rules, A1 to A80: what is legal in legal.py,
what happens in rules.py, the decisions and actions in decisions.py, pastures and animals in farm.py, on positions of
state.py with the numbers of pieces.py. opponents/ plays, draw/ draws. faces.py is what comes of it.
"""

from .game import Game
from .setup import Setup

__all__ = ["Game", "Setup"]
