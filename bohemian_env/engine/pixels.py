"""Drawings of a game: as text, and as pixels, made by resvg of its SVG without display or browser.

Pixels need the extra ``render``. The font is DejaVu Sans, which has a free licence and comes with Matplotlib, so that
every machine draws the same pixels, whatever fonts it has.
"""

import io
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from .checks import is_whole
from .errors import BadSetup, MissingExtra, brief

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
_FONTS: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_WIDTH: Final = 1200
_SIZE: Final = re.compile(r"viewBox=\"\S+ \S+ (\S+) (\S+)\"")


@cache
def _fonts() -> list[str]:
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [str(folder / name) for name in _FONTS]


def check_renderer() -> None:
    """Raise MissingExtra unless everything that :func:`pixels_of` needs is installed."""
    try:
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401

        _fonts()
    except ImportError as error:
        raise MissingExtra(
            f"drawing pixels needs {error.name}, which is not installed: in the clone, pip install '.[render]'"
        ) from error


def check_render_mode(mode: object) -> None:
    """Raise BadSetup unless it is None or one of RENDER_MODES; MissingExtra if the renderer is not installed."""
    if not (mode is None or (isinstance(mode, str) and mode in RENDER_MODES)):
        raise BadSetup(f"render_mode {brief(mode)} is none of {', '.join(RENDER_MODES)}")
    if mode == "rgb_array":
        check_renderer()


def pixels_of(svg: str, width: object = _WIDTH) -> np.ndarray:
    """Return an SVG as pixels, red, green and blue: uint8, (height, width, 3), the caller's to keep.

    width: in pixels, 30 to 6000; the height follows from the picture. Raises MissingExtra: the extra ``render`` is not
    installed. BadSetup: the width is not as above.
    """
    if not is_whole(width, 30, 6000):
        raise BadSetup(f"width {brief(width)} is not a whole number of pixels from 30 to 6000")
    check_renderer()
    import PIL.Image
    import resvg_py

    found = _SIZE.search(svg)
    assert found is not None, "every drawing says its size"
    wide, high = map(float, found.groups())
    size = int(width), round(int(width) * high / wide)  # type: ignore[call-overload]
    png = resvg_py.svg_to_bytes(
        svg_string=svg, width=size[0], height=size[1], skip_system_fonts=True, font_files=_fonts()
    )
    with PIL.Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))


def drawing(game: Any, mode: str, names: Sequence[str]) -> str | np.ndarray:
    """Return what an environment with a render mode shows of a game. names: one for each seat."""
    rules, position, outcome = game.rules, game.state_dict(), game.outcome()
    if mode == "rgb_array":
        return pixels_of(rules.draw_svg(position, names=names, outcome=outcome, dark=False, ids=False))
    drawn: str = rules.draw_text(position, names=names, outcome=outcome)
    return drawn


def rendered(env: Any, names: Sequence[str]) -> str | np.ndarray | None:
    """Return what ``render`` of an environment with ``game()`` and ``render_mode`` does: "human" prints it."""
    drawn = None if env.render_mode is None else drawing(env.game(), env.render_mode, names)
    if env.render_mode == "human":
        print(drawn)
        return None
    return drawn
