"""The agent of values that comes with Agricola: alone over all orders of the cards, and among planners."""

import json
from pathlib import Path

import numpy as np
import pytest

from agents.players.values import load_values
from agents.tournament import compare, enter
from bohemian_env.agricola import Setup
from bohemian_env.agricola.contract import RULES
from tests.reference.agricola import PlainGame
from tests.test_agricola.compiled import CompiledGame
from tests.test_agricola.test_opponents import orders

FOLDER = Path(__file__).resolve().parents[2] / "agents/pretrained/agricola"
BEST = Path(__file__).resolve().parents[1] / "data/games/agricola-solo.json"


def test_there_are_weights_for_each_number_of_players() -> None:
    agent = load_values(FOLDER)
    assert agent.weights.shape[0] == len(RULES.players)
    assert (FOLDER / "agent.safetensors").stat().st_size < 3_000_000
    told = json.loads((FOLDER / "agent.json").read_text(encoding="utf-8"))
    assert [run["players"] for run in told["about"]["runs"]] == [*RULES.players]


@pytest.mark.slow
def test_alone_it_farms_well_over_all_orders() -> None:
    cards = orders()
    agent, states = load_values(FOLDER), np.concatenate([Setup(1).start().new_state() for _ in cards])
    seeds = np.zeros(len(cards), np.uint64)
    while (alive := np.flatnonzero(states["end"] == 0)).size:
        for i in alive:
            while states[i]["pending"]:
                RULES.verbs.deal(states[i], cards[i][states[i]["turn"]])
        for i, action in zip(alive, agent.decide(states, seeds, alive), strict=True):
            RULES.verbs.push(states[i], action)
    totals = [RULES.scoring_of(s)[0]["total"] for s in states]
    assert len(totals) == 1152
    assert np.mean(totals) >= 60
    assert min(totals) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 6))
def test_it_beats_planners(players: int) -> None:
    """By seeds, so that the shares are always the same."""
    entrants = enter([str(FOLDER), "planner"], 7, game=RULES.name)
    found = compare(entrants, Setup(players), games=60, tables="single", seed=7).results[0]
    assert found.share.value > 0.9


@pytest.mark.parametrize("rules", [CompiledGame, PlainGame])
def test_the_best_game_found_is_worth_what_it_says(rules: type[CompiledGame] | type[PlainGame]) -> None:
    """With the order of the cards known, and food in the storehouse (A10)."""
    best = json.loads(BEST.read_text(encoding="utf-8"))
    game, moves = rules(1, True), iter(best["moves"])
    for card in best["order"]:
        game.reveal(card)
        while game.position()["decision"] is not None:
            game.play(next(moves))
    assert game.position()["phase"] == "over"
    assert next(moves, None) is None
    assert game.scores()[0]["total"] == best["total"]
