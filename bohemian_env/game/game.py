"""One game, to be read and played by people and scripts: immutable, and always checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np

from ..errors import (
    BadDice,
    BadPosition,
    BadRecord,
    BohemianError,
    GameOver,
    NoRecord,
    NoRollNeeded,
    RollNeeded,
    brief,
)
from . import events
from .actions import NUM_ACTIONS, Action
from .board import Board, Village, check_coin_supply, is_whole
from .check import check_villages, checked_states
from .dice import CHANCE, DICE, FIRST, Handful, handful, seeded_roll
from .events import Event
from .facts import TURN_DICE
from .moves import action_of_text, checked_action, legal_actions, text_of_action
from .position import moves_made, read_position, tiles_of, write_position
from .record import FORMAT, Outcome, outcome_of, write_record
from .rules import deal, is_legal, push
from .setup import DEFAULT_MAX_TURNS, Continued, Setup, SetupOptions, Start, check_seed
from .state import Seat, State, copy_states

__all__ = ["Game", "game_at"]


class Game:
    """A game of Bohemian Villages at one moment. It is immutable: each step returns the next game.

    >>> game = Game.new(2, ["Chlumhof", "Ebersgrun", "Grundow", "Itschkau", "Kunzendorf", "Nenbrad"])
    >>> game = game.roll((6, 3, 4, 2))
    >>> game.dice
    (2, 3, 4, 6)
    >>> game = game.push("3+4:glass@Nenbrad")
    >>> game.legal_moves
    ('2+6:farm@Chlumhof', '2+6:farm@Ebersgrun', '2+6:farm@Grundow', '2+6:farm@Kunzendorf', '2+6:farm@Nenbrad', \
'2+6:special', 'end')
    >>> game.legal_actions
    (54, 55, 56, 58, 59, 214, 240)
    >>> game.push("2+6:farm@Grundow").coins
    (1, 0)

    Games with equal positions are equal and hash equal, however they came about.
    """

    __slots__ = ("_actions", "_happened", "_rolls", "_seed", "_start", "_states", "_village_names", "_villages")

    _states: np.ndarray
    """The position: shape (1,), dtype STATE, read-only."""
    _villages: tuple[Village, ...]
    _village_names: list[str]
    _start: Start | None
    """None for a game that was loaded from a position."""
    _actions: tuple[Action, ...]
    _rolls: tuple[Handful, ...]
    """All rolls so far, in order."""
    _seed: int | None
    _happened: tuple[Event, ...]

    def __init__(self) -> None:
        raise TypeError("make games with Game.new, Game.from_position or Game.from_record")

    @classmethod
    def _make(
        cls,
        states: np.ndarray,
        villages: tuple[Village, ...],
        start: Start | None,
        seed: int | None,
        actions: tuple[Action, ...] = (),
        rolls: tuple[Handful, ...] = (),
        happened: tuple[Event, ...] = (),
    ) -> Game:
        game = object.__new__(cls)
        states.flags.writeable = False
        game._states = states
        game._villages = villages
        game._village_names = [v.name for v in villages]
        game._start = start
        game._actions = actions
        game._rolls = rolls
        game._seed = seed
        game._happened = happened
        return game

    @classmethod
    def new(
        cls,
        players: int | Setup = 2,
        villages: str | Sequence[str] = "random",
        *,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        **options: Unpack[SetupOptions],
    ) -> Game:
        """Set up a game (R1, R2), in which seat 0 is about to roll.

        Args:
            players, villages, options: the parameters of :meth:`Setup.of`: players (2 to 5), villages, board,
                coin_supply, special_action_tiles, max_turns.
            seed: 0 to 2**63 - 1, for the villages if they are drawn and for rolls that are not given.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: a parameter is not as above.
            BadBoard: the board file is malformed.
            OSError: it cannot be read.
        """
        return cls.begin(Setup.of(players, villages, **options).start(seed, names))

    @classmethod
    def begin(cls, start: Start) -> Game:
        """Return the game that begins like this; seat 0 is about to roll."""
        states = start.new_state()
        return cls._make(states, start.villages, start, start.seed, happened=events.begin(states[0]))

    # --- play ---

    @property
    def _s(self) -> State:
        return self._states[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._s["end"])

    @property
    def needs_roll(self) -> bool:
        """Whether only a roll can come next."""
        return bool(self._s["pending"])

    @property
    def dice_to_roll(self) -> int:
        """How many dice are to be rolled now: 4 at the start of a turn, 1 to 4 in a reroll, else 0."""
        return int(self._s["pending"])

    def roll(self, dice: Sequence[int] | None = None) -> Game:
        """Return the game after a roll of :attr:`dice_to_roll` dice, in any order; by default its seed rolls them.

        Raises:
            BadDice: it is another number of dice, one does not show 1 to 6, or there are neither dice nor a seed.
            NoRollNeeded: a player has to decide.
            GameOver: the game has ended.
        """
        s = self._s
        due = self.dice_to_roll
        if self.over:
            raise GameOver("the game is over; there is nothing to roll")
        if due == 0:
            raise NoRollNeeded(f"seat {self.to_move} has to decide with the dice {list(self.dice)}; no roll is due")
        if dice is None:
            if self.seed is None:
                raise BadDice(f"this game has no seed, so give the {due} dice to be rolled")
            dice = seeded_roll(self.seed, int(s["turn"]), int(s["spent"]), due)
        number = handful(dice)
        if len(DICE[number]) != due:
            raise BadDice(f"{len(DICE[number])} dice {list(dice)}; {due} are to be rolled")
        states = copy_states(self._states)
        happened = events.deal(states[0], number)
        rolls = (*self._rolls, number)
        return self._make(states, self._villages, self._start, self.seed, self._actions, rolls, happened)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as texts, by action number; none where a roll is due or the game is over."""
        return tuple(text_of_action(self._s, a, self._village_names) for a in legal_actions(self._s))

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The numbers of the legal moves, ascending, in the order of :attr:`legal_moves`."""
        return tuple(legal_actions(self._s))

    def action_to_text(self, action: Action) -> str:
        """Return the move text that an action means here, legal or not. Raises IllegalMove if it means nothing."""
        return text_of_action(self._s, action, self._village_names)

    def text_to_action(self, text: str) -> Action:
        """Return the action of a legal move text; raises as :meth:`push`."""
        return action_of_text(self._s, text, self._village_names)

    def chance_outcomes(self) -> tuple[tuple[tuple[int, ...], float], ...]:
        """Return the rolls that can come next, as dice, ascending, each with its probability; none if none is due."""
        due = self.dice_to_roll
        return tuple((DICE[n], float(CHANCE[n])) for n in range(FIRST[due], FIRST[due + 1])) if due else ()

    def push(self, move: str | Action) -> Game:
        """Return the game after a move of the current seat and all that follows up to the next roll or decision.

        move: its text or its number.

        Raises:
            BadNotation: the text is not a move text.
            IllegalMove: the rules do not allow it here; the message says why.
            RollNeeded: a roll is due first.
            GameOver: the game has ended.
        """
        if isinstance(move, str):
            action = action_of_text(self._s, move, self._village_names)
        else:
            action = checked_action(self._s, move, self._village_names)
        states = copy_states(self._states)
        happened = events.push(states[0], action, self._village_names)
        actions = (*self._actions, action)
        return self._make(states, self._villages, self._start, self.seed, actions, self._rolls, happened)

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return outcome_of(self._s)

    # --- the position ---

    @property
    def states(self) -> np.ndarray:
        """The position as a record: shape (1,), dtype ``state.STATE``, read-only."""
        return self._states

    @property
    def seed(self) -> int | None:
        """The seed of the villages and of dice that are not given; None if there is none."""
        return self._seed

    @property
    def happened(self) -> tuple[Event, ...]:
        """What the last move or roll brought about, in order; nothing if the game was loaded from a position."""
        return self._happened

    @property
    def setup(self) -> Setup | None:
        """The set-up of the game; None if it was loaded from a position."""
        return None if self._start is None else self._start.setup

    @property
    def villages(self) -> tuple[str, ...]:
        """The names of the villages in play, in the order of positions."""
        return tuple(self._village_names)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The action numbers of the moves made since the game began, or since the position that it was loaded from."""
        return self._actions

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self._s["players"])

    @property
    def turn(self) -> int:
        """How many turns have begun; at least 1."""
        return int(self._s["turn"])

    @property
    def to_move(self) -> Seat | None:
        """The seat that rolls or decides; None once the game is over."""
        return None if self.over else int(self._s["to_move"])

    @property
    def dice(self) -> tuple[int, ...]:
        """The unused dice, ascending; while a reroll is due, the dice kept."""
        return DICE[self._s["dice"]]

    @property
    def coins(self) -> tuple[int, ...]:
        """The coins of each seat, without the final scoring."""
        return self._row("coins")

    @property
    def figures(self) -> tuple[int, ...]:
        """The figures that each seat has in hand."""
        return self._row("figures")

    @property
    def bank(self) -> int:
        """The coins left in the bank; they may be below 0 once the game is over."""
        return int(self._s["bank"])

    @property
    def bishop(self) -> Seat | None:
        """The seat that has the bishop; None if nobody has."""
        return None if self._s["bishop"] < 0 else int(self._s["bishop"])

    @property
    def special(self) -> tuple[bool, ...]:
        """Whether each seat has a special action tile."""
        return tuple(bool(self._s["special"] >> seat & 1) for seat in range(self.players))

    @property
    def special_supply(self) -> int:
        """The special action tiles left in the supply."""
        return int(self._s["special_supply"])

    @property
    def moves_made(self) -> int:
        """The moves made this turn, 0 or 1 (R7); 0 once the game is over."""
        return moves_made(self._s)

    @property
    def flour(self) -> tuple[int, ...]:
        """The flour tiles of each seat: one for each of its figures on a mill (R17, R20)."""
        return tiles_of(self._s, "mill")

    @property
    def glass(self) -> tuple[int, ...]:
        """The glass tiles of each seat: one for each of its figures on a glass factory (R17, R20)."""
        return tiles_of(self._s, "glass")

    def _row(self, key: str) -> tuple[int, ...]:
        return tuple(map(int, self._s[key][: self.players]))

    def position(self) -> dict[str, Any]:
        """Return the position as JSON, in plain Python types.

        Raises:
            RollNeeded: only a roll can come next.
        """
        if self.needs_roll:
            due = f"seat {self._s['to_move']} has to roll {self.dice_to_roll} dice"
            raise RollNeeded(f"{due}; before a roll there is no position")
        return write_position(self._s, self._villages)

    @classmethod
    def from_position(
        cls,
        data: Mapping[str, Any],
        *,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        seed: int | None = None,
        board: Board | str | Path | None = None,
    ) -> Game:
        """Make a game that goes on from a position. It has no record, since its beginning is not known.

        Args:
            data: the JSON that :meth:`position` returns. Coins and bank together are the supply.
            max_turns: as in :meth:`new`.
            seed: for rolls that are not given.
            board: as in :meth:`new`. If these villages are in play on it, their order and the figures are as it says.

        Raises:
            BadPosition: the position contradicts itself or the rules; the message names the field.
            BadSetup, BadBoard, OSError: as for :meth:`new`.
        """
        setup = Setup.of(max_turns=max_turns, board=board)
        try:
            states, villages = read_position(data, setup.max_turns, setup.board)
        except RecursionError:  # where the message would cite it
            raise BadPosition("the position holds lists that are too deep in one another") from None
        return cls._make(states, villages, None, None if seed is None else check_seed(seed))

    def unseeded(self) -> Game:
        """Return the game at this moment, without its seed and its past: nobody can read the dice to come in it."""
        return game_at(self._states, self._villages)

    def _begun(self) -> Start:
        if self._start is None:
            raise NoRecord("this game was loaded from a position, so how it began is not known")
        return self._start

    def moments(self) -> tuple[Game, ...]:
        """Return the game at its beginning and after every roll and every move since; the last is as it is now.

        Raises:
            NoRecord: the game was loaded from a position.
        """
        found = [Game.begin(self._begun())]
        rolls, actions = iter(self._rolls), iter(self._actions)
        for _ in range(len(self._rolls) + len(self._actions)):
            game = found[-1]
            found.append(game.roll(DICE[next(rolls)]) if game.needs_roll else game.push(next(actions)))
        return tuple(found)

    def continued(self, names: Sequence[str], seed: int | None = None) -> Game:
        """Return a game that goes on from here: its record says so, and from which move on.

        Args:
            names: one per seat, for the record.
            seed: 0 to 2**63 - 1, for rolls from now on that are not given.

        Raises:
            BadSetup: the seed is not as above, or there is not a text for each seat.
            NoRecord: the game was loaded from a position.
        """
        start = self._begun()
        setup = replace(start.setup, villages=self.villages)
        begun = replace(setup.start(seed, names), continues=Continued(len(self._actions), start.names, start.seed))
        game = (copy_states(self._states), self._villages, begun, begun.seed, self._actions, self._rolls)
        return self._make(*game, self.happened)

    def record(self) -> dict[str, Any]:
        """Return the game record so far.

        Raises:
            NoRecord: the game was loaded from a position.
        """
        rolls = iter(self._rolls)
        return write_record(self._begun(), self._actions, lambda s: next(rolls, None))

    @classmethod
    def from_record(cls, data: Mapping[str, Any]) -> Game:
        """Replay a game record and check every entry of it.

        Raises:
            BadRecord: the record cannot be replayed or differs from its replay; the message names the place.
        """
        try:
            game = _replay(data)
            if difference := _difference(data, game.record(), ""):
                raise BadRecord(difference)
        except RecursionError:  # where the message would cite it
            raise BadRecord("the record holds lists that are too deep in one another") from None
        return game

    # --- comparison ---

    def _key(self) -> tuple[Any, ...]:
        states = copy_states(self._states)
        states["max_turns"] = 0  # a parameter, not part of the position
        states["end"] = np.minimum(states["end"], 1)
        return (tuple(self._village_names), states.tobytes())

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        if self.over:
            state = f"over after {self.turn} turns"
        elif self.needs_roll:
            state = f"turn {self.turn}, seat {self.to_move} to roll {self.dice_to_roll} dice"
        else:
            state = f"turn {self.turn}, seat {self.to_move}, dice {','.join(map(str, self.dice))}"
        return f"<Game: {self.players} players, {state}>"

    def _repr_svg_(self) -> str:
        """Return the drawing for notebooks; while a roll is due, it shows the dice kept."""
        from ..render import board_svg  # only here: the rules draw nothing

        names = None if self._start is None else self._start.names
        return board_svg(write_position(self._s, self._villages), names=names, outcome=self.outcome())

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game = (copy_states(self._states), self._villages, self._start, self.seed)
        return (_restored, (*game, self._actions, self._rolls, self.happened))


def _restored(
    states: np.ndarray,
    villages: tuple[Village, ...],
    start: Start | None,
    seed: int | None,
    actions: tuple[Action, ...],
    rolls: tuple[Handful, ...],
    happened: tuple[Event, ...],
) -> Game:
    """Return a game that comes out of a pickle, once everything in it is checked.

    Raises:
        BadPosition, BadSetup: it is not a game as :class:`Game` writes it.
    """
    states = checked_states(states)
    if len(states) != 1:
        raise BadPosition(f"a game has one position, not {len(states)}")
    check_villages(villages, states[0])
    for name, numbers, count in (("action", actions, NUM_ACTIONS), ("roll", rolls, len(DICE))):
        if type(numbers) is not tuple or not all(is_whole(number, 0, count - 1) for number in numbers):
            raise BadPosition(f"{name}s of a game: {brief(numbers)} are not a tuple of numbers from 0 to {count - 1}")
    if type(happened) is not tuple or not all(isinstance(event, Event) for event in happened):
        raise BadPosition(f"what happened in a game: {brief(happened)} is not a tuple of events")
    if start is not None and not isinstance(start, Start):
        raise BadPosition(f"the beginning of a game: {brief(start)} is not a Start")
    seed = None if seed is None else check_seed(seed)
    if start is not None and (  # without it, the moves and rolls since its position are believed
        villages != start.villages or seed != start.seed or _replayed(start, actions, rolls) != states.tobytes()
    ):
        raise BadPosition("the position of a game is not the one that its beginning, its moves and its rolls lead to")
    return Game._make(states, villages, start, seed, actions, rolls, happened)


def game_at(states: np.ndarray, villages: tuple[Village, ...]) -> Game:
    """Return the game at a position of the engine, (1,), which is believed; as one from a position it has no seed."""
    return Game._make(copy_states(states), villages, None, None)


def _replayed(start: Start, actions: Sequence[Action], rolls: Sequence[Handful]) -> bytes | None:
    """Return the position that moves and rolls lead to, as bytes; None if they do not fit the game."""
    states = start.new_state()
    s, moves, dice = states[0], iter(actions), iter(rolls)
    for _ in range(len(actions) + len(rolls)):
        due = int(s["pending"])
        number = next(dice if due else moves, None)
        if number is None or (len(DICE[number]) != due if due else not is_legal(s, number)):
            return None
        if due:
            deal(s, number)
        else:
            push(s, number)
    return states.tobytes()


def _start_of(data: Mapping[str, Any]) -> Game:
    """Return the game at the beginning of a record."""
    if not isinstance(data, Mapping):
        raise BadRecord(f"a game record is a JSON object, not {brief(data)}")
    start = ("players", "seed", "figures", "special_action_tiles", "coin_supply", "max_turns", "villages")
    for key in ("format", *start, "turns"):
        if key not in data:
            raise BadRecord(f"{key}: missing")
    if not isinstance(data["format"], str) or data["format"] != FORMAT:
        raise BadRecord(f"format: {brief(data['format'])} is not {brief(FORMAT)}")
    for key, what in (("players", "a list of names"), ("turns", "a list")):
        if not isinstance(data[key], list | tuple):
            raise BadRecord(f"{key}: {brief(data[key])} is not {what}")
    try:
        board = Board.of_villages(data["villages"], data["figures"], 1, 0)
        game = Game.new(
            len(data["players"]),
            [v.name for v in board.villages],
            seed=data["seed"],
            board=board,
            coin_supply=check_coin_supply(data["coin_supply"]),
            special_action_tiles=data["special_action_tiles"] if data["special_action_tiles"] is not None else -1,
            max_turns=data["max_turns"],
            names=data["players"],
        )
        return game if "continues" not in data else Game.begin(_continuing(game._begun(), data["continues"]))
    except BohemianError as error:
        raise BadRecord(str(error)) from None


def _continuing(start: Start, told: object) -> Start:
    """Return a beginning that says which game it continues, as a record tells it."""
    if not isinstance(told, Mapping) or {*told} != {"moves", "players", "seed"}:
        raise BadRecord(f"continues: {brief(told)} is not an object with exactly moves, players and seed")
    players = told["players"]
    if not isinstance(players, list | tuple):
        raise BadRecord(f"continues.players: {brief(players)} is not a list of names")
    return replace(start, continues=Continued(told["moves"], tuple(players), told["seed"]))


def _replay(data: Mapping[str, Any]) -> Game:
    """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord."""
    game = _start_of(data)
    for number, turn in enumerate(data["turns"]):
        where = f"turns[{number}]"
        try:
            game = _replay_turn(game, turn, where)
        except BadRecord:
            raise
        except BohemianError as error:
            raise BadRecord(f"{where}: {error}") from None
    if (known := game._begun().continues) and known.moves > len(game.actions):
        raise BadRecord(f"continues.moves: {known.moves} are more than the record has")
    return game


def _replay_turn(game: Game, turn: object, where: str) -> Game:
    if isinstance(turn, Mapping) and "roll" not in turn:
        return game
    roll, seat, moves = (_part(turn, key, where) for key in ("roll", "seat", "moves"))
    if not game.needs_roll or game.dice_to_roll != TURN_DICE or game.to_move != seat:
        raise BadRecord(f"{where}: seat {brief(seat)} does not begin a turn here: {brief(game)}")
    game = game.roll(roll)
    for number, entry in enumerate(moves):
        at = f"{where}.moves[{number}]"
        move = _part(entry, "move", at)
        try:
            game = game.push(move)
            if "rolled" in entry:
                game = game.roll(_part(entry, "rolled", at))
        except BadRecord:
            raise
        except BohemianError as error:
            raise BadRecord(f"{at}: {error}") from None
    return game


_LIST: Final = (list | tuple, "a list")
_PARTS: Final[dict[str, tuple[Any, str]]] = {
    "seat": (int, "a number"), "roll": _LIST, "moves": _LIST, "move": (str, "a text"), "rolled": _LIST,
}  # fmt: skip
"""The kinds of what is replayed in a turn; everything else is compared with the replay."""


def _part(entry: object, key: str, where: str) -> Any:
    """Return a part of a turn or of a move in a record, which is of its kind."""
    if not isinstance(entry, Mapping):
        raise BadRecord(f"{where}: {brief(entry)} is not a JSON object")
    if key not in entry:
        raise BadRecord(f"{where}.{key}: missing")
    kind, told = _PARTS[key]
    if not isinstance(entry[key], kind):
        raise BadRecord(f"{where}.{key}: {brief(entry[key])} is not {told}")
    return entry[key]


def _difference(given: Any, replayed: Any, where: str) -> str | None:
    """Describe the first place where a record differs from its replay; None if there is none."""
    if isinstance(given, Mapping) and isinstance(replayed, Mapping):
        for key in (*replayed, *(k for k in given if k not in replayed)):
            at = f"{where}.{key}" if where else str(key)
            if key not in given:
                return f"{at}: missing; the replay gives {brief(replayed[key])}"
            if key not in replayed:
                return f"{at}: {brief(given[key])} is superfluous; the replay gives none"
            if found := _difference(given[key], replayed[key], at):
                return found
        return None
    if isinstance(given, list | tuple) and isinstance(replayed, list):
        if len(given) != len(replayed):
            return f"{where}: {len(given)} entries; the replay gives {len(replayed)}"
        pairs = enumerate(zip(given, replayed, strict=True))
        return next((d for k, (a, b) in pairs if (d := _difference(a, b, f"{where}[{k}]"))), None)
    if type(given) is not type(replayed) or given != replayed:
        return f"{where}: {brief(given)}; the replay gives {brief(replayed)}"
    return None
