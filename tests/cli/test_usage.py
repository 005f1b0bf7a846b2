import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.cli.app import COMMANDS, SECTIONS, LazyGroup


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["serach", "x"], "There is no command 'serach'. Did you mean 'search'?"),
        (["install", "claud-code"], "Did you mean 'claude-code'?"),
        (["remember", "x", "--kind", "decison"], "Did you mean 'decision'?"),
        (["search"], "Give either a QUERY or --batch FILE."),
        (["search", "a", "--batch", os.devnull], "Give either a QUERY or --batch FILE."),
        (["search", "a", "--limt", "3"], "Did you mean '--limit'?"),
        (["search", "a", "--limit", "0"], "--limit"),
        (["search", "--batch", "/nowhere/at/all"], "/nowhere/at/all"),
        (["search", "a", "--path", "/nowhere/at/all"], "there is no such folder"),
        (
            ["search", "a", "--path", __file__ if os.name == "nt" else "/etc/hostname"],
            "outside any repository",
        ),
        (["index", "a", "--path", "b"], "give one folder"),
        (["impact"], "SYMBOL"),
        (["impact", "x", "--direction", "sideways"], "callers"),
        (["index", Path.cwd().anchor], "root of the disk"),
    ],
)
def test_bad_usage_is_one_sentence_and_code_two(run, arguments, sentence):
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.startswith("recollect: ")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    done = run(command, "--help")
    assert done.code == 0
    assert f"recollect {command}" in done.out.split("Examples:")[1]
    assert max(map(len, done.out.splitlines())) <= 80


def test_no_command_shows_the_help(run):
    done = run("--help")
    assert all(command in done.out for command in COMMANDS)


def test_a_wrong_setting_is_named(run, shop, monkeypatch):
    monkeypatch.setenv("RECOLLECT_WORKERS", "many")
    done = run("status", "--path", str(shop))
    assert done.code == 2
    assert "RECOLLECT_WORKERS must be a whole number" in done.err


def test_an_unexpected_error_is_one_sentence_and_code_three(run, shop, monkeypatch):
    def broken(self):
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("recollect.engine.Recollect.status", broken)
    done = run("status", "--path", str(shop))
    assert done.code == 3
    assert "ZeroDivisionError: surprise" in done.err
    assert len(done.err.splitlines()) == 1


# A run in the background ignores SIGINT and so would its children.
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from recollect.cli.app import main; main()"
)


@pytest.fixture
def program():
    """Start the program in a process of its own, which does not outlive the test."""
    started = []

    def start(*arguments, **options):
        command = [sys.executable, "-c", START, *arguments]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_output_is_utf8_whatever_the_locale_says(shop, program):
    (shop / "tee.md").write_text("# Tée ☕\n\nchaï\n", encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    process = program("search", "chaï", "--path", str(shop), env=environment)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "☕" in out.decode("utf-8")


def test_a_closed_pipe_is_no_error(shop):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "recollect", "search", "order", "--json", "--path", str(shop)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=30)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send to one process on Windows")
def test_watching_ends_cleanly_with_control_c(shop, program):
    process = program("watch", "--path", str(shop))
    assert process.stdout.readline().startswith(b"Indexed 4 files")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert b"Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send to a group on Windows")
def test_control_c_while_indexing_is_one_sentence_and_the_next_command_works(shop, run, program):
    for number in range(300):
        (shop / f"m{number}.py").write_text(f"def f{number}():\n    return {number}\n" * 50, encoding="utf-8")
    process = program("index", "--path", str(shop), start_new_session=True)
    while process.poll() is None and not (shop / ".recollect" / "index.db").exists():
        os.sched_yield()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, b"recollect: Interrupted; what was indexed so far is kept.\n")
    assert run("search", "f299", "--path", str(shop)).code == 0


def test_no_colour_and_no_bar_when_nobody_watches(run, shop):
    done = run("index", "--path", str(shop))
    assert "\x1b" not in done.out + done.err


def test_the_help_lists_every_command_once_by_what_it_is_for():
    assert len(COMMANDS) == sum(map(len, SECTIONS.values()))
    for name in COMMANDS:
        assert LazyGroup().get_command(None, name).name == name


@pytest.mark.parametrize("question", [("where", "orders", "wait"), ("where orders wait",)])
def test_a_question_needs_no_quotes(run, shop, question):
    asked = run("search", *question, "--limit", "1", "--json", "--path", str(shop))
    assert json.loads(asked.out)["hits"][0]["path"].startswith("shop/")


@pytest.mark.parametrize("command", ["search", "recall"])
def test_nothing_found_is_said_once(run, shop, command):
    run("remember", "Tea is brewed at eighty degrees", "--path", str(shop))
    done = run(command, "xyzzyplugh", "--path", str(shop))
    assert (done.code, done.out, len(done.err.splitlines())) == (1, "", 1)


def test_two_memories_are_linked_with_and_without_a_relation(run, shop):
    at = ("--path", str(shop))
    ids = [json.loads(run("remember", text, "--json", *at).out)["id"] for text in ("Old tea", "New coffee")]
    assert json.loads(run("link", *ids, "--json", *at).out)["type"] == "see-also"
    assert json.loads(run("link", ids[1], "supersedes", ids[0], "--json", *at).out)["changed"]
    wrong = run("link", ids[1], "sepersedes", ids[0], *at)
    assert wrong.code == 2
    assert "Did you mean 'supersedes'?" in wrong.err
    assert run("link", ids[0], *at).code == 2


def test_what_is_not_certain_is_gathered_by_file(run, shop):
    for name in ("one", "two", "three"):
        (shop / f"{name}.py").write_text(
            f"class {name.title()}:\n    def brew(self):\n        pass\n", "utf-8"
        )
    calls = "".join(f"def use_{number}(thing):\n    thing.brew()\n" for number in range(20))
    (shop / "uses.py").write_text(calls, "utf-8")
    said = run("impact", "One.brew", "--depth", "1", "--path", str(shop)).out
    assert said.startswith("20 items depend on One.brew (one.py:2), 0 proven and 20 possible")
    assert said.count("uses.py") == 1
    assert "use_0:2" in said
    assert "and 8 more" in said
    assert all(len(line) <= 80 for line in said.splitlines())


@pytest.mark.parametrize(
    ("narrow", "sentence"),
    [
        (("--language", "pyton"), "No indexed file is in the language 'pyton'. Did you mean 'python'?"),
        (("--kind", "clas"), "There is no kind 'clas'. Did you mean 'class'?"),
        (("--under", "shp"), "No indexed file lies under 'shp'. Did you mean 'shop'?"),
    ],
)
def test_a_condition_that_nothing_meets_is_named_and_not_just_an_empty_result(run, shop, narrow, sentence):
    done = run("search", "RetryPolicy", *narrow, "--path", str(shop))
    assert (done.code, done.out) == (1, "")
    assert sentence in done.err
