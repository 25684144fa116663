"""Files that earlier versions wrote are read, or refused by a sentence that names the reason.

`tests/data/v0.1.0/README.md` says how its files were made.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from bohemian_env import Batch, Game
from table.session import Session
from table.store import Store
from tests.helpers import DATA_FOLDER

KEPT = DATA_FOLDER / "v0.1.0"


def read(name: str) -> Any:
    """One of the JSON files."""
    return json.loads((KEPT / name).read_text(encoding="utf-8"))


def moves(record: dict[str, Any]) -> list[str]:
    """The moves of a game record."""
    return [move["move"] for turn in record["turns"] for move in turn.get("moves", [])]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A copy of the table's games, which may be written."""
    shutil.copy(KEPT / "table" / "games.sqlite3", tmp_path)
    return Store(tmp_path)


@pytest.mark.parametrize("name", ["complete", "under-way"])
def test_game_records_replay(name: str) -> None:
    record = read(f"records/{name}.json")
    game = Game.from_record(record)
    assert game.record() == record
    assert game.over == (name == "complete")


def test_a_record_under_way_is_played_on() -> None:
    record = read("records/under-way.json")
    game = Game.from_record(record)
    move = game.legal_moves[-1]
    assert moves(game.push(move).record()) == [*moves(record), move]


@pytest.mark.parametrize("name", ["advised", "plain"])
def test_trained_agents_choose_as_they_did(name: str) -> None:
    kept = read("agents/choices.json")[name]
    agent, batch = agents.make(KEPT / "agents" / name), Batch(8, kept["players"])
    batch.reset(kept["seed"])
    for played, chosen in zip(kept["played"], kept["chosen"], strict=True):
        clear = [action is not None for action in chosen]
        assert_array_equal(agent.act_batch(batch)[clear], np.array(chosen)[clear].astype(int))
        batch.step(np.array(played))


def test_games_at_the_table_are_found_and_shown(store: Store) -> None:
    kept = read("table/games.json")
    assert {game.id for over in (False, True) for game in store.recent(over)} == set(kept)
    for name, was in kept.items():
        saved = store.load(name)
        assert saved is not None
        session = Session(saved.seating, saved.actions)
        assert (session.game.over, session.view()["moves"]) == (was["over"], len(moves(was["record"])))
        assert session.game.record() == was["record"]


def test_a_game_at_the_table_is_played_on_as_it_would_have_been(store: Store) -> None:
    """Also by the agents that sit there; the kept game follows."""
    (saved,) = store.recent(over=False)
    wanted = read("table/games.json")[saved.id]["next"]
    session = Session(saved.seating, saved.actions)
    for move in wanted:
        if session.agent_to_move is None:
            session.play(move)
        else:
            session.advance()
    assert moves(session.game.record())[len(saved.actions) :] == wanted
    assert store.write(saved.id, saved.actions, session.actions, session.game.over)
    assert store.recent(over=False)[0].actions == session.actions
