"""What is measured of the project. speed/ says how fast it is; algorithms/ has reference algorithms, and learning/
measures what they learn (docs/benchmark.md). submit.py measures any agent and writes what it reached as a row, and
verify.py plays a row again. How strong agents are is in agents/tournament/."""
