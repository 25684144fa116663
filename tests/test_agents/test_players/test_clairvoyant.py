"""The beam that knows the order of the stacks: one position wide it plays as its agent, and wider it finds more."""

import pytest

from agents.players.clairvoyant import main, totals_of
from agents.players.values import load_values
from bohemian_env.games import faces_of
from tests.helpers import ROOT, Ends

FOLDER = ROOT / "agents" / "pretrained" / "dorfromantik"


@pytest.mark.slow
def test_a_wider_beam_finds_more_than_its_agent_plays_for() -> None:
    agent = load_values(FOLDER)
    batch = faces_of("dorfromantik").Batch(12, 1, autoreset=False)
    batch.reset(3)
    while not batch.over.all():
        batch.step(agent.act_batch(batch))
    alone = totals_of(agent, 12, 3, 1)
    assert alone.tolist() == batch.totals[:, 0].tolist()
    assert totals_of(agent, 12, 3, 40).sum() > alone.sum()


@pytest.mark.parametrize("options", [["--games", "1"], ["--width", "0"], ["--seed", "-1"], ["--game", "agricola"]])
def test_odd_options_are_refused(options: list[str], ends: Ends) -> None:
    assert "expected" in ends(2, main, FOLDER, *options).err or options[0] == "--game"
