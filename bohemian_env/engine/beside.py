"""What all classes of many games side by side have: their set-up, and each game as its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .checks import check_game
from .contract import Rules
from .errors import NoRecord
from .states import copy_states, read_only
from .transcript import Transcript


class Beside:
    """``n`` games side by side, of which a class derived from this keeps positions, seeds and actions."""

    rules: ClassVar[Rules]
    """The game."""
    setup: Any
    """The set-up of all games."""
    n: int

    _states: np.ndarray
    _seeds: np.ndarray
    _set: dict[int, tuple[int, Any]]
    """Of the games that were not begun here, by their numbers: the seed that they had then, and their pieces."""

    def _moved(self, i: int) -> np.ndarray:
        """Return the actions of the present game ``i``."""
        raise NotImplementedError

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """The positions and the seeds as this project's compiled functions take them; nobody writes to them."""
        return self._states, self._seeds

    @property
    def over(self) -> np.ndarray:
        """Whether each game is over; with ``autoreset`` mostly none is: bool, (n,)."""
        return self._states["end"] != 0

    def start_of(self, i: int) -> Any:
        """Return the beginning of the present game ``i``. Raises IndexError if there is no such game."""
        check_game(i, self.n)
        return self.setup.start(int(self._seeds[i]))

    def _was_set(self, i: int) -> bool:
        return i in self._set and self._set[i][0] == int(self._seeds[i])

    def pieces_of(self, i: int) -> Any:
        """Return the pieces of the present game ``i``. Raises IndexError if there is no such game."""
        check_game(i, self.n)
        return self._set[i][1] if self._was_set(int(i)) else self.start_of(i).pieces

    def game(self, i: int = 0) -> Any:
        """Return the present game ``i`` as a ``Game``, which does not change with this one.

        If it goes on from a position that was set, it has neither seed nor record. Raises IndexError if there is no
        such game.
        """
        pieces, states = self.pieces_of(i), self._states[i : i + 1]
        if not self._was_set(int(i)):
            game = self.rules.game.seeded(self.start_of(i), self._moved(int(i)))
            if game is not None and game.states.tobytes() == states.tobytes():
                return game
        return self.rules.game.at(copy_states(states), pieces)

    def record(self, i: int = 0) -> dict[str, Any]:
        """Return the game record of game ``i`` so far.

        Raises:
            IndexError: there is no such game.
            NoRecord: it goes on from a position that was set.
        """
        start = self.start_of(i)
        if self._was_set(int(i)):
            raise NoRecord(f"game {i} goes on from a position that was set: how it came about is not known")
        played = Transcript(self.rules, start)
        played.play(self._moved(int(i)))
        return played.record()

    def state_dict(self, i: int = 0) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON. Raises IndexError if there is no such game."""
        pieces = self.pieces_of(i)
        return self.rules.write_position(self._states[i], pieces)

    @property
    def states(self) -> np.ndarray:
        """The positions: shape (n,), dtype ``rules.state``, read-only."""
        return read_only(self._states)
