"""A game in text, of any game: all of it is told in JSON and in sentences, and a move that will not do gets one."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.players.values import count_weights, save_values
from bohemian_env import BadNotation, BadSetup, GameOver, IllegalMove
from bohemian_env.games import rules_of
from table.room import room_of
from table.seating import BadSeating
from table.text import TextGame
from table.words import LANGUAGES

SEATS = [None, "greedy"]


def play_out(game: TextGame, seed: int = 1) -> list[str]:
    """Play random legal moves until the game is over; return all that was told from then on."""
    rng, told = random.Random(seed), list[str]()
    while not game.game.over:
        told += game.play(rng.choice(game.game.legal_moves))
    return told


def test_a_whole_game_is_told(name: str) -> None:
    game = TextGame(name, SEATS, seed=3)
    begun = game.log()
    told = play_out(game)
    assert begun + told == game.log()
    assert all(line == line.strip() and line for line in told)
    result = game.result()
    assert result is not None
    outcome = game.game.outcome()
    assert (result["reason"], result["winners"]) == (outcome.reason, [*outcome.winners])
    assert result["scoring"] == [*outcome.scoring]
    assert result["words"] == told[-1]
    position = game.position()
    assert (position["to_move"], game.legal()) == (None, {})
    assert [seat["agent"] for seat in position["seats"]] == SEATS
    record = json.loads(json.dumps(game.record()))
    assert rules_of(name).game.from_record(record) == game.game
    for value in (position, result):
        assert json.loads(json.dumps(value)) == value


def test_a_position_is_all_that_is_known_and_no_more(name: str) -> None:
    """Another seed, with which chance may go on otherwise, does not show in it."""
    game = TextGame(name, [None], seed=3) if 1 in rules_of(name).players else TextGame(name, [None, None], seed=3)
    rng = random.Random(2)
    for _ in range(6):
        game.play(rng.choice(game.game.legal_moves))
    told = game.position()
    again = rules_of(name).game.from_position(json.loads(json.dumps(told["position"])), seed=4)
    assert again.position() == told["position"]
    assert again.legal_moves == game.game.legal_moves
    assert "seed" not in json.dumps(told)
    assert told["game"] == name
    assert told["to_move"] == game.game.to_move
    names = [seat["name"] for seat in told["seats"]]
    assert game.drawing() == rules_of(name).draw_text(again.position(), names=names)


def test_every_legal_move_is_a_text_with_a_meaning(name: str) -> None:
    game = TextGame(name, SEATS, seed=3)
    for _ in range(8):
        legal = game.legal()
        assert {*legal} == {*game.game.legal_moves}
        assert all(words and words != move for move, words in legal.items())
        game.play(next(iter(legal)))


def test_a_seed_is_a_game_with_all_that_agents_do_in_it(name: str) -> None:
    seats = [None, "random"]
    first, again, other = (TextGame(name, seats, seed=seed) for seed in (3, 3, 4))
    assert play_out(first) == play_out(again)
    assert first.record() == again.record() != other.record()


def test_seats_are_all_played_by_texts_where_no_agent_sits(name: str) -> None:
    game, moved = TextGame(name, [None, None], seed=3), set()
    while not game.game.over:
        moved.add(game.position()["to_move"])
        game.play(game.game.legal_moves[-1])
    assert moved == {0, 1}


def test_agents_play_on_till_a_text_is_awaited(name: str) -> None:
    game = TextGame(name, ["greedy", None], seed=3)
    assert game.position()["to_move"] == 1
    assert game.log()
    alone = TextGame(name, ["greedy", "random"], seed=3)
    assert alone.legal() == {}
    assert alone.result()


def test_by_default_it_is_the_smallest_table(name: str) -> None:
    seats = TextGame(name).position()["seats"]
    assert len(seats) == room_of(name).rules.players[0]
    assert [seat["agent"] for seat in seats] == [None, *[room_of(name).first_guest] * (len(seats) - 1)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_each_language(name: str, language: str) -> None:
    texts = {one: [*TextGame(name, SEATS, 3, language=one).legal().values()] for one in {"en", language}}
    assert (texts[language] == texts["en"]) == (language == "en")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        *((move, f"{move!r} is not") for move in ("nonsense", "")),
        ("x" * 10**6, "…"),
        ("\ud800", "is not"),
        *((move, f"a move is a text, not {move}") for move in (0, None)),
        (["end"], "a move is a text, not "),
    ],
)
def test_what_is_no_move_gets_a_sentence(name: str, move: Any, why: str) -> None:
    game = TextGame(name, SEATS, seed=3)
    before = game.position()
    with pytest.raises(BadNotation) as refused:
        game.play(move)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 1000
    assert game.position() == before


def test_an_illegal_move_says_why_and_changes_nothing(name: str) -> None:
    game = TextGame(name, SEATS, seed=3)
    other = TextGame(name, SEATS, seed=3)
    while not (later := other.legal().keys() - game.legal().keys()):
        other.play(other.game.legal_moves[0])
    move = min(later)
    before = game.position(), game.log()
    with pytest.raises(IllegalMove, match="is not legal: "):
        game.play(move)
    assert (game.position(), game.log()) == before


def test_spaces_around_a_move_are_ignored_and_nothing_follows_the_end(name: str) -> None:
    game, other = TextGame(name, SEATS, seed=3), TextGame(name, SEATS, seed=3)
    move = game.game.legal_moves[0]
    assert game.play(move) == other.play(f"  {move} \n")
    assert game.position() == other.position()
    play_out(game)
    with pytest.raises(GameOver, match="the game is over"):
        game.play(move)


def test_an_agent_of_ones_own_is_named_by_its_folder(tmp_path: Path) -> None:
    rules = rules_of("dorfromantik")
    save_values(tmp_path, rules, np.zeros(count_weights(rules), np.float32), {})
    game = TextGame("dorfromantik", [str(tmp_path), None], seed=3)
    assert game.position()["seats"][0]["agent"] == str(tmp_path)
    assert game.position()["to_move"] == 1
    with pytest.raises(BadSeating, match="there is no agent"):
        TextGame("agricola", [str(tmp_path), None])


@pytest.mark.parametrize(
    ("more", "error", "why"),
    [
        ({"seats": "greedy"}, BadSetup, "seats 'greedy' are not a list"),
        *(({"seats": [None] * seats}, BadSeating, "can sit at the table") for seats in (9, 0)),
        ({"seats": [None, "program:true"]}, BadSeating, "there is no agent 'program:true' here; there are random"),
        ({"seats": [None, 5]}, BadSeating, "a seat is for"),
        *(({"seed": seed}, BadSeating, "the seed is a whole number") for seed in (-1, 0.5)),
        ({"options": [1]}, BadSeating, "is no object"),
        ({"options": {"nothing": 1}}, BadSeating, "the options of this game are not such"),
        ({"language": "xx"}, BadSetup, "language 'xx' is none of en, de, it"),
        ({"language": []}, BadSetup, "language .* is none of"),
    ],
)
def test_what_cannot_be_played_is_refused(name: str, more: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        TextGame(name, **more)


@pytest.mark.parametrize("unknown", ["chess", "", 5, None, []])
def test_an_unknown_game_is_refused(unknown: Any) -> None:
    with pytest.raises(BadSetup, match=r"unknown game .* known are "):
        TextGame(unknown)
