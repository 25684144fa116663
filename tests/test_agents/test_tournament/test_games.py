"""What holds of comparisons in every game: rivals are compared by their shares of the win, teams by their totals."""

import csv
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import evaluate
from agents.common.statistics import mean_estimate
from agents.players.values import count_weights, save_values
from agents.tournament import BadTournament, LineUp, Sure, compare, enter, line_ups, picture
from agents.tournament.play import play_chunk
from agents.tournament.schedule import Chunk
from agents.tournament.statistics import total_of_blocks
from bohemian_env import IllegalMove, __version__
from bohemian_env.games import GAMES, faces_of, rules_of
from tests.helpers import ROOT, Ends, status_of

KINDS = [(game, players) for game in GAMES for players in (1, 2, 3) if players in rules_of(game).players]
EACH = pytest.mark.parametrize(("game", "players"), KINDS)
TEAMS = [(game, players) for game, players in KINDS if players == 1 or rules_of(game).verbs.TEAM]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs the command in an empty folder: exit status, output, errors."""
    monkeypatch.chdir(tmp_path)

    def run(words: str) -> tuple[int, str, str]:
        return status_of(evaluate.main, *words.split(), "--jobs", 1), *capsys.readouterr()

    return run


@EACH
def test_the_games_are_those_of_the_environment(game: str, players: int) -> None:
    rules, setup = rules_of(game), rules_of(game).setup(players)
    line_up = LineUp((0, *[1] * (players - 1)))
    entrants = enter(["greedy", "random"], 3, game=game)
    found = play_chunk(Chunk(line_up, 11, 0, 2), entrants, setup, records=True)
    assert found.totals.shape == (2, line_up.rotations, players)
    env = faces_of(game).raw_env(players)
    for block in range(2):
        for rotation in range(line_up.rotations):
            env.reset(seed=11 + block)
            while not (all(env.terminations.values()) or all(env.truncations.values())):
                seat = int(env.agent_selection.removeprefix("player_"))
                env.step(entrants[0 if seat == rotation else 1].agent.act(env))
            totals = [entry[rules.scoring[-1]] for entry in rules.scoring_of(env.states[0])]
            assert found.totals[block, rotation].tolist() == totals
            record = dict(found.records[block * line_up.rotations + rotation])
            assert record["players"] == ["greedy" if seat == rotation else "random" for seat in range(players)]
            assert rules.scoring_of(rules.game.from_record(record).states[0])[0][rules.scoring[-1]] == totals[0]


@EACH
def test_reports_tell_the_same_in_all_forms(game: str, players: int, run: Any, tmp_path: Path) -> None:
    words = f"--game {game} --players {players} greedy random --games 12 --seed 40 --tables"
    tables = "own" if (game, players) in TEAMS else "single"
    outputs = "--json t.json --csv t.csv --markdown t.md --plot t.svg --records t.jsonl"
    status, out, err = run(f"{words} {tables} {outputs}")
    assert (status, err) == (0, "")
    data = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    records = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    assert (data["game"], data["players"], data["games"]) == (game, players, len(records))
    assert data["versions"]["environment"] == rules_of(game).env_name
    assert rules_of(game).env_name in out
    assert rules_of(game).drawn in out
    assert (tmp_path / "t.svg").read_bytes().startswith(b"<?xml")
    assert not (tmp_path / "runs").exists()  # nothing is kept any more
    if tables == "own":
        assert "rating" not in data
        assert "Totals" in out
        assert [table["seats"] for table in data["tables"]] == [["greedy"] * players, ["random"] * players]
        for row, table in zip(rows, data["tables"], strict=True):
            assert float(row["total"]) == table["total"]["value"]
            assert float(row["ahead_low"] or 0) == (table["ahead"]["low"] or 0)
            assert f"{table['total']['value']:.2f} ({table['total']['low']:.2f} to" in out
    else:
        assert [float(row["win_share"]) for row in rows] == [
            result["win_share"]["value"] for table in data["tables"] for result in table["results"]
        ]
        assert "Ratings" in out
    again = run(f"{words} {tables} --csv again.csv")
    assert again[0] == 0
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "t.csv").read_text()


@pytest.mark.parametrize(("game", "players"), [("dorfromantik", 1), ("dorfromantik", 2), ("agricola", 1)])
def test_totals_are_compared_on_the_same_seeds(game: str, players: int) -> None:
    setup = rules_of(game).setup(players)
    entrants = enter(["greedy", "random"], 0, game=game)
    found = compare(entrants, setup, games=30, tables="own")
    each = []
    for number in range(2):
        played = play_chunk(Chunk(LineUp((number,) * players), 0, 0, 30), entrants, setup)
        each.append(played.totals.mean(axis=(1, 2)))
        score = found.tables[number].score
        assert score.total == mean_estimate(each[-1])
        assert score.spread[3] == each[-1].max()
    assert found.tables[1].score.ahead == mean_estimate(each[1] - each[0])
    assert found.tables[0].score.ahead.value == 0
    assert (found.team, found.ratings, found.results) == (True, (), [])
    assert picture(found, "svg") == picture(found, "svg")


def test_rivals_are_compared_by_totals_where_each_has_a_table_of_its_own() -> None:
    entrants = enter(["planner", "greedy"], 0, game="agricola")
    found = compare(entrants, rules_of("agricola").setup(2), games=20, tables="own")
    assert found.team
    assert [table.games for table in found.tables] == [20, 20]
    assert found.totals[0] == pytest.approx(found.tables[0].score.total.value)
    assert found.totals[0] > found.totals[1]


def test_one_sits_among_others_of_a_team() -> None:
    """After the tables of each alone come those of the kind."""
    assert [one.order for one in line_ups("single", 2, 3, team=True)] == [(0, 0, 0), (1, 1, 1), (0, 1, 1)]
    assert [one.order for one in line_ups("all", 1, 3, team=True)] == [(0, 0, 0)]
    assert [one.order for one in line_ups("duels", 2, 1, team=True)] == [(0,), (1,)]
    setup = rules_of("dorfromantik").setup(3)
    found = compare(enter(["greedy", "random"], 0, game="dorfromantik"), setup, games=9, tables="single")
    assert [table.games for table in found.tables] == [9, 9, 9]
    assert [table.blocks for table in found.tables] == [9, 9, 3]
    high, low, middle = (table.score.total.value for table in found.tables)
    assert low < middle < high


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_test_of_totals_ends_when_it_is_sure(jobs: int, tmp_path: Path) -> None:
    setup, names = rules_of("dorfromantik").setup(), ["greedy", "random"]
    options: dict[str, Any] = dict(games=20_000, tables="own", games_at_once=32, sure=Sure(1.0, team=True))
    found = compare(enter(names, 0, game="dorfromantik"), setup, jobs=jobs, work=tmp_path, **options)
    assert (found.verdict.sign, found.verdict.margin) == (1, 1.0)
    assert [table.games for table in found.tables] == [64, 64]
    other = compare(enter(names[::-1], 0, game="dorfromantik"), setup, **options)
    assert other.verdict.sign == -1
    few = compare(enter(["greedy"] * 2, 0, game="dorfromantik"), setup, **options | {"games": 40})
    assert few.verdict.sign is None
    with pytest.raises(BadTournament, match="a sequential test of totals is asked for"):
        compare(enter(names, 0, game="dorfromantik"), setup, **options | {"sure": Sure()})
    with pytest.raises(BadTournament, match="needs two tables"):
        compare(enter([*names, "random"], 0, game="dorfromantik"), setup, **options)


def test_tests_of_totals_are_said_in_points(run: Any) -> None:
    status, out, _ = run("--game dorfromantik greedy random --until-sure --games 400")
    assert status == 0
    assert "Sure: greedy is stronger than random." in out
    status, out, _ = run("--game dorfromantik greedy greedy --until-sure 40 --games 400")
    assert "Sure: greedy and greedy (2) are not 40 points apart." in out


def test_what_does_not_fit_is_said_in_a_sentence(run: Any, tmp_path: Path) -> None:
    rules = rules_of("dorfromantik")
    save_values(tmp_path, rules, np.zeros((len(rules.players), count_weights(rules)), np.float32), {})
    for words, said in {
        f"--game agricola {tmp_path} greedy": f"{tmp_path} plays dorfromantik, not agricola",
        "--game dorfromantik appraiser": "unknown agent 'appraiser': known are random, greedy, ",
        "--game dorfromantik greedy --coin-supply 5": "--coin-supply: known of dorfromantik are landscape, tasks",
        "--game agricola greedy random --set a=1": "--set a=1: expected NAME=VALUE with one of storehouse_solo",
        "--game dorfromantik greedy --players 9": "players 9 is not a whole number from 1 to 6",
        "--game dorfromantik greedy random --luck": "the luck of games of dorfromantik is not known unless one of",
        "none=nothing* greedy": "'none=nothing*': expected NAME=PATTERN of folders or files of runs; there are 0",
        "greedy --game agricola": "1 agent: a comparison needs at least 2",
    }.items():
        status, out, err = run(words)
        assert (status, out) == (2, "")
        assert said in err.splitlines()[-1]
    with pytest.raises(BadTournament, match="greedy plays agricola, not villages"):
        compare(enter(["greedy", "random"], 0, game="agricola"), games=4)


def test_reports_tell_the_game_of_the_files_of_agents_and_the_set_up(run: Any, tmp_path: Path) -> None:
    rules = rules_of("dorfromantik")
    save_values(tmp_path, rules, np.zeros((len(rules.players), count_weights(rules)), np.float32), {})
    for words, said in (
        (f"{tmp_path} random --games 10", "dorfromantik_v0"),
        (
            "--game agricola greedy --players 1 --games 3 --set storehouse_solo=true",
            f"agricola_v0, bohemian-villages {__version__}, storehouse_solo True.",
        ),
    ):
        status, out, _ = run(words)
        assert status == 0
        assert said in out


def test_a_group_of_runs_is_one_row(run: Any, tmp_path: Path) -> None:
    rules, rng = rules_of("dorfromantik"), np.random.default_rng(0)
    for number in range(3):
        (tmp_path / f"s{number}").mkdir()
        save_values(tmp_path / f"s{number}", rules, rng.normal(size=count_weights(rules)).astype(np.float32), {})
    status, out, _ = run("mine=s* random --games 20 --csv t.csv --json t.json")
    assert status == 0
    assert "Groups of runs: mine (3)" in out
    data = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert [table["seats"] for table in data["runs"]] == [["s0"], ["s1"], ["s2"], ["random"]]
    each = [table["total"]["value"] for table in data["runs"][:3]]
    mine, other = data["tables"]
    assert mine["seats"] == ["mine"]
    assert mine["total"]["value"] == pytest.approx(np.mean(each)) == pytest.approx(mine["over_runs"]["value"])
    wanted = mean_estimate(np.array(each))
    assert mine["over_runs"]["low"] == pytest.approx(wanted.low)
    assert "over_runs" not in other
    assert (mine["games"], other["games"]) == (60, 20)
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert [row["table"] for row in rows] == ["mine", "random", "s0", "s1", "s2", "random"]
    assert [run["name"] for run in data["agents"][0]["runs"]] == ["s0", "s1", "s2"]


def test_a_group_among_rivals_is_the_mean_of_its_runs() -> None:
    """Runs stand for one agent: here the scripted ones of a game."""
    setup = rules_of("agricola").setup(2)
    entrants = enter(["greedy", "random", "planner", "greedy"], 0, game="agricola")
    grouped = [replace(one, group="two" if k < 2 else "") for k, one in enumerate(entrants)]
    found = compare(grouped, setup, games=20, tables="single")
    assert found.names == ("two", "planner", "greedy (2)")
    assert found.members == ((0, 1), (2,), (3,))
    for k, other in enumerate((2, 3)):
        alone = [compare([entrants[one], entrants[other]], setup, games=20).results[0].share for one in (0, 1)]
        result = found.tables[k].results[0]
        assert result.share.value == pytest.approx(np.mean([share.value for share in alone]))
        assert result.over_runs.value == pytest.approx(result.share.value)
        assert found.tables[k].games == 40
    assert len(found.runs) == 4
    assert found.anchor == 0  # whose first run is greedy
    assert found.decisions[0] > 0


def test_luck_is_known_only_where_it_can_be_worked_out() -> None:
    entrants = enter(["greedy", "random"], 0, game="dorfromantik")
    with pytest.raises(BadTournament, match="luck of games of dorfromantik"):
        compare(entrants, rules_of("dorfromantik").setup(), games=4, luck=True)
    found = play_chunk(Chunk(LineUp((0,)), 0, 0, 4), entrants, rules_of("dorfromantik").setup())
    assert_array_equal(total_of_blocks(found), found.totals[:, 0, 0])


@pytest.mark.parametrize("game", GAMES)
def test_a_file_of_python_and_a_program_play_whole_games(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: Ends
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "class First:\n    def move(self, game):\n        return game.legal_moves[0]\nagent = First()\n"
    Path("first.py").write_text(code)
    node = f"node {ROOT / 'examples' / 'programs' / 'picker.js'}"
    program = node if shutil.which("node") else f"{sys.executable} -m agents.protocol random"
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    names = ["python:first.py", f"program:{program}", "greedy"]
    options = ["--game", game, "--games", 4, "--no-luck", "--jobs", 1, "--json", "t.json"]
    assert "running the code in first.py" in ends(0, evaluate.main, *names, *options).err
    data = json.loads(Path("t.json").read_text(encoding="utf-8"))
    assert [(agent["name"], agent["failed"]) for agent in data["agents"]] == [(name, 0) for name in names]
    assert data["games"] == 12


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dorfromantik", "agricola"])
def test_less_its_luck_a_total_has_the_same_mean_and_varies_less(game: str, tmp_path: Path) -> None:
    """Values that know nothing but what scores at once make luck of that; the seeds are fixed."""
    rules = rules_of(game)
    save_values(tmp_path, rules, np.zeros((len(rules.players), count_weights(rules)), np.float32), {})
    setup, entrants = rules.setup(1), enter([str(tmp_path), "greedy"], 0)
    found = play_chunk(Chunk(LineUp((1,)), 0, 0, 300, luck=True), entrants, setup)
    plain = play_chunk(Chunk(LineUp((1,)), 0, 0, 300), entrants, setup)
    assert_array_equal(found.totals, plain.totals)
    luck, totals = found.luck[:, 0, 0], plain.totals[:, 0, 0]
    assert luck.std() > 0
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    less = total_of_blocks(found)
    assert less.mean() == pytest.approx(totals.mean(), abs=3 * totals.std() / np.sqrt(len(totals)))
    assert less.var() <= 1.02 * totals.var()
    compared = compare(entrants, setup, games=40, luck=True, tables="own")
    assert [table.less_luck for table in compared.tables] == [True, True]


@pytest.mark.parametrize("game", GAMES)
def test_illegal_actions_end_a_tournament(game: str) -> None:
    entrants = enter(["greedy", "random"], 0, game=game)

    class Cheat:
        rules = rules_of(game)

        def act_batch(self, batch: Any, games: np.ndarray) -> np.ndarray:
            return batch.masks[games].argmin(axis=1).astype(np.int64)

    cheat: Any = Cheat()
    entrants[0] = replace(entrants[0], agent=cheat)
    with pytest.raises(IllegalMove):
        play_chunk(Chunk(LineUp((0, 1)), 0, 0, 2), entrants, rules_of(game).setup(2))
