"""What all classes of many games side by side have: their set-up, and each game as its own."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from .afterstates import Afterstates, afterstates_of
from .checks import check_count, check_game, check_truth, is_whole
from .contract import Rules
from .errors import BadSetup, NoRecord, brief
from .reward import begin_rewards, new_scoring
from .states import copy_states

_HISTORY: Final = 128  # room for actions per game at first; grows when a game needs more


class Beside:
    """``n`` games side by side, of which a class derived from this plays positions, seeds and actions on.

    n, autoreset: as those classes say. setup: the set-up of all games. reward: the name of a reward of the game; None
    for its first. Raises BadSetup: n, autoreset or reward is not such.
    """

    rules: ClassVar[Rules]
    """The game."""
    _seeds: np.ndarray
    _games: Any  # all arrays, as a named tuple: those of :meth:`_arrays` and others

    def __init__(self, n: int, setup: Any, reward: str | None, autoreset: bool) -> None:
        check_count("n", n)
        check_truth("autoreset", autoreset)
        self.n = int(n)
        self.setup = setup
        """The set-up of all games."""
        self.num_players: int = setup.players
        self.autoreset = bool(autoreset)
        """Whether a game that ends is followed by another in the same step."""
        self._reward, self._kind = self.rules.reward(reward, setup.players)
        self._common = setup.common()
        self._states = np.zeros(self.n, self.rules.state)
        self._set: dict[int, tuple[int, Any]] = {}
        """Of the games that were not begun here, by their numbers: the seed that they had then, and their pieces."""

    def _arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays that games are kept in, with one row for each game."""
        return {
            "states": self._states,
            "history": np.zeros((self.n, _HISTORY), self.rules.action_dtype),
            "lengths": np.zeros(self.n, np.int64),
            "before": np.zeros((self.n, self.num_players), np.float32),
        }

    def _make_room(self, some: np.ndarray | slice = slice(None)) -> int:
        """See to it that the history of some games has room for another action; return how many the longest has."""
        room, longest = self._games.history.shape[1], int(self._games.lengths[some].max(initial=0))
        if longest >= room:
            self._games = self._games._replace(history=np.pad(self._games.history, ((0, 0), (0, room))))
        return longest

    def _moved(self, i: int) -> np.ndarray:
        found: np.ndarray = self._games.history[i, : self._games.lengths[i]]
        return found

    def _place(self, some: np.ndarray, states: np.ndarray, seeds: np.ndarray, pieces: Sequence[Any]) -> None:
        """Let games go on from checked positions, with these seeds and pieces."""
        self._states[some], self._seeds[some], self._games.lengths[some] = states, seeds, 0
        begin, room = self.rules.compiled(begin_rewards), self.rules.compiled(new_scoring)()
        for i, seed, own in zip(some.tolist(), seeds.tolist(), pieces, strict=True):
            begin(self._states[i], self._kind, self._games.before[i], np.empty(self.num_players, np.int32), room)
            self._set[i] = seed, own

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """The positions and the seeds as this project's compiled functions take them; nobody writes to them."""
        return self._states, self._seeds

    @property
    def over(self) -> np.ndarray:
        """Whether each game is over; with ``autoreset`` mostly none is: bool, (n,)."""
        return self._states["end"] != 0

    def afterstates(self, games: np.ndarray | Sequence[int] | None = None) -> Afterstates:
        """Return where each legal action of the seat to move leads before chance speaks, in some games or in all.

        games: their numbers, int64 (m,). Where one is over there are none. Raises IndexError: a number is not from 0 to
        n - 1. ValueError: they are no whole numbers, shape (m,).
        """
        return afterstates_of(self.rules, self._states, games, self._reward)

    def start_of(self, i: int) -> Any:
        """Return the beginning of the present game ``i``. Raises IndexError if there is no such game."""
        check_game(i, self.n)
        return self.setup.start(int(self._seeds[i]))

    def _was_set(self, i: int) -> bool:
        return i in self._set and self._set[i][0] == int(self._seeds[i])

    def _checked_set(self, found: object) -> dict[int, Any]:
        """Return what a pickle tells of games that were set. Raises BadSetup unless it is by their numbers."""
        if not isinstance(found, dict) or not all(is_whole(i, 0, self.n - 1) for i in found):
            raise BadSetup(f"set: expected a dictionary by numbers of games, 0 to {self.n - 1}, got {brief(found)}")
        return found

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
            if game.states.tobytes() == states.tobytes():
                return game
        return self.rules.game.at(copy_states(states), pieces)

    def record(self, i: int = 0) -> dict[str, Any]:
        """Return the game record of game ``i`` so far. Raises IndexError: there is no such game. NoRecord: it goes on
        from a position that was set.
        """
        start = self.start_of(i)
        if self._was_set(int(i)):
            raise NoRecord(f"game {i} goes on from a position that was set: how it came about is not known")
        record: dict[str, Any] = self.rules.game.seeded(start, self._moved(int(i))).record()
        return record

    def state_dict(self, i: int = 0) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON. Raises IndexError if there is no such game."""
        pieces = self.pieces_of(i)
        return self.rules.write_position(self._states[i], pieces)
