"""What tests of drawings measure: how colours stand out from each other, and whether all is inside the frame."""

import numpy as np

from bohemian_env.engine.pixels import pixels_of


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, ``#rrggbb``, by WCAG 2: 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [part / 255 for part in bytes.fromhex(colour[1:])]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def stand_out(theme: dict[str, str], pairs: str, least: float) -> list[tuple[float, str]]:
    """The pairs of a theme's colours, such as ``ink card, muted card``, that have less contrast than asked for."""
    found = [(contrast(*(theme[name] for name in pair.split())), pair) for pair in pairs.split(", ")]
    return [one for one in found if one[0] < least]


def is_inside(svg: str) -> bool:
    """Whether nothing of a drawing, 1200 by 800 and not empty, is outside its frame."""
    size, more = ('viewBox="0 0 1200 800" width="1200" height="800"', 'viewBox="-100 -100 1400 1000"')
    pixels = pixels_of(svg.replace(size, more), 1400)
    assert (pixels[105, 105] != pixels[0, 0]).any()
    pixels[100:900, 100:1300] = pixels[0, 0]
    return bool((pixels == pixels[0, 0]).all())
