"""python -m examples.openspiel_mcts

The game in OpenSpiel, for two to five players: rolls are chance nodes. Its MCTS plays from there; nothing is learned.
"""

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from bohemian_env import Game, rewards
from examples.measure import options, report

SIMULATIONS, ROLLS = 20, 126  # a move; of four dice
told = {"short_name": "python_villages", "long_name": "Bohemian Villages", "min_num_players": 2, "max_num_players": 5}
told |= {"dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL, "reward_model": pyspiel.GameType.RewardModel.TERMINAL}
told |= {"information": pyspiel.GameType.Information.PERFECT_INFORMATION, "utility": pyspiel.GameType.Utility.ZERO_SUM}
told |= {"chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC}
shown = ("information_state_string", "information_state_tensor", "observation_string", "observation_tensor")
told |= {f"provides_{what}": False for what in shown}
TYPE = pyspiel.GameType(**told, parameter_specification={"players": 2, "seed": 0})


class Villages(pyspiel.Game):
    def __init__(self, params=None):
        given = {"players": 2, "seed": 0} | (params or {})
        self.first = Game.new(given["players"], seed=given["seed"]).unseeded()
        super().__init__(TYPE, pyspiel.GameInfo(241, ROLLS, given["players"], -1.0, 1.0, 0.0, 2000), given)

    def new_initial_state(self):
        return State(self)


class State(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.at = game.first

    def current_player(self):
        who = pyspiel.PlayerId
        return who.TERMINAL if self.at.over else who.CHANCE if self.at.needs_roll else self.at.to_move

    def is_terminal(self):
        return self.at.over

    def returns(self):
        return (np.round(12 * rewards(self.at).astype(float)) / 12).tolist()  # thirds in float32 do not sum to 0

    def chance_outcomes(self):
        return [(number, chance) for number, (_, chance) in enumerate(self.at.chance_outcomes())]

    def _legal_actions(self, player):
        return list(self.at.legal_actions)

    def _apply_action(self, action):
        self.at = self.at.roll(self.at.chance_outcomes()[action][0]) if self.at.needs_roll else self.at.push(action)

    def _action_to_string(self, player, action):
        return str(self.at.chance_outcomes()[action][0]) if self.at.needs_roll else self.at.action_to_text(action)

    def __str__(self):
        return f"{self.at!r}, coins {self.at.coins}, figures {self.at.figures}"


class Agent:
    games_at_once = 8  # it thinks long

    def __init__(self, players, seed):
        self.villages = pyspiel.load_game("python_villages", {"players": players})
        playouts = RandomRolloutEvaluator(1, random := np.random.RandomState(seed))
        self.bot = MCTSBot(self.villages, 1.4, SIMULATIONS, playouts, random_state=random)

    def move(self, game):
        state = self.villages.new_initial_state()
        state.at = game
        return self.bot.step(state)


pyspiel.register_game(TYPE, Villages)
o = options(__doc__, decisions=None, games=40)
agent = Agent(o.players, o.seed)
pyspiel.random_sim_test(agent.villages, num_sims=1, serialize=True, verbose=False)
report(agent, o)
