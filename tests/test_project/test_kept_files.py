"""Files that earlier versions wrote are read, or refused by a sentence that names the reason.

`tests/data/v0.1.0/README.md` says how its files were made.
"""

import importlib
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from bohemian_env import Batch, Game
from table.session import Session
from table.store import Store
from tests.helpers import DATA_FOLDER

KEPT = DATA_FOLDER / "v0.1.0"


def read(name: str, folder: Path = KEPT) -> Any:
    """One of the JSON files."""
    return json.loads((folder / name).read_text(encoding="utf-8"))


def moves(record: dict[str, Any]) -> list[str]:
    """The moves of a game record."""
    return [move["move"] for turn in record["turns"] for move in turn.get("moves", [])]


@pytest.fixture(params=["v0.1.0", "v0.2.0"])
def kept_in(request: pytest.FixtureRequest) -> Path:
    """The folder of a version."""
    return DATA_FOLDER / str(request.param)


@pytest.fixture
def store(tmp_path: Path, kept_in: Path) -> Store:
    """A copy of the table's games, which may be written."""
    shutil.copy(kept_in / "table" / "games.sqlite3", tmp_path)
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


def test_games_at_the_table_are_found_and_shown(store: Store, kept_in: Path) -> None:
    kept = read("table/games.json", kept_in)
    assert {game.id for over in (False, True) for game in store.recent(over)} == set(kept)
    for name, was in kept.items():
        saved = store.load(name)
        assert saved is not None
        session = Session(saved.seating, saved.actions)
        assert (session.game.over, session.view()["moves"]) == (was["over"], len(moves(was["record"])))
        assert session.game.record() == was["record"]


def test_a_game_at_the_table_is_played_on_as_it_would_have_been(store: Store, kept_in: Path) -> None:
    """Also by the agents that sit there; the kept game follows."""
    (saved,) = store.recent(over=False)
    wanted = read("table/games.json", kept_in)[saved.id]["next"]
    session = Session(saved.seating, saved.actions)
    for move in wanted:
        if session.agent_to_move is None:
            session.play(move)
            if session.held:
                session.confirm()
        else:
            session.advance()
    assert moves(session.game.record())[len(saved.actions) :] == wanted
    assert store.write(saved.id, saved.actions, session.actions, session.game.over)
    assert store.recent(over=False)[0].actions == session.actions


# --- what version 0.2.0 left ------------------------------------------------------------------------------------------

NAMES: dict[str, list[str]] = json.loads((DATA_FOLDER / "v0.2.0" / "names.json").read_text(encoding="utf-8"))
GONE = json.loads((DATA_FOLDER / "v0.2.0" / "gone.json").read_text(encoding="utf-8"))
"""Names that only the package itself used, and that it no longer has."""


@pytest.mark.parametrize("module", NAMES)
def test_names_of_0_2_are_found_where_they_were(module: str) -> None:
    found = importlib.import_module(module)
    missing = [name for name in NAMES[module] if not hasattr(found, name)]
    assert missing == GONE.get(module, [])


@pytest.mark.parametrize("module", ["bohemian_env.game.nonsense", "bohemian_env.envs.nonsense", "bohemian_env.gone"])
def test_modules_that_never_were_are_not_found(module: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(module)


def test_a_name_that_never_was_is_not_found() -> None:
    with pytest.raises(ImportError, match="nonsense"):
        exec("from bohemian_env.game.rules import nonsense")


def test_pickles_of_0_2_are_what_they_were() -> None:
    things = pickle.loads((DATA_FOLDER / "v0.2.0" / "pickles.pickle").read_bytes())
    told = json.loads((DATA_FOLDER / "v0.2.0" / "pickled.json").read_text(encoding="utf-8"))
    game, batch, env, games = (things[name] for name in ("game", "batch", "env", "self_play"))
    assert game.record() == told["game"]
    assert [batch.record(i) for i in range(4)] == told["batch"]
    assert int(batch.observations.astype(int).sum()) == told["batch_observed"]
    assert (env.record(), env.agent_selection) == (told["env"], told["env_agent"])
    assert ([*map(int, games.seeds)], games.observations.astype(int).sum(1).tolist()) == (
        told["self_play"],
        told["self_play_observed"],
    )
    assert [type(things["error"]).__name__, str(things["error"])] == told["error"]
    assert things["setup"].start(9) == things["start"]
    for one in (game, batch, env, games, things["setup"], things["board"], things["start"]):  # and they go on
        assert type(pickle.loads(pickle.dumps(one))) is type(one)
    batch.step(batch.random_actions(3))
    games.step([int(mask.argmax()) for mask in games.masks])
    env.step(env.legal_actions()[0])
    assert set(told["ids"]) <= set(gymnasium.registry)
