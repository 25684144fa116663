"""Campaigns: attempts follow from the seed, outlive their processes, and what broke is told and repeated."""

import importlib
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from bohemian_env.games import GAMES
from tests.faults import __main__ as command
from tests.faults import campaign
from tests.faults.campaign import Campaign, Fault, Tally, Tried, seed_of
from tests.helpers import Ends
from tests.waiting import until

Told = list[tuple[str, int, Sequence[Tried]]]


def fault(name: str, limit: float = 300.0) -> Fault:
    """A fault whose attempts are a function of tests/test_faults/attempts.py."""
    return Fault(name, f"tests.test_faults.attempts:{name}", limit=limit)


def campaign_of(told: Told, *faults: Fault, tally: Path | None = None) -> Campaign:
    """A campaign that keeps what it tells of attempts."""
    return Campaign(faults, 7, lambda name, number, seconds, tried: told.append((name, number, tried)), tally)


def ran(*faults: Fault, jobs: int = 1) -> Told:
    """What is told of one attempt of each fault."""
    told: Told = []
    campaign_of(told, *faults).run(0, jobs)
    return told


def test_every_fault_is_tried_however_short_the_campaign() -> None:
    told = ran(fault("fine"), fault("breaks"), fault("raises"), jobs=2)
    assert sorted((name, number) for name, number, _ in told) == [("breaks", 0), ("fine", 0), ("raises", 0)]
    found = {name: tried for name, _, tried in told}
    assert found["fine"] == [Tried("fine", 2)]
    assert found["breaks"] == [Tried("fine", 1), Tried("breaks", 1, (f"it broke with {seed_of(7, 'breaks', 0)}",))]
    assert found["raises"][0] == Tried("fine", 1)
    assert "ZeroDivisionError" in found["raises"][1].broken[0]


def test_a_process_that_dies_or_hangs_is_a_finding_and_the_campaign_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "load", lambda: 1.0)
    (_, _, died), (_, _, hung), (_, _, fine) = ran(fault("dies"), fault("hangs", limit=0.2), fault("fine"))
    assert died == [Tried("dies", 1, ("the process died: exit status -11",))]
    assert hung == [Tried("hangs", 1, ("no answer within 0.2 s",))]
    assert fine == [Tried("fine", 2)]


def test_an_interrupt_ends_a_campaign_and_is_no_finding() -> None:
    told: Told = []
    made = campaign_of(told, fault("hangs"))

    def interrupt() -> None:
        until(lambda: bool(made._at_work), "an attempt")
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    there = {*threading.enumerate()}
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        made.run(60, 1)
    until(lambda: there >= {*threading.enumerate()}, "the end of its threads")
    assert told == []


def test_attempts_follow_from_the_seed() -> None:
    seeds = {seed_of(campaign, name, number) for campaign in (0, 1) for name in ("a", "b") for number in range(50)}
    assert len(seeds) == 200
    assert seed_of(3, "kill-table", 17) == seed_of(3, "kill-table", 17)


@pytest.mark.parametrize(
    "options",
    [
        *(["--only", "nothing"], ["--games", "chess"], ["--jobs", "0"]),
        *(["--repeat", "http/villages"], ["--repeat", "nothing/villages:1"], ["--repeat", "http:1"]),
    ],
)
def test_the_command_refuses_what_it_does_not_know(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(options)
    assert f"argument {options[0]}" in capsys.readouterr().err.replace("error: --jobs", "argument --jobs")


def test_what_broke_is_told_last_with_the_attempt_that_repeats_it(monkeypatch: pytest.MonkeyPatch, ends: Ends) -> None:
    monkeypatch.setattr(command, "faults_of", lambda names, games: [fault(name) for name in names])
    monkeypatch.setattr(command, "FAULTS", {"breaks": "", "fine": ""})
    what = f"broken: breaks:3: breaks: it broke with {seed_of(5, 'breaks', 3)}"
    assert ends(1, command.main, "--seed", 5, "--repeat", "breaks:3").out.splitlines()[-1] == what
    assert command.main(["--only", "fine"]) == 0


def test_every_fault_is_tried_in_every_game() -> None:
    faults = command.faults_of([*command.FAULTS], [*GAMES, "chess"])
    assert {fault.name for fault in faults} == {
        f"{name}/{game}" for name in command.FAULTS for game in (*GAMES, "chess") if (name, game) != ("beside", "chess")
    }
    for fault in faults:
        module, _, function = fault.where.partition(":")
        assert callable(getattr(importlib.import_module(module), function))


def test_a_tally_goes_on_where_it_ended(tmp_path: Path) -> None:
    told: Told = []
    file, fine, breaks = tmp_path / "tally.json", fault("fine"), fault("breaks")
    for _ in range(2):
        campaign_of(told, fine, breaks, tally=file).run(0, 1)
    assert [(name, number) for name, number, _ in told] == [("fine", 0), ("breaks", 0), ("fine", 1), ("breaks", 0)]
    kept = {"attempts": 2, "broke": [], "tries": {"fine": 4}}
    assert Tally(file, 7).faults == {"fine": kept, "breaks": {"attempts": 1, "broke": [0], "tries": {}}}
    campaign_of(told, fine, tally=file).run(60, 2, goal=7)
    assert Tally(file, 7).of(fine)["tries"] in ({"fine": 8}, {"fine": 10})
    with pytest.raises(ValueError, match="a campaign with the seed 7, not 8"):
        Campaign([], 8, lambda *_: None, file)
