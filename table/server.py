"""The server: takes requests and hands them on to the games.

It must start quickly. So what takes long to load is loaded by a thread while the first page is already shown, and
PyTorch when an agent that needs it sits down. What is to be compiled, for minutes after installation, another process
compiles (``python -m table.server``): a thread that does so holds up all others. Compiled functions are kept on disk.
"""

from __future__ import annotations

import functools
import hashlib
import mimetypes
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from .guard import RECORDS, Guard
from .html import notice_page
from .language import language_of, text_in
from .store import Store, Unavailable

if TYPE_CHECKING:
    from .games import Games

mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and then browsers would not run it

_ROOT: Final = Path(__file__).resolve().parents[1]
_STATIC: Final = _ROOT / "table" / "static"
_SHOWN: Final = ("view", "events", "record", "review", "analysis", "progress", "export")
"""What can be asked of a game with GET."""
_ASKED: Final = ("move", "done", "back", "advance", "hint", "weigh", "again", "play_on", "duplicate", "found", "delete")
"""What can be asked of a game with POST."""
_PATIENCE: Final = 0.4  # seconds that the first page waits for the game to be loaded before it says so


class Loader:
    """Loads the games in a thread.

    store, extra_agents: as for :class:`table.games.Games`. ahead: whether what they use is compiled before they are
    played, in another process where it never was.
    """

    def __init__(self, store: Store, extra_agents: Sequence[str] = (), ahead: bool = False) -> None:
        self.store, self.ahead = store, ahead
        self.extra_agents = extra_agents
        self.loaded: Future[Games] = Future()
        self._thread = threading.Thread(target=self._load, name="loader", daemon=True)

    def start(self) -> None:
        """Begin to load."""
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether it still loads or compiles."""
        return self._thread.is_alive()

    def _load(self) -> None:
        try:
            from bohemian_env.games import known_games

            from .games import Games
            from .room import COMPILED, COMPILER

            left = [game for game in known_games() if self.ahead and not is_kept(game)]
            COMPILED.update({game: threading.Event() for game in left})
            self.loaded.set_result(Games(self.store, self.extra_agents))
        except Exception as error:
            self.loaded.set_exception(error)
            raise
        if left:
            with suppress(OSError), _compiler(left) as compiler:  # where none can be started it is done here
                COMPILER[:] = [compiler.stdin] if compiler.stdin else []
                for game in compiler.stdout or ():
                    COMPILED[game.strip()].set()
        for game in known_games() if self.ahead else ():
            if game in left:
                COMPILED[game].set()
            with suppress(Exception):  # one that is broken says so where it is asked for
                warm(game)

    async def games(self) -> Games:
        """Return the games as soon as they are loaded. Raises HTTPException if they cannot be."""
        if not self.loaded.done():
            await run_in_threadpool(wait, [self.loaded])
        if error := self.loaded.exception():
            raise HTTPException(500, f"the game cannot be loaded: {error}")
        return self.loaded.result()


def _mark(game: str) -> Path:
    """Return the file that is there if a game was compiled: it is called as files of compiled functions are, and has
    the hash of what they are made of.
    """
    return Path(__file__).with_name("__pycache__") / f"{game}.{sys.implementation.cache_tag}.nbi"


@functools.cache
def _sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(
        path for folder in ("bohemian_env", "agents", "table") for path in (_ROOT / folder).rglob("*.py")
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_kept(game: str) -> bool:
    """Whether a game was compiled as it is now."""
    with suppress(OSError):
        return _mark(game).read_text() == _sources()
    return False


def _compiler(games: Sequence[str]) -> subprocess.Popen[str]:
    """Start the process that compiles games, first those that it is told of, tells each one's name when it is done, and
    ends with this one."""
    command, pipe = [sys.executable, "-m", __name__, *games], subprocess.PIPE
    return subprocess.Popen(command, cwd=_ROOT, text=True, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)


def next_of(left: Sequence[str], asked: Sequence[str]) -> str:
    """Return which game is compiled next, of those that are left: the last one asked for, else the first."""
    return next((game for game in reversed(asked) if game in left), left[0])


def compile_games(games: Sequence[str]) -> None:
    """Be that process."""
    asked: list[str] = []

    def watch() -> None:
        for line in sys.stdin:  # until the server has ended, however that was
            asked.append(line.strip())
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    left = [*games]
    while left:
        left.remove(game := next_of(left, asked))
        with suppress(Exception):  # see above
            warm(game)
        print(game, flush=True)
    os._exit(0)  # the thread still reads


def warm(game: str) -> None:
    """Have all compiled that a game at the table uses, and note it; after installation that takes a while."""
    from .review import review
    from .room import room_of
    from .seating import read_seating
    from .session import Session

    sizes = room_of(game).rules.players
    players = min(max(2, sizes[0]), sizes[-1])
    table = Session(read_seating({"game": game, "seats": [{"name": f"{seat}"} for seat in range(players)]}, []))
    table.hint()
    table.play(table.view()["legal"][0]["move"])
    if table.held:
        table.confirm()
    review(table.moments)
    with suppress(OSError):  # a folder that cannot be written to
        _mark(game).parent.mkdir(exist_ok=True)
        _mark(game).write_text(_sources())


def application(
    store: Store, host: str = "127.0.0.1", extra_agents: Sequence[str] = (), loader: Loader | None = None
) -> Guard:
    """Return the web application.

    Args:
        store: where games are kept.
        host: address that the server listens on.
        extra_agents: as for :class:`table.games.Games`.
        loader: loads the game; by default one that starts with the application.
    """
    loading = loader or Loader(store, extra_agents)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        loading.start()
        yield

    async def first(request: Request) -> Response:
        await run_in_threadpool(wait, [loading.loaded], _PATIENCE)
        if not loading.loaded.done():
            return HTMLResponse(notice_page(language_of(request)))
        return await (await loading.games()).front(request)

    def route(method: str, path: str, name: str) -> Route:
        async def answer(request: Request) -> Response:
            handler: Callable[[Request], Awaitable[Response]] = getattr(await loading.games(), name)
            return await handler(request)

        return Route(path, answer, methods=[method])

    async def refuse(request: Request, error: Exception) -> Response:
        language = language_of(request)
        detail, status = "", 503
        if isinstance(error, Unavailable):
            detail = error.told(language)
        elif isinstance(error, HTTPException):
            unknown = (error.status_code, error.detail) == (404, "Not Found")  # Starlette's words
            detail, status = text_in(language, "refused", "no_page") if unknown else error.detail, error.status_code
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(notice_page(language, detail), status)
        return JSONResponse({"error": detail}, status)

    routes = [
        Route("/", first),
        Mount("/static", StaticFiles(directory=_STATIC)),
        route("GET", "/board.css", "style"),
        route("GET", "/picture/{name}.svg", "picture"),
        route("GET", "/find", "find"),
        route("GET", "/games.jsonl", "given"),
        route("POST", "/daily", "daily"),
        route("POST", "/games", "begin"),
        route("POST", RECORDS, "load"),
        route("GET", "/games/{id}", "page"),
        *(route("GET", f"/games/{{id}}/{name}", name) for name in _SHOWN),
        *(route("POST", f"/games/{{id}}/{name}", name) for name in _ASKED),
    ]
    inner = Starlette(routes=routes, exception_handlers={HTTPException: refuse, Unavailable: refuse}, lifespan=lifespan)
    inner.state.closing = closing = threading.Event()  # what is told as long as the server runs ends then
    return Guard(inner, host, store.token, closing)


if __name__ == "__main__":
    compile_games(sys.argv[1:])
