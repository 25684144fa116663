"""One game as a Gymnasium environment: ``gymnasium.make("bohemian_env/Villages-v0", num_players=2)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from ..errors import BadSetup, GameOver, IllegalMove, brief
from ..game.actions import NUM_ACTIONS, Action
from ..game.board import check_truth
from ..game.moves import refusal, whole_action
from ..game.position import write_position
from ..game.record import outcome_of
from ..game.setup import check_seed
from ..render.pixels import board_pixels, check_renderer
from ..render.text import board_text
from .self_play import Opponent, games_of
from .view import View

__all__ = ["ILLEGAL", "VillagesEnv"]

ILLEGAL: Final = {
    "raise": "it is refused, and nothing changes",
    "end": "the game is over, with the worst reward, −1",
    "random": "any legal action is taken instead, each as likely as any other",
}
"""What may become of an illegal action, by name."""


class VillagesEnv(gymnasium.Env):
    """One seat of one game learns; opponents play the others inside the step.

    An observation is the dictionary of the PettingZoo environment; with ``flat=True`` there is no mask in it, and the
    observation is one array where there is no advice; :meth:`action_masks` has the mask. A game cut off by
    ``max_turns`` is truncated, and scored as it stands (R24), so its reward is final. The info at the end of a game has
    ``win`` and ``margin`` of the learner and ``cut_off``; that of an illegal action has ``illegal``, and nothing else
    where that ends the game.

    The learner's seat follows from the seed of the game, as the rest does: it is seed modulo players. Without a seed a
    game has one from the environment's generator.

    Args:
        opponents: what plays the other seats: names of scripted opponents, policies or agents.
        shares: as for :class:`SelfPlay`.
        illegal: what becomes of an illegal action, a name of :data:`ILLEGAL`.
        flat: whether observations are without the mask.
        normalized: whether they are float32, each entry divided by its ``observation_scale()``.
        render_mode: as for the PettingZoo environment.
        parameters: ``num_players``, ``villages``, ``reward``, ``mixed``, ``advice`` and options of :class:`SelfPlay`.

    Raises:
        BadSetup, BadBoard, OSError: as for :class:`SelfPlay`, or a parameter is not as above.
        TypeError: there is no such parameter.
        MissingExtra: ``"rgb_array"`` without the extra ``render``.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        opponents: Sequence[str | Opponent] = ("greedy",),
        shares: Sequence[float] | None = None,
        *,
        illegal: str = "raise",
        flat: bool = False,
        normalized: bool = False,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        if not isinstance(illegal, str) or illegal not in ILLEGAL:
            raise BadSetup(f"illegal {brief(illegal)} is none of {', '.join(ILLEGAL)}")
        if not (render_mode is None or (isinstance(render_mode, str) and render_mode in self.metadata["render_modes"])):
            raise BadSetup(f"render_mode {brief(render_mode)} is none of {', '.join(self.metadata['render_modes'])}")
        if render_mode == "rgb_array":
            check_renderer()
        check_truth("flat", flat)
        self.render_mode = render_mode
        if "seed" in parameters:
            raise TypeError(f"{type(self).__name__} has no parameter 'seed'; give it to reset()")
        self.games = games_of(self, 1, opponents, parameters, shares, autoreset=False)
        """The game."""
        self._illegal = illegal
        self._view = View(self.games, mask=not flat, normalized=normalized)
        self._over = True
        self.observation_space = self._view.space
        self.action_space = spaces.Discrete(NUM_ACTIONS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game, and go on to the learner's first decision.

        seed: 0 to 2**63 - 1, of the villages and the dice. Raises BadSetup for another, and for any option.
        """
        if not isinstance(options, dict | None) or options:
            raise BadSetup(f"options {brief(options)}: there are none")
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        self.games.reset(seed, first_seat=seed % self.games.num_players)
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._view.one(), {}

    def step(self, action: Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and go on to its next decision.

        Raises:
            IllegalMove: the action is not legal, and ``illegal`` is ``"raise"``; or it is no whole number. Nothing has
                changed.
            GameOver: the game has ended, or none has begun.
        """
        if self._over:
            raise GameOver("the game is over; call reset() to begin another")
        action, masks = whole_action(action), self.games.masks[0]
        legal = 0 <= action < NUM_ACTIONS and bool(masks[action])
        if not legal and self._illegal == "raise":
            villages = self.games.setup.start(int(self.games.seeds[0])).villages
            refused = refusal(self.games.states[0], action, [village.name for village in villages])
            raise IllegalMove(refused.move, f'{refused.reason}; illegal="end" or "random" takes any action')
        info: dict[str, Any] = {} if legal else {"illegal": True}
        if not legal and self._illegal == "end":
            self._over = True
            info |= {"win": 0.0, "margin": self.games.margin(0), "cut_off": False}
            shown = self._view.one()
            if isinstance(shown, dict) and "action_mask" in shown:
                shown["action_mask"][:] = 0
            return shown, -1.0, True, False, info
        self.games.step([action if legal else int(self.np_random.choice(np.flatnonzero(masks)))])
        self._over = bool(self.games.dones[0])
        truncated = bool(self.games.cut_off[0])
        if self._over:
            ended = self.games.ended
            info |= {"win": float(ended.win[0]), "margin": float(ended.margin[0]), "cut_off": truncated}
        if self.render_mode == "human":
            self.render()
        return self._view.one(), float(self.games.rewards[0]), self._over and not truncated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal now, none once the game is over: bool, (NUM_ACTIONS,), a new array."""
        return self.games.masks[0].astype(np.bool_) & (not self._over)

    def render(self) -> Any:
        """Return the board as text ("ansi") or as pixels, uint8 (800, 1200, 3) ("rgb_array"), or print it ("human")."""
        if self.render_mode is None:
            return None
        games, s = self.games, self.games.states[0]
        names = [f"opponent {seat}" for seat in range(games.num_players)]
        names[games.learners[0]] = "learner"
        draw = board_pixels if self.render_mode == "rgb_array" else board_text
        position = write_position(s, games.setup.start(int(games.seeds[0])).villages)
        drawn = draw(position, names=names, outcome=outcome_of(s))
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None
