"""The settings of each algorithm, chosen by ``python -m benchmarks.learning tune`` and kept in settings.toml."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from agents.common.files import write_atomically
from bohemian_env import BadSetup

FILE: Final = Path(__file__).resolve().parents[1] / "algorithms" / "settings.toml"
TUNING: Final = "tuning"  # the table that says how settings were chosen
_HEAD: Final = (
    "# Chosen by `python -m benchmarks.learning tune`; settings that are not here are the defaults of `learn`.\n"
)


def chosen(algorithm: str, path: Path = FILE) -> dict[str, Any]:
    """Return the settings of an algorithm, empty where nothing was chosen."""
    return read(path).get(algorithm, {})


def read(path: Path = FILE) -> dict[str, dict[str, Any]]:
    """Return the tables of the file, empty without a file. Raises BadSetup if it holds anything else."""
    if not path.exists():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise BadSetup(f"{path} is not TOML: {error}") from error
    if wrong := [name for name, table in tables.items() if not isinstance(table, dict)]:
        raise BadSetup(f"{path}: {wrong[0]} is not a table of settings")
    return tables


def write(tables: Mapping[str, Mapping[str, Any]], path: Path = FILE) -> None:
    """Write how settings were chosen, in the table TUNING, and those of each algorithm."""
    lines = []
    for name, table in tables.items():
        lines += [f"\n[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    write_atomically(path, (_HEAD + "\n".join(lines) + "\n").encode())
