import json
import subprocess

import pytest

from recollect.bench import compare, datasets, gate, runner, runs
from recollect.bench.retrievers import resolve, wrap
from recollect.errors import UsageError


class Fixed:
    """Answers with the whole corpus in its order."""

    def __init__(self):
        self.built = 0

    def build_index(self, corpus):
        self.built += 1
        self.ids = [memory.id for memory in corpus]

    def index_size_bytes(self):
        return 8 * len(self.ids)

    def retrieve(self, query, k):
        return self.ids[:k]


def measure(thing, folder, **options):
    return runner.run("it", wrap(thing), datasets.load(folder), runner.Options(**options))


def test_each_split_has_an_index_of_its_own(memory_folder):
    run = measure(Fixed, memory_folder)
    assert {asked.id: asked.results for asked in run.questions} == {
        "q1": (1, 2, 3), "q2": (1, 2, 3), "q3": (1, 2, 3), "q4": (4, 5),
    }  # fmt: skip
    assert [(split.name, split.documents, split.index_bytes) for split in run.splits] == [
        ("a", 3, 24),
        ("b", 2, 16),
    ]
    assert run.index_bytes == 40


def test_averages_are_over_questions_and_by_stratum(memory_folder):
    run = measure(Fixed, memory_folder)
    assert run.metrics["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 2 + 1) / 4)
    assert run.strata["exact"]["mrr"] == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert run.strata["multihop"]["n"] == 1


def test_a_bare_callable_is_a_retriever_and_may_ask_for_the_split(memory_folder):
    run = measure(lambda query, k: [1], memory_folder)
    assert run.metrics["hit@1"] == 0.25
    assert (
        measure(lambda query, k, split: [4] if split == "b" else [1], memory_folder).metrics["hit@1"] == 0.5
    )
    assert run.index_bytes is None


def test_a_run_is_read_back_as_it_was_written(memory_folder, tmp_path):
    run = measure(Fixed, memory_folder, command="recollect bench run")
    runs.save(run, tmp_path / "deep" / "run.json")
    assert runs.load(tmp_path / "deep" / "run.json") == run
    runs.save(run, tmp_path / "run.json.gz")
    assert runs.load(tmp_path / "run.json.gz") == run


def test_query_texts_can_be_left_out(memory_folder):
    assert all(not asked.text for asked in measure(Fixed, memory_folder, keep_texts=False).questions)


def test_what_is_no_run_is_refused(tmp_path):
    (tmp_path / "other.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(UsageError, match="has the format 99"):
        runs.load(tmp_path / "other.json")
    (tmp_path / "bad.json").write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a run"):
        runs.load(tmp_path / "bad.json")
    with pytest.raises(UsageError, match="There is no run"):
        runs.load(tmp_path / "none.json")


def test_progress_counts_the_questions(memory_folder):
    seen = []
    measure(Fixed, memory_folder, progress=lambda progress: seen.append((progress.done, progress.total)))
    assert seen[-1] == (4, 4)


def test_an_answer_that_is_no_list_is_refused(memory_folder):
    with pytest.raises(UsageError, match="must return a list"):
        measure(lambda query, k: 5, memory_folder)


@pytest.mark.parametrize(
    "spec", ["nothing", "bm25:x", "no.such.module:Thing", "recollect.bench.gate:Nothing"]
)
def test_a_retriever_that_cannot_be_had_is_refused_with_a_sentence(spec):
    with pytest.raises(UsageError, match=r"retriever|module"):
        resolve(spec)


def test_a_class_in_the_current_folder_can_be_named(tmp_path, monkeypatch, memory_folder):
    (tmp_path / "mine_for_bench.py").write_text(
        "class Mine:\n    def retrieve(self, query, k):\n        return [2]\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    label, make = resolve("mine_for_bench:Mine")
    assert runner.run(label, make, datasets.load(memory_folder)).metrics["hit@1"] == 0.5


@pytest.mark.parametrize(
    "alias", ["grep_tuned", "fts_or", "fts_production", "bm25", "bm25_best_chunk", "rrf"]
)
def test_every_lexical_baseline_finds_what_shares_words(memory_folder, alias):
    label, make = resolve(alias)
    run = runner.run(label, make, datasets.load(memory_folder))
    assert run.metrics["hit@5"] == 1.0
    assert run.metrics["mrr"] > 0.8


def test_the_full_context_recalls_everything_at_the_cost_of_everything(memory_folder):
    label, make = resolve("full_context")
    run = runner.run(label, make, datasets.load(memory_folder), runner.Options(k=1))
    assert all(asked.tokens_to_recall["1"] is not None for asked in run.questions)
    assert all(len(asked.results) == 1 for asked in run.questions)


def test_comparing_says_decisive_only_when_the_interval_excludes_zero(memory_folder):
    old, new = measure(lambda query, k: [], memory_folder), measure(Fixed, memory_folder)
    found = compare.compare(old, new, "recall@10")
    assert found.overall.delta == 1.0
    assert found.overall.decisive
    assert not compare.compare(new, new, "recall@10").overall.decisive
    assert [change.id for change in found.changed] == ["q1", "q2", "q3", "q4"]
    assert set(found.strata) == {"exact", "multihop"}


def test_runs_over_different_questions_do_not_compare(memory_folder):
    whole = measure(Fixed, memory_folder)
    part = runner.run("it", wrap(Fixed), datasets.load(memory_folder, splits=["a"]))
    with pytest.raises(UsageError, match="cannot be compared"):
        compare.compare(whole, part)
    with pytest.raises(UsageError, match="no metric 'rouge'"):
        compare.compare(whole, whole, "rouge")


def test_the_gate_fails_only_beyond_its_tolerance(memory_folder):
    good, poor = measure(Fixed, memory_folder), measure(lambda query, k: [1], memory_folder)
    assert all(check.holds for check in gate.against_run(good, good, ["recall@10"]))
    assert not all(check.holds for check in gate.against_run(poor, good, ["recall@10"], 0.1))
    assert all(check.holds for check in gate.against_run(poor, good, ["recall@10"], 0.8))
    assert [check.holds for check in gate.against_floors(good, {"mrr": 0.75, "hit@1": 0.51})] == [True, False]


@pytest.fixture
def code_folder(tmp_path):
    """A repository data set with a file, a span and a symbol as targets."""
    repo = tmp_path / "checkouts" / "shop"
    (repo / "src").mkdir(parents=True)
    (repo / "src" / "client.py").write_text(
        "class Client:\n    def send(self, order):\n        return order\n\n\ndef deliver(order):\n    print(order)\n",
        encoding="utf-8",
    )
    (repo / "src" / "retry.py").write_text(
        "def wait_before_retry(attempt):\n    return attempt\n", encoding="utf-8"
    )
    (repo / "notes.txt").write_text("retry retry retry\n", encoding="utf-8")
    git = ["git", "-C", str(repo), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *arguments], check=True)
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "repos.json").write_text(
        json.dumps(
            [{"name": "shop", "url": "https://example.com/shop", "revision": "HEAD", "benchmark_root": "src"}]
        ),
        encoding="utf-8",
    )
    rows = [
        {"query_id": "a", "repo": "shop", "text": "wait before retry", "targets": ["src/retry.py"]},
        {
            "query_id": "b",
            "repo": "shop",
            "text": "deliver",
            "targets": [{"path": "src/client.py", "start": 6, "end": 7}],
        },
        {"query_id": "c", "repo": "shop", "text": "deliver order", "targets": [{"symbol": "deliver"}]},
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder, repo


@pytest.mark.parametrize("alias", ["bm25", "recollect"])
def test_code_is_measured_by_file_span_and_symbol_without_touching_the_checkout(code_folder, alias):
    folder, repo = code_folder
    before = sorted(path.name for path in repo.iterdir())
    label, make = resolve(alias)
    run = runner.run(label, make, datasets.load(folder), runner.Options(repos=repo.parent))
    assert {asked.id: asked.metrics["hit@5"] for asked in run.questions} == {"a": 1.0, "b": 1.0, "c": 1.0}
    assert all(asked["path"].startswith("src/") for one in run.questions for asked in one.results)
    assert sorted(path.name for path in repo.iterdir()) == before
    assert run.index_bytes > 0


def test_a_file_that_the_repository_does_not_have_is_noted(code_folder):
    folder, repo = code_folder
    row = {"query_id": "d", "repo": "shop", "text": "gone", "targets": ["src/gone.py"]}
    with (folder / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    label, make = resolve("bm25")
    run = runner.run(label, make, datasets.load(folder), runner.Options(repos=repo.parent))
    assert run.splits[0].notes == {
        "A file that is asked for is not in the repository, so nobody can find it.": 1
    }


def test_missing_checkouts_are_named_with_the_command_that_fetches_them(code_folder):
    folder, _ = code_folder
    with pytest.raises(UsageError, match=r"git clone https://example\.com/shop"):
        runner.run("it", wrap(Fixed), datasets.load(folder))
