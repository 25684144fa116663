"""The server by which language models play: a stub of a client plays whole games, and says all that it may not."""

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Self

import pytest

from bohemian_env.games import GAMES, rules_of
from examples.programs import mcp_server
from examples.programs.mcp_server import INTERNAL, LONGEST_LINE, METHOD, PARAMS, PARSE, REQUEST, VERSIONS
from tests.helpers import ROOT

EACH = pytest.mark.parametrize("game", GAMES)
SERVER = ROOT / "examples" / "programs" / "mcp_server.py"


def request(method: object, params: object = None, number: object = 1) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return message if params is None else message | {"params": params}


def call(tool: object, arguments: object = None) -> dict[str, Any]:
    return request("tools/call", {"name": tool} | ({} if arguments is None else {"arguments": arguments}))


PING = request("ping")
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Client:
    """A client that has started the server."""

    def __init__(self) -> None:
        env = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        self.process: Any = subprocess.Popen([sys.executable, SERVER], stdin=-1, stdout=-1, stderr=-1, env=env)
        self.number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.__exit__(None, None, None)  # which closes the pipes and waits

    def send(self, message: object) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: object) -> Any:
        """Send a request and return its result."""
        self.number += 1
        self.send(request(method, params, self.number))
        answer = json.loads(self.process.stdout.readline())
        assert {*answer} == {"jsonrpc", "id", "result"}, answer
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.number)
        return answer["result"]

    def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool and return what it tells, read as JSON."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        assert result["isError"] is False, result
        (content,) = result["content"]
        assert content["type"] == "text"
        return json.loads(content["text"])


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client() as client:
        told = client.ask("initialize", protocolVersion=VERSIONS[0], capabilities={}, clientInfo={"name": "stub"})
        assert told["protocolVersion"] == VERSIONS[0]
        assert told["capabilities"] == {"tools": {}}
        assert {*told["serverInfo"]} == {"name", "version"}
        client.send(INITIALIZED)
        yield client


@pytest.mark.slow
@EACH
def test_a_client_plays_a_whole_game_over_pipes(client: Client, game: str) -> None:
    known = client.call("list_games")
    assert [*known] == [*GAMES]
    assert known[game]["players"] == [*rules_of(game).players]
    begun = client.call("new_game", game=game, seats=[None, known[game]["agents"][0]], seed=7)
    assert begun == {"happened": begun["happened"], **client.call("position")}
    assert client.call("result") == {"over": False}
    rng, told, over = random.Random(1), begun["happened"], False
    while not over:
        assert client.call("position")["to_move"] == 0
        legal = client.call("legal_moves")
        made = client.call("play", move=rng.choice([*legal]))
        told, over = told + made["happened"], made["over"]
    assert client.call("legal_moves") == {}
    result = client.call("result")
    assert told[-1] == result["words"]
    replayed = rules_of(game).game.from_record(result["record"])
    assert replayed.over
    assert replayed.outcome().scoring == tuple(result["scoring"])
    refused = client.ask("tools/call", name="play", arguments={"move": next(iter(legal))})
    assert refused["isError"]
    assert "the game is over" in refused["content"][0]["text"]


@pytest.mark.slow
def test_the_server_ends_with_its_input_and_when_nobody_reads() -> None:
    with Client() as client:
        client.ask("ping")
        out, told = client.process.communicate()
        assert (client.process.returncode, out, told) == (0, b"", b"")
    with Client() as client:
        client.process.stdout.close()
        for _ in range(3):
            client.send(PING)
        client.process.stdin.close()
        assert (client.process.wait(60), client.process.stderr.read()) == (0, b"")


# --- without pipes ----------------------------------------------------------------------------------------------


def said(*lines: object) -> list[Any]:
    """What is answered to some lines, those that are no bytes as JSON."""
    sent = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    answers = io.BytesIO()
    mcp_server.serve(io.BytesIO(sent), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


@pytest.mark.parametrize("asked", [*VERSIONS, "2024-01-01", "2099-01-01", "", "x" * 1000])
def test_a_version_that_is_known_is_spoken_and_in_place_of_another_the_newest_is_proposed(asked: str) -> None:
    (told,) = said(request("initialize", {"protocolVersion": asked}))
    assert told["result"]["protocolVersion"] == (asked if asked in VERSIONS else max(VERSIONS))


def test_tools_are_described_by_schemas_that_they_keep_to() -> None:
    (told,) = said(request("tools/list"))
    tools = {tool["name"]: tool for tool in told["result"]["tools"]}
    assert [*tools] == ["list_games", "new_game", "position", "legal_moves", "play", "result"]
    assert all(tool["description"].endswith(".") for tool in tools.values())
    schemas = {name: tool["inputSchema"] for name, tool in tools.items()}
    assert {schema["type"] for schema in schemas.values()} == {"object"}
    assert {name: schema["required"] for name, schema in schemas.items() if schema["required"]} == {
        "new_game": ["game"], "play": ["move"],
    }  # fmt: skip
    assert schemas["new_game"]["properties"]["game"]["enum"] == [*GAMES]
    assert [*schemas["new_game"]["properties"]] == ["game", "seats", "seed", "options"]


def test_answers_bear_the_ids_of_their_requests_and_notifications_get_none() -> None:
    lines = [request("ping", number=number) for number in (0, -3, "a", "", 2**70)]
    notes = [
        {"jsonrpc": "2.0", "method": method}
        for method in ("notifications/initialized", "notifications/cancelled", "notifications/unknown", "ping")
    ]
    answers = said(*notes, *lines, b"\n", b"  \r\n", {"jsonrpc": "2.0", "id": 5, "result": {}})
    assert [answer["id"] for answer in answers] == [0, -3, "a", "", 2**70]
    assert said(PING, json.dumps(PING).encode()) == [PONG, PONG]  # the last line without its end


NO_NUMBERS: list[Any] = [None, True, 0.5, []]
NO_TOOLS: list[Any] = ["nonsense", "_begun", "__init__", 5, []]
NO_REQUESTS: list[Any] = [5, [], {}, PING | {"jsonrpc": "1.0"}, request(5)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        *((line + b"\n", PARSE) for line in (b"{", b"\xff\xfe", b"nonsense", b"[" * 100_000, b"9" * 10_000)),
        (b" " * LONGEST_LINE + b"{}\n", REQUEST), (b"x" * (3 * LONGEST_LINE) + b"\n", REQUEST),
        *((line, REQUEST) for line in NO_REQUESTS),
        ([PING], REQUEST),  # which only one version has
        *((request("ping", number=odd), REQUEST) for odd in NO_NUMBERS),
        (request("nonsense"), METHOD),
        (request("server/discover"), METHOD),  # by which newer clients find out that this is an older server
        (request("ping", 5), PARAMS), (request("initialize"), PARAMS), (request("tools/call"), PARAMS),
        (request("initialize", {"protocolVersion": 5}), PARAMS), (call("position", 5), PARAMS),
        *((call(odd), PARAMS) for odd in NO_TOOLS),
    ],
)  # fmt: skip
def test_what_is_no_request_gets_an_error_and_the_next_is_answered(line: object, code: int) -> None:
    refused, answered = said(line, PING)
    assert {*refused} == {"jsonrpc", "id", "error"}
    assert refused["error"]["code"] == code
    assert refused["id"] == (1 if code in (METHOD, PARAMS) else None)
    assert 0 < len(refused["error"]["message"]) < 500
    assert answered == PONG


def test_the_one_version_with_batches_answers_them() -> None:
    begin = request("initialize", {"protocolVersion": mcp_server.WITH_BATCHES})
    _, answers, odd, empty = said(begin, [PING, INITIALIZED, request("ping", number=2)], [5], [INITIALIZED], [])
    assert [answer["id"] for answer in answers] == [1, 2]
    assert [answer["error"]["code"] for answer in odd] == [REQUEST]
    assert empty["error"]["code"] == REQUEST


NEW = call("new_game", {"game": GAMES[0], "seed": 7})


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("new_game", {}, "missing a required argument: 'game'"),
        ("new_game", {"game": GAMES[0], "nonsense": 1}, "unexpected keyword argument 'nonsense'"),
        ("new_game", {"game": "chess"}, "unknown game 'chess'; known are"),
        ("new_game", {"game": ["chess"]}, "unknown game ['chess']"),
        ("new_game", {"game": GAMES[0], "seats": "greedy"}, "are not a list"),
        ("new_game", {"game": GAMES[0], "seats": [None, "program:true"]}, "there is no agent 'program:true'"),
        ("new_game", {"game": GAMES[0], "seats": [None, {}]}, "a seat is for"),
        ("new_game", {"game": GAMES[0], "seed": "x"}, "the seed is a whole number"),
        ("new_game", {"game": GAMES[0], "options": "x"}, "is no object"),
        ("play", {}, "missing a required argument: 'move'"),
        ("play", {"move": 5}, "a move is a text, not 5"),
        ("play", {"move": "nonsense"}, "'nonsense' is not a move; a move looks like"),
        ("play", {"move": "6+6:bishop"}, "is not legal: "),
        ("play", {"move": "\ud800"}, "is not a move"),
        ("position", {"drawn": "no"}, "drawn 'no' is not True or False"),
        ("list_games", {"game": GAMES[0]}, "unexpected keyword argument"),
        ("position", {"self": 5}, "self"),
    ],
)
def test_a_tool_that_cannot_tells_the_model_why_and_the_game_stands(tool: str, arguments: object, why: str) -> None:
    _, before, refused, after = said(NEW, call("position"), call(tool, arguments), call("position"))
    assert refused["result"]["isError"] is True
    assert why in refused["result"]["content"][0]["text"]
    assert after == before


@pytest.mark.parametrize("tool", ["position", "legal_moves", "result", "play"])
def test_without_a_game_tools_say_so(tool: str) -> None:
    (refused,) = said(call(tool, {"move": "x"} if tool == "play" else {}))
    assert refused["result"]["isError"] is True
    assert "call new_game first" in refused["result"]["content"][0]["text"]


def test_a_fault_of_the_server_is_told_and_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mcp_server.Tools, "list_games", lambda self: 1 / 0)
    refused, answered = said(call("list_games"), PING)
    assert (refused["error"]["code"], answered) == (INTERNAL, PONG)
    assert capsys.readouterr().err.startswith("mcp_server: tools/call: ZeroDivisionError")


@EACH
def test_a_position_is_also_drawn(game: str) -> None:
    _, drawn = said(call("new_game", {"game": game, "seed": 7}), call("position", {"drawn": True}))
    assert drawn["result"]["content"][0]["text"].count("\n") > 5
