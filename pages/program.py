"""What the programs that write pages have in common: command line, exit status, and how a page is filled."""

from __future__ import annotations

import argparse
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from agents.common.files import whole_files
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


def make_files(
    o: argparse.Namespace,
    outputs: Sequence[Path],
    texts: Callable[[], Sequence[str]],
    kept: str = "nothing was written",
) -> int:
    """Write what a program makes, all files or none; return its exit status.

    It is 2 for bad input, told in a sentence, and 130 after an interrupt, when ``kept`` is said.

    texts: makes the content of the files, once it is known that they can be written.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with whole_files(outputs) as files:
            for file, text in zip(files, texts(), strict=True):
                file.write(text)
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"{o.program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{o.program}: interrupted; {kept}", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0
