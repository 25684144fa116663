"""Two checkouts side by side: what is paired, the interval, what is measured again."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from agents.common.cores import usable_cores
from benchmarks.speed import versus
from benchmarks.speed.harness import Rounds
from benchmarks.speed.machine import ROOT
from benchmarks.speed.quiet import Measurement
from benchmarks.speed.versus import Group, Speeds, compare, groups, interval, page


def speeds(**rows: Sequence[float]) -> Speeds:
    return {name: Rounds(values=tuple(values), others=(0.0,) * len(values)) for name, values in rows.items()}


def test_rows_are_paired_by_id_and_divided_round_by_round() -> None:
    this, other = speeds(a=[10, 30, 20], b=[1, 1, 1]), speeds(c=[9, 9, 9], a=[10, 10, 10])
    (one,) = compare(this, other)
    assert (one.ours, one.values, one.median) == ("a", (1.0, 3.0, 2.0), 2.0)
    text = page(this, other)
    assert "| a | 2.00 × |" in text
    assert "b: only in this" in text
    assert "c: only in the other" in text


def test_a_row_is_marked_where_either_process_stayed_disturbed() -> None:
    this, other = speeds(a=[10, 10], b=[10, 10]), speeds(a=[10, 10])
    other["b"] = Rounds(values=(10, 10), others=(0.0, 0.5))
    assert {one.ours: one.disturbed for one in compare(this, other)} == {"a": False, "b": True}
    assert "| b | 1.00 × † |" in page(this, other)


def test_the_interval_is_students_of_the_logarithms() -> None:
    ratios = (0.9, 1.0, 1.25, 1.1)
    low, high = stats.ttest_1samp(np.log(ratios), 0).confidence_interval(0.95)
    assert interval(ratios) == pytest.approx((math.exp(low), math.exp(high)))
    assert interval([1 / ratio for ratio in ratios]) == pytest.approx((math.exp(-high), math.exp(-low)))


def test_only_groups_with_a_wanted_row_are_run() -> None:
    here = Path("here")
    assert len(groups(here, [], 2)) == 2 + len(versus.SCRIPTS)
    assert groups(here, ["aec_raw*"], 2) == [Group(here, 1)]
    assert groups(here, ["step*"], 2) == [Group(here, 1), Group(here, 2)]
    assert groups(here, ["step*"], 1) == [Group(here, 1)]
    assert groups(here, ["search:ppo*"], 2) == [Group(here, script="search:ppo:300/2/1/1")]


def test_checkouts_take_turns_and_disturbed_processes_are_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = list[str]()
    monkeypatch.setattr(versus, "check", lambda checkout: None)

    def run(group: Group, only: Sequence[str], cores: Sequence[int]) -> Measurement[dict[str, float]]:
        ran.append(group.checkout.name)
        return Measurement({"aec_raw/2/1/1": float(len(ran))}, 0.5 if len(ran) == 2 else 0.0)

    monkeypatch.setattr(Group, "run", run)
    here, there = versus.measured([Path("here"), Path("there")], 2, 5, ["aec_raw*"])
    assert ran == ["here", "there", "there", "there", "here"]
    assert here == speeds(**{"aec_raw/2/1/1": [1, 5]})
    assert there == speeds(**{"aec_raw/2/1/1": [3, 4]})


def test_a_folder_that_is_not_a_checkout_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert versus.main([str(tmp_path), "--only", "ppo*"]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path} cannot be measured: it has no benchmarks/speed/__main__.py" in said


@pytest.mark.slow
@pytest.mark.parametrize("group", groups(ROOT, ["aec_raw*", *versus.SCRIPTS], 1), ids=lambda group: group.script)
def test_every_group_measures_this_checkout(group: Group) -> None:
    taken = group.run(["aec_raw/2/1/1"], usable_cores())
    assert list(taken.value) == [group.script or "aec_raw/2/1/1"]
    assert all(speed > 0 for speed in taken.value.values())
