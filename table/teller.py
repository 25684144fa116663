"""What happens at the table, told in words: for the log, for announcements, and for a move before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypedDict

from bohemian_env import Game, Outcome
from bohemian_env.villages.events import Ended, Event, Moved, Passed, Rolled, TurnBegan
from bohemian_env.villages.notation import format_move
from bohemian_env.villages.words import ENGLISH, Words

_Clause: TypeAlias = tuple[str, Mapping[str, object]]  # what somebody does: its key among the words, its values
_ENDS: Final = {"bank empty": "happens.bank_empty", "truncated": "happens.truncated"}


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


class Failed(NamedTuple):
    """An agent that is a program failed, and another plays on for it."""

    seat: int
    stand_in: str
    why: str


class Line(NamedTuple):
    """What a line of the log is told of."""

    event: TurnBegan | Moved | Passed | Ended | Failed
    rolled: tuple[int, ...] = ()
    """The dice that were rolled then."""
    outcome: Outcome | None = None
    """How the game ended, with its last event."""


def lines_of(happened: Sequence[Event], outcome: Outcome | None = None) -> list[Line]:
    """Return the lines of the log for events of a game; ``outcome`` is needed where the game ends."""
    return [
        Line(event, following.dice if isinstance(following, Rolled) else (), outcome)
        for event, following in zip(happened, [*happened[1:], None], strict=True)
        if not isinstance(event, Rolled)
    ]


def _dice(dice: Sequence[int]) -> str:
    return ", ".join(map(str, dice))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Teller:
    """Tells of the seats by their names, and of the seat ``you``, if there is one, as "you"."""

    def __init__(self, names: Sequence[str], you: int | None = None, words: Words = ENGLISH) -> None:
        self.names = tuple(names)
        self.you = you
        self.words = words

    def name(self, seat: int) -> str:
        """Return what a seat is called within a sentence."""
        return self.words("person.you") if seat == self.you else self.names[seat]

    def does(self, seat: int, *clauses: _Clause, order: bool = False) -> str:
        """Return what a seat does, within a sentence, "ppo takes the bishop and gets 1 coin", or as an order to it."""
        part = "does_order" if order else "does_you" if seat == self.you else "does"
        told = self.words.listed([self.words(f"{part}.{key}", **values) for key, values in clauses])
        if order:
            return told
        return self.words("person.you_do", does=told) if seat == self.you else f"{self.names[seat]} {told}"

    def _sentence(self, seat: int, *clauses: _Clause, order: bool = False) -> str:
        told = self.does(seat, *clauses, order=order)
        return (_capital(told) if seat == self.you else told) + "."

    def entry(self, line: Line) -> Entry:
        """Return a line of the log in words."""
        event, rolled, outcome = line
        shown = " ".join(map(str, rolled))
        match event:
            case TurnBegan():
                collects = [("collect", {"coins": self.words.coins(event.income)})] if event.income else []
                rolls = [("roll", {"dice": _dice(rolled)})] if rolled else []
                kind, text = "turn", shown or self.words("happens.income", coins=event.income)
                words = self._sentence(event.seat, *collects, *rolls)
            case Moved():
                kind, words = "move", self.move(event, rolled)
                text = format_move(event.move) + (f" ({shown})" if rolled else "")
            case Passed():
                kind, text, words = "pass", "–", self._sentence(event.seat, ("stuck", {}))
            case Failed():
                name = self.names[event.seat]
                kind, text = "pass", event.stand_in
                words = self.words("happens.failed", name=name, stand_in=event.stand_in, why=event.why)
            case Ended():
                assert outcome is not None
                kind, words = "end", self._end(event, outcome)
                text = self.words(f"ends.{event.reason.replace(' ', '_')}")
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
        return Teller(self.names, moved.seat, self.words).move(moved, order=True)

    def move(self, moved: Moved, rolled: Sequence[int] = (), order: bool = False) -> str:
        """Return what a move does and sets off, with the dice rolled after it."""
        seat, move = moved.seat, moved.move
        match move.act:
            case "end":
                clauses: list[_Clause] = [("stop", {})]
            case "bishop":
                whose = moved.bishop_from
                clauses = [("bishop", {}) if whose is None else self._to("bishop_from", whose)]
            case "special":
                clauses = [("special", {})]
            case "reroll":
                clauses = [("reroll", {"dice": _dice(move.dice)})]
                clauses += [("get_dice", {"dice": _dice(rolled)})] if rolled else []
            case _:
                return " ".join(self._place(moved, order))
        return self._sentence(seat, *clauses, order=order)

    def _to(self, key: str, whom: int, **values: object) -> _Clause:
        """Return a clause in which something is done to a seat."""
        if whom == self.you:
            return f"{key}_you", values
        return key, {"whom": self.names[whom], **values}

    def _place(self, moved: Moved, order: bool) -> list[str]:
        seat, move, paid, words = moved.seat, moved.move, moved.paid, self.words
        part = "the" if moved.kicked is None else "out_of"
        called = words(f"{part}.{'active_' if moved.inn_was_active else ''}{move.kind}")
        building = words("in_village", building=called, village=move.village)
        if moved.kicked is None:
            clauses: list[_Clause] = [("take", {"building": building})]
        else:
            clauses = [self._to("kick", moved.kicked, building=building)]
        if any(paid) and not moved.sent_home:
            clauses.append(("get", {"coins": words.coins(paid[seat])}))
        said = [self._sentence(seat, *clauses, order=order)]
        if moved.inn_activated:
            said.append(words("happens.inn_active", village=move.village))
        if moved.sent_home:
            gets = [
                self.does(other, ("get", {"coins": words.coins(coins)})) for other, coins in enumerate(paid) if coins
            ]
            said.append(words(f"happens.sent_home_{move.kind}", gets=words.listed(gets)))
        return said

    def _end(self, ended: Ended, outcome: Outcome) -> str:
        if ended.seat is not None:
            why = self._sentence(ended.seat, ("no_figure", {}))
        else:
            why = self.words(_ENDS[ended.reason])
        total = self.words.coins(outcome.scoring[outcome.winners[0]]["total"])
        won = ("win", {"coins": total})
        if len(outcome.winners) == 1:
            return f"{why} {self._sentence(outcome.winners[0], won)}"
        who = _capital(self.words.listed([self.name(seat) for seat in outcome.winners]))
        return why + " " + self.words("happens.share", who=who, coins=total)
