import io
import json

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from recollect.mcp import greeting
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


def line(**changed):
    return json.dumps(HELLO | changed).encode() + b"\n"


def asked_for(version):
    return line(params=HELLO["params"] | {"protocolVersion": version})


def of_the_sdk(hello: bytes, tmp_path):
    """Return what the SDK itself answers to a handshake."""
    from mcp.server.stdio import stdio_server

    said = io.StringIO()

    async def main():
        server = build(Served(tmp_path))
        streams = stdio_server(anyio.wrap_file(io.StringIO(hello.decode())), anyio.wrap_file(said))
        async with streams as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(main)
    return json.loads(said.getvalue())


def test_the_versions_are_those_of_the_sdk():
    assert greeting.VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", [*greeting.VERSIONS, "1999-01-01"])
def test_the_quick_answer_is_the_one_the_sdk_gives(version, tmp_path):
    hello = asked_for(version)
    assert greeting.greeting(hello) == of_the_sdk(hello, tmp_path)


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


def test_the_sdk_reads_the_handshake_again_and_its_answer_is_left_out():
    target = io.BytesIO()
    wire = greeting.Wire(io.BufferedReader(io.BytesIO(line() + "ä\n".encode())), target)
    answered = target.getvalue()
    assert [*wire.stdin()] == [line().decode(), "ä\n"]
    out = wire.stdout()
    for text in ('{"method":"x","id":0}\n', '{"id":0,"result":{}}\n', '{"id":0,"result":{}}\n'):
        out.write(text)
    assert target.getvalue() == answered + b'{"method":"x","id":0}\n{"id":0,"result":{}}\n'


def test_a_client_that_says_nothing_is_noticed():
    assert greeting.Wire(io.BufferedReader(io.BytesIO(b"")), io.BytesIO()).closed
