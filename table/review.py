"""A game looked at again: what every chance was worth, what every move cost, and what each seat could expect.

What a move *costs* is what the best move is worth less what this one is, both for the seat that moves, in the room's
unit: the chance of winning, or the total in the end. The *luck* of chance is what can be expected after it less the
mean over all that could have come.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, zip_longest
from typing import Any, Final, NamedTuple

from agents.common.cores import usable_cores
from bohemian_env.engine.contract import Action
from bohemian_env.engine.game import Game

from .album import Album
from .history import Position, positions_of
from .room import LETTERS, Room, Teller, capital, room_of, total_of
from .words import Words

_TOLD: Final = 3  # the best moves that are told of every position; where a costly move was made, all are
_DIGITS: Final = 4


class Beside(NamedTuple):
    """The game of people that another one is a duplicate of."""

    moments: Sequence[Game]
    """All of them."""
    teller: Teller
    seat: int
    """That of the first person."""


def review(
    moments: Sequence[Game],
    names: Sequence[str] | None = None,
    you: int | None = None,
    after: int = 0,
    quick: bool = False,
    words: Words | None = None,
    tell: Callable[[int], object] | None = None,
    beside: Beside | None = None,
) -> dict[str, Any]:
    """Return all there is to tell of a game so far, in plain Python types.

    Args:
        moments: all moments of the game, from its beginning.
        names: of the seats; those of its record by default.
        you: the seat that is called "you".
        after: the number of positions that the reader has already, which are left out.
        quick: whether to leave out what takes most of the time: the luck of chance and the cost of moves among which
            there was a choice are None then, and what is expected and what moves are worth is what is thought at once.
        words: those of the language in which it is told; English by default.
        tell: is told the number of decisions that are thought about, now and then.
        beside: what this game is a duplicate of, if it is one.
    """
    game = moments[-1]
    room = room_of(game.rules.name)
    names = list(game.record()["players"] if names is None else names)
    teller, album = Teller(names, you, words or room.words("en")), Album()
    positions: list[dict[str, Any]] = []
    before = None
    history = positions_of(moments)
    entries: dict[int, list[dict[str, Any]]] = {}  # by position
    ends = [here.moment for here in history]
    for line in room.lines(moments):
        number = next((number for number, end in enumerate(ends) if line.moment <= end), len(ends) - 1)
        entry = room.entry(line, teller)
        shown = number - (entry["kind"] == "move")
        entries.setdefault(number, []).append({**entry, "position": max(shown, 0)})
    if not quick:
        _think(room, history, tell)
    for number, (here, following) in enumerate(zip_longest(history, history[1:])):
        played = None if following is None else following.game.actions[-1]
        told = number >= after
        positions.append(_position(room, here, played, teller, told, quick))
        if told:
            positions[-1]["lines"] = entries.get(number, [])
            positions[-1]["panels"] = room.panels(here.game, teller)
            album.add(room.draw(here.game, names, before, teller.words))
        before = here.game
    other = {} if beside is None or room.unit != "points" else _beside(room, moments, beside, after, album)
    return {
        "game": room.name,
        "unit": room.unit,
        "names": names,
        "letters": LETTERS[: len(names)],
        "you": you,
        "over": game.over,
        "costly": room.costly,
        "nearly": room.nearly,
        "provisional": quick,
        "seats": [_summary(room, seat, positions, quick) for seat in range(len(names))],
        "after": after,
        "positions": positions[after:],
        "beside": other,
        **album.to_json(),
    }


def parted(room: Room, moments: Sequence[Game], other: Beside) -> list[tuple[int, str]] | None:
    """Return in what a game parts from the one that it is a duplicate of: the numbers of its positions, and sentences;
    None where turns do not correspond.
    """
    partings = room.parted(moments, other.moments, other.teller)
    turns = [None if here.game.over else here.game.turn for here in positions_of(moments)]
    return None if partings is None else [(turns.index(parting.turn), parting.words) for parting in partings]


def _beside(room: Room, moments: Sequence[Game], other: Beside, after: int, album: Album) -> dict[str, Any]:
    """Return what a game is a duplicate of: its ``course``, what its first person could expect, by its positions. Where
    turns correspond also that person's ``seat`` and ``name``, the ``totals`` of both games at each position of the
    duplicate from ``after`` on, with a drawing more in the album, and in what the two ``parted``, by position.
    """
    history, there = positions_of(moments), positions_of(other.moments)
    standings = [room.stated_standing(one.game) for one in there]
    course = [round(standing[min(other.seat, len(standing) - 1)], _DIGITS) for standing in standings]
    if (partings := parted(room, moments, other)) is None:
        return {"course": course}
    totals, before = [], None
    for here in history[after:]:
        same = (one.game for one in there if not here.game.over and one.game.turn >= here.game.turn)
        game = next(same, there[-1].game)
        album.add(room.draw(game, other.teller.names, before, other.teller.words))
        before = game
        rows = [room.rules.scoring_of(one.states[0]) for one in (here.game, game)]
        totals.append([total_of(row[min(other.seat, len(row) - 1)]) for row in rows])
    name = capital(other.teller.name(other.seat))
    return {"course": course, "seat": other.seat, "name": name, "totals": totals, "parted": partings}


def _think(room: Room, history: Sequence[Position], tell: Callable[[int], object] | None) -> None:
    """Find what moves are worth, on all cores, so that it is known when they are told of."""
    with ThreadPoolExecutor(len(usable_cores())) as pool:
        decided = [(here.game, after.game.actions[-1]) for here, after in pairwise(history)]
        thoughts = [pool.submit(room.worth, game, action) for game, action in decided if _open(game)]
        for number, one in enumerate(thoughts, 1):
            one.result()
            if tell:
                tell(number)


def _open(game: Game) -> bool:
    """Return whether somebody has a choice."""
    return not game.over and not game.needs_chance and len(game.legal_actions) > 1


def _luck(room: Room, due: Game, after: Game) -> list[float]:
    pairs = zip(room.standing(after), room.expected(due), strict=True)
    return [round(found - mean, _DIGITS) for found, mean in pairs]


def _position(
    room: Room, here: Position, played: Action | None, teller: Teller, told: bool, quick: bool
) -> dict[str, Any]:
    """Return what there is to tell of a position in which an action was ``played``.

    told: whether its moves are told, too.
    """
    game = here.game
    values = {}
    if not game.over and not game.needs_chance:
        values = room.worth(game, played) if _open(game) and not quick else room.stated(game)
    best = max(values.values(), default=0.0)
    unknown = quick and played is not None and len(values) > 1
    cost = None if unknown else 0.0 if played is None else round(best - values.get(played, best), _DIGITS)
    kept = sorted(values, key=lambda action: -values[action])
    if cost is not None and cost < room.costly[0]:
        kept = [action for place, action in enumerate(kept) if place < _TOLD or action == played]
    moves = []
    if told and kept:
        options = {option["move"]: option for option in room.options(game, teller)}
        moves = [
            {**options[text], "value": round(values[action], _DIGITS)}
            for action in kept
            if (text := game.action_to_text(action)) in options
        ]
    standing = room.stated_standing(game) if quick else room.standing(game)
    if standing and room.unit == "points" and not quick and _open(game):
        standing[min(game.to_move or 0, len(standing) - 1)] = best  # rolled out, as the moves beside it are
    return {
        "seat": game.to_move,
        "turn": game.turn,
        "seen": room.seen(game, teller.words),
        "standing": [round(value, _DIGITS) for value in standing],
        "chances": [
            {
                "seat": due.to_move,
                "words": room.chance(due, after, teller) if told else "",
                "luck": None if quick else _luck(room, due, after),
            }
            for due, after in here.chances
        ],
        "choices": len(values),
        "played": None if played is None else game.action_to_text(played),
        "cost": cost,
        "moves": moves,
    }


def _summary(room: Room, seat: int, positions: Sequence[Mapping[str, Any]], quick: bool) -> dict[str, Any]:
    """Return how lucky a seat was in its own turns and in those of others, and what its decisions cost: of those that
    left a choice their number, the sum, and how many were costly. quick: only their number is told.
    """
    decided = [p for p in positions if p["seat"] == seat and p["played"] is not None and p["choices"] > 1]
    found: dict[str, Any] = {"decisions": len(decided)}
    if quick:
        return found | dict.fromkeys(("own", "others", "lost", "costly"))
    chances = [(one["seat"], one["luck"]) for position in positions for one in position["chances"]]
    lucks = [(who, luck[min(seat, len(luck) - 1)]) for who, luck in chances if luck]
    costs = [p["cost"] for p in decided]
    return found | {
        "own": round(sum(luck for who, luck in lucks if who == seat), _DIGITS),
        "others": round(sum(luck for who, luck in lucks if who != seat), _DIGITS),
        "lost": round(sum(costs), _DIGITS),
        "costly": [sum(cost >= least for cost in costs) for least in room.costly],
    }
