"""The language in which somebody is answered: the one chosen on the page, or else the first known one of the browser's.

Nothing here loads the game, so that the first page can be shown meanwhile.
"""

import tomllib
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection

COOKIE: Final = "language"
"""The name of the cookie that the page sets."""
_FOLDER: Final = Path(__file__).parent / "words"  # read, but not imported: that would load the floor
_KNOWN: Final = tuple(path.stem for path in _FOLDER.glob("*.toml"))


def language_of(request: HTTPConnection) -> str:
    """Return the language for the answer to a request, English where nothing known is asked for."""
    if (chosen := request.cookies.get(COOKIE, "")) in _KNOWN:
        return chosen
    asked = []
    for part in request.headers.get("accept-language", "")[:200].split(","):
        name, _, weight = "".join(part.split()).partition(";q=")
        try:
            asked.append((float(weight or 1), name[:2].lower()))
        except ValueError:
            continue
    wanted = (name for weight, name in sorted(asked, key=lambda one: -one[0]) if name in _KNOWN and weight > 0)
    return next(wanted, "en")


def text_in(language: str, part: str, key: str, **values: object) -> str:
    """Return a text from the list of words, with the values that it has in braces, before the game is loaded."""
    words = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return str(words[part][key]).format(**values)
