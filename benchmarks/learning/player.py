"""The agents of runs by their rows: what ``run:ROW.json`` means to the commands of agents.

The weights lie beside the row, under its name, or where runs leave them, in ``runs/benchmark``; they are those that the
row tells the digest of. The algorithm is the one of this checkout.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.players.foreign import ForeignAgent
from bohemian_env.tasks import task_named

from .cells import BadCell, Cell, load_agent, module_of
from .rows import cell_of, read_row

RUNS: Final = Path("runs/benchmark")  # where runs leave their weights, unless they are told otherwise


def _cell(path: str) -> tuple[Cell, dict[str, Any]]:
    row = read_row(Path(path))
    if "algorithm" not in row:
        raise BadCell(f"{path} is the row of {row['agent']}: name that agent, since only those of runs enter by rows")
    return cell_of(row), row


def game_of_row(path: str) -> str:
    """Return the game that the run of a row learnt. Raises BadCell, or OSError if the row cannot be read."""
    return str(task_named(_cell(path)[0].task).game)


class RowPlayer:
    """An agent of a run that decides in a batch, as those do that look at where actions lead."""

    def __init__(self, agent: Any, name: str, files: Sequence[Path]) -> None:
        self.name, self.files, self._agent = name, tuple(files), agent

    def act_batch(self, batch: Any, games: np.ndarray | None = None) -> np.ndarray:
        """Return its actions in some games, int64 (m,), or in all."""
        chosen = self._agent.act_batch(batch, np.arange(batch.n) if games is None else games)
        return np.asarray(chosen, np.int64)


def agent_of_row(path: str, name: str) -> ForeignAgent | RowPlayer:
    """Return the agent of the run that a row is of, as a player of a name.

    Raises BadCell if it is no such row, or its weights are not there or others; OSError if one cannot be read.
    """
    cell, row = _cell(path)
    places = [Path(path).with_suffix(".safetensors"), RUNS / f"{cell.name}.safetensors"]
    weights = next((place for place in places if place.exists()), None)
    if weights is None:
        raise BadCell(
            f"{name}: its weights are neither {places[0]} nor {places[1]}: {cell.command_in(RUNS)} makes them"
        )
    files = row.get("files")
    told = files.get(f"{cell.algorithm}-{cell.seed}.safetensors") if isinstance(files, dict) else None
    if told not in (None, hashlib.sha256(weights.read_bytes()).hexdigest()):
        raise BadCell(f"{name}: {weights} is not the file that the row is of")
    code = Path(str(module_of(cell.algorithm, cell.task).__file__))
    agent = load_agent(cell.algorithm, weights, cell.task)
    return (RowPlayer if hasattr(agent, "act_batch") else ForeignAgent)(agent, name, [weights, code])
