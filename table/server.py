"""The server: answers the browser from the games in the store.

Starting must be quick, so that what takes long to load (the game's compiled code, above all) is loaded by a thread
while the first page is already shown; PyTorch is loaded when an agent that needs it sits down.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
import re
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from .guard import Guard
from .html import refusal_page, waiting_page
from .store import Store

if TYPE_CHECKING:
    from .session import Session

__all__ = ["Engine", "application"]

mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and browsers would not run it then

_STATIC: Final = Path(__file__).resolve().parent / "static"
_ID: Final = re.compile(r"[\w-]{10,40}", re.ASCII)
_KEPT_AT_HAND: Final = 32
"""Games kept in memory; any other is read from the store when it is asked for."""
_PATIENCE: Final = 0.4
"""Seconds that the first page waits for the game to be loaded before it says so."""
_T = TypeVar("_T")


class Engine:
    """Loads the game in a thread, and then has it compiled, which takes a while after an installation."""

    def __init__(self) -> None:
        self.loaded = threading.Event()
        """The page can be written."""
        self.ready = threading.Event()
        """Games can be played without waiting for the compiler."""
        self.error: BaseException | None = None

    def start(self) -> None:
        """Begin to load."""
        threading.Thread(target=self._load, name="engine", daemon=True).start()

    def _load(self) -> None:
        try:
            from . import pages, seating, session

            assert pages
            self.loaded.set()
            table = session.Session(seating.read_seating({"seats": [{"name": ""}, {"agent": "greedy"}]}, ["greedy"]))
            table.play(table.view()["legal"][0]["move"])
        except Exception as error:
            self.error = error
            raise
        finally:
            self.loaded.set()
            self.ready.set()


class _Tables:
    """The games at hand, one task at a time for each."""

    def __init__(self, store: Store, known: Sequence[str]) -> None:
        self.store = store
        self.known = tuple(known)
        self._at_hand: OrderedDict[str, Session] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    async def at(self, game: str, use: Callable[[Session], _T]) -> _T:
        """What ``use`` makes of a game, in a thread. What it has played is kept before this returns; when it raises,
        or when another server has played on, the game stays as it is kept.

        Raises:
            HTTPException: there is no such game (404), or it cannot be played on (409).
        """
        if not _ID.fullmatch(game):
            raise HTTPException(404, "there is no such game")
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            return await run_in_threadpool(self._use, game, use)

    def _use(self, game: str, use: Callable[[Session], _T]) -> _T:
        from .seating import BadSeating
        from .session import Session

        saved = self.store.load(game)
        if saved is None:
            raise HTTPException(404, "there is no such game")
        session = self._at_hand.pop(game, None)
        if session is None or session.actions != saved.actions:
            try:
                session = Session(saved.setup, saved.actions)
            except BadSeating as error:
                raise HTTPException(409, str(error)) from None
        result = use(session)
        if session.actions != saved.actions and not self.store.write(
            game, len(saved.actions), session.actions, session.over
        ):
            raise HTTPException(409, "this game has been played on elsewhere; load the page again")
        self._at_hand[game] = session  # only now: a session that failed is read anew
        while len(self._at_hand) > _KEPT_AT_HAND:
            self._at_hand.popitem(last=False)
        return result


async def _body(request: Request, *fields: str) -> dict[str, Any]:
    """The JSON object that was sent, which has these fields and no others."""
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is not JSON") from None
    if not isinstance(data, dict) or set(data) != set(fields):
        raise HTTPException(400, f"the request must have exactly: {', '.join(fields) or 'nothing'}")
    return data


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**6:
        raise HTTPException(400, "moves and lines are counted by whole numbers")
    return value


def application(
    store: Store, host: str = "127.0.0.1", extra_agents: Sequence[str] = (), engine: Engine | None = None
) -> Guard:
    """The web application.

    Args:
        store: where games are kept.
        host: address that the server listens on.
        extra_agents: names or paths of agents that may sit down beside those that the page always offers.
        engine: loads the game; by default one that begins when the application does.
    """
    engine = engine or Engine()
    tables = _Tables(store, extra_agents)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        engine.start()
        yield

    def known() -> list[str]:
        from .seating import OPPONENTS

        return [*(opponent.agent for opponent in OPPONENTS), *extra_agents]

    async def loaded() -> None:
        await run_in_threadpool(engine.loaded.wait)
        if engine.error is not None:
            raise HTTPException(500, f"the game cannot be loaded: {engine.error}")

    # --- pages ---

    async def front(_: Request) -> Response:
        if not await run_in_threadpool(engine.loaded.wait, _PATIENCE):
            return HTMLResponse(waiting_page())
        await loaded()
        from .pages import front_page

        return HTMLResponse(
            await run_in_threadpool(front_page, store.token, extra_agents, store.recent(False), store.recent(True))
        )

    async def game(request: Request) -> Response:
        await loaded()
        from .pages import game_page

        number = request.path_params["id"]
        names = await tables.at(number, lambda session: session.names)
        return HTMLResponse(game_page(store.token, names))

    # --- the game ---

    async def begin(request: Request) -> Response:
        await loaded()
        from .seating import BadSeating, read_seating
        from .session import Session

        asked = await _body(request, "seats", "villages", "seed")
        try:
            setup = read_seating(asked, known())
            await run_in_threadpool(lambda: Session(setup).meet_agents())
        except BadSeating as error:
            raise HTTPException(400, str(error)) from None
        return JSONResponse({"id": await run_in_threadpool(store.add, setup)}, 201)

    async def again(request: Request) -> Response:
        """The same seats once more, on villages chosen in the same way, with new dice."""
        await loaded()
        from .seating import BadSeating, read_seating

        await _body(request)
        setup = await tables.at(request.path_params["id"], lambda session: session.setup)
        seats = [{"agent": s["agent"]} if "agent" in s else {"name": s["name"]} for s in setup["seats"]]
        try:
            new = read_seating({"seats": seats, "villages": setup["villages"], "seed": None}, known())
        except BadSeating as error:  # an agent that the server was not started with again
            raise HTTPException(400, str(error)) from None
        return JSONResponse({"id": await run_in_threadpool(store.add, new)}, 201)

    async def state(request: Request) -> Response:
        await loaded()
        try:
            after = _count(int(request.query_params.get("after", "0")))
        except ValueError:
            raise HTTPException(400, "moves and lines are counted by whole numbers") from None
        return JSONResponse(await tables.at(request.path_params["id"], lambda session: session.view(after)))

    async def move(request: Request) -> Response:
        """A person's move, if the game stands where the page believes."""
        await loaded()
        from bohemian_env import BadNotation, IllegalMove

        from .session import NotYourTurn

        asked = await _body(request, "move", "moves", "after")
        moves, after = _count(asked["moves"]), _count(asked["after"])
        if not isinstance(asked["move"], str) or len(asked["move"]) > 100:
            raise HTTPException(400, "a move is a line of text")

        def play(session: Session) -> dict[str, Any]:
            if len(session.actions) != moves:
                raise HTTPException(409, "the game has gone on since")
            try:
                session.play(asked["move"])
            except NotYourTurn as error:
                raise HTTPException(409, str(error)) from None
            except (BadNotation, IllegalMove) as error:
                raise HTTPException(422, str(error)) from None
            return session.view(after)

        return JSONResponse(await tables.at(request.path_params["id"], play))

    async def advance(request: Request) -> Response:
        """The next move of an agent, or all up to a person's turn; where the game has gone on, only how it stands."""
        await loaded()
        from .seating import BadSeating

        asked = await _body(request, "moves", "after", "all")
        moves, after = _count(asked["moves"]), _count(asked["after"])
        if not isinstance(asked["all"], bool):
            raise HTTPException(400, "all is true or false")

        def think(session: Session) -> dict[str, Any]:
            if len(session.actions) < moves:
                raise HTTPException(409, "the game has not come so far")
            end = time.monotonic() + 2.0  # so that the page hears from time to time of a game without people
            while len(session.actions) == moves or (asked["all"] and time.monotonic() < end):
                if session.agent_to_move is None:
                    break
                try:
                    session.advance()
                except BadSeating as error:
                    raise HTTPException(409, str(error)) from None
            return session.view(after)

        return JSONResponse(await tables.at(request.path_params["id"], think))

    async def hint(request: Request) -> Response:
        await loaded()
        from .seating import BadSeating
        from .session import NotYourTurn

        await _body(request)

        def ask(session: Session) -> dict[str, Any]:
            try:
                return session.hint()
            except (BadSeating, NotYourTurn) as error:
                raise HTTPException(409, str(error)) from None

        return JSONResponse(await tables.at(request.path_params["id"], ask))

    async def record(request: Request) -> Response:
        """The record, once the game is over: before that it would give away the dice to come."""
        await loaded()

        def write(session: Session) -> dict[str, Any]:
            if not session.over:
                raise HTTPException(409, "the record can be had when the game is over")
            return session.record()

        written = await tables.at(request.path_params["id"], write)
        name = f"bohemian-villages-{request.path_params['id'][:6]}.json"
        text = json.dumps(written, ensure_ascii=False, indent=1)
        return Response(
            text, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'}
        )

    async def forget(request: Request) -> Response:
        await _body(request)
        if not await run_in_threadpool(store.forget, request.path_params["id"]):
            raise HTTPException(404, "there is no such game")
        return JSONResponse({})

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(refusal_page(error.detail), error.status_code)
        return JSONResponse({"error": error.detail}, error.status_code)

    async def board_style(_: Request) -> Response:
        """The style sheet of the drawings."""
        await loaded()
        from bohemian_env.render import board_css

        return Response(board_css(), media_type="text/css")

    def post(path: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, answer, methods=["POST"])

    routes = [
        Route("/", front),
        post("/games", begin),
        Route("/games/{id}", game),
        Route("/games/{id}/state", state),
        Route("/games/{id}/record", record),
        post("/games/{id}/move", move),
        post("/games/{id}/advance", advance),
        post("/games/{id}/hint", hint),
        post("/games/{id}/again", again),
        post("/games/{id}/forget", forget),
        Route("/board.css", board_style),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    inner = Starlette(routes=routes, exception_handlers={HTTPException: refuse}, lifespan=lifespan)
    return Guard(inner, host, store.token)
