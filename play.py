"""Play the games in the browser, with other people at the same screen and against any agents.

    python play.py
    python play.py --no-browser --port 8000
    python play.py --agent runs/first --agent montecarlo:500ms --agent program:./mine

Only this machine can reach the page unless --host says otherwise. Games are kept, so nothing is lost when the server
stops. docs/play.md says where they are, and how to play.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from table.server import Loader

PORT = 8377


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; exit with status 2 if that is not possible."""
    formatter = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(prog="play.py", description=__doc__, formatter_class=formatter)
    add = options.add_argument
    host = "address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0 for everybody who can reach it)"
    port = f"port to listen on; 0 for any free one (default: {PORT}, or any if that is taken)"
    agent = "let it sit at the table as well: a name, the path of a trained one, or program:COMMAND; may be repeated"
    add("--host", default="127.0.0.1", metavar="ADDRESS", help=host)
    add("--port", type=int, metavar="N", help=port)
    add("--no-browser", action="store_true", help="do not open the page in a browser")
    add("--agent", action="append", default=[], metavar="AGENT", help=agent)
    add("--data", type=Path, metavar="FOLDER", help="where games are kept (default: the user's data)")
    return options.parse_args(argv)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket. If no port was asked for and the usual one is taken, any will do. Raises OSError."""
    family = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)[0][0]
    for number in [PORT, 0] if port is None else [port]:
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # so that a server can be started again at once
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((host, number))
            made.listen()
            return made
        except OSError:
            made.close()
            if number != PORT or port is not None:
                raise
    raise AssertionError("the last port was neither taken nor free")


def address(listening: socket.socket) -> str:
    """Return the address at which this machine's browser finds the page."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _leave(loaders: Sequence[Loader]) -> None:
    """End the process here if the game is still being compiled: the compiler would crash while all is taken down."""
    if any(loader.busy for loader in loaders):
        os._exit(int(hasattr(sys, "last_value")))  # which an error has set that was not caught


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until interrupted; return the exit status, 2 for bad input, which is explained in a sentence."""

    def refused(told: str) -> int:
        print(f"play.py: {told}", file=sys.stderr)
        return 2

    args = arguments(sys.argv[1:] if argv is None else argv)
    if args.port is not None and not 0 <= args.port <= 65535:
        return refused(f"port {args.port} is not a number from 0 to 65535")
    loaders: list[Loader] = []
    atexit.register(_leave, loaders)  # first of all, to run last: programs at the table are told before that it is over
    from agents.players.names import AgentName, UnknownAgent

    try:
        for agent in args.agent:
            AgentName.parse(agent)
    except UnknownAgent as error:
        return refused(f"--agent: {error}")
    try:
        from table.connection import server
        from table.server import Loader, application
        from table.store import BadStore, Store, data_folder
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "starlette", "uvicorn"):
            raise
        return refused(f"{error.name} is not installed; the extra `play` brings it: pip install -e '.[play]'")
    try:
        store = Store(args.data or data_folder())
        if store.set_aside:
            told = f"{store.path} was damaged or held no games of this program; it is now {store.set_aside}"
            print(f"play.py: {told}, and games in it that can be read were taken over.", file=sys.stderr)
        listening = listen(args.host, args.port)
    except BadStore as error:
        return refused(str(error))
    except (OSError, UnicodeError) as error:  # UnicodeError: a name that cannot be a host's
        where = f"{args.host}, port {args.port if args.port is not None else PORT}"
        why = getattr(error, "strerror", None) or error
        return refused(f"cannot listen on {where}: {why}")
    page = address(listening)
    print(f"The table is at {page} (games are kept in {store.path}); Ctrl+C stops the server.", flush=True)
    if not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        print("Everybody who can reach this machine can see its games and play in them.", flush=True)
    if not args.no_browser:
        threading.Thread(target=webbrowser.open, args=[page], daemon=True).start()
    loaders.append(Loader(store, args.agent, ahead=True))
    with listening, contextlib.suppress(KeyboardInterrupt):
        app = application(store, args.host, loader=loaders[0])
        server(app, leave=lambda: os._exit(0)).run(sockets=[listening])  # moves are kept as soon as they are made
    return 0


if __name__ == "__main__":
    sys.exit(main())
