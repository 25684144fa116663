"""A position as JSON and back: complete, without secrets, checked on the way in.

What only JSON can have wrong is refused here; what contradicts the rules, in ``check.py``, as for any other form.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..engine.checks import is_whole
from ..engine.errors import BadPosition, brief
from ..engine.states import check_fields, whole_in
from .board import MAX_COIN_SUPPLY, MAX_PRINTED, MAX_TILES, MOST_COINS, Board, Village, write_villages
from .check import checked_states, fitting_end
from .dice import DICE, HANDFUL, Handful
from .errors import BadBoard
from .facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, PRINTED
from .rules import find_legal
from .setup import MOST_TURNS
from .state import FIELD, MAX_VILLAGES, State, cell_of, new_states

_FIELDS: Final = (
    *("players", "turn", "to_move", "moves_made", "spent_special_this_turn", "dice", "figures", "coins", "bank"),
    *("bishop", "special", "special_supply", "flour", "glass", "over", "villages"),
)


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


def _row(data: Mapping[str, Any], key: str, players: int) -> Sequence[Any]:
    value: Any = data[key]
    if not isinstance(value, list | tuple) or len(value) != players:
        raise BadPosition(f"{key}: {brief(value)} is not a list with an entry for each of {players} seats")
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise BadPosition(f"{where}: {brief(value)} is not true or false")
    return value


def _read_villages(entries: Sequence[Any]) -> tuple[Village, ...]:
    """Return the villages that a position of the right form shows, without the figures on them. Raises BadPosition."""
    written = []
    for number, entry in enumerate(entries, 1):
        if {*entry} != {"buildings", "name"}:
            raise BadPosition(f"village number {number}: not an object with exactly name and buildings")
        values = {b["kind"]: b["value"] for b in entry["buildings"] if b["kind"] in PRINTED and "value" in b}
        written.append({"name": entry["name"], "buildings": [b["kind"] for b in entry["buildings"]], **values})
    try:
        villages = Board.of_villages(written, 1, 1, 0).villages
    except BadBoard as error:
        raise BadPosition(str(error)) from None
    for shown, given in zip(villages, written, strict=True):
        if list(shown.buildings) != given["buildings"]:
            raise BadPosition(f"village {shown.name}: buildings: not in ascending order of their totals")
    return villages


def read_position(
    data: Mapping[str, Any], max_turns: int | None = None, board: Board | None = None
) -> tuple[np.ndarray, tuple[Village, ...]]:
    """Return the record (shape (1,), dtype STATE) and the villages of a position JSON.

    board: whose order of villages and figures it must have, if these are in play on it; None where it may be of any.

    The supply of coins is what the seats and the bank have together; a seat's figures are those in its hand and on
    buildings. A finished game is given the end (``facts.ENDS``) that fits its position. Raises BadPosition: the
    position contradicts itself or the rules; the message names the field.
    """
    states = new_states(1)
    s = states[0]
    players = _read_form(data, s)
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
    for kind, key in (("mill", "flour"), ("glass", "glass")):
        tiles = tiles_of(s, kind)
        if tuple(data[key]) != tiles:
            made = f"the figures on a {kind}, which make it {list(tiles)}"
            raise BadPosition(f"{key}: {data[key]} does not match {made}")
    if board is not None:
        figures = int(s["figures"][0]) + sum(int(word).bit_count() for word in s["own"][0])
        _check_setup(board, villages, players, figures)
    return states, villages


def players_of(data: Any) -> int:
    """Return the number of players of a position JSON that can be drawn: its fields have the form of one, though they
    may contradict each other or the rules, its villages may be of no board, and a roll may be due. Raises BadPosition.
    """
    return _read_form(data, new_states(1)[0])


def _read_form(data: Any, s: State) -> int:
    """Do as :func:`_read_numbers`, and see that the villages have the form of some."""
    players = _read_numbers(data, s)
    villages = data["villages"]
    if not isinstance(villages, list | tuple) or not 1 <= len(villages) <= MAX_VILLAGES:
        raise BadPosition(f"villages: {brief(villages)} is not a list of 1 to {MAX_VILLAGES} villages")
    for number, entry in enumerate(villages, 1):
        buildings = entry.get("buildings") if isinstance(entry, Mapping) else None
        if not isinstance(buildings, list | tuple) or not buildings or not isinstance(entry.get("name"), str):
            raise BadPosition(f"village number {number}: {brief(entry)} is not an object with name and buildings")
        for building in buildings:
            kind = building.get("kind") if isinstance(building, Mapping) else None
            if not isinstance(kind, str) or kind not in KINDS or "owner" not in building:
                raise BadPosition(f"village {entry['name']}: {brief(building)} is not an object with kind and owner")
            where = f"village {entry['name']}: {kind}"
            if building["owner"] is not None:
                whole_in(building["owner"], f"{where}: owner", 0, players - 1)
            if kind == "inn":
                _truth(building.get("active", False), f"{where}: active")
            if "value" in building:
                whole_in(building["value"], f"{where}: value", 0, MAX_PRINTED)
    return players


def _read_numbers(data: Any, s: State) -> int:
    """Write all of a position JSON but its villages, its end and its legal actions into a blank record; return the
    number of players. Raises BadPosition for what has another form.
    """
    check_fields(data, _FIELDS)
    players = whole_in(data["players"], "players", MIN_PLAYERS, MAX_PLAYERS)
    over = _truth(data["over"], "over")
    s["players"] = players
    s["turn"] = turn = whole_in(data["turn"], "turn", 1, MOST_TURNS)
    s["to_move"] = seat = (turn - 1) % players
    if data["to_move"] is not None if over else not is_whole(data["to_move"], seat, seat):
        whose = f"whose turn number {turn} of {players} players is"
        raise BadPosition(f"to_move: {brief(data['to_move'])} is not {brief(None if over else seat)}, {whose}")
    s["spent"] = _truth(data["spent_special_this_turn"], "spent_special_this_turn")
    s["dice"] = _read_dice(data["dice"])
    s["coins"][:players] = [whole_in(c, "coins", 0, MOST_COINS) for c in _row(data, "coins", players)]
    s["figures"][:players] = [whole_in(f, "figures", 0, MAX_TILES) for f in _row(data, "figures", players)]
    s["bank"] = whole_in(data["bank"], "bank", -MAX_COIN_SUPPLY, MAX_COIN_SUPPLY)
    s["bishop"] = -1 if data["bishop"] is None else whole_in(data["bishop"], "bishop", 0, players - 1)
    special = [_truth(t, "special") for t in _row(data, "special", players)]
    s["special"] = sum(1 << k for k, held in enumerate(special) if held)
    s["special_supply"] = whole_in(data["special_supply"], "special_supply", 0, MAX_TILES)
    whole_in(data["moves_made"], "moves_made", 0, 1)
    for key in ("flour", "glass"):
        for tiles in _row(data, key, players):
            whole_in(tiles, key, 0, FIELD)
    return players


def _told(data: Mapping[str, Any], villages: Sequence[Village]) -> dict[str, tuple[str, object]]:
    """Return how a position JSON says the fields of a record, by their names there."""
    buildings = [(v.name, b) for v, entry in zip(villages, data["villages"], strict=True) for b in entry["buildings"]]
    occupied = [f"{b['kind']}@{name}" for name, b in buildings if b["owner"] is not None]
    active = {name: b["active"] for name, b in buildings if b["kind"] == "inn"}
    return {
        **{key: (key, data[key]) for key in _FIELDS},
        "spent": ("spent_special_this_turn", data["spent_special_this_turn"]),
        "occupied": ("villages: occupied", occupied),
        "active": ("villages: active", active),
    }


def _read_dice(dice: Any) -> Handful:
    whole = isinstance(dice, list | tuple) and all(is_whole(d, 1, 6) for d in dice)
    if not whole or tuple(dice) not in HANDFUL:
        raise BadPosition(f"dice: {brief(dice)} are not up to four numbers from 1 to 6, ascending")
    return HANDFUL[tuple(dice)]


def _read_buildings(entries: Any, s: State, villages: Sequence[Village]) -> None:
    write_villages(s, villages)
    for number, (entry, village) in enumerate(zip(entries, villages, strict=True)):
        for building in entry["buildings"]:
            kind, where = building["kind"], f"village {village.name}: {building['kind']}"
            known = {"kind", "owner", *(["active"] if kind == "inn" else ["value"] if kind in village.printed else [])}
            if set(building) != known:
                raise BadPosition(f"{where}: fields {[*building]} are not {sorted(known)}")
            if building["owner"] is not None:
                word, place = cell_of(kind, number)
                bit = np.uint64(1 << place)
                s["own"][building["owner"], word] |= bit
                s["occupied"][word] |= bit
            if kind == "inn" and building["active"]:
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
