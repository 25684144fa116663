"""Let an agent of this project play for anybody who speaks the protocol of docs/protocol.md.

python -m agents.protocol ppo
python -m agents.protocol planner --game agricola
python evaluate.py "program:python -m agents.protocol appraiser" planner
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import IO

import agents
from agents.common.command import parser
from agents.players.names import game_of
from agents.players.program import HELLO, HELLO_ANY, LONGEST_LINE
from bohemian_env import BohemianError
from bohemian_env.engine.contract import AnyGame
from bohemian_env.games import GAMES, known_games, rules_of


class _BadLine(ValueError):
    """The other side said what it may not; the message says what."""


def serve(name: str, seed: int | None, lines: IO[bytes], answers: IO[bytes], played: str | None = None) -> None:
    """Answer lines until ``quit`` or their end.

    played: the game that the agent plays until another one is named; by default what its files say.

    Raises UnknownAgent, BadSetup, BadAgent: as agents.make. _BadLine: a line cannot be answered.
    """
    played = game_of([name], played)
    agent = agents.make(name, seed, game=played)
    rules, game, hello = rules_of(played), None, ""

    def answer(text: str) -> None:
        answers.write(f"{text}\n".encode())
        answers.flush()

    while line := lines.readline(LONGEST_LINE):
        try:
            word, _, rest = line.decode("utf-8-sig").strip().partition(" ")
        except UnicodeDecodeError:
            raise _BadLine("a line is not UTF-8") from None
        match word:
            case "hello" if (hello := f"{word} {rest}") in (HELLO, HELLO_ANY):
                if hello == HELLO and rules.name != GAMES[0]:
                    raise _BadLine(f"{name} plays {rules.name}, and {HELLO!r} asks for {GAMES[0]}")
                answer(f"{hello} {name}")
            case "hello":
                raise _BadLine(f"{line!r} asks for another version than {HELLO!r} and {HELLO_ANY!r}")
            case "isready":
                for players in getattr(agent, "sizes", rules.players):  # so that nothing is loaded in the game
                    agent.move(rules.game.new(players, seed=0).dealt())
                answer("readyok")
            case "newgame" if hello == HELLO_ANY and rest != rules.name:
                if rest not in known_games():
                    raise _BadLine(f"'newgame {rest[:20]}' names none of the games {', '.join(known_games())}")
                rules, agent = rules_of(rest), agents.make(name, seed, game=rest)
            case "position":
                game = _position(rules.game, rest)
            case "go" if not (rest.isascii() and rest.isdigit()):
                raise _BadLine(f"'go {rest[:20]}' says no whole number of milliseconds")
            case "go":
                if game is None:
                    raise _BadLine("'go' without a position")
                answer(f"bestmove {agent.move(game)}")
            case "quit":
                return


def _position(game: type[AnyGame], text: str) -> AnyGame:
    try:
        return game.from_position(json.loads(text))
    except (BohemianError, ValueError, RecursionError) as error:
        raise _BadLine(f"not a position: {error}") from None


def main(argv: Sequence[str] | None = None) -> int:
    """Serve and return the exit status: 2 for an agent or a line that will not do, told in a sentence."""
    options = parser("agents.protocol", __doc__)
    options.add_argument("agent", metavar="AGENT", help="a name, or the path of a trained one")
    options.add_argument("--seed", type=int, metavar="N", help="of its own chances (default: any)")
    options.add_argument("--game", choices=known_games(), help="which it plays until another one is named")
    args = options.parse_args(argv)
    try:
        serve(args.agent, args.seed, sys.stdin.buffer, sys.stdout.buffer, args.game)
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
