import json
import subprocess
import sys
import threading
import time
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from mcp import Client
from recollect.mcp.server import build
from recollect.served import Served

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Talk:
    """A server process and the two pipes to it."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "recollect", "mcp", "--path", str(root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def say(self, message) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode()
        return json.loads(line)

    def greet(self):
        self.say(HELLO)
        answer = self.hear()
        self.say(INITIALIZED)
        return answer

    def call(self, tool, number=1, /, **arguments):
        """Call a tool and return its result, with the notes of progress before it."""
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": number}}
        self.say({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        notes = []
        while (message := self.hear()).get("id") != number:
            notes.append(message)
        return message["result"], notes

    def hang_up(self) -> int:
        self.process.stdin.close()
        return self.process.wait(15)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


@pytest.fixture
def talk():
    """Start servers that are certain to be gone after the test."""
    started = []

    def start(root, *arguments):
        started.append(Talk(root, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.end()


@asynccontextmanager
async def client_of(root, mode="legacy", patience=20.0):
    """Connect the SDK's client to a server in this process."""
    served = Served(root)
    try:
        async with Client(build(served, patience), mode=mode) as client:
            yield client
    finally:
        served.close()


@pytest.fixture
def talked():
    """Run one conversation with a server in this process and return what it returns."""

    def talked(root, conversation, **options):
        async def main():
            async with client_of(root, **options) as client:
                return await conversation(client)

        return anyio.run(main)

    return talked


@pytest.fixture
def within():
    """Wait until something holds, for so long at most."""

    def within(seconds, holds) -> bool:
        pause = threading.Event()
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                return False
            pause.wait(0.02)
        return True

    return within
