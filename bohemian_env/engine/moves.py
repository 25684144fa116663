"""Moves from outside, as texts or as numbers, checked against a position."""

from typing import Any

from .checks import whole_action
from .contract import Action, Rules, State
from .errors import GameOver, brief
from .legal import is_legal


def check_due(rules: Rules, s: State, move: object) -> None:
    """Raise GameOver or ChanceNeeded unless a player decides in ``s``."""
    if s["end"]:
        raise GameOver(f"{brief(move)}: the game is over")
    if s["pending"]:
        raise rules.chance_needed(f"{brief(move)}: {rules.due(s)} first")


def checked_action(rules: Rules, s: State, action: object, pieces: Any) -> Action:
    """Return an action of any whole type as an int, which is legal in ``s``.

    Raises:
        IllegalMove: it is no whole number, or the rules do not allow it here; the message says why.
        ChanceNeeded: chance has to speak first.
        GameOver: the game has ended.
    """
    number = whole_action(action, rules.verbs.NUM_ACTIONS)
    check_due(rules, s, number)
    if not is_legal(s, min(max(number, -1), rules.verbs.NUM_ACTIONS)):
        raise rules.refusal(s, number, pieces)
    return number


def text_of_action(rules: Rules, s: State, action: object, pieces: Any) -> str:
    """Return the move text that an action of any whole type means in ``s``, legal or not. Raises IllegalMove if it
    means nothing.
    """
    return rules.text_of(s, whole_action(action, rules.verbs.NUM_ACTIONS), pieces)


def action_of_text(rules: Rules, s: State, text: str, pieces: Any) -> Action:
    """Return the action of a legal move text in ``s``. Raises BadNotation: the text is not a move text. IllegalMove,
    ChanceNeeded, GameOver: as for :func:`checked_action`.
    """
    action = rules.action_of(s, text, pieces)
    check_due(rules, s, text)
    if action is None or not is_legal(s, action):
        raise rules.refusal(s, text, pieces)
    return action
