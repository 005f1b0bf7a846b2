"""Our scoring and the published scorers give the same figures for the same results."""

import json
import random

import pytest

from recollect.bench import datasets, metrics
from recollect.bench.judge import judge
from recollect.bench.values import Answer

EXACT = 1e-9


def test_conversation_metrics_equal_the_published_scorer(shared, scorer):
    theirs = scorer("locomo/metrics.py")
    data = datasets.load(shared / "locomo")
    random_ = random.Random(3)
    for question in data.questions:
        pool = [memory.id for memory in data.memories[question.split]]
        wanted = [target.id for target in question.targets]
        ranked = random_.choices(pool, k=12) + random_.sample(wanted, random_.randint(0, len(wanted)))
        random_.shuffle(ranked)
        expected = theirs.score(ranked, wanted)
        ours = metrics.measure(judge("memory", ranked, question))
        assert all(abs(ours[key] - value) < EXACT for key, value in expected.items())


def random_places(random_, question, paths):
    """Return results of which some hit: right files with right or wrong spans, files of other questions."""
    results = []
    for _ in range(random_.randint(0, 14)):
        path = random_.choice(paths)
        if random_.random() < 0.4:
            path = random_.choice(question.targets).path
        start = random_.randint(1, 400)
        span = (start, start + random_.randint(0, 80)) if random_.random() < 0.8 else (None, None)
        results.append(Answer(path, *span))
    return results


# The published scorer leaves its files open and names no encoding.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning", "ignore::EncodingWarning")
def test_code_search_metrics_equal_the_published_scorer(shared, scorer):
    theirs = scorer("codesearch/score.py")
    data = datasets.load(shared / "codesearch")
    specs, tasks = theirs.load_tasks(shared / "codesearch" / "data")
    paths = sorted({target.path for question in data.questions for target in question.targets})
    random_ = random.Random(5)
    results = {
        (question.split, question.text): random_places(random_, question, paths)
        for question in data.questions
    }
    rows = [
        {
            "repo": repo,
            "query": query,
            "results": [{"path": one.path, "start": one.start, "end": one.end} for one in found],
        }
        for (repo, query), found in results.items()
    ]
    scored = theirs.score(rows, specs, tasks)
    assert scored["queries"] == len(data.questions)
    expected = sorted((one["repo"], one["query"], one["ndcg10"]) for one in scored["per_query"])
    ours = sorted(
        (
            question.split,
            question.text,
            metrics.measure(judge("codesearch", results[question.split, question.text], question))["ndcg@10"],
        )
        for question in data.questions
    )
    assert [row[:2] for row in ours] == [row[:2] for row in expected]
    assert all(abs(mine[2] - his[2]) < EXACT for mine, his in zip(ours, expected, strict=True))
    assert 0.05 < scored["ndcg10_queries"] < 0.95


def noisy_name(random_, symbol):
    forms = [
        symbol, symbol.lower(), f"pkg/sub.{symbol}", f"x.py:{random_.randint(1, 9)}:def {symbol}(a, b)",
        f"https://host.com/o/r/src/mod.py.{symbol}", symbol.rpartition(".")[2], f"{symbol}.inner", f"Other.{symbol}",
        f"src/mod.go:{symbol}", symbol + "x", "", f"{symbol}(", symbol.replace(".", "::"), symbol.partition(".")[0],
    ]  # fmt: skip
    return random_.choice(forms)


def test_task_metrics_equal_the_published_scorer(shared, scorer):
    theirs = scorer("tasks/score.py")
    data = datasets.load(shared / "tasks")
    symbols = [target.symbol for question in data.questions for target in question.targets]
    random_ = random.Random(11)
    same = {
        "p@10": "P@10", "recall@10": "R@10", "ndcg@10": "NDCG@10", "mrr": "MRR", "mrr@10": "mrr_at_10",
        "s_p@10": "s_P@10", "s_recall@10": "s_R@10", "s_ndcg@10": "s_NDCG@10",
    }  # fmt: skip
    for question in data.questions * 5:
        wanted = [target.symbol for target in question.targets]
        names = [
            noisy_name(random_, random_.choice(wanted if random_.random() < 0.4 else symbols))
            for _ in range(random_.randint(0, 25))
        ]
        expected = theirs.measure(names, wanted)
        ours = metrics.measure(judge("tasks", [Answer(name=name) for name in names], question))
        assert all(abs(ours[key] - expected[his]) < EXACT for key, his in same.items()), (names, wanted)


def test_a_written_run_scores_the_same_with_the_published_scorer(shared, scorer, tmp_path):
    """The results as they stand in a run file, not only the functions, give the same figure."""
    from recollect.bench import runner, runs
    from recollect.bench.retrievers import resolve

    data = datasets.load(shared / "locomo", splits=["conv-26"])
    label, make = resolve("bm25")
    runs.save(runner.run(label, make, data), tmp_path / "run.json")
    theirs = scorer("locomo/metrics.py")
    written = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    wanted = {question.id: [target.id for target in question.targets] for question in data.questions}
    expected = theirs.mean([theirs.score(one["results"], wanted[one["id"]]) for one in written["questions"]])
    for key in theirs.KEYS:
        assert written["metrics"][key] == pytest.approx(expected[key], abs=EXACT)


TINY = {
    "shop/cart.py": "def fill_cart(order):\n    return [order]\n\n\ndef empty_cart(cart):\n    cart.clear()\n",
    "shop/mail.py": "class Mail:\n    def send_invoice(self, order):\n        return order\n",
    "shop/stock.py": "def count_stock(shelf):\n    return len(shelf)\n",
}


@pytest.fixture
def tiny_shop(tmp_path):
    """The folder of checkouts with one small repository."""
    for name, text in TINY.items():
        (tmp_path / "checkouts" / "tiny" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "checkouts" / "tiny" / name).write_text(text, encoding="utf-8")
    return tmp_path / "checkouts"


def written(data, alias, repos, file):
    from recollect.bench import runner, runs
    from recollect.bench.retrievers import resolve

    label, make = resolve(alias)
    runs.save(runner.run(label, make, data, runner.Options(repos=repos)), file)
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("alias", ["recollect", "bm25"])
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning", "ignore::EncodingWarning")
def test_a_written_run_of_code_search_scores_the_same(shared, scorer, tiny_shop, tmp_path, alias):
    theirs = scorer("codesearch/score.py")
    folder = tmp_path / "set"
    (folder / "annotations").mkdir(parents=True)
    repositories = [{"name": "tiny", "language": "python", "url": "https://example.com/tiny", "revision": ""}]
    asked = [
        ("how is a cart emptied", [{"path": "shop/cart.py", "start_line": 5, "end_line": 6}]),
        ("send the invoice of an order", ["shop/mail.py", "shop/cart.py"]),
        ("order", [{"path": "shop/mail.py", "start_line": 1, "end_line": 1}, "shop/stock.py"]),
    ]
    rows = [{"query": query, "category": "semantic", "relevant": relevant} for query, relevant in asked]
    (folder / "repos.json").write_text(json.dumps(repositories), encoding="utf-8")
    (folder / "annotations" / "tiny.json").write_text(json.dumps(rows), encoding="utf-8")
    run = written(datasets.load(folder), alias, tiny_shop, tmp_path / "run.json")
    lines = [
        {"repo": one["split"], "query": one["text"], "results": one["results"]} for one in run["questions"]
    ]
    scored = theirs.score(lines, *theirs.load_tasks(folder))
    expected = {one["query"]: one["ndcg10"] for one in scored["per_query"]}
    ours = {one["text"]: one["metrics"]["ndcg@10"] for one in run["questions"]}
    assert ours == pytest.approx(expected, abs=EXACT)
    assert 0 < run["metrics"]["ndcg@10"] < 1


@pytest.mark.parametrize("alias", ["recollect", "bm25"])
def test_a_written_run_of_tasks_scores_the_same(shared, scorer, tiny_shop, tmp_path, alias):
    theirs = scorer("tasks/score.py")
    folder = tmp_path / "set"
    folder.mkdir()
    wanted = {"one": ["fill_cart", "empty_cart"], "two": ["Mail.send_invoice", "count_stock", "never_there"]}
    tasks = [
        {"id": name, "repo": "tiny", "tier": "easy", "description": text, "ground_truth": wanted[name]}
        for name, text in (("one", "empty and fill the cart"), ("two", "send the invoice and count stock"))
    ]
    repositories = [{"name": "tiny", "url": "https://example.com/tiny", "revision": ""}]
    (folder / "repos.json").write_text(json.dumps(repositories), encoding="utf-8")
    (folder / "tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tasks), encoding="utf-8")
    run = written(datasets.load(folder), alias, tiny_shop, tmp_path / "run.json")
    for one in run["questions"]:
        names = [answer.get("name", "") for answer in one["results"]]
        expected = theirs.measure(names, wanted[one["id"]])
        for key, his in {"p@10": "P@10", "recall@10": "R@10", "ndcg@10": "NDCG@10", "mrr": "MRR"}.items():
            assert one["metrics"][key] == pytest.approx(expected[his], abs=EXACT)
    assert 0 < run["metrics"]["recall@10"] < 1
