"""The doors of environments and batches."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from bohemian_env import BohemianError
from bohemian_env.check import Kit
from bohemian_env.engine.aec import TableEnv
from bohemian_env.games import rules_of

from .doors_game import called, one_of, options_of
from .fuzz import Doors, Opened, Opening
from .odd import Below

__all__ = ["DOORS"]

_N: Final = 8
"""Games of a batch."""
Made = Callable[[], Any]
Used = tuple[Callable[[Any], object], Callable[[Below], Any]]
"""A method, and what gives examples for it."""


def _legal(masks: np.ndarray, below: Below) -> np.ndarray:
    weights = 1 + (np.arange(masks.shape[1], dtype=np.int16) * (1 + below(240))) % 241
    return (masks * weights).argmax(axis=1)


def _numbers(below: Below) -> np.ndarray:
    return np.arange(1 + below(_N))


def _going(env: Any) -> bool:
    """Return whether somebody decides in an environment."""
    return bool(env.agents) and not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection])


def _door(make: Made, use: Callable[[Any], Used]) -> Opening:
    """Return what opens a method of an object: the call and its examples; a refusal leaves positions and seeds."""

    def opening(folder: object) -> Opened:
        made = make()
        call, example = use(made)
        if isinstance(made, TableEnv):
            return Opened(call, example, (BohemianError,), lambda: (
                made.states.tobytes(), made.seed, made.agent_selection, list(made.agents), dict(made.rewards)
            ))  # fmt: skip
        named = (BohemianError, IndexError, ValueError)
        return Opened(call, example, named, lambda: (made.states.tobytes(), made.seeds.tobytes()))

    return opening


def _pickled(make: Made, use: Callable[[Any], object]) -> Opening:
    """Return what opens the state of pickled objects of a class with ``__setstate__``."""

    def opening(folder: object) -> Opened:
        made = make()
        state = made.__getstate__()

        def call(given: Any) -> None:
            kind: Any = type(made)
            again = kind.__new__(kind)
            again.__setstate__(given)
            use(again)

        return Opened(call, lambda below: state, (BohemianError,))

    return opening


def _stepped(env: Any) -> Used:
    def example(below: Below) -> Any:
        if not _going(env):
            env.reset()
        legal = env.legal_actions()
        return legal[below(len(legal))]

    return env.step, example


def _goes_on(made: Any) -> None:
    """See that what was accepted can be played."""
    if not isinstance(made, TableEnv):
        made.step(made.masks.argmax(axis=1))
        return
    for agent in made.agents:
        made.observe(agent)
    if _going(made):
        made.step(made.legal_actions()[0])


def _begins(env: Any) -> None:
    env.reset(seed=1)
    _goes_on(env)


def _doors(game: str) -> dict[str, Opening]:
    rules, kit = rules_of(game), Kit(game)
    players, options = options_of(game)
    most, told = rules.players[-1], {"num_players": players, **options, "reward": rules.reward(None, players)[0]}
    advised = {"advice": False} if rules.advice else {}
    opponents = [rules.scripted(name) for name in rules.opponents][:2]
    refused = (OSError, BohemianError)  # a board may be a path

    def batch() -> Any:
        made = kit.batch(_N, most)
        for _ in range(5):
            made.step(made.random_actions(1))
        return made

    def games() -> Any:
        made = kit.self_play(_N, opponents, num_players=most, mixed=0.5)
        for _ in range(9):
            made.step(made.masks.argmax(axis=1))
        return made

    def begun(moves: int = 4) -> Any:
        env = kit.raw_env(most)
        env.reset(seed=moves)
        for _ in range(moves):
            if _going(env):
                env.step(env.legal_actions()[-1])
        return env

    def set_state(env: Any) -> Used:
        def call(state: Any) -> None:
            env.set_state(state)
            _goes_on(env)

        return call, one_of([begun(moves).get_state() for moves in (0, 3, 12, 500)])

    def text(env: Any) -> Used:
        return env.text_to_action, one_of([*map(env.action_to_text, env.legal_actions())])

    return {
        "Batch.step": _door(batch, lambda made: (made.step, lambda below: _legal(made.masks, below))),
        "Batch.reset": _door(batch, lambda made: (made.reset, one_of([7, np.arange(_N), list(range(_N))]))),
        "Batch.observe": _door(batch, lambda made: (made.observe, _numbers)),
        **({"Batch.advise": _door(batch, lambda made: (made.advise, _numbers))} if rules.advice else {}),
        "Batch.random_actions": _door(batch, lambda made: (made.random_actions, one_of([0, 7]))),
        "Batch": called(lambda **given: _goes_on(kit.batch(**given)), *refused, n=3, **told, threads=1, autoreset=True),
        "SelfPlay.step": _door(games, lambda made: (made.step, lambda below: _legal(made.masks, below))),
        "SelfPlay.reset": _door(games, lambda made: (made.reset, one_of([None, 7, np.arange(_N)]))),
        "SelfPlay.set_shares": _door(games, lambda made: (made.set_shares, one_of([[1, 2], np.ones(2)]))),
        "SelfPlay": called(
            lambda **given: _goes_on(kit.self_play(**given)), *refused, n=3, opponents=opponents, shares=[1.0, 2.0],
            **told, seed=1, mixed=0.5, **advised,
        ),
        "raw_env": called(lambda **given: _begins(kit.raw_env(**given)), *refused, **told, **advised, render_mode=None),
        "raw_env.reset": _door(begun, lambda env: (env.reset, one_of([None, 7]))),
        "raw_env.step": _door(begun, _stepped),
        "raw_env.observe": _door(begun, lambda env: (env.observe, one_of(env.possible_agents))),
        "raw_env.set_state": _door(begun, set_state),
        "raw_env.action_to_text": _door(begun, lambda env: (env.action_to_text, one_of(env.legal_actions()))),
        "raw_env.text_to_action": _door(begun, text),
        "pickled Batch": _pickled(batch, _goes_on),
        "pickled raw_env": _pickled(begun, _goes_on),
        "pickled SelfPlay": _pickled(games, _goes_on),
    }  # fmt: skip


DOORS: Final = Doors(_doors)
"""Doors of environments, by their names in the table."""
