"""Rows: what an agent reached, and all that it takes to find that out again. Here they are read, found and kept.

A row is a JSON object. The row of a run has the fields of its :class:`Cell`, and its ``score``; the row of any other
agent (``python -m benchmarks.submit``) has ``agent`` and ``scores``. A run writes its row into a file of its own,
FOLDER/decisions-1000000/2p-planner/pqn-0.json; :func:`gather` makes the rows of a budget lines of one file,
FOLDER/decisions-1000000.jsonl, and they are still found under the same path. What a row says is checked, not believed,
and nothing that it names is run.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from agents.common.files import write_atomically
from bohemian_env.engine.checks import is_whole
from bohemian_env.villages.faces import NAME as ENVIRONMENT

from .cells import BUDGETS, BadCell, Cell, Plan, algorithm_file, book, is_number, shown, source_digest, version_of

LARGEST: Final = 1_000_000  # bytes of a row at most; that of a run has some 2,000
_LARGEST_FILE: Final = 100 * LARGEST
LAST_SEED: Final = 2**62  # the last seed that the first game may have, so that all games after it have one, too
_LONGEST: Final = 300
_MOST: Final = 1e9


# --- what a row holds ---


def is_text(value: object) -> bool:
    """Return whether a value is printable text that is not too long."""
    return isinstance(value, str) and len(value) <= _LONGEST and value.isprintable()


def is_amount(value: object) -> bool:
    """Return whether a value is a number from 0 to below a thousand million."""
    return is_number(value) and 0 <= value < _MOST  # type: ignore[operator]


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and len(value) <= 100 and all(map(is_text, (*value, *value.values())))


def _is_digests(value: object) -> bool:
    return _is_table(value) and all(len(digest) == 64 for digest in value.values())  # type: ignore[attr-defined]


def _has_interval(value: Any, middle: str, least: float, most: float) -> bool:
    """Return whether an object has the numbers ``low``, ``middle`` and ``high``, in this order, in these bounds."""
    numbers: list[Any] = [value.get(name) for name in ("low", middle, "high")] if isinstance(value, dict) else [None]
    return all(map(is_number, numbers)) and least <= numbers[0] <= numbers[1] <= numbers[2] <= most


def _is_score(value: Any) -> bool:
    """Return whether a value is a win share or a mean total with its interval, its games and the seed of the first."""
    total = isinstance(value, dict) and "total" in value
    fits = _has_interval(value, "total", -_MOST, _MOST) if total else _has_interval(value, "share", 0, 1)
    if not fits or not is_whole(value.get("games"), 1, 1_000_000):
        return False
    counts = is_whole(value.get("seed"), 0, LAST_SEED) and is_whole(value.get("failed", 0), 0, value["games"])
    return counts and is_amount(value.get("milliseconds", 0))


def _are_scores(value: object) -> bool:
    return isinstance(value, dict) and all(is_text(name) and _is_score(one) for name, one in value.items())


def _is_loss(value: Any) -> bool:
    """Return whether a value is what a decision loses, × 1,000, with its interval and the digest of the positions."""
    return _has_interval(value, "value", -1000, 2000) and 0 <= value["value"] <= 1000 and is_text(value.get("book"))


def _is_curve(value: object) -> bool:
    points = value if isinstance(value, list) else [None]
    return all(
        isinstance(one, dict) and is_amount(one.get("decisions")) and is_number(one.get("total", one.get("share")))
        for one in points
    )


_Form = dict[str, tuple[str, Callable[[Any], bool]]]
_ANY: Final[_Form] = {
    "benchmark": ("a version, a whole number", lambda value: is_whole(value, 0)),
    "versions": ("versions by name, of the environment too", lambda value: _is_table(value) and "environment" in value),
    "positions": ("what a decision loses in the positions, with its interval", _is_loss),
}
_RUN: Final[_Form] = {
    "score": ("a win share or a mean total with its interval, games and seed", _is_score),
    "transfer": ("win shares by name", _are_scores),
    "curve": ("a list of decisions and win shares", _is_curve),
    "seconds": ("the seconds of learning", is_amount),
}
_AGENT: Final[_Form] = {
    "agent": ("printable text", lambda value: is_text(value) and value != ""),
    "files": ("SHA-256 digests by the name of the file", _is_digests),
    "scores": ("win shares by task, at least one", lambda value: _are_scores(value) and value != {}),
    "board": ("the digest of a board", is_text),
}
_MAYBE: Final[_Form] = {
    "defaults": ("an object", lambda value: isinstance(value, dict)),
    "files": ("SHA-256 digests by the name of the file", _is_digests),
    "reference": ("a number", is_number),
    "source": ("a SHA-256 digest", is_text),
}
"""What rows of runs tell since later versions."""


def cell_of(row: Mapping[str, Any]) -> Cell:
    """Return the run that a row is of. Raises BadCell if there is no such run."""
    return Cell(**{name: row[name] for name in Cell.__dataclass_fields__})


def _is_judged(row: Mapping[str, Any]) -> bool:
    """Return whether a row tells what decisions lose: there are rolled-out positions of one game alone."""
    return "algorithm" not in row or version_of(row["task"]) == 1


def _checked(row: Any, where: str) -> dict[str, Any]:
    """Return a row. Raises BadCell if it is not one."""
    if not isinstance(row, dict) or not ("algorithm" in row or "agent" in row):
        raise BadCell(f"{where} is not a row of the benchmark: expected a JSON object with an algorithm or an agent")
    if "algorithm" in row:
        try:
            cell_of(row)
        except KeyError as error:
            raise BadCell(f"{where} is not the row of a run: {error} is missing") from None
        except (BadCell, TypeError) as error:
            raise BadCell(f"{where} is not the row of a run: {error}") from None
    form = {name: one for name, one in _ANY.items() if name != "positions" or _is_judged(row)}
    form |= _AGENT if "scores" in row or "algorithm" not in row else _RUN
    form = {**{name: wanted for name, wanted in _MAYBE.items() if name in row}, **form}
    for name, (words, fits) in form.items():
        if name not in row:
            raise BadCell(f"{where} is not a row of the benchmark: {name} is missing, {words}")
        if not fits(row[name]):
            raise BadCell(f"{where} is not a row of the benchmark: {name} is {shown(row[name])}, expected {words}")
    return row


def source_of(row: Mapping[str, Any]) -> str | None:
    """Return the SHA-256 of the file of a run's algorithm; None if the row does not tell it."""
    told = row.get("source") or row.get("files", {}).get(algorithm_file(row["algorithm"]))
    return None if told is None else str(told)


# --- files ---


def _parsed(text: str | bytes, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadCell(f"{where} is not JSON: {error}") from None


def _content(path: Path, most: int) -> str:
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise BadCell(f"{path} has more than {most:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except ValueError as error:
        raise BadCell(f"{path} is not UTF-8: {error}") from None


@lru_cache(maxsize=8)
def _lines(path: Path, stamp: tuple[int, int]) -> dict[str, dict[str, Any]]:
    """Return the rows of runs in a file of lines by the names of their cells. stamp: tells when the file changes."""
    found = {}
    for number, line in enumerate(_content(path, _LARGEST_FILE).splitlines(), 1):
        row = _checked(_parsed(line, f"{path}, line {number},"), f"{path}, line {number},")
        if "algorithm" not in row or cell_of(row).name.partition("/")[0] != path.stem:
            raise BadCell(f"{path}, line {number}, is not the row of a run of {path.stem}")
        found[cell_of(row).name] = row
    return found


def _gathered(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows in a file of lines, none if it is not there."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return _lines(path, (status.st_mtime_ns, status.st_size))


def parse_row(path: Path) -> Any:
    """Return what a file holds, or the line of a gathered file that has its place, not checked yet.

    Raises BadCell: it is not JSON, or holds several rows. OSError: it cannot be read.
    """
    if not path.exists() and len(path.parts) > 2:
        folder = path.parents[1]
        row = _gathered(folder.with_name(f"{folder.name}.jsonl")).get(f"{folder.name}/{path.parent.name}/{path.stem}")
        if row is not None:
            return row
    if path.suffix == ".jsonl":
        rows = _content(path, _LARGEST_FILE).splitlines()
        if len(rows) != 1:
            one = path.with_suffix("") / "TASK" / "ALGORITHM-SEED.json"
            raise BadCell(f"{path} has {len(rows)} rows: name one of them as {one}")
        return _parsed(rows[0], str(path))
    return _parsed(_content(path, LARGEST), str(path))


def read_row(path: Path) -> dict[str, Any]:
    """Return the row in a file, or the line of a gathered file that has its place. Raises BadCell or OSError."""
    return _checked(parse_row(path), str(path))


def _read_run(path: Path) -> dict[str, Any]:
    """Return the row of a run, which must have its own place. Raises BadCell or OSError."""
    row = read_row(path)
    if "score" not in row or not path.with_suffix("").as_posix().endswith(cell_of(row).name):
        raise BadCell(f"{path} holds the row of {cell_of(row).name if 'algorithm' in row else row['agent']}")
    return row


def rows_of(folder: Path, unit: str, budget: float) -> list[dict[str, Any]]:
    """Return the rows of all runs of a budget in the order of their names: lines, and files, which go before lines.

    Raises BadCell or OSError.
    """
    name = f"{unit}-{budget:.12g}"
    found = dict(_gathered(folder / f"{name}.jsonl"))
    for path in (folder / name).glob("*/*.json"):
        row = _read_run(path)
        found[cell_of(row).name] = row
    return [found[key] for key in sorted(found)]


def finished(cell: Cell, plan: Plan, out: Path) -> dict[str, Any] | None:
    """Return the row of a run; None if there is none with these settings and this file of its algorithm, judged by this
    plan and the present positions. Rows of version 1 that do not tell the file are taken as being of this one, and
    minutes of another reference as minutes.

    Raises BadCell for a file that holds no row; BadBook or OSError if the positions cannot be read.
    """
    path = out / f"{cell.name}.json"
    if not path.exists() and cell.name not in _gathered(out / f"{cell.name.partition('/')[0]}.jsonl"):
        return None
    row = _read_run(path)
    wanted = {
        "benchmark": version_of(cell.task),
        "settings": dict(cell.settings),
        "defaults": cell.defaults,
        "plan": asdict(plan),
    }
    same = all(row.get(name) == value for name, value in wanted.items())
    same = same and source_of(row) in (None, source_digest(cell.algorithm))
    same = same and row["versions"]["environment"] == ENVIRONMENT
    same = same and (not _is_judged(row) or row["positions"]["book"] == book().digest)
    return row if same else None


def write_cell(cell: Cell, row: Mapping[str, Any], content: bytes, out: Path, work: Path) -> None:
    """Write the agent of a run and then its row, which says that it is finished; each whole or not at all."""
    write_atomically(work / f"{cell.name}.safetensors", content)
    write_atomically(out / f"{cell.name}.json", (json.dumps(row, indent=1, ensure_ascii=False) + "\n").encode())


def gather(out: Path) -> dict[str, int]:
    """Make the rows that runs left in a folder lines of one file for each budget, sorted by name; delete their files.

    Return the number of rows in each file that was written, by its name. Raises BadCell or OSError.
    """
    counts = {}
    for folder in sorted(path for unit in BUDGETS for path in out.glob(f"{unit}-*") if any(path.glob("*/*.json"))):
        unit, _, budget = folder.name.partition("-")
        rows = rows_of(out, unit, float(budget))
        lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
        write_atomically(out / f"{folder.name}.jsonl", lines.encode())
        counts[f"{folder.name}.jsonl"] = len(rows)
        for path in folder.glob("*/*.json"):
            path.unlink()
        for path in [*folder.iterdir(), folder]:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
    return counts
