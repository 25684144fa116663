"""The tiles of Dorfromantik as their file gives them: all that D1 says of the set."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

import pytest

from tests.reference.dorfromantik import TILES

DATA: dict[str, Any] = tomllib.loads(TILES.read_text(encoding="utf-8"))
LANDSCAPE: dict[str, str] = {row["id"]: row["edges"] for row in DATA["landscape"]}
TASKS: dict[str, str] = {row["id"]: row["edges"] for row in DATA["task"]}
EDGES = LANDSCAPE | TASKS
#: The four tiles on which a track or a stream ends.
STUBS = {"L30", "T5", "S2", "S3"}
ONE_WAY = [dict(zip("WGV", letters, strict=True)) for letters in ("GVW", "VWG")]
EXCHANGES = [dict(zip("WGV", letters, strict=True)) for letters in ("GWV", "VGW", "WVG")]


def turns(edges: str) -> set[str]:
    """The tile as it looks in each rotation."""
    return {edges[k:] + edges[:k] for k in range(6)}


def look(edges: str) -> str:
    """The same text for a tile in any rotation, and for no other tile."""
    return min(turns(edges))


def mirrored(edges: str) -> str:
    """The tile seen in a mirror."""
    return edges[::-1]


def exchanged(edges: Iterable[str], letters: Mapping[str, str]) -> list[str]:
    """The tiles with their territories exchanged."""
    return ["".join(letters.get(letter, letter) for letter in text) for text in edges]


def test_d1_48_landscape_tiles_25_task_tiles_and_25_markers_in_the_order_of_the_page() -> None:
    assert list(LANDSCAPE) == [f"L{number:02}" for number in range(1, 49)]
    assert list(TASKS) == [f"{kind}{number}" for kind in "WGVTS" for number in range(1, 6)]
    assert DATA["markers"] == {kind: [4, 5, 5, 6, 6] for kind in "WGVTS"}
    assert list(DATA["kinds"]) == list("WGVTSM")


def test_d1_a_task_tile_has_the_type_of_its_name_and_three_landscape_tiles_have_a_flag() -> None:
    assert {row["id"]: row["type"] for row in DATA["task"]} == {tile: tile[0] for tile in TASKS}
    flags = {row["id"]: row["flag"] for row in DATA["landscape"] if "flag" in row}
    assert flags == {"L33": "G", "L38": "V", "L43": "W"}
    assert all(kind in EDGES[tile] for tile, kind in flags.items())
    assert all(tile[0] in edges for tile, edges in TASKS.items())


def test_d2_d3_d4_d26_the_numbers_of_the_set_up() -> None:
    numbers = [DATA[name] for name in ("left_in_box", "open_tasks", "most_players", "torus", "window")]
    assert numbers == [3, 3, 6, 24, 23]


def test_d1_six_letters_each() -> None:
    assert {len(edges) for edges in EDGES.values()} == {6}
    assert set("".join(EDGES.values())) == set("WGVTSM")


def test_d1_all_tiles_differ_under_rotation() -> None:
    assert len({look(edges) for edges in EDGES.values()}) == 73


def test_d1_d25_276_and_120_pairs_of_a_tile_and_a_rotation_that_differs() -> None:
    rows = DATA["landscape"] + DATA["task"]
    assert {row["id"]: row["rotations"] for row in rows} == {tile: len(turns(e)) for tile, e in EDGES.items()}
    assert sum(row["rotations"] for row in DATA["landscape"]) == 276
    assert sum(row["rotations"] for row in DATA["task"]) == 120


def test_d25_equal_rotations_are_a_period_apart_so_that_the_lowest_are_the_first() -> None:
    for row in DATA["landscape"] + DATA["task"]:
        edges, period = row["edges"], row["rotations"]
        assert edges == edges[period:] + edges[:period]


def test_d1_tiles_with_each_kind_of_territory() -> None:
    found = Counter(kind for edges in EDGES.values() for kind in set(edges) - {"M"})
    assert found == {"W": 33, "G": 32, "V": 32, "T": 21, "S": 21}


@pytest.mark.parametrize("kind", ["T", "S"])
def test_d1_two_track_and_two_stream_edges_at_most_and_one_on_four_tiles_only(kind: str) -> None:
    counts = {tile: edges.count(kind) for tile, edges in EDGES.items()}
    assert set(counts.values()) == {0, 1, 2}
    assert {tile for tile, count in counts.items() if count == 1} == {t for t in STUBS if kind in EDGES[t]}


def test_d1_a_stub_is_one_of_track_or_of_stream() -> None:
    kinds = {tile: [kind for kind in "TS" if kind in EDGES[tile]] for tile in STUBS}
    assert kinds == {"L30": ["T"], "T5": ["T"], "S2": ["S"], "S3": ["S"]}


@pytest.mark.parametrize("letters", ONE_WAY, ids=lambda letters: "".join(letters.values()))
def test_d1_without_the_stubs_the_set_goes_into_itself_when_forest_grain_and_village_go_round(
    letters: dict[str, str],
) -> None:
    most = [edges for tile, edges in EDGES.items() if tile not in STUBS]
    assert sorted(map(look, exchanged(most, letters))) == sorted(map(look, most))


@pytest.mark.parametrize("letters", EXCHANGES, ids=lambda letters: "".join(letters.values()))
def test_d1_without_the_stubs_and_up_to_mirror_images_it_does_when_two_are_exchanged(letters: dict[str, str]) -> None:
    def either_way(edges: str) -> str:
        return min(look(edges), look(mirrored(edges)))

    most = [edges for tile, edges in EDGES.items() if tile not in STUBS]
    assert sorted(map(either_way, exchanged(most, letters))) == sorted(map(either_way, most))
    assert sorted(map(look, exchanged(most, letters))) != sorted(map(look, most)), "mirror images are needed"


def test_d1_the_stubs_are_what_breaks_the_symmetry() -> None:
    whole = sorted(map(look, EDGES.values()))
    for letters in permutations("WGV"):
        if letters != ("W", "G", "V"):
            assert sorted(map(look, exchanged(EDGES.values(), dict(zip("WGV", letters, strict=True))))) != whole


def test_d1_18_landscape_tiles_are_chiral_and_no_task_tile_is() -> None:
    chiral = [tile for tile, edges in EDGES.items() if look(mirrored(edges)) != look(edges)]
    assert len(chiral) == 18
    assert set(chiral) <= set(LANDSCAPE)


def test_d14_six_tiles_have_separate_arcs_of_one_type() -> None:
    def arcs(edges: str, kind: str) -> int:
        return sum(edges[i] == kind != edges[i - 1] for i in range(6))

    several = {tile for tile, edges in EDGES.items() if any(arcs(edges, kind) > 1 for kind in "WGV")}
    assert several == {"L17", "L31", "L48", "W2", "G3", "V2"}
