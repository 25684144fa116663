"""What a game hands over to the table. What it leaves out is made from its text and its notation, as for any game.

A room stands in ``table/rooms/NAME`` and knows its game; the table, its scripts and its pages know none. A room has:

- ``words/en.toml``, ``de.toml``, ``it.toml``: the game's words, with the page's keys where it says something else;
- ``rules.html``, ``setup.html``, ``panels.html``: parts of pages, where it has some, filled by Jinja;
- ``static/rooms/NAME.js`` and ``NAME.css`` beside the page's own, where it needs some.

The drawing has parts with a name each, as ``id`` or ``data-at``: these are what moves point at and people click.
"""

import functools
import importlib
import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import IO, Any, ClassVar, Final, NamedTuple, NotRequired, TypedDict

import agents
from agents.positions import played, points
from bohemian_env.engine.contract import Action, Outcome, Rules
from bohemian_env.engine.drawing import written
from bohemian_env.engine.game import Game
from bohemian_env.engine.words import Words, texts_in
from bohemian_env.games import GAMES, rules_of

FOLDER: Final = Path(__file__).parent
LETTERS: Final = "ABCDEF"
"""The letter of each seat."""
_TOLD: Final = 3  # columns of the score by which the end of a game is explained
COMPILED: Final[dict[str, Event]] = {}
"""What is set once a game is compiled, of those that another process compiles; nobody plays one before."""
COMPILER: Final[list[IO[str]]] = []
"""Where that process is told which of them it is to compile next."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An agent that may sit at the table, as the page presents it."""

    agent: str
    """Its name for ``agents.make``."""
    level: int
    """How strong it is among the guests, from 1; 0 if nobody knows."""

    def name(self, words: Words) -> str:
        """Return what people call it."""
        return words(f"guest_name.{self.agent.partition(':')[0]}") if self.level else self.agent

    def line(self, words: Words) -> str:
        """Return what it is like, in a sentence."""
        return words(f"guest.{self.agent.partition(':')[0]}") if self.level else words("seat.own_agent")


def ranked(levels: Mapping[str, int]) -> tuple[Guest, ...]:
    """Return guests by how strong they are."""
    return tuple(Guest(agent, level) for agent, level in levels.items())


Option = TypedDict(
    "Option",
    {
        "move": str,  # in the notation
        "words": str,  # as an order: "Take the inn in Nenbrad."
        "at": list[str],  # names of parts of the drawing that are all to be clicked; none for a button or a line
        "with": list[Any],  # values of the chips that are to be picked: of dice, of goods
        "act": NotRequired[str],  # the button by which it is made, one of the view's acts
        "way": NotRequired[int],  # how it is done where it points, in the order of turning, which can be chosen before
        "asks": NotRequired[bool],  # whether it is carried out only once the person has said so
    },
)
"""A legal move, as the page offers it."""


class Chip(TypedDict):
    """Something that can be picked beside the drawing, like a die."""

    value: Any
    """What moves take it for."""
    words: str
    look: str
    """Classes of the style sheet, or nothing."""
    html: str
    """What it shows."""


class Act(TypedDict):
    """A button for moves that point at no part of the drawing."""

    act: str
    words: str
    key: str


class Entry(TypedDict):
    """A line of the log."""

    kind: str
    """``"turn"``, ``"move"``, ``"pass"`` or ``"end"``."""
    seat: int | None
    text: str
    """In the notation."""
    words: str
    """A sentence."""
    chance: bool
    """Whether chance brought something with it."""
    part: NotRequired[str]
    """The name of the part of the drawing that it tells of."""


class Line(NamedTuple):
    """What a line of the log is told of."""

    moment: int
    """The number of the moment in which it happened."""
    seat: int | None
    event: Any
    """What happened, as the room tells it."""
    more: Any = None
    """What it is told with: dice rolled after it, the outcome of the game."""


class Parting(NamedTuple):
    """Something that came out otherwise in one of two games with the same chance."""

    turn: int | None
    """The turn of the first game that brought it; None for its end."""
    words: str
    """A sentence."""


class Teller:
    """Tells of the seats by their names, and of the seat ``you``, if there is one, as "you"."""

    def __init__(self, names: Sequence[str], you: int | None, words: Words) -> None:
        self.names, self.you, self.words = tuple(names), you, words

    def name(self, seat: int) -> str:
        """Return what a seat is called within a sentence."""
        return self.words("person.you") if seat == self.you else self.names[seat]

    def does(self, seat: int, *clauses: tuple[str, Mapping[str, object]], order: bool = False) -> str:
        """Return what a seat does, within a sentence, "ppo takes the bishop and gets 1 coin", or as an order to it.

        clauses: keys below ``does`` (``does_you``, ``does_order``) of the words, and their values.
        """
        part = "does_order" if order else "does_you" if seat == self.you else "does"
        told = self.words.listed([self.words(f"{part}.{key}", **values) for key, values in clauses])
        if order:
            return told
        return self.words("person.you_do", does=told) if seat == self.you else f"{self.names[seat]} {told}"

    def sentence(self, seat: int, *clauses: tuple[str, Mapping[str, object]], order: bool = False) -> str:
        """Return what a seat does as a sentence."""
        told = self.does(seat, *clauses, order=order)
        return (capital(told) if seat == self.you or order else told) + "."


def capital(text: str) -> str:
    """Return a text with its first letter large."""
    return text[:1].upper() + text[1:]


class Room:
    """A game at the table; this is what any game has.

    name: that of the game.
    """

    adviser: ClassVar[str] = "values"
    """The agent by whose judgement moves are weighed."""
    unit: str = "points"
    """What moves are weighed in: ``"chance"`` of winning, parts of 1, or ``"points"`` of a seat's total in the end."""
    costly: tuple[float, float, float] = (1.0, 3.0, 6.0)
    """What a move costs at least that is marked: dubious, a mistake, a blunder, in the unit."""
    nearly: float = 0.5
    """A move that costs no more is as good as the best, where somebody looks for a better one."""
    level: float = 0.2
    """Moves that are less apart are level: nothing speaks for either."""
    first_guest: ClassVar[str] = "greedy"
    """The agent at every other seat unless another is chosen."""
    learns_with: ClassVar[str | None] = "random"
    """The agent of the guided first game, at one other seat or as many as have to be; None where it is played alone."""
    steps: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The guided first game: texts of the words (below ``guide``), and what each waits for: ``"next"`` for a press of
    the button, ``"pick"``, ``"move"``, ``"turn"``, ``"person"``, ``"over"``; and after a space the names of parts that
    it frames, with ``*`` for any end: ``"next score mill-*"``. The last is of the end, and comes with it."""
    master: ClassVar[str] = "values"
    """The agent that plays a person's game again, with the same chance."""
    daily_guests: tuple[str, ...] = ()
    """The agents at the other seats of the daily game."""
    sample: ClassVar[tuple[int, int, str]] = (2, 60, "greedy")
    """What the picture of the game shows: for so many players, after so many decisions of an agent."""
    most_turns: ClassVar[int] = 500
    """The turns of a game that is shown at most."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rules: Rules = rules_of(name)
        self.folder = FOLDER / "rooms" / name

    @property
    def compiled(self) -> bool:
        """Whether no other process compiles the game at present."""
        return self.name not in COMPILED or COMPILED[self.name].is_set()

    def ask(self) -> None:
        """Have the game compiled before all others that are not yet."""
        if not self.compiled:
            for pipe in COMPILER:
                with suppress(OSError, ValueError):  # it has ended
                    print(self.name, file=pipe, flush=True)

    def wait(self) -> None:
        """Wait until the game is compiled: a thread that compiled it would hold up all others."""
        self.ask()
        if self.name in COMPILED:
            COMPILED[self.name].wait()

    @functools.cached_property
    def guests(self) -> tuple[Guest, ...]:
        """The agents that may sit at the table; their moves follow from their seeds alone, so that a restart does not
        change how they play on.
        """
        return tuple(Guest(name, 0) for name in self.rules.opponents)

    @functools.cache  # noqa: B019 - rooms are few and stay
    def words(self, language: str) -> Words:
        """Return the words of the page in a language, with the game's own before them, as far as it has some."""
        own = {
            "game.title": title_of(self.name, language),
            "game.about": "",
            f"guest_name.{self.adviser}": self.adviser,
        }
        columns = {f"scoring.{column}": column.replace("_", " ") for column in self.rules.scoring}
        means = dict.fromkeys((f"scoring_means.{column}" for column in self.rules.scoring), "")
        texts = {**own, **columns, **means, **self.drawn(language), **texts_in(FOLDER / "words", language)}
        if self.unit == "chance":
            texts |= {key.removeprefix("chance."): text for key, text in texts.items() if key.startswith("chance.")}
        if (self.folder / "words").is_dir():
            texts |= texts_in(self.folder / "words", language)
        return Words(language, texts, self.facts)

    def drawn(self, language: str) -> Mapping[str, str]:
        """Return the texts of the drawings in a language, by key, which the page may use, too."""
        return {}

    @property
    def facts(self) -> Mapping[str, object]:
        """Numbers of the rules by the names that texts use for them."""
        return {}

    def engine(self) -> str:
        """Return what the action numbers of a kept game refer to: the version of the environment, and what else
        decides.
        """
        return self.rules.env_name

    # --- setting up ---

    def setup(self, players: int, options: Mapping[str, Any]) -> Any:
        """Return the set-up for so many seats and the room's options, as the page sends them and the store keeps them.
        Raises BadSetup: there is none.
        """
        return self.rules.setup(players, **options)

    def pages(self, words: Words) -> dict[str, Any]:
        """Return what the room's ``rules.html`` and ``setup.html`` take."""
        return {}

    # --- a position ---

    def draw(self, game: Game, names: Sequence[str], before: Game | None, words: Words) -> str:
        """Return a position as SVG, without the style sheet in it.

        before: the position before what happened last; what has changed since is marked.
        """
        return plain_drawing(game, names)

    @property
    def sample_players(self) -> int:
        """For how many players the sample is, or as many as there can be."""
        return min(max(self.sample[0], self.rules.players[0]), self.rules.players[-1])

    @functools.cache  # noqa: B019
    def picture(self, language: str) -> str:
        """Return a game under way as an SVG of its own, as a picture of what is played."""
        self.wait()
        players, decisions, agent = self.sample_players, *self.sample[1:]
        game: Game = self.rules.game.begin(self.setup(players, {}).start(1)).dealt()
        player = agents.make(agent, seed=1, game=self.name)
        while not game.over and len(game.actions) < decisions:
            game = game.push(player.move(game)).dealt()
        opening, _, drawn = self.draw(game, [*LETTERS[:players]], None, self.words(language)).partition(">")
        return f"{opening}><style>{self.style()}</style>{drawn}"

    def style(self) -> str:
        """Return the style sheet of the drawings."""
        return ""

    def options(self, game: Game, teller: Teller) -> list[Option]:
        """Return the legal moves, for the person to move."""
        return [{"move": move, "words": move, "at": [], "with": []} for move in game.legal_moves]

    def chips(self, game: Game, words: Words) -> list[Chip]:
        """Return what can be picked beside the drawing."""
        return []

    def acts(self, words: Words) -> list[Act]:
        """Return the buttons for moves that point at no part of the drawing."""
        return []

    def panels(self, game: Game, teller: Teller) -> str:
        """Return what stands beside the drawing, as HTML: the tile in hand, goods, what is still to come.

        What has ``data-lights="NAME NAME"`` lights these parts of the drawing while it is pointed at.
        """
        return ""

    def sums(self, game: Game) -> dict[str, int]:
        """Return what chips come to together, by their values with a plus between them, ascending."""
        return {}

    def strip(self, game: Game, teller: Teller) -> list[str]:
        """Return what every seat has, in a line each, for screens on which the drawing scrolls away."""
        scores = self.rules.scoring_of(game.states[0])
        return [f"{name}: {total_of(row)}" for name, row in zip(teller.names, scores, strict=False)]

    def middle(self, game: Game, teller: Teller) -> str:
        """Return what is nobody's, in a sentence below the scoring."""
        return ""

    def about(self, game: Game, words: Words) -> Mapping[str, str]:
        """Return what a part of the drawing is, in a sentence, by its name: for who points at it."""
        return {}

    def seen(self, game: Game, words: Words) -> str:
        """Return what the seat to move has before it, in few words: its dice."""
        return ""

    def status(self, game: Game, whose: str, words: Words) -> str:
        """Return whose turn it is, in a sentence, for a person to move. whose: "Your turn", or somebody's."""
        return whose

    def prompt(self, game: Game, teller: Teller) -> str:
        """Return what the person to move is asked to do, in a sentence, while nothing is picked."""
        return teller.words("happens.choose")

    # --- what happened ---

    def lines(self, moments: Sequence[Game]) -> list[Line]:
        """Return the lines of the log of a game, told by all its moments from the first on."""
        found = []
        for number, (before, after) in enumerate(itertools.pairwise(moments), 1):
            if not before.needs_chance:
                found.append(Line(number, before.to_move, before.action_to_text(after.actions[-1])))
                continue
            for event in after.happened:
                if isinstance(event, Mapping) and "outcome" in event:  # as PlainRules tells it
                    found.append(Line(number, before.to_move, str(event["outcome"]), self.rules.outcome_name))
        if moments[-1].over:
            found.append(Line(len(moments) - 1, None, None, moments[-1].outcome()))
        return found

    def entry(self, line: Line, teller: Teller) -> Entry:
        """Return a line of the log in words."""
        if line.seat is None:
            told = self.ended(line.more, teller)
            return {"kind": "end", "seat": None, "text": line.more.reason, "words": told, "chance": False}
        if line.more is not None:  # what chance brought
            words = f"{capital(line.more)}: {line.event}"
            return {"kind": "pass", "seat": line.seat, "text": line.event, "words": words, "chance": True}
        words = f"{capital(teller.name(line.seat))}: {line.event}"
        return {"kind": "move", "seat": line.seat, "text": line.event, "words": words, "chance": False}

    def ended(self, outcome: Outcome, teller: Teller) -> str:
        """Return who has won, or what all have reached together, in a sentence."""
        words, total = teller.words, total_of(outcome.scoring[(outcome.winners or (0,))[0]])
        if not outcome.winners:
            return words("happens.reached", total=total)
        who = words.listed([teller.name(seat) for seat in outcome.winners])
        key = "share" if len(outcome.winners) > 1 else "you_won" if outcome.winners == (teller.you,) else "won"
        return capital(words(f"happens.{key}", who=who, coins=total, total=total))

    def parted(self, theirs: Sequence[Game], mine: Sequence[Game], teller: Teller) -> list[Parting] | None:
        """Return in what a game parts from another one with the same chance; None where turn k of one has nothing to do
        with turn k of the other, so that there is nothing to be seen side by side.

        theirs, mine: all moments of the two games, of which the first is told; people played the second.
        teller: for the seats of the second.
        """
        return None

    def verdict(self, game: Game, teller: Teller) -> str:
        """Return what explains the end of a game, in a sentence; nothing if nothing is known.

        Here: in what the person lies furthest behind the winner, or ahead of the next one.
        """
        rows, you, words = self.rules.scoring_of(game.states[0]), teller.you, teller.words
        if you is None or len(rows) < 2:
            return ""
        winners = outcome.winners if (outcome := game.outcome()) else ()
        others = [seat for seat in range(len(rows)) if seat != you and (you in winners or seat in winners)]
        other, sign = max(others, key=lambda seat: total_of(rows[seat])), 1 if you in winners else -1
        gaps = {column: sign * (rows[you][column] - rows[other][column]) for column in [*rows[you]][:-1]}
        told = [
            words("happens.column", column=words(f"scoring.{column}"), **{
                whose: words.number(rows[seat][column], "d") for whose, seat in (("mine", you), ("theirs", other))
            })
            for column in sorted(gaps, key=lambda column: -gaps[column])[:_TOLD]
            if gaps[column] > 0
        ]  # fmt: skip
        key = "happens.ahead" if you in winners else "happens.behind"
        return words(key, who=teller.names[other], columns=words.listed(told)) if told else ""

    def averages(self, means: Mapping[str, float], words: Words) -> str:
        """Return what the room's guests reach on average, of those that were measured, in a sentence."""
        known = [guest for guest in self.guests if guest.agent in means]
        told = [(one.name(words), words.number(means[one.agent], ".0f")) for one in known]
        means_told = [words("happens.mean", name=name, mean=mean) for name, mean in told]
        return words("happens.averages", means=words.listed(means_told))

    def chance(self, due: Game, after: Game, teller: Teller) -> str:
        """Return what chance has brought, in a sentence; nothing where it is not worth one."""
        return ""

    # --- what moves are worth ---

    def stated(self, game: Game) -> dict[Action, float]:
        """Return what is thought of each legal action at once, in the unit, for the seat to move."""
        return {}

    def worth(self, game: Game, asked: Action | None = None) -> dict[Action, float]:
        """Return what each legal action is worth, in the unit, found with more thought: for all that are near the best,
        and for the one that is ``asked`` about. What is not known is left out.
        """
        return self.stated(game)

    def best(self, game: Game, count: int) -> dict[Action, float]:
        """Return the best actions, each of another kind, and what each is worth, the best first."""
        found = self.worth(game)
        return {action: found[action] for action in sorted(found, key=lambda one: -found[one])[:count]}

    def strength(self, agent: str, players: int, words: Words) -> str:
        """Return how an agent did when it was measured at a table of this size; empty for those that were not."""
        return ""

    def stated_standing(self, game: Game) -> list[float]:
        """Return what is thought of :meth:`standing` at once."""
        return self.standing(game)

    def standing(self, game: Game) -> list[float]:
        """Return each seat's chance of winning, or its expected total in the end; one entry where all play for one."""
        return []

    def expected(self, game: Game) -> list[float]:
        """Return the mean of :meth:`standing` over all that chance can bring next."""
        return []

    def end_record(self, record: dict[str, Any], turn: int) -> dict[str, Any]:
        """Return the record of a game that goes on from another's position after so many turns, so that it comes to an
        end.
        """
        return record

    def reasons(self, game: Game, move: str, other: str, words: Words) -> str:
        """Return what speaks for a move against another, in few words; nothing if nothing is known."""
        return ""


class WeighedRoom(Room):
    """A room of a game whose moves the agent ``values`` weighs."""

    judge: ClassVar[ModuleType] = points
    """What says what moves and positions are worth."""

    def stated(self, game: Game) -> dict[Action, float]:
        return dict(self.judge.stated(game))

    def worth(self, game: Game, asked: Action | None = None) -> dict[Action, float]:
        return dict(self.judge.worth(game, asked))

    def standing(self, game: Game) -> list[float]:
        return list(self.judge.standing(game))

    def expected(self, game: Game) -> list[float]:
        return self.standing(game)


class PlayedRoom(WeighedRoom):
    """A room that is made from the text and notation of a game; playouts weigh its moves."""

    adviser = master = played.ADVISER
    judge: ClassVar[ModuleType] = played

    def __init__(self, name: str) -> None:
        super().__init__(name)
        if played.shares_wins(self.rules):
            self.unit, self.costly, self.nearly, self.level = "chance", (0.05, 0.10, 0.15), 0.02, 0.005
        self.daily_guests = (played.ADVISER,) * (self.rules.players[0] - 1)

    def stated_standing(self, game: Game) -> list[float]:
        return played.stated_standing(game)


def plain_drawing(game: Game, names: Sequence[str]) -> str:
    """Return a position as its text, in an SVG."""
    return written(game.rules.draw_text(game.state_dict(), names=names))


def title_of(name: str, language: str) -> str:
    """Return what a game is called in a language; for this nothing of the game is loaded."""
    words = FOLDER / "rooms" / name / "words"
    return texts_in(words, language)["game.title"] if words.is_dir() else name.replace("_", " ").capitalize()


def total_of(row: Mapping[str, int]) -> int:
    """Return the total of a seat: the last column of its scoring, whatever a game calls it."""
    return [*row.values()][-1]


@functools.cache
def room_of(name: str) -> Room:
    """Return the room of a game: its own, or a :class:`PlayedRoom`. Raises BadSetup."""
    if name in GAMES and (FOLDER / "rooms" / name / "__init__.py").exists():
        found: Room = importlib.import_module(f"table.rooms.{name}").ROOM
        return found
    return PlayedRoom(name)
