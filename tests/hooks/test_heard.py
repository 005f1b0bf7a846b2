"""What each agent writes to a hook, as its maker documents it."""

import json
from pathlib import Path

import pytest

from recollect.hooks.heard import heard

HERE = Path("/here")
PATCH = """*** Begin Patch
*** Update File: shop/retry.py
@@
-    attempts = 3
+    attempts = limit_of(order)
*** Add File: shop/limits.py
+def limit_of(order):
+    return 5
*** End Patch"""
SAMPLES = {
    "claude-code edit": (
        {
            "session_id": "abc",
            "transcript_path": "/home/x/.claude/projects/p/abc.jsonl",
            "cwd": "/p",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": "/p/a.py", "old_string": "one", "new_string": "two"},
            "tool_use_id": "t1",
        },
        ("abc", "/p", (), ("/p/a.py",), ("one",), "two"),
    ),
    "claude-code several edits": (
        {
            "session_id": "abc",
            "cwd": "/p",
            "tool_name": "MultiEdit",
            "tool_input": {
                "file_path": "/p/a.py",
                "edits": [
                    {"old_string": "one", "new_string": "two"},
                    {"old_string": "three", "new_string": "four"},
                ],
            },
        },
        ("abc", "/p", (), ("/p/a.py",), ("one", "three"), "two\nfour"),
    ),
    "claude-code deletion": (
        {
            "session_id": "abc",
            "cwd": "/p",
            "tool_input": {"file_path": "/p/a.py", "old_string": "gone", "new_string": ""},
        },
        ("abc", "/p", (), ("/p/a.py",), ("gone",), ""),
    ),
    "claude-code read": (
        {
            "session_id": "abc",
            "cwd": "/p",
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": "/p/a.py"},
            "tool_response": {"type": "text", "file": {"filePath": "/p/a.py", "content": "..."}},
        },
        ("abc", "/p", ("/p/a.py",), (), (), ""),
    ),
    "codex patch": (
        {
            "session_id": "th",
            "cwd": "/p",
            "hook_event_name": "PostToolUse",
            "tool_name": "apply_patch",
            "tool_input": {"command": PATCH},
        },
        (
            "th",
            "/p",
            (),
            ("shop/retry.py", "shop/limits.py"),
            ("    attempts = 3",),
            "    attempts = limit_of(order)\ndef limit_of(order):\n    return 5",
        ),
    ),
    "codex command": (
        {"session_id": "th", "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": "ls"}},
        ("th", "/p", (), (), (), ""),
    ),
    "cursor edit": (
        {
            "conversation_id": "conv",
            "generation_id": "g",
            "hook_event_name": "afterFileEdit",
            "workspace_roots": ["/p"],
            "file_path": "/p/main.ts",
            "edits": [{"old_string": "const foo = 1", "new_string": "const foo = 2"}],
        },
        ("conv", "/p", (), ("/p/main.ts",), ("const foo = 1",), "const foo = 2"),
    ),
    "vscode edit": (
        {
            "timestamp": "2026-02-09T10:30:00.000Z",
            "cwd": "/p",
            "sessionId": "vs",
            "hookEventName": "PostToolUse",
            "tool_name": "replace_string_in_file",
            "tool_input": {"filePath": "/p/a.ts", "oldString": "a", "newString": "b"},
        },
        ("vs", "/p", (), ("/p/a.ts",), ("a",), "b"),
    ),
    "copilot edit": (
        {
            "cwd": "/p",
            "session_id": "co",
            "hook_event_name": "PostToolUse",
            "tool_name": "edit",
            "tool_input": {"path": "/p/a.py", "old_str": "a", "new_str": "b"},
        },
        ("co", "/p", (), ("/p/a.py",), ("a",), "b"),
    ),
    "copilot new file": (
        {"cwd": "/p", "session_id": "co", "tool_input": {"path": "/p/a.py", "file_text": "b"}},
        ("co", "/p", (), ("/p/a.py",), (), "b"),
    ),
    "vscode several edits": (
        {
            "cwd": "/p",
            "sessionId": "vs",
            "tool_name": "multi_replace_string_in_file",
            "tool_input": {"replacements": [{"filePath": "/p/a.ts", "oldString": "a", "newString": "b"}]},
        },
        ("vs", "/p", (), ("/p/a.ts",), ("a",), "b"),
    ),
    "windsurf edit": (
        {
            "agent_action_name": "post_write_code",
            "trajectory_id": "tr",
            "execution_id": "e",
            "tool_info": {"file_path": "/p/a.go", "edits": [{"old_string": "a", "new_string": "b"}]},
        },
        ("tr", "/here", (), ("/p/a.go",), ("a",), "b"),
    ),
    "windsurf read": (
        {
            "agent_action_name": "post_read_code",
            "trajectory_id": "tr",
            "tool_info": {"file_path": "/p/a.go"},
        },
        ("tr", "/here", ("/p/a.go",), (), (), ""),
    ),
    "nothing": ({}, ("", "/here", (), (), (), "")),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_agent_is_understood(name):
    told, (session, folder, opened, edited, old, new) = SAMPLES[name]
    found = heard(json.dumps(told), HERE)
    assert (found.session, found.folder) == (session, Path(folder))
    assert (found.opened, found.edited, found.old, found.new) == (opened, edited, old, new)


@pytest.mark.parametrize(
    "told", [{"session_id": 5, "cwd": ["x"], "tool_input": None}, {"tool_input": {"edits": "no list"}}]
)
def test_what_has_another_shape_is_as_if_it_was_not_said(told):
    assert heard(json.dumps(told), HERE).folder == HERE
