"""Records (A79) of the plain rules are read and verified line by line; what is wrong is refused by its place."""

import copy
import functools
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from bohemian_env.agricola import Game
from bohemian_env.engine.errors import BadRecord
from tests.reference.agricola import PlainGame
from tests.test_agricola.rich import HARVESTS, revealed
from tests.test_agricola.written import PUBLISHED, PUBLISHED_SCORE

Line = tuple[int, str, int]
"""The place of a line: the round, from 0, ``work`` or ``harvest``, and the number of the line in it."""


@functools.cache
def played(players: int, seed: int, storehouse: bool = False) -> tuple[dict[str, Any], dict[Line, bool]]:
    """The record of a random game by the plain rules, and for each line whether somebody was asked for it."""
    game, rng = PlainGame(players, storehouse), random.Random(seed)
    asked: dict[Line, bool] = {}
    for card in revealed(rng, 14):
        game.reveal(card)
        _note(game, asked, None)
        while game.decision is not None:
            part = "work" if game.phase == "work" else "harvest"
            chosen = (len(game.rounds) - 1, part, len(game.rounds[-1][part]))
            game.play(rng.choice(game.legal_texts()))
            _note(game, asked, chosen)
    return game.record(), asked


def _note(game: PlainGame, asked: dict[Line, bool], chosen: Line | None) -> None:
    for part in ("work", "harvest"):
        for number in range(len(game.rounds[-1].get(part, []))):
            line = (len(game.rounds) - 1, part, number)
            asked.setdefault(line, line == chosen)


@pytest.mark.parametrize("players", range(1, 6))
def test_a79_records_of_the_plain_rules_are_read(players: int) -> None:
    for seed in range(3):
        record, _ = played(players, seed, players == 1 and seed == 1)
        game = Game.from_record(copy.deepcopy(record))
        assert game.record() == record
        assert game.over
        for rounds in (0, 5):
            unfinished = {name: part for name, part in record.items() if name not in ("scores", "winners")}
            begun = Game.from_record(unfinished | {"rounds": record["rounds"][:rounds]})
            assert (begun.position()["round"], begun.needs_chance) == (rounds, True)


@pytest.mark.parametrize("players", [1, 2, 5])
def test_a20_no_line_can_be_left_out_and_none_can_be_told_twice(players: int) -> None:
    record, asked = played(players, 4)
    supplied = [line for line, chosen in asked.items() if not chosen]
    assert len(supplied) > 10
    for number, part, place in [*supplied, *random.Random(players).sample([*asked], 40)]:
        shorter, longer = copy.deepcopy(record), copy.deepcopy(record)
        del shorter["rounds"][number][part][place]
        longer["rounds"][number][part].insert(place, longer["rounds"][number][part][place])
        for wrong in (shorter, longer):
            with pytest.raises(BadRecord, match=r"rounds|scores"):
                Game.from_record(wrong)


def test_a20_the_place_of_a_line_left_out_is_named() -> None:
    record, asked = played(2, 4)
    supplied = (line for line, chosen in asked.items() if not chosen)
    number, part, place = next(line for line in supplied if asked.get((*line[:2], line[2] + 1)))
    wrong = copy.deepcopy(record)
    left_out = wrong["rounds"][number][part].pop(place)
    told = f"rounds[{number}].{part}[{place}]: "
    with pytest.raises(BadRecord, match=rf"{re.escape(told)}.*replay gives {part} '{left_out}' \(A20\)"):
        Game.from_record(wrong)


BAD: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a line that is not legal": (lambda d: line(d, 0, 0, "0 to growth"), "rounds[0].work[0]: 'to growth' is not legal"),
    "another action": (lambda d: line(d, 0, 0, "0 to day-labourer"), "rounds[0].work["),
    "another seat": (lambda d: line(d, 0, 0, "1 to grain"), "rounds[0].work[0]: '1 to grain' is not a"),
    "a seat that is none": (lambda d: line(d, 0, 0, "2 to grain"), "rounds[0].work[0]: '2 to grain' is not a line"),
    "a line too many": (lambda d: d["rounds"][0]["work"].append("0 to grain"), "rounds[0].work["),
    "a harvest left out": (lambda d: d["rounds"][3].pop("harvest"), "rounds[4].card: "),
    "work in the harvest": (lambda d: d["rounds"][3]["harvest"].insert(0, d["rounds"][3]["work"].pop()), "rounds[3].h"),
    "a card of another stage": (lambda d: d["rounds"][0].update(card="growth"), "rounds[0].card: 'growth' cannot come"),
    "the last round left out": (lambda d: d["rounds"].pop(), "scores: "),
    "a round too many": (lambda d: d["rounds"].append(d["rounds"][13]), "rounds[14].card: "),
    "a score": (lambda d: d["scores"][1].update(total=99), "scores[1].total: 99; the replay gives"),
    "a storehouse for two": (lambda d: d.update(storehouse_solo=True), "storehouse_solo True: expected 1 player"),
}  # fmt: skip


def line(record: dict[str, Any], number: int, place: int, text: Any) -> None:
    """Write another line into the work of a round."""
    record["rounds"][number]["work"][place] = text


@pytest.mark.parametrize("case", BAD)
def test_a79_what_is_wrong_is_named(case: str) -> None:
    change, told = BAD[case]
    record = copy.deepcopy(played(2, 4)[0])
    assert record["rounds"][0]["work"][0].startswith("0 to ")
    change(record)
    with pytest.raises(BadRecord, match="^" + re.escape(told)):
        Game.from_record(record)


def test_a10_a_record_tells_of_the_storehouse() -> None:
    record, _ = played(1, 1, storehouse=True)
    assert record["storehouse_solo"] is True
    without = {name: part for name, part in record.items() if name != "storehouse_solo"}
    with pytest.raises(BadRecord, match=r"rounds|scores"):
        Game.from_record(without)


@pytest.mark.parametrize(("storehouse", "total", "begging"), [(True, 71, 0), (False, 50, -21)])
def test_a10_a_published_solo_game(storehouse: bool, total: int, begging: int) -> None:
    rounds = [
        {"card": card} | {part: [f"0 {text}" for text in moves.split(", ") if text] for part, moves in parts.items()}
        for card, *told in (map(str.strip, row.split("|")) for row in PUBLISHED)
        for parts in [dict(zip(("work", "harvest"), told, strict=True))]
    ]
    for number, told in enumerate(rounds, 1):
        if number not in HARVESTS:
            del told["harvest"]
    record: dict[str, Any] = {"format": "agricola/1", "players": ["player_0"], "rounds": rounds}
    record |= {"scores": [PUBLISHED_SCORE | {"begging": begging, "total": total}], "winners": [0]}
    game = Game.from_record(record | ({"storehouse_solo": True} if storehouse else {}))
    assert game.scores[0]["total"] == total
    assert game.position()["farms"][0]["food"] == 3
