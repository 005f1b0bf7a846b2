import numpy as np
import pytest
from tests.retrieve.test_catalogue import catalogue_of_names

from recollect.retrieve.ask import context_of, profile_for
from recollect.retrieve.matching import CHUNKS, SYMBOLS, Asked, said
from recollect.retrieve.query import Request


@pytest.fixture
def context(shop, around):
    return lambda text: context_of(shop, text, Request(), profile_for("task", "code"), around)


def meant(asked, *names):
    """Return which words of a question names mean, as bits, and what share of each name's words does."""
    catalogue = catalogue_of_names(*names)
    order = [catalogue.leaves[catalogue.numbers.tolist().index(at)] for at in range(1, len(names) + 1)]
    bits, covered = asked.of_names(catalogue).of(np.array(order))
    return list(zip(bits.tolist(), covered.tolist(), strict=True))


def test_a_word_is_meant_by_its_beginning_and_by_a_part_of_an_identifier(context):
    asked = Asked(context("retry HttpClient"))
    bits = [
        found for found, _ in meant(asked, "retrying", "retry", "client", "re", "retr", "clientele", "cli")
    ]
    assert bits == [0b01, 0b01, 0b10, 0, 0b01, 0b10, 0b10]


def test_short_words_are_meant_by_themselves_alone(context):
    assert [found for found, _ in meant(Asked(context("db x1")), "db", "dbs", "d", "x")] == [0b01, 0, 0, 0]


def test_the_words_of_a_name_tell_what_they_mean_together_and_how_many_of_them_do(context):
    asked = Asked(context("retry policy"))
    assert meant(asked, "retryPolicy", "retry_count", "_") == [(0b11, 1.0), (0b01, 0.5), (0, 0.0)]


def test_a_rare_word_is_a_larger_share_of_the_question(context):
    asked = Asked(context("order backoff"))
    common, rare, both = asked.weights(np.array([0b01, 0b10, 0b11], np.uint64)).tolist()
    assert rare > common
    assert both == pytest.approx(1.0)
    assert asked.shares(np.array([0b01, 0b10, 0b11], np.uint64)).tolist() == [0.5, 0.5, 1.0]


@pytest.mark.parametrize("table", [CHUNKS, SYMBOLS])
def test_items_say_what_full_text_finds_in_them(context, table):
    asking = context("backoff delay")
    hits = asking.reader.search(table.name, '"backoff" OR "delay"', table.weights, 50, asking.query.filters)
    numbers = np.array(sorted(hit.number for hit in hits))
    found = said(asking, table, numbers)
    scores = dict(zip(numbers.tolist(), found.scores.sum(1).tolist(), strict=True))
    assert scores == pytest.approx({hit.number: hit.score for hit in hits})
    assert found.coverage().max() == pytest.approx(1.0)
    assert found.rarity.sum() == pytest.approx(1.0)


def test_what_says_nothing_covers_nothing(context):
    found = said(context("qqqxyz"), CHUNKS, np.array([1, 2, 3]))
    assert found.coverage().tolist() == [0.0, 0.0, 0.0]


def test_a_question_without_words_means_nothing(context):
    asked = Asked(context("!?"))
    assert meant(asked, "retry") == [(0, 0.0)]
    none = np.zeros(1, np.uint64)
    assert asked.shares(none).tolist() == asked.weights(none).tolist() == [0.0]
