"""The rules a second time, plainly: written from docs/villages.md alone, slow, and with nothing from the compiled ones.

rules.py is the second implementation. beside.py plays random games by both, and compares everything at every decision.
When they disagree, docs/villages.md says which one is wrong; neither is copied from the other.

dorfromantik.py does the same for Dorfromantik, from its rulings (D1, D2, ...) alone.
"""
