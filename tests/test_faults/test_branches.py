"""The branches that the tests take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bohemian_env.compiled import JIT_DISABLED
from faults import branches
from faults.branches import branches_block, measure, missed


@pytest.mark.slow
def test_a_branch_that_is_not_taken_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tests of action numbers read tables, which are made when they are imported, and nothing else of the dice."""
    tests, file = ("tests/test_game/test_actions.py",), "bohemian_env/game/dice.py"
    found = measure(tests, (file,))
    assert found[file]["branches"] == 10
    assert missed(found[file]) == len(found[file]["lines"]) > 0
    monkeypatch.setattr(branches, "measure", lambda: found)
    assert branches.main(["--out", str(tmp_path)]) == 1
    assert "not taken: lines [" in capsys.readouterr().out
    told = branches_block(tmp_path)
    assert f"| {file} | {found[file]['statements']} | 10 | {missed(found[file])} | 0 |" in told
    assert f"The tests leave out {missed(found[file])} of these lines and branches. At " in told
    found[file]["lines"].clear()
    assert branches.main(["--out", str(tmp_path)]) == 0
    assert "The tests take all of these. At " in branches_block(tmp_path)


def test_a_test_that_fails_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    test = tmp_path / "test_it.py"
    test.write_text("def test_it():\n    assert 1 == 2\n", encoding="utf-8")
    monkeypatch.setattr(branches, "measure", lambda: measure((str(test),)))
    assert branches.main(["--out", str(tmp_path)]) == 2
    assert "assert 1 == 2" in capsys.readouterr().err
    assert branches_block(tmp_path) is None


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="this runs the other tests uncompiled")
def test_every_branch_of_the_rules_is_taken(tmp_path: Path) -> None:
    assert branches.main(["--out", str(tmp_path)]) == 0
