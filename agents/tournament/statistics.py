"""What the games of a table say, with intervals that know which games share their luck.

A block is the games of one seed, one for each rotation, which meet the same chance. Where seats are rivals, a result is
a share of the win; where they play for one result, or one agent has all of them, it is the mean of their totals.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from agents.common.statistics import Estimate, margins, mean_estimate, share_estimate, win_shares
from bohemian_env.engine.contract import Rules
from bohemian_env.games import GAMES, rules_of

from .play import Played
from .schedule import LineUp

_FIRST: Final = rules_of(GAMES[0])
_LAST: Final = np.int32(np.iinfo(np.int32).min)  # less than any total
_FEW: Final = 20  # blocks from which on luck has a weight of its own
_RARE: Final = 10  # games that each agent must have won, and lost, for shares less luck to tell how much they vary


@dataclass(frozen=True, slots=True)
class Result:
    """What the games of a table say of one agent that sat at it, with one copy or more."""

    agent: int
    """Number of the entrant."""
    copies: int
    """Its seats at the table."""
    share: Estimate
    """Part of the wins that each copy has, shared ones split, less its luck where that is known: 1 / players if all are
    equally strong."""
    by_seat: tuple[Estimate, ...]
    """The share in the games in which a copy had each seat."""
    margin: Estimate
    """Total of a copy less the mean of the others' at the table."""
    over_runs: Estimate | None = None
    """The share, with the interval over the runs of a group: what another training would give. None without groups."""


@dataclass(frozen=True, slots=True)
class Score:
    """What the games of a table say of those who play for one result."""

    total: Estimate
    """The mean of the seats' totals, less their luck where that is known."""
    spread: tuple[float, float, float, float]
    """The total that 5 %, half and 95 % of the games are below, and the highest of all."""
    ahead: Estimate
    """By how much it is higher than that of the first table, on the same seeds."""
    over_runs: Estimate | None = None
    """The total, with the interval over the runs of a group; None without groups."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the games of a table say."""

    line_up: LineUp
    blocks: int
    results: tuple[Result, ...]
    """The result of each agent that took part, the first entrant of the line-up first."""
    turns: Estimate
    """Length of a game in turns, over all seats."""
    ends: dict[str, int]
    """Games by how they ended, in the words of the game record."""
    failed: tuple[int, ...]
    """Games that each entrant of the tournament lost by a failure."""
    reasons: tuple[str, ...]
    """Why the first of these failed."""
    wins: np.ndarray
    """Wins of each entrant of the tournament in each block, shared ones split. float64, (blocks, entrants)."""
    less_luck: bool
    """Whether the luck of the dice is taken out of win shares: where it is known, unless nearly all games end alike.
    What is left would then lie outside 0 to 1, and not tell how surely the share is near an end of these."""
    worth: float | None
    """How many games without it each game is worth whose luck is known: by how much the win share of the first entrant
    varies less. None where no luck is known, or too little to say."""
    rotations: int = 0
    """Games of a block; 0 for those of the line-up."""
    score: Score | None = None
    """What they say where they are counted by totals, and there are no results of rivals."""
    scores: np.ndarray | None = None
    """The total of each block then: float64, (blocks,)."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.blocks * (self.rotations or self.line_up.rotations)


def _by_seat(agent: int, seating: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the share of one copy of an agent in each seat: float64, (blocks, seats)."""
    here = seating == agent
    return (shares * here).sum(axis=1) / here.sum(axis=1)


def _won(played: Played) -> np.ndarray:
    """Return each seat's part of the win, float64 (blocks, rotations, seats); 0 for a seat that failed."""
    return win_shares(np.where(played.failed, _LAST, played.totals))


def _telling(line_up: LineUp, played: Played, shares: np.ndarray) -> bool:
    """Return whether each agent won enough games, and lost enough."""
    won = [float((shares * (played.seating == agent)).sum()) for agent in line_up.agents]
    return min(won) >= _RARE and max(won) <= shares.shape[0] * shares.shape[1] - _RARE


def _less_luck(line_up: LineUp, played: Played, shares: np.ndarray) -> np.ndarray:
    """Return the win shares less what luck explains of them: float64, (blocks, rotations, seats).

    A network may overrate luck, as where one agent is much stronger than the others, so it counts by a weight: that
    with which it explained most in other blocks, every second one. So the mean stays what it is. Where nearly all games
    end alike, little can be seen of that, and the weight is 1.
    """
    blocks = len(shares)
    weights = np.ones(blocks)
    if blocks >= _FEW and _telling(line_up, played, shares):
        won, lucky = (
            np.stack([_by_seat(agent, played.seating, each).mean(axis=1) for agent in line_up.agents])
            for each in (shares, played.luck)
        )
        for half in range(2):
            w, x = (each[:, half::2] - each[:, half::2].mean(axis=1, keepdims=True) for each in (won, lucky))
            weights[1 - half :: 2] = (w * x).sum() / max((x * x).sum(), 1e-12)
    return shares - weights[:, None, None] * played.luck


def _result(agent: int, seating: np.ndarray, shares: np.ndarray, ahead: np.ndarray, freely: bool) -> Result:
    """Return what a table says of an agent; arguments as of :class:`Played`, (blocks, rotations, seats).

    freely: whether intervals follow from how much shares vary, not from their lying in 0 to 1.
    """
    here = seating == agent
    copies = int(here[0, 0].sum())
    by_seat = _by_seat(agent, seating, shares)
    estimate = mean_estimate if freely else share_estimate
    together = estimate(by_seat.mean(axis=1) * copies)
    return Result(
        agent=agent,
        copies=copies,
        share=Estimate(together.value / copies, together.low / copies, together.high / copies),
        by_seat=tuple(estimate(column) for column in by_seat.T),
        margin=mean_estimate((ahead * here).sum(axis=(1, 2)) / (copies * seating.shape[1])),
    )


def lead_of_first(line_up: LineUp, played: Played) -> np.ndarray:
    """Return by how much the first entrant won more than its share in each block, less luck: float64 (blocks,)."""
    shares = _less_luck(line_up, played, _won(played))
    return _by_seat(line_up.agents[0], played.seating, shares).mean(axis=1) - 1 / line_up.players


def total_of_blocks(played: Played) -> np.ndarray:
    """Return the mean of the seats' totals in each block, less their luck: float64, (blocks,)."""
    plain, lucky = (each.mean(axis=2) for each in (played.totals, played.luck))
    weights = np.ones(len(plain))
    if lucky.any() and len(plain) >= _FEW:
        for half in range(2):
            w, x = (each[half::2] - each[half::2].mean() for each in (plain, lucky))
            weights[1 - half :: 2] = (w * x).sum() / max((x * x).sum(), 1e-12)
    return (plain - weights[:, None] * lucky).mean(axis=1)


def summarise_team(line_up: LineUp, played: Played, first: np.ndarray, rules: Rules) -> Table:
    """Return the statistics of a table whose games are counted by totals.

    first: what :func:`total_of_blocks` gives of the first table, whose first blocks have its seeds.
    """
    scores, plain = total_of_blocks(played), played.totals.mean(axis=2)
    low, middle, high = (float(number) for number in np.percentile(plain, (5, 50, 95)))
    both = min(len(scores), len(first))
    score = Score(
        total=mean_estimate(scores),
        spread=(low, middle, high, float(plain.max())),
        ahead=mean_estimate(scores[:both] - first[:both]),
    )
    spreads = [np.var(plain.mean(axis=1)), np.var(scores)]
    lucky = bool(played.luck.any())
    common = _common(line_up, played, rules)
    worth = float(spreads[0] / spreads[1]) if lucky and min(spreads) > 0 else None
    return Table(**common, results=(), less_luck=lucky, worth=worth, score=score, scores=scores)


def _common(line_up: LineUp, played: Played, rules: Rules) -> dict[str, Any]:
    """Return the parts of a :class:`Table` that do not depend on what a result is."""
    entrants = range(len(played.decisions))
    counts = np.bincount(played.ends.ravel(), minlength=len(rules.ends))
    won = _won(played)
    return {
        "line_up": line_up,
        "blocks": len(won),
        "rotations": won.shape[1],
        "turns": mean_estimate(played.turns.mean(axis=1)),
        "ends": {name: int(count) for name, count in zip(rules.ends, counts, strict=True) if name is not None},
        "failed": tuple(int((played.failed & (played.seating == number)).sum()) for number in entrants),
        "reasons": played.reasons,
        "wins": np.stack([(won * (played.seating == number)).sum(axis=(1, 2)) for number in entrants], axis=1),
    }


def summarise(line_up: LineUp, played: Played, rules: Rules = _FIRST) -> Table:
    """Return the statistics of a table of rivals. rules: of the game."""
    plain, ahead = _won(played), margins(played.totals)
    lucky = bool(played.luck.any()) and _telling(line_up, played, plain)
    shares = _less_luck(line_up, played, plain) if lucky else plain
    spreads = [np.var(_by_seat(line_up.agents[0], played.seating, each).mean(axis=1)) for each in (plain, shares)]
    return Table(
        **_common(line_up, played, rules),
        results=tuple(_result(agent, played.seating, shares, ahead, lucky) for agent in line_up.agents),
        less_luck=lucky,
        worth=float(spreads[0] / spreads[1]) if lucky and min(spreads) > 0 else None,
    )
