"""Many games at once in one process: the engine under every way to train.

Game i of a batch seeded s is the game that the AEC environment plays with seed s + i, whatever the size of the batch
or the number of threads. (A game that ends before anybody decides, as can happen on tiny boards, is followed at once by
the next one where games restart by themselves.)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..compiled import njit
from ..errors import BadSetup, IllegalMove
from ..game import rules
from ..game.actions import NUM_ACTIONS
from ..game.board import Board
from ..game.dice import DICE
from ..game.game import DEFAULT_MAX_TURNS, MAX_SEED, make_setting
from ..game.moves import move_of, why_illegal
from ..game.position import write_position
from ..game.record import Setting, seeded_record
from ..game.state import new_states
from ..opponents import random_action
from .observation import OBSERVATION_SIZE, write_mask, write_observation
from .reward import reward_number, write_rewards

__all__ = ["SETTING", "Batch", "deal_game", "first_seeds", "observe_some", "setting_array"]

SETTING: Final = np.dtype(
    [
        ("sides", np.uint64),  # which side every tile shows, if the villages are named
        ("named", np.bool_),  # else the sides are drawn from the seed of each game
        ("players", np.uint8),
        ("coin_supply", np.int32),
        ("special_action_tiles", np.int8),
        ("max_turns", np.int32),  # 0: no limit
        ("reward", np.uint8),
    ]
)
"""dtype of what the games of a batch have in common, as compiled code reads it."""

_HISTORY: Final = 128  # room for actions per game at first; grows when a game needs more


def setting_array(setting: Setting, named: bool, reward: str) -> np.ndarray:
    """A setting as compiled code reads it: shape (1,), dtype :data:`SETTING`."""
    array = np.zeros(1, SETTING)
    row = array[0]
    row["sides"] = setting.sides
    row["named"] = named
    row["players"] = setting.players
    row["coin_supply"] = setting.coin_supply
    row["special_action_tiles"] = setting.special_action_tiles
    row["max_turns"] = setting.max_turns or 0
    row["reward"] = reward_number(reward)
    return array


def first_seeds(seed: int | Sequence[int] | np.ndarray, count: int) -> np.ndarray:
    """Seeds of the first games: ``seed + i``, or the seeds given one by one. uint64, shape (count,).

    Raises:
        BadSetup: a seed outside 0 to 2**63 - 1, or not ``count`` seeds.
    """
    given = np.asarray(seed)
    if given.dtype.kind not in "iu" or given.shape not in ((), (count,)):
        raise BadSetup(f"seed {seed!r} is neither a whole number nor {count} of them")
    last = given.max(initial=0) if given.shape else int(given) + count - 1
    if given.min(initial=0) < 0 or int(last) > MAX_SEED:
        raise BadSetup(f"seed {seed!r}: seeds are from 0 to {MAX_SEED}")
    return given.astype(np.uint64) if given.shape else np.uint64(given) + np.arange(count, dtype=np.uint64)


@njit
def deal_game(s: Any, seed: Any, setting: Any, board: Any) -> None:
    """Set up the game of a seed and roll for the first decision."""
    sides = setting["sides"] if setting["named"] else rules.draw_sides(seed)
    rules.new_game(
        s,
        board,
        setting["players"],
        sides,
        setting["coin_supply"],
        setting["special_action_tiles"],
        setting["max_turns"],
    )
    rules.deal_seeded(s, seed)


@njit
def _restart(s: Any, seeds: Any, i: Any, setting: Any, board: Any) -> None:
    """Set up the game that follows game ``i``, and the ones after it as long as they end before anybody decides."""
    while s["end"] != 0:
        seeds[i] = rules.next_seed(seeds[i])
        deal_game(s, seeds[i], setting, board)


@njit
def _deal_games(states: Any, seeds: Any, setting: Any, board: Any, restart: Any, low: Any, high: Any) -> None:
    for i in range(low, high):
        deal_game(states[i], seeds[i], setting[0], board[0])
        if restart:
            _restart(states[i], seeds, i, setting[0], board[0])


@njit
def _first_illegal(states: Any, actions: Any, low: Any, high: Any) -> Any:
    """The first game from ``low`` up to ``high`` that goes on and whose action is not legal; -1 for none."""
    for i in range(low, high):
        s = states[i]
        action = actions[i]
        if s["end"] == 0 and not (0 <= action < NUM_ACTIONS and rules.is_legal(s, action)):
            return i
    return -1


@njit
def _step_games(
    states: Any,
    seeds: Any,
    setting: Any,
    board: Any,
    actions: Any,
    history: Any,
    lengths: Any,
    rewards: Any,
    totals: Any,
    ended: Any,
    restart: Any,
    masks: Any,
    wants_masks: Any,
    observations: Any,
    wants_observations: Any,
    low: Any,
    high: Any,
) -> None:
    """Carry out one legal action in each game from ``low`` up to ``high`` and go on to its next decision.

    ended: uint8, 1 for terminated and 2 for truncated in this step. rewards and totals are written where a game
    ended, rewards are 0 elsewhere. masks and observations are written if wanted, while the position is at hand.
    """
    for i in range(low, high):
        s = states[i]
        ended[i] = 0
        rewards[i, :] = 0.0
        if s["end"] == 0:
            history[i, lengths[i]] = actions[i]
            lengths[i] += 1
            rules.push(s, actions[i])
            rules.deal_seeded(s, seeds[i])
            if s["end"] != 0:
                ended[i] = 2 if s["end"] == rules.TRUNCATED else 1
                write_rewards(s, setting[0]["reward"], rewards[i], totals[i])
                if restart:
                    _restart(s, seeds, i, setting[0], board[0])
                    lengths[i] = 0
        if wants_masks:
            write_mask(s, masks[i])
        if wants_observations:
            write_observation(s, s["to_move"], observations[i])


@njit
def _observe_games(states: Any, observations: Any, low: Any, high: Any) -> None:
    for i in range(low, high):
        write_observation(states[i], states[i]["to_move"], observations[i])


@njit
def _mask_games(states: Any, masks: Any, low: Any, high: Any) -> None:
    for i in range(low, high):
        write_mask(states[i], masks[i])


@njit
def _random_actions(states: Any, seeds: Any, own_seed: Any, actions: Any, low: Any, high: Any) -> None:
    for i in range(low, high):
        actions[i] = random_action(states[i], seeds[i], own_seed) if states[i]["end"] == 0 else 0


@njit
def observe_some(games: Any, states: Any, observations: Any, masks: Any) -> None:
    """Write what the current seat of each of ``games`` sees and may do into the first rows of two buffers."""
    for place in range(games.shape[0]):
        s = states[games[place]]
        write_observation(s, s["to_move"], observations[place])
        write_mask(s, masks[place])


class Batch:
    """``n`` games side by side, each waiting for a decision of its current seat.

    Arrays given out are the batch's own and are overwritten by the next :meth:`step` or :meth:`reset`: copy what is
    to be kept, change nothing.

    Args:
        n: number of games, 1 or more.
        num_players, villages, board, coin_supply, special_action_tiles, max_turns: as of ``Game.new``.
        reward: a name of ``reward.REWARDS``.
        threads: threads that share the games out; the result does not depend on it.
        autoreset: a finished game starts again in the same step, with the seed ``rules.next_seed`` of its own. If
            False, it stays as it ended, and its actions are ignored.

    Raises:
        BadSetup, BadBoard: as ``Game.new``.
    """

    def __init__(
        self,
        n: int,
        num_players: int = 2,
        villages: str | Sequence[str] = "random",
        *,
        board: Board | str | Path | None = None,
        coin_supply: int | None = None,
        special_action_tiles: int | None = None,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        reward: str = "win",
        threads: int = 1,
        autoreset: bool = True,
    ) -> None:
        for name, value in (("n", n), ("threads", threads)):
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
                raise BadSetup(f"{name} {value!r} is not a whole number of at least 1")
        self._template = make_setting(
            num_players,
            villages,
            seed=0,
            board=board,
            coin_supply=coin_supply,
            special_action_tiles=special_action_tiles,
            max_turns=max_turns,
        )
        self._named = not isinstance(villages, str)
        self.setting = setting_array(self._template, self._named, reward)
        self.board = self._template.board.tables
        self.n = int(n)
        self.num_players = self._template.players
        self.autoreset = autoreset
        self.states = new_states(self.n)
        """The positions: shape (n,), dtype ``state.STATE``."""
        self.seeds = np.zeros(self.n, np.uint64)
        """Seed of the present game of each."""
        self.rewards = np.zeros((self.n, self.num_players), np.float32)
        """Reward of each seat in the last step: 0 where the game did not end. float32, (n, num_players)."""
        self.totals = np.zeros((self.n, self.num_players), np.int32)
        """Final total (R25) of each seat in the last game that ended. int32, (n, num_players)."""
        self._ended = np.zeros(self.n, np.uint8)
        self._history = np.zeros((self.n, _HISTORY), np.uint8)
        self._lengths = np.zeros(self.n, np.int64)
        self._most_actions = 0
        self._masks = np.zeros((self.n, NUM_ACTIONS), np.int8)
        self._observations = np.zeros((self.n, OBSERVATION_SIZE), np.int8)
        # Whether they are of the present positions, and whether anybody has read them since the last step: what was
        # read is written by the next step itself.
        self._masks_fresh = self._observations_fresh = False
        self._masks_read = self._observations_read = False
        threads = min(int(threads), self.n)
        edges = [self.n * k // threads for k in range(threads + 1)]
        self._shares = list(itertools.pairwise(edges))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.reset()

    def _share_out(self, function: Callable[..., Any], *args: Any) -> list[Any]:
        """Call a compiled function on every share of the games, the last on this thread; what the calls return."""
        if self._pool is None:
            return [function(*args, 0, self.n)]
        waiting = [self._pool.submit(function, *args, low, high) for low, high in self._shares[:-1]]
        last = function(*args, *self._shares[-1])
        return [*(future.result() for future in waiting), last]

    def reset(self, seed: int | Sequence[int] | np.ndarray = 0) -> None:
        """Begin all games anew: game i with seed ``seed + i``, or with seed ``seed[i]`` of n seeds.

        Raises:
            BadSetup: a seed outside 0 to 2**63 - 1, or not n seeds.
        """
        self.seeds[:] = first_seeds(seed, self.n)
        self._share_out(_deal_games, self.states, self.seeds, self.setting, self.board, self.autoreset)
        self.rewards[:] = 0
        self.totals[:] = 0
        self._ended[:] = 0
        self._lengths[:] = 0
        self._most_actions = 0
        self._masks_fresh = self._observations_fresh = False

    def step(self, actions: np.ndarray | Sequence[int]) -> None:
        """Carry out one action in every game and roll for its next decision.

        Args:
            actions: whole numbers, shape (n,): for each game a legal action of its current seat.

        Raises:
            IllegalMove: an action is not legal; no game has changed then.
            ValueError: not n whole numbers.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {actions.shape} and dtype {actions.dtype} are not {self.n} whole numbers"
            )
        actions = actions.astype(np.int64, copy=False)
        for bad in self._share_out(_first_illegal, self.states, actions):
            if bad >= 0:
                raise self._refusal(int(bad), int(actions[bad]))
        if self._most_actions == self._history.shape[1]:
            self._most_actions = int(self._lengths.max())
            if self._most_actions == self._history.shape[1]:
                self._history = np.concatenate([self._history, np.zeros_like(self._history)], axis=1)
        self._most_actions += 1
        self._share_out(
            _step_games,
            self.states,
            self.seeds,
            self.setting,
            self.board,
            actions,
            self._history,
            self._lengths,
            self.rewards,
            self.totals,
            self._ended,
            self.autoreset,
            self._masks,
            self._masks_read,
            self._observations,
            self._observations_read,
        )
        self._masks_fresh, self._observations_fresh = self._masks_read, self._observations_read
        self._masks_read = self._observations_read = False

    def random_actions(self, seed: int = 0) -> np.ndarray:
        """For each game any legal action, each as likely as any other: int64, (n,), the caller's to keep.

        It follows from ``seed``, the seed of the game and the moment in it. Where a game is over, it is 0.
        """
        actions = np.empty(self.n, np.int64)
        self._share_out(_random_actions, self.states, self.seeds, np.uint64(seed), actions)
        return actions

    def _refusal(self, i: int, action: int) -> IllegalMove:
        s = self.states[i]
        names = [v.name for v in self.setting_of(i).villages]
        try:
            error = why_illegal(s, move_of(action, DICE[s["dice"]], names), names)
        except IllegalMove as unnamed:
            error = unnamed
        return IllegalMove(f"action {action} ({error.move})", f"game {i}: {error.reason}")

    @property
    def observations(self) -> np.ndarray:
        """What the current seat of each game sees. int8, (n, OBSERVATION_SIZE); docs/env.md has the parts."""
        self._observations_read = True
        if not self._observations_fresh:
            self._share_out(_observe_games, self.states, self._observations)
            self._observations_fresh = True
        return self._observations

    def observe(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Observations and masks of some games only, the caller's to keep.

        Args:
            games: numbers of games, int64, (m,).

        Returns:
            int8 (m, OBSERVATION_SIZE) and int8 (m, NUM_ACTIONS), as rows of :attr:`observations` and :attr:`masks`.

        Raises:
            IndexError: a number below 0, or n and above.
        """
        if len(games) and not (games.min() >= 0 and games.max() < self.n):
            raise IndexError(f"games {games.min()} to {games.max()}: numbers of games are 0 to {self.n - 1}")
        observations = np.empty((len(games), OBSERVATION_SIZE), np.int8)
        masks = np.empty((len(games), NUM_ACTIONS), np.int8)
        observe_some(games, self.states, observations, masks)
        return observations, masks

    @property
    def masks(self) -> np.ndarray:
        """1 for each legal action of the current seat of each game. int8, (n, NUM_ACTIONS)."""
        self._masks_read = True
        if not self._masks_fresh:
            self._share_out(_mask_games, self.states, self._masks)
            self._masks_fresh = True
        return self._masks

    @property
    def seats(self) -> np.ndarray:
        """The current seat of each game. int8, (n,)."""
        return self.states["to_move"]

    @property
    def terminations(self) -> np.ndarray:
        """Whether each game came to its end in the last step (R4, R21). bool, (n,)."""
        return self._ended == 1

    @property
    def truncations(self) -> np.ndarray:
        """Whether each game was cut off in the last step (R24). bool, (n,)."""
        return self._ended == 2

    @property
    def over(self) -> np.ndarray:
        """Whether each game stands at its end; never, with ``autoreset``. bool, (n,)."""
        return self.states["end"] != 0

    def setting_of(self, i: int) -> Setting:
        """What game ``i`` was set up with."""
        seed = int(self.seeds[i])
        sides = self._template.sides if self._named else int(rules.draw_sides(np.uint64(seed)))
        return replace(self._template, sides=sides, seed=seed)

    def state_dict(self, i: int) -> dict[str, Any]:
        """The position of game ``i`` as JSON (docs/rules.md), plain Python types."""
        return write_position(self.states[i], self.setting_of(i).villages)

    def record(self, i: int) -> dict[str, Any]:
        """The game record of game ``i`` so far (docs/rules.md)."""
        return seeded_record(self.setting_of(i), self._history[i, : self._lengths[i]])

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
