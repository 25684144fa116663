"""The learner of sums of inputs: by a seed it learns the same, it goes on where it stopped, and it learns to score."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import train
from agents.common.files import BadAgent
from agents.players.values import load_values, save_values
from agents.tournament import LineUp, enter
from agents.tournament.play import play_chunk
from agents.tournament.schedule import Chunk
from agents.training import values
from agents.training.folder import BadRun
from agents.training.values import ValueRun
from bohemian_env.engine.dealing import next_seed
from bohemian_env.games import rules_of
from tests.helpers import Ends, status_of

SETTINGS = {"game": "dorfromantik", "players": 1, "seed": 3, "trace": 0.9, "rate": 1.0}
RULES = rules_of("dorfromantik")


def learnt(folder: Path, games: int, parts: int = 1) -> ValueRun:
    """A run that has learnt from so many games, stopped and gone on with in between."""
    for part in range(parts):
        run = ValueRun(folder, None if part else SETTINGS)
        run.learn(games // parts)
        run.save()
        run._own.release()
    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> ValueRun:
    return learnt(tmp_path_factory.mktemp("run") / "once", 600)


def test_it_learns_to_score(run: ValueRun) -> None:
    """The seeds are fixed, so the mean is always the same, some 25; uniform play has some 6."""
    entrants = enter([run.folder], 0)
    found, others = (play_chunk(Chunk(LineUp((0,) * n), 7000, 0, 60), entrants, RULES.setup(n)) for n in (1, 3))
    assert found.totals[:, 0, 0].mean() > 18
    assert_array_equal(found.totals[:, 0, 0], others.totals[:, 0, 0])  # D28


def test_what_is_gone_on_with_learns_the_same(run: ValueRun, tmp_path: Path) -> None:
    again = learnt(tmp_path / "again", 600, parts=3)
    assert_array_equal(again.weights, run.weights)
    assert (again.seed, again.games) == (run.seed, 600)
    assert np.count_nonzero(run.weights) > 1000


def test_errors_flow_back_by_the_trace(tmp_path: Path) -> None:
    """With λ = 1 and no weights yet, the first game moves the first position by all that came after its reward."""
    run = ValueRun(tmp_path / "run", SETTINGS)
    run.settings["trace"], run.seed = 1.0, 5
    run.learn(1)
    game, inputs = RULES.game.new(1, seed=5).dealt(), np.zeros(RULES.verbs.MOST_INPUTS, np.int32)
    game = game.push(game.legal_actions[0])
    count = RULES.verbs.write_inputs(np.array(game.states)[0], 0, inputs)
    assert run.told[1] == 1
    assert run.weights[inputs[:count]].sum() != 0
    assert int(next_seed(np.uint64(5))) != 5


@pytest.mark.parametrize("game", ["dorfromantik", pytest.param("agricola", marks=pytest.mark.slow)])
def test_the_command_makes_an_agent_and_goes_on(game: str, tmp_path: Path, ends: Ends) -> None:
    out = str(tmp_path / "run")
    command = ["--game", game, "--out", out]
    said = ends(0, train.main, *command, "--minutes", 0.02, "--seed", 1).out.splitlines()
    assert said[0].startswith(f"Learning to play {game};")
    assert said[-1].startswith("Trained: ")
    games = ValueRun(tmp_path / "run", None).games
    assert games > 0
    about = json.loads((tmp_path / "run" / "agent.json").read_text(encoding="utf-8"))
    assert (about["game"], about["about"]["seed"], about["about"]["games"]) == (game, 1, games)
    assert about["about"]["players"] == rules_of(game).setup().players


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--seed", "-1"], "--help says"),
        (["--trace", "2"], "--help says"),
        (["--players", "9"], "players"),
        (["--resume"], "holds no run to go on with"),
    ],
)
def test_odd_options_are_refused(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", "dorfromantik", "--out", tmp_path / "run", *options]
    assert status_of(values.main, *words) == 2
    assert told in capsys.readouterr().err


def test_games_that_it_does_not_learn_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="expected one that writes inputs"):
        ValueRun(tmp_path / "run", SETTINGS | {"game": "villages", "players": 2})


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 2**62}, {"seed": None}, {"trace": True}, {"rate": 0}, {"among": "x"}, {"game": "chess"}, {"game": [1]},
        {"players": 0}, {"players": []}, {"options": {"window": -1}}, {"options": 7}, {"begin": 7},
    ],
)  # fmt: skip
def test_a_run_with_odd_settings_does_not_go_on(changed: dict[str, object], run: ValueRun, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    file = folder / "settings.json"
    file.write_text(json.dumps({**run.settings, **changed}), encoding="utf-8")
    with pytest.raises(BadRun):
        ValueRun(folder, None)
    for content in (b"", b"\x08" + bytes(20), (run.folder / values.CHECKPOINT).read_bytes()[:-1]):
        (folder / values.CHECKPOINT).write_bytes(content)
        with pytest.raises(BadRun, match="holds no run to go on with"):
            ValueRun(folder, None)


def test_files_that_are_no_agent_are_refused(run: ValueRun, tmp_path: Path) -> None:
    def changed(**parts: object) -> Path:
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        folder.mkdir()
        save_values(folder, RULES, run.weights, {})
        told = json.loads((folder / "agent.json").read_text(encoding="utf-8")) | parts
        (folder / "agent.json").write_text(json.dumps(told), encoding="utf-8")
        return folder

    assert load_values(changed()).rules is RULES
    for parts in ({"format": 1}, {"weights_sha256": "0"}, {"game": "chess"}, {"game": None}, {"environment": "x_v0"}):
        with pytest.raises(BadAgent):
            load_values(changed(**parts))
    for weights in (run.weights[:-1], run.weights.astype(np.float64), run.weights * np.float32(np.nan)):
        folder = changed()
        save_values(folder, RULES, weights, {})
        with pytest.raises(BadAgent):
            load_values(folder)
    cut = (run.folder / "agent.safetensors").read_bytes()[:-1]
    folder = changed(weights_sha256=hashlib.sha256(cut).hexdigest())
    (folder / "agent.safetensors").write_bytes(cut)
    for nobody in (folder, tmp_path):
        with pytest.raises(BadAgent, match="holds no agent"):
            load_values(nobody)
