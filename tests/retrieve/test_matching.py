import numpy as np
import pytest

from recollect.retrieve.ask import context_of, profile_for
from recollect.retrieve.matching import CHUNKS, SYMBOLS, Asked, said
from recollect.retrieve.query import Request


@pytest.fixture
def context(shop, around):
    return lambda text: context_of(shop, text, Request(), profile_for("task", "code"), around)


def test_a_word_is_meant_by_its_beginning_and_by_a_part_of_an_identifier(context):
    asked = Asked(context("retry HttpClient"))
    assert asked.meant_by("retrying") == asked.meant_by("retry") == 0b01
    assert asked.meant_by("client") == 0b10
    assert asked.meant_by("re") == 0


def test_the_words_of_a_name_tell_what_they_mean_together_and_how_many_of_them_do(context):
    asked = Asked(context("retry policy"))
    assert asked.meant(("retry", "policy")) == (0b11, 1.0)
    assert asked.meant(("retry", "count")) == (0b01, 0.5)
    assert asked.meant(()) == (0, 0.0)


def test_a_rare_word_is_a_larger_share_of_the_question(context):
    asked = Asked(context("order backoff"))
    common, rare = asked.meant_by("order"), asked.meant_by("backoff")
    assert asked.weight(rare) > asked.weight(common)
    assert asked.weight(rare | common) == pytest.approx(1.0)
    assert asked.share(rare) == asked.share(common) == 0.5


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
    assert asked.meant(("retry",)) == (0, 0.0)
    assert asked.share(0) == asked.weight(0) == 0.0
