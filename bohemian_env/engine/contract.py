"""What a game hands over to the floor: its verbs, which are compiled, and one object, its rules.

A *verb* is a compiled function that works in place on one position ``s``. The loops of the floor are written with the
names below and compiled for each game with its own (``bound.py``); a module of the game has all of them. Everything
that chance decides is an argument of the verbs, so that a copied position foresees nothing.

The *rules* are an object of a class derived from :class:`Rules`, without a state of its own. From it the floor makes
``Game``, all environments, records, drawings and ``python -m bohemian_env.check``.
"""

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from .bits import Word
from .bound import Bound
from .checks import check_seed, is_truth, is_whole
from .errors import BadOutcome, BadPosition, BadSetup, ChanceNeeded, IllegalMove, NoChanceNeeded, brief
from .parts import Part, size_of
from .setup import Checked, Continued, agents_of, check_start
from .states import each_checked

State: TypeAlias = np.void
"""A position: one record of the game's dtype. Among its fields are, for the floor: ``players`` (uint8), ``to_move``
(int8), ``turn`` (int32), ``pending`` (uint8: not 0 where chance has to speak), ``end`` (uint8: 0 while the game goes
on, else the number of its end) and ``legal`` (uint64, (words,): the legal actions as bits, none where no seat
decides)."""
AnyGame: TypeAlias = Any
"""A game of ``game.Game``, which stands on what is here."""
AnyStart: TypeAlias = Any
"""A :class:`Start` of the game at hand."""
Seat: TypeAlias = int
"""A fixed place at the table, counted from 0 in turn order."""
Action: TypeAlias = int
"""The number of an action, from 0 to ``NUM_ACTIONS - 1``."""

NUM_ACTIONS: int = 0
"""The number of different actions."""
MAX_PLAYERS: int = 0
"""The most players."""
COLUMNS: int = 0
"""The columns of the scoring; the last one is the total."""
TRUNCATED: int = 0
"""The end of a game that was cut off; -1 where none is."""
TEAM: bool = False
"""Whether all seats play for one result; else they are rivals, where they are two or more."""


def set_up(s: State, seed: Word, common: np.void) -> None:
    """Set up the game of a seed, up to the first chance or decision.

    s: overwritten. seed: draws what is different in each game before chance speaks. common: the set-up, as
    ``Setup.common`` gives it.
    """
    raise NotImplementedError


def push(s: State, action: Action) -> None:
    """Carry out a legal action of the seat to move, and go on to the next chance, decision or end.

    It writes ``legal``, ``to_move``, ``pending`` and ``end``. That the action is legal is not checked.
    """
    raise NotImplementedError


def outcomes(s: State) -> int:
    """Return a number above those of all ways in which chance, which is due, can go."""
    raise NotImplementedError


def likelihood(s: State, k: int) -> float:
    """Return how likely outcome ``k`` is, 0 where it cannot come; over all of them the sum is 1."""
    raise NotImplementedError


def draw(s: State, seed: Word) -> int:
    """Return the outcome that a seed brings where chance is due.

    With one seed, the k-th draw of a stack, or the roll of a turn, is the same whatever was played; and over all seeds
    an outcome is as frequent as it is likely, whatever was drawn before. So another seed is another order of all that
    is hidden, as likely as any, and candidates that meet the same seed meet the same order.
    """
    raise NotImplementedError


def deal(s: State, k: int) -> None:
    """Let outcome ``k`` happen, and go on to the next chance, decision or end, as :func:`push` does."""
    raise NotImplementedError


def score(s: State, out: np.ndarray) -> None:
    """Score a position as it stands. out: int64, (players or more, COLUMNS), overwritten."""
    raise NotImplementedError


def write_observation(s: State, seat: Seat, out: np.ndarray) -> None:
    """Write what a seat sees. out: int8, (size of ``Rules.parts``,), contiguous, overwritten."""
    raise NotImplementedError


def moment(s: State) -> Word:
    """Return a number that no two decisions of a game share."""
    raise NotImplementedError


def choose(number: int, s: State, word: Word, scratch: Any) -> Action:
    """Return the action of opponent ``number`` of ``Rules.opponents`` for the seat to move.

    word: its own random number for this decision. scratch: what ``Rules.scratch`` made.
    """
    raise NotImplementedError


def values_of(number: int, s: State, scratch: Any, values: np.ndarray) -> None:
    """Write what opponent ``number`` thinks of the legal actions, where a seat decides. A game may leave this out.

    values: float64, (NUM_ACTIONS,), written where an action is legal.
    """
    raise NotImplementedError


INPUTS: int = 0
"""The number of different inputs of ``write_inputs``."""
MOST_INPUTS: int = 0
"""A number that no position has more inputs than."""


def write_inputs(s: State, seat: Seat, out: np.ndarray) -> int:
    """Write which inputs a learner of values has of a position before chance speaks, and return how many these are.

    Its value to a seat is the sum of what each of them is worth; one may be written more than once. A game may leave
    this out.
    out: int32, (MOST_INPUTS,), overwritten from the front.
    """
    raise NotImplementedError


QUICK: int = 0
"""How many of the inputs, from the first on, are quick; 0 where a game does not tell them apart. A game with quick
inputs has a ``write_worths`` of its own, in place of that of ``agents/players/values.py``: it finds what every legal
action is worth by these alone, as differences, and only the best of them are carried out to see all inputs."""


HIDDEN: int = 0
"""How many units the first layer has of the network that is added to the sum of the inputs; 0 for none."""


SCALE: float = 10.0
"""The points that values are told in where there are hidden units: about by how much totals of games differ."""


VERBS: Final = (
    *("NUM_ACTIONS", "MAX_PLAYERS", "COLUMNS", "TRUNCATED", "TEAM"),
    *("set_up", "push", "outcomes", "likelihood", "draw", "deal"),
    *("score", "write_observation", "moment", "choose"),
)
"""What the module of a game's verbs has."""
OF_CHANCE: Final = ("outcomes", "likelihood", "draw", "deal")
"""Those that a game may leave out whose :attr:`Rules.most_outcomes` is 0. ``choose`` may be left out, too: there are
``random`` and ``greedy`` then, of ``choosing.py``."""
LEARNT: Final = ("INPUTS", "MOST_INPUTS", "QUICK", "HIDDEN", "SCALE", "write_inputs")
"""What it has besides if its positions can be valued by sums of inputs; QUICK, HIDDEN and SCALE may be left out."""


@dataclass(frozen=True, slots=True)
class Setup(Checked):
    """The parameters of games, all that they have in common; it is immutable, and equal ones are equal.

    A game derives a class, which checks them.
    """

    game: ClassVar[str]
    """The name of its game."""
    beginning: ClassVar[Any]
    """Its class of beginnings."""
    players: int

    def _check_whole(self, limits: Mapping[str, tuple[int, int]]) -> None:
        """Raise BadSetup unless parameters are whole numbers from where to where they go; they become ints."""
        for name, (low, high) in limits.items():
            if not is_whole(value := getattr(self, name), low, high):
                raise BadSetup(f"{name} {brief(value)} is not a whole number from {low} to {high}")
            object.__setattr__(self, name, int(value))

    @property
    def told(self) -> str:
        """What tells it from others besides the players, for a line about games; nothing where it is the usual one."""
        usual = {f.name: f.default for f in fields(self)}
        own = ((name, getattr(self, name)) for name in usual if name != "players")
        return ", ".join(f"{name} {brief(value)}" for name, value in own if value != usual[name])

    @property
    def agents(self) -> tuple[str, ...]:
        """The ids of the agents at the table: ``player_0``, ``player_1``, …"""
        return agents_of(self.players)

    def common(self) -> np.ndarray:
        """Return it as the verb ``set_up`` reads it: shape (1,), of a dtype of the game's own."""
        raise NotImplementedError

    def start(self, seed: int | None = None, names: Sequence[str] | None = None) -> Any:
        """Return the :class:`Start` of the game of a seed.

        Args:
            seed: 0 to 2**63 - 1; None: what chance brings has to be given, and what is drawn before it is any.
            names: one per seat, for the record; the agents' ids by default.

        Raises:
            BadSetup: the seed is not as above, or there is not a text for each seat.
        """
        return self.beginning(self, seed, names)


@dataclass(frozen=True, slots=True)
class Start(Checked):
    """The beginning of one game; with the same chance and actions it leads to the same game.

    A game derives a class, or has one with the same attributes.
    """

    of: ClassVar[type[Setup]]
    """The class of set-ups."""
    state: ClassVar[np.dtype]
    """The dtype of a position."""
    set_up: ClassVar[Any]
    """The verb."""
    setup: Any
    seed: int | None
    names: tuple[str, ...]
    continues: Continued | None = None
    """The game that this one goes on from; None if it was played from its beginning."""

    def __post_init__(self) -> None:
        """Refuse what :meth:`Setup.start` would not have returned. Raises BadSetup."""
        check_start(self, self.of)

    @property
    def pieces(self) -> Any:
        """What the game's texts and positions need to know besides the record of a position."""
        return ()

    def new_state(self) -> np.ndarray:
        """Return the first position, shape (1,)."""
        states = np.zeros(1, self.state)
        self.set_up(states[0], np.uint64(0), self.setup.common()[0])
        return states


@dataclass(frozen=True)
class Scripted(Checked):
    """A scripted opponent: its name, and the seed of its own random choices, 0 to 2**63 - 1.

    A game derives a class. Raises BadSetup for an unknown name or another seed.
    """

    known: ClassVar[Mapping[str, str]]
    """The opponents of the game, and what each does; compiled code numbers them in this order."""
    name: str
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what there is none of."""
        if not isinstance(self.name, str) or self.name not in self.known:
            raise BadSetup(f"unknown scripted opponent {brief(self.name)}; known are {', '.join(self.known)}")
        check_seed(self.seed)

    @property
    def number(self) -> int:
        """The number of the opponent in compiled code."""
        return list(self.known).index(self.name)

    def __setstate__(self, state: Sequence[Any]) -> None:
        """Take the parts as version 0.2.0 pickled them."""
        for name, value in zip(("name", "seed"), state, strict=True):
            object.__setattr__(self, name, value)
        self.__post_init__()


WIN, MARGIN, MIXED, SHARE, GROWTH, END = range(6)
"""The kinds of rewards. At the end of a game of rivals: WIN, the winners share +1 and the others −1, 0 for all if all
win; MARGIN, the total less the mean of the others', over MARGIN_SCALE and clipped to ±1; MIXED, the mean of the two;
SHARE, of n seats, (n × share of the win − 1) / (n − 1). Of all games: GROWTH, after every action, by how much that and
all that it sets off raised the *potential* of a seat, its total less the mean of its rivals' totals; END, the sum of
that, once."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward that a game offers."""

    kind: int
    formula: str


@dataclass(frozen=True, eq=False)
class Advice:
    """What scripted advisers tell learners besides what they see."""

    names: Mapping[str, str]
    """The advisers, and each with its version, by name; the first is that of ``True``."""
    parts: tuple[Part, ...]
    """The parts of what they tell, float32."""
    room: Callable[[str], Any]
    """``room(adviser)`` is what it writes to; each thread needs its own."""
    some: Callable[[np.ndarray, np.ndarray, Any, np.ndarray], None]
    """``some(games, states, room, out)`` writes what the seats to move of some positions are told, into the first rows
    of ``out``. games: int64, (m,)."""
    seat: Callable[[np.ndarray, Seat, Any, np.ndarray], None]
    """``seat(states, seat, room, out)`` writes what a seat of a position, (1,), is told."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    reason: str
    """One of the game's ``Rules.ends``."""
    scoring: tuple[dict[str, int], ...]
    """The scoring of each seat, by column."""
    winners: tuple[Seat, ...]
    """The seats with the highest total; none where all play for one result."""


class Rules:
    """A game as the floor knows it. A game derives a class and fills in all that is not optional."""

    # --- what it is ---
    name: ClassVar[str]
    """The name of its folder and of ``--game``: a word in small letters."""
    env_name: ClassVar[str]
    """The name of the environment, with its version."""
    verbs: ClassVar[ModuleType]
    """The module of the verbs."""
    state: ClassVar[np.dtype]
    """The dtype of a position."""
    players: ClassVar[range]
    """The numbers of players."""
    parts: ClassVar[tuple[Part, ...]]
    """The parts of the observation."""
    scoring: ClassVar[tuple[str, ...]]
    """The columns of the scoring, in the words of the game record; the last is the total."""
    ends: ClassVar[tuple[str | None, ...]]
    """How a game ends, by the number in ``end``; the first, None, is of one that goes on."""
    drawn: ClassVar[str]
    """What a seed draws, as people call it: "tiles and markers"."""
    unit: ClassVar[str] = "points"
    """What totals are counted in, as people call it."""
    rewards: ClassVar[Mapping[str, Reward]]
    """The rewards by name; the first is what one gets unasked."""
    opponents: ClassVar[Mapping[str, str]]
    """What plays other seats, and what it does, by name; compiled code numbers them in this order, ``random`` first;
    ``greedy`` is among them."""

    options: ClassVar[tuple[str, ...]]
    """The parameters of the set-up besides ``num_players``."""
    scripted: ClassVar[type[Scripted]]
    """Its class of scripted opponents."""
    game: Any
    """Its class of games, derived from ``game.Game``."""

    start: Any
    """Its class of beginnings."""
    events: ClassVar[tuple[type, ...]]
    """The classes of what happens."""
    chance_needed: ClassVar[type[ChanceNeeded]] = ChanceNeeded
    """The error where chance has to speak first."""
    no_chance_needed: ClassVar[type[NoChanceNeeded]] = NoChanceNeeded
    """The error where chance is told to speak and a seat has to decide."""
    bad_outcome: ClassVar[type[BadOutcome]] = BadOutcome
    """The error where chance cannot bring something now."""
    outcome_name: ClassVar[str] = "outcome"
    """What people call one thing that chance brings."""
    most_outcomes: ClassVar[int]
    """A number above those of all outcomes of chance; 0 for a game without chance."""
    not_seen: ClassVar[tuple[str, ...]] = ()
    """Fields of a position that are parameters, which :meth:`same` leaves out."""

    advice: ClassVar[Advice | None] = None
    """Who tells learners what it thinks; None where nobody does."""

    drawing: ClassVar[str]
    """The name of the module that has ``draw_text`` and ``draw_svg``; it is imported when something is drawn."""

    # --- set-up, positions and records ---
    def setup(self, num_players: Any = ..., *more: Any, **options: Any) -> Any:
        """Return the :class:`Setup` of the parameters that a user gives. Raises BadSetup."""
        return self.start.of.of(*(() if num_players is ... else (num_players,)), *more, **options)

    @staticmethod
    def scratch() -> Any:
        """Return what the verb ``choose`` reads and writes beside the position; each thread needs its own."""
        return np.empty(0)

    def checked_states(self, states: object, /) -> np.ndarray:
        """Return a copy of positions from outside, once all in them is checked: compiled code may read it.

        Raises BadPosition.
        """
        return each_checked(states, self.state, self.check_state)

    def check_state(self, s: State, /) -> None:
        """Raise BadPosition unless everything in a position from outside is what comes of its JSON."""
        again = self.read_position(self.write_position(s, ()))[0][0]
        for name in self.state.names or ():
            if (s[name] != again[name]).any():
                raise BadPosition(f"{name}: not what follows from the rest")

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        """Raise BadSetup unless checked positions can come up in games that begin as ``dealt``, both (n,)."""

    def write_position(self, s: State, pieces: Any) -> dict[str, Any]:
        """Return a position as JSON, in plain Python types."""
        raise NotImplementedError

    def read_position(self, data: Any, **options: Any) -> tuple[np.ndarray, Any]:
        """Return the position of a JSON, shape (1,), and its pieces. Raises BadPosition, BadSetup."""
        raise NotImplementedError

    @staticmethod
    def check_pieces(pieces: Any, s: State, /) -> None:
        """Raise BadPosition unless these are the pieces of a checked position, as unpickled games bring them."""
        if type(pieces) is not tuple or pieces:
            raise BadPosition(f"pieces of a game: {brief(pieces)} are not (), and it has none")

    def same(self, states: np.ndarray, pieces: Any) -> Any:
        """Return what is equal, and hashes equal, for positions that are the same to players."""
        return states.tobytes()

    def fixed_setup(self, start: Any) -> Any:
        """Return the set-up of a beginning, with all fixed that its seed drew before chance spoke."""
        return start.setup

    def record(self, start: Any, happened: Sequence[tuple[Any, ...]], states: np.ndarray) -> dict[str, Any]:
        """Return the game record of all that happened (:meth:`told_begin` and so on), up to the position reached."""
        raise NotImplementedError

    def replay(self, data: Any) -> Any:
        """Return the game that a record tells; what it tells of results is not looked at. Raises BadRecord."""
        raise NotImplementedError

    # --- texts, and what happens ---
    def text_of(self, s: State, action: Action, pieces: Any) -> str:
        """Return the text of an action here, legal or not. Raises IllegalMove if it means nothing."""
        raise NotImplementedError

    def action_of(self, s: State, text: str, pieces: Any) -> Action | None:
        """Return the action of a text, legal or not; None if it has none here. Raises BadNotation."""
        raise NotImplementedError

    def refusal(self, s: State, move: Action | str, pieces: Any) -> IllegalMove:
        """Return the error that says why an action, or a text of one, is not legal here."""
        raise NotImplementedError

    def due(self, s: State) -> str:
        """Return what chance has to bring, for messages: "seat 0 has to roll 4 dice"."""
        raise NotImplementedError

    def chances(self, s: State) -> Mapping[Action, float] | None:
        """Return an estimate of the chance to win after each legal action of the seat to move, 0 to 1; None without."""
        return None

    def seen(self, s: State, pieces: Any) -> str:
        """Return what the seat that decides has before it, for a line about the game: ", dice 1,2,3,4"."""
        return ""

    def outcome_of(self, s: State, k: int) -> Any:
        """Return outcome ``k`` of chance, which is due, as people write it; equal ones are the same to players."""
        raise NotImplementedError

    def number_of(self, s: State, outcome: Any) -> int:
        """Return the number of an outcome that can come now. Raises BadOutcome."""
        given = int(outcome) if is_whole(outcome, 0) else outcome if isinstance(outcome, str) else None
        known: dict[Any, None] = {}
        for k in range(self.verbs.outcomes(s)):
            if self.verbs.likelihood(s, k) > 0:
                if (one := self.outcome_of(s, k)) == given:
                    return k
                known[one] = None
        raise BadOutcome(f"{brief(outcome)} cannot come: {self.due(s)}, one of {', '.join(map(str, known))}")

    def told_begin(self, states: np.ndarray) -> tuple[Any, ...]:
        """Return what happens before the first chance or decision of a position, (1,), that was just set up."""
        return ()

    def told_push(self, states: np.ndarray, action: Action, pieces: Any) -> tuple[Any, ...]:
        """Carry out a legal action, as the verb does, and return what happens."""
        raise NotImplementedError

    def told_deal(self, states: np.ndarray, k: int, pieces: Any) -> tuple[Any, ...]:
        """Let an outcome happen, as the verb does, and return what happens."""
        raise NotImplementedError

    # --- drawings ---
    def draw_text(self, position: Mapping[str, Any], **options: Any) -> str:
        """Return a position, as JSON, drawn with letters. options: names of the seats, and the outcome."""
        return importlib.import_module(self.drawing).draw_text(position, **options)

    def draw_svg(self, position: Mapping[str, Any], **options: Any) -> str:
        """Return a position as an SVG drawing.

        Args:
            position: the JSON that ``Game.position()`` gives, or ``Game.state_dict()`` where chance is due.
            options: ``names`` of the players, one per seat, ``seat 0`` and so on by default; long ones are cut.
                ``outcome``: how the game ended, as ``Game.outcome()`` gives it. ``dark``: whether the theme is dark;
                None follows the reader's (``prefers-color-scheme``). ``ids``: whether parts say what they are; without,
                several drawings can stand in one page.

        Raises:
            BadSetup: not a name for each seat, or another value than above.
            BadPosition: not a position's JSON; the message names the field.
        """
        return importlib.import_module(self.drawing).draw_svg(position, **options)

    # --- what the floor makes of it, which no game changes ---

    def missing(self) -> list[str]:
        """Return the names of what it should have and has not: its own, and verbs."""
        own = [name for name in Rules.__annotations__ if not hasattr(self, name)]
        for name in dir(type(self)):  # methods that say nothing but that a game has to have its own
            function = getattr(type(self), name)
            if "NotImplementedError" in getattr(getattr(function, "__code__", None), "co_names", ()):
                own.append(name)
        optional = ("choose",) if getattr(self, "most_outcomes", 1) else ("choose", *OF_CHANCE)
        verbs = getattr(self, "verbs", None)
        own += ["an opponent called greedy"] * ("greedy" not in getattr(self, "opponents", ("greedy",)))
        return own + [f"verbs.{name}" for name in VERBS if not hasattr(verbs, name) and name not in optional]

    def __reduce__(self) -> str:
        """Pickle, and copy, where the one object of the game stands: as ``RULES`` in the module of its class."""
        return "RULES"

    @functools.cached_property
    def compiled(self) -> Bound:
        """The loops of the floor for this game."""
        return Bound(self.name, {name: globals()[name] for name in (*VERBS, *LEARNT)}, self.verbs)

    @functools.cached_property
    def action_dtype(self) -> np.dtype:
        """The dtype in which action numbers are kept: uint8, or uint16 where there are more than 256."""
        return np.dtype(np.uint8 if self.verbs.NUM_ACTIONS <= 256 else "<u2")

    @functools.cached_property
    def sizes(self) -> tuple[int, int]:
        """The sizes of an observation and of a mask."""
        return size_of(self.parts), self.verbs.NUM_ACTIONS

    def reward(self, name: object = None, players: int = MAX_PLAYERS) -> tuple[str, int]:
        """Return a reward's name and its kind: by default the first that games of so many players have.

        Raises BadSetup for an unknown name, and where one player alone would have rivals.
        """
        known = [one for one, reward in self.rewards.items() if players != 1 or reward.kind >= GROWTH]
        if name is None:
            name = known[0]
        if not isinstance(name, str) or name not in known:
            raise BadSetup(f"unknown reward {brief(name)}; known are {', '.join(known)}")
        return name, self.rewards[name].kind

    def adviser(self, advice: object) -> str:
        """Return the name of the adviser that ``advice=`` asks for, "" for none. Raises BadSetup for what is none."""
        names = self.advice.names if self.advice else {}
        if is_truth(advice) and (names or not advice):
            return next(iter(names)) if advice else ""
        if not isinstance(advice, str) or advice not in names:
            raise BadSetup(f"advice {brief(advice)} is none of True, False, {', '.join(names)}")
        return advice

    def outcome(self, s: State) -> Outcome | None:
        """Return how the game of a position ended; None while it goes on."""
        if not s["end"]:
            return None
        told, total = self.scoring_of(s), self.scoring[-1]
        best = max(entry[total] for entry in told)
        won = () if self.verbs.TEAM else tuple(seat for seat, entry in enumerate(told) if entry[total] == best)
        return Outcome(str(self.ends[s["end"]]), tuple(told), won)

    def scoring_of(self, s: State) -> list[dict[str, int]]:
        """Return the scoring of a position as it stands: one entry for each seat, by column."""
        out = np.zeros((max(int(s["players"]), 1), len(self.scoring)), np.int64)
        self.verbs.score(s, out)
        return [dict(zip(self.scoring, map(int, row), strict=True)) for row in out]
