"""Where the nanoseconds of a step go."""

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.speed import where
from bohemian_env import Batch


@pytest.mark.parametrize("stage", list(where.STAGES))
def test_every_stage_runs(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its part of a step is done as often as it is asked for, the rest once a step."""
    monkeypatch.setattr(where, "GAMES", 4)
    done = dict.fromkeys(("random_actions", "step", "masks", "observations"), 0)

    class Counted(Batch):
        def random_actions(self, seed: int = 0) -> np.ndarray:
            done["random_actions"] += 1
            return super().random_actions(seed)

        def step(self, actions: np.ndarray | Sequence[int]) -> None:
            done["step"] += 1
            super().step(actions)

        @property
        def masks(self) -> np.ndarray:
            done["masks"] += not self._masks_fresh
            return super().masks

        @property
        def observations(self) -> np.ndarray:
            done["observations"] += not self._observations_fresh
            return super().observations

    monkeypatch.setattr("bohemian_env.Batch", Counted)
    where.run_stage(stage, 2, 3)
    once, often = where.STEPS, 3 * where.STEPS
    own = {"choice": {"random_actions": often}, "step": {"random_actions": often, "step": often}}
    assert done == {"random_actions": once, "step": once, "masks": 0, "observations": 0} | own.get(
        stage, {stage: often}
    )
