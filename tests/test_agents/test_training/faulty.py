"""`train.py` in which something happens to one rank after some updates, or to torchrun: run by path, as that is.

The environment variable FAULT says what, in four words: the number of the rank, the number of updates, the signal, and
who gets it: ``rank``, ``torchrun``, or ``both``. It happens once, not to ranks that were started again.

Where COMPANY names a folder that does not exist, a rank alone waits until torchrun starts it anew, with others.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import train
from agents.training.run import TrainingRun


def main() -> int:
    """Train, with the fault."""
    if (company := os.environ.get("COMPANY")) and os.environ.get("WORLD_SIZE") == "1" and not Path(company).exists():
        signal.pause()
    rank, updates, name, whom = os.environ["FAULT"].split()
    left, usual = [int(updates)], TrainingRun._save_now_and_then

    def faulty(run: Any) -> None:
        usual(run)
        left[0] -= 1
        if left[0] == 0:
            for pid in {"torchrun": [os.getppid()], "rank": [os.getpid()]}.get(whom, [os.getppid(), os.getpid()]):
                os.kill(pid, getattr(signal, name))

    if os.environ.get("RANK", "0") == rank and os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") == "0":
        TrainingRun._save_now_and_then = faulty  # type: ignore
    return train.main()


if __name__ == "__main__":
    sys.exit(main())
