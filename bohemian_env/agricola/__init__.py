"""Agricola (Uwe Rosenberg; Lookout Games, 2007), family game and solo: 1 to 5 players. draw/ draws a position."""
