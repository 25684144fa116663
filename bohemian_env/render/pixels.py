"""The drawing as pixels, made by resvg without display or browser. It needs the extra ``render``.

The font is DejaVu Sans, which has a free licence and comes with Matplotlib, so that every machine draws the same
pixels, whatever fonts it has.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadSetup, MissingExtra, brief
from ..game.board import check_truth, is_whole
from ..game.record import Outcome
from .scene import HEIGHT, WIDTH
from .svg import board_svg

__all__ = ["board_pixels", "check_renderer"]

_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


@cache
def _fonts() -> list[str]:
    """Return the paths of the font files."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [str(folder / name) for name in _FONTS]


def check_renderer() -> None:
    """Raise MissingExtra unless everything that :func:`board_pixels` needs is installed."""
    try:
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401

        _fonts()
    except ImportError as error:
        raise MissingExtra(
            f"drawing pixels needs {error.name}, which is not installed: in the clone, pip install '.[render]'"
        ) from error


def board_pixels(
    position: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    dark: bool = False,
    width: int = WIDTH,
    outcome: Outcome | None = None,
) -> np.ndarray:
    """Return a position as pixels, red, green and blue: uint8, (height, width, 3), the caller's to keep.

    Args:
        position, names, outcome: those of ``board_svg``.
        dark: whether to draw light on dark instead of dark on light.
        width: the width of the picture in pixels, 30 to 6000; its height is two thirds of that.

    Raises:
        MissingExtra: the extra ``render`` is not installed.
        BadSetup: dark or width is not as above, or as for ``board_svg``.
        BadPosition: as for ``board_svg``.
    """
    if not is_whole(width, 30, 6000):
        raise BadSetup(f"width {brief(width)} is not a whole number of pixels from 30 to 6000")
    check_truth("dark", dark)  # None, which a drawing has for its reader's theme, has none here
    check_renderer()
    import PIL.Image
    import resvg_py

    png = resvg_py.svg_to_bytes(
        svg_string=board_svg(position, names=names, dark=dark, ids=False, outcome=outcome),
        width=int(width),
        height=round(int(width) * HEIGHT / WIDTH),
        skip_system_fonts=True,
        font_files=_fonts(),
    )
    with PIL.Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))
