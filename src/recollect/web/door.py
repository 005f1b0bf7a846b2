"""Who is let in: this machine only, by the name it was opened under, with the token that was printed."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from recollect.web.refusal import refuse

NAMES = ("127.0.0.1", "localhost")
"""What a browser may call this machine beside the address itself; any other name was made to lead here by others."""
TOKEN = "token"  # noqa: S105  the name of a parameter, not a secret
OPEN = ("/static/",)
"""What holds nothing of the project and may be seen by anybody on this machine."""
SAFE = ("GET", "HEAD")

App = Callable[..., Any]
Scope = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Door:
    """The secrets of one server; they end with it."""

    port: int
    host: str = "127.0.0.1"
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie(self) -> str:
        """Return the name of the cookie; browsers share cookies between ports, so that it names the port."""
        return f"recollect-{self.port}"

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return f"http://{self._name}:{self.port}"

    @property
    def _name(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def hosts(self) -> frozenset[str]:
        """Return every Host header that means this server."""
        return frozenset(f"{name}:{self.port}" for name in (*NAMES, self._name))

    @property
    def form_token(self) -> str:
        """Return what every form must carry."""
        return hmac.new(self.session.encode(), b"form", hashlib.sha256).hexdigest()

    def knows(self, cookies: str) -> bool:
        """Tell whether a Cookie header holds the session."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return False
        return morsel is not None and same(morsel.value, self.session)


def same(given: str, wanted: str) -> bool:
    """Compare without telling by the time it takes how much was right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def guarded(app: App, door: Door, beside: tuple[str, ...] = ()) -> App:
    """Return the application behind its door; places beside it are open to whoever is on this machine."""

    async def guard(scope: Scope, receive: App, send: App) -> None:
        if scope["type"] == "http":
            answer = _stopped(scope, door, beside)
            await (answer or app)(scope, receive, send)
        elif scope["type"] == "lifespan":
            await app(scope, receive, send)

    return guard


def _stopped(scope: Scope, door: Door, beside: tuple[str, ...]) -> App | None:
    """Return the refusal of a request, or the way in for who brings the token; None lets it pass."""
    hosts = _headers(scope, b"host")
    if len(hosts) != 1 or hosts[0].lower() not in door.hosts:
        return refuse(421, f"This page is served as {door.address} only, not under another name.")
    if scope["method"] not in SAFE and _foreign(scope, hosts[0]):
        return refuse(403, "This request came from another site, and nothing was done.")
    if scope["path"].startswith(OPEN) or scope["path"] in beside:
        return None
    given = parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN)
    if given is not None and scope["method"] in SAFE:
        return _enter(scope, door, given[-1])
    if not any(door.knows(cookies) for cookies in _headers(scope, b"cookie")):
        return refuse(401, "Open the address that recollect serve printed when it started; it holds the key.")
    return None


def _enter(scope: Scope, door: Door, token: str) -> App:
    from starlette.responses import RedirectResponse

    if not same(token, door.token):
        return refuse(403, "That key is not the one of this server; it makes a new one each time it starts.")
    # A path of two slashes would be the address of another host.
    response = RedirectResponse("/" + scope["path"].lstrip("/\\"), 303)
    response.set_cookie(door.cookie, door.session, httponly=True, samesite="strict", path="/")
    return response


def _foreign(scope: Scope, host: str) -> bool:
    """Tell whether a browser says that a request was sent by another site."""
    sites = _headers(scope, b"sec-fetch-site")
    if any(site not in ("same-origin", "none") for site in sites):
        return True
    return any(urlsplit(origin).netloc.lower() != host.lower() for origin in _headers(scope, b"origin"))


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
