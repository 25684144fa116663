"""The faults of a campaign."""

from __future__ import annotations

from typing import Final

from .campaign import Fault

__all__ = ["FAULTS"]

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "kill-training",
        "faults.kills:kill_training",
        "`train.py` is killed at random moments, half of the times with what it had not synced dropped, and goes on. "
        "Every file loads, no finished checkpoint is lost, and the agent at the end plays.",
        {"kill training": 300, "kill training, unsynced writes dropped": 300},
        limit=600,
    ),
    Fault(
        "kill-tournament",
        "faults.kills:kill_tournament",
        "`evaluate.py` is killed likewise, and given the same command. No finished chunk is lost or played again, and "
        "the results are byte by byte those of an undisturbed run.",
        {"kill tournament": 300, "kill tournament, unsynced writes dropped": 300},
        limit=600,
    ),
    Fault(
        "kill-table",
        "faults.kills:kill_table",
        "`play.py` is killed likewise while two people play over HTTP, and started again. Every move that was "
        "acknowledged is there, with every game, and no deleted one.",
        {"kill table": 300, "kill table, unsynced writes dropped": 300},
        limit=600,
    ),
    Fault(
        "disk",
        "faults.disk:disk",
        "A call that writes, syncs or names a file fails once: no space, an error, read-only, or only half is written. "
        "First each call of each function that writes, then calls of the programs drawn by the seed. It is "
        "told in a sentence or goes on, files are whole, none is left behind, and the next start works.",
        {"failing call: train": 300, "failing call: evaluate": 300, "failing call: play": 300},
        limit=600,
    ),
)
"""What a campaign tries."""
