"""One game as a Gymnasium environment, as ``gymnasium.make`` makes it: one seat learns."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from .checks import check_seed, check_truth, is_truth, whole_action
from .contract import Action
from .errors import BadSetup, GameOver, IllegalMove, brief
from .pixels import RENDER_MODES, check_render_mode, rendered
from .self_play import Opponent, SelfPlay, games_of
from .view import Behind, View

ILLEGAL: Final = {
    "raise": "it is refused, and nothing changes",
    "end": "the game is over, with the worst reward, −1",
    "random": "any legal action is taken instead, each as likely as any other",
}
"""What may become of an illegal action, by name."""


class SingleEnv(Behind, gymnasium.Env):
    """One seat of one game learns; opponents play the others inside the step.

    An observation is the dictionary of the PettingZoo environment; with ``flat=True`` there is no mask in it, and the
    observation is one array where there is no advice; :meth:`action_masks` has the mask. A game that is cut off is
    truncated, and scored as it stands, so its reward is final. The info at the end of a game has ``cut_off``,
    and of the learner ``win`` and ``margin`` among rivals, else ``total``; that of an illegal action has ``illegal``.

    The learner's seat follows from the seed of the game, as the rest does: it is seed modulo players. Without a seed a
    game has one from the environment's generator.

    Args:
        opponents, shares: what plays the other seats, as for :class:`SelfPlay`.
        illegal: what becomes of an illegal action, a name of :data:`ILLEGAL`.
        flat: whether observations are without the mask.
        normalized: whether they are float32, each entry divided by the scale of its part.
        render_mode: as for the PettingZoo environment.
        parameters: those of :class:`SelfPlay` but ``seed``.

    Raises:
        BadSetup: a parameter is not as above, or not as for :class:`SelfPlay`.
        TypeError: there is no such parameter.
        MissingExtra: ``"rgb_array"`` without the extra ``render``.
    """

    self_play: ClassVar[type[SelfPlay]]
    """The class of the game behind it."""
    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 2}

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
        check_render_mode(render_mode)
        check_truth("flat", flat)
        self.render_mode = render_mode
        if "seed" in parameters:
            raise TypeError(f"{type(self).__name__} has no parameter 'seed'; give it to reset()")
        self.games = games_of(self, 1, opponents, parameters, shares, autoreset=False)
        self._illegal = illegal
        self._view = View(self.games, mask=not flat, normalized=normalized)
        self._over = True
        self.observation_space = self._view.space
        self.action_space = spaces.Discrete(self.games.rules.sizes[1])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game, and go on to the learner's first decision.

        Args:
            seed: 0 to 2**63 - 1; all that chance brings follows from it.
            options: ``{"position": JSON}`` begins at a position in which somebody decides, whose seat is the learner's.

        Raises:
            BadSetup: the seed or an option is another one.
            BadPosition: it is no such position.
        """
        options = {} if options is None else options
        if not isinstance(options, dict) or options.keys() - {"position"}:
            raise BadSetup(f"options {brief(options)}: there is only 'position'")
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        if "position" in options:
            states, pieces = self.games.rules.read_position(options["position"])
            self.games.begin_at(0, states, seed, pieces)
        else:
            self.games.reset(seed, first_seat=seed % self.games.num_players)
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._view.now(0), {}

    def step(self, action: Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and go on to its next decision.

        Raises:
            IllegalMove: the action is not legal, and ``illegal`` is ``"raise"``; or it is no whole number. Nothing has
                changed.
            GameOver: the game has ended, or none has begun.
        """
        if self._over:
            raise GameOver("the game is over; call reset() to begin another")
        masks = self.games.masks[0]
        action = whole_action(action, len(masks))
        legal = 0 <= action < len(masks) and bool(masks[action])
        if not legal and self._illegal == "raise":
            refused = self.games.rules.refusal(self.games.states[0], action, self.games.pieces_of(0))
            raise IllegalMove(refused.move, f'{refused.reason}; illegal="end" or "random" takes any action')
        info: dict[str, Any] = {} if legal else {"illegal": True}
        if not legal and self._illegal == "end":
            self._over = True
            margin = self.games.margin(0)
            info |= {"win": 0.0, "margin": margin} if self.games.rivals else {"total": int(margin)}
            info["cut_off"] = False
            shown = self._view.now(0)
            if isinstance(shown, dict) and "action_mask" in shown:
                shown["action_mask"][:] = 0
            return shown, -1.0, True, False, info
        self.games.step([action if legal else int(self.np_random.choice(np.flatnonzero(masks)))])
        self._over = bool(self.games.dones[0])
        truncated = bool(self.games.cut_off[0])
        if self._over:
            info |= {name: values[0].item() for name, values in self.games.told().items()}
        if self.render_mode == "human":
            self.render()
        return self._view.now(0), float(self.games.rewards[0]), self._over and not truncated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal now, none once the game is over: bool, (NUM_ACTIONS,), a new array."""
        return self.games.masks[0].astype(np.bool_) & (not self._over)

    def get_state(self) -> dict[str, Any]:
        """Return everything about the game at this moment, as copies, for :meth:`set_state`."""
        return {"games": self.games.get_state(), "over": self._over}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a moment from :meth:`get_state`, of this environment or of one with the same parameters.

        Raises BadSetup or BadPosition if it is no such state.
        """
        if not isinstance(state, dict) or {*state} != {"games", "over"} or not is_truth(state["over"]):
            raise BadSetup(f"not a state of {type(self).__name__}, as get_state() gives it: {type(state).__name__}")
        self.games.set_state(state["games"])
        self._over = bool(state["over"])

    def render(self) -> Any:
        """Return the game as text ("ansi") or as pixels, uint8 (height, width, 3) ("rgb_array"); "human" prints it."""
        names = [f"opponent {seat}" for seat in range(self.games.num_players)]
        names[self.games.learners[0]] = "learner"
        return rendered(self, names)
