"""Answers the handshake from constants while the SDK is not loaded yet, and hands it the rest of the conversation."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, BinaryIO, TextIO

from recollect.mcp.offered import instructions

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Protocol versions that begin with a handshake; the last is offered to who asks for another."""
CAPABILITIES: Mapping[str, Any] = {
    "prompts": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "tools": {"listChanged": False},
}


class Wire:
    """The client's two pipes, with the first line read already and its answer perhaps given."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source = source
        self._target = target
        self._first = source.readline()
        self._answered: Any = None
        answer = greeting(self._first)
        if answer is not None:
            self._answered = answer["id"]
            target.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            target.flush()

    @property
    def closed(self) -> bool:
        """Tell whether the client went away without a word."""
        return not self._first

    @property
    def answered(self) -> bool:
        """Tell whether the handshake was answered here."""
        return self._answered is not None

    def stdin(self) -> TextIO:
        """Return what the client writes, from the first line on."""
        return io.TextIOWrapper(
            io.BufferedReader(_Again(self._first, self._source)),
            encoding="utf-8",
            errors="replace",
            newline="\n",
        )

    def stdout(self) -> TextIO:
        """Return where answers go; the second answer to the handshake is left out."""
        return _Unrepeated(self._target, self._answered)


class _Again(io.RawIOBase):
    """A stream that gives what was read of it once more."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data, self._first = self._first[: len(buffer)], self._first[len(buffer) :]
        if not data:
            data = self._rest.read1(len(buffer))  # type: ignore[attr-defined]  # a buffered reader has it
        buffer[: len(data)] = data
        return len(data)


class _Unrepeated(io.TextIOBase, TextIO):
    """A text stream that leaves out the first answer with a given id."""

    def __init__(self, target: BinaryIO, answered: Any) -> None:
        self._target = target
        self._answered = answered

    def write(self, text: str) -> int:
        if self._answered is not None:
            message = json.loads(text)
            if message.get("id") == self._answered and "method" not in message:
                self._answered = None
                return len(text)
        self._target.write(text.encode("utf-8", "replace"))
        return len(text)

    def flush(self) -> None:
        self._target.flush()


def greeting(line: bytes) -> dict[str, Any] | None:
    """Return the answer to a handshake, or None for anything that the SDK has to judge."""
    try:
        message = json.loads(line)
        params = message["params"]
        client = params["clientInfo"]
        plain = (
            message["method"] == "initialize"
            and message["jsonrpc"] == "2.0"
            and type(message["id"]) in {int, str}
            and isinstance(params["protocolVersion"], str)
            and isinstance(params["capabilities"], dict)
            and isinstance(client["name"], str)
            and isinstance(client["version"], str)
        )
    except (ValueError, TypeError, KeyError):
        return None
    if not plain:
        return None
    asked = params["protocolVersion"]
    return {
        "jsonrpc": "2.0",
        "id": message["id"],
        "result": {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
            "capabilities": CAPABILITIES,
            "serverInfo": {"name": "recollect", "title": "recollect", "version": version("recollect")},
            "instructions": instructions(),
        },
    }


def open_wire() -> Wire:
    """Take the standard streams for the client alone; stray output of anything else goes to stderr."""
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.flush()
    return Wire(source, target)
