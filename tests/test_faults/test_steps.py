"""Random steps: what must hold does, and every invariant finds what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bohemian_env import Batch
from bohemian_env.villages.actions import BISHOPS, END, REROLLS, SPECIALS
from bohemian_env.villages.dice import FULL, HANDFUL
from bohemian_env.villages.facts import KINDS
from bohemian_env.villages.rules import BANK_EMPTY, NO_FIGURES, TRUNCATED
from bohemian_env.villages.state import FIELD, WORD_KINDS, State, cell_of, copy_states, has_cell
from tests.faults import steps
from tests.faults.steps import INVARIANTS, MASKS, STEPS, broken
from tests.helpers import FROZEN

PLAYERS, EACH, COINS = 3, 13, 300


def played(number: int = 75) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Games before and after some of their steps, and what was done."""
    batch = Batch(200, PLAYERS, board=FROZEN, coin_supply=COINS, autoreset=False)
    batch.reset(7)
    for step in range(number):
        before, actions = copy_states(batch.states), batch.random_actions(step)
        batch.step(actions)
        if step % 5 == 4:
            yield before, copy_states(batch.states), actions


def give(s: State, seat: int, cells: int, word: int) -> bool:
    """Put figures of a seat on cells, from its hand; whether it has so many, and they come to stand there."""
    new = cells & ~int(s["own"][seat, word])
    s["own"][seat, word] |= np.uint64(cells)
    s["occupied"][word] |= np.uint64(cells)
    s["figures"][seat] -= new.bit_count()
    return bool(new) and s["figures"][seat] >= 0


def add(s: State, field: str, what: int, *at: int) -> bool:
    """Add to a number of a position."""
    if at:
        s[field][at] += what
    else:
        s[field] += what
    return True


def put(s: State, **fields: int) -> bool:
    """Write numbers into a position; whether that changes it."""
    changed = any(int(s[name]) != value for name, value in fields.items())
    for name, value in fields.items():
        s[name] = value
    return changed


def allow(s: State, action: int, yes: bool = True) -> bool:
    """Make one more action legal."""
    s["legal"][action // 64] |= np.uint64(yes << (action % 64))
    return yes


def loses(s: State, b: State) -> bool:
    """A coin of the first seat goes back to the bank."""
    back = s["coins"][0] - b["coins"][0] + 1
    return add(s, "coins", -back, 0) and add(s, "bank", back) and s["coins"][0] >= 0 and s["end"] == 0


def mills(s: State, b: State) -> bool:
    """The last free mills are occupied."""
    return give(s, 0, int(s["have"][0] & ~s["occupied"][0]) & (2**FIELD - 1) << cell_of("mill")[1], 0)


def asleep(s: State, b: State) -> bool:
    """An inn that must be active is not."""
    busy = [kind for kind in KINDS if has_cell(s["occupied"], kind, 0)]
    active = bool(s["active"] & 1)
    s["active"] &= ~np.uint16(1)
    return active and len(busy) >= 4


def seat_of(s: State) -> int:
    """The seat to move."""
    return int(s["to_move"])


def beside_own(s: State, b: State) -> bool:
    """The seat to move may place on a building of its own."""
    own = int(s["own"][seat_of(s), 0])
    return allow(s, max(own.bit_length() - 1, 0), own > 0)


def manor(s: State, b: State) -> bool:
    """The seat to move may kick somebody out of a manor."""
    word, place = cell_of("manor")
    others = int(s["occupied"][word] & ~s["own"][seat_of(s), word]) >> place
    action = FIELD * WORD_KINDS + place + others.bit_length() - 1
    return allow(s, action, others > 0 and s["figures"][seat_of(s)] > 0)


def has_tile(s: State) -> bool:
    """Whether the seat to move has a special action tile."""
    return bool(s["special"] >> seat_of(s) & 1)


PLANTED: dict[int, Callable[[State, State], bool]] = {
    1: lambda s, b: add(s, "manor", 1, 0),
    2: lambda s, b: add(s, "bank", 1),
    3: loses,
    4: lambda s, b: add(s, "figures", 1, 1),
    5: lambda s, b: add(s, "coins", 1, 4),
    6: lambda s, b: give(s, 1, 1 << cell_of("inn", 8)[1], 1),
    7: lambda s, b: give(s, 1, int(s["own"][0, 0]), 0),
    8: lambda s, b: add(s, "occupied", 1 << 63, 0),
    9: mills,
    10: lambda s, b: not s["active"] & 1 and not has_cell(s["occupied"], "inn", 0) and add(s, "active", 1),
    11: asleep,
    12: lambda s, b: add(s, "special_supply", 1),
    13: lambda s, b: add(s, "special", 1 << PLAYERS) and add(s, "special_supply", -1) and s["special_supply"] >= 0,
    14: lambda s, b: put(s, bishop=(s["bishop"] + 1) % PLAYERS),
    15: lambda s, b: put(s, to_move=(s["to_move"] + 1) % PLAYERS),
    16: lambda s, b: put(s, turn=s["turn"] - 2 * PLAYERS),
    17: lambda s, b: put(s, dice=HANDFUL[1, 2, 3]) and not s["end"],
    18: lambda s, b: put(s, spent=1 - s["spent"]) and not s["end"],
    19: lambda s, b: put(s, end=BANK_EMPTY) and s["bank"] > 0,
    20: lambda s, b: put(s, end=NO_FIGURES) and s["figures"][s["turn"] % PLAYERS] > 0,
    21: lambda s, b: put(s, end=TRUNCATED),
    22: lambda s, b: put(s, dice=5) and s["end"] != 0,
    23: lambda s, b: s["legal"].any() and not s["legal"].fill(0),
    24: lambda s, b: allow(s, END, not s["end"] and s["dice"] >= FULL),
    25: lambda s, b: not has_tile(s) and allow(s, REROLLS, not s["end"]),
    26: lambda s, b: has_tile(s) and allow(s, SPECIALS, not s["end"]),
    27: lambda s, b: s["bishop"] == s["to_move"] and allow(s, BISHOPS, not s["end"]),
    28: lambda s, b: not s["end"] and beside_own(s, b),
    29: lambda s, b: not s["end"] and manor(s, b),
}
"""What is changed behind a position's back to break each invariant, given the position before the step as well; false
where it cannot be."""


def test_every_invariant_finds_what_breaks_it() -> None:
    assert PLANTED.keys() == set(range(1, len(INVARIANTS)))
    found: dict[int, set[int]] = {number: set() for number in PLANTED}
    for before, after, actions in played():
        for b, s, action in zip(before, after, actions, strict=True):
            if b["end"]:
                continue
            assert broken(b, s, action, COINS, EACH) == 0
            for number, plant in PLANTED.items():
                changed = s.copy()
                if plant(changed, b):
                    found[number].add(broken(b, changed, action, COINS, EACH))
    assert {number for number, noticed in found.items() if number not in noticed} == set()
    assert {number for number, noticed in found.items() if 0 in noticed} == set()


def test_an_attempt_counts_steps_and_masks_and_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "BATCHES", 1)
    monkeypatch.setattr(steps, "GAMES", 40)
    for seed in range(4):
        rows = list(steps.steps(seed, tmp_path))
        assert {one.row for one in rows} == {STEPS, MASKS}
        assert not any(one.broken for one in rows)
        assert sum(one.tries for one in rows if one.row == STEPS) > 40
        assert sum(one.tries for one in rows if one.row == MASKS) >= 12
        assert list(steps.steps(seed, tmp_path)) == rows


def wrong_coins(batch: Batch) -> None:
    """A coin comes from nowhere."""
    batch.arrays[0]["bank"][3] += 1


def wrong_rewards(batch: Batch) -> None:
    """Somebody is given more than the others lose."""
    batch.rewards[:, 0] = 1


def wrong_legal(batch: Batch) -> None:
    """One more placement would be legal, or one less."""
    batch.arrays[0]["legal"][:, 0] ^= batch.states["have"][:, 0] & 1
    batch._masks_fresh = False


def wrong_masks(batch: Batch) -> None:
    """The masks are not those of the positions."""
    batch.masks[:] ^= 1


def wrong_observations(batch: Batch) -> None:
    """An entry is beyond its bounds."""
    batch.observations[5, 0] = 2


@pytest.mark.parametrize(
    ("plant", "told"),
    [
        (wrong_coins, "not so: the coins of all seats and the bank make the supply; Setup"),
        (wrong_rewards, "the rewards are not"),
        (wrong_legal, "the plain rules"),
        (wrong_masks, "a mask is not the set of the legal actions"),
        (wrong_observations, "an observation is outside its space"),
    ],
    ids=lambda case: getattr(case, "__name__", None),
)
def test_an_attempt_tells_what_it_finds(
    plant: Callable[[Batch], None], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(Batch):
        def step(self, actions: Any) -> None:
            super().step(actions)
            plant(self)

    monkeypatch.setattr(steps, "BATCHES", 1)
    monkeypatch.setattr(steps, "GAMES", 40)
    monkeypatch.setattr(steps, "SAMPLED", 1)
    monkeypatch.setattr(steps, "Batch", Wrong)
    monkeypatch.setattr(steps, "_batch", lambda rng: Wrong(40, 3, board=FROZEN, max_turns=8, autoreset=False))
    assert told in next(what for one in steps.steps(0, tmp_path) for what in one.broken)
