"""What ``python -m bohemian_env.check`` tells: every game passes, and a game that breaks a promise does not."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bohemian_env import check
from bohemian_env.check import CHECKS, Kit
from bohemian_env.engine.errors import BadSetup
from bohemian_env.games import GAMES, faces_of, rules_of
from tests.helpers import Ends


@pytest.fixture(scope="module", params=GAMES)
def kit(request: pytest.FixtureRequest) -> Kit:
    return Kit(str(request.param))


@pytest.mark.parametrize("made", CHECKS, ids=lambda made: made.__name__)
def test_every_game_passes(kit: Kit, made: Callable[[Kit], str]) -> None:
    assert made(kit)


def test_the_command_tells_what_it_checked(monkeypatch: pytest.MonkeyPatch, ends: Ends) -> None:
    def fails(kit: Kit) -> str:
        """It never holds."""
        raise AssertionError("as it should")

    monkeypatch.setattr(check, "CHECKS", (check.what_is_handed_over, fails))
    told = ends(1, check.main, "villages").out
    assert "ok     what is handed over: " in told
    assert "FAILED fails: It never holds.\n       AssertionError: as it should (fails, line " in told
    assert told.endswith("(Gymnasium 1.4.0)\n") or "1 of 2 checks passed" in told
    with pytest.raises(SystemExit, match="2"):
        check.main(["chess"])


def test_unknown_games_are_told() -> None:
    for odd in ("chess", None, 7):
        with pytest.raises(BadSetup, match="known are villages, dorfromantik, agricola"):
            rules_of(odd)  # type: ignore[arg-type]
    assert faces_of("villages").RULES is rules_of("villages")


# --- games that break a promise ---------------------------------------------------------------------------------------


def broken(name: str, **changes: Any) -> Kit:
    """Villages with some of what they hand over replaced, as a game of its own."""
    kit = Kit("villages")
    changes = {key: staticmethod(value) if callable(value) else value for key, value in changes.items()}
    called = f"broken{name}" if "verbs" in changes else "villages"  # by which compiled functions are kept
    rules = type("Broken", (type(kit.rules),), {"name": called, **changes})()
    kit.rules = rules
    kit.game = rules.game = type("BrokenGame", (kit.game,), {"rules": rules, "__slots__": ()})
    for face in ("batch", "self_play", "raw_env"):
        setattr(kit, face, type(face, (getattr(kit, face),), {"rules": rules}))
    for face in ("single", "vector"):
        setattr(kit, face, type(face, (getattr(kit, face),), {"self_play": kit.self_play}))
    return kit


VILLAGES = rules_of("villages")


def verbs(**changes: Any) -> Any:
    """The verbs of villages with some of them replaced."""
    made = SimpleNamespace(**(vars(VILLAGES.verbs) | changes))
    made.__file__, made.__name__ = VILLAGES.verbs.__file__, VILLAGES.verbs.__name__
    return made


def lucky(s: Any, seed: np.uint64) -> int:
    """Always the first outcome that can come."""
    return next(k for k in range(VILLAGES.verbs.outcomes(s)) if VILLAGES.verbs.likelihood(s, k) > 0)


def forgetful(states: np.ndarray, pieces: Any) -> Any:
    """A comparison that does not look at coins."""
    states = states.copy()
    states["coins"] = 0
    states["bank"] = 0
    return states.tobytes()


BREAKS: dict[str, dict[str, Any]] = {
    "what_is_handed_over": {"verbs": verbs(COLUMNS=5)},
    "texts": {"text_of": lambda s, action, pieces: "move"},
    "records_and_positions": {"write_position": lambda s, pieces: {**VILLAGES.write_position(s, pieces), "turn": 3}},
    "every_field": {"same": forgetful},
    "chance": {"verbs": verbs(draw=lucky)},
    "drawings": {"draw_svg": lambda position, **options: "<svg>"},
    "odd_values": {"setup": lambda players=2, *more, **options: VILLAGES.setup(2)},
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_promise_is_noticed(name: str) -> None:
    kit, made = broken(name, **BREAKS[name]), getattr(check, name)
    with pytest.raises(Exception, match=r"."):
        made(kit)
    if name != "chance":  # which takes seconds, and passes above
        assert made(broken("nothing"))  # the same game with nothing broken
