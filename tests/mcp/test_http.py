"""Over HTTP: this machine only, and nobody without the token."""

import re
import subprocess
import sys

import anyio
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client

TOKEN = "a token of the test"
PATIENCE = 50.0


@pytest.fixture
def url(shop, monkeypatch):
    """A server process and its address."""
    monkeypatch.setenv("RECOLLECT_MCP_TOKEN", TOKEN)
    server = subprocess.Popen(
        [sys.executable, "-m", "recollect", "mcp", "--path", str(shop), "--http", "0"],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        yield re.search(r"http://127\.0\.0\.1:\d+/mcp", server.stderr.readline())[0]
    finally:
        server.terminate()
        server.wait(15)
        server.stderr.close()


def sent(url, **headers):
    async def main():
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            return (await http.post(url, json={})).status_code

    return anyio.run(main)


def test_a_client_with_the_token_is_answered(url):
    async def main():
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await client.call_tool("search", {"query": "RetryPolicy"})

    assert anyio.run(main).structured_content["items"][0]["name"] == "RetryPolicy"


def test_nobody_else_is_answered(url):
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert sent(url) == 401
    assert sent(url, Authorization="Bearer wrong") == 401
    assert sent(url, **right, Host="evil.example.com") == 421
    assert sent(url, **right, Origin="http://evil.example.com") == 403


def test_a_port_that_is_taken_is_a_sentence(shop):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "recollect", "mcp", "--path", str(shop), "--http", port],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert f"Port {port}" in done.stderr
