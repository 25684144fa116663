"""The table of a campaign, and docs/reliability.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from agents.common.files import write_atomically
from agents.common.markdown import fenced, table
from pages import DOCS
from pages.regions import BadPage, fill

from .branches import branches_block
from .campaign import Fault, reached
from .kinds import FAULTS
from .ledger import Ledger
from .mutants import mutants_block

__all__ = ["BadPage", "table_of", "write_page"]


def table_of(ledger: Ledger, faults: Sequence[Fault] = FAULTS) -> str:
    """Return the table of a campaign: fault, tries, lost, broken."""
    rows = []
    for fault in faults:
        entry = ledger.entries.get(fault.name)
        for name, row in sorted(entry.rows.items() if entry else ()):
            mended = row.broken - row.open
            rows.append((name, f"{row.tries:,}", row.lost, f"{row.open}{f' ({mended} mended)' if mended else ''}"))
    return table(("fault", "tries", "lost", "broken"), rows, (1, 2, 3))


def _found(ledger: Ledger) -> str:
    """Return what broke, by its row, with the attempt that shows it."""
    lines = {
        f"- `{name}:{found.attempt}` ({row}): {' '.join(found.what.split())}."
        + (f" Mended at {found.mended}." if found.mended else "")
        for name, entry in ledger.entries.items()
        for row, line in entry.rows.items()
        for found in line.findings
    }
    return "\n".join(sorted(lines)) or "Nothing."


def _about() -> str:
    return table(("fault", "what is done, and what must hold"), [(f"`{fault.name}`", fault.about) for fault in FAULTS])


def write_page(ledger: Ledger, folder: Path, command: str, faults: Sequence[Fault] = FAULTS) -> list[str]:
    """Write the measured places of docs/reliability.md; return the names of those that stay as they are: nothing
    measures them here, or the campaign is short of its aims.

    folder: where the ledger lies, with what the other commands of this package have measured.
    """
    hours = sum(entry.seconds for entry in ledger.entries.values()) / 3600
    done = all(reached(ledger, fault) for fault in faults)
    blocks = {
        "faults": _about(),
        "table": table_of(ledger, faults) if done else None,
        "found": _found(ledger) if done else None,
        "branches": branches_block(folder),
        "mutants": mutants_block(folder),
        "command": fenced(command) + f"\n\n{hours:.1f} core-hours of attempts, at {', '.join(ledger.commits)}."
        if done
        else None,
    }
    page = DOCS / "reliability.md"
    text = page.read_text(encoding="utf-8")
    filled = fill(text, "measured", {name: partial(blocks.get, name) for name in blocks}, page.name)
    write_atomically(page, filled.encode())
    return [name for name, block in blocks.items() if block is None]
