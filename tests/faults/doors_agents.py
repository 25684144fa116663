"""The doors of agents: names, settings, observations, and the command lines."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from unittest import mock

import agents
import evaluate
import play
import table.store
import train
from agents import tournament
from agents.common.files import BadAgent
from agents.players.names import AgentName, UnknownAgent
from agents.players.policy import PolicyAgent
from agents.training import run as runs
from bohemian_env import Batch, BohemianError

from .doors_files import small_net
from .doors_game import one_of, simple
from .fuzz import Doors, Opened, Opening
from .odd import Arguments, as_text

__all__ = ["DOORS"]

# --- names ---

_NAMES: Final = (
    "greedy", "planner", "montecarlo:64", "montecarlo:20ms", "search:ppo:300", "search:ppo:20ms", "random",
    "program:20ms:sh -c 'exit 1'",
)  # fmt: skip


# --- what agents are shown ---


def _choose(folder: Path) -> Opened:
    batch = Batch(4, 3)
    agent = PolicyAgent(small_net())
    shown = Arguments(observations=batch.observations, masks=batch.masks, advice=batch.advise())
    return Opened(lambda given: agent.choose(**given), lambda below: shown, (ValueError,))


# --- command lines ---


class _Begun(Exception):
    """A command has taken its arguments and would begin."""


def _command(main: Callable[[list[str]], int], examples: Sequence[str], *stops: tuple[Any, str]) -> Opening:
    """Return what opens a command line, up to where the command would begin; it refuses with the status 2."""

    def opening(folder: Path) -> Opened:
        def call(given: Any) -> None:
            if not isinstance(given, list):
                return
            argv = [as_text(word).replace("\0", "") for word in given]
            with contextlib.ExitStack() as stack:
                for holder, name in stops:
                    stack.enter_context(mock.patch.object(holder, name, side_effect=_Begun))
                stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
                told = stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
                stack.enter_context(contextlib.chdir(folder))
                try:
                    status = main(argv)
                except _Begun:
                    return
                except SystemExit as error:
                    status = error.code  # type: ignore[assignment]
                assert status in (0, 2), f"status {status}"
                assert status == 0 or told.getvalue(), "it refuses without a word"
            assert not list(folder.iterdir()), "it refuses and leaves files"

        return Opened(call, one_of([line.split() for line in examples]), ())

    return opening


DOORS: Final = Doors({
    "AgentName.parse": simple(AgentName.parse, _NAMES, UnknownAgent),
    "agents.make": simple(
        lambda given: agents.make(**given), [Arguments(name=name, seed=1) for name in _NAMES[:3]],
        *(UnknownAgent, BadAgent, BohemianError),
    ),
    "PolicyAgent.choose": _choose,
    "evaluate.py": _command(
        evaluate.main,
        [
            "greedy random --games 20 --players 2 --seed 3",
            "greedy random rusher --tables mixed --players 3 --jobs 1",
        ],
        (tournament, "compare"),
    ),
    "train.py": _command(
        train.main,
        ["--out run --players 2 --minutes 1 --trunk 8 --head 8", "--out run --preset hour --seed 3 --no-advice"],
        (runs, "TrainingRun"),
    ),
    "play.py": _command(
        play.main,
        ["--no-browser --port 8000 --host 127.0.0.1", "--agent greedy --data games"],
        (table.store, "Store"),
    ),
})  # fmt: skip
"""Doors of agents, by their names in the table."""
