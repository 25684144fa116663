"""The observation says what the position says: every part, for every seat, and in nothing else.

:func:`seen` writes each part from the position's JSON, following docs/villages.md and not the code.
"""

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from bohemian_env import Board, Game, observation_parts, observation_scale
from bohemian_env.bohemian_villages_v0 import raw_env
from bohemian_env.engine.parts import space_of
from bohemian_env.villages.actions import NUM_ACTIONS
from bohemian_env.villages.faces import write_mask
from bohemian_env.villages.observation import OBSERVATION_SIZE, PARTS, write_observation
from tests.helpers import FROZEN, TOTALS, position
from tests.reference.rules import ReferenceGame
from tests.test_engine.environments import begun, decisions

KINDS = list(TOTALS)
JOINED = ("coins", "bank", "turn")
SPACE = space_of(PARTS, np.int8)
LOW, HIGH = SPACE.low.astype(np.int8), SPACE.high.astype(np.int8)


def seen(position: dict[str, Any], observer: int) -> dict[str, np.ndarray]:
    """The parts of docs/villages.md for one observer, from the position JSON."""
    players = position["players"]
    around = [(observer + away) % players for away in range(players)]
    parts = {part.name: np.zeros(part.shape[:-1] if part.joined else part.shape, int) for part in PARTS}

    def by_seat(name: str, values: list[int]) -> None:
        parts[name][:players] = [values[seat] for seat in around]

    for number, village in enumerate(position["villages"]):
        for building in village["buildings"]:
            cell = KINDS.index(building["kind"]), number
            if building["owner"] is None:
                parts["free"][cell] = 1
            else:
                parts["figures_on"][(around.index(building["owner"]), *cell)] = 1
            if building.get("active"):
                parts["inn_active"][number] = 1
            if "value" in building:
                parts[f"{building['kind']}_value"][number] = building["value"]
    for number in range(1, 7):
        parts["dice"][number - 1, : position["dice"].count(number)] = 1
    parts["first_move_made"][:] = position["moves_made"]
    parts["special_spent"][:] = position["spent_special_this_turn"]
    by_seat("to_move", [seat == position["to_move"] for seat in range(players)])
    by_seat("bishop", [seat == position["bishop"] for seat in range(players)])
    by_seat("special", position["special"])
    parts["players"][players - 2] = 1
    by_seat("figures", position["figures"])
    parts["special_supply"][:] = position["special_supply"]
    by_seat("coins", position["coins"])
    parts["bank"][...] = position["bank"]
    parts["turn"][...] = min(position["turn"], 16_383)
    return parts


def check(observation: np.ndarray, position: dict[str, Any], observer: int) -> dict[str, np.ndarray]:
    """The observation is that of the position, in every part and within every declared bound; its parts."""
    assert observation.shape == (OBSERVATION_SIZE,)
    assert observation.dtype == np.int8
    assert (observation >= LOW).all()
    assert (observation <= HIGH).all()
    parts, expected = observation_parts(observation), seen(position, observer)
    assert list(parts) == list(expected)
    for name, value in parts.items():
        assert np.array_equal(value, expected[name]), f"{name}, seen by {observer}: {position}"
    return parts


def written(write: Callable[[np.ndarray], None], size: int) -> np.ndarray:
    """What is written into a buffer full of something else, and nothing to either side of it."""
    wide = np.full(size + 400, 77, np.int8)
    write(wide[200:-200])
    assert (wide[:200] == 77).all()
    assert (wide[-200:] == 77).all()
    return wide[200:-200]


def observed(at: dict[str, Any], observer: int) -> np.ndarray:
    """What a seat sees in a position of any kind."""
    s = Game.from_position(at, max_turns=None)._states[0]
    return written(lambda out: write_observation(s, observer, out), OBSERVATION_SIZE)


def mask_of(game: Game) -> np.ndarray:
    """The mask of a game at any moment."""
    return written(lambda out: write_mask(game._states[0], out), NUM_ACTIONS)


def random_game(players: int, seed: int, **parameters: Any) -> Iterator[Any]:
    """The environment at every decision of a random game, and at its end."""
    env = begun(raw_env, players, board=FROZEN, seed=seed, **parameters)
    yield from decisions(env, seed)
    yield env


# --- against the position ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_part_says_what_the_position_says(players: int) -> None:
    """For every seat, at every decision of random games and at their ends; each part was seen to be 0 and not to be."""
    met: dict[str, np.ndarray] = {}
    last_banks = []
    for seed in range(5):
        for env in random_game(players, seed, coin_supply=(300, 300, 20, 300, 150)[seed]):
            at = env.state_dict()
            for seat, agent in enumerate(env.possible_agents):
                observation = env.observe(agent)
                assert env.observation_space(agent).contains(observation)
                for name, value in check(observation["observation"], at, seat).items():
                    met[name] = met.get(name, np.zeros_like(value, bool)) | (value != 0)
        last_banks.append(at["bank"])
    assert min(last_banks) <= 0 < max(last_banks)
    assert all(value.any() for value in met.values())
    for name in ("bishop", "special", "to_move", "figures", "coins"):
        assert met[name].tolist() == [True] * players + [False] * (5 - players)
    assert met["figures_on"].any((1, 2)).tolist() == met["coins"].tolist()
    in_play = {2: 6, 3: 8, 4: 8, 5: 9}[players]
    assert met["free"].any(0).tolist() == [True] * in_play + [False] * (9 - in_play)


def test_no_part_stays_as_it_was() -> None:
    """The first position of a game of two, written over the last of a game of five: nothing shows through."""
    *_, last = random_game(5, seed=3)
    buffer = last.observe("player_2")["observation"]
    for seat in (0, 1):
        first = Game.new(2, board=FROZEN, seed=1).roll()
        write_observation(first._states[0], seat, buffer)
        check(buffer, first.position(), seat)


def test_all_dice() -> None:
    """Four dice, the two or the one left after a first move. With the tile at hand there is always a choice."""
    for count in (4, 2, 1):
        for dice in combinations_with_replacement(range(1, 7), count):
            at = position(dice=dice, special=(0,))
            parts = check(observed(at, 1), at, 1)
            assert parts["dice"].sum() == count
            assert parts["first_move_made"] == [count < 4]


COINS = (0, 1, 127, 128, 129, 255, 256, 300, 5_000, 9_997)
BANKS = (1, 127, 128, 300, 9_999, 0, -1, -2, -127, -128, -129, -300, -9_998)
TURNS = (1, 2, 127, 128, 129, 499, 500, 16_382, 16_383, 16_384, 40_000, 10**9)
OVER: dict[str, Any] = {"over": True, "to_move": None, "dice": [], "moves_made": 0}
IN_TWO: list[tuple[str, dict[str, Any], Any]] = [
    *(("coins", position(players=3, coins=(0, n, 1), bank=9_998 - n), [0, n, 1, 0, 0]) for n in COINS),
    *(("bank", position(bank=n, coins=(0, max(0, 1 - n))) | (OVER if n <= 0 else {}), n) for n in BANKS),
    *(("turn", position(players=5, turn=n), min(n, 16_383)) for n in TURNS),
]
"""A number in two entries, a position, and what seat 0 sees of it; a bank of 0 or below only at the end (R21)."""


@pytest.mark.parametrize(("name", "at", "told"), IN_TWO, ids=[f"{name} {told}" for name, _, told in IN_TWO])
def test_numbers_in_two_entries(name: str, at: dict[str, Any], told: Any) -> None:
    parts = [check(observed(at, seat), at, seat)[name] for seat in range(at["players"])]
    assert parts[0].tolist() == told


def test_the_most_that_a_board_allows() -> None:
    """99 figures, 99 tiles, printed values of 99: the largest numbers that have one entry."""
    village = {"name": "Rich", "buildings": ["farm", "town_hall", "manor"], "town_hall": 99, "manor": 99}
    board = Board.of_villages([village], figures=99, coin_supply=9_999, special_action_tiles=99)
    game = Game.new(5, ["Rich"], board=board, seed=0).roll()
    for seat in range(5):
        parts = check(observed(game.position(), seat), game.position(), seat)
        assert parts["figures"].tolist() == [99] * 5
        assert [parts[name].max() for name in ("special_supply", "town_hall_value", "manor_value")] == [99, 99, 99]


# --- the mask ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_mask_is_the_legal_moves_of_who_is_to_act_and_else_nothing(players: int) -> None:
    """Against the second implementation of the rules, by the texts of the moves."""
    for env in random_game(players, seed=11 * players, max_turns=60):
        at = env.state_dict()
        legal = ReferenceGame.from_position(at).legal_moves()
        for seat, agent in enumerate(env.possible_agents):
            mask = env.observe(agent)["action_mask"]
            assert (mask.dtype, mask.shape) == (np.int8, (NUM_ACTIONS,))
            texts = sorted(env.action_to_text(action) for action in np.flatnonzero(mask == 1).tolist())
            assert texts == (legal if seat == at["to_move"] else [])
            assert mask.sum() == len(texts)
    assert at["over"]


def test_the_mask_is_empty_while_a_roll_is_due_and_at_the_end() -> None:
    game = Game.from_position(position(dice=(1, 2, 3, 4), special=(0,)))
    ended = Game.from_position(position(dice=(1, 2)), max_turns=1).push("end")
    assert ended.over
    for at in (Game.new(2, seed=0), game.push("reroll 1,2"), ended):
        assert not mask_of(at).any()


# --- taking it apart --------------------------------------------------------------------------------------------


def test_the_parts_cover_the_vector_without_gap_or_overlap() -> None:
    """Each entry of the vector is one place in one part, in the order of the parts; a joined number takes two."""
    places = []
    for entry in range(OBSERVATION_SIZE):
        vector = np.zeros(OBSERVATION_SIZE, np.int8)
        vector[entry] = 1
        found = [
            (name, int(place), int(value.flat[place]))
            for name, value in observation_parts(vector).items()
            for place in np.flatnonzero(value)
        ]
        assert len(found) == 1
        places += found
    expected = []
    for part in PARTS:
        for place in range(part.size):
            expected.append((part.name, place // 2, (128, 1)[place % 2]) if part.joined else (part.name, place, 1))
    assert places == expected
    assert {part.name for part in PARTS if part.joined} == set(JOINED)


def test_parts_are_views_but_joined_numbers_are_not() -> None:
    vector = np.zeros(OBSERVATION_SIZE, np.int8)
    for name, value in observation_parts(vector).items():
        assert np.shares_memory(value, vector) == (name not in JOINED)
        assert value.dtype == (np.int16 if name in JOINED else np.int8)


def test_joined_numbers() -> None:
    """128 times the first entry and the second, whatever the sign."""
    vector = np.zeros(OBSERVATION_SIZE, np.int8)
    vector[672:686] = [0, 127, 1, 0, 127, 127, 2, 44, 0, 1, -3, 84, 3, 116]
    parts = observation_parts(vector)
    assert parts["coins"].tolist() == [127, 128, 16_383, 300, 1]
    assert (int(parts["bank"]), int(parts["turn"])) == (-300, 500)
    vector[682:684] = [-1, -1]
    assert observation_parts(vector)["bank"] == -129


def test_many_observations_at_once() -> None:
    rng = np.random.default_rng(0)
    many = rng.integers(LOW, HIGH, (2, 3, OBSERVATION_SIZE), np.int8, endpoint=True)
    parts = observation_parts(many)
    for row in range(2):
        for column in range(3):
            for name, value in observation_parts(many[row, column]).items():
                np.testing.assert_array_equal(parts[name][row, column], value)
    for part in PARTS:
        assert parts[part.name].shape == (2, 3, *(part.shape[:-1] if part.joined else part.shape))


@pytest.mark.parametrize("shape", [(), (0,), (OBSERVATION_SIZE - 1,), (OBSERVATION_SIZE, 1), (2, OBSERVATION_SIZE + 1)])
def test_what_is_no_observation_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="the last axis of an observation is 686 long"):
        observation_parts(np.zeros(shape, np.int8))


def test_normalized_observations_are_not_taken_apart() -> None:
    """Two entries make one number only before they are divided by their scale."""
    with pytest.raises(ValueError, match="dtype float32: observations are int8"):
        observation_parts(np.zeros(OBSERVATION_SIZE, np.int8) / observation_scale())


def test_the_space_is_declared_part_by_part() -> None:
    both: Any = raw_env(2).observation_space("player_0")
    space = both["observation"]
    for part in PARTS:
        low = observation_parts(space.low)[part.name]
        high = observation_parts(space.high)[part.name]
        assert set(low.ravel()) == {129 * part.low if part.joined else part.low}
        assert set(high.ravel()) == {129 * part.high if part.joined else part.high}
    assert {part.name for part in PARTS if part.low < 0} == {"bank"}


def test_the_scale_is_that_of_the_parts() -> None:
    """Of a number in two entries, 128 a + b, each entry has its own."""
    scale = observation_scale()
    assert (scale.dtype, scale.shape) == (np.float32, (OBSERVATION_SIZE,))
    first = 0
    for part in PARTS:
        here = scale[first : first + part.size]
        first += part.size
        ends = part.scale if isinstance(part.scale, tuple) else (part.scale,) * 2
        assert (set(here[::2]), set(here[1::2]) or {ends[1]}) == ({ends[0]}, {ends[1]})
        assert min(ends) >= 1
    assert scale.max() == 32
