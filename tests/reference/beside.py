"""Random games by the compiled rules of a game and by its plain ones, move for move.

What chance can bring, legal moves, positions, scorings and records must be the same at every decision: in the game as
it is, in variants made at random, where rare rulings are common, and from positions that are rich in everything.
"""

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from bohemian_env import Board
from bohemian_env.dorfromantik.tiles import IDS, LANDSCAPE
from bohemian_env.dorfromantik.tiles import KINDS as TYPES
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.legal import legal_actions
from bohemian_env.games import rules_of
from bohemian_env.villages.facts import KINDS
from bohemian_env.villages.state import MAX_VILLAGES

from . import agricola, dorfromantik
from .rules import ReferenceGame

__all__ = ["PLAIN", "Differs", "Plain", "every_way", "play", "setup_of", "ways_of"]

OFTEN: Final = 0.1
"""The part of the moments in which the scoring is compared, too, and how likely is what chance can bring."""


class Differs(AssertionError):
    """The two implementations differ; the message says in what."""


class Plain(NamedTuple):
    """The plain rules of a game: a class of games that are changed in place, and how all of them are asked alike."""

    begin: Callable[[Any], Any]
    """Returns the game of a ``Start``."""
    chances: Callable[[Any], Mapping[Any, Any]]
    """Returns what chance can bring now, with its probability; nothing where no chance is due."""
    deal: Callable[[Any, Any], object]
    """Lets chance bring something."""
    legal: Callable[[Any], list[str]]
    """Returns the texts of the legal moves."""
    push: Callable[[Any, str], object]
    """Makes a move."""
    scores: Callable[[Any], list[dict[str, int]]]
    """Returns the scoring of all seats, as it stands."""
    rich: Callable[[random.Random, int], tuple[dict[str, Any], dict[str, Any], Any]] | None = None
    """Draws a position of so many players that is rich in everything, with the options of ``from_position`` for it, and
    returns it as JSON and as a game."""


# --- villages ---


def _villages(start: Any) -> ReferenceGame:
    setup = start.setup
    return ReferenceGame(
        [village.to_json() for village in start.villages],
        players=setup.players,
        figures=setup.board.setups[setup.players].figures,
        special_action_tiles=setup.special_action_tiles,
        coin_supply=setup.coin_supply,
        max_turns=setup.max_turns,
        names=list(start.names),
        seed=start.seed,
    )


@functools.cache
def _rolls(dice: int) -> dict[tuple[int, ...], float]:
    """Return the rolls of so many dice, ascending, with their probabilities."""
    rolls = Counter(tuple(sorted(roll)) for roll in itertools.product(range(1, 7), repeat=dice)) if dice else {}
    return {roll: count / 6**dice for roll, count in rolls.items()}


def _board(rng: random.Random, players: int, villages: int, figures: int, most: int = 7) -> dict[str, Any]:
    entries: list[dict[str, Any]] = []
    for number in range(villages):
        kinds = sorted(rng.sample(KINDS, rng.randint(1, most)), key=KINDS.index)
        printed = {k: rng.randint(0, 9) for k in ("town_hall", "manor") if k in kinds}
        entries.append({"name": f"Village {number}", "buildings": kinds} | printed)
    board = Board.of_villages(entries, figures, 1, 0)
    return {
        "villages": [entry["name"] for entry in entries], "board": board,
        "special_action_tiles": rng.choice([0, 1, 2, 7]),
    }  # fmt: skip


def _little(rng: random.Random, players: int) -> dict[str, Any]:
    """One to four villages of a few buildings, and parameters that make rare rulings common."""
    supply, turns = rng.choice([1, 3, 10, 30, 300]), rng.choice([1, 2, 7, 60, 60, 60])
    board = _board(rng, players, rng.randint(1, 4), rng.randint(1, 5))
    return board | {"coin_supply": supply, "max_turns": turns}


def _generated(rng: random.Random, players: int) -> dict[str, Any]:
    """Up to nine villages of any buildings and, mostly, a bank that soon runs dry."""
    villages, supply = rng.randint(1, MAX_VILLAGES), rng.choice([1, 2, 3, 5, 8, 13, 21, 34, 55, 9_999])
    board = _board(rng, players, villages, rng.randint(1, 16), 7 if villages < 5 else len(KINDS))
    return board | {"coin_supply": supply, "max_turns": rng.choice([40, 80, 160])}


# --- the others ---


def _variant(rng: random.Random, players: int) -> dict[str, Any]:
    """Some of the tiles, little markers, many open tasks, or a window in which tiles leave."""
    tasks, landscape = (
        rng.sample(tiles, rng.choice([0, 8, len(tiles)])) for tiles in (IDS[LANDSCAPE:], IDS[:LANDSCAPE])
    )
    most = rng.choice([2, 3, 4, 7, 73])
    return {
        "landscape": landscape, "tasks": tasks if tasks or landscape else IDS[-2:],
        "markers": {kind: sorted(rng.randint(1, most) for _ in range(5)) for kind in TYPES},
        "open_tasks": rng.choice([1, 3, 6, 25]), "window": rng.choice([1, 3, 5, 23, 23]),
        "left_in_box": rng.choice([0, min(3, len(landscape))]),
    }  # fmt: skip


def _dorfromantik(start: Any) -> dorfromantik.PlainGame:
    return dorfromantik.PlainGame(start.setup.players, **start.setup.options)


def _tile(plain: dorfromantik.PlainGame, outcome: Any) -> None:
    plain.mark(outcome) if plain.due == "marker" else plain.reveal(outcome)


def _cards(plain: agricola.PlainGame) -> dict[str, float]:
    cards = plain.possible_cards()
    return {card: 1 / len(cards) for card in cards}


def _rich(rng: random.Random, players: int) -> tuple[dict[str, Any], dict[str, Any], agricola.PlainGame]:
    from tests.test_agricola.rich import rich

    storehouse = _storehouse(rng, players)
    told = rich(rng, players, None, **{"storehouse": True} if storehouse else {})
    return told, storehouse, agricola.PlainGame.from_position(told, **storehouse)


def _storehouse(rng: random.Random, players: int) -> dict[str, Any]:
    return {"storehouse_solo": True} if players == 1 and rng.random() < 0.5 else {}


PLAIN: Final = {
    "villages": Plain(
        _villages, lambda plain: _rolls(plain.needs), ReferenceGame.roll, ReferenceGame.legal_moves, ReferenceGame.push,
        ReferenceGame.scoring,
    ),
    "dorfromantik": Plain(
        _dorfromantik, dorfromantik.PlainGame.unseen, _tile,
        lambda plain: [plain.text(*move) for move in plain.legal()],
        lambda plain, text: plain.place(*plain.parse(text)), lambda plain: [plain.score()] * plain.players,
    ),
    "agricola": Plain(
        lambda start: agricola.PlainGame(start.setup.players, start.setup.storehouse_solo),
        _cards, agricola.PlainGame.reveal, agricola.PlainGame.legal_texts, agricola.PlainGame.play,
        agricola.PlainGame.scores, _rich,
    ),
}  # fmt: skip
"""The plain rules that there are, by the name of the game."""

WAYS: Final[dict[str, dict[str, Callable[[random.Random, int], dict[str, Any]]]]] = {
    "villages": {
        "ordinary": lambda rng, players: {}, "little boards": _little, "generated boards and tiny banks": _generated,
    },
    "dorfromantik": {"ordinary": lambda rng, players: {}, "variants": _variant},
    "agricola": {"ordinary": _storehouse},
}  # fmt: skip
"""Ways to set up games, by the name of the game: each draws the options of a set-up for so many players."""


def every_way() -> list[tuple[str, str]]:
    """Return all games that have plain rules, each with every way in which :func:`play` begins it."""
    return [(game, way) for game in PLAIN for way in (*WAYS[game], *["rich"] * bool(PLAIN[game].rich))]


def ways_of(game: str) -> dict[str, Callable[[random.Random, int], dict[str, Any]]]:
    """Return the ways to set up games of any game: for one that has none here, the ordinary one."""
    return WAYS.get(game, {"ordinary": lambda rng, players: {}})


def setup_of(game: str, rng: random.Random, way: str = "", players: int = 0) -> Any:
    """Return a set-up; a way and a number of players that are not told are drawn."""
    rules = rules_of(game)
    players = players or rng.choice(rules.players)
    return rules.setup(players, **ways_of(game)[way or rng.choice([*ways_of(game)])](rng, players))


# --- games by both ---


def _same(what: str, compiled: object, plain: object) -> None:
    if compiled != plain:
        raise Differs(f"{what}: compiled {compiled!r}, plain {plain!r}")


def _begun(rules: Rules, plain: Plain, rng: random.Random, way: str, players: int) -> tuple[Any, Any]:
    """Return a game by both rules, at its beginning or, for the way "rich", at a rich position."""
    if way != "rich":
        start = setup_of(rules.name, rng, way, players).start()
        return rules.game.begin(start), plain.begin(start)
    assert plain.rich
    told, options, theirs = plain.rich(rng, players)
    states, pieces = rules.read_position(told, **options)
    return rules.game.at(states, pieces), theirs


def play(game: str, way: str, players: int, rng: random.Random, scripted: bool = True) -> int:
    """Play a random game by both rules and compare everything; return the number of moves made. Raises Differs.

    way: one of :func:`ways_of`, or "rich". scripted: whether scripted opponents play some of the games.
    """
    rules, plain = rules_of(game), PLAIN[game]
    ours, theirs = _begun(rules, plain, rng, way, players)
    pieces, choose, moves = ours._pieces, _chooser(rules, rng, scripted), 0
    while not ours.over:
        s, chances, often = ours.states[0], plain.chances(theirs), rng.random() < OFTEN
        _same("whether chance is due", bool(s["pending"]), bool(chances))
        if often:
            _same("scoring", rules.scoring_of(s), plain.scores(theirs))
        if chances:
            if often:
                _same("what chance can bring", *_likely(rules, s, chances))
            outcome = rng.choices([*chances], [float(part) for part in chances.values()])[0]
            plain.deal(theirs, outcome)
            ours = ours.deal(outcome)
            continue
        _same("position", rules.write_position(s, pieces), theirs.position())
        actions = {rules.text_of(s, action, pieces): action for action in legal_actions(s)}
        _same("legal moves", sorted(actions), sorted(plain.legal(theirs)))
        text = choose(s, actions)
        plain.push(theirs, text)
        ours = ours.push(actions[text])
        moves += 1
    _same("what chance can bring", {}, {**plain.chances(theirs)})
    _same("legal moves", [], [*plain.legal(theirs)])
    _same("last position", rules.write_position(ours.states[0], pieces), theirs.position())
    _same("scoring", rules.scoring_of(ours.states[0]), plain.scores(theirs))
    if way != "rich":  # the rulings say nothing of what a record has of a set-up
        _same("record", {k: v for k, v in ours.record().items() if k != "setup"}, theirs.record())
    return moves


def _likely(rules: Rules, s: Any, chances: Mapping[Any, Any]) -> tuple[dict[Any, float], dict[Any, float]]:
    """Return how likely is what chance can bring, by both rules; that of the plain ones where the two are close."""
    found: dict[Any, float] = {}
    for k in range(rules.verbs.outcomes(s)):
        if (part := float(rules.verbs.likelihood(s, k))) > 0:
            outcome = rules.outcome_of(s, k)
            found[outcome] = found.get(outcome, 0.0) + part
    told = {outcome: float(part) for outcome, part in chances.items()}
    close = found.keys() == told.keys() and all(math.isclose(found[k], told[k], rel_tol=1e-6) for k in told)
    return (told if close else found), told


def _chooser(rules: Rules, rng: random.Random, scripted: bool) -> Callable[[Any, Mapping[str, int]], str]:
    """Return how a game is played: by any moves; by any first words of moves, so that rare ones are not drowned by
    fences and cells; or by a scripted opponent, whose games go far.
    """
    number = rng.choice([-2, -1, *range(1, len(rules.opponents) if scripted else 1)])
    scratch = rules.scratch()

    def choose(s: Any, actions: Mapping[str, int]) -> str:
        if number >= 0:
            action = int(rules.verbs.choose(number, s, np.uint64(rng.getrandbits(64)), scratch))
            return next(text for text, one in actions.items() if one == action)
        texts = [*actions]
        if number == -1:
            first = rng.choice(sorted({text.split()[0] for text in texts}))
            texts = [text for text in texts if text.split()[0] == first]
        return rng.choice(texts)

    return choose
