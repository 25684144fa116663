"""Agents as players: what an agent is, agents by name, and every kind of them."""
