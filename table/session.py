"""One game at the table: whose turn it is, what may be done, what is done, and what the agents think."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import agents
from agents import Agent
from agents.players.foreign import BadForeign
from agents.players.names import PROGRAM
from agents.players.program import STAND_IN
from agents.positions.worth import ADVISER, COSTLY, best_turns, worth
from bohemian_env import BohemianError, Game, Setup
from bohemian_env.engine.checks import MAX_SEED, is_whole
from bohemian_env.villages.contract import RULES
from bohemian_env.villages.dice import totals
from bohemian_env.villages.moves import text_of_action
from bohemian_env.villages.render import SEAT_LETTERS
from bohemian_env.villages.render.seats import holdings
from bohemian_env.villages.words import ENGLISH, Words

from .drawing import draw
from .history import positions_of
from .reasons import reasons, told
from .refusal import Refusal
from .seating import YOU, BadSeating, engine, record_names
from .teller import Failed, Line, Teller, lines_of

_SHOWN_HINTS: Final = 3
_LEVEL: Final = 0.005
"""Chances that are less apart are level: nothing speaks for either move."""


def _check(seating: Any, actions: object) -> None:
    """Raise BadSeating unless a game has the form in which it is kept; what it says is checked where it is used."""

    def has(thing: Any, **kinds: Any) -> bool:
        return isinstance(thing, Mapping) and all(isinstance(thing.get(key), kind) for key, kind in kinds.items())

    def sits(seat: Any) -> bool:
        return has(seat, name=str) and (
            "agent" not in seat or (has(seat, agent=str) and is_whole(seat.get("seed"), 0, MAX_SEED))
        )

    sound = has(seating, engine=str, seats=list, villages=list | None, record=Mapping | None)
    sound = sound and isinstance(actions, list | tuple) and all(map(sits, seating["seats"]))
    if not sound or not all(isinstance(name, str) for name in seating.get("villages") or ()):
        raise BadSeating("no_form")


class NotYourTurn(Refusal):
    """Somebody else is to move than the one who asked, or nobody is."""


class Session:
    """A game under way: who sits at the table, the game itself, and its log.

    Args:
        seating: who sits where, and on which villages and dice they play (``seating.read_seating``), or from which
            position of another game on.
        actions: action numbers of the moves made so far.
        programs: names of agents that may be programs: a kept game, which anybody may have written, starts no others.

    Raises:
        BadSeating: the game is of another version of the rules or the board, or cannot be continued.
    """

    def __init__(self, seating: Mapping[str, Any], actions: Sequence[int] = (), programs: Collection[str] = ()) -> None:
        _check(seating, actions)
        if seating.get("engine") != engine():
            raise BadSeating("version")
        self.seating = seating
        seats = seating["seats"]
        self.names = [seat["name"] for seat in seats]
        people = [number for number, seat in enumerate(seats) if "agent" not in seat]
        named = [seat for seat in people if self.names[seat] in YOU]
        over_already = "end" in (seating.get("record") or {})  # it came as a record, of anybody's
        self.you = next(iter(people if len(people) == 1 and not over_already else named), None)
        """The seat that the page calls "you": that of the only person who plays, or the first that is named so."""
        self.log: list[Line] = []
        self._agents: dict[tuple[str, int], Agent] = {}
        self._programs = programs
        self._before: Game | None = None
        """The game before the last move of a person, or before the moves of agents since then."""
        self._agent_moved = False
        self._undo: list[tuple[Game, Game | None, int]] = []
        """For each move that can be taken back: the game before it, the one before that, and the lines of the log."""
        try:
            begun = self._begin()
            self.begun = len(begun.actions)
            """Moves of the game from which this one goes on."""
            for position in positions_of(begun):  # none in a game that only begins now
                self.log += lines_of(position.happened, position.game.outcome())
            self.game = self._rolled(begun) if begun.needs_roll else begun
            """The game now: somebody is to move, or it is over."""
            for action in actions:
                self._push(text_of_action(self.game.states[0], action, self.game.villages))
        except BohemianError as error:
            raise BadSeating("cannot_go_on", why=error) from None

    def _begin(self) -> Game:
        seats = self.seating["seats"]
        if record := self.seating.get("record"):
            game = Game.from_record(record)
            if game.players != len(seats):
                raise BadSeating("seats_of", seats=len(seats), players=game.players)
            return game
        setup = Setup.of(len(seats), self.seating.get("villages") or "random")
        return Game.begin(setup.start(self.seating.get("seed"), record_names(self.seating)))

    # --- whose turn it is ---

    @property
    def actions(self) -> list[int]:
        """Action numbers of the moves made so far at this table, by which the game is kept."""
        return list(self.game.actions[self.begun :])

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

    @property
    def only_agents(self) -> bool:
        """Whether no person plays."""
        return all("agent" in seat for seat in self.seating["seats"])

    # --- play ---

    def play(self, text: str) -> None:
        """Make a person's move.

        Raises:
            NotYourTurn: an agent is to move, or the game is over.
            BadNotation, IllegalMove: as by ``Game.push``; nothing has changed.
        """
        if self.game.to_move is None:
            raise NotYourTurn("over")
        if self.agent_to_move is not None:
            raise NotYourTurn("not_yours", name=self.names[self.game.to_move])
        self._push(text)

    def advance(self) -> None:
        """Make the move of the agent that is to move; if it is a program and fails, another plays on for it.

        Raises:
            NotYourTurn: a person is to move, or nobody.
        """
        if self.game.to_move is None or self.agent_to_move is None:
            raise NotYourTurn("no_agent_to_move")
        seat = self.game.to_move
        try:
            move = self._agent(seat).move(self.game)
        except BadForeign as error:
            self.log.append(Line(Failed(seat, STAND_IN, str(error))))
            entry = self.seating["seats"][seat]
            self._agents[entry["agent"], entry["seed"]] = stand_in = agents.make(STAND_IN, entry["seed"])
            move = stand_in.move(self.game)
        self._push(move)
        if self.game.over:
            self._agents.clear()  # programs end

    def take_back(self) -> None:
        """Undo the last move of the person who is to move: of this turn, and made since dice were last rolled.

        Raises:
            NotYourTurn: there is none.
        """
        if not self.person_to_move or not self._undo:
            raise NotYourTurn("nothing_back")
        self.game, self._before, lines = self._undo.pop()
        del self.log[lines:]

    def _push(self, text: str) -> None:
        before = (self.game, self._before, len(self.log))
        pushed, agent_moves = self.game.push(text), self.agent_to_move is not None
        if pushed.needs_roll or pushed.over:
            self._undo.clear()
        else:
            self._undo.append(before)
        if not (agent_moves and self._agent_moved):
            self._before = self.game
        self._agent_moved = agent_moves
        self.game = self._rolled(pushed)

    def _rolled(self, game: Game) -> Game:
        """Roll until somebody is to move or the game is over, and write into the log what has happened."""
        happened = [*game.happened]
        while game.needs_roll:
            game = game.roll()
            happened += game.happened
        self.log += lines_of(happened, game.outcome())
        return game

    def meet_agents(self) -> None:
        """Make all agents at the table. Raises BadSeating, with the reason, if one cannot be made here."""
        for seat, entry in enumerate(self.seating["seats"]):
            if "agent" in entry:
                self._agent(seat)

    def _agent(self, seat: int) -> Agent:
        name, seed = (self.seating["seats"][seat][key] for key in ("agent", "seed"))
        if (name, seed) not in self._agents:
            if name.partition(":")[0] == PROGRAM and name not in self._programs:
                raise BadSeating("program", name=name)
            try:
                self._agents[name, seed] = agents.make(name, seed=seed)
            except ModuleNotFoundError as error:
                raise BadSeating("missing", name=name, module=error.name) from None
            except (ValueError, OSError) as error:
                raise BadSeating("because", why=error) from None
            if (sizes := getattr(self._agents[name, seed], "sizes", None)) and len(self.names) not in sizes:
                raise BadSeating("sizes", name=name, sizes=", ".join(map(str, sizes)))
        return self._agents[name, seed]

    # --- what there is to see ---

    def view(self, after: int = 0, words: Words = ENGLISH) -> dict[str, Any]:
        """Return all that the page shows, without the seed and without dice to come.

        Args:
            after: lines of the log that the page has already; all are told if there are fewer.
            words: those of the language in which it is told.
        """
        after = self.known(after)
        game, teller = self.game, Teller(self.names, self.you, words)
        score = RULES.scoring_of(game.states[0])
        return {
            "moves": len(self.actions),
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
            "svg": draw(self.game, self.names, self._before, words.language),
            "dice": list(game.dice),
            "totals": {"+".join(map(str, dice)): total for dice, total in totals(game.dice).items()},
            "bank": game.bank,
            "bishop": game.bishop,
            "special_supply": game.special_supply,
            "legal": [teller.option(game, move) for move in game.legal_moves] if self.person_to_move else [],
            "log": [*map(teller.entry, self.log[after:])],
            "line": after,
            "score": score,
            "holdings": [
                {"coins": one.coins, "figures": one.figures, "income": one.income} for one in holdings(game.position())
            ],
            "leading": [seat for seat, row in enumerate(score) if row["total"] == max(one["total"] for one in score)],
            "status": self._status(teller),
        }

    def known(self, lines: int) -> int:
        """Return how many of the lines that a page has are those of the log: all or none.

        A log that was made anew tells no longer that a program had failed, and so may be shorter than the page's.
        """
        return lines if lines <= len(self.log) else 0

    def _status(self, teller: Teller) -> str:
        """Return whose turn it is, in a sentence."""
        seat, words = self.game.to_move, teller.words
        if seat is None:
            return teller.entry(self.log[-1])["words"]
        if self.agent_to_move is not None:
            return words("happens.thinking", name=self.names[seat])
        whose = words("happens.your_turn") if seat == self.you else words("happens.their_turn", name=self.names[seat])
        return words("happens.or_stop", turn=whose) if self.game.moves_made else whose

    def hint(self, words: Words = ENGLISH) -> dict[str, Any]:
        """Return the best moves for the person to move, each of another turn, with the chance of winning after each,
        and what speaks for the best of them against the next, unless they are level.

        Raises:
            NotYourTurn: no person is to move.
        """
        game = self._decided()
        found = best_turns(game.states.tobytes(), _SHOWN_HINTS)
        chances = {game.action_to_text(action): chance for action, chance in found.items()}
        best = [*chances]
        leads = len(best) > 1 and chances[best[0]] - chances[best[1]] >= _LEVEL
        return {
            "agent": words(f"guest_name.{ADVISER}"),
            "moves": [{"move": move, "chance": round(chances[move], 3)} for move in best],
            "why": told(reasons(self.game, best[0], best[1]), words) if leads else "",
        }

    def weigh(self, text: str, words: Words = ENGLISH) -> dict[str, Any]:
        """Return what a move costs the person to move, 0 unless it is much, and what it brings and takes against the
        best one.

        Raises:
            NotYourTurn: no person is to move.
            BadNotation, IllegalMove: as by ``Game.push``.
        """
        game = self._decided()
        action, state = game.text_to_action(text), game.states.tobytes()
        chances = worth(state, action)
        best = max(chances, key=lambda one: chances[one])
        cost = chances[best] - chances[action]
        if cost < COSTLY[0]:
            return {"cost": 0, "why": ""}
        move, better = game.action_to_text(action), game.action_to_text(best)
        return {"cost": round(cost, 3), "why": told(reasons(game, move, better), words)}

    def _decided(self) -> Game:
        """Return the game, in which a person is to move. Raises NotYourTurn if none is."""
        if not self.person_to_move:
            raise NotYourTurn("advice")
        return self.game
