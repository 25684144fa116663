"""Moves and action numbers: which move a number means in a position, and why a move is refused."""

from collections import Counter
from collections.abc import Sequence

from ..engine.contract import Action
from ..engine.errors import IllegalMove, brief
from ..engine.legal import is_legal
from .actions import BISHOPS, END, NUM_ACTIONS, PAIRS, REROLLS, SPECIALS, SUBSETS, choices
from .dice import DICE, ways
from .facts import KICK_ALWAYS, KINDS, SHOPS, TOTALS
from .notation import Move, format_move, parse_move
from .state import CELLS, FIELD, State, has_cell


def move_of(action: Action, dice: tuple[int, ...], villages: Sequence[str]) -> Move:
    """Return the move that an action number means with these unused dice and villages, legal or not. Raises
    IllegalMove: the number means nothing here: there is no such way, pair, village or number.
    """
    if 0 <= action < BISHOPS:
        way, cell = divmod(action, CELLS)
        kind, village = divmod(cell, FIELD)
        total = TOTALS[KINDS[kind]]
        found = ways(dice, total)
        if village >= len(villages):
            raise IllegalMove(str(action), f"village number {village} is not in play; there are {len(villages)}")
        if way < len(found):
            return Move("place", found[way], KINDS[kind], villages[village])
        what = f"there is no {('first', 'second')[way]} way to reach {total} with"
    elif BISHOPS <= action < REROLLS:
        pair = PAIRS[action - SPECIALS] if action >= SPECIALS else (action - BISHOPS + 1,) * 2
        if not Counter(pair) - Counter(dice):
            return Move("special" if action >= SPECIALS else "bishop", pair)
        what = f"{pair[0]}+{pair[1]} is not among"
    elif REROLLS <= action < END:
        places = SUBSETS[action - REROLLS]
        if places[-1] < len(dice):
            move = Move("reroll", tuple(dice[p] for p in places))
            if (number := action_of(move, dice, villages)) == action:
                return move
            raise IllegalMove(str(action), f"it rolls the same dice again as action {number} (R15)")
        what = f"there is no place {places[-1] + 1} among"
    elif action == END:
        return Move("end")
    else:
        raise IllegalMove(brief(int(action)), f"actions are 0 to {NUM_ACTIONS - 1}")
    raise IllegalMove(str(action), f"{what} the unused dice {_show(dice)} (R6)")


def action_of(move: Move, dice: tuple[int, ...], villages: Sequence[str]) -> Action | None:
    """Return the number of a move with these unused dice and villages, legal or not; None if it has none."""
    if Counter(move.dice) - Counter(dice):
        return None
    if move.act == "end":
        return END
    if move.act == "reroll":
        return REROLLS + next(number for number, chosen in choices(dice).items() if chosen == move.dice)
    if move.act == "place":
        if sum(move.dice) != TOTALS[move.kind] or move.village not in villages:
            return None
        way = ways(dice, TOTALS[move.kind]).index(move.dice)
        return CELLS * way + FIELD * KINDS.index(move.kind) + villages.index(move.village)
    if len(move.dice) != 2:
        return None
    if move.act == "special":
        return SPECIALS + PAIRS.index((move.dice[0], move.dice[1]))
    return BISHOPS + move.dice[0] - 1 if move.dice[0] == move.dice[1] else None


def _show(dice: Sequence[int]) -> str:
    return ",".join(map(str, dice)) or "(none)"


def refusal(s: State, move: Action | str, villages: Sequence[str]) -> IllegalMove:
    """Return the error that says why an action or a move text, which is not legal in ``s``, is refused."""
    try:
        meant = parse_move(move) if isinstance(move, str) else move_of(move, DICE[s["dice"]], villages)
    except IllegalMove as unnamed:
        return unnamed
    where = f"turn {s['turn']}, seat {s['to_move']}, dice {','.join(map(str, DICE[s['dice']]))}"
    return IllegalMove(format_move(meant), _reason(s, meant, villages), where)


def _reason(s: State, move: Move, villages: Sequence[str]) -> str:
    seat = int(s["to_move"])
    dice = DICE[s["dice"]]
    holds = bool(s["special"] >> seat & 1)
    if move.act == "end":
        if any(is_legal(s, a) for a in range(REROLLS)):
            return "R7: the first move is compulsory, since one is possible"
        return "R13: no first move is possible, and the special action tile can be spent, so it must be"
    if missing := Counter(move.dice) - Counter(dice):
        ruling = "R8" if move.act == "reroll" else "R6"
        return f"{ruling}: {_show(sorted(missing.elements()))} is not among the unused dice {_show(dice)}"
    if move.act == "reroll":
        return f"R8: only a player who has a special action tile can spend it, and seat {seat} has none"
    if move.act == "bishop":
        if len(move.dice) != 2 or move.dice[0] != move.dice[1]:
            return "R6: the bishop is taken with exactly two dice that show the same number"
        return f"R6: seat {seat} has the bishop already"
    if move.act == "special":
        if len(move.dice) != 2:
            return "R6: a special action tile is taken with exactly two dice"
        if s["spent"]:
            return "R8: after spending a special action tile no other may be taken in the same turn"
        if holds:
            return f"R6: seat {seat} has a special action tile already"
        return "R6: no special action tile is left in the supply"
    return _place_reason(s, move, villages)


def _place_reason(s: State, move: Move, villages: Sequence[str]) -> str:
    seat, kind = int(s["to_move"]), move.kind
    if sum(move.dice) != TOTALS[kind]:
        return f"R6: {_show(move.dice)} make {sum(move.dice)}; the total of a {kind} is {TOTALS[kind]}"
    if move.village not in villages:
        return f"R9: no village {brief(move.village)} is in play; there are {', '.join(villages)}"
    standing = [name for v, name in enumerate(villages) if has_cell(s["have"], kind, v)]
    if not standing:
        return f"R12: no {kind} is in play at all, so the total {TOTALS[kind]} cannot be used to place"
    if move.village not in standing:
        return f"R9: there is no {kind} in {move.village}, but in {', '.join(standing)}"
    if s["figures"][seat] == 0:
        return f"R11: placing needs a figure in hand, and seat {seat} has none"
    free = [name for v, name in enumerate(villages) if name in standing and not has_cell(s["occupied"], kind, v)]
    if has_cell(s["own"][seat], kind, villages.index(move.village)):
        return "R10: own figures cannot be kicked out"
    if free:
        return f"R10: nobody is kicked out while a {kind} is free, as in {', '.join(free)}"
    if kind in SHOPS:
        return f"R10: seat {seat} occupies a {kind} already, so it cannot kick anybody out of another"
    assert kind not in KICK_ALWAYS, "such a move is legal"
    return f"R10: nobody is ever kicked out of a {kind}"
