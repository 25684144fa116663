"""Drawings of Dorfromantik say what the position says: text and pixels are read back, tile by tile and edge by edge."""

import json
import random
import re
import xml.etree.ElementTree as ET
from math import cos, radians, sin
from typing import Any

import numpy as np
import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.draw import draw_svg, draw_text
from bohemian_env.dorfromantik.draw.palette import THEMES
from bohemian_env.dorfromantik.tiles import EDGES, FLAG_KIND, NUMBER, TASK_KIND
from bohemian_env.engine.errors import BadPosition
from bohemian_env.engine.pixels import drawing, pixels_of

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = {"W": "forest", "G": "grain", "V": "village", "T": "rail", "S": "stream"}
"""The colour that only edges of a kind have."""


def play(seed: int, player: str, turns: int, players: int = 1) -> Game:
    """A game of a seed after some turns."""
    rng, scratch = random.Random(seed), RULES.scratch()
    number = list(RULES.opponents).index(player)
    game = Game.new(players, seed=seed).dealt()
    while not game.over and game.turn <= turns:
        word = np.uint64(rng.getrandbits(63))
        game = game.push(int(RULES.verbs.choose(number, game.states[0], word, scratch))).dealt()
    return game


GAMES = {
    "begin": play(1, "greedy", 0, 2),
    "early": play(2, "greedy", 9, 3),
    "middle": play(3, "greedy", 35, 2),
    "end": play(4, "greedy", 99, 6),
    "far": play(5, "random", 99),
}
POSITIONS: dict[str, dict[str, Any]] = {name: game.position() for name, game in GAMES.items()}
everywhere = pytest.mark.parametrize("at", POSITIONS.values(), ids=POSITIONS)


def laid(*tiles: str) -> dict[str, Any]:
    """A position with tiles in a row, which no rule has been asked about."""
    cells = [{"q": q, "r": 0, "tile": tile, "rotation": 0} for q, tile in enumerate(tiles)]
    return POSITIONS["begin"] | {"cells": cells}


def placed(at: dict[str, Any]) -> dict[tuple[int, int], str]:
    """The edges of the tiles of a position by direction."""
    edges = {(cell["q"], cell["r"]): (EDGES[NUMBER[cell["tile"]]], 6 - cell["rotation"]) for cell in at["cells"]}
    return {cell: letters[first:] + letters[:first] for cell, (letters, first) in edges.items()}


# --- text ---------------------------------------------------------------------------------------------------------


def read_rows(text: str) -> dict[tuple[int, int], tuple[str, str]]:
    """What a text drawing shows: the edges of every tile, and what stands in its middle."""
    found, lines = {}, text.split("\n\n")[0].splitlines()
    for above, middle, below in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        label = re.match(r"([+-]\d+)([+-]\d+) +", middle)
        q, r = map(int, label.groups())
        for column in range(label.end(), len(middle), 6):
            if middle[column] != " ":
                around = above[column + 3] + middle[column + 4] + below[column + 3]
                around += below[column + 1] + middle[column] + above[column + 1]
                edges = around.upper().replace(".", "M")
                found[q + (column - label.end()) // 6, r] = edges, middle[column + 1 : column + 4].strip()
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_text_reads_back_as_the_landscape(seed: int, player: str) -> None:
    at = play(seed, player, 20 + 10 * seed).position()
    numbers = {entry["tile"]: f"#{entry['number']}" for entry in at["open"]}
    told = {(cell["q"], cell["r"]): numbers.get(cell["tile"], cell["tile"]) for cell in at["cells"]}
    assert read_rows(draw_text(at)) == {cell: (edges, told[cell]) for cell, edges in placed(at).items()}


@everywhere
def test_text_tells_the_turn_the_score_the_stacks_and_what_is_open(at: dict[str, Any]) -> None:
    text, score, left = draw_text(at), at["score"], at["stacks"]
    state = "game over" if at["over"] else f"seat {at['to_move']} to move"
    assert f"Turn {at['turn']}: {state}\n" in text
    parts = ", ".join(f"{name} {score[name]}" for name in ("markers", "flags", "track", "stream"))
    assert f"Score {score['total']}: {parts}\n" in text
    assert f"Left: {left['landscape']} landscape tiles, {left['task']} task tiles" in text
    assert (at["tile"] is None) == ("To place: " not in text)
    for entry in at["open"]:
        assert re.search(rf"Task {entry['tile']}: \w+, \d+ of {entry['number']} tiles \(", text)
    for entry in at["flags"]:
        assert re.search(rf"Flag {entry['tile']}: \w+, counted {entry['points']} \(", text)
    assert text.isascii()
    assert all(line == line.rstrip() for line in (text + "|").split("\n"))


def test_text_tells_the_sizes_of_the_territories_as_the_rules_count_them() -> None:
    found = list[str]()
    for game in GAMES.values():
        s = game.states[0]
        for tile, size in re.findall(r"(?:Task|Flag) (\w+): \w+,(?: not counted,)? (\d+)", draw_text(game.position())):
            kind = max(TASK_KIND[NUMBER[tile]], FLAG_KIND[NUMBER[tile]])
            assert int(size) == s["size"][kind, s["territory"][kind, NUMBER[tile]]]
            found.append(tile)
    assert len(found) > 8


def test_text_of_sixteen_cells_side_by_side_is_no_wider_than_a_page() -> None:
    text = draw_text(laid(*(f"L{number:02}" for number in range(1, 17))))
    assert len(read_rows(text)) == 16
    assert max(map(len, text.splitlines())) <= 120


# --- picture ------------------------------------------------------------------------------------------------------


def read_pixels(svg: str) -> dict[tuple[int, int], str]:
    """The edges of every tile, from the colours beside each edge and the places of the cells."""
    pixels, found = pixels_of(svg, 2400), {}
    names = {tuple(bytes.fromhex(THEMES["light"][name][1:])): letter for letter, name in LETTERS.items()}
    pattern = r'<g transform="translate\((\S+) (\S+)\) scale\((\S+)\)"><g id="cell-(-?\d+)-(-?\d+)"'
    for x, y, scale, q, r in re.findall(pattern, svg):
        edges = ""
        for angle in (radians(60 * direction - 60) for direction in range(6)):
            seen = set[str]()
            for aside in np.arange(-12, 12.1, 0.5):
                at = (40 * cos(angle) - aside * sin(angle), 40 * sin(angle) + aside * cos(angle))
                column, row = (int(2 * (float(a) + float(scale) * b)) for a, b in zip((x, y), at, strict=True))
                seen |= {names.get(tuple(pixels[row, column].tolist()), "")} - {""}
            edges += next((letter for letter in "STWGV" if letter in seen), "M")
        found[int(q), int(r)] = edges
    return found


@pytest.mark.slow
@everywhere
def test_pixels_read_back_as_the_landscape(at: dict[str, Any]) -> None:
    assert read_pixels(draw_svg(at, dark=False)) == placed(at)


@everywhere
def test_every_tile_marker_and_flag_is_there_once(at: dict[str, Any]) -> None:
    groups = [group for group in ET.fromstring(draw_svg(at)).iter() if "id" in group.attrib]
    titles = {group.get("id"): group.findtext(f"{SVG}title") for group in groups}
    texts = {group.get("id"): [text.text for text in group.iter(f"{SVG}text")] for group in groups}
    assert len(titles) == len(groups)
    names = {"cell": {f"{cell['q']}-{cell['r']}" for cell in at["cells"]}}
    names["marker"] = {entry["tile"] for entry in at["open"]}
    names["flag"] = {"L33", "L38", "L43"} & {cell["tile"] for cell in at["cells"]}
    names["line"] = names["marker"] | names["flag"]
    names["seat"] = {str(seat) for seat in range(at["players"]) if at["players"] > 1}
    for kind, expected in names.items():
        assert {str(name) for name in titles if str(name).startswith(f"{kind}-")} == {f"{kind}-{e}" for e in expected}
    for q, r, tile, rotation in (cell.values() for cell in at["cells"]):
        assert titles[f"cell-{q}-{r}"] == f"{q:+d}{r:+d} {tile} r{rotation}"
    for entry in at["open"]:
        assert texts[f"marker-{entry['tile']}"] == [str(entry["number"])]
    for tile in names["flag"]:
        assert texts[f"flag-{tile}"] == [f"+{entry['points']}" for entry in at["flags"] if entry["tile"] == tile]
    assert " id=" not in draw_svg(at, ids=False)


@everywhere
def test_equal_positions_have_the_same_drawings(at: dict[str, Any]) -> None:
    for other in (Game.from_position(at).position(), json.loads(json.dumps(at))):
        assert draw_svg(other) == draw_svg(at)
        assert draw_text(other) == draw_text(at)
    assert len({draw_svg(at, dark=dark) for dark in (None, True, False)}) == 3


def test_environments_draw_a_game_the_same_each_time() -> None:
    game = GAMES["middle"]
    pixels, again = (np.asarray(drawing(game, "rgb_array", ["a", "b"])) for _ in range(2))
    assert pixels.shape == (800, 1200, 3)
    assert (pixels == again).all()
    assert drawing(game, "ansi", ["a", "b"]) == draw_text(POSITIONS["middle"], names=["a", "b"])
    assert game._repr_svg_() == draw_svg(POSITIONS["middle"], names=["player_0", "player_1"])


def test_what_chance_has_to_bring_is_not_shown_yet() -> None:
    game = Game.new(seed=1)
    assert "to be revealed" in draw_svg(game.state_dict())
    assert "to be revealed" in draw_text(game.state_dict())
    assert re.search(r">\?</text>.*>W1, forest task</text>", draw_svg(game.deal("W1").state_dict()))


# --- names and what is refused ------------------------------------------------------------------------------------


WRONG = {
    "players": 0, "turn": "1", "to_move": 2, "over": 1, "tile": {"tile": "L99", "number": None},
    "cells": [{"q": 0, "r": 0, "tile": "L01"}], "open": [{"tile": "W1", "number": 4}], "fulfilled": None,
    "aborted": [1], "flags": [{"tile": "L33", "points": 2}], "left": 3, "stacks": {"landscape": 1},
    "score": {"total": 1},
}  # fmt: skip


@pytest.mark.parametrize("field", WRONG)
def test_what_is_no_position_is_refused_by_its_field(field: str) -> None:
    at = POSITIONS["begin"]
    for draw in (draw_text, draw_svg):
        with pytest.raises(BadPosition, match=rf"^{field}\b"):
            draw(at | {field: WRONG[field]})
        with pytest.raises(BadPosition, match=f"^{field}: missing"):
            draw({key: value for key, value in at.items() if key != field})
