"""Board files and the setup of a game: what is read, and what is refused by name."""

import copy
import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadBoard, BadSetup, Batch, Board, Game, Setup
from bohemian_env.engine.checks import printable
from bohemian_env.villages.board import TableSize
from bohemian_env.villages.facts import MAX_PLAYERS
from tests.helpers import BOARD, DATA, SIX, VILLAGES

TEXT = BOARD.read_text(encoding="utf-8")
BUILDINGS = '["butchery", "tailor", "glass", "farm", "inn", "town_hall", "church"]'
NENBRAD = f'name = "Nenbrad"\ntile = "M/N"\nbuildings = {BUILDINGS}\ntown_hall = 8\n'
EVERY = sorted({village["tile"] for village in DATA["village"]})
NINE_MORE = "".join(
    f'\n[[village]]\nname = "{name}{side}"\ntile = "{name}"\nbuildings = ["bakery", "farm"]\n'
    for name in ("Extra",)
    for side in "ab"
)


def load(tmp_path: Path, *changes: tuple[str, str]) -> Board:
    """The board of the file with some passages, each of which stands there once, replaced."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    return Board.load(path)


def names_in_play(game: Game) -> list[str]:
    return [village["name"] for village in game.roll((1, 2, 3, 4)).position()["villages"]]


def test_a_board_is_given_as_a_board_or_as_a_path(tmp_path: Path) -> None:
    games = [
        Game.new(players=2, villages=SIX, board=board).roll((1, 2, 3, 4))
        for board in (BOARD, str(BOARD), Board.load(BOARD), Board.load(str(BOARD)), load(tmp_path))
    ]
    assert all(game == games[0] for game in games)


def test_a_board_of_ones_own_is_played(tmp_path: Path) -> None:
    changed = NENBRAD.replace("Nenbrad", "Nymburk").replace('"tailor", ', "").replace("town_hall = 8", "town_hall = 3")
    board = load(tmp_path, (NENBRAD, changed), ("coin_supply = 300", "coin_supply = 77"))
    game = Game.new(players=2, villages=(*SIX[:-1], "Nymburk"), board=board).roll((1, 2, 3, 4))
    kinds = [row["kind"] for row in game.position()["villages"][-1]["buildings"]]
    assert kinds == ["butchery", "glass", "farm", "inn", "town_hall", "church"]
    assert game.position()["villages"][-1]["buildings"][4]["value"] == 3
    assert game.bank == 77


def test_the_standard_board_keeps_to_what_is_printed() -> None:
    """Nine two-sided tiles, the seven printed names and their tiles, and the most inns, glass factories and mills."""
    sides: dict[str, dict[str, set[str]]] = {}
    for village in Board.standard().villages:
        sides.setdefault(village.tile, {})[village.name] = {*village.buildings}
    assert [len(names) for names in sides.values()] == [2] * 9
    stay = {"A/B": ["Anschow", "Bracholnitz"], "O/P": ["Obethal", "Palewnitz"], "S/T": ["Sonnhofen", "Tielden"]}
    assert {tile: [*sides[tile]] for tile in stay} == stay
    assert {"inn", "town_hall", "farm", "glass"} <= sides["M/N"]["Nenbrad"]
    for kind, most in {"inn": 8, "glass": 7, "mill": 6}.items():
        assert sum(any(kind in kinds for kinds in names.values()) for names in sides.values()) <= most
    two = names_in_play(Game.new(players=2, villages="random", seed=1, board=Board.standard()))
    assert not {*two} & {name for names in stay.values() for name in names}


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        ("buildings", '"butchery", "tailor", "glass"', '"butchery", "brewery", "glass"'),
        ("buildings", '"butchery", "tailor", "glass"', '"butchery", "butchery", "glass"'),
        ("buildings", BUILDINGS, "[]"),
        ("buildings", BUILDINGS, '"butchery"'),
        ("buildings", f"buildings = {BUILDINGS}\n", ""),
        ("town_hall", "town_hall = 8\n", ""),
        ("town_hall", "town_hall = 8", "town_hall = -1"),
        ("town_hall", "town_hall = 8", 'town_hall = "8"'),
        ("manor", "town_hall = 8", "town_hall = 8\nmanor = 5"),
        ("mayor", "town_hall = 8", "town_hall = 8\nmayor = 1"),
        ("tile", 'tile = "M/N"\n', ""),
    ],
)
def test_a_bad_village_is_named_with_its_field(tmp_path: Path, field: str, old: str, new: str) -> None:
    with pytest.raises(BadBoard, match=rf"(?s)(?=.*Nenbrad)(?=.*\b{field}\b)"):
        load(tmp_path, (NENBRAD, NENBRAD.replace(old, new)))


@pytest.mark.parametrize(
    ("named", "changes"),
    [
        pytest.param("name", [('name = "Nenbrad"\n', "")], id="no name"),
        pytest.param("name", [('name = "Nenbrad"', "name = 7")], id="the name a number"),
        pytest.param("Mirschau", [('name = "Nenbrad"', 'name = "Mirschau"')], id="two of a name"),
        pytest.param("M/N", [(f"[[village]]\n{NENBRAD}", "")], id="a tile of one side"),
        pytest.param("K/L", [(NENBRAD, NENBRAD.replace("M/N", "K/L"))], id="a tile of three sides"),
        pytest.param("village Extrab: tile: 10 tiles; at most 9", [(TEXT, TEXT + NINE_MORE)], id="ten tiles"),
        pytest.param("X/Y", [('3 = { figures = 13, remove = ["S/T"] }', '3 = { figures = 13, remove = ["X/Y"] }')],
                     id="an unknown tile is removed"),
        pytest.param("figures 0 is not a whole number from 1 to 99",
                     [("5 = { figures = 10, remove = [] }", "5 = { figures = 0, remove = [] }")], id="no figures"),
        pytest.param("setup", [("5 = { figures = 10, remove = [] }", "7 = { figures = 10, remove = [] }")],
                     id="seven players"),
        pytest.param("setup", [("5 = { figures = 10, remove = [] }", "5 = { figures = 10, remove = [], first = 1 }")],
                     id="an unknown field of the setup"),
        pytest.param("setup", [('remove = ["A/B", "O/P", "S/T"]', f"remove = {json.dumps(EVERY)}")], id="no tiles"),
        pytest.param("coin_supply 0 is not a whole number from 1 to 9,999", [("coin_supply = 300", "coin_supply = 0")],
                     id="coins 0"),
        pytest.param("special_action_tiles", [("tiles = 7", "tiles = -1")], id="special action tiles negative"),
        pytest.param("format", [("format = 1", "format = 2")], id="another format"),
        pytest.param("weather", [("format = 1", "format = 1\nweather = 3")], id="an unknown field"),
        pytest.param("toml|TOML", [("format = 1", "format = = 1")], id="no TOML"),
        pytest.param("not a TOML file: .*digits", [("coin_supply = 300", f"coin_supply = {'3' * 5000}")],
                     id="coins of 5,000 digits"),
        pytest.param("board.toml: .*bits", [("coin_supply = 300", f"coin_supply = 0x{'f' * 5000}")],
                     id="coins of 5,000 hexadecimal digits"),
    ],
)  # fmt: skip
def test_a_bad_board_is_refused_by_name(tmp_path: Path, named: str, changes: list[tuple[str, str]]) -> None:
    with pytest.raises(BadBoard, match=named):
        load(tmp_path, *changes)


def test_a_board_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises((BadBoard, FileNotFoundError), match="nowhere"):
        Board.load(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("supply", [1, 9999])
def test_coin_supplies_from_1_to_9999(tmp_path: Path, supply: int) -> None:
    board = load(tmp_path, ("coin_supply = 300", f"coin_supply = {supply}"))
    assert Game.new(players=2, villages=SIX, board=board).bank == supply
    assert Game.new(players=2, villages=SIX, board=BOARD, coin_supply=supply).bank == supply


# --- the setup of a game --------------------------------------------------------------------------


def test_villages_in_any_order_stand_in_the_order_of_the_board() -> None:
    assert names_in_play(Game.new(players=2, villages=SIX[::-1], board=BOARD)) == list(SIX)


def test_the_same_villages_from_the_same_seed() -> None:
    first, second, third = (
        [names_in_play(Game.new(players=2, villages="random", seed=seed, board=BOARD)) for seed in seeds]
        for seeds in (range(8), range(8), range(100, 108))
    )
    assert first == second != third


@pytest.mark.parametrize("tiles", [0, 99])
def test_special_action_tiles_are_a_parameter(tiles: int) -> None:
    game = Game.new(players=2, villages=SIX, board=BOARD, special_action_tiles=tiles)
    assert game.special_supply == tiles
    offered = [move for move in game.roll((1, 2, 3, 4)).legal_moves if move.endswith(":special")]
    assert bool(offered) is (tiles > 0)


SETUPS = {
    "a village too few": dict(villages=SIX[:-1]),
    "both sides of a tile": dict(villages=(*SIX, "Mirschau")),
    "both sides of one, none of another": dict(villages=(*SIX[:4], "Mirschau", "Nenbrad")),
    "a village twice": dict(villages=(*SIX, "Nenbrad")),
    "a village of a tile that stays in the box": dict(villages=(*SIX, "Anschow")),
    "three players with the villages of two": dict(players=3),
    "an unknown way to choose villages": dict(villages="alphabetical"),
    "coins 0": dict(coin_supply=0),
}


@pytest.mark.parametrize("change", SETUPS.values(), ids=SETUPS.keys())
def test_a_bad_setup_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        Game.new(**{"players": 2, "villages": SIX, "board": BOARD, **change})


def test_an_unknown_village_is_named_beside_the_known() -> None:
    with pytest.raises(BadSetup, match="Prague") as refused:
        Game.new(players=2, villages=(*SIX[:-1], "Prague"), board=BOARD)
    assert all(re.search(name, str(refused.value)) for name in VILLAGES)


def test_a_board_of_single_villages_always_shows_them() -> None:
    """A tile with only one side shows that, whatever the seed."""
    entries = [{"name": "One", "buildings": ["farm"]}, {"name": "Two", "buildings": ["inn", "mill"]}]
    board = Board.of_villages(entries, 3, coin_supply=300, special_action_tiles=0)
    for seed in range(20):
        game = Game.new(2, board=board, seed=seed).roll()
        assert [village["name"] for village in game.position()["villages"]] == ["One", "Two"]
    batch = Batch(20, 2, board=board)
    batch.reset(1)
    assert set(batch.states["villages"]) == {2}
    assert {village["name"] for i in range(20) for village in batch.record(i)["villages"]} == {"One", "Two"}


def test_the_table_has_an_entry_for_each_number_of_players() -> None:
    for name in ("kept", "figures"):
        assert len(Board.standard().tables[0][name]) == MAX_PLAYERS + 1


def test_numbers_of_numpy_become_those_of_python() -> None:
    board = Board.standard()
    numbers: dict[str, Any] = dict(coin_supply=np.int64(board.coin_supply), special_action_tiles=np.int8(7))
    other = replace(board, **numbers)
    assert type(other.coin_supply) is type(other.special_action_tiles) is int
    assert other.digest == board.digest
    sizes: Any = {
        np.int8(players): TableSize(np.int8(size.figures), size.remove)  # type: ignore[arg-type]
        for players, size in board.setups.items()
    }
    assert replace(board, setups=sizes).digest == board.digest
    odd: Any = np.int64  # which nobody should give
    printed = [{kind: odd(value) for kind, value in village.printed.items()} for village in board.villages]
    villages = tuple(replace(v, printed=values) for v, values in zip(board.villages, printed, strict=True))
    other = replace(board, villages=villages)
    assert other.digest == board.digest
    start = Setup.of(2, board=other).start(7)
    begun = Game.begin(replace(start, seed=odd(7), sides=odd(start.sides)))
    assert json.loads(json.dumps(begun.roll().position())) == Game.new(2, seed=7).roll().position()
    assert json.loads(json.dumps(begun.record())) == Game.new(2, seed=7).record()


@pytest.mark.parametrize("change", [{"buildings": 5}, {"printed": 5}, {"printed": None}, {"buildings": (["inn"],)}])
def test_a_village_that_is_none_is_refused(change: dict[str, Any]) -> None:
    board = Board.standard()
    with pytest.raises(BadBoard):
        replace(board, villages=(*board.villages[:-1], replace(board.villages[-1], **change)))


def test_boards_are_shared_and_nobody_changes_them() -> None:
    board = Board.standard()
    village = next(one for one in board.villages if "manor" in one.printed)
    with pytest.raises(TypeError, match="does not support item assignment"):
        village.printed["manor"] = 77  # type: ignore[index]
    with pytest.raises(TypeError, match="does not support item assignment"):
        board.setups[2] = board.setups[3]  # type: ignore[index]
    given = dict(village.printed)
    own = replace(village, printed=given)
    given["manor"] += 1
    assert own == village
    for copied in (copy.deepcopy(village), pickle.loads(pickle.dumps(village))):
        assert copied == village
        assert hash(copied) == hash(village)


def test_a_board_may_begin_with_a_mark_of_the_order_of_bytes(tmp_path: Path) -> None:
    """As editors of Windows write files."""
    path = tmp_path / "board.toml"
    path.write_text(BOARD.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert Board.load(path) == Board.load(BOARD)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"), ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("\u200fשלום\u200e", "שלום"), ("\u200ca\u200d", "a"), (" a\0b ", "a?b"), ("Ann", "Ann"),
    ],
)  # fmt: skip
def test_joiners_stay_in_what_is_shown_and_marks_of_direction_go(text: str, shown: str) -> None:
    assert printable(text) == shown
