"""The file of positions whose moves were rolled out, and what an agent's decisions in them cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.markdown import table
from agents.common.statistics import Estimate, mean_estimate
from agents.players.agent import Agent
from agents.players.program import ProgramAgent
from bohemian_env import Batch, BohemianError, Setup
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

BOOK: Final = Path(__file__).with_name("book.json")  # the positions that come with the project
FORMAT: Final = "bohemian-positions/1"
_LARGEST: Final = 16 * 2**20  # bytes of a file at most
ALL: Final = "all"  # stands for all numbers of players together
SCALE: Final = 1000  # by which chances are multiplied
MOST: Final = 5_000  # positions of a number of players at most
_LONGEST: Final = 10_000  # moves that lead to a position at most


class BadBook(ValueError):
    """A file that holds no rolled-out positions; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game on the shipped board, and what each of its moves costs."""

    seed: int  # the seed of the game, from which villages and dice follow
    moves: bytes  # the actions up to it, a byte each
    losses: Mapping[int, tuple[float, float]]
    """The chance of winning that each legal action loses against the best one, and the standard error."""


class Book:
    """Positions by the number of players.

    Attributes:
        about: how they were made: plain data.
    """

    def __init__(self, about: Mapping[str, Any], positions: Mapping[int, Sequence[Position]]) -> None:
        self.about = about
        self._positions = positions
        self._batches: dict[int, Batch] = {}

    @property
    def sizes(self) -> list[int]:
        """The numbers of players of which there are positions."""
        return sorted(self._positions)

    @cached_property
    def digest(self) -> str:
        """What tells books apart: a hash of the positions and of what their moves cost, 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.to_json()["positions"]).encode()).hexdigest()[:16]

    def positions(self, players: int) -> Sequence[Position]:
        """Return the positions with this number of players. Raises BadBook if the book has none."""
        if players not in self._positions:
            raise BadBook(f"no positions with {players} players; there are some with {', '.join(map(str, self.sizes))}")
        return self._positions[players]

    def losses(self, agent: Agent, players: int, tell: Callable[[str], object] = lambda _: None) -> np.ndarray:
        """Return the chance of winning that an agent loses in each position with this number of players: float64.

        A program that fails loses what the worst move does; ``tell`` is called with a sentence if it did. Raises
        BadBook if the book has no such positions, or they do not fit the rules.
        """
        batch = self.batch(players)
        if isinstance(agent, ProgramAgent):
            chosen, failed = agent.attempt(batch, np.arange(batch.n))
        else:
            chosen, failed = agent.act_batch(batch), {}
        if failed:
            times = f"failed in {len(failed)} of the {batch.n} positions of {players} players"
            tell(f"{agent.name} {times}, where it loses what the worst move does. The first: {failed[min(failed)]}.")
        rows = enumerate(zip(self.positions(players), chosen.tolist(), strict=True))
        return np.array(
            [
                max(loss for loss, _ in position.losses.values()) if number in failed else position.losses[action][0]
                for number, (position, action) in rows
            ]
        )

    def batch(self, players: int) -> Batch:
        """Return games that stand at the positions. Raises BadBook if they do not fit the rules."""
        if players in self._batches:
            return self._batches[players]
        found = self.positions(players)
        batch = Batch(len(found), Setup.of(players), autoreset=False)
        try:
            batch.replay([position.seed for position in found], [position.moves for position in found])
        except BohemianError as error:
            raise BadBook(f"positions of {players} players: {error}") from error
        for number, (position, state) in enumerate(zip(found, batch.arrays[0], strict=True)):
            if state["end"] or set(position.losses) != set(legal_actions(state)):
                raise BadBook(f"position {number} of {players} players: its moves are not the legal ones")
        self._batches[players] = batch
        return batch

    def to_json(self) -> dict[str, Any]:
        """Return plain data, of which :meth:`from_json` makes the same."""
        return {
            "format": FORMAT,
            "about": dict(self.about),
            "positions": {
                str(players): [
                    {
                        "seed": one.seed,
                        "moves": list(one.moves),
                        "losses": {str(a): [round(x, 5) for x in pair] for a, pair in one.losses.items()},
                    }
                    for one in found
                ]
                for players, found in self._positions.items()
            },
        }

    @classmethod
    def from_json(cls, data: Any) -> Book:
        """Return the positions in plain data. Raises BadBook."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadBook(f"not a book of positions: expected the format {FORMAT}")
        try:
            positions = {int(players): [_position(one) for one in rows] for players, rows in data["positions"].items()}
            if not positions or not all(MIN_PLAYERS <= n <= MAX_PLAYERS and rows for n, rows in positions.items()):
                raise ValueError(f"positions are of {MIN_PLAYERS} to {MAX_PLAYERS} players, at least one of each")
            if any(len(rows) > MOST for rows in positions.values()):
                raise ValueError(f"more than {MOST:,} positions of a number of players")
            return cls(dict(data["about"]), positions)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise BadBook(f"not a book of positions: {error!r}") from error

    @classmethod
    def load(cls, path: str | Path = BOOK) -> Book:
        """Return the positions in a file. Raises BadBook, or OSError if it cannot be read."""
        path = Path(path)
        if not path.exists():
            raise BadBook(f"{path} is missing: python -m agents.positions makes such a file")
        if path.stat().st_size > _LARGEST:
            raise BadBook(f"{path}: larger than {_LARGEST >> 20} MiB")
        try:
            return cls.from_json(json.loads(path.read_bytes(), parse_constant=_no_number, parse_float=_finite))
        except (ValueError, RecursionError) as error:
            raise BadBook(f"{path}: {error}") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(text: str) -> float:
    return number if isfinite(number := float(text)) else _no_number(text)


def _position(one: Any) -> Position:
    losses = {int(action): (float(loss), float(error)) for action, (loss, error) in one["losses"].items()}
    if not losses or not all(0 <= loss <= 1 and 0 <= error <= 1 for loss, error in losses.values()):
        raise ValueError("losses and their errors are from 0 to 1")
    if not isinstance(one["moves"], list) or len(one["moves"]) > _LONGEST:
        raise ValueError(f"moves {one['moves']!r:.80} are not a list of at most {_LONGEST:,} action numbers")
    return Position(one["seed"], bytes(one["moves"]), losses)


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
    without a cost of all numbers of players come last."""
    sizes = sorted({size for own in found.values() for size in own})  # ALL comes last
    head = ["agent", *(size if size == ALL else f"{size} players" for size in sizes)]
    order = sorted(found, key=lambda name: found[name][ALL].value if ALL in found[name] else inf)
    rows: list[Sequence[str]] = [
        [name, *(found[name][size].text(1) if size in found[name] else "–" for size in sizes)] for name in order
    ]
    return table(head, rows, range(1, len(head)))
