"""Ours beside the peers and beside the targets: ratios are taken within each round."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from .harness import Rounds


@dataclass(frozen=True, slots=True)
class Asked:
    """A comparison to make.

    Attributes:
        ours: what is compared: the id of a row, or the name of a start-up time.
        to: what the ratio is to, as a pattern of ids: the one with the highest median. Empty to take no ratio.
        must: the median is to be as good as that at least.
        aim: the same, of what would be better.
        kind: what is measured, without a ratio: ``"rate"`` in steps per second, or ``"seconds"``.
    """

    label: str
    ours: str
    to: str = ""
    must: float | None = None
    aim: float | None = None
    kind: str = "rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Rounds):
    """A comparison that could be made."""

    label: str = ""
    kind: str
    """``"rate"`` in steps per second, ``"ratio"``, or ``"seconds"``, of which less is better."""
    ours: str
    against: str = ""
    """What the ratio is to."""
    must: float | None = None
    aim: float | None = None

    @property
    def reached(self) -> str:
        """Which target is reached, ``"aim"``, ``"must"`` or ``"none"``; empty if there is no target.

        Where a measurement stayed disturbed, nothing is said of targets: ``"disturbed"``.
        """
        given = {name: target for name, target in (("aim", self.aim), ("must", self.must)) if target is not None}
        if not given or self.disturbed:
            return "disturbed" if given else ""
        meets = operator.le if self.kind == "seconds" else operator.ge
        return next((name for name, target in given.items() if meets(self.median, target)), "none")

    def as_json(self) -> dict[str, Any]:
        """Return plain Python types."""
        about = {"label": self.label, "kind": self.kind, "ours": self.ours, "against": self.against}
        targets = {"must": self.must, "aim": self.aim, "reached": self.reached}
        return {**about, **self.figures(), **targets}


MASKED: Final = "step+mask/2/1024/1"
SEEN: Final = "step+mask+int8/2/1024/1"
ONE_MASKED: Final = "step+mask/2/1/1"
ONE_SEEN: Final = "step+mask+int8/2/1/1"
BACKGAMMON: Final = "openspiel_backgammon_[br]*/2/1/1"  # bots and rollouts, its two playouts in C++

ASKED: Final = (
    Asked("step + mask, batch 1,024", MASKED, must=7e6, aim=10e6),
    Asked("step + mask + int8 observation, batch 1,024", SEEN, must=4e6, aim=6e6),
    Asked("AEC raw, compiled choice", "aec_raw/2/1/1", must=250e3, aim=500e3),
    Asked("after-states, batch 1,024", "afterstates/2/1024/1", must=500e3),
    Asked("chances of winning before a roll, batch 1,024", "chances/2/1024/1", must=1e6 / 3, aim=1e6),
    # ours among themselves
    Asked("two threads to one, step+mask, batch 1,024", "step+mask/2/1024/2", MASKED),
    Asked("two threads to one, step+mask+int8, batch 1,024", "step+mask+int8/2/1024/2", SEEN),
    Asked("two threads to one, step+mask, batch 8,192", "step+mask/2/8192/2", "step+mask/2/8192/1"),
    Asked("two threads to one, step+mask+int8, batch 8,192", "step+mask+int8/2/8192/2", "step+mask+int8/2/8192/1"),
    Asked("two threads to one, step+mask, batch 65,536", "step+mask/2/65536/2", "step+mask/2/65536/1", 1.7, 1.95),
    Asked("two threads to one, step+mask+int8, batch 65,536", "step+mask+int8/2/65536/2", "step+mask+int8/2/65536/1"),
    Asked("5 players to 2, step + mask + int8 observation, batch 1,024", "step+mask+int8/5/1024/1", SEEN, 0.8, 0.9),
    Asked("batch 65,536 to 64, step + mask, per game", "step+mask/2/65536/1", "step+mask/2/64/1", 0.75, 1.0),
    # AEC, the same loop around each
    Asked("AEC raw to connect_four raw", "aec_raw/2/1/1", "connect_four_raw/2/1/1", 4.0),
    Asked("AEC wrapped to connect_four wrapped", "aec_wrapped/2/1/1", "connect_four_wrapped/2/1/1", 1.3),
    Asked("AEC wrapped to the do-nothing loop, wrapped", "aec_wrapped/2/1/1", "null_aec_wrapped/2/1/1", aim=0.95),
    Asked("AEC raw to the do-nothing loop, raw", "aec_raw/2/1/1", "null_aec_raw/2/1/1"),
    Asked("AEC raw to texas_holdem raw", "aec_raw/2/1/1", "texas_holdem_raw/2/1/1"),
    Asked("AEC wrapped to texas_holdem wrapped", "aec_wrapped/2/1/1", "texas_holdem_wrapped/2/1/1"),
    Asked("AEC raw to connect_four raw, NumPy choice", "aec_raw_numpy/2/1/1", "connect_four_raw_numpy/2/1/1"),
    Asked(
        "AEC wrapped to connect_four wrapped, NumPy choice",
        "aec_wrapped_numpy/2/1/1",
        "connect_four_wrapped_numpy/2/1/1",
    ),
    # many games at once against the best that a peer offers
    Asked("step + mask to OpenSpiel backgammon, C++ playout", MASKED, BACKGAMMON, 30.0, 60.0),
    Asked("step + mask to OpenSpiel yacht, C++ playout", MASKED, "openspiel_yacht_[br]*/2/1/1"),
    Asked("step + mask to Catanatron, 2 players", MASKED, "catanatron/2/1/1", 80.0, 150.0),
    Asked("step + mask to Catanatron, 4 players each", "step+mask/4/1024/1", "catanatron/4/1/1"),
    Asked("with observation to Catanatron's Gymnasium", SEEN, "catanatron_gym/2/1/1"),
    Asked("with observation to pgx backgammon, best batch", SEEN, "pgx_backgammon/2/*/1", 40.0, 60.0),
    Asked("with observation to pgx 2048, best batch", SEEN, "pgx_2048/1/*/1"),
    # a single game on both sides
    Asked(
        "one game: step + mask to OpenSpiel backgammon, from Python", ONE_MASKED, "openspiel_backgammon_python/2/1/1"
    ),
    Asked("one game: step + mask to OpenSpiel backgammon, C++ playout", ONE_MASKED, BACKGAMMON),
    Asked(
        "one game: with observation to OpenSpiel backgammon, from Python",
        ONE_SEEN,
        "openspiel_backgammon_python_observation/2/1/1",
    ),
    Asked("one game: step + mask to Catanatron", ONE_MASKED, "catanatron/2/1/1"),
    Asked("one game: with observation to Catanatron's Gymnasium", ONE_SEEN, "catanatron_gym/2/1/1"),
    Asked("one game: with observation to pgx backgammon", ONE_SEEN, "pgx_backgammon/2/1/1"),
    # copies
    Asked("copies of a position: to OpenSpiel backgammon", "copy/2/1/1", "openspiel_backgammon_clone/2/1/1"),
    Asked("copies of a position: to Catanatron", "copy/2/1/1", "catanatron_copy/2/1/1"),
    # start-up times
    Asked("import, without torch", "import", must=1.0, kind="seconds"),
    Asked("first call of a Batch, from the compile cache", "cached", must=0.5, kind="seconds"),
)


def divided(ours: Rounds, others: Mapping[str, Rounds], /, **about: Any) -> Compared:
    """Divide round by round by the one of the others with the highest median.

    The ratio is disturbed where its own row is, or any of those that might be the highest.
    """
    against = max(others, key=lambda name: others[name].median)
    return Compared(
        values=tuple(mine / theirs for mine, theirs in zip(ours.values, others[against].values, strict=True)),
        others=tuple(map(max, zip(*(rounds.others for rounds in (ours, *others.values())), strict=True))),
        kind="ratio",
        against=against,
        **about,
    )


def compare(found: Mapping[str, Rounds], asked: Sequence[Asked] = ASKED) -> list[Compared]:
    """Compare what was found, by id, as far as both sides were measured."""
    compared = []
    for one in asked:
        if (ours := found.get(one.ours)) is None:
            continue
        about: dict[str, Any] = {"label": one.label, "ours": one.ours, "must": one.must, "aim": one.aim}
        if not one.to:
            compared.append(Compared(values=ours.values, others=ours.others, kind=one.kind, **about))
        elif others := {name: rounds for name, rounds in found.items() if fnmatchcase(name, one.to)}:
            compared.append(divided(ours, others, **about))
    return compared
