"""What every agent owes: the same choice for the same seed, whoever asks, and an explanation of it."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from pettingzoo import AECEnv

import agents
from agents.players.agent import CHANCE_OF_WINNING, COINS_AHEAD, EXPECTED_REWARD, PROBABILITY
from agents.players.names import AgentName
from bohemian_env import Batch, Game, GameOver, RollNeeded, bohemian_villages_v0
from bohemian_env.villages.opponents import SCRIPTED
from tests.helpers import SIX, game_at

MONTE_CARLO, SEARCH = "montecarlo:8", "search:ppo:16"
QUICK, SEARCHING = [*SCRIPTED, "trained", "ppo"], [MONTE_CARLO, SEARCH, "search:trained"]
every_agent = pytest.mark.parametrize("each", [*QUICK, *SEARCHING], indirect=True)


@pytest.fixture
def each(request: pytest.FixtureRequest, trained: Path) -> str:
    """The name of one of the agents; those that are trained here, without advice, go by their path."""
    return {"trained": str(trained), "search:trained": f"search:{trained}:16"}.get(request.param, request.param)


def game_of(players: int = 2, moves: int = 12) -> Game:
    """A game, of seed 4, in which so many random moves have been made."""
    game, walker = Game.new(players, seed=4).dealt(), agents.make("random", 1)
    for _ in range(moves):
        game = game.push(walker.move(game)).dealt()
    return game


def games_of(name: str, seed: int = 0, n: int = 16, players: int = 2, steps: int = 60) -> np.ndarray:
    """The actions of an agent that plays all seats of a batch: shape (steps, n)."""
    batch, agent = Batch(n, players), agents.make(name, seed)
    actions = []
    for _ in range(steps):
        actions.append(agent.act_batch(batch))
        batch.step(actions[-1])
    return np.array(actions)


@pytest.mark.parametrize(
    "each", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SEARCHING)], indirect=True
)
def test_the_same_seed_plays_the_same(each: str) -> None:
    assert_array_equal(games_of(each, seed=7), games_of(each, seed=7))


@pytest.mark.parametrize("name", ["random", "greedy", MONTE_CARLO])
def test_another_seed_plays_otherwise(name: str) -> None:
    first, *others = (games_of(name, seed=seed) for seed in (7, 8, 2**63 - 1))
    assert not any(np.array_equal(first, other) for other in others)


def test_without_a_seed_each_agent_has_its_own_chances() -> None:
    batch = Batch(64)
    first, second = (agents.make("random").act_batch(batch) for _ in range(2))
    assert not np.array_equal(first, second)


@every_agent
@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4, 5))])
def test_move_and_act_and_act_batch_are_one_choice_and_legal(each: str, players: int) -> None:
    """In games of the same seeds, to their ends: of a batch, of both environments, and as they are played by hand."""
    first = 1000 * players
    batch = Batch(3, players, autoreset=False, max_turns=60)
    batch.reset(first)
    games = [Game.new(players, seed=first + i, max_turns=60).dealt() for i in range(batch.n)]
    worlds: list[AECEnv] = []
    for i in range(batch.n):
        for make in (bohemian_villages_v0.env, bohemian_villages_v0.raw_env):
            worlds.append(make(players, max_turns=60))
            worlds[-1].reset(seed=first + i)
    by_batch, by_env, by_game = (agents.make(each, 5) for _ in range(3))
    decisions = 0
    while not batch.over.all():
        actions = by_batch.act_batch(batch)
        for i in np.flatnonzero(~batch.over).tolist():
            assert batch.masks[i, actions[i]] == 1
            move = by_game.move(games[i])
            for env in worlds[2 * i : 2 * i + 2]:
                env.last()  # the wrappers want to have shown what is acted on
                assert by_env.act(env) == actions[i]
                assert env.unwrapped.action_to_text(int(actions[i])) == move
                env.step(int(actions[i]))
            games[i] = games[i].push(move).dealt()
            decisions += 1
        assert_array_equal(actions[batch.over], 0)
        batch.step(actions)
    assert decisions > 100
    for i, game in enumerate(games):
        assert game.over
        for env in worlds[2 * i : 2 * i + 2]:
            assert game == env.unwrapped.game()
            assert game.record() == env.unwrapped.record() == batch.record(i)


@every_agent
def test_it_moves_where_a_game_has_no_seed(each: str) -> None:
    """Dice are given by hand there; the same position has the same move."""
    game = game_at(villages=SIX, dice=(2, 3, 5, 5), special=(0,))
    assert game.seed is None
    move = agents.make(each, 5).move(game)
    assert move in game.legal_moves
    assert agents.make(each, 5).move(Game.from_position(game.position())) == move


@every_agent
def test_act_batch_decides_the_games_it_is_asked_for(each: str) -> None:
    batch = Batch(20, 3)
    for actions in games_of("random", 1, 20, 3, steps=20):
        batch.step(actions)
    asked = np.array([13, 2, 2, 19])
    assert_array_equal(agents.make(each, 3).act_batch(batch, asked), agents.make(each, 3).act_batch(batch)[asked])


@every_agent
def test_an_agent_does_not_change_the_games(each: str) -> None:
    batch, agent = Batch(8, 3), agents.make(each, 3)
    before = batch.states.copy()
    agent.act_batch(batch)
    assert_array_equal(batch.states, before)
    env = bohemian_villages_v0.raw_env(3)
    env.reset(seed=4)
    before = env.states.copy()
    agent.act(env)
    assert_array_equal(env.states, before)
    game = game_of(3)
    position, record = game.states.tobytes(), game.record()
    agent.move(game)
    agent.explain(game)
    assert (game.states.tobytes(), game.record()) == (position, record)
    assert not game.states.flags.writeable


def kind_of(name: str) -> str:
    """What kind of number an agent gives to each move."""
    if name == "random":
        return PROBABILITY
    if "appraiser" in name:
        return CHANCE_OF_WINNING
    kinds = {"scripted": COINS_AHEAD, "montecarlo": CHANCE_OF_WINNING, "search": EXPECTED_REWARD}
    return kinds.get(AgentName.parse(name).kind, PROBABILITY)


@every_agent
@pytest.mark.parametrize("players", [2, 5])
def test_an_explanation_has_a_number_for_each_legal_move(each: str, players: int) -> None:
    agent = agents.make(each, 3)
    for game in (game_of(players), game_of(players, 13)):
        said = agent.explain(game)
        assert tuple(said.values) == game.legal_moves
        assert said.kind == kind_of(each)
        assert all(type(value) is float for value in said.values.values())
        if said.kind == PROBABILITY:
            assert sum(said.values.values()) == pytest.approx(1, abs=1e-5)
        if said.chances is not None:
            assert tuple(said.chances) == game.legal_moves
            assert all(0 <= chance <= 1 for chance in said.chances.values())
        if said.kind == CHANCE_OF_WINNING:
            assert said.chances == said.values
        assert said.chance is None or 0 <= said.chance <= 1
        if each != "random":  # which takes any
            assert said.values[agent.move(game)] == max(said.values.values())


@every_agent
def test_there_is_nothing_to_decide_before_a_roll_and_after_a_game(each: str) -> None:
    agent = agents.make(each, 0)
    reroll = game_at(dice=(1, 2, 3, 4), special=(0,)).push("reroll 1,2")
    ended = game_at(dice=(1, 2), max_turns=1).push("end")
    for ask in (agent.move, agent.explain):
        with pytest.raises(RollNeeded, match="seat 0 has to roll 4 dice first"):
            ask(Game.new(2, seed=1))
        with pytest.raises(RollNeeded, match="seat 0 has to roll 2 dice first"):
            ask(reroll)
        with pytest.raises(GameOver, match="the game is over; there is nothing to decide"):
            ask(ended)


@pytest.mark.parametrize("name", ["greedy", "planner", "montecarlo:2", "ppo", "search:ppo:2"])
@pytest.mark.parametrize("games", [[4], [-1], [0, 2**40]])
def test_games_that_are_not_there_are_refused(name: str, games: list[int]) -> None:
    with pytest.raises(IndexError, match="numbers of games are 0 to 3"):
        agents.make(name, seed=1).act_batch(Batch(4), np.array(games))
