"""Positions of Agricola that are written in a line.

A farm is written like "food 3 rooms a1 a2 a3 fields b1:grain3 c1 pastures d1+e1 e2", with what is not as at its
beginning; majors like "hearth-4 well:1" with their owners, seat 0 unless told.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.agricola import SPACES, PlainGame

CARDS = [space for space, row in SPACES.items() if "stage" in row]
"""The round cards in the order of A5, in which they come in these positions."""
ASKED_ON = {
    "resource": "day-labourer", "animal": "animals", "pay": "animals", "build": "rooms-stables", "bake": "major",
    "room-or-food": "room-or-travelling", "keep": "sheep",
}  # fmt: skip
"""A space that asks for each kind of decision; of all others it has the name."""
LISTS = ("rooms", "fields", "stables", "pastures")


def numbers(text: str) -> dict[str, Any]:
    """Names and numbers by turns; a value can be a name too, or None."""
    words = text.split()
    values = (None if word == "None" else int(word) if word.lstrip("-").isdigit() else word for word in words[1::2])
    return dict(zip(words[::2], values, strict=True))


def owners(text: str) -> dict[str, int]:
    """Names with a seat: 0 unless told."""
    return {name: int(seat or 0) for name, _, seat in (word.partition(":") for word in text.split())}


def farm(text: str) -> dict[str, Any]:
    """What is told of a farm, in the form of a position."""
    told: dict[str, Any] = {}
    name, words = "", iter(text.split())
    for word in words:
        if name not in LISTS or not word[1:2].isdigit():
            name = word
            told[name] = [] if name in LISTS else numbers(f"{name} {next(words)}")[name]
        elif name == "fields":
            cell, _, crop = word.partition(":")
            told[name].append({"cell": cell, "crop": crop[:-1] or None, "number": int(crop[-1:] or 0)})
        else:
            told[name].append(word.split("+") if name == "pastures" else word)
    return told


def at(
    *farms: str,
    players: int = 2,
    kind: str = "place",
    round: int = 6,
    phase: str = "work",
    to_move: int = 0,
    start_player: int = 0,
    people: str | Mapping[str, int] = "",
    lies: str = "",
    majors: str = "",
    **decision: Any,
) -> dict[str, Any]:
    """A position with the first round cards of A5, in which ``to_move`` decides.

    farms: of the first seats. people: the seat on a space; the one that is asked stands where it is asked. lies: goods
    on a space, else those of one round in work, and none in other phases.
    """
    own = owners(people) if isinstance(people, str) else dict(people)
    pending = None
    if phase not in ("reveal", "over"):
        pending = {"kind": kind, "may_stop": False, "baked": 0, "stable_built": False, "crafted": []} | decision
        if phase == "work" and kind != "place" and to_move not in own.values():
            own[ASKED_ON.get(kind, kind)] = to_move
    told = {"phase": phase, "start_player": start_player, "to_move": to_move, "decision": pending}
    return position(CARDS[:round], list(map(farm, farms)), own, numbers(lies), owners(majors), players=players, **told)


def position(
    cards: list[str],
    farms: Sequence[dict[str, Any]],
    people: Mapping[str, int],
    lies: Mapping[str, int],
    majors: Mapping[str, int],
    **more: Any,
) -> dict[str, Any]:
    """A position from what differs from a beginning. more: its other fields, with the number of players."""
    game = PlainGame(more["players"])
    told = game.position() | more | {"round": len(cards), "cards": cards}
    if told["decision"] is None:
        told["to_move"] = None
    told["spaces"] += [{"space": card, "goods": 0, "person": None} for card in SPACES if card in cards]
    for row in told["spaces"]:
        space = row["space"]
        row["person"] = people.get(space)
        row["goods"] = lies.get(space, game._laid(space) if told["phase"] == "work" and space not in people else 0)
    for row in told["majors"]:
        row["owner"] = majors.get(row["major"])
    for seat, own in enumerate(told["farms"]):
        own |= {"placed": [*people.values()].count(seat)} | (farms[seat] if seat < len(farms) else {})
    return told | {"scores": PlainGame.from_position(told).scores()}


def crowded(free: str, round: int, home: tuple[int, ...]) -> dict[str, int]:
    """People of five seats, of five each, on all spaces but some. home: how many of each seat are not placed."""
    left = [5 - some for some in home]
    people: dict[str, int] = {}
    for row in at(players=5, round=round)["spaces"]:
        if row["space"] not in free.split():
            people[row["space"]] = next(seat for seat, number in enumerate(left) if number)
            left[people[row["space"]]] -= 1
    assert left == [0] * 5, left
    return people
