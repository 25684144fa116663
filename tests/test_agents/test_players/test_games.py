"""What holds of agents in every game."""

import copy
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from agents.players.agent import PROBABILITY, WrongGame
from agents.players.foreign import ForeignAgent
from agents.players.names import AgentName, game_of, known
from agents.players.program import ProgramAgent, decision
from agents.players.values import count_weights, save_values
from bohemian_env import BadSetup, GameOver
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import ChanceNeeded
from bohemian_env.games import GAMES, faces_of, rules_of
from examples import measure
from tests.helpers import ROOT
from tests.test_agents.test_protocol import said

EACH = pytest.mark.parametrize("game", GAMES)
OTHERS = GAMES[1:]


def batch_of(game: str, games: int = 3, steps: int = 4) -> Any:
    """Games that are under way."""
    batch = faces_of(game).Batch(games)
    batch.reset(5)
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def saved(folder: Path, rules: Rules) -> Path:
    """The folder of an agent that takes whatever scores at once."""
    save_values(folder, rules, np.zeros(count_weights(rules), np.float32), {})
    return folder


class First:
    """Takes the first legal move."""

    def move(self, game: Any) -> str:
        assert game.seed is None
        return str(game.legal_moves[0])


@EACH
def test_scripted_opponents_decide_alike_in_batches_games_and_environments(game: str) -> None:
    rules, batch = rules_of(game), batch_of(game)
    env = faces_of(game).raw_env()
    env.reset(seed=5)
    for name in rules.opponents:
        agent: Any = agents.make(name, 7, game=game)
        actions = agent.act_batch(batch)
        assert_array_equal(agent.act_batch(batch, np.array([2, 0])), actions[[2, 0]])
        assert_array_equal(agents.make(name, 7, game=game).act_batch(batch), actions)
        for number in range(batch.n):
            at = batch.game(number)
            move = agent.move(at)
            assert at.text_to_action(move) == actions[number]
            told = agent.explain(at)
            assert list(told.values) == list(at.legal_moves)
            if told.kind == PROBABILITY:
                assert sum(told.values.values()) == pytest.approx(1)
        assert agent.act(env) in env.game().legal_actions
        assert agent.sizes == rules.players
        again = pickle.loads(pickle.dumps(agent))
        assert again.rules is copy.deepcopy(agent).rules is rules
        assert_array_equal(again.act_batch(batch), actions)


@EACH
def test_agents_of_other_people_play(game: str) -> None:
    rules, batch = rules_of(game), batch_of(game)
    env = faces_of(game).raw_env()
    env.reset(seed=5)
    for agent in (ForeignAgent(First()), ForeignAgent(measure.First())):
        assert_array_equal(agent.act_batch(batch), batch.masks.argmax(axis=1))
        start = rules.game.new(seed=1).dealt()
        assert agent.move(start) == start.legal_moves[0]
        assert agent.act(env) == env.game().legal_actions[0]


PROGRAMS = {
    "node": f"node {ROOT / 'examples' / 'programs' / 'picker.js'}",
    "mawk": """mawk -W interactive '
    $1 == "hello" {print "hello", $2; fflush()} $1 == "isready" {print "readyok"; fflush()}
    $1 == "legal" {last = substr($0, 7)} $1 == "go" {print "bestmove", last; fflush()}'""",
}
"""Programs that know no game: they choose among the moves that they are told."""


@EACH
@pytest.mark.parametrize("language", PROGRAMS)
def test_programs_in_other_languages_play(game: str, language: str) -> None:
    if shutil.which(language) is None:
        pytest.skip(f"needs {language}")
    agent: Any = agents.make(f"program:{PROGRAMS[language]}", game=game)
    batch = batch_of(game)
    for _ in range(3):
        actions = agent.act_batch(batch)
        assert batch.masks[np.arange(batch.n), actions].all()
        batch.step(actions)
    assert agent.said == ("picker" if language == "node" else "")
    other = next(one for one in GAMES if one != game)
    with pytest.raises(WrongGame, match=f"plays {game}, and was asked about a game of {other}"):
        agent.act_batch(batch_of(other))
    agent.end()


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHERS)
def test_our_agents_speak_of_every_game(game: str, tmp_path: Path) -> None:
    at = rules_of(game).game.new(seed=4).dealt()
    best = f"bestmove {agents.make('greedy', 1, game=game).move(at)}"
    asked = f"newgame {game}\n{decision(at, 100)}"
    assert said(f"hello 2\nnewgame {game}\nisready\n{asked}quit\n", "greedy") == ["hello 2 greedy", "readyok", best]
    path = saved(tmp_path, rules_of(game))
    assert said(f"hello 2\n{decision(at, 100)}", str(path))[1].startswith("bestmove ")
    for lines, reason in {
        "hello 1\n": f"plays {game}, and 'hello 1' asks for {GAMES[0]}",
        "hello 2\nnewgame chess\n": "'newgame chess' names none of the games",
    }.items():
        with pytest.raises(ValueError, match=reason):
            said(lines, "greedy", game)


@EACH
def test_a_program_is_told_the_game(game: str) -> None:
    named = AgentName.parse("program:cat", game)
    told = ProgramAgent(named)._program
    assert (told._hello, told._new_game, told._prepare) == (
        ("hello 1", "newgame\n", "") if game == GAMES[0] else ("hello 2", f"newgame {game}\n", f"newgame {game}\n")
    )


@EACH
def test_where_nobody_decides_it_is_said(game: str) -> None:
    agent, at = agents.make("greedy", game=game), rules_of(game).game.new(seed=2)
    if at.needs_chance:
        with pytest.raises(ChanceNeeded, match=r" first$"):
            agent.move(at)
    while not at.over:
        at = at.dealt()
        at = at.push(agent.move(at)) if not at.over else at
    with pytest.raises(GameOver):
        agent.move(at)


def test_another_game_is_refused_in_a_sentence() -> None:
    batch, agent = batch_of(OTHERS[0]), agents.make("greedy")
    asked: list[tuple[Any, Any]] = [(agent.act_batch, batch)]
    asked += [(ask, batch.game(0)) for ask in (agent.move, agent.explain)]
    for ask, what in asked:
        with pytest.raises(WrongGame, match=f"greedy plays {GAMES[0]}, and was asked about a game of {OTHERS[0]}"):
            ask(what)
    with pytest.raises(BadSetup, match="unknown game 'chess'; known are"):
        agents.make("greedy", game="chess")


@pytest.mark.parametrize("game", OTHERS)
def test_an_agents_files_say_its_game(game: str, tmp_path: Path) -> None:
    rules, batch = rules_of(game), batch_of(game)
    path = saved(tmp_path, rules)
    agent: Any = agents.make(path)
    assert (agent.name, agent.rules, AgentName.parse(path).game) == (str(path), rules, game)
    actions = agent.act_batch(batch)
    assert batch.masks[np.arange(batch.n), actions].all()
    at = batch.game(1)
    told = agent.explain(at)
    assert max(told.values.values()) == told.values[agent.move(at)] == told.values[at.action_to_text(int(actions[1]))]
    assert game_of([path, "greedy"]) == game_of([f"search:{path}:5ms"]) == game_of(["greedy"], game) == game
    other = next(one for one in OTHERS if one != game)
    for asked in (GAMES[0], other):
        with pytest.raises(agents.UnknownAgent, match=f"{tmp_path} plays {game}, not {asked}"):
            agents.make(path, game=asked)
    told_of = json.loads((tmp_path / "agent.json").read_text())
    (tmp_path / "agent.json").write_text(json.dumps({key: told_of[key] for key in told_of if key != "game"}))
    assert game_of([path]) == game  # by its environment


def test_agents_of_different_games_do_not_meet(tmp_path: Path) -> None:
    paths = []
    for game in OTHERS:
        (tmp_path / game).mkdir()
        paths.append(saved(tmp_path / game, rules_of(game)))
    with pytest.raises(agents.UnknownAgent, match="expected agents of one game"):
        game_of([*paths, "greedy"])
    assert game_of(["greedy"]) == GAMES[0]
    assert game_of(["nobody", "ppo", "python:x.py", tmp_path]) == GAMES[0]


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHERS)
def test_values_are_searched_by_name(game: str, tmp_path: Path) -> None:
    path, batch = saved(tmp_path, rules_of(game)), batch_of(game)
    agent: Any = agents.make(f"search:{path}:20", seed=3)
    assert (agent.name, agent.rules) == (f"search:{path}:20", rules_of(game))
    assert agent.files == (path / "agent.safetensors",)
    actions = agent.act_batch(batch)
    assert batch.masks[np.arange(batch.n), actions].all()
    assert_array_equal(agents.make(f"search:{path}:20", seed=3).act_batch(batch), actions)
    at = batch.game(2)
    assert agent.explain(at).values[agent.move(at)] == 1


@pytest.mark.parametrize("game", OTHERS)
def test_names_are_those_of_the_game(game: str) -> None:
    assert known(game) == [*rules_of(game).opponents, "values", "search:values"]
    names = ", ".join(known(game))
    with pytest.raises(agents.UnknownAgent) as refused:
        agents.make("appraiser", game=game)
    assert f"known are {names}, the path of a trained one, python:FILE and program:COMMAND" in str(refused.value)
    with pytest.raises(agents.UnknownAgent, match="search takes a trained agent, such as search:runs/first"):
        agents.make("search:ppo", game=game)
