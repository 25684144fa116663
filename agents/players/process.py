"""A program that is spoken to in lines, over its standard input and output, and ended with its process group.

It may hang, die, flood or say anything: what it is waited for, and what is read of it, has bounds. It has a process
group of its own, which is killed when it is not needed any more, and also when this process dies of something that
leaves it no time.
"""

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import IO, Final, cast

from bohemian_env.engine.checks import printable

LONGEST_ANSWER: Final = 1_000  # bytes of a line that a program answers with, its end included
_LAST_WORDS: Final = 2_000  # bytes of the standard error that are kept
_AT_ONCE: Final = 65_536
_MOMENT: Final = 0.2  # seconds that a program has to end by itself, where it is about to
_WATCH: Final = ("/bin/sh", "-c", "read _; kill -9 0")
"""It belongs to the program's group, and kills that when the other end of its input closes, as it does when this
process dies. While it is there, no other group can have the program's number."""
_FRAME: Final = re.compile(r"\s+(at |File |\^+\s*$)")
"""A line of the trace that Node, Java or Python print beside an error."""


class Broken(Exception):
    """A program did not answer as it should, and was ended; the message says why, with its last words."""


class Process:
    """A running program.

    argv: the program and its arguments; no shell reads them. Raises OSError if it cannot be started.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self.owner: Final = os.getpid()
        """The process that started the program; a process that is forked off has no say."""
        self._program = subprocess.Popen(argv, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0)
        self.pid: Final = self._program.pid
        streams = self._program.stdin, self._program.stdout, self._program.stderr
        self._in, self._out, self._err = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", streams)
        self._said = b""
        self._watch: subprocess.Popen[bytes] | None = None
        self._ended = False
        try:
            for stream in (self._in, self._out, self._err):
                os.set_blocking(stream.fileno(), False)
            self._watch = subprocess.Popen(
                _WATCH, bufsize=0, stdin=pipe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                process_group=self.pid,
            )  # fmt: skip
        except BaseException:
            self.end()
            raise

    def ask(self, lines: str, seconds: float) -> str:
        """Write some lines, and return the line that the program answers with.

        Raises Broken: it does not take them and answer within ``seconds`` of wall time, it answers more than one line,
        a longer one than LONGEST_ANSWER or no UTF-8, it had spoken unasked, or it has closed a pipe.
        """
        end = time.monotonic() + seconds
        unsent = lines.encode()
        answer = b""
        with selectors.PollSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            ready.register(self._err, selectors.EVENT_READ)
            if any(key.fileobj is self._out for key, _ in ready.select(0)) and (said := self._read(self._out)):
                raise self._broken(f"it said {_shown(said)} without being asked")
            ready.register(self._in, selectors.EVENT_WRITE)
            while not answer.endswith(b"\n"):
                if (left := end - time.monotonic()) <= 0:
                    asked = _shown(lines.splitlines()[-1].encode())
                    raise self._broken(f"it did not answer {asked} within {seconds:g} s")
                for key, _ in ready.select(left):
                    if key.fileobj is self._in:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            ready.unregister(self._in)
                    elif key.fileobj is self._err:
                        if not self._hear():
                            ready.unregister(self._err)
                    else:
                        answer += self._more(answer)
        if unsent:
            raise self._broken(f"it answered {_shown(answer)} before it was asked")
        try:
            return answer.decode().strip()
        except UnicodeDecodeError:
            raise self._broken(f"it answered {_shown(answer)}, which is not UTF-8") from None

    def _more(self, answer: bytes) -> bytes:
        more = self._read(self._out)
        if not more:
            raise self._broken(f"it ended in the middle of {_shown(answer)}" if answer else "")
        line, end, rest = (answer + more).partition(b"\n")
        if len(line + end) > LONGEST_ANSWER:
            raise self._broken(f"it answered a line of more than {LONGEST_ANSWER:,} bytes: {_shown(line)}")
        if rest:
            raise self._broken(f"it answered more than one line: {_shown(line)}, {_shown(rest)}")
        return more

    def _read(self, stream: IO[bytes]) -> bytes:
        """Return what is there to be read; nothing if the other end is closed."""
        try:
            return os.read(stream.fileno(), _AT_ONCE)
        except OSError:
            return b""

    def _write(self, unsent: bytes) -> int:
        """Write as much as the pipe takes; return how much that was."""
        try:
            return os.write(self._in.fileno(), unsent[:_AT_ONCE])
        except BlockingIOError:
            return 0
        except OSError:
            raise self._broken("it closed its input") from None

    def _hear(self) -> bool:
        """Take what the program says on its standard error; return whether it may say more."""
        heard = self._read(self._err)
        self._said = (self._said + heard)[-_LAST_WORDS:]
        return bool(heard)

    def _broken(self, why: str) -> Broken:
        """End the program; return the error that says why, or else how it ended, and its last words."""
        status = self._left()
        self.end()
        if not why or why == "it closed its input":
            why = why or "it closed its output"
            if status is not None:
                why = f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}"
        lines = self._said.decode(errors="replace").splitlines()
        told = [line for line in lines if not _FRAME.match(line)]  # where a program was is longer than what happened
        words = printable(" ".join(" ".join(told or lines).split()))
        return Broken(f"{why}; its last words: {words[-300:]}" if words else why)

    def _left(self) -> int | None:
        """Wait a moment for a program that is ending; return its exit status as Popen does, None if it has none."""
        end = time.monotonic() + _MOMENT
        with selectors.PollSelector() as ready:
            ready.register(self._err, selectors.EVENT_READ)
            while time.monotonic() < end and self._program.poll() is None:
                for _ in ready.select(_MOMENT / 50):
                    if not self._hear():
                        ready.unregister(self._err)
        self._hear()
        return self._program.poll()

    def end(self, farewell: str = "") -> None:
        """Kill the program with all of its group; one that is told farewell has a moment to go by itself."""
        if self._ended or os.getpid() != self.owner:
            return
        self._ended = True
        if farewell:
            with contextlib.suppress(OSError):
                os.write(self._in.fileno(), farewell.encode())
            self._in.close()
            self._left()
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self._program.kill()  # should it have left its group
        for process in (self._program, self._watch):
            if process is not None:
                process.wait()
        self.leave()

    def leave(self) -> None:
        """Close the pipes, without a word."""
        for stream in (self._in, self._out, self._err, self._watch.stdin if self._watch else None):
            if stream is not None:
                stream.close()


def _shown(said: bytes) -> str:
    return ascii(said[:60].decode(errors="replace").rstrip("\r\n")) + ("…" if len(said) > 60 else "")
