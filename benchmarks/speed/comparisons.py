"""Ours beside the peers and beside the targets: ratios are taken within each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from .harness import Key, Rounds, Row
from .startup import Timing

__all__ = ["RATES", "RATIOS", "SECONDS", "Compared", "compare", "compare_rates", "compare_ratios", "compare_seconds"]


@dataclass(frozen=True, slots=True)
class Rate:
    """A row with a target of its own, in units per second."""

    label: str
    key: Key
    must: float | None = None
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Ratio:
    """A row over another; of several others, over the one with the highest median."""

    label: str
    key: Key
    others: tuple[Key, ...]
    must: float | None = None
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Seconds:
    """A start-up time with a target; less is better."""

    label: str
    name: str
    must: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Rounds):
    """A comparison that could be made.

    Attributes:
        kind: ``"rate"`` in steps per second, ``"ratio"``, or ``"seconds"``, of which less is better.
        against: what the ratio is to; empty for the other kinds.
    """

    kind: str
    ours: str
    against: str = ""
    label: str = ""
    must: float | None = None
    aim: float | None = None

    def meets(self, target: float) -> bool:
        """Whether the median is as good as that."""
        return self.median <= target if self.kind == "seconds" else self.median >= target

    @property
    def reached(self) -> str:
        """Which target is reached, ``"aim"``, ``"must"`` or ``"none"``; empty if there is no target.

        Where a measurement stayed disturbed, nothing is said of targets: ``"disturbed"``.
        """
        targets = {"aim": self.aim, "must": self.must}
        if not (given := {name: target for name, target in targets.items() if target is not None}):
            return ""
        return "disturbed" if self.disturbed else next((name for name in given if self.meets(given[name])), "none")

    def as_json(self) -> dict[str, Any]:
        """Return plain Python types."""
        about = {"label": self.label, "kind": self.kind, "ours": self.ours, "against": self.against}
        targets = {"must": self.must, "aim": self.aim, "reached": self.reached}
        return {**about, **self.figures(), **targets}


def _ours(name: str, batch: int = 1024, players: int = 2, threads: int = 1) -> Key:
    return name, players, batch, threads


def _one(name: str, players: int = 2) -> Key:
    return name, players, 1, 1


_SPIEL: Final = {
    game: tuple(_one(f"openspiel_{game}_{way}") for way in ("rollouts", "bots")) for game in ("backgammon", "yacht")
}
_PGX: Final = {
    "backgammon": tuple(("pgx_backgammon", 2, size, 1) for size in (1, 128, 512, 1024)),
    "2048": tuple(("pgx_2048", 1, size, 1) for size in (128, 1024, 8192)),
}

RATES: Final = (
    Rate("step + mask, batch 1,024", _ours("step+mask"), 7e6, 10e6),
    Rate("step + mask + int8 observation, batch 1,024", _ours("step+mask+int8"), 4e6, 6e6),
    Rate("AEC raw, compiled choice", _one("aec_raw"), 250e3, 500e3),
)

RATIOS: Final = (
    # ours among themselves
    *(
        Ratio(
            f"two threads to one, {layer}, batch {size:,}",
            _ours(layer, size, threads=2),
            (_ours(layer, size),),
            *((1.7, 1.95) if (layer, size) == ("step+mask", 65536) else (None, None)),
        )
        for size in (1024, 8192, 65536)
        for layer in ("step+mask", "step+mask+int8")
    ),
    Ratio(
        "5 players to 2, step + mask + int8 observation, batch 1,024",
        _ours("step+mask+int8", players=5),
        (_ours("step+mask+int8"),),
        0.8,
        0.9,
    ),
    Ratio(
        "batch 65,536 to 64, step + mask, per game",
        _ours("step+mask", 65536),
        (_ours("step+mask", 64),),
        0.75,
        1.0,
    ),
    # AEC, the same loop around each
    Ratio("AEC raw to connect_four raw", _one("aec_raw"), (_one("connect_four_raw"),), 4.0),
    Ratio("AEC wrapped to connect_four wrapped", _one("aec_wrapped"), (_one("connect_four_wrapped"),), 1.3),
    Ratio("AEC wrapped to the do-nothing loop, wrapped", _one("aec_wrapped"), (_one("null_aec_wrapped"),), None, 0.95),
    Ratio("AEC raw to the do-nothing loop, raw", _one("aec_raw"), (_one("null_aec_raw"),)),
    Ratio("AEC raw to texas_holdem raw", _one("aec_raw"), (_one("texas_holdem_raw"),)),
    Ratio("AEC wrapped to texas_holdem wrapped", _one("aec_wrapped"), (_one("texas_holdem_wrapped"),)),
    Ratio(
        "AEC raw to connect_four raw, NumPy choice",
        _one("aec_raw_numpy"),
        (_one("connect_four_raw_numpy"),),
    ),
    Ratio(
        "AEC wrapped to connect_four wrapped, NumPy choice",
        _one("aec_wrapped_numpy"),
        (_one("connect_four_wrapped_numpy"),),
    ),
    # many games at once against the best that a peer offers
    Ratio(
        "step + mask to OpenSpiel backgammon, C++ playout",
        _ours("step+mask"),
        _SPIEL["backgammon"],
        30.0,
        60.0,
    ),
    Ratio("step + mask to OpenSpiel yacht, C++ playout", _ours("step+mask"), _SPIEL["yacht"]),
    Ratio("step + mask to Catanatron, 2 players", _ours("step+mask"), (_one("catanatron"),), 80.0, 150.0),
    Ratio("step + mask to Catanatron, 4 players each", _ours("step+mask", players=4), (_one("catanatron", 4),)),
    Ratio("with observation to Catanatron's Gymnasium", _ours("step+mask+int8"), (_one("catanatron_gym"),)),
    Ratio("with observation to pgx backgammon, best batch", _ours("step+mask+int8"), _PGX["backgammon"], 40.0, 60.0),
    Ratio("with observation to pgx 2048, best batch", _ours("step+mask+int8"), _PGX["2048"]),
    # a single game on both sides
    Ratio(
        "one game: step + mask to OpenSpiel backgammon, from Python",
        _ours("step+mask", 1),
        (_one("openspiel_backgammon_python"),),
    ),
    Ratio("one game: step + mask to OpenSpiel backgammon, C++ playout", _ours("step+mask", 1), _SPIEL["backgammon"]),
    Ratio(
        "one game: with observation to OpenSpiel backgammon, from Python",
        _ours("step+mask+int8", 1),
        (_one("openspiel_backgammon_python_observation"),),
    ),
    Ratio("one game: step + mask to Catanatron", _ours("step+mask", 1), (_one("catanatron"),)),
    Ratio(
        "one game: with observation to Catanatron's Gymnasium", _ours("step+mask+int8", 1), (_one("catanatron_gym"),)
    ),
    Ratio("one game: with observation to pgx backgammon", _ours("step+mask+int8", 1), (("pgx_backgammon", 2, 1, 1),)),
    # copies
    Ratio("copies of a position: to OpenSpiel backgammon", _one("copy"), (_one("openspiel_backgammon_clone"),)),
    Ratio("copies of a position: to Catanatron", _one("copy"), (_one("catanatron_copy"),)),
)

SECONDS: Final = (
    Seconds("import, without torch", "import", 1.0),
    Seconds("first call of a Batch, from the compile cache", "cached", 0.5),
)


def compare_rates(rows: Sequence[Row], rates: Sequence[Rate] = RATES) -> list[Compared]:
    """Hold single rows against their targets; rows that were not measured are left out."""
    by_key = {row.case.key: row for row in rows}
    return [
        Compared(
            values=row.values,
            others=row.others,
            label=rate.label,
            kind="rate",
            ours=row.case.id,
            must=rate.must,
            aim=rate.aim,
        )
        for rate in rates
        if (row := by_key.get(rate.key))
    ]


def divided(ours: Rounds, others: Sequence[Rounds], /, **about: Any) -> Compared:
    """Divide round by round by the one of the others with the highest median.

    The ratio is disturbed where its own row is, or any of those that might be the highest.
    """
    best = max(others, key=lambda rounds: rounds.median)
    return Compared(
        values=tuple(mine / theirs for mine, theirs in zip(ours.values, best.values, strict=True)),
        others=tuple(map(max, zip(*(rounds.others for rounds in (ours, *others)), strict=True))),
        kind="ratio",
        **about,
    )


def compare_ratios(rows: Sequence[Row], ratios: Sequence[Ratio] = RATIOS) -> list[Compared]:
    """Take the ratios; those with a side that was not measured are left out."""
    by_key = {row.case.key: row for row in rows}
    compared = []
    for ratio in ratios:
        row, others = by_key.get(ratio.key), [by_key[key] for key in ratio.others if key in by_key]
        if row is None or not others:
            continue
        against = max(others, key=lambda row: row.median).case.id
        about = {"label": ratio.label, "ours": row.case.id, "against": against}
        compared.append(divided(row, others, **about, must=ratio.must, aim=ratio.aim))
    return compared


def compare_seconds(timings: Sequence[Timing], limits: Sequence[Seconds] = SECONDS) -> list[Compared]:
    """Hold the start-up times against their targets."""
    by_name = {timing.name: timing for timing in timings}
    return [
        Compared(
            values=timing.values,
            others=timing.others,
            label=limit.label,
            kind="seconds",
            ours=limit.name,
            must=limit.must,
        )
        for limit in limits
        if (timing := by_name.get(limit.name))
    ]


def compare(rows: Sequence[Row], timings: Sequence[Timing]) -> list[Compared]:
    """Compare all that can be compared."""
    return [*compare_rates(rows), *compare_ratios(rows), *compare_seconds(timings)]
