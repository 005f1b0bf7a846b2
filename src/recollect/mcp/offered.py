"""What is offered to agents: tools, instructions and prompts, read from one data file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError

TYPES: Mapping[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list of texts"),
}


@cache
def offered() -> dict[str, Any]:
    """Return the data file."""
    text = files("recollect.mcp").joinpath("offered.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def instructions() -> str:
    """Return what a client tells its agent about the server."""
    text: str = offered()["instructions"]
    return text


def tool_rows() -> list[dict[str, Any]]:
    """Return every tool as the protocol lists it."""
    return [
        {
            "name": tool["name"],
            "title": tool["title"],
            "description": tool["description"],
            "inputSchema": {
                "type": "object",
                "properties": tool["input"],
                "required": tool["required"],
                "additionalProperties": False,
            },
            "outputSchema": offered()["output"],
            "annotations": {"readOnlyHint": tool["reads"], "openWorldHint": False},
        }
        for tool in offered()["tools"]
    ]


def resource_rows() -> list[dict[str, Any]]:
    """Return every resource as the protocol lists it."""
    rows: list[dict[str, Any]] = offered()["resources"]
    return rows


def prompt_rows() -> list[dict[str, Any]]:
    """Return every prompt as the protocol lists it."""
    return [
        {
            **{key: row[key] for key in ("name", "title", "description")},
            "arguments": [
                {"name": name, "description": text, "required": True}
                for name, text in row["arguments"].items()
            ],
        }
        for row in offered()["prompts"]
    ]


def checked(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with defaults filled in; raise a sentence that an agent can act on."""
    tools = {tool["name"]: tool for tool in offered()["tools"]}
    if name not in tools:
        raise UsageError(f"There is no tool '{name}'.{suggest(name, tools)} Tools: {', '.join(tools)}.")
    known = tools[name]["input"]
    values = {key: rule["default"] for key, rule in known.items() if "default" in rule}
    for key, value in given.items():
        if key not in known:
            hint = suggest(key, known)
            raise UsageError(f"The tool {name} has no argument '{key}'.{hint} Arguments: {', '.join(known)}.")
        if value is not None:
            _check(key, value, known[key])
            values[key] = value
    for key in tools[name]["required"]:
        if not values.get(key):
            raise UsageError(f"The tool {name} needs the argument '{key}'.")
    return values


def _check(key: str, value: Any, rule: Mapping[str, Any]) -> None:
    if "enum" in rule:
        if value not in rule["enum"]:
            raise UsageError(f"'{key}' must be one of {', '.join(rule['enum'])}, not {value!r}.")
        return
    kind, said = TYPES[rule["type"]]
    fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if fits and kind is list:
        fits = all(isinstance(one, str) for one in value)
    if not fits:
        raise UsageError(f"'{key}' must be {said}, not {value!r}.")
    low, high = rule.get("minimum"), rule.get("maximum")
    if low is not None and high is not None and not low <= value <= high:
        raise UsageError(f"'{key}' must lie between {low} and {high}, not {value}.")
