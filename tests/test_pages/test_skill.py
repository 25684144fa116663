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
    assert [row[0] for row in rows] == ["-0.020", "-0.010", "+0.000", "+0.010", "+0.020", "+0.040"]
    for row in rows:
        assert sum(map(float, row[1:4])) == pytest.approx(1)
    assert float(rows[-1][1]) > 0.9 < float(rows[0][2]) + 0.1


def test_each_table_has_games_of_luck_or_all_have(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "10", "20"])
    assert "--games with 2 numbers: one, or one for each of 4 tables" in capsys.readouterr().err
