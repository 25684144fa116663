"""The programs that measure docs/skill.md and docs/ceiling.md, with a few games."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from agents.analysis.trust import trust
from agents.common.statistics import Estimate
from pages import TABLE_SIZES, ceiling
from pages.skill import luck_row, played, sure_rows, trust_table


def test_luck_of_a_comparison(tmp_path: Path) -> None:
    row = luck_row(played(3, "appraiser", "planner", 30, 1, str(tmp_path)))
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


def test_trust_as_a_table() -> None:
    lines = trust_table({2: trust("planner", 2, 20, 3)}).splitlines()
    assert lines[0] == "|  | 2 players |"
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == [
        *(f"tenth {k}" for k in range(1, 11)), "furthest", "Brier score", "… of equal shares", "games",
    ]  # fmt: skip
    assert lines[-1] == "| games | 20 |"


def test_the_ceiling_is_measured_with_the_playouts_of_each_time(tmp_path: Path) -> None:
    few = {str(n): {name: {"5": 2, "20": 3} for name in ceiling.SEARCHING} for n in TABLE_SIZES}
    options = argparse.Namespace(program="ceiling", times=(5,), games=2, few=2, jobs=1, work=tmp_path)
    found = ceiling.points(options, few)
    pairings = (*ceiling.SEARCHING, "head to head")
    assert set(found) == {(n, pairing, 5) for n in TABLE_SIZES for pairing in pairings}
    lines = ceiling.shares_table(found, few).splitlines()
    assert len(lines) == 2 + len(TABLE_SIZES)
    assert lines[2].startswith("| 2 | 5 | 2 | 2 | ")
    picture = ceiling.picture({(*key[:2], 20): Estimate(0.5, 0.4, 0.6) for key in found} | found)
    assert picture.count("players") >= 4


def test_the_ceiling_needs_its_playouts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ceiling.main(["--work", str(tmp_path)]) == 2
    assert "--measure makes it" in capsys.readouterr().err


def test_playouts_follow_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceiling, "TABLE_SIZES", (2,))
    assert ceiling.main(["--measure", "--work", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "playouts.json").read_text())
    for counts in found["2"].values():
        assert [*counts] == ["5", "20", "80", "320", "1280"]
        assert [*counts.values()] == sorted(counts.values())
        assert counts["1280"] > 100 * counts["5"]
