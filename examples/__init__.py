"""The environment with learning libraries: a whole program each, to read and to copy. docs/libraries.md has a table.

The first line of each file is the command that runs it; measure.py is what they share: it reads the command line and
says in the last line what an agent reached, and how fast.
"""
