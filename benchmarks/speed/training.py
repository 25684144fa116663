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

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
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
from agents.common.files import whole_files
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent
from agents.training.league import CurrentPolicy
from agents.training.ppo import CompactBuffer, SelfPlayPPO, VillagesPolicy
from agents.training.run import bfloat16_pays
from bohemian_env import bohemian_villages_v0
from bohemian_env.envs import self_play
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.opponents import Scripted

from .harness import pin
from .machine import Machine, describe

GAMES: Final = 512
HORIZON: Final = 32
EPOCHS: Final = 4
MINIBATCH: Final = 512
TUNED_MINIBATCH: Final = 2048
WIDTH: Final = 256
"""Two layers of this width each for policy and value; ours shares the first."""
TUTORIAL_HORIZON: Final = 2048
"""Decisions between two updates with one game: SB3's default, which the tutorial keeps."""
TUTORIAL_MINIBATCH: Final = 64
"""The same of a minibatch."""


# --- environments to compare with --------------------------------------------------------------------------------


class NothingVecEnv(VillagesVecEnv):
    """Costs nothing: the same spaces, observations and masks that never change, a game over now and then."""

    def __init__(self, num_envs: int) -> None:
        super().__init__(num_envs)
        self._observations, self._masks = self.games.observations.copy(), self.games.masks.view(np.bool_).copy()
        self._rewards, self._over = np.zeros(num_envs, np.float32), np.zeros(num_envs, np.bool_)
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]

    def reset(self) -> np.ndarray:
        """The same as ever."""
        return self._observations

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """The same as ever."""
        return self._observations, self._rewards, self._over, self._infos

    def action_masks(self) -> np.ndarray:
        """The same as ever."""
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

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game."""
        self.env.reset(seed=seed)
        return self._seen(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Act for the agent selected; the reward is that of the agent who acts next, as in the tutorial."""
        self.env.step(int(action))
        _, reward, termination, truncation, _ = self.env.last(observe=False)
        return self._seen(), float(reward), termination, truncation, {}

    def action_masks(self) -> np.ndarray:
        """Mask of the agent selected."""
        return self.env.observe(self.env.agent_selection)["action_mask"].astype(np.bool_)


# --- contenders --------------------------------------------------------------------------------------------------


@dataclass
class Contender:
    """A learner, and what its rounds took."""

    name: str
    model: MaskablePPO
    samples: list[int] = field(default_factory=list)
    rollout: list[float] = field(default_factory=list)
    update: list[float] = field(default_factory=list)

    def round(self) -> None:
        """One rollout and one update."""
        model = self.model
        spent = 0.0
        train = type(model).train

        def timed() -> None:
            nonlocal spent
            start = time.perf_counter()
            train(model)
            spent += time.perf_counter() - start

        model.train = timed  # type: ignore[method-assign]
        per_update = model.n_steps * model.n_envs
        start = time.perf_counter()
        model.learn(per_update, reset_num_timesteps=False, log_interval=None)
        whole = time.perf_counter() - start
        self.samples.append(per_update)
        self.rollout.append(whole - spent)
        self.update.append(spent)

    def rates(self, of: str = "whole") -> list[float]:
        """Samples per second in each round: of ``whole``, ``rollout`` or ``update``."""
        times = {
            "rollout": self.rollout,
            "update": self.update,
            "whole": [a + b for a, b in zip(self.rollout, self.update, strict=True)],
        }[of]
        return [n / t for n, t in zip(self.samples, times, strict=True)]


def stock(env: VecEnv, horizon: int, minibatch: int = MINIBATCH) -> MaskablePPO:
    """sb3-contrib's own policy, buffer and update."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=horizon,
        batch_size=minibatch,
        n_epochs=EPOCHS,
        policy_kwargs={"net_arch": [WIDTH, WIDTH], "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=0,
    )


def tuned(env: VecEnv) -> SelfPlayPPO:
    """Our policy, buffer and update, with bfloat16 if the processor is quick at it."""
    model = SelfPlayPPO(
        VillagesPolicy,
        env,
        n_steps=HORIZON,
        batch_size=TUNED_MINIBATCH,
        n_epochs=EPOCHS,
        rollout_buffer_class=CompactBuffer,
        policy_kwargs={"shape": Shape((WIDTH,), (WIDTH,), (WIDTH,))},
        device="cpu",
        seed=0,
    )
    model.bfloat16 = bfloat16_pays("cpu")
    return model


def scripted_env() -> VillagesVecEnv:
    """Our training environment with scripted opponents alone."""
    return VillagesVecEnv(GAMES, [Scripted("greedy"), Scripted("random")], [0.9, 0.1], reward="mixed")


def random_env() -> VillagesVecEnv:
    """The same with an opponent that costs next to nothing."""
    return VillagesVecEnv(GAMES, [Scripted("random")], reward="mixed")


def mixture_env() -> VillagesVecEnv:
    """A mixture such as train.py plays: current policy, four snapshots, greedy, random."""
    net = PolicyNet(Shape())
    current = CurrentPolicy(lambda: net, 0, "cpu", bfloat16_pays("cpu"))
    snapshots = [_Snapshot(seed) for seed in range(4)]
    opponents = [current, *snapshots, Scripted("greedy"), Scripted("random")]
    return VillagesVecEnv(GAMES, opponents, [0.4, *[0.05] * 4, 0.35, 0.05], reward="mixed")


class _Snapshot:
    def __init__(self, seed: int) -> None:
        net = PolicyNet(Shape())
        self._agent = PolicyAgent(net, "snapshot", seed, sample=True, bfloat16=bfloat16_pays("cpu"))

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return self._agent.choose(observations, masks)


def _connect_four() -> AECEnv:
    import pettingzoo
    import pygame  # noqa: F401 - what the classic environments need; pettingzoo.make has an error of its own

    return pettingzoo.make("aec", "classic/connect_four-v3")


def _tutorial(make: Callable[[], AECEnv], minibatch: int = TUTORIAL_MINIBATCH) -> MaskablePPO:
    def one() -> gymnasium.Env:
        return ActionMasker(OneGame(make()), lambda env: env.unwrapped.action_masks())

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
    ("ours, scripted opponents, stock", "nothing, stock", 0.85, 0.95),
    ("ours, scripted opponents, stock", "tutorial's way, our game, stock", 3.0, 4.0),
    ("ours, scripted opponents, our update", "tutorial's way, our game, stock", 6.0, 12.0),
    ("ours, scripted opponents, stock", "tutorial's way, our game, stock, our minibatch", None, None),
    ("ours, scripted opponents, our update", "tutorial's way, our game, stock, our minibatch", None, None),
    ("ours, scripted opponents, our update", "nothing, our update", None, None),
    ("ours, default mixture, our update", "nothing, our update", None, None),
    ("ours, scripted opponents, stock", "tutorial's way, connect_four, stock", None, None),
)
"""What is divided by what, and the targets: must, aim."""


# --- where the time goes -----------------------------------------------------------------------------------------


def split(make_env: Callable[[], VillagesVecEnv], rounds: int) -> dict[str, float]:
    """Microseconds a sample by part, of our update with the games of ``make_env``; medians over rounds."""
    spent: dict[str, float] = {}

    def timed(owner: Any, name: str, part: str) -> Callable[[], None]:
        original = getattr(owner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                spent[part] = spent.get(part, 0.0) + time.perf_counter() - start

        setattr(owner, name, call)
        return lambda: setattr(owner, name, original)

    model = tuned(make_env())
    contender = Contender("split", model)
    contender.round()  # warm
    buffer = model.rollout_buffer
    undo = [
        timed(self_play, "_advance_all", "rules and scripted opponents"),
        timed(self_play, "_act", "rules and scripted opponents"),
        timed(self_play, "observe_some", "masks and observations"),
        timed(PolicyAgent, "choose", "opponents' networks"),
        timed(model.policy, "forward", "policy"),
        timed(buffer, "add", "buffer"),
        timed(buffer, "compute_returns_and_advantage", "buffer"),
    ]
    parts: dict[str, list[float]] = {}
    try:
        for _ in range(rounds):
            spent.clear()
            contender.round()
            spent["update"] = contender.update[-1]
            spent["everything else"] = contender.rollout[-1] - sum(v for k, v in spent.items() if k != "update")
            for part, seconds in spent.items():
                parts.setdefault(part, []).append(seconds / contender.samples[-1] * 1e6)
    finally:
        for restore in undo:
            restore()
    return {part: median(values) for part, values in parts.items()}


# --- the report --------------------------------------------------------------------------------------------------


def run(rounds: int, machine: Machine, only: str = "") -> dict[str, Any]:
    """Measure everything: a dictionary of plain Python types."""
    Distribution.set_default_validate_args(False)
    contenders, skipped = [], []
    for name, make in MAKERS.items():
        if only not in name:
            continue
        try:
            contender = Contender(name, make())
        except ImportError as error:  # connect_four wants pygame
            skipped.append({"name": name, "reason": f"not installed: {error}"})
            continue
        contender.model.set_logger(Logger(None, []))
        contender.round()  # compile and warm up
        contender.samples.clear(), contender.rollout.clear(), contender.update.clear()
        contenders.append(contender)
    for number in range(rounds):
        for contender in contenders if number % 2 == 0 else reversed(contenders):
            gc.collect()
            contender.round()
    rows = [
        {
            "name": c.name,
            **{
                f"{of}_samples_per_second": {"median": median(v), "low": min(v), "high": max(v)}
                for of in ("whole", "rollout", "update")
                for v in [c.rates(of)]
            },
        }
        for c in contenders
    ]
    by_name = {c.name: c for c in contenders}
    ratios = []
    for above, below, must, aim in RATIOS:
        if above in by_name and below in by_name:
            pairs = zip(by_name[above].rates(), by_name[below].rates(), strict=True)
            values = [a / b for a, b in pairs]
            ratios.append(
                {
                    "of": above,
                    "to": below,
                    "median": median(values),
                    "low": min(values),
                    "high": max(values),
                    "must": must,
                    "aim": aim,
                }
            )
    envs = {"random opponent": random_env, "scripted opponents": scripted_env, "default mixture": mixture_env}
    splits = {name: split(make, max(1, rounds // 2)) for name, make in envs.items()} if not only else {}
    return {
        "rows": rows,
        "ratios": ratios,
        "split_microseconds": splits,
        "skipped": skipped,
        "machine": machine.as_json(),
    }


def _thousands(value: float) -> str:
    return f"{value / 1000:.1f} k"


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]


def markdown(result: dict[str, Any], command: str) -> str:
    """The result as Markdown tables."""
    machine = result["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    about = f"{machine['date']}, commit {machine['commit']}, {machine['cpu']}, {machine['system']}, {machine['python']}"
    quiet = "" if machine["quiet"] else f" **The machine was not quiet: load {machine['load']}.**"
    lines = ["# How fast training is", "", f"Written by `{command}`.", "", f"{about}; {versions}.{quiet}", ""]
    lines += [" ".join((__doc__ or "").rpartition("\n\n")[2].split()), ""]
    lines += [f"- {s['name']}: skipped, {s['reason']}" for s in result["skipped"]]
    rows = []
    for row in result["rows"]:
        cells = [row[f"{of}_samples_per_second"] for of in ("whole", "rollout", "update")]
        whole = cells[0]
        spread = f"{_thousands(whole['low'])} to {_thousands(whole['high'])}"
        rows.append([row["name"], _thousands(whole["median"]), spread, *(_thousands(c["median"]) for c in cells[1:])])
    lines += ["", *_table(["learner", "samples/s", "range", "rollout alone", "update alone"], rows), ""]
    rows = []
    for r in result["ratios"]:
        targets = "" if r["must"] is None else f"{r['must']:g} / {r['aim']:g}"
        spread = f"{r['low']:.2f} to {r['high']:.2f}"
        rows.append([r["of"], r["to"], f"{r['median']:.2f}", spread, targets])
    lines += [*_table(["of", "to", "ratio", "range", "must / aim"], rows), ""]
    if splits := result["split_microseconds"]:
        parts = sorted(
            {part for split in splits.values() for part in split},
            key=lambda p: -max(s.get(p, 0) for s in splits.values()),
        )
        rows = [[part, *(f"{s.get(part, 0.0):.2f}" for s in splits.values())] for part in parts]
        rows.append(["all", *(f"{sum(s.values()):.2f}" for s in splits.values())])
        lines += ["Microseconds a sample, our update:", "", *_table(["part", *splits], rows), ""]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="updates of every contender (default: 5)")
    parser.add_argument("--only", default="", help="contenders whose name holds this text")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: at least 1")
    torch.set_num_threads(1)
    cores = usable_cores()[:1]
    machine = describe(cores)
    with pin(cores):
        result = run(options.rounds, machine, options.only)
    text = markdown(result, " ".join(["python -m benchmarks.speed.training", *(arguments or sys.argv[1:])]))
    print(text)
    with whole_files([options.json, options.markdown]) as files:
        for file, content in zip(files, (json.dumps(result, indent=1) + "\n", text), strict=True):
            if file is not None:
                file.write(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
