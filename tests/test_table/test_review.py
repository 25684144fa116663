"""Games looked at again: what is told of positions, moves and chance; drawings in little room; pages to take along."""

import base64
import functools
import hashlib
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

import agents
from bohemian_env import BadRecord, Game, NoRecord
from table.export import export_page, main
from table.history import positions_of, read_record
from table.review import review
from table.room import Teller, room_of

ROOM = room_of("villages")
TELLER = Teller(["greedy", "appraiser", "random"], None, ROOM.words("en"))


@functools.cache
def played(*who: str, moves: int = 10_000, seed: int = 5, game: str = "villages") -> Any:
    """A game of agents, to its end or for so many moves."""
    rules = room_of(game).rules
    seats = [agents.make(name, seed=number, game=game) for number, name in enumerate(who)]
    now = rules.game.begin(rules.setup(len(who)).start(seed, who)).dealt()
    while not now.over and len(now.actions) < moves:
        now = now.push(seats[now.to_move].move(now)).dealt()
    return now


@pytest.fixture(scope="module")
def game() -> Game:
    return played("greedy", "appraiser", "random")


@pytest.fixture(scope="module")
def found(game: Game) -> dict[str, Any]:
    return review(game.moments())


# --- positions, moves, rolls ------------------------------------------------------------------------------------


def test_every_position_stands_after_as_many_moves_as_its_number(name: str) -> None:
    """And all that happened is told once."""
    game, room = played("greedy", "random", game=name), room_of(name)
    history, found = positions_of(game.moments()), review(game.moments(), quick=True)
    assert (found["game"], found["unit"], found["over"]) == (name, room.unit, True)
    assert [len(position.game.actions) for position in history] == [*range(len(game.actions) + 1)]
    assert [told["seat"] for told in found["positions"]] == [position.game.to_move for position in history]
    texts = [at.action_to_text(a) for at, a in zip((p.game for p in history), game.actions, strict=False)]
    assert [position["played"] for position in found["positions"]] == [*texts, None]
    teller = Teller(found["names"], None, room.words("en"))
    lines = [line for position in found["positions"] for line in position["lines"]]
    assert [{**line, "position": 0} for line in lines] == [
        {**room.entry(line, teller), "position": 0} for line in room.lines(game.moments())
    ]
    assert {line["position"] for line in lines} <= {*range(len(history))}


def test_a_move_that_is_held_is_told_as_well(name: str) -> None:
    game = played("greedy", "random", moves=8, game=name)
    while not game.needs_chance:
        game = game.push(game.legal_moves[0])
    found = review(game.moments())
    assert len(found["positions"]) == len(game.actions)
    assert found["positions"][-1]["lines"]


def test_what_happened_is_told_once_and_leads_to_its_position(game: Game, found: dict[str, Any]) -> None:
    lines = [line for position in found["positions"] for line in position["lines"]]
    assert [line["kind"] for line in lines].count("turn") == game.turn
    moves = [line for line in lines if line["kind"] == "move"]
    assert [line["position"] for line in moves] == [*range(len(game.actions))]
    for line in moves:
        position = found["positions"][line["position"]]
        assert (line["seat"], line["text"].partition(" (")[0]) == (position["seat"], position["played"])
    assert (lines[-1]["kind"], lines[-1]["position"]) == ("end", len(game.actions))


def test_what_is_expected_is_the_result_at_the_end(game: Game, found: dict[str, Any]) -> None:
    for told, position in zip(found["positions"], positions_of(game.moments()), strict=True):
        assert told["standing"] == pytest.approx(ROOM.standing(position.game), abs=1e-4)
    winners = game.outcome().winners
    assert found["positions"][-1]["standing"] == [(seat in winners) / len(winners) for seat in range(3)]


@pytest.mark.parametrize("game", ["dorfromantik", "agricola"])
def test_what_is_expected_in_points_is_what_the_best_move_is_worth(game: str) -> None:
    """Both are rolled out: by two estimates, the end could be expected below what the best move leads to."""
    found = review(played("random", "random", moves=6, game=game).moments())["positions"]
    open_ones = [one for one in found if one["choices"] > 1]
    assert len(open_ones) > 4
    for one in open_ones:
        standing = one["standing"]
        assert standing[min(one["seat"], len(standing) - 1)] == one["moves"][0]["value"]


def test_a_move_costs_what_the_best_would_have_left_more(found: dict[str, Any]) -> None:
    costly = 0
    for position in found["positions"][:-1]:
        chances = [move["value"] for move in position["moves"]]
        assert chances == sorted(chances, reverse=True)
        left = {move["move"]: move["value"] for move in position["moves"]}
        assert position["cost"] == pytest.approx(chances[0] - left[position["played"]], abs=2e-4)
        if position["cost"] >= ROOM.costly[0]:
            costly += 1
            assert len(chances) == position["choices"]  # so that any can be tried
    assert costly


@pytest.mark.slow
def test_a_hint_and_a_review_say_the_same_of_a_move(game: Game) -> None:
    """Unless its turn could have ended better than the network thought, which the review looks for."""
    told = review(game.moments())["positions"]
    first_played = other_played = 0
    for here, position in zip(positions_of(game.moments()), told, strict=True):
        if position["played"] is None or position["choices"] < 2:
            continue
        action, worth = here.game.text_to_action(position["played"]), ROOM.worth(here.game)
        first = next(iter(ROOM.best(here.game, 1)))
        if worth[action] == worth[first]:
            first_played += 1
            assert position["cost"] == 0
        elif action in (near := ROOM.best(here.game, 3)):
            hinted = near[first] - near[action]
            assert 0 <= position["cost"] <= hinted + 2e-4
            other_played += position["cost"] > hinted - 2e-4
    assert first_played
    assert other_played


def test_the_luck_of_chance_is_what_is_expected_after_it_less_the_mean(game: Game, found: dict[str, Any]) -> None:
    rolls = 0
    for told, position in zip(found["positions"], positions_of(game.moments()), strict=True):
        for one, (due, after) in zip(told["chances"], position.chances, strict=True):
            rolls += 1
            luck = [now - mean for now, mean in zip(ROOM.standing(after), ROOM.expected(due), strict=True)]
            assert one["luck"] == pytest.approx(luck, abs=1e-4)
            assert (one["seat"], one["words"]) == (due.to_move, ROOM.chance(due, after, TELLER))
    assert rolls == sum("roll" in turn for turn in game.record()["turns"]) + sum(
        "rolled" in move for turn in game.record()["turns"] for move in turn.get("moves", [])
    )


def test_the_sums_of_every_seat(found: dict[str, Any]) -> None:
    rolls = [roll for position in found["positions"] for roll in position["chances"]]
    for seat, told in enumerate(found["seats"]):
        own = [roll["luck"][seat] for roll in rolls if roll["seat"] == seat]
        assert told["own"] == pytest.approx(sum(own), abs=1e-3)
        assert told["own"] + told["others"] == pytest.approx(sum(roll["luck"][seat] for roll in rolls), abs=1e-3)
        decided = [p for p in found["positions"][:-1] if p["seat"] == seat and p["choices"] > 1]
        assert told["decisions"] == len(decided)
        assert told["lost"] == pytest.approx(sum(p["cost"] for p in decided), abs=1e-3)
        assert told["costly"] == [sum(p["cost"] >= least for p in decided) for least in ROOM.costly]
    assert sum(told["own"] + told["others"] for told in found["seats"]) == pytest.approx(0, abs=0.02)


def test_told_quickly_luck_and_what_moves_cost_are_left_out_and_all_else_is_the_same(
    game: Game, found: dict[str, Any]
) -> None:
    told = review(game.moments(), quick=True)
    assert {roll["luck"] for position in told["positions"] for roll in position["chances"]} == {None}
    for here, whole in zip(told["positions"], found["positions"], strict=True):
        chosen = here["played"] is not None and here["choices"] > 1
        assert here["cost"] == (None if chosen else 0) == (None if chosen else whole["cost"])
        assert {k: v for k, v in here.items() if k not in {"cost", "moves", "chances", "standing"}} == {
            k: v for k, v in whole.items() if k not in {"cost", "moves", "chances", "standing"}
        }
    for here, whole in zip(told["seats"], found["seats"], strict=True):
        assert here == whole | dict.fromkeys(("own", "others", "lost", "costly"))


@pytest.mark.slow
def test_a_game_that_goes_on_is_told_piece_by_piece(name: str) -> None:
    """As the page asks for it: from the last position that it knows on, which has a move by now."""
    begun, game = (played("greedy", "random", moves=moves, game=name) for moves in (5, 10_000))
    first, whole = (review(one.moments(), quick=True) for one in (begun, game))
    assert not first["over"]
    known = len(first["positions"]) - 1
    rest = review(game.moments(), after=known, quick=True)
    assert first["positions"][:known] + rest["positions"] == whole["positions"]
    assert rest["seats"] == whole["seats"]
    assert pictures(first)[:known] + pictures(rest) == pictures(whole)


def test_a_game_of_people_is_told_to_the_one_called_you() -> None:
    game = played("greedy", "greedy", moves=12)
    lines = [line["words"] for p in review(game.moments(), ["Ann", "You"], you=1)["positions"] for line in p["lines"]]
    assert any(line.startswith("You roll") for line in lines)
    assert any(line.startswith("Ann takes") for line in lines)


def test_a_game_without_a_beginning_cannot_be_reviewed(game: Game) -> None:
    with pytest.raises(NoRecord):
        review(Game.from_position(game.position()).moments())


# --- drawings ---------------------------------------------------------------------------------------------------


def pictures(found: dict[str, Any]) -> list[str]:
    return [
        "".join(found["tags"][tag] for piece in drawing for tag in found["pieces"][piece])
        for drawing in found["drawings"]
    ]


@pytest.mark.slow
def test_the_drawings_come_out_of_their_pieces_as_they_were(name: str) -> None:
    game, room = played("greedy", "random", game=name), room_of(name)
    before, found = None, review(game.moments(), quick=True)
    for picture, position in zip(pictures(found), positions_of(game.moments()), strict=True):
        assert picture == room.draw(position.game, found["names"], before, room.words("en"))
        before = position.game


def test_the_drawings_take_little_room(found: dict[str, Any]) -> None:
    assert len(json.dumps(found)) < 0.2 * len("".join(pictures(found)))


# --- a page to take along ---------------------------------------------------------------------------------------


def packed(page: str) -> Any:
    """The review that a page holds."""
    (text,) = re.findall(r'<script type="text/plain" id="review">([^<]*)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_the_page_holds_all_and_lets_nothing_in_or_out(name: str) -> None:
    room = room_of(name)
    found = review(played("greedy", "random", game=name).moments(), quick=True)
    page = export_page(found, room, room.words("en"))
    assert len(page.encode()) < 500_000
    assert packed(page) == json.loads(json.dumps(found))
    addresses = set(re.findall(r"https?://[^\s\"'<)]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, which nothing is asked for
    assert not re.search(r"\s(?:src|href|on\w+|style)=", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    policy = html.unescape(policy)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for kind, text in (
        ("script", r'<script type="module">(.*?)</script>'),
        ("style", r"<style>(.*?)</style>"),
    ):
        (inside,) = re.findall(text, page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
        assert not re.search(r"^(import|export) ", inside, re.MULTILINE)


def test_names_cannot_break_out_of_the_page(name: str) -> None:
    names, room = ["</script><b>", "&amp;'\""], room_of(name)
    found = review(played("random", "random", moves=4, game=name).moments(), names)
    page = export_page(found, room, room.words("en"))
    assert "<b>" not in page
    assert page.count("</script>") == 3


def test_the_command_writes_the_page_of_a_record(game: Game, tmp_path: Path) -> None:
    record, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    other = played("greedy", "random")
    record.write_text("".join(f"{json.dumps(g.record())}\n" for g in (game, other)), encoding="utf-8")
    assert main([str(record), str(page), "--game", "2"]) == 0
    assert "greedy, random – Bohemian Villages" in page.read_text(encoding="utf-8")
    record.write_text(json.dumps(game.record(), indent=1), encoding="utf-8")
    assert main([str(record), str(page)]) == 0
    assert "greedy, appraiser, random – Bohemian" in page.read_text(encoding="utf-8")


def test_the_page_of_a_record_tells_whoever_is_called_you_as_you(tmp_path: Path) -> None:
    record, page = tmp_path / "record.json", tmp_path / "game.html"
    record.write_text(json.dumps(played("greedy", "random", moves=4).record() | {"players": ["Anna", "Tu"]}))
    assert main([str(record), str(page), "--language", "it"]) == 0
    told = [line for p in packed(page.read_text(encoding="utf-8"))["positions"] for line in p["lines"]]
    assert {line["words"].split()[0] for line in told if line["seat"] == 0} == {"Anna"}
    assert "Lanci" in {line["words"].split()[0] for line in told if line["seat"] == 1}


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("", (), "it is not JSON, or was cut off"),
        ("{}", (), "cannot be replayed: format: None is that of no game"),
        ("{}\n{}\n", ("--game", "3"), "has 2 games, none of which is number 3"),
        ("{}\n{}\n", ("--game", "0"), "none of which is number 0"),
        (None, (), "No such file"),
        ("\udcff", (), "it is no text"),
    ],
)
def test_the_command_tells_in_a_sentence_what_is_wrong(
    text: str | None, options: tuple[str, ...], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = tmp_path / "record.json", tmp_path / "game.html"
    page.write_text("as it was", encoding="utf-8")
    if text is not None:
        record.write_text(text, encoding="utf-8", errors="surrogateescape")
    assert main([str(record), str(page), *options]) == 2
    said = capsys.readouterr().err
    assert said.startswith("table.export: ")
    assert complaint in said
    assert said.count("\n") == 1
    assert page.read_text(encoding="utf-8") == "as it was"


def test_a_record_in_which_nobody_has_decided_yet_makes_no_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And its file may begin with the mark of the order of bytes."""
    record = tmp_path / "record.json"
    record.write_text(json.dumps(Game.new(2, seed=1).record()), encoding="utf-8-sig")
    assert main([str(record), str(tmp_path / "game.html")]) == 2
    assert capsys.readouterr().err.endswith("in which nobody has had to decide yet\n")


def test_a_page_does_not_replace_its_record(tmp_path: Path, capsys: pytest.CaptureFixture[str], game: Game) -> None:
    record = tmp_path / "record.json"
    record.write_text(text := json.dumps(game.record()), encoding="utf-8")
    assert main([str(record), str(tmp_path / "." / "record.json")]) == 2
    assert "is the record; name another file" in capsys.readouterr().err
    assert record.read_text(encoding="utf-8") == text


# --- records ----------------------------------------------------------------------------------------------------


def test_a_record_that_is_read_is_the_game_that_was_written(name: str) -> None:
    game = played("greedy", "random", game=name)
    assert read_record(json.dumps(game.record())).record() == game.record()


def bad_records() -> dict[str, str]:
    """Texts that are not the record of a game, by what is wrong with them."""
    record = played("greedy", "random").record()
    text = json.dumps(record)
    return {
        "it is not JSON, or was cut off": text[:2000],
        "not JSON": "[" * 100_000,
        "format: None is that of no game; known are the records of villages, dorfromantik, agricola": "[]",
        "format: 'bohemian-villages/9'": json.dumps(record | {"format": "bohemian-villages/9"}),
        "too long to be looked at": json.dumps(record | {"turns": [{}] * (ROOM.most_turns + 1)}),
        "winners: 3 entries": json.dumps(record | {"winners": [0, 1, 2]}),
        "…": json.dumps(record | {"scoring": "x" * 10_000}),
        "turns[0]": json.dumps(record | {"turns": [{"seat": 0, "income": 0, "roll": [9, 9, 9, 9], "moves": []}]}),
        "\\ud800: 1 is superfluous": json.dumps(record | {"\ud800": 1}),
        "unknown kind 'castle'": json.dumps(record | {"villages": [{"name": "a", "buildings": ["castle"]}]}),
    }


@pytest.mark.parametrize("complaint", bad_records())
def test_what_is_no_record_is_refused_in_a_short_sentence(complaint: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(complaint)) as refused:
        read_record(bad_records()[complaint])
    assert len(str(refused.value)) < 400
