import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.decay import DAY, Brackets, Elastic, Exponential, Huber, Linear, decay
from recollect.retrieve.rerank.composite import commit_recency, runtime_recency


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (7, 0.5), (14, 0.25), (28, 0.0625)])
def test_usage_halves_every_week(days, left):
    assert decay(days, 7) == pytest.approx(left)


@pytest.mark.parametrize(("minutes", "left"), [(0, 1.0), (3, 0.5), (6, 0.25), (9, 0.125)])
def test_session_halves_every_three_minutes(minutes, left):
    assert decay(minutes * 60, 180) == pytest.approx(left)


@pytest.mark.parametrize(("days", "left"), [(30, 0.75), (365, 0.5001)])
def test_a_floor_is_blended_in(days, left):
    assert decay(days, 30, floor=0.5) == pytest.approx(left, abs=5e-5)


def test_huber_follows_the_tangent_after_its_border():
    border = 0.5**0.5
    assert decay(30, 30, Huber(0.5)) == pytest.approx(border - 0.693147 * border * 0.5, abs=1e-6)
    assert decay(10, 30, Huber(0.5)) == pytest.approx(0.5 ** (1 / 3))
    assert decay(3000, 30, Huber(0.5)) == 0.0


def test_elastic_mixes_a_straight_line_and_the_curve():
    assert decay(30, 30, Elastic(0.3)) == pytest.approx(0.3 * 0.5 + 0.7 * 0.5)
    assert decay(60, 30, Elastic(0.3)) == pytest.approx(0.7 * 0.25)


def test_linear_ends_at_two_half_lives():
    assert [decay(age, 10, Linear()) for age in (0, 10, 20, 30)] == [1.0, 0.5, 0.0, 0.0]


@pytest.mark.parametrize(
    ("days", "score"), [(0.5, 1.0), (1, 1.0), (2, 0.8), (7, 0.8), (20, 0.5), (30, 0.5), (31, 0.2), (900, 0.2)]
)
def test_runtime_recency_falls_in_brackets(days, score):
    assert runtime_recency(days * DAY) == score


def test_what_never_ran_gets_a_middling_recency():
    assert runtime_recency(None) == 0.3


@pytest.mark.parametrize(("days", "score"), [(1, 0.05), (7, 0.03), (30, 0.01), (31, 0.0)])
def test_commit_recency_falls_in_brackets(days, score):
    assert commit_recency(days * DAY) == score


@given(
    st.floats(0, 1e6),
    st.floats(0, 1e6),
    st.floats(0.1, 1e5),
    st.sampled_from([Exponential(), Linear(), Huber(), Elastic(), Brackets(((10, 1.0), (20, 0.5)), 0.1)]),
    st.floats(0, 1),
)
def test_older_never_weighs_more_and_never_less_than_the_floor(first, second, half_life, shape, floor):
    young, old = sorted((first, second))
    a, b = decay(young, half_life, shape, floor), decay(old, half_life, shape, floor)
    assert a >= b - 1e-12
    assert floor - 1e-12 <= b <= 1.0 + 1e-12
