"""The places of pages: each is filled as the code says, and strength as it was measured."""

import json

import pytest

from agents import pretrained
from benchmarks.speed.report import figure
from bohemian_env.games import GAMES
from bohemian_env.villages.opponents.appraiser import VERSION
from pages import ROOT, TABLE_SIZES, generate
from pages.program import BadPage, fill
from table.room import room_of
from tests.helpers import run_python

PAGES = generate.pages()


def test_pages_are_as_the_code_generates_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_every_region_is_used_somewhere() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in generate.REGIONS if f"<!-- generated: {name} -->" not in text] == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<!-- generated: nothing -->\n<!-- end -->\n", "page:1: unknown name 'nothing'"),
        ("<!-- generated: a -->\n", "'a' does not end"),
        ("<!-- generated: a -->\n<!-- measured: b -->\n<!-- end -->\n", "page:2: .*'a' does not end"),
        ("<!-- measured: b -->\n<!-- generated: a -->\n<!-- end -->\n", "page:2: .*'b' does not end"),
        ("\n<!-- end -->\n", "page:2: .*without a beginning"),
    ],
)
def test_a_place_that_cannot_be_filled_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadPage, match=complaint):
        fill(text, "generated", {"a": lambda: "2"})


# --- strength ---------------------------------------------------------------------------------------------------


def test_strength_was_measured_with_the_agents_that_are_shipped() -> None:
    """After other agents are shipped: python -m pages.strength."""
    measured = pretrained.strength()["weights"]
    assert measured == {str(players): pretrained.weights_digest(players) for players in TABLE_SIZES}
    learned = pretrained.strength()["selftaught"]
    assert learned == {str(players): pretrained.weights_digest(players, self_taught=True) for players in TABLE_SIZES}
    assert pretrained.strength()["appraiser"] == VERSION


@pytest.mark.parametrize("players", TABLE_SIZES)
def test_card_and_table_tell_the_same_strength(players: int) -> None:
    """The card is filled from strength.json (above), and so is what the table says."""
    measured = pretrained.duel("ppo", "planner", players)
    assert measured is not None
    share = measured["win_share"]
    lines = (ROOT / "agents" / "pretrained" / "README.md").read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith("| `ppo` | `planner` |"))
    assert row.split(" | ")[players].startswith(f"{share['value']:.3f} ±")
    room = room_of("villages")
    assert room.strength("ppo", players, room.words("en")).startswith(f"Won {share['value']:.0%} of its games against ")


def test_strength_can_be_read_without_torch() -> None:
    code = "import sys; from agents.pretrained import duel; duel('ppo', 'planner', 2); print('torch' in sys.modules)"
    assert run_python("-c", code).stdout.strip() == "False"


# --- speed ------------------------------------------------------------------------------------------------------


def test_the_first_page_has_the_speeds_that_were_measured() -> None:
    """After python -m pages.speed, its table of the games; and the reasons above it."""
    measured = json.loads((ROOT / "docs" / "speed.json").read_text(encoding="utf-8"))
    steps = [row for row in measured["rows"] if "steps_per_second" in row]
    rates = {"{name}/{players}/{batch}/{threads}".format(**row): row["steps_per_second"] for row in steps}
    asked = [one for one in measured["comparisons"] if "step + mask to OpenSpiel backgammon, C++" in one["label"]]
    assert len(asked) == len(GAMES)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for one in asked:
        told = f"| {figure('rate', rates[one['ours']])}, {figure('ratio', one['median'])} |"
        assert told in text, f"{one['label']}: {told}"
