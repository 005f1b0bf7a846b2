import os
import subprocess
import sys

import pytest


@pytest.fixture
def complete(run, monkeypatch):
    """Ask as bash does while a line is typed."""

    def complete(*words):
        monkeypatch.setenv("_RECOLLECT_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("recollect", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        done = run()
        assert done.code == 0, done.err
        return [line.partition(",")[2] for line in done.out.splitlines()]

    return complete


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_asks_this_program(run, shell):
    done = run("completion", shell)
    assert done.code == 0
    assert "_RECOLLECT_COMPLETE" in done.out


def test_commands_options_and_choices_are_completed(complete):
    assert complete("se") == ["search", "serve"]
    assert "--limit" in complete("search", "--l")
    assert complete("install", "cu") == ["cursor"]
    assert complete("recall", "--layer", "s") == ["semantic"]


def test_profiles_and_ids_of_memories_are_completed(complete, run, shop, monkeypatch):
    run("remember", "We retry", "--path", str(shop))
    kept = run("recall", "retry", "--path", str(shop)).out.split()[0]
    monkeypatch.chdir(shop)
    assert "lexical" in complete("search", "x", "--profile", "lex")
    assert complete("forget", kept[:3]) == [kept]


IMPORTED = """
import sys
from recollect.cli.app import main
try:
    main()
except SystemExit:
    print(sorted(sys.modules), file=sys.stderr)
"""


def test_completing_the_first_word_imports_no_command():
    asked = {"_RECOLLECT_COMPLETE": "bash_complete", "COMP_WORDS": "recollect s", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | asked,
        check=True,
    )
    assert "plain,search" in done.stdout
    assert "recollect.cli.search" not in done.stderr
    assert "recollect.engine" not in done.stderr
