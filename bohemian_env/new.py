"""Begin a game of your own: ``python -m bohemian_env.new mygame`` makes a small package with one that can be played.

Its files are those of skeleton/, in which the name stands for every name. docs/your-game.md tells what comes then.
"""

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from .engine.errors import BadSetup
from .engine.plain import title_of
from .games import offered, why_no_name

SKELETON: Final = Path(__file__).with_name("skeleton")
_PLACES: Final = {
    "pyproject.toml": "", "README.md": "", "__init__.py": "mygame", "verbs.py": "mygame", "contract.py": "mygame",
    "test_mygame.py": "tests",
}  # fmt: skip
"""The files, each with the folder that it is put into."""


def new_game(name: str, out: Path) -> Path:
    """Make the folder ``out / name`` with a package of this name, whole or not at all, and return it. Raises BadSetup:
    no new game can be called so, or there is such a folder already. OSError: it cannot be written.
    """
    if why := why_no_name(name):
        raise BadSetup(f"a game cannot be called {name!r}: {why}")
    if title_of(name) in map(title_of, offered()) or getattr(find_spec(name), "origin", None):
        raise BadSetup(f"a game cannot be called {name!r}: a package or a game of this name is installed")
    folder = out / name
    if folder.exists():
        raise BadSetup(f"{folder} is there already; name another game, or another folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=f".{name}-") as made:
        for file, place in _PLACES.items():
            text = (SKELETON / f"{file}.txt").read_text(encoding="utf-8")
            path = Path(made, name, *(_named(part, name) for part in (place, file)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_named(text, name), encoding="utf-8", newline="\n")
        Path(made, name).rename(folder)
    return folder


def _named(text: str, name: str) -> str:
    return text.replace("mygame", name).replace("MyGame", title_of(name))


def main(arguments: list[str] | None = None) -> int:
    """Make a game, and say what to type next; 2 where it cannot be made, told in a sentence."""
    parser = argparse.ArgumentParser(prog="python -m bohemian_env.new", description=__doc__.partition("\n")[0])
    parser.add_argument("name", help="of the game: a word in small letters")
    parser.add_argument("--out", type=Path, default=Path(), metavar="FOLDER", help="where its folder is made")
    given = parser.parse_args(arguments)
    try:
        folder = new_game(given.name, given.out)
    except (BadSetup, OSError) as error:
        print(f"bohemian_env.new: {error}", file=sys.stderr)
        return 2
    print(f"{folder} has a game of dice to begin with. Next:")
    print(f"    pip install -e {folder}\n    python -m bohemian_env.check {given.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
