"""Every fact that people are told in words has its words."""

from bohemian_env.game import words
from bohemian_env.game.facts import KINDS, SCORING, TILE_PAYS


def test_every_kind_has_its_words() -> None:
    for told in (words.KIND_WORDS, words.KICK_WORDS, words.PAY_WORDS, words.PAY_SENTENCES):
        assert set(told) == set(KINDS)
    assert set(words.TILE_WORDS) == set(TILE_PAYS)


def test_every_column_of_the_scoring_has_its_words_in_order() -> None:
    assert tuple(words.SCORING_WORDS) == SCORING
