"""What is measured of the project. speed/ says how fast it is; how strong agents are is in agents/tournament/."""
