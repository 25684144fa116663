"""The game itself; it knows nothing of learning, and its rules never roll dice. Begin with game.py.

facts.py states what the rules pay and allow, state.py the parts of a position; dice.py numbers the dice and actions.py
the actions. rules.py carries the rules out, compiled; events.py tells what a move or a roll brings about. notation.py
writes moves as text, and moves.py tells which action a move is and why another is illegal. board.py reads
villages.toml, setup.py checks what a game begins with and check.py positions that come from outside, position.py and
record.py write positions and whole games as JSON.
"""
