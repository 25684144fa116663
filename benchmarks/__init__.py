"""What is measured of the project. speed/ says how fast it is; algorithms/ has reference algorithms, and learning/
measures what they learn (docs/benchmark.md). submit.py writes what any agent reached as a row, which measure.py finds
out; verify.py plays a row again. How strong agents are is in agents/tournament/.
"""
