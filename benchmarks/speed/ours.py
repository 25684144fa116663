"""What of this environment is timed, at its default settings and through its public interface."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import gymnasium
import numpy as np

from bohemian_env import Batch, bohemian_villages_v0
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.rules import push
from bohemian_env.opponents import Scripted
from bohemian_env.opponents.chances import chances_of

from . import aec
from .aec import aec_cases, compiled_choices
from .harness import Case, Play

BATCHES: Final = (1, 64, 1024, 8192, 65536)

MASK: Final = (
    f"random legal choice, step, dice, restart on newly drawn villages; int8 mask of all {NUM_ACTIONS} actions"
)
LAYERS: Final = {"step+mask": MASK, "step+mask+int8": f"{MASK}; int8 observation of {OBSERVATION_SIZE}"}
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


def batch_loop(layer: str, players: int, size: int, threads: int) -> Play:
    """Step a layer of ``Batch``; count the steps of single games."""
    batch = _batch(players, size, threads)
    times = range(max(1, 512 // size))  # so that looking at the clock costs nothing
    steps = len(times) * size

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

    return {"step+mask": step_mask, "step+mask+int8": step_mask_int8}[layer]


def _settled(play: Callable[[], int]) -> Play:
    for _ in range(SETTLE):
        play()
    return play


def vector_loop(size: int) -> Play:
    """Step the Gymnasium vector environment; count the learner's decisions."""
    env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=size, opponents=[Scripted("greedy")])
    choose = compiled_choices()
    masks = env.reset(seed=1)[0]["action_mask"]

    def play() -> int:
        nonlocal masks
        observations, *_ = env.step(choose(masks))
        masks = observations["action_mask"]
        return size

    return _settled(play)


def sb3_loop(size: int) -> Play:
    """Step the Stable-Baselines3 environment; count the learner's decisions."""
    from bohemian_env.envs.sb3 import VillagesVecEnv  # brings torch along

    env = VillagesVecEnv(size, [Scripted("greedy")])
    choose = compiled_choices()
    env.reset()

    def play() -> int:
        env.step(choose(env.action_masks().view(np.int8)))
        return size

    return _settled(play)


def afterstates_loop(players: int, size: int) -> Play:
    """Ask a batch where all legal actions lead; count the after-states."""
    batch = _batch(players, size, 1)
    return lambda: len(batch.afterstates().games)


def chances_loop(players: int, size: int) -> Play:
    """Ask the network of ``appraiser`` how likely each seat is to win; count the positions.

    In all of them dice must be rolled: only there it judges a position as it is, and tries no turns before.
    """
    batch = _batch(players, size, 1)
    before = batch.states.copy()
    for state, action in zip(before, batch.random_actions(), strict=True):
        push(state, action)
    waiting = np.flatnonzero(before["pending"] > 0)

    def play() -> int:
        chances_of(before, waiting)
        return len(waiting)

    return play


_case = partial(Case, library="ours", ours=True)


def _batch_cases(players: int, sizes: Sequence[int], threads: int = 1) -> list[Case]:
    """All layers of Batch."""
    return [
        Case(layer, "ours", partial(batch_loop, layer, players, size, threads), text, players, size, threads, ours=True)
        for size in sizes
        for layer, text in LAYERS.items()
    ]


def loop_cases() -> list[Case]:
    """List the cases in PettingZoo's loop: the environment, and the one that does nothing."""
    shown = "mask and observation, the caller's to keep"
    nothing = "an environment that does nothing: one dictionary of our sizes, the same every time"
    cases = aec_cases("aec", "ours", bohemian_villages_v0.__name__, shown, 2, ours=True)
    return cases + aec_cases("null_aec", "ours", aec.__name__, nothing, ours=True)


def batch_cases() -> list[Case]:
    """List the cases of many games at once."""
    return [
        *_batch_cases(2, BATCHES),
        *_batch_cases(5, (1024,)),
        *_batch_cases(2, (1024, 8192, 65536), threads=2),
    ]


def quick_cases() -> list[Case]:
    """List what ``--quick`` measures."""
    return [*loop_cases(), *batch_cases()]


def other_cases() -> list[Case]:
    """List what training steps, whole games, and copies."""
    greedy = "a learner's decision, and greedy opponents' moves until the next"
    after, chances = "of every legal action, with observation", "of winning before a roll, by appraiser's network"
    needs = ("stable_baselines3",)
    return [
        _case("vector_greedy", make=partial(vector_loop, 1024), includes=greedy, batch=1024),
        Case(*("sb3_greedy", "stable-baselines3", partial(sb3_loop, 1024), greedy), batch=1024, needs=needs, ours=True),
        _case("afterstates", make=partial(afterstates_loop, 2, 1024), includes=after, batch=1024, unit="afterstates"),
        _case("chances", make=partial(chances_loop, 2, 1024), includes=chances, batch=1024, unit="positions"),
    ]
