"""The league: which opponents a run plays against, and how often."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy import stats

from agents.network.files import load_net
from agents.players.policy import PolicyAgent
from agents.training.league import Drawn, League, WinShare, priorities
from bohemian_env import Batch, Board
from bohemian_env.villages.actions import NUM_ACTIONS
from tests.test_agents.networks import last_layer
from tests.test_agents.test_training.runs import net_for, plays, tiny


def test_the_current_policy_draws_its_actions() -> None:
    net = net_for(3)
    with torch.no_grad():
        last_layer(net).bias[3:5] = 100
    current = Drawn(PolicyAgent(net, sample=True))
    drawn = current.act(Batch(400).observations.copy(), np.ones((400, NUM_ACTIONS), np.int8))
    assert stats.binomtest(int((drawn == 3).sum()), 400).pvalue > 0.001
    assert set(drawn.tolist()) == {3, 4}


def league_in(folder: Path, **changed: Any) -> League:
    """A league whose current policy plays action 0."""
    current = Drawn(PolicyAgent(net_for(0), sample=True))
    return League(folder / "snapshots", tiny(**changed), current, Board.standard(), "cpu", bfloat16=False)


def playing(league: League) -> list[int | None]:
    """The action of each snapshot in the pool."""
    return [plays(slot) if slot.path else None for slot in league.slots]


def test_snapshots_enter_the_pool_and_the_one_that_is_beaten_most_leaves_it(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=3)
    assert playing(league) == [None, None, None]
    for action in (1, 2, 3):
        league.add(net_for(action), 100 * action)
    assert playing(league) == [1, 2, 3]
    for slot, win in ((1, 0.0), (2, 1.0), (2, 1.0), (3, 1.0)):
        league.record(slot, win)
    league.add(net_for(4), 400)
    assert playing(league) == [1, 4, 3]
    assert league.slots[1].win.games == 0
    league.add(net_for(5), 500)
    assert playing(league) == [1, 4, 5]
    assert len(list((tmp_path / "snapshots").glob("*.safetensors"))) == 5  # those that left too
    assert load_net(tmp_path / "snapshots" / "000000000300.safetensors")[1]["about"] == {"samples": 300}

    again = league_in(tmp_path, pool=3)
    again.load_state(json.loads(json.dumps(league.state())))
    assert playing(again) == [1, 4, 5]
    assert again.state() == league.state()
    assert again.shares() == league.shares()
    again.add(net_for(6), 500)  # a run that goes on takes the same snapshot again
    assert playing(again) == [1, 4, 6]


@pytest.mark.parametrize("kept", [[3, "0.5"], [3, 1.1], [3, math.nan], [-1, 0.5], [2.5, 0.5], ["3", 0.5]])
def test_what_is_no_win_share_is_refused(kept: list[Any], tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=1)
    league.add(net_for(1), 100)
    state = json.loads(json.dumps(league.state()))
    for wrong in (
        state | {"current": kept},
        state | {"pool": [[state["pool"][0][0], *kept]]},
        state | {"scripted": dict.fromkeys(state["scripted"], kept)},
    ):
        with pytest.raises(ValueError, match=r"a win share of .* in .* games"):
            league_in(tmp_path, pool=1).load_state(wrong)


def test_the_newest_snapshot_takes_part_in_a_pool_of_one(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=1)
    for action in (1, 2):
        league.add(net_for(action), action)
        assert playing(league) == [action]


def test_priorities_go_to_those_that_are_hard_to_beat() -> None:
    assert priorities([0.5, 0.5, 0.5], 2, 2.0, 0.1) == pytest.approx(1 / 3)
    weights = np.array([1.0, 0.25, 0.0]) + 0.1
    assert priorities([0.0, 0.5, 1.0], 2, 2.0, 0.1) == pytest.approx(weights / weights.sum())
    # The fair share among five is what one half is among two.
    assert priorities([0.2, 1.0], 5, 1.0, 0.5) == pytest.approx([1 / 1.5, 0.5 / 1.5])
    assert priorities([0.1, 0.9], 3, 0.0, 0.1) == pytest.approx(0.5)


def test_win_shares_forget_old_games() -> None:
    share = WinShare(0.5)
    for _ in range(5000):
        share.add(1.0)
    assert share.mean > 0.99
    for _ in range(3000):
        share.add(0.0)
    assert 0.03 < share.mean < 0.07  # 0.999 ** 3000


def test_shares_follow_the_settings_and_the_games(tmp_path: Path) -> None:
    league = league_in(tmp_path, pool=2, current=0.5, snapshots=0.2, scripted="planner,random", focus=1.0, floor=0.25)
    assert league.shares() == pytest.approx([0.7, 0, 0, 0.15, 0.15])  # no snapshot yet: the current policy instead
    league.add(net_for(1), 1)
    assert league.shares() == pytest.approx([0.5, 0.2, 0, 0.15, 0.15])
    league.add(net_for(2), 2)
    assert league.shares() == pytest.approx([0.5, 0.1, 0.1, 0.15, 0.15])
    for _ in range(20):
        league.record(1, 1.0)  # 20 games at one half before them: 3/4
        league.record(4, 1.0)
    assert league.shares() == pytest.approx([0.5, 0.2 * 0.5 / 1.25, 0.2 * 0.75 / 1.25, 0.3 * 0.75 / 1.25, 0.12])


def test_a_snapshot_does_not_change_with_the_policy(tmp_path: Path) -> None:
    net, league = net_for(5), league_in(tmp_path, pool=2)
    league.add(net, 1)
    with torch.no_grad():
        last_layer(net).bias[7] = 1000
    assert playing(league) == [5, None]
