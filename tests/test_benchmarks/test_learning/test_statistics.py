"""Scores summed up: worked cases, and what intervals must do."""

import numpy as np
import pytest

from benchmarks.learning.statistics import difference, interquartile_mean


def array(*numbers: float) -> np.ndarray:
    """Scores of runs."""
    return np.array(numbers, float)


def test_the_interquartile_mean_is_the_mean_of_the_middle_half() -> None:
    assert interquartile_mean([array(0, 1, 2, 3, 4, 5, 6, 100)]).value == 3.5  # of 2, 3, 4, 5
    assert interquartile_mean([array(5, 1, 3, 2, 90)]).value == pytest.approx(10 / 3)  # of 2, 3, 5
    assert interquartile_mean([array(1, 2), array(3, 40)]).value == 2.5  # over all tasks together
    assert interquartile_mean([array(7)]).value == 7


def test_runs_are_drawn_within_each_task() -> None:
    """Tasks far apart, whose runs agree, leave nothing to doubt: drawn over all tasks they would."""
    sure = interquartile_mean([array(0, 0, 0, 0), array(1, 1, 1, 1)])
    assert (sure.low, sure.value, sure.high) == (0.5, 0.5, 0.5)
    unsure = interquartile_mean([array(0, 1, 0, 1)])
    assert unsure.low < 0.5 == unsure.value < unsure.high
    assert interquartile_mean([array(0, 1, 0, 1)]) == unsure  # the same draws every time


def test_unrelated_runs_are_not_taken_in_pairs() -> None:
    """In whatever order they come, their means are subtracted, and either may be drawn with any of the other."""
    found = difference([array(0, 1, 2, 9)], [array(3, 0, 1)])
    assert found.value == pytest.approx(1.5 - 4 / 3)
    assert difference([array(9, 2, 1, 0)], [array(0, 1, 3)]).value == found.value
    same = difference([array(0, 1, 0, 1)], [array(0, 1, 0, 1)])
    assert same.low < -0.4 < same.value == 0 < 0.4 < same.high  # in pairs there would be no doubt
    assert difference([array(0.5, 0.5)], [array(0.25)]).text() == "0.250 (0.250 to 0.250)"


def test_the_interval_of_a_difference_is_as_wide_as_new_runs_would_spread() -> None:
    rng = np.random.default_rng(4)
    found = [difference([rng.normal(2.0, 1.0, 40)], [rng.normal(1.0, 2.0, 30)]) for _ in range(200)]
    held = sum(one.low <= 1.0 <= one.high for one in found)
    assert 175 <= held <= 199


@pytest.mark.parametrize("scores", [[], [array()], [array(1), array()]])
def test_no_runs_are_refused(scores: list[np.ndarray]) -> None:
    with pytest.raises(ValueError, match="no scores"):
        interquartile_mean(scores)
    with pytest.raises(ValueError, match="no scores"):
        difference([array(1)], scores)
