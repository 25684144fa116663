"""Every game that has plain rules a second time, by both, move for move (reference/beside.py)."""

import random
from typing import Any

import pytest

from bohemian_env.games import rules_of
from tests.reference import beside
from tests.reference.beside import Differs, every_way, play


def played(game: str, way: str, least: int) -> None:
    """Play games of all numbers of players, with so many moves at least."""
    rng, moves = random.Random(f"{game} {way} {least}"), 0
    while moves < least:
        for players in rules_of(game).players:
            moves += play(game, way, players, rng)


@pytest.mark.parametrize(("game", "way"), every_way())
def test_same_as_the_second_implementation(game: str, way: str) -> None:
    played(game, way, 200)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "way"), every_way())
def test_same_for_many_moves(game: str, way: str) -> None:
    played(game, way, 60_000 if game == "villages" else 10_000)


@pytest.mark.parametrize(("game", "way"), every_way())
def test_a_difference_is_told(game: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, plain, rng = rules_of(game), beside.PLAIN[game], random.Random(1)

    def told(what: str, holder: Any, name: str, wrong: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(holder, name, wrong)
            with pytest.raises(Differs, match=f"^{what}: compiled"):
                play(game, way, rules.players[-1], rng)

    scored, wrote = rules.scoring_of, rules.write_position
    total = rules.scoring[-1]
    monkeypatch.setattr(beside, "OFTEN", 1.0)
    told("scoring", rules, "scoring_of", lambda s: [one | {total: one[total] + 1} for one in scored(s)])
    told("position", rules, "write_position", lambda *of: wrote(*of) | {"turn": 99})
    fewer = plain._replace(legal=lambda game: plain.legal(game)[1:])
    told("legal moves", beside, "PLAIN", {game: fewer})
    surer = plain._replace(chances=lambda game: {one: 2 * part for one, part in plain.chances(game).items()})
    told("what chance can bring", beside, "PLAIN", {game: surer})
