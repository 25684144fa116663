"""The luck of the dice is taken out of results: what is left has the same mean, and varies less."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from agents.common.statistics import win_shares
from agents.tournament import BadTournament, compare, comparison, enter
from agents.tournament.luck import luck_of
from agents.tournament.play import Played, play_chunk
from agents.tournament.report import as_json
from agents.tournament.schedule import Chunk, LineUp
from agents.tournament.statistics import lead_of_first, summarise
from bohemian_env import Batch, Game, Setup
from bohemian_env.villages.dice import handful
from bohemian_env.villages.opponents.appraiser import load_weights, of_size
from bohemian_env.villages.opponents.luck import add_luck, luck_room
from bohemian_env.villages.state import copy_states
from tests.test_agents.test_tournament.tables import games_of_two

PAIR = LineUp((0, 1))


@pytest.mark.parametrize("players", [2, 3])
def test_the_luck_of_a_game_is_that_of_its_rolls(players: int) -> None:
    """Of a game of five turns, by the batch and by plain games of the same seed."""
    setup = Setup.of(players, max_turns=5)
    batch = Batch(2, setup, autoreset=False)
    batch.reset(np.array([5, 6], np.uint64))
    planners = np.arange(2 * players).reshape(2, players) % 3 == 1
    entrants, actions = enter(["greedy", "planner"], 0), np.zeros(2, np.int64)
    luck = luck_of(setup, batch.seeds, entrants, planners.astype(np.int64))
    games = [Game.new(setup, seed=5), Game.new(setup, seed=6)]
    wanted = np.zeros((2, players))
    network, room, rng = of_size(load_weights(), players), luck_room(), np.random.default_rng(0)
    while not batch.over.all():
        going = np.flatnonzero(~batch.over)
        for k in going:
            while games[k].needs_roll:
                before, games[k] = games[k], games[k].roll()
                bits = sum(1 << int(seat) for seat in np.flatnonzero(planners[k]))
                dice = handful(list((Counter(games[k].dice) - Counter(before.dice)).elements()))
                add_luck(before.states[0], dice, batch.seeds[k], bits, network, room, wanted[k])
            move = str(rng.choice(games[k].legal_moves))
            actions[k] = games[k].push(move).actions[-1]
            games[k] = games[k].push(move)
        states = copy_states(batch.states)
        luck.follow(going, states, actions)
        batch.step(actions)
    assert_allclose(luck.of_seats, wanted, atol=1e-12)
    assert np.abs(wanted).max() > 0.01


def synthetic(wins: np.ndarray, lucky: np.ndarray) -> Played:
    """Games of two, in which the first agent wins where ``wins``, (blocks, 2), is 1, and has this luck in a block."""
    seating = np.broadcast_to([[0, 1], [1, 0]], (len(wins), 2, 2))
    sign = np.where(seating == 0, 1, -1)
    turns, ends = np.full(wins.shape, 20), np.zeros(wins.shape)
    return games_of_two(seating, 50 + sign * wins[:, :, None], turns, ends, sign * lucky[:, None, None])


@pytest.mark.parametrize("rare", [0.01, 0.03, 0.1])
def test_intervals_less_luck_hold_where_nearly_all_games_are_won(rare: float) -> None:
    """And stay in 0 to 1: luck explains nothing where nothing was lost."""
    rng, covered, tests = np.random.default_rng(2), 0, 300
    limit = norm.ppf(rare)
    for _ in range(tests):
        known, rest = rng.normal(size=(2, 30, 2))
        wins = np.where(0.9 * known + np.sqrt(1 - 0.9**2) * rest < limit, -1, 1)
        luck = 1 - norm.cdf((limit - 0.9 * known) / np.sqrt(1 - 0.9**2)) - (1 - rare)
        share = summarise(PAIR, synthetic(wins, luck.mean(axis=1))).results[0].share
        covered += share.low <= 1 - rare <= share.high
        assert 0 <= share.low < share.high <= 1 or rare > 0.05
    assert covered / tests >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / tests)


@pytest.mark.parametrize("rare", [0.0, 0.001])
def test_luck_widens_no_interval_where_nearly_all_games_are_won(rare: float) -> None:
    """Known or not, the luck of a thousand games tells nothing of those that could have been lost."""
    rng, covered, tests = np.random.default_rng(3), 0, 200
    for _ in range(tests):
        wins = np.where(rng.random((500, 2)) < rare, -1, 1)
        share = summarise(PAIR, synthetic(wins, rng.normal(0, 0.19, 500))).results[0].share
        covered += share.low <= 1 - rare <= share.high
        assert share.high - share.low < 0.02
    assert covered / tests >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / tests)


@pytest.mark.slow
def test_less_its_luck_the_mean_is_the_same_and_varies_less() -> None:
    entrants = enter(["hoarder", "planner"], 0)
    plain, adjusted = (play_chunk(Chunk(PAIR, 77, 0, 80, luck), entrants, Setup.of(2)) for luck in (False, True))
    assert not plain.luck.any()
    assert (plain.totals == adjusted.totals).all()
    here = adjusted.seating == 0
    won = (win_shares(adjusted.totals) * here).sum(axis=2).mean(axis=1)
    luck = (adjusted.luck * here).sum(axis=2).mean(axis=1)
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    weight = (luck * won).mean() / (luck * luck).mean()
    assert 0.8 < weight < 1.2
    assert np.var(won - weight * luck) < 0.5 * np.var(won)


def test_luck_has_the_weight_that_explains_most_in_the_other_half() -> None:
    """A weight found in the same games would change the mean."""
    rng, blocks = np.random.default_rng(1), 40
    lucky = rng.normal(size=blocks) / 10
    wins = rng.integers(0, 2, (blocks, 2)) * 2 - 1  # of the first agent in both games of a block
    assert_allclose(lead_of_first(PAIR, synthetic(wins, np.zeros(blocks))), wins.mean(axis=1) / 2)
    adjusted = synthetic(wins, lucky)
    shares = 0.5 + 0.5 * wins.mean(axis=1)
    for half in range(2):
        here, other = (slice(k, None, 2) for k in (half, 1 - half))
        centred = lucky[other] - lucky[other].mean()
        weight = (centred * shares[other]).sum() / (centred**2).sum()
        assert_allclose(lead_of_first(PAIR, adjusted)[here], (shares - 0.5 - weight * lucky)[here])
    assert lead_of_first(PAIR, adjusted).mean() + 0.5 == pytest.approx(summarise(PAIR, adjusted).results[0].share.value)


@pytest.mark.slow
def test_agents_that_think_long_are_compared_less_their_luck() -> None:
    quick = compare(enter(["planner", "hoarder"], 0), games=80)
    slow = compare(enter(["planner", "montecarlo:8", "rusher", "random"], 0), games=40, tables="duels")
    asked = compare(enter(["planner", "hoarder"], 0), games=80, luck=True)
    less_luck = [[one["less_luck"] for one in as_json(each, "", {})["tables"]] for each in (quick, slow, asked)]
    assert less_luck == [[False], [True, False, False, True, False, False], [True]]  # random lost all games
    assert quick.tables[0].worth is None
    assert asked.tables[0].worth > 1
    assert asked.tables[0].results[0].share.value != quick.tables[0].results[0].share.value
    assert (asked.tables[0].wins == quick.tables[0].wins).all()
    with pytest.raises(BadTournament, match="luck 'yes' is not True, False or None"):
        compare(enter(["greedy", "random"], 0), games=20, luck="yes")  # type: ignore[arg-type]


def test_games_whose_luck_is_worked_out_are_shared_by_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[int] = []

    class Planned(Exception):
        pass

    def play(plan: Sequence[Chunk], *_: object) -> None:
        planned.extend(chunk.blocks for chunk in plan)
        raise Planned

    monkeypatch.setattr(comparison, "_play", play)
    for luck in (False, True):
        with pytest.raises(Planned):
            compare(enter(["planner", "hoarder"], 0), games=400, luck=luck)
    assert planned == [200, 50, 50, 50, 50]
