"""How the commands of the benchmark end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

from agents.common.cluster import BadCluster
from agents.common.files import BadOutput, reason
from agents.players.foreign import BadForeign
from agents.positions.book import BadBook
from agents.tournament import BadTournament
from benchmarks.learning.cells import BadCell
from bohemian_env import BohemianError


def ended(program: str, work: Callable[[], object], kept: str = "") -> int:
    """Do the work of a command, and return its exit status: 0 or, if that returns False, 1.

    It is 2 for bad input, told in a sentence, and 130 after an interrupt, when ``kept`` is said.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return 1 if work() is False else 0
    except (BadBook, BadCell, BadCluster, BadForeign, BadOutput, BadTournament, BohemianError, OSError) as error:
        print(f"{program}: {reason(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{program}: interrupted{kept}", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
