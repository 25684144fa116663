"""The floor: games side by side, environments, records and checks, of a game that it does not know.

What a game hands over is in contract.py, and bound.py compiles the floor's loops for it. chance.py, bits.py,
compiled.py and errors.py stand below that. dealing.py is the course of a game, game.py one game as people play it,
batch.py many at once, self_play.py many in which one seat learns; aec.py is PettingZoo's face, single.py and vector.py
Gymnasium's, sb3.py that of Stable-Baselines3. plain.py makes all of these of a game that says no more than its rules.
"""
