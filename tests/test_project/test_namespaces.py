"""The two machines of the tests: they reach each other, and nothing else."""

import subprocess
import sys

from tests.namespaces import Machine

SERVER = "import socket, sys; s = socket.create_server((sys.argv[1], 0)); print(s.getsockname()[1], flush=True); "
ANSWER = "c, a = s.accept(); c.sendall(a[0].encode()); c.close()"
CLIENT = """import socket, sys; host, port, seconds = sys.argv[1:]
print(socket.create_connection((host, int(port)), float(seconds)).recv(99).decode())"""


def asked(server: Machine, client: Machine, cut: bool = False, seconds: int = 60) -> str:
    """What a server says to a client: the address that it sees; nothing if it cannot be reached for so long."""
    command = server.command(sys.executable, "-c", SERVER + ANSWER, server.address)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        if cut:
            server.cable(False)
        command = client.command(sys.executable, "-c", CLIENT, server.address, port, str(seconds))
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        process.kill()
    return said


def test_each_machine_reaches_the_other(machines: tuple[Machine, Machine]) -> None:
    first, second = machines
    assert asked(first, second) == second.address
    assert asked(second, first) == first.address


def test_nothing_else_is_reached_and_a_cable_can_be_pulled(machines: tuple[Machine, Machine]) -> None:
    """Where the rights suffice for two namespaces; elsewhere both machines are the loopback."""
    here, (first, second) = Machine("127.0.0.1", "lo"), machines
    assert [machine.apart for machine in machines] == [first != here] * 2
    if first.apart:
        assert asked(here, first, seconds=2) == ""
        assert asked(first, here, seconds=2) == ""
        assert asked(first, second, cut=True, seconds=2) == ""
        first.cable(True)
        assert asked(first, second) == second.address
