"""Real agents, driven by a script in place of their model.

They come from npm: @anthropic-ai/claude-code, @openai/codex, @github/copilot.

The agents wait for seconds only: on a machine that is busy with other things they go on without server or hooks.
They read what `recollect install` wrote, start the server, call it, and run the hooks; nothing leaves this machine.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.install.model import anthropic_events, model, openai_events

from recollect import engine

CLAUDE = shutil.which("claude")
CODEX = shutil.which("codex")
COPILOT = shutil.which("copilot")
ASKED = {"task": "wait longer between attempts", "budget": 1000}
EDITED = ("    attempts = 3", "    attempts = 4")
SAID = "I raised RetryPolicy.attempts to 4."
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def home(tmp_path, shop, monkeypatch):
    """A home of its own with recollect on the path, and a memory about the file that will be edited."""
    home = tmp_path / "home"
    home.mkdir()
    beside = str(Path(sys.executable).parent)
    for name, value in {"HOME": str(home), "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"}.items():
        monkeypatch.setenv(name, value)
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "ANTHROPIC_AUTH_TOKEN", "RECOLLECT_HOOKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
    with engine.open(shop) as project:
        project.index()
        project.remember("RetryPolicy waits 30 s at most, or the bank hangs up", kind="decision")
    return home


@pytest.fixture
def run(shop, home):
    """Run a command in the project and return what it says."""

    def run(*command, **environment):
        done = subprocess.run(
            command,
            cwd=shop,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def installed(run, agent):
    """Install with hooks; answer like who approves of the server."""
    run("recollect", "install", agent, "--hooks", "--yes")


def heard_by(asked):
    return json.dumps(asked, ensure_ascii=False)


def what_the_session_left(shop):
    with engine.open(shop) as project:
        return [hit.text for hit in project.recall("hand-over of a session", tags=["hand-over"]).hits]


def late(shop, moment):
    """Tell whether a hook ran out of its seconds, as it may where a machine has much else to do."""
    log = shop / ".recollect/hooks.log"
    return log.exists() and f"{moment}: RecollectError: it took longer" in log.read_text(encoding="utf-8")


def was_told_what_belongs_to_its_moments(told, shop):
    assert "recollect is at hand" in told or late(shop, "session-start")
    assert "before you edit shop/retry.py" in told or late(shop, "before-edit")


def left_a_note(shop):
    notes = what_the_session_left(shop)
    assert notes or late(shop, "session-end") or late(shop, "stop")
    assert all("Edited: shop/retry.py" in note and SAID in note for note in notes)


@pytest.mark.skipif(CLAUDE is None, reason="npm i -g @anthropic-ai/claude-code")
def test_claude_code_reads_the_entry(run):
    installed(run, "claude-code")
    assert "Command: recollect" in run(CLAUDE, "mcp", "get", "recollect")


@pytest.mark.skipif(CLAUDE is None, reason="npm i -g @anthropic-ai/claude-code")
def test_claude_code_calls_the_server_and_runs_the_hooks(run, shop):
    installed(run, "claude-code")
    file = str(shop / "shop/retry.py")
    edit = {"file_path": file, "old_string": EDITED[0], "new_string": EDITED[1]}
    steps = [
        {"tool": "mcp__recollect__context", "input": ASKED},
        {"tool": "Read", "input": {"file_path": file}},
        {"tool": "Edit", "input": edit},
        {"text": SAID},
    ]
    with model(anthropic_events, steps) as (url, asked):
        flags = ["--permission-mode", "acceptEdits", "--allowedTools", "mcp__recollect__context Edit Read"]
        trust = ["--settings", '{"enableAllProjectMcpServers": true}']
        said = run(
            CLAUDE, "-p", "Wait longer", *flags, *trust, ANTHROPIC_BASE_URL=url, ANTHROPIC_API_KEY="none"
        )
    told = heard_by(asked)
    tools = {tool["name"] for body in asked for tool in body.get("tools", [])}
    assert len([name for name in tools if name.startswith("mcp__recollect__")]) == 6
    assert "> RetryPolicy waits 30 s at most" in told
    was_told_what_belongs_to_its_moments(told, shop)
    assert SAID in said
    assert EDITED[1] in Path(file).read_text(encoding="utf-8")
    left_a_note(shop)


@pytest.mark.skipif(CODEX is None, reason="npm i -g @openai/codex")
def test_codex_reads_the_entry(run):
    installed(run, "codex")
    (server,) = json.loads(run(CODEX, "mcp", "list", "--json"))
    assert (server["name"], server["enabled"], server["transport"]["args"]) == ("recollect", True, ["mcp"])


@pytest.mark.skipif(CODEX is None, reason="npm i -g @openai/codex")
def test_codex_calls_the_server_and_runs_the_hooks(run, shop):
    installed(run, "codex")
    patch = (
        f"*** Begin Patch\n*** Update File: shop/retry.py\n@@\n-{EDITED[0]}\n+{EDITED[1]}\n*** End Patch\n"
    )
    steps = [
        {"namespace": "mcp__recollect", "tool": "context", "input": ASKED},
        {"patch": patch},
        {"text": SAID},
    ]
    with model(openai_events, steps) as (url, asked):
        provider = f'{{name="script",base_url="{url}/v1",wire_api="responses",env_key="SCRIPT_KEY"}}'
        known = json.loads(run(CODEX, "debug", "models"))["models"][0]["slug"]
        options = {"model_provider": "script", "model_providers.script": provider, "model": known}
        flags = [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        flags += ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
        said = run(CODEX, "exec", *flags, "Wait longer", SCRIPT_KEY="none")
    told = heard_by(asked)
    assert "Begin a task with `context`" in told
    assert "> RetryPolicy waits 30 s at most" in told
    was_told_what_belongs_to_its_moments(told, shop)
    assert SAID in said
    left_a_note(shop)


@pytest.mark.skipif(COPILOT is None, reason="npm i -g @github/copilot")
def test_copilot_calls_the_server_and_runs_the_hooks_of_vscode(run, home, shop):
    run("recollect", "install", "claude-code", "--yes")
    installed(run, "vscode")
    settings = home / ".copilot/config.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"trusted_folders": [str(shop)]}), encoding="utf-8")
    edit = {"path": str(shop / "shop/retry.py"), "old_str": EDITED[0], "new_str": EDITED[1]}
    steps = [
        {"tool": "recollect-context", "input": ASKED},
        {"tool": "edit", "input": edit},
        {"text": SAID},
    ]
    with model(anthropic_events, steps) as (url, asked):
        provider = {"TYPE": "anthropic", "BASE_URL": url, "API_KEY": "none"}
        environment = {f"COPILOT_PROVIDER_{name}": value for name, value in provider.items()}
        environment |= {"COPILOT_OFFLINE": "true", "COPILOT_MODEL": "claude-sonnet-4"}
        said = run(COPILOT, "-p", "Wait longer", "--allow-all-tools", **environment)
    told = heard_by(asked)
    assert "> RetryPolicy waits 30 s at most" in told
    assert SAID in said
    journals = (shop / ".recollect/sessions").glob("*.jsonl")
    lines = [json.loads(line) for file in journals for line in file.read_text("utf-8").splitlines()]
    edited = [line["paths"] for line in lines if line["what"] == "edited"]
    assert ["shop/retry.py"] in edited or late(shop, "after-use")
