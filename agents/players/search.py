"""``search``: looks ahead with a trained agent, for a number of playouts or of milliseconds for each move."""

import numpy as np

from agents.network.net import bfloat16_pays
from bohemian_env import Board
from bohemian_env.engine.bits import Word
from bohemian_env.engine.legal import legal_actions
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.advice import ADVICE_SIZE, AdviceRoom, advice_room
from bohemian_env.villages.faces import reward_number
from bohemian_env.villages.facts import MIN_PLAYERS
from bohemian_env.villages.observation import OBSERVATION_SIZE
from bohemian_env.villages.opponents.chances import action_chances
from bohemian_env.villages.opponents.halving import CANDIDATE
from bohemian_env.villages.opponents.planner import WEIGHTS
from bohemian_env.villages.state import STATE, State

from .agent import EXPECTED_REWARD, Thoughts
from .lookahead import LEAST, MOVES, PRIOR, ROOM, Leaves, count_rolls, play_to_leaves
from .names import SHIPPED, AgentName
from .playouts import PlayoutAgent
from .policy import PolicyAgent, load_agent
from .shipped import ShippedAgent


class SearchAgent(PlayoutAgent):
    """A player that looks ahead with a trained network (``lookahead.py``).

    Args:
        name: ``search:`` and the name or path of a trained agent, then optionally ``:`` and a budget: ``search:ppo``
            has 20 ms for each move, ``search:ppo:300`` playouts, ``search:runs/first:50ms`` another time. With a time,
            moves depend on the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
        board: the board that it is to play on; the shipped board by default.

    Raises UnknownAgent: the name has another form. BadAgent: the agent cannot play here.
    """

    _rounds_at_once = 8

    def __init__(self, name: str, seed: int = 0, board: Board | None = None) -> None:
        super().__init__(name, seed, np.zeros(NUM_ACTIONS, CANDIDATE))
        source = AgentName.parse(name).source
        self._policy = ShippedAgent(board) if source == SHIPPED else load_agent(source, seed, board)
        self.files = self._policy.files
        self.learned_with = getattr(self._policy, "learned_with", None)
        self._judges: dict[int, tuple[PolicyAgent, AdviceRoom]] = {}
        self._scratch = np.zeros(5, STATE)
        self._leaves = Leaves(
            np.zeros((ROOM, OBSERVATION_SIZE), np.int8),
            np.zeros((ROOM, ADVICE_SIZE), np.float32),
            np.zeros(ROOM, np.int64),
        )
        self._probabilities = np.zeros(NUM_ACTIONS, np.float32)  # of the position that is searched
        self._looked = 0  # moves that are looked into
        self._at(MIN_PLAYERS)  # so that errors are raised now

    def _at(self, players: int) -> tuple[PolicyAgent, PolicyAgent, AdviceRoom]:
        """Return the agent for so many players, the same as it judges leaves, and room for what it is told of them."""
        agent = self._policy.at(players) if isinstance(self._policy, ShippedAgent) else self._policy
        if players not in self._judges:
            timed = bool(self.budget.milliseconds)
            bfloat16 = timed and bfloat16_pays("cpu")  # so many playouts are to find the same on every processor
            judge = PolicyAgent(agent.net, self.name, bfloat16=bfloat16)
            self._judges[players] = judge, advice_room(agent.net.shape.adviser or "planner")
        return agent, *self._judges[players]

    def _name_moves(self, state: State) -> int:
        order = np.argsort(-self._probabilities, kind="stable")[:MOVES]
        actions = order[(self._probabilities[order] >= LEAST) | (np.arange(len(order)) == 0)]
        self._looked = len(actions)
        found = self._candidates[: self._looked]
        found["action"], found["sum"], found["count"] = actions, 0.0, 0
        found["prior"], found["weight"] = PRIOR * np.log(self._probabilities[actions]), 1.0
        if self._looked == 1:
            return 1
        players = int(state["players"])
        w, reward = WEIGHTS[0, players], reward_number(self._at(players)[0].reward)
        exact = np.array([count_rolls(state, action, w, reward, self._scratch) for action in actions])
        if np.isnan(exact).any():
            return self._looked
        best = np.argsort(-exact, kind="stable")
        found["action"], found["sum"], found["count"] = actions[best], exact[best], 1
        return 1  # nothing is left to find out

    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        players, found = int(state["players"]), self._candidates[:moves]
        agent, judge, adviser = self._at(players)
        told = bool(judge.net.shape.adviser)
        leaves = self._leaves if told else self._leaves._replace(advice=self._leaves.advice[:0])
        given = state, WEIGHTS[0, players], reward_number(agent.reward), seed
        most = ROOM // moves
        for done in range(first, first + rounds, most):
            now = min(most, first + rounds - done)
            n = play_to_leaves(*given, done, now, found, leaves, self._scratch, adviser)
            if n:
                values = judge.values(leaves.observations[:n], leaves.advice[:n] if told else None)
                np.add.at(found["sum"], leaves.owners[:n], values)
                np.add.at(found["count"], leaves.owners[:n], 1)

    def decide(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray) -> np.ndarray:
        policy = self._at(int(states[0]["players"]))[0]
        actions = np.zeros(len(games), np.int64)
        going = np.flatnonzero(states["end"][games] == 0)
        if going.size:
            for place, chances in zip(going, policy.probabilities(*policy.show(states, games[going])), strict=True):
                self._probabilities = chances
                actions[place] = self._search(states[games[place]])
        return actions

    def think(self, states: np.ndarray) -> Thoughts:
        """Return the expected reward of each action; see :meth:`Player.think`.

        An action that was not looked into is put a little below the worst of those that were, the lower the less likely
        it is to the policy. Chances of winning are those of ``bohemian_env.villages.opponents.chances``.
        """
        policy = self._at(int(states[0]["players"]))[0]
        observations, masks, advice = policy.show(states, np.zeros(1, np.int64))
        self._probabilities = policy.probabilities(observations, masks, advice)[0]
        self._search(states[0])
        found = self._candidates[: self._looked]
        if self._looked == 1:  # there was nothing to look into, so that the network's own value judges
            rewards = policy.values(observations, advice).astype(np.float64)
        else:
            rewards = found["sum"] / found["count"]
        values = dict(zip(found["action"].tolist(), np.minimum(rewards, rewards[0]).tolist(), strict=True))
        least = min(values.values())
        for action in legal_actions(states[0]):
            values.setdefault(action, least - 1e-3 * (1 - float(self._probabilities[action])))
        chances = action_chances(states[0])
        return Thoughts(EXPECTED_REWARD, values, chances, max(chances.values()))
