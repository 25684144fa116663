"""What the floor makes of a game that says no more than its rules: texts, positions, records, drawings and all faces.

A game derives its rules from :class:`PlainRules` in place of ``Rules``, and has no other module than its verbs. What it
wants otherwise it has itself: a method, or a class in the place of one that is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

import numpy as np

from .aec import TableEnv
from .batch import Batch
from .checks import is_whole
from .choosing import USUAL
from .contract import END, GROWTH, MARGIN, MIXED, WIN, Action, Reward, Rules, Scripted, Setup, Start, State
from .drawing import check_outcome, names_of, written
from .errors import BadNotation, BadPosition, BadRecord, BadSetup, IllegalMove, brief
from .game import Game, replayed
from .legal import legal_actions
from .self_play import SelfPlay
from .setup import start_of
from .single import SingleEnv
from .states import check_fields, whole_in
from .vector import ManyEnv

_RIVALS: Final = {
    "win": Reward(WIN, "at the end the winners share +1 and the others −1"),
    "margin": Reward(MARGIN, "at the end one's total less the mean of the others', over 50, from −1 to 1"),
    "mixed": Reward(MIXED, "the mean of win and margin"),
}
_TOTAL: Final = {
    "steady": Reward(GROWTH, "for every action, by how much it raises one's total less the mean of the rivals'"),
    "end": Reward(END, "the sum of that, once, at the end"),
}


def title_of(name: str) -> str:
    """Return the name of a game as classes and ids have it: ``TwoDice`` of ``two_dice``."""
    return "".join(part.capitalize() for part in name.split("_"))


@dataclass(frozen=True, slots=True)
class PlainSetup(Setup):
    """The parameters of games, all of them whole numbers. A game with some besides the players derives a dataclass with
    these as fields, and says in ``limits`` from where to where they go.
    """

    limits: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """The lowest and the highest value of the parameters besides the players."""
    sizes: ClassVar[Sequence[int]]
    """The numbers of players."""

    def __post_init__(self) -> None:
        """Refuse what is outside the limits. Raises BadSetup."""
        self._check_whole({"players": (self.sizes[0], self.sizes[-1]), **self.limits})

    @property
    def options(self) -> dict[str, int]:
        """What differs from the usual set-up, the players aside."""
        usual = {field.name: field.default for field in fields(self)}
        return {name: getattr(self, name) for name in self.limits if getattr(self, name) != usual[name]}

    def common(self) -> np.ndarray:
        """Return it as ``set_up`` reads it: shape (1,), int64 each, by the names of the parameters."""
        names = ("players", *self.limits)
        return np.array([tuple(getattr(self, name) for name in names)], np.dtype([(n, np.int64) for n in names]))


class PlainRules(Rules):
    """A game of few words. It says ``name``, ``verbs``, ``state``, ``players``, ``parts``, ``scoring``, ``moves`` and,
    with chance, ``most_outcomes``; and it has :meth:`settle`.

    A position is told by the fields of ``state``, whole numbers all of them, but for ``legal``. An object of it has
    classes as attributes of its own class, where the game has none of that name: ``Setup``, ``Start``, ``Scripted``,
    ``Game``, ``Batch``, ``SelfPlay``, ``raw_env``, and with the name of the game before it ``Env`` and ``VectorEnv``.
    """

    moves: ClassVar[Sequence[str]]
    """The texts of the actions, by number."""
    ends = (None, "end")
    drawn = "chance"
    opponents: ClassVar[Mapping[str, str]] = USUAL
    events = (dict,)
    most_outcomes = 0
    drawing = ""

    def __init__(self) -> None:
        title = title_of(self.name)
        kind: Any = type(self)  # which has what is made as attributes
        kind.env_name = vars(kind).get("env_name", f"{self.name}_v0")
        if not hasattr(kind, "rewards"):
            alone = self.verbs.TEAM or self.players[-1] == 1
            kind.rewards = _TOTAL if alone else _RIVALS if self.players[0] > 1 else {**_RIVALS, **_TOTAL}
        setup = self._made("Setup", PlainSetup, game=self.name, sizes=self.players)
        of = {"of": setup, "state": self.state, "set_up": staticmethod(self.verbs.set_up)}
        kind.start = setup.beginning = self._made("Start", Start, **of)
        kind.options = tuple(setup.limits)
        kind.scripted = self._made("Scripted", Scripted, known=self.opponents)
        kind.game = self._made("Game", Game, rules=self)
        self._made("Batch", Batch, rules=self)
        learner = self._made("SelfPlay", SelfPlay, rules=self)
        self._made(f"{title}Env", SingleEnv, self_play=learner)
        self._made(f"{title}VectorEnv", ManyEnv, self_play=learner)
        table = self._made("raw_env", TableEnv, rules=self, metadata=TableEnv.metadata | {"name": self.env_name})
        kind.env = staticmethod(table.wrapped)

    def _made(self, name: str, base: type, **own: Any) -> Any:
        """Return the game's class of a name, made if there is none; it stands where pickles find it."""
        kind, slots = type(self), {"__slots__": ()} if hasattr(base, "__slots__") else {}
        if name not in vars(kind):
            where = {"__module__": kind.__module__, "__qualname__": f"{kind.__qualname__}.{name}"}
            told = {"__doc__": f"{(base.__doc__ or '').partition(chr(10))[0]} Of {self.name}."}
            setattr(kind, name, type(name, (base,), where | told | slots))
        made = getattr(kind, name)
        for key, value in own.items():
            setattr(made, key, value)
        return made

    def settle(self, s: State) -> None:
        """Write ``legal`` of a position from outside, whose other fields were told. Raise BadPosition, naming a field,
        unless a game can stop at it; its seats and its end are checked already.
        """
        raise NotImplementedError

    def setup(self, num_players: Any = ..., *more: Any, **options: Any) -> Any:
        kind: Any = type(self).Setup  # type: ignore[attr-defined] # which __init__ made
        if isinstance(num_players, kind):
            if more or options:
                raise BadSetup("a set-up says all parameters of a game: give it alone, or give the parameters")
            return num_players
        if more or {*options} - {*self.options}:
            odd = brief(more[0] if more else min({*options} - {*self.options}))
            raise BadSetup(f"unknown parameter {odd}; known are {', '.join(('num_players', *self.options))}")
        usual = 2 if 2 in self.players else self.players[0]
        return kind(usual if num_players is ... else num_players, **options)

    def scratch(self) -> Any:  # type: ignore[override] # it asks for the sizes
        return np.zeros(1, self.state), np.zeros((self.verbs.MAX_PLAYERS, self.verbs.COLUMNS), np.int64)

    # --- positions ---

    @property
    def _told(self) -> list[str]:
        return [name for name in self.state.names or () if name not in ("legal", "_spare")]

    def write_position(self, s: State, pieces: Any) -> dict[str, Any]:
        return {name: s[name].tolist() for name in self._told}

    def read_position(self, data: Any, **options: Any) -> tuple[np.ndarray, Any]:
        if options:
            raise BadSetup(f"unknown parameter {brief(min(options))}; a position says all there is")
        check_fields(data, self._told)
        states = np.zeros(1, self.state)
        for name in self._told:
            self._read(states[0], name, data[name])
        self._settle(states[0])
        return states, ()

    def _read(self, s: State, name: str, told: Any) -> None:
        kind = s[name].dtype
        limits = (0, 1) if kind == np.bool_ else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))

        def numbers(value: Any, where: str, shape: tuple[int, ...]) -> Any:
            if not shape:
                return int(value) if kind == np.bool_ and isinstance(value, bool) else whole_in(value, where, *limits)
            if not isinstance(value, list | tuple) or len(value) != shape[0]:
                raise BadPosition(f"{where}: {brief(value)} is not a list of {shape[0]}")
            return [numbers(entry, f"{where}[{i}]", shape[1:]) for i, entry in enumerate(value)]

        s[name] = np.array(numbers(told, name, s[name].shape), kind)

    def _settle(self, s: State) -> None:
        at = {name: int(s[name]) for name in ("players", "to_move", "turn", "pending", "end")}
        limits = {"players": (self.players[0], self.players[-1]), "to_move": (0, at["players"] - 1), "turn": (0, 2**31)}
        for name, (low, high) in (limits | {"end": (0, len(self.ends) - 1)}).items():
            whole_in(at[name], name, low, high)
        if at["pending"] and (at["end"] or not self.most_outcomes):
            raise BadPosition(f"pending: {at['pending']}, and chance has nothing to bring here")
        s["legal"] = 0
        self.settle(s)
        if bool(s["legal"].any()) == bool(at["end"] or at["pending"]):
            raise BadPosition("legal: actions are legal if, and only if, a seat decides")

    def check_dealt(self, states: np.ndarray, dealt: np.ndarray) -> None:
        for name in ("players", *(one for one in self.options if one in self._told)):
            if (states[name] != dealt[name]).any():
                raise BadSetup(f"positions: expected {name} {dealt[name][0]}, got {states[name][0]}")

    # --- texts, and what happens ---

    def text_of(self, s: State, action: Action, pieces: Any) -> str:
        if not is_whole(action, 0, len(self.moves) - 1):
            raise IllegalMove(brief(action), f"an action is a whole number from 0 to {len(self.moves) - 1}")
        return self.moves[action]

    def action_of(self, s: State, text: str, pieces: Any) -> Action | None:
        for action in range(self.verbs.NUM_ACTIONS):
            if self.text_of(s, action, pieces) == text:
                return action
        raise BadNotation(f"{brief(text)} is no move; legal are {self._legal(s, pieces)}")

    def _legal(self, s: State, pieces: Any) -> str:
        return ", ".join(self.text_of(s, action, pieces) for action in legal_actions(s)) or "none"

    def refusal(self, s: State, move: Action | str, pieces: Any) -> IllegalMove:
        told = (
            move if isinstance(move, str) or not 0 <= move < self.verbs.NUM_ACTIONS else self.text_of(s, move, pieces)
        )
        return IllegalMove(str(told), f"legal are {self._legal(s, pieces)}", f"turn {s['turn']}, seat {s['to_move']}")

    def due(self, s: State) -> str:
        return f"seat {s['to_move']} needs: {self.outcome_name}"

    def outcome_of(self, s: State, k: int) -> Any:
        return int(k)

    def told_push(self, states: np.ndarray, action: Action, pieces: Any) -> tuple[Any, ...]:
        event = {"move": self.text_of(states[0], action, pieces)}
        self.verbs.push(states[0], action)
        return (event,)

    def told_deal(self, states: np.ndarray, k: int, pieces: Any) -> tuple[Any, ...]:
        event = {"outcome": self.outcome_of(states[0], k)}
        self.verbs.deal(states[0], k)
        return (event,)

    # --- records ---

    def record(self, start: Any, happened: Sequence[tuple[Any, ...]], states: np.ndarray) -> dict[str, Any]:
        told: dict[str, Any] = {"format": f"{self.name}/1", "players": list(start.names)}
        if start.setup.options:
            told["setup"] = start.setup.options
        if start.continues:
            told["continues"] = start.continues.to_json()
        told["events"] = [event for events in happened for event in events]
        return told | ({"scoring": self.scoring_of(states[0])} if states[0]["end"] else {})

    def replay(self, data: Any) -> Any:
        start = start_of(data, f"{self.name}/1", {"events": [object]}, self.setup, self.options)
        game = self.game.begin(start)
        for number, event in enumerate(data["events"]):
            if not isinstance(event, Mapping) or {*event} not in ({"move"}, {"outcome"}):
                raise BadRecord(f"events[{number}]: {brief(event)} is not an object with a move or an outcome")
            ((what, told),) = event.items()
            game = replayed(f"events[{number}]", game.push if what == "move" else game.deal, told)
        return game

    # --- drawings ---

    def draw_text(self, position: Mapping[str, Any], **options: Any) -> str:
        """Return a line for each seat and each field of a position. options: those of :meth:`Rules.draw_text`."""
        states, _ = self.read_position(position)
        names, outcome = names_of(options.get("names"), int(states[0]["players"])), options.get("outcome")
        check_outcome(outcome)
        state = f"over: {outcome.reason}" if outcome else "over" if states[0]["end"] else "to move"
        lines = [state if states[0]["end"] else f"{state}: {names[states[0]['to_move']]}"]
        for name, row in zip(names, self.scoring_of(states[0]), strict=True):
            lines.append(f"{name}: {', '.join(f'{column} {points}' for column, points in row.items())}")
        common = ("players", "to_move", "pending", "end")
        lines += [f"{name.replace('_', ' ')}: {value}" for name, value in position.items() if name not in common]
        return "\n".join(lines)

    def draw_svg(self, position: Mapping[str, Any], **options: Any) -> str:
        """Return :meth:`draw_text` as an SVG. options: those of :meth:`Rules.draw_svg`."""
        own = {name: value for name, value in options.items() if name not in ("dark", "ids")}
        return written(self.draw_text(position, **own), options.get("dark"))
