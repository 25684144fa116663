"""Many games as one Gymnasium environment, as ``gymnasium.make_vec`` makes it."""

import functools
import sys
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .errors import BadSetup, GameOver, brief
from .self_play import Opponent, SelfPlay, games_of
from .view import Behind, View

AUTORESET: Final = {mode.name.lower(): mode for mode in AutoresetMode}
"""When a game is followed by the next one, by name: in the step that ends it, in the step after that, whose action is
not looked at, or when the environment is told so."""


class ManyEnv(Behind, VectorEnv):
    """One seat of each of ``num_envs`` games learns; opponents play the others inside the step.

    Observations are the dictionaries of the PettingZoo environment, with a first axis of ``num_envs``. A game that is
    cut off is truncated, and scored as it stands, so its reward is final. Where games ended, the infos have
    ``cut_off``, and of the learner ``win`` and ``margin`` among rivals, else ``total``, and in ``_win`` and so on which
    games these are of, as Gymnasium has it; with ``"same_step"`` the same once more as ``final_info``, and
    ``final_obs``, in which no action is legal.
    All arrays returned are copies.

    Args:
        num_envs: number of games.
        opponents, shares: what plays the other seats, as for :class:`SelfPlay`.
        autoreset_mode: a name of :data:`AUTORESET`, or Gymnasium's own.
        normalized: whether observations are float32, each entry divided by the scale of its part.
        render_mode: None: nothing is drawn.
        parameters: those of :class:`SelfPlay`; the seed is any by default.

    Raises:
        BadSetup: a parameter is not as above, or not as for :class:`SelfPlay`.
        TypeError: there is no such parameter.
    """

    self_play: ClassVar[type[SelfPlay]]
    """The class of the games behind it."""

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | Opponent] = ("greedy",),
        shares: Sequence[float] | None = None,
        *,
        autoreset_mode: str | AutoresetMode = "same_step",
        normalized: bool = False,
        render_mode: None = None,
        **parameters: Any,
    ) -> None:
        self.autoreset_mode = _mode(autoreset_mode)
        """When a game is followed by the next one."""
        if render_mode is not None:
            raise BadSetup(f"render_mode {brief(render_mode)}: many games are not drawn; it can be None alone")
        same = self.autoreset_mode is AutoresetMode.SAME_STEP
        if "ray.rllib" in sys.modules and self.autoreset_mode is not AutoresetMode.NEXT_STEP:
            warnings.warn("RLlib drops the first decision of games unless autoreset_mode is 'next_step'", stacklevel=2)
        if same and tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4):
            _warn_of_lengths()
        self.games = games_of(self, num_envs, opponents, parameters, shares, autoreset=same)
        self.metadata: dict[str, Any] = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self._view = View(self.games, mask=True, normalized=normalized)
        self.num_envs = num_envs
        self.single_observation_space = self._view.space
        self.single_action_space = spaces.Discrete(self.games.rules.sizes[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games anew, as :meth:`SelfPlay.reset` does; with no seed they follow the present games.

        options: ``"reset_mask"``, bool (num_envs,), says which games, at least one; all by default. Raises BadSetup for
        another mask or option.
        """
        if not isinstance(options, dict | None) or (options or {}).keys() - {"reset_mask"}:
            raise BadSetup(f"options {brief(options)}: there is only 'reset_mask'")
        mask = (options or {}).get("reset_mask")
        some = None if mask is None else self._numbers(mask)
        self.games.reset(seed, some)
        return self._view.now(), {}

    def _numbers(self, mask: Any) -> np.ndarray:
        fits = isinstance(mask, np.ndarray) and (mask.dtype, mask.shape) == (np.bool_, (self.num_envs,))
        if not fits or not mask.any():
            raise BadSetup(f"reset_mask {brief(mask)} is no array of {self.num_envs} truths, one of them True")
        return np.flatnonzero(mask)

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out the learner's action in every game; if one is not legal, raise IllegalMove and change nothing.

        Raises GameOver if autoreset is disabled and a game is over, ValueError for what are not num_envs whole numbers.
        """
        games, over = self.games, np.flatnonzero(self.games.over)
        if len(over) and self.autoreset_mode is AutoresetMode.DISABLED:
            raise GameOver(f"games {over.tolist()} are over; reset them by options={{'reset_mask': ...}}")
        games.step(actions)
        if len(over):
            games.reset(None, over)
        dones, cut_off = games.dones, games.cut_off
        infos: dict[str, Any] = {}
        if dones.any():
            for name, values in games.told().items():
                infos |= {name: np.where(dones, values, 0).astype(values.dtype), f"_{name}": dones}
            if games.autoreset:
                infos |= {"final_info": dict(infos), "_final_info": dones}
                final = np.full(self.num_envs, None, dtype=object)
                for i in np.flatnonzero(dones):
                    final[i] = self._view.last(i)
                infos |= {"final_obs": final, "_final_obs": dones}
        return self._view.now(), games.rewards.astype(np.float64), dones & ~cut_off, cut_off.copy(), infos

    def get_state(self) -> dict[str, Any]:
        """Return everything about the games at this moment, as copies, for :meth:`set_state`."""
        return self.games.get_state()

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a moment from :meth:`get_state`, as that of :class:`SelfPlay`. Raises BadSetup, BadPosition."""
        self.games.set_state(state)


@functools.cache
def _warn_of_lengths() -> None:
    told = f"Gymnasium {gymnasium.__version__}: RecordEpisodeStatistics loses a step of every game but the first where"
    warnings.warn(f"{told} autoreset_mode is 'same_step'; take 'next_step', or Gymnasium 1.4", stacklevel=3)


def _mode(given: object) -> AutoresetMode:
    mode = AUTORESET.get(given) if isinstance(given, str) else given
    if not isinstance(mode, AutoresetMode):
        raise BadSetup(f"autoreset_mode {brief(given)} is none of {', '.join(AUTORESET)}")
    return mode
