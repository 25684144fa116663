"""A training run: a folder with its settings, checkpoint, snapshots, logs, and the agent that it has made so far.

==========================  ==========================================================================================
``settings.json``           its :class:`TrainConfig`
``checkpoint.safetensors``  what it goes on from: weights, state of the optimiser and of the league
``agent.safetensors``       the agent to share, which did best against the panel so far, with ``agent.json``
``board.toml``              a copy of the board file, for a run on a board of its own
``snapshots/``              earlier versions of the agent, as agents, and a copy of that which it is trained against
``panel.jsonl``             win shares against the panel, or mean totals where there are no rivals, a line for each
                            comparison; ``panel.svg`` shows them
``tensorboard/``            curves
``.lock``, ``.holder``      keep other processes out (``folder.py``)
==========================  ==========================================================================================
"""

import functools
import math
import operator
import shlex
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
from torch.utils.tensorboard import SummaryWriter

from agents.common.command import held_back
from agents.common.files import write_atomically
from agents.common.versions import rooms_hash, versions
from agents.network.files import NAME, board_of, check_shape, save_net
from agents.network.net import PolicyNet, RunAway, Shape, bfloat16_pays
from agents.players.policy import PolicyAgent
from bohemian_env import Board
from bohemian_env.engine.sb3 import LearnerVecEnv
from bohemian_env.games import faces_of

from .checkpoint import Checkpoint
from .config import TrainConfig
from .folder import BOARD_FILE, CONFIG_FILE, LOGS, BadRun, RunFolder
from .imitation import Demonstrations, imitate
from .league import Drawn, League, network_of
from .panel import panel_shares, write_results
from .ppo import CompactBuffer, CompactDictBuffer, NetPolicy, SelfPlayPPO
from .ranks import ALONE, RankFailed, Ranks

_SHOWN: Final = 16_384  # decisions of the teacher at a time
_SEARCHED: Final = 4_096  # if they are searched, which takes some milliseconds each
_FIRST_GAME: Final = 2**59  # seed of the first game, far from those by which agents are measured
_FIRST_SHOWN: Final = 2**60  # seed of the teacher's first game, far from those of self-play
_LEAST_RATE: Final = 0.02  # part of the rate of imitation that is left at its end
_MOST: Final = 2**60  # of the samples, from which seeds follow, that end at 2**63
_COUNTED: Final = ("samples", "updates", "imitated_samples", "ranks")  # what is a whole number in a checkpoint
_ROUNDING: Final = 1e-9  # by which parts of the budget may miss a multiple of another part
CHECKPOINT: Final = "checkpoint.safetensors"  # the name of the checkpoint in a run's folder
_OLD_CHECKPOINT: Final = "checkpoint.zip"  # which ran code
_ROOMS: Final = ("common", "network", "players", "training")
"""Folders of agents/ whose code must be the same on all ranks."""
_EVERY: Final = {"snapshot": "snapshot_every", "panel": "panel_every"}
"""What a run does now and then, and the setting that says how often."""
PANEL_FILE: Final = "panel.jsonl"  # the name of the file of results against the panel there


class Progress(NamedTuple):
    """Where a run stands."""

    part: float  # the part of the budget that is spent, 0 to 1
    seconds: float  # the seconds of training, over all sessions
    samples: int  # the decisions of the learner, over all sessions
    rate: float  # the decisions per second in this session
    wins: dict[str, float]  # the recent win share of the learner, which draws its moves, against each kind of opponent
    note: str = ""  # anything else there is to say


def _other_version(path: Path, why: str) -> str:
    return (
        f"{path}: cannot be read, or is of another version of the project: {why}; its agent may still "
        f"begin a new run: --from {shlex.quote(str(path.parent))}"
    )


def _with_network(config: TrainConfig, shape: Shape, chosen: Collection[str]) -> TrainConfig:
    """Return settings with the network of an agent. Raises BadRun if they were chosen to be of another one."""
    fits = {
        "trunk": config.trunk_widths == shape.trunk,
        "head": config.head_widths == shape.policy == shape.value,
        "advice": config.advice == bool(shape.adviser),
        "adviser": config.adviser == shape.adviser or not (config.advice or shape.adviser),
    }
    for name in fits:
        if name in chosen and not fits[name]:
            given = f"{name} {getattr(config, name)!r}"
            raise BadRun(f"{given} is not what the agent has, whose network is taken: {shape.to_json()}; leave it out")
    trunk, head = (",".join(map(str, widths)) for widths in (shape.trunk, shape.policy))
    adviser = shape.adviser or config.adviser
    return replace(config, trunk=trunk, head=head, advice=bool(shape.adviser), adviser=adviser)


class _Curves(TensorBoardOutputFormat):
    """SB3's writer of curves. begun: the first step that earlier sessions are not to show; None for a new run."""

    def __init__(self, folder: str, begun: int | None) -> None:
        self.writer = SummaryWriter(log_dir=folder, purge_step=begun)
        self._is_closed = False


class _Tally(BaseCallback):
    """Tells the league how the learner's games end: at once, or with several ranks after the rollout, those of all."""

    def __init__(self, league: League, ranks: Ranks) -> None:
        super().__init__()
        self._league = league
        self._ranks = ranks
        self._ended: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        games = self.training_env.games  # type: ignore[attr-defined]
        for i in np.flatnonzero(games.dones):
            ended = games.ended.win if games.rivals else games.ended.total
            self._ended.append((int(games.ended.opponent[i]), float(ended[i])))
        if self._ranks.count == 1:
            self._record()
        return True

    def _on_rollout_end(self) -> None:
        self._record()

    def _record(self) -> None:
        for ended in self._ranks.gathered(self._ended):
            for opponent, win in ended:
                self._league.record(opponent, win)
        self._ended = []


def _games_of(config: TrainConfig, n: int, *given: Any, **parameters: Any) -> LearnerVecEnv:
    """Return ``n`` games of a run, whose rewards are divided as its settings say."""

    class Games(LearnerVecEnv):
        self_play = faces_of(config.game).SelfPlay

        def step_wait(self) -> VecEnvStepReturn:
            observations, rewards, dones, infos = super().step_wait()
            return observations, rewards / np.float32(config.reward_scale), dones, infos

    return Games(n, *given, **parameters)


class TrainingRun:
    """A run in a folder: a new one, or one to go on with.

    Args:
        folder: the folder of the run.
        config: the settings of a new run; None goes on with the run in ``folder``.
        device: the torch device.
        start: the agent whose network a new run begins with, in place of the one in ``config``: ``"ppo"`` or a path.
        chosen: the names of settings in ``config`` that somebody chose; those of the network must be the agent's then.
        ranks: those that train together, each of which makes this object. Rank 0 alone reads and writes the folder, and
            reads ``start``. Where they may be restarted, a run with these settings in ``folder`` is gone on with.

    Raises:
        BadRun: the folder is not empty although ``config`` was given, or holds no run to go on with, or another process
            trains in it, or the network of ``start`` is not the one that was chosen.
        BadAgent: ``start`` is not an agent that fits, or the network of ``config`` could not be loaded again.
        BadRanks: the ranks differ in version, code or settings, or cannot share the games out evenly.
        RankFailed: another rank has failed.
    """

    def __init__(
        self,
        folder: Path,
        config: TrainConfig | None,
        device: str = "cpu",
        start: str | Path | None = None,
        chosen: Collection[str] = (),
        ranks: Ranks = ALONE,
    ) -> None:
        self.folder = folder
        self._ranks = ranks
        self._own = RunFolder(folder, ", or --resume to go on with a run in it")
        resumed = config is None
        given = {"resume": resumed, **({} if config is None else asdict(config))}
        ranks.check(lambda: {**versions(), "agents": rooms_hash(_ROOMS), **given})
        if config is None:
            config = ranks.first(lambda: self._read_config(folder))
        elif not ranks.restarts:
            ranks.first(self._own.check_free)
        self.device = device
        named = config.board
        # That of a run on a board of its own: when it goes on its copy, unless it never made one.
        copy = folder / BOARD_FILE
        own_board = ranks.first(lambda: (copy if resumed and copy.exists() else Path(named)) if named else None)
        game, read = config.game, config
        self.board = ranks.first(lambda: Board.load(own_board) if own_board else board_of(game))
        first = None if start is None else ranks.first(lambda: network_of(str(start), read, self.board))
        if first is not None:
            config = _with_network(config, first.shape, chosen)
        if ranks.restarts and not resumed:
            resumed = ranks.first(lambda: self._begun(config))
        self._games = ranks.divided("games", config.games)
        self._minibatch = ranks.divided("minibatch", config.minibatch)
        self._imitate_minibatch = ranks.divided("imitate_minibatch", config.imitate_minibatch if config.imitates else 0)
        self._most_ranks = ranks.count
        self.config = config
        self._from = "" if start is None else str(start)
        self._spent_before = 0.0
        self._started: float | None = None
        self._saved_at = 0.0
        self._saved_samples: tuple[int, int] | None = None
        self._imitated_seconds, self._imitated_samples = 0.0, 0
        self._imitation_over = not config.imitates
        self._begun_at = 0.0  # the part of the budget that was spent when the games of an update began
        self._due: dict[str, float] = {}  # the parts of the budget at which the next snapshot and panel are due
        self.panel: list[dict[str, Any]] = []
        """The results of the comparisons with the panel so far."""

        torch.manual_seed(config.seed)
        nobody = PolicyNet(Shape(adviser=config.told, game=config.game))  # stands in until there is a learner
        bfloat16 = config.bfloat16 and bfloat16_pays(device)
        seed = ranks.own_seed(config.seed + 1)
        current = PolicyAgent(nobody, "current", seed, sample=True, bfloat16=bfloat16, device=device)
        self.league = League(folder / "snapshots", config, Drawn(current), self.board, device, bfloat16, ranks)
        self.env = _games_of(
            config,
            self._games,
            self.league.opponents,
            self.league.shares(),
            num_players=config.setup(self.board),
            reward=config.reward,
            mixed=config.mixed,
            advice=config.told or False,
            seed=0,  # any: the games of the learner begin below
        )
        self.tally = _Tally(self.league, ranks)
        if resumed:
            self._resume()
        else:
            self.model = self._learner(first.shape if first else self._shape(config.head_widths))
            if first:
                self.net.load_state_dict(first.state_dict())
        self.model.ranks = ranks
        self.model.progress = lambda: self._begun_at
        self.model.policy.bfloat16 = bfloat16
        current.net = self.net
        # A run that goes on has games and draws of its own instead of repeating those of its beginning.
        beginning = config.seed * 2**20 + self.model.num_timesteps
        self.env.games.set_shares(self.league.shares())
        self.env.seed(_FIRST_GAME + beginning + ranks.rank * self._games)
        torch.manual_seed(ranks.own_seed(beginning))
        if resumed:
            self.league.reseed(beginning)
        else:
            ranks.first(lambda: self._own.claim(new=True))
            ranks.first(lambda: write_atomically(folder / CONFIG_FILE, config.to_json().encode()))
        if own_board and own_board != copy:
            ranks.first(lambda: write_atomically(copy, own_board.read_bytes()))
        ranks.share(self.net.parameters())
        self._resumed = resumed
        self.model.set_logger(self._logger(LOGS, self.model.num_timesteps))

    def _logger(self, where: str, samples: int) -> Logger:
        """Return what writes curves in a folder, on rank 0 alone; where the run goes on, those of after ``samples``
        decisions, which were lost with it, are not shown any more."""
        if self._ranks.rank:
            return Logger(None, [])
        folder = str(self.folder / where)
        return Logger(folder, [_Curves(folder, samples + 1 if self._resumed else None)])

    def _begun(self, config: TrainConfig) -> bool:
        """Return whether a run with these settings was begun in the folder; check that it is free if none was."""
        if (self.folder / CHECKPOINT).exists() and self._read_config(self.folder) == config:
            return True
        self._own.check_free()
        return False

    @staticmethod
    def _read_config(folder: Path) -> TrainConfig:
        path = folder / CONFIG_FILE
        if (folder / _OLD_CHECKPOINT).exists() and not (folder / CHECKPOINT).exists():
            raise BadRun(_other_version(folder / _OLD_CHECKPOINT, "checkpoints held code then"))
        if not path.exists() or not (folder / CHECKPOINT).exists():
            raise BadRun(f"{folder} holds no run to go on with: {CONFIG_FILE} or {CHECKPOINT} is missing")
        try:
            return TrainConfig.from_json(path.read_text(encoding="utf-8-sig"))
        except (OSError, TypeError, ValueError) as error:
            raise BadRun(f"{path}: {error}") from None

    def _shape(self, value_widths: tuple[int, ...]) -> Shape:
        c = self.config
        return Shape(c.trunk_widths, c.head_widths, value_widths, c.told, c.game)

    def _learner(self, shape: Shape) -> SelfPlayPPO:
        c = self.config
        check_shape(shape)
        return SelfPlayPPO(
            NetPolicy,
            self.env,
            learning_rate=functools.partial(operator.mul, c.learning_rate),  # times what remains of the budget
            n_steps=c.horizon,
            batch_size=self._minibatch,
            n_epochs=c.epochs,
            gamma=c.gamma,
            gae_lambda=c.gae_lambda,
            clip_range=c.clip,
            ent_coef=c.entropy,
            vf_coef=c.value_weight,
            max_grad_norm=c.max_gradient,
            rollout_buffer_class=CompactDictBuffer if shape.adviser else CompactBuffer,
            policy_kwargs={"shape": shape},
            seed=c.seed,
            device=self.device,
        )

    def _resume(self) -> None:
        path = self.folder / CHECKPOINT
        self._ranks.first(self._own.claim)
        try:
            checkpoint = self._ranks.first(lambda: Checkpoint.read(path, self.board, self.config.game))
            state = checkpoint.state
            shape = self._shape(tuple(map(int, state["value_widths"])))
            checkpoint.check(shape)  # before memory is taken for it
            model = self.model = self._learner(shape)
            checkpoint.load(self.net, model.policy.optimizer)
            self._due = {name: due for name, due in state.get("due", {}).items() if name in _EVERY}
            state = {"ranks": 1, **state}
            for name in (*_COUNTED, "seconds", "imitated_seconds", *self._due):
                number: Any = self._due.get(name, state.get(name))
                whole, least = name in _COUNTED, int(name == "ranks")
                if type(number) not in ((int,) if whole else (int, float)) or not least <= number <= _MOST:
                    raise ValueError(f"{name} {number!r} is not a {'whole ' * whole}number from {least} to {_MOST:,}")
            model.num_timesteps, model._n_updates = int(state["samples"]), int(state["updates"])
            self._imitated_samples = int(state["imitated_samples"])
            self._saved_samples = model.num_timesteps, self._imitated_samples
            self._spent_before = self._saved_at = float(state["seconds"])
            self._imitated_seconds = float(state["imitated_seconds"])
            self._imitation_over = bool(state["imitation_over"])
            self._from = str(state["from"])
            self._most_ranks = max(self._most_ranks, int(state["ranks"]))
            self.panel = [dict(result) for result in state["panel"]]
            self.league.load_state(state["league"])
        except RankFailed:
            self.close()
            raise
        except Exception as error:  # whatever damaged files end in
            self.close()
            raise BadRun(_other_version(path, str(error))) from None

    # --- the budget ---

    @property
    def seconds(self) -> float:
        """The seconds of training so far, over all sessions."""
        return self._spent_before + (0.0 if self._started is None else time.perf_counter() - self._started)

    def part(self) -> float:
        """Return the part of the budget that is spent, 0 to 1: by the clock of rank 0. All ranks call it together."""
        c, seconds = self.config, self._ranks.agreed(self.seconds)
        of_steps = self.model.num_timesteps / c.steps if c.steps else 0.0
        of_time = seconds / (60 * c.minutes) if c.minutes else 0.0
        return min(max(of_steps, of_time), 1.0)

    # --- training ---

    def train(self, report: Callable[[Progress], None] = lambda progress: None) -> None:
        """Train until the budget is spent, and save. An interrupt saves what there is and is raised again; after any
        other error the last checkpoint stays. The folder is free for others when this returns.

        With several ranks, an interrupt of any of them ends all after the same update.

        Args:
            report: called after every update.

        Raises:
            RankFailed: another rank has failed.
            RunAway: what was learnt is not finite; it is not saved.
        """
        with self._ranks.interrupts():
            self._ranks.first(self._own.claim)
            try:
                if self._saved_samples is None:
                    self.save()  # so that there is something to go on with whenever the process is killed
                self._ranks.first(self.league.keep_against)
                self._started = time.perf_counter()
                if not self._imitation_over:
                    self._imitate(report)
                self._play(report)
                if self.config.panel_games:
                    self._compare_once()
                self.save()
            except KeyboardInterrupt:
                self.save()
                raise
            finally:
                self._spent_before, self._started = self.seconds, None
                self.close()

    def close(self) -> None:
        """Let others have the folder; :meth:`train` does so when it ends."""
        self._own.release()

    def _imitate(self, report: Callable[[Progress], None]) -> None:
        """Learn from the teacher's games until that part is over, then let what was learned play in the league."""
        c, optimizer = self.config, self.model.policy.optimizer
        rows = (_SEARCHED if c.searched else _SHOWN) // self._ranks.count
        shown = Demonstrations(
            rows,
            c.teacher,
            c.imitate_random,
            c.setup(self.board),
            reward=c.reward,
            gamma=c.gamma,
            adviser=c.told,
            seed=self._ranks.own_seed(_FIRST_SHOWN + c.seed * 2**20 + self._imitated_samples),
        )
        logger = self._logger(f"{LOGS}/imitation", self._imitated_samples)  # which counts other decisions
        while (spent := self._imitated_part()) < 1.0 and self.part() < 1.0:
            began = self.seconds
            for group in optimizer.param_groups:
                group["lr"] = c.imitate_rate * max(1 - spent, _LEAST_RATE)
            shown.next()
            passes = [
                imitate(
                    self.net,
                    optimizer,
                    shown,
                    minibatch=self._imitate_minibatch,
                    value_weight=c.value_weight,
                    max_gradient=c.max_gradient,
                    bfloat16=self.model.policy.bfloat16,
                    device=self.device,
                    ranks=self._ranks,
                )
                for _ in range(c.imitate_epochs)
            ]
            loss, value_loss, right = passes[0]  # of what was new to it
            self._require_finite()
            self._imitated_samples += rows * self._ranks.count
            self._imitated_seconds += self.seconds - began
            for name, number in (("loss", loss), ("value_loss", value_loss), ("probability_of_best", right)):
                logger.record(f"imitation/{name}", number)
            logger.dump(self._imitated_samples)
            self._save_now_and_then()
            rate = self._imitated_samples / self._imitated_seconds
            note = f"imitates {c.teacher}: its best moves have {right:.2f}"
            report(Progress(self.part(), self.seconds, 0, rate, {}, note))
        logger.close()
        optimizer.state.clear()  # its averages of gradients belong to another loss
        self.league.add(self.net, 0)
        self.env.games.set_shares(self.league.shares())
        if c.panel_games:
            self._compare_once()
        self._imitation_over = True  # from here on: whoever goes on does what was interrupted again

    def _imitated_part(self) -> float:
        c, seconds = self.config, self._ranks.agreed(self._imitated_seconds)
        return self._imitated_samples / c.imitate_samples if c.imitate_samples else seconds / c.imitate

    def _play(self, report: Callable[[Progress], None]) -> None:
        c, model = self.config, self.model
        per_update = c.games * c.horizon
        samples_before, began = model.num_timesteps, time.perf_counter()
        for name, every in _EVERY.items():
            self._due.setdefault(name, self._next(getattr(c, every)))
        self._look_back()  # at what an interrupt has left undone
        while (begun_at := self.part()) < 1.0:
            self._begun_at = begun_at
            model.learn(per_update, callback=self.tally, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type] # we dump
            self._require_finite()
            wins = self.league.win_shares()
            for kind, share in wins.items():
                model.logger.record(f"play/{'win_share' if c.rivals else 'mean'}_{kind}", share)
            rate = (model.num_timesteps - samples_before) / (time.perf_counter() - began)
            model.logger.record("play/samples_per_second", rate)
            model.dump_logs()  # SB3 would before the update
            self._look_back()
            self._save_now_and_then()
            note = "" if c.rivals else f"mean total {wins.get('total', math.nan):.1f}"
            report(Progress(self.part(), self.seconds, model.num_timesteps, rate, wins, note))

    def _look_back(self) -> None:
        """Take the snapshot that is due, and play against the panel if that is; neither is lost by an interrupt."""
        c, model = self.config, self.model
        if self.part() >= self._due["snapshot"]:
            self.league.add(self.net, model.num_timesteps)
            self._due["snapshot"] = self._next(c.snapshot_every)
        self.env.games.set_shares(self.league.shares())
        if c.panel_games and self._due["panel"] <= self.part() < 1.0:
            self._compare_once()
            self._due["panel"] = self._next(c.panel_every)

    def _next(self, every: float) -> float:
        """Return the next multiple of ``every`` that the spent part of the budget will reach."""
        every = max(every, 1e-6)  # no run is looked at more often
        return every * (int(self.part() / every + _ROUNDING) + 1) - _ROUNDING

    def _compare_once(self) -> None:
        """Play against the panel, unless that was done after the same decisions and what followed was interrupted."""
        if not self.panel or self.panel[-1]["samples"] < self.model.num_timesteps:
            self._compare()
        else:
            self._ranks.first(lambda: write_results(self.folder / PANEL_FILE, self.panel))

    def _compare(self) -> None:
        """Play against the panel; keep the agent if it is the best so far."""
        given = self.net, self.config, self.board, self.device, self.league.against
        shares = self._ranks.first(lambda: panel_shares(*given))
        mean = float(np.mean(list(shares.values())))
        best = all(mean > result["mean"] for result in self.panel)
        result: dict[str, Any] = {
            "samples": self.model.num_timesteps,
            "seconds": round(self.seconds, 1),
            "players": self.config.players,
            "games": self.config.panel_games,
            "shares": {name: round(share, 4) for name, share in shares.items()},
            "mean": mean,
        }
        for name, share in shares.items():
            self.model.logger.record(f"panel/{name}", share)
        self.model.logger.record("panel/mean", mean)
        self.model.logger.dump(self.model.num_timesteps)
        # The agent comes first: whatever interrupts this, it is at least as good as the best result written down.
        if best:
            self._save_agent(result["shares"])
        self.panel.append(result)
        self._ranks.first(lambda: write_results(self.folder / PANEL_FILE, self.panel))
        self.save()

    @property
    def net(self) -> PolicyNet:
        """The network being trained."""
        return self.model.policy.net

    @property
    def saved(self) -> bool | None:
        """Whether the checkpoint has all that was learnt so far; None without a checkpoint."""
        if self._saved_samples is None:
            return None
        return self._saved_samples == (self.model.num_timesteps, self._imitated_samples)

    def _require_finite(self) -> None:
        """Raise RunAway if there are weights that are not finite, before they are saved or play."""
        if not all(bool(weights.isfinite().all()) for weights in self.net.parameters()):
            raise RunAway("the network's weights are not finite: training has run away; try a lower learning rate")

    def _save_now_and_then(self) -> None:
        if self._ranks.agreed(self.seconds) - self._saved_at >= self.config.checkpoint_seconds:
            self.save()

    def save(self) -> None:
        """Write the checkpoint, and the agent unless the panel has chosen one; each file whole or not at all.

        Ctrl-C and SIGTERM wait until it is done.

        Raises RunAway: the network is not finite; nothing is written.
        """
        self._require_finite()
        state: dict[str, Any] = {
            "samples": self.model.num_timesteps,
            "updates": self.model._n_updates,
            "seconds": self.seconds,
            "value_widths": self.net.shape.value,
            "imitated_seconds": self._imitated_seconds,
            "imitated_samples": self._imitated_samples,
            "imitation_over": self._imitation_over,
            "due": self._due,
            "from": self._from,
            "ranks": self._most_ranks,
            "league": self.league.state(),
            "panel": self.panel,
        }

        def write() -> float:
            Checkpoint.of(state, self.net, self.model.policy.optimizer).write(self.folder / CHECKPOINT, self.board)
            return float(state["seconds"])

        with held_back():
            self._saved_at = self._ranks.first(write)
            self._saved_samples = self.model.num_timesteps, self._imitated_samples
            if not self.panel:
                self._save_agent()

    def _save_agent(self, shares: dict[str, float] | None = None) -> None:
        """Write the agent, with its win shares against the panel if they are known."""
        about: dict[str, Any] = {
            "players": self.config.players,
            "samples": self.model.num_timesteps,
            "seconds": round(self.seconds, 1),
            "seed": self.config.seed,
            "reward": self.config.reward,
            "ranks": self._most_ranks,
            "command": self.config.command() + (f" --from {shlex.quote(self._from)}" if self._from else ""),
        }
        if shares is not None:
            about["panel"] = shares
        self._ranks.first(lambda: save_net(self.net, self.folder / f"{NAME}.safetensors", self.board, about))
