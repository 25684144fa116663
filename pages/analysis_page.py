"""The text of docs/analysis.md: its sentences are chosen by the numbers, so that they stay true of other agents."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from agents.analysis import counts
from agents.analysis.counts import LEADS, Answer
from agents.analysis.estimates import share_of
from agents.analysis.log import Log
from agents.analysis.moves import WHAT
from agents.analysis.openings import Turn, first_offers, first_turns
from agents.tournament.sources import SOURCES
from agents.tournament.statistics import LEVEL, Estimate
from bohemian_env.game.facts import KINDS

__all__ = ["NAMES", "SOURCE_NAMES", "page"]

NAMES: Final = {
    **dict(zip(KINDS, KINDS, strict=True)),
    "tailor": "tailor shop",
    "mill": "flour mill",
    "glass": "glass factory",
    "town_hall": "town hall",
    "bishop": "bishop",
    "special": "special action tile",
    "reroll": "roll again",
    "end": "stop",
}
"""What people call each entry of WHAT."""
SOURCE_NAMES: Final = {name: name.replace("_", " ") for name in SOURCES} | {"tiles": "left-over tiles"}
_WORDS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}
_OPENINGS: Final = 12  # rows of a table
_FEW: Final = 30  # cases; of fewer, a share says nothing
_NARROW: Final = 0.04  # width of the interval of a share that is told to a tenth of a percent
_CLOSE: Final = 0.15  # half of the interval of a mean that is told to a hundredth
_WIDTH: Final = 120  # columns of the page where it is no table

Book = Mapping[tuple[int, ...], Counter[Turn]]


# --- pieces of text ---------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> list[str]:
    """A table. align: l or r by column; the first to the left, the others to the right, unless it says otherwise."""
    align = align or "l" + "r" * (len(head) - 1)
    line = [{"l": "---", "r": "--:"}[a] for a in align]
    return [*(f"| {' | '.join(cells)} |" for cells in (head, line, *rows)), ""]


def _percent(e: Estimate, digits: int = 0) -> str:
    """A share in percent, without the sign."""
    return "–" if math.isnan(e.value) else f"{100 * e.value:.{digits}f}"


def _share(e: Estimate) -> str:
    """A share in percent with its interval, as many digits as it deserves."""
    if math.isnan(e.value):
        return "–"
    digits = 1 if e.high - e.low < _NARROW else 0
    return f"{100 * e.value:.{digits}f} % ({100 * e.low:.{digits}f} to {100 * e.high:.{digits}f})"


def _mean(e: Estimate, sign: str = "") -> str:
    """A mean with its interval, which lies evenly around it, as many digits as it deserves."""
    if math.isnan(e.value):
        return "–"
    half = e.high - e.value
    digits = 2 if half < _CLOSE else 1
    return f"{e.value:{sign}.{digits}f}" + (f" ± {half:.{digits}f}" if math.isfinite(half) else "")


def _against(e: Estimate, fair: float) -> str:
    """How a share compares with a fair one, in words."""
    if e.low > fair:
        return f"more than the {100 * fair:.0f} % of an equal share"
    if e.high < fair:
        return f"less than the {100 * fair:.0f} % of an equal share"
    return f"no clear difference from the {100 * fair:.0f} % of an equal share"


def _turn_text(turn: Turn) -> str:
    """A turn as people say it: inn + farm."""
    text = [f"2 × {NAMES[what]}" if n > 1 else NAMES[what] for what, n in Counter(turn).items()]
    return " + ".join(text) or "nothing"


def _with(players: int) -> str:
    return f"With {_WORDS[players]} players"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _heads(logs: Mapping[int, Log]) -> list[str]:
    return [f"{players} players" for players in logs]


def _wrapped(line: str) -> str:
    """A line of text in lines of the usual width; tables, pictures and headings as they are."""
    if line.startswith(("|", "#", "![")):
        return line
    indent = "  " if line.startswith("- ") else ""
    line = line.replace(" %", "\0%")  # keep number and sign together
    text = textwrap.fill(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return text.replace("\0%", " %")


def _by_table(texts: Mapping[int, str]) -> str:
    """Something for each number of players: 61 %, 47 % and 40 % with two, three and four players."""
    return f"{_listed(list(texts.values()))} with {_listed([_WORDS[players] for players in texts])} players"


def _widest(answers: Iterable[Answer]) -> float:
    """The farthest that an interval of these shares reaches, in points of a hundred."""
    return max(100 * max(a.estimate.high - a.estimate.value, a.estimate.value - a.estimate.low) for a in answers)


# --- sections ---------------------------------------------------------------------------------------------------


def _seats(logs: Mapping[int, Log]) -> list[str]:
    found = {players: counts.seats(log) for players, log in logs.items()}
    lines = ["## Does it pay to begin?", "", "![Win share by seat](analysis-seats.svg)", ""]
    for players, numbers in found.items():
        share = numbers[0][0]
        lines.append(
            f"- {_with(players)} the first seat wins {_share(share)}: {_against(share, 1 / players)}. Its mean "
            f"total is {_mean(numbers[0][1])} coins, that of the last seat {_mean(numbers[-1][1])}."
        )
    rows = [
        [f"{players} players", *(f"{_share(s)}; {_mean(t)}" for s, t in numbers), *["–"] * (max(logs) - players)]
        for players, numbers in found.items()
    ]
    head = ["win share; mean total", *(f"seat {k + 1}" for k in range(max(logs)))]
    return [*lines, "", "Joint winners share the win. Seat 1 begins.", "", *_table(head, rows)]


def _openings(logs: Mapping[int, Log]) -> list[str]:
    lines = [
        "## The first turn",
        "",
        "What the first seat does with its first roll, without the order of the moves. *When offered* is how often it "
        "does so when the roll allows it; the dice decide what is on offer, so that a win share tells of the roll as "
        "much as of the choice. [Every first roll](#every-first-roll) is at the end of the page.",
        "",
    ]
    for players, log in logs.items():
        turns, offers = first_turns(log), first_offers(log)
        usual = Counter(turns)
        everyone = share_of(log.shares[:, 0], np.arange(log.games))
        lone = np.array([len(turn) == 1 for turn in turns])
        rows: list[list[str]] = []
        taken: list[tuple[float, Turn, Estimate, int]] = []
        for turn, number in usual.most_common():
            offered = np.array([turn in offer for offer in offers])
            games = np.flatnonzero(offered)
            chosen = np.array([turns[game] == turn for game in games])
            when = share_of(chosen, games)
            if "reroll" not in turn and len(games) >= _FEW:
                taken.append((when.value, turn, when, len(games)))
            made = np.flatnonzero([other == turn for other in turns])
            won = share_of(log.shares[made, 0], made)
            if len(rows) < _OPENINGS:
                cells = [f"{number:,}", f"{_share(when)} of {len(games):,}", _share(won) if number >= _FEW else "–"]
                rows.append([_turn_text(turn), *cells])
        lines += [
            f"### {players} players",
            "",
            f"In {_share(share_of(lone, np.arange(log.games)))} of {log.games:,} games the first turn is a single "
            f"move. The first seat wins {_share(everyone)} in all.",
        ]
        if taken:
            surest = [f"{_turn_text(turn)} ({_share(when)} of {n:,})" for _, turn, when, n in sorted(taken)[::-1][:3]]
            lines.append(f"Taken most surely when the roll offers it: {_listed(surest)}.")
        lines += ["", *_table(["first turn", "games", "when offered", "win share after it"], rows)]
    return lines


def _kinds(logs: Mapping[int, Log]) -> list[str]:
    by_phase = {players: [counts.offers(log, k) for k in range(3)] for players, log in logs.items()}
    whole = {players: counts.offers(log) for players, log in logs.items()}
    lines = [
        "## What it wants, and when",
        "",
        "Of the decisions in which something could be done, the part in which it was done, in percent: by thirds of "
        "the game, counted in turns. Every decision is counted for all that it allowed.",
        "",
        "![Chosen when possible, by kind and third of the game](analysis-kinds.svg)",
        "",
    ]
    for players, sorts in whole.items():
        order = sorted(KINDS, key=lambda kind: -sorts[kind].estimate.value if sorts[kind].count else 0.0)
        most = [f"{NAMES[kind]} ({_share(sorts[kind].estimate)})" for kind in order[:3]]
        least = [f"{NAMES[kind]} ({_share(sorts[kind].estimate)})" for kind in order[::-1][:2]]
        lines.append(f"- {_with(players)} it takes most readily: {_listed(most)}. Least: {_listed(least)}.")
    answers = [a for phases in by_phase.values() for found in phases for a in found.values() if a.count >= _FEW]
    trust = "Of too few decisions to tell."
    if answers:
        trust = (
            f"Each number in the picture is from {min(a.count for a in answers):,} decisions or more, and no interval "
            f"reaches farther than {_widest(answers):.1f} points (those from fewer than {_FEW} decisions left aside)."
        )
    lines += [
        "",
        trust,
        "",
        "Where the figures go, in percent of those placed: in the whole game (early / middle / late).",
        "",
    ]
    shares = {
        players: [counts.placed(log), *(counts.placed(log, k) for k in range(3))] for players, log in logs.items()
    }
    rows = []
    for kind in KINDS:
        cells = []
        for found in shares.values():
            whole_game, *thirds = (by_kind[kind].estimate for by_kind in found)
            cells.append(f"{_percent(whole_game, 1)} ({' / '.join(_percent(e) for e in thirds)})")
        rows.append([NAMES[kind], *cells])
    rows.append(["figures placed", *(f"{found[0]['farm'].count:,}" for found in shares.values())])
    wide = _widest(by_kind[kind] for found in shares.values() for by_kind in found for kind in KINDS)
    return [
        *lines,
        *_table(["", *_heads(logs)], rows),
        f"No interval reaches farther than {wide:.1f} points from its number.",
        "",
    ]


def _kicks(logs: Mapping[int, Log]) -> list[str]:
    lines = ["## Kicking out", ""]
    found = {players: counts.kicks(log) for players, log in logs.items()}
    rows = [
        [
            f"{players} players",
            _share(whole.estimate),
            " / ".join(_percent(phase.estimate, 1) for phase in phases),
            f"{whole.estimate.value * whole.count / logs[players].games:.1f}",
            f"{whole.count:,}",
        ]
        for players, (whole, phases, _) in found.items()
    ]
    head = ["", "of the figures placed", "early / middle / late, %", "a game", "figures placed"]
    lines += _table(head, rows)
    lines += ["Of the figures placed on each kind, the part that had to kick another out:", ""]
    kinds = [kind for kind in KINDS if any(by_kind[kind].estimate.value > 0 for _, _, by_kind in found.values())]
    rows = [[NAMES[kind], *(_share(by_kind[kind].estimate) for *_, by_kind in found.values())] for kind in kinds]
    lines += _table(["", *_heads(logs)], rows)
    if rest := [NAMES[kind] for kind in KINDS if kind not in kinds]:
        lines += [f"Nobody was kicked out of: {_listed(rest)}.", ""]
    return lines


def _coins(logs: Mapping[int, Log]) -> list[str]:
    found = {players: counts.sources(log) for players, log in logs.items()}
    lines = ["## Where the coins come from", "", "![Coins by source](analysis-coins.svg)", ""]
    for players, sources in found.items():
        order = sorted(sources, key=lambda name: -sources[name][2].value)
        best, second, worst = (
            f"{SOURCE_NAMES[name]} ({_mean(sources[name][2], '+')})" for name in order[:2] + order[-1:]
        )
        lines.append(
            f"- {_with(players)} winners gain most on the others by {best}, then by {second}; least by {worst}."
        )
    rows = [
        [
            SOURCE_NAMES[name],
            *(f"{s[name][0].value:.1f} / {s[name][1].value:.1f} ({_mean(s[name][2], '+')})" for s in found.values()),
        ]
        for name in SOURCES
    ]
    return [
        *lines,
        "",
        "Coins of winners / of the others, and in brackets the difference within a game:",
        "",
        *_table(["", *_heads(logs)], rows),
        "[Coins by source](training.md#evaluate) says what each is. What winners have more of need not be what made "
        "them win: the lucky can afford more of everything.",
        "",
    ]


def _tiles(logs: Mapping[int, Log]) -> list[str]:
    found = {players: counts.tiles(log) for players, log in logs.items()}
    offers = {
        players: [counts.offers(log), *(counts.offers(log, k) for k in range(3))] for players, log in logs.items()
    }

    def chosen(name: str) -> list[str]:
        return [
            f"{_share(whole[name].estimate)}; {' / '.join(_percent(phase[name].estimate) for phase in phases)}"
            for whole, *phases in offers.values()
        ]

    tiles = list(found.values())
    rows = [
        ["bishop taken, times a game", *(_mean(t.bishop) for t in tiles)],
        ["… when possible; early / middle / late, %", *chosen("bishop")],
        [
            "the seat that has the bishop in the end wins",
            *(f"{_share(t.bishop_wins.estimate)} of {t.bishop_wins.count:,} games" for t in tiles),
        ],
        ["special action tiles taken, a seat and game", *(_mean(t.taken) for t in tiles)],
        ["… when possible; early / middle / late, %", *chosen("special")],
        ["spent, a seat and game", *(_mean(t.spent) for t in tiles)],
        ["… when possible; early / middle / late, %", *chosen("reroll")],
        [
            "… early / middle / late, % of those spent",
            *(" / ".join(_percent(a.estimate) for a in t.when) for t in tiles),
        ],
        ["… in the turn in which it was taken", *(_share(t.at_once.estimate) for t in tiles)],
        *(
            [f"… to roll {n} {'die' if n == 1 else 'dice'} again", *(_share(t.dice[n].estimate) for t in tiles)]
            for n in (4, 3, 2, 1)
        ),
        ["tiles spent in all", *(f"{t.when[0].count:,}" for t in tiles)],
    ]
    lines = ["## The bishop and the special action tile", "", *_table(["", *_heads(logs)], rows)]
    for players, t in found.items():
        lines.append(
            f"- {_with(players)} whoever has the bishop at the end wins {_share(t.bishop_wins.estimate)}: "
            f"{_against(t.bishop_wins.estimate, 1 / players)}. Of {t.taken.value:.2f} special action tiles that a seat "
            f"takes in a game, {t.spent.value:.2f} are spent."
        )
    return [*lines, ""]


def _ends(logs: Mapping[int, Log]) -> list[str]:
    found = {players: counts.endings(log) for players, log in logs.items()}
    emptied = {players: counts.emptying(log) for players, log in logs.items()}
    once = {players: counts.ending_at_once(log) for players, log in logs.items()}
    ends = list(found.values())

    def cell(answer: Answer) -> str:
        return f"{_share(answer.estimate)} of {answer.count:,}"

    rows = [
        ["turns of a game, all seats together", *(_mean(e.turns) for e in ends)],
        *(
            [f"games that ended by: {name}", *(f"{e.ends[name]:,}" for e in ends)]
            for name in ends[0].ends
            if any(e.ends[name] for e in ends)
        ),
        ["win share of the ending seat", *(_share(e.wins.estimate) for e in ends)],
        ["its lead over the best other, coins", *(_mean(e.lead, "+") for e in ends)],
        ["figures in hand: winners", *(_mean(e.winners) for e in ends)],
        ["figures in hand: the others", *(_mean(e.others) for e in ends)],
        *(
            [f"figures in hand: seat {k + 1}", *(_mean(e.hands[k]) if k < len(e.hands) else "–" for e in ends)]
            for k in range(max(logs))
        ),
        *(
            [
                f"part of the games that seat {k + 1} ends",
                *(_share(e.by_seat[k].estimate) if k < len(e.by_seat) else "–" for e in ends),
            ]
            for k in range(max(logs))
        ),
    ]
    lines = [
        "## The end",
        "",
        "The game ends when somebody should begin a turn and has no figure in hand. Call that the ending seat: it "
        "placed its last figure a round before, and nobody sent one back to it by kicking or by filling all mills or "
        "all glass factories.",
        "",
    ]
    for players, e in found.items():
        lines.append(
            f"- {_with(players)} the ending seat wins {_share(e.wins.estimate)}: "
            f"{_against(e.wins.estimate, 1 / players)}. On average it is {abs(e.lead.value):.1f} coins "
            f"{'ahead of' if e.lead.value >= 0 else 'behind'} the best other."
        )
    lines += ["", *_table(["", *_heads(logs)], rows)]
    lines += [
        "### Going out",
        "",
        "Turns in which it could place its last figure, and how often it did, by how it stood before the turn if the "
        "game had been scored there and then:",
        "",
        *_table(
            ["", *_heads(logs)],
            [
                *([name, *(cell(leads[name]) for leads, _ in emptied.values())] for name in LEADS),
                ["it held: the game ended a round later", *(cell(held) for _, held in emptied.values())],
            ],
        ),
        "### The last word",
        "",
        "Sometimes the next seat has nothing in hand, and the seat to move decides whether the game is over: it can "
        "send a figure back, or not. How often it ended the game when it had this choice and a turn that",
        "",
        *_table(
            ["", *_heads(logs)],
            [
                ["ends it and wins alone", *(cell(win) for win, _ in once.values())],
                ["ends it, but only to lose", *(cell(lose) for _, lose in once.values())],
            ],
        ),
    ]
    for players, (win, lose) in once.items():
        if win.count and lose.count:
            missed = 1 - win.estimate.value
            lines.append(
                f"- {_with(players)} it let {100 * missed:.0f} % of the sure wins pass, and ended "
                f"{100 * lose.estimate.value:.0f} % of the games that it could only lose by ending them."
            )
    return [*lines, ""]


def _planner(logs: Mapping[int, Log]) -> list[str]:
    found = {players: counts.planner(log) for players, log in logs.items()}
    numbers = list(found.values())
    lines = [
        "## Where it differs from the planner",
        "",
        "[`planner`](ladder.md) tries every way to play the turn and counts what it is worth, in coins, by fixed "
        "weights. Here is what it thinks of the agent's moves: a decision *differs* if the planner sees a better turn "
        "than any that begins with the agent's move. That is not a mistake as such: the agent may see what the planner "
        "does not.",
        "",
        "![What it does instead of the planner's move, and the reverse](analysis-planner.svg)",
        "",
    ]
    names = [name for name in WHAT if name != "end"]
    for players, p in found.items():
        net = {name: p.instead[name][0].value - p.instead[name][1].value for name in names}
        order = sorted(names, key=lambda name: -net[name])
        more = [f"{NAMES[name]} ({net[name]:+.1f} in 100 turns)" for name in order[:2]]
        less = [f"{NAMES[name]} ({net[name]:+.1f})" for name in order[::-1][:2]]
        lines.append(
            f"- {_with(players)} {_share(p.differs.estimate)} of {p.differs.count:,} decisions differ. Compared with "
            f"the planner it leans towards {_listed(more)}, and away from {_listed(less)}."
        )
    rows = [
        ["decisions that differ", *(_share(p.differs.estimate) for p in numbers)],
        ["… early / middle / late, %", *(" / ".join(_percent(a.estimate) for a in p.by_phase) for p in numbers)],
        ["… only in village or dice, part of these", *(_share(p.same_sort.estimate) for p in numbers)],
        ["coins given away where it differs", *(_mean(p.loss) for p in numbers)],
        ["coins given away by a seat in a game", *(_mean(p.loss_of_game) for p in numbers)],
        *(
            [f"differs when it chooses: {NAMES[name]}", *(_share(p.by_what[name].estimate) for p in numbers)]
            for name in WHAT
        ),
    ]
    return [
        *lines,
        "",
        "In the planner's eyes, where there was a choice:",
        "",
        *_table(["", *_heads(logs)], rows),
    ]


def _value(logs: Mapping[int, Log]) -> list[str]:
    lines = [
        "## Does it know how well it stands?",
        "",
        "Each agent gives itself a chance of winning (`agents/training/calibration.py` makes it of the value that it learnt). "
        "Here is the mean over the course of the game, for those who won in the end and for the others:",
        "",
        "![The chance of winners and of the others over the game](analysis-chance.svg)",
        "",
    ]
    for players, log in logs.items():
        winners, others = counts.chances_over_time(log)
        lines.append(
            f"- {_with(players)} winners give themselves {_share(winners[0])} at the start and {_share(winners[-1])} "
            f"at the end, the others {_share(others[0])} and {_share(others[-1])}."
        )
    lines += [
        "",
        "In the first tenth, little more than seat, villages and first rolls can tell them apart.",
        "",
        "### Reliability",
        "",
        "If it says 70 %, does it win 70 %? Decisions are grouped by the chance that it gave itself; a point on the "
        "dashed line is a true word. The games are not those by which it was calibrated.",
        "",
        "![Chance that was given, and part that was won](analysis-reliability.svg)",
        "",
    ]
    for players, log in logs.items():
        found = counts.reliability_with_intervals(log)
        total = sum(answer.count for _, answer in found)
        off = sum(answer.count * abs(chance - answer.estimate.value) for chance, answer in found) / total
        holds = sum(answer.estimate.low <= chance <= answer.estimate.high for chance, answer in found)
        lines.append(
            f"- {_with(players)} the points lie {100 * off:.1f} percentage points off the line on average, weighted by "
            f"their decisions ({total:,}); the interval meets the line in {holds} of {len(found)}."
        )
    return [*lines, ""]


def _book(books: Mapping[int, Book]) -> list[str]:
    villages = next(iter(next(iter(books.values())).values())).total()
    rows = []
    for roll in next(iter(books.values())):
        cells = []
        for book in books.values():
            turn, number = book[roll].most_common(1)[0]
            cells.append(f"{_turn_text(turn)}, {100 * number / villages:.0f}")
        rows.append([" ".join(map(str, roll)), *cells])
    return [
        "## Every first roll",
        "",
        f"The first turn of the first seat with each of the {len(rows)} rolls, tried on the same {villages} boards of "
        "villages at random: the commonest way to play it, and on how many of 100 boards.",
        "",
        *_table(["roll", *(f"{players} players" for players in books)], rows, "l" * (1 + len(books))),
    ]


def _in_short(logs: Mapping[int, Log]) -> list[str]:
    first = {players: counts.seats(log)[0][0] for players, log in logs.items()}
    pays = [_WORDS[players] for players, e in first.items() if e.low > 1 / players]
    where = "at every table" if len(pays) == len(logs) else f"clearly with {_listed(pays)} players" if pays else ""
    gains: dict[str, list[str]] = {}
    for players, log in logs.items():
        sources = counts.sources(log)
        best = max(sources, key=lambda name: np.nan_to_num(sources[name][2].value))
        gains.setdefault(SOURCE_NAMES[best], []).append(_WORDS[players])
    kicked = {players: counts.kicks(log)[0].estimate for players, log in logs.items()}
    ends = {players: counts.endings(log).wins.estimate for players, log in logs.items()}
    missed = {
        players: f"{100 - 100 * win.estimate.value:.0f} %"
        for players, log in logs.items()
        for win, _ in [counts.ending_at_once(log)]
        if win.count
    }
    differs = {players: counts.planner(log).differs.estimate for players, log in logs.items()}

    def shares(found: Mapping[int, Estimate]) -> str:
        return _by_table({players: f"{_percent(e)} %" for players, e in found.items()})

    by = [
        f"{name} ({_listed(words)} players)" if len(words) < len(logs) else f"{name}, at every table"
        for name, words in gains.items()
    ]
    lines = [
        "## In short",
        "",
        f"- {f'Beginning pays {where}' if pays else 'Beginning clearly pays at no table'}: the first seat wins "
        f"{shares(first)}; an equal share would be {_listed([f'{100 / players:.0f} %' for players in logs])}. "
        "[More](#does-it-pay-to-begin)",
        f"- Winners gain most on the others by {_listed(by)}. [More](#where-the-coins-come-from)",
        f"- Of the figures placed, those that kick another out are {shares(kicked)}. [More](#kicking-out)",
        f"- The seat that runs out of figures and so ends the game wins {shares(ends)}. [More](#the-end)",
    ]
    if missed:
        lines.append(
            "- Of the turns in which it could have ended the game at once and won alone, it played on in "
            f"{_by_table(missed)}. [More](#the-last-word)"
        )
    lines.append(
        "- Of the decisions, those for which the planner, which counts coins, would rather have another turn are "
        f"{shares(differs)}. [More](#where-it-differs-from-the-planner)"
    )
    return [*lines, ""]


def page(logs: Mapping[int, Log], books: Mapping[int, Book], command: str) -> str:
    """The whole page.

    Args:
        logs: by number of players.
        books: by number of players, of the same villages each.
        command: that makes the page.
    """
    decisions = sum(len(log.decisions) for log in logs.values())
    games = {log.games for log in logs.values()}
    head = [
        "# How the agents play",
        "",
        f"What the shipped agents do when they play among themselves: {_listed([f'{n:,}' for n in sorted(games)])} "
        f"games for each number of players, villages at random, {decisions:,} decisions, always the move that they "
        f"hold for the best and without looking ahead. Intervals are at {100 * LEVEL:g} %, and all that happens in one "
        "game counts as one observation. These are the habits of a trained player, not proofs of what is best; and the "
        "villages are [a reconstruction](board.md).",
        "",
    ]
    sections = (_in_short, _seats, _openings, _kinds, _kicks, _coins, _tiles, _ends, _planner, _value)
    body = [line for section in sections for line in section(logs)]
    tail = ["## How this page is made", "", "```", command, "```"]
    text = [_wrapped(line) for line in [*head, *body, *_book(books)]]
    return "\n".join([*text, *tail]) + "\n"
