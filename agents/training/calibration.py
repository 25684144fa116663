"""Fit how an agent's value becomes a chance of winning, from the results of its own games.

    python -m agents.training.calibration agents/pretrained/2-players.safetensors

writes ``offset`` and ``slope`` of a logistic curve into the agent's description. The value itself predicts the reward
that the agent was trained on, of which winning is only a part.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import minimize

from agents.common.statistics import win_shares
from agents.network.files import BadAgent, load_net, save_net
from agents.players.policy import PolicyAgent
from bohemian_env import Batch, Board

__all__ = ["bin_of", "fit", "reliability", "results"]

GAMES: Final = 4000
_FIRST_SEED: Final = 2**62
"""The seed of the first game, far from those of training, of the panel and of published comparisons."""


def results(agent: PolicyAgent, players: int, games: int, seed: int = _FIRST_SEED) -> tuple[np.ndarray, np.ndarray]:
    """Let an agent play all seats of some games.

    Returns:
        The value at each decision and the share of the win that the deciding seat had in the end, both float64 (n,).
    """
    batch = Batch(games, players, autoreset=False)
    batch.reset(seed)
    values, owners, seats = [], [], []
    while (going := np.flatnonzero(~batch.over)).size:
        seen, masks, advice = agent.show(batch.states, going)
        actions = np.zeros(games, np.int64)
        actions[going] = agent.choose(seen, masks, advice)
        values.append(agent.values(seen, advice))
        owners.append(going)
        seats.append(batch.seats[going].copy())
        batch.step(actions)
    shares = win_shares(batch.totals)
    return np.concatenate(values).astype(np.float64), shares[np.concatenate(owners), np.concatenate(seats)]


def fit(values: np.ndarray, won: np.ndarray) -> tuple[float, float]:
    """Return offset and slope of the logistic curve that makes the results, as of :func:`results`, likeliest."""

    def surprise(curve: np.ndarray) -> float:
        score = curve[0] + curve[1] * values
        return float(np.mean(np.logaddexp(0, score) - won * score))

    offset, slope = minimize(surprise, [0.0, 2.0], method="BFGS").x
    return float(offset), float(slope)


def bin_of(chances: np.ndarray, bins: int) -> np.ndarray:
    """Return the bin that each chance lies in, of so many equal ones from 0 to 1."""
    return np.minimum((chances * bins).astype(int), bins - 1)


def reliability(chances: np.ndarray, won: np.ndarray, bins: int = 10) -> list[tuple[float, float, int]]:
    """Return mean chance, share won and number of decisions for each bin of the chance that is not empty."""
    place = bin_of(chances, bins)
    return [
        (float(chances[place == k].mean()), float(won[place == k].mean()), int((place == k).sum()))
        for k in range(bins)
        if (place == k).any()
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", metavar="PATH", help="folder of a run, or .safetensors file")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games of each with itself (default: {GAMES})")
    o = parser.parse_args(argv)
    for path in map(Path, o.agents):
        try:
            net, description = load_net(path)
        except BadAgent as error:
            print(f"agents.training.calibration: {error}", file=sys.stderr)
            return 2
        about = description["about"]
        offset, slope = fit(*results(PolicyAgent(net), about["players"], o.games))
        about["calibration"] = {"offset": round(offset, 4), "slope": round(slope, 4)}
        file = path / "agent.safetensors" if path.is_dir() else path
        save_net(net, file, Board.standard(), about)
        print(f"{path}: chance of winning = 1 / (1 + exp(-({offset:.4f} + {slope:.4f} * value)))")
    return 0


if __name__ == "__main__":
    sys.exit(main())
