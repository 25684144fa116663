"""Learn the network of ``appraiser`` by TD(λ): it plays against itself, or planners, and learns what became of it.

    python -m agents.training.td --preset selftaught --players 2 --out runs/mine
    python -m agents.training.td --preset selftaught --players 2 --out runs/mine --install selftaught
    python -m agents.training.td --players 2 --games 100000 --rate 0.0002 --begin runs/mine --out runs/later

The same command goes on with a run that was interrupted, with its network, but without the games of before: it learns
from those that it then plays. Every position before a roll, and the one that the dice made of it, is learned from the
chances that the network stated at the rolls after it and from the result: at each roll the rest is weighted by λ
(Sutton 1988; TD-Gammon, Tesauro 1995). What a run without an interrupt makes
depends on seed and settings, not on the machine's speed. ``--begin`` starts from the network of another run. The agent
``appraiser:runs/mine`` plays with the network of a run. ``--install`` puts it where ``appraiser`` or ``selftaught``
reads it, in the place of the one that is there, unless it is weaker than that one.
"""

import io
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from safetensors.torch import save
from torch import nn

from agents.common.command import ended, held_back, parser
from agents.common.files import write_atomically
from agents.network.files import checksum, read_tensors
from agents.network.net import RunAway
from agents.players.names import APPRAISER
from agents.tournament import compare, enter
from bohemian_env import BadNetwork, Setup
from bohemian_env.engine.chance import STEP, mix
from bohemian_env.engine.compiled import njit
from bohemian_env.engine.legal import legal_count, pick_legal
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import deal_seeded
from bohemian_env.villages.facts import MAX_PLAYERS
from bohemian_env.villages.opponents import appraiser
from bohemian_env.villages.opponents.appraiser import Room, Weights, appraise, appraiser_values, network_file, new_room
from bohemian_env.villages.opponents.planner import WEIGHTS, planner_action
from bohemian_env.villages.rules import push
from bohemian_env.villages.state import STATE
from bohemian_env.villages.verbs import set_up

from .checkpoint import load_averages, optimised
from .config import add_options, given_options
from .folder import BadRun, RunFolder
from .install import INSTALLED, install
from .td_config import PRESETS, SEEDS_APART, TdConfig

_FILE: Final = "checkpoint.safetensors"
_FIRST_SEED: Final = 2**62  # the seed of the first game, far from those of comparisons
_LONGEST: Final = 1000  # rolls of a game that are learned from; longer games do not happen
_ROWS: Final = 200
"""Room for what is learned from a game, on average; the last games are cut short if it does not suffice."""
_SAVE_EVERY: Final = 60.0  # core-seconds between two checkpoints
_GONE: Final = {"searched": 0.0, "playouts": 64, "width": appraiser.WIDTHS[0]}
"""Settings of runs of 0.2.0 that have become what they were by default."""
_PANEL: Final = 2000  # games among planners after each checkpoint, for the reader
_PANEL_SEED: Final = 2**60
_U40, _MILLION = np.uint64(40), np.uint64(1_000_000)


class Rows(NamedTuple):
    """Positions to learn from."""

    states: np.ndarray  # (n,), dtype STATE
    targets: np.ndarray  # the chance of each seat, the seat to move first: float32, (n, players)


@njit
def _write_row(states: np.ndarray, targets: np.ndarray, n: int, s: Any, goal: np.ndarray) -> None:
    players = s["players"]
    states[n] = s
    for away in range(players):
        targets[n, away] = goal[(s["to_move"] + away) % players]


@njit
def play_games(
    seeds: np.ndarray,
    common: np.ndarray,
    weights: Weights,
    room: Room,
    taught: bool,
    among: float,
    lam: float,
    stray: float,
    path: np.ndarray,
    stated: np.ndarray,
    states: np.ndarray,
    targets: np.ndarray,
) -> int:
    """Let the network play, or ``planner``, or one network among planners; write what is to be learned, and return the
    number of rows.

    Args:
        seeds: of the games, uint64 (m,). common: record of COMMON, (1,).
        taught: whether ``planner`` plays.
        among, lam, stray: as in :class:`TdConfig`.
        path: STATE, (2 * _LONGEST + 1,); stated: what the network says of each seat before each roll, float64,
            (_LONGEST, MAX_PLAYERS): overwritten.
        states, targets: room for the rows, overwritten.
    """
    s = path[2 * _LONGEST]
    values = np.empty(NUM_ACTIONS)
    goal = np.empty(MAX_PLAYERS)
    planner = WEIGHTS[0, common[0]["players"]]
    n = 0
    for game in range(seeds.shape[0]):
        set_up(s, seeds[game], common[0])
        word = mix(seeds[game] ^ STEP)
        lone = np.int64(word & np.uint64(0xFFFF)) % s["players"]
        alone = (word >> _U40) % _MILLION < np.uint64(among * 1e6)
        rolls = 0
        while s["end"] == 0 and rolls < _LONGEST and n + 2 * rolls + 2 < states.shape[0]:
            if lam < 1:
                appraise(s, weights, room, stated[rolls])
            path[2 * rolls] = s
            deal_seeded(s, seeds[game])
            path[2 * rolls + 1] = s
            rolls += 1
            while s["end"] == 0 and s["pending"] == 0:
                word = mix(word + STEP)
                if taught or (alone and s["to_move"] != lone):
                    action = planner_action(s, planner, room.trials)
                else:
                    action = appraiser_values(s, weights, room, values)
                if (word >> _U40) % _MILLION < np.uint64(stray * 1e6):
                    action = pick_legal(s, np.int64(word & np.uint64(0xFFFF)) % legal_count(s))
                push(s, action)
        appraise(s, weights, room, goal)  # the result
        for roll in range(rolls - 1, -1, -1):
            after = path[2 * roll + 1]
            if after["end"] == 0 and after["pending"] == 0:
                _write_row(states, targets, n, after, goal)
                n += 1
            _write_row(states, targets, n, path[2 * roll], goal)
            n += 1
            for seat in range(s["players"]):
                if lam < 1:
                    goal[seat] = lam * goal[seat] + (1 - lam) * stated[roll, seat]
    return n


class _Network(nn.Module):
    """The network of :mod:`bohemian_env.villages.opponents.appraiser`, to be learned."""

    def __init__(self, players: int) -> None:
        super().__init__()
        one, two = appraiser.WIDTHS
        self.players = players
        self.layers = nn.Sequential(
            nn.Linear(appraiser.INPUTS, one), nn.ReLU(), nn.Linear(one, two), nn.ReLU(), nn.Linear(two, players)
        )
        self.places = nn.Parameter(torch.zeros(appraiser.ROUNDS, players))

    def forward(self, inputs: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
        """Return the logarithms of all seats' chances, the seat to move first. turns: of the positions, from 1."""
        rounds = torch.clamp((turns - 1) // self.players, max=appraiser.ROUNDS - 1)
        seats = (turns[:, None] - 1 + torch.arange(self.players)) % self.players
        return torch.log_softmax(self.layers(inputs) + self.places[rounds[:, None], seats], 1)


def weights_of(network: _Network) -> Weights:
    """Return a network as the appraiser reads it."""
    found = tuple(np.zeros(shape, np.float32) for shape in appraiser.SHAPES)
    layers = [layer for layer in network.layers if isinstance(layer, nn.Linear)]
    for rows, layer in zip(found, layers, strict=False):  # after these come the places
        weight = layer.weight.detach().numpy().T
        rows[: weight.shape[0], : weight.shape[1]] = weight
        rows[-1, : weight.shape[1]] = layer.bias.detach().numpy()
    found[-1][:, : network.players] = network.places.detach().numpy()
    return found


def _check(network: _Network) -> None:
    """Raise RunAway unless all weights are such as an appraiser reads."""
    most = appraiser.MOST_WEIGHT
    if not all((np.abs(layer) <= most).all() for layer in weights_of(network)):  # not a number is not, either
        raise RunAway(f"not all weights are from -{most:g} to {most:g}: try a lower learning rate")


def _read(path: Path) -> tuple[_Network, dict[str, Any], dict[str, torch.Tensor]]:
    """Return the network of a checkpoint, what it says of its run, and all its tensors. Raises BadRun."""
    try:
        texts, tensors = read_tensors(path)
        if texts.get("sha256", whole := checksum(tensors, texts["run"])) != whole:  # earlier checkpoints have none
            raise ValueError("it is damaged: its checksum does not fit")
        state = json.loads(texts["run"])
        state["seconds"] = float(state["seconds"])
        for name, usual in _GONE.items():
            if state["config"].get(name) == usual:
                del state["config"][name]
        config = TdConfig(**state["config"])
        network = _Network(config.players)
        network.load_state_dict({name: tensors[f"net.{name}"] for name in network.state_dict()})
        _check(network)
    except Exception as error:
        raise BadRun(f"{path} is no checkpoint of such a run: {error}") from error
    return network, state, tensors


def _begun_with(folder: Path, players: int) -> _Network:
    """Return the network for so many players that a folder has, such as that of a run. Raises BadRun."""
    if not network_file(folder, players).exists():
        raise BadRun(f"{folder} has no network for {players} players to begin with")
    try:
        weights = appraiser.of_size(appraiser.read_networks(folder)[0], players)
    except (BadNetwork, OSError) as error:
        raise BadRun(str(error)) from None
    network = _Network(players)
    layers = [layer for layer in network.layers if isinstance(layer, nn.Linear)]
    with torch.no_grad():
        for layer, rows in zip(layers, weights, strict=False):  # after these come the places
            layer.weight.copy_(torch.from_numpy(rows[: layer.in_features, : layer.out_features].T))
            layer.bias.copy_(torch.from_numpy(rows[-1, : layer.out_features]))
        network.places.copy_(torch.from_numpy(weights[-1][:, :players]))
    return network


class TdRun:
    """A run, in a folder of its own.

    folder: where it is kept; a run that was begun there goes on. config: its settings. begin: the folder of networks as
    an agent reads them, such as that of another run; a new run begins with the one for as many players.

    Raises BadRun: the folder has something else, or a run with other settings; or ``begin`` has no run that fits.
    """

    def __init__(self, folder: Path, config: TdConfig, begin: Path | None = None) -> None:
        self.config = config
        self.folder = RunFolder(folder)
        self._file = folder / _FILE
        torch.manual_seed(config.seed)
        self.network = _Network(config.players)
        named = self.network.named_parameters()
        self._learned = [(name, parameter) for name, parameter in named if name == "places" or not config.places]
        self.optimizer = torch.optim.Adam([parameter for _, parameter in self._learned], lr=config.rate)
        self.games = 0
        self.seconds = 0.0
        first = None if begin is None else _begun_with(begin, config.players)
        self._begin = "" if first is None else checksum(first.state_dict())
        begun = self._file.exists()
        self.folder.claim(new=not begun)
        try:
            if begun:
                self._load()
                self._write_network()  # runs of before wrote none, and an interrupt comes between the two files
            elif first is not None:
                self.network.load_state_dict(first.state_dict())
        except BaseException:
            self.folder.release()
            raise

    def _load(self) -> None:
        network, state, tensors = _read(self._file)
        if TdConfig(**state["config"]) != self.config:
            raise BadRun(f"{self._file} is of a run with other settings: {state['config']}")
        self.network.load_state_dict(network.state_dict())
        began = state.get("begin", self._begin)  # earlier checkpoints do not tell
        if self._begin and self._begin != began:
            raise BadRun(f"{self._file} was begun with another network; leave out --begin to go on")
        self._begin = began
        try:
            self.games, self.seconds = int(state["games"]), state["seconds"]
            load_averages(self._learned, self.optimizer, tensors)
        except Exception as error:
            raise BadRun(f"{self._file} is no checkpoint of such a run: {error}") from error

    def save(self) -> None:
        """Write the checkpoint, whole or not at all.

        Raises RunAway: what was learned is nothing to play with; nothing is written. OSError: it cannot be written.
        """
        _check(self.network)
        tensors = optimised(self.network, self._learned, self.optimizer)
        state = {"config": asdict(self.config), "games": self.games, "seconds": self.seconds}
        state["begin"] = self._begin
        text = json.dumps(state)
        with held_back():
            write_atomically(self._file, save(tensors, {"run": text, "sha256": checksum(tensors, text)}))
            self._write_network()

    def _write_network(self) -> None:
        content = io.BytesIO()
        named: dict[str, Any] = dict(zip(appraiser.NAMES, weights_of(self.network), strict=True))
        np.savez(content, **named)
        write_atomically(network_file(self.folder.path, self.config.players), content.getvalue())

    def train(self) -> None:
        """Play and learn until all games are played; the checkpoint is written about once a minute. The folder is free
        for others when this returns.

        Raises:
            RunAway: what was learned is nothing to play with; the checkpoint is the one of before.
        """
        self.folder.claim()
        try:
            self._train()
        finally:
            self.folder.release()

    def _train(self) -> None:
        # Of this process's own computing, whatever else the machine does meanwhile.
        config, saved = self.config, time.process_time()
        field, memory = _Field(config), _Memory(config)
        while self.games < config.games:
            began = time.process_time()
            fresh = field.play(weights_of(self.network), self.games)
            played = time.process_time()
            memory.add(fresh)
            reuse = 1.0 if self.games < config.lessons else config.reuse
            loss = self._learn(memory.rows(), int(reuse * len(fresh.states) / config.minibatch))
            _check(self.network)
            self.games += config.games_at_once
            ended = time.process_time()
            self.seconds += ended - began
            if ended - saved > _SAVE_EVERY or self.games >= config.games:
                self.save()
                saved = ended
                entrants = enter([f"{APPRAISER}:{self.folder.path}", "planner"], _PANEL_SEED)
                setup = Setup.of(config.players)
                among = compare(entrants, setup, games=_PANEL, seed=_PANEL_SEED, tables="single").results[0].share
                print(
                    f"{self.games:,} games, {self.seconds / 60:.1f} min; loss {loss:.4f}; among planners "
                    f"{among.text()}; the last {len(fresh.states):,} rows "
                    f"were played in {played - began:.1f} s, and learned in {ended - played:.1f} s",
                    flush=True,
                )

    def _learn(self, known: Rows, minibatches: int) -> float:
        """Learn from rows drawn at random; return the mean loss."""
        config, rng = self.config, np.random.default_rng([self.config.seed, self.games])
        inputs = np.zeros((config.minibatch, appraiser.INPUTS), np.float32)
        room = new_room()
        for group in self.optimizer.param_groups:
            group["lr"] = config.rate * (1 - self.games / config.games)
        losses = []
        for _ in range(minibatches):
            rows = rng.integers(0, len(known.states), config.minibatch)
            appraiser.write_inputs(known.states, rows, room, inputs)
            turns = torch.from_numpy(known.states["turn"][rows].astype(np.int64))
            found = self.network(torch.from_numpy(inputs), turns)
            loss = -(torch.from_numpy(known.targets[rows]) * found).sum(1).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses))


def _as_bytes(rows: np.ndarray) -> np.ndarray:
    """Return an array as bytes, one row for each: NumPy copies records field by field."""
    return rows.view(np.uint8).reshape(len(rows), -1)


class _Memory:
    """The latest rows, the oldest of which are overwritten."""

    def __init__(self, config: TdConfig) -> None:
        self._rows = Rows(np.zeros(config.memory, STATE), np.zeros((config.memory, config.players), np.float32))
        self._written = 0

    def add(self, rows: Rows) -> None:
        """Add rows."""
        size = len(self._rows.states)
        places = np.arange(self._written, self._written + len(rows.states)) % size
        for kept, added in zip(self._rows, rows, strict=True):
            _as_bytes(kept)[places[-size:]] = _as_bytes(added)[-size:]
        self._written += len(rows.states)

    def rows(self) -> Rows:
        """Return all rows, which must not be changed."""
        return Rows(*(kept[: self._written] for kept in self._rows))


class _Field:
    """Where the network or its teacher plays against itself: the arrays for that."""

    def __init__(self, config: TdConfig) -> None:
        self.config = config
        self.common = Setup.of(config.players).common()
        self.room = new_room()
        self.path = np.zeros(2 * _LONGEST + 1, STATE)
        self.stated = np.zeros((_LONGEST, MAX_PLAYERS))
        most = _ROWS * config.games_at_once
        self.rows = Rows(np.zeros(most, STATE), np.zeros((most, config.players), np.float32))

    def play(self, weights: Weights, first: int) -> Rows:
        """Play games, from number ``first`` of the run on, and return what they teach; valid until it plays again."""
        config = self.config
        seed = _FIRST_SEED + config.seed * SEEDS_APART + first
        seeds = np.uint64(seed) + np.arange(config.games_at_once, dtype=np.uint64)
        taught = first < config.lessons
        lam = 1.0 if taught else config.lam
        told = taught, config.among, lam, config.stray
        n = play_games(seeds, self.common, weights, self.room, *told, self.path, self.stated, *self.rows)
        return Rows(self.rows.states[:n], self.rows.targets[:n])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 2 after bad input, and 130 after an interrupt."""
    options = parser("python -m agents.training.td", __doc__)
    options.add_argument("--out", type=Path, required=True, help="folder of the run")
    options.add_argument("--preset", choices=PRESETS, help="settings to start from; the options below override them")
    add_options(options, TdConfig)
    options.add_argument("--begin", type=Path, metavar="FOLDER", help="a run, or networks, that a new run begins with")
    options.add_argument("--install", choices=INSTALLED, help="put the network in its place as that of this agent")
    o = options.parse_args(argv)
    try:
        start = TdConfig(o.players)
        config = replace(PRESETS[o.preset][o.players] if o.preset else start, **given_options(vars(o), TdConfig))
    except ValueError as error:
        options.error(str(error))
    torch.set_num_threads(1)

    def work() -> None:
        TdRun(o.out, config, o.begin).train()
        if o.install:
            path, said = install(o.out, o.install, o.players)
            print(said, path, sep="\n")
            if o.install == APPRAISER:
                print("VERSION in bohemian_env/villages/opponents/appraiser.py has to go up")

    kept = "; the same command goes on from the last checkpoint, if there is one"
    return ended("agents.training.td", work, lambda: kept)


if __name__ == "__main__":
    sys.exit(main())
