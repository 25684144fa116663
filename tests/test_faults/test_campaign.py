"""Campaigns: attempts follow from the seed, outlive their processes, are counted once, and go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from faults import __main__ as command
from faults import page, preload
from faults.campaign import Attempt, Campaign, Fault, _Worker, seed_of
from faults.kinds import FAULTS
from faults.ledger import BadLedger, Ledger, Tried
from faults.page import table_of, write_page
from tests.helpers import ROOT


def fault(name: str, **changed: Any) -> Fault:
    """A fault whose attempts are a function of tests/test_faults/attempts.py."""
    return Fault(name, f"tests.test_faults.attempts:{name}", "for tests", **changed)


def ran(ledger: Ledger, *faults: Fault, attempts: int = 1, jobs: int = 1) -> Ledger:
    """The ledger after some attempts."""
    campaign = Campaign(faults, ledger, "abc", jobs)
    given = campaign.attempts()
    campaign._make((next(given) for _ in range(attempts)), lambda: True, lambda *_: None, campaign._enter)
    return ledger


def row(ledger: Ledger, fault: str, name: str) -> tuple[int, int, int]:
    """Tries, lost, and broken of a row."""
    found = ledger.entries[fault].rows[name]
    return found.tries, found.lost, found.broken


@pytest.mark.slow
def test_attempts_are_counted_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    ran(Ledger(path, 7), fault("fine"), fault("loses"), attempts=4, jobs=2)
    ledger = Ledger(path, 7)
    fine, loses = (ledger.entries[name].attempts for name in ("fine", "loses"))
    assert fine + loses == 4
    assert row(ledger, "fine", "fine") == (2 * fine, 0, 0)
    assert row(ledger, "loses", "loses") == (loses, 3 * loses, loses)
    assert ledger.commits == ["abc"]
    assert ledger.entries["fine"].seconds > 0
    ran(ledger, fault("fine"))
    assert Ledger(path, 7).entries["fine"].attempts == fine + 1


@pytest.mark.slow
def test_a_process_that_dies_is_a_finding_and_the_campaign_goes_on(tmp_path: Path) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("dies"), fault("fine"), attempts=4)
    tries, lost, broken = row(ledger, "dies", "dies")
    assert (lost, broken) == (0, tries)
    assert "exit status -11" in ledger.entries["dies"].rows["dies"].findings[0].what
    assert row(ledger, "fine", "fine") == (2 * (4 - tries), 0, 0)


def test_an_attempt_that_hangs_is_a_finding(tmp_path: Path) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("hangs", limit=0.2))
    assert row(ledger, "hangs", "hangs") == (1, 0, 1)
    assert "0.2 s" in ledger.entries["hangs"].rows["hangs"].findings[0].what


def test_a_mistake_of_an_attempt_is_told(tmp_path: Path) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("raises"))
    assert row(ledger, "raises", "fine") == (1, 0, 0)
    assert "ZeroDivisionError" in ledger.entries["raises"].rows["the campaign itself"].findings[0].what


def test_what_is_short_of_its_aim_comes_first(tmp_path: Path) -> None:
    faults = fault("fine"), fault("loses", aims={"loses": 3})
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), *faults, attempts=4)
    assert [ledger.entries[one.name].attempts for one in faults] == [1, 3]
    ledger = ran(ledger, faults[0], attempts=1)
    assert ledger.entries["fine"].attempts == 2


def test_every_fault_is_tried_however_short_the_campaign(tmp_path: Path) -> None:
    faults = fault("loses", aims={"loses": 3}), fault("breaks"), fault("fine")
    ledger = Ledger(tmp_path / "ledger.json", 0)
    for attempts in (1, 1):  # no more the second time
        Campaign(faults, ledger, "abc").run(0, lambda *_: None)
        assert {name: entry.attempts for name, entry in ledger.entries.items()} == {
            one.name: attempts for one in faults
        }


def test_attempts_follow_from_the_seed() -> None:
    seeds = {seed_of(campaign, name, number) for campaign in (0, 1) for name in ("a", "b") for number in range(50)}
    assert len(seeds) == 200
    assert seed_of(3, "kill-table", 17) == seed_of(3, "kill-table", 17)


@pytest.mark.slow
def test_a_finding_that_holds_when_made_again_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("breaks"))
    assert list(ledger.open()) == [("breaks", 0)]
    assert "| breaks | 1 | 0 | 1 |" in table_of(ledger, [fault("breaks")])
    monkeypatch.setenv("TESTS_MENDED", "yes")
    attempt = Attempt(fault("breaks"), 0, seed_of(0, "breaks", 0))
    Campaign([fault("breaks")], ledger, "abc+").repeat([attempt], lambda *_: None)
    assert list(ledger.open()) == [("breaks", 0)]  # nothing was committed, so luck has mended it
    Campaign([fault("breaks")], ledger, "def").repeat([attempt], lambda *_: None)
    ledger = Ledger(ledger.path, 0)
    assert list(ledger.open()) == []
    assert ledger.entries["breaks"].rows["breaks"].findings[0].mended == "def"
    assert "| breaks | 1 | 0 | 0 (1 mended) |" in table_of(ledger, [fault("breaks")])


@pytest.mark.parametrize("content", ["", "{", "[]", '{"seed": 1, "commits": [], "faults": {}}', '{"seed": 0}'])
def test_a_ledger_that_is_none_or_anothers_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadLedger, match="ledger"):
        Ledger(path, 0)
    assert path.read_text(encoding="utf-8") == content


def test_only_so_many_findings_are_kept_in_words(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json", 0)
    for attempt in (0, 1):
        ledger.add("a", attempt, 1.0, [Tried("a", 80, 0, ("no",) * 80)], "abc")
    ledger.save()
    ledger = Ledger(ledger.path, 0)
    found = ledger.entries["a"].rows["a"]
    assert (found.tries, found.broken, found.open) == (160, 160, 160)
    assert [one.what for one in found.findings] == ["no"] * 50 + ["30 more", "80 more"]
    ledger.mend("a", 1, [Tried("b", 80), Tried("a", 0)], "def")
    assert (found.open, len(list(ledger.open()))) == (160, 2)  # where it was found, nothing was tried
    ledger.mend("a", 1, [Tried("a", 1)], "def")
    assert (found.open, list(ledger.open())) == (80, [("a", 0)])
    ledger.mend("a", 0, [Tried("a", 1)], "def")
    assert (found.open, list(ledger.open())) == (0, [])


@pytest.mark.parametrize("options", [["--only", "nothing"], ["--repeat", "nothing"], ["--repeat", "nothing:1"]])
def test_the_command_refuses_what_it_does_not_know(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([*options, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("faults: ")


def test_two_campaigns_do_not_share_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FileLock(tmp_path / ".lock"):
        assert command.main(["--only", "steps", "--out", str(tmp_path)]) == 2
    assert "in use by another campaign" in capsys.readouterr().err
    assert not (tmp_path / "ledger.json").exists()


def test_what_a_campaign_found_is_told_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("breaks"))
    found = ledger.entries["breaks"].rows["breaks"].findings[0].what
    monkeypatch.setattr(command, "FAULTS", [fault("fine")])
    assert command.main(["--out", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"open: breaks:0: {found}"


def test_what_needs_the_preloaded_library_is_left_out_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(preload, "library", lambda: None)
    left = {one.name: one for one in command.possible(FAULTS)}
    assert left.keys() == {one.name for one in FAULTS} - {"disk"}
    assert [*left["kill-table"].aims] == ["kill table"]
    assert left["steps"] in FAULTS
    assert command.main(["--only", "disk", "--out", str(tmp_path)]) == 2
    assert "nothing is left to try" in capsys.readouterr().err


def test_an_attempt_that_tried_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    command.tell(Attempt(fault("fine"), 3, 0), 1.5, [])
    assert capsys.readouterr().out == "fine:3: 0 tries in 1.5 s\n"


def test_an_idle_process_that_died_is_replaced(tmp_path: Path) -> None:
    worker = _Worker()
    try:
        worker.process.kill()
        worker.process.join()
        worker.give(Attempt(fault("fine"), 0, 1))
        assert worker.take() == [Tried("fine", 2)]
    finally:
        worker.stop()


def test_an_interrupt_before_the_ledger_is_read_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "Ledger", interrupted)
    assert command.main(["--out", str(tmp_path)]) == 130
    assert capsys.readouterr().out == ""


def test_the_page_shows_whole_findings_and_no_path_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("paths"))
    ledger.add("paths", 1, 1.0, [Tried("paths", 1, 0, ("",))], "abc")
    text = "".join(f"<!-- measured: {name} -->\n<!-- end -->\n" for name in ("command", "found"))
    (tmp_path / "reliability.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(page, "DOCS", tmp_path)
    said = command.command_of(["--minutes", "5", "--out", str(tmp_path), "--jobs=2", "--page"])
    assert write_page(ledger, tmp_path, said, [fault("paths")]) == ["branches", "mutants"]
    written = (tmp_path / "reliability.md").read_text(encoding="utf-8")
    assert "- `paths:0` (paths): FOLDER/a is gone CHECKOUT/train.py is not" in written
    assert "- `paths:1` (paths): " in written
    assert "python -m faults --minutes 5 --jobs=2 --page\n" in written
    assert str(tmp_path) not in written
    assert str(ROOT) not in written


def test_the_page_keeps_what_is_not_measured_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh checkout has no ledger, and a short campaign has not reached its aims."""
    ledger = ran(Ledger(tmp_path / "ledger.json", 0), fault("paths"))
    kept = ["table", "found", "branches", "mutants", "command"]
    text = "".join(f"<!-- measured: {name} -->\n\n{name} was\n\nthis\n\n<!-- end -->\n" for name in kept)
    (tmp_path / "reliability.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(page, "DOCS", tmp_path)
    short = fault("paths", aims={"paths": 10**9})
    assert write_page(ledger, tmp_path, "python -m faults", [short]) == kept
    assert (tmp_path / "reliability.md").read_text(encoding="utf-8") == text
