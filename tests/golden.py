"""Golden games: whole games as text in `data/games`, in which a change of behaviour shows line by line.

A file holds the villages and all dice, so it replays without a seed and without the agents that played it. When the
rules or these agents were changed on purpose, this plays the games again and writes the files anew:

    python -m tests.golden
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import agents
from agents.common.files import write_atomically
from bohemian_env import Board, Game, bohemian_villages_v0
from tests.helpers import BOARD, DATA_FOLDER

FOLDER = DATA_FOLDER / "games"
GAMES: dict[str, dict[str, Any]] = {
    "two-players": dict(names=["greedy", "planner"], seed=0),
    "three-players": dict(names=["planner", "greedy", "hoarder"], seed=35),
    "five-players": dict(names=["planner", "greedy", "rusher", "hoarder", "greedy"], seed=31, coin_supply=60),
}
"""Who plays; test_golden_games.py says what the games are to show."""

Step = str | tuple[int, ...]
"""A move text, or dice that are rolled."""
NUMBERS = ("figures", "special_action_tiles", "coin_supply", "max_turns")
"""What a game is set up with beside its players and villages, by the names of the game record."""


def played(names: list[str], seed: int, coin_supply: int | None = None) -> dict[str, Any]:
    """Return the record of a game among these agents on the frozen board."""
    env = bohemian_villages_v0.raw_env(len(names), board=BOARD, coin_supply=coin_supply)
    env.reset(seed=seed)
    seats = {agent: agents.make(name, seed) for agent, name in zip(env.possible_agents, names, strict=True)}
    while env.outcome() is None:
        env.step(seats[env.agent_selection].act(env))
    return env.record() | {"players": names}


def steps_of(record: Mapping[str, Any]) -> Iterator[Step]:
    """Yield what is rolled and what is pushed in a game record, in order."""
    for turn in record["turns"]:
        if "roll" in turn:
            yield tuple(turn["roll"])
        for entry in turn.get("moves", []):
            yield entry["move"]
            if "rolled" in entry:
                yield tuple(entry["rolled"])


def written(header: Mapping[str, Any], steps: Iterable[Step]) -> list[str]:
    """Play a game that begins with the header of a game record and goes on with these steps; return its lines."""
    players, villages = header["players"], header["villages"]
    figures, tiles, coins, turns = (header[name] for name in NUMBERS)
    board = Board.of_villages(villages, figures, coins, tiles)
    game = Game.new(len(players), [v["name"] for v in villages], board=board, max_turns=turns, names=players)
    begun = [game]  # each turn as it begins
    for step in steps:
        game = game.push(step) if isinstance(step, str) else game.roll(step)
        if game.turn > len(begun):
            begun.append(game)
    record = game.record()
    lines = [f"players: {', '.join(record['players'])}", *(f"{name}: {record[name]}" for name in NUMBERS)]
    lines += [_village(village) for village in record["villages"]]
    for number, (start, turn) in enumerate(zip(begun, record["turns"], strict=True), 1):
        lines += ["", _turn(number, start, turn), *map(_move, turn.get("moves", []))]
    lines += ["", f"end: {record.get('end')}"]
    for seat, row in enumerate(record.get("scoring", [])):
        lines.append(f"seat {seat}: " + ", ".join(f"{name} {coins}" for name, coins in row.items()))
    return [*lines, f"winners: {_row(record.get('winners', []))}"]


def _row(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _village(village: Mapping[str, Any]) -> str:
    kinds = (f"{kind} {village[kind]}" if kind in village else kind for kind in village["buildings"])
    return f"{village['name']}: {', '.join(kinds)}"


def _turn(number: int, start: Game, turn: Mapping[str, Any]) -> str:
    stands = f"coins {_row(start.coins)}, bank {start.bank}, figures {_row(start.figures)}, bishop {start.bishop}"
    rolls = f", rolls {_row(turn['roll'])}" if "roll" in turn else ""
    return f"turn {number}, seat {turn['seat']}: income {turn['income']}, {stands}{rolls}"


def _move(entry: Mapping[str, Any]) -> str:
    told = [f"kicked {entry['kicked']}"] if "kicked" in entry else []
    told += [f"paid {_row(entry['paid'])}"] if "paid" in entry else []
    told += [f"rolls {_row(entry['rolled'])}"] if "rolled" in entry else []
    return f"  {entry['move']}" + (f" -> {', '.join(told)}" if told else "")


def read(lines: list[str]) -> tuple[dict[str, Any], list[Step]]:
    """Return the header and the steps of a game as `written` takes them."""
    blank = lines.index("")
    top = dict(line.split(": ") for line in lines[:blank])
    header: dict[str, Any] = {"players": top.pop("players").split(", ")}
    header |= {name: int(top.pop(name)) for name in NUMBERS}
    header["villages"] = [_read_village(name, buildings.split(", ")) for name, buildings in top.items()]
    steps: list[Step] = []
    for line in lines[blank:]:
        if line.startswith("  "):
            steps.append(line.strip().partition(" -> ")[0])
        _, rolls, dice = line.partition("rolls ")
        if rolls:
            steps.append(tuple(map(int, dice.split())))
    return header, steps


def _read_village(name: str, buildings: list[str]) -> dict[str, Any]:
    parts = [building.partition(" ") for building in buildings]
    values = {kind: int(value) for kind, _, value in parts if value}
    return {"name": name, "buildings": [kind for kind, _, _ in parts], **values}


def main() -> None:
    """Play the games and write their files."""
    for name, game in GAMES.items():
        record = played(**game)
        text = "\n".join(written(record, steps_of(record))) + "\n"
        write_atomically(FOLDER / f"{name}.txt", text.encode())


if __name__ == "__main__":
    main()
