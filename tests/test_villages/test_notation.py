"""The texts of moves: what is offered, what is refused and how."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bohemian_env import BadNotation, BohemianError, Game, GameOver, IllegalMove, RollNeeded
from tests.helpers import BOARD, SIX, game_at, position

LISTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "first move, four different dice": (
        dict(dice=(2, 3, 4, 6)),
        [
            "2+3:tailor@Nenbrad",
            "2+6:farm@Nenbrad",
            "3+4:glass@Nenbrad",
            "3+6:inn@Nenbrad",
            "4+6:town_hall@Nenbrad",
            "2+3+4:inn@Nenbrad",
            "2+3+6:church@Nenbrad",
            "2+3:special",
            "2+4:special",
            "2+6:special",
            "3+4:special",
            "3+6:special",
            "4+6:special",
        ],
    ),
    "first move, two pairs, a kick, a shop that is shut": (
        dict(
            players=3,
            turn=2,
            villages=("Fiskowitz", "Nenbrad"),
            owners={
                ("butchery", "Fiskowitz"): 0,
                ("butchery", "Nenbrad"): 2,
                ("tailor", "Fiskowitz"): 1,
                ("tailor", "Nenbrad"): 0,
                ("farm", "Nenbrad"): 0,
            },
            dice=(1, 1, 4, 4),
            bishop=2,
            special_supply=0,
        ),
        [
            "1+1:bakery@Fiskowitz",
            "4+4:farm@Nenbrad",
            "1+4+4:inn@Fiskowitz",
            "1+4+4:inn@Nenbrad",
            "1+1+4+4:town_hall@Fiskowitz",
            "1+1+4+4:town_hall@Nenbrad",
            "1+1:bishop",
            "4+4:bishop",
        ],
    ),
    "first move, four equal dice": (
        dict(villages=("Chlumhof", "Grundow"), dice=(3, 3, 3, 3), bishop=1),
        [
            "3+3:mill@Grundow",
            "3+3+3:inn@Chlumhof",
            "3+3+3+3:manor@Chlumhof",
            "3+3+3+3:manor@Grundow",
            "3+3:bishop",
            "3+3:special",
        ],
    ),
    "first move after a reroll": (
        dict(dice=(1, 1, 6, 6), spent=True, bishop=0),
        ["1+6:glass@Nenbrad", "1+1+6:farm@Nenbrad"],
    ),
    "a reroll that is forced": (
        dict(villages=("Chlumhof",), owners={("manor", "Chlumhof"): 1}, dice=(6, 6, 6, 6), bishop=0, special=(0,)),
        ["reroll 6", "reroll 6,6", "reroll 6,6,6", "reroll 6,6,6,6"],
    ),
    "second move with a tile": (
        dict(
            players=3,
            turn=8,
            villages=("Kunzendorf", "Nenbrad"),
            owners={("inn", "Kunzendorf"): 2, ("inn", "Nenbrad"): 1},
            dice=(4, 5),
            special=(0, 1),
        ),
        ["4+5:inn@Kunzendorf", "reroll 4", "reroll 5", "reroll 4,5", "end"],
    ),
    "second move with a pair": (
        dict(dice=(4, 4), owners={("farm", "Nenbrad"): 0}),
        ["4+4:bishop", "4+4:special", "end"],
    ),
    "one die left, a tile": (dict(dice=(6,), special=(0,)), ["reroll 6", "end"]),
}


@pytest.mark.parametrize(("parts", "moves"), LISTS.values(), ids=LISTS.keys())
def test_legal_moves_worked_out_by_hand(parts: dict[str, Any], moves: list[str]) -> None:
    assert sorted(game_at(**parts).legal_moves) == sorted(moves)


BAD = [
    "", " ", "3+4", "glass@Nenbrad", "3+4:", "3+4:glass", "3+4:glass@", "3+4:@Nenbrad", "3+4:glass Nenbrad",
    "3+4:Glass@Nenbrad", "3+4:brewery@Nenbrad", "3+4: glass@Nenbrad", " 3+4:glass@Nenbrad", "3+4:glass@Nenbrad ",
    "3+4:glass@Nenbrad\n", "3 + 4:glass@Nenbrad", "3,4:glass@Nenbrad", "34:glass@Nenbrad",
    "1+7:farm@Nenbrad", "0+7:glass@Nenbrad", "-1+8:glass@Nenbrad",
    "3+4:special@Nenbrad", "4+4:bishop@Nenbrad", "4+4", "special", "bishop",
    "reroll", "reroll ", "reroll 7", "reroll 2+6", "reroll 2, 6", "reroll  2", "reroll 2,", "reroll:2", "Reroll 2",
    "End", "end ", "pass", "stop", "٣+٤:glass@Nenbrad", "³+4:glass@Nenbrad", "reroll ２",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_a_text_that_is_no_move_is_bad_notation(text: str) -> None:
    game = game_at(dice=(2, 3, 4, 6), special=(0,))
    with pytest.raises(BadNotation):
        game.push(text)
    assert game.position() == position(dice=(2, 3, 4, 6), special=(0,))


@pytest.mark.parametrize(
    "text", ["4+3:glass@Nenbrad", "6+2:special", "4+2+3:inn@Nenbrad", "reroll 6,2", "2+6+4:manor@Nenbrad"]
)
def test_dice_not_ascending_are_bad_notation_that_says_so(text: str) -> None:
    with pytest.raises(BadNotation, match="ascending"):
        game_at(dice=(2, 3, 4, 6), special=(0,)).push(text)


TWO_GLASS = ("Kunzendorf", "Nenbrad")
ILLEGAL = [
    ("R6", "1+6:glass@Nenbrad", {}),
    ("R6", "3+3:bishop", {}),
    ("R6", "3+4:bishop", {}),
    ("R6", "2+2+3:glass@Nenbrad", {}),
    ("R6", "5+6:special", {}),
    ("R6", "2+2:bishop", dict(dice=(2, 2, 4, 6), bishop=0)),
    ("R6", "2+3:special", dict(special_supply=0)),
    ("R6", "2+3:special", dict(special=(0,))),
    ("R[68]", "2+3:special", dict(spent=True)),
    ("R7|R14", "end", {}),
    ("R13|R7|R14", "end", dict(villages=("Itschkau",), dice=(6, 6, 6, 6), bishop=0, special=(0,),
                               owners={("manor", "Itschkau"): 1})),
    ("R8", "reroll 2", {}),
    ("R8", "reroll 2", dict(spent=True)),
    ("R8", "reroll 2,2", dict(special=(0,))),
    ("R8", "reroll 5", dict(special=(0,))),
    ("R9|R10", "3+4:glass@Nenbrad", dict(villages=TWO_GLASS, owners={("glass", "Nenbrad"): 1})),
    ("R9|R10", "2+6:farm@Nenbrad", dict(villages=TWO_GLASS, owners={("farm", "Nenbrad"): 1})),
    ("R10", "2+6:farm@Nenbrad", dict(owners={("farm", "Nenbrad"): 0})),
    ("R10", "2+3:tailor@Nenbrad", dict(villages=("Anschow", "Nenbrad"),
                                       owners={("tailor", "Anschow"): 0, ("tailor", "Nenbrad"): 1})),
    ("R10", "2+4+6:manor@Itschkau", dict(villages=("Itschkau",), owners={("manor", "Itschkau"): 1})),
    ("R11", "2+6:farm@Nenbrad", dict(each=1, owners={("inn", "Nenbrad"): 0}, dice=(2, 6))),
    ("R9|R12", "2+4:mill@Nenbrad", {}),
]  # fmt: skip


@pytest.mark.parametrize(("ruling", "move", "parts"), ILLEGAL)
def test_an_illegal_move_is_named_with_its_ruling_and_changes_nothing(
    ruling: str, move: str, parts: dict[str, Any]
) -> None:
    parts = dict(dice=(2, 3, 4, 6)) | parts
    game = game_at(**parts)
    with pytest.raises(IllegalMove, match=rf"\b({ruling})\b") as refused:
        game.push(move)
    assert move in str(refused.value)
    assert game.position() == position(**parts)


def test_a_refusal_passes_from_one_process_to_another_as_it_is() -> None:
    for refusal in (IllegalMove("end", "R7: not yet"), IllegalMove("end", "R7: not yet", "turn 3")):
        again = pickle.loads(pickle.dumps(refusal))
        assert (type(again), again.move, again.reason, str(again)) == (IllegalMove, "end", "R7: not yet", str(refusal))


def test_a_push_where_a_roll_is_due_needs_the_roll() -> None:
    game = Game.new(players=2, villages=SIX, board=BOARD)
    with pytest.raises(RollNeeded):
        game.push("3+4:glass@Nenbrad")
    with pytest.raises(RollNeeded):
        game_at(dice=(2, 6), special=(0,)).push("reroll 2").push("end")


def test_a_push_after_the_end_is_refused() -> None:
    game = game_at(dice=(2, 6), max_turns=1).push("end")
    with pytest.raises(GameOver):
        game.push("2+6:farm@Nenbrad")


POSITIONS = [game_at(**parts) for parts, _ in LISTS.values()]
ALPHABET = "0123456789+,:@ abefghilmnorstwNKend_"


@st.composite
def almost_moves(draw: st.DrawFn) -> str:
    """A legal move of some of the positions with a character or two changed."""
    text = draw(st.sampled_from([move for game in POSITIONS for move in game.legal_moves]))
    for _ in range(draw(st.integers(0, 2))):
        at, new = draw(st.integers(0, len(text))), draw(st.sampled_from([*ALPHABET, ""]))
        text = text[:at] + new + text[at + draw(st.integers(0, 1)) :]
    return text


@settings(deadline=None, max_examples=300)
@given(text=st.one_of(st.text(), almost_moves()), number=st.integers(0, len(POSITIONS) - 1))
def test_any_text_is_a_legal_move_or_refused_by_an_error_of_ours(text: str, number: int) -> None:
    game = POSITIONS[number]
    before = game.position()
    try:
        game.push(text)
    except BohemianError:
        assert text not in game.legal_moves
    else:
        assert text in game.legal_moves
    assert game.position() == before


def test_every_move_offered_is_taken() -> None:
    """From the hand-worked positions and through some random games."""
    chance = random.Random(5)
    for game in POSITIONS * 3:
        for _ in range(40):
            if game.over:
                break
            if game.needs_roll:
                game = game.roll(tuple(chance.randint(1, 6) for _ in range(game.dice_to_roll)))
                continue
            games = [game.push(move) for move in game.legal_moves]
            game = chance.choice(games)
