"""What `pip install .` gives to a user: the environment, its data and types; no torch, no agents."""

import email.parser
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.helpers import ROOT

PACKAGE = ROOT / "bohemian_env"

PLAY_A_GAME = """
import sys
import numpy as np
from bohemian_env import bohemian_villages_v0
env = bohemian_villages_v0.env()
env.reset(seed=7)
rng = np.random.default_rng(7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    over = termination or truncation
    env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
assert not env.agents
print(sys.modules["bohemian_env"].__file__, "torch" in sys.modules, "agents" in sys.modules)
"""

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed; the environment holds nothing of this process's Python."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    result = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, f"{command} failed\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == expected
    assert {"bohemian_env/game/villages.toml", "bohemian_env/py.typed"} <= names


def test_wheel_needs_no_torch(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = email.parser.Parser().parsestr(archive.read(metadata).decode())
        assert any(name.endswith("/licenses/LICENSE") for name in archive.namelist())
    needed = [line for line in headers.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert {re.split(r"[<>=]", line)[0] for line in needed} == {"gymnasium", "numba", "numpy", "pettingzoo"}


def test_installed_wheel_plays_a_game(wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", venv, cwd=tmp_path)
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=elsewhere)
    run(python, "-m", "pip", "check", cwd=elsewhere)

    where, torch, agents = run(python, "-W", "error", "-c", PLAY_A_GAME, cwd=elsewhere).split()
    assert Path(where).is_relative_to(venv)
    assert (torch, agents) == ("False", "False")
