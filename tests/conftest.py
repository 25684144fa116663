"""Hypothesis draws no new examples from run to run, however slow the machine; programs that tests start hear Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.namespaces import Machine, two_machines

settings.register_profile("tests", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tests")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job in the background ignores, and hands on


@pytest.fixture
def machines() -> Iterator[tuple[Machine, Machine]]:
    """Two machines that reach each other and nothing else; the loopback twice where no namespaces may be made."""
    with two_machines() as pair:
        yield pair
