"""A program that misbehaves in the way that its first argument names, at the decision that the second one counts to.

It is run by path, and imports nothing of the project. With ``late`` as third argument it does so from then on.
"""

import os
import random
import signal
import subprocess
import sys
import time


def say(text: str | bytes) -> None:
    """Write to the standard output at once."""
    os.write(1, text.encode() if isinstance(text, str) else text)


def flood(descriptor: int, text: bytes) -> None:
    """Write without end."""
    while True:
        os.write(descriptor, text)


def child() -> None:
    """Leave a child behind that cannot be asked to end, and write down its number."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    made = subprocess.Popen([sys.executable, "-c", code])
    print(f"child {made.pid}", file=sys.stderr, flush=True)
    time.sleep(600)


def deaf() -> None:
    """Ignore all that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)


def anything() -> None:
    """Say and do a random thing, which may be right."""
    chance = random.Random(sys.argv[4])
    for _ in range(chance.randrange(1, 4)):
        match chance.randrange(8):
            case 0:
                say(chance.randbytes(chance.randrange(1, 3000)))
            case 1:
                say(f"bestmove {chance.choice(legal)}"[: chance.randrange(1, 60)])
            case 2:
                say("\n" * chance.randrange(1, 3))
            case 3:
                os.close(chance.randrange(3))
            case 4:
                os._exit(chance.randrange(256))
            case 5:
                os.kill(os.getpid(), chance.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP)))
            case 6:
                os.write(2, chance.randbytes(chance.randrange(1, 60_000)))
            case 7:
                say(f"bestmove {chance.choice(legal)}\n")


legal: list[str] = []
WAYS = {
    "hang": "time.sleep(600)",
    "interrupt": "os.kill(os.getppid(), signal.SIGINT), time.sleep(600)",
    "die": "os._exit(3)",
    "crash": "1 / 0",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
    "flood": "flood(1, b'x' * 4096)",
    "flood of errors": "flood(2, b'oh \\n' * 1000)",
    "bytes": "say(b'bestmove \\xff\\xfe\\n')",
    "nonsense": "say('fnord\\n')",
    "no notation": "say('bestmove e2e4\\n')",
    "illegal": "say('bestmove end\\n')",
    "half a line and out": "say('bestmove '), os._exit(0)",
    "two answers": "say(f'bestmove {legal[0]}\\n' * 2)",
    "close all": "os.closerange(0, 3), time.sleep(600)",
    "stop": "os.kill(os.getpid(), signal.SIGSTOP)",
    "paint": "os.write(2, b'\\x1b[2J'), os._exit(1)",
    "deaf": "deaf()",
    "leave": "os.setpgid(0, os.getpgid(os.getppid())), time.sleep(600)",
    "child": "child()",
    "anything": "anything()",
}
"""What it does, as code."""

if __name__ == "__main__":
    how, when = sys.argv[1], int(sys.argv[2])
    if when < 0:  # before it has said hello
        exec(WAYS[how])
    if how == "unasked":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    if how == "no reader":
        time.sleep(600)
    asked = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hello":
            say("hello 1 misbehaving\n" if how != "other version" else "hello 2\n")
        elif word == "isready":
            say("readyok\n" if how != "not ready" else "no\n")
        elif word == "position":
            legal.clear()
        elif word == "legal":
            legal.append(rest)
        elif word == "go":
            asked += 1
            if asked == when or (asked > when and "always" in sys.argv):
                exec(WAYS[how])
            else:
                say(f"bestmove {legal[0]}\n")
            if how == "unasked" and asked == when - 1:
                signal.sigwait({signal.SIGUSR1})  # which comes when the answer was read
                say("bestmove end\n")
        elif word == "quit":
            break
