"""The scripted opponents, by name: planner.py chooses, estimate.py says what a farm is worth."""

from .scripted import SCRIPTED, Scripted, choose, new_scratch

__all__ = ["SCRIPTED", "Scripted", "choose", "new_scratch"]
