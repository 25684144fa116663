"""Hypothesis tries the same examples in every run, however slow the machine; programs that tests start hear Ctrl-C."""

import signal

from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tests")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job in the background ignores, and hands on
