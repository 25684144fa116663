"""Training runs: what they leave, how they go on, what they refuse, and that they learn."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal
from rich.console import Console
from scipy import stats

import agents
import train
from agents.network.files import load_net
from agents.network.net import PolicyNet, Shape
from agents.players.policy import PolicyAgent, load_agent
from agents.players.shipped import shipped_path
from agents.training import run as run_module
from agents.training import show
from agents.training.config import PRESETS, TrainConfig
from agents.training.league import CurrentPolicy, League, WinShare, priorities
from agents.training.panel import PANEL, panel_shares
from agents.training.run import BadRun, Progress, TrainingRun
from bohemian_env import Batch, Board
from bohemian_env.envs.reward import reward_number
from bohemian_env.envs.self_play import SelfPlay
from bohemian_env.game.actions import NUM_ACTIONS
from bohemian_env.opponents import Scripted
from tests.helpers import BOARD

ROOT = Path(__file__).resolve().parents[3]
SHOWN = 16_384
"""Decisions that are imitated at a time."""
UPDATE = 64
"""Decisions of an update of a tiny run."""
KINDS = {"current", "snapshots", "greedy", "random"}
"""Of opponents of a tiny run."""


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """So small networks are quickest on one thread, above all beside other work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny(updates: int = 8, **changed: Any) -> TrainConfig:
    """TrainConfig of a run of so many updates, each a few milliseconds."""
    small: dict[str, Any] = dict(
        minutes=0.0, steps=UPDATE * updates, games=8, horizon=8, minibatch=32, trunk="8", head="8", max_turns=40,
        snapshot_every=0.25, scripted="greedy,random", pool=4, imitate=0.0, panel_games=0,
    )  # fmt: skip
    return TrainConfig(**small | changed)


def options(settings: TrainConfig) -> list[str]:
    """The command line that gives these settings."""
    found = []
    for name, value in dataclasses.asdict(settings).items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            found.append(f"--{option}" if value else f"--no-{option}")
        else:
            found += [f"--{option}", str(value)]
    return found


def command(*arguments: str | Path) -> list[str]:
    """`python train.py` with these arguments, on one thread."""
    return [sys.executable, str(ROOT / "train.py"), "--threads", "1", *map(str, arguments)]


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    """`train.py`'s main in this process; gives the exit status."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    before = signal.getsignal(signal.SIGTERM)

    def call(*arguments: str | Path) -> int:
        try:
            return train.main(command(*arguments)[2:])
        except SystemExit as stopped:
            return int(stopped.code or 0)

    yield call
    signal.signal(signal.SIGTERM, before)


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by their paths in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def samples_in(folder: Path) -> int:
    """Of how many decisions the agent in a folder has learnt."""
    return int(json.loads((folder / "agent.json").read_text())["about"]["samples"])


def weights(net: PolicyNet) -> torch.Tensor:
    """All parameters in one vector."""
    return torch.cat([parameter.detach().flatten() for parameter in net.parameters()])


def stop_after(updates: int) -> Callable[[Progress], None]:
    """A report that presses Ctrl-C after so many updates."""
    left = [updates]

    def report(progress: Progress) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    return report


def interrupted_run(folder: Path, updates: int, settings: TrainConfig) -> TrainingRun:
    """A run that was stopped after so many updates."""
    run = TrainingRun(folder, settings)
    with pytest.raises(KeyboardInterrupt):
        run.train(stop_after(updates))
    return run


FINISHED = tiny(8, seed=5, current=0.25, snapshots=0.25)


@dataclasses.dataclass
class Finished:
    """A run with the settings FINISHED that came to its end."""

    folder: Path
    run: TrainingRun
    reports: list[Progress]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A finished run; not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    run = TrainingRun(folder, FINISHED)
    reports: list[Progress] = []
    run.train(reports.append)
    return Finished(folder, run, reports)


# --- a run and what it leaves -----------------------------------------------------------------------------------


def test_a_run_leaves_the_files_that_it_describes(finished: Finished) -> None:
    files = content(finished.folder)
    events = [name for name in files if name.startswith("tensorboard/")]
    snapshots = {f"snapshots/{2 * k * UPDATE:012d}.{end}" for k in (1, 2, 3, 4) for end in ("json", "safetensors")}
    agent = {"agent.json", "agent.safetensors", "checkpoint.zip", "settings.json"}
    assert set(files) == agent | snapshots | set(events)
    assert len(events) == 1
    for tag in ("win_share_current", "samples_per_second", "value_loss", "entropy_weight", "approx_kl"):
        assert tag.encode() in files[events[0]]
    assert TrainConfig.from_json(files["settings.json"].decode()) == FINISHED


def test_the_agent_of_a_run_is_what_was_trained_and_plays(finished: Finished) -> None:
    net, description = load_net(finished.folder)
    assert torch.equal(weights(net), weights(finished.run.net))
    assert net.shape == Shape((8,), (8,), (8,), advice=True)
    about = description["about"]
    assert (about["players"], about["samples"], about["seed"]) == (2, 8 * UPDATE, 5)
    assert 0 <= about["seconds"] <= finished.run.seconds + 0.1
    batch, agent = Batch(50), agents.make(finished.folder)
    for _ in range(20):
        actions = agent.act_batch(batch)
        assert (batch.masks[np.arange(50), actions] == 1).all()
        batch.step(actions)


def test_training_changes_all_of_the_network(finished: Finished, tmp_path: Path) -> None:
    fresh = TrainingRun(tmp_path / "fresh", FINISHED)
    for (name, old), new in zip(fresh.net.named_parameters(), finished.run.net.parameters(), strict=True):
        assert not torch.equal(old, new), name


def test_reports_tell_where_the_run_stands(finished: Finished) -> None:
    reports = finished.reports
    assert [report.part for report in reports] == [k / 8 for k in range(1, 9)]
    assert [report.samples for report in reports] == [k * UPDATE for k in range(1, 9)]
    seconds = [report.seconds for report in reports]
    assert seconds == sorted(seconds)
    assert 0 < seconds[0] < seconds[-1] <= finished.run.seconds
    for before, report in pairwise(reports):  # the rate is taken before what there is to save is saved
        assert report.samples / report.seconds <= report.rate <= report.samples / before.seconds
    wins = reports[-1].wins
    assert set(wins) == KINDS
    assert all(0 <= share <= 1 for share in wins.values())
    assert 0 < np.mean(list(wins.values())) < 1


def test_win_shares_are_counted_by_opponent(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny())
    games, tally = run.env.games, run.tally
    tally.init_callback(run.model)
    assert run.league.win_shares() == {}
    for opponent, win in ((0, 1.0), (5, 0.0), (6, 1.0), (6, 1.0), (6, 0.5)):
        games._ended[:] = 0
        games._ended[3] = 1
        games.ended.opponent[:], games.ended.win[:] = 5, 0.25  # means nothing where no game ended
        games.ended.opponent[3], games.ended.win[3] = opponent, win
        tally.on_step()
    greedy = 0.5 - 0.5 / 21  # as if 20 games had gone before it at the fair share
    random = (20 * 0.5 + 2.5) / 23
    assert run.league.win_shares() == pytest.approx({"current": 11 / 21, "greedy": greedy, "random": random})


def test_the_same_seed_makes_the_same_agent_also_from_the_command_line(finished: Finished, tmp_path: Path) -> None:
    """A run by steps, that is; and only on the same machine."""
    out = tmp_path / "a" / "run"
    done = subprocess.run(
        command("--out", out, *options(FINISHED)), capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        rf"Trained: {re.escape(str(out))}/agent\.safetensors after 512 decisions in \d+ s\n", done.stdout
    )
    assert re.search(
        r"^100% 512 samples, 0:00 left, [\d,]+ samples/s; wins against current [01]\.\d\d", done.stderr, re.M
    )
    assert "Warning" not in done.stderr
    assert torch.equal(weights(load_net(out)[0]), weights(finished.run.net))
    first, second = content(finished.folder), content(out)
    same = [name for name in first if name.startswith("snapshots") or name == "settings.json"]
    assert len(same) == 9
    for name in same:
        assert first[name] == second[name], name


def test_another_seed_makes_another_agent(finished: Finished, tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(seed=6))
    assert not torch.equal(weights(run.net), weights(TrainingRun(tmp_path / "fresh", FINISHED).net))
    run.train()
    assert not torch.equal(weights(run.net), weights(finished.run.net))


def test_options_become_settings(main: Callable[..., int], tmp_path: Path) -> None:
    wanted = tiny(
        1, players=3, reward="win", bfloat16=False, gamma=0.99, coin_supply=50, snapshot_every=0.5, minutes=1.5, seed=9
    )
    assert main("--out", tmp_path / "run", *options(wanted)) == 0
    assert TrainConfig.from_json((tmp_path / "run" / "settings.json").read_text()) == wanted
    assert samples_in(tmp_path / "run") == UPDATE


@pytest.mark.parametrize(
    "changed", [{}, dict(players=4, minutes=2.5, bfloat16=False, scripted="greedy", trunk="32,16")]
)
def test_the_command_of_settings_gives_these_settings(changed: dict[str, Any]) -> None:
    settings = dataclasses.replace(PRESETS["hour"], **changed)
    words = shlex.split(settings.command())
    assert words[:2] == ["python", "train.py"]
    options = vars(train.parser().parse_args([*words[2:], "--out", "x"]))
    given = {f.name: options[f.name] for f in dataclasses.fields(TrainConfig) if options[f.name] is not None}
    assert TrainConfig(**given) == settings


def test_steps_alone_are_the_budget(main: Callable[..., int], tmp_path: Path) -> None:
    """Without --minutes its default does not count."""
    given = options(tiny(2))
    assert given[:2] == ["--minutes", "0.0"]
    assert main("--out", tmp_path / "run", *given[2:]) == 0
    assert TrainConfig.from_json((tmp_path / "run" / "settings.json").read_text()) == tiny(2)


def test_a_run_by_minutes_stops_when_they_are_over(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(minutes=0.01, steps=0))
    reports: list[Progress] = []
    run.train(reports.append)
    assert reports[-1].part == 1.0
    assert 0.6 <= run.seconds < 30
    assert reports[-2].part == pytest.approx(reports[-2].seconds / 0.6, rel=0.05)
    assert reports[-2].seconds < 0.6


def test_the_budget_that_is_spent_first_ends_the_run(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(2, minutes=10.0))
    run.train()
    assert run.model.num_timesteps == 2 * UPDATE


def test_learning_rate_and_entropy_fall_along_the_run(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(4, learning_rate=0.01, entropy=0.2))
    seen = []
    run.train(lambda _: seen.append((run.model.policy.optimizer.param_groups[0]["lr"], run.model.ent_coef)))
    assert np.array(seen) == pytest.approx(np.array([(0.0075, 0.15), (0.005, 0.1), (0.0025, 0.05), (0, 0)]))


def test_settings_reach_the_learner(tmp_path: Path) -> None:
    s = tiny(gamma=0.9, gae_lambda=0.8, clip=0.1, entropy=0.02, value_weight=0.3, max_gradient=0.7, epochs=2, seed=4)
    model = TrainingRun(tmp_path / "run", s).model
    assert (model.gamma, model.gae_lambda, model.ent_coef, model.vf_coef) == (0.9, 0.8, 0.02, 0.3)
    assert (model.max_grad_norm, model.n_epochs, model.batch_size, model.n_steps) == (0.7, 2, 32, 8)
    assert model.clip_range(0.5) == 0.1
    buffer = model.rollout_buffer
    assert (buffer.gamma, buffer.gae_lambda, buffer.buffer_size, buffer.n_envs) == (0.9, 0.8, 8, 8)


def test_settings_reach_the_games(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(players=3, coin_supply=50, max_turns=33, reward="margin"))
    games, (setting,) = run.env.games, run.env.games.setting
    assert (games.n, games.num_players, setting["players"]) == (8, 3, 3)
    assert (setting["coin_supply"], setting["max_turns"]) == (50, 33)
    assert setting["reward"] == reward_number("margin")


def test_a_run_on_a_board_of_ones_own(main: Callable[..., int], tmp_path: Path) -> None:
    """Its agent plays on that board, and on no other."""
    file = tmp_path / "board.toml"
    file.write_text(BOARD.read_text(encoding="utf-8").replace("town_hall = 10", "town_hall = 11"), encoding="utf-8")
    settings = tiny(1, board=str(file))
    games = TrainingRun(tmp_path / "other", settings).env.games
    assert_array_equal(games.board, Board.load(file).tables)
    assert not np.array_equal(games.board, Board.standard().tables)
    assert main("--out", tmp_path / "run", *options(settings)) == 0
    assert agents.make(tmp_path / "run", board=Board.load(file))
    with pytest.raises(ValueError, match="another board"):
        agents.make(tmp_path / "run")


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", ["a file", "a folder", "a run", "is a file"])
def test_an_output_folder_that_holds_something_is_refused_and_left_alone(
    held: str, main: Callable[..., int], tmp_path: Path, finished: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    out = finished.folder if held == "a run" else tmp_path / "out"
    if held == "is a file":
        out.write_text("mine")
    elif held == "a file":
        out.mkdir()
        (out / "notes.txt").write_text("mine")
    elif held == "a folder":
        (out / "inside").mkdir(parents=True)
    before, names = content(out.parent), sorted(out.parent.rglob("*"))
    assert main("--out", out, *options(FINISHED)) == 2
    said = capsys.readouterr()
    assert said.err == (
        f"train.py: {out} already holds something; give another --out, or --resume to go on with a run in it\n"
    )
    assert said.out == ""
    assert (content(out.parent), sorted(out.parent.rglob("*"))) == (before, names)


def test_refusals_are_bad_runs(finished: Finished, tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="already holds something"):
        TrainingRun(finished.folder, tiny())
    with pytest.raises(BadRun, match="holds no run to go on with"):
        TrainingRun(tmp_path, None)


def test_an_empty_output_folder_is_taken(main: Callable[..., int], tmp_path: Path) -> None:
    assert main("--out", tmp_path, *options(tiny(1))) == 0
    assert samples_in(tmp_path) == UPDATE


BAD = [
    ("--players", "1", "players 1 is not from 2 to 5"),
    ("--players", "6", "players 6 is not from 2 to 5"),
    ("--players", "two", "argument --players: invalid int value: 'two'"),
    ("--games", "0", "games 0 is not from 1 to 1048576"),
    ("--horizon", "0", "horizon 0 is not from 1 to 65536"),
    ("--epochs", "0", "epochs 0 is not from 1 to 1000"),
    ("--minibatch", "1", "minibatch 1 is not from 2 to 16777216"),
    ("--trunk", "0", "trunk '0' is not of widths from 1 to 4096"),
    ("--trunk", "", "trunk has no layer"),
    ("--trunk", "wide", "trunk 'wide' is not whole numbers"),
    ("--head", "256,5000", "head '256,5000' is not of widths from 1 to 4096"),
    ("--pool", "0", "pool 0 is not from 1 to 1000"),
    ("--max-turns", "0", "max_turns 0 is not from 1 to"),
    ("--coin-supply", "0", "coin_supply 0 is not from 1 to 9999"),
    ("--seed", "-1", "seed -1 is not from 0 to"),
    ("--minutes", "-1", "minutes -1.0 and steps 64: at least one above 0, none below"),
    ("--steps", "-1", "minutes 0.0 and steps -1: at least one above 0, none below"),
    ("--steps", "0", "minutes 0.0 and steps 0: at least one above 0, none below"),
    ("--learning-rate", "0", "learning_rate 0.0 is not above 0"),
    ("--learning-rate", "nan", "learning_rate nan is not above 0"),
    ("--snapshot-every", "0", "snapshot_every 0.0 is not above 0"),
    ("--checkpoint-seconds", "-1", "checkpoint_seconds -1.0 is not above 0"),
    ("--reward", "coins", "reward 'coins' is none of win, margin, mixed"),
    ("--snapshots", "-0.1", "snapshots -0.1 is not from 0 to 1"),
    ("--current", "0.9", "current 0.9 and snapshots 0.2 are more than 1 together"),
    ("--scripted", "greedy,chess", "unknown scripted opponent 'chess'"),
    ("--scripted", "greedy,greedy", "names an opponent twice"),
    ("--teacher", "chess", "unknown scripted opponent 'chess'"),
    ("--imitate", "-1", "imitate -1.0 is not at least 0"),
    ("--imitate-random", "2", "imitate_random 2.0 is not from 0 to 1"),
    ("--panel-every", "0", "panel_every 0.0 is not above 0"),
    ("--focus", "nan", "focus nan is not at least 0"),
    ("--floor", "0", "floor 0.0 is not from"),
    ("--preset", "slow", "argument --preset: invalid choice: 'slow'"),
    ("--from", "nowhere", "nowhere: a trained agent is"),
    ("--board", "none.toml", "none.toml"),
    ("--device", "abacus", "abacus"),
    ("--colour", "red", "unrecognized arguments: --colour red"),
    ("--minutes", "nan", "minutes nan"),
    ("--gamma", "7", "gamma 7.0"),
    ("--gae-lambda", "-1", "gae_lambda -1.0"),
    ("--clip", "-1", "clip -1.0"),
    ("--max-gradient", "-1", "max_gradient -1.0"),
    ("--learning-rate", "inf", "learning_rate inf"),
]


@pytest.mark.parametrize(("option", "value", "message"), BAD)
def test_a_bad_setting_is_refused_by_name(
    option: str, value: str, message: str, main: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    status = main("--out", out, *options(tiny(1)), option, value)
    said = capsys.readouterr().err
    assert status == 2
    assert message in said
    assert "Traceback" not in said
    assert not out.exists()


def test_no_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="no opponents"):
        TrainConfig(current=0, snapshots=0, scripted="")


@pytest.mark.parametrize("change", ["missing", "superfluous", "bad", "text", "list"])
def test_settings_of_another_version_are_refused(change: str) -> None:
    data = json.loads(TrainConfig().to_json())
    assert TrainConfig.from_json(json.dumps(data)) == TrainConfig()
    if change == "missing":
        del data["gamma"]
    elif change == "superfluous":
        data["colour"] = "red"
    elif change == "bad":
        data["players"] = 9
    text = {"text": "nonsense", "list": "[1]"}.get(change, json.dumps(data))
    said = {"missing": "gamma", "superfluous": "colour", "bad": "players 9", "text": "Expecting", "list": r"\[1\]"}[
        change
    ]
    with pytest.raises(ValueError, match=said):
        TrainConfig.from_json(text)


def test_help_tells_every_setting_without_loading_torch() -> None:
    """Torch reads its thread settings from the environment when it is loaded: train.py sets them first."""
    code = "import sys, train\ntry: train.main(['--help'])\nfinally: print('torch' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.endswith("\nFalse\n")
    plain = " ".join(told.stdout.split())
    for setting in dataclasses.fields(TrainConfig):
        assert f"--{setting.name.replace('_', '-')}" in plain
        assert f"{setting.metadata['help']} (default: {setting.default})" in plain


# --- going on ---------------------------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    settings = tiny(learning_rate=0.01, entropy=0.2, seed=7)
    first = interrupted_run(tmp_path / "run", 4, settings)
    before = content(tmp_path / "run")
    run = TrainingRun(tmp_path / "run", None)
    assert run.settings == settings
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
    assert seen == pytest.approx([0.2 * (1 - progress.part) for progress in reports])
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


def test_a_run_that_goes_on_plays_other_games_than_at_its_beginning(tmp_path: Path) -> None:
    first = interrupted_run(tmp_path / "run", 1, tiny())
    again = TrainingRun(tmp_path / "run", None)
    fresh = TrainingRun(tmp_path / "fresh", tiny())
    for run in (again, fresh):
        run.env.reset()
    assert not set(again.env.games.seeds.tolist()) & set(fresh.env.games.seeds.tolist())
    assert first.settings == again.settings


def test_a_run_stopped_within_an_update_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = TrainingRun(tmp_path / "run", tiny(4))
    steps = [0]
    step = type(run.env).step_wait

    def press(env: Any) -> Any:
        steps[0] += 1
        if steps[0] == 12:  # of the 8 that each rollout takes
            raise KeyboardInterrupt
        return step(env)

    monkeypatch.setattr(type(run.env), "step_wait", press)
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

    save, files = type(killed.model).save, list[bytes]()

    def save_twice(model: Any, path: Path) -> None:
        """What is saved later, with the comparison after update 4, is as if it had not been."""
        if len(files) < 2:
            save(model, path)
            files.append(path.read_bytes())
        else:
            path.write_bytes(files[-1])

    monkeypatch.setattr(type(killed.model), "save", save_twice)
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


def test_a_finished_run_goes_on_with_nothing(main: Callable[..., int], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main("--out", out, *options(tiny(2))) == 0
    before, net = content(out), load_net(out)[0]
    assert main("--out", out, "--resume") == 0
    after = content(out)
    assert samples_in(out) == 2 * UPDATE
    assert torch.equal(weights(load_net(out)[0]), weights(net))
    kept = [name for name in before if name.startswith("snapshots") or name == "settings.json"]
    assert len(kept) == 5
    for name in kept:
        assert after[name] == before[name], name


def test_resume_refuses_settings_beside_it(
    main: Callable[..., int], finished: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content(finished.folder)
    assert main("--resume", "--out", finished.folder, "--seed", "3", "--players", "3", "--no-bfloat16") == 2
    assert capsys.readouterr().err == (
        "train.py: --resume goes on with the settings of the run; leave out bfloat16, players, seed\n"
    )
    assert content(finished.folder) == before


@pytest.mark.parametrize("missing", ["everything", "the folder", "settings.json", "checkpoint.zip"])
def test_resume_refuses_a_folder_without_a_run(
    missing: str, main: Callable[..., int], tmp_path: Path, finished: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    if missing != "the folder":
        out.mkdir()
        for name in {"settings.json", "checkpoint.zip"} - {missing} if missing != "everything" else ():
            (out / name).write_bytes((finished.folder / name).read_bytes())
    before = content(tmp_path)
    assert main("--resume", "--out", out) == 2
    assert capsys.readouterr().err == (
        f"train.py: {out} holds no run to go on with: settings.json or checkpoint.zip is missing\n"
    )
    assert (content(tmp_path), out.exists()) == (before, missing != "the folder")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("settings.json", "{}", "settings of another version of the project"),
        ("settings.json", "nonsense", "settings.json"),
        ("settings.json", tiny().to_json().replace('"players": 2', '"players": "two"'), "settings.json"),
        ("checkpoint.zip", "nonsense", "checkpoint.zip"),
    ],
)
def test_resume_refuses_a_run_that_is_broken(
    name: str, text: str, said: str, main: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted_run(tmp_path / "run", 1, tiny())
    (tmp_path / "run" / name).write_text(text)
    assert main("--resume", "--out", tmp_path / "run") == 2
    assert said in capsys.readouterr().err


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something is so, while a process runs."""
    deadline = time.monotonic() + 300
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def stopped(arguments: list[str], out: Path, signal_number: int) -> str:
    """What a training process says that is sent a signal when it has learnt something; it must exit as interrupted."""
    samples = samples_in(out) if out.exists() else 0
    # Where SIGINT is ignored, as in a background job, it would be in the process too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command(*arguments), cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    signal.signal(signal.SIGINT, before)
    try:
        wait_for(lambda: (out / "agent.json").exists() and samples_in(out) > samples, process)
        process.send_signal(signal_number)
        told, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert told == ""
    assert "Traceback" not in said
    return said


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    """And so does SIGTERM; what is said can be typed."""
    out = tmp_path / "run"
    settings = tiny(10**6, checkpoint_seconds=0.02, snapshot_every=1.0)
    said = stopped(["--out", str(out), *options(settings)], out, signal.SIGINT)
    samples = samples_in(out)
    match = re.search(r"^Interrupted; saved\. Go on with: python train\.py (--resume --out .*)$", said, re.M)
    assert match
    stopped(shlex.split(match.group(1)), out, signal.SIGTERM)
    assert samples_in(out) > samples
    assert not [path for path in out.rglob("*") if "tmp" in path.name]
    assert TrainConfig.from_json((out / "settings.json").read_text()) == settings
    assert load_agent(out)
    assert TrainingRun(out, None).model.num_timesteps == samples_in(out)


def test_how_to_go_on_can_be_typed_for_any_path(
    main: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a run"
    monkeypatch.setattr(show.ProgressBar, "update", lambda bar, progress: stop_after(1)(progress))
    assert main("--out", out, *options(tiny())) == 130
    assert shlex.split(capsys.readouterr().err.splitlines()[-1])[-2:] == ["--out", str(out)]


def test_a_run_that_fails_keeps_the_last_sound_agent(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny(checkpoint_seconds=1e-6))

    def spoil(progress: Progress) -> None:
        if progress.samples == 3 * UPDATE:
            with torch.no_grad():
                run.net.policy[0].weight.fill_(torch.nan)

    with pytest.raises(Exception, match="nan"):
        run.train(spoil)
    assert weights(load_net(tmp_path / "run")[0]).isfinite().all()


# --- imitation, the panel, presets, beginning with an agent -----------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_run_imitates_plays_and_compares_at_every_table(players: int, tmp_path: Path) -> None:
    settings = tiny(
        2, players=players, imitate_samples=2 * SHOWN, panel_games=6, panel_every=0.5, scripted="planner", seed=3
    )
    run, reports = TrainingRun(tmp_path / "run", settings), list[Progress]()
    run.train(reports.append)
    assert [progress.samples for progress in reports] == [0, 0, UPDATE, 2 * UPDATE]
    assert [bool(progress.note) for progress in reports] == [True, True, False, False]
    assert reports[0].note.startswith("imitates planner: its best moves have 0.")
    lines = [json.loads(line) for line in (tmp_path / "run" / "panel.jsonl").read_text().splitlines()]
    assert [line["samples"] for line in lines] == [0, UPDATE, 2 * UPDATE]
    for line in lines:
        assert list(line["shares"]) == ["greedy", "planner", "rusher", "hoarder"]
        assert line["mean"] == pytest.approx(np.mean(list(line["shares"].values())), abs=1e-3)
        assert (line["players"], line["games"]) == (players, 6)
    assert (tmp_path / "run" / "snapshots" / "000000000000.safetensors").exists()
    picture = (tmp_path / "run" / "panel.svg").read_text()
    assert picture.startswith("<?xml")
    for text in ("greedy", "hoarder", "minutes of training", "win share against"):
        assert text in picture
    events = next((tmp_path / "run" / "tensorboard").iterdir()).read_bytes()
    for tag in (b"panel/hoarder", b"panel/mean", b"imitation/loss", b"imitation/probability_of_best"):
        assert tag in events


def test_the_panel_plays_the_same_games_each_time_and_tells_strong_from_weak() -> None:
    """From every seat, and with the network's most likely moves."""
    settings = tiny(panel_games=200)
    torch.manual_seed(1)
    weak = panel_shares(PolicyNet(Shape((8,), (8,), (8,))), settings, Board.standard())
    assert set(weak) == set(PANEL)
    torch.manual_seed(1)
    assert panel_shares(PolicyNet(Shape((8,), (8,), (8,))), settings, Board.standard()) == weak
    assert max(weak.values()) < 0.3


def test_the_agent_of_a_run_is_the_one_that_did_best_against_the_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also over an interrupt."""
    told = iter([0.3, 0.6, 0.5, 0.4, 0.2])
    nets: list[torch.Tensor] = []

    def shares(net: PolicyNet, *_: Any) -> dict[str, float]:
        nets.append(weights(net))
        return dict.fromkeys(PANEL, next(told))

    monkeypatch.setattr(run_module, "panel_shares", shares)
    interrupted_run(tmp_path / "run", 4, tiny(10, panel_games=1, panel_every=0.2, learning_rate=0.01))
    assert samples_in(tmp_path / "run") == 4 * UPDATE
    run = TrainingRun(tmp_path / "run", None)
    assert [result["mean"] for result in run.panel] == pytest.approx([0.3, 0.6])
    run.train()
    assert [result["samples"] for result in run.panel] == [k * UPDATE for k in (2, 4, 6, 8, 10)]
    assert len({tuple(net.tolist()) for net in nets}) == 5
    net, description = load_net(tmp_path / "run")
    assert torch.equal(weights(net), nets[1])
    assert description["about"]["samples"] == 4 * UPDATE
    assert description["about"]["panel"] == dict.fromkeys(PANEL, 0.6)
    again = TrainingRun(tmp_path / "run", None)
    again.train()  # nothing is left to do: no sixth comparison, which would have no result
    assert torch.equal(weights(again.net), nets[4])


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


def test_imitation_by_seconds_ends(tmp_path: Path) -> None:
    run, seen = TrainingRun(tmp_path / "run", tiny(1, imitate=0.5)), list[Progress]()
    run.train(seen.append)
    imitating = [progress for progress in seen if progress.note]
    assert imitating[-1].seconds >= 0.5
    assert all(progress.seconds < 0.5 for progress in imitating[:-1])


def test_a_run_can_begin_with_an_agent(main: Callable[..., int], finished: Finished, tmp_path: Path) -> None:
    """Its network is taken whatever the widths in the settings; it imitates nobody unless it is told to."""
    begun = TrainingRun(tmp_path / "begun", tiny(1, trunk="16,4", seed=8), start=finished.folder)
    assert torch.equal(weights(begun.net), weights(load_net(finished.folder)[0]))
    assert (begun.settings.trunk, begun.settings.head) == ("8", "8")
    small = ("--steps", str(UPDATE), "--games", "8", "--horizon", "8", "--minibatch", "32", "--panel-games", "0")
    for told, seconds in (((), 0.0), (("--imitate", "0.1"), 0.1)):
        out = tmp_path / f"run {seconds}"
        assert main("--out", out, "--from", finished.folder, *small, *told) == 0
        kept = TrainConfig.from_json((out / "settings.json").read_text())
        assert (kept.trunk, kept.head, kept.imitate, kept.imitate_samples) == ("8", "8", seconds, 0)
        assert load_net(out)[0].shape == Shape((8,), (8,), (8,), advice=True)
        assert samples_in(out) == UPDATE
        assert bool(list((out / "snapshots").glob("*00000.safetensors"))) == bool(seconds)


def test_a_run_can_begin_with_the_shipped_agent(main: Callable[..., int], tmp_path: Path) -> None:
    tiny = ["--games", "8", "--horizon", "4", "--minibatch", "32", "--panel-games", "0"]
    out = tmp_path / "run"
    assert main("--from", "ppo", "--players", "3", "--steps", "32", *tiny, "--out", str(out)) == 0
    net, description = load_net(out)
    shipped, _ = load_net(shipped_path(3))
    assert net.shape == shipped.shape
    assert description["about"]["command"].endswith(" --from 3-players.safetensors")


@pytest.mark.parametrize("preset", [None, "quick", "hour", "full"])
def test_presets_are_settings_that_options_override(
    preset: str | None, main: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[TrainConfig] = []

    def refuse(out: Path, settings: TrainConfig, device: str, start: str | None) -> None:
        taken.append(settings)
        raise BadRun("enough")

    monkeypatch.setattr(run_module, "TrainingRun", refuse)
    chosen, base = ["--preset", preset] if preset else [], PRESETS[preset or "quick"]
    assert main("--out", tmp_path, *chosen) == 2
    assert main("--out", tmp_path, *chosen, "--seed", "4", "--minutes", "7") == 2
    assert main("--out", tmp_path, *chosen, "--steps", "1000") == 2
    assert taken == [
        base,
        dataclasses.replace(base, seed=4, minutes=7.0),
        dataclasses.replace(base, steps=1000, minutes=0.0),
    ]
    assert [PRESETS[name].minutes for name in PRESETS] == [5, 60, 720]


def test_a_resumed_run_takes_neither_preset_nor_agent(
    main: Callable[..., int], finished: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    for told in (("--preset", "quick"), ("--from", finished.folder)):
        assert main("--resume", "--out", finished.folder, *told) == 2
        assert "leave out --preset and --from" in capsys.readouterr().err


# --- opponents --------------------------------------------------------------------------------------------------


def net_for(action: int) -> PolicyNet:
    """A network that is for one action, whatever it sees."""
    net = PolicyNet(Shape((4,), (), ()))
    last = net.policy[-1]
    assert isinstance(last, torch.nn.Linear)
    with torch.no_grad():
        last.weight.zero_()
        last.bias.zero_()
        last.bias[action] = 100
    return net


def plays(policy: Any, n: int = 3) -> int:
    """The action that an opponent plays where everything is legal."""
    batch = Batch(n)
    actions = set(policy.act(batch.observations, np.ones((n, NUM_ACTIONS), np.int8)).tolist())
    assert len(actions) == 1
    return actions.pop()


def test_the_current_policy_is_asked_for_anew_each_time() -> None:
    net = [net_for(3)]
    current = CurrentPolicy(lambda: net[0], 0, "cpu", bfloat16=False)
    assert plays(current) == 3
    net[0] = net_for(8)
    assert plays(current) == 8


def test_the_current_policy_draws_its_actions() -> None:
    net = net_for(3)
    with torch.no_grad():
        net.policy[-1].bias[3:5] = 100
    drawn = CurrentPolicy(lambda: net, 0, "cpu", bfloat16=False).act(
        Batch(400).observations.copy(), np.ones((400, NUM_ACTIONS), np.int8)
    )
    assert stats.binomtest(int((drawn == 3).sum()), 400).pvalue > 0.001
    assert set(drawn.tolist()) == {3, 4}


def league_in(folder: Path, **changed: Any) -> League:
    """A league whose current policy plays action 0."""
    current = CurrentPolicy(lambda: net_for(0), 0, "cpu", bfloat16=False)
    return League(folder / "snapshots", tiny(**changed), current, Board.standard(), "cpu", bfloat16=False)


def playing(league: League) -> list[int | None]:
    """The action of each snapshot in the pool."""
    return [plays(slot) if slot.path else None for slot in league.slots]


def test_snapshots_enter_the_pool_and_the_one_that_is_beaten_most_leaves_it(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=3)
    assert playing(league) == [None, None, None]
    for action in (1, 2, 3):
        league.add(net_for(action), 100 * action)
    assert playing(league) == [1, 2, 3]
    for slot, win in ((1, 0.0), (2, 1.0), (2, 1.0), (3, 1.0)):
        league.record(slot, win)
    league.add(net_for(4), 400)
    assert playing(league) == [1, 4, 3]
    assert league.slots[1].win.games == 0
    league.add(net_for(5), 500)
    assert playing(league) == [1, 4, 5]
    assert len(list((tmp_path / "snapshots").glob("*.safetensors"))) == 5  # those that left too
    assert load_net(tmp_path / "snapshots" / "000000000300.safetensors")[1]["about"] == {"samples": 300}

    again = league_in(tmp_path, pool=3)
    again.load_state(json.loads(json.dumps(league.state())))
    assert playing(again) == [1, 4, 5]
    assert again.state() == league.state()
    assert again.shares() == league.shares()
    again.add(net_for(6), 500)  # a run that goes on takes the same snapshot again
    assert playing(again) == [1, 4, 6]


def test_the_newest_snapshot_takes_part_in_a_pool_of_one(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=1)
    for action in (1, 2):
        league.add(net_for(action), action)
        assert playing(league) == [action]


def test_priorities_go_to_those_that_are_hard_to_beat() -> None:
    assert priorities([0.5, 0.5, 0.5], 2, 2.0, 0.1) == pytest.approx(1 / 3)
    weights = np.array([1.0, 0.25, 0.0]) + 0.1
    assert priorities([0.0, 0.5, 1.0], 2, 2.0, 0.1) == pytest.approx(weights / weights.sum())
    # The fair share among five is what one half is among two.
    assert priorities([0.2, 1.0], 5, 1.0, 0.5) == pytest.approx([1 / 1.5, 0.5 / 1.5])
    assert priorities([0.1, 0.9], 3, 0.0, 0.1) == pytest.approx(0.5)


def test_win_shares_forget_old_games() -> None:
    share = WinShare(0.5)
    for _ in range(5000):
        share.add(1.0)
    assert share.mean > 0.99
    for _ in range(3000):
        share.add(0.0)
    assert 0.03 < share.mean < 0.07  # 0.999 ** 3000


def test_shares_follow_the_settings_and_the_games(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=2, current=0.5, snapshots=0.2, scripted="planner,random", focus=1.0, floor=0.25)
    assert league.shares() == pytest.approx([0.7, 0, 0, 0.15, 0.15])  # no snapshot yet: the current policy instead
    league.add(net_for(1), 1)
    assert league.shares() == pytest.approx([0.5, 0.2, 0, 0.15, 0.15])
    league.add(net_for(2), 2)
    assert league.shares() == pytest.approx([0.5, 0.1, 0.1, 0.15, 0.15])
    for _ in range(20):
        league.record(1, 1.0)  # 20 games at one half before them: 3/4
        league.record(4, 1.0)
    assert league.shares() == pytest.approx([0.5, 0.2 * 0.5 / 1.25, 0.2 * 0.75 / 1.25, 0.3 * 0.75 / 1.25, 0.12])


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
    assert len(list((tmp_path / "run" / "snapshots").iterdir())) == 1
    TrainingRun(tmp_path / "run", None).train()


def test_a_snapshot_does_not_change_with_the_policy(tmp_path: Path) -> None:
    net, league = net_for(5), league_in(tmp_path, pool=2)
    league.add(net, 1)
    with torch.no_grad():
        net.policy[-1].bias[7] = 1000
    assert playing(league) == [5, None]


def test_snapshots_of_a_run_play_in_it(finished: Finished) -> None:
    slots = finished.run.league.slots
    paths = {slot.path for slot in slots}
    assert paths == set((finished.folder / "snapshots").glob("*.safetensors"))
    assert len(paths) == 4
    newest, _ = load_net(max(paths))
    assert torch.equal(weights(newest), weights(finished.run.net))
    assert sum(slot.win.games for slot in slots) > 0


def test_the_current_policy_of_a_run_is_the_one_that_learns(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", tiny())
    with torch.no_grad():
        run.net.policy[-1].bias[17] = 1000
    current, *slots, greedy, random = run.env.games.opponents
    assert plays(current) == 17
    assert len(slots) == 4
    assert isinstance(greedy, Scripted)
    assert isinstance(random, Scripted)
    assert (greedy.name, random.name) == ("greedy", "random")


@pytest.mark.parametrize("shares", [(0.4, 0.2), (0, 0.75), (0, 0)], ids=str)
def test_games_are_shared_among_opponents(shares: tuple[float, float], tmp_path: Path) -> None:
    """All games are cut off at the same turn, so that none is counted more often for being short."""
    current, snapshots = shares
    run = TrainingRun(
        tmp_path / "run", tiny(games=256, minibatch=2048, max_turns=4, current=current, snapshots=snapshots)
    )
    games, rng = run.env.games, np.random.default_rng(1)
    for samples in range(4):
        run.league.add(run.net, samples)
    for _ in range(100):
        run.league.record(6, 1.0)
    games.set_shares(run.league.shares())
    run.env.reset()
    seen = np.zeros(7)
    while seen.sum() < 4000:
        games.step((rng.random(games.masks.shape) * games.masks).argmax(axis=1))
        np.add.at(seen, games.ended.opponent[games.dones], 1)
    of_random = (20 / 2 / 120) ** 2 + 0.05
    scripted = (1 - current - snapshots) / (0.3 + of_random)
    expected = np.array([current, *[snapshots / 4] * 4, 0.3 * scripted, of_random * scripted]) * seen.sum()
    assert (np.abs(seen - expected) <= 4 * np.sqrt(expected)).all()


# --- showing it -------------------------------------------------------------------------------------------------


def shown(monkeypatch: pytest.MonkeyPatch, terminal: bool, *reports: Progress, every: float = 0.0) -> str:
    """What the progress bar writes when it gets these reports, so many seconds apart."""
    out, now = io.StringIO(), [1000.0]
    monkeypatch.setattr(show, "Console", lambda **_: Console(file=out, force_terminal=terminal, width=150))
    monkeypatch.setattr(show, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with show.ProgressBar(None) as bar:
        for report in reports:
            now[0] += every
            bar.update(report)
    return out.getvalue()


HALF = Progress(0.5, 90.0, 123_456, 4567.8, {"greedy": 0.254, "random": 1.0})
END = Progress(1.0, 180.0, 250_000, 4600.0, {"greedy": 0.5})


@pytest.mark.parametrize(("every", "lines"), [(0, 1), (16, 3), (31, 6)])
def test_elsewhere_than_on_a_terminal_progress_is_lines(
    every: float, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first, then one when 30 seconds are over, and the last."""
    line = " 50% 123,456 samples, 1:30 left, 4,568 samples/s; wins against greedy 0.25, random 1.00\n"
    last = "100% 250,000 samples, 0:00 left, 4,600 samples/s; wins against greedy 0.50\n"
    assert shown(monkeypatch, False, *[HALF] * 6, END, every=every) == line * lines + last


def test_on_a_terminal_progress_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    told = shown(monkeypatch, True, HALF, END)
    assert "100%" in told
    assert "0:00 left, 4,600 samples/s; wins against greedy 0.50" in told


# --- learning ---------------------------------------------------------------------------------------------------


def wins_against(net: PolicyNet, name: str, games: int = 400) -> float:
    """The share of wins of a network's most likely actions in so many games of two."""
    agent, play = PolicyAgent(net), SelfPlay(games, [Scripted(name, 99)], seed=10**6)
    wins = np.full(games, np.nan)
    while np.isnan(wins).any():
        play.step(agent.choose(play.observations, play.masks))
        first = play.dones & np.isnan(wins)
        wins[first] = play.ended.win[first]
    return float(wins.mean())


def test_some_seconds_of_training_beat_random_clearly(tmp_path: Path) -> None:
    settings = TrainConfig(
        minutes=0.0,
        steps=40_960,
        games=64,
        horizon=16,
        minibatch=256,
        trunk="64",
        head="64",
        learning_rate=2e-3,
        seed=1,
        advice=False,
        panel_games=0,
        scripted="greedy,random",
    )
    run = TrainingRun(tmp_path / "run", settings)
    assert wins_against(run.net, "random") < 0.75
    run.train()
    assert wins_against(load_net(tmp_path / "run")[0], "random") > 0.9  # 0.99, and 0.6 against greedy
