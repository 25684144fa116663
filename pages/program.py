"""What the programs that write pages have in common: command line, exit status, and how a page is filled.

A page marks a place with two lines, `<!-- KIND: NAME -->` and `<!-- end -->`. The kind is `generated` for what the code
knows, and `measured` for what a long run has found; programs fill places, and people leave them alone.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from agents.common.command import ended
from agents.common.files import whole_files
from agents.common.markdown import fenced
from pages import DOCS

_START: Final = re.compile(r"<!-- (generated|measured): (.*) -->")
_END: Final = "<!-- end -->"


class BadPage(ValueError):
    """A place of a page cannot be filled, or not by what was given."""


def fill(text: str, kind: str, blocks: Mapping[str, Callable[[], str]], where: str = "page") -> str:
    """Return a page with its places of one kind filled; all else stays as it is. ``where`` names it in messages.

    blocks: what makes the text of each place, by its name.

    Raises BadPage: a name that is not in ``blocks``, a place that does not end, or an end without a place.
    """
    lines: list[str] = []
    place: tuple[str, str] | None = None  # that is open: kind and name
    for number, line in enumerate(text.splitlines(), 1):
        start = _START.fullmatch(line)
        if line == _END and place is None:
            raise BadPage(f"{where}:{number}: {_END} without a beginning")
        if start and place:
            raise BadPage(f"{where}:{number}: the place {place[1]!r} does not end before the next one")
        if start and start[1] == kind and start[2] not in blocks:
            raise BadPage(f"{where}:{number}: unknown name {start[2]!r}; known are {', '.join(blocks)}")
        if line == _END and place:
            lines += ["", blocks[place[1]](), ""] if place[0] == kind else []
            place = None
        if place is None or place[0] != kind:
            lines.append(line)
        if start:
            place = start[1], start[2]
    if place:
        raise BadPage(f"{where}: the place {place[1]!r} does not end")
    return "\n".join(lines) + "\n"


def read(options: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the command line, with the ``program`` and the whole ``command`` as it would be typed.

    argv: the arguments; those of this process by default.
    """
    argv = sys.argv[1:] if argv is None else argv
    command = shlex.join(["python", "-m", options.prog, *argv])
    return options.parse_args(argv, argparse.Namespace(program=options.prog, command=command))


def measured_page(o: argparse.Namespace, blocks: Mapping[str, str]) -> str:
    """Return the program's page in docs/ with what was measured in its places, and its command in ``command``.

    Raises BadPage: the page has not exactly these places.
    """
    page = DOCS / f"{o.program.rpartition('.')[2]}.md"
    text = page.read_text(encoding="utf-8")
    blocks = {**blocks, "command": fenced(o.command)}
    if missing := [name for name in blocks if f"<!-- measured: {name} -->" not in text]:
        raise BadPage(f"{page.name} has no place for {', '.join(missing)}")
    return fill(text, "measured", {name: partial(str, block) for name, block in blocks.items()}, page.name)


def make_files(
    o: argparse.Namespace,
    outputs: Sequence[Path],
    texts: Callable[[], Sequence[str]],
    kept: str = "nothing was written",
) -> int:
    """Write what a program makes, all files or none; return its exit status. After an interrupt ``kept`` is said.

    texts: makes the content of the files, once it is known that they can be written.
    """

    def work() -> None:
        with whole_files(outputs) as files:
            for file, text in zip(files, texts(), strict=True):
                file.write(text)

    return ended(o.program, work, lambda: f"; {kept}")
