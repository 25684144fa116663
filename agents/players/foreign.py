"""Agents of other people: any object with one method, or a file of Python that has one.

The object has ``move(game)``, as :class:`Agent` does, or ``act(observations, masks)``, as an opponent of the
environments does; ``move`` goes before. It is never shown the seed of a game, from which the dice to come follow.
"""

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from os.path import isfile
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from zlib import crc32

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import BohemianError
from bohemian_env.engine.batch import Batch
from bohemian_env.engine.checks import check_games, is_whole
from bohemian_env.engine.contract import Action, Rules
from bohemian_env.engine.errors import brief
from bohemian_env.engine.game import Game
from bohemian_env.engine.observe import see_some
from bohemian_env.engine.states import copy_states

from .agent import PROBABILITY, Explanation, check_decides
from .alone import Alone
from .names import AgentName

OBJECT: Final = "agent"  # what a file calls its agent
_LONGEST: Final = 300
_FOLDERS: Final[set[Path]] = set()  # the folders of the files that were run
_OURS: Final = frozenset(sys.modules)  # the modules that no such file has brought


class BadForeign(ValueError):
    """Somebody else's object cannot play, or has failed; the message names it and says why."""


class ForeignAgent(Alone):
    """A player that asks an object, and checks what it answers.

    Args:
        agent: it has ``move(game)``, which returns a legal move, its text or its number, or ``act(observations,
            masks)``, which returns whole numbers (m,): legal actions for int8 (m, size of an observation) and int8 (m,
            NUM_ACTIONS). It may have ``files``, the paths of what it was loaded from, and ``games_at_once``, how many
            games it likes to be asked about at a time: few, if it thinks long.
        name: its name in tables and records; the name of its class by default.
        files: of its code.

    Raises:
        BadForeign: it has neither method, or one of the other two is not as above.
    """

    _alone = ("move", "explain", "act", "act_batch", "attempt", "begin")

    def __init__(self, agent: Any, name: str | None = None, files: Sequence[Path] = ()) -> None:
        if not isinstance(name, str | None):
            raise BadForeign(f"name {brief(name)} of an agent is no text")
        self.name = type(agent).__name__ if name is None else name
        self._agent = agent
        code = self._paths(files)
        self._code = [str(path) for path in code]
        self._moves = callable(self._has("move"))
        if isinstance(agent, type):
            raise BadForeign(f"{self.name}: an object plays, not a class: {agent.__name__}()")
        if not (self._moves or callable(self._has("act"))):
            raise BadForeign(f"{self.name}: {type(agent).__name__} has neither move(game) nor act(observations, masks)")
        self.files = (*code, *self._paths(self._has("files", ())))
        """The files that it was loaded from."""
        if (few := self._has("games_at_once")) is not None:
            if not is_whole(few, 1):
                raise BadForeign(f"{self.name}: games_at_once {brief(few)} is not a whole number of at least 1")
            self.games_at_once = few

    def _has(self, name: str, otherwise: object = None) -> Any:
        try:
            return getattr(self._agent, name, otherwise)
        except (Exception, SystemExit) as error:
            raise BadForeign(f"{self.name}: {name} cannot be read: {_cause(error, self._code)}") from error

    def _paths(self, found: object) -> list[Path]:
        if not isinstance(found, list | tuple) or not all(isinstance(path, str | Path) for path in found):
            raise BadForeign(f"{self.name}: files {brief(found)} are not a list of paths")
        for path in found:
            if not isfile(path):
                raise BadForeign(f"{self.name}: files: {brief(str(path))} is not a file")
        return [Path(path) for path in found]

    def _asked(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self._agent, method)(*arguments)
        except (Exception, SystemExit) as error:
            raise BadForeign(f"{self.name}: {method}() failed: {_cause(error, self._code)}") from error

    def _move(self, game: Game) -> Action:
        answer = self._asked("move", game)
        try:
            return game.push(answer).actions[-1]
        except BohemianError as error:
            raise BadForeign(f"{self.name}: move() returned {_shortly(repr(answer))}: {_shortly(error)}") from error

    def _act(self, rules: Rules, states: np.ndarray, games: np.ndarray) -> np.ndarray:
        observations, masks = see_some(rules, states, games)
        legal = masks.astype(np.bool_)
        answer = self._asked("act", observations, masks)
        try:
            actions = np.asarray(answer)
        except Exception as error:  # whatever an object's own conversion raises
            what = f"{type(answer).__name__}, no array: {_shortly(error)}"
            raise BadForeign(f"{self.name}: act() returned {what}") from error
        if actions.dtype.kind not in "iu" or actions.shape != games.shape:
            found = f"{actions.dtype} {actions.shape}"
            raise BadForeign(f"{self.name}: act() returned {found}, not whole numbers {games.shape}")
        known = (actions >= 0) & (actions < legal.shape[1])
        good = known & legal[np.arange(len(games)), np.where(known, actions, 0)]
        if not good.all():
            place = int(good.argmin())
            some = ", ".join(map(str, np.flatnonzero(legal[place])[:5]))
            raise BadForeign(f"{self.name}: act() returned {actions[place]}, which is not legal; legal: {some}, …")
        return actions.astype(np.int64)

    def _decide(self, rules: Rules, states: np.ndarray, games: np.ndarray, shown: Callable[[int], Game]) -> np.ndarray:
        """Return actions, int64 (m,), for ``games``, numbers of positions; 0 where a game is over.

        shown: makes the game of such a number, as a mover is shown it.
        """
        actions = np.zeros(len(games), np.int64)
        going = np.flatnonzero(states["end"][games] == 0)
        if self._moves:
            for place in going:
                actions[place] = self._move(shown(int(games[place])))
        elif going.size:
            actions[going] = self._act(rules, states, games[going])
        return actions

    def _action(self, game: Game) -> Action:
        """Return its action in a game in which somebody decides."""
        check_decides(game)
        return int(self._decide(game.rules, game.states, np.zeros(1, np.int64), lambda _: game.unseeded())[0])

    def move(self, game: Game) -> str:
        """See :meth:`Agent.move`. Raises BadForeign if it fails."""
        return game.action_to_text(self._action(game))

    def explain(self, game: Game) -> Explanation:
        """Return probability 1 for its move; see :meth:`Agent.explain`. Raises BadForeign if it fails."""
        move = self.move(game)
        return Explanation(PROBABILITY, {text: float(text == move) for text in game.legal_moves})

    def act(self, env: AECEnv) -> Action:
        """See :meth:`Agent.act`. Raises BadForeign if it fails."""
        raw = env.unwrapped
        rules, states = raw.rules, copy_states(raw.states)
        found = self._decide(rules, states, np.zeros(1, np.int64), lambda _: rules.game.at(states, raw.start.pieces))
        return int(found[0])

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """See :meth:`Agent.act_batch`. Raises BadForeign if it fails."""
        numbers = np.arange(batch.n) if games is None else check_games(games, batch.n)
        rules, states = batch.rules, batch.arrays[0]
        return self._decide(rules, states, numbers, lambda i: rules.game.at(states[i : i + 1], batch.pieces_of(i)))


def run_file(named: AgentName) -> ForeignAgent:
    """Run a file of Python, with all rights of this process, and return what it calls ``agent``, as a player.

    named: a name of the kind ``"python"``. The folder of its file is where its imports are looked for last.

    Raises:
        BadForeign: the file cannot be read or run, or has no such object; or it would be given a module that was
            imported from another agent's folder in place of its own.
    """
    path = Path(named.source)
    folder = path.resolve().parent
    if taken := _taken_from(folder):
        name, other = taken
        raise BadForeign(
            f"{named.text}: {folder} and {other} both have a module {brief(name)}, and Python imports one of a name: "
            "give one of them another name, or let each agent play as a program of its own"
        )
    module = ModuleType(f"python_agent_{path.stem}_{crc32(os.fsencode(path.resolve())):08x}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses and pickles look for it
    _FOLDERS.add(folder)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))  # no import, which could take an older .pyc
    except (Exception, SystemExit) as error:
        raise BadForeign(f"{named.text}: it does not run: {_cause(error, [str(path)])}") from error
    if not hasattr(module, OBJECT):
        raise BadForeign(f"{named.text}: the file has no object that is called {brief(OBJECT)}")
    return ForeignAgent(getattr(module, OBJECT), named.text, [path])


def _taken_from(folder: Path) -> tuple[str, Path] | None:
    """Return a module that was imported from the folder of another agent and this one has as well, and that folder."""
    others = _FOLDERS - {folder}
    for name, module in list(sys.modules.items()) if others else ():
        if name in _OURS or not isinstance(module, ModuleType):
            continue
        told = vars(module)  # some modules of compiled packages give any attribute
        places = [*(told.get("__path__") or ()), told.get("__file__")]
        home = Path(places[0]).resolve().parent if places[0] else folder
        own = folder / f"{name}.py", folder / name / "__init__.py"
        if home in others and any(path.exists() for path in own):
            return name, home
    return None


def _shortly(said: object) -> str:
    """Return a text on one line that is not too long for a message."""
    text = " ".join(str(said).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _cause(error: BaseException, code: Sequence[str]) -> str:
    """Return what an error says, on one line, with the innermost of the lines in ``code`` that led to it."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    lines = [line for name, line in frames if name in code]
    said = _shortly("".join(traceback.format_exception_only(error)).strip().splitlines()[-1])
    return f"line {lines[-1]}: {said}" if lines else said
