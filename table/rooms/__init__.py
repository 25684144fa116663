"""The rooms of the games at the table, each of which table/room.py finds by the game's name.

A room holds what the page says and does of its game alone: what a room is, table/room.py says.
"""
