"""What happens at the table, in words: for the log, for announcements, and for a move before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypedDict

from bohemian_env import Game, Outcome
from bohemian_env.game.events import Ended, Event, Moved, Passed, Rolled, TurnBegan
from bohemian_env.game.notation import format_move
from bohemian_env.game.words import KIND_WORDS, TILE_WORDS

__all__ = ["PAGE_WORDS", "Entry", "Teller"]

_IRREGULAR: Final = {"have": "has", "can": "can"}
_ENDS: Final = {
    "bank empty": "The bank is empty, so the game is over.",
    "truncated": "The game has reached its limit of turns, so it is over.",
}
PAGE_WORDS: Final = {
    "again": "Try again",
    "review": "Review the game",
    # where a game is looked at again
    "where": "{number} of {last}: turn {turn}, {name} with the dice {dice}",
    "where_over": "{number} of {last}: the game is over",
    "rolled": "{name} rolled {dice}: luck {luck} points.",
    "rolled_only": "{name} rolled {dice}.",
    "cost": "It cost {cost} points.",
    "cost_marked": "It cost {cost} points: {mark}",
    "none_better": "No move is better.",
    "forced": "There was no other move.",
    "as_played": "(as played)",
    "chart": "Each seat's chance of winning over the game, and below what each move cost",
    "play": "Play",
    "pause": "Pause",
    # better moves
    "nothing_costly": "None of these moves cost so much.",
    "question": "{number} of {last}. {name} had {dice} and played “{words}”, which cost {cost} points. "
    "Find a better move: click a building, or choose from the list.",
    "not_yet": "“{words}” leaves a chance of {chance}, {less} points less than the best. Try another.",
    "found": "Good: “{words}” leaves a chance of {chance}, nearly as much as the best.",
    "found_best": "“{words}” is the best move.",
    "agents_move": "{adviser} would play “{words}”: {chance}.",
    # records
    "too_large": "{name} has {size} MB, and no more than {largest} MB are read.",
    "which": "The file holds {number} games. Which one?",
    "no_such": "Choose a number from 1 to {number}.",
}
"""What the scripts of the pages say, with places for values."""
_Clause: TypeAlias = tuple[str, str]  # a verb, and what follows it


class Entry(TypedDict):
    """A line of the log."""

    kind: str
    """``"turn"``, ``"move"``, ``"pass"`` or ``"end"``."""
    seat: int | None
    text: str
    """In the notation."""
    words: str
    rolled: bool
    """Whether dice were rolled."""


def _coins(number: int) -> str:
    return f"{number} coin" + ("" if number == 1 else "s")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _dice(dice: Sequence[int]) -> str:
    return ", ".join(map(str, dice))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Teller:
    """Tells of the seats by their names, and of the seat ``you``, if there is one, as "you"."""

    def __init__(self, names: Sequence[str], you: int | None = None) -> None:
        self.names = tuple(names)
        self.you = you

    def name(self, seat: int) -> str:
        """Return what a seat is called within a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def does(self, seat: int, *clauses: _Clause) -> str:
        """Return what a seat does, within a sentence: "ppo takes the bishop and gets 1 coin"."""
        told = [
            f"{verb if seat == self.you else _IRREGULAR.get(verb, f'{verb}s')} {rest}".rstrip()
            for verb, rest in clauses
        ]
        return f"{self.name(seat)} {_listed(told)}"

    def _sentence(self, seat: int, *clauses: _Clause) -> str:
        told = self.does(seat, *clauses)
        return (_capital(told) if seat == self.you else told) + "."

    def lines(self, happened: Sequence[Event], outcome: Outcome | None = None) -> list[Entry]:
        """Return the lines of the log for events of a game; ``outcome`` is needed where the game ends."""
        entries: list[Entry] = []
        for event, following in zip(happened, [*happened[1:], None], strict=True):
            rolled = following.dice if isinstance(following, Rolled) else ()
            if not isinstance(event, Rolled):
                entries.append(self._entry(event, rolled, outcome))
        return entries

    def _entry(
        self, event: TurnBegan | Moved | Passed | Ended, rolled: Sequence[int], outcome: Outcome | None
    ) -> Entry:
        """Return the line for an event after which these dice are rolled."""
        shown = " ".join(map(str, rolled))
        match event:
            case TurnBegan():
                collects = [("collect", f"{_coins(event.income)} of income")] if event.income else []
                rolls = [("roll", _dice(rolled))] if rolled else []
                kind, text = "turn", shown or f"income {event.income}"
                words = self._sentence(event.seat, *collects, *rolls)
            case Moved():
                kind, words = "move", self.move(event, rolled)
                text = format_move(event.move) + (f" ({shown})" if rolled else "")
            case Passed():
                kind, text, words = "pass", "–", self._sentence(event.seat, ("can", "do nothing with these dice"))
            case Ended():
                assert outcome is not None
                kind, text, words = "end", event.reason, self._end(event, outcome)
        seat = None if isinstance(event, Ended) else event.seat
        return {"kind": kind, "seat": seat, "text": text, "words": words, "rolled": bool(rolled)}

    def option(self, game: Game, text: str) -> dict[str, Any]:
        """Return a legal move with what it would do, for the page."""
        (moved,) = (event for event in game.push(text).happened if isinstance(event, Moved))
        move = moved.move
        option: dict[str, Any] = {"move": text, "act": move.act, "dice": move.dice, "words": self.order(moved)}
        if move.act != "place":
            return option
        village = game.villages.index(move.village)
        return option | {"kind": move.kind, "village": village, "kicked": moved.kicked}

    def order(self, moved: Moved) -> str:
        """Return a move as an order to the seat that is to make it: "Take the inn in Nenbrad". Somebody else than
        "you" gets no orders: "ppo takes the inn in Nenbrad".
        """
        if self.you not in (None, moved.seat):
            return self.move(moved)
        return _capital(Teller(self.names, moved.seat).move(moved).removeprefix("You "))

    def move(self, moved: Moved, rolled: Sequence[int] = ()) -> str:
        """Return what a move does and sets off, with the dice rolled after it."""
        seat, move = moved.seat, moved.move
        match move.act:
            case "end":
                return self._sentence(seat, ("stop", ""))
            case "bishop":
                whose = "" if moved.bishop_from is None else f" from {self.name(moved.bishop_from)}"
                return self._sentence(seat, ("take", f"the bishop{whose}"))
            case "special":
                return self._sentence(seat, ("take", "a special action tile"))
            case "reroll":
                gets = [("get", _dice(rolled))] if rolled else []
                return self._sentence(seat, ("spend", f"the special action tile to reroll {_dice(move.dice)}"), *gets)
        return " ".join(self._place(moved))

    def _place(self, moved: Moved) -> list[str]:
        seat, move, paid = moved.seat, moved.move, moved.paid
        building = f"the {'active ' if moved.inn_was_active else ''}{KIND_WORDS[move.kind]} in {move.village}"
        clauses = [("take", building)]
        if moved.kicked is not None:
            clauses = [("kick", f"{self.name(moved.kicked)} out of {building}")]
        if any(paid) and not moved.sent_home:
            clauses.append(("get", _coins(paid[seat])))
        said = [self._sentence(seat, *clauses)]
        if moved.inn_activated:
            said.append(f"The inn in {move.village} becomes active.")
        if moved.sent_home:
            plural, tiles = TILE_WORDS[move.kind]
            gets = [self.does(other, ("get", _coins(coins))) for other, coins in enumerate(paid) if coins]
            said.append(f"All {plural} are taken: for {tiles} {_listed(gets)}, and the figures there go home.")
        return said

    def _end(self, ended: Ended, outcome: Outcome) -> str:
        if ended.seat is not None:
            why = self._sentence(ended.seat, ("have", "no figure left, so the game is over"))
        else:
            why = _ENDS[ended.reason]
        total = _coins(outcome.scoring[outcome.winners[0]]["total"])
        if len(outcome.winners) == 1:
            return f"{why} {self._sentence(outcome.winners[0], ('win', f'with {total}'))}"
        who = _listed([self.name(seat) for seat in outcome.winners])
        return f"{why} {_capital(who)} share the win with {total} each."
