"""Hypothesis draws no new examples from run to run, however slow the machine; programs that tests start hear Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from agents.common.cores import usable_cores
from tests.namespaces import Machine, two_machines

settings.register_profile("tests", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tests")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job in the background ignores, and hands on


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes test by default: one more than there are cores, since many tests wait for a browser or
    a program.
    """
    return len(usable_cores()) + 1


@pytest.fixture
def machines() -> Iterator[tuple[Machine, Machine]]:
    """Two machines that reach each other and nothing else; the loopback twice where no namespaces may be made."""
    with two_machines() as pair:
        yield pair
