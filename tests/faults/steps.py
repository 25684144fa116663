"""Random steps of many games, with what must hold of every position checked after every step.

The invariants are compiled and written from docs/villages.md, beside the rules and not with them. On a sample, what the
seats observe is compared with the space of observations, and the legal actions with those of the plain rules; whole
games are played by both rules (reference/).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from bohemian_env import Batch, IllegalMove
from bohemian_env.engine.bits import popcount
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.parts import space_of
from bohemian_env.villages.actions import BISHOPS, END, NUM_ACTIONS, REROLLS, SPECIALS
from bohemian_env.villages.dice import DICE, SIZE
from bohemian_env.villages.facts import INN_NEEDS, KINDS, MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.notation import format_move
from bohemian_env.villages.observation import PARTS
from bohemian_env.villages.position import write_position
from bohemian_env.villages.rules import BANK_EMPTY, NO_FIGURES, TRUNCATED
from bohemian_env.villages.state import CELLS, FIELD, MAX_VILLAGES, WORD_KINDS, State, copy_states
from tests.reference.beside import STARTS, generated_start, odd_start, ordinary_start, play
from tests.reference.rules import ReferenceGame

from .campaign import Tried

__all__ = ["INVARIANTS", "beside", "broken", "steps"]

ROUNDS: Final = 25
"""Rounds of games by both rules in an attempt: a game of each way to begin and number of players."""
BATCHES: Final = 60
"""Batches of an attempt, one after another."""
GAMES: Final = 2048
"""Games of a batch."""
SAMPLED: Final = 16
"""Steps from one look at observations and masks to the next."""
COMPARED: Final = 12
"""Games of a look whose masks are compared with the plain rules."""
STEPS, MASKS = "random steps with invariants", "mask against the plain rules"

INVARIANTS: Final = (
    "all holds",
    "the board, the number of players and the limit of turns stay as they are",
    "the coins of all seats and the bank make the supply",
    "no seat loses coins",
    "the figures of each seat, in hand and on buildings, stay as many",
    "a seat that nobody has owns nothing",
    "a figure stands on a building that there is",
    "no building has two figures",
    "what is occupied is what the seats own",
    "mills or glass factories are never all occupied",
    "an inn is active only while it is occupied",
    "an occupied inn with three others occupied is active",
    "special action tiles leave the game by rerolls alone",
    "only seats hold special action tiles",
    "the bishop goes only to the seat that takes it",
    "the seat to move is that of the turn",
    "turns do not go back, and none comes after the limit",
    "four dice begin a turn, a first move leaves one or two, and a reroll as many as there were",
    "a reroll is spent in its turn alone",
    "the bank is empty exactly if the game ended so",
    "a game ends for want of figures exactly where the next seat has none",
    "a game is cut off only at its limit of turns",
    "nothing is left to do once the game is over",
    "there is something to choose where somebody decides",
    "one can stop after the first move, never before it",
    "a reroll is legal exactly with a tile",
    "a tile can be taken only where one is left, and one has none and spent none",
    "the bishop can be taken only by somebody else",
    "a figure can be placed only from the hand, on a building that there is, and not beside another of the seat",
    "nobody is kicked out of a mill, a glass factory or a manor",
)
"""What is checked, by the number that :func:`broken` returns."""

_SPACE: Final = space_of(PARTS, np.int8)
U = np.uint64
_0, _1 = U(0), U(1)
_FIELD_BITS: Final = 2**FIELD - 1
_MILL, _GLASS = (U(_FIELD_BITS << (FIELD * KINDS.index(kind))) for kind in ("mill", "glass"))
_INN_AT: Final = U(FIELD * (KINDS.index("inn") - WORD_KINDS))
_MANOR: Final = U(_FIELD_BITS << (FIELD * (KINDS.index("manor") - WORD_KINDS)))
_VILLAGE_0: Final = U(sum(1 << (FIELD * k) for k in range(WORD_KINDS)))
_VILLAGE_1: Final = U(sum(1 << (FIELD * k) for k in range(len(KINDS) - WORD_KINDS)))


@njit
def _bits(legal: np.ndarray, first: int, count: int) -> np.uint64:
    """Return up to 63 of the legal actions, from the number ``first`` on, as bits."""
    word, shift = first // 64, first % 64
    bits = legal[word] >> U(shift)
    if shift + count > 64:
        bits |= legal[word + 1] << U(64 - shift)
    return bits & ((_1 << U(count)) - _1)


@njit
def broken(before: State, after: State, action: int, supply: int, each: int) -> int:
    """Return the number of an invariant that a step breaks, 0 if all hold.

    supply: coins of the game. each: figures of a seat.
    """
    b, s = before, after
    players = s["players"]
    if (
        players != b["players"]
        or s["villages"] != b["villages"]
        or s["max_turns"] != b["max_turns"]
        or s["have"][0] != b["have"][0]
        or s["have"][1] != b["have"][1]
    ):
        return 1
    for village in range(MAX_VILLAGES):
        if s["town_hall"][village] != b["town_hall"][village] or s["manor"][village] != b["manor"][village]:
            return 1
    # --- coins, figures, buildings
    coins = np.int64(s["bank"])
    figures = 0
    all_0, all_1 = _0, _0
    for seat in range(MAX_PLAYERS):
        coins += s["coins"][seat]
        if s["coins"][seat] < b["coins"][seat]:
            return 3
        placed = popcount(s["own"][seat, 0]) + popcount(s["own"][seat, 1])
        if seat < players:
            if s["figures"][seat] < 0 or s["figures"][seat] + placed != each:
                return 4
        elif s["figures"][seat] != 0 or placed != 0 or s["coins"][seat] != 0:
            return 5
        figures += placed
        all_0 |= s["own"][seat, 0]
        all_1 |= s["own"][seat, 1]
    if coins != supply:
        return 2
    if all_0 & ~s["have"][0] != _0 or all_1 & ~s["have"][1] != _0:
        return 6
    if popcount(all_0) + popcount(all_1) != figures:
        return 7
    if all_0 != s["occupied"][0] or all_1 != s["occupied"][1]:
        return 8
    for field in (_MILL, _GLASS):
        if s["have"][0] & field != _0 and (s["have"][0] & ~all_0) & field == _0:
            return 9
    for village in range(MAX_VILLAGES):
        at = U(village)
        active = (s["active"] >> village) & 1
        taken = (all_1 >> (_INN_AT + at)) & _1
        if active and not taken:
            return 10
        others = popcount(all_0 & (_VILLAGE_0 << at)) + popcount(all_1 & (_VILLAGE_1 << at))  # the inn itself besides
        if taken and others - 1 >= INN_NEEDS and not active:
            return 11
    if s["active"] >> MAX_VILLAGES != 0:
        return 10
    # --- special action tiles and the bishop
    reroll = REROLLS <= action < END
    tiles = s["special_supply"] + popcount(U(s["special"]))
    if s["special_supply"] < 0 or tiles != b["special_supply"] + popcount(U(b["special"])) - reroll:
        return 12
    if s["special"] >> players != 0:
        return 13
    if s["bishop"] != (b["to_move"] if BISHOPS <= action < SPECIALS else b["bishop"]):
        return 14
    # --- turns and dice
    if s["to_move"] != (s["turn"] - 1) % players:
        return 15
    if s["turn"] < b["turn"] or (s["max_turns"] != 0 and s["turn"] > s["max_turns"]):
        return 16
    following = s["turn"] % players
    if (s["bank"] <= 0) != (s["end"] == BANK_EMPTY):
        return 19
    if s["end"] == NO_FIGURES and s["figures"][following] != 0:
        return 20
    if s["end"] == TRUNCATED and (s["max_turns"] == 0 or s["turn"] != s["max_turns"] or s["figures"][following] == 0):
        return 21
    legal = s["legal"]
    if s["end"] != 0:
        nothing = legal[0] | legal[1] | legal[2] | legal[3] == _0
        over = s["end"] <= TRUNCATED and s["dice"] == 0 and s["pending"] == 0 and s["spent"] == 0
        return 0 if nothing and over else 22
    size = SIZE[s["dice"]]
    if s["turn"] > b["turn"]:
        sized = size == 4
    elif reroll:
        sized = size == SIZE[b["dice"]]
    else:
        sized = SIZE[b["dice"]] == 4 and 1 <= size <= 2 and action != END
    if s["pending"] != 0 or not sized:
        return 17
    if s["spent"] != (s["turn"] == b["turn"] and (reroll or b["spent"] == 1)):
        return 18
    seat = s["to_move"]
    if size == 4 and s["figures"][seat] == 0:
        return 20
    # --- legal actions
    tile = (s["special"] >> seat) & 1 == 1
    stop = _bits(legal, END, 1) != _0
    choices = popcount(legal[0]) + popcount(legal[1]) + popcount(legal[2]) + popcount(legal[3])
    if legal[3] >> U(END + 1 - 192) != _0 or choices <= stop:
        return 23
    if stop != (size < 4):
        return 24
    if (_bits(legal, REROLLS, END - REROLLS) != _0) != tile:
        return 25
    if _bits(legal, SPECIALS, REROLLS - SPECIALS) != _0 and (tile or s["spent"] == 1 or s["special_supply"] == 0):
        return 26
    if _bits(legal, BISHOPS, SPECIALS - BISHOPS) != _0 and s["bishop"] == seat:
        return 27
    cells_0 = _bits(legal, 0, 63) | _bits(legal, CELLS, 63)
    cells_1 = _bits(legal, 63, CELLS - 63) | _bits(legal, CELLS + 63, CELLS - 63)
    wrong = (cells_0 & (~s["have"][0] | s["own"][seat, 0])) | (cells_1 & (~s["have"][1] | s["own"][seat, 1]))
    if wrong != _0 or (s["figures"][seat] == 0 and (cells_0 | cells_1) != _0):
        return 28
    if (cells_0 & all_0 & (_MILL | _GLASS)) | (cells_1 & all_1 & _MANOR) != _0:
        return 29
    return 0


@njit
def _first_broken(before: np.ndarray, after: np.ndarray, actions: np.ndarray, supply: int, each: int) -> int:
    """Return the first game whose step breaks an invariant; -1 if there is none."""
    for i in range(before.shape[0]):
        if before[i]["end"] == 0 and broken(before[i], after[i], actions[i], supply, each) != 0:
            return i
    return -1


def _batch(rng: random.Random) -> Batch:
    """Return a batch of games whose set-up is drawn; finished ones stay as they ended."""
    make = rng.choice((ordinary_start, ordinary_start, odd_start, generated_start))
    setup = make(rng, rng.randint(MIN_PLAYERS, MAX_PLAYERS)).setup
    return Batch(GAMES, setup, autoreset=False)


def _plain_moves(batch: Batch, i: int) -> tuple[list[str], list[str]]:
    """Return the legal moves of a game by its mask and by the plain rules, sorted."""
    villages = batch.start_of(i).villages
    s = batch.arrays[0][i]
    names, dice = [village.name for village in villages], DICE[s["dice"]]

    def text(action: int) -> str:
        try:
            return format_move(move_of(action, dice, names))
        except IllegalMove as error:  # the number means nothing with these dice
            return str(error)

    shown = map(text, np.flatnonzero(batch.masks[i]).tolist())
    return sorted(shown), ReferenceGame.from_position(write_position(s, villages)).legal_moves()


def _looked_at(batch: Batch, rng: random.Random) -> Iterator[Tried]:
    """Compare what a batch shows with the space, the legal actions, and, in some games, the plain rules."""
    wrong = []
    seen = batch.observations
    if ((seen < _SPACE.low) | (seen > _SPACE.high)).any():
        wrong.append("an observation is outside its space")
    legal = batch.states["legal"].astype("<u8").view(np.uint8)
    if (batch.masks != np.unpackbits(legal, axis=1, bitorder="little", count=NUM_ACTIONS)).any():
        wrong.append("a mask is not the set of the legal actions")
    yield Tried(STEPS, 0, tuple(wrong))
    going = np.flatnonzero(~batch.over)
    chosen = rng.sample(going.tolist(), min(COMPARED, len(going)))
    moves = ((i, *_plain_moves(batch, i)) for i in chosen)
    differ = (
        f"{batch.record(i)}: the mask has {ours}, the plain rules {plain}" for i, ours, plain in moves if ours != plain
    )
    yield Tried(MASKS, len(chosen), tuple(differ))


def _ended(batch: Batch) -> tuple[str, ...]:
    """Return what is wrong with the rewards of the games that ended in the last step."""
    rewards = batch.rewards[batch.terminations | batch.truncations]
    fair = (np.abs(rewards) <= 1).all() and (np.abs(rewards.sum(axis=1)) < 1e-5).all()
    return () if fair else ("the rewards are not from -1 to 1 or do not add up to 0",)


def steps(seed: int, folder: Path) -> Iterator[Tried]:
    """Play batches of random games to their ends."""
    rng = random.Random(seed)
    for _ in range(BATCHES):
        batch = _batch(rng)
        setup = batch.setup
        first = rng.randrange(2**62)
        batch.reset(first)
        each = setup.board.setups[setup.players].figures
        number = 0
        while not batch.over.all():
            before = copy_states(batch.arrays[0])
            actions = batch.random_actions(seed)
            batch.step(actions)
            found: tuple[str, ...] = ()
            i = _first_broken(before, batch.arrays[0], actions, setup.coin_supply, each)
            if i >= 0:
                what = INVARIANTS[broken(before[i], batch.arrays[0][i], actions[i], setup.coin_supply, each)]
                found = (f"not so: {what}; {setup}, seed {first + i}, step {number}, action {actions[i]}: {before[i]}",)
            yield Tried(STEPS, int((before["end"] == 0).sum()), found + _ended(batch))
            if number % SAMPLED == 0:
                yield from _looked_at(batch, rng)
            number += 1
            if found:
                return


def beside(seed: int, folder: Path) -> Iterator[Tried]:
    """Play whole random games by both implementations, with every number of players in turn."""
    for number in range(ROUNDS):
        for how, make in STARTS.items():
            broken = []
            for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
                name = f"{seed} {make.__name__} {players} {number}"
                rng = random.Random(name)
                start = make(rng, players)
                try:
                    play(start, rng)
                except Exception as error:
                    broken.append(f"random.Random({name!r}): {type(error).__name__}: {error}"[:2000])
            yield Tried(f"beside the plain rules: {how}", MAX_PLAYERS - MIN_PLAYERS + 1, tuple(broken))
