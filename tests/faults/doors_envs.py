"""The doors of environments and batches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from bohemian_env import Batch, BohemianError
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import SelfPlay, raw_env
from bohemian_env.villages.opponents import Scripted

from .doors_game import called, one_of
from .fuzz import Doors, Opened, Opening
from .odd import Below

__all__ = ["DOORS"]

_N: Final = 8
"""Games of a batch."""


def _batch() -> Batch:
    batch = Batch(_N, 3, autoreset=True, max_turns=40)
    for _ in range(5):
        batch.step(batch.random_actions(1))
    return batch


def _legal(masks: np.ndarray, below: Below) -> np.ndarray:
    return (masks * (1 + (np.arange(NUM_ACTIONS, dtype=np.int16) * (1 + below(240))) % 241)).argmax(axis=1)


def _numbers(below: Below) -> np.ndarray:
    return np.arange(1 + below(_N))


def _games() -> SelfPlay:
    return SelfPlay(_N, [Scripted("random"), Scripted("greedy")], num_players=3, mixed=0.5, max_turns=40)


def _begun(players: int = 3, moves: int = 4) -> raw_env:
    env = raw_env(players, max_turns=40)
    env.reset(seed=1)
    for _ in range(moves):
        env.step(env.legal_actions()[0])
    return env


def _sits(env: raw_env) -> object:
    return env.seed, env.agent_selection, list(env.agents), dict(env.rewards)


def _door(make: Callable[[], Any], use: Callable[[Any], tuple[Callable[[Any], object], Callable[[Below], Any]]]) -> Any:
    """Return what opens a method of an object: the call and its examples; a refusal leaves positions and seeds."""

    def opening(folder: Path) -> Opened:
        made = make()
        call, example = use(made)
        named = (BohemianError,) if isinstance(made, raw_env) else (BohemianError, IndexError, ValueError)
        seated = _sits if isinstance(made, raw_env) else lambda made: made.seeds.tobytes()
        return Opened(call, example, named, lambda: (made.states.tobytes(), seated(made)))

    return opening


def _stepped(env: raw_env) -> tuple[Callable[[Any], object], Callable[[Below], Any]]:
    def example(below: Below) -> Any:
        if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.reset()
        legal = env.legal_actions()
        return legal[below(len(legal))]

    return env.step, example


def _set_state(env: raw_env) -> tuple[Callable[[Any], object], Callable[[Below], Any]]:
    states = []
    for moves in (0, 3, 12, 500):
        other = raw_env(3, max_turns=40)
        other.reset(seed=moves)
        for _ in range(moves):
            if other.agents and not (
                other.terminations[other.agent_selection] or other.truncations[other.agent_selection]
            ):
                other.step(other.legal_actions()[-1])
        states.append(other.get_state())

    def call(state: Any) -> None:
        env.set_state(state)
        _env_goes_on(env)

    return call, one_of(states)


def _pickled(make: Callable[[], Any], use: Callable[[Any], object]) -> Opening:
    """Return what opens the state of pickled objects of a class with ``__setstate__``."""

    def opening(folder: Path) -> Opened:
        made = make()
        state = made.__getstate__()

        def call(given: Any) -> None:
            kind: Any = type(made)
            again = kind.__new__(kind)
            again.__setstate__(given)
            use(again)

        return Opened(call, lambda below: state, (BohemianError,))

    return opening


def _played_self() -> SelfPlay:
    games = _games()
    for _ in range(9):
        games.step(games.masks.argmax(axis=1))
    return games


def _env_goes_on(env: raw_env) -> None:
    for agent in env.agents:
        env.observe(agent)
    if env.agents and not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(env.legal_actions()[0])


def _env_begins(env: raw_env) -> None:
    env.reset(seed=1)
    _env_goes_on(env)


def _batch_goes_on(batch: Batch) -> None:
    batch.step(batch.random_actions(1))


def _self_play_goes_on(games: SelfPlay) -> None:
    games.step(games.masks.argmax(axis=1))


DOORS: Final = Doors({
    "Batch.step": _door(_batch, lambda batch: (batch.step, lambda below: _legal(batch.masks, below))),
    "Batch.reset": _door(_batch, lambda batch: (batch.reset, one_of([7, np.arange(_N), list(range(_N))]))),
    "Batch.observe": _door(_batch, lambda batch: (batch.observe, _numbers)),
    "Batch.advise": _door(_batch, lambda batch: (batch.advise, _numbers)),
    "Batch.random_actions": _door(_batch, lambda batch: (batch.random_actions, one_of([0, 7]))),
    "Batch": called(
            lambda **given: _batch_goes_on(Batch(**given)), n=3, num_players=2, villages="random", reward="win",
            threads=1, autoreset=True, coin_supply=None, max_turns=40,
        ),
    "SelfPlay.step": _door(_games, lambda games: (games.step, lambda below: _legal(games.masks, below))),
    "SelfPlay.reset": _door(_games, lambda games: (games.reset, one_of([None, 7, np.arange(_N)]))),
    "SelfPlay.set_shares": _door(_games, lambda games: (games.set_shares, one_of([[1, 2], np.ones(2)]))),
    "SelfPlay": called(
            lambda **given: _self_play_goes_on(SelfPlay(**given)), n=3, opponents=[Scripted("random")], shares=[1.0],
            num_players=3, villages="random", reward="win", seed=1, mixed=0.5, advice=False, max_turns=40,
        ),
    "raw_env": called(
            lambda **given: _env_begins(raw_env(**given)), num_players=2, villages="random", reward="win", advice=False,
            render_mode=None, max_turns=40,
    ),
    "raw_env.reset": _door(_begun, lambda env: (env.reset, one_of([None, 7]))),
    "raw_env.step": _door(_begun, _stepped),
    "raw_env.observe": _door(_begun, lambda env: (env.observe, one_of(env.possible_agents))),
    "raw_env.set_state": _door(_begun, _set_state),
    "raw_env.action_to_text": _door(_begun, lambda env: (env.action_to_text, one_of(env.legal_actions()))),
    "raw_env.text_to_action": _door(
        _begun, lambda env: (env.text_to_action, one_of([*map(env.action_to_text, env.legal_actions())]))
    ),
    "pickled Batch": _pickled(_batch, _batch_goes_on),
    "pickled raw_env": _pickled(_begun, _env_goes_on),
    "pickled SelfPlay": _pickled(_played_self, _self_play_goes_on),
})  # fmt: skip
"""Doors of environments, by their names in the table."""
