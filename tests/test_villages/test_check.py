"""Positions from outside: compiled code gets only those that a game could stop at, whatever bytes come in."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bohemian_env import BadPosition, Batch, Game
from bohemian_env.villages.board import Village
from bohemian_env.villages.check import checked_states
from bohemian_env.villages.dice import HANDFUL
from bohemian_env.villages.facts import KINDS, PRINTED
from bohemian_env.villages.position import read_position, write_position
from bohemian_env.villages.rules import BANK_EMPTY, TRUNCATED
from bohemian_env.villages.setup import MOST_TURNS
from bohemian_env.villages.state import STATE, has_cell
from tests.helpers import FROZEN, run_python
from tests.reference.rules import ReferenceGame

PLAYED = Batch(8, 3, board=FROZEN, autoreset=False)
"""Games between 60 and 130 moves old, some of them over."""
for _ in range(60):
    PLAYED.step(PLAYED.random_actions(5))


def decided(players: int = 3, moves: int = 20) -> np.ndarray:
    """One position, (1,), in which a player decides after some moves."""
    batch = Batch(1, players, board=FROZEN)
    batch.reset(11)
    for _ in range(moves):
        batch.step(batch.random_actions(1))
    return batch.states.copy()


def changed(name: str, value: Any, where: Any = 0) -> np.ndarray:
    """That position with another value in a field, or in an entry of it."""
    states = decided()
    if states.dtype[name].shape:
        states[name][0][where] = value
    else:
        states[name] = value
    return states


# --- worked refusals ---

AS_MANY = "as many as there can be: with those to be rolled 4, 2 or 1, and none once the game is over"
WRONG: dict[str, list[tuple[Any, int, str, str]]] = {
    "have": [((1,), 1 << 36, "have", "a set of cells"), ((0,), 0, "occupied", "within the cells that exist")],
    "town_hall": [(0, 100, "town_hall", "from 0 to 99"), (8, 5, "town_hall", "0 where there is no town_hall")],
    "manor": [(0, 255, "manor", "from 0 to 99")],
    "players": [(None, 255, "players", "from 2 to 5")],
    "villages": [(None, 0, "villages", "from 1 to 9"), (None, 7, "have", "within the villages in play")],
    "max_turns": [(None, 2**31 - 1, "max_turns", "from 0 to 1000000000")],
    "turn": [(None, 0, "turn", "from 1 to 1000000000")],
    "bank": [(None, 0, "bank", "1 or more while the game goes on (R21)"), (None, 10000, "bank", "from -9999 to 9999")],
    "occupied": [((0,), 1 << 63, "occupied", "a set of cells"),
                 ((1,), 0, "own", "one owner for each occupied cell and none for others")],
    "own": [((4, 0), 1, "own", "empty for seats that nobody has"), ((0, 1), 1 << 40, "own", "a set of cells")],
    "coins": [(0, -1, "coins", "from 0 to 16383"), (4, 1, "coins", "0 for seats that nobody has")],
    "figures": [(0, -1, "figures", "from 0 to 99"), (3, 1, "figures", "0 for seats that nobody has"),
                (2, 50, "figures", "the same number of 1 to 99 for each seat, with those on buildings")],
    "to_move": [(None, 127, "to_move", "the seat whose turn it is, (turn - 1) % players")],
    "bishop": [(None, -2, "bishop", "a seat, or -1 for nobody")],
    "special_supply": [(None, 100, "special_supply", "from 0 to 99")],
    "active": [(None, 1 << 9, "active", "a set of villages"),
               (None, 1 << 8, "active", "within the villages whose inn is occupied")],
    "special": [(None, 1 << 3, "special", "a set of seats")],
    "spent": [(None, 2, "spent", "from 0 to 1")],
    "dice": [(None, 255, "dice", "from 0 to 209"), (None, 30, "dice", AS_MANY)],
    "pending": [(None, 1, "dice", AS_MANY), (None, 5, "pending", "from 0 to 4")],
    "end": [(None, 4, "end", "from 0 to 3"), (None, 2, "dice", AS_MANY)],
    "_spare": [(3, 1, "_spare", "0 throughout")],
    "legal": [(0, 2**64 - 1, "legal", "the set of the legal actions")],
}  # fmt: skip
"""Values that no position has, by field and place in it; the field that is refused, and what would do."""


def test_every_field_has_a_refusal() -> None:
    assert list(WRONG) == list(STATE.names)


@pytest.mark.parametrize(
    ("name", "where", "value", "field", "told"), [(name, *row) for name, rows in WRONG.items() for row in rows]
)
def test_a_value_out_of_range_is_refused(name: str, where: Any, value: int, field: str, told: str) -> None:
    """Each of these led compiled code out of its bounds or to a position of no game."""
    states = changed(name, value, where)
    before = states.tobytes()
    shown = states[field][0].tolist()
    with pytest.raises(BadPosition, match=f"^{re.escape(f'{field}: {shown} is not {told}')}$"):
        checked_states(states)
    assert states.tobytes() == before


def ended() -> np.ndarray:
    """A position, (1,), in which the bank is empty."""
    states = PLAYED.states[PLAYED.over][:1].copy()
    for name, value in dict(bank=0, end=BANK_EMPTY, coins=[100, 100, 100, 0, 0]).items():
        states[name] = value
    return states


TOGETHER: list[tuple[Callable[[], np.ndarray], dict[str, Any], str]] = [
    (decided, dict(max_turns=MOST_TURNS, special_supply=97), ""),
    (decided, dict(special_supply=98), "special_supply: 98 is not at most 99 with those held"),
    (decided, dict(dice=HANDFUL[1, 2, 3], pending=1, legal=0), "pending: 1 is not 4, or fewer in a reroll (R8)"),
    (decided, dict(dice=HANDFUL[1, 2, 3], pending=1, legal=0, spent=1, special=0), ""),
    (decided, dict(bank=1, coins=[9_998, 0, 0, 0, 0]), ""),
    (decided, dict(bank=1, coins=[9_999, 0, 0, 0, 0]), "bank: 1 is not what is left of a supply of 1 to 9999 coins"),
    (ended, dict(bank=-6_384, coins=[16_383, 0, 0, 0, 0]), ""),
    (ended, dict(bank=-6_385, coins=[16_384, 0, 0, 0, 0]), "coins: [16384, 0, 0, 0, 0] is not from 0 to 16383"),
    (ended, dict(bank=0, coins=[1, 0, 0, 0, 0]), ""),
    (ended, dict(bank=0, coins=[0, 0, 0, 0, 0]), "bank: 0 is not what is left of a supply of 1 to 9999 coins"),
    (ended, dict(spent=1, special=0), "spent: 1 is not possible once the game is over"),
    (ended, dict(end=TRUNCATED), "end: 3 is not the end that fits the bank and the figures"),
]
"""Values that go together or do not; what is refused begins so."""


@pytest.mark.parametrize(("begun", "values", "told"), TOGETHER)
def test_values_are_accepted_up_to_their_bounds_and_refused_beyond(
    begun: Callable[[], np.ndarray], values: dict[str, Any], told: str
) -> None:
    states = begun()
    for name, value in values.items():
        states[name] = value
    if told:
        with pytest.raises(BadPosition, match=f"^{re.escape(told)}"):
            checked_states(states)
    else:
        assert checked_states(states).tobytes() == states.tobytes()


def test_the_refusal_names_the_position_among_several() -> None:
    with pytest.raises(BadPosition, match=r"^position 1: players: 255 is not "):
        checked_states(np.concatenate([decided(), changed("players", 255)]))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_position_of_a_game_passes_and_is_copied(players: int) -> None:
    """Also the ones in which a roll is due, which only a Game shows."""
    batch = Batch(64, players, board=FROZEN, autoreset=False, max_turns=60)
    batch.reset(2)
    while not batch.over.all():
        again = checked_states(batch.states)
        assert again.tobytes() == batch.states.tobytes()
        assert not np.shares_memory(again, batch.states)
        batch.step(batch.random_actions(players))
    assert checked_states(batch.states).tobytes() == batch.states.tobytes()
    assert len(checked_states(batch.states[:0])) == 0
    game = Game.new(players, seed=3, board=FROZEN)
    due = set()
    while not game.over:
        assert checked_states(game.states).tobytes() == game.states.tobytes()
        due.add(game.dice_to_roll)
        rerolls = [move for move in game.legal_moves if "reroll" in move]
        if game.needs_roll:
            game = game.roll()
        else:
            game = game.push(rerolls[0] if rerolls else game.legal_moves[game.turn % len(game.legal_moves)])
    assert {0, 4} < due


# --- whatever bytes come in ---


def villages_of(s: np.void) -> tuple[Village, ...]:
    """The villages that a position shows, under names of our own."""
    villages = []
    for number in range(s["villages"]):
        kinds = tuple(kind for kind in KINDS if has_cell(s["have"], kind, number))
        printed: dict[str, int] = {kind: int(s[kind][number]) for kind in PRINTED if kind in kinds}
        villages.append(Village(f"V{number}", kinds, printed, f"V{number}"))
    return tuple(villages)


def fits(at: dict[str, Any]) -> bool:
    """Whether a game could stop at a position JSON of the right form, by the rules page and the other implementation.

    Written apart from the check, so that the two can be compared.
    """
    seats, over, villages = range(at["players"]), at["over"], at["villages"]
    if not (2 <= len(seats) <= 5 and 1 <= at["turn"] <= MOST_TURNS and 1 <= len(villages) <= 9):
        return False
    buildings = [b for village in villages for b in village["buildings"]]
    mover = (at["turn"] - 1) % len(seats)
    hands, each = at["figures"], {n + sum(b["owner"] == k for b in buildings) for k, n in enumerate(at["figures"])}
    if not (
        all(village["buildings"] for village in villages)
        and all(0 <= b.get("value", 0) <= 99 for b in buildings)
        and at["to_move"] == (None if over else mover)
        and len(at["dice"]) in ([0] if over else [4, 2, 1])
        and all(0 <= coins <= 16_383 for coins in at["coins"])
        and at["bank"] >= -9_999
        and 1 <= sum(at["coins"]) + at["bank"] <= 9_999
        and (over or at["bank"] > 0)
        and (at["bishop"] is None or at["bishop"] in seats)
        and 0 <= at["special_supply"] <= 99 - sum(at["special"])
        and not (at["spent_special_this_turn"] and (over or at["special"][mover]))
        and min(hands) >= 0
        and len(each) == 1
        and 1 <= min(each) <= 99
    ):
        return False
    for kind, tiles in (("mill", at["flour"]), ("glass", at["glass"])):
        owners = [b["owner"] for b in buildings if b["kind"] == kind]
        if (owners and None not in owners) or tiles != [owners.count(seat) for seat in seats]:  # R20
            return False
    for village in villages:  # R18
        taken = {b["kind"]: b["owner"] is not None for b in village["buildings"]}
        active = any(b.get("active", False) for b in village["buildings"])
        if active > taken.get("inn", False) or (taken.pop("inn", False) and sum(taken.values()) >= 3 and not active):
            return False
    if over:
        return True
    if hands[mover] == 0 and at["moves_made"] == 0:  # R4
        return False
    return ReferenceGame.from_position(at).legal_moves() not in ([], ["end"])  # R13, R14


def survives_as_json(states: np.ndarray) -> bool:
    """Whether a position fits and is the same after it was written as JSON and read back, which succeeds if it fits."""
    s = states[0]
    if s["pending"] or not 0 <= s["max_turns"] <= MOST_TURNS:
        return False
    try:
        at = write_position(s, villages_of(s))
    except IndexError:
        return False
    if not fits(at):
        with pytest.raises(BadPosition):
            read_position(at)
        return False
    again, _ = read_position(at, int(s["max_turns"]))
    return again.tobytes() == states.tobytes()


FLIPS = st.lists(st.integers(0, 8 * STATE.itemsize - 1), min_size=1, max_size=3)
FIELDS = st.tuples(
    st.sampled_from([name for name in STATE.names if name != "legal"]),
    st.integers(0, 9),
    st.one_of(st.integers(-2, 12), st.integers(-(2**31), 2**31 - 1)),
)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(game=st.integers(0, 7), flips=FLIPS)
def test_flipped_bits_are_refused_or_make_another_position(game: int, flips: list[int]) -> None:
    """The check, the reader of JSON, and :func:`fits`, which was written apart from them, agree about each of them."""
    data = bytearray(PLAYED.states[game : game + 1].tobytes())
    for place in flips:
        data[place // 8] ^= 1 << place % 8
    agree(np.frombuffer(bytes(data), STATE))


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(game=st.integers(0, 7), changes=st.lists(FIELDS, min_size=1, max_size=2))
def test_changed_fields_are_refused_or_make_another_position(game: int, changes: list[tuple[str, int, int]]) -> None:
    states = PLAYED.states[game : game + 1].copy()
    for name, place, value in changes:
        values = states[name].reshape(-1)
        values[place % values.size] = np.array(value).astype(values.dtype)
        states[name] = values.reshape(states[name].shape)
    agree(states)


def agree(states: np.ndarray) -> None:
    """Require that the check accepts a position exactly if it fits and comes back from JSON."""
    try:
        checked = checked_states(states)
    except BadPosition:
        assert not survives_as_json(states)
    else:
        assert checked.tobytes() == states.tobytes()
        assert survives_as_json(states)


# --- compiled code that looks at its bounds ---

CAMPAIGN = Path(__file__).with_name("bounds.py")


@pytest.mark.slow
def test_nothing_accepted_leads_compiled_code_out_of_bounds(tmp_path: Path) -> None:
    """Positions, states and pickles with random damage, played on by code that checks each index.

    Compiled code that was cached without the check would ignore it, so that it has a cache of its own.
    """
    done = run_python(CAMPAIGN, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    accepted, refused = map(int, re.findall(r"\d+", done.stdout))
    assert accepted > 200
    assert refused > 2000
