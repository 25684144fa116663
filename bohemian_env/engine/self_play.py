"""Many games in which one seat learns and the others are played inside the step.

In every game one seat is the learner's; with each new game it moves on by one seat. The other seats are played by one
opponent that is drawn for each game, or by one for each seat: a scripted one in compiled code, or a policy or an agent,
which answers all games that wait for it in one batched call. A step takes the learner's action in every game and goes
on to its next decision.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from .beside import Beside
from .bits import Word
from .bound import loop
from .chance import mix, own_word, unit
from .checks import MAX_SEED, any_seed, check_actions, check_game, check_games, check_names, first_seeds, is_whole
from .compiled import njit
from .contract import GROWTH, TEAM, TRUNCATED, Rules, Scripted, choose, moment, push, write_observation
from .dealing import check_dealt, check_positions, deal_game, deal_seeded, next_seed
from .errors import BadSetup, IllegalMove, brief
from .legal import is_legal
from .observe import observe_some
from .parts import size_of
from .reward import begin_rewards, new_scoring, write_gains, write_totals, write_win_shares
from .states import copy_states


class PolicyOpponent(Protocol):
    """An opponent that sees what a player sees, for many games at once."""

    def act(self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None) -> np.ndarray:
        """Return legal actions, whole numbers (m,).

        Args:
            observations: int8, (m, size of an observation).
            masks: int8, (m, NUM_ACTIONS).
            advice: float32, (m, size of the advice), if the games show it.

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

_MOST_SEATS: Final = 8
_TABLE: Final = np.dtype(
    [
        ("seed", np.uint64),  # of the present game
        ("learner", np.int16),  # its seat
        ("opponents", np.int16, (_MOST_SEATS,)),  # the opponent that plays each seat that is not the learner's
        ("mixed", np.bool_),  # whether each seat has an opponent of its own
        ("waiting", np.int16),  # the opponent whose action is awaited; _LEARNER if the learner's is
        ("acted", np.bool_),  # whether the learner has acted in this game
        # about the game that ended in the last step, if one did
        ("ended", np.uint8),  # 1 for terminated, 2 for truncated, 0 for none
        ("opponent", np.int16),  # -1 where every seat had one of its own
        ("win", np.float32),  # the learner's share of the win
        ("margin", np.float32),  # its total less the mean of the others'
        ("total", np.int32),  # its total
    ],
    align=True,
)
_LEARNER: Final = -1
_NO_ROOM: Final = -2  # instead of who is waited for: the history of the game has no room for another action
_ASKED: Final = -1  # a policy or an agent, instead of the number of a scripted opponent
_OPPONENT_STREAM: Final = np.uint64(0x4F50504F4E454E54)  # keeps this draw apart from the others of a seed
_MIXED_STREAM: Final = np.uint64(0x4D495845445F5F5F)
_MIXED: Final = -1  # instead of the number of an opponent


class _Games(NamedTuple):
    """The arrays of the games, as compiled loops take them, with one row for each game."""

    states: np.ndarray
    tables: np.ndarray
    history: np.ndarray  # actions of each present game, with room for the longest
    lengths: np.ndarray  # numbers of these actions
    before: np.ndarray  # potentials from which rewards count (reward.py)
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
    """The learner's total less the mean of the others', float32; the total where all play for one result."""
    total: np.ndarray
    """The learner's total, int32."""


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


@loop
def _note_end(games: _Games, i: int) -> None:
    """Write down how game ``i``, which is over, ended for the learner."""
    s, table = games.states[i], games.tables[i]
    learner, players = table["learner"], s["players"]
    totals, shares = np.empty(players, np.int32), np.empty(players, np.float32)
    write_totals(s, totals, new_scoring())
    write_win_shares(totals, players, shares)
    write_observation(s, learner, games.final[i])
    table["ended"] = 2 if s["end"] == TRUNCATED else 1
    table["opponent"] = _MIXED if table["mixed"] else table["opponents"][0]
    table["win"] = shares[learner]
    table["total"] = totals[learner]
    table["margin"] = totals[learner]
    if not TEAM and players > 1:
        table["margin"] -= (totals.sum() - totals[learner]) / (players - 1)


@loop
def _deal(games: _Games, i: int, common: np.void, kind: int, pool: _Pool) -> None:
    s, table = games.states[i], games.tables[i]
    _seat_players(table, common["players"], pool)
    deal_game(s, table["seed"], common)
    games.lengths[i] = 0
    begin_rewards(s, kind, games.before[i], np.empty(s["players"], np.int32), new_scoring())


@loop
def _carry_out(games: _Games, i: int, action: int, kind: int) -> None:
    """Carry out a legal action in game ``i``, and add what the learner receives for it."""
    s, table = games.states[i], games.tables[i]
    games.history[i, games.lengths[i]] = action
    games.lengths[i] += 1
    push(s, action)
    deal_seeded(s, table["seed"])
    if s["end"] != 0 or kind == GROWTH:
        gains = np.empty(s["players"], np.float32)
        write_gains(s, kind, games.before[i], gains, np.empty(s["players"], np.int32), new_scoring())
        if table["acted"]:  # what others gain before the learner's first decision is not its own
            games.rewards[i] += gains[table["learner"]]


@loop
def _advance(games: _Games, i: int, common: np.void, kind: int, pool: _Pool, scratch: Any, autoreset: bool) -> None:
    """Go on with game ``i`` until the learner, or an opponent that is asked, has to decide, through as many games as
    that takes; without autoreset until it ends at the latest.
    """
    s, table = games.states[i], games.tables[i]
    while True:
        if s["end"] != 0:
            if table["acted"]:  # otherwise the learner's seat never acted, and another game is dealt
                _note_end(games, i)
                if not autoreset:
                    table["waiting"] = _LEARNER
                    return
            table["seed"] = next_seed(table["seed"])
            table["learner"] = (table["learner"] + 1) % s["players"]
            _deal(games, i, common, kind, pool)
            continue
        if s["to_move"] == table["learner"]:
            table["waiting"] = _LEARNER
            return
        if games.lengths[i] == games.history.shape[1]:
            table["waiting"] = _NO_ROOM
            return
        k = table["opponents"][s["to_move"]]
        if pool.kinds[k] == _ASKED:
            table["waiting"] = k
            return
        word = own_word(table["seed"], pool.seeds[k], moment(s))
        _carry_out(games, i, choose(pool.kinds[k], s, word, scratch), kind)


@loop
def _begin(games: _Games, some: np.ndarray, common: np.ndarray, kind: int, pool: _Pool) -> None:
    for i in some:
        _deal(games, i, common[0], kind, pool)


@njit
def _first_illegal(states: np.ndarray, games: np.ndarray, actions: np.ndarray) -> int:
    """Return the first place of ``games`` whose action is not legal; -1 if there is none."""
    for place in range(games.shape[0]):
        if not is_legal(states[games[place]], actions[place]):
            return place
    return -1


@loop
def _act(games: _Games, some: np.ndarray, actions: np.ndarray, kind: int, by_learner: bool) -> None:
    for place in range(some.shape[0]):
        i = some[place]
        if by_learner:
            games.tables[i]["acted"] = True
        _carry_out(games, i, actions[place], kind)


@loop
def _advance_all(
    games: _Games, some: np.ndarray, common: np.ndarray, kind: int, pool: _Pool, scratch: Any, autoreset: bool
) -> None:
    for place in range(some.shape[0]):
        _advance(games, some[place], common[0], kind, pool, scratch, autoreset)


@loop
def _show_ends(games: _Games, observations: np.ndarray, masks: np.ndarray) -> None:
    """Write what the learner sees of games that are over."""
    for i in range(games.states.shape[0]):
        s = games.states[i]
        if s["end"] != 0:
            write_observation(s, games.tables[i]["learner"], observations[i])
            masks[i, :] = 0


class SelfPlay(Beside):
    """``n`` games side by side; each waits for the learner.

    The arrays that it returns are its own and are overwritten by the next :meth:`step` or :meth:`reset`.

    Args:
        n: number of games, 1 to 2**24.
        opponents: what plays the other seats: names of scripted opponents, :class:`Scripted` ones, policies or agents,
            which may be replaced in the attribute while games go on; more may be added, with :meth:`set_shares`. One
            that has ``act_batch`` is asked as an agent.
        shares: how often each opponent is drawn for a new game, in any unit; equal by default.
        setup: the parameters of the game's set-up, among them ``num_players``, which may be a set-up.
        reward: the name of a reward of the game; by default its first.
        seed: game i begins with seed ``seed + i``; the next one in its place has the ``next_seed`` of that. None takes
            any.
        mixed: part of the games of three or more players, 0 to 1, in which an opponent is drawn for each seat instead
            of one for all.
        advice: who tells the learner and the policies what it thinks; True is the game's first adviser.
        autoreset: whether a game that ends is followed by another in the same step; else it stays as it is, with no
            legal action, until :meth:`reset`.

    Raises:
        BadSetup: a parameter is not as above, or there is no opponent for another seat; and what else the game's set-up
            raises.
    """

    def __init__(
        self,
        n: int,
        opponents: Sequence[str | Opponent],
        shares: Sequence[float] | None = None,
        *,
        reward: str | None = None,
        seed: int | None = 0,
        mixed: float = 0.0,
        advice: bool | str = False,
        autoreset: bool = True,
        **setup: Any,
    ) -> None:
        rules = self.rules
        super().__init__(n, rules.setup(**setup), reward, autoreset)
        self.adviser = rules.adviser(advice)
        """Who tells the learner and the policies what it thinks; ``""`` for nobody."""
        if not isinstance(mixed, int | float | np.integer | np.floating) or not 0 <= mixed <= 1:
            raise BadSetup(f"mixed {brief(mixed)} is not from 0 to 1")
        self._mixed = float(mixed)
        self.opponents = self._checked_opponents(opponents)
        self._count = 0
        self._under_way = False  # whether a step or a reset has begun and not ended
        self.set_shares(shares if shares is not None else [1.0] * len(self.opponents))
        self._games = _Games(
            **self._arrays(),
            tables=np.zeros(self.n, _TABLE),
            rewards=np.zeros(self.n, np.float32),
            final=np.zeros((self.n, rules.sizes[0]), np.int8),
        )
        self._seeds = self._games.tables["seed"]
        self._scratch = rules.scratch()
        self._all = np.arange(self.n)
        self._shown = _Shown(rules, self.n, self.adviser)
        self._lent = _Shown(rules, self.n, self.adviser)
        self.states = self._states
        """The positions: shape (n,), dtype ``rules.state``.

        A learner that looks ahead may write positions of other games with this set-up, and :attr:`learners`, into
        games of its own: what is shown follows with the next :meth:`step`.
        """
        self.seeds = self._seeds
        """The seeds of the present games: uint64, (n,)."""
        self.learners: np.ndarray = self._games.tables["learner"]
        """The learner's seat in each game: int16, (n,)."""
        self.observations = self._shown.observations
        """What the learner's seat of each game sees: int8, (n, size of an observation)."""
        self.masks = self._shown.masks
        """The legal actions of the learner as 1, the others as 0: int8, (n, NUM_ACTIONS)."""
        self.advice = self._shown.advice
        """What the adviser tells the learner of each game: float32, (n, size of the advice); None without advice."""
        self.rewards = self._games.rewards
        """The learner's reward in the last step, from its decision to its next one: float32, (n,)."""
        self.final_observations = self._games.final
        """What the learner's seats saw where games ended in the last step: int8, (n, size of an observation)."""
        self.ended = Ended(*(self._games.tables[name] for name in ("opponent", "win", "margin", "total")))
        """How the games ended that ended in the last step."""
        self.reset(any_seed() if seed is None else seed)

    def set_shares(self, shares: Sequence[float]) -> None:
        """Change how often each opponent is drawn for games that begin from now on. Raises BadSetup: there is not one
        number for each opponent, one is negative, or all are 0; there are fewer opponents than before, or one cannot
        act.
        """
        if (count := len(self._checked_opponents(self.opponents))) < self._count:
            raise BadSetup(f"{count} opponents: some of the {self._count} that there were may sit in games that go on")
        try:
            given = np.asarray(shares, np.float64)
        except (OverflowError, TypeError, ValueError):  # no numbers, or rows of different lengths
            given = np.empty(0)
        if given.shape != (count,) or not (given >= 0).all() or (count and not 0 < given.sum() < np.inf):
            raise BadSetup(f"shares {brief(shares)} are not {count} numbers of at least 0, one of them above 0")
        self._count = count
        self._given_shares = given
        self._shares = np.cumsum(given) / given.sum() if count else given

    @property
    def dones(self) -> np.ndarray:
        """Whether each game ended in the last step, if only by a cut-off, which R24 scores: bool, (n,)."""
        return self._games.tables["ended"] != 0

    @property
    def cut_off(self) -> np.ndarray:
        """Whether each game was cut off by ``max_turns`` in the last step: bool, (n,)."""
        return self._games.tables["ended"] == 2

    @property
    def rivals(self) -> bool:
        """Whether the seats play against each other, so that one wins; else the total counts."""
        return not self.rules.verbs.TEAM and self.num_players > 1

    def told(self) -> dict[str, np.ndarray]:
        """Return what infos tell of the learners where games ended in the last step, by name: each (n,)."""
        won = {"win": self.ended.win, "margin": self.ended.margin}
        return {"cut_off": self.cut_off, **(won if self.rivals else {"total": self.ended.total})}

    def reset(
        self,
        seed: int | Sequence[int] | np.ndarray | None = 0,
        games: Sequence[int] | np.ndarray | None = None,
        *,
        first_seat: int = 0,
    ) -> None:
        """Begin games anew, and go on to the learner's first decision in each.

        Args:
            seed: game i begins with ``seed + i``, or ``seed[i]``; None takes ``next_seed`` of its present seed.
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
        rules, opponents = self.rules, self._opponents_now()
        tables = self._games.tables
        some = self._all if games is None else np.unique(check_games(games, self.n))
        if len(some) < self.n:
            self._check_rest("a reset of some games")
        learners = self._all + int(first_seat)
        if seed is None:
            seed = self.seeds.copy()
            seed[some] = [next_seed(seed[i]) for i in some]
            learners = tables["learner"].astype(np.int64) + 1
        seeds = first_seeds(seed, self.n)
        self._under_way = True
        tables["ended"][some] = 0
        self.rewards[some] = 0
        tables["seed"][some] = seeds[some]
        tables["learner"][some] = learners[some] % self.num_players
        self._set = {i: kept for i, kept in self._set.items() if i not in some}
        rules.compiled(_begin)(self._games, some, self._common, self._kind, self._pool(opponents))
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
        self._games.tables["ended"] = 0
        self.rewards[:] = 0
        self._make_room(some)
        self.rules.compiled(_act)(self._games, some, actions, self._kind, True)
        self._go_on(some, opponents)

    def margin(self, i: int) -> float:
        """Return the learner's total less the mean of the others', were game ``i`` scored as it stands; its total where
        all play for one result.

        Raises IndexError if there is no such game.
        """
        check_game(i, self.n)
        learner = self.learners[i]
        totals = np.array([entry[self.rules.scoring[-1]] for entry in self.rules.scoring_of(self._states[i])])
        return float(totals[learner] - (np.delete(totals, learner).mean() if self.rivals else 0))

    def _check_rest(self, what: str) -> None:
        """Raise IllegalMove unless all games wait for the learner."""
        if self._under_way:
            raise IllegalMove(what, "the step before was interrupted, or an opponent failed in it: reset() all games")

    def _check(self, games: np.ndarray, actions: np.ndarray, who: str) -> None:
        if (bad := _first_illegal(self._states, games, actions)) >= 0:
            raise IllegalMove(f"action {actions[bad]}", f"game {games[bad]}: {who} may not take it; see the mask")

    def _opponents_now(self) -> list[Opponent]:
        """Return the opponents, which may have been replaced in the list. Raises BadSetup if they do not fit."""
        opponents = self._checked_opponents(self.opponents)
        if len(opponents) != self._count:
            raise BadSetup(f"{len(opponents)} opponents: there are shares of {self._count}, see set_shares()")
        return opponents

    def _pool(self, opponents: Sequence[Opponent]) -> _Pool:
        kinds = [o.number if isinstance(o, Scripted) else _ASKED for o in opponents]
        seeds = [o.seed if isinstance(o, Scripted) else 0 for o in opponents]
        return _Pool(np.array(kinds, np.int64), np.array(seeds, np.uint64), self._shares, self._mixed)

    def _go_on(self, some: np.ndarray, opponents: Sequence[Opponent]) -> None:
        """Play some games until the learner has to decide in each."""
        pool, advance, act = self._pool(opponents), self.rules.compiled(_advance_all), self.rules.compiled(_act)
        while True:
            advance(self._games, some, self._common, self._kind, pool, self._scratch, self.autoreset)
            waiting = self._games.tables["waiting"]
            some = np.flatnonzero(waiting != _LEARNER)
            if len(some) == 0:
                break
            self._make_room(some)
            for k in np.unique(waiting[some]):
                if k == _NO_ROOM:
                    continue
                asked = np.flatnonzero(waiting == k)
                opponent: Any = opponents[k]
                who = f"opponent {k} ({type(opponent).__name__})"
                if _is_agent(opponent):
                    answers = opponent.act_batch(self, asked)
                else:
                    answers = opponent.act(*self._lent.show(asked, self._states))
                actions = check_actions(answers, len(asked), f"{who}: ")
                self._check(asked, actions, who)
                act(self._games, asked, actions, self._kind, False)
        self._show()
        self._under_way = False

    def _show(self) -> None:
        self._shown.show(self._all, self._states)
        if not self.autoreset:
            self.rules.compiled(_show_ends)(self._games, self.observations, self.masks)

    def get_state(self) -> dict[str, Any]:
        """Return everything about the games at this moment, as copies, for :meth:`set_state`."""
        games = {name: array.copy() for name, array in self._games._asdict().items() if name != "states"}
        begun = {i: pieces for i, (_, pieces) in self._set.items() if self._was_set(i)}
        return games | {"states": copy_states(self._states), "set": begun}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a moment from :meth:`get_state`, of these games or of others with the same parameters.

        Raises:
            BadPosition: a position contradicts itself or the rules.
            BadSetup: it is not such a state, or it is of games with another set-up.
        """
        names = ({*_Games._fields, "set"}, {*_FIELDS_OF_0_2})
        if not isinstance(state, dict) or {*state} not in names:
            raise BadSetup(f"games: not arrays called {', '.join(_Games._fields)}, and games that were set")
        begun, state = state.get("set", {}), {name: array for name, array in state.items() if name != "set"}
        kept = _Games(**(self._games._asdict() | state | {"states": self.rules.checked_states(state["states"])}))
        if "history" not in state:
            kept = kept._replace(tables=_of_0_2(kept.tables, self.n), lengths=np.zeros(self.n, np.int64))
        for name, own in self._games._asdict().items():
            array, shape = getattr(kept, name), own.shape
            if name == "history" and isinstance(array, np.ndarray) and array.ndim == 2:
                shape = (self.n, max(array.shape[1], 1))
            if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (shape, own.dtype):
                raise BadSetup(f"{name}: not an array of shape {shape} and dtype {own.dtype}")
        self._check_state(kept, begun)
        for name, own in self._games._asdict().items():
            if name != "history":
                own[...] = getattr(kept, name)
        self._games = self._games._replace(history=kept.history.copy())
        if "history" not in state:
            begun = {i: self.pieces_of(i) for i in range(self.n)}
        self._set = {i: (int(self._seeds[i]), pieces) for i, pieces in begun.items()}
        self._under_way = False
        self._show()

    def _check_state(self, kept: _Games, begun: dict[Any, Any]) -> None:
        states, tables = kept.states, kept.tables
        if (tables["seed"] > MAX_SEED).any():
            raise BadSetup(f"tables: seed: not from 0 to {MAX_SEED}")
        for i, pieces in self._checked_set(begun).items():
            self.rules.check_pieces(pieces, states[i])
        if (states["players"] != self.num_players).any():
            raise BadSetup(f"states: not games of {self.num_players} players")
        others = [i for i in range(self.n) if i not in begun]
        check_dealt(self.rules, states[others], tables["seed"][others], self._common)
        learners, drawn = tables["learner"], tables["opponents"]
        if (learners < 0).any() or (learners >= self.num_players).any():
            raise BadSetup(f"tables: learner: not seats from 0 to {self.num_players - 1}")
        waits = (states["end"] == 0) & (states["pending"] == 0) & (states["to_move"] == learners)
        if not (waits if self.autoreset else waits | (states["end"] != 0)).all():
            raise BadSetup("states: not all games wait for the learner")
        least, count = (0, len(self.opponents)) if self.opponents else (-1, 0)
        if (drawn < least).any() or (drawn >= count).any() or (tables["waiting"] != _LEARNER).any():
            raise BadSetup(f"tables: not numbers of {count} opponents")
        actions = self.rules.verbs.NUM_ACTIONS
        if (kept.lengths < 0).any() or (kept.lengths > kept.history.shape[1]).any() or (kept.history >= actions).any():
            raise BadSetup(f"history, lengths: not rows of actions from 0 to {actions - 1}")

    def begin_at(self, i: int, states: np.ndarray, seed: int, pieces: Any) -> None:
        """Let game ``i`` go on from a position in which somebody decides, with its pieces; the learner takes that seat.

        states: (1,). seed: that from which chance to come follows, and the opponents. Raises BadPosition, BadSetup,
        IndexError: it is no such position, no such seed, or no such game.
        """
        check_game(i, self.n)
        some = np.array([int(i)])
        found, seeds = check_positions(self.rules, states, [seed], some, None)
        if (found["players"] != self.num_players).any() or (found["end"] != 0).any():
            raise BadSetup(f"position: expected one of {self.num_players} players in which somebody decides")
        self.reset(np.full(self.n, seeds[0]), some)
        self.learners[i] = found["to_move"][0]
        self._place(some, found, seeds, [pieces])
        self._show()

    def __getstate__(self) -> dict[str, Any]:
        """Return what equal games are made from."""
        parameters = {"num_players": self.setup, "reward": self._reward, "mixed": self._mixed}
        parameters |= {"autoreset": self.autoreset, "advice": self.adviser or False}
        own = {"n": self.n, "opponents": self.opponents, "shares": self._given_shares}
        return own | {"parameters": parameters, "games": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the games anew. Raises BadSetup, BadPosition or what the set-up raises if their parts do not fit."""
        if not isinstance(state, dict) or {*state} != {"n", "opponents", "shares", "parameters", "games"}:
            raise BadSetup("not the state of pickled games")
        check_names("parameters", state["parameters"], ("num_players", "reward", "mixed", "advice", "autoreset"))
        self.__init__(state["n"], ["random"], **state["parameters"])  # type: ignore[misc] # asks nobody
        self.opponents = self._checked_opponents(state["opponents"])
        self._count = 0
        self.set_shares(state["shares"])
        self.set_state(state["games"])

    def _checked_opponents(self, opponents: object) -> list[Opponent]:
        """Return opponents as a list, scripted ones by name made; raises BadSetup if there is none for another seat, or
        one cannot act.
        """
        if not isinstance(opponents, list | tuple) or not (opponents or self.num_players == 1):
            raise BadSetup(f"no opponents: {brief(opponents)} is not a list of one or more to play the other seats")
        if len(opponents) > (most := int(np.iinfo(_TABLE["opponent"]).max)):
            raise BadSetup(f"{len(opponents):,} opponents: at most {most:,} are possible")
        known = self.rules.opponents
        found = []
        for one in opponents:
            if isinstance(one, str) and one not in known:
                told = f"known are {', '.join(known)}; other agents are given as objects, such as agents.make('ppo')"
                raise BadSetup(f"unknown scripted opponent {brief(one)}; {told}")
            made = self.rules.scripted(one) if isinstance(one, str) else one
            plays = made.known is known if isinstance(made, Scripted) else callable(getattr(made, "act", None))
            if not (plays or _is_agent(made)):
                told = "is neither a name nor Scripted, and has no method act or act_batch"
                raise BadSetup(f"opponent {brief(one)} {told}")
            found.append(made)
        return found


def _is_agent(opponent: object) -> bool:
    return callable(getattr(opponent, "act_batch", None))


_FIELDS_OF_0_2: Final = ("states", "tables", "rewards", "final")


def _of_0_2(tables: Any, n: int) -> np.ndarray:
    """Return the tables that version 0.2.0 pickled, which knew no total and five seats, in today's form."""
    found = np.zeros(n, _TABLE)
    names = set(_TABLE.names or ()) - {"total"}
    if not isinstance(tables, np.ndarray) or {*(tables.dtype.names or ())} != names or tables.shape != (n,):
        raise BadSetup(f"tables: not an array of shape ({n},) with {', '.join(sorted(names))}")
    for name in names - {"opponents"}:
        found[name] = tables[name]
    if tables["opponents"].shape[1:] != (5,):
        raise BadSetup("tables: opponents: not of five seats")
    found["opponents"][:, :5] = tables["opponents"]
    return found


def games_of(
    face: Any,
    n: int,
    opponents: Sequence[str | Opponent],
    parameters: Mapping[str, Any],
    shares: Sequence[float] | None = None,
    *,
    autoreset: bool,
) -> SelfPlay:
    """Return the games behind a face, made of its parameters, with any seed if none is named. Raises TypeError for a
    parameter that there is not.
    """
    offered = ("num_players", *face.self_play.rules.options, "reward", "seed", "mixed", "advice")
    parameters = {"seed": None, **parameters}
    for name in parameters:
        if name not in offered:
            own = [one for one in inspect.signature(type(face)).parameters if one != "parameters"]
            known = ", ".join(dict.fromkeys((*own, *offered)))
            raise TypeError(f"{type(face).__name__} has no parameter {brief(name)}; there are {known}")
    made: SelfPlay = face.self_play(n, opponents, shares, autoreset=autoreset, **parameters)
    return made


class _Shown:
    """Room for what is shown to the current seats of games."""

    def __init__(self, rules: Rules, n: int, adviser: str) -> None:
        self.observations = np.zeros((n, rules.sizes[0]), np.int8)
        self.masks = np.zeros((n, rules.sizes[1]), np.int8)
        self._rules, self._adviser = rules, rules.advice if adviser else None
        self._room = self._adviser.room(adviser) if self._adviser else None
        self.advice = np.zeros((n, size_of(self._adviser.parts)), np.float32) if self._adviser else None

    def show(self, games: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, ...]:
        """Write what is shown to the current seats of ``games``, int64 (m,), into the first rows, and return these."""
        m = len(games)
        shown = self.observations[:m], self.masks[:m]
        self._rules.compiled(observe_some)(games, states, *shown)
        if self.advice is None or self._adviser is None:
            return shown
        self._adviser.some(games, states, self._room, self.advice[:m])
        return *shown, self.advice[:m]
