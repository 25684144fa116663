"""How long it takes to begin, in fresh processes."""

import pytest

from benchmarks.speed.quiet import Measurement
from benchmarks.speed.startup import StartUp


def test_a_disturbed_process_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    caches = list[str]()

    def run(start_up: StartUp, cache: str) -> Measurement[list[Measurement[float]]]:
        caches.append(cache.rpartition("/")[2])
        others = 0.5 if len(caches) <= 2 else 0.0  # both are disturbed at first
        return Measurement([Measurement(float(len(caches)), others) for _ in range(2)], others)

    monkeypatch.setattr(StartUp, "_run", run)
    start_up = StartUp([], 5)
    start_up.measure()
    assert caches == ["0", "0", "1", "0"]  # only what compiles needs an empty cache, and a new one each time
    assert {name: one.values for name, one in start_up.timings.items()} == {
        "import": (4,), "compile": (3,), "cached": (4,),
    }  # fmt: skip
    assert not any(one.disturbed for one in start_up.timings.values())
