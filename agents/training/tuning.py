"""Tune the weights of ``planner`` by the cross-entropy method, or fit how its coins become chances of winning.

    python -m agents.training.tuning --players 2 --generations 36
    python -m agents.training.tuning --players 2 --generations 24 --start 1.498,0.794,... --against-greedy 0.7
    python -m agents.training.tuning --players 2 --chances

Each generation draws weights from a normal distribution, lets each draw play against greedy and against the mean of
the generation before, over the same villages and dice and from every seat, keeps the best draws, and goes on from their
mean and spread. The result is printed as a row for ``bohemian_env/opponents/planner.py``, where the weights are frozen:
changing them makes a new VERSION there. With ``--chances`` planners play each other with the frozen weights, and the
row of ``CHANCE`` in ``bohemian_env/opponents/montecarlo.py`` that makes the results likeliest is printed.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize

from bohemian_env.compiled import njit
from bohemian_env.envs.dealing import common_array, deal_game
from bohemian_env.envs.reward import write_rewards
from bohemian_env.game import rules
from bohemian_env.game.facts import MAX_PLAYERS
from bohemian_env.game.setup import Setup
from bohemian_env.game.state import STATE, State
from bohemian_env.opponents.greedy import greedy_action
from bohemian_env.opponents.planner import NAMES, WEIGHTS, estimates, planner_action
from bohemian_env.opponents.scripted import chance

__all__ = ["FIRST", "LARGEST", "fit_chances", "play", "tune", "watch"]

FIRST: Final = np.array(
    (1.0, 0.6, 0.8, 0.2, 1.0, 0.5, 0.8, 0.5, 0.5, 0.5, 0.4, 1.0, 0.8, 0.4, 0.8, 0.4, 0.8, 0.1, 0.6, 0.5, 4.0, 2.0)
)
"""The weights that tuning starts from, in the order of NAMES; they were guessed."""
LARGEST: Final = 1e9
"""The largest weight: sums of such are finite."""
MARGIN: Final = 0.005
"""What a coin of margin counts where a won game counts 1."""
_FLOOR: Final = 0.08
"""The least spread, as a part of that at the start."""
_CHANCE_GAMES: Final = 4000
_MOST_DECISIONS: Final = 200  # room for the turns of a game; longer ones do not happen


@njit
def _win_shares(s: State, shares: np.ndarray) -> np.ndarray:
    """Write each seat's share of the win of a finished game into ``shares``; return the totals, int32."""
    rewards, totals = np.empty(MAX_PLAYERS, np.float32), np.empty(MAX_PLAYERS, np.int32)
    write_rewards(s, 0, rewards, totals)
    rules.write_win_shares(totals, s["players"], shares)
    return totals


@njit
def play(seeds: np.ndarray, common: np.ndarray, candidate: np.ndarray, rival: np.ndarray, greedy: bool) -> float:
    """Return the candidate's mean objective, won games and margin, over one game for each seed and seat.

    seeds: uint64 (m,). candidate, rival: weights, float64. greedy: whether greedy takes the place of the rival.
    """
    players = common[0]["players"]
    states, scratch = np.zeros(1, STATE), np.zeros(2, STATE)
    shares = np.zeros(MAX_PLAYERS)
    won = 0.0
    for i in range(seeds.shape[0]):
        for own in range(players):
            s = states[0]
            deal_game(s, seeds[i], common[0])
            while s["end"] == 0:
                if s["to_move"] == own:
                    action = planner_action(s, candidate, scratch)
                elif greedy:
                    action = greedy_action(s, chance(s, seeds[i], np.uint64(0)), scratch)
                else:
                    action = planner_action(s, rival, scratch)
                rules.push(s, action)
                rules.deal_seeded(s, seeds[i])
            totals = _win_shares(s, shares)
            everything = totals[:players].sum()
            won += shares[own] + MARGIN * (totals[own] - (everything - totals[own]) / (players - 1))
    return won / (seeds.shape[0] * players)


def tune(
    players: int,
    start: np.ndarray = FIRST,
    *,
    generations: int,
    against_greedy: float = 0.3,
    population: int = 64,
    elite: int = 12,
    seeds: int = 150,
    seed: int = 0,
    threads: int = 2,
) -> np.ndarray:
    """Return the weights that the cross-entropy method ends with: float64, (len(NAMES),).

    Args:
        players: 2 to 5. start: the weights to begin with. generations: how many.
        against_greedy: the part of games and objective, 0 to 1, that is against greedy; the rest is against the mean of
            the generation before.
        population: draws in each generation. elite: how many of them are kept, at most a quarter, at least one.
        seeds: how many each of them plays.
        seed: the seed of draws and games. threads: the number of threads, which changes nothing but the time.
    """
    rng = np.random.default_rng(seed)
    common = common_array(Setup.of(players))
    elite = max(1, min(elite, population // 4))
    mean = start.copy()
    spread = widest = 0.35 * np.abs(FIRST) + 0.15
    with ThreadPoolExecutor(threads) as pool:
        for generation in range(generations):
            dealt = rng.integers(0, 2**62, seeds).astype(np.uint64)
            draws = rng.normal(mean, spread, (population, len(mean)))
            draws[0] = mean
            rival = mean.copy()
            part = round(seeds * against_greedy)

            def objective(weights: np.ndarray, dealt: Any = dealt, rival: Any = rival, part: int = part) -> float:
                easy = float(play(dealt[:part], common, weights, rival, True)) if part else 0.0
                hard = float(play(dealt[part:], common, weights, rival, False)) if part < seeds else 0.0
                return against_greedy * easy + (1 - against_greedy) * hard

            values = np.array(list(pool.map(objective, draws)))
            best = np.argsort(-values)[:elite]
            mean = draws[best].mean(axis=0)
            spread = np.maximum(0.9 * draws[best].std(axis=0) + 0.1 * spread, _FLOOR * widest)
            print(
                f"generation {generation + 1}: mean {values.mean():.4f}, kept {values[best].mean():.4f}, "
                f"centre {values[0]:.4f}, spread {np.mean(spread / widest):.2f}; {_row(mean)}",
                file=sys.stderr,
                flush=True,
            )
    return mean


@njit
def watch(
    seeds: np.ndarray,
    common: np.ndarray,
    weights: np.ndarray,
    coins: np.ndarray,
    times: np.ndarray,
    seats: np.ndarray,
    shares: np.ndarray,
) -> int:
    """Let planners play each other, write down the beginning of every turn, and return the number of turns.

    coins: what every seat has by ``estimates``, float64 (…, 5). times: figures in the smallest hand, int64. seats:
    whose turn it is, int64. shares: each seat's share of the win in the end, float64 (…, 5).
    """
    states, scratch = np.zeros(1, STATE), np.zeros(2, STATE)
    n = 0
    for i in range(seeds.shape[0]):
        s = states[0]
        deal_game(s, seeds[i], common[0])
        first, turn = n, -1
        while s["end"] == 0:
            if s["turn"] != turn:
                turn = s["turn"]
                times[n] = estimates(s, weights, coins[n])
                seats[n] = s["to_move"]
                n += 1
            rules.push(s, planner_action(s, weights, scratch))
            rules.deal_seeded(s, seeds[i])
        for row in range(first, n):
            _win_shares(s, shares[row])
    return n


def fit_chances(players: int, games: int = _CHANCE_GAMES, seed: int = 0) -> np.ndarray:
    """Return the row of CHANCE that makes the results of planners' games likeliest: float64, (3,)."""
    common = common_array(Setup.of(players))
    room = games * _MOST_DECISIONS
    coins, shares = np.zeros((room, MAX_PLAYERS)), np.zeros((room, MAX_PLAYERS))
    times, seats = np.zeros(room, np.int64), np.zeros(room, np.int64)
    dealt = np.random.default_rng(seed).integers(0, 2**62, games).astype(np.uint64)
    n = watch(dealt, common, WEIGHTS[0, players], coins, times, seats, shares)
    to_move = np.eye(players)[seats[:n]]
    coins, times, shares = coins[:n, :players], times[:n], shares[:n, :players]

    def surprise(row: np.ndarray) -> float:
        scaled = (coins + row[2] * to_move) / np.maximum(row[0] + row[1] * times, 0.5)[:, None]
        logs = scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True)
        return float(-(shares * logs).sum(axis=1).mean())

    row: np.ndarray = minimize(surprise, [5.0, 1.0, 3.0], method="Nelder-Mead").x
    return row


def _row(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.3f}" for value in values) + "),"


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}: at least 1")
    return value


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value}: at least 0")
    return value


def _part(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{value:g}: from 0 to 1")
    return value


def _weights(text: str) -> np.ndarray:
    values = np.array([float(part) for part in text.strip("(), ").split(",")])
    if len(values) != len(NAMES):
        raise argparse.ArgumentTypeError(f"{len(values)} weights: there are {len(NAMES)}")
    if wrong := [value for value in values.tolist() if not abs(value) <= LARGEST]:
        raise argparse.ArgumentTypeError(f"{wrong[0]:g}: from {-LARGEST:g} to {LARGEST:g}")
    return values


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2, choices=range(2, MAX_PLAYERS + 1), help="(default: 2)")
    parser.add_argument("--chances", action="store_true", help="fit chances of winning instead of tuning weights")
    parser.add_argument("--generations", type=_positive, default=30, help="(default: 30)")
    parser.add_argument("--start", type=_weights, default=FIRST, metavar="X,X,...", help="weights to begin with")
    parser.add_argument("--against-greedy", type=_part, default=0.3, help="share of the objective (default: 0.3)")
    parser.add_argument("--population", type=_positive, default=64, help="draws a generation (default: 64)")
    parser.add_argument("--seeds", type=_positive, default=150, help="seeds that each draw plays (default: 150)")
    parser.add_argument("--seed", type=_seed, default=0, help="seed of draws and games (default: 0)")
    parser.add_argument("--threads", type=_positive, default=2, help="(default: 2)")
    options = vars(parser.parse_args(arguments))
    players = options.pop("players")
    chances = options.pop("chances")
    try:
        if chances:
            print(_row(fit_chances(players, seed=options["seed"])))
            return 0
        weights = tune(players, **options)
    except KeyboardInterrupt:
        goes_on = "" if chances else "; --start goes on from the last row"
        print(f"agents.training.tuning: interrupted{goes_on}", file=sys.stderr)
        return 130
    for name, value in zip(NAMES, weights, strict=True):
        print(f"# {name}: {value:.3f}")
    print(_row(weights))
    return 0


if __name__ == "__main__":
    sys.exit(main())
