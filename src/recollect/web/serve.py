"""Runs the page until it is interrupted, and opens it in the browser of whoever started it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

import uvicorn

from recollect.errors import UsageError
from recollect.loopback import HOST, listen
from recollect.served import Served
from recollect.web.app import build
from recollect.web.door import TOKEN, Door
from recollect.web.metrics import Metrics

CLOSING = 1
"""Seconds that answers under way are given when the server ends."""


def serve(
    folder: Path | None, port: int, host: str, show: bool, ready: Callable[[str], None], metrics: bool = False
) -> None:
    """Serve a project to the browsers of this machine until Ctrl-C; `ready` is told the address."""
    own = loopback(host)
    listening = listen(port, own)
    door = Door(listening.getsockname()[1], own)
    served = Served(folder)
    signal.signal(signal.SIGTERM, _end)
    try:
        served.start()
        address = f"{door.address}/?{TOKEN}={door.token}"
        ready(address)
        if show:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        app = build(served, door, Metrics(served) if metrics else None)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=CLOSING, server_header=False,
            ws="none",
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        served.close()
        listening.close()


def loopback(host: str) -> str:
    """Return an address of this machine that only this machine can reach; refuse any other."""
    name = HOST if host == "localhost" else host
    try:
        good = ip_address(name).is_loopback
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"The page shows code and memories, so it is served to this machine only, not on {host}. "
            "To see it from elsewhere, forward the port: ssh -L 8765:127.0.0.1:8765 THIS-MACHINE."
        )
    return name


def _open(address: str) -> None:
    """Open a browser where there is a screen; without one a browser in the terminal would take it over."""
    import webbrowser

    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def _end(_: int, __: FrameType | None) -> None:
    raise SystemExit(0)
