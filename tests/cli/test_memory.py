import json

import pytest

from recollect.memory.imports.formats import FORMATS
from recollect.memory.note import LINK_TYPES
from recollect.store import memories as stored


@pytest.fixture
def at(tmp_path):
    return ("--path", str(tmp_path))


def one(done):
    (line,) = done.out.splitlines()
    return json.loads(line)


def test_remember_recall_forget(run, at):
    item = one(run("remember", "We retry idempotent calls", "--tag", "http", "--json", *at))
    assert (item["domain"], item["metadata"]["action"], item["metadata"]["tags"]) == (
        "memory",
        "ADD",
        ["http"],
    )
    answer = one(run("recall", "retried calls", "--json", *at))
    assert list(answer) == ["query_id", "profile", "channels", "degraded", "hits"]
    assert [hit["id"] for hit in answer["hits"]] == [item["id"]]
    assert one(run("forget", item["id"], "--json", *at))["ids"] == [item["id"]]
    done = run("recall", "retried calls", *at)
    assert (done.code, done.out) == (1, "")


def test_what_is_recalled_is_shown_as_a_quotation(run, at):
    run("remember", "First line\nSecond line", "--author", "Anna", *at)
    lines = run("recall", "second", *at).out.splitlines()
    assert lines[0].endswith("by Anna")
    assert lines[2:4] == ["  > First line", "  > Second line"]


def test_a_batch_answers_line_by_line(run, at, tmp_path):
    run("remember", "We retry calls", *at)
    batch = tmp_path / "questions.jsonl"
    batch.write_text('{"id": 1, "query": "retry"}\n{"id": 2, "query": "zebra"}\n', encoding="utf-8")
    answers = [json.loads(line) for line in run("recall", "--batch", str(batch), *at).out.splitlines()]
    assert [(answer["id"], len(answer["hits"])) for answer in answers] == [(1, 1), (2, 0)]


def test_link_and_history(run, at):
    old = one(run("remember", "The port is 1", "--json", *at))["id"]
    new = one(run("remember", "The port is 2", "--json", *at))["id"]
    assert one(run("link", new, "supersedes", old, "--json", *at))["changed"]
    assert [hit["id"] for hit in one(run("recall", "port", "--json", *at))["hits"]] == [new, old]
    changes = one(run("history", old, "--json", *at))["history"]
    assert [change["action"] for change in changes] == ["remembered", "superseded by"]


def test_export_and_import(run, at, tmp_path):
    run("remember", "We retry calls", "--valid-from", "2026-01-01", *at)
    file = tmp_path / "memories.jsonl"
    assert run("export", str(file), *at).code == 0
    other = tmp_path / "other"
    other.mkdir()
    done = one(run("import", str(file), "--path", str(other), "--json"))
    assert (done["added"], done["refused"]) == (1, [])
    assert run("export", "--path", str(other)).out == file.read_text(encoding="utf-8")


def test_a_dry_run_and_an_unknown_id(run, at):
    run("remember", "We retry calls", "--tag", "a", *at)
    assert "Would forget 1 memory." in run("forget", "--tag", "a", "--dry-run", *at).out
    assert run("recall", "retry", *at).code == 0
    done = run("forget", "maaaaaaaaaaaaa", *at)
    assert done.code == 1
    assert "There is no memory maaaaaaaaaaaaa" in done.err


def test_bad_times_and_secrets_are_told_in_a_sentence(run, at):
    done = run("remember", "tea", "--expires", "soonish", *at)
    assert done.code == 2
    assert "expires is no point in time" in done.err
    done = run("remember", "token ghp_" + "x8Kq2Vw9Lm4Zt7Rb" + "N3cY6pHs1JdF5gTeWuQa", *at)
    assert done.code == 3
    assert "looks like it holds a secret" in done.err


def test_the_choices_of_the_command_line_are_those_of_the_store():
    from recollect.cli import exchange, memory

    assert memory.KINDS == stored.KINDS
    assert memory.LAYERS == stored.LAYERS
    assert tuple(FORMATS) == exchange.FORMATS
    assert [name.replace("-", "_") for name in memory.LINKS] == list(LINK_TYPES)


def test_a_long_memory_is_wrapped_and_shown_whole(run, at):
    text = "We retry idempotent calls only, because " + "the bank locks accounts after repeated failures " * 6
    run("remember", text, *at)
    lines = run("recall", "retry calls", *at).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(line.removeprefix("  > ") for line in lines[2:] if line).split() == text.split()


def test_what_would_steer_a_terminal_is_left_out(run, at):
    run("remember", "We retry \x1b[31mred\x1b]0;title\x07 calls", *at)
    assert not {"\x1b", "\x07"} & set(run("recall", "retry calls", *at).out)
