"""The table at which people play: a server for one machine, and the pages that it serves (docs/play.md).

Begin with ``session``: one game with the people and agents at the table, and all that the page shows of it. Beside it
stand ``seating`` (who may sit down, and where), ``words`` (what happens, in words) and ``store`` (the games that are
kept). ``games`` answers requests about games, ``guard`` refuses those that are not for us, and ``server`` puts the
application together. ``pages`` writes the two pages with ``html``; ``static`` has their scripts and style sheet.

Nothing here knows a rule of the game. What is legal and what follows from it is asked of ``bohemian_env.Game`` (its
``happened`` tells what a move set off); numbers and explanations of the rules come from ``bohemian_env.game.facts`` and
``bohemian_env.game.words``.
"""
