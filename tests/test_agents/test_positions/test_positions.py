"""Positions whose moves were rolled out: drawing, rolling out, the file, and what an agent's decisions cost."""

import copy
import itertools
import json
import math
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents
import evaluate
from agents.positions import __main__ as making
from agents.positions import rollout
from agents.positions.__main__ import draw
from agents.positions.book import ALL, BadBook, Book, Position, costs, costs_table
from agents.positions.rollout import CERTAINTY, judge
from bohemian_env import Batch, Setup
from bohemian_env.engine.legal import legal_actions, legal_count
from bohemian_env.villages.rules import push, write_result
from bohemian_env.villages.state import copy_states
from tests.helpers import Ends

MISBEHAVING = Path(__file__).parents[1] / "test_players" / "misbehaving.py"


def at_positions(players: int, drawn: list[tuple[int, bytes]]) -> Batch:
    batch = Batch(len(drawn), Setup.of(players), autoreset=False)
    batch.replay([seed for seed, _ in drawn], [moves for _, moves in drawn])
    return batch


@pytest.mark.parametrize("players", [2, 5])
def test_a_position_of_each_game_has_a_choice(players: int) -> None:
    drawn = draw(players, 12, 40)
    assert [seed for seed, _ in drawn] == [*range(40, 52)]
    assert drawn == draw(players, 12, 40)
    assert drawn[:5] == draw(players, 5, 40)
    states = at_positions(players, drawn).states
    assert all(legal_count(state) > 1 for state in states)
    assert len({int(state["turn"]) for state in states}) > 5  # early and late ones


def late(players: int, left: int, seed: int = 0) -> np.ndarray:
    """A position with a choice, so many decisions before the end of a game among planners."""
    planner, batch = agents.make("planner", 1), Batch(1, Setup.of(players), autoreset=False)
    batch.reset(seed)
    path = []
    while not batch.over[0]:
        if legal_count(batch.states[0]) > 1:
            path.append(copy_states(batch.states))
        batch.step(planner.act_batch(batch))
    return path[-left]


def test_where_the_game_ends_the_result_counts() -> None:
    """The last decision of a game, in which one move shares the win and the others lose it: there is no doubt."""
    states, seat = late(2, 1, 16), int(late(2, 1, 16)["to_move"][0])
    worth = {}
    for action in legal_actions(states[0]):
        after, shares = copy_states(states), np.zeros(2)
        push(after[0], action)
        assert after[0]["end"]
        write_result(after[0], shares)
        worth[action] = shares[seat]
    assert sorted({*worth.values()}) == [0, 0.5]
    found = judge(states, 3)
    assert found.actions == tuple(worth)
    assert found.losses.tolist() == [0.5 - one for one in worth.values()]


@pytest.mark.slow
def test_rollouts_follow_from_their_seed_and_agree_between_seeds() -> None:
    states = late(3, 12)
    one, same, other = (judge(states, seed) for seed in (1, 1, 2))
    assert (one.losses == same.losses).all()
    assert (one.losses != other.losses).any()
    apart = np.abs(one.losses - other.losses)
    assert (apart <= 4.5 * np.hypot(one.errors, other.errors) + 1e-12).all()


def test_contenders_are_known_well_and_the_others_are_clearly_worse() -> None:
    for players in (2, 4):
        found = judge(late(players, 20), 5)
        assert found.losses.min() == 0
        worse = found.losses > 3 * found.errors
        assert (found.errors[~worse] <= CERTAINTY).all()
        assert found.rollouts < 8192 * len(found.actions)


def test_a_move_given_up_beside_one_that_falls_behind_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first looks best in 32 rollouts, and beside it the last clearly worse; the second is best in truth."""
    monkeypatch.setattr(rollout, "legal_actions", lambda _: [3, 5, 8])
    chances = {3: (0.70, 0.30, 0.05), 5: (0.66, 0.70, 0.30), 8: (0.60, 0.60, 0.01)}  # at first, later, give and take

    def rolled(states: np.ndarray, actions: list[int], seed: int, count: int, first: int = 0) -> np.ndarray:
        number = np.arange(first, first + count)
        ways = [np.where(number < 32, early, later) + (-1.0) ** number * more
                for early, later, more in map(chances.__getitem__, actions)]  # fmt: skip
        return np.stack(ways, axis=1)

    monkeypatch.setattr(rollout, "roll_out", rolled)
    found = judge(late(2, 1), 1)
    assert found.losses[1] == 0
    assert found.losses[2] == pytest.approx(0.09)  # after 128 rollouts; after the first 32 it would be 0.06
    assert (found.losses[::2] > 3 * found.errors[::2]).all()


def book_of(count: int = 6) -> Book:
    """A book in which the k-th legal move of each position costs k / 1,000."""
    positions = {}
    for players in (2, 3):
        drawn = draw(players, count, 70)
        states = at_positions(players, drawn).states
        positions[players] = [
            Position(*one, {action: (k / 1000, 0.0) for k, action in enumerate(legal_actions(state))})
            for one, state in zip(drawn, states, strict=True)
        ]
    return Book({"rolled out by": "nobody"}, positions)


BOOK = book_of()
GOOD = json.loads(json.dumps(BOOK.to_json()))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """The file of this book."""
    (tmp_path / "book.json").write_text(json.dumps(GOOD))
    return tmp_path / "book.json"


def taking(place: int, sizes: Sequence[int] = range(2, 6)) -> Any:
    """An agent that takes the legal action at this place of each position."""

    def act_batch(batch: Batch) -> np.ndarray:
        return np.array([legal_actions(state)[place] for state in batch.states])

    return SimpleNamespace(name="takes", sizes=sizes, act_batch=act_batch)


def test_what_is_lost_is_that_of_the_chosen_move() -> None:
    assert {name: one.value for name, one in costs(BOOK, taking(1)).items()} == pytest.approx({"2": 1, "3": 1, ALL: 1})
    table = costs_table({name: costs(BOOK, taking(place)) for name, place in (("worse", 1), ("best", 0))})
    assert [line.split(" | ")[0] for line in table.splitlines()[2:]] == ["| best", "| worse"]
    assert "| worse | 1.0 (1.0 to 1.0) |" in table


def test_an_agent_that_plays_at_some_tables_has_its_costs_there() -> None:
    """As the network of one run of ``agents.training.td`` does."""
    found = costs(BOOK, taking(1, (3, 4)))
    assert {name: one.value for name, one in found.items()} == pytest.approx({"3": 1})
    table = costs_table({"some": found, "every": costs(BOOK, taking(2))})
    assert table.splitlines()[0] == "| agent | 2 players | 3 players | all |"
    assert table.splitlines()[2].startswith("| every | 2.0 ")
    assert table.splitlines()[3] == "| some | – | 1.0 (1.0 to 1.0) | – |"
    with pytest.raises(BadBook, match="takes plays with 5 players; there are positions of 2, 3"):
        costs(BOOK, taking(1, (5,)))


def test_a_program_that_fails_loses_what_the_worst_move_does_and_that_is_told(
    book: Path, tmp_path: Path, ends: Ends
) -> None:
    """It fails at every third question, since it is started again then; else it takes the first legal move."""
    named = f"program:60000ms:{shlex.join([sys.executable, str(MISBEHAVING), 'no notation', '3'])}"
    program: Any = agents.make(named)
    worst = [max(loss for loss, _ in position.losses.values()) for position in BOOK.positions(2)]
    told: list[str] = []
    assert BOOK.losses(program, 2, told.append).tolist() == [0, 0, worst[2], 0, 0, worst[5]]
    assert len(told) == 1
    of_two = "failed in 2 of the 6 positions of 2 players, where it loses what the worst move does"
    assert told[0].startswith(f"{named} {of_two}. The first: {named}: it answered ")
    program.end()
    out = tmp_path / "out.json"
    said = ends(0, evaluate.main, named, "--positions", book, "--json", out).out
    failures = json.loads(out.read_text())["failures"]
    assert [failures[0], len(failures)] == [told[0], 2]
    assert said.endswith("\n\n".join(["", *failures]) + "\n")


def test_a_book_is_read_as_it_was_written(book: Path) -> None:
    assert Book.load(book).to_json() == BOOK.to_json()
    assert Book.load(book).digest == BOOK.digest


def test_a_digest_tells_books_apart_by_their_positions_alone() -> None:
    assert Book.from_json(changed(lambda data: data.update(about={"rolled out by": "somebody"}))).digest == BOOK.digest
    first = next(iter(BOOK.positions(2)[0].losses))
    loss = changed(lambda data: data["positions"]["2"][0]["losses"].update({first: [0.5, 0]}))
    for other in (loss, changed(lambda data: data["positions"]["3"].pop())):
        assert Book.from_json(other).digest != BOOK.digest


def test_a_number_of_players_without_positions_is_told() -> None:
    for call in (lambda: BOOK.positions(4), lambda: BOOK.losses(taking(0), 4)):
        with pytest.raises(BadBook, match=r"^no positions with 4 players; there are some with 2, 3$"):
            call()


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = copy.deepcopy(GOOD)
    change(data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(format="bohemian-positions/0"),
        lambda data: data.update(positions={}),
        lambda data: data["positions"].update({"6": data["positions"]["2"]}),
        lambda data: data["positions"]["2"][0].update(moves=[300]),
        lambda data: data["positions"]["2"][0].update(losses={"0": [2.0, 0.0]}),
        lambda data: data["positions"]["2"][0].update(losses={}),
    ],
)
def test_what_is_no_book_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(BadBook):
        Book.from_json(changed(change))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(seed=one["seed"] + 1),
        lambda one: one.update(moves=[*one["moves"], 240]),
        lambda one: one["losses"].pop(next(iter(one["losses"]))),
        lambda one: one["losses"].update({"999": [0.0, 0.0]}),
    ],
)
def test_positions_that_are_none_are_told(change: Callable[[dict[str, Any]], object]) -> None:
    book = Book.from_json(changed(lambda data: change(data["positions"]["2"][3])))
    with pytest.raises(BadBook):
        costs(book, taking(0))


@given(st.binary(max_size=60), st.integers(0, 3000))
def test_damaged_files_are_refused_or_read(tmp_path_factory: pytest.TempPathFactory, junk: bytes, at: int) -> None:
    path = tmp_path_factory.mktemp("damaged") / "book.json"
    content = json.dumps(GOOD).encode()
    path.write_bytes(content[:at] + junk + content[at + len(junk) :])
    try:
        Book.load(path)
    except BadBook as error:
        assert str(path) in str(error)  # noqa: PT017 - what is no error is right, too


def test_a_file_that_is_missing_or_too_large_is_told(tmp_path: Path) -> None:
    path = tmp_path / "nothing.json"
    with pytest.raises(BadBook, match=r"nothing\.json is missing: python -m agents\.positions makes"):
        Book.load(path)
    path.touch()
    os.truncate(path, 17 * 2**20)
    with pytest.raises(BadBook, match="larger than 16 MiB"):
        Book.load(path)


JUDGED = rollout.Judged((0,), np.zeros(1), np.zeros(1), 0)


def made(folder: Path, count: int, jobs: int = 1) -> int:
    """The exit status of the command that rolls out so many positions of each table into a book in a folder."""
    folder.mkdir(exist_ok=True)
    places = ["--work", str(folder / "work"), "--out", str(folder / "book.json")]
    return making.main(["--count", str(count), "--jobs", str(jobs), *places])


def positions_in(folder: Path) -> Any:
    """Those of the book in a folder."""
    return json.loads((folder / "book.json").read_text())["positions"]


@pytest.mark.slow
def test_an_interrupted_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout, "CERTAINTY", 1.0)
    monkeypatch.setattr(making, "_TOGETHER", 2)
    whole, stopped, grown = (tmp_path / name for name in ("whole", "stopped", "grown"))
    assert made(whole, 3, jobs=2) == 0
    numbers, asked = itertools.count(1), list[int]()

    def interrupted(states: np.ndarray, seed: int) -> Any:
        asked.append(seed)
        if next(numbers) == 6:  # in one of two threads, each of which gets a number of its own
            raise KeyboardInterrupt
        return judge(states, seed)

    monkeypatch.setattr(making, "judge", interrupted)
    assert made(stopped, 3, jobs=2) == 130
    assert not (stopped / "book.json").exists()
    assert made(stopped, 3, jobs=2) == 0
    assert len(asked) < 6 + 12  # some were kept
    assert positions_in(whole) == positions_in(stopped)
    assert made(grown, 2, jobs=2) == 0
    (grown / "work").rename(tmp_path / "gone")
    asked.clear()
    assert made(grown, 3, jobs=2) == 0
    assert len(asked) == 4  # one for each number of players
    assert positions_in(grown) == positions_in(whole)
    assert {players: len(rows) for players, rows in positions_in(whole).items()} == {"2": 3, "3": 3, "4": 3, "5": 3}


def test_positions_that_others_rolled_out_are_made_anew_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judged: list[int] = []

    def noted(states: np.ndarray, seed: int) -> rollout.Judged:
        judged.append(seed)
        return JUDGED

    monkeypatch.setattr(making, "judge", noted)
    for name in ("one", "one", "another"):
        monkeypatch.setattr(making, "ENVIRONMENT", name)
        assert made(tmp_path, 1) == 0
        told = capsys.readouterr().err.count("rolled out by other rules, another network or in another way")
        assert (len(judged), told) == {"one": (4, 0), "another": (8, 5)}[name]


def test_fewer_positions_than_there_are_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the work folder still has what was finished when there were fewer."""
    monkeypatch.setattr(making, "judge", lambda *_: JUDGED)
    for count, there in ((2, 2), (3, 3), (2, 3)):
        assert made(tmp_path, count) == 0
        assert {len(rows) for rows in positions_in(tmp_path).values()} == {there}


@pytest.mark.parametrize("wrong", ["--count 0: at least 1", "--jobs 0: at least 1", "--count 5001: at most 5,000"])
def test_a_book_has_positions_and_no_more_than_can_be_read(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        making.main(wrong.partition(":")[0].split())
    assert wrong in capsys.readouterr().err


def test_a_file_in_place_of_a_folder_is_told_before_anything_is_rolled_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    with ThreadPoolExecutor(1) as pool:  # also in another thread than the main one, where no signal can be handled
        for places in (["--work", str(file)], ["--out", str(file / "x.json")]):
            words = ["--count", "1", "--work", str(tmp_path / "work"), *places]
            assert pool.submit(making.main, words).result() == 2
            assert str(file) in capsys.readouterr().err


def test_a_file_that_is_no_book_is_neither_made_better_nor_lost(tmp_path: Path, ends: Ends) -> None:
    path = tmp_path / "book.json"
    path.write_text("mine")
    assert str(path) in ends(2, making.main, "--work", tmp_path, "--out", path).err
    assert path.read_text() == "mine"


def test_the_command_that_measures(book: Path, tmp_path: Path, ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    assert "| greedy |" in ends(0, evaluate.main, "greedy", "random", "--positions", book, "--json", out).out
    data = json.loads(out.read_text())
    assert set(data["losses"]) == {"greedy", "random"}
    assert data["failures"] == []
    assert data["losses"]["greedy"]["2"]["low"] <= data["losses"]["greedy"]["2"]["value"]
    for wrong in ([str(book)], [str(out), "greedy"], [str(book), "nobody"]):
        assert evaluate.main(["--positions", *wrong]) == 2
    csv = tmp_path / "x.csv"
    for name, *value in (["csv", str(csv)], ["players", "3"], ["until-sure"], ["luck"], ["coin-supply", "60"]):
        with pytest.raises(SystemExit, match="2"):
            evaluate.main(["greedy", "--positions", str(book), f"--{name}", *value])
        assert f"--{name}: with --positions there are --json, --markdown, --seed" in capsys.readouterr().err
    assert not csv.exists()
    book.write_text(json.dumps(GOOD | {"about": {"odd": math.nan}}))
    assert "NaN is not a number in JSON" in ends(2, evaluate.main, "greedy", "--positions", book).err


def test_a_program_that_does_not_start_is_told_before_anything_is_written(
    book: Path, tmp_path: Path, ends: Ends
) -> None:
    out = tmp_path / "out.json"
    program = shlex.join([sys.executable, "-c", "input(); print('what?')"])  # once it is greeted
    said = ends(2, evaluate.main, f"program:{program}", "--positions", book, "--json", out).err
    assert "it answered 'what?' to 'hello 1'" in said
    assert not out.exists()
