"""Golden games: each replays from its villages and dice, and every line that follows from them is as it was kept."""

import re

import pytest

from tests.golden import FOLDER, GAMES, read, written

KEPT = {name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name: str) -> None:
    """If it goes otherwise on purpose: `python -m tests.golden`, and say why."""
    assert written(*read(KEPT[name])) == KEPT[name]


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"^  reroll [\d,]+ -> rolls ", id="a reroll"),
        pytest.param(r"@\w+ -> kicked \d", id="a figure kicked out"),
        pytest.param(r":bishop$", id="the bishop taken"),
        pytest.param(r":special$", id="a special action tile taken"),
        pytest.param(r"seat (\d): income [1-9].*bishop (?!\1)", id="an active inn that pays"),
        pytest.param(r"seat (\d): income [1-9].*bishop \1", id="an income with the bishop"),
        pytest.param(r":mill@\w+ -> paid (\d+ )*[1-9]\d* (0 )*[1-9]", id="all mills occupied, and several seats paid"),
        pytest.param(r":glass@\w+ -> paid (\d+ )*[1-9]\d* (0 )*[1-9]", id="all glass factories, and several paid"),
        pytest.param(r":farm@\w+ -> (kicked \d, )?paid (\d+ )*[2-9]", id="a farm beside another"),
        pytest.param(r":manor@\w+ -> paid ", id="a manor"),
        pytest.param(r"^  end$", id="a turn stopped by choice"),
        pytest.param(r"^end: bank empty$", id="an empty bank"),
        pytest.param(r"^end: no figures$", id="a hand without figures"),
        pytest.param(r"town_halls -5", id="no town hall"),
    ],
)
def test_the_golden_games_show(pattern: str) -> None:
    assert any(re.search(pattern, line) for lines in KEPT.values() for line in lines)
