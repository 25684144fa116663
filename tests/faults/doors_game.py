"""The doors of a game in the installed package: what takes data from outside, with valid examples of it."""

import contextlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import bohemian_env
from bohemian_env import Board, BohemianError, NoRecord, observe
from bohemian_env.check import Kit
from bohemian_env.games import rules_of
from tests.reference.beside import ways_of

from .fuzz import Doors, Opened, Opening
from .odd import Arguments, Below, as_text

__all__ = ["DOORS", "called", "one_of", "options_of", "simple"]


def one_of(examples: Sequence[Any]) -> Callable[[Below], Any]:
    """Return what gives one of some examples."""
    return lambda below: examples[below(len(examples))]


def simple(call: Callable[[Any], object], examples: Sequence[Any], *named: type[BaseException]) -> Opening:
    """Return what opens a door that needs no folder, with fixed examples."""
    return lambda folder: Opened(call, one_of(examples), named or (BohemianError,))


def called(function: Callable[..., object], *named: type[BaseException], **arguments: Any) -> Opening:
    """Return what opens a function whose arguments change."""
    return simple(lambda given: function(**given), [Arguments(arguments)], *named)


def options_of(game: str) -> tuple[int, dict[str, Any]]:
    """Return valid parameters of a set-up: the least number of players, and an option of each name that there is."""
    rules = rules_of(game)
    players, last = rules.players[0], [*ways_of(game).values()][-1]
    drawn = next((found for seed in range(9) if (found := last(Random(seed), players))), {})
    return players, {name: drawn.get(name, getattr(rules.setup(players), name)) for name in rules.options}


def _plain(data: Any) -> Any:
    """Return data with lists for tuples, as JSON has them."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def _goes_on(game: Any) -> None:
    """See that a game that was accepted can be played, shown and written down."""
    for _ in range(9):
        if game.needs_chance:
            assert not game.over
            game = game.deal(game.chance_outcomes()[0][0])
    game.position()
    assert game.rules.checked_states(game.states).tobytes() == game.states.tobytes()
    observe(game)
    if not game.over:
        game.push(game.legal_moves[0])


def _restored(game: Any) -> None:
    """See that a restored game goes on, and is written down where its beginning is known."""
    with contextlib.suppress(NoRecord):
        game.record()
    _goes_on(game)


def _rebuilt(values: Sequence[Any], use: Callable[[Any], object]) -> Opening:
    """Return what opens the pickles of some objects: what these are made from is changed, and what comes is used."""
    pairs = [value.__reduce__() for value in values]
    function = pairs[0][0]
    made = [Arguments({str(k): part for k, part in enumerate(parts)}) for _, parts in pairs]
    return simple(lambda given: use(function(*given.values())), made)


class _Held:
    """Games of all numbers of players at several moments, one of which is held while something is done to it."""

    def __init__(self, games: Sequence[Any]) -> None:
        self.games = games
        self.game = games[0]

    def opened(self, what: str, can: Callable[[Any], Sequence[Any]]) -> Opening:
        """Return what opens a method of a game, where ``can`` returns what it takes."""

        def example(below: Below) -> Any:
            self.game = self.games[below(len(self.games))]
            known = can(self.game)
            return known[below(len(known))]

        return lambda folder: Opened(lambda given: _goes_on(getattr(self.game, what)(given)), example, (BohemianError,))


# --- what one game alone has ---

_TOML: Final = Path(bohemian_env.__file__).parent / "villages" / "villages.toml"


def _deal(board: Board) -> None:
    """See that a board that was accepted can be played on."""
    for players in (2, 5):
        _goes_on(rules_of("villages").game.new(players, board=board, seed=1))


def _board_file(folder: Path) -> Opened:
    path = folder / "board.toml"

    def call(content: Any) -> None:
        path.write_bytes(content if isinstance(content, bytes) else as_text(content).encode(errors="surrogatepass"))
        _deal(Board.load(path))

    lines = _TOML.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return Opened(call, one_of([text, text, text.encode()]), (BohemianError,))


def _of_boards() -> dict[str, Opening]:
    data = tomllib.loads(_TOML.read_text(encoding="utf-8"))
    return {
        "Board.from_data": simple(lambda data: _deal(Board.from_data(data)), [data]),
        "Board.load": _board_file,
        "pickled Board": _rebuilt([Board.standard()], _deal),
    }


# --- the doors ---


def _doors(game: str) -> dict[str, Opening]:
    rules, kit, refused = rules_of(game), Kit(game), (OSError, BohemianError)
    games = [one for one in kit.games(len(rules.players), 3) if one.turn < 40]
    players, options = options_of(game)

    def begins(start: Any) -> None:
        _restored(rules.game.begin(start))

    def position(data: Any) -> None:
        made = rules.game.from_position(data)
        assert made.position() == _plain(data)
        _goes_on(made)

    def record(data: Any) -> None:
        assert rules.game.from_record(data).record() == _plain(data)

    names = [f"{seat}" for seat in range(players)]
    deciding, due = [one for one in games if not one.over], [*kit.at_chance()]
    starts = [one._start for one in games]
    return {
        "Game.push": _Held(deciding).opened("push", lambda one: one.legal_moves + one.legal_actions),
        "Game.deal": _Held(due).opened("deal", lambda one: [outcome for outcome, _ in one.chance_outcomes()]),
        "Game.from_position": simple(position, [one.position() for one in games]),
        "Game.from_record": simple(record, [one.record() for one in games]),
        "Game.new": called(
            lambda num, **given: _restored(rules.game.new(num, **given)), *refused, num=players, **options, seed=1,
            names=names,
        ),
        "Setup.of": called(
            lambda num, **given: begins(rules.setup(num, **given).start(1)), *refused, num=players, **options
        ),
        "Setup.start": called(
            lambda **given: begins(rules.setup(players).start(**given)), BohemianError, seed=7, names=names
        ),
        "pickled Game": _rebuilt(games, _restored),
        "pickled Setup": _rebuilt([start.setup for start in starts], lambda setup: begins(setup.start(1))),
        "pickled Start": _rebuilt(starts, begins),
        **(_of_boards() if game == "villages" else {}),
    }  # fmt: skip


DOORS: Final = Doors(_doors)
"""The doors of a game, by their names in the table."""
