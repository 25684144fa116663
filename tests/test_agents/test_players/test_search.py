"""Search with a network, as an agent: its name, its budget and its dice."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from bohemian_env import Game


def test_the_network_is_the_one_that_was_there_when_it_was_made(trained: Path, tmp_path: Path) -> None:
    """At tables of every size, though a run goes on and writes another one meanwhile."""
    folder = tmp_path / "run"
    shutil.copytree(trained, folder)
    agent: Any = agents.make(f"search:{folder}:40", 1)
    shutil.rmtree(folder)
    assert agent.files == (folder / "agent.safetensors",)
    assert agent._at(2)[0] is agent._at(5)[0]
    assert agent.decide(Game.new(4, seed=1).roll().states, np.zeros(1, np.uint64), np.zeros(1, np.int64)).shape == (1,)


@pytest.mark.parametrize(("budget", "rough"), [("40", False), ("2ms", True)])
def test_so_many_playouts_find_the_same_on_every_processor(
    budget: str, rough: bool, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who goes by time, and so by the machine anyway, is less exact where that is quicker."""
    monkeypatch.setattr("agents.players.search.bfloat16_pays", lambda device: True)
    agent: Any = agents.make(f"search:{trained}:{budget}", 1)
    assert agent._at(2)[1].bfloat16 is rough


def test_chances_are_those_of_the_appraiser() -> None:
    search, policy, appraiser = (agents.make(name, 5) for name in ("search:ppo:40", "ppo", "appraiser"))
    for seed in range(6):
        game = Game.new(2, seed=seed).roll()
        told = [agent.explain(game) for agent in (search, policy, appraiser)]
        assert told[0].chances == told[1].chances == told[2].values
        assert told[0].chance == told[1].chance == told[2].chance == max(told[2].values.values())
