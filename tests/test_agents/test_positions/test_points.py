"""What moves and positions are worth in points: true at the end, fair to chance, and rolled out where it matters."""

import numpy as np
import pytest

import agents
from agents.positions.points import standing, stated, worth
from bohemian_env.engine.game import Game
from bohemian_env.games import rules_of

LOOKED = 8
TABLES = [("dorfromantik", 1), ("dorfromantik", 3), ("agricola", 2)]


def played(name: str, players: int, turns: int, seed: int = 3) -> Game:
    """The game of a seed, as the planner plays it, where somebody decides after so many turns, or in its last turn."""
    player = agents.make("planner", seed=1, game=name)
    game = rules_of(name).game.new(players, seed=seed).dealt()
    while game.turn <= turns:
        after = game.push(player.move(game)).dealt()
        if after.over:
            break
        game = after
    return game


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_last_action_is_worth_what_it_brings(name: str, players: int) -> None:
    game = played(name, players, 999)
    assert len(game.legal_actions) > 1
    ends = {action: game.push(action).outcome().scoring for action in game.legal_actions}
    true = {action: rows[game.to_move]["total"] for action, rows in ends.items()}
    assert stated(game) == pytest.approx(true)
    assert worth(game) == pytest.approx(true)
    after = game.push(max(true, key=true.__getitem__))
    assert standing(after) == [row["total"] for row in ends[after.actions[-1]]][: len(standing(after))]
    assert standing(game)[0 if game.rules.verbs.TEAM else game.to_move] == pytest.approx(max(true.values()))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_standing_before_chance_is_the_mean_of_standing_after_it(name: str, players: int) -> None:
    player, game, met = agents.make("planner", seed=1, game=name), rules_of(name).game.new(players, seed=3), 0
    while not game.over:
        if game.needs_chance:
            means = sum(likely * np.array(standing(game.deal(outcome))) for outcome, likely in game.chance_outcomes())
            assert standing(game) == pytest.approx(means)
            met += 1
        game = game.deal() if game.needs_chance else game.push(player.move(game))
    assert met > 2


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_best_and_the_one_asked_about_are_rolled_out(name: str, players: int) -> None:
    """What the others are told to be worth is not changed by a question."""
    game = played(name, players, 6)
    values, found = stated(game), worth(game)
    first, *others = sorted(values, key=lambda action: -values[action])
    kept = others[LOOKED - 1 :]
    assert {*found} == {*values} == {*game.legal_actions}
    assert kept
    lost = [values[first] - values[action] for action in kept]
    assert [found[first] - found[action] for action in kept] == pytest.approx(lost)
    assert max(found.values()) == max(found[action] for action in (first, *others[: LOOKED - 1]))
    asked = worth(game, kept[-1])
    assert asked[kept[-1]] != found[kept[-1]]
    assert {action: asked[action] for action in found if action != kept[-1]} == {
        action: found[action] for action in found if action != kept[-1]
    }


def test_a_decision_states_what_its_best_action_does() -> None:
    game = played("dorfromantik", 2, 20)
    assert standing(game) == [max(stated(game).values())]


def test_nothing_is_told_of_what_the_seed_has_in_store() -> None:
    """A game with another seed that stands alike is told the same."""
    game = played("dorfromantik", 1, 9)
    other = type(game).from_position(game.position(), seed=99)
    assert worth(game) == worth(game.unseeded())
    assert stated(other) == pytest.approx(stated(game))
