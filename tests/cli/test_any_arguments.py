"""Whatever is typed ends with one of the documented exit codes and, where it failed, with one sentence."""

import io
import random

import click
import pytest
from tests.cli.test_documented import commands

SERVING = {"serve", "mcp", "watch", "hook", "store check", "enrich"}
WRITING = {"--output", "--save", "--markdown", "--listen", "--store", "--command", "--help", "--yes"}
WORDS = (
    *(
        "",
        " ",
        "-1",
        "0",
        "9" * 21,
        "nan",
        "1e309",
        "ä",
        "\udcff",
        "\n",
        "a" * 3000,
        "%s",
        "=",
        "a=b",
        "{}",
        "-",
    ),
    *("../..", "nowhere", ".", "shop/retry.py", "RetryPolicy", "q0123456789abcdef", "mafi43ladv2c2i"),
    *("2026-13-45", "2026-01-01", "main", "HEAD", "code", "claude-code", "session-start", "fuse.k=x", "--"),
)


def line(chance, name, command):
    """Return arguments for a command as somebody might type them who does not know it."""
    typed = name.split()
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            # What is exported goes to standard output: a name would be a file in the folder of the tests.
            count = 0 if name == "export" else chance.choice((0, 1, 1, 1, 2))
            typed += [chance.choice(WORDS) for _ in range(count)]
        elif chance.random() < 0.25 and not WRITING & set(parameter.opts):
            typed.append(parameter.opts[0])
            if not parameter.is_flag:
                choices = getattr(parameter.type, "choices", ())
                typed.append(chance.choice([*choices, chance.choice(WORDS)]))
    return typed


@pytest.mark.parametrize("seed", range(12))
def test_any_arguments_end_with_a_code_and_a_sentence(seed, run, shop, monkeypatch, tmp_path):
    monkeypatch.chdir(shop)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    chance = random.Random(seed)
    known = [one for one in commands() if one[0] not in SERVING]
    for name, command in chance.sample(known, 12):
        typed = line(chance, name, command)
        done = run(*typed)
        assert done.code in (0, 1, 2, 3), typed
        assert "Internal error" not in done.err, (typed, done.err)
        assert "Traceback" not in done.err, (typed, done.err)
        if done.code in (2, 3):
            said = done.err.splitlines()[-1]
            assert said.startswith("recollect: "), typed
            assert said.endswith((".", "?", "!", "'")), typed
