"""What Pig hands over to the floor besides its verbs."""

from typing import Any, Final

from bohemian_env.engine.contract import SHARE, Reward, State
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.parts import Part
from bohemian_env.engine.plain import PlainRules

from . import verbs


class Pig(PlainRules):
    """Pig: who has 100 points first wins."""

    name, verbs, state, players, scoring = "pig", verbs, verbs.STATE, range(2, 3), ("points", "total")
    moves, ends, drawn, outcome_name, most_outcomes = ("roll", "hold"), (None, "100 points"), "rolls", "a roll", 6
    parts = (
        Part("points", (2,), 0, 127, "points of the observer, and of the other seat", scale=64.0),
        Part("turn_points", (1,), 0, 127, "points of the turn", scale=16.0),
        Part("to_move", (2,), 0, 1, "1: it is this seat's turn; all 0 once the game is over"),
    )
    rewards = {"win": Reward(SHARE, "at the end, 1 for who has won and -1 for who has lost")}
    opponents = {"random": "rolls or holds, as likely", "greedy": "holds at 20, where a roll is worth nothing"}

    def settle(self, s: State) -> None:
        turn, seat, more, kept = int(s["turn"]), int(s["to_move"]), int(s["turn_points"]), [*map(int, s["points"])]
        over, goal, before = bool(s["end"]), verbs.GOAL, [(turn + 1) // 2, turn // 2]  # turns of each seat
        before[seat] -= not over
        if turn < 1 or seat != (turn - 1) % 2 or s["pending"] > 1:
            raise BadPosition(f"turn: {turn}, with seat {seat} to move and pending {s['pending']}, is none")
        if any(points == 1 or (points and not turns) for points, turns in zip(kept, before, strict=True)):
            raise BadPosition(f"points: {kept} are not to be had in {turn} turns")
        if over != (kept[seat] >= goal) or kept[1 - seat] >= goal or kept[seat] > goal + 5:
            raise BadPosition(f"end: {s['end']} does not follow from {kept} points")
        if more == 1 or (more and over) or kept[seat] + more >= goal + 6 * over:
            raise BadPosition(f"turn_points: {more} are not to be had in a turn that goes on")
        s["legal"] = 0 if over or s["pending"] else 3 if more else 1

    def outcome_of(self, s: State, k: int) -> Any:
        return k + 1


RULES: Final = Pig()
