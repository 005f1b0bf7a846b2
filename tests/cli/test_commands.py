import io
import json
from dataclasses import fields

import pytest

from recollect.types import Hit, IndexReport, Status

HIT = [field.name for field in fields(Hit)]


@pytest.fixture
def at(shop):
    return ("--path", str(shop))


def one(done):
    (line,) = done.out.splitlines()
    return json.loads(line)


def test_search_prints_exactly_the_documented_object(run, at):
    done = run("search", "Client.send", "--json", *at)
    answer = one(done)
    assert done.code == 0
    assert list(answer) == ["query_id", "profile", "channels", "degraded", "hits"]
    assert all(list(hit) == HIT for hit in answer["hits"])
    assert all(hit["query_id"] == answer["query_id"] for hit in answer["hits"])


def test_an_empty_answer_has_the_same_schema_and_code_one(run, at):
    done = run("search", "zzzqqqxxx", "--json", *at)
    assert done.code == 1
    assert list(one(done)) == ["query_id", "profile", "channels", "degraded", "hits"]


def test_search_prints_place_reason_and_text(run, at):
    done = run("search", "RetryPolicy", "--limit", "1", *at)
    lines = done.out.splitlines()
    assert lines[0] == "shop/retry.py:1-7  class RetryPolicy"
    assert lines[1].startswith("  1.00  defines RetryPolicy; ")
    assert lines[2] == "    class RetryPolicy:"


def test_text_fits_eighty_columns(run, at, shop):
    (shop / "wide.py").write_text(f"def wide(): return '{'w' * 300}'\n", encoding="utf-8")
    done = run("search", "wide", *at)
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80


def test_nothing_found_is_said_on_stderr(run, at):
    done = run("search", "zzzqqqxxx", *at)
    assert (done.code, done.out) == (1, "")
    assert "Nothing found for 'zzzqqqxxx'" in done.err


def test_filters_reach_the_search(run, at):
    answer = one(
        run("search", "client", "--json", "--no-tests", "--kind", "class", "--language", "python", *at)
    )
    assert [hit["name"] for hit in answer["hits"]] == ["Client"]
    answer = one(run("search", "client", "--json", "--under", "tests/", *at))
    assert {hit["path"] for hit in answer["hits"]} == {"tests/test_client.py"}


def test_a_batch_answers_line_by_line_with_the_ids(run, at, tmp_path):
    batch = tmp_path / "questions.jsonl"
    batch.write_text(
        '{"id": 7, "query": "Client.send"}\n\n{"id": "b", "query": "zzzqqq"}\n', encoding="utf-8"
    )
    done = run("search", "--batch", str(batch), *at)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [row["id"] for row in rows] == [7, "b"]
    assert list(rows[0]) == ["id", "query_id", "profile", "channels", "degraded", "hits"]
    assert rows[0]["hits"][0]["name"] == "Client.send"
    assert rows[1]["hits"] == []


def test_a_batch_comes_from_stdin_too(run, at, monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": 1, "query": "deliver"}\n'), "utf-8")
    )
    assert json.loads(run("search", "--batch", "-", *at).out)["id"] == 1


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"id": 1}', '{"id": 1, "query": 2}'])
def test_a_bad_line_of_a_batch_is_named(run, at, tmp_path, line):
    batch = tmp_path / "questions.jsonl"
    batch.write_text(line + "\n", encoding="utf-8")
    done = run("search", "--batch", str(batch), *at)
    assert done.code == 2
    assert "Line 1" in done.err


def test_index_reports_and_its_json_is_the_report(run, at, shop):
    first = run("index", *at)
    assert first.code == 0
    assert first.out.startswith("Indexed 4 files")
    again = run("index", str(shop), *at)
    assert again.out.startswith("Nothing changed: 4 files")
    assert list(one(run("index", "--json", *at))) == [field.name for field in fields(IndexReport)]


def test_status_without_an_index_is_code_one(run, at):
    done = run("status", *at)
    assert done.code == 1
    assert "not indexed yet" in done.out


def test_status_says_what_is_indexed(run, at):
    run("index", *at)
    done = run("status", *at)
    assert done.code == 0
    assert "python 3" in done.out
    assert max(map(len, done.out.splitlines()[1:])) <= 80
    told = one(run("status", "--json", *at))
    assert list(told) == [field.name for field in fields(Status)]
    assert sorted(told["counts"]) == ["chunks", "edges", "files", "symbols"]
    assert "file" not in told["kinds"]
    assert not any(":" in name for name in (*told["counts"], *told["kinds"]))


def test_doctor_of_a_sound_project(run, at):
    run("index", *at)
    assert run("doctor", *at)[:2] == (0, "Nothing is wrong.\n")
    assert one(run("doctor", "--json", *at)) == {"healthy": True, "findings": [], "repaired": []}


def test_doctor_finds_with_code_one_and_repairs_with_code_zero(run, at, shop):
    run("index", *at)
    (shop / "shop" / "retry.py").unlink()
    found = run("doctor", *at)
    assert found.code == 1
    assert "retry.py" in found.out
    repaired = run("doctor", "--repair", *at)
    assert repaired.code == 0
    assert "repaired" in repaired.out


def test_impact_lists_callers(run, at):
    done = run("impact", "deliver", *at)
    assert done.code == 0
    assert "Client.send" in done.out


def test_impact_json_is_documented(run, at):
    answer = one(run("impact", "deliver", "--direction", "callers", "--depth", "1", "--json", *at))
    assert list(answer) == [
        "symbol", "direction", "depth", "starts", "reached", "truncated", "notes", "ran", "past", "unused", "proven",
        "possible",
    ]  # fmt: skip
    assert [row["name"] for row in answer["reached"] if row["distance"] == 1] == ["Client.send"]


def test_dead_code_is_listed_with_its_certainty(run, at):
    done = run("dead", "--least", "0", *at)
    assert done.code == 0 and "candidate" in done.out and "among" in done.out
    answer = one(run("dead", "--least", "0", "--json", *at))
    assert list(answer) == ["candidates", "looked_at", "doubtful", "notes"]
    assert run("dead", "no/such/folder", *at).code == 1


def test_impact_of_an_unknown_symbol_is_code_one(run, at):
    done = run("impact", "delivr", *at)
    assert done.code == 1
    assert "delivr" in done.err


@pytest.mark.parametrize(
    "words",
    [
        "search waiting time",
        "why waiting Client",
        "impact deliver",
        "tests --files shop/retry.py",
        "dead",
        "status",
        "doctor",
        "index",
        "recall tea",
        "remember Tea is green",
        "observe",
        "enrich --history",
        "dream --dry-run",
        "hygiene --dry-run",
        "unlearn",
        "profile list",
        "profile diff code lexical",
        "install cursor",
        "schema",
    ],
)
def test_nothing_for_people_is_wider_than_eighty_columns_or_coloured_for_a_pipe(
    run, shop, monkeypatch, words
):
    monkeypatch.chdir(shop)
    done = run(*words.split())
    lines = [*done.out.splitlines(), *done.err.splitlines()]
    assert lines
    paths = ("--- ", "+++ ", "recollect: ", str(shop))
    assert [line for line in lines if len(line) > 80 and not line.startswith(paths)] == []
    assert not any("\x1b" in line for line in lines)
