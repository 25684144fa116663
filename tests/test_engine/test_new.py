"""The package of a new game, by one command: whole, or not at all with a sentence."""

import tomllib
from pathlib import Path

import pytest

from bohemian_env.games import GROUP
from bohemian_env.new import main
from tests.helpers import Ends
from tests.packages import install_skeleton

FILES = {"pyproject.toml", "README.md", "two_dice/__init__.py", "two_dice/verbs.py", "two_dice/contract.py"}
FILES |= {"tests/test_two_dice.py"}


def test_everything_in_it_is_called_by_its_name(tmp_path: Path, ends: Ends) -> None:
    assert "python -m bohemian_env.check two_dice" in ends(0, main, "two_dice", "--out", tmp_path / "new").out
    folder = tmp_path / "new" / "two_dice"
    made = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.*")}
    assert {*made} == FILES
    assert [*folder.parent.iterdir()] == [folder]
    assert not [name for name, text in made.items() if "mygame" in text.lower()]
    assert "class TwoDice(PlainRules)" in made["two_dice/contract.py"]
    told = tomllib.loads(made["pyproject.toml"])
    assert told["project"]["entry-points"] == {GROUP: {"two_dice": "two_dice"}}
    for name in FILES:
        if name.endswith(".py"):
            compile(made[name], name, "exec")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((odd, "it is not a word in small letters") for odd in ("Pig", "1a", "two-dice", "class", "../up", "")),
        ("agricola", "there is a game of this name here"),
        *((there, "a package or a game of this name is installed") for there in ("json", "numpy", "mygame")),
    ],
)
def test_a_bad_name_is_told_and_leaves_nothing(
    name: str, told: str, tmp_path: Path, packages: Path, ends: Ends
) -> None:
    install_skeleton(packages)
    said = ends(2, main, name, "--out", tmp_path / "new").err
    assert said.startswith(f"bohemian_env.new: a game cannot be called {name!r}: {told}")
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over_and_nothing_half(tmp_path: Path, ends: Ends) -> None:
    (tmp_path / "two_dice").mkdir()
    assert "is there already" in ends(2, main, "two_dice", "--out", tmp_path).err
    assert [*(tmp_path / "two_dice").iterdir()] == []
    (tmp_path / "file").touch()
    assert ends(2, main, "two_dice", "--out", tmp_path / "file").err.startswith("bohemian_env.new: ")
    assert {path.name for path in tmp_path.iterdir()} == {"two_dice", "file"}
