from dataclasses import replace

import pytest
from tests.retrieve.conftest import names

from recollect.errors import NotFoundError
from recollect.ports import Filters
from recollect.retrieve.contrast import contrast
from recollect.retrieve.explain import why
from recollect.source.lines import Lines

TASK = "make the retry policy configurable"


def steps(explanation):
    return {step.stage: step for step in explanation.steps}


def test_a_ranked_symbol_is_explained_stage_by_stage(answer, shop):
    found = answer(TASK)
    said = why(found, shop, "RetryPolicy")
    assert (said.rank, said.packed, said.lost_at) == (1, True, "")
    by_stage = steps(said)
    assert by_stage["channel.bm25"].text.startswith("ranked ")
    assert by_stage["expand.seeds"].text.startswith("a seed with weight")
    assert "walk" in by_stage["expand.walk"].text
    terms = by_stage["rerank.composite"].terms
    assert set(terms) == {
        "blast",
        "confidence",
        "recency",
        "distance",
        "authority",
        "feedback",
        "session",
        "commit",
    }
    assert sum(terms.values()) == pytest.approx(by_stage["rerank.composite"].score)
    assert "pack.density" in by_stage


@pytest.mark.parametrize("profile", ["code", "knowing"])
def test_the_fused_score_is_told_as_the_sum_of_what_each_channel_adds(answer, shop, profile):
    (fused,) = [
        step
        for step in why(answer(TASK, profile=profile), shop, "RetryPolicy").steps
        if step.stage[:4] == "fuse"
    ]
    assert {"knowing": "bm25", "code": "symbols"}[profile] in fused.terms
    assert sum(fused.terms.values()) == pytest.approx(fused.score)


def test_an_unknown_symbol_is_an_error_with_advice(answer, shop):
    with pytest.raises(NotFoundError, match="recollect search"):
        why(answer(TASK), shop, "NoSuchThing")


def test_a_symbol_that_nothing_leads_to_gets_advice(answer, shop):
    said = why(answer(TASK, overrides={"expand.walk.depth": 1}), shop, "FileOrderStore")
    assert said.rank is None
    assert "never a candidate" in said.verdict
    assert any("`FileOrderStore`" in advice for advice in said.keep)


def test_a_symbol_below_the_threshold_is_told_which_threshold_keeps_it(answer, shop):
    found = answer(TASK, overrides={"expand.walk.threshold": 0.9})
    said = why(found, shop, "RetryPolicy.should_retry")
    assert said.rank is None
    (advice,) = [advice for advice in said.keep if "threshold" in advice]
    threshold = float(advice.partition("=")[2].partition(" ")[0])
    again = answer(TASK, overrides={"expand.walk.threshold": threshold})
    assert "RetryPolicy.should_retry" in names(again)


def test_a_symbol_that_fusion_cut_is_told_which_limit_keeps_it(answer, shop):
    narrow = answer(TASK, overrides={"fuse.rrf.limit": 1, "expand.walk.threshold": 1.0})
    (number, reason) = next(iter(narrow.trace.of("fuse.rrf").dropped.items()))
    name = next(item.name for item in shop.items([number]))
    said = why(narrow, shop, name)
    assert "are kept" in reason
    assert said.lost_at in {"fuse.rrf", "expand.walk"}


def test_a_symbol_that_did_not_fit_names_who_took_the_budget(answer, shop):
    found = answer(TASK, budget=60)
    packed = {entry.item.name for entry in found.packed.entries}
    lost = next(name for name in names(found) if name not in packed)
    said = why(found, shop, lost)
    assert (said.packed, said.lost_at) == (False, "pack.density")
    assert "tokens" in said.verdict
    assert "budget" in said.keep[0]


def test_a_symbol_whose_lines_another_one_shows_is_in_the_answer(answer, shop, around, shop_folder):
    around = replace(around, services={"text": Lines(shop_folder).of})
    said = why(answer(TASK, profile="code", surroundings=around), shop, "RetryPolicy.should_retry")
    assert (said.packed, said.lost_at, said.keep) == (True, "", ())
    assert "its lines are shown with RetryPolicy" in said.verdict
    assert steps(said)["pack.bodies"].text.startswith("shown: ")


def test_noise_is_named_as_noise(answer, shop):
    said = why(answer("FakeClient", overrides={"expand.walk.threshold": 1.0}), shop, "FakeClient")
    assert said.lost_at == "filter.noise"
    assert said.keep == ("filter.noise.enabled=false would have kept it.",)


def test_an_explanation_is_plain_data(answer, shop):
    row = why(answer(TASK), shop, "RetryPolicy").to_dict()
    assert row["steps"][0]["stage"].startswith("channel.")


def test_the_contrast_of_an_answer_with_itself_changes_nothing(answer):
    rows = contrast(answer(TASK), answer(TASK))
    assert rows
    assert all(row["before"] == row["after"] and row["why"] == "" for row in rows)


def test_a_contrast_says_where_the_other_profile_lost_it(answer):
    rows = contrast(answer(TASK), answer(TASK, overrides={"expand.walk.threshold": 0.9}))
    gone = [row for row in rows if row["after"] is None]
    assert gone
    assert all("threshold" in row["why"] or "never" in row["why"] for row in gone)


def test_every_stage_of_the_profile_is_in_the_trace(answer):
    found = answer(TASK)
    keys = [stage.key for stage in found.trace.stages]
    assert keys == [use.key for use in found.profile.stages if use.enabled]


def test_what_stands_ahead_is_named_by_its_lines_when_it_has_no_name(answer, shop):
    found = answer(TASK, profile="code", budget=60)
    lost = next(
        said
        for said in (why(found, shop, row.id) for row in found.items.values() if row.name)
        if said.lost_at == "pack.bodies"
    )
    ahead = lost.verdict.partition("Ahead of it were ")[2].rstrip(".")
    assert ahead
    assert all(name.strip() for name in ahead.split(", "))


def test_what_a_filter_leaves_out_is_told_with_the_filter(answer, shop):
    for filters, reason in (
        (Filters(include_tests=False), "it is test code"),
        (Filters(path_prefixes=("shop/",)), "it does not lie in shop/"),
        (Filters(kinds=frozenset({"class"})), "it is a function, not a class"),
        (Filters(languages=frozenset({"go"})), "its language is python, not go"),
    ):
        said = why(answer("retry policy", filters=filters), shop, "test_retry_policy_gives_up")
        assert (said.rank, said.lost_at, said.keep) == (None, "filters", ("Ask without that filter.",))
        assert reason in said.verdict


def test_a_channel_that_brought_all_it_may_is_named(answer, shop):
    nothing = {"expand.walk.depth": 1, "channel.bm25.limit": 1, "channel.path.weight": 0.0}
    said = why(answer("retry policy", overrides=nothing), shop, "FileOrderStore")
    assert any("raise channel.bm25.limit=1." in advice for advice in said.keep)


def test_what_is_first_is_named_with_what_it_has_more(answer, shop):
    found = answer(TASK)
    second = found.candidates[1]
    verdict = why(found, shop, found.items[second.number].id).verdict
    first = found.candidates[0]
    details = found.trace.of("rerank.composite").details
    term = max(
        details[first.number],
        key=lambda name: details[first.number][name] - details[second.number].get(name, 0.0),
    )
    assert f"Number 1 is RetryPolicy in shop/http/retry.py, {first.score:.2f} against" in verdict
    assert f"most by {term} +" in verdict
    assert "Number 1" not in why(found, shop, "RetryPolicy").verdict


def test_a_contrast_says_which_stage_moved_it_and_where_it_came_from(answer):
    rows = contrast(answer(TASK), answer(TASK, profile="lexical"))
    moved = [row["why"] for row in rows if row["before"] and row["after"] and row["before"] != row["after"]]
    assert moved
    assert all(" until " in reason or " began with it at #" in reason for reason in moved)
    fresh = [row for row in rows if row["before"] is None]
    assert fresh
    known = ("knowing never had it as a candidate; lexical has it from ", "knowing lost it at ")
    assert all(row["why"].startswith(known) for row in fresh)
    assert all(row["name"].strip() for row in rows)
