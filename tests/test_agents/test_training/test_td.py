"""Learning the appraiser's network: what a game teaches, that learning it helps, and that a run goes on."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from safetensors.torch import save
from torch import nn

from agents.network.files import read_tensors
from agents.network.net import RunAway
from agents.training import td
from agents.training.folder import BadRun
from agents.training.td import _FIRST_SEED, Rows, TdRun, _Field, _Memory, _Network, main, weights_of
from agents.training.td_config import PRESETS, TdConfig
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import deal_seeded
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.opponents.appraiser import (
    FOLDER,
    INPUTS,
    NAMES,
    Weights,
    appraise,
    appraiser_values,
    load_weights,
    new_room,
    of_size,
    write_inputs,
)
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action
from bohemian_env.villages.rules import push
from bohemian_env.villages.state import STATE
from bohemian_env.villages.verbs import set_up
from tests.helpers import Ends, status_of

pytestmark = pytest.mark.slow
TINY: Any = dict(games_at_once=4, minibatch=64)


@pytest.fixture(autouse=True)
def few_games_among_planners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs say how strong they are after each checkpoint, which nobody reads here."""
    monkeypatch.setattr(td, "_PANEL", 20)


def stated(state: np.void, weights: tuple[np.ndarray, ...]) -> np.ndarray:
    """Every seat's chance, the seat to move first."""
    chances = np.zeros(MAX_PLAYERS)
    appraise(state, weights, new_room(), chances)
    return np.roll(chances[: int(state["players"])], -int(state["to_move"]))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_exported_network_states_what_the_learned_one_does(players: int) -> None:
    torch.manual_seed(players)
    network, config = _Network(players), TdConfig(players, 4, **TINY)
    nn.init.normal_(network.places)
    rows = _Field(config).play(weights_of(network), 0)
    inputs = np.zeros((len(rows.states), INPUTS), np.float32)
    write_inputs(rows.states, np.arange(len(inputs)), new_room(), inputs)
    turns = torch.from_numpy(rows.states["turn"].astype(np.int64))
    learned = torch.exp(network(torch.from_numpy(inputs), turns)).detach().numpy()
    for state, chances in zip(rows.states, learned, strict=True):
        assert_allclose(stated(state, weights_of(network)), chances, atol=1e-5)


@pytest.mark.parametrize("lam", [0.0, 0.6, 1.0])
def test_targets_are_the_returns_that_lambda_asks_for(lam: float) -> None:
    """Rows come last first: each roll's position after it and before it, back to the first roll."""
    torch.manual_seed(1)
    weights, config = weights_of(_Network(3)), TdConfig(3, 1, lam=lam, stray=0.2, games_at_once=1)
    rows = _Field(config).play(weights, 0)
    before = rows.states["pending"] > 0
    assert before[-1], "the first roll"
    assert (rows.states["turn"][:-1] >= rows.states["turn"][1:]).all()
    result = np.roll(rows.targets[0], int(rows.states[0]["to_move"]))
    goal = result
    for state, target, rolled in zip(rows.states, rows.targets, before, strict=True):
        assert_allclose(target, np.roll(goal, -int(state["to_move"])), atol=1e-5)
        if rolled:
            own = np.roll(stated(state, weights), int(state["to_move"]))
            goal = lam * goal + (1 - lam) * own
    assert sorted(result) in ([0, 0, 1], pytest.approx([0, 0.5, 0.5]), pytest.approx([1 / 3] * 3))


def kept(folder: Path) -> tuple[np.ndarray, ...]:
    """The network in a run's checkpoint."""
    return weights_of(td._read(folder / "checkpoint.safetensors")[0])


def test_learning_brings_what_is_stated_nearer_to_what_became(tmp_path: Path) -> None:
    run = TdRun(tmp_path, TdConfig(2, 60, lam=1.0, games_at_once=60, minibatch=128))
    rows = _Field(run.config).play(weights_of(run.network), 0)

    def surprise() -> float:
        weights = weights_of(run.network)
        chances = np.array([stated(state, weights) for state in rows.states])
        return float(-(rows.targets * np.log(chances)).sum(axis=1).mean())

    before = surprise()
    run._learn(rows, 200)
    assert surprise() < before - 0.1


def test_a_run_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    """But for what it learns from: games before the stop are not played again."""
    config = TdConfig(2, 8, **TINY)
    run = TdRun(tmp_path / "run", config)
    run.train()
    run.folder.release()
    again = TdRun(tmp_path / "run", config)
    assert again.games == 8
    for other in (weights_of(again.network), kept(tmp_path / "run")):
        assert all(map(np.array_equal, weights_of(run.network), other))
    moments, before = (one.optimizer.state_dict()["state"] for one in (again, run))
    assert moments.keys() == before.keys() == {*range(len([*run.network.parameters()]))}
    for number, own in before.items():
        assert own.keys() == moments[number].keys() == {"step", "exp_avg", "exp_avg_sq"}
        for key, value in own.items():
            assert_array_equal(moments[number][key], value)


def test_an_interrupted_run_learns_on_with_the_next_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the rate of that moment, and with the time of before; the last batch is played whole."""
    played: list[int] = []
    rates: list[float] = []
    config = TdConfig(2, 14, lessons=4, reuse=3.0, **TINY)

    class Watched(_Field):
        def play(self, weights: Weights, first: int) -> Rows:
            if first == 12 and not stopped:
                raise KeyboardInterrupt
            played.append(first)
            return super().play(weights, first)

    learn = TdRun._learn
    learned_from: list[tuple[int, int]] = []

    def watched(run: TdRun, known: Rows, number: int) -> float:
        learned_from.append((len(known.states), number))
        loss = learn(run, known, number)
        rates.append(run.optimizer.param_groups[0]["lr"])
        return loss

    monkeypatch.setattr(td, "_Field", Watched)
    monkeypatch.setattr(td, "_SAVE_EVERY", 0.0)
    monkeypatch.setattr(TdRun, "_learn", watched)
    stopped: list[bool] = []
    run = TdRun(tmp_path / "run", config)
    with pytest.raises(KeyboardInterrupt):
        run.train()
    run.folder.release()
    stopped.append(True)
    again = TdRun(tmp_path / "run", config)
    assert (again.games, again.seconds) == (12, run.seconds)
    assert again.seconds > 0
    again.train()
    assert played == [0, 4, 8, 12]
    assert again.games == 16
    assert rates == pytest.approx([config.rate * (1 - games / 14) for games in played])
    rows = np.diff([0] + [known for known, _ in learned_from[:3]])  # the memory is empty after the interrupt
    # A lesson counts once, a position of other games three times.
    assert [number for _, number in learned_from[:3]] == [rows[0] // 64, 3 * rows[1] // 64, 3 * rows[2] // 64]
    assert learned_from[3][0] < sum(rows)


def test_the_memory_has_the_latest_rows() -> None:
    memory = _Memory(TdConfig(2, 4, memory=10))

    def rows(first: int, number: int) -> Rows:
        states = np.zeros(number, STATE)
        states["turn"] = np.arange(first, first + number)
        return Rows(states, np.repeat(states["turn"][:, None], 2, axis=1).astype(np.float32))

    kept: list[int] = []
    for first, number in ((1, 4), (5, 4), (9, 4), (13, 9), (22, 13)):
        memory.add(rows(first, number))
        kept = (kept + list(range(first, first + number)))[-10:]
        found = memory.rows()
        assert sorted(found.states["turn"].tolist()) == kept
        assert_array_equal(found.targets, np.repeat(found.states["turn"][:, None], 2, axis=1))


def test_lessons_are_games_of_planners_learned_by_their_results() -> None:
    torch.manual_seed(1)
    config, room = TdConfig(3, 2, lessons=1, stray=0.0, lam=0.5, games_at_once=1), new_room()
    field, values = _Field(config), np.empty(NUM_ACTIONS)
    weights = weights_of(_Network(3))
    for first, taught in ((0, True), (1, False)):
        rows = field.play(weights, first)
        s, seed = np.zeros(1, STATE)[0], np.uint64(_FIRST_SEED + first)
        set_up(s, seed, field.common[0])
        begun = []
        while not s["end"]:
            begun.append(bytes(s))
            deal_seeded(s, seed)
            while not s["end"] and not s["pending"]:
                if taught:
                    push(s, planner_action(s, WEIGHTS[0, 3], room.trials))
                else:
                    push(s, appraiser_values(s, weights, room, values))
        before = rows.states["pending"] > 0
        assert [bytes(state) for state in rows.states[before]] == begun[::-1]
        results = np.array([np.roll(t, int(s["to_move"])) for s, t in zip(rows.states, rows.targets, strict=True)])
        assert (results == results[0]).all() == taught


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("lessons", "-1", "lessons -1 is not from 0 to"),
        ("lessons", "9", "lessons 9 are more than games 8"),
        ("lam", "nan", "lam nan is not from 0 to 1"),
    ],
)
def test_numbers_that_make_no_run_are_refused_before_it_has_a_folder(
    option: str, value: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {"players": "2", "games": "8", "out": str(tmp_path / "run"), option: value}
    assert status_of(main, *(f"--{name}={text}" for name, text in told.items())) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_preset_is_the_beginning_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what the shipped networks were learned with: its numbers of games are those of docs/training.md."""
    made: list[TdConfig] = []

    def make(folder: Path, config: TdConfig, begin: Path | None) -> TdRun:
        made.append(config)
        raise BadRun("enough")

    monkeypatch.setattr(td, "TdRun", make)
    for words in (["--preset", "places"], ["--preset", "places", "--games", "8", "--rate", "0.25"], []):
        assert main(["--players", "4", "--out", str(tmp_path), *words]) == 2
    places = TdConfig(4, 12_000, seed=2, lam=1.0, rate=3e-3, places=True)
    assert made == [places, replace(places, games=8, rate=0.25), TdConfig(4, 1_000_000)]
    for by_size in PRESETS.values():
        assert [config.players for config in by_size.values()] == [*by_size] == [2, 3, 4, 5]


def test_the_command_learns_installs_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: Ends) -> None:
    """With all that it is told."""
    asked: list[tuple[Any, ...]] = []

    def install(*given: Any) -> tuple[Path, str]:
        asked.append(given)
        return tmp_path / "place.npz", "It was compared."

    monkeypatch.setattr(td, "install", install)
    monkeypatch.setattr(TdConfig, "games_at_once", 4)
    first, later = str(tmp_path / "first"), str(tmp_path / "later")
    words = ["--players", "2", "--games", "4", "--seed", "3", "--out"]
    assert main([*words, first]) == 0
    told = ["--lessons", "1", "--among", "0.5", "--lam", "0.75", "--rate", "0.125", "--places"]
    said = ends(0, main, *words, later, *told, "--begin", first, "--install", "appraiser").out
    assert asked == [(Path(later), "appraiser", 2)]
    assert "It was compared." in said
    assert "VERSION in bohemian_env/villages/opponents/appraiser.py has to go up" in said
    network, state, _ = td._read(Path(later) / "checkpoint.safetensors")
    config = TdConfig(2, 4, 1, 3, 0.75, 0.5, rate=0.125, places=True)
    assert TdConfig(**state["config"]) == config
    # Only places were learned, from that network on.
    assert all(map(np.array_equal, weights_of(network)[:-1], kept(Path(first))[:-1]))
    assert not np.array_equal(weights_of(network)[-1], kept(Path(first))[-1])
    monkeypatch.setattr(TdRun, "train", Mock(side_effect=KeyboardInterrupt))
    assert "the same command goes on" in ends(130, main, *words, first).err


def test_a_run_begins_with_the_network_of_another(tmp_path: Path) -> None:
    first = TdRun(tmp_path / "first", TdConfig(2, 4, **TINY))
    first.train()
    second = TdRun(tmp_path / "second", TdConfig(2, 4, seed=1, rate=1e-4, **TINY), tmp_path / "first")
    assert all(map(np.array_equal, weights_of(first.network), weights_of(second.network)))
    assert second.games == 0
    assert not second.optimizer.state
    for config, begin, said in (
        (TdConfig(3, 4, **TINY), "first", "first has no network for 3 players"),
        (TdConfig(2, 4, **TINY), "nowhere", "nowhere has no network for 2 players"),
    ):
        with pytest.raises(BadRun, match=said):
            TdRun(tmp_path / "third", config, tmp_path / begin)
    with pytest.raises(BadRun, match="no checkpoint"):
        kept(tmp_path / "nowhere")


def test_a_run_begins_with_networks_as_agents_read_them(tmp_path: Path) -> None:
    """What the network of a run is as an agent reads it is the same network."""
    config = TdConfig(3, 4, **TINY)
    run = TdRun(tmp_path / "shipped", config, FOLDER)
    assert all(map(np.array_equal, weights_of(run.network), of_size(load_weights(), 3)))
    TdRun(tmp_path / "first", config).train()
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(tmp_path / "first" / "3-players.npz", alone)
    TdRun(tmp_path / "run", replace(config, seed=1), tmp_path / "first").train()
    TdRun(tmp_path / "run", replace(config, seed=1), alone).folder.release()  # which began with that network
    with pytest.raises(BadRun, match="no network for 2 players"):
        TdRun(tmp_path / "two", TdConfig(2, 4, **TINY), alone)
    (alone / "3-players.npz").write_bytes(b"no network")
    with pytest.raises(BadRun, match="holds no network of appraiser's form"):
        TdRun(tmp_path / "third", config, alone)
    assert not (tmp_path / "third").exists()


def test_a_run_that_goes_on_began_with_the_network_that_is_named(tmp_path: Path) -> None:
    """And its folder is free when it has ended, so that it goes on in the same process."""
    config = TdConfig(2, 8, **TINY)
    for name, seed in (("first", 0), ("second", 1)):
        TdRun(tmp_path / name, replace(config, seed=seed)).train()
    TdRun(tmp_path / "run", config, tmp_path / "first").train()
    for begin in (tmp_path / "first", None):
        again = TdRun(tmp_path / "run", config, begin)
        assert again.games == 8
        again.train()
    with pytest.raises(BadRun, match="was begun with another network; leave out --begin"):
        TdRun(tmp_path / "run", config, tmp_path / "second")
    with pytest.raises(BadRun, match="nowhere"):
        TdRun(tmp_path / "run", config, tmp_path / "nowhere")


def test_the_network_of_a_run_lies_beside_its_checkpoint(tmp_path: Path) -> None:
    run = TdRun(tmp_path, TdConfig(2, 4, **TINY))
    run.train()
    for again in (False, True):
        if again:  # runs of before wrote none
            (tmp_path / "2-players.npz").unlink()
            TdRun(tmp_path, TdConfig(2, 4, **TINY)).folder.release()
        with np.load(tmp_path / "2-players.npz") as file:
            for name, layer in zip(NAMES, kept(tmp_path), strict=True):
                assert_array_equal(file[name], layer)


def test_a_run_of_0_2_goes_on_unless_it_had_what_runs_have_no_more(tmp_path: Path) -> None:
    config, file = TdConfig(2, 4, **TINY), tmp_path / "checkpoint.safetensors"
    TdRun(tmp_path, config).train()
    texts, tensors = read_tensors(file)
    state = json.loads(texts["run"])
    for searched in (0.0, 0.5):
        state["config"] |= {"searched": searched, "playouts": 64, "width": 128}
        file.write_bytes(save(tensors, {"run": json.dumps(state)}))  # the first ones had no checksum
        if searched:
            with pytest.raises(BadRun, match="unexpected keyword argument 'searched'"):
                TdRun(tmp_path, config)
        else:
            TdRun(tmp_path, config).folder.release()


def test_damaged_and_boundless_networks_are_refused(tmp_path: Path) -> None:
    config = TdConfig(2, 4, **TINY)
    run = TdRun(tmp_path, config)
    run.train()
    file = tmp_path / "checkpoint.safetensors"
    sound = file.read_bytes()
    for place in range(len(sound) - 400, len(sound), 40):
        damaged = bytearray(sound)
        damaged[place] ^= 64
        file.write_bytes(damaged)
        with pytest.raises(BadRun, match="it is damaged: its checksum does not fit"):
            TdRun(tmp_path, config)
    file.write_bytes(sound)
    for weight in (float("nan"), float("inf"), 2e6):
        with torch.no_grad():
            run.network.places[0, 0] = weight
        with pytest.raises(RunAway, match=r"not all weights are from -1e\+06 to 1e\+06: try a lower learning rate"):
            run.save()
    assert file.read_bytes() == sound


def test_a_run_that_runs_away_keeps_its_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: Ends
) -> None:
    config, usual = TdConfig(2, 8, **TINY), TdRun._learn

    def learn(run: TdRun, *given: Any) -> float:
        if run.games:
            run.network.places.data.fill_(float("inf"))
        return usual(run, *given)

    monkeypatch.setattr(td, "_SAVE_EVERY", 0.0)
    monkeypatch.setattr(TdRun, "_learn", learn)
    with pytest.raises(RunAway):
        TdRun(tmp_path / "first", config).train()
    again = TdRun(tmp_path / "first", config)
    assert again.games == 4
    again.folder.release()
    monkeypatch.setattr(TdRun, "_learn", lambda run, *_: run.network.places.data.fill_(float("nan")).sum().item())
    said = ends(2, main, "--players", 2, "--games", 4, "--out", tmp_path / "again").err
    assert "agents.training.td: not all weights are from" in said
    assert not (tmp_path / "again" / "checkpoint.safetensors").exists()


def test_what_it_refuses(tmp_path: Path, ends: Ends) -> None:
    run = TdRun(tmp_path / "run", TdConfig(2, 4, **TINY))
    run.train()
    run.folder.release()
    with pytest.raises(BadRun, match="other settings"):
        TdRun(tmp_path / "run", TdConfig(3, 4, **TINY))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "already holds something" in ends(2, main, "--players", 2, "--out", tmp_path / "other").err
    (tmp_path / "run" / "checkpoint.safetensors").write_bytes(b"damaged")
    with pytest.raises(BadRun, match="no checkpoint"):
        TdRun(tmp_path / "run", TdConfig(2, 4, **TINY))
