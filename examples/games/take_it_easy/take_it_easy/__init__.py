"""Take It Easy, as a game of bohemian_env: verbs.py has its rules, compiled; contract.py has what else the floor asks;
draw.py draws.
"""
