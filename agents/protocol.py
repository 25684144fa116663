"""Let an agent of this project play for anybody who speaks the protocol of docs/protocol.md.

python -m agents.protocol ppo
python evaluate.py "program:python -m agents.protocol appraiser" planner
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import IO

import agents
from agents.common.command import parser
from agents.players.program import HELLO, LONGEST_LINE
from bohemian_env import BohemianError, Game
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS


class _BadLine(ValueError):
    """The other side said what it may not; the message says what."""


def serve(name: str, seed: int, lines: IO[bytes], answers: IO[bytes]) -> None:
    """Answer lines until ``quit`` or their end.

    Raises:
        UnknownAgent, BadSetup, BadAgent: as agents.make. _BadLine: a line cannot be answered.
    """
    agent = agents.make(name, seed)
    game = None

    def answer(text: str) -> None:
        answers.write(f"{text}\n".encode())
        answers.flush()

    while line := lines.readline(LONGEST_LINE):
        try:
            word, _, rest = line.decode("utf-8-sig").strip().partition(" ")
        except UnicodeDecodeError:
            raise _BadLine("a line is not UTF-8") from None
        match word:
            case "hello" if f"{word} {rest}" == HELLO:
                answer(f"{HELLO} {name}")
            case "hello":
                raise _BadLine(f"{line!r} asks for another version than {HELLO!r}")
            case "isready":
                sizes: Sequence[int] = getattr(agent, "sizes", range(MIN_PLAYERS, MAX_PLAYERS + 1))
                for players in sizes:  # so that nothing is loaded in the game
                    agent.move(Game.new(players, seed=0).roll())
                answer("readyok")
            case "position":
                game = _position(rest)
            case "go" if not (rest.isascii() and rest.isdigit()):
                raise _BadLine(f"'go {rest[:20]}' says no whole number of milliseconds")
            case "go":
                if game is None:
                    raise _BadLine("'go' without a position")
                answer(f"bestmove {agent.move(game)}")
            case "quit":
                return


def _position(text: str) -> Game:
    try:
        return Game.from_position(json.loads(text))
    except (BohemianError, ValueError, RecursionError) as error:
        raise _BadLine(f"not a position: {error}") from None


def main(argv: Sequence[str] | None = None) -> int:
    """Serve and return the exit status: 2 for an agent or a line that will not do, told in a sentence."""
    options = parser("agents.protocol", __doc__)
    options.add_argument("agent", metavar="AGENT", help="a name, or the path of a trained one")
    options.add_argument("--seed", type=int, metavar="N", help="of its own chances (default: any)")
    args = options.parse_args(argv)
    try:
        serve(args.agent, args.seed, sys.stdin.buffer, sys.stdout.buffer)
    except ValueError as error:  # ValueError: UnknownAgent, BadAgent, _BadLine
        print(f"agents.protocol: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads: nothing is to be flushed at the end
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
