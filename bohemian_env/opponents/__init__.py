"""Scripted opponents, compiled: they choose for the current seat of a position, up to a million times a second.

greedy.py takes what looks best at once, planner.py plans its whole turn, and montecarlo.py plays games on from each
move; scripted.py is how they are called by name.
"""

from .scripted import SCRIPTED, Scripted, choose, choose_all, random_action, scratch_states, values_of

__all__ = ["SCRIPTED", "Scripted", "choose", "choose_all", "random_action", "scratch_states", "values_of"]
