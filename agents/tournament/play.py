"""Playing the games of a schedule, many at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

import agents
from bohemian_env import Batch, Board
from bohemian_env.game.game import DEFAULT_MAX_TURNS
from bohemian_env.game.state import ENDS

from .schedule import BadTournament, LineUp, check_seed, chunks

__all__ = ["GAMES_AT_ONCE", "Entrant", "Played", "Setup", "enter", "play_chunk", "play_line_up", "try_out"]

GAMES_AT_ONCE: Final = 2048
"""Games in one batch. More would cost memory and gain little speed; results do not depend on it."""
_TRUNCATED: Final = ENDS.index("truncated")


@dataclass(frozen=True, slots=True)
class Setup:
    """What all games of a tournament have in common; the parameters are those of ``Game.new``."""

    players: int = 2
    villages: str | tuple[str, ...] = "random"
    board: Board = field(default_factory=Board.standard)
    coin_supply: int | None = None
    max_turns: int = DEFAULT_MAX_TURNS

    def batch(self, games: int) -> Batch:
        """Games that stay as they ended.

        Raises:
            BadSetup: a parameter is not as ``Game.new`` wants it.
        """
        return Batch(
            games,
            self.players,
            self.villages,
            board=self.board,
            coin_supply=self.coin_supply,
            max_turns=self.max_turns,
            autoreset=False,
        )


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent that takes part."""

    name: str
    """How tables and records call it; no two entrants of :func:`enter` have the same name."""
    argument: str
    """The name or path that it was made from."""
    seed: int
    """Of its own chances."""
    agent: agents.Agent


def _agent_seed(seed: int, position: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(position,)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def enter(arguments: Sequence[str], seed: int, board: Board | None = None) -> list[Entrant]:
    """Make the agents of a tournament. The seed of each follows from ``seed`` and its place in the list.

    An agent may be named twice: the second is then called ``NAME (2)`` and has other chances.

    Args:
        arguments: what :func:`agents.make` takes: names, and paths of trained agents.
        seed: 0 to 2**63 - 1.
        board: on which they are to play; the shipped board by default.

    Raises:
        BadTournament: no such agent, a path without one that can play here, or a seed outside 0 to 2**63 - 1.
    """
    check_seed(seed)
    entrants: list[Entrant] = []
    for position, argument in enumerate(arguments):
        own_seed = _agent_seed(seed, position)
        try:
            agent = agents.make(argument, own_seed, board)
        except ValueError as error:  # UnknownAgent, or BadAgent, whose module would bring torch
            raise BadTournament(str(error)) from error
        name, taken, times = agent.name, {e.name for e in entrants}, 1
        while name in taken:
            times += 1
            name = f"{agent.name} ({times})"
        entrants.append(Entrant(name, argument, own_seed, agent))
    return entrants


def try_out(entrants: Sequence[Entrant], setup: Setup) -> None:
    """Let each entrant decide once, so that what it loads or compiles at first is not timed.

    Raises:
        BadSetup: as :meth:`Setup.batch`.
    """
    batch = setup.batch(8)
    for entrant in entrants:
        entrant.agent.act_batch(batch, np.arange(batch.n))


@dataclass(frozen=True, slots=True)
class Played:
    """Finished games of one line-up: blocks × rotations, rotation r with the first entrant in seat r."""

    seeds: np.ndarray
    """Seed of each block. uint64, (blocks,)."""
    totals: np.ndarray
    """Final total (R25) of each seat. int32, (blocks, rotations, seats)."""
    turns: np.ndarray
    """Turns begun, over all seats. int32, (blocks, rotations)."""
    truncated: np.ndarray
    """Whether the game was cut off (R24). bool, (blocks, rotations)."""
    decisions: np.ndarray
    """Decisions that each entrant of the tournament took, also where only one action was legal. int64, (entrants,)."""
    seconds: np.ndarray
    """Wall time of its ``act_batch`` for them. float64, (entrants,)."""

    @classmethod
    def join(cls, parts: Sequence[Played]) -> Played:
        """Parts of one line-up put together, in their order."""
        return cls(
            seeds=np.concatenate([p.seeds for p in parts]),
            totals=np.concatenate([p.totals for p in parts]),
            turns=np.concatenate([p.turns for p in parts]),
            truncated=np.concatenate([p.truncated for p in parts]),
            decisions=np.sum([p.decisions for p in parts], axis=0),
            seconds=np.sum([p.seconds for p in parts], axis=0),
        )


def play_chunk(
    line_up: LineUp,
    seeds: np.ndarray,
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    progress: Callable[[int], None] | None = None,
    record: Callable[[dict[str, Any]], None] | None = None,
) -> Played:
    """Play all rotations of a line-up with each of these seeds, in one batch.

    Args:
        line_up: numbers of entrants by seat, ``setup.players`` of them.
        seeds: of the blocks, uint64, (blocks,).
        entrants: the agents that those numbers mean.
        setup: of all games.
        progress: called with the number of games that ended since it was last called.
        record: called with the record of each game, block by block and rotation by rotation.

    Raises:
        BadSetup: as :meth:`Setup.batch`. IllegalMove: an agent chose an action that is not legal.
    """
    players = line_up.players
    seating = np.tile(line_up.rotations, (len(seeds), 1))
    batch = setup.batch(len(seating))
    batch.reset(np.repeat(seeds, players))
    actions = np.zeros(batch.n, np.int64)
    decisions = np.zeros(len(entrants), np.int64)
    seconds = np.zeros(len(entrants))
    taking_part = sorted(set(line_up.order))
    going = np.arange(batch.n)
    while going.size:
        to_move = seating[going, batch.seats[going]]
        for number in taking_part:
            games = going[to_move == number]
            if games.size:
                start = time.perf_counter()
                chosen = entrants[number].agent.act_batch(batch, games)
                seconds[number] += time.perf_counter() - start
                decisions[number] += games.size
                actions[games] = chosen
        batch.step(actions)
        still = going[~batch.over[going]]
        if progress is not None and still.size < going.size:
            progress(going.size - still.size)
        going = still
    if record is not None:
        for game, line in enumerate(seating):
            record({**batch.record(game), "players": [entrants[number].name for number in line]})
    shape = (len(seeds), players)
    return Played(
        seeds=seeds,
        totals=batch.totals.reshape(*shape, players).copy(),
        turns=batch.states["turn"].reshape(shape).copy(),
        truncated=(batch.states["end"] == _TRUNCATED).reshape(shape),
        decisions=decisions,
        seconds=seconds,
    )


def play_line_up(
    line_up: LineUp,
    seeds: np.ndarray,
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    games_at_once: int = GAMES_AT_ONCE,
    progress: Callable[[int], None] | None = None,
    record: Callable[[dict[str, Any]], None] | None = None,
) -> Played:
    """:func:`play_chunk` for any number of seeds, ``games_at_once`` games at a time.

    The games are the same whatever ``games_at_once`` is, as long as an agent's choice in one game does not depend on
    the others it is asked about. (A network's may, by rounding, where two actions are all but equal to it.)
    """
    parts = [
        play_chunk(line_up, piece, entrants, setup, progress=progress, record=record)
        for piece in chunks(seeds, line_up.players, games_at_once)
    ]
    return Played.join(parts)
