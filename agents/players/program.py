"""Any program as a player: the side of the protocol of docs/protocol.md that asks.

``python -m agents.protocol`` is the other side, for the agents of this project.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import weakref
from collections.abc import Callable
from os.path import isfile
from pathlib import Path
from typing import Final

import numpy as np

from bohemian_env import BohemianError
from bohemian_env.engine.batch import Batch
from bohemian_env.engine.checks import printable
from bohemian_env.engine.contract import Action, Rules
from bohemian_env.engine.errors import brief
from bohemian_env.engine.game import Game
from bohemian_env.games import GAMES, rules_of

from .agent import check_plays
from .foreign import BadForeign, ForeignAgent
from .names import AgentName
from .process import Broken, Process

HELLO: Final = "hello 1"
"""How both sides begin where they play the first of ``GAMES``: the version of the protocol that knew no other."""
HELLO_ANY: Final = "hello 2"  # how they begin where they play another game, which ``newgame`` names
LONGEST_LINE: Final = 65_536  # bytes of a line that a program is sent at most, its end included
PATIENCE: Final = 60.0  # seconds that a program has to say hello, and to be ready then
GRACE: Final = 0.5  # seconds by which an answer may take longer than the program was told, for the way
STAND_IN: Final = "greedy"  # who plays a game to its end for a program that has failed in it
_STARTS: Final = 3  # failed starts in a row after which a program is not started again
_LONGEST_NAME: Final = 60


def decision(game: Game, milliseconds: float) -> str:
    """Return the lines that ask for a decision. Raises BadForeign if one is longer than a program must take."""
    position = json.dumps(game.position(), ensure_ascii=False, separators=(",", ":"))
    legal = [f"legal {move}" for move in game.legal_moves]
    lines = [f"position {position}", *legal, f"go {max(1, round(milliseconds))}"]
    if max(len(line.encode()) for line in lines) >= LONGEST_LINE:
        raise BadForeign(f"a position of this game takes a line of more than {LONGEST_LINE:,} bytes")
    return "".join(f"{line}\n" for line in lines)


class _Program:
    """A program that says hello and decides; every failure ends it, and it is started again when it is next asked."""

    games_at_once = 64

    def __init__(self, named: AgentName) -> None:
        self._name = named.text
        first = named.game == GAMES[0]
        self._hello, self._new_game = (HELLO, "newgame\n") if first else (HELLO_ANY, f"newgame {named.game}\n")
        self._prepare = "" if first else self._new_game
        self._argv = shlex.split(named.source)
        self._milliseconds = named.budget.milliseconds
        self._process: Process | None = None
        self._starts = 0
        self._last: tuple[object, ...] = ()
        self._turn = 0
        self.said = ""

    def begin(self) -> None:
        """Start the program, unless it runs. A process that was forked off starts a program of its own."""
        if self._process is not None and self._process.owner != os.getpid():
            self._process.leave()
            self._process, self._starts = None, 0
        if self._process is not None:
            return
        if self._starts == _STARTS:
            raise BadForeign(f"{self._name}: it did not start {_STARTS} times in a row, and is not tried again")
        self._starts += 1
        self._last = ()
        try:
            self._process = Process(self._argv)
        except (OSError, ValueError) as error:
            raise BadForeign(f"{self._name}: it cannot be started: {getattr(error, 'strerror', error)}") from None
        hello = self._hello
        said = self._ask(f"{hello}\n", PATIENCE)
        if said != hello and not said.startswith(f"{hello} "):
            raise self._failed(f"it answered {_shortly(said)} to {brief(hello)}")
        if (ready := self._ask(f"{self._prepare}isready\n", PATIENCE)) != "readyok":
            raise self._failed(f"it answered {_shortly(ready)} to 'isready'")
        self.said, self._starts = printable(said[len(hello) :].strip())[:_LONGEST_NAME], 0

    def move(self, game: Game, of: object = None) -> Action:
        """Return its action. of: what tells this game from others that it is asked about."""
        self.begin()
        here = of, game._pieces, game.players
        new = self._last != here or game.turn < self._turn
        self._last, self._turn = here, game.turn
        lines = decision(game, self._milliseconds)
        answer = self._ask(self._new_game * new + lines, self._milliseconds / 1000 + GRACE)
        word, _, move = answer.partition(" ")
        if word != "bestmove":
            raise self._failed(f"it answered {_shortly(answer)}, not 'bestmove MOVE'")
        try:
            return game.text_to_action(move)
        except BohemianError as error:
            raise self._failed(f"it answered {_shortly(answer)}: {error!s:.300}") from None

    def _ask(self, lines: str, seconds: float) -> str:
        assert self._process is not None
        try:
            return self._process.ask(lines, seconds)
        except Broken as error:
            raise self._failed(str(error)) from None
        except BaseException:  # an interrupt: what it answers then is not to be taken for its next move
            self.end()
            raise

    def _failed(self, why: str) -> BadForeign:
        """End the program; return the error that says why."""
        self.end()
        return BadForeign(f"{self._name}: {why}")

    def end(self, farewell: str = "") -> None:
        """End the program, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.end(farewell)


class ProgramAgent(ForeignAgent):
    """A player that asks a program, which is started when it is first asked, and again after it has failed.

    A copy, a pickle, and a process that is forked off have a program of their own.

    named: a name of the kind ``"program"``.
    """

    def __init__(self, named: AgentName) -> None:
        self._named = named
        self.rules = rules_of(named.game)
        self._program = _Program(named)
        self._of: object = None
        weakref.finalize(self, self._program.end, "quit\n")
        words = shlex.split(named.source)
        found = [shutil.which(words[0]) or "", *words[1:]]
        super().__init__(self._program, named.text, [Path(word) for word in found if isfile(word)])

    def __reduce__(self) -> tuple[type[ProgramAgent], tuple[AgentName]]:
        return type(self), (self._named,)

    @property
    def said(self) -> str:
        """The name that the program gives itself; empty before it was started."""
        return self._program.said

    def begin(self) -> None:
        """Start the program, unless it runs, and wait until it is ready. Raises BadForeign if it does not get so."""
        self._program.begin()

    def end(self) -> None:
        """End the program; when it is asked again, it is started again."""
        self._program.end("quit\n")

    def _decide(self, rules: Rules, states: np.ndarray, games: np.ndarray, shown: Callable[[int], Game]) -> np.ndarray:
        check_plays(self, rules)
        actions = np.zeros(len(games), np.int64)
        for place in np.flatnonzero(states["end"][games] == 0):
            number = int(games[place])
            actions[place] = self._program.move(shown(number), (self._of, number))
        return actions

    def _action(self, game: Game) -> Action:
        self._of = game.seed  # which is not told, and tells games in the same villages apart
        try:
            return super()._action(game)
        finally:
            self._of = None

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """See :meth:`Agent.act_batch`. Raises BadForeign if it fails."""
        self._of = "batch", id(batch)
        try:
            return super().act_batch(batch, games)
        finally:
            self._of = None

    def attempt(self, batch: Batch, games: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """Return its actions as :meth:`act_batch` does, and by number the games in which it failed, with the reason."""
        actions, failed = np.zeros(len(games), np.int64), {}
        for place, number in enumerate(games):
            try:
                actions[place] = self.act_batch(batch, games[place : place + 1])[0]
            except BadForeign as error:
                failed[int(number)] = str(error)
        return actions, failed


def _shortly(said: str) -> str:
    return ascii(said[:100])
