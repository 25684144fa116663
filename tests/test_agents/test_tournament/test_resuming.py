"""Several processes, interrupts and damaged files: the same games come out, none lost and none twice."""

import contextlib
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evaluate
from agents.tournament import BadTournament, Comparison, Entrant, LineUp, compare, enter
from agents.tournament.kept import ROOMS, Kept, fingerprint
from agents.tournament.play import make_again, play_chunk
from agents.tournament.schedule import Chunk, chunks
from agents.tournament.workers import _answer
from bohemian_env import Board, IllegalMove, Setup
from tests.helpers import run_python
from tests.waiting import until

pytestmark = pytest.mark.slow
ROOT = Path(evaluate.__file__).resolve().parent
SETUP = Setup.of(players=3, max_turns=60)


def tournament(**options: Any) -> tuple[Comparison, list[dict[str, Any]]]:
    """A tournament of two tables, 162 games each in chunks of 21, and its records."""
    records: list[dict[str, Any]] = []
    entrants = enter(["greedy", "random"], seed=3)
    schedule = [(LineUp((0, 1, 1)), 160), (LineUp((1, 0, 0)), 160)]
    usual: dict[str, Any] = dict(schedule=schedule, seed=7, games_at_once=21, record=records.append)
    return compare(entrants, SETUP, **usual | options), records


def assert_same(one: tuple[Comparison, list], other: tuple[Comparison, list]) -> None:
    """The same but for times."""
    (first, first_records), (second, second_records) = one, other
    assert first_records == second_records
    assert [table.results for table in first.tables] == [table.results for table in second.tables]
    assert (first.turns, first.ends, first.ratings) == (second.turns, second.ends, second.ratings)
    for name in ("totals", "decisions"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


@pytest.fixture(scope="module")
def reference() -> tuple[Comparison, list]:
    """Played in one go, in this process."""
    return tournament()


class Stopped(Exception):
    """What a callback of these tests raises in the middle."""


def stop_after(games: int) -> Callable[[int], None]:
    """A progress that raises once so many games have ended."""
    ended = 0

    def progress(more: int) -> None:
        nonlocal ended
        ended += more
        if ended >= games:
            raise Stopped

    return progress


def test_processes_play_the_games_that_one_plays(reference: tuple[Comparison, list]) -> None:
    told, begun = list[int](), list[tuple[int, int]]()
    found = tournament(jobs=2, progress=told.append, begin=lambda *numbers: begun.append(numbers))
    assert_same(found, reference)
    assert sum(told) == found[0].games == 324
    assert begun == [(324, 0)]
    assert (found[0].seconds > 0).all()
    assert multiprocessing.active_children() == []


def test_an_error_in_a_process_comes_back_and_no_process_stays() -> None:
    entrants = [*enter(["greedy"], seed=0), Entrant("nobody", "nobody", 0, enter(["random"], seed=0)[0].agent)]
    with pytest.raises(BadTournament, match="unknown agent 'nobody'"):
        compare(entrants, games=80, games_at_once=8, jobs=2)
    assert multiprocessing.active_children() == []


def test_an_error_stays_what_it_is_on_its_way() -> None:
    """And a process that has ended is told of, also where it died in the middle of an answer."""
    here, there = multiprocessing.Pipe()
    error = IllegalMove("end", "R7: not yet")
    error.add_note("where it was")
    there.send((0, error))
    with pytest.raises(IllegalMove, match="R7: not yet") as raised:
        _answer(here, str)
    assert (raised.value.move, raised.value.__notes__) == ("end", ["where it was"])
    for begun in (b"", struct.pack("!i", 1000) + b"half of it"):
        here, there = multiprocessing.Pipe()
        os.write(there.fileno(), begun)
        there.close()
        with pytest.raises(BadTournament, match="it has ended"):
            _answer(here, lambda: "it has ended")
        here.close()


@pytest.mark.parametrize("from_file", [pytest.param(False, id="stdin"), pytest.param(True, id="no guard")])
def test_processes_that_cannot_import_the_script_are_told_so(tmp_path: Path, from_file: bool) -> None:
    script = tmp_path / "script.py"
    text = "from agents.tournament import compare, enter\n"
    text += "compare(enter(['greedy', 'random'], seed=0), games=80, games_at_once=8, jobs=2)\n"
    script.write_text(text, encoding="utf-8")
    found = run_python(script if from_file else "-", folder=tmp_path, given=text)
    last = found.stderr.rstrip().splitlines()[-1]
    assert found.returncode == 1
    assert "BadTournament: a process ended before it could play" in last
    assert "jobs=1" in last


def test_a_folder_that_keeps_nothing_is_refused_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadTournament, match=r"cannot keep games in .*file"):
        tournament(work=tmp_path / "file", progress=lambda games: pytest.fail("a game was played"))


def test_a_process_that_is_killed_is_told_in_a_sentence(tmp_path: Path) -> None:
    def kill(games: int) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    with pytest.raises(BadTournament, match="was killed"):
        tournament(jobs=2, progress=kill, work=tmp_path)
    assert len(list(tmp_path.rglob("*.npz"))) > 0


def test_weights_that_change_meanwhile_are_refused(tmp_path: Path) -> None:
    from agents.network.files import save_net
    from agents.network.net import PolicyNet, Shape

    for width in (8, 9):
        save_net(PolicyNet(Shape((width,), (8,), (8,))), tmp_path / "agent.safetensors", Board.standard(), {})
        if width == 8:
            (entrant,) = enter([str(tmp_path)], seed=0)
            again = make_again(entrant.name, entrant.argument, entrant.seed, entrant.weights, Board.standard())
            assert (again.weights, len(entrant.weights or "")) == (entrant.weights, 64)
    with pytest.raises(BadTournament, match="its files are others"):
        make_again(entrant.name, entrant.argument, entrant.seed, entrant.weights, Board.standard())


def test_few_games_need_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.tournament.workers._in_processes", None)  # nobody may ask for it
    assert compare(enter(["greedy", "random"], seed=0), games=400, jobs=8).games == 400
    with pytest.raises(BadTournament, match="0 jobs"):
        compare(enter(["greedy", "random"], seed=0), games=4, jobs=0)


def test_an_agent_says_how_many_games_it_likes_at_once() -> None:
    sizes: list[int] = []

    class Slow:
        name = "slow"
        games_at_once = 5

        def act_batch(self, batch: Any, games: Any = None) -> np.ndarray:
            sizes.append(batch.n)
            return batch.masks[games].argmax(axis=1).astype(np.int64)

    slow: Any = Slow()
    entrants = [Entrant("slow", "slow", 0, slow), *enter(["greedy"], seed=0)]
    assert compare(entrants, games=21).games == 22
    assert set(sizes) == {2, 4}  # two whole blocks; the last chunk, and the one that is not timed, have two games
    sizes.clear()
    Slow.games_at_once = 1
    compare(entrants, games=4)
    assert set(sizes) == {2}  # a block at least


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_tournament_goes_on_where_it_was(
    reference: tuple[Comparison, list], tmp_path: Path, jobs: int
) -> None:
    with pytest.raises(Stopped):
        tournament(jobs=jobs, work=tmp_path, progress=stop_after(150))
    assert multiprocessing.active_children() == []
    files = list(tmp_path.rglob("*.npz"))
    assert 5 <= len(files) <= 8
    begun, told = list[tuple[int, int]](), list[int]()
    options: dict[str, Any] = dict(work=tmp_path, progress=told.append, begin=lambda *two: begun.append(two))
    found = tournament(jobs=3 - jobs, **options)
    assert_same(found, reference)
    ((games, kept),) = begun
    assert games == 324
    assert 5 * 21 <= kept <= 8 * 21
    assert sum(told) == games - kept
    told.clear()
    again = tournament(jobs=jobs, **options)  # all is there, and nothing is played
    assert_same(again, found)
    assert (begun[-1], sum(told)) == ((324, 324), 0)
    assert np.array_equal(again[0].seconds, found[0].seconds)
    again[0].kept.remove()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_kept_unless_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tournament()[0].kept is None
    assert list(tmp_path.iterdir()) == []


def test_fresh_plays_all_again(tmp_path: Path) -> None:
    tournament(work=tmp_path)
    begun: list[tuple[int, int]] = []
    tournament(work=tmp_path, fresh=True, begin=lambda *numbers: begun.append(numbers))
    assert begun == [(324, 0)]


def test_damaged_and_foreign_files_are_played_again(reference: tuple[Comparison, list], tmp_path: Path) -> None:
    tournament(work=tmp_path)
    (folder,) = tmp_path.iterdir()
    content = [(folder / f"{number}.npz").read_bytes() for number in range(16)]
    (folder / "0.npz").write_bytes(b"")
    (folder / "1.npz").write_bytes(content[1][: len(content[1]) // 2])
    middle = len(content[2]) // 2
    (folder / "2.npz").write_bytes(content[2][:middle] + bytes([content[2][middle] ^ 1]) + content[2][middle + 1 :])
    (folder / "3.npz").write_bytes(content[4])  # whole, and another chunk's
    (folder / "4.npz").write_text("{}")
    with zipfile.ZipFile(folder / "5.npz") as whole, zipfile.ZipFile(folder / "5.tmp", "w") as other:
        for name in whole.namelist():
            other.writestr(name, b"no array" if name == "ends.npy" else whole.read(name))  # which NumPy reads as bytes
    (folder / "5.tmp").replace(folder / "5.npz")
    (folder / "6.npz").unlink()
    (folder / "6.npz").mkdir()  # cannot be read, nor replaced
    begun: list[tuple[int, int]] = []
    with pytest.raises(OSError, match=r"6\.npz"):
        tournament(work=tmp_path)
    (folder / "6.npz").rmdir()
    found = tournament(work=tmp_path, begin=lambda *numbers: begun.append(numbers))
    assert_same(found, reference)
    assert begun == [(324, 324 - 21)]


@pytest.fixture
def chunk() -> Chunk:
    return chunks(LineUp((0, 1, 1)), 2, 0, 100)[0]


def test_a_chunk_that_does_not_fit_is_not_read(tmp_path: Path, chunk: Chunk) -> None:
    played = play_chunk(chunk, enter(["greedy", "random"], seed=0), SETUP)
    kept = Kept(tmp_path, "name")
    kept.save(0, played)
    assert kept.load(0, chunk, 2, records=False) is not None
    assert kept.load(0, chunk, 3, records=False) is None
    assert kept.load(0, replace(chunk, blocks=3), 2, records=False) is None
    assert kept.load(0, chunk, 2, records=True) is None
    assert kept.load(1, chunk, 2, records=False) is None
    (tmp_path / "name").rename(tmp_path / "other")
    assert Kept(tmp_path, "other").load(0, chunk, 2, records=False) is None
    for wrong in (
        replace(played, totals=played.totals.astype(np.int64)),
        replace(played, seconds=played.seconds[:1]),
        replace(played, ends=np.full_like(played.ends, 4)),
        replace(played, ends=np.zeros_like(played.ends)),
        replace(played, seating=1 - played.seating),
        replace(played, turns=-played.turns),
        replace(played, luck=np.full_like(played.luck, np.nan)),
        replace(played, seconds=np.full_like(played.seconds, np.nan)),
        replace(played, decisions=-played.decisions),
        replace(played, failed=np.ones_like(played.failed)),
        replace(played, reasons=("why",)),
    ):
        kept.save(0, wrong)
        assert kept.load(0, chunk, 2, records=False) is None
    told = play_chunk(chunk, enter(["greedy", "random"], seed=0), SETUP, records=True)
    kept.save(0, replace(told, records=("x",) * 6))  # type: ignore[arg-type]
    assert kept.load(0, chunk, 2, records=True) is None


def test_a_chunk_that_would_fill_memory_is_not_read(tmp_path: Path, chunk: Chunk) -> None:
    kept = Kept(tmp_path, "name")
    kept.prepare()
    with zipfile.ZipFile(kept.folder / "0.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bytes(64 << 20))
    tracemalloc.start()
    try:
        assert kept.load(0, chunk, 2, records=False) is None
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_one_process_at_a_time_keeps_the_games_of_a_tournament(tmp_path: Path, chunk: Chunk) -> None:
    played = play_chunk(chunk, enter(["greedy", "random"], seed=0), SETUP)
    one, other = Kept(tmp_path, "name"), Kept(tmp_path, "name")
    one.prepare()
    one.save(0, played)
    with pytest.raises(BadTournament, match="another process plays these games and keeps them there"):
        other.prepare(fresh=True)
    other.remove()
    assert one.load(0, chunk, 2, records=False) is not None
    one.release()
    other.prepare(fresh=True)
    assert one.load(0, chunk, 2, records=False) is None


def test_removing_leaves_what_others_made(tmp_path: Path, chunk: Chunk) -> None:
    played = play_chunk(chunk, enter(["greedy", "random"], seed=0), SETUP)
    one, other = Kept(tmp_path / "a" / "b", "one"), Kept(tmp_path / "a" / "b", "other")
    one.save(0, played)
    other.save(0, played)
    one.remove()
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["other"]
    other.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_belongs_to_one_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever changes the games changes the name of the folder."""
    entrants = enter(["greedy", "random"], seed=0)
    plan = chunks(LineUp((0, 1)), 20, 0, 8)
    village = ("Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad")
    board = Board.of_villages([{"name": "Grundow", "buildings": ["farm"]}], 4, coin_supply=300, special_action_tiles=7)
    setups: list[dict[str, Any]] = [dict(players=3), dict(villages=village), dict(board=board)]
    setups += [dict(coin_supply=100), dict(max_turns=9)]
    cases: list[tuple[Any, Any, Any, bool]] = [
        (plan, entrants, Setup.of(), False),
        (plan, entrants, Setup.of(), True),
        (plan[:-1], entrants, Setup.of(), False),
        (chunks(LineUp((0, 1)), 20, 0, 8, luck=True), entrants, Setup.of(), False),
        (chunks(LineUp((1, 0)), 20, 0, 8), entrants, Setup.of(), False),
        (chunks(LineUp((0, 1)), 20, 1, 8), entrants, Setup.of(), False),
        (chunks(LineUp((0, 1)), 20, 0, 10), entrants, Setup.of(), False),
        (plan, enter(["greedy", "random"], seed=1), Setup.of(), False),
        (plan, enter(["random", "greedy"], seed=0), Setup.of(), False),
        (plan, [replace(entrants[0], weights="0"), entrants[1]], Setup.of(), False),
        (plan, [replace(entrants[0], name="x"), entrants[1]], Setup.of(), False),
        *((plan, entrants, Setup.of(**changed), False) for changed in setups),
    ]
    names = [fingerprint(*case) for case in cases]
    for changed in ("agents.common.versions.source_hash", "agents.tournament.kept.rooms_hash"):
        monkeypatch.setattr(changed, lambda *_: "others")
        names.append(fingerprint(*cases[0]))
        monkeypatch.undo()
    assert len(set(names)) == len(names)
    assert fingerprint(*cases[0]) == names[0]


def test_agents_hash_covers_every_room_that_games_depend_on() -> None:
    rooms = {path.parent.name for path in (ROOT / "agents").glob("*/*.py")}
    assert set(ROOMS) == {".", *rooms} - {"positions", "pretrained", "training"}


HELD = """
import signal, sys, time
import evaluate
from agents.tournament.kept import Kept
save = Kept.save
def hold(*given):
    save(*given)
    time.sleep(600)
Kept.save = hold
signal.signal(signal.SIGTERM, signal.default_int_handler)
sys.exit(evaluate.main())
"""
"""evaluate.py that waits to be interrupted as soon as it has kept the first games."""


def alive(group: int) -> list[str]:
    """Processes of a group that still run; those that only wait for somebody to note their end do not."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = path.read_text().rpartition(")")
            state, _, of_group = rest.split()[:3]
            if int(of_group) == group and state != "Z":
                found.append(name)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux shows them")
@pytest.mark.parametrize(
    ("jobs", "stop", "everybody"), [(1, signal.SIGTERM, False), (2, signal.SIGTERM, False), (2, signal.SIGINT, True)]
)
def test_an_interrupted_command_leaves_its_games_and_no_process(
    jobs: int, stop: signal.Signals, everybody: bool, tmp_path: Path
) -> None:
    """A terminal sends Ctrl-C to all its processes."""
    words = f"greedy greedy --games 8192 --seed 5 --json all.json --markdown all.md --jobs {jobs}".split()
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", HELD, *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until(lambda: [*tmp_path.rglob("*.npz")], "finished games")
    assert len(alive(process.pid)) > jobs - 1
    os.killpg(process.pid, stop) if everybody else process.send_signal(stop)
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, ""), errors
    assert errors.startswith("evaluate.py: interrupted; outputs are whole or as they were; finished games are kept")
    assert errors.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert list(tmp_path.rglob("*.npz"))
    until(lambda: not alive(process.pid), "end of all processes")
