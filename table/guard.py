"""What every request must satisfy before it is answered, and what every answer tells the browser.

The server is for the people at this machine. Pages of other sites, which run in the same browser, must not be able to
play here or to read anything. So requests by a foreign name for this address are refused (Host), and so are requests
from another site (Origin, and a token that only our pages know). No page of ours can be framed or load foreign content.
"""

import hmac
import ipaddress
import threading
from collections.abc import Callable
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .html import notice_page
from .language import language_of, text_in

LARGEST_BODY: Final = 10_000
"""Bytes of the largest request that is read; the longest sensible one is a tenth of that. Records may be longer."""
RECORDS: Final = "/records"
"""Where records are sent to."""
LARGEST_RECORD: Final = 1_000_000
"""Bytes of the largest record that is read; that of a long game has 30,000."""
TOKEN_HEADER: Final = "x-table-token"
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer tells the browser."""


def allowed_hosts(host: str) -> Callable[[str], bool]:
    """Return a function that says whether a browser may call a server that listens on ``host`` by a name.

    It may use the names of the loopback and ``host`` itself. Where that stands for all addresses of the machine, it may
    use any numeric address: a foreign site can point its name at this machine, but not an address.
    """
    everywhere = (address := _address(host)) is not None and address.is_unspecified
    return lambda name: name in (*_LOOPBACK, host.lower()) or (everywhere and _address(name) is not None)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port and the brackets of an IPv6 address."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


class Guard:
    """Middleware around the whole application.

    Args:
        app: the application.
        host: the address that the server listens on.
        token: what a request that changes something must carry in TOKEN_HEADER.
        closing: set when the server is to end, for answers that last; None if there are none.
    """

    def __init__(self, app: ASGIApp, host: str, token: str, closing: threading.Event | None = None) -> None:
        self.closing = closing
        self.app = app
        self.allowed = allowed_hosts(host)
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or have the application answer it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no web sockets here

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope)
        answer: Any = self.app
        if refused is not None:
            status, why = refused
            page = scope["method"] == "GET"
            language = language_of(HTTPConnection(scope))
            answer = HTMLResponse(notice_page(language, why), status) if page else JSONResponse({"error": why}, status)
        await answer(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and reason if the request is to be refused."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.allowed(_name_of(host)):
            return 400, text_in(language_of(HTTPConnection(scope)), "refused", "other_name")
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return 405, "only GET and POST are answered here"
        if headers.get("origin") not in (f"http://{host}", f"https://{host}"):
            return 403, "the request does not come from a page of this server"
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
            return 403, text_in(language_of(HTTPConnection(scope)), "refused", "no_token")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "requests are JSON"
        length = headers.get("content-length", "")
        if not length.isdigit() or "transfer-encoding" in headers:  # which would go for more than the length
            return 411, "the length of the request is missing"
        largest = LARGEST_RECORD if scope["path"] == RECORDS else LARGEST_BODY
        if int(length) > largest:
            return 413, f"a request like this has at most {largest:,} bytes"
        return None
