"""The program that measures docs/trust.md, with a few games."""

from __future__ import annotations

import pytest

from agents.analysis.trust import TENTHS, trust
from pages import DOCS, TABLE_SIZES
from pages.generate import told_on
from pages.trust import OTHERS, main, others_table, trust_table


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


def test_others_as_a_table() -> None:
    found = trust("planner", 2, 20, 3)
    line = others_table({"planner": dict.fromkeys(TABLE_SIZES, found)}).splitlines()[-1]
    first = found.stated_less_won[0][0]
    told = f"{found.furthest:.3f}; {first.value:+.3f} ({first.low:+.3f} to {first.high:+.3f})"
    assert line == f"| `planner` | {' | '.join([told] * len(TABLE_SIZES))} |"


def test_the_page_says_of_every_cell_what_it_says_of_all() -> None:
    """No cell is off by more than .03, and for whom that does not hold is told, too."""
    text = (DOCS / "trust.md").read_text(encoding="utf-8")
    assert "no cell is off by more than 0.03" in " ".join(text.split())
    cells = [
        float(cell)
        for line in told_on("trust", "trust").splitlines()
        if line.startswith("| tenth")
        for cell in line.replace("|", "/").split("/")[2:-1]
    ]
    assert len(cells) == TENTHS * sum(TABLE_SIZES)
    assert max(map(abs, cells)) <= 0.03
    assert [f"| `{name}` |" in told_on("trust", "others") for name in OTHERS] == [True] * len(OTHERS)


@pytest.mark.parametrize("option", ["games", "few"])
def test_one_game_is_too_few(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([f"--{option}", "1"])
    assert f"--{option} 1: at least 2" in capsys.readouterr().err
