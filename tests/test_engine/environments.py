"""PettingZoo environments in which some moves have been made, and all that they show."""

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from bohemian_env import Board
from tests.helpers import FROZEN

PLAYERS = (2, 3, 4, 5)

ACTIONS, OBSERVATION = 241, 686
"""Sizes of version 0: another size is another version."""

SMALL: dict[str, Any] = {
    "villages": ["Small"],
    "board": Board.of_villages([{"name": "Small", "buildings": ["bakery", "butchery"]}], 4, 300, 0),
    "max_turns": 40,
}
"""Parameters of a game with so little to build that many turns pass: there are no special action tiles either."""

SHORT: dict[str, Any] = {"num_players": 3, "board": FROZEN, "coin_supply": 25, "max_turns": 12, "reward": "mixed"}
"""Parameters of games that soon end, by the bank or cut off."""

Maker = Callable[..., AECEnv]


def legal(env: AECEnv) -> list[int]:
    """The legal actions of the agent selected, as its observation says."""
    observation = env.last()[0]
    return np.flatnonzero(observation["action_mask"]).tolist()


def over(env: AECEnv) -> bool:
    """Whether the agents have ended."""
    return any(env.terminations.values()) or any(env.truncations.values())


def decisions(env: AECEnv, seed: int | str = 0) -> Iterator[AECEnv]:
    """The environment at every decision, whose actions are random ones, to the end of the game."""
    rng = random.Random(seed)
    while not over(env):
        yield env
        env.step(rng.choice(legal(env)))


def play(env: AECEnv, steps: int = 10_000) -> AECEnv:
    """Play so many steps of random legal actions, at most to the end of the game."""
    for _ in itertools.islice(decisions(env, steps), steps + 1):  # a step is made when the next decision is asked for
        pass
    return env


def begun(make: Maker, *args: Any, steps: int = 0, seed: int = 7, **parameters: Any) -> AECEnv:
    """An environment in which so many random steps have been made."""
    env = make(*args, **parameters)
    env.reset(seed=seed)
    return play(env, steps)


def everything(env: AECEnv) -> dict[str, Any]:
    """All that is known of a game at a moment, in a form that can be compared and that nobody changes later."""
    raw = env.unwrapped
    return {
        "position": raw.states.tobytes(),
        "seed": raw.seed,
        "record": raw.record(),
        "selected": env.agent_selection if env.agents else None,
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "cumulative": dict(raw._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": copy.deepcopy(env.infos),
        "observations": [
            {name: array.tobytes() for name, array in env.observe(agent).items()} for agent in env.possible_agents
        ],
    }


def moments(env: AECEnv, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Everything now and after each step of a random game, to the removal of the last agent."""
    rng = random.Random(seed)
    yield everything(env)
    while env.agents:
        env.step(None if over(env) else rng.choice(legal(env)))
        yield everything(env)
