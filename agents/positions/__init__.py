"""Positions in which every move was rolled out: how much chance of winning an agent gives away with its decisions.

rollout.py plays on from a position; book.py is the file of positions, and how agents are measured by it.
``python -m agents.positions`` draws them from games of many agents, and makes the file. What positions of any game are
worth say worth.py (Villages), points.py (games with values) and played.py (all others).
"""
