"""The table at which people play: a server for one machine, and the page that it serves (docs/play.md).

store.py keeps games, seating.py says who may sit down, words.py tells what happens, session.py is one game at the
table. html.py and pages.py write the pages, static/ holds their scripts. games.py answers the browser, guard.py
says whom it answers, server.py puts it together. Nothing here knows a rule of the game: what is legal, and what
follows from it, is asked of ``bohemian_env``.
"""
