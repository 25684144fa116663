"""The pictures of docs/analysis.md: SVG, the same bytes for the same numbers and version of matplotlib.

Each has a panel for each number of players. Colours are told apart by colour-blind eyes too, and where they mean
something, shape or place says it as well.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from agents.analysis.counts import PHASES, Answer
from agents.common.statistics import Estimate

_BLUE: Final = "#0072b2"
_ORANGE: Final = "#e69f00"
_GREY: Final = "#666666"
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.hashsalt": "bohemian-villages",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def drawn(panels: Mapping[Any, Any], size: tuple[float, float], draw: Any, **layout: Any) -> str:
    """Return a picture of a panel for each number of players, or for each name, side by side unless ``layout`` says
    otherwise. draw: draws what there is for a panel on its axes.
    """
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(**{"nrows": 1, "ncols": len(panels), "squeeze": False, **layout})
        for panel, (players, numbers) in zip(axes.flat, panels.items(), strict=True):
            panel.set_title(players if isinstance(players, str) else f"{players} players")
            draw(panel, players, numbers)
        content = io.StringIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    # Lines of SVG end in blanks, which editors and git complain of.
    return "\n".join(line.rstrip() for line in content.getvalue().splitlines()) + "\n"


def _reach(estimates: Sequence[Estimate], whole: float = 1.0) -> np.ndarray:
    """Return how far the intervals reach down and up, (2, n), as error bars want it; nowhere where nothing is known."""
    reach = np.array([[e.value - e.low, e.high - e.value] for e in estimates]).T
    return np.where(np.isfinite(reach), reach, 0) * whole


def seats(panels: Mapping[int, Sequence[tuple[Estimate, Estimate]]]) -> str:
    """Draw the win share by seat, beside the fair share."""

    def draw(axes: Any, players: int, numbers: Sequence[tuple[Estimate, Estimate]]) -> None:
        shares = [share for share, _ in numbers]
        places = np.arange(players)
        axes.axhline(100 / players, color=_ORANGE, linestyle="--", zorder=3, label="equal shares")
        axes.bar(places, [100 * e.value for e in shares], color=_BLUE, yerr=_reach(shares, 100), capsize=4, width=0.65)
        if players == min(panels):
            axes.set_ylabel("win share, %")
        if players == max(panels):
            axes.legend(loc="upper right", frameon=False)
        axes.set_xticks(places)
        axes.set_xlabel("seat")
        axes.set_ylim(0)

    return drawn(panels, (11, 3.2), draw)


def choices(panels: Mapping[int, Mapping[str, Sequence[Answer]]], names: Mapping[str, str]) -> str:
    """Return a heat map of how often a move of each sort was made where it could be, by phase.

    panels: by number of players and sort of move, in the whole game and then in each of PHASES. names: sorts of move
    that are drawn, and what to call them.
    """

    def draw(axes: Any, players: int, numbers: Mapping[str, Sequence[Answer]]) -> None:
        shares = np.array([[answer.estimate.value for answer in numbers[name][1:]] for name in names])
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (row, column), share in np.ndenumerate(shares):
            text = "–" if np.isnan(share) else f"{100 * share:.0f}"
            axes.text(column, row, text, ha="center", va="center", color="white" if share > 0.6 else "black")
        axes.set_xticks(range(len(PHASES)), PHASES)
        axes.set_yticks(range(len(names)), names.values())
        axes.tick_params(length=0)

    return drawn(panels, (11, 4.6), draw, sharey=True)


def bars(
    panels: Mapping[int, Mapping[str, Sequence[Estimate]]], names: Mapping[str, str], legend: tuple[str, str]
) -> str:
    """Draw two means, the first two of some numbers, for each of some things, side by side."""

    def draw(axes: Any, players: int, numbers: Mapping[str, Sequence[Estimate]]) -> None:
        places = np.arange(len(names))
        for k, (colour, label) in enumerate(zip((_BLUE, _ORANGE), legend, strict=True)):
            found = [numbers[name][k] for name in names]
            values, reach = np.nan_to_num([e.value for e in found]), _reach(found)
            axes.barh(places + 0.4 * k - 0.2, values, 0.38, color=colour, label=label, xerr=reach, error_kw={"lw": 1})
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(places, names.values())
        axes.set_xlabel("coins")
        if players == min(panels):
            axes.invert_yaxis()
            axes.legend(loc="lower right", frameon=False)

    return drawn(panels, (11, 4.4), draw, sharex=True, sharey=True)


def leanings(
    panels: Mapping[int, Mapping[str, tuple[Estimate, Estimate]]], names: Mapping[str, str], legend: tuple[str, str]
) -> str:
    """Draw two numbers for each of some things: the first to the right of a middle line, the second to the left."""

    def draw(axes: Any, players: int, numbers: Mapping[str, tuple[Estimate, Estimate]]) -> None:
        places = np.arange(len(names))
        for k, (colour, label, sign) in enumerate(zip((_BLUE, _ORANGE), legend, (1, -1), strict=True)):
            values = np.nan_to_num([sign * numbers[name][k].value for name in names])
            axes.barh(places, values, 0.7, color=colour, label=label)
        net = [numbers[name][0].value - numbers[name][1].value for name in names]
        axes.plot(np.nan_to_num(net), places, "D", color="black", markersize=4, label="difference")
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(places, names.values())
        axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        axes.set_xlabel("times in 100 turns")
        if players == min(panels):
            axes.invert_yaxis()
            axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)

    return drawn(panels, (11, 5), draw, sharex=True, sharey=True)


def chances(panels: Mapping[int, tuple[Sequence[Estimate], Sequence[Estimate]]]) -> str:
    """Draw the mean chance of winning of winners and of the others over the course of the game."""

    def draw(axes: Any, players: int, numbers: tuple[Sequence[Estimate], Sequence[Estimate]]) -> None:
        axes.axhline(100 / players, color=_GREY, linestyle="--", linewidth=1)
        lines = ((_BLUE, "o", "winners"), (_ORANGE, "s", "the others"))
        for found, (colour, marker, label) in zip(numbers, lines, strict=True):
            along = (np.arange(len(found)) + 0.5) * 100 / len(found)
            values, reach = [100 * e.value for e in found], _reach(found, 100)
            axes.errorbar(along, values, reach, color=colour, marker=marker, markersize=4, capsize=2, label=label)
        axes.set_xlabel("part of the game, %")
        axes.set_ylim(0, 100)
        axes.set_xlim(0, 100)
        if players == min(panels):
            axes.set_ylabel("chance of winning, %")
            axes.legend(loc="upper left", frameon=False)

    return drawn(panels, (11, 3.4), draw, sharey=True)
