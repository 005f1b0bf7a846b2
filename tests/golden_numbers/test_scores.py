import pytest

from recollect.retrieve.boost.feedback import adjustment as feedback
from recollect.retrieve.channels import learned
from recollect.retrieve.confidence import BY_PROVENANCE, runtime_confidence
from recollect.retrieve.expand import seeds
from recollect.retrieve.expand.walk import Parameters as WalkParameters
from recollect.retrieve.expand.walk import confidence
from recollect.retrieve.packing import density, proximity_exponent
from recollect.retrieve.profile import load_profile
from recollect.retrieve.rerank import composite, hits


def parameters(key, profile="knowing"):
    return next(use.parameters for use in load_profile(profile).stages if use.key == key)


@pytest.mark.parametrize(("place", "weight"), [(0, 1.0), (4, 0.714), (9, 0.526), (14, 0.417), (24, 0.294)])
def test_seed_weights_fall_with_the_rank(place, weight):
    assert seeds.seed_weight(place) == pytest.approx(weight, abs=5e-4)


@pytest.mark.parametrize(
    ("nodes", "count"), [(1_400, 15), (10_000, 15), (10_001, 20), (40_000, 20), (40_001, 25), (500_000, 25)]
)
def test_larger_graphs_take_more_seeds(nodes, count):
    assert seeds.seed_count(nodes, seeds.Parameters()) == count


def test_types_go_first_above_forty_thousand_symbols():
    assert parameters("expand.seeds").prefer_types_above == 40_000


def test_supplements_start_with_a_third_of_a_seed():
    assert parameters("expand.seeds").supplement_weight == 0.3


@pytest.mark.parametrize(("count", "value"), [(2, 0.3), (3, 0.3625), (6, 0.55), (10, 0.8), (20, 0.8)])
def test_learned_words_grow_with_use(count, value):
    assert learned.strength(count, learned.Parameters()) == pytest.approx(value)


@pytest.mark.parametrize(("ratio", "exponent"), [(0, 0.3), (0.5, 0.4), (1, 0.5), (2, 0.7), (5, 0.7)])
def test_nearness_counts_more_among_phantoms(ratio, exponent):
    assert proximity_exponent(ratio) == pytest.approx(exponent)


def test_density_is_score_per_token_times_nearness():
    assert density(0.8, 20, 0.5, 0.3) == pytest.approx(0.8 / 20 * 0.5**0.3)


@pytest.mark.parametrize(
    ("useful", "useless", "value"), [(4, 0, 0.25), (3, 1, 0.125), (2, 2, 0.0), (1, 3, -0.025), (0, 4, -0.05)]
)
def test_feedback_praises_more_than_it_blames(useful, useless, value):
    assert feedback(useful, useless) == pytest.approx(value)


def test_no_feedback_is_not_bad_feedback():
    assert feedback(0, 0) == 0.0
    assert feedback(0, 1) < 0.0


def test_four_terms_without_and_with_hubs():
    base = composite.weights_of(parameters("rerank.composite"), with_hits=False)
    assert (base.blast, base.confidence, base.recency, base.distance) == (0.40, 0.25, 0.20, 0.15)
    full = composite.weights_of(parameters("rerank.composite"), with_hits=True)
    assert (full.blast, full.confidence, full.recency, full.distance) == (0.35, 0.20, 0.15, 0.15)
    assert parameters("rerank.composite").session == 0.20


def test_a_seed_adds_half_of_the_largest_walk_to_its_reach():
    assert parameters("rerank.composite").seed_bonus == 50.0


@pytest.mark.parametrize(
    ("seed", "authority", "hub", "value"),
    [
        (True, 0.4, 0.0, 0.4 * 0.25),
        (True, 0.05, 0.0, 0.0),
        (True, 0.0, 0.5, 0.5 * 0.10),
        (True, 0.0, 0.1, 0.0),
        (True, 0.4, 0.5, 0.4 * 0.25 + 0.5 * 0.10),
        (False, 0.4, 0.9, -0.4 * 0.15),
        (False, 0.2, 0.9, 0.0),
    ],
)
def test_authority_is_good_for_seeds_and_bad_for_the_rest(seed, authority, hub, value):
    assert hits.adjustment(seed, authority, hub, parameters("rerank.hits")) == pytest.approx(value)


def test_hits_looks_at_two_hundred_for_ten_rounds():
    assert (parameters("rerank.hits").top, parameters("rerank.hits").rounds) == (200, 10)


@pytest.mark.parametrize(
    ("count", "value"), [(1001, 0.95), (1000, 0.85), (100, 0.85), (99, 0.7), (10, 0.7), (1, 0.5), (0, 0.2)]
)
def test_runtime_edges_are_surer_the_more_often_they_were_seen(count, value):
    assert runtime_confidence(count) == value


def test_confidence_by_provenance():
    assert BY_PROVENANCE["lsp_resolved"] == 0.9
    assert {BY_PROVENANCE[name] for name in ("syntax", "resolved", "inferred")} == {0.7}


def test_the_walk_of_the_profile():
    assert parameters("expand.walk") == WalkParameters(
        alpha=0.2, iterations=20, tolerance=0.001, stable_top=10, stable_rounds=2, depth=4, threshold=0.02,
        left_out=("file", "chunk", "section"),
    )  # fmt: skip


def test_the_channels_of_the_profile_and_their_weights():
    weights = {use.name: use.weight for use in load_profile("knowing").of("channel")}
    expected = {"tiered": 2.0, "bm25": 2.0, "equivalence": 2.0, "path": 1.5, "vector": 0.0}
    assert {name: weights[name] for name in expected} == expected


def test_the_fuser_of_the_profile():
    rrf = parameters("fuse.rrf")
    assert (rrf.k, rrf.absent, rrf.limit) == (60, "zero", 40)
    assert (rrf.capped, rrf.against, rrf.least_cap) == ({"equivalence": 2.0}, ("tiered", "bm25"), 10)


def test_the_columns_of_full_text_and_their_weights():
    bm25 = parameters("channel.bm25")
    columns = (bm25.name, bm25.concepts, bm25.qualified, bm25.signature, bm25.path, bm25.doc)
    assert columns == (10.0, 5.0, 3.0, 1.0, 4.0, 3.0)
    assert (bm25.limit, bm25.thesaurus) == (30, 10)


def test_the_tiers_and_their_caps():
    tiered = parameters("channel.tiered")
    assert (tiered.fallback_below, tiered.prefix_below, tiered.prefix_cap) == (5, 15, 30)
    assert (tiered.substring_below, tiered.substring_cap) == (5, 20)
    assert (tiered.path_below, tiered.path_cap) == (30, 40)


def test_the_caps_of_the_path_channel():
    path = parameters("channel.path")
    assert (path.rich, path.lean, path.other, path.methods, path.limit) == (5, 10, 15, 10, 30)


def test_tests_score_a_third_less_than_a_third():
    assert parameters("rerank.tests").factor == 0.3


def test_injection_lands_a_tenth_above_the_top():
    inject = parameters("rerank.inject")
    assert (inject.weight_from, inject.above) == (0.9, 0.1)


def test_session_and_feedback_of_the_profile():
    session = parameters("boost.session")
    assert session.half_life == 180.0
    judged = parameters("boost.feedback")
    assert (judged.positive, judged.negative) == (0.25, 0.05)


def test_learned_vocabulary_of_the_profile():
    words = parameters("channel.learned")
    assert (words.least, words.full, words.lowest, words.highest) == (2, 10, 0.3, 0.8)


def test_gap_fill_is_off_and_has_its_numbers():
    use = next(use for use in load_profile("knowing").stages if use.key == "expand.gap_fill")
    assert not use.enabled
    assert (use.parameters.below, use.parameters.ask, use.parameters.fill) == (5, 20, 15)


def test_reranking_by_vectors_is_off_and_looks_at_fifty():
    use = next(use for use in load_profile("knowing").stages if use.key == "rerank.vectors")
    assert (use.enabled, use.parameters.top, use.parameters.original) == (False, 50, 0.0)


def test_a_massive_graph_without_a_clear_head_is_not_walked():
    rule = parameters("expand.walk")
    assert (rule.massive, rule.massive_confidence) == (200_000, 0.3)


@pytest.mark.parametrize(("top", "sure"), [(1.0, 0.0), (1.2, 0.0), (2.1, 0.5), (3.0, 1.0), (9.0, 1.0)])
def test_confidence_grows_with_the_lead_over_the_tenth(top, sure):
    assert confidence([top] + [1.0] * 9) == pytest.approx(sure)


def test_budgets_of_the_three_entry_points():
    task = load_profile("knowing")
    assert task.budget == 50_000
    assert load_profile(task.files).budget == 50_000
    assert load_profile(task.change).budget == 8_000


def test_files_are_answered_without_keywords_or_walk_by_real_callers():
    keys = [use.key for use in load_profile("knowing-files").stages]
    assert keys[:3] == ["channel.changed", "fuse.rrf", "expand.callers"]
    assert "expand.walk" not in keys
    assert parameters("rerank.composite", "knowing-files").reach == "callers"


def test_a_change_is_walked_from_all_of_its_symbols():
    seeds_of = parameters("expand.seeds", "knowing-change")
    assert seeds_of.all
    assert "expand.walk" in [use.key for use in load_profile("knowing-change").stages]
