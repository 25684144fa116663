"""What of other environments is timed: uniformly random legal play, each in the fastest way it offers to a user.

Nothing is imported here before a case is prepared; what is not installed is skipped by name. A step is a decision of
a player wherever the peer has such a thing; what it is elsewhere stands in the text of the case.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from .aec import aec_cases
from .harness import Case, Loop

PGX: Final = {
    "backgammon": (2, (1, 128, 512, 1024), "one checker's move, or none where none can move"),
    "2048": (1, (128, 1024, 8192), "a slide of the board"),
}
"""Games of pgx: players, sizes of a batch, and what a step is."""
ROLLOUTS: Final = 20
"""Games of one call of OpenSpiel's evaluator."""
COUNTED: Final = 2000
"""Games that are counted to know the mean length of the evaluator's."""


# --- OpenSpiel ---


def spiel_loop(name: str) -> Loop:
    """Step games from Python; dice are drawn there too, as OpenSpiel has it, and are no steps."""
    import pyspiel

    game = pyspiel.load_game(name)
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

    return Loop(play)


def _decisions(state: Any) -> int:
    """Count the actions of players, without those of chance, on the way to a state of OpenSpiel."""
    return sum(action.player >= 0 for action in state.full_history())


def _bot_games(start: Any) -> Any:
    """Return a function that plays a game of OpenSpiel's uniformly random bots from a state, all of it in C++."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(start.num_players())]
    seeds = iter(range(1, 2**31))

    def play() -> Any:
        state = start.clone()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state

    return play


def spiel_rollouts_loop(name: str) -> Loop:
    """Play random playouts in C++ by ``RandomRolloutEvaluator``: all that the first simulation of a search does.

    It does not tell the lengths of its games, so their number is multiplied by the mean of :data:`COUNTED` random ones.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    rng = random.Random(1)
    while start.is_chance_node():  # a search begins where a player decides
        start.apply_action(rng.choice(start.chance_outcomes())[0])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
    one = _bot_games(start)
    mean_steps = sum(_decisions(one()) for _ in range(COUNTED)) / COUNTED

    def play() -> float:
        search.mcts_search(start)
        return ROLLOUTS * mean_steps

    return Loop(play)


def spiel_clone_loop(name: str) -> Loop:
    """Copy a state with some moves in it."""
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    rng = random.Random(1)
    for _ in range(40):
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(actions))
    return Loop.of(state.clone, 256)


# --- Catanatron ---


def catanatron_loop() -> Loop:
    """Play whole games of two random players."""
    from catanatron import Color, Game, RandomPlayer

    colors = list(Color)[:2]

    def play() -> int:
        game = Game([RandomPlayer(color) for color in colors])
        game.play()
        return len(game.state.actions)

    return Loop(play)


def catanatron_gym_loop() -> Loop:
    """Step its Gymnasium environment, without Gymnasium's wrappers; count the opponent's decisions as well."""
    import gymnasium

    env: Any = gymnasium.make("catanatron_gym:catanatron-v1", disable_env_checker=True).unwrapped
    rng = random.Random(1)

    def play() -> int:
        over = False
        _, info = env.reset()
        while not over:
            legal = info["valid_actions"]
            _, _, terminated, truncated, info = env.step(legal[int(rng.random() * len(legal))])
            over = terminated or truncated
        return len(env.game.state.actions)

    return Loop(play)


# --- pgx ---


def pgx_loop(name: str, size: int) -> Loop:
    """Take several steps of a batch in one compiled call, chance and choice inside."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
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
    return Loop(play)


def pgx_steps(size: int) -> int:
    """Return the steps of one compiled call: more for a small batch, where the call costs more than a step."""
    return min(max(4096 // size, 4), 32)


# --- cases ---


def loop_cases() -> list[Case]:
    """List the cases in PettingZoo's loop."""
    cases = []
    for name, module, needs in (
        ("connect_four", "connect_four.connect_four", ("pettingzoo", "pygame")),
        ("texas_holdem", "rlcard_envs.texas_holdem", ("pettingzoo", "pygame", "rlcard")),
    ):
        what = "its observation and mask"
        cases += aec_cases(name, "pettingzoo", f"pettingzoo.classic.{module}", what, needs=needs)
    return cases


def other_cases() -> list[Case]:
    """List the cases of the environments that have loops of their own."""
    spiel = partial(Case, library="openspiel", needs=("pyspiel",))
    catan = partial(Case, library="catanatron", needs=("catanatron",))
    decision = "a step is a player's decision, dice between; random legal choice"
    ways: dict[str, tuple[Callable[[str], Loop], str]] = {
        "python": (spiel_loop, f"{decision}; from Python: list of legal actions"),
        "rollouts": (
            spiel_rollouts_loop,
            f"{decision}; in C++: RandomRolloutEvaluator, games × mean length of {COUNTED:,} games",
        ),
    }
    cases = [
        spiel(f"openspiel_{game}_{way}", make=partial(make, game), includes=text)
        for game in ("backgammon", "yacht")
        for way, (make, text) in ways.items()
    ]
    text = "a step is a player's decision, dice among them; list of legal actions, random choice, dice"
    cases.append(catan("catanatron", make=catanatron_loop, includes=text))
    text += "; both players' decisions are counted, one of them sees an observation"
    needs = ("catanatron", "catanatron_gym")
    cases.append(catan("catanatron_gym", make=catanatron_gym_loop, includes=text, needs=needs))
    cases += [
        Case(
            f"pgx_{game}",
            "pgx",
            partial(pgx_loop, game, size),
            f"a step is {step}; random legal choice, mask, observation, auto-reset; jit on the CPU, {pgx_steps(size)} "
            "steps a call",
            players,
            size,
            needs=("pgx", "jax"),
        )
        for game, (players, sizes, step) in PGX.items()
        for size in sizes
    ]
    clone = partial(spiel_clone_loop, "backgammon")
    cases.append(spiel("openspiel_backgammon_clone", make=clone, includes="state.clone()", unit="copies"))
    return cases
