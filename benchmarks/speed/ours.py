"""What of this environment is timed, at its default settings and through its public interface."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import gymnasium
import numba
import numpy as np

from bohemian_env import Batch, bohemian_villages_v0
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.opponents import Scripted

from .aec import aec_case, compiled_choices
from .harness import Case, Loop

__all__ = ["BATCHES", "LAYERS", "aec_cases", "batch_cases", "bytes_per_game", "other_cases", "quick_cases"]

BATCHES: Final = (1, 64, 1024, 8192, 65536)

STEP: Final = "random legal choice, step, dice, restart on newly drawn villages"
MASK: Final = f"int8 mask of all {NUM_ACTIONS} actions"
OBSERVATION: Final = f"int8 observation of {OBSERVATION_SIZE}"
LAYERS: Final = {
    "step": STEP,
    "step+mask": f"{STEP}; {MASK}",
    "step+mask+int8": f"{STEP}; {MASK}; {OBSERVATION}",
}
SETTLE: Final = 128
"""Steps played before anything is timed: by then the games of a batch are at all stages."""


@functools.cache
def _batch(players: int, size: int, threads: int) -> Batch:
    """Return a batch under way; the layers share it, and nothing else steps it."""
    batch = Batch(size, players, threads=threads)
    batch.reset(seed=1)
    for _ in range(SETTLE):
        batch.step(batch.random_actions())
    return batch


def batch_loop(layer: str, players: int, size: int, threads: int) -> Loop:
    """Step a layer of ``Batch``; count the steps of single games."""
    batch = _batch(players, size, threads)
    times = range(max(1, 512 // size))  # so that looking at the clock costs nothing
    steps = len(times) * size

    def step() -> int:
        for _ in times:
            batch.step(batch.random_actions())
        return steps

    def step_mask() -> int:
        for _ in times:
            batch.step(batch.random_actions())
            batch.masks  # noqa: B018 - computed when it is asked for
        return steps

    def step_mask_int8() -> int:
        for _ in times:
            batch.step(batch.random_actions())
            batch.masks  # noqa: B018 - computed when it is asked for
            batch.observations  # noqa: B018 - computed when it is asked for
        return steps

    loop = Loop({"step": step, "step+mask": step_mask, "step+mask+int8": step_mask_int8}[layer])
    loop.play()
    return loop


def games_loop(players: int, size: int) -> Loop:
    """Step a batch; count the games that end."""
    batch = _batch(players, size, 1)

    def play() -> int:
        batch.step(batch.random_actions())
        return int(np.count_nonzero(batch.terminations)) + int(np.count_nonzero(batch.truncations))

    play()
    return Loop(play)


def make_env(players: int, wrapped: bool) -> Any:
    """Make the PettingZoo environment."""
    return (bohemian_villages_v0.env if wrapped else bohemian_villages_v0.raw_env)(players)


def make_null_env(wrapped: bool) -> Any:
    """Make the environment that does nothing."""
    from benchmarks.speed import null_aec

    return (null_aec.env if wrapped else null_aec.raw_env)()


def vector_loop(size: int, opponent: str) -> Loop:
    """Step the Gymnasium vector environment; count the learner's decisions."""
    env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=size, opponents=[Scripted(opponent)])
    choose = compiled_choices()
    masks = env.reset(seed=1)[0]["action_mask"]

    def play() -> int:
        nonlocal masks
        observations, *_ = env.step(choose(masks))
        masks = observations["action_mask"]
        return size

    for _ in range(SETTLE):
        play()
    return Loop(play)


def sb3_loop(size: int, opponent: str) -> Loop:
    """Step the Stable-Baselines3 environment; count the learner's decisions."""
    from bohemian_env.envs.sb3 import VillagesVecEnv  # brings torch along

    env = VillagesVecEnv(size, [Scripted(opponent)])
    choose = compiled_choices()
    env.reset()

    def play() -> int:
        env.step(choose(env.action_masks().view(np.int8)))
        return size

    for _ in range(SETTLE):
        play()
    return Loop(play)


def copy_loop(size: int) -> Loop:
    """Copy positions, ``size`` in one call."""
    states = _batch(2, 1024, 1).states[:size]
    times = range(max(1, 512 // size))

    def play() -> int:
        for _ in times:
            states.copy()
        return len(times) * size

    return Loop(play)


@numba.njit(cache=True)
def _copy_all(states: Any, copies: Any) -> None:
    for i in range(states.shape[0]):
        copies[i] = states[i]


def compiled_copy_loop() -> Loop:
    """Copy positions one by one in compiled code, as a search does."""
    states = _batch(2, 1024, 1).states
    copies = states.copy()

    def play() -> int:
        _copy_all(states, copies)
        return len(states)

    play()
    return Loop(play)


def save_loop() -> Loop:
    """Save the game of the PettingZoo environment and go back to it."""
    env = make_env(2, wrapped=False)
    env.reset(seed=1)
    rng = random.Random(1)
    for _ in range(20):
        env.step(rng.choice(env.legal_actions()))

    def play() -> int:
        for _ in range(64):
            env.set_state(env.get_state())
        return 64

    return Loop(play)


def bytes_per_game() -> dict[str, float]:
    """Return the bytes of a game: its position, what ``Batch`` shows of it, and all that ``Batch`` keeps for it."""
    size = 1024
    batch = Batch(size)
    shown = batch.masks.nbytes + batch.observations.nbytes
    return {
        "position": batch.states.itemsize,
        "mask and observation": shown / size,
        "all": sum(array.nbytes for array in batch._games) / size,
    }


def _case(name: str, make: Callable[[], Loop], includes: str, **more: Any) -> Case:
    return Case(name, more.pop("library", "ours"), make, includes, ours=True, **more)


def _batch_case(layer: str, players: int, size: int, threads: int = 1) -> Case:
    make = partial(batch_loop, layer, players, size, threads)
    return _case(layer, make, LAYERS[layer], players=players, batch=size, threads=threads)


def _aec_cases(players: int, chooser: str) -> list[Case]:
    what = f"{MASK}; {OBSERVATION}; the caller's to keep"
    makers = {kind: partial(make_env, players, kind == "wrapped") for kind in ("raw", "wrapped")}
    return [
        aec_case(f"aec_{kind}", "ours", make, what, chooser, players=players, ours=True)
        for kind, make in makers.items()
    ]


def _null_cases(chooser: str) -> list[Case]:
    what = "an environment that does nothing: one dictionary of our sizes, the same every time"
    makers = {kind: partial(make_null_env, kind == "wrapped") for kind in ("raw", "wrapped")}
    return [aec_case(f"null_aec_{kind}", "ours", make, what, chooser, ours=True) for kind, make in makers.items()]


def quick_cases() -> list[Case]:
    """List what ``--quick`` measures."""
    return [
        *_aec_cases(2, "compiled"),
        *_null_cases("compiled"),
        *(_batch_case(layer, 2, size) for size in BATCHES for layer in LAYERS),
        *(_batch_case(layer, 5, 1024) for layer in LAYERS),
        *(_batch_case(layer, 2, size, threads=2) for size in (1024, 8192) for layer in LAYERS),
    ]


def aec_cases() -> list[Case]:
    """List the cases of the PettingZoo environment, and of the one that does nothing."""
    return [
        *(case for players in (2, 5) for chooser in ("compiled", "numpy") for case in _aec_cases(players, chooser)),
        *(case for chooser in ("compiled", "numpy") for case in _null_cases(chooser)),
    ]


def batch_cases() -> list[Case]:
    """List the cases of many games at once."""
    return [
        *(_batch_case(layer, players, size) for size in BATCHES for players in (2, 5) for layer in LAYERS),
        _batch_case("step+mask", 4, 1024),
        *(_batch_case(layer, 2, size, threads=2) for size in (1024, 8192, 65536) for layer in LAYERS),
        *(_batch_case(layer, 5, 8192, threads=2) for layer in LAYERS),
    ]


def _learner_case(name: str, opponent: str, size: int) -> Case:
    includes = (
        f"a step is a learner's decision: random choice, step, {opponent} opponent's moves until the next, restart; "
        f"{MASK}; {OBSERVATION}"
    )
    if name == "vector":
        return _case(f"vector_{opponent}", partial(vector_loop, size, opponent), includes, batch=size)
    sb3 = {"library": "stable-baselines3", "needs": ("stable_baselines3",)}
    return _case(f"sb3_{opponent}", partial(sb3_loop, size, opponent), includes, batch=size, **sb3)


def other_cases() -> list[Case]:
    """List what training steps, whole games, and copies."""
    games = "whole games of random play, in the layer step"
    copies = "batch.states[:batch].copy(): positions, which hold no chance"
    saved = "env.set_state(env.get_state()): the game with its record and rewards"
    compiled = "copies[i] = states[i] in compiled code"
    return [
        *(
            _learner_case(name, opponent, size)
            for name in ("vector", "sb3")
            for opponent in ("random", "greedy")
            for size in (64, 1024)
        ),
        *(_case("games", partial(games_loop, n, 1024), games, players=n, batch=1024, unit="games") for n in (2, 5)),
        *(_case("copy", partial(copy_loop, size), copies, batch=size, unit="copies") for size in (1, 1024)),
        _case("copy_compiled", compiled_copy_loop, compiled, batch=1024, unit="copies"),
        _case("aec_get_set_state", save_loop, saved, unit="copies"),
    ]
