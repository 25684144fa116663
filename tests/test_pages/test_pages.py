"""The pages agree with the code, and their examples run."""

import argparse
import doctest
import importlib.util
import json
import re
import shlex
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from bohemian_env import Board, Game, bohemian_villages_v0
from bohemian_env.game.facts import TOTALS

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs" / "rules.md"


def script(name: str) -> Iterator[types.ModuleType]:
    """docs/NAME.py as a module."""
    path = list(sys.path)
    sys.path.insert(0, str(ROOT / "docs"))  # as Python does for a script
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path


@pytest.fixture(scope="module")
def generate() -> Iterator[types.ModuleType]:
    """docs/generate.py as a module."""
    yield from script("generate")


PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.is_file()]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def blocks(page: Path, info: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a page with exactly this after the fence: number of the first line, and text."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^( *)```([^\n]*)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
        if match[2].strip() == info:
            yield text.count("\n", 0, match.start(3)) + 1, textwrap.dedent(match[3])


# --- what is generated ------------------------------------------------------------------------------------------


def test_pages_are_as_the_code_generates_them(generate, capsys):
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_every_region_is_used_somewhere(generate):
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in generate.REGIONS if f"<!-- generated: {name} -->" not in text] == []


@pytest.fixture
def stale_page(generate, monkeypatch, tmp_path) -> Path:
    """A repository with one page, which is stale."""
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- generated: rewards -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    return page


def test_check_names_a_stale_page_and_leaves_it(generate, stale_page, capsys):
    before = stale_page.read_text(encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert "README.md is stale" in capsys.readouterr().err
    assert stale_page.read_text(encoding="utf-8") == before


def test_a_stale_page_is_rewritten_and_the_rest_of_it_kept(generate, stale_page):
    mode = stale_page.stat().st_mode
    assert generate.main([]) == 0
    text = stale_page.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- generated: rewards -->\n\n| reward |")
    assert text.endswith("|\n\n<!-- end -->\nafter\n")
    assert generate.main(["--check"]) == 0
    assert [path.name for path in stale_page.parent.iterdir()] == ["README.md"]
    assert stale_page.stat().st_mode == mode


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<!-- generated: nothing -->\n<!-- end -->\n", "page:1: unknown name 'nothing'"),
        ("<!-- generated: rewards -->\n", "'rewards' does not end"),
        ("<!-- generated: rewards -->\n<!-- generated: setup -->\n<!-- end -->\n", "page:2: .*'rewards' does not end"),
        ("\n<!-- end -->\n", "page:2: .*without a beginning"),
    ],
)
def test_a_place_that_cannot_be_filled_is_refused(generate, text, complaint):
    with pytest.raises(generate.BadPage, match=complaint):
        generate.filled(text)


# --- what is written by hand ------------------------------------------------------------------------------------


@EACH_PAGE
def test_python_examples_run(page, monkeypatch, tmp_path):
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
def test_json_examples_are_read(page):
    for line, text in blocks(page, "json"):
        data = json.loads(text)
        if "format" in data:
            assert Game.from_record(data).record() == data, f"{page.name}:{line}"
        elif "villages" in data:
            assert Game.from_position(data).position() == data, f"{page.name}:{line}"


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@EACH_PAGE
def test_links_within_the_repository_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{target} leads nowhere"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{target}: no such heading"


def test_rulings_are_numbered_without_gaps_and_have_a_source():
    text = RULES.read_text(encoding="utf-8")
    rulings = re.split(r"^\*\*R(\d+)\*\* ", text, flags=re.MULTILINE)
    assert list(map(int, rulings[1::2])) == list(range(1, 27))
    for number, ruling in zip(rulings[1::2], rulings[2::2], strict=True):
        assert re.search(r"\*(Books|Decided)\b[^*]*\*", ruling), f"R{number} names no source"


def test_rulings_that_the_code_cites_exist():
    cited = {
        int(number)
        for path in (ROOT / "bohemian_env").rglob("*.py")
        for number in re.findall(r"\bR(\d{1,2})\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert cited <= set(range(1, 27))


def test_pieces_are_those_of_the_code():
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert {kind: int(total) for total, kind in rows} == TOTALS


def test_version_history_has_the_version_of_the_environment():
    name = bohemian_villages_v0.raw_env.metadata["name"]
    history = (ROOT / "docs" / "env.md").read_text(encoding="utf-8").partition("## Version history")[2]
    assert f"- `{name.rpartition('_')[2]}`" in history


# --- pictures ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pictures() -> Iterator[types.ModuleType]:
    """docs/pictures.py as a module."""
    yield from script("pictures")


def test_pictures_are_as_the_code_draws_them(pictures):
    """python docs/pictures.py makes them anew."""
    made = pictures.pictures()
    assert sorted(path.name for path in made) == ["board-dark.svg", "board.svg"]
    for path, drawn in made.items():
        assert path.read_text(encoding="utf-8") == drawn, f"{path.name} is stale"


def test_pictures_show_a_game_under_way_and_have_a_place(pictures):
    at = pictures.position()
    buildings = [building for village in at["villages"] for building in village["buildings"]]
    assert not at["over"]
    assert {building["owner"] for building in buildings} == {None, *range(len(pictures.NAMES))}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in pictures.pictures():
        assert f'="docs/{path.name}"' in readme


# --- the ladder -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ladder() -> Iterator[types.ModuleType]:
    """docs/ladder.py as a module."""
    yield from script("ladder")


def test_the_ladder_is_made_by_one_command(ladder, monkeypatch, tmp_path):
    monkeypatch.setattr(ladder, "SEARCHING", dict.fromkeys((2, 3, 4, 5), ("montecarlo:1", "montecarlo:2")))
    options = ["--games", "10", "--few", "2", "--jobs", "1", "--out", str(tmp_path), "--work", str(tmp_path / "work")]
    assert ladder.main(options) == 0
    text = (tmp_path / "ladder.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Two players", "## Three players", "## Four players", "## Five players",
    ]  # fmt: skip
    for players in (2, 3, 4, 5):
        assert f"](ladder-{players}.svg)" in text
        assert (tmp_path / f"ladder-{players}.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert not list((tmp_path / "work").iterdir())
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| planner | greedy ")]
    assert "–" not in rows[0]
    assert [len(rows[0]), len(rows)] == [6, 4]  # alone among greedys, in the first table and with 3, 4 and 5 players


def test_the_ladder_names_every_opponent_as_it_is_now(ladder):
    """The page was made with the opponents that there are: python docs/ladder.py makes it anew."""
    text = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    for name, what in ladder.SCRIPTED.items():
        assert f"| `{name}` | {what} |" in text
    for name in ladder.QUICK:
        assert text.count(f"| {name} |") >= 5
    for names in ladder.SEARCHING.values():
        assert all(f"| {name} |" in text for name in names)
    assert f"at version {ladder.VERSION}" in text


def test_a_ladder_that_cannot_be_written_is_refused_before_the_first_game(ladder, tmp_path, capsys):
    assert ladder.main(["--out", str(tmp_path / "nowhere")]) == 2
    assert "nowhere is not a folder" in capsys.readouterr().err


# --- the card of the shipped agents -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strength() -> Iterator[types.ModuleType]:
    """docs/strength.py as a module."""
    yield from script("strength")


def test_the_card_is_made_by_one_command(strength, monkeypatch, tmp_path):
    monkeypatch.setattr(strength, "SEARCH", dict.fromkeys((2, 3, 4, 5), 1))
    monkeypatch.setattr(strength, "MONTE_CARLO", "montecarlo:1")
    card = tmp_path / "card.md"
    options = ["--games", "10", "--few", "2", "--jobs", "1", "--out", str(card), "--work", str(tmp_path / "work")]
    assert strength.main(options) == 0
    text = card.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert not list((tmp_path / "work").iterdir())
    assert [line for line in lines if line.startswith("### ")] == [
        f"### {players} players (equals: {1 / players:.3f})" for players in (2, 3, 4, 5)
    ]
    played = [line.split(" | ")[:2] for line in lines if line.startswith(("| `ppo` |", "| `search:"))]
    alone = [["| `ppo`", f"`{name}`"] for name in ("greedy", "rusher", "hoarder", "planner")]
    ahead = ["| `search:ppo:1`", "`planner`"]
    assert played == [*alone, ["| `ppo`", "`montecarlo:1`"], ahead, *3 * [*alone, ahead]]
    times = re.search(
        r"takes ([\d /]+) microseconds alone.* and ([\d. /]+) a move for 512 games", text.replace("\n", " ")
    )
    for found in times.groups():
        assert [float(number) > 0 for number in found.split(" / ")] == [True] * 4
    assert shlex.join(["python", "docs/strength.py", *options]) in text


def test_the_card_is_of_the_agents_that_are_shipped(strength):
    """After other agents are shipped: python docs/strength.py."""
    text = strength.PAGE.read_text(encoding="utf-8")
    for players in strength.TABLES:
        path = strength.shipped_path(players).with_suffix(".json")
        about = json.loads(path.read_text(encoding="utf-8"))["about"]
        assert strength.training(players, about) in text
    assert text.startswith(strength.HEAD[: strength.HEAD.index("{")])
    assert strength.WEAK in text


# --- pages made by training many agents -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generalisation() -> Iterator[types.ModuleType]:
    """docs/generalisation.py as a module."""
    yield from script("generalisation")


@pytest.fixture(scope="module")
def ablations() -> Iterator[types.ModuleType]:
    """docs/ablations.py as a module."""
    yield from script("ablations")


def test_boards_of_one_side_have_only_that_side(generalisation, tmp_path):
    board = Board.standard()
    for side, rest in ((0, 0), (1, 1)):
        one = generalisation.one_sided(side)
        (tmp_path / "board.toml").write_text(generalisation.board_file(one), encoding="utf-8")
        assert Board.load(tmp_path / "board.toml") == one
        assert (one.setups, one.coin_supply, one.special_action_tiles) == (
            board.setups, board.coin_supply, board.special_action_tiles,
        )  # fmt: skip
        assert one.tiles == board.tiles
        for twice, village in zip(zip(*[iter(one.villages)] * 2, strict=True), board.villages[rest::2], strict=True):
            for copy in twice:
                assert copy.name.removesuffix(" (again)") == village.name
                assert (copy.tile, copy.cells()) == (village.tile, village.cells())
                assert copy.printed == village.printed


@pytest.mark.parametrize("left", [(), ("settings.json",), ("settings.json", "checkpoint.zip")])
def test_training_goes_on_from_a_checkpoint_alone(ablations, monkeypatch, tmp_path, left):
    """A run that was stopped while it was set up has left a folder, but nothing to go on with."""
    trainings = sys.modules[ablations.train_all.__module__]
    o = argparse.Namespace(minutes=2.0, players=4, seeds=1, jobs=1, work=tmp_path)
    folder = tmp_path / "minutes_2_players_4_seed_0"
    part = tmp_path / f"{folder.name}.part"
    if left:
        part.mkdir()
    for name in left:
        (part / name).touch()

    def run(command: list[str], **_: object) -> None:
        assert command[command.index("--out") + 1] == str(part)
        assert ("--resume" in command) == ("checkpoint.zip" in left)
        assert part.exists() == ("--resume" in command)  # train.py refuses a folder that holds something
        part.mkdir(exist_ok=True)

    monkeypatch.setattr(trainings.subprocess, "run", run)
    assert trainings.train_all([""], o) == {"": [folder]}
    assert folder.exists()
    assert not part.exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ablations", "generalisation"])
def test_pages_of_many_runs_are_made_by_one_command(name, request, monkeypatch, tmp_path):
    module = request.getfixturevalue(name)
    if name == "ablations":
        monkeypatch.setattr(module, "VARIANTS", {"the defaults": "", "no advice": "--no-advice"})
    page = tmp_path / "page.md"
    options = ["--minutes", "0.01", "--seeds", "2", "--players", "3", "--games", "6", "--out", str(page)]
    options += ["--work", str(tmp_path / "work")]
    assert module.main(options) == 0
    text = page.read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == {"ablations": 2, "generalisation": 6}[name]
    assert all(re.fullmatch(r"[01]\.\d{3} \(.*\)", cell.rstrip(" |")) for row in rows for cell in row[3:])
    assert shlex.join(["python", f"docs/{name}.py", *options]) in text
    before = sorted(tmp_path.glob("work/*/agent.safetensors"))
    assert len(before) == {"ablations": 4, "generalisation": 6}[name]
    times = [path.stat().st_mtime_ns for path in before]
    assert module.main(options) == 0  # what is finished is not trained again
    assert [path.stat().st_mtime_ns for path in before] == times
