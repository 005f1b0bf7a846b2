import json
from pathlib import Path

import pytest

from recollect import engine
from recollect.hooks.run import run


@pytest.fixture
def known_shop(shop):
    """The small repository, indexed, with one memory about a symbol of it."""
    with engine.open(shop) as project:
        project.index()
        project.remember("RetryPolicy must stay below 30 seconds in all", kind="decision")
    return shop


@pytest.fixture
def hook(shop, monkeypatch):
    """Run a hook in this process and return what it says, with the frame taken off."""

    def hook(moment, agent="claude-code", session="s1", **told) -> str:
        said: list[str] = []
        data = {"session_id": session, "cwd": str(shop), **told}
        run(agent, moment, json.dumps(data), said.append)
        assert len(said) <= 1
        text = "".join(said)
        framed = json.loads(text) if text.startswith("{") else {}
        return framed.get("hookSpecificOutput", {}).get("additionalContext", text)

    return hook


@pytest.fixture
def edit(shop):
    """Return what Claude Code tells of an edit."""

    def edit(path: str, old: str = "", new: str = "x") -> dict:
        file = str(Path(shop) / path)
        return {"tool_name": "Edit", "tool_input": {"file_path": file, "old_string": old, "new_string": new}}

    return edit
