"""The conformance of a game: ``python -m bohemian_env.check villages``.

Whatever a game hands over, its faces must hold what all faces promise: the tests of PettingZoo and Gymnasium, the same
game by the same seed everywhere, texts, records and positions there and back, copies with the same future, refusals of
what is illegal or odd. Each check plays games of the game's own with fixed seeds, so that a run is like any other.
"""

import argparse
import contextlib
import copy
import hashlib
import io
import itertools
import json
import math
import pickle
import random
import time
import traceback
import warnings
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from .engine import afterstates, batch, self_play, single, vector
from .engine.contract import GROWTH, Rules
from .engine.errors import BadPosition, BadSetup, BohemianError, IllegalMove, NoRecord
from .engine.legal import legal_actions
from .games import faces_of, known_games, rules_of


class Kit:
    """A game with its faces, as the checks use them."""

    def __init__(self, name: str) -> None:
        self.rules: Rules = rules_of(name)
        faces = vars(faces_of(name)).values()
        classes = [one for one in faces if isinstance(one, type)]

        def face(base: type) -> Any:
            return next(one for one in classes if issubclass(one, base) and one is not base)

        self.batch, self.self_play = face(batch.Batch), face(self_play.SelfPlay)
        self.single, self.vector = face(single.SingleEnv), face(vector.ManyEnv)
        self.raw_env, self.env = faces_of(name).raw_env, faces_of(name).env
        self.game: Any = self.rules.game

    def games(self, count: int = 4, moments: int = 6) -> Iterator[Any]:
        """Yield games at several moments, of all numbers of players, with random moves; decisions and ends alone."""
        for seed in range(1, count + 1):
            players = self.rules.players[seed % len(self.rules.players)]
            played = [self.game.new(players, seed=seed).dealt()]
            while not played[-1].over and len(played) <= 400:
                played.append(self.next(played[-1], len(played) - 1))
            step = max(1, len(played) // moments)
            yield from (*played[::step], played[-1])

    @staticmethod
    def next(game: Any, salt: int = 0) -> Any:
        """Return a game after a random move, at its next decision or end."""
        return game.push(random.Random(salt).choice(game.legal_actions)).dealt()

    def at_chance(self) -> Iterator[Any]:
        """Yield games in which chance is due."""
        for seed in range(5, 11):
            game = self.game.new(self.rules.players[seed % len(self.rules.players)], seed=seed)
            for length in range(30):
                if game.needs_chance and length % 3 == 0:
                    yield game
                if game.over:
                    break
                game = game.deal() if game.needs_chance else game.push(random.Random(length).choice(game.legal_actions))


def _same(told: str, one: Any, other: Any) -> None:
    equal = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
    if not equal:
        raise AssertionError(f"{told}: {str(one)[:300]} is not {str(other)[:300]}")


def _refused(told: str, call: Callable[..., object], *given: Any, kinds: Any = BohemianError, **named: Any) -> None:
    try:
        call(*given, **named)
    except kinds:
        return
    raise AssertionError(f"{told} was taken")


# --- the checks: each returns what it saw ---------------------------------------------------------------------------


def what_is_handed_over(kit: Kit) -> str:
    """Every verb is there, and sizes, names and declared parts fit each other."""
    rules, verbs = kit.rules, kit.rules.verbs
    _same("what is missing", rules.missing(), [])
    fields = {"players": "u1", "to_move": "i1", "turn": "i4", "pending": "u1", "end": "u1"}
    for name, kind in fields.items():
        _same(f"the dtype of {name}", rules.state[name], np.dtype(kind))
    words = -(-verbs.NUM_ACTIONS // 64)
    _same("the dtype of legal", rules.state["legal"], np.dtype((np.uint64, (words,))))
    _same("the columns", len(rules.scoring), verbs.COLUMNS)
    _same("the most players", rules.players[-1], verbs.MAX_PLAYERS)
    _same("the first opponent", next(iter(rules.opponents)), "random")
    _same("the first end", rules.ends[0], None)
    setup = rules.setup()
    _same("a set-up that was pickled", pickle.loads(pickle.dumps(setup)), setup)
    _same("its hash", hash(rules.setup()), hash(setup))
    return f"{verbs.NUM_ACTIONS} actions, {rules.sizes[0]} entries of an observation, {rules.state.itemsize} bytes"


def tests_of_the_libraries(kit: Kit) -> str:
    """PettingZoo's and Gymnasium's own tests pass."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # they warn of what is allowed: of dictionaries, and of int8
        for players in kit.rules.players:
            api_test(kit.env(players), num_cycles=60)
            api_test(kit.raw_env(players), num_cycles=20)
        seed_test(lambda: kit.env(), num_cycles=40)
        for flat in (False, True):
            check_env(kit.single(flat=flat, illegal="random"), skip_render_check=True)
    many = kit.vector(3)
    seen, _ = many.reset(seed=1)
    assert many.observation_space.contains(seen), "what many games show is not in their space"
    return f"{len(kit.rules.players)} numbers of players"


def seeds(kit: Kit) -> str:
    """The same seed is the same game through every face, another seed another game."""
    rules = kit.rules
    players = rules.players[-1]
    games = kit.batch(64, players, autoreset=False)
    firsts = games.states.copy()
    played = [hashlib.sha256(states.tobytes()) for states in np.split(games.states, 64)]
    while not games.over.all():  # always the lowest action: nothing but chance makes games differ
        games.step(games.masks.argmax(axis=1))
        for one, states in zip(played, np.split(games.states, 64), strict=True):
            one.update(states.tobytes())
    kinds = {one.digest() for one in played}
    assert len(kinds) > 48 or not rules.most_outcomes, f"only {len(kinds)} of 64 games of a batch differ"
    env = kit.raw_env(players)
    for seed in (0, 7, 2**62):
        env.reset(seed=seed)
        games = kit.batch(2, players)
        games.reset([seed, seed])
        _same(f"the game of seed {seed}", games.states[0].tobytes(), games.states[1].tobytes())
        _same(f"the environment of seed {seed}", env.states[0].tobytes(), games.states[0].tobytes())
        game = kit.game.new(players, seed=seed).dealt()
        _same(f"the Game of seed {seed}", game.states[0].tobytes(), env.states[0].tobytes())
    _same("game 7", firsts[7].tobytes(), kit.game.new(players, seed=7).dealt().states[0].tobytes())
    return f"{len(kinds)} of 64 games differ"


def texts(kit: Kit) -> str:
    """Every legal action has a text of its own, and the text means the action."""
    count = 0
    for game in kit.games():
        moves, actions = game.legal_moves, game.legal_actions
        _same("different texts", len({*moves}), len(actions))
        for move, action in zip(moves, actions, strict=True):
            _same(f"the action of {move!r}", game.text_to_action(move), action)
            count += 1
        if not game.over:
            _same("the move by text", game.push(moves[-1]), game.push(actions[-1]))
            _refused("the text 'xyzzy'", game.push, "xyzzy")
    return f"{count:,} texts"


def records_and_positions(kit: Kit) -> str:
    """What is written is read again as the same game, also through JSON, and goes on in the same way."""
    count = 0
    for game in kit.games():
        record, position = game.record(), game.position()
        again = kit.game.from_record(json.loads(json.dumps(record)))
        _same("the record", again.record(), record)
        _same("the game of its record", again, game)
        found = kit.game.from_position(json.loads(json.dumps(position)))
        _same("the position", found.position(), position)
        _same("the game of its position", found, game)
        _same("the hash", hash(found), hash(game))
        _same("the legal moves", found.legal_moves, game.legal_moves)
        if not game.over:
            one, other = (before.push(game.legal_actions[0]) for before in (game, found))
            while one.needs_chance:
                outcome = one.chance_outcomes()[0][0]
                one, other = one.deal(outcome), other.deal(outcome)
            _same("the game after a move", one, other)
        for name in position:
            rest = {key: value for key, value in position.items() if key != name}
            _refused(f"a position without {name}", kit.game.from_position, rest)
        count += 1
    return f"{count} games"


def begun_at_positions(kit: Kit) -> str:
    """An environment begins at any position in which somebody decides, and goes on from there as a game does."""
    count = 0
    for game in kit.games():
        if game.over:
            continue
        env, learner = kit.raw_env(game.players), kit.single(num_players=game.players)
        env.reset(seed=1, options={"position": game.position()})
        learner.reset(seed=1, options={"position": game.position()})
        for told, one in (("the environment", env), ("the learner's environment", learner)):
            _same(f"the game of {told}", one.game(), game)
            _same(f"the position of {told}", one.state_dict(), game.position())
            _refused(f"a record of {told}", one.record, kinds=NoRecord)
            other = copy.deepcopy(one)
            _same(f"the game of a copy of {told}", other.game(), game)
        action = game.legal_actions[-1]
        env.step(action), learner.step(action)
        for told, states in (("the environment", env.states), ("the learner's environment", learner.games.states)):
            after = kit.game.from_position(game.position(), seed=1).push(action).dealt()
            if told == "the environment" or game.players == 1:  # else opponents have moved, too
                _same(f"{told} after a move", kit.rules.same(states, after._pieces), after._key())
        learner.reset(seed=2)
        _same("a record after another reset", "format" in learner.record(), True)
        _refused("no position", env.reset, seed=1, options={"position": {}})
        count += 1
    return f"{count} positions"


def copies(kit: Kit) -> str:
    """Copies, pickles and kept states have the same future, and do not change with what they were made from."""
    players = kit.rules.players[-1]
    env, games = kit.raw_env(players), kit.batch(5, players)
    learner, many = kit.single(num_players=players), kit.vector(3, num_players=players)
    env.reset(seed=3), learner.reset(seed=3), many.reset(seed=3)

    def step(one: Any) -> Any:
        if isinstance(one, batch.Batch):
            one.step(one.random_actions(1))
            return one.states.tobytes(), one.rewards.tobytes()
        if isinstance(one, single.SingleEnv):
            seen = one.step(int(one.action_masks().argmax()))
            return one.games.states.tobytes(), seen[1:4]
        if isinstance(one, vector.ManyEnv):
            _, rewards, *_ = one.step(one.games.masks.argmax(axis=1))
            return one.games.states.tobytes(), rewards.tobytes()
        one.step(one.legal_actions()[-1])
        return one.states.tobytes(), dict(one.rewards), one.agent_selection

    for one in (env, games, learner, many):
        step(one)
        others = [copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
        kept = one.get_state()
        futures = [[step(one) for _ in range(3)] for one in (one, *others)]
        for future in futures[1:]:
            _same(f"the future of a copy of {type(one).__name__}", future, futures[0])
        others[0].set_state(*kept) if isinstance(one, batch.Batch) else others[0].set_state(kept)
        _same(f"the future of a kept state of {type(one).__name__}", [step(others[0]) for _ in range(3)], futures[0])
    for game in kit.games(2):
        _same("a pickled game", pickle.loads(pickle.dumps(game)), game)
    return "four faces and Game"


def illegal_actions(kit: Kit) -> str:
    """They are refused in every face, with nothing changed."""
    players, last = kit.rules.players[-1], kit.rules.verbs.NUM_ACTIONS
    env, games, learner = kit.raw_env(players), kit.batch(3, players), kit.single(num_players=players)
    env.reset(seed=1), learner.reset(seed=1)
    bad = [-1, last, 2**40, *map(int, np.flatnonzero(games.masks[0] == 0)[:1])]
    for action in bad:
        before = [one.states.tobytes() for one in (env, games, learner.games)]
        rows = games.masks.argmax(axis=1)
        rows[0] = action
        for told, call, given in (
            ("the environment", env.step, action),
            ("a batch", games.step, rows),
            ("a learner", learner.step, action),
            ("a game", env.game().push, action),
        ):
            _refused(f"action {action} of {told}", call, given, kinds=IllegalMove)
        _same("what was not changed", [one.states.tobytes() for one in (env, games, learner.games)], before)
    for odd in (1.5, "x", None, [0]):
        _refused(f"action {odd!r}", env.game().push, odd)
    return f"{len(bad)} numbers in four faces"


def every_field(kit: Kit) -> str:
    """A position from outside with one byte changed is refused, or is another position."""
    rules, refused, other = kit.rules, 0, 0
    for game in itertools.islice(kit.games(3, 3), 9):
        same = rules.same(game.states, game._pieces)
        for name, field in (rules.state.fields or {}).items():
            size, at = field[0].itemsize, int(field[1])
            for place in sorted({0, size // 2, size - 1}):
                content = bytearray(game.states.tobytes())
                content[at + place] ^= 1
                states = np.frombuffer(content, rules.state)
                try:
                    found = rules.checked_states(states)
                except BadPosition:
                    refused += 1
                    continue
                if rules.same(found, game._pieces) == same and name not in rules.not_seen:
                    raise AssertionError(f"{name}, byte {place}: a change is neither refused nor noticed")
                other += 1
    return f"{refused} changes refused, {other} other positions"


def chance(kit: Kit) -> str:
    """Outcomes are as frequent over seeds as they are likely, one after the other: every order of what is hidden."""
    rules, count, tests, worst = kit.rules, 150, 0, 0.0
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (8, rules.most_outcomes))  # eight ways to part them in two
    for game in itertools.islice(kit.at_chance(), 12):
        _same("the sum of the likelihoods", math.isclose(sum(part for _, part in game.chance_outcomes()), 1), True)
        before, sums, variance = game.states.tobytes(), np.zeros(8), np.zeros(8)
        for seed in range(count):
            states, word = np.array(game.states), np.uint64(seed * 977 + 5)
            s = states[0]
            for _ in range(3):  # the next three of chance, with the lowest action at every decision between them
                while s["end"] == 0 and s["pending"] == 0:
                    rules.verbs.push(s, legal_actions(s)[0])
                if s["end"]:
                    break
                drawn, ways = int(rules.verbs.draw(s, word)), rules.verbs.outcomes(s)
                means = signs[:, :ways] @ [float(rules.verbs.likelihood(s, k)) for k in range(ways)]
                sums += signs[:, drawn] - means
                variance += 1 - means**2
                rules.verbs.deal(s, drawn)
        _same("what was drawn from", game.states.tobytes(), before)
        tested = variance > 1
        tests += int(tested.sum())
        worst = max(worst, float(np.abs(sums[tested] / np.sqrt(variance[tested])).max(initial=0)))
    assert worst < 5, f"outcomes are {worst:.1f} standard deviations from what is likely"
    return f"{tests} sums over {count} seeds, the farthest {worst:.1f} standard deviations away"


def faces_agree(kit: Kit) -> str:
    """PettingZoo's face, a batch and Game show and pay the same, step by step; opponents play legally to the end."""
    steps = 0
    for players, reward in itertools.product((kit.rules.players[0], kit.rules.players[-1]), kit.rules.rewards):
        if players == 1 and kit.rules.rewards[reward].kind < GROWTH:
            continue  # a reward of rivals
        env, games = kit.raw_env(players, reward=reward), kit.batch(1, players, reward=reward, autoreset=False)
        env.reset(seed=11), games.reset(11)
        game, paid, returns = kit.game.new(players, seed=11).dealt(), np.zeros(players), np.zeros(players)
        while not games.over[0]:
            seen = env.observe(env.agent_selection)
            _same("the observation", seen["observation"], games.observations[0])
            assert env.observation_space(env.agent_selection).contains(seen), "an observation is not in its space"
            _same("the mask", seen["action_mask"], games.masks[0])
            _same("the legal actions", tuple(np.flatnonzero(games.masks[0])), game.legal_actions)
            action = game.legal_actions[steps % len(game.legal_actions)]
            env.step(action), games.step([action])
            game, steps = game.push(action).dealt(), steps + 1
            paid += games.rewards[0]
            returns += list(env.rewards.values())
            _same("the rewards", list(env.rewards.values()), [float(one) for one in games.rewards[0]])
            _same("the position", game.states.tobytes(), games.states.tobytes())
        _same("over", (game.over, any(env.terminations.values()) or any(env.truncations.values())), (True, True))
        _same("the record", env.record(), games.record(0))
        _same("the record of Game", game.record(), env.record())
    for opponent in kit.rules.opponents:
        learner = kit.single([opponent], num_players=kit.rules.players[-1])
        learner.reset(seed=2)
        over = False
        while not over:
            *_, over, cut, _ = learner.step(int(learner.action_masks().argmax()))
            over = over or cut
        _same("the record of a learner's game", kit.game.from_record(learner.record()).record(), learner.record())
    return f"{steps:,} steps, {len(kit.rules.opponents)} opponents"


def after_states(kit: Kit) -> str:
    """They are what carrying out an action leads to before chance speaks."""
    count = 0
    for game in itertools.islice((game for game in kit.games() if not game.over), 8):
        found = afterstates.afterstates(game)
        _same("the actions", tuple(found.actions), game.legal_actions)
        for k in range(0, len(found.actions), max(1, len(found.actions) // 5)):
            after = game.push(int(found.actions[k]))
            _same("pending", int(found.pending[k]), int(after.states[0]["pending"]))
            _same("over", bool(found.ended[k]), after.over)
            count += 1
    return f"{count} after-states"


def drawings(kit: Kit) -> str:
    """Text and SVG are drawn in every position, and are the same for the same position."""
    count = 0
    for game in itertools.islice(kit.games(), 12):
        position, outcome = game.position(), game.outcome()
        text, svg = kit.rules.draw_text(position, outcome=outcome), kit.rules.draw_svg(position, outcome=outcome)
        xml.etree.ElementTree.fromstring(svg)
        found = kit.game.from_position(position)
        _same("the text", kit.rules.draw_text(found.position(), outcome=outcome), text)
        _same("the SVG", kit.rules.draw_svg(found.position(), outcome=outcome), svg)
        count += 1
    return f"{count} positions"


def odd_values(kit: Kit) -> str:
    """Odd parameters are refused by an error that says so."""
    most = kit.rules.players[-1]
    calls: dict[str, tuple[Callable[[Any], object], tuple[Any, ...]]] = {  # and the odd values that are good ones
        "players": (kit.game.new, ()),
        "seed of Game": (lambda value: kit.game.new(seed=value), (None, 10**6)),
        "reward": (lambda value: kit.batch(1, reward=value), (None,)),
        "n": (kit.batch, (10**6,)),
        "seed of Batch": (lambda value: kit.batch(1).reset(value), (10**6,)),
        "opponents": (lambda value: kit.self_play(1, value, num_players=most), ([],) * (most == 1)),
        "render_mode": (lambda value: kit.raw_env(render_mode=value), (None,)),
        "position": (kit.game.from_position, ()),
        "record": (kit.game.from_record, ()),
        "state": (lambda value: kit.raw_env().set_state(value), ()),
    }
    odd: tuple[Any, ...] = (None, -1, 10**6, 1.5, "x", [], {}, np.nan, 2**70, b"x", object())
    tried = [(name, value) for name, (_, good) in calls.items() for value in odd if value not in good]
    for name, value in tried:
        _refused(f"{name}={value!r}", calls[name][0], value, kinds=(BohemianError, TypeError))
    _refused("a parameter that there is not", kit.single, nonsense=1, kinds=TypeError)
    _refused("a game that there is not", rules_of, "nonsense", kinds=BadSetup)
    return f"{len(tried)} values"


CHECKS: Final[tuple[Callable[[Kit], str], ...]] = (
    *(what_is_handed_over, tests_of_the_libraries, seeds, texts, records_and_positions, begun_at_positions, copies),
    *(illegal_actions, every_field, chance, faces_agree, after_states, drawings, odd_values),
)
"""All checks, in the order in which they are made."""


def main(arguments: list[str] | None = None) -> int:
    """Check a game, print a line for each check, and return 0 if all passed."""
    parser = argparse.ArgumentParser(prog="python -m bohemian_env.check", description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=known_games(), help="the game")
    try:
        kit, failed = Kit(parser.parse_args(arguments).game), 0
    except BadSetup as error:
        parser.error(str(error))
    for check in CHECKS:
        begun = time.perf_counter()
        told = (check.__doc__ or "").partition("\n")[0]
        try:
            seen, passed = check(kit), "ok    "
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            seen, passed = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})", "FAILED"
            failed += 1
        print(f"{passed} {check.__name__.replace('_', ' ')}: {told}")
        print(f"       {seen}; {time.perf_counter() - begun:.1f} s")
    passed = f"{len(CHECKS) - failed} of {len(CHECKS)} checks passed"
    print(f"{kit.rules.env_name}: {passed} (Gymnasium {gymnasium.__version__})")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
