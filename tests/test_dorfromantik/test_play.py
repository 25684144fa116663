"""Whole games by the plain rules: what holds in each, however it is played."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.reference.dorfromantik import PlainGame
from tests.test_dorfromantik.laid import only, small
from tests.test_dorfromantik.play import PLAYERS, Event, carry_out, play

#: Whole games; a small one whose window is soon full, where tiles leave by D13; and one without landscape tiles.
VARIANTS: dict[str, dict[str, Any]] = {
    "whole": {},
    "narrow": {"window": 5},
    "small": small("L30 L34 L45 L33 L38 L42 L17 L12", "T5 S2 S3 W3 G2", markers={k: [2, 3, 4] for k in "WGVTS"}),
    "tasks": {"landscape": [], "left_in_box": 0},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", PLAYERS)
def test_what_holds_in_every_game(player: str, variant: str) -> None:
    game, total, seen = PlainGame(players=3, **VARIANTS[variant]), 0, Counter[str]()
    for kind, _ in play(game, random.Random(f"{player} {variant}"), player):
        seen[kind] += 1
        score, lying = game.score(), {tile for tile, _ in game.cells.values()}
        marked = [*game.open, *game.fulfilled, *game.aborted]
        assert score["total"] >= total, "D24: it never falls"
        assert score["total"] == sum(score[part] for part in ("markers", "flags", "track", "stream"))
        assert len(marked) == len(set(marked)), "a marker is in one place"
        assert set(marked) == {tile for tile in lying if game.tiles[tile].task}
        assert len(game.open) <= game.open_tasks, "D4"
        for number in (0, 1):
            assert (
                max(cell[number] for cell in game.cells or [(0, 0)])
                - min(cell[number] for cell in game.cells or [(0, 0)])
                < game.window
            ), "D26"
        legal, unseen = game.legal(), game.unseen()
        assert (game.due == "move") == bool(legal), "D13"
        assert legal == sorted({game.index(*move): move for move in legal}.values()), "D26: no shared number"
        assert sum(unseen.values()) == (0 if game.due in ("move", "over") else 1), "D27"
        total = score["total"]
    assert game.due == "over"
    assert seen["reveal"] == len(game.cells) + len(game.left) == len(game.turns)
    assert game.stacks()["landscape"] == 0, "D21"
    assert len(game.open) == game.open_tasks or game.stacks()["task"] == 0, "D21"


@pytest.mark.parametrize("player", PLAYERS)
def test_d28_any_number_of_seats_plays_the_same_game(player: str) -> None:
    one = PlainGame(players=1)
    others = [PlainGame(players=players) for players in range(2, 7)]
    for event in play(one, random.Random(28), player):
        for other in others:
            carry_out(other, event)
            assert other.due == one.due
            assert other.legal() == one.legal()
    for other in others:
        assert other.position() | {"players": 1} == one.position()


def test_d13_tiles_leave_a_narrow_game_and_only_then() -> None:
    whole, narrow = PlainGame(), PlainGame(window=4)
    for game in (whole, narrow):
        for _ in play(game, random.Random(13), "into holes"):
            pass
    assert not whole.left
    assert len(narrow.cells) <= 16
    assert len(narrow.left) == len(narrow.turns) - len(narrow.cells) > 20
    assert {turn["tile"] for turn in narrow.turns if turn["move"] is None} == set(narrow.left)


def test_d26_a_straight_line_reaches_the_window() -> None:
    game, withheld = PlainGame(), 0
    for _ in play(game, random.Random(26), "straight on"):
        withheld += game.withheld
    qs, rs = zip(*game.cells, strict=True)
    assert max(max(qs) - min(qs), max(rs) - min(rs)) == 22
    assert withheld > 0


def test_d26_withheld_counts_the_placements_that_nothing_else_forbids() -> None:
    game, wide = (PlainGame(**small("L42 L25 L18"), window=window) for window in (2, 23))
    for event in (("reveal", "L42"), ("place", (0, 0, 0)), ("reveal", "L25"), ("place", (1, 0, 0)), ("reveal", "L18")):
        carry_out(game, event)
        carry_out(wide, event)
    assert game.withheld == len(wide.legal()) - len(game.legal()) == (8 - 4) * 6
    assert wide.withheld == 0


def test_playing_on_with_a_copy_leaves_the_original_as_it_is() -> None:
    game, rng = PlainGame(), random.Random(5)
    for number, _ in enumerate(play(game, rng)):
        if number == 30:
            break
    kept = str(vars(game))
    events = list(play(game.copy(), rng))
    assert events
    assert str(vars(game)) == kept


def test_a_game_played_again_by_its_events_is_the_same_game() -> None:
    first, again = PlainGame(players=2), PlainGame(players=2)
    events: list[Event] = list(play(first, random.Random(32), "greedily"))
    for event in events:
        carry_out(again, event)
    assert again.position() == first.position()
    assert again.record() == first.record()


def test_d32_a_record_is_enough_to_play_the_game_again() -> None:
    first, again = PlainGame(window=5), PlainGame(window=5)
    for _ in play(first, random.Random(32), "into holes"):
        pass
    for turn in first.record()["turns"]:
        again.reveal(turn["tile"])
        if "marker" in turn:
            again.mark(turn["marker"])
        if turn["move"] is not None:
            again.place(*again.parse(turn["move"]))
    assert again.record() == first.record()
    assert again.position() == first.position()


def test_a_game_without_enough_pieces_is_refused() -> None:
    with pytest.raises(ValueError, match="D2"):
        PlainGame(landscape=["L01"])
    with pytest.raises(ValueError, match="D4"):
        PlainGame(**only("W1", "W2", markers={"W": [4]}))


def test_d32_there_is_no_position_before_a_tile_or_a_marker_is_drawn() -> None:
    game = PlainGame()
    with pytest.raises(ValueError, match="before a task"):
        game.position()
    game.reveal("W1")
    with pytest.raises(ValueError, match="before a marker"):
        game.position()
