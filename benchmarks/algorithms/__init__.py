"""The reference algorithms of the benchmark: one a file, each short enough to be read at one sitting and copied.

A file has ``learn(task, left, seed, **settings)``, a generator that learns and now and then yields how many decisions
it has learnt from, and its agent as it is then, and whose settings all have plain defaults; ``Agent``, what it learns;
and ``SPACE``, the settings among which ``python -m benchmarks.learning tune`` chooses.

- ``task``: a :class:`bohemian_env.envs.tasks.Task`, of which it makes games by the face that it likes.
- ``left(decisions)``: the part of the budget that is left after so many decisions, from 1 down to 0; learning ends
  there. Budgets are of decisions or of time, so learning rates follow this number.
- ``seed``: of the games, the first weights and all draws.
- A file may take from its neighbours. One that looks ahead plays on in games of its own: after ``reset`` of a
  ``SelfPlay`` with ``autoreset=False`` it writes positions and seats into ``states[:]`` and ``learners[:]``;
  what is shown follows with the next step.
- An agent has ``act(observations, masks)`` or ``move(game)``, as ``evaluate.py`` takes it, ``tensors()``, which holds
  all of it, and ``Agent.of(tensors)``, which makes it again. One that wants positions has ``act_batch(games)`` besides.

agent.py has the agent of all that learn a number for each action.
"""

from typing import Final

__all__ = ["ALGORITHMS"]

ALGORITHMS: Final = {
    "maskable_ppo": "PPO restricted to legal actions",
    "ppo_unmasked": "PPO without a mask: an illegal action ends the game",
    "a2c": "A2C restricted to legal actions",
    "masked_dqn": "double DQN with a replay buffer and n-step returns, among legal actions",
    "pqn": "Q-learning without replay buffer and target network: λ-returns and layer norm",
    "td_lambda": "TD(λ) on after-states",
    "expert_iteration": "expert iteration on after-states: TD(λ) that also learns from games which it imagines",
    "cloning": "behaviour cloning of `planner`",
    "evolution": "the weights of `planner`, by the cross-entropy method",
}
"""What each is, by the name of its file."""
