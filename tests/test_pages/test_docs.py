"""The pages that people write: their examples run, and all that they name is there."""

import doctest
import importlib
import json
import re
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from bohemian_env import TASKS, Game, bohemian_villages_v0
from bohemian_env.villages.facts import TOTALS
from pages import DOCS, ROOT, generate, pictures
from tests.helpers import tracked_files

RULES = DOCS / "villages.md"
INDEX = DOCS / "README.md"
PAGES = [*generate.pages(), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())

MADE = ("runs/", ".venv/", ".venv-examples/", "snapshots/", "tensorboard/", "build/", "dist/")
"""Beginnings of paths that programs make."""
PACKAGES = "agents|bohemian_env|benchmarks|faults|pages|table|tests"
ROWS = {"benchmarks/results/decisions-1000000/2p-planner/evolution-0.json", "decisions-1000000/2p-planner/pqn-0.json"}
"""Places of rows that are lines of a gathered file."""
NO_PATHS = {"planner/1", "appraiser/4", *ROWS, *(task.id for task in TASKS.values())}
NO_PATHS |= {f"bohemian_env/{game}-v0" for game in ("Villages", "Dorfromantik", "Agricola", "Mygame")}
"""Names of other things that look like paths."""


def blocks(page: Path, info: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a page with exactly this after the fence: number of the first line, and text."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^( *)```([^\n]*)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
        if match[2].strip() == info:
            yield text.count("\n", 0, match.start(3)) + 1, textwrap.dedent(match[3])


# --- examples ---------------------------------------------------------------------------------------------------


@EACH_PAGE
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks marked ``python`` run in one session, in an empty folder; ``python notest`` marks what cannot run here."""
    monkeypatch.chdir(tmp_path)
    session = {"__name__": "__main__"}
    for line, code in blocks(page, "python"):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, session, page.name, str(page), line - 1)
            report: list[str] = []
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
            session.update(test.globs)
            assert result.failed == 0, "".join(report)
        else:
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), session)


@EACH_PAGE
def test_json_examples_are_read(page: Path) -> None:
    for line, text in blocks(page, "json"):
        data = json.loads(text)
        if "format" in data:
            assert Game.from_record(data).record() == data, f"{page.name}:{line}"
        elif "villages" in data:
            assert Game.from_position(data).position() == data, f"{page.name}:{line}"


def test_examples_are_found() -> None:
    """Else the two tests above would pass for want of any."""
    assert sum(len([*blocks(page, "python")]) for page in PAGES) > 5
    assert sum(len([*blocks(page, "json")]) for page in PAGES) > 1


# --- length -----------------------------------------------------------------------------------------------------


def test_pages_are_short() -> None:
    """A page that grows pays for it elsewhere."""
    words = {path: len(path.read_text(encoding="utf-8").split()) for path in tracked_files() if path.suffix == ".md"}
    assert words[ROOT / "README.md"] <= 1_000
    assert sum(words.values()) <= 30_000
    assert len([*DOCS.glob("*.md"), *(ROOT / "notebooks").glob("*.ipynb")]) <= 25


# --- links and paths --------------------------------------------------------------------------------------------


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The files of the repository that a page links to or shows, with the heading that is meant."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
        name, _, anchor = (target[0] or target[1]).partition("#")
        if "://" not in name and not name.startswith("mailto:"):
            yield (page.parent / name).resolve() if name else page, anchor


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@EACH_PAGE
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    for file, anchor in links(page):
        assert file.exists(), f"{file} is not there"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{file.name}#{anchor}: no such heading"


def test_every_page_and_picture_is_reachable_from_the_index() -> None:
    seen, waiting = set(), [INDEX]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.exists():
            seen.add(page)
            waiting += [file for file, _ in links(page)] if page.suffix == ".md" and page != ROOT / "README.md" else []
    shown_by_readme = {file for file, _ in links(ROOT / "README.md")}
    assert {page for page in DOCS.iterdir() if page.suffix == ".md"} <= seen
    assert {path for path in DOCS.iterdir() if path.suffix != ".md"} <= seen | shown_by_readme


def test_the_index_says_a_line_about_each_page() -> None:
    listed = re.findall(r"^\| \[[^]]+\]\(([^)]+)\) \| .", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    assert {(DOCS / name).resolve() for name in listed} >= {page for page in DOCS.glob("*.md") if page != INDEX}


def code_texts(page: Path) -> Iterator[str]:
    """What a page sets as code: spans, indented lines, and blocks of commands and of plain text."""
    text = page.read_text(encoding="utf-8")
    yield from re.findall(r"`([^`\n]+)`", text)
    yield from re.findall(r"^    .*$", text, re.MULTILINE)
    for info in ("", "sh"):
        yield from (block for _, block in blocks(page, info))


def parts_of_paths() -> set[str]:
    """The names of all files and folders that git has or would take."""
    command = "git -c safe.directory=* ls-files --cached --others --exclude-standard"
    paths = subprocess.check_output(command.split(), cwd=ROOT, text=True).split()
    return {part for path in paths for part in path.split("/")}


@EACH_PAGE
def test_paths_and_modules_that_a_page_names_exist(page: Path) -> None:
    """`N` stands for a number, and `*` for anything; a folder or file may be named alone."""
    known, missing = parts_of_paths(), set()
    dated = "commit 9b272fe" in page.read_text(encoding="utf-8")  # whose programs it names
    for text in code_texts(page):
        names = re.findall(r"(?<![\w/.:*<~$%-])\.?[A-Za-z_][\w-]*(?:[./][\w*-]+)*/?(?![\w(<])", text)
        for name in [] if re.match(r"[~$%]", text) else names:  # folders of somebody's own begin so
            pattern = re.sub(r"\bN\b", "*", name.rstrip("/"))
            if name.startswith(MADE) or name in NO_PATHS:
                continue
            if "/" in name[:-1]:
                there = any(ROOT.glob(pattern)) or any(page.parent.glob(pattern))
            elif name.endswith(("/", ".py", ".md")):
                there = pattern in known
            else:
                there = dated or not re.fullmatch(rf"({PACKAGES})(\.\w+)+(?<!json|.svg)", name) or found(name)
            missing |= set() if there else {name}
    assert missing == set()


def found(name: str) -> bool:
    """Whether a dotted name is a module, or a name in one."""
    if (ROOT / name.replace(".", "/")).is_dir() or (ROOT / f"{name.replace('.', '/')}.py").exists():
        return True
    module, _, attribute = name.rpartition(".")
    return hasattr(importlib.import_module(module), attribute)


# --- facts ------------------------------------------------------------------------------------------------------


def test_rulings_are_numbered_without_gaps_and_have_a_source() -> None:
    text = RULES.read_text(encoding="utf-8")
    rulings = re.split(r"^\*\*R(\d+)\*\* ", text, flags=re.MULTILINE)
    assert list(map(int, rulings[1::2])) == list(range(1, 27))
    for number, ruling in zip(rulings[1::2], rulings[2::2], strict=True):
        assert re.search(r"\*(Books|Decided)\b[^*]*\*", ruling), f"R{number} names no source"


def test_rulings_that_the_code_cites_exist() -> None:
    cited = {
        int(number)
        for path in (ROOT / "bohemian_env").rglob("*.py")
        for number in re.findall(r"\bR(\d{1,2})\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert cited <= set(range(1, 27))


@pytest.mark.parametrize(("game", "letter", "count"), [("dorfromantik", "D", 32), ("agricola", "A", 80)])
def test_rulings_of_the_other_games_stand_once_on_their_pages(game: str, letter: str, count: int) -> None:
    told = re.findall(rf"\*\*{letter}(\d+)\*\*", (DOCS / f"{game}.md").read_text(encoding="utf-8"))
    assert sorted(map(int, told)) == list(range(1, count + 1))
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "bohemian_env" / game).rglob("*.py")]
    cited = {int(number) for text in code for number in re.findall(rf"\b{letter}(\d+)\b", text)}
    assert cited
    assert cited <= set(map(int, told))


def test_pieces_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert {kind: int(total) for total, kind in rows} == TOTALS


def test_version_history_has_the_version_of_the_environment() -> None:
    name = bohemian_villages_v0.raw_env.metadata["name"]
    history = (DOCS / "env.md").read_text(encoding="utf-8").partition("## Version history")[2]
    assert f"- `{name.rpartition('_')[2]}`" in history


# --- pictures ---------------------------------------------------------------------------------------------------


def test_pictures_are_as_the_code_draws_them() -> None:
    """python -m pages.pictures makes them anew."""
    made = pictures.pictures()
    names = {"board", "dorfromantik", "agricola"}
    assert {path.name for path in made} == {f"{name}{ending}.svg" for name in names for ending in ("", "-dark")}
    for path, drawn in made.items():
        assert path.read_text(encoding="utf-8") == drawn, f"{path.name} is stale"


def test_pictures_show_a_game_under_way_and_have_a_place() -> None:
    at = pictures.position()
    buildings = [building for village in at["villages"] for building in village["buildings"]]
    assert not at["over"]
    assert {building["owner"] for building in buildings} == {None, *range(len(pictures.NAMES))}
    shown = {file for file, _ in links(ROOT / "README.md")}
    assert set(pictures.pictures()) <= shown
