"""Samples per second of training: ours, and PettingZoo's tutorial way.

    python -m benchmarks.speed.training
    python -m benchmarks.speed.training --rounds 9 --json training.json

Every contender trains MaskablePPO with the same widths of network and the same number of epochs, one update a round,
in turn in one process on one core with one torch thread. "stock" is sb3-contrib's own policy and update with
minibatches of 512; "our update" is agents/training/ppo.py with minibatches of 2,048, in bfloat16 if the processor is
quick at it. The tutorial's way is one game through PettingZoo's wrappers, with SB3's own minibatch of 64. Ratios are
taken round by round.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is loaded

import gymnasium
import numpy as np
import torch
from pettingzoo import AECEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
from torch.distributions import Distribution

from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import whole_files
from agents.common.markdown import table
from agents.network.net import Shape, bfloat16_pays
from agents.training.ppo import CompactBuffer, NetPolicy, SelfPlayPPO
from bohemian_env import bohemian_villages_v0
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.sb3 import VillagesVecEnv

from .harness import Case, Play, run_rounds
from .machine import describe
from .report import compare, told

GAMES: Final = 512
HORIZON: Final = 32
EPOCHS: Final = 4
MINIBATCH: Final = 512
TUNED_MINIBATCH: Final = 2048
TUTORIAL_SIZES: Final = (2048, 64)
"""Horizon and minibatch: SB3's defaults, which the tutorial keeps. A horizon is the decisions of a game between two
updates."""
WIDTH: Final = 256  # two layers of this width each for policy and value; ours shares the first


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


SAME: Final[dict[str, Any]] = {"n_epochs": EPOCHS, "device": "cpu", "seed": 0}


def stock(env: VecEnv, horizon: int, minibatch: int = MINIBATCH) -> MaskablePPO:
    """Make a learner with sb3-contrib's own policy, buffer and update."""
    net = {"net_arch": [WIDTH, WIDTH], "activation_fn": torch.nn.ReLU}
    return MaskablePPO("MlpPolicy", env, n_steps=horizon, batch_size=minibatch, policy_kwargs=net, **SAME)


def scripted_env() -> VillagesVecEnv:
    """Make our training environment with scripted opponents alone."""
    return VillagesVecEnv(GAMES, [Scripted("greedy"), Scripted("random")], [0.9, 0.1], reward="mixed")


def tuned() -> SelfPlayPPO:
    """Make a learner with our policy, buffer and update, and with bfloat16 if the processor is quick at it."""
    net = {"shape": Shape((WIDTH,), (WIDTH,), (WIDTH,))}
    sizes: dict[str, Any] = {"n_steps": HORIZON, "batch_size": TUNED_MINIBATCH, "rollout_buffer_class": CompactBuffer}
    model = SelfPlayPPO(NetPolicy, scripted_env(), policy_kwargs=net, **sizes, **SAME)
    model.policy.bfloat16 = bfloat16_pays("cpu")
    return model


TUTORIAL: Final = "tutorial's way, our game, stock"
MAKERS: Final[dict[str, Callable[[], MaskablePPO]]] = {
    "ours, scripted opponents, stock": lambda: stock(scripted_env(), HORIZON),
    TUTORIAL: lambda: stock(DummyVecEnv([lambda: OneGame(bohemian_villages_v0.env())]), *TUTORIAL_SIZES),
    "ours, scripted opponents, our update": tuned,
}
RATIOS: Final = {f"{name}, to {TUTORIAL}": (name, TUTORIAL) for name in MAKERS if name != TUTORIAL}


def training_loop(name: str) -> Play:
    """Train a contender: one rollout and one update; count the samples."""
    torch.set_num_threads(1)
    Distribution.set_default_validate_args(False)
    model = MAKERS[name]()
    model.set_logger(Logger(None, []))
    samples = model.n_steps * model.n_envs

    def play() -> int:
        model.learn(samples, reset_num_timesteps=False, log_interval=None)  # type: ignore[arg-type]
        return samples

    return play


def run(rounds: int, cores: list[int]) -> dict[str, Any]:
    """Measure everything on the first of the cores; return it in plain Python types. Raises WorkerError."""
    text = "a decision of a game, with its share of the update"
    cases = [Case(name, "training", partial(training_loop, name), text, unit="samples", ours=True) for name in MAKERS]
    rows, _ = run_rounds(cases, rounds, 0, cores)
    ratios = compare({row["name"]: row for row in rows}, RATIOS)
    return {"machine": describe(cores[:1]), "rows": rows, "ratios": ratios}


def rate_table(data: Mapping[str, Any]) -> str:
    """Return the samples per second of what :func:`run` returns, as Markdown."""
    rows = [[row["name"], *told("rate", row, "samples_per_second")] for row in data["rows"]]
    return table(["samples per second", "median", "range"], rows, (1, 2))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    options = parser("python -m benchmarks.speed.training", __doc__)
    options.add_argument("--rounds", type=int, default=5, metavar="N", help="(default: 5)")
    options.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    args = options.parse_args(argv)
    if args.rounds < 1:
        options.error(f"--rounds {args.rounds}: at least 1")

    def work() -> None:
        with whole_files([args.json]) as (file,):
            found = run(args.rounds, usable_cores())
            if file is not None:
                file.write(json.dumps(found, indent=1) + "\n")
        ratios = [[one["label"], *told("ratio", one)] for one in found["ratios"]]
        print(f"{rate_table(found)}\n\n{table(['of', 'ratio', 'range'], ratios, (1, 2))}")

    return ended("benchmarks.speed.training", work)


if __name__ == "__main__":
    sys.exit(main())
