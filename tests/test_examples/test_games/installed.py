"""The games of examples/games, as if they were installed where they lie, so that what is compiled of them is kept."""

import tomllib
from pathlib import Path
from typing import Any

from bohemian_env.engine.contract import Rules
from bohemian_env.games import GROUP, rules_of
from tests.helpers import ROOT
from tests.packages import install

FOLDER = ROOT / "examples" / "games"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/pyproject.toml"))


def project(game: str) -> dict[str, Any]:
    """What the project file of a game says."""
    found: dict[str, Any] = tomllib.loads((FOLDER / game / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def install_example(packages: Path, game: str) -> Rules:
    """Install a game into a folder of packages, with the entry points of its project file, and return its rules."""
    for name, package in project(game)["entry-points"][GROUP].items():
        install(packages, package, f"{name} = {package}\n")
        (packages / package).symlink_to(FOLDER / game / package, target_is_directory=True)
    return rules_of(game)
