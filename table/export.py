"""A finished game as one page that needs neither a server nor a network: for notebooks, documentation and mail.

    python -m table.export record.json game.html
    python -m table.export games.jsonl game.html --game 3

The page holds all drawings, the chances of winning and the luck of every roll. It loads nothing and sends nothing, and
its own policy forbids both.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from agents.common.files import reason, whole_files

from .history import positions_of, read_record
from .pages import review_alone
from .review import review
from .room import Room, room_of
from .seating import YOU
from .words import LANGUAGES, Words

_STATIC: Final = Path(__file__).resolve().parent / "static"
_SCRIPTS: Final = ("dom.js", "room.js", "board.js", "chart.js", "player.js")
_SHEETS: Final = ("page.css", "review.css")
_LINKS: Final = re.compile(r"^import .*\n|^export (?=const|function)", re.MULTILINE)
"""What ties scripts together that stand in files of their own."""
_BEGIN: Final = """
const packed = Uint8Array.from(atob(id("review").textContent), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
take(await new Response(unpacked).json());
"""


def export_page(found: Mapping[str, Any], room: Room, words: Words) -> str:
    """Return the page of a game.

    found: what ``review`` tells of the game in the same language, from its first position on. room: that of the game.
    words: those of the page.
    """
    own = _STATIC / "rooms" / f"{room.name}.js"
    scripts = [(_STATIC / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    if own.exists():  # in a function of its own, since it may call something as another script does
        scripts.insert(2, "(() => {\n" + own.read_text(encoding="utf-8") + "})();\n")
    script = _LINKS.sub("", "".join(scripts)) + _BEGIN
    style = room.style() + "".join((_STATIC / name).read_text(encoding="utf-8") for name in _SHEETS)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    data = base64.b64encode(zlib.compress(json.dumps(found, separators=(",", ":")).encode(), 9)).decode()
    last = "".join(found["tags"][tag] for piece in found["drawings"][-1] for tag in found["pieces"][piece])
    names = ", ".join(found["names"])
    return review_alone(room, words, names=names, policy=policy, style=style, drawing=last, data=data, script=script)


def _hash(text: str) -> str:
    """Return by what a policy lets a script or a style sheet that stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page of a recorded game; return the exit status, 2 for bad input, which is explained in a sentence."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="table.export", description=__doc__, formatter_class=formatter)
    parser.add_argument("record", type=Path, help="a record, or a file with one in each line")
    parser.add_argument("page", type=Path, help="the file that is written")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="the number of its line (default: 1)")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="that of the page (default: en)")
    args = parser.parse_args(argv)
    try:
        text = args.record.read_text(encoding="utf-8-sig")
        lines = [line for line in text.split("\n") if line.startswith("{") and line.rstrip().endswith("}")]
        if lines or args.game != 1:
            if not 1 <= args.game <= len(lines):
                raise ValueError(f"{args.record} has {len(lines) or 1} games, none of which is number {args.game}")
            text = lines[args.game - 1]
        game = read_record(text)
        if args.page.exists() and args.page.samefile(args.record):
            raise ValueError(f"{args.page} is the record; name another file for the page")
        room, moments = room_of(game.rules.name), game.moments()
        words = room.words(args.language)
        if not positions_of(moments):
            raise ValueError(f"{args.record} is the record of a game in which nobody has had to decide yet")
        you = next((seat for seat, name in enumerate(game.record()["players"]) if name in YOU), None)
        with whole_files([args.page]) as (file,):
            file.write(export_page(review(moments, you=you, words=words), room, words))
    except UnicodeDecodeError:
        told = f"{args.record} is not the record of a game: it is no text"
    except OSError as error:
        told = reason(error)
    except ValueError as error:
        told = str(error)
    else:
        return 0
    print(f"table.export: {told}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
