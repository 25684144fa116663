"""A whole game as JSON: enough to replay it on a table, without the program and without the seed."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ..engine.contract import Outcome
from ..engine.errors import BadRecord, BohemianError, brief
from ..engine.setup import continuing
from .board import Board
from .events import Event, Moved, Rolled, TurnBegan
from .facts import TURN_DICE
from .notation import format_move
from .setup import Setup, Start

FORMAT: Final = "bohemian-villages/1"


def write_record(start: Start, happened: Iterable[Iterable[Event]], outcome: Outcome | None) -> dict[str, Any]:
    """Return the game record of all that happened since a game's beginning, and of how it ended, if it did."""
    setup, turns = start.setup, list[dict[str, Any]]()
    for event in itertools.chain.from_iterable(happened):
        match event:
            case TurnBegan(seat, income):
                turns.append({"seat": seat, "income": income})
            case Rolled(_, dice) if "roll" in turns[-1]:
                turns[-1]["moves"][-1]["rolled"] = list(dice)
            case Rolled(_, dice):
                turns[-1] |= {"roll": list(dice), "moves": []}
            case Moved():
                entry: dict[str, Any] = {"move": format_move(event.move)}
                if event.kicked is not None:
                    entry["kicked"] = event.kicked
                if any(event.paid):
                    entry["paid"] = list(event.paid)
                turns[-1]["moves"].append(entry)
    record: dict[str, Any] = {
        "format": FORMAT,
        "players": list(start.names),
        "seed": start.seed,
        "figures": setup.board.setups[setup.players].figures,
        "special_action_tiles": setup.special_action_tiles,
        "coin_supply": setup.coin_supply,
        "max_turns": setup.max_turns,
        "villages": [v.to_json() for v in start.villages],
        "turns": turns,
    }
    if start.continues:
        record["continues"] = start.continues.to_json()
    if outcome:
        record["end"] = outcome.reason
        record["scoring"] = list(outcome.scoring)
        record["winners"] = list(outcome.winners)
    return record


def _start_of(data: Mapping[str, Any]) -> Start:
    if not isinstance(data, Mapping):
        raise BadRecord(f"a game record is a JSON object, not {brief(data)}")
    start = ("players", "seed", "figures", "special_action_tiles", "coin_supply", "max_turns", "villages")
    for key in ("format", *start, "turns"):
        if key not in data:
            raise BadRecord(f"{key}: missing")
    if not isinstance(data["format"], str) or data["format"] != FORMAT:
        raise BadRecord(f"format: {brief(data['format'])} is not {brief(FORMAT)}")
    for key, what in (("players", "a list of names"), ("turns", "a list")):
        if not isinstance(data[key], list | tuple):
            raise BadRecord(f"{key}: {brief(data[key])} is not {what}")
    try:
        board = Board.of_villages(data["villages"], data["figures"], 1, 0)
        numbers = (data[key] for key in ("coin_supply", "special_action_tiles", "max_turns"))
        setup = Setup(len(data["players"]), tuple(v.name for v in board.villages), board, *numbers)
        return continuing(setup.start(data["seed"], data["players"]), data)
    except BohemianError as error:
        raise BadRecord(str(error)) from None


def replay(data: Mapping[str, Any], begin: Callable[[Start], Any]) -> Any:
    """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord.

    begin: makes the game of a beginning.
    """
    game = begin(_start_of(data))
    for number, turn in enumerate(data["turns"]):
        where = f"turns[{number}]"
        try:
            game = _replay_turn(game, turn, where)
        except BadRecord:
            raise
        except BohemianError as error:
            raise BadRecord(f"{where}: {error}") from None
    return game


def _replay_turn(game: Any, turn: object, where: str) -> Any:
    if isinstance(turn, Mapping) and "roll" not in turn:
        return game
    roll, seat, moves = (_part(turn, key, where) for key in ("roll", "seat", "moves"))
    if not game.needs_roll or game.dice_to_roll != TURN_DICE or game.to_move != seat:
        raise BadRecord(f"{where}: seat {brief(seat)} does not begin a turn here: {brief(game)}")
    game = game.roll(roll)
    for number, entry in enumerate(moves):
        at = f"{where}.moves[{number}]"
        move = _part(entry, "move", at)
        try:
            game = game.push(move)
            if "rolled" in entry:
                game = game.roll(_part(entry, "rolled", at))
        except BadRecord:
            raise
        except BohemianError as error:
            raise BadRecord(f"{at}: {error}") from None
    return game


_KINDS: Final[dict[str, tuple[Any, str]]] = {"seat": (int, "a number"), "move": (str, "a text")}
"""The kinds of what is replayed in a turn and is no list; everything else is compared with the replay."""


def _part(entry: object, key: str, where: str) -> Any:
    """Return a part of a turn or of a move in a record, which is of its kind."""
    if not isinstance(entry, Mapping):
        raise BadRecord(f"{where}: {brief(entry)} is not a JSON object")
    if key not in entry:
        raise BadRecord(f"{where}.{key}: missing")
    kind, told = _KINDS.get(key, (list | tuple, "a list"))
    if not isinstance(entry[key], kind):
        raise BadRecord(f"{where}.{key}: {brief(entry[key])} is not {told}")
    return entry[key]
