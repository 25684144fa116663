"""Training runs that were stopped or killed, and how they go on."""

import json
import re
import shlex
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from numpy.testing import assert_array_equal
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.common.files import BadAgent
from agents.network.files import load_net
from agents.players.policy import load_agent
from agents.training import checkpoint as checkpoint_module
from agents.training import panel as panel_module
from agents.training import run as run_module
from agents.training.checkpoint import Checkpoint
from agents.training.config import TrainConfig
from agents.training.folder import BadRun
from agents.training.league import League
from agents.training.run import Progress, TrainingRun
from bohemian_env import Board
from tests.helpers import BOARD, fails_at, run_python
from tests.test_agents.networks import weights
from tests.test_agents.test_training.runs import (
    SHOWN,
    UPDATE,
    Finished,
    Says,
    content,
    interrupted_run,
    options,
    samples_in,
    tiny,
)

pytestmark = pytest.mark.slow


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a sixteenth of a second whenever it is read."""
    ticks = count()
    monkeypatch.setattr(run_module, "time", SimpleNamespace(perf_counter=lambda: next(ticks) / 16))
    settings = tiny(learning_rate=0.01, entropy=0.2, seed=7)
    first = interrupted_run(tmp_path / "run", 4, settings)
    before = content(tmp_path / "run")
    run = TrainingRun(tmp_path / "run", None)
    assert run.config == settings
    assert run.model.num_timesteps == 4 * UPDATE == samples_in(tmp_path / "run")
    assert run.part() == 0.5
    spent = run.seconds
    assert 0 < spent <= first.seconds
    assert torch.equal(weights(run.net), weights(first.net))
    states = [model.policy.optimizer.state_dict()["state"] for model in (first.model, run.model)]
    assert len(states[0]) > 0
    for key, kept in states[0].items():
        assert all(torch.equal(torch.as_tensor(kept[name]), torch.as_tensor(states[1][key][name])) for name in kept)
    assert [slot.path and slot.path.stem for slot in run.league.slots] == [
        f"{2 * UPDATE:012d}", f"{4 * UPDATE:012d}", None, None,
    ]  # fmt: skip
    assert run.league.state() == first.league.state()
    assert run.league.shares() == first.league.shares()
    assert run.league.win_shares() != {}
    assert_array_equal(run.env.games._shares, first.env.games._shares)

    reports: list[Progress] = []
    seen: list[float] = []

    def report(progress: Progress) -> None:
        reports.append(progress)
        seen.append(run.model.ent_coef)

    run.train(report)
    assert run.league._current_win.games > first.league._current_win.games
    assert [progress.samples for progress in reports] == [k * UPDATE for k in range(5, 9)]
    assert seen == pytest.approx([0.2 * (1 - k / 8) for k in range(4, 8)])
    assert reports[0].seconds > spent
    slowest, quickest = (2 * UPDATE / (reports[k].seconds - spent) for k in (1, 0))
    assert slowest <= reports[1].rate <= quickest  # of this session
    assert samples_in(tmp_path / "run") == settings.steps
    after = content(tmp_path / "run")
    kept = {name for name in before if name.startswith("snapshots/") or name == "settings.json"}
    assert len(kept) == 5
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert {name for name in after if name.startswith("snapshots/")} == {
        f"snapshots/{k * UPDATE:012d}.{end}" for k in (2, 4, 6, 8) for end in ("json", "safetensors")
    }


def test_a_run_that_goes_on_plays_other_games_and_draws_other_moves_than_at_its_beginning(tmp_path: Path) -> None:
    """And the current policy and the snapshots do not repeat the draws with which they began."""
    first = interrupted_run(tmp_path / "run", 4, tiny())
    again, other = TrainingRun(tmp_path / "run", None), TrainingRun(tmp_path / "other", tiny())
    for run in (again, other):
        run.env.reset()
    assert not set(again.env.games.seeds.tolist()) & set(other.env.games.seeds.tolist())
    drawing = [opponent for opponent in again.league.opponents[:2] if hasattr(opponent, "reseed")]
    agents = [getattr(opponent, "_agent", getattr(opponent, "agent", None)) for opponent in drawing]
    assert len(agents) == 2
    seeds = {agent._generator.initial_seed() for agent in agents}
    begun = {other.league.opponents[0].agent._generator.initial_seed(), int(first.league.slots[0].path.stem)}  # type: ignore
    assert len(seeds) == 2
    assert not seeds & begun


@pytest.mark.parametrize("pressed", ["panel", "picture", "snapshot", "save", "first panel", "first snapshot"])
def test_what_an_interrupt_kept_from_being_done_is_done_when_the_run_goes_on(
    pressed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Panels and snapshots are those of a run that nobody stopped, each of them once."""
    first = pressed.startswith("first")
    settings = tiny(8, panel_games=4, panel_every=0.25)
    if first:
        settings = tiny(2, panel_games=4, imitate_samples=SHOWN, teacher="greedy", advice=False)
    run, number = TrainingRun(tmp_path / "run", settings), 1 if first else 4 if pressed == "picture" else 2
    kind = pressed.removeprefix("first ")
    places: dict[str, tuple[Any, str]] = {
        "panel": (run_module, "panel_shares"), "picture": (panel_module, "picture"),
        "snapshot": (League, "add"), "save": (TrainingRun, "save"),
    }  # fmt: skip
    owner, name = places[kind]
    monkeypatch.setattr(owner, name, fails_at(number, getattr(owner, name)))
    with pytest.raises(KeyboardInterrupt):
        run.train()
    (tmp_path / "run" / "panel.svg").unlink(missing_ok=True)  # that of the panel before
    again, whole = TrainingRun(tmp_path / "run", None), TrainingRun(tmp_path / "whole", settings)
    for each in (again, whole):
        each.train()
    assert [result["samples"] for result in again.panel] == [result["samples"] for result in whole.panel]
    assert {*content(tmp_path / "run")} & {*content(tmp_path / "whole")} >= {
        name for name in content(tmp_path / "whole") if name.startswith("snapshots/")
    }
    assert len((tmp_path / "run" / "panel.jsonl").read_text().splitlines()) == len(again.panel)
    assert "panel.svg" in content(tmp_path / "run")


def test_settings_that_said_never_are_still_read() -> None:
    """Parts of the training above 1, which earlier versions took."""
    saved = json.loads(tiny().to_json()) | {"snapshot_every": 2.0, "panel_every": 1.5}
    found = TrainConfig.from_json(json.dumps(saved))
    assert (found.snapshot_every, found.panel_every) == (1.0, 1.0)


def test_a_run_stopped_within_an_update_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = TrainingRun(tmp_path / "run", tiny(4))
    pressed = fails_at(12, type(run.env).step_wait)  # of the 8 that each rollout takes
    monkeypatch.setattr(type(run.env), "step_wait", pressed)
    with pytest.raises(KeyboardInterrupt):
        run.train()
    again = TrainingRun(tmp_path / "run", None)
    assert UPDATE < again.model.num_timesteps < 2 * UPDATE
    again.train()
    assert again.part() == 1.0
    assert load_agent(tmp_path / "run")


def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came after it is made again: snapshots and comparisons are there once, and nothing is counted twice."""
    out = tmp_path / "run"
    killed, kept = TrainingRun(out, tiny(8, panel_games=4, panel_every=0.25, checkpoint_seconds=1e6)), []

    def kill(progress: Progress) -> None:
        if progress.samples == 3 * UPDATE:
            killed.save()
            kept.append((killed.league.state(), killed.league.shares(), weights(killed.net)))
        if progress.samples == 5 * UPDATE:
            raise RuntimeError("killed")  # at which nothing is saved

    write, files = Checkpoint.write, list[bytes]()

    def write_thrice(checkpoint: Checkpoint, path: Path, board: Board) -> None:
        """What is saved later, with the comparison after update 4, is as if it had not been."""
        if len(files) < 3:  # at the beginning, with the first comparison, and above
            write(checkpoint, path, board)
            files.append(path.read_bytes())

    monkeypatch.setattr(Checkpoint, "write", write_thrice)
    with pytest.raises(RuntimeError, match="killed"):
        killed.train(kill)
    monkeypatch.undo()
    assert (out / "snapshots" / f"{4 * UPDATE:012d}.safetensors").exists()
    run = TrainingRun(out, None)
    assert run.model.num_timesteps == 3 * UPDATE
    state, shares, net = kept[0]
    assert (run.league.state(), run.league.shares()) == (state, shares)
    assert torch.equal(weights(run.net), net)
    assert [slot.path is not None for slot in run.league.slots] == [True, False, False, False]
    run.train()
    assert samples_in(out) <= 8 * UPDATE == run.model.num_timesteps
    wanted = [2 * k * UPDATE for k in (1, 2, 3, 4)]
    assert [int(path.stem) for path in sorted((out / "snapshots").glob("*.safetensors"))] == wanted
    lines = [json.loads(line) for line in (out / "panel.jsonl").read_text().splitlines()]
    assert [line["samples"] for line in lines] == wanted
    seconds = [line["seconds"] for line in lines]
    assert seconds == sorted(seconds)


@pytest.mark.parametrize("phase", ["play", "imitation"])
def test_curves_of_a_killed_run_do_not_go_back(phase: str, tmp_path: Path) -> None:
    """What came after the last checkpoint is shown once, as it was made again; what came before it stays."""
    out, killed_at = tmp_path / "run", 4 if phase == "play" else 2
    part = {"imitate_samples": 3 * SHOWN} if phase == "imitation" else {}
    killed, seen = TrainingRun(out, tiny(6, checkpoint_seconds=1e6, **part)), list[Progress]()

    def kill(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == killed_at // 2:
            killed.save()
        if len(seen) == killed_at:
            raise RuntimeError("killed")  # at which nothing is saved

    with pytest.raises(RuntimeError, match="killed"):
        killed.train(kill)
    TrainingRun(out, None).train()
    wanted = {".": ("train/value_loss", [k * UPDATE for k in range(1, 7)])}
    if phase == "imitation":
        wanted["imitation"] = ("imitation/loss", [k * SHOWN for k in range(1, 4)])
    for folder, (tag, steps) in wanted.items():
        curves = EventAccumulator(str(out / "tensorboard" / folder)).Reload()
        assert [event.step for event in curves.Scalars(tag)] == steps


@pytest.mark.parametrize("became", ["elsewhere", "gone", "changed"])
def test_a_run_on_a_board_of_ones_own_goes_on_with_its_copy(
    became: str, main: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From any folder, and whatever became of the file."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    file, out = Path("mine.toml"), tmp_path / "run"
    file.write_text(BOARD.read_text(encoding="utf-8").replace("town_hall = 10", "town_hall = 11"), encoding="utf-8")
    board = Board.load(file)
    interrupted_run(out, 1, tiny(2, board="mine.toml"))
    match became:
        case "elsewhere":
            monkeypatch.chdir(tmp_path)
        case "gone":
            file.unlink()
        case _:
            file.write_bytes(BOARD.read_bytes())
    run = TrainingRun(out, None)
    assert run.board == board != Board.standard()
    run.close()
    assert main("--resume", "--out", out) == 0
    assert load_net(out, board)
    with pytest.raises(BadAgent, match="another board"):
        load_net(out)


@pytest.mark.parametrize("kept", [True, False])
def test_a_run_whose_board_was_edited_is_refused(kept: bool, tmp_path: Path) -> None:
    """Its copy, or, of a run of an earlier version, which made no copy, the file itself."""
    file, out = tmp_path / "mine.toml", tmp_path / "run"
    edited = BOARD.read_text(encoding="utf-8").replace("town_hall = 10", "town_hall = 11")
    file.write_bytes(BOARD.read_bytes())
    interrupted_run(out, 1, tiny(2, board=str(file)))
    if not kept:
        (out / "board.toml").unlink()
        TrainingRun(out, None).close()  # makes it good
        assert (out / "board.toml").read_bytes() == BOARD.read_bytes()
        (out / "board.toml").unlink()
    (out / "board.toml" if kept else file).write_text(edited, encoding="utf-8")
    with pytest.raises(BadRun, match="board"):
        TrainingRun(out, None)


def test_settings_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    """As some editors write it."""
    interrupted_run(tmp_path, 1, tiny(2))
    path = tmp_path / "settings.json"
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert TrainingRun(tmp_path, None).config == tiny(2)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--seed", "3", "--players", "3", "--no-bfloat16"), "leave out bfloat16, players, seed, or begin a run"),
        (("--preset", "quick"), "leave out --preset and --from"),
        (("--from", "greedy"), "leave out --preset and --from"),
    ],
)
def test_resume_takes_neither_settings_nor_preset_nor_agent(
    more: tuple[str, ...], said: str, says: Says, finished: Finished
) -> None:
    before = content(finished.folder)
    assert said in says(2, "--resume", "--out", finished.folder, *more)
    assert content(finished.folder) == before


@pytest.mark.parametrize("missing", ["everything", "the folder", "settings.json", "checkpoint.safetensors"])
def test_resume_refuses_a_folder_without_a_run(missing: str, says: Says, tmp_path: Path, finished: Finished) -> None:
    out = tmp_path / "run"
    if missing != "the folder":
        out.mkdir()
        for name in {"settings.json", "checkpoint.safetensors"} - {missing} if missing != "everything" else ():
            (out / name).write_bytes((finished.folder / name).read_bytes())
    before = content(tmp_path)
    assert says(2, "--resume", "--out", out) == (
        f"train.py: {out} holds no run to go on with: settings.json or checkpoint.safetensors is missing\n"
    )
    assert (content(tmp_path), out.exists()) == (before, missing != "the folder")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("settings.json", "{}", "settings of another version of the project"),
        ("settings.json", "nonsense", "settings.json"),
        ("settings.json", tiny().to_json().replace('"players": 2', '"players": "two"'), "settings.json"),
        ("checkpoint.safetensors", "nonsense", "checkpoint.safetensors: cannot be read"),
        ("settings.json", tiny(pool=3).to_json(), "its pool is 4, not 3 as in the settings"),
        ("settings.json", tiny(head="8,8").to_json(), "its network is not the one in the settings"),
    ],
)
def test_resume_refuses_a_run_that_is_broken(name: str, text: str, said: str, says: Says, tmp_path: Path) -> None:
    interrupted_run(tmp_path / "run", 1, tiny())
    (tmp_path / "run" / name).write_text(text)
    assert said in says(2, "--resume", "--out", tmp_path / "run")


@pytest.mark.parametrize("changed", ["the file", "what is seen", "the format"])
def test_a_checkpoint_of_another_version_is_refused_and_its_agent_is_not(
    changed: str, says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was a zip file of code, of another format, or whose games showed something else."""
    out = tmp_path / "a run"
    file = out / "checkpoint.safetensors"
    with monkeypatch.context() as patch:
        if changed == "the format":
            patch.setattr(checkpoint_module, "_FORMAT", "bohemian-checkpoint/0")
        interrupted_run(out, 1, tiny(advice=changed != "what is seen"))
    said = "format is 'bohemian-checkpoint/0', not 'bohemian-checkpoint/1'"
    if changed == "the file":
        file = file.rename(out / "checkpoint.zip")
        said = "checkpoints held code then"
    elif changed == "what is seen":
        (out / "settings.json").write_text(tiny(advice=True).to_json())
        said = "its network is not the one in the settings"
    before = content(out)
    told = says(2, "--resume", "--out", out)
    assert told.startswith(f"train.py: {file}: cannot be read, or is of another version of the project")
    assert said in told
    assert told.endswith(f"its agent may still begin a new run: --from {shlex.quote(str(out))}\n")
    assert content(out) == before
    new = tiny(1, advice=changed != "what is seen")
    says(0, "--out", tmp_path / "new", *options(new), "--from", out)


def stopped(arguments: list[str], number: signal.Signals) -> str:
    """What a training process says that sends itself a signal after three updates; it must exit as interrupted."""
    faulty = Path(__file__).with_name("faulty.py")
    done = run_python(faulty, "--threads", "1", *arguments, FAULT=f"0 3 {number.name} rank")
    assert done.returncode == 130, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    """And so does SIGTERM; what is said can be typed."""
    out = tmp_path / "run"
    settings = tiny(100, checkpoint_seconds=1e6, snapshot_every=1.0)
    said = stopped(["--out", str(out), *options(settings)], signal.SIGINT)
    assert samples_in(out) == 3 * UPDATE
    match = re.search(r"^Interrupted; saved\. Go on with: python train\.py (--resume --out .*)$", said, re.M)
    assert match
    stopped(shlex.split(match.group(1)), signal.SIGTERM)
    assert samples_in(out) == 6 * UPDATE
    assert not [path for path in out.rglob("*") if "tmp" in path.name]
    assert TrainConfig.from_json((out / "settings.json").read_text()) == settings
    assert load_agent(out)
    assert TrainingRun(out, None).model.num_timesteps == samples_in(out)


def test_an_interrupted_imitation_goes_on_where_it_was(tmp_path: Path) -> None:
    """With the rest of its decisions, which are new ones, the state of the optimiser, and its falling rate."""
    settings = tiny(1, imitate_samples=4 * SHOWN)
    first = interrupted_run(tmp_path / "run", 3, settings)
    assert len(first.model.policy.optimizer.state) > 0
    assert list((tmp_path / "run").glob("snapshots/*")) == []
    run, rates, seen = TrainingRun(tmp_path / "run", None), list[float](), list[Progress]()
    assert torch.equal(weights(run.net), weights(first.net))
    assert len(run.model.policy.optimizer.state) == len(first.model.policy.optimizer.state)

    def report(progress: Progress) -> None:
        seen.append(progress)
        rates.append(run.model.policy.optimizer.param_groups[0]["lr"])

    run.train(report)
    assert [bool(progress.note) for progress in seen] == [True, False]
    assert rates[0] == pytest.approx(settings.imitate_rate / 4)
    assert list((tmp_path / "run").glob("snapshots/*0.safetensors"))


def test_a_snapshot_that_was_interrupted_does_not_keep_a_run_from_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By Ctrl-C when one of its two files is there."""
    interrupted_run(tmp_path / "run", 1, tiny())
    run, replace, left = TrainingRun(tmp_path / "run", None), Path.replace, [1]

    def rename(self: Path, target: Path) -> Path:
        left[0] -= "snapshots" in str(target)
        if left[0] < 0:
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", rename)
    with pytest.raises(KeyboardInterrupt):
        run.league.add(run.net, 1)
    monkeypatch.undo()
    run.close()
    assert len(list((tmp_path / "run" / "snapshots").iterdir())) == 1
    TrainingRun(tmp_path / "run", None).train()
