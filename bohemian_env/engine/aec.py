"""The PettingZoo environment: agents act in turn, and an action is one whole move."""

import copy
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .bound import loop
from .checks import any_seed, check_names, check_seed, is_whole, whole_action
from .contract import GROWTH, Action, Outcome, Rules, Seat, State, push
from .dealing import deal_game, deal_seeded, next_seed
from .errors import BadPosition, BadSetup, GameOver, NoRecord, brief
from .legal import is_legal, legal_actions
from .moves import action_of_text, text_of_action
from .observe import look_of, observation_space, see
from .pixels import RENDER_MODES, check_render_mode, rendered
from .reward import begin_rewards, new_scoring, replay_game, write_gains
from .states import copy_states, read_only

_ENDED, _ILLEGAL = -1, -2
_LARGEST: Final = 2**30 - 1  # of a whole number from outside: compiled code and floats hold it
_KEPT: Final = (
    ("rewards", (int, float, np.number), "a number"),
    ("_cumulative_rewards", (int, float, np.number), "a number"),
    ("terminations", (bool, np.bool_), "a truth"),
    ("truncations", (bool, np.bool_), "a truth"),
    ("infos", dict, "a dictionary"),
)
"""The attributes that PettingZoo keeps with an entry for each agent, and what the entries are."""
_BOOKKEEPING: Final = ("agents", *(name for name, _, _ in _KEPT))  # all that it keeps beside the game


@loop
def _deal(states: np.ndarray, seed: int, common: np.ndarray, kind: int, before: np.ndarray, totals: np.ndarray) -> Seat:
    deal_game(states[0], np.uint64(seed), common[0])
    begin_rewards(states[0], kind, before, totals, new_scoring())
    return states[0]["to_move"]


@loop
def _step(states: np.ndarray, seed: int, action: Action) -> int:
    """Carry out an action and go on to the next decision. Return who decides, _ENDED, or (unchanged) _ILLEGAL."""
    s = states[0]
    if not is_legal(s, action):
        return _ILLEGAL
    push(s, action)
    deal_seeded(s, np.uint64(seed))
    return s["to_move"] if s["end"] == 0 else _ENDED


@loop
def _gain(
    states: np.ndarray, kind: int, rewards: np.ndarray, before: np.ndarray, totals: np.ndarray, scoring: np.ndarray
) -> None:
    """Do what ``write_gains`` does: plain Python passes an array in a tenth of the time that it takes for a record."""
    write_gains(states[0], kind, before, rewards, totals, scoring)


class TableEnv(AECEnv):
    """A game for agents ``player_0``, ``player_1``, …: the environment without wrappers.

    An action is one whole move or decision; the same agent acts again while its turn goes on. An observation is a
    dictionary: ``"observation"``, int8, as seen from the agent's own seat, with the game's parts; ``"action_mask"``,
    int8 (NUM_ACTIONS,), all 0 unless the agent is to act; and on request ``"advice"``, float32. All arrays returned are
    the caller's to keep.

    Args:
        setup, options: the parameters of the game's set-up, the number of players first; or a set-up.
        reward: the name of a reward of the game; by default its first.
        advice: who tells agents what it thinks: the name of one of the game's advisers, or True for the first.
        render_mode: ``"ansi"``, ``"human"`` or ``"rgb_array"``, which needs the extra ``render``; None to draw
            nothing.

    Raises:
        BadSetup: a parameter is not as above, and what else the game's set-up raises.
        MissingExtra: ``"rgb_array"`` without the extra ``render``.
    """

    rules: ClassVar[Rules]
    """The game."""
    metadata: dict[str, Any] = {"is_parallelizable": False, "render_modes": [*RENDER_MODES], "render_fps": 2}

    def __init__(
        self,
        *setup: Any,
        reward: str | None = None,
        advice: bool | str = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        rules = self.rules
        self.render_mode = render_mode
        self.setup: Any = rules.setup(*setup, **options)
        """The set-up of its games."""
        self._adviser = rules.adviser(advice)
        self._reward, self._kind = rules.reward(reward, self.num_players)
        self._common = self.setup.common()
        self._states = self.setup.start(0).new_state()
        # Python finds the attributes of an object more quickly as long as there are no more than 30, with PettingZoo's.
        totals, scoring = np.zeros(self.setup.players, np.int32), rules.compiled(new_scoring)()
        self._room = np.zeros(self.setup.players, np.float32), totals, scoring  # the first: what rewards count from
        self._carry_out, self._look = rules.compiled(_step), look_of(rules)
        self._pieces: Any = None  # of a game that was begun at a position
        self.seed: int | None = None
        """The seed of the present game; None before the first reset."""
        self._begun: Any = None
        self._actions: list[Action] = []
        self.possible_agents = list(self.setup.agents)
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = observation_space(rules, bool(self._adviser))
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(rules.sizes[1]) for agent in self.possible_agents}

    @classmethod
    def wrapped(cls, *setup: Any, **options: Any) -> AECEnv:
        """Return the environment in PettingZoo's usual wrappers, with the parameters of the class.

        An illegal action ends the game with −1 for whoever took it; actions outside the space and calls out of order
        are refused.
        """
        env: AECEnv = wrappers.TerminateIllegalWrapper(cls(*setup, **options), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the observation space, which is the same for every agent and number of players.

        Raises BadSetup if there is no such agent.
        """
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Return the action space, ``Discrete(NUM_ACTIONS)``. Raises BadSetup if there is no such agent."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    @property
    def num_players(self) -> int:
        """The number of players."""
        return int(self.setup.players)

    @property
    def states(self) -> np.ndarray:
        """The position as a record: shape (1,), dtype ``rules.state``, read-only."""
        return read_only(self._states)

    @property
    def state_space(self) -> spaces.Space:
        """The space of :meth:`state`."""
        return self.observation_spaces[self.possible_agents[0]]["observation"]

    def _seat_of(self, agent: str) -> Seat:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise BadSetup(f"agent {brief(agent)} is none of {', '.join(self.possible_agents)}") from None

    # --- play ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 to 2**63 - 1; all that chance brings follows from it. None takes the ``next_seed`` of the game
                before, as ``Batch`` does, or any seed for the first game.
            options: ``{"position": JSON}`` begins at a position in which somebody decides; others are ignored.

        Raises:
            BadSetup: the seed is not such.
            BadPosition: it is no such position.
        """
        if seed is None:
            seed = any_seed() if self.seed is None else int(next_seed(np.uint64(self.seed)))
        position = options.get("position") if isinstance(options, dict) else None
        given = None if position is None else self._checked_position(position)
        self.seed = check_seed(seed)
        self._begun, self._actions = None, []
        deal = self.rules.compiled(_deal)
        seat = deal(self._states, self.seed, self._common, self._kind, *self._room[:2])
        self._pieces = None
        if given is not None:
            (self._states[:], self._pieces), seat = given, int(given[0][0]["to_move"])
            self._count_from_here(self._states, self._room[0])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[seat]
        if self._states["end"][0]:  # a game in which nobody ever decides
            self._hand_out(True)
        if self.render_mode == "human":
            self.render()

    def _count_from_here(self, states: np.ndarray, before: np.ndarray) -> None:
        """Write the potentials from which rewards count where a game begins at a position."""
        self.rules.compiled(begin_rewards)(states[0], self._kind, before, *self._room[1:])

    def _checked_position(self, position: Any) -> tuple[np.ndarray, Any]:
        states, pieces = self.rules.read_position(position)
        s = states[0]
        if s["players"] != self.num_players or s["end"] or s["pending"]:
            raise BadPosition(f"expected a position of {self.num_players} players in which somebody decides")
        return states, pieces

    @property
    def start(self) -> Any:
        """The beginning of the present game. Raises GameOver before the first reset."""
        if self._begun is None:
            self._check_begun()
            self._begun = self.setup.start(self.seed)
        return self._begun

    def _pieces_now(self) -> Any:
        return self.start.pieces if self._pieces is None else self._pieces

    def _check_begun(self) -> None:
        if self.seed is None:
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
            action = whole_action(action, self.rules.sizes[1])
        seat = _ILLEGAL
        if 0 <= action <= _LARGEST:  # else no int of compiled code may hold it
            seat = self._carry_out(self._states, self.seed or 0, action)
        if seat == _ILLEGAL:
            raise self.rules.refusal(self._states[0], action, self._pieces_now())
        self._actions.append(action)
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        if seat < 0 or self._kind == GROWTH:
            self._cumulative_rewards[agent] = 0.0
            self._hand_out(seat == _ENDED)
        if self.render_mode == "human":
            self.render()

    def _hand_out(self, over: bool) -> None:
        """Hand out the rewards of an action; where the game is over, all agents finish in the same step."""
        rewards = np.zeros(len(self.possible_agents), np.float32)
        self.rules.compiled(_gain)(self._states, self._kind, rewards, *self._room)
        truncated = bool(self._states["end"][0] == self.rules.verbs.TRUNCATED)
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[agent] = float(reward)
            if over:
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
            seat = self._seat_of(agent)  # which refuses it
        if self.seed is None:
            self._check_begun()
        return see(self.rules, self._states, seat, self._adviser, self._look)

    def state(self) -> np.ndarray:
        """Return the whole position as ``player_0`` sees it, int8; nothing but what chance will bring is hidden. Raises
        GameOver: there was no reset.
        """
        return self.observe(self.possible_agents[0])["observation"]

    # --- the game behind it ---

    def game(self) -> Any:
        """Return the present game as a ``Game``, which does not change with the environment."""
        if self._pieces is not None:
            return self.rules.game.at(self._states, self._pieces)
        return self.rules.game.seeded(self.start, self._actions)

    def state_dict(self) -> dict[str, Any]:
        """Return the position as JSON, in plain Python types."""
        return self.rules.write_position(self._states[0], self._pieces_now())

    def record(self) -> dict[str, Any]:
        """Return the game record so far. Raises NoRecord if the game was begun at a position."""
        if self._pieces is not None:
            raise NoRecord("this game was begun at a position, so how it began is not known")
        record: dict[str, Any] = self.game().record()
        return record

    def outcome(self) -> Outcome | None:
        """Return how the game ended, with its scoring; None while it goes on."""
        return self.rules.outcome(self._states[0])

    def legal_actions(self) -> list[Action]:
        """Return the legal actions of the selected agent, ascending. Raises GameOver before the first reset."""
        self._check_begun()
        return legal_actions(self._states[0])

    def action_to_text(self, action: Action) -> str:
        """Return the move text that ``action`` means here, legal or not. Raises IllegalMove if it means nothing."""
        return text_of_action(self.rules, self._states[0], action, self._pieces_now())

    def text_to_action(self, text: str) -> Action:
        """Return the action of a legal move text.

        Raises:
            BadNotation: the text is not a move text.
            IllegalMove: the rules do not allow it here.
            GameOver: the game has ended or has not begun.
        """
        return action_of_text(self.rules, self._states[0], text, self._pieces_now())

    def get_state(self) -> dict[str, Any]:
        """Return everything about the game at this moment, as copies, for :meth:`set_state`."""
        return {
            "env": self.rules.env_name,
            "start": self.start,
            "position": copy_states(self._states),
            **({} if self._pieces is None else {"pieces": self._pieces}),
            "actions": list(self._actions),
            "agent_selection": self.agent_selection,
            **{name: copy.deepcopy(getattr(self, name)) for name in _BOOKKEEPING},
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a moment from :meth:`get_state`, of this environment or of one with the same set-up, whose rewards
        it then shows until the next reset.

        In a wrapped environment call ``last()`` again before ``step``: PettingZoo's wrapper keeps the mask of the
        observation that it saw last. Raises BadSetup: it is not such a state, or it is from an environment with another
        set-up.
        """
        name = self.rules.env_name
        if not isinstance(state, dict) or type(env := state.get("env")) is not str or env != name:
            raise BadSetup(f"not a state of {name}, as get_state() gives it: {type(state).__name__}")
        for name in ("start", "position", "actions", "agent_selection", *_BOOKKEEPING):
            if name not in state:
                raise BadSetup(f"{name}: missing in the state")
        start = self._checked_start(state["start"])
        states, actions, before = self._checked_game(start, state)
        selected = state["agent_selection"]
        kept = copy.deepcopy({name: state[name] for name in _BOOKKEEPING})
        self._check_agents(states[0], selected, kept)
        self._begun, self.seed = start, start.seed
        self._states[:], self._room[0][:] = states, before
        self._actions = actions
        self._pieces = state.get("pieces")
        self.agent_selection = selected
        self._skip_agent_selection = None
        for name, value in kept.items():
            setattr(self, name, value)

    def _checked_start(self, start: Any) -> Any:
        if not isinstance(start, self.rules.start):
            raise BadSetup(f"start: {type(start).__name__} is not the beginning of a game")
        if start.setup != self.setup:
            raise BadSetup("the state is of an environment with another set-up: other players or parameters")
        if start.names != self.setup.agents:
            raise BadSetup(f"start: names {start.names} are not those of the agents, {self.setup.agents}")
        return start

    def _checked_game(self, start: Any, state: dict[str, Any]) -> tuple[np.ndarray, list[Action], np.ndarray]:
        """Return the position to which the actions of a state lead, which must be the one in it, the actions, and from
        which potentials rewards count. Where it was begun at a position, its own is taken, once it is checked.
        """
        rules, position, actions, last = self.rules, state["position"], state["actions"], self.rules.sizes[1] - 1
        if not isinstance(actions, list | tuple) or not all(is_whole(a, 0, last) for a in actions):
            raise BadSetup(f"actions: {brief(actions)} is not a list of numbers from 0 to {last}")
        seed, states = check_seed(start.seed), np.zeros(1, rules.state)
        before, totals = (np.zeros_like(one) for one in self._room[:2])
        if "pieces" in state:
            states = rules.checked_states(position)
            if len(states) != 1 or states[0]["players"] != self.num_players or states[0]["pending"]:
                raise BadSetup(f"position: not one of {self.num_players} players in which somebody decides")
            rules.check_pieces(state["pieces"], states[0])
            self._count_from_here(states, before)
            return states, [int(action) for action in actions], before
        played = np.array(actions, np.int64), before, np.zeros_like(before), totals
        legal = rules.compiled(replay_game)(states[0], np.uint64(seed), self._common[0], self._kind, *played)
        alike = isinstance(position, np.ndarray) and (position.shape, position.dtype) == (states.shape, states.dtype)
        if not legal or not alike or position.tobytes() != states.tobytes():
            try:
                rules.checked_states(position)
            except BadPosition as error:
                raise BadSetup(f"position: {error}") from None
            raise BadSetup(f"position: not the one to which these actions lead in the game of seed {seed}")
        return states, [int(action) for action in actions], before

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
            fits = fits and all(isinstance(entry, kinds) for entry in entries.values())
            if not fits or any(isinstance(entry, int) and abs(entry) > _LARGEST for entry in entries.values()):
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
        return {"setup": self.setup, "options": options, "game": None if self.seed is None else self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict) or {*state} != {"setup", "options", "game"}:
            raise BadSetup("not the state of a pickled environment")
        if type(state["setup"]) is not type(self.rules.setup()):
            raise BadSetup(f"setup: {type(state['setup']).__name__} is not a Setup")
        check_names("options", state["options"], ("reward", "advice", "render_mode"))
        type(self).__init__(self, state["setup"], **state["options"])
        if state["game"] is not None:
            self.set_state(state["game"])

    def render(self) -> str | np.ndarray | None:
        """Return the game as text ("ansi") or as pixels, uint8 (height, width, 3) ("rgb_array"); "human" prints it."""
        return rendered(self, self.possible_agents)

    def _repr_svg_(self) -> str | None:
        """Return the drawing for notebooks; None before the first reset."""
        if self.seed is None:
            return None
        return self.rules.draw_svg(self.state_dict(), names=self.possible_agents, outcome=self.outcome())

    def close(self) -> None:
        """Do nothing: there is nothing to close, but PettingZoo wants it said."""
