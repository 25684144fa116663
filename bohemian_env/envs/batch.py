"""Many games at once in one process.

Game i of a batch seeded s is the game that the AEC environment plays with seed s + i, whatever the size of the batch
or the number of threads. (With ``autoreset``, a game that ends before anybody decides, as can happen on tiny boards, is
followed by the next one at once.)
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final, NamedTuple, Unpack

import numpy as np

from ..bits import Word
from ..compiled import njit
from ..errors import BadSetup, IllegalMove, NoRecord, brief
from ..game import rules
from ..game.actions import NUM_ACTIONS, Action
from ..game.board import check_truth, is_whole
from ..game.check import checked_states
from ..game.moves import refusal
from ..game.position import write_position
from ..game.record import seeded_record
from ..game.setup import Setup, SetupOptions, Start, check_seed
from ..game.state import copy_states, new_states, read_only
from ..opponents import random_action
from .advice import advise
from .afterstates import Afterstates, afterstates_of
from .dealing import (
    check_actions,
    check_count,
    check_dealt,
    check_game,
    check_games,
    check_names,
    common_array,
    deal_game,
    deal_next,
    first_seeds,
)
from .observation import OBSERVATION_SIZE, write_mask, write_observation
from .observe import see_some
from .reward import write_rewards

__all__ = ["Batch"]

_HISTORY: Final = 128  # room for actions per game at first; grows when a game needs more


class _Games(NamedTuple):
    """The arrays of a batch, as compiled loops take them, with one row for each game."""

    states: np.ndarray
    seeds: np.ndarray
    ended: np.ndarray  # uint8: 1 for terminated and 2 for truncated in the last step
    history: np.ndarray  # uint8: actions of each present game, with room for the longest
    lengths: np.ndarray  # numbers of these actions
    rewards: np.ndarray
    totals: np.ndarray
    masks: np.ndarray
    observations: np.ndarray


@njit
def _deal_games(states: np.ndarray, seeds: np.ndarray, common: np.ndarray, restart: bool, low: int, high: int) -> None:
    for i in range(low, high):
        deal_game(states[i], seeds[i], common[0])
        if restart:
            seeds[i] = deal_next(states[i], seeds[i], common[0])


@njit
def _first_illegal(states: np.ndarray, actions: np.ndarray, low: int, high: int) -> int:
    """Return the first game in ``range(low, high)`` that goes on and whose action is not legal; -1 if there is none."""
    for i in range(low, high):
        s = states[i]
        action = actions[i]
        if s["end"] == 0 and not (0 <= action < NUM_ACTIONS and rules.is_legal(s, action)):
            return i
    return -1


@njit
def _step_games(
    arrays: tuple[np.ndarray, ...],
    common: np.ndarray,
    actions: np.ndarray,
    restart: bool,
    masks: bool,
    observations: bool,
    low: int,
    high: int,
) -> int:
    """Carry out one action in each game of ``range(low, high)`` and go on to its next decision.

    Rewards and totals are written where a game ended; rewards are 0 elsewhere. ``masks`` and ``observations`` say
    whether to write these as well, while the position is in the cache.

    arrays: those of :class:`_Games` as a plain tuple, which numba takes in three times as fast as a named one.

    Return the first game whose action is not legal, in which case nothing has changed; -1 if there is none.
    """
    games = _Games(*arrays)
    bad = _first_illegal(games.states, actions, low, high)
    if bad >= 0:
        return bad
    for i in range(low, high):
        s = games.states[i]
        games.ended[i] = 0
        games.rewards[i, :] = 0.0
        if s["end"] == 0:
            games.history[i, games.lengths[i]] = actions[i]
            games.lengths[i] += 1
            rules.push(s, actions[i])
            rules.deal_seeded(s, games.seeds[i])
            if s["end"] != 0:
                games.ended[i] = 2 if s["end"] == rules.TRUNCATED else 1
                write_rewards(s, common[0]["reward"], games.rewards[i], games.totals[i])
                if restart:
                    games.seeds[i] = deal_next(s, games.seeds[i], common[0])
                    games.lengths[i] = 0
        if masks:
            write_mask(s, games.masks[i])
        if observations:
            write_observation(s, s["to_move"], games.observations[i])
    return -1


@njit
def _observe_games(states: np.ndarray, observations: np.ndarray, low: int, high: int) -> None:
    for i in range(low, high):
        write_observation(states[i], states[i]["to_move"], observations[i])


@njit
def _mask_games(states: np.ndarray, masks: np.ndarray, low: int, high: int) -> None:
    for i in range(low, high):
        write_mask(states[i], masks[i])


@njit
def _random_actions(
    states: np.ndarray, seeds: np.ndarray, own_seed: Word, actions: np.ndarray, low: int, high: int
) -> None:
    for i in range(low, high):
        actions[i] = random_action(states[i], seeds[i], own_seed) if states[i]["end"] == 0 else 0


@njit
def _replay_games(
    states: np.ndarray, seeds: np.ndarray, common: np.ndarray, history: np.ndarray, lengths: np.ndarray
) -> int:
    """Play the games of ``seeds`` as far as their actions go; return the first with an illegal one, -1 if none has."""
    for i in range(states.shape[0]):
        s = states[i]
        deal_game(s, seeds[i], common[0])
        for k in range(lengths[i]):
            action: Action = np.int64(history[i, k])  # type: ignore[assignment] # what int is in compiled code
            if not (action < NUM_ACTIONS and rules.is_legal(s, action)):
                return i
            rules.push(s, action)
            rules.deal_seeded(s, seeds[i])
    return -1


def _wait_for(waiting: Sequence[Future[Any]]) -> None:
    """Wait until no thread still writes, whatever interrupts it, which takes effect then."""
    came: BaseException | None = None
    while not all(future.done() for future in waiting):
        try:
            wait(waiting)
        except BaseException as interrupt:
            came = interrupt
    if came is not None:
        raise came


class Batch:
    """``n`` games side by side, each waiting for a decision of its current seat.

    The arrays that it returns are its own and are overwritten by the next :meth:`step` or :meth:`reset`: copy what you
    want to keep, and change nothing. :attr:`states` and :attr:`seeds` cannot be written to; :meth:`set_state` goes on
    from other positions. :attr:`observations` and :attr:`masks` are written when they are asked for: take them anew
    after every step.

    Args:
        n: number of games, 1 to 2**24.
        num_players, villages, options: the parameters of :meth:`Setup.of`.
        reward: a name of ``reward.REWARDS``.
        threads: threads that the games are shared out among, 1 or more; the result does not depend on their number.
        autoreset: whether a finished game is followed, in the same step, by the one with the ``rules.next_seed`` of its
            seed. If not, it stays as it ended and its actions are ignored.

    Raises:
        BadSetup, BadBoard, OSError: as for ``Game.new``.
    """

    def __init__(
        self,
        n: int,
        num_players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        *,
        reward: str = "win",
        threads: int = 1,
        autoreset: bool = True,
        **options: Unpack[SetupOptions],
    ) -> None:
        check_count("n", n)
        check_count("threads", threads)
        check_truth("autoreset", autoreset)
        self.setup = Setup.of(num_players, villages, **options)
        """The set-up of all games."""
        self._reward = reward
        self._common = common_array(self.setup, reward)
        self.n = int(n)
        self.num_players = self.setup.players
        self.autoreset = bool(autoreset)
        self._games = _Games(
            states=new_states(self.n),
            seeds=np.zeros(self.n, np.uint64),
            ended=np.zeros(self.n, np.uint8),
            history=np.zeros((self.n, _HISTORY), np.uint8),
            lengths=np.zeros(self.n, np.int64),
            rewards=np.zeros((self.n, self.num_players), np.float32),
            totals=np.zeros((self.n, self.num_players), np.int32),
            masks=np.zeros((self.n, NUM_ACTIONS), np.int8),
            observations=np.zeros((self.n, OBSERVATION_SIZE), np.int8),
        )
        self._seen = read_only(self._games.states), read_only(self._games.seeds)
        self._set: dict[int, int] = {}  # the seeds of the games that were not begun here, by their numbers
        self._most_actions = 0
        # Whether they show the present positions, and whether they were read since the last step: the next step writes
        # those that were.
        self._masks_fresh = self._observations_fresh = False
        self._masks_read = self._observations_read = False
        threads = min(int(threads), self.n)
        edges = [self.n * k // threads for k in range(threads + 1)]
        self._shares = list(itertools.pairwise(edges))
        self._pool: ThreadPoolExecutor | None = None  # made when it is needed, by each process for itself
        self._pool_process = 0
        self.reset()

    def _share_out(self, function: Callable[..., Any], *args: Any) -> list[Any]:
        """Call a compiled function on every share of the games, the last in this thread; return their results."""
        if len(self._shares) == 1:
            return [function(*args, 0, self.n)]
        if self._pool is None or self._pool_process != os.getpid():  # threads do not come along into a forked process
            self._pool, self._pool_process = ThreadPoolExecutor(len(self._shares) - 1), os.getpid()
        waiting: list[Future[Any]] = []
        try:
            for share in self._shares[:-1]:
                waiting.append(self._pool.submit(function, *args, *share))
            last = function(*args, *self._shares[-1])
        finally:
            _wait_for(waiting)
        return [*(future.result() for future in waiting), last]

    def reset(self, seed: int | Sequence[int] | np.ndarray = 0) -> None:
        """Begin all games anew: game i with seed ``seed + i``, or with ``seed[i]`` if there are n seeds.

        Raises:
            BadSetup: a seed is not from 0 to 2**63 - 1, or there are not n seeds.
        """
        self._games.seeds[:] = first_seeds(seed, self.n)
        self._masks_fresh = self._observations_fresh = False
        self._set.clear()
        self._games.lengths[:] = 0
        self._share_out(_deal_games, self._games.states, self._games.seeds, self._common, self.autoreset)
        self.rewards[:] = 0
        self.totals[:] = 0
        self._games.ended[:] = 0
        self._most_actions = 0

    def replay(self, seed: int | Sequence[int] | np.ndarray, moves: list[bytes]) -> None:
        """Begin all games anew, as :meth:`reset` does, and carry out some moves in each.

        moves: n rows of action numbers, a byte each; a row may be empty. A game that they end stays as it ended.

        Raises:
            BadSetup: seeds or rows are not such.
            IllegalMove: a move is not legal. All games are as after a reset then.
        """
        if type(moves) is not list or len(moves) != self.n or not all(type(row) is bytes for row in moves):
            raise BadSetup(f"moves: not a list of {self.n} rows of action numbers, one byte each")
        self.reset(seed)
        lengths = np.array([len(row) for row in moves])
        history = np.zeros((self.n, max(_HISTORY, int(lengths.max()))), np.uint8)
        for i, row in enumerate(moves):
            history[i, : len(row)] = np.frombuffer(row, np.uint8)
        if (bad := _replay_games(self._games.states, self._games.seeds, self._common, history, lengths)) >= 0:
            self.reset(seed)
            raise IllegalMove(f"game {bad}", "its moves are not those of a game of its seed")
        self._games = self._games._replace(history=history)
        self._most_actions = int(lengths.max())
        self._games.lengths[:] = lengths

    def step(self, actions: np.ndarray | Sequence[int]) -> None:
        """Carry out one action in every game and roll for its next decision.

        Args:
            actions: whole numbers, shape (n,): for each game a legal action of its current seat.

        Raises:
            IllegalMove: an action is not legal; no game has changed then.
            ValueError: the actions are not n whole numbers.
        """
        actions = check_actions(actions, self.n)
        if self._most_actions >= (room := self._games.history.shape[1]):
            self._most_actions = int(self._games.lengths.max())
            if self._most_actions >= room:
                self._games = self._games._replace(history=np.pad(self._games.history, ((0, 0), (0, room))))
        masks, observations = self._masks_read, self._observations_read
        wanted = (self.autoreset, masks, observations)
        # Before the games change: wherever an interrupt comes, none has more actions, and nothing is shown as it was.
        self._most_actions += 1
        self._masks_fresh = self._observations_fresh = False
        bad = [-1]
        if len(self._shares) > 1:  # all are checked before any of them is carried out
            bad = self._share_out(_first_illegal, self._games.states, actions)
        if max(bad) < 0:
            bad = self._share_out(_step_games, tuple(self._games), self._common, actions, *wanted)
        for i in bad:
            if i >= 0:
                raise self._refusal(int(i), int(actions[i]))
        self._masks_read = self._observations_read = False
        self._masks_fresh, self._observations_fresh = masks, observations

    def random_actions(self, seed: int = 0) -> np.ndarray:
        """Return a legal action for each game, each as likely as any other: int64, (n,), the caller's to keep.

        It follows from ``seed``, the seed of the game and the moment in it. It is 0 where a game is over.

        Raises:
            BadSetup: the seed is not from 0 to 2**63 - 1.
        """
        actions = np.empty(self.n, np.int64)
        self._share_out(_random_actions, self._games.states, self._games.seeds, np.uint64(check_seed(seed)), actions)
        return actions

    def _refusal(self, i: int, action: Action) -> IllegalMove:
        error = refusal(self._games.states[i], action, [v.name for v in self.start_of(i).villages])
        return IllegalMove(f"action {action} ({error.move})", f"game {i}: {error.reason}")

    @property
    def observations(self) -> np.ndarray:
        """What the current seat of each game sees: int8, (n, OBSERVATION_SIZE). docs/env.md describes the parts."""
        self._observations_read = True
        if not self._observations_fresh:
            self._share_out(_observe_games, self._games.states, self._games.observations)
            self._observations_fresh = True
        return self._games.observations

    def observe(self, games: np.ndarray | Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return :attr:`observations` and :attr:`masks` of some games, int64 (m,), as arrays that the caller may keep.

        Raises:
            IndexError: a number is not from 0 to n - 1.
            ValueError: they are no whole numbers, shape (m,).
        """
        return see_some(self._games.states, games)

    @property
    def masks(self) -> np.ndarray:
        """The legal actions of the current seat of each game as 1, the others as 0: int8, (n, NUM_ACTIONS)."""
        self._masks_read = True
        if not self._masks_fresh:
            self._share_out(_mask_games, self._games.states, self._games.masks)
            self._masks_fresh = True
        return self._games.masks

    def advise(self, games: np.ndarray | Sequence[int] | None = None, adviser: str = "planner") -> np.ndarray:
        """Return what ``advice.advise`` does for some games, int64 (m,), or for all; 0 where a game is over.

        Raises:
            IndexError: a number is not from 0 to n - 1.
            ValueError: they are no whole numbers, shape (m,).
            BadSetup: there is no such adviser.
        """
        return advise(self._games.states, games, adviser)

    def afterstates(self, games: np.ndarray | Sequence[int] | None = None) -> Afterstates:
        """Return where each legal action of some games, int64 (m,), or of all leads before the dice fall.

        Raises:
            IndexError: a number is not from 0 to n - 1.
            ValueError: they are no whole numbers, shape (m,).
        """
        return afterstates_of(self._games.states, games, self._reward)

    @property
    def states(self) -> np.ndarray:
        """The positions: shape (n,), dtype ``state.STATE``, read-only."""
        return self._seen[0]

    @property
    def seeds(self) -> np.ndarray:
        """The seeds of the present games: uint64, (n,), read-only."""
        return self._seen[1]

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """:attr:`states` and :attr:`seeds` as this project's compiled functions take them; nobody writes to them."""
        return self._games.states, self._games.seeds

    @property
    def rewards(self) -> np.ndarray:
        """The reward of each seat in the last step, 0 where the game did not end: float32, (n, num_players)."""
        return self._games.rewards

    @property
    def totals(self) -> np.ndarray:
        """The final total (R25) of each seat in the last game that ended: int32, (n, num_players)."""
        return self._games.totals

    @property
    def seats(self) -> np.ndarray:
        """The current seat of each game: int8, (n,)."""
        return self._games.states["to_move"]

    @property
    def terminations(self) -> np.ndarray:
        """Whether each game came to its end in the last step (R4, R21): bool, (n,)."""
        return self._games.ended == 1

    @property
    def truncations(self) -> np.ndarray:
        """Whether each game was cut off in the last step (R24): bool, (n,)."""
        return self._games.ended == 2

    @property
    def over(self) -> np.ndarray:
        """Whether each game is over; with ``autoreset`` only one that :meth:`replay` ended: bool, (n,)."""
        return self._games.states["end"] != 0

    def start_of(self, i: int) -> Start:
        """Return the beginning of game ``i``. Raises IndexError if there is no such game."""
        check_game(i, self.n)
        return self.setup.start(int(self._games.seeds[i]))

    def get_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Return copies of :attr:`states` and :attr:`seeds`, for :meth:`set_state`."""
        return copy_states(self._games.states), self._games.seeds.copy()

    def set_state(self, states: np.ndarray, seeds: np.ndarray, games: np.ndarray | Sequence[int] | None = None) -> None:
        """Go on from other positions, for example those of :meth:`get_state` of this batch or of another.

        Rewards, totals and ends are then 0 there. How a game came to its position is not known, so that it has no
        record until another one begins in its place.

        Args:
            states: the positions, shape (m,), dtype STATE: in each somebody decides, or the game is over.
            seeds: the seeds from which the dice to come follow, uint64 (m,), of games in these villages: any, where the
                set-up names the villages.
            games: numbers of the games that go on so, int64 (m,), each once; all of them by default.

        Raises:
            BadPosition: a position contradicts itself or the rules; the message names the field.
            BadSetup: positions and seeds are not as many as the games, a roll is due, or they are not of this set-up.
            IndexError: a number is not from 0 to n - 1. ValueError: they are no whole numbers, shape (m,).
        """
        some = np.arange(self.n) if games is None else check_games(games, self.n)
        found, seeds = checked_states(states), first_seeds(seeds, len(some))
        if len(found) != len(some) or len(np.unique(some)) != len(some):
            raise BadSetup(f"{len(found)} positions: expected one for each of {len(some)} different games")
        if (due := (found["end"] == 0) & (found["pending"] != 0)).any():
            raise BadSetup(f"position {int(due.argmax())}: expected one in which somebody decides; a roll is due")
        check_dealt(found, seeds, self._common)
        self._masks_fresh = self._observations_fresh = False
        self._games.states[some], self._games.seeds[some], self._games.lengths[some] = found, seeds, 0
        for array in (self.rewards, self.totals, self._games.ended):
            array[some] = 0
        self._set |= zip(some.tolist(), seeds.tolist(), strict=True)

    def state_dict(self, i: int) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON (docs/rules.md), in plain Python types.

        Raises IndexError if there is no such game.
        """
        check_game(i, self.n)
        return write_position(self._games.states[i], self.start_of(i).villages)

    def record(self, i: int) -> dict[str, Any]:
        """Return the game record of game ``i`` so far (docs/rules.md).

        Raises:
            IndexError: there is no such game.
            NoRecord: it goes on from a position of :meth:`set_state`.
        """
        check_game(i, self.n)
        if self._set.get(int(i)) == int(self._games.seeds[i]):
            raise NoRecord(f"game {i} goes on from a position that was set: how it came about is not known")
        return seeded_record(self.start_of(i), self._games.history[i, : self._games.lengths[i]])

    def close(self) -> None:
        """End the threads; a step begins them anew."""
        if self._pool is not None and self._pool_process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what an equal batch is made from: the seeds and moves of its games, which are replayed."""
        games = self._games
        return {
            "parameters": {"n": self.n, "num_players": self.setup, "reward": self._reward},
            "options": {"threads": len(self._shares), "autoreset": self.autoreset},
            "seeds": self._games.seeds.copy(),
            "moves": [games.history[i, :length].tobytes() for i, length in enumerate(games.lengths)],
            "ended": games.ended.copy(),
            "rewards": games.rewards.copy(),
            "totals": self.totals.copy(),
            "set": {i: copy_states(games.states[i : i + 1]) for i, seed in self._set.items() if seed == games.seeds[i]},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the batch anew. Raises BadSetup, BadBoard or IllegalMove if its parts do not fit."""
        names = ("parameters", "options", "seeds", "moves", "ended", "rewards", "totals", "set")
        if not isinstance(state, dict) or {*state} != {*names}:
            raise BadSetup("not the state of a pickled batch")
        check_names("parameters", state["parameters"], ("n", "num_players", "reward"))
        check_names("options", state["options"], ("threads", "autoreset"))
        self.__init__(**state["parameters"], **state["options"])  # type: ignore[misc]
        if not isinstance(state["ended"], np.ndarray) or not np.isin(state["ended"], (0, 1, 2)).all():
            raise BadSetup("ended: not 0, 1 or 2 for each game")
        if not isinstance(set_games := state["set"], dict):
            raise BadSetup("set: not positions by the numbers of games")
        self.replay(state["seeds"], state["moves"])
        for i, position in set_games.items():
            if not is_whole(i, 0, self.n - 1):
                raise BadSetup(f"set: expected the number of a game, 0 to {self.n - 1}, got {brief(i)}")
            self.set_state(position, self._games.seeds[i : i + 1], [i])
        for name in ("ended", "rewards", "totals"):
            given, own = state[name], getattr(self._games, name)
            if not isinstance(given, np.ndarray) or (given.shape, given.dtype) != (own.shape, own.dtype):
                raise BadSetup(f"{name}: not an array of shape {own.shape} and dtype {own.dtype}")
            own[:] = given
