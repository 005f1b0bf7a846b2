import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.bench import axes

values = st.lists(st.floats(1e-6, 1e9, allow_nan=False), min_size=1, max_size=20)


@given(values, st.sampled_from([axes.linear, axes.logarithmic, axes.fitting]))
def test_every_value_and_every_tick_lies_on_the_axis(given_values, make):
    axis = make(given_values)
    assert all(-1e-9 <= axis.share(value) <= 1 + 1e-9 for value in (*given_values, *axis.ticks))
    assert len(axis.ticks) <= 9


@given(values)
def test_a_greater_value_never_lies_lower(given_values):
    for axis in (axes.linear(given_values), axes.logarithmic(given_values)):
        places = [axis.share(value) for value in sorted(given_values)]
        assert places == sorted(places)


def test_ticks_are_round():
    assert axes.linear([0.93]).ticks == (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    assert axes.linear([-0.56, 0.23]).ticks == (-0.6, -0.4, -0.2, 0, 0.2, 0.4)
    assert axes.logarithmic([0.01, 8]).ticks == (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
    assert axes.linear([]).ticks[-1] == 1.0


def test_values_that_differ_by_powers_get_a_logarithmic_axis():
    assert axes.fitting([0.001, 5]).logarithmic
    assert not axes.fitting([3, 5]).logarithmic


@pytest.mark.parametrize(
    ("value", "name"), [(0.0, "0"), (0.0005, "5e-4"), (20000.0, "20,000"), (0.25, "0.25")]
)
def test_ticks_are_written_short(value, name):
    assert axes.name(value) == name
