"""The programs that write pages, each run as ``python -m pages.NAME``; ``python -m pages`` lists them.

generate.py fills the places marked `generated` with what the code knows, in a moment; the others measure, for minutes
or for hours, or take pictures. program.py is what the programs share: it fills places.
"""

from pathlib import Path
from typing import Final

from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS

ROOT: Final = Path(__file__).resolve().parents[1]  # the checkout
DOCS: Final = ROOT / "docs"  # where the pages are
TABLE_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)  # numbers of players
