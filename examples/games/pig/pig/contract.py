"""What Pig hands over to the floor: all that is no verb."""

from typing import Any, Final

from bohemian_env.engine.contract import State
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.parts import Part
from bohemian_env.engine.plain import PlainRules

from . import verbs


class Pig(PlainRules):
    """Pig: who has 100 points first wins."""

    name, verbs, state, players, scoring = "pig", verbs, verbs.STATE, range(2, 3), ("points", "total")  # type: ignore[misc]
    moves, ends, drawn, outcome_name, most_outcomes = ("roll", "hold"), (None, "100 points"), "rolls", "a roll", 6
    parts = (
        Part("points", (2,), 0, 127, "points of the observer, and of the other seat", scale=64.0),
        Part("turn_points", (1,), 0, 127, "points of the turn", scale=16.0),
        Part("to_move", (2,), 0, 1, "1: it is this seat's turn; all 0 once the game is over"),
    )
    opponents = {"random": "rolls or holds, as likely", "greedy": "holds at 20, where a roll is worth nothing"}

    def settle(self, s: State) -> None:
        turn, seat, more, over = (int(s[name]) for name in ("turn", "to_move", "turn_points", "end"))
        mine, theirs = int(s["points"][seat]), int(s["points"][1 - seat])
        if turn < 1 or seat != (turn - 1) % 2 or s["pending"] > 1:
            raise BadPosition(f"turn: {turn} is none of seat {seat}, or pending is above 1")
        fits = range(verbs.GOAL, verbs.GOAL + 6) if over else range(verbs.GOAL)
        if theirs >= verbs.GOAL or over * more or mine + more not in fits:
            raise BadPosition(f"points: {mine} and {more}, against {theirs}, are not those of a game that stands so")
        s["legal"] = 0 if over or s["pending"] else 3 if more else 1

    def outcome_of(self, s: State, k: int) -> Any:
        return k + 1


RULES: Final = Pig()
