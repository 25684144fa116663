"""A run: one algorithm learns one task from one seed with one budget, and plays now and then.

It follows from its cell and the versions of the libraries alone, but for the seconds, and but for budgets of time.
"""

import hashlib
import importlib.util
import inspect
import json
import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from safetensors.torch import load_file, save

from agents.common.statistics import mean_estimate
from agents.common.versions import versions
from agents.players.foreign import ForeignAgent
from agents.positions.book import SCALE, Book
from benchmarks.algorithms import ALGORITHMS
from bohemian_env.engine.checks import is_whole
from bohemian_env.engine.errors import brief
from bohemian_env.tasks import TASKS, Task, task_named
from bohemian_env.villages import tasks as villages

from . import VERSION
from .games import NoCounterpart, module_for
from .reference import REFERENCE, core_seconds, planner_games
from .score import score, transfers
from .settings import chosen

MOST_BUDGET: Final = 1e12  # a budget is below this
BUDGETS: Final = {"decisions": 1_000_000.0, "minutes": 10.0}
"""What a run may use up, by the unit, and how much of it by default: decisions, or core-minutes of the reference."""
_POSITIONS: Final = Path(__file__).with_name("positions.json")
"""200 of each number of players, drawn and rolled out by the agents of their day."""
SEEDS: Final = 1_000_000  # how far the seeds of two runs are apart: games side by side have seeds in a row
FINAL: Final = 2**61
"""The seed of the first game after all learning; those of runs are GAMES apart. Learning has none of these seeds."""
_CURVE: Final = FINAL + 2**40
GAMES: Final = 1_000_000
MOST_SEEDS: Final = 4000  # runs have seeds below this: PyTorch and NumPy take no larger ones than 2**32


class BadCell(ValueError):
    """There is no such algorithm, task, seed, budget or setting, or a file holds no row, or not the agent of a run."""


class CannotLearn(BadCell):
    """An algorithm takes what the game of a task does not have."""


def shown(value: object) -> str:
    """Return a value as a message shows it: at most 60 characters."""
    return brief(value)[:60]


@dataclass(frozen=True)
class Plan:
    """How often an agent plays, and how many games. Raises BadCell for numbers out of range."""

    points: int = 10  # points of the learning curve
    curve_games: int = 500  # games for each of them
    games: int = 2000  # games after all learning, and for each transfer
    transfer: bool = True  # whether it plays besides what it has not learnt

    def __post_init__(self) -> None:
        for name, fewest in (("points", 0), ("curve_games", 1), ("games", 1)):
            if not is_whole(getattr(self, name), fewest, GAMES):
                raise BadCell(f"{name} {shown(getattr(self, name))} is not a whole number from {fewest} to {GAMES:,}")
        if not isinstance(self.transfer, bool):
            raise BadCell(f"transfer {shown(self.transfer)} is neither true nor false")


@dataclass(frozen=True)
class Cell:
    """What a run follows from.

    Raises BadCell: there is no such algorithm, task, seed, budget or setting, or one of its settings has no default.
    """

    algorithm: str
    task: str
    seed: int
    unit: str = "decisions"  # a name of BUDGETS
    budget: float = BUDGETS["decisions"]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for what, given, known in (
            ("algorithm", self.algorithm, list(ALGORITHMS)),
            ("task", self.task, list(TASKS)),
            ("unit", self.unit, list(BUDGETS)),
        ):
            if given not in known:
                raise BadCell(f"unknown {what} {shown(given)}; known are {', '.join(known)}")
        if not is_whole(self.seed, 0, MOST_SEEDS - 1):
            raise BadCell(f"seed {shown(self.seed)} is not a whole number from 0 to {MOST_SEEDS - 1}")
        if not is_number(self.budget) or not 0 < self.budget < MOST_BUDGET:
            raise BadCell(f"{self.unit} {shown(self.budget)} is not above 0 and below {MOST_BUDGET:,.0f}")
        if not isinstance(self.settings, Mapping):
            raise BadCell(f"settings {shown(self.settings)}: expected an object with the name and the value of each")
        defaults = self.defaults
        for name, value in self.settings.items():
            if name not in defaults:
                raise BadCell(f"{self.algorithm}: unknown setting {shown(name)}; known are {', '.join(defaults)}")
            if wanted := _unlike(value, defaults[name]):
                raise BadCell(f"{self.algorithm}: {name} {shown(value)} is not {wanted}")
        module_of(self.algorithm, self.task)

    @property
    def has_own_settings(self) -> bool:
        """Whether its settings are others than the benchmark's."""
        return self.settings != chosen(self.algorithm)

    @property
    def repeatable(self) -> bool:
        """Whether others train it again: with the benchmark's settings, and no more than its longest budget."""
        return not self.has_own_settings and self.budget <= 10 * BUDGETS[self.unit]

    @property
    def defaults(self) -> dict[str, Any]:
        """What the settings of its algorithm are where :attr:`settings` do not say otherwise, as JSON has them. Raises
        BadCell if one has no such default."""
        parameters = list(inspect.signature(module_of(self.algorithm).learn).parameters.values())[3:]
        try:
            return dict(json.loads(json.dumps({one.name: one.default for one in parameters})))
        except TypeError as error:
            raise BadCell(f"{self.algorithm}: a setting of learn has no default that JSON knows: {error}") from error

    @property
    def name(self) -> str:
        """The path of its row below the folder of results, without the ending."""
        return f"{self.unit}-{self.budget:.12g}/{self.task}/{self.algorithm}-{self.seed}"

    @property
    def command(self) -> str:
        """What runs it alone."""
        words = ["python", "-m", "benchmarks.learning", "run", "--algorithms", self.algorithm, "--tasks", self.task]
        words += ["--first-seed", str(self.seed), "--seeds", "1"]
        if self.has_own_settings:
            words += ["--settings", json.dumps(dict(self.settings))]
        if self.budget != BUDGETS["decisions"] or self.unit != "decisions":
            words += [f"--{self.unit}", f"{self.budget:.12g}"]
        return shlex.join(words)

    def command_in(self, work: Path) -> str:
        """Return what runs it alone and leaves its agent in a folder, even where its row is kept."""
        return f"{self.command} {shlex.join(['--out', str(work / 'again'), '--work', str(work)])}"


def is_number(value: object) -> bool:
    """Return whether a value is a number, and not so large that it is infinite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _unlike(value: object, default: object) -> str:
    """Return what a setting with this default has to be, if a value is not that; "" if it is."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        return "" if is_whole(value, 1, 2**31 - 1) else "a whole number of at least 1"
    if isinstance(default, float):
        return "" if is_number(value) and value >= 0 else "a number of at least 0"  # type: ignore[operator]
    return "" if type(value) is type(default) else f"like its default, {brief(default)}"


def version_of(task: str) -> int:
    """Return the version of the benchmark in which a task is what it is today."""
    return 1 if task in villages.TASKS else VERSION


def module_of(algorithm: str, task: str = "2p-planner") -> Any:
    """Return the file of an algorithm as a module that learns a task. Raises BadCell if it cannot learn that."""
    try:
        return module_for(algorithm, task_named(task))
    except NoCounterpart as error:
        raise CannotLearn(str(error)) from None


def add_algorithm(file: Path) -> str:
    """Run the file of an algorithm and make it known under the name of the file, which is returned.

    It takes the place of an algorithm of that name. Raises BadCell if the file cannot be run or is not an algorithm.
    """
    name = f"benchmarks.algorithms.{file.stem}"
    try:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None or not file.stem.isidentifier():
            raise ImportError("expected a file of Python whose name is a name in Python")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        if missing := [part for part in ("learn", "Agent") if not hasattr(module, part)]:
            raise ImportError(f"it has no {missing[0]}")
    except Exception as error:
        sys.modules.pop(name, None)
        raise BadCell(f"{file} is not an algorithm: {type(error).__name__}: {error}") from error
    ALGORITHMS[file.stem] = (module.__doc__ or "").partition("\n")[0]
    return file.stem


def algorithm_file(algorithm: str) -> str:
    """Return the file of an algorithm, as rows name it."""
    return f"benchmarks/algorithms/{algorithm}.py"


def source_digest(algorithm: str) -> str:
    """Return the SHA-256 of the file of an algorithm."""
    return hashlib.sha256(Path(module_of(algorithm).__file__).read_bytes()).hexdigest()


def load_agent(algorithm: str, path: Path, task: str = "2p-greedy") -> Any:
    """Return the agent of a finished run, which learnt a task or one of the same game.

    Raises BadCell if the file holds none of this algorithm.
    """
    try:
        agent = module_of(algorithm, task).Agent.of(load_file(path))
        score(agent, TASKS[task], 1, FINAL)  # its numbers may be of another size
        return agent
    except Exception as error:
        raise BadCell(f"{path} holds no agent of {algorithm}: {error}") from error


def run_cell(cell: Cell, plan: Plan) -> tuple[dict[str, Any], bytes]:
    """Run a cell, on one core; return its row, and the agent as a file. Games for the score are not counted as time.

    Raises BadBook, OSError: the rolled-out positions are missing or damaged, which is found before anything is learned.
    """
    book()
    torch.set_num_threads(1)
    task, module = task_named(cell.task), module_of(cell.algorithm, cell.task)
    rate = planner_games(1.0)
    total = cell.budget if cell.unit == "decisions" else core_seconds(cell.budget, rate)
    for _ in module.learn(task, lambda decisions: float(decisions == 0), 0, **cell.settings):
        pass  # what is loaded or compiled at first
    curve: list[dict[str, float]] = []
    agent: Any = None
    decisions, spent, began = 0, 0.0, time.process_time()

    def left(decisions: int) -> float:
        used = decisions if cell.unit == "decisions" else spent + time.process_time() - began
        return max(0.0, 1 - used / total)

    for decisions, agent in module.learn(task, left, cell.seed * SEEDS, **cell.settings):
        now = time.process_time()
        spent, began = spent + now - began, now
        part = 1 - left(decisions)
        if len(curve) + 1 <= round(part * plan.points, 9):
            found = score(agent, task, plan.curve_games, _CURVE + cell.seed * GAMES)
            curve.append({"decisions": decisions, "seconds": round(spent, 2), found.kind: found.value})
        began = time.process_time()  # games for the curve are not counted
    first, content = FINAL + cell.seed * GAMES, save(agent.tensors())
    row = {
        "benchmark": version_of(cell.task),
        **asdict(cell),
        "settings": dict(cell.settings),
        "defaults": cell.defaults,
        "plan": asdict(plan),
        "files": {
            algorithm_file(cell.algorithm): source_digest(cell.algorithm),
            f"{cell.algorithm}-{cell.seed}.safetensors": hashlib.sha256(content).hexdigest(),
        },
        "command": cell.command,
        "decisions": decisions,
        "seconds": round(spent, 2),
        "planner_games_per_second": round(rate, 1),
        "reference": REFERENCE,
        "curve": curve,
        "score": score(agent, task, plan.games, first).told(),
        "transfer": {
            name: score(agent, other, plan.games, first).told()
            for name, other in (transfers(task) if plan.transfer else {}).items()
        },
        **({"positions": judged(agent, task)} if isinstance(task, villages.Task) else {}),
        "versions": {**versions(), "numpy": np.__version__},
    }
    return row, content


@cache
def book() -> Book:
    """Return the rolled-out positions in which this version judges agents of runs. Raises BadBook or OSError.

    They are not those of agents.positions, which are made anew when ``appraiser`` is: what was published compares.
    """
    return Book.load(_POSITIONS)


def judged(agent: Any, task: Task) -> dict[str, Any]:
    """Return the mean chance of winning that a decision loses, × 1,000, with its interval, and the digest of the book.

    agent: as for ``score``. Its decisions are those in the positions with as many players as the task has.
    Raises BadBook or OSError.
    """
    player = agent if hasattr(agent, "act_batch") else ForeignAgent(agent)
    found = asdict(mean_estimate(SCALE * book().losses(player, task.players)))
    return {"book": book().digest, **{name: round(value, 3) for name, value in found.items()}}
