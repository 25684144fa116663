"""Write into the pages what the code knows.

    python -m pages.generate            # rewrite what has become stale
    python -m pages.generate --check    # change nothing; exit with 1 and name the stale pages

A page marks a place with `<!-- generated: NAME -->` and `<!-- end -->`, each on a line of its own; NAME is one of
REGIONS below. What stands between them is replaced, the rest of the page is left alone. Takes seconds.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

from agents import pretrained
from agents.common.files import write_atomically
from agents.common.markdown import fenced, table
from agents.common.statistics import LEVEL_TEXT
from agents.pretrained import Duel, Interval
from agents.tournament import CSV_COLUMNS, SEATINGS
from agents.training import td_config
from agents.training.config import PRESETS, TrainConfig
from benchmarks.algorithms import ALGORITHMS
from benchmarks.speed.figures import figure
from bohemian_env import TASKS, Board, Game, Setup, bohemian_villages_v0
from bohemian_env.envs import aec
from bohemian_env.envs.advice import ADVICE_PARTS
from bohemian_env.envs.observation import OFFSETS, PARTS
from bohemian_env.envs.reward import REWARDS
from bohemian_env.envs.tasks import VILLAGES
from bohemian_env.game.actions import action_table
from bohemian_env.game.facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, SCORING, TOTALS
from bohemian_env.opponents import SCRIPTED
from bohemian_env.render import board_text
from bohemian_env.words import ENGLISH
from pages import DOCS, ROOT, TABLE_SIZES
from pages.program import parser
from pages.regions import END, BadPage, fill, mark

TD_OPTIONS: Final = ("among", "seed", "lam", "rate", "places")
"""The settings in which the presets of agents.training.td differ."""
WIDTH: Final = 110
"""Columns of the JSON examples."""


def laid_out(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    """Return JSON in few lines: what fits stays on one, entries fill lines, but long objects take a line each."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) <= room or not isinstance(value, dict | list):
        return flat
    inner = indent + 1
    if isinstance(value, dict):
        names = {key: f"{json.dumps(key)}: " for key in value}
        items = [names[key] + laid_out(value[key], inner, WIDTH - inner - len(key) - 5) for key in value]
    else:
        items = [laid_out(entry, inner, WIDTH - inner - 1) for entry in value]
    each = isinstance(value, list) and max(map(len, items)) > WIDTH // 2
    text = items[0]
    for before, item in pairwise(items):
        line = text.rpartition("\n")[2]
        apart = each or "\n" in item + before or inner + len(f"{line.strip()}, {item},") > WIDTH
        text += (",\n" + " " * inner if apart else ", ") + item
    return f"{flat[0]}{text}{flat[-1]}"


def explained(head: Sequence[str], meanings: Mapping[str, str | Sequence[str]], code: bool = True) -> str:
    """Return a table of names, in code or as words, and their meanings."""
    names = {name: f"`{name}`" if code else name.replace("_", " ") for name in meanings}
    cells = {name: (meaning,) if isinstance(meaning, str) else meaning for name, meaning in meanings.items()}
    return table(head, ((names[name], *cells[name]) for name in meanings))


# --- the environment ---------------------------------------------------------------------------------------------


def spec() -> str:
    """Return the card of the environment, in the form of PettingZoo's pages."""
    env = bohemian_villages_v0.env()
    largest = bohemian_villages_v0.env(num_players=MAX_PLAYERS)
    agent = env.possible_agents[0]
    action, observed = env.action_space(agent), env.observation_space(agent)
    vector, mask = observed["observation"], observed["action_mask"]
    name = env.metadata["name"]
    card = {
        "Import": f"`from bohemian_env import {name}`",
        "Creation": f"`{name}.env(num_players=3)`",
        "Actions": "Discrete",
        "Parallel API": "Yes" if env.metadata["is_parallelizable"] else "No",
        "Agents": ", ".join(f"`{a}`" for a in largest.possible_agents) + ": the first `num_players` of them",
        "Number of agents": f"{MIN_PLAYERS} to {MAX_PLAYERS}",
        "Action shape": f"`{action.shape}`",
        "Action values": f"`{action}`",
        "Observation shape": f"`{vector.shape}`",
        "Observation values": f"{vector.dtype}, {vector.low.min()} to {vector.high.max()}",
        "Action mask shape": f"`{mask.shape}`",
        "Action mask values": f"{mask.dtype}, 0 or 1",
        "Render modes": ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"]),
    }
    return table(("", ""), card.items())


def _arguments(function: Callable[..., Any]) -> dict[str, str]:
    """Return what a docstring says of each argument that has a line of its own."""
    section = (inspect.getdoc(function) or "").partition("Args:\n")[2].partition("\n\n")[0]
    text = re.sub(r"\n {5,}", " ", section)
    return dict(re.findall(r"^    (\w+): (.*)$", text, re.MULTILINE))


def parameters() -> str:
    """Return the parameters of `env`, with their defaults and what the docstrings say of them."""
    told = _arguments(Setup.of) | _arguments(aec.raw_env)
    signatures = (inspect.signature(Setup.of), inspect.signature(aec.raw_env))
    defaults = {parameter.name: parameter.default for one in signatures for parameter in one.parameters.values()}
    rows = []
    for name, meaning in told.items():
        default = f"`{defaults[name]!r}`".replace("'", '"')
        shown = "num_players" if name == "players" else name
        rows.append((f"`{shown}`", default, re.sub(r":class:`(\w+)`", r"`\1`", meaning).replace("``", "`")))
    return table(("parameter", "default", "meaning"), rows)


def observation() -> str:
    """Return the parts of the observation vector."""
    rows = []
    for part in PARTS:
        first, last = OFFSETS[part.name], OFFSETS[part.name] + part.size - 1
        shape = part.shape[:-1] if part.joined else part.shape
        size = " × ".join(map(str, shape)) or "1"
        entries = f"{first}" if first == last else f"{first} to {last}"
        values = "0 or 1" if part.high == 1 else f"{part.low} to {part.high}"
        values += ", in two entries" if part.joined else ""
        scales = part.scale if isinstance(part.scale, tuple) else (part.scale,)
        scale = ", ".join(f"{number:g}" for number in scales)
        rows.append((f"`{part.name}`", entries, size, values, scale, part.meaning))
    return table(("part", "entries", "shape", "values", "scale", "meaning"), rows)


def advice() -> str:
    """Return the parts of the advice."""
    rows = ((f"`{part.name}`", " × ".join(map(str, part.shape)), part.unit, part.meaning) for part in ADVICE_PARTS)
    return table(("part", "shape", "unit", "meaning"), rows)


def actions() -> str:
    """Return the blocks of action numbers."""
    rows = [(str(low) if low == high else f"{low} to {high}", meaning) for low, high, meaning in action_table()]
    return table(("action", "meaning"), rows)


# --- training ------------------------------------------------------------------------------------------------------


def presets() -> str:
    """Return in what the presets differ."""
    rows = []
    for name, preset in PRESETS.items():
        settings = {field.name: getattr(preset, field.name) for field in dataclasses.fields(TrainConfig)}
        differing = {name: value for name, value in settings.items() if value != getattr(TrainConfig, name)}
        shown = {name: value if isinstance(value, str) else f"{value:g}" for name, value in differing.items()}
        told = ", ".join(f"`--{name.replace('_', '-')} {value}`" for name, value in shown.items())
        rows.append((f"`{name}`", f"{preset.minutes:g}", told or "the defaults below"))
    return table(("`--preset`", "minutes", "settings"), rows)


def td_presets() -> str:
    """Return the presets of agents.training.td."""
    rows = []
    for name, by_size in td_config.PRESETS.items():
        one = by_size[MIN_PLAYERS]
        own = {k: getattr(one, k) for k in TD_OPTIONS if getattr(one, k) != getattr(td_config.TdConfig, k)}
        told = ", ".join(f"`--{k}`" if value is True else f"`--{k} {value:g}`" for k, value in own.items())
        rows.append((f"`{name}`", told, *(f"{config.games:,}" for config in by_size.values())))
    games = [f"games with {players}" for players in TABLE_SIZES]
    return table(("`--preset`", "settings", *games), rows, range(2, 2 + len(games)))


def settings() -> str:
    """Return the settings of a training run."""
    rows = []
    for setting in dataclasses.fields(TrainConfig):
        default = "" if setting.default == "" else f"`{setting.default}`"
        rows.append((f"`--{setting.name.replace('_', '-')}`", default, setting.metadata["help"]))
    return table(("option", "default", "meaning"), rows)


# --- comparisons -------------------------------------------------------------------------------------------------


def interval_text(found: Interval, digits: int = 3) -> str:
    """Return a number with its interval, as tables have it."""
    return f"{found['value']:.{digits}f} ({found['low']:.{digits}f} to {found['high']:.{digits}f})"


def equals(players: int) -> str:
    """Return the head of a column of win shares with so many players."""
    return f"{players} players (equals: {1 / players:.2f})"


_LISTED: Final = (
    *(("ppo", name) for name in ("greedy", "planner")),
    *(("appraiser", name) for name in ("planner", "montecarlo")),
    ("search:appraiser", "planner"),
)
"""The agents whose win shares README has, and among whose copies."""


def _thought(agent: str, played: Sequence[str]) -> str:
    """Return with how many playouts a search played, and how long they took; nothing for an agent that does not search.

    played: the full names of the agent, by number of players.
    """
    every = pretrained.strength()["microseconds"].values()
    took = [own[0] / 1000 for times in every for name, own in times.items() if name.startswith(f"{agent}:")]
    if not took:
        return ""
    *most, last = (name.rpartition(":")[2] for name in played)
    return f" with {', '.join(most)} and {last} playouts ({min(took):.0f} to {max(took):.0f} ms a move)"


def strength() -> str:
    """Return win shares of the agents that come with the project, as strength.json has them."""
    rows = []
    for agent, other in _LISTED:
        found = [pretrained.duel(agent, other, players) for players in TABLE_SIZES]
        shares = ("–" if one is None else interval_text(one["win_share"]) for one in found)
        among = next((one["among"] for one in found if one), other)  # with what it may spend on a move
        thought = _thought(agent, [one["agent"] for one in found if one])
        rows.append((f"`{agent}`{thought} among `{among}`", *shares))
    return table(["agent", *map(equals, TABLE_SIZES)], rows)


_AIMS: Final = {
    ("ppo", "planner"): (0.83, 0.66, 0.46, 0.39),
    ("appraiser", "planner"): (0.83, 0.66, 0.46, 0.39),
    ("search:appraiser", "planner"): (0.90, 0.77, 0.60, 0.53),
    ("appraiser", "montecarlo"): (0.58, 0.41, 0.33, 0.28),
}
"""The win shares that were aimed at before these agents were made, by who plays among whom, with 2 to 5 players."""


def aims() -> str:
    """Return what of the aims was reached, as strength.json has it."""
    rows = []
    for (agent, other), wanted in _AIMS.items():
        found = [pretrained.duel(agent, other, players) for players in TABLE_SIZES]
        among = next(one["among"] for one in found if one)
        told = [
            "–" if one is None else f"{interval_text(one['win_share'])} of {aim:.2f}"
            for one, aim in zip(found, wanted, strict=True)
        ]
        rows.append((f"`{agent}`", f"`{among}`", *told))
    return table(["agent", "among", *(f"{players} players" for players in TABLE_SIZES)], rows)


_QUOTED: Final = {
    "step + mask, batch 1,024": "steps per second in a `Batch`, with mask",
    "AEC raw, compiled choice": "steps per second of `raw_env` in PettingZoo's loop, actions chosen in compiled code",
    "AEC wrapped to the do-nothing loop, wrapped": "`env`, which PettingZoo checks, against one that does nothing",
    "step + mask to OpenSpiel backgammon, C++ playout": "`Batch` against OpenSpiel's backgammon",
    "step + mask to Catanatron, 2 players": "`Batch` against Catanatron",
    "with observation to pgx backgammon, best batch": "`Batch`, with observation, against pgx's backgammon",
}
"""The comparisons of speed.json that README has, and what they say there."""


def speed() -> str:
    """Return the figures of docs/speed.json that README quotes. Raises BadPage for one that stayed disturbed."""
    measured = json.loads((ROOT / "docs" / "speed.json").read_text(encoding="utf-8"))
    found = {one["label"]: one for one in measured["comparisons"]}
    rows = []
    for label, says in _QUOTED.items():
        one = found[label]
        if one["disturbed"]:
            raise BadPage(f"docs/speed.json: {label!r} stayed disturbed, so it is not to be quoted: measure again")
        median, *ends = (figure(one["kind"], one[name]) for name in ("median", "low", "high"))
        rows.append((says, median, " to ".join(ends)))
    return table((f"on one core ({measured['machine']['cpu']})", "median", "range"), rows)


def duels() -> str:
    """Return all that strength.json has of the games, a table for each number of players."""
    share, margin = f"win share ({LEVEL_TEXT})", f"margin, coins ({LEVEL_TEXT})"
    head = ("agent", "among", "games", share, "by seat", margin)

    def row(one: Duel) -> tuple[str, ...]:
        by_seat = " / ".join(f"{share:.3f}" for share in one["win_share_by_seat"])
        cells = (f"{one['games']:,}", interval_text(one["win_share"]), by_seat, interval_text(one["margin"], 1))
        return (f"`{one['agent']}`", f"`{one['among']}`", *cells)

    parts = []
    for players in TABLE_SIZES:
        rows = [row(one) for one in pretrained.strength()["duels"] if one["players"] == players]
        parts += [f"### {equals(players)}", table(head, rows, range(2, len(head)))]
    return "\n\n".join(parts)


def move_times() -> str:
    """Return how long the agents take for a move."""
    found = pretrained.strength()
    rows = [
        (players, f"`{agent}`", f"{alone:,.0f}", f"{at_once[0]:.1f}" if at_once else "–")
        for players, times in found["microseconds"].items()
        for agent, (alone, *at_once) in times.items()
    ]
    head = ("players", "agent", "µs, one at a time (median)", f"µs, of {found['batch']} at once")
    return table(head, rows, (0, 2, 3))


def measured_by() -> str:
    """Return the command and the machine of strength.json."""
    found = pretrained.strength()
    return f"{fenced(found['command'])}\n\nSeeds from {found['first_seed']}, on {found['machine']}."


def shipped() -> str:
    """Return how the shipped agents were trained."""
    rows = []
    for players in TABLE_SIZES:
        about = pretrained.about(players)
        numbers = (players, f"{about['samples']:,}", f"{about['seconds'] / 60:.0f}", about["seed"])
        rows.append((*numbers, f"`{about['reward']}`", f"`{about['command']}`"))
    head = ("players", "decisions until it", "minutes until it", "seed", "reward", "what was run")
    return table(head, rows, range(4))


def csv_columns() -> str:
    """Return the columns of evaluate.py's CSV files."""
    columns = {names.replace(", ", "`, `"): meaning for names, meaning in CSV_COLUMNS.items()}
    return explained(("column", "meaning"), columns).replace("`…`", "…")


# --- the board ---------------------------------------------------------------------------------------------------


def villages() -> str:
    """Return the villages of the shipped board."""
    text = (ROOT / "bohemian_env" / "game" / "villages.toml").read_text(encoding="utf-8")
    printed = set(re.findall(r'^name = "([^"]+)" *# rulebook$', text, re.MULTILINE))
    board = Board.standard()
    if not printed <= {village.name for village in board.villages}:
        raise BadPage(f"villages.toml: {printed} are not all names of villages")
    rows = []
    for village in board.villages:
        cells = [str(village.printed.get(k, "×")) if k in village.buildings else "" for k in KINDS]
        rows.append((village.name, village.tile, "rulebook" if village.name in printed else "reconstruction", *cells))
    return table(("village", "tile", "name from", *(f"{TOTALS[k]} `{k}`" for k in KINDS)), rows)


def setup() -> str:
    """Return what R1 says for each number of players."""
    board = Board.standard()
    rows = (
        (players, ", ".join(entry.remove) or "none", len(board.kept_tiles(players)), entry.figures)
        for players, entry in board.setups.items()
    )
    return table(("players", "tiles that stay in the box", "villages in play", "figures each"), rows)


# --- examples ----------------------------------------------------------------------------------------------------


_VILLAGES: Final = (
    {"name": "Grundow", "buildings": ["bakery", "tailor", "mill", "glass", "farm", "church", "manor"], "manor": 5},
    {
        "name": "Nenbrad",
        "buildings": ["butchery", "tailor", "glass", "farm", "inn", "town_hall", "church"],
        "town_hall": 8,
    },
)
_TURNS: Final[tuple[tuple[str | tuple[int, ...], ...], ...]] = (
    ((2, 3, 4, 6), "3+4:glass@Nenbrad", "2+6:farm@Nenbrad"),
    ((1, 1, 4, 6), "4+6:town_hall@Nenbrad", "1+1:bishop"),
    ((2, 2, 3, 6), "3+6:inn@Nenbrad", "2+2:special"),
    ((1, 2, 5, 6), "5+6:church@Grundow", "1+2:butchery@Nenbrad"),
    ((4, 5, 6, 6), "reroll 6,6", (2, 5), "2+5:glass@Grundow"),
    ((1, 2, 3, 6), "2+6:farm@Grundow", "1+3:special"),
    ((2, 5, 6, 6), "2+6:farm@Grundow", "5+6:church@Nenbrad"),
    ((1, 1, 2, 3), "2+3:tailor@Grundow", "end"),
)
"""A whole game of two on these villages, with four figures each: the roll of each turn, and what follows it."""
_SHOWN_AT: Final = "2+6:farm@Grundow"
"""The position after the last time that this is played is shown."""


def _example() -> tuple[Game, Game]:
    """Return the small game at the moment that is shown, and at its end."""
    board = Board.of_villages(_VILLAGES, figures=4, coin_supply=300, special_action_tiles=7)
    shown = game = Game.new(2, [village.name for village in board.villages], board=board, names=["greedy", "Ada"])
    for step in chain.from_iterable(_TURNS):
        game = game.push(step) if isinstance(step, str) else game.roll(step)
        if step == _SHOWN_AT:
            shown = game
    return shown, game


def position() -> str:
    """Return a position as JSON."""
    return fenced(laid_out(_example()[0].position()), "json")


def record() -> str:
    """Return a whole game as JSON."""
    return fenced(laid_out(_example()[1].record()), "json")


def drawing() -> str:
    """Return a position in the middle of a game of three, as the terminal shows it."""
    game = Game.new(3, seed=7).roll()
    for decision in range(46):
        if game.over:
            break
        placing = [move for move in game.legal_moves if "@" in move] or game.legal_moves
        game = game.push(placing[7 * decision % len(placing)])
        while game.needs_roll:
            game = game.roll()
    return fenced(board_text(game.position()), "text")


def tasks() -> str:
    """Return the tasks of the benchmark."""
    rows = [
        [f"`{task.id}`", task.players, ", ".join(f"`{name}`" for name in task.opponents), VILLAGES[task.villages]]
        for task in TASKS.values()
    ]
    return table(("id", "players", "opponents", "villages"), rows, (1,))


_RULINGS: Final = dict(
    coins="R5, R19, R20", town_halls="R25.1", shops="R25.2", churches="R25.3", tiles="R25.4", total="R26"
)  # fmt: skip


def _scoring(column: str) -> tuple[str, str]:
    return _RULINGS[column], ENGLISH(f"scoring_means.{column}")


def told_on(page: str, name: str) -> str:
    """Return what stands in a measured place of another page in docs/. Raises BadPage if there is no such place."""
    _, found, after = (DOCS / f"{page}.md").read_text(encoding="utf-8").partition(mark("measured", name))
    if not found:
        raise BadPage(f"{page}.md has no place for {name}")
    return after.partition(END)[0].strip()


_MAKERS = (
    *(actions, advice, aims, csv_columns, drawing, duels, measured_by, move_times, observation, parameters, position),
    *(presets, record, settings, setup, shipped, spec, speed, strength, tasks, td_presets, villages),
)
REGIONS: Final[dict[str, Callable[[], str]]] = {
    **{function.__name__: function for function in _MAKERS},
    "algorithms": lambda: explained(("`--algorithms`", "what it is"), ALGORITHMS),
    "learn": partial(told_on, "benchmark", "learn"),
    "luck": partial(told_on, "skill", "luck"),
    "opponents": lambda: explained(("name", "what it does"), SCRIPTED),
    "predicts": partial(told_on, "positions", "predicts"),
    "rewards": lambda: explained(("reward", "value at the end of the game"), REWARDS),
    "scoring": lambda: explained(("column", "ruling", "meaning"), {name: _scoring(name) for name in SCORING}),
    "seatings": lambda: explained(("`--tables`", "played are"), SEATINGS),
}


# --- pages -------------------------------------------------------------------------------------------------------


def pages() -> list[Path]:
    """Return the pages that may hold marked places."""
    found = (ROOT / "README.md", ROOT / "agents" / "pretrained" / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    return [path for path in found if path.is_file()]


def stale() -> dict[Path, str]:
    """Return the pages that say other than the code, and what they should be. Raises BadPage."""
    found = {}
    for path in pages():
        text = path.read_text(encoding="utf-8")
        new = fill(text, "generated", REGIONS, path.relative_to(ROOT).as_posix())
        if new != text:
            found[path] = new
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser("pages.generate", __doc__)
    options.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a page is stale")
    check = options.parse_args(argv).check
    try:
        found = stale()
    except BadPage as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in found.items():
        name = path.relative_to(ROOT).as_posix()
        if check:
            print(f"{name} is stale: run python -m pages.generate", file=sys.stderr)
        else:
            write_atomically(path, text.encode())
            print(f"{name} rewritten")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
