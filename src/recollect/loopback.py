"""Listening on this machine only, for the servers that agents and browsers talk to."""

from __future__ import annotations

import socket

from recollect.errors import UsageError

HOST = "127.0.0.1"


def listen(port: int, host: str = HOST) -> socket.socket:
    """Return a socket that listens on a loopback address; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise UsageError(f"Port {port} on {host} cannot be used ({error}); choose another, or 0.") from error
    listening.listen()
    return listening
