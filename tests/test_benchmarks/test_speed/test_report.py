"""What is told of a run: comparisons, tables, the picture."""

import fnmatch
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed import training
from benchmarks.speed.__main__ import all_cases, main, told
from benchmarks.speed.harness import figures
from benchmarks.speed.machine import describe
from benchmarks.speed.ours import quick_cases
from benchmarks.speed.report import ASKED, compare, figure, page, plot
from benchmarks.speed.startup import NAMES
from pages import DOCS, speed
from tests.helpers import Ends, run_python, status_of

IDS = ("step+mask/2/1024/1", "step+mask/2/1/1", "aec_raw/2/1/1", "connect_four_raw/2/1/1", "pgx_backgammon/2/128/1")


@pytest.fixture(scope="module")
def data() -> Mapping[str, Any]:
    """Five rows."""
    cases = {case.id: case for case in all_cases()}
    rows = [cases[name].row((9e6 / n, 10e6 / n, 12e6 / n)) for n, name in enumerate(IDS, start=1)]
    about = {"command": "x", "machine": describe([]), "rounds": 3, "seconds": 1.0, "took": 60.0}
    started = [{"name": name, **figures((0.3, 0.4, 0.5), "seconds")} for name in NAMES]
    found = about | told(rows, {"catanatron/2/1/1": "not installed: catanatron"}, started)
    return dict(json.loads(json.dumps(found)))


def test_every_comparison_is_between_what_is_measured() -> None:
    known = {case.id for case in all_cases()}
    for ours, to in ASKED.values():
        assert ours in known
        assert not to or fnmatch.filter(known, to)
    assert {name for pair in training.RATIOS.values() for name in pair} == set(training.MAKERS)


def test_ratios_are_taken_in_each_round_to_the_best_peer() -> None:
    """Medians: b 5, c 4."""
    values = {"a": (10.0, 20.0, 30.0), "b": (5.0, 5.0, 10.0), "c": (1.0, 4.0, 40.0)}
    rows = {name: figures(each) for name, each in values.items()}
    absent = {"": ("a", "z"), "no": ("z", "a"), "none": ("z", "")}
    one, best = compare(rows, {"a to b": ("a", "b"), "best": ("a", "[bcz]")} | absent)
    assert one["values"] == best["values"] == [2.0, 4.0, 3.0]
    assert (one["median"], one["low"], one["high"]) == (3.0, 2.0, 4.0)
    assert [one[name] for name in ("label", "kind", "ours", "against")] == ["a to b", "ratio", "a", "b"]
    assert best["against"] == "b"


def test_figures_have_three_digits_and_a_unit() -> None:
    assert (figure("rate", 11_453_009), figure("rate", 99_960)) == ("11.5 M", "100 k")
    assert (figure("ratio", 1.904), figure("seconds", 0.476)) == ("1.90 ×", "0.48 s")


def test_the_page_of_the_docs_is_that_of_its_figures(tmp_path: Path) -> None:
    assert speed.main(["--figures", str(DOCS / "speed.json"), "--out", str(tmp_path)]) == 0
    for name in ("speed.md", "speed.json"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / name).read_text(encoding="utf-8")


def test_figures_of_another_form_are_told(tmp_path: Path, ends: Ends) -> None:
    (tmp_path / "figures.json").write_text('{"rows": []}', encoding="utf-8")
    said = ends(2, speed.main, "--figures", tmp_path / "figures.json", "--out", tmp_path).err
    assert "figures.json holds figures of another form: KeyError('comparisons')" in said
    assert not (tmp_path / "speed.md").exists()


def test_the_page_tells_medians_with_their_range_and_what_was_not_measured(data: Mapping[str, Any]) -> None:
    text = page(data)
    assert "| step + mask, batch 1,024 | 10.0 M | 9.00–12.0 M |" in text
    assert "| import | 0.40 s | 0.30–0.50 s | import bohemian_env |" in text
    assert "| catanatron/2/1/1 | not installed: catanatron |" in text
    assert plot(data).startswith(b"<?xml")


@pytest.mark.slow
def test_quick_writes_a_list_of_rows(tmp_path: Path, ends: Ends) -> None:
    target, only = tmp_path / "quick.json", ["--only", "step*/2/64/1", "aec_*", "null_aec_*"]
    said = ends(0, main, "--quick", "--rounds", 2, "--seconds", 0.001, "--json", target, *only).out
    assert "step+mask+int8" in said
    rows = json.loads(target.read_text(encoding="utf-8"))
    assert {row["name"] for row in rows} == {case.name for case in quick_cases()}
    for found in rows:
        assert {"players", "batch", "threads", "values"} <= set(found)
        assert 0 < found["low"] <= found["steps_per_second"] <= found["high"]


@pytest.mark.slow
def test_it_runs_as_a_module_and_writes_a_page(tmp_path: Path) -> None:
    outputs = ["--only", "null_aec_raw/*", "--seconds", "0.01", "--markdown", str(tmp_path / "speed.md")]
    run_python("-m", "benchmarks.speed", *outputs).check_returncode()
    assert "| null_aec_raw | 1 |" in (tmp_path / "speed.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--seconds", "nan"], ["--json", "no/such/folder/file"]])
def test_a_wrong_command_line_is_refused_before_anything_is_measured(wrong: list[str]) -> None:
    assert status_of(main, "--quick", *wrong) == 2


@pytest.mark.slow
def test_contenders_train() -> None:
    found = training.run(1, [])
    assert [row["name"] for row in found["rows"]] == list(training.MAKERS)
    assert all(row["low"] > 0 for row in found["rows"])
