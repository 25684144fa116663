"""The agents that come with the project: they load, play as they did when they were measured, and play well."""

import json
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.common.files import BadAgent
from agents.network.files import load_net
from agents.players.shipped import ShippedAgent
from agents.pretrained import SELF_TAUGHT_FOLDER, shipped_path
from agents.tournament import compare, enter
from bohemian_env import Batch, Board, Game, Setup
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.opponents.appraiser import appraiser_values, load_weights, new_room, of_size, read_networks

PLAYERS = (2, 3, 4, 5)
FINGERPRINT = Path(__file__).parents[2] / "data" / "shipped.json"
each_table = pytest.mark.parametrize("players", PLAYERS)


def behaviour(players: int) -> list[int]:
    """What the shipped agent does in positions of its own games: 480 actions."""
    batch, agent, actions = Batch(8, players), agents.make("ppo"), []
    batch.reset(2016)
    for _ in range(60):
        actions.append(agent.act_batch(batch))
        batch.step(actions[-1])
    return np.array(actions).ravel().tolist()


@each_table
def test_files_are_small_and_say_how_the_agent_was_trained(players: int) -> None:
    path = shipped_path(players)
    assert path.stat().st_size < 3_000_000
    net, description = load_net(path)
    assert sum(p.numel() for p in net.parameters()) > 10_000
    assert net.shape.adviser == "appraiser"
    about = description["about"]
    assert about["players"] == players
    assert about["samples"] > 1_000_000
    assert about["command"].startswith("python train.py ")
    assert about["reward"] in ("win", "margin", "mixed")
    assert not any(str(Path.home()) in str(value) or "/tmp" in str(value) for value in about.values())


@each_table
def test_behaviour_is_that_of_the_published_figures(players: int) -> None:
    """Another processor may round otherwise where two moves are all but equal, and play on from there."""
    wanted = json.loads(FINGERPRINT.read_text(encoding="utf-8"))[str(players)]
    same = np.equal(behaviour(players), wanted).reshape(60, 8)
    assert same[:20].mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("among", "least"), [("greedy", (0.92, 0.80, 0.72, 0.66)), ("planner", (0.80, 0.58, 0.41, 0.35))]
)
@each_table
def test_strength(players: int, among: str, least: tuple[float, ...]) -> None:
    """Some 400 games, whose share has a standard error of about .02; the card has it exactly."""
    entrants = enter(["ppo", among], 5)
    found = compare(entrants, Setup.of(players), games=400, seed=41_000, tables="single").results[0]
    assert found.share.value > least[PLAYERS.index(players)]


def test_the_one_for_the_table_is_taken() -> None:
    agent = agents.make("ppo", 3)
    assert isinstance(agent, ShippedAgent)
    assert agent.name == "ppo"
    assert len(agent.files) == 4
    for players in PLAYERS:
        batch = Batch(16, players)
        batch.reset(1)
        for _ in range(7):
            batch.step(batch.random_actions(1))
        own = agents.make(shipped_path(players))
        np.testing.assert_array_equal(agent.act_batch(batch), own.act_batch(batch))
        game = Game.new(players, seed=players).roll()
        assert agent.move(game) == own.move(game)
        assert agent.explain(game) == own.explain(game)


def test_on_another_board_it_says_that_it_cannot_play() -> None:
    board = Board.of_villages([{"name": "Alone", "buildings": ["inn"]}], 3, 300, 7)
    for name in ("ppo", "search:ppo"):
        with pytest.raises(BadAgent, match="another board"):
            agents.make(name, board=board)


@each_table
def test_selftaught_knows_the_game_by_networks_of_its_own(players: int) -> None:
    """Some 400 games alone among planners, in which equals would win 1 / players."""
    networks, others = read_networks(SELF_TAUGHT_FOLDER)[0], load_weights()
    assert not any((own[players] == other[players]).all() for own, other in zip(networks, others, strict=True))
    batch, agent = Batch(16, players), agents.make("selftaught")
    for _ in range(7):
        batch.step(batch.random_actions(1))
    own, room = of_size(networks, players), new_room()
    wanted = [appraiser_values(state, own, room, np.empty(NUM_ACTIONS)) for state in batch.states]
    assert agent.act_batch(batch).tolist() == wanted
    assert agent.explain(Game.new(players, seed=1).roll()).kind == "chance of winning"
    found = compare(enter(["selftaught", "planner"], 5), Setup.of(players), games=400, seed=42_000, tables="single")
    assert found.results[0].share.low > 1 / players


if __name__ == "__main__":
    found = {str(players): behaviour(players) for players in PLAYERS}
    FINGERPRINT.write_text(json.dumps(found) + "\n", encoding="utf-8")
