import pytest

from recollect.ports import Filters
from recollect.retrieve import fts

WEIGHTS = {"text_symbol": (10.0, 5.0, 3.0, 1.0, 4.0, 3.0), "text_chunk": (2.0, 1.0)}
WORDS = ["retry policy order", "order", "the order is kept in a list", "wait basket client send", "zzz"]


@pytest.mark.parametrize("table", WEIGHTS)
@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("filters", [Filters(), Filters(include_tests=False)])
def test_scores_of_single_words_add_up_to_what_full_text_says(shop, around, table, text, filters):
    from recollect.retrieve.ask import context_of, profile_for
    from recollect.retrieve.query import Request
    from recollect.retrieve.scores import best_of

    context = context_of(shop, text, Request(filters=filters), profile_for("task", "code"), around)
    terms = fts.word_terms(text.split())
    for limit in (3, 100):
        whole = shop.search(table, fts.any_of(terms), WEIGHTS[table], limit, filters)
        numbers, scores = best_of(context, table, WEIGHTS[table], terms, limit)
        assert list(zip(numbers.tolist(), scores.tolist(), strict=True)) == [tuple(hit) for hit in whole]
