"""Games that other packages offer: found, made and checked; what is wrong with one is told where it is asked for."""

import copy
import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from bohemian_env import check, games
from bohemian_env.engine.contract import Rules
from bohemian_env.engine.errors import BadNotation, BadOutcome, BadPosition, BadRecord, BadSetup, IllegalMove
from bohemian_env.games import GAMES, faces_of, game_of_environment, game_of_record, known_games, rules_for, rules_of
from tests.packages import install, install_skeleton, python, skeleton

MAKE = """
import sys, bohemian_env
assert not {"mygame", "torch"} & {*sys.modules}, "something was imported that nobody asked for"
import gymnasium, pettingzoo, pickle
one = gymnasium.make("bohemian_env/Mygame-v0", opponents=["random"], illegal="random")
one.reset(seed=1)
over = False
while not over:
    *_, over, cut, info = one.step(0)
    over = over or cut
many = gymnasium.make_vec("bohemian_env/Mygame-v0", num_envs=3)
print(sorted(info), many.reset(seed=1)[0]["observation"].shape)
if hasattr(pettingzoo, "make"):  # since 1.27
    assert pettingzoo.make("aec", "bohemian_env/Mygame-v0").unwrapped.metadata["name"] == "mygame_v0"
print(pickle.dumps(bohemian_env.games.rules_of("mygame").game.new(3, seed=5)).hex())
"""


@pytest.fixture
def mygame(packages: Path) -> Rules:
    install_skeleton(packages)
    return rules_of("mygame")


def test_it_is_known_beside_those_here(packages: Path) -> None:
    install_skeleton(packages)
    assert known_games() == (*GAMES, "mygame")
    assert "mygame" not in sys.modules  # it is imported when somebody asks for it
    rules = rules_of("mygame")
    assert (rules.name, rules.env_name, rules.missing()) == ("mygame", "mygame_v0", [])
    assert faces_of("mygame").raw_env.rules is rules_for(rules.setup(3)) is rules
    assert game_of_environment("mygame_v0") == "mygame"
    assert game_of_record(rules.game.new(2, seed=1).record()) == "mygame"
    with pytest.raises(BadSetup, match="unknown game 'chess'; known are villages, dorfromantik, agricola, mygame"):
        rules_of("chess")


@pytest.mark.slow
def test_the_libraries_make_it_and_other_processes_read_its_pickles(packages: Path) -> None:
    install_skeleton(packages)
    told, made = python(packages, "-c", MAKE).splitlines()
    assert told == "['cut_off', 'margin', 'win'] (3, 5)"
    game = pickle.loads(bytes.fromhex(made))
    assert game == rules_of("mygame").game.new(3, seed=5)


@pytest.mark.slow
def test_it_keeps_every_promise(packages: Path) -> None:
    install_skeleton(packages)
    told = python(packages, "-m", "bohemian_env.check", "mygame")
    assert "mygame_v0: 14 of 14 checks passed" in told


# --- what the floor makes of few words ------------------------------------------------------------------------------


def test_odd_values_are_told(mygame: Rules) -> None:
    game = mygame.game.new(2).push("roll")
    with pytest.raises(BadOutcome, match="7 cannot come: seat 0 needs: die, one of 1, 2, 3, 4, 5, 6"):
        game.deal(7)
    with pytest.raises(BadNotation, match="'pass' is no move; legal are roll, keep"):
        game.deal(6).push("pass")
    with pytest.raises(IllegalMove, match=r"'keep' is not legal: legal are roll \[turn 0, seat 0\]"):
        mygame.game.new(2).push("keep")
    with pytest.raises(BadSetup, match="players 5 is not a whole number from 2 to 4"):
        mygame.setup(5)
    with pytest.raises(BadSetup, match="unknown parameter 'goal'; known are num_players"):
        mygame.setup(2, goal=3)


def test_positions_and_records_that_contradict_themselves_are_told(mygame: Rules) -> None:
    game = mygame.game.new(2).push("roll").deal(6)
    told: Any
    for name, told in (("to_move", 2), ("points", [60, 0, 0, 0]), ("points", [0, 0]), ("end", 7), ("sum", "x")):
        with pytest.raises(BadPosition, match=name):
            mygame.game.from_position(game.position() | {name: told})
    states = copy.deepcopy(game.states)
    states["legal"] = 1
    with pytest.raises(BadPosition, match="legal: not what follows from the rest"):
        mygame.checked_states(states)
    record = game.record()
    assert record["events"] == [{"move": "roll"}, {"outcome": 6}]
    for name, told, why in (
        ("events", [{"move": "keep"}], r"events\[0\]: 'keep' is not legal"),
        ("events", [{"roll": 1}], r"events\[0\]: .* is not an object with a move or an outcome"),
        ("format", "mygame/2", "'mygame/2' is not 'mygame/1'"),
        ("players", ["A"], "players 1 is not a whole number"),
        ("setup", {"goal": 3}, "setup"),
    ):
        with pytest.raises(BadRecord, match=why):
            mygame.game.from_record(record | {name: told})


def test_a_drawing_is_its_text(mygame: Rules) -> None:
    game = mygame.game.new(2, names=["Ann", "Bert"]).push("roll").deal(6)
    text = mygame.draw_text(game.position(), names=["Ann", "Bert"])
    assert text.splitlines()[:3] == ["to move: Ann", "Ann: total 0", "Bert: total 0"]
    for dark in (None, True, False):
        drawn = mygame.draw_svg(game.position(), names=["Ann", "Bert"], dark=dark, ids=False)
        assert all(line.replace(" ", "\u00a0") in drawn for line in text.splitlines())
        assert ("<rect" in drawn) == (dark is not None)
    with pytest.raises(BadSetup, match="dark"):
        mygame.draw_svg(game.position(), dark=2)


# --- what is wrong with one -----------------------------------------------------------------------------------------

CONTRACT, VERBS = skeleton("contract"), skeleton("verbs")
BROKEN = {
    "ModuleNotFoundError: No module named 'nothing'": {"contract": "import nothing"},
    "ModuleNotFoundError: No module named 'mygame.contract'": {},
    "AttributeError: module 'mygame.contract' has no attribute 'RULES'": {"contract": ""},
    "TypeError: RULES is 7, not an object": {"contract": "RULES = 7"},
    "SystemExit: 3": {"contract": "raise SystemExit(3)"},
    "ValueError: a name in its rules is 'other', not mygame": {"contract": CONTRACT.replace('= "mygame"', '= "other"')},
    "TypeError: its rules lack settle": {"contract": CONTRACT.replace("def settle", "def settled"), "verbs": VERBS},
    "TypeError: its rules lack verbs.deal": {"contract": CONTRACT, "verbs": VERBS.replace("def deal", "def dealt")},
    "TypeError: its rules lack an opponent called greedy": {
        "contract": CONTRACT.replace("    moves = ", '    opponents = {"random": "anything"}\n    moves = '),
        "verbs": VERBS,
    },
    "SyntaxError: ": {"contract": "class"},
}


@pytest.mark.parametrize("told", BROKEN)
def test_a_broken_one_is_told_where_it_is_asked_for_and_breaks_nothing_else(told: str, packages: Path) -> None:
    files = {"__init__": "", "verbs": VERBS} | BROKEN[told]
    install(packages, "mygame", "mygame = mygame", **files)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert known_games() == (*GAMES, "mygame")
        assert [rules_of(name).name for name in GAMES] == [*GAMES]
        assert game_of_environment("another_v0") is None
    for _ in range(2):
        with pytest.raises(BadSetup) as error:
            rules_of("mygame")
        assert str(error.value).startswith("the game mygame of mygame 1 cannot be played: " + told)
        assert "\n" not in str(error.value)
    with pytest.raises(SystemExit, match="2"):
        check.main(["mygame"])


def test_verbs_outside_a_package_are_told_since_no_change_in_them_would_be_seen(packages: Path) -> None:
    install(packages, "mygame", "mygame = mygame", contract=CONTRACT, verbs=VERBS)
    with pytest.raises(BadSetup, match=r"its verbs are in no package: there is no __init__\.py beside them"):
        rules_of("mygame")


@pytest.mark.parametrize("name", ["villages", "Pig", "two-dice", "class", "1a", "_a"])
def test_an_offer_with_a_name_that_cannot_be_is_left_out_with_one_warning(name: str, packages: Path) -> None:
    install(packages, "mygame", f"{name} = mygame\n")
    with pytest.warns(RuntimeWarning, match=f"mygame 1 offers the game '{name}': .*; it is left out") as told:
        assert known_games() == known_games() == GAMES
    assert len(told) == 1
    if name == "villages":
        assert rules_of(name).env_name == "bohemian_villages_v0"
    else:
        with pytest.raises(BadSetup, match=f"unknown game '{name}'; known are .*; mygame 1 offers the game '{name}'"):
            rules_of(name)


def test_two_offers_of_one_name_are_both_left_out(packages: Path) -> None:
    for package in ("one", "other"):
        install(packages, package, f"two_dice = {package}\n")
    with pytest.warns(RuntimeWarning, match=r"one 1 and other 1 both offer the game two_dice|other 1 and one 1 both"):
        assert known_games() == GAMES
    with pytest.raises(BadSetup, match="both offer the game two_dice"):
        rules_of("two_dice")


def test_nothing_is_offered_twice_by_being_found_twice(packages: Path) -> None:
    install_skeleton(packages)
    again = packages / "mygame-2.dist-info"  # an installation that was not cleared away
    (packages / "mygame-1.dist-info").rename(again)
    install(packages, "other", "", empty="")
    games._offered.cache_clear()
    assert games.offered() == ("mygame",)
