"""The league: who plays against the learner, how often, and how the learner does against each of them.

A fixed part of the games is against the current policy, another against snapshots of it, and the rest against scripted
opponents. Among the snapshots, and among the scripted opponents, those against whom the learner does worst get most
games (prioritised fictitious self-play, Vinyals et al. 2019), by its win shares in the training games themselves.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.network.files import load_net, save_net
from agents.network.net import PolicyNet
from agents.players.names import PROGRAM, SHIPPED, AgentName, UnknownAgent, known
from agents.players.policy import PolicyAgent
from agents.players.registry import make
from agents.pretrained import shipped_path
from bohemian_env import Board
from bohemian_env.engine.checks import is_whole
from bohemian_env.engine.self_play import Opponent

from .config import TrainConfig
from .panel import Itself
from .ranks import ALONE, Ranks

_MEMORY: Final = 1000  # about how many games a win share is the mean of; older ones are forgotten gradually
_PRIOR: Final = 20  # games at the fair share that it starts with, so that the first few do not decide
_AGAINST: Final = "against.safetensors"


class WinShare:
    """The learner's share of the wins against one opponent: a running mean.

    Raises ValueError for impossible values, as a damaged checkpoint may have them.
    """

    def __init__(self, fair: float, games: int = 0, mean: float | None = None) -> None:
        if not is_whole(games, 0) or not (mean is None or (isinstance(mean, int | float) and 0 <= mean <= 1)):
            raise ValueError(f"a win share of {mean!r} in {games!r} games: expected 0 to 1, in a whole number of games")
        self.games = games
        self.mean = fair if mean is None else mean
        """The win share; without games, the share among equals."""

    def add(self, win: float) -> None:
        """Count a game with the learner's share of the win."""
        self.games += 1
        self.mean += (win - self.mean) / min(self.games + _PRIOR, _MEMORY)


def priorities(means: Iterable[float], players: int, power: float, floor: float) -> np.ndarray:
    """Return how to share out games among opponents by the learner's mean win share against each: float64, (m,).

    A win share is turned into the chance against a single one of the equally strong opponents (Luce's model), so that
    the fair share among any number of players becomes one half. The weight of an opponent is the chance to lose, raised
    to ``power``, plus ``floor``. The shares sum to 1.
    """
    won = np.asarray(list(means), np.float64)
    alone = won * (players - 1) / (won * (players - 1) + 1 - won)
    weights = (1 - alone) ** power + floor
    return weights / weights.sum()


class Drawn:
    """An opponent that draws its actions by the policy of an agent: the current one, or a snapshot.

    agent: None in a place of the pool that is still empty, which is given no games.
    """

    def __init__(self, agent: PolicyAgent | None = None) -> None:
        self.agent = agent

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """See ``PolicyOpponent.act``."""
        assert self.agent is not None
        return self.agent.choose(observations, masks, advice)

    def reseed(self, seed: int) -> None:
        """Begin its draws anew, if there is one."""
        if self.agent is not None:
            self.agent.reseed(seed)


class _Slot(Drawn):
    """A place in the pool, with a snapshot that plays or still empty."""

    def __init__(self, win: WinShare) -> None:
        super().__init__()
        self.path: Path | None = None
        self.win = win


def network_of(name: str, config: TrainConfig, board: Board | None) -> PolicyNet:
    """Return the network of an agent: the shipped one, or one from its path. Raises BadAgent if it cannot be read."""
    shipped = name == SHIPPED and SHIPPED in known(config.game)
    return load_net(shipped_path(config.players) if shipped else name, board, config.game)[0]


def frozen(
    name: str,
    config: TrainConfig,
    board: Board | None,
    device: str,
    seed: int = 0,
    ranks: Ranks = ALONE,
    kept: Path | None = None,
) -> Opponent:
    """Return an opponent that learns nothing, by the name of an agent or the path of its network.

    ranks: those that call this together; rank 0 reads the network. kept: where the run has a copy of it, or will have.

    Raises UnknownAgent: there is no such agent, or it is a program. BadAgent: it does not play on this board.
    ValueError: it needs advice, which the run does without.
    """
    if name in config.rules.opponents:
        return config.rules.scripted(name, seed)
    copy = ranks.first(lambda: str(kept) if kept and kept.exists() else "")
    kind = "trained" if copy else ranks.first(lambda: AgentName.parse(name, config.game).kind)
    if kind == PROGRAM:
        raise UnknownAgent(f"{name!r} is a program, which cannot have all the games of a run")
    if kind not in (SHIPPED, "trained"):
        return make(name, seed, board, game=config.game)
    net = ranks.first(lambda: network_of(copy or name, config, board))
    if net.shape.adviser not in ("", config.told):
        raise ValueError(f"{name} takes advice, so that games against it need --advice --adviser {net.shape.adviser}")
    return Itself(PolicyAgent(net, name, device=device))


class League:
    """The opponents of a run: the current policy, a pool of its snapshots, and such that learn nothing.

    The files of all snapshots stay in ``folder``; those in the pool play. When it is full, a new one takes the place of
    the one that the learner beats most.

    folder: the folder of the snapshots. config, board, device: those of the run. current: the current policy. bfloat16:
    as for ``PolicyAgent``. ranks: those that have the same league; rank 0 reads and writes the files.
    """

    def __init__(
        self,
        folder: Path,
        config: TrainConfig,
        current: Drawn,
        board: Board | None,
        device: str,
        bfloat16: bool,
        ranks: Ranks = ALONE,
    ) -> None:
        self.folder = folder
        self.board = board
        self._ranks = ranks
        self._config = config
        self._device, self._bfloat16 = device, bfloat16
        fair = 1 / config.players
        names = config.fixed_names if config.rivals else ()
        self.slots = [_Slot(WinShare(fair)) for _ in range(config.pool if config.rivals else 0)]
        self.opponents: list[Opponent] = [
            current,
            *self.slots,
            *(
                frozen(name, config, board, device, config.seed + 3 + k, ranks, folder / _AGAINST)
                for k, name in enumerate(names)
            ),
        ]
        """The opponents, in the order of their numbers in the games."""
        self._current_win = WinShare(fair)
        self.fixed = {name: WinShare(fair) for name in names}
        """The win share against every opponent that learns nothing, by name."""
        self.total: float | None = None
        """The running mean of the totals, where the seats are no rivals; None before the first."""

    @property
    def against(self) -> Opponent | None:
        """The agent that has all the games, if the run has one."""
        return self.opponents[-1] if self._config.against else None

    def keep_against(self) -> None:
        """Write that agent beside the snapshots, so that a run that goes on meets the same, whatever became of it."""
        if isinstance(self.against, Itself) and not (self.folder / _AGAINST).exists():
            save_net(self.against.net, self.folder / _AGAINST, self.board, {"from": Path(self._config.against).name})

    def reseed(self, seed: int) -> None:
        """Begin the draws of all that draw their actions anew."""
        for opponent in self.opponents:
            if isinstance(opponent, Drawn):
                seed += 1
                opponent.reseed(self._ranks.own_seed(seed))

    def record(self, opponent: int, win: float) -> None:
        """Count a game against one of ``opponents``, or (-1) against several, which says nothing about a single one.

        win: the learner's share of the win; its total where the seats are no rivals.
        """
        if not self._config.rivals:
            self.total = win if self.total is None else self.total + (win - self.total) / _MEMORY
        elif opponent >= 0:
            wins = [self._current_win, *(slot.win for slot in self.slots), *self.fixed.values()]
            wins[opponent].add(win)

    def shares(self) -> list[float]:
        """Return how often each of ``opponents`` is to be drawn."""
        c = self._config
        if not c.rivals:
            return [1.0]
        full = [slot.path is not None for slot in self.slots]
        of_pool = np.zeros(len(self.slots))
        of_pool[full] = self._prioritised(slot.win for slot in self.slots if slot.path is not None)
        of_fixed = self._prioritised(self.fixed.values())
        if c.against:
            return [0.0] * (1 + len(self.slots)) + [1.0]
        current = c.current + (0.0 if any(full) else c.snapshots)
        return [current, *(c.snapshots * of_pool), *(max(1 - c.current - c.snapshots, 0.0) * of_fixed)]

    def _prioritised(self, wins: Iterable[WinShare]) -> np.ndarray:
        c = self._config
        return priorities([win.mean for win in wins], c.players, c.focus, c.floor)

    def win_shares(self) -> dict[str, float]:
        """Return the win shares against the current policy, snapshots (mean of those played) and fixed opponents; the
        mean total where the seats are no rivals."""
        if not self._config.rivals:
            return {} if self.total is None else {"total": self.total}
        pool = [slot.win.mean for slot in self.slots if slot.path is not None and slot.win.games]
        shares = {"current": self._current_win.mean} if self._current_win.games else {}
        if pool:
            shares["snapshots"] = float(np.mean(pool))
        return shares | {name: win.mean for name, win in self.fixed.items() if win.games}

    def add(self, net: PolicyNet, samples: int) -> None:
        """Take a snapshot of ``net`` and let it play, where there are rivals."""
        if not self._config.rivals:
            return
        path = self.folder / f"{samples:012d}.safetensors"
        self._ranks.first(lambda: save_net(net, path, self.board, {"samples": samples}))
        same = [slot for slot in self.slots if slot.path == path]
        empty = [slot for slot in self.slots if slot.path is None]
        slot = (same or empty or [max(self.slots, key=lambda slot: slot.win.mean)])[0]
        self._fill(slot, path, WinShare(1 / self._config.players))

    def _fill(self, slot: _Slot, path: Path, win: WinShare) -> None:
        # A copy, since the network that was saved goes on learning.
        net = self._ranks.first(lambda: load_net(path, self.board, self._config.game)[0])
        seed = self._ranks.own_seed(self._config.seed + int(path.stem))
        slot.agent = PolicyAgent(net, path.stem, seed, sample=True, bfloat16=self._bfloat16, device=self._device)
        slot.path, slot.win = path, win

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps, as plain values."""
        return {
            "current": [self._current_win.games, self._current_win.mean],
            "pool": [[slot.path.name if slot.path else None, slot.win.games, slot.win.mean] for slot in self.slots],
            "scripted": {name: [win.games, win.mean] for name, win in self.fixed.items()},
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what :meth:`state` returned."""
        fair = 1 / self._config.players
        if len(state["pool"]) != len(self.slots):
            raise ValueError(f"its pool is {len(state['pool'])}, not {len(self.slots)} as in the settings")
        self._current_win = WinShare(fair, *state["current"])
        for slot, (name, games, mean) in zip(self.slots, state["pool"], strict=True):
            if name is not None:
                self._fill(slot, self.folder / name, WinShare(fair, games, mean))
        self.fixed = {name: WinShare(fair, *state["scripted"][name]) for name in self.fixed}
