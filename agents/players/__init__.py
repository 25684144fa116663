"""Agents as players. Begin with agent.py, which says what a player is, and what it says of its moves; alone.py lets one
thread at a time ask it.

registry.py makes players by name and names.py reads the names. scripted.py and playouts.py play without torch, at once
or by playing on. policy.py asks a network alone, and search.py looks ahead with one, by lookahead.py; shipped.py takes
the agent that comes with the project for the table at hand. foreign.py asks those of other people, and program.py any
program, which process.py starts and ends.
"""
