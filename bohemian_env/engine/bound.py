"""Loops that know no game, compiled for each.

A loop of the floor is a plain function marked with :func:`loop`. It calls the verbs of ``contract.py`` and other loops;
``Bound`` makes it again with those of a game in their places and compiles that, so that it is as quick as if it had
been written for this game alone.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from .compiled import njit

F = TypeVar("F", bound=Callable[..., Any])
_LOOPS: set[Any] = set()
_REPLACED: set[Any] = set()
_USUAL: dict[str, Any] = {}


def loop(function: F) -> F:
    """Mark a function as one that is compiled for each game, and return it as it is."""
    _LOOPS.add(function)
    return function


def replaceable(function: F) -> F:
    """Mark a loop in whose place the module of a game's verbs may have a quicker function of the same name."""
    _REPLACED.add(function)
    return loop(function)


def usual(*verbs: str) -> Callable[[F], F]:
    """Mark a loop as what stands for verbs that a game leaves out."""

    def mark(function: F) -> F:
        _USUAL.update(dict.fromkeys(verbs, function))
        return loop(function)

    return mark


class Bound:
    """The loops of the floor for one game, each compiled when it is first asked for.

    Args:
        game: the game's name, which its compiled functions are kept under.
        stubs: the verbs of ``contract.py``, by name, which stand in the loops.
        verbs: the module that has the game's.
    """

    def __init__(self, game: str, stubs: Mapping[str, object], verbs: ModuleType) -> None:
        self._game = game
        self._stubs = stubs
        self._verbs = verbs
        self._made: dict[Any, Any] = {}

    def __call__(self, function: F) -> F:
        """Return a loop for this game; any other function as it is."""
        try:
            return self._made[function]
        except KeyError:
            self._made[function] = made = self._make(function) if function in _LOOPS else function
            return made

    def _make(self, function: Any) -> Any:
        space = dict(function.__globals__)
        for name in function.__code__.co_names:
            there = space.get(name)
            if name in self._stubs and there is self._stubs[name]:
                own = self(_USUAL[name]) if name in _USUAL and not hasattr(self._verbs, name) else there
                space[name] = getattr(self._verbs, name, own)
            elif isinstance(there, FunctionType) and there in _REPLACED and hasattr(self._verbs, name):
                space[name] = getattr(self._verbs, name)
            elif isinstance(there, FunctionType) and there in _LOOPS:
                space[name] = self(there)
        made = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
        made.__module__, made.__doc__ = function.__module__, function.__doc__
        # By this name it is kept and linked: under one name, two that were compiled apart would count as the same code.
        made.__qualname__ = f"{function.__qualname__}.{self._game}"
        return njit(made, (Path(str(self._verbs.__file__)).resolve(),))
