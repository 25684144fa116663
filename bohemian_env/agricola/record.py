"""A whole game as JSON (A79): cards and actions, enough to play it again on a table without a program or a seed."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from ..engine.contract import Action, Outcome
from ..engine.errors import BadRecord, brief
from ..engine.game import replayed
from ..engine.setup import start_of
from . import legal, rules
from .decisions import TEXTS
from .pieces import CARDS, SPACES
from .setup import Setup, Start
from .state import BREEDING, FEEDING, WORK, State

FORMAT: Final = "agricola/1"
Event: TypeAlias = dict[str, str]
"""What happens: a ``card`` is revealed, or in ``work`` or ``harvest`` a seat carries out an action: "0 to plow"."""


def told_deal(states: np.ndarray, k: int, pieces: Any) -> tuple[Event, ...]:
    """Reveal round card ``k`` in ``states[0]``, as ``rules.deal`` does, and return what happens."""
    rules.reveal(states[0], k)
    return ({"card": SPACES[CARDS + k]}, *_settled(states[0]))


def told_push(states: np.ndarray, action: Action, pieces: Any) -> tuple[Event, ...]:
    """Carry out a legal action in ``states[0]``, as ``rules.push`` does, and return what happens."""
    return (_carried_out(states[0], action), *_settled(states[0]))


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
    solo = data.get("storehouse_solo", False) if isinstance(data, Mapping) else False
    form = {"rounds": [{"card": object, "work": [str], "harvest?": [str]}]}
    game = begin(start_of(data, FORMAT, form, partial(Setup.of, storehouse_solo=solo), ()))
    expected: list[Event] = []  # what happened with the last card or action, and was not told yet
    for where, event in _told(data["rounds"]):
        ((what, text),) = event.items()
        if expected:
            if event != (due := expected.pop(0)):
                ((due_what, due_text),) = due.items()
                raise BadRecord(f"{where}: {brief(text)}; the replay gives {due_what} {brief(due_text)} (A20)")
            continue
        if what == "card":
            game = replayed(where, game.deal, text)
        else:
            seat, _, move = text.partition(" ")
            if seat != str(game.to_move) or game.needs_chance:
                raise BadRecord(f"{where}: {brief(text)} is not a line of a seat that decides: {game!r}")
            game = replayed(where, game.push, move)
        if game.happened[0] != event:
            raise BadRecord(f"{where}: {brief(text)} in {what}; the replay gives {brief(game.happened[0])}")
        expected = [*game.happened[1:]]
    if expected:
        raise BadRecord(f"rounds: they end before {brief(expected[0])}, which follows by itself (A20)")
    return game


def _told(rounds: Any) -> Iterator[tuple[str, Event]]:
    """Yield the place of each card and line of a record, and what it tells."""
    for k, told in enumerate(rounds):
        yield f"rounds[{k}].card", {"card": told["card"]}
        for what in ("work", "harvest"):
            for i, line in enumerate(told.get(what, [])):
                yield f"rounds[{k}].{what}[{i}]", {what: line}
