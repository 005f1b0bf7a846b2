import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.bench import statistics


def signs_counted_out(differences):
    """Return the two-sided p of the signed-rank test by trying every sign."""
    kept = [value for value in differences if value]
    doubled = statistics._doubled_ranks([abs(value) for value in kept])
    up = sum(rank for rank, value in zip(doubled, kept, strict=True) if value > 0)
    smaller = min(up, sum(doubled) - up)
    sums = [
        sum(rank for rank, sign in zip(doubled, signs, strict=True) if sign)
        for signs in itertools.product((0, 1), repeat=len(kept))
    ]
    return min(1.0, 2 * sum(one <= smaller for one in sums) / len(sums))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10).filter(any))
def test_the_signed_rank_test_is_exact_also_with_ties_and_zeros(differences):
    assert statistics.signed_rank(differences)[0] == pytest.approx(signs_counted_out(differences))


def test_many_differences_agree_with_a_public_implementation():
    scipy = pytest.importorskip("scipy.stats")
    random_ = random.Random(2)
    differences = [round(random_.gauss(0.1, 1), 1) for _ in range(300)]
    expected = scipy.wilcoxon(differences, zero_method="wilcox", correction=True, method="asymptotic").pvalue
    assert statistics.signed_rank(differences)[0] == pytest.approx(expected, rel=1e-9)


def test_no_difference_is_no_evidence():
    found = statistics.compare_paired([0.5] * 20, [0.5] * 20)
    assert (found.delta, found.p_value, found.effect, found.decisive) == (0.0, 1.0, 0.0, False)


def test_a_difference_everywhere_is_decisive_in_its_direction():
    better = statistics.compare_paired([0.1, 0.2, 0.3, 0.2] * 5, [0.3, 0.4, 0.5, 0.3] * 5)
    worse = statistics.compare_paired([0.3, 0.4, 0.5, 0.3] * 5, [0.1, 0.2, 0.3, 0.2] * 5)
    assert better.decisive
    assert better.low > 0
    assert (better.effect, worse.effect) == (1.0, -1.0)
    assert (better.better, worse.worse) == (20, 20)
    assert worse.decisive
    assert worse.high < 0


def test_one_lucky_question_among_many_is_not_decisive():
    found = statistics.compare_paired([0.0] * 30, [1.0] + [0.0] * 29)
    assert found.delta > 0
    assert not found.decisive


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40))
def test_the_same_values_give_the_same_interval_and_it_holds_the_mean(values):
    first, second = (statistics.interval(values, rounds=500) for _ in range(2))
    assert first == second
    assert min(values) - 1e-9 <= first.low <= first.high <= max(values) + 1e-9


def test_the_interval_of_a_coin_is_near_the_textbook():
    found = statistics.interval([0.0, 1.0] * 200)
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.004)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.004)


def test_the_bootstrap_agrees_with_the_published_one(scorer):
    theirs = scorer("locomo/metrics.py")
    random_ = random.Random(9)
    old = [random_.random() for _ in range(80)]
    new = [min(1.0, value + random_.gauss(0.03, 0.1)) for value in old]
    delta, low, high = theirs.paired_bootstrap(old, new)
    ours = statistics.compare_paired(old, new)
    assert ours.delta == pytest.approx(delta)
    assert (ours.low, ours.high) == (pytest.approx(low, abs=0.003), pytest.approx(high, abs=0.003))


def test_drawing_by_how_often_values_come_is_the_same_as_drawing_one_by_one(monkeypatch):
    values = [(at * 7 % 11) / 10 for at in range(300)]
    quick = statistics.interval(values)
    monkeypatch.setattr(statistics, "FEW", 0)
    slow = statistics.interval(values)
    assert quick.mean == slow.mean
    assert abs(quick.low - slow.low) < 0.004
    assert abs(quick.high - slow.high) < 0.004


def test_differences_that_cancel_out_are_not_told_apart_from_zero():
    found = statistics.compare_paired([0.0, 0.1, 0.3], [0.1, 0.0, 0.3])
    assert found.low <= 0 <= found.high
    assert not found.decisive
