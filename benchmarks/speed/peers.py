"""What of other environments is timed: uniformly random legal play, each in the fastest way it offers to a user.

Nothing is imported here before a case is prepared; what is not installed is skipped by name. A step is a decision of
a player wherever the peer has such a thing; what it is elsewhere stands in the text of the case.
"""

import random
from functools import partial
from typing import Any, Final

from .aec import aec_cases
from .harness import Case, Play

PGX_BATCHES: Final = (1, 128, 512, 1024)
ROLLOUTS: Final = 20  # games of one call of OpenSpiel's evaluator
COUNTED: Final = 1000  # games that are counted to know the mean length of the evaluator's


def spiel_loop() -> Play:
    """Step games from Python; dice are drawn there too, as OpenSpiel has it, and are not counted."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
    rng = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    return play


def spiel_rollouts_loop() -> Play:
    """Play random playouts in C++ by ``RandomRolloutEvaluator``: all that the first simulation of a search does.

    It does not tell the lengths of its games, so their number is multiplied by the mean of :data:`COUNTED` random ones.
    """
    import pyspiel

    game = pyspiel.load_game("backgammon")
    start = game.new_initial_state()
    rng = random.Random(1)
    while start.is_chance_node():  # a search begins where a player decides
        start.apply_action(rng.choice(start.chance_outcomes())[0])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
    one = spiel_loop()
    mean_steps = sum(one() for _ in range(COUNTED)) / COUNTED

    def play() -> float:
        search.mcts_search(start)
        return ROLLOUTS * mean_steps

    return play


def catanatron_loop() -> Play:
    """Play whole games of two random players."""
    from catanatron import Color, Game, RandomPlayer

    colors = list(Color)[:2]

    def play() -> int:
        game = Game([RandomPlayer(color) for color in colors])
        game.play()
        return len(game.state.actions)

    return play


def pgx_loop(size: int) -> Play:
    """Take several steps of a batch in one compiled call, chance and choice inside."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = pgx_steps(size)

    def one(_: Any, carried: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carried
        key, for_choice, for_chance = jax.random.split(key, 3)
        legal = jnp.cumsum(state.legal_action_mask.astype(jnp.int32), axis=1)
        which = (jax.random.uniform(for_choice, (size, 1)) * legal[:, -1:]).astype(jnp.int32)
        return step(state, jnp.argmax(legal > which, axis=1), jax.random.split(for_chance, size)), key

    def some(state: Any, key: Any) -> tuple[Any, Any]:
        return jax.lax.fori_loop(0, steps, one, (state, key))

    compiled = jax.jit(some, donate_argnums=(0, 1))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), size))
    key = jax.random.PRNGKey(2)

    def play() -> int:
        nonlocal state, key
        state, key = compiled(state, key)
        jax.block_until_ready(state)
        return steps * size

    for _ in range(3):
        play()
    return play


def pgx_steps(size: int) -> int:
    """Return the steps of one compiled call: more for a small batch, where the call costs more than a step."""
    return min(max(4096 // size, 4), 32)


def loop_cases() -> list[Case]:
    """List the cases in PettingZoo's loop."""
    module, needs = "pettingzoo.classic.connect_four.connect_four", ("pettingzoo", "pygame")
    return aec_cases("connect_four", "pettingzoo", module, "its observation and mask", needs=needs)


def other_cases() -> list[Case]:
    """List the cases of the environments that have loops of their own."""
    decision = "a player's decision, dice between, at random from a list of legal actions"
    rollouts = f"{decision}; in C++, RandomRolloutEvaluator, games × mean length of {COUNTED:,} games"
    move = "one checker's move, or none where none can move, at random; mask, observation, auto-reset; jit on the CPU"
    moves = {size: f"{move}, {pgx_steps(size)} steps a call" for size in PGX_BATCHES}
    spiel, pgx = ("pyspiel",), ("pgx", "jax")
    return [
        Case("openspiel_backgammon_python", "openspiel", spiel_loop, decision, needs=spiel),
        Case("openspiel_backgammon_rollouts", "openspiel", spiel_rollouts_loop, rollouts, needs=spiel),
        Case("catanatron", "catanatron", catanatron_loop, decision, needs=("catanatron",)),
        *(Case("pgx_backgammon", "pgx", partial(pgx_loop, n), text, batch=n, needs=pgx) for n, text in moves.items()),
    ]
