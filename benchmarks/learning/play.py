"""How strong agents are at a price of a move: one rating from tables of every size, each of equal weight.

Every agent plays alone among copies of each anchor, as many games with two players as with three, four and five. One
fit of Luce's model over all these games gives the ratings; ``greedy`` has 1000.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from agents.tournament import Comparison, LineUp, compare, enter
from agents.tournament.rating import rate
from agents.tournament.schedule import whole_blocks
from bohemian_env import Setup
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

PRICES: Final = (0.1, 5.0, 50.0)  # milliseconds a move at most, on one core
ANCHORS: Final = ("greedy", "planner")
AGENTS: Final = (
    *("random", "rusher", "hoarder", "selftaught", "appraiser", "ppo"),
    *("montecarlo:5ms", "search:appraiser:5ms", "montecarlo:50ms", "search:appraiser:50ms"),
)
"""Who plays by default, besides the anchors."""
_SEED: Final = 11_000_000
_TOLERANCE: Final = 1.1  # a move may take so much longer than its price, since clocks and other programs disturb


def price_of(milliseconds: float) -> float | None:
    """Return the lowest price that a time of a move fits; None above all."""
    return next((price for price in PRICES if milliseconds <= _TOLERANCE * price), None)


def _schedule(entrants: int, players: int, games: Callable[[int], int]) -> list[tuple[LineUp, int]]:
    """Return the tables of one size: each entrant among each anchor; with more than two players both anchors alone."""
    first, second = range(len(ANCHORS))
    pairs = [(first, second), *([(second, first)] if players > MIN_PLAYERS else [])]
    pairs += [(one, anchor) for one in range(len(ANCHORS), entrants) for anchor in (first, second)]
    return [(LineUp((one, *[other] * (players - 1))), games(one)) for one, other in pairs]


def rated(
    names: Sequence[str], quick: int, slow: int, jobs: int, work: Path, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Let agents play the anchors, and return their ratings and what a move of theirs takes, as plain data.

    quick: games of an agent among each anchor, at tables of two, three, four and five together. slow: the same of one
    that searches. work: folder for finished games. Raises BadTournament for agents that cannot play.
    """
    entrants = enter([*ANCHORS, *(name for name in names if name not in ANCHORS)], _SEED)
    sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)

    def games(entrant: int) -> int:
        return slow if hasattr(entrants[entrant].agent, "games_at_once") else quick

    found: dict[int, Comparison] = {}
    for players in sizes:
        tell(f"{players} players")
        schedule = _schedule(len(entrants), players, lambda one: whole_blocks(games(one) // len(sizes), 1))
        setup = Setup.of(players)
        # Ratings count wins with their luck in them, so nobody need work it out.
        found[players] = compare(entrants, setup, schedule=schedule, seed=_SEED, jobs=jobs, work=work, luck=False)
    ratings = rate([table for comparison in found.values() for table in comparison.tables], 0)
    rows = []
    for number, entrant in enumerate(entrants):
        times = [comparison.milliseconds_per_move(number) for comparison in found.values()]
        told = {"price": price_of(max(times)), "milliseconds": [round(time, 4) for time in times]}
        rows.append({"agent": entrant.argument, **told, "rating": ratings[number].plain()})
    for comparison in found.values():
        if comparison.kept:
            comparison.kept.remove()
    return {"seed": _SEED, "games": {"quick": quick, "slow": slow}, "rows": rows}
