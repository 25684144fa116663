"""Write into the pages what the code knows.

    python -m pages.generate            # rewrite what has become stale
    python -m pages.generate --check    # change nothing; exit with 1 and name the stale pages

A page marks a place with `<!-- generated: NAME -->` and `<!-- end -->`, each on a line of its own; NAME is one of
REGIONS below. What stands between them is replaced, the rest of the page is left alone. Takes seconds.
"""

import dataclasses
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from agents import pretrained
from agents.common.command import parser
from agents.common.files import write_atomically
from agents.common.markdown import fenced, table
from agents.pretrained import Duel
from agents.tournament import SEATINGS
from agents.training.config import PRESETS, TrainConfig
from benchmarks.algorithms import ALGORITHMS
from bohemian_env import TASKS, Board
from bohemian_env.games import GAMES, faces_of, rules_of
from bohemian_env.tasks import GameTask
from bohemian_env.villages.actions import action_table
from bohemian_env.villages.faces import REWARDS
from bohemian_env.villages.observation import OFFSETS, PARTS
from bohemian_env.villages.opponents import SCRIPTED
from bohemian_env.villages.tasks import VILLAGES
from pages import ROOT, TABLE_SIZES
from pages.program import BadPage, fill


def explained(head: Sequence[str], meanings: Mapping[str, str]) -> str:
    """Return a table of names and their meanings."""
    return table(head, ((f"`{name}`", meaning) for name, meaning in meanings.items()))


def spec() -> str:
    """Return the card of the environments, a column for each game."""
    rows: dict[str, list[str]] = {}
    for name in GAMES:
        rules = rules_of(name)
        env = faces_of(name).raw_env()
        agent = env.possible_agents[0]
        vector = env.observation_space(agent)["observation"]
        advisers = rules.advice.names if rules.advice else ()
        card = {
            "PettingZoo": f"`bohemian_env.{rules.env_name}`",
            "Gymnasium": f"`bohemian_env/{name.capitalize()}-v0`",
            "the others": f"`bohemian_env.{name}.faces`",
            "agents `player_0`, …": f"{rules.players[0]} to {rules.players[-1]}",
            "they play": "for one result" if rules.verbs.TEAM else "for themselves",
            "a seed draws": rules.drawn,
            "actions": f"`{env.action_space(agent)}`",
            "observation": f"{vector.dtype}, `{vector.shape}`",
            "`reward`": ", ".join(f'`"{reward}"`' for reward in rules.rewards),
            "opponents": ", ".join(f"`{opponent}`" for opponent in rules.opponents),
            "`advice`": ", ".join(f'`"{adviser}"`' for adviser in advisers) or "–",
        }
        for row, cell in card.items():
            rows.setdefault(row, []).append(cell)
    return table(("", *(name.capitalize() for name in GAMES)), ((row, *cells) for row, cells in rows.items()))


def observation() -> str:
    """Return the parts of the observation vector."""
    rows = []
    for part in PARTS:
        first, last = OFFSETS[part.name], OFFSETS[part.name] + part.size - 1
        shape = part.shape[:-1] if part.joined else part.shape
        size = " × ".join(map(str, shape)) or "1"
        entries = f"{first}" if first == last else f"{first} to {last}"
        rows.append((f"`{part.name}`", entries, f"{size}, joined" if part.joined else size, part.meaning))
    return table(("part", "entries", "shape", "meaning"), rows)


def actions() -> str:
    """Return the blocks of action numbers."""
    rows = [(str(low) if low == high else f"{low} to {high}", meaning) for low, high, meaning in action_table()]
    return table(("action", "meaning"), rows)


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


def duels() -> str:
    """Return win shares as strength.json has them, a line for each agent and opponent."""
    rows = []
    for by_size in _duels().values():
        who, whom = (_full_name([one[side] for one in by_size.values()]) for side in ("agent", "among"))
        cells = dict.fromkeys(TABLE_SIZES, "–")
        for players, one in by_size.items():
            share = one["win_share"]
            cells[players] = f"{share['value']:.3f} ±{(share['high'] - share['low']) / 2:.3f}"
        rows.append((who, whom, *cells.values()))
    equals = (f"{players} players (equals: {1 / players:.2f})" for players in TABLE_SIZES)
    return table(("agent", "among", *equals), rows)


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


def campaign() -> str:
    """Return how often everything was tried in each game, as reliability.json has it."""
    kept = json.loads((ROOT / "docs" / "reliability.json").read_text(encoding="utf-8"))["faults"]
    if broke := [name for name, one in kept.items() if one["broke"]]:
        raise BadPage(f"reliability.json: attempts of {', '.join(broke)} broke: expected that all was tried again")
    games = [game for game in GAMES if any(name.endswith(f"/{game}") for name in kept)]

    def cell(tries: Mapping[str, int]) -> str:
        least = f"{min(tries.values(), default=0):,}"
        return f"{len(tries)} × {least}" if len(tries) > 1 else least

    rows = [
        (f"`{name}`", *(cell(kept.get(f"{name}/{game}", {"tries": {}})["tries"]) for game in games))
        for name in dict.fromkeys(name.partition("/")[0] for name in kept)
    ]
    return table(("fault", *games), rows, range(1, 1 + len(games)))


def setup() -> str:
    """Return what R1 says for each number of players."""
    board = Board.standard()
    rows = (
        (players, ", ".join(entry.remove) or "none", len(board.kept_tiles(players)), entry.figures)
        for players, entry in board.setups.items()
    )
    return table(("players", "tiles that stay in the box", "villages in play", "figures each"), rows)


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


_MAKERS = (actions, campaign, duels, measured_by, move_times, observation, presets, setup, shipped, spec, tasks)
REGIONS: Final[dict[str, Callable[[], str]]] = {
    **{function.__name__: function for function in _MAKERS},
    "algorithms": lambda: explained(("`--algorithms`", "what it is"), ALGORITHMS),
    "opponents": lambda: explained(("name", "what it does"), SCRIPTED),
    "rewards": lambda: explained(("reward", "value at the end of the game"), REWARDS),
    "seatings": lambda: explained(("`--tables`", "played are"), SEATINGS),
}


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
