"""What is told of a run: JSON, the tables, the picture; what stayed disturbed is marked by itself."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed.__main__ import all_cases, told
from benchmarks.speed.comparisons import LEGEND, figure
from benchmarks.speed.harness import Rounds, Row
from benchmarks.speed.machine import describe
from benchmarks.speed.report import page, plot, print_report
from benchmarks.speed.startup import NAMES
from pages import DOCS, speed

QUIET = (0.0, 0.001, 0.03)
DISTURBED = (0.0, 0.4, 0.03)
IDS = ("step+mask/2/1024/1", "step+mask/2/1/1", "aec_raw/2/1/1", "connect_four_raw/2/1/1", "pgx_backgammon/2/128/1")


@pytest.fixture(scope="module")
def data() -> Mapping[str, Any]:
    """Five rows, of which the third stayed disturbed."""
    rows = [
        Row(values=(9e6 / n, 10e6 / n, 12e6 / n), others=DISTURBED if n == 3 else QUIET, case=case)
        for n, name in enumerate(IDS, start=1)
        for case in all_cases()
        if case.id == name
    ]
    timings = {name: Rounds(values=(0.3, 0.4, 0.5), others=QUIET) for name in NAMES}
    about = {"command": "x", "machine": asdict(describe(usable_cores())), "rounds": 3, "seconds": 1.0, "took": 60.0}
    found = about | told(rows, {"catanatron/2/1/1": "not installed: catanatron"}, timings)
    return dict(json.loads(json.dumps(found)))


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("rate", 11_453_009, "11.5 M"),
        ("rate", 99_960, "100 k"),
        ("ratio", 1.904, "1.90 ×"),
        ("seconds", 0.476, "0.48 s"),
    ],
)
def test_figures_have_three_digits_and_a_unit(kind: str, value: float, text: str) -> None:
    assert figure(kind, value) == text


def test_the_page_of_the_docs_is_that_of_its_figures(tmp_path: Path) -> None:
    assert speed.main(["--figures", str(DOCS / "speed.json"), "--out", str(tmp_path)]) == 0
    for name in ("speed.md", "speed.json"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / name).read_text(encoding="utf-8")


def test_figures_of_another_form_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "figures.json").write_text('{"rows": []}', encoding="utf-8")
    assert speed.main(["--figures", str(tmp_path / "figures.json"), "--out", str(tmp_path)]) == 2
    assert "figures.json holds figures of another form: KeyError('comparisons')" in capsys.readouterr().err
    assert not (tmp_path / "speed.md").exists()


def test_json_has_all_values_and_which_stayed_disturbed(data: Mapping[str, Any]) -> None:
    first = data["rows"][0]
    assert (first["name"], first["players"], first["batch"], first["threads"]) == ("step+mask", 2, 1024, 1)
    assert (first["low"], first["steps_per_second"], first["high"]) == (9e6, 10e6, 12e6)
    assert (first["values"], first["others"]) == ([9e6, 10e6, 12e6], [*QUIET])
    assert [row["disturbed"] for row in data["rows"]] == [False, False, True, False, False]
    found = {one["label"]: one for one in data["comparisons"]}
    assert found["AEC raw to connect_four raw"]["median"] == pytest.approx(4 / 3)
    assert found["AEC raw to connect_four raw"]["disturbed"]


def test_the_page_marks_the_rows_that_stayed_disturbed_and_no_others(data: Mapping[str, Any]) -> None:
    text = page(data)
    marked = {line.split(" | ")[0] for line in text.replace(LEGEND, "").splitlines() if "†" in line}
    assert marked == {"| AEC raw, compiled choice", "| AEC raw to connect_four raw", "| aec_raw"}
    assert "| step + mask, batch 1,024 | 10.0 M | 9.00–12.0 M |" in text
    assert "| catanatron/2/1/1 | not installed: catanatron |" in text


def test_pictures_and_the_terminal(data: Mapping[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert plot(data).startswith(b"<?xml")
    print_report(data)
    assert "AEC raw to connect_four raw" in capsys.readouterr().out
