"""What an action means in a position, and why it is not legal there."""

from __future__ import annotations

import numpy as np

from ..engine.contract import Action
from ..engine.errors import IllegalMove
from .actions import NUM_ACTIONS, cell_of, format_move, parse_move
from .rules import FRONTIER, faces_of, joined_territory, lift, occupied_of, roots_about, within_window
from .state import State
from .tiles import DIRECTIONS, EDGES, EDGES_OF, IDS, KINDS, LOOK, STREAM, TASK_KIND, TORUS, TRACK, WINDOW

__all__ = ["refusal", "where_of"]


def where_of(s: State, action: Action) -> tuple[int, int, int]:
    """Return q, r and the rotation of an action: the cell of the torus that is nearest to the landscape (D26)."""
    cell, rotation = divmod(int(action), 6)
    q, r = divmod(cell, TORUS)
    return int(lift(q, int(s["span"][0]))), int(lift(r, int(s["span"][2]))), rotation


def refusal(s: State, move: Action | str) -> IllegalMove:
    """Return the error that says why an action, or the text of one, is not legal where a player decides."""
    if not isinstance(move, str) and not 0 <= move < NUM_ACTIONS:
        return IllegalMove(str(move), f"the numbers of actions are 0 to {NUM_ACTIONS - 1} (D26)")
    q, r, rotation = parse_move(move) if isinstance(move, str) else where_of(s, move)
    where = f"turn {s['turn']}, seat {s['to_move']}, tile {IDS[s['hand']]}"
    return IllegalMove(format_move(q, r, rotation), _reason(s, q, r, rotation), where)


def _reason(s: State, q: int, r: int, rotation: int) -> str:
    tile, span = int(s["hand"]), [int(end) for end in s["span"]]
    if s["turn"] == 1:
        return "D7: the first tile lies at +0+0 r0"
    if (look := int(LOOK[tile, rotation])) != rotation:
        return f"D25: {IDS[tile]} looks the same as with r{look}, which is the name of this placement"
    lying = {(int(x), int(y)) for there, x, y, _ in s["tiles"] if there == 1}
    if (q, r) in lying:
        return "D6: a tile lies in this cell"
    if not any((q + dq, r + dr) in lying for dq, dr in DIRECTIONS):
        return "D8: it shares no edge with a tile that lies"
    place = int(s["cells"][cell_of(q, r)]) - FRONTIER
    word, most = s["frontier"][place], int(s["window"])
    wide = max(max(q, span[1]) - min(q, span[0]), max(r, span[3]) - min(r, span[2])) + 1
    if wide > most or not within_window(s, word):
        told = f"D26: the landscape would span {wide} cells; it may span {most}"
        return told + (", which keeps wrapped neighbours apart" if most == WINDOW else "")
    occupied = int(occupied_of(word))
    for kind, name in ((TRACK, "track"), (STREAM, "stream")):
        own, faces = int(EDGES_OF[6 * tile + rotation, kind]), int(faces_of(word, kind))
        if wrong := (own ^ faces) & occupied:
            direction = (wrong & -wrong).bit_length() - 1
            what = f"{name} meets no {name}" if own & wrong & -wrong else f"it has no {name} to meet"
            return f"D9: in direction {direction} {what}"
    return _task_reason(s, tile, word, rotation)


def _task_reason(s: State, tile: int, word: np.uint64, rotation: int) -> str:
    kind, number = int(TASK_KIND[tile]), int(s["number"])
    faces = faces_of(word, kind)
    roots, own = roots_about(s, kind, word, faces), int(EDGES_OF[6 * tile + rotation, kind])
    size, edges, _, _ = joined_territory(s, kind, np.uint64(roots), faces, own, occupied_of(word))
    assert size > number or (size < number and edges == 0), f"{IDS[tile]} {EDGES[tile]} is legal there"
    told = f"its territory of type {KINDS[kind]} would have {size} tiles"
    if size > number:
        return f"D11: {told}, more than its marker {number} asks"
    return f"D12: {told} and be closed, fewer than its marker {number} asks"
