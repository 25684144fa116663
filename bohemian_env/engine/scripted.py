"""What a scripted opponent is: one that plays inside compiled code, by its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from .checks import check_seed
from .errors import BadSetup, brief
from .setup import Checked


@dataclass(frozen=True)
class Scripted(Checked):
    """A scripted opponent: its name, and the seed of its own random choices, 0 to 2**63 - 1.

    A game derives a class. Raises BadSetup for an unknown name or another seed.
    """

    known: ClassVar[Mapping[str, str]]
    """The opponents of the game, and what each does; compiled code numbers them in this order."""
    name: str
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what there is none of."""
        if not isinstance(self.name, str) or self.name not in self.known:
            raise BadSetup(f"unknown scripted opponent {brief(self.name)}; known are {', '.join(self.known)}")
        check_seed(self.seed)

    @property
    def number(self) -> int:
        """The number of the opponent in compiled code."""
        return list(self.known).index(self.name)

    def __setstate__(self, state: Sequence[Any]) -> None:
        """Take the parts as version 0.2.0 pickled them."""
        for name, value in zip(("name", "seed"), state, strict=True):
            object.__setattr__(self, name, value)
        self.__post_init__()
