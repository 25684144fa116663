"""The texts of moves: what is refused as none, and that any text is a legal move or refused."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bohemian_env import BadNotation, BohemianError, Game, GameOver, IllegalMove, RollNeeded
from tests.helpers import BOARD, SIX, cases_of, game_at, position
from tests.test_villages.cases import MOVES
from tests.test_villages.test_rulings import begun

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


POSITIONS = [begun(case) for case in cases_of(MOVES)]
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
