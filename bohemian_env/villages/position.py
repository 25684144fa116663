"""A position as JSON and back: complete, without secrets, checked on the way in.

What only JSON can have wrong is refused here; what contradicts the rules, in ``check.py``, as for any other form.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..engine.errors import BadPosition, brief
from ..engine.states import check_agrees, check_fields, check_form
from .board import MAX_COIN_SUPPLY, MAX_PRINTED, MAX_TILES, MOST_COINS, Board, Village, write_villages
from .check import checked_states, fitting_end
from .dice import DICE, HANDFUL
from .errors import BadBoard
from .facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, PRINTED, TURN_DICE
from .rules import find_legal
from .setup import MOST_TURNS
from .state import FIELD, MAX_VILLAGES, State, cell_of, new_states


def _form(players: int) -> dict[str, Any]:
    """Return the form of a position JSON (``check_form``)."""
    seat, each = range(players), range(players, players + 1)
    building = {"kind": frozenset(KINDS), "owner": (seat,), "active?": bool, "value?": range(MAX_PRINTED + 1)}
    village = {"name": str, "buildings": [building, range(1, len(KINDS) + 1)]}
    return {
        "turn": range(1, MOST_TURNS + 1),
        "to_move": (seat,),
        "moves_made": range(2),
        "spent_special_this_turn": bool,
        "dice": [range(1, 7), range(TURN_DICE + 1)],
        "figures": [range(MAX_TILES + 1), each],
        "coins": [range(MOST_COINS + 1), each],
        "bank": range(-MAX_COIN_SUPPLY, MAX_COIN_SUPPLY + 1),
        "bishop": (seat,),
        "special": [bool, each],
        "special_supply": range(MAX_TILES + 1),
        "flour": [range(FIELD + 1), each],
        "glass": [range(FIELD + 1), each],
        "over": bool,
        "villages": [village, range(1, MAX_VILLAGES + 1)],
    }


def moves_made(s: State) -> int:
    """Return the moves made in this turn, as a position counts them: 0 or 1, and 0 once the game is over."""
    return 0 if s["end"] or s["pending"] + len(DICE[s["dice"]]) == 4 else 1


def tiles_of(s: State, kind: str) -> tuple[int, ...]:
    """Return the flour tiles ("mill") or glass tiles ("glass") of each seat: one for each of its figures there."""
    word, place = cell_of(kind)
    field = (1 << FIELD) - 1 << place
    return tuple((int(s["own"][seat, word]) & field).bit_count() for seat in range(s["players"]))


def write_position(s: State, villages: Sequence[Village]) -> dict[str, Any]:
    """Return the position JSON of ``s``, in which a player decides or the game is over, in plain Python types."""
    seats = range(int(s["players"]))
    over = bool(s["end"])
    dice = DICE[s["dice"]]
    own = s["own"].tolist()

    def building(kind: str, number: int, village: Village) -> dict[str, Any]:
        word, place = cell_of(kind, number)
        entry = {"kind": kind, "owner": next((seat for seat in seats if own[seat][word] >> place & 1), None)}
        if kind == "inn":
            entry["active"] = bool(s["active"] >> number & 1)
        if kind in village.printed:
            entry["value"] = village.printed[kind]
        return entry

    return {
        "players": len(seats),
        "turn": int(s["turn"]),
        "to_move": None if over else int(s["to_move"]),
        "moves_made": moves_made(s),
        "spent_special_this_turn": bool(s["spent"]),
        "dice": list(dice),
        "figures": [int(s["figures"][seat]) for seat in seats],
        "coins": [int(s["coins"][seat]) for seat in seats],
        "bank": int(s["bank"]),
        "bishop": None if s["bishop"] < 0 else int(s["bishop"]),
        "special": [bool(s["special"] >> seat & 1) for seat in seats],
        "special_supply": int(s["special_supply"]),
        "flour": list(tiles_of(s, "mill")),
        "glass": list(tiles_of(s, "glass")),
        "over": over,
        "villages": [
            {"name": v.name, "buildings": [building(kind, number, v) for kind in v.buildings]}
            for number, v in enumerate(villages)
        ],
    }


def _read_villages(entries: Sequence[Any]) -> tuple[Village, ...]:
    """Return the villages that a position of the right form shows, without the figures on them. Raises BadPosition."""
    written = []
    for entry in entries:
        values = {b["kind"]: b["value"] for b in entry["buildings"] if b["kind"] in PRINTED and "value" in b}
        written.append({"name": entry["name"], "buildings": [b["kind"] for b in entry["buildings"]], **values})
    try:
        return Board.of_villages(written, 1, 1, 0).villages
    except BadBoard as error:
        raise BadPosition(str(error)) from None


def read_position(
    data: Mapping[str, Any], max_turns: int | None = None, board: Board | None = None
) -> tuple[np.ndarray, tuple[Village, ...]]:
    """Return the record (shape (1,), dtype STATE) and the villages of a position JSON.

    board: whose order of villages and figures it must have, if these are in play on it; None where it may be of any.

    The supply of coins is what the seats and the bank have together; a seat's figures are those in its hand and on
    buildings. A finished game is given the end (``facts.ENDS``) that fits its position. Raises BadPosition: the
    position contradicts itself or the rules; the message names the field.
    """
    players, states = players_of(data), new_states(1)
    s = states[0]
    _read_numbers(data, s)
    s["max_turns"] = max_turns or 0
    villages = _read_villages(data["villages"])
    _read_buildings(data["villages"], s, villages)
    if data["over"]:
        s["end"] = fitting_end(states)[0]
    else:
        find_legal(s)  # which the check expects to be there; seats, dice and cells are within their bounds by now
    states = checked_states(states, _told(data, villages))
    s = states[0]

    if data["moves_made"] != moves_made(s):
        raise BadPosition(f"moves_made: {data['moves_made']} is not {moves_made(s)}, as the dice {data['dice']} say")
    check_agrees(data, write_position(s, villages))
    if board is not None:
        figures = int(s["figures"][0]) + sum(int(word).bit_count() for word in s["own"][0])
        _check_setup(board, villages, players, figures)
    return states, villages


def players_of(data: Any) -> int:
    """Return the number of players of a position JSON that can be drawn: its fields have the form of one, though they
    may contradict each other or the rules, its villages may be of no board, and a roll may be due. Raises BadPosition.
    """
    check_fields(data, ("players", *_form(MIN_PLAYERS)))
    check_form(data, {"players": range(MIN_PLAYERS, MAX_PLAYERS + 1)})
    players = int(data["players"])
    check_form(data, _form(players))
    seat = None if data["over"] else (data["turn"] - 1) % players
    if data["to_move"] != seat:
        whose = f"whose turn number {data['turn']} of {players} players is"
        raise BadPosition(f"to_move: {brief(data['to_move'])} is not {seat}, {whose}")
    if tuple(data["dice"]) not in HANDFUL:
        raise BadPosition(f"dice: {brief(data['dice'])} are not up to four numbers from 1 to 6, ascending")
    return players


def _read_numbers(data: Mapping[str, Any], s: State) -> None:
    """Write all of a position JSON but its villages, its end and its legal actions into a blank record."""
    s["players"] = players = data["players"]
    s["turn"], s["to_move"] = data["turn"], (data["turn"] - 1) % players
    s["spent"], s["dice"] = data["spent_special_this_turn"], HANDFUL[tuple(data["dice"])]
    s["coins"][:players], s["figures"][:players] = data["coins"], data["figures"]
    s["bank"], s["special_supply"] = data["bank"], data["special_supply"]
    s["bishop"] = -1 if data["bishop"] is None else data["bishop"]
    s["special"] = sum(1 << seat for seat, held in enumerate(data["special"]) if held)


def _told(data: Mapping[str, Any], villages: Sequence[Village]) -> dict[str, tuple[str, object]]:
    """Return how a position JSON says the fields of a record, by their names there."""
    buildings = [(v.name, b) for v, entry in zip(villages, data["villages"], strict=True) for b in entry["buildings"]]
    occupied = [f"{b['kind']}@{name}" for name, b in buildings if b["owner"] is not None]
    active = {name: b.get("active") for name, b in buildings if b["kind"] == "inn"}
    return {
        **{key: (key, told) for key, told in data.items()},
        "spent": ("spent_special_this_turn", data["spent_special_this_turn"]),
        "occupied": ("villages: occupied", occupied),
        "active": ("villages: active", active),
    }


def _read_buildings(entries: Any, s: State, villages: Sequence[Village]) -> None:
    write_villages(s, villages)
    for number, entry in enumerate(entries):
        for building in entry["buildings"]:
            if building["owner"] is not None:
                word, place = cell_of(building["kind"], number)
                bit = np.uint64(1 << place)
                s["own"][building["owner"], word] |= bit
                s["occupied"][word] |= bit
            if building["kind"] == "inn" and building.get("active"):
                s["active"] |= np.uint16(1 << number)


def _check_setup(board: Board, villages: Sequence[Village], players: int, figures: int) -> None:
    """Check order and number of figures where the villages are a set-up of the board (R1)."""
    printed = {v.name: v for v in board.villages}
    if not all(v.name in printed and v.to_json() == printed[v.name].to_json() for v in villages):
        return
    if sorted(printed[v.name].tile for v in villages) != sorted(board.kept_tiles(players)):
        return
    given = [v.name for v in villages]
    order = [name for name in printed if name in given]
    if order != given:
        raise BadPosition(f"villages: not in the order of the board: {', '.join(order)}")
    if figures != (expected := board.setups[players].figures):
        told = f"{figures} each, in hand and on buildings; R1 gives {expected} with {players} players"
        raise BadPosition(f"figures: {told}")
