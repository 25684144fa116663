"""The scripted players, and the growth of the score by difference."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bohemian_env.dorfromantik import Game, planner
from bohemian_env.dorfromantik.contract import RULES
from bohemian_env.dorfromantik.faces import Batch
from bohemian_env.dorfromantik.inputs import QUICK
from bohemian_env.dorfromantik.players import MOST_LEGAL, SCRIPTED, Scripted, new_scratch, write_growths
from bohemian_env.dorfromantik.tiles import DIRECTIONS, EDGES, IDS, NUMBER
from bohemian_env.dorfromantik.worths import worths_of
from bohemian_env.engine.errors import BadSetup
from tests.test_dorfromantik.positions import VARIANTS, decisions

RANDOM, GREEDY, PLANNER = 0, 1, 2


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("seed", range(3))
def test_growths_are_those_of_carrying_out(variant: int, seed: int) -> None:
    scratch, push = new_scratch(), RULES.verbs.push
    met = set()
    for game in decisions(variant, 20 + seed)[:-1]:
        count = write_growths(game.states.copy()[0], scratch)
        found = dict(zip(scratch.actions[:count].tolist(), scratch.growths[:count].tolist(), strict=True))
        assert sorted(found) == list(game.legal_actions)
        for action, growth in found.items():
            after = game.states.copy()
            push(after[0], action)
            assert after["score"][0, -1] - game.states["score"][0, -1] == growth
        met |= {*found.values()}
    assert len(met) > 1 or variant == 4


def matching(game: Game, action: int) -> int:
    """The edges that would meet edges of the same type, other than meadow."""
    cells = {(cell["q"], cell["r"]): cell for cell in game.position()["cells"]}
    text = game.action_to_text(action)
    q, r, rotation = (int(part) for part in text.replace("+", " +").replace("-", " -").replace("r", "").split())
    edges, found = EDGES[NUMBER[game.tile]], 0
    for direction, (dq, dr) in enumerate(DIRECTIONS):
        if beside := cells.get((q + dq, r + dr)):
            other = EDGES[NUMBER[beside["tile"]]][(direction + 3 - beside["rotation"]) % 6]
            found += other == edges[(direction - rotation) % 6] != "M"
    return found


def test_greedy_takes_the_most_growth_then_the_most_merits() -> None:
    scratch = new_scratch()
    for game in decisions(0, 31)[:-1:3]:
        s = game.states.copy()[0]
        count = write_growths(s, scratch)
        actions, growths, merits = (array[:count].copy() for array in scratch[:3])
        if not game.open and not game.number:
            assert [matching(game, action) for action in actions.tolist()] == merits.tolist()
        taken = {RULES.verbs.choose(GREEDY, s, np.uint64(word * 2**40), scratch) for word in range(20)}
        best = [i for i in range(count) if growths[i] == growths.max()]
        most = max(merits[i] for i in best)
        equal = {int(actions[i]) for i in best if merits[i] == most}
        assert taken <= equal
        assert len(taken) > 1 or len(equal) < 4


def test_a_marker_that_comes_nearer_is_a_merit() -> None:
    game = Game.new(tasks=["G2"]).deal("G2").deal(6).push("+0+0 r0").deal("L20")
    scratch = new_scratch()
    count = write_growths(game.states.copy()[0], scratch)
    merits = dict(zip(scratch.actions[:count].tolist(), scratch.merits[:count].tolist(), strict=True))
    for action in game.legal_actions:
        after = game.push(action)
        assert merits[action] == matching(game, action) + 8 * (matching(game, action) > 0 and "G2" in after.open)


@pytest.mark.parametrize("player", [GREEDY, PLANNER])
def test_what_they_do_does_not_depend_on_how_a_position_came_about(player: int) -> None:
    scratch = new_scratch()
    for game in decisions(0, 33)[:-1:2]:
        back = Game.from_position(game.position())
        for word in range(3):
            chosen = [
                RULES.verbs.choose(player, one.states.copy()[0], np.uint64(word * 2**50 + 5), scratch)
                for one in (game, back)
            ]
            assert chosen[0] == chosen[1]


def mean_of(player: int, games: int) -> float:
    """The mean score of a player on the games of the seeds from 10,000 on."""
    batch, scratch = Batch(games, autoreset=False), new_scratch()
    batch.reset(10_000)
    while not batch.over.all():
        actions = np.zeros(games, np.int64)
        for i, s in enumerate(batch.arrays[0]):
            if s["end"] == 0:
                word = np.uint64((i * 1000 + int(s["turn"])) * 0x9E3779B97F4A7C15 % 2**64)
                actions[i] = RULES.verbs.choose(player, s, word, scratch)
        batch.step(actions)
    return float(batch.totals.mean())


def test_the_means_of_the_players() -> None:
    assert 68 < mean_of(GREEDY, 120) < 76
    assert 5 < mean_of(RANDOM, 120) < 6.5
    assert mean_of(PLANNER, 120) > 100


def test_each_feature_of_the_planner_is_a_weight_of_some_inputs() -> None:
    """What no feature names is worth nothing; every feature but the one that says when the end is near adds to it."""
    given = tomllib.loads(Path(planner.__file__).with_name("planner.toml").read_text(encoding="utf-8"))
    nothing = {name: [0.0] * len(value) if isinstance(value, list) else 0.0 for name, value in given.items()}
    nothing["late"] = given["late"]
    assert not planner.weights_of(nothing).any()
    assert_array_equal(planner.weights(), planner.weights_of(given))
    for name, value in given.items():
        one = [1.0] * len(value) if isinstance(value, list) else 1.0
        others = {"open": [1.0] * 6} if name == "open_late" else {}
        if name != "late":
            assert (planner.weights_of(nothing | others | {name: one}) != planner.weights_of(nothing | others)).any()


def test_growth_is_all_that_counts_without_weights() -> None:
    scratch = new_scratch()
    for game in decisions(0, 35)[:-1:3]:
        s = game.states.copy()[0]
        count = worths_of(s, np.zeros(QUICK, np.float32), scratch.actions, scratch.worths)
        found = dict(zip(scratch.actions[:count].tolist(), scratch.worths[:count].tolist(), strict=True))
        count = write_growths(s, scratch)
        assert found == dict(zip(scratch.actions[:count].tolist(), scratch.growths[:count].tolist(), strict=True))


def test_players_by_name() -> None:
    assert list(SCRIPTED) == ["random", "greedy", "planner"]
    assert Scripted("greedy").number == GREEDY
    with pytest.raises(BadSetup, match="unknown scripted opponent 'hoarder'; known are random, greedy, planner"):
        Scripted("hoarder")


def test_there_is_room_for_all_legal_actions() -> None:
    cells = 6 + 2 * (len(IDS) - 1)  # 6 about the first tile, at most 2 more with each other one
    assert 6 * cells == MOST_LEGAL
