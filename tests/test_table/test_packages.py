"""A game of another package at the table, which has no room there: its text, and a list of moves."""

from pathlib import Path

import pytest

from table.store import Store
from tests.packages import install, install_skeleton
from tests.test_table.asking import Client, play_out

SEATS = [{"name": "Ann"}, {"agent": "greedy"}]


@pytest.mark.slow
def test_it_is_set_up_played_and_looked_at_again(packages: Path, tmp_path: Path) -> None:
    install_skeleton(packages, "two_dice")
    contract = packages / "two_dice" / "contract.py"  # the last column is the total, whatever it is called
    contract.write_text(contract.read_text("utf-8").replace('scoring = ("total",)', 'scoring = ("kept",)'), "utf-8")
    with Client(Store(tmp_path / "data")) as client:
        assert "kept" in client.get("/picture/two_dice.svg").text
        assert ">Two dice<" in client.get("/?game=two_dice").text
        game = client.begin(game="two_dice", seats=SEATS)
        view = client.view(game)
        assert [one["move"] for one in view["legal"]] == ["roll"]
        assert "to\u00a0move:\u00a0Ann" in view["svg"]
        view = play_out(client, game)
        assert view["over"]
        told = [line["words"] for line in client.view(game)["log"]]
        assert told[:2] == ["You: roll", f"Die: {told[1][-1]}"]  # a turn that chance ended is told, too
        won = view["leading"] == [0]
        assert told[-1].startswith("You win (") == won, told[-1]
        assert client.get(f"{game}/review").status_code == 200
        record = client.get(f"{game}/record").json()
        assert record["format"] == "two_dice/1"
        assert client.view(client.made("/records", record))["score"] == view["score"]


def test_one_that_is_broken_is_told_and_leaves_the_others_at_the_table(packages: Path, tmp_path: Path) -> None:
    install(packages, "broken", "broken = broken", contract="import nothing")
    told = "the game broken of broken 1 cannot be played: ModuleNotFoundError: No module named 'nothing'"
    with Client(Store(tmp_path / "data")) as client:
        assert client.get("/").status_code == 200
        asked = {"game": "broken", "seats": SEATS, "options": {}, "seed": None}
        for answer in (client.get("/?game=broken"), client.get("/picture/broken.svg"), client.tell("/games", asked)):
            assert (answer.status_code, told in answer.json()["error"]) in ((409, True), (400, True)), answer.text
