"""Clients that are slow, endless or many: each is ended in time, and others are answered meanwhile."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from table.connection import Connection, server
from table.guard import HEADERS, TOKEN_HEADER, Guard
from tests.waiting import until

PATIENCE = 0.4
LONG = 5.0
BOUND = 60.0
"""Seconds after which something will not happen any more, however loaded the machine is."""


async def echo(request: Request) -> Response:
    """Answer with the length of the body; like the table, read none where none belongs."""
    return JSONResponse(len(await request.body()) if request.method == "POST" else 0)


async def large(_: Request) -> Response:
    """Answer with more than the system takes off our hands."""
    return StreamingResponse(bytes(65536) for _ in range(500))


Connect = Callable[..., socket.socket]


@pytest.fixture
def connections() -> type[Connection]:
    """The kind of connection that the server in ``connect`` makes; a test may change its limits."""

    class Short(Connection):
        patience = PATIENCE
        most = 100

    return Short


@pytest.fixture
def running(connections: type[Connection]) -> Iterator[tuple[uvicorn.Server, int]]:
    """A server in a thread, and its port."""
    app = Guard(Starlette(routes=[Route("/", echo, methods=["GET", "POST"]), Route("/large", large)]), "127.0.0.1", "t")
    made = server(app, connections)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]})
    thread.start()
    yield made, listening.getsockname()[1]
    made.should_exit = True
    thread.join()


@pytest.fixture
def connect(running: tuple[uvicorn.Server, int]) -> Iterator[Connect]:
    """Connects to the server, and sends something to it."""
    with ExitStack() as opened:

        def connected(sent: bytes = b"") -> socket.socket:
            client = opened.enter_context(closing(socket.create_connection(("127.0.0.1", running[1]), BOUND)))
            if sent:
                client.sendall(sent)
            return client

        yield connected


def head(method: str = "GET", path: str = "/", **more: object) -> bytes:
    """The head of a request that the guard lets pass."""
    known = {"host": "127.0.0.1", "origin": "http://127.0.0.1", TOKEN_HEADER: "t", "content-type": "application/json"}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (known | more).items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode()


def status(client: socket.socket, sent: bytes = b"") -> int:
    """Send something; the status of the next answer, which is read to its end."""
    if sent:
        client.sendall(sent)
    answer = http.client.HTTPResponse(client)
    answer.begin()
    answer.read()
    return answer.status


def rest(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection; raises TimeoutError if it does not."""
    got = []
    with suppress(ConnectionResetError):
        while more := client.recv(65536):
            got.append(more)
    return b"".join(got)


@pytest.mark.slow
def test_a_client_that_is_served_stays(connections: type[Connection], connect: Connect) -> None:
    """Though it pauses, and stays for longer than the server's patience lasts."""
    connections.patience = LONG
    client = connect()
    for _ in range(4):
        assert status(client, head("POST", content_length=2) + b"{}") == 200
        time.sleep(LONG / 3 + 0.1)
    assert status(client, head()) == 200


@pytest.mark.parametrize("sent", [b"GET / HT", head()[:-1], head("POST", content_length=5) + b"{}"])
def test_half_a_request_is_told_that_it_was_too_slow(connect: Connect, sent: bytes) -> None:
    client = connect(sent)
    answer = rest(client).lower()
    assert answer.startswith(b"http/1.1 408 ")
    assert b"the request was too slow" in answer
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n".lower().encode() in answer


def test_a_client_that_says_nothing_is_ended(connect: Connect) -> None:
    assert rest(connect()) == b""


def test_a_byte_now_and_then_does_not_help(connect: Connect) -> None:
    client = connect(head())
    assert status(client) == 200
    give_up = time.monotonic() + BOUND
    with suppress(ConnectionError):
        for byte in head(cookie="x" * 10_000):
            client.send(bytes([byte]))
            time.sleep(PATIENCE / 20)
            assert time.monotonic() < give_up


@pytest.mark.parametrize("framing", [{"content_length": 10**9}, {"transfer_encoding": "chunked"}])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_endless_body_is_not_read_on(connect: Connect, framing: dict[str, Any], method: str) -> None:
    client = connect(head(method, **framing))
    chunk = b"8000\r\n" + bytes(0x8000) + b"\r\n"
    sent = 0
    with suppress(ConnectionError):
        while sent < 100_000_000:
            sent += client.send(chunk)
    assert sent < 30_000_000  # which the system itself takes in


def test_who_does_not_take_an_answer_is_ended(connect: Connect, running: tuple[uvicorn.Server, int]) -> None:
    client = connect(head(path="/large"))
    made = running[0].server_state
    until(lambda: made.tasks, "request", BOUND)
    until(lambda: not (made.connections or made.tasks), "end of it", BOUND)
    assert len(rest(client)) < 65536 * 500


@pytest.mark.slow
def test_who_takes_an_answer_gets_all_of_it(connections: type[Connection], connect: Connect) -> None:
    """Also one that takes longer for all of it than the server's patience lasts."""
    connections.patience = LONG
    client = connect(head(path="/large", connection="close"))
    zeros = 0
    while got := client.recv(65536):
        zeros += got.count(b"\0")
        time.sleep(0.012)
    assert zeros == 65536 * 500


def test_of_too_many_the_one_that_waits_longest_goes(
    connections: type[Connection], connect: Connect, running: tuple[uvicorn.Server, int]
) -> None:
    connections.most, connections.patience = 5, 10 * BOUND
    first, *others = [connect() for _ in range(5)]
    until(lambda: len(running[0].server_state.connections) == 5, "five connections", BOUND)
    for _ in range(3):
        others.append(connect())
        assert status(others[-1], head()) == 200
    assert rest(first) == b""
    assert rest(others[0]) == b""
    assert status(others[-1], head()) == 200


def test_a_crowd_keeps_nobody_out(connections: type[Connection], connect: Connect) -> None:
    """Though it comes in between an honest client and its answer."""
    connections.most, connections.patience = 50, 10 * BOUND
    for _ in range(5):
        crowd = [connect() for _ in range(40)]
        honest = connect(head())
        crowd += [connect() for _ in range(40)]
        assert status(honest) == 200
    for client in crowd:
        client.settimeout(0)

    def closed(client: socket.socket) -> bool:
        with suppress(ConnectionError):
            try:
                return not client.recv(1)
            except BlockingIOError:
                return False
        return True

    until(lambda: sum(map(closed, crowd)) >= len(crowd) - 50, "end of most", BOUND)


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        head().replace(b"host: ", b"host : "),
        head(cookie="x" * 100_000)[:-4],
        head("POST", content_length="-1"),
    ],
)
def test_what_is_no_request_is_refused_like_everything(connect: Connect, sent: bytes) -> None:
    client = connect(sent)
    answer = rest(client).lower()
    assert answer.startswith(b"http/1.1 400 ")
    assert b"\r\ncontent-security-policy: " in answer


def test_a_web_socket_is_not_opened(connect: Connect) -> None:
    client = connect(head(connection="upgrade, close", upgrade="websocket", sec_websocket_version=13))
    assert rest(client).startswith(b"HTTP/1.1 200")


def test_a_body_that_is_none_is_answered_once_and_quietly(capfd: pytest.CaptureFixture[str], connect: Connect) -> None:
    client = connect(head("POST", transfer_encoding="chunked") + b"no length\r\n")
    assert rest(client).count(b"HTTP/1.1 ") == 1
    client = connect(head())
    assert status(client) == 200
    assert capfd.readouterr().err == ""
