"""Bohemian Villages (Reiner Stockhausen, dlp games, 2016): dice, placement, kicking out, 2 to 5 players.

What a game hands over to the floor stands in contract.py and verbs.py; the rules themselves, R1 to R26, in rules.py,
on positions of state.py. opponents/ plays, render/ draws, words/ speaks. faces.py is what comes of it: ``Game`` is
in game.py.
"""
