"""Fuzzing guided by coverage: what reaches new lines of a reader is changed further.

Atheris steers, where it is installed (the extra `faults`; it has wheels for Linux on x86-64). Otherwise Hypothesis
does, which is told how far into a reader each input came before it was refused. Both choose bytes, and the same mutator
as everywhere makes inputs of them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import hypothesis
from hypothesis import strategies as st

from . import doors_agents, doors_files, doors_game, doors_table
from .fuzz import Inputs, fuzzed
from .kinds import GUIDED
from .ledger import Tried
from .odd import below_of

__all__ = ["attempt", "by_atheris", "by_hypothesis"]

READERS: Final = (
    *(
        "bohemian_env.game.board",
        "bohemian_env.game.notation",
        "bohemian_env.game.position",
        "bohemian_env.game.record",
    ),
    *("bohemian_env.game.game", "bohemian_env.game.setup", "bohemian_env.game.moves", "agents.network.files"),
    *("agents.players.names", "agents.training.config", "table.seating", "table.session"),
)
"""Modules whose lines are counted; compiled functions in them are not."""
_DOORS: Final = doors_game.DOORS | doors_agents.DOORS | doors_files.DOORS | doors_table.DOORS
_LONGEST: Final = 64
"""Bytes that an input follows from."""
_ONCE: Final = 5_000
"""Inputs of an attempt by Atheris; Hypothesis makes a tenth of them."""


def _functions() -> Iterator[FunctionType]:
    for name in READERS:
        module = sys.modules[name]
        for holder in (module, *(each for _, each in inspect.getmembers(module, inspect.isclass))):
            for value in vars(holder).values():
                function = getattr(value, "__func__", getattr(value, "fget", value))
                if isinstance(function, FunctionType) and function.__module__ == name:
                    yield function


def by_atheris(inputs: Inputs, count: int, seed: int) -> None:
    """Try inputs that Atheris chooses; does not return, since Atheris does not."""
    import atheris

    for function in {*_functions()}:
        atheris.instrument_func(function)

    def one(data: bytes) -> None:
        inputs.try_one(below_of(data))
        if inputs.tried == count:
            inputs.end()

    options = [f"-runs={2 * count}", f"-seed={1 + seed % 2**31}", f"-max_len={_LONGEST}", "-len_control=0"]
    atheris.Setup(["fuzz", *options, "-rss_limit_mb=0"], one)
    atheris.Fuzz()


def by_hypothesis(inputs: Inputs, count: int, seed: int) -> None:
    """Try inputs that Hypothesis chooses, which looks for those that are refused late."""

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.target),
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.binary(max_size=_LONGEST))
    def one(data: bytes) -> None:
        inputs.try_one(below_of(data))
        hypothesis.target(float(inputs.depth))

    one()


def attempt(seed: int, folder: Path) -> Iterator[Tried]:
    """Try inputs at one of the doors."""
    name = GUIDED[seed % len(GUIDED)]
    drive: Any = partial(by_atheris, count=_ONCE) if find_spec("atheris") else partial(by_hypothesis, count=_ONCE // 10)
    answer = fuzzed(_DOORS[name], folder / "door", partial(drive, seed=seed))
    yield Tried(f"guided: {name}", answer.tried, 0, answer.broken)
