"""The reference algorithms: each follows from its seed, plays legal moves, and can be written down and read again."""

import inspect
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from benchmarks.algorithms import ALGORITHMS, agent, cloning, expert_iteration, masked_dqn, pqn, td_lambda
from benchmarks.algorithms.ppo_unmasked import Unmasked
from benchmarks.learning.cells import module_of
from benchmarks.learning.score import score
from bohemian_env import TASKS, Batch, Game, observation_scale
from bohemian_env.villages.faces import SelfPlay
from tests.helpers import ROOT

FOLDER = ROOT / "benchmarks" / "algorithms"
EACH = pytest.mark.parametrize("name", ALGORITHMS)
SMALL: dict[str, dict[str, Any]] = {
    "masked_dqn": {"games": 8, "minibatch": 32},
    "td_lambda": {"games": 16, "minibatch": 64},
    "evolution": {"population": 4, "games": 4},
    "expert_iteration": {"games": 16, "minibatch": 16, "searched": 2, "depth": 4},
    "cloning": {"games": 16},
    "a2c": {"games": 4},
}
"""Settings with which a few decisions are enough to learn something."""


def learnt(name: str, seed: int = 5, task: str = "2p-greedy", decisions: int = 600) -> tuple[list[int], Any]:
    """After how many decisions an algorithm yields, and its last agent."""
    settings = SMALL.get(name, {"games": 8, "horizon": 16, "minibatch": 64})
    torch.set_num_threads(1)
    learning = module_of(name).learn(TASKS[task], lambda so_far: max(0.0, 1 - so_far / decisions), seed, **settings)
    steps, agents = zip(*learning, strict=True)
    return list(steps), agents[-1]


def actions(player: Any, task: str = "2p-greedy") -> np.ndarray:
    """What an agent does in some games of a task, which must be legal."""
    play, found = SelfPlay(40, **TASKS[task].parameters(seed=77)), []
    for _ in range(6):
        chosen = player.act_batch(play) if hasattr(player, "act_batch") else player.act(play.observations, play.masks)
        found.append(np.array(chosen))
        play.step(chosen)
    return np.array(found)


@pytest.mark.slow
@EACH
def test_it_learns_until_nothing_is_left_and_follows_from_its_seed(name: str) -> None:
    steps, one = learnt(name)
    assert steps == sorted(set(steps))
    assert steps[-1] >= 600
    assert all(step < 600 for step in steps[:-1])
    again, other = learnt(name)[1], learnt(name, seed=6)[1]
    same, different = one.tensors(), other.tensors()
    assert all(torch.equal(value, again.tensors()[key]) for key, value in same.items())
    assert any(not torch.equal(value, different[key]) for key, value in same.items())


@EACH
def test_its_agent_is_made_again_of_its_tensors(name: str) -> None:
    player = learnt(name, task="4p-mixed")[1]
    again = module_of(name).Agent.of(player.tensors())
    assert_array_equal(actions(player), actions(again))
    if hasattr(player, "move"):
        game = Game.new(3, seed=4).roll()
        assert player.move(game) == again.move(game)
        assert player.move(game) in game.legal_actions
        batch = Batch(3, 3)
        wanted = [player.move(Game.from_position(batch.state_dict(i))) for i in range(3)]
        assert_array_equal(player.act_batch(batch), wanted)
        assert_array_equal(player.act_batch(batch, np.array([2, 0])), [wanted[2], wanted[0]])
    with pytest.raises(ValueError, match=r"is no layer|not the 22 weights"):
        module_of(name).Agent.of({"nonsense": torch.zeros(3)})


@EACH
def test_a_file_is_short_and_says_what_can_be_chosen(name: str) -> None:
    module = module_of(name)
    lines = inspect.getsource(module).splitlines()
    assert 40 < len(lines) < 200
    parameters = inspect.signature(module.learn).parameters
    assert list(parameters)[:3] == ["task", "left", "seed"]
    for setting, values in module.SPACE.items():
        assert parameters[setting].kind is inspect.Parameter.KEYWORD_ONLY
        assert len(set(values)) == len(values) > 1


def test_every_file_is_named_with_what_it_is() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*ALGORITHMS, "agent", "__init__"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cloning", "td_lambda", "evolution", "maskable_ppo"])
def test_it_learns_something(name: str) -> None:
    """Within some seconds, what beats an agent that draws its moves."""
    task = TASKS["2p-greedy"]
    *_, (_, player) = module_of(name).learn(task, lambda so_far: max(0.0, 1 - so_far / 60_000), 1)
    assert score(player, task, 500, 2**50).low > 0.15


def test_lambda_returns_join_what_came_and_what_was_expected() -> None:
    """Two games, three steps; the second ends at its second step."""
    rewards = torch.tensor([[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    over = torch.tensor([[False, False], [False, True], [False, False]])
    best = torch.tensor([[9.0, 9.0], [0.2, 0.4], [0.6, 0.8]])
    following = torch.tensor([1.0, 2.0])
    half = pqn.returns(rewards, over, best, following, 0.5)
    assert torch.allclose(half[2], torch.tensor([1.0, 2.0]))
    assert torch.allclose(half[1], torch.tensor([0.5 * 1.0 + 0.5 * 0.6, 1.0]))
    assert torch.allclose(half[0], torch.tensor([0.5 * 0.8 + 0.5 * 0.2, 0.5 * 1.0 + 0.5 * 0.4]))
    assert torch.allclose(pqn.returns(rewards, over, best, following, 0.0)[0], torch.tensor([0.2, 0.4]))
    assert torch.allclose(pqn.returns(rewards, over, best, following, 1.0)[0], torch.tensor([1.0, 1.0]))


def test_the_memory_sums_rewards_up_to_the_end_of_a_game() -> None:
    memory = masked_dqn.Memory(6, 1, 1, 2)
    for step in range(9):  # the first three are written over
        memory.add(np.array([[step]]), np.array([[1, 0]]), np.array([0]), np.array([10.0**step]), np.array([step == 5]))
    seen, _, reward, now, _, going = memory.draw(np.random.default_rng(0), 200, 2)
    columns = zip(seen[:, 0], reward, now[:, 0], going, strict=True)
    rows = {int(a): (float(r), int(b), bool(g)) for a, r, b, g in columns}
    assert rows == {
        3: (11_000.0, 5, True), 4: (110_000.0, 6, False), 5: (100_000.0, 7, False), 6: (11_000_000.0, 8, True),
    }  # fmt: skip


def test_without_a_mask_an_illegal_action_ends_the_game() -> None:
    env = Unmasked(4, **TASKS["2p-greedy"].parameters(seed=1))
    env.reset()
    masks, before = env.action_masks().copy(), env.games.seeds.copy()
    chosen = masks.argmax(1)
    chosen[2] = masks[2].argmin()
    seen = env.games.observations[2].copy()
    _, rewards, dones, infos = env.step(chosen)
    assert dones.tolist() == [False, False, True, False]
    assert rewards.tolist() == [0, 0, -1, 0]
    assert infos[2]["illegal"]
    assert_array_equal(infos[2]["terminal_observation"] * observation_scale(), seen)
    assert (env.games.seeds != before).tolist() == [False, False, True, False]
    assert env.action_masks().any(1).all()


def test_after_states_that_end_the_game_are_worth_their_reward() -> None:
    player = td_lambda.Agent(torch.nn.Sequential(torch.nn.Linear(686, 1), torch.nn.Tanh()))
    play = SelfPlay(64, **TASKS["2p-greedy"].parameters(seed=2))
    ended = 0
    for _ in range(40):
        after, values, best = player.best(play)
        assert_array_equal(after.games[best], np.arange(play.n))
        for number, place in enumerate(best):
            assert values[place] == values[after.games == number].max()
        learner = play.learners[after.games]
        assert_array_equal(values[after.ended], after.rewards[after.ended, learner[after.ended]].astype(float))
        ended += int(after.ended.sum())
        play.step(after.actions[best])
    assert ended > 0


def test_a_network_is_written_and_read_layer_by_layer() -> None:
    net = torch.nn.Sequential(
        torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.ReLU(), torch.nn.Linear(4, 2), torch.nn.Tanh()
    )
    again = agent.layers_of(agent.tensors_of(net))
    assert str(again) == str(net)
    given = torch.rand(5, 3)
    assert torch.equal(again(given), net(given))


def test_cloning_shares_its_target_among_equal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``planner`` thinks equal is all chosen alike: its advice is 0 at the best actions alone."""
    asked: list[tuple[np.ndarray, np.ndarray]] = []
    usual = torch.nn.functional.cross_entropy

    def entropy(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        asked.append((scores.detach().numpy(), targets.numpy()))
        return usual(scores, targets)

    monkeypatch.setattr(torch.nn.functional, "cross_entropy", entropy)
    next(cloning.learn(TASKS["2p-planner"], lambda decisions: 1.0, 5, games=16, horizon=2, minibatch=32, epochs=1))
    scores, targets = (np.concatenate(column) for column in zip(*asked, strict=True))
    assert targets.shape == (32, 241)
    assert_allclose(targets.sum(1), 1, rtol=1e-6)
    best = targets > 0
    assert_allclose(targets, best / best.sum(1, keepdims=True), rtol=1e-6)
    legal = scores > -1e8
    assert not (best & ~legal).any()
    assert (best.sum(1) > 1).any()
    assert (best.sum(1) < legal.sum(1)).any()


def test_imagined_games_end_with_their_reward_or_with_what_the_network_says() -> None:
    player = learnt("expert_iteration")[1]
    for depth in (1, 200):
        games = SelfPlay(20, **TASKS["2p-greedy"].parameters(reward="margin", seed=3), autoreset=False)
        after, _, best = player.best(games)
        paths, ends = expert_iteration.played_on(games, player, after.actions[best], depth)
        if depth == 1:
            assert not games.over.any()
            _, values, best = player.best(games)
            assert_allclose(ends, values[best])
            assert [[value for _, value in path] for path in paths] == [[value] for value in ends]
        else:
            assert games.over.all()
            assert_array_equal(np.sign(ends), np.sign(games.ended.margin))
