"""Random steps of many games of any game, with what its contract says of every step, and games beside the plain rules.

After every step a position must be one that the declarations allow, and the one that the verbs lead to when they are
called once more; on a sample, the game's own check takes positions from outside, and what is seen is within its space.
"""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from bohemian_env.check import Kit
from bohemian_env.engine.bits import Word
from bohemian_env.engine.bound import loop
from bohemian_env.engine.contract import GROWTH, NUM_ACTIONS, SHARE, WIN, deal, draw, likelihood, moment, outcomes, push
from bohemian_env.engine.errors import BohemianError
from bohemian_env.engine.legal import legal_count
from bohemian_env.engine.parts import space_of
from bohemian_env.engine.reward import new_scoring, write_potentials
from bohemian_env.engine.states import copy_states
from bohemian_env.games import rules_of
from tests.reference.beside import every_way, play, setup_of

from .campaign import Tried

__all__ = ["INVARIANTS", "STEPS", "beside", "steps"]

MOVES: Final = 4000
"""Moves of games by both rules in an attempt, for each way to begin, and a little more: games are played to the end."""
DECISIONS: Final = 1_000_000
"""Steps of an attempt, and a little more."""
GAMES_AT_ONCE: Final = 512
"""Games of a batch."""
SAMPLED: Final = 16
"""Steps from one look at positions and observations to the next."""
CHECKED: Final = 4
"""Games of a look whose positions are checked as those from outside are."""
STEPS: Final = "random steps with invariants"

INVARIANTS: Final = (
    "all holds",
    "the number of players stays",
    "a player is to move",
    "turns do not go back",
    "a game ends as the game says that one can",
    "a seat decides, or the game is over: chance has spoken",
    "there is something to choose exactly while the game goes on",
    "no action is legal that there is not",
    "no two decisions share a moment",
    "what chance brings is likely, and all that it can bring has the likelihood 1",
)
"""What is checked of each position alone, by the number that :func:`_broken` returns."""


@loop
def _again(s: Any, action: int, seed: Word) -> bool:
    """Carry out an action and all that chance brings then; return whether chance keeps its promises."""
    push(s, action)
    holds = True
    while s["pending"] != 0 and s["end"] == 0:
        count, total = outcomes(s), 0.0
        for k in range(count):
            total += likelihood(s, k)
        drawn = draw(s, seed)
        holds = holds and abs(total - 1.0) < 1e-6 and 0 <= drawn < count and likelihood(s, drawn) > 0.0
        deal(s, drawn)
    return holds


@loop
def _broken(before: Any, after: Any, ends: int) -> int:
    """Return the number of an invariant that a step breaks, 0 if all hold. ends: how many ends the game declares."""
    b, s = before, after
    if s["players"] != b["players"]:
        return 1
    if not 0 <= s["to_move"] < s["players"]:
        return 2
    if s["turn"] < b["turn"]:
        return 3
    if s["end"] >= ends:
        return 4
    if s["pending"] != 0:
        return 5
    if (legal_count(s) == 0) != (s["end"] != 0):
        return 6
    last, used = s["legal"].shape[0] - 1, NUM_ACTIONS % 64
    if used != 0 and s["legal"][last] >> np.uint64(used) != 0:
        return 7
    if s["end"] == 0 and moment(s) == moment(b):
        return 8
    return 0


@loop
def _first_broken(
    before: np.ndarray, after: np.ndarray, again: np.ndarray, actions: np.ndarray, seeds: np.ndarray, ends: int
) -> tuple[int, int]:
    """Return the first game whose step breaks an invariant, and its number; the game -1 if there is none.

    again: the positions before the step as well, overwritten with what the verbs make of them.
    """
    for i in range(before.shape[0]):
        if before[i]["end"] == 0:
            if not _again(again[i], actions[i], seeds[i]):
                return i, 9
            number = _broken(before[i], after[i], ends)
            if number != 0:
                return i, number
    return -1, 0


@loop
def _potentials(states: np.ndarray, out: np.ndarray) -> None:
    scoring, totals = new_scoring(), np.empty(out.shape[1], np.int32)
    for i in range(states.shape[0]):
        write_potentials(states[i], totals, out[i], scoring)


class _Played:
    """A batch of random games, with all that is looked at beside it."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self.rules = rules_of(game)
        setup = setup_of(game, rng)
        names = [name for name, one in self.rules.rewards.items() if setup.players > 1 or one.kind >= GROWTH]
        reward = rng.choice(names)
        self.kind = self.rules.rewards[reward].kind
        self.batch = Kit(game).batch(GAMES_AT_ONCE, setup, reward=reward, autoreset=False)
        self.batch.reset(rng.randrange(2**62))
        self.states, self.seeds = self.batch.arrays
        self.first, self.before, self.again = (copy_states(self.states) for _ in range(3))
        self.paid = np.zeros((GAMES_AT_ONCE, setup.players))
        self.space = space_of(self.rules.parts, np.int8)

    def step(self) -> Iterator[str]:
        """Make a random step of all games that go on, and yield what is broken then."""
        batch, rules = self.batch, self.rules
        for kept in (self.before, self.again):
            kept.view(np.uint8)[:] = self.states.view(np.uint8)  # record by record takes NumPy ten times as long
        actions = batch.random_actions(0)
        batch.step(actions)
        self.paid += batch.rewards
        looked, states = rules.compiled(_first_broken), (self.before, self.states, self.again)
        i, number = looked(*states, actions, self.seeds, len(rules.ends))
        if i >= 0:
            yield f"not so: {INVARIANTS[number]}: action {actions[i]} after {self._told(i)}"
        elif (differ := self.again.view(np.uint8) != self.states.view(np.uint8)).any():
            i = int(differ.argmax()) // self.states.itemsize
            yield f"the same action and chance lead elsewhere: {self._told(i)}"
        if (ended := np.flatnonzero(batch.terminations | batch.truncations)).size:
            yield from self._ended(ended)

    def _told(self, i: int) -> str:
        return f"{self.batch.setup}, seed {self.seeds[i]}, moves {self.batch._moved(i).tolist()}"

    def _ended(self, ended: np.ndarray) -> Iterator[str]:
        """Yield what is wrong with all that games that ended have paid."""
        paid = self.paid[ended]
        if self.kind >= GROWTH:
            found = np.zeros((2, *paid.shape), np.float32)
            for states, out in zip((self.first[ended], self.states[ended]), found, strict=True):
                self.rules.compiled(_potentials)(states, out)
            if not np.allclose(paid, found[1] - found[0], atol=1e-2):
                yield "the rewards of a game do not add up to what its potential grew by"
        elif (np.abs(paid) > 1).any():
            yield "the rewards of rivals are not from -1 to 1"
        if self.kind in (WIN, SHARE) and (np.abs(paid.sum(axis=1)) > 1e-5).any():
            yield "what rivals win does not add up to 0"

    def look(self, rng: random.Random) -> list[str]:
        """Return what is wrong where the batch shows what it has, and where the game checks some of its positions."""
        batch, wrong = self.batch, []
        seen = batch.observations
        if ((seen < self.space.low) | (seen > self.space.high)).any():
            wrong.append("an observation is outside its space")
        legal = np.ascontiguousarray(batch.states["legal"].astype("<u8")).view(np.uint8)
        count = batch.masks.shape[1]
        if (batch.masks != np.unpackbits(legal, axis=1, bitorder="little", count=count)).any():
            wrong.append("a mask is not the set of the legal actions")
        chosen = rng.sample(range(GAMES_AT_ONCE), CHECKED)
        some = copy_states(self.states[chosen])
        try:
            if self.rules.checked_states(some).tobytes() != some.tobytes():
                wrong.append(f"the check changes one of {[self._told(i) for i in chosen]}"[:2000])
            self.rules.check_dealt(some, self.first[chosen])
        except BohemianError as error:
            wrong.append(f"{error}: one of {[self._told(i) for i in chosen]}"[:2000])
        return wrong


def steps(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """Play batches of random games to their ends; what is found ends the attempt."""
    rng, made = random.Random(seed), 0
    while made < DECISIONS:
        played = _Played(game, rng)
        for number in itertools.count():
            going = int((~played.batch.over).sum())
            if not going:
                break
            found = [*played.step(), *(played.look(rng) if number % SAMPLED == 0 else ())]
            made += going
            yield Tried(STEPS, going, tuple(found))
            if found:
                return


def beside(game: str, seed: int, folder: Path) -> Iterator[Tried]:
    """Play whole random games by both implementations, with every number of players in turn."""
    for way in (way for one, way in every_way() if one == game):
        moves = 0
        for number, players in enumerate(itertools.cycle(rules_of(game).players)):
            if moves >= MOVES:
                break
            name, broken = f"{seed} {way} {number}", []
            try:
                moves += play(game, way, players, random.Random(name))
            except Exception as error:
                moves += MOVES // 4  # so that an end is in sight
                told = f"{type(error).__name__}: {error}"
                broken.append(f"play({game!r}, {way!r}, {players}, random.Random({name!r})): {told}"[:2000])
            yield Tried("games beside the plain rules", 1, tuple(broken))
