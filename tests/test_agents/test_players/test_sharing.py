"""One agent object asked by several threads, copied, pickled or forked, and a PyTorch that is set up otherwise."""

import copy
import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

import agents
from agents.network.net import bfloat16_pays
from agents.players.program import ProgramAgent
from bohemian_env import Game, MissingExtra

MISBEHAVING = Path(__file__).with_name("misbehaving.py")
"""A program that makes the first of the legal moves, until a decision to which nobody comes here."""
NAMES = (
    "random", "greedy", "planner", "appraiser", "selftaught", "montecarlo:16", "search:appraiser:16", "ppo",
    "search:ppo:16", f"program:{sys.executable} -S {MISBEHAVING} hang 1000000",
)  # fmt: skip
every_name = pytest.mark.parametrize("name", NAMES, ids=lambda name: name.partition(" ")[0].partition("/")[0])


def games_of(players: int, moves: int) -> Iterator[Game]:
    """Moments of a game in which somebody decides."""
    game, walker = Game.new(players, seed=players).dealt(), agents.make("random", 1)
    for _ in range(moves):
        yield game
        game = game.push(walker.move(game)).dealt()


GAMES = [game for players in (2, 3, 5) for game in games_of(players, 15)]


@pytest.fixture(autouse=True)
def ended() -> Iterator[list[ProgramAgent]]:
    """Programs to be ended with the test."""
    to_end: list[ProgramAgent] = []
    yield to_end
    for agent in to_end:
        agent.end()


def made(name: str, ended: list[ProgramAgent]) -> agents.Agent:
    """An agent of seed 1."""
    agent = agents.make(name, seed=1)
    if isinstance(agent, ProgramAgent):
        ended.append(agent)
    return agent


@every_name
def test_threads_get_the_answers_that_one_gets(name: str, ended: list[ProgramAgent]) -> None:
    agent, asked = made(name, ended), GAMES * 2
    alone = [agent.move(game) for game in GAMES]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(agent.move, asked)) == alone * 2
        explained = list(pool.map(agent.explain, GAMES[::5]))
    assert explained == [agent.explain(game) for game in GAMES[::5]]


@every_name
@pytest.mark.parametrize("begun", [False, True])
def test_copies_and_pickles_play_the_same(name: str, begun: bool, ended: list[ProgramAgent]) -> None:
    agent = made(name, ended)
    if begun:
        agent.move(GAMES[0])
    wanted = [agent.move(game) for game in GAMES[::7]]
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        if isinstance(other, ProgramAgent):
            ended.append(other)
        assert [other.move(game) for game in GAMES[::7]] == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_forked_process_has_a_program_of_its_own(ended: list[ProgramAgent]) -> None:
    """Both processes ask at once, and the program of the first one lives on."""
    agent = made(NAMES[-1], ended)
    wanted = [agent.move(game) for game in GAMES]
    pid = os.fork()
    if not pid:
        status = 1
        try:
            status = int([agent.move(game) for game in GAMES] != wanted)
            agent.end()  # type: ignore[attr-defined]
        finally:
            os._exit(status)
    assert [agent.move(game) for game in GAMES] == wanted
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert [agent.move(game) for game in GAMES] == wanted


@pytest.mark.parametrize("name", ["ppo", "search:ppo:16", "agents/pretrained/3-players.safetensors"])
def test_defaults_of_pytorch_change_nothing(name: str) -> None:
    wanted = [agents.make(name, 1).move(game) for game in GAMES[::6]]
    for kind in (torch.float64, torch.bfloat16):
        torch.set_default_dtype(kind)
        try:
            assert [agents.make(name, 1).move(game) for game in GAMES[::6]] == wanted
        finally:
            torch.set_default_dtype(torch.float32)
    with torch.device("meta"):
        assert [agents.make(name, 1).move(game) for game in GAMES[::6]] == wanted


def test_to_load_an_agent_draws_no_random_number() -> None:
    before = torch.get_rng_state()
    for name in ("ppo", "search:ppo:16", "agents/pretrained/3-players.safetensors"):
        agents.make(name, seed=3).move(GAMES[0])
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("device", ["mps", "xpu", "meta"])
def test_no_device_but_a_cuda_gpu_is_asked_for_its_bfloat16(device: str) -> None:
    assert not bfloat16_pays(device)


def test_without_pytorch_a_trained_agent_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("agents.players.policy", "agents.players.search", "agents.players.shipped"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"'ppo' needs torch, which is not installed: .*make setup"):
        agents.make("ppo")


def test_a_seed_that_nobody_gave_is_kept_by_every_reader_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda bits: 2**bits - 1)
    assert agents.make("montecarlo:4")._seed < 2**53  # type: ignore[attr-defined]
