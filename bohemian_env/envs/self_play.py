"""Many games in which one seat learns and the others are played inside the step.

In every game one seat is the learner's; with each new game it moves on by one seat. The other seats are played by one
opponent that is drawn for each game, or by one for each seat: a scripted one in compiled code, or a policy or an agent,
which answers all games that wait for it in one batched call. A step takes the learner's action in every game and goes
on to its next decision.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, Unpack

import numpy as np

from ..bits import Word
from ..chance import mix, unit
from ..compiled import njit
from ..errors import BadSetup, IllegalMove, brief
from ..game import rules
from ..game.actions import NUM_ACTIONS
from ..game.board import check_truth, is_whole
from ..game.check import checked_states
from ..game.facts import MAX_PLAYERS
from ..game.setup import Setup, SetupOptions, Start
from ..game.state import new_states
from ..opponents import SCRIPTED, Scratch, Scripted, choose, new_scratch
from .advice import ADVICE_SIZE, advice_room, advise_some, adviser_of
from .afterstates import Afterstates, afterstates_of
from .dealing import (
    any_seed,
    check_actions,
    check_count,
    check_dealt,
    check_game,
    check_games,
    check_names,
    common_array,
    deal_game,
    first_seeds,
)
from .observation import OBSERVATION_SIZE, write_observation
from .observe import observe_some
from .reward import write_rewards

__all__ = ["AgentOpponent", "Ended", "Opponent", "PolicyOpponent", "SelfPlay", "games_of"]


class PolicyOpponent(Protocol):
    """An opponent that sees what a player sees, for many games at once."""

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """Return legal actions, whole numbers (m,).

        Args:
            observations: int8, (m, OBSERVATION_SIZE).
            masks: int8, (m, NUM_ACTIONS).
            advice: float32, (m, ADVICE_SIZE), if the games show it.

        The arrays may be overwritten after the call.
        """
        ...


class AgentOpponent(Protocol):
    """An opponent that is given positions, as those of ``agents.make`` are, for many games at once."""

    def act_batch(self, batch: Any, games: np.ndarray) -> np.ndarray:
        """Return legal actions, whole numbers (m,).

        Args:
            batch: the :class:`SelfPlay`. Its ``states`` and ``afterstates`` are of whoever is to move; what it shows is
                for the learner.
            games: the numbers of the games to act in, int64 (m,).
        """
        ...


Opponent = Scripted | PolicyOpponent | AgentOpponent

_TABLE: Final = np.dtype(
    [
        ("seed", np.uint64),  # of the present game
        ("learner", np.int16),  # its seat
        ("opponents", np.int16, (MAX_PLAYERS,)),  # the opponent that plays each seat that is not the learner's
        ("mixed", np.bool_),  # whether each seat has an opponent of its own
        ("waiting", np.int16),  # the opponent whose action is awaited; _LEARNER if the learner's is
        ("acted", np.bool_),  # whether the learner has acted in this game
        # about the game that ended in the last step, if one did
        ("ended", np.uint8),  # 1 for terminated, 2 for truncated, 0 for none
        ("opponent", np.int16),  # -1 where every seat had one of its own
        ("win", np.float32),  # the learner's share of the win
        ("margin", np.float32),  # its total less the mean of the others'
    ],
    align=True,
)
_LEARNER: Final = -1
_ASKED: Final = -1  # a policy or an agent, instead of the number of a scripted opponent
_OPPONENT_STREAM: Final = np.uint64(0x4F50504F4E454E54)  # keeps this draw apart from the others of a seed
_MIXED_STREAM: Final = np.uint64(0x4D495845445F5F5F)
_MIXED: Final = -1  # instead of the number of an opponent


class _Games(NamedTuple):
    """The arrays of the games, as compiled loops take them, with one row for each game."""

    states: np.ndarray
    tables: np.ndarray
    rewards: np.ndarray
    final: np.ndarray  # what the learner's seat saw at the end


class _Pool(NamedTuple):
    """The opponents, as compiled loops take them."""

    kinds: np.ndarray  # the number of each scripted opponent; _ASKED for others
    seeds: np.ndarray  # their own seeds
    shares: np.ndarray  # cumulative, up to 1
    mixed: float  # part of the games in which every seat has an opponent of its own


@dataclass(frozen=True, slots=True)
class Ended:
    """The games that ended in the last step: arrays of shape (n,), which mean nothing where none did."""

    opponent: np.ndarray
    """The number of the opponent, int16; -1 where every seat had one of its own."""
    win: np.ndarray
    """The learner's share of the win, float32."""
    margin: np.ndarray
    """The learner's total less the mean of the others', in coins, float32."""


@njit
def _draw_opponent(seed: Word, shares: np.ndarray) -> int:
    """Draw the opponent of a game by cumulative shares, which end at 1."""
    drawn = unit(mix(mix(seed ^ _OPPONENT_STREAM)))
    for k in range(shares.shape[0]):
        if drawn < shares[k]:
            return k
    return shares.shape[0] - 1


@njit
def _seat_players(table: np.void, players: int, pool: _Pool) -> None:
    """Draw the opponents of a new game: one for all seats, or one for each in the part ``mixed`` of the games."""
    seed = table["seed"]
    table["acted"] = False
    table["opponents"][:] = _draw_opponent(seed, pool.shares)
    table["mixed"] = players > 2 and unit(mix(mix(seed ^ _MIXED_STREAM))) < pool.mixed
    if table["mixed"]:
        for seat in range(players):
            table["opponents"][seat] = _draw_opponent(mix(seed + np.uint64(seat + 1)), pool.shares)


@njit
def _note_end(games: _Games, i: int, reward: int) -> None:
    """Write down how game ``i``, which is over, ended for the learner."""
    s, table = games.states[i], games.tables[i]
    learner, players = table["learner"], s["players"]
    rewards, totals = np.empty(players, np.float32), np.empty(players, np.int32)
    shares = np.empty(players, np.float32)
    write_rewards(s, reward, rewards, totals)
    rules.write_win_shares(totals, players, shares)
    games.rewards[i] = rewards[learner]
    write_observation(s, learner, games.final[i])
    table["ended"] = 2 if s["end"] == rules.TRUNCATED else 1
    table["opponent"] = _MIXED if table["mixed"] else table["opponents"][0]
    table["win"] = shares[learner]
    table["margin"] = totals[learner] - (totals.sum() - totals[learner]) / (players - 1)


@njit
def _advance(games: _Games, i: int, common: np.void, pool: _Pool, scratch: Scratch, autoreset: bool) -> None:
    """Go on with game ``i`` until the learner, or an opponent that is asked, has to decide, through as many games as
    that takes; without autoreset until it ends at the latest.
    """
    s, table = games.states[i], games.tables[i]
    while True:
        if s["end"] != 0:
            if table["acted"]:  # otherwise the learner's seat never acted, and another game is dealt
                _note_end(games, i, common["reward"])
                if not autoreset:
                    table["waiting"] = _LEARNER
                    return
            table["seed"] = rules.next_seed(table["seed"])
            table["learner"] = (table["learner"] + 1) % s["players"]
            _seat_players(table, s["players"], pool)
            deal_game(s, table["seed"], common)
            continue
        if s["to_move"] == table["learner"]:
            table["waiting"] = _LEARNER
            return
        k = table["opponents"][s["to_move"]]
        if pool.kinds[k] == _ASKED:
            table["waiting"] = k
            return
        rules.push(s, choose(pool.kinds[k], s, table["seed"], pool.seeds[k], scratch))
        rules.deal_seeded(s, table["seed"])


@njit
def _begin(games: _Games, some: np.ndarray, common: np.ndarray, pool: _Pool) -> None:
    players = common[0]["players"]
    for i in some:
        _seat_players(games.tables[i], players, pool)
        deal_game(games.states[i], games.tables[i]["seed"], common[0])


@njit
def _first_illegal(states: np.ndarray, games: np.ndarray, actions: np.ndarray) -> int:
    """Return the first place of ``games`` whose action is not legal; -1 if there is none."""
    for place in range(games.shape[0]):
        action = actions[place]
        if not (0 <= action < NUM_ACTIONS and rules.is_legal(states[games[place]], action)):
            return place
    return -1


@njit
def _act(games: _Games, some: np.ndarray, actions: np.ndarray, by_learner: bool) -> None:
    """Carry out a legal action in each game of ``some``."""
    for place in range(some.shape[0]):
        i = some[place]
        if by_learner:
            games.tables[i]["acted"] = True
        rules.push(games.states[i], actions[place])
        rules.deal_seeded(games.states[i], games.tables[i]["seed"])


@njit
def _advance_all(
    games: _Games, some: np.ndarray, common: np.ndarray, pool: _Pool, scratch: Scratch, autoreset: bool
) -> None:
    for place in range(some.shape[0]):
        _advance(games, some[place], common[0], pool, scratch, autoreset)


@njit
def _show_ends(games: _Games, observations: np.ndarray, masks: np.ndarray) -> None:
    """Write what the learner sees of games that are over."""
    for i in range(games.states.shape[0]):
        s = games.states[i]
        if s["end"] != 0:
            write_observation(s, games.tables[i]["learner"], observations[i])
            masks[i, :] = 0


class SelfPlay:
    """``n`` games side by side; each waits for the learner.

    The arrays that it returns are its own and are overwritten by the next :meth:`step` or :meth:`reset`.

    Args:
        n: number of games, 1 to 2**24.
        opponents: what plays the other seats: names of scripted opponents, :class:`Scripted` ones, policies or agents,
            which may be replaced in the attribute while games go on; more may be added, with :meth:`set_shares`. One
            that has ``act_batch`` is asked as an agent.
        shares: how often each opponent is drawn for a new game, in any unit; equal by default.
        num_players, villages, options: the parameters of :meth:`Setup.of`.
        reward: a name of ``reward.REWARDS``.
        seed: game i begins with seed ``seed + i``; the next one in its place has the ``rules.next_seed`` of that. None
            takes any.
        mixed: part of the games of three or more players, 0 to 1, in which an opponent is drawn for each seat instead
            of one for all.
        advice: who tells the learner and the policies what it thinks (``advice.py``); True is the planner.
        autoreset: whether a game that ends is followed by another in the same step; else it stays as it is, with no
            legal action, until :meth:`reset`.

    Raises:
        BadSetup: a parameter is not as above, or there is no opponent.
        BadBoard, OSError: as for ``Game.new``.
    """

    def __init__(
        self,
        n: int,
        opponents: Sequence[str | Opponent],
        shares: Sequence[float] | None = None,
        *,
        num_players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        reward: str = "win",
        seed: int | None = 0,
        mixed: float = 0.0,
        advice: bool | str = False,
        autoreset: bool = True,
        **options: Unpack[SetupOptions],
    ) -> None:
        check_count("n", n)
        self.adviser = adviser_of(advice)
        """Who tells the learner and the policies what it thinks; ``""`` for nobody."""
        check_truth("autoreset", autoreset)
        self.autoreset = bool(autoreset)
        """Whether a game that ends is followed by another in the same step."""
        if not isinstance(mixed, int | float | np.integer | np.floating) or not 0 <= mixed <= 1:
            raise BadSetup(f"mixed {brief(mixed)} is not from 0 to 1")
        self._mixed = float(mixed)
        self.setup = Setup.of(num_players, villages, **options)
        """The set-up of all games."""
        self.n = int(n)
        self.num_players = self.setup.players
        self.opponents = _checked_opponents(opponents)
        self._count = 0
        self._under_way = False  # whether a step or a reset has begun and not ended
        self._reward = reward
        self._common = common_array(self.setup, reward)
        self.set_shares(shares if shares is not None else [1.0] * len(self.opponents))
        if seed is None:
            seed = any_seed()
        self._games = _Games(
            states=new_states(self.n),
            tables=np.zeros(self.n, _TABLE),
            rewards=np.zeros(self.n, np.float32),
            final=np.zeros((self.n, OBSERVATION_SIZE), np.int8),
        )
        self._scratch = new_scratch()
        self._all = np.arange(self.n)
        self._shown = _Shown(self.n, self.adviser)
        self._lent = _Shown(self.n, self.adviser)
        self.ended = Ended(*(self._games.tables[name] for name in ("opponent", "win", "margin")))
        self.reset(seed)

    def set_shares(self, shares: Sequence[float]) -> None:
        """Change how often each opponent is drawn for games that begin from now on.

        Raises:
            BadSetup: there is not one number for each opponent, one is negative, or all are 0; there are fewer
                opponents than before, or one cannot act.
        """
        if (count := len(_checked_opponents(self.opponents))) < self._count:
            raise BadSetup(f"{count} opponents: some of the {self._count} that there were may sit in games that go on")
        try:
            given = np.asarray(shares, np.float64)
        except (OverflowError, TypeError, ValueError):  # no numbers, or rows of different lengths
            given = np.empty(0)
        if given.shape != (count,) or not (given >= 0).all() or not 0 < given.sum() < np.inf:
            raise BadSetup(f"shares {brief(shares)} are not {count} numbers of at least 0, one of them above 0")
        self._count = count
        self._given_shares = given
        self._shares = np.cumsum(given) / given.sum()

    @property
    def states(self) -> np.ndarray:
        """The positions: shape (n,), dtype ``state.STATE``.

        A learner that looks ahead may write positions of other games with this set-up, and :attr:`learners`, into
        games of its own: what is shown follows with the next :meth:`step`.
        """
        return self._games.states

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """:attr:`states` and :attr:`seeds` as this project's compiled functions take them; nobody writes to them."""
        return self._games.states, self._games.tables["seed"]

    @property
    def observations(self) -> np.ndarray:
        """What the learner's seat of each game sees: int8, (n, OBSERVATION_SIZE)."""
        return self._shown.observations

    @property
    def masks(self) -> np.ndarray:
        """The legal actions of the learner as 1, the others as 0: int8, (n, NUM_ACTIONS)."""
        return self._shown.masks

    @property
    def advice(self) -> np.ndarray | None:
        """What the adviser tells the learner's seat of each game: float32, (n, ADVICE_SIZE); None without advice."""
        return self._shown.advice

    @property
    def rewards(self) -> np.ndarray:
        """The learner's reward in the last step, 0 where its game did not end: float32, (n,)."""
        return self._games.rewards

    @property
    def final_observations(self) -> np.ndarray:
        """What the learner's seats saw where games ended in the last step: int8, (n, OBSERVATION_SIZE)."""
        return self._games.final

    @property
    def learners(self) -> np.ndarray:
        """The learner's seat in each game: int16, (n,)."""
        return self._games.tables["learner"]

    @property
    def seeds(self) -> np.ndarray:
        """The seeds of the present games: uint64, (n,)."""
        return self._games.tables["seed"]

    @property
    def dones(self) -> np.ndarray:
        """Whether each game ended in the last step, if only by a cut-off, which R24 scores: bool, (n,)."""
        return self._games.tables["ended"] != 0

    @property
    def cut_off(self) -> np.ndarray:
        """Whether each game was cut off by ``max_turns`` in the last step: bool, (n,)."""
        return self._games.tables["ended"] == 2

    @property
    def over(self) -> np.ndarray:
        """Whether each game is over, which without autoreset it stays: bool, (n,)."""
        return self._games.states["end"] != 0

    def reset(
        self,
        seed: int | Sequence[int] | np.ndarray | None = 0,
        games: Sequence[int] | np.ndarray | None = None,
        *,
        first_seat: int = 0,
    ) -> None:
        """Begin games anew, and go on to the learner's first decision in each.

        Args:
            seed: game i begins with ``seed + i``, or ``seed[i]``; None takes ``rules.next_seed`` of its present seed.
            games: the numbers of some games, int64 (m,); all by default.
            first_seat: with a seed the learner of game i sits in seat ``first_seat + i``, counted round the table;
                without one its seat moves on by one.

        Raises:
            BadSetup: a seed is not from 0 to 2**63 - 1, there are not n seeds, first_seat is no seat, or opponents do
                not fit, as for :meth:`step`.
            IllegalMove: as for :meth:`step`, if only some games are to begin anew.
            IndexError: a number is not from 0 to n - 1.
            ValueError: they are no whole numbers, shape (m,).
        """
        if not is_whole(first_seat, 0, self.num_players - 1):
            raise BadSetup(f"first_seat {brief(first_seat)} is not one of 0 to {self.num_players - 1}")
        opponents = self._opponents_now()
        tables = self._games.tables
        some = self._all if games is None else np.unique(check_games(games, self.n))
        if len(some) < self.n:
            self._check_rest("a reset of some games")
        learners = self._all + int(first_seat)
        if seed is None:
            seed = self.seeds.copy()
            seed[some] = [rules.next_seed(seed[i]) for i in some]
            learners = tables["learner"].astype(np.int64) + 1
        seeds = first_seeds(seed, self.n)
        self._under_way = True
        tables["seed"][some] = seeds[some]
        tables["learner"][some] = learners[some] % self.num_players
        _begin(self._games, some, self._common, self._pool(opponents))
        self._go_on(some, opponents)

    def step(self, actions: np.ndarray | Sequence[int]) -> None:
        """Carry out the learner's action in every game that is not over and go on to its next decision.

        Raises:
            IllegalMove: an action is not legal, and no game has changed; or an opponent answered with an illegal one,
                or failed in the step before, or that was interrupted, and only :meth:`reset` of all games helps.
            BadSetup: opponents are no longer as many, or what is in the place of one cannot act.
            ValueError: the actions are not n whole numbers, or an opponent's answers are not one for each game.
        """
        actions, some = check_actions(actions, self.n), self._all
        if not self.autoreset:
            some = np.flatnonzero(~self.over)
            actions = actions[some]
        self._check_rest("a step")
        self._check(some, actions, "the learner")
        opponents = self._opponents_now()
        self._under_way = True
        _act(self._games, some, actions, True)
        self._games.tables["ended"] = 0
        self.rewards[:] = 0
        self._go_on(some, opponents)

    def margin(self, i: int) -> float:
        """Return the learner's total less the mean of the others', in coins, were game ``i`` scored as it stands.

        Raises IndexError if there is no such game.
        """
        check_game(i, self.n)
        totals, learner = np.zeros(self.num_players, np.int32), int(self.learners[i])
        write_rewards(self._games.states[i], self._common[0]["reward"], np.zeros(self.num_players, np.float32), totals)
        others = np.delete(totals, learner)
        return float(totals[learner] - others.mean())

    def start_of(self, i: int) -> Start:
        """Return the beginning of the present game ``i``. Raises IndexError if there is no such game."""
        check_game(i, self.n)
        return self.setup.start(int(self.seeds[i]))

    def afterstates(self, games: np.ndarray | Sequence[int] | None = None) -> Afterstates:
        """Return where each legal action of the seat to move leads before the dice fall, in some games or in all.

        games: their numbers, int64 (m,). Where one is over there are none.

        Raises:
            IndexError: a number is not from 0 to n - 1.
            ValueError: they are no whole numbers, shape (m,).
        """
        return afterstates_of(self._games.states, games, self._reward)

    def _check_rest(self, what: str) -> None:
        """Raise IllegalMove unless all games wait for the learner."""
        if self._under_way:
            raise IllegalMove(what, "the step before was interrupted, or an opponent failed in it: reset() all games")

    def _check(self, games: np.ndarray, actions: np.ndarray, who: str) -> None:
        if (bad := _first_illegal(self._games.states, games, actions)) >= 0:
            raise IllegalMove(f"action {actions[bad]}", f"game {games[bad]}: {who} may not take it; see the mask")

    def _opponents_now(self) -> list[Opponent]:
        """Return the opponents, which may have been replaced in the list. Raises BadSetup if they do not fit."""
        opponents = _checked_opponents(self.opponents)
        if len(opponents) != self._count:
            raise BadSetup(f"{len(opponents)} opponents: there are shares of {self._count}, see set_shares()")
        return opponents

    def _pool(self, opponents: Sequence[Opponent]) -> _Pool:
        kinds = [o.number if isinstance(o, Scripted) else _ASKED for o in opponents]
        seeds = [o.seed if isinstance(o, Scripted) else 0 for o in opponents]
        return _Pool(np.array(kinds, np.int64), np.array(seeds, np.uint64), self._shares, self._mixed)

    def _go_on(self, some: np.ndarray, opponents: Sequence[Opponent]) -> None:
        """Play some games until the learner has to decide in each."""
        pool = self._pool(opponents)
        self._games.tables["ended"][some] = 0
        self.rewards[some] = 0
        while True:
            _advance_all(self._games, some, self._common, pool, self._scratch, self.autoreset)
            waiting = self._games.tables["waiting"]
            some = np.flatnonzero(waiting != _LEARNER)
            if len(some) == 0:
                break
            for k in np.unique(waiting[some]):
                asked = np.flatnonzero(waiting == k)
                opponent: Any = opponents[k]
                who = f"opponent {k} ({type(opponent).__name__})"
                if _is_agent(opponent):
                    answers = opponent.act_batch(self, asked)
                else:
                    answers = opponent.act(*self._lent.show(asked, self._games.states))
                actions = check_actions(answers, len(asked), f"{who}: ")
                self._check(asked, actions, who)
                _act(self._games, asked, actions, False)
        self._show()
        self._under_way = False

    def _show(self) -> None:
        self._shown.show(self._all, self._games.states)
        if not self.autoreset:
            _show_ends(self._games, self.observations, self.masks)

    def __getstate__(self) -> dict[str, Any]:
        """Return what equal games are made from."""
        parameters = {"num_players": self.setup, "reward": self._reward, "mixed": self._mixed}
        parameters |= {"autoreset": self.autoreset}
        return {
            "n": self.n,
            "opponents": self.opponents,
            "shares": self._given_shares,
            "parameters": parameters | {"advice": self.adviser or False},
            "games": dict(self._games._asdict()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the games anew. Raises BadSetup, BadBoard or BadPosition if their parts do not fit."""
        if not isinstance(state, dict) or {*state} != {"n", "opponents", "shares", "parameters", "games"}:
            raise BadSetup("not the state of pickled games")
        check_names("parameters", state["parameters"], ("num_players", "reward", "mixed", "advice", "autoreset"))
        self.__init__(state["n"], [Scripted("random")], **state["parameters"])  # type: ignore[misc] # asks nobody
        self.opponents = _checked_opponents(state["opponents"])
        self.set_shares(state["shares"])
        given = state["games"]
        if not isinstance(given, dict) or {*given} != {*_Games._fields}:
            raise BadSetup(f"games: not arrays called {', '.join(_Games._fields)}")
        given = given | {"states": checked_states(given["states"])}
        for name, own in self._games._asdict().items():
            array = given[name]
            if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (own.shape, own.dtype):
                raise BadSetup(f"{name}: not an array of shape {own.shape} and dtype {own.dtype}")
            own[...] = array
        states, tables = self._games.states, self._games.tables
        check_dealt(states, tables["seed"], self._common)
        waits = (states["end"] == 0) & (states["pending"] == 0) & (states["to_move"] == tables["learner"])
        if not (waits if self.autoreset else waits | self.over).all():
            raise BadSetup("states: not all games wait for the learner")
        learners, drawn = tables["learner"], tables["opponents"]
        if (learners < 0).any() or (learners >= self.num_players).any():
            raise BadSetup(f"tables: learner: not seats from 0 to {self.num_players - 1}")
        if (drawn < 0).any() or (drawn >= len(self.opponents)).any() or (tables["waiting"] != _LEARNER).any():
            raise BadSetup(f"tables: not numbers of {len(self.opponents)} opponents")
        self._show()


def _checked_opponents(opponents: object) -> list[Opponent]:
    """Return opponents as a list, scripted ones by name made; raises BadSetup if there is none, or one cannot act."""
    if not isinstance(opponents, list | tuple) or not opponents:
        raise BadSetup(f"no opponents: {brief(opponents)} is not a list of one or more to play the other seats")
    if len(opponents) > (most := int(np.iinfo(_TABLE["opponent"]).max)):
        raise BadSetup(f"{len(opponents):,} opponents: at most {most:,} are possible")
    for one in opponents:
        if isinstance(one, str) and one not in SCRIPTED:
            told = f"known are {', '.join(SCRIPTED)}; other agents are given as objects, such as agents.make('ppo')"
            raise BadSetup(f"unknown scripted opponent {brief(one)}; {told}")
    found = [Scripted(one) if isinstance(one, str) else one for one in opponents]
    for one in found:
        if not (isinstance(one, Scripted) or _is_agent(one) or callable(getattr(one, "act", None))):
            raise BadSetup(f"opponent {brief(one)} is neither a name nor Scripted, and has no method act or act_batch")
    return found


def _is_agent(opponent: object) -> bool:
    return callable(getattr(opponent, "act_batch", None))


_PARAMETERS: Final = ("num_players", "villages", "reward", "seed", "mixed", "advice", *SetupOptions.__annotations__)


def games_of(
    face: object,
    n: int,
    opponents: Sequence[str | Opponent],
    parameters: Mapping[str, Any],
    shares: Sequence[float] | None = None,
    *,
    autoreset: bool,
) -> SelfPlay:
    """Return the games behind a face, made of its parameters. Raises TypeError for one that there is not."""
    for name in parameters:
        if name not in _PARAMETERS:
            own = [one for one in inspect.signature(type(face)).parameters if one != "parameters"]
            known = ", ".join(dict.fromkeys((*own, *_PARAMETERS)))
            raise TypeError(f"{type(face).__name__} has no parameter {brief(name)}; there are {known}")
    return SelfPlay(n, opponents, shares, autoreset=autoreset, **parameters)


class _Shown:
    """Room for what is shown to the current seats of games."""

    def __init__(self, n: int, adviser: str) -> None:
        self.observations = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self.masks = np.zeros((n, NUM_ACTIONS), np.int8)
        self.advice = np.zeros((n, ADVICE_SIZE), np.float32) if adviser else None
        self._room = advice_room(adviser) if adviser else None

    def show(self, games: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, ...]:
        """Write what is shown to the current seats of ``games``, int64 (m,), into the first rows, and return these."""
        m = len(games)
        shown = self.observations[:m], self.masks[:m]
        observe_some(games, states, *shown)
        if self.advice is None or self._room is None:
            return shown
        advise_some(games, states, self._room, self.advice[:m])
        return *shown, self.advice[:m]
