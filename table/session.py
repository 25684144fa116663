"""One game at the table: whose turn it is, what may be done, what is done, and what the agents think."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import agents
from agents import Agent
from agents.players.names import APPRAISER
from bohemian_env import BohemianError, Game, Setup
from bohemian_env.game.board import is_whole
from bohemian_env.game.dice import totals
from bohemian_env.game.events import Moved
from bohemian_env.game.moves import text_of_action
from bohemian_env.game.record import final_scoring, winning_seats
from bohemian_env.game.setup import MAX_SEED
from bohemian_env.render import SEAT_LETTERS, board_css, board_svg

from .seating import BadSeating, engine
from .words import Entry, Teller

__all__ = ["ADVISER", "NotYourTurn", "Session"]

ADVISER: Final = APPRAISER
"""The agent that people can ask for advice."""
_SHOWN_HINTS: Final = 3


def _check(seating: object, actions: object) -> None:
    """Raise BadSeating unless a game has the form in which it is kept; what it says is checked where it is used."""

    def sits(seat: object) -> bool:
        if not isinstance(seat, Mapping) or not isinstance(seat.get("name"), str):
            return False
        return "agent" not in seat or (isinstance(seat["agent"], str) and is_whole(seat.get("seed"), 0, MAX_SEED))

    parts = seating if isinstance(seating, Mapping) else {}
    seats, villages = parts.get("seats"), parts.get("villages")
    named = villages is None or (isinstance(villages, list) and all(isinstance(name, str) for name in villages))
    sound = isinstance(seats, list) and all(map(sits, seats)) and isinstance(actions, list | tuple)
    if not sound or not named or not isinstance(parts.get("engine"), str):
        raise BadSeating("this game cannot be read: it has not the form in which games are kept")


class NotYourTurn(Exception):
    """Somebody else is to move than the one who asked, or nobody is; the message says who."""


class Session:
    """A game under way: who sits at the table, the game itself, and its log.

    Args:
        seating: who sits where, and on which villages and dice they play (``seating.read_seating``).
        actions: action numbers of the moves made so far.

    Raises:
        BadSeating: the game is of another version of the rules or the board, or cannot be continued.
    """

    def __init__(self, seating: Mapping[str, Any], actions: Sequence[int] = ()) -> None:
        _check(seating, actions)
        if seating.get("engine") != engine():
            raise BadSeating("this game was started with another version of the rules or of the board")
        self.seating = seating
        seats = seating["seats"]
        self.names = [seat["name"] for seat in seats]
        people = [number for number, seat in enumerate(seats) if "agent" not in seat]
        self.you = people[0] if len(people) == 1 else None
        """The seat that the page calls "you": that of the only person."""
        self.log: list[Entry] = []
        self._teller = Teller(self.names, self.you)
        self._agents: dict[tuple[str, int], Agent] = {}
        self._before: Game | None = None
        """The game before the last move."""
        self._undo: list[tuple[Game, Game | None, int]] = []
        """For each move that can be taken back: the game before it, the one before that, and the lines of the log."""
        try:
            setup = Setup.of(len(seats), seating.get("villages") or "random")
            start = setup.start(seating.get("seed"), [seat.get("agent", seat["name"]) for seat in seats])
            self.game = self._rolled(Game.begin(start))
            """The game now: somebody is to move, or it is over."""
            for action in actions:
                self._push(text_of_action(self.game.states[0], action, self.game.villages))
        except BohemianError as error:
            raise BadSeating(f"this game cannot be continued: {error}") from None

    # --- whose turn it is ---

    @property
    def actions(self) -> list[int]:
        """Action numbers of the moves made so far, by which the game is kept."""
        return list(self.game.actions)

    @property
    def at(self) -> str:
        """What tells these moves from any others, by which a page says how it believes the game to stand."""
        return hashlib.sha256(json.dumps(self.actions).encode()).hexdigest()[:16]

    @property
    def agent_to_move(self) -> str | None:
        """The name of the agent that is to move; None if a person is, or nobody."""
        seat = self.game.to_move
        return None if seat is None else self.seating["seats"][seat].get("agent")

    @property
    def person_to_move(self) -> bool:
        """Whether a person is to move."""
        return not self.game.over and self.agent_to_move is None

    # --- play ---

    def play(self, text: str) -> None:
        """Make a person's move.

        Raises:
            NotYourTurn: an agent is to move, or the game is over.
            BadNotation, IllegalMove: as by ``Game.push``; nothing has changed.
        """
        if self.game.to_move is None:
            raise NotYourTurn("the game is over")
        if self.agent_to_move is not None:
            raise NotYourTurn(f"it is {self.names[self.game.to_move]}'s turn")
        self._push(text)

    def advance(self) -> None:
        """Make the move of the agent that is to move.

        Raises:
            NotYourTurn: a person is to move, or nobody.
        """
        if self.game.to_move is None or self.agent_to_move is None:
            raise NotYourTurn("no agent is to move")
        self._push(self._agent(self.game.to_move).move(self.game))

    def take_back(self) -> None:
        """Undo the last move of the person who is to move: of this turn, and made since dice were last rolled.

        Raises:
            NotYourTurn: there is none.
        """
        if not self.person_to_move or not self._undo:
            raise NotYourTurn("no move can be taken back: dice were rolled since")
        self.game, self._before, lines = self._undo.pop()
        del self.log[lines:]

    def _push(self, text: str) -> None:
        before = (self.game, self._before, len(self.log))
        pushed = self.game.push(text)
        if pushed.needs_roll or pushed.over:
            self._undo.clear()
        else:
            self._undo.append(before)
        self._before, self.game = self.game, self._rolled(pushed)

    def _rolled(self, game: Game) -> Game:
        """Roll until somebody is to move or the game is over, and write into the log what has happened."""
        happened = [*game.happened]
        while game.needs_roll:
            game = game.roll()
            happened += game.happened
        self.log += self._teller.lines(happened, game.outcome())
        return game

    def meet_agents(self) -> None:
        """Make all agents at the table. Raises BadSeating, with the reason, if one cannot be made here."""
        for seat, entry in enumerate(self.seating["seats"]):
            if "agent" in entry:
                self._agent(seat)

    def _agent(self, seat: int) -> Agent:
        entry = self.seating["seats"][seat]
        return self._made(entry["agent"], entry["seed"])

    def _made(self, name: str, seed: int) -> Agent:
        if (name, seed) not in self._agents:
            try:
                self._agents[name, seed] = agents.make(name, seed=seed)
            except ModuleNotFoundError as error:
                missing = f"{name} needs {error.name}, which is not installed; the extra `train` brings it"
                raise BadSeating(missing) from None
            except ValueError as error:
                raise BadSeating(str(error)) from None
        return self._agents[name, seed]

    # --- what there is to see ---

    def view(self, after: int = 0) -> dict[str, Any]:
        """Return all that the page shows, without the seed and without dice to come.

        after: lines of the log that the page has already.
        """
        game, position = self.game, self.game.position()
        score = final_scoring(game.states[0])
        return {
            "moves": len(game.actions),
            "at": self.at,
            "back": self.person_to_move and bool(self._undo),
            "over": game.over,
            "seat": game.to_move,
            "you": self.you,
            "person": self.person_to_move,
            "turn": game.turn,
            "seats": [
                {"letter": letter, "name": seat["name"], "agent": seat.get("agent")}
                for letter, seat in zip(SEAT_LETTERS, self.seating["seats"], strict=False)
            ],
            "svg": self._drawing(position),
            "dice": list(game.dice),
            "totals": {"+".join(map(str, dice)): total for dice, total in totals(game.dice).items()},
            "bank": game.bank,
            "bishop": game.bishop,
            "special_supply": game.special_supply,
            "legal": [self._option(move) for move in game.legal_moves] if self.person_to_move else [],
            "log": self.log[after:],
            "line": min(after, len(self.log)),
            "score": score,
            "leading": winning_seats(score),
            "status": self._status(),
        }

    def _status(self) -> str:
        """Return whose turn it is, in a sentence."""
        seat = self.game.to_move
        if seat is None:
            return self.log[-1]["words"]
        if self.agent_to_move is not None:
            return f"{self.names[seat]} is thinking"
        whose = "Your turn" if seat == self.you else f"{self.names[seat]}'s turn"
        return whose + (": move again, or stop" if self.game.moves_made else "")

    def _drawing(self, position: Mapping[str, Any]) -> str:
        """Return the position as SVG, without the style sheet in it: the page has that once (``/board.css``)."""
        drawn = board_svg(position, names=self.names, last=self._changed(position), outcome=self.game.outcome())
        return drawn.replace(f"<style>{board_css()}</style>", "", 1)

    def _changed(self, position: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return the buildings whose owners the last move changed."""
        if self._before is None:
            return []
        both = zip(self._before.position()["villages"], position["villages"], strict=True)
        return [
            (new["kind"], village)
            for village, (was, now) in enumerate(both)
            for old, new in zip(was["buildings"], now["buildings"], strict=True)
            if old["owner"] != new["owner"]
        ]

    def _option(self, text: str) -> dict[str, object]:
        """Return a legal move with what it would do."""
        (moved,) = (event for event in self.game.push(text).happened if isinstance(event, Moved))
        move = moved.move
        words = self._teller.order(moved)
        option: dict[str, object] = {"move": text, "act": move.act, "dice": move.dice, "words": words}
        if move.act != "place":
            return option
        village = self.game.villages.index(move.village)
        return option | {"kind": move.kind, "village": village, "kicked": moved.kicked}

    def hint(self) -> dict[str, Any]:
        """Return the moves that the adviser likes best for the person to move, with the chance of winning after each.

        Raises:
            NotYourTurn: no person is to move.
        """
        if not self.person_to_move:
            raise NotYourTurn("advice is for a person who is to move")
        chances = self._made(ADVISER, 0).explain(self.game).values
        best = sorted(chances, key=lambda move: -chances[move])[:_SHOWN_HINTS]
        return {"agent": ADVISER, "moves": [{"move": move, "chance": round(chances[move], 3)} for move in best]}
