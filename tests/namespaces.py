"""Two machines for a test: network namespaces joined by a cable; where the rights are missing, the loopback twice.

A namespace is held by a process that ends with the test's, however that ends, so nothing is left behind. The machines
share file system, processes and clock.
"""

import ctypes
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

__all__ = ["Machine", "two_machines"]

_WIRE: Final = "wire"


@dataclass(frozen=True)
class Machine:
    """One of two machines."""

    address: str
    """Its IPv4 address, at which the other one reaches it."""
    interface: str
    """The name of the network interface that has the address."""
    namespace: str = ""
    """The file of its namespace; empty on the loopback."""

    @property
    def apart(self) -> bool:
        """Whether it is a namespace of its own, whose cable can be pulled."""
        return bool(self.namespace)

    def command(self, *words: object) -> list[str]:
        """Return a command that runs these words on this machine."""
        inside = ["nsenter", f"--net={self.namespace}", "--"] if self.apart else []
        return [*inside, *map(str, words)]

    def enter(self) -> None:
        """Put this thread, and those that it starts, on this machine."""
        if self.apart:
            with open(self.namespace, "rb") as file:
                if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0):
                    raise OSError(ctypes.get_errno(), f"{self.namespace} cannot be entered")

    def cable(self, plugged: bool) -> None:
        """Plug in or pull the cable; nothing that is sent arrives while it is out. Only where the machine is apart."""
        assert self.apart
        _run(self.command("ip", "link", "set", _WIRE, "up" if plugged else "down"))


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)


def _namespace(ending: ExitStack) -> int:
    """Make a network namespace of its own; return the process that holds it."""
    command, pipe = ["unshare", "--net", "sh", "-c", "echo made && exec cat"], subprocess.PIPE
    holder = subprocess.Popen(command, stdin=pipe, stdout=pipe)
    ending.enter_context(holder)  # which closes its pipes, at which it ends, and waits for it
    assert holder.stdout is not None
    if holder.stdout.readline() != b"made\n":
        raise PermissionError("no namespace may be made")
    return holder.pid


@contextmanager
def two_machines() -> Iterator[tuple[Machine, Machine]]:
    """Give two machines that reach each other and nothing else, or the loopback twice."""
    with ExitStack() as ending:
        try:
            pids = [_namespace(ending) for _ in range(2)]
            machines = [Machine(f"10.9.0.{number}", _WIRE, f"/proc/{pid}/ns/net") for number, pid in enumerate(pids, 1)]
            _run(machines[0].command("ip", "link", "add", _WIRE, "type", "veth", "peer", _WIRE, "netns", pids[1]))
            for machine in machines:
                _run(machine.command("ip", "address", "add", f"{machine.address}/24", "dev", _WIRE))
                for interface in ("lo", _WIRE):
                    _run(machine.command("ip", "link", "set", interface, "up"))
        except (OSError, subprocess.CalledProcessError):
            machines = [Machine("127.0.0.1", "lo")] * 2
        yield machines[0], machines[1]
