"""Agents: players of every game, by name or from a folder that a training run left.

>>> import agents
>>> from bohemian_env import Game
>>> greedy = agents.make("greedy", seed=1)
>>> game = Game.new(2, seed=7).roll()
>>> game = game.push(greedy.move(game))
>>> planner = agents.make("planner", seed=1, game="agricola")

Begin with ``players/`` (what an agent is, agents by name), then ``network/`` (what trained agents are made of),
``training/`` (how they are made), ``tournament/`` (how they are compared), ``positions/`` (what their decisions cost).
``common/`` holds what these share, ``pretrained/`` the agents that come with the project.
"""

from .players.agent import Agent, Explanation, Player, WrongGame
from .players.names import UnknownAgent, known
from .players.registry import make

__all__ = ["Agent", "Explanation", "Player", "UnknownAgent", "WrongGame", "known", "make"]
