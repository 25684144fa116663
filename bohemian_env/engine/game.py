"""One game, to be read and played by people and scripts: immutable, and always checked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Self

import numpy as np

from .checks import check_seed, is_whole
from .contract import Action, AnyStart, Outcome, Rules, Seat, State
from .errors import BadPosition, BadRecord, BohemianError, GameOver, NoRecord, brief
from .legal import is_legal, legal_actions
from .moves import action_of_text, check_due, checked_action, text_of_action
from .setup import Continued
from .states import copy_states, difference

_NOT_REACHED: Final = "the position of a game is not the one that its beginning, moves and chance lead to"


class Game:
    """A game at one moment. It is immutable: each step returns the next game.

    Games with equal positions are equal and hash equal, however they came about.
    """

    __slots__ = ("_actions", "_happened", "_outcomes", "_pieces", "_seed", "_start", "_states")

    rules: ClassVar[Rules]
    """The game that it is one of."""
    _states: np.ndarray  # the position: shape (1,), read-only
    _pieces: Any
    _start: Any  # None for a game that was loaded from a position
    _actions: tuple[Action, ...]
    _outcomes: tuple[int, ...]  # all that chance brought so far, by number, in order
    _seed: int | None
    _happened: tuple[Any, ...]

    def __init__(self) -> None:
        raise TypeError("make games with Game.new, Game.from_position or Game.from_record")

    @classmethod
    def _make(
        cls,
        states: np.ndarray,
        pieces: Any,
        start: Any,
        seed: int | None,
        actions: tuple[Action, ...] = (),
        outcomes: tuple[int, ...] = (),
        happened: tuple[Any, ...] = (),
    ) -> Self:
        game = object.__new__(cls)
        states.flags.writeable = False
        game._states = states
        game._pieces = pieces
        game._start = start
        game._actions = actions
        game._outcomes = outcomes
        game._seed = seed
        game._happened = happened
        return game

    @classmethod
    def new(cls, *setup: Any, seed: int | None = None, names: Sequence[str] | None = None, **options: Any) -> Self:
        """Set up a game, up to the first chance or decision.

        Args:
            setup, options: the parameters of the game's set-up, the number of players first; or a set-up.
            seed: 0 to 2**63 - 1, for all that chance brings and that is not given.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: a parameter is not as above, and what else the game's set-up raises.
        """
        return cls.begin(cls.rules.setup(*setup, **options).start(seed, names))

    @classmethod
    def begin(cls, start: AnyStart) -> Self:
        """Return the game that begins like this."""
        states = start.new_state()
        return cls._make(states, start.pieces, start, start.seed, happened=cls.rules.told_begin(states))

    @classmethod
    def at(cls, states: np.ndarray, pieces: Any) -> Self:
        """Return the game at a position, (1,), which is believed; as one from a position it has no seed."""
        return cls._make(copy_states(states), pieces, None, None)

    @classmethod
    def seeded(cls, start: AnyStart, actions: Iterable[Action]) -> Self:
        """Return the game of a seed after some actions, as far as these are legal, at its next decision or end."""
        game = cls.begin(start).dealt()
        for action in map(int, actions):
            if not is_legal(game._s, action):
                break
            game = game._pushed(action).dealt()
        return game

    # --- play ---

    @property
    def _s(self) -> State:
        return self._states[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._s["end"])

    @property
    def needs_chance(self) -> bool:
        """Whether only chance can come next."""
        return bool(self._s["pending"])

    def chance_outcomes(self) -> tuple[tuple[Any, float], ...]:
        """Return what chance can bring next, each with its probability; nothing if no chance is due."""
        found: dict[Any, float] = {}
        if self.needs_chance:
            s, verbs = self._s, self.rules.verbs
            for k in range(verbs.outcomes(s)):
                if (likely := float(verbs.likelihood(s, k))) > 0:
                    outcome = self.rules.outcome_of(s, k)
                    found[outcome] = found.get(outcome, 0.0) + likely
        return tuple(found.items())

    def deal(self, outcome: Any = None) -> Self:
        """Return the game after chance has brought an outcome; by default that of its seed.

        Raises:
            BadOutcome: it cannot come now, or there is neither an outcome nor a seed.
            NoChanceNeeded: a player has to decide.
            GameOver: the game has ended.
        """
        s = self._s
        if self.over:
            raise GameOver("the game is over; chance has nothing to bring")
        if not self.needs_chance:
            raise self.rules.no_chance_needed(f"seat {self.to_move} has to decide; chance has nothing to bring")
        if outcome is not None:
            return self._dealt(self.rules.number_of(s, outcome))
        if self.seed is None:
            raise self.rules.bad_outcome(f"this game has no seed, so say what chance brings: {self.rules.due(s)}")
        return self._dealt(int(self.rules.verbs.draw(s, np.uint64(self.seed))))

    def dealt(self) -> Self:
        """Return the game at its next decision or end, once its seed has brought all that is due till then."""
        game = self
        while game.needs_chance:
            game = game.deal()
        return game

    def _dealt(self, k: int) -> Self:
        states = copy_states(self._states)
        happened = self.rules.told_deal(states, k, self._pieces)
        outcomes = (*self._outcomes, k)
        return self._make(states, self._pieces, self._start, self._seed, self._actions, outcomes, happened)

    def check_decides(self, move: object = "no move") -> None:
        """Raise GameOver, or ChanceNeeded, unless a player decides."""
        check_due(self.rules, self._s, move)

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves as texts, by action number; none where chance is due or the game is over."""
        return tuple(self.rules.text_of(self._s, action, self._pieces) for action in legal_actions(self._s))

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The numbers of the legal moves, ascending, in the order of :attr:`legal_moves`."""
        return tuple(legal_actions(self._s))

    def action_to_text(self, action: Action) -> str:
        """Return the move text that an action means here, legal or not. Raises IllegalMove if it means nothing."""
        return text_of_action(self.rules, self._s, action, self._pieces)

    def text_to_action(self, text: str) -> Action:
        """Return the action of a legal move text; raises as :meth:`push`."""
        return action_of_text(self.rules, self._s, text, self._pieces)

    def push(self, move: str | Action) -> Self:
        """Return the game after a move of the seat to move and all that follows up to the next chance or decision.

        move: its text or its number.

        Raises:
            BadNotation: the text is not a move text.
            IllegalMove: the rules do not allow it here; the message says why.
            ChanceNeeded: chance has to speak first.
            GameOver: the game has ended.
        """
        check = action_of_text if isinstance(move, str) else checked_action
        return self._pushed(check(self.rules, self._s, move, self._pieces))  # type: ignore[arg-type]

    def _pushed(self, action: Action) -> Self:
        states = copy_states(self._states)
        happened = self.rules.told_push(states, action, self._pieces)
        actions = (*self._actions, action)
        return self._make(states, self._pieces, self._start, self._seed, actions, self._outcomes, happened)

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return self.rules.outcome(self._s)

    # --- the position ---

    @property
    def states(self) -> np.ndarray:
        """The position as a record: shape (1,), dtype ``rules.state``, read-only."""
        return self._states

    @property
    def seed(self) -> int | None:
        """The seed of all that chance brings and that is not given; None if there is none."""
        return self._seed

    @property
    def happened(self) -> tuple[Any, ...]:
        """What the last move or chance brought about, in order; nothing if the game was loaded from a position."""
        return self._happened

    @property
    def setup(self) -> Any:
        """The set-up of the game; None if it was loaded from a position."""
        return None if self._start is None else self._start.setup

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
        """How many turns have begun."""
        return int(self._s["turn"])

    @property
    def to_move(self) -> Seat | None:
        """The seat that decides, or for which chance speaks; None once the game is over."""
        return None if self.over else int(self._s["to_move"])

    def position(self) -> dict[str, Any]:
        """Return the position as JSON, in plain Python types. Raises ChanceNeeded: chance has to speak first, and the
        game has no position there.
        """
        if self.needs_chance:
            raise self.rules.chance_needed(f"{self.rules.due(self._s)}; before that there is no position")
        return self.state_dict()

    def state_dict(self) -> dict[str, Any]:
        """Return :meth:`position`, also where chance is due."""
        return self.rules.write_position(self._s, self._pieces)

    @classmethod
    def from_position(cls, data: Mapping[str, Any], *, seed: int | None = None, **options: Any) -> Self:
        """Make a game that goes on from a position. It has no record, since its beginning is not known.

        Args:
            data: the JSON that :meth:`position` returns.
            seed: for what chance brings and that is not given.
            options: parameters of the game's own.

        Raises:
            BadPosition: the position contradicts itself or the rules; the message names the field.
            BadSetup: a parameter is not as above.
        """
        try:
            states, pieces = cls.rules.read_position(data, **options)
        except RecursionError:  # where the message would cite it
            raise BadPosition("the position holds lists that are too deep in one another") from None
        return cls._make(states, pieces, None, None if seed is None else check_seed(seed))

    def unseeded(self) -> Self:
        """Return the game at this moment, without its seed and its past: nobody can read in it what chance brings."""
        return self.at(self._states, self._pieces)

    def _begun(self) -> Any:
        if self._start is None:
            raise NoRecord("this game was loaded from a position, so how it began is not known")
        return self._start

    def moments(self) -> tuple[Self, ...]:
        """Return the game at its beginning and after every chance and every move since; the last is as it is now.
        Raises NoRecord: the game was loaded from a position.
        """
        return tuple(self._moments())

    def _moments(self) -> Iterator[Self]:
        """Yield what :meth:`moments` returns. Raises BadPosition if a pickle brought what cannot have happened."""
        game, outcomes, actions = self.begin(self._begun()), iter(self._outcomes), iter(self._actions)
        yield game
        for _ in range(len(self._outcomes) + len(self._actions)):
            due, s, verbs = game.needs_chance, game._s, self.rules.verbs
            number = next(outcomes if due else actions, -1)
            if due and 0 <= number < verbs.outcomes(s) and verbs.likelihood(s, number) > 0:
                game = game._dealt(number)
            elif not due and is_legal(s, number):
                game = game._pushed(number)
            else:
                raise BadPosition(_NOT_REACHED)
            yield game

    def continued(self, names: Sequence[str], seed: int | None = None) -> Self:
        """Return a game that goes on from here: its record says so, and from which move on.

        Args:
            names: one per seat, for the record.
            seed: 0 to 2**63 - 1, for what chance brings from now on and that is not given.

        Raises:
            BadSetup: the seed is not as above, or there is not a text for each seat.
            NoRecord: the game was loaded from a position.
        """
        start = self._begun()
        begun = replace(
            self.rules.fixed_setup(start).start(seed, names),
            continues=Continued(len(self._actions), start.names, start.seed),
        )
        game = (copy_states(self._states), self._pieces, begun, begun.seed, self._actions, self._outcomes)
        return self._make(*game, self.happened)

    def record(self) -> dict[str, Any]:
        """Return the game record so far. Raises NoRecord: the game was loaded from a position."""
        happened = [game.happened for game in self._moments()]
        return self.rules.record(self._begun(), happened, self._states)

    @classmethod
    def from_record(cls, data: Mapping[str, Any], seed: int | None = None) -> Self:
        """Replay a game record and check every entry of it.

        Args:
            data: the record.
            seed: 0 to 2**63 - 1, for what chance brings from its end on, where the record names no seed.

        Raises:
            BadRecord: the record cannot be replayed or differs from its replay; the message names the place.
            BadSetup: the seed is not as above.
        """
        try:
            game: Self = cls.rules.replay(data)
            if (known := game._start.continues) and known.moves > len(game.actions):
                raise BadRecord(f"continues.moves: {known.moves} are more than the record has")
            if found := difference(data, game.record(), ""):
                raise BadRecord(found)
        except RecursionError:  # where the message would cite it
            raise BadRecord("the record holds lists that are too deep in one another") from None
        if seed is None or game.seed is not None:
            return game
        start = replace(game._start, seed=seed)
        past = (game._actions, game._outcomes, game.happened)
        return cls._make(game._states, game._pieces, start, start.seed, *past)

    # --- comparison ---

    def _key(self) -> Any:
        return self.rules.same(self._states, self._pieces)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        if self.over:
            state = f"over after {self.turn} turns"
        elif self.needs_chance:
            state = f"turn {self.turn}, {self.rules.due(self._s)}"
        else:
            state = f"turn {self.turn}, seat {self.to_move}{self.rules.seen(self._s, self._pieces)}"
        return f"<Game: {self.players} players, {state}>"

    def _repr_svg_(self) -> str:
        """Return the drawing for notebooks."""
        names = None if self._start is None else self._start.names
        return self.rules.draw_svg(self.state_dict(), names=names, outcome=self.outcome())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game = (copy_states(self._states), self._pieces, self._start, self.seed)
        return (self._restored, (*game, self._actions, self._outcomes, self.happened))

    @classmethod
    def _restored(cls, states: Any, pieces: Any, start: Any, seed: Any, *past: Any) -> Self:
        """Return a game that comes out of a pickle, once everything in it is checked. Raises BadPosition, BadSetup: it
        is not a game as :meth:`__reduce__` writes it.
        """
        rules, (actions, outcomes, happened) = cls.rules, past
        states = rules.checked_states(states)
        if len(states) != 1:
            raise BadPosition(f"a game has one position, not {len(states)}")
        rules.check_pieces(pieces, states[0])
        for name, numbers, count in (
            ("action", actions, rules.verbs.NUM_ACTIONS),
            (rules.outcome_name, outcomes, rules.most_outcomes),
        ):
            if type(numbers) is not tuple or not all(is_whole(number, 0, count - 1) for number in numbers):
                told = f"{brief(numbers)} are not a tuple of numbers from 0 to {count - 1}"
                raise BadPosition(f"{name}s of a game: {told}")
        if type(happened) is not tuple or not all(isinstance(event, rules.events) for event in happened):
            raise BadPosition(f"what happened in a game: {brief(happened)} is not a tuple of events")
        if start is not None and not isinstance(start, rules.start):
            raise BadPosition(f"the beginning of a game: {brief(start)} is not a Start")
        seed = None if seed is None else check_seed(seed)
        game = cls._make(states, pieces, start, seed, actions, outcomes, happened)
        if start is not None:  # else the moves and outcomes since its position are believed
            if pieces != start.pieces or seed != start.seed or [*game._moments()][-1] != game:
                raise BadPosition(_NOT_REACHED)
        return game


def replayed(where: str, step: Callable[[Any], Any], told: Any) -> Any:
    """Return the game after a step that a record tells. Raises BadRecord, which names the place in the record."""
    try:
        return step(told)
    except BohemianError as error:
        raise BadRecord(f"{where}: {error}") from None
