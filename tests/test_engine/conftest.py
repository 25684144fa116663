"""Fixtures of the tests of environments."""

import pytest

from bohemian_env import bohemian_villages_v0
from tests.test_engine.environments import Maker


@pytest.fixture(params=["env", "raw_env"])
def make(request: pytest.FixtureRequest) -> Maker:
    """``env`` and ``raw_env``."""
    return getattr(bohemian_villages_v0, request.param)
