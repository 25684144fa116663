"""The games by name, each of which is loaded when it is first asked for."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final

from .engine.contract import Rules, Setup
from .engine.errors import BadRecord, BadSetup, brief

GAMES: Final = ("villages", "dorfromantik", "agricola")
"""The names: of the rooms here, and of ``--game``."""


def _room(name: object, module: str) -> ModuleType:
    if not isinstance(name, str) or name not in GAMES:
        raise BadSetup(f"unknown game {brief(name)}; known are {', '.join(GAMES)}")
    importlib.import_module(f"{__package__}.{name}.game")  # the rules know their class of games from then on
    return importlib.import_module(f"{__package__}.{name}.{module}")


def rules_of(name: str) -> Rules:
    """Return what a game hands over to the floor. Raises BadSetup for an unknown game."""
    rules: Rules = _room(name, "contract").RULES
    return rules


def game_of_record(data: object) -> str:
    """Return the name of the game that a record is of. Raises BadRecord if it says none that is known."""
    told = data.get("format") if isinstance(data, dict) else None
    name = told.partition("/")[0] if isinstance(told, str) else ""
    name = "villages" if name == "bohemian-villages" else name  # as records of 0.1.0 say
    if name not in GAMES:
        raise BadRecord(f"format: {brief(told)} is that of no game; known are the records of {', '.join(GAMES)}")
    return name


def rules_for(setup: Setup) -> Rules:
    """Return the rules of the game that a set-up is of: of the room in which its class stands."""
    return rules_of(type(setup).__module__.split(".")[-2])


def faces_of(name: str) -> ModuleType:
    """Return the module of a game's environments: ``Batch``, ``SelfPlay``, ``raw_env`` and so on. Raises BadSetup."""
    return _room(name, "faces")
