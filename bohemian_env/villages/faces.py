"""The faces of Bohemian Villages: what the floor makes of its rules, by the names that users know."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..engine import batch, choosing, dealing, legal, reward, self_play
from ..engine import observe as looks
from ..engine.aec import TableEnv
from ..engine.afterstates import Afterstates, afterstates
from ..engine.observe import observe
from ..engine.self_play import AgentOpponent, Ended, Opponent, PolicyOpponent
from ..engine.single import ILLEGAL, SingleEnv
from ..engine.states import copy_states
from ..engine.vector import AUTORESET, ManyEnv
from .contract import RULES
from .game import Game
from .setup import SetupOptions

__all__ = [
    "AUTORESET", "ILLEGAL", "NAME", "REWARDS", "Afterstates", "AgentOpponent", "Batch", "Ended", "EnvOptions",
    "Opponent", "PolicyOpponent", "SelfPlay", "VillagesEnv", "VillagesVectorEnv", "afterstates", "env", "observe",
    "raw_env", "rewards",
]  # fmt: skip

NAME: Final = RULES.env_name
REWARDS: Final = {name: reward.formula for name, reward in RULES.rewards.items()}
"""The formula of every reward, by name."""


class EnvOptions(SetupOptions, total=False):
    """The parameters of the environment that are given as keywords."""

    reward: str
    advice: bool | str
    render_mode: str | None


class Batch(batch.Batch):
    """``Batch(n, num_players=2, villages="random", **options)``: many games side by side; see the floor's ``Batch``."""

    rules = RULES


class SelfPlay(self_play.SelfPlay):
    """Many games in which one seat learns; see the floor's ``SelfPlay``."""

    rules = RULES


class VillagesEnv(SingleEnv):
    """One game, as ``gymnasium.make("bohemian_env/Villages-v0", num_players=2)`` makes it; see the floor's class."""

    self_play = SelfPlay


class VillagesVectorEnv(ManyEnv):
    """Many games, as ``gymnasium.make_vec("bohemian_env/Villages-v0", num_envs=64)`` makes them."""

    self_play = SelfPlay


class raw_env(TableEnv):  # noqa: N801 - PettingZoo's name
    """``raw_env(num_players=2, villages="random", **options)``: Bohemian Villages for 2 to 5 agents, the environment
    without wrappers, as the floor's ``TableEnv`` describes it.

    Args:
        num_players, villages, options: the parameters of :meth:`Setup.of`; num_players may be a :class:`Setup`.
        reward: ``"win"``, ``"margin"`` or ``"mixed"`` (``reward.REWARDS``).
        advice: who tells agents what it thinks, as ``"advice"``, float32 (ADVICE_SIZE,): ``"planner"`` (``True``) or
            ``"appraiser"``.
        render_mode: ``"ansi"``, ``"human"`` or ``"rgb_array"``, which needs the extra ``render``; None to draw nothing.

    Raises:
        BadSetup, BadBoard, OSError: as for :meth:`Setup.of`.
        MissingExtra: ``"rgb_array"`` without the extra ``render``.
    """

    rules = RULES
    metadata: dict[str, Any] = TableEnv.metadata | {"name": NAME}


env = raw_env.wrapped


choose_all = RULES.compiled(choosing.choose_all)
"""``choose_all(number, games, states, seeds, own_seed, scratch, actions)`` writes what a scripted opponent does, in
compiled code."""
deal_game = RULES.compiled(dealing.deal_game)
"""``deal_game(s, seed, common)`` sets up the game of a seed and rolls for the first decision, in compiled code."""
deal_seeded = RULES.compiled(dealing.deal_seeded)
"""``deal_seeded(s, seed)`` rolls until a player decides or the game is over, in compiled code."""
write_mask = RULES.compiled(legal.write_mask)
"""``write_mask(s, out)`` writes the legal actions, in compiled code."""
write_rewards = RULES.compiled(reward.write_rewards)
"""``write_rewards(s, reward, rewards, totals)`` scores a position, in compiled code."""


def reward_number(name: str) -> int:
    """Return the number of a reward in compiled code. Raises BadSetup for an unknown name."""
    return RULES.reward(name)[1]


def rewards(game: Game, reward: str = "win") -> np.ndarray:
    """Return what each seat receives at this moment of a game: float32, (players,); 0 while it goes on.

    reward: a name of REWARDS; raises BadSetup for an unknown one.
    """
    number, found = reward_number(reward), np.zeros(game.players, np.float32)
    if game.over:
        write_rewards(copy_states(game.states)[0], number, found, np.empty(game.players, np.int32))
    return found


def see_some(states: np.ndarray, games: np.ndarray | Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return observations and masks of some positions, as the floor's ``see_some`` does."""
    return looks.see_some(RULES, states, games)


def advise(states: np.ndarray, games: np.ndarray | Sequence[int] | None = None, adviser: str = "planner") -> np.ndarray:
    """Return what an adviser tells the current seats of some positions, as the floor's ``advice_of`` does."""
    return looks.advice_of(RULES, states, games, adviser)
