"""A whole game as JSON: enough to replay it on a table, without the program and without the seed."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ..engine.contract import Outcome
from ..engine.errors import BadRecord, BohemianError, brief
from ..engine.game import replayed
from ..engine.setup import continuing
from ..engine.states import check_form
from .board import Board
from .events import Event, Moved, Rolled, TurnBegan
from .facts import MAX_PLAYERS, TURN_DICE
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


_ROLL: Final = [range(1, 7)]
_FORM: Final = {
    "format": str,
    "players": [object],
    **dict.fromkeys(("seed", "figures", "special_action_tiles", "coin_supply", "max_turns", "villages"), object),
    "turns": [{"seat": range(MAX_PLAYERS), "roll?": _ROLL, "moves?": [{"move": str, "rolled?": _ROLL}]}],
}
"""The form of what is replayed of a record; everything else is compared with the replay."""


def _start_of(data: Mapping[str, Any]) -> Start:
    try:
        check_form(data, _FORM)
        if data["format"] != FORMAT:
            raise BadRecord(f"format: {brief(data['format'])} is not {brief(FORMAT)}")
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
        if "roll" not in turn:
            continue
        if not game.needs_roll or game.dice_to_roll != TURN_DICE or game.to_move != turn["seat"]:
            raise BadRecord(f"{where}: seat {turn['seat']} does not begin a turn here: {brief(game)}")
        game = replayed(where, game.roll, turn["roll"])
        for k, entry in enumerate(turn.get("moves", ())):
            game = replayed(f"{where}.moves[{k}]", game.push, entry["move"])
            if "rolled" in entry:
                game = replayed(f"{where}.moves[{k}]", game.roll, entry["rolled"])
    return game
