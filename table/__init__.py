"""The table at which people play: a server for one machine, and the pages that it serves (docs/play.md).

Begin with session.py: one game with the people and agents at the table, and all that the page shows of it. seating.py
says who may sit down and where, teller.py tells what happens, and store.py keeps the games. games.py answers requests
about games, guard.py refuses those that are not for us, connection.py ends those that take too long, and server.py
puts the application together. pages.py writes the pages: html.py fills templates/, and static/ has their scripts and
style sheets.

A game is looked at again by review.py, which makes all there is to tell of it from history.py (its positions) and
drawing.py (their drawings, in little room). reasons.py says why one move is better than another: how many coins more it
brings, by coin_sources.py. export.py writes a page that shows it without a server.

Everything is said in the language that language.py finds out, in the words of ``bohemian_env.villages.words``;
refusal.py says why something cannot be.

Nothing here knows a rule of the game. What is legal, and what follows from it, is asked of ``bohemian_env.Game`` (its
``happened`` tells what a move set off); numbers and explanations of the rules come from facts and words of the game.
"""
