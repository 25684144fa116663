"""The programs that write the pages of ``docs/``, each run as ``python -m pages.NAME``."""

from pathlib import Path
from typing import Final

__all__ = ["DOCS", "ROOT"]

ROOT: Final = Path(__file__).resolve().parents[1]
"""The checkout."""
DOCS: Final = ROOT / "docs"
"""Where the pages are."""
