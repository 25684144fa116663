"""What of this environment is timed, at its default settings and through its public interface."""

import functools
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import gymnasium
import numpy as np

from bohemian_env import bohemian_villages_v0
from bohemian_env.dorfromantik.players import Scratch, write_growths
from bohemian_env.engine.compiled import njit
from bohemian_env.games import faces_of, rules_of
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.observation import OBSERVATION_SIZE
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.opponents.chances import chances_of
from bohemian_env.villages.rules import push

from . import aec
from .aec import aec_cases, compiled_choices
from .harness import Case, Play

VILLAGES: Final = "villages"
BATCHES: Final = (1, 64, 1024, 8192, 65536)
SIZE: Final = 1024  # games side by side where only one number of them is timed

MASK: Final = (
    f"random legal choice, step, dice, restart on newly drawn villages; int8 mask of all {NUM_ACTIONS} actions"
)
LAYERS: Final = {"step+mask": MASK, "step+mask+int8": f"{MASK}; int8 observation of {OBSERVATION_SIZE}"}
SETTLE: Final = 128  # steps played before anything is timed: by then the games of a batch are at all stages


@functools.cache
def _batch(game: str, players: int, size: int, threads: int) -> Any:
    """Return a batch under way; the layers share it, and nothing else steps it."""
    batch = faces_of(game).Batch(size, players, threads=threads)
    batch.reset(seed=1)
    for _ in range(SETTLE):
        batch.step(batch.random_actions())
    return batch


def batch_loop(game: str, layer: str, players: int, size: int, threads: int = 1) -> Play:
    """Step a layer of ``Batch``; count the steps of single games."""
    batch = _batch(game, players, size, threads)
    times = range(max(1, 512 // size))  # so that looking at the clock costs nothing
    steps = len(times) * size

    def play() -> int:
        for _ in times:
            batch.step(batch.random_actions())
            if "mask" in layer:
                batch.masks  # noqa: B018 - computed when it is asked for
            if "int8" in layer:
                batch.observations  # noqa: B018 - computed when it is asked for
        return steps

    return play


def _settled(play: Callable[[], int]) -> Play:
    for _ in range(SETTLE):
        play()
    return play


def vector_loop() -> Play:
    """Step the Gymnasium vector environment; count the learner's decisions."""
    env = gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=SIZE, opponents=[Scripted("greedy")])
    choose = compiled_choices()
    masks = env.reset(seed=1)[0]["action_mask"]

    def play() -> int:
        nonlocal masks
        observations, *_ = env.step(choose(masks))
        masks = observations["action_mask"]
        return SIZE

    return _settled(play)


def sb3_loop() -> Play:
    """Step the Stable-Baselines3 environment; count the learner's decisions."""
    from bohemian_env.villages.sb3 import VillagesVecEnv  # brings torch along

    env = VillagesVecEnv(SIZE, [Scripted("greedy")])
    choose = compiled_choices()
    env.reset()

    def play() -> int:
        env.step(choose(env.action_masks().view(np.int8)))
        return SIZE

    return _settled(play)


def afterstates_loop() -> Play:
    """Ask a batch where all legal actions lead; count the after-states."""
    batch = _batch(VILLAGES, 2, SIZE, 1)
    return lambda: len(batch.afterstates().games)


def chances_loop() -> Play:
    """Ask the network of ``appraiser`` how likely each seat is to win; count the positions.

    In all of them dice must be rolled: only there it judges a position as it is, and tries no turns before.
    """
    batch = _batch(VILLAGES, 2, SIZE, 1)
    before = batch.states.copy()
    for state, action in zip(before, batch.random_actions(), strict=True):
        push(state, action)
    waiting = np.flatnonzero(before["pending"] > 0)

    def play() -> int:
        chances_of(before, waiting)
        return len(waiting)

    return play


def loop_cases() -> list[Case]:
    """List the cases in PettingZoo's loop: the environment, and the one that does nothing."""
    shown = "mask and observation, the caller's to keep"
    nothing = "an environment that does nothing: one dictionary of our sizes, the same every time"
    cases = aec_cases("aec", "ours", bohemian_villages_v0.__name__, shown, ours=True)
    return cases + aec_cases("null_aec", "ours", aec.__name__, nothing, ours=True)


def batch_cases() -> list[Case]:
    """List the cases of many games at once: all layers of Batch, by players, threads and sizes."""
    return [
        Case(
            *(layer, "ours", partial(batch_loop, VILLAGES, layer, players, size, threads), text),
            *(players, size, threads),
            ours=True,
        )
        for players, threads, sizes in ((2, 1, BATCHES), (5, 1, (SIZE,)), (2, 2, (1024, 8192, 65536)))
        for size in sizes
        for layer, text in LAYERS.items()
    ]


@njit
def count_growths(states: np.ndarray, scratch: Scratch) -> int:
    """Write the growths of all placements in some positions, and return how many these are."""
    count = 0
    for i in range(states.shape[0]):
        count += write_growths(states[i], scratch)
    return count


def growths_loop() -> Play:
    """Ask by how much each legal placement makes the score grow, without carrying it out; count the placements."""
    rules, batch = rules_of("dorfromantik"), faces_of("dorfromantik").Batch(SIZE, autoreset=False)
    for _ in range(30):
        batch.step(batch.random_actions())
    states, scratch = batch.states.copy(), rules.scratch()
    return lambda: count_growths(states, scratch)


def copy_loop(game: str, what: str, players: int) -> Play:
    """Copy one game: as ``Game`` (a move and what chance brings), as an environment, as one of a batch."""
    rules, faces = rules_of(game), faces_of(game)
    one = rules.game.new(players, seed=1).dealt()
    for _ in range(6):
        one = one.push(one.legal_actions[0]).dealt()
    env, batch = faces.raw_env(players), faces.Batch(SIZE, players, autoreset=False)
    env.reset(seed=1)
    for _ in range(6):
        env.step(env.legal_actions()[0])
    kept, whole = env.get_state(), batch.get_state()

    def play() -> int:
        for _ in range(20):
            if what == "push":
                one.push(one.legal_actions[0])
            elif what == "get_state":
                env.get_state()
            else:
                env.set_state(kept)
        return 20

    def many() -> int:
        batch.get_state()
        return len(whole[1])

    return many if what == "states" else play


def game_cases() -> list[Case]:
    """List what is timed of every game: steps, and copies, on which a search lives."""
    found = []
    for game, players in ((VILLAGES, 2), ("dorfromantik", 1), ("agricola", 2)):
        rules = rules_of(game)
        layers = {
            "step": "random legal choice, step, chance, restart",
            "step+mask": f"the same, and an int8 mask of {rules.sizes[1]:,}",
            "step+mask+int8": f"the same, and an int8 observation of {rules.sizes[0]}",
        }
        for layer, text in layers.items():
            made = partial(batch_loop, game, layer, players, SIZE)
            found.append(Case(f"{game} {layer}", "ours", made, text, players, SIZE, ours=True))
        copies = {
            "push": "a move of an immutable Game, checked",
            "get_state": "the state of a PettingZoo environment",
            "set_state": "back to it, checked by playing the game again",
            "states": "a position of a batch, all at once",
        }
        for what, text in copies.items():
            made = partial(copy_loop, game, what, players)
            found.append(Case(f"{game} {what}", "ours", made, text, players, unit="copies", ours=True))
    told = "of every legal placement, with the growth of its score, by difference"
    found.append(Case("dorfromantik growths", "ours", growths_loop, told, 1, SIZE, unit="afterstates", ours=True))
    return found


def quick_cases() -> list[Case]:
    """List what ``--quick`` measures."""
    return [*loop_cases(), *batch_cases()]


def other_cases() -> list[Case]:
    """List what training steps, after-states, and positions that a network judges."""
    greedy = "a learner's decision, and greedy opponents' moves until the next"
    after, chances = "of every legal action, with observation", "of winning before a roll, by appraiser's network"
    case, needs = partial(Case, batch=SIZE, ours=True), ("stable_baselines3",)
    return [
        case("vector_greedy", "ours", vector_loop, greedy),
        case("sb3_greedy", "stable-baselines3", sb3_loop, greedy, needs=needs),
        case("afterstates", "ours", afterstates_loop, after, unit="afterstates"),
        case("chances", "ours", chances_loop, chances, unit="positions"),
    ]
