"""A comparison as Markdown, for a page or as a terminal shows it, and as CSV and JSON for programs."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from numpy import format_float_positional
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

import bohemian_env
from agents.common.markdown import fenced
from agents.common.markdown import table as as_table
from agents.common.statistics import LEVEL, LEVEL_TEXT, Estimate
from agents.common.versions import versions
from agents.players.program import STAND_IN

from .comparison import Comparison
from .rating import ANCHOR
from .schedule import LineUp
from .statistics import Result, Score, Table
from .sure import FALSE, MISSED, Verdict

FORMAT: Final = "bohemian-comparison/3"
_TEXTS: Final = ("agent", "against", "table")  # columns that hold names

Row = tuple[str, ...]


# --- what all forms share ---------------------------------------------------------------------------------------


def _with_range(estimate: Estimate, digits: int) -> Row:
    value, _, interval = estimate.text(digits).partition(" ")
    return value, interval.strip("()")


def table_name(comparison: Comparison, table: Table) -> str:
    """Return who sits at a table: ``greedy, 2 × random``."""
    return _seats(comparison.names, table.line_up)


def _seats(names: Sequence[str], line_up: LineUp) -> str:
    counts = {names[number]: line_up.order.count(number) for number in line_up.agents}
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.items())


def _found(comparison: Comparison, duels: bool) -> list[tuple[Row, Table, Result]]:
    """Return what tables say of agents: two names, the table, the result.

    Of duels, the result of the lone agent, named with its opponent; of other tables all results, with table and agent.
    """
    found: list[tuple[Row, Table, Result]] = []
    for table in comparison.tables:
        names = [comparison.names[number] for number in table.line_up.agents]
        if table.line_up.is_duel and duels:
            found.append((tuple(names), table, table.results[0]))
        elif not (table.line_up.is_duel or duels):
            label = table_name(comparison, table)
            found += [((label, name), table, result) for name, result in zip(names, table.results, strict=True)]
    return found


def cross_table(comparison: Comparison) -> list[list[float | None]]:
    """Return the win share of each agent, alone among copies of each other one; None where that was not played.

    With two players the share of the second of a pair is what the first one's leaves.
    """
    count = len(comparison.names)
    shares: list[list[float | None]] = [[None] * count for _ in range(count)]
    for table in comparison.tables:
        if table.line_up.is_duel and not comparison.team:
            one, other = table.line_up.agents
            shares[one][other] = table.results[0].share.value
            if comparison.setup.players == 2:
                shares[other][one] = table.results[1].share.value
    return shares


def _cross_rows(comparison: Comparison) -> list[Row]:
    """Return the cross table as text, if there is more in it than in the list of duels."""
    names = comparison.names
    cells = [["–" if share is None else f"{share:.3f}" for share in row] for row in cross_table(comparison)]
    if len(names) < 3 or all(cell == "–" for row in cells for cell in row):
        return []
    return [("agent", *names), *((name, *row) for name, row in zip(names, cells, strict=True))]


def _length_rows(comparison: Comparison) -> list[Row]:

    def row(label: str, one: Table | Comparison) -> Row:
        ends = (f"{count / one.games:.3f}" for count in one.ends.values())
        return (label, f"{one.games:,}", *_with_range(one.turns, 1), *ends)

    rows = [row(table_name(comparison, table), table) for table in comparison.tables]
    rows += [row("all", comparison)] if len(rows) > 1 else []
    return [("table", "games", "turns", LEVEL_TEXT, *comparison.ends), *rows]


def _rating_rows(comparison: Comparison) -> list[Row]:
    """Return rating, mean total and time of every agent, the best first; nothing where there is no rating."""
    if comparison.team:
        return []
    order = sorted(range(len(comparison.names)), key=lambda number: -comparison.ratings[number].value)
    rows: list[Row] = [("agent", "rating", LEVEL_TEXT, "total", "ms a move")]
    for number in order:
        total = "–" if math.isnan(comparison.totals[number]) else f"{comparison.totals[number]:.2f}"
        rating = _with_range(comparison.ratings[number], 0)
        rows.append((comparison.names[number], *rating, total, _time(comparison, number)))
    return rows


def _time(comparison: Comparison, number: int) -> str:
    return format_float_positional(comparison.milliseconds_per_move(number), 3, fractional=False, trim="-")


def _total_rows(comparison: Comparison) -> list[Row]:
    if not comparison.team:
        return []
    over = [table.score is not None and table.score.over_runs is not None for table in comparison.tables]
    head = ("table", "games", f"total ({LEVEL_TEXT})", *([f"over runs ({LEVEL_TEXT})"] if any(over) else []))
    rows: list[Row] = [(*head, "5 %", "median", "95 %", "best", f"ahead of the first ({LEVEL_TEXT})", "ms a move")]
    for k, table in enumerate(comparison.tables):
        score = table.score
        assert score is not None
        alone = len(table.line_up.agents) == 1
        rows.append(
            (
                table_name(comparison, table),
                f"{table.games:,}",
                score.total.text(2),
                *([score.over_runs.text(2) if score.over_runs else "–"] if any(over) else []),
                *(f"{number:.4g}" for number in score.spread),
                score.ahead.text(2) if k else "–",
                _time(comparison, table.line_up.order[0]) if alone else "–",
            )
        )
    return rows


def _range_of(numbers: Sequence[float], form: str = ",") -> str:
    """Return numbers as a range: ``5.1 to 7.3``."""
    low, high = (f"{number:{form}}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


def played_on(comparison: Comparison) -> str:
    """Return environment, version and set-up of the games."""
    parts = [comparison.rules.env_name, f"bohemian-villages {bohemian_env.__version__}", comparison.setup.told]
    return ", ".join(part for part in parts if part)


def verdict_text(comparison: Comparison, verdict: Verdict) -> str:
    """Return what a sequential test said, and how far it can be trusted."""
    one, other = dict.fromkeys(comparison.names[number] for t in comparison.tables for number in t.line_up.agents)
    apart = f"{comparison.rules.unit}" if comparison.team else "of a win share"
    said = {
        1: f"Sure: {one} is stronger than {other}.",
        -1: f"Sure: {one} is weaker than {other}.",
        0: f"Sure: {one} and {other} are not {verdict.margin:g} {apart} apart.",
        None: f"Not sure yet which of {one} and {other} is stronger, or whether they are {verdict.margin:g} apart.",
    }
    errors = (
        f"The test finds a difference between equals in {FALSE:.0%} of cases at most, and misses one of "
        f"{verdict.margin:g} in {MISSED:.0%}; the intervals do not know that it chose when to stop."
    )
    return f"{said[verdict.sign]} {errors}"


def _failures(comparison: Comparison) -> list[str]:
    form = "failed in {:,} of its games" if comparison.team else "lost {:,} of its games by a failure"
    lost = zip(comparison.names, map(sum, _failed(comparison)), strict=True)
    told = [f"{name} {form.format(games)}" for name, games in lost if games]
    margins = "" if comparison.team else " and margins"
    on = f"{STAND_IN} played on for it, whose {comparison.rules.unit}{margins} count there"
    reasons = [reason for table in comparison.tables for reason in table.reasons]
    return [f"{'; '.join(told)}: {on}. The first: {reasons[0]}."] if told else []


def _failed(comparison: Comparison) -> list[tuple[int, ...]]:
    """Return the games that each agent lost by a failure, at each table."""
    return [*zip(*(table.failed for table in comparison.tables), strict=True)]


def _notes(comparison: Comparison) -> list[str]:
    games, asked = [table.games for table in comparison.tables], list(comparison.games_asked)
    first, last = comparison.seed, comparison.seed + max(table.blocks for table in comparison.tables) - 1
    seeds = f"Seeds {first} to {last}" if last > first else f"Seed {first}"
    rounded = f" ({_range_of(asked)} asked for, rounded up to whole seeds)" if games != asked else ""
    if comparison.verdict is not None:
        rounded = f" (of {_range_of(asked)} at most)"
    verdict = [] if comparison.verdict is None else [verdict_text(comparison, comparison.verdict)]
    drawn = comparison.rules.drawn
    once = " from every seat" if any(table.line_up.rotations > 1 for table in comparison.tables) else ""
    every = f"{_range_of(games)} games a table{rounded}"
    seats = f"{seeds}, the same {drawn} at every table, each played once{once}: {every}."
    told = _notes_of_totals(comparison) if comparison.team else _notes_of_rivals(comparison)
    ends = ", ".join(comparison.ends)
    limit = getattr(comparison.setup, "max_turns", None)
    cut = f" (cut off after {limit:,} turns)" if limit else ""
    members = zip(comparison.names, comparison.members, strict=True)
    groups = [f"{name} ({len(own)})" for name, own in members if len(own) > 1]
    runs = (
        f"Groups of runs: {', '.join(groups)}. Every run meets the same {drawn}. The interval over runs says what "
        "other trainings would reach, the one before it what these runs would reach in other games."
    )
    return [
        *verdict,
        *_failures(comparison),
        seats,
        *told,
        *([runs] if groups else []),
        "Milliseconds a move, one thread, many games at once: over decisions between two or more legal actions.",
        f"Turns: of all seats. {ends[:1].upper()}{ends[1:]}{cut}: share of the games that ended so.",
        f"{played_on(comparison)}.",
    ]


def _notes_of_totals(comparison: Comparison) -> list[str]:
    players, lucky = comparison.setup.players, any(table.less_luck for table in comparison.tables)
    mean = "the mean of all seats' totals" if players > 1 else "the total"
    valued = "the values of the first agent that has some"
    luck = [f"Totals are less the luck of the {comparison.rules.drawn} as {valued} judge it{_by_luck(comparison)}."]
    return [
        f"{players} player{'s' * (players > 1)}. Total: {mean} in the end, in {comparison.rules.unit}. Ahead: of the "
        f"first table, on the same seeds. Intervals: {LEVEL_TEXT}, each for itself; the games of a seed count as one "
        "observation.",
        *(luck if lucky else []),
    ]


def _by_luck(comparison: Comparison) -> str:
    """Return what a game is worth whose luck is known."""
    worth = [table.worth for table in comparison.tables if table.worth is not None]
    return f", by which each game is worth {_range_of(worth, '.1f')} without it" if worth else ""


def _notes_of_rivals(comparison: Comparison) -> list[str]:
    players, unit = comparison.setup.players, comparison.rules.unit
    lucky = [table.less_luck for table in comparison.tables]
    where = "" if all(lucky) else " of tables where an agent thinks long, and each won and lost ten games"
    judge = "appraiser's network judges it"
    luck = f"Win shares{where}, but not ratings, are less the luck of the dice as {judge}{_by_luck(comparison)}."
    anchor = "the mean of all is" if comparison.anchor is None else f"{comparison.names[comparison.anchor]} has"
    return [
        f"{players} players: equals would win 1/{players} = {1 / players:.3f} each.",
        "Win share: joint winners share the win; of several copies of an agent, that of one. Margin: own total less "
        f"the mean of the others', in {unit}. Intervals: {LEVEL_TEXT}, each for itself; the games of a seed count as "
        "one observation.",
        *([luck] if any(lucky) else []),
        f"Ratings: Elo points from all tables together, {anchor} {ANCHOR:.0f}; a seat's chance to win is as 10 to the "
        "power of its rating / 400. Every pair is credited with one shared win, so that an agent that always or never "
        "won has a rating, too; its interval is too narrow then.",
        f"Total: mean {unit} in the end, all seats and games.",
    ]


# --- for people and pages ----------------------------------------------------------------------------------------


def _cell(text: str) -> str:
    """Return text that cannot be taken for Markdown's own signs; that of tables is left to ``as_table``."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>" else c for c in text)


def _markdown_table(rows: list[Row]) -> str:
    """Return a table; the first row is the head."""
    head, *body = [tuple(map(_cell, row)) for row in rows]
    return as_table(head, body, [column for column, name in enumerate(rows[0]) if name not in _TEXTS])


def _results_rows(names: Row, found: list[tuple[Row, Table, Result]]) -> list[Row]:
    """Return what tables say of agents, under a head; nothing if there are none."""
    over = any(result.over_runs for _, _, result in found)
    runs = (f"over runs ({LEVEL_TEXT})",) * over
    head = ("games", f"win share ({LEVEL_TEXT})", *runs, f"margin ({LEVEL_TEXT})", "win share by seat", "turns")
    rows: list[Row] = [(*names, *head)] if found else []
    for who, table, result in found:
        own = (result.over_runs.text(3) if result.over_runs else "–",) * over
        seats = " / ".join(f"{share.value:.3f}" for share in result.by_seat)
        cells = (f"{table.games:,}", result.share.text(3), *own, result.margin.text(2))
        rows.append((*who, *cells, seats, f"{table.turns.value:.1f}"))
    return rows


def markdown_parts(comparison: Comparison) -> dict[str, str]:
    """Return the tables and the notes as Markdown, by name; a table that would be empty is left out."""
    rivals = not comparison.team
    tables = {
        "totals": _total_rows(comparison),
        "duels": _results_rows(("agent", "against"), _found(comparison, duels=True)) if rivals else [],
        "others": _results_rows(("table", "agent"), _found(comparison, duels=False)) if rivals else [],
        "cross": _cross_rows(comparison),
        "ratings": _rating_rows(comparison),
        "lengths": _length_rows(comparison),
    }
    notes = "\n".join(f"- {_cell(note)}" for note in _notes(comparison)).replace("|", r"\|")
    return {name: _markdown_table(rows) for name, rows in tables.items() if rows} | {"notes": notes}


def markdown(comparison: Comparison, command: str) -> str:
    """Return the command, the tables and the notes, to be pasted into a page."""
    return "\n\n".join([fenced(command), *markdown_parts(comparison).values()]) + "\n"


def print_report(comparison: Comparison, command: str, console: Console) -> None:
    """Print the tables, what has to be known to read them, and the command."""
    titles = {
        "totals": "Totals",
        "others": "Several of each, or several agents",
        "cross": f"Win share {'against' if comparison.setup.players == 2 else 'alone among copies of'}",
        "ratings": "Ratings",
        "lengths": "Length of a game, and how it ended",
    }
    for name, text in markdown_parts(comparison).items():
        console.print(Markdown(f"*{titles[name]}*\n\n{text}" if name in titles else text))
    console.print(Text(command), soft_wrap=True)


# --- for programs -----------------------------------------------------------------------------------------------


def _columns(name: str, estimate: Estimate) -> dict[str, float | None]:
    """Return a value under its name, and the ends of its interval."""
    return {f"{name}_{part}".removesuffix("_value"): number for part, number in estimate.plain().items()}


CSV_COLUMNS: Final = {
    "table": "who sits at it",
    "players": "its seats",
    "games": "games played at it",
    "seeds": "seeds played at it; the games of one count as one observation",
    "agent": "whom the row is about",
    "copies": "its seats at the table",
    "fair_share": "part of the wins that a seat has among equals",
    "win_share": "part of the wins that each copy has; joint winners share a win",
    "win_share_low, win_share_high": "its interval",
    "margin": "coins by which a copy is ahead of the mean of the others at the table",
    "margin_low, margin_high": "its interval",
    "win_share_seat_0, win_share_seat_1, …": "win share in the games in which a copy had that seat",
    "turns": "mean length of a game in turns, over all seats",
    "turns_low, turns_high": "its interval",
    "no_figures, bank_empty, truncated": "games that ended so",
}
"""Columns of :func:`as_csv` in their order, and what they mean, where seats are rivals."""
TEAM_COLUMNS: Final = {
    "table": "who sits at it",
    "players": "its seats",
    "games": "games played at it",
    "seeds": "seeds played at it; the games of one count as one observation",
    "total": "mean total of all seats in the end",
    "total_low, total_high": "its interval",
    "total_5, total_50, total_95, total_best": "the total that 5 %, half and 95 % of the games are below, and the best",
    "ahead": "by how much it is higher than that of the first table, on the same seeds",
    "ahead_low, ahead_high": "its interval",
    "turns, turns_low, turns_high": "as above",
    "no_tile, 14_rounds, …": "games that ended so, by the words of the game",
}
"""The same where they play for one result, or one agent has all of them."""
GROUP_COLUMNS: Final = {
    "win_share_runs_low, win_share_runs_high": "the interval over the runs of a group",
    "total_runs_low, total_runs_high": "the same of totals",
}
"""Columns that come behind where groups of runs played."""


def _rows(comparison: Comparison, names: Sequence[str], table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table by column. names: what its line-up numbers."""
    about = {
        "table": _seats(names, table.line_up),
        "players": comparison.setup.players,
        "games": table.games,
        "seeds": table.blocks,
    }
    told = {
        **_columns("turns", table.turns),
        **{end.replace(" ", "_"): count for end, count in table.ends.items()},
    }
    if table.score is not None:
        score = table.score
        spread = dict(zip(("total_5", "total_50", "total_95", "total_best"), score.spread, strict=True))
        row = about | _columns("total", score.total) | spread | _columns("ahead", score.ahead) | told
        return [row | _over("total", score)] if comparison.runs else [row]
    fair = {"fair_share": 1 / comparison.setup.players}
    return [
        {
            **about,
            "agent": names[result.agent],
            "copies": result.copies,
            **fair,
            **_columns("win_share", result.share),
            **_columns("margin", result.margin),
            **{f"win_share_seat_{seat}": share.value for seat, share in enumerate(result.by_seat)},
            **told,
            **(_over("win_share", result) if comparison.runs else {}),
        }
        for result in table.results
    ]


def _over(name: str, found: Result | Score) -> dict[str, Any]:
    """Return the interval over runs by column, empty where there is none."""
    ends = _columns(name, found.over_runs) if found.over_runs else {}
    return {f"{name}_runs_{end}": ends.get(f"{name}_{end}") for end in ("low", "high")}


def as_csv(comparison: Comparison) -> str:
    """Return a row for each table and agent in it, under a head; an empty cell where nothing can be said.

    Where groups of runs played, the rows of all runs follow those of the groups.
    """
    runs = [entrant.name for entrant in comparison.entrants]
    rows = [row for table in comparison.tables for row in _rows(comparison, comparison.names, table)]
    rows += [row for table in comparison.runs for row in _rows(comparison, runs, table)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_json(comparison: Comparison, command: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return all numbers, with arguments and versions, in plain types; null where nothing can be said."""
    names, players, board = comparison.names, comparison.setup.players, getattr(comparison.setup, "board", None)
    rated = {"anchor": None if comparison.anchor is None else names[comparison.anchor], "at": ANCHOR}
    return {
        "format": FORMAT,
        "command": command,
        "arguments": dict(arguments),
        "versions": versions(comparison.rules.env_name),
        "game": comparison.rules.name,
        **({} if board is None else {"board": board.digest}),
        "setup": comparison.setup.told,
        "players": players,
        **({} if comparison.team else {"fair_share": 1 / players}),
        "first_seed": comparison.seed,
        "games": comparison.games,
        "interval": LEVEL,
        "verdict": None if comparison.verdict is None else asdict(comparison.verdict),
        "turns": comparison.turns.plain(),
        "ends": comparison.ends,
        **({} if comparison.team else {"rating": rated}),
        "agents": [_agent_json(comparison, number) for number in range(len(names))],
        "tables": [
            _table_json(names, table, asked)
            for table, asked in zip(comparison.tables, comparison.games_asked, strict=True)
        ],
        **(
            {"runs": [_table_json([e.name for e in comparison.entrants], table) for table in comparison.runs]}
            if comparison.runs
            else {}
        ),
    }


def _agent_json(comparison: Comparison, number: int) -> dict[str, Any]:
    entrants, total = [comparison.entrants[one] for one in comparison.members[number]], comparison.totals[number]
    made = [
        {"name": entrant.name, "argument": entrant.argument, "seed": entrant.seed, "weights": entrant.weights}
        for entrant in entrants
    ]
    return {
        **(made[0] if not entrants[0].group else {"name": comparison.names[number], "runs": made}),
        "failed": sum(_failed(comparison)[number]),
        **({} if comparison.team else {"rating": comparison.ratings[number].plain()}),
        "total": None if math.isnan(total) else float(total),
        "decisions": int(comparison.decisions[number]),
        "milliseconds_per_move": comparison.milliseconds_per_move(number),
    }


def _table_json(names: Sequence[str], table: Table, asked: int | None = None) -> dict[str, Any]:
    """Return what there is to say of a table. names: what its line-up numbers."""

    def over(found: Result | Score) -> dict[str, Any]:
        return {} if found.over_runs is None else {"over_runs": found.over_runs.plain()}

    score = table.score
    result: dict[str, Any]
    if score is None:
        result = {
            "results": [
                {
                    "agent": names[result.agent],
                    "copies": result.copies,
                    "win_share": result.share.plain(),
                    "win_share_by_seat": [estimate.plain() for estimate in result.by_seat],
                    "margin": result.margin.plain(),
                    **over(result),
                }
                for result in table.results
            ]
        }
    else:
        spread = dict(zip(("5 %", "median", "95 %", "best"), score.spread, strict=True))
        result = {"total": score.total.plain(), "spread": spread, "ahead": score.ahead.plain(), **over(score)}
    return {
        "seats": [names[number] for number in table.line_up.order],
        "games": table.games,
        **({} if asked is None else {"games_asked": asked}),
        "seeds": table.blocks,
        "turns": table.turns.plain(),
        "ends": table.ends,
        "less_luck": table.less_luck,
        "worth": table.worth,
        "failures": list(table.reasons),
        **result,
    }
