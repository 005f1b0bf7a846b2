"""Where a store is, read from a URL; what is shown of it never holds a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from recollect.errors import UsageError

SCHEMES = ("postgresql", "postgres")
HIDDEN = "***"
_OWN = ("space",)


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database, and the space in it that is meant."""

    url: str = field(repr=False)
    """As libpq reads it, without what only we understand."""
    space: str
    """Empty when the URL names none."""
    shown: str
    """Without any password; for people."""
    secrets: tuple[str, ...] = field(repr=False, default=())
    spread: bool = False
    """Whether the tables may lie on many machines; known once the server was opened."""

    def hide(self, text: str) -> str:
        """Return a text without the passwords of this address."""
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text


def is_address(text: str) -> bool:
    """Tell whether a text is the URL of a server rather than a path."""
    return text.partition("://")[0] in SCHEMES and "://" in text


def has_password(text: str) -> bool:
    """Tell whether the URL of a server holds a password."""
    return is_address(text) and bool(read(text).secrets)


def read(text: str) -> Address:
    """Read the URL of a store; raise UsageError, without repeating the URL, when it is none."""
    if not is_address(text):
        raise UsageError(
            "A store is named by a URL such as postgresql://NAME@HOST:5432/DATABASE?space=PROJECT; this is none."
        )
    try:
        parts = urlsplit(text)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        # The error itself repeats what it could not read, which may hold a password.
        raise UsageError(
            "The URL of the store cannot be read; "
            "signs such as / ? # @ in a name or password are written as %2F and so on."
        ) from None
    who, at, place = parts.netloc.rpartition("@")
    name, _, password = who.partition(":")
    kept = [(key, value) for key, value in options if key not in _OWN]
    open_ones = [(key, value) for key, value in kept if key not in {"password", "sslpassword"}]
    secrets = [password, *(value for key, value in kept if key in {"password", "sslpassword"})]
    shown_who = f"{name}@" if name else ""
    return Address(
        _url(f"{who}{at}{place}", parts.path, kept),
        dict(options).get("space", ""),
        _url(f"{shown_who}{place}", parts.path, open_ones),
        tuple(sorted(_spellings(secrets), key=len, reverse=True)),
    )


def _url(place: str, path: str, options: list[tuple[str, str]]) -> str:
    # Not urlunsplit, which leaves the slashes out where no host is named, and libpq then takes it for no URL.
    query = urlencode(options, quote_via=quote, safe="/:,")
    return f"postgresql://{place}{path}{'?' if query else ''}{query}"


def _spellings(secrets: list[str]) -> set[str]:
    """Return every way in which a secret may turn up in an error of the server or of the driver."""
    found = {one for one in secrets if one}
    return found | {unquote(one) for one in found} | {quote(unquote(one), safe="") for one in found}
