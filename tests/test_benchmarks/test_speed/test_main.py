"""The command `python -m benchmarks.speed`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.speed.__main__ import main
from benchmarks.speed.machine import ROOT
from benchmarks.speed.ours import quick_cases

FAST = ["--quick", "--rounds", "2", "--seconds", "0.001", "--tries", "1"]


def test_quick_writes_a_list_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "quick.json"
    patterns = ["step*/2/64/1", "aec_*", "null_aec_*"]
    assert main([*FAST, "--json", str(target), "--only", *patterns]) == 0
    rows = json.loads(target.read_text(encoding="utf-8"))
    assert {row["name"] for row in rows} == {case.name for case in quick_cases()}
    for found in rows:
        assert {"players", "batch", "threads", "others", "disturbed"} <= set(found)
        assert 0 < found["low"] <= found["steps_per_second"] <= found["high"]
        assert len(found["values"]) == 2
    assert "step+mask+int8" in capsys.readouterr().out


@pytest.mark.slow
def test_it_runs_as_a_module_and_writes_a_page(tmp_path: Path) -> None:
    outputs = ["--markdown", str(tmp_path / "speed.md")]
    command = [sys.executable, "-m", "benchmarks.speed", *FAST, "--only", "null_aec_raw/*", *outputs]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert "| null_aec_raw | 1 |" in (tmp_path / "speed.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "wrong",
    [["--rounds", "0"], ["--tries", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["--json", "no/such/folder/file"]],
)
def test_a_wrong_command_line_is_refused_before_anything_is_measured(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--quick", *wrong])
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err
