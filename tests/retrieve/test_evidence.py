import numpy as np
import pytest

from recollect.retrieve import evidence, pieces, pipeline
from recollect.retrieve.ask import context_of, profile_for
from recollect.retrieve.query import Request

OFF = {f"{stage}.enabled": False for stage in ("rerank.files", "rerank.pieces", "collapse.shown")}


@pytest.fixture
def measured(shop, around):
    """Return the features of every file by path and name."""

    def measure(text):
        profile = profile_for("task", "code", OFF)
        context = context_of(shop, text, Request(limit=100), profile, around)
        found = pipeline.run(context, profile, pack=False)
        groups = evidence.group(found.candidates, found.items)
        matrix = evidence.measure(context, groups, found.items)
        assert np.isfinite(matrix).all()
        rows = (dict(zip(evidence.FEATURES, row, strict=True)) for row in matrix.tolist())
        return dict(zip(groups, rows, strict=True))

    return measure


def test_a_file_is_known_by_the_words_of_its_name(measured):
    files = measured("how long does the retry policy pause")
    assert files["shop/http/retry.py"]["stem_covered"] == 1.0
    assert files["shop/http/retry.py"]["stem_asked"] > 0
    assert files["shop/http/client.py"]["stem_covered"] == 0.0


def test_the_best_file_leads_each_relative_feature(measured):
    files = measured("backoff delay attempt")
    for name in ("chunk", "all_chunks", "best_terms", "chunk_rank"):
        assert max(row[name] for row in files.values()) == pytest.approx(1.0), name


def test_tests_are_told_apart(measured):
    files = measured("place order")
    assert files["tests/test_checkout.py"]["test"] == 1.0
    assert files["shop/orders/checkout.py"]["test"] == 0.0


def test_a_name_that_is_asked_for_in_full_fits_in_full(measured):
    files = measured("RetryPolicy")
    assert files["shop/http/retry.py"]["type_fits"] == pytest.approx(1.0)
    assert files["shop/http/retry.py"]["definition"] == 1.0


def test_what_the_question_is_like_is_the_same_for_every_file(measured):
    for name in evidence.ASKED:
        assert len({row[name] for row in measured("where is an order kept").values()}) == 1


def test_a_question_is_told_from_a_task(measured):
    opens = {row["asked_open"] for row in measured("where is an order kept").values()}
    tells = {row["asked_open"] for row in measured("keep an order twice").values()}
    assert (opens, tells) == ({1.0}, {0.0})


def test_a_symbol_is_measured_with_its_owner_and_its_members(shop, around):
    context = context_of(shop, "retry policy", Request(), profile_for("task", "code"), around)
    opened = pieces.open_file(context, "shop/http/retry.py")
    matrix = pieces.measure(context, [pieces.Best(opened, 3.0, 0)], {})
    rows = {
        item.name: dict(zip(pieces.FEATURES, row, strict=True))
        for item, row in zip(opened.items, matrix.tolist(), strict=True)
    }
    assert rows["RetryPolicy"]["type"] == rows["RetryPolicy.should_retry"]["callable"] == 1.0
    assert rows["RetryPolicy.should_retry"]["owner"] == rows["RetryPolicy"]["symbol"] > 0
    assert rows["RetryPolicy"]["member"] >= rows["RetryPolicy.should_retry"]["symbol"]
    assert rows["backoff_delay"]["owner"] == 0.0
    assert rows["RetryPolicy"]["fit"] == pytest.approx(1.0)
    assert np.isfinite(matrix).all()


def test_the_greatest_value_of_each_span_is_found_and_nothing_in_an_empty_one():
    spans = np.array([[0, 2], [1, 1], [2, 3], [3, 3]])
    assert pieces._over(np.array([1.0, 5.0, 2.0]), spans).tolist() == [5.0, 0.0, 2.0, 0.0]
