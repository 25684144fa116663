"""What drawings show: the position's JSON (A78), checked as far as they read it, and what follows from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Final, Self, TypeAlias

from ...engine.contract import Outcome
from ...engine.drawing import check_outcome, element, escape, names_of, shortened
from ...engine.errors import BadPosition, brief
from ...engine.states import check_form
from ..pieces import CELLS, DATA, GOODS, MATERIALS, ROUNDS
from ..position import CARDS, PLAYERS, form_of
from ..state import PHASES

SPACES: Final = {space["id"]: space for space in DATA["space"]}
"""Every action space by name (A5)."""
MAJORS: Final = {major["id"]: major for major in DATA["major"]}
"""Every major by name (A7)."""
COLUMNS: Final = DATA["farm"]["columns"]
ROWS: Final = DATA["farm"]["rows"]
LETTERS: Final = "ABCDE"
"""The letter of each seat."""
_PHASES: Final = dict(
    zip(PHASES, ("a card is to be revealed", "work", "harvest, feeding", "harvest, breeding", "game over"), strict=True)
)
_PART: Final = re.compile(r"[a-z][a-z _-]{0,15}")  # what the name of a part of the score looks like
Side: TypeAlias = tuple[int, int, bool]
"""Column and row of a cell from 0 on, and whether it is the left side of this cell; else it is the upper one. The right
and lower edges of a farm are sides of cells beyond it.
"""


@dataclass(frozen=True, slots=True)
class Land:
    """What is on one cell of a farm."""

    cell: str
    kind: str
    """The material of a room, or "field", "pasture", "unused"."""
    stable: bool
    crop: str | None
    number: int
    """Of the crop."""

    @property
    def told(self) -> str:
        """It in words."""
        what = f"{self.kind} room" if self.kind in MATERIALS else self.kind
        what = "stable" if self.stable and self.kind == "unused" else what + (" with a stable" if self.stable else "")
        return f"{self.cell} {what}" + (f", {self.number} {self.crop}" if self.crop else "")


def lands(farm: Mapping[str, Any]) -> list[Land]:
    """Return what is on the cells of a farm, in cell order."""
    fields = {field["cell"]: (field["crop"], field["number"]) for field in farm["fields"]}
    kinds = dict.fromkeys(chain.from_iterable(farm["pastures"]), "pasture") | dict.fromkeys(fields, "field")
    kinds |= dict.fromkeys(farm["rooms"], farm["material"])
    found = []
    for cell in CELLS:
        crop, number = fields.get(cell, (None, 0))
        found.append(Land(cell, kinds.get(cell, "unused"), cell in farm["stables"], crop if number else None, number))
    return found


def fences(farm: Mapping[str, Any]) -> list[Side]:
    """Return the sides with a fence: those of the cells of each pasture that lead out of it (A43)."""
    found = set[Side]()
    for pasture in farm["pastures"]:
        around = set[Side]()
        for x, y in ((COLUMNS.index(column), ROWS.index(row)) for column, row in pasture):
            around ^= {(x, y, True), (x + 1, y, True), (x, y, False), (x, y + 1, False)}  # a side of two cells goes
        found |= around
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Scene:
    """One position, for a drawing."""

    position: Mapping[str, Any]
    names: Sequence[str]
    """The names of the seats, printable."""
    ids: bool
    """Whether parts have ids."""

    @classmethod
    def of(
        cls, position: Any, names: Sequence[str] | None, outcome: Outcome | None, ids: bool = False, **more: Any
    ) -> Self:
        """Check a position, the names of its seats (``seat 0`` and so on by default) and its outcome. Raises
        BadPosition: it is no position's JSON; the message names the field. Whether the rules allow it is not asked.
        BadSetup: there is not a text for each seat, or ``outcome`` is none that ``Game.outcome()`` gives.
        """
        check_form(position, PLAYERS)
        check_form(position, form_of(position["players"], _MOST))
        _check_agrees(position)
        shown = names_of(names, position["players"])
        check_outcome(outcome)
        return cls(position, shown, bool(ids), **more)

    @property
    def spaces(self) -> list[tuple[Mapping[str, Any], int]]:
        """The spaces in play, each with the round of its card, 0 without: the cards come last, as revealed."""
        rounds = {card: number for number, card in enumerate(self.position["cards"], 1)}
        found = [(entry, rounds.get(entry["space"], 0)) for entry in self.position["spaces"]]
        return sorted(found, key=lambda pair: pair[1])

    def group(self, name: str, inside: str, title: str, **data: object) -> str:
        """Return shapes that mean one thing, with a title for pointers and readers."""
        meaning: dict[str, object] = {"id": name, **{f"data-{key}": value for key, value in data.items()}}
        return element("g", element("title", escape(title)) + inside, **(meaning if self.ids else {}))

    # --- in words ---

    def who(self, seat: int, longest: int = 100) -> str:
        """Return a seat in words, its name cut to so many letters."""
        return f"{LETTERS[seat]} {shortened(self.names[seat], longest)}"

    @property
    def heading(self) -> str:
        """The round and the phase."""
        return f"Round {self.position['round']} of {ROUNDS}: {_PHASES[self.position['phase']]}"

    def state(self, longest: int = 100) -> str:
        """Return who decides what, or the result, the names cut to so many letters; "" while a card is revealed."""
        if asked := self.position["decision"]:
            told = [asked["kind"], *([f"baked {asked['baked']}"] if asked["baked"] else [])]
            told += ["stable built"] if asked["stable_built"] else []
            told += [f"crafted {' '.join(asked['crafted'])}"] if asked["crafted"] else []
            told += ["may stop"] if asked["may_stop"] else []
            return f"{self.who(self.position['to_move'], longest)} decides: {', '.join(told)}"
        if self.position["phase"] != "over":
            return ""
        totals = [entry["total"] for entry in self.position["scores"]]
        best = [self.who(seat, longest) for seat, total in enumerate(totals) if total == max(totals)]
        won = "wins" if len(best) == 1 else "share the win"  # A70
        return f"{', '.join(best)} {won if len(totals) > 1 else 'ends'} with {max(totals)} points"

    well: ClassVar[str] = "well"

    def land(self, land: Land) -> str:
        """Return what is on a cell in words."""
        return land.told

    def rooms(self, farm: Mapping[str, Any]) -> str:
        """Return what a farm has of rooms, in words."""
        return f"{len(farm['rooms'])} {farm['material']} rooms"

    def fences(self, number: int) -> str:
        """Return so many fences in words."""
        return f"{number} fences"

    def good(self, good: str, number: int) -> str:
        """Return so many of a good in words."""
        return f"{good} {number}"

    def space(self, entry: Mapping[str, Any], number: int) -> str:
        """Return a space in words. number: the round of its card, or 0."""
        told = [entry["space"] + (f" (round {number})" if number else "")]
        told += [f"{entry['goods']} {SPACES[entry['space']].get('good', 'goods')}"] if entry["goods"] else []
        return ", ".join(told + ([self.who(entry["person"])] if entry["person"] is not None else []))

    def major(self, entry: Mapping[str, Any]) -> str:
        """Return a major in words, with its price and points (A7)."""
        fact = MAJORS[entry["major"]]
        price = " ".join(f"{number} {good}" for good, number in fact["cost"].items())
        owner = "open" if entry["owner"] is None else f"of {self.who(entry['owner'])}"
        return f"{entry['major']} ({price}; {fact['points']} points), {owner}"

    def family(self, seat: int) -> str:
        """Return people, house, begging cards and the food of the well to come."""
        farm = self.position["farms"][seat]
        told = f"{farm['people']} people, {farm['placed']} placed, {farm['newborns']} newborn, {len(farm['rooms'])} "
        return (
            f"{told}{farm['material']} rooms, {farm['begging']} begging cards, {farm['well']} food of the well to come"
        )

    def score(self, seat: int) -> str:
        """Return a score and its parts (A69)."""
        entry = self.position["scores"][seat]
        return f"{entry['total']} points: " + ", ".join(f"{name} {entry[name]}" for name in entry if name != "total")

    def title(self) -> str:
        """Return what a drawing shows, in a few words."""
        return ". ".join(filter(None, ("Agricola", self.heading, self.state())))

    def description(self) -> str:
        """Return all that a drawing shows in words."""
        told = [f"Start player {self.who(self.position['start_player'])}"]
        told.append("Spaces: " + "; ".join(self.space(*pair) for pair in self.spaces))
        told.append("Majors: " + "; ".join(map(self.major, self.position["majors"])))
        for seat, farm in enumerate(self.position["farms"]):
            told += [f"{self.who(seat)}: {self.score(seat)}", self.family(seat)]
            told.append(", ".join(f"{good} {farm[good]}" for good in GOODS))
            told.append("; ".join(land.told for land in lands(farm) if land.told[3:] != "unused"))
            told += [f"Pasture {' '.join(pasture)}" for pasture in farm["pastures"]]
        return ". ".join(told) + "."


_MOST: Final = 10**4  # of what only is shown
_POINTS: Final = range(-_MOST, _MOST + 1)


def _check_agrees(at: Mapping[str, Any]) -> None:
    """Raise BadPosition unless what stands in several places of a position agrees, as far as drawings need it."""
    for name in ("farms", "scores"):
        if len(at[name]) != at["players"]:
            raise BadPosition(f"{name}: {len(at[name])} entries are not {at['players']}, one for each seat")
    if (at["to_move"] is None) != (at["decision"] is None):
        raise BadPosition(f"decision: {brief(at['decision'])} is not null where to_move is, and only there")
    spaces = [entry["space"] for entry in at["spaces"]]
    _check_once("spaces", spaces)
    _check_once("majors", [entry["major"] for entry in at["majors"]])
    if sorted(at["cards"]) != sorted(name for name in spaces if name in CARDS):
        raise BadPosition(f"cards: {brief(at['cards'])} are not the round cards among the spaces, each once")
    for i, farm in enumerate(at["farms"]):
        built = [*farm["rooms"], *(field["cell"] for field in farm["fields"])]
        _check_once(f"farms[{i}].stables", [*built, *farm["stables"]])
        _check_once(f"farms[{i}].pastures", [*built, *chain.from_iterable(farm["pastures"])])
        check_form(at["scores"][i], dict.fromkeys(at["scores"][0], _POINTS), f"scores[{i}]")
        if not all(isinstance(name, str) and _PART.fullmatch(name) for name in at["scores"][i]):
            raise BadPosition(f"scores[{i}]: its keys {brief([*at['scores'][i]])} are not names of parts")


def _check_once(where: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadPosition(f"{where}: {name} comes twice")
