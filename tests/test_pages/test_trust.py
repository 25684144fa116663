"""The program that measures docs/trust.md, with a few games."""

from __future__ import annotations

import pytest

from agents.analysis.trust import trust
from pages.trust import main, trust_table


def test_trust_as_a_table() -> None:
    lines = trust_table({2: trust("planner", 2, 20, 3)}).splitlines()
    assert lines[0] == "|  | 2 players |"
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == [
        *(f"tenth {k}" for k in range(1, 11)),
        "95 % of a cell, at most ±",
        "furthest",
        "Brier score",
        "… of equal shares",
        "games, from seed 8,000,000",
    ]
    assert lines[-1] == "| games, from seed 8,000,000 | 20 |"


def test_one_game_is_too_few(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "1"])
    assert "--games 1: at least 2" in capsys.readouterr().err
