"""The words of the drawings: every kind and column has some, and a drawing is in the language asked for."""

import pytest

from bohemian_env import Game
from bohemian_env.engine.words import LANGUAGES
from bohemian_env.villages.facts import KINDS, SCORING
from bohemian_env.villages.render import board_svg
from bohemian_env.villages.words import words_in

ENGLISH = words_in("en")


def test_the_languages_are_those_of_the_rulebooks() -> None:
    assert [words_in(name)("kind.inn") for name in LANGUAGES] == ["inn", "Wirtshaus", "locanda"]
    with pytest.raises(KeyError):
        words_in("fr")
    with pytest.raises(KeyError):
        ENGLISH("drawing.turn")  # without the turn


@pytest.mark.parametrize("part", ["kind", "kind_short", "pays_short"])
def test_every_kind_has_its_words(part: str) -> None:
    assert {*ENGLISH.part(part)} == {*KINDS}


def test_every_column_has_its_words() -> None:
    assert tuple(ENGLISH.part("scoring")) == SCORING


def test_a_drawing_is_in_the_language_asked_for() -> None:
    at = Game.new(2, seed=1).roll().position()
    assert ">Zug 1<" in board_svg(at, language="de")
    assert "locanda" in board_svg(at, language="it")
    assert board_svg(at) == board_svg(at, language="en")
