"""Draw positions from games of many agents, and roll out every move in them: the file that agents are measured by.

    python -m agents.positions --count 500 --work runs/positions

What is finished lies in the work folder, so that the same command goes on after an interrupt; positions that the file
has already are taken from it, so that it can grow. Takes about 1.5 core-hours.
"""

import json
import shlex
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from agents.common.cluster import on_cluster
from agents.common.command import ended, parser
from agents.common.cores import usable_cores
from agents.common.files import make_folder, write_atomically
from agents.common.versions import versions
from bohemian_env import Batch, Setup
from bohemian_env.engine.legal import legal_count
from bohemian_env.villages.faces import NAME as ENVIRONMENT
from bohemian_env.villages.facts import MAX_PLAYERS, MIN_PLAYERS
from bohemian_env.villages.opponents.appraiser import load_weights

from .book import BOOK, MOST, Book, Position
from .rollout import CERTAINTY, JUDGE_VERSION, ROUNDS, Judged, judge, judge_of

_TOGETHER = 10  # positions between two writings of what is finished
_SEED = 9_000_000
PLAYERS: Final = ("random", "greedy", "rusher", "hoarder", "planner", "appraiser")
"""Who sits at the tables, each seat drawn anew. None is trained anew unless the networks that roll out are."""


def draw(players: int, count: int, seed: int) -> list[tuple[int, bytes]]:
    """Return positions in which somebody has a choice, one of each game: the seed of the game, and its moves so far.

    players: at the table. count: positions; fewer of them are the first of more. seed: that of the first game; the next
    have the following ones.
    """
    rngs = [np.random.default_rng([seed + game, players]) for game in range(count)]
    at_table = [agents.make(name, seed=seed) for name in PLAYERS]
    batch = Batch(count, Setup.of(players), autoreset=False)
    batch.reset(seed)
    who = np.array([rng.integers(0, len(at_table), players) for rng in rngs])
    moves: list[list[int]] = [[] for _ in range(count)]
    choices: list[list[int]] = [[] for _ in range(count)]
    while (going := np.flatnonzero(~batch.over)).size:
        actions = np.zeros(count, np.int64)
        to_move = who[going, batch.seats[going]]
        for number, agent in enumerate(at_table):
            games = going[to_move == number]
            if games.size:
                actions[games] = agent.act_batch(batch, games)
        for game in going:
            if legal_count(batch.arrays[0][game]) > 1:
                choices[game].append(len(moves[game]))
            moves[game].append(int(actions[game]))
        batch.step(actions)
    return [(seed + game, bytes(moves[game][: rngs[game].choice(choices[game])])) for game in range(count)]


def judged(states: np.ndarray, done: int, jobs: int, ray: str | None) -> Generator[Judged, None, None]:
    """Judge the positions from number ``done`` on, and give them in their order. Raises BadCluster."""
    pieces = {number: (states[number : number + 1], _SEED + number) for number in range(done, len(states))}
    if ray is None:
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(lambda piece: judge(*piece), pieces.values())
        return
    waiting: dict[int, Judged] = {}
    with closing(on_cluster(pieces, ray, judge_of, partial(print, file=sys.stderr))) as found:
        for number, one in found:
            waiting[number] = one
            while done in waiting:
                yield waiting.pop(done)
                done += 1


def rolled_out(players: int, count: int, work: Path, jobs: int, ray: str | None, before: Book) -> list[Position]:
    """Return positions of one number of players with what their moves cost; those in the work folder are taken, or
    those of a book that was made ``before`` if they are more, so that none is lost."""
    path = work / f"{players}-of-{count}.json"
    every = [list(book.positions(players)) for book in (_known(path), before) if players in book.sizes]
    found = max(every, key=len, default=[])
    count = max(count, len(found))
    drawn = draw(players, count, _SEED)
    batch = Batch(count, Setup.of(players), autoreset=False)
    batch.replay([seed for seed, _ in drawn], [moves for _, moves in drawn])
    if [(one.seed, one.moves) for one in found] != drawn[: len(found)]:
        _tell(f"{players} players: other games than those of the positions there are; all are made anew")
        found = []

    def keep() -> None:
        if found:
            book = Book({"rolled out with": _rolled_with()}, {players: found})
            write_atomically(path, json.dumps(book.to_json()).encode())

    try:
        with closing(judged(batch.arrays[0], len(found), jobs, ray)) as judging:
            for one in judging:
                pairs = zip(one.losses.tolist(), one.errors.tolist(), strict=True)
                found.append(Position(*drawn[len(found)], dict(zip(one.actions, pairs, strict=True))))
                if len(found) % _TOGETHER == 0 or len(found) == count:
                    keep()
                    print(f"{players} players: {len(found)} of {count}", flush=True)
    finally:
        keep()
    return found


def _known(path: Path) -> Book:
    """Return the positions of a file, those that the same rules and network rolled out; none if there is no file."""
    if not path.exists():
        return Book({}, {})
    book = Book.load(path)
    if book.about.get("rolled out with") == _rolled_with():
        return book
    _tell(f"{path}: rolled out by other rules, another network or in another way; its positions are made anew")
    return Book({}, {})


def _tell(sentence: str) -> None:
    print(f"agents.positions: {sentence}", file=sys.stderr, flush=True)


def _rolled_with() -> dict[str, Any]:
    """Return what the losses of a position depend on besides its number."""
    networks = sha256(b"".join(layer.tobytes() for layer in load_weights())).hexdigest()[:16]
    return {
        "environment": ENVIRONMENT,
        "networks": networks,
        "judge": JUDGE_VERSION,
        "rounds": ROUNDS,
        "certainty": CERTAINTY,
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 2 after bad input, and 130 after an interrupt."""
    options = parser("python -m agents.positions", __doc__)
    count = "positions of each number of players at least (default: 500)"
    options.add_argument("--count", type=int, default=500, help=count)
    options.add_argument("--jobs", type=int, default=len(usable_cores()), help="threads (default: the usable cores)")
    options.add_argument("--ray", metavar="HOST:PORT", help="a Ray cluster that does it (docs/machines.md)")
    options.add_argument("--work", type=Path, default=Path("runs/positions"), help="folder for what is finished")
    options.add_argument("--out", type=Path, default=BOOK, help="the file (default: that of the project)")
    argv = sys.argv[1:] if argv is None else argv
    o = options.parse_args(argv)
    for name in ("count", "jobs"):
        if getattr(o, name) < 1:
            options.error(f"--{name} {getattr(o, name)}: at least 1")
    if o.count > MOST:
        options.error(f"--count {o.count}: at most {MOST:,}")

    def work() -> None:
        for folder in (o.work, o.out.parent):
            make_folder(folder)
        before = _known(o.out)
        found = {n: rolled_out(n, o.count, o.work, o.jobs, o.ray, before) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
        errors = [
            error for rows in found.values() for one in rows for loss, error in one.losses.values() if loss < 0.05
        ]
        about = {
            "command": shlex.join(["python", "-m", "agents.positions", *argv]),
            "versions": versions(),
            "drawn from games of": PLAYERS,
            "rolled out by": "appraiser",
            "rolled out with": _rolled_with(),
            "largest error of a loss below .05": float(np.max(errors)),
        }
        write_atomically(o.out, json.dumps(Book(about, found).to_json(), separators=(",", ":")).encode())
        print(o.out)

    return ended("agents.positions", work, lambda: "; the same command goes on")


if __name__ == "__main__":
    sys.exit(main())
