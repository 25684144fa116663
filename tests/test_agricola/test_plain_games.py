"""The plain rules of Agricola by themselves: whole games, a published one and random ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from tests.reference.agricola import NUMBER, PlainGame
from tests.reference.agricola_farm import ANIMALS, GOODS, fences_of

KINDS = [
    "place", "resource", "two-resources", "resources-or-growth", "animal", "pay", "build", "room-or-food", "plow",
    "plow-sow", "sow-bake", "stable-bake", "bake", "major", "fences", "keep", "feed", "breed",
]  # fmt: skip


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
    assert met == set(KINDS)


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
