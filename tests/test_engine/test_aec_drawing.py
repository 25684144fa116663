"""The PettingZoo environment: what it draws, and that what it hands out is a copy."""

import itertools
import sys

import numpy as np
import pytest

from bohemian_env import MissingExtra, bohemian_villages_v0
from bohemian_env.villages.render import board_pixels, board_svg, board_text
from tests.helpers import FROZEN
from tests.test_engine.environments import Maker, begun, everything, over, play


def test_arrays_given_out_are_the_callers_to_keep(make: Maker) -> None:
    env = begun(make, 2, steps=4)
    before = everything(env)
    kept = env.last()[0]
    copies = {name: array.copy() for name, array in kept.items()}
    play(env, 3)
    assert all(np.array_equal(kept[name], copies[name]) for name in kept)
    env = begun(make, 2, steps=4)
    for array in (*env.last()[0].values(), *env.observe("player_1").values(), env.state()):
        array[:] = 0
    env.state_dict()["coins"][0] = 99
    env.record()["turns"].clear()
    assert everything(env) == before


def test_ansi(make: Maker) -> None:
    env = begun(make, 3, board=FROZEN, render_mode="ansi")
    assert env.render_mode == "ansi"
    drawn = set()
    for _ in range(6):
        text = env.render()
        assert text == board_text(env.state_dict(), names=["player_0", "player_1", "player_2"])
        drawn.add(text)
        play(env, 1)
    assert len(drawn) == 6


@pytest.mark.slow
def test_rgb_array(make: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    """Pixels of the position at hand, in the same size to the end; nothing is printed, no step draws."""
    env = begun(make, 3, board=FROZEN, max_turns=3, render_mode="rgb_array")
    names = ["player_0", "player_1", "player_2"]
    drawn = set()
    for moment in itertools.count():
        pixels = env.render()
        assert (pixels.shape, pixels.dtype) == ((800, 1200, 3), np.uint8)
        drawn.add(pixels.tobytes())
        if moment == 0 or over(env):
            np.testing.assert_array_equal(pixels, board_pixels(env.state_dict(), names=names))
        if over(env):
            break
        play(env, 1)
    assert len(drawn) == moment + 1 > 3
    assert capsys.readouterr() == ("", "")


def test_rgb_array_without_its_packages_is_refused_at_once(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match="resvg_py"):
        make(2, render_mode="rgb_array")
    make(2, render_mode="ansi")


def test_notebooks_show_the_position() -> None:
    env = bohemian_villages_v0.raw_env(2, board=FROZEN)
    assert env._repr_svg_() is None
    env.reset(seed=3)
    assert env._repr_svg_() == board_svg(env.state_dict(), names=["player_0", "player_1"])


def test_human(make: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed after the reset and after every step, also the last; on demand, too."""
    env = make(2, board=FROZEN, max_turns=5, render_mode="human")
    assert capsys.readouterr().out == ""
    env.reset(seed=3)
    while True:
        expected = board_text(env.state_dict(), names=["player_0", "player_1"]) + "\n"
        assert capsys.readouterr().out == expected
        assert env.render() is None
        assert capsys.readouterr().out == expected
        if over(env):
            break
        play(env, 1)
    env.step(None)
    env.close()


def test_nothing_is_drawn_unless_asked(make: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    env = play(begun(make, 2))
    assert env.render() is None
    env.close()
    assert capsys.readouterr() == ("", "")
