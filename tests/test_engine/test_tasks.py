"""The tasks of the benchmark: the same games by every face, and nothing of them can be changed."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bohemian_env import BadSetup, Board
from bohemian_env.engine.contract import Scripted
from bohemian_env.engine.sb3 import LearnerVecEnv
from bohemian_env.games import faces_of
from bohemian_env.tasks import TASKS as ALL
from bohemian_env.tasks import Task as AnyTask
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.tasks import TASKS, VILLAGES, Task

EACH = pytest.mark.parametrize("task", ALL.values(), ids=lambda task: task.name)


def names_at(task: Task, games: int = 60) -> list[frozenset[str]]:
    """The villages of some games of a task."""
    play = SelfPlay(games, **task.parameters())
    starts = (play.setup.start(int(seed)) for seed in play.seeds)
    return [frozenset(village.name for village in start.villages) for start in starts]


@EACH
def test_the_three_faces_show_the_same_games(task: AnyTask) -> None:
    one: Any = gymnasium.make(task.id)
    many: Any = gymnasium.make_vec(task.id, num_envs=3)
    face = type("Face", (LearnerVecEnv,), {"self_play": faces_of(task.game).SelfPlay})
    games: Any = face(3, **task.parameters(seed=20))
    shown = many.reset(seed=20)[0]
    assert shown.keys() == {"observation", "action_mask"}  # no advice
    assert_array_equal(shown["observation"], games.games.observations)
    assert_array_equal(shown["action_mask"].astype(bool), games.action_masks())
    single = one.reset(seed=20)[0]  # of which the remainder by the players, the seat, is 0
    assert_array_equal(single["observation"], shown["observation"][0])
    assert one.unwrapped.games.num_players == many.games.num_players == games.games.num_players == task.players


@EACH
def test_opponents_are_those_that_it_names(task: AnyTask) -> None:
    play = faces_of(task.game).SelfPlay(400, **task.parameters())
    assert [one.name for one in play.opponents if isinstance(one, Scripted)] == list(task.opponents)
    seated = {
        tuple(int(one) for seat, one in enumerate(row["opponents"][: task.players]) if seat != row["learner"])
        for row in play._games.tables
    }
    assert len(seated) == max(len(task.opponents), 1) ** (task.players - 1)


def test_villages_are_drawn_or_on_one_side_of_every_tile() -> None:
    board = Board.standard()
    first, second = ({village.name for village in board.one_side(side)} for side in (0, 1))
    assert first.isdisjoint(second)
    assert len(first) == len(second) == len(board.tiles)
    for players in (2, 4):
        kept = len(board.kept_tiles(players))
        for villages, known in (("first", first), ("second", second)):
            (found,) = set(names_at(Task("", players, ("greedy",), villages)))
            assert found <= known
            assert len(found) == kept
    assert len(set(names_at(TASKS["2p-planner"]))) > 20
    assert {task.villages for task in TASKS.values()} | {"second"} == set(VILLAGES)


FIXED = dict(opponents=["greedy"], num_players=3, advice=True, shares=[1], mixed=1.0, max_turns=9)


@pytest.mark.parametrize(("name", "value"), FIXED.items())
def test_what_a_task_fixes_is_refused(name: str, value: Any) -> None:
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(BadSetup, match=f"^task 2p-greedy: {name}: the task fixes it"):
            make("bohemian_env/Villages-2p-greedy-v0", **{name: value})
    with pytest.raises(BadSetup, match=name):
        TASKS["2p-greedy"].parameters(**{name: value})


def test_rewards_and_what_is_shown_are_free() -> None:
    env: Any = gymnasium.make_vec("bohemian_env/Villages-4p-mixed-v0", 2, reward="margin", normalized=True)
    assert env.reset(seed=1)[0]["observation"].dtype == np.float32
    flat = gymnasium.make("bohemian_env/Villages-2p-planner-v0", flat=True, illegal="end")
    assert flat.reset(seed=1)[0].shape == (686,)
