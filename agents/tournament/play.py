"""Playing the games of a chunk, all at once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from bohemian_env import Batch, Board, Setup
from bohemian_env.compiled import njit
from bohemian_env.game.rules import legal_count, pick_legal
from bohemian_env.game.state import copy_states

from .coin_sources import COIN_SOURCES, add_final, follow
from .schedule import BadTournament, Chunk, LineUp, check_seed, chunks

__all__ = [
    "GAMES_AT_ONCE",
    "Entrant",
    "Played",
    "enter",
    "games_at_once_of",
    "make_again",
    "play_chunk",
    "play_line_up",
    "try_out",
]

GAMES_AT_ONCE: Final = 2048
"""Games in one batch. More would cost memory and gain little speed; results do not depend on it."""


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
    """It may have attributes ``games_at_once``, how many games it likes to be asked about at a time, and ``files``, the
    paths that it was loaded from."""
    weights: str | None = None
    """SHA-256 of the file of a trained agent, in hexadecimal; of several with commas between them."""


def _agent_seed(seed: int, position: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(position,)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _made(argument: str, seed: int, board: Board | None) -> tuple[agents.Agent, str | None]:
    """Return an agent and the digest of its weights. Raises BadTournament if no such agent can play here."""
    try:
        agent = agents.make(argument, seed, board)
    except ValueError as error:  # UnknownAgent, or BadAgent, whose module would bring torch
        raise BadTournament(str(error)) from error
    files: tuple[Path, ...] = getattr(agent, "files", ())
    contents = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return agent, contents[0] if len(contents) == 1 else ", ".join(contents) or None


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
        agent, weights = _made(argument, own_seed, board)
        name, taken, times = agent.name, {e.name for e in entrants}, 1
        while name in taken:
            times += 1
            name = f"{agent.name} ({times})"
        entrants.append(Entrant(name, argument, own_seed, agent, weights))
    return entrants


def make_again(name: str, argument: str, seed: int, weights: str | None, board: Board) -> Entrant:
    """Return an entrant made from what another one was made from, in another process.

    Raises:
        BadTournament: it cannot be made, or its weights have changed since.
    """
    agent, present = _made(argument, seed, board)
    if present != weights:
        raise BadTournament(f"{argument}: its weights have changed since the tournament began")
    return Entrant(name, argument, seed, agent, weights)


def games_at_once_of(line_up: LineUp, entrants: Sequence[Entrant], most: int) -> int:
    """Return how many games a chunk of this table has: as few as any of its agents likes, ``most`` at most."""
    return min(most, *(getattr(entrants[number].agent, "games_at_once", most) for number in line_up.agents))


def try_out(entrants: Sequence[Entrant], setup: Setup) -> None:
    """Let each entrant decide once, so that what it loads or compiles at first is not timed."""
    batch = Batch(2, setup, autoreset=False)
    for entrant in entrants:
        entrant.agent.act_batch(batch, np.arange(batch.n))


@dataclass(frozen=True, slots=True)
class Played:
    """Finished games of one table: blocks × rotations."""

    seating: np.ndarray
    """Entrant at each seat. int64, (blocks, rotations, seats)."""
    totals: np.ndarray
    """Final total (R25) of each seat. int32, (blocks, rotations, seats)."""
    turns: np.ndarray
    """Turns begun, over all seats. int32, (blocks, rotations)."""
    ends: np.ndarray
    """How each game ended: index into ``state.ENDS``. uint8, (blocks, rotations)."""
    coins_by_source: np.ndarray
    """Coins of each entrant by source, over all its seats and games. int64, (entrants, len(COIN_SOURCES))."""
    decisions: np.ndarray
    """Decisions that each entrant of the tournament took between two or more actions. int64, (entrants,)."""
    seconds: np.ndarray
    """Wall time of its ``act_batch`` for them. float64, (entrants,)."""
    records: tuple[dict[str, Any], ...] = ()
    """The record of each game, block by block and rotation by rotation, if records were asked for."""

    @classmethod
    def join(cls, parts: Sequence[Played]) -> Played:
        """Return parts of one table put together, in their order."""
        return cls(
            seating=np.concatenate([p.seating for p in parts]),
            totals=np.concatenate([p.totals for p in parts]),
            turns=np.concatenate([p.turns for p in parts]),
            ends=np.concatenate([p.ends for p in parts]),
            coins_by_source=np.sum([p.coins_by_source for p in parts], axis=0),
            decisions=np.sum([p.decisions for p in parts], axis=0),
            seconds=np.sum([p.seconds for p in parts], axis=0),
            records=tuple(record for p in parts for record in p.records),
        )


@njit
def _take_forced(games: Any, states: Any, actions: Any, open_games: Any) -> Any:
    """Write the action of each of ``games`` in which only one is legal; return how many others there are.

    games: int64 (m,). actions: int64 (n,), written where forced. open_games: bool (m,), overwritten: True for others.
    """
    count = 0
    for place in range(games.shape[0]):
        s = states[games[place]]
        open_games[place] = legal_count(s) > 1
        if open_games[place]:
            count += 1
        else:
            actions[games[place]] = pick_legal(s, 0)
    return count


def _by_entrant(
    line_up: LineUp, batch: Batch, seats: np.ndarray, deciding: np.ndarray
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each entrant that decides in some games, and these. seats: entrant at each seat, int64 (n, players)."""
    to_move = seats[deciding, batch.seats[deciding]]
    for number in line_up.agents:
        games = deciding[to_move == number]
        if games.size:
            yield number, games


def play_chunk(
    chunk: Chunk,
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    progress: Callable[[int], None] | None = None,
    records: bool = False,
) -> Played:
    """Play all rotations of a chunk's table with each of its seeds, in one batch.

    An agent is asked only where two or more actions are legal.

    Args:
        chunk: what to play.
        entrants: the agents that the numbers of its line-up mean.
        setup: of all games, with as many players as the line-up.
        progress: called with the number of games that ended since it was last called.
        records: whether to keep the record of every game.

    Raises:
        IllegalMove: an agent chose an action that is not legal.
    """
    players = setup.players
    seating = chunk.seating
    seats = seating.reshape(-1, players)
    batch = Batch(len(seats), setup, autoreset=False)
    batch.reset(np.repeat(chunk.seeds, players))
    actions = np.zeros(batch.n, np.int64)
    accounts = np.zeros((batch.n, players, len(COIN_SOURCES)), np.int64)
    decisions = np.zeros(len(entrants), np.int64)
    seconds = np.zeros(len(entrants))
    going = np.flatnonzero(~batch.over)
    if progress is not None and going.size < batch.n:
        progress(batch.n - going.size)
    while going.size:
        asked = np.empty(going.size, np.bool_)
        if _take_forced(going, batch.states, actions, asked):
            for number, games in _by_entrant(chunk.line_up, batch, seats, going[asked]):
                start = time.perf_counter()
                chosen = entrants[number].agent.act_batch(batch, games)
                seconds[number] += time.perf_counter() - start
                decisions[number] += games.size
                actions[games] = chosen
        states = copy_states(batch.states)
        batch.step(actions)
        follow(going, states, batch.seeds, actions, accounts)
        still = going[~batch.over[going]]
        if progress is not None and still.size < going.size:
            progress(going.size - still.size)
        going = still
    totals = np.empty((batch.n, players), np.int32)
    add_final(batch.states, accounts, totals)
    coins = np.zeros((len(entrants), len(COIN_SOURCES)), np.int64)
    np.add.at(coins, seats, accounts)
    shape = seating.shape[:2]
    return Played(
        seating=seating,
        totals=totals.reshape(seating.shape),
        turns=batch.states["turn"].reshape(shape).copy(),
        ends=batch.states["end"].reshape(shape).copy(),
        coins_by_source=coins,
        decisions=decisions,
        seconds=seconds,
        records=tuple(_named(batch.record(game), line, entrants) for game, line in enumerate(seats)) if records else (),
    )


def _named(record: dict[str, Any], line: np.ndarray, entrants: Sequence[Entrant]) -> dict[str, Any]:
    return {**record, "players": [entrants[number].name for number in line]}


def play_line_up(
    line_up: LineUp,
    blocks: int,
    seed: int,
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    games_at_once: int = GAMES_AT_ONCE,
    progress: Callable[[int], None] | None = None,
    records: bool = False,
) -> Played:
    """Do what :func:`play_chunk` does for any number of blocks, ``games_at_once`` games at a time.

    The games are the same whatever ``games_at_once`` is, as long as an agent's choice in one game does not depend on
    the others it is asked about. (A network's may, by rounding, where two actions are all but equal to it.)
    """
    parts = chunks(line_up, blocks, seed, games_at_once)
    return Played.join([play_chunk(part, entrants, setup, progress=progress, records=records) for part in parts])
