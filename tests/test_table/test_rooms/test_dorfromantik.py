"""The room of Dorfromantik: moves as they are offered and told, panels, and what moves are worth."""

import importlib
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

import agents
from bohemian_env.dorfromantik import Game
from bohemian_env.dorfromantik.draw.scene import Scene, is_task
from bohemian_env.dorfromantik.moves import parse_move
from bohemian_env.dorfromantik.tiles import EDGES
from bohemian_env.engine.words import LANGUAGES
from table.room import Teller, room_of
from table.rooms.dorfromantik.measure import GAMES as GAMES_PLAYED
from table.rooms.dorfromantik.measure import measured, results

ROOM = room_of("dorfromantik")
REASONS = importlib.import_module("table.rooms.dorfromantik.reasons")


def played(player: str, seed: int, turns: int = 99, players: int = 1) -> Game:
    agent, game = agents.make(player, seed=seed, game="dorfromantik"), Game.new(players, seed=seed).dealt()
    while not game.over and game.turn <= turns:
        game = game.push(agent.move(game)).dealt()
    return game


GAMES = {"greedy": played("greedy", 4), "random": played("random", 3, players=3)}
SOME = [GAMES["greedy"].moments()[number] for number in (0, 3, 40, 101, -2)]
"""Moments of a game: at its beginning, in a decision, or after one."""


def teller(language: str, players: int = 1, you: int | None = 0) -> Teller:
    return Teller(["Ana", "Ben", "Cleo"][:players], you, ROOM.words(language))


# --- words --------------------------------------------------------------------------------------------------------


def test_whatever_a_seat_does_is_told_of_others_and_of_you() -> None:
    words = ROOM.words("en")
    assert words.part("does").keys() == words.part("does_you").keys() == {*words.part("does_order"), "leave"}
    assert {*words.part("scoring")} == {*words.part("scoring_means")} == {*ROOM.rules.scoring}
    assert {*ROOM.pages(words)["points"], "heading"} == {*words.part("rules")}


def test_every_ruling_that_the_rules_name_is_there() -> None:
    known = {*re.findall(r"\*\*(D\d+)\*\*", (ROOM.folder.parents[2] / "docs" / "dorfromantik.md").read_text("utf-8"))}
    named = {ruling for told in ROOM.pages(ROOM.words("en"))["points"].values() for ruling in told.split(", ")}
    assert named <= known


# --- moves --------------------------------------------------------------------------------------------------------


def test_options_are_the_legal_moves_the_best_matching_rotation_of_a_cell_first() -> None:
    for game in SOME:
        options = ROOM.options(game, teller("en"))
        assert sorted(option["move"] for option in options) == sorted(game.legal_moves)
        fits: dict[str, list[int]] = {}
        for option in options:
            q, r, _ = parse_move(option["move"])
            assert option["at"] == [f"empty-{q}-{r}"]
            found = re.search(r"\((\d) edges? match", option["words"])
            fits.setdefault(option["at"][0], []).append(int(found[1]) if found else 0)
        assert all(counts == sorted(counts, reverse=True) for counts in fits.values())
        assert len({option["words"] for option in options}) == len(options)


def test_edges_match_as_the_drawing_shows_them() -> None:
    """G1 is all grain: laid beside the grain edges of G2 as many match as meet them."""
    game = Game.new().deal("G2").deal(6).push("+0+0 r0").deal("G1").deal(5)
    told = {option["move"]: option["words"] for option in ROOM.options(game, teller("en"))}
    assert told["+1-1 r0"].endswith("rotation 0 (1 edge matches) and bring grain to 2 of 5 and grain to 2 of 6.")
    assert told["-1+1 r0"] == "Lay the task tile grain 5 on −1+1, rotation 0."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("player", GAMES)
def test_every_move_of_a_game_is_told(player: str, language: str) -> None:
    game = GAMES[player]
    moments, scores = game.moments(), Counter[str]()
    lines = ROOM.lines(moments)
    assert len(lines) == len(game.actions) + len(game.position()["left"]) + 1
    assert [line.moment for line in lines[:-1]] == [
        number for number, before in enumerate(moments[:-1], 1) if not before.needs_chance
    ]
    entries = [ROOM.entry(line, teller(language, game.players)) for line in lines]
    assert [entry["kind"] for entry in entries] == ["move"] * len(game.actions) + ["end"]
    assert all(entry["words"].endswith(".") and "{" not in entry["words"] for entry in entries)
    for line in lines[:-1]:
        scores["markers"] += sum(int(marker[1:]) for marker in line.event.fulfilled)
        scores["flags"] += sum(points for _, points in line.event.flags)
        scores |= Counter(dict(line.event.longest))
    assert scores == {name: count for name, count in game.score.items() if name != "total" and count}
    assert str(game.score["total"]) in entries[-1]["words"]
    own = [entry for entry in entries if entry["seat"] == 0]
    assert {entry["words"].split()[0] for entry in own} == {{"en": "You", "de": "Du", "it": "Posi"}[language]}


def test_a_tile_that_leaves_the_game_is_told() -> None:
    """Where the landscape may be three cells wide, some tile soon fits nowhere (D13)."""
    rng, found = random.Random(1), []
    for seed in range(40):
        game = Game.new(seed=seed, window=3).dealt()
        while not game.over:
            game = game.push(rng.choice(game.legal_moves)).dealt()
        gone = [line for line in ROOM.lines(game.moments()) if line.event and line.event.move is None]
        assert len(gone) == len(game.position()["left"])
        found += gone
    assert found
    entry = ROOM.entry(found[0], teller("en"))
    assert (entry["kind"], entry["text"].endswith(": –")) == ("pass", True)
    assert "leaves the game" in entry["words"]


# --- what is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_panels_light_the_territories_of_tasks_and_show_what_is_to_come(language: str) -> None:
    for game in SOME:
        svg = ROOM.draw(game, ["Ana"], None, ROOM.words(language))
        drawn = {part.get("id") for part in ET.fromstring(svg).iter() if part.get("id")}
        panels = ROOM.panels(game, teller(language))
        found = [names.split() for names in re.findall(r'\sdata-lights="([^"]*)"', panels)]
        ids = {*re.findall(r'\sid="([^"]+)"', panels)}
        assert {"panel-hand", "panel-tasks", "panel-counts", "panel-stacks"} <= ids
        assert {name for lights in found for name in lights} <= drawn
        stakes = Scene.of(game.state_dict(), None, None).stakes.values()
        tasks = [stake for stake in stakes if is_task(stake.tile)]
        assert [len(lights) for lights in found[: len(tasks)]] == [stake.size for stake in tasks]
        longest = [game.score["track"], game.score["stream"]]
        assert [len(lights) for lights in found[-2:]] == longest
        stacks, s = game.state_dict()["stacks"], game.states[0]
        unseen = int(s["landscape"]).bit_count() + int(s["tasks"]).bit_count()
        assert len(re.findall(r'<span title="[LWGVTS]\d', panels)) == unseen
        for told in (panels, ROOM.middle(game, teller(language)), " ".join(ROOM.strip(game, teller(language)))):
            assert str(stacks["landscape"]) in told
        if game.tile:
            assert game.legal_moves
            assert ROOM.seen(game, ROOM.words(language)) in ROOM.prompt(game, teller(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_says_what_it_is(language: str) -> None:
    for game in SOME:
        about = ROOM.about(game, ROOM.words(language))
        parts = {part.get("id") for part in ET.fromstring(ROOM.draw(game, ["Ana"], None, ROOM.words(language))).iter()}
        may_be_turned = (
            {f"empty-{q}-{r}" for q, r in [parse_move(game.happened[0]["move"])[:2]]}
            if not game.tile and game.turn
            else set()
        )
        assert {*about} == {part for part in parts if str(part).startswith(("cell-", "empty-"))} | may_be_turned
        assert not any("{" in told for told in about.values())


def test_tiles_that_fit_an_empty_cell_are_counted() -> None:
    """Beside a track edge of T3 only tiles with track fit; all that are to come have an edge that may meet meadow."""
    game = Game.new().deal("T3").deal(6).push("+0+0 r0")
    about = ROOM.about(game, ROOM.words("en"))
    tracks = sum("T" in edges for edges in EDGES) - 1
    assert about["empty-0-1"] == f"borders track (north-west). Of the tiles still to come, {tracks} of 72 fit"
    assert about["empty-1-0"] == "borders meadow (west). Of the tiles still to come, 72 of 72 fit"


# --- what moves are worth -----------------------------------------------------------------------------------------


def test_reasons_speak_for_the_better_of_two_moves() -> None:
    """In points of parts, of which each input of the value belongs to one."""
    assert {*REASONS.part_of_inputs()} == {*range(len(REASONS.PARTS))}
    told = 0
    for turns in (9, 24, 39, 52):
        game = played("greedy", 5, turns)
        best, *_, worst = ROOM.best(game, len(game.legal_moves))
        one, other = game.action_to_text(best), game.action_to_text(worst)
        found = REASONS.found(game, one, other)
        assert sum(reason.points for reason in found) >= 0
        assert {reason.part for reason in found} <= {*REASONS.PARTS}
        words = ROOM.reasons(game, one, other, ROOM.words("de"))
        assert words.count(",") == 2 * len(found) - 1 if found else words == ""
        told += len(found)
    assert told


def test_what_a_move_brings_adds_up_to_what_it_is_worth() -> None:
    game = played("planner", 5, 20)
    best = max(ROOM.worth(game), key=ROOM.worth(game).__getitem__)
    brought = REASONS.brought(game.states[0], best).sum(axis=1)
    error = brought.std(ddof=1) / np.sqrt(len(brought))
    assert game.score["total"] + brought.mean() == pytest.approx(ROOM.worth(game)[best], abs=5 * error + 1)


# --- what agents reach --------------------------------------------------------------------------------------------


def test_what_was_measured_is_what_the_agents_do() -> None:
    """The first games are among those that were counted."""
    for agent, games in GAMES_PLAYED.items():
        kept = measured()[agent]
        assert sum(kept["counts"]) == kept["games"] == games
        totals = range(kept["lowest"], kept["lowest"] + len(kept["counts"]))
        mean = np.average(totals, weights=kept["counts"])
        assert kept["mean"] == pytest.approx(mean, abs=0.051)
        assert str(round(kept["mean"])) in ROOM.strength(agent, 1, ROOM.words("it"))
        again = results(agent, 2 if ":" in agent else 9)
        found = {again["lowest"] + place: count for place, count in enumerate(again["counts"]) if count}
        assert all(count <= kept["counts"][total - kept["lowest"]] for total, count in found.items())
    assert ROOM.strength("random", 1, ROOM.words("en")) == ""


def test_a_result_has_its_place_among_many_and_a_medal_by_the_means() -> None:
    game = GAMES["greedy"]
    told = ROOM.verdict(game, teller("en"))
    kept, total = measured()["values"], game.score["total"]
    worse = sum(kept["counts"][: max(total + 1 - kept["lowest"], 0)])
    assert f"number {kept['games'] - worse + 1}." in told
    means = [measured()[agent]["mean"] for agent in ("greedy", "planner", "values")]
    medals = ["No medal", "Bronze", "Silver", "Gold"]
    assert told.startswith(medals[sum(total >= mean for mean in means)])


# --- two games on the same stacks ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Game, Game]]:
    """Games on the same stacks, by a better and a worse agent."""
    return [(played("planner", seed), played(worse, seed)) for seed, worse in ((4, "greedy"), (8, "random"))]


def settled(game: Game) -> dict[str, int]:
    """The turn in which each task and each flag was settled, told by the positions alone."""
    found: dict[str, int] = {}
    for moment in game.moments():
        flags = [entry["tile"] for entry in moment.state_dict()["flags"]]
        for tile in (*moment.fulfilled, *moment.aborted, *flags):
            found.setdefault(tile, moment.turn)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_came_out_otherwise_in_one_of_two_games_is_told(pairs: list[tuple[Game, Game]], language: str) -> None:
    for pair in pairs:
        for one, two in (pair, pair[::-1]):
            assert ROOM.parted(one.moments(), one.moments(), teller(language)) == []
            told = ROOM.parted(one.moments(), two.moments(), teller(language))
            first, second = ({flag["tile"]: flag["points"] for flag in game.position()["flags"]} for game in (one, two))
            tiles = {*one.fulfilled} ^ {*two.fulfilled}
            tiles |= {tile for tile in {*first, *second} if first.get(tile) != second.get(tile)}
            turns = Counter(settled(one).get(tile) for tile in tiles)
            turns[None] += sum(one.score[name] != two.score[name] for name in ("track", "stream"))
            assert Counter(parting.turn for parting in told) == turns
            assert not any("{" in parting.words for parting in told)


def test_a_task_that_one_game_fulfilled_and_the_other_aborted_is_told_with_both_tiles(
    pairs: list[tuple[Game, Game]],
) -> None:
    found = 0
    for one, two in pairs:
        told = [parting.words for parting in ROOM.parted(one.moments(), two.moments(), teller("en"))]
        numbers = {entry["tile"]: entry["number"] for entry in one.position()["fulfilled"]}
        for tile in {*one.fulfilled} & {*two.aborted}:
            kind = ROOM.words("en")(f"kind.{tile[0]}")
            sentence = f"Tile {settled(one)[tile]}: it fulfilled {kind} {numbers[tile]}, which you aborted"
            assert f"{sentence} with tile {settled(two)[tile]}." in told
            found += 1
    assert found
