"""What a player sees: all that the position says, and nothing else."""

from typing import Any

import numpy as np
import pytest

from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.observation import OBSERVATION_SIZE, PARTS, PLANES, observation_parts, planes
from bohemian_env.dorfromantik.tiles import EDGES, IDS, KINDS, LANDSCAPE, MARKERS, NUMBER, TORUS
from bohemian_env.engine.observe import observation_space, observe
from tests.test_dorfromantik.positions import VARIANTS, decisions

_DIRECTIONS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


def seen(game: Game, seat: int | None = None) -> dict[str, np.ndarray]:
    """The parts of what a seat sees."""
    return observation_parts(observe(game, seat)["observation"])


def cases() -> list[Game]:
    return [game for variant in range(len(VARIANTS)) for game in decisions(variant, 8, 3)[variant::6]]


def test_the_parts_fill_the_vector() -> None:
    assert sum(part.size for part in PARTS) == OBSERVATION_SIZE == RULES.sizes[0]
    space = observation_space(RULES)
    for game in cases():
        assert space.contains(observe(game))


def test_tiles_hand_and_markers_are_those_of_the_position() -> None:
    for game in cases():
        data, parts = game.position(), seen(game)
        tiles = np.zeros((len(IDS), 4), int)
        for cell in data["cells"]:
            tiles[NUMBER[cell["tile"]]] = 1, cell["q"], cell["r"], cell["rotation"]
        for gone in data["left"]:
            tiles[NUMBER[gone["tile"]], 0] = 2
        assert (parts["tiles"] == tiles).all()
        rows = (entry for key in ("open", "fulfilled", "aborted", "left") for entry in data[key])
        marked = {entry["tile"]: entry["number"] for entry in rows}
        told = [marked.get(tile) or 0 for tile in IDS[LANDSCAPE:]]
        assert parts["marked"].tolist() == told
        for key in ("fulfilled", "aborted"):
            names = {entry["tile"] for entry in data[key]}
            assert parts[key].tolist() == [tile in names for tile in IDS[LANDSCAPE:]]
        hand = data["tile"] or {"tile": None, "number": None}
        assert parts["hand"].tolist() == [tile == hand["tile"] for tile in IDS]
        assert parts["number"].tolist() == [hand["number"] or 0]
        known = {entry["tile"] for key in ("cells", "left") for entry in data[key]} | {hand["tile"]}
        in_play = {*game.setup.landscape, *game.setup.tasks}
        assert parts["hidden"].tolist() == [tile in in_play and tile not in known for tile in IDS]


def test_numbers_are_those_of_the_position() -> None:
    for game in cases():
        data, parts = game.position(), seen(game)
        assert parts["score"].tolist() == list(data["score"].values())
        assert parts["stacks"].tolist() == [data["stacks"]["landscape"], data["stacks"]["task"]]
        assert parts["turn"].tolist() == [data["turn"]]
        assert parts["players"].tolist() == [0, 0, 1, 0, 0, 0]
        assert parts["open_tasks"].tolist() == [game.setup.open_tasks]
        assert parts["window"].tolist() == [game.setup.window]
        left = [list(numbers) for numbers in game.setup.markers]
        shown = [entry for key in ("open", "fulfilled", "aborted", "left") for entry in data[key]] + [data["tile"]]
        for entry in shown:
            if entry and entry["number"] is not None:
                left[KINDS.index(entry["tile"][0])].remove(entry["number"])
        assert [sorted(n for n in row if n) for row in parts["numbers"].tolist()] == left


def territory(data: dict[str, Any], tile: str) -> tuple[int, int]:
    """The tiles and the open edges of a task tile's own territory, found by walking through the position."""
    cells = {(cell["q"], cell["r"]): cell for cell in data["cells"]}
    kind = tile[0]

    def is_of(cell: dict[str, Any], direction: int) -> bool:
        return EDGES[NUMBER[cell["tile"]]][(direction - cell["rotation"]) % 6] == kind

    met = [next(place for place, cell in cells.items() if cell["tile"] == tile)]
    edges = 0
    for q, r in met:
        for direction, (dq, dr) in enumerate(_DIRECTIONS):
            if is_of(cells[q, r], direction):
                beside = (q + dq, r + dr)
                edges += beside not in cells
                if beside in cells and beside not in met and is_of(cells[beside], (direction + 3) % 6):
                    met.append(beside)
    return len(met), edges


def test_d14_d15_territories_of_markers_that_lie_out() -> None:
    for game in cases():
        data, parts = game.position(), seen(game)
        names = {entry["tile"] for entry in data["open"]}
        told = [territory(data, tile) if tile in names else (0, 0) for tile in IDS[LANDSCAPE:]]
        assert list(map(tuple, parts["open"].tolist())) == told


def test_d28_a_seat_sees_only_how_many_turns_it_is_away() -> None:
    for game in cases():
        views = [seen(game, seat) for seat in range(3)]
        for seat, view in enumerate(views):
            away = view["to_move"].tolist()
            assert away == [0] * 6 if game.over else [(seat + k) % 3 == game.to_move and k < 3 for k in range(6)]
            for name, part in view.items():
                assert name == "to_move" or (part == views[0][name]).all()


def test_the_same_position_looks_the_same_however_it_came_about() -> None:
    for game in cases()[::5]:
        back = Game.from_position(game.position(), **game.setup.options)
        for name, part in seen(game).items():
            assert (part == seen(back)[name]).all()


def test_where_chance_is_due_it_can_be_seen_as_well() -> None:
    game = Game.new()
    assert not seen(game)["hand"].any()
    assert seen(game.deal("W2"))["hand"].tolist() == [tile == "W2" for tile in IDS]
    assert seen(game.deal("W2"))["number"].tolist() == [0]
    assert not observe(game)["action_mask"].any()
    assert seen(game)["numbers"].tolist() == [list(numbers) for numbers in MARKERS.values()]


def test_planes_are_the_landscape() -> None:
    some = cases()
    shown = planes(np.stack([observe(game)["observation"] for game in some]))
    assert shown.shape == (len(some), len(PLANES), TORUS, TORUS)
    assert shown.dtype == np.int8
    for game, one in zip(some, shown, strict=True):
        data, expected = game.position(), np.zeros((len(PLANES), TORUS, TORUS), int)
        lying = {(cell["q"], cell["r"]): cell for cell in data["cells"]}
        numbers = {entry["tile"]: entry["number"] for entry in data["open"]}
        for (q, r), cell in lying.items():
            edges = EDGES[NUMBER[cell["tile"]]]
            for direction, (dq, dr) in enumerate(_DIRECTIONS):
                letter = edges[(direction - cell["rotation"]) % 6]
                if letter in KINDS:
                    expected[5 * direction + KINDS.index(letter), q, r] = 1
                if (q + dq, r + dr) not in lying:
                    expected[31, (q + dq) % 24, (r + dr) % 24] = 1
            expected[30, q, r] = 1
            if cell["tile"] in numbers:
                size, open_edges = territory(data, cell["tile"])
                expected[32 + KINDS.index(cell["tile"][0]), q, r] = numbers[cell["tile"]]
                expected[37, q, r], expected[38, q, r] = numbers[cell["tile"]] - size, open_edges
            if cell["tile"] in ("L33", "L38", "L43"):
                expected[39 + "GVW".index({"L33": "G", "L38": "V", "L43": "W"}[cell["tile"]]), q, r] = 1
        expected[39:42] = expected[[41, 39, 40]]  # forest, grain, village
        if data["tile"]:
            for direction, letter in enumerate(EDGES[NUMBER[data["tile"]["tile"]]]):
                if letter in KINDS:
                    expected[42 + 5 * direction + KINDS.index(letter)] = 1
            if data["tile"]["number"]:
                expected[72 + KINDS.index(data["tile"]["tile"][0])] = data["tile"]["number"]
        assert (one == expected).all(), np.unique(np.nonzero(one != expected)[0])


def test_planes_of_one_observation() -> None:
    game = decisions(0, 8, 3)[20]
    one = observe(game)["observation"]
    assert planes(one).shape == (len(PLANES), TORUS, TORUS)
    assert (planes(one) == planes(one[None])[0]).all()
    with pytest.raises(ValueError, match="the last axis of an observation is"):
        planes(one[:-1])


def test_actions_and_planes_agree() -> None:
    game = decisions(0, 8, 3)[30]
    beside = planes(observe(game)["observation"])[31].reshape(-1)
    assert all(beside[action // 6] for action in game.legal_actions)
