"""What the server answers about games: pages, views and moves. Imported only when the game has been loaded."""

from __future__ import annotations

import asyncio
import json
import re
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from bohemian_env import BadNotation, BadRecord, Game, IllegalMove
from bohemian_env.render import board_css

from .export import export_page, words_script
from .history import read_record
from .pages import front_page, game_page
from .review import review
from .review_page import review_page
from .seating import GUESTS, BadSeating, read_seating, seating_from, seating_of
from .session import NotYourTurn, Session
from .store import Store, Unavailable

__all__ = ["Games"]

_ID: Final = re.compile(r"[\w-]{10,40}", re.ASCII)
_KEPT_AT_HAND: Final = 32
"""Games kept in memory; others are read from the store when they are asked for."""
_IN_ONE_GO: Final = 2.0
"""Seconds for which agents play on before the page hears of it, where they move "at once"."""
_T = TypeVar("_T")


class Games:
    """The games in a store. Every method but ``at`` answers a request.

    Args:
        store: where they are kept.
        extra_agents: names or paths of agents that may sit at the table besides GUESTS.
    """

    def __init__(self, store: Store, extra_agents: Sequence[str] = ()) -> None:
        self.store = store
        self.extra_agents = tuple(extra_agents)
        self.known = (*(guest.agent for guest in GUESTS), *extra_agents)
        self._at_hand: OrderedDict[str, Session] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._reviewing = asyncio.Lock()
        self._unavailable: tuple[float, Unavailable] | None = None
        """When the store was last found unavailable, and why."""

    async def _in_thread(self, use: Callable[[], _T], came: float) -> _T:
        """Return what ``use`` returns, run in a thread. A request that came before another found the store unavailable
        shares what that was told: if each waited for a store that somebody has locked, the last would wait for minutes.
        """

        def attempt() -> _T:
            if self._unavailable and self._unavailable[0] > came:
                raise self._unavailable[1].with_traceback(None)
            try:
                return use()
            except Unavailable as error:
                self._unavailable = time.monotonic(), error
                raise

        return await run_in_threadpool(attempt)

    async def at(self, request: Request, use: Callable[[Session], _T]) -> _T:
        """Return what ``use``, run in a thread, makes of the game in the request's path; one at a time for each game.

        The moves it makes are kept before this returns. If it raises, or if another server has made a move meanwhile,
        the kept game stays as it is.

        Raises:
            HTTPException: there is no such game (404); it cannot be continued, or not in this way (409); the move is
                not legal (422).
        """
        game = request.path_params["id"]
        if not _ID.fullmatch(game):
            raise HTTPException(404, "there is no such game")
        came = time.monotonic()
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            try:
                return await self._in_thread(lambda: self._use(game, use), came)
            except (BadSeating, NotYourTurn) as error:
                raise HTTPException(409, str(error)) from None
            except (BadNotation, IllegalMove) as error:
                raise HTTPException(422, str(error)) from None

    def _use(self, game: str, use: Callable[[Session], _T]) -> _T:
        saved = self.store.load(game)
        if saved is None:
            raise HTTPException(404, "there is no such game")
        if saved.damaged:
            raise BadSeating("this game cannot be read: what is kept of it is damaged; only deleting it is left")
        session = self._at_hand.pop(game, None)
        if session is None or session.actions != saved.actions:
            session = Session(saved.seating, saved.actions, self.extra_agents)
        try:
            result = use(session)
        except (BadNotation, HTTPException, IllegalMove, NotYourTurn):
            if session.actions == saved.actions:  # it was refused, and nothing has changed
                self._keep_at_hand(game, session)
            raise
        if session.actions != saved.actions and not self.store.write(
            game, saved.actions, session.actions, session.game.over
        ):
            raise HTTPException(409, "this game was continued elsewhere; reload the page")
        self._keep_at_hand(game, session)  # only now: a session that failed is read anew
        return result

    def _keep_at_hand(self, game: str, session: Session) -> None:
        self._at_hand[game] = session
        while len(self._at_hand) > _KEPT_AT_HAND:
            self._at_hand.popitem(last=False)

    # --- pages ---

    async def front(self, _: Request) -> Response:
        """Answer with the page on which a game is set up."""

        def write() -> str:
            under_way, over = self.store.recent(over=False), self.store.recent(over=True)
            return front_page(self.store.token, self.extra_agents, under_way, over)

        return HTMLResponse(await self._in_thread(write, time.monotonic()))

    async def page(self, request: Request) -> Response:
        """Answer with the page of the table; where no person plays, with that at which the game is watched."""
        names, watched = await self.at(request, lambda session: (session.names, session.only_agents))
        game = request.path_params["id"]
        if watched:
            return RedirectResponse(f"/games/{game}/review", 303)
        return HTMLResponse(game_page(self.store.token, game, names))

    async def review(self, request: Request) -> Response:
        """Answer with the page at which a game is looked at again, which asks for the analysis itself."""
        seating, watched = await self.at(request, lambda session: (session.seating, session.only_agents))
        game, seats = request.path_params["id"], seating["seats"]
        return HTMLResponse(review_page(self.store.token, game, seats, self.extra_agents, watched))

    async def style(self, _: Request) -> Response:
        """Answer with the style sheet of the drawings."""
        return Response(board_css(), media_type="text/css")

    async def words(self, _: Request) -> Response:
        """Answer with the words that the scripts say, as a script."""
        return Response(words_script(), media_type="text/javascript")

    # --- setting up ---

    async def begin(self, request: Request) -> Response:
        """Begin a new game."""
        asked = await _body(request, "seats", "villages", "seed")
        return await self._new(lambda: read_seating(asked, self.known))

    async def again(self, request: Request) -> Response:
        """Begin a game with the same seats, on villages chosen in the same way, with new dice."""
        await _body(request)
        seating = await self.at(request, lambda session: session.seating)
        seats = [{"agent": s["agent"]} if "agent" in s else {"name": s["name"]} for s in seating["seats"]]
        record = seating.get("record")
        if record and "end" not in record:  # again from the same position

            def from_there() -> dict[str, Any]:
                begun = Game.from_record(record)
                return seating_from(seats, self.known, begun, len(begun.actions))

            return await self._new(from_there)
        asked = {"seats": seats, "villages": seating["villages"], "seed": None}
        return await self._new(lambda: read_seating(asked, self.known))

    async def play_on(self, request: Request) -> Response:
        """Begin a game that goes on from a position of this one."""
        asked = await _body(request, "moves", "seats")
        moves = _count(asked["moves"])
        game = await self.at(request, lambda session: session.game)
        return await self._new(lambda: seating_from(asked["seats"], self.known, game, moves))

    async def load(self, request: Request) -> Response:
        """Keep a game that comes as a record."""
        text = await _whole(request)
        return await self._new(lambda: seating_of(read_record(text), self.known))

    async def _new(self, seat: Callable[[], dict[str, Any]]) -> Response:
        def keep() -> str:
            seating = seat()
            session = Session(seating, programs=self.extra_agents)
            if not session.game.over:
                session.meet_agents()
            return self.store.add(seating, session.game.over)

        try:
            return JSONResponse({"id": await self._in_thread(keep, time.monotonic())}, 201)
        except (BadSeating, BadRecord) as error:
            raise HTTPException(400, str(error)) from None

    async def delete(self, request: Request) -> Response:
        """Delete a game."""
        await _body(request)
        game = request.path_params["id"]
        if not await self._in_thread(lambda: self.store.delete(game), time.monotonic()):
            raise HTTPException(404, "there is no such game")
        self._at_hand.pop(game, None)
        return JSONResponse({})

    # --- playing ---

    async def view(self, request: Request) -> Response:
        """Answer with the view of the game, its log from line ``after`` on."""
        lines = _after(request)
        return JSONResponse(await self.at(request, lambda session: session.view(lines)))

    async def move(self, request: Request) -> Response:
        """Make a person's move, if the game stands where the page believes."""
        asked = await _body(request, "move", "at", "after")
        text, after = asked["move"], _count(asked["after"])
        if not isinstance(text, str) or len(text) > 100:
            raise HTTPException(400, "a move is a short text")

        def play(session: Session) -> dict[str, Any]:
            _check_stand(session, asked["at"])
            session.play(text)
            return session.view(after)

        return JSONResponse(await self.at(request, play))

    async def back(self, request: Request) -> Response:
        """Take the last move back, if the game stands where the page believes; the log is answered from its start."""
        at = (await _body(request, "at"))["at"]

        def take_back(session: Session) -> dict[str, Any]:
            _check_stand(session, at)
            session.take_back()
            return session.view()

        return JSONResponse(await self.at(request, take_back))

    async def advance(self, request: Request) -> Response:
        """Make the next move of an agent, or all of them up to a person's turn. Where the game has moved on already,
        only answer with its view.
        """
        asked = await _body(request, "moves", "after", "all")
        moves, after = _count(asked["moves"]), _count(asked["after"])
        if not isinstance(asked["all"], bool):
            raise HTTPException(400, "all is true or false")

        def think(session: Session) -> dict[str, Any]:
            if len(session.actions) < moves:
                raise HTTPException(409, "the game has not got that far")
            end = time.monotonic() + _IN_ONE_GO
            while session.agent_to_move is not None:
                if len(session.actions) > moves and not (asked["all"] and time.monotonic() < end):
                    break
                session.advance()
            return session.view(after)

        return JSONResponse(await self.at(request, think))

    async def hint(self, request: Request) -> Response:
        """Answer with what a trained agent would do."""
        await _body(request)
        return JSONResponse(await self.at(request, Session.hint))

    async def record(self, request: Request) -> Response:
        """Answer with the record, once the game is over: before that it would give away the dice to come."""

        def write(session: Session) -> dict[str, Any]:
            if not session.game.over:
                raise HTTPException(409, "the record is available once the game is over")
            return session.game.record()

        text = json.dumps(await self.at(request, write), ensure_ascii=False, indent=1)
        return Response(text, media_type="application/json", headers=_to_keep(request, "json"))

    # --- looking at a game again ---

    async def analysis(self, request: Request) -> Response:
        """Answer with all there is to tell of the game so far, but for the positions before number ``after``; with
        ``luck=no`` without the luck of rolls, which takes most of the time.
        """
        after, luck = _after(request), request.query_params.get("luck") != "no"
        game, names, you, begun = await self.at(request, lambda s: (s.game, s.names, s.you, s.begun))
        async with self._reviewing:  # one at a time, and the game is free for moves meanwhile
            found = await run_in_threadpool(review, game, names, you, after, luck)
        return JSONResponse(found | {"begun": begun})

    async def export(self, request: Request) -> Response:
        """Answer with the whole game as one page that needs no server, once the game is over."""
        game, names, you = await self.at(request, lambda session: (session.game, session.names, session.you))
        if not game.over:
            raise HTTPException(409, "the game can be taken along once it is over")
        async with self._reviewing:
            page = await run_in_threadpool(lambda: export_page(review(game, names, you)))
        return HTMLResponse(page, headers=_to_keep(request, "html"))


def _to_keep(request: Request, kind: str) -> dict[str, str]:
    """Return the header by which the browser saves an answer as a file."""
    return {"content-disposition": f'attachment; filename="bohemian-villages-{request.path_params["id"][:6]}.{kind}"'}


def _after(request: Request) -> int:
    after = request.query_params.get("after", "0")
    return _count(int(after) if after.isascii() and after.isdigit() and len(after) < 10 else None)


async def _whole(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:
        raise HTTPException(400, "the request ended before its body did") from None


async def _body(request: Request, *fields: str) -> dict[str, Any]:
    """Return the JSON object that was sent. Raises HTTPException unless it has these fields and no others."""
    try:
        data = json.loads(await _whole(request))
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is not JSON") from None
    if not isinstance(data, dict) or set(data) != set(fields):
        raise HTTPException(400, f"the request must have exactly: {', '.join(fields) or 'nothing'}")
    return data


def _check_stand(session: Session, at: object) -> None:
    """Raise HTTPException unless a page knows all moves of a game, and no others: what :attr:`Session.at` said then."""
    if session.at != at:
        raise HTTPException(409, "the game has changed in another tab or window")


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**6:
        raise HTTPException(400, "moves and lines are counted in whole numbers")
    return value
