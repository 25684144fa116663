"""The network of trained agents, and its files."""
