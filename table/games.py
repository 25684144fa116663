"""What the server answers about games: pages, views and moves. Imported only when the game has been loaded."""

import asyncio
import datetime
import functools
import json
import re
import time
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse

from bohemian_env.engine.contract import Outcome
from bohemian_env.engine.errors import BadNotation, BadRecord, BadSetup, IllegalMove
from bohemian_env.games import GAMES, known_games

from . import again
from .export import export_page
from .giving import records_of
from .history import read_record
from .language import language_of
from .pages import Front, front_page, game_page, review_page
from .refusal import Refusal
from .review import Beside, review
from .room import Room, room_of
from .seating import GIVEN, BadSeating, known_agents, names_in, read_seating, room_in, seating_from, seating_of
from .session import NotYourTurn, Session, at_of
from .store import Saved, Store, Unavailable
from .words import Words, page_words

_ID: Final = re.compile(r"[\w-]{10,40}", re.ASCII)
_KEPT_AT_HAND: Final = 32  # games kept in memory; others are read from the store when they are asked for
_LISTED: Final = 10  # games under way on the first page, and as many that are over; all are a click away
_BETWEEN_LOOKS: Final = 0.5  # seconds after which a browser that follows hears of a change at the latest
_IN_ONE_GO: Final = 2.0  # seconds for which agents play on before the page hears of it, where they move "at once"
_T = TypeVar("_T")


class _NotNow(Refusal):
    """The game does not stand as it would have to."""


class _NoGame(Refusal):
    """There is no such game."""

    def __init__(self) -> None:
        super().__init__("no_game")


class Games:
    """The games in a store. Every method but ``at`` answers a request.

    store: where they are kept. extra_agents: names or paths of agents that may sit at the table besides the guests of a
    game.
    """

    def __init__(self, store: Store, extra_agents: Sequence[str] = ()) -> None:
        self.store = store
        self.extra_agents = tuple(extra_agents)
        self._at_hand: OrderedDict[str, Session] = OrderedDict()
        self._in_use: dict[str, Session] = {}  # the sessions with which a thread is at work, by their ids
        self._outcomes: dict[str, Outcome | None] = {}  # the outcomes of games that are over, by their ids
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._reviewing = asyncio.Lock()
        self._progress: dict[str, int] = {}
        """The number of decisions that are thought about already, by the ids of games that are reviewed."""
        self._unavailable: tuple[float, Unavailable] | None = None  # when the store was last found unavailable, and why

    async def _in_thread(self, use: Callable[[], _T], came: float | None = None) -> _T:
        """Return what ``use`` returns, run in a thread. A request that came before another found the store unavailable
        shares what that was told: if each waited for a store that somebody has locked, the last would wait for minutes.
        """
        begun = time.monotonic() if came is None else came

        def attempt() -> _T:
            if self._unavailable and self._unavailable[0] > begun:
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
        the kept game stays as it is. Raises HTTPException: there is no such game (404); it cannot be continued, or not
        in this way (409); the move is not legal (422).
        """
        game = request.path_params["id"]
        if not _ID.fullmatch(game):
            raise _answer(request, _NoGame())
        came = time.monotonic()
        lock = self._locks.setdefault(game, asyncio.Lock())
        async with lock:
            try:
                return await self._in_thread(lambda: self._use(game, use), came)
            except Refusal as error:
                raise _answer(request, error) from None
            except (BadNotation, IllegalMove) as error:
                raise HTTPException(422, str(error)) from None

    async def _standing(self, request: Request, at: object, use: Callable[[Session], dict[str, Any]]) -> Response:
        """Answer with what ``use`` makes of the game, if it stands where the page believes: if the page knows all moves
        and no others, as :attr:`Session.at` said then.
        """

        def checked(session: Session) -> dict[str, Any]:
            if session.at != at:
                raise _NotNow("changed")
            return use(session)

        return JSONResponse(await self.at(request, checked))

    async def _known(self, request: Request, use: Callable[[Session], _T]) -> _T:
        """Return what ``use`` makes of what never changes in a game, at once even while an agent thinks about its move.
        Raises HTTPException: as by :meth:`at`.
        """
        session = self._in_use.get(request.path_params["id"])
        return await self.at(request, use) if session is None else use(session)

    def _use(self, game: str, use: Callable[[Session], _T]) -> _T:
        saved = self.store.load(game)
        if saved is None:
            raise _NoGame
        if saved.damaged:
            raise BadSeating("damaged")
        session = self._at_hand.pop(game, None)
        if session is None or session.actions != saved.actions:
            session = Session(saved.seating, saved.actions, self.extra_agents)
        self._in_use[game] = session
        try:
            result = use(session)
        except (BadNotation, HTTPException, IllegalMove, _NotNow, NotYourTurn):
            if session.actions == saved.actions:  # it was refused, and nothing has changed
                self._keep_at_hand(game, session)
            raise
        finally:
            del self._in_use[game]
        ended = session.game.over and not saved.over  # by chance, once a move is confirmed
        if (ended or session.actions != saved.actions) and not self.store.write(
            game, saved.actions, session.actions, session.game.over
        ):
            raise _NotNow("continued_elsewhere") if self.store.load(game) else _NoGame
        self._keep_at_hand(game, session)  # only now: a session that failed is read anew
        return result

    def _outcome(self, saved: Saved) -> Outcome | None:
        """Return how a game ended; None if that cannot be told, or not yet."""
        if saved.id not in self._outcomes:
            try:
                if not room_in(saved.seating).compiled:
                    return None
                self._outcomes[saved.id] = Session(saved.seating, saved.actions, self.extra_agents).game.outcome()
            except BadSeating:
                return None
        return self._outcomes[saved.id]

    def _keep_at_hand(self, game: str, session: Session) -> None:
        self._at_hand[game] = session
        while len(self._at_hand) > _KEPT_AT_HAND:
            self._at_hand.popitem(last=False)

    # --- pages ---

    async def front(self, request: Request) -> Response:
        """Answer with the page on which a game is set up, and the games played last; with ``all=yes`` all games."""
        language, room = language_of(request), _room_asked(request.query_params.get("game"))
        room.ask()
        most = None if request.query_params.get("all") == "yes" else _LISTED

        def write() -> str:
            kept = [[game for game in self.store.recent(over) if _is_somebodys(game)] for over in (False, True)]
            under_way, over = (games[:most] for games in kept)
            outcomes = {saved.id: self._outcome(saved) for saved in over}
            own = [game for game in kept[1] if self._is_of(game, room)]
            front = Front(
                under_way, over, outcomes, [under_way, over] == kept,
                next((game for game in kept[0] if self._is_of(game, room)), None),
                not any(self._is_of(game, room) for games in kept for game in games),
                again.proposed(room, self._results(own)), len(self._to_find(own)),
                [game.seating["daily"] for game in own if game.seating.get("daily")],
            )  # fmt: skip
            return front_page(room, language, self.store.token, self.extra_agents, front)

        return HTMLResponse(await self._in_thread(write))

    def _is_of(self, saved: Saved, room: Room) -> bool:
        return not saved.damaged and saved.seating.get("game", "villages") == room.name

    def _results(self, games: Sequence[Saved]) -> list[tuple[str, bool]]:
        """Return against whom, and whether a person won, in games of one person and one agent, the latest last."""
        found = []
        for game in games[:_LISTED]:
            seats = game.seating["seats"]
            people = [number for number, seat in enumerate(seats) if "agent" not in seat]
            outcome = self._outcome(game) if len(seats) == 2 and len(people) == 1 else None
            if outcome:
                found.append((seats[1 - people[0]]["agent"], people[0] in outcome.winners))
        return found[::-1]

    def _to_find(self, games: Sequence[Saved]) -> list[tuple[str, int]]:
        return again.to_find(self.store, {game.id: game for game in games})

    async def picture(self, request: Request) -> Response:
        """Answer with a picture of a game."""
        room = _room_asked(request.path_params["name"])
        return Response(await run_in_threadpool(room.picture, language_of(request)), media_type="image/svg+xml")

    async def page(self, request: Request) -> Response:
        """Answer with the page of the table; where no person plays, with that at which the game is watched."""
        language = language_of(request)
        room, names, watched = await self._known(
            request, lambda s: (s.room, names_in(s.seating, s.room.words(language)), s.only_agents)
        )
        game = request.path_params["id"]
        if watched:
            return RedirectResponse(f"/games/{game}/review", 303)
        return HTMLResponse(game_page(room, language, self.store.token, game, names))

    async def review(self, request: Request) -> Response:
        """Answer with the page at which a game is looked at again, which asks for the analysis itself."""
        seating, watched = await self._known(request, lambda session: (session.seating, session.only_agents))
        game, seats = request.path_params["id"], seating["seats"]
        room, language = room_in(seating), language_of(request)
        page = review_page(room, language, self.store.token, game, seats, self.extra_agents, watched)
        return HTMLResponse(page)

    async def style(self, request: Request) -> Response:
        """Answer with the style sheet of a game's drawings."""
        return Response(_room_asked(request.query_params.get("game")).style(), media_type="text/css")

    # --- setting up ---

    async def begin(self, request: Request) -> Response:
        """Begin a new game."""
        asked, language = await _body(request, "game", "seats", "options", "seed"), language_of(request)
        return await self._new(request, lambda: read_seating(asked, self.extra_agents, room_in(asked).words(language)))

    async def again(self, request: Request) -> Response:
        """Begin a game with the same seats moved on by one, set up in the same way, with new chance; one that
        began at a position begins there again, with everybody at the same seat.
        """
        await _body(request)
        seating, begun = await self.at(request, lambda session: (session.seating, session.moments_begun))
        room, words = room_in(seating), room_in(seating).words(language_of(request))
        unsaid = {*GIVEN, *known_agents(room, self.extra_agents)}  # once people could be called like an agent
        seats = [
            {"agent": seat["agent"]} if "agent" in seat else {"name": "" if seat["name"] in unsaid else seat["name"]}
            for seat in seating["seats"]
        ]
        if seating.get("record") and not begun[-1].over:  # again from the same position
            moves = len(begun[-1].actions)
            return await self._new(request, lambda: seating_from(seats, self.extra_agents, begun, moves, words))
        options = seating["options"] if "options" in seating else {"villages": seating["villages"]}
        asked = {"game": room.name, "seats": [*seats[1:], seats[0]], "options": options, "seed": None}
        return await self._new(request, lambda: read_seating(asked, self.extra_agents, words))

    async def play_on(self, request: Request) -> Response:
        """Begin a game that goes on from a position of this one."""
        asked, language = await _body(request, "moves", "seats"), language_of(request)
        moves = _count(asked["moves"])
        room, moments = await self.at(request, lambda session: (session.room, [*session.moments]))
        return await self._new(
            request, lambda: seating_from(asked["seats"], self.extra_agents, moments, moves, room.words(language))
        )

    async def load(self, request: Request) -> Response:
        """Keep a game that comes as a record."""
        text = await _whole(request)
        return await self._new(request, lambda: seating_of(read_record(text), self.extra_agents))

    async def daily(self, request: Request) -> Response:
        """Begin the game of a day, or go on with it: there is one try."""
        asked = await _body(request, "game", "date")
        room, language = room_in(asked), language_of(request)

        def keep() -> dict[str, Any]:
            seating = again.daily_seating(room, asked["date"], room.words(language))
            kept = [game for over in (False, True) for game in self.store.recent(over)]
            begun = again.of_a_day(kept, room, seating["daily"])
            return {"id": begun.id if begun else self.store.add(seating)}

        try:
            return JSONResponse(await self._in_thread(keep), 201)
        except Refusal as error:
            raise _answer(request, error, 400) from None

    async def duplicate(self, request: Request) -> Response:
        """Let the room's master play the game again, with the same chance, and answer with how it did."""
        await _body(request)
        game, language = request.path_params["id"], language_of(request)
        session = await self.at(request, lambda session: session)
        if not session.over:
            raise _answer(request, _NotNow("record_later"))

        def play() -> dict[str, Any]:
            seating = again.duplicate_of(game, session)
            kept = (one for one in self.store.recent(True) if not one.damaged)
            known = next((one for one in kept if one.seating.get("duplicate") == game), None)
            if known:
                played = Session(known.seating, known.actions, self.extra_agents)
                new = known.id
            else:
                played = again.played_out(seating)
                new = self.store.add(seating)
                self.store.write(new, [], played.actions, True)
            return {"id": new, **again.compared(session, played, session.room.words(language))}

        try:
            async with self._reviewing:
                return JSONResponse(await self._in_thread(play))
        except Refusal as error:
            raise _answer(request, error) from None

    async def given(self, _: Request) -> Response:
        """Answer with all finished games of people, as a file of records without their names."""
        told = await self._in_thread(lambda: "".join(records_of(self.store.recent(True))))
        headers = {"content-disposition": 'attachment; filename="games.jsonl"'}
        return Response(told, media_type="application/jsonl", headers=headers)

    async def find(self, request: Request) -> Response:
        """Lead to a position in which a better move is to be found: of one's own games, or of the day's."""
        room = _room_asked(request.query_params.get("game"))

        def choose() -> str:
            kept = self.store.recent(True)
            if due := self._to_find([game for game in kept if self._is_of(game, room)]):
                return f"/games/{due[0][0]}/review?find={due[0][1]}"
            date = datetime.datetime.now(datetime.UTC).date().isoformat()
            mine = (game for game in kept if self._is_of(game, room) and game.seating.get("puzzle") == date)
            if (puzzle := next(mine, None)) is None:
                seating = again.puzzle_seating(room, date)
                played = again.played_out(seating)
                new = self.store.add(seating)
                self.store.write(new, [], played.actions, True)
            else:
                new = puzzle.id
            return f"/games/{new}/review?find=costly"

        async with self._reviewing:
            return RedirectResponse(await self._in_thread(choose), 303)

    async def found(self, request: Request) -> Response:
        """Note whether a better move was found in a position."""
        asked = await _body(request, "position", "found")
        position = _count(asked["position"])
        game = request.path_params["id"]
        await self._in_thread(lambda: again.answered(self.store, game, position, asked["found"] is True))
        return JSONResponse({})

    async def _new(self, request: Request, seat: Callable[[], dict[str, Any]]) -> Response:
        def keep() -> str:
            seating = seat()
            session = Session(seating, programs=self.extra_agents)
            if not session.game.over:
                session.meet_agents()
            return self.store.add(seating, session.game.over)

        try:
            return JSONResponse({"id": await self._in_thread(keep)}, 201)
        except Refusal as error:
            raise _answer(request, error, 400) from None
        except BadRecord as error:
            raise HTTPException(400, str(error)) from None

    async def delete(self, request: Request) -> Response:
        """Delete a game."""
        await _body(request)
        game = request.path_params["id"]
        if not await self._in_thread(lambda: self.store.delete(game)):
            raise _answer(request, _NoGame())
        self._at_hand.pop(game, None)
        return JSONResponse({})

    # --- playing ---

    async def view(self, request: Request) -> Response:
        """Answer with the view of the game, its log from line ``after`` on."""
        lines, language = _after(request), language_of(request)

        def look(session: Session) -> dict[str, Any]:
            return session.view(lines, session.room.words(language))

        session = self._in_use.get(request.path_params["id"])  # an agent may think for long
        return JSONResponse(await (self.at(request, look) if session is None else run_in_threadpool(look, session)))

    async def events(self, request: Request) -> Response:
        """Tell of every change of the game, as server-sent events: how it stands then, as ``Session.at`` does."""
        game = request.path_params["id"]

        def standing() -> str | None:
            saved = self.store.load(game)
            session = self._at_hand.get(game)
            held = session is not None and saved is not None and session.held and session.actions == saved.actions
            return None if saved is None else at_of(saved.actions, held)

        async def stream() -> AsyncIterator[str]:
            last = ""
            while not request.app.state.closing.is_set():
                try:
                    at = await run_in_threadpool(standing)
                except Unavailable:
                    at = last  # it may come back
                if at is None:
                    return
                if at != last:
                    yield f"data: {at}\n\n"
                last = at
                await asyncio.sleep(_BETWEEN_LOOKS)

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def move(self, request: Request) -> Response:
        """Make a person's move, if the game stands where the page believes."""
        asked = await _body(request, "move", "at", "after", "instead")
        text, after, language = _text_of_move(asked["move"]), _count(asked["after"]), language_of(request)
        instead = asked["instead"] is True  # of the last one; the log's last lines are told anew
        return await self._standing(
            request, asked["at"], lambda s: _viewed_after(s, after, language, lambda: s.play(text, instead), instead)
        )

    async def done(self, request: Request) -> Response:
        """Confirm a person's move, so that chance and others go on, if the game stands where the page believes."""
        asked, language = await _body(request, "at", "after"), language_of(request)
        after = _count(asked["after"])
        return await self._standing(
            request, asked["at"], lambda s: _viewed_after(s, after, language, s.confirm, anew=True)
        )

    async def back(self, request: Request) -> Response:
        """Take the last move back, if the game stands where the page believes; the log is answered from its start."""
        at, language = (await _body(request, "at"))["at"], language_of(request)

        def take_back(session: Session) -> dict[str, Any]:
            session.take_back()
            return session.view(words=session.room.words(language))

        return await self._standing(request, at, take_back)

    async def advance(self, request: Request) -> Response:
        """Make the next move of an agent, or all of them up to a person's turn. Where the game has moved on already,
        only answer with its view.
        """
        asked = await _body(request, "moves", "after", "all")
        moves, after, language = _count(asked["moves"]), _count(asked["after"]), language_of(request)
        if not isinstance(asked["all"], bool):
            raise HTTPException(400, "all is true or false")

        def go_on(session: Session) -> None:
            end = time.monotonic() + _IN_ONE_GO
            while session.agent_to_move is not None:
                if len(session.actions) > moves and not (asked["all"] and time.monotonic() < end):
                    break
                session.advance()

        def think(session: Session) -> dict[str, Any]:
            if len(session.actions) < moves:
                raise _NotNow("not_so_far")
            return _viewed_after(session, after, language, lambda: go_on(session))

        return JSONResponse(await self.at(request, think))

    async def hint(self, request: Request) -> Response:
        """Answer with what a trained agent would do, if the game stands where the page believes."""
        at, language = (await _body(request, "at"))["at"], language_of(request)
        return await self._standing(request, at, lambda session: session.hint(session.room.words(language)))

    async def weigh(self, request: Request) -> Response:
        """Answer with what a person's move would cost, if the game stands where the page believes."""
        asked, language = await _body(request, "move", "at"), language_of(request)
        text = _text_of_move(asked["move"])
        return await self._standing(request, asked["at"], lambda s: s.weigh(text, s.room.words(language)))

    async def record(self, request: Request) -> Response:
        """Answer with the record, once the game is over: before that it would give away the chance to come."""

        def write(session: Session) -> dict[str, Any]:
            if not session.over:
                raise _NotNow("record_later")
            return session.game.record()

        text = json.dumps(await self.at(request, write), ensure_ascii=False, indent=1)
        return Response(text, media_type="application/json", headers=_to_keep(request, "json"))

    # --- looking at a game again ---

    async def analysis(self, request: Request) -> Response:
        """Answer with all there is to tell of the game so far, but for the positions before number ``after``; with
        ``quick=yes`` without what takes most of the time.
        """
        after, quick, language = _after(request), request.query_params.get("quick") == "yes", language_of(request)
        session, moments = await self.at(request, lambda session: (session, [*session.moments]))
        words = session.room.words(language)
        # The long ones one at a time; the game is free for moves meanwhile.
        async with nullcontext() if quick else self._reviewing:
            game = request.path_params["id"]
            try:
                tell = None if quick else functools.partial(self._progress.__setitem__, game)
                beside = await run_in_threadpool(self._beside, session.seating, words)
                names = session.teller(words).names
                found = await run_in_threadpool(review, moments, names, session.you, after, quick, words, tell, beside)
            finally:
                self._progress.pop(game, None)
        if found["over"] and not quick and session.people:
            least = session.room.costly[1]
            await self._in_thread(lambda: again.remember_costly(self.store, game, found, session.people, least))
        return JSONResponse(found | {"begun": session.begun})

    async def progress(self, request: Request) -> Response:
        """Answer with the number of decisions of a game that the review under way has thought about."""
        return JSONResponse({"done": self._progress.get(request.path_params["id"])})

    def _beside(self, seating: Mapping[str, Any], words: Words) -> Beside | None:
        """Return the game that a duplicate is one of; None where it is none, or that game is gone."""
        other = seating.get("duplicate")
        saved = self.store.load(other) if isinstance(other, str) else None
        if saved is None or saved.damaged:
            return None
        session = Session(saved.seating, saved.actions, self.extra_agents)
        return Beside(session.moments, session.teller(words), session.people[0])

    async def export(self, request: Request) -> Response:
        """Answer with the whole game as one page that needs no server, once the game is over."""
        language = language_of(request)
        session, moments, over = await self.at(request, lambda s: (s, [*s.moments], s.over))
        if not over:
            raise _answer(request, _NotNow("export_later"))
        words = session.room.words(language)

        def write() -> str:
            found = review(moments, session.teller(words).names, session.you, words=words)
            return export_page(found, session.room, words)

        async with self._reviewing:
            page = await run_in_threadpool(write)
        return HTMLResponse(page, headers=_to_keep(request, "html"))


def _is_somebodys(saved: Saved) -> bool:
    """Return whether a kept game was begun by somebody: it is neither a duplicate of another nor made to find moves."""
    return not {"puzzle", "duplicate"} & saved.seating.keys()


def _room_asked(name: str | None) -> Room:
    """Return the room of a game that an address names, the first by default. Raises HTTPException for another."""
    if name is not None and name not in known_games():
        raise HTTPException(404, "there is no such game")
    try:
        return room_of(name or GAMES[0])
    except BadSetup as error:
        raise HTTPException(409, str(error)) from None


def _answer(request: Request, error: Refusal, status: int = 409) -> HTTPException:
    return HTTPException(404 if isinstance(error, _NoGame) else status, error.told(page_words(language_of(request))))


def _to_keep(request: Request, kind: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="game-{request.path_params["id"][:6]}.{kind}"'}


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


def _viewed_after(
    session: Session, lines: int, language: str, act: Callable[[], None], anew: bool = False
) -> dict[str, Any]:
    """Return the view of a game once ``act`` has changed it, for a page that has so many lines of its log.

    anew: whether lines that it has may have changed, so that all are told.
    """
    known = 0 if anew else session.known(lines)
    had = {} if known == lines else {"had": len(session.log)}  # lines before the moves, which the page had
    act()
    return session.view(known, session.room.words(language)) | had


def _text_of_move(value: object) -> str:
    if not isinstance(value, str) or len(value) > 100:
        raise HTTPException(400, "a move is a short text")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**6:
        raise HTTPException(400, "moves and lines are counted in whole numbers")
    return value
