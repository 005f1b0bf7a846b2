"""The protocol as programs of others see it; they come from npm and are no dependency: @modelcontextprotocol/..."""

import json
import os
import shutil
import subprocess
import sys

import pytest

INSPECTOR = shutil.which("mcp-inspector")
CONFORMANCE = shutil.which("conformance")
GENERAL = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
"""What the suite asks of every server; its other scenarios call tools of a server made for it."""
WITH_THE_TOKEN = """
import sys, uvicorn
from pathlib import Path
from recollect.loopback import listen
from recollect.served import Served
from recollect.mcp.http import guarded
from recollect.mcp.server import build
listening = listen(0)
print(listening.getsockname()[1], flush=True)
app = guarded(build(Served(Path(sys.argv[1]))).streamable_http_app(), "token")

async def told(scope, receive, send):
    # The suite cannot send a token, so it is added on the way.
    if scope["type"] == "http":
        scope["headers"] = [*scope["headers"], (b"authorization", b"Bearer token")]
    await app(scope, receive, send)

uvicorn.Server(uvicorn.Config(told, log_level="error")).run(sockets=[listening])
"""


@pytest.mark.slow
@pytest.mark.skipif(INSPECTOR is None, reason="npm i -g @modelcontextprotocol/inspector, with Node 22")
@pytest.mark.parametrize(
    ("asked", "key", "count"),
    [
        (["--method", "tools/list"], "tools", 6),
        (["--method", "resources/list"], "resources", 2),
        (["--method", "prompts/list"], "prompts", 2),
        (
            ["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=RetryPolicy", "limit=1"],
            "content",
            1,
        ),
    ],
)
def test_the_inspector_reads_the_server(shop, asked, key, count):
    server = [sys.executable, "-m", "recollect", "mcp", "--path", str(shop)]
    # Before its own options the inspector takes everything for the server's.
    command = [INSPECTOR, "--cli", *server, *asked]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=shop)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)[key]) == count


@pytest.mark.slow
@pytest.mark.skipif(CONFORMANCE is None, reason="npm i -g @modelcontextprotocol/conformance, with Node 22")
@pytest.mark.parametrize("scenario", GENERAL)
def test_the_conformance_suite_has_nothing_to_say(shop, scenario, tmp_path):
    server = subprocess.Popen(
        [sys.executable, "-c", WITH_THE_TOKEN, str(shop)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
        command = [CONFORMANCE, "server", "--url", url, "--scenario", scenario, "-o", str(tmp_path)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "CI": "1"},
        )
    finally:
        server.terminate()
        server.wait(15)
        server.stdout.close()
    assert done.returncode == 0, done.stdout + done.stderr
