"""What an event says beside its kind: where the item lay and what was asked, as JSON."""

from __future__ import annotations

from functools import lru_cache

import msgspec


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """The details of one event."""

    path: str = ""
    root: str = ""
    """What the item's package looked like when the event happened."""
    cluster: str = ""
    """Which questions this one is like."""
    words: tuple[str, ...] = ()
    """The keywords that are worth learning."""
    session: str = ""
    implicit: bool = False
    """Whether it was concluded from what was done, not said."""
    position: int = 0
    """1-based place in the answer, for kinds that have one."""
    signature: str = ""
    """Which question it was, but for the order of its words."""


_decode = msgspec.json.Decoder(Detail).decode
_encode = msgspec.json.Encoder().encode


@lru_cache(100_000)
def read_detail(text: str) -> Detail:
    """Read the details of an event; what cannot be read says nothing."""
    if not text:
        return Detail()
    try:
        return _decode(text)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return Detail()


def write_detail(detail: Detail) -> str:
    """Return the details as they are stored."""
    return _encode(detail).decode()
