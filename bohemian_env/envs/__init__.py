"""The game as learners see it: environments, and what they observe and receive. Begin with aec.py.

observation.py declares what a seat sees, advice.py what it may be told besides, reward.py what it receives; observe.py,
afterstates.py and dealing.py are what the environments share. aec.py is the PettingZoo environment, batch.py plays many
games at once, and self_play.py lets one seat of each learn; vector.py and sb3.py show that to Gymnasium and to
Stable-Baselines3.
"""
