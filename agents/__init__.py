"""Agents: players of Bohemian Villages, by name or from a folder that a training run left.

>>> import agents
>>> greedy = agents.make("greedy", seed=1)
"""

from .base import Agent, UnknownAgent, known, make
from .explanation import Explanation
from .montecarlo import MonteCarloAgent
from .scripted import ScriptedAgent

__all__ = ["Agent", "Explanation", "MonteCarloAgent", "ScriptedAgent", "UnknownAgent", "known", "make"]
