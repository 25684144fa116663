"""The examples: each runs by the command in its first line, ends with a line of one form, and is short."""

import re
import sys
from importlib.util import find_spec

import pytest

from examples.measure import options
from tests.helpers import ROOT, run_python

EXAMPLES = ROOT / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("__init__", "measure"))
OTHERS = {"openspiel_mcts": "pyspiel", "rllib_ppo": "tree", "tianshou_dqn": "tianshou", "torchrl_ppo": "torchrl"}
"""The examples whose libraries are not all among ours, with a module that each needs: `make examples` brings them."""
LAST_LINE = re.compile(
    r"win share (?P<share>[-\d.]+) \((?P<low>[-\d.]+) to (?P<high>[-\d.]+)\) against greedy, (?P<players>\d) players, "
    r"(?P<games>[\d,]+) games; (?P<decisions>[\d,]+) decisions in (?P<seconds>[\d.]+) s, (?P<rate>[\d,]+) a second; "
    r"seed (?P<seed>\d+)"
)
"""What :func:`examples.measure.report` prints."""
LONGEST = 60
SHORT = {"openspiel_mcts": ("--games", "6")}
"""Options with which an example takes seconds, if they are not the usual ones."""
USUAL = ("--decisions", "2000", "--games", "20")


def run(name: str, *options: str) -> list[dict[str, str]]:
    """Run an example; return what its lines say that are of this form, of which the last must be one."""
    done = run_python("-m", f"examples.{name}", *options, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    found = [LAST_LINE.fullmatch(line) for line in done.stdout.strip().splitlines()]
    assert found[-1], done.stdout
    return [match.groupdict() for match in found if match]


def example(name: str) -> object:
    """The parameter of one example: without its library it is left to `make examples`."""
    module = OTHERS.get(name)
    missing = module is not None and find_spec(module) is None
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=f"needs {module}: make examples"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [example(name) for name in NAMES])
def test_an_example_runs(name: str) -> None:
    found = run(name, *SHORT.get(name, USUAL))[-1]
    assert float(found["low"]) <= float(found["share"]) <= float(found["high"])
    assert int(found["decisions"].replace(",", "")) >= (2000 if name not in SHORT else 1)
    assert float(found["seconds"]) > 0
    assert (found["players"], found["seed"]) == ("2", "0")


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", [example(name) for name in ("openspiel_mcts", "pettingzoo_ppo", "td_lambda")])
def test_an_example_plays_at_larger_tables(name: str, players: int) -> None:
    options = (*SHORT.get(name, USUAL), "--games", str(2 * players), "--players", str(players))
    assert run(name, *options)[-1]["players"] == str(players)


@pytest.mark.parametrize("words", ["decisions -5", "decisions 0", "games 0", "players 9", "seed -1", "seed x"])
def test_absurd_options_are_refused_before_any_training(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    option, value = f"--{words}".split()
    monkeypatch.setattr(sys, "argv", ["example", option, value])
    with pytest.raises(SystemExit, match="2"):
        options(None, 100)
    assert f"argument {option}: " in capsys.readouterr().err


@pytest.mark.slow
def test_policies_that_learn_nothing_are_far_apart() -> None:
    """So that nobody takes the second for one that has learnt."""
    drawn, first = run("measure", "--games", "400")
    assert float(drawn["high"]) < 0.15 < 0.3 < float(first["low"])


@pytest.mark.parametrize("name", NAMES)
def test_the_first_line_is_its_command_and_the_file_is_short(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert text.splitlines()[0] == f'"""python -m examples.{name}'
    assert 10 <= len([line for line in text.splitlines() if line.strip()]) <= LONGEST
    imported = re.findall(r"^from (bohemian_env[\w.]*) import (.*)$", text, re.MULTILINE)
    assert not re.search(r"\b_\w+", " ".join(what for _, what in imported))
    assert {where for where, _ in imported} <= {"bohemian_env", "bohemian_env.villages.sb3"}
