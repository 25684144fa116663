"""What is told of a run: JSON, the page, the picture, the terminal; what stayed disturbed is marked by itself."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed.__main__ import all_cases
from benchmarks.speed.figures import LEGEND
from benchmarks.speed.harness import Rounds, Row
from benchmarks.speed.machine import Machine, describe
from benchmarks.speed.report import Report, as_json, page, plot, print_report
from benchmarks.speed.startup import NAMES
from tests.helpers import ROOT

QUIET = (0.0, 0.001, 0.03)
DISTURBED = (0.0, 0.4, 0.03)


@pytest.fixture
def report() -> Report:
    """Six rows, of which the third stayed disturbed."""
    cases = {case.id: case for case in all_cases()}
    ids = [
        "step+mask/2/1024/1",
        "step+mask/2/1/1",
        "aec_raw/2/1/1",
        "connect_four_raw/2/1/1",
        "pgx_2048/1/128/1",
        "games/2/1024/1",
    ]
    rows = [
        Row(values=(9e6 / n, 10e6 / n, 12e6 / n), others=DISTURBED if n == 3 else QUIET, case=cases[name])
        for n, name in enumerate(ids, start=1)
    ]
    return Report(
        command="python -m benchmarks.speed",
        machine=replace(describe(usable_cores()), pinned_to=(1, 0)),
        rounds=3,
        seconds=1.0,
        rows=rows,
        skipped={"catanatron/2/1/1": "not installed: catanatron"},
        timings={name: Rounds(values=(0.3, 0.4, 0.5), others=QUIET) for name in NAMES},
        bytes_per_game={"position": 216.0},
    )


def test_the_page_of_the_docs_is_that_of_its_figures() -> None:
    path = ROOT / "docs" / "speed.json"
    data, cases = json.loads(path.read_text(encoding="utf-8")), {case.id: case for case in all_cases()}

    def rounds(row: dict[str, Any]) -> dict[str, Any]:
        return {name: tuple(row[name]) for name in ("values", "others")}

    kept = Report(
        command=data["command"],
        machine=Machine(**(data["machine"] | {"pinned_to": tuple(data["machine"]["pinned_to"])})),
        rows=[
            Row(**rounds(row), case=cases["{name}/{players}/{batch}/{threads}".format(**row)]) for row in data["rows"]
        ],
        skipped={one["name"]: one["reason"] for one in data["skipped"]},
        timings={one["name"]: Rounds(**rounds(one)) for one in data["start_up"]},
        **{name: data[name] for name in ("rounds", "seconds", "bytes_per_game", "torch_free", "took")},
    )
    assert json.loads(json.dumps(as_json(kept))) == data
    written = (path.with_name("speed.md")).read_text(encoding="utf-8")
    assert page(kept, path.with_name("speed.md"), path.with_name("speed.svg")) == written


def test_json_holds_rows_comparisons_machine_and_what_was_skipped(report: Report) -> None:
    found = json.loads(json.dumps(as_json(report)))
    first = found["rows"][0]
    assert first["name"] == "step+mask"
    assert (first["players"], first["batch"], first["threads"]) == (2, 1024, 1)
    assert (first["low"], first["steps_per_second"], first["high"]) == (9e6, 10e6, 12e6)
    assert first["values"] == [9e6, 10e6, 12e6]
    assert first["others"] == list(QUIET)
    assert [row["disturbed"] for row in found["rows"]] == [False, False, True, False, False, False]
    assert "games_per_second" in found["rows"][-1]
    assert found["skipped"] == [{"name": "catanatron/2/1/1", "reason": "not installed: catanatron"}]
    timing = {"name": "import", "seconds": 0.4, "low": 0.3, "high": 0.5, "values": [0.3, 0.4, 0.5]}
    assert found["start_up"][0] == {**timing, "others": list(QUIET), "disturbed": False}
    machine = found["machine"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", machine["date"])
    assert {"numpy", "numba", "pettingzoo", "gymnasium"} <= set(machine["versions"])
    assert machine["cpu"]
    assert machine["cores"] >= 1


def test_a_comparison_in_json_has_its_targets(report: Report) -> None:
    found = {one["label"]: one for one in as_json(report)["comparisons"]}
    ratio = found["AEC raw to connect_four raw"]
    assert ratio["median"] == pytest.approx(4 / 3)
    assert (ratio["must"], ratio["aim"], ratio["reached"]) == (4.0, None, "disturbed")
    assert found["step + mask, batch 1,024"]["reached"] == "aim"


def test_the_page_has_every_table_and_what_was_not_measured(report: Report, tmp_path: Path) -> None:
    text = page(report, tmp_path / "docs" / "speed.md", tmp_path / "docs" / "speed.svg")
    assert "| step + mask, batch 1,024 | 10.0 M | 9.00 – 12.0 M | 7.00 M | 10.0 M | aim |" in text
    assert "| catanatron/2/1/1 | not installed: catanatron |" in text
    assert "](speed.svg)" in text
    for title in (
        "Targets",
        "Peers",
        "Games, after-states, chances and copies",
        "Start-up, in fresh processes",
        "Not measured",
    ):
        assert f"\n## {title}\n" in text


def test_the_page_marks_the_rows_that_stayed_disturbed_and_no_others(report: Report) -> None:
    marked = [line.split(" | ")[0] for line in page(report).replace(LEGEND, "").splitlines() if "†" in line]
    assert set(marked) == {"| AEC raw, compiled choice", "| AEC raw to connect_four raw", "| aec_raw"}


def test_the_whole_page_is_warned_of_only_for_what_concerns_all_of_it(report: Report) -> None:
    assert report.warnings == []
    assert len(replace(report, torch_free=False).warnings) == 1
    assert len(replace(report, machine=replace(report.machine, pinned_to=())).warnings) == 1


@pytest.mark.parametrize(("form", "start"), [("png", b"\x89PNG\r"), ("svg", b"<?xml")])
def test_the_picture(report: Report, form: str, start: bytes) -> None:
    assert plot(report, form).startswith(start)


def test_the_report_prints(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(report)
    out = capsys.readouterr().out
    assert "AEC raw to connect_four raw" in out
    assert "not installed: catanatron" in out
