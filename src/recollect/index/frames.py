"""Messages between the index and its workers: a length, then the bytes."""

from __future__ import annotations

from typing import IO

READY = b"ready"
"""What a worker says before its first batch."""
_LENGTH_BYTES = 4


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(len(message).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Return the next message, or None when the other side has gone."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "little")
    body = stream.read(size)
    return body if len(body) == size else None
