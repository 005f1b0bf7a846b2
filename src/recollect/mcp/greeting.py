"""What a client asks before it calls anything, answered from constants: the handshake, the lists, a ping."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from recollect.mcp.offered import instructions, prompt_rows, resource_rows, tool_rows

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Protocol versions that begin with a handshake; the last is offered to who asks for another."""
CAPABILITIES: Mapping[str, Any] = {
    "prompts": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "tools": {"listChanged": False},
}
LISTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "ping": dict,
    "prompts/list": lambda: {"prompts": prompt_rows()},
    "resources/list": lambda: {"resources": resource_rows()},
    "resources/templates/list": lambda: {"resourceTemplates": []},
    "tools/list": lambda: {"tools": tool_rows()},
}


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
    result = {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
        "capabilities": CAPABILITIES,
        "serverInfo": {"name": "recollect", "title": "recollect", "version": version("recollect")},
        "instructions": instructions(),
    }
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def listing(line: bytes) -> dict[str, Any] | None:
    """Return the answer to a plain question for a list, or None for anything that the SDK has to judge."""
    try:
        message = json.loads(line)
        plain = (
            message["jsonrpc"] == "2.0"
            and message["method"] in LISTS
            and type(message["id"]) in {int, str}
            and isinstance(message.get("params", {}), dict)
            and message.get("params", {}).keys() <= {"_meta"}
        )
    except (ValueError, TypeError, KeyError):
        return None
    if not plain:
        return None
    return {"jsonrpc": "2.0", "id": message["id"], "result": LISTS[message["method"]]()}


def is_ready(line: bytes) -> bool:
    """Tell whether a client says that it has read the answer to its handshake."""
    try:
        ready: bool = json.loads(line)["method"] == "notifications/initialized"
    except (ValueError, TypeError, KeyError):
        return False
    return ready
