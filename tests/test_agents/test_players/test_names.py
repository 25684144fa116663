"""The grammar of agents' names: every form of it, and what is refused with which words."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.players.names import DEFAULT_BUDGETS, AgentName, Budget, UnknownAgent, known
from bohemian_env.engine.errors import brief
from bohemian_env.villages.opponents import SCRIPTED

MONTE_CARLO, SEARCH = DEFAULT_BUDGETS["montecarlo"], DEFAULT_BUDGETS["search"]
FORMS = [
    *((name, "scripted", "", Budget()) for name in SCRIPTED),
    ("montecarlo", "montecarlo", "", MONTE_CARLO),
    ("montecarlo:1000000", "montecarlo", "", Budget(1_000_000, 0)),
    ("montecarlo:2.5ms", "montecarlo", "", Budget(0, 2.5)),
    ("selftaught", "selftaught", "", Budget()),
    ("ppo", "ppo", "ppo", Budget()),
    ("search:ppo", "search", "ppo", SEARCH),
    ("search:ppo:20ms", "search", "ppo", Budget(0, 20)),
    ("search:runs/a:b:64", "search", "runs/a:b", Budget(64, 0)),
    ("search:agent.safetensors:2.5ms", "search", "agent.safetensors", Budget(0, 2.5)),
    ("runs/first", "trained", "runs/first", Budget()),
    ("runs/a:b", "trained", "runs/a:b", Budget()),
    ("appraiser:runs/first", "appraiser", "runs/first", Budget()),
    ("python:mine.py", "python", "mine.py", Budget()),
    ("run:decisions-1000000/2p-planner/pqn-0.json", "run", "decisions-1000000/2p-planner/pqn-0.json", Budget()),
    ("program:sh", "program", "sh", Budget(0, 5000)),
    ("program:1.5ms:sh x:y", "program", "sh x:y", Budget(0, 1.5)),
    ("program:sh 20ms:x", "program", "sh 20ms:x", Budget(0, 5000)),
]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, the current one, with two runs and a file of weights."""
    monkeypatch.chdir(tmp_path)
    for run in ("first", "a:b"):
        Path("runs", run).mkdir(parents=True)
    Path("agent.safetensors").touch()
    Path("mine.py").touch()


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("text", "kind", "source", "budget"), FORMS)
def test_every_form_of_a_name(text: str, kind: str, source: str, budget: Budget) -> None:
    named = AgentName.parse(text)
    assert (named.text, named.kind, named.source, named.budget) == (text, kind, source, budget)
    assert AgentName.parse(Path(text)) == named


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("text", ["greedy", "montecarlo", "montecarlo:64", "ppo", "search:ppo", "search:ppo:20ms"])
def test_a_name_goes_before_a_path(text: str) -> None:
    """Whatever is called so; ./ means the path."""
    named = AgentName.parse(text)
    Path(text).mkdir()
    Path("ppo").mkdir(exist_ok=True)
    assert AgentName.parse(text) == named
    assert AgentName.parse(f"./{text}").kind == "trained"
    assert AgentName.parse(f"./{text}").source == f"./{text}"
    assert AgentName.parse("search:./ppo").source == "./ppo"


def test_every_kind_has_a_form_and_what_needs_nothing_else_is_known() -> None:
    assert {kind for _, kind, _, _ in FORMS} == set(get_args(get_type_hints(AgentName)["kind"]))
    assert [AgentName.parse(name).text for name in known()] == known()
    assert {AgentName.parse(name).kind for name in known()} == {"scripted", "montecarlo", "selftaught", "ppo", "search"}


BUDGET = "is neither playouts a move (64) nor a time (20ms)"
OUTSIDE = "the number must be from 1 to 1,000,000"
TRAINED = "search takes appraiser or a trained agent, such as search:ppo or search:runs/first"
KNOWN = (
    "known are random, greedy, planner, rusher, hoarder, appraiser, montecarlo, search:appraiser, selftaught, ppo, "
    "search:ppo, the path of a trained one, appraiser:FOLDER, python:FILE and program:COMMAND"
)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", KNOWN),
        ("gredy", f"{KNOWN}; greedy is like it"),
        ("ppo:20ms", KNOWN),
        ("\0", KNOWN),
        ("appraiser:agent.safetensors", "there is no folder 'agent.safetensors'"),
        ("python:", "there is no file ''"),
        ("program:", "no command"),
        ("program:./nothing-of-this-name", "there is no program './nothing-of-this-name' that can be started"),
        ("program:sh -c 'a", "No closing quotation"),
        ("program:2..ms:sh", f"'2..ms' {BUDGET}"),
        ("montecarlo:", f"'' {BUDGET}"),
        ("montecarlo:٣", f"'٣' {BUDGET}"),
        ("montecarlo:1000001", f"'1000001': {OUTSIDE}"),
        ("search", TRAINED),
        ("search:greedy", f"there is no file or folder 'greedy'; {TRAINED}"),
        ("search:ppo:fast", f"there is no file or folder 'ppo:fast'; {TRAINED}"),
        ("search:runs/first:1000001ms", f"'1000001ms': {OUTSIDE}"),
    ],
)
def test_other_names_are_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(UnknownAgent) as refused:
        AgentName.parse(text)
    assert str(refused.value) == f"unknown agent {brief(text)}: {reason}"


parts = ["montecarlo", "search", "ppo", *SCRIPTED, ":", ":", "64", "0", "20ms", "2.5ms", "s", "runs/first"]
pieces = st.sampled_from(parts)


@given(st.lists(pieces, max_size=6).map("".join) | st.text(max_size=40))
def test_a_name_says_itself_again_or_is_refused_by_name(text: str) -> None:
    try:
        named = AgentName.parse(text)
    except UnknownAgent:
        with pytest.raises(UnknownAgent, match=rf"^unknown agent {re.escape(repr(text))}: \S"):
            AgentName.parse(text)
    else:
        assert named.text == text
        assert AgentName.parse(named.text) == named
        assert (named.budget == Budget()) == (named.kind not in ("montecarlo", "search"))
