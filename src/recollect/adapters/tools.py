"""The tools of the agent server for a program that calls a model itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.engine import Recollect
from recollect.errors import RecollectError, UsageError
from recollect.mcp import offered
from recollect.mcp.answers import TOOLS, Given


class Result(NamedTuple):
    """What a tool answers: a text for the model, and whether it failed."""

    text: str
    failed: bool = False


class Tools:
    """The six tools over one open project, in the form that a model's interface takes, and called by name.

    >>> import recollect
    >>> with recollect.open(shop) as project:
    ...     tools = Tools(project)
    ...     [tool["function"]["name"] for tool in tools.openai()]
    ...     tools.call("symbol", {"name": "deliver", "about": "callers"}).text.splitlines()[0]
    ['context', 'search', 'symbol', 'remember', 'recall', 'feedback']
    '1 item depends on deliver (shop/client.py:23-25):'
    """

    def __init__(self, project: Recollect) -> None:
        self._project = project
        self._given = Given()

    @property
    def instructions(self) -> str:
        """Return what a model should be told of the tools in its system prompt."""
        return offered.instructions()

    def openai(self) -> list[dict[str, Any]]:
        """Return the tools as interfaces compatible with OpenAI's chat completions take them."""
        return [
            {
                "type": "function",
                "function": {
                    "name": row["name"],
                    "description": row["description"],
                    "parameters": row["inputSchema"],
                },
            }
            for row in offered.tool_rows()
        ]

    def anthropic(self) -> list[dict[str, Any]]:
        """Return the tools as Anthropic's messages take them."""
        return [
            {"name": row["name"], "description": row["description"], "input_schema": row["inputSchema"]}
            for row in offered.tool_rows()
        ]

    def call(self, name: str, arguments: Mapping[str, Any] | str) -> Result:
        """Call a tool with arguments as values or as the JSON that a model wrote; a failure is a sentence for it."""
        try:
            answer = TOOLS[name](self._project, offered.checked(name, _read(arguments)), self._given)
        except RecollectError as error:
            return Result(str(error), failed=True)
        except KeyError:
            return Result(f"There is no tool '{name}'. Tools: {', '.join(TOOLS)}.", failed=True)
        self._given.note(answer)
        return Result(answer.text)


def _read(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        read = json.loads(arguments or "{}")
    except ValueError as error:
        raise UsageError(f"The arguments are no JSON ({error}); write one object.") from error
    if not isinstance(read, dict):
        raise UsageError("The arguments must be one JSON object.")
    return read
