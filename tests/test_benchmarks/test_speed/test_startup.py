"""How long it takes to begin, in fresh processes."""

from collections.abc import Sequence

import pytest

from agents.common.cores import usable_cores
from benchmarks.speed.quiet import Measurement
from benchmarks.speed.startup import NAMES, StartUp


def test_a_disturbed_process_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    caches = list[str]()

    def run(start_up: StartUp, cache: str, parts: Sequence[str]) -> Measurement[list[Measurement[float]]]:
        caches.append(cache.rpartition("/")[2])
        others = 0.5 if len(caches) <= 3 else 0.0  # everything is disturbed at first
        return Measurement([Measurement(float(len(caches)), others) for _ in range(1 + len(parts))], others)

    monkeypatch.setattr(StartUp, "_run", run)
    start_up = StartUp([], 5)
    start_up.measure()
    assert caches == ["0", "0", "0", "1", "0", "0"]  # only what compiles needs an empty cache, and a new one each time
    assert {name: one.values for name, one in start_up.timings.items()} == {
        "import": (5,),
        "compile": (4,),
        "compile AEC": (4,),
        "cached": (5,),
        "cached AEC": (6,),
    }
    assert not any(one.disturbed for one in start_up.timings.values())


@pytest.mark.slow
def test_start_up_is_timed_in_fresh_processes() -> None:
    start_up = StartUp(usable_cores(), tries=1)
    start_up.measure()
    found = {name: timing.median for name, timing in start_up.timings.items()}
    assert set(found) == set(NAMES)
    assert all(seconds > 0 for seconds in found.values())
    assert found["cached"] < found["compile"]
    assert start_up.torch_free
