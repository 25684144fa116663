"""The benchmark of speed, for correctness and not for time: rows, ratios, what is skipped, and what is written."""

import gc
import json
import operator
import os
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from agents.common.cores import usable_cores
from benchmarks.speed import __main__ as throughput
from benchmarks.speed import comparisons, null_aec, ours
from benchmarks.speed.aec import CHOOSERS, aec_loop, compiled_choices
from benchmarks.speed.comparisons import Rate, Ratio, Seconds, compare_rates, compare_ratios, compare_seconds
from benchmarks.speed.harness import Case, Loop, Row, Skipped, WorkerError, measure, run_rounds
from benchmarks.speed.machine import describe
from benchmarks.speed.report import Report, as_json, markdown, plot, print_report
from benchmarks.speed.startup import NAMES, StartUp, Timing
from bohemian_env.envs.observation import OBSERVATION_SIZE
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.game.state import STATE

ALL = throughput.all_cases()
THREE = partial(Loop, partial(len, "abc"))  # a case that counts 3, in any process
FAILS = partial(operator.truediv, 1, 0)


def ids(cases):
    return [case.id for case in cases]


# --- what is timed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", [ALL, ours.quick_cases()], ids=["all", "quick"])
def test_no_two_cases_have_the_same_key(cases):
    assert len(set(ids(cases))) == len(cases)


def test_quick_measures_ours_alone_under_the_agreed_names():
    cases = ours.quick_cases()
    layers = {"step", "step+mask", "step+mask+int8"}
    assert {case.name for case in cases} == layers | {"aec_raw", "aec_wrapped", "null_aec_raw", "null_aec_wrapped"}
    assert all(case.ours and case.library == "ours" for case in cases)
    for layer in layers:
        mine = [case for case in cases if case.name == layer]
        assert {case.batch for case in mine if case.threads == 1} == {1, 64, 1024, 8192, 65536}
        assert {case.players for case in mine} == {2, 5}
        assert {case.threads for case in mine} == {1, 2}
    assert set(ids(cases)) <= set(ids(ALL))


def test_every_comparison_is_between_cases_that_exist():
    known = {case.key for case in ALL}
    asked = {rate.key for rate in comparisons.RATES}
    asked |= {key for ratio in comparisons.RATIOS for key in (ratio.key, *ratio.others)}
    assert asked <= known
    assert {limit.name for limit in comparisons.SECONDS} <= set(NAMES)


def test_every_case_says_what_a_step_includes_and_peers_what_they_need():
    assert all(case.includes for case in ALL)
    assert all(case.needs for case in ALL if not case.ours)


SMALL = [case for case in ALL if case.library == "ours" and case.batch <= 64]


@pytest.mark.parametrize("case", SMALL, ids=ids(SMALL))
def test_every_small_case_of_ours_plays(case):
    loop = case.make()
    assert loop.count([loop.play(), loop.play()]) > 0


@pytest.mark.parametrize("layer", list(ours.LAYERS))
def test_a_batch_counts_steps_of_single_games(layer, monkeypatch):
    loop = ours.batch_loop(layer, 3, 5, 1)
    batch, calls = ours._batch(3, 5, 1), []
    step = batch.step
    monkeypatch.setattr(batch, "step", lambda actions: calls.append(len(actions)) or step(actions))
    assert loop.play() == sum(calls) > 0
    assert set(calls) == {5}


def test_whole_games_are_counted_as_they_end():
    loop = ours.games_loop(2, 16)
    batch = ours._batch(2, 16, 1)
    ended = 0
    for _ in range(200):
        before = batch.seeds.copy()
        ended += (counted := loop.play())
        assert counted == (batch.seeds != before).sum()
    assert ended > 16


def test_the_aec_loop_counts_living_steps():
    assert aec_loop(partial(ours.make_null_env, True), "compiled").play() == null_aec.STEPS
    env, actions = ours.make_env(3, wrapped=False), []
    step = env.step
    env.step = lambda action: actions.append(action) or step(action)
    loop = aec_loop(lambda: env, "numpy")
    actions.clear()
    assert loop.play() == sum(action is not None for action in actions) > 10
    assert actions[-3:] == [None] * 3
    assert env.outcome() is not None


@pytest.mark.parametrize("name", list(CHOOSERS))
def test_choosers_take_every_legal_action_and_no_other(name):
    choose = CHOOSERS[name]()
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[[3, 99, 240]] = 1
    drawn = [int(choose(mask)) for _ in range(300)]
    assert {action: drawn.count(action) > 60 for action in set(drawn)} == {3: True, 99: True, 240: True}


def test_choices_for_many_masks():
    masks = np.eye(7, dtype=np.int8)
    assert compiled_choices()(masks).tolist() == list(range(7))


def test_bytes_per_game():
    found = ours.bytes_per_game()
    assert found["position"] == STATE.itemsize
    assert found["mask and observation"] == NUM_ACTIONS + OBSERVATION_SIZE
    assert found["all"] > found["position"] + found["mask and observation"]


# --- how it is timed ----------------------------------------------------------------------------------------------


def test_measuring_stops_the_collector_counts_late_and_gives_a_rate():
    collecting = []

    def play():
        collecting.append(gc.isenabled())
        return "two steps"

    kept = []
    rate, cpu = measure(Loop(play, lambda results: kept.extend(results) or 2 * len(results)), 0.02)
    assert gc.isenabled()
    assert not any(collecting)
    assert 0 < len(kept) < len(collecting)  # the warm-up is not counted
    assert set(kept) == {"two steps"}
    assert 0 < rate <= 2 * len(kept) / 0.02
    assert cpu > 0


def test_a_round_has_every_case_once_and_every_second_round_goes_backwards():
    cases = [Case(name, name, THREE, "", ours=True) for name in "ab"]
    told, ends = [], []
    rows, skipped = run_rounds(cases, 3, 0.001, [], after_round=lambda: ends.append(len(told)), progress=told.append)
    assert [re.sub(" of 3|/.*", "", text) for text in told] == [
        *("preparing a", "preparing b"),
        *("round 1: a", "round 1: b"),
        *("round 2: b", "round 2: a"),
        *("round 3: a", "round 3: b"),
    ]
    assert ends == [4, 6, 8]
    assert skipped == []
    for row, name in zip(rows, "ab", strict=True):
        assert row.case.name == name
        assert len(row.values) == 3
        assert 0 < row.low <= row.median <= row.high


def test_what_cannot_be_measured_is_skipped_by_name():
    cases = [
        Case("absent", "x", THREE, "", needs=("json", "no_such_module")),
        Case("broken", "y", FAILS, ""),
        Case("wide", "y", THREE, "", threads=9),
        Case("fine", "y", THREE, ""),
    ]
    rows, skipped = run_rounds(cases, 1, 0.001, usable_cores()[:2])
    assert [row.case.name for row in rows] == ["fine"]
    assert {one.case.name: one.reason for one in skipped} == {
        "absent": "not installed: no_such_module",
        "broken": "failed: ZeroDivisionError: division by zero",
        "wide": "needs 9 cores",
    }


def test_a_failure_of_ours_ends_the_run():
    with pytest.raises(WorkerError, match="step/2/1/1: ZeroDivisionError"):
        run_rounds([Case("step", "ours", FAILS, "", ours=True)], 1, 0.001, [])


def test_a_process_that_dies_is_reported():
    rows, skipped = run_rounds([Case("fatal", "x", partial(os._exit, 3), "")], 1, 0.001, [])
    assert rows == []
    assert skipped[0].reason == "failed: its process ended with status 3"


# --- what is made of it -------------------------------------------------------------------------------------------


def row(name, *values, players=2, batch=1, threads=1, ours=True, cpu=None):
    case = Case(name, "library", THREE, f"what {name} includes", players, batch, threads, ours=ours)
    return Row(case, values, (1.0,) * len(values) if cpu is None else cpu)


def key(name):
    return name, 2, 1, 1


ROWS = [row("a", 10.0, 20.0, 30.0), row("b", 5.0, 5.0, 10.0), row("c", 1.0, 4.0, 100.0)]


def test_ratios_by_hand():
    # a/b round by round: 2, 4, 3
    (one,) = compare_ratios(ROWS, [Ratio("a to b", key("a"), (key("b"),), 2.5, 3.5)])
    assert one.values == (2.0, 4.0, 3.0)
    assert (one.median, one.low, one.high) == (3.0, 2.0, 4.0)
    assert (one.ours, one.against) == ("a/2/1/1", "b/2/1/1")
    assert one.verdict == "must"


def test_of_several_peers_the_best_median_counts():
    # medians: b 5, c 4
    (one,) = compare_ratios(ROWS, [Ratio("", key("a"), (key("c"), key("b"), key("not measured")))])
    assert one.against == "b/2/1/1"


def test_comparisons_without_both_sides_are_left_out():
    asked = [Ratio("", key("a"), (key("z"),)), Ratio("", key("z"), (key("a"),))]
    assert compare_ratios(ROWS, asked) == []
    assert compare_rates(ROWS, [Rate("", key("z"), 1.0)]) == []
    assert compare_seconds([], [Seconds("", "import", 1.0)]) == []


@pytest.mark.parametrize(
    ("must", "aim", "verdict"),
    [
        (20.0, None, "must"),
        (20.1, None, "missed"),
        (10.0, 20.0, "aim"),
        (10.0, 21.0, "must"),
        (None, 21.0, "below the aim"),
        (None, 20.0, "aim"),
        (None, None, ""),
    ],
)
def test_verdicts(must, aim, verdict):
    assert compare_rates(ROWS, [Rate("", key("a"), must, aim)])[0].verdict == verdict


@pytest.mark.parametrize(("limit", "verdict"), [(0.4, "must"), (0.39, "missed")])
def test_of_seconds_less_is_better(limit, verdict):
    timing = Timing("import", (0.3, 0.4, 0.9))
    assert compare_seconds([timing], [Seconds("", "import", limit)])[0].verdict == verdict


@pytest.fixture
def report():
    names = {case.key: case for case in ALL}
    measured = [
        Row(names[wanted], (9e6 / n, 10e6 / n, 12e6 / n), (1.0, 1.0, 1.0))
        for n, wanted in enumerate(
            [
                ("step+mask", 2, 1024, 1),
                ("step+mask", 2, 1, 1),
                ("aec_raw", 2, 1, 1),
                ("connect_four_raw", 2, 1, 1),
                ("pgx_2048", 1, 128, 1),
                ("games", 2, 1024, 1),
            ],
            start=1,
        )
    ]
    return Report(
        command="python benchmarks/throughput.py",
        machine=describe(usable_cores()),
        rounds=3,
        seconds=1.0,
        rows=measured,
        skipped=[Skipped(names["catanatron", 2, 1, 1], "not installed: catanatron")],
        timings=[Timing(name, (0.3, 0.4, 0.5)) for name in NAMES],
        bytes_per_game={"position": 216.0},
    )


def test_json_holds_rows_comparisons_machine_and_what_was_skipped(report):
    found = json.loads(json.dumps(as_json(report)))
    first = found["rows"][0]
    assert first["name"] == "step+mask"
    assert (first["players"], first["batch"], first["threads"]) == (2, 1024, 1)
    assert (first["low"], first["steps_per_second"], first["high"]) == (9e6, 10e6, 12e6)
    assert first["values"] == [9e6, 10e6, 12e6]
    assert "games_per_second" in found["rows"][-1]
    (ratio,) = [one for one in found["comparisons"] if one["label"] == "AEC raw to connect_four raw"]
    assert ratio["median"] == pytest.approx(4 / 3)
    assert (ratio["must"], ratio["aim"], ratio["verdict"]) == (4.0, None, "missed")
    assert found["skipped"] == [{"name": "catanatron/2/1/1", "reason": "not installed: catanatron"}]
    timing = {"name": "import", "seconds": 0.4, "low": 0.3, "high": 0.5, "values": [0.3, 0.4, 0.5]}
    assert found["start_up"][0] == timing
    machine = found["machine"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", machine["date"])
    assert {"numpy", "numba", "pettingzoo", "gymnasium"} <= set(machine["versions"])
    assert machine["cpu"]
    assert machine["cores"] >= 1


def test_the_page_has_every_table_and_what_was_not_measured(report, tmp_path):
    text = markdown(report, tmp_path / "docs" / "benchmarks.md", tmp_path / "docs" / "speed.svg")
    assert "| step + mask, batch 1,024 | 10.0 M | 9.00 – 12.0 M | 7.00 M | 10.0 M | aim reached |" in text
    assert "| catanatron/2/1/1 | not installed: catanatron |" in text
    assert "](speed.svg)" in text
    for title in ("Targets", "Peers", "Games and copies", "Start-up, in fresh processes", "Not measured"):
        assert f"\n## {title}\n" in text


def test_a_machine_that_is_not_quiet_is_said_so(report):
    def warned(**changes):
        return bool(replace(report, **changes).warnings)

    quiet, busy = replace(report.machine, load=0.1), replace(report.machine, load=1.5)
    assert warned(machine=busy)
    assert not warned(machine=quiet) or not quiet.pinned_to
    robbed = [row("a", 1.0, 1.0, cpu=(1.0, 0.5))]
    assert warned(machine=quiet, rows=robbed)
    assert warned(machine=quiet, torch_free=False)


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_picture(report, tmp_path, ending):
    plot(report, tmp_path / f"speed.{ending}")
    start = (tmp_path / f"speed.{ending}").read_bytes()[:5]
    assert start == (b"\x89PNG\r" if ending == "png" else b"<?xml")


def test_the_report_prints(report, capsys):
    print_report(report)
    out = capsys.readouterr().out
    assert "AEC raw to connect_four raw" in out
    assert "not installed: catanatron" in out


# --- the command --------------------------------------------------------------------------------------------------


def test_quick_writes_a_list_of_rows(tmp_path, capsys):
    target = tmp_path / "quick.json"
    patterns = ["step*/2/64/1", "aec_*", "null_aec_*"]
    command = ["--quick", "--rounds", "2", "--seconds", "0.001", "--json", str(target), "--only", *patterns]
    assert throughput.main(command) == 0
    rows = json.loads(target.read_text(encoding="utf-8"))
    assert {row["name"] for row in rows} == {case.name for case in ours.quick_cases()}
    for found in rows:
        assert {"players", "batch", "threads"} <= set(found)
        assert 0 < found["low"] <= found["steps_per_second"] <= found["high"]
        assert len(found["values"]) == 2
    assert "step+mask+int8" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["--json", "no/such/folder/file"]]
)
def test_a_wrong_command_line_is_refused_before_anything_is_measured(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        throughput.main(["--quick", *wrong])
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.slow
def test_every_installed_peer_plays():
    """Where none is installed, all are skipped by name."""
    cases = [case for case in ALL if not case.ours and case.batch <= 128]
    rows, skipped = run_rounds(cases, 1, 0.01, usable_cores())
    assert all(row.low > 0 for row in rows)
    assert all(one.reason.startswith("not installed: ") for one in skipped), skipped


@pytest.mark.slow
def test_start_up_is_timed_in_fresh_processes():
    start_up = StartUp(usable_cores())
    start_up.measure()
    found = {timing.name: timing.median for timing in start_up.timings}
    assert set(found) == set(NAMES)
    assert all(seconds > 0 for seconds in found.values())
    assert found["cached"] < found["compile"]
    assert start_up.torch_free
