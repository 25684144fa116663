"""What is done in Agricola, told in words: for the log, and for a move before it is made."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from bohemian_env.agricola import decisions as d
from bohemian_env.agricola import legal, rules
from bohemian_env.agricola import pieces as p
from bohemian_env.agricola.farm import new_fences
from bohemian_env.agricola.game import Game
from bohemian_env.agricola.rules import GIVES
from bohemian_env.agricola.state import BREEDING, FEEDING, STATE, WORK
from bohemian_env.agricola.words import counted, goods
from bohemian_env.engine.words import Words
from table.room import Entry, Line, Teller, capital

Raw = Mapping[str, Any]
Step = tuple[str, Raw]
"""What one action does: a key of the words below ``does``, and what it is told with, in no language."""


class Deed(NamedTuple):
    """What a seat does with one person, or in one phase of a harvest."""

    moves: tuple[str, ...]
    steps: tuple[Step, ...]


class News(NamedTuple):
    """What comes to several seats, or to the table."""

    key: str
    """``"card"``, ``"harvest"`` or ``"young"``."""
    what: Mapping[Any, Any]
    """The card, its round and the players; or the goods of each seat."""


# --- one action ---------------------------------------------------------------------------------------------------


def steps_of(s: Any, action: int) -> list[Step]:
    """Return what an action does in a position in which its seat decides."""
    seat, parts = int(s["to_move"]), d.TEXTS[action].split()
    food = int(s["goods"][seat, p.FOOD])
    match parts[0]:
        case "to":
            return _placed(s, seat, action)
        case "take":
            if parts[1] == "food":
                return [("take", {"goods": {"food": int(s["laid"][p.SPACE["room-or-travelling"]])}})]
            taken = dict.fromkeys(parts[1:], 1) | ({"food": 1} if parts[1] == "sheep" else {})
            spent: list[Step] = [("spend", {"goods": {"food": legal.CATTLE_FOOD}})] if parts[1] == "cattle" else []
            return [("take", {"goods": taken}), *spent]
        case "room":
            price = {p.GOODS[p.HOUSE_OF[s["material"][seat]]]: legal.ROOM_COST, "reed": legal.ROOM_REED}
            return [("room", {"cells": parts[1:], "price": price})]
        case "stable":
            wood = legal.STABLE_WOOD if s["kind"] == d.BUILD else legal.STABLE_WOOD_CHEAP
            return [("stable", {"cells": parts[1:], "price": {"wood": wood}})]
        case "plow":
            return [("plow", {"cells": parts[1:]})]
        case "sow":
            return [("sow", {"goods": {parts[1]: 1}, "cells": [_cell_sown(s)]})]
        case "bake":
            made = int(p.RATE[legal.baking_major(s, seat, int(s["baked"]))])
            return [("bake", _meal("grain", made, food))]
        case "buy" if len(parts) == 2:
            price = dict(zip(p.RESOURCES, map(int, p.COST[p.MAJORS.index(parts[1])]), strict=True))
            return [("buy", {"major": parts[1], "price": price})]
        case "buy":
            return [("swap", {"major": parts[1], "other": parts[3]})]
        case "cook" | "eat":
            return [(parts[0], _meal(parts[1], int(rules.food_of(s, seat, p.GOODS.index(parts[1]))), food))]
        case "craft":
            return [("craft", _meal(parts[1], int(p.CRAFT_FOOD[p.CRAFTS.index(parts[1])]), food))]
        case "give":
            return [("give", {"goods": {parts[1]: 1}})]
        case "fence":
            fences = int(new_fences(action - d.FENCE, s["sides"][seat]))
            return [("fence", {"cells": parts[1:], "number": fences, "price": {"wood": fences * legal.FENCE_WOOD}})]
        case "grow":
            return [("grow", {})]
        case _ if s["phase"] == FEEDING:
            need = int(legal.need(s, seat))
            paid: list[Step] = [("pay", {"food": min(need, food)})] if food else []
            return paid + ([("beg", {"number": need - food})] if food < need else [])
    return [("stop", {})]


def _meal(good: str, made: int, food: int) -> dict[str, Any]:
    return {"goods": {good: 1}, "food": made, "before": food, "after": food + made}


def _cell_sown(s: Any) -> str:
    """Return the field on which is sown (A39)."""
    cells = int(legal.empty_fields(s, s["to_move"]))
    return p.CELLS[(cells & -cells).bit_length() - 1]


def _placed(s: Any, seat: int, space: int) -> list[Step]:
    """Return what a person does at once on a space."""
    name = p.SPACES[space]
    found = {good: int(number) for good, number in zip(p.GOODS, GIVES[space], strict=True)}
    if name != "room-or-travelling":
        found[p.GOODS[p.GOOD_ON[space]]] += int(s["laid"][space])
    told: list[Step] = []
    if name == "start-player":
        told.append(("keep_start" if s["start_player"] == seat else "start", {}))
    if any(found.values()):
        told.append(("take", {"goods": found}))
    if name in ("growth", "growth-no-room"):
        told.append(("grow", {}))
    if name in ("renovate-major", "renovate-fences"):
        after = int(s["material"][seat]) + 1
        rooms = int(s["rooms"][seat]).bit_count()
        price = {p.GOODS[p.HOUSE_OF[after]]: rooms * legal.RENOVATION, "reed": legal.RENOVATION_REED}
        told.append((f"renovate_{p.MATERIALS[after]}", {"price": price}))
    return told


def order(game: Game, action: int, teller: Teller) -> str:
    """Return a move as an order to the seat that is to make it: "Take 6 wood." Somebody else than "you" gets no orders:
    "ppo takes 6 wood."
    """
    seat, s = game.to_move, game.states[0]
    assert seat is not None
    as_order = teller.you in (None, seat)
    words, steps = teller.words, steps_of(s, action)
    if action < len(p.SPACES) and f"to.{p.SPACES[action]}" in words:
        if as_order:
            return words(f"to.{p.SPACES[action]}")
        steps = [*steps, ("go", {"space": action, "players": game.players})]
    return teller.sentence(seat, *(spoken(words, step) for step in steps), order=as_order)


def spoken(words: Words, step: Step) -> tuple[str, dict[str, object]]:
    """Return a step with its values in words."""
    key, raw = step
    told: dict[str, object] = {}
    for name, value in raw.items():
        match name:
            case "goods" | "price":
                told[name] = goods(words, value)
            case "food":
                told[name] = counted(words, "food", value)
            case "cells":
                told |= {
                    "cells": ", ".join(value),
                    **{f"{what}s": counted(words, what, len(value)) for what in ("room", "stable", "field")},
                }
            case "number":
                told |= {"fences": counted(words, "fence", value), "begging": counted(words, "begging", value)}
            case "major" | "other":
                told[name] = words(f"bought.{value}")
            case "space":
                told[name] = space_name(words, value, raw["players"])
            case _:
                told[name] = value
    return key, told


def space_name(words: Words, space: int, players: int) -> str:
    """Return what a space is called at a table of so many."""
    return words(f"space.{p.SPACES[space]}", adds=p.ADDS[int(players > 1), space])


# --- the log ------------------------------------------------------------------------------------------------------


def lines_of(moments: Sequence[Game]) -> list[Line]:
    """Return the lines of the log: one for each person placed with all that follows, once all of it is done, one for
    what each seat does in a harvest, and one for what comes to all.
    """
    found: list[Line] = []
    open_: list[tuple[str, tuple[Step, ...]]] = []  # moves of a deed that goes on
    doer: tuple[int, str] | None = None  # whose it is, and in which phase

    def close(number: int) -> None:
        nonlocal doer
        if open_ and doer:
            steps = merged(step for _, told in open_ for step in told if step[0] != "stop")
            found.append(Line(number, doer[0], Deed(tuple(move for move, _ in open_), tuple(steps))))
        open_.clear()
        doer = None

    last = 0
    for number, (before, after) in enumerate(pairwise(moments), 1):
        for event in _told(before.states.tobytes(), tuple(next(iter(event.items())) for event in after.happened)):
            if isinstance(event, News):
                close(last)
                found.append(Line(number, None, event))
            else:
                seat, phase, move, steps = event
                if (seat, phase) != doer or move.startswith("to "):
                    close(last)
                open_.append((move, steps))
                doer = seat, phase
                if phase == "feed" and move == "done":
                    close(number)
            last = number
    if not _goes_on(moments[-1], doer):
        close(last)
    if moments[-1].over:
        found.append(Line(len(moments) - 1, None, None, moments[-1].outcome()))
    return found


def _goes_on(game: Game, doer: tuple[int, str] | None) -> bool:
    """Return whether what a seat does is not yet done."""
    if doer is None or game.decision in (None, "place") or game.to_move != doer[0]:
        return False
    return doer[1] == (game.decision if game.decision in ("feed", "breed") else "work")


Happened = News | tuple[int, str, str, tuple[Step, ...]]


@lru_cache(2**13)
def _told(state: bytes, happened: tuple[tuple[str, str], ...]) -> tuple[Happened, ...]:
    """Return what happened from a position on, in order: deeds with their seats and phases, and news."""
    states = np.frombuffer(state, STATE).copy()
    s, found = states[0], list[Happened]()
    for what, text in happened:
        was = states.copy()[0]
        if what == "card":
            rules.reveal(s, p.SPACE[text] - p.CARDS)
            found.append(News("card", {"card": text, "round": int(s["turn"]), "players": int(s["players"])}))
            continue
        seat, _, move = text.partition(" ")
        action, breeding = d.NUMBER[move], was["phase"] == BREEDING
        phase = "work" if what == "work" else "breed" if breeding else "feed"
        found.append((int(seat), phase, move, tuple(steps_of(was, action))))
        rules.carry_out(s, action)
        if was["phase"] == WORK and s["phase"] == FEEDING:
            found.append(News("harvest", _harvested(was)))
        if was["phase"] in (FEEDING, BREEDING) and (young := _young(was, s)):
            found.append(News("young", young))
    return tuple(found)


def _harvested(s: Any) -> dict[int, dict[str, int]]:
    """Return what each seat takes from its fields (A60)."""
    found = {}
    for seat in range(s["players"]):
        crops = {
            "grain": sum(int(cells).bit_count() for cells in s["grain"][seat]),
            "vegetable": sum(int(cells).bit_count() for cells in s["vegetables"][seat]),
        }
        if any(crops.values()):
            found[seat] = crops
    return found


def _young(before: Any, after: Any) -> dict[int, dict[str, int]]:
    """Return the young that each seat's animals have had (A65)."""
    found = {}
    for seat in range(after["players"]):
        more = {
            good: int(after["goods"][seat, p.GOODS.index(good)] > before["goods"][seat, p.GOODS.index(good)])
            for good in p.ANIMALS
        }
        if any(more.values()):
            found[seat] = more
    return found


def merged(steps: Iterable[Step]) -> list[Step]:
    """Return steps with all of a kind told as one, where the first of it stands."""
    found: dict[str, dict[str, Any]] = {}
    for key, raw in steps:
        into = found.setdefault(key, {})
        for name, value in raw.items():
            if name in ("goods", "price"):
                numbers = into.setdefault(name, {})
                for good, number in value.items():
                    numbers[good] = numbers.get(good, 0) + number
            elif name == "cells":
                into[name] = [*dict.fromkeys([*into.get(name, ()), *value])]
            elif name in ("food", "number"):
                into[name] = into.get(name, 0) + value
            else:
                into[name] = value
    return [*found.items()]


def entry(line: Line, teller: Teller) -> Entry:
    """Return a line of the log in words; not of the end."""
    words, event = teller.words, line.event
    if isinstance(event, Deed):
        assert line.seat is not None
        told = teller.sentence(line.seat, *(spoken(words, step) for step in event.steps))
        return {"kind": "move", "seat": line.seat, "text": "; ".join(event.moves), "words": told, "chance": False}
    if event.key == "card":
        text = event.what["card"]
        name = space_name(words, p.SPACE[text], event.what["players"])
        told = words("happens.card", round=event.what["round"], card=name)
        return {"kind": "turn", "seat": None, "text": text, "words": told, "chance": True}
    gets = [teller.does(seat, (event.key, {"goods": goods(words, numbers)})) for seat, numbers in event.what.items()]
    told = words(f"happens.{event.key}", gets=words.listed(gets)) if gets else words("happens.no_harvest")
    return {"kind": "turn", "seat": None, "text": event.key, "words": capital(told), "chance": False}
