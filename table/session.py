"""One game at the table: whose turn it is, what may be done, what is done, and what the agents think."""

import hashlib
import json
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import agents
from agents import Agent
from agents.players.foreign import BadForeign
from agents.players.names import PROGRAM
from agents.players.program import STAND_IN
from bohemian_env.engine.checks import MAX_SEED, is_whole
from bohemian_env.engine.contract import Action
from bohemian_env.engine.errors import BohemianError
from bohemian_env.engine.game import Game

from .refusal import Refusal
from .room import LETTERS, Entry, Line, Option, Teller, total_of
from .seating import YOU, BadSeating, names_in, record_names, room_in, setup_in
from .words import Words

_SHOWN_HINTS: Final = 3


def _check(seating: Any, actions: object) -> None:
    """Raise BadSeating unless a game has the form in which it is kept; what it says is checked where it is used."""

    def has(thing: Any, **kinds: Any) -> bool:
        return isinstance(thing, Mapping) and all(isinstance(thing.get(key), kind) for key, kind in kinds.items())

    def sits(seat: Any) -> bool:
        return has(seat, name=str) and (
            "agent" not in seat or (has(seat, agent=str) and is_whole(seat.get("seed"), 0, MAX_SEED))
        )

    sound = has(seating, engine=str, seats=list, record=Mapping | None)
    sound = sound and has({"game": "", "options": {}, **seating}, game=str, options=Mapping)
    sound = sound and isinstance(actions, list | tuple) and all(map(sits, seating["seats"]))
    if not sound:
        raise BadSeating("no_form")


def at_of(actions: Sequence[int], held: bool) -> str:
    """Return what tells how a game stands from any other way, by the moves made and whether the last one is held."""
    return hashlib.sha256(json.dumps([list(actions), held]).encode()).hexdigest()[:16]


class NotYourTurn(Refusal):
    """Somebody else is to move than the one who asked, or nobody is."""


class Session:
    """A game under way: who sits at the table, the game itself, and its log.

    After a person's last decision before chance, another seat or the end, the game is *held*: till the person confirms,
    the move can be taken back.

    Args:
        seating: which game, who sits where, and how it is set up (``seating.read_seating``), or from which position of
            another game on.
        actions: action numbers of the moves made so far.
        programs: names of agents that may be programs: a kept game, which anybody may have written, starts no others.

    Raises:
        BadSeating: the game is of another version of the rules, or cannot be continued.
    """

    def __init__(self, seating: Mapping[str, Any], actions: Sequence[int] = (), programs: Collection[str] = ()) -> None:
        _check(seating, actions)
        self.room = room = room_in(seating)
        if seating.get("engine") != room.engine():
            raise BadSeating("version")
        self.seating = seating
        seats = seating["seats"]
        self.names = [seat["name"] for seat in seats]
        self.people = people = [number for number, seat in enumerate(seats) if "agent" not in seat]
        named = [seat for seat in people if self.names[seat] in YOU]
        self._agents: dict[tuple[str, int], Agent] = {}
        self._programs = programs
        self._failed: list[Line] = []
        self._since: int = 0  # the moment before the last move of a person, or before the moves of agents since then
        self._agent_moved = False
        self._undo: list[tuple[int, int]] = []
        """For each move that can be taken back, the number of moments before it, and what ``_since`` was."""
        self.held = False
        """Whether a person's move waits to be confirmed."""
        self._standing = threading.RLock()
        """Held while the game changes and while it is looked at, but not while an agent thinks."""
        try:
            self.room.wait()
            begun = self._begin()
            # One that came as a record, over already, is anybody's.
            self.you = next(iter(people if len(people) == 1 and not begun.over else named), None)
            """The seat that the page calls "you": that of the only person who plays, or the first that is named so."""
            self.begun = len(begun.actions)
            """Moves of the game from which this one goes on."""
            self.moments: list[Game] = [*begun.moments()]
            """The game at its beginning and after every chance and every move since."""
            self._since = len(self.moments) - 1
            self._deal()
            for action in actions:
                text = self.game.action_to_text(action)
                if self.agent_to_move is None:
                    self.play(text)
                else:
                    self._push(text)
                if self.held:
                    self.confirm()
                self._deal()
        except BohemianError as error:
            raise BadSeating("cannot_go_on", why=error) from None

    def _begin(self) -> Game:
        if record := self.seating.get("record"):
            game: Game = self.room.rules.game.from_record(record, self.seating.get("seed"))
            if game.players != len(self.names):
                raise BadSeating("seats_of", seats=len(self.names), players=game.players)
            return game
        start = setup_in(self.seating).start(self.seating.get("seed"), record_names(self.seating))
        begun: Game = self.room.rules.game.begin(start)
        return begun

    @property
    def game(self) -> Any:
        """The game now, of the room's own class: somebody is to move, a move waits to be confirmed, or it is over."""
        return self.moments[-1]

    # --- whose turn it is ---

    @property
    def actions(self) -> list[int]:
        """Action numbers of the moves made so far at this table, by which the game is kept."""
        return list(self.game.actions[self.begun :])

    @property
    def moments_begun(self) -> list[Game]:
        """The moments of the game up to where this table began to play."""
        return [moment for moment in self.moments if len(moment.actions) <= self.begun]

    @property
    def at(self) -> str:
        """What tells how the game stands from any other, by which a page says how it believes it to."""
        return at_of(self.actions, self.held)

    @property
    def agent_to_move(self) -> str | None:
        """The name of the agent that is to move; None if a person is, or nobody."""
        seat = self.game.to_move
        return None if seat is None or self.held else self.seating["seats"][seat].get("agent")

    @property
    def person_to_move(self) -> bool:
        """Whether a person is to move."""
        return not self.game.over and not self.held and self.agent_to_move is None

    @property
    def over(self) -> bool:
        """Whether the game is over, and its last move confirmed."""
        return self.game.over and not self.held

    @property
    def only_agents(self) -> bool:
        """Whether no person plays."""
        return all("agent" in seat for seat in self.seating["seats"])

    # --- play ---

    def play(self, text: str, instead: bool = False) -> None:
        """Make a person's move.

        instead: whether the last one is taken back first. Raises NotYourTurn: an agent is to move, or the game is over,
        or a move waits to be confirmed. BadNotation, IllegalMove: as by ``Game.push``; nothing has changed.
        """
        if instead:
            self._check_back()
            pushed = self.moments[self._undo[-1][0] - 1].push(text)  # first, since it may be refused
            self.take_back()
        else:
            if self.held:
                raise NotYourTurn("held")
            if self.game.over:
                raise NotYourTurn("over")
            if self.agent_to_move is not None:
                raise NotYourTurn("not_yours", name=self.names[self.game.to_move or 0])
            pushed = self.game.push(text)
        seat = self.game.to_move
        self._undo.append((len(self.moments), self._since))
        self._pushed(pushed)
        self.held = pushed.over or pushed.needs_chance or pushed.to_move != seat

    def confirm(self) -> None:
        """Let chance speak and others go on after a person's move. Raises NotYourTurn if none waits."""
        if not self.held:
            raise NotYourTurn("nothing_held")
        self.held = False
        self._undo.clear()
        self._deal()
        if self.game.over:
            self._agents.clear()  # programs end

    def advance(self) -> None:
        """Make the move of the agent that is to move; if it is a program and fails, another plays on for it. Raises
        NotYourTurn: a person is to move, or nobody.
        """
        if self.game.over or self.agent_to_move is None:
            raise NotYourTurn("no_agent_to_move")
        seat = self.game.to_move
        assert seat is not None
        try:
            move = self._agent(seat).move(self.game)
        except BadForeign as error:
            self._failed.append(Line(len(self.moments) - 1, seat, (STAND_IN, str(error))))
            entry = self.seating["seats"][seat]
            stand_in = agents.make(STAND_IN, entry["seed"], game=self.room.name)
            self._agents[entry["agent"], entry["seed"]] = stand_in
            move = stand_in.move(self.game)
        with self._standing:
            self._push(move)
            self._deal()
        if self.game.over:
            self._agents.clear()

    def take_back(self) -> None:
        """Undo the last move of the person who is to move, made since chance or another seat acted. Raises NotYourTurn:
        there is none.
        """
        self._check_back()
        length, self._since = self._undo.pop()
        del self.moments[length:]
        self.held = False

    def _check_back(self) -> None:
        if not self._undo or not (self.held or self.person_to_move):
            raise NotYourTurn("nothing_back")

    def _push(self, text: str) -> None:
        self._undo.clear()
        self._pushed(self.game.push(text))

    def _pushed(self, pushed: Game) -> None:
        agent_moves = self.agent_to_move is not None
        if not (agent_moves and self._agent_moved):
            self._since = len(self.moments) - 1
        self._agent_moved = agent_moves
        self.moments.append(pushed)

    def _deal(self) -> None:
        """Let chance speak until somebody is to move or the game is over."""
        while self.game.needs_chance:
            self._undo.clear()
            self.moments.append(self.game.deal())

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
                self._agents[name, seed] = agents.make(name, seed=seed, game=self.room.name)
            except ModuleNotFoundError as error:
                raise BadSeating("missing", name=name, module=error.name) from None
            except (ValueError, OSError) as error:
                raise BadSeating("because", why=error) from None
            if (sizes := getattr(self._agents[name, seed], "sizes", None)) and len(self.names) not in sizes:
                raise BadSeating("sizes", name=name, sizes=", ".join(map(str, sizes)))
        return self._agents[name, seed]

    # --- what there is to see ---

    def teller(self, words: Words) -> Teller:
        """Return what tells of the seats in a language."""
        return Teller(names_in(self.seating, words), self.you, words)

    @property
    def log(self) -> list[Line]:
        """The lines of the log."""
        return sorted([*self.room.lines(self.moments), *self._failed], key=lambda line: line.moment)

    def told(self, line: Line, teller: Teller) -> Entry:
        """Return a line of the log in words."""
        if line not in self._failed:
            return self.room.entry(line, teller)
        stand_in, why = line.event
        words = teller.words("happens.failed", name=teller.names[line.seat or 0], stand_in=stand_in, why=why)
        return {"kind": "pass", "seat": line.seat, "text": stand_in, "words": words, "chance": False}

    def view(self, after: int = 0, words: Words | None = None) -> dict[str, Any]:
        """Return all that the page shows, without the seed and without what chance will bring.

        after: lines of the log that the page has already; all are told if there are fewer. words: those of the language
        in which it is told; English by default.
        """
        with self._standing:
            return self._view(after, words or self.room.words("en"))

    def _view(self, after: int, words: Words) -> dict[str, Any]:
        room, game, log = self.room, self.game, self.log
        after, teller = after if after <= len(log) else 0, self.teller(words)
        score = room.rules.scoring_of(game.states[0])
        entries = [self.told(line, teller) for line in log[after:]]
        options: list[Option] = room.options(game, teller) if self.person_to_move else []
        return {
            "game": room.name,
            "moves": len(self.actions),
            "at": self.at,
            "back": bool(self._undo) and (self.held or self.person_to_move),
            "held": self.held,
            "over": self.over,
            "seat": self._shown_seat,
            "you": self.you,
            "person": self.person_to_move,
            "turn": game.turn,
            "seats": [
                {"letter": letter, "name": name, "agent": seat.get("agent")}
                for letter, name, seat in zip(LETTERS, teller.names, self.seating["seats"], strict=False)
            ],
            "svg": room.draw(game, teller.names, self.moments[self._since], words),
            "chips": room.chips(game, words),
            "sums": room.sums(game),
            "panels": room.panels(game, teller),
            "strip": room.strip(game, teller),
            "middle": room.middle(game, teller),
            "about": room.about(game, words),
            "prompt": room.prompt(game, teller) if self.person_to_move else "",
            "legal": options,
            "log": entries,
            "line": after,
            "score": score,
            "leading": [seat for seat, row in enumerate(score) if total_of(row) == max(map(total_of, score))],
            "status": self._status(teller),
            "verdict": room.verdict(game, teller) if self.over else "",
            "duplicate": self.over and bool(self.people) and not self.seating.get("record"),
        }

    @property
    def _shown_seat(self) -> int | None:
        """Whose turn the page shows: that of who moved last, while the move waits to be confirmed."""
        return self.moments[-2].to_move if self.held else self.game.to_move

    def known(self, lines: int) -> int:
        """Return how many of the lines that a page has are those of the log: all or none.

        A log that was made anew tells no longer that a program had failed, and so may be shorter than the page's.
        """
        return lines if lines <= len(self.log) else 0

    def _status(self, teller: Teller) -> str:
        """Return whose turn it is, in a sentence."""
        seat, words = self._shown_seat, teller.words
        if seat is None:
            return self.told(self.log[-1], teller)["words"]
        if self.agent_to_move is not None:
            return words("happens.thinking", name=teller.names[seat])
        whose = words("happens.your_turn") if seat == self.you else words("happens.their_turn", name=teller.names[seat])
        if self.held:
            return words("happens.held", whose=whose)
        return self.room.status(self.game, whose, words)

    def hint(self, words: Words | None = None) -> dict[str, Any]:
        """Return the best moves for the person to move, each of another kind, with what each is worth, and what speaks
        for the best of them against the next, unless they are level. Raises NotYourTurn: no person is to move.
        """
        game, room = self._decided(), self.room
        words = words or room.words("en")
        found = room.best(game, _SHOWN_HINTS)
        values = {game.action_to_text(action): value for action, value in found.items()}
        best = [*values]
        leads = len(best) > 1 and values[best[0]] - values[best[1]] >= room.level
        return {
            "agent": words(f"guest_name.{room.adviser}"),
            "moves": [{"move": move, "value": round(values[move], 4)} for move in best],
            "why": room.reasons(game, best[0], best[1], words) if leads else "",
        }

    def weigh(self, text: str, words: Words | None = None) -> dict[str, Any]:
        """Return what a move costs the person to move, 0 unless it is much, and what speaks for the best one. Raises
        NotYourTurn: no person is to move. BadNotation, IllegalMove: as by ``Game.push``.
        """
        game, room = self._decided(), self.room
        words = words or room.words("en")
        action = game.text_to_action(text)
        values = room.worth(game, action)
        best: Action = max(values, key=lambda one: values[one], default=action)
        cost = values[best] - values[action] if values else 0.0
        if cost < room.costly[0]:
            return {"cost": 0, "why": ""}
        return {
            "cost": round(cost, 4),
            "why": room.reasons(game, game.action_to_text(best), game.action_to_text(action), words),
        }

    def _decided(self) -> Game:
        """Return the game, in which a person is to move. Raises NotYourTurn if none is."""
        if not self.person_to_move:
            raise NotYourTurn("advice")
        return self.game
