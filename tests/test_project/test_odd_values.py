"""Odd values at public functions raise the named errors, which say what is wrong, and no others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents.network.files import BadAgent, find_weights, load_net
from agents.players.montecarlo import MonteCarloAgent
from agents.players.names import AgentName, UnknownAgent
from agents.players.policy import PolicyAgent, load_agent
from agents.players.scripted import ScriptedAgent
from agents.players.search import SearchAgent
from agents.tournament import BadTournament, compare, enter
from bohemian_env import Batch, Board, BohemianError, Game, Setup, observe
from bohemian_env.envs.aec import raw_env
from bohemian_env.envs.self_play import SelfPlay
from bohemian_env.opponents import Scripted
from tests.test_agents.networks import net_of

ODD: dict[str, Any] = {
    "None": None, "true": True, "-1": -1, "2**63": 2**63, "2**64": 2**64, "10**400": 10**400, "1.5": 1.5,
    "nan": float("nan"), "inf": float("inf"), "text": "x", "no text": "", "bytes": b"x", "nul": "\0",
    "long": "x" * 5000, "surrogate": "\ud800", "list": [], "numbers": [1], "nested": [[1]], "ragged": [[1], [2, 3]],
    "texts": ["x", "y"], "None in it": [None], "mapping": {}, "set": {1}, "object": object(), "function": len,
    "float32": np.float32(2), "array": np.zeros((2, 2)), "whole array": np.zeros((2, 2), np.int64),
    "no shape": np.array(3.5), "large": np.array([2**63], np.uint64), "negative": np.array([-1]),
}  # fmt: skip


def begun() -> raw_env:
    """An environment in which somebody is to move."""
    env = raw_env()
    env.reset(seed=1)
    return env


def rolled() -> Game:
    """A game in which somebody is to move."""
    return Game.new(seed=1).roll()


BATCH = Batch(3)
ENTRANTS = enter(["greedy", "random"], 0)
NET = net_of(0)

DOORS: dict[str, Callable[[Any], object]] = {
    "Setup.of(players)": lambda odd: Setup.of(odd),
    "Setup.of(villages)": lambda odd: Setup.of(2, odd),
    "Setup.start(seed)": lambda odd: Setup.of().start(odd),
    "Setup.start(names)": lambda odd: Setup.of().start(1, odd),
    "Setup.of(board)": lambda odd: Setup.of(board=odd),
    "Setup.of(coin_supply)": lambda odd: Setup.of(coin_supply=odd),
    "Setup.of(special_action_tiles)": lambda odd: Setup.of(special_action_tiles=odd),
    "Setup.of(max_turns)": lambda odd: Setup.of(max_turns=odd),
    "Board.load": lambda odd: Board.load(odd),
    "Board.from_data": lambda odd: Board.from_data(odd),
    "Game.new(players)": lambda odd: Game.new(odd),
    "Game.new(villages)": lambda odd: Game.new(2, odd),
    "Game.new(seed)": lambda odd: Game.new(seed=odd),
    "Game.new(names)": lambda odd: Game.new(names=odd),
    "Game.new(board)": lambda odd: Game.new(board=odd),
    "Game.push": lambda odd: rolled().push(odd),
    "Game.roll": lambda odd: Game.new(seed=1).roll(odd),
    "Game.from_position": lambda odd: Game.from_position(odd),
    "Game.from_record": lambda odd: Game.from_record(odd),
    "observe(seat)": lambda odd: observe(rolled(), odd),
    "raw_env(num_players)": lambda odd: raw_env(odd),
    "raw_env(reward)": lambda odd: raw_env(reward=odd),
    "raw_env(render_mode)": lambda odd: raw_env(render_mode=odd),
    "raw_env.reset": lambda odd: raw_env().reset(odd),
    "raw_env.step": lambda odd: begun().step(odd),
    "raw_env.action_to_text": lambda odd: begun().action_to_text(odd),
    "raw_env.text_to_action": lambda odd: begun().text_to_action(odd),
    "Batch(n)": lambda odd: Batch(-1 if isinstance(odd, int) and odd > 99 else odd),
    "Batch(threads)": lambda odd: Batch(1, threads=odd),
    "Batch(reward)": lambda odd: Batch(1, reward=odd),
    "Batch.reset": lambda odd: BATCH.reset(odd),
    "Batch.step": lambda odd: BATCH.step(odd),
    "Batch.random_actions": lambda odd: BATCH.random_actions(odd),
    "Batch.observe": lambda odd: BATCH.observe(odd),
    "Batch.advise": lambda odd: BATCH.advise(odd),
    "Scripted(name)": lambda odd: Scripted(odd),
    "Scripted(seed)": lambda odd: Scripted("random", odd),
    "SelfPlay(seed)": lambda odd: SelfPlay(1, [Scripted("random")], seed=odd),
    "SelfPlay(reward)": lambda odd: SelfPlay(1, [Scripted("random")], reward=odd),
    "AgentName.parse": lambda odd: AgentName.parse(odd),
    "make(name)": lambda odd: agents.make(odd),
    "make(seed)": lambda odd: agents.make("greedy", odd),
    "make(seed), montecarlo": lambda odd: agents.make("montecarlo:2", odd),
    "make(seed), ppo": lambda odd: agents.make("ppo", odd),
    "ScriptedAgent(seed)": lambda odd: ScriptedAgent("random", odd),
    "MonteCarloAgent(seed)": lambda odd: MonteCarloAgent(seed=odd),
    "PolicyAgent(seed)": lambda odd: PolicyAgent(NET, seed=odd),
    "SearchAgent(seed)": lambda odd: SearchAgent("search:ppo:2", odd),
    "act_batch(games)": lambda odd: ScriptedAgent("planner").act_batch(BATCH, odd),
    "find_weights": lambda odd: find_weights(odd),
    "load_net": lambda odd: load_net(odd),
    "load_agent": lambda odd: load_agent(odd),
    "enter(arguments)": lambda odd: enter([odd, "random"], 0),
    "enter(seed)": lambda odd: enter(["greedy", "random"], odd),
    "compare(games)": lambda odd: compare(ENTRANTS, games=odd),
    "compare(seed)": lambda odd: compare(ENTRANTS, seed=odd, games=2),
    "compare(tables)": lambda odd: compare(ENTRANTS, tables=odd, games=2),
    "compare(jobs)": lambda odd: compare(ENTRANTS, jobs=odd, games=2),
}
NAMED = (BohemianError, BadAgent, BadTournament, UnknownAgent)
"""Errors of the project."""
ALSO = {
    "Board.load": (OSError,),
    "Setup.of(board)": (OSError,),
    "Game.new(board)": (OSError,),
    "Batch.observe": (IndexError, ValueError),
    "Batch.advise": (IndexError, ValueError),
    "act_batch(games)": (IndexError, ValueError),
    "Batch.step": (ValueError,),
    "Scripted(name)": (ValueError,),
}
"""What the docstrings name besides."""


@pytest.mark.parametrize("door", DOORS)
def test_l4_l5_odd_values_raise_named_errors(door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = 0
    for name, odd in ODD.items():
        try:
            DOORS[door](odd)
        except (*NAMED, *ALSO.get(door, ())) as error:
            refused += len(str(error)) > 10
        except Exception as error:
            pytest.fail(f"{door}, {name}: {error!r}")
    assert refused > len(ODD) // 2, "it takes nearly anything"
    assert list(tmp_path.iterdir()) == []
    BATCH.reset(0)
