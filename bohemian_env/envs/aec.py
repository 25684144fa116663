"""The PettingZoo environment: agents act in turn, and an action is one whole move."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final, Unpack

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..compiled import njit
from ..errors import BadPosition, BadSetup, GameOver, brief
from ..game import rules
from ..game.actions import NUM_ACTIONS, Action
from ..game.board import is_whole
from ..game.check import checked_states
from ..game.game import Game
from ..game.moves import action_of_text, legal_actions, refusal, text_of_action, whole_action
from ..game.position import write_position
from ..game.record import Outcome, outcome_of, seeded_record
from ..game.setup import Setup, SetupOptions, Start, check_seed
from ..game.state import Seat, State, copy_states, new_states, read_only
from ..render.pixels import board_pixels, check_renderer
from ..render.svg import board_svg
from ..render.text import board_text
from .advice import adviser_of
from .dealing import any_seed, check_names, common_array, deal_game
from .observe import observation_space, see
from .reward import write_rewards_of_first

__all__ = ["NAME", "env", "raw_env"]

NAME: Final = "bohemian_villages_v0"
_ENDED, _ILLEGAL = -1, -2
_BOOKKEEPING: Final = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
"""The attributes that PettingZoo keeps beside the game."""
_KEPT: Final = (
    ("rewards", (int, float, np.number), "a number"),
    ("_cumulative_rewards", (int, float, np.number), "a number"),
    ("terminations", (bool, np.bool_), "a truth"),
    ("truncations", (bool, np.bool_), "a truth"),
    ("infos", dict, "a dictionary"),
)
"""The attributes that have an entry for each agent, and what the entries are."""


class EnvOptions(SetupOptions, total=False):
    """The parameters of the environment that are given as keywords."""

    reward: str
    advice: bool | str
    render_mode: str | None


@njit
def _deal(states: np.ndarray, seed: int, common: np.ndarray) -> Seat:
    deal_game(states[0], np.uint64(seed), common[0])
    return states[0]["to_move"]


@njit
def _step(states: np.ndarray, seed: int, action: Action) -> int:
    """Carry out an action and roll for the next decision. Return who decides, _ENDED, or (unchanged) _ILLEGAL."""
    s = states[0]
    if not (0 <= action < NUM_ACTIONS and rules.is_legal(s, action)):
        return _ILLEGAL
    rules.push(s, action)
    rules.deal_seeded(s, np.uint64(seed))
    return s["to_move"] if s["end"] == 0 else _ENDED


@njit
def _replay(states: np.ndarray, seed: int, common: np.ndarray, actions: np.ndarray) -> bool:
    """Play the game of a seed up to the end of ``actions``, int64 (m,); return whether all of them are legal."""
    _deal(states, seed, common)
    for action in actions:  # noqa: SIM110 - numba knows no generators
        if _step(states, seed, action) == _ILLEGAL:
            return False
    return True


def env(
    num_players: int | Setup = 2, villages: str | Sequence[str] = "random", **options: Unpack[EnvOptions]
) -> AECEnv:
    """Return the environment in PettingZoo's usual wrappers, with the parameters of :class:`raw_env`.

    An illegal action ends the game with −1 for whoever took it; actions outside the space and calls out of order are
    refused.
    """
    wrapped: AECEnv = raw_env(num_players, villages, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name
    """Bohemian Villages for 2 to 5 agents ``player_0``, ``player_1``, …: the environment without wrappers.

    An action is one whole move; the same agent acts again while its turn goes on. An observation is a dictionary:
    ``"observation"``, int8 (OBSERVATION_SIZE,), as seen from the agent's own seat, and ``"action_mask"``, int8
    (NUM_ACTIONS,), all 0 unless the agent is to act. docs/env.md describes both. All arrays returned are the
    caller's to keep.

    Args:
        num_players, villages, options: the parameters of :meth:`Setup.of`; num_players may be a :class:`Setup`.
        reward: ``"win"``, ``"margin"`` or ``"mixed"`` (``reward.REWARDS``).
        advice: who tells agents what it thinks, as ``"advice"``, float32 (ADVICE_SIZE,): ``"planner"`` (``True``) or
            ``"appraiser"``.
        render_mode: ``"ansi"``, ``"human"`` or ``"rgb_array"``, which needs the extra ``render``; None to draw
            nothing.

    Raises:
        BadSetup, BadBoard, OSError: as for :meth:`Setup.of`.
        MissingExtra: ``"rgb_array"`` without the extra ``render``.
    """

    metadata: dict[str, Any] = {
        "name": NAME,
        "is_parallelizable": False,
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        num_players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        *,
        reward: str = "win",
        advice: bool | str = False,
        render_mode: str | None = None,
        **options: Unpack[SetupOptions],
    ) -> None:
        super().__init__()
        if not (render_mode is None or (isinstance(render_mode, str) and render_mode in self.metadata["render_modes"])):
            raise BadSetup(f"render_mode {brief(render_mode)} is none of {', '.join(self.metadata['render_modes'])}")
        if render_mode == "rgb_array":
            check_renderer()
        self.render_mode = render_mode
        self.setup = Setup.of(num_players, villages, **options)
        """The set-up of its games."""
        self._adviser = adviser_of(advice)
        self._reward = reward
        self._common = common_array(self.setup, reward)
        self._states = self.setup.start(0).new_state()
        self._seed: int | None = None
        self._begun: Start | None = None
        self._actions: list[Action] = []
        self.possible_agents = list(self.setup.agents)
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = observation_space(bool(self._adviser))
        self.state_space = space["observation"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the observation space, which is the same for every agent and number of players.

        Raises BadSetup if there is no such agent.
        """
        try:
            return self.observation_spaces[agent]
        except (KeyError, TypeError):
            raise self._no_agent(agent) from None

    def action_space(self, agent: str) -> spaces.Space:
        """Return the action space, ``Discrete(NUM_ACTIONS)``. Raises BadSetup if there is no such agent."""
        try:
            return self.action_spaces[agent]
        except (KeyError, TypeError):
            raise self._no_agent(agent) from None

    def _no_agent(self, agent: object) -> BadSetup:
        return BadSetup(f"agent {brief(agent)} is none of {', '.join(self.possible_agents)}")

    # --- play ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 to 2**63 - 1; the dice and the drawn villages follow from it. None takes the ``rules.next_seed`` of
                the game before, as ``Batch`` does, or any seed for the first game.
            options: ignored.

        Raises:
            BadSetup: the seed is not such.
        """
        if seed is None:
            seed = any_seed() if self._seed is None else int(rules.next_seed(np.uint64(self._seed)))
        self._seed = check_seed(seed)
        self._begun = None
        self._actions = []
        seat = _deal(self._states, self._seed, self._common)
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

    @property
    def start(self) -> Start:
        """The beginning of the present game. Raises GameOver before the first reset."""
        if self._begun is None:
            self._check_begun()
            self._begun = self.setup.start(self._seed)
        return self._begun

    def _check_begun(self) -> None:
        if self._seed is None:
            raise GameOver("there is no game yet; call reset() first")

    def step(self, action: Action | None) -> None:
        """Carry out an action of the selected agent and roll for the next decision.

        Raises:
            IllegalMove: the action is not legal here; nothing has changed.
            GameOver: there was no reset, or all agents have left the game.
        """
        if not self.agents:
            raise GameOver("the game is over and every agent has left it; call reset() to begin another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action.__class__ is not int:
            action = whole_action(action)
        seat = _ILLEGAL
        if 0 <= action < NUM_ACTIONS:
            seat = _step(self._states, self._seed, action)  # type: ignore[arg-type] # reset has set the seed
        if seat == _ILLEGAL:
            raise refusal(self._states[0], action, self._villages())
        self._actions.append(action)
        if seat == _ENDED:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        """Hand out the rewards, the only ones of the game; all agents finish in the same step."""
        rewards = np.zeros(len(self.possible_agents), np.float32)
        number = self._common["reward"][0]
        write_rewards_of_first(self._states, number, rewards, np.zeros(len(rewards), np.int32))
        truncated = bool(self._states["end"][0] == rules.TRUNCATED)
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[agent] = float(reward)
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what ``agent`` sees, in new arrays.

        Raises:
            BadSetup: there is no such agent.
            GameOver: there was no reset.
        """
        try:
            seat = self._seats[agent]
        except (KeyError, TypeError):
            raise self._no_agent(agent) from None
        self._check_begun()
        return see(self._states, seat, self._adviser)

    def state(self) -> np.ndarray:
        """Return the whole position as ``player_0`` sees it, int8 (OBSERVATION_SIZE,); nothing is hidden.

        Raises:
            GameOver: there was no reset.
        """
        return self.observe(self.possible_agents[0])["observation"]

    # --- the game behind it ---

    @property
    def num_players(self) -> int:
        """The number of players."""
        return len(self.possible_agents)

    @property
    def states(self) -> np.ndarray:
        """The position as a record: shape (1,), dtype ``state.STATE``, read-only."""
        return read_only(self._states)

    @property
    def seed(self) -> int | None:
        """The seed of the present game; None before the first reset."""
        return self._seed

    def _villages(self) -> list[str]:
        return [village.name for village in self.start.villages]

    def game(self) -> Game:
        """Return the present game as a :class:`Game`, which does not change with the environment."""
        game = Game.begin(self.start)
        for action in self._actions:
            while game.needs_roll:
                game = game.roll()
            game = game.push(action)
        while game.needs_roll:
            game = game.roll()
        return game

    def state_dict(self) -> dict[str, Any]:
        """Return the position as JSON (docs/rules.md), in plain Python types."""
        return write_position(self._states[0], self.start.villages)

    def record(self) -> dict[str, Any]:
        """Return the game record so far (docs/rules.md)."""
        return seeded_record(self.start, self._actions)

    def outcome(self) -> Outcome | None:
        """Return how the game ended, with its scoring; None while it goes on."""
        return outcome_of(self._states[0])

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the selected agent, ascending. Raises GameOver before the first reset."""
        self._check_begun()
        return legal_actions(self._states[0])

    def action_to_text(self, action: Action) -> str:
        """Return the move text that ``action`` means here, legal or not. Raises IllegalMove if it means nothing."""
        return text_of_action(self._states[0], action, self._villages())

    def text_to_action(self, text: str) -> Action:
        """Return the action of a legal move text.

        Raises:
            BadNotation: the text is not a move text.
            IllegalMove: the rules do not allow it here.
            GameOver: the game has ended or has not begun.
        """
        return action_of_text(self._states[0], text, self._villages())

    def get_state(self) -> dict[str, Any]:
        """Return everything about the game at this moment, as copies, for :meth:`set_state`."""
        return {
            "env": NAME,
            "start": self.start,
            "position": copy_states(self._states),
            "actions": list(self._actions),
            "agent_selection": self.agent_selection,
            **{name: copy.deepcopy(getattr(self, name)) for name in _BOOKKEEPING},
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a moment from :meth:`get_state`, of this environment or of one with the same set-up, whose rewards
        it then shows until the next reset.

        In a wrapped environment call ``last()`` again before ``step``: PettingZoo's wrapper keeps the mask of the
        observation that it saw last.

        Raises:
            BadSetup: it is not such a state, or it is from an environment with another set-up.
        """
        if not isinstance(state, dict) or type(env := state.get("env")) is not str or env != NAME:
            raise BadSetup(f"not a state of {NAME}, as get_state() gives it: {type(state).__name__}")
        for name in ("start", "position", "actions", "agent_selection", *_BOOKKEEPING):
            if name not in state:
                raise BadSetup(f"{name}: missing in the state")
        start = self._checked_start(state["start"])
        states, actions = self._checked_game(start, state["position"], state["actions"])
        selected = state["agent_selection"]
        kept = copy.deepcopy({name: state[name] for name in _BOOKKEEPING})
        self._check_agents(states[0], selected, kept)
        self._begun, self._seed = start, start.seed
        self._states[:] = states
        self._actions = actions
        self.agent_selection = selected
        self._skip_agent_selection = None
        for name, value in kept.items():
            setattr(self, name, value)

    def _checked_start(self, start: object) -> Start:
        if not isinstance(start, Start):
            raise BadSetup(f"start: {type(start).__name__} is not the beginning of a game")
        if start.setup != self.setup:
            raise BadSetup("the state is of an environment with another board, other villages, players or parameters")
        if start.names != self.setup.agents:
            raise BadSetup(f"start: names {start.names} are not those of the agents, {self.setup.agents}")
        return start

    def _checked_game(self, start: Start, position: object, actions: object) -> tuple[np.ndarray, list[Action]]:
        """Return the position to which the actions of a state lead, which must be the one in it, and the actions."""
        if not isinstance(actions, list | tuple) or not all(is_whole(a, 0, NUM_ACTIONS - 1) for a in actions):
            raise BadSetup(f"actions: {brief(actions)} is not a list of numbers from 0 to {NUM_ACTIONS - 1}")
        seed, states = check_seed(start.seed), new_states(1)
        legal = _replay(states, seed, self._common, np.array(actions, np.int64))
        alike = isinstance(position, np.ndarray) and (position.shape, position.dtype) == (states.shape, states.dtype)
        if not legal or not alike or position.tobytes() != states.tobytes():  # type: ignore[attr-defined]
            try:
                checked_states(position)
            except BadPosition as error:
                raise BadSetup(f"position: {error}") from None
            raise BadSetup(f"position: not the one to which these actions lead in the game of seed {seed}")
        return states, [int(action) for action in actions]

    def _check_agents(self, s: State, selected: object, kept: dict[str, Any]) -> None:
        """Check what PettingZoo keeps: one entry for each agent left, and all of them in the game or none."""
        agents = kept["agents"]
        listed = type(agents) is list and all(type(agent) is str for agent in agents)
        left = [agent for agent in self.possible_agents if listed and agent in agents]
        if not listed or agents != left:
            raise BadSetup(f"agents: {brief(agents)} is not a list of {', '.join(self.possible_agents)}, in this order")
        for name, kinds, what in _KEPT:
            entries = kept[name]
            fits = type(entries) is dict and {*entries} == {*left}
            if not fits or not all(isinstance(entry, kinds) for entry in entries.values()):
                raise BadSetup(f"{name}: {brief(entries)} has not {what} for each of {left}")
        done = {kept["terminations"][agent] or kept["truncations"][agent] for agent in left}
        going = left == self.possible_agents and done == {False}
        if s["end"] != 0 if going else left and done != {True}:
            raise BadSetup(f"terminations, truncations: {done} for {left} does not go with the position")
        able = [self.possible_agents[s["to_move"]]] if going else left or self.possible_agents
        if type(selected) is not str or selected not in able:
            raise BadSetup(f"agent_selection: {brief(selected)} is not {' or '.join(able)}")

    def __getstate__(self) -> dict[str, Any]:
        """Return what an equal environment is made from: it is pickled and copied as that, and checked afterwards."""
        options = {"reward": self._reward, "advice": self._adviser or False, "render_mode": self.render_mode}
        return {"setup": self.setup, "options": options, "game": None if self._seed is None else self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or {*state} != {"setup", "options", "game"}:
            raise BadSetup("not the state of a pickled environment")
        if not isinstance(state["setup"], Setup):
            raise BadSetup(f"setup: {type(state['setup']).__name__} is not a Setup")
        check_names("options", state["options"], ("reward", "advice", "render_mode"))
        raw_env.__init__(self, state["setup"], **state["options"])
        if state["game"] is not None:
            self.set_state(state["game"])

    def render(self) -> str | np.ndarray | None:
        """Return the board as text ("ansi") or as pixels, uint8 (800, 1200, 3) ("rgb_array"), or print it ("human")."""
        if self.render_mode is None:
            return None
        draw = board_pixels if self.render_mode == "rgb_array" else board_text
        drawn = draw(self.state_dict(), names=self.possible_agents, outcome=self.outcome())
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None

    def _repr_svg_(self) -> str | None:
        """Return the drawing for notebooks; None before the first reset."""
        if self._seed is None:
            return None
        return board_svg(self.state_dict(), names=self.possible_agents, outcome=self.outcome())

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
