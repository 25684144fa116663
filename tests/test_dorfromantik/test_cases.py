"""The worked cases of the rulings (cases.py), played with each implementation of the rules."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import pytest

from tests.reference.dorfromantik import PlainGame
from tests.test_dorfromantik import written
from tests.test_dorfromantik.cases import CASES
from tests.test_dorfromantik.compiled import CompiledGame
from tests.test_dorfromantik.laid import GONE, Laid, Move, laid, small, whole

Rules: TypeAlias = PlainGame | CompiledGame
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


def game_of(text: str) -> dict[str, Any]:
    """The arguments of a game, as a case writes them."""
    told: dict[str, Any] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, *words = part.split()
        if name == "markers":
            told[name] = {word[0]: [*map(int, word[2:].split(","))] for word in words}
        else:
            told[name] = words if name in ("landscape", "tasks") else int(words[0])
    return {"left_in_box": 0} | told if "landscape" in told else told


def part_of(position: Mapping[str, Any], name: str) -> str:
    """A part of a position, as a case writes it."""
    if name == "lies":
        return ", ".join(f"{row['tile']} {row['q']} {row['r']} {row['rotation']}" for row in position["cells"])
    part = [position[name]] if name == "tile" and position[name] else position[name]
    if isinstance(part, list):
        pairs = (row.values() for row in part)
        return " ".join(tile if number is None else f"{tile}={number}" for tile, number in pairs)
    return " ".join(map(str, part.values() if isinstance(part, Mapping) else [part]))


def placed(game: Rules, words: list[str]) -> None:
    """Place the tile that was revealed, which brings about all that is told, and nothing else."""
    move, before = (int(words[0]), int(words[1]), int(words[2])), game.score()["total"]
    wanted: dict[str, list[str]] = {"fulfilled": [], "aborted": [], "flags": []}
    name = ""
    for word in words[3:]:
        name = word if word in wanted else name
        wanted[name] += [word] * (word != name)
    assert move in game.legal()
    assert {**game.place(*move)} == wanted
    assert game.score()["total"] >= before, "D24: it never falls"


def check(game: Rules, part: str) -> None:
    """Go on as a part of a case says, or check what it says."""
    name, *words = part.split()
    if name == "due":
        assert game.due == words[0]
    elif name == "unseen":
        told = (word.split(":") for word in words)
        assert game.unseen() == pytest.approx({outcome: float(Fraction(chance)) for outcome, chance in told})
    elif name == "reveal":
        tile, _, number = words[0].partition("=")
        draw(game, tile, int(number) if number else None)
        assert game.due == "move"
        assert game.legal() == sorted(set(game.legal()))
    elif name == "cells":
        assert {f"{q},{r}" for q, r, _ in game.legal()} == {*words}
    elif name == "at":
        rotations = [str(rotation) for q, r, rotation in game.legal() if f"{q},{r}" == words[0]]
        assert rotations == ([*"012345"] if words[1:] == ["all"] else words[1:])
    elif name == "place":
        placed(game, words)
    elif name == "score":
        assert [str(game.score()[column]) for column in words[::2]] == words[1::2]
    else:
        go_on_to_a_decision(game)
        assert part_of(game.position(), name) == " ".join(words)


@pytest.mark.parametrize("case", CASES, ids=[case.partition(" |")[0] for case in CASES])
def test_worked_case(case: str, new: Callable[..., Rules]) -> None:
    _, told, tiles, parts = map(str.strip, whole(case).split("|"))
    game = new(**game_of(told))
    lay(game, laid(tiles))
    assert parts, "a case asks something"
    for part in parts.split("; "):
        check(game, part)


def test_the_names_of_the_cases_differ() -> None:
    assert len({case.partition(" |")[0] for case in CASES}) == len(CASES)


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


@pytest.mark.parametrize(("move", "text", "index"), written.MOVES, ids=[text for _, text, _ in written.MOVES])
def test_d26_d31_a_move_its_text_and_its_number(new: Callable[..., Rules], move: Move, text: str, index: int) -> None:
    game = new()
    assert game.text(*move) == text
    assert game.parse(text) == move
    assert game.index(*move) == index


@pytest.mark.parametrize("text", written.NO_MOVES, ids=ascii)
def test_d31_no_other_spelling(new: Callable[..., Rules], text: str) -> None:
    with pytest.raises(REFUSED):
        new().parse(text)


def test_d32_the_position_and_the_record_of_a_little_game(new: Callable[..., Rules]) -> None:
    game = new(**written.LITTLE_GAME)
    lay(game, written.LITTLE_LAID[:-1])
    draw(game, *written.LITTLE_LAID[-1][:2])
    turns = written.LITTLE_RECORD["turns"]
    assert game.position() == written.LITTLE_POSITION
    assert game.record() == {
        "format": written.LITTLE_RECORD["format"],
        "players": written.LITTLE_RECORD["players"],
        "turns": [*turns[: len(written.LITTLE_LAID) - 1], {"tile": written.LITTLE_LAID[-1][0]}],
    }
    game.place(*written.LITTLE_LAID[-1][2:])
    assert game.position() == written.LITTLE_END
    assert game.record() == written.LITTLE_RECORD


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
