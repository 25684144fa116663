"""Positions from outside, checked: the one way in which foreign bytes become positions that compiled code may read.

Compiled code trusts a position: it takes seats, dice and cells from it as indices and looks at no bounds. Whatever
brings positions along, a state of an environment, a pickle or JSON, passes them through :func:`checked_states` first.
"""

from collections.abc import Mapping
from typing import Final, NoReturn

import numpy as np

from ..engine.errors import BadPosition, brief
from ..engine.states import copy_foreign
from .board import MAX_COIN_SUPPLY, MAX_PRINTED, MAX_TILES, MOST_COINS, Board, Village, write_villages
from .dice import DICE, SIZE
from .errors import BadBoard
from .facts import INN_NEEDS, KINDS, MAX_PLAYERS, MIN_PLAYERS, PRINTED, TILE_PAYS, TURN_DICE
from .rules import BANK_EMPTY, NO_FIGURES, TRUNCATED, find_legal
from .setup import MOST_TURNS
from .state import FIELD, MAX_VILLAGES, STATE, WORD_KINDS, State, copy_states, new_states

_SEATS: Final = np.arange(MAX_PLAYERS)
_VILLAGES: Final = np.arange(MAX_VILLAGES)
_WORDS: Final = (WORD_KINDS * FIELD, (len(KINDS) - WORD_KINDS) * FIELD)  # the bits of each word of a set of cells
_UNUSED_DICE: Final = (1, 2, TURN_DICE)
"""The dice with which a player can decide: those of a roll, and those left by a first move."""


def checked_states(data: object, told: Mapping[str, tuple[str, object]] | None = None) -> np.ndarray:
    """Return a copy of positions that come from outside, (n,), dtype STATE, once everything in them is checked.

    Each is one that a game could stop at: a roll is due, somebody decides, or the game is over.

    data: the positions. told: for one that came in another form, what some fields are called there and what they hold,
    for messages. Raises BadPosition: it is no such array, or a position contradicts itself or the rules; the message
    names the field.
    """
    states = copy_foreign(data, STATE)
    _Checks(states, told or {}).run()
    return states


def fitting_end(states: np.ndarray) -> np.ndarray:
    """Return the end of positions that are over: an index into ``facts.ENDS`` for each, by its bank and figures."""
    following = states["figures"][np.arange(len(states)), states["turn"] % states["players"]]
    return np.where(states["bank"] <= 0, BANK_EMPTY, np.where(following == 0, NO_FIGURES, TRUNCATED))


def check_villages(villages: object, s: State) -> None:
    """Raise BadPosition unless ``villages``, a tuple of :class:`Village`, are those in play in a checked position."""
    if type(villages) is not tuple or not all(isinstance(village, Village) for village in villages):
        raise BadPosition(f"villages: {brief(villages)} is not a tuple of villages")
    try:
        known = Board.of_villages([village.to_json() for village in villages], 1, 1, 0).villages
    except (BadBoard, AttributeError, TypeError) as error:
        raise BadPosition(f"villages: {error}") from None
    expected = new_states(1)[0]
    write_villages(expected, known)
    if any((expected[name] != s[name]).any() for name in ("villages", "have", *PRINTED)):
        raise BadPosition(f"villages: {', '.join(v.name for v in known)} have other buildings than the position")


class _Checks:
    """The checks of positions, one after the other: each relies on those before it."""

    def __init__(self, states: np.ndarray, told: Mapping[str, tuple[str, object]]) -> None:
        self.states = states
        self.told = told
        self.seats = np.empty((len(states), MAX_PLAYERS), np.bool_)  # of the players

    def require(self, field: str, good: np.ndarray, accepted: str) -> None:
        """Raise BadPosition unless ``good``, whose first axis is that of the positions, is true throughout."""
        if not good.all():
            self.refuse(field, int(np.flatnonzero(~good.reshape(len(good), -1).all(axis=1))[0]), accepted)

    def refuse(self, field: str, number: int, accepted: str) -> NoReturn:
        where = f"position {number}: " if len(self.states) > 1 else ""
        name, value = self.told.get(field, (field, self.states[field][number].tolist()))
        raise BadPosition(f"{where}{name}: {value} is not {accepted}")

    def within(self, field: str, low: int, high: int) -> None:
        values = self.states[field]
        self.require(field, (low <= values) & (values <= high), f"from {low} to {high}")

    def run(self) -> None:
        s = self.states
        self.within("players", MIN_PLAYERS, MAX_PLAYERS)
        self.within("villages", 1, MAX_VILLAGES)
        self.within("max_turns", 0, MOST_TURNS)
        self.within("turn", 1, MOST_TURNS)
        self.require("_spare", s["_spare"] == 0, "0 throughout")
        self.seats = s["players"][:, None] > _SEATS
        seat = (s["turn"] - 1) % s["players"]
        self.require("to_move", s["to_move"] == seat, "the seat whose turn it is, (turn - 1) % players")
        self._buildings()
        self._dice(seat)
        self._belongings(seat)
        self._end()
        self._legal()

    def _buildings(self) -> None:
        s = self.states
        have, occupied, own = (_cells(s[name]) for name in ("have", "occupied", "own"))
        for name in ("have", "occupied", "own"):
            self.require(name, s[name] >> np.array(_WORDS, np.uint64) == 0, "a set of cells")
        played = s["villages"][:, None] > _VILLAGES
        self.require("have", ~have | played[:, None], "within the villages in play")
        self.require("have", have.any(axis=1) | ~played, "a building or more in each village in play")
        self.require("occupied", ~occupied | have, "within the cells that exist")
        self.require("own", ~own.any(axis=(2, 3)) | self.seats, "empty for seats that nobody has")
        self.require("own", own.sum(axis=1) == occupied, "one owner for each occupied cell and none for others")
        for kind in PRINTED:
            there = have[:, KINDS.index(kind)]
            self.within(kind, 0, MAX_PRINTED)
            self.require(kind, there | (s[kind] == 0), f"0 where there is no {kind}")
        for kind in TILE_PAYS:
            stand, taken = (cells[:, KINDS.index(kind)].sum(axis=1) for cells in (have, occupied))
            self.require(
                "occupied", (taken < stand) | (stand == 0), f"possible: every {kind} is occupied; R20 empties them"
            )
        inn = KINDS.index("inn")
        active = s["active"][:, None] >> _VILLAGES & 1 == 1
        self.require("active", s["active"] >> MAX_VILLAGES == 0, "a set of villages")
        self.require("active", ~active | occupied[:, inn], "within the villages whose inn is occupied")
        others = np.delete(occupied, inn, axis=1).sum(axis=1)
        due = occupied[:, inn] & (others >= INN_NEEDS)
        self.require("active", active | ~due, f"the villages that R18 names: {INN_NEEDS} others are occupied there")

    def _dice(self, seat: np.ndarray) -> None:
        s = self.states
        self.within("dice", 0, len(DICE) - 1)
        self.within("pending", 0, TURN_DICE)
        self.within("spent", 0, 1)
        self.within("end", 0, TRUNCATED)
        over = s["end"] != 0
        unused = SIZE[s["dice"]] + s["pending"]  # once those due are rolled
        told = "as many as there can be: with those to be rolled 4, 2 or 1, and none once the game is over"
        self.require("dice", np.where(over, unused == 0, np.isin(unused, _UNUSED_DICE)), told)
        rerolled = (s["pending"] == 0) | (s["pending"] == TURN_DICE) | (s["spent"] == 1)
        self.require("pending", rerolled, f"{TURN_DICE}, or fewer in a reroll (R8)")
        self.require("spent", ~over | (s["spent"] == 0), "possible once the game is over")
        has_figure = s["figures"][np.arange(len(s)), seat] > 0
        self.require(
            "figures", has_figure | (unused < TURN_DICE), "possible where a turn starts: its seat has none in hand (R4)"
        )

    def _belongings(self, seat: np.ndarray) -> None:
        s = self.states
        self.within("coins", 0, MOST_COINS)
        self.require("coins", self.seats | (s["coins"] == 0), "0 for seats that nobody has")
        self.within("bank", -MAX_COIN_SUPPLY, MAX_COIN_SUPPLY)
        self.require("bank", (s["bank"] > 0) | (s["end"] != 0), "1 or more while the game goes on (R21)")
        supply = s["coins"].sum(axis=1, dtype=np.int64) + s["bank"]
        told = f"what is left of a supply of 1 to {MAX_COIN_SUPPLY} coins (R23)"
        self.require("bank", (supply >= 1) & (supply <= MAX_COIN_SUPPLY), told)
        self.within("figures", 0, MAX_TILES)
        self.require("figures", self.seats | (s["figures"] == 0), "0 for seats that nobody has")
        each = s["figures"] + np.bitwise_count(s["own"]).sum(axis=2, dtype=np.int64)
        told = f"the same number of 1 to {MAX_TILES} for each seat, with those on buildings"
        self.require("figures", (each == each[:, :1]) & (each >= 1) & (each <= MAX_TILES) | ~self.seats, told)
        self.require("bishop", (s["bishop"] >= -1) & (s["bishop"] < s["players"]), "a seat, or -1 for nobody")
        self.within("special_supply", 0, MAX_TILES)
        self.require("special", s["special"] >> s["players"] == 0, "a set of seats")
        tiles = s["special_supply"] + np.bitwise_count(s["special"])
        self.require("special_supply", tiles <= MAX_TILES, f"at most {MAX_TILES} with those held")
        self.require("spent", (s["spent"] == 0) | (s["special"] >> seat & 1 == 0), "possible: the seat has a tile (R8)")

    def _end(self) -> None:
        s = self.states
        fits = (s["end"] == 0) | (s["end"] == fitting_end(s))
        self.require("end", fits, "the end that fits the bank and the figures")

    def _legal(self) -> None:
        s = self.states
        expected = copy_states(s)
        expected["legal"] = 0
        for number in np.flatnonzero((s["end"] == 0) & (s["pending"] == 0)):
            if not find_legal(expected[number]):
                self.refuse("dice", int(number), "a handful with which there is anything to decide (R13, R14)")
        self.require("legal", s["legal"] == expected["legal"], "the set of the legal actions")


def _cells(words: np.ndarray) -> np.ndarray:
    """Return sets of cells, uint64 (..., 2), as truths of the shape (..., len(KINDS), MAX_VILLAGES)."""
    bits = np.unpackbits(words.astype("<u8").view(np.uint8).reshape(*words.shape, 8), axis=-1, bitorder="little")
    used = np.concatenate([bits[..., word, :count] for word, count in enumerate(_WORDS)], axis=-1)
    return used.reshape(*words.shape[:-1], len(KINDS), MAX_VILLAGES).astype(np.bool_)
