"""Hypothesis tries the same examples in every run, however slow the machine."""

from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("tests")
