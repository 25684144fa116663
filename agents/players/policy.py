"""A player that only asks a network: one forward pass for each move."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import torch

from agents.network.files import find_weights, load_net
from agents.network.net import PolicyNet, draw, legal_probabilities, sizes_of
from bohemian_env import Board
from bohemian_env.engine.batch import Batch
from bohemian_env.engine.checks import check_seed
from bohemian_env.engine.observe import advice_of, see_some
from bohemian_env.games import GAMES

from .agent import PROBABILITY, Player, Thoughts, check_plays

_LARGEST: Final = 1e30
"""The bound of logits when acting, so that even a network whose training diverged plays legal actions."""


def load_agent(path: str | Path, seed: int = 0, board: Board | None = None, game: str = GAMES[0]) -> PolicyAgent:
    """Return a trained agent as a player. Arguments, errors: those of :func:`load_net` and :class:`PolicyAgent`."""
    net, description = load_net(path, board, game)
    agent = PolicyAgent(net, str(path), seed)
    agent.files = (find_weights(path),)
    agent.reward = str(description["about"].get("reward", agent.reward))
    agent.learned_with = description["about"].get("players")
    return agent


class PolicyAgent(Player):
    """A player that takes the most likely action of a network, or one drawn by its policy.

    Args:
        net: the network.
        name: its name in tables and records.
        seed: the seed of its draws, 0 to 2**63 - 1.
        sample: whether to draw by the policy instead of taking the most likely action.
        bfloat16: whether to run the matrix products in bfloat16.
        device: the torch device.
    """

    reward: str = "mixed"
    """The name of the reward that its value predicts."""
    learned_with: int | None = None
    """The number of players of the games that it learned from, where that is known."""

    def __init__(
        self,
        net: PolicyNet,
        name: str = "policy",
        seed: int = 0,
        *,
        sample: bool = False,
        bfloat16: bool = False,
        device: str = "cpu",
    ) -> None:
        self.rules = net.shape.rules
        self.sizes = self.rules.players
        self._entries = sizes_of(self.rules)
        self.net = net.to(device).eval()
        self.name = name
        self.sample = sample
        self.bfloat16 = bfloat16
        self.device = torch.device(device)
        self._generator = torch.Generator(self.device).manual_seed(check_seed(seed))

    def reseed(self, seed: int) -> None:
        """Begin the draws of an agent that samples anew, by another seed."""
        self._generator.manual_seed(check_seed(seed))

    @torch.inference_mode()
    def choose(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """Return legal actions, int64 (m,).

        observations: int8, (m, size of one). masks: int8, (m, NUM_ACTIONS). advice: float32, (m, size of it), for a
        network that takes advice.

        Raises:
            ValueError: an array has another shape or dtype, or a mask has other entries than 0 and 1.
        """
        logits, legal = self._logits(observations, advice), self._legal(masks, len(observations))
        if self.sample:
            actions = draw(legal_probabilities(logits, legal), self._generator)
        else:
            actions = torch.where(legal, logits, -torch.inf).argmax(1)
        return actions.cpu().numpy()

    @torch.inference_mode()
    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the probability of each action, float32 (m, NUM_ACTIONS). Takes the arguments of :meth:`choose`."""
        logits = self._logits(observations, advice)
        return legal_probabilities(logits, self._legal(masks, len(observations))).cpu().numpy()

    @torch.inference_mode()
    def values(self, observations: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """Return the expected rewards, float32 (m,); arguments and errors (ValueError) are those of :meth:`choose`."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            return self.net.values(*self._tensors(observations, advice)).float().cpu().numpy()

    def _legal(self, masks: np.ndarray, count: int) -> torch.Tensor:
        _check("masks", masks, np.int8, self._entries[1], count)
        if masks.view(np.uint8).max(initial=0) > 1:
            raise ValueError("masks: an entry is neither 0 nor 1")
        return self._tensor(masks).bool()

    def _logits(self, observations: np.ndarray, advice: np.ndarray | None) -> torch.Tensor:
        """Return bounded logits, float32 (m, NUM_ACTIONS)."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            return self.net.logits(*self._tensors(observations, advice)).float().clamp(-_LARGEST, _LARGEST)

    def _tensors(self, observations: np.ndarray, advice: np.ndarray | None) -> tuple[torch.Tensor, torch.Tensor | None]:
        _check("observations", observations, np.int8, self._entries[0])
        if advice is not None:
            _check("advice", advice, np.float32, self._entries[2], len(observations))
        seen = self._tensor(observations)
        if advice is None or not self.net.shape.adviser:  # a network that is not told it may sit among others that are
            return seen, None
        return seen, self._tensor(advice)

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)  # PyTorch takes no reversed ones

    def _advise(self, states: np.ndarray, games: np.ndarray | None = None) -> np.ndarray | None:
        adviser = self.net.shape.adviser
        return advice_of(self.rules, states, games, adviser) if adviser else None

    def show(self, states: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return what the network sees of some positions: observations, masks, and advice or None.

        Takes the arguments of :meth:`Player.decide` and returns those of :meth:`choose`.
        """
        return *see_some(self.rules, states, games), self._advise(states, games)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        return self.choose(*self.show(states, games))

    def act_batch(self, batch: Batch, games: np.ndarray | None = None) -> np.ndarray:
        """See :meth:`Agent.act_batch`. What the batch has written already is not written again."""
        if games is not None:
            return super().act_batch(batch, games)
        check_plays(self, batch.rules)
        return self.choose(batch.observations, batch.masks, self._advise(batch.arrays[0]))

    def think(self, states: np.ndarray) -> Thoughts:
        """Return the policy's probabilities, from which a sampling agent draws; see :meth:`Player.think`.

        Chances of winning are those of ``Rules.chances``.
        """
        observations, masks, advice = self.show(states, np.zeros(1, np.int64))
        probabilities = self.probabilities(observations, masks, advice)[0]
        chances = self.rules.chances(states[0])
        by_action = {int(action): float(probabilities[action]) for action in np.flatnonzero(masks[0])}
        return Thoughts(PROBABILITY, by_action, chances, max(chances.values()) if chances else None)


def _check(name: str, array: object, dtype: type[np.generic], width: int, rows: int | None = None) -> None:
    """Raise ValueError unless an argument is an array of this dtype and shape; ``rows`` None allows any number."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name}: {type(array).__name__} is not an array")
    if array.dtype != dtype or array.ndim != 2 or array.shape != (len(array) if rows is None else rows, width):
        wanted = f"{np.dtype(dtype)}, ({'m' if rows is None else rows}, {width})"
        raise ValueError(f"{name}: {array.dtype}, {array.shape} is not {wanted}")
