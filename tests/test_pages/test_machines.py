"""The program that measures docs/machines.md, with few games, on a machine of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages.machines import piece, reach
from tests.helpers import ROOT
from tests.namespaces import Machine

PAGE = ROOT / "docs" / "machines.md"


def test_more_cores_than_the_first_process_can_serve_bring_nothing() -> None:
    assert reach(1.0, 1000, 0.02) == ["1,000", "10,000", "50,000", "50,000", "50"]
    assert reach(2.0, 10, 0.001) == ["5", "50", "500", "5,000", "2,000"]


def test_a_piece_of_a_slow_agent_has_few_games() -> None:
    seconds, games, size = piece(("montecarlo:1", "random"))
    assert games == 16
    assert seconds > 0
    assert size > 100


def test_the_script_for_slurm_tells_each_machine_its_own(tmp_path: Path) -> None:
    """By a stand-in that, like srun, runs the words it is given as they are, once on each machine."""
    stand_ins = {
        "scontrol": "printf 'node0\\nnode1\\n'",
        "srun": 'shift 2; for n in 0 1; do SLURM_NODEID=$n SLURMD_NODENAME=node$n "$@" || exit; done',
        "torchrun": 'echo "$GLOO_SOCKET_IFNAME $*"',
    }
    for name, does in stand_ins.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    script = PAGE.read_text(encoding="utf-8").partition("```sh\n#SBATCH")[2].partition("\n```")[0]
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_JOB_ID": "7"}
    done = subprocess.run(["bash", "-c", f"#SBATCH{script}"], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    for number, line in enumerate(done.stdout.splitlines()):
        assert line.startswith("eth0 --nnodes 1:2 --nproc-per-node 4 ")
        assert " --rdzv-id 7 --rdzv-endpoint node0:29400 " in line
        assert f" --rdzv-conf is_host={1 - number},last_call_timeout=5 --local-addr node{number} train.py " in line
    assert done.stdout.count("\n") == 2


@pytest.mark.slow
def test_the_page_is_made_by_one_command(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    out = tmp_path / "machines.md"
    out.write_text("before")
    words = ["-m", "pages.machines", "--rounds", "1", "--pieces", "4", "--out", str(out)]
    command = machines[0].command(sys.executable, *words)
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"RAY_AUTH_MODE": "disabled"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert re.findall("<!-- .* -->", text) == re.findall("<!-- .* -->", PAGE.read_text(encoding="utf-8"))
    assert re.search(r"^\| Ray \| 1 \| [\d,]+ \([\d,]+ to [\d,]+\) \| 1\.00 ", text, re.MULTILINE)
    assert "python " + " ".join(words) in text
