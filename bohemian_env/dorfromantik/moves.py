"""The actions: every cell of a torus with every rotation (D26), their texts (D31), and why one is not legal."""

import functools
import re
from typing import Any, Final

import numpy as np

from ..engine.contract import Action
from ..engine.errors import BadNotation, IllegalMove, brief
from . import rules
from .state import LYING, State
from .tiles import ANY, DIRECTIONS, EDGES_OF, IDS, KINDS, LOOK, STREAM, TASK_KIND, TORUS, TRACK

NUM_ACTIONS: Final = TORUS * TORUS * 6
_LOOKS_LIKE: Final = "a move looks like '+3-1 r2': q and r with their signs, and the rotation from 0 to 5"
_MOVE: Final = re.compile(r"([+-](?:0|[1-9]\d{0,2}))([+-](?:0|[1-9]\d{0,2})) r([0-5])", re.ASCII)


def cell_of(q: int, r: int) -> int:
    """Return the cell of the torus of some coordinates."""
    return q % TORUS * TORUS + r % TORUS


def action_at(q: int, r: int, rotation: int) -> Action:
    """Return the number of a placement (D26)."""
    return 6 * cell_of(q, r) + rotation


def format_move(q: int, r: int, rotation: int) -> str:
    """Return the text of a placement (D31)."""
    return f"{q:+d}{r:+d} r{rotation}"


def parse_move(text: object) -> tuple[int, int, int]:
    """Return q, r and the rotation that a text names. Raises BadNotation: the text does not have the form of a move;
    the message shows what one looks like.
    """
    if not isinstance(text, str):
        raise BadNotation(f"{brief(text)} is not a text; {_LOOKS_LIKE}")
    found = _MOVE.fullmatch(text)
    if not found or "-0" in (found[1], found[2]):
        raise BadNotation(f"{brief(text)} is not a move; {_LOOKS_LIKE}")
    q, r, rotation = map(int, found.groups())
    return q, r, rotation


def where_of(s: State, action: Action) -> tuple[int, int, int]:
    """Return q, r and the rotation of an action: in the cell that is nearest to the landscape (D26)."""
    lowest_q, _, lowest_r, _ = s["span"].tolist()
    return _where_of(int(action), lowest_q, lowest_r)


@functools.lru_cache(1 << 16)  # the texts of all legal actions are often asked for
def _where_of(action: Action, lowest_q: int, lowest_r: int) -> tuple[int, int, int]:
    cell, rotation = divmod(action, 6)
    q, r = divmod(cell, TORUS)
    return int(rules.lift(q, lowest_q)), int(rules.lift(r, lowest_r)), rotation


def text_of(s: State, action: Action, pieces: Any = ()) -> str:
    """Return the text of an action, legal or not. Raises IllegalMove if there is no such action."""
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalMove(brief(action), f"the numbers of actions are 0 to {NUM_ACTIONS - 1} (D26)")
    return format_move(*where_of(s, action))


def refusal(s: State, move: Action | str, pieces: Any = ()) -> IllegalMove:
    """Return the error that says why an action, or the text of one, is not legal where a player decides."""
    try:
        q, r, rotation = parse_move(move if isinstance(move, str) else text_of(s, move))
    except IllegalMove as unnamed:
        return unnamed
    where = f"turn {s['turn']}, seat {s['to_move']}, tile {IDS[s['hand']]}"
    return IllegalMove(format_move(q, r, rotation), _reason(s, q, r, rotation), where)


def _reason(s: State, q: int, r: int, rotation: int) -> str:
    tile, number, turned = int(s["hand"]), int(s["number"]), 6 * int(s["hand"]) + rotation
    lying = {(int(q), int(r)) for there, q, r, _ in s["tiles"] if there == LYING}
    if not lying:
        return "D7: the first tile lies at +0+0 r0"
    if LOOK[tile, rotation] != rotation:
        return f"D25: {IDS[tile]} looks the same with r{LOOK[tile, rotation]}, which is the name of this placement"
    if (q, r) in lying:
        return "D6: a tile lies in this cell"
    if not any((q + dq, r + dr) in lying for dq, dr in DIRECTIONS):
        return "D8: it shares no edge with a tile that lies"
    for name, at in (("q", 0), ("r", 1)):
        ends = [(q, r)[at], *(cell[at] for cell in lying)]
        if (wide := max(ends) - min(ends) + 1) > s["window"]:
            return f"D26: the landscape would span {wide} cells in {name}; {s['window']} are the most"
    word = s["frontier"][int(s["cells"][cell_of(q, r)]) - rules.FRONTIER]
    occupied = int(rules.faces_of(word, ANY))
    for kind, name in ((TRACK, "track"), (STREAM, "stream")):
        if wrong := (int(EDGES_OF[turned, kind]) ^ int(rules.faces_of(word, kind))) & occupied:
            there = "meets none" if EDGES_OF[turned, kind] & wrong & -wrong else "meets another edge of the tile"
            return f"D9: a {name} {there} in direction {(wrong & -wrong).bit_length() - 1}"
    kind = int(TASK_KIND[tile])
    faces = rules.faces_of(word, kind)
    about = np.uint64(rules.territories_about(s, kind, word, faces))
    size, _, _, _ = rules.joined_territory(s, kind, about, faces, int(EDGES_OF[turned, kind]), occupied)
    told = f"the territory of type {KINDS[kind]} would have {size} tiles"
    if size > number:
        return f"D11: {told}, more than the marker's {number}"
    return f"D12: {told} and be closed, and the marker asks {number}"
