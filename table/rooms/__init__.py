"""The rooms of the games at the table, each of which table/room.py finds by the game's name.

A room holds what the page says and does of its game alone: what a room is, table/room.py says.
"""

import numpy as np


def sure_means(differences: np.ndarray, least: float) -> np.ndarray:
    """Return the means of columns of differences, 0 for one below ``least`` or two standard errors from nothing."""
    means, errors = differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(len(differences))
    found: np.ndarray = np.where((abs(means) >= least) & (abs(means) > 2 * errors), means, 0.0)
    return found
