"""Comparing players: mean totals on the same chance, with paired differences, and, of rivals, duels.

    python evaluate.py --game dorfromantik runs/tiles greedy random
    python evaluate.py --game agricola runs/farm planner greedy --players 2 --games 2000 --seed 0 --csv totals.csv

Every player first has all seats of a game of its own, and game i has seed ``seed + i`` for each of them, so that all
meet the same chance. Then, where seats are rivals, the first player is alone among copies of each other one, in every
seat of the same games. A player is a name of the game's scripted ones, or the folder of a run of ``train.py --game``.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.files import whole_files
from agents.common.statistics import LEVEL_TEXT, Estimate, margins, mean_estimate, share_estimate, win_shares
from agents.players.registry import make
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import BadSetup
from bohemian_env.games import GAMES, faces_of, rules_of

_AT_ONCE: Final = 256


def player(rules: Rules, name: str) -> Any:
    """Return a player by name or folder. Raises BadSetup, UnknownAgent or BadAgent if there is none of this game."""
    if not (name in rules.opponents or Path(name).is_dir()):
        raise BadSetup(f"{name!r}: expected one of {', '.join(rules.opponents)}, or the folder of a run")
    return make(name, 0, game=rules.name)


def results_of(rules: Rules, seated: Sequence[Any], games: int, seed: int) -> tuple[np.ndarray, float]:
    """Return the totals of all seats in some games, (games, seats), and how many microseconds a decision took.

    seated: the player of each seat.
    """
    totals, decisions, seconds = np.zeros((games, len(seated)), np.int64), 0, 0.0
    one = len({*map(id, seated)}) == 1
    for first in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - first)
        batch = faces_of(rules.name).Batch(count, len(seated), autoreset=False)
        batch.reset(seed + first)
        while not batch.over.all():
            going, seats = ~batch.over, batch.states["to_move"]
            begun, actions = time.perf_counter(), np.zeros(count, np.int64)
            for seat in (0,) if one else np.unique(seats[going]):
                chosen = seated[seat].act_batch(batch)
                actions = chosen if one else np.where(seats == seat, chosen, actions)
            if first:  # the first games compile
                seconds += time.perf_counter() - begun
                decisions += int(going.sum())
            batch.step(actions)
            ended = batch.terminations | batch.truncations
            totals[first : first + count][ended] = batch.totals[ended]
    return totals, 1e6 * seconds / decisions if decisions else float("nan")


def duel(rules: Rules, agent: Any, other: Any, games: int, seed: int, players: int) -> tuple[Estimate, Estimate]:
    """Return how an agent did alone among copies of another, from every seat in turn: win share and margin."""
    shares, ahead, each = [], [], -(-games // players)
    for own in range(players):
        totals, _ = results_of(rules, [agent if seat == own else other for seat in range(players)], each, seed)
        shares.append(win_shares(totals)[:, own])
        ahead.append(margins(totals)[:, own])
    return share_estimate(np.mean(shares, axis=0)), mean_estimate(np.mean(ahead, axis=0))


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    parse = parser("evaluate.py --game", __doc__)
    parse.add_argument("agents", nargs="+", metavar="AGENT", help="names or folders")
    parse.add_argument("--game", choices=GAMES, help="the game")
    parse.add_argument("--games", type=int, default=2000, metavar="N", help="for each player (default: 2000)")
    parse.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the first game (default: 0)")
    parse.add_argument("--players", type=int, metavar="N", help="seats (default: those that the game is set up for)")
    parse.add_argument("--csv", metavar="FILE", help="write the total of every game there")
    o = parse.parse_args(arguments)

    def work() -> None:
        rules = rules_of(o.game)
        o.players = rules.setup().players if o.players is None else o.players
        if o.games < 2 or o.seed < 0:
            raise BadSetup(f"--games {o.games} --seed {o.seed}: expected at least 2 games and a seed of at least 0")
        agents = [player(rules, name) for name in o.agents]
        with whole_files([o.csv]) as (csv_file,):
            played = {one.name: results_of(rules, [one] * o.players, o.games, o.seed) for one in agents}
            found = {name: (totals.mean(axis=1), each) for name, (totals, each) in played.items()}
            if csv_file:
                rows = csv.writer(csv_file)
                rows.writerow(["seed", *found])
                means = zip(*(totals for totals, _ in found.values()), strict=True)
                rows.writerows([o.seed + i, *map("{:g}".format, row)] for i, row in enumerate(means))
        print(f"{rules.name}, {o.players} seat(s), {o.games} games from seed {o.seed}; intervals of {LEVEL_TEXT}")
        first = next(iter(found.values()))[0]
        for name, (totals, each) in found.items():
            low, middle, high = np.percentile(totals, (5, 50, 95))
            told = f"mean {mean_estimate(totals).text(1)}, 5 % {low:.0f}, median {middle:.0f}, 95 % {high:.0f}"
            beside = "" if totals is first else f"; less than the first by {mean_estimate(first - totals).text(1)}"
            print(f"{name:24} {told}, best {totals.max():g}, {each:.0f} µs a decision{beside}")
        if o.players > 1 and not rules.verbs.TEAM:
            for other in agents[1:]:
                share, margin = duel(rules, agents[0], other, o.games, o.seed, o.players)
                told = f"wins {share.text(3)} (equals {1 / o.players:.3f}), margin {margin.text(1)}"
                print(f"{agents[0].name} among {other.name}: {told}")

    return ended("evaluate.py", work)
