"""The settings of a training run, in one place; ``train.py`` makes its options from them."""

from __future__ import annotations

import argparse
import json
import math
import shlex
import sys
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Any, Final

from agents.players.names import APPRAISER, AgentName, UnknownAgent
from bohemian_env import Board
from bohemian_env.engine.contract import GROWTH, Rules
from bohemian_env.games import GAMES, rules_of
from bohemian_env.villages.board import MAX_COIN_SUPPLY
from bohemian_env.villages.setup import MOST_TURNS

PATIENCE: Final = 300.0
"""Seconds that the processes of a run wait for each other: more than compiling or a usual panel takes."""

ABOVE_0: Final = (math.nextafter(0, 1), sys.float_info.max)
AT_LEAST_0: Final = (0, sys.float_info.max)
PART: Final = (0, 1)
_SOME: Final = (math.nextafter(0, 1), 1)

_TOLD: Final[dict[tuple[float, float], str]] = {
    ABOVE_0: "a finite number above 0",
    AT_LEAST_0: "a finite number, at least 0",
    _SOME: "above 0 and at most 1",
}
"""How these limits are told."""

_KINDS: Final[dict[str, tuple[type, ...]]] = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}
"""The types that a setting may have, by how it is declared."""


def setting(default: Any, help: str, allowed: tuple[float, float] | None = None) -> Any:
    """Return a field with what it is for, and the lowest and the highest value that it may have."""
    return field(default=default, metadata={"help": help, "allowed": allowed})


def check_settings(config: Any) -> None:
    """Raise ValueError unless every setting of a dataclass is of its kind and within its limits."""
    for one in fields(config):
        value, allowed = getattr(config, one.name), one.metadata["allowed"]
        if type(value) not in _KINDS[str(one.type)]:
            raise ValueError(f"{one.name} {value!r} is not of the type {one.type}")
        if allowed and not allowed[0] <= value <= allowed[1]:
            told = _TOLD.get(allowed, "from {} to {}".format(*allowed))
            raise ValueError(f"{one.name} {value!r} is not {told}")


def add_options(parser: Any, config: Any) -> None:
    """Add an option for every setting of a dataclass that has a help; those that nobody gives are None."""
    for one in fields(config):
        if text := one.metadata["help"]:
            option, needed = "--" + one.name.replace("_", "-"), one.default is MISSING
            told = text if needed else f"{text} (default: {one.default})"
            if one.type == "bool":
                parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=told)
            else:
                parser.add_argument(option, type=_KINDS[str(one.type)][-1], required=needed, help=told)


def given_options(options: Mapping[str, Any], config: Any) -> dict[str, Any]:
    """Return the settings of a dataclass that somebody gave on the command line."""
    return {one.name: options[one.name] for one in fields(config) if options.get(one.name) is not None}


def _widths(name: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(width) for width in text.split(",") if width.strip())
    except ValueError:
        raise ValueError(f"{name} {text!r} is not whole numbers with commas between them") from None


_LATER: Final[dict[str, Any]] = {"adviser": "planner", "against": "", "imitate_epochs": 1}
"""What runs did that were begun before there were these settings."""
_UNTOLD: Final[dict[str, Any]] = {"game": GAMES[0], "variant": "", "reward_scale": 1.0}
"""What is written down only where it is something else, so that version 0.2.0 reads its own game's runs."""
_OF_A_BOARD: Final = ("max_turns", "coin_supply", "board")  # the settings that a game's set-up may lack

OF_THE_LEAGUE: Final = ("scripted", "current", "snapshots", "pool", "focus", "floor", "mixed")
"""The settings that say nothing where one agent has all the games."""


@dataclass(frozen=True)
class TrainConfig:
    """The settings of a training run, which are saved with it."""

    minutes: float = setting(5.0, "minutes of training, over all sessions; 0 for no limit")
    steps: int = setting(0, "decisions to train on, in whole rollouts (games × horizon); 0 for no limit")
    players: int = setting(2, "players at the table")
    seed: int = setting(0, "seed of games, first weights and draws", (0, 2**31 - 1))
    reward: str = setting("mixed", "what is learnt from: a reward of the game")
    max_turns: int = setting(500, "turns after which a game is cut off", (1, MOST_TURNS))
    coin_supply: int = setting(0, "coins in the bank; 0 for the board's", (0, MAX_COIN_SUPPLY))
    board: str = setting("", "board file of your own")

    games: int = setting(512, "games played side by side", (1, 2**20))
    horizon: int = setting(32, "decisions of each game between two updates", (1, 2**16))
    epochs: int = setting(3, "passes over the decisions of an update", (1, 1000))
    minibatch: int = setting(2048, "decisions of a minibatch", (2, 2**24))
    learning_rate: float = setting(1e-3, "at the start; it falls to 0 along a line", ABOVE_0)
    gamma: float = setting(1.0, "discount per decision", PART)
    gae_lambda: float = setting(0.95, "lambda of the advantage estimate", PART)
    clip: float = setting(0.2, "clip range of the policy ratio", ABOVE_0)
    entropy: float = setting(0.003, "weight of the entropy bonus, which falls with the learning rate", AT_LEAST_0)
    value_weight: float = setting(0.5, "weight of the value loss", AT_LEAST_0)
    max_gradient: float = setting(0.5, "norm to which gradients are clipped", ABOVE_0)
    trunk: str = setting("256", "widths of the layers that policy and value share")
    head: str = setting("256", "widths of the layers of policy and value each")
    advice: bool = setting(True, "tell the network what its adviser thinks")
    adviser: str = setting("planner", "who that is: an adviser of the game")
    bfloat16: bool = setting(True, "compute in bfloat16 where that is quick")

    teacher: str = setting("planner", "who is imitated: a scripted opponent, or search:appraiser:N with N playouts")
    imitate: float = setting(0.0, "seconds of imitation before self-play, part of the minutes", AT_LEAST_0)
    imitate_samples: int = setting(0, "decisions to imitate; 0 to go by seconds", (0, 2**62))
    imitate_epochs: int = setting(1, "passes over them", (1, 1000))
    imitate_rate: float = setting(1e-3, "its first learning rate, which falls nearly to 0", ABOVE_0)
    imitate_minibatch: int = setting(1024, "decisions of its minibatches", (2, 2**24))
    imitate_random: float = setting(0.05, "part of the moves in its games, 0 to 1, that are random", PART)

    current: float = setting(0.35, "share of games against the current policy", PART)
    snapshots: float = setting(0.20, "share of games against older snapshots of it", PART)
    scripted: str = setting("greedy,planner,rusher,random", "scripted opponents, which have the rest")
    against: str = setting("", "agent that has all the games: its name, or the path of a trained one")
    mixed: float = setting(0.5, "part of the games of 3 or more with several opponents", PART)
    focus: float = setting(2.0, "power to which losing counts in sharing games", AT_LEAST_0)
    floor: float = setting(0.05, "weight that each opponent has besides", (1e-6, 1e6))
    pool: int = setting(8, "snapshots that play; the one beaten most makes room", (1, 1000))
    snapshot_every: float = setting(0.05, "part of the training, 0 to 1, between two snapshots", _SOME)
    panel_every: float = setting(0.2, "part of the training, 0 to 1, between two comparisons with the panel", _SOME)
    panel_games: int = setting(400, "games against each member of the panel; 0 for no comparisons", (0, 2**20))
    checkpoint_seconds: float = setting(60.0, "seconds of training between two checkpoints", ABOVE_0)

    game: str = setting(GAMES[0], "")
    variant: str = setting("", "parameters of the game's set-up besides, as JSON")
    reward_scale: float = setting(1.0, "what rewards are divided by", ABOVE_0)

    def __post_init__(self) -> None:
        check_settings(self)
        rules = self.rules
        if self.players not in rules.players:
            raise ValueError(f"players {self.players} is not from {rules.players[0]} to {rules.players[-1]}")
        if not 0 <= self.minutes < math.inf or self.steps < 0 or not (self.minutes or self.steps):
            raise ValueError(
                f"minutes {self.minutes!r} and steps {self.steps!r}: at least one above 0, none below, and both finite"
            )
        if self.games * self.horizon < 2:
            raise ValueError("games 1 and horizon 1: an update is learnt from at least 2 decisions")
        rewards = [name for name, one in rules.rewards.items() if self.players > 1 or one.kind >= GROWTH]
        if self.reward not in rewards:
            raise ValueError(f"reward {self.reward!r} is not one of {', '.join(rewards)}")
        if rules.advice is None and (self.advice or self.imitates):
            raise ValueError(f"advice or imitation: {self.game} has no adviser; use --no-advice, and no --imitate")
        if rules.advice is not None and self.adviser not in rules.advice.names:
            raise ValueError(f"adviser {self.adviser!r} is not one of {', '.join(rules.advice.names)}")
        if odd := [n for n in _OF_A_BOARD if n not in rules.options and getattr(self, n) != getattr(TrainConfig, n)]:
            raise ValueError(f"{odd[0]} {getattr(self, odd[0])!r}: a game of {self.game} has none")
        self._options()
        if not self.trunk_widths:
            raise ValueError("trunk has no layer")
        for name, widths in (("trunk", self.trunk_widths), ("head", self.head_widths)):
            if not all(1 <= width <= 4096 for width in widths):
                raise ValueError(f"{name} {getattr(self, name)!r} is not of widths from 1 to 4096")
        if rules.advice is not None:
            self._check_teacher()
        for name in self.scripted_names:
            if name not in rules.opponents:
                raise ValueError(f"unknown scripted opponent {name!r}; known are {', '.join(rules.opponents)}")
        if len(set(self.scripted_names)) < len(self.scripted_names):
            raise ValueError(f"scripted {self.scripted!r} names an opponent twice")
        if self.against and not self.rivals:
            raise ValueError(f"against {self.against!r}: nobody plays against each other here")
        if self.against or not self.rivals:  # one has all the games
            return
        if self.current + self.snapshots > 1 + 1e-9:
            raise ValueError(f"current {self.current!r} and snapshots {self.snapshots!r} are more than 1 together")
        if not (self.scripted_names or self.current or self.snapshots):
            raise ValueError("no opponents: scripted is empty, current and snapshots are 0")

    def _check_teacher(self) -> None:
        try:
            named = AgentName.parse(self.teacher)
        except UnknownAgent:
            named = AgentName("", "trained")
        if named.kind != "scripted" and not (named.kind == "search" and named.source == APPRAISER and self.searched):
            known = f"{', '.join(self.rules.opponents)}, search:appraiser:N with N playouts"
            raise ValueError(f"teacher {self.teacher!r} is not one of {known}")

    @property
    def rules(self) -> Rules:
        """The game."""
        return rules_of(self.game)

    @property
    def rivals(self) -> bool:
        """Whether the seats play against each other; else there is no league, and the total counts."""
        return self.players > 1 and not self.rules.verbs.TEAM

    @property
    def told(self) -> str:
        """Whose advice the network takes; "" for nobody's."""
        return self.adviser if self.advice else ""

    @property
    def trunk_widths(self) -> tuple[int, ...]:
        """The widths of the shared layers."""
        return _widths("trunk", self.trunk)

    @property
    def head_widths(self) -> tuple[int, ...]:
        """The widths of the layers of the policy, which are those of the value too."""
        return _widths("head", self.head)

    @property
    def scripted_names(self) -> tuple[str, ...]:
        """The names of the scripted opponents."""
        return tuple(name.strip() for name in self.scripted.split(",") if name.strip())

    @property
    def fixed_names(self) -> tuple[str, ...]:
        """The opponents that learn nothing: :attr:`against` alone, or the scripted ones."""
        return (self.against,) if self.against else self.scripted_names

    @property
    def imitates(self) -> bool:
        """Whether imitation precedes self-play."""
        return bool(self.imitate or self.imitate_samples)

    @property
    def searched(self) -> bool:
        """Whether the teacher searches, which takes a hundred times as long as what scripted opponents do."""
        return AgentName.parse(self.teacher).budget.playouts > 0

    def setup(self, board: Board | None) -> Any:
        """Return the set-up of the games, on the board that :attr:`board` names, if the game has boards."""
        own = {"board": board, "coin_supply": self.coin_supply or None, "max_turns": self.max_turns}
        rules = self.rules
        return rules.setup(self.players, **{n: own[n] for n in own if n in rules.options}, **self._options())

    def _options(self) -> dict[str, Any]:
        """Return what :attr:`variant` says. Raises ValueError if it is no JSON, or names what there is not."""
        if not self.variant:
            return {}
        found = json.loads(self.variant)
        known = [name for name in self.rules.options if name not in _OF_A_BOARD]
        if not isinstance(found, dict) or not {*found} <= {*known}:
            raise ValueError(f"variant {self.variant!r} is not a JSON object with some of {', '.join(known)}")
        self.rules.setup(self.players, **found)
        return found

    def command(self) -> str:
        """Return a command that trains with these settings, leaving out those of the preset `quick`."""
        words = ["python", "train.py"]
        if self.game != GAMES[0]:
            words += ["--game", self.game, "--learner", "ppo"]
        usual = preset("quick", self.game)
        for f in fields(self):
            value = getattr(self, f.name)
            option = f.name.replace("_", "-")
            if value != getattr(usual, f.name) and not (self.against and f.name in OF_THE_LEAGUE):
                words += (
                    [f"--{'' if value else 'no-'}{option}"] if isinstance(value, bool) else [f"--{option}", f"{value}"]
                )
        return shlex.join(words)

    def to_json(self) -> str:
        """Return the JSON that a run keeps."""
        told = {n: value for n, value in asdict(self).items() if n not in _UNTOLD or value != _UNTOLD[n]}
        return json.dumps(told, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> TrainConfig:
        """Read what :meth:`to_json` returned.

        Raises ValueError: a setting is unknown, missing or outside its range.
        """
        try:
            data = json.loads(text)
        except RecursionError as error:
            raise ValueError(f"no settings: {error}") from None
        names, missing = {f.name for f in fields(cls)}, _LATER | _UNTOLD
        if not isinstance(data, dict) or set(data) | missing.keys() != names:
            odd = sorted((set(data) | missing.keys()) ^ names) if isinstance(data, dict) else data
            raise ValueError(f"settings of another version of the project: {odd}")
        for name in ("snapshot_every", "panel_every"):  # which could be more, and meant never
            if isinstance(data[name], int | float):
                data[name] = min(data[name], 1.0)
        return cls(**missing | data)


_LONG: Final = replace(TrainConfig(), trunk="256,256", current=0.25, snapshots=0.15, panel_games=1000)
PRESETS: Final = {
    "quick": TrainConfig(),
    "hour": replace(_LONG, minutes=60.0, panel_every=0.1),
    "full": replace(_LONG, minutes=720.0, pool=16, snapshot_every=0.02, panel_every=0.05),
    "strong": replace(
        _LONG, minutes=120.0, panel_every=0.1, adviser="appraiser", scripted="appraiser,planner,rusher,greedy"
    ),
}
"""The presets of ``train.py``: a first agent in five minutes, one worth playing against, a longer one, and one that
begins as strong as ``appraiser``."""
_BY_GAME: Final[dict[str, dict[str, Any]]] = {
    "dorfromantik": {"reward": "steady", "reward_scale": 20.0},
    "agricola": {"reward": "score", "reward_scale": 10.0, "scripted": "greedy,planner,random"},
}
"""What games set differently that the rules do not say; nobody advises there."""


def preset(name: str, game: str = GAMES[0]) -> TrainConfig:
    """Return the settings of a preset for a game."""
    if game == GAMES[0]:
        return PRESETS[name]
    rules = rules_of(game)
    players = rules.setup().players
    alone = players == 1 or rules.verbs.TEAM
    own = {"players": players, "reward": rules.reward(None, players)[0]}
    own |= {"scripted": "" if alone else ",".join(rules.opponents), **_BY_GAME.get(game, {})}
    return replace(PRESETS[name], game=game, advice=False, adviser="planner", **own)
