"""Fill docs/speed.md with how fast the environment and its training are, and draw the picture.

    python -m pages.speed
    python -m pages.speed --figures docs/speed.json     # from figures that were measured before

Takes some 5 minutes, on a machine that does nothing else. It runs `python -m benchmarks.speed` and `python -m
benchmarks.speed.training`, and keeps all figures in docs/speed.json.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.command import parser
from benchmarks.speed import training
from benchmarks.speed.report import conditions, plot, tables
from pages import DOCS, ROOT
from pages.program import BadPage, make_files, measured_page
from pages.program import read as read_options

PROGRAM: Final = "pages.speed"
COMMANDS: Final = {
    "speed": ["benchmarks.speed", "--seconds", "0.6"],
    "training": ["benchmarks.speed.training", "--rounds", "5"],
}
"""What measures, as arguments of ``python -m``."""


def measured() -> dict[str, Any]:
    """Measure, and return all figures. Raises CalledProcessError."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, words in COMMANDS.items():
            file = Path(folder, f"{name}.json")
            command = [sys.executable, "-m", *words, "--json", str(file)]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            found[name] = json.loads(file.read_text(encoding="utf-8"))
    whole: dict[str, Any] = found["speed"] | {"training": found["training"]}
    whole["command"] = f"python -m {' '.join(COMMANDS['speed'])}"
    return whole


def blocks(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what stands in the places of the page. data: as docs/speed.json has it."""
    found = tables(data)
    lines = [*conditions(data)]
    if data["skipped"]:
        lines.append(f"not measured: {', '.join(one['name'] for one in data['skipped'])}")
    return {
        "conditions": "\n".join(f"- {line}" for line in lines),
        "training": training.rate_table(data["training"]) if "training" in data else "Not measured yet.",
        **{name: found.get(name, "Not measured.") for name in ("comparisons", "batches", "ours", "start-up")},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    options = parser(PROGRAM, __doc__)
    options.add_argument("--figures", type=Path, metavar="FILE", help="JSON that an earlier run wrote: measure nothing")
    options.add_argument("--out", type=Path, default=DOCS, help="folder for page, picture and JSON (default: docs)")
    o = read_options(options, argv)

    def texts() -> list[str]:
        data = measured() if o.figures is None else json.loads(o.figures.read_text(encoding="utf-8"))
        o.command = f"python -m {PROGRAM}"
        try:
            page, picture = measured_page(o, blocks(data)), plot(data).decode()
        except (KeyError, TypeError) as error:
            raise BadPage(f"{o.figures} holds figures of another form: {error!r:.200}") from error
        return [page, picture, json.dumps(data, indent=1, ensure_ascii=False) + "\n"]

    return make_files(o, [o.out / name for name in ("speed.md", "speed.svg", "speed.json")], texts)


if __name__ == "__main__":
    sys.exit(main())
