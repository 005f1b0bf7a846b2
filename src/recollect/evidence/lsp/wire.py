"""A language server as a child process: framed JSON over its streams, every wait bounded."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

_LONGEST_MESSAGE = 256 << 20
_GRACE = 2.0
_LAST_WORDS = 40
_LONGEST_WORDS = 200
_COMPLAINS = re.compile(r"error|cannot|fatal|panic|not found|unknown", re.IGNORECASE)


class ServerGone(Exception):  # noqa: N818  # it is no error of the caller's
    """The server ended, fell silent or does not speak the protocol; the text says which."""


class Wire:
    """Sends and receives messages; a thread reads, so that a silent server blocks nobody."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        try:
            self._process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=sys.platform != "win32",
            )  # fmt: skip
        except OSError as error:
            raise ServerGone(f"{command[0]} could not be started: {error.strerror or error}") from error
        self._name = Path(command[0]).name
        self._inbox: queue.SimpleQueue[Mapping[str, Any] | str] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=_LAST_WORDS)
        self._listening = threading.Thread(target=self._listen, name=f"{self._name} _listen", daemon=True)
        self._listening.start()
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"{self._name} {work.__name__}", daemon=True).start()

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message; a server that reads nothing is noticed by the wait for its answer."""
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "replace")
        self._outbox.put(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def receive(self, until: float) -> Mapping[str, Any] | None:
        """Return the next message, or None when there is none until that time of the monotonic clock."""
        try:
            message = self._inbox.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if isinstance(message, str):
            self._inbox.put(message)
            raise ServerGone(message)
        return message

    def kill(self) -> None:
        """End the process and everything that it started, and wait for it."""
        self._outbox.put(None)
        try:
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        except (OSError, ProcessLookupError):
            pass
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def ended(self) -> bool:
        """Wait a moment for the process to end by itself, and say whether it did."""
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _write(self) -> None:
        stream = self._process.stdin
        while stream is not None and (message := self._outbox.get()) is not None:
            try:
                stream.write(message)
                stream.flush()
            except (OSError, ValueError):
                return

    def _listen(self) -> None:
        stream = self._process.stderr
        try:
            while stream is not None and (line := stream.readline(4096)):
                self._said.append(line.decode("utf-8", "replace").strip())
        except (OSError, ValueError):
            return

    def _last_words(self) -> str:
        """Return what a server that ended complained of, as far as it did."""
        said = [line for line in self._said if line]
        told = next(filter(_COMPLAINS.search, said), said[-1] if said else "")
        return f" ({told[:_LONGEST_WORDS]})" if told else ""

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        try:
            while (message := _message(stream)) is not None:
                self._inbox.put(message)
            self._listening.join(_GRACE)
            self._inbox.put(f"{self._name} ended{self._last_words()}")
        except (OSError, ValueError) as error:
            self._inbox.put(f"{self._name} does not speak the protocol: {error}")


def _message(stream: BinaryIO | Any) -> Mapping[str, Any] | None:
    length = -1
    while True:
        line = stream.readline(4096)
        if not line:
            return None
        text = line.strip().lower()
        if not text:
            if length >= 0:
                break
            continue
        if text.startswith(b"content-length:"):
            length = int(text.partition(b":")[2])
        elif b":" not in text or (length < 0 and not text.startswith(b"content-")):
            raise ValueError(f"it printed {line[:60]!r}")
    if not 0 <= length <= _LONGEST_MESSAGE:
        raise ValueError(f"it announced a message of {length} bytes")
    body = stream.read(length)
    if len(body) < length:
        return None
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError("it sent something that is no object")  # noqa: TRY004
    return message
