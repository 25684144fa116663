"""Farms: room for animals by brute force (A55, A56), all fence layouts (A47), and goods turned into food (A58, A62)."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bohemian_env.agricola import Game
from bohemian_env.agricola.farm import FENCED, FENCES, animals_fit, can_close, left_over
from bohemian_env.agricola.pieces import CELL
from bohemian_env.agricola.rules import close
from bohemian_env.agricola.state import STATE, State
from tests.reference.agricola_farm import DATA, SETS, sides
from tests.test_agricola import rich
from tests.test_agricola.laid import at

CHECK = DATA["check"]


def bits(cells: Iterator[str] | frozenset[str] | list[str]) -> int:
    return sum(1 << CELL[cell] for cell in cells)


def spread(capacities: list[int], animals: tuple[int, ...], loose: int) -> bool:
    """Whether animals can be housed one after another, each in a pasture of its kind or an empty one, or loose."""
    todo: set[tuple[tuple[tuple[int, int], ...], int]] = {(tuple((-1, room) for room in capacities), loose)}
    for kind, number in enumerate(animals):
        for _ in range(number):
            after = set()
            for pastures, left in todo:
                if left:
                    after.add((pastures, left - 1))
                for place, (held, room) in enumerate(pastures):
                    if room and held in (-1, kind):
                        after.add(((*pastures[:place], (kind, room - 1), *pastures[place + 1 :]), left))
            todo = after
    return bool(todo)


@pytest.mark.parametrize("seed", range(8))
def test_a55_a56_room_for_animals_by_brute_force(seed: int) -> None:
    rng, both = random.Random(seed), set()
    for _ in range(30):
        own = rich.farm(rng)
        pastures = sorted(own.pastures, key=len)[:3]
        array = np.array([*map(bits, pastures), *[0] * (5 - len(pastures))], np.uint16)
        enclosed, stables = sum(map(bits, pastures)), bits(own.stables)
        capacities = [2 * len(cells) * 2 ** len(cells & own.stables) for cells in pastures]
        loose = 1 + sum(not any(cell in cells for cells in pastures) for cell in own.stables)
        animals = tuple(rng.choice([0, 1, 3, 5, 6]) for _ in range(3))
        fits = spread([min(room, 6) for room in capacities], animals, loose)
        assert animals_fit(array, enclosed, stables, *animals) == fits
        assert (left_over(array, stables, *animals) <= loose) == fits
        both.add(fits)
    assert len(both) == 2


def test_a44_sets_and_their_fences() -> None:
    assert [int(cells) for cells in FENCED] == [bits(cells) for cells in SETS]
    assert len(SETS) == CHECK["pasture_sets"]
    assert [int(fences).bit_count() for fences in FENCES] == [len(sides(cells)) for cells in SETS]


def test_a47_every_layout_can_be_built_and_costs_as_many_fences_as_it_has() -> None:
    """All layouts of 15 fences that closings (A44-A46) lead to, by their number of pastures."""
    begun = np.zeros(1, STATE)
    begun[0]["goods"][0, 1] = 15
    seen: dict[bytes, int] = {}
    todo = [begun]
    while todo:
        s = todo.pop()[0]
        for number in closings(s):
            after = np.array([s])
            close(after[0], 0, number)
            key = after[0]["pastures"][0].tobytes()
            fences = int(after[0]["sides"][0]).bit_count()
            assert fences + int(after[0]["goods"][0, 1]) == 15
            if key not in seen:
                todo.append(after)
            assert seen.setdefault(key, fences) == fences
    counts = [int(np.count_nonzero(np.frombuffer(key, np.uint16))) for key in seen]
    assert [counts.count(number) for number in range(1, 6)] == CHECK["layouts_by_pastures"]
    assert len(seen) == 7963


def closings(s: State) -> list[int]:
    """The numbers of the sets that can be closed, on a farm with nothing but pastures."""
    sides_there, pastures, enclosed = s["sides"][0], s["pastures"][0], int(s["enclosed"][0])
    needed = np.bitwise_count(FENCES & ~sides_there)
    house = bits(["a2", "a3"])
    some = np.flatnonzero(needed <= s["goods"][0, 1])
    return [int(number) for number in some if can_close(int(number), pastures, enclosed, house)]


# --- nothing is lost where goods are turned into food only in pay, keep and feed (A58, A62) ---

FOODS = {"grain": 1, "vegetable": 3, "sheep": 2, "boar": 3, "cattle": 4}
"""With a hearth."""
Goods = tuple[int, ...]


def fed(goods: dict[str, int], need: int) -> set[Goods]:
    """All that can be left after feeding and breeding on a farm without pastures, with a hearth: begging cards, food,
    crops and animals, if any of them is turned into food at any time before paying."""
    found = set()
    for used in itertools.product(*(range(goods[name] + 1) for name in FOODS)):
        food = goods["food"] + sum(number * rate for number, rate in zip(used, FOODS.values(), strict=True))
        left = [goods[name] - number for name, number in zip(FOODS, used, strict=True)]
        young = [number + (number >= 2) for number in left[2:]]
        for given in itertools.product(*(range(number + 1) for number in young)):
            kept = [number - gone for number, gone in zip(young, given, strict=True)]
            if sum(kept) <= 3:
                found.add((-max(0, need - food), max(0, food - need), *left[:2], *kept))
    return found


def reached(game: Game) -> set[Goods]:
    """All that the decisions of a harvest lead to, in the same form."""
    if game.needs_chance:
        own = game.position()["farms"][0]
        return {(-own["begging"], own["food"], *(own[name] for name in FOODS))}
    return set().union(*(reached(game.push(action)) for action in game.legal_actions))


@pytest.mark.parametrize(
    "goods", ["food 1 grain 1 vegetable 1 sheep 2 boar 1", "vegetable 2 sheep 3", "grain 3 cattle 2"]
)
def test_a58_a62_nothing_is_lost(goods: str) -> None:
    fed_by: dict[str, Any] = dict(phase="feeding", kind="feed", may_stop=True, majors="hearth-4")
    told = at(f"food 0 {goods} stables c1 d1", players=1, round=4, **fed_by)
    own = told["farms"][0]
    offered, anything = reached(Game.from_position(told)), fed(own, 6)
    assert offered <= anything
    for other in anything:
        assert any(all(here >= there for here, there in zip(one, other, strict=True)) for one in offered), other
