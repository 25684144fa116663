"""A whole game as JSON: what was drawn and what was done, enough to play it again on a table without a seed (D32).

All that happens in a game is told as parts of that record's turns: what is revealed, and what a placement brings about.
"""

import itertools
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from ..engine.contract import Action
from ..engine.errors import BadRecord
from ..engine.game import replayed
from ..engine.setup import start_of
from . import rules
from .moves import text_of
from .position import score_of, task_ids
from .setup import Setup, SetupOptions, Start
from .state import NO_TILE, State
from .tiles import FLAGGED, IDS

FORMAT: Final = "dorfromantik/1"
Event: TypeAlias = dict[str, Any]
"""A part of a turn: ``tile`` (D4); ``marker`` (D5); ``move`` None (D13); or ``move`` with all that it brings about:
``fulfilled``, ``aborted`` (D16) and ``flags`` (D19), which are ids of tiles, ascending, left out when empty."""


def told_deal(states: np.ndarray, k: int, pieces: Any) -> tuple[Event, ...]:
    """Reveal tile or marker ``k`` in ``states[0]``, as ``rules.deal`` does, and return what happens."""
    s = states[0]
    event = {"marker": int(s["numbers"][k])} if s["pending"] == rules.MARKER_DUE else {"tile": IDS[k]}
    rules.deal(s, k)
    return (event, {"move": None}) if s["hand"] == NO_TILE else (event,)


def told_push(states: np.ndarray, action: Action, pieces: Any) -> tuple[Event, ...]:
    """Carry out a legal action in ``states[0]``, as ``rules.push`` does, and return what happens."""
    s = states[0]
    event: Event = {"move": text_of(s, action)}
    fulfilled, aborted, flags = (int(s[name]) for name in ("fulfilled", "aborted", "flags"))
    flags |= 1 << int(s["hand"])
    rules.push(s, action)
    brought = {
        "fulfilled": task_ids(int(s["fulfilled"]) & ~fulfilled),
        "aborted": task_ids(int(s["aborted"]) & ~aborted),
        "flags": [IDS[tile] for tile in FLAGGED if (flags & ~int(s["flags"])) >> tile & 1],
    }
    return (event | {name: ids for name, ids in brought.items() if ids},)


def write_record(start: Start, happened: Iterable[Iterable[Event]], s: State) -> dict[str, Any]:
    """Return the game record of all that happened since a game's beginning, up to the position ``s``.

    Beyond D32, a variant has its parameters in ``setup``, and a game that goes on from another one ``continues``.
    """
    turns = list[dict[str, Any]]()
    for event in itertools.chain.from_iterable(happened):
        if "tile" in event:
            turns.append({})
        turns[-1] |= event
    record: dict[str, Any] = {"format": FORMAT, "players": list(start.names)}
    if options := start.setup.options:
        record["setup"] = options
    if start.continues:
        record["continues"] = start.continues.to_json()
    return record | {"turns": turns} | ({"score": score_of(s)} if s["end"] else {})


def replay(data: Any, begin: Callable[[Start], Any]) -> Any:
    """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord.

    begin: makes the game of a beginning.
    """
    game = begin(start_of(data, FORMAT, {"turns": [{"tile": object}]}, Setup.of, [*SetupOptions.__annotations__]))
    for number, turn in enumerate(data["turns"]):
        where = f"turns[{number}]"
        if not game.needs_chance or game.turn != number:
            raise BadRecord(f"{where}: no turn can begin here: {game!r}")
        for key in ("tile", "marker", "move"):
            if turn.get(key) is not None:
                game = replayed(f"{where}.{key}", game.push if key == "move" else game.deal, turn[key])
    return game
