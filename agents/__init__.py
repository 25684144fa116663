"""Agents: players of Bohemian Villages, by name or from a folder that a training run left.

>>> import agents
>>> greedy = agents.make("greedy", seed=1)
"""

from .players.agent import Agent
from .players.explanation import Explanation
from .players.montecarlo import MonteCarloAgent
from .players.registry import UnknownAgent, known, make
from .players.scripted import ScriptedAgent

__all__ = ["Agent", "Explanation", "MonteCarloAgent", "ScriptedAgent", "UnknownAgent", "known", "make"]
