"""The folders of the project: who may import whom, what each says of itself, and tests that mirror them."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.helpers import ROOT, run_python

GAMES = ("villages", "dorfromantik", "agricola")
"""The rooms of the games."""

ORDER = {
    "": (
        "bohemian_env", "agents", "train", "evaluate", "benchmarks", "table", "examples", "play", "pages", "tests",
        "docs",
    ),
    "bohemian_env": (
        "engine", "moved", *GAMES, "bohemian_villages_v0", "dorfromantik_v0", "agricola_v0", "games", "tasks",
        "check", "new", "__init__",
    ),
    "bohemian_env/engine": (
        "errors", "checks", "compiled", "words", "bits", "chance", "states", "setup", "parts", "bound", "contract",
        "legal", "choosing", "moves", "dealing", "reward", "observe", "afterstates", "game", "drawing",
        "pixels", "beside", "batch", "self_play", "view", "single", "vector", "sb3", "aec", "plain", "__init__",
    ),
    "bohemian_env/villages": (
        "errors", "facts", "state", "dice", "actions", "rules", "notation", "moves", "board", "setup", "check",
        "position", "events", "record", "words", "observation", "opponents", "advice", "verbs", "contract", "render",
        "game", "faces", "sb3", "tasks", "__init__",
    ),
    "bohemian_env/villages/opponents": (
        "halving", "greedy", "planner", "appraiser", "scripted", "montecarlo", "lookahead", "chances", "luck",
        "__init__",
    ),
    "bohemian_env/villages/render": ("palette", "seats", "scene", "shapes", "panels", "svg", "text", "__init__"),
    "bohemian_env/dorfromantik": (
        "tiles", "state", "rules", "setup", "moves", "position", "check", "record", "inputs", "worths",
        "planner", "players", "observation", "verbs", "draw", "contract", "game", "faces", "sb3", "__init__",
    ),
    "bohemian_env/dorfromantik/draw": ("palette", "scene", "shapes", "landscape", "svg", "text", "__init__"),
    "bohemian_env/agricola": (
        "pieces", "farm", "decisions", "state", "legal", "rules", "setup", "position", "check", "refusals", "record",
        "inputs", "observation", "tried", "opponents", "verbs", "words", "draw", "contract", "game", "faces", "sb3",
        "__init__",
    ),
    "bohemian_env/agricola/opponents": ("estimate", "weights", "planner", "scripted", "__init__"),
    "bohemian_env/agricola/draw": ("palette", "scene", "shapes", "svg", "board", "text", "__init__"),
    "agents": (
        "common", "network", "pretrained", "players", "__init__", "protocol", "tournament", "training", "positions",
    ),
    "agents/common": ("versions", "cores", "files", "command", "markdown", "statistics", "cluster", "__init__"),
    "agents/network": ("net", "files", "__init__"),
    "agents/players": (
        "alone", "names", "process", "agent", "lookahead", "foreign", "playouts", "policy", "scripted", "program",
        "shipped", "search", "values", "value_search", "luck", "clairvoyant", "registry", "__init__",
    ),
    "agents/positions": ("book", "rollout", "worth", "points", "played", "__init__", "__main__"),
    "agents/tournament": (
        "bar", "schedule", "luck", "sure", "play", "kept", "statistics", "workers", "rating",
        "comparison", "report", "plot", "__init__",
    ),
    "agents/training": (
        "checkpoint", "config", "folder", "tuning", "panel", "ranks", "td_config", "install", "imitation", "league",
        "ppo", "td", "run", "show", "layers", "values", "__init__",
    ),
    "benchmarks": ("algorithms", "__init__", "learning", "speed", "submit", "verify"),
    "benchmarks/learning": (
        "__init__", "play", "reference", "settings", "games", "score", "statistics", "cells", "rows", "tune", "workers",
        "exploit", "show", "player", "__main__",
    ),
    "benchmarks/speed": (
        "harness", "machine", "aec", "startup", "ours", "peers", "report", "training", "versus", "__init__", "__main__",
    ),
    "table": (
        "words", "language", "refusal", "html", "store", "room", "rooms", "history", "guard", "album", "review",
        "seating", "connection", "pages", "session", "text", "giving", "again", "export", "games", "server", "__init__",
    ),
    "table/rooms/agricola": ("measure", "reasons", "telling", "__init__"),
    "table/rooms/dorfromantik": ("measure", "reasons", "telling", "__init__"),
    "table/rooms/villages": ("coin_sources", "reasons", "telling", "__init__"),
    "pages": (
        "__init__", "program", "pictures", "benchmark", "generate", "screenshots", "speed", "strength", "__main__",
    ),
    "tests/reference": ("rules", "dorfromantik", "agricola_farm", "agricola", "beside", "__init__"),
    "tests/faults": (
        "__init__", "campaign", "odd", "programs", "warm", "kills", "server", "web", "steps", "fuzz", "doors_game",
        "doors_envs", "doors_files", "doors_agents", "doors_table", "__main__",
    ),
}  # fmt: skip
"""What is in a folder imports only from what stands before it there: files and folders in the order data flows."""

LEARNING = {"agents", "matplotlib", "ray", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"}
"""Not needed to play, so `import bohemian_env` must not bring them along."""


def named(path: Path) -> str:
    """Return a path of the repository as the messages and the tables above write it."""
    return path.relative_to(ROOT).as_posix()


SOURCES = sorted([*ROOT.glob("*.py"), *(path for top in ORDER[""] for path in (ROOT / top).rglob("*.py"))])
PACKAGES = [path for path in SOURCES if path.name == "__init__.py"]


def imported_names(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the dotted names that a file imports, anywhere in it, with their lines.

    `from a.b import c` gives `a.b.c`, since c may be a module; relative imports are made absolute.
    """
    folder = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) + 1 - node.level] if node.level else ()
            start = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((f"{start}.{alias.name}", node.lineno) for alias in node.names)


def file_of(name: str) -> Path | None:
    """Return the file of the repository that a dotted name comes from; None for what others made."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:end])
        for path in (module.with_suffix(".py"), module / "__init__.py"):
            if path.is_file():
                return path
    return None


IMPORTS = {
    path: {target: line for name, line in imported_names(path) if (target := file_of(name)) not in (None, path)}
    for path in SOURCES
}
"""The files of the repository that each of them imports, with the line."""


@pytest.mark.parametrize("folder", ORDER)
def test_everything_has_its_place_in_the_order(folder: str) -> None:
    there = {path.stem for path in (ROOT / folder).iterdir() if path.suffix == ".py" or [*path.glob("*.py")]}
    assert set(ORDER[folder]) == there


def test_imports_go_backwards() -> None:
    found = []
    for path, targets in IMPORTS.items():
        own = path.relative_to(ROOT).with_suffix("").parts
        for target, line in targets.items():
            other = target.relative_to(ROOT).with_suffix("").parts
            common = next(k for k, (a, b) in enumerate(zip(own, other, strict=False)) if a != b)
            order = ORDER.get("/".join(own[:common]))
            if order and order.index(other[common]) > order.index(own[common]):
                found.append((named(path), named(target), line))
    assert found == []


def test_every_folder_has_an_order() -> None:
    """Every one with three files or more besides `__init__.py`, but for tests and programs that only stand together."""
    folders = {path.parent for path in SOURCES if path.relative_to(ROOT).parts[0] not in ("tests", "docs", "examples")}
    large = {named(folder) for folder in folders if len({*folder.glob("*.py")} - {folder / "__init__.py"}) > 2}
    assert large - {"benchmarks/algorithms", "."} <= {*ORDER}


def test_the_floor_knows_no_game_and_no_game_another() -> None:
    package = ROOT / "bohemian_env"
    for path in sorted(package.rglob("*.py")):
        room = path.relative_to(package).parts[0]
        others = {*GAMES} - {room} if room in ("engine", *GAMES) else set()
        targets = {target.relative_to(package).parts[0] for target in IMPORTS[path] if target.is_relative_to(package)}
        assert not others & targets, path
        told = re.findall(r"(?i)villages|dorfromantik|agricola", path.read_text(encoding="utf-8"))
        assert room != "engine" or not told, path


def test_the_table_knows_no_game_and_no_room_another() -> None:
    """Only villages are named, in what 0.2.0 kept."""
    for path in (path for path in (ROOT / "table").rglob("*") if path.suffix in (".py", ".js", ".html")):
        parts = {part.removesuffix(path.suffix) for part in path.relative_to(ROOT / "table").parts}
        others = {*GAMES} - parts
        targets = [target.relative_to(ROOT).parts for target in IMPORTS.get(path, ())]
        assert not [parts for parts in targets if others & {*parts}], path
        told = re.findall(r"dorfromantik|agricola", path.read_text(encoding="utf-8").lower())
        assert not others & {*told}, path


def test_imports_go_round_in_no_circle() -> None:
    TopologicalSorter(IMPORTS).prepare()


def test_nothing_is_built_on_the_table_but_its_commands_the_pages_and_its_faults() -> None:
    users = {
        named(path) for path, targets in IMPORTS.items() for target in targets if named(target).startswith("table/")
    }
    others = {user for user in users if not user.startswith(("table/", "tests/"))}
    assert others == {"examples/programs/mcp_server.py", "play.py", "pages/screenshots.py"}


def test_importing_the_package_brings_only_what_playing_needs() -> None:
    """Other games than villages are loaded on first use."""
    code = "import sys, bohemian_env; print(*sys.modules)"
    imported = run_python("-c", code).stdout.split()
    assert not LEARNING & {name.partition(".")[0] for name in imported}
    assert {name for name in GAMES if f"bohemian_env.{name}" in imported} == {"villages"}


@pytest.mark.parametrize("path", PACKAGES, ids=named)
def test_a_package_says_what_is_in_it(path: Path) -> None:
    """In two sentences or more, in which files are called `name.py` and folders `name/`, and are there."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert len(re.findall(r"[.;:](\s|$)", text)) >= 2, text
    inside = re.findall(r"[\w/]+(?:\.py|(?<=\w)/)(?!\w)", text)
    assert inside, text
    for name in inside:
        assert (path.parent / name).exists() or (ROOT / name).exists(), name


def test_folders_of_tests_mirror_the_folders_that_they_test() -> None:
    """`tests/test_agents/test_training` tests `agents/training`; folders of the package stand without its name."""
    folders = [path for path in (ROOT / "tests").rglob("test_*") if path.is_dir()]
    assert folders
    for folder in folders:
        parts = [part.removeprefix("test_") for part in folder.relative_to(ROOT / "tests").parts]
        tested = [above.joinpath(*parts) for above in (ROOT, ROOT / "bohemian_env", ROOT / "tests")]
        assert parts == ["project"] or any(path.is_dir() for path in tested), folder


def test_no_file_of_the_tests_is_over_600_lines() -> None:
    lines = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "tests").rglob("*.py")}
    assert {name: count for name, count in lines.items() if count > 600} == {}
    assert lines[named(Path(__file__))] > 100
