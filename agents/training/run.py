"""A training run: a folder with its settings, checkpoint, snapshots, logs, and the agent that it has made so far.

======================  ==============================================================================================
``settings.json``       what the run was told
``agent.safetensors``   the agent so far, to be shared, with ``agent.json``
``checkpoint.zip``      SB3's own file, to go on with this run: loading it runs code that it holds, so load only yours
``snapshots/``          older selves of the agent, as agents
``tensorboard/``        curves
======================  ==============================================================================================
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from agents.policy import NAME, PolicyNet, Shape, save_net, write_atomically
from bohemian_env import Board
from bohemian_env.envs.sb3 import VillagesVecEnv
from bohemian_env.opponents import Scripted

from .opponents import CurrentPolicy, SnapshotPool
from .ppo import CompactBuffer, SelfPlayPPO, VillagesPolicy
from .settings import Settings

__all__ = ["BadRun", "Progress", "TrainingRun", "bfloat16_pays"]

_WINDOW: Final = 2000  # games over which win shares are averaged
SETTINGS: Final = "settings.json"
CHECKPOINT: Final = "checkpoint.zip"


class BadRun(ValueError):
    """A folder cannot be trained into, or not gone on with; the message says why and what would do."""


class Progress:
    """Where a run stands."""

    def __init__(self, part: float, seconds: float, samples: int, rate: float, wins: dict[str, float]) -> None:
        self.part = part
        """Part of the budget that is spent, 0 to 1."""
        self.seconds = seconds
        """Seconds of training, over all sessions."""
        self.samples = samples
        """Decisions of the learner, over all sessions."""
        self.rate = rate
        """Decisions a second, in this session."""
        self.wins = wins
        """The learner's share of wins (it draws its moves) against each kind of opponent, of late."""


class _Tally(BaseCallback):
    """Counts how the learner's games end, by opponent."""

    def __init__(self, kinds: list[str]) -> None:
        super().__init__()
        self.kinds = kinds
        self.recent: dict[str, deque[float]] = {kind: deque(maxlen=_WINDOW) for kind in kinds}

    def _on_step(self) -> bool:
        games = self.training_env.games  # type: ignore[attr-defined]
        for i in np.flatnonzero(games.dones):
            self.recent[self.kinds[games.ended.opponent[i]]].append(float(games.ended.win[i]))
        return True

    def shares(self) -> dict[str, float]:
        """Win share against each kind of opponent of which games have ended."""
        return {kind: float(np.mean(wins)) for kind, wins in self.recent.items() if wins}


def bfloat16_pays(device: str) -> bool:
    """Whether bfloat16 is quicker than float32 there: on processors with instructions for it, and on GPUs."""
    if torch.device(device).type == "cpu":
        supported: Callable[[], bool] | None = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
        return supported is not None and supported()
    return torch.cuda.is_bf16_supported()


class TrainingRun:
    """A run in a folder: a new one, or one to go on with.

    Args:
        folder: of the run.
        settings: of a new run; None to go on with the run in ``folder``.
        device: torch device.

    Raises:
        BadRun: the folder holds a run, or anything else, and settings were given; or holds none to go on with.
    """

    def __init__(self, folder: Path, settings: Settings | None, device: str = "cpu") -> None:
        self.folder = folder
        resumed = settings is None
        if settings is None:
            settings = self._read_settings(folder)
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadRun(f"{folder} already holds something; give another --out, or --resume to go on with a run in it")
        self.settings = settings
        self.device = device
        self.board = Board.load(settings.board) if settings.board else Board.standard()
        self._spent_before = 0.0
        self._started: float | None = None
        self._saved_at = 0.0

        torch.manual_seed(settings.seed)
        nets: list[PolicyNet] = [PolicyNet(Shape())]  # until there is a learner
        bfloat16 = settings.bfloat16 and bfloat16_pays(device)
        current = CurrentPolicy(lambda: nets[0], settings.seed + 1, device, bfloat16)
        self.pool = SnapshotPool(
            folder / "snapshots", settings.pool, current, self.board, settings.seed + 2, device, bfloat16
        )
        kinds = ["current", *["snapshots"] * settings.pool, "greedy", "random"]
        shares = [
            settings.current,
            *[settings.snapshots / settings.pool] * settings.pool,
            settings.greedy,
            settings.random,
        ]
        scripted = [Scripted("greedy", settings.seed + 3), Scripted("random", settings.seed + 4)]
        self.env = VillagesVecEnv(
            settings.games,
            [current, *self.pool.slots, *scripted],
            shares,
            num_players=settings.players,
            board=self.board,
            coin_supply=settings.coin_supply,
            max_turns=settings.max_turns,
            reward=settings.reward,
        )
        self.tally = _Tally(kinds)
        self.model = self._resume() if resumed else self._begin()
        self.model.progress = self.part
        self.model.bfloat16 = bfloat16
        assert isinstance(self.model.policy, VillagesPolicy)
        nets[0] = self.model.policy.net
        # A run that goes on plays games of its own, not those of its beginning again.
        self.env.seed(settings.seed * 2**20 + self.model.num_timesteps)
        self.model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
        if not resumed:
            write_atomically(folder / SETTINGS, settings.to_json().encode())

    @staticmethod
    def _read_settings(folder: Path) -> Settings:
        path = folder / SETTINGS
        if not path.exists() or not (folder / CHECKPOINT).exists():
            raise BadRun(f"{folder} holds no run to go on with: {SETTINGS} or {CHECKPOINT} is missing")
        try:
            return Settings.from_json(path.read_text(encoding="utf-8"))
        except (OSError, TypeError, ValueError) as error:
            raise BadRun(f"{path}: {error}") from None

    def _begin(self) -> SelfPlayPPO:
        s = self.settings
        return SelfPlayPPO(
            VillagesPolicy,
            self.env,
            learning_rate=_Falling(s.learning_rate),
            n_steps=s.horizon,
            batch_size=s.minibatch,
            n_epochs=s.epochs,
            gamma=s.gamma,
            gae_lambda=s.gae_lambda,
            clip_range=s.clip,
            ent_coef=s.entropy,
            vf_coef=s.value_weight,
            max_grad_norm=s.max_gradient,
            rollout_buffer_class=CompactBuffer,
            policy_kwargs={"shape": Shape((s.trunk,), (s.head,), (s.head,))},
            seed=s.seed,
            device=self.device,
        )

    def _resume(self) -> SelfPlayPPO:
        model = SelfPlayPPO.load(self.folder / CHECKPOINT, env=self.env, device=self.device)
        self._spent_before = self._saved_at = model.seconds_trained
        return model

    # --- the budget ---

    @property
    def seconds(self) -> float:
        """Seconds of training so far, over all sessions."""
        return self._spent_before + (0.0 if self._started is None else time.perf_counter() - self._started)

    def part(self) -> float:
        """Part of the budget that is spent, 0 to 1."""
        s = self.settings
        parts = [self.model.num_timesteps / s.steps] if s.steps else []
        if s.minutes:
            parts.append(self.seconds / (60 * s.minutes))
        return min(max(parts), 1.0)

    # --- training ---

    def train(self, report: Callable[[Progress], None] = lambda progress: None) -> None:
        """Train until the budget is spent, and save. Interrupted, it saves what there is and raises again; after any
        other error the last checkpoint stands.

        Args:
            report: called after every update.
        """
        per_update = self.settings.games * self.settings.horizon
        samples_before = self.model.num_timesteps
        self._started = time.perf_counter()
        try:
            next_snapshot = self._next_snapshot()
            while self.part() < 1.0:
                self.model.learn(per_update, callback=self.tally, reset_num_timesteps=False)
                wins = self.tally.shares()
                for kind, share in wins.items():
                    self.model.logger.record(f"play/win_share_{kind}", share)
                elapsed = time.perf_counter() - self._started
                self.model.logger.record(
                    "play/samples_per_second", (self.model.num_timesteps - samples_before) / elapsed
                )
                if self.part() >= next_snapshot:
                    self.pool.add(self.net, self.model.num_timesteps)
                    next_snapshot = self._next_snapshot()
                if self.seconds - self._saved_at >= self.settings.checkpoint_seconds:
                    self.save()
                rate = (self.model.num_timesteps - samples_before) / elapsed
                report(Progress(self.part(), self.seconds, self.model.num_timesteps, rate, wins))
            self.save()
        except KeyboardInterrupt:
            self.save()
            raise
        finally:
            self._spent_before, self._started = self.seconds, None

    def _next_snapshot(self) -> float:
        every = self.settings.snapshot_every
        return every * (int(self.part() / every) + 1)

    @property
    def net(self) -> PolicyNet:
        """The network being trained."""
        assert isinstance(self.model.policy, VillagesPolicy)
        return self.model.policy.net

    def save(self) -> None:
        """Write the checkpoint and the agent; each file whole or not at all."""
        self.model.seconds_trained = self._saved_at = self.seconds
        temporary = self.folder / f".{CHECKPOINT}.tmp.zip"
        self.model.save(temporary)
        temporary.replace(self.folder / CHECKPOINT)
        about: dict[str, Any] = {
            "players": self.settings.players,
            "samples": self.model.num_timesteps,
            "seconds": round(self.seconds, 1),
            "seed": self.settings.seed,
        }
        save_net(self.net, self.folder / f"{NAME}.safetensors", self.board, about)


class _Falling:
    """A learning rate that falls to 0 along a line with what remains of the budget."""

    def __init__(self, first: float) -> None:
        self.first = first

    def __call__(self, remaining: float) -> float:
        return self.first * remaining
