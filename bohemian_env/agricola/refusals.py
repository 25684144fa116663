"""Why an action is not legal: for people, with the ruling that forbids it."""

from typing import Any, Final

from ..engine.contract import Action
from ..engine.errors import BadNotation, IllegalMove, brief
from ..engine.legal import legal_actions
from . import decisions as d
from . import legal
from .decisions import DECISIONS, NUM_ACTIONS, TEXTS
from .farm import FENCED, new_fences
from .position import names_of
from .state import NOBODY, State

_LOOKS_LIKE: Final = "an action looks like 'to plow', 'plow b1' or 'fence d1 e1', as A76 has them"
_WHY: Final = (
    (d.ROOM, "A23: it takes one of these goods"),
    (d.STABLE, "A31: a room takes 5 of the house's material and 2 reed, and a free cell that touches a room"),
    (d.PLOW_CELL, "A42: a stable takes wood, one of 4 stables, and a cell without room, field or stable"),
    (d.SOW, "A38: a free cell is plowed that touches a field, if there is one"),
    (d.BAKE_ONE, "A39: sowing takes grain or a vegetable, and an empty field"),
    (d.BUY, "A51, A52: baking takes grain, and a major that bakes one more"),
    (d.COOK, "A50: nobody has a major that is bought, and its price is paid"),
    (d.EAT, "A57, A58: an animal of this kind, cooked with a fireplace or hearth, otherwise given back"),
    (d.CRAFT, "A59, A62: there is some of it, and food is still needed"),
    (d.TAKE_FOOD, "A62: a craft takes its major and 1 of its good, once in a harvest"),
)
"""What the actions below a number ask for."""


def action_of(text: object) -> Action:
    """Return the number of an action's text (A77). Raises BadNotation: it is the text of none; the message shows what
    one looks like.
    """
    if not isinstance(text, str) or text not in d.NUMBER:
        raise BadNotation(f"{brief(text)} is not an action; {_LOOKS_LIKE}")
    return d.NUMBER[text]


def text_of(action: Action) -> str:
    """Return the text of an action. Raises IllegalMove if there is no such action."""
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalMove(brief(action), f"the numbers of actions are 0 to {NUM_ACTIONS - 1} (A76)")
    return TEXTS[action]


def refusal(s: State, move: Action | str, pieces: Any = ()) -> IllegalMove:
    """Return the error that says why an action, or the text of one, is not legal where a seat decides."""
    try:
        action = action_of(move) if isinstance(move, str) else move
        text = text_of(action)
    except IllegalMove as unnamed:
        return unnamed
    where = f"round {s['turn']}, seat {s['to_move']}, decision {DECISIONS[s['kind']]}"
    return IllegalMove(text, _reason(s, int(action)), where)


def _reason(s: State, action: Action) -> str:
    kind, seat = int(s["kind"]), int(s["to_move"])
    offered = {text.partition(" ")[0]: text for text in map(TEXTS.__getitem__, legal_actions(s))}
    if TEXTS[action].partition(" ")[0] not in offered:
        told = ", ".join(offered.values())
        return f"A19: the decision {DECISIONS[kind]} is pending; legal are such as {told}"
    if kind == d.PLACE:
        if not int(legal.open_spaces(s)) >> action & 1:
            return "A5, A8: this space is not in play, or not yet"
        if s["person"][action] != NOBODY:
            return f"A13: a person of seat {s['person'][action]} is there"
        return "A14: nothing that it offers can be carried out now"
    if action >= d.FENCE:
        return _reason_of_fence(s, seat, action - d.FENCE)
    if action == d.GROW:
        return "A28, A35: from round 5 on, with fewer than 5 people and a room for one more"
    return next((why for below, why in _WHY if action < below), "A19: it is not offered here")


def _reason_of_fence(s: State, seat: int, number: int) -> str:
    cells, most = int(FENCED[number]), int(legal.most_fences(s, seat))
    if blocked := cells & (int(s["rooms"][seat]) | int(s["fields"][seat])):
        return f"A44: there is a room or a field on {', '.join(names_of(blocked))}"
    if (needed := int(new_fences(number, s["sides"][seat]))) > most:
        return f"A44: it takes {needed} fences; {most} can be put up"
    if not cells & int(s["enclosed"][seat]):
        return "A45: it does not touch the pastures"
    return "A46: a pasture is divided by a smaller set inside it, without its first cell"
