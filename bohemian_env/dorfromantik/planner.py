"""``planner``: named features of a position, each with a weight, as one table of weights of the quick inputs.

The features are what players of the game name: what markers still need, territories kept open to take the next marker,
tracks and streams that can grow, flags, and cells that few tiles or none will fit. Their weights are in planner.toml.
"""

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from . import inputs, tiles
from .tiles import TILES, TRACK

_LEFT: Final = np.array([0, 1, 2, 4, 6, 10, 14, 19, 26, 33, 41])  # the landscape tiles left in the middle of each phase
_CROWDED: Final = 4


@functools.cache
def weights() -> np.ndarray:
    """Return the weights of the quick inputs that ``planner`` plays by: float32, (QUICK,)."""
    return weights_of(tomllib.loads((Path(__file__).parent / "planner.toml").read_text(encoding="utf-8")))


def weights_of(given: Mapping[str, Any]) -> np.ndarray:
    """Return the weights of the quick inputs by those of the features, which planner.toml explains."""
    table = inputs.quick_tables(out := np.zeros(inputs.QUICK, np.float32))
    late = np.exp(-_LEFT / given["late"])
    sizes, edges = np.arange(table.open.shape[1]), np.arange(table.open.shape[2]) + 1
    few = np.append([0.0], given["open"]), np.append([0.0], given["open_ways"])
    for sort in range(3):
        alone = few[sort > 0][np.minimum(sizes, 6)] + (sort > 0) * given["way_tile"] * np.maximum(sizes - 1, 0)
        cramped = (edges == 1) * given["open_one_edge"] * (sort == 0)
        table.open[sort] = (alone[:, None] + cramped)[..., None] * (1 - late * (1 - given["open_late"]))
        needs = np.arange(table.marked.shape[1])
        tight = np.where(edges == 1, given["way_one_edge" if sort else "one_edge"], 0.0)
        tight += np.where(edges == 2, 0 if sort else given["two_edges"], 0.0)
        base = np.append([0.0], given["needs"])[:, None] + tight
        fades = 1 - late * np.minimum(needs[:, None] / np.maximum(1, _LEFT + 1), 1)
        second = np.where(needs > 0, given["second_marker"] * (1 - 0.15 * needs), 0.0)
        table.marked[sort] = base[:, None, :, None] * fades[:, None, None, :] + second[:, None, None]
    flag = given["flag_tile"] * sizes[:, None] + given["flag_edge"] * edges
    table.flagged[:] = flag[..., None] * (1 - late)
    table.longest[:] = given["longest"] * sizes[:, None] * (1 - late)
    missing = 3 - np.arange(4)
    table.tasks[:] = missing[:, None] * given["task_missing"]
    table.tasks[:, 0] = missing * given["task_missing_last"]
    kept = [sum(count // 3**place % 3 > 0 for place in range(3)) for count in range(27)]
    coming = np.minimum(np.arange(table.stock.shape[2]), 3) / 3
    table.stock[:] = given["stock"] * np.multiply.outer(np.outer(kept, coming), 1 - late)
    table.cells[:] = -_troubles(given)[:, None]
    return out


def _troubles(given: Mapping[str, Any]) -> np.ndarray:
    """Return how bad an empty cell is, by its pattern: few tiles fit it, none does, or many tiles are about it."""
    codes = np.unique(inputs.PATTERN, return_index=True)[1]
    faces = codes[:, None] // inputs.BESIDE ** np.arange(6) % inputs.BESIDE  # 0 nothing, 1 meadow, then the kinds
    seen = np.where(faces == 0, 0, np.where(faces < TRACK + 2, 1, faces - TRACK))
    fit = (tiles.FITS[tiles.FITS_AS] != 0).sum(axis=0)[(seen << 2 * np.arange(6)).sum(axis=1)]
    hard = np.log(TILES / np.maximum(fit, 1)) * (fit > 0)
    crowded = (faces > 0).sum(axis=1) >= _CROWDED
    return given["dead_cell"] * (fit == 0) + given["hard_cell"] * hard + given["crowded_cell"] * crowded
