"""What is measured of the project. speed/ says how fast it is; algorithms/ has reference algorithms, and learning/
measures what they learn (docs/benchmark.md). submit.py measures any agent and writes what it reached as a row, and
verify.py plays a row again; command.py says how these commands end. How strong agents are is in agents/tournament/.
"""

import argparse


def parser(program: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of ``python -m PROGRAM``, with its docstring as help."""
    formatter = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(f"python -m {program}", description=description, formatter_class=formatter)
