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
from pathlib import Path
from typing import Any, Final

from agents import pretrained
from agents.common.command import parser
from agents.common.files import write_atomically
from agents.common.markdown import fenced, table
from agents.pretrained import Duel
from agents.tournament import CSV_COLUMNS, GROUP_COLUMNS, SEATINGS, TEAM_COLUMNS
from agents.training import td_config
from agents.training.config import PRESETS, TrainConfig
from benchmarks.algorithms import ALGORITHMS
from benchmarks.speed.report import figure
from bohemian_env import TASKS, Board, Game, Setup, bohemian_villages_v0
from bohemian_env.tasks import GameTask
from bohemian_env.villages import faces
from bohemian_env.villages.actions import action_table
from bohemian_env.villages.advice import ADVICE_PARTS
from bohemian_env.villages.faces import REWARDS
from bohemian_env.villages.facts import KINDS, MAX_PLAYERS, MIN_PLAYERS, SCORING, TOTALS
from bohemian_env.villages.observation import OFFSETS, PARTS
from bohemian_env.villages.opponents import SCRIPTED
from bohemian_env.villages.render import board_text
from bohemian_env.villages.tasks import VILLAGES
from pages import ROOT, TABLE_SIZES
from pages.program import BadPage, fill
from table.room import room_of

TD_OPTIONS: Final = ("among", "seed", "lam", "rate", "places")
"""The settings in which the presets of agents.training.td differ."""


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
    told = _arguments(Setup.of) | _arguments(faces.raw_env)
    signatures = (inspect.signature(Setup.of), inspect.signature(faces.raw_env))
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
        if not setting.metadata["help"]:
            continue  # a command line has no such option of the settings
        default = "" if setting.default == "" else f"`{setting.default}`"
        rows.append((f"`--{setting.name.replace('_', '-')}`", default, setting.metadata["help"]))
    return table(("option", "default", "meaning"), rows)


# --- comparisons -------------------------------------------------------------------------------------------------


def _duels() -> dict[tuple[str, str], dict[int, Duel]]:
    """Return what strength.json has of the games: by agent and opponent without what they spend, then by players."""
    found: dict[tuple[str, str], dict[int, Duel]] = {}
    for one in pretrained.strength()["duels"]:
        names = (re.sub(r":\d+$", "", one["agent"]), re.sub(r":\d+$", "", one["among"]))
        found.setdefault(names, {})[one["players"]] = one
    return found


def _full_name(names: Sequence[str]) -> str:
    """Return the name of an agent at all its tables, such as `search:appraiser:600/340/220/130`."""
    first, *others = dict.fromkeys(names)
    return f"`{'/'.join([first, *(name.rpartition(':')[2] for name in others)])}`"


def _shares(chosen: Callable[[tuple[str, str]], bool]) -> str:
    """Return win shares as strength.json has them, a line for each agent and opponent that is chosen."""
    rows = []
    for names, by_size in _duels().items():
        if chosen(names):
            who, whom = (_full_name([one[side] for one in by_size.values()]) for side in ("agent", "among"))
            cells = dict.fromkeys(TABLE_SIZES, "–")
            for players, one in by_size.items():
                share = one["win_share"]
                cells[players] = f"{share['value']:.3f} ±{(share['high'] - share['low']) / 2:.3f}"
            rows.append((who, whom, *cells.values()))
    equals = (f"{players} players (equals: {1 / players:.2f})" for players in TABLE_SIZES)
    return table(("agent", "among", *equals), rows)


_LISTED: Final = {("ppo", "planner"), ("appraiser", "planner"), ("search:appraiser", "planner")}
"""Whose win shares README has, and among whom; the card has all."""


def move_times() -> str:
    """Return how long the agents take for a move: one at a time, and each of many at once."""
    found: dict[str, list[tuple[str, list[float]]]] = {}
    for times in pretrained.strength()["microseconds"].values():
        for agent, own in times.items():
            found.setdefault(re.sub(r":\d+$", "", agent), []).append((agent, own))
    rows = [
        (_full_name([name for name, _ in one]), *(" / ".join(f"{time:,.0f}" for time in own) for _, own in one))
        for one in found.values()
    ]
    return table(("agent", *(f"{players} players" for players in TABLE_SIZES)), rows, range(1, 1 + len(TABLE_SIZES)))


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
    """Return the figures of docs/speed.json that README quotes."""
    measured = json.loads((ROOT / "docs" / "speed.json").read_text(encoding="utf-8"))
    found = {one["label"]: one for one in measured["comparisons"]}
    rows = []
    for label, says in _QUOTED.items():
        one = found[label]
        median, *ends = (figure(one["kind"], one[name]) for name in ("median", "low", "high"))
        rows.append((says, median, " to ".join(ends)))
    return table((f"on one core ({measured['machine']['cpu']})", "median", "range"), rows)


def measured_by() -> str:
    """Return the command and the machine of strength.json."""
    found = pretrained.strength()
    return f"{fenced(found['command'])}\n\nSeeds from {found['first_seed']}, on {found['machine']}."


def shipped() -> str:
    """Return how long each shipped agent learned."""
    rows = []
    for players in TABLE_SIZES:
        about = pretrained.about(players)
        rows.append((players, f"{about['samples']:,}", f"{about['seconds'] / 60:.0f}", about["seed"]))
    return table(("players", "decisions", "minutes", "seed"), rows, range(4))


def csv_columns(known: Mapping[str, str] = CSV_COLUMNS) -> str:
    """Return columns of evaluate.py's CSV files."""
    columns = {names.replace(", ", "`, `"): meaning for names, meaning in known.items()}
    return explained(("column", "meaning"), columns).replace("`…`", "…")


# --- the board ---------------------------------------------------------------------------------------------------


def villages() -> str:
    """Return the villages of the shipped board."""
    text = (ROOT / "bohemian_env" / "villages" / "villages.toml").read_text(encoding="utf-8")
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
        [
            f"`{task.id}`",
            task.players,
            ", ".join(f"`{name}`" for name in task.opponents) or "none",
            task.told if isinstance(task, GameTask) else VILLAGES[task.villages],
        ]
        for task in TASKS.values()
    ]
    return table(("id", "players", "opponents", "what is played"), rows, (1,))


_RULINGS: Final = dict(
    coins="R5, R19, R20", town_halls="R25.1", shops="R25.2", churches="R25.3", tiles="R25.4", total="R26"
)  # fmt: skip


def _scoring(column: str) -> tuple[str, str]:
    return _RULINGS[column], room_of("villages").words("en")(f"scoring_means.{column}")


_MAKERS = (
    *(actions, advice, csv_columns, drawing, measured_by, move_times, observation, parameters, presets),
    *(settings, setup, shipped, spec, speed, tasks, td_presets, villages),
)
REGIONS: Final[dict[str, Callable[[], str]]] = {
    **{function.__name__: function for function in _MAKERS},
    "algorithms": lambda: explained(("`--algorithms`", "what it is"), ALGORITHMS),
    "duels": lambda: _shares(lambda _: True),
    "opponents": lambda: explained(("name", "what it does"), SCRIPTED),
    "rewards": lambda: explained(("reward", "value at the end of the game"), REWARDS),
    "scoring": lambda: explained(("column", "ruling", "meaning"), {name: _scoring(name) for name in SCORING}),
    "strength": lambda: _shares(_LISTED.__contains__),
    "team_columns": lambda: csv_columns(TEAM_COLUMNS),
    "group_columns": lambda: csv_columns(GROUP_COLUMNS),
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
