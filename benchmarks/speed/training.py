"""Samples per second of training: ours, an environment that costs nothing, and PettingZoo's tutorial way.

    python -m benchmarks.speed.training
    python -m benchmarks.speed.training --rounds 5 --json training.json --markdown training.md

Every contender trains MaskablePPO with the same widths of network and the same number of epochs, one update a round,
in turn in one process on one core with one torch thread. "stock" is sb3-contrib's own policy and update with
minibatches of 512; "our update" is agents/training/ppo.py with minibatches of 2,048, in bfloat16 if the processor is
quick at it. The tutorial's way is one game through PettingZoo's wrappers, with SB3's own minibatch of 64, and once with
512. The ratio is taken round by round.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple
from unittest import mock

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is loaded

import gymnasium
import numpy as np
import torch
from pettingzoo import AECEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
from torch.distributions import Distribution

from agents.common.cores import usable_cores
from agents.common.markdown import table
from agents.network.net import PolicyNet, Shape, bfloat16_pays
from agents.players.policy import PolicyAgent
from agents.training.league import CurrentPolicy
from agents.training.ppo import CompactBuffer, SelfPlayPPO, VillagesPolicy
from bohemian_env import bohemian_villages_v0
from bohemian_env.envs import self_play
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.opponents import Scripted

from . import command
from .comparisons import Asked, Compared, compare
from .figures import LEGEND, compared, middle, told
from .harness import Rounds, pin
from .machine import Machine, describe
from .quiet import Measurement, in_rounds, others_share, read

GAMES: Final = 512
HORIZON: Final = 32
EPOCHS: Final = 4
MINIBATCH: Final = 512
TUNED_MINIBATCH: Final = 2048
TUTORIAL_HORIZON: Final = 2048
TUTORIAL_MINIBATCH: Final = 64
"""SB3's defaults, which the tutorial keeps; a horizon is the decisions of a game between two updates."""
WIDTH: Final = 256
"""Two layers of this width each for policy and value; ours shares the first."""


# --- environments to compare with ---


class NothingVecEnv(VillagesVecEnv):
    """Costs nothing: the same spaces, observations and masks that never change, and no game is over."""

    def __init__(self, num_envs: int) -> None:
        super().__init__(num_envs)
        self._masks = self.games.masks.view(np.bool_).copy()
        self._step: tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]] = (
            self.games.observations.copy(),
            np.zeros(num_envs, np.float32),
            np.zeros(num_envs, np.bool_),
            [{} for _ in range(num_envs)],
        )

    def reset(self) -> np.ndarray:
        """Return the same arrays every time."""
        return self._step[0]

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Return the same arrays every time."""
        return self._step

    def action_masks(self) -> np.ndarray:
        """Return the same arrays every time."""
        return self._masks


class OneGame(gymnasium.Env):
    """One AEC game as a Gymnasium environment in which one policy plays all seats, as PettingZoo's tutorial has it."""

    def __init__(self, env: AECEnv) -> None:
        self.env = env
        env.reset(seed=0)
        agent = env.possible_agents[0]
        self.observation_space = env.observation_space(agent)["observation"]
        self.action_space = env.action_space(agent)

    def _seen(self) -> np.ndarray:
        return self.env.observe(self.env.agent_selection)["observation"]

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game."""
        self.env.reset(seed=seed)
        return self._seen(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Act for the agent selected; the reward is that of the agent who acts next, as in the tutorial."""
        self.env.step(int(action))
        _, reward, termination, truncation, _ = self.env.last(observe=False)
        return self._seen(), float(reward), termination, truncation, {}

    def action_masks(self) -> np.ndarray:
        """Return the mask of the agent selected."""
        return self.env.observe(self.env.agent_selection)["action_mask"].astype(np.bool_)


# --- contenders ---


class Round(NamedTuple):
    """A rollout and an update: their samples, and the seconds of both and of their parts."""

    samples: int
    seconds: float
    parts: dict[str, float]


@dataclass(eq=False)
class Contender:
    """A learner, and the functions that are timed within its rounds: owner, name of the attribute, part."""

    name: str
    model: MaskablePPO
    parts: Sequence[tuple[Any, str, str]] = ()

    def __post_init__(self) -> None:
        self.model.set_logger(Logger(None, []))

    def round(self) -> Measurement[Round]:
        """Measure one rollout and one update."""
        samples = self.model.n_steps * self.model.n_envs
        cores = usable_cores()
        gc.collect()
        with clocked([(self.model, "train", "update"), *self.parts]) as spent:
            before = read(cores)
            self.model.learn(samples, reset_num_timesteps=False, log_interval=None)  # type: ignore[arg-type]
            after = read(cores)
        return Measurement(Round(samples, after.wall - before.wall, spent), others_share(before, after))


@contextmanager
def clocked(functions: Iterable[tuple[Any, str, str]]) -> Iterator[dict[str, float]]:
    """Add up the seconds that functions take, by part: each is an attribute of its owner, replaced meanwhile."""
    spent: dict[str, float] = defaultdict(float)

    def timed(function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                spent[part] += time.perf_counter() - start

        return call

    with ExitStack() as undo:
        for owner, name, part in functions:
            undo.enter_context(mock.patch.object(owner, name, timed(getattr(owner, name), part)))
        yield spent


def measured(contenders: Sequence[Contender], rounds: int, tries: int) -> dict[str, list[Measurement[Round]]]:
    """Measure every contender once a round."""
    for contender in contenders:
        contender.round()  # compiles and warms up
    taken = in_rounds(contenders, rounds, tries, lambda name, contender, attempt: contender.round())
    return {contender.name: found for contender, found in taken.items()}


SAME: Final[dict[str, Any]] = {"n_epochs": EPOCHS, "device": "cpu", "seed": 0}


def stock(env: VecEnv, horizon: int, minibatch: int = MINIBATCH) -> MaskablePPO:
    """Make a learner with sb3-contrib's own policy, buffer and update."""
    net = {"net_arch": [WIDTH, WIDTH], "activation_fn": torch.nn.ReLU}
    return MaskablePPO("MlpPolicy", env, n_steps=horizon, batch_size=minibatch, policy_kwargs=net, **SAME)


def tuned(env: VecEnv) -> SelfPlayPPO:
    """Make a learner with our policy, buffer and update, and with bfloat16 if the processor is quick at it."""
    model = SelfPlayPPO(
        VillagesPolicy,
        env,
        n_steps=HORIZON,
        batch_size=TUNED_MINIBATCH,
        rollout_buffer_class=CompactBuffer,
        policy_kwargs={"shape": Shape((WIDTH,), (WIDTH,), (WIDTH,))},
        **SAME,
    )
    model.bfloat16 = bfloat16_pays("cpu")
    return model


def scripted_env() -> VillagesVecEnv:
    """Make our training environment with scripted opponents alone."""
    return VillagesVecEnv(GAMES, [Scripted("greedy"), Scripted("random")], [0.9, 0.1], reward="mixed")


def mixture_env() -> VillagesVecEnv:
    """Make one with a mixture such as train.py plays: current policy, four snapshots, greedy, random."""

    def policy(seed: int) -> CurrentPolicy:
        net = PolicyNet(Shape())
        return CurrentPolicy(lambda: net, seed, "cpu", bfloat16_pays("cpu"))

    opponents: list[self_play.Opponent] = [*map(policy, range(5)), Scripted("greedy"), Scripted("random")]
    return VillagesVecEnv(GAMES, opponents, [0.4, *[0.05] * 4, 0.35, 0.05], reward="mixed")


def _connect_four() -> AECEnv:
    import pettingzoo
    import pygame  # noqa: F401 - what the classic environments need; pettingzoo.make has an error of its own

    return pettingzoo.make("aec", "classic/connect_four-v3")


def _tutorial(make: Callable[[], AECEnv], minibatch: int = TUTORIAL_MINIBATCH) -> MaskablePPO:
    def one() -> gymnasium.Env:
        return ActionMasker(OneGame(make()), lambda env: env.unwrapped.action_masks())  # type: ignore[attr-defined]

    return stock(DummyVecEnv([one]), TUTORIAL_HORIZON, minibatch)


MAKERS: Final[dict[str, Callable[[], MaskablePPO]]] = {
    "nothing, stock": lambda: stock(NothingVecEnv(GAMES), HORIZON),
    "ours, scripted opponents, stock": lambda: stock(scripted_env(), HORIZON),
    "tutorial's way, our game, stock": lambda: _tutorial(bohemian_villages_v0.env),
    "tutorial's way, our game, stock, our minibatch": lambda: _tutorial(bohemian_villages_v0.env, MINIBATCH),
    "tutorial's way, connect_four, stock": lambda: _tutorial(_connect_four),
    "nothing, our update": lambda: tuned(NothingVecEnv(GAMES)),
    "ours, scripted opponents, our update": lambda: tuned(scripted_env()),
    "ours, default mixture, our update": lambda: tuned(mixture_env()),
}
RATIOS: Final = (
    Asked("", "ours, scripted opponents, stock", "nothing, stock", 0.85, 0.95),
    Asked("", "ours, scripted opponents, stock", "tutorial's way, our game, stock", 3.0, 4.0),
    Asked("", "ours, scripted opponents, our update", "tutorial's way, our game, stock", 6.0, 12.0),
    Asked("", "ours, scripted opponents, stock", "tutorial's way, our game, stock, our minibatch"),
    Asked("", "ours, scripted opponents, our update", "tutorial's way, our game, stock, our minibatch"),
    Asked("", "ours, scripted opponents, our update", "nothing, our update"),
    Asked("", "ours, default mixture, our update", "nothing, our update"),
    Asked("", "ours, scripted opponents, stock", "tutorial's way, connect_four, stock"),
)


# --- where the time goes ---


def split(make_env: Callable[[], VillagesVecEnv], rounds: int, tries: int) -> dict[str, float]:
    """Return microseconds a sample by part, of our update with the games of ``make_env``: medians over rounds."""
    model = tuned(make_env())
    buffer = model.rollout_buffer
    functions = [
        (self_play, "_advance_all", "rules and scripted opponents"),
        (self_play, "_act", "rules and scripted opponents"),
        (self_play, "observe_some", "masks and observations"),
        (PolicyAgent, "choose", "opponents' networks"),
        (model.policy, "forward", "policy"),
        (buffer, "add", "buffer"),
        (buffer, "compute_returns_and_advantage", "buffer"),
    ]
    (taken,) = measured([Contender("split", model, functions)], rounds, tries).values()
    found = [one.value for one in taken]
    for one in found:
        one.parts.update({"everything else": one.seconds - sum(one.parts.values()), "all": one.seconds})
    names = {name for one in found for name in one.parts}
    return {name: median(one.parts.get(name, 0.0) / one.samples * 1e6 for one in found) for name in names}


# --- the report ---


@dataclass(frozen=True, slots=True)
class Report:
    """What a run measured: samples per second by contender and part, ratios, microseconds of the parts of an update."""

    machine: Machine
    rates: dict[str, dict[str, Rounds]]
    ratios: list[Compared]
    splits: dict[str, dict[str, float]]
    skipped: dict[str, str]


def contenders(only: str = "") -> tuple[list[Contender], dict[str, str]]:
    """Make the contenders whose names hold a text; those whose packages are missing come second, with the reason."""
    made, skipped = [], {}
    for name in filter(lambda name: only in name, MAKERS):
        try:
            made.append(Contender(name, MAKERS[name]()))
        except ImportError as error:  # connect_four wants pygame
            skipped[name] = f"not installed: {error}"
    return made, skipped


def rates(taken: Sequence[Measurement[Round]]) -> dict[str, Rounds]:
    """Return samples per second: of the whole, of the rollout alone and of the update alone."""
    seconds: dict[str, Callable[[Round], float]] = {
        "whole": lambda one: one.seconds,
        "rollout": lambda one: one.seconds - one.parts["update"],
        "update": lambda one: one.parts["update"],
    }
    return {
        name: Rounds.of([Measurement(one.samples / spent(one), others) for one, others in taken])
        for name, spent in seconds.items()
    }


def run(rounds: int, tries: int, machine: Machine, only: str = "") -> Report:
    """Measure everything."""
    Distribution.set_default_validate_args(False)
    made, skipped = contenders(only)
    found = {name: rates(taken) for name, taken in measured(made, rounds, tries).items()}
    ratios = compare({name: one["whole"] for name, one in found.items()}, RATIOS)
    envs: dict[str, Callable[[], VillagesVecEnv]] = {
        "random opponent": lambda: VillagesVecEnv(GAMES, [Scripted("random")], reward="mixed"),  # costs next to nothing
        "scripted opponents": scripted_env,
        "default mixture": mixture_env,
    }
    splits = {} if only else {name: split(make, max(1, rounds // 2), tries) for name, make in envs.items()}
    return Report(machine, found, ratios, splits, skipped)


def as_json(report: Report) -> dict[str, Any]:
    """Return all of it in plain Python types."""
    return {
        "rows": [
            {"name": name, **{f"{of}_samples_per_second": one.figures() for of, one in rows.items()}}
            for name, rows in report.rates.items()
        ],
        "ratios": [one.as_json() for one in report.ratios],
        "split_microseconds": report.splits,
        "skipped": [{"name": name, "reason": reason} for name, reason in report.skipped.items()],
        "machine": asdict(report.machine),
    }


def page(report: Report, typed: str) -> str:
    """Return the page, all of which is written by the command."""
    about = " ".join((__doc__ or "").rpartition("\n\n")[2].split())
    rows = [
        [name, *told("rate", one["whole"]), middle("rate", one["rollout"]), middle("rate", one["update"])]
        for name, one in report.rates.items()
    ]
    ratios = [[one.ours, one.against, *compared(one)] for one in report.ratios]
    names = {name for parts in report.splits.values() for name in parts}
    spent = [(name, [parts.get(name, 0.0) for parts in report.splits.values()]) for name in names]
    splits = [[name, *(f"{one:.2f}" for one in each)] for name, each in sorted(spent, key=lambda row: -max(row[1]))]
    blocks = [
        "# How fast training is",
        f"Written by `{typed}`.",
        "\n".join(f"- {line}" for line in report.machine.lines()),
        about,
        LEGEND,
        "\n".join(f"- {name}: skipped, {reason}" for name, reason in report.skipped.items()),
        table(["learner", "samples/s", "range", "rollout alone", "update alone"], rows, range(1, 5)),
        table(["of", "to", "ratio", "range", "must", "aim", "reached"], ratios, range(2, 6)),
        "Microseconds a sample, our update:",
        table(["part", *report.splits], splits, range(1, 4)),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = command.parser("benchmarks.speed.training", __doc__)
    parser.add_argument("--only", default="", help="contenders whose name holds this text")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cores = usable_cores()[:1]
    machine = describe(cores)
    typed = command.typed("benchmarks.speed.training", arguments)
    measure = partial(run, options.rounds, options.tries, machine, options.only)
    with pin(cores):
        command.make(parser, options, measure, lambda report: page(report, typed), as_json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
