"""The PettingZoo environment: agents in turn, an action is one whole move of the notation."""

from __future__ import annotations

import copy
import operator
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..compiled import njit
from ..errors import BadSetup, GameOver, IllegalMove
from ..game import rules
from ..game.actions import NUM_ACTIONS
from ..game.board import Board
from ..game.dice import DICE
from ..game.game import DEFAULT_MAX_TURNS, MAX_SEED, Outcome, make_setting
from ..game.moves import action_of, legal_actions, move_of, why_illegal
from ..game.notation import format_move, parse_move
from ..game.position import write_position
from ..game.record import Setting, final_scoring, seeded_record, winning_seats
from ..game.state import ENDS, copy_states
from ..render.pixels import board_pixels, check_renderer
from ..render.svg import board_svg
from ..render.text import board_text
from .batch import deal_game, setting_array
from .observation import OBSERVATION_SIZE, high_values, low_values, write_mask, write_observation
from .reward import write_rewards

__all__ = ["NAME", "env", "raw_env"]

NAME: Final = "bohemian_villages_v0"
_INT8: Final = np.dtype(np.int8)
_ENDED, _ILLEGAL = -1, -2
_BOOKKEEPING: Final = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
"""What PettingZoo keeps beside the game."""


@njit
def _deal(states: Any, seed: Any, setting: Any, board: Any) -> Any:
    deal_game(states[0], np.uint64(seed), setting[0], board[0])
    return states[0]["to_move"]


@njit
def _step(states: Any, seed: Any, action: Any) -> Any:
    """Carry out an action and roll for the next decision: the seat that decides, _ENDED, or _ILLEGAL and no change."""
    s = states[0]
    if not (0 <= action < NUM_ACTIONS and rules.is_legal(s, action)):
        return _ILLEGAL
    rules.push(s, action)
    rules.deal_seeded(s, np.uint64(seed))
    return s["to_move"] if s["end"] == 0 else _ENDED


@njit
def _observe(states: Any, seat: Any, observation: Any, mask: Any) -> None:
    """Write what ``seat`` sees, and its mask: all 0 for a seat that does not decide."""
    s = states[0]
    write_observation(s, seat, observation)
    if s["to_move"] == seat:
        write_mask(s, mask)
    else:
        mask[:] = 0


@njit
def _reward(states: Any, reward: Any, rewards: Any, totals: Any) -> None:
    write_rewards(states[0], reward, rewards, totals)


def env(
    num_players: int = 2,
    villages: str | Sequence[str] = "random",
    *,
    board: Board | str | Path | None = None,
    coin_supply: int | None = None,
    special_action_tiles: int | None = None,
    max_turns: int | None = DEFAULT_MAX_TURNS,
    reward: str = "win",
    render_mode: str | None = None,
) -> AECEnv:
    """The environment in PettingZoo's usual wrappers: an illegal action ends the game with −1 for who took it, an
    action outside the space is refused, and calls out of order are.

    Args are those of :class:`raw_env`.
    """
    wrapped: AECEnv = raw_env(
        num_players,
        villages,
        board=board,
        coin_supply=coin_supply,
        special_action_tiles=special_action_tiles,
        max_turns=max_turns,
        reward=reward,
        render_mode=render_mode,
    )
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name
    """Bohemian Villages for 2 to 5 agents ``player_0``, ``player_1``, …: the environment without wrappers.

    An action is one whole move; the same agent acts again while its turn goes on. An observation is a dictionary:
    ``"observation"``, int8 (OBSERVATION_SIZE,), seen from the agent's own seat, and ``"action_mask"``, int8
    (NUM_ACTIONS,), all 0 for an agent that is not to act. docs/env.md describes both. Arrays given out are the
    caller's to keep.

    Args:
        num_players: 2 to 5.
        villages: ``"random"`` draws a side of every tile from the seed of each game; or names of villages, exactly
            one side of each tile that R1 keeps.
        board: a board, or the path of a board file; the shipped board by default.
        coin_supply: 1 to 9,999 coins in the bank (R23); the board's, 300, by default.
        special_action_tiles: 0 to 99; the board's, 7, by default.
        max_turns: turns, counted over all seats, after which the game is truncated (R24); None for no limit.
        reward: ``"win"``, ``"margin"`` or ``"mixed"`` (``reward.REWARDS``).
        render_mode: ``"ansi"``, ``"human"`` or ``"rgb_array"``, which needs the extra ``render``; None to draw
            nothing.

    Raises:
        BadSetup: a parameter is not as above. BadBoard: the board file is not one. MissingExtra: ``"rgb_array"``
            without the extra ``render``.
    """

    metadata: dict[str, Any] = {
        "name": NAME,
        "is_parallelizable": False,
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        num_players: int = 2,
        villages: str | Sequence[str] = "random",
        *,
        board: Board | str | Path | None = None,
        coin_supply: int | None = None,
        special_action_tiles: int | None = None,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise BadSetup(f"render_mode {render_mode!r} is none of {', '.join(self.metadata['render_modes'])}")
        if render_mode == "rgb_array":
            check_renderer()
        self.render_mode = render_mode
        template = make_setting(
            num_players,
            villages,
            seed=0,
            board=board,
            coin_supply=coin_supply,
            special_action_tiles=special_action_tiles,
            max_turns=max_turns,
        )
        self._setting = template
        self._named = not isinstance(villages, str)
        self._common = setting_array(template, self._named, reward)
        self._board = template.board.tables
        self._states = template.new_state()
        self._seed: int | None = None
        self._actions: list[int] = []
        self.possible_agents = list(template.names)
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {
                "observation": spaces.Box(low_values(), high_values(), dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )
        self.state_space = space["observation"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """The observation space, the same for every agent and number of players."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The action space: ``Discrete(NUM_ACTIONS)``."""
        return self.action_spaces[agent]

    # --- play ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 to 2**63 - 1: the dice and the drawn villages follow from it. None goes on from the seed of the
                game before by ``rules.next_seed``, as ``Batch`` does, or takes any seed at first.
            options: ignored.
        """
        if seed is None:
            seed = secrets.randbits(63) if self._seed is None else int(rules.next_seed(np.uint64(self._seed)))
        elif not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed <= MAX_SEED:
            raise BadSetup(f"seed {seed!r} is not a whole number from 0 to {MAX_SEED}")
        self._seed = int(seed)
        self._setting = self._setting_for(self._seed)
        self._actions = []
        seat = _deal(self._states, self._seed, self._common, self._board)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[seat]
        if self._states["end"][0]:  # a board on which nobody ever decides
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _setting_for(self, seed: int) -> Setting:
        sides = self._setting.sides if self._named else int(rules.draw_sides(np.uint64(seed)))
        return replace(self._setting, sides=sides, seed=seed)

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent selected, and roll for the next decision.

        Raises:
            IllegalMove: the action is not legal here; nothing has changed.
            GameOver: there has been no reset, or all agents have left the game.
        """
        if not self.agents:
            raise GameOver("the game is over and every agent has left it; call reset() to begin another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action.__class__ is not int:
            if action is None:
                raise IllegalMove("None", f"an agent in the game takes a whole number from 0 to {NUM_ACTIONS - 1}")
            action = operator.index(action)
        try:
            seat = _step(self._states, self._seed, action)
        except OverflowError:  # more than 64 bits
            seat = _ILLEGAL
        if seat >= 0:
            self._actions.append(action)
            self.agent_selection = self.possible_agents[seat]
        elif seat == _ILLEGAL:
            raise self._refusal(action)
        else:
            self._actions.append(action)
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        """Hand out the rewards, the only ones of the game; every agent ends in the same step."""
        rewards = np.zeros(len(self.possible_agents), np.float32)
        _reward(self._states, self._common["reward"][0], rewards, np.zeros(len(rewards), np.int32))
        truncated = bool(self._states["end"][0] == rules.TRUNCATED)
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[agent] = float(reward)
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self._accumulate_rewards()

    def _refusal(self, action: int) -> IllegalMove:
        s, names = self._states[0], [v.name for v in self._setting.villages]
        try:
            return why_illegal(s, move_of(action, DICE[s["dice"]], names), names)
        except IllegalMove as unnamed:
            return unnamed

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` sees: new arrays, the caller's to keep."""
        observation = np.empty(OBSERVATION_SIZE, _INT8)
        mask = np.empty(NUM_ACTIONS, _INT8)
        _observe(self._states, self._seats[agent], observation, mask)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> np.ndarray:
        """The whole position as ``player_0`` sees it: int8, (OBSERVATION_SIZE,); nothing is hidden in this game."""
        return self.observe(self.possible_agents[0])["observation"]

    # --- the game behind it ---

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.possible_agents)

    @property
    def states(self) -> np.ndarray:
        """The position as a record: shape (1,), dtype ``state.STATE``; not to be changed."""
        return self._states

    @property
    def seed(self) -> int | None:
        """Seed of the present game; None before the first reset."""
        return self._seed

    def _villages(self) -> list[str]:
        if self._seed is None:
            raise GameOver("there is no game yet; call reset() first")
        return [v.name for v in self._setting.villages]

    def state_dict(self) -> dict[str, Any]:
        """The position as JSON (docs/rules.md), plain Python types."""
        self._villages()
        return write_position(self._states[0], self._setting.villages)

    def record(self) -> dict[str, Any]:
        """The game record (docs/rules.md), also of a game under way."""
        self._villages()
        return seeded_record(self._setting, self._actions)

    def outcome(self) -> Outcome | None:
        """How the game ended, with its scoring; None while it goes on."""
        if not self._states["end"][0]:
            return None
        scoring = final_scoring(self._states[0])
        return Outcome(str(ENDS[self._states["end"][0]]), tuple(scoring), tuple(winning_seats(scoring)))

    def legal_actions(self) -> list[int]:
        """The legal actions of the agent selected, ascending."""
        return legal_actions(self._states[0])

    def action_to_text(self, action: int) -> str:
        """The move text that ``action`` means in the position at hand, legal or not.

        Raises:
            IllegalMove: it means nothing here: no such dice, village or number.
        """
        return format_move(move_of(int(action), DICE[self._states["dice"][0]], self._villages()))

    def text_to_action(self, text: str) -> int:
        """The action of a legal move text.

        Raises:
            BadNotation: the text is not a move text. IllegalMove: the rules do not allow it here.
        """
        names = self._villages()
        s = self._states[0]
        move = parse_move(text)
        if s["end"]:
            raise GameOver(f"{text!r}: the game is over")
        action = action_of(move, DICE[s["dice"]], names)
        if action is None or not rules.is_legal(s, action):
            raise why_illegal(s, move, names)
        return action

    def get_state(self) -> dict[str, Any]:
        """All of the game at this moment, with its record so far: copies, for :meth:`set_state`."""
        self._villages()
        return {
            "env": NAME,
            "setting": self._setting,
            "position": copy_states(self._states),
            "actions": list(self._actions),
            "agent_selection": self.agent_selection,
            **{name: copy.deepcopy(getattr(self, name)) for name in _BOOKKEEPING},
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go to a moment that :meth:`get_state` gave, of this environment or of one with the same parameters.

        In a wrapped environment call ``last()`` again before ``step``: PettingZoo's wrapper keeps the mask of the
        observation that it saw last.

        Raises:
            BadSetup: it is not such a state, or of an environment with other parameters.
        """
        if not isinstance(state, dict) or state.get("env") != NAME:
            raise BadSetup(f"not a state of {NAME}, as get_state() gives it: {type(state).__name__}")
        setting: Setting = state["setting"]
        if replace(setting, seed=0, sides=0) != replace(self._setting, seed=0, sides=0):
            raise BadSetup("the state is of an environment with another board, number of players, or other parameters")
        if self._named and setting.sides != self._setting.sides:
            raise BadSetup("the state is of other villages than those named for this environment")
        self._setting = setting
        self._seed = setting.seed
        self._states[:] = state["position"]
        self._actions = list(state["actions"])
        self.agent_selection = state["agent_selection"]
        self._skip_agent_selection = None
        for name in _BOOKKEEPING:
            setattr(self, name, copy.deepcopy(state[name]))

    def render(self) -> str | np.ndarray | None:
        """The board as text, returned for ``"ansi"`` and printed for ``"human"``, or for ``"rgb_array"`` as pixels:
        uint8, (800, 1200, 3), the caller's to keep.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return board_pixels(self.state_dict(), names=self.possible_agents)
        text = board_text(self.state_dict(), names=self.possible_agents)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _repr_svg_(self) -> str | None:
        """The drawing that notebooks show; None before the first reset."""
        return None if self._seed is None else board_svg(self.state_dict(), names=self.possible_agents)

    def close(self) -> None:
        """Nothing to close."""
