"""The set-up (D1 to D4, D26): the game itself, its variants, and what is refused."""

import pickle
from typing import Any

import pytest

from bohemian_env.dorfromantik import Game, Setup
from bohemian_env.dorfromantik.setup import Start
from bohemian_env.dorfromantik.tiles import IDS
from bohemian_env.engine.errors import BadSetup
from tests.test_dorfromantik.positions import VARIANTS, games


def test_the_game_itself() -> None:
    setup = Setup.of()
    assert (setup.players, setup.open_tasks, setup.window, setup.left_in_box) == (1, 3, 23, 3)
    assert (len(setup.landscape), len(setup.tasks)) == (48, 25)
    assert setup.markers == ((4, 5, 5, 6, 6),) * 5
    assert setup.options == {}
    assert setup == Setup()
    assert Setup.of(3).agents == ("player_0", "player_1", "player_2")


def test_a_variant_says_what_is_different() -> None:
    setup = Setup.of(2, landscape=["L31", "L17"], tasks=["T3", "W2"], markers={"W": [3], "T": [5, 2]}, left_in_box=0)
    assert setup.landscape == ("L17", "L31"), "in the order of D1"
    assert setup.tasks == ("W2", "T3")
    assert setup.markers == ((3,), (), (), (2, 5), ())
    told = {"landscape": ["L17", "L31"], "tasks": ["W2", "T3"], "markers": {"W": [3], "T": [2, 5]}, "left_in_box": 0}
    assert setup.options == told
    assert Setup.of(2, **setup.options) == setup
    assert hash(Setup.of(2, **setup.options)) == hash(setup)
    assert Setup.of(setup) is setup
    assert pickle.loads(pickle.dumps(setup)) == setup


def test_only_its_tiles_come() -> None:
    game = Game.new(seed=1, landscape=["L31", "L17"], tasks=["W2"], markers={"W": [3]}, left_in_box=1)
    assert game.chance_outcomes() == (("W2", 1.0),)
    game = game.deal()
    assert game.chance_outcomes() == ((3, 1.0),)
    game = game.deal().push("+0+0 r0")
    assert game.chance_outcomes() == (("L17", 0.5), ("L31", 0.5))
    assert game.state_dict()["stacks"] == {"landscape": 1, "task": 0}
    game = game.deal()
    assert game.push(game.legal_moves[0]).over, "the other one stays in the box"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"players": 0}, "players 0 is not a whole number from 1 to 6"),
    ({"players": True}, "players True"),
    ({"open_tasks": 0}, "open_tasks 0 is not a whole number from 1 to 25"),
    ({"window": 0}, "window 0 is not a whole number from 1 to 23"),
    ({"left_in_box": -1}, "left_in_box -1 is not a whole number from 0 to 48"),
    ({"landscape": ["L01"]}, "left_in_box 3: too many of 1 landscape tiles"),
    ({"landscape": "L01"}, "landscape 'L01' are not different tiles of L01 to L48"),
    ({"landscape": ["W1", "L01", "L02", "L03"]}, "landscape .* are not different tiles"),
    ({"tasks": ["L01"]}, "tasks .* are not different tiles of W1 to S5"),
    ({"markers": {"M": [3]}}, "markers .* is not a mapping from types"),
    ({"markers": {}}, r"markers of type W \(\) are fewer than its 5 task tiles"),
    ({"markers": {"W": [4]}, "tasks": ["W1", "W2"]}, "markers of type W .* are fewer than its 2 task tiles"),
    ({"markers": {"W": [4] * 6}, "tasks": ["W1"]}, "markers of type W .* up to 5 whole numbers from 1 to 73"),
    ({"markers": {"W": [74]}, "tasks": ["W1"]}, "markers of type W .* up to 5 whole numbers"),
    ({"widow": 3}, "unknown parameter 'widow'; known are landscape, tasks"),
]


@pytest.mark.parametrize(("parameters", "told"), BAD, ids=[repr(case[0])[:60] for case in BAD])
def test_what_is_refused(parameters: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        Setup.of(**parameters)
    with pytest.raises(BadSetup, match=told):
        Game.new(**parameters)


def test_a_set_up_alone() -> None:
    with pytest.raises(BadSetup, match="a set-up says all parameters"):
        Setup.of(Setup.of(2), window=3)
    with pytest.raises(BadSetup, match="a set-up says all parameters"):
        Setup.of(Setup.of(2), tasks=[])


def test_foreign_beginnings_are_refused() -> None:
    start = Setup.of(2).start(3)
    assert pickle.loads(pickle.dumps(start)) == start
    for parts, told in (
        ((None, 3, ("A", "B")), "setup None is not a Setup"),
        ((start.setup, -1, ("A", "B")), "seed"),
        ((start.setup, 3, "AB"), "names .* are not 2 texts, one for each seat"),
        ((start.setup, 3, ("A",)), "names"),
        ((start.setup, 3, ("A", "B"), 5), "continues 5"),
    ):
        with pytest.raises(BadSetup, match=told):
            Start(*parts)


def test_d28_the_number_of_players_changes_nothing_else() -> None:
    solo = games(0, 9, 1)
    for players in range(2, 7):
        game = Game.new(players, seed=9)
        for action in solo[-1].actions:
            game = game.dealt().push(action)
        assert game.over
        assert game.position() == solo[-1].position() | {"players": players}
        assert game.record()["turns"] == solo[-1].record()["turns"]


def test_d20_seats_move_in_turn() -> None:
    for game in games(1, 2, 3):
        if not game.over:
            begun = game.turn - (0 if game.needs_chance and game.tile is None else 1)
            assert game.to_move == begun % 3


def test_variants_of_the_tests_are_games() -> None:
    for variant in range(len(VARIANTS)):
        assert games(variant, 1)[-1].over
    assert any(game.state_dict()["left"] for game in games(1, 1)), "D13 is met in a small window"
    assert set(IDS) >= {game.tile for game in games(0, 1) if game.tile}
