"""Scripted agents: random is fair, greedy sees what is plain, and nothing changes unnoticed."""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import agents
from bohemian_env import Batch
from bohemian_env.villages.actions import END, REROLLS
from bohemian_env.villages.opponents.planner import VERSION
from tests.helpers import BOARD, SIX, VILLAGES, game_at


def choice(name: str, **parts: Any) -> str:
    """The move of an agent in `position(**parts)` of two players on the villages SIX."""
    return agents.make(name, 0).move(game_at(villages=SIX, **parts))


def of_one_position(n: int, **parts: Any) -> Batch:
    """A batch of n games, of seeds 0 to n - 1, that all stand at `position(**parts)` on SIX."""
    batch = Batch(n, 2, SIX, board=BOARD)
    batch.arrays[0][:] = game_at(villages=SIX, **parts).states
    return batch


OPENING: dict[str, Any] = dict(dice=(1, 2, 3, 6), special=(0,))
N = 40_000


def counts(actions: np.ndarray, batch: Batch) -> np.ndarray:
    """How often each of the actions was taken that are legal in the one position of the batch; no others were."""
    legal = np.flatnonzero(batch.masks[0])
    assert len(legal) > 20
    assert np.isin(actions, legal).all()
    return np.bincount(actions, minlength=batch.masks.shape[1])[legal]


@pytest.mark.parametrize(("games", "seeds"), [(N, [11]), (1, range(N // 4))], ids=["games", "seeds"])
def test_random_is_uniform_over_legal_actions_whatever_the_game_and_its_seed(games: int, seeds: Iterable[int]) -> None:
    batch = of_one_position(games, **OPENING)
    actions = np.concatenate([agents.make("random", seed).act_batch(batch) for seed in seeds])
    assert stats.chisquare(counts(actions, batch)).pvalue > 0.001


@pytest.mark.parametrize("later", [dict(turn=3), dict(spent=True, special=()), dict(dice=(1, 6))], ids=str)
def test_random_decides_anew_at_every_moment(later: dict[str, Any]) -> None:
    """What it took at one moment of a game says nothing about what it takes at another."""
    agent = agents.make("random", 11)
    quarters = []
    for parts in (OPENING, OPENING | later):
        batch = of_one_position(N, **parts)
        legal = np.flatnonzero(batch.masks[0])
        quarters.append(np.searchsorted(legal, agent.act_batch(batch)) * 4 // len(legal))
    seen = np.zeros((4, 4))
    np.add.at(seen, tuple(quarters), 1)
    assert stats.chi2_contingency(seen).pvalue > 0.001


# 2, 3, 5 and 5 reach a tailor (2+3), a glass factory (2+5), a farm (3+5), a town hall (5+5) and a manor (2+5+5).
HALL = {("town_hall", "Ebersgrun"): 0}
THREE_SHOPS = {("bakery", "Grundow"): 0, ("butchery", "Chlumhof"): 0, ("dairy", "Ebersgrun"): 0}
HIGHEST_MANOR = {("manor", "Itschkau"): 1}


@pytest.mark.parametrize(
    ("owners", "wanted"),
    [
        pytest.param({}, ["5+5:town_hall", "2+3+5:town_hall"], id="a town hall, since none costs 5 coins"),
        pytest.param(THREE_SHOPS, ["2+3:tailor"], id="the fourth kind of shop, for 8 coins"),
        pytest.param(HALL, ["2+5+5:manor@Itschkau"], id="the manor of 6 coins"),
        pytest.param(HALL | HIGHEST_MANOR, ["2+5+5:manor@Chlumhof", "2+5+5:manor@Grundow"], id="a manor of 5 coins"),
    ],
)
def test_greedy_takes_what_is_worth_most(owners: dict[tuple[str, str], int], wanted: list[str]) -> None:
    assert choice("greedy", dice=(2, 3, 5, 5), owners=owners).startswith(tuple(wanted))


@pytest.mark.parametrize(("mine", "others", "church"), [(1, 1, True), (1, 3, False), (3, 1, False)])
def test_greedy_takes_a_church_for_the_majority_and_not_otherwise(mine: int, others: int, church: bool) -> None:
    """1, 4, 6 and 6 leave a church (1+4+6), or the manor of 6 coins (6+6) and another move."""
    names = [name for name in SIX if name != "Itschkau"][: mine + others]
    owners = HALL | {("church", name): int(k >= mine) for k, name in enumerate(names)}
    assert choice("greedy", dice=(1, 4, 6, 6), owners=owners).startswith("1+4+6:church@" if church else "6+6:manor@")


@pytest.mark.parametrize("full", ["Chlumhof", "Nenbrad"])
def test_greedy_kicks_out_where_the_other_has_most_to_lose(full: str) -> None:
    """All town halls are the other's; that of the village whose buildings are all occupied counts for most."""
    halls = {("town_hall", name): 1 for name in ("Chlumhof", "Ebersgrun", "Nenbrad")}
    owners = halls | {(kind, full): 1 for kind in VILLAGES[full]["buildings"]}
    assert choice("greedy", dice=(2, 3, 5, 5), owners=owners, active=[full]).endswith(f":town_hall@{full}")


def test_greedy_takes_equally_good_moves_equally_often() -> None:
    """The two manors of 5 coins."""
    batch = of_one_position(4000, dice=(2, 3, 5, 5), owners=HALL | HIGHEST_MANOR)
    seen = np.unique(agents.make("greedy", 2).act_batch(batch), return_counts=True)[1]
    assert len(seen) == 2
    assert stats.chisquare(seen).pvalue > 0.001


@pytest.mark.parametrize("players", [2, 5])
def test_greedy_never_spends_a_tile_unless_it_must(players: int) -> None:
    batch, agent, could = Batch(100, players), agents.make("greedy", 3), 0
    for _ in range(120):
        actions = agent.act_batch(batch)
        need_not = np.delete(batch.masks, np.s_[REROLLS:END], axis=1).any(axis=1)
        could += int((batch.masks[:, REROLLS:END].any(axis=1) & need_not).sum())
        assert not (need_not & (actions >= REROLLS) & (actions < END)).any()
        batch.step(actions)
    assert could > 500


FINGERPRINT = {
    "random": "38335ff50605497c", "greedy": "79b0a511f0fada87", "planner": "a1ef3f024d9da7fc",
    "rusher": "ed865c9a590ce24d", "hoarder": "6210829329ae8eed", "montecarlo:16": "5a27375bceb5107e",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow) if ":" in one else one for one in FINGERPRINT]
)
def test_opponents_play_as_in_the_version_that_published_figures_refer_to(name: str) -> None:
    """After a change that is meant, docs/villages.md gets new ratings; of a planner, VERSION grows as well."""
    assert VERSION == 1
    digest = hashlib.sha256()
    for players in (2, 3, 4, 5):
        batch = Batch(8, players)
        batch.reset(2016)
        agent = agents.make(name, 0)
        for _ in range(80):
            actions = agent.act_batch(batch)
            digest.update(actions.astype("<i8").tobytes())
            batch.step(actions)
    assert digest.hexdigest()[:16] == FINGERPRINT[name]
