"""Runs the server: over standard input and output until the client is gone, or over HTTP on this machine."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.mcp.wire import Wire, open_wire

if TYPE_CHECKING:
    from recollect.served import Served

PARENT_LOOK = 1.0
"""Seconds between two looks whether the client's process is still there."""


def serve_stdio(folder: Path | None) -> None:
    """Serve one client until its end of the pipe closes or its process dies; leave nothing behind."""
    ending = Ending()
    threading.Thread(target=ending.follow, args=(os.getppid(),), daemon=True).start()
    wire = open_wire()
    loading = Loading(folder, ending)
    try:
        wire.converse(loading.client_is_ready)
        if not wire.closed:
            _converse(loading.served(), wire)
    finally:
        ending.leave()


class Ending:
    """Ends the process once, from whichever side it is noticed that the client is gone."""

    def __init__(self) -> None:
        self.close: Callable[[], None] = lambda: None

    def follow(self, parent: int) -> None:
        """End with the parent, also when something else still holds the pipe open."""
        while os.getppid() == parent:
            time.sleep(PARENT_LOOK)
        self.leave()

    def leave(self) -> None:
        """Close what is open and end at once: no thread that waits for a disk or a line keeps the process alive."""
        try:
            self.close()
        finally:
            sys.stderr.flush()
            os._exit(0)


class Loading:
    """Loads the SDK and the engine behind the first answers: they take longer than a client likes to wait."""

    def __init__(self, folder: Path | None, ending: Ending) -> None:
        self._folder = folder
        self._ending = ending
        self._served: Served | None = None
        self._ready = False
        self._thread = threading.Thread(target=self._load, name="recollect-load", daemon=True)
        self._thread.start()

    def client_is_ready(self) -> None:
        """Begin to index, now or as soon as everything is loaded."""
        self._ready = True
        if self._served is not None:
            self._served.start()

    def served(self) -> Served:
        """Return the project, once it is loaded."""
        self._thread.join()
        if self._served is None:
            self._load()
        assert self._served is not None
        return self._served

    def _load(self) -> None:
        import mcp.server.stdio  # noqa: F401

        import recollect.mcp.server  # noqa: F401
        from recollect.served import Served

        self._served = Served(self._folder)
        self._ending.close = self._served.close
        if self._ready:
            self._served.start()


def _converse(served: Served, wire: Wire) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    from recollect.mcp.server import build

    server = build(served)

    async def main() -> None:
        streams = stdio_server(anyio.wrap_file(wire.stdin()), anyio.wrap_file(wire.stdout()))
        async with streams as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(main)
