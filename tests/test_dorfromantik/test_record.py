"""Game records (D32): written, read back with every line checked, and refused with the place that is wrong."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.engine.errors import BadRecord
from tests.test_dorfromantik.positions import decisions, games


def test_a_whole_game() -> None:
    game = games(0, 4)[-1]
    record = game.record()
    assert set(record) == {"format", "players", "turns", "score"}
    assert record["format"] == "dorfromantik/1"
    assert record["players"] == ["player_0", "player_1"]
    assert len(record["turns"]) == game.turn
    assert record["score"] == game.score
    assert [turn["move"] for turn in record["turns"]] == [
        moment.action_to_text(action) for moment, action in zip(decisions(0, 4), game.actions, strict=False)
    ]


def test_names_of_the_players() -> None:
    record = Game.new(2, names=["Ada", "Bo"]).record()
    assert record == {"format": "dorfromantik/1", "players": ["Ada", "Bo"], "turns": []}


def test_what_is_revealed_is_recorded_at_once() -> None:
    game = Game.new()
    assert game.deal("W1").record()["turns"] == [{"tile": "W1"}]
    assert game.deal("W1").deal(6).record()["turns"] == [{"tile": "W1", "marker": 6}]
    assert game.deal("W1").deal(6).happened == ({"marker": 6},)


def test_a_game_that_goes_on_from_another() -> None:
    game = games(0, 4)[30].continued(["Ada", "Bo"], seed=5)
    record = game.record()
    assert record["continues"] == {"moves": len(game.actions), "players": ["player_0", "player_1"], "seed": 4}
    assert Game.from_record(record) == game
    record["continues"]["moves"] += 1
    with pytest.raises(BadRecord, match=r"continues.moves: .* are more than the record has"):
        Game.from_record(record)
    record["continues"] = {"moves": 1}
    with pytest.raises(BadRecord, match=r"continues: .* is not an object with exactly"):
        Game.from_record(record)


def first(data: dict[str, Any], key: str) -> dict[str, Any]:
    return next(turn for turn in data["turns"] if key in turn)


BAD: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("too many players", lambda d: d.update(players=["A"] * 7), "players 7 is not a whole number from 1 to 6"),
    ("a tile twice", lambda d: d["turns"][2].update(tile=d["turns"][0]["tile"]), r"turns\[2\].tile: .* cannot come"),
    ("no marker", lambda d: first(d, "marker").pop("marker"), r"turns\[0\].move: '\+0\+0 r0': a marker"),
    (
        "an illegal move",
        lambda d: d["turns"][1].update(move="+0+0 r0"),
        r"turns\[1\].move: '\+0\+0 r0' is not legal: D",
    ),
    ("no move text", lambda d: d["turns"][1].update(move="east"), r"turns\[1\].move: 'east' is not a move"),
    ("a move left out", lambda d: d["turns"][1].pop("move"), r"turns\[2\]: no turn can begin here"),
    ("a fulfilled task left out", lambda d: first(d, "fulfilled").pop("fulfilled"), r"turns\[\d+\].fulfilled: missing"),
    (
        "one fulfilled more",
        lambda d: first(d, "fulfilled")["fulfilled"].append("X1"),
        r"turns\[\d+\].fulfilled: \d ent",
    ),
    ("an aborted task more", lambda d: d["turns"][0].update(aborted=["W1"]), r"turns\[0\].aborted: .* is superfluous"),
    ("flags", lambda d: first(d, "flags").update(flags=[]), r"turns\[\d+\].flags: 0 entries; the replay gives 1"),
    ("a score that is none", lambda d: d["score"].update(total=0), "score.total: 0; the replay gives"),
    ("the last turn left out", lambda d: d["turns"].pop(), "score: .* is superfluous"),
    ("a set-up of no variant", lambda d: d.update(setup={"widow": 3}), "setup: .* is not an object of landscape"),
]


@pytest.mark.parametrize(("change", "told"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], Any], told: str) -> None:
    data = copy.deepcopy(games(0, 4)[-1].record())
    assert any("flags" in turn for turn in data["turns"])
    assert data["turns"][0]["marker"]
    change(data)
    with pytest.raises(BadRecord, match=told):
        Game.from_record(data)
