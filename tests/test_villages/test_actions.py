"""Action numbers: their blocks, and the tables by dice and number, against plain enumeration."""

import pytest

from bohemian_env import IllegalMove
from bohemian_env.villages import actions as a
from bohemian_env.villages import dice as d
from bohemian_env.villages.facts import KINDS
from bohemian_env.villages.moves import move_of
from bohemian_env.villages.state import CELLS, FIELD, WORD_KINDS
from tests.test_villages.test_dice import ALL, PLACES, TOTALS, Dice, uses, ways_of


def test_the_blocks_hold_every_number_once() -> None:
    blocks = a.action_table()
    assert [number for first, last, _ in blocks for number in range(first, last + 1)] == list(range(a.NUM_ACTIONS))
    assert [first for first, *_ in blocks] == [0, CELLS, a.BISHOPS, a.SPECIALS, a.REROLLS, a.END]
    assert [CELLS, a.BISHOPS, a.SPECIALS, a.REROLLS, a.END, a.NUM_ACTIONS] == [99, 198, 204, 225, 240, 241]


def test_table_of_ways() -> None:
    """The cells that a handful reaches by its first and second way, all villages of a kind at once."""
    for number, dice in enumerate(d.DICE):
        for way in (0, 1):
            bits = int(a.WAYS[number, way, 0]) | int(a.WAYS[number, way, 1]) << FIELD * WORD_KINDS
            reached = {cell for cell in range(CELLS) if bits >> cell & 1}
            kinds = {kind for kind, total in enumerate(TOTALS) if len(ways_of(dice, total)) > way}
            assert bits < 1 << CELLS
            assert reached == {FIELD * kind + village for kind in kinds for village in range(FIELD)}


def test_dice_left_after_a_way() -> None:
    for number, dice in enumerate(d.DICE):
        left = uses(dice, (2, 3, 4))
        for kind, total in enumerate(TOTALS):
            for way, taken in enumerate(ways_of(dice, total)):
                assert d.DICE[a.AFTER_WAY[number, len(KINDS) * way + kind]] == left[taken]


# --- pairs, rerolls ---------------------------------------------------------------------------------------------


def test_dice_left_after_a_pair() -> None:
    assert list(a.PAIRS) == [dice for dice in ALL if len(dice) == 2]
    for number, dice in enumerate(d.DICE):
        for pair, left in uses(dice, (2,)).items():
            assert d.DICE[a.AFTER_PAIR[number, a.PAIRS.index(pair)]] == left


def test_dice_kept_in_a_reroll() -> None:
    """Of equal dice the lowest places are rolled (R15); what is kept is what was not taken."""
    assert list(a.SUBSETS) == PLACES
    for number, dice in enumerate(d.DICE):
        for again, kept in uses(dice, (1, 2, 3, 4)).items():
            assert d.DICE[a.AFTER_REROLL[number, canonical(dice, again)]] == kept


def canonical(dice: Dice, again: Dice) -> int:
    """The first choice of places that shows these numbers."""
    return next(k for k, ps in enumerate(PLACES) if ps[-1] < len(dice) and tuple(dice[p] for p in ps) == again)


def test_actions_that_the_dice_allow_besides_placing() -> None:
    """Every double takes the bishop, every pair a special action tile, every different choice is one reroll (R15),
    and with one or two dice left the turn can be stopped (R7, R14)."""
    for number, dice in enumerate(d.DICE):
        bits = int(a.OTHER[number]) << 192
        expected = {a.SPECIALS + a.PAIRS.index(pair) for pair in uses(dice, (2,))}
        expected |= {a.BISHOPS + n - 1 for n in range(1, 7) if dice.count(n) >= 2}
        expected |= {a.REROLLS + canonical(dice, again) for again in uses(dice, (1, 2, 3, 4))}
        expected |= {a.END} if len(dice) in (1, 2) else set()
        assert {action for action in range(a.NUM_ACTIONS) if bits >> action & 1} == expected
        assert bits < 1 << a.NUM_ACTIONS


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, a.NUM_ACTIONS])
def test_there_is_no_action_of_another_number(action: int) -> None:
    with pytest.raises(IllegalMove, match=f"actions are 0 to {a.NUM_ACTIONS - 1}$"):
        move_of(action, (1, 2, 3, 4), ())


def test_a_die_that_is_not_there_cannot_be_rolled_again() -> None:
    for number, places in enumerate(a.SUBSETS):
        dice = (1, 2, 3)[: places[-1]]
        with pytest.raises(IllegalMove, match=f"there is no place {places[-1] + 1} among"):
            move_of(a.REROLLS + number, dice, ())
