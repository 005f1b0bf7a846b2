"""A hook never stands in an agent's way."""

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.cli.hook import AGENTS, MOMENTS
from recollect.hooks import run as running
from recollect.hooks.heard import known
from recollect.retrieve.tokens import exact


def program(text, *arguments, cwd, **environment):
    return subprocess.run(
        [sys.executable, "-m", "recollect", "hook", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_the_command_knows_the_agents_and_moments_of_the_data_file():
    agents = known()["agents"]
    assert set(AGENTS) == set(agents)
    assert set(MOMENTS) >= {name for row in agents.values() for name in row["moments"]}
    for row in agents.values():
        for name, moment in row["moments"].items():
            assert moment.get("moment", name) in known()["limits"]


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", '"x"', '{"cwd": 7}', "\0", '{"cwd": "/nowhere/at/all"}']
)
def test_nonsense_is_answered_with_silence(text, known_shop):
    for moment in ("before-edit", "stop"):
        done = program(text, "claude-code", moment, cwd=known_shop)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("claude-code", "before-lunch"),
        ("nobody", "stop"),
        ("cursor", "before-edit"),
        (),
        ("vscode", "stop", "--new"),
    ],
)
def test_an_entry_of_another_version_stops_no_edit(arguments, known_shop):
    done = program("{}", *arguments, cwd=known_shop)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_failure_is_silent_and_logged(known_shop, hook, edit, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("recollect.engine.Recollect.outline", broken)
    assert hook("before-edit", **edit("shop/retry.py")) == ""
    (line,) = (known_shop / ".recollect/hooks.log").read_text(encoding="utf-8").splitlines()
    assert line.endswith("before-edit: ZeroDivisionError: surprise")


def test_the_log_keeps_its_last_hundred_lines(known_shop, hook):
    for _ in range(running.MOST_LOGGED + 5):
        running._log(known_shop, "stop", ValueError("x"))
    assert len((known_shop / ".recollect/hooks.log").read_text(encoding="utf-8").splitlines()) == 100


SLOW = """
import sys, threading
from recollect import engine
from recollect.hooks import heard, run
heard.known()["limits"]["before-edit"]["seconds"] = 0.3
engine.Recollect.outline = lambda *_: threading.Event().wait(60)
run.run("claude-code", "before-edit", sys.stdin.read(), print)
"""


def test_a_hook_that_takes_too_long_ends_itself_in_silence(known_shop, edit):
    told = json.dumps({"cwd": str(known_shop), "session_id": "s", **edit("shop/retry.py")})
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SLOW],
        input=told,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert time.monotonic() - started < 30
    assert "took longer than 0.3 seconds" in (known_shop / ".recollect/hooks.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("environment", [{"RECOLLECT_HOOKS": "off"}, {"RECOLLECT_HOOKS": "0"}])
def test_one_switch_turns_all_of_them_off(known_shop, edit, environment):
    told = json.dumps(
        {"cwd": str(known_shop), "session_id": "s", "source": "startup", **edit("shop/retry.py")}
    )
    started = program(told, "claude-code", "session-start", cwd=known_shop).stdout
    log = known_shop / ".recollect/hooks.log"
    assert started or "took longer" in log.read_text(encoding="utf-8")
    for moment in ("session-start", "before-edit", "after-use", "stop", "session-end"):
        assert program(told, "claude-code", moment, cwd=known_shop, **environment).stdout == ""
    assert not (known_shop / ".recollect/sessions").exists()


def test_the_switch_is_a_setting_of_the_project_too(known_shop, hook):
    (known_shop / ".recollect/config.toml").write_text("hooks = false\n", encoding="utf-8")
    assert hook("session-start", source="startup") == ""


@settings(max_examples=60)
@given(st.lists(st.text(max_size=300), max_size=12), st.integers(0, 300))
def test_no_answer_costs_more_than_it_may(lines, tokens):
    assert exact(running.fitting(lines, tokens)) <= tokens


def test_many_notes_stay_inside_the_tokens(known_shop, hook, edit):
    from recollect import engine

    with engine.open(known_shop) as project:
        for number in range(20):
            project.remember(f"RetryPolicy note {number}: " + f"word{number} " * 200)
    said = hook("before-edit", **edit("shop/retry.py", "attempts = 3"))
    assert said
    assert exact(said) <= known()["limits"]["before-edit"]["tokens"]
