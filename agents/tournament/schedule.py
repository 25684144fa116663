"""Who sits where, and with which chance: plain numbers, known before anything is played."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, combinations_with_replacement, permutations
from typing import Final

import numpy as np

from bohemian_env.engine.checks import MAX_SEED, is_truth, is_whole
from bohemian_env.engine.errors import brief


class BadTournament(ValueError):
    """What was asked for cannot be played; the message is a sentence that names the value."""


@dataclass(frozen=True)
class LineUp:
    """Who sits at a table. All rotations of it are played with the same chance; one is all where one agent has all
    seats.

    The games of one seed, one for each rotation, are a *block*: they share their luck, so statistics count blocks.
    Where the same agents can sit in several orders round the table (AABB and ABAB), the seeds take turns with them.
    """

    order: tuple[int, ...]
    """Numbers of entrants, one per seat; the order in which they are named says nothing but who comes first."""

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.order)

    @property
    def agents(self) -> tuple[int, ...]:
        """The entrants that take part, each once, as they are first named in the order."""
        return tuple(dict.fromkeys(self.order))

    @property
    def rotations(self) -> int:
        """The games of a block."""
        return self.players if len(self.agents) > 1 else 1

    @property
    def is_duel(self) -> bool:
        """Whether the first entrant is alone among copies of one other."""
        return len(self.agents) == 2 and self.order.count(self.order[0]) == 1

    @cached_property
    def arrangements(self) -> tuple[tuple[int, ...], ...]:
        """The orders round the table that no rotation makes the same, each beginning with the first entrant."""
        first, *others = self.order
        turned = (_rotations((first, *rest)) for rest in permutations(others))
        return tuple(sorted({min(line for line in lines if line[0] == first) for lines in turned}))

    def seating(self, places: np.ndarray) -> np.ndarray:
        """Return the entrant at each seat in each game of some blocks: int64, (blocks, rotations, seats).

        In rotation r the first entrant of the arrangement has seat r. (Two rotations of ABAB are the same; both are
        played, so that every block has as many games.)

        places: of the blocks' seeds among those of the tournament, from 0, int64 (blocks,): seed number k is played
        with arrangement k modulo their number.
        """
        tables = np.array([_rotations(line)[: self.rotations] for line in self.arrangements], np.int64)
        return tables[places % len(tables)]


def _rotations(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all rotations of an order; in rotation r its first entrant has seat r."""
    players = len(order)
    return [tuple(order[(seat - r) % players] for seat in range(players)) for r in range(players)]


_MOST_SEATS: Final = 8
_MOST_ENTRANTS: Final = 1000  # agents of a tournament at most, so that its tables find room
SEATINGS: Final = {
    "all": "every table at which at least two different agents sit",
    "duels": "one agent alone among copies of another, and the other way round",
    "mixed": "tables at which all agents are different",
    "single": "the first agent alone among copies of each other one",
    "one": "one table at which all the named agents sit",
    "own": "every agent in all seats of a table of its own, to compare totals",
}
"""Which tables :func:`line_ups` makes."""


def line_ups(tables: str, entrants: int, players: int, team: bool = False) -> list[LineUp]:
    """Return the tables of a kind that some entrants can form.

    The entrants of a table are named by how many seats they have, the rarest first; of a pair, the table at which the
    first is alone comes before that at which the second is. With two players a pair meets at one table.

    tables: a name of :data:`SEATINGS`. entrants: their number. players: seats at a table. team: whether all seats play
    for one result; then the tables of ``own`` come before those of every kind.

    Raises:
        BadTournament: fewer than two entrants, or none where each has a table of its own; another name; or a number of
            entrants that does not fit the seats.
    """
    if not isinstance(tables, str) or tables not in SEATINGS:
        raise BadTournament(f"tables {brief(tables)}: known are {', '.join(SEATINGS)}")
    if not is_whole(entrants, 0, _MOST_ENTRANTS) or not is_whole(players, 1, _MOST_SEATS):
        most = f"at most {_MOST_ENTRANTS} agents can meet, at tables for at most {_MOST_SEATS}"
        raise BadTournament(f"{brief(entrants)} agents at tables for {brief(players)} players: {most}")
    if not is_truth(team):
        raise BadTournament(f"team {brief(team)} is neither True nor False")
    if entrants < (least := 1 if team or tables == "own" else 2):
        raise BadTournament(f"{entrants} agent{'' if entrants == 1 else 's'}: a comparison needs at least {least}")
    everyone = range(entrants)
    own = [LineUp((number,) * players) for number in everyone]
    if tables == "own" or players == 1 or entrants == 1:
        return own
    if team:
        return own + line_ups(tables, entrants, players)
    if tables == "one":
        if entrants != players:
            reason = "more agents than seats" if entrants > players else "name as many agents as there are seats"
            raise BadTournament(f"{entrants} agents at a table for {players} players: {reason}")
        return [LineUp(tuple(everyone))]
    if tables == "mixed":
        if entrants < players:
            reason = f"a mixed table for {players} players needs {players} different ones"
            raise BadTournament(f"{entrants} agents: {reason}")
        return [LineUp(order) for order in combinations(everyone, players)]
    if tables == "single":
        return [LineUp((0, *[other] * (players - 1))) for other in everyone[1:]]
    groups = chain.from_iterable(combinations(everyone, size) for size in range(2, players + 1))
    found = chain.from_iterable(_tables_of(group, players) for group in groups)
    return [line_up for line_up in found if tables == "all" or line_up.is_duel]


def _tables_of(group: tuple[int, ...], players: int) -> list[LineUp]:
    """Return the tables at which exactly the entrants of ``group`` sit, those with a lone entrant first."""
    orders = []
    for more in combinations_with_replacement(group, players - len(group)):
        seats = sorted((*group, *more))
        orders.append(tuple(sorted(seats, key=seats.count)))
    return [LineUp(order) for order in sorted(orders, key=lambda order: (order.count(order[0]), order))]


def check_line_up(line_up: LineUp, entrants: int, players: int, alone: bool = False) -> None:
    """Raise BadTournament if a line-up has not ``players`` seats or names an entrant that there is not, or one alone.

    alone: whether one may have all seats.
    """
    if line_up.players != players:
        raise BadTournament(f"{line_up.players} agents at a table for {players} players")
    if len(line_up.agents) < 2 and not alone:
        raise BadTournament(f"table {line_up.order}: at least two different agents must sit at it")
    if not all(0 <= number < entrants for number in line_up.order):
        raise BadTournament(f"table {line_up.order}: agents are numbered 0 to {entrants - 1}")


def whole_blocks(games: int, rotations: int) -> int:
    """Return how many blocks of ``rotations`` games hold at least ``games``. Raises BadTournament for fewer than 1."""
    if not is_whole(games, 1):
        raise BadTournament(f"{brief(games)} games: at least 1 must be played")
    return -(-games // rotations)


def check_seed(seed: int, count: int = 1) -> None:
    """Raise BadTournament if ``count`` seeds from ``seed`` on do not lie in 0 to 2**63 - 1."""
    if not is_whole(seed, 0, MAX_SEED + 1 - count):
        more = f" and the {count - 1:,} after it" if count > 1 else ""
        raise BadTournament(f"seed {brief(seed)}: seeds are from 0 to {MAX_SEED}, this one{more}")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Blocks of one table that are played together: the unit of work, and of what is kept of it."""

    line_up: LineUp
    seed: int  # the seed of the tournament's first block
    start: int  # place of the first block among the tournament's
    blocks: int
    luck: bool = False
    """Whether to find how lucky each seat was, which takes long: in games of dice and two players .2 seconds each."""

    @property
    def games(self) -> int:
        """Games of the chunk."""
        return self.blocks * self.line_up.rotations

    @property
    def seeds(self) -> np.ndarray:
        """Seed of all that chance brings in every block: uint64, (blocks,)."""
        return np.uint64(self.seed + self.start) + np.arange(self.blocks, dtype=np.uint64)

    @property
    def seating(self) -> np.ndarray:
        """Entrant at each seat of each game: int64, (blocks, rotations, seats)."""
        return self.line_up.seating(np.arange(self.start, self.start + self.blocks))


def chunks(line_up: LineUp, blocks: int, seed: int, games_at_once: int, luck: bool = False) -> list[Chunk]:
    """Return the blocks of a table in pieces of about ``games_at_once`` games. Raises BadTournament as check_seed."""
    check_seed(seed, blocks)
    size = max(1, games_at_once // line_up.rotations)
    return [Chunk(line_up, seed, start, min(size, blocks - start), luck) for start in range(0, blocks, size)]
