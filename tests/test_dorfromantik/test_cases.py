"""The worked cases of the rulings (cases.py), played with each implementation of the rules."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import pytest

from tests.reference.dorfromantik import PlainGame
from tests.test_dorfromantik.cases import CASES
from tests.test_dorfromantik.compiled import CompiledGame
from tests.test_dorfromantik.laid import GONE, Case, Laid, Move, small
from tests.test_dorfromantik.written import (
    LITTLE_END,
    LITTLE_GAME,
    LITTLE_LAID,
    LITTLE_POSITION,
    LITTLE_RECORD,
    MOVES,
    NO_MOVES,
)


class Rules(Protocol):
    """What a case asks of an implementation. Wrong calls raise ValueError."""

    @property
    def due(self) -> str:
        """What comes next: landscape, task, marker, move or over."""

    def unseen(self) -> Mapping[Any, Any]: ...
    def reveal(self, tile: str) -> None: ...
    def mark(self, number: int) -> None: ...
    def legal(self) -> list[Move]: ...
    def place(self, q: int, r: int, rotation: int) -> Mapping[str, list[str]]: ...
    def score(self) -> Mapping[str, int]: ...
    def position(self) -> Mapping[str, Any]: ...
    def record(self) -> Mapping[str, Any]: ...
    def index(self, q: int, r: int, rotation: int) -> int: ...
    def text(self, q: int, r: int, rotation: int) -> str: ...
    def parse(self, text: str) -> Move: ...


REFUSED = ValueError
"""What a wrong call raises; what it says is the implementation's own."""
IMPLEMENTATIONS: dict[str, Callable[..., Rules]] = {"plain": PlainGame, "compiled": CompiledGame}


@pytest.fixture(params=IMPLEMENTATIONS)
def new(request: pytest.FixtureRequest) -> Callable[..., Rules]:
    """Begin a game, with the arguments of a variant."""
    return IMPLEMENTATIONS[request.param]


def draw(game: Rules, tile: str, number: int | None) -> None:
    """Reveal the tile, and the marker with that number if it is a task tile."""
    game.reveal(tile)
    if number is not None:
        game.mark(number)


def lay(game: Rules, laid: tuple[Laid, ...]) -> None:
    """Reveal and place the tiles in order; those without a move are gone (D13)."""
    for tile, number, *move in laid:
        draw(game, tile, number)
        if move == [None, None, None]:
            assert game.due != "move", f"{tile} has moves: {game.legal()}"
        else:
            assert tuple(move) in game.legal(), f"{tile} may not lie at {move}"
            game.place(*move)


def go_on_to_a_decision(game: Rules) -> None:
    """Draw the first tile and marker that can come, until there is a position (D32)."""
    while game.due in ("landscape", "task"):
        game.reveal(min(game.unseen()))
        if game.due == "marker":
            game.mark(min(game.unseen()))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_worked_case(case: Case, new: Callable[..., Rules]) -> None:
    game = new(**case.variant)
    lay(game, case.laid)
    if case.due is not None:
        assert game.due == case.due
    if case.unseen is not None:
        assert game.unseen() == pytest.approx({outcome: float(chance) for outcome, chance in case.unseen.items()})
    if case.tile is not None:
        draw(game, case.tile, case.number)
        legal = game.legal()
        assert game.due == "move"
        assert legal == sorted(set(legal))
        if case.cells is not None:
            assert {(q, r) for q, r, _ in legal} == case.cells
        for cell, rotations in case.rotations.items():
            assert tuple(rotation for q, r, rotation in legal if (q, r) == cell) == rotations, cell
    if case.place is not None:
        before = game.score()["total"]
        assert case.place in legal
        effects = game.place(*case.place)
        assert {name: tuple(effects[name]) for name in ("fulfilled", "aborted", "flags")} == {
            "fulfilled": case.fulfilled,
            "aborted": case.aborted,
            "flags": case.flags,
        }
        assert game.score()["total"] >= before, "D24: it never falls"
    score = game.score()
    assert {part: score[part] for part in case.score} == case.score
    if case.position:
        go_on_to_a_decision(game)
        position = game.position()
        assert {part: position[part] for part in case.position} == case.position


def test_the_names_of_the_cases_differ() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_case_asks_something() -> None:
    for case in CASES:
        asked = (case.due, case.unseen, case.cells, case.place, case.rotations or None, case.position or None)
        assert any(part is not None for part in asked), case.name


def test_d27_equal_markers_are_counted_separately(new: Callable[..., Rules]) -> None:
    game = new()
    game.reveal("W1")
    assert game.due == "marker"
    assert game.unseen() == pytest.approx({4: 0.2, 5: 0.4, 6: 0.4})
    game.mark(4)
    assert game.unseen() == {}, "nothing is drawn at a move"
    game.place(0, 0, 0)
    game.reveal("W2")
    assert game.unseen() == pytest.approx({5: 0.5, 6: 0.5})


def test_d2_d27_each_landscape_tile_not_seen_is_equally_likely_the_box_included(new: Callable[..., Rules]) -> None:
    game = new(tasks=[])
    assert game.unseen() == pytest.approx({f"L{number:02}": 1 / 48 for number in range(1, 49)})
    game.reveal("L42")
    assert game.position()["stacks"] == {"landscape": 44, "task": 0}
    game.place(0, 0, 0)
    assert game.unseen() == pytest.approx({f"L{number:02}": 1 / 47 for number in range(1, 49) if number != 42})


def test_d4_a_tile_of_the_other_stack_is_refused_and_one_that_was_seen(new: Callable[..., Rules]) -> None:
    game = new()
    for tile in ("L01", "X1"):
        with pytest.raises(REFUSED):
            game.reveal(tile)
    lay(game, (("W1", 6, 0, 0, 0),))
    with pytest.raises(REFUSED):
        game.reveal("W1")


def test_d6_an_illegal_placement_is_refused_and_changes_nothing(new: Callable[..., Rules]) -> None:
    game = new(tasks=[])
    lay(game, (("L30", None, 0, 0, 0),))
    game.reveal("L40")
    before = game.position()
    for move in ((0, 0, 0), (-1, 0, 0), (2, 0, 0), (1, 0, 0), (1, 0, 6)):
        with pytest.raises(REFUSED):
            game.place(*move)
    assert game.position() == before


@pytest.mark.parametrize("players", [0, 7])
def test_d3_one_to_six_players(new: Callable[..., Rules], players: int) -> None:
    with pytest.raises(REFUSED):
        new(players)


@pytest.mark.parametrize(("move", "text", "index"), MOVES, ids=[text for _, text, _ in MOVES])
def test_d26_d31_a_move_its_text_and_its_number(new: Callable[..., Rules], move: Move, text: str, index: int) -> None:
    game = new()
    assert game.text(*move) == text
    assert game.parse(text) == move
    assert game.index(*move) == index


@pytest.mark.parametrize("text", NO_MOVES, ids=ascii)
def test_d31_no_other_spelling(new: Callable[..., Rules], text: str) -> None:
    with pytest.raises(REFUSED):
        new().parse(text)


def test_d32_the_position_and_the_record_of_a_little_game(new: Callable[..., Rules]) -> None:
    game = new(**LITTLE_GAME)
    lay(game, LITTLE_LAID[:-1])
    draw(game, *LITTLE_LAID[-1][:2])
    turns = LITTLE_RECORD["turns"]
    assert game.position() == LITTLE_POSITION
    assert game.record() == {
        "format": LITTLE_RECORD["format"],
        "players": LITTLE_RECORD["players"],
        "turns": [*turns[: len(LITTLE_LAID) - 1], {"tile": LITTLE_LAID[-1][0]}],
    }
    game.place(*LITTLE_LAID[-1][2:])
    assert game.position() == LITTLE_END
    assert game.record() == LITTLE_RECORD


def test_d32_a_turn_without_a_move_is_recorded(new: Callable[..., Rules]) -> None:
    game = new(**small("L42 L25", "W3 G1", window=1))
    lay(game, (("W3", 4, 0, 0, 0), ("G1", 5, *GONE), ("L42", None, *GONE)))
    turns = [
        {"tile": "W3", "marker": 4, "move": "+0+0 r0"},
        {"tile": "G1", "marker": 5, "move": None},
        {"tile": "L42", "move": None},
    ]
    assert game.record() == {"format": "dorfromantik/1", "players": ["player_0"], "turns": turns}
    lay(game, (("L25", None, *GONE),))
    assert game.record()["turns"] == [*turns, {"tile": "L25", "move": None}]
    assert game.record()["score"]["total"] == 0
