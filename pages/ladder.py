"""Make docs/ladder.md: every scripted opponent against the others, at tables of two to five players.

    python -m pages.ladder

Takes some 40 minutes on two cores, and should have them to itself, since it tells times. After an interrupt the same
command goes on. The page and its pictures replace the old ones when all games are played.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Sequence
from typing import Any, Final

from agents.tournament import LEVEL, Comparison, LineUp, line_ups, markdown, picture
from bohemian_env.game.facts import MIN_PLAYERS
from bohemian_env.opponents import SCRIPTED
from bohemian_env.opponents.planner import NAMES, VERSION
from pages import DOCS

from .tournaments import arguments, make_page, play

SCRIPT: Final = "pages.ladder"
QUICK: Final = tuple(SCRIPTED)
SEARCHING: Final = {
    2: ("montecarlo:120", "montecarlo:1200"),
    3: ("montecarlo:90", "montecarlo:900"),
    4: ("montecarlo:85", "montecarlo:850"),
    5: ("montecarlo:55", "montecarlo:550"),
}
"""By number of players: some 5 and 50 milliseconds a move. The second meets planners alone."""
SEED: Final = 2_000_000

HEAD: Final = """\
# The ladder

Opponents of every strength, each by its name through `agents.make` and `evaluate.py`; the environments take all but
`montecarlo` as opponents within a step.

| opponent | what it does |
|---|---|
{opponents}

None knows the dice to come. `montecarlo` rolls dice of its own, which follow from its seed and the position. It plays
on from each move that it looks into at least once a phase, so that small numbers are exceeded; with a time in place of
a number (`montecarlo:20ms`) its moves depend on the machine, so the tables here use numbers.

`agent.explain(env)` says what an agent thinks of each legal action: for `random` it is a probability, for `greedy` and
the planners how many coins it expects to be ahead, for `montecarlo` a chance of winning.

`planner` judges by {weights} weights for each number of players, which `agents/training/tuning.py` tuned from a guess (the
commands stand beside them in `bohemian_env/opponents/planner.py`); `rusher` and `hoarder` differ from it in a few,
which were set by hand. They are frozen, at version {version}, and a test keeps their play as it is.

Win share of one agent alone among copies of another, joint wins split, with {interval} intervals:
"""

_WORDS: Final = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}


def schedule(names: Sequence[str], players: int, games: int, few: int) -> list[tuple[LineUp, int]]:
    """Tables and games: all duels of quick agents; a table of different ones; the searching ones alone among others.

    games: at a table of quick agents. few: at one with a searching one.
    """
    number = {name: place for place, name in enumerate(names)}
    found = [(line_up, games) for line_up in line_ups("duels", len(QUICK), players)]
    if players > MIN_PLAYERS:
        found += [(LineUp(tuple(number[name] for name in QUICK[len(QUICK) - players :])), games)]
    light, heavy = (number[name] for name in SEARCHING[players])
    pairs = [(light, number[name]) for name in QUICK if name != "random"]
    pairs += [(heavy, number["planner"])]
    return found + [(LineUp((one, *[other] * (players - 1))), few) for one, other in pairs]


def share(comparison: Comparison, one: str, other: str) -> str:
    """Win share of an agent alone among copies of another, with its interval."""
    for table in comparison.tables:
        names = [comparison.entrants[number].argument for number in table.line_up.agents]
        if table.line_up.is_duel and set(names) == {one, other}:
            if comparison.setup.players == MIN_PLAYERS or names[0] == one:
                found = table.results[names.index(one)].share
                return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
    return "–"


def rungs(comparisons: dict[int, Comparison]) -> list[str]:
    """The table at the top of the page."""
    pairs = [("greedy", "random"), ("rusher", "greedy"), ("hoarder", "greedy"), ("planner", "greedy")]
    pairs += [("planner", "rusher"), ("planner", "hoarder")]
    head = ["agent", "alone among", *(f"{players} players (equals: {1 / players:.2f})" for players in comparisons)]
    rows = [[one, other, *(share(found, one, other) for found in comparisons.values())] for one, other in pairs]
    for place in range(2):
        times, cells = [], []
        for players, found in comparisons.items():
            name = SEARCHING[players][place]
            times.append(
                next(found.milliseconds_per_move(k) for k, e in enumerate(found.entrants) if e.argument == name)
            )
            cells.append(share(found, name, "planner"))
        rows.append([f"montecarlo, {min(times):.0f} to {max(times):.0f} ms a move", "planner", *cells])
    lines = [head, ["---", "---", *["--:"] * len(comparisons)], *rows]
    return [f"| {' | '.join(row)} |" for row in lines]


def page(comparisons: dict[int, Comparison], command: str) -> str:
    """The whole page."""
    search = "tries the better moves of planner by playing on from them, N times in all, and judges where that led"
    about = {**SCRIPTED, "montecarlo:N": search}
    opponents = [f"| `{name}` | {text} |" for name, text in about.items()]
    lines = [
        HEAD.format(opponents="\n".join(opponents), version=VERSION, weights=len(NAMES), interval=f"{100 * LEVEL:g} %"),
        *rungs(comparisons),
        "",
        "The whole page is made by one command, the same villages and dice at all tables of a size:",
        "",
        "```",
        command,
        "```",
        "",
    ]
    for players, comparison in comparisons.items():
        text = markdown(comparison, command)
        lines += [
            f"## {_WORDS[players]} players",
            "",
            f"![Duels as a heat map, and ratings](ladder-{players}.svg)",
            "",
            *text.splitlines()[4:],  # without the command
            "",
        ]
    return "\n".join(lines).rstrip() + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    o = arguments(SCRIPT, __doc__, 400, DOCS, argv)

    def play_at(players: int) -> Comparison:
        names = [*QUICK, *SEARCHING[players]]
        return play(SCRIPT, players, names, schedule(names, players, o.games, o.few), SEED, o)

    def write(comparisons: dict[int, Comparison], files: Sequence[Any]) -> None:
        files[0].write(page(comparisons, shlex.join(["python", "-m", SCRIPT, *argv])))
        for file, comparison in zip(files[1:], comparisons.values(), strict=True):
            file.buffer.write(picture(comparison, "svg"))

    pictures = [o.out / f"ladder-{players}.svg" for players in SEARCHING]
    return make_page(SCRIPT, [o.out / "ladder.md", *pictures], play_at, write)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
