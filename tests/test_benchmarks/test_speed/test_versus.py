"""Two checkouts side by side: what is paired, the interval, who begins."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from agents.common.cores import usable_cores
from benchmarks.speed import versus
from benchmarks.speed.versus import groups, interval, page
from tests.helpers import ROOT, Ends


def test_rows_are_paired_by_id_and_divided_round_by_round() -> None:
    text = page({"a": [10, 30, 20], "b": [1, 1, 1]}, {"c": [9, 9, 9], "a": [10, 10, 10]})
    assert "| a | 2.00 × |" in text
    assert "b: only in this" in text
    assert "c: only in the other" in text


def test_the_interval_is_students_of_the_logarithms() -> None:
    ratios = (0.9, 1.0, 1.25, 1.1)
    low, high = stats.ttest_1samp(np.log(ratios), 0).confidence_interval(0.95)
    assert interval(ratios) == pytest.approx((math.exp(low), math.exp(high)))


def test_only_groups_with_a_wanted_row_are_run() -> None:
    assert groups([], 2) == ["1", "2", *versus.SCRIPTS]
    assert groups(["aec_raw*"], 2) == ["1"]
    assert groups(["step*"], 2) == ["1", "2"]
    assert groups(["step*"], 1) == ["1"]
    assert groups(["search:ppo*"], 2) == ["search:ppo:300/2/1/1"]


def test_checkouts_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = list[str]()

    def measure(group: str, checkout: Path, only: Sequence[str], cores: Sequence[int]) -> dict[str, float]:
        ran.append(checkout.name)
        return {"aec_raw/2/1/1": float(len(ran))}

    monkeypatch.setattr(versus, "measure", measure)
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    found = versus.measured([Path("here"), Path("there")], 2, ["aec_raw*"])
    assert ran == ["here", "there", "there", "here"]
    assert found == [{"aec_raw/2/1/1": [1, 4]}, {"aec_raw/2/1/1": [2, 3]}]


def test_a_folder_that_is_not_a_checkout_is_refused_by_name(tmp_path: Path, ends: Ends) -> None:
    said = ends(2, versus.main, tmp_path, "--only", "ppo*").err
    assert f"{tmp_path} cannot be measured: it has no benchmarks/speed/__main__.py" in said


@pytest.mark.slow
@pytest.mark.parametrize("group", ["1", *versus.SCRIPTS])
def test_every_group_measures_this_checkout(group: str) -> None:
    found = versus.measure(group, ROOT, ["aec_raw/2/1/1"], usable_cores())
    assert list(found) == ["aec_raw/2/1/1" if group == "1" else group]
    assert all(speed > 0 for speed in found.values())
