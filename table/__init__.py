"""The table at which people play: a server for one machine, and the page that it serves (docs/play.md).

``store`` keeps games, ``seating`` says who may sit down, ``words`` tells what happens, ``session`` is one game at the
table. ``html`` and ``pages`` write the pages, ``static`` holds their scripts. ``games`` answers the browser, ``guard``
says whom it answers, ``server`` puts it together. Nothing here knows a rule of the game: what is legal, and what
follows from it, is asked of ``bohemian_env``.
"""
