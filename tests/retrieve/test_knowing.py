import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.retrieve.conftest import names

from recollect.errors import NotFoundError, UsageError
from recollect.ports import Filters
from recollect.retrieve.answer import hits_of, pack_of
from recollect.retrieve.packing import PlainLines, node_tokens
from recollect.retrieve.tokens import exact

TASK = "make the retry policy configurable"


def test_a_task_finds_what_it_names_and_what_that_leads_to(answer):
    found = names(answer(TASK))
    assert found[0] == "RetryPolicy"
    assert {"HttpClient", "HttpClient.send", "RetryPolicy.should_retry"} <= set(found)


def fused(found):
    return [
        found.items[row.number].name for row in found.trace.of("fuse.rrf").after if row.number in found.items
    ]


def first_by_name(found):
    return next(iter(names_of(found, found.trace.of("channel.tiered").after)))


def names_of(found, rows):
    return [found.items[row.number].name for row in rows if row.number in found.items]


def test_an_identifier_leads_the_names_and_stays_near_the_top(answer):
    assert first_by_name(answer("why is `save_order` slow")).endswith("save_order")
    found = answer("Checkout.place_order")
    assert first_by_name(found) == "Checkout.place_order"
    assert "Checkout.place_order" in names(found)[:4]


def test_the_exact_stage_puts_a_named_symbol_on_top(answer, tmp_path):
    text = 'extends = "knowing"\n[[rerank]]\nuse = "composite"\n[[rerank]]\nuse = "exact"\n'
    (tmp_path / "sure.toml").write_text(text, encoding="utf-8")
    found = answer("Checkout.place_order", profile=str(tmp_path / "sure.toml"))
    assert names(found)[0] == "Checkout.place_order"
    assert names(answer("why is `save_order` slow", profile=str(tmp_path / "sure.toml")))[0].endswith(
        "save_order"
    )


def test_a_dotted_name_prefers_its_owner(answer):
    assert fused(answer("FileOrderStore.save_order"))[0] == "FileOrderStore.save_order"


def test_a_camel_case_name_is_found_by_its_words(answer):
    assert "parseBasketFile" in names(answer("parse the basket"))


def test_implementors_follow_their_type(answer):
    trace = answer("change the `OrderStore` contract").trace.of("expand.implementors")
    assert trace is not None
    assert answer("change the `OrderStore` contract").candidates
    assert {"MemoryOrderStore", "FileOrderStore"} <= set(names(answer("change the `OrderStore` contract")))


def test_tests_step_back_unless_the_task_is_about_them(answer):
    plain = names(answer("place order keeps the order"))
    about = names(answer("the test that place order keeps the order"))
    name = "test_place_order_keeps_the_order"
    assert plain.index(name) > about.index(name)


def test_mocks_are_noise_unless_the_task_is_about_tests(answer):
    dropped = answer("FakeClient send").trace.of("filter.noise").dropped
    assert "it belongs to a mock" in dropped.values()
    assert answer("the FakeClient of the test").trace.of("filter.noise").dropped == {}


def test_vendored_code_is_never_in_an_answer(answer):
    assert "retry_policy_vendored" not in names(answer("retry policy vendored"))


def test_a_stack_trace_leads_to_the_symbols_of_its_lines(answer):
    text = 'File "/srv/app/shop/http/client.py", line 15, in send\nTimeoutError'
    found = answer(text)
    assert fused(found)[0] == "HttpClient.send"
    assert "HttpClient.send" in names(found)[:2]
    assert "the query points at shop/http/client.py:15" in found.trace.of("fuse.rrf").after[0].reason


def test_a_diff_leads_to_what_it_touches(answer):
    text = "--- a/shop/http/retry.py\n+++ b/shop/http/retry.py\n@@ -14,2 +14,2 @@\n-    return 2**attempt\n"
    assert "backoff_delay" in names(answer(text))[:3]


def test_files_give_their_symbols_and_callers(answer):
    found = answer(kind="files", files=("shop/http/retry.py",))
    assert found.profile.name == "knowing-files"
    assert {"RetryPolicy", "backoff_delay", "HttpClient.send"} <= set(names(found))
    by_name = {found.items[row.number].name: row for row in found.candidates}
    assert by_name["backoff_delay"].signals["hops"] == 0.0
    assert by_name["HttpClient.send"].signals["hops"] == 1.0
    assert by_name["backoff_delay"].signals["callers"] == 1.0


def test_a_change_gives_its_neighbourhood(answer):
    found = answer(kind="change", files=("shop/http/retry.py",))
    assert found.profile.name == "knowing-change"
    assert found.packed.budget == 8_000
    assert {"RetryPolicy", "HttpClient.send", "HttpClient"} <= set(names(found))


def test_files_that_are_not_indexed_are_named(answer):
    with pytest.raises(NotFoundError, match=r"nowhere\.py"):
        answer(kind="files", files=("nowhere.py",))
    some = answer(kind="files", files=("nowhere.py", "shop/http/retry.py"))
    assert some.degraded == ("channel.changed: not indexed: nowhere.py",)


def test_filters_hold_for_what_the_walk_brings_in_too(answer):
    only = Filters(path_prefixes=("shop/http/",))
    found = answer("place order with the retry policy", filters=only)
    assert found.candidates
    assert {item.path.rpartition("/")[0] for item in found.items.values()} == {"shop/http"}
    kinds = answer(TASK, filters=Filters(kinds=frozenset({"method"})))
    assert {item.kind for item in kinds.items.values()} == {"method"}


def test_a_channel_without_its_model_says_so_and_the_rest_answers(answer):
    found = answer(TASK, overrides={"channel.vector.weight": 1.0})
    assert found.degraded == ("channel.vector: no embedder is installed",)
    assert names(found)[0] == "RetryPolicy"
    assert answer(TASK).degraded == ()


def test_gap_fill_asks_for_neighbours_in_meaning_only_when_little_was_found(shop, around, answer):
    from dataclasses import replace

    wanted = shop.named(["wait", "backoff_delay"], Filters(), 10)
    asked = []

    def nearest(text, limit, filters):
        asked.append((text, limit))
        return [(row.number, 0.5) for row in wanted]

    with_model = replace(around, services={"nearest": nearest})
    on = {"expand.gap_fill.enabled": True}
    found = answer("zzzz pause", surroundings=with_model, overrides=on)
    assert asked == [("zzzz pause", 20)]
    assert {"wait", "backoff_delay"} <= set(names(found))
    answer("order store client retry checkout", surroundings=with_model, overrides=on)
    assert len(asked) == 1


def test_a_massive_graph_without_a_clear_head_skips_the_walk(answer):
    found = answer(TASK, overrides={"expand.walk.massive": 0, "expand.walk.massive_confidence": 2.0})
    assert "there was no walk" in found.trace.of("expand.walk").summary
    assert "RetryPolicy.should_retry" in names(found)


def test_no_class_of_the_framework_layer_is_needed(answer):
    without = {
        "channel.equivalence.layers": ["project", "universal", "language"],
        "rerank.inject.enabled": False,
    }
    assert names(answer(TASK, overrides=without))[0] == "RetryPolicy"


BAD = [
    "", "x", "   ", "the and of", "!?!", "AND", "NEAR(", '"', "*", "col:", 'name : "x" OR', "a AND (b", "\0", "😀",
    "日本語の検索", "שלום עולם", "https://example.com/a/b?c=retry", "retry " * 20_000,
    "-" * 100_000, "`" * 99, "'; DROP TABLE item;--",
    "{}[]()<>|&^%$#@!~", "^retry", "retry*", "NOT retry", "\ud800 half", "a\u202eb",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_input_is_answered_or_clearly_empty(answer, text):
    found = answer(text, budget=500)
    assert found.candidates or found.query.notes or found.query.keywords.all
    assert pack_of(found).tokens <= 500


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=60))
def test_no_text_makes_it_fail(answer, text):
    answer(text, budget=200)


def test_words_that_look_like_operators_are_still_searched(answer):
    assert names(answer("retry OR policy AND"))[0] == "RetryPolicy"
    assert names(answer("retry* NEAR(policy)"))[0] == "RetryPolicy"


@pytest.mark.parametrize("budget", [0, 1, 7, 40, 200, 1000, 10_000_000])
def test_the_budget_is_a_ceiling(answer, budget):
    packed = answer(TASK, budget=budget).packed
    assert packed.tokens <= budget
    assert packed.tokens == sum(entry.tokens for entry in packed.entries)
    assert (len(packed.entries) + packed.omitted > 0) and (budget > 1 or not packed.entries)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, 3000))
def test_what_is_left_out_is_neither_cheaper_nor_would_it_have_fitted(answer, budget):
    found = answer(TASK, budget=budget)
    left = budget - found.packed.tokens
    taken = {entry.item.number for entry in found.packed.entries}
    for row in found.candidates:
        item = found.items[row.number]
        if row.number not in taken:
            assert PlainLines().cost(item, item.signature or item.name, row.reason, exact) > left


def test_what_is_written_out_costs_no_more_than_was_counted(answer):
    packed = answer(TASK, budget=700).packed
    lines = [
        f"{entry.item.path}:{entry.item.start_line}-{entry.item.end_line} {entry.item.kind} {entry.item.name}\n"
        f"{entry.text}\n{entry.candidate.reason}\n\n"
        for entry in packed.entries
    ]
    assert exact("".join(lines)) <= packed.tokens


def test_a_negative_budget_is_refused(answer):
    with pytest.raises(UsageError, match="negative"):
        answer(TASK, budget=-1)


def test_entries_are_ordered_by_score(answer):
    scores = [entry.candidate.score for entry in answer(TASK).packed.entries]
    assert scores == sorted(scores, reverse=True)


def test_naming_a_symbol_is_estimated_by_four_characters_a_token(answer):
    item = answer(TASK).packed.entries[0].item
    assert node_tokens(item) == len(item.name + item.kind + item.signature) // 4


def test_hits_have_scores_between_zero_and_one_and_the_query_id(answer):
    found = answer(TASK, pack=False)
    hits = hits_of(found, lambda item: "text", 5)
    assert len(hits.hits) == 5
    assert all(0 <= hit.score <= 1 and hit.query_id == found.query.id for hit in hits.hits)
    assert hits_of(found, lambda item: None, 5).hits == ()


SCRIPT = """
import sys, recollect
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.query import Request
with recollect.open(sys.argv[1]) as r, r._index.reader() as reader:
    around = Surroundings(Snapshot(), clock=lambda: 1.0)
    found = ask(reader, sys.argv[2], Request(), profile_for("task", "knowing"), around)
    for e in found.packed.entries:
        print(e.item.id, repr(e.candidate.score), e.tokens, e.candidate.reason)
"""


def test_the_same_question_has_the_same_answer_in_every_process(shop_folder):
    outputs = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SCRIPT, str(shop_folder), TASK]
        done = subprocess.run(command, check=True, capture_output=True, env=env, encoding="utf-8")
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop()
