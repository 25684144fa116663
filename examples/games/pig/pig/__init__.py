"""Pig, as a game of bohemian_env: verbs.py has its rules, compiled; contract.py what else the floor asks."""
