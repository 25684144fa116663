"""The doors of agents: names, settings, observations, and the command lines."""

import contextlib
import io
from collections.abc import Callable, Sequence
from functools import partial
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
from agents.players.names import AgentName, UnknownAgent, known
from agents.players.policy import PolicyAgent
from agents.training import run as runs
from agents.training import values
from bohemian_env import BohemianError
from bohemian_env.check import Kit
from bohemian_env.games import rules_of

from .doors_files import small_net
from .doors_game import one_of, simple
from .fuzz import Doors, Opened, Opening
from .odd import Arguments, as_text

__all__ = ["DOORS"]

# --- what agents are shown ---


def _choose(game: str, folder: Path) -> Opened:
    batch = Kit(game).batch(4, rules_of(game).players[-1])
    agent = PolicyAgent(small_net(game))
    shown = Arguments(observations=batch.observations, masks=batch.masks)
    if rules_of(game).advice:
        shown["advice"] = batch.advise()
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


def _doors(game: str) -> dict[str, Opening]:
    names = [*known(game), "program:20ms:sh -c 'exit 1'"]
    names += [f"{one}:{spent}" for one in names if one.startswith(("search:", "montecarlo")) for spent in (64, "20ms")]
    scripted = [name for name in names if name in rules_of(game).opponents]
    others, most = " ".join(scripted[:2]), rules_of(game).players[-1]
    return {
        "AgentName.parse": simple(lambda name: AgentName.parse(name, game), names, UnknownAgent),
        "agents.make": simple(
            lambda given: agents.make(**given), [Arguments(name=name, seed=1, game=game) for name in scripted],
            *(UnknownAgent, BadAgent, BohemianError),
        ),
        "PolicyAgent.choose": partial(_choose, game),
        "evaluate.py": _command(
            evaluate.main,
            [
                f"{others} --game {game} --games 20 --players {most} --seed 3",
                f"{others} --game {game} --tables mixed --players {most} --jobs 1",
            ],
            (tournament, "compare"),
        ),
        "train.py": _command(
            train.main,
            [
                f"--game {game} --learner ppo --out run --players {most} --minutes 1 --trunk 8 --head 8 --no-advice",
                f"--game {game} --learner ppo --out run --preset hour --seed 3 --no-advice",
                f"--game {game} --out run --seed 3",
            ],
            (runs, "TrainingRun"), (values, "ValueRun"),
        ),
        "play.py": _command(
            play.main,
            ["--no-browser --port 8000 --host 127.0.0.1", f"--agent {scripted[-1]} --data games"],
            (table.store, "Store"),
        ),
    }  # fmt: skip


DOORS: Final = Doors(_doors)
"""Doors of agents, by their names in the table."""
