"""Retrievers of users: what counts as one, what they are called, and what is said when theirs fails."""

import json

import pytest

from recollect.bench import load_dataset, run_benchmark
from recollect.bench.retrievers import resolve
from recollect.errors import RecollectError, UsageError

MODULE = """
class Named:
    name = "mine"
    def retrieve(self, query, k):
        print("on the way")
        return [1]

class Called:
    def __call__(self, query, k):
        return (number for number in (1, 2))

class Wanting:
    def __init__(self, needed):
        ...
    def retrieve(self, query, k):
        return []

class Nothing:
    ...

def fails(query, k):
    raise RuntimeError("no such shelf")
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    name = f"mine_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return name


def test_a_retriever_is_called_as_it_calls_itself(bench, memory_folder, mine, tmp_path):
    ran = bench("run", "--data", memory_folder, "-r", f"{mine}:Named", "-o", tmp_path / "o", "--json")
    assert json.loads(ran.stdout)["retriever"] == "mine"
    ran = bench("run", "--data", memory_folder, "-r", f"{mine}:Called", "-o", tmp_path / "o", "--json")
    assert json.loads(ran.stdout)["retriever"] == f"{mine}:Called"


def test_a_class_that_can_be_called_and_any_iterable_will_do(bench, memory_folder, mine, tmp_path):
    ran = bench("run", "--data", memory_folder, "-r", f"{mine}:Called", "-o", tmp_path / "r.json")
    assert ran.return_value == 0, ran.exception
    kept = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert {tuple(one["results"]) for one in kept["questions"]} == {(1, 2)}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fails", "failed with RuntimeError: no such shelf"),
        ("Wanting", "failed with TypeError"),
        ("Nothing", "has no method retrieve"),
    ],
)
def test_a_failure_in_a_users_retriever_is_named_as_theirs(bench, memory_folder, mine, name, said):
    done = bench("run", "--data", memory_folder, "-r", f"{mine}:{name}")
    assert isinstance(done.exception, RecollectError)
    assert done.exception.exit_code == 2
    assert said in str(done.exception)


def test_ids_of_other_libraries_are_taken_and_words_are_not(memory_folder):
    np = pytest.importorskip("numpy")
    data = load_dataset(memory_folder)
    run = run_benchmark(lambda _query, _k: np.array([1, 2]), data)
    assert run.questions[0].results == (1, 2)
    with pytest.raises(UsageError, match="whole numbers"):
        run_benchmark(lambda _query, _k: ["1"], data)
    with pytest.raises(UsageError, match="returned str"):
        run_benchmark(lambda _query, _k: "12", data)


def test_from_python_a_run_has_a_summary(memory_folder):
    run = run_benchmark(resolve("fts5")[1](), load_dataset(memory_folder, splits=["b"]))
    assert run.retriever == "fts_or"
    assert "recall@10" in run.summary()
    assert "stratum" in run.summary()
    assert run.cpu_ms["p50"] >= 0


def test_importance_comes_first_where_the_alias_says_so(tmp_path):
    from recollect.bench.values import Memory

    rows = [Memory(1, "red red red", importance=0.1), Memory(2, "a red and a long tail", importance=0.9)]
    for alias, first in (("fts5", 1), ("fts5_importance", 2), ("substring", 1)):
        retriever = resolve(alias)[1]()
        retriever.build_index(rows)
        assert retriever.retrieve("red", 5)[0] == first


def test_one_file_cannot_hold_two_runs(bench, memory_folder, tmp_path):
    done = bench("run", "--data", memory_folder, "-r", "bm25", "-r", "grep", "-o", tmp_path / "r.json")
    assert "give a folder" in str(done.exception)


def test_what_is_no_number_is_refused_with_its_line(memory_folder):
    with (memory_folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": 9, "content": "x", "importance": NaN}\n')
    with pytest.raises(UsageError, match=r"corpus.jsonl:6: is not JSON \(NaN is no number\)"):
        load_dataset(memory_folder)


def test_a_bare_function_is_called_by_its_name(memory_folder):
    def first_ones(query, k):
        return list(range(1, k + 1))

    assert run_benchmark(first_ones, load_dataset(memory_folder)).retriever == "first_ones"
