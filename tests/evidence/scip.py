"""Writes SCIP indexes for the tests: just enough of protocol buffers for the public schema."""

from __future__ import annotations


def number(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def field(tag: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return number(tag << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(tag << 3 | 2) + number(len(data)) + data


def occurrence(line: int, column: int, length: int, symbol: str, definition: bool = False) -> bytes:
    span = b"".join(map(number, (line, column, column + length)))
    return field(1, span) + field(2, symbol) + field(3, int(definition))


def document(path: str, *occurrences: bytes, symbols: tuple[bytes, ...] = (), text: str = "") -> bytes:
    said = field(1, path) + field(4, "Python") + (field(5, text) if text else b"") + field(6, 3)
    said += b"".join(field(2, one) for one in occurrences) + b"".join(field(3, one) for one in symbols)
    return field(2, said)


def index(*documents: bytes) -> bytes:
    tool = field(1, "scip-python") + field(2, "0.6")
    return field(1, field(2, tool) + field(3, "file:///made/elsewhere")) + b"".join(documents)
