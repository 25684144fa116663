"""PettingZoo's loop around any AEC environment: the same for ours and for the peers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numba
import numpy as np

from .harness import Case, Loop


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


def make_env(module: str, wrapped: bool, *arguments: Any) -> Any:
    """Make the environment of a module in PettingZoo's manner, wrapped or raw."""
    return getattr(import_module(module), "env" if wrapped else "raw_env")(*arguments)


def aec_loop(make: Callable[[], Any]) -> Loop:
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

    return Loop(play)


def aec_cases(name: str, library: str, module: str, what: str, *arguments: Any, **more: Any) -> list[Case]:
    """List the cases of an environment, raw and in PettingZoo's wrappers."""
    return [
        Case(
            f"{name}_{'wrapped' if wrapped else 'raw'}",
            library,
            partial(aec_loop, partial(make_env, module, wrapped, *arguments)),
            f"AEC loop: {what}",
            **more,
        )
        for wrapped in (False, True)
    ]
