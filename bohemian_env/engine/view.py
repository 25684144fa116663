"""What a learner is shown of games: which arrays, their space, and copies of them."""

from typing import Any

import numpy as np
from gymnasium import spaces

from .checks import check_truth
from .observe import observation_space
from .parts import scale_of
from .self_play import SelfPlay


class Behind:
    """What an environment tells of the games behind it."""

    games: SelfPlay
    """The games; of an environment of one, it is number 0."""

    def game(self, i: int = 0) -> Any:
        """Return game ``i`` as a ``Game``, which does not change. Raises IndexError if there is no such game."""
        return self.games.game(i)

    def record(self, i: int = 0) -> dict[str, Any]:
        """Return the game record of game ``i`` so far. Raises IndexError, and NoRecord if it began at a position."""
        return self.games.record(i)

    def state_dict(self, i: int = 0) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON. Raises IndexError if there is no such game."""
        return self.games.state_dict(i)


class View:
    """What the faces of some games show: a dictionary, or the observation alone where nothing is beside it.

    games: the games. mask: whether ``"action_mask"`` is shown. ``"advice"`` is, where there is an adviser. normalized:
    whether the observation is float32, each entry divided by the scale of its part, not int8. Raises BadSetup: a
    parameter is no truth.
    """

    def __init__(self, games: SelfPlay, *, mask: bool, normalized: bool) -> None:
        check_truth("normalized", normalized)
        self.games = games
        self._mask = mask
        rules = games.rules
        self._scale = scale_of(rules.parts) if normalized else None
        shown = dict(observation_space(rules, bool(games.adviser)).spaces)
        if not mask:
            del shown["action_mask"]
        if self._scale is not None:
            box = shown["observation"]
            assert isinstance(box, spaces.Box)
            shown["observation"] = spaces.Box(box.low / self._scale, box.high / self._scale, dtype=np.float32)
        self.space: spaces.Space = spaces.Dict(shown) if len(shown) > 1 else shown["observation"]
        """The space of what is shown of one game."""

    def now(self, of: int | slice = slice(None)) -> dict[str, np.ndarray] | np.ndarray:
        """Return what the learner is shown of a game, or of all, the first axis, in new arrays."""
        games = self.games
        return self._shown(games.observations[of], games.masks[of], None if games.advice is None else games.advice[of])

    def last(self, i: int | np.integer) -> dict[str, np.ndarray] | np.ndarray:
        """Return what the learner is shown at the end of game ``i``, which ended in the last step."""
        silence = None if self.games.advice is None else np.zeros_like(self.games.advice[0])
        return self._shown(self.games.final_observations[i], np.zeros_like(self.games.masks[0]), silence)

    def _shown(
        self, observation: np.ndarray, mask: np.ndarray, advice: np.ndarray | None
    ) -> dict[str, np.ndarray] | np.ndarray:
        seen = observation.copy() if self._scale is None else observation / self._scale
        if not self._mask and advice is None:
            return seen
        shown = {"observation": seen}
        if self._mask:
            shown["action_mask"] = mask.copy()
        if advice is not None:
            shown["advice"] = advice.copy()
        return shown
