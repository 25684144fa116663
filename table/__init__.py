"""The table at which people play: a server for one machine, and the pages that it serves (docs/play.md).

Begin with session.py: one game with the people and agents at the table, and all that the page shows of it. seating.py
says who may sit down and where, and store.py keeps the games. games.py answers requests about games, guard.py refuses
those that are not for us, connection.py ends those that take too long, and server.py puts the application together.
pages.py writes the pages: html.py fills templates/, and static/ has their scripts and style sheets.

A game is looked at again by review.py, which makes all there is to tell of it from history.py (its positions) and
album.py (their drawings, in little room). export.py writes a page that shows it without a server. again.py gives
reasons to come back, and giving.py gives games away. text.py is a game without a page, for who reads and writes text.

Nothing here knows a rule of any game. What is legal, and what follows from it, is asked of ``bohemian_env.Game``; what
a game looks like and how it is told, of its room: room.py says what a room is, and rooms/ has those of the games.

Everything is said in the language that language.py finds out, in the words of words/ and of the room; refusal.py says
why something cannot be.
"""
