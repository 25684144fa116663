"""The landscape alone: cells keep their places, and it says what is new, in every language."""

import xml.etree.ElementTree as ET
from collections import Counter
from itertools import pairwise

import pytest

from bohemian_env.dorfromantik.draw import draw_landscape
from bohemian_env.dorfromantik.draw.scene import WORDS, letters_of
from bohemian_env.dorfromantik.draw.shapes import land
from bohemian_env.dorfromantik.moves import parse_move
from bohemian_env.engine.words import LANGUAGES, Words, texts_in
from tests.test_dorfromantik.test_draw import GAMES, SVG, play


def parts(svg: str) -> dict[str, ET.Element]:
    return {group.get("id"): group for group in ET.fromstring(svg).iter(f"{SVG}g") if group.get("id")}


def places(svg: str) -> dict[str, str]:
    """Where each cell lies, empty or not."""
    return {
        group[0].get("id").split("-", 1)[1]: group.get("transform")
        for group in ET.fromstring(svg).iter(f"{SVG}g")
        if len(group) and str(group[0].get("id")).startswith(("cell-", "empty-"))
    }


def test_cells_stay_where_they_are_while_the_landscape_grows() -> None:
    found = [places(draw_landscape(play(3, "greedy", turns).position())) for turns in (1, 2, 9, 20, 45)]
    for before, after in pairwise(found):
        assert len(after) > len(before)
        assert before.items() <= after.items()


@pytest.mark.parametrize("name", GAMES)
def test_every_tile_marker_flag_and_empty_cell_has_its_part(name: str) -> None:
    game = GAMES[name]
    at, found = game.position(), parts(draw_landscape(game.position()))
    lying = {f"cell-{cell['q']}-{cell['r']}": (cell["tile"], str(cell["rotation"])) for cell in at["cells"]}
    told = {part: (group.get("data-tile"), group.get("data-rotation")) for part, group in found.items()}
    assert {part: what for part, what in told.items() if part.startswith("cell-")} == lying
    assert {part for part in found if part.startswith("marker-")} == {f"marker-{tile}" for tile in game.open}
    moves = {"empty-{}-{}".format(*parse_move(move)) for move in game.legal_moves}
    assert moves <= {part for part in found if part.startswith("empty-")}


def test_an_empty_cell_has_a_dot_for_each_rotation_and_the_tile_lies_ready_in_all() -> None:
    game = play(3, "greedy", 20)
    ways = Counter(parse_move(move)[:2] for move in game.legal_moves)
    svg = draw_landscape(game.position(), ways=ways)
    found = parts(svg)
    assert len({*ways.values()}) > 1
    for (q, r), count in ways.items():
        ghost = found[f"empty-{q}-{r}"]
        assert (ghost.get("data-ways"), len([*ghost.iter(f"{SVG}circle")])) == (str(count), count)
    for turn in {parse_move(move)[2] for move in game.legal_moves}:
        drawn = ET.fromstring(f'<g xmlns="{SVG[1:-1]}">{land(letters_of(game.tile, turn))}</g>')
        assert [path.attrib for path in found[f"turned-{turn}"]] == [path.attrib for path in drawn]


def test_what_happened_last_is_marked() -> None:
    """Of a whole game each tile once, where it went in, and each marker as it is fulfilled or aborted."""
    moments, laid, judged = play(4, "greedy", 99).moments(), [], []
    for game, after in pairwise(moments):
        if game.needs_chance:
            continue
        found = parts(draw_landscape(after.state_dict(), before=game.position()))
        (new,) = (part for part, group in found.items() if part.startswith("cell-") and group.get("data-at"))
        assert found[new].get("data-at") == new.replace("cell-", "empty-")
        laid.append(new)
        judged += [part for part in found if part.startswith(("fulfilled-", "aborted-"))]
    end = moments[-1]
    assert len({*laid}) == len(laid) == len(end.position()["cells"])
    assert sorted(judged) == sorted(f"{key}-{tile}" for key in ("fulfilled", "aborted") for tile in getattr(end, key))
    assert len({part.split("-")[0] for part in judged}) == 2


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_it_is_drawn_in_every_language(language: str) -> None:
    found = texts_in(WORDS, language)
    svg = draw_landscape(GAMES["middle"].position(), words=Words(language, found))
    assert found["drawing.task"].split("{")[0] in svg
    assert "Task" not in svg
