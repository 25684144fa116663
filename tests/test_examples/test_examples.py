"""The examples: each runs by the command in its first line, ends with the line that pages read, and is short."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec

import pytest

from examples.measure import LAST_LINE, options
from pages.libraries import CHECK, EXAMPLES, OTHERS, BadExample, command_of, names, run

LONGEST = 60
SHORT = {"openspiel_mcts": ("--games", "6")}
"""Options with which an example takes seconds, if they are not the usual ones."""
USUAL = ("--decisions", "2000", "--games", "20")


def example(name: str) -> object:
    """The parameter of one example: without its library it is left to `make examples`."""
    module = OTHERS.get(name)
    missing = module is not None and find_spec(module) is None
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=f"needs {module}: make examples"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [example(name) for name in names()])
def test_an_example_runs_by_its_first_line(name: str) -> None:
    _, found = run(command_of(name), sys.executable, SHORT.get(name, USUAL))
    assert float(found["low"]) <= float(found["share"]) <= float(found["high"])
    assert int(found["decisions"].replace(",", "")) >= (2000 if name not in SHORT else 1)
    assert float(found["seconds"]) > 0
    assert (found["players"], found["seed"]) == ("2", "0")


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", [example(name) for name in ("openspiel_mcts", "pettingzoo_ppo", "td_lambda")])
def test_an_example_plays_at_larger_tables(name: str, players: int) -> None:
    options = (*SHORT.get(name, USUAL), "--games", str(2 * players), "--players", str(players))
    assert run(command_of(name), sys.executable, options)[1]["players"] == str(players)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--decisions", "-5"),
        ("--decisions", "0"),
        ("--games", "0"),
        ("--players", "9"),
        ("--seed", "-1"),
        ("--seed", "x"),
    ],
)
def test_absurd_options_are_refused_before_any_training(
    option: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["example", option, value])
    with pytest.raises(SystemExit, match="2"):
        options(None, 100)
    assert f"argument {option}: " in capsys.readouterr().err


def test_policies_that_learn_nothing_are_far_apart() -> None:
    """So that nobody takes the second for one that has learnt."""
    said, last = run(CHECK, sys.executable, ["--games", "400"])
    drawn = LAST_LINE.fullmatch(said.splitlines()[1])
    assert drawn is not None
    assert float(drawn["high"]) < 0.15 < 0.3 < float(last["low"])


@pytest.mark.parametrize("name", names())
def test_the_first_line_is_its_command_and_the_file_is_short(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert command_of(name) == f"python -m examples.{name}"
    assert 10 <= len([line for line in text.splitlines() if line.strip()]) <= LONGEST
    imported = re.findall(r"^from (bohemian_env[\w.]*) import (.*)$", text, re.MULTILINE)
    assert not re.search(r"\b_\w+", " ".join(what for _, what in imported))
    assert {where for where, _ in imported} <= {"bohemian_env", "bohemian_env.envs.sb3"}


def test_an_example_that_fails_is_told_in_a_sentence() -> None:
    with pytest.raises(BadExample, match=r"^python -c 1/0: status 1: ZeroDivisionError: division by zero$"):
        run("python -c 1/0", sys.executable)
    with pytest.raises(BadExample, match=r"status 0: it said nothing"):
        run("python -c 1", sys.executable)
