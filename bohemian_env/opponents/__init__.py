"""Scripted opponents, compiled: they choose for the current seat of a position, up to a million a second."""

from .scripted import SCRIPTED, Scripted, choose, choose_all, random_action, scratch_states, values_of

__all__ = ["SCRIPTED", "Scripted", "choose", "choose_all", "random_action", "scratch_states", "values_of"]
