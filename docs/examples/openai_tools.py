"""Tool use with any interface that is compatible with OpenAI's chat completions.

With a client:   complete = lambda **asked: openai.OpenAI().chat.completions.create(**asked).model_dump()
Without network: python openai_tools.py openai_responses.json   plays answers in the same format from a file.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import recollect
from recollect.adapters.tools import Tools

Complete = Callable[..., dict[str, Any]]


def answer(project: recollect.Recollect, question: str, complete: Complete, model: str = "your-model") -> str:
    """Let the model call tools until it answers."""
    tools = Tools(project)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": tools.instructions},
        {"role": "user", "content": question},
    ]
    for _ in range(8):
        message = complete(model=model, messages=messages, tools=tools.openai())["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return str(message["content"])
        for call in message["tool_calls"]:
            result = tools.call(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result.text})
            print(f"{call['function']['name']}: {result.text.splitlines()[0]}")
    return "No answer after eight rounds."


if __name__ == "__main__":
    played = iter(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    with recollect.open() as opened:
        print(answer(opened, "How long does a client wait?", lambda **_: next(played)))
