"""The program that measures docs/skill.md, with a few games."""

from __future__ import annotations

import re

import pytest

from pages.skill import PAIR, SEED, luck_row, main, sure_rows
from pages.tournaments import alone_among


@pytest.mark.slow
def test_luck_of_a_comparison() -> None:
    row = luck_row(alone_among(3, *PAIR, 30, SEED, luck=True))
    assert row[:4] == ["3", "appraiser", "planner", "30"]
    for cell in row[4:6]:
        assert re.fullmatch(r"-?\d\.\d{4} \(-?\d\.\d{4} to -?\d\.\d{4}\)", cell)
    assert float(row[6]) > 0


def test_errors_of_the_sequential_test() -> None:
    rows = sure_rows(40)
    unlike, alike = rows[:6], rows[6:]
    assert [row[1] for row in unlike] == ["-0.020", "-0.010", "+0.000", "+0.010", "+0.020", "+0.040"]
    assert [row[1] for row in alike] == ["-0.020", "+0.000", "+0.020"]
    for row in rows:
        assert sum(map(float, row[2:5])) == pytest.approx(1)
    for some in (unlike, alike):
        assert float(some[-1][2]) > 0.8
        assert float(some[0][3]) > 0.8


def test_each_table_has_games_of_luck_or_all_have(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "10", "20"])
    assert "--games with 2 numbers: one, or one for each of 4 tables" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["--tests", "0"])
    assert "--tests 0: at least 1" in capsys.readouterr().err
