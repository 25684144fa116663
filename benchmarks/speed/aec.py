"""PettingZoo's loop around any AEC environment, the same for ours and for the peers; and one that does nothing."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

import numba
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from bohemian_env import bohemian_villages_v0
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.observation import OBSERVATION_SIZE

from .harness import Case, Play


@numba.njit(cache=True)
def _seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 - compiled code has this generator


@numba.njit(cache=True)
def _choose(mask: np.ndarray) -> int:
    legal = 0
    for i in range(mask.shape[0]):
        legal += mask[i]
    which = np.random.randint(legal)  # noqa: NPY002
    for i in range(mask.shape[0]):
        which -= mask[i]
        if which < 0:
            return i
    return -1


@numba.njit(cache=True)
def _choose_all(masks: np.ndarray) -> np.ndarray:
    actions = np.empty(masks.shape[0], np.int64)
    for i in range(masks.shape[0]):
        actions[i] = _choose(masks[i])
    return actions


def compiled_choices() -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that chooses a legal action for each row of int8 masks, in compiled code: int64, (n,)."""
    _seed(1)
    return _choose_all


def make_env(module: str, wrapped: bool) -> Any:
    """Make the environment of a module in PettingZoo's manner, wrapped or raw."""
    return getattr(import_module(module), "env" if wrapped else "raw_env")()


def aec_loop(make: Callable[[], Any]) -> Play:
    """Play whole games, a legal action chosen at random in compiled code; count the actions of living agents."""
    env = make()
    _seed(1)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(_choose(observation["action_mask"]))
                steps += 1
        return steps

    return play


def aec_cases(name: str, library: str, module: str, what: str, **more: Any) -> list[Case]:
    """List the cases of an environment, raw and in PettingZoo's wrappers."""
    makers = {"raw": partial(make_env, module, False), "wrapped": partial(make_env, module, True)}
    text = f"AEC loop: {what}"
    return [Case(f"{name}_{how}", library, partial(aec_loop, make), text, **more) for how, make in makers.items()]


# --- an environment that does nothing: how fast PettingZoo's loop and wrappers can be at best ---

STEPS: Final = 48  # steps of a game, about as many as random play of ours has with two players


def env() -> AECEnv:
    """Make the environment in PettingZoo's three usual wrappers."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(bohemian_villages_v0.raw_env):  # noqa: N801 - PettingZoo's name
    """Two agents in turn; an observation and a mask of our sizes that never change, and are not copied."""

    def __init__(self) -> None:
        super().__init__()
        ones, legal = np.ones(OBSERVATION_SIZE, np.int8), np.arange(NUM_ACTIONS) % 12 == 0  # about as many as ours has
        self._observation = {"observation": ones, "action_mask": legal.astype(np.int8)}
        self._over = {"observation": ones, "action_mask": np.zeros(NUM_ACTIONS, np.int8)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[0]
        self._steps = 0

    def step(self, action: int | None) -> None:
        """Give the turn to the other agent; the game ends after STEPS."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._steps += 1
        self.agent_selection = self.possible_agents[self._steps % 2]
        if self._steps == STEPS:
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the same arrays every time."""
        return self._observation if agent == self.agent_selection else self._over
