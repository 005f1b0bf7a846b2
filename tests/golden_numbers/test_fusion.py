import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieve.fuse import linear, rrf
from recollect.retrieve.values import Candidate, Ranked


def ranked(channel, weight, *numbers):
    return Ranked(channel, weight, tuple(Candidate(n, 1.0 / rank) for rank, n in enumerate(numbers, 1)))


@pytest.mark.parametrize(("rank", "value"), [(1, 0.016393), (2, 0.016129), (3, 0.015873)])
def test_reciprocal_rank_counts_from_one(rank, value):
    assert rrf.reciprocal(1.0, rank) == pytest.approx(value, abs=5e-7)


def test_the_best_possible_rank_everywhere_is_one():
    scores = rrf.fused((ranked("a", 2.0, 7, 8), ranked("b", 1.5, 7)), rrf.Parameters())
    assert scores[7] == pytest.approx(1.0)
    assert scores[8] == pytest.approx((2.0 / 62) / (3.5 / 61))


def test_absent_counts_nothing_by_default():
    scores = rrf.fused((ranked("a", 1.0, 1), ranked("b", 1.0, 2, 3)), rrf.Parameters())
    assert scores[1] == pytest.approx((1 / 61) / (2 / 61))


def test_absent_gets_the_rank_after_the_last_as_a_penalty():
    scores = rrf.fused((ranked("a", 1.0, 1), ranked("b", 1.0, 2, 3)), rrf.Parameters(absent="penalty"))
    assert scores[1] == pytest.approx((1 / 61 + 1 / 63) / (2 / 61))
    assert scores[3] == pytest.approx((1 / 62 + 1 / 62) / (2 / 61))


def test_an_empty_channel_changes_nothing():
    one = (ranked("a", 1.0, 1, 2),)
    for absent in ("zero", "penalty"):
        parameters = rrf.Parameters(absent=absent)
        assert rrf.fused(one, parameters) == rrf.fused((*one, ranked("b", 5.0)), parameters)


def test_a_hit_may_weigh_less_than_its_channel():
    light = Ranked("a", 1.0, (Candidate(1, 1.0, "", {"fuse.weight": 0.3}),))
    assert rrf.fused((light,), rrf.Parameters())[1] == pytest.approx(0.3)


def test_a_channel_may_bring_only_so_many_times_what_others_bring():
    lists = (ranked("words", 2.0, *range(8)), ranked("concepts", 2.0, *range(100, 180)))
    parameters = rrf.Parameters(capped={"concepts": 2.0}, against=("words",))
    assert [len(row.hits) for row in rrf.capped(lists, parameters)] == [8, 16]
    few = rrf.capped((ranked("words", 2.0, 1), ranked("concepts", 2.0, *range(100, 180))), parameters)
    assert [len(row.hits) for row in few] == [1, 10]


def test_silent_channels_give_their_weight_away():
    weights = {"fts": 0.30, "vector": 0.55, "recency": 0.10, "priority": 0.05}
    three = linear.redistributed(weights, ["fts", "vector", "priority"])
    assert [round(three[name], 4) for name in ("fts", "vector", "priority")] == [0.3333, 0.6111, 0.0556]
    two = linear.redistributed(weights, ["fts", "priority"])
    assert [round(two[name], 4) for name in ("fts", "priority")] == [0.8571, 0.1429]


def test_a_single_score_is_in_the_middle():
    assert linear.normed({5: 3.2}, "minmax") == {5: 0.5}


lists = st.lists(
    st.tuples(st.floats(0.1, 5), st.lists(st.integers(0, 20), max_size=8, unique=True)),
    min_size=1,
    max_size=4,
)
penalties = st.sampled_from(["zero", "penalty"])


def made(rows):
    return [ranked(f"channel {place}", weight, *numbers) for place, (weight, numbers) in enumerate(rows)]


@given(lists, penalties, st.randoms())
def test_fusion_does_not_care_for_the_order_of_channels(rows, absent, random):
    channels = made(rows)
    shuffled = list(channels)
    random.shuffle(shuffled)
    parameters = rrf.Parameters(absent=absent)
    assert rrf.fused(channels, parameters) == rrf.fused(shuffled, parameters)
    assert linear.fused(channels, linear.Parameters()) == linear.fused(shuffled, linear.Parameters())


@given(lists, penalties)
def test_fused_scores_lie_between_zero_and_one(rows, absent):
    assert all(
        0 < score <= 1 + 1e-12 for score in rrf.fused(made(rows), rrf.Parameters(absent=absent)).values()
    )


@given(lists, penalties, st.floats(1.01, 4))
def test_more_weight_for_a_channel_never_lowers_what_it_ranks_higher(rows, absent, factor):
    channels = made(rows)
    first = channels[0]
    heavier = [Ranked(first.channel, first.weight * factor, first.hits), *channels[1:]]
    parameters = rrf.Parameters(absent=absent)
    before, after = rrf.fused(channels, parameters), rrf.fused(heavier, parameters)
    ranks = {hit.number: place for place, hit in enumerate(first.hits)}
    for higher in ranks:
        for lower in before:
            if ranks[higher] < ranks.get(lower, len(ranks)) and before[higher] >= before[lower]:
                assert after[higher] >= after[lower] - 1e-12


@given(lists, st.floats(1.01, 4))
def test_a_change_of_all_weights_alike_changes_nothing(rows, factor):
    channels = made(rows)
    heavier = [Ranked(row.channel, row.weight * factor, row.hits) for row in channels]
    for absent in ("zero", "penalty"):
        before, after = (rrf.fused(row, rrf.Parameters(absent=absent)) for row in (channels, heavier))
        assert after == pytest.approx(before)
