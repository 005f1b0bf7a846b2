"""The same server over streamable HTTP: this machine only, and only for who has the token."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect.loopback import HOST, listen

TOKEN = "RECOLLECT_MCP_TOKEN"  # noqa: S105  the name of a variable, not a secret
PLACE = "/mcp"

App = Callable[..., Any]


def serve_http(folder: Path | None, port: int, ready: Callable[[str, str, bool], None]) -> None:
    """Serve any number of clients until the process is interrupted.

    `ready` is told the address, the token, and whether somebody chose the token.
    """
    import uvicorn

    from recollect.mcp.server import build
    from recollect.served import Served

    token = os.environ.get(TOKEN) or secrets.token_urlsafe(24)
    listening = listen(port)
    served = Served(folder)
    try:
        app = guarded(build(served).streamable_http_app(streamable_http_path=PLACE, host=HOST), token)
        url = f"http://{HOST}:{listening.getsockname()[1]}{PLACE}"
        ready(url, token, bool(os.environ.get(TOKEN)))
        config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        served.close()
        listening.close()


def guarded(app: App, token: str) -> App:
    """Return the application behind a token; without it nothing is answered but a refusal."""
    wanted = f"Bearer {token}".encode()

    async def guard(scope: dict[str, Any], receive: App, send: App) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, wanted):
                await _refuse(send)
                return
        await app(scope, receive, send)

    return guard


async def _refuse(send: App) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"www-authenticate", b"Bearer")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": b"Send the token that recollect mcp --http printed.\n"})
