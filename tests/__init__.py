"""The tests: `test_<folder>/` tests the folder of that name. test_project/ tests the repository as a whole.

helpers.py writes positions down readably, and golden.py plays the games that data/games/ keeps. Fixtures of a folder
stand in its conftest.py.
"""
