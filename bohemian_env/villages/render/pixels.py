"""The drawing as pixels. It needs the extra ``render``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...engine.checks import check_truth
from ...engine.contract import Outcome
from ...engine.pixels import check_renderer, pixels_of
from .scene import WIDTH
from .svg import board_svg

__all__ = ["board_pixels", "check_renderer"]


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
    check_truth("dark", dark)  # None, which a drawing has for its reader's theme, has none here
    return pixels_of(board_svg(position, names=names, dark=dark, ids=False, outcome=outcome), width)
