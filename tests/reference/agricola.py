"""The rules of Agricola a second time, to play in lock-step against the compiled ones.

Written from the rulings (A1, A2, ...) alone, in the plainest Python: nothing is carried along that could be worked out
again. It shares no code with the package and imports nothing from it; the numbers are read from the game's data file.
Farms are in agricola_farm.py. Chance (A75) is told to it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from .agricola_farm import (
    ANIMALS,
    CELLS,
    COST,
    CROPS,
    DATA,
    FREE,
    MATERIALS,
    RESOURCES,
    SETS,
    Farm,
    closed,
    closings,
    fence_text,
    in_order,
)

SCORE = DATA["score"]
SPACES: dict[str, dict[str, Any]] = {row["id"]: row for row in DATA["space"]}
MAJORS: dict[str, dict[str, Any]] = {row["id"]: row for row in DATA["major"]}
FIREPLACES = [major for major in MAJORS if major.startswith("fireplace")]
HEARTHS = [major for major, row in MAJORS.items() if row.get("for_fireplace")]
CRAFTS: dict[str, int] = {row["craft"]["good"]: row["craft"]["food"] for row in MAJORS.values() if "craft" in row}
STAGE_OF_ROUND = [stage for stage, rounds in enumerate(DATA["game"]["stages"], 1) for _ in range(rounds)]
PAIRS = [f"take {first} {second}" for first, second in combinations(RESOURCES, 2)]

RENOVATIONS = {"renovate-major": "major", "renovate-fences": "fences"}
GROWTHS = ("growth", "growth-no-room")
SAME = ("plow", "stable-bake", "two-resources", "resources-or-growth", "sow-bake", "major", "fences", "plow-sow")
#: The decision that a person placed on a space brings, if any (A19, A22-A30).
DECISION: dict[str, str] = RENOVATIONS | {space: space for space in SAME}
DECISION |= {"rooms-stables": "build", "animals": "animal", "room-or-travelling": "room-or-food"}
DECISION |= {"day-labourer": "resource", "one-resource": "resource"}

#: The text of every action, by its number (A76).
ACTIONS: list[str] = [
    *(f"to {space}" for space in SPACES),
    *(f"take {resource}" for resource in RESOURCES),
    *PAIRS,
    *(f"take {animal}" for animal in ANIMALS),
    *(f"room {cell}" for cell in FREE),
    *(f"stable {cell}" for cell in FREE),
    *(f"plow {cell}" for cell in FREE),
    *(f"sow {crop}" for crop in CROPS),
    "bake",
    *(f"buy {major}" for major in MAJORS),
    *(f"buy {hearth} for {fireplace}" for hearth in HEARTHS for fireplace in FIREPLACES),
    *(f"cook {animal}" for animal in ANIMALS),
    *(f"give {animal}" for animal in ANIMALS),
    *(f"eat {crop}" for crop in CROPS),
    *(f"craft {good}" for good in CRAFTS),
    "take food",
    "grow",
    "done",
    *map(fence_text, SETS),
]
NUMBER = {text: number for number, text in enumerate(ACTIONS)}


def points(steps: Sequence[int], number: int) -> int:
    """The points for so many of a thing: -1, or one for each step reached (A69)."""
    return sum(step <= number for step in steps) or -1


def pending(kind: str, may_stop: bool = False) -> dict[str, Any]:
    """A decision of which nothing is done yet, as a position has it (A78)."""
    return {"kind": kind, "may_stop": may_stop, "baked": 0, "stable_built": False, "crafted": []}


class PlainGame:
    """One game, changed in place: `reveal` is for chance, `play` for the seat `to_move`.

    phase:    reveal, work, feeding, breeding or over.
    to_move:  the seat that decides, None without a decision.
    decision: its kind, may_stop, baked, stable_built and crafted, as in a position (A78); None without one.
    Wrong calls raise ValueError and change nothing.
    """

    def __init__(self, players: int = 2, storehouse_solo: bool = False) -> None:
        """Set the game up (A1-A5)."""
        if not 1 <= players <= DATA["game"]["most_players"]:
            raise ValueError(f"A1: 1 to {DATA['game']['most_players']} players, not {players}")
        if storehouse_solo and players > 1:
            raise ValueError(f"A10: storehouse_solo is for a game of one player, not of {players}")
        self.players, self.storehouse_solo = players, storehouse_solo
        self.phase = "reveal"
        self.start_player = 0
        self.to_move: int | None = None
        self.decision: dict[str, Any] | None = None
        self.cards: list[str] = []  # as revealed
        self.goods = {space: 0 for space, row in SPACES.items() if "stage" not in row and players in row["players"]}
        self.person: dict[str, int] = {}  # the seat by space, where one is placed
        self.owner: dict[str, int] = {}  # the seat by major, where one has it
        self.farms = [Farm() for _ in range(players)]
        for seat, farm in enumerate(self.farms):
            start = "food_solo" if players == 1 else "food_others" if seat else "food_start_player"
            farm.goods["food"] = DATA["start"][start]
        self.rounds: list[dict[str, Any]] | None = []  # as recorded; None if the game did not begin here

    @classmethod
    def from_position(cls, position: Mapping[str, Any], storehouse_solo: bool = False) -> PlainGame:
        """The game that stands at this position (A78). It has no record, as nothing says how it came there."""
        game = cls(position["players"], storehouse_solo)
        game.phase, game.start_player, game.to_move = (position[key] for key in ("phase", "start_player", "to_move"))
        game.decision = copy.deepcopy(position["decision"])
        game.cards = list(position["cards"])
        game.goods = {row["space"]: row["goods"] for row in position["spaces"]}
        game.person = {row["space"]: row["person"] for row in position["spaces"] if row["person"] is not None}
        game.owner = {row["major"]: row["owner"] for row in position["majors"] if row["owner"] is not None}
        game.farms = [Farm.from_json(farm) for farm in position["farms"]]
        game.rounds = None
        return game

    # Rounds

    def possible_cards(self) -> list[str]:
        """The cards that can be revealed now, equally likely (A6, A75); none at any other time."""
        if self.phase != "reveal":
            return []
        stage = STAGE_OF_ROUND[len(self.cards)]
        return [card for card, row in SPACES.items() if row.get("stage") == stage and card not in self.cards]

    def reveal(self, card: str) -> None:
        """A round begins with this card (A8-A10)."""
        if card not in self.possible_cards():
            raise ValueError(f"A75: phase {self.phase}, one of the cards {self.possible_cards()}, not {card!r}")
        self.cards.append(card)
        self.goods[card] = 0
        for farm in self.farms:
            farm.newborns = 0
            if farm.well:
                farm.well -= 1
                farm.goods["food"] += 1
        for space in self.goods:
            self.goods[space] += self._laid(space)
        if self.rounds is not None:
            self.rounds.append({"card": card, "work": []})
        self.phase = "work"
        self._place_from(self.start_player)
        self._go_on()

    def _laid(self, space: str) -> int:
        """How much is laid on a space in each round (A10)."""
        row = SPACES[space]
        solo = self.players == 1 and not (space == "start-player" and self.storehouse_solo)
        return row["adds_solo"] if solo and "adds_solo" in row else row.get("adds", 0)

    def _clockwise(self, first: int) -> list[int]:
        """All seats, clockwise from the first one (A1)."""
        return [(first + step) % self.players for step in range(self.players)]

    def _place_from(self, first: int) -> None:
        """The first seat from here on that can places a person; if none can, work ends (A11, A12)."""
        for seat in self._clockwise(first):
            if self.farms[seat].at_home and self.legal_spaces(seat):
                self._decide(seat, "place")
                return
        self._end_work()

    def _end_work(self) -> None:
        """All go home; the harvest, if there is one (A17, A18, A60)."""
        self.person = {}
        for farm in self.farms:
            farm.placed = 0
        if len(self.cards) not in DATA["game"]["harvest_after"]:
            self._end_round()
            return
        if self.rounds is not None:
            self.rounds[-1]["harvest"] = []
        for farm in self.farms:
            for cell, (crop, number) in farm.fields.items():
                if crop is not None:
                    farm.goods[crop] += 1
                    farm.fields[cell] = (crop, number - 1) if number > 1 else (None, 0)
        self.phase = "feeding"
        self._decide(self.start_player, "feed", may_stop=True)

    def _need(self, farm: Farm) -> int:
        """The food that a family needs (A61)."""
        adult = DATA["feeding"]["adult_solo" if self.players == 1 else "adult"]
        return adult * (farm.people - farm.newborns) + DATA["feeding"]["newborn"] * farm.newborns

    def _feed(self, seat: int) -> None:
        """The seat pays, missing food is begged for; the next seat feeds, or breeding begins (A63, A64)."""
        farm = self.farms[seat]
        paid = min(farm.goods["food"], self._need(farm))
        farm.goods["food"] -= paid
        farm.begging += self._need(farm) - paid
        after = (seat + 1) % self.players
        if after != self.start_player:
            self._decide(after, "feed", may_stop=True)
            return
        self.phase = "breeding"
        self._breed(self._clockwise(self.start_player))

    def _breed(self, seats: Sequence[int]) -> None:
        """These seats have young, one seat after another, until one has no room; then the round ends (A65, A66)."""
        for seat in seats:
            goods = self.farms[seat].goods
            for kind in ANIMALS:
                goods[kind] += goods[kind] >= DATA["animals"]["parents"]
            if not self.farms[seat].animals_fit():
                self._decide(seat, "breed")
                return
        self._end_round()

    def _end_round(self) -> None:
        """The next card is to be revealed, or the game is over (A68)."""
        self.phase = "over" if len(self.cards) == len(STAGE_OF_ROUND) else "reveal"
        self.to_move, self.decision = None, None

    # Decisions

    def _decide(self, seat: int, kind: str, may_stop: bool = False) -> None:
        """This decision is pending (A19)."""
        self.to_move = seat
        self.decision = pending(kind, may_stop)

    def _go_on(self) -> None:
        """Carry out what leaves no choice (A20)."""
        while self.decision is not None and len(self.legal_texts()) == 1:
            self._carry_out(self.legal_texts()[0])

    def legal_texts(self) -> list[str]:
        """The legal actions of the seat to move, by number (A19, A76); none without a decision."""
        if self.decision is None:
            return []
        parts = self._parts(self.to_move, self.decision)
        return sorted(parts + ["done"] * self.decision["may_stop"], key=NUMBER.__getitem__)

    def play(self, text: str) -> None:
        """The seat to move chooses this action; what leaves no choice then is carried out too (A20)."""
        if text not in self.legal_texts():
            raise ValueError(f"A77: phase {self.phase}, one of {self.legal_texts()}, not {text!r}")
        self._carry_out(text)
        self._go_on()

    def _parts(self, seat: int, decision: Mapping[str, Any]) -> list[str]:
        """The legal actions of a seat but `done` (A19)."""
        farm, goods = self.farms[seat], self.farms[seat].goods
        match decision["kind"]:
            case "place":
                return [f"to {space}" for space in self.legal_spaces(seat)]
            case "resource":
                return [f"take {resource}" for resource in RESOURCES]
            case "two-resources":
                return PAIRS
            case "resources-or-growth":
                late = len(self.cards) >= DATA["growth"]["card_from_round"]
                return PAIRS + ["grow"] * (late and farm.can_grow(with_room=True))  # A28
            case "animal":
                cattle = goods["food"] >= COST["cattle_food"] or bool(self._eat_texts(seat) + self._cook_texts(seat))
                return ["take sheep", "take boar"] + ["take cattle"] * cattle  # A26
            case "pay":
                return self._eat_texts(seat) + self._cook_texts(seat)
            case "build":
                return farm.room_texts() + farm.stable_texts(COST["stable_wood"])
            case "room-or-food":
                return [*farm.room_texts(), "take food"]
            case "plow":
                return farm.plow_texts()
            case "plow-sow":
                return farm.sow_texts() + ([] if decision["may_stop"] else farm.plow_texts())  # A40
            case "sow-bake":
                return farm.sow_texts() + self._bake_texts(seat, decision["baked"])
            case "stable-bake":
                stables = [] if decision["stable_built"] else farm.stable_texts(COST["stable_wood_cheap"])
                return stables + self._bake_texts(seat, decision["baked"])
            case "bake":
                return self._bake_texts(seat, decision["baked"])
            case "major":
                return self._buy_texts(seat)
            case "fences":
                return farm.fence_texts()
            case "keep":
                gives = [f"give {kind}" for kind in ANIMALS if goods[kind]]
                return self._cook_texts(seat) or gives  # A57
            case "feed":
                hungry = goods["food"] < self._need(farm)
                eats = self._eat_texts(seat) if hungry else []
                return eats + self._cook_texts(seat) + self._craft_texts(seat, decision["crafted"])  # A62
            case "breed":
                return [f"give {kind}" for kind in ANIMALS if goods[kind]]
        raise ValueError(f"A19: no such decision: {decision['kind']}")

    def legal_spaces(self, seat: int) -> list[str]:
        """The spaces where the seat could place a person now (A13, A14)."""
        return [space for space in self.goods if space not in self.person and self._has_use(seat, space)]

    def _has_use(self, seat: int, space: str) -> bool:
        """Whether at least one action of the space can be carried out (A14)."""
        farm = self.farms[seat]
        if space in RENOVATIONS:
            return bool(farm.renovation()) and farm.can_pay(farm.renovation())
        if space in GROWTHS:
            return farm.can_grow(with_room=space == "growth")
        return space not in DECISION or bool(self._parts(seat, pending(DECISION[space])))

    # Majors

    def _owned(self, seat: int) -> list[dict[str, Any]]:
        """The majors of a seat."""
        return [row for major, row in MAJORS.items() if self.owner.get(major) == seat]

    def _buy_texts(self, seat: int) -> list[str]:
        """What the seat can buy (A50)."""
        texts = []
        for major, row in MAJORS.items():
            if major in self.owner:
                continue
            if self.farms[seat].can_pay(row["cost"]):
                texts.append(f"buy {major}")
            if major in HEARTHS:
                texts += [f"buy {major} for {own}" for own in FIREPLACES if self.owner.get(own) == seat]
        return texts

    def _bake_rate(self, seat: int, baked: int) -> int:
        """The food for the next grain of a baking, after so many; 0 if nothing bakes it (A52)."""
        rates: list[int] = []
        for row in self._owned(seat):
            rates += [row.get("bake", 0)] * row.get("bake_most", baked + 1)
        return sorted([*rates, *[0] * (baked + 1)], reverse=True)[baked]

    def _bake_texts(self, seat: int, baked: int) -> list[str]:
        return ["bake"] * bool(self.farms[seat].goods["grain"] and self._bake_rate(seat, baked))  # A51

    def _cook_rate(self, seat: int, good: str) -> int:
        """The food for one of the good with the best cooking major of the seat; 0 without one (A59)."""
        return max((row.get("cook", {}).get(good, 0) for row in self._owned(seat)), default=0)

    def _cook_texts(self, seat: int) -> list[str]:
        goods = self.farms[seat].goods
        return [f"cook {kind}" for kind in ANIMALS if goods[kind] and self._cook_rate(seat, kind)]

    def _eat_texts(self, seat: int) -> list[str]:
        return [f"eat {crop}" for crop in CROPS if self.farms[seat].goods[crop]]

    def _craft_texts(self, seat: int, crafted: Sequence[str]) -> list[str]:
        goods = [row["craft"]["good"] for row in self._owned(seat) if "craft" in row]
        return [f"craft {good}" for good in goods if self.farms[seat].goods[good] and good not in crafted]

    # Actions

    def _carry_out(self, text: str) -> None:
        """Write the action down and carry it out; a decision that does not go on is followed by the next one."""
        seat, decision = self.to_move, self.decision
        if self.rounds is not None:
            self.rounds[-1]["work" if self.phase == "work" else "harvest"].append(f"{seat} {text}")
        farm, goods, kind = self.farms[seat], self.farms[seat].goods, decision["kind"]
        ends = False  # whether the action of the space ends with this
        match text.split():
            case ["to", space]:
                self._to(seat, space)
            case ["take", "food"]:
                goods["food"] += self._take_all("room-or-travelling")
                ends = True
            case ["take", "cattle"] if goods["food"] < COST["cattle_food"]:
                self._decide(seat, "pay")  # A26
            case ["take", animal] if animal in ANIMALS:
                goods["food"] += {"sheep": 1, "boar": 0, "cattle": -COST["cattle_food"]}[animal]
                goods[animal] += 1
                self._keep(seat)
            case ["take", *resources]:
                for resource in resources:
                    goods[resource] += 1
                ends = True
            case ["room", cell]:
                farm.pay({farm.material: COST["room_material"]})
                farm.pay({"reed": COST["room_reed"]})
                farm.rooms |= {cell}
                ends = kind == "room-or-food"
            case ["stable", cell]:
                goods["wood"] -= COST["stable_wood" if kind == "build" else "stable_wood_cheap"]
                farm.stables |= {cell}
                decision["stable_built"] = True
            case ["plow", cell]:
                farm.fields[cell] = (None, 0)
                ends = kind == "plow"
            case ["sow", crop]:
                goods[crop] -= 1
                empty = in_order(cell for cell, (sown, _) in farm.fields.items() if sown is None)
                farm.fields[empty[0]] = (crop, DATA["fields"][f"sown_{crop}"])
            case ["bake"]:
                goods["grain"] -= 1
                goods["food"] += self._bake_rate(seat, decision["baked"])
                decision["baked"] += 1
            case ["buy", major, *given]:
                ends = self._buy(seat, major, given[1:])
            case ["cook" | "give" | "eat" | "craft" as verb, good]:
                self._let_go(seat, verb, good)
            case ["grow"]:
                self._grow(farm)
                ends = True
            case ["fence", *cells]:
                goods["wood"] -= COST["fence_wood"] * closings(farm.pastures)[frozenset(cells)]
                farm.pastures = closed(farm.pastures, frozenset(cells))
            case ["done"] if kind == "feed":
                self._feed(seat)
            case ["done"] if kind == "fences":
                self._keep(seat)  # A48
            case ["done"]:
                ends = True
        if ends:
            self._place_from(seat + 1)
        elif self.decision is decision and kind in ("build", "plow-sow", "sow-bake", "stable-bake", "fences"):
            decision["may_stop"] = True  # a part was done

    def _take_all(self, space: str) -> int:
        """Empty the space; return what lay there (A22)."""
        number, self.goods[space] = self.goods[space], 0
        return number

    def _to(self, seat: int, space: str) -> None:
        """Place a person; what needs no choice happens at once (A19, A22-A30)."""
        farm, goods = self.farms[seat], self.farms[seat].goods
        self.person[space] = seat
        farm.placed += 1
        if space in RENOVATIONS:
            farm.pay(farm.renovation())
            farm.material = MATERIALS[MATERIALS.index(farm.material) + 1]
        if space == "day-labourer":
            goods["food"] += 1
        if space in DECISION:
            self._decide(seat, DECISION[space], may_stop=space in RENOVATIONS)  # A34
            return
        if space == "start-player":
            self.start_player = seat  # A16
        if space in GROWTHS:
            self._grow(farm)
        supply = {"grain": ["grain"], "vegetable": ["vegetable"], "reed-stone-wood": ["stone", "wood"]}
        supply |= {"reed-stone-food": ["reed", "stone", "food"]}
        for good in supply.get(space, []):
            goods[good] += 1
        good = SPACES[space].get("good")
        if good:
            goods[good] += self._take_all(space)
        if good in ANIMALS:
            self._keep(seat)
        else:
            self._place_from(seat + 1)

    @staticmethod
    def _grow(farm: Farm) -> None:
        """A newborn (A37)."""
        farm.people += 1
        farm.newborns += 1

    def _keep(self, seat: int) -> None:
        """Animals that do not fit are let go; then the action is at its end (A57)."""
        if self.farms[seat].animals_fit():
            self._place_from(seat + 1)
        else:
            self._decide(seat, "keep")

    def _buy(self, seat: int, major: str, given: Sequence[str]) -> bool:
        """Buy a major, for its price or the fireplace given; return whether the action ends with it (A50, A53, A54)."""
        row, farm = MAJORS[major], self.farms[seat]
        for fireplace in given:
            del self.owner[fireplace]
        if not given:
            farm.pay(row["cost"])
        self.owner[major] = seat
        if "well_rounds" in row:
            farm.well = min(row["well_rounds"], len(STAGE_OF_ROUND) - len(self.cards))
        if row.get("bake_at_once"):
            self._decide(seat, "bake", may_stop=True)
        return not row.get("bake_at_once")

    def _let_go(self, seat: int, verb: str, good: str) -> None:
        """One conversion, or one animal given back; then what waited for it goes on (A57-A59, A62, A66)."""
        decision, farm = self.decision, self.farms[seat]
        farm.goods[good] -= 1
        if verb == "cook":
            farm.goods["food"] += self._cook_rate(seat, good)
        elif verb == "eat":
            farm.goods["food"] += max(DATA["feeding"][f"raw_{good}"], self._cook_rate(seat, good))
        elif verb == "craft":
            farm.goods["food"] += CRAFTS[good]
            decision["crafted"] = sorted([*decision["crafted"], good], key=RESOURCES.index)
        if decision["kind"] == "pay":
            farm.goods["food"] -= COST["cattle_food"]
            farm.goods["cattle"] += 1
        if decision["kind"] in ("pay", "keep"):
            self._keep(seat)
        elif decision["kind"] == "breed" and farm.animals_fit():
            order = self._clockwise(self.start_player)
            self._breed(order[order.index(seat) + 1 :])

    # What can be seen

    def score(self, seat: int) -> dict[str, int]:
        """The score of a seat so far, by columns (A69, A72)."""
        farm, each, steps = self.farms[seat], SCORE["each"], SCORE["steps"]
        numbers = {"fields": len(farm.fields), "pastures": len(farm.pastures)}
        numbers |= {"grain": farm.crops("grain"), "vegetables": farm.crops("vegetable")}
        numbers |= {kind: farm.goods[kind] for kind in ANIMALS}
        bonuses = [(row["bonus"], farm.goods[row["craft"]["good"]]) for row in self._owned(seat) if "bonus" in row]
        columns = {name: points(steps[name], number) for name, number in numbers.items()}
        columns |= {
            "unused": each["unused_cell"] * (len(CELLS) - len(farm.used)),
            "fenced_stables": each["fenced_stable"] * len(farm.stables & farm.fenced),
            "rooms": each[f"{farm.material}_room"] * len(farm.rooms),
            "people": each["person"] * farm.people,
            "majors": sum(row["points"] for row in self._owned(seat)),
            "bonus": sum(step <= number for row, number in bonuses for step in row),
            "begging": each["begging_card"] * farm.begging,
        }
        return {**columns, "total": sum(columns.values())}

    def scores(self) -> list[dict[str, int]]:
        """The score of each seat so far, by columns (A69, A72)."""
        return [self.score(seat) for seat in range(self.players)]

    def potentials(self) -> list[Fraction]:
        """By seat: its score so far less the mean of the others'; solo its score (A72)."""
        totals = [score["total"] for score in self.scores()]
        others = max(1, self.players - 1)
        return [total - Fraction(sum(totals) - total, others) for total in totals]

    def winners(self) -> list[int]:
        """The seats with the highest total, ascending; none before the end (A70)."""
        totals = [score["total"] for score in self.scores()]
        return [seat for seat, total in enumerate(totals) if total == max(totals)] if self.phase == "over" else []

    def wins(self) -> list[Fraction]:
        """By seat: the reward `win` of a finished game of two players or more (A73)."""
        if self.phase != "over" or self.players == 1:
            raise ValueError(f"A73: a finished game of two players or more, not {self.players} in phase {self.phase}")
        won, n = self.winners(), self.players
        return [Fraction(n * Fraction(seat in won, len(won)) - 1) / (n - 1) for seat in range(n)]

    def position(self) -> dict[str, Any]:
        """All that is public (A78)."""
        return {
            "players": self.players,
            "round": len(self.cards),
            "phase": self.phase,
            "start_player": self.start_player,
            "to_move": self.to_move,
            "decision": copy.deepcopy(self.decision),
            "cards": list(self.cards),
            "spaces": [
                {"space": space, "goods": self.goods[space], "person": self.person.get(space)}
                for space in SPACES
                if space in self.goods
            ],
            "majors": [{"major": major, "owner": self.owner.get(major)} for major in MAJORS],
            "farms": [farm.to_json() for farm in self.farms],
            "scores": self.scores(),
        }

    def record(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """What was revealed and what was done (A79). A game built at a position has none: ValueError."""
        if self.rounds is None:
            raise ValueError("A79: a game from its beginning, not one built at a position")
        names = [f"player_{seat}" for seat in range(self.players)] if names is None else list(names)
        if len(names) != self.players:
            raise ValueError(f"A79: {self.players} names, not {names}")
        record: dict[str, Any] = {"format": "agricola/1"}
        if self.storehouse_solo:
            record["storehouse_solo"] = True  # A10
        record |= {"players": names, "rounds": copy.deepcopy(self.rounds)}
        if self.phase == "over":
            record |= {"scores": self.scores(), "winners": self.winners()}
        return record
