"""The compiled game beside the plain rules: every kind of decision, and rewards; test_engine has whole games."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from bohemian_env.agricola import Game
from bohemian_env.agricola.decisions import DECISIONS, TEXTS
from bohemian_env.agricola.faces import Batch
from tests.reference.agricola import ACTIONS, PlainGame
from tests.test_agricola.compiled import CompiledGame
from tests.test_agricola.rich import rich


def choose(texts: list[str], rng: random.Random) -> str:
    """Any of them, or first any verb: so rare ones are not drowned by fences and cells."""
    if rng.random() < 0.5:
        verb = rng.choice(sorted({text.split()[0] for text in texts}))
        texts = [text for text in texts if text.split()[0] == verb]
    return rng.choice(texts)


def play_both(plain: PlainGame, compiled: CompiledGame, rng: random.Random, most: int = 10**6) -> Counter[str]:
    """Play on with both, to the end or for so many events, and compare all that both say after each of them."""
    met: Counter[str] = Counter()
    while plain.phase != "over" and most:
        most -= 1
        assert compiled.position() == plain.position()
        assert compiled.legal_texts() == plain.legal_texts()
        assert compiled.possible_cards() == plain.possible_cards()
        if rng.random() < 0.05:
            assert Game.from_position(compiled.position(), storehouse_solo=plain.storehouse_solo) == compiled.game
        if plain.phase == "reveal":
            card = rng.choice(plain.possible_cards())
            plain.reveal(card)
            compiled.reveal(card)
        else:
            met[plain.decision["kind"]] += 1
            text = choose(plain.legal_texts(), rng)
            plain.play(text)
            compiled.play(text)
    assert compiled.position() == plain.position()
    assert compiled.winners() == plain.winners()
    assert compiled.game.over == (plain.phase == "over")
    if plain.rounds is not None:
        assert compiled.record() == plain.record()
    return met


def from_rich(players: int, seed: int, kind: str | None = None, most: int = 10**6) -> Counter[str]:
    rng = random.Random(f"{players} {seed} {kind}")
    storehouse = players == 1 and seed % 2 == 1
    told = rich(rng, players, kind, storehouse)
    both = PlainGame.from_position(told, storehouse), CompiledGame.from_position(told, storehouse)
    return play_both(*both, rng, most)


def test_a76_texts_and_numbers() -> None:
    assert list(TEXTS) == ACTIONS


@pytest.mark.parametrize("kind", [kind for kind in DECISIONS if kind])
def test_every_kind_of_decision_in_rich_positions(kind: str) -> None:
    players = {"two-resources": 4, "resources-or-growth": 5, "animal": 5, "pay": 5, "room-or-food": 5}.get(kind, 3)
    for seed in range(20 if kind == "fences" else 12):
        assert from_rich(players, seed, kind, most=6)[kind]


@pytest.mark.parametrize(
    ("players", "reward"), [(n, name) for n in (1, 2, 5) for name in ("score", "end", "win") if (n, name) != (1, "win")]
)
def test_a72_a73_rewards(players: int, reward: str) -> None:
    rng = random.Random(players)
    plain = PlainGame(players)
    batch = Batch(1, players, reward=reward, autoreset=False)
    batch.reset(players)
    start = before = plain.potentials()
    while plain.phase != "over":
        if plain.phase == "reveal":
            plain.reveal(card_of(batch, len(plain.cards)))
            continue
        text = choose(plain.legal_texts(), rng)
        plain.play(text)
        batch.step([ACTIONS.index(text)])
        if plain.phase == "reveal":
            plain.reveal(card_of(batch, len(plain.cards)))
        wanted: list[Any] = [0] * players
        if reward == "score":
            wanted = [now - then for now, then in zip(plain.potentials(), before, strict=True)]
        elif plain.phase == "over":
            ended = [now - then for now, then in zip(plain.potentials(), start, strict=True)]
            wanted = ended if reward == "end" else plain.wins()
        np.testing.assert_allclose(batch.rewards[0][:players], np.array(wanted, float), atol=1e-5)
        before = plain.potentials()
    assert batch.states[0]["end"]


def card_of(batch: Batch, number: int) -> str:
    """The round card with this number, counted from 0, that the seed of a batch brought."""
    return str(TEXTS[24 + int(batch.states[0]["cards"][number])].removeprefix("to "))
