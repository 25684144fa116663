"""How long the server waits for a client, and for how many at a time.

A browser sends a request in one go and takes the answer as it comes. A client that does neither must not keep a
connection, its memory or a thread for ever, nor keep the people at the table out.
"""

import asyncio
import json
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import ClassVar, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from .guard import HEADERS, LARGEST_BODY, Guard

_IN_ONE_GO: Final = 16  # connections that are taken from the system at a time
_GRACE: Final = 2  # seconds that what is under way has when the server is to end


class Connection(H11Protocol):
    """A client's connection, ended when it keeps the server waiting."""

    patience: ClassVar[float] = 10.0
    """Seconds that a client has to send a request, and to take what is written to it; up to a quarter more in fact."""
    most: ClassVar[int] = 100
    """Connections open at a time. For one more, that which has kept the server waiting longest is ended, or itself."""

    _since = 0.0  # when the client's turn began, or when it last did its part
    _unasked = 0  # bytes of a body that came after the answer to its request
    _clock: asyncio.TimerHandle | None = None
    _ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if need be in the place of another connection."""
        super().connection_made(transport)
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self and not one._ended]
        if len(others) >= self.most:
            min((one for one in others if one.owes), key=lambda one: one._since, default=self).end()
        self._last = self.cycle
        self._since = self.loop.time()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop looking."""
        super().connection_lost(exc)
        if self._clock:
            self._clock.cancel()

    def data_received(self, data: bytes) -> None:
        """Take what came, but of the body of a request that is answered already no more than of any other."""
        super().data_received(data)
        answered = self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY
        self._unasked = self._unasked + len(data) if answered else 0
        if self._unasked > LARGEST_BODY:
            self.flow.pause_reading()

    def resume_writing(self) -> None:
        """Go on writing to a client that has taken what there was."""
        super().resume_writing()
        self._since = self.loop.time()

    @property
    def owes(self) -> bool:
        """Whether it is the client's turn: to send a request or the rest of it, to take an answer, or to let go."""
        begun = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        return begun or self.flow.write_paused or self.transport.is_closing()

    def _look(self) -> None:
        """Look whether anything has happened since the last look."""
        now = self.loop.time()
        if self.cycle is not self._last or not self.owes:
            self._last, self._since = self.cycle, now
        elif now - self._since >= self.patience:
            self.end()
            return
        self._clock = self.loop.call_later(self.patience / 4, self._look)

    def end(self) -> None:
        """End the connection at once; who was sending a request hears why."""
        if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request was too slow")
        self._ended = True
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, as every answer is given: with what the browser is to be told."""
        self._refuse(HTTPStatus.BAD_REQUEST, msg)
        self.transport.close()

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return  # another answer is under way
        if self.cycle:
            self.cycle.disconnected = True  # so that the application does not answer besides
        body = json.dumps({"error": why}).encode()
        headers = HEADERS | {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
        }
        answer = h11.Response(status_code=status, headers=list(headers.items()), reason=status.phrase)
        for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")


class _Server(uvicorn.Server):
    """Takes a few connections in one go, so that what they have sent is read before too many others come."""

    leave: Callable[[], object] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for one in sockets or []:
            one.listen()  # asyncio has told the system to let no more than these few wait

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if isinstance(self.config.app, Guard) and self.config.app.closing:
            self.config.app.closing.set()
        if self.leave:
            asyncio.get_running_loop().call_later(_GRACE, self.leave)  # forgotten if all has ended by then
        await super().shutdown(sockets)


def server(
    app: ASGIApp, connection: type[Connection] = Connection, leave: Callable[[], object] | None = None
) -> uvicorn.Server:
    """Return the server of an application, which prints nothing but its own errors.

    connection: how it deals with its clients.
    leave: ends the process, where something is still at work two seconds after the server was to end: an analysis or an
        agent in a thread, which nothing else can stop. None tells clients that they got no answer, and waits.
    """
    made = _Server(
        uvicorn.Config(
            app,
            http=connection,
            ws="none",
            log_level="error",
            access_log=False,
            proxy_headers=False,
            backlog=_IN_ONE_GO,
            timeout_graceful_shutdown=None if leave else _GRACE,
        )
    )
    made.leave = leave
    return made
