"""Positions in which every move was rolled out: how much chance of winning an agent gives away with its decisions.

rollout.py plays on from a position; draw.py draws positions from games of many agents; book.py is the file of them, and
how agents are measured by it. ``python -m agents.positions`` makes the file.
"""
