#!/usr/bin/env python3
"""A server of the Model Context Protocol, by which a language model plays every game (docs/protocol.md).

python examples/programs/mcp_server.py

It reads JSON-RPC 2.0 on its standard input and answers on its standard output, a message a line. It keeps one game.
"""

import inspect
import json
import os
import sys
from typing import IO, Any

from bohemian_env import __version__
from bohemian_env.engine.checks import check_truth
from bohemian_env.games import GAMES
from table.room import room_of, title_of
from table.text import TextGame

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Those of the protocol, the one that is proposed first."""
WITH_BATCHES = "2025-03-26"  # the only version in which a message may be a list of messages
LONGEST_LINE = 2**20  # bytes of a message at most, its end included
PARSE, REQUEST, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
"""JSON-RPC's codes: no JSON, no request, an unknown method, other parameters than it has, a fault of the server."""
ARGUMENTS: dict[str, dict[str, Any]] = {
    "game": {"type": "string", "enum": [*GAMES]},
    "seats": {
        "type": "array",
        "items": {"type": ["string", "null"]},
        "description": "who sits where, in turn order: null for whoever calls these tools, else the name of an agent; "
        "by default the first seat of the smallest table is yours",
    },
    "seed": {"type": "integer", "minimum": 0, "description": "the same seed brings the same chance; by default any"},
    "options": {"type": "object", "description": "parameters of the set-up by name"},
    "drawn": {"type": "boolean", "description": "drawn with letters in place of JSON"},
    "move": {"type": "string", "description": "the text of a legal move"},
}
"""The schema of each argument of a tool."""


class Tools:
    """The tools: each public method is one, described by its docstring. One that cannot do it raises ValueError, with a
    sentence for the model."""

    def __init__(self) -> None:
        self._game: TextGame | None = None

    def _begun(self) -> TextGame:
        if self._game is None:
            raise ValueError("no game was begun: call new_game first")
        return self._game

    def list_games(self) -> Any:
        """The games, with the numbers of players and the names of the agents that may sit at their tables."""
        return {
            name: {
                "title": title_of(name, "en"),
                "players": [*room_of(name).rules.players],
                "agents": [guest.agent for guest in room_of(name).guests],
            }
            for name in GAMES
        }

    def new_game(self, game: Any, seats: Any = None, seed: Any = None, options: Any = None) -> Any:
        """Begin a game, which takes the place of the one before. Agents and chance play until you are to move."""
        self._game = TextGame(game, seats, seed, options)
        return {"happened": self._game.log(), **self._game.position()}

    def position(self, drawn: Any = False) -> Any:
        """Where the game stands: who sits where, the seat to move, and all that lies on the table."""
        check_truth("drawn", drawn)
        return self._begun().drawing() if drawn else self._begun().position()

    def legal_moves(self) -> Any:
        """The legal moves of the seat to move: the text of each, and what it means."""
        return self._begun().legal()

    def play(self, move: Any) -> Any:
        """Make a move. Agents and chance play on until you are to move again; you are told what has happened."""
        happened = self._begun().play(move)
        return {"happened": happened, "to_move": self._begun().game.to_move, "over": self._begun().game.over}

    def result(self) -> Any:
        """How the game ended, with its record; while it goes on, only that."""
        result = self._begun().result()
        return {"over": False} if result is None else {"over": True, **result, "record": self._begun().record()}


TOOLS = {name: inspect.signature(tool) for name, tool in vars(Tools).items() if not name.startswith("_")}
"""What each tool takes."""


def described(name: str) -> dict[str, Any]:
    """Return a tool as clients are told of it."""
    takes = [one for one in TOOLS[name].parameters.values() if one.name != "self"]
    schema = {
        "type": "object",
        "properties": {one.name: ARGUMENTS[one.name] for one in takes},
        "required": [one.name for one in takes if one.default is one.empty],
        "additionalProperties": False,
    }
    return {"name": name, "description": inspect.getdoc(getattr(Tools, name)), "inputSchema": schema}


class Refused(Exception):
    """A request that gets an error: its code, and why."""


class Server:
    """The protocol, spoken to one client."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._version = VERSIONS[0]

    def _result(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request. Raises Refused."""
        match method:
            case "initialize":
                if not isinstance(asked := params.get("protocolVersion"), str):
                    raise Refused(PARAMS, "initialize takes a protocolVersion, a text")
                self._version = asked if asked in VERSIONS else VERSIONS[0]
                return {
                    "protocolVersion": self._version,
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "bohemian_env", "version": __version__},
                    "instructions": "Board games: call list_games and new_game, then legal_moves and play in turns.",
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [*map(described, TOOLS)]}
            case "tools/call":
                return self._called(params.get("name"), params.get("arguments", {}))
        raise Refused(METHOD, f"there is no method {method!r:.100}")

    def _called(self, name: object, given: object) -> dict[str, Any]:
        if not isinstance(name, str) or name not in TOOLS:
            raise Refused(PARAMS, f"there is no tool {name!r:.100}; there are {', '.join(TOOLS)}")
        if not isinstance(given, dict):
            raise Refused(PARAMS, f"the arguments of {name} are no object")
        try:
            TOOLS[name].bind(self._tools, **given)
        except TypeError as error:
            return _said(f"{name}: {error!s:.300}", True)
        try:
            told = getattr(self._tools, name)(**given)
        except ValueError as error:
            return _said(str(error), True)
        return _said(told if isinstance(told, str) else json.dumps(told, ensure_ascii=False), False)

    def _answer(self, message: Any) -> dict[str, Any] | None:
        """Return the answer to a message; None to a notification, and to an answer, since nothing is asked here."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _failed(None, REQUEST, 'a message is an object with "jsonrpc": "2.0"')
        if "method" not in message and ("result" in message or "error" in message):
            return None
        id_, method, params = message.get("id"), message.get("method"), message.get("params", {})
        if not isinstance(method, str) or (
            "id" in message and (isinstance(id_, bool) or not isinstance(id_, str | int))
        ):
            return _failed(None, REQUEST, "a request has a method, a text, and an id, a text or a whole number")
        if "id" not in message:
            return None
        try:
            if not isinstance(params, dict):
                raise Refused(PARAMS, "params are an object")
            return {"jsonrpc": "2.0", "id": id_, "result": self._result(method, params)}
        except Refused as error:
            return _failed(id_, *error.args)
        except Exception as error:  # the client hears of it, and the game stands as before
            print(f"mcp_server: {method}: {error!r}", file=sys.stderr)
            return _failed(id_, INTERNAL, f"{method} failed: {error!r:.300}")

    def answer(self, line: bytes) -> Any:
        """Return the answer to a line, or None."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            return _failed(None, PARSE, f"not JSON: {error!s:.300}")
        if isinstance(message, list) and message and self._version == WITH_BATCHES:
            return [answer for one in message if (answer := self._answer(one))] or None
        return self._answer(message)


def _said(text: str, failed: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _failed(id_: str | int | None, code: int, why: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": why}}


def serve(lines: IO[bytes], out: IO[bytes]) -> None:
    """Answer lines until their end."""
    server = Server()
    while line := lines.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := lines.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            answer: Any = _failed(None, REQUEST, f"a message has at most {LONGEST_LINE:,} bytes")
        else:
            answer = None if line.isspace() else server.answer(line)
        if answer is not None:
            out.write(json.dumps(answer).encode() + b"\n")
            out.flush()


if __name__ == "__main__":
    messages, sys.stdout = sys.stdout.buffer, sys.stderr  # so that nothing else comes between the messages
    try:
        serve(sys.stdin.buffer, messages)
    except (BrokenPipeError, KeyboardInterrupt):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads: nothing is to be flushed at the end
