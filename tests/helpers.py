"""Small helpers to write positions and games down readably, on the frozen board `data/board.toml`."""

import copy
import itertools
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, Final

from bohemian_env import Batch, Board, Game, Outcome

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
DATA_FOLDER = ROOT / "tests" / "data"
"""What is kept."""
BOARD = DATA_FOLDER / "board.toml"
FROZEN = Board.load(BOARD)
"""The board of all tests, whatever happens to the one that is shipped."""
DATA: dict[str, Any] = tomllib.loads(BOARD.read_text(encoding="utf-8"))
VILLAGES: dict[str, dict[str, Any]] = {village["name"]: village for village in DATA["village"]}
TOTALS = dict(
    bakery=2, butchery=3, dairy=4, tailor=5, mill=6, glass=7, farm=8, inn=9, town_hall=10, church=11, manor=12
)

Ends = Callable[..., Any]
"""What the fixture of this name is, which runs a command: its ``.out`` and ``.err``."""
MISSING: Final = object()
"""In the place of a value that :func:`altered` takes away."""
#: One side of each of the six tiles that two players use (R1).
SIX = ("Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad")


def position(
    players: int = 2,
    villages: Iterable[str] = ("Nenbrad",),
    owners: Mapping[tuple[str, str], int] | None = None,
    active: Iterable[str] = (),
    dice: Iterable[int] = (1, 2, 3, 4),
    turn: int = 1,
    coins: Iterable[int] | None = None,
    bank: int = 300,
    bishop: int | None = None,
    special: Iterable[int] = (),
    special_supply: int | None = None,
    spent: bool = False,
    each: int | None = None,
) -> dict[str, Any]:
    """A position in the form of game.md, in the turn of seat `(turn - 1) % players`.

    owners: (kind, village) -> seat; flour and glass tiles follow from it. active: villages whose inn tile is active.
    dice: four before the first move, one or two after it. special: the seats that have a special action tile.
    each: figures of each seat, in hand and on the board together; R1's number unless told.
    """
    owned, active, special, dice = dict(owners or {}), set(active), set(special), sorted(dice)
    each = DATA["setup"][str(players)]["figures"] if each is None else each
    figures, tiles = [each] * players, {"mill": [0] * players, "glass": [0] * players}
    rows: list[dict[str, Any]] = []
    for name in sorted(villages, key=list(VILLAGES).index):
        buildings: list[dict[str, Any]] = []
        for kind in VILLAGES[name]["buildings"]:
            seat = owned.pop((kind, name), None)
            row = {"kind": kind, "owner": seat}
            if kind == "inn":
                row["active"] = name in active
            if kind in VILLAGES[name]:
                row["value"] = VILLAGES[name][kind]
            buildings.append(row)
            if seat is not None:
                figures[seat] -= 1
                if kind in tiles:
                    tiles[kind][seat] += 1
        rows.append({"name": name, "buildings": buildings})
    assert not owned, f"no such buildings: {owned}"
    return {
        "players": players,
        "turn": turn,
        "to_move": (turn - 1) % players,
        "moves_made": 0 if len(dice) == 4 else 1,
        "spent_special_this_turn": spent,
        "dice": dice,
        "figures": figures,
        "coins": [0] * players if coins is None else list(coins),
        "bank": bank,
        "bishop": bishop,
        "special": [seat in special for seat in range(players)],
        "special_supply": 7 - len(special) if special_supply is None else special_supply,
        "flour": tiles["mill"],
        "glass": tiles["glass"],
        "over": False,
        "villages": rows,
    }


def game_at(max_turns: int | None = 500, **parts: Any) -> Game:
    """The game at `position(**parts)`."""
    return Game.from_position(position(**parts), max_turns=max_turns)


def spread(villages: Iterable[str], **shares: Iterable[int]) -> dict[tuple[str, str], int]:
    """Owners by number: `spread(names, church=(2, 1))` gives two churches to seat 0 and the next one to seat 1."""
    owners = {}
    for kind, numbers in shares.items():
        free = [name for name in villages if kind in VILLAGES[name]["buildings"]]
        for seat, number in enumerate(numbers):
            for _ in range(number):
                owners[kind, free.pop(0)] = seat
    return owners


def play(game: Game, *steps: str | tuple[int, ...]) -> Game:
    """The game after these steps: a tuple is rolled, a text is pushed."""
    for step in steps:
        game = game.push(step) if isinstance(step, str) else game.roll(step)
    return game


def altered(document: dict[str, Any], *changes: tuple[tuple[str | int, ...], object]) -> dict[str, Any]:
    """Return a copy of a document with the values at some paths replaced, or removed where the value is MISSING."""
    changed = copy.deepcopy(document)
    for (*path, last), value in changes:
        holder: Any = changed
        for step in path:
            holder = holder[step]
        if value is MISSING:
            del holder[last]
        else:
            holder[last] = value
    return changed


def building(game: Game, kind: str, village: str) -> dict[str, Any]:
    """One building as the game's position writes it."""
    rows = next(row["buildings"] for row in game.position()["villages"] if row["name"] == village)
    return next(row for row in rows if row["kind"] == kind)


def scored(**parts: Any) -> Outcome:
    """The outcome of a game that is cut off in this position, after a turn that had a second move left."""
    at = position(dice=(1, 2), **parts)
    outcome = Game.from_position(at, max_turns=at["turn"]).push("end").outcome()
    assert outcome is not None
    return outcome


def cases_of(text: str) -> list[str]:
    """The cases of a text, each in one line: what goes on with four spaces belongs to the line above."""
    return text.strip().replace("\n    ", " ").splitlines()


def fails_at(number: int, usual: Callable[..., Any], error: type[BaseException] = KeyboardInterrupt) -> Any:
    """A function that does as usual, but for its call of this number, from 1, which fails, as by Ctrl-C."""
    calls = itertools.count(1)

    def call(*given: Any, **more: Any) -> Any:
        if next(calls) == number:
            raise error
        return usual(*given, **more)

    return call


def openings(n: int = 20, players: int = 2, moves: int = 10) -> Batch:
    """Games some random moves after their beginning."""
    batch = Batch(n, players, autoreset=False)
    batch.reset(300)
    for _ in range(moves):
        batch.step(batch.random_actions(2))
    return batch


def tracked_files() -> list[Path]:
    """Files that git has or would take."""
    command = "git -c safe.directory=* ls-files -z --cached --others --exclude-standard"
    listed = subprocess.check_output(command.split(), cwd=ROOT, text=True).split("\0")
    return [path for name in sorted(set(listed)) if name and (path := ROOT / name).is_file()]


def run_python(*words: object, folder: Path = ROOT, given: str = "", **variables: str) -> CompletedProcess[str]:
    """What comes of Python with these words, run in a folder, that imports from the checkout."""
    env, command = os.environ | {"PYTHONPATH": str(ROOT)} | variables, [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=folder, env=env, input=given, capture_output=True, text=True, timeout=1200)


def status_of(main: Callable[[list[str]], int], *words: object) -> int:
    """The exit status of a command with these words, also where argparse ends it."""
    try:
        return main([*map(str, words)])
    except SystemExit as left:
        return int(left.code or 0)
