"""What happens at the table, in words: for the log, for announcements, and for a move before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bohemian_env.game.notation import Move, parse_move

__all__ = ["KIND_WORDS", "Entry", "Teller", "history"]

KIND_WORDS: Final = {
    "bakery": "bakery",
    "butchery": "butchery",
    "dairy": "dairy",
    "tailor": "tailor shop",
    "mill": "flour mill",
    "glass": "glass factory",
    "farm": "farm",
    "inn": "inn",
    "town_hall": "town hall",
    "church": "church",
    "manor": "manor",
}
_SCORED: Final = {"mill": ("flour mills", "flour"), "glass": ("glass factories", "glass")}
"""What is scored together (R20), and the tiles that pay."""

Entry = dict[str, Any]
"""A line of the log: ``kind`` (turn, move, pass, end), ``seat``, ``text`` in the notation, ``words``, and after how
many ``moves`` it stands."""


def _coins(number: int) -> str:
    return f"{number} coin" + ("" if number == 1 else "s")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _dice(dice: Sequence[int]) -> str:
    return ", ".join(map(str, dice))


def _owners(position: Mapping[str, Any], kind: str) -> list[int | None]:
    return [b["owner"] for v in position["villages"] for b in v["buildings"] if b["kind"] == kind]


def _active(position: Mapping[str, Any]) -> set[str]:
    """The villages with an active inn."""
    return {v["name"] for v in position["villages"] if any(b.get("active") for b in v["buildings"])}


class Teller:
    """Tells of the seats by their names, and of the seat ``you``, if there is one, as "you"."""

    def __init__(self, names: Sequence[str], you: int | None = None) -> None:
        self.names = tuple(names)
        self.you = you

    def name(self, seat: int) -> str:
        """Who it is, within a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def does(self, seat: int, verb: str) -> str:
        """The beginning of a sentence: "You kick", "ppo kicks"."""
        if seat == self.you:
            return f"You {verb}"
        third = {"have": "has", "can": "can", "pass": "passes"}.get(verb, f"{verb}s")
        return f"{self.names[seat]} {third}"

    def _gets(self, seat: int, coins: int) -> str:
        return f"{self.name(seat)} {'get' if seat == self.you else 'gets'} {_coins(coins)}"

    def move(
        self,
        seat: int,
        move: Move,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        *,
        kicked: int | None = None,
        paid: Sequence[int] = (),
        rolled: Sequence[int] = (),
    ) -> str:
        """A move and what follows from it at once.

        Args:
            seat: whose move it is.
            move: what is done.
            before, after: positions, of which only ``villages`` and ``bishop`` are read.
            kicked, paid, rolled: as in a game record.
        """
        if move.act == "end":
            return self.does(seat, "stop") + "."
        if move.act == "bishop":
            holder = before["bishop"]
            whose = "" if holder is None else f" from {self.name(holder)}"
            return self.does(seat, "take") + f" the bishop{whose}."
        if move.act == "special":
            return self.does(seat, "take") + " a special action tile."
        if move.act == "reroll":
            again = f"{self.does(seat, 'spend')} the special action tile to roll {_dice(move.dice)} again"
            return again + (f", and {'roll' if seat == self.you else 'rolls'} {_dice(rolled)}." if rolled else ".")
        return " ".join(self._place(seat, move, before, after, kicked, paid))

    def _place(
        self,
        seat: int,
        move: Move,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        kicked: int | None,
        paid: Sequence[int],
    ) -> list[str]:
        active = "active " if move.kind == "inn" and move.village in _active(before) else ""
        building = f"the {active}{KIND_WORDS[move.kind]} in {move.village}"
        if kicked is None:
            first = f"{self.does(seat, 'take')} {building}"
        else:
            first = f"{self.does(seat, 'kick')} {self.name(kicked)} out of {building}"
        # When all mills or glass factories are taken, their figures go home, this one included (R20).
        scored = move.kind in _SCORED and all(owner is None for owner in _owners(after, move.kind))
        if any(paid) and not scored:
            first += f" and {'get' if seat == self.you else 'gets'} {_coins(paid[seat])}"
        said = [first + "."]
        said += [f"The inn in {village} becomes active." for village in sorted(_active(after) - _active(before))]
        if scored:
            plural, tiles = _SCORED[move.kind]
            gets = [self._gets(other, coins) for other, coins in enumerate(paid) if coins]
            said.append(f"All {plural} are taken: for {tiles} tiles {_listed(gets)}, and the figures there go home.")
        return said


def history(
    record: Mapping[str, Any], positions: Sequence[Mapping[str, Any]], names: Sequence[str], you: int | None = None
) -> list[Entry]:
    """The log of a game.

    Args:
        record: the game record so far.
        positions: the position before each move, and the one now.
        names, you: as in :class:`Teller`.
    """
    teller = Teller(names, you)
    entries: list[Entry] = []
    moves = 0

    def add(kind: str, seat: int | None, text: str, words: str) -> None:
        entries.append({"kind": kind, "seat": seat, "text": text, "words": words, "moves": moves})

    over = "end" in record
    for number, turn in enumerate(record["turns"], 1):
        seat = turn["seat"]
        income = teller.does(seat, "get") + f" {_coins(turn['income'])} of income" if turn["income"] else ""
        if "roll" not in turn:
            add("turn", seat, f"income {turn['income']}", income + ".")
            break
        roll = f"{'roll' if seat == you else 'rolls'} {_dice(turn['roll'])}."
        begins = f"{income} and {roll}" if income else f"{teller.does(seat, 'roll')} {_dice(turn['roll'])}."
        add("turn", seat, " ".join(map(str, turn["roll"])), begins)
        for entry in turn["moves"]:
            move = parse_move(entry["move"])
            before, after = positions[moves], positions[moves + 1]
            moves += 1
            details = {key: entry[key] for key in ("kicked", "paid", "rolled") if key in entry}
            text = entry["move"] + (f" ({' '.join(map(str, entry['rolled']))})" if "rolled" in entry else "")
            add("move", seat, text, teller.move(seat, move, before, after, **details))
        complete = over or number < len(record["turns"])
        if complete and all(entry["move"].startswith("reroll") for entry in turn["moves"]):
            add("pass", seat, "–", teller.does(seat, "can") + " do nothing with these dice.")  # R13
    if over:
        add("end", None, record["end"], _end(record, teller))
    return entries


def _end(record: Mapping[str, Any], teller: Teller) -> str:
    if record["end"] == "no figures":
        following = (record["turns"][-1]["seat"] + 1) % len(record["players"])
        why = teller.does(following, "have") + " no figure left to play with: the game is over."
    elif record["end"] == "bank empty":
        why = "The bank is empty: the game is over."
    else:
        why = f"The game is cut off after {len(record['turns'])} turns."
    winners = record["winners"]
    total = _coins(record["scoring"][winners[0]]["total"])
    if len(winners) == 1:
        return f"{why} {teller.does(winners[0], 'win')} with {total}."
    who = _listed([teller.name(seat) for seat in winners])
    return f"{why} {who[0].upper()}{who[1:]} share the win with {total} each."
