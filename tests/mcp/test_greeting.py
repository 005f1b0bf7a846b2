import io
import json
import threading

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from recollect.mcp import greeting, wire
from recollect.mcp.server import build
from recollect.served import Served

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


READY = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'


def line(**changed):
    return json.dumps(HELLO | changed).encode() + b"\n"


def asked_for(version):
    return line(params=HELLO["params"] | {"protocolVersion": version})


def asked(method, **more):
    return json.dumps({"jsonrpc": "2.0", "id": "a", "method": method, **more}).encode() + b"\n"


class Answers(io.StringIO):
    """What a server says, and whether it has said so many lines."""

    def __init__(self, wanted):
        super().__init__()
        self.wanted = wanted
        self.complete = threading.Event()

    def flush(self):
        if self.getvalue().count("\n") >= self.wanted:
            self.complete.set()


class Questions(io.StringIO):
    """What a client says; it hangs up when it has its answers."""

    def __init__(self, text, answers):
        super().__init__(text)
        self.answers = answers

    def readline(self, size=-1):
        line = super().readline(size)
        if not line:
            self.answers.complete.wait(20)
        return line


def of_the_sdk(lines: bytes, tmp_path):
    """Return what the SDK itself answers, line by line."""
    from mcp.server.stdio import stdio_server

    said = Answers(sum(b'"id"' in line for line in lines.splitlines()))

    async def main():
        server = build(Served(tmp_path))
        streams = stdio_server(anyio.wrap_file(Questions(lines.decode(), said)), anyio.wrap_file(said))
        async with streams as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(main)
    return [json.loads(line) for line in said.getvalue().splitlines()]


def test_the_versions_are_those_of_the_sdk():
    assert greeting.VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", [*greeting.VERSIONS, "1999-01-01"])
def test_the_quick_answer_is_the_one_the_sdk_gives(version, tmp_path):
    hello = asked_for(version)
    assert [greeting.greeting(hello)] == of_the_sdk(hello, tmp_path)


@pytest.mark.parametrize("version", greeting.VERSIONS)
@pytest.mark.parametrize("method", greeting.LISTS)
def test_the_quick_lists_are_those_the_sdk_gives(method, version, tmp_path):
    question = asked(method, params={"_meta": {"progressToken": 1}})
    assert greeting.listing(question) == of_the_sdk(asked_for(version) + READY + question, tmp_path)[1]


@pytest.mark.parametrize(
    "hello",
    [
        b"",
        b"no json\n",
        b"[]\n",
        b"null\n",
        line(method="server/discover"),
        line(id=None),
        line(id=True),
        line(params={}),
        line(params=HELLO["params"] | {"clientInfo": {"name": "x"}}),
    ],
)
def test_anything_else_is_left_to_the_sdk(hello):
    assert greeting.greeting(hello) is None


@pytest.mark.parametrize(
    "question",
    [
        b"",
        b"no json\n",
        READY,
        asked("tools/call", params={"name": "search"}),
        asked("tools/list", params={"cursor": "x"}),
        asked("tools/list", params=[]),
        asked("tools/list", id=None),
    ],
)
def test_any_other_question_is_left_to_the_sdk(question):
    assert greeting.listing(question) is None


def wired(*lines: bytes):
    target = io.BytesIO()
    return wire.Wire(io.BufferedReader(io.BytesIO(b"".join(lines))), target), target


def test_the_sdk_reads_the_handshake_again_and_its_answer_is_left_out():
    pipes, target = wired(line(), "ä\n".encode())
    answered = target.getvalue()
    assert [*pipes.stdin()] == [line().decode(), "ä\n"]
    out = pipes.stdout()
    for text in ('{"method":"x","id":0}\n', '{"id":0,"result":{}}\n', '{"id":0,"result":{}}\n'):
        out.write(text)
    assert target.getvalue() == answered + b'{"method":"x","id":0}\n{"id":0,"result":{}}\n'


def test_lists_are_answered_before_the_sdk_has_to_be_there():
    call = asked("tools/call", params={"name": "search"})
    pipes, target = wired(line(), READY, asked("tools/list"), asked("ping"), call, asked("tools/list"))
    ready = []
    pipes.converse(lambda: ready.append(True))
    assert [json.loads(one)["id"] for one in target.getvalue().splitlines()] == [0, "a", "a"]
    assert ready == [True]
    assert [*pipes.stdin()] == [one.decode() for one in (line(), READY, call, asked("tools/list"))]


def test_a_client_that_leaves_after_the_lists_is_noticed():
    pipes, _ = wired(line(), READY, asked("tools/list"))
    pipes.converse(lambda: None)
    assert pipes.closed


def test_a_conversation_without_a_handshake_is_left_to_the_sdk():
    discover = line(method="server/discover")
    pipes, target = wired(discover, asked("tools/list"))
    pipes.converse(lambda: None)
    assert target.getvalue() == b""
    assert [*pipes.stdin()] == [discover.decode(), asked("tools/list").decode()]


def test_a_client_that_says_nothing_is_noticed():
    assert wired(b"")[0].closed
