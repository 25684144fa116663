"""Packages of others that offer games, as pip would have installed them: folders with an entry point beside them."""

import importlib
import os
from pathlib import Path

from bohemian_env import games
from bohemian_env.games import GROUP
from bohemian_env.new import SKELETON, new_game
from tests.helpers import ROOT, run_python

ENTRY = f"[{GROUP}]\n"


def install(folder: Path, package: str, offers: str, **files: str) -> None:
    """Lay a package of version 1 into a folder of packages. offers: lines ``game = package``; files: by module."""
    told = folder / f"{package}-1.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (told / "entry_points.txt").write_text(ENTRY + offers)
    for name, text in files.items():
        (folder / package).mkdir(exist_ok=True)
        (folder / package / f"{name}.py").write_text(text, encoding="utf-8")
    forget()


def forget() -> None:
    """Forget which games there are, as a new process has it."""
    for cached in (games._offered, games.known_games, games._rules):
        cached.cache_clear()
    importlib.invalidate_caches()


def install_skeleton(folder: Path, name: str = "mygame") -> None:
    """Lay what ``python -m bohemian_env.new`` makes into a folder of packages."""
    made = new_game(name, folder / "made") / name
    install(folder, name, f"{name} = {name}", **{path.stem: path.read_text("utf-8") for path in made.iterdir()})


def skeleton(file: str) -> str:
    """The text of a file of the skeleton."""
    return (SKELETON / f"{file}.py.txt").read_text(encoding="utf-8")


def python(folder: Path, *arguments: str, given: str = "") -> str:
    """What Python prints, run in the checkout with a folder of packages; warnings are errors, and it must succeed."""
    path = os.pathsep.join(map(str, (ROOT, folder)))
    done = run_python("-W", "error::RuntimeWarning", *arguments, given=given, PYTHONPATH=path, COLUMNS="120")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
