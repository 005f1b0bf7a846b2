"""The client's two pipes: what needs no SDK is answered at once, and the SDK is handed the rest of the conversation."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, TextIO

from recollect.mcp.greeting import greeting, is_ready, listing


class Wire:
    """The client's two pipes, with the first line read already and its answer perhaps given."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source = source
        self._target = target
        self._answered: Any = None
        self._again = source.readline()
        """Lines that the SDK has to read, though they were read already."""
        self.closed = not self._again
        """Whether the client went away."""
        answer = greeting(self._again)
        if answer is not None:
            self._answered = answer["id"]
            self._say(answer)

    def converse(self, ready: Callable[[], None]) -> None:
        """Answer whatever needs no SDK until something else is asked; call `ready` when the client is."""
        while self._answered is not None and not self.closed:
            line = self._source.readline()
            answer = listing(line)
            if answer is not None:
                self._say(answer)
                continue
            self.closed = not line
            self._again += line
            if not is_ready(line):
                return
            ready()

    def stdin(self) -> TextIO:
        """Return what the client writes, from the first line that the SDK has to read."""
        return io.TextIOWrapper(
            io.BufferedReader(_Again(self._again, self._source)),
            encoding="utf-8",
            errors="replace",
            newline="\n",
        )

    def stdout(self) -> TextIO:
        """Return where answers go; the second answer to the handshake is left out."""
        return _Unrepeated(self._target, self._answered)

    def _say(self, answer: dict[str, Any]) -> None:
        self._target.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._target.flush()


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
