"""The list of words: complete in every language, all of it used, and nothing said that does not stand in it."""

import re
import string
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bohemian_env import Board
from bohemian_env.engine.words import LANGUAGES, Words, texts_in
from bohemian_env.villages.facts import ENDS, KINDS
from table.export import export_page
from table.pages import Front, front_page, game_page, review_page
from table.review import review
from table.room import Room, room_of
from table.session import Session
from table.words import page_words
from tests.helpers import ROOT
from tests.test_table.asking import GAMES, play_on, seated

LISTS = sorted(path.parent for top in ("bohemian_env", "table") for path in (ROOT / top).rglob("words/en.toml"))
CODE = [
    path for top in ("bohemian_env", "table") for path in (ROOT / top).rglob("*") if path.suffix in (".py", ".html")
]
CODE += [ROOT / "pages" / "generate.py"]
SCRIPTS = sorted((ROOT / "table" / "static").rglob("*.js"))
NAMES = {
    "Bohemian",
    "Villages",
    "Dorfromantik",
    "Agricola",
    "Uwe",
    "Rosenberg",
    "values",
    "appraiser",
    *LANGUAGES.values(),
}
"""What is the same in every language: names, beside those of villages and agents."""


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def named(folder: Path) -> str:
    return folder.relative_to(ROOT).as_posix()


def test_every_game_has_a_list_for_its_drawings_and_one_for_its_room() -> None:
    wanted = {f"bohemian_env/{name}/words" for name in GAMES} | {f"table/rooms/{name}/words" for name in GAMES}
    assert {*map(named, LISTS)} == wanted | {"table/words"}
    with pytest.raises(KeyError):
        page_words("fr")
    with pytest.raises(KeyError):
        page_words("en")("happens.thinking")  # without the name


@pytest.mark.parametrize("folder", LISTS, ids=named)
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_says_the_same(folder: Path, language: str) -> None:
    """No key is missing or too many, and every text has the values that the English one has."""
    assert {path.stem for path in folder.glob("*.toml")} == {*LANGUAGES}
    found, english = texts_in(folder, language), texts_in(folder, "en")
    assert {key: values(text) for key, text in found.items()} == {key: values(text) for key, text in english.items()}
    assert [key for key, text in found.items() if not text.strip() and key != "person.you_do"] == []


@pytest.mark.parametrize(
    ("language", "told"), [("en", ["−4.1", "76%"]), ("de", ["−4,1", "76\u00a0%"]), ("it", ["−4,1", "76%"])]
)
def test_numbers_are_written_as_the_language_does(language: str, told: list[str]) -> None:
    words = page_words(language)
    assert [words.number(-4.06, "+.1f"), words.number(0.76, ".0%")] == told


def test_every_column_every_guest_and_every_step_has_its_words(name: str) -> None:
    room = room_of(name)
    words = room.words("en")
    assert words("game.title") != name
    assert [column for column in room.rules.scoring if not words(f"scoring_means.{column}")] == []
    called = {guest.agent.partition(":")[0] for guest in room.guests}
    assert {*words.part("guest")} == called <= {*words.part("guest_name")} <= called | {room.adviser, room.master}
    assert {*words.part("guide")} == {step for step, _ in room.steps}


def test_every_word_is_used() -> None:
    """Its key stands in the code; or the key is put together there, of parts that all stand in it."""
    code = "".join(path.read_text(encoding="utf-8") for path in CODE)
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    quoted = {*re.findall(r'"([\w.]+)"', code)}
    said = {*re.findall(r'"(\w+)"', scripts)}
    begun = {*re.findall(r'f"(\w+)\.', code), *re.findall(r'"(\w+)\.(?:" ~|\w*%)', code), *quoted}
    for game in GAMES:
        rules = room_of(game).rules
        quoted |= {*rules.scoring, *(name.partition(":")[0] for name in rules.opponents)}
    known = {*quoted, *KINDS, *map(str, range(6)), *(end.replace(" ", "_") for end in ENDS if end)}
    known |= {guest.agent.partition(":")[0] for game in GAMES for guest in room_of(game).guests}

    def used(key: str) -> bool:
        part, _, name = key.rpartition(".")
        ends = {name, name.removesuffix("_means"), name.removesuffix("_you"), name.removeprefix("active_")}
        ends |= {name.removeprefix(f"{start}_") for start in ("colour", "kick", "sent_home", "coins")}
        return key in quoted or (part == "page" and name in said) or (part in begun and bool(ends & known))

    page = page_words("en").texts
    room = texts_in(room_of("villages").folder / "words", "en")
    assert [key for key in page if not used(key.removeprefix("chance."))] == []
    assert {key.removeprefix("chance.") for key in page} <= {*page}
    assert [key for key in (*room, *room_of("villages").drawn("en")) if key not in page and not used(key)] == []
    assert not used("table.whatever")


def test_a_room_says_something_else_by_a_key_of_the_page_only() -> None:
    """What it repeats would never change with the page's."""
    page = {language: page_words(language).texts for language in LANGUAGES}
    assert [
        (named(folder), key)
        for folder in LISTS
        if "rooms" in folder.parts
        for key in texts_in(folder, "en")
        if all(texts_in(folder, language)[key] == page[language].get(key) for language in LANGUAGES)
    ] == []


# --- nothing is said that stands outside the list --------------------------------------------------------------------


class _Marked(Words):
    """Words each of which has marks around it, so that any others are seen."""

    def __call__(self, key: str, /, **values: object) -> str:
        return f"⟦{super().__call__(key, **values)}⟧"

    def part(self, name: str) -> dict[str, str]:
        return {key: f"⟦{text}⟧" for key, text in super().part(name).items()}


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
def marked(name: str, monkeypatch: pytest.MonkeyPatch) -> Words:
    """The marked words of a room, which drawings have as well."""
    plain = room_of(name).words("en")
    found = _Marked("en", plain.texts, plain.facts)
    monkeypatch.setattr(Room, "words", lambda *_: found)
    monkeypatch.setattr("bohemian_env.villages.render.svg.words_in", lambda _: found)
    return found


def said(found: Any) -> Iterator[str]:
    """Yield the sentences of an answer of the server, and the texts of the drawings in it."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key in ("words", "status", "prompt", "middle"):
                yield value
            elif key in ("svg", "panels"):
                yield texts_of(value)
            else:
                yield from said(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from said(value)


def test_pages_say_nothing_else(name: str, marked: Words) -> None:
    room = room_of(name)
    seats = [{"name": "Ada"}, {"name": "Bo", "agent": "greedy"}]
    towns = {word for village in Board.standard().villages for word in re.findall(r"[^\W\d_]+", village.name)}
    agents = {agent for guest in room.guests for agent in re.findall(r"\w+", guest.agent)}
    names = {*NAMES, *towns, *agents, "Ada", "Bo"}
    for page in (
        front_page(room, "en", "token", (), Front((), (), {}, True, None, True, room.first_guest, 1, ())),
        game_page(room, "en", "token", "1", ["Ada", "Bo"]),
        review_page(room, "en", "token", "1", seats, (), watched=False),
    ):
        assert unmarked(texts_of(page), names) == set()
        assert len(page) > 2000


@pytest.mark.slow
def test_a_game_is_told_with_nothing_else(name: str, marked: Words) -> None:
    """The whole of it: every line of the log, every move offered, all drawings, and the review."""
    session = Session(seated("Ada", "Bo", "greedy", game=name))
    names = {"Ada", "Bo", "greedy", *session.names}
    split = " ".join([*session.names, *session.room.drawn("en").values()])  # drawings cut them, and write them in lines
    names |= {word[:end] for word in re.findall(r"[^\W\d_]+", split) for end in range(3, len(word) + 1)}
    names |= {word for village in getattr(session.game, "villages", ()) for word in re.findall(r"[^\W\d_]+", village)}
    while not session.over:
        assert unmarked("\n".join(said(session.view())), names) == set()
        play_on(session, len(session.actions) + 1)
    view = session.view()
    assert unmarked("\n".join(said(view)), names) == set()
    assert view["log"][-1]["kind"] == "end"
    told = review(session.moments, session.names, quick=True)
    assert unmarked("\n".join(said(told)), names) == set()
    assert unmarked(texts_of("".join(told["tags"])), names) == set()
    assert unmarked(texts_of(export_page(told, session.room, marked)), {*names, *NAMES}) == set()


def test_an_unmarked_word_is_seen(marked: Words) -> None:
    """The tests above can fail."""
    assert unmarked(f"{marked('front.players')} and a farm", {"farm"}) == {"and"}
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
