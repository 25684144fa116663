"""A whole game as JSON: what was drawn and what was done, enough to play it again on a table without a seed (D32)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from ..engine.errors import BadRecord, BadSetup, BohemianError, brief
from ..engine.setup import Continued
from .events import Event, Left, Marked, Placed, Revealed
from .position import score_of
from .setup import Setup, SetupOptions, Start
from .state import State

__all__ = ["FORMAT", "replay", "write_record"]

FORMAT: Final = "dorfromantik/1"


def write_record(start: Start, happened: Iterable[Iterable[Event]], s: State) -> dict[str, Any]:
    """Return the game record of all that happened since a game's beginning, up to the position ``s``.

    ``setup`` is there only in a variant, and ``continues`` only in a game that goes on from another one.
    """
    turns = list[dict[str, Any]]()
    for event in itertools.chain.from_iterable(happened):
        match event:
            case Revealed():
                turns.append({"tile": event.tile})
            case Marked():
                turns[-1]["marker"] = event.number
            case Placed():
                turns[-1]["move"] = event.move
                told = {"fulfilled": event.fulfilled, "aborted": event.aborted, "flags": event.flags}
                turns[-1] |= {name: list(tiles) for name, tiles in told.items() if tiles}
            case Left():
                turns[-1]["move"] = None
    record: dict[str, Any] = {"format": FORMAT, "players": list(start.names), "turns": turns}
    if options := start.setup.options:
        record["setup"] = options
    if start.continues:
        record["continues"] = start.continues.to_json()
    if s["end"]:
        record["score"] = score_of(s)
    return record


def _start_of(data: object) -> Start:
    """Return the beginning of the game of a record. Raises BadRecord."""
    if not isinstance(data, Mapping):
        raise BadRecord(f"a game record is a JSON object, not {brief(data)}")
    for key, what in (("format", "a text"), ("players", "a list of names"), ("turns", "a list")):
        if key not in data:
            raise BadRecord(f"{key}: missing")
        if not isinstance(data[key], str if key == "format" else (list, tuple)):
            raise BadRecord(f"{key}: {brief(data[key])} is not {what}")
    if data["format"] != FORMAT:
        raise BadRecord(f"format: {brief(data['format'])} is not {brief(FORMAT)}")
    options = data.get("setup", {})
    if not isinstance(options, Mapping) or not {*options} <= {*SetupOptions.__annotations__}:
        raise BadRecord(f"setup: {brief(options)} is not an object of {', '.join(SetupOptions.__annotations__)}")
    try:
        start = Setup.of(len(data["players"]), **options).start(None, data["players"])
        return start if "continues" not in data else replace(start, continues=_continued(data["continues"]))
    except BadSetup as error:
        raise BadRecord(str(error)) from None


def _continued(told: object) -> Continued:
    """Return which game a game goes on from, as a record tells it. Raises BadRecord, BadSetup."""
    if not isinstance(told, Mapping) or {*told} != {"moves", "players", "seed"}:
        raise BadRecord(f"continues: {brief(told)} is not an object with exactly moves, players and seed")
    players = told["players"]
    if not isinstance(players, list | tuple):
        raise BadRecord(f"continues.players: {brief(players)} is not a list of names")
    return Continued(told["moves"], tuple(players), told["seed"])


def replay(data: Any, begin: Callable[[Start], Any]) -> Any:
    """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord.

    begin: makes the game of a beginning.
    """
    start = _start_of(data)
    game = begin(start)
    for number, turn in enumerate(data["turns"]):
        where = f"turns[{number}]"
        if not isinstance(turn, Mapping):
            raise BadRecord(f"{where}: {brief(turn)} is not a JSON object")
        if "tile" not in turn:
            raise BadRecord(f"{where}.tile: missing")
        if not game.needs_chance or game.turn != number:
            raise BadRecord(f"{where}: no turn begins here; the game before it: {game!r}")
        for key in ("tile", "marker", "move"):
            if turn.get(key) is None:
                continue
            try:
                game = game.push(turn[key]) if key == "move" else game.deal(turn[key])
            except BohemianError as error:
                raise BadRecord(f"{where}.{key}: {error}") from None
    if (known := start.continues) and known.moves > len(game.actions):
        raise BadRecord(f"continues.moves: {known.moves} are more than the record has")
    return game
