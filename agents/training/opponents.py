"""Opponents of the learner that are networks: the current policy, and a growing pool of its snapshots."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import numpy as np

from agents.policy import PolicyAgent, PolicyNet, load_net, save_net
from bohemian_env import Board

__all__ = ["CurrentPolicy", "SnapshotPool"]


class CurrentPolicy:
    """The policy that is being trained, drawing its actions. ``net`` is asked for at each call."""

    def __init__(self, net: Callable[[], PolicyNet], seed: int, device: str, bfloat16: bool = False) -> None:
        self._net = net
        self._agent = PolicyAgent(net(), "current", seed, sample=True, bfloat16=bfloat16, device=device)

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As ``PolicyOpponent.act``."""
        self._agent.net = self._net()
        return self._agent.choose(observations, masks)


class SnapshotPool:
    """All snapshots of a run on disk, and the ``slots`` of them that play at present.

    Each slot is an opponent. Whenever a snapshot is taken, the newest one and others drawn from all take the slots; as
    long as there is none, the current policy plays in their place.

    Args:
        folder: where snapshots are kept; those there already belong to the pool.
        slots: how many play at a time.
        current: what plays before the first snapshot.
        board: of the run. seed: of the draws. device: torch device. bfloat16: as of PolicyAgent.
    """

    def __init__(
        self,
        folder: Path,
        slots: int,
        current: CurrentPolicy,
        board: Board,
        seed: int,
        device: str,
        bfloat16: bool = False,
    ) -> None:
        self.folder = folder
        self.board = board
        self.slots = [_Slot(current) for _ in range(slots)]
        self._device = device
        self._bfloat16 = bfloat16
        self._rng = np.random.default_rng(seed)
        self.paths = sorted(folder.glob("*.safetensors"))
        self._fill()

    def add(self, net: PolicyNet, samples: int) -> None:
        """Take a snapshot of ``net`` and let it play."""
        path = self.folder / f"{samples:012d}.safetensors"
        save_net(copy.deepcopy(net), path, self.board, {"samples": samples})
        if path not in self.paths:
            self.paths.append(path)
        self._fill()

    def _fill(self) -> None:
        if not self.paths:
            return
        older = self.paths[:-1]
        count = min(len(self.slots) - 1, len(older))
        drawn = [older[k] for k in self._rng.choice(len(older), count, replace=False)] if count else []
        chosen = [self.paths[-1], *drawn]
        for number, slot in enumerate(self.slots):
            path = chosen[number % len(chosen)]
            if slot.path != path:
                net, _ = load_net(path, self.board)
                agent = PolicyAgent(net, path.stem, number, sample=True, bfloat16=self._bfloat16, device=self._device)
                slot.take(path, agent)


class _Slot:
    """One opponent of the pool."""

    def __init__(self, current: CurrentPolicy) -> None:
        self.path: Path | None = None
        self._play = current.act

    def take(self, path: Path, agent: PolicyAgent) -> None:
        """Play with this snapshot from now on."""
        self.path = path
        self._play = agent.choose

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As ``PolicyOpponent.act``."""
        return self._play(observations, masks)
