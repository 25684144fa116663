"""The doors of the installed package: what takes data from outside, with valid examples of it."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import bohemian_env
from bohemian_env import Board, BohemianError, Game, NoRecord, Setup, observe
from bohemian_env.villages.notation import format_move, parse_move
from bohemian_env.villages.setup import Start

from .fuzz import Doors, Opened, Opening
from .odd import Arguments, Below, as_text

__all__ = ["DOORS", "called", "one_of", "simple"]

TOML: Final = Path(bohemian_env.__file__).parent / "villages" / "villages.toml"


def one_of(examples: Sequence[Any]) -> Callable[[Below], Any]:
    """Return what gives one of some examples."""
    return lambda below: examples[below(len(examples))]


def simple(
    call: Callable[[Any], object], examples: Sequence[Any], *named: type[BaseException], kept: Any = None
) -> Opening:
    """Return what opens a door that needs no folder, with fixed examples."""
    return lambda folder: Opened(call, one_of(examples), named or (BohemianError,), kept)


def called(function: Callable[..., object], *named: type[BaseException], **arguments: Any) -> Opening:
    """Return what opens a function whose arguments change."""
    return simple(lambda given: function(**given), [Arguments(arguments)], *named)


def played(players: int, seed: int, moves: int) -> Game:
    """Return a game after some of its first legal moves."""
    game = Game.new(players, seed=seed)
    for number in range(moves):
        while game.needs_roll:
            game = game.roll()
        if game.over:
            break
        legal = game.legal_moves
        game = game.push(legal[(7 * number) % len(legal)])
    while game.needs_roll:
        game = game.roll()
    return game


# --- the game ---


def of_games(use: Callable[[Sequence[Game]], Opened]) -> Opening:
    """Return what opens a door whose examples are of games."""
    return lambda folder: use([played(players, players, moves) for players in (2, 3, 5) for moves in (0, 3, 9)])


def _parse(text: Any) -> None:
    assert format_move(parse_move(text)) == text


def _goes_on(game: Game) -> None:
    """See that a game that was accepted can be played, shown and written down."""
    if game.needs_roll:
        assert not game.over
        game = game.roll((1, 2, 3, 4)[: game.dice_to_roll])
        if game.needs_roll:
            return
    data = game.position()
    assert Game.from_position(data).position() == data
    observe(game)
    if not game.over:
        game.push(game.legal_moves[0])


def _position(games: Sequence[Game]) -> Opened:
    def call(data: Any) -> None:
        game = Game.from_position(data)
        assert game.position() == _plain(data)
        _goes_on(game)

    return Opened(call, one_of([game.position() for game in games]), (BohemianError,))


def _record(games: Sequence[Game]) -> Opened:
    def call(data: Any) -> None:
        assert Game.from_record(data).record() == _plain(data)

    return Opened(call, one_of([game.record() for game in games]), (BohemianError,))


def _plain(data: Any) -> Any:
    """Return data with lists for tuples, as JSON has them."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def _push(games: Sequence[Game]) -> Opened:
    state = {"game": games[0]}

    def example(below: Below) -> str:
        state["game"] = games[below(len(games))]
        legal = state["game"].legal_moves
        return legal[below(len(legal))]

    return Opened(lambda text: state["game"].push(text), example, (BohemianError,))


def _roll(games: Sequence[Game]) -> Opened:
    game = Game.new(2, seed=1)
    return Opened(lambda dice: _goes_on(game.roll(dice)), one_of([(1, 2, 3, 4), [6, 6, 1, 1]]), (BohemianError,))


def _deal(board: Board) -> None:
    """See that a board that was accepted can be played on."""
    for players in (2, 5):
        _goes_on(Game.new(players, board=board, seed=1))


def _begins(start: Start) -> None:
    """See that a beginning that was accepted can be written down and played from."""
    game = Game.begin(start)
    game.record()
    _goes_on(game)


def _restored(game: Game) -> None:
    """See that a restored game goes on, and is written down where its beginning is known."""
    with contextlib.suppress(NoRecord):
        game.record()
    _goes_on(game)


def _board_file(folder: Path) -> Opened:
    path = folder / "board.toml"

    def call(content: Any) -> None:
        path.write_bytes(content if isinstance(content, bytes) else as_text(content).encode(errors="surrogatepass"))
        _deal(Board.load(path))

    lines = TOML.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return Opened(call, one_of([text, text, text.encode()]), (BohemianError,))


def _rebuilt(examples: Callable[[Sequence[Game]], Sequence[Any]], use: Callable[[Any], object]) -> Opening:
    """Return what opens the pickles of some objects: what these are made from is changed, and what comes is used."""

    def opened(games: Sequence[Game]) -> Opened:
        pairs = [value.__reduce__() for value in examples(games)]
        function = pairs[0][0]
        made = [Arguments({str(k): part for k, part in enumerate(parts)}) for _, parts in pairs]
        return Opened(lambda given: use(function(*given.values())), one_of(made), (BohemianError,))

    return of_games(opened)


_MOVES: Final = ("3+4:glass@Nenbrad", "5+5:bishop", "2+6:special", "reroll 2,6", "end", "1+1+2+6:manor@Chlumhof")
_BOARD: Final = tomllib.loads(TOML.read_text(encoding="utf-8"))
_VILLAGES: Final = tuple(Setup.of(2).start(3).setup.board.shown(2, 0)[k].name for k in range(6))
_SETUP: Final = {
    "players": 2, "villages": _VILLAGES, "board": None, "coin_supply": 300, "special_action_tiles": 7,
    "max_turns": 500,
}  # fmt: skip

DOORS: Final = Doors({
    "parse_move": simple(_parse, _MOVES),
    "Game.push": of_games(_push),
    "Game.roll": of_games(_roll),
    "Game.from_position": of_games(_position),
    "Game.from_record": of_games(_record),
    "Game.new": called(
        lambda **given: _restored(Game.new(**given)), OSError, BohemianError, **_SETUP, seed=1, names=("a", "b")
    ),
    "Board.from_data": simple(lambda data: _deal(Board.from_data(data)), [_BOARD]),
    "Board.load": _board_file,
    "Setup.of": called(lambda **given: _begins(Setup.of(**given).start(1)), OSError, BohemianError, **_SETUP),
    "Setup.start": called(lambda **given: _begins(Setup.of(2).start(**given)), seed=7, names=("a", "b")),
    "pickled Game": _rebuilt(lambda games: games, _restored),
    "pickled Setup": _rebuilt(lambda games: [game.setup for game in games], lambda setup: _begins(setup.start(1))),
    "pickled Start": _rebuilt(lambda games: [game.setup.start(4) for game in games if game.setup], _begins),
    "pickled Board": _rebuilt(lambda games: [Board.standard()], _deal),
})  # fmt: skip
"""Doors of the game, by their names in the table."""
