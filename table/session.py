"""One game at the table: whose move it is, what may be done, what is done, and what the agents think."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import agents
from agents import Agent
from bohemian_env import BohemianError, IllegalMove
from bohemian_env.envs.aec import raw_env
from bohemian_env.game import rules
from bohemian_env.game.notation import parse_move
from bohemian_env.game.position import write_position
from bohemian_env.game.record import final_scoring
from bohemian_env.game.state import copy_states
from bohemian_env.render import board_css, board_svg

from .seating import BadSeating, engine
from .words import Entry, Teller, history

__all__ = ["HINTS", "NotYourTurn", "Session"]

HINTS: Final = "ppo"
"""The agent that is asked when a person wants advice."""
_SHOWN_HINTS: Final = 3


class NotYourTurn(Exception):
    """It is another's turn than the one that asked, or nobody's; the message says whose."""


class Session:
    """A game from its setup (``seating.py``) and the actions taken so far.

    Raises:
        BadSeating: the game is of another version of the rules or the board, or an agent cannot be had here.
    """

    def __init__(self, setup: Mapping[str, Any], actions: Sequence[int] = ()) -> None:
        if setup["engine"] != engine():
            raise BadSeating("this game was begun with another version of the rules or of the board")
        self.setup = setup
        seats = setup["seats"]
        self.names = [seat["name"] for seat in seats]
        people = [number for number, seat in enumerate(seats) if "agent" not in seat]
        self.you = people[0] if len(people) == 1 else None
        """The seat that the page calls "you": that of the only person."""
        self.env = raw_env(len(seats), "random" if setup["villages"] is None else setup["villages"])
        self.env.reset(seed=setup["seed"])
        self._villages = self.env.start.villages
        self.positions = [self.env.state_dict()]
        """The position before each action, and the one now."""
        self.actions: list[int] = []
        self._agents: dict[str, Agent] = {}
        try:
            for action in actions:
                self._act(action)
        except BohemianError as error:
            raise BadSeating(f"this game cannot be played on: {error}") from None

    # --- whose turn it is ---

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.positions[-1]["over"])

    @property
    def seat(self) -> int | None:
        """The seat to move; None once the game is over."""
        return self.positions[-1]["to_move"]

    @property
    def agent_to_move(self) -> str | None:
        """The name of the agent whose turn it is; None if it is a person's, or nobody's."""
        return None if self.seat is None else self.setup["seats"][self.seat].get("agent")

    # --- play ---

    def play(self, text: str) -> None:
        """A person's move.

        Raises:
            NotYourTurn: an agent is to move, or the game is over.
            BadNotation, IllegalMove: as by the environment; nothing has changed.
        """
        if self.seat is None:
            raise NotYourTurn("the game is over")
        if self.agent_to_move is not None:
            raise NotYourTurn(f"it is the turn of {self.names[self.seat]}")
        self._act(self.env.text_to_action(text))

    def advance(self) -> None:
        """The next move of the agent whose turn it is.

        Raises:
            NotYourTurn: a person is to move, or nobody.
        """
        if self.seat is None or self.agent_to_move is None:
            raise NotYourTurn("no agent is to move")
        self._act(self._agent(self.seat).act(self.env))

    def _act(self, action: int) -> None:
        if self.over:
            raise IllegalMove(str(action), "the game is over")
        self.env.step(action)
        self.actions.append(int(action))
        self.positions.append(self.env.state_dict())

    def meet_agents(self) -> None:
        """Make sure that all agents at the table can be had. Raises BadSeating with the reason if one cannot."""
        for seat, entry in enumerate(self.setup["seats"]):
            if "agent" in entry:
                self._agent(seat)

    def _agent(self, seat: int) -> Agent:
        entry = self.setup["seats"][seat]
        return self._made(entry["agent"], entry["seed"])

    def _made(self, name: str, seed: int) -> Agent:
        key = f"{name} {seed}"
        if key not in self._agents:
            try:
                self._agents[key] = agents.make(name, seed=seed)
            except ModuleNotFoundError as error:
                raise BadSeating(
                    f"{name} needs {error.name}, which is not installed; the extra `train` has it"
                ) from None
            except ValueError as error:
                raise BadSeating(str(error)) from None
        return self._agents[key]

    # --- what there is to see ---

    def view(self, after: int = 0) -> dict[str, Any]:
        """All that the page shows, without the seed and without dice to come.

        after: lines of the log that the page has already.
        """
        position = self.positions[-1]
        record = self.record()
        log = history(record, self.positions, self.names, self.you)
        person = self.seat is not None and self.agent_to_move is None
        return {
            "moves": len(self.actions),
            "over": self.over,
            "seat": self.seat,
            "you": self.you,
            "person": person,
            "turn": position["turn"],
            "seats": [{"name": s["name"], "agent": s.get("agent")} for s in self.setup["seats"]],
            "svg": self._drawing(),
            "dice": position["dice"],
            "bank": position["bank"],
            "bishop": position["bishop"],
            "special_supply": position["special_supply"],
            "legal": self._legal() if person else [],
            "log": log[after:],
            "lines": len(log),
            "score": final_scoring(self.env.states[0]),
            "status": self._status(log),
            "winners": record.get("winners", []),
        }

    def record(self) -> dict[str, Any]:
        """The game record so far, with the names at this table. It holds the seed."""
        return self.env.record() | {"players": [s.get("agent", s["name"]) for s in self.setup["seats"]]}

    def _status(self, log: Sequence[Entry]) -> str:
        """Whose turn it is, in a sentence."""
        if self.seat is None:
            return str(log[-1]["words"])
        if self.agent_to_move is not None:
            return f"{self.names[self.seat]} is thinking"
        whose = "Your turn" if self.seat == self.you else f"Turn of {self.names[self.seat]}"
        return whose + (": move again, or stop" if self.positions[-1]["moves_made"] else "")

    def _drawing(self) -> str:
        """The position as SVG, without the style sheet in it: the page has that once (``/board.css``)."""
        drawn = board_svg(self.positions[-1], names=self.names, last=self._last())
        return drawn.replace(f"<style>{board_css()}</style>", "", 1)

    def _last(self) -> list[tuple[str, int]]:
        """The buildings whose owners the last move changed."""
        if len(self.positions) < 2:
            return []
        before, after = (self.positions[k]["villages"] for k in (-2, -1))
        return [
            (new["kind"], village)
            for village, (was, now) in enumerate(zip(before, after, strict=True))
            for old, new in zip(was["buildings"], now["buildings"], strict=True)
            if old["owner"] != new["owner"]
        ]

    def _legal(self) -> list[dict[str, Any]]:
        """The moves open to the person to move, each with what it would do."""
        seat = self.seat
        assert seat is not None
        before = self.positions[-1]
        villages = [village["name"] for village in before["villages"]]
        moves = []
        for action in self.env.legal_actions():
            text = self.env.action_to_text(action)
            move = parse_move(text)
            entry: dict[str, Any] = {"move": text, "act": move.act, "dice": list(move.dice)}
            after: Mapping[str, Any] = before
            details: dict[str, Any] = {}
            if move.act == "place":
                village = villages.index(move.village)
                entry |= {"kind": move.kind, "village": village, "place": move.village}
                details["kicked"] = entry["kicked"] = _owner(before, move.kind, village)
                after, details["paid"] = self._tried(action)
            entry["words"] = Teller(self.names, seat).move(seat, move, before, after, **details)
            moves.append(entry)
        return moves

    def _tried(self, action: int) -> tuple[dict[str, Any], list[int]]:
        """The position after an action, before the next turn is begun, and what the action pays to each seat."""
        states = copy_states(self.env.states)
        coins = states[0]["coins"].copy()
        rules.move(states[0], action)
        return write_position(states[0], self._villages), [int(c) for c in states[0]["coins"] - coins]

    def hint(self) -> dict[str, Any]:
        """What a trained agent would do in the place of the person to move.

        Raises:
            NotYourTurn: no person is to move. BadSeating: the agent cannot be had here.
        """
        if self.seat is None or self.agent_to_move is not None:
            raise NotYourTurn("there is nothing to give advice on")
        said = self._made(HINTS, 0).explain(self.env.game())
        best = sorted(said.values, key=lambda move: -said.values[move])[:_SHOWN_HINTS]
        moves = [{"move": move, "share": round(said.values[move], 3)} for move in best]
        return {"agent": HINTS, "moves": moves, "chance": None if said.chance is None else round(said.chance, 3)}


def _owner(position: Mapping[str, Any], kind: str, village: int) -> int | None:
    (building,) = (b for b in position["villages"][village]["buildings"] if b["kind"] == kind)
    return building["owner"]
