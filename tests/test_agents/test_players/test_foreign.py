"""Agents of other people: what they are shown, what is taken from them, and what is said of those that fail."""

import pickle
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import agents
from agents.players.foreign import BadForeign, ForeignAgent, run_file
from agents.players.names import AgentName
from bohemian_env import BadDice, Batch, Game, GameOver, RollNeeded, bohemian_villages_v0


class Mover:
    """Makes the last legal move, and remembers what it was shown."""

    def __init__(self, number: bool = False) -> None:
        self.number = number
        self.shown: list[Game] = []

    def move(self, game: Game) -> str | int:
        self.shown.append(game)
        return game.legal_actions[-1] if self.number else game.legal_moves[-1]


class Policy:
    """Takes the last legal action."""

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert (observations.dtype, masks.dtype) == (np.int8, np.int8)
        assert (observations.shape[1], masks.shape[1]) == (686, 241)
        chosen = 240 - masks[:, ::-1].argmax(1)
        masks[:] = observations[:] = 1  # its own to spoil
        return chosen


@pytest.mark.parametrize("agent", [Mover(), Mover(number=True), Policy()], ids=["text", "number", "policy"])
def test_where_a_game_is_over_nobody_is_asked(agent: Any) -> None:
    batch = Batch(3, 2, autoreset=False, max_turns=1)
    while not batch.over.any():
        batch.step(batch.random_actions())
    over = batch.over
    assert_array_equal(ForeignAgent(agent).act_batch(batch)[over], 0)
    with pytest.raises(RollNeeded):
        ForeignAgent(agent).move(Game.new(2))
    ended = Game.from_record(batch.record(int(over.argmax())))
    with pytest.raises(GameOver):
        ForeignAgent(agent).move(ended)


def test_a_mover_sees_the_position_but_not_the_dice_to_come() -> None:
    mover, batch = Mover(), Batch(2, 2)
    game, env = Game.new(2, seed=3).roll(), bohemian_villages_v0.raw_env()
    env.reset(seed=3)
    foreign = ForeignAgent(mover)
    foreign.act_batch(batch)
    foreign.move(game)
    foreign.act(env)
    assert mover.shown[2:] == [game, game]
    assert [shown.position() for shown in mover.shown[:2]] == [batch.state_dict(0), batch.state_dict(1)]
    for shown in mover.shown:
        assert shown.seed is None
        due = shown.push(shown.legal_moves[-1])
        while not due.needs_roll:
            due = due.push(due.legal_moves[-1])
        with pytest.raises(BadDice, match="no seed"):
            due.roll()
        assert len(due.roll((1, 2, 3, 4)[: due.dice_to_roll]).dice) == 4


def answering(method: str, answer: Any) -> ForeignAgent:
    """An agent whose method returns this, or raises it."""

    def give(*_: Any) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return ForeignAgent(type("Odd", (), {method: staticmethod(give)})())


BAD_ANSWERS = [
    ("move", "hop", "move() returned 'hop': 'hop' is not a move; "),
    ("move", "end", "move() returned 'end': "),
    ("move", 240, "move() returned 240: "),
    ("move", None, "move() returned None: 'None' is not legal: an action is a whole number from 0 to 240"),
    ("move", "x" * 5000, f"move() returned '{'x' * 299}…: "),
    ("move", KeyError("x"), "move() failed: KeyError: 'x'"),
    ("move", SystemExit("bye"), "move() failed: SystemExit: bye"),
    ("act", None, "act() returned object (), not whole numbers (3,)"),
    ("act", [1.0, 2.0, 3.0], "act() returned float64 (3,), not whole numbers (3,)"),
    ("act", [[1], [2, 3]], "act() returned list, no array: "),
    ("act", [240, 240, 240], "act() returned 240, which is not legal; legal: "),
    ("act", [-1, -1, -1], "act() returned -1, which is not legal; legal: "),
    ("act", np.full(3, 2**63, np.uint64), "act() returned 9223372036854775808, which is not legal; legal: "),
    ("act", ValueError("a\nb"), "act() failed: "),
]


@pytest.mark.parametrize(("method", "answer", "said"), BAD_ANSWERS, ids=[str(row[1])[:20] for row in BAD_ANSWERS])
def test_a_bad_answer_is_told_in_a_sentence(method: str, answer: Any, said: str) -> None:
    batch = Batch(3, 2)
    batch.reset(0)
    with pytest.raises(BadForeign, match=f"^Odd: {re.escape(said)}[^\n]*$") as refused:
        answering(method, answer).act_batch(batch)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)  # it comes from other processes


class Unreadable:
    """What it has fails when it is asked for."""

    def __init__(self, name: str) -> None:
        self.unreadable = name

    def __getattr__(self, name: str) -> Any:
        if name == self.unreadable:
            raise RuntimeError("gone")
        if name == "move":
            return str
        raise AttributeError(name)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        *((Unreadable(name), f"Unreadable: {name} cannot be read: ") for name in ("move", "files", "games_at_once")),
        (None, "NoneType has neither move(game) nor act(observations, masks)"),
        (Mover, "an object plays, not a class: Mover()"),
        (SimpleNamespace(move=str, files="weights.pt"), "files 'weights.pt' are not a list of paths"),
        (SimpleNamespace(move=str, files=["nowhere.pt"]), "files: 'nowhere.pt' is not a file"),
        (SimpleNamespace(move=str, games_at_once=0), "games_at_once 0 is not a whole number of at least 1"),
    ],
)
def test_what_is_no_agent_is_refused(agent: Any, said: str) -> None:
    with pytest.raises(BadForeign, match=re.escape(said)):
        ForeignAgent(agent)


FIRST = "class First:\n    def move(self, game):\n        return game.legal_moves[0]\n\nagent = First()\n"
DATACLASS = """\
from __future__ import annotations
from dataclasses import dataclass
from helping import which

@dataclass
class Chosen:
    place: int

    def act(self, observations, masks):
        return [row.nonzero()[0][self.place] for row in masks]

agent = Chosen(which)
"""


def file_of(folder: Path, text: str | bytes) -> AgentName:
    """The name of an agent in a new file."""
    path = folder / "mine.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return AgentName.parse(f"python:{path}")


def test_a_file_gives_its_agent(tmp_path: Path) -> None:
    (tmp_path / "helping.py").write_text("which = 0\n")
    batch = Batch(4)
    for text in (FIRST, DATACLASS):
        named = file_of(tmp_path, text)
        found = run_file(named)
        assert (found.name, found.files) == (named.text, (tmp_path / "mine.py",))
        assert_array_equal(found.act_batch(batch), batch.masks.argmax(1))


def test_two_files_do_not_share_a_module_that_each_has(tmp_path: Path) -> None:
    """Two versions of an agent, say, of which the second would play with the first one's code."""
    for version in ("v1", "v2"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "my_helper.py").write_text(f"VERSION = {version!r}")
    text = "import my_helper\nclass Agent:\n    version = my_helper.VERSION\n    def move(self, game): ...\n"
    text += "agent = Agent()\n"
    for _ in range(2):
        assert run_file(file_of(tmp_path / "v1", text))._agent.version == "v1"
    with pytest.raises(BadForeign, match=r"v2 and .*v1 both have a module 'my_helper'"):
        run_file(file_of(tmp_path / "v2", text))


def test_it_may_name_more_files(tmp_path: Path) -> None:
    weights = tmp_path / "weights.pt"
    weights.touch()
    found = run_file(file_of(tmp_path, f"{FIRST}agent.files = [{str(weights)!r}]\nagent.games_at_once = 8\n"))
    assert found.files == (tmp_path / "mine.py", weights)
    assert found.games_at_once == 8
    assert not hasattr(run_file(file_of(tmp_path, FIRST)), "games_at_once")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "it does not run: line 1: SyntaxError: invalid syntax"),
        (b"x = '\xff'\n", "it does not run: "),
        ("x = 1\n\nimport nothing_of_this_name\n", "it does not run: line 3: ModuleNotFoundError: No module named "),
        ("raise SystemExit(3)\n", "it does not run: line 1: SystemExit: 3"),
        ("x = 1\n", "the file has no object that is called 'agent'"),
        ("class agent:\n    def move(self, game): ...\n", "an object plays, not a class: agent()"),
    ],
)
def test_a_bad_file_is_told_in_a_sentence(text: str | bytes, said: str, tmp_path: Path) -> None:
    named = file_of(tmp_path, text)
    with pytest.raises(BadForeign, match=f"^{re.escape(f'{named.text}: {said}')}[^\n]*$"):
        run_file(named)


def test_an_error_in_a_decision_names_the_line(tmp_path: Path) -> None:
    text = FIRST.replace("return game.legal_moves[0]", "return game.moves[0]")
    with pytest.raises(BadForeign, match=r"mine\.py: move\(\) failed: line 3: AttributeError: 'Game' object has no"):
        run_file(file_of(tmp_path, text)).act_batch(Batch(2))


def test_nothing_but_its_own_function_runs_a_file(tmp_path: Path) -> None:
    """A name may come from a page or a stranger's file."""
    named = file_of(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(agents.UnknownAgent, match=r"only a command line that names a file of Python runs it"):
        agents.make(named.text)
    assert not (tmp_path / "ran").exists()
