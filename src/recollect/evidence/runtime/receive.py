"""Receives spans from programs of this machine, as the OpenTelemetry protocol sends them over HTTP."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from recollect.errors import UsageError
from recollect.evidence.protobuf import CutShort
from recollect.evidence.runtime.follow import Follower, Span
from recollect.evidence.runtime.otlp import spans_of_json, spans_of_protobuf
from recollect.evidence.runtime.sums import Sums
from recollect.loopback import HOST, listen

PORT = 4318
"""Where exporters of OpenTelemetry send to unless they are told otherwise."""
LARGEST = 64 << 20
"""Bytes of a message, unpacked."""
_PATIENCE = 10.0
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
_JSON, _PROTOBUF = "application/json", "application/x-protobuf"


class Receiver:
    """Listens on loopback until it is closed; what it heard is taken away with `heard`."""

    def __init__(self, host: str = HOST, port: int = PORT) -> None:
        self._guard = threading.Lock()
        self._sums = Sums()
        self._follower = Follower(self._sums)
        self._server = ThreadingHTTPServer((HOST, 0), _Handler, bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listen(port, _loopback(host))
        self._server.daemon_threads = True
        self._server.receiver = self  # type: ignore[attr-defined]
        self.host, self.port = self._server.socket.getsockname()[:2]
        self._thread = threading.Thread(target=self._server.serve_forever, name="otlp", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Return what an exporter is to be told."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def take(self, spans: Iterable[Span], now: float) -> None:
        """Sum up the spans of a message."""
        with self._guard:
            for span in spans:
                self._sums.records += 1
                self._sums.unnamed += span.frame is None
                ended = span.ended if 0 < span.ended < now else now
                self._follower.add(span._replace(ended=ended))

    def heard(self) -> Sums:
        """Return what was summed up since the last time."""
        with self._guard:
            sums, self._sums = self._sums, Sums()
            self._follower.into(self._sums)
            return sums

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Refused(Exception):  # noqa: N818  # it becomes an answer
    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    """Answers one program."""

    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE

    def do_POST(self) -> None:
        """Take the spans of one message."""
        import time

        try:
            kind = self._checked()
            body = _unpacked(self._body(), self.headers.get("Content-Encoding", ""))
            # A message is read whole before anything of it counts.
            read = spans_of_json(body) if kind == _JSON else spans_of_protobuf(memoryview(body))
            self.server.receiver.take(list(read), time.time())  # type: ignore[attr-defined]
        except _Refused as error:
            self._answer(error.status, _JSON, json.dumps({"message": str(error)}).encode())
            return
        except (CutShort, msgspec.MsgspecError, zlib.error, ValueError) as error:
            said = {"message": f"The message is no trace of OpenTelemetry: {error}."}
            self._answer(400, _JSON, json.dumps(said).encode())
            return
        self._answer(200, kind, b"{}" if kind == _JSON else b"")

    def do_GET(self) -> None:
        """Say what is here."""
        self._answer(405, _JSON, b'{"message": "Send traces with POST /v1/traces."}')

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # named by the base class
        """Write nothing: what programs send is nobody's business."""

    def _checked(self) -> str:
        """Return the type of a message that may be read; pages of a browser must not get this far."""
        host = re.sub(r":\d+$", "", self.headers.get("Host", ""))
        if self.headers.get("Origin") or host not in _LOCAL:
            raise _Refused(403, "Only programs of this machine may send traces, and no pages of a browser.")
        if self.path.partition("?")[0] != "/v1/traces":
            raise _Refused(404, f"There is nothing at {self.path}; only traces are taken, at /v1/traces.")
        kind = self.headers.get_content_type()
        if kind not in {_JSON, _PROTOBUF}:
            raise _Refused(415, f"Send {_PROTOBUF} or {_JSON}, not {kind}.")
        return kind

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._chunks()
        size = self.headers.get("Content-Length", "")
        if not size.isdigit():
            raise _Refused(411, "The length of the message is missing.")
        if int(size) > LARGEST:
            self.close_connection = True
            raise _Refused(
                413, f"A message of more than {LARGEST >> 20} MB is not taken; send smaller batches."
            )
        return self.rfile.read(int(size))

    def _chunks(self) -> bytes:
        parts, total = [], 0
        while size := int(self.rfile.readline(64).partition(b";")[0].strip() or b"0", 16):
            total += size
            if size < 0 or total > LARGEST:
                self.close_connection = True
                raise _Refused(
                    413, f"A message of more than {LARGEST >> 20} MB is not taken; send smaller batches."
                )
            parts.append(self.rfile.read(size))
            self.rfile.readline(8)
        while self.rfile.readline(1024).strip():
            pass
        return b"".join(parts)

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status >= 400:
            # The rest of the message may not have been read.
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)


def _unpacked(body: bytes, packing: str) -> bytes:
    if packing in {"", "identity"}:
        return body
    if packing not in {"gzip", "deflate"}:
        raise _Refused(415, f"Messages packed with {packing} are not read; use gzip or none.")
    unpacking = zlib.decompressobj(wbits=47 if packing == "gzip" else 15)
    found = unpacking.decompress(body, LARGEST)
    if unpacking.unconsumed_tail:
        raise _Refused(413, f"A message of more than {LARGEST >> 20} MB is not taken; send smaller batches.")
    return found


def address_of(text: str) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`, `HOST` or `PORT`."""
    found = re.fullmatch(
        r"(?:http://)?(?P<host>\[[^\]]+\]|[^:/\d][^:/]*|\d+\.[\d.]+)?:?(?P<port>\d+)?/?", text.strip()
    )
    if found is None or (found["port"] and int(found["port"]) > 65535):
        raise UsageError(f"{text!r} is no address to listen on; give HOST:PORT, such as {HOST}:{PORT}.")
    return _loopback((found["host"] or HOST).strip("[]")), int(found["port"] or PORT)


def _loopback(host: str) -> str:
    if host.strip("[]") not in {one.strip("[]") for one in _LOCAL}:
        raise UsageError(f"{host} is not this machine alone; traces are received on {HOST} only.")
    return HOST if host == "localhost" else host.strip("[]")
