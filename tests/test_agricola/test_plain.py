"""The plain rules of Agricola by themselves: numbers to check against, wrong calls and random games.

The worked cases are those that test_rulings.py plays with both implementations.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from tests.reference.agricola import ACTIONS, NUMBER, PlainGame
from tests.reference.agricola_farm import ANIMALS, DATA, GOODS, SETS, fences_of
from tests.test_agricola.rich import KINDS

CHECK = DATA["check"]


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


# Random games


def begun(players: int, rich: bool) -> PlainGame:
    """A game at its beginning; rich ones have goods of all kinds, but no food."""
    game = PlainGame(players)
    for farm in game.farms * rich:
        farm.goods = dict.fromkeys(GOODS, 6) | dict.fromkeys(ANIMALS, 0) | {"food": 0, "wood": 15, "sheep": 1}
    return game


def random_game(game: PlainGame, rng: random.Random) -> Iterator[PlainGame]:
    """Play at random to the end; yield the game at every reveal and every decision, and at the end."""
    while game.phase != "over":
        yield game
        if game.phase == "reveal":
            game.reveal(rng.choice(game.possible_cards()))
        else:
            game.play(rng.choice(game.legal_texts()))
    yield game


def check(game: PlainGame) -> None:
    """What holds wherever a game stands."""
    position = game.position()
    texts = game.legal_texts()
    assert json.loads(json.dumps(position)) == position
    assert [NUMBER[text] for text in texts] == sorted({NUMBER[text] for text in texts})
    assert (len(texts) >= 2) == (game.phase not in ("reveal", "over")) == (game.decision is not None)
    kind = game.decision["kind"] if game.decision else ""
    for seat, farm in enumerate(game.farms):
        assert min(farm.goods.values()) >= 0
        assert len(fences_of(farm.pastures)) <= 15
        assert len(farm.stables) <= 4
        assert farm.people <= 5
        assert farm.animals_fit() or (kind in ("keep", "breed", "fences") and seat == game.to_move)
        cells = [*farm.rooms, *farm.fields, *(cell for pasture in farm.pastures for cell in pasture)]
        assert len(set(cells)) == len(cells)
        assert not farm.stables & (farm.rooms | farm.plowed)


def test_a19_random_games_meet_every_kind_of_decision() -> None:
    met = set[str]()
    for seed in range(12):
        for game in random_game(begun(4 + seed % 2, rich=True), random.Random(seed)):
            met |= {game.decision["kind"]} if game.decision else set()
    assert met == {*KINDS, "feed", "breed"}


@pytest.mark.parametrize("rich", [False, True])
@pytest.mark.parametrize("players", [1, 5])
def test_a80_no_two_actions_do_the_same(players: int, rich: bool) -> None:
    for game in random_game(begun(players, rich), random.Random(players)):
        if game.decision is None or game.decision["kind"] == "place":
            continue
        after = []
        for text in game.legal_texts():
            other = PlainGame.from_position(game.position())
            other.play(text)
            after.append(json.dumps(other.position()))
        assert len(set(after)) == len(after)


@pytest.mark.parametrize("players", [1, 2, 5])
def test_a72_a73_potentials_and_wins(players: int) -> None:
    game = PlainGame(players)
    assert game.potentials() == ([-14] if players == 1 else [0] * players)
    *_, game = random_game(game, random.Random(7))
    totals = [score["total"] for score in game.scores()]
    if players == 1:
        assert game.potentials() == totals
        return
    assert sum(game.potentials()) == sum(game.wins()) == 0
    assert game.potentials()[0] == totals[0] - Fraction(sum(totals[1:]), players - 1)
    assert max(game.wins()) == game.wins()[game.winners()[0]] > 0
