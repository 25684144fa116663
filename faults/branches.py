"""Which branches of the rules, the observation and the rewards the tests take, run as plain Python.

    python -m faults.branches

coverage.py sees only what is not compiled, so the tests run with NUMBA_DISABLE_JIT=1, which takes a minute or two. The
exit status is 1 where a line or a branch is not taken.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.files import write_atomically
from agents.common.markdown import table
from pages import ROOT

from .ledger import commit

__all__ = ["FILES", "TESTS", "branches_block", "measure", "missed"]

FILES: Final = (
    *(f"bohemian_env/game/{name}.py" for name in ("rules", "actions", "dice", "position")),
    *(f"bohemian_env/envs/{name}.py" for name in ("observation", "reward")),
)
"""What is measured; nothing in them is left out."""
TESTS: Final = (
    *(
        f"tests/test_game/test_{name}.py"
        for name in ("rulings_turns", "rulings_placing", "rulings_end", "worked_cases")
    ),
    *(f"tests/test_game/test_{name}.py" for name in ("actions", "dice", "position", "properties")),
    *(f"tests/test_envs/test_{name}.py" for name in ("observation", "reward")),
)
"""The tests of these files, which test what they do and not only that they run."""


def measure(tests: Sequence[str] = TESTS, files: Sequence[str] = FILES) -> dict[str, dict[str, Any]]:
    """Return by file the number of lines and branches, and those not taken, in ``lines`` and ``jumps``.

    Raises:
        ValueError: a test fails uncompiled; the message is its report. ImportError: coverage.py is not installed.
    """
    import coverage  # noqa: F401 # the command below would only say that there is no such module

    environ = os.environ | {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        data, report = f"--data-file={folder}/data", Path(folder, "report.json")
        options = ["--branch", data, f"--include={','.join(files)}"]
        pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
        python = [sys.executable, "-m", "coverage"]
        done = subprocess.run(
            [*python, "run", *options, *pytest], cwd=ROOT, env=environ, capture_output=True, text=True
        )
        if done.returncode:
            raise ValueError(done.stdout + done.stderr)
        subprocess.run([*python, "json", "-q", data, "-o", str(report)], cwd=ROOT, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {
        file: {
            "statements": found[file]["summary"]["num_statements"],
            "branches": found[file]["summary"]["num_branches"],
            "lines": found[file]["missing_lines"],
            "jumps": found[file]["missing_branches"],
        }
        for file in files
    }


def missed(row: dict[str, Any]) -> int:
    """Return how many lines and branches of a file are not taken."""
    return len(row["lines"]) + len(row["jumps"])


def branches_block(folder: Path) -> str | None:
    """Return the part of docs/reliability.md about branches, from the state in a folder."""
    path = folder / "branches.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        (file, row["statements"], row["branches"], len(row["lines"]), len(row["jumps"]))
        for file, row in data["files"].items()
    ]
    left = sum(map(missed, data["files"].values()))
    told = f"The tests leave out {left} of these lines and branches." if left else "The tests take all of these."
    return table(("file", "lines", "branches", "lines not taken", "branches not taken"), rows, (1, 2, 3, 4)) + (
        f"\n\n{told} At {data['commit']}."
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 where something is not taken, 2 where tests fail."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m faults.branches", description=__doc__, formatter_class=formatter)
    parser.add_argument(
        "--out", type=Path, default=ROOT / "runs" / "faults", metavar="FOLDER", help="of branches.json (runs/faults)"
    )
    options = parser.parse_args(argv)
    try:
        files = measure()
        data = {"commit": commit(), "files": files}
        write_atomically(options.out / "branches.json", (json.dumps(data, indent=1) + "\n").encode())
    except (ValueError, OSError, ImportError) as error:
        print(f"branches: {error}", file=sys.stderr)
        return 2
    for file, row in files.items():
        print(f"{file}: {row['statements']} lines, {row['branches']} branches", end="")
        print(f"; not taken: lines {row['lines']}, branches {row['jumps']}" if missed(row) else ", all taken")
    return int(any(missed(row) for row in files.values()))


if __name__ == "__main__":
    sys.exit(main())
