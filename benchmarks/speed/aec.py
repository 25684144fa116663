"""PettingZoo's loop around any AEC environment: the same for ours and for the peers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np

from .harness import Case, Loop

__all__ = ["CHOOSERS", "aec_case", "aec_loop", "compiled_choices"]


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


def _compiled() -> Callable[[np.ndarray], int]:
    """Choose a legal action of an int8 mask at random, in compiled code."""
    _seed(1)
    return _choose


def _numpy() -> Callable[[np.ndarray], int]:
    """Choose a legal action of a mask at random, as one writes it in Python."""
    rng = np.random.default_rng(1)
    return lambda mask: rng.choice(np.flatnonzero(mask))


def compiled_choices() -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that chooses a legal action for each row of int8 masks, in compiled code: int64, (n,)."""
    _seed(1)
    return _choose_all


CHOOSERS = {"compiled": _compiled, "numpy": _numpy}


def aec_loop(make_env: Callable[[], Any], chooser: str) -> Loop:
    """Play whole games; count the actions of living agents."""
    env, choose = make_env(), CHOOSERS[chooser]()
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(choose(observation["action_mask"]))
                steps += 1
        return steps

    play()
    return Loop(play)


def aec_case(
    name: str,
    library: str,
    make_env: Callable[[], Any],
    what: str,
    chooser: str,
    *,
    players: int = 2,
    needs: tuple[str, ...] = (),
    ours: bool = False,
) -> Case:
    """Make the case of an environment and a chooser; only other choosers than the compiled one are named in it."""
    words = {"compiled": "compiled choice", "numpy": "rng.choice(np.flatnonzero(mask))"}[chooser]
    return Case(
        name if chooser == "compiled" else f"{name}_{chooser}",
        library,
        partial(aec_loop, make_env, chooser),
        f"AEC loop, {words}: {what}",
        players,
        needs=needs,
        ours=ours,
    )
