"""Scripted opponents, compiled: they choose for the current seat of a position, up to a million times a second.

greedy.py takes what looks best at once, planner.py plans its whole turn, appraiser.py asks a small network where each
turn leads, and montecarlo.py plays games on from each move; scripted.py is how they are called by name. luck.py says
how lucky a roll was.
"""

from .scripted import SCRIPTED, Scratch, Scripted, choose, new_scratch, random_action, values_of

__all__ = ["SCRIPTED", "Scratch", "Scripted", "choose", "new_scratch", "random_action", "values_of"]
