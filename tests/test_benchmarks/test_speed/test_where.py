"""Where the nanoseconds of a step go."""

import pytest

from benchmarks.speed import where


@pytest.mark.parametrize("stage", list(where.STAGES))
def test_every_stage_runs(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, "GAMES", 4)
    where.run_stage(stage, 2, 2)
