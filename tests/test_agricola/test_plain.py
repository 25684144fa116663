"""The plain rules of Agricola by themselves: numbers to check against, and wrong calls.

The worked cases are those that test_rulings.py plays with both implementations.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.reference.agricola import ACTIONS, NUMBER, SPACES, PlainGame
from tests.reference.agricola_farm import DATA, SETS, closed, closings, fences_of

CHECK = DATA["check"]
CARDS = [space for space, row in SPACES.items() if "stage" in row]
HARMLESS = ["to start-player", "to clay", "to reed", "to fishing", "to wood", "done"]


def play_rounds(game: PlainGame, last: int) -> None:
    """Play harmless actions until so many rounds are over."""
    while len(game.cards) < last or game.phase not in ("reveal", "over"):
        if game.phase == "reveal":
            game.reveal(game.possible_cards()[0])
        else:
            game.play(next(text for text in HARMLESS if text in game.legal_texts()))


# Numbers


def test_a76_numbers_of_the_actions() -> None:
    begins = {0: "to rooms-stables", 9: "to fishing", 10: "to wood-1", 23: "to resources-or-growth", 24: "to sow-bake"}
    begins |= {37: "to renovate-fences", 38: "take wood", 41: "take stone", 48: "take sheep", 51: "room a1"}
    begins |= {64: "stable a1", 77: "plow a1", 89: "plow e3", 90: "sow grain", 92: "bake", 93: "buy fireplace-2"}
    begins |= {102: "buy well", 107: "cook sheep", 110: "give sheep", 113: "eat grain", 115: "craft wood"}
    begins |= {118: "take food", 119: "grow", 120: "done", 121: "fence a1", 133: "fence e3", 134: "fence a1 b1"}
    assert {number: ACTIONS[number] for number in begins} == begins
    assert ACTIONS[42:48] == [f"take {pair}" for pair in (
        "wood clay", "wood reed", "wood stone", "clay reed", "clay stone", "reed stone")]  # fmt: skip
    assert ACTIONS[103:107] == [f"buy hearth-{h} for fireplace-{f}" for h in (4, 5) for f in (2, 3)]
    assert len(ACTIONS) == len(NUMBER) == CHECK["actions"]


def test_a44_sets() -> None:
    assert len(SETS) == CHECK["pasture_sets"]
    by_size = Counter(map(len, SETS))
    assert [by_size[size] for size in range(1, 13)] == CHECK["pasture_sets_by_size"]


def test_a47_layouts() -> None:
    seen, todo = {frozenset[Any]()}, [frozenset[Any]()]
    while todo:
        pastures = todo.pop()
        left = DATA["farm"]["fences"] - len(fences_of(pastures))
        for cells, price in closings(pastures).items():
            after = closed(pastures, cells)
            if price <= left and after not in seen:
                assert len(fences_of(after)) == len(fences_of(pastures)) + price
                seen.add(after)
                todo.append(after)
    by_number = Counter(map(len, seen))
    assert [by_number[number] for number in range(1, max(by_number) + 1)] == CHECK["layouts_by_pastures"]


def test_a6_orders_of_the_cards() -> None:
    orders = 1
    game = PlainGame()
    while game.phase != "over":
        orders *= len(game.possible_cards())
        game.reveal(game.possible_cards()[-1])
        play_rounds(game, len(game.cards))
    assert orders == 1152


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="A10"):
        PlainGame(2, storehouse_solo=True)
    with pytest.raises(ValueError, match="A1"):
        PlainGame(6)
    game = PlainGame()
    before = game.position()
    for wrong in ("to grain", "done"):
        with pytest.raises(ValueError, match="A77"):
            game.play(wrong)
    with pytest.raises(ValueError, match="A75"):
        game.reveal("growth")
    assert game.position() == before
    game.reveal("sheep")
    with pytest.raises(ValueError, match="A75"):
        game.reveal("fences")
    with pytest.raises(ValueError, match="A77"):
        game.play("to growth")
    with pytest.raises(ValueError, match="A79"):
        PlainGame.from_position(before).record()
