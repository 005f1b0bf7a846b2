"""What is said to who is not let in, and what every answer forbids the browser."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, Response

App = Callable[..., Any]
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
WHOLE_PAGE = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'; sandbox"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""For a page that carries its own style and may do nothing but be read, also inside one of ours."""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>recollect</title><link rel="stylesheet" href="/static/recollect.css"></head>
<body class="bare"><main><p class="wordmark">recollect</p><p>{}</p></main></body></html>
"""


def refuse(status: int, sentence: str) -> Response:
    """Return a page with one sentence."""
    return HTMLResponse(_PAGE.format(escape(sentence)), status)


def strict(app: App) -> App:
    """Return the application with headers that forbid whatever the page does not need."""

    async def answer(scope: dict[str, Any], receive: App, send: App) -> None:
        async def forbid(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers["cache-control"] = "no-store"
            await send(message)

        await app(scope, receive, forbid)

    return answer
