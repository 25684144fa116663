"""The panel: opponents that a run is measured against now and then, always in the same games.

They are scripted ones, and by default no run is trained against ``hoarder``, which shows whether what was learned holds
against others. A run against one frozen agent is measured against that alone. Where nobody plays against each other,
the mean total is measured instead.
"""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.common.files import write_atomically
from agents.network.net import PolicyNet
from agents.players.policy import PolicyAgent
from bohemian_env import Board
from bohemian_env.engine.self_play import Opponent
from bohemian_env.games import faces_of

from .config import TrainConfig

PANEL: Final = ("greedy", "planner", "rusher", "hoarder")
"""The names of its members, of those that a game has, where the run has no agent of its own to beat."""
_FIRST_SEED: Final = 2**61  # the seed of the first game, far from those of training and of published comparisons
_FIGURE: Final = (9.0, 3.6)  # inches
_LINES: Final = ("-", "--", "-.", ":")


def panel_shares(
    net: PolicyNet, config: TrainConfig, board: Board | None, device: str = "cpu", against: Opponent | None = None
) -> dict[str, float]:
    """Return the win share of a network's most likely actions against copies of each member of the panel.

    It plays ``config.panel_games`` games against each, from every seat in turn; joint winners share a win. Where nobody
    plays against each other it has every seat, and ``"total"`` is the mean total.

    against: the agent that ``config.against`` names, for a run that has one.
    """
    agent = PolicyAgent(net, "panel", device=device)
    members: dict[str, Opponent] = {n: config.rules.scripted(n) for n in PANEL if n in config.rules.opponents}
    if against is not None:
        members = {config.against: against}
    if not config.rivals:
        members = {"total": Itself(agent)}
    return {name: _measured(agent, member, config, board) for name, member in members.items()}


class Itself:
    """An agent as the opponent of others, which takes its most likely actions."""

    def __init__(self, agent: PolicyAgent) -> None:
        self.net = agent.net
        self.act = agent.choose


def _measured(agent: PolicyAgent, opponent: Opponent, config: TrainConfig, board: Board | None) -> float:
    play = faces_of(config.game).SelfPlay(
        config.panel_games, [opponent], num_players=config.setup(board), advice=config.told or False, seed=_FIRST_SEED
    )
    found = np.full(play.n, np.nan)
    while np.isnan(found).any():  # the first game in each place; places whose game is over go on with another
        play.step(agent.choose(play.observations, play.masks, play.advice))
        first = play.dones & np.isnan(found)
        found[first] = (play.ended.win if config.rivals else play.ended.total)[first]
    return float(found.mean())


def write_results(path: Path, results: Sequence[dict[str, Any]]) -> None:
    """Write comparisons as JSON lines, and a picture of them (``.svg``) beside; each file whole or not at all."""
    write_atomically(path, "".join(json.dumps(result) + "\n" for result in results).encode())
    write_atomically(path.with_suffix(".svg"), picture(results))


def picture(results: Sequence[dict[str, Any]]) -> bytes:
    """Return an SVG file that shows the win shares against the panel over decisions and over time.

    results: ``samples``, ``seconds``, ``players`` and ``shares`` by name of each comparison.
    """
    import matplotlib  # only here: it takes a second to load
    from matplotlib.figure import Figure

    totals = [*results[0]["shares"]] == ["total"]
    style: dict[Any, Any] = {"svg.hashsalt": "bohemian-villages", "svg.fonttype": "none", "text.parse_math": False}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=_FIGURE, layout="constrained")
        over_samples, over_time = figure.subplots(1, 2, sharey=True)
        for axes, key, unit, label in (
            (over_samples, "samples", 1e6, "decisions of self-play, millions"),
            (over_time, "seconds", 60.0, "minutes of training"),
        ):
            for name, line in zip(results[0]["shares"], _LINES, strict=False):
                x = [result[key] / unit for result in results]
                axes.plot(x, [result["shares"][name] for result in results], line, marker=".", label=name)
            if not totals:
                axes.axhline(1 / results[0]["players"], color="0.6", linewidth=0.8, label="equal")
                axes.set_ylim(0, 1)
            axes.set_xlabel(label)
        over_samples.set_ylabel("mean total" if totals else "win share against")
        over_time.legend(loc="best", fontsize="small")
        content = io.BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()
