"""What agents, pages and benchmarks share."""
