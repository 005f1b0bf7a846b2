import json

import pytest

from recollect.bench import datasets, stats
from recollect.bench.problems import DataSetError
from recollect.errors import UsageError


def problems_of(folder):
    with pytest.raises(DataSetError) as caught:
        datasets.load(folder)
    assert caught.value.exit_code == 2
    return caught.value.problems


def append(file, row):
    text = row if isinstance(row, str) else json.dumps(row)
    file.write_text(file.read_text(encoding="utf-8") + text + "\n", encoding="utf-8")


def test_a_memory_data_set_is_read_in_its_splits(memory_folder):
    data = datasets.load(memory_folder)
    assert (data.kind, data.splits, len(data.questions), data.strata) == (
        "memory", ("a", "b"), 4, ("exact", "multihop"),
    )  # fmt: skip
    assert [memory.id for memory in data.memories["b"]] == [4, 5]


def test_judgements_come_from_qrels_not_from_the_copy_in_the_queries(memory_folder):
    file = memory_folder / "queries.jsonl"
    rows = [
        json.loads(line) | {"relevant_ids": [5]} for line in file.read_text(encoding="utf-8").splitlines()
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [target.id for target in datasets.load(memory_folder).questions[0].targets] == [1]


def test_every_problem_is_listed_with_file_and_line(memory_folder):
    corpus, queries, qrels = (memory_folder / f"{name}.jsonl" for name in ("corpus", "queries", "qrels"))
    append(corpus, {"id": 1, "content": "again", "conversation": "a"})
    append(corpus, {"id": "7", "content": "text", "conversation": "a"})
    append(corpus, {"id": 8, "content": 5, "conversation": "a"})
    append(corpus, {"id": True, "content": "x", "conversation": "a"})
    append(corpus, "{broken")
    append(corpus, "[1]")
    append(queries, {"query_id": "q9", "text": "orphan", "conversation": "a"})
    append(queries, {"query_id": "q1", "text": "again", "conversation": "a"})
    append(queries, {"query_id": "q8", "conversation": "a"})
    append(qrels, {"query_id": "q7", "relevant_ids": [1]})
    append(qrels, {"query_id": "q8", "relevant_ids": []})
    append(qrels, {"query_id": "q4", "relevant_ids": [4]})
    append(qrels, {"query_id": "q6", "relevant_ids": ["1"]})
    append(qrels, {"query_id": "q5"})
    found = problems_of(memory_folder)
    expected = [
        "corpus.jsonl:6: id 1 was already used in line 1",
        'corpus.jsonl:7: "id" must be a whole number, not a string',
        'corpus.jsonl:8: "content" must be a string, not the number 5',
        'corpus.jsonl:9: "id" must be a whole number, not true or false',
        "corpus.jsonl:10: is not JSON",
        "corpus.jsonl:11: must be an object, not a list",
        "queries.jsonl:5: query 'q9' has no row in qrels.jsonl",
        "queries.jsonl:6: query_id 'q1' was already used in line 1",
        'queries.jsonl:7: lacks "text"',
        "qrels.jsonl:5: query_id 'q7' is not in queries.jsonl",
        'qrels.jsonl:6: "relevant_ids" is empty',
        "qrels.jsonl:7: query_id 'q4' was already judged in line 4",
        'qrels.jsonl:8: "relevant_ids" must hold whole numbers only',
        'qrels.jsonl:9: lacks "relevant_ids"',
    ]
    for sentence in expected:
        assert any(problem.startswith(sentence) for problem in found), (sentence, found)


def test_an_unknown_id_and_one_of_another_split_are_problems(memory_folder):
    append(memory_folder / "queries.jsonl", {"query_id": "q5", "text": "x", "conversation": "a"})
    append(memory_folder / "qrels.jsonl", {"query_id": "q5", "relevant_ids": [99, 4]})
    found = problems_of(memory_folder)
    assert found == (
        "qrels.jsonl:5: id 99 is not in corpus.jsonl",
        "qrels.jsonl:5: id 4 is in 'b', but 'q5' asks 'a'",
    )


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.jsonl"])
def test_a_missing_file_is_named(memory_folder, name):
    (memory_folder / name).unlink()
    assert f"{name}:1: is missing" in problems_of(memory_folder)


def test_an_empty_file_is_a_problem(memory_folder):
    (memory_folder / "corpus.jsonl").write_text("\n", encoding="utf-8")
    assert "corpus.jsonl:1: holds no rows" in problems_of(memory_folder)


def test_text_that_is_not_utf8_is_a_problem_of_its_line(memory_folder):
    file = memory_folder / "corpus.jsonl"
    file.write_bytes(file.read_bytes() + b'{"id": 9, "content": "\xff"}\n')
    assert any(problem.startswith("corpus.jsonl:6: is not UTF-8") for problem in problems_of(memory_folder))


def test_a_folder_without_data_is_refused(tmp_path):
    assert "neither corpus.jsonl" in problems_of(tmp_path)[0]
    with pytest.raises(UsageError, match="There is no data set"):
        datasets.load(tmp_path / "nowhere")


def test_the_problems_of_a_repository_data_set_are_listed(tmp_path):
    (tmp_path / "repos.json").write_text(
        '[\n {"name": "one", "url": "u", "revision": "r"},\n {"name": "../x", "url": "u"},\n {"name": "two"}\n]\n',
        encoding="utf-8",
    )
    rows = [
        {"query_id": "a", "repo": "one", "text": "x", "targets": ["src/a.py", {"symbol": "A.b"}]},
        {"query_id": "a", "repo": "three", "text": "x", "targets": [{"path": "a.py", "start": 9, "end": 2}]},
        {"query_id": "b", "repo": "one", "text": "x", "targets": []},
        {"query_id": "c", "repo": "one", "text": "x", "targets": [{"line": 3}, 7, "a", "a"]},
    ]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = problems_of(tmp_path)
    for sentence in [
        "repos.json:3: name and benchmark_root must stay inside",
        'repos.json:4: has neither "url" nor "path"',
        "queries.jsonl:2: a target has the span 9-2",
        "queries.jsonl:2: query_id 'a' was already used",
        "queries.jsonl:2: repository 'three' is not in repos.json",
        'queries.jsonl:3: "targets" is missing or empty',
        "queries.jsonl:4: a target has neither path nor symbol",
        "queries.jsonl:4: each of the targets must be a path",
        'queries.jsonl:4: "targets" names one of them twice',
    ]:
        assert any(problem.startswith(sentence) for problem in found), (sentence, found)


def test_the_problems_of_annotated_questions_are_listed(tmp_path):
    (tmp_path / "annotations").mkdir()
    (tmp_path / "repos.json").write_text('[{"name": "one", "url": "u", "revision": "r"}]', encoding="utf-8")
    rows = [
        {"repo": "one", "query": "where", "relevant": ["a.py"]},
        {"repo": "one", "query": "when", "relevant": [{"path": "a.py", "start_line": "3"}]},
        {"repo": "one", "query": "who", "relevant": [{"path": "a.py", "start_line": 9, "end_line": 2}]},
    ]
    text = "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"
    (tmp_path / "annotations" / "one.json").write_text(text, encoding="utf-8")
    assert problems_of(tmp_path) == (
        'annotations/one.json:3: "start_line" must be a whole number, not a string',
        "annotations/one.json:4: a target has the span 9-2",
    )


def test_only_some_strata_can_be_asked(memory_folder):
    data = datasets.load(memory_folder, strata=["multihop"])
    assert [question.id for question in data.questions] == ["q3"]
    with pytest.raises(UsageError, match="has no stratum vague"):
        datasets.load(memory_folder, strata=["vague"])


def test_splits_and_a_limit_choose_questions_and_change_the_digest(memory_folder):
    whole, part = datasets.load(memory_folder), datasets.load(memory_folder, splits=["a"], limit=2)
    assert [question.id for question in part.questions] == ["q1", "q2"]
    assert part.splits == ("a",)
    assert whole.digest != part.digest
    with pytest.raises(UsageError, match="has no split c"):
        datasets.load(memory_folder, splits=["c"])


def test_the_aggregates_hold_no_word_of_the_data(memory_folder):
    text = json.dumps(stats.describe(datasets.load(memory_folder)))
    assert '"memories": 5' in text
    assert not any(word in text for word in ("retry", "cache", "tuesday", "redis"))


def test_the_published_data_sets_are_read(shared):
    sizes = {name: len(datasets.load(shared / name).questions) for name in ("locomo", "codesearch", "tasks")}
    assert sizes == {"locomo": 997, "codesearch": 441, "tasks": 69}


def test_nothing_is_held_against_a_file_that_is_missing(memory_folder):
    for name in ("corpus.jsonl", "qrels.jsonl", "queries.jsonl"):
        text = (memory_folder / name).read_text(encoding="utf-8")
        (memory_folder / name).unlink()
        assert problems_of(memory_folder) == (f"{name}:1: is missing",)
        (memory_folder / name).write_text(text, encoding="utf-8")


def test_two_rows_without_a_name_are_not_told_to_share_one(memory_folder):
    append(memory_folder / "queries.jsonl", {"text": "first", "conversation": "a"})
    append(memory_folder / "queries.jsonl", {"text": "second", "conversation": "a"})
    assert problems_of(memory_folder) == (
        'queries.jsonl:5: lacks "query_id"',
        'queries.jsonl:6: lacks "query_id"',
    )


def test_questions_are_not_held_against_repositories_that_cannot_be_read(tmp_path):
    task = {"id": "a", "repo": "shop", "tier": "easy", "description": "pay", "ground_truth": ["pay"]}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task) + "\n", encoding="utf-8")
    assert problems_of(tmp_path) == ("repos.json:1: is missing",)
