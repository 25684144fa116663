"""Tasks of other games: their rewards and scores, the files of algorithms that learn them, and rows shown together."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

import agents
from benchmarks.algorithms import ALGORITHMS
from benchmarks.learning import RANKED, VERSION
from benchmarks.learning.__main__ import RESULTS
from benchmarks.learning.cells import BadCell, CannotLearn, Cell, Plan, load_agent, module_of, run_cell, version_of
from benchmarks.learning.games import anchors, games_of, is_total, module_for, normal
from benchmarks.learning.rows import read_row, write_cell
from benchmarks.learning.score import score
from benchmarks.learning.show import shown
from bohemian_env import TASKS
from examples.measure import First
from tests.test_benchmarks.test_algorithms.test_algorithms import SMALL

LATER = [name for name in TASKS if version_of(name) == VERSION]
CANNOT = ("cloning", "evolution")
"""They take what only one game has: an adviser, and the planner's own weights."""
each_task = pytest.mark.parametrize("task", LATER)


def games(task: str, count: int, **options: Any) -> Any:
    """Games of a task, as algorithms have them."""
    found = TASKS[task]
    return games_of(found.name, found.game, found.players)(count, **found.parameters(**options))


def test_tasks_keep_the_version_in_which_they_came() -> None:
    assert LATER == [
        "Dorfromantik-1p", "Dorfromantik-mini", "Agricola-1p", "Agricola-2p-planner", "Agricola-4p-planner",
    ]  # fmt: skip
    assert {version_of(name) for name in RANKED} == {1}
    assert module_for("pqn", TASKS["2p-planner"]) is module_of("pqn")
    assert module_of("pqn", "Agricola-1p") is module_of("pqn", "Agricola-1p")
    assert {*anchors()} == {name for name in LATER if is_total(TASKS[name])}


@pytest.mark.parametrize(("name", "lacks"), [("cloning", "STANDING"), ("evolution", "STATE")])
def test_what_cannot_learn_says_why(name: str, lacks: str) -> None:
    assert name in CANNOT
    said = f"{name} cannot learn Agricola-1p: it takes {lacks} of .* which is of villages"
    with pytest.raises(CannotLearn, match=said):
        Cell(name, "Agricola-1p", 0)


def test_scores_are_1_for_the_planner_or_a_fair_share() -> None:
    assert normal(TASKS["4p-planner"], 0.25) == normal(TASKS["Agricola-4p-planner"], 0.25) == 1
    found = anchors()["Agricola-1p"]
    assert normal(TASKS["Agricola-1p"], found["planner"]) == 1
    assert normal(TASKS["Agricola-1p"], found["random"]) == 0


@pytest.mark.parametrize(
    ("task", "reward"),
    [
        *(("Dorfromantik-mini", reward) for reward in ("win", "mixed", "margin")),
        ("Agricola-2p-planner", "win"),
        ("Agricola-4p-planner", "mixed"),
        pytest.param("Agricola-1p", "margin", marks=pytest.mark.slow),
    ],
)
def test_the_only_reward_is_that_of_the_end(task: str, reward: str) -> None:
    """And after-states that end the game tell the same."""
    play, rng, ended, steps = games(task, 6, seed=4, reward=reward), np.random.default_rng(0), 0, 0
    while ended < 8 and steps < 2000:
        after = play.afterstates()
        actions = np.array([rng.choice(after.actions[after.games == i]) for i in range(6)])
        chosen = [int(np.flatnonzero((after.games == i) & (after.actions == actions[i]))[0]) for i in range(6)]
        foreseen = after.rewards[chosen, play.learners], after.ended[chosen]
        play.step(actions)
        steps += 1
        assert (play.rewards[~play.dones] == 0).all()
        assert (np.abs(play.rewards) <= 1).all()
        told = foreseen[1] & play.dones
        assert play.rewards[told].tolist() == pytest.approx(foreseen[0][told].tolist(), abs=1e-6)
        ended += int(play.dones.sum())
    assert ended >= 8
    if is_total(TASKS[task]):
        low, middle = (anchors()[task][name] for name in ("random", "planner"))
        wanted = np.clip((play.ended.total - middle) / (middle - low), -1, 1)
        assert play.rewards[play.dones] == pytest.approx(wanted[play.dones])


def test_the_score_of_a_total_is_a_mean_with_its_interval() -> None:
    found = score(First(), TASKS["Dorfromantik-mini"], 50, 9)
    told = found.told()
    assert "share" not in told
    assert told["low"] <= told["total"] == found.value <= told["high"]
    assert (told["games"], told["seed"]) == (50, 9)
    assert score(First(), TASKS["2p-greedy"], 4, 9).told().keys() == {*told} - {"total"} | {"share"}


@pytest.mark.slow
@pytest.mark.parametrize("task", [name for name in LATER if is_total(TASKS[name])])
@pytest.mark.parametrize("who", ["random", "planner"])
def test_what_the_two_reach_that_scores_are_measured_by(task: str, who: str) -> None:
    agent = agents.make(who, 0, game=TASKS[task].game)
    assert score(agent, TASKS[task], 4000, 12_000_000).value == anchors()[task][who]


@pytest.mark.slow
@each_task
@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in CANNOT])
def test_every_other_algorithm_learns_every_task(name: str, task: str, tmp_path: Path) -> None:
    """A row is written, read, and its agent plays the same games again."""
    cell = Cell(name, task, 0, budget=600, settings=SMALL.get(name, {"games": 8, "horizon": 16, "minibatch": 64}))
    row, content = run_cell(cell, Plan(points=1, curve_games=3, games=6))
    assert row["benchmark"] == VERSION
    assert "positions" not in row
    write_cell(cell, row, content, tmp_path, tmp_path)
    assert read_row(tmp_path / f"{cell.name}.json") == json.loads(json.dumps(row))
    agent = load_agent(name, tmp_path / f"{cell.name}.safetensors", task)
    again = score(agent, TASKS[task], 6, row["score"]["seed"]).told()
    assert {**again, "milliseconds": 0} == {**row["score"], "milliseconds": 0}
    assert f"`{name}`, chosen" in shown([tmp_path], RESULTS)


def test_rows_are_shown_beside_the_references(tmp_path: Path) -> None:
    one = RESULTS / "decisions-10000000" / "2p-planner" / "td_lambda-0.json"
    lines = shown([one], RESULTS).splitlines()
    assert lines[0] == "| task | agent | budget | runs | result | score |"
    assert any("`td_lambda`, chosen | 10,000,000 decisions | 1 |" in line for line in lines)
    assert {line.split("|")[1].strip() for line in lines[2:]} == {"2p-planner"}
    budgets = {"1,000,000 decisions", "10,000,000 decisions", "10 minutes"}
    assert {line.split("|")[3].strip() for line in lines[2:]} == budgets
    scores = [float(line.split("|")[-2]) for line in lines[2:]]
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(BadCell, match="has no rows of the benchmark"):
        shown([tmp_path], RESULTS)


def test_an_agent_of_another_game_is_refused(tmp_path: Path) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(10, 883))
    path = tmp_path / "x.safetensors"
    save_file(module_of("pqn").Agent(net).tensors(), path)
    with pytest.raises(BadCell, match="holds no agent of pqn"):
        load_agent("pqn", path, "Agricola-1p")
