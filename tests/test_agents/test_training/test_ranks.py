"""Several ranks that train together: what they hand each other, their updates, and runs of two."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from agents.network.files import checksum
from agents.training import run as run_module
from agents.training.checkpoint import Checkpoint
from agents.training.config import TrainConfig
from agents.training.folder import BadRun
from agents.training.imitation import Demonstrations, imitate
from agents.training.ranks import BadRanks, RankFailed, Ranks, join
from agents.training.run import Progress, TrainingRun
from bohemian_env import Board
from tests.test_agents.networks import weights
from tests.test_agents.test_training.runs import SHOWN, UPDATE, content, interrupted_run, samples_in, stop_after, tiny
from tests.test_agents.test_training.together import Group, OneOf, group

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair() -> Iterator[Group]:
    """Two ranks."""
    with group(2) as two:
        yield two


def numbers(rank: int) -> torch.Tensor:
    """Some numbers of a rank's own."""
    return torch.randn(1000, generator=torch.Generator().manual_seed(rank)) * (1 + rank) + rank


def exchange(ranks: Ranks) -> dict[str, Any]:
    """One of every kind of exchange."""
    averaged, shared = ([numbers(ranks.rank)[:6].reshape(2, 3), numbers(ranks.rank)[6:7]] for _ in range(2))
    ranks.average(averaged)
    ranks.share(shared)
    return {
        "rank": (ranks.rank, ranks.count),
        "average": torch.cat([tensor.flatten() for tensor in averaged]),
        "share": torch.cat([tensor.flatten() for tensor in shared]),
        "moments": ranks.moments(numbers(ranks.rank)),
        "first": ranks.first(lambda: f"from {ranks.rank}"),
        "gathered": ranks.gathered([ranks.rank] * ranks.rank),
        "agreed": ranks.agreed(0.1 + ranks.rank),
        "seeds": ranks.own_seed(5),
    }


def test_ranks_hand_each_other_what_they_have(pair: Group) -> None:
    found = pair.do(exchange)
    both = torch.cat([numbers(0), numbers(1)])
    assert [one["rank"] for one in found] == [(0, 2), (1, 2)]
    assert len({one["seeds"] for one in found}) == 2
    for one in found:
        torch.testing.assert_close(one["average"], (numbers(0) + numbers(1))[:7] / 2)
        assert torch.equal(one["share"], numbers(0)[:7])
        torch.testing.assert_close(torch.stack(one["moments"]), torch.stack([both.mean(), both.std()]))
        assert (one["first"], one["gathered"], one["agreed"]) == ("from 0", [[], [1]], 0.1)
    for name in ("average", "share"):
        assert torch.equal(found[0][name], found[1][name])
    assert found[0]["moments"] == found[1]["moments"]


def refused(ranks: Ranks) -> str:
    """What a rank says if the first one cannot do something; ranks go on."""

    def fail() -> None:
        raise BadRun("the folder is full")

    try:
        ranks.first(fail)
    except (BadRun, RankFailed) as error:
        assert ranks.first(lambda: 3) == 3
        return f"{type(error).__name__}: {error}"
    return "nothing"


def test_what_the_first_cannot_do_ends_the_others_too(pair: Group) -> None:
    first, second = pair.do(refused)
    assert first == "BadRun: the folder is full"
    assert second.startswith("RankFailed: rank 1 on ")
    assert second.endswith("stops, as rank 0 has failed: the folder is full")


def interrupted(ranks: Ranks, signalled: int, number: int) -> list[str]:
    """What happens when a rank is sent a signal."""
    seen = []
    try:
        with ranks.interrupts():
            seen.append(f"agreed {ranks.agreed(1.0):g}")
            if ranks.rank == signalled:
                os.kill(os.getpid(), number)
            seen.append("went on")
            ranks.agreed(2.0)
            seen.append("never")
    except KeyboardInterrupt:
        seen.append("interrupted")
    return seen


@pytest.mark.parametrize("signalled", [0, 1])
def test_an_interrupt_of_one_stops_all_at_the_next_agreement(pair: Group, signalled: int) -> None:
    found = pair.do(interrupted, signalled, signal.SIGINT)
    assert found == [["agreed 1", "went on", "interrupted"]] * 2


@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e300, float("inf"), float("nan")])
def test_a_wait_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(BadRanks, match="seconds to wait for other ranks: above 0 and at most 1,000,000"):
        join(seconds)


def begun_otherwise(ranks: Ranks, folder: Path, settings: TrainConfig | None) -> str:
    """What each rank says when all but the first begin a run with these settings, or go on with one."""
    try:
        TrainingRun(folder, settings if ranks.rank else tiny(), ranks=ranks)
    except BadRanks as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("settings", "said"),
    [(tiny(seed=4), r"has seed 4, rank 0 on \S+ 0"), (None, r"has resume True, rank 0 on \S+ False")],
    ids=["seed", "resume"],
)
def test_ranks_that_do_not_belong_together_begin_no_run(
    pair: Group, settings: TrainConfig | None, said: str, tmp_path: Path
) -> None:
    first, second = pair.do(begun_otherwise, tmp_path / "run", settings)
    assert first == second
    assert re.fullmatch(rf"rank 1 on \S+ {said}; they must be the same", first)
    assert not (tmp_path / "run").exists()


GAMES, HORIZON, MINIBATCH = 512, 16, 2048
TOLERANCE = 1e-4
"""Of the way that the weights move. The noise floor, one process with the rows of its minibatches in other orders, was
measured as 4e-7, as far as two ranks were from one; with advantages normalised on each rank alone it was 0.1."""
ARRAYS = ("action_masks", "actions", "values", "log_probs", "returns", "advantages")


SIZES: dict[str, Any] = dict(games=GAMES, horizon=HORIZON, minibatch=MINIBATCH, trunk="64", head="64")
BIG = tiny(**SIZES, max_turns=30, entropy=0.01, bfloat16=False)
"""The settings of the update."""


def collected(run: TrainingRun) -> Any:
    """Play until the buffer is full; return it."""
    callback = run.model._setup_learn(GAMES * HORIZON, run.tally)[1]
    run.model.collect_rollouts(run.env, callback, run.model.rollout_buffer, HORIZON)
    return run.model.rollout_buffer


def orders(rank: int, count: int, epochs: int) -> list[torch.Tensor]:
    """The order in which a rank goes through its decisions in each epoch."""
    generator = torch.Generator().manual_seed(100 + rank)
    return [torch.randperm(GAMES * HORIZON // count, generator=generator) for _ in range(epochs)]


def joint_orders(epochs: int) -> list[torch.Tensor]:
    """The order in which one process has the minibatches that two ranks have together."""
    found = []
    for own in zip(*(orders(rank, 2, epochs) for rank in range(2)), strict=True):
        half = GAMES // 2
        time_and_game = [(order // half, order % half + rank * half) for rank, order in enumerate(own)]
        everywhere = [time * GAMES + game for time, game in time_and_game]
        parts = zip(*(order.split(MINIBATCH // 2) for order in everywhere), strict=True)
        found.append(torch.cat([part for minibatch in parts for part in minibatch]))
    return found


def moved(run: TrainingRun, order: list[torch.Tensor]) -> torch.Tensor:
    """Make an update with minibatches in this order; return how the weights moved."""
    before = weights(run.net)
    with mock.patch.object(torch, "randperm", mock.Mock(side_effect=order)):
        run.model.train()
    return weights(run.net) - before


def updated(ranks: Ranks, folder: Path, each_alone: bool = False) -> torch.Tensor:
    """The update of a rank, from its part of the decisions in ``folder``."""
    run = TrainingRun(folder / f"ranks {each_alone}", BIG, ranks=ranks)
    buffer, own = collected(run), slice(ranks.rank * GAMES // 2, (ranks.rank + 1) * GAMES // 2)
    kept = np.load(folder / "decisions.npz")
    for name in ARRAYS:
        getattr(buffer, name)[:] = kept[name][:, own]
    for key in buffer.observations:
        buffer.observations[key][:] = kept[key][:, own]
    with mock.patch.object(ranks, "moments", Ranks().moments if each_alone else ranks.moments):
        way = moved(run, orders(ranks.rank, 2, run.config.epochs))
    run.close()
    return way


def test_two_ranks_of_256_games_make_the_update_of_one_with_512(pair: Group, tmp_path: Path) -> None:
    """From the same decisions in the same minibatches; advantages are normalised over both ranks."""
    one = TrainingRun(tmp_path / "one", BIG)
    buffer = collected(one)
    np.savez(tmp_path / "decisions.npz", **{name: getattr(buffer, name) for name in ARRAYS}, **buffer.observations)
    order = joint_orders(one.config.epochs)
    way = moved(one, order)
    again = TrainingRun(tmp_path / "again", BIG)
    collected(again)
    generator = torch.Generator().manual_seed(0)
    other = [
        torch.cat([rows[torch.randperm(len(rows), generator=generator)] for rows in epoch.split(MINIBATCH)])
        for epoch in order
    ]
    noise = moved(again, other)
    both, alone = pair.do(updated, tmp_path), pair.do(updated, tmp_path, True)
    far = [float((found - way).norm() / way.norm()) for found in (noise, both[0], alone[0])]
    assert way.norm() > 0.1
    assert torch.equal(both[0], both[1])
    assert far[0] < TOLERANCE
    assert far[1] < TOLERANCE
    assert far[2] > 100 * TOLERANCE


def ended(ranks: Ranks, folder: Path, settings: TrainConfig | None, stop: int = 0) -> dict[str, Any]:
    """A run of some ranks that came to its end, or was stopped after so many updates by a signal to the last rank."""
    run = TrainingRun(folder if ranks.rank == 0 else folder / "elsewhere", settings, ranks=ranks)
    found: dict[str, Any] = {"begun": run.model.num_timesteps, "reports": [], "apart": 0, "interrupted": False}
    share = ranks.share

    def told(tensors: Any) -> None:
        """Count how often the ranks have different weights before they get those of rank 0."""
        found["apart"] += len({*ranks.gathered(checksum(run.net.state_dict()))}) > 1
        share(tensors)

    def report(progress: Progress) -> None:
        found["reports"].append((progress.samples, checksum(run.net.state_dict()), run.league.state()))
        if len(found["reports"]) == stop and ranks.rank == ranks.count - 1:
            os.kill(os.getpid(), signal.SIGINT)

    def learn(net: Any, optimizer: Any, shown: Demonstrations, **more: Any) -> Any:
        found["shown"], found["taught"] = len(shown.rows.returns), checksum({"": torch.from_numpy(shown.rows.returns)})
        return imitate(net, optimizer, shown, **more)

    with mock.patch.object(ranks, "share", told), mock.patch.object(run_module, "imitate", learn):
        try:
            run.train(report)
        except KeyboardInterrupt:
            found["interrupted"] = True
    games = run.env.games
    return found | {
        "part": run.part(),
        "saved": run.saved,
        "net": checksum(run.net.state_dict()),
        "games": games.n,
        "seeds": set(games.seeds.tolist()),
        "shares": run.league.shares(),
        "rate": run.model.policy.optimizer.param_groups[0]["lr"],
        "batch": run.model.batch_size,
        "draws": {slot.agent and slot.agent._generator.initial_seed() for slot in run.league.slots},
    }


def test_over_ten_updates_all_ranks_have_the_same_weights_and_league(pair: Group, tmp_path: Path) -> None:
    """Bit for bit, also before rank 0 hands its weights out; but their games and draws are their own."""
    folder = tmp_path / "run"
    settings = tiny(10, games=32, current=0.25, snapshots=0.25, snapshot_every=0.1, panel_games=2, pool=3, steps=2560)
    first, second = pair.do(ended, folder, settings)
    assert [samples for samples, _, _ in first["reports"]] == [256 * k for k in range(1, 11)]
    assert first["reports"] == second["reports"]
    assert len({net for _, net, _ in first["reports"]}) == 10
    assert sum(games for _, games, _ in first["reports"][-1][2]["pool"]) > 0
    for name in ("part", "shares", "rate", "games", "batch"):
        assert first[name] == second[name], name
    assert (first["apart"], second["apart"], first["games"], first["batch"]) == (0, 0, 16, 16)
    assert not first["seeds"] & second["seeds"]
    assert not first["draws"] & second["draws"]
    assert samples_in(folder) <= 2560
    about = json.loads((folder / "agent.json").read_text())["about"]
    assert about["ranks"] == 2
    assert not (folder / "elsewhere").exists()
    kept = content(folder)
    assert len([name for name in kept if name.startswith("tensorboard")]) == 1
    assert len([name for name in kept if name.startswith("snapshots")]) == 2 * 10


def test_ranks_imitate_together(pair: Group, tmp_path: Path) -> None:
    """Each from games of its own, as many as they would be for one."""
    folder, settings = tmp_path / "run", tiny(1, imitate_samples=2 * SHOWN, imitate_minibatch=512)
    first, second = pair.do(ended, folder, settings)
    assert [samples for samples, _, _ in first["reports"]] == [0, 0, UPDATE]
    assert first["reports"] == second["reports"]
    assert first["apart"] == second["apart"] == 0
    assert first["shown"] == second["shown"] == SHOWN // 2
    assert first["taught"] != second["taught"]


def test_the_games_of_the_ranks_begin_as_those_of_one_process_do(pair: Group, tmp_path: Path) -> None:
    found = pair.do(begun_with, tmp_path)
    alone = begun_with(Ranks(), tmp_path / "alone")
    assert found[0] + found[1] == alone
    assert len({*alone}) == 8


def begun_with(ranks: Ranks, folder: Path) -> list[int]:
    """The seeds of the first games."""
    run = TrainingRun(folder / "run", tiny(players=4), ranks=ranks)
    run.env.reset()
    run.close()
    return run.env.games.seeds.tolist()


def test_two_ranks_count_the_games_of_both(pair: Group, tmp_path: Path) -> None:
    """In the order of the ranks, whichever was quicker."""
    for found in pair.do(tallied, tmp_path):
        assert found == [[0, 1.0], [6, 0.5], [0, 0.0]]


def tallied(ranks: Ranks, folder: Path) -> list[list[float]]:
    """What a league is told of two games on rank 0 and one on rank 1."""
    run = TrainingRun(folder / "run", tiny(), ranks=ranks)
    run.tally.init_callback(run.model)
    told: list[list[float]] = []
    games = run.env.games
    with mock.patch.object(run.league, "record", lambda *game: told.append([*game])):
        for opponent, win in [[(0, 1.0), (6, 0.5)], [(0, 0.0)]][ranks.rank]:
            games._games.tables["ended"][:] = [1, 0, 0, 0]
            games.ended.opponent[0], games.ended.win[0] = opponent, win
            run.tally.on_step()
        assert told == []
        run.tally.on_rollout_end()
    run.close()
    return told


def test_a_signal_to_one_rank_ends_all_after_the_same_update_and_one_goes_on(pair: Group, tmp_path: Path) -> None:
    folder, settings = tmp_path / "run", tiny(8, seed=4)
    found = pair.do(ended, folder, settings, 3)
    for one in found:
        assert one["interrupted"]
        assert len(one["reports"]) == 3
        assert one["saved"]
    at = samples_in(folder)
    assert at in (3 * UPDATE, 4 * UPDATE)
    alone = TrainingRun(folder, None)
    assert (alone.model.num_timesteps, alone.env.num_envs) == (at, 8)
    assert checksum(alone.net.state_dict()) == found[0]["net"] == found[1]["net"]
    alone.train()
    assert samples_in(folder) == 8 * UPDATE
    assert json.loads((folder / "agent.json").read_text())["about"]["ranks"] == 2


def test_a_run_of_one_process_goes_on_with_two(pair: Group, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = interrupted_run(folder, 3, tiny(6, snapshots=0.3))
    assert first.league.slots[0].path is not None
    found = pair.do(ended, folder, None)
    assert [one["begun"] for one in found] == [3 * UPDATE] * 2
    assert found[0]["reports"] == found[1]["reports"]
    assert [samples for samples, _, _ in found[0]["reports"]] == [k * UPDATE for k in (4, 5, 6)]
    assert json.loads((folder / "agent.json").read_text())["about"]["ranks"] == 2


def test_games_and_minibatches_that_cannot_be_divided_are_refused(tmp_path: Path) -> None:
    for changed in ({}, {"games": 9}, {"games": 9, "minibatch": 33, "imitate_samples": SHOWN}):
        with pytest.raises(BadRanks, match=r"(games|minibatch) \d+ cannot be divided evenly among 3 ranks"):
            TrainingRun(tmp_path / "run", tiny(**changed), ranks=OneOf(3))
        assert not (tmp_path / "run").exists()
    interrupted_run(tmp_path / "run", 1, tiny())
    with pytest.raises(BadRanks, match=r"^games 8 cannot be divided evenly among 3 ranks; among 2 or 4 it can$"):
        TrainingRun(tmp_path / "run", None, ranks=OneOf(3))
    TrainingRun(tmp_path / "run", None).train()


def restarting(folder: Path, settings: TrainConfig) -> TrainingRun:
    """A run whose ranks torchrun may restart."""
    ranks = Ranks()
    ranks.restarts = True
    return TrainingRun(folder, settings, ranks=ranks)


def test_where_torchrun_may_restart_the_ranks_the_same_command_goes_on(tmp_path: Path) -> None:
    """With the run that it began, and with no other one."""
    run = restarting(tmp_path / "run", tiny(4))
    with pytest.raises(KeyboardInterrupt):
        run.train(stop_after(2))
    again = restarting(tmp_path / "run", tiny(4))
    assert again.model.num_timesteps == 2 * UPDATE
    again.train()
    with pytest.raises(BadRun, match="already holds something"):
        restarting(tmp_path / "run", tiny(4, seed=1))
    begun = restarting(tmp_path / "other", tiny(1))
    begun.train()
    assert samples_in(tmp_path / "other") == UPDATE


def test_a_run_that_knows_of_no_ranks_had_one(tmp_path: Path) -> None:
    """It was begun before there were any."""
    folder, board = tmp_path / "run", Board.standard()
    interrupted_run(folder, 1, tiny(2))
    checkpoint = Checkpoint.read(folder / "checkpoint.safetensors", board)
    assert checkpoint.state["ranks"] == 1
    checkpoint.state["ranks"] = 0
    checkpoint.write(folder / "checkpoint.safetensors", board)
    with pytest.raises(BadRun, match="ranks 0 is not a whole number"):
        TrainingRun(folder, None)
    del checkpoint.state["ranks"]
    checkpoint.write(folder / "checkpoint.safetensors", board)
    TrainingRun(folder, None).train()
    assert json.loads((folder / "agent.json").read_text())["about"]["ranks"] == 1
