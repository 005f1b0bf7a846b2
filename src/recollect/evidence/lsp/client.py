"""Asks a language server where names are defined, and answers what it asks meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from recollect.evidence.lsp.wire import ServerGone, Wire
from recollect.evidence.servers import Server

START_SECONDS = 60.0
_QUIET = 0.4
"""A server that reports no work for this long has read the project."""
_ERROR = 1
_LONGEST_COMPLAINT = 200


class Spot(NamedTuple):
    """A place in a text: 0-based line and UTF-16 column."""

    line: int
    column: int


class Found(NamedTuple):
    """Where something is defined."""

    path: Path
    line: int
    column: int


class Client:
    """A running server that has opened a project."""

    def __init__(self, server: Server, root: Path) -> None:
        program = server.program
        if program is None:
            raise ServerGone(f"{server.name} is not installed; {server.install}")
        self.server = server
        self._root = root
        self._next = 0
        self._busy: set[str | int] = set()
        self.complaint = ""
        """The last error that the server showed or logged, on one line."""
        self._wire = Wire([program, *server.command[1:]], root)
        try:
            self._capabilities = self._greet()
        except BaseException:
            self._wire.kill()
            raise

    def can(self, capability: str) -> bool:
        """Say whether the server offers something, such as `implementationProvider`."""
        return self._capabilities.get(capability) not in (None, False)

    def definitions(
        self, path: str, text: str, language: str, spots: Sequence[tuple[str, Spot]], seconds: float
    ) -> list[tuple[Found, ...] | None]:
        """Return for each (method, spot) of a file where it leads; None when the server refused that one."""
        uri = (self._root / path).as_uri()
        language_id = self.server.ids.get(language, language)
        self._notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language_id, "version": 1, "text": text}},
        )
        asked = [
            self._ask(
                f"textDocument/{method}",
                {"textDocument": {"uri": uri}, "position": {"line": spot.line, "character": spot.column}},
            )
            for method, spot in spots
        ]
        replies = self._collect(asked, time.monotonic() + seconds)
        self._notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        return [tuple(_locations(replies[one])) if one in replies else None for one in asked]

    def warm_up(self) -> None:
        """Wait until the server has read the project, as far as it tells, and at most as long as the table says."""
        until = time.monotonic() + self.server.warm
        quiet = time.monotonic() + _QUIET
        while time.monotonic() < until and (self._busy or time.monotonic() < quiet):
            message = self._wire.receive(min(until, time.monotonic() + _QUIET))
            if message is not None:
                self._hear(message)
                quiet = time.monotonic() + _QUIET

    def close(self) -> None:
        """Ask the server to end, and end it."""
        try:
            self._collect([self._ask("shutdown", None)], time.monotonic() + 2.0)
            self._notify("exit", None)
            self._wire.ended()
        except ServerGone:
            pass
        self._wire.kill()

    def kill(self) -> None:
        """End the server at once."""
        self._wire.kill()

    def _greet(self) -> Mapping[str, Any]:
        uri = self._root.as_uri()
        features = {
            "definition": {"linkSupport": True},
            "implementation": {"linkSupport": True},
            "synchronization": {"didSave": False},
        }
        hello = self._ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "rootPath": str(self._root),
                "workspaceFolders": [{"uri": uri, "name": self._root.name}],
                "initializationOptions": self.server.options,
                "capabilities": {
                    "general": {"positionEncodings": ["utf-16"]},
                    "workspace": {"configuration": True, "workspaceFolders": True},
                    "window": {"workDoneProgress": True},
                    "textDocument": features,
                },
            },
        )
        replies = self._collect([hello], time.monotonic() + START_SECONDS)
        answer = replies.get(hello)
        if not isinstance(answer, dict) or "capabilities" not in answer:
            raise ServerGone(f"{self.server.name} did not greet as the protocol says")
        capabilities: Mapping[str, Any] = answer["capabilities"]
        if capabilities.get("definitionProvider") in (None, False):
            raise ServerGone(f"this version of {self.server.name} cannot tell where names are defined")
        self._notify("initialized", {})
        return capabilities

    def _ask(self, method: str, parameters: Any) -> int:
        self._next += 1
        self._wire.send({"id": self._next, "method": method, "params": parameters})
        return self._next

    def _notify(self, method: str, parameters: Any) -> None:
        self._wire.send({"method": method, "params": parameters})

    def _collect(self, asked: Sequence[int], until: float) -> dict[int, Any]:
        """Return the results by request; one that failed has none. Silence until the given time is an end."""
        waiting = set(asked)
        found: dict[int, Any] = {}
        while waiting:
            message = self._wire.receive(until)
            if message is None:
                raise ServerGone(f"{self.server.name} did not answer in time")
            if "method" in message:
                self._hear(message)
            elif message.get("id") in waiting:
                waiting.discard(message["id"])
                if "error" not in message:
                    found[message["id"]] = message.get("result")
        return found

    def _hear(self, message: Mapping[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params") or {}
        if method == "$/progress":
            kind = (parameters.get("value") or {}).get("kind")
            (self._busy.add if kind == "begin" else self._busy.discard if kind == "end" else _ignore)(
                parameters.get("token", 0)
            )
        if method in {"window/showMessage", "window/logMessage"} and parameters.get("type") == _ERROR:
            self.complaint = " ".join(str(parameters.get("message", "")).split())[:_LONGEST_COMPLAINT]
        if "id" not in message or "method" not in message:
            return
        if method == "workspace/configuration":
            result: Any = [self._setting(one.get("section") or "") for one in parameters.get("items", [])]
        elif method == "workspace/workspaceFolders":
            result = [{"uri": self._root.as_uri(), "name": self._root.name}]
        elif method == "workspace/applyEdit":
            result = {"applied": False}
        else:
            result = None
        self._wire.send({"id": message["id"], "result": result})

    def _setting(self, section: str) -> Any:
        """Return the settings of a section, those of its own parts nested as a server expects them."""
        settings = self.server.settings
        if section in settings:
            return settings[section]
        inner = {
            key[len(section) + 1 :]: value for key, value in settings.items() if key.startswith(f"{section}.")
        }
        return inner or None


def _ignore(_: Any) -> None:
    return None


def _locations(result: Any) -> Iterator[Found]:
    """Yield the places of a Location, a list of them, or a list of links."""
    rows = result if isinstance(result, list) else [result] if isinstance(result, dict) else []
    for row in rows:
        uri = row.get("targetUri") or row.get("uri")
        span = row.get("targetSelectionRange") or row.get("targetRange") or row.get("range")
        path = _path_of(uri) if isinstance(uri, str) else None
        if path is not None and isinstance(span, dict):
            yield Found(path, int(span["start"]["line"]), int(span["start"]["character"]))


def _path_of(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return Path("/outside", parts.scheme, unquote(parts.path).lstrip("/"))
    text = unquote(parts.path)
    if os.name == "nt":
        text = text.lstrip("/")
    return Path(text)
