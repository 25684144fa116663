"""How commands begin and end: their help is their docstring, what they cannot do is told in a sentence, and Ctrl-C
waits where it must."""

import argparse
import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

from .files import reason


def parser(program: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a program, with its docstring as help."""
    formatter = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(prog=program, description=description, formatter_class=formatter)


def ended(program: str, work: Callable[[], object], kept: Callable[[], str] = str) -> int:
    """Do the work of a command, and return its exit status: 0 or, if that returns False, 1.

    It is 2 for bad input, told in a sentence, and 130 after an interrupt, of which SIGTERM is one, when what ``kept``
    returns is said.
    """
    before = signal.getsignal(signal.SIGTERM)
    main = threading.current_thread() is threading.main_thread()  # others get no signals, and may set no handlers
    if main:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return 1 if work() is False else 0
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        if type(error) is ValueError:
            raise  # bad input has an error of its own: this is a fault of the program
        print(f"{program}: {reason(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{program}: interrupted{kept()}", file=sys.stderr)
        return 130
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def held_back() -> Iterator[list[int]]:
    """Let SIGINT and SIGTERM wait for the end of the block, and take effect then; give the list of those that came."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came  # only the main thread is ever interrupted
        return
    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda number, _: came.append(number))
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        for arrived in came[:1]:
            signal.raise_signal(arrived)
