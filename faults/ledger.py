"""What a campaign has tried and found, in a file that is whole at any moment."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.common.files import write_atomically
from pages import ROOT

__all__ = ["BadLedger", "Entry", "Finding", "Ledger", "Row", "Tried", "commit"]

KEPT: Final = 50
"""Findings of a row that are kept in words; the others are counted by their attempts."""


def commit() -> str:
    """Return the commit that is tried, with a + where the checkout differs from it."""
    try:
        git = ["git", "-C", str(ROOT)]
        name = subprocess.check_output([*git, "rev-parse", "--short=10", "HEAD"], text=True).strip()
        changed = subprocess.check_output([*git, "status", "--porcelain", "-uno"], text=True).strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name + ("+" if changed else "")


class BadLedger(ValueError):
    """A file is no ledger of this campaign; the message says why."""


class Tried(NamedTuple):
    """What one attempt tried, in a row of the table."""

    row: str
    """What the table calls it."""
    tries: int
    lost: int = 0
    """Acknowledged moves, finished chunks, or checkpoints beyond the last that were gone; ``broken`` tells of them."""
    broken: tuple[str, ...] = ()
    """What should not have happened, a sentence each."""


@dataclass
class Finding:
    """Something that broke, and the attempt that shows it again."""

    attempt: int
    what: str
    commit: str
    count: int = 1
    """How many findings these are: several, where they are not kept in words."""
    mended: str = ""
    """A later commit at which the attempt, made again, found nothing."""


@dataclass
class Row:
    """A line of the table."""

    tries: int = 0
    lost: int = 0
    broken: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def open(self) -> int:
        """What broke and is not known to be mended."""
        return self.broken - sum(found.count for found in self.findings if found.mended)


@dataclass
class Entry:
    """One fault of the campaign: how many attempts, how long they took, and its rows."""

    attempts: int = 0
    seconds: float = 0.0
    rows: dict[str, Row] = field(default_factory=dict)


class Ledger:
    """The table of a campaign.

    Args:
        path: the JSON file; it is read if it is there.
        seed: of the campaign, which all attempts follow from.

    Raises:
        BadLedger: the file is damaged, or of a campaign with another seed.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.seed = seed
        self.entries: dict[str, Entry] = {}
        self.commits: list[str] = []
        """The commits that were tried, in their order."""
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if data["seed"] != self.seed:
                raise BadLedger(f"{self.path} is of a campaign with seed {data['seed']}, not {self.seed}")
            self.commits = list(data["commits"])
            self.entries = {name: _entry(entry) for name, entry in data["faults"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, BadLedger):
                raise
            raise BadLedger(f"{self.path} is no ledger: {error!r}") from error

    def save(self) -> None:
        """Write the file, whole or not at all."""
        data = {
            "seed": self.seed,
            "commits": self.commits,
            "faults": {name: asdict(entry) for name, entry in self.entries.items()},
        }
        write_atomically(self.path, (json.dumps(data, indent=1) + "\n").encode())

    def add(self, fault: str, attempt: int, seconds: float, tried: Iterable[Tried], commit: str) -> None:
        """Enter what an attempt tried and found."""
        entry = self.entries.setdefault(fault, Entry())
        entry.attempts = max(entry.attempts, attempt + 1)
        entry.seconds += seconds
        if commit not in self.commits:
            self.commits.append(commit)
        for one in tried:
            row = entry.rows.setdefault(one.row, Row())
            row.tries += one.tries
            row.lost += one.lost
            row.broken += len(one.broken)
            room = max(KEPT - len(row.findings), 0)
            row.findings += [Finding(attempt, what, commit) for what in one.broken[:room]]
            if more := len(one.broken[room:]):
                row.findings.append(Finding(attempt, f"{more} more", commit, more))

    def open(self) -> Iterable[tuple[str, int]]:
        """Yield the attempts, by fault and number, that found what is not known to be mended, each once."""
        for name, entry in self.entries.items():
            numbers = {found.attempt for row in entry.rows.values() for found in row.findings if not found.mended}
            yield from ((name, number) for number in sorted(numbers))

    def mend(self, fault: str, attempt: int, tried: Sequence[Tried], commit: str) -> None:
        """Note that an attempt, made again, found nothing in the rows it ``tried``.

        What it found at this very commit stays: that is luck.
        """
        again = {one.row for one in tried if one.tries}
        for name, row in self.entries[fault].rows.items():
            for found in row.findings if name in again else ():
                if found.attempt == attempt and found.commit.rstrip("+") != commit.rstrip("+"):
                    found.mended = found.mended or commit


def _entry(data: Mapping[str, Any]) -> Entry:
    rows = {
        name: Row(row["tries"], row["lost"], row["broken"], [Finding(**found) for found in row["findings"]])
        for name, row in data["rows"].items()
    }
    return Entry(data["attempts"], data["seconds"], rows)
