"""Scripted opponents, compiled: they choose for the current seat of a position, thousands a millisecond."""

from .scripted import SCRIPTED, Scripted, choose, choose_all, random_action, scratch_states

__all__ = ["SCRIPTED", "Scripted", "choose", "choose_all", "random_action", "scratch_states"]
