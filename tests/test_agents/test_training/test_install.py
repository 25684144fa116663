"""A learned network takes the place of an agent's only after games against that one."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.pretrained import SELF_TAUGHT_FOLDER
from agents.tournament import BadTournament, Comparison, compare
from agents.tournament.sure import Verdict
from agents.training import install as install_module
from agents.training.folder import BadRun
from agents.training.install import INSTALLED, install
from agents.training.td import TdRun
from agents.training.td_config import TdConfig
from bohemian_env.villages.opponents.appraiser import FOLDER


@pytest.fixture(params=["appraiser", "selftaught"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Path]:
    """The name of an agent and the file of its network, in a folder that stands for the one of the project."""
    agent, folder = str(request.param), tmp_path / "place"
    assert {"appraiser": FOLDER, "selftaught": SELF_TAUGHT_FOLDER} == INSTALLED
    folder.mkdir()
    monkeypatch.setitem(INSTALLED, agent, folder)
    (folder / "2-players.npz").write_text("what is there")
    return agent, folder / "2-players.npz"


def test_a_network_that_plays_no_worse_is_installed(place: tuple[str, Path], tmp_path: Path) -> None:
    agent, file = place
    run = tmp_path / "run"
    run.mkdir()
    shutil.copy((FOLDER if agent == "appraiser" else SELF_TAUGHT_FOLDER) / "2-players.npz", run)
    found, said = install(run, agent, 2)
    assert found == file
    assert "are not 0.02 of a win share apart" in said
    assert file.read_bytes() == (run / "2-players.npz").read_bytes()


def test_a_stronger_network_is_installed(place: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    agent, file = place

    def stronger(*given: Any, **more: Any) -> Comparison:
        found = compare(*given, **more | {"games": 200})
        return replace(found, verdict=Verdict(1, 0.02, (9.0, -9.0)))

    monkeypatch.setattr(install_module, "compare", stronger)
    found, said = install(SELF_TAUGHT_FOLDER, agent, 2)
    assert f"is stronger than {agent}" in said
    assert file.read_bytes() == (SELF_TAUGHT_FOLDER / "2-players.npz").read_bytes()
    assert found == file


def test_where_there_is_none_it_is_installed(place: tuple[str, Path], tmp_path: Path) -> None:
    agent, file = place
    file.unlink()
    with pytest.raises(FileNotFoundError):
        install(tmp_path, agent, 2)
    assert install(SELF_TAUGHT_FOLDER, agent, 2) == (file, "There was none to compare it with.")
    assert file.read_bytes() == (SELF_TAUGHT_FOLDER / "2-players.npz").read_bytes()


def test_without_a_verdict_nothing_is_installed(place: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    agent, file = place
    monkeypatch.setattr(install_module, "_GAMES", 40)
    with pytest.raises(BadRun, match=r"nothing is installed\. Not sure yet"):
        install(SELF_TAUGHT_FOLDER, agent, 2)
    assert file.read_text() == "what is there"


@pytest.mark.slow
def test_a_weaker_network_is_refused_and_the_other_stays(place: tuple[str, Path], tmp_path: Path) -> None:
    agent, file = place
    TdRun(tmp_path / "run", TdConfig(2, 4, games_at_once=4, minibatch=64)).train()
    with pytest.raises(BadRun, match=rf"nothing is installed\. Sure: appraiser:.*run is weaker than {agent}\."):
        install(tmp_path / "run", agent, 2)
    with pytest.raises(BadTournament, match="there is no folder"):
        install(tmp_path / "nowhere", agent, 2)
    assert file.read_text() == "what is there"
