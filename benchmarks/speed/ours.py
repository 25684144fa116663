"""What of this environment is timed, at its default settings and through its public interface."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import gymnasium
import numba
import numpy as np

from bohemian_env import Batch, bohemian_villages_v0
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.rules import push
from bohemian_env.opponents import Scripted
from bohemian_env.opponents.chances import chances_of

from . import null_aec
from .aec import aec_cases, compiled_choices
from .harness import Case, Loop

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

    return Loop({"step": step, "step+mask": step_mask, "step+mask+int8": step_mask_int8}[layer])


def games_loop(players: int, size: int) -> Loop:
    """Step a batch; count the games that end."""
    batch = _batch(players, size, 1)

    def play() -> int:
        batch.step(batch.random_actions())
        return int(np.count_nonzero(batch.terminations)) + int(np.count_nonzero(batch.truncations))

    return Loop(play)


def _settled(play: Callable[[], int]) -> Loop:
    for _ in range(SETTLE):
        play()
    return Loop(play)


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

    return _settled(play)


def sb3_loop(size: int, opponent: str) -> Loop:
    """Step the Stable-Baselines3 environment; count the learner's decisions."""
    from bohemian_env.envs.sb3 import VillagesVecEnv  # brings torch along

    env = VillagesVecEnv(size, [Scripted(opponent)])
    choose = compiled_choices()
    env.reset()

    def play() -> int:
        env.step(choose(env.action_masks().view(np.int8)))
        return size

    return _settled(play)


def copy_loop(size: int) -> Loop:
    """Copy positions, ``size`` in one call."""
    return Loop.of(_batch(2, 1024, 1).states[:size].copy, max(1, 512 // size), size)


def afterstates_loop(players: int, size: int) -> Loop:
    """Ask a batch where all legal actions lead; count the after-states."""
    batch = _batch(players, size, 1)
    return Loop(lambda: len(batch.afterstates().games))


def chances_loop(players: int, size: int) -> Loop:
    """Ask the network of ``appraiser`` how likely each seat is to win; count the positions.

    In all of them dice must be rolled: only there it judges a position as it is, and tries no turns before.
    """
    batch = _batch(players, size, 1)
    before = batch.states.copy()
    for state, action in zip(before, batch.random_actions(), strict=True):
        push(state, action)
    waiting = np.flatnonzero(before["pending"] > 0)
    return Loop.of(lambda: chances_of(before, waiting), 1, len(waiting))


@numba.njit(cache=True)
def _copy_all(states: Any, copies: Any) -> None:
    for i in range(states.shape[0]):
        copies[i] = states[i]


def compiled_copy_loop() -> Loop:
    """Copy positions one by one in compiled code, as a search does."""
    states = _batch(2, 1024, 1).states
    copies = states.copy()

    return Loop.of(lambda: _copy_all(states, copies), 1, len(states))


def save_loop() -> Loop:
    """Save the game of the PettingZoo environment and go back to it."""
    env = bohemian_villages_v0.raw_env(2)
    env.reset(seed=1)
    rng = random.Random(1)
    for _ in range(20):
        env.step(rng.choice(env.legal_actions()))

    return Loop.of(lambda: env.set_state(env.get_state()), 64)


def bytes_per_game() -> dict[str, float]:
    """Return the bytes of a game: its position, what ``Batch`` shows of it, and all that ``Batch`` keeps for it."""
    size = 1024
    batch = Batch(size)
    return {
        "position": batch.states.itemsize,
        "mask and observation": (batch.masks.nbytes + batch.observations.nbytes) / size,
        "all": sum(array.nbytes for array in batch._games) / size,
    }


_case = partial(Case, library="ours", ours=True)


def _batch_cases(players: Sequence[int], sizes: Sequence[int], threads: int = 1) -> list[Case]:
    """All layers of Batch."""
    return [
        _case(
            layer,
            make=partial(batch_loop, layer, n, size, threads),
            includes=LAYERS[layer],
            players=n,
            batch=size,
            threads=threads,
        )
        for size in sizes
        for n in players
        for layer in LAYERS
    ]


def _aec_cases(players: Sequence[int], choosers: Sequence[str]) -> list[Case]:
    """The PettingZoo environment, and the one that does nothing."""
    shown = f"{MASK}; {OBSERVATION}; the caller's to keep"
    nothing = "an environment that does nothing: one dictionary of our sizes, the same every time"
    cases = []
    for n in players:
        cases += aec_cases("aec", "ours", bohemian_villages_v0.__name__, shown, choosers, n, players=n, ours=True)
    return cases + aec_cases("null_aec", "ours", null_aec.__name__, nothing, choosers, ours=True)


def quick_cases() -> list[Case]:
    """List what ``--quick`` measures."""
    return [
        *_aec_cases((2,), ("compiled",)),
        *_batch_cases((2,), BATCHES),
        *_batch_cases((5,), (1024,)),
        *_batch_cases((2,), (1024, 8192), threads=2),
    ]


def loop_cases() -> list[Case]:
    """List the cases in PettingZoo's loop."""
    return _aec_cases((2, 5), ("compiled", "numpy"))


def batch_cases() -> list[Case]:
    """List the cases of many games at once."""
    return [
        *_batch_cases((2, 5), BATCHES),
        *(case for case in _batch_cases((4,), (1024,)) if case.name == "step+mask"),
        *_batch_cases((2,), (1024, 8192, 65536), threads=2),
        *_batch_cases((5,), (8192,), threads=2),
    ]


def other_cases() -> list[Case]:
    """List what training steps, whole games, and copies."""
    sb3 = partial(_case, library="stable-baselines3", needs=("stable_baselines3",))
    cases = [
        case(
            f"{name}_{opponent}",
            make=partial(loop, size, opponent),
            includes=f"a step is a learner's decision: random choice, step, {opponent} opponent's moves until the "
            f"next, restart; {MASK}; {OBSERVATION}",
            batch=size,
        )
        for name, case, loop in (("vector", _case, vector_loop), ("sb3", sb3, sb3_loop))
        for opponent in ("random", "greedy")
        for size in (64, 1024)
    ]
    games = partial(_case, "games", includes="whole games of random play, in the layer step", unit="games")
    cases += [games(make=partial(games_loop, n, 1024), players=n, batch=1024) for n in (2, 5)]
    text = "batch.afterstates(): of every legal action the observation before the dice fall, and rewards at the end"
    after = partial(_case, "afterstates", includes=text, unit="afterstates")
    cases += [after(make=partial(afterstates_loop, n, 1024), players=n, batch=1024) for n in (2, 5)]
    text = "chances_of(states, games): by appraiser's network, each seat's chance of winning before a roll"
    chances = partial(_case, "chances", includes=text, unit="positions")
    cases += [chances(make=partial(chances_loop, n, 1024), players=n, batch=1024) for n in (2, 5)]
    copies = partial(_case, unit="copies")
    text = "batch.states[:batch].copy(): positions, which hold no chance"
    cases += [copies("copy", make=partial(copy_loop, size), includes=text, batch=size) for size in (1, 1024)]
    text = "copies[i] = states[i] in compiled code"
    cases.append(copies("copy_compiled", make=compiled_copy_loop, includes=text, batch=1024))
    text = "env.set_state(env.get_state()): the game with its record and rewards"
    cases.append(copies("aec_get_set_state", make=save_loop, includes=text))
    return cases
