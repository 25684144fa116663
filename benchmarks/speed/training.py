"""Samples per second of training: ours, and PettingZoo's tutorial way.

    python -m benchmarks.speed.training
    python -m benchmarks.speed.training --rounds 5 --json training.json

Every contender trains MaskablePPO with the same widths of network and the same number of epochs, one update a round,
in turn in one process on one core with one torch thread. "stock" is sb3-contrib's own policy and update with
minibatches of 512; "our update" is agents/training/ppo.py with minibatches of 2,048, in bfloat16 if the processor is
quick at it. The tutorial's way is one game through PettingZoo's wrappers, with SB3's own minibatch of 64. Ratios are
taken round by round.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

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
from agents.common.files import BadOutput, whole_files
from agents.common.markdown import table
from agents.network.net import PolicyNet, Shape, bfloat16_pays
from agents.training.league import CurrentPolicy
from agents.training.ppo import CompactBuffer, SelfPlayPPO, VillagesPolicy
from bohemian_env import bohemian_villages_v0
from bohemian_env.envs import self_play
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.opponents import Scripted

from . import command
from .comparisons import LEGEND, Asked, compare, middle, span
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


@dataclass(eq=False)
class Contender:
    """A learner by its name."""

    name: str
    model: MaskablePPO

    def __post_init__(self) -> None:
        self.model.set_logger(Logger(None, []))

    def round(self) -> Measurement[float]:
        """Measure one rollout and one update: samples per second."""
        samples = self.model.n_steps * self.model.n_envs
        cores = usable_cores()
        gc.collect()
        before = read(cores)
        self.model.learn(samples, reset_num_timesteps=False, log_interval=None)  # type: ignore[arg-type]
        after = read(cores)
        return Measurement(samples / (after.wall - before.wall), others_share(before, after))


def measured(contenders: Sequence[Contender], rounds: int, tries: int) -> dict[str, Rounds]:
    """Measure every contender once a round; return samples per second."""
    for contender in contenders:
        contender.round()  # compiles and warms up
    taken = in_rounds(contenders, rounds, tries, lambda name, contender, attempt: contender.round())
    return {contender.name: Rounds.of(found) for contender, found in taken.items()}


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


def _tutorial() -> MaskablePPO:
    def one() -> gymnasium.Env:
        return ActionMasker(OneGame(bohemian_villages_v0.env()), lambda env: env.unwrapped.action_masks())  # type: ignore[attr-defined]

    return stock(DummyVecEnv([one]), TUTORIAL_HORIZON, TUTORIAL_MINIBATCH)


MAKERS: Final[dict[str, Callable[[], MaskablePPO]]] = {
    "ours, scripted opponents, stock": lambda: stock(scripted_env(), HORIZON),
    "tutorial's way, our game, stock": _tutorial,
    "ours, scripted opponents, our update": lambda: tuned(scripted_env()),
    "ours, default mixture, our update": lambda: tuned(mixture_env()),
}
TUTORIAL: Final = "tutorial's way, our game, stock"
RATIOS: Final = tuple(Asked("", name, TUTORIAL) for name in MAKERS if name != TUTORIAL)


# --- the report ---


def run(rounds: int, tries: int, machine: Machine) -> dict[str, Any]:
    """Measure everything; return it in plain Python types."""
    Distribution.set_default_validate_args(False)
    found = measured([Contender(name, make()) for name, make in MAKERS.items()], rounds, tries)
    return {
        "machine": asdict(machine),
        "rows": [{"name": name, **one.figures("samples_per_second")} for name, one in found.items()],
        "ratios": [one.as_json() for one in compare(found, RATIOS)],
    }


def rate_table(data: Mapping[str, Any]) -> str:
    """Return the samples per second of what :func:`run` returns, as Markdown."""
    rows = [[row["name"], middle("rate", row, "samples_per_second"), span("rate", row)] for row in data["rows"]]
    return table(["samples per second", "median", "range"], rows, (1, 2))


def page(data: Mapping[str, Any]) -> str:
    """Return the tables as Markdown, with how they were measured."""
    machine = "\n".join(f"- {line}" for line in Machine(**data["machine"]).lines())
    ratios = [[one["ours"], one["against"], middle("ratio", one), span("ratio", one)] for one in data["ratios"]]
    blocks = [machine, LEGEND, rate_table(data), table(["of", "to", "ratio", "range"], ratios, (2, 3))]
    return "\n\n".join(blocks)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = command.parser("benchmarks.speed.training", __doc__)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cores = usable_cores()[:1]
    try:
        with whole_files([options.json]) as (figures,), pin(cores):
            found = run(options.rounds, options.tries, describe(cores))
            if figures is not None:
                figures.write(json.dumps(found, indent=1) + "\n")
    except BadOutput as error:
        parser.error(str(error))
    print(page(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
