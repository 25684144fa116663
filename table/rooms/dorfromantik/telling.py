"""What happens when a tile is laid, found by the position before and after it, and told in words."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

from bohemian_env.dorfromantik.draw.landscape import cell_name
from bohemian_env.dorfromantik.draw.scene import Cell, is_task, kind_of, letters_of
from bohemian_env.dorfromantik.game import Game
from bohemian_env.dorfromantik.moves import parse_move
from bohemian_env.dorfromantik.state import LYING, SCORING
from bohemian_env.dorfromantik.tiles import DIRECTIONS, IDS, KINDS, LANDSCAPE, NUMBER, TASKS
from bohemian_env.engine.words import Words
from table.room import Parting, Teller

_LONGEST: Final = {name: SCORING.index(name) for name in ("track", "stream")}


class Laid(NamedTuple):
    """A tile that was laid, or that left the game without a place (D13), and what it brought about."""

    tile: str
    number: int | None
    """That of its marker."""
    move: str | None
    grew: tuple[tuple[str, int, int], ...] = ()
    """Of the tasks that lie out and whose territory grew: kind, tiles, the marker's number."""
    fulfilled: tuple[str, ...] = ()
    """Of the markers that were fulfilled: kind and number, ``"W6"``."""
    aborted: tuple[str, ...] = ()
    flags: tuple[tuple[str, int], ...] = ()
    """Of the flags that counted: kind and points."""
    longest: tuple[tuple[str, int], ...] = ()
    """``"track"`` and ``"stream"`` where the longest one grew, and its tiles now."""


def laid(before: Game, after: Game) -> Laid:
    """Return what happened by a move."""
    (event,) = after.happened
    tile, s, t = before.tile, before.states[0], after.states[0]
    assert tile is not None

    def marker(task: str) -> str:
        return f"{kind_of(task)}{t['marked'][NUMBER[task] - LANDSCAPE]}"

    left = ((IDS[LANDSCAPE + task], int(t["marked"][task])) for task in range(TASKS) if int(t["open"]) >> task & 1)
    grew = [
        (kind_of(task), size_of(t, task), number)
        for task, number in left
        if size_of(t, task) > (1 if task == tile else size_of(s, task))
    ]
    longest = [(name, int(t["score"][k])) for name, k in _LONGEST.items() if t["score"][k] > s["score"][k]]
    return Laid(
        tile,
        before.number,
        event["move"],
        tuple(grew),
        tuple(map(marker, event.get("fulfilled", ()))),
        tuple(map(marker, event.get("aborted", ()))),
        tuple((kind_of(flagged), size_of(t, flagged)) for flagged in event.get("flags", ())),
        tuple(longest),
    )


def size_of(s: Any, tile: str) -> int:
    """Return the tiles of the territory of a task, or of a flag, in the record of a position."""
    kind = KINDS.index(kind_of(tile))
    return int(s["size"][kind, s["territory"][kind, NUMBER[tile]]])


def lying(game: Game) -> dict[Cell, str]:
    """Return the edges of the tiles that lie, by direction."""
    where = enumerate(game.states[0]["tiles"].tolist())
    return {(q, r): letters_of(IDS[tile], turn) for tile, (there, q, r, turn) in where if there == LYING}


def matches(tile: str, move: str, cells: Mapping[Cell, str]) -> tuple[int, int]:
    """Return how many edges of a tile meet one of their kind after a move: without meadow, and with it."""
    q, r, turn = parse_move(move)
    found = [
        letter
        for direction, letter in enumerate(letters_of(tile, turn))
        if letter == cells.get((q + DIRECTIONS[direction][0], r + DIRECTIONS[direction][1]), "------")[direction - 3]
    ]
    return sum(letter in KINDS for letter in found), len(found)


def called(tile: str, number: int | None, words: Words) -> str:
    """Return what a tile is called within a sentence: "the task tile forest 6"."""
    kind = words(f"kind.{kind_of(tile)}") if kind_of(tile) else ""
    return words(f"tile.{'task' if is_task(tile) else 'flagged' if kind else 'plain'}", kind=kind, number=number or "")


def lands(tile: str, words: Words) -> str:
    """Return the edges of a tile by kind: "forest ×3, track ×1, meadow ×2"."""
    letters = letters_of(tile, 0)
    kinds = [kind for kind in (*KINDS, "M") if kind in letters]
    return ", ".join(f"{words(f'kind.{kind}')} ×{letters.count(kind)}" for kind in kinds)


def told(event: Laid, seat: int, teller: Teller, order: bool = False, fits: int = 0) -> str:
    """Return what happened as a sentence, or as an order to the seat. fits: the edges that match, told in an order."""
    words, tile = teller.words, called(event.tile, event.number, teller.words)
    if event.move is None:
        return teller.sentence(seat, ("leave", {"tile": tile}))
    q, r, turn = parse_move(event.move)
    fit = words("tile.fit_one" if fits == 1 else "tile.fit_many", number=fits) if fits else ""
    clauses = [("lay", {"tile": tile, "cell": cell_name(q, r), "rotation": turn, "fit": fit})]
    for key, markers in (("fulfil", event.fulfilled), ("abort", event.aborted)):
        if markers:
            named = [words("tile.marker", kind=words(f"kind.{one[0]}"), number=one[1:]) for one in markers]
            clauses.append((key, {"tasks": words.listed(named)}))
    if event.grew:
        named = [words("tile.progress", kind=words(f"kind.{k}"), size=n, number=of) for k, n, of in event.grew]
        clauses.append(("grow", {"tasks": words.listed(named)}))
    if event.flags:
        named = [words("tile.flag", kind=words(f"kind.{kind}"), points=points) for kind, points in event.flags]
        clauses.append(("flag", {"flags": words.listed(named)}))
    return teller.sentence(
        seat, *clauses, *((name, {"size": size}) for name, size in event.longest if size > 1), order=order
    )


def notation(event: Laid) -> str:
    """Return what happened in few letters: ``W1 6: +3-1 r2 ✓G5 ✗T4 ⚑W7``."""
    tile = event.tile + (f" {event.number}" if event.number else "")
    judged = [f"✓{marker}" for marker in event.fulfilled] + [f"✗{marker}" for marker in event.aborted]
    judged += [f"⚑{kind}{points}" for kind, points in event.flags]
    return " ".join([f"{tile}: {event.move or '–'}", *judged])


class Fate(NamedTuple):
    """What became of a task, or of a flag, in a game."""

    turn: int
    what: Literal["fulfilled", "aborted", "flags"]
    points: int
    """The marker's number, or what the flag counted."""


def fates(moments: Sequence[Game]) -> dict[str, Fate]:
    """Return what became of the tasks and the flags of a game that were settled, by their tiles."""
    found = {}
    for before, after in pairwise(moments):
        for event in after.happened if not before.needs_chance else ():
            for what in ("fulfilled", "aborted", "flags"):
                for tile in event.get(what, ()):
                    s = after.states[0]
                    points = size_of(s, tile) if what == "flags" else int(s["marked"][NUMBER[tile] - LANDSCAPE])
                    found[tile] = Fate(before.turn, what, points)
    return found


def parted(theirs: Sequence[Game], mine: Sequence[Game], words: Words) -> list[Parting]:
    """Return the tasks and flags of which more, or less, came in one of two games on the same stacks, by the tile that
    settled them, and at the end those that only the second game settled, the longest track and stream.
    """
    one, two = fates(theirs), fates(mine)
    drawn = {tile for game in mine for event in game.happened if (tile := event.get("tile"))}
    found = []

    def note(turn: int | None, key: str, tile: str, **more: object) -> None:
        marker = words("tile.marker", kind=words(f"kind.{kind_of(tile)}"), number=(one.get(tile) or two[tile]).points)
        kind = words(f"kind.{kind_of(tile)}")
        found.append(Parting(turn, words(f"parted.{key}", turn=turn, task=marker, kind=kind, **more)))

    for tile, fate in one.items():
        other = two.get(tile)
        if other is None and fate.what != "aborted":
            key = "flag_alone" if fate.what == "flags" else "open" if tile in drawn else "unseen"
            note(fate.turn, key, tile, points=fate.points)
        elif other and fate.what == "flags" and fate.points != other.points:
            note(fate.turn, "flag", tile, points=fate.points, other=other.points)
        elif other and fate.what != other.what:
            note(fate.turn, fate.what, tile, other=other.turn)
    for tile, fate in two.items():
        if tile not in one and fate.what != "aborted":
            note(None, "flag_missed" if fate.what == "flags" else "missed", tile, other=fate.turn, points=fate.points)
    for name in _LONGEST:
        sizes = {"size": theirs[-1].score[name], "other": mine[-1].score[name]}
        if sizes["size"] != sizes["other"]:
            found.append(Parting(None, words(f"parted.{name}", **sizes)))
    return found
