"""Many games at once are the games of the PettingZoo environment, whatever their number and the threads."""

import pickle
import random
from collections.abc import Iterator
from concurrent.futures import wait
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadSetup, Batch, Board, IllegalMove
from bohemian_env.bohemian_villages_v0 import raw_env
from bohemian_env.engine import batch as batch_module
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.villages.contract import RULES
from tests.helpers import FROZEN, SIX
from tests.test_engine.environments import ACTIONS, OBSERVATION, PLAYERS, over
from tests.test_engine.learner_table import chooser

NONE: dict[str, Any] = {"autoreset": False}
LISTS = ("seeds", "seats", "rewards", "totals", "terminations", "truncations", "over")


def longest(masks: np.ndarray) -> np.ndarray:
    """The legal action with the highest number: it places only if it must, so that games go on and on."""
    return ACTIONS - 1 - masks[:, ::-1].argmax(axis=1)


def everything(batch: Batch) -> dict[str, Any]:
    """All that a batch shows, in a form that can be compared and that nobody changes later."""
    shown: dict[str, Any] = {name: getattr(batch, name).tolist() for name in LISTS}
    shown |= {name: getattr(batch, name).tobytes() for name in ("states", "observations", "masks")}
    return shown | {"records": [batch.record(i) for i in range(batch.n)]}


def single(batch: dict[str, Any], i: int, n: int) -> dict[str, Any]:
    """What a batch showed of game i, as a batch of this game alone shows it."""
    size = {key: len(batch[key]) // n for key in ("states", "observations", "masks")}
    rows = {key: slice(i * size[key], (i + 1) * size[key]) for key in size}
    return {key: value[rows[key]] if key in size else [value[i]] for key, value in batch.items()}


def steps(batch: Batch, count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Everything after each of so many random steps."""
    choose = chooser(seed)
    for _ in range(count):
        batch.step(choose(batch.masks))
        yield everything(batch)


# --- the same games as the PettingZoo environment ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("threads", "end", "parameters"),
    [(1, "no figures", {}), (2, "bank empty", {"coin_supply": 15}), (3, "truncated", {"max_turns": 11})],
)
@pytest.mark.parametrize("players", PLAYERS)
def test_game_i_is_the_game_of_the_seed_and_i(players: int, threads: int, end: str, parameters: dict[str, Any]) -> None:
    """Step by step through several games in a row; with all that either shows."""
    n, first = 5, 1_000 * threads
    parameters = {"board": FROZEN, "reward": "mixed", **parameters}
    batch = Batch(n, players, threads=threads, **parameters)
    batch.reset(first)
    envs = [raw_env(players, **parameters) for _ in range(n)]
    for i, env in enumerate(envs):
        env.reset(seed=first + i)
    choose, met = chooser(players), set()
    for step in range(130):
        actions = choose(batch.masks)
        batch.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            assert batch.rewards[i].tolist() == [np.float32(reward) for reward in env.rewards.values()]
            assert (env.truncations["player_0"], env.terminations["player_0"]) == (
                batch.truncations[i],
                batch.terminations[i],
            )
            if over(env):
                outcome = env.outcome()
                met.add(outcome.reason)
                assert batch.totals[i].tolist() == [row["total"] for row in outcome.scoring]
                env.reset()
            assert batch.seeds[i] == env.seed
            assert env.agent_selection == f"player_{batch.seats[i]}"
            seen = env.observe(env.agent_selection)
            assert batch.observations[i].tobytes() == seen["observation"].tobytes()
            assert batch.masks[i].tobytes() == seen["action_mask"].tobytes()
            if step % 10 == 0:
                assert batch.state_dict(i) == env.state_dict()
                assert batch.record(i) == env.record()
        assert not batch.over.any()
    assert end in met
    batch.close()


@pytest.mark.parametrize("villages", ["random", SIX], ids=["random", "named"])
def test_a_game_is_the_same_in_any_batch(villages: Any) -> None:
    """Alone or among others, on one thread or more threads than games."""
    parameters: dict[str, Any] = {"villages": villages, "board": FROZEN, "max_turns": 20}
    n = 7
    batch = Batch(n, **parameters)
    batch.reset(50)
    whole = [everything(batch), *steps(batch, 40)]
    for threads in (2, 3, 7, 100):
        other = Batch(n, threads=threads, **parameters)
        other.reset(50)
        assert [everything(other), *steps(other, 40)] == whole
        other.close()
    for i in (0, 3, 6):
        alone = Batch(1, **parameters)
        alone.reset(50 + i)
        choose = chooser(0)
        rows = np.ones((i, ACTIONS))  # of the games before it
        for at in whole:
            assert everything(alone) == single(at, i, n)
            alone.step(choose(np.concatenate([rows, alone.masks]))[-1:])


def test_the_shapes_and_types_of_docs_env() -> None:
    batch = Batch(6, 3)
    for name, shape, dtype in (
        ("observations", (6, OBSERVATION), np.int8), ("masks", (6, ACTIONS), np.int8), ("seats", (6,), np.int8),
        ("rewards", (6, 3), np.float32), ("totals", (6, 3), np.int32), ("terminations", (6,), np.bool_),
        ("truncations", (6,), np.bool_), ("over", (6,), np.bool_), ("seeds", (6,), np.uint64),
    ):  # fmt: skip
        array = getattr(batch, name)
        assert (array.shape, array.dtype) == (shape, dtype), name
    assert batch.states.shape == (6,)
    assert (batch.n, batch.num_players, batch.autoreset) == (6, 3, True)


@pytest.mark.parametrize("threads", [1, 2])
def test_masks_and_observations_are_of_the_moment_they_are_asked_for(threads: int) -> None:
    """Whoever asks for which of them, and when: also after steps and resets during which nobody did."""
    batch, rng, asked = Batch(3, 2, threads=threads, max_turns=6), random.Random(5), set()
    everywhere = np.arange(3)
    for step in range(120):
        if step % 30 == 29:
            batch.reset(step)
        else:
            batch.step(batch.random_actions(step))
        observations, masks = batch.observe(everywhere)
        asked.add(which := (rng.random() < 0.4, rng.random() < 0.4))
        for name, now in zip(("observations", "masks"), (observations, masks), strict=True):
            if which[name == "masks"]:
                assert getattr(batch, name).tobytes() == now.tobytes()
                assert getattr(batch, name) is getattr(batch, name)
    assert len(asked) == 4
    batch.close()


def test_some_games_observed() -> None:
    """Rows of observations and masks, in the order asked for and to keep."""
    batch = Batch(6, 4)
    list(steps(batch, 9))
    for games in ([4, 0, 5], [2], [], [1, 1]):
        observations, masks = batch.observe(np.array(games, np.int64))
        assert observations.tobytes() == batch.observations[games].tobytes()
        assert masks.tobytes() == batch.masks[games].tobytes()
        assert not np.shares_memory(observations, batch.observations)
        assert not np.shares_memory(masks, batch.masks)


@pytest.mark.parametrize("threads", [1, 3])
def test_random_actions_are_legal_and_follow_from_the_seed(threads: int) -> None:
    batch = Batch(5, 3, threads=threads, max_turns=12, **NONE)
    other = Batch(2, 3, max_turns=12, **NONE)
    other.reset(3)
    differs = 0
    for _ in range(25):
        actions = batch.random_actions(seed=4)
        assert (actions.dtype, actions.shape) == (np.int64, (5,))
        going = ~batch.over
        assert batch.masks[going, actions[going]].all()
        assert not actions[~going].any()
        assert other.random_actions(seed=4).tolist() == actions[3:].tolist()
        differs += (batch.random_actions() != actions).any()
        batch.step(actions)
        other.step(actions[3:])
    assert batch.over.any()
    assert differs > 10
    batch.close()


# --- records and positions --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("autoreset", [True, False])
def test_games_of_many_actions_keep_their_record(autoreset: bool) -> None:
    """Longer than the room that there is at first, beside short games that begin again and again."""
    many = {players: replace(setup, figures=99) for players, setup in FROZEN.setups.items()}
    parameters: dict[str, Any] = {"board": replace(FROZEN, setups=many), "max_turns": 400, "coin_supply": 600}
    batch = Batch(3, 2, autoreset=autoreset, **parameters)
    envs = [raw_env(2, **parameters) for _ in range(3)]
    for i, env in enumerate(envs):
        env.reset(seed=i)
    restarts, most, made = 0, 0, [0] * 3
    for _ in range(900):
        actions = longest(batch.masks)
        actions[1] = batch.masks[1].argmax()  # places where it can
        batch.step(actions)
        for i, env in enumerate(envs):
            if not over(env):
                env.step(int(actions[i]))
                made[i] += 1
                most = max(most, made[i])
            if over(env) and autoreset:
                env.reset()
                restarts += 1
                made[i] = 0
        if {128, 129, 256, 257} & set(made):
            for i, env in enumerate(envs):
                assert batch.record(i) == env.record()
    for i, env in enumerate(envs):
        assert batch.record(i) == env.record()
    assert most > 257
    assert restarts > 5 if autoreset else batch.over.all()


# --- rewards ----------------------------------------------------------------------------------------------------


def test_totals_stay_until_the_next_end_and_rewards_for_one_step() -> None:
    """Those of an end are compared with the PettingZoo environment's above."""
    batch = Batch(6, 3, board=FROZEN, coin_supply=40, max_turns=15, reward="margin")
    choose, ends, totals = chooser(1), 0, [[0, 0, 0]] * 6
    for _ in range(60):
        batch.step(choose(batch.masks))
        for i in range(6):
            if batch.terminations[i] or batch.truncations[i]:
                totals[i] = batch.totals[i].tolist()
                ends += 1
            else:
                assert not batch.rewards[i].any()
        assert batch.totals.tolist() == totals
    assert ends > 10
    batch.step(batch.masks.argmax(axis=1))
    batch.reset(9)
    assert not batch.totals.any()
    assert not batch.rewards.any()
    assert not (batch.terminations | batch.truncations).any()


def test_without_autoreset_a_game_stays_as_it_ended() -> None:
    """Its actions are ignored, whatever they are, and it is reported in one step alone."""
    batch = Batch(4, 3, max_turns=14, coin_supply=30, **NONE)
    batch.reset(6)
    choose, reports = chooser(6), np.zeros(4, int)
    kept: dict[int, Any] = {}
    for step in range(200):
        at = everything(batch)
        for i in np.flatnonzero(batch.over).tolist():
            if i not in kept:
                kept[i] = single(at, i, 4)
                assert batch.rewards[i].any()
                assert not batch.masks[i].any()
                assert batch.state_dict(i)["over"]
                assert "end" in batch.record(i)
            else:
                now = single(at, i, 4)
                assert now["rewards"] == [[0, 0, 0]]
                assert now["terminations"] == now["truncations"] == [False]
                stays = ("states", "seeds", "totals", "over", "observations", "masks", "records")
                assert all(now[key] == kept[i][key] for key in stays)
        reports += batch.terminations + batch.truncations
        actions = choose(batch.masks)
        actions[batch.over] = (-5, 240, 10_000)[step % 3]
        batch.step(actions)
        if len(kept) == 4 and step > 150:
            break
    assert batch.over.all()
    assert reports.tolist() == [1] * 4
    assert batch.random_actions().tolist() == [0] * 4
    batch.reset(6)
    assert not batch.over.any()
    assert batch.masks.any(axis=1).all()


def test_games_that_nobody_decides_are_gone_through() -> None:
    """A game can end before anybody has a choice, if turns may pass; the next one is dealt then."""
    board = Board.of_villages([{"name": "Small", "buildings": ["bakery"]}], 3, 300, 0)
    batch = Batch(20, villages=["Small"], board=board, max_turns=1)
    for _ in range(20):
        assert not batch.over.any()
        assert batch.masks.any(axis=1).all()
        batch.step(batch.masks.argmax(axis=1))


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("bad", [-1, ACTIONS, 255, 256 + 7, -(2**63), 2**62, None])
def test_an_illegal_action_is_named_and_changes_nothing(bad: int | None, threads: int) -> None:
    """None stands for an action that exists and is not legal in game 3. Of several, the first is named."""
    batch = Batch(6, 3, board=FROZEN, threads=threads)
    list(steps(batch, 30))
    before = everything(batch)
    actions = chooser(1)(batch.masks)
    actions[3] = batch.masks[3].argmin() if bad is None else bad
    for also in ([], [5]):
        actions[also] = -1
        with pytest.raises(IllegalMove, match=r"game 3: (R\d+: |actions are|there is no|.*\(R\d+\))") as caught:
            batch.step(actions)
        assert caught.value.move.startswith(f"action {actions[3]} (")
        assert everything(batch) == before
    actions = chooser(1)(batch.masks)
    actions[[0, 4]] = -1
    with pytest.raises(IllegalMove, match="game 0: "):
        batch.step(actions)
    assert everything(batch) == before
    list(steps(batch, 3))
    batch.close()


@pytest.mark.parametrize(
    "actions",
    [[0, 0], [0, 0, 0, 0], 0, [[0, 0, 0]], [0.0, 0.0, 0.0], [True, False, True], ["0", "0", "0"], [None] * 3, []],
)
def test_actions_are_as_many_whole_numbers(actions: Any) -> None:
    batch = Batch(3)
    before = everything(batch)
    with pytest.raises(ValueError, match="are not 3 whole numbers"):
        batch.step(actions)
    assert everything(batch) == before


@pytest.mark.parametrize("kind", [list, np.int32, np.uint8, np.int64])
def test_actions_may_be_of_any_whole_type(kind: Any) -> None:
    batch, other = Batch(3), Batch(3)
    for _ in range(10):
        actions = batch.masks.argmax(axis=1)
        batch.step(actions)
        other.step(actions.tolist() if kind is list else actions.astype(kind))
    assert everything(batch) == everything(other)


@pytest.mark.parametrize(
    "seed", [-1, MAX_SEED, MAX_SEED + 1, 2**64, 1.5, "7", True, None, [1, 2], [1, 2, 3, 4], [[1, 2, 3]], [1, 2, -1],
             [1, 2, MAX_SEED + 1], [1.0, 2.0, 3.0]]
)  # fmt: skip
def test_bad_seeds_are_refused(seed: Any) -> None:
    """With three games, the last seed of the first is two below the highest."""
    batch = Batch(3)
    before = everything(batch)
    with pytest.raises(BadSetup, match="seed"):
        batch.reset(seed)
    assert everything(batch) == before


def test_seeds_one_by_one() -> None:
    batch = Batch(3, 2)
    for seed in ([5, MAX_SEED, 5], np.array([5, MAX_SEED, 5], np.uint64), (5, MAX_SEED, 5)):
        batch.reset(seed)
        assert batch.seeds.tolist() == [5, MAX_SEED, 5]
        assert batch.states[0].tobytes() == batch.states[2].tobytes() != batch.states[1].tobytes()
    batch.reset(MAX_SEED - 2)
    assert batch.seeds.tolist() == [MAX_SEED - 2, MAX_SEED - 1, MAX_SEED]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_right_after_the_games_have_moved_breaks_nothing(threads: int) -> None:
    """What they show is where they stand, and games that go on and on keep to their room for actions."""
    compiled, left = RULES.compiled(batch_module._step_games), [0]

    def interrupted(*given: Any) -> int:
        bad = compiled(*given)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return bad

    games, room = Batch(2, max_turns=None, threads=threads, **NONE), 128  # actions at first
    games._loops[batch_module._step_games] = interrupted
    while len(games.record(0)["turns"]) < 3 or games._games.lengths.max() <= room:
        masks = games.masks.copy()
        assert (games.observations == games.observe([0, 1])[0]).all()
        assert (masks == games.observe([0, 1])[1]).all()
        left[0] = threads
        with pytest.raises(KeyboardInterrupt):
            games.step(longest(masks))
        games.step(longest(games.masks))
        assert not games.over.any()
    assert room < games._games.lengths.max() <= games._games.history.shape[1]
    again = pickle.loads(pickle.dumps(games))
    assert again.states.tobytes() == games.states.tobytes()


def test_an_interrupt_waits_for_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a second one."""
    games = Batch(4, threads=2)  # waits for threads, too: nothing may interrupt that
    asked, pressed = Event(), [2]

    def press(waiting: Any) -> Any:
        pressed[0] -= 1
        if pressed[0] >= 0:
            raise KeyboardInterrupt
        asked.set()
        return wait(waiting)

    monkeypatch.setattr(batch_module, "wait", press)
    written: list[int] = []

    def share(low: int, high: int) -> None:
        if low == 0:
            asked.wait(60)
            written.append(high)

    with pytest.raises(KeyboardInterrupt):
        games._share_out(share)
    assert written == [2]
