"""What the decisions of agents cost, as a table and as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from agents.common.markdown import table
from agents.common.statistics import Estimate, mean_estimate
from agents.players.agent import Agent

from .book import Book

__all__ = ["ALL", "SCALE", "cost", "costs", "costs_as_json", "costs_table"]

ALL: Final = "all"
"""Stands for all numbers of players together."""
SCALE: Final = 1000
"""By which chances are multiplied."""


def cost(book: Book, agent: Agent, players: int) -> Estimate:
    """Return the mean chance of winning that a decision of an agent loses, × 1,000, at tables of so many players.

    Raises BadBook if there are none, or they are not those of the rules.
    """
    return mean_estimate(SCALE * book.losses(agent, players))


def costs(book: Book, agent: Agent, tell: Callable[[str], object] = lambda _: None) -> dict[str, Estimate]:
    """Return the mean chance of winning that a decision of an agent loses, × 1,000, by number of players and of all.

    tell: called with a sentence if a program failed. Raises BadBook if the positions are not those of the rules.
    """
    found = {str(players): SCALE * book.losses(agent, players, tell) for players in book.sizes}
    found[ALL] = np.concatenate([*found.values()])
    return {name: mean_estimate(losses) for name, losses in found.items()}


def costs_table(found: Mapping[str, Mapping[str, Estimate]]) -> str:
    """Return the costs of agents, by their names, as Markdown; the agent that loses least comes first."""
    sizes = [*next(iter(found.values()))]
    head = ["agent", *(size if size == ALL else f"{size} players" for size in sizes)]
    order = sorted(found, key=lambda name: found[name][ALL].value)
    rows: list[Sequence[str]] = [[name, *(one.text(1) for one in found[name].values())] for name in order]
    return table(head, rows, range(1, len(head)))


def costs_as_json(found: Mapping[str, Mapping[str, Estimate]]) -> dict[str, Any]:
    """Return the costs of agents as plain data."""
    return {name: {size: one.plain() for size, one in costs.items()} for name, costs in found.items()}
