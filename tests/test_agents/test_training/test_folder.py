"""The folder of a run under faults: two processes, kills, signals, full disks, damaged and hostile files."""

import errno
import os
import pickle
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch
from safetensors import SafetensorError
from tensorboard.summary.writer.record_writer import RecordWriter

from agents.common.files import is_temporary, write_atomically
from agents.training import run as run_module
from agents.training import show
from agents.training.checkpoint import Checkpoint
from agents.training.folder import BadRun, RunFolder
from agents.training.run import TrainingRun
from bohemian_env import Board
from tests.helpers import ROOT
from tests.test_agents.networks import weights
from tests.test_agents.test_training.runs import (
    UPDATE,
    Finished,
    Says,
    content,
    interrupted_run,
    options,
    samples_in,
    tiny,
)

HOLD = (
    "from agents.training.folder import RunFolder; own = RunFolder(Path(sys.argv[1]));"
    "own.claim(); print(flush=True); input()"
)
BEGIN = (
    "import agents.common.files, agents.training.run as run; from tests.test_agents.test_training.runs import tiny;"
    "run.TrainingRun(Path(sys.argv[1]), tiny());"
    "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL);"
    "agents.common.files.write_atomically(Path(sys.argv[1]) / run.CHECKPOINT, b'half')"
)


def python(code: str, out: Path) -> list[str]:
    """A command that runs code about a folder."""
    return [sys.executable, "-c", f"import os, signal, sys; from pathlib import Path; {code}", str(out)]


@pytest.mark.slow
@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_is_one_process_s_at_a_time(resume: bool, says: Says, tmp_path: Path) -> None:
    """The second is told who has it; when that process is killed, the folder is free."""
    out = tmp_path / "run"
    if resume:
        interrupted_run(out, 1, tiny(2))
    told = ["--resume"] if resume else options(tiny(2))
    holder = subprocess.Popen(python(HOLD, out), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline()
        before = content(out)
        said = says(2, "--out", out, *told)
        assert re.fullmatch(
            rf"train\.py: {re.escape(str(out))} is in use by process {holder.pid} on {re.escape(platform.node())} "
            r"since [-\d]+ [:\d]+[+-][:\d]+; wait for its end, or give another --out\n",
            said,
        )
        assert content(out) == before
    finally:
        holder.kill()
        holder.communicate()
    says(0, "--out", out, *told)
    assert samples_in(out) == 2 * UPDATE


def test_a_run_that_ended_lets_others_have_its_folder(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path, tiny(1))
    with pytest.raises(BadRun, match=f"in use by process {os.getpid()} "):
        RunFolder(tmp_path).claim()
    run.train()
    assert (tmp_path / ".lock").read_bytes() == b""
    assert not (tmp_path / ".holder").exists()
    again = TrainingRun(tmp_path, None)
    with pytest.raises(BadRun, match="in use"):
        run.train()
    again.close()
    run.train()


def test_of_two_runs_begun_at_once_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other begins, and ends, between the first look at the folder and the last."""
    learner, before = TrainingRun._learner, dict[str, bytes]()

    def late(run: TrainingRun, *arguments: Any) -> Any:
        monkeypatch.undo()
        TrainingRun(tmp_path / "run", tiny(1)).train()
        before.update(content(tmp_path))
        return learner(run, *arguments)

    monkeypatch.setattr(TrainingRun, "_learner", late)
    with pytest.raises(BadRun, match="already holds something"):
        TrainingRun(tmp_path / "run", tiny(2))
    assert content(tmp_path) == before
    RunFolder(tmp_path / "run").claim()


@pytest.mark.slow
def test_a_run_killed_before_its_first_checkpoint_can_begin_again(main: Callable[..., int], tmp_path: Path) -> None:
    out = tmp_path / "run"
    killed = subprocess.run(python(BEGIN, out), cwd=ROOT, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    names = {path.name for path in out.iterdir() if not is_temporary(path)}
    assert names == {"settings.json", "tensorboard", ".lock", ".holder"}
    assert len(list(out.iterdir())) == 5
    assert main("--out", out, *options(tiny(1, seed=3))) == 0
    assert TrainingRun(out, None).config == tiny(1, seed=3)
    assert not any(map(is_temporary, out.iterdir()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_ctrl_c_waits_until_the_run_is_saved(
    number: signal.Signals, says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pressed = tmp_path / "a run", list[bool]()

    def press(path: Path, content: bytes) -> None:
        signal.raise_signal(number)
        pressed.append(True)
        write_atomically(path, content)

    def report(bar: show.ProgressBar, progress: Any) -> None:
        if progress.samples == 3 * UPDATE:
            monkeypatch.setattr("agents.training.checkpoint.write_atomically", press)
            raise KeyboardInterrupt

    monkeypatch.setattr(show.ProgressBar, "report", report)
    said = says(130, "--out", out, *options(tiny()))
    assert pressed == [True]
    assert said == f"Interrupted; saved. Go on with: python train.py --resume --out '{out}'\n"
    assert TrainingRun(out, None).model.num_timesteps == 3 * UPDATE == samples_in(out)


@pytest.mark.parametrize("at", ["the first", "the last"])
def test_a_full_disk_is_told_in_a_sentence_that_is_true(
    at: str, says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, write, left = tmp_path / "run", Checkpoint.write, [0 if at == "the first" else 1]

    def fill(checkpoint: Checkpoint, path: Path, board: Board) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(checkpoint, path, board)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "write", fill)
        said = says(1, "--out", out, *options(tiny(2)))
    then = (
        "nothing was saved. The same command begins again."
        if at == "the first"
        else f"the last checkpoint stays. Go on with: python train.py --resume --out {out}"
    )
    assert said.endswith(f"train.py: {out / 'checkpoint.safetensors'}: No space left on device; {then}\n")
    told = options(tiny(2)) if at == "the first" else ["--resume"]
    says(0, "--out", out, *told)
    assert samples_in(out) == 2 * UPDATE


@pytest.mark.parametrize(("written", "status"), [(0, 2), (4, 1)])
def test_curves_that_cannot_be_written_are_told_once(
    written: int, status: int, says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TensorBoard writes them in a thread, and names its file in bytes."""

    flush, left = RecordWriter.flush, [written]

    def fill(writer: RecordWriter) -> None:
        if str(tmp_path) not in str(writer._writer.filename):  # of a run before this one, in a thread that went on
            return flush(writer)
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), b"/disk/curves")
        flush(writer)

    monkeypatch.setattr(RecordWriter, "flush", fill)
    said = says(status, "--out", tmp_path / "run", *options(tiny(8)))
    stays = "; the last checkpoint stays." if written else "\n"
    assert f"train.py: /disk/curves: No space left on device{stays}" in said


def test_an_interrupt_while_it_starts_is_told_in_a_sentence(
    says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "TrainingRun", Mock(side_effect=KeyboardInterrupt))
    said = says(130, "--out", tmp_path, *options(tiny()))
    assert said == "Interrupted before the training began. The same command begins again.\n"


def test_a_run_goes_on_without_unpickling_anything(
    finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((pickle, "load"), (pickle, "loads"), (pickle, "Unpickler"), (torch, "load")):
        monkeypatch.setattr(module, name, Mock(side_effect=AssertionError("something was unpickled")))
    copied = Path(shutil.copytree(finished.folder, tmp_path / "copied"))
    run = TrainingRun(copied, None)
    run.close()
    assert torch.equal(weights(run.net), weights(finished.run.net))


def test_every_damage_to_a_checkpoint_is_noticed(finished: Finished, tmp_path: Path) -> None:
    whole, rng = (finished.folder / "checkpoint.safetensors").read_bytes(), random.Random(1)
    path, board = tmp_path / "checkpoint.safetensors", Board.standard()
    path.write_bytes(whole)
    Checkpoint.read(path, board)
    for case in range(300):
        at = rng.randrange(len(whole) if case % 2 else 4000)  # half of them in the header
        flipped = whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]
        path.write_bytes(whole[:at] if case % 5 == 0 else flipped)
        with pytest.raises((SafetensorError, ValueError)):
            Checkpoint.read(path, board)


def spoilt(change: Callable[[dict[str, Any], dict[str, torch.Tensor]], Any], folder: Path) -> None:
    """Write the checkpoint in a folder again, whole but changed."""
    checkpoint = Checkpoint.read(folder / "checkpoint.safetensors", Board.standard())
    change(checkpoint.state, checkpoint.tensors)
    checkpoint.write(folder / "checkpoint.safetensors", Board.standard())


@pytest.mark.parametrize(
    "change",
    [
        lambda state, tensors: state.update(samples=2**64),
        lambda state, tensors: state.update(seconds=-1.0),
        lambda state, tensors: state.update(panel=[1]),
        lambda state, tensors: state.update(value_widths=[4096] * 30),
        lambda state, tensors: state["league"].update(current=[1, 2, 3]),
        lambda state, tensors: state["league"]["pool"][0].__setitem__(0, "../../nothing.safetensors"),
        lambda state, tensors: tensors.pop("exp_avg.trust"),
        lambda state, tensors: tensors.update({"exp_avg.trust": torch.zeros(3)}),
        lambda state, tensors: tensors.update({"net.trust": tensors["net.trust"].to(torch.int32)}),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused_in_a_sentence(
    change: Callable[[dict[str, Any], dict[str, torch.Tensor]], Any],
    says: Says,
    tmp_path: Path,
    finished: Finished,
) -> None:
    for name, held in content(finished.folder).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(held)
    spoilt(change, tmp_path)
    said = says(2, "--resume", "--out", tmp_path)
    assert said.startswith(f"train.py: {tmp_path / 'checkpoint.safetensors'}: cannot be read, or is of another version")
    assert said.count("\n") == 1
    RunFolder(tmp_path).claim()
