"""What is measured of the project. speed/ says how fast it is; algorithms/ has reference algorithms, and learning/
measures what they learn (docs/benchmark.md). submit.py writes what an agent reached as a result.py; verify.py plays
that again, or a row.py of the benchmark (docs/submissions.md). How strong agents are is in agents/tournament/.
"""
