"""Mutants: drawn by a seed, planted in a copy, killed by the tests or kept as survivors, and told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from faults import mutants
from faults.mutants import Checkout, Fails, Hunt, Mutant, Stage, State, drawn, kept, mutants_block
from tests.helpers import ROOT

CODE = '''"""A module."""
from __future__ import annotations


def most(a: int | None, b: int) -> int:
    """The larger one."""
    if a is None or b > a:
        return b
    return a
'''
TEST = """from bohemian_env.envs.observation import most
def test_most():
    assert (most(1, 2), most(2, 1), most(None, 1)) == (2, 2, 1)
"""
STAGES = (
    Stage("first", ("tests/test_nothing.py",), compiled=False),
    Stage("second", ("tests/test_most.py",), compiled=True),
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one file to change and two of tests, of which the first finds nothing."""
    root = tmp_path / "checkout"
    for name, text in {
        "bohemian_env/envs/observation.py": CODE,
        **{f"bohemian_env/{name}__init__.py": "" for name in ("", "envs/", "game/")},
        "tests/test_nothing.py": "def test_nothing():\n    pass\n",
        "tests/test_most.py": TEST,
        "pytest.ini": "[pytest]\nmarkers =\n    slow: x\n    browser: x\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(mutants, "STAGES", STAGES)
    monkeypatch.setattr(mutants, "tracked", lambda root: [p.relative_to(root) for p in root.rglob("*") if p.is_file()])
    return root


def changes(found: list[Mutant]) -> set[str]:
    """What mutants make of their lines."""
    return {mutant.now for mutant in found}


def test_a_seed_draws_among_changes_that_matter(root: Path) -> None:
    every = drawn(1_000, 0, root)
    assert "if a is None and b > a:" in changes(every)
    assert "if a is None or b >= a:" in changes(every)
    assert not any("def" in mutant.was for mutant in every)  # `int | None` is evaluated by nobody
    assert [mutant.line for mutant in every] == [7] * len(every)
    assert drawn(5, 0, root) == every[:5]
    assert drawn(5, 1, root) != every[:5]


@pytest.mark.slow
def test_the_tests_kill_mutants_stage_by_stage_and_the_copy_is_left_as_it_was(root: Path, tmp_path: Path) -> None:
    every = {mutant.now: mutant for mutant in drawn(1_000, 0, root)}
    wrong, same = every["if a is None or b < a:"], every["if a is None or b >= a:"]
    state, path = State(commit="abc", mutants=[wrong, same]), tmp_path / "out" / "mutants.json"
    Hunt(state, path, 2, {}, root).run()
    assert (wrong.passed, wrong.killed, wrong.commit) == (1, "tests/test_most.py::test_most", "abc")
    assert (same.passed, same.killed, same.survived) == (2, "", True)
    assert kept(path) == state
    assert (root / "bohemian_env/envs/observation.py").read_text(encoding="utf-8") == CODE


def test_a_mutant_that_does_not_end_is_killed(root: Path) -> None:
    (root / "tests/test_most.py").write_text(TEST + "    while most(1, 2) == 1:\n        pass\n", encoding="utf-8")
    path = root / "tests/test_most.py"
    path.write_text(path.read_text(encoding="utf-8").replace("    assert", "    #"), encoding="utf-8")
    mutant = next(one for one in drawn(1_000, 0, root) if one.now == "if a is None or b < a:")
    copy = Checkout(root)
    copy.limits["second"] = 3.0
    try:
        assert copy.meet(mutant, STAGES[1]) == "no end within 3 s"
    finally:
        copy.remove()
    assert not copy.folder.exists()


def test_tests_that_fail_without_a_mutant_kill_nobody(root: Path, tmp_path: Path) -> None:
    (root / "tests/test_nothing.py").write_text("def test_nothing():\n    assert 0\n", encoding="utf-8")
    state = State(mutants=drawn(2, 0, root))
    with pytest.raises(Fails, match="test_nothing"):
        Hunt(state, tmp_path / "mutants.json", 1, {}, root).run()
    assert not any(mutant.killed for mutant in state.mutants)


def test_what_is_known_is_kept_until_its_file_changes(root: Path, tmp_path: Path) -> None:
    state = mutants.resumed(State(), 4, 0, "abc", root)
    state.mutants[0] = replace(state.mutants[0], killed="test", seconds=1.0, commit="abc")
    mutants.save(state, tmp_path / "mutants.json")
    again = mutants.resumed(kept(tmp_path / "mutants.json"), 6, 0, "def", root)
    assert again.mutants[:4] == state.mutants  # with the commit at which they met tests
    assert (len(again.mutants), again.commit) == (6, "def")
    assert mutants.resumed(again, 6, 0, "ghi", root) == replace(again, commit="ghi")
    path = root / "bohemian_env/envs/observation.py"
    path.write_text(CODE + "\n", encoding="utf-8")
    assert not any(mutant.killed for mutant in mutants.resumed(again, 6, 0, "jkl", root).mutants)


def test_what_older_files_hold_was_found_at_their_commit(tmp_path: Path) -> None:
    path = tmp_path / "mutants.json"
    met, left = Mutant("a.py", "o", 1, 3, "x", "y", 1, "test", 2.0), Mutant("a.py", "o", 2, 4, "x", "z")
    mutants.save(State(5, "abc", {}, [met, left]), path)
    path.write_text(path.read_text(encoding="utf-8").replace(',\n   "commit": ""', ""), encoding="utf-8")
    assert "commit" not in json.loads(path.read_text(encoding="utf-8"))["mutants"][0]
    assert [mutant.commit for mutant in kept(path).mutants] == ["abc", ""]
    assert str(mutants_block(tmp_path)).endswith(" Tested at abc (1).")


@pytest.mark.parametrize("content", ["", "[]", "{}x", '{"mutants": [{}]}', '{"mutants": 1}'])
def test_another_file_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "mutants.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="does not hold mutants"):
        kept(path)


def test_survivors_are_told_with_their_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survivors = tmp_path / "survivors.toml"
    survivors.write_text(
        '[[survivor]]\nfile = "a.py"\nwas = "x"\nnow = "y"\nwhy = "it is the same"\n', encoding="utf-8"
    )
    monkeypatch.setattr(mutants, "SURVIVORS", survivors)
    assert mutants_block(tmp_path) is None
    known, unknown = (Mutant("a.py", "o", n, 2 + n, "x", now, 3, "", 1.0, "abc") for n, now in ((1, "y"), (2, "z")))
    killed, left = Mutant("b.py", "o", 0, 1, "p", "q", 1, "test", 1.0, "def"), Mutant("b.py", "o", 1, 2, "p", "q")
    mutants.save(State(5, "abc", {}, [killed, left, unknown, known]), tmp_path / "mutants.json")
    text = mutants_block(tmp_path)
    assert text.startswith("Of 4 mutants, drawn with seed 5, the tests kill 1 so far; 2 survive, and 1 have not met")
    left.killed, left.commit = "test", "def"
    mutants.save(State(5, "abc", {}, [killed, left, unknown, known]), tmp_path / "mutants.json")
    text = mutants_block(tmp_path)
    assert text.startswith(
        "Of 4 mutants, drawn with seed 5, the tests kill 2 (50.0 %); 2 survive. Tested at def (2), abc (2)."
    )
    assert "| a.py, line 3 | `x` | `y` | it is the same |\n| a.py, line 4 | `x` | `z` | ? |" in text


def test_every_reason_is_of_a_file_that_mutants_are_made_of() -> None:
    assert {file for file, _, _ in mutants.reasons()} <= set(mutants.sources())


def test_the_tests_that_mutants_have_to_pass_are_there() -> None:
    named = {path for stage in mutants.STAGES for path in stage.tests}
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("option", ["--count", "--jobs"])
def test_there_is_a_mutant_and_a_process_or_more(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        mutants.main([option, "0"])
    assert f"{option} 0: at least 1" in capsys.readouterr().err
