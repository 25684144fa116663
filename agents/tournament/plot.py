"""A comparison as a picture: the duels as a heat map, the ratings or the totals with their intervals."""

import importlib.util
import io
import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.statistics import LEVEL_TEXT
from bohemian_env.engine.errors import brief

from .comparison import Comparison
from .report import cross_table, table_name
from .schedule import BadTournament

_METADATA: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata by format: without what differs from run to run."""
_COLOURS: Final = "PuOr"  # orange against purple: apart for colour-blind eyes too, and lightest at the fair share
_INK: Final = "#3b0f70"


def check_picture(path: str) -> str:
    """Return the format that a file's name asks for: svg, png or pdf.

    Raises:
        BadTournament: another one, or nothing can be drawn here.
    """
    try:
        suffix = Path(path).suffix.lower().removeprefix(".")
    except TypeError:
        raise BadTournament(f"{brief(path)} is not the path of a picture") from None
    if suffix not in _METADATA:
        raise BadTournament(f"cannot draw {path}: a plot is a file whose name ends in .svg, .png or .pdf")
    if importlib.util.find_spec("matplotlib") is None:
        raise BadTournament(f"cannot draw {path}: matplotlib is not installed")
    return suffix


def picture(comparison: Comparison, file_format: str) -> bytes:
    """Return the picture as a file's content: the same bytes for the same comparison and version of matplotlib.

    Left, the win share of the agent of each row, alone among copies of the column's, if there were such tables; right,
    the ratings; where results are totals, these alone.

    file_format: svg, png or pdf.
    """
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    shares = np.array(cross_table(comparison), float)  # nan where nothing was played
    duels = not np.isnan(shares).all()
    count = len(comparison.tables) if comparison.team else len(comparison.names)
    settings: dict[Any, Any] = {"svg.hashsalt": "bohemian-villages", "text.parse_math": False, "svg.fonttype": "path"}
    with matplotlib.rc_context(settings):
        width = 2.5 + 0.75 * count
        figure = Figure(figsize=(width * (1 + duels) + 1, 1.8 + 0.6 * count), layout="constrained")
        if duels:
            left, right = figure.subplots(1, 2)
            _draw_duels(left, comparison, shares)
        else:
            right = figure.subplots()
        _draw_ratings(right, comparison)
        content = io.BytesIO()
        figure.savefig(content, format=file_format, metadata=_METADATA[file_format], dpi=150)
    return content.getvalue()


def _draw_duels(axes: Any, comparison: Comparison, shares: np.ndarray) -> None:
    from matplotlib.colors import TwoSlopeNorm

    names = comparison.names
    fair = 1 / comparison.setup.players
    axes.imshow(shares, cmap=_COLOURS, norm=TwoSlopeNorm(fair, 0, 1))
    for (row, column), share in np.ndenumerate(shares):
        if not np.isnan(share):
            dark = share < fair / 3 or share > 1 - (1 - fair) / 3
            axes.text(column, row, f"{share:.3f}", ha="center", va="center", color="white" if dark else "black")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    others = comparison.setup.players - 1
    axes.set_title("Win share against" if others == 1 else f"Win share alone among {others} of")


def _draw_ratings(axes: Any, comparison: Comparison) -> None:
    pairs = [*zip(comparison.ratings, comparison.names, strict=not comparison.team)]
    if comparison.team:
        pairs = [(one.score.total, table_name(comparison, one)) for one in comparison.tables if one.score]
    ranked = sorted(pairs, key=lambda pair: pair[0].value)
    for place, (rating, _) in enumerate(ranked):
        if math.isfinite(rating.high - rating.low):  # nothing is known of an interval from one seed
            axes.barh(place, rating.high - rating.low, left=rating.low, height=0.35, color="#fdb863")
        text = f"{rating.value:.1f}" if comparison.team else f"{rating.value:.0f}"
        axes.annotate(text, (rating.value, place), (0, 14), textcoords="offset points", ha="center")
    axes.plot([rating.value for rating, _ in ranked], range(len(ranked)), "o", color=_INK)
    axes.set_yticks(range(len(ranked)), [name for _, name in ranked])
    axes.set_ylim(-0.7, len(ranked) - 0.3)
    axes.use_sticky_edges = False
    axes.margins(x=0.1)
    what = f"Total in {comparison.rules.unit}" if comparison.team else "Rating in Elo points"
    axes.set_title(f"{what}, {LEVEL_TEXT} intervals")
