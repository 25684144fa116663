"""Games of Dorfromantik by the plain rules, move for move, for other implementations to follow in lock-step."""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.reference.dorfromantik import PlainGame, neighbours
from tests.test_dorfromantik.laid import Move

Event = tuple[str, Any]
"""What happened: ("reveal", tile), ("mark", number) or ("place", (q, r, rotation))."""
Chooser = Callable[[PlainGame, random.Random], Move]


def anywhere(game: PlainGame, rng: random.Random) -> Move:
    """Choose any move."""
    return rng.choice(game.legal())


def into_holes(game: PlainGame, rng: random.Random) -> Move:
    """Choose among the moves into the cells with most neighbours: territories close, tracks must fit (D9, D12, D16)."""
    return _best(game.legal(), lambda move: sum(cell in game.cells for cell in neighbours(move[:2])), rng)


def straight_on(game: PlainGame, rng: random.Random) -> Move:
    """Choose among the moves farthest out in the direction in which the landscape is widest: D26 binds."""
    q, r = max(game.cells, key=lambda cell: (max(abs(cell[0]), abs(cell[1])), cell), default=(0, 0))
    q, r = (q, r) if (q, r) != (0, 0) else rng.choice(neighbours((0, 0)))
    return _best(game.legal(), lambda move: move[0] * q + move[1] * r, rng)


def greedily(game: PlainGame, rng: random.Random) -> Move:
    """Choose among the moves after which the score is highest (D24), and among these where most edges match."""

    def value(move: Move) -> tuple[int, int]:
        after = game.copy()
        after.place(*move)
        mine = after.letters[move[:2]]
        theirs = [after.letters.get(cell, "......") for cell in neighbours(move[:2])]
        return after.score()["total"], sum(mine[d] == theirs[d][(d + 3) % 6] != "M" for d in range(6))

    return _best(game.legal(), value, rng)


def _best(moves: list[Move], value: Callable[[Move], Any], rng: random.Random) -> Move:
    values = [value(move) for move in moves]
    most = max(values)
    return rng.choice([move for move, its_value in zip(moves, values, strict=True) if its_value == most])


PLAYERS: Final[dict[str, Chooser]] = {
    "anywhere": anywhere,
    "into holes": into_holes,
    "straight on": straight_on,
    "greedily": greedily,
}
"""Ways to choose a move, by name."""


def play(game: PlainGame, rng: random.Random, player: str = "anywhere") -> Iterator[Event]:
    """Play on to the end, and yield each event when the game has carried it out (chance by D27)."""
    while game.due != "over":
        event: Event
        if game.due == "move":
            event = ("place", PLAYERS[player](game, rng))
            game.place(*event[1])
        else:
            unseen = game.unseen()
            outcome = rng.choices(list(unseen), [float(chance) for chance in unseen.values()])[0]
            event = ("mark" if game.due == "marker" else "reveal", outcome)
            carry_out(game, event)
        yield event


def carry_out(game: Any, event: Event) -> None:
    """Let an event happen in another game."""
    kind, what = event
    if kind == "place":
        game.place(*what)
    elif kind == "mark":
        game.mark(what)
    else:
        game.reveal(what)
