"""Many games in which one seat learns and the others are played inside the step.

In every game one seat is the learner's; it moves on by one seat with each new game. The other seats are played by an
opponent that is drawn for each game, or by one for each seat: a scripted one in compiled code, or a policy, all of
whose waiting games are answered in one batched call. A step takes the learner's action in every game and goes on to its
next decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from ..chance import mix, unit
from ..compiled import njit
from ..errors import BadSetup, IllegalMove
from ..game import rules
from ..game.actions import NUM_ACTIONS
from ..game.board import Board
from ..game.game import DEFAULT_MAX_TURNS, make_setting
from ..game.state import MAX_PLAYERS, new_states
from ..opponents import Scripted, choose, scratch_states
from .batch import deal_game, first_seeds, observe_some, setting_array
from .observation import OBSERVATION_SIZE, write_observation
from .reward import write_rewards

__all__ = ["Opponent", "PolicyOpponent", "SelfPlay"]


class PolicyOpponent(Protocol):
    """An opponent that sees what a player sees, for many games at once."""

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, whole numbers (m,), for int8 observations (m, OBSERVATION_SIZE) and masks (m, NUM_ACTIONS).

        Both arrays are only lent for the call.
        """
        ...


Opponent = Scripted | PolicyOpponent

_TABLE: Final = np.dtype(
    [
        ("seed", np.uint64),  # of the present game
        ("learner", np.int16),  # its seat
        ("opponents", np.int16, (MAX_PLAYERS,)),  # which opponent plays each seat, if the learner does not
        ("mixed", np.bool_),  # whether each seat has an opponent of its own
        ("waiting", np.int16),  # opponent, a policy, whose action is awaited; _LEARNER if the learner's is
        ("acted", np.bool_),  # whether the learner has acted in this game
    ]
)
_LEARNER: Final = -1
_POLICY: Final = -1  # instead of the number of a scripted opponent
_OPPONENT_STREAM: Final = np.uint64(0x4F50504F4E454E54)  # keeps this draw apart from the others of a seed
_MIXED_STREAM: Final = np.uint64(0x4D495845445F5F5F)
_MIXED: Final = -1  # instead of the number of an opponent


@dataclass(frozen=True, slots=True)
class _Ended:
    """Arrays about the games that ended in a step, (n,) each; where none did, they mean nothing."""

    opponent: np.ndarray  # int16; -1 where every seat had one of its own
    win: np.ndarray  # float32: the learner's share of the win
    margin: np.ndarray  # float32: its total less the mean of the others'


@njit
def _draw_opponent(seed: Any, shares: Any) -> Any:
    """The opponent of a game, by cumulative shares that end at 1."""
    drawn = unit(mix(mix(seed ^ _OPPONENT_STREAM)))
    for k in range(shares.shape[0]):
        if drawn < shares[k]:
            return k
    return shares.shape[0] - 1


@njit
def _draw_opponents(table: Any, players: Any, shares: Any, mixed: Any) -> None:
    """The opponents of the game of a table: one for all seats, or one for each in the part ``mixed`` of the games."""
    seed = table["seed"]
    table["opponents"][:] = _draw_opponent(seed, shares)
    table["mixed"] = players > 2 and unit(mix(mix(seed ^ _MIXED_STREAM))) < mixed
    if table["mixed"]:
        for seat in range(players):
            table["opponents"][seat] = _draw_opponent(mix(seed + np.uint64(seat + 1)), shares)


@njit
def _advance(
    i: Any,
    states: Any,
    tables: Any,
    setting: Any,
    board: Any,
    kinds: Any,
    kind_seeds: Any,
    shares: Any,
    mixed: Any,
    scratch: Any,
    rewards: Any,
    ended: Any,
    final: Any,
    ended_opponent: Any,
    ended_win: Any,
    ended_margin: Any,
) -> None:
    """Go on with game ``i`` until the learner or a policy has to decide, through as many games as that takes."""
    s = states[i]
    table = tables[i]
    while True:
        if s["end"] != 0:
            learner = table["learner"]
            if table["acted"]:  # else the learner's seat never got to act, and the game is dealt again
                players = s["players"]
                seat_rewards = np.empty(players, np.float32)
                totals = np.empty(players, np.int32)
                write_rewards(s, setting[0]["reward"], seat_rewards, totals)
                rewards[i] = seat_rewards[learner]
                ended[i] = 2 if s["end"] == rules.TRUNCATED else 1
                write_observation(s, learner, final[i])
                best = totals.max()
                ended_win[i] = 1.0 / (totals == best).sum() if totals[learner] == best else 0.0
                ended_margin[i] = totals[learner] - (totals.sum() - totals[learner]) / (players - 1)
                ended_opponent[i] = _MIXED if table["mixed"] else table["opponents"][0]
            table["seed"] = rules.next_seed(table["seed"])
            table["learner"] = (learner + 1) % s["players"]
            _draw_opponents(table, s["players"], shares, mixed)
            table["acted"] = False
            deal_game(s, table["seed"], setting[0], board[0])
            continue
        if s["to_move"] == table["learner"]:
            table["waiting"] = _LEARNER
            return
        k = table["opponents"][s["to_move"]]
        if kinds[k] == _POLICY:
            table["waiting"] = k
            return
        rules.push(s, choose(kinds[k], s, table["seed"], kind_seeds[k], scratch))
        rules.deal_seeded(s, table["seed"])


@njit
def _begin(states: Any, tables: Any, setting: Any, board: Any, shares: Any, mixed: Any) -> None:
    for i in range(states.shape[0]):
        table = tables[i]
        table["learner"] = i % setting[0]["players"]
        _draw_opponents(table, setting[0]["players"], shares, mixed)
        table["acted"] = False
        deal_game(states[i], table["seed"], setting[0], board[0])


@njit
def _first_illegal(states: Any, games: Any, actions: Any) -> Any:
    """The first place of ``games`` whose action is not legal; -1 for none."""
    for place in range(games.shape[0]):
        action = actions[place]
        if not (0 <= action < NUM_ACTIONS and rules.is_legal(states[games[place]], action)):
            return place
    return -1


@njit
def _act(games: Any, actions: Any, by_learner: Any, states: Any, tables: Any) -> None:
    """Carry out a legal action in each of ``games``."""
    for place in range(games.shape[0]):
        i = games[place]
        if by_learner:
            tables[i]["acted"] = True
        rules.push(states[i], actions[place])
        rules.deal_seeded(states[i], tables[i]["seed"])


@njit
def _advance_all(
    games: Any,
    states: Any,
    tables: Any,
    setting: Any,
    board: Any,
    kinds: Any,
    kind_seeds: Any,
    shares: Any,
    mixed: Any,
    scratch: Any,
    rewards: Any,
    ended: Any,
    final: Any,
    ended_opponent: Any,
    ended_win: Any,
    ended_margin: Any,
) -> None:
    for place in range(games.shape[0]):
        _advance(
            games[place],
            states,
            tables,
            setting,
            board,
            kinds,
            kind_seeds,
            shares,
            mixed,
            scratch,
            rewards,
            ended,
            final,
            ended_opponent,
            ended_win,
            ended_margin,
        )


class SelfPlay:
    """``n`` games side by side; each waits for the learner.

    Arrays given out are its own and are overwritten by the next :meth:`step` or :meth:`reset`.

    Args:
        n: number of games, 1 or more.
        opponents: what plays the other seats; a policy may be replaced in the list while games go on.
        shares: how often each opponent is drawn for a new game, in any unit; equal by default.
        num_players, villages, board, coin_supply, special_action_tiles, max_turns: as of ``Game.new``.
        reward: a name of ``reward.REWARDS``.
        seed: game i begins with seed ``seed + i``, and goes on with ``rules.next_seed``.
        mixed: part of the games, 0 to 1, in which an opponent is drawn for each seat instead of one for all; only
            with more than two players.

    Raises:
        BadSetup, BadBoard: as ``Game.new``; no opponent; ``mixed`` outside 0 to 1; shares that are not as many numbers,
            none negative.
    """

    def __init__(
        self,
        n: int,
        opponents: Sequence[Opponent],
        shares: Sequence[float] | None = None,
        *,
        num_players: int = 2,
        villages: str | Sequence[str] = "random",
        board: Board | str | Path | None = None,
        coin_supply: int | None = None,
        special_action_tiles: int | None = None,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        reward: str = "win",
        seed: int = 0,
        mixed: float = 0.0,
    ) -> None:
        if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 1:
            raise BadSetup(f"n {n!r} is not a whole number of at least 1")
        if not opponents:
            raise BadSetup("no opponents: give at least one to play the other seats")
        if not 0 <= mixed <= 1:
            raise BadSetup(f"mixed {mixed!r} is not from 0 to 1")
        self._mixed = float(mixed)
        setting = make_setting(
            num_players,
            villages,
            seed=0,
            board=board,
            coin_supply=coin_supply,
            special_action_tiles=special_action_tiles,
            max_turns=max_turns,
        )
        self.n = int(n)
        self.num_players = setting.players
        self.setting = setting_array(setting, not isinstance(villages, str), reward)
        self.board = setting.board.tables
        self.opponents = list(opponents)
        self._shares = np.ones(1)
        self.set_shares(shares if shares is not None else [1.0] * len(self.opponents))
        self.states = new_states(self.n)
        self._tables = np.zeros(self.n, _TABLE)
        self._scratch = scratch_states()
        self._all = np.arange(self.n)
        self.observations = np.zeros((self.n, OBSERVATION_SIZE), np.int8)
        """What the learner's seat of each game sees. int8, (n, OBSERVATION_SIZE)."""
        self.masks = np.zeros((self.n, NUM_ACTIONS), np.int8)
        """1 for each legal action of the learner. int8, (n, NUM_ACTIONS)."""
        self.rewards = np.zeros(self.n, np.float32)
        """The learner's reward in the last step: 0 where its game did not end. float32, (n,)."""
        self._ended = np.zeros(self.n, np.uint8)
        self.final_observations = np.zeros((self.n, OBSERVATION_SIZE), np.int8)
        """What the learner's seat saw at the end of a game; only the rows of games that ended in the last step mean
        anything. int8, (n, OBSERVATION_SIZE)."""
        self.ended = _Ended(np.zeros(self.n, np.int16), np.zeros(self.n, np.float32), np.zeros(self.n, np.float32))
        self._lent_observations = np.zeros((self.n, OBSERVATION_SIZE), np.int8)
        self._lent_masks = np.zeros((self.n, NUM_ACTIONS), np.int8)
        self.reset(seed)

    def set_shares(self, shares: Sequence[float]) -> None:
        """Change how often each opponent is drawn for games that begin from now on.

        Raises:
            BadSetup: not one number for each opponent, a negative one, or all of them 0.
        """
        given = np.asarray(shares, np.float64)
        if given.shape != (len(self.opponents),) or not (given >= 0).all() or not 0 < given.sum() < np.inf:
            raise BadSetup(
                f"shares {shares!r} are not {len(self.opponents)} numbers of at least 0, one of them above 0"
            )
        self._shares = np.cumsum(given) / given.sum()

    @property
    def learners(self) -> np.ndarray:
        """The learner's seat in each game. int16, (n,)."""
        return self._tables["learner"]

    @property
    def seeds(self) -> np.ndarray:
        """Seed of the present game of each. uint64, (n,)."""
        return self._tables["seed"]

    @property
    def dones(self) -> np.ndarray:
        """Whether a game of each ended in the last step, also by a cut-off, which R24 scores. bool, (n,)."""
        return self._ended != 0

    @property
    def cut_off(self) -> np.ndarray:
        """Whether it was cut off by ``max_turns``. bool, (n,)."""
        return self._ended == 2

    def reset(self, seed: int | Sequence[int] | np.ndarray | None = 0) -> None:
        """Begin all games anew, and go on to the learner's first decision in each.

        Args:
            seed: game i begins with ``seed + i``, or ``seed[i]``; None: with ``rules.next_seed`` of its present one.

        Raises:
            BadSetup: a seed outside 0 to 2**63 - 1, or not n seeds.
        """
        if seed is None:
            seed = np.array([rules.next_seed(now) for now in self.seeds])
        self._tables["seed"] = first_seeds(seed, self.n)
        _begin(self.states, self._tables, self.setting, self.board, self._shares, self._mixed)
        self._go_on()

    def step(self, actions: np.ndarray | Sequence[int]) -> None:
        """Carry out the learner's action in every game and go on to its next decision.

        Raises:
            IllegalMove: an action is not legal; no game has changed then. Or a policy answered with one that is not:
                then only :meth:`reset` leads on.
            ValueError: not n whole numbers; or a policy did not answer with as many as it was asked for.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {actions.shape} and dtype {actions.dtype} are not {self.n} whole numbers"
            )
        actions = actions.astype(np.int64, copy=False)
        self._check(self._all, actions, "the learner")
        _act(self._all, actions, True, self.states, self._tables)
        self._go_on()

    def _check(self, games: np.ndarray, actions: np.ndarray, who: str) -> None:
        if (bad := _first_illegal(self.states, games, actions)) >= 0:
            raise IllegalMove(f"action {actions[bad]}", f"game {games[bad]}: {who} may not take it; see the mask")

    def _go_on(self) -> None:
        """Play until the learner has to decide in every game."""
        kinds = np.array([o.number if isinstance(o, Scripted) else _POLICY for o in self.opponents], np.int64)
        kind_seeds = np.array([o.seed if isinstance(o, Scripted) else 0 for o in self.opponents], np.uint64)
        self._ended[:] = 0
        self.rewards[:] = 0
        games = self._all
        while True:
            _advance_all(
                games,
                self.states,
                self._tables,
                self.setting,
                self.board,
                kinds,
                kind_seeds,
                self._shares,
                self._mixed,
                self._scratch,
                self.rewards,
                self._ended,
                self.final_observations,
                self.ended.opponent,
                self.ended.win,
                self.ended.margin,
            )
            waiting = self._tables["waiting"]
            games = np.flatnonzero(waiting != _LEARNER)
            if len(games) == 0:
                break
            for k in np.unique(waiting[games]):
                asked = np.flatnonzero(waiting == k)
                observations, masks = self._lent_observations[: len(asked)], self._lent_masks[: len(asked)]
                observe_some(asked, self.states, observations, masks)
                policy = self.opponents[k]
                assert not isinstance(policy, Scripted)
                actions = np.asarray(policy.act(observations, masks))
                if actions.shape != asked.shape or actions.dtype.kind not in "iu":
                    raise ValueError(
                        f"opponent {k} answered {len(asked)} games with {actions.dtype} of shape {actions.shape}, "
                        "not with as many whole numbers"
                    )
                actions = actions.astype(np.int64)
                self._check(asked, actions, f"opponent {k}")
                _act(asked, actions, False, self.states, self._tables)
        observe_some(self._all, self.states, self.observations, self.masks)
