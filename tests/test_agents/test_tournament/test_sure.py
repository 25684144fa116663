"""Playing until it is sure who is stronger: the errors of the sequential test, and how a comparison ends by it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import evaluate
from agents.tournament import BadTournament, Comparison, LineUp, Sure, compare, enter
from agents.tournament.sure import FALSE, FEWEST, MISSED
from bohemian_env import Setup
from tests.helpers import Ends

pytestmark = pytest.mark.slow
MARGIN = 0.05


def block_of_two(lead: float) -> np.ndarray:
    """What a block of two games may be worth, less a half: both won, both lost, or one of each as often."""
    return np.repeat([-0.5, 0.0, 0.5], [250, 500, 250]) + lead


def lone_block_of_five(lead: float) -> np.ndarray:
    """The same of five games that are mostly lost: skewed."""
    shares = np.repeat([0, 1, 2, 3, 4, 5], [380, 370, 160, 60, 20, 10]) / 5
    return shares - shares.mean() + lead


def seldom_different(lead: float) -> np.ndarray:
    """Blocks of agents that mostly do the same: one in fourteen or so is not shared equally."""
    more, less = round(10_000 * (0.01 + 2 * max(lead, 0))), round(10_000 * (0.01 + 2 * max(-lead, 0)))
    return np.repeat([0.5, -0.5, 0.0], [more, less, 10_000 - more - less])


def simulated(
    shares: np.ndarray, tests: int, step: int, margin: float, rng: np.random.Generator
) -> tuple[float, float, float, float]:
    """How often tests said stronger, weaker and neither, and the blocks that they took in the mean."""
    said, blocks = np.zeros(3), 0
    for _ in range(tests):
        sure, seen = Sure(margin), np.zeros(0)
        while not sure.look(seen):
            seen = np.concatenate([seen, rng.choice(shares, step)])
        said[(1, -1, 0).index(sure.verdict.sign)] += 1
        blocks += len(seen)
    return (*(said / tests), blocks / tests)


@pytest.mark.parametrize("margin", [0.02, 0.01, 0.002])
def test_a_lead_of_agents_that_seldom_differ_is_not_missed(margin: float) -> None:
    """The first looks may see none of the blocks in which they do."""
    tests, rng = 400 if margin > 0.005 else 120, np.random.default_rng(5)
    stronger, *_ = simulated(seldom_different(margin), tests, 8 if margin > 0.005 else 128, margin, rng)
    assert 1 - stronger <= MISSED + 3 * np.sqrt(0.05 * 0.95 / tests)
    stronger, weaker, *_ = simulated(seldom_different(0), tests, 8, margin, rng)
    assert stronger + weaker <= FALSE


@pytest.mark.parametrize("blocks", [block_of_two, lone_block_of_five])
@pytest.mark.parametrize("sign", [1, -1])
def test_errors_are_as_rare_as_is_told(blocks: Callable[[float], np.ndarray], sign: int) -> None:
    tests, rng = 600, np.random.default_rng(3)
    slack = 3 * np.sqrt(0.05 * 0.95 / tests)
    stronger, weaker, _, _ = simulated(blocks(0), tests, 64, MARGIN, rng)
    assert stronger + weaker <= FALSE + slack
    *said, neither, _ = simulated(blocks(sign * MARGIN), tests, 64, MARGIN, rng)
    assert 1 - said[0 if sign > 0 else 1] <= MISSED + slack
    assert said[1 if sign > 0 else 0] < 0.01
    assert neither <= MISSED + slack


def test_a_large_lead_is_seen_sooner() -> None:
    rng = np.random.default_rng(4)
    blocks = [simulated(block_of_two(times * MARGIN), 100, 16, MARGIN, rng)[-1] for times in (1, 2, 4)]
    assert blocks == sorted(blocks, reverse=True)
    assert blocks[2] < blocks[0] / 3


def test_few_blocks_are_not_looked_at() -> None:
    sure = Sure()
    assert not sure.look(np.full(FEWEST - 1, 0.5))
    assert sure.verdict.sign is None
    assert sure.look(np.full(FEWEST, 0.5))  # all of one worth: the spread is bounded from below
    assert sure.verdict.sign == 1


@pytest.mark.parametrize("margin", [0.0, -0.1, 0.6, float("nan"), 1, "0.1", None, True])
def test_a_margin_is_a_difference_of_win_shares(margin: Any) -> None:
    with pytest.raises(BadTournament, match="margin"):
        Sure(margin)


def until_sure(names: list[str], **options: Any) -> Comparison:
    return compare(enter(names, 5), sure=Sure(), games=20_000, tables="single", games_at_once=128, seed=9, **options)


def test_a_comparison_ends_when_it_is_sure() -> None:
    found = until_sure(["planner", "greedy"])
    assert found.verdict.sign == 1
    assert found.games == 128  # 64 blocks: the first look
    assert until_sure(["greedy", "planner"]).verdict.sign == -1
    plain = compare(enter(["planner", "greedy"], 5), games=128, tables="single", games_at_once=128, seed=9)
    assert plain.results == found.results
    assert plain.verdict is None


def test_the_verdict_does_not_depend_on_jobs_or_interrupts(tmp_path: Path) -> None:
    names = ["planner", "rusher"]
    alone = until_sure(names)
    with pytest.raises(RuntimeError, match="enough"):
        until_sure(names, work=tmp_path, jobs=2, progress=Mock(side_effect=RuntimeError("enough")))
    again = until_sure(names, work=tmp_path, jobs=2)
    assert (again.verdict, again.results) == (alone.verdict, alone.results)


def test_a_test_that_has_its_verdict_is_begun_anew() -> None:
    sure = Sure()
    pairs = [["planner", "greedy"], ["greedy", "planner"]]
    found = [compare(enter(pair, 5), sure=sure, games=2_000, tables="single", games_at_once=128) for pair in pairs]
    assert [one.verdict.sign for one in found if one.verdict] == [1, -1]
    assert sure.verdict.sign is None


def test_without_an_end_it_is_not_sure() -> None:
    found = compare(enter(["greedy", "greedy"], 5), sure=Sure(0.01), games=200, tables="single")
    assert found.verdict.sign is None


def test_one_table_with_a_lone_agent_is_needed() -> None:
    entrants, setup = enter(["greedy", "random"], 5), Setup.of(4)
    for schedule in ([(LineUp((0, 0, 1, 1)), 4)], [(LineUp((0, 1, 1, 1)), 4), (LineUp((1, 0, 0, 0)), 4)]):
        with pytest.raises(BadTournament, match="one table"):
            compare(entrants, setup, schedule=schedule, sure=Sure())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("planner greedy --until-sure", "Sure: planner is stronger than greedy."),
        ("greedy planner --until-sure", "Sure: greedy is weaker than planner."),
        ("greedy greedy --until-sure --games 100", "Not sure yet which of greedy and greedy (2) is stronger"),
        ("rusher hoarder --until-sure --games 200", "misses one of 0.02 in 5%"),
        ("rusher hoarder --until-sure 0.3 --games 200", "misses one of 0.3 in 5%"),
    ],
)
def test_the_command_tells_the_verdict_and_takes_a_margin(words: str, said: str, tmp_path: Path, ends: Ends) -> None:
    assert said in ends(0, evaluate.main, *words.split(), "--work", tmp_path, "--jobs", 1).out
