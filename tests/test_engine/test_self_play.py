"""One seat learns: its decisions, and nothing but its own rewards, each with its own last decision.

:class:`Table` says what one game of SelfPlay should do. It plays through the PettingZoo environment, which
test_aec.py compares with the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bohemian_env import BadSetup, Board, Game, IllegalMove, observation_parts
from bohemian_env.bohemian_villages_v0 import raw_env
from bohemian_env.engine.checks import MAX_SEED
from bohemian_env.engine.dealing import next_seed
from bohemian_env.villages.faces import SelfPlay
from bohemian_env.villages.opponents import Scripted
from tests.helpers import FROZEN
from tests.test_engine.learner_table import Picky, Recorded, Table, check, chooser, mixture, steps, waits_like

ACTIONS, OBSERVATION = 241, 686


def everything(games: SelfPlay) -> dict[str, Any]:
    """All that the games show, in a form that can be compared and that nobody changes later."""
    names = ("states", "observations", "masks", "rewards", "dones", "cut_off", "learners", "seeds")
    return {name: getattr(games, name).tobytes() for name in names}


# --- two games written out ---

HAND = Board.of_villages(
    [
        {"name": "Hand", "buildings": ["tailor", "farm", "inn", "manor"], "manor": 6},
        {"name": "Side", "buildings": ["mill", "farm", "church"]},
    ],
    figures=2,
    coin_supply=300,
    special_action_tiles=0,
)

TALES: dict[int, tuple[int, list[tuple[int, tuple[int, ...], str]], list[int], list[float]]] = {
    2: (
        235,
        [
            (0, (1, 5, 5, 5), "1+5:mill@Side"),  # the only mill: pays 2, and the figure comes back
            (0, (5, 5), "5+5:bishop"),
            (1, (1, 2, 5, 6), "2+6:farm@Side"),  # pays 1
            (1, (1, 5), "1+5:mill@Side"),  # pays 2, and comes back
            # turn 3: 5 5 5 5. Seat 0 has the bishop, so its turn passes
            (1, (1, 2, 2, 4), "1+4:tailor@Hand"),  # the last figure of seat 1
            (1, (2, 2), "2+2:bishop"),  # the last decision of seat 1
            (0, (1, 3, 6, 6), "6+6:manor@Hand"),  # pays 6; with 1 3 nothing is left but to stop
            # seat 1 has no figure in hand: the end (R4)
        ],
        [8 - 5, 3 - 5 + 1],  # coins, no town hall; a shop
        [0.08, -0.08],
    ),
    3: (
        3,
        [
            (0, (3, 4, 5, 5), "3+5:farm@Hand"),  # pays 1
            (0, (4, 5), "end"),
            (1, (1, 2, 3, 6), "3+6:inn@Hand"),
            (2, (2, 4, 4, 5), "4+4:farm@Side"),  # pays 1
            (0, (1, 3, 4, 5), "3+5:farm@Side"),  # kicks seat 2 out, pays 2; the last decision of seat 0
            (1, (1, 3, 5, 6), "5+6:church@Side"),  # the last decision of seat 1
            (2, (3, 5, 6, 6), "6+6:manor@Hand"),  # pays 6
            (2, (3, 5), "end"),
            # seat 0 has no figure in hand: the end (R4)
        ],
        [3 - 5, 0 - 5 + 10, 7 - 5],  # coins, no town hall; the most churches
        [-0.11, 0.1, 0.01],  # -2 - 3.5, 5 - 0, 2 - 1.5, in fifties
    ),
}
"""Players to: the seed, the decisions with the dice at hand, the totals, and the margin rewards."""


@pytest.mark.parametrize("players", TALES)
def test_each_learner_receives_its_own_reward_with_its_own_last_decision(players: int) -> None:
    """The same game three times (or twice), with the learner in each seat; whoever moves last, and whoever is next."""
    seed, story, totals, rewards = TALES[players]
    parameters: dict[str, Any] = {"villages": ["Hand", "Side"], "board": HAND}
    env = raw_env(players, reward="margin", **parameters)
    env.reset(seed=seed)
    game = Game.new(players, seed=seed, **parameters).roll()
    book: dict[bytes, int] = {}
    decisions: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in range(players)]
    for seat, dice, text in story:
        assert (game.to_move, game.dice) == (seat, dice)
        game = game.push(text)
        while game.needs_roll:
            game = game.roll()
        seen, action = env.observe(f"player_{seat}"), env.text_to_action(text)
        decisions[seat].append((seen["observation"], seen["action_mask"], action))
        book[seen["observation"].tobytes()] = action
        env.step(action)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "no figures"
    assert [row["total"] for row in outcome.scoring] == totals

    class Teller:
        """Plays the story, and after it the first legal action."""

        def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
            rows = zip(observations, masks, strict=True)
            return np.array([book.get(row.tobytes(), mask.argmax()) for row, mask in rows])

    games = SelfPlay(players, [Teller()], num_players=players, reward="margin", **parameters)
    games.reset([seed] * players)
    assert games.learners.tolist() == list(range(players))
    for step in range(max(map(len, decisions))):
        actions = games.masks.argmax(axis=1)
        for seat in range(players):
            if step < len(decisions[seat]):
                observation, mask, actions[seat] = decisions[seat][step]
                assert games.observations[seat].tobytes() == observation.tobytes()
                assert games.masks[seat].tobytes() == mask.tobytes()
        games.step(actions)
        for seat in range(players):
            if step < len(decisions[seat]):
                last = step == len(decisions[seat]) - 1
                assert games.dones[seat] == last
                assert games.rewards[seat] == pytest.approx(rewards[seat] if last else 0, abs=1e-7)
                if last:
                    final = env.observe(f"player_{seat}")["observation"]
                    assert games.final_observations[seat].tobytes() == final.tobytes()
                    assert games.ended.win[seat] == (totals[seat] == max(totals))
                    assert games.ended.margin[seat] == pytest.approx(50 * rewards[seat], abs=1e-5)
                    assert not games.cut_off[seat]
                    assert games.learners[seat] == (seat + 1) % players


# --- against the PettingZoo environment ---


@pytest.mark.parametrize(
    "opponent", [Scripted("random", 3), Scripted("greedy", 4), Picky()], ids=["random", "greedy", "policy"]
)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_games_are_those_of_the_environment(players: int, opponent: Any) -> None:
    """With scripted opponents that play as the agents of that name, or a policy; through several games in a row."""
    parameters: dict[str, Any] = {
        "board": FROZEN,
        "coin_supply": 7 * players - 5,
        "max_turns": 4 * players,
        "reward": "mixed",
    }
    n = 3 * players
    games = SelfPlay(n, [opponent], num_players=players, seed=500, **parameters)
    tables = [Table(500 + i, i % players, opponent, players, **parameters) for i in range(n)]
    choose, ends = chooser(players), Counter[tuple[int, bool]]()
    for i, table in enumerate(tables):
        assert waits_like(games, i, table)
    for _ in range(60):
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
            if table.done:
                ends[table.learner, table.cut_off] += 1
    assert set(ends) == {(seat, cut_off) for seat in range(players) for cut_off in (False, True)}


def test_games_in_which_the_learner_never_acts_are_dealt_again() -> None:
    """With one turn a game, only seat 0 ever acts: the others' games are gone through without a word."""
    opponent = Recorded(Picky())
    games = SelfPlay(6, [opponent], num_players=3, board=FROZEN, max_turns=1, reward="win", seed=40)
    seeds = [[40 + i] for i in range(6)]
    for row in seeds:
        for _ in range(20):
            row.append(int(next_seed(np.uint64(row[-1]))))
    skipped = [-i % 3 for i in range(6)]  # until the learner's seat is 0
    assert games.learners.tolist() == [0] * 6
    assert games.seeds.tolist() == [seeds[i][skipped[i]] for i in range(6)]
    assert len(opponent.calls) > 0
    tables = [Table(40 + i, i % 3, Picky(), 3, board=FROZEN, max_turns=1) for i in range(6)]
    choose, ends = chooser(), 0
    for _ in range(12):
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
        ends += int(games.dones.sum())
        assert (games.dones == games.cut_off).all()
        assert set(games.rewards[~games.dones].tolist()) <= {0}
        assert games.learners.tolist() == [0] * 6
    assert ends > 20


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_learners_seat_moves_on_with_every_game(players: int) -> None:
    n = 7
    games = SelfPlay(n, [Scripted("random")], num_players=players, max_turns=3 * players)
    seats = [i % players for i in range(n)]
    assert games.learners.tolist() == seats
    ends = 0
    for _ in range(60):
        games.step(games.masks.argmax(axis=1))
        seats = [(seat + done) % players for seat, done in zip(seats, games.dones.tolist(), strict=True)]
        assert games.learners.tolist() == seats
        parts = observation_parts(games.observations)
        assert parts["to_move"].tolist() == [[1, 0, 0, 0, 0]] * n  # the learner sees itself first
        ends += int(games.dones.sum())
    assert ends > 4 * n


# --- policies ---


@pytest.mark.parametrize("players", [2, 4])
def test_a_policy_gets_one_call_a_round_for_all_games_that_wait_for_it(players: int) -> None:
    """In a step, the first call has a row for every game in which it acts, the second for those in which it acts
    again, and so on. It sees what the seat that is to move sees."""
    opponent, n = Recorded(Picky()), 8
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 5 * players}
    games = SelfPlay(n, [opponent], num_players=players, seed=3, **parameters)
    tables = [Table(3 + i, i % players, Picky(), players, **parameters) for i in range(n)]
    choose, most = chooser(), 0
    for step in range(40):
        rounds = range(1, max(table.asked for table in tables) + 1)
        sizes = [sum(table.asked >= k for table in tables) for k in rounds]
        assert [len(masks) for _, masks in opponent.calls] == sizes
        for observations, masks in opponent.calls:
            assert (observations.shape, observations.dtype) == ((len(masks), OBSERVATION), np.int8)
            assert (masks.shape, masks.dtype) == ((len(masks), ACTIONS), np.int8)
            assert masks.any(axis=1).all()
            assert (observation_parts(observations)["to_move"] == [1, 0, 0, 0, 0]).all()
        most = max(most, len(sizes))
        opponent.calls.clear()
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
        assert step or opponent.calls
    assert most > players


def test_policies_are_called_for_their_own_games_only() -> None:
    """Beside scripted opponents, and never with nothing to answer."""
    one, two = Recorded(Picky(1)), Recorded(Picky(2))
    games = SelfPlay(12, [one, Scripted("random"), two], [1, 2, 1], max_turns=20, seed=2)
    choose, told = chooser(), Counter[int]()
    for _ in range(60):
        games.step(choose(games.masks))
        told.update(games.ended.opponent[games.dones].tolist())
    asked = {k: sum(len(masks) for _, masks in policy.calls) for k, policy in ((0, one), (2, two))}
    for k, policy in ((0, one), (2, two)):
        assert all(len(masks) for _, masks in policy.calls)
        assert 4 < asked[k] / told[k] < 30
    assert set(told) == {0, 1, 2}


def test_a_policy_can_be_replaced_while_games_go_on() -> None:
    """From the next decision on; here by one that plays otherwise."""
    parameters: dict[str, Any] = {"board": FROZEN, "max_turns": 30}
    games = SelfPlay(3, [Picky(0)], seed=70, **parameters)
    tables = [Table(70 + i, i % 2, Picky(0), 2, **parameters) for i in range(3)]
    choose, differed = chooser(), 0
    for step in range(30):
        if step == 5:
            games.opponents[0] = Picky(1)
            for table in tables:
                table.opponent = Picky(1)
        actions = choose(games.masks)
        games.step(actions)
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            check(games, i, table)
    other = [Table(70 + i, i % 2, Picky(0), 2, **parameters) for i in range(3)]
    differed = sum(not waits_like(games, i, table) for i, table in enumerate(other))
    assert differed == 3


@pytest.mark.parametrize("bad", [-1, ACTIONS, 10_000, None])
def test_an_illegal_action_of_a_policy_is_named(bad: int | None) -> None:
    """None stands for an action that exists, but is not legal. The policy is number 1."""

    class Cheat(Picky):
        """A policy that takes an illegal action in the last of its games."""

        cheats = False

        def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
            actions = super().act(observations, masks)
            if self.cheats:
                actions[-1] = masks[-1].argmin() if bad is None else bad
            return actions

    cheat = Cheat()
    games = SelfPlay(3, [Scripted("random"), cheat], [0, 1], num_players=2, seed=1)
    cheat.cheats = True
    with pytest.raises(IllegalMove, match=r"game \d: opponent 1 \(Cheat\) may not take it"):
        steps(games, 9)
    cheat.cheats = False
    games.reset(1)
    assert games.masks.any(axis=1).all()


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: np.append(actions, 0),
        lambda actions: actions[:-1],
        lambda actions: actions[:, None],
        lambda actions: actions + 0.9,
        lambda actions: actions[0],
        lambda actions: None,
    ],
    ids=["longer", "shorter", "a column", "fractions", "one number", "nothing"],
)
def test_a_policy_answers_with_as_many_whole_numbers(answer: Callable[[np.ndarray], Any]) -> None:
    class Careless(Picky):
        """A policy whose answer has another shape or type."""

        def act(self, observations: np.ndarray, masks: np.ndarray, advice: Any = None) -> np.ndarray:
            return answer(super().act(observations, masks))

    with pytest.raises(ValueError, match=r"opponent 0.*whole numbers"):
        steps(SelfPlay(8, [Careless()]), 9)


# --- nothing but the games ---


def test_a_game_is_the_same_among_any_number() -> None:
    """And begins anew by reset as it began."""
    opponents = mixture()
    parameters: dict[str, Any] = {"num_players": 3, "board": FROZEN, "max_turns": 15, "reward": "margin"}
    many, few = SelfPlay(8, opponents, seed=60, **parameters), SelfPlay(3, opponents, seed=60, **parameters)
    alone = SelfPlay(1, opponents, **parameters)
    names = ("observations", "masks", "rewards", "dones", "cut_off", "learners", "seeds", "states")
    for _ in range(2):
        choose = chooser()
        alone.reset(60)
        ends = 0
        for _ in range(40):
            for name in names:
                rows = getattr(many, name)
                assert rows[:3].tobytes() == getattr(few, name).tobytes()
                assert rows[:1].tobytes() == getattr(alone, name).tobytes()
            for name in ("opponent", "win", "margin"):
                rows = getattr(many.ended, name)
                assert rows[:3][few.dones].tobytes() == getattr(few.ended, name)[few.dones].tobytes()
            done = many.dones
            assert many.final_observations[:3][few.dones].tobytes() == few.final_observations[few.dones].tobytes()
            ends += int(done.sum())
            actions = choose(many.masks)
            for games in (many, few, alone):
                games.step(actions[: games.n])
        assert ends > 20
        for games in (many, few):
            games.reset(60)


def test_seeds_one_by_one() -> None:
    games = SelfPlay(3, [Picky()], num_players=2)
    assert games.seeds.tolist() == [0, 1, 2]
    games.reset([5, MAX_SEED, 5])
    assert games.seeds.tolist() == [5, MAX_SEED, 5]
    assert games.observations[0].tobytes() == games.observations[2].tobytes()
    assert SelfPlay(1, [Picky()], seed=44).seeds.tolist() == [44]


@pytest.mark.parametrize("seed", [-1, MAX_SEED, 2**64, 1.5, "7", True, [1], [1, 2, 3]])
def test_bad_seeds_are_refused(seed: Any) -> None:
    games = SelfPlay(2, [Picky()])
    games.step(games.masks.argmax(axis=1))
    before = everything(games)
    with pytest.raises(BadSetup, match="seed"):
        games.reset(seed)
    assert everything(games) == before


@pytest.mark.parametrize("reward", ["win", "margin", "mixed"])
def test_the_reward_is_the_one_asked_for(reward: str) -> None:
    games = SelfPlay(6, [Scripted("random")], num_players=3, max_turns=9, reward=reward)
    ends = 0
    for _ in range(40):
        games.step(games.masks.argmax(axis=1))
        for i in np.flatnonzero(games.dones):
            margin = max(-1, min(1, games.ended.margin[i] / 50))
            share = games.ended.win[i]
            if share in (0, 1):  # nobody shares the win with the learner; the losers may be one or two
                win: list[float] = [1] if share else [-1, -0.5]
                likely = {"win": win, "margin": [margin], "mixed": [(w + margin) / 2 for w in win]}[reward]
                assert any(games.rewards[i] == pytest.approx(value, abs=1e-6) for value in likely)
                ends += 1
    assert ends > 10


@pytest.mark.parametrize("bad", [-1, ACTIONS, 2**62, None])
def test_an_illegal_action_of_the_learner_changes_nothing(bad: int | None) -> None:
    """None stands for an action that exists, but is not legal in game 2."""
    games = SelfPlay(4, mixture(), num_players=3)
    choose = chooser()
    for _ in range(7):
        games.step(choose(games.masks))
    before = everything(games)
    actions = choose(games.masks)
    actions[2] = games.masks[2].argmin() if bad is None else bad
    actions[3] = -1
    with pytest.raises(IllegalMove, match=f"action {actions[2]}.*game 2: the learner may not take it"):
        games.step(actions)
    assert everything(games) == before
    games.step(choose(games.masks))


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], 0, [[0, 0]], [0.0, 0.0], [True, False], ["0", "0"], []])
def test_actions_are_as_many_whole_numbers(actions: Any) -> None:
    games = SelfPlay(2, [Picky()])
    before = everything(games)
    with pytest.raises(ValueError, match="are not 2 whole numbers"):
        games.step(actions)
    assert everything(games) == before


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"n": 0}, "n 0 is not"),
        ({"n": 1.5}, "n 1.5 is not"),
        ({"n": True}, "n True is not"),
        ({"opponents": []}, "no opponents"),
        ({"num_players": 6}, "6 players"),
        ({"reward": "points"}, "unknown reward"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        SelfPlay(**{"n": 2, "opponents": [Picky()], **parameters})


def test_an_unknown_scripted_opponent_is_refused() -> None:
    with pytest.raises(ValueError, match="known are random, greedy"):
        Scripted("clever")
