"""Questions that no one means well, asked of every profile: an answer or a clear word, never an exception."""

import pytest

import recollect
from recollect.errors import NotFoundError, UsageError

TRACE = """Traceback (most recent call last):
  File "/home/me/shop/client.py", line 15, in send
    deliver(order, attempt)
TimeoutError: the line is bad"""
DIFF = """diff --git a/shop/retry.py b/shop/retry.py
--- a/shop/retry.py
+++ b/shop/retry.py
@@ -4,4 +4,4 @@ class RetryPolicy:
-    attempts = 3
+    attempts = 5
"""
HOSTILE = {
    "empty": "",
    "spaces": " \n\t ",
    "one letter": "a",
    "100 kB": "retry policy " * 8000,
    "one long word": "x" * 100_000,
    "stopwords": "the of and to be or not to be",
    "punctuation": "?!.,;:(){}[]<>|\\/~`@#$%^&*-+=_'",
    "AND": "AND",
    "operators": "retry AND NOT (policy OR NEAR(order, 5))",
    "NEAR": "NEAR(",
    "quote": '"',
    "quotes": '""" \' ""',
    "star": "*",
    "prefix star": "retry*",
    "column": "name: retry",
    "caret": "^retry",
    "braces": "{name path} : retry",
    "minus": "- retry -policy",
    "NUL": "retry\0policy",
    "only NUL": "\0",
    "emoji": "😀 retry 🚀",
    "only emoji": "😀",
    "CJK": "重试 策略",
    "Thai": "ลองใหม่",
    "right to left": "إعادة \u202eycilop\u202c retry",
    "surrogate": "retry \udce9 policy",
    "URL": "https://example.org/shop/retry?policy=1#attempts",
    "stack trace": TRACE,
    "diff": DIFF,
    "SQL": "'; DROP TABLE item; --",
    "format": "%s %d {0} ${HOME}",
}
PROFILES = ("code", "lexical", "knowing", "mnemosyne")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    from tests.conftest import SHOP

    root = tmp_path_factory.mktemp("hostile")
    for path, text in SHOP.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with recollect.open(root) as opened:
        opened.index()
        yield opened


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_every_search_is_answered_or_says_why_not(project, kind, profile):
    hits = project.search(HOSTILE[kind], profile=profile)
    assert hits.hits or hits.degraded
    assert all(0 <= hit.score <= 1 for hit in hits.hits)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_every_context_holds_its_budget(project, kind, profile):
    pack = project.context(HOSTILE[kind], profile=profile, budget=150)
    assert pack.items or pack.notes or pack.degraded
    assert pack.tokens <= 150


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_every_explanation_tells_a_place_or_what_would_have_kept_it(project, kind, profile):
    found = project.why(HOSTILE[kind], "RetryPolicy", profile=profile)
    assert found.verdict
    assert found.packed or found.keep


@pytest.mark.parametrize("kind", sorted(set(HOSTILE) - {"surrogate"}))
def test_a_symbol_that_cannot_be_one_is_said_to_be_unknown(project, kind):
    with pytest.raises(NotFoundError, match="No symbol is called"):
        project.why("retry an order", HOSTILE[kind])


def test_a_symbol_that_cannot_be_written_is_refused_with_a_sentence(project):
    with pytest.raises(UsageError, match="UTF-8"):
        project.why("retry an order", HOSTILE["surrogate"])


@pytest.mark.parametrize("profile", ["code", "knowing"])
def test_a_stack_trace_and_a_diff_lead_to_their_places(project, profile):
    assert project.search(TRACE, profile=profile).hits[0].name == "Client.send"
    changed = [hit.name for hit in project.search(DIFF, profile=profile).hits[:3]]
    assert "RetryPolicy.attempts" in changed


@pytest.mark.parametrize("kind", ["operators", "NUL", "emoji", "column", "right to left", "surrogate", "URL"])
def test_what_can_be_read_of_a_strange_question_is_searched(project, kind):
    assert "RetryPolicy" in {hit.name for hit in project.search(HOSTILE[kind]).hits[:3]}


@pytest.mark.parametrize("budget", [0, 1, 10_000_000])
def test_every_budget_is_held(project, budget):
    pack = project.context("send an order again", budget=budget)
    assert pack.tokens <= budget
    assert bool(pack.items) == (budget > 1)
