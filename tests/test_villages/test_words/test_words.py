"""The list of words: complete in every language, all of it used, and nothing said that does not stand in it."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bohemian_env import Board, Game
from bohemian_env.villages.facts import ENDS, KINDS, MAX_PLAYERS, SCORING
from bohemian_env.villages.render import board_svg
from bohemian_env.villages.words import ENGLISH, LANGUAGES, Words, words_in
from bohemian_env.villages.words import __file__ as words_file
from table.coin_sources import COIN_SOURCES
from table.pages import front_page, game_page, review_page
from table.review import review
from table.seating import GUESTS, read_seating
from table.session import Session
from tests.helpers import ROOT

PACKAGE = ROOT / "bohemian_env" / "villages"
SOURCES = [*(ROOT / "table").rglob("*.py"), *(PACKAGE / "render").glob("*.py"), *(PACKAGE / "words").glob("*.py")]
SOURCES += [ROOT / "pages" / "generate.py", *(ROOT / "table" / "templates").glob("*.html")]
SCRIPTS = sorted((ROOT / "table" / "static").glob("*.js"))
NAMES = {"Bohemian", "Villages", "appraiser", "greedy", "planner", *LANGUAGES.values()}
"""What is the same in every language: names, beside those of villages and agents."""


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def test_the_languages_are_those_of_the_rulebooks() -> None:
    assert {*LANGUAGES} == {path.stem for path in Path(words_file).parent.glob("*.toml")} == {"de", "en", "it"}
    assert [words_in(name)("kind.inn") for name in LANGUAGES] == ["inn", "Wirtshaus", "locanda"]
    with pytest.raises(KeyError):
        words_in("fr")
    with pytest.raises(KeyError):
        ENGLISH("drawing.turn")  # without the turn


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_says_the_same(language: str) -> None:
    """No key is missing or too many, and every text has the values that the English one has."""
    found = words_in(language).texts
    assert found.keys() == ENGLISH.texts.keys()
    assert [key for key, text in found.items() if values(text) != values(ENGLISH.texts[key])] == []
    assert [key for key, text in found.items() if not text.strip() and key != "person.you_do"] == []


@pytest.mark.parametrize(
    ("language", "told"), [("en", ["−4.1", "76%"]), ("de", ["−4,1", "76\u00a0%"]), ("it", ["−4,1", "76%"])]
)
def test_numbers_are_written_as_the_language_does(language: str, told: list[str]) -> None:
    words = words_in(language)
    assert [words.number(-4.06, "+.1f"), words.number(0.76, ".0%")] == told


@pytest.mark.parametrize("part", ["kind", "kind_short", "the", "out_of", "pays", "pays_short"])
def test_every_kind_has_its_words(part: str) -> None:
    assert {key for key in ENGLISH.part(part) if key != "active_inn"} == set(KINDS)


def test_every_column_and_every_end_has_its_words() -> None:
    assert tuple(ENGLISH.part("scoring")) == tuple(ENGLISH.part("scoring_means")) == SCORING
    assert {*ENGLISH.part("ends")} == {end.replace(" ", "_") for end in ENDS if end}
    assert {*ENGLISH.part("guest")} == {*ENGLISH.part("guest_name")} == {one.agent.partition(":")[0] for one in GUESTS}


def test_every_word_is_used() -> None:
    """Its key stands in the code; or the key is put together there, of parts that all stand in it."""
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    said = {*re.findall(r'"(\w+)"', scripts)}
    quoted = {*re.findall(r'"([\w.]+)"', code)}
    begun = {*re.findall(r'f"(\w+)\.', code), *re.findall(r'"(\w+)\.(?:" ~|\w*%)', code), *quoted}
    known = {*quoted, *KINDS, *SCORING, *map(str, range(MAX_PLAYERS)), *ENGLISH.part("guest"), *ENGLISH.part("ends")}
    known |= {*COIN_SOURCES}

    def used(key: str) -> bool:
        part, _, name = key.rpartition(".")
        if part == "page":
            return name in said
        ends = {name, name.removesuffix("_means"), name.removesuffix("_you"), name.removeprefix("active_")}
        ends |= {name.removeprefix(f"{start}_") for start in ("colour", "kick", "sent_home", "coins")}
        return key in quoted or (part in begun and bool(ends & known))

    assert [key for key in ENGLISH.texts if not used(key)] == []
    assert not used("table.whatever")


# --- nothing is said that stands outside the list --------------------------------------------------------------------


class _Marked(Words):
    """Words each of which has marks around it, so that any others are seen."""

    def __init__(self) -> None:
        super().__init__("en", ENGLISH.texts)

    def __call__(self, key: str, /, **values: object) -> str:
        return f"⟦{super().__call__(key, **values)}⟧"


class _Texts(HTMLParser):
    """Collects what people read or hear of a page or a drawing."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = tag in ("style", "script", "kbd")
        told = ("aria-label", "title", "placeholder", "data-line", "alt")
        self.found += [value for name, value in attrs if value and (name in told or name.startswith("data-strength"))]

    def handle_endtag(self, tag: str) -> None:
        self.silent = False

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def unmarked(text: str, names: set[str]) -> set[str]:
    """Return the words in a text that are neither marked nor names."""
    while (less := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = less
    return {*re.findall(r"[^\W\d_]{2,}", text)} - names


def texts_of(markup: str) -> str:
    parser = _Texts()
    parser.feed(markup)
    return "\n".join(parser.found)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Words:
    """The marked words, which drawings have as well."""
    found = _Marked()
    monkeypatch.setattr("bohemian_env.villages.render.svg.words_in", lambda _: found)
    return found


def said(found: Any) -> Iterator[str]:
    """Yield the sentences of an answer of the server, and the texts of the drawings in it."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key in ("words", "status"):
                yield value
            elif key == "svg":
                yield texts_of(value)
            else:
                yield from said(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from said(value)


def test_pages_say_nothing_else(marked: Words) -> None:
    seats = [{"name": "Ada"}, {"name": "Bo", "agent": "greedy"}]
    towns = {word for village in Board.standard().villages for word in re.findall(r"[^\W\d_]+", village.name)}
    names = {*NAMES, *towns, "Ada", "Bo", *re.findall(r"\w+", " ".join(guest.agent for guest in GUESTS))}
    for page in (
        front_page(marked, "token", (), (), (), {}),
        game_page(marked, "token", "1", ["Ada", "Bo"]),
        review_page(marked, "token", "1", seats, (), watched=False),
    ):
        assert unmarked(texts_of(page), names) == set()
        assert len(page) > 2000


def test_a_game_is_told_with_nothing_else(marked: Words) -> None:
    """The whole of it: every line of the log, every move offered, all drawings, and the review."""
    session = Session(
        read_seating({"seats": [{"name": "Ada"}, {"name": "Bo"}, {"agent": "greedy"}], "seed": 5}, ["greedy"])
    )
    names = {"Ada", "Bo", "greedy", *session.names}
    names |= {word for village in session.game.villages for word in re.findall(r"[^\W\d_]+", village)}
    while not session.game.over:
        assert unmarked("\n".join(said(session.view(words=marked))), names) == set()
        if session.person_to_move:
            session.play(session.view()["legal"][-1]["move"])
        else:
            session.advance()
    view = session.view(words=marked)
    assert unmarked("\n".join(said(view)), names) == set()
    assert view["log"][-1]["kind"] == "end"
    told = review(session.game, session.names, quick=True, words=marked)
    assert unmarked("\n".join(said(told)), names) == set()
    assert unmarked(texts_of("".join(told["tags"])), names) == set()


def test_an_unmarked_word_is_seen(marked: Words) -> None:
    """The tests above can fail."""
    assert unmarked(f"{marked('kind.inn')} and a farm", {"farm"}) == {"and"}
    assert "and" in texts_of('<p title="and">x</p>')


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_say_nothing_else(path: Path) -> None:
    """No text in them has two words one after the other, or a word with a capital, as sentences have."""
    code = re.sub(r"^\s*(//|/\*\*|\*).*$|\s//\s.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    texts = re.findall(r'"([^"\n]*)"|`([^`]*)`', code)
    found = [re.sub(r"\$\{[^}]*\}", "", one or other) for one, other in texts]
    known = {"Escape", "GET", "POST", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", "Tab"}
    sentences = [text for text in found if re.search(r"\b[A-Z][a-z]+\b", text) and text not in known]
    sentences += [text for text in found if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", text)]
    assert sentences == []


def test_only_one_script_writes_numbers_with_decimals() -> None:
    """All others leave it to ``dom.js``; in ``chart.js`` they are places in the drawing."""
    writing = {path.name for path in SCRIPTS if re.search(r"toFixed|NumberFormat", path.read_text(encoding="utf-8"))}
    assert writing == {"dom.js", "chart.js"}


def test_a_drawing_is_in_the_language_asked_for() -> None:
    at = Game.new(2, seed=1).roll().position()
    assert ">Zug 1<" in board_svg(at, language="de")
    assert "locanda" in board_svg(at, language="it")
    assert json.dumps(board_svg(at)) == json.dumps(board_svg(at, language="en"))
