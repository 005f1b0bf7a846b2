"""What `--json` prints is what docs/json.md says, key by key, for every command."""

import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


def documented(command):
    """Return the sets of keys that the section of a command names in braces."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    (section,) = [one for one in sections if command in re.split(r"[,\s]+", one.partition("\n")[0])]
    return [frozenset(re.findall(r'"(\w+)"', group)) for group in re.findall(r"\{(\"[^{}]*?)\}", section)]


def printed(done):
    assert done.code in (0, 1), done.err
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.fixture
def project(run, shop):
    """An indexed shop with two memories and an answer, and how commands are run in it."""

    def at(*arguments):
        return printed(run(*arguments, "--json", "--path", str(shop)))

    at.run = run
    at.shop = shop
    at.ids = [at("remember", text)[0]["id"] for text in ("Tea is green", "Orders wait 30 s")]
    at.answer = at("search", "RetryPolicy")[0]
    return at


COMMANDS = {
    "search": ("search", "RetryPolicy"),
    "context": ("context", "wait longer between attempts"),
    "why": ("why", "wait longer", "deliver"),
    "index": ("index",),
    "status": ("status",),
    "doctor": ("doctor",),
    "impact": ("impact", "deliver"),
    "tests": ("tests", "--files", "shop/retry.py"),
    "observe": ("observe",),
    "remember": ("remember", "Coffee is black"),
    "recall": ("recall", "orders"),
    "hygiene": ("hygiene", "--dry-run"),
    "dream": ("dream", "--dry-run"),
    "unlearn": ("unlearn",),
    "install": ("install", "claude-code", "--yes"),
    "uninstall": ("uninstall", "claude-code", "--yes"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_key_that_is_printed_is_documented_and_the_other_way_round(command, project):
    (answer,) = project(*COMMANDS[command])
    same = documented("search") if command == "recall" else documented(command)
    assert frozenset(answer) in same, sorted(answer)


def test_hits_items_and_reached_have_the_documented_keys(project):
    rows = set(re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)) | {"end_line"}
    for hit in (project.answer["hits"][0], project("recall", "orders")[0]["hits"][0]):
        assert set(hit) <= rows
    assert set(project("context", "RetryPolicy")[0]["items"][0]) <= rows
    assert frozenset(project("impact", "deliver")[0]["reached"][0]) in documented("impact")
    assert frozenset(project("why", "wait", "deliver")[0]["steps"][0]) in documented("why")


def test_what_is_done_to_a_memory_is_told_with_the_documented_keys(project, tmp_path):
    one, other = project.ids
    query = project.answer["query_id"]
    for command, arguments in (
        ("feedback", (query, project.answer["hits"][0]["id"])),
        ("pin", (one,)),
        ("archive", (one,)),
        ("link", (one, "see-also", other)),
        ("history", (one,)),
    ):
        (told,) = project(command, *arguments)
        assert frozenset(told) in documented(command), command
    lines = printed(project.run("export", "--json", "--path", str(project.shop)))
    assert {line["id"] for line in lines} == set(project.ids)
    file = tmp_path / "memories.jsonl"
    file.write_text('{"text": "Milk is white"}\n', encoding="utf-8")
    assert frozenset(project("import", str(file))[0]) in documented("import")
    assert frozenset(project("forget", one)[0]) in documented("forget")


def test_profiles_are_told_with_the_documented_keys(project):
    (rows,) = project("profile", "list")
    assert all(frozenset(row) in documented("profile") for row in rows)
    (keys,) = project("profile", "show", "code")
    assert any(key.startswith("fuse.") for key in keys)
    (changes,) = project("profile", "diff", "code", "lexical")
    assert set(changes[0]) == {"key", "code", "lexical"}


def test_what_the_bench_says_has_the_documented_keys(project, tmp_path):
    run, out = project.run, tmp_path / "out"
    data = tmp_path / "questions"
    (built,) = project("bench", "build", "memory", "-o", str(data))
    assert frozenset(built) in documented("bench")
    (stats,) = printed(run("bench", "stats", str(data), "--json"))
    assert frozenset(stats) in documented("bench"), sorted(stats)
    runs = printed(
        run("bench", "run", "--data", str(data), "-r", "grep", "-r", "bm25", "-o", str(out), "--json")
    )
    assert {frozenset(one) for one in runs} <= set(documented("bench"))
    files = sorted(map(str, out.glob("*.json")))
    (compared,) = printed(run("bench", "compare", *files, "--json"))
    assert frozenset(compared) in documented("bench")
    (gate,) = printed(run("bench", "gate", files[0], "--min", "recall@10=0.0", "--json"))
    assert frozenset(gate) in documented("bench")
    assert frozenset(gate["checks"][0]) in documented("bench")
    page = tmp_path / "report.html"
    (report,) = printed(run("bench", "report", *files, "-o", str(page), "--json"))
    assert frozenset(report) in documented("bench")


def test_a_server_tells_its_address_as_json(project):
    assert project.run("mcp", "--json", "--path", str(project.shop)).code == 2
    assert {frozenset(("url",)), frozenset(("url", "token"))} == set(documented("serve"))
