"""The drawing in the terminal says what the position says: it is read back, and one drawing is stored."""

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bohemian_env import BadPosition, BadSetup, Game
from bohemian_env.villages.position import read_position
from bohemian_env.villages.render import SEAT_LETTERS, board_svg, board_text
from bohemian_env.villages.render.seats import holdings
from bohemian_env.villages.rules import income_of
from tests.helpers import BOARD, DATA_FOLDER, SIX, TOTALS, VILLAGES, position, spread

SNAPSHOT = DATA_FOLDER / "board_text.txt"
NINE = [name for number, name in enumerate(VILLAGES) if number % 2 == 0]
ESCAPE = "\x1b"


def position_of_random_game(players: int, seed: int, decisions: int) -> dict[str, Any]:
    """The position after so many random decisions, or at the end if that comes first."""
    game, chance = Game.new(players, seed=seed, board=BOARD).dealt(), random.Random(seed)
    for _ in range(decisions):
        if game.over:
            break
        placing = [move for move in game.legal_moves if "@" in move]
        game = game.push(chance.choice(placing if placing and chance.random() < 0.7 else game.legal_moves)).dealt()
    return game.position()


positions = st.builds(position_of_random_game, st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 140))


def seat_of(letter: str) -> int | None:
    return None if letter == " " else SEAT_LETTERS.index(letter)


def read_villages(lines: list[str]) -> list[dict[str, Any]]:
    """The villages as a position writes them, from the rows under the line of totals and that of the kinds."""
    columns = {kind: match.start() for kind, match in zip(TOTALS, re.finditer(r"\S+", lines[1]), strict=True)}
    assert [lines[0][at:].split()[0] for at in columns.values()] == [str(total) for total in TOTALS.values()]
    villages = []
    for line in lines[2:]:
        name, occupied, standing = re.match(r"(\S+) +(\d+)/(\d+)", line).groups()
        buildings = []
        for kind, at in columns.items():
            match = re.compile(r"\[([A-E ])\](\*?)(?: (\d+))?").match(line, at)
            if match is None:
                assert line[at : at + 3].strip() == ""
                continue
            building = {"kind": kind, "owner": seat_of(match[1])}
            if kind == "inn":
                building["active"] = match[2] == "*"
            else:
                assert not match[2]
            if match[3]:
                building["value"] = int(match[3])
            buildings.append(building)
        assert (int(standing), int(occupied)) == (len(buildings), sum(b["owner"] is not None for b in buildings))
        villages.append({"name": name, "buildings": buildings})
    return villages


def read_seats(lines: list[str]) -> dict[str, list[str]]:
    """Heads of the columns to their entries by seat."""
    heads = re.split(r"  +", lines[0].strip())
    rows = [re.split(r"  +", line[1:].strip()) for line in lines[1:]]
    assert [row[0] for row in rows] == list(SEAT_LETTERS[: len(rows)])
    return {head: [row[2 + k] for row in rows] for k, head in enumerate(heads)}


def read_back(text: str) -> dict[str, Any]:
    """The position that a drawing at the usual width shows."""
    heading, villages, _, seats, *_ = (block.splitlines() for block in text.split("\n\n"))
    first, second = heading
    table = read_seats(seats)
    numbers = {key: [int(entry) for entry in table[head]] for key, head in NUMBERS.items()}
    over = first.endswith("game over")
    to_move = None if over else seat_of(re.search(r": ([A-E]) ", first)[1])
    assert [seats.index(line) - 1 for line in seats if line.startswith(">")] == ([] if over else [to_move])
    holders = [seat for seat, entry in enumerate(table["bishop"]) if entry == "yes"]
    return {
        "players": len(seats) - 1,
        "turn": int(re.match(r"Turn (\d+):", first)[1]),
        "to_move": to_move,
        "moves_made": int("first move made" in first),
        "spent_special_this_turn": "special spent" in first,
        "dice": [] if over else [int(d) for d in re.search(r"unused dice ([\d ]+)", first)[1].split()],
        "bank": int(re.match(r"Bank (-?\d+)", second)[1]),
        "bishop": holders[0] if holders else None,
        "special": [entry == "yes" for entry in table["special"]],
        "special_supply": int(second.rsplit(" ", 1)[1]),
        "over": over,
        "villages": read_villages(villages),
        **numbers,
    }


NUMBERS = {"coins": "coins", "figures": "in hand", "flour": "flour", "glass": "glass"}


@given(positions)
def test_drawing_reads_back_as_the_position(at: dict[str, Any]) -> None:
    assert read_back(board_text(at)) == at


@given(st.integers(2, 5), st.integers(0, 10**6))
def test_final_scoring_is_that_of_the_game(players: int, seed: int) -> None:
    at = position_of_random_game(players, seed, 10_000)
    outcome = Game.from_position(at).outcome()
    title, *lines = board_text(at).split("\n\n")[4].splitlines()
    assert title == "Final scoring"
    drawn = read_seats([f"{lines[0]}  winner", *(f"{line}  -" for line in lines[1:])])
    for head, entries in drawn.items():
        if head == "winner":
            assert [seat for seat, entry in enumerate(entries) if entry == "winner"] == list(outcome.winners)
        else:
            assert list(map(int, entries)) == [row[head] for row in outcome.scoring]


@given(positions, st.sampled_from([80, 100, 140]), st.none() | st.text(max_size=40))
def test_lines_keep_to_the_width_and_end_without_spaces(at: dict[str, Any], width: int, name: str | None) -> None:
    names = None if name is None else [name] * at["players"]
    lines = board_text(at, names=names, width=width).split("\n")
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    assert lines[0]
    assert lines[-1]
    assert ESCAPE not in "".join(lines)


@given(positions)
def test_colour_adds_codes_and_nothing_else(at: dict[str, Any]) -> None:
    coloured = board_text(at, colour=True)
    assert ESCAPE in coloured
    assert re.sub(ESCAPE + r"\[[\d;]*m", "", coloured) == board_text(at)


def test_everything_but_names_is_ascii() -> None:
    assert board_text(position_of_random_game(5, 1, 60)).isascii()
    assert "Zdeněk" in board_text(position(), names=["Zdeněk", "Ada"])


def test_width_that_is_too_small_is_refused() -> None:
    with pytest.raises(BadSetup, match="width 40 is too small"):
        board_text(position(), width=40)


def test_stored_drawing() -> None:
    """Five players on nine villages, then the end of a game of two; a change of the drawing changes the file."""
    owners = spread(NINE, mill=(1, 0, 2), glass=(0, 1), farm=(2, 0, 1, 2), inn=(1, 2, 0, 1), town_hall=(1, 0, 1, 1))
    owners |= spread(NINE, church=(1, 1), manor=(0, 0, 0, 1, 1), bakery=(0, 1, 1), tailor=(1, 0, 0, 2))
    active = [name for kind, name in owners if kind == "inn"][:3]
    told: dict[str, Any] = dict(dice=(2, 6), turn=17, coins=(12, 9, 15, 0, 108), bank=156, bishop=1, special=(0, 4))
    five = position(players=5, villages=NINE, owners=owners, active=active, spent=True, **told)
    two = position(villages=SIX, owners=spread(SIX, town_hall=(2, 1), bakery=(1, 2), church=(1, 1)), turn=41)
    two |= {"over": True, "dice": [], "to_move": None, "moves_made": 0}
    drawn = [board_text(five, names=["greedy", "ppo", "random", "Ada", "a name too long to be drawn"]), board_text(two)]
    assert "\n\n\n".join(drawn) + "\n" == SNAPSHOT.read_text(encoding="utf-8")


@given(positions)
def test_the_income_is_the_one_that_the_rules_pay(at: dict[str, Any]) -> None:
    s = read_position(at)[0][0]
    assert [has.income for has in holdings(at)] == [income_of(s, seat) for seat in range(at["players"])]


BUILDINGS: Any = [
    {"kind": "castle", "owner": None}, {"kind": "farm", "owner": 7}, {"kind": "inn", "owner": None, "active": None},
    {"kind": "manor", "owner": None, "value": "<b>"},
]  # fmt: skip
BROKEN: Any = [
    {"to_move": 9}, {"dice": [9] * 4}, {"coins": [1]}, {"flour": [99, 0]}, {"special": [0, 1]}, {"bishop": 2},
    {"villages": [3]}, *({"villages": [{"name": "X", "buildings": [building]}]} for building in BUILDINGS),
]  # fmt: skip


@pytest.mark.parametrize("change", BROKEN, ids=str)
@pytest.mark.parametrize("draw", [board_svg, board_text])
def test_what_is_no_position_is_refused(draw: Any, change: Any) -> None:
    position = Game.new(2, seed=1).roll().position()
    assert draw(position)
    with pytest.raises(BadPosition, match=next(iter(change)).replace("villages", "village")):
        draw(position | change)
