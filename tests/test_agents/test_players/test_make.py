"""Agents by name or path, what every agent owes; random is fair, greedy sees what is plain."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from pettingzoo import AECEnv
from scipy import stats

import agents
from agents.network.files import BadAgent, save_net
from agents.network.net import PolicyNet, Shape
from bohemian_env import Batch, Board, bohemian_villages_v0
from bohemian_env.game.actions import END, REROLLS
from bohemian_env.opponents.planner import VERSION
from tests.helpers import BOARD, SIX, VILLAGES, game_at

ROOT = Path(__file__).resolve().parents[3]
SCRIPTED = ("random", "greedy", "planner", "rusher", "hoarder")
MONTE_CARLO = "montecarlo:8"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an agent with a small network of chance weights."""
    import torch

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("trained")
    save_net(PolicyNet(Shape((16,), (16,), ())), folder / "agent.safetensors", Board.standard(), {})
    return folder


@pytest.fixture
def each(request: pytest.FixtureRequest, trained: Path) -> str:
    """The name of one of the agents: a scripted one's, or the trained one's path."""
    return str(trained) if request.param == "trained" else request.param


every_agent = pytest.mark.parametrize("each", [*SCRIPTED, MONTE_CARLO, "trained", "ppo"], indirect=True)


def choice(name: str, **parts: Any) -> str:
    """The move of an agent in `position(**parts)` of two players on the villages SIX."""
    game = game_at(villages=SIX, **parts)
    env = bohemian_villages_v0.raw_env(2, SIX, board=BOARD)
    env.reset(seed=0)
    at = {"position": game._states, "agent_selection": env.possible_agents[game.to_move]}
    env.set_state(env.get_state() | at)
    return env.action_to_text(agents.make(name, 0).act(env))


def of_one_position(n: int, **parts: Any) -> Batch:
    """A batch of n games, of seeds 0 to n - 1, that all stand at `position(**parts)` on SIX."""
    batch = Batch(n, 2, SIX, board=BOARD)
    batch.states[:] = game_at(villages=SIX, **parts)._states
    return batch


def games_of(name: str, seed: int = 0, n: int = 16, players: int = 2, steps: int = 60) -> np.ndarray:
    """The actions of an agent that plays all seats of a batch: shape (steps, n)."""
    batch = Batch(n, players)
    agent = agents.make(name, seed)
    actions = []
    for _ in range(steps):
        actions.append(agent.act_batch(batch))
        batch.step(actions[-1])
    return np.array(actions)


# --- names and paths --------------------------------------------------------------------------------------------


def test_known_names_make_agents_that_say_them() -> None:
    names = [*SCRIPTED, "montecarlo", "ppo", "search:ppo"]
    assert agents.known() == names
    assert [agents.make(name).name for name in names] == names
    assert agents.make(MONTE_CARLO).name == MONTE_CARLO


@pytest.mark.parametrize("name", ["gredy", "Greedy", "runs/none", Path("runs/none"), "none.safetensors"])
def test_unknown_names_are_refused_with_the_known_ones(
    name: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(agents.UnknownAgent) as refused:
        agents.make(name)
    assert f"unknown agent {str(name)!r}" in str(refused.value)
    known = "random, greedy, planner, rusher, hoarder, montecarlo, ppo, search:ppo, and the path of a trained"
    assert known in str(refused.value)


def test_paths_without_an_agent_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(BadAgent, match=r"no trained agent in this folder: agent\.safetensors is missing"):
        agents.make(tmp_path)
    (tmp_path / "agent.json").write_text("{}")
    with pytest.raises(BadAgent, match=r"agent\.json: a trained agent is a \.safetensors file, or the folder"):
        agents.make(tmp_path / "agent.json")


def test_a_trained_agent_is_found_by_folder_or_file(trained: Path) -> None:
    batch = Batch(32)
    file = trained / "agent.safetensors"
    actions = [agents.make(path).act_batch(batch) for path in (trained, str(trained), file, str(file))]
    for other in actions[1:]:
        assert_array_equal(other, actions[0])
    assert agents.make(trained).name == str(trained)


def test_a_trained_agent_plays_on_the_board_it_learnt_on(trained: Path) -> None:
    assert agents.make(trained, board=Board.standard())
    with pytest.raises(BadAgent, match="it was trained on another board"):
        agents.make(trained, board=Board.of_villages([{"name": "Alone", "buildings": ["inn"]}], 3, 300, 7))


def test_importing_and_making_scripted_agents_does_not_load_torch() -> None:
    code = "import sys, agents; [agents.make(n) for n in agents.known() if 'ppo' not in n]; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert "agents.scripted" in loaded
    assert not {"torch", "stable_baselines3", "sb3_contrib", "safetensors"} & set(loaded)


# --- what every agent owes --------------------------------------------------------------------------------------


@every_agent
def test_the_same_seed_plays_the_same(each: str) -> None:
    assert_array_equal(games_of(each, seed=7), games_of(each, seed=7))


@pytest.mark.parametrize("name", ["random", "greedy", MONTE_CARLO])
def test_another_seed_plays_otherwise(name: str) -> None:
    played = [games_of(name, seed=seed) for seed in (7, 8, 2**63 - 1)]
    assert not np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_without_a_seed_each_agent_has_its_own_chances() -> None:
    batch = Batch(64)
    first, second = (agents.make("random").act_batch(batch) for _ in range(2))
    assert not np.array_equal(first, second)


@every_agent
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_act_on_both_environments_is_act_batch_and_legal(each: str, players: int) -> None:
    first = 1000 * players
    batch = Batch(3, players, autoreset=False, max_turns=60)
    batch.reset(first)
    worlds: list[AECEnv] = []
    for i in range(batch.n):
        for make in (bohemian_villages_v0.env, bohemian_villages_v0.raw_env):
            worlds.append(make(players, max_turns=60))
            worlds[-1].reset(seed=first + i)
    by_batch, by_env = agents.make(each, 5), agents.make(each, 5)
    decisions = 0
    while not batch.over.all():
        actions = by_batch.act_batch(batch)
        for i in np.flatnonzero(~batch.over):
            assert batch.masks[i, actions[i]] == 1
            for env in worlds[2 * i : 2 * i + 2]:
                env.last()  # the wrappers want to have shown what is acted on
                assert by_env.act(env) == actions[i]
                env.step(int(actions[i]))
            decisions += 1
        assert_array_equal(actions[batch.over], 0)
        batch.step(actions)
    assert decisions > 100
    assert all(all(env.terminations.values()) or all(env.truncations.values()) for env in worlds)


@every_agent
def test_act_batch_decides_the_games_it_is_asked_for(each: str) -> None:
    batch = Batch(20, 3)
    for actions in games_of("random", 1, 20, 3, steps=20):
        batch.step(actions)
    asked = np.array([13, 2, 2, 19])
    assert_array_equal(agents.make(each, 3).act_batch(batch, asked), agents.make(each, 3).act_batch(batch)[asked])


@every_agent
def test_an_agent_does_not_change_the_games(each: str) -> None:
    batch = Batch(8, 3)
    before = batch.states.copy()
    agents.make(each, 3).act_batch(batch)
    assert_array_equal(batch.states, before)


def environment(players: int = 2, moves: int = 12) -> AECEnv:
    """An environment some random moves into the game of seed 4."""
    env = bohemian_villages_v0.raw_env(players)
    env.reset(seed=4)
    agent = agents.make("random", 1)
    for _ in range(moves):
        env.step(agent.act(env))
    return env


@every_agent
@pytest.mark.parametrize("players", [2, 5])
def test_an_explanation_has_a_number_for_each_legal_action(each: str, players: int) -> None:
    env = environment(players)
    agent = agents.make(each, 3)
    before = env.states.copy()
    said = agent.explain(env)
    assert_array_equal(sorted(said.values), np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
    assert_array_equal(env.states, before)
    assert said.kind in ("probability", "coins ahead", "chance of winning")
    if said.kind == "probability":
        assert sum(said.values.values()) == pytest.approx(1, abs=1e-5)
    if said.kind == "chance of winning":
        assert said.chances == said.values
        assert all(0 <= chance <= 1 for chance in said.values.values())
    if each != "random":  # which takes any
        assert said.values[agent.act(env)] == max(said.values.values())


@every_agent
def test_there_is_nothing_to_explain_before_and_after_a_game(each: str) -> None:
    env = bohemian_villages_v0.env()
    agent = agents.make(each, 0)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        agent.explain(env)
    raw = environment(moves=0)
    walker = agents.make("random", 1)
    while not any(raw.terminations.values()):
        raw.step(walker.act(raw))
    with pytest.raises(ValueError, match="the game is over"):
        agent.explain(raw)


# --- random -----------------------------------------------------------------------------------------------------

OPENING: dict[str, Any] = dict(dice=(1, 2, 3, 6), special=(0,))
N = 40_000


def counts(actions: np.ndarray, batch: Batch) -> np.ndarray:
    """How often each of the actions was taken that are legal in the one position of the batch; no others were."""
    legal = np.flatnonzero(batch.masks[0])
    assert len(legal) > 20
    assert np.isin(actions, legal).all()
    return np.bincount(actions, minlength=batch.masks.shape[1])[legal]


def test_random_is_uniform_over_legal_actions_whatever_the_game() -> None:
    batch = of_one_position(N, **OPENING)
    assert stats.chisquare(counts(agents.make("random", 11).act_batch(batch), batch)).pvalue > 0.001


def test_random_is_uniform_over_legal_actions_whatever_its_seed() -> None:
    batch = of_one_position(1, **OPENING)
    actions = np.concatenate([agents.make("random", seed).act_batch(batch) for seed in range(N // 4)])
    assert stats.chisquare(counts(actions, batch)).pvalue > 0.001


@pytest.mark.parametrize("later", [dict(turn=3), dict(spent=True, special=()), dict(dice=(1, 6))], ids=str)
def test_random_decides_anew_at_every_moment(later: dict[str, Any]) -> None:
    """What it took at one moment of a game says nothing about what it takes at another."""
    agent = agents.make("random", 11)
    quarters = []
    for parts in (OPENING, OPENING | later):
        batch = of_one_position(N, **parts)
        legal = np.flatnonzero(batch.masks[0])
        quarters.append(np.searchsorted(legal, agent.act_batch(batch)) * 4 // len(legal))
    seen = np.zeros((4, 4))
    np.add.at(seen, tuple(quarters), 1)
    assert stats.chi2_contingency(seen).pvalue > 0.001


# --- greedy -----------------------------------------------------------------------------------------------------
# 2, 3, 5 and 5 reach a tailor (2+3), a glass factory (2+5), a farm (3+5), a town hall (5+5) and a manor (2+5+5).

HALL = {("town_hall", "Ebersgrun"): 0}
THREE_SHOPS = {("bakery", "Grundow"): 0, ("butchery", "Chlumhof"): 0, ("dairy", "Ebersgrun"): 0}
HIGHEST_MANOR = {("manor", "Itschkau"): 1}


@pytest.mark.parametrize(
    ("owners", "wanted"),
    [
        pytest.param({}, ["5+5:town_hall", "2+3+5:town_hall"], id="a town hall, since none costs 5 coins"),
        pytest.param(THREE_SHOPS, ["2+3:tailor"], id="the fourth kind of shop, for 8 coins"),
        pytest.param(HALL, ["2+5+5:manor@Itschkau"], id="the manor of 6 coins"),
        pytest.param(HALL | HIGHEST_MANOR, ["2+5+5:manor@Chlumhof", "2+5+5:manor@Grundow"], id="a manor of 5 coins"),
    ],
)
def test_greedy_takes_what_is_worth_most(owners: dict[tuple[str, str], int], wanted: list[str]) -> None:
    assert choice("greedy", dice=(2, 3, 5, 5), owners=owners).startswith(tuple(wanted))


@pytest.mark.parametrize(("mine", "others", "church"), [(1, 1, True), (1, 3, False), (3, 1, False)])
def test_greedy_takes_a_church_for_the_majority_and_not_otherwise(mine: int, others: int, church: bool) -> None:
    """1, 4, 6 and 6 leave a church (1+4+6), or the manor of 6 coins (6+6) and another move."""
    names = [name for name in SIX if name != "Itschkau"][: mine + others]
    owners = HALL | {("church", name): int(k >= mine) for k, name in enumerate(names)}
    assert choice("greedy", dice=(1, 4, 6, 6), owners=owners).startswith("1+4+6:church@" if church else "6+6:manor@")


@pytest.mark.parametrize("full", ["Chlumhof", "Nenbrad"])
def test_greedy_kicks_out_where_the_other_has_most_to_lose(full: str) -> None:
    """All town halls are the other's; that of the village whose buildings are all occupied counts for most."""
    halls = {("town_hall", name): 1 for name in ("Chlumhof", "Ebersgrun", "Nenbrad")}
    owners = halls | {(kind, full): 1 for kind in VILLAGES[full]["buildings"]}
    assert choice("greedy", dice=(2, 3, 5, 5), owners=owners, active=[full]).endswith(f":town_hall@{full}")


def test_greedy_takes_equally_good_moves_equally_often() -> None:
    """The two manors of 5 coins."""
    batch = of_one_position(4000, dice=(2, 3, 5, 5), owners=HALL | HIGHEST_MANOR)
    seen = np.unique(agents.make("greedy", 2).act_batch(batch), return_counts=True)[1]
    assert len(seen) == 2
    assert stats.chisquare(seen).pvalue > 0.001


def test_greedy_spends_its_tile_when_it_must_and_rolls_all_dice() -> None:
    """R13: no manor is free and greedy has the bishop, so there is nothing to be done with four sixes."""
    owners = {("manor", name): 1 for name in ("Chlumhof", "Grundow", "Itschkau")}
    assert choice("greedy", dice=(6, 6, 6, 6), owners=owners, bishop=0, special=(0,)) == "reroll 6,6,6,6"


@pytest.mark.parametrize("players", [2, 5])
def test_greedy_never_spends_a_tile_unless_it_must(players: int) -> None:
    batch = Batch(100, players)
    agent = agents.make("greedy", 3)
    could = 0
    for _ in range(120):
        actions = agent.act_batch(batch)
        need_not = np.delete(batch.masks, np.s_[REROLLS:END], axis=1).any(axis=1)
        could += int((batch.masks[:, REROLLS:END].any(axis=1) & need_not).sum())
        assert not (need_not & (actions >= REROLLS) & (actions < END)).any()
        batch.step(actions)
    assert could > 500


# --- that nothing changes unnoticed -----------------------------------------------------------------------------


FINGERPRINT = {
    "random": "38335ff50605497c",
    "greedy": "79b0a511f0fada87",
    "planner": "a1ef3f024d9da7fc",
    "rusher": "ed865c9a590ce24d",
    "hoarder": "6210829329ae8eed",
    "montecarlo:16": "5a27375bceb5107e",
}


@pytest.mark.parametrize("name", FINGERPRINT)
def test_opponents_play_as_in_the_version_that_published_figures_refer_to(name: str) -> None:
    """After a change that is meant, docs/ladder.md is made again; of a planner, VERSION in planner.py grows as well."""
    assert VERSION == 1
    digest = hashlib.sha256()
    for players in (2, 3, 4, 5):
        batch = Batch(8, players)
        batch.reset(2016)
        agent = agents.make(name, 0)
        for _ in range(80):
            actions = agent.act_batch(batch)
            digest.update(actions.astype("<i8").tobytes())
            batch.step(actions)
    assert digest.hexdigest()[:16] == FINGERPRINT[name]
