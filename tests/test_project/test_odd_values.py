"""Odd values at public functions raise the named errors, which say what is wrong, and no others.

The functions are found, not listed: all that the packages and modules in :data:`WHERE` offer, with their classes'
constructors and methods. Each parameter gets every odd value while the others have valid ones.
"""

import contextlib
import importlib
import inspect
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from agents import Agent
from agents.common.files import BadAgent
from agents.network.net import PolicyNet
from agents.players.foreign import BadForeign, ForeignAgent
from agents.players.names import UnknownAgent
from agents.players.playouts import MonteCarloAgent
from agents.players.policy import PolicyAgent
from agents.players.scripted import ScriptedAgent
from agents.players.search import SearchAgent
from agents.players.shipped import ShippedAgent
from agents.tournament import BadTournament, enter
from bohemian_env import Batch, Board, BohemianError, Game, IllegalMove, Setup
from bohemian_env.games import GAMES, rules_of
from bohemian_env.villages.faces import SelfPlay, VillagesEnv, VillagesVectorEnv, raw_env
from bohemian_env.villages.opponents import Scripted
from bohemian_env.villages.setup import Start
from table.seating import BadSeating
from tests.faults.odd import ODD, changes
from tests.helpers import BOARD
from tests.test_agents.networks import TOLD, net_of

WHERE = (
    "bohemian_env", "bohemian_env.bohemian_villages_v0", "bohemian_env.villages.opponents",
    "bohemian_env.villages.render", "agents", "agents.tournament", "bohemian_env.villages.setup",
    "bohemian_env.villages.notation", "bohemian_env.villages.faces",
    "agents.network.files", "agents.players.names", "agents.players.policy", "agents.players.scripted",
    "agents.players.playouts", "agents.players.search", "agents.players.shipped", "agents.players.foreign",
)  # fmt: skip
"""Packages and modules whose ``__all__`` is public, or all that they define under a public name."""
NAMED = (BohemianError, BadAgent, BadForeign, BadTournament, UnknownAgent, BadSeating)
"""Errors of the project; a function may raise those, too, that its docstring names."""


def begun() -> raw_env:
    """An environment in which somebody is to move."""
    env = raw_env()
    env.reset(seed=1)
    return env


def single() -> VillagesEnv:
    """A single environment in which the learner is to move."""
    env = VillagesEnv()
    env.reset(seed=1)
    return env


def net() -> PolicyNet:
    """A small network."""
    return net_of(0, TOLD)


VALID: dict[str, Callable[[], Any]] = {
    "action": lambda: Game.new(seed=1).roll().legal_actions[0],
    "actions": lambda: Batch(3).random_actions(),
    "agent": lambda: "player_0",
    "ForeignAgent.agent": lambda: ScriptedAgent("greedy"),
    "arguments": lambda: ["greedy", "random"],
    "data": dict,
    "figures": lambda: 12,
    "coin_supply": lambda: 300,
    "special_action_tiles": lambda: 7,
    "game": lambda: Game.new(seed=1).roll(),
    "sides": lambda: 0,
    "villages": lambda: [{"name": "a", "buildings": ["mill"]}],
    "name": lambda: "random",
    "names": lambda: ["Itschkau"],
    "net": net,
    "opponents": lambda: [Scripted("random")],
    "path": lambda: "agents/pretrained/2-players.safetensors",
    "players": lambda: 2,
    "position": lambda: Game.new(seed=1).roll().position(),
    "n": lambda: 3,
    "seed": lambda: 1,
    "seeds": lambda: Batch(3).seeds,
    "pieces": tuple,
    "i": int,
    "states": lambda: Batch(3).get_state()[0],
    "moves": lambda: [b""] * 3,
    "move": lambda: Game.new(seed=1).roll().legal_moves[0],
    "text": lambda: "end",
    "tables": lambda: "duels",
    "batch": lambda: Batch(3),
    "entrants": lambda: enter(["greedy", "random"], 0),
    "line_ups.entrants": lambda: 2,
    "masks": lambda: Batch(3).masks,
    "observations": lambda: Batch(3).observations,
    "setups": lambda: Board.standard().setups,
    "games": lambda: 2,
}
"""Valid values of parameters without a default, by their names, or those of the function and the parameter."""
INSTANCES: dict[type, Callable[[], Any]] = {
    Batch: lambda: Batch(3),
    Board: Board.standard,
    Game: lambda: Game.new(seed=1).roll(),
    Setup: Setup.of,
    Start: lambda: Setup.of().start(1),
    SelfPlay: lambda: SelfPlay(3, [Scripted("random")]),
    raw_env: begun,
    VillagesEnv: single,
    VillagesVectorEnv: lambda: VillagesVectorEnv(3),
    ShippedAgent: ShippedAgent,
    PolicyAgent: lambda: PolicyAgent(net()),
    ScriptedAgent: lambda: ScriptedAgent("greedy"),
    MonteCarloAgent: lambda: MonteCarloAgent("montecarlo:2"),
    SearchAgent: lambda: SearchAgent("search:ppo:2"),
    ForeignAgent: lambda: ForeignAgent(ScriptedAgent("greedy")),
}
"""Objects whose methods are called."""
OBJECTS = re.compile(
    r"(Agent|AgentName|Player|AECEnv|Game|Batch|Comparison|Entrant|LineUp|Log|Net|Console|Start|Budget|Outcome|Callable|Chunk|Move)\b"
)
"""Parameters that take objects of these kinds, which come from no file and no message: Python's own errors tell."""
LEFT = {
    "is made of a folder that a name leads to": ("OwnAppraiser",),
    "is abstract": ("PlayoutAgent",),
    "is made as MonteCarloAgent": ("AppraiserSearch",),
    "takes the arguments of choose, which are checked in the same way": ("probabilities",),
    "takes positions of a batch or a game, which are checked; the hot path of every agent": ("decide", "think", "show"),
    "takes a value of the network": ("chance_of",),
    "writes what was trained here": ("save_net", "conditions", "checksum"),
    "takes a beginning that was made here, of any game": ("begin.start",),
    "takes a game that was played here, of any kind": ("afterstates.game", "observe.game"),
    "takes a position of the engine, which is believed, and its pieces": ("at",),
    "takes the actions of a game that was played here": ("seeded",),
    "hands on the parameters of faces, which SelfPlay checks": ("games_of",),
    "takes what a comparison that is made here found": ("look",),
    "shows progress on a terminal": ("GamesBar",),
    "takes the number of an entrant of a comparison that was made here": ("milliseconds_per_move",),
    "takes places in a tournament that is played here": ("seating",),
    "writes out a comparison that was made here": ("as_json", "markdown", "picture", "print_report"),
    "is a parameter that read_position gives": ("pieces",),
    "is a parameter that names a folder, which is made": ("work",),
    "is a parameter that is torch's, as are its errors": ("device",),
}
"""Functions and parameters that get no odd values, by the reason."""
NO_ODD = {name for names in LEFT.values() for name in names}


def not_begun(games: int, kept: int) -> None:
    """Stop a comparison once its arguments were taken."""
    raise BadTournament("it would play now")


@dataclass(frozen=True)
class _Called:
    """A public function, and what it is called on."""

    name: str
    function: Callable[..., Any]
    doc: str
    make: Callable[[], Any] | None = None

    def parameters(self) -> list[inspect.Parameter]:
        """Those that can be given by name, without the object itself."""
        found = list(inspect.signature(self.function).parameters.values())[1 if self.make else 0 :]
        return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]

    def valid(self, key: str) -> Any:
        """Return a valid value of a parameter."""
        return VALID.get(self.own(key), VALID[key])()

    def own(self, key: str) -> str:
        """Return the name of a parameter of this function alone."""
        return f"{self.name.rpartition('.')[2]}.{key}"

    def call(self, name: str, odd: Any) -> None:
        """Call it with an odd value for one parameter and valid values for the others that need one."""
        usual = INSTANCES.get(self.function, dict) if isinstance(self.function, type) else dict
        fields: Any = usual()  # of a dataclass that checks what it is made of
        needed = [p.name for p in self.parameters() if p.default is p.empty and p.name != name]
        given = {key: getattr(fields, key) if hasattr(fields, key) else self.valid(key) for key in needed}
        if self.name.endswith(".compare"):
            given["begin"] = not_begun
        own = [self.make()] if self.make else []
        self.function(*own, **given, **{name: odd})


def public() -> Iterator[_Called]:
    """Yield all public functions, constructors and methods."""
    seen: set[int] = set()
    for where in WHERE:
        module = importlib.import_module(where)
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == where]
        for name in getattr(module, "__all__", [name for name in own if name[0] != "_"]):
            value = getattr(module, name)
            if id(value) in seen or isinstance(value, Dispatcher) or not callable(value) or name in NO_ODD:
                continue  # compiled functions are for compiled functions, which hand them checked positions
            seen.add(id(value))
            if not isinstance(value, type):
                yield _Called(f"{where}.{name}", value, inspect.getdoc(value) or "")
            elif not issubclass(value, BaseException | dict) and not getattr(value, "_is_protocol", False):
                yield from _of_class(f"{where}.{name}", value)


def _held(base: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class of this project has itself."""
    if base.__module__.partition(".")[0] in ("agents", "bohemian_env", "table"):
        yield from vars(base).items()


def _of_class(name: str, value: type) -> Iterator[_Called]:
    own = {key: held for base in reversed(value.__mro__) if base.__module__ != "builtins" for key, held in _held(base)}
    record = is_dataclass(value) and not hasattr(value, "__post_init__")  # which holds whatever it is given
    if "__init__" in own and not record and not inspect.isabstract(value):
        yield _Called(name, value, inspect.getdoc(value) or "")
    for key, held in own.items():
        if key.startswith("_"):
            continue
        if isinstance(held, classmethod | staticmethod) and key not in NO_ODD:
            yield _Called(f"{name}.{key}", getattr(value, key), inspect.getdoc(held) or "")
        elif inspect.isfunction(held) and key not in NO_ODD and len(inspect.signature(held).parameters) > 1:
            if not inspect.isabstract(value):
                docs = [inspect.getdoc(one) or "" for one in (held, getattr(Agent, key, None))]  # "See Agent.act_batch"
                yield _Called(f"{name}.{key}", held, "".join(docs), INSTANCES[value])


def everywhere(document: Any, odd: Any) -> Iterator[Any]:
    """Yield copies of a document with an odd value in one place each; of a list, in its first and its last entry."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from ({**document, key: changed} for changed in (odd, *everywhere(value, odd)))
    elif isinstance(document, list | tuple) and document:
        for place in {0, len(document) - 1}:
            for changed in (odd, *everywhere(document[place], odd)):
                yield type(document)([*document[:place], changed, *document[place + 1 :]])


def played(name: str) -> Any:
    """A game with two moves, in which somebody decides."""
    game = rules_of(name).game.new(rules_of(name).players[0], seed=1).dealt()
    for _ in range(2):
        game = game.push(game.legal_moves[0]).dealt()
    return game


def playing(name: str, told: str) -> Any:
    """The position or the record of such a game."""
    return getattr(played(name), told)()


def restored(kind: Any, state: Any) -> None:
    """Make an object of a state, as pickle does."""
    value = kind.__new__(kind)
    value.__setstate__(state)


DOCUMENTS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    **{f"position of {one}": (partial(playing, one, "position"), rules_of(one).game.from_position) for one in GAMES},
    **{f"record of {game}": (partial(playing, game, "record"), rules_of(game).game.from_record) for game in GAMES},
    "board": (lambda: tomllib.loads(BOARD.read_text(encoding="utf-8")), Board.from_data),
    "state": (lambda: begun().get_state(), lambda state: begun().set_state(state)),
    "pickled environment": (lambda: begun().__getstate__(), lambda state: restored(raw_env, state)),
    "pickled batch": (lambda: Batch(3).__getstate__(), lambda state: restored(Batch, state)),
    "pickled self-play": (lambda: INSTANCES[SelfPlay]().__getstate__(), lambda state: restored(SelfPlay, state)),
}
"""What is read from outside, and how."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_odd_values_inside_of_what_is_read_raise_named_errors(name: str) -> None:
    make, read = DOCUMENTS[name]
    document = make()
    refused = 0
    for odd_name, odd in ODD.items():
        for changed in everywhere(document, odd):
            try:
                read(changed)
            except NAMED:
                refused += 1
            except Exception as error:
                pytest.fail(f"{odd_name}: {changes(document, changed)}: {error!r}")
    assert refused > 200


PUBLIC = {called.name: called for called in public()}
LOADING = pytest.mark.slow  # each value makes an agent of several networks
DOORS = [
    pytest.param(
        called.name, parameter.name, marks=LOADING if re.search(r"\.(Shipped|Search)Agent\b", called.name) else ()
    )
    for called in PUBLIC.values()
    for parameter in called.parameters()
    if not OBJECTS.search(str(parameter.annotation))
    and parameter.name not in NO_ODD
    and called.own(parameter.name) not in NO_ODD
]


def test_the_public_functions_are_found() -> None:
    assert len(DOORS) > 90
    assert {"bohemian_env.Game.push", "bohemian_env.Batch", "agents.make", "agents.tournament.compare"} <= {*PUBLIC}


def test_every_public_function_can_be_called_with_valid_values() -> None:
    """A new parameter without a default gets a valid value in VALID, a new class an object in INSTANCES."""
    for called in PUBLIC.values():
        names = [p.name for p in called.parameters() if not OBJECTS.search(str(p.annotation))]
        needed = [p.name for p in called.parameters() if p.default is p.empty]
        if names and called.function not in INSTANCES:
            missing = {*needed} - {*VALID} - {*names[:1]}
            assert not missing, f"{called.name}: add valid values of {missing} to VALID"


@pytest.mark.parametrize(("function", "parameter"), DOORS, ids=lambda part: part)
def test_odd_values_raise_named_errors(
    function: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = PUBLIC[function]
    monkeypatch.chdir(tmp_path)
    for name, odd in ODD.items():
        try:
            called.call(parameter, odd)
        except NAMED:
            continue
        except Exception as error:
            names = {kind.__name__ for kind in type(error).__mro__} - {"Exception", "BaseException", "object"}
            if not names & {*re.findall(r"\w+", called.doc)}:
                pytest.fail(f"{function}({parameter}={name}): {error!r}, which its docstring does not name")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_odd_actions_and_parts_of_pickles_raise_named_errors(game: str) -> None:
    made = played(game)
    for odd in (*ODD.values(), np.array([[0, 1]]), [1], [10**5000], -(10**5000)):
        if not isinstance(odd, int | np.integer) or not 0 <= odd < rules_of(game).verbs.NUM_ACTIONS:
            with pytest.raises(IllegalMove):
                made.action_to_text(odd)
    make, parts = made.__reduce__()
    for place in range(len(parts)):
        for odd in ODD.values():
            with contextlib.suppress(BohemianError):  # which some values are no reason for
                make(*parts[:place], odd, *parts[place + 1 :])
