"""Fuzzing: what breaks at a door is found, with the input; inputs follow from the seed and change no example."""

import copy
import importlib
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bohemian_env.games import GAMES
from tests.faults import fuzz
from tests.faults.fuzz import Answer, Opened, fuzzed
from tests.faults.odd import ODD, Below, changes, mutated

EXAMPLE: dict[str, Any] = {
    "name": "x", "figures": [1, 2, 3], "dice": (4, 5), "open": True, "nested": {"a": {"b": 1.5}}, "raw": b"abc",
    "array": np.arange(4, dtype=np.int8), "nothing": None,
}  # fmt: skip


def below_from(seed: int) -> Below:
    """A source of decisions."""
    draw = random.Random(seed).random
    return lambda n: int(draw() * n)


def test_inputs_follow_from_the_seed_and_leave_the_example_as_it_was() -> None:
    before = copy.deepcopy(EXAMPLE)
    made = [["; ".join(changes(EXAMPLE, mutated(EXAMPLE, below_from(seed)))) for seed in range(300)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 250
    assert repr(EXAMPLE) == repr(before)


def test_every_odd_value_comes_and_every_part_changes() -> None:
    whole = [mutated(7, below_from(seed)) for seed in range(20_000)]
    assert {id(odd) for odd in ODD.values()} <= {id(value) for value in whole}
    changed = {line.split()[0] for seed in range(3000) for line in changes(EXAMPLE, mutated(EXAMPLE, below_from(seed)))}
    assert {f".{name}" for name in EXAMPLE} | {".nested.a.b", ".figures[1]", ".dice[0]", "all"} <= changed


# --- planted faults ---


def answered(call: Any, folder: Path, kept: Any = None, count: int = 3000) -> Answer:
    """What is found at a door that takes numbers and refuses others by ValueError."""
    opened = Opened(call, lambda below: 100, (ValueError,), kept)
    return fuzzed(lambda _: opened, folder, count, 1)


def sound(value: Any) -> None:
    if type(value) is not int:
        raise ValueError("not a number")


def at_241(then: Callable[[], object]) -> Callable[[Any], None]:
    """A sound door, but for what it does when it is given 241."""

    def call(value: Any) -> None:
        sound(value)
        if value == 241:
            then()

    return call


def test_a_sound_door_has_no_findings(tmp_path: Path) -> None:
    answer = answered(sound, tmp_path)
    assert answer.tried == 3000
    assert 100 < answer.refused < 2900
    assert answer.broken == ()


def test_an_error_that_is_not_named_is_found_once_with_its_input(tmp_path: Path) -> None:
    (what,) = answered(at_241(lambda: EXAMPLE["rare"]), tmp_path).broken
    assert "KeyError: 'rare' at test_fuzz.py:" in what
    assert what.endswith(": all is 241")


def test_errors_of_a_named_kind_that_nobody_raised_on_purpose_are_found(tmp_path: Path) -> None:
    """Both of them, in the same door."""

    def call(value: Any) -> None:
        at_241(lambda: int("x"))(value)
        if value == 240:
            json.loads("{")

    told = "\n".join(found := answered(call, tmp_path).broken)
    assert (len(found), "int() with base 10" in told, "JSONDecodeError" in told) == (2, True, True)


def test_a_refusal_that_changes_something_is_found(tmp_path: Path) -> None:
    seen: list[Any] = []

    def call(value: Any) -> None:
        if value is None:
            seen.append(value)
        sound(value)

    (what,) = answered(call, tmp_path, lambda: len(seen)).broken
    assert "has changed something" in what
    assert "None" in what


@pytest.mark.slow
def test_a_slow_answer_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "SLOW", 0.05)
    monkeypatch.setattr(fuzz, "load", lambda: 1.0)

    (what,) = answered(at_241(lambda: time.sleep(0.1)), tmp_path).broken
    assert what.startswith("no answer within 0.05 s, twice")


def test_growth_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "ROOM", 4 * 2**20)
    taken: list[bytes] = []

    # So much comes from the system anew.
    (what,) = answered(at_241(lambda: taken.append(b"x" * (40 * 2**20))), tmp_path).broken
    assert "grew by" in what


def test_a_door_whose_example_is_refused_is_a_mistake_of_the_campaign(tmp_path: Path) -> None:
    opened = Opened(sound, lambda below: "x", (ValueError,))
    with pytest.raises(ValueError, match="not a number"):
        fuzzed(lambda _: opened, tmp_path, 10, 1)


@pytest.mark.parametrize("game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])])
@pytest.mark.parametrize("of", ["game", "envs", "files", "agents", "table"])
def test_every_door_opens_and_takes_its_example(of: str, game: str, tmp_path: Path) -> None:
    for number, opening in enumerate(importlib.import_module(f"tests.faults.doors_{of}").DOORS.of(game).values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        fuzzed(opening, folder, 1, number)
