"""What happens in Bohemian Villages, told in words: for the log, and for a move before it is made."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from bohemian_env.engine.contract import Outcome
from bohemian_env.villages.events import Ended, Event, Moved, Passed, Rolled, TurnBegan
from bohemian_env.villages.notation import format_move
from table.room import Entry, Teller

_ENDS: Final = {"bank empty": "happens.bank_empty", "truncated": "happens.truncated"}


class Told(NamedTuple):
    """An event, and what it is told with."""

    event: Event
    rolled: tuple[int, ...]
    """The dice that were rolled then."""
    outcome: Outcome | None
    """How the game ended, with its last event."""


def told_of(happened: Sequence[Event], outcome: Outcome | None) -> list[Told | None]:
    """Return what is told of each event of a game; nothing of rolls, which are told with what they follow."""
    return [
        None
        if isinstance(event, Rolled)
        else Told(event, following.dice if isinstance(following, Rolled) else (), outcome)
        for event, following in zip(happened, [*happened[1:], None], strict=True)
    ]


def seat_of(event: Event) -> int | None:
    """Return whose event it is; None at the end of the game."""
    return None if isinstance(event, Ended) else event.seat


def entry(told: Told, teller: Teller) -> Entry:
    """Return a line of the log in words."""
    event, rolled, outcome = told
    shown = " ".join(map(str, rolled))
    match event:
        case TurnBegan():
            collects = [("collect", {"coins": teller.words.coins(event.income)})] if event.income else []
            rolls = [("roll", {"dice": _dice(rolled)})] if rolled else []
            kind, text = "turn", shown or teller.words("happens.income", coins=event.income)
            words = teller.sentence(event.seat, *collects, *rolls) if collects or rolls else ""
        case Moved():
            kind, words = "move", move(event, teller, rolled)
            text = format_move(event.move) + (f" ({shown})" if rolled else "")
        case Passed():
            kind, text, words = "pass", "–", teller.sentence(event.seat, ("stuck", {}))
        case Ended():
            assert outcome is not None
            kind, words = "end", _end(event, outcome, teller)
            text = teller.words(f"ends.{event.reason.replace(' ', '_')}")
        case _:
            raise AssertionError(event)
    return {"kind": kind, "seat": seat_of(event), "text": text, "words": words, "chance": bool(rolled)}


def order(moved: Moved, teller: Teller) -> str:
    """Return a move as an order to the seat that is to make it: "Take the inn in Nenbrad". Somebody else than "you"
    gets no orders: "ppo takes the inn in Nenbrad".
    """
    if teller.you not in (None, moved.seat):
        return move(moved, teller)
    return move(moved, Teller(teller.names, moved.seat, teller.words), as_order=True)


def move(moved: Moved, teller: Teller, rolled: Sequence[int] = (), as_order: bool = False) -> str:
    """Return what a move does and sets off, with the dice rolled after it."""
    seat, made = moved.seat, moved.move
    match made.act:
        case "end":
            clauses: list[tuple[str, Mapping[str, object]]] = [("stop", {})]
        case "bishop":
            whose = moved.bishop_from
            clauses = [("bishop", {}) if whose is None else _to("bishop_from", whose, teller)]
        case "special":
            clauses = [("special", {})]
        case "reroll":
            clauses = [("reroll", {"dice": _dice(made.dice)})]
            clauses += [("get_dice", {"dice": _dice(rolled)})] if rolled else []
        case _:
            return " ".join(_place(moved, teller, as_order))
    return teller.sentence(seat, *clauses, order=as_order)


def _dice(dice: Sequence[int]) -> str:
    return ", ".join(map(str, dice))


def _to(key: str, whom: int, teller: Teller, **values: object) -> tuple[str, Mapping[str, Any]]:
    """Return a clause in which something is done to a seat."""
    if whom == teller.you:
        return f"{key}_you", values
    return key, {"whom": teller.names[whom], **values}


def _place(moved: Moved, teller: Teller, as_order: bool) -> list[str]:
    seat, made, paid, words = moved.seat, moved.move, moved.paid, teller.words
    part = "the" if moved.kicked is None else "out_of"
    called = words(f"{part}.{'active_' if moved.inn_was_active else ''}{made.kind}")
    building = words("in_village", building=called, village=made.village)
    if moved.kicked is None:
        clauses: list[tuple[str, Mapping[str, object]]] = [("take", {"building": building})]
    else:
        clauses = [_to("kick", moved.kicked, teller, building=building)]
    if any(paid) and not moved.sent_home:
        clauses.append(("get", {"coins": words.coins(paid[seat])}))
    said = [teller.sentence(seat, *clauses, order=as_order)]
    if moved.inn_activated:
        said.append(words("happens.inn_active", village=made.village))
    if moved.sent_home:
        gets = [teller.does(other, ("get", {"coins": words.coins(coins)})) for other, coins in enumerate(paid) if coins]
        said.append(words(f"happens.sent_home_{made.kind}", gets=words.listed(gets)))
    return said


def _end(ended: Ended, outcome: Outcome, teller: Teller) -> str:
    if ended.seat is not None:
        why = teller.sentence(ended.seat, ("no_figure", {}))
    else:
        why = teller.words(_ENDS[ended.reason])
    total = teller.words.coins(outcome.scoring[outcome.winners[0]]["total"])
    if len(outcome.winners) == 1:
        return f"{why} {teller.sentence(outcome.winners[0], ('win', {'coins': total}))}"
    who = teller.words.listed([teller.name(seat) for seat in outcome.winners])
    return why + " " + teller.words("happens.share", who=who[:1].upper() + who[1:], coins=total)
