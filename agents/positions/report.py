"""What the decisions of agents cost, as a table and as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from agents.common.markdown import table
from agents.common.statistics import Estimate, mean_estimate
from agents.players.agent import Agent

from .book import BadBook, Book

ALL: Final = "all"
"""Stands for all numbers of players together."""
SCALE: Final = 1000
"""By which chances are multiplied."""


def costs(book: Book, agent: Agent, tell: Callable[[str], object] = lambda _: None) -> dict[str, Estimate]:
    """Return the mean chance of winning that a decision of an agent loses, × 1,000, by number of players and of all.

    Of an agent that does not play with all these numbers there are its own, and nothing of all. tell: called with a
    sentence if a program failed. Raises BadBook if the positions do not fit the rules or the agent.
    """
    own = getattr(agent, "sizes", book.sizes)
    sizes = [players for players in book.sizes if players in own]
    if not sizes:
        asked, known = (", ".join(map(str, some)) for some in (own, book.sizes))
        raise BadBook(f"{agent.name} plays with {asked} players; there are positions of {known}")
    found = {str(players): SCALE * book.losses(agent, players, tell) for players in sizes}
    if sizes == book.sizes:
        found[ALL] = np.concatenate([*found.values()])
    return {name: mean_estimate(losses) for name, losses in found.items()}


def costs_table(found: Mapping[str, Mapping[str, Estimate]]) -> str:
    """Return the costs of agents, by their names, as Markdown; the agent that loses least comes first, and those
    without a cost of all numbers of players come last.
    """
    sizes = sorted({size for own in found.values() for size in own})  # ALL comes last
    head = ["agent", *(size if size == ALL else f"{size} players" for size in sizes)]
    order = sorted(found, key=lambda name: found[name][ALL].value if ALL in found[name] else math.inf)
    rows: list[Sequence[str]] = [
        [name, *(found[name][size].text(1) if size in found[name] else "–" for size in sizes)] for name in order
    ]
    return table(head, rows, range(1, len(head)))
