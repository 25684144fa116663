"""Comparing players of games whose seats play for one result: mean totals on the same stacks, and paired differences.

    python evaluate.py --game dorfromantik runs/tiles greedy random
    python evaluate.py --game dorfromantik runs/tiles greedy --games 2000 --seed 0 --csv totals.csv

Every player has all seats of a game of its own, and game i has seed ``seed + i`` for each of them, so that all meet the
same stacks. A player is a name of the game's scripted ones, or the folder of a run of ``train.py --game``.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.command import ended, parser
from agents.common.files import whole_files
from agents.common.statistics import LEVEL_TEXT, mean_estimate
from agents.network.files import BadAgent
from agents.players.values import load_values
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.chance import own_word
from bohemian_env.engine.contract import Rules, choose, moment
from bohemian_env.engine.errors import BadSetup
from bohemian_env.games import GAMES, faces_of, rules_of

_AT_ONCE: Final = 256


@loop
def choose_all(
    number: int, states: np.ndarray, seeds: np.ndarray, own_seed: Word, scratch: Any, out: np.ndarray
) -> None:
    """Write what a scripted player does in each game, 0 where it is over. out: int64, (n,)."""
    for i in range(states.shape[0]):
        s = states[i]
        out[i] = 0
        if s["end"] == 0:
            out[i] = choose(number, s, own_word(seeds[i], own_seed, moment(s)), scratch)


class _Scripted:
    def __init__(self, rules: Rules, name: str) -> None:
        self.name, self._rules = name, rules
        self._number, self._scratch = rules.scripted(name).number, rules.scratch()

    def act_batch(self, batch: Any) -> np.ndarray:
        out = np.empty(batch.n, np.int64)
        states, seeds = batch.arrays
        self._rules.compiled(choose_all)(self._number, states, seeds, np.uint64(0), self._scratch, out)
        return out


def player(rules: Rules, name: str) -> Any:
    """Return a player by name or folder. Raises BadSetup or BadAgent if there is none, or it is of another game."""
    if name in rules.opponents:
        return _Scripted(rules, name)
    if not Path(name).is_dir():
        raise BadSetup(f"{name!r}: expected one of {', '.join(rules.opponents)}, or the folder of a run")
    agent = load_values(Path(name))
    if agent.rules is not rules:
        raise BadAgent(f"{name} plays {agent.rules.name}, not {rules.name}")
    return agent


def totals_of(rules: Rules, agent: Any, games: int, seed: int, players: int) -> tuple[np.ndarray, float]:
    """Return the totals of a player's games, (games,), and how many microseconds it took for a decision."""
    totals, decisions, seconds = np.zeros(games, np.int64), 0, 0.0
    for first in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - first)
        batch = faces_of(rules.name).Batch(count, players, autoreset=False)
        batch.reset(seed + first)
        while not batch.over.all():
            going = int((~batch.over).sum())
            begun = time.perf_counter()
            actions = agent.act_batch(batch)
            if first:  # the first games compile
                seconds += time.perf_counter() - begun
                decisions += going
            batch.step(actions)
            ended = batch.terminations | batch.truncations
            totals[first : first + count][ended] = batch.totals[ended, 0]
    return totals, 1e6 * seconds / decisions if decisions else float("nan")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for bad input, told in a sentence, 130 after an interrupt."""
    parse = parser("evaluate.py --game", __doc__)
    parse.add_argument("agents", nargs="+", metavar="AGENT", help="names or folders")
    parse.add_argument("--game", choices=GAMES, help="the game")
    parse.add_argument("--games", type=int, default=2000, metavar="N", help="for each player (default: 2000)")
    parse.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the first game (default: 0)")
    parse.add_argument("--players", type=int, default=1, metavar="N", help="seats (default: 1)")
    parse.add_argument("--csv", metavar="FILE", help="write the total of every game there")
    o = parse.parse_args(arguments)

    def work() -> None:
        rules = rules_of(o.game)
        if o.games < 2 or o.seed < 0:
            raise BadSetup(f"--games {o.games} --seed {o.seed}: expected at least 2 games and a seed of at least 0")
        agents = [player(rules, name) for name in o.agents]
        with whole_files([o.csv]) as (csv_file,):
            found = {agent.name: totals_of(rules, agent, o.games, o.seed, o.players) for agent in agents}
            if csv_file:
                rows = csv.writer(csv_file)
                rows.writerow(["seed", *found])
                rows.writerows([o.seed + i, *(totals[i] for totals, _ in found.values())] for i in range(o.games))
        print(f"{rules.name}, {o.players} seat(s), {o.games} games from seed {o.seed}; intervals of {LEVEL_TEXT}")
        first = next(iter(found.values()))[0]
        for name, (totals, each) in found.items():
            low, middle, high = np.percentile(totals, (5, 50, 95))
            told = f"mean {mean_estimate(totals).text(1)}, 5 % {low:.0f}, median {middle:.0f}, 95 % {high:.0f}"
            beside = "" if totals is first else f"; less than the first by {mean_estimate(first - totals).text(1)}"
            print(f"{name:24} {told}, best {totals.max()}, {each:.0f} µs a decision{beside}")

    return ended("evaluate.py", work)
