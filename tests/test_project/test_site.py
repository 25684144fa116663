"""The site: it is built without a warning, tells of every public name, and every link inside leads somewhere."""

import ast
import importlib
import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from sphinx.util.inventory import InventoryFile

from tests.helpers import ROOT, run_python

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


class Reader(HTMLParser):
    """Reads what a page of the site leads to, what it loads, and the places that can be led to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        address = given.get("href") or given.get("src")
        if address:
            (self.links if tag == "a" else self.loaded).append(address)


@pytest.fixture(scope="module", params=[pytest.param(how, marks=pytest.mark.slow) for how in ("draft", "whole")])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built as `make docs` builds it; in a draft nothing is played."""
    out = tmp_path_factory.mktemp("site")
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", "-d", out / "trees", "-t", request.param]
    done = run_python(*words, ".", out / "html")
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Reader]:
    return {path: Reader(path) for path in site.rglob("*.html")}


def packages() -> list[str]:
    """The packages that say what is public in them."""
    found = (path for part in ("bohemian_env", "agents") for path in (ROOT / part).rglob("__init__.py"))
    public = (path.parent.relative_to(ROOT) for path in found if "\n__all__ = " in path.read_text("utf-8"))
    return sorted(".".join(folder.parts) for folder in public)


def test_every_public_name_is_told_of(site: Path) -> None:
    content = (site / "objects.inv").read_bytes()
    told = {name for kind in InventoryFile.loads(content, uri="").data.values() for name in kind}
    for package in packages():
        for name in importlib.import_module(package).__all__:
            places = [one for one in told if one.startswith(f"{package}.") and one.endswith(f".{name}")]
            assert places, f"{package}.{name} stands on no page of docs/"


@pytest.mark.parametrize("package", packages())
def test_every_public_class_and_function_says_what_it_is(package: str) -> None:
    module = importlib.import_module(package)
    things = {name: getattr(module, name) for name in module.__all__}
    assert [name for name, thing in things.items() if callable(thing) and not (thing.__doc__ or "").strip()] == []


def test_every_link_inside_leads_somewhere(site: Path, pages: dict[Path, Reader]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or not (parts.path or parts.fragment):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages[target].places if target in pages else None
            if not target.is_file() or (parts.fragment and known is not None and unquote(parts.fragment) not in known):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Reader]) -> None:
    assert {link for page in pages.values() for link in page.loaded if urlsplit(link).netloc} == set()


def test_the_first_page_stands_where_browsers_look_for_it(site: Path) -> None:
    assert "reinforcement-learning" in (site / "index.html").read_text(encoding="utf-8")


def test_names_of_other_projects_lead_to_them(pages: dict[Path, Reader]) -> None:
    linked = {link for page in pages.values() for link in page.links}
    conf = ast.parse((ROOT / "docs" / "conf.py").read_text(encoding="utf-8"))  # to run it would turn off numba here
    assigned = (node for node in conf.body if isinstance(node, ast.Assign))
    table = next(node.value for node in assigned if "ELSEWHERE" in ast.dump(node.targets[0]))
    assert {place.replace("$", name) for name, place in ast.literal_eval(table).items()} <= linked


@pytest.mark.slow
@pytest.mark.parametrize("site", ["whole"], indirect=True)
def test_the_first_page_has_a_game_that_replays(site: Path) -> None:
    loaded = Reader(site / "index.html").loaded
    assert {"game.html", "game.svg", "game-dark.svg"} <= {*loaded}
    assert "ppo, appraiser, planner" in (site / "game.html").read_text(encoding="utf-8")
    assert "<svg" in (site / "game.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("site", ["whole"], indirect=True)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_run_and_shown_with_their_output(site: Path, notebook: Path) -> None:
    """A cell that fails ends the making of the site."""
    page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
    assert page.count('class="cell_output') > 2


def test_notebooks_are_stored_without_output() -> None:
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert [cell["source"][0] for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []
