"""How training scales over ranks, for correctness and not for time."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.speed import ranks
from benchmarks.speed.comparisons import Asked, compare
from benchmarks.speed.figures import LEGEND
from benchmarks.speed.harness import Rounds
from benchmarks.speed.machine import describe


def report(others: float = 0.0) -> ranks.Report:
    """What a run on two ranks might have measured."""
    of = {
        name: Rounds(values=(k, 2 * k), others=(0.0, others))
        for name, k in zip(ranks.CASES, (1e3, 1.5e3, 1.2e3), strict=True)
    }
    asked = [Asked("", name, ranks.CASES[0]) for name in ranks.CASES[1:]]
    exchanges = {"gradients": [1e-3, 2e-3, 3e-3], "moments": [2e-4] * 3}
    machine = replace(describe([1]), date="today")
    waits = {name: Rounds(values=(0.1, 0.3), others=(0.0, others)) for name in ranks.CASES}
    return ranks.Report(machine, 2, of, of, waits, compare(of, asked), exchanges, 1.0, 1_000_000)


def test_an_exchange_by_hand() -> None:
    """Two ranks send each other the whole in two steps; ten send 1.8 times the whole in eighteen."""
    assert ranks.exchange(2, 1_000_000, 1e8, 1e-4) == pytest.approx(0.01 + 4e-4)
    assert ranks.exchange(10, 1_000_000, 1e8, 1e-4) == pytest.approx(0.018 + 36e-4)


def test_the_arithmetic_by_hand() -> None:
    """24 minibatches an update; a step takes half of the moments' time between two."""
    (row, *_) = ranks.arithmetic(report())
    told = 24 * (1.8e6 / 1.25e8 + 36e-4)
    assert row[:3] == ["10", f"{10 / (1 + told):.1f} ×", f"{1 / (0.1 + told):.1f} ×"]


def test_strong_scaling_ends_where_a_rank_would_have_no_game() -> None:
    assert [bool(row[2]) for row in ranks.arithmetic(report())] == [count <= 512 for count in ranks.MANY]


@pytest.mark.parametrize(
    ("case", "games", "minibatch"), [("one process", 512, 2048), ("weak", 2048, 8192), ("strong", 512, 2048)]
)
def test_cases_share_or_multiply_the_games(case: str, games: int, minibatch: int) -> None:
    of = ranks.settings(case, 4)
    assert (of.games, of.minibatch) == (games, minibatch)


def test_the_page_and_json_mark_what_stayed_disturbed() -> None:
    text = ranks.page(report(), "the command")
    assert "| weak | 2 | 1024 | 2.25 k | 1.50 – 3.00 k | 1.50 × | 1.50 – 1.50 × | 2.25 k | 20% |" in text
    assert "| gradients | 1,000,000 | 2.00 |" in text
    assert "A rank sends 1,465 bytes a sample of its own" in text
    assert "†" in ranks.page(report(0.5), "the command").replace(LEGEND, "")
    rows = json.loads(json.dumps(ranks.as_json(report(0.5))))["rows"]
    assert [row["samples_per_second"]["disturbed"] for row in rows] == [True] * 3


def test_ranks_that_cannot_share_the_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for count in ("1", "3"):
        with pytest.raises(SystemExit, match="2"):
            ranks.main(["--ranks", count])
        assert f"--ranks {count}: at least 2, and a divisor of 512 games" in capsys.readouterr().err


@pytest.mark.slow
def test_a_round_is_measured(tmp_path: Path) -> None:
    assert ranks.main(["--rounds", "1", "--tries", "1", "--markdown", str(tmp_path / "page.md")]) == 0
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    for name in ranks.CASES:
        assert f"| {name} |" in text
