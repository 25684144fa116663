"""The pages that a program measures: each is made by one command, and is of the code that there is."""

import argparse
import json
import re
import shlex
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from agents import pretrained
from agents.pretrained import Strength, weights_digest
from bohemian_env import Board, Setup
from bohemian_env.opponents.planner import VERSION
from examples.measure import LAST_LINE
from pages import (
    DOCS,
    ROOT,
    TABLE_SIZES,
    ablations,
    benchmark,
    ceiling,
    generalisation,
    ladder,
    libraries,
    machines,
    positions,
    search,
    skill,
    strength,
    trainings,
)

MEASURED = (
    ablations,
    benchmark,
    ceiling,
    generalisation,
    ladder,
    libraries,
    machines,
    positions,
    search,
    skill,
)


def places(text: str) -> list[str]:
    """The names of a page's measured places."""
    return re.findall(r"^<!-- measured: (.*) -->$", text, re.MULTILINE)


def rows(text: str, place: str) -> list[list[str]]:
    """The cells of the first table in a measured place, without its head."""
    lines = text.partition(f"<!-- measured: {place} -->\n\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines[2:]]


@pytest.fixture
def luck_is_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck takes most of the time where a page is made of few games, and what it is, is told of elsewhere."""

    class Noise:
        def __init__(self, setup: Setup, seeds: np.ndarray, planners: np.ndarray) -> None:
            self.of_seats = np.random.default_rng(len(seeds)).normal(size=planners.shape)

        def follow(self, *_: np.ndarray) -> None:
            pass

    monkeypatch.setattr("agents.tournament.play.Luck", Noise)


def page(module: ModuleType) -> str:
    """The page in docs/ that a program makes."""
    return (DOCS / f"{module.PROGRAM.removeprefix('pages.')}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", MEASURED, ids=lambda module: module.PROGRAM)
def test_a_page_names_the_command_that_made_it(module: ModuleType) -> None:
    command = re.escape(f"python -m {module.PROGRAM}")
    assert re.search(rf"^<!-- measured: command -->\n\n```\n{command}[^\n]*\n```\n\n", page(module), re.MULTILINE)


# --- the ladder -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("luck_is_noise")
def test_the_ladder_is_made_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ladder, "SEARCHING", dict.fromkeys(TABLE_SIZES, ("montecarlo:1", "montecarlo:2")))
    options = ["--games", "10", "--few", "2", "--jobs", "1", "--out", str(tmp_path), "--work", str(tmp_path / "work")]
    assert ladder.main(options) == 0
    text = (tmp_path / "ladder.md").read_text(encoding="utf-8")
    assert places(text) == places(page(ladder))
    assert shlex.join(["python", "-m", "pages.ladder", *options]) in text
    for players in TABLE_SIZES:
        assert f"](ladder-{players}.svg)" in text
        assert (tmp_path / f"ladder-{players}.svg").read_text(encoding="utf-8").startswith("<?xml")
        ranked = [row[0] for row in rows(text, f"{players} players")]
        assert sorted(ranked) == sorted([*ladder.QUICK, "montecarlo:1", "montecarlo:2"])
    assert not list((tmp_path / "work").iterdir())
    found = [row for row in rows(text, "rungs") if row[:2] == ["planner", "greedy"]]
    assert [len(row) for row in found] == [6]
    assert all(re.fullmatch(r"[01]\.\d{3} \(.*\)", cell) for cell in found[0][2:])


def test_the_ladder_names_every_opponent_as_it_is_now() -> None:
    """The page was made with the opponents that there are: python -m pages.ladder makes it anew."""
    text = page(ladder)
    for players in TABLE_SIZES:
        ranked = [row[0] for row in rows(text, f"{players} players")]
        assert sorted(ranked) == sorted([*ladder.QUICK, *ladder.SEARCHING[players]])
    assert f"at version {VERSION}:" in text


def test_a_ladder_that_cannot_be_written_is_refused_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ladder.main(["--out", str(tmp_path / "nowhere")]) == 2
    assert "nowhere is not a folder" in capsys.readouterr().err


# --- how strong the shipped agents are --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("luck_is_noise")
def test_strength_is_measured_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(strength, "PLAYOUTS", dict.fromkeys(TABLE_SIZES, 1))
    monkeypatch.setattr(strength, "MONTE_CARLO", "montecarlo:1")
    file = tmp_path / "strength.json"
    options = ["--games", "10", "--few", "2", "--steps", "512", "--jobs", "1"]
    options += ["--out", str(file), "--work", str(tmp_path / "work")]
    assert strength.main(options) == 0
    found: Strength = json.loads(file.read_text(encoding="utf-8"))
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["pages.strength"]  # the best responses
    assert found["response_decisions"] == 512
    assert found["command"] == shlex.join(["python", "-m", "pages.strength", *options])
    assert found["weights"] == {str(players): weights_digest(players) for players in TABLE_SIZES}
    assert found["selftaught"] == {str(players): weights_digest(players, self_taught=True) for players in TABLE_SIZES}
    lone = ("ppo", "appraiser", "selftaught")
    quick = [(name, other) for name in lone for other in ("greedy", "rusher", "hoarder", "planner")]
    quick += [("ppo", "appraiser"), *(("best response", name) for name in lone)]
    searching = [("appraiser", "montecarlo:1"), ("search:appraiser:1", "planner")]
    played = [(one["agent"], one["among"]) for one in found["duels"]]
    assert played == [*quick, ("ppo", "montecarlo:1"), *searching, *3 * [*quick, *searching]]
    for one in found["duels"]:
        assert one["win_share"]["low"] <= one["win_share"]["value"] <= one["win_share"]["high"]
        assert len(one["win_share_by_seat"]) == one["players"]
        assert one["games"] >= (2 if "1" in one["agent"] + one["among"] else 10)
    for times in found["microseconds"].values():
        assert {name: len(own) for name, own in times.items()} == {"ppo": 2, "appraiser": 2, "search:appraiser:1": 1}
        assert all(time > 0 for own in times.values() for time in own)
    assert Strength.__required_keys__ == found.keys()


def test_moves_are_timed_anew_and_all_else_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    times = {"2": {"ppo": [2.0, 1.0]}}
    monkeypatch.setattr(strength, "microseconds", lambda: times)
    file = tmp_path / "strength.json"
    before = pretrained.strength()
    file.write_text(json.dumps(before), encoding="utf-8")
    assert strength.main(["--times", "--out", str(file)]) == 0
    after = json.loads(file.read_text(encoding="utf-8"))
    assert after == {**before, "machine": after["machine"], "microseconds": times}
    for text, told in (
        (json.dumps({**before, "weights": {}}), "measured with other networks"),
        (json.dumps({**before, "selftaught": {}}), "measured with other networks"),
        ("[]", "does not hold what was measured"),
    ):
        file.write_text(text, encoding="utf-8")
        assert strength.main(["--times", "--out", str(file)]) == 2
        assert told in capsys.readouterr().err
        assert file.read_text(encoding="utf-8") == text


# --- what more time is worth --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_cell_of_the_ceiling_is_of_games_less_luck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ceiling, "RATES", {"montecarlo": {3: 0.5}})
    monkeypatch.setattr(ceiling, "planner_games", lambda _: 1.0)
    cell, found = ceiling.played((3, "montecarlo", "planner", 4), 58, 1, str(tmp_path))
    assert (cell["players"], cell["agent"], cell["among"], cell["budget"]) == (3, "montecarlo", "planner", 4)
    assert [one.name for one in found.entrants] == ["montecarlo:2", "planner"]
    assert cell["games"] == found.games == 60
    assert found.tables[0].less_luck
    assert cell["win_share"]["low"] < cell["win_share"]["value"] < cell["win_share"]["high"]
    assert ceiling.rate(3, "montecarlo", rounds=1) > 0


def test_the_ceiling_goes_on_where_it_was_and_keeps_what_there_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[ceiling.Key, int]] = []

    def played(key: ceiling.Key, games: int, *_: object) -> tuple[ceiling.Cell, argparse.Namespace]:
        asked.append((key, games))
        if len(asked) == 2:
            raise KeyboardInterrupt
        names = dict(zip(("players", "agent", "among", "budget"), key, strict=True))
        share = {"value": 0.4, "low": 0.3, "high": 0.5}
        cell: ceiling.Cell = {**names, "games": games, "win_share": share}  # type: ignore[typeddict-item]
        return cell, argparse.Namespace(kept=None)

    monkeypatch.setattr(ceiling, "played", played)
    options = ["--jobs", "1", "--out", str(tmp_path)]
    assert ceiling.main([*options, "--budgets", "5"]) == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ceiling.json"]  # the first cell, and no page
    assert ceiling.main([*options, "--budgets", "1280", "5"]) == 0
    cells = len(TABLE_SIZES) * len(ceiling.PAIRS)
    assert len(asked) == 2 * cells + 1  # the one that was interrupted
    assert dict(asked) == {key: ceiling.GAMES[key[3]] for key in ceiling.keys([5, 1280])}
    text = (tmp_path / "ceiling.md").read_text(encoding="utf-8")
    assert places(text) == places(page(ceiling))
    assert "python -m pages.ceiling --budgets 5 1280\n" in text
    assert [row[:3] + row[4:5] for row in rows(text, "ceiling")] == [
        [*pair, budget, games] for pair in ceiling.PAIRS for budget, games in (("5", "200"), ("1280", "60"))
    ]
    assert ceiling.main([*options, "--budgets", "1280", "--games", "61"]) == 0
    assert len(asked) == 3 * cells + 1
    text = (tmp_path / "ceiling.md").read_text(encoding="utf-8")
    assert "python -m pages.ceiling --budgets 5 1280 --games 61\n" in text
    monkeypatch.setattr(ceiling, "SEED", ceiling.SEED + 1)
    assert ceiling.main([*options, "--budgets"]) == 2
    assert "ceiling.json has cells of another seed; name --budgets to play them anew" in capsys.readouterr().err
    assert ceiling.main([*options, "--budgets", "5"]) == 0
    assert "ceiling.json has cells of another seed, which are left out" in capsys.readouterr().err
    assert len(asked) == 4 * cells + 1
    assert {row[2] for row in rows((tmp_path / "ceiling.md").read_text(encoding="utf-8"), "ceiling")} == {"5"}


def test_cells_of_an_agent_that_plays_in_another_way_now_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "ceiling.json"
    for key in ceiling.keys([5]):
        names = dict(zip(("players", "agent", "among", "budget"), key, strict=True))
        ceiling.add(file, key, {**names, "games": 200, "win_share": SHARE})  # type: ignore[typeddict-item]
    before = ceiling.behaviour
    monkeypatch.setattr(ceiling, "behaviour", lambda *one: "another" if one == (3, ceiling.SEARCH) else before(*one))
    found, others = ceiling.load(file)
    assert others == ["search:appraiser of 3 players"]
    assert set(found) == {key for key in ceiling.keys([5]) if key[0] != 3 or key[1] == ceiling.PLAYOUTS}


CELL = {"players": 2, "agent": "montecarlo", "among": "planner", "budget": 5, "games": 200}
SHARE = {"value": 0.5, "low": 0.4, "high": 0.6}


@pytest.mark.parametrize(
    "cells",
    [
        3,
        [3],
        [CELL],
        [{**CELL, "win_share": 0.5}],
        [{**CELL, "win_share": SHARE, "games": "200"}],
        [{**CELL, "win_share": SHARE, "budget": 0}],
        [{**CELL, "win_share": SHARE, "players": 6}],
        [{**CELL, "win_share": SHARE, "among": "greedy"}],
    ],
)
def test_cells_of_the_ceiling_that_are_none_are_refused_and_left_alone(
    cells: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ceiling.json"
    file.write_text(json.dumps({**ceiling.conditions(), "cells": cells}), encoding="utf-8")
    before = file.read_bytes()
    assert ceiling.main(["--budgets", "--out", str(tmp_path)]) == 2
    assert "ceiling.json holds no cells" in capsys.readouterr().err
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


def test_a_file_without_a_ceiling_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content in ("", "[]", "{}", '{"format": "bohemian-strength/1"}'):
        (tmp_path / "ceiling.json").write_text(content, encoding="utf-8")
        assert ceiling.main(["--budgets", "--out", str(tmp_path)]) == 2
        assert "ceiling.json holds no cells" in capsys.readouterr().err


# --- the parts of the search ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", search.VARIANTS)
def test_a_variant_is_a_copy_of_the_checkout_in_which_one_line_is_another(name: str, tmp_path: Path) -> None:
    variant = search.VARIANTS[name]
    search.make_copy(variant, tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]
    before, after = ((folder / variant.file).read_text(encoding="utf-8") for folder in (ROOT, tmp_path / "copy"))
    assert after == before.replace(f"\n{variant.line}\n", f"\n{variant.other}\n")
    assert (after == before) == (name == "as it is")
    assert set(variant.playouts) == set(TABLE_SIZES)
    copied = [path.relative_to(tmp_path / "copy") for path in tmp_path.glob("copy/**/*.py")]
    others = [path for path in copied if path != variant.file]
    assert all((tmp_path / "copy" / path).read_bytes() == (ROOT / path).read_bytes() for path in others)
    assert variant.file in copied


@pytest.mark.parametrize("line", ["no such line", "@njit"])
def test_a_line_that_is_not_there_once_is_refused(line: str, tmp_path: Path) -> None:
    variant = search.VARIANTS["no halving: as many playouts of every move"]._replace(line=line)
    times = (ROOT / variant.file).read_text(encoding="utf-8").splitlines().count(line)
    assert times != 1
    with pytest.raises(ValueError, match=rf"halving\.py has the line '{line}' {times} times, not once"):
        search.make_copy(variant, tmp_path / "copy")


@pytest.mark.slow
def test_the_parts_of_the_search_are_measured_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = {name: search.VARIANTS[name]._replace(playouts={2: 12}) for name in ("as it is", "no first opinion")}
    monkeypatch.setattr(search, "VARIANTS", few)
    out = tmp_path / "page.md"
    options = ["--games", "4", "--players", "2", "--jobs", "1", "--work", str(tmp_path / "work"), "--out", str(out)]
    assert search.main(options) == 0
    text = out.read_text(encoding="utf-8")
    assert places(text) == places(page(search))
    found = rows(text, "search")
    assert [row[:2] for row in found] == [[name, "12"] for name in few]
    assert found[0][3] != found[1][3]
    monkeypatch.setattr("pages.search.subprocess.run", None)
    assert search.main(options) == 0  # what is finished is not played again
    assert rows(out.read_text(encoding="utf-8"), "search") == found


# --- examples with other libraries -------------------------------------------------------------------------------


def test_the_examples_are_measured_by_one_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What one said is kept until its file or the seed changes, and only those of other libraries run elsewhere."""
    line = (
        "win share 0.500 (0.400 to 0.600) against greedy, 2 players, 20 games; 2,000 decisions in 4.0 s, 500 a second; "
    )
    asked: list[tuple[str, str]] = []

    def run(command: str, python: str, given: tuple[str, ...] = ()) -> tuple[str, re.Match[str]]:
        asked.append((command, python))
        said = f"{line}seed {given[1] if given else 0}"
        match = LAST_LINE.fullmatch(said)
        assert match
        return said, match

    monkeypatch.setattr(libraries, "run", run)
    options = ["--others", "theirs", "--out", str(tmp_path / "page.md"), "--work", str(tmp_path / "work")]
    assert libraries.main([*options, "--seed", "3"]) == 0
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert places(text) == places(page(libraries))
    assert [row[1:] for row in rows(text, "examples")] == 10 * [["2,000", "4.0", "500", "0.500 (0.400 to 0.600)", "20"]]
    assert {command for command, python in asked if python == "theirs"} == {
        libraries.command_of(name) for name in libraries.OTHERS
    }
    assert len(asked) == 11
    assert libraries.main([*options, "--seed", "3"]) == 0
    assert len(asked) == 12  # the check alone
    assert libraries.main(options) == 0
    assert len(asked) == 23


# --- pages made by training many agents -------------------------------------------------------------------------


def test_boards_of_one_side_have_only_that_side(tmp_path: Path) -> None:
    board = Board.standard()
    for side in (0, 1):
        one = generalisation.one_sided(side)
        (tmp_path / "board.toml").write_text(generalisation.board_file(one), encoding="utf-8")
        assert Board.load(tmp_path / "board.toml") == one
        assert (one.setups, one.coin_supply, one.special_action_tiles) == (
            board.setups, board.coin_supply, board.special_action_tiles,
        )  # fmt: skip
        assert one.tiles == board.tiles
        for twice, village in zip(zip(*[iter(one.villages)] * 2, strict=True), board.villages[side::2], strict=True):
            for copy in twice:
                assert copy.name.removesuffix(" (again)") == village.name
                assert (copy.tile, copy.cells()) == (village.tile, village.cells())
                assert copy.printed == village.printed


@pytest.mark.parametrize("left", [(), ("settings.json",), ("settings.json", "checkpoint.safetensors")])
def test_training_goes_on_from_a_checkpoint_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: tuple[str, ...]
) -> None:
    """A run that was stopped while it was set up has left a folder, but nothing to go on with."""
    o = argparse.Namespace(minutes=2.0, players=4, seeds=1, jobs=1, work=tmp_path)
    folder = tmp_path / "minutes_2_players_4_seed_0"
    part = tmp_path / f"{folder.name}.part"
    if left:
        part.mkdir()
    for name in left:
        (part / name).touch()

    def run(command: list[str], **_: object) -> None:
        assert command[command.index("--out") + 1] == str(part)
        assert ("--resume" in command) == ("checkpoint.safetensors" in left)
        assert part.exists() == ("--resume" in command)  # train.py refuses a folder that holds something
        part.mkdir(exist_ok=True)

    monkeypatch.setattr("pages.trainings.subprocess.run", run)
    assert trainings.train_all([""], o) == {"": [folder]}
    assert folder.exists()
    assert not part.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "place", "lines", "runs"), [(ablations, "variants", 2, 4), (generalisation, "win shares", 6, 6)]
)
def test_pages_of_many_runs_are_made_by_one_command(
    module: ModuleType, place: str, lines: int, runs: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ablations, "VARIANTS", {"the defaults": "", "no advice": "--no-advice"})
    monkeypatch.setattr(ablations, "NETWORKS", {"games of planner": "--games 1000 --lessons 1000"})
    file = tmp_path / "page.md"
    options = ["--minutes", "0.01", "--seeds", "2", "--players", "3", "--games", "6", "--out", str(file)]
    options += ["--work", str(tmp_path / "work")]
    assert module.main(options) == 0
    text = file.read_text(encoding="utf-8")
    assert places(text) == places(page(module))
    found = rows(text, place)
    assert len(found) == lines
    found += rows(text, "networks")
    assert len(found) == lines + (module is ablations)
    assert all(re.fullmatch(r"[01]\.\d{3} \(.*\)", cell) for row in found for cell in row[3:])
    assert shlex.join(["python", "-m", module.PROGRAM, *options]) in text
    before = sorted(tmp_path.glob("work/*/*.safetensors"))
    assert len([path for path in before if path.name == "agent.safetensors"]) == runs
    times = [path.stat().st_mtime_ns for path in before]
    assert module.main(options) == 0  # what is finished is not trained again
    assert [path.stat().st_mtime_ns for path in before] == times
