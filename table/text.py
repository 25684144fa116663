"""A game in text, for language models and scripts: positions as JSON, moves as text, and what is done in words."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from agents.players.names import AgentName, UnknownAgent
from bohemian_env.engine.errors import BadNotation, BadSetup, brief
from bohemian_env.engine.words import LANGUAGES
from bohemian_env.games import rules_of

from .room import room_of
from .seating import read_seating
from .session import Session


def _is_agent(asked: Any, game: str) -> bool:
    """Whether this names an agent of a game that is no program."""
    with suppress(UnknownAgent):
        return isinstance(asked, str) and AgentName.parse(asked, game).kind != "program"
    return False


class TextGame:
    """A game of which the seats without an agent are played by texts. Chance speaks and agents move at once, so that a
    text is awaited until the game is over.

    Args:
        name: one of ``bohemian_env.games.GAMES``.
        seats: who sits where: None for who plays by texts, else the name of one of the table's guests, or an agent as
            ``agents.make`` takes it, but no program; by default None at the first seat of the smallest table, and at
            others the guest that the table proposes.
        seed: 0 to 2**63 - 1, for chance and the agents; None takes any.
        options: parameters of the set-up by name, those that the table offers.
        language: one of LANGUAGES, in which things are told.

    Raises:
        BadSetup, BadSeating: a parameter is not as above, or an agent cannot be made here.
    """

    def __init__(
        self,
        name: str,
        seats: Sequence[str | None] | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        language: str = "en",
    ) -> None:
        smallest = rules_of(name).players[0]
        if not isinstance(language, str) or language not in LANGUAGES:
            raise BadSetup(f"language {brief(language)} is none of {', '.join(LANGUAGES)}")
        if seats is not None and not isinstance(seats, list | tuple):
            raise BadSetup(f"seats {brief(seats)} are not a list of agents' names and None")
        room = room_of(name)
        sits = [None, *[room.first_guest] * (smallest - 1)] if seats is None else seats
        asked = [{"name": ""} if agent is None else {"agent": agent} for agent in sits]
        words = room.words(language)
        more = [str(agent) for agent in sits if _is_agent(agent, name)]
        seating = read_seating({"game": name, "seats": asked, "options": options, "seed": seed}, more, words)
        for seat in seating["seats"]:
            if "agent" in seat:
                seat["seed"] = seating["seed"]  # so that all follows from the one seed
        self._session = Session(seating)
        self._session.meet_agents()
        self._teller = self._session.teller(words)
        self._go_on()

    def _go_on(self) -> None:
        if self._session.held:
            self._session.confirm()
        while self._session.agent_to_move is not None:
            self._session.advance()

    @property
    def game(self) -> Any:
        """The game now, as a ``Game``: somebody's text is awaited, or it is over."""
        return self._session.game

    def position(self) -> dict[str, Any]:
        """Return where the game stands, in JSON, as far as all at the table know it: without the seed.

        Its keys are ``game``, ``seats`` (the ``name`` of each, and its ``agent``), ``to_move`` (a seat, None once the
        game is over) and ``position``, by the game's own rules.
        """
        seats = zip(self._teller.names, self._session.seating["seats"], strict=True)
        return {
            "game": self._session.room.name,
            "seats": [{"name": name, "agent": seat.get("agent")} for name, seat in seats],
            "to_move": self.game.to_move,
            "position": self.game.position(),
        }

    def drawing(self) -> str:
        """Return where the game stands, drawn with letters."""
        game = self.game
        return str(game.rules.draw_text(game.state_dict(), names=self._teller.names, outcome=game.outcome()))

    def legal(self) -> dict[str, str]:
        """Return what each legal move means, in words, by its text; nothing once the game is over."""
        if self.game.over:
            return {}
        return {option["move"]: option["words"] for option in self._session.room.options(self.game, self._teller)}

    def play(self, move: str) -> list[str]:
        """Make a move of the seat to move; return what has happened from then on, in sentences.

        move: its text; spaces around it are ignored. Raises BadNotation, IllegalMove, GameOver: as by ``Game.push``;
        nothing has changed.
        """
        if not isinstance(move, str):
            raise BadNotation(f"a move is a text, not {brief(move)}")
        move = move.strip()
        self.game.check_decides(move)
        told = len(self._session.log)
        self._session.play(move)
        self._go_on()
        return self.log(told)

    def log(self, after: int = 0) -> list[str]:
        """Return what has happened since the beginning, in sentences. after: lines of the log that are left out."""
        told = (self._session.told(line, self._teller)["words"] for line in self._session.log[after:])
        return [words for words in told if words]

    def result(self) -> dict[str, Any] | None:
        """Return how the game ended: ``reason``, the ``scoring`` of each seat, ``winners`` (seats; none where all play
        for one result) and all of it in ``words``; None while it goes on.
        """
        if (outcome := self.game.outcome()) is None:
            return None
        return {
            "reason": outcome.reason,
            "scoring": list(outcome.scoring),
            "winners": list(outcome.winners),
            "words": self.log()[-1],
        }

    def record(self) -> dict[str, Any]:
        """Return the game record so far, which tells the seed."""
        record: dict[str, Any] = self.game.record()
        return record
