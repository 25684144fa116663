"""Tuning the weights of ``planner``, and fitting how coins become chances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from agents.training import tuning
from agents.training.tuning import FIRST, fit_chances, main, play, tune
from bohemian_env.envs.dealing import common_array
from bohemian_env.game.setup import Setup
from bohemian_env.opponents.planner import WEIGHTS

FEW: Any = {"generations": 2, "population": 6, "seeds": 8}


def test_what_comes_of_a_seed_does_not_depend_on_threads(capsys: pytest.CaptureFixture[str]) -> None:
    one, same, other = (tune(2, threads=threads, seed=seed, **FEW) for threads, seed in ((1, 4), (3, 4), (1, 5)))
    assert_array_equal(one, same)
    assert (one != other).any()
    assert (one != FIRST).any()
    assert capsys.readouterr().err.count("generation 2: ") == 3


def test_weights_that_were_tuned_win_more_than_those_that_were_guessed() -> None:
    seeds, common = np.arange(100, dtype=np.uint64), common_array(Setup.of(2))
    tuned = play(seeds, common, WEIGHTS[0, 2], FIRST, False)
    assert tuned > 0.55
    assert play(seeds, common, FIRST, WEIGHTS[0, 2], False) < 0.45
    assert play(seeds, common, WEIGHTS[0, 2], FIRST, True) > 0.9
    assert play(seeds, common, FIRST, FIRST, False) == pytest.approx(0.5)


def test_more_coins_win_more() -> None:
    """By the row that makes the results of some games likeliest: coins count, more so the fewer turns are left."""
    at_end, by_turn, to_move = fit_chances(2, 60, 1)
    assert at_end > 0
    assert by_turn > 0
    assert np.isfinite(to_move)
    assert_array_equal(fit_chances(2, 60, 1), (at_end, by_turn, to_move))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--start", "1,2"], "2 weights: there are 22"),
        (["--start", ",".join(["nan"] * 22)], "nan: from -1e+09 to 1e+09"),
        (["--generations", "0"], "0: at least 1"),
        (["--seed", "-1"], "-1: at least 0"),
        (["--against-greedy", "1.5"], "1.5: from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("words", "name"), [([], "tune"), (["--chances"], "fit_chances")])
def test_an_interrupt_is_told_in_a_sentence(
    words: list[str], name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tuning, name, interrupted)
    assert main(words) == 130
    said = capsys.readouterr().err
    assert said.startswith("agents.training.tuning: interrupted")
    assert ("--start" in said) == (name == "tune")
