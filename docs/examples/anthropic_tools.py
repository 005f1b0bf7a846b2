"""Tool use with Anthropic's messages.

With a client:   create = lambda **asked: anthropic.Anthropic().messages.create(**asked).model_dump()
Without network: python anthropic_tools.py anthropic_responses.json   plays answers in the same format from a file.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import recollect
from recollect.adapters.tools import Tools

Create = Callable[..., dict[str, Any]]


def answer(project: recollect.Recollect, question: str, create: Create, model: str = "your-model") -> str:
    """Let the model call tools until it answers."""
    tools = Tools(project)
    asked = {"model": model, "max_tokens": 1024, "system": tools.instructions, "tools": tools.anthropic()}
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for _ in range(8):
        reply = create(messages=messages, **asked)
        messages.append({"role": "assistant", "content": reply["content"]})
        calls = [block for block in reply["content"] if block["type"] == "tool_use"]
        if not calls:
            return "".join(block["text"] for block in reply["content"] if block["type"] == "text")
        results = []
        for call in calls:
            result = tools.call(call["name"], call["input"])
            print(f"{call['name']}: {result.text.splitlines()[0]}")
            results.append(
                {
                    "type": "tool_result",
                    "tool_use_id": call["id"],
                    "content": result.text,
                    "is_error": result.failed,
                }
            )
        messages.append({"role": "user", "content": results})
    return "No answer after eight rounds."


if __name__ == "__main__":
    played = iter(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    with recollect.open() as opened:
        print(answer(opened, "How long does a client wait?", lambda **_: next(played)))
