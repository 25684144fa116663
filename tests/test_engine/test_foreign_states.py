"""What comes from outside, parameters, positions, states and pickles: the unfit is refused, and changes nothing."""

import itertools
import multiprocessing
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadPosition, BadSetup, Batch, BohemianError, Game, bohemian_villages_v0, observe, rewards
from bohemian_env.games import GAMES, rules_of
from bohemian_env.tasks import task_named
from bohemian_env.villages.faces import SelfPlay, VillagesEnv, VillagesVectorEnv, advise, reward_number, see_some
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.sb3 import VillagesVecEnv
from tests.helpers import FROZEN, MISSING, altered
from tests.test_engine.environments import Maker, begun, everything, moments
from tests.test_engine.learner_table import Picky, Recorded, steps
from tests.test_engine.test_aec_states import COPIES
from tests.test_engine.test_batch import everything as of_batch

# --- parameters ---


def named(name: str, make: Callable[..., Any], *given: Any) -> Callable[[Any], Any]:
    """What makes something with a parameter of this name."""
    return lambda value: make(*given, **{name: value})


FACES: tuple[Any, ...] = (VillagesEnv, VillagesVectorEnv, VillagesVecEnv)
REFUSED: list[tuple[type[Exception], str, list[Callable[[Any], Any]], list[Any]]] = [
    (BadSetup, "seat {} is not one of 0 to 2", [partial(observe, Game.new(3))], [-1, 3, 1.0, True, "0"]),
    (BadSetup, "^unknown task .*; known are 2p-greedy, 2p-planner, ", [task_named], ["2p", "", None, 3, ["2p-greedy"]]),
    (BadSetup, "unknown reward {}; known are win, margin, mixed", [
        reward_number, partial(rewards, Game.new()), named("reward", bohemian_villages_v0.env),
        named("reward", Batch, 1), named("reward", SelfPlay, 1, ["random"]), named("reward", VillagesVectorEnv, 3),
    ], ["points", "", "Win", 0]),
    (BadSetup, "are not 2 numbers of at least 0", [
        partial(SelfPlay, 1, ["random", "greedy"]), lambda some: SelfPlay(1, ["random", "greedy"]).set_shares(some),
    ], [[1], [1, 1, 1], [1, -1], [0, 0], [1, np.nan], [1, np.inf], [[1, 1]], 1]),
    (BadSetup, "no method act or act_batch", [partial(SelfPlay, 1)], [[object()]]),
    (BadSetup, "mixed {} is not from 0 to 1", [named("mixed", SelfPlay, 1, ["random"])], [1.5]),
    (BadSetup, "32,768 opponents: at most 32,767 are possible", [partial(SelfPlay, 4)], [["random"] * 32_768]),
    (BadSetup, "first_seat {} is not one of 0 to 1", [
        lambda seat: SelfPlay(2, ["greedy"]).reset(1, first_seat=seat),
    ], [-1, 2, 0.5]),
    (BadSetup, "{} is not a whole number", [lambda seed: VillagesEnv().reset(seed=seed)], [-1, 2**63]),
    (BadSetup, "seed", [lambda seed: VillagesVectorEnv(3).reset(seed=seed)], [-1]),
    (TypeError, "VillagesEnv has no parameter 'seed'; give it to reset", [named("seed", VillagesEnv)], [3]),
    (BadSetup, "options .*villages.*: there is only 'position'", [
        lambda options: VillagesEnv().reset(options=options),
    ], [{"villages": []}]),
    (BadSetup, "render_mode 'ansi': many games are not drawn", [named("render_mode", VillagesVectorEnv, 2)], ["ansi"]),
    *(
        (BadSetup, told, [named("opponents", face) for face in FACES], [opponents])
        for told, opponents in (
            (r"unknown scripted opponent 'ppo'; .* objects, such as agents.make\('ppo'\)", ["ppo"]),
            ("is neither a name nor Scripted, and has no method act", [3]),
            ("'greedy' is not a list", "greedy"),
        )
    ),
    (BadSetup, "normalized", [named("normalized", face) for face in FACES], ["yes"]),
    *(
        (TypeError, f"{face.__name__} has no parameter 'colour'; there are .*opponents, shares, .*players",
         [named("colour", face)], [1])
        for face in FACES
    ),
    (IndexError, "game {}: numbers of games are 0 to 1", [
        lambda i: Batch(2).record(i), lambda i: Batch(2).state_dict(i), lambda i: Batch(2).start_of(i),
    ], [-1, 2]),
    *(
        (error, told, [
            lambda some: Batch(12).advise(some), lambda some: Batch(12).observe(some),
            lambda some: advise(Batch(12).states, some), lambda some: see_some(Batch(12).states, some),
            lambda some: SelfPlay(12, ["random"]).afterstates(some),
        ], [np.array(games) + part for games in ([12], [-1], [0, 400])])
        for error, told, part in (
            (IndexError, "numbers of games are 0 to 11", 0), (ValueError, "not whole numbers in a row", 0.5),
        )
    ),
]  # fmt: skip
"""What is refused: the error, what it says, with the value in braces, calls that take the value, and values."""


@pytest.mark.parametrize(("error", "told", "calls", "values"), REFUSED, ids=[row[1] for row in REFUSED])
def test_odd_parameters_are_told(
    error: type[Exception], told: str, calls: list[Callable[[Any], Any]], values: list[Any]
) -> None:
    for call, value in itertools.product(calls, values):
        with pytest.raises(error, match=told.format(repr(value))):
            call(value)


# --- positions ---


@pytest.mark.parametrize("game", GAMES)
def test_what_are_no_positions_of_a_game_is_refused(game: str) -> None:
    """Whatever else it is, and whatever bytes are in it."""
    rules, rng = rules_of(game), np.random.default_rng(1)
    state, size = rules.state, rules.state.itemsize
    others: list[Any] = [
        None, 7, [], b"", b"\x00" * size, np.zeros(3), np.zeros(size, np.uint8), np.zeros((), state),
        np.zeros((1, 1), state), np.zeros(4, state)[::2], np.zeros(1, state)[0], np.zeros(1, state.newbyteorder(">")),
        np.zeros(1, state.descr[:-1]),
    ]  # fmt: skip
    for other in others:
        with pytest.raises(BadPosition, match="is not a contiguous array of shape"):
            rules.checked_states(other)
    for content in (bytes(size), *(rng.bytes(size) for _ in range(300))):
        with pytest.raises(BadPosition):
            rules.checked_states(np.frombuffer(content, state))


# --- set_state ---

PARTS = (
    *("env", "start", "position", "actions", "agent_selection", "agents", "rewards", "_cumulative_rewards"),
    *("terminations", "truncations", "infos"),
)
NEITHER: tuple[Any, ...] = (7, [], {}, {"player_9": None})
"""Values that fit no part."""
WRONG: list[tuple[str, Any]] = [(name, value) for name in PARTS for value in (MISSING, *NEITHER)]
WRONG += [
    ("agent_selection", "player_9"), ("actions", [241]), ("actions", [-1]), ("actions", [2**70]),
    ("agents", ["player_1", "player_0", "player_2"]), ("agents", ["player_0", "player_1"]),
    *((name, dict.fromkeys(("player_0", "player_1", "player_2"), None)) for name in PARTS[6:]),
    *((name, {"player_0": 0, "player_1": 10**5000, "player_2": 0.0}) for name in PARTS[6:8]),
    ("terminations", {"player_0": True, "player_1": False, "player_2": False}),
    ("infos", {"player_0": {}, "player_1": {}}),
]  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_a_wrong_or_missing_part_is_refused_and_changes_nothing(make: Maker, name: str) -> None:
    """Whatever is wrong, nothing of the other game is taken over."""
    state = begun(make, 3, board=FROZEN, seed=1, steps=9).get_state()
    env = begun(make, 3, board=FROZEN, steps=4)
    before = everything(env)
    for part, value in WRONG:
        if part == name:
            with pytest.raises(BadSetup):
                env.set_state(altered(state, ((name,), value)))
            assert everything(env) == before
    env.set_state(state)
    assert everything(env) != before


def test_a_position_of_another_game_is_refused(make: Maker) -> None:
    """It is a position, but not that of the seed and the moves beside it."""
    begins = ((3, 1), (3, 2), (5, 1))
    states = [begun(make, players, board=FROZEN, seed=seed, steps=9).get_state() for players, seed in begins]
    env = begun(make, 3, board=FROZEN)
    before = everything(env)
    for other in states[1:]:
        told = "^position: not the one to which these actions lead in the game of seed 1$"
        with pytest.raises(BadSetup, match=told):
            env.set_state(states[0] | {"position": other["position"]})
    with pytest.raises(BadSetup, match=r"^position: not the one"):
        env.set_state(states[0] | {"actions": states[0]["actions"][:-1]})
    assert everything(env) == before


def test_a_game_that_is_over_for_some_or_whose_end_is_hidden_is_refused(make: Maker) -> None:
    env = begun(make, 2, board=FROZEN, steps=10_000)
    state = env.get_state()
    for name in ("terminations", "truncations"):
        state[name] = dict.fromkeys(state["agents"], False)
    with pytest.raises(BadSetup, match="does not go with the position"):
        env.set_state(state)


# --- pickles ---


def test_a_pickled_environment_is_checked(make: Maker) -> None:
    raw = begun(make, 3, board=FROZEN, reward="margin", steps=9).unwrapped
    good = raw.__getstate__()
    wrong: list[tuple[tuple[str, ...], Any]] = [
        (("setup",), MISSING), (("setup",), None), (("game", "position"), np.zeros(1)), (("game", "actions"), []),
        (("game", "start"), 7), (("options", "reward"), "fame"), (("options", "render_mode"), "film"),
    ]  # fmt: skip
    for changes in wrong:
        with pytest.raises(BohemianError):
            bohemian_villages_v0.raw_env.__new__(bohemian_villages_v0.raw_env).__setstate__(altered(good, changes))
    again = bohemian_villages_v0.raw_env.__new__(bohemian_villages_v0.raw_env)
    again.__setstate__(good)
    assert list(moments(again)) == list(moments(raw))


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_copy_of_a_batch_plays_on_equally(threads: int, autoreset: bool, how: str) -> None:
    batch = Batch(7, 3, board=FROZEN, reward="mixed", threads=threads, autoreset=autoreset, max_turns=25)
    batch.reset(4)
    for _ in range(3):
        copied = COPIES[how](batch)
        before = of_batch(batch)
        assert of_batch(copied) == before
        for _ in range(12):
            actions = batch.random_actions(1)
            assert (copied.random_actions(1) == actions).all()
            copied.step(actions)
            batch.step(actions)
            assert (copied.rewards == batch.rewards).all()
        assert of_batch(copied) == of_batch(batch) != before
        copied.close()
    batch.close()


def test_a_pickled_batch_is_checked() -> None:
    batch = Batch(3, 2, board=FROZEN)
    for _ in range(9):
        batch.step(batch.random_actions(1))
    good = batch.__getstate__()
    for changes in (
        (("parameters", "n"), 2), (("parameters", "reward"), "fame"), (("seeds",), np.full(3, 2**63, np.uint64)),
        (("seeds",), good["seeds"][::-1].copy()), (("moves", 1), good["moves"][0]), (("moves", 1), [300]),
        (("ended",), np.full(3, 9, np.uint8)), (("rewards",), np.zeros(3, np.float32)),
        (("totals",), np.zeros((3, 2), np.int64)),
    ):  # fmt: skip
        with pytest.raises(BohemianError):
            Batch.__new__(Batch).__setstate__(altered(good, changes))


def _play_in_child(batch: Batch, answers: Any) -> None:
    batch.step(batch.random_actions(1))
    answers.put(batch.states.tobytes())


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_batch_with_threads_goes_on_in_another_process(method: str) -> None:
    """Forked, its threads are not there; it makes its own. The parent goes on as before."""
    context: Any = multiprocessing.get_context(method)
    batch = Batch(6, 2, board=FROZEN, threads=3)
    batch.step(batch.random_actions(1))
    answers = context.Queue()
    child = context.Process(target=_play_in_child, args=(batch, answers))
    child.start()
    try:
        answer = answers.get(timeout=120)
        child.join(60)
        assert child.exitcode == 0
    finally:
        child.kill()
        child.join()
    batch.step(batch.random_actions(1))
    assert batch.states.tobytes() == answer
    batch.close()
    batch.step(batch.random_actions(1))  # a closed batch begins its threads again
    batch.close()


def self_play() -> SelfPlay:
    """Games in which both kinds of opponents sit, some moves old."""
    more: dict[str, Any] = dict(num_players=3, board=FROZEN, mixed=0.5, advice=True, max_turns=40)
    games = SelfPlay(6, [Recorded(Picky()), Scripted("greedy", 3)], [1, 2], **more)
    steps(games, 15)
    return games


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_self_play_goes_on_equally(how: str) -> None:
    games = self_play()
    asked = len(games.opponents[0].calls)  # type: ignore[union-attr]
    copied = COPIES[how](games)
    assert len(games.opponents[0].calls) == len(copied.opponents[0].calls) == asked  # type: ignore[union-attr]
    for _ in range(60):
        for name in ("observations", "masks", "advice", "rewards", "seeds", "learners", "dones", "cut_off"):
            assert getattr(games, name).tobytes() == getattr(copied, name).tobytes()
        assert (games.ended.win == copied.ended.win).all()
        actions = games.masks.argmax(axis=1)
        games.step(actions)
        copied.step(actions)


def test_pickled_self_play_is_checked() -> None:
    games = self_play()
    good = games.__getstate__()
    tables, states = good["games"]["tables"], good["games"]["states"]

    def other(array: np.ndarray, name: str, value: int) -> np.ndarray:
        again = array.copy()
        again[name] = value
        return again

    for changes in (
        (("opponents",), []), (("opponents",), [Scripted("greedy")]), (("shares",), [0, 0]),
        (("parameters", "reward"), "fame"), (("games", "states"), other(states, "players", 255)),
        (("games", "states"), other(states, "bank", 1)), (("games", "states"), states[::-1].copy()),
        (("games", "tables"), other(tables, "learner", 5)), (("games", "tables"), other(tables, "opponents", 2)),
        (("games", "tables"), other(tables, "opponents", -1)), (("games", "tables"), other(tables, "waiting", 0)),
        (("games", "tables"), other(tables, "seed", 77)),
    ):  # fmt: skip
        with pytest.raises(BohemianError):
            SelfPlay.__new__(SelfPlay).__setstate__(altered(good, changes))


@pytest.mark.parametrize("seat", [-1, 2, 30_000])
def test_the_learners_seat_is_checked_in_pickled_games_that_are_over(seat: int) -> None:
    """Nobody waits there, but the learner is shown the end."""
    games = SelfPlay(3, ["random"], max_turns=1, autoreset=False)
    while not games.over.all():
        games.step(games.masks.argmax(axis=1))
    good = games.__getstate__()
    tables = good["games"]["tables"].copy()
    tables["learner"][1] = seat
    with pytest.raises(BadSetup, match="learner: not seats from 0 to 1"):
        SelfPlay.__new__(SelfPlay).__setstate__(altered(good, (("games", "tables"), tables)))
    SelfPlay.__new__(SelfPlay).__setstate__(good)
