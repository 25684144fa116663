"""A whole game as JSON (A79): cards and actions, enough to play it again on a table without a program or a seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from ..engine.contract import Action, Outcome
from ..engine.errors import BadRecord, BadSetup, BohemianError, brief
from ..engine.setup import continuing
from . import legal, rules
from .decisions import TEXTS
from .pieces import CARDS, SPACES
from .setup import Setup, Start
from .state import BREEDING, FEEDING, WORK, State

FORMAT: Final = "agricola/1"
Event: TypeAlias = dict[str, str]
"""What happens: a ``card`` is revealed, or in ``work`` or ``harvest`` a seat carries out an action: "0 to plow"."""


def told_deal(s: State, k: int) -> tuple[Event, ...]:
    """Reveal round card ``k`` in ``s``, as ``rules.deal`` does, and return what happens."""
    rules.reveal(s, k)
    return ({"card": SPACES[CARDS + k]}, *_settled(s))


def told_push(s: State, action: Action) -> tuple[Event, ...]:
    """Carry out a legal action in ``s``, as ``rules.push`` does, and return what happens."""
    return (_carried_out(s, action), *_settled(s))


def _carried_out(s: State, action: Action) -> Event:
    event = {"work" if s["phase"] == WORK else "harvest": f"{s['to_move']} {TEXTS[action]}"}
    rules.carry_out(s, action)
    return event


def _settled(s: State) -> Iterator[Event]:
    """Carry out single legal actions, as ``rules.settle`` does (A20)."""
    while (action := legal.only_legal(s)) >= 0:
        yield _carried_out(s, action)


def write_record(
    start: Start, happened: Iterable[Iterable[Event]], s: State, outcome: Outcome | None
) -> dict[str, Any]:
    """Return the game record of all that happened since a game's beginning, and of how it ended, if it did.

    Beyond A79, a game that goes on from another one ``continues``.
    """
    rounds = list[dict[str, Any]]()
    for event in itertools.chain.from_iterable(happened):
        ((what, text),) = event.items()
        if what == "card":
            rounds.append({"card": text, "work": []})
        else:
            rounds[-1].setdefault(what, []).append(text)
    if s["phase"] in (FEEDING, BREEDING):
        rounds[-1].setdefault("harvest", [])
    record: dict[str, Any] = {"format": FORMAT}
    if start.setup.storehouse_solo:
        record["storehouse_solo"] = True
    record["players"] = list(start.names)
    if start.continues:
        record["continues"] = start.continues.to_json()
    record["rounds"] = rounds
    if outcome:
        record |= {"scores": list(outcome.scoring), "winners": list(outcome.winners)}
    return record


def replay(data: Any, begin: Callable[[Start], Any]) -> Any:
    """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord.

    Every line is checked, also those of actions that nobody was asked for (A20). begin: makes the game of a beginning.
    """
    game = begin(_start_of(data))
    expected: list[Event] = []  # what happened with the last card or action, and was not told yet
    for where, event in _told(data["rounds"]):
        ((what, text),) = event.items()
        if expected:
            if event != (due := expected.pop(0)):
                ((due_what, due_text),) = due.items()
                raise BadRecord(f"{where}: {brief(text)}; the replay gives {due_what} {brief(due_text)} (A20)")
            continue
        try:
            if what == "card":
                game = game.deal(text)
            else:
                seat, _, move = text.partition(" ")
                if seat != str(game.to_move) or game.needs_chance:
                    raise BadRecord(f"{brief(text)} is not a line of a seat that decides: {game!r}")
                game = game.push(move)
        except BohemianError as error:
            raise BadRecord(f"{where}: {error}") from None
        if game.happened[0] != event:
            raise BadRecord(f"{where}: {brief(text)} in {what}; the replay gives {brief(game.happened[0])}")
        expected = [*game.happened[1:]]
    if expected:
        raise BadRecord(f"rounds: they end before {brief(expected[0])}, which follows by itself (A20)")
    return game


def _told(rounds: Any) -> Iterator[tuple[str, Event]]:
    """Yield the place of each card and line of a record, and what it tells. Raises BadRecord."""
    for k, told in enumerate(rounds):
        where = f"rounds[{k}]"
        if not isinstance(told, Mapping) or not {"card", "work"} <= {*told} <= {"card", "work", "harvest"}:
            raise BadRecord(f"{where}: {brief(told)} is not an object with card, work and, after some rounds, harvest")
        yield f"{where}.card", {"card": told["card"]}
        for what in ("work", "harvest"):
            lines = told.get(what, [])
            if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
                raise BadRecord(f"{where}.{what}: {brief(lines)} is not a list of texts")
            yield from ((f"{where}.{what}[{i}]", {what: line}) for i, line in enumerate(lines))


def _start_of(data: Any) -> Start:
    """Return the beginning of the game of a record. Raises BadRecord."""
    if not isinstance(data, Mapping):
        raise BadRecord(f"a game record is a JSON object, not {brief(data)}")
    for key in ("players", "rounds"):
        if not isinstance(data.get(key), list | tuple):
            raise BadRecord(f"{key}: {brief(data.get(key))} is not a list")
    if not isinstance(data.get("format"), str) or data["format"] != FORMAT:
        raise BadRecord(f"format: {brief(data.get('format'))} is not {brief(FORMAT)}")
    try:
        setup = Setup.of(len(data["players"]), storehouse_solo=data.get("storehouse_solo", False))
        return continuing(setup.start(None, data["players"]), data)
    except BadSetup as error:
        raise BadRecord(str(error)) from None
