"""Pieces of Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> str:
    """Return a table; cells may hold any text on one line.

    numbers: the columns, counted from 0, that hold numbers and are set flush right.
    """

    def line(cells: Sequence[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"

    rule = "".join("|--:" if column in numbers else "|---" for column in range(len(head))) + "|"
    return "\n".join([line(head), rule, *(line(row) for row in rows)])


def fenced(text: str) -> str:
    """Return code, or what a program printed, as a block of its own."""
    return f"```\n{text}\n```"
