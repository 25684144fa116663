"""A second implementation of the rules, to play in lock-step against the first.

It is written from docs/villages.md alone, in the plainest Python: every ruling (R1, R2, ...) is one short
function, a position is lists and small objects, and a move is the text that the page gives it. It shares
no code with the package and imports nothing from it, so that a mistake has to be made twice, in two
different ways, before anybody can miss it. What it does not do: draw the villages (R1) or roll the dice;
both are given to it.
"""

from __future__ import annotations

import copy as copying
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

KINDS = ("bakery", "butchery", "dairy", "tailor", "mill", "glass", "farm", "inn", "town_hall", "church", "manor")
KIND_OF_TOTAL: dict[int, str] = dict(enumerate(KINDS, 2))
TOTAL_OF_KIND: dict[str, int] = {kind: total for total, kind in KIND_OF_TOTAL.items()}
SHOPS = ("bakery", "butchery", "dairy", "tailor")
ALWAYS_KICKABLE = ("farm", "inn", "town_hall", "church")
KINDS_WITH_A_VALUE = ("town_hall", "manor")
COINS_FOR_A_SHOP_SET = {1: 1, 2: 5, 3: 12, 4: 20}
COINS_PER_FLOUR_TILE = 2
COINS_PER_GLASS_TILE = 3

Dice = tuple[int, ...]


@cache
def subsets(dice: Dice, size: int) -> list[Dice]:
    """All different choices of `size` of the dice, by the numbers they show, each ascending (R15)."""
    return sorted(set(combinations(sorted(dice), size)))


def without(dice: Dice, taken: Dice) -> Dice:
    """The dice that remain, ascending, when some are taken away."""
    left = sorted(dice)
    for number in taken:
        left.remove(number)
    return tuple(left)


@cache
def reroll_texts(dice: Dice) -> list[str]:
    """Any non-empty subset of the unused dice may be rolled again (R8)."""
    some = [subset for size in range(1, len(dice) + 1) for subset in subsets(dice, size)]
    return [f"reroll {','.join(map(str, subset))}" for subset in some]


@cache
def ways_of_a_move(dice: Dice, sizes: tuple[int, ...]) -> list[tuple[Dice, str]]:
    """The ways of using some of the dice for one move, each with its text (R6, R15)."""
    return [(way, "+".join(map(str, way))) for size in sizes for way in subsets(dice, size)]


@dataclass(slots=True)
class Building:
    """One building on the board and the figure on it."""

    kind: str
    village: str
    value: int  # printed on town halls and manors; 0 on the others
    owner: int | None = None
    active: bool = False  # means something on inns only


class ReferenceGame:
    """One game; `roll` is for chance, `push` for the player to move, and both change it in place."""

    def __init__(
        self,
        villages: list[dict[str, Any]],
        *,
        players: int,
        figures: int,
        special_action_tiles: int,
        coin_supply: int,
        max_turns: int | None = None,
        names: list[str] | None = None,
        seed: int | None = None,
    ) -> None:
        """Set the game up (R2, R3, R23) and begin the first turn; `villages` as in a game record."""
        if coin_supply <= 0:
            raise ValueError("R23: coin_supply must be positive")
        self.players = players
        self.max_turns = max_turns
        self.header: dict[str, Any] | None = {
            "format": "bohemian-villages/1",
            "players": list(names) if names is not None else [f"player_{seat}" for seat in range(players)],
            "seed": seed,
            "figures": figures,
            "special_action_tiles": special_action_tiles,
            "coin_supply": coin_supply,
            "max_turns": max_turns,
            "villages": [self._village_as_recorded(village) for village in villages],
        }

        self.figures = [figures] * players  # in hand
        self.coins, self.flour, self.glass = [0] * players, [0] * players, [0] * players
        self.special, self.special_supply = [False] * players, special_action_tiles
        self.bishop: int | None = None
        self.bank = coin_supply
        self._lay_out_board(
            Building(kind, village["name"], village.get(kind, 0))
            for village in villages
            for kind in village["buildings"]
        )

        self.turn = 0
        self.seat = 0  # whose turn it is, or was when the game ended
        self.dice: Dice = ()
        self.moves_made = 0
        self.spent_special_this_turn = False
        self.needs = 0
        self.end: str | None = None
        self.over = False
        self.turns: list[dict[str, Any]] = []
        self._legal: list[str] | None = None

        self._begin_turn(0)

    @classmethod
    def from_position(cls, position: dict[str, Any], *, max_turns: int | None = None) -> ReferenceGame:
        """Take the game up at a position; it has no record, since its beginning is not known."""
        game = cls.__new__(cls)
        game.__dict__.update(copying.deepcopy(position))
        game._lay_out_board(
            Building(row["kind"], village["name"], row.get("value", 0), row["owner"], row.get("active", False))
            for village in position["villages"]
            for row in village["buildings"]
        )
        game.max_turns, game.header, game.end, game.needs, game._legal = max_turns, None, None, 0, None
        game.seat = position["to_move"] or 0
        game.dice = tuple(sorted(position["dice"]))
        game.turns = [{"seat": game.seat, "income": 0, "roll": [], "moves": []}]
        return game

    # The board

    @staticmethod
    def _village_as_recorded(village: dict[str, Any]) -> dict[str, Any]:
        """A village as a game record writes it: name, buildings, printed values."""
        in_order = sorted(village["buildings"], key=TOTAL_OF_KIND.__getitem__)
        recorded = {"name": village["name"], "buildings": in_order}
        for kind in KINDS_WITH_A_VALUE:
            if kind in village["buildings"]:
                recorded[kind] = village[kind]
        return recorded

    def _lay_out_board(self, buildings: Iterable[Building]) -> None:
        """Keep the buildings by village (in board order) and by kind (likewise)."""
        self.board: dict[str, list[Building]] = {}
        self.by_kind: dict[str, list[Building]] = {kind: [] for kind in TOTAL_OF_KIND}
        for building in buildings:
            self.board.setdefault(building.village, []).append(building)
            self.by_kind[building.kind].append(building)
        for there in self.board.values():
            there.sort(key=lambda building: TOTAL_OF_KIND[building.kind])

    def _building(self, kind: str, village: str) -> Building:
        """The building of this kind in this village; there is at most one."""
        return next(building for building in self.board[village] if building.kind == kind)

    def _count(self, kind: str, seat: int) -> int:
        """How many buildings of a kind a player occupies."""
        return sum(building.owner == seat for building in self.by_kind[kind])

    # Legal moves

    def legal_moves(self) -> list[str]:
        """All legal moves of the player to move, sorted; empty where a roll is due or the game is over."""
        if self.over or self.needs:
            return []
        if self._legal is None:
            self._legal = sorted(self._moves() + self._rerolls() + self._end())
        return list(self._legal)

    def _moves(self) -> list[str]:
        """Every place, bishop and special that the unused dice allow (R6, R7)."""
        if self.moves_made == 0:
            sizes: tuple[int, ...] = (2, 3, 4)
        elif self.moves_made == 1 and len(self.dice) == 2:  # the first move used exactly two (R7)
            sizes = (2,)
        else:
            return []

        moves: list[str] = []
        can_take_bishop = self._can_take_bishop()
        can_take_special = self._can_take_special()
        targets_of_total: dict[int, list[str]] = {}
        for way, text in ways_of_a_move(self.dice, sizes):
            total = sum(way)
            if total not in targets_of_total:
                targets_of_total[total] = self._targets(total)
            moves += [f"{text}:{target}" for target in targets_of_total[total]]
            if can_take_bishop and len(way) == 2 and way[0] == way[1]:
                moves.append(f"{text}:bishop")
            if can_take_special and len(way) == 2:
                moves.append(f"{text}:special")
        return moves

    def _targets(self, total: int) -> list[str]:
        """The buildings that a total may be placed on, as `kind@village` (R9-R12)."""
        if total not in KIND_OF_TOTAL or self.figures[self.seat] == 0:  # R11
            return []
        kind = KIND_OF_TOTAL[total]
        buildings = self.by_kind[kind]  # none at all if no building of the kind is in play (R12)
        free = [building for building in buildings if building.owner is None]
        if free:
            allowed = free  # R9
        elif self._may_kick_out(kind):
            allowed = [building for building in buildings if building.owner != self.seat]  # R10
        else:
            allowed = []
        return [f"{kind}@{building.village}" for building in allowed]

    def _may_kick_out(self, kind: str) -> bool:
        """Farm, inn, town hall, church always; a shop only without one of that kind; else never (R10)."""
        if kind in ALWAYS_KICKABLE:
            return True
        if kind in SHOPS:
            return self._count(kind, self.seat) == 0
        return False

    def _can_take_bishop(self) -> bool:
        """The bishop may be taken by a player who does not have it (R6)."""
        return self.bishop != self.seat

    def _can_take_special(self) -> bool:
        """One must be left, the player must have none and have spent none this turn (R6, R8)."""
        return self.special_supply > 0 and not self.special[self.seat] and not self.spent_special_this_turn

    def _rerolls(self) -> list[str]:
        """The rerolls open to a player who has a special action tile (R8, R13)."""
        return reroll_texts(self.dice) if self.special[self.seat] else []

    def _end(self) -> list[str]:
        """Stopping is open after the first move, never before it (R7, R13, R14)."""
        return ["end"] if self.moves_made == 1 else []

    # The course of play

    def _begin_turn(self, seat: int) -> None:
        """Begin the turn of a seat: R4, then R24, then the turn is counted, then income (R5) and R21."""
        self.seat = seat
        self._clear()
        if self.figures[seat] == 0:
            self._end_game("no figures")
            return
        if self.max_turns is not None and self.turn >= self.max_turns:
            self._end_game("truncated")
            return
        self.turn += 1
        income = self._income(seat)
        self._pay(seat, income)
        self.turns.append({"seat": seat, "income": income})
        if self._bank_is_empty():
            self._end_game("bank empty")
            return
        self.needs = 4

    def _clear(self) -> None:
        """Nothing is left of the turn before."""
        self.dice, self.moves_made, self.needs, self._legal = (), 0, 0, None
        self.spent_special_this_turn = False

    def _income(self, seat: int) -> int:
        """1 coin per own active inn; with the bishop, 1 coin per own church (R5)."""
        income = sum(inn.owner == seat and inn.active for inn in self.by_kind["inn"])
        if self.bishop == seat:
            income += self._count("church", seat)
        return income

    def roll(self, dice: Any) -> None:
        """Chance has rolled the dice that were due, at the start of a turn or for a reroll (R6, R8)."""
        rolled = tuple(sorted(int(number) for number in dice))
        assert self.needs > 0, "no roll is due"
        assert len(rolled) == self.needs, f"{self.needs} dice are due, not {len(rolled)}"
        assert all(1 <= number <= 6 for number in rolled), f"not dice: {rolled}"
        entry = self.turns[-1]
        if "roll" not in entry:
            entry["roll"] = list(rolled)
            entry["moves"] = []
        else:
            entry["moves"][-1]["rolled"] = list(rolled)
        self.dice = tuple(sorted(self.dice + rolled))
        self.needs = 0
        self._go_on()

    def push(self, text: str) -> None:
        """The player to move plays one legal move, given by its text."""
        assert text in self.legal_moves(), f"illegal: {text!r}"
        entry: dict[str, Any] = {"move": text}
        self.turns[-1]["moves"].append(entry)
        self._legal = None
        if text == "end":
            self._finish_turn()
        elif text.startswith("reroll "):
            self._spend_special(text)
        else:
            self._make_move(text, entry)
            if self._bank_is_empty():
                self._end_game("bank empty")
            else:
                self._go_on()

    def _go_on(self) -> None:
        """End the turn by itself where nothing is left to choose (R13, R14)."""
        if self.moves_made == 2 or not self.dice or self.legal_moves() in ([], ["end"]):
            self._finish_turn()

    def _finish_turn(self) -> None:
        """Play goes on clockwise, by seat number (R3)."""
        self._begin_turn((self.seat + 1) % self.players)

    def _end_game(self, reason: str) -> None:
        """Nobody is to move any more (R24)."""
        self.end = reason
        self.over = True
        self._clear()

    def _spend_special(self, text: str) -> None:
        """A spent special action tile leaves the game; the chosen dice are rolled again (R8)."""
        again = tuple(int(number) for number in text.removeprefix("reroll ").split(","))
        self.special[self.seat] = False
        self.spent_special_this_turn = True
        self.dice = without(self.dice, again)
        self.needs = len(again)

    def _make_move(self, text: str, entry: dict[str, Any]) -> None:
        """Use up the dice of a move and do what it says (R6)."""
        way, _, action = text.partition(":")
        self.dice = without(self.dice, tuple(int(number) for number in way.split("+")))
        self.moves_made += 1
        if action == "bishop":
            self.bishop = self.seat
        elif action == "special":
            self.special[self.seat] = True
            self.special_supply -= 1
        else:
            kind, _, village = action.partition("@")
            self._place(self._building(kind, village), entry)

    # What a placement does

    def _place(self, building: Building, entry: dict[str, Any]) -> None:
        """Carry out R16 to R20 in this order, and note who was kicked out and who was paid."""
        coins_before = list(self.coins)
        kicked = self._move_in(building)
        self._take_tile(building)
        self._check_inn(building.village)
        self._pay_at_once(building)
        self._score_if_all_occupied(building.kind)
        if kicked is not None:
            entry["kicked"] = kicked
        paid = [after - before for before, after in zip(coins_before, self.coins, strict=True)]
        if any(paid):
            entry["paid"] = paid

    def _move_in(self, building: Building) -> int | None:
        """One figure leaves the hand, a kicked one goes home; a kicked inn's tile stays as it is (R16)."""
        kicked = building.owner
        self.figures[self.seat] -= 1
        if kicked is not None:
            self.figures[kicked] += 1
        building.owner = self.seat
        return kicked

    def _take_tile(self, building: Building) -> None:
        """A flour tile on a mill, a glass tile on a glass factory; a free inn's tile is inactive (R17)."""
        if building.kind == "mill":
            self.flour[self.seat] += 1
        elif building.kind == "glass":
            self.glass[self.seat] += 1

    def _check_inn(self, village: str) -> None:
        """An occupied inn becomes active with three or more other buildings of its village occupied (R18)."""
        buildings = self.board[village]
        for inn in buildings:
            if inn.kind == "inn" and inn.owner is not None and not inn.active:
                others = sum(building.owner is not None for building in buildings if building is not inn)
                inn.active = others >= 3

    def _pay_at_once(self, building: Building) -> None:
        """A farm pays as many coins as the player now has farms, a manor its printed value (R19)."""
        if building.kind == "farm":
            self._pay(self.seat, self._count("farm", self.seat))
        elif building.kind == "manor":
            self._pay(self.seat, building.value)

    def _score_if_all_occupied(self, kind: str) -> None:
        """All mills (glass factories) occupied: their tiles pay and go back, and so do the figures (R20)."""
        if kind == "mill":
            tiles, coins_per_tile = self.flour, COINS_PER_FLOUR_TILE
        elif kind == "glass":
            tiles, coins_per_tile = self.glass, COINS_PER_GLASS_TILE
        else:
            return
        if any(building.owner is None for building in self.by_kind[kind]):
            return
        for seat in range(self.players):
            self._pay(seat, coins_per_tile * tiles[seat])
            tiles[seat] = 0
        for building in self.by_kind[kind]:
            if building.owner is not None:
                self.figures[building.owner] += 1
                building.owner = None

    # The bank

    def _pay(self, seat: int, coins: int) -> None:
        """A payout comes out of the bank and is credited in full, even if the bank has less (R21)."""
        self.coins[seat] += coins
        self.bank -= coins

    def _bank_is_empty(self) -> bool:
        """At 0 or below the game ends (R21)."""
        return self.bank <= 0

    # The end

    def scoring(self) -> list[dict[str, int]]:
        """The final scoring of each player, as the game now stands (R25)."""
        churches = self._church_scores()
        rows = []
        for seat in range(self.players):
            row = {
                "coins": self.coins[seat],
                "town_halls": self._town_hall_score(seat),
                "shops": self._shop_score(seat),
                "churches": churches[seat],
                "tiles": self._tile_score(seat),
            }
            row["total"] = sum(row.values())
            rows.append(row)
        return rows

    def _town_hall_score(self, seat: int) -> int:
        """-5 with none; else the printed value of each in a village that is full (R25.1)."""
        own = [building for building in self.by_kind["town_hall"] if building.owner == seat]
        if not own:
            return -5
        return sum(hall.value for hall in own if self._is_full(hall.village))

    def _is_full(self, village: str) -> bool:
        """Every building of the village is occupied (R25.1)."""
        return all(building.owner is not None for building in self.board[village])

    def _shop_score(self, seat: int) -> int:
        """1, 5, 12 or 20 coins for each set of different shops (R25.2)."""
        owned = Counter({kind: self._count(kind, seat) for kind in SHOPS})
        score = 0
        while any(owned.values()):
            kinds = [kind for kind in SHOPS if owned[kind] > 0]
            score += COINS_FOR_A_SHOP_SET[len(kinds)]
            owned.subtract(kinds)
        return score

    def _church_scores(self) -> list[int]:
        """Most churches 10, second most 6 each; if several share the most, 6 each and no second (R25.3)."""
        churches = [self._count("church", seat) for seat in range(self.players)]
        most = max(churches)
        if most == 0:
            return [0] * self.players
        if churches.count(most) > 1:
            return [6 if own == most else 0 for own in churches]
        second = max(own for own in churches if own != most)
        return [10 if own == most else 6 if own == second and own > 0 else 0 for own in churches]

    def _tile_score(self, seat: int) -> int:
        """Half of what the left-over tiles would have paid, rounded down (R25.4)."""
        worth = COINS_PER_FLOUR_TILE * self.flour[seat] + COINS_PER_GLASS_TILE * self.glass[seat]
        return worth // 2

    def winners(self) -> list[int]:
        """The seats with the highest total, which may be several (R26)."""
        totals = [row["total"] for row in self.scoring()]
        return [seat for seat, total in enumerate(totals) if total == max(totals)]

    # What is told

    def position(self) -> dict[str, Any]:
        """The position as JSON has it; there is none where a roll is due."""
        if self.needs:
            raise ValueError("a roll is due: there is no position")
        return {
            "players": self.players,
            "turn": self.turn,
            "to_move": None if self.over else self.seat,
            "moves_made": self.moves_made,
            "spent_special_this_turn": self.spent_special_this_turn,
            "dice": list(self.dice),
            "figures": list(self.figures),
            "coins": list(self.coins),
            "bank": self.bank,
            "bishop": self.bishop,
            "special": list(self.special),
            "special_supply": self.special_supply,
            "flour": list(self.flour),
            "glass": list(self.glass),
            "over": self.over,
            "villages": [
                {"name": name, "buildings": [self._building_as_json(building) for building in buildings]}
                for name, buildings in self.board.items()
            ],
        }

    @staticmethod
    def _building_as_json(building: Building) -> dict[str, Any]:
        """A building in a position: `active` on every inn, `value` on every town hall and manor."""
        told: dict[str, Any] = {"kind": building.kind, "owner": building.owner}
        if building.kind == "inn":
            told["active"] = building.active
        if building.kind in KINDS_WITH_A_VALUE:
            told["value"] = building.value
        return told

    def record(self) -> dict[str, Any]:
        """The game record; of a game under way it has the turns so far and no result."""
        if self.header is None:
            raise ValueError("a game taken up at a position has no record")
        record = copying.deepcopy(self.header)
        record["turns"] = copying.deepcopy(self.turns)
        if self.over:
            record["end"] = self.end
            record["scoring"] = self.scoring()
            record["winners"] = self.winners()
        return record
