"""Reads spans of OpenTelemetry, as JSON or as protocol buffers; of attributes only what names code is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from recollect.evidence.protobuf import Value, fields, text
from recollect.evidence.runtime.follow import Span
from recollect.evidence.runtime.sums import Frame

_PATH = ("code.file.path", "code.filepath")
_NAME = ("code.function.name", "code.function")
_SPACE = ("code.namespace",)
_LINE = ("code.line.number", "code.lineno")
_WANTED = frozenset((*_PATH, *_NAME, *_SPACE, *_LINE))


class _AnyValue(msgspec.Struct, frozen=True, gc=False):
    stringValue: str | None = None  # noqa: N815  # as the protocol spells it
    intValue: int | str | None = None  # noqa: N815


class _Attribute(msgspec.Struct, frozen=True, gc=False):
    key: str = ""
    value: _AnyValue | None = None


class JsonSpan(msgspec.Struct, frozen=True, gc=False):
    """A span as the protocol writes it in JSON, as far as it is wanted."""

    spanId: str = ""  # noqa: N815
    parentSpanId: str | None = None  # noqa: N815
    endTimeUnixNano: int | str = 0  # noqa: N815
    attributes: list[_Attribute] = []


class _ScopeSpans(msgspec.Struct, frozen=True, gc=False):
    spans: list[JsonSpan] = []


class _ResourceSpans(msgspec.Struct, frozen=True, gc=False):
    scopeSpans: list[_ScopeSpans] = []  # noqa: N815


class _Traces(msgspec.Struct, frozen=True, gc=False):
    resourceSpans: list[_ResourceSpans]  # noqa: N815


_DECODER = msgspec.json.Decoder(_Traces)


def spans_of_json(data: bytes | memoryview) -> Iterator[Span]:
    """Yield the spans of one JSON message; a message of another shape raises msgspec.MsgspecError."""
    return (
        span_of(one)
        for resource in _DECODER.decode(data).resourceSpans
        for scope in resource.scopeSpans
        for one in scope.spans
    )


def span_of(one: JsonSpan) -> Span:
    """Return a span of JSON."""
    told = {
        row.key: row.value.stringValue if row.value.stringValue is not None else row.value.intValue
        for row in one.attributes
        if row.key in _WANTED and row.value is not None
    }
    ended = _whole(one.endTimeUnixNano) / 1e9
    return Span(_hexadecimal(one.spanId), _hexadecimal(one.parentSpanId or ""), frame_of(told), ended)


def spans_of_protobuf(data: memoryview) -> Iterator[Span]:
    """Yield the spans of one binary message; one that is damaged raises CutShort."""
    for resource in _inner(data, 1):
        for scope in _inner(resource, 2):
            for span in _inner(scope, 2):
                yield _span(span)


def frame_of(told: dict[str, Any]) -> Frame | None:
    """Return which code attributes speak of, None when they do not name any."""
    path, name, space = (_first(told, keys) for keys in (_PATH, _NAME, _SPACE))
    line = _whole(_first(told, _LINE) or 0)
    bare = not path and not space and not any(mark in str(name) for mark in ".:#/")
    if bare or (not name and not line):
        return None
    return Frame(str(path), str(name), str(space), line)


def _span(data: memoryview) -> Span:
    span = parent = 0
    ended = 0.0
    told: dict[str, Any] = {}
    for field, value in fields(data):
        if isinstance(value, int):
            continue
        if field == 2:
            span = int.from_bytes(value, "big")
        elif field == 4:
            parent = int.from_bytes(value, "big")
        elif field == 8:
            ended = int.from_bytes(value, "little") / 1e9
        elif field == 9:
            told.update(_attribute(value))
    return Span(span, parent, frame_of(told), ended)


def _attribute(data: memoryview) -> Iterable[tuple[str, Any]]:
    key, held = "", None
    for field, value in fields(data):
        if field == 1:
            key = text(value)
        elif field == 2 and not isinstance(value, int):
            held = value
    return [(key, _scalar(held))] if key in _WANTED and held is not None else []


def _scalar(data: memoryview) -> str | int:
    for field, value in fields(data):
        if field == 1:
            return text(value)
        if field == 3 and isinstance(value, int):
            return value
    return ""


def _inner(data: memoryview, wanted: int) -> Iterator[memoryview]:
    for field, value in fields(data):
        found: Value = value
        if field == wanted and not isinstance(found, int):
            yield found


def _first(told: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((told[key] for key in keys if told.get(key)), "")


def _whole(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0


def _hexadecimal(text: str) -> int:
    try:
        return int(text or "0", 16)
    except ValueError:
        return 0
