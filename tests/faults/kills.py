"""Training, tournaments and the table, killed again and again.

Each attempt is a chain of kills of the same run, tournament or games, and of starts that go on with it. What a program
had acknowledged before a kill must be there after it.
"""

import contextlib
import http.client
import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bohemian_env.games import rules_of

from . import load
from .campaign import Tried
from .programs import Bench, training

__all__ = ["Player", "kill_table", "kill_tournament", "kill_training"]


class _Chain:
    """A bench, the count of its kills, and what broke."""

    def __init__(self, name: str, game: str, seed: int, folder: Path, prepare: str) -> None:
        self.name = name
        self.rng = random.Random(seed)
        self.bench = Bench(game, folder, self.rng, prepare)
        self.found: list[str] = []
        self._kills = 0

    def kill(self) -> None:
        """Kill the program."""
        self.bench.kill()
        self._kills += 1

    def broken(self, what: str) -> None:
        """Note what should not have happened."""
        self.found.append(f"kill {self._kills}: {what}")

    def says(self, status: int | None = None) -> str:
        """Return the exit status and the end of what the program wrote."""
        lines = " / ".join(self.bench.log().strip().splitlines()[-3:])
        return lines if status is None else f"exit status {status}: {lines}"

    def tried(self) -> Tried:
        """Return what was tried and what broke."""
        if not self._kills:
            self.broken("it was never at work")
        return Tried(self.name, self._kills, tuple(self.found))


# --- training ---


def kill_training(game: str, seed: int, folder: Path, prepare: str = "", kills: int = 12) -> Iterator[Tried]:
    """Kill a training run, and go on with it; the moment it has ended, begin another."""
    chain = _Chain("kill training", game, seed, folder, prepare)
    bench, number, known = chain.bench, 0, list[int]()
    for last in [False] * kills + [True]:
        out = bench.folder / f"run-{number}"
        if (out / "checkpoint.safetensors").exists():
            bench.start("train", "--resume", "--threads", 1, "--out", out)
        else:
            bench.start("train", "--threads", 1, "--out", out, *_settings(game, (seed + number) % 2**31))
        if not last and bench.work(bench.told, 0.6):
            chain.kill()
            known += map(int, bench.told())
            before = len(chain.found)
            found = _check_run(chain, out, game)
            if gone := [samples for samples in known if samples > found]:
                chain.broken(f"a checkpoint of {max(gone):,} decisions was finished, {found:,} is left")
            if len(chain.found) != before:  # it would be found again and again
                number, known = number + 1, []
        elif (status := bench.ended()) != 0:
            chain.broken(f"it does not go on: {chain.says(status)}")
            number, known = number + 1, []
        else:
            _check_run(chain, out, game, finished=True)
            number, known = number + 1, []
    yield chain.tried()


def _settings(game: str, seed: int) -> list[str]:
    """Return the command line of a new run."""
    given = (training(game) | {"game": game, "learner": "ppo", "seed": seed}).items()
    return [word for name, value in given for word in (f"--{name.replace('_', '-')}", str(value))]


def _check_run(chain: Any, out: Path, game: str, finished: bool = False) -> int:
    """Load every file of a run; return of how many decisions its checkpoint is, -1 if there is none."""
    from agents.network.files import board_of, load_net
    from agents.training.checkpoint import Checkpoint
    from agents.training.config import TrainConfig

    samples = -1
    names = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    for name in names:
        path = out / name
        try:
            if name == "checkpoint.safetensors":
                samples = int(Checkpoint.read(path, board_of(game), game).state["samples"])
            elif name == "settings.json":
                TrainConfig.from_json(path.read_text(encoding="utf-8"))
            elif name == "panel.jsonl":
                [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            elif path.suffix == ".safetensors" and not path.name.startswith("."):
                load_net(path, game=game)
        except Exception as error:
            chain.broken(f"{name} cannot be read: {error!r}")
    if finished:
        missing = {"checkpoint.safetensors", "settings.json", "agent.safetensors", "agent.json"} - set(names)
        if missing or samples < 0 or not _plays(out, game) or any(name.endswith(".tmp") for name in names):
            chain.broken(f"a run that came to its end has {', '.join(names)}")
    return samples


def _plays(out: Path, game: str) -> bool:
    """Return whether the agent of a run plays legal moves."""
    from agents.players.policy import load_agent
    from bohemian_env.check import Kit

    agent, batch = load_agent(out, game=game), Kit(game).batch(4)
    for _ in range(50):
        batch.step(agent.act_batch(batch))
    return True


# --- tournaments ---


def kill_tournament(game: str, seed: int, folder: Path, prepare: str = "", kills: int = 20) -> Iterator[Tried]:
    """Kill a tournament, and give the same command; the moment it has ended, begin it again."""
    chain = _Chain("kill tournament", game, seed, folder, prepare)
    bench = chain.bench
    csv, records, work = (bench.folder / name for name in ("table.csv", "games.jsonl", "kept"))
    command = [*list(rules_of(game).opponents)[:3], "--game", game, "--players", 2, "--games", 72, "--seed", seed]
    command += ["--jobs", 1, "--work", work, "--csv", csv, "--records", records]
    bench.start("evaluate", *command)
    if (status := bench.ended()) != 0:
        chain.broken(f"it does not run: {chain.says(status)}")
    whole = {path: path.read_bytes() for path in (csv, records) if path.exists()}
    finished: set[str] = set()

    def afresh() -> None:
        for path in (csv, records):
            path.unlink(missing_ok=True)
        finished.clear()

    def finishes(chunks: int) -> Callable[[], bool]:
        return lambda: len(bench.told()) >= chunks

    afresh()
    for last in [False] * kills + [True]:
        bench.start("evaluate", *command)
        runs = not last and bench.work(finishes(chain.rng.randint(0, 3)), 0.05)
        if runs:
            chain.kill()
        elif (status := bench.ended()) != 0:
            chain.broken(f"it does not go on: {chain.says(status)}")
            afresh()
            continue
        told = bench.told()
        if again := finished.intersection(told):
            chain.broken(f"finished chunks were played again: {', '.join(sorted(again))}")
        finished.update(told)
        if runs and not csv.exists():
            _check_chunks(chain, work, finished)
            continue
        if any(path.exists() and path.read_bytes() != content for path, content in whole.items()):
            chain.broken("its result is not that of an undisturbed run")
        files = {path for path in bench.folder.rglob("*") if path.is_file()}
        if not runs and files != {csv, records}:
            names = sorted(path.name for path in files)
            chain.broken(f"a tournament that came to its end leaves {', '.join(names)}")
        afresh()
    yield chain.tried()


def _check_chunks(chain: _Chain, work: Path, finished: set[str]) -> None:
    """Read every finished chunk; those that are not whole are told and forgotten."""
    import numpy as np

    for number in sorted(finished):
        try:
            (path,) = work.glob(f"*/{number}.npz")
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                [arrays[name] for name in arrays.files]
        except Exception as error:
            chain.broken(f"finished chunk {number} is gone: {error!r}")
            finished.discard(number)


# --- the table ---


class _Refused(Exception):
    """The server said something that it should not; the message has it."""


@dataclass
class _Game:
    """A game as the server has acknowledged it."""

    id: str
    log: list[Any] = field(default_factory=list)
    moves: int = 0
    deleted: bool | None = False
    """None while the server has been asked to delete it."""
    view: dict[str, Any] = field(default_factory=dict)


class Player:
    """Somebody at the page, who begins games of one kind, and remembers what was acknowledged."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.games: list[_Game] = []
        self.wrong: list[str] = []
        self.connection = http.client.HTTPConnection("127.0.0.1")  # nobody is called before `connect`

    def connect(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {
            "origin": f"http://127.0.0.1:{port}", "x-table-token": token, "content-type": "application/json",
        }  # fmt: skip

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content)

    def acknowledged(self, game: _Game, method: str, path: str, body: object = None) -> None:
        """Ask for something that is answered with a view, and remember that."""
        status, view = self.ask(method, f"/games/{game.id}/{path}", body)
        if status != 200:
            raise _Refused(f"{path} of a game with {game.moves} moves: {status} {view}")
        game.log[view["line"] :] = view["log"]
        game.moves, game.view = view["moves"], view

    def look(self) -> None:
        """Look at all games, and note which acknowledged moves are not there, or are others."""
        for game in list(self.games):
            status, view = self.ask("GET", f"/games/{game.id}/view?after=0")
            if game.deleted or (game.deleted is None and status == 404):
                game.deleted = True
                if status != 404:
                    self.wrong.append(f"a game that was deleted is back: {status}")
                    self.games.remove(game)  # it would be told again, of kills that are not to blame
                continue
            if status != 200:
                self.wrong.append(f"a game with {game.moves} moves is gone: {status} {view}")
                game.deleted = True
                continue
            known = game.log[:-1] if game.view.get("held") else game.log  # that line was told without the dice after it
            if view["log"][: len(known)] != known or view["moves"] < game.moves:
                self.wrong.append(f"a game had {game.moves} moves, and has {view['moves']}, or others")
            game.log, game.moves, game.view, game.deleted = view["log"], view["moves"], view, False

    def check(self, broken: Callable[[str], None]) -> None:
        """Tell what was wrong so far, and of acknowledged moves that are not there now."""
        self.look()
        for what in self.wrong:
            broken(what)
        self.wrong.clear()

    def play(self) -> None:
        """Play until the connection breaks."""
        try:
            while True:
                self.do_something()
        except (OSError, http.client.HTTPException):
            pass
        except _Refused as error:
            self.wrong.append(str(error))
        except Exception as error:  # in a thread of its own nobody else would tell of it
            self.wrong.append(f"a player stopped at {error!r}")
        finally:
            self.connection.close()

    def do_something(self) -> None:
        """Make a move, begin a game, or delete one."""
        going = [game for game in self.games if game.deleted is False and not game.view.get("over")]
        if not going or (self.rng.random() < 0.03 and len(self.games) < 8):
            seats: list[dict[str, str]] = [{"name": "Ann"}, self.rng.choice([{"name": "Bob"}, {"agent": "greedy"}])]
            told = {"game": self.game, "seats": seats, "options": {}, "seed": None}
            status, answer = self.ask("POST", "/games", told)
            if status != 201:
                raise _Refused(f"a game cannot be begun: {status} {answer}")
            game = _Game(answer["id"])
            self.games.append(game)
            self.acknowledged(game, "GET", "view?after=0")
            return
        game = self.rng.choice(going)
        if self.rng.random() < 0.02:
            game.deleted = None
            status, answer = self.ask("POST", f"/games/{game.id}/delete", {})
            if status != 200:
                raise _Refused(f"a game cannot be deleted: {status} {answer}")
            game.deleted = True
            return
        after = len(game.log)
        if game.view["back"] and self.rng.random() < 0.1:
            del game.log[-1]  # whether it is there is open until the answer
            game.moves -= 1
            self.acknowledged(game, "POST", "back", {"at": game.view["at"]})
        elif game.view["person"]:
            move = self.rng.choice(game.view["legal"])["move"]
            body = {"move": move, "at": game.view["at"], "after": after, "instead": False}
            self.acknowledged(game, "POST", "move", body)
        elif game.view["held"]:
            self.acknowledged(game, "POST", "done", {"at": game.view["at"], "after": after})
        else:
            self.acknowledged(game, "POST", "advance", {"moves": game.moves, "after": after, "all": False})


def kill_table(game: str, seed: int, folder: Path, prepare: str = "", kills: int = 20) -> Iterator[Tried]:
    """Kill the table's server while two people play in it, and start it again."""
    chain = _Chain("kill table", game, seed, folder, prepare)
    bench = chain.bench
    players = [Player(game, random.Random(chain.rng.random())) for _ in range(2)]
    token = ""
    for last in [False] * kills + [True]:
        bench.start("play", "--no-browser", "--port", 0, "--data", bench.folder / "data")
        if not last and chain.rng.random() < 0.25:
            if bench.wait(chain.rng.uniform(0, 0.3)):
                chain.kill()
                continue
            chain.broken(f"it ends: {chain.says()}")
        bench.wait(30 * load(), lambda: "http://" in bench.log())
        if (port := re.search(r"http://127\.0\.0\.1:([0-9]+)/", bench.log())) is None:
            chain.broken(f"it does not serve: {chain.says(bench.ended())}")
            break
        found = token_at(int(port[1]))
        for player in players:
            player.connect(int(port[1]), found)
            player.check(chain.broken)
        if token not in ("", found):
            chain.broken("open pages are of no use any more: its token has changed")
        token = found
        threads = [threading.Thread(target=player.play) for player in players]
        for thread in threads:
            thread.start()
        if not bench.wait(chain.rng.uniform(0, 0.5)):
            chain.broken(f"it ends: {chain.says()}")
        if last:
            bench.kill()
        else:
            chain.kill()
        for thread in threads:
            thread.join()
    yield chain.tried()


def token_at(port: int) -> str:
    """Return what a page shows with its requests, as soon as there is a page."""
    for _ in range(3000):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
            connection.request("GET", "/")
            page = connection.getresponse().read().decode()
        if found := re.search(r'name="table-token" content="([\w-]+)"', page):
            return found[1]
        time.sleep(0.01)
    raise TimeoutError("no page within 30 s")
