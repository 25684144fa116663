"""What the programs that write pages have in common: command line, exit status, and how a page is filled."""

from __future__ import annotations

import argparse
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from agents.common.markdown import fenced
from pages import DOCS
from pages.regions import BadPage, fill, mark


def parser(program: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a program, which is called as ``pages.NAME``, with its docstring as help."""
    formatter = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(prog=program, description=description, formatter_class=formatter)


def read(options: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the command line, with the ``program`` and the whole ``command`` as it would be typed.

    argv: the arguments; those of this process by default.
    """
    argv = sys.argv[1:] if argv is None else argv
    command = shlex.join(["python", "-m", options.prog, *argv])
    return options.parse_args(argv, argparse.Namespace(program=options.prog, command=command))


def measured_page(o: argparse.Namespace, blocks: Mapping[str, str]) -> str:
    """Return the program's page in docs/ with what was measured in its places, and its command in ``command``.

    Raises:
        BadPage: the page has not exactly these places.
    """
    page = DOCS / f"{o.program.rpartition('.')[2]}.md"
    text = page.read_text(encoding="utf-8")
    blocks = {**blocks, "command": fenced(o.command)}
    if missing := [name for name in blocks if mark("measured", name) not in text]:
        raise BadPage(f"{page.name} has no place for {', '.join(missing)}")
    return fill(text, "measured", {name: partial(str, block) for name, block in blocks.items()}, page.name)


def finish(o: argparse.Namespace, work: Callable[[], None], kept: str) -> int:
    """Do the work of a program and return its exit status: 2 for bad input, told in a sentence, 130 for an interrupt.

    kept: what is said after an interrupt.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        work()
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"{o.program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{o.program}: interrupted; {kept}", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0
