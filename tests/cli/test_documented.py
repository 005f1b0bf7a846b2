"""What `--json` prints is what the schemas say, for every command; tests/schemas.py holds every run against them."""

import json
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator
from tests.schemas import differences

from recollect.cli.app import app
from recollect.cli.schema import names, schema


def printed(done):
    assert done.code in (0, 1), done.err
    return [json.loads(line) for line in done.out.splitlines()]


def commands(group=app, before=""):
    """Yield every command by its whole name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_every_command_has_a_schema_examples_and_a_place():
    for name, command in commands():
        options = {option for parameter in command.params for option in parameter.opts}
        assert "Examples:" in (command.epilog or ""), name
        if name in {"hook", "completion", "schema"}:
            continue
        assert {"--json", "--path"} <= options, name
        assert name in names()


def test_no_schema_is_left_of_a_command_that_is_gone():
    assert set(names()) <= {name for name, _ in commands()}


@pytest.mark.parametrize("name", names())
def test_every_schema_is_one_that_stands_alone(name):
    whole = schema(name)
    Draft202012Validator.check_schema(whole)
    assert "shared.json" not in json.dumps(whole)
    assert whole["title"] == f"recollect {name} --json"


def test_a_schema_is_printed_and_a_wrong_name_gets_a_hint(run):
    assert json.loads(run("schema", "bench", "compare").out) == schema("bench compare")
    assert "search" in run("schema").out.split()
    assert json.loads(run("schema", "--json").out) == names()
    assert "Did you mean 'search'?" in run("schema", "serch").err


@pytest.mark.parametrize(
    "wrong", [{}, {"removed": "2"}, {"removed": 1.5}, {"removed": 1, "added": 1}, [1], None]
)
def test_output_that_is_not_as_its_schema_says_is_noticed(wrong):
    assert differences("unlearn", wrong)


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
def test_what_is_printed_is_what_the_schema_says(command, project):
    (answer,) = project(*COMMANDS[command])
    assert differences(command, answer) == []


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
        assert differences(command, told) == []
    lines = printed(project.run("export", "--json", "--path", str(project.shop)))
    assert {line["id"] for line in lines} == set(project.ids)
    assert [problem for line in lines for problem in differences("export", line)] == []
    file = tmp_path / "memories.jsonl"
    file.write_text('{"text": "Milk is white"}\n', encoding="utf-8")
    assert project("import", str(file))[0]["added"] == 1
    assert project("forget", one)[0]["ids"] == [one]


def test_profiles_are_told_with_the_documented_keys(project):
    for words in (("list",), ("show", "code"), ("diff", "code", "lexical")):
        (told,) = project("profile", *words)
        assert differences(f"profile {words[0]}", told) == []
        assert told


def test_what_the_bench_says_has_the_documented_keys(project, tmp_path):
    run, out = project.run, tmp_path / "out"
    data = tmp_path / "questions"

    def bench(*words):
        rows = printed(run("bench", *words, "--json"))
        name = " ".join(words[:2]) if words[0] == "build" else words[0]
        assert rows
        assert [problem for row in rows for problem in differences(f"bench {name}", row)] == []

    for drink in ("Coffee is black", "Milk is white", "Wine is red", "Beer is brown", "Juice is orange"):
        project("remember", f"{drink} and RetryPolicy has nothing to do with it")
    bench("build", "memory", "-o", str(data), "--path", str(project.shop))
    bench("stats", str(data))
    bench("run", "--data", str(data), "-r", "grep", "-r", "bm25", "-o", str(out))
    files = sorted(map(str, out.glob("*.json")))
    bench("compare", *files)
    bench("gate", files[0], "--min", "recall@10=0.0")
    bench("report", *files, "-o", str(tmp_path / "report.html"))
    bench("tune", "--data", str(data), "--set", "channel.item.weight=1.0,2.0")
    refused = run("bench", "tune", "--data", str(data), "--set", "limit=10,20")
    assert (refused.code, "what the bench itself asks with" in refused.err) == (2, True)


def test_files_of_the_bench_are_looked_for_where_path_says(project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "elsewhere"
    project("bench", "build", "memory", "-o", str(place / "data"))
    done = project.run("bench", "stats", "data", "--path", str(place), "--json")
    assert json.loads(done.out)["data"] == "data"
    assert Path.cwd() == tmp_path
    assert project.run("bench", "stats", "data", "--path", str(place / "nowhere")).code == 2


def test_only_a_server_over_http_tells_its_address_as_json(project):
    assert project.run("mcp", "--json", "--path", str(project.shop)).code == 2
