"""Playing the games of a chunk, all at once."""

from __future__ import annotations

import glob
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from agents.players.foreign import ForeignAgent, run_file
from agents.players.names import PYTHON, AgentName, game_of
from agents.players.program import STAND_IN, ProgramAgent
from agents.players.scripted import ScriptedAgent
from bohemian_env import Board
from bohemian_env.engine.batch import Batch
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.contract import Setup
from bohemian_env.engine.errors import brief
from bohemian_env.engine.legal import legal_count, pick_legal
from bohemian_env.engine.states import copy_states
from bohemian_env.games import faces_of, rules_for

from .luck import luck_of
from .schedule import BadTournament, Chunk, LineUp, check_seed

GAMES_AT_ONCE: Final = 2048
"""Games in one batch. More would cost memory and gain little speed; results do not depend on it."""
GAMES_LESS_LUCK: Final = 100
"""Games in one batch where luck is worked out too. They take a hundred times as long as others, so that fewer keep all
processes at work, and less is lost by an interrupt."""
_REASONS: Final = 3  # failures of which a chunk keeps the reason
_OF_GAMES: Final = ("seating", "totals", "turns", "ends", "luck", "failed")  # what Played has for each game


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent that takes part."""

    name: str
    """How tables and records call it; no two entrants of :func:`enter` have the same name."""
    argument: str
    """The name or path that it was made from; empty for an object, which other processes cannot make again."""
    seed: int
    """The seed of its own chances."""
    agent: agents.Agent
    """It may have attributes ``games_at_once``, how many games it likes to be asked about at a time, and ``files``, the
    paths that it was loaded from."""
    weights: str | None = None
    """SHA-256 of the file of its weights or its code, in hexadecimal; of several with commas between them."""
    group: str = ""
    """The name under which it is one of several runs; empty for one that stands for itself."""


def _made(argument: Any, seed: int, board: Board | None, game: str | None) -> tuple[agents.Agent, str | None]:
    """Return an agent and the digest of its weights. Raises BadTournament if no such agent can play here."""
    try:
        agent: agents.Agent
        if not isinstance(argument, str | Path):
            agent = ForeignAgent(argument, argument.name if isinstance(argument, agents.Player) else None)
        elif str(argument).startswith(f"{PYTHON}:"):
            agent = run_file(AgentName.parse(argument, game))
        else:
            agent = agents.make(argument, seed, board, game=game)
    except ValueError as error:  # UnknownAgent, BadForeign, or BadAgent, whose module would bring torch
        raise BadTournament(str(error)) from error
    files: tuple[Path, ...] = getattr(agent, "files", ())
    contents = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return agent, contents[0] if len(contents) == 1 else ", ".join(contents) or None


def expanded(argument: Any) -> list[tuple[str, Any]]:
    """Return what an argument stands for: one agent, or with ``NAME=PATTERN`` all runs of a group, each with its name.

    Raises BadTournament if no run fits the pattern.
    """
    text = str(argument) if isinstance(argument, str | Path) else ""
    group, equals, pattern = text.partition("=")
    if not equals or ":" in group or os.path.exists(text):
        return [("", argument)]
    runs = sorted(glob.glob(pattern))
    if not group or not runs:
        raise BadTournament(f"{brief(text)}: expected NAME=PATTERN of folders or files of runs; there are {len(runs)}")
    return [(group, run) for run in runs]


def enter(arguments: Sequence[Any], seed: int, board: Board | None = None, game: str | None = None) -> list[Entrant]:
    """Make the agents of a tournament on a board, from names, paths of trained agents, and objects.

    An object is somebody else's agent, as :class:`agents.players.foreign.ForeignAgent` takes it. ``python:FILE`` runs
    that file. ``NAME=PATTERN``, such as ``mine=runs/s*``, stands for all runs whose paths fit it: a group, which plays
    as one agent that is now this run and now that.

    game: the one that is played; by default the one that the agents' files say, else the first of ``GAMES``.

    The seed of each follows from ``seed`` and its place in the list. An agent may be named twice: the second is then
    called ``NAME (2)`` and has other chances.

    Raises:
        BadTournament: no such agent, a path or an object that cannot play here, or a seed outside 0 to 2**63 - 1.
        OSError: a file of an agent cannot be read.
    """
    check_seed(seed)
    if not isinstance(arguments, list | tuple):
        raise BadTournament(f"agents {brief(arguments)} are not a list of names and paths")
    entrants: list[Entrant] = []
    every = [one for argument in arguments for one in expanded(argument)]
    try:
        game = game_of([one for _, one in every if isinstance(one, str | Path)], game)
    except ValueError as error:  # UnknownAgent, BadSetup
        raise BadTournament(str(error)) from error
    for position, (group, argument) in enumerate(every):
        words = np.random.SeedSequence(seed, spawn_key=(position,)).generate_state(1, np.uint64)
        own_seed = int(words[0] >> np.uint64(1))
        agent, weights = _made(argument, own_seed, board, game)
        names = chain([agent.name], (f"{agent.name} ({times})" for times in count(2)))
        name = next(name for name in names if name not in {entrant.name for entrant in entrants})
        made_from = str(argument) if isinstance(argument, str | Path) else ""
        entrants.append(Entrant(name, made_from, own_seed, agent, weights, group))
    return entrants


def make_again(
    name: str, argument: str, seed: int, weights: str | None, board: Board | None, game: str | None = None
) -> Entrant:
    """Return an entrant made again in another process. Raises BadTournament if it cannot be, or its files changed."""
    agent, present = _made(argument, seed, board, game)
    if present != weights:
        raise BadTournament(f"{argument}: its files are others than those that the tournament began with")
    return Entrant(name, argument, seed, agent, weights)


def games_at_once_of(line_up: LineUp, entrants: Sequence[Entrant], most: int) -> int:
    """Return how many games a chunk of this table has: as few as any of its agents likes, ``most`` at most."""
    return min(most, *(getattr(entrants[number].agent, "games_at_once", most) for number in line_up.agents))


def batch_of(setup: Setup, games: int) -> Batch:
    """Return so many games of a set-up, none of which is followed by another."""
    return faces_of(rules_for(setup).name).Batch(games, setup, autoreset=False)


def try_out(entrants: Sequence[Entrant], setup: Setup) -> None:
    """Let each entrant decide once, or begin if it is a program, so that what it loads at first is not timed.

    Raises BadForeign if it cannot.
    """
    batch = batch_of(setup, 2)
    for entrant in entrants:
        if isinstance(entrant.agent, ProgramAgent):
            entrant.agent.begin()
        else:
            entrant.agent.act_batch(batch, np.arange(batch.n))


def dismiss(entrants: Sequence[Entrant]) -> None:
    """End the programs among some entrants; one that is asked again is started again."""
    for entrant in entrants:
        if isinstance(entrant.agent, ProgramAgent):
            entrant.agent.end()


@dataclass(frozen=True, slots=True)
class Played:
    """Finished games of one table: blocks × rotations."""

    seating: np.ndarray  # entrant at each seat. int64, (blocks, rotations, seats)
    totals: np.ndarray  # final total of each seat. int32, (blocks, rotations, seats)
    turns: np.ndarray  # turns begun, over all seats. int32, (blocks, rotations)
    ends: np.ndarray  # how each game ended: index into ``Rules.ends``. uint8, (blocks, rotations)
    decisions: np.ndarray
    """Decisions that each entrant of the tournament took between two or more actions. int64, (entrants,)."""
    seconds: np.ndarray  # wall time that each took for them, in seconds. float64, (entrants,)
    luck: np.ndarray
    """How lucky each seat was, as a share of the win, or in points where results are totals; 0 where that was not asked
    for. float64, (blocks, rotations, seats)."""
    failed: np.ndarray
    """The seats whose program failed: each has lost its game, which STAND_IN played to the end. bool, (blocks,
    rotations, seats)."""
    reasons: tuple[str, ...] = ()  # why the first of them failed
    records: tuple[dict[str, Any], ...] = ()
    """The record of each game, block by block and rotation by rotation, if records were asked for."""

    @classmethod
    def join(cls, parts: Sequence[Played], axis: int = 0) -> Played:
        """Return parts put together in their order: blocks of one table, or along axis 1 more games of every block."""

        def found(name: str) -> list[Any]:
            return [getattr(part, name) for part in parts]

        return cls(
            **{name: np.concatenate(found(name), axis) for name in _OF_GAMES},
            **{name: np.sum(found(name), axis=0) for name in ("decisions", "seconds")},
            reasons=tuple(chain.from_iterable(found("reasons"))),
            records=tuple(chain.from_iterable(found("records"))),
        )


@njit
def _take_forced(games: Any, states: Any, actions: Any) -> Any:
    """Write the action of each of ``games`` in which only one is legal; return whether there is a choice: bool (m,).

    games: int64 (m,). actions: int64 (n,), written where forced.
    """
    choice = np.empty(games.shape[0], np.bool_)
    for place in range(games.shape[0]):
        s = states[games[place]]
        choice[place] = legal_count(s) > 1
        if not choice[place]:
            actions[games[place]] = pick_legal(s, 0)
    return choice


def play_chunk(
    chunk: Chunk,
    entrants: Sequence[Entrant],
    setup: Setup,
    *,
    progress: Callable[[int], None] | None = None,
    records: bool = False,
) -> Played:
    """Play all rotations of a chunk's table with each of its seeds, in one batch.

    An agent is asked only where two or more actions are legal. Raises IllegalMove if it chooses one that is not; a
    program that fails has lost that game instead.

    Args:
        chunk: what to play, by entrants that its line-up numbers.
        setup: of all games, with as many players as the line-up.
        progress: called with the number of games that ended since it was last called.
        records: whether to keep the record of every game.
    """
    players = setup.players
    seating = chunk.seating
    seats = seating.reshape(-1, players)
    batch = batch_of(setup, len(seats))
    batch.reset(np.repeat(chunk.seeds, chunk.line_up.rotations))
    lucky = luck_of(setup, batch.seeds, entrants, seats) if chunk.luck else None
    actions = np.zeros(batch.n, np.int64)
    decisions = np.zeros(len(entrants), np.int64)
    seconds = np.zeros(len(entrants))
    failed = np.zeros(seats.shape, np.bool_)
    reasons: list[str] = []
    stand_in = ScriptedAgent(STAND_IN, rules=batch.rules)
    going = np.flatnonzero(~batch.over)
    if progress is not None and going.size < batch.n:
        progress(batch.n - going.size)
    while going.size:
        asked = going[_take_forced(going, batch.arrays[0], actions)]
        out = failed[asked, batch.seats[asked]]
        to_move = np.where(out, -1, seats[asked, batch.seats[asked]])
        for number in chunk.line_up.agents:
            games = asked[to_move == number]
            if games.size:
                start = time.perf_counter()
                chosen, why = _asked(entrants[number].agent, batch, games)
                seconds[number] += time.perf_counter() - start
                decisions[number] += games.size
                actions[games] = chosen
                for game in why:
                    failed[game, batch.seats[game]] = True
                reasons += why.values()
        if failed.any() and (games := asked[failed[asked, batch.seats[asked]]]).size:
            actions[games] = stand_in.act_batch(batch, games)
        if lucky:
            before = copy_states(batch.arrays[0])
        batch.step(actions)  # which checks them
        if lucky:
            lucky.follow(going, before, actions)
        still = going[~batch.over[going]]
        if progress is not None and still.size < going.size:
            progress(going.size - still.size)
        going = still
    shape = seating.shape[:2]
    told = enumerate(seats) if records else ()
    beside = np.where(failed, f" (failed; {STAND_IN} played on)", "")  # the name of a player in a record
    return Played(
        seating=seating,
        totals=batch.totals.reshape(seating.shape),
        turns=batch.states["turn"].reshape(shape).copy(),
        ends=batch.states["end"].reshape(shape).copy(),
        decisions=decisions,
        seconds=seconds,
        luck=(lucky.of_seats if lucky else np.zeros(seats.shape)).reshape(seating.shape),
        failed=failed.reshape(seating.shape),
        reasons=tuple(reasons[:_REASONS]),
        records=tuple(
            batch.record(game)
            | {"players": [entrants[k].name + str(more) for k, more in zip(line, beside[game], strict=True)]}
            for game, line in told
        ),
    )


def _asked(agent: agents.Agent, batch: Batch, games: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
    """Return actions, int64 (m,), and for each of the games in which the agent failed the reason."""
    if isinstance(agent, ProgramAgent):
        return agent.attempt(batch, games)
    return agent.act_batch(batch, games), {}
