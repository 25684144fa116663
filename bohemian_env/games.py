"""The games by name, each of which is loaded when it is first asked for: those here, and those that other packages
offer in the group of entry points :data:`GROUP`.

Nothing of another package is imported before somebody asks for its game; one that is broken is refused then.
"""

import functools
import importlib
import keyword
import re
import warnings
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from .engine.compiled import root_of
from .engine.contract import Rules, Setup
from .engine.errors import BadRecord, BadSetup, brief
from .engine.plain import title_of

GAMES: Final = ("villages", "dorfromantik", "agricola")
"""The names of the rooms here; the first is the game of everything that is told no other."""
GROUP: Final = "bohemian_env.games"
"""The group of entry points by which other packages offer games: ``pig = "pig_game"``, a name and a package."""


def why_no_name(name: str) -> str:
    """Return why a new game cannot be called so; nothing if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        return "it is not a word in small letters, with digits and underscores between them, as Python names modules"
    if title_of(name) in map(title_of, GAMES):
        return "there is a game of this name here"
    return ""


@functools.cache
def _offered() -> tuple[dict[str, EntryPoint], dict[str, str]]:
    """Return the games of other packages by name, and why others that are offered are left out."""
    found, out, titles = dict[str, EntryPoint](), dict[str, str](), dict[str, EntryPoint]()
    for one in entry_points(group=GROUP):
        first = titles.setdefault(title_of(one.name), one)
        if why := why_no_name(one.name):
            out[one.name] = f"{_owner(one)} offers the game {brief(one.name)}: {why}"
        elif (first.name, first.value) != (one.name, one.value):
            out[first.name] = out[one.name] = f"{_owner(first)} and {_owner(one)} both offer the game {one.name}"
        else:
            found[one.name] = one
    return {name: one for name, one in found.items() if name not in out}, out


def _owner(one: EntryPoint) -> str:
    return f"{one.dist.name} {one.dist.version}" if one.dist else one.value


def offered() -> tuple[str, ...]:
    """Return the names of the games that other packages offer, loaded or not."""
    return tuple(_offered()[0])


@functools.cache
def known_games() -> tuple[str, ...]:
    """Return the names of all games, those here first, as commands take them; warn of what is left out."""
    for told in dict.fromkeys(_offered()[1].values()):
        warnings.warn(f"{told}; it is left out", RuntimeWarning, stacklevel=2)
    return (*GAMES, *offered())


@functools.cache
def _rules(name: str) -> Rules:
    """Return the rules of a known game. Raises BadSetup for one of another package that cannot be played."""
    if name in GAMES:
        importlib.import_module(f"{__package__}.{name}.game")  # the rules know their class of games from then on
        own: Rules = importlib.import_module(f"{__package__}.{name}.contract").RULES
        return own
    one = _offered()[0][name]
    try:
        rules = importlib.import_module(f"{one.module}.contract").RULES
        there = [f"{one.module}.{own}" for own in ("game", "faces") if find_spec(f"{one.module}.{own}")]
        for module in there:
            importlib.import_module(module)
        if not isinstance(rules, Rules):
            raise TypeError(f"RULES is {brief(rules)}, not an object of a class derived from Rules")
        if missing := rules.missing():
            raise TypeError(f"its rules lack {', '.join(missing)}")
        for told, wanted in ((rules.name, name), (rules.env_name, f"{name}_v0"), (rules.start.of.game, name)):
            if told != wanted:
                raise ValueError(f"a name in its rules is {brief(told)}, not {wanted}")
        if not hasattr(type(rules), "Batch") and f"{one.module}.faces" not in there:
            raise TypeError("it has no module faces, and its rules, not derived from PlainRules, make none")
        if root_of(file := Path(str(rules.verbs.__file__)).resolve()) == file:
            raise ValueError("its verbs are in no package: there is no __init__.py beside them")
    except (Exception, SystemExit) as error:
        told = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise BadSetup(f"the game {name} of {_owner(one)} cannot be played: {told}") from error
    return rules


def rules_of(name: str) -> Rules:
    """Return what a game hands over to the floor.

    Raises BadSetup for an unknown game, and for one of another package that cannot be played.
    """
    if not isinstance(name, str) or name not in (*GAMES, *offered()):
        why = _offered()[1].get(name, "") if isinstance(name, str) else ""
        raise BadSetup(f"unknown game {brief(name)}; known are {', '.join(GAMES + offered())}{'; ' * bool(why)}{why}")
    return _rules(name)


def game_of_environment(env_name: object) -> str | None:
    """Return the name of the game of an environment's name, as agents' files have it; None if none is known."""
    here = (game for game in GAMES if rules_of(game).env_name == env_name)
    return next(here, next((game for game in offered() if f"{game}_v0" == env_name), None))


def game_of_record(data: object) -> str:
    """Return the name of the game that a record is of. Raises BadRecord if it says none that is known."""
    told = data.get("format") if isinstance(data, dict) else None
    name = told.partition("/")[0] if isinstance(told, str) else ""
    name = "villages" if name == "bohemian-villages" else name  # as records of 0.1.0 say
    if name not in known_games():
        raise BadRecord(
            f"format: {brief(told)} is that of no game; known are the records of {', '.join(known_games())}"
        )
    return name


def rules_for(setup: Setup) -> Rules:
    """Return the rules of the game that a set-up is of."""
    return rules_of(type(setup).game)


def faces_of(name: str) -> Any:
    """Return what has a game's environments as attributes, ``Batch``, ``SelfPlay``, ``raw_env`` and so on: its module
    ``faces``; without one, the class of its rules. Raises BadSetup as :func:`rules_of`.
    """
    rules = rules_of(name)
    package = f"{__package__}.{name}" if name in GAMES else _offered()[0][name].module
    return importlib.import_module(f"{package}.faces") if find_spec(f"{package}.faces") else type(rules)


def single(game: str, **parameters: Any) -> Any:
    """Return the environment of Gymnasium in which one seat of one game learns. Raises BadSetup as :func:`rules_of`."""
    return getattr(faces_of(game), f"{title_of(game)}Env")(**parameters)


def vector(game: str, num_envs: int = 1, **parameters: Any) -> Any:
    """Return the same of many games. Raises BadSetup as :func:`rules_of`."""
    return getattr(faces_of(game), f"{title_of(game)}VectorEnv")(num_envs, **parameters)


def table(game: str, **parameters: Any) -> Any:
    """Return the environment of PettingZoo. Raises BadSetup as :func:`rules_of`."""
    return faces_of(game).env(**parameters)
