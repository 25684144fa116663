"""The names of agents: what they ask for, and what is no name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.players.names import DEFAULT_BUDGETS, AgentName, Budget, UnknownAgent


@pytest.mark.parametrize(
    ("ending", "budget"),
    [(":1", Budget(1)), (":64", Budget(64)), (":20ms", Budget(0, 20)), (":2.5ms", Budget(0, 2.5))],
)
def test_names_say_how_much_a_search_may_think(ending: str, budget: Budget, trained: Path) -> None:
    assert AgentName.parse("montecarlo" + ending).budget == budget
    for source in ("ppo", str(trained)):
        named = AgentName.parse(f"search:{source}{ending}")
        assert (named.kind, named.source, named.budget) == ("search", source, budget)


def test_names_without_a_number_ask_for_the_usual(trained: Path) -> None:
    assert AgentName.parse("montecarlo").budget == DEFAULT_BUDGETS["montecarlo"] == Budget(playouts=256)
    assert AgentName.parse(f"search:{trained}").budget == DEFAULT_BUDGETS["search"]
    assert DEFAULT_BUDGETS["search"].playouts == 0
    assert DEFAULT_BUDGETS["search"].milliseconds <= 25  # a time that one waits gladly


def test_a_path_is_a_name(trained: Path) -> None:
    named = AgentName.parse(trained)
    assert (named.text, named.kind, named.source) == (str(trained), "trained", str(trained))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("montecarlo:", "neither playouts a move"),
        ("montecarlo:-3", "neither playouts a move"),
        ("montecarlo:20s", "neither playouts a move"),
        ("montecarlo:64:1", "neither playouts a move"),
        ("montecarlo:0", "from 1 to 1,000,000"),
        ("montecarlo:0ms", "from 1 to 1,000,000"),
        ("montecarlo:1000001", "from 1 to 1,000,000"),
        ("search", "search takes a trained agent"),
        ("search:", "search takes a trained agent"),
        ("search:nowhere", "search takes a trained agent"),
        ("search:nowhere:5", "search takes a trained agent"),
        ("search:ppo:0", "from 1 to 1,000,000"),
        ("search:ppo:5s", "neither playouts a move"),
        ("gredy", "known are random, greedy"),
        ("Greedy", "known are random, greedy"),
    ],
)
def test_what_is_no_name_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(UnknownAgent, match=reason) as refused:
        AgentName.parse(name)
    assert repr(name) in str(refused.value)
