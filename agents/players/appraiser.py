"""``search:appraiser`` and ``selftaught`` as agents; ``appraiser`` itself is a scripted opponent."""

from __future__ import annotations

from agents.pretrained import SELF_TAUGHT_FOLDER
from bohemian_env.bits import Word
from bohemian_env.game.state import State
from bohemian_env.opponents import lookahead
from bohemian_env.opponents.appraiser import load_weights, of_size

from .names import APPRAISER, SELF_TAUGHT
from .playouts import PlayoutAgent
from .scripted import ScriptedAgent

__all__ = ["AppraiserSearch", "SelfTaughtAgent"]


class AppraiserSearch(PlayoutAgent):
    """A player that looks ahead with the network of ``appraiser`` (``bohemian_env/opponents/lookahead.py``).

    Args:
        name: ``search:appraiser``, ``search:appraiser:300`` or ``search:appraiser:20ms``. With a time, moves depend on
            the machine.
        seed: the seed of its dice, 0 to 2**63 - 1.
    """

    def __init__(self, name: str = "search:appraiser", seed: int = 0) -> None:
        self._room = lookahead.search_room()
        super().__init__(name, seed, self._room.candidates)

    def _name_moves(self, state: State) -> int:
        """See :meth:`PlayoutAgent._name_moves`."""
        weights = of_size(load_weights(), int(state["players"]))
        return min(lookahead.name_moves(state, weights, self._room), lookahead.MOVES)

    def _play_rounds(self, state: State, seed: Word, first: int, rounds: int, moves: int) -> None:
        """See :meth:`PlayoutAgent._play_rounds`."""
        players = int(state["players"])
        weights = of_size(load_weights(), players)
        turns = 2 * players - 1  # to where its turn after the next begins
        lookahead.play_rounds(state, seed, first, rounds, moves, turns, weights, self._room)


class SelfTaughtAgent(ScriptedAgent):
    """A player as ``appraiser``, with the networks that it had after less than an hour of learning on one core each.

    They learned from games that they played themselves, in half of them alone among planners; nobody advises them.

    Args:
        seed: not used, since the agent takes the best action.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(APPRAISER, seed)
        self.name = SELF_TAUGHT
        self.files = tuple(sorted(SELF_TAUGHT_FOLDER.glob("*.npz")))
        self._scratch = self._scratch._replace(weights=load_weights(SELF_TAUGHT_FOLDER))
