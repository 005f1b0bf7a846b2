"""Reads protocol buffers field by field, without a schema compiler; what is cut short is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

_LARGEST_FIELD = 256 << 20


class CutShort(Exception):  # noqa: N818  # it is caught where partial results are made of it
    """The bytes end in the middle of a field, or are no protocol buffer."""


Value = int | memoryview


def fields(data: memoryview) -> Iterator[tuple[int, Value]]:
    """Yield number and value of each field: whole numbers, or the bytes of anything longer."""
    at, end = 0, len(data)
    while at < end:
        tag, at = number(data, at)
        field, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = number(data, at)
            yield field, value
            continue
        if wire == 2:
            size, at = number(data, at)
        elif wire in {1, 5}:
            size = 8 if wire == 1 else 4
        else:
            raise CutShort(f"a field of kind {wire} at byte {at}")
        if at + size > end or not field:
            raise CutShort(f"a field of {size} bytes at byte {at} of {end}")
        yield field, data[at : at + size]
        at += size


class Readable(Protocol):
    """What bytes come out of."""

    def read(self, size: int = -1, /) -> bytes:
        """Read some bytes."""
        ...


def messages(file: Readable) -> Iterator[memoryview]:
    """Yield the outermost fields of a protocol buffer one at a time, each as a message that holds only that field."""
    while head := file.read(1):
        head += _rest_of_number(file, head)
        wire = head[0] & 7
        if wire == 2:
            length = _rest_of_number(file, b"\x80")
            size, _ = number(memoryview(length), 0)
            head += length
        elif wire in {1, 5}:
            size = 8 if wire == 1 else 4
        elif wire == 0:
            head, size = head + _rest_of_number(file, b"\x80"), 0
        else:
            raise CutShort(f"a field of kind {wire}")
        if size > _LARGEST_FIELD:
            raise CutShort(f"a field of {size} bytes")
        body = file.read(size) if size else b""
        yield memoryview(head + body)
        if len(body) < size:
            raise CutShort(f"a field of {size} bytes of which {len(body)} are there")


def _rest_of_number(file: Readable, begun: bytes) -> bytes:
    read = b""
    while (read or begun)[-1] & 0x80:
        byte = file.read(1)
        if not byte or len(read) > 9:
            raise CutShort("a number")
        read += byte
    return read


def number(data: memoryview, at: int) -> tuple[int, int]:
    """Return the number of variable length at a place, and where it ends."""
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
    raise CutShort(f"a number at byte {at}")


def numbers(value: Value) -> Iterator[int]:
    """Yield the numbers of a repeated field, packed or single."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        one, at = number(value, at)
        yield one


def text(value: Value) -> str:
    """Return a string field."""
    return bytes(value).decode("utf-8", "replace") if not isinstance(value, int) else ""
