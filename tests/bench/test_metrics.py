import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.bench import metrics
from recollect.bench.judge import Judged, judge
from recollect.bench.values import Question, Target


def judged_ids(ranked, relevant):
    return judge("memory", ranked, Question("q", "?", tuple(Target(id=one) for one in relevant)))


def test_a_perfect_answer_is_one_everywhere():
    values = metrics.measure(judged_ids([3, 1, 2], [1, 2, 3]))
    assert {key: values[key] for key in ("recall@5", "ndcg@10", "mrr", "hit@1", "recall_all@10")} == {
        "recall@5": 1.0, "ndcg@10": 1.0, "mrr": 1.0, "hit@1": 1.0, "recall_all@10": 1.0,
    }  # fmt: skip


def test_a_result_given_twice_counts_once():
    assert metrics.measure(judged_ids([9, 9, 1], [1]))["mrr"] == 1 / 2


def test_two_relevant_results_behind_another_gain_what_their_ranks_are_worth():
    assert metrics.measure(judged_ids([9, 1, 2, 2], [1, 2]))["ndcg@10"] == pytest.approx(0.693426, abs=5e-7)


def test_the_second_hit_of_one_target_gains_nothing():
    hits = (frozenset({0}), frozenset({0}), frozenset({1}))
    assert metrics.ndcg(hits, 2, 10) == pytest.approx(1.5 / (1 + 1 / math.log2(3)))


def test_one_result_that_hits_two_targets_gains_once_and_recalls_both():
    hits = (frozenset({0, 1}),)
    assert metrics.recall(hits, 2, 10) == 1.0
    assert metrics.ndcg(hits, 2, 10) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_precision_divides_by_k_also_when_fewer_came_back():
    assert metrics.precision((frozenset({0}),), 10) == 0.1


def test_reciprocal_rank_can_be_cut_at_ten():
    values = metrics.measure(judged_ids([*range(100, 111), 1], [1]))
    assert (values["mrr"], values["mrr@10"]) == (1 / 12, 0.0)


def test_tokens_are_summed_until_a_level_of_recall_is_reached():
    hits = (frozenset(), frozenset({0}), frozenset({1}))
    assert metrics.tokens_to_recall(hits, [10, 20, 30], 2, (0.5, 1.0)) == {"0.5": 30, "1": 60}
    assert metrics.tokens_to_recall(hits[:2], [10, 20], 2, (1.0,)) == {"1": None}


def test_what_does_not_fit_a_budget_is_not_recalled():
    hits = (frozenset({0}), frozenset({1}))
    assert metrics.recall_within(hits, [10, 20], 2, (9, 10, 29, 30)) == {
        "9": 0.0, "10": 0.5, "29": 0.5, "30": 1.0,
    }  # fmt: skip


@given(st.lists(st.sets(st.integers(0, 6)).map(frozenset), max_size=30), st.integers(1, 7))
def test_all_metrics_lie_between_zero_and_one(hits, targets):
    kept = tuple(frozenset(one for one in hit if one < targets) for hit in hits)
    assert all(0 <= value <= 1 + 1e-12 for value in metrics.measure(Judged(kept, targets)).values())


@given(st.lists(st.integers(0, 40), unique=True, max_size=30), st.sets(st.integers(0, 40), min_size=1))
def test_moving_a_hit_up_never_costs(ranked, relevant):
    before = metrics.measure(judged_ids(ranked, relevant))
    at = next(
        (at for at, one in enumerate(ranked) if at and one in relevant and ranked[at - 1] not in relevant),
        None,
    )
    if at is None:
        return
    ranked[at - 1], ranked[at] = ranked[at], ranked[at - 1]
    after = metrics.measure(judged_ids(ranked, relevant))
    assert all(after[key] >= before[key] - 1e-12 for key in before)


def test_the_tokens_of_the_median_question_count_those_that_never_get_there():
    rows = [{"0.5": 10, "1": 30}, {"0.5": 20, "1": None}, {"0.5": None, "1": None}]
    assert metrics.tokens_to_reach(rows) == {"0.5": (20, 2 / 3), "1": (None, 1 / 3)}


def test_a_thousand_random_lists_agree_with_a_public_implementation():
    public = pytest.importorskip("pytrec_eval")
    random_ = random.Random(7)
    qrel, runs, ours = {}, {}, {}
    for number in range(1000):
        pool = random_.sample(range(1000), 60)
        relevant = random_.sample(pool, random_.randint(1, 15))
        ranked = random_.sample(pool, random_.randint(1, 40))
        name = f"q{number}"
        qrel[name] = {str(one): 1 for one in relevant}
        runs[name] = {str(one): float(len(ranked) - at) for at, one in enumerate(ranked)}
        ours[name] = metrics.measure(judged_ids(ranked, relevant))
    theirs = public.RelevanceEvaluator(
        qrel, {"recall.5,10", "ndcg_cut.10", "recip_rank", "P.10", "success.1,5,10"}
    ).evaluate(runs)
    same = {
        "recall@5": "recall_5", "recall@10": "recall_10", "ndcg@10": "ndcg_cut_10", "mrr": "recip_rank",
        "p@10": "P_10", "hit@1": "success_1", "hit@5": "success_5", "hit@10": "success_10",
    }  # fmt: skip
    for name, values in theirs.items():
        for key, theirs_key in same.items():
            assert ours[name][key] == pytest.approx(values[theirs_key], abs=1e-9), (name, key)
