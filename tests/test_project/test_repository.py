"""The repository as a whole: which folder may import which, one version everywhere, nothing private in it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import bohemian_env

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bohemian_env"

# A part of the package imports only from itself and from the parts before it.
ORDER = (
    "errors",
    "compiled",
    "bits",
    "chance",
    "game",
    "opponents",
    "render",
    "envs",
    "bohemian_villages_v0",
    "__init__",
)

# Not needed to play, so `import bohemian_env` must not bring them along.
LEARNING = {"agents", "matplotlib", "ray", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"}

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    """The entry of ORDER that a file of the package belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Dotted names that a file of the package imports, anywhere in it, with their lines.

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


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_package_imports_only_backwards(path: Path) -> None:
    part = part_of(path)
    assert part in ORDER, f"{part} has no place in ORDER yet"
    for name, line in imports(path):
        top, _, rest = name.partition(".")
        if top != PACKAGE.name:
            continue
        target = rest.partition(".")[0]
        target = target if target in ORDER else "__init__"  # a name of the package's front page
        assert ORDER.index(target) <= ORDER.index(part), f"line {line}: {part} imports {name}, a later part"


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_package_never_imports_what_is_built_on_it(path: Path) -> None:
    outside = {folder.name for folder in ROOT.iterdir() if any(folder.glob("*.py"))} - {PACKAGE.name}
    outside |= {script.stem for script in ROOT.glob("*.py")}
    found = [(name, line) for name, line in imports(path) if name.partition(".")[0] in outside]
    assert not found


def test_nothing_is_built_on_the_table() -> None:
    """The page and its server come last: agents and commands do without them."""
    sources = [*(ROOT / "agents").rglob("*.py"), ROOT / "train.py", ROOT / "evaluate.py"]
    found = [
        (path.name, name) for path in sources for name, _ in imports(path) if name.split(".")[0] in ("play", "table")
    ]
    assert not found


def test_importing_the_package_brings_only_what_playing_needs() -> None:
    code = "import sys, bohemian_env; print(*{name.partition('.')[0] for name in sys.modules})"
    imported = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    assert not LEARNING & set(imported)


def test_folders_of_tests_mirror_the_folders_that_they_test() -> None:
    """`tests/test_agents/test_training` tests `agents/training`; folders of the package stand without its name."""
    for folder in (ROOT / "tests").rglob("test_*/"):
        parts = [part.removeprefix("test_") for part in folder.relative_to(ROOT / "tests").parts]
        tested = [above.joinpath(*parts) for above in (ROOT, PACKAGE)]
        assert parts == ["project"] or any(path.is_dir() for path in tested), folder


def test_no_file_of_the_tests_is_over_600_lines() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "tests").rglob("*.py")}
    assert len(lines) > 50
    assert {path: count for path, count in lines.items() if count > 600} == {}


def test_one_version_everywhere() -> None:
    version = PYPROJECT["project"]["version"]
    assert bohemian_env.__version__ == version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {re.escape(version)}$", citation, re.MULTILINE)


def test_constraints_cover_what_we_ask_for() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    project = PYPROJECT["project"]
    wanted = {
        re.split(r"[\[<>=]", requirement)[0]
        for requirements in (project["dependencies"], *project["optional-dependencies"].values())
        for requirement in requirements
    } - {project["name"]}
    assert wanted <= pinned


def tracked_files() -> list[Path]:
    """Files that git has or would take."""
    command = "git -c safe.directory=* ls-files -z --cached --others --exclude-standard"
    listed = subprocess.check_output(command.split(), cwd=ROOT, text=True).split("\0")
    return [path for name in sorted(set(listed)) if name and (path := ROOT / name).is_file()]


def private_texts() -> re.Pattern[bytes]:
    """Addresses of package registries, and folders of one machine: homes and those around the checkout."""
    # In two pieces, so that this file does not hold them itself.
    registries = ["pypi" + ".org", "python" + "hosted", "registry.npm" + "js", "deb.debian" + ".org"]
    homes = [r"/(home|Users|root)/[\w.-]+", r"[A-Z]:\\Users\\"]
    shared = {"/", "/app", "/builds", "/mnt", "/opt", "/repo", "/srv", "/tmp", "/usr/src", "/var/tmp"}
    here = {path.as_posix() for path in (ROOT, ROOT.parent, Path.home())} - shared
    absolute = "|".join([*homes, *(re.escape(f"{folder}/") for folder in here)])
    return re.compile("|".join([*map(re.escape, registries), rf"(?<![\w.~-])({absolute})"]).encode())


def test_no_tracked_file_holds_a_registry_or_a_path_of_a_machine() -> None:
    private = private_texts()
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in tracked_files()
        if (match := private.search(path.read_bytes()))
    ]
    assert not found
