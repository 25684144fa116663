"""What the seats receive at the end of a game, against sums done by hand and against the formulas of docs/villages.md.

Nobody has a town hall in the positions below, so every total is five less than the coins (R25.1).
"""

import random
from statistics import mean
from typing import Any

import numpy as np
import pytest

from bohemian_env import Game, bohemian_villages_v0
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.faces import REWARDS, reward_number, write_rewards
from bohemian_env.villages.faces import rewards as rewards_of
from tests.helpers import SIX, position, scored, spread
from tests.test_engine.environments import begun, decisions


def rewards(reward: str, *totals: int) -> np.ndarray:
    """Rewards of a position in which the seats have these totals, into buffers full of something else."""
    at = position(players=len(totals), coins=[total + 5 for total in totals], bank=9_000 - sum(totals))
    s = Game.from_position(at)._states[0]
    out, found = np.full(len(totals), np.nan, np.float32), np.full(len(totals), -99, np.int32)
    write_rewards(s, reward_number(reward), out, found)
    assert found.tolist() == list(totals)
    return out


def formulas(reward: str, totals: list[int]) -> list[float]:
    """docs/villages.md, in floats of Python."""
    winners = [total == max(totals) for total in totals]
    won, lost = sum(winners), len(totals) - sum(winners)
    win = [0.0 if lost == 0 else 1 / won if first else -1 / lost for first in winners]
    others = [mean(totals[:seat] + totals[seat + 1 :]) for seat in range(len(totals))]
    margin = [max(-1.0, min(1.0, (own - other) / 50)) for own, other in zip(totals, others, strict=True)]
    return {"win": win, "margin": margin, "mixed": [(w + m) / 2 for w, m in zip(win, margin, strict=True)]}[reward]


# --- by hand ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reward", "totals", "expected"),
    [
        ("win", (62, 48, 38), (1, -0.5, -0.5)),  # the example of docs/villages.md
        ("win", (30, 30), (0, 0)), ("win", (-4, -5), (1, -1)), ("win", (40, 20, 40), (0.5, -1, 0.5)),
        ("win", (9, 9, 9, 3), (1 / 3, 1 / 3, 1 / 3, -1)), ("win", (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
        ("margin", (62, 48, 38), (0.38, -0.04, -0.34)),  # 62 - 43, 48 - 50, 38 - 55
        ("margin", (30, 20), (0.2, -0.2)), ("margin", (30, 30), (0, 0)), ("margin", (71, 20), (1, -1)),  # clipped
        ("margin", (100, 90, 0), (1, 0.8, -1)),  # 100 - 45 and 0 - 95 are clipped, 90 - 50 is not
        ("mixed", (62, 48, 38), (0.69, -0.27, -0.42)), ("mixed", (30, 30), (0, 0)),
        ("mixed", (40, 20, 40), (0.35, -0.7, 0.35)),
    ],
)  # fmt: skip
def test_by_hand(reward: str, totals: tuple[int, ...], expected: tuple[float, ...]) -> None:
    """Win: the winners share +1, the others -1; nobody receives anything if all win. Margin: the own total less the
    mean of the others', in fifties of coins, clipped to ±1."""
    assert rewards(reward, *totals) == pytest.approx(expected)


def test_rewards_of_a_game_that_ends_and_before() -> None:
    """As in an environment: 0 while it goes on. Numbers for a Game, which knows nothing of rewards."""
    game, rng = Game.new(players=3, seed=1, coin_supply=60), random.Random(1)
    while not game.over:
        assert rewards_of(game, "margin").tolist() == [0, 0, 0]
        game = game.roll() if game.needs_roll else game.push(rng.choice(game.legal_moves))
    totals = [row["total"] for row in game.outcome().scoring]
    for reward in REWARDS:
        found = rewards_of(game, reward)
        assert found.dtype == np.float32
        assert found == pytest.approx(formulas(reward, totals), abs=1e-6)


# --- by the formulas --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_any_totals(players: int) -> None:
    """Many ties among them. Win adds up to nothing, and so does margin unless it is clipped."""
    rng = random.Random(players)
    tied = clipped = 0
    for highest in [3] * 60 + [60] * 60 + [200] * 60:
        totals = [rng.randint(-5, highest) for _ in range(players)]
        tied += totals.count(max(totals)) > 1
        for reward in REWARDS:
            assert rewards(reward, *totals) == pytest.approx(formulas(reward, totals), abs=1e-6)
        assert rewards("win", *totals).sum() == pytest.approx(0, abs=1e-6)
        margins = rewards("margin", *totals)
        if np.abs(margins).max() == 1:
            clipped += 1
        else:
            assert margins.sum() == pytest.approx(0, abs=1e-6)
    assert tied > 10
    assert clipped > 10


def test_all_of_the_scoring_counts() -> None:
    """R25: not coins alone. Seat 1 has fewer coins and wins by what stands on the board."""
    owners = spread(SIX, church=(0, 2), tailor=(1, 1), mill=(1,))
    parts: dict[str, Any] = {"players": 3, "villages": SIX, "owners": owners}
    at = position(**parts, coins=(30, 25, 0))
    s = Game.from_position(at)._states[0]
    outcome = scored(**parts, coins=(30, 25, 0))
    totals = [row["total"] for row in outcome.scoring]
    assert totals == [27, 31, -5]  # 30 - 5 + 1 + 1, 25 - 5 + 1 + 10, -5
    assert RULES.scoring_of(s) == list(outcome.scoring)
    out, found = np.zeros(3, np.float32), np.zeros(3, np.int32)
    write_rewards(s, reward_number("margin"), out, found)
    assert found.tolist() == totals
    assert out == pytest.approx([14 / 50, 20 / 50, -34 / 50])


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_environment_hands_them_out_at_the_end_and_before_it_nothing(players: int, reward: str) -> None:
    env: Any = begun(bohemian_villages_v0.raw_env, players, reward=reward, coin_supply=60, seed=players)
    for _ in decisions(env, reward):
        assert set(env.rewards.values()) == {0.0}
    totals = [row["total"] for row in env.outcome().scoring]
    assert len(set(totals)) > 1
    assert list(env.rewards.values()) == pytest.approx(formulas(reward, totals), abs=1e-6)
