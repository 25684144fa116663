"""Measure docs/analysis.md: how the shipped agents play among themselves, at tables of two to five players.

    python -m pages.analysis

Takes two minutes on one core. The page and its pictures replace the old ones when all games are played.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from agents.analysis import Log, Turn, counts, first_offers, first_turns, play, play_book
from agents.analysis.counts import NAMES, Answer
from agents.analysis.estimates import share_of
from agents.common.coin_sources import COIN_SOURCES
from agents.common.markdown import table
from agents.common.statistics import Estimate
from agents.players.policy import load_agent
from agents.pretrained import shipped_path
from bohemian_env.game.facts import KINDS
from pages import DOCS, TABLE_SIZES
from pages import analysis_pictures as pictures
from pages.program import make_files, measured_page, parser, read

PROGRAM: Final = "pages.analysis"
SEED: Final = 5_000_000
"""The seed of the first game of each number of players: far from those of the other pages."""
BOARDS: Final = 100
"""On which every first roll is tried."""
SOURCE_NAMES: Final = {name: name.replace("_", " ") for name in COIN_SOURCES} | {"tiles": "left-over tiles"}
PICTURES: Final = ("seats", "kinds", "coins", "planner", "chance")
_OPENINGS: Final = 12  # rows of a table
_FEW: Final = 30  # games; of fewer, a share says nothing
_NARROW: Final = 0.04  # width of the interval of a share that is told to a tenth of a percent
_CLOSE: Final = 0.15  # half of the interval of a mean that is told to a hundredth

Logs = Mapping[int, Log]
Question = Callable[[Log], Mapping[str, Any]]
Found = TypeVar("Found")
Book = Mapping[tuple[int, ...], Counter[Turn]]


# --- cells and tables -------------------------------------------------------------------------------------------


def share_text(e: Estimate) -> str:
    """Return a share in percent with its interval, with as many digits as it deserves."""
    if math.isnan(e.value):
        return "–"
    digits = 1 if e.high - e.low < _NARROW else 0
    return f"{100 * e.value:.{digits}f} % ({100 * e.low:.{digits}f} to {100 * e.high:.{digits}f})"


def mean_text(e: Estimate, sign: str = "") -> str:
    """Return a mean and half of its interval, which lies evenly around it, with as many digits as it deserves."""
    if math.isnan(e.value):
        return "–"
    half = e.high - e.value
    digits = 2 if half < _CLOSE else 1
    return f"{e.value:{sign}.{digits}f}" + (f" ± {half:.{digits}f}" if math.isfinite(half) else "")


def shares_text(answers: Sequence[Answer]) -> str:
    """Return shares in percent, side by side."""
    values = [answer.estimate.value for answer in answers]
    return " / ".join("–" if math.isnan(value) else f"{100 * value:.1f}" for value in values)


def answer_text(answer: str | Answer | Estimate | Sequence[Answer] | int) -> str:
    """Return any answer as a cell; text is one."""
    if isinstance(answer, Answer):
        return share_text(answer.estimate)
    if isinstance(answer, Estimate):
        return mean_text(answer)
    if isinstance(answer, int):
        return f"{answer:,}"
    return answer if isinstance(answer, str) else shares_text(answer)


def by_size(logs: Logs, question: Question, cell: Callable[..., str] = answer_text) -> str:
    """Return a table with a column for each number of players, and a row for each answer."""
    found = [{name: cell(answer) for name, answer in question(log).items()} for log in logs.values()]
    rows = ([name, *(cells.get(name, "–") for cells in found)] for name in max(found, key=len))
    return table(["", *(f"{players} players" for players in logs)], rows, range(1, len(found) + 1))


def counted(answer: Answer) -> str:
    """Return a share and the number of its cases."""
    return f"{share_text(answer.estimate)} of {answer.count:,}"


def turn_text(turn: Turn) -> str:
    """Return a turn as people say it: inn + farm."""
    text = [f"2 × {NAMES[what]}" if n > 1 else NAMES[what] for what, n in Counter(turn).items()]
    return " + ".join(text) or "nothing"


# --- what the page shows ----------------------------------------------------------------------------------------


def in_short(log: Log) -> dict[str, Any]:
    """Return a number or two from each section."""
    return {
        "games": log.games,
        "decisions": len(log.decisions),
        "[wins of the first seat](#does-it-pay-to-begin)": share_text(counts.seats(log)[0][0]),
        "[kicks, of the figures placed](#kicking-out)": counts.kicks(log)["kicks, of the figures placed"],
        "[wins of the seat that ends the game](#the-end)": counts.endings(log)["wins of the ending seat"],
        "[sure wins taken at once](#the-last-word)": counts.ending_at_once(log)["ends it and wins alone"],
        "[decisions that differ from the planner](#the-planner)": counts.planner(log)["decisions that differ"],
    }


def seats(log: Log) -> dict[str, str]:
    """Return win share and mean total of each seat."""
    found = list(enumerate(counts.seats(log)))
    shares = {f"win share, seat {seat}": share_text(share) for seat, (share, _) in found}
    return shares | {f"mean total, seat {seat}": mean_text(total) for seat, (_, total) in found}


def openings(log: Log) -> str:
    """Return the commonest first turns of the first seat, as a table."""
    turns, offers = first_turns(log), first_offers(log)
    rows = []
    for turn, number in Counter(turns).most_common(_OPENINGS):
        made = np.array([other == turn for other in turns])
        games = np.flatnonzero([turn in offer for offer in offers])
        when = share_text(share_of(made[games], games))
        won = share_text(share_of(log.shares[made, 0], np.flatnonzero(made))) if number >= _FEW else "–"
        rows.append([turn_text(turn), f"{number:,}", f"{when} of {len(games):,}", won])
    return table(["first turn", "games", "when offered", "win share after it"], rows, (1, 2, 3))


def first_turn(logs: Logs) -> str:
    """Return the commonest first turns at each table, under their headings."""
    parts = []
    for players, log in logs.items():
        lone = share_of(np.array([len(turn) == 1 for turn in first_turns(log)]), np.arange(log.games))
        parts += [f"### {players} players", f"First turns of a single move: {share_text(lone)}.", openings(log)]
    return "\n\n".join(parts)


def taken(log: Log) -> dict[str, Answer]:
    """Return how often each kind is taken when possible."""
    found = counts.offers(log)
    return {NAMES[kind]: found[kind][0] for kind in KINDS}


def placed(log: Log) -> dict[str, Any]:
    """Return what part of the figures goes where."""
    found = counts.placed(log)
    return {**{NAMES[kind]: answers for kind, answers in found.items()}, "figures placed": found["farm"][0].count}


def coins(log: Log) -> dict[str, str]:
    """Return the coins by source of winners and of the others, and their difference."""
    return {
        SOURCE_NAMES[name]: f"{winners.value:.1f} / {others.value:.1f} ({mean_text(difference, '+')})"
        for name, (winners, others, difference) in counts.coin_sources(log).items()
    }


def chances(log: Log) -> dict[str, str]:
    """Return the chance of winning of winners and of others, early and late."""
    winners, others = counts.chances_over_time(log)
    ends = {"first": 0, "last": -1}
    return {
        **{f"chance of winners, {name} tenth": share_text(winners[k]) for name, k in ends.items()},
        **{f"… of the others, {name} tenth": share_text(others[k]) for name, k in ends.items()},
    }


def first_rolls(books: Mapping[int, Book]) -> str:
    """Return the commonest first turn with each roll, and on how many of 100 boards it is played, as a table."""

    def cell(turns: Counter[Turn]) -> str:
        turn, number = turns.most_common(1)[0]
        return f"{turn_text(turn)}, {100 * number / turns.total():.0f}"

    rows = ([" ".join(map(str, roll)), *(cell(book[roll]) for book in books.values())] for roll in books[2])
    return table(["roll", *(f"{players} players" for players in books)], rows)


def blocks(logs: Logs, books: Mapping[int, Book]) -> dict[str, str]:
    """Return what stands in each place of the page."""
    return {
        "in short": by_size(logs, in_short),
        "seats": by_size(logs, seats),
        "first turn": first_turn(logs),
        "taken": by_size(logs, taken),
        "placed": by_size(logs, placed),
        "kicks": by_size(logs, counts.kicks),
        "coins": by_size(logs, coins),
        "tiles": by_size(logs, counts.tiles),
        "endings": by_size(logs, counts.endings),
        "going out": by_size(logs, counts.emptying, counted),
        "last word": by_size(logs, counts.ending_at_once, counted),
        "planner": by_size(logs, counts.planner),
        "chances": by_size(logs, chances),
        "first rolls": first_rolls(books),
    }


def drawn(logs: Logs) -> dict[str, str]:
    """Return the pictures of the page by name, in the order of PICTURES."""
    instead = ("the agent does it, the planner would not", "the planner would, the agent does not")
    asked = {name: text for name, text in NAMES.items() if name != "end"}

    def panels(question: Callable[[Log], Found]) -> dict[int, Found]:
        return {players: question(log) for players, log in logs.items()}

    return {
        "seats": pictures.seats(panels(counts.seats)),
        "kinds": pictures.choices(panels(counts.offers), asked),
        "coins": pictures.bars(panels(counts.coin_sources), SOURCE_NAMES, ("winners", "the others")),
        "planner": pictures.leanings(panels(counts.instead_of_planner), NAMES, instead),
        "chance": pictures.chances(panels(counts.chances_over_time)),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--games", type=int, default=4000, help="for each number of players (default: 4000)")
    options.add_argument("--seed", type=int, default=SEED, help=f"of the first game (default: {SEED})")
    options.add_argument("--out", type=Path, default=DOCS, help="folder for the page and its pictures (default: docs)")
    o = read(options, argv)

    def texts() -> list[str]:
        logs, books = {}, {}
        for players in TABLE_SIZES:
            print(f"{PROGRAM}: {players} players", file=sys.stderr)
            agent = load_agent(shipped_path(players))
            logs[players] = play(agent, players, o.games, o.seed)
            books[players] = play_book(agent, players, min(BOARDS, o.games), o.seed)
        return [measured_page(o, blocks(logs, books), o.seed), *drawn(logs).values()]

    return make_files(o, [o.out / "analysis.md", *(o.out / f"analysis-{name}.svg" for name in PICTURES)], texts)


if __name__ == "__main__":
    sys.exit(main())
