"""Where the names of version 0.2.0 are found, whose modules knew one game: pickles and programs still name them.

``bohemian_env.game``, ``envs``, ``opponents``, ``render``, ``words`` and four modules beside them are today in
villages/ and engine/. A module of that time is made when it is asked for, and has a name if one of those that may hold
it today does.
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

_PACKAGES: Final = {
    "game": "villages",
    "envs": "villages",
    **{n: f"villages.{n}" for n in ("opponents", "render", "words")},
}
_MODULES: Final = ("bits", "chance", "compiled", "errors")
_FLOOR: Final = ("checks", "contract", "legal", "dealing", "reward", "parts", "setup", "observe", "moves", "drawing")
"""Modules of the floor that took in what stood in several others."""


class Moved:
    """The finder of modules that are no longer there."""

    @staticmethod
    def _today(name: str) -> Iterator[str]:
        """Yield the modules that may hold what a module of 0.2.0 held, without the name of the package."""
        package, _, module = name.partition(".")
        if package in _PACKAGES:
            yield ".".join(part for part in (_PACKAGES[package], module) if part)
            yield _PACKAGES[package]
        if package == "envs":
            yield from ("villages.sb3", "villages.faces") if module == "sb3" else ("villages.faces",)
        if package == "opponents":
            yield "villages.faces"
        yield f"engine.{module or package}"
        yield "villages.errors"
        yield from (f"engine.{one}" for one in _FLOOR)

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module of 0.2.0 is made; None for all others."""
        owner, _, name = fullname.partition(".")
        package, _, module = name.partition(".")
        if owner != __package__ or not (package in _PACKAGES or name in _MODULES):
            return None
        rooms = {_PACKAGES.get(package, "engine"), "engine"}
        if module and not any(cls._is_there(f"{room}.{module}") for room in rooms):
            return None
        return importlib.util.spec_from_loader(fullname, cls, is_package=name in _PACKAGES)  # type: ignore[arg-type]

    @staticmethod
    def _is_there(name: str) -> bool:
        return importlib.util.find_spec(f"{__package__}.{name}") is not None

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Let a plain module be made."""

    @classmethod
    def exec_module(cls, module: ModuleType) -> None:
        """Let a module find its names where they are today."""
        name = module.__name__.partition(".")[2]

        def found(wanted: str) -> Any:
            if not wanted.startswith("__"):
                for one in cls._today(name):
                    if cls._is_there(one) and hasattr(there := importlib.import_module(f"{__package__}.{one}"), wanted):
                        return getattr(there, wanted)
            raise AttributeError(f"module {module.__name__} has no attribute {wanted!r}")

        module.__dict__["__getattr__"] = found


sys.meta_path.insert(0, Moved)
